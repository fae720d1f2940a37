"""The commands, made from the games' rules, and how the program ends."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

import patience
from patience import ExitStatus, end, options, program as runner, rules
from patience.decks import fresh_number
from patience.rules import MissingMethod, Refused, own_trace
from patience.options import at_terminal
from patience.text import command, error_text, printable, resolve_prefix

if TYPE_CHECKING:
    from types import TracebackType

    from patience.options import DeckFile
    from patience.rules import Rules

EXISTING = options.FileName(exists=True, dir_okay=False)
AT_THE_TABLE = "At the table, with undo and hints"
PLAY_HELP = """Sit down at the table, with undo, hints, arrow keys and the mouse.

Without a game, choose one from the list. A name with a dot or a slash is a file: an unchanged program for Montana's
assignment, or a module in the form described in docs/contract.md. It runs like any other Python program, without a
sandbox."""


def program(games: dict[str, str], extra_commands: dict[str, tuple[str, str]]) -> Program:
    """Return the program: the click group with all commands. games: module name -> its line in the list of games.
    extra_commands: command name -> the module that defines it as `command`, and its line in the list."""
    if not __doc__:
        sys.exit("The rules are docstrings, which -OO strips: start the program without it.")
    sys.excepthook = functools.partial(show_traceback, games)
    text = (
        f"Patience games for the terminal.\n\nPlay one with: {command('GAME')}\n\n"
        f"{AT_THE_TABLE}: {command('play GAME')}"
    )
    main = Program(games, program_command, help=text)
    click.version_option(patience.VERSION, prog_name="patience", message="%(prog)s %(version)s")(main)
    main.add_command(Games(games, solve_command, name="solve", help="Print commands that win a deal, as a script."))
    main.add_command(
        Play(
            games,
            play_command,
            name="play",
            params=[*options.CONSOLE],
            help=PLAY_HELP,
            short_help="Sit down at the table, with undo and hints.",
            subcommand_metavar="[GAME|FILE] [OPTIONS]",
        )
    )
    for plain_command in (stats, review):
        main.add_command(plain_command)
    for name, (_, text) in extra_commands.items():
        main.add_command(click.Command(name, short_help=text))
    main.modules = {name: module for name, (module, _) in extra_commands.items()}
    return main


def program_command(name: str) -> click.Command:
    """Return the command that runs a game's own program, its main()."""
    game_rules = rules.load(name)

    def run(seed: int | None, deck: DeckFile | None, **choices: str) -> None:
        if all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
            click.echo(f"{AT_THE_TABLE}: {command(f'play {name}')}", err=True)
        typed = {option: choice for option, choice in choices.items() if not options.is_default(option)}
        runner.run(options.deal_of(game_rules, seed, deck, choices), typed)

    return options.game_command(game_rules, options.deal_options(game_rules), run)


# The other commands


def play_command(game: str) -> click.Command:
    """Return the command that sits a player down at the table. game: a game's name, or the path of a file."""
    game_rules = rules.load(game) if game in rules.all_games() else load_file(game)

    def sit_down(**values: Any) -> None:
        from patience.menu import choose
        from patience.records import kept_options
        from patience.start import console_of, play_game

        kept = kept_options.kept_choices(game_rules)
        values |= {name: choice for name, choice in kept.items() if options.is_default(name)}
        flags = {option.name: values.pop(option.name) for option in options.CONSOLE}
        before = click.get_current_context().parent  # play --spoken klondike
        flags = {name: is_on or bool(before and before.params[name]) for name, is_on in flags.items()}
        with contextlib.closing(console_of(**flags)) as console:
            if play_game(game_rules, console, **values):
                choose(console)

    return options.game_command(game_rules, [*options.play_options(game_rules), *options.CONSOLE], sit_down)


def choose_from_list(flags: dict[str, bool]) -> None:
    """Let the player choose from the list. flags: the console options."""
    from patience.menu import choose
    from patience.start import console_of

    with contextlib.closing(console_of(**flags)) as console:
        choose(console)


def load_file(path: str) -> Rules:
    """Return the Rules of a game in a file. Raises click.UsageError if there is none."""
    from patience import start

    return start.load_file(EXISTING.convert(path, None, None), rules.all_games())


@click.command(
    "stats",
    params=[options.SPOKEN],
    help="Show the results of your games; stats klondike: for each option; stats daily: for the deals of the day.",
    short_help="Show the results of your games.",
)
@click.argument("what", required=False, type=options.StatsName())
@click.option("--reset", is_flag=True, help="Delete all results, after asking.")
def stats(what: str | None, reset: bool, spoken: bool) -> None:
    """Show the results, or delete them."""
    from patience.records import statistics, store
    from patience.start import console_of

    console = console_of(spoken)
    if reset and what:
        raise click.UsageError("--reset deletes the results of all games, and takes no name.")
    if reset and not console.agrees("Delete all results"):
        click.echo("Nothing was changed.", err=True)
        return
    try:
        if reset:
            store.reset()
            text = "All results deleted."
        else:
            text = statistics.describe(what, console.arrange_table)
    except OSError as error:
        raise click.ClickException(f"The results cannot be read: {error}") from None
    console.print(text)


@click.command("review", params=[options.SPOKEN], help="Show what the choices in a saved game cost.")
@click.argument("file", type=EXISTING)
@click.option("--last", type=click.IntRange(min=1), help="Review only the last N commands (default 300).")
def review(file: str, last: int | None, spoken: bool) -> None:
    """Review the game saved in a file."""
    from patience.analysis import review as judge
    from patience.records import savefile
    from patience.start import console_of

    try:
        game = savefile.read(file, rules.all_games())
    except (OSError, ValueError) as error:
        raise click.UsageError(printable(f"{file}: {error_text(error)}")) from None
    if not game or not game.commands:
        raise click.UsageError(printable(f"{file}: no command has been carried out yet."))
    count, which = judge.scope(game, last, "--last {}")
    click.echo(judge.notice(count, which), err=True)
    choices, text = [], [which] if count < len(game.commands) else []
    try:
        text += judge.review(game, count, choices)
    except KeyboardInterrupt:
        text += judge.summary(game, choices)
    console_of(spoken).print("\n".join(text))


def solve_command(name: str) -> click.Command:
    """Return the command that prints a game's solution."""
    game_rules = rules.load(name)

    def solve(seed: int | None, deck: DeckFile | None, save: str | None, time: float, **choices: str) -> ExitStatus:
        from patience.analysis import solve
        from patience.game import Game
        from patience.start import file_game

        deal = options.deal_of(game_rules, seed, deck, choices)
        game = file_game(save, deal) if save else None
        game = game or Game(deal._replace(number=fresh_number() if seed is None else seed))
        return solve.print_solution(game, time)

    saved = click.Option(["--save"], type=EXISTING, help="Solve the game saved in this file.")
    params = [*options.deal_options(game_rules), saved, options.TIME]
    text = (
        "Print commands that win this deal, as a script. Exits with 1 if it cannot be won, 3 if it ran out of time or "
    )
    return click.Command(name, callback=solve, params=[*params], help=text + "memory.")


# The program


class Games(click.Group):
    """A group with a command for every game; a game's module is imported when its command is used."""

    def __init__(self, games: dict[str, str], make: Callable[[str], click.Command], **settings: Any) -> None:
        """games: module name -> its line in the list. make: a function that takes the name and returns the command."""
        super().__init__(invoke_without_command=True, callback=self.answer_without_command, **settings)
        self.games = games
        self.make = make
        self.modules = {}  # commands that are imported when they are used: name -> module

    def answer_without_command(self, **flags: Any) -> None:
        """If no command is given, answer alone. flags: the group's own options."""
        ctx = click.get_current_context()
        if ctx.invoked_subcommand is None:
            self.answer_alone(ctx)

    def answer_alone(self, ctx: click.Context) -> None:
        """Show the help."""
        click.echo(ctx.get_help())

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.games, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self.games:
            return click.Command(name, short_help=self.games[name])
        return super().get_command(ctx, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = [*self.games, *self.commands]
        typed = resolve_prefix(args[0], names)
        if not typed:
            import difflib  # only needed after a typo

            for alike in difflib.get_close_matches(args[0].lower(), names, 1):
                raise click.UsageError(f"No such command {args[0]!r}. Did you mean {alike}?")
        name, command, args = super().resolve_command(ctx, [typed or args[0], *args[1:]])
        if name in self.games:
            command = self.make(name)
        elif name in self.modules:
            if not os.path.exists(__file__):  # in a zipped program, which has no files to make visible in a sandbox
                raise click.UsageError(f"{name} does not run from a single file: install the program.")
            command = importlib.import_module(self.modules[name]).command
        return name, command, args


class Play(Games):
    """The command play: a command for every game, and for every file; alone it shows the list."""

    def answer_alone(self, ctx: click.Context) -> None:
        """Let the player choose from the list."""
        choose_from_list(ctx.params)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if {".", "/", os.sep}.isdisjoint(args[0]):
            return super().resolve_command(ctx, args)
        return args[0], self.make(args[0]), args[1:]


class Program(Games):
    """The whole program. It alone sets the exit status."""

    def answer_alone(self, ctx: click.Context) -> None:
        """Show the list to a player at a terminal, and the help to others."""
        if not at_terminal():
            super().answer_alone(ctx)
            return
        choose_from_list(click.Command("play", params=[*options.CONSOLE]).make_context("play", []).params)

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the program. Report a failing stream or a lack of memory in one line."""
        sys.stdin = sys.stdin or open(os.devnull)  # a closed stream is None
        if not sys.stdout:
            sys.exit(end(ExitStatus.FAILED, "Error: Standard output is closed."))
        streams: Any = sys.stdin, sys.stdout
        for stream in streams:  # never fail on what a terminal sends or cannot show; the same bytes in every locale
            if hasattr(stream, "reconfigure"):  # some editors' streams have no bytes
                in_pipe = "utf-8-sig" if stream is sys.stdin else "utf-8"  # what is given may begin with a mark
                stream.reconfigure(errors="replace", encoding=None if stream.isatty() else in_pipe)
        if not sys.stdout.isatty() and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(newline="\n")
        click.Context.formatter_class = options.SpokenFormatter if options.are_answers_spoken() else click.HelpFormatter
        try:
            return super().main(*args, **settings)
        except OSError as error:  # except a closed pipe, which click handles
            sys.exit(end(ExitStatus.FAILED, f"Error: {error_text(error)}"))
        except MemoryError:
            sys.exit(end(ExitStatus.FAILED, "Error: There is not enough memory."))

    def invoke(self, ctx: click.Context) -> Any:
        def end_by_signal(number: int, _: Any) -> None:
            signal.signal(number, signal.SIG_IGN)  # a second one would interrupt what the first one began
            raise patience.Ended

        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):  # Windows has only the first
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), end_by_signal)
        message = ""
        try:
            status = super().invoke(ctx) or ExitStatus.DONE
        except (KeyboardInterrupt, patience.Ended) as interrupt:
            for number in (signal.SIGINT, signal.SIGTERM):  # ignore any further signal
                signal.signal(number, signal.SIG_IGN)
            status, message = ExitStatus.INTERRUPTED, f"Interrupted. {interrupt}".rstrip()
        except BrokenPipeError:
            status = ExitStatus.FAILED
        except click.Abort as abort:  # Ctrl-C, or the end of the input, in answer to a question
            status = ExitStatus.INTERRUPTED if isinstance(abort.__context__, KeyboardInterrupt) else ExitStatus.DONE
            message = "Interrupted." if status else "Nothing was changed."
        except (MissingMethod, Refused) as error:  # Refused: no deal was found
            status, message = ExitStatus.FAILED, f"Error: {error}"
        except Exception as error:
            if not patience.is_terminal_gone(error):
                raise
            status = ExitStatus.INTERRUPTED
        ctx.exit(end(status, message))


def show_traceback(
    games: dict[str, str], kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Show the traceback of an error, starting at the game's file if the error arose there. If a listed game has no
    file, say so in one line."""
    if isinstance(error, ModuleNotFoundError) and error.name in games:
        click.echo(f"Error: there is no file {error.name}.py.", err=True)
        return
    trace = own_trace(trace, games) or trace
    sys.__excepthook__(kind, error.with_traceback(trace), trace)
