"""A player's screen: a picture that stays in place, the messages below it, pages, a half-typed line.

This module handles lines of text and knows nothing about patience.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Union

from patience import Ended
from patience.consoles import keyboard
from patience.consoles.keyboard import Event
from patience.consoles.reading import TO_LINE_END, has_input, read_choice, read_lines
from patience.consoles.wrapping import fit_question, terminal_height, terminal_width
from patience.options import is_on

MIN_BELOW = 5  # lines below a picture that stays in its place
HOME, TO_SCREEN_END = "\x1b[H", "\x1b[J"
Point = Callable[[Event], Union[str, None]]  # takes a key or a click; returns the line that it means
SECONDS_TO_READ = 0.7  # before Enter answers a question behind a command that was a key
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
        self.typed = ""  # a line typed between two pages, which is the answer to the question after them
        self.ended = False  # True once the player has ended the input
        self.has_mouse = is_on("PATIENCE_MOUSE", "1")
        for name in ("SIGWINCH", "SIGCONT"):  # the window was resized, or fg was typed
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), keyboard.note_resize)

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
        choices: answers that arrows walk through, if there are keys to take behind Escape."""
        if self.ended:
            self.write(f"{question}\n")
            return None
        self.question = question
        try:
            self.draw()
            typed, self.typed = self.typed, ""
            if typed:
                return typed
            was_pointed, self.is_pointed = self.is_pointed, False
            if point and self.can_point():
                return self.read_pointed(point, choices)
            if choices and not point and self.can_point():
                seconds = SECONDS_TO_READ * was_pointed
                return read_choice(self.last_line(), choices, seconds_to_read=seconds, redraw=self.redraw)
            line, self.ended = read_lines(self.last_line(), redraw=None if self.scrolls else self.redraw)
            return line
        except EOFError:
            self.ended, self.pending = is_last, ["\n"]
            return None
        except (KeyboardInterrupt, Ended):
            self.pending = []
            raise

    def can_point(self) -> bool:
        """Return True if keys and clicks can be taken one by one, on a picture that is in its place."""
        return bool(self.picture_in_place()) and keyboard.can_point()

    def read_pointed(self, point: Point, choices: Sequence[str]) -> str:
        """Return the line that keys and clicks mean, or the one that is typed. Escape where there is nothing to let go
        lets arrows walk through the choices. Raises EOFError for Ctrl-D."""
        is_ahead = has_input()  # an Enter that was typed before the question could be read answers nothing
        with keyboard.key_by_key(self.has_mouse):
            self.put(self.last_line())
            while (event := keyboard.read_event()).kind != keyboard.TEXT and self.picture_in_place():
                if event.kind == keyboard.END:
                    raise EOFError
                marked, is_early = self.picture(), is_ahead and event.kind == keyboard.ENTER
                line, is_ahead = None if is_early else point(event), is_ahead and has_input()
                if event.kind == keyboard.ESCAPE and self.picture() == marked:
                    keyboard.send(f"\r{TO_LINE_END}")
                    line = read_choice(self.last_line(), choices, can_leave=True, redraw=self.redraw)
                self.is_pointed = line is not None
                if line is not None:
                    return line
                if event.kind in (keyboard.CLICK, keyboard.ENTER, keyboard.SPACE):
                    self.pending = []  # what was said of the last command
                self.draw(pages=False, last=self.last_line())
            marked = self.picture()
            point(event)
        if self.picture() != marked or event.kind == keyboard.REDRAW:
            self.draw(pages=False)
        self.put("\r")
        line, self.ended = read_lines(self.last_line(), event.text, self.redraw)
        return line

    def last_line(self) -> str:
        """Return the last line of the question, after which the player types."""
        return fit_question(self.question, terminal_width()).rpartition("\n")[2]

    def clear_messages(self) -> None:
        """Clear the space below the picture for the answer to the line just typed."""
        self.pending = []

    def draw(self, pages: bool = True, last: str = "") -> None:
        """Show the picture, if there is room for it, the pending texts, and the question except its last line. Texts
        longer than the screen are shown page by page, or left out if pages is False. last: what follows, in the same
        frame."""
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
            frame = (picture if text.count("\n") > room else text) + above + newline + last
            self.put(HOME + frame.replace("\n", f"{TO_LINE_END}\n") + TO_LINE_END + TO_SCREEN_END)

    def show_pages(self, lines: list[str], room: int) -> None:
        """Show a text longer than the screen page by page; Enter, Space or an arrow shows the next page; q, Escape or a
        command skips the rest."""
        while lines:
            self.put(HOME + TO_SCREEN_END + "".join(lines[:room]))
            lines = lines[room:]
            try:
                typed = read_choice(MORE if lines else BACK, (), can_leave=True)
            except (EOFError, KeyboardInterrupt):
                typed = None
            typed = "q" if typed is None else typed.strip()
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
