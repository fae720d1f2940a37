"""The frame: everything around a game. Eight words have one meaning everywhere:

deal        how a game is dealt: its rules, options, and number or cards
position    the cards on the table, in the form of the game's own module
pile        a list of cards in a position; column 3, waste, foundation 1 are names of piles
place       a pile and an index in it, where a card lies
move        what a game module knows: a word and numbers, ("TT", 3, 5)
command     what a player asked for once: one move, or several, such as a run of draws
effect      what a move or a command does, as data: which cards go where
reply       what a word or a line is answered with: a text, or several
"""

from __future__ import annotations

import enum
import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Union

PACKAGE = Path(__file__).parent
# The folder of the course's files: cards.py, main.py and one for each game. In a wheel it lies in the package, so that
# nothing called cards or main lies among other libraries; in a checkout it is the top folder.
COURSE = PACKAGE / "course" if not PACKAGE.is_dir() or (PACKAGE / "course").is_dir() else PACKAGE.parent
if str(COURSE) not in sys.path:
    sys.path.insert(0, str(COURSE))

Position = Any  # its form is up to the game
Move = tuple[Any, ...]
Pair = tuple[int, int]  # the rank and the suit of a card
Pile = tuple[str, list[Any], Union[int, None]]  # its name, its cards, and how many on top can be seen, or None for all


class ShowBoard(NamedTuple):
    """A reply that shows the board."""

    effect: Any = None  # the Effect that led to it
    messages: Sequence[str] = ()  # of the game
    heading: str = ""  # above them


Reply = Union[str, list[str], ShowBoard, tuple[Any, ...], None]  # a list: short texts; a tuple: several replies

VERSION = "1.0"


class ExitStatus(enum.IntEnum):
    """The program's exit statuses; a wrong option gives click's own, 2."""

    DONE = 0
    FAILED = 1  # also: a deal cannot be won, a submission does not have full points
    UNDECIDED = 3  # the time ran out; a submission could not be graded
    INTERRUPTED = 130  # Ctrl-C


class Ended(BaseException):
    """SIGTERM or SIGHUP: the program ends as with Ctrl-C, even when Ctrl-C would only discard a half-typed line."""


def is_terminal_gone(error: BaseException) -> bool:
    """Return True for an error of a terminal whose window was closed, as opposed to an error of a file, or a bug."""
    is_of_terminal = isinstance(error, OSError) and error.errno == errno.EIO and error.filename is None
    return is_of_terminal or type(error).__module__ == "termios"  # termios.error; Windows has no such module


def flush_and_say(status: ExitStatus, message: str) -> ExitStatus:
    """Flush the output and show the message; anything that cannot be written, because a pipe or a terminal is gone, is
    discarded. Return the exit status."""
    is_interrupted = status == ExitStatus.INTERRUPTED and sys.stdout and sys.stdout.isatty()
    for stream, text in ((sys.stdout, ""), (sys.stderr, ("\n" if is_interrupted else "") + message if message else "")):
        try:
            if text:
                print(text, file=stream, flush=True)
            elif stream:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status
