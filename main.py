"""Patience games for the terminal: the commands and options, and the prompt loop.

The loop is the same for all games. It knows the words help, rules and quit; every other line is
the game's, which is a module that keeps the contract described in README.md.
"""

import contextlib
import errno
import functools
import importlib
import io
import os
import re
import sys

import click

import session

# The games: module name, and what the list of games says of it.
GAMES = {
    "montana": "Sort the suits into four rows, one card at a time into a blank.",
    "quadzilla": "Clear fours of a suit in thirteen turns, but mind the Quadzilla.",
    "desturado": "Stack the whole board into your hand, by value and by suit.",
    "zodiac": "Two packs: 24 piles around the Equator, then eight foundations.",
    "klondike": "Columns down in alternating colours, foundations up in suit.",
}

PLAY_AGAIN = "Do you want to play again (y/n)?"
INVALID_INPUT = "Error: invalid input.  Please try again.\n"

RED_CARD = re.compile(r"(?:10|[2-9AJQK])[♦♥]")
SYMBOLS = "♣♦♥♠"
LETTERS = str.maketrans(SYMBOLS, "CDHS")
CHUNK = 1 << 16
INTERRUPTED = 130


class Console:
    """The player's end of the sitting: a terminal, a pipe or a file. Says text, asks for lines."""

    def __init__(self, stdin, stdout):
        """stdin, stdout: text streams, such as those of sys; None for one that is closed."""
        self.stdin = stdin or io.TextIOWrapper(io.BytesIO())
        self.stdout = stdout or io.TextIOWrapper(io.BytesIO())
        self.ended = False  # whether the player at a terminal has ended the input
        self.shows = self.stdout.isatty()
        plain_wanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self.colors = self.shows and not plain_wanted
        self.symbols = not self.shows or can_encode(SYMBOLS, self.stdout.encoding)
        self.plain = self.symbols and not self.colors
        self.edits = self.shows and self.stdin.isatty()
        if self.shows:
            self.stdout.reconfigure(errors="replace")
        else:
            self.stdout = for_scripts(self.stdout)
        if self.edits:
            self.stdin.reconfigure(errors="replace")
            with contextlib.suppress(ImportError):  # there is none on Windows
                importlib.import_module("readline")
        else:
            self.lines = lines_of(self.stdin.buffer, self.stdout.flush)

    def say(self, text):
        """Show text to the player: red suits in red, or letters for suits, where that is due."""
        if self.colors:
            text = RED_CARD.sub(lambda card: click.style(card[0], fg="red"), text)
        if not self.symbols:
            text = text.translate(LETTERS)
        self.stdout.write(text)

    def show_board(self, sitting):
        """Show the board of the sitting's game."""
        if self.plain:
            sitting.game.display(sitting.state)
        else:
            with contextlib.redirect_stdout(io.StringIO()) as text:
                sitting.game.display(sitting.state)
            self.say(text.getvalue())

    def ask(self, prompt):
        """Show the prompt and return the next line that is no comment, or None at the end."""
        line = self.read(prompt)
        while line is not None and line.startswith("#"):
            line = self.read("")
        return line

    def read(self, prompt):
        """Show the prompt and return the next line, or None at the end of input and ever after."""
        if not self.edits:
            self.say(prompt)
            return next(self.lines, None)
        if self.ended:
            self.say(f"{prompt}\n")
            return None
        above, newline, last = prompt.rpartition("\n")
        self.say(above + newline)
        self.stdout.flush()
        try:
            return input(last)
        except EOFError:
            self.say("\n")
            self.ended = True
            return None


def can_encode(text, encoding):
    """Return True if a stream of this encoding can show the text."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def for_scripts(stdout):
    """Return the stream for output to a pipe or file: UTF-8, \\n, and written in large pieces."""
    try:
        descriptor = stdout.fileno()
    except OSError:
        return stdout  # a test's own stream, without a file behind it
    return open(
        descriptor, "w", buffering=CHUNK, encoding="utf-8", newline="\n", closefd=False
    )


def lines_of(stream, flush):
    """Yield the lines of a byte stream as text, without their ends, as soon as they are there.

    Whenever more has to be read, which may mean to wait, flush is called first.
    """
    line = []
    while True:
        flush()
        chunk = stream.read1(CHUNK)
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        line.append(first)
        for part in others:
            yield b"".join(line).decode("utf-8", "replace")
            line = [part]
    if any(line):
        yield b"".join(line).decode("utf-8", "replace")


def show_start(console, sitting):
    """Show a game that has just been dealt."""
    console.say(f"{sitting.game.TITLE}\n")
    if console.shows and sitting.number is not None:
        console.say(f"Deal {sitting.number}: --seed {sitting.number} deals it again.\n")
    console.show_board(sitting)


# The words of every game. Each is carried out by a function of the console and the sitting, but
# for quit, which play_game sees to.


def show_help(console, sitting):
    """Show the commands of the game, and the words of every game."""
    console.say(sitting.game.COMMANDS)
    letters = {word: letter for letter, word in letters_of(sitting.game).items()}
    for word, (_, meaning) in WORDS.items():
        names = f"{word}, {letters[word]}" if word in letters else word
        console.say(f"{names:<12}{meaning}\n")


def show_rules(console, sitting):
    """Show the game's docstring."""
    console.say(sitting.game.__doc__.strip("\n") + "\n")


def restart(console, sitting):
    """Deal the same game again."""
    session.restart(sitting)
    console.show_board(sitting)


def new(console, sitting):
    """Deal another game."""
    session.deal(sitting)
    show_start(console, sitting)


WORDS = {
    "help": (show_help, "show the commands"),
    "rules": (show_rules, "show the rules"),
    "restart": (restart, "deal this game again"),
    "new": (new, "deal another game"),
    "quit": (None, "end the game"),
}


def letters_of(game):
    """Return the letters that stand for words in the game, as a dict of letter -> word."""
    letters = {"q": "quit"}
    if game.SHORTCUTS:
        letters |= {"h": "help", "r": "restart", "n": "new"}
    return letters


def word_of(line, game):
    """Return which of the WORDS a line is, or None if it is none of them."""
    typed = line.strip().lower()
    word = letters_of(game).get(typed, typed)
    return word if word in WORDS else None


def play_game(console, sitting):
    """Show the game that was dealt and carry out commands until it is over or the player quits."""
    show_start(console, sitting)
    while not (outcome := verdict(sitting)):
        line = console.ask(sitting.game.PROMPT)
        word = "quit" if line is None else word_of(line, sitting.game)
        if word == "quit":
            return
        if word:
            WORDS[word][0](console, sitting)
        else:
            obey(console, sitting, line)
    console.say(f"{outcome}\n")


def obey(console, sitting, line):
    """Carry out a command of the game and show what comes of it."""
    try:
        shown = hasattr(sitting.game, "view") and sitting.game.view(sitting.state, line)
        if shown:
            console.say(f"{shown}\n")
            return
        report = sitting.game.perform(sitting.state, line)
    except ValueError as error:
        console.say(f"{error}\n")
        return
    if report:
        console.say(f"{report}\n")
    console.show_board(sitting)


def verdict(sitting):
    """Return what is to be said of a game that is won or lost, or None while it goes on."""
    if sitting.game.check_win(sitting.state):
        return "You won!"
    return sitting.game.check_loss(sitting.state)


def play_again(console):
    """Ask whether to play again, until the answer is y or n; the end of input is a no."""
    while (answer := console.ask(PLAY_AGAIN)) is not None:
        answer = answer.strip().lower()
        if answer in ("y", "n"):
            return answer == "y"
        console.say(INVALID_INPUT)
    return False


def play(game, seed, deck, **options):
    """Play games until the player has had enough: the callback of a game's command."""
    sitting = session.Sitting(game, options, seed, deck)
    console = Console(sys.stdin, sys.stdout)
    try:
        with contextlib.redirect_stdout(console.stdout):
            session.begin(sitting)
            play_game(console, sitting)
            while play_again(console):
                session.deal(sitting)
                play_game(console, sitting)
            console.say("Thank you for playing.\n")
            console.stdout.flush()
    except KeyboardInterrupt:
        stop(console, INTERRUPTED, "Interrupted.")
    except OSError as error:
        closed_pipe = error.errno == errno.EPIPE
        stop(console, 1, "" if closed_pipe else f"Error: {error.strerror}")


def stop(console, status, message):
    """End the program before its time: what is not yet written is written or, failing that, lost."""
    try:
        console.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), console.stdout.fileno())
    if message:
        click.echo(("\n" if console.shows else "") + message, err=True)
    sys.exit(status)


class DeckFile(click.Path):
    """A click type: the name of a deck file, which becomes the list of its (rank, suit) pairs."""

    def __init__(self, pack):
        super().__init__(exists=True, dir_okay=False)
        self.pack = pack

    def convert(self, value, param, ctx):
        if value == "-":
            self.fail("'-' is no file name here: standard input is the player.", param, ctx)
        path = super().convert(value, param, ctx)
        try:
            with open(path, encoding="utf-8-sig", errors="replace") as lines:
                return session.read_deck(lines, self.pack)
        except (OSError, ValueError) as error:
            self.fail(f"{path}: {error}", param, ctx)


def game_command(name):
    """Return the click command that plays a game, with the options the game has."""
    game = importlib.import_module(name)
    options = [
        click.Option(
            [f"--{option}"],
            type=click.Choice(choices, case_sensitive=False),
            default=choices[0],
            show_default=True,
        )
        for option, choices in game.OPTIONS.items()
    ]
    options += [
        click.Option(["--seed"], type=int, help="Deal the game of this number."),
        click.Option(
            ["--deck"],
            type=DeckFile(getattr(game, "PACK", session.PACK)),
            help="Deal the cards of this file, in their order.",
        ),
    ]
    # \b keeps click from filling the paragraphs of the rules anew.
    rules = "\b\n" + game.__doc__.replace("\n\n", "\n\n\b\n")
    return click.Command(name, callback=functools.partial(play, game), params=options, help=rules)


class Games(click.Group):
    """The games as commands; a game's module is imported when it is played, not to be listed."""

    def list_commands(self, ctx):
        return [*GAMES, *super().list_commands(ctx)]

    def get_command(self, ctx, name):
        if name in GAMES:
            return click.Command(name, short_help=GAMES[name])
        return super().get_command(ctx, name)

    def resolve_command(self, ctx, args):
        name, command, args = super().resolve_command(ctx, args)
        return name, game_command(name) if name in GAMES else command, args


@click.group(cls=Games, invoke_without_command=True)
@click.pass_context
def main(ctx):
    """Patience games for the terminal.

    Play one with: python main.py GAME
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


if __name__ == "__main__":
    main()
