"""Our own game beside a student's: what kind of answer each command asks for, and what is right on the student's board.

As long as a program's answers are those of the session nothing more is asked. Once one differs, our game continues from
the board that the program shows: that of a Montana is read, that of another game is known if it is the board before
the command, or what our game makes of it.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import montana
from grading.answers import cells_of, is_same_board, tableau_in
from grading.calls import as_cards, fault_in_rows, rows_of, swap
from patience.consoles.script import Script, capture_display
from patience.game import Game, fresh_number
from patience.notes import Settings
from patience.play import HAS_LEFT, Mode, Session, State
from solvers.positions import preserve_random_state

if TYPE_CHECKING:
    from grading import sessions
    from patience import Position

OPENING, MOVE, REFUSED, RANGE, NUMBERS, SHUFFLE, NO_SHUFFLE, WIN, LOSS, AGAIN, END, WORD = (
    "opening", "move", "refused move", "out of range", "no numbers", "shuffle", "no shuffle left", "win", "loss",
    "another game", "end", "word",
)  # fmt: skip
SHOW_A_BOARD = (OPENING, MOVE, SHUFFLE, WIN, LOSS, AGAIN)
FIXED = {montana.INVALID_INPUT: NUMBERS, montana.OUT_OF_RANGE: RANGE, montana.NO_SHUFFLES: NO_SHUFFLE}
MAX_LINES = 4  # of an answer without a board
SECONDS = 1  # for the word solve


class Recorder(Script):
    """The console of a game that nobody sees: it keeps what a script would print."""

    ascii_only = True  # boards go through write, too

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        """Keep a text."""
        self.text += text


class Mirror:
    """Our game, to which the lines of a session are typed."""

    def __init__(self, session: sessions.Session) -> None:
        number = fresh_number() if session.deal.number is None else session.deal.number
        game = Game(session.deal._replace(number=number))
        self.console = Recorder()
        self.play = Session(game, self.console, Mode.SCRIPT, Settings(lambda: None, SECONDS))
        self.is_known = True  # False once the student's board cannot be told
        self.is_own = False  # True once it is not the session's
        self.play.begin()
        self.take_text()

    def take_text(self) -> str:
        """Return what was printed since the last time, with the question that follows."""
        text, self.console.text = self.console.text, ""
        again = self.play.asks_again
        return text if self.play.state in HAS_LEFT else text + self.console.questions(self.play.game.rules)[again]

    def answer(self, line: str) -> tuple[str, str]:
        """Type a line; return the kind of its answer, and the answer."""
        play = self.play
        if play.state in HAS_LEFT:
            return END, ""
        game, count, chance = play.game, len(play.game.commands), random.getstate()
        play.answer(line)
        if play.state in HAS_LEFT:
            self.console.say("Thank you for playing.")
        if play.refusal:
            kind = FIXED.get(str(play.refusal), REFUSED)
        elif play.game is not game:
            kind = AGAIN
        elif play.state in (State.LEFT, State.LEAVING):
            kind = END
        elif len(game.commands) == count:
            kind = WORD
        elif play.state is State.OVER:
            kind = WIN if game.rules.check_win(game.position) else LOSS
        else:
            kind = MOVE if random.getstate() == chance else SHUFFLE
        return kind, self.take_text()

    def follow(self, printed: str, before: Game, again: str) -> None:
        """Continue from the board that a program printed; if it printed none, from the one before the command, for it
        was not carried out. before: the Game then. again: the question whether to play again."""
        game, is_montana = self.play.game, self.play.game.rules.name == "montana"
        display = game.rules.display
        tableau = tableau_in(printed) if is_montana else None
        self.is_own = True
        if tableau:
            game.position[:] = as_cards(tableau)
        elif (
            not cells_of(printed)
            and printed.count("\n") < MAX_LINES
            or is_same_board(printed, capture_display(display, before.position))
        ):
            self.play.game = before
        elif not is_same_board(printed, capture_display(display, game.position)):
            self.is_known = False
        self.play.state = State.OVER if printed.rstrip(" ").endswith(again.rstrip(" ")) else State.PLAYING


def read_shuffle(printed: str, before: Position) -> str | None:
    """Return the text of a board as it should be shown, if it is a legal shuffle of the one before, rows of cards; or
    None."""
    after = tableau_in(printed)
    is_same = is_same_board(printed, capture_display(montana.display, before))
    if not after or is_same and not montana.check_win(before):
        return None
    return None if fault_in_rows(rows_of(before), after) else capture_display(montana.display, as_cards(after))


def goes_beside_ace(before: Position, line: str) -> str | None:
    """Return the text of the board after a 2 is moved beside a blank, or None if a line means no such move. The first
    handout allowed that if the blank was the ace of its suit: both are right."""
    try:
        source_row, source_col, dest_row, dest_col = montana.read(line)
    except ValueError:
        return None
    card, dest = before[source_row][source_col], before[dest_row][dest_col]
    left = before[dest_row][dest_col - 1] if dest_col else card
    if card.rank() != montana.TWO or not montana.is_blank(dest) or not montana.is_blank(left):
        return None
    return capture_display(montana.display, swap(before, (source_row, source_col), (dest_row, dest_col)))


def kinds_of(session: sessions.Session) -> list[str]:
    """Return the kind of each answer of a session, the opening first; "" for another assignment's."""
    if not session.rules:
        return [""] * len(session.answers)
    with preserve_random_state():
        mirror = Mirror(session)
        return [OPENING, *(mirror.answer(line)[0] for line in session.typed), END][: len(session.answers)]
