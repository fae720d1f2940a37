"""A session: a player plays games. It is the state that the loop and the words share: the current game, the next
question, and notes about the game."""

from __future__ import annotations

import copy
import enum
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from patience.table.consoles import Console, Question
from patience.table.consoles.key_loop import has_input
from patience.effects import Effect
from patience.decks import fresh_number
from patience.game import Game
from patience.rules import Refused
from patience.text import NO, is_yes

if TYPE_CHECKING:  # the hints are loaded only when needed
    from patience.advice.hints import Guide
    from patience.table.records.store import SavedGame


class Settings(NamedTuple):
    """How a player wants to play."""

    next_number: Callable[[], int] = fresh_number  # returns the number of the next deal
    seconds: float = 10  # the solver's time limit
    looks: dict[str, bool] = {"warn": False, "clock": True}  # the options of the options page


class State(enum.Enum):
    """What the player is asked: PLAYING for a command, OVER whether to play again; the others ask nothing."""

    PLAYING = 0
    OVER = 1  # the game is won or lost
    LEFT = 2
    MENU = 3  # left for the list


HAS_LEFT = (State.LEFT, State.MENU)


@dataclass
class SinceDeal:
    """What is remembered about the current game while it is played."""

    warned: bool = False  # True once the player knows that the game cannot be won
    outcome: str | None = ""  # of today's deal, if it was played before
    is_new_win: bool = False  # True if the last command saved made the game a win
    winning_line: tuple[str, str] = "", ""  # the line that Enter plays if it wins, and what it does
    failure: str = ""  # why the game could not be saved
    numbered_moves: tuple = (None, [])  # the commands when moves were listed, and these moves; a number plays one
    effect: Effect | None = None  # the Effect of the last command, unless it was taken back
    since: float = field(default_factory=time.monotonic)  # when playing time was last counted


class Session:
    """A player plays games."""

    def __init__(
        self, game: Game, console: Console, settings: Settings = Settings(), saved: SavedGame | None = None
    ) -> None:
        """game: the first game. saved: its row in the store, or None."""
        self.game = game
        self.console = console
        self.settings = settings
        self.saved = saved
        self.guide: Guide | None = None  # once a hint has been asked for
        self.refusal: Refused | None = None  # of the last line, if it was refused
        self.state = State.PLAYING
        self.notes = SinceDeal()
        self.next_line = ""  # that was typed in answer to a question, and is no answer

    @property
    def asks_again(self) -> bool:
        """True if the question is whether to play again."""
        return self.state is State.OVER

    @property
    def enter(self) -> tuple[str, str]:
        """The line that Enter plays, and its effect: a hint's suggestion, or the winning end of a game; otherwise ""
        for both."""
        hint = self.guide and self.guide.hint
        return (hint.line, hint.does) if hint and hint.line else self.notes.winning_line

    def tell(self, text: str | None) -> None:
        """Show text, if there is any."""
        if text:
            self.console.say(text)

    def confirm(self, question: str, at_end: bool = False) -> bool:
        """Ask the player a question; return True for yes. Ctrl-C means no, and so does any other line, which is carried
        out next. at_end: the answer at the end of the input."""
        try:
            answer = self.console.confirm(Question.yes_or_no(question))
        except KeyboardInterrupt:
            return False
        if answer and not is_yes(answer) and answer.lower() not in NO:
            self.next_line = answer
        return at_end if answer is None else is_yes(answer)

    def accepts(self, warning: str) -> bool:
        """Ask a question that only warns; return True for yes, and if nobody waits for it: in a stream, or while lines
        are waiting."""
        return not sys.stdin.isatty() or has_input() or self.confirm(warning)

    def snapshot(self) -> tuple[Any, ...]:
        """Return the whole state, for restore."""
        game, saved, notes = self.game.snapshot(), copy.copy(self.saved), copy.copy(self.notes)
        return self.state, self.saved, game, saved, notes, random.getstate()

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Restore the state that snapshot returned."""
        state, row, game, saved, notes, random_state = snapshot
        if saved and row is self.saved:  # the row is already written; the next save corrects it
            saved.id, saved.owner = self.saved.id, self.saved.owner
            saved.state = self.saved.state if self.saved.is_won else saved.state
        self.state, self.game, self.saved, self.notes = state, game, saved, notes
        self.guide = self.refusal = None
        random.setstate(random_state)
