"""A plain program that plays the games of one module and accepts the module's commands, help, quit, y and n. Bytes in,
bytes out, and nothing else: undo, hints, cards by name and the rest of the table are not for scripts."""

from __future__ import annotations

import contextlib
import itertools
import random
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from patience import ExitStatus, end
from patience.decks import Deal, dealing, replaced
from patience.rules import MissingMethod, NotUnderstood, Refused, check, load, read
from patience.rules import deal as deal_cards
from patience.text import LETTERS, SIGNS, can_show, commands_in, error_text, tidy

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
    """The prompt loop, line by line. It calls print(); the caller writes out what it prints."""

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
        """The next question."""
        return AGAIN if self.asks_again else self.rules.PROMPT

    def begin(self) -> None:
        """Deal a game, and show its title and its board."""
        self.position, self.asks_again, self.count = self.deal(), False, 0
        print(self.rules.TITLE)
        self.show()

    def show(self) -> None:
        """Show the board and, if the game is over, its outcome."""
        self.rules.display(self.position)
        outcome = "You won!" if self.rules.check_win(self.position) else self.rules.check_loss(self.position)
        if outcome:
            print(tidy(outcome))
            self.asks_again = True

    def answer(self, line: str | None) -> None:
        """Answer each command in a line (None for the end of the input), up to the first that is refused."""
        self.refusal = ""
        if line is None:
            if not self.asks_again:
                print(AGAIN, end="")
            self.leave()
            return
        for command in commands_in(line):
            try:
                self.carry_out(command.strip())
            except Refused as refusal:
                self.refusal = str(refusal)
                print(refusal)
            if self.refusal or self.has_left:
                return

    def carry_out(self, command: str) -> None:
        """Carry out a command. Raises Refused, with nothing changed, if the command is not possible now."""
        word = command.lower()
        if self.asks_again:
            if word not in ("y", "n"):
                raise NotUnderstood
            self.begin() if word == "y" else self.leave()
        elif word in QUIT:
            self.asks_again = True
        elif word in HELP:
            print(f"{self.rules.COMMANDS}{HELP_LINES}")
        else:
            self.make(command)

    def make(self, command: str) -> None:
        """Make a move, and show what it did; if a command only shows something, show its text."""
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
    """Play a game whose module Python runs as a program, with the first choice for each of its options. name: the
    module's name."""
    if sys.argv[1:]:
        sys.exit(f"Usage: python {name}.py, without arguments; its options are those of: python main.py {name}")
    rules, status, message = load(name), ExitStatus.DONE, ""
    first_choices = {option: choices[0] for option, choices in rules.OPTIONS.items()}
    try:
        play(Deal(rules, first_choices), itertools.repeat(None))
    except KeyboardInterrupt:
        status, message = ExitStatus.INTERRUPTED, "Interrupted."
    except BrokenPipeError:
        status = ExitStatus.FAILED
    except OSError as error:
        status, message = ExitStatus.FAILED, f"Error: {error_text(error)}"
    except MissingMethod as error:
        status, message = ExitStatus.FAILED, f"Error: {error}"
    sys.exit(end(status, message))


def play(deal: Deal, numbers: Iterator[int | None]) -> None:
    """Play with main() of the game's module, or with the prompt loop. numbers: the deal numbers, in order; None
    continues the random stream."""

    def initialize_next() -> Any:
        with replaced(module, "initialize", initialize):  # the search for a winnable deal deals cards, too
            seed_next(numbers)
            with dealing(deal.cards or ()):
                return initialize()

    module = deal.rules.module
    if not hasattr(module, "main"):
        run(deal.rules, lambda: deal_next(deal, numbers))
        return
    initialize = module.initialize
    counts = {name: int(choice) for name, choice in deal.options.items() if choice != deal.rules.OPTIONS[name][0]}
    with replaced(module, "initialize", initialize_next):
        run_main(module, counts)


def seed_next(numbers: Iterator[int | None]) -> None:
    """Seed random with the next number, unless it is None."""
    if (number := next(numbers)) is not None:
        random.seed(number)


def deal_next(deal: Deal, numbers: Iterator[int | None]) -> Position:
    """Return the position of the next game. numbers: as for play."""
    seed_next(numbers)
    return deal_cards(deal.rules, deal.options, deal.cards or ())


def run(rules: Rules, deal: Callable[[], Position]) -> None:
    """Play games until the input ends, or the script quits. deal: as for Plain."""
    with prints_to_pipe() as out:
        plain, lines = Plain(rules, deal), typed_lines(out.flush)
        plain.begin()
        while not plain.has_left:
            out.write(plain.question)
            plain.answer(next(lines, None))


def run_main(module: ModuleType, options: dict[str, int]) -> None:
    """Run the main() of a game's module, which asks with input(). options: for main()."""
    with prints_to_pipe() as out:
        lines = without_first_line(lines_of(out.flush), module.__name__)

        def read_line(prompt: str = "") -> str:
            out.write(prompt)
            line = next(lines, None)
            if line is None:
                raise EOFError
            return line

        # The builtin writes out each prompt separately. A main() may leave the end of the input to its caller.
        with replaced(module, "input", read_line), contextlib.suppress(EOFError):
            module.main(**options)


@contextlib.contextmanager
def prints_to_pipe() -> Iterator[Any]:
    """Let print() write as to a script: UTF-8, \\n, in large pieces; give the stream. A terminal that cannot show the
    suits gets letters."""
    out: Any = open_for_scripts(sys.stdout)
    before, sys.stdout = sys.stdout, InLetters(out) if out.isatty() and not can_show(sys.stdout, SIGNS) else out
    try:
        yield sys.stdout
    finally:
        sys.stdout = before
        out.flush()


class InLetters:
    """A stream that writes letters instead of suit symbols."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.flush = stream.flush

    def write(self, text: str) -> None:
        """Write a text."""
        self.stream.write(text.translate(LETTERS))


def open_for_scripts(stdout: Any) -> Any:
    """Return the stream for output to a pipe or file: UTF-8, \\n, and written in large pieces."""
    try:
        descriptor = stdout.fileno()
    except OSError:
        return stdout  # a test's own stream, without a file behind it
    return open(descriptor, "w", buffering=CHUNK, encoding="utf-8", newline="\n", closefd=False)


def typed_lines(flush: Callable[[], None]) -> Iterator[str]:
    """Yield the lines of a script except its comments, which begin with #. flush: as for lines_of."""
    return (line for line in lines_of(flush) if not line.startswith("#"))


def without_first_line(lines: Iterator[str], name: str) -> Iterator[str]:
    """Yield the lines, except for a first line that gives the deal for the game with this name: # montana --seed 8."""
    for number, line in enumerate(lines):
        if number or line.split()[:2] != ["#", name]:
            yield line


def lines_of(flush: Callable[[], None]) -> Iterator[str]:
    """Yield the lines of standard input as text, without line ends or a byte order mark, as soon as they arrive. flush:
    called before each read, which may block."""
    line, encoding = [], "utf-8-sig"
    while True:
        flush()
        chunk = sys.stdin.buffer.read1(CHUNK)  # type: ignore[union-attr]
        if not chunk:
            break
        first, *rest = chunk.split(b"\n")
        line.append(first)
        for part in rest:
            yield b"".join(line).decode(encoding, "replace")
            line, encoding = [part], "utf-8"
    if any(line):
        yield b"".join(line).decode(encoding, "replace")
