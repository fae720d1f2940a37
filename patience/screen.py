"""How text and boards are laid out at the terminal of a player."""

import contextlib
import io
import math
import re
import textwrap

import click

import cards
from patience.positions import cards_in, copy_of, lists_in, parts

# What a player need not read again: cards that lie face down, the numbers of piles, how many cards they have.
QUIET = re.compile(r"\bXX\b|\b[a-z]?[0-9]+:|\([0-9]+\)", re.IGNORECASE)
COLUMN = re.compile(r" *\S+( \S+)*  +")
MOST_INDENT = 14  # of what goes on in a column
ROOM = 10  # that a prompt leaves for typing
GAP = 3  # between columns


def wrapped(text, width):
    """Return a text with its long lines broken. Where two blanks begin a column, it goes on there."""
    return "\n".join(wrapped_line(line, width) for line in text.split("\n"))


def wrapped_line(line, width):
    """Return a line, broken if it is longer than the width."""
    if len(line) <= width:
        return line
    column = COLUMN.match(line)
    indent = column.end() if column and column.end() <= MOST_INDENT else 0
    return textwrap.fill(line, width, subsequent_indent=" " * indent, break_on_hyphens=False)


def fitting_prompt(prompt, width):
    """Return a prompt with its last line broken if that leaves no room to type in."""
    above, newline, last = prompt.rpartition("\n")
    if len(last) + ROOM <= width:
        return prompt
    lines = textwrap.wrap(last, width - ROOM, break_on_hyphens=False, break_long_words=False)
    return above + newline + "\n".join(lines) + last[len(last.rstrip()) :]


def in_columns(texts, width):
    """Return short lines in columns, each read from the top down."""
    each = max(map(len, texts)) + GAP
    rows = math.ceil(len(texts) / max(1, (width + GAP) // each))
    lines = ["".join(f"{text:<{each}}" for text in texts[row::rows]).rstrip() for row in range(rows)]
    return "\n".join(lines) + "\n"


def shown_by(display, game):
    """Return what a game's display prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        display(game)
    return text.getvalue()


def columns_of(text):
    """Return how many columns a text takes."""
    return max(map(len, text.splitlines()), default=0)


def board(rules, game, width):
    """Return the function that shows the board and its text: the narrow one, where a game has one, if
    the other does not fit."""
    text = shown_by(rules.display, game)
    if columns_of(text) > width and hasattr(rules, "display_narrow"):
        return rules.display_narrow, shown_by(rules.display_narrow, game)
    return rules.display, text


def places_of(card, text, display, game):
    """Return where in the text of a board a card stands, as a list of starts and ends: of several that
    look alike the very one. It is found by showing the board with another card in its place."""
    copy = copy_of(game)
    pairs = zip(cards_in(parts(game)), cards_in(parts(copy)))
    twin = next((there for here, there in pairs if here is card), None)
    for pile in lists_in(parts(copy)):
        for place, one in enumerate(pile):
            if one is twin and twin is not None:
                pile[place] = cards.Card(card.rank(), card.suit() % 4 + 1)
    other = shown_by(display, copy)
    found = [match.span() for match in re.finditer(re.escape(str(card).strip()), text)]
    return [(start, end) for start, end in found if text[start:end] != other[start:end]]


def styled(text, places):
    """Return the text of a board with its styles: what stands at these places underlined, and QUIET dim."""
    styles = [*((start, end, {"underline": True}) for start, end in places),
              *((*match.span(), {"dim": True}) for match in QUIET.finditer(text))]
    for start, end, style in sorted(styles, key=lambda one: one[:2], reverse=True):
        text = text[:start] + click.style(text[start:end], **style) + text[end:]
    return text
