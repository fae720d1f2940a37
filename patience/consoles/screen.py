"""A player's screen: a picture that stays in place, the messages below it, pages, a half-typed line.

This module handles lines of text and knows nothing about patience.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import select
import shutil
import signal
import sys
import textwrap
from collections.abc import Callable
from io import TextIOWrapper

import click

from patience import Ended

MIN_WIDTH = 20
MIN_BELOW = 5  # lines below a picture that stays in its place
ROOM = 10  # columns that a prompt leaves for typing
GAP = 3  # between columns
COLUMN = re.compile(r" *\S+( \S+)*  +")
COMMAND = re.compile(r"(.*:) ((?:python \S+|patience) .*)")  # a command to be copied is not broken
MAX_INDENT = 14  # of the continuation of a broken line
CUT = "..."  # stands for the rest of a line
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
        self.is_typing = False  # True while the player may type the answer
        self.is_drawing = False  # True while a signal handler redraws it
        self.has_drawn = False  # True once the screen has been drawn
        self.width = terminal_width()  # when the question was shown last
        self.typed = ""  # a line typed between two pages, which is the answer to the question after them
        self.ended = False  # True once the player has ended the input
        for name in ("SIGWINCH", "SIGCONT"):  # the window was resized, or fg was typed
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: self.draw_again())

    def write(self, text: str) -> None:
        """Show text unchanged, at the next question or earlier."""
        self.pending.append(text)

    def picture_in_place(self) -> str:
        """Return the picture if it stays in place and there is room for it and a few lines; otherwise ""."""
        picture = "" if self.scrolls else self.picture()
        return picture if terminal_height() >= picture.count("\n") + MIN_BELOW else ""

    def ask(self, question: str, is_last: bool = True) -> str | None:
        """Show the question and return the next line, or lines that came together with ; between them; None once the
        input has ended. is_last: Ctrl-D ends the input, and not only this question."""
        if self.ended:
            self.write(f"{question}\n")
            return None
        self.question = question
        try:
            self.draw()
            self.is_typing, self.width = True, terminal_width()
            typed, self.typed = self.typed, ""
            if typed:
                return typed
            line, self.ended = read_lines(self.last_line())
            return line
        except EOFError:
            self.ended, self.pending = is_last, ["\n"]
            return None
        except (KeyboardInterrupt, Ended):
            self.pending = []
            raise
        finally:
            self.is_typing = False

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
            click.clear()
            self.put((picture if text.count("\n") > room else text) + above + newline)

    def show_pages(self, lines: list[str], room: int) -> None:
        """Show a text longer than the screen page by page; Enter shows the next page, q or a command skips the rest."""
        while lines:
            click.clear()
            self.put("".join(lines[:room]))
            lines = lines[room:]
            try:
                typed = input(MORE if lines else BACK).strip()
            except (EOFError, KeyboardInterrupt):
                typed = "q"
            if typed:
                self.typed = "" if typed.lower() in ("q", "quit") else typed
                break

    def put(self, text: str) -> None:
        """Write text at once."""
        self.stdout.write(text)
        self.stdout.flush()

    def draw_again(self) -> None:
        """Show everything again, with what the player has typed so far."""
        if self.is_typing and not self.is_drawing:
            self.is_drawing = True  # writing may block, and the window may be resized again meanwhile
            line = self.last_line() + get_half_typed()
            try:
                if self.picture_in_place():
                    self.draw(pages=False)  # this runs inside input(), which cannot be restarted
                    self.put(line + "\n" * (len(line) // self.width))  # readline goes up as many lines as it had
            finally:
                self.is_drawing, self.width = False, terminal_width()

    def leave(self) -> None:
        """Write all pending texts, below the last picture if it stayed in place."""
        if self.has_drawn:
            click.clear()
            self.pending.insert(0, self.picture())
        self.put("".join(self.pending))


def read_lines(question: str) -> tuple[str, bool]:
    """Return the line that the player types, and whether the input has ended behind it. Lines that came together,
    pasted or typed ahead, are one, with ; between them. An empty line that was typed before the question could be read
    answers nothing."""
    is_ahead = has_input()
    line = read_line(question)
    while is_ahead and not line:
        is_ahead = has_input()
        line = read_line(question)
    text, ended = line, False
    while not ended and has_input():
        try:
            text += f"\n{read_line('')}"
        except EOFError:
            ended = True
    lines = text.split("\n")  # also those of a text that was pasted into the line
    return ";".join(line for line in lines if not line.startswith("#") or not lines[1:]), ended


def has_input() -> bool:
    """Return True if the player has typed something that is not read yet, as far as the system can tell."""
    try:
        return sys.stdin.isatty() and bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # Windows
        return False


def read_line(question: str) -> str:
    """Return the line that the player types. Ctrl-C discards a half-typed line; if nothing was typed, it raises
    KeyboardInterrupt."""
    while True:
        try:
            return input(question)
        except KeyboardInterrupt:
            if not get_half_typed():
                raise
            print()


def get_half_typed() -> str:
    """Return the part of a line typed so far, or "" without readline."""
    return sys.modules["readline"].get_line_buffer() if "readline" in sys.modules else ""


class Completion:
    """Tab completion of the lines that can be typed."""

    def __init__(self, candidates: Callable[[], list[str]]) -> None:
        """Without readline, as on Windows, nothing is offered."""
        self.candidates = candidates
        self.found = []
        if is_dumb():  # readline cannot show what is found
            return
        with contextlib.suppress(ImportError):
            import readline  # input() edits lines from now on

            readline.set_completer_delims("")
            readline.set_completer(self.complete)
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def complete(self, text: str, number: int) -> str | None:
        """Return the candidate with this index, from 0, that begins with the text, or None."""
        if not number:
            self.found = [line for line in self.candidates() if line.lower().startswith(text.lower())]
        return self.found[number] if number < len(self.found) else None


# Layout


def is_dumb() -> bool:
    """Return True if the terminal cannot move its cursor."""
    return os.environ.get("TERM", "dumb") == "dumb"


def terminal_width() -> int:
    """Return the columns of the terminal."""
    return max(MIN_WIDTH, shutil.get_terminal_size().columns)


def terminal_height() -> int:
    """Return the lines of the terminal."""
    return shutil.get_terminal_size().lines


def columns_of(text: str) -> int:
    """Return how many columns a text takes."""
    return max(map(len, text.splitlines()), default=0)


def wrap_text(text: str, width: int) -> str:
    """Return a text with its long lines broken. If two blanks set off a column, the continuation is indented to it."""
    return "\n".join(wrap_line(line, width) for line in text.split("\n"))


def wrap_line(line: str, width: int) -> str:
    """Return a line, broken if it is longer than the width."""
    if len(line) <= width:
        return line
    if command := COMMAND.fullmatch(line):
        return f"{wrap_line(command[1], width)}\n{command[2]}"
    column = COLUMN.match(line)
    indent = column.end() if column and column.end() <= MAX_INDENT else 0
    return textwrap.fill(line, width, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False)


def shorten(line: str, width: int) -> str:
    """Return a line, cut off if it is longer than the width."""
    return line if len(line) <= width else f"{line[: width - len(CUT)]}{CUT}"


def fit_question(question: str, width: int) -> str:
    """Return a question, its last line broken if it leaves no room for typing."""
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
