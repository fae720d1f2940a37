"""Runs a game's own program, its main(): gives it its seed, its deck, its options and its streams. Bytes in, bytes
out."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterator
from typing import Any

import click

from patience import options
from patience.decks import Deal, dealing, replaced
from patience.rules import missing_methods_told
from patience.text import shell_line

CHUNK = 1 << 16


class NoMain(click.ClickException):
    """A game's module has no main(), so it cannot be run. str() is a sentence."""

    exit_code = click.UsageError.exit_code


def run(deal: Deal, typed: dict[str, str]) -> None:
    """Run the main() of a game's module. Each of its deals takes the cards of deal, if it has any. typed: the game's
    options that were typed, name -> choice. Raises NoMain and MissingMethod."""
    module, name = deal.rules.module, deal.rules.name
    if not hasattr(module, "main"):
        raise NoMain(f"{name} has no main() yet: {shell_line(f'play {name}')}")
    initialize: Any = getattr(module, "initialize", None)

    def deal_cards(*arguments: Any, **choices: Any) -> Any:
        with dealing(deal.cards or (), module):
            return initialize(*arguments, **choices)

    with contextlib.ExitStack() as stack:
        stack.enter_context(bytes_in_and_out(deal))
        stack.enter_context(missing_methods_told())
        if deal.cards and initialize:
            stack.enter_context(replaced(module, "initialize", deal_cards))
        if deal.number is not None:
            random.seed(deal.number)
        with contextlib.suppress(EOFError):  # a main() may leave the end of the input to its caller
            module.main(**typed)


@contextlib.contextmanager
def bytes_in_and_out(deal: Deal) -> Iterator[None]:
    """Within this context, a game's module reads and prints as in a pipe: UTF-8 and \\n, and its output is written in
    large pieces, each before the next line is read. Streams that have no bytes, as in some editors, are used as they
    are."""
    if not hasattr(sys.stdin, "buffer") or not hasattr(sys.stdout, "buffer"):
        yield
        return
    out, before = open_for_bytes(sys.stdout), sys.stdout
    lines = without_first_line(lines_of(out), deal)

    def read_line(prompt: str = "") -> str:
        out.write(prompt)
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    sys.stdout = out
    try:
        with replaced(deal.rules.module, "input", read_line):  # the builtin writes out each prompt separately
            yield
    finally:
        sys.stdout = before
        out.flush()


def open_for_bytes(stdout: Any) -> Any:
    """Return a stream for the same output: UTF-8, \\n, and written in large pieces."""
    try:
        descriptor = stdout.fileno()
    except OSError:
        return stdout  # a test's own stream, without a file behind it
    return open(descriptor, "w", buffering=CHUNK, encoding="utf-8", newline="\n", closefd=False)


def without_first_line(lines: Iterator[str], deal: Deal) -> Iterator[str]:
    """Yield the lines, except for the first line of a saved game: # klondike --draw 1 --seed 8."""
    for number, line in enumerate(lines):
        if number or not options.passes_over(line, deal):
            yield line


def lines_of(out: Any) -> Iterator[str]:
    """Yield the lines of standard input as text, without line ends or a byte order mark, as soon as they arrive. out:
    flushed before each read, which may block."""
    line, encoding = [], "utf-8-sig"
    while True:
        out.flush()
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
