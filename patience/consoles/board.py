"""The board as text, and what stands where in it: cards, empty places, the stock.

A game prints its board; it does not say where a card stands. So the board is printed once more with a marker for each
card, letters that occur nowhere else.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable
from typing import TYPE_CHECKING

import cards
from patience.text import capture_display
from patience.effects import is_one_of
from solvers.positions import copy_of, lies_face_down, lists_in, parts

if TYPE_CHECKING:
    from patience import Position
    from patience.rules import Rules

FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"  # private-use letters, one for each card to be located
MARKS = re.compile(f"([{FIRST_MARK}-{LAST_MARK}])\\1*")
CARD_TOKEN = re.compile(rf"[{FIRST_MARK}-{LAST_MARK}]+|--")
TOKEN = re.compile(rf"{CARD_TOKEN.pattern}|[\[\]]|[^\s\[\]]+(?: (?!{CARD_TOKEN.pattern})[^\s\[\]]+)*")  # or words
TILE, TILE_BEFORE = 5, 3  # columns of a card on a board that is spread, and on one that is not
EMPTY, SHOWN = "--", 2  # the text of an empty place, and the rank of its marker card

# Where something stands in the text: its row and its first column, from 0, and the column behind its last.
Place = tuple[int, int, int]
# What stands on the board: the name of its pile, the index of the card there, whether it is a card, and its Place. An
# empty pile has the index 0; a closed one, such as the stock, is no card and has the index -1.
Spot = namedtuple("Spot", "pile index is_card place")


class Marked(cards.Card):
    """A card shown as letters that occur nowhere else, so that its place can be found."""

    text: str

    def __str__(self) -> str:
        return self.text


def mark_of(number: int, shown: str) -> str:
    """Return the text of the marker with this number, from 0, for a card that is shown so."""
    return re.sub(r"\S", chr(ord(FIRST_MARK) + number), shown)


def spread(display: Callable[[Position], None], factor: float) -> Callable[[Position], None]:
    """Return a display of the same board, its words and cards this much further apart: a card has TILE columns. A line
    of words alone that would be the widest stays as it is."""

    def display_spread(position: Position) -> None:
        lines = capture_display(display, position).split("\n")
        wide = [spread_line(line, factor) for line in lines]
        most = max((len(line) for line in wide if CARD_TOKEN.search(line)), default=0)
        print("\n".join(there if len(there) <= most else line for line, there in zip(lines, wide)), end="")

    return display_spread


def spread_line(line: str, factor: float) -> str:
    """Return a line of a board with its words and cards further apart. Cards and numbers keep their right edge, words
    their left one; brackets stay beside their card."""
    spread_out, bracket = "", ""
    for token in TOKEN.finditer(line):
        if token[0] == "[":
            bracket = "["
        elif token[0] == "]":
            spread_out += " ]"
        elif CARD_TOKEN.fullmatch(token[0]) or token[0].isdecimal():  # a number stands above its column
            start = max(round((token.end() - TILE_BEFORE) * factor), len(spread_out) + 1)
            spread_out = spread_out.ljust(start - len(bracket)) + bracket + f"{token[0]:>{TILE - 1}}"
            bracket = ""
        else:
            start = max(round(token.start() * factor), len(spread_out) + 2 * bool(spread_out))
            spread_out = spread_out.ljust(start) + token[0]
    return spread_out


def lay_out(rules: Rules, display: Callable[[Position], None], position: Position) -> tuple[str, dict[int, Place]]:
    """Return the text of a board, in which a card that stands for an empty place is shown as --, and the Place of each
    card in it by its id. A card that is not shown is missing from it."""
    copied, marked, blanks = copy_of(position), [], rules.blanks(position)
    for pile, copied_pile in zip(lists_in(parts(position)), lists_in(parts(copied))):
        for index, card in enumerate(pile):
            if isinstance(card, cards.Card):
                is_blank = is_one_of(card, blanks)
                twin = Marked(SHOWN if is_blank else card.rank(), card.suit())
                shown = EMPTY if is_blank else str(card)
                twin.text = mark_of(len(marked), shown)
                if lies_face_down(card):
                    twin.flip_card()
                copied_pile[index] = twin
                marked.append((card, shown.strip()))
    text = capture_display(display, copied)
    places = {id(marked[ord(match[1]) - ord(FIRST_MARK)][0]): place_of(text, match) for match in MARKS.finditer(text)}
    return MARKS.sub(lambda match: marked[ord(match[1]) - ord(FIRST_MARK)][1][: len(match[0])], text), places


def find_spots(
    rules: Rules, display: Callable[[Position], None], position: Position, text: str, places: dict[int, Place]
) -> list[Spot]:
    """Return the Spots of a board. text, places: from lay_out."""
    piles, blanks = rules.piles(position), {id(card) for card in rules.blanks(position)}
    found = [
        Spot(name, index, id(card) not in blanks, places[id(card)])
        for name, pile, _ in piles
        for index, card in enumerate(pile)
        if id(card) in places
    ]
    for name, _, count in piles:
        label = re.search(rf"\b{name}: *\d+", text, re.IGNORECASE) if count == 0 else None
        if label:
            found.append(Spot(name, -1, False, place_of(text, label)))
    return found + empty_spots(rules, display, position)


def empty_spots(rules: Rules, display: Callable[[Position], None], position: Position) -> list[Spot]:
    """Return the Spots of the empty piles, found by laying a marker card into each, in a copy."""
    copied, names = copy_of(position), []
    for name, pile, count in rules.piles(copied):
        if not pile and count != 0:
            twin = Marked(SHOWN, 1)
            twin.text = mark_of(len(names), EMPTY)
            names.append(name)
            pile.append(twin)
    text = capture_display(display, copied) if names else ""
    return [
        Spot(names[ord(match[1]) - ord(FIRST_MARK)], 0, False, place_of(text, match)) for match in MARKS.finditer(text)
    ]


def place_of(text: str, match: re.Match[str]) -> Place:
    """Return the Place of what was found in a text."""
    start, end = match.span()
    line_start = text.rfind("\n", 0, start) + 1
    return text.count("\n", 0, start), start - line_start, end - line_start
