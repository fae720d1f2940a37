"""The one road of a typed line: question, take, answer; whoever typed it, a player, a script or a saved game.

What is asked, the game's prompt or whether to play again, is a state of the Table.
"""

import os
import random
import time

import click

from patience import words
from patience.records import mistakes
from patience.game.lines import INVALID_INPUT, INVALID_MOVE, TRY_AGAIN, Refused, check, commands_in
from patience.game.text import tidy
from solvers.positions import copy_of

PLAY_AGAIN = "Do you want to play again (y/n)?"
PLAY_AGAIN_OR_UNDO = "Do you want to play again (y/n/undo)? "  # in games that do not read their lines themselves
PLAYERS_CHOICE = "Enter: new game, u: undo, q: quit: "  # at a terminal


MOST_TOLD = 6  # commands that were not carried out


class Record:
    """What is recorded of a game besides its moves."""

    def __init__(self):
        self.played = 0  # seconds played before it was resumed; None if that is not known
        self.started = time.monotonic()  # when it was dealt or resumed
        self.hints = 0
        self.solved = False  # True once the solver was asked
        self.identity = os.urandom(8).hex()  # by which the results know the game
        self.today = ""  # what the status line says of today's deal

    def seconds(self):
        """Return the seconds played, or None if they are not known."""
        return None if self.played is None else self.played + time.monotonic() - self.started


class Table:
    """What a player sits at."""

    def __init__(self, sitting, console, keeper, seconds):
        """sitting: a game is dealt. console, keeper: as in script.py and saves.py. seconds: for the solver."""
        self.sitting = sitting
        self.console = console
        self.keeper = keeper
        self.seconds = seconds
        self.record = Record()
        self.guide = None  # a Guide, once a hint was asked
        self.asks_again = False  # True if the question is whether to play again, False if it is the game's prompt
        self.ended = False

    def sit(self):
        """Play games until the player has had enough. Raises KeyboardInterrupt, with what to tell about the game in
        hand, if the player ends it that way."""
        take = self.take_at_keyboard if self.console.at_keyboard else self.take
        try:
            self.console.greet(self.sitting.rules)
            self.begin()
            self.look_at_end()
            while not self.ended:
                take(self.console.ask(self.question()))
            self.console.tell(self.keeper.leave(self.sitting, self.record))
            self.say("Thank you for playing.")
            self.console.flush()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self.keeper.leave(self.sitting, self.record)) from None
        finally:
            self.console.leave()

    def say(self, text):
        """Show a line, or several."""
        self.console.say(text)

    def deal(self, number):
        """Deal the game of a number, as Sitting.deal_number does."""
        self.sitting.deal_number(number)
        self.record = Record()

    def begin(self):
        """Show the game in hand from its title on."""
        sitting = self.sitting
        self.say(sitting.rules.TITLE)
        if sitting.number is not None:
            self.console.tell(f"Deal {sitting.number}: {sitting.number_and_deck()} deals it again.")
        self.console.tell(self.keeper.others(sitting))
        self.record.today = self.keeper.today(sitting)
        self.show_afresh()

    def show(self):
        """Show the board."""
        self.console.show(self.sitting, self.record)

    def show_afresh(self):
        """Show the board after something else than a move."""
        self.asks_again = False
        self.console.watch(self.sitting)
        self.show()

    def question(self):
        """Return what the player is asked."""
        if not self.asks_again:
            return self.sitting.rules.PROMPT
        if self.console.has_player:
            return PLAYERS_CHOICE
        return PLAY_AGAIN if self.sitting.rules.reads_itself else PLAY_AGAIN_OR_UNDO

    def take(self, line):
        """Answer a line, None for the end of the input: each of the commands that it has, up to the first that is
        refused. Say why it is."""
        commands = [line]
        if line is not None and (self.console.has_player or not self.sitting.rules.reads_itself):
            commands = commands_in(line)
        try:
            for number, line in enumerate(commands, start=1):
                if not self.ended:
                    self.answer(line)
        except Refused as refusal:
            self.console.refuse(refusal, line, self.sitting)
            if commands[1:]:
                rest = [command for command in commands[number:] if command]
                more = f" and {len(rest) - MOST_TOLD} more" if len(rest) > MOST_TOLD else ""
                told = f" Not carried out: {'; '.join(rest[:MOST_TOLD])}{more}." if rest else ""
                self.console.tell(f"Stopped at: {line}.{told}")
            if self.asks_again:
                self.console.tell(self.sitting.outcome() or "")

    def take_at_keyboard(self, line):
        """Answer a line as take does; but a mistake of ours does not end a player's game: it is told, and the game
        stands as it stood before."""
        sitting, mark = self.sitting, self.keeper.mark()
        before = {
            **vars(sitting),
            "done": list(sitting.done),
            "undone": list(sitting.undone),
            "game": copy_of(sitting.game),
        }
        of_table, of_record, chance = dict(vars(self)), dict(vars(self.record)), random.getstate()
        try:
            self.take(line)
        except Exception as error:
            if line is None or mistakes.is_of_a_game(error):  # behind the end of the input nothing can be typed
                raise
            vars(sitting).update(before)
            vars(self).update(of_table)
            vars(self.record).update(of_record)
            random.setstate(chance)
            self.keeper.back_to(mark)
            self.console.watch(sitting)
            self.console.tell(mistakes.told(error, line))

    def answer(self, line):
        """Do what a line says, show the result, and save the line if it has changed anything. Raises Refused, with
        nothing changed, if the line says nothing that can be done now."""
        sitting = self.sitting
        was_over = self.asks_again and sitting.outcome()
        word, argument = "quit", None
        if line is not None:
            word, argument = words.read(
                line, sitting.rules, self.asks_again, self.console.has_player, self.console.at_keyboard
            )
        if word:
            words.WORDS[word].function(self, argument)
            note = words.WORDS[word].note
            if note:
                line = "y" if was_over and word == "new" else f"{word} {argument or ''}".rstrip()
                getattr(self.keeper, note)(sitting, self.record, line)
        elif self.asks_again and self.console.at_keyboard and sitting.outcome():
            raise Refused(f"{INVALID_MOVE}The game is over.")
        elif self.asks_again:
            raise Refused(INVALID_INPUT + TRY_AGAIN)
        else:
            self.play(line)
        self.look_at_end()

    def play(self, line):
        """Make the move that a line means and save the line, or show what it looks at."""
        sitting = self.sitting
        move = sitting.move_of(line)
        view = sitting.rules.VIEWS.get(move[0])
        if view:
            check(sitting.rules, sitting.game, move)
            self.say(click.wrap_text(tidy(view(sitting.game, *move[1:])), words.LINE_WIDTH))
            return
        self.console.watch(sitting, move)
        said = sitting.perform(move)
        self.keeper.note(sitting, self.record, line.strip())
        if said:
            self.say(said)
        self.show()

    def look_at_end(self):
        """Say so if the game in hand is won or lost, and ask whether to play again."""
        outcome = self.sitting.outcome()
        if outcome and not self.asks_again:
            self.asks_again = True
            self.say(outcome)
            if self.sitting.rules.check_win(self.sitting.game):
                self.console.show_said()  # before the results are waited for
                self.console.tell(self.keeper.won(self.sitting, self.record))
