"""The player's end of a sitting: a terminal, a pipe or a file."""

import contextlib
import io
import os
import re
import sys

import click

RED_CARD = re.compile(r"(?:10|[2-9AJQK])[♦♥]")
SYMBOLS = "♣♦♥♠"
LETTERS = str.maketrans(SYMBOLS + "·", "CDHS-")
LEAST_WIDTH = 20
CHUNK = 1 << 16


class Silent:
    """Nobody's end: what a journal's lines are answered to."""

    is_silent = True
    shows = edits = False
    width = None

    def flush(self):
        """Show nothing."""

    def say(self, text):
        """Show nothing."""

    def say_list(self, texts):
        """Show nothing."""

    def show_board(self, sitting, moved):
        """Show nothing."""


class Console:
    """The player's end of the sitting: a terminal, a pipe or a file. Says text, asks for lines."""

    is_silent = False

    def __init__(self, stdin, stdout, ascii_only=False):
        """stdin, stdout: text streams, such as those of sys; None for one that is closed. What is
        printed from now on goes the same way as what is said."""
        self.stdin = stdin or io.TextIOWrapper(io.BytesIO())
        self.stdout = stdout or io.TextIOWrapper(io.BytesIO())
        self.ended = False  # whether the player at a terminal has ended the input
        self.warned = False  # whether it was said that the terminal is too narrow
        self.candidates = list  # a function that returns the lines that can be typed
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
                import readline  # input() edits lines from now on

                readline.set_completer_delims("")
                readline.set_completer(self.completion)
                readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "")
                                        else "tab: complete")
        else:
            self.lines = lines_of(self.stdin.buffer, self.flush)

    @property
    def width(self):
        """The columns of the terminal of a player, or None where there is none."""
        if not self.edits:
            return None
        import shutil  # only here, as it is slow to start: every import at the top is paid for at every start

        return max(LEAST_WIDTH, shutil.get_terminal_size().columns)

    def completion(self, text, number):
        """Return the line of this number, from 0, that can be typed and begins with the text, or None."""
        if not number:
            self.completions = [line for line in self.candidates() if line.lower().startswith(text.lower())]
        return self.completions[number] if number < len(self.completions) else None

    def say(self, text, dim=False):
        """Show text to the player, wrapped to the terminal. dim: where there are colours, it is dim."""
        if self.edits:
            import patience.screen

            text = patience.screen.wrapped(text, self.width)
        self.write(text, dim)

    def write(self, text, dim=False):
        """Show text as it is: red suits in red, or letters for suits, where that is due."""
        if self.colors and dim:
            text = click.style(text, dim=True)
        elif self.colors:
            text = RED_CARD.sub(lambda card: click.style(card[0], fg="red"), text)
        if not self.symbols:
            text = text.translate(LETTERS)
        self.stdout.write(text)

    def say_list(self, texts):
        """Show short lines; to a player at a terminal in columns."""
        text = "".join(f"{text}\n" for text in texts)
        if self.edits:
            import patience.screen

            text = patience.screen.in_columns(texts, self.width)
        self.say(text)

    def show_board(self, sitting, moved=None):
        """Show the board of the sitting's game; at a player's terminal the card that was moved stands out."""
        if self.plain and not self.edits:
            sitting.rules.display(sitting.game)
            return
        import patience.screen

        if not self.edits:
            self.write(patience.screen.shown_by(sitting.rules.display, sitting.game))
            return
        display, text = patience.screen.board(sitting.rules, sitting.game, self.width)
        needed = patience.screen.columns_of(text)
        if needed > self.width and not self.warned:
            self.warned = True
            self.say(f"This board needs {needed} columns; the terminal has {self.width}.\n")
        if self.colors:
            places = patience.screen.places_of(moved, text, display, sitting.game) if moved else []
            text = patience.screen.styled(text, places)
        self.write(text)

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
            self.write(prompt)
            return next(self.lines, None)
        if self.ended:
            self.say(f"{prompt}\n")
            return None
        import patience.screen

        above, newline, last = patience.screen.fitting_prompt(prompt, self.width).rpartition("\n")
        self.write(above + newline)
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
