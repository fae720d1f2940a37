"""Cards as tiles: the colours of a board at a terminal.

With 256 colours a tile has a light ground, and its colours are those of the fixed part of the palette, so that no theme
changes them. With fewer a theme does: then a red card has a red ground, as no other pair of its colours can be read in
all of them. A style is what click.style takes.
"""

from __future__ import annotations

import os
import re
from collections import namedtuple
from typing import TYPE_CHECKING, Any

import click

from patience.text import CARD

if TYPE_CHECKING:
    from patience.consoles.board import Place

WIDTH, SPREAD = 3, 5  # columns of a tile, and of one on a board that is spread
COLORS = {"♦": "red", "♥": "red"}  # of suits in a text, and on a plain board
FOUR_COLORS = {"♣": "green", "♦": "blue", "♥": "red"}
# The parts of a board that are dimmed: face-down cards, the numbers of piles, the counts of their cards.
QUIET = re.compile(r"\bXX\b|(?<= )--(?!\S)|\b[a-z]?[0-9]+:|\([0-9]+\)", re.IGNORECASE)
UNDERLINED, REVERSED, BOLD, DIM = {"underline": True}, {"reverse": True}, {"bold": True}, {"dim": True}

# suits: the style of a card by the colour of its suit, "" for black. closed: of one that lies face down. moved: of the
# card that moved last. hint: of the cards of a hint. mark: where the keys are. held: a card that was picked up. target:
# where it may go. ink: of what is no card, on these grounds.
Palette = namedtuple("Palette", "suits closed moved hint mark held target ink")

GROUND = {"bg": 253}
TILES_256 = Palette(
    {name: {**GROUND, "fg": ink} for name, ink in {"": 16, "red": 124, "green": 22, "blue": 19}.items()},
    {"fg": 153, "bg": 24},
    {"bg": 229, "underline": True},
    {"bg": 159},
    {"bg": 117, "bold": True},
    {"bg": 222, "bold": True},
    {"bg": 157},
    {"fg": 16},
)
TILES_8 = Palette(
    {
        "": {"fg": "black", "bg": "white"},
        "red": {"fg": "white", "bg": "red", "bold": True},
        "green": {"fg": "black", "bg": "green"},
        "blue": {"fg": "white", "bg": "blue", "bold": True},
    },
    {"fg": "white", "bg": "blue"},
    {"underline": True},
    {"fg": "black", "bg": "yellow", "bold": False},
    {"fg": "black", "bg": "cyan", "bold": False},
    {"fg": "black", "bg": "magenta", "bold": False},
    {"fg": "black", "bg": "yellow", "bold": False, "underline": True},
    {},
)
PLAIN = Palette({}, {}, UNDERLINED, REVERSED, REVERSED, {**REVERSED, **BOLD}, {**UNDERLINED, **BOLD}, {})


def palette_of(is_plain: bool) -> Palette:
    """Return the Palette that the terminal can show. is_plain: without tiles."""
    if is_plain:
        return PLAIN
    return TILES_256 if colors_of_terminal() >= 256 else TILES_8


def colors_of_terminal() -> int:
    """Return how many colours the terminal has, as far as it says so."""
    return 256 if "256" in os.environ.get("TERM", "") or os.environ.get("COLORTERM") else 8


def paint(
    text: str,
    cards: list[tuple[Place, bool]],
    styles: list[tuple[Place, dict[str, Any]]],
    palette: Palette,
    suit_colors: dict[str, str],
    is_dimmed: bool = True,
    is_spread: bool = False,
) -> str:
    """Return the text of a board in colours. cards: the Places of cards, and whether they lie face down. styles: Places
    and what else they have, over the colours of the cards; the last style wins. is_dimmed: the QUIET parts are
    dim. is_spread: cards have room for a column more on each side."""
    merged: dict[Place, dict[str, Any]] = {}
    lines, is_plain = text.split("\n"), palette is PLAIN
    for row, line in enumerate(lines):
        merged |= {(row, *match.span()): DIM for match in QUIET.finditer(line)} if is_dimmed else {}
        for match in CARD.finditer(line) if is_plain and suit_colors else ():
            merged[(row, *match.span())] = {"fg": suit_colors.get(match[2])}
    tiles = {}  # the Place of a card -> that of its tile
    for place, is_closed in () if is_plain else cards:
        merged.pop(place, None)
        row, start, end = place
        tiles[place] = (row, end - SPREAD + 1, end + 1) if is_spread else (row, tile_start(lines[row], start, end), end)
        suit = suit_colors.get(lines[row][end - 1], "")
        merged[tiles[place]] = palette.closed if is_closed else palette.suits[suit]
        if is_closed:  # the shade fills the tile
            shade, (_, start, end) = lines[row][end - 1], tiles[place]
            lines[row] = lines[row][:start] + shade * (end - start) + lines[row][end:]
    for place, style in styles:
        below = merged.get(tiles[place], {}) if place in tiles else merged.get(place, {}) if is_plain else palette.ink
        merged[tiles.get(place, place)] = {**below, **style}
    for (row, start, end), style in sorted(merged.items(), reverse=True):
        line = lines[row].ljust(end)
        lines[row] = line[:start] + click.style(line[start:end], **style) + line[end:]
    return "\n".join(lines)


def tile_start(line: str, start: int, end: int) -> int:
    """Return the first column of a card's tile: it has WIDTH columns, if the one before the card is free."""
    is_free = end - start < WIDTH and line[start - 1 : start] == " "
    return end - WIDTH if is_free else start
