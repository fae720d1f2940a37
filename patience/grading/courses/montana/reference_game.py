"""Our Montana beside a student's: what kind of answer each command asks for, and what is right on the student's
board."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import montana
from patience.grading.courses import answers
from patience.grading.courses.answers import cells_of
from patience.grading.courses.function_calls import Rows
from patience.grading.courses.other_program import AGAIN, END, LOSS, MOVE, NO_SHUFFLE, INVALID, OPENING, RANGE
from patience.grading.courses.other_program import REFUSED, SHOW_A_BOARD, SHUFFLE, WIN, WORD, Right, OtherProgram
from patience.grading.courses.other_program import Typed, capture
from patience.grading.courses.montana.function_rules import as_cards
from patience import rules
from patience.decks import replaced
from patience.games.montana_faults import fault_in_rows, goes_beside_blank, rows_of, swap, why_refused
from patience.rules import Refused, read
from patience.text import capture_display, card_text, tidy
from patience.positions import copy_of

if TYPE_CHECKING:
    from patience.grading.courses.script import Session
    from patience import Move, Position
    from patience.decks import Deal

MAX_LINES = 4  # of an answer without a board
REFUSALS = (montana.INVALID_INPUT, montana.INVALID_MOVE, montana.OUT_OF_RANGE, montana.NO_SHUFFLES)
NO_BOARD = (
    "After the first mistake, your program's board could not be read, so only the session's own answers are right."
)
OWN_BOARD = "After the first mistake, your program's own board decides what is right."


class Main:
    """The assignment's own main(), line by line: for each line it is run again from the current board. It prints."""

    def __init__(self, deal: Deal) -> None:
        """deal: of each game, the first with its number."""
        self.next_deal = deal
        self.position: Any = None
        self.asks_again = self.has_left = False
        self.refusal = ""  # of the last line, if it was refused
        self.count = 0  # moves made since the deal
        self.question = montana.PROMPT

    def deal(self) -> Position:
        """Return the position of the next game."""
        if self.next_deal.number is not None:
            random.seed(self.next_deal.number)
        self.next_deal = self.next_deal._replace(number=None)
        return rules.deal(self.next_deal.rules, self.next_deal.options, self.next_deal.cards or ())

    def begin(self) -> None:
        """Deal a game, and show its title and its board."""
        self.position = self.deal()
        self.run([])

    def answer(self, line: str) -> None:
        """Answer a line."""
        position, before, shuffles = self.position, rows_of(self.position), self.position.shuffles_left
        text = capture(self.run, ["q", line] if self.asks_again else [line])
        print(text, end="")
        is_move = self.position is position and rows_of(position) != before
        self.count = self.count + is_move if self.position is position else 0
        if self.position is position and line.strip().lower() == "s" and text.rstrip("\n") not in REFUSALS:
            position.shuffles_left = shuffles - 1
            self.count += not is_move  # nothing was left to shuffle
        self.refusal = text.rstrip("\n") if text.rstrip("\n") in REFUSALS else ""

    def run(self, lines: list[str]) -> None:
        """Run main() up to the question after these lines; print only the answer to the last of them."""
        asked, printed = iter(lines), io.StringIO()
        boards, own = iter([self.position]), montana.initialize

        def initialize() -> Any:
            with replaced(montana, "initialize", own):  # by which the next game is dealt
                self.position = next(boards, None) or self.deal()
            return self.position

        def read_line(prompt: str) -> str:
            line = next(asked, None)
            if line is None:
                self.question, self.asks_again = prompt, prompt == montana.AGAIN
                raise Asked
            printed.seek(0)
            printed.truncate()
            return line

        with contextlib.redirect_stdout(printed), replaced(montana, "initialize", initialize):
            with replaced(montana, "input", read_line), contextlib.suppress(Asked):
                montana.main(self.position.shuffles_left)
                self.has_left = True
        print(printed.getvalue(), end="")


class Asked(Exception):
    """main() asks for a line that has not been typed yet."""


class ReferenceGame(OtherProgram):
    """Our game beside a student's: the lines of a session are typed into it. It reads the board that a program shows,
    and accepts any legal shuffle.

    As long as a program's answers match the session's, nothing else is consulted. After the first answer that differs,
    our game continues from the board that the program shows, if it can be read; or from the board before the command;
    or from our game's own board."""

    fixed = {
        montana.INVALID_INPUT: INVALID,
        montana.OUT_OF_RANGE: RANGE,
        montana.NO_SHUFFLES: NO_SHUFFLE,
    }
    messages = (*fixed, montana.INVALID_MOVE, answers.WON)  # that no other answer may contain

    def __init__(self, session: Session) -> None:
        self.is_same_board = is_same_board
        self.rules, self.prompts = session.deal.rules, session.prompts
        self.plain = Main(session.deal)
        self.is_known = True  # False once the student's board is no longer known
        self.unread = ""  # the reason, if there is one to give
        self.is_own = False  # True once the board is no longer the session's
        capture(self.plain.begin)
        self.last = Typed(self.plain.position, "", OPENING, "")

    def kinds_of(self, typed: list[str]) -> list[str]:
        """Return the kinds of the answers to these lines, between those of the opening and of the end."""
        return [OPENING, *(self.answer(line)[0] for line in typed), END]

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

    def read(self, printed: str) -> Position | None:
        """Return the tableau that a program shows, or None."""
        tableau = tableau_in(printed)
        return as_cards(tableau) if tableau else None

    def why_unread(self, printed: str) -> str:
        """Return a sentence about the card that is on a board twice, or ""."""
        shown = [cell for row in cells_of(printed) for _, cell in row if isinstance(cell, tuple)]
        twice = [card for card in shown if shown.count(card) > 1 and card[0] != montana.BLANK]
        return f" It shows {card_text(twice[0])} twice." if twice else ""

    def why_refused(self, position: Position, *move: Any) -> str:
        """Return why our game refuses a move, and what is wrong with it."""
        _, *numbers = move
        return why_refused(position, *(number - 1 for number in numbers))[1] if numbers else montana.NO_SHUFFLES

    def other_board(self, kind: str, line: str, printed: str) -> str | None:
        """Return a legal shuffle in the right layout, or the board after a 2 is moved beside a blank; or None."""
        before = self.last.before
        if kind == SHUFFLE:
            return read_shuffle(printed, before)
        return goes_beside_ace(before, line) if kind == self.last.kind == REFUSED else None

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


def places_of(line: str) -> Move:
    """Return the row and column, from 0, of the card that a line names and of its destination. Raises ValueError."""
    _, *numbers = read(rules.load("montana"), line)
    return tuple(number - 1 for number in numbers)


def read_shuffle(printed: str, before: Position) -> str | None:
    """Return the text of a board in the right layout, if it is a legal shuffle of the previous board (rows of cards);
    or None."""
    after = tableau_in(printed)
    is_same = is_same_board(printed, capture_display(montana.display, before))
    if not after or is_same and not montana.check_win(before):
        return None
    return None if fault_in_rows(rows_of(before), after) else capture_display(montana.display, as_cards(after))


def goes_beside_ace(before: Position, line: str) -> str | None:
    """Return the text of the board after a 2 is moved beside a blank, or None if a line is not such a move. The first
    handout allowed this if the blank was the ace of the 2's suit, so both readings are right."""
    try:
        source_row, source_col, dest_row, dest_col = places_of(line)
    except ValueError:
        return None
    if not goes_beside_blank(before, (source_row, source_col), (dest_row, dest_col)):
        return None
    return capture_display(montana.display, swap(before, (source_row, source_col), (dest_row, dest_col)))


def tableau_in(text: str) -> Rows | None:
    """Return the Montana tableau in text, as rows of (rank, suit), or None unless every card but the aces is there. A
    blank, or a visible ace, stands for the ace whose suit has the row's number."""
    rows = [dict(row) for row in cells_of(text)]
    if len(rows) != montana.ROWS:
        return None
    tableau: Any = []
    for number, row in enumerate(rows, start=1):
        pairs = [row.get(column) for column in range(montana.COLUMNS)]
        is_card = [isinstance(pair, tuple) and pair[0] != montana.BLANK for pair in pairs]
        tableau.append([pair if is_one else (montana.BLANK, number) for pair, is_one in zip(pairs, is_card)])
    shown = {pair for row in tableau for pair in row if pair[0] != montana.BLANK}
    is_whole = all(column < montana.COLUMNS for row in rows for column in row)
    return tableau if is_whole and len(shown) == (montana.COLUMNS - 1) * montana.ROWS else None


def is_same_board(text: str, other: str) -> bool:
    """Return True if two texts show the same board. Visible aces count as blanks."""
    tableau = tableau_in(text)
    return tableau == tableau_in(other) if tableau else answers.is_same_board(text, other)
