"""What stands on a player's screen: a picture that stays in its place, what was said, pages, a line half typed.

It knows lines, and nothing of patience.
"""

import contextlib
import math
import re
import shutil
import signal
import sys
import textwrap

import click

from patience import Ended

MIN_WIDTH = 20
MIN_BELOW = 5  # lines below a picture that stays in its place
ROOM = 10  # that a prompt leaves for typing
GAP = 3  # between columns
COLUMN = re.compile(r" *\S+( \S+)*  +")
COMMAND = re.compile("(.*:) ((?:python main.py|patience) .*)")  # what is meant to be copied stays in one piece
MAX_INDENT = 14  # of the rest of a line that was broken
CUT = "..."  # stands for the rest of a line
MORE, BACK = "Enter: more, q: no more ", "Enter: back to the board "


class Screen:
    """The screen of a terminal."""

    def __init__(self, stdout, scrolls, picture):
        """stdout: its stream. scrolls: print one picture below the other instead of keeping it in its place. picture: a
        function that returns it as text, or "" as long as there is none."""
        self.stdout = stdout
        self.scrolls = scrolls
        self.picture = picture
        self.pending = []  # texts to show at the next question, in place of the picture or below it
        self.question = ""  # what is asked
        self.is_typing = False  # True while the player may type the answer
        self.is_drawing = False  # True while a signal has it drawn again
        self.has_drawn = False  # True once the screen was ours
        self.ended = False  # True once the player has ended the input
        for name in ("SIGWINCH", "SIGCONT"):  # the window has another size, or fg was typed
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: self.draw_again())

    @property
    def width(self):
        """The columns of the terminal."""
        return max(MIN_WIDTH, shutil.get_terminal_size().columns)

    def write(self, text):
        """Show text as it is, at the next question at the latest."""
        self.pending.append(text)

    def in_place(self):
        """Return the picture if it is kept in its place, for there is room for it and a few lines; or ""."""
        picture = "" if self.scrolls else self.picture()
        return picture if shutil.get_terminal_size().lines >= picture.count("\n") + MIN_BELOW else ""

    def ask(self, question):
        """Show the question and return the next line, or None at the end and ever after."""
        if self.ended:
            self.write(f"{question}\n")
            return None
        self.question = question
        try:
            self.draw()
            self.is_typing = True
            return self.typed_line()
        except EOFError:
            self.ended, self.pending = True, ["\n"]
            return None
        except KeyboardInterrupt:
            self.pending = []
            raise
        finally:
            self.is_typing = False

    def typed_line(self):
        """Return the line that the player types. Ctrl-C takes back what was typed so far; raises KeyboardInterrupt if
        that is nothing."""
        while True:
            try:
                return input(self.last_line())
            except KeyboardInterrupt as interrupt:
                if isinstance(interrupt, Ended) or not half_typed():
                    raise
                self.put("\n")

    def last_line(self):
        """Return the last line of the question, behind which the player types."""
        return fitting(self.question, self.width).rpartition("\n")[2]

    def answered(self):
        """Begin afresh below the picture: the line that was typed is about to be answered."""
        self.pending = []

    def draw(self, pages=True):
        """Show the picture and what was said, or what was said alone if there is not enough room, and the question but
        for its last line. What is longer than the screen is shown page by page, and with pages=False left out."""
        above, newline, _ = fitting(self.question, self.width).rpartition("\n")
        picture, said = self.in_place(), "".join(self.pending)
        if not picture:
            self.put(said + above + newline)
            self.pending = []
            return
        height = shutil.get_terminal_size().lines
        if not self.has_drawn:
            self.stdout.write("\n" * (height - 1))  # what stands above stays in the terminal's memory
            self.has_drawn = True
        room = height - 1 - (above + newline).count("\n")
        text = picture + said
        if text.count("\n") > room and pages:
            self.show_pages(said.splitlines(keepends=True), room)
            self.pending = []
        click.clear()
        self.put((picture if text.count("\n") > room else text) + above + newline)

    def show_pages(self, lines, room):
        """Show a text that is longer than the screen; Enter and q lead on, and nothing else."""
        while lines:
            click.clear()
            self.put("".join(lines[:room]))
            lines = lines[room:]
            if input(MORE if lines else BACK).strip().lower() in ("q", "quit"):
                break

    def put(self, text):
        """Write text at once."""
        self.stdout.write(text)
        self.stdout.flush()

    def draw_again(self):
        """Show everything again, with what the player has typed so far."""
        if self.is_typing and not self.is_drawing and self.in_place():
            self.is_drawing = True  # the terminal may hold back what is written, and have its size changed again
            try:
                self.draw(pages=False)  # it comes in the middle of input(), which cannot be asked again
                self.put(self.last_line() + half_typed())
            finally:
                self.is_drawing = False

    def leave(self):
        """Write everything that was said, below the last picture if that was in its place."""
        if self.has_drawn:
            click.clear()
            self.pending.insert(0, self.picture())
        self.put("".join(self.pending))


def half_typed():
    """Return what the player has typed so far of a line, where readline knows it."""
    return sys.modules["readline"].get_line_buffer() if "readline" in sys.modules else ""


class Completion:
    """What Tab offers: the lines that can be typed."""

    def __init__(self, candidates):
        """candidates: a function that returns them. Without readline, as on Windows, nothing is offered."""
        self.candidates = candidates
        self.found = []
        with contextlib.suppress(ImportError):
            import readline  # input() edits lines from now on

            readline.set_completer_delims("")
            readline.set_completer(self.complete)
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def complete(self, text, number):
        """Return the line of this number, from 0, that begins with the text, or None."""
        if not number:
            self.found = [line for line in self.candidates() if line.lower().startswith(text.lower())]
        return self.found[number] if number < len(self.found) else None


# Layout


def columns_of(text):
    """Return how many columns a text takes."""
    return max(map(len, text.splitlines()), default=0)


def wrapped(text, width):
    """Return a text with its long lines broken. If two blanks begin a column, the line continues there."""
    return "\n".join(wrapped_line(line, width) for line in text.split("\n"))


def wrapped_line(line, width):
    """Return a line, broken if it is longer than the width."""
    if len(line) <= width:
        return line
    if command := COMMAND.fullmatch(line):
        return f"{wrapped_line(command[1], width)}\n{command[2]}"
    column = COLUMN.match(line)
    indent = column.end() if column and column.end() <= MAX_INDENT else 0
    return textwrap.fill(line, width, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False)


def shortened(line, width):
    """Return a line, cut off if it is longer than the width."""
    return line if len(line) <= width else f"{line[: width - len(CUT)]}{CUT}"


def fitting(question, width):
    """Return a question with its last line broken if that leaves no room to type in."""
    above, newline, last = question.rpartition("\n")
    if len(last) + ROOM <= width:
        return question
    lines = textwrap.wrap(last, width - ROOM, break_on_hyphens=False, break_long_words=False)
    return above + newline + "\n".join(lines) + last[len(last.rstrip()) :]


def in_columns(texts, width):
    """Return short lines in columns, each read from the top down."""
    each = max(map(len, texts)) + GAP
    rows = math.ceil(len(texts) / max(1, (width + GAP) // each))
    return "\n".join("".join(f"{text:<{each}}" for text in texts[row::rows]).rstrip() for row in range(rows))
