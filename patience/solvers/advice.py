"""Advice: which move is best, and what it is worth, as far as the player can know.

The unseen cards are dealt at random, many times: each such deal is a sample, in which every card is known. The worth of
a move is the number of samples that the solver wins after it. If two moves win the same number, the better move lets
the solver win more easily, looking at fewer positions. The general solver is too slow for this method. If a game has no
solver of its own, a plain player plays the samples to their ends instead, and progress by one card counts as a
hundredth of a win.

Nothing here reads a card that the player cannot know: the first step is to deal such cards again, in order of rank.
Random choices are seeded by what the player sees, and limits are in positions, not seconds, so the advice is the same
everywhere. A game may have better advice of its own, in solvers/NAME_advice.py.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from typing import TYPE_CHECKING, Any, NamedTuple

from patience import positions
from patience.solvers import general, player, search
from patience.solvers.search import LOST, WON, without_collector

if TYPE_CHECKING:
    from patience.solvers import Move, Position, Rules
    from patience.solvers.search import Answer

SAMPLES = 10  # in which each move is tried,
MORE_SAMPLES = 20  # and in which only the BEST are
BEST = 3
POSITIONS = 400  # to look at in a sample,
POSITIONS_KNOWN = 60_000  # if every card is known,
POSITIONS_AFTER = 1_000  # to find out whether another move wins,
POSITIONS_SHUT = 300  # and to be certain that no card can be turned up

SLOWER = 20  # how many times slower per position the general solver is than a game's own
A_CARD = 0.01  # what a plain player's progress by one card is worth, if a win is 1
PLAIN_MOVES = 6_000  # that a plain player makes in all, half of them for all moves, half for the BEST


class Chance(NamedTuple):
    """The worth of a move that none of the words below describes."""

    share: float  # of samples won after the move
    tries: int  # number of samples it was tried in; 0 if the share was learned from many games


SURE, LOSES, UNKNOWN = "wins for certain", "loses", ""  # whatever the hidden cards are
TO_SEE = "to see the stock"  # it loses nothing, and shows cards
FREE = "costs nothing"  # no card will ever need this one where it lies
NOT_FOUND = "no win found"  # after this move, or after any


class Advice(NamedTuple):
    """All legal moves with their worth, and a plan."""

    moves: list  # (move, what it is worth), for all legal moves, best first
    plan: list  # the first move and those to make after it, as long as nothing new is learned
    is_lost: bool  # the game can no longer be won, whatever the hidden cards are
    helps: bool  # False if every move leads back to an earlier position


class Known:
    """What a player sees of a game. Advice may use nothing else."""

    def __init__(self, rules: Rules, options: dict[str, str], game: Position, before: Any = ()) -> None:
        """before: the positions since the deal."""
        self.rules = rules
        self.options = options
        self.game = positions.sample(game, rules.hidden(game))  # its hidden cards give nothing away
        self.hidden = rules.hidden(self.game)
        self.before = [positions.sample(position, rules.hidden(position)) for position in before]
        self.chance = random.Random(repr(general.key(self.game)))
        self.solver = general.solver_of(rules, options)
        self.played = 0  # moves a plain player has made so far

    @functools.cached_property
    def differs(self) -> bool:
        """Return True if the rules of the game are not those of its solver, so that no loss is believed."""
        return bool(general.difference(self.rules, self.options, self.game))

    def differs_along(self, ways: list[Any]) -> bool:
        """Return True if the same holds along some ways, as in Answer.visited."""
        there = general.positions_along(self.rules, self.game, ways)
        return bool(self.solver and general.first_difference(self.rules, self.solver, there))

    def sample(self) -> Position:
        """Return the game with the hidden cards dealt at random."""
        return positions.sample(self.game, self.hidden, self.chance)

    def solve(self, game: Position, most: int) -> Answer:
        """Return an Answer for a sample, or a position after it. most: how many positions to look at; the
        general solver gets fewer, because it is slower."""
        answer = general.search(self.rules, self.options, game, None, most if self.solver else most // SLOWER)
        if answer.verdict == LOST and (
            self.differs or general.difference(self.rules, self.options, game, answer.visited)
        ):
            return answer._replace(verdict=search.UNKNOWN)
        return answer

    def result(self, game: Position) -> tuple[bool, float]:
        """Return whether a sample is won from a position, by the solver within POSITIONS, or else by a plain player;
        and a tie-breaker: how easily the solver won, or how far the plain player got. The position may be changed."""
        if self.solver:
            answer = general.search(self.rules, self.options, game, None, POSITIONS)
            won = answer.verdict == WON
            return won, won / math.log2(2 + answer.positions)
        self.played += player.play(self.rules, game, self.chance)
        return bool(self.rules.check_win(game)), A_CARD * self.rules.progress(game)

    def after(self, game: Position, move: Move) -> Position:
        """Return the position after a move, or None if the move depends on chance."""
        game = positions.copy_of(game)
        with positions.preserve_random_state():
            before = random.getstate()
            self.rules.perform(game, *move)
            return game if random.getstate() == before else None

    def moves(self) -> tuple[list[Move], list[Move]]:
        """Return the legal moves that lead to a new position, and those that lead back to an old one."""
        old = {general.key(game) for game in self.before}
        new, back = [], []
        for move in self.rules.legal_moves(self.game):
            after = self.after(self.game, move) if old else None
            (back if after and general.key(after) in old else new).append(move)
        return new, back


def advise(rules: Rules, options: dict[str, str], game: Position, before: Any = ()) -> Advice:
    """Return an Advice for a game that is not over. rules: from rules.load. options: option -> choice. before: as in
    Known. Nothing is changed."""
    known = Known(rules, options, game, before)
    if move := wins_at_once(rules, known.game):
        return advise_first(known, move, SURE)
    by_rules = advise_by_samples if known.hidden else advise_openly
    with without_collector(), positions.preserve_random_state():
        random.seed(repr(general.key(known.game)))  # for moves that depend on chance
        advice = getattr(general.adviser_of(rules, options), "advise", by_rules)(known)
    if advice.is_lost and known.differs:
        return advice._replace(is_lost=False, helps=True)
    return advice


def cannot_be_won(rules: Rules, options: dict[str, str], game: Position, most: int = POSITIONS_KNOWN) -> bool:
    """Return True if it is certain that the game can no longer be won, whatever the hidden cards are. most: how
    many positions to look at if every card is known."""
    known = Known(rules, options, game)
    if known.hidden:
        is_lost = getattr(general.adviser_of(rules, options), "is_shut", is_shut)(known)
        return is_lost and not known.differs
    return known.solve(known.game, most).verdict == LOST and not takes_chance(known)


def takes_chance(known: Known) -> bool:
    """Return True if a legal move depends on chance, so that no solver knows its result."""
    return any(known.after(known.game, move) is None for move in known.rules.legal_moves(known.game))


def advise_openly(known: Known) -> Advice:
    """Return an Advice for a game without hidden cards: the solver's plan, if it has one."""
    answer = known.solve(known.game, POSITIONS_KNOWN)
    new, back = known.moves()
    if answer.verdict == WON and answer.moves:
        first = answer.moves[0]
        worth = [(move, worth_after(known, move)) for move in [*new, *back] if move != first]
        return Advice([(first, SURE), *worth], answer.moves, False, True)
    is_lost = answer.verdict == LOST and not takes_chance(known)
    return Advice([(move, UNKNOWN) for move in [*new, *back]], new[:1], is_lost, bool(new))


def advise_to_see(known: Known, move: Move, count: int) -> Advice:
    """Return an Advice that begins with this move, made up to count times. The move shows the stock and loses
    nothing."""
    return advise_first(known, (*move, count) if count > 1 else move, TO_SEE)


def advise_lost(known: Known) -> Advice:
    """Return an Advice saying that the game can no longer be won, whatever the player does."""
    return Advice([(move, UNKNOWN) for move in sum(known.moves(), [])], [], True, False)


def advise_first(known: Known, move: Move, worth: str) -> Advice:
    """Return an Advice that puts this move first, whatever the other moves are worth."""
    is_same = {move, move[:1]} if worth == TO_SEE else {move}
    rest = [(legal_move, UNKNOWN) for legal_move in sum(known.moves(), []) if legal_move not in is_same]
    return Advice([(move, worth), *rest], [move], False, True)


def wins_at_once(rules: Rules, game: Position) -> Move | None:
    """Return the first legal move that wins the game, or None. There is no such move while any card is hidden."""
    for move in rules.legal_moves(game) if not rules.hidden(game) else ():
        if rules.check_win(positions.position_after(rules, game, move)):
            return move
    return None


def worth_after(known: Known, move: Move) -> str:
    """Return the worth of a move if no card is hidden."""
    after = known.after(known.game, move)
    verdict = after and known.solve(after, POSITIONS_AFTER).verdict
    return {WON: SURE, LOST: LOSES}.get(verdict, UNKNOWN)


def advise_by_samples(known: Known) -> Advice:
    """Return an Advice based on the number of samples won after each move."""
    new, back = known.moves()
    tried = {move: [] for move in new}
    if new:
        try_in_samples(known, tried, SAMPLES, PLAIN_MOVES // 2)
    if len(new) > 1:
        best = sorted(new, key=lambda move: -score(tried[move]))[:BEST]
        try_in_samples(known, {move: tried[move] for move in best}, MORE_SAMPLES, PLAIN_MOVES)
    order = sorted(new, key=lambda move: -score(tried[move]))
    if not known.solver:  # among many moves tried only a few times, some win by luck
        order.sort(key=lambda move: -len(tried[move]))
    has_win = any(won for results in tried.values() for won, _ in results)
    is_lost = not has_win and is_shut(known)
    advised = [
        (
            move,
            Chance(sum(won for won, _ in tried[move]) / len(tried[move]), len(tried[move]))
            if has_win or known.solver
            else NOT_FOUND,
        )
        for move in order
    ]
    return Advice(advised + [(move, UNKNOWN) for move in back], order[:1], is_lost, bool(new))


def try_in_samples(known: Known, tried: dict[Move, list[tuple[bool, float]]], count: int, most: int) -> None:
    """Try each move in count samples or, if a plain player plays them, until that player's moves in all have reached
    most. Add the outcomes to the results of the move."""
    for number in itertools.count(1):
        sample = known.sample()
        for move, results in tried.items():
            game = positions.copy_of(sample)
            known.rules.perform(game, *move)
            results.append(known.result(game))
        if number >= count if known.solver else known.played >= most:
            break


def score(results: list[tuple[bool, float]]) -> float:
    """Return the worth of a move from its results: the share of wins, and the tie-breakers."""
    return math.fsum(won + more for won, more in results) / max(1, len(results))


def is_shut(known: Known) -> bool:
    """Return True if no sequence of moves from here turns up a hidden card, or wins."""
    if known.rules.no_moves:
        return False
    seen, waiting = {general.key(known.game)}, [known.game]
    while waiting:
        game = waiting.pop()
        if known.rules.check_win(game) or len(known.rules.hidden(game)) < len(known.hidden):
            return False
        for move in known.rules.legal_moves(game):
            after = known.after(game, move)
            if after is None or len(seen) > POSITIONS_SHUT:
                return False
            if general.key(after) not in seen:
                seen.add(general.key(after))
                waiting.append(after)
    return True
