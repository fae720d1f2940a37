"""The player's end of a sitting: a terminal, a pipe or a file."""

import contextlib
import io
import os
import re
import sys

import click

RED_CARD = re.compile(r"(?:10|[2-9AJQK])[♦♥]")
SYMBOLS = "♣♦♥♠"
LETTERS = str.maketrans(SYMBOLS, "CDHS")
CHUNK = 1 << 16


class Silent:
    """Nobody's end: what a journal's lines are answered to."""

    shows = edits = False

    def say(self, text):
        """Show nothing."""

    def show_board(self, sitting):
        """Show nothing."""


class Console:
    """The player's end of the sitting: a terminal, a pipe or a file. Says text, asks for lines."""

    def __init__(self, stdin, stdout, ascii_only=False):
        """stdin, stdout: text streams, such as those of sys; None for one that is closed. What is
        printed from now on goes the same way as what is said."""
        self.stdin = stdin or io.TextIOWrapper(io.BytesIO())
        self.stdout = stdout or io.TextIOWrapper(io.BytesIO())
        self.ended = False  # whether the player at a terminal has ended the input
        self.before_waiting = None  # a function that is called before the player is waited for
        self.shows = self.stdout.isatty()
        plain_wanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self.colors = self.shows and not plain_wanted
        self.symbols = not self.shows or can_encode(SYMBOLS, self.stdout.encoding)
        self.symbols = self.symbols and not ascii_only
        self.plain = self.symbols and not self.colors
        self.edits = self.shows and self.stdin.isatty()
        if self.shows:
            self.stdout.reconfigure(errors="replace")
        else:
            self.stdout = for_scripts(self.stdout)
        sys.stdout = self.stdout
        if self.edits:
            self.stdin.reconfigure(errors="replace")
            with contextlib.suppress(ImportError):  # there is none on Windows
                import readline  # noqa: F401: input() edits lines from now on
        else:
            self.lines = lines_of(self.stdin.buffer, self.flush)

    def say(self, text):
        """Show text to the player: red suits in red, or letters for suits, where that is due."""
        if self.colors:
            text = RED_CARD.sub(lambda card: click.style(card[0], fg="red"), text)
        if not self.symbols:
            text = text.translate(LETTERS)
        self.stdout.write(text)

    def show_board(self, sitting):
        """Show the board of the sitting's game."""
        if self.plain:
            sitting.rules.display(sitting.game)
        else:
            with contextlib.redirect_stdout(io.StringIO()) as text:
                sitting.rules.display(sitting.game)
            self.say(text.getvalue())

    def flush(self):
        """See to it that everything said is shown, before the player is waited for."""
        self.stdout.flush()
        if self.before_waiting:
            self.before_waiting()

    def ask(self, prompt):
        """Show the prompt and return the next line that is not a comment, or None at the end."""
        line = self.read(prompt)
        while line is not None and line.startswith("#"):
            line = self.read("")
        return line

    def read(self, prompt):
        """Show the prompt and return the next line, or None at the end of input and ever after."""
        if not self.edits:
            self.say(prompt)
            return next(self.lines, None)
        if self.ended:
            self.say(f"{prompt}\n")
            return None
        above, newline, last = prompt.rpartition("\n")
        self.say(above + newline)
        self.flush()
        try:
            return input(last)
        except EOFError:
            self.say("\n")
            self.ended = True
            return None


def can_encode(text, encoding):
    """Return True if a stream of this encoding can show the text."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def for_scripts(stdout):
    """Return the stream for output to a pipe or file: UTF-8, \\n, and written in large pieces."""
    try:
        descriptor = stdout.fileno()
    except OSError:
        return stdout  # a test's own stream, without a file behind it
    return open(
        descriptor, "w", buffering=CHUNK, encoding="utf-8", newline="\n", closefd=False
    )


def lines_of(stream, flush):
    """Yield the lines of a byte stream as text, without their ends, as soon as they are there.

    Whenever more has to be read, which may mean to wait, flush is called first.
    """
    line = []
    while True:
        flush()
        chunk = stream.read1(CHUNK)
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        line.append(first)
        for part in others:
            yield b"".join(line).decode("utf-8", "replace")
            line = [part]
    if any(line):
        yield b"".join(line).decode("utf-8", "replace")
