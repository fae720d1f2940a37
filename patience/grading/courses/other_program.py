"""What is right besides a session's own answers, and what kind of answer each command asks for: nothing more than the
session says, unless a Course has its own game beside the student's."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from patience.grading.courses import answers
from patience.positions import preserve_random_state

if TYPE_CHECKING:
    from patience.grading.courses.script import Session
    from patience import Position

OPENING, MOVE, REFUSED, RANGE, INVALID, SHUFFLE, NO_SHUFFLE, WIN, LOSS, AGAIN, END, WORD = (
    "opening", "move", "refused move", "out of range", "invalid input", "shuffle", "no shuffle left", "win", "loss",
    "another game", "end", "word",
)  # fmt: skip
MAY_END = (WIN, LOSS, AGAIN, END)
PAIRS = {REFUSED: MOVE, NO_SHUFFLE: SHUFFLE}  # kinds that count as one, with the smaller of their shares
SHOW_A_BOARD = (OPENING, MOVE, SHUFFLE, WIN, LOSS, AGAIN)


class Right(NamedTuple):
    """A right answer."""

    text: str
    shows_board: bool  # whether a board must be shown
    repeated: Optional[str] = None  # a board that may come before it


class Typed(NamedTuple):
    """A line that was typed into our game."""

    before: Position
    line: str
    kind: str  # of our answer
    text: str  # our answer

    def right(self) -> Right:
        """Return our answer as a right one."""
        return Right(self.text, self.kind in SHOW_A_BOARD)


class OtherProgram:
    """A program that no game of ours runs alongside: only the session's own answers are right."""

    messages: tuple[str, ...] = ()
    fixed: dict[str, str] = {}  # messages for refused lines -> the kind of their answers
    is_same_board: Callable[[str, str], bool] = staticmethod(answers.is_same_board)
    is_known = True

    def kinds_of(self, typed: list[str]) -> list[str]:
        """Return the kinds of the answers to these lines, between those of the opening and of the end; or []."""
        return []

    def right_answers(self, kind: str, wanted: str, line: str | None, printed: str, is_right: bool) -> Iterator[Right]:
        """Yield the right answers: only the session's. The parameters are as for ReferenceGame."""
        yield Right(wanted, False)

    def right_elsewhere(self, kind: str) -> Right | None:
        """Return None: no board is known."""

    def why(self, printed: str) -> str:
        """Return "": no rules are known."""
        return ""

    def follow(self, printed: str) -> None:
        """Note what the program printed."""

    def leave_out(self) -> None:
        """Note that the program continues without the line."""

    def notes(self) -> list[str]:
        """Return lines about how the program was judged."""
        return []


def capture(act: Callable[..., None], *arguments: Any) -> str:
    """Return what a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        act(*arguments)
    return text.getvalue()


def with_kinds(session: Session, reference_for: Callable[[Session], OtherProgram]) -> Session:
    """Return a session with the kind of each answer, the opening first; "" if only the session's answers are right.
    reference_for: as in known.py."""
    with preserve_random_state():
        mirror, count = reference_for(session), len(session.answers)
        kinds = mirror.kinds_of(session.typed) or [""] * count
        return session._replace(kinds=kinds[:count])
