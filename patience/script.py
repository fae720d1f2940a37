"""A plain program: it plays the games of one module by its commands, help, quit, y and n. Bytes in, bytes out, and
nothing else: what the table offers besides, such as undo, hints and cards by name, is not for scripts.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from patience import ExitStatus, end
from patience.decks import replaced
from patience.rules import MissingMethod, NotUnderstood, Refused, check, deal, load, read
from patience.text import LETTERS, can_show, commands_in, tidy

if TYPE_CHECKING:
    from types import ModuleType

    from patience import Position
    from patience.rules import Rules

AGAIN = "Do you want to play again (y/n)?"
THANKS = "Thank you for playing."
HELP = ("help", "h", "?")
QUIT = ("quit", "q")
HELP_LINES = "help, h     show the commands\nquit, q     end the game"
WIDTH = 80
CHUNK = 1 << 16


class Plain:
    """The prompt loop, line by line. It prints; what it prints is written by whoever runs it."""

    def __init__(self, rules: Rules, deal: Callable[[], Position]) -> None:
        """deal: returns the position of the next game."""
        self.rules, self.deal = rules, deal
        self.position: Position = None
        self.asks_again = False  # the question is whether to play again
        self.has_left = False
        self.refusal = ""  # of the last line, if it was refused
        self.count = 0  # moves made since the deal

    @property
    def question(self) -> str:
        """What is asked next."""
        return AGAIN if self.asks_again else self.rules.PROMPT

    def begin(self) -> None:
        """Deal a game, and show its title and its board."""
        self.position, self.asks_again, self.count = self.deal(), False, 0
        print(self.rules.TITLE)
        self.show()

    def show(self) -> None:
        """Show the board, and the end of the game, if it has come."""
        self.rules.display(self.position)
        end = "You won!" if self.rules.check_win(self.position) else self.rules.check_loss(self.position)
        if end:
            print(tidy(end))
            self.asks_again = True

    def answer(self, line: str | None) -> None:
        """Answer a line, None for the end of the input: each of its commands, up to the first that is refused."""
        self.refusal = ""
        if line is None:
            if not self.asks_again:
                print(AGAIN, end="")
            self.leave()
            return
        for command in [line] if self.rules.parses_own_lines else commands_in(line):
            try:
                self.carry_out(command.strip())
            except Refused as refusal:
                self.refusal = str(refusal)
                print(refusal)
            if self.refusal or self.has_left:
                return

    def carry_out(self, command: str) -> None:
        """Carry out a command. Raises Refused, with nothing changed, if that is not possible now."""
        word = command.lower()
        if self.asks_again:
            if word not in ("y", "n"):
                raise NotUnderstood
            self.begin() if word == "y" else self.leave()
        elif word in QUIT[1:] if self.rules.parses_own_lines else word in QUIT:
            self.asks_again = True
        elif word in HELP and not self.rules.parses_own_lines:
            print(f"{self.rules.COMMANDS}{HELP_LINES}")
        else:
            self.make(command)

    def make(self, command: str) -> None:
        """Make a move, and show what it did, or the text of a move that only looks."""
        move = read(self.rules, command)
        check(self.rules, self.position, move)
        if look := self.rules.VIEWS.get(move[0]):
            print(click.wrap_text(tidy(look(self.position, *move[1:])), WIDTH))
            return
        message = tidy(self.rules.perform(self.position, *move))
        self.count += 1
        if message:
            print(message)
        self.show()

    def leave(self) -> None:
        """Leave."""
        self.has_left = True
        print(THANKS)


def main(name: str) -> None:
    """Play a game whose module Python runs as a program, with the first choice of each of its options. name: of the
    module."""
    if sys.argv[1:]:
        sys.exit(f"Usage: python {name}.py, without arguments; its options are those of: python main.py {name}")
    rules, status, message = load(name), ExitStatus.DONE, ""
    stdin: Any = sys.stdin
    stdout: Any = sys.stdout
    options = {option: choices[0] for option, choices in rules.OPTIONS.items()}
    is_ascii = stdout.isatty() and not can_show(stdout, "♣♦♥♠")
    try:
        run(rules, lambda: deal(rules, options), stdin, stdout, is_ascii)
    except KeyboardInterrupt:
        status, message = ExitStatus.INTERRUPTED, "Interrupted."
    except BrokenPipeError:
        status = ExitStatus.FAILED
    except MissingMethod as error:
        status, message = ExitStatus.FAILED, f"Error: {error}"
    sys.exit(end(status, message))


def run(
    rules: Rules, deal: Callable[[], Position], stdin: TextIOWrapper, stdout: TextIOWrapper, is_ascii: bool
) -> None:
    """Play games until the input ends or says so. stdin, stdout: the streams of sys. is_ascii: print letters for
    suits."""
    with prints_to(stdout, is_ascii) as out:
        plain, lines = Plain(rules, deal), typed_lines(stdin.buffer, out.flush)
        plain.begin()
        while not plain.has_left:
            out.write(plain.question)
            plain.answer(next(lines, None))


def run_main(
    module: ModuleType, options: dict[str, int], stdin: TextIOWrapper, stdout: TextIOWrapper, is_ascii: bool
) -> None:
    """Run the main() of a game's module, which asks by input(). options: for main(). The others as for run."""
    with prints_to(stdout, is_ascii) as out:
        lines = without_first_line(lines_of(stdin.buffer, out.flush), module.__name__)

        def read_line(prompt: str = "") -> str:
            out.write(prompt)
            line = next(lines, None)
            if line is None:
                raise EOFError
            return line

        with replaced(module, "input", read_line):  # the builtin writes out each prompt by itself
            module.main(**options)


@contextlib.contextmanager
def prints_to(stdout: TextIOWrapper, is_ascii: bool) -> Iterator[Any]:
    """Let print() write to a stream as a script is answered: UTF-8, \\n, in large pieces; give that stream."""
    out: Any = open_for_scripts(stdout)
    before, sys.stdout = sys.stdout, InLetters(out) if is_ascii else out
    try:
        yield sys.stdout
    finally:
        sys.stdout = before
        out.flush()


class InLetters:
    """A stream that writes letters for the symbols of suits."""

    def __init__(self, stream: TextIOWrapper) -> None:
        self.stream = stream
        self.flush = stream.flush

    def write(self, text: str) -> None:
        """Write a text."""
        self.stream.write(text.translate(LETTERS))


def open_for_scripts(stdout: TextIOWrapper) -> TextIOWrapper:
    """Return the stream for output to a pipe or file: UTF-8, \\n, and written in large pieces."""
    try:
        descriptor = stdout.fileno()
    except OSError:
        return stdout  # a test's own stream, without a file behind it
    return open(descriptor, "w", buffering=CHUNK, encoding="utf-8", newline="\n", closefd=False)


def typed_lines(stream: Any, flush: Callable[[], None]) -> Iterator[str]:
    """Yield the lines of a script but for its comments, which begin with #. stream, flush: as for lines_of."""
    return (line for line in lines_of(stream, flush) if not line.startswith("#"))


def without_first_line(lines: Iterator[str], name: str) -> Iterator[str]:
    """Yield the lines but for a first one that says how the game with this name is dealt: # montana --seed 8."""
    for number, line in enumerate(lines):
        if number or line.split()[:2] != ["#", name]:
            yield line


def lines_of(stream: Any, flush: Callable[[], None]) -> Iterator[str]:
    """Yield the lines of a byte stream as text, without line ends and byte order mark, as soon as they arrive. Call
    flush before each read, which may block."""
    line, encoding = [], "utf-8-sig"
    while True:
        flush()
        chunk = stream.read1(CHUNK)
        if not chunk:
            break
        first, *rest = chunk.split(b"\n")
        line.append(first)
        for part in rest:
            yield b"".join(line).decode(encoding, "replace")
            line, encoding = [part], "utf-8"
    if any(line):
        yield b"".join(line).decode(encoding, "replace")
