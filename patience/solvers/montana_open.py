"""Montana, searched to the end: positions in which the order of the 2s at the edge is left open as long as it does not
matter.

While the first column has a blank, its 2s can be put into any order. So a place in that column that holds a 2 or a
blank is OPEN, and the position does not say which 2 is where. After the last blank is filled, the order is still free:
a place becomes fixed when a 3 needs the 2 of its suit there, and all places become open again when a card leaves the
column. In this space no sequence of steps returns to an earlier position, and every sequence ends after some 300 steps.
There are two to four times fewer positions than if the cards were kept exactly as they lie.

A position is (cells, key): bytes as in montana.py, and a 64-bit number that is the same on every machine. A step is
(card, from place, to place), with EDGE as the destination of a 2 that moves to the edge; montana_blocks.py searches
steps in blocks. as_moves turns steps into moves between places, with the 2s in a definite order: the one that the steps
need until the column has a blank again.
"""

from __future__ import annotations

import random

State = tuple[bytes, int]  # the cells, and their key
Single = tuple[int, int, int]  # a move: the card, its place, and the one it goes to

ROW = 14  # bytes: the edge and 13 places
EDGES = range(0, 4 * ROW, ROW)
TWO, KING = 2, 13
TWOS = range(4 * TWO, 4 * TWO + 4)
THREES = range(TWOS.stop, TWOS.stop + 4)
LAST = 4 * KING  # the codes from here on have no follower: a King, a blank, an edge
BLANK, EDGE, OPEN = 60, 61, 62
CODES = 64
FIRSTS = [edge + 1 for edge in EDGES]
SECONDS = [edge + 2 for edge in EDGES]
ROWS = {three: bytes([*range(three, LAST + 4, 4), BLANK]) for three in THREES}  # a finished row after its 2
NUMBERS = random.Random(1)
KEYS = [[NUMBERS.getrandbits(64) for _ in range(CODES)] for _ in range(4 * ROW + 1)]  # a number for each place and card


def blanks_of(cells: bytes | bytearray) -> bytes:
    """Return the places of the blanks."""
    return bytes([place for place, card in enumerate(cells) if card == BLANK])


def open_up(cells: bytes) -> State:
    """Return the position for the given cells."""
    opened = bytearray(cells)
    has_blank = any(cells[place] == BLANK for place in FIRSTS)
    for place in FIRSTS:
        if has_blank and (cells[place] == BLANK or cells[place] in TWOS):
            opened[place] = OPEN
    key = 0
    for place, card in enumerate(opened):
        key ^= KEYS[place][card]
    return bytes(opened), key


def take_up(cells: bytes, key: int, two: int) -> tuple[Single, State]:
    """Return the step that moves a 2 to the first column, which must have a blank, and the position after it."""
    source, after = cells.find(two), bytearray(cells)
    after[source] = BLANK
    return (two, source, EDGE), (bytes(after), key ^ KEYS[source][two] ^ KEYS[source][BLANK])


def followers(cells: bytes | bytearray, left: int) -> list[int]:
    """Return the cards that can go to the right of a card or of an open place (for an open place, each 3 whose 2 may be
    there)."""
    if left < LAST:
        return [left + 4]
    return [two + 4 for two in TWOS if two not in cells] if left == OPEN else []


def follow(cells: bytes, key: int, dest: int) -> list[tuple[Single, State]]:
    """Return the steps that fill a blank to the right of the first column, and the positions after them. The card that
    moves is the one that follows the card to the left of the blank, or any 3 whose 2 may be there."""
    left = cells[dest - 1]
    if left < LAST:
        return [move(cells, key, left + 4, dest)]
    steps, is_full = [], cells.count(BLANK) == 4  # no blank is left in the first column
    for card in followers(cells, left):
        step, (after, after_key) = move(cells, key, card, dest)
        if is_full and after[dest - 1] == OPEN and step[1] not in FIRSTS:
            after, after_key = put(after, after_key, dest - 1, card - 4)
        steps.append((step, (after, after_key)))
    return steps


def move(cells: bytes, key: int, card: int, dest: int) -> tuple[Single, State]:
    """Return a step, and the position after it. If a card leaves the first column, all 2s in that column can be in any
    order again."""
    source = cells.find(card)
    after = bytearray(cells)
    if source not in FIRSTS:
        key = make_move(after, key, card, source, dest)
        return (card, source, dest), (bytes(after), key)
    after[dest], after[source] = card, OPEN
    key ^= KEYS[dest][BLANK] ^ KEYS[dest][card] ^ KEYS[source][card] ^ KEYS[source][OPEN]
    for place in FIRSTS:
        if after[place] in TWOS:
            key ^= KEYS[place][after[place]] ^ KEYS[place][OPEN]
            after[place] = OPEN
    return (card, source, dest), (bytes(after), key)


def make_move(cells: bytearray, key: int, card: int, source: int, dest: int) -> int:
    """Move a card from any column but the first to a blank, in a bytearray; return the new key."""
    cells[dest], cells[source] = card, BLANK
    return key ^ KEYS[dest][BLANK] ^ KEYS[dest][card] ^ KEYS[source][card] ^ KEYS[source][BLANK]


def put(cells: bytes, key: int, place: int, card: int) -> State:
    """Return the position after a card is put in a place that was open."""
    after = bytearray(cells)
    after[place] = card
    return bytes(after), key ^ KEYS[place][OPEN] ^ KEYS[place][card]


def is_won(position: State) -> bool:
    """Return True if every row is finished, either after its 2 or after an open place where its 2 is or may be."""
    cells, _ = position
    for place in SECONDS:
        card = cells[place]
        if card not in THREES or cells[place : place + KING - 1] != ROWS[card]:
            return False
        if cells[place - 1] not in (OPEN, card - 4):
            return False
    return True


def as_moves(start: bytes, steps: list[Single]) -> list[tuple[int, int]]:
    """Return the moves that these steps stand for, each (from place, to place), starting from the given cells."""
    cells, moves = bytearray(start), []

    def go(source: int, dest: int) -> None:
        moves.append((source, dest))
        cells[dest], cells[source] = cells[source], BLANK

    def bring(two: int, place: int) -> None:
        """Move a 2 in the first column to another place there, even one that holds a 2; the column has a blank."""
        if cells[place] != two:
            if cells[place] != BLANK:
                go(place, blank_at_the_edge(cells))
            go(cells.index(two), place)

    for number, (card, source, dest) in enumerate(steps):
        if dest == EDGE:
            place = blank_at_the_edge(cells)
            if sum(cells[first] == BLANK for first in FIRSTS) == 1:
                wanted = order_wanted(cells, steps[number + 1 :])
                for two, first in wanted.items():
                    if two != card:
                        bring(two, first)
                place = wanted.get(card, blank_at_the_edge(cells))
                if cells[place] != BLANK:
                    go(place, blank_at_the_edge(cells))
            go(source, place)
        else:
            if dest in SECONDS and card in THREES:
                bring(card - 4, dest - 1)
            go(source, dest)
    return moves


def blank_at_the_edge(cells: bytes | bytearray) -> int:
    """Return a blank place of the first column."""
    return next(place for place in FIRSTS if cells[place] == BLANK)


def order_wanted(cells: bytes | bytearray, steps: list[Single]) -> dict[int, int]:
    """For each 2, return the place in the first column that the steps need for it until a card leaves that column or
    the steps end."""
    wanted, threes = {}, {card: cells.index(card) for card in THREES}
    for card, source, dest in steps:
        if card in THREES:
            threes[card] = dest
            if dest in SECONDS:
                wanted[card - 4] = dest - 1
        if source in FIRSTS:
            return wanted
    return {card - 4: place - 1 for card, place in threes.items()}
