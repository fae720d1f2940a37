"""The loop: ask, answer, show, until the player leaves.

An answer is all or nothing: a command is read, the game acts, and is saved, and then it is shown. If a bug of ours
comes between, the game is put back as it was, and nothing was saved."""

import contextlib
import copy
import enum
import random
import time
from collections import namedtuple

import click

from patience import effects, lines, words
from patience.analysis import asked
from patience.game import Deal, Game, fresh_number
from patience.lines import INVALID_INPUT, INVALID_MOVE, TRY_AGAIN, Refused
from patience.rules import all_games, own_trace
from patience.text import card_of, error_text, printable, tidy
from patience.words import State

SECONDS_TO_IDLE = 300
FIRST_DAY = 10**7  # numbers of deals from here on can be days: 20261122
MAX_SKIPPED = 6  # commands that are named
LINE_WIDTH = 80
LEFT = (State.LEFT, State.MENU)
ASSIGNMENT_AGAIN = "Do you want to play again (y/n)?"
SCRIPT_AGAIN = "Do you want to play again (y/n/undo)? "


class Mode(enum.Enum):
    """Who types."""

    SCRIPT = 0  # its prompts and words are the game's
    PLAYER = 1


def questions(rules, console=None):
    """Return what is asked for a command, and once a game is over. console: a player's, or None for a script."""
    if console:
        return console.PROMPT, console.AGAIN
    return rules.PROMPT, ASSIGNMENT_AGAIN if rules.reads_itself else SCRIPT_AGAIN


Settings = namedtuple("Settings", "next_number seconds warns")  # as Play has them


class Notes:
    """What is remembered of the game in hand while it is played."""

    warned = False  # True once the player knows that it cannot be won
    today = ""  # what the status line says of a deal of the day
    failure = ""  # why it could not be saved
    last = None  # the first of the last moves, and how many they were,
    effect = None  # and their Effect

    def __init__(self):
        self.since = time.monotonic()  # when its time was counted last


class Play:
    """Somebody plays games."""

    def __init__(self, game, console, mode, next_number=fresh_number, seconds=10, saved=None, warns=False):
        """game: the first one. next_number: a function that returns the number of the next deal, None to go on in the
        stream of random. seconds: for the solver. saved: the store's row, or None. warns: say when it is lost."""
        self.game = game
        self.console = console
        self.mode = mode
        self.settings = Settings(next_number, seconds, warns)
        self.saved = saved
        self.guide = None  # hints.Guide, once a hint was asked
        self.state = State.PLAYING
        self.notes = Notes()
        console.play = self

    @property
    def is_player(self):
        """True if a person types."""
        return self.mode is Mode.PLAYER

    @property
    def is_assignment(self):
        """True for a script in the words of an assignment, which the game reads itself."""
        return self.mode is Mode.SCRIPT and self.game.rules.reads_itself

    @property
    def asks_again(self):
        """True if the question is whether to play again."""
        return self.state in (State.OVER, State.LEAVING)

    def word_names(self):
        """Return the names of the words that can be typed."""
        return words.names_of(self)

    # The loop

    def run(self):
        """Play games until the player leaves. Return True if they want the list. Raises KeyboardInterrupt, with what to
        say about the game in hand, if the player ends it that way."""
        try:
            self.begin()
            while self.state not in LEFT:
                self.answer(self.ask())
            self.tell(self.save_and_describe())
            if self.state is State.LEFT:
                self.console.say("Thank you for playing.")
        except KeyboardInterrupt as interrupt:
            raise type(interrupt)(self.save_and_describe()) from None
        finally:
            self.console.close()
        return self.state is State.MENU

    def begin(self):
        """Show the game in hand from its title on; tell a player the number of the deal, and the rule in a line."""
        game, number = self.game, self.game.deal.number
        self.notes.since = time.monotonic()
        self.console.say(game.rules.TITLE)
        if number is not None:
            self.tell(f"Deal {number}: {game.deal.source()} deals it again.")
        if self.is_player and not game.moves:
            rule = [part for part in game.rules.text.split("\n\n") if part.startswith("In short: ")]
            rule = " ".join("".join(rule).split()).removeprefix("In short: ")
            self.tell(rule[:1].upper() + rule[1:])
        if self.is_player and (number or 0) >= FIRST_DAY:
            from patience.records import daily

            self.notes.today = daily.message(game.deal)
        self.state = State.PLAYING
        self.console.show(game)
        self.look_at_end()

    def ask(self):
        """Return what is typed next. While a player types nothing for long, the clock is paused."""
        asked = time.monotonic()
        line = self.console.ask(questions(self.game.rules, self.console if self.is_player else None)[self.asks_again])
        idle = time.monotonic() - asked - SECONDS_TO_IDLE
        if self.saved and self.state is State.PLAYING and idle > 0:
            self.notes.since += idle
            self.tell("The clock was paused while you were away.")
        return line

    def tell(self, text):
        """Show a text that is meant for a player alone."""
        if text and self.is_player:
            self.console.say(text)

    def answer(self, line):
        """Answer a line, None for the end of the input: each of its commands, up to the first that is refused."""
        if self.is_player and line is not None:
            line = line.strip() or (self.guide.line if self.guide else "")
        commands = [line] if line is None or self.is_assignment else lines.commands_in(line)
        for number, command in enumerate(commands, start=1):
            before = self.snapshot() if self.is_player and command is not None else None
            try:
                if self.guide:
                    self.guide.forget_hint()
                self.answer_command(command)
            except Refused as refusal:
                self.refuse(refusal, command)
                if commands[1:]:
                    skipped = commands[number:]
                    more = f" and {len(skipped) - MAX_SKIPPED} more" if len(skipped) > MAX_SKIPPED else ""
                    names = f" Skipped: {'; '.join(skipped[:MAX_SKIPPED])}{more}." if skipped else ""
                    self.tell(f'Stopped at "{command}".{names}')
                if self.asks_again:
                    self.tell(self.game.outcome() or "")
                return
            except Exception as error:
                if before is None or own_trace(error.__traceback__, all_games()):
                    raise  # a game's author wants to see the lines
                self.put_back(before)
                self.console.show(self.game)
                from patience.records import store

                self.tell(store.report(error, command))
                return
            if self.state in LEFT:
                return

    def answer_command(self, command):
        """Do what a command says. Raises Refused, with nothing changed, if it says nothing that can be done now."""
        if command is None:
            words.WORDS["quit"].function(self, None)
            return
        word, argument = words.parse(self, command)
        if word:
            words.WORDS[word].function(self, argument)
        elif self.state is State.OVER and self.is_player:
            raise Refused(f"{INVALID_MOVE}The game is over.")
        elif self.asks_again:
            raise Refused(INVALID_INPUT + TRY_AGAIN)
        else:
            game = self.game
            if self.is_assignment and not all(map(card_of, command.split() or ["-"])):
                moves = [lines.read(game.rules, command)]  # the game reads its lines itself, but for cards by name
            else:
                moves = lines.moves_of(game.rules, game.position, command, game.legal_moves)
            self.make(moves)

    def make(self, moves):
        """Make moves, or show what they look at; save the game, and show it."""
        game, rules = self.game, self.game.rules
        view = rules.VIEWS.get(moves[0][0])
        if view:
            lines.check(rules, game.position, moves[0])
            self.console.say(click.wrap_text(tidy(view(game.position, *moves[0][1:])), LINE_WIDTH))
            return
        first, messages = len(game.moves), []
        for number, move in enumerate(moves, start=1):
            messages.append(game.perform(move))
            if number < len(moves) and game.outcome():
                break
        self.save()
        for message in filter(None, messages):
            self.console.say(message)
        effect = effects.effect(rules, game.positions(first)[0], game.position) if self.is_player else None
        self.notes.last, self.notes.effect = (moves[0], len(game.moves) - first), effect
        self.show(effect)
        self.look_at_end()

    def show(self, effect=None):
        """Show the board; warn the player of a game that is lost. Hints begin afresh."""
        if self.guide:
            self.guide.asked_for = None
        self.console.show(self.game, effect)
        if self.is_player:
            asked.warn(self)

    def look_at_end(self):
        """Say so if the game in hand is won or lost."""
        outcome = self.game.outcome() if self.state is State.PLAYING else None
        if outcome:
            self.state = State.OVER
            self.console.say(outcome)
            if self.saved and self.saved.id is not None and self.game.rules.check_win(self.game.position):
                from patience.records import statistics

                self.tell(statistics.win_message(self.game.deal, self.saved))

    def refuse(self, refusal, command):
        """Show why a command is refused; tell a player what may have been meant."""
        if not self.is_player:
            self.console.say(str(refusal))
        elif str(refusal) == INVALID_INPUT + TRY_AGAIN and not refusal.why:
            self.console.say(lines.reply(command, self.game.rules, words.WORDS))
        else:
            why = refusal.why() if refusal.why else ""
            self.console.say(why if why and self.console.is_spoken else "\n".join(filter(None, [str(refusal), why])))

    # What is kept

    def count_time(self):
        """Add the time since it was counted last to that of the game, unless the game is over."""
        now = time.monotonic()
        if self.state is not State.OVER:
            self.saved.seconds += now - self.notes.since
        self.notes.since = now

    def save(self):
        """Save a player's game from its first move on. If that fails, say so once, and go on. Return True if there is a
        game to save."""
        if not self.saved or not self.game.moves and self.saved.id is None:
            return False  # a game that was only dealt
        from patience.records import savefile, store

        self.count_time()
        state, failure = self.saved.state, ""
        try:
            if state != store.WON:
                store.describe_game(self.saved, self.game)
                self.tell(store.save(self.saved))
        except OSError as error:
            self.saved.state = state
            failure = f"This game is not saved: {printable(error_text(error))}"
        try:
            if self.saved.file:
                savefile.write(self.saved.file, self.game)
        except OSError as error:
            failure = f"{printable(self.saved.file)} is not written: {printable(error_text(error))}"
        if failure and not self.notes.failure:
            self.tell(failure)
        self.notes.failure = failure
        return True

    def is_safe(self):
        """Return True if nothing is lost when the player leaves now. One that was won and taken back is not saved."""
        is_saved = bool(self.saved) and not self.notes.failure and self.saved.state != "won"
        return is_saved or self.is_player and (not self.game.moves or bool(self.game.outcome()))

    def save_and_describe(self):
        """Save the game in hand at the end. Return how to continue it, a sentence, or ""."""
        if not self.save() or self.notes.failure or self.game.outcome() or self.saved.state == "won":
            return ""
        return f"Saved. Continue with: {words.how_to_continue(self)}"

    def next_game(self):
        """Deal the next game; the one in hand stays in the store. Raises Refused if there is no deal."""
        number, deal = self.settings.next_number(), self.game.deal
        if self.saved:
            from patience.records import store

            self.save()
            if self.saved.file and self.saved.id is not None:  # the file is for the next game
                with contextlib.suppress(OSError):
                    store.release_file(self.saved)
            self.saved = store.SavedGame(owner=self.saved.owner, file=self.saved.file, started=time.time())
        self.game = Game(Deal(deal.rules, deal.options, number, deal.cards, deal.path), keeps=self.is_player)
        self.guide = None
        self.notes = Notes()
        self.begin()

    def snapshot(self):
        """Return the state of everything, for put_back."""
        return dict(vars(self)), self.game.snapshot(), copy.copy(self.saved), copy.copy(self.notes), random.getstate()

    def put_back(self, snapshot):
        """Put everything back as it was."""
        attributes, game, saved, notes, chance = snapshot
        if saved and attributes["saved"] is self.saved:  # the row stands; the next save mends it
            saved.id, saved.owner = self.saved.id, self.saved.owner
            saved.state = self.saved.state if self.saved.state == "won" else saved.state
        vars(self).update(attributes)
        self.game, self.saved, self.notes, self.guide = game, saved, notes, None
        random.setstate(chance)
