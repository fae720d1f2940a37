"""Advice for Montana: the solver's plan, or else moves that make long sequences before the next shuffle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patience.solvers import general
from patience.solvers.advice import SURE, UNKNOWN, Advice
from patience.solvers.montana import as_moves, beam, fronts_of, position, step_between
from patience.solvers.montana_worth import WORTH
from patience.solvers.search import LOST, WON, Limits, way_to, without_collector

if TYPE_CHECKING:
    from patience.solvers import Move, Position
    from patience.solvers.advice import Known

SHUFFLE = ("S",)
POSITIONS_ADVISED = 25_000  # that advice searches for a way to win,
SEQUENCES_WIDTH = 1600


def advise(known: Known) -> Advice:
    """Return an Advice for what a player sees: the solver's plan or, if it has none, moves that make long sequences
    before the next shuffle."""
    answer = known.solve(known.game, POSITIONS_ADVISED)
    plan, worth = answer.moves, SURE
    may_shuffle = known.rules.refusal(known.game, *SHUFFLE) is None
    if answer.verdict != WON:
        plan, wins = to_long_sequences(known.game)
        wins = wins and not general.fault_of_win(known.rules, known.game, plan)
        worth = SURE if wins else UNKNOWN
        if not wins and may_shuffle:
            plan = [*plan, SHUFFLE]
    new, back = known.moves()
    first = plan[:1] or new[:1]
    moves = [(move, worth) for move in first] + [(move, UNKNOWN) for move in [*new, *back] if move not in first]
    is_lost = answer.verdict == LOST and not may_shuffle
    return Advice(moves, plan or first, is_lost, bool(first))


def to_long_sequences(game: Position) -> tuple[list[Move], bool]:
    """Return the moves to the position with the most cards in sequences, of those found, and whether these moves
    win."""
    start, levels, came_from = position(game), [], {}
    with without_collector():
        way = beam(start, SEQUENCES_WIDTH, WORTH, Limits(None), levels, came_from)
    if way is not None:
        return as_moves(way), True
    longest = max((cells for level in levels for cells in level), key=lambda cells: sum(fronts_of(cells)))
    return as_moves(way_to(longest, came_from, step_between)), False
