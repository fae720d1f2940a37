"""The loop: ask, answer, show, until the player leaves.

An answer is all or nothing: a command is read, carried out, saved, and only then shown. If the program hits a bug on
the way, the game is restored to its state before the command; if it was saved already, the next save corrects it."""

from __future__ import annotations

import copy
import enum
import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from patience import Ended, Move, Reply, effects, lines, saving, sentences, words
from patience.consoles import Console, View
from patience.game import Game, MoveStyle
from patience.notes import Notes, Settings
from patience.rules import INVALID_INPUT, INVALID_MOVE, NotUnderstood, Refused, all_games, check, own_trace
from patience.text import tidy
from patience.words import advice, leaving, piles

if TYPE_CHECKING:
    from patience.analysis import hints
    from patience.effects import Effect
    from patience.records.store import SavedGame

SECONDS_TO_IDLE = 300
LINE_WIDTH = 80


class Mode(enum.Enum):
    """Who types."""

    SCRIPT = 0  # prompts and words are those of the game
    PLAYER = 1


class State(enum.Enum):
    """What the player is asked: PLAYING for a command, OVER and LEAVING whether to play again, the others nothing."""

    PLAYING = 0
    OVER = 1  # the game is won or lost
    LEAVING = 2  # the player wants to leave a game that would be lost
    LEFT = 3
    MENU = 4  # left for the list


HAS_LEFT = (State.LEFT, State.MENU)


class Session:
    """A player or a script plays games."""

    def __init__(
        self, game: Game, console: Console, mode: Mode, settings: Settings = Settings(), saved: SavedGame | None = None
    ) -> None:
        """game: the first game. saved: its row in the store, or None."""
        self.game = game
        self.console = console
        self.mode = mode
        self.settings = settings
        self.saved = saved
        self.guide: hints.Guide | None = None  # once a hint has been asked for
        self.refusal: Refused | None = None  # of the last line, if it was refused
        self.state = State.PLAYING
        self.notes = Notes()
        console.offer_completions(lambda: words.candidates(self))

    @property
    def is_player(self) -> bool:
        """True if a person types."""
        return self.mode is Mode.PLAYER

    @property
    def is_assignment(self) -> bool:
        """True for a script in the words of an assignment, which the game reads itself."""
        return self.mode is Mode.SCRIPT and self.game.rules.parses_own_lines

    @property
    def style(self) -> MoveStyle:
        """How moves are told."""
        return MoveStyle.NAMES if self.is_player else MoveStyle.BARE if self.is_assignment else MoveStyle.COMMAND

    @property
    def is_over(self) -> bool:
        """True if the game is won or lost, and that was said."""
        return self.state is State.OVER

    @property
    def asks_again(self) -> bool:
        """True if the question is whether to play again."""
        return self.state in (State.OVER, State.LEAVING)

    # The loop

    def run(self) -> bool:
        """Play games until the player leaves. Return True if they want the list. Raises KeyboardInterrupt, with a
        message about the current game, if the player interrupts it."""
        try:
            self.begin()
            while self.state not in HAS_LEFT:
                self.answer(self.ask())
            saved = saving.save_and_describe(self)
            if self.state is State.LEFT:
                self.tell(saved)
                self.say("Thank you for playing.")
        except (KeyboardInterrupt, Ended) as interrupt:
            raise type(interrupt)(saving.save_and_describe(self)) from None
        finally:
            self.console.close()
        return self.state is State.MENU

    def begin(self) -> None:
        """Show the title and the board; also show a player the number of the deal, and the rules in a line."""
        game = self.game
        self.notes.since = time.monotonic()
        self.say(game.rules.TITLE)
        self.tell(leaving.introduce(self) if self.is_player else None)
        if self.saved and self.saved.day:
            from patience.records import statistics, store

            outcome = statistics.todays_outcomes().get(game.deal.name())
            self.notes.outcome = outcome if outcome != store.Outcome.PLAYING else ""
            if not game.commands:
                self.say(advice.difficulty(self))
        self.state = State.PLAYING
        self.console.show(self.view())
        self.offer_end()
        self.announce_end()

    def ask(self) -> str | None:
        """Return the next line. If a player types nothing for a long time, the clock is paused."""
        start = time.monotonic()
        if self.is_player:
            self.console.refresh(self.view())
        line = self.console.ask(self.console.questions(self.game.rules)[self.asks_again])
        idle = time.monotonic() - start - SECONDS_TO_IDLE
        if self.saved and self.state is State.PLAYING and idle > 0:
            self.notes.since += idle
            self.tell("The clock was paused while you were away.")
        return line

    def say(self, reply: Reply) -> None:
        """Show a reply."""
        for part in reply if isinstance(reply, tuple) else [reply]:
            if part is not None:
                self.console.say(part)

    def tell(self, text: str | None) -> None:
        """Show a text to a player, but not to a script."""
        self.say(text if text and self.is_player else None)

    def answer(self, line: str | None) -> None:
        """Answer a line, None for the end of the input: each of its commands, up to the first that is refused."""
        if self.is_player and line is not None:
            line = line.strip() or (self.guide.line if self.guide else "") or self.notes.offer
        before = (self.game, *self.game.commands) if self.is_player else ()
        self.answer_commands([line] if line is None or self.is_assignment else lines.commands_in(line))
        if self.is_player and before != (self.game, *self.game.commands):
            self.offer_end()

    def answer_commands(self, commands: Sequence[str | None]) -> None:
        """Answer the commands of a line, up to the first that is refused."""
        self.refusal = None
        for number, command in enumerate(commands, start=1):
            before = None
            try:
                if self.is_player and command is not None:
                    before = self.snapshot()
                if self.guide:
                    self.guide.forget_hint()
                self.say(self.answer_command(command))
            except Refused as refusal:
                self.refusal = refusal
                self.say(words.explain(self, refusal, command))
                self.tell(words.describe_skipped(commands, number))
                if self.asks_again:
                    self.tell(self.game.outcome() or "")
                return
            except Exception as error:
                if not self.is_player or command is None or own_trace(error.__traceback__, all_games()):
                    raise  # the author of a game needs the traceback
                if before:
                    self.restore(before)
                self.console.show(self.view())
                from patience.records import bugs

                self.tell(bugs.report(error, command))
                return
            if self.state in HAS_LEFT:
                return

    def answer_command(self, command: str | None) -> Reply:
        """Carry out a command; return the reply. Raises Refused, with nothing changed, if that is not possible now."""
        if command is None:
            leaving.end(self)
            return None
        listed_at, listed = self.notes.listed
        if listed and command.isdecimal() and not self.asks_again:
            if listed_at != self.game.commands or command not in map(str, range(1, len(listed) + 1)):
                raise Refused(f"{INVALID_INPUT}There is no move {command} now; moves lists them again.")
            return self.make([listed[int(command) - 1]])
        word, argument = words.parse(self, command)
        if word:
            return words.WORDS[word].function(self, argument)
        if self.state is State.OVER and self.is_player:
            raise Refused(f"{INVALID_MOVE}The game is over.")
        if self.asks_again:
            raise NotUnderstood
        moves = words.meaning_of(self, command)
        return moves if isinstance(moves, str) else self.make(moves)

    def make(self, moves: list[Move]) -> str | None:
        """Make moves, save the game and show it; return the view of a move that only looks."""
        game, rules = self.game, self.game.rules
        if view := rules.VIEWS.get(moves[0][0]):
            check(rules, game.position, moves[0])
            return click.wrap_text(tidy(view(game.position, *moves[0][1:])), LINE_WIDTH)
        last = game.commands[-1].moves[-1] if game.commands else ()
        is_new = last and last[0] != moves[0][0] and self.is_player  # nobody is asked before the same command again
        question = rules.confirmation(game.position, *moves[0]) if is_new else ""
        if question and not advice.confirm(self, question):
            raise Refused("Cancelled.")
        messages = [game.perform(*moves)]
        if self.is_player and self.settings.goes_up:
            messages += advice.play_safe_cards(game)
        saving.save(self)
        effect = None
        if self.is_player:
            made = game.commands[-1].moves
            before = game.positions(len(game.commands) - 1)[0]
            effect = effects.effect_between(rules, before, game.position, made[0] if len(made) == 1 else None)
            messages.append(sentences.passed_sentence(rules, game.position, effect))
        self.notes.effect = effect
        self.show(effect, list(filter(None, messages)))
        self.announce_end()
        return None

    def show(self, effect: Effect | None = None, messages: Sequence[str] = (), heading: str = "") -> None:
        """Show the board, and above it a heading and the game's messages; warn the player if the game is lost. Hints
        start again with the best move."""
        if self.guide:
            self.guide.asked_for = None
        if heading:
            self.say(heading)
        self.console.show(self.view()._replace(effect=effect, messages=messages))
        if self.is_player:
            self.tell(advice.warning(self))

    def view(self) -> View:
        """Return what the console shows of the game now."""
        guide, effect, lit = self.guide, self.notes.effect, None
        if guide and guide.hinted and self.is_player:
            lit = effects.expected_effect(self.game.rules, self.game.position, guide.hinted)
        status = piles.facts(self) if self.is_player else ()
        return View(self.game, effect, effect is not None, (), lit, tuple(status))

    def offer_end(self) -> None:
        """Offer a player to play the last cards by Enter, if that wins."""
        if self.is_player:
            self.notes.offer, offer = advice.offer_end(self)
            self.tell(offer)

    def announce_end(self) -> None:
        """If the current game is won or lost, end it and tell the player."""
        outcome = self.game.outcome() if self.state is State.PLAYING else None
        if outcome:
            self.state, is_win = State.OVER, self.game.rules.check_win(self.game.position)
            told = outcome + (saving.describe_win(self) if is_win else "")
            self.say((self.console.celebrate() if is_win else None, told))

    def go_on(self) -> None:
        """Go on playing, on a board to which no command has just led."""
        self.state, self.notes.effect = State.PLAYING, None

    def leave(self, for_the_list: bool = False) -> None:
        """Leave, perhaps for the list of games."""
        self.state = State.MENU if for_the_list else State.LEFT

    def ask_whether_to_leave(self) -> None:
        """Ask next whether to play again, as the game would be lost."""
        self.state = State.LEAVING

    def snapshot(self) -> tuple[Any, ...]:
        """Return the whole state, for restore."""
        game, saved, notes = self.game.snapshot(), copy.copy(self.saved), copy.copy(self.notes)
        return self.state, self.saved, game, saved, notes, random.getstate()

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Restore the state that snapshot returned."""
        state, row, game, saved, notes, chance = snapshot
        if saved and row is self.saved:  # the row is already written; the next save corrects it
            saved.id, saved.owner = self.saved.id, self.saved.owner
            saved.state = self.saved.state if self.saved.is_won else saved.state
        self.state, self.game, self.saved, self.notes = state, game, saved, notes
        self.guide = self.refusal = None
        random.setstate(chance)
