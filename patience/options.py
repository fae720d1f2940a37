"""The options of the commands, and what they take: the name of a game, a file, a deck."""

import math

import click
from click.shell_completion import CompletionItem

from patience.game import decks, rules
from patience.game.text import error_text, printable

MOST_JOBS = 64
SECONDS_TO_SOLVE = 10
MOST_SEED = 2**63 - 1


class FileName(click.Path):
    """A click type: the name of a file. - is not one, for standard input is the player."""

    def convert(self, value, param, ctx):
        if not value:
            self.fail("the name of a file cannot be empty.", param, ctx)
        if value == "-":
            self.fail("'-' is not a file name here: standard input is the player.", param, ctx)
        return super().convert(value, param, ctx)


class GameName(click.ParamType):
    """A click type: the name of a game, or the beginning of it."""

    name = "game"

    def convert(self, value, param, ctx):
        name = rules.meant(value, rules.all_games())
        return name or self.fail(f"{value!r} is not one of {', '.join(rules.all_games())}.", param, ctx)

    def shell_complete(self, ctx, param, incomplete):
        return [CompletionItem(name) for name in ctx.find_root().command.games if name.startswith(incomplete.lower())]


class DeckFileName(FileName):
    """A click type: the name of a deck file, which becomes a DeckFile."""

    def __init__(self, pack):
        super().__init__(exists=True, dir_okay=False)
        self.pack = pack

    def convert(self, value, param, ctx):
        path = super().convert(value, param, ctx)
        try:
            return decks.load(path, self.pack)
        except (OSError, ValueError) as error:
            self.fail(printable(f"{path}: {error_text(error)}"), param, ctx)


def not_nan(ctx, param, seconds):
    """Return the seconds of --time; the number that is not a number is refused."""
    if math.isnan(seconds):
        raise click.BadParameter("it is not a number.")
    return seconds


FILE = FileName(dir_okay=False)
ASCII = click.Option(["--ascii"], is_flag=True, help="Print C D H S instead of suit symbols.")
SCROLL = click.Option(
    ["--scroll"],
    is_flag=True,
    envvar="PATIENCE_SCROLL",
    help="Print one board below the other (or set PATIENCE_SCROLL=1).",
)
SPOKEN = click.Option(
    ["--spoken"],
    is_flag=True,
    envvar="PATIENCE_SPOKEN",
    help="Say what changes, in words, line by line (or set PATIENCE_SPOKEN=1).",
)
# The store has room for 64 bits.
SEED = click.Option(["--seed"], type=click.IntRange(-MOST_SEED, MOST_SEED), help="Deal the game with this number.")
SAVE = click.Option(["--save"], type=FILE, help="Save the game in this file, and continue the one it holds.")
JOBS = click.Option(
    ["--jobs"],
    type=click.IntRange(1, MOST_JOBS),
    default=1,
    show_default=True,
    help="Number of deals or tries to solve in parallel.",
)
TIME = click.Option(
    ["--time"],
    type=click.FloatRange(min=0),
    callback=not_nan,
    default=SECONDS_TO_SOLVE,
    show_default=True,
    help="Time limit for the solver, in seconds per deal.",
)


def deck_option(game_rules):
    """Return the option --deck of a game."""
    return click.Option(["--deck"], type=DeckFileName(game_rules.PACK), help="Deal the cards of this file, in order.")


def game_options(game_rules):
    """Return the options of the game itself."""
    return [
        click.Option(
            [f"--{option}"], type=click.Choice(choices, case_sensitive=False), default=choices[0], show_default=True
        )
        for option, choices in game_rules.OPTIONS.items()
    ]


def play_options(game_rules):
    """Return the options for playing that every game has."""
    return [
        SEED,
        click.Option(["--daily"], is_flag=True, help="Deal today's game."),
        deck_option(game_rules),
        SAVE,
        ASCII,
        SCROLL,
        SPOKEN,
        click.Option(["--winnable"], is_flag=True, help="Deal only games that can be won."),
        click.Option(
            ["--warn"], is_flag=True, help="Warn as soon as the game cannot be won, whatever the hidden cards are."
        ),
        TIME,
    ]
