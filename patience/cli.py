"""The commands, made from the games' rules, and how the program ends."""

import difflib
import functools
import gc
import importlib
import os
import signal
import sys

import click

import patience
from patience import start
from patience.options import (
    ASCII,
    FILE,
    JOBS,
    SCROLL,
    SEED,
    SPOKEN,
    TIME,
    FileName,
    GameName,
    deck_option,
    game_options,
    play_options,
)
from patience.game import rules
from patience.records import mistakes
from patience.game.grammar import Refused
from patience.game.text import command, error_text
from patience.game.sitting import MissingMethod, Sitting

DEALS = 100


def program(games, others):
    """Return the program: the click group of all commands. games: module name -> its line in the list of games. others:
    name of a command -> module that has it, as command, and its line in the list."""
    gc.freeze()  # what is loaded stays to the end, and need not be searched then
    if not __doc__:
        sys.exit("The rules are docstrings, which -OO leaves out: start the program without it.")
    sys.excepthook = functools.partial(mistakes.show, games)
    settings = {"auto_envvar_prefix": "PATIENCE"}  # PATIENCE_KLONDIKE_DRAW, also for solve and odds
    main = Program(
        games,
        play_command,
        context_settings=settings,
        help=f"Patience games for the terminal.\n\nPlay one with: {command('GAME')}",
    )
    version = click.version_option(patience.VERSION, prog_name="patience", message="%(prog)s %(version)s")
    version(main)
    for name, make, text in (
        ("solve", solve_command, "Print commands that win a deal, as a script."),
        ("odds", odds_command, "Count how many deals can be won."),
    ):
        main.add_command(Games(games, make, name=name, context_settings=settings, help=text))
    for one in (resume, stats, review):
        main.add_command(one)
    for name, (_, text) in others.items():
        main.add_command(click.Command(name, short_help=text))
    main.modules = {name: module for name, (module, _) in others.items()}
    return main


@click.command("resume", help="Continue a game in progress.", params=[ASCII, SCROLL, SPOKEN])
@click.argument("game", required=False, type=GameName())
def resume(game, **show):
    """Continue a game in progress."""
    lobby().resume(rules.all_games(), game, start.Show(**show))


@click.command(
    "stats", help="Show the results of your games; stats daily: the deals of the day that you won, and your streak."
)
@click.argument("what", required=False, type=click.Choice(["daily"]))
@click.option("--reset", is_flag=True, help="Delete all results, after asking.")
def stats(what, reset):
    """Show the results, or delete them."""
    lobby().stats(rules.all_games(), what, reset)


@click.command("review", help="Show what the choices of a saved game cost.")
@click.argument("file", type=FileName(exists=True, dir_okay=False))
@click.option("--last", type=click.IntRange(min=1), help="How many commands to look at, the last ones (default 300).")
def review(file, last):
    """Review the game that a file holds."""
    start.review(rules.all_games(), file, last)


def play_command(name):
    """Return the command that plays a game."""
    game_rules = rules.load(name)
    text = "\b\n" + game_rules.text.replace("\n\n", "\n\n\b\n")  # \b keeps click from filling the paragraphs again
    params = game_options(game_rules) + play_options(game_rules)
    return click.Command(name, callback=functools.partial(play, game_rules), params=params, help=text)


def play(game_rules, **options):
    """Play a game, and others that were in progress."""
    if start.play(game_rules, **options):
        show = start.Show(options["ascii"], options["scroll"], options["spoken"])
        lobby().resume(rules.all_games(), None, show, True)


def solve_command(name):
    """Return the command that prints a game's solution."""
    game_rules = rules.load(name)

    def solve(seed, deck, save, time, jobs, **options):
        from patience.advice import solve

        sitting = Sitting(game_rules, options, seed, deck)
        lines = []
        if save:
            _, lines = start.read_saved(save, rules.all_games(), sitting)
        else:
            sitting.deal()
        return solve.print_solution(sitting, lines, time, jobs)

    saved = click.Option(
        ["--save"], type=FileName(exists=True, dir_okay=False), help="Solve the game saved in this file."
    )
    params = [*game_options(game_rules), SEED, deck_option(game_rules), saved, TIME, JOBS]
    return click.Command(
        name,
        callback=solve,
        params=params,
        help="Print commands that win this deal, as a script. Exits with 1 if it cannot be won, 3 if it ran out of "
        "time or memory.",
    )


def odds_command(name):
    """Return the command that counts which deals of a game can be won."""
    game_rules = rules.load(name)

    def odds(seed, deals, hints, csv, jobs, time, **options):
        from patience.advice import odds

        return odds.print_odds(Sitting(game_rules, options, seed), deals, jobs, csv, time, hints)

    params = [
        *game_options(game_rules),
        SEED,
        click.Option(
            ["--deals"],
            type=click.IntRange(min=1),
            default=DEALS,
            show_default=True,
            help="Number of deals, counting up from --seed (default 0).",
        ),
        click.Option(["--hints"], is_flag=True, help="Follow the hints instead of solving, and count what they win."),
        click.Option(["--csv"], type=FILE, help="Write one row per deal to this file, and resume from it."),
        JOBS,
        TIME,
    ]
    return click.Command(name, callback=odds, params=params, help="Solve many deals, and print how many can be won.")


def lobby():
    """Return the module lobby, which needs the results: it is loaded when it is used."""
    return importlib.import_module("patience.lobby")


class Games(click.Group):
    """A group with a command for every game; a game's module is imported when its command is used."""

    def __init__(self, games, make, **settings):
        """games: module name -> its line in the list. make: a function of the name that returns the command."""
        super().__init__(invoke_without_command=True, callback=self.list_games, **settings)
        self.games = games
        self.make = make
        self.modules = {}  # commands that are made when they are used: name -> module

    def list_games(self):
        """Show the help if no command is given."""
        ctx = click.get_current_context()
        if ctx.invoked_subcommand is None:
            return self.without_command(ctx)

    def without_command(self, ctx):
        """Show the help."""
        click.echo(ctx.get_help())

    def list_commands(self, ctx):
        return [*self.games, *super().list_commands(ctx)]

    def get_command(self, ctx, name):
        if name in self.games:
            return click.Command(name, short_help=self.games[name])
        return super().get_command(ctx, name)

    def resolve_command(self, ctx, args):
        name, command, args = super().resolve_command(ctx, [self.full_name(args[0]), *args[1:]])
        if name in self.games:
            command = self.make(name)
        elif name in self.modules:
            command = importlib.import_module(self.modules[name]).command
        return name, command, args

    def full_name(self, name):
        """Return the command that a word is short for, or the word: Klondike and kl are klondike."""
        names = [*self.games, *self.commands]
        if found := rules.meant(name, names):
            return found
        for alike in difflib.get_close_matches(name.lower(), names, 1):
            raise click.UsageError(f"No such command {name!r}. Did you mean {alike}?")
        return name


class Program(Games):
    """The whole program. Here, and only here, it ends with a status."""

    def without_command(self, ctx):
        """Let a player choose a game; show the help to anybody else."""
        if not start.at_terminal():
            return super().without_command(ctx)
        chosen = lobby().menu(self.games)
        if not chosen:
            return
        if isinstance(chosen, tuple):
            show = start.show_by_environment()
            if start.sit_down(*chosen, False, show):
                lobby().resume(self.games, None, show, True)
            return
        command = self.make(chosen[0])
        with command.make_context(chosen[0], chosen[1:], parent=ctx) as context:
            return command.invoke(context)

    def main(self, *args, **settings):
        """Run the program. Report a failing stream or a lack of memory in one line."""
        sys.stdin = sys.stdin or open(os.devnull)  # a stream that is closed is None
        if not sys.stdout:
            sys.exit(end(1, "Error: Standard output is closed."))
        for stream in (sys.stdin, sys.stdout):  # whatever a terminal can show, or sends
            stream.reconfigure(errors="replace")
        if not sys.stdout.isatty():
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # the same bytes in every locale
        try:
            return super().main(*args, **settings)
        except OSError as error:  # but for a closed pipe, which click knows
            sys.exit(end(1, f"Error: {error_text(error)}"))
        except MemoryError:
            sys.exit(end(1, "Error: There is not enough memory."))

    def invoke(self, ctx):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in ("SIGTERM", "SIGHUP"):  # Windows has not both
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), end_by_signal)
        message = ""
        try:
            status = super().invoke(ctx) or 0
        except KeyboardInterrupt as interrupt:
            for number in (signal.SIGINT, signal.SIGTERM):  # once is enough
                signal.signal(number, signal.SIG_IGN)
            status, message = patience.INTERRUPTED, f"Interrupted. {interrupt}".rstrip()
        except BrokenPipeError:
            status = 1
        except click.Abort as abort:  # a question was left by Ctrl-C, or by the end of the input
            status = patience.INTERRUPTED if isinstance(abort.__context__, KeyboardInterrupt) else 0
            message = "Interrupted." if status else "Nothing was changed."
        except MissingMethod as name:
            status, message = 1, f"Error: this game needs {name}(), which the cards of cards.py do not have."
        except Refused as error:  # no deal was found
            status, message = 1, f"Error: {error}"
        ctx.exit(end(status, message))


def end_by_signal(*_):
    """End the program, as a handler of signals."""
    raise patience.Ended


def end(status, message):
    """Flush the output, or discard it if that fails; show the message. Return the exit status."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if message:
        at_terminal = status == patience.INTERRUPTED and sys.stdout and sys.stdout.isatty()
        click.echo(("\n" if at_terminal else "") + message, err=True)
    return status
