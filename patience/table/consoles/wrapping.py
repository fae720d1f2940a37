"""Lines of text that fit a terminal: wrapped, shortened, in columns."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
import sys
import textwrap

MIN_WIDTH = 20
ROOM = 10  # columns that a prompt leaves for typing
GAP = 3  # between columns
COLUMN = re.compile(r" *\S+( \S+)*  +")
COMMAND = re.compile(r"(.*:) ((?:python \S+|patience) .*)")  # a command to be copied is not broken
MAX_INDENT = 14  # of the continuation of a broken line
CUT = "..."  # stands for the rest of a line


def is_dumb() -> bool:
    """Return True if the terminal cannot move its cursor."""
    return os.environ.get("TERM", "dumb") == "dumb"


def terminal_width() -> int:
    """Return the terminal's width in columns."""
    return max(MIN_WIDTH, terminal_size().columns)


def terminal_height() -> int:
    """Return the terminal's height in lines."""
    return terminal_size().lines


def terminal_size() -> os.terminal_size:
    """Return the current size of the terminal. COLUMNS and LINES, which may be out of date, are used only if the
    terminal does not report its size."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # it is not a terminal, or is closed
        size = os.get_terminal_size(sys.__stdout__.fileno())  # type: ignore[union-attr]
        if size.columns and size.lines:
            return size
    return shutil.get_terminal_size()


def columns_of(text: str) -> int:
    """Return how many columns a text takes."""
    return max(map(len, text.splitlines()), default=0)


def wrap_text(text: str, width: int) -> str:
    """Return a text with its long lines broken. If two spaces set off a column, the continuation is indented to it."""
    return "\n".join(wrap_line(line, width) for line in text.split("\n"))


def wrap_line(line: str, width: int) -> str:
    """Return a line, broken if it is longer than the width."""
    if len(line) <= width:
        return line
    if command := COMMAND.fullmatch(line):
        return f"{wrap_line(command[1], width)}\n{command[2]}"
    column = COLUMN.match(line)
    indent = column.end() if column and column.end() <= MAX_INDENT else min(len(line) - len(line.lstrip()), MAX_INDENT)
    return textwrap.fill(line, width, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False)


def shorten(line: str, width: int) -> str:
    """Return a line, cut off if it is longer than the width."""
    return line if len(line) <= width else f"{line[: width - len(CUT)]}{CUT}"


def fit_question(question: str, width: int) -> str:
    """Return a question, with its last line broken if it leaves no room for typing."""
    above, newline, last = question.rpartition("\n")
    if len(last) + ROOM <= width:
        return question
    lines = textwrap.wrap(last, width - ROOM, break_on_hyphens=False, break_long_words=False)
    return above + newline + "\n".join(lines) + last[len(last.rstrip()) :]


def arrange_in_columns(texts: list[str], width: int) -> str:
    """Return short lines arranged in columns, which are read from top to bottom."""
    column_width = max(map(len, texts)) + GAP
    rows = math.ceil(len(texts) / max(1, (width + GAP) // column_width))
    return "\n".join("".join(f"{text:<{column_width}}" for text in texts[row::rows]).rstrip() for row in range(rows))
