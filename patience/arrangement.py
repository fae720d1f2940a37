"""Where the piles of a game stand on its picture, as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

# How a pile lies: its top card alone; each card one row below the last, or a little to its right, so that it covers the
# rest of the last; or each card whole, in a column of its own.
FANS = TOP, DOWN, RIGHT, BESIDE = "top", "down", "right", "beside"


class Line(NamedTuple):
    """Piles of one kind that stand in a line. Rows and columns count from 0; a column is as wide as a card and the gap
    after it."""

    kind: str  # of their names: column for column 3, waste for waste
    at: tuple[int, float]  # the row and the column of the first of them
    fan: str = TOP
    reach: float = 1  # how many columns each may take; a pile whose cards lie beside each other takes what it needs
    toward: tuple[float, float] | None = None  # rows and columns to the next: (1, 0) below if they reach to the right
    most: int = 0  # that stand in the line, or 0 for all that are left
    takes: str = ""  # what an empty one takes, in a letter or two
    heading: str = ""  # above the first
    letter: str = ""  # before their numbers


def read_lines(arrangement: Iterable[Any]) -> list[Line]:
    """Return the Lines of an ARRANGEMENT. Raises ValueError."""
    try:
        lines = [Line(*line) for line in arrangement]
        if all(line.fan in FANS and min(line.at[0], line.at[1], line.reach - 1) >= 0 for line in lines):
            return lines
    except (TypeError, IndexError):
        pass
    raise ValueError('ARRANGEMENT: expected a list of tuples such as ("column", (1, 0), "down").')
