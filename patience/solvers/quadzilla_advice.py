"""Advice for Quadzilla. With the shoe known, nearly all games can be won, so counting won samples would reveal nothing.
What matters is how the current turn may end. The ends that a beam search finds are ranked. The best ones are tried with
rows that may come next, and each is then worth as much as the best end of the next turn (see quadzilla_worth.py)."""

from __future__ import annotations

import functools
import itertools
import math
import random
from typing import TYPE_CHECKING, Any

from patience.solvers.advice import NOT_FOUND, UNKNOWN, Advice, Chance, advise_openly
from patience.solvers.quadzilla import DEAL, cards_of, deal, shortest, steps_from
from patience.solvers.quadzilla_worth import TABLE, Worth

import quadzilla

if TYPE_CHECKING:
    from patience.solvers.advice import Known
    from patience.solvers.quadzilla import End, Ends, Row
    from patience.solvers.quadzilla_worth import Features

WIDTH_ADVISED = 60  # positions kept at each level of moves in the current turn,
WIDTH_AFTER = 12  # and in the next one
BEST = 6  # ends of a turn that are tried, besides the best one after each of the other first moves,
ROWS = {"easy": 0, "normal": 24, "hard": 24}  # with this many rows; easy games have long turns, and need none


def advise(known: Known) -> Advice:
    """Return an Advice for what a player sees: the moves that lead to the best end of this turn."""
    game = known.game
    if not game.shoe:
        return advise_openly(known)
    outlook, shoe = outlook_of(game.difficulty, game.rank, game.turn), tuple(sorted(cards_of(game.shoe)))
    start = tuple(map(cards_of, game.columns)), game.moves_left
    moves_to = outlook.turn_ends(start, game.turn, shoe, WIDTH_ADVISED)
    order = sorted(moves_to, key=lambda end: (-outlook.log_odds(end, game.turn, shoe), len(moves_to[end])))
    first_move = {end: shortest(moves[0]) if moves else DEAL for end, moves in moves_to.items()}
    best_behind = {first_move[end]: end for end in reversed(order)}
    tried = dict.fromkeys([*order[:BEST], *best_behind.values()])
    chances = {end: outlook.chance_behind(end, game.turn, shoe, ROWS[game.difficulty]) for end in tried}
    order = sorted(chances, key=chances.__getitem__, reverse=True)
    worths = {}
    for end in order:
        worths.setdefault(first_move[end], Chance(chances[end], 0) if chances[end] else NOT_FOUND)
    columns, left = order[0]
    plan = [shortest(move) for move in moves_to[order[0]]]
    if left and any(steps_from(columns, left, outlook.bonus, game.rank)):  # the turn does not end by itself
        plan.append(DEAL)
    rest = [(move, UNKNOWN) for move in sum(known.moves(), []) if move not in worths]
    return Advice([*worths.items(), *rest], plan, False, True)


def has_win(ends: Ends) -> bool:
    """Return True if some end of the last turn leaves no cards."""
    return any(not any(columns) for columns, _ in ends)


@functools.lru_cache(maxsize=2)  # the current turn and the next one, which a review also looks at
def outlook_of(difficulty: str, rank: int, turn: int) -> Outlook:
    """Return the Outlook for the hints of one turn, which come across the same ends again and again."""
    return Outlook(difficulty, rank)


@functools.lru_cache(maxsize=8)
def orders_of(turn: int, shoe: Row, rows: int) -> list[Any]:
    """Return orders in which the cards of the shoe may come after a turn: all orders of the last four, or else a sample
    that depends only on what the player sees."""
    if len(shoe) == 4:
        return [*itertools.permutations(shoe)]
    chance = random.Random(repr((turn, shoe)))
    return [chance.sample(shoe, len(shoe)) for _ in range(rows)]


class Outlook:
    """The rows that may come, and what they are worth. An end is where a turn may end: (columns, moves left)."""

    def __init__(self, difficulty: str, rank: int, table: dict[str, dict[int, Features]] = TABLE) -> None:
        """rank: the Quadzilla's. table: difficulty -> turn -> the weights of its ends."""
        self.rank = rank
        self.moves, self.bonus, self.carries_over = quadzilla.DIFFICULTIES[difficulty]
        self.worths = {turn: Worth(weights, rank) for turn, weights in table[difficulty].items()}
        self.chances = {}  # the arguments of chance_behind -> its result

    def log_odds(self, end: End, turn: int, shoe: Row) -> float:
        """Return the logarithm of the odds of winning after the end of a turn. In the last turn it only ranks the
        ends."""
        return self.worths[min(turn, quadzilla.TURNS - 1)].log_odds(*end, shoe)

    def turn_ends(self, start: End, turn: int, shoe: Row, width: int) -> Ends:
        """Return the ends of a turn, end -> the moves that lead there. Only the best positions at each level of moves
        are kept. start: (columns, moves left). shoe: the cards that may come after the turn."""
        ends: Ends = {start: ()}
        level: Ends = {start: ()}
        while level:
            next_level = {}
            for (columns, left), moves in level.items():
                for move, after in steps_from(columns, left, self.bonus, self.rank) if left else ():
                    if after not in ends and after not in next_level:
                        next_level[after] = (*moves, move)
            kept = sorted(next_level, key=lambda end: -self.log_odds(end, turn, shoe))[:width]
            level = {end: next_level[end] for end in kept}
            ends.update(level)
        return ends

    def chance_behind(self, end: End, turn: int, shoe: Row, rows: int) -> float:
        """Return the chance of winning after the end of a turn: the mean over rows that may be dealt, the same rows
        for all ends and hints of the turn. If there are no rows, the chance is the worth of the end itself. shoe: a
        tuple."""
        if not rows:
            return self.worths[turn].chance(*end, shoe)
        key = end, turn, shoe, rows
        if key not in self.chances:
            orders = orders_of(turn, shoe, rows)
            chances = [self.chance_after(end, turn, cards[:4], cards[4:]) for cards in orders]
            self.chances[key] = math.fsum(chances) / len(chances)
        return self.chances[key]

    def chance_after(self, end: End, turn: int, row: Row, shoe: Row) -> float:
        """Return the chance of winning after the end of a turn if this row is dealt, and these cards are left."""
        start = self.dealt(end, row)
        if start is None:
            return 0
        ends = self.turn_ends(start, turn + 1, shoe, WIDTH_AFTER)
        if turn + 1 == quadzilla.TURNS:
            return float(has_win(ends))
        best = max(ends, key=lambda end: self.log_odds(end, turn + 1, shoe))
        return self.worths[turn + 1].chance(*best, shoe)

    def dealt(self, end: End, row: Row) -> End | None:
        """Return the beginning of the turn after an end, (columns, moves left), or None if the row loses."""
        columns, left = end
        return deal(columns, row, self.moves + (left if self.carries_over else 0), self.bonus, self.rank)
