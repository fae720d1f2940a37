"""A list in place of a board: arrows light up a row, Enter or a click takes it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from patience.table.consoles import BACK, Row, keys
from patience.table.consoles.key_loop import ENDS, STEPS
from patience.table.consoles.keys import Event
from patience.table.consoles.wrapping import wrap_text

MOVES = {
    **STEPS,
    **dict.fromkeys((keys.WHEEL_DOWN, keys.PAGE_DOWN), 1),
    **dict.fromkeys((keys.WHEEL_UP, keys.PAGE_UP), -1),
}


NEXT = (keys.ENTER, keys.SPACE, keys.PAGE_DOWN)  # what shows the next part of a page
ABOVE, BELOW = -1, -2  # the numbers of the lines that stand for rows that a low window hides
MORE = "     ..."


class List:
    """The rows of a list, or the lines of a page; a low window shows only some of them."""

    def __init__(self, rows: Sequence[Row], lit: str = "") -> None:
        """lit: the answer of the row to begin at, or ""."""
        self.rows = rows
        self.places = [number for number, (_, answer) in enumerate(rows) if answer]
        self.lit = next((place for place in self.places if rows[place][1] == lit), None)  # that the arrows have reached
        self.top = 0  # the line that is shown first
        self.room = self.count = 0  # lines that fit, and that there are
        self.shown: list[int] = []  # the number of the row in each line that is shown

    def draw(self, width: int, height: int) -> str:
        """Return as many lines as fit, with the lit row among them."""
        lines = [
            (number, line) for number, (row, _) in enumerate(self.rows) for line in wrap_text(row, width).split("\n")
        ]
        of_lit = [at for at, (number, _) in enumerate(lines) if number == self.lit]
        self.room, self.count = height, len(lines)
        around = 1 if height > 2 else 0  # a line that says that there is more
        if of_lit:
            self.top = min(max(self.top, of_lit[-1] - height + 1 + around), of_lit[0] - around)
        self.top = max(0, min(self.top, len(lines) - height))
        hides_above, hides_below = self.top > 0, self.top + height < len(lines)
        lines = lines[self.top : self.top + height]
        if around:
            lines[:1] = [(ABOVE, MORE)] if hides_above else lines[:1]
            lines[-1:] = [(BELOW, MORE)] if hides_below else lines[-1:]
        self.shown = [number for number, _ in lines]
        return "".join(f"{click.style(line, reverse=True) if at == self.lit else line}\n" for at, line in lines)

    def line_for(self, event: Event) -> str | None:
        """Take a key or a click; return the answer, or None if there is none yet: "" for Enter if no row is lit, and
        BACK for Escape. Raises EOFError, and KeyboardInterrupt for Ctrl-C."""
        if event.kind in ENDS:
            raise ENDS[event.kind]
        if event.kind in (keys.ESCAPE, keys.RIGHT_CLICK):
            if self.lit is None:
                return BACK
            self.lit = None
        elif event.kind in (keys.ENTER, keys.SPACE) and self.lit is not None:
            return self.rows[self.lit][1]
        elif not self.places and event.kind in NEXT and self.top + self.room < self.count:
            self.top += max(1, self.room - 2)
        elif event.kind == keys.ENTER:
            return ""
        elif event.kind == keys.CLICK:
            number = self.shown[event.row] if event.row < len(self.shown) else None
            if number in (ABOVE, BELOW):
                self.top += max(1, self.room - 2) * (1 if number == BELOW else -1)
            return self.rows[number][1] or None if number is not None and number >= 0 else None
        elif event.kind in MOVES and self.places:
            at = self.places.index(self.lit) + MOVES[event.kind] if self.lit is not None else min(MOVES[event.kind], 0)
            self.lit = self.places[at % len(self.places)]
        elif event.kind in MOVES:
            self.top += MOVES[event.kind]
        return None
