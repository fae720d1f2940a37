"""Quadzilla, solved with the shoe known: a beam search, turn by turn, that grows wider.

A position is the four columns and the moves left; the cards of the next turns are known. Within a turn all moves are
tried, level by level, and at each level only the best positions are kept, up to the width of the beam. The turn may end
at any of these positions; the next row is then dealt onto it, and again only the best are kept.

The best position is the one with the fewest breaks. A card's class is what it is cleared with: its suit, or the
Quadzilla. Two neighbours in a column that have different classes have a break between them, which takes a move to mend.
A break counts less between two cards of the same rank, which can be moved together. The next row counts as if it had
already been dealt, so a turn ends with columns that are ready for it. Cards on the board, and moves used, count a
little.

Each beam is twice as wide as the one before it. If a beam was so wide that nothing was ever left out, the whole space
has been searched; if no win was found, the game is lost. The columns are not interchangeable, because the rows are
dealt in order, so positions are the same only if all their columns are.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

from patience.positions import copy_of
from patience.solvers.search import WAYS, decide, make

import quadzilla

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from patience.solvers import Move, Position, Way
    from patience.solvers.search import Answer, Limits

# the choices for the options that the solver knows
OPTIONS = {
    "difficulty": ("easy", "normal", "hard"),
    "rank": ("random", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"),
}
BREAK_COST = 6
RANK_BREAK_COST = 4  # for a break between two cards of the same rank
DEAL = ("D",)


class Card(NamedTuple):
    """A card of the search."""

    rank: int
    suit: int


Row = tuple[Card, ...]
Columns = tuple[Row, ...]
Step = tuple[str, int, int, int]
End = tuple[Columns, int]  # where a turn may end, and the moves left
Ends = dict[End, tuple[Any, ...]]  # and the Steps that lead there


def solve(game: Position, seconds: float | None = 10, positions: int | None = None) -> Answer:
    """Return an Answer for the game as it stands. The game is not changed."""
    columns = tuple(map(cards_of, game.columns))
    shoe = cards_of(reversed(game.shoe))
    rows = [shoe[place : place + 4] for place in range(0, len(shoe), 4)]

    def tries(limits: Limits) -> Iterable[Callable[[], Way]]:
        if game.lost:
            return [lambda: (None, True)]
        return (functools.partial(beam, game, columns, rows, 2**power, limits) for power in itertools.count(1))

    return decide(tries, functools.partial(as_moves, game), seconds, positions)


def allowed(game: Position) -> set[Move]:
    """Return the set of the moves that are allowed here and do not lose, by the rules of this search: see
    general.difference."""
    columns = tuple(map(cards_of, game.columns))
    steps = steps_from(columns, game.moves_left, 0, game.rank) if game.moves_left else ()
    return {DEAL, *(shortest(move) for move, _ in steps)}


def cards_of(cards: Iterable[Any]) -> Row:
    """Return cards from the game as a tuple of Cards."""
    return tuple(Card(card.rank(), card.suit()) for card in cards)


def beam(game: Position, columns: Columns, rows: list[Row], width: int, limits: Limits) -> Way:
    """Search with a beam of this width, from the current turn on.

    Returns the moves in each turn of a win, as lists, or None; and whether nothing was left out.
    """
    difficulty = quadzilla.DIFFICULTIES[game.difficulty]
    # Positions at the beginning of a turn: (columns, moves left) -> the turns that led there.
    starts = {(columns, game.moves_left): ()}
    complete, limits.ways = True, []
    for row, row_after in itertools.pairwise([*rows, (), ()]):  # (): there is no next row
        ends, won, kept_all = play_turn(game.rank, starts, row, difficulty.bonus, width, limits)
        complete = complete and kept_all
        if won is not None:
            return won, complete
        if not row:
            break
        after = {}
        for (columns, left), turns in ends.items():
            left = difficulty.moves + (left if difficulty.carries_over else 0)
            dealt = deal(columns, row, left, difficulty.bonus, game.rank)
            if dealt:
                limits.spend()
                after.setdefault(dealt, turns)
        limits.ways += map(list, itertools.islice(ends.values(), WAYS))
        starts, kept_all = keep_best(after, width, game.rank, row_after)
        complete = complete and kept_all
    return None, complete


def play_turn(rank: int, starts: Ends, row: Row, bonus: int, width: int, limits: Limits) -> tuple[Ends, Any, bool]:
    """Try the moves of a turn, level by level, from each of the starts. row: what is dealt after it.

    Returns the ends of the turn, (columns, moves left) -> turns; the turns of a win in the last turn, or None; and
    whether nothing was left out.
    """
    level = {position: (turns, ()) for position, turns in starts.items()}
    ends = {position: (*turns, ()) for position, turns in starts.items()}
    complete = True
    while level:
        next_level = {}
        for (columns, left), (turns, moves) in level.items():
            if not row and not any(columns):
                return ends, (*turns, moves), complete
            for move, after in steps_from(columns, left, bonus, rank) if left else ():
                if after not in ends and after not in next_level:
                    limits.spend()
                    next_level[after] = (turns, (*moves, move))
        level, kept_all = keep_best(next_level, width, rank, row)
        complete = complete and kept_all
        for position, (turns, moves) in level.items():
            ends[position] = (*turns, moves)
    return ends, None, complete


def keep_best(candidates: Ends, width: int, rank: int, row: Row) -> tuple[Ends, bool]:
    """Return the best positions, up to the width of the beam, and whether these are all the positions."""
    if len(candidates) <= width:
        return candidates, True
    kept = sorted(candidates, key=lambda position: cost(position[0], position[1], rank, row))[:width]
    return {position: candidates[position] for position in kept}, False


def cost(columns: Columns, left: int, rank: int, row: Row) -> int:
    """Return how far a position is from being won, judged by its breaks (including those with the next row), its cards,
    and the moves used."""
    total = -left
    for number, column in enumerate(columns):
        total += len(column)
        for upper, lower in itertools.pairwise((*column, *row[number : number + 1])):
            if upper.rank == lower.rank:
                total += RANK_BREAK_COST * (upper.rank != rank)
            elif upper.suit != lower.suit or rank in (upper.rank, lower.rank):
                total += BREAK_COST
    return total


def steps_from(columns: Columns, left: int, bonus: int, rank: int) -> Iterator[tuple[Step, End]]:
    """Yield every legal move that does not lose, as (move, position after it)."""
    for source, column in enumerate(columns):
        for count in range(1, len(column) + 1):
            group = column[-count:]
            if len({card.suit for card in group}) > 1 and len({card.rank for card in group}) > 1:
                break
            for dest, onto in enumerate(columns):
                if dest == source or onto and not is_alike(group[0], onto[-1]):
                    continue
                after = list(columns)
                after[source], after[dest] = column[:-count], onto + group
                cleared = clear(after, (source, dest), rank)
                if cleared is not None:
                    yield ("M", source + 1, dest + 1, count), (tuple(after), left - 1 + bonus * cleared)


def is_alike(card: Card, second: Card) -> bool:
    """Return True if the cards have the same suit or the same rank."""
    return card.rank == second.rank or card.suit == second.suit


def clear(columns: list[Row], changed: Iterable[int], rank: int) -> int | None:
    """Clear every four in a list of columns; return the number of clears, or None for a loss. changed: the numbers of
    the columns that may end in a four, from 0."""
    count = 0
    for number in changed:
        while len(columns[number]) >= 4:
            first, second, third, last = columns[number][-4:]
            ranks = first.rank, second.rank, third.rank, last.rank
            if first.suit == second.suit == third.suit == last.suit:
                if rank in ranks:
                    return None
            elif ranks != (rank,) * 4:
                break
            columns[number] = columns[number][:-4]
            count += 1
    return count


def deal(columns: Columns, row: Row, left: int, bonus: int, rank: int) -> End | None:
    """Return the position after a row is dealt, or None if that loses the game."""
    after = list(columns)
    for number, card in enumerate(row):
        after[number] += (card,)
        cleared = clear(after, (number,), rank)
        if cleared is None:
            return None
        left += bonus * cleared
    return tuple(after), left


def as_moves(game: Position, turns: Any) -> list[Move]:
    """Return the moves of each turn, starting with the current one, with a D wherever a turn does not end by itself."""
    game = copy_of(game)
    made = []
    for turn, moves in enumerate(turns, start=game.turn):
        for move in moves:
            make(quadzilla, game, shortest(move), made)
        if game.turn == turn and game.shoe:
            make(quadzilla, game, DEAL, made)
    return made


def shortest(move: Step) -> Move:
    """Return a move as a player types it: without its number of cards if that number is 1."""
    return move[:3] if move[3] == 1 else move
