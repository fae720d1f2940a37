"""What a position in Montana is worth to the beam: the weights from montana_table.txt in the form in which they are
looked up. For the terms, see solvers/montana.py."""

from __future__ import annotations

import ast
import pkgutil
from operator import getitem
from types import SimpleNamespace
from typing import NamedTuple

from patience.solvers.montana_open import BLANK, CODES, EDGE, KING, LAST, ROW, TWO, TWOS

CARDS = range(4 * TWO, 4 * KING + 4)
ENDS = {EDGE: "edge", BLANK: "blank"}  # the names of the things that a chain can end after; anything else is "king"
BEFORE_TWOS = slice(4, 8)  # codes that 2s would follow, if there were Aces

State = tuple[bytes, int, bytearray, bytes, list[int]]  # cells, score, onward, blanks, fronts: see solvers.montana


class Worth(NamedTuple):
    """The weights, keyed the way they are looked up."""

    place: list  # [first card of the row][card][place]
    begun: dict  # how much more the cards of a row are worth once a 2 has begun it, [the 2][place after it][card]
    pair: list  # [left card][right card]
    finished: list  # [front]
    two: list  # the worth of a chain that a 2 opens, [what is to the left of the chain's end][length]
    blank: list  # the same for a blank


def score_begun_row(cells: bytes, first: int, worth: Worth) -> int:
    """Return how much more the cards of a row are worth because there is a 2 in its first place."""
    return sum(map(getitem, worth.begun[cells[first]], cells[first + 1 : first + KING]))


def chains_score(state: State, worth: Worth) -> int:
    """Return the worth of the chains that blanks and 2s open."""
    cells, _, onward, blanks, _ = state
    last = LAST
    total = 0
    ends = worth.two
    for left in onward[BEFORE_TWOS]:
        length = 0
        while left < last:
            left = onward[left]
            length += 1
        total += ends[left][length]
    ends = worth.blank
    for blank in blanks:
        left = cells[blank - 1]
        length = 0
        while left < last:
            left = onward[left]
            length += 1
        total += ends[left][length]
    return total


def worth_of(table: SimpleNamespace) -> Worth:
    """Return the weights in a table, an object that has them by name, as a Worth."""
    free = [[0] * (4 * ROW) for _ in range(CODES)]
    place = [free] * CODES
    pair = [[0] * CODES for _ in range(CODES)]
    for card in CARDS:
        free[card] = 4 * ([0] + table.PLACE[card // 4])
        for right in range(TWOS[0] + card % 4, CARDS.stop, 4):
            pair[card][right] = table.STEP.get((right - card) // 4, 0)
    begun = {}
    for two in TWOS:
        place[two], more = free[:], [[0] * ROW for _ in range(CODES)]
        for card in CARDS:
            more[card] = [0] + (table.OWN_ROW if card % 4 == two % 4 else table.OTHER_ROW)[card // 4]
            place[two][card] = [sum(both) for both in zip(free[card], 4 * more[card])]
        begun[two] = list(zip(*more))[2:]
    of_two, of_blank = (
        [extend_weights(chain[ENDS.get(left, "king")]) for left in range(CODES)]
        for chain in (table.TWO_CHAIN, table.BLANK_CHAIN)
    )
    return Worth(place, begun, pair, 4 * ([0] + table.FINISHED), of_two, of_blank)


def extend_weights(weights: list[int]) -> list[int]:
    """Return weights by length, with the last one repeated for every longer chain."""
    return weights + [weights[-1]] * 52


TABLE = SimpleNamespace(**ast.literal_eval((pkgutil.get_data("patience.solvers", "montana_table.txt") or b"").decode()))
WORTH = worth_of(TABLE)
