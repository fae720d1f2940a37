"""Advice for Desturado: a tree search over steps whose result is random if they turn up cards. It runs in many samples,
and a rule plays each of them to its end. Counting the samples that the solver wins would say little, because anyone who
sees every card wins nearly every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patience.solvers import advice
from patience.solvers.advice import UNKNOWN, Advice, advise_lost, advise_openly
from patience.solvers.desturado import all_steps, has_too_many_left, is_won, joins, key, replace, start_of
from patience.solvers.desturado_rule import cost, go_on, play, unseen_in
from patience.solvers.puct import TRIES_AT_ONCE, chance_of, choose, is_decided

if TYPE_CHECKING:
    import random

    from patience.solvers import Position
    from patience.solvers.advice import Known
    from patience.solvers.desturado import Columns, Hand, Hidden, Step

POSITIONS_TRIED = 40_000  # in all samples together
GAMES = 4  # see puct.chance_of. In 700 hard games played by hints, 95 % were won if the rule won half of the samples,
# 68 % if it won a quarter, and 47 % if an eighth.


def advise(known: Known) -> Advice:
    """Return an Advice for what a player sees."""
    if not known.hidden:
        return advise_openly(known)
    if is_shut(known):
        return advise_lost(known)
    new, back = known.moves()
    moves_to, worths = {}, {}  # moves_to: the key of a position -> the moves there, such as those to each empty space
    for move in new:
        position, _ = start_of(known.after(known.game, move))
        moves_to.setdefault(key(position), []).append(move)
    tree = Tree(known.game, known.chance)
    tried = tree.try_steps()
    for wins, count, step in tried:
        _, moves, *_ = step
        for move in [moves[0], *moves_to.get(key(tree.after(step)), [])]:
            worths.setdefault(move, chance_of(wins, count, GAMES))
    _, _, (_, plan, *_) = tried[0]
    rest = [(move, UNKNOWN) for move in [*new, *back] if move not in worths]
    return Advice([*worths.items(), *rest], plan, False, True)


def is_shut(known: Known) -> bool:
    """Return True if it is certain that the game is lost, or that no card can be turned up, wherever the hidden cards
    lie."""
    (columns, hand), hidden = start_of(known.game)
    return has_too_many_left(columns, hand, hidden) or advice.is_shut(known)


class Node:
    """A searched position: its steps, their costs, and how often it was tried and won."""

    def __init__(self, steps: list[Step], unseen: int) -> None:
        self.steps = steps
        self.costs = [cost(step, unseen) for step in steps]
        self.results = [[0, 0] for _ in steps]


class Tree:
    """The steps that were tried from a position."""

    def __init__(self, game: Position, chance: random.Random) -> None:
        """chance: a random.Random."""
        self.start, self.hidden = start_of(game)
        self.chance = chance
        self.cards = sum(self.hidden, [])  # in an order that reveals nothing about where they lie
        self.unseen = unseen_in(self.hidden)
        columns, hand = self.start
        alone = [
            (step_cost, moves, columns, replace(after, moved, None)) for step_cost, moves, moved, after in joins(hand)
        ]
        self.nodes = {self.start: Node(all_steps(columns, hand) + alone, self.unseen)}
        self.count = 0  # of the positions looked at

    def try_steps(self) -> list[Any]:
        """Try steps in one sample after another; return (wins, count, step) for those from the current position, the
        most often tried ones first."""
        first = self.nodes[self.start]
        while not is_decided(first.results, self.count, POSITIONS_TRIED):
            for _ in range(TRIES_AT_ONCE):
                self.try_once(self.sample())
        rows = [(*result, step) for result, step in zip(first.results, first.steps)]
        return sorted(rows, key=lambda row: -row[1])

    def after(self, step: Step) -> tuple[Columns, Hand]:
        """Return the position after a step, with any card turned up."""
        position, _ = go_on(step, self.hidden, self.unseen)
        return position

    def sample(self) -> Hidden:
        """Return the hidden cards of each column, dealt at random."""
        self.chance.shuffle(self.cards)
        cards = iter(self.cards)
        return [[next(cards) for _ in column] for column in self.hidden]

    def try_once(self, hidden: Hidden) -> None:
        """Go down the tree in a sample to a new position, then play to the end by the rule. Record the result."""
        position, unseen, path = self.start, self.unseen, []
        while not is_won(position):
            is_new = position not in self.nodes
            if is_new:
                self.nodes[position] = Node(all_steps(*position), unseen)
            node = self.nodes[position]
            self.count += len(node.steps) + 1
            if is_new or not node.steps:
                break
            number = choose(node.costs, node.results)
            path.append(node.results[number])
            position, unseen = go_on(node.steps[number], hidden, unseen)
        won, count = play(position, hidden, unseen)
        self.count += count
        for result in path:
            result[0] += won
            result[1] += 1
