"""The picture of a board: one position, drawn from its piles for a window, and what stands where in it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import cards
from patience.arrangement import BESIDE, DOWN, RIGHT, TOP, Line
from patience.effects import Moved
from patience.layout import FOUNDATION, Layout, kind_of, number_of, pair_of
from patience.table.consoles.wrapping import columns_of
from patience.text import capture_display, card_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cards import Card
    from patience import Pair, Pile

WIDE = 8  # columns of an arrangement that a game does not give
TEXT, UNIT = 3, 4  # columns that the name of a card needs, and the fewest that a column of an arrangement may have
SIDE = 3  # columns for the number of a row
MOST_GAP = 3  # columns between two piles
SHARE = 5  # a card has at most this part of the rows of a window; so cards keep their size while piles come and go

UP, BACK, PLACE, FINISHED = "up", "back", "place", "finished"  # what a tile shows


class Rows(NamedTuple):
    """What a picture does with the rows of a window."""

    card: int  # rows of a card
    fan: int  # rows of a card that is covered by the next of its column
    gap: int  # between two piles
    free: int  # below it, for what is said
    folds: bool  # the face-down cards of a column are one row, with their number


# What a low window loses: first the height of cards, then the gaps, then the face-down cards of a column.
ROWS = (
    *(Rows(card, fan, gap=1, free=4, folds=False) for card, fan in ((7, 3), (6, 2), (5, 2), (5, 1), (4, 1))),
    Rows(3, 1, gap=1, free=3, folds=False),
    Rows(2, 1, gap=1, free=2, folds=False),
    Rows(1, 1, gap=1, free=1, folds=False),
    Rows(1, 1, gap=0, free=1, folds=False),
    Rows(1, 1, gap=0, free=1, folds=True),
)


PACK_LINE = Line("", (0, 0), BESIDE)  # of the cards of a game that is won


class Window(NamedTuple):
    """The room for a board and for what is said below it."""

    width: int = 80  # columns
    height: int = 40  # lines
    said: int = 1  # lines below the board; fewer stay free if the board does not fit otherwise


class Cell(NamedTuple):
    """The part of a board where something can be seen, from 0."""

    row: int
    column: int
    height: int
    width: int


class Spot(NamedTuple):
    """Something that stands on the board."""

    pile: str  # its name
    index: int  # type: ignore[assignment]  # of the card; 0 for an empty pile, -1 for one that lies face down
    is_card: bool
    cell: Cell


class Tile(NamedTuple):
    """A card, or a place for cards."""

    cell: Cell
    shows: str
    text: str = ""  # the name of the card, the number of cards that lie here, or what the place takes
    suit: int = 0  # of the card
    is_odd: bool = False  # the tiles beside it have another shade
    is_whole: bool = True  # no card covers a part of it
    card: object = None


class Board:
    """A board as its game prints it: nothing in it can be pointed at. A Picture is one with tiles and Spots."""

    def __init__(self, layout: Layout, window: Window = Window()) -> None:
        self.layout, self.window = layout, window
        self.spots: list[Spot] = []  # what can be pointed at
        self.tiles: list[Tile] = []
        self.lay_out()

    def lay_out(self) -> None:
        """Fit the board to its window."""
        rules, position = self.layout.rules, self.layout.position
        self.text = capture_display(rules.display, position)
        if columns_of(self.text) > self.window.width:
            self.text = capture_display(rules.display_narrow, position)
        self.height = self.text.count("\n")

    @property
    def columns(self) -> int:
        """The number of columns."""
        return columns_of(self.text)

    @property
    def fits(self) -> bool:
        """True if the window has room for the board."""
        return self.columns <= self.window.width and self.height < self.window.height

    def cell_of(self, card: object) -> Cell | None:
        """Return the Cell of a card, or None if it cannot be seen."""
        return next((tile.cell for tile in self.tiles if tile.card is card), None)

    def spot_of(self, pile: str, index: int) -> Spot | None:
        """Return the Spot at this place."""
        return next((spot for spot in self.spots if (spot.pile, spot.index) == (pile, index)), None)

    def dest_of(self, moved: Moved) -> Spot | None:
        """Return the Spot that a card goes to: its place, the card below that, or a face-down pile."""
        places = moved.dest_index, moved.dest_index - 1, -1
        return next(filter(None, (self.spot_of(moved.dest, index) for index in places)), None)


class Stand(NamedTuple):
    """Where a pile stands."""

    name: str
    pile: list[Card]
    seen: int | None  # how many of its last cards can be seen, or None, as in Rules.piles
    line: Line
    row: float  # of the arrangement
    column: float
    is_first: bool  # of its Line


class Grid(NamedTuple):
    """The columns of an arrangement in a window."""

    left: int  # the first column
    unit: int  # columns from one to the next
    card: int  # columns of a card
    columns: int  # of the whole board


class Picture(Board):
    """A board drawn from its piles, with the largest cards that the window has room for."""

    def lay_out(self) -> None:
        rules = self.layout.rules
        is_won = rules.check_win(self.layout.position)
        self.stands = stands_in(PACK_LINE, pack_in_order(rules.PACK)) if is_won else stands_of(self.layout)
        fitting = [rows for rows in ROWS if rows.card <= max(1, self.window.height // SHARE)]
        self.grid = grid_in(self.window, self.stands, fitting[0].card)
        is_long = self.window.said > ROWS[0].free  # then it takes no gaps away: it has a page of its own
        beside_it = [(self.window.said, rows) for rows in fitting if rows.gap or not is_long]
        for said, self.rows in [*beside_it, *((1, rows) for rows in fitting)]:
            self.draw()
            spare = self.window.height - self.height - max(said, self.rows.free)
            if self.columns <= self.window.width and spare >= 0:
                self.draw(top=max(0, self.window.height - self.height - max(said, ROWS[0].free)) // 2)
                return
        self.grid = grid_in(Window(width=0), self.stands, self.rows.card)  # it does not fit: this is what it needs

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.grid.columns

    def draw(self, top: int = 0) -> None:
        """Place the piles of each row of the arrangement below those of the row before. top: the first row."""
        self.spots, self.tiles, self.labels = [], [], []  # labels: a row, a column and a text
        self.height = top
        for _, some in itertools.groupby(sorted(self.stands, key=lambda stand: stand.row), lambda stand: stand.row):
            stands = [*some]
            labels = [label for stand in stands for label in self.labels_above(stand)]
            row = self.height + (1 if labels else self.rows.gap if self.tiles else 0)
            self.labels += [(row - 1, min(at, self.window.width - len(text)), text) for at, text in labels]
            self.height = max(self.draw_pile(stand, row) for stand in stands)

    def column_of(self, stand: Stand) -> int:
        """Return the column where a pile begins, after its number if that stands to its left."""
        return self.grid.left + round(stand.column * self.grid.unit) + SIDE * is_row(stand)

    def labels_above(self, stand: Stand) -> list[tuple[int, str]]:
        """Return what stands above a pile, and in which columns: what is typed for it or, if nothing is, what it is."""
        name, pile, line, first = stand.name, stand.pile, stand.line, self.column_of(stand)
        if not name:  # the cards of a game that is won
            return []
        if line.fan == BESIDE and stand.is_first:
            return [(first + index * self.grid.unit, f" {index + 1}") for index in range(len(pile))]
        if line.fan == DOWN:
            return [(first, f" {number_of(name)}")]
        if not self.rows.gap or is_row(stand) and not (line.heading and stand.is_first):
            return []
        if line.heading:
            return [(first, line.heading)]
        room = line.reach * self.grid.unit
        if number := number_of(name):
            label = f" {line.letter}{number}"
            with_count, counts = f"{label}x{len(pile)}", len(pile) > 1 and not name.startswith(FOUNDATION)
        else:
            label = name[: int(room)]
            with_count, counts = f"{name} {len(pile)}", bool(pile and stand.seen)
        return [(first, with_count if counts and len(with_count) < room else label)]

    def draw_pile(self, stand: Stand, top: int) -> int:
        """Place the tiles of a pile, from a row on; return the row below them."""
        first, pile, fan = self.column_of(stand), stand.pile, stand.line.fan
        if is_row(stand):
            self.labels.append((top, first - SIDE, f"{number_of(stand.name):>2}"))
        cell = Cell(top, first, self.rows.card, self.grid.card)
        if not pile or stand.seen == 0:
            shows, text = (BACK, str(len(pile))) if pile else (PLACE, stand.line.takes)
            self.tiles.append(Tile(cell, shows, text))
            self.spots.append(Spot(stand.name, -1 if stand.seen == 0 else 0, False, cell))
            return top + self.rows.card
        if fan == TOP:
            return self.draw_card(stand, len(pile) - 1, cell)
        if fan == BESIDE:
            for index in range(len(pile)):
                self.draw_card(stand, index, cell._replace(column=first + index * self.grid.unit))
            return top + self.rows.card
        return self.draw_down(stand, top, first) if fan == DOWN else self.draw_right(stand, top, first)

    def draw_down(self, stand: Stand, top: int, first: int) -> int:
        """Place the cards of a column, each below the last."""
        backs = len([*itertools.takewhile(self.is_back, stand.pile[:-1])]) if self.rows.folds else 0
        for index, card in enumerate(stand.pile):
            is_last = index == len(stand.pile) - 1
            height = self.rows.card if is_last else 1 if self.is_back(card) else self.rows.fan
            folded = str(backs) if index == 0 and backs > 1 else ""
            if index == 0 or index >= backs:
                top = self.draw_card(stand, index, Cell(top, first, height, self.grid.card), folded, is_last)
        return top

    def draw_right(self, stand: Stand, top: int, first: int) -> int:
        """Place the last cards of a pile, each to the right of the last; if there is no room for all, those in the
        middle are one tile, with their number."""
        shown = [*range(len(stand.pile))]
        if stand.seen:
            shown = shown[-stand.seen :]
        backs = [index for index in shown[:-1] if self.is_back(stand.pile[index])]
        covered = [index for index in shown[:-1] if index not in backs]
        room = int(stand.line.reach * self.grid.unit) - SIDE * is_row(stand) - (self.grid.unit - self.grid.card)
        room -= len(backs) + self.grid.card
        step = min(max(UNIT, self.grid.card * 2 // 3), self.grid.card, room // max(1, len(covered)))
        hidden: list[int] = []
        if step < TEXT:
            step, fitting = TEXT, max(2, room // TEXT)
            hidden = covered[1 : len(covered) - fitting + 2]
        column = first
        for index in shown:
            if index in hidden[1:]:
                continue
            is_last = index == shown[-1]
            width = self.grid.card if is_last else 1 if index in backs else step
            more = f"+{len(hidden)}" if index in hidden else ""
            self.draw_card(stand, index, Cell(top, column, self.rows.card, width), more, is_last)
            column += width
        return top + self.rows.card

    def draw_card(self, stand: Stand, index: int, cell: Cell, instead: str = "", is_whole: bool = True) -> int:
        """Place a tile for a card; return the row below it. instead: the number of cards that it stands for, if there
        are several."""
        card = stand.pile[index]
        is_odd = bool((len(stand.pile) - 1 - index) % 2)
        is_blank = id(card) in self.layout.blanks or not isinstance(card, cards.Card)
        if is_blank:
            tile = Tile(cell, PLACE)
        elif instead or self.is_back(card):
            tile = Tile(cell, BACK, instead, is_odd=is_odd, is_whole=is_whole)
        else:
            shows = FINISHED if id(card) in self.layout.finished else UP
            tile = Tile(cell, shows, card_text(pair_of(card)), card.suit(), is_odd, is_whole, card)
        self.tiles.append(tile)
        if stand.name and not instead.startswith("+"):
            self.spots.append(Spot(stand.name, index, not is_blank, cell))
        return cell.row + cell.height

    def is_back(self, card: Card) -> bool:
        """Return True if only the back of a card can be seen."""
        return isinstance(card, cards.Card) and not self.layout.is_seen(card)


def grid_in(window: Window, stands: list[Stand], rows: int) -> Grid:
    """Return the Grid for piles, whatever lies there. rows: the most that a card can have."""
    are_whole = any(stand.line.fan == BESIDE for stand in stands)  # cards that touch
    side, gap = (SIDE, 0) if are_whole else (0, MOST_GAP)
    widest = max(2 * rows - 1, min(rows + 3, 6))  # that looks like a card
    reach = max((stand.column + stand.line.reach for stand in stands), default=1)
    unit = max(UNIT, min(int((window.width - side) / reach), widest + gap))
    card, columns = min(unit - (not are_whole), widest), int(reach * unit) + side
    return Grid(max(0, (window.width - columns + unit - card) // 2), unit, card, columns)


def is_row(stand: Stand) -> bool:
    """Return True if a pile has its number to the left of it."""
    return stand.line.fan in (RIGHT, BESIDE) and bool(number_of(stand.name))


def stands_of(layout: Layout) -> list[Stand]:
    """Return where the piles stand: where the game says or, if it does not, below, a pile a row, and top cards side by
    side."""
    stands, left = [], [*layout.piles]
    for line in layout.rules.ARRANGEMENT:
        of_kind = [pile for pile in left if kind_of(pile[0]) == line.kind]
        in_line = of_kind[: line.most or len(of_kind)]
        left = [pile for pile in left if pile not in in_line]
        stands += stands_in(line, in_line)
    row, column = 1 + max((int(stand.row) for stand in stands), default=-1), 0
    for name, pile, seen in left:
        is_fanned = seen is None
        if column and (is_fanned or column == WIDE):
            row, column = row + 1, 0
        line = Line(kind_of(name), (row, column), RIGHT if is_fanned else TOP, WIDE if is_fanned else 1)
        stands += stands_in(line, [(name, pile, seen)])
        row, column = (row + 1, 0) if is_fanned else (row, column + 1)
    return stands


def stands_in(line: Line, piles: list[Pile]) -> list[Stand]:
    """Return where these piles of a Line stand."""
    down, right = line.toward or ((1, 0) if line.fan in (RIGHT, BESIDE) else (0, 1))
    longest = max((len(pile) for _, pile, _ in piles), default=1)
    line = line._replace(reach=max(1, longest)) if line.fan == BESIDE else line
    return [
        Stand(*pile, line, line.at[0] + number * down, line.at[1] + number * right, number == 0)
        for number, pile in enumerate(piles)
    ]


def pack_in_order(pack: Sequence[Pair]) -> list[Pile]:
    """Return the cards of a game as they lie once it is won: in order, a row for each suit."""
    ordered = sorted({*pack}, key=lambda pair: (pair[1], pair[0]))
    suits = itertools.groupby(ordered, key=lambda pair: pair[1])
    return [("", [cards.Card(*pair) for pair in suit], None) for _, suit in suits]
