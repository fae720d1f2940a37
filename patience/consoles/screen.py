"""A player's screen: a picture that stays in place, the messages below it, pages, a half-typed line.

This module handles lines of text and knows nothing about patience.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Union

from patience import Ended
from patience.consoles import keys
from patience.consoles.keys import Event
from patience.consoles.reading import ENDS, STEPS, TO_LINE_END, has_input, read_keys, read_lines
from patience.consoles.typing import Line
from patience.consoles.wrapping import fit_question, terminal_height, terminal_width
from patience.options import has_mouse

MIN_BELOW = 2  # lines below a picture that stays in its place: a message, and the question
HOME, TO_SCREEN_END = "\x1b[H", "\x1b[J"
Point = Callable[[Event], Union[str, None]]  # takes a key or a click; returns the line that it means
SECONDS_TO_READ = 0.7  # before Enter answers a question behind a command that was a key
NEXT_PAGE = (keys.ENTER, keys.SPACE, keys.CLICK, keys.WHEEL_DOWN, *STEPS)
KEY_NAMED = re.compile(r"(?:Enter|\b\w): [\w ]+|(?<=\()y(?=/n)|(?<=/)n(?=\))")  # in a question
MORE, BACK = "Enter: more, q: no more ", "Enter: back to the board "


class Screen:
    """The screen of a terminal."""

    def __init__(self, stdout: TextIOWrapper, scrolls: bool, picture: Callable[[], str]) -> None:
        """stdout: its stream. scrolls: print each picture below the last instead of keeping it in place. picture: its
        text, or "" while there is none."""
        self.stdout = stdout
        self.scrolls = scrolls
        self.picture = picture
        self.pending = []  # texts to show at the next question, below the picture or instead of it
        self.question = ""  # the current question
        self.has_drawn = False  # True once the screen has been drawn
        self.is_pointed = False  # True if the last line was meant by a key or a click
        self.is_guarded = False  # True if Enter must not answer at once: the question came behind such a line
        self.row = -1  # that of the last line of the question, if the picture is in its place
        self.history: list[str] = []  # the lines that were typed
        self.begun = ""  # the beginning of a line that was typed ahead
        self.candidates: Callable[[], list[str]] = list  # what Tab completes
        self.typed = ""  # a line typed between two pages, which is the answer to the question after them
        self.ended = False  # True once the player has ended the input
        self.has_mouse = has_mouse()
        for name in ("SIGWINCH", "SIGCONT"):  # the window was resized, or fg was typed
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), keys.note_resize)

    def write(self, text: str) -> None:
        """Show text unchanged, at the next question or earlier."""
        self.pending.append(text)

    def picture_in_place(self) -> str:
        """Return the picture if it stays in place and there is room for it and a few lines; otherwise ""."""
        picture = "" if self.scrolls else self.picture()
        return picture if terminal_height() >= picture.count("\n") + MIN_BELOW else ""

    def ask(
        self, question: str, is_last: bool = True, point: Point | None = None, choices: Sequence[str] = ()
    ) -> str | None:
        """Show the question and return the next line, or lines that came together with ; between them; None once the
        input has ended. is_last: Ctrl-D ends the input, and not only this question. point: takes keys and clicks while
        the line is empty and the picture is in its place; returns the line that they mean, or None for none yet.
        choices: answers that arrows walk through."""
        if self.ended:
            self.write(f"{question}\n")
            return None
        self.question = question
        try:
            self.draw()
            typed, self.typed = self.typed, ""
            if typed:
                return typed
            if self.can_point():
                return self.read_keys(point, choices)
            line, self.ended = read_lines(self.last_line())
            return line
        except EOFError:
            self.ended, self.pending = is_last, ["\n"]
            return None
        except (KeyboardInterrupt, Ended):
            self.pending = []
            raise

    def can_point(self) -> bool:
        """Return True if keys and clicks can be taken one by one, on a picture that is in its place."""
        return bool(self.picture_in_place()) and keys.can_point()

    def read_keys(self, point: Point | None, choices: Sequence[str]) -> str:
        """Return the line that is typed, or that keys and clicks mean. Raises EOFError for Ctrl-D."""
        was_pointed, self.is_pointed = self.is_pointed, False
        is_ahead, readable = has_input(), time.monotonic() + SECONDS_TO_READ * (was_pointed and self.is_guarded)

        def take(event: Event) -> str | None:
            nonlocal is_ahead, readable
            # An Enter from before the question could be read answers nothing.
            is_early = event.kind == keys.ENTER and (is_ahead or time.monotonic() < readable)
            is_ahead, readable = is_ahead and has_input(), readable if event.kind == keys.ENTER else 0
            if event.kind == keys.END or event.kind == keys.INTERRUPT and not point:
                raise ENDS[event.kind]
            if is_early:
                return None
            if event.kind == keys.CLICK and event.row == self.row:
                return key_in_question(self.last_line(), event.column)
            line = point(event) if point else "" if event.kind == keys.ENTER else None
            self.is_pointed = line is not None
            if line is None:
                if event.kind in (keys.CLICK, keys.ENTER, keys.SPACE):
                    self.pending = []  # what was said of the last command
                self.draw(pages=False)
            return line

        line = Line(self.history, self.candidates)
        line.put(self.begun)
        answer = read_keys(self.last_line(), line, take, self.has_mouse, choices, self.redraw)
        self.begun = line.text
        self.history += [answer] if answer and not self.is_pointed else []
        return answer

    def last_line(self) -> str:
        """Return the last line of the question, after which the player types."""
        return fit_question(self.question, terminal_width()).rpartition("\n")[2]

    def clear_messages(self) -> None:
        """Clear the space below the picture for the answer to the line just typed."""
        self.pending = []

    def draw(self, pages: bool = True) -> None:
        """Show the picture, if there is room for it, the pending texts, and the question except its last line. Texts
        longer than the screen are shown page by page, or left out if pages is False."""
        above, newline, _ = fit_question(self.question, terminal_width()).rpartition("\n")
        picture, said = self.picture_in_place(), "".join(self.pending)
        if not picture:
            self.put(said + above + newline)
            self.pending = []
            return
        height = terminal_height()
        if not self.has_drawn:
            self.stdout.write("\n" * (height - 1))  # keep earlier output in the scrollback
            self.has_drawn = True
        room = height - 1 - (above + newline).count("\n")
        text = picture + said
        if text.count("\n") > room and pages:
            self.show_pages(said.splitlines(keepends=True), room)
            self.pending = []
        if not self.typed:
            frame = (picture if text.count("\n") > room else text) + above + newline
            self.row = frame.count("\n")
            self.put(on_whole_screen(frame))

    def show_pages(self, lines: list[str], room: int) -> None:
        """Show a text longer than the screen page by page; Enter, Space, an arrow, a click or the wheel shows the next
        page; q, Escape or a command skips the rest."""

        def take(event: Event) -> str | None:
            if event.kind in (keys.ESCAPE, keys.RIGHT_CLICK, *ENDS):
                return "q"
            return "" if event.kind in NEXT_PAGE else None

        while lines:
            self.put(HOME + TO_SCREEN_END + "".join(lines[:room]))
            lines = lines[room:]
            typed = read_keys(MORE if lines else BACK, Line(), take, self.has_mouse).strip()
            if typed:
                self.typed = "" if typed.lower() in ("q", "quit") else typed
                break

    def put(self, text: str) -> None:
        """Write text at once."""
        self.stdout.write(text)
        self.stdout.flush()

    def redraw(self) -> None:
        """Show the picture again, if it is in its place, once the window was resized."""
        if self.picture_in_place():
            self.draw(pages=False)

    def leave(self) -> None:
        """Write all pending texts, below the last picture if it stayed in place."""
        if self.has_drawn:
            self.pending[:0] = [HOME, TO_SCREEN_END, self.picture()]
        self.put("".join(self.pending))


def on_whole_screen(text: str) -> str:
    """Return what draws a text from the top of the screen, over all that stands there."""
    return HOME + text.replace("\n", f"{TO_LINE_END}\n") + TO_LINE_END + TO_SCREEN_END


def key_in_question(question: str, column: int) -> str | None:
    """Return what a click on a key that a question names stands for, or None. question: its last line."""
    for match in KEY_NAMED.finditer(question):
        if match.start() <= column < match.end():
            return "" if match[0].startswith("Enter") else match[0][:1]
    return None
