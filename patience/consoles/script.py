"""The console of a script: bytes in, bytes out, and nothing else."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from patience.consoles import Console, View

if TYPE_CHECKING:
    from patience import Position

LETTERS = str.maketrans("♣♦♥♠·—", "CDHS--")
CHUNK = 1 << 16


class Script(Console):
    """The console of a script: UTF-8, the same bytes everywhere."""

    def __init__(self, stdin: TextIOWrapper, stdout: TextIOWrapper, ascii_only: bool = False) -> None:
        """stdin, stdout: the text streams of sys. From now on print() writes there too."""
        self.stdout = sys.stdout = open_for_scripts(stdout)
        self.ascii_only = ascii_only
        self.lines = lines_of(stdin.buffer, self.stdout.flush)

    def write(self, text: str) -> None:
        """Show text unchanged, except for letters instead of suit symbols if wanted."""
        self.stdout.write(text.translate(LETTERS) if self.ascii_only else text)

    def say(self, text: str | list[str]) -> None:
        """Show a text, or several, with a newline after each."""
        self.write("\n".join([text] if isinstance(text, str) else text) + "\n")

    def show(self, view: View) -> None:
        """Show the messages and the board."""
        for message in view.messages:
            self.say(message)
        display, position = view.game.rules.display, view.game.position
        if self.ascii_only:
            self.write(capture_display(display, position))
        else:
            display(position)

    def ask(self, question: str) -> str | None:
        """Show the question and return the next line that is not a comment, or None at the end."""
        self.write(question)
        return next((line for line in self.lines if not line.startswith("#")), None)

    def close(self) -> None:
        """Flush the output."""
        self.stdout.flush()


def capture_display(display: Callable[[Position], None], position: Position) -> str:
    """Return what a game's display prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        display(position)
    return text.getvalue()


def open_for_scripts(stdout: TextIOWrapper) -> TextIOWrapper:
    """Return the stream for output to a pipe or file: UTF-8, \\n, and written in large pieces."""
    try:
        descriptor = stdout.fileno()
    except OSError:
        return stdout  # a test's own stream, without a file behind it
    return open(descriptor, "w", buffering=CHUNK, encoding="utf-8", newline="\n", closefd=False)


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
