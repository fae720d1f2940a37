"""A list on its own screen: arrows light up a row, Enter or a click takes it, and lines are typed as everywhere
else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import click

from patience.consoles import Question, keys
from patience.consoles.keys import Event
from patience.consoles.reading import ENDS, STEPS, read_keys
from patience.consoles.screen import HOME, TO_SCREEN_END, last_line, on_whole_screen
from patience.consoles.typing import Line
from patience.consoles.wrapping import is_dumb, terminal_height, terminal_width, wrap_text

Row = tuple[str, str]  # a line of a list, and the answer it gives, or "" if it is only to be read
BACK = "q"


class List:
    """Rows, and a question below them."""

    def __init__(self, rows: Sequence[Row], question: Question, message: str = "") -> None:
        """message: to show below the rows, or ""."""
        self.rows, self.question, self.message = rows, question, message
        self.lit: int | None = None  # the row that the arrows have reached
        self.tops: list[int] = []  # the screen line on which each row begins, and that of the question's last line
        self.places = [number for number, (_, answer) in enumerate(rows) if answer]

    def fits(self) -> bool:
        """Return True if keys can be read one by one, and the screen has room for the whole list."""
        text = self.text() + last_line(self.question, above=True)
        return keys.can_point() and not is_dumb() and text.count("\n") < terminal_height()

    def choose(self) -> str:
        """Return the answer of the chosen row, or the typed line; "" for Enter if no row is lit, and BACK for Escape.
        Raises EOFError, and KeyboardInterrupt for Ctrl-C."""
        keys.watch_size()
        keys.send("\n" * (terminal_height() - 1))  # keep earlier output in the scrollback
        self.draw()
        with keys.key_by_key():
            answer = read_keys(last_line(self.question), Line(), self.take)
        keys.send(HOME + TO_SCREEN_END)
        return answer

    def text(self) -> str:
        """Return the rows and the message as they are shown, and note where each row begins."""
        width, text = terminal_width(), ""
        self.tops = []
        for number, (line, _) in enumerate(self.rows):
            self.tops.append(text.count("\n"))
            shown = wrap_text(line, width)
            text += (click.style(shown, reverse=True) if number == self.lit else shown) + "\n"
        return text + (wrap_text(f"{self.message}\n", width) if self.message else "")

    def draw(self) -> None:
        """Show everything except the last line of the question."""
        text = self.text() + last_line(self.question, above=True)
        self.tops.append(text.count("\n"))
        keys.send(on_whole_screen(text))

    def take(self, event: Event) -> str | None:
        """Take a key or a click; return the answer, or None if there is none yet."""
        if event.kind in ENDS:
            raise ENDS[event.kind]
        if event.kind in (keys.ESCAPE, keys.RIGHT_CLICK) and self.lit is None:
            return BACK
        if event.kind in (keys.ENTER, keys.SPACE) and self.lit is not None:
            return self.rows[self.lit][1]
        if event.kind == keys.ENTER:
            return ""
        if event.kind == keys.CLICK:
            return self.answer_at(event)
        if event.kind in STEPS and self.places:
            self.step(STEPS[event.kind])
        elif event.kind in (keys.ESCAPE, keys.RIGHT_CLICK):
            self.lit = None
        self.draw()
        return None

    def step(self, step: int) -> None:
        """Light up the next or the previous row that has an answer."""
        at = self.places.index(self.lit) + step if self.lit is not None else min(step, 0)
        self.lit = self.places[at % len(self.places)]

    def answer_at(self, event: Event) -> str | None:
        """Return the answer of the clicked row, or of the clicked key that the question names, or None."""
        number = bisect_right(self.tops, event.row) - 1
        if number < len(self.rows):
            return self.rows[number][1] or None
        last = Question.of(self.question.keys, last_line(self.question))
        return last.answer_at(event.column) if event.row == self.tops[-1] else None
