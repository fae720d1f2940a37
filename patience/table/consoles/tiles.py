"""Cards as tiles: the colours of a board at a terminal.

With 256 colours, a tile has a light background, and its colours come from the fixed part of the palette, so no theme
changes them. With fewer, a theme does change them. A card of the green suit then has a green background, because green
on white cannot be read in all themes.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import re
import sys
from io import TextIOWrapper
from typing import Any, NamedTuple, Union

import click

from patience.table.consoles.picture import BACK, FINISHED, PLACE, TEXT, UP, Board, Cell, Picture, Tile
from patience.table.consoles.wrapping import is_dumb
from patience.text import CARD, LETTERS, SIGNS, can_show

RESET = "\x1b[0m"
COLORS = {"♦": "red", "♥": "red"}  # of suits; the others are black
FOUR_COLORS = {"♣": "green", "♦": "blue", "♥": "red"}
CARD_BACK, CARD_BACK_ASCII = "░▒", "::"  # see Look.back
FREE = "·"  # a place without a card, where there are no backgrounds
UNDERLINED, REVERSED, BOLD, DIM = {"underline": True}, {"reverse": True}, {"bold": True}, {"dim": True}
CORNER = 6  # columns of a card that has its name in two corners
CENTRE = 5  # rows of a card that has its suit in the middle, too
Style = dict[str, Any]  # what click.style takes
Canvas = list[list[tuple[str, Union[Style, None]]]]  # letters, each with its style


class Cards(NamedTuple):
    """The styles of cards and places."""

    suits: dict[str, Style]  # the colour of a suit -> the style of its cards; "" for black
    odd: Style  # over it: of every second card of a pile
    back: Style  # of a face-down card
    odd_back: Style  # over it
    place: Style  # of a place without a card
    finished: Style  # over the style of a card: it will stay where it is


class Palette(NamedTuple):
    """The styles for what stands on a board; all but those of cards stand over these."""

    cards: Cards
    special: Style  # of a card that stands out
    moved: Style  # of the card that moved last
    hint: Style  # of the cards of a hint
    mark: Style  # where the keys are
    held: Style  # of a card that was picked up
    target: Style  # where it may go
    ink: Style  # of anything that is not a card, on these backgrounds


TILES_256 = Palette(
    Cards(
        suits={name: {"bg": 254, "fg": ink} for name, ink in {"": 16, "red": 124, "green": 22, "blue": 19}.items()},
        odd={"bg": 252},
        back={"fg": 153, "bg": 24},
        odd_back={"bg": 25},
        place={"fg": 250, "bg": 236},
        finished={"bg": 189},
    ),
    special={"bg": 224, "bold": True},
    moved={"bg": 229},
    hint={"bg": 159},
    mark={"bg": 117, "bold": True},
    held={"bg": 222, "bold": True},
    target={"bg": 157},
    ink={"fg": 16},
)
# In theme colours, red on white can be read, but green on white cannot.
TILES_8 = Palette(
    Cards(
        suits={
            "": {"fg": "black", "bg": "white"},
            "red": {"fg": "red", "bg": "white"},
            "green": {"fg": "black", "bg": "green"},
            "blue": {"fg": "blue", "bg": "white"},
        },
        odd={},
        back={"fg": "white", "bg": "blue"},
        odd_back={},
        place=DIM,
        finished={},
    ),
    special=BOLD,
    moved=UNDERLINED,
    hint={"fg": "black", "bg": "yellow"},
    mark={"fg": "black", "bg": "cyan"},
    held={"fg": "black", "bg": "magenta"},
    target={"fg": "black", "bg": "yellow", "underline": True},
    ink={},
)
LIT = {"reverse": False, "bold": True}
NO_COLORS = Palette(
    Cards(suits={"": REVERSED}, odd={}, back={}, odd_back={}, place={}, finished={}),
    special=BOLD,
    moved=UNDERLINED,
    hint={**LIT, **UNDERLINED},
    mark=LIT,
    held={**LIT, **UNDERLINED},
    target={**LIT, **UNDERLINED, "bold": False},
    ink={},
)


class Look(NamedTuple):
    """How cards and texts look: what the terminal can show, and what the player wants."""

    has_colors: bool
    has_symbols: bool  # of suits; otherwise letters
    suit_colors: dict[str, str]
    palette: Palette

    @property
    def back(self) -> str:
        """What fills a face-down card, and what fills the next one if they have no shades."""
        return CARD_BACK if self.has_symbols else CARD_BACK_ASCII

    def paint(self, text: str, dim: bool = False) -> str:
        """Return text with red suits in red; if there are no symbols, suits are shown as letters."""
        if self.has_colors:
            text = click.style(text, dim=True) if dim else CARD.sub(self.paint_card, text)
        return text if self.has_symbols else text.translate(LETTERS)

    def paint_card(self, card: re.Match[str]) -> str:
        """Return a card, given as a match of CARD, in the colour of its suit."""
        color = self.suit_colors.get(card[2])
        return click.style(card[0], fg=color) if color else card[0]


def look_of(stdout: TextIOWrapper, looks: dict[str, bool]) -> Look:
    """Return the Look for a terminal. looks: as in Terminal."""
    count = 0 if os.environ.get("NO_COLOR") or is_dumb() or not stdout.isatty() else colors_of_terminal()
    has_symbols = not looks["ascii"] and can_show(stdout, SIGNS + CARD_BACK)
    palette = TILES_256 if count >= 256 else TILES_8 if count else NO_COLORS
    return Look(bool(count), has_symbols, FOUR_COLORS if looks["four_colors"] else COLORS, palette)


def colors_of_terminal() -> int:
    """Return the number of colours the terminal has, if it reports the number."""
    if "256" in os.environ.get("TERM", "") or os.environ.get("COLORTERM"):
        return 256
    with contextlib.suppress(ImportError):  # Windows has none
        import curses

        with contextlib.suppress(curses.error):  # the terminal is not known
            curses.setupterm(fd=sys.__stdout__.fileno() if sys.__stdout__ else 1)
            return max(curses.tigetnum("colors"), 0)
    return 8


def paint_board(board: Board, styles: list[tuple[Cell, Style]], look: Look) -> str:
    """Return a board in colour. styles: Cells and their styles, over those of the tiles there; the last one wins."""
    if not isinstance(board, Picture):
        return look.paint(board.text)
    canvas: Canvas = [[(" ", None)] * board.window.width for _ in range(board.height)]
    for row, column, text in board.labels:
        draw(canvas, row, column, text, DIM if look.has_colors else None)
    for tile in board.tiles:
        style = style_of(tile, look)
        for cell, over in styles:
            if cell == tile.cell:
                style = style | (over if tile.shows in (UP, FINISHED) else look.palette.ink | over)
        for line, text in enumerate(rows_of(tile, look), start=tile.cell.row):
            draw(canvas, line, tile.cell.column, text, style)
            style = {key: value for key, value in style.items() if key != "underline"}  # only below the name
    text = "".join(f"{paint_line(line)}\n" for line in canvas)
    return text if look.has_symbols else text.translate(LETTERS)


def style_of(tile: Tile, look: Look) -> Style:
    """Return the style of a tile by itself."""
    cards = look.palette.cards
    if tile.shows == BACK:
        return cards.back | (cards.odd_back if tile.is_odd else {})
    if tile.shows == PLACE:
        return cards.place
    color = look.suit_colors.get(SIGNS[tile.suit - 1], "")
    style = cards.suits.get(color, cards.suits[""]) | (cards.odd if tile.is_odd else {})
    return style | cards.finished if tile.shows == FINISHED else style


def rows_of(tile: Tile, look: Look) -> list[str]:
    """Return the text in each row of a tile. A card has its name in one corner or, if it is large, in two, and its suit
    in the middle."""
    cards, (_, _, height, width) = look.palette.cards, tile.cell
    width -= not cards.odd and width > TEXT  # where cards have no shades, there is room between them
    if tile.shows in (BACK, PLACE):
        back, place = look.back[tile.is_odd and not cards.odd_back], " " if "bg" in cards.place else FREE
        fill = back if tile.shows == BACK else place
        text = f"{fill * (len(tile.text) < width)}{tile.text}" if tile.text else ""
        return [f"{text:{fill}<{width}}", *[fill * width] * (height - 1)]
    name = f" {tile.text}" if width > TEXT else f"{tile.text:>{TEXT}}"
    rows = [name.ljust(width), *[" " * width] * (height - 1)]
    if tile.is_whole and height >= CENTRE:
        rows[height // 2] = f"{tile.text[-1]:^{width}}"
    if tile.is_whole and height > 2 and width >= CORNER:
        rows[-1] = f"{tile.text} ".rjust(width)
    return rows


def draw(canvas: Canvas, row: int, column: int, text: str, style: Style | None) -> None:
    """Put a text on a canvas, as far as there is room."""
    for at, letter in enumerate(text[: max(0, len(canvas[row]) - column)], start=column):
        canvas[row][at] = letter, style


def paint_line(line: list[tuple[str, Style | None]]) -> str:
    """Return a line of a canvas in colour."""
    painted = ""
    for style, letters in itertools.groupby(line, key=lambda cell: cell[1]):
        text = "".join(letter for letter, _ in letters)
        painted += f"{escape_of(tuple(style.items()))}{text}{RESET}" if style else text
    return painted.rstrip()


@functools.lru_cache
def escape_of(style: tuple[tuple[str, Any], ...]) -> str:
    """Return the escape sequence for a style, given as its items."""
    return click.style("", reset=False, **dict(style))
