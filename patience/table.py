"""Every line, of a player, a script or a saved game, is answered by Table.take."""

import enum
import os
import random
import time

import click

from patience import words
from patience.records import mistakes
from patience.game import typing
from patience.game.grammar import INVALID_INPUT, INVALID_MOVE, TRY_AGAIN, Refused, check
from patience.game.text import tidy

SECONDS_TO_IDLE = 300
FIRST_DAY = 10**7  # numbers of deals from here on can be days: 20261122
MOST_TOLD = 6  # commands that were not carried out


class State(enum.Enum):
    """What the Table asks: in PLAYING for a command, in the next two whether to play again; in the others nothing."""

    PLAYING = 0
    OVER = 1  # the game is won or lost
    LEAVING = 2  # the player wants to leave a game that would be lost
    LEFT = 3
    CHOOSING = 4  # left for the list of games in progress


class Record:
    """What is recorded of a game besides its moves."""

    def __init__(self):
        self.played = 0  # seconds played before it was resumed; None if that is not known
        self.started = time.monotonic()  # when it was dealt or resumed
        self.hints = 0
        self.solved = False  # True once the solver was asked
        self.identity = os.urandom(8).hex()  # by which the results know the game
        self.today = ""  # what the status line says of today's deal
        self.warned = False  # True once the player was warned that it cannot be won

    def seconds(self):
        """Return the seconds played, or None if they are not known."""
        return None if self.played is None else self.played + time.monotonic() - self.started


class Table:
    """What a player sits at."""

    def __init__(self, sitting, console, keeper, seconds, typist=typing.SAVED_GAME):
        """sitting: a game is dealt. console, keeper: as in script.py and keepers.py. seconds: for the solver."""
        self.sitting = sitting
        self.console = console
        self.keeper = keeper
        self.seconds = seconds
        self.typist = typist
        self.warns = False  # True if the player wants to be warned of a game that is lost
        self.record = Record()
        self.guide = None  # a hints.Guide, once a hint was asked
        self.state = State.PLAYING

    @property
    def asks_again(self):
        """True if the question is whether to play again."""
        return self.state in (State.OVER, State.LEAVING)

    @property
    def is_left(self):
        """True once the player has left."""
        return self.state in (State.LEFT, State.CHOOSING)

    def sit(self):
        """Play games until the player leaves. Return True if they want to resume another one. Raises
        KeyboardInterrupt, with what to tell about the game in hand, if the player ends it that way."""
        take = self.take_from_player if self.typist.can_ask else self.take
        try:
            self.console.greet(self.sitting.rules)
            self.begin()
            self.look_at_end()
            while not self.is_left:
                take(self.ask())
            self.console.tell(self.keeper.leave(self.sitting, self.record))
            if self.state is State.LEFT:
                self.say("Thank you for playing.")
            self.console.flush()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self.keeper.leave(self.sitting, self.record)) from None
        finally:
            self.console.leave()
        return self.state is State.CHOOSING

    def ask(self):
        """Return what is typed next. While a player types nothing for long, the clock stands still."""
        asked = time.monotonic()
        line = self.console.ask(self.question())
        idle = time.monotonic() - asked - SECONDS_TO_IDLE
        if self.typist.can_ask and idle > 0:
            self.record.started += idle
            self.console.tell("The clock stood still, as nothing was typed for five minutes.")
        return line

    def say(self, text):
        """Show a line, or several."""
        self.console.say(text)

    def deal(self, number):
        """Deal the game of a number, as Sitting.deal_number does."""
        self.sitting.deal_number(number)
        self.record, self.guide = Record(), None

    def begin(self):
        """Show the game in hand from its title on."""
        sitting = self.sitting
        self.say(sitting.rules.TITLE)
        if sitting.number is not None:
            self.console.tell(f"Deal {sitting.number}: {sitting.number_and_deck()} deals it again.")
        self.console.tell(self.keeper.about_others(sitting))
        if self.typist.can_ask and (sitting.number or 0) >= FIRST_DAY:
            from patience.records import daily

            self.record.today = daily.told_of(sitting)
        self.show_afresh()

    def show(self, before=None, move=None):
        """Show the board, as a console's show does; warn the player of a lost game."""
        self.console.show(self.sitting, self.record, before, move)
        if self.warns:
            from patience.advice import hints

            self.console.tell(hints.warning(self.sitting, self.record))

    def show_afresh(self, before=None):
        """Show the board of a game that goes on after something else than a move."""
        self.state = State.PLAYING
        self.show(before)

    def question(self):
        """Return what the player is asked."""
        return self.typist.again if self.asks_again else self.typist.prompt or self.sitting.rules.PROMPT

    def take(self, line):
        """Answer a line, None for the end of the input: each of the commands that it has, up to the first that is
        refused. Say why it is."""
        commands = [line]
        if line is not None and self.typist is not typing.ASSIGNMENT:
            commands = typing.commands_in(line)
        try:
            for number, line in enumerate(commands, start=1):
                *parts, last = self.parts_of(line)
                for part in parts:
                    if not self.asks_again:  # a draw may have ended the game
                        self.answer(part, False)
                if not self.is_left and not (parts and self.asks_again):
                    self.answer(last)
        except Refused as refusal:
            self.console.refuse(refusal, line, self.sitting)
            if commands[1:]:
                rest = [command for command in commands[number:] if command]
                more = f" and {len(rest) - MOST_TOLD} more" if len(rest) > MOST_TOLD else ""
                told = f" Not carried out: {'; '.join(rest[:MOST_TOLD])}{more}." if rest else ""
                self.console.tell(f"Stopped at: {line}.{told}")
            if self.asks_again:
                self.console.tell(self.sitting.outcome() or "")

    def parts_of(self, line):
        """Return the lines that a command consists of: "draw ah" is as many draws as it needs."""
        if line is None or self.asks_again or self.typist is typing.ASSIGNMENT:
            return [line]
        return typing.draws_to(self.sitting.rules, self.sitting.game, line)

    def take_from_player(self, line):
        """Answer a line as take does; but a mistake of ours does not end a player's game: it is told, and the game
        stands as it stood before."""
        mark, sitting, table, record = self.keeper.mark(), self.sitting.snapshot(), dict(vars(self)), vars(self.record)
        chance, record = random.getstate(), dict(record)
        try:
            self.take(line)
        except Exception as error:
            if line is None or mistakes.is_of_a_game(error):  # behind the end of the input nothing can be typed
                raise
            vars(self).update(table)
            vars(self.sitting).update(vars(sitting))
            vars(self.record).update(record)
            random.setstate(chance)
            self.keeper.back_to(mark)
            self.console.show(self.sitting, self.record)
            self.console.tell(mistakes.told(error, line))

    def answer(self, line, shows=True):
        """Do what a line says, show the result if that is wanted, and save the line if it has changed anything. Raises
        Refused, with nothing changed, if the line says nothing that can be done now."""
        sitting = self.sitting
        was_over = self.state is State.OVER
        word, argument = "quit", None
        if line is not None:
            word, argument = words.read(line, sitting.rules, self.typist, self.asks_again)
        if word:
            words.WORDS[word].function(self, argument)
        elif was_over and self.typist.can_ask:
            raise Refused(f"{INVALID_MOVE}The game is over.")
        elif self.asks_again:
            raise Refused(INVALID_INPUT + TRY_AGAIN)
        else:
            self.play(line, shows)
        self.look_at_end()

    def answer_again(self, line):
        """Answer a line of a saved game. A line after quit resumes that game, unless it starts a new one."""
        was_left = self.state is State.LEAVING
        try:
            self.answer(line)
        except Refused:
            if not was_left:
                raise
            self.state = State.PLAYING
            self.answer(line)
        if self.is_left:
            self.state = State.OVER if self.sitting.outcome() else State.PLAYING

    def skips(self, line):
        """Return True if a line of a saved game may be refused: a word, once the game was over."""
        return bool(self.sitting.outcome()) and line.split()[:1] in ([word] for word in words.WORDS)

    def play(self, line, shows):
        """Make the move that a line means and save the line, or show what it looks at."""
        sitting = self.sitting
        move = sitting.move_of(line)
        view = sitting.rules.VIEWS.get(move[0])
        if view:
            check(sitting.rules, sitting.game, move)
            self.say(click.wrap_text(tidy(view(sitting.game, *move[1:])), words.LINE_WIDTH))
            return
        said = sitting.perform(move)
        self.keeper.note(sitting, self.record, line.strip())
        if said:
            self.say(said)
        if shows:
            self.show(sitting.kept[-1].game, move)

    def leave(self, state=State.LEFT):
        """Let the player leave, but ask first if the game in hand would be lost."""
        self.state = state if self.asks_again or self.keeper.is_safe(self.sitting) else State.LEAVING

    def choose(self):
        """Let the player leave for the list of games in progress. Raises Refused if there is no other."""
        if not self.keeper.others():
            raise Refused("No other game is in progress.")
        self.leave(State.CHOOSING)

    def look_at_end(self):
        """Say so if the game in hand is won or lost, and ask whether to play again."""
        outcome = self.sitting.outcome()
        if outcome and self.state is State.PLAYING:
            self.state = State.OVER
            self.say(outcome)
            if self.sitting.rules.check_win(self.sitting.game):
                self.console.show_said()  # before the results are waited for
                self.console.tell(self.keeper.won(self.sitting, self.record))
