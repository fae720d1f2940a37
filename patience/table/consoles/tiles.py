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
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from patience.table.consoles.board import BACK, COUNT, EMPTY_PLACE, FINISHED
from patience.table.consoles.wrapping import is_dumb
from patience.text import CARD, LETTERS, SIGNS, can_show, card_text

if TYPE_CHECKING:
    from patience import Pair
    from patience.table.consoles.board import Board, Cell

RESET = "\x1b[0m"
WIDTH = 3  # columns of a tile on a board that is not spread
COLORS = {"♦": "red", "♥": "red"}  # for suits in text and on a plain board
FOUR_COLORS = {"♣": "green", "♦": "blue", "♥": "red"}
CARD_BACK, CARD_BACK_ASCII = "░░", "##"  # a card that lies face down
# The dimmed parts of a board: face-down cards, pile numbers, and the counts of cards in piles.
QUIET = re.compile(r"\bXX\b|(?<= )--(?!\S)|\b[a-z]?[0-9]+:|\([0-9]+\)", re.IGNORECASE)
UNDERLINED, REVERSED, BOLD, DIM = {"underline": True}, {"reverse": True}, {"bold": True}, {"dim": True}
Style = dict[str, Any]  # what click.style takes


class Palette(NamedTuple):
    """The styles for what stands on a board."""

    suits: dict[str, Style]  # the colour of a suit -> the style of its cards; "" for black
    back: Style  # of a face-down card
    moved: Style  # of the card that moved last
    hint: Style  # of the cards of a hint
    mark: Style  # where the keys are
    held: Style  # of a card that was picked up
    target: Style  # where it may go
    ink: Style  # of anything that is not a card, on these backgrounds
    empty: Style  # of a place without a card, on a spread board
    finished: Style  # of a card that will stay where it is


GROUND = {"bg": 253}
TILES_256 = Palette(
    suits={name: {**GROUND, "fg": ink} for name, ink in {"": 16, "red": 124, "green": 22, "blue": 19}.items()},
    back={"fg": 153, "bg": 24},
    moved={"bg": 229, "underline": True},
    hint={"bg": 159},
    mark={"bg": 117, "bold": True},
    held={"bg": 222, "bold": True},
    target={"bg": 157},
    ink={"fg": 16},
    empty={"fg": 250, "bg": 236},
    finished={"fg": 16, "bg": 246},
)
# In theme colours, red on white can be read, but green on white cannot.
TILES_8 = Palette(
    suits={
        "": {"fg": "black", "bg": "white"},
        "red": {"fg": "red", "bg": "white"},
        "green": {"fg": "black", "bg": "green"},
        "blue": {"fg": "blue", "bg": "white"},
    },
    back={"fg": "white", "bg": "blue"},
    moved=UNDERLINED,
    hint={"fg": "black", "bg": "yellow"},
    mark={"fg": "black", "bg": "cyan"},
    held={"fg": "black", "bg": "magenta"},
    target={"fg": "black", "bg": "yellow", "underline": True},
    ink={},
    empty=DIM,
    finished={"fg": "black", "bg": "white", "dim": True},
)
PLAIN = Palette(
    {}, {}, UNDERLINED, REVERSED, REVERSED, {**REVERSED, **BOLD}, {**UNDERLINED, **BOLD}, {}, DIM, finished=DIM
)


class Look(NamedTuple):
    """How cards and texts look: what the terminal can show, and what the player wants."""

    has_colors: bool
    has_symbols: bool  # of suits; otherwise letters
    suit_colors: dict[str, str]
    palette: Palette

    @property
    def is_tiled(self) -> bool:
        """True if cards are tiles."""
        return self.palette is not PLAIN

    @property
    def back(self) -> str:
        """How a face-down card is shown."""
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


def look_of(stdout: TextIOWrapper, is_plain: bool, looks: dict[str, bool]) -> Look:
    """Return the Look for a terminal. is_plain, looks: as in Terminal."""
    count = 0 if os.environ.get("NO_COLOR") or is_dumb() or not stdout.isatty() else colors_of_terminal()
    has_symbols = not looks["ascii"] and can_show(stdout, SIGNS + CARD_BACK)
    palette = PLAIN if is_plain or not has_symbols or not count else TILES_256 if count >= 256 else TILES_8
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
    """Return the text of a board in colour. styles: Cells and their styles, applied over the colours of the cards; the
    last style wins."""
    lines, palette = board.text.replace("XX", look.back).split("\n"), look.palette
    merged: dict[Cell, Style] = {}
    for row, line in enumerate(lines if look.has_colors else ()):
        merged |= {(row, *match.span()): DIM for match in QUIET.finditer(line)}
        for match in CARD.finditer(line) if not look.is_tiled else ():
            merged[(row, *match.span())] = {"fg": look.suit_colors.get(match[2])}
    tiles = {}  # a Cell -> the Cells of its tile
    for cell, kind in board.tiles if look.has_colors else ():
        if look.is_tiled and (kind != EMPTY_PLACE or board.is_spread):
            merged.pop(cell, None)
            tiles[cell] = [cell] if kind == COUNT else tile_of(lines, cell, board)
            style = look.palette.suits[look.suit_colors.get(lines[cell[0]][cell[2] - 1 : cell[2]], "")]
            other = {EMPTY_PLACE: palette.empty, FINISHED: palette.finished}
            style = palette.back if kind in (BACK, COUNT) else other.get(kind, style)
            merged |= dict.fromkeys(tiles[cell], style)
            for row, start, end in tiles[cell] if board.text_at(cell) == "XX" else ():  # the shade fills the tile
                lines[row] = lines[row][:start].ljust(start) + look.back[0] * (end - start) + lines[row][end:]
        elif kind == FINISHED:
            merged[cell] = palette.finished
    for of_card, style in styles:
        for cell in tiles.get(of_card, [of_card]):
            below = merged.get(cell, {}) if of_card in tiles or not look.is_tiled else palette.ink
            merged[cell] = {**below, **style}
    for row in {cell[0] for cell in merged}:
        here = [(cell, style) for cell, style in merged.items() if cell[0] == row]
        lines[row] = paint_line(lines[row], [((start, end), style) for (_, start, end), style in here])
    text = "\n".join(lines)
    return text if look.has_symbols else text.translate(LETTERS)


def paint_cards(pairs: list[Pair], look: Look) -> str:
    """Return some cards in a row. pairs: their (rank, suit)."""
    texts = [card_text(pair) for pair in pairs]
    if not look.is_tiled:
        return look.paint(" ".join(f"{text:>3}" for text in texts))
    return " ".join(
        click.style(f"{text:>3} ", **look.palette.suits[look.suit_colors.get(text[-1], "")]) for text in texts
    )


def paint_line(line: str, styles: list[tuple[tuple[int, int], Style]]) -> str:
    """Return a line in colour. styles: pairs of (first column, column after the last) and a style; the last style
    wins."""
    line = line.ljust(max(end for (_, end), _ in styles))
    of_column: list[Style | None] = [None] * len(line)
    for (start, end), style in styles:
        of_column[start:end] = [style] * (end - start)
    painted = ""
    for style, columns in itertools.groupby(range(len(line)), key=lambda column: of_column[column]):
        text = "".join(line[column] for column in columns)
        painted += f"{escape_of(tuple(style.items()))}{text}{RESET}" if style is not None else text
    return painted


@functools.lru_cache
def escape_of(style: tuple[tuple[str, Any], ...]) -> str:
    """Return the escape sequence for a style, given as its items."""
    return click.style("", reset=False, **dict(style))


def tile_of(lines: list[str], cell: Cell, board: Board) -> list[Cell]:
    """Return the Cells of a card's tile. It has WIDTH columns if the column before the card is free. On a spread
    board, it has as many columns as Board.tile, and a second row if nothing stands below the card."""
    row, start, end = cell
    if not board.is_spread:
        is_free = end - start < WIDTH and lines[row][start - 1 : start] == " "
        return [(row, end - WIDTH if is_free else start, end)]
    first, last = end - board.tile + 1, end + 1
    is_free = board.is_tall and row + 1 < len(lines) and not lines[row + 1][first:last].strip()
    return [(one, first, last) for one in (row, row + 1)[: 1 + is_free]]
