"""Our own game beside a student's: what kind of answer each command asks for, and what is right on the student's board.

As long as a program's answers match the session's, nothing else is consulted. After the first answer that differs, our
game continues from the board that the program shows, if it can be read; or from the board before the command; or from
our game's own board."""

from __future__ import annotations

import contextlib
import io
import itertools
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from grading.courses import answers
from grading.courses.answers import cells_of
from patience.rules import INVALID_MOVE, NOT_ALLOWED, Refused, read
from patience import script
from patience.script import Plain
from patience.text import capture_display, tidy
from solvers.positions import copy_of, preserve_random_state

if TYPE_CHECKING:
    from grading.courses.calls import Call
    from grading.courses.session import Session
    from patience import Position

OPENING, MOVE, REFUSED, RANGE, NUMBERS, SHUFFLE, NO_SHUFFLE, WIN, LOSS, AGAIN, END, WORD = (
    "opening", "move", "refused move", "out of range", "no numbers", "shuffle", "no shuffle left", "win", "loss",
    "another game", "end", "word",
)  # fmt: skip
MAY_END = (WIN, LOSS, AGAIN, END)
REFUSALS = (REFUSED, RANGE, NUMBERS)
MOVE_NOTHING = (*REFUSALS, AGAIN, END)
SHOW_A_BOARD = (OPENING, MOVE, SHUFFLE, WIN, LOSS, AGAIN)
MAX_LINES = 4  # of an answer without a board
NO_BOARD = "After the first mistake, your program's board is not known, so only the session's own answers are right."
OWN_BOARD = "After the first mistake, your program's own board decides what is right."


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


class Stranger:
    """A program for a different assignment: only the session's own answers are right."""

    messages: tuple[str, ...] = ()
    fixed: dict[str, str] = {}  # messages for refused lines -> the kind of their answers
    is_same_board: Callable[[str, str], bool] = staticmethod(answers.is_same_board)
    is_known = True

    def right_answers(self, kind: str, wanted: str, line: str | None, printed: str, is_right: bool) -> Iterator[Right]:
        """Yield the right answers: only the session's. The parameters are as for Mirror."""
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

    def own_calls(self, printed: str) -> tuple[Call, ...]:
        """Return Calls that show what the program's own functions make of the line, or () if none can. printed: the
        program's answer."""
        return ()

    def own_answers(self, found: list[dict[str, Any]], printed: str, is_right: bool) -> Iterator[Right]:
        """Yield the answers that follow from the results of own_calls. is_right: all earlier answers were right, or
        followed from such results; if not, yield only those that our game would not give on the program's board."""
        yield from ()

    def notes(self) -> list[str]:
        """Return lines about how the program was judged."""
        return []


def capture(act: Callable[..., None], *arguments: Any) -> str:
    """Return what a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        act(*arguments)
    return text.getvalue()


class Mirror(Stranger):
    """Our game, into which the lines of a session are typed."""

    messages: tuple[str, ...] = (answers.WON,)  # messages that no other answer may contain
    play: type[Any] = Plain  # what answers the lines

    def __init__(self, session: Session, is_same_board: Callable[[str, str], bool]) -> None:
        """is_same_board: tests whether a text shows the same board as our text, its second argument."""
        self.is_same_board = is_same_board
        self.rules, self.prompts = session.deal.rules, session.prompts
        numbers = itertools.chain([session.deal.number], itertools.repeat(None))
        self.plain: Any = self.play(self.rules, lambda: script.deal_next(session.deal, numbers))
        self.is_known = True  # False once the student's board is no longer known
        self.unread = ""  # the reason, if there is one to give
        self.is_own = False  # True once the board is no longer the session's
        capture(self.plain.begin)
        self.last = Typed(self.plain.position, "", OPENING, "")

    def answer(self, line: str) -> tuple[str, str]:
        """Type a line; return the kind of its answer, and the answer with the question that follows."""
        plain = self.plain
        if plain.has_left:
            return END, ""
        position, count, chance = plain.position, plain.count, random.getstate()
        text = capture(plain.answer, line)
        if plain.refusal:
            kind = self.fixed.get(plain.refusal, REFUSED)
        elif plain.position is not position:
            kind = AGAIN
        elif plain.has_left or plain.asks_again and plain.count == count:
            kind = END
        elif plain.count == count:
            kind = WORD
        elif plain.asks_again:
            kind = WIN if self.rules.check_win(plain.position) else LOSS
        else:
            kind = MOVE if random.getstate() == chance else SHUFFLE
        return kind, text if plain.has_left else text + plain.question

    def right_answers(self, kind: str, wanted: str, line: str | None, printed: str, is_right: bool) -> Iterator[Right]:
        """Type a line (None for the opening) and yield the right answers: the session's, ours on the student's board,
        and others that are just as good. kind: the kind of the session's answer, wanted. is_right: all answers so far
        were right, and a board can differ only by a shuffle."""
        before, was_own = copy_of(self.plain.position), self.is_own and self.is_known
        ours = (kind, wanted) if line is None else self.answer(line)
        self.last = Typed(before, line or "", *ours)
        yield Right(wanted, kind in SHOW_A_BOARD)
        if was_own and (kind == self.last.kind or is_right):
            yield self.last.right()
        if board := self.other_board(kind, line or "", printed):
            yield Right(board + self.prompts[0], True)
        if kind not in SHOW_A_BOARD and kind == self.last.kind:
            yield Right(self.last.text, False, self.shown(self.last.before))
        if kind == self.last.kind and not self.fixed:
            yield from self.answers_of_own_texts(printed)

    def answers_of_own_texts(self, printed: str) -> Iterator[Right]:
        """Yield our answer with the messages of a module's own refusal, perform and check_loss, or without messages. A
        module need not have these functions, and may word messages as it likes. But the effect of a move is fixed."""
        reason, _, rest = printed.partition("\n")
        if self.last.kind == REFUSED:
            is_refusal = reason.startswith(INVALID_MOVE) and rest == self.prompts[0]
            yield Right(printed if is_refusal else f"{INVALID_MOVE}{NOT_ALLOWED}\n{self.prompts[0]}", False)
        elif self.last.kind in (MOVE, SHUFFLE, WIN, LOSS):
            shown = self.shown(self.plain.position)
            _, board, rest = self.last.text.partition(shown)
            message, _, own_rest = printed.partition(shown)
            if answers.WON in message + own_rest * (self.last.kind == LOSS) or INVALID_MOVE in message:
                return
            if self.last.kind == LOSS and own_rest.endswith((self.prompts[-1], self.prompts[0])):
                rest = own_rest  # without check_loss the game continues
            yield Right((message if own_rest else "") + board + rest, True)

    def right_elsewhere(self, kind: str) -> Right | None:
        """Return our answer on the program's own board, if the line calls for a different kind of answer there; or
        None. kind: of the session's answer."""
        return self.last.right() if self.is_own and self.is_known and self.last.kind != kind else None

    def why(self, printed: str) -> str:
        """Return why a program that made or refused a move is wrong, according to our game: that the move is allowed,
        or why it is not; or "". printed: the program's answer, which shows a board if it made the move."""
        if self.last.kind not in (MOVE, REFUSED) or (self.last.kind == REFUSED) != bool(cells_of(printed)):
            return ""
        position = self.last.before
        try:
            move = read(self.rules, self.last.line)
        except Refused:
            return ""
        if self.last.kind == MOVE:
            return f"This is allowed: {tidy(self.rules.describe(position, *move))}."
        return f"This is not allowed: {self.why_refused(position, *move)}"

    def why_refused(self, position: Position, *move: Any) -> str:
        """Return why our game refuses a move."""
        return self.rules.refusal(position, *move) or ""

    def other_board(self, kind: str, line: str, printed: str) -> str | None:
        """Return the text of a board that is just as right as ours, or None."""
        return None

    def read(self, printed: str) -> Position | None:
        """Return the position that a program shows, or None if only our own can be read."""
        return None

    def why_unread(self, printed: str) -> str:
        """Return the reason the board that a program shows cannot be read, as a sentence after a blank; or ""."""
        return ""

    def shown(self, position: Position) -> str:
        """Return the board of a position."""
        return capture_display(self.rules.display, position)

    def follow(self, printed: str) -> None:
        """Continue from the board that a program printed or, if it printed none, from the one before the command."""
        if not printed or not self.is_known:
            return
        goes_on = self.plain.asks_again and printed.endswith(self.prompts[0])
        if (self.is_same_board(printed, self.last.text) or self.shown(self.plain.position) in printed) and not goes_on:
            return
        self.is_own = True
        has_none = not cells_of(printed) and printed.count("\n") < MAX_LINES
        if position := self.read(printed):
            self.plain.position[:] = position
        elif has_none or self.is_same_board(printed, self.shown(self.last.before)):
            self.plain.position = self.last.before
        elif not self.is_same_board(printed, self.shown(self.plain.position)):
            self.is_known, self.unread = False, self.why_unread(printed)
        again = self.prompts[-1].rstrip(" ")
        self.plain.asks_again = printed.rstrip(" ").endswith(again)

    def leave_out(self) -> None:
        """Continue from the board before the line, because the program was started again without it."""
        self.plain.position, self.plain.asks_again, self.is_own = self.last.before, False, True

    def notes(self) -> list[str]:
        """Return lines about how the program was judged."""
        return [OWN_BOARD if self.is_known else f"{NO_BOARD}{self.unread}"] * self.is_own


def with_kinds(session: Session, beside: Callable[[Session], Stranger]) -> Session:
    """Return a session with the kind of each answer, the opening first; "" for a different assignment. beside: as in
    known.py."""
    with preserve_random_state():
        mirror, count = beside(session), len(session.answers)
        if not isinstance(mirror, Mirror):
            return session._replace(kinds=[""] * count)
        kinds = [OPENING, *(mirror.answer(line)[0] for line in session.typed), END]
        return session._replace(kinds=kinds[:count])
