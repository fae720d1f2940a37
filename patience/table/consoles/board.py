"""A board: the text of one position, laid out once for a window, and what stands where in it.

A game prints its board, but does not say where a card stands. So the game is made to print, for each card, a marker
made of letters that occur nowhere else. The larger board is the same text, with its words and cards further apart.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import NamedTuple, Optional

import cards
from patience.table.consoles.wrapping import columns_of
from patience.effects import Moved
from patience.layout import Layout
from patience.text import capture_display
from patience.positions import copy_of, lies_face_down, lists_in, parts

FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"  # private-use letters, one for each card to be located
MARKS = re.compile(f"([{FIRST_MARK}-{LAST_MARK}])\\1*")
CARD_TOKEN = re.compile(rf"[{FIRST_MARK}-{LAST_MARK}]+|--")
TOKEN = re.compile(rf"{CARD_TOKEN.pattern}|[\[\]]|[^\s\[\]]+(?: (?!{CARD_TOKEN.pattern})[^\s\[\]]+)*")  # or words
ROW_LABEL = re.compile(r"[\s\d:]*")  # a board line with no cards left on it
TILE, TILE_BEFORE = 5, 3  # columns of a card on a spread board, and on one that is not spread
EMPTY, SHOWN = "--", 2  # the text of an empty place, and the rank of its marker card

OPEN, BACK, EMPTY_PLACE, FINISHED, COUNT = "open", "back", "empty", "finished", "count"  # kinds of tiles

# Where something stands in the text: its row and its first column, from 0, and the column after its last.
Cell = tuple[int, int, int]


class Spot(NamedTuple):
    """Something that stands on the board."""

    pile: str  # its name
    index: int  # type: ignore[assignment]  # of the card; 0 for an empty pile, -1 for one that lies face down
    is_card: bool
    cell: Cell


class Window(NamedTuple):
    """The room for a board."""

    width: Optional[int] = None  # columns, or None for any number
    height: Optional[int] = None  # lines, or None for any number
    is_tiled: bool = False  # cards are tiles, which may stand further apart


class Marked(cards.Card):
    """A card shown as letters that occur nowhere else, so that its place can be found."""

    text: str  # these letters
    shown: str  # what the board shows
    of: object  # the card, or the name of an empty pile

    def __str__(self) -> str:
        return self.text


class Board:
    """One position in one window."""

    def __init__(self, layout: Layout, window: Window = Window()) -> None:
        self.layout, self.window, rules = layout, window, layout.rules
        self.together: dict[int, int] = {}  # the id of a card -> how many it stands for, if cards are drawn together
        self.gaps: list[int] = []  # the lines after which an empty line is inserted, if a card has two rows
        self.display, self.factor = rules.display, 1.0  # how much further apart its words and cards stand
        printed = self.print_marked()
        if window.width and columns_of("\n".join(printed[0])) > window.width:
            self.display = rules.display_narrow
            printed = self.print_marked()
        elif window.width and window.is_tiled:
            self.factor = next(filter(self.has_room(printed[0]), rules.SPREADS), 1.0)
        if self.is_spread and window.height:
            self.gaps = self.find_gaps(*self.with_empty_piles, window.height)
        lines, marked = self.arrange(*printed)
        text = "".join(f"{line}\n" for line in lines)
        of_marks = [(match, marked[number_of(match)]) for match in MARKS.finditer(text)]
        self.cells = {id(card.of): cell_of(text, match) for match, card in of_marks}  # of cards, by their id
        self.text = MARKS.sub(lambda match: marked[number_of(match)].shown[: len(match[0])], text)

    @functools.cached_property
    def with_empty_piles(self) -> tuple[list[str], list[Marked]]:
        """The result of print_marked with a card in each empty pile."""
        return self.print_marked(with_empty_piles=True)

    @property
    def height(self) -> int:
        """The number of lines."""
        return self.text.count("\n")

    @property
    def columns(self) -> int:
        """The number of columns."""
        return columns_of(self.text)

    @property
    def is_tall(self) -> bool:
        """True if a card has two rows, unless another card covers it."""
        return bool(self.gaps)

    @property
    def is_spread(self) -> bool:
        """True if the cards stand further apart than the game prints them."""
        return self.factor != 1

    @property
    def tile(self) -> int:
        """The number of columns that a card takes on a spread board. At least one more column separates two cards."""
        return min(TILE, round((TILE_BEFORE + 1) * self.factor) - 1)

    @property
    def fits(self) -> bool:
        """True if the window has room for the board."""
        width, height, _ = self.window
        return not (width and self.columns > width or height and self.height > height)

    @property
    def shows_all(self) -> bool:
        """True unless face-up cards are missing because cards were drawn together."""
        return not any(
            id(card) in self.together and not all(map(lies_face_down, pile[index : index + self.together[id(card)]]))
            for _, pile, _ in self.layout.piles
            for index, card in enumerate(pile)
        )

    @functools.cached_property
    def spots(self) -> list[Spot]:
        """What stands on the board: cards, empty places, empty piles, and face-down piles."""
        found = [
            Spot(name, index, id(card) not in self.layout.blanks, self.cells[id(card)])
            for name, pile, _ in self.layout.piles
            for index, card in enumerate(pile)
            if id(card) in self.cells
        ]
        for name, _, count in self.layout.piles:
            label = re.search(rf"\b{name}: *\d+", self.text, re.IGNORECASE) if count == 0 else None
            if label:
                found.append(Spot(name, -1, False, cell_of(self.text, label)))
        if all(pile for _, pile, count in self.layout.piles if count != 0):
            return found
        lines, marked = self.arrange(*self.with_empty_piles)
        text = "\n".join(lines)
        of_marks = [(match, marked[number_of(match)].of) for match in MARKS.finditer(text)]
        return found + [Spot(of, 0, False, cell_of(text, match)) for match, of in of_marks if isinstance(of, str)]

    def spot_of(self, pile: str, index: int) -> Spot | None:
        """Return the Spot at this place."""
        return next((spot for spot in self.spots if (spot.pile, spot.index) == (pile, index)), None)

    def dest_of(self, moved: Moved) -> Spot | None:
        """Return the Spot that a card goes to: its place, the card below that, or a face-down pile."""
        places = moved.dest_index, moved.dest_index - 1, -1
        return next(filter(None, (self.spot_of(moved.dest, index) for index in places)), None)

    @property
    def tiles(self) -> list[tuple[Cell, str]]:
        """The Cells of cards and empty places, each with its kind of tile. A face-down pile is shown as a tile with the
        number of its cards."""
        finished = {id(card) for card in self.layout.rules.finished(self.layout.position)}
        tiles = []
        for name, index, is_card, cell in self.spots:
            if index == -1:
                row, _, end = cell
                count = self.text_at(cell).split(":")[-1].strip()
                tiles += [((row, end - len(count) - 1, end + 1), COUNT)] if int(count) else []
            elif is_card:
                card = self.layout.cards[name][index]
                is_back = lies_face_down(card) or id(card) in self.together
                tiles.append((cell, BACK if is_back else FINISHED if id(card) in finished else OPEN))
            else:
                tiles.append((cell, EMPTY_PLACE))
        return tiles

    def text_at(self, cell: Cell) -> str:
        """Return what stands at a Cell."""
        row, start, end = cell
        return self.text.split("\n")[row][start:end]

    # How it is laid out

    def has_room(self, lines: list[str]) -> Callable[[float], bool]:
        """Return a function that tests whether these lines fit the window when spread by a given factor."""
        return lambda factor: columns_of("\n".join(spread(lines, factor))) < (self.window.width or 0)

    def print_marked(self, with_empty_piles: bool = False) -> tuple[list[str], list[Marked]]:
        """Return the lines that the game prints, with marks for cards, and the marked cards, indexed by the numbers of
        their marks. with_empty_piles: put a card into each empty pile."""
        copied, marked = copy_of(self.layout.position), []

        def mark(of: object, rank: int, suit: int, shown: str) -> Marked:
            twin = Marked(rank, suit)
            twin.of, twin.shown = of, shown.strip()
            twin.text = re.sub(r"\S", chr(ord(FIRST_MARK) + len(marked)), shown)
            marked.append(twin)
            return twin

        for pile, copied_pile in zip(lists_in(parts(self.layout.position)), lists_in(parts(copied))):
            for index, card in enumerate(pile):
                if isinstance(card, cards.Card):
                    is_blank = id(card) in self.layout.blanks
                    rank, shown = (SHOWN, EMPTY) if is_blank else (card.rank(), str(card))
                    copied_pile[index] = mark(card, rank, card.suit(), shown)
                    if lies_face_down(card):
                        copied_pile[index].flip_card()
        for name, pile, count in self.layout.rules.piles(copied) if with_empty_piles else ():
            if not pile and count != 0:
                pile.append(mark(name, SHOWN, 1, EMPTY))
        return capture_display(self.display, copied).splitlines(), marked

    def arrange(self, lines: list[str], marked: list[Marked]) -> tuple[list[str], list[Marked]]:
        """Return the lines fitted to the window: empty lines are removed first, then the first cards of tall piles are
        drawn together. If there is more room, a card has two rows, and the board stands in the middle."""
        width, height, _ = self.window
        lines = spread(lines, self.factor) if self.is_spread else lines
        if height and len(lines) > height:
            lines = [line for line in lines if line.strip()]
        if height and len(lines) > height:
            lines = self.draw_together(lines, marked, height)
        for row in reversed(self.gaps):
            lines.insert(row + 1, "")
        if self.is_spread and width:
            lines = [" " * ((width - columns_of("\n".join(lines))) // 2) + line for line in lines]
        return lines, marked

    def find_gaps(self, lines: list[str], marked: list[Marked], height: int) -> list[int]:
        """Return the lines after which to insert an empty line, so that each card gets two rows. Such a line contains
        cards, and the line below it is not empty but has no card that lies on one of them. Return [] if there is no
        room for all of them."""
        marks = {id(card.of): card.text.strip()[:1] for card in marked}
        covered = {
            (marks.get(id(card)), marks.get(id(onto)))
            for _, pile, _ in self.layout.piles
            for card, onto in zip(pile, pile[1:])
        }
        lines, gaps = [*spread(lines, self.factor), "the status line"], []
        for row, (line, below) in enumerate(zip(lines, lines[1:])):
            ends = {match.end(): match[0][0] for match in CARD_TOKEN.finditer(line)}
            under = [(ends.get(match.end()), match[0][0]) for match in CARD_TOKEN.finditer(below)]
            if ends and below.strip() and not covered.intersection(under):
                gaps.append(row)
        return gaps if len(lines) - 1 + len(gaps) <= height else []

    def draw_together(self, lines: list[str], marked: list[Marked], height: int) -> list[str]:
        """Return the lines with just enough of the first cards of tall piles replaced by their number. If that is not
        enough, return them unchanged."""
        if not all(ROW_LABEL.fullmatch(MARKS.sub("", line)) for line in lines[height:]):
            return lines
        places = {}  # the id of a card -> its mark and the mark's cell
        for row, line in enumerate(lines):
            for match in MARKS.finditer(line):
                places[id(marked[number_of(match)].of)] = match[0], (row, *match.span())
        grid, together = [list(line) for line in lines], {}
        for _, pile, _ in self.layout.piles:
            fan = fan_of([places.get(id(card)) for card in pile])
            too_many = fan[-1][1][0] - height + 1 if fan else 0
            if too_many <= 0:
                continue
            if len(fan) < too_many + 2:
                return lines
            first = number_of(fan[0][0])
            together[id(marked[first].of)], marked[first].shown = too_many + 1, f"{too_many + 1}x"
            for number, (mark, (row, start, end)) in enumerate(fan):
                grid[row][start:end] = " " * (end - start)
                if number == 0 or number > too_many:
                    mark = mark[0] * len(f"{too_many + 1}x") if number == 0 else mark
                    up = grid[row - too_many if number else row]
                    up.extend(" " * (end - len(up)))
                    up[end - len(mark) : end] = mark
        self.together = together
        return ["".join(line).rstrip() for line in grid[:height]]


def spread(lines: list[str], factor: float) -> list[str]:
    """Return the lines of a board with its words and cards further apart: a card has TILE columns. A line without cards
    stays as it is if it would be the widest."""
    wide = [spread_line(line, factor) for line in lines]
    most = max((len(line) for line in wide if CARD_TOKEN.search(line)), default=0)
    return [there if len(there) <= most else line for line, there in zip(lines, wide)]


def spread_line(line: str, factor: float) -> str:
    """Return a line of a board with its words and cards further apart. Cards and numbers keep their right edge, and
    words keep their left edge; brackets stay beside their card."""
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


def fan_of(cells: list[tuple[str, Cell] | None]) -> list[tuple[str, Cell]]:
    """Return the cards at the end of a pile that stand one below the other. cells: the marks and places of its
    cards."""
    fan: list[tuple[str, Cell]] = []
    for cell in reversed(cells):
        if not cell or fan and (cell[1][0] + 1, cell[1][2]) != (fan[0][1][0], fan[0][1][2]):
            break
        fan.insert(0, cell)
    return fan


def number_of(mark: re.Match[str] | str) -> int:
    """Return the number of a mark, from 0."""
    return ord(mark[0][0]) - ord(FIRST_MARK)


def cell_of(text: str, match: re.Match[str]) -> Cell:
    """Return the Cell of a match in a text."""
    start, end = match.span()
    line_start = text.rfind("\n", 0, start) + 1
    return text.count("\n", 0, start), start - line_start, end - line_start
