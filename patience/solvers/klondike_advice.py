"""Advice for Klondike, in the space of klondike_steps: a tree search over steps whose result is random if they turn up
cards. The steps that lead to such a card are the same in all samples, because they do not depend on face-down cards
(Bjarnason, Fern and Tadepalli, Lower Bounding Klondike Solitaire with Monte-Carlo Planning, 2009)."""

from __future__ import annotations

import contextlib
import copy
import math
from typing import TYPE_CHECKING, Any

from patience.solvers.advice import FREE, UNKNOWN, Advice, advise_first, advise_lost, advise_openly, advise_to_see
from patience.solvers.klondike import Writer
from patience.solvers.klondike_rule import WEIGHTS, Rule
from patience.solvers.klondike_steps import ALL, Table, bit, is_safe, split_cards, steps_from
from patience.solvers.puct import TRIES_AT_ONCE, chance_of, choose, is_decided
from patience.solvers.search import WAYS, NotAllowed

import klondike

if TYPE_CHECKING:
    import random

    from patience.solvers import Move, Position
    from patience.solvers.advice import Known
    from patience.solvers.klondike_steps import State, Step

POSITIONS_TRIED = 60_000  # in all samples together
# How many cards the game draws -> see puct.chance_of. Drawing three, in 400 games by hints, if the rule won half the
# samples, 68 % were won, and if it won a quarter, 45 %; drawing one, the same share as the rule won.
GAMES = {1: 1, 3: 1.7}
TRIED_ENOUGH = 50  # times that a step must be tried to belong to a plan
STEPS_SHUT = 2_000  # to be certain that no card can be turned up


def advise(known: Known) -> Advice:
    """Return an Advice for what a player sees. Moves that cost nothing come first: a card that can safely go up, then
    looking through the stock."""
    game = known.game
    free = safe_up(known)
    if free and (game.unseen or not is_shut(known)):
        return advise_first(known, free, FREE)
    if game.unseen:
        return advise_to_see(known, ("SW",), math.ceil(len(game.stock) / game.draw))
    if not known.hidden:
        return advise_openly(known)
    table = Table(game, game.draw)
    if is_shut(known):
        return advise_lost(known)
    old = {Table(one, game.draw).start for one in known.before} | {table.start}
    closed, *_ = table.start
    way, worths = follow_forced_way(table, old), {}
    hidden, *_ = table.start
    if hidden == closed:
        tree = Tree(table, old, known.chance)
        tried = tree.try_steps()
        for wins, count, step in tried[: 1 if way else None]:
            worths.setdefault(Writer(game).as_moves([*way, step])[0], chance_of(wins, count, GAMES[game.draw]))
        way += tree.best_way(tried[0][-1]) if tried else []
    plan = shortest(game, way)
    if plan:
        worths = {plan[0]: next(iter(worths.values()), UNKNOWN), **worths}
    new, back = known.moves()
    rest = [(move, UNKNOWN) for move in [*new, *back] if move not in worths]
    return Advice([*worths.items(), *rest], plan, False, bool(plan))


def safe_up(known: Known) -> Move | None:
    """Return a move to a foundation for a card that no other card will ever need as a place, or None. If three are
    drawn, playing a waste card changes which cards come up later, so from the waste only an ace is safe."""
    game = known.game
    founded = sum(bit(card) for foundation in game.foundations for card in foundation)
    for word, *numbers in klondike.moves_up(game):
        pile = game.tableau[numbers[0] - 1] if numbers else game.waste
        if is_safe(bit(pile[-1]), founded) and (numbers or game.draw == 1 or pile[-1].rank() == 1):
            return word, *numbers
    return None


def follow_forced_way(table: Table, old: set[State]) -> list[Step]:
    """Return the steps that have no alternative, until there is a choice or a card is turned up, and advance the table
    past them. old: positions that must not come again; the new ones are added."""
    way, (closed, *_) = [], table.start
    hidden = closed
    while hidden == closed:
        ways_on = [(step, after) for step, after in steps_from(table, table.start) if after not in old]
        if len(ways_on) != 1:
            break
        ((step, table.start),) = ways_on
        old.add(table.start)
        way.append(step)
        hidden, *_ = table.start
    return way


def shortest(game: Position, way: list[Step]) -> list[Move]:
    """Return the moves of these steps. A card that goes up and comes back stays where it is, if that leads to the same
    position."""
    parts = [part for step in way for part in step]
    kept = [("up", card) for kind, card in parts if kind == "back"]
    fewer = [part for part in parts if part not in kept and not (part[0] == "back" and ("up", part[1]) in parts)]
    whole, short = Writer(game), Writer(game)
    whole.as_moves([tuple(parts)])
    with contextlib.suppress(NotAllowed):
        short.as_moves([tuple(fewer)])
        if Table(short.game, game.draw).start == Table(whole.game, game.draw).start:
            return short.moves or whole.moves
    return whole.moves


def is_shut(known: Known) -> bool:
    """Return True if no sequence of steps from the current position turns up a card, once the stock has been seen."""
    if known.game.unseen:
        return False
    table = Table(known.game, known.game.draw)
    ways, waiting = {table.start: []}, [table.start]  # position -> the steps that lead there
    closed, *_ = table.start
    while waiting and len(ways) < STEPS_SHUT:
        position = waiting.pop()
        for step, after in steps_from(table, position):
            hidden, *_ = after
            if hidden != closed:
                return False
            if after not in ways:
                ways[after] = [*ways[position], step]
                waiting.append(after)
    if waiting:
        return False
    try:
        replayed = [(None, Writer(known.game).as_moves(way)) for way in [*ways.values()][-WAYS:]]
    except NotAllowed:  # the rules have changed
        return False
    return not known.differs_along(replayed)


def new_steps(table: Table, position: State, seen: set[State]) -> list[tuple[Step, State]]:
    """Return the steps to unseen positions, no two to the same one: a list of (step, position after it)."""
    step_to = {}
    for step, after in steps_from(table, position):
        if after not in seen:
            step_to.setdefault(after, step)
    return [(step, after) for after, step in step_to.items()]


class Tree:
    """The steps that were tried from a position, and how often they led to a win."""

    def __init__(self, table: Table, old: set[State], chance: random.Random) -> None:
        """old: positions that must not come again. chance: a random.Random."""
        self.table, self.old, self.chance = table, old, chance
        self.rule = Rule(WEIGHTS[table.draw], chance)
        self.results = {}  # (position, step) -> [wins, how often it was tried]
        self.costs = {}  # position -> step -> what the position after it costs, in all samples
        self.count = 0  # of the positions looked at
        self.closed = {}  # root -> how many cards lie face down under it
        hidden, roots, *_ = table.start
        for root in split_cards(roots):
            card = root
            while table.under.get(card, 0) & hidden:
                card = table.under[card]
                self.closed[root] = self.closed.get(root, 0) + 1

    def try_steps(self) -> list[tuple[int, int, Step]]:
        """Try steps in one sample after another; return (wins, count, step) for those from the current position, the
        best first."""
        start = self.table.start
        first = [step for step, _ in new_steps(self.table, start, self.old)]
        while len(first) > 1 and not is_decided(self.results_of(start, first), self.count, POSITIONS_TRIED):
            for _ in range(TRIES_AT_ONCE):
                self.try_once(self.sample())
        rows = [(*result, step) for result, step in zip(self.results_of(start, first), first)]
        return sorted(rows, key=lambda row: -row[1])

    def results_of(self, position: State, steps: list[Step]) -> list[Any]:
        """Return how often each of these steps led to a win, and how often it was tried."""
        return [self.results.get((position, step), (0, 0)) for step in steps]

    def best_way(self, step: Step) -> list[Step]:
        """Return a step from the current position and the steps after it, each the one tried most often, until a card
        is turned up or a step was tried too rarely to be trusted."""
        closed, *_ = position = self.table.start
        way, seen = [], {*self.old, position}
        while step:
            way.append(step)
            position = next(after for next_step, after in steps_from(self.table, position) if next_step == step)
            hidden, *_ = position
            seen.add(position)
            known = [
                (self.results[position, next_step][1], next_step)
                for next_step, after in steps_from(self.table, position)
                if after not in seen and (position, next_step) in self.results
            ]
            count, step = max(known, key=lambda candidate: candidate[0], default=(0, ()))
            if hidden != closed or count < TRIED_ENOUGH:
                break
        return way

    def sample(self) -> Table:
        """Return the table with the hidden cards dealt at random."""
        hidden, *_ = self.table.start
        cards = list(split_cards(hidden))
        self.chance.shuffle(cards)
        sample = copy.copy(self.table)
        sample.under = {}
        for card, count in self.closed.items():
            for _ in range(count):
                sample.under[card] = card = cards.pop()
        return sample

    def try_once(self, sample: Table) -> None:
        """Go down the tree in one sample to an untried step, then play to the end by the rule. Record the result."""
        position, seen, path = sample.start, set(self.old), []
        self.rule.look_at(sample)
        is_known = True
        while is_known and (steps_on := new_steps(sample, position, seen)):
            self.count += len(steps_on) + 1
            step, after = self.choose(position, steps_on)
            is_known = (position, step) in self.results
            path.append((position, step))
            position = after
            seen.add(after)
        founded, count = self.rule.play(position, seen)
        self.count += count
        for edge in path:
            result = self.results.setdefault(edge, [0, 0])
            result[0] += founded == ALL
            result[1] += 1

    def choose(self, position: State, steps_on: list[tuple[Step, State]]) -> tuple[Step, State]:
        """Return the next step to try from a position, as (step, position after it)."""
        costs = self.costs.setdefault(position, {})
        for step, after in steps_on:
            if step not in costs:
                costs[step] = self.rule.cost(position, after)
        steps = [step for step, _ in steps_on]
        return steps_on[choose([costs[step] for step in steps], self.results_of(position, steps))]
