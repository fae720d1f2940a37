"""The commands, made from the games' rules, and how the program ends."""

from __future__ import annotations

import functools
import importlib
import itertools
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

import patience
from patience import ExitStatus, end, options, rules, script
from patience.decks import fresh_number
from patience.rules import MissingMethod, Refused, own_trace
from patience.options import at_terminal
from patience.text import command, error_text, printable, resolve_prefix

if TYPE_CHECKING:
    from types import TracebackType

    from patience.options import DeckFile
    from patience.rules import Rules

EXISTING = options.FileName(exists=True, dir_okay=False)


def program(games: dict[str, str], extra_commands: dict[str, tuple[str, str]]) -> Program:
    """Return the program: the click group with all commands. games: module name -> its line in the list of games.
    extra_commands: command name -> the module that defines it as `command`, and its line in the list."""
    if not __doc__:
        sys.exit("The rules are docstrings, which -OO strips: start the program without it.")
    sys.excepthook = functools.partial(show_traceback, games)
    text = f"Patience games for the terminal.\n\nPlay one with: {command('GAME')}"
    main = Program(games, play_command, help=text)
    click.version_option(patience.VERSION, prog_name="patience", message="%(prog)s %(version)s")(main)
    main.add_command(Games(games, solve_command, name="solve", help="Print commands that win a deal, as a script."))
    for plain_command in (play_file, resume, stats, review):
        main.add_command(plain_command)
    for name, (_, text) in extra_commands.items():
        main.add_command(click.Command(name, short_help=text))
    main.modules = {name: module for name, (module, _) in extra_commands.items()}
    return main


def play_command(name: str) -> click.Command:
    """Return the command that plays a game from the list."""
    return play_command_of(rules.load(name))


def play_command_of(game_rules: Rules) -> click.Command:
    """Return the command that plays a game."""
    return options.play_command(game_rules, functools.partial(play, game_rules))


def play(game_rules: Rules, /, **values: Any) -> None:
    """Sit a player down at the table; for a script, run the plain program, which needs only a third of the modules."""
    flags = options.pop_console_flags(values)
    if options.sits_at_the_table(flags, bool(values["save"])):
        from patience.menu import choose, play_game
        from patience.records import settings

        kept = settings.kept_choices(game_rules)
        values |= {name: choice for name, choice in kept.items() if options.is_default(name)}
        if play_game(game_rules, flags, **values):
            choose(flags)
        return
    seed, deck, daily, winnable, seconds = (values[name] for name in ("seed", "deck", "daily", "winnable", "time"))
    options.refuse_combinations(seed, deck, daily, winnable)
    deal = options.deal_of(game_rules, seed, deck, {name: values[name] for name in game_rules.OPTIONS})
    number, next_number = seed, fresh_number
    if daily or winnable:
        from patience.start import daily_number, number_source

        number = daily_number(deal)[1] if daily else None
        next_number = number_source(deal, daily, winnable, seconds)
    later = itertools.repeat(None) if number is not None else iter(next_number, None)
    script.play(deal, itertools.chain([next_number() if number is None else number], later))


# The other commands


@click.command("play", context_settings={"ignore_unknown_options": True}, short_help="Play a student's program.")
@click.argument("file", type=EXISTING)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[GAME'S OPTIONS]...")
@click.pass_context
def play_file(ctx: click.Context, file: str, options: tuple[str, ...]) -> None:
    """Play the game in a file, with undo, hints, arrow keys and the mouse. The file is an unchanged program for
    Montana's assignment, or a module in the form described in docs/contract.md. It runs like any other Python program,
    without a sandbox."""
    from patience.start import load_file

    game_rules = load_file(file, rules.all_games())
    command = play_command_of(game_rules)
    with command.make_context(f"{ctx.info_name} {file}", [*options], parent=ctx) as game_ctx:
        command.invoke(game_ctx)


@click.command("resume", help="Continue a game in progress.", params=[*options.CONSOLE])
@click.argument("game", required=False, type=options.GameName())
def resume(game: str | None, **flags: Any) -> None:
    """Continue the game in progress that was played last, or one chosen from the list if there are several."""
    from patience.menu import ALL, choose
    from patience.records import store
    from patience.start import continue_game

    try:
        saved = store.in_progress(game)
    except OSError as error:
        raise click.ClickException(f"Your games cannot be read: {error}") from None
    if not saved:
        raise click.ClickException(f"You have no {f'{game} ' if game else ''}game in progress.")
    if len(saved) == 1 or not at_terminal():
        if continue_game(saved[0], flags):
            choose(flags)
    else:
        choose(flags, game or ALL)


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
    from patience.consoles import wrapping
    from patience.menu import confirm, echo
    from patience.records import statistics, store

    if reset and what:
        raise click.UsageError("--reset deletes the results of all games, and takes no name.")
    if reset and not confirm("Delete all results", spoken):
        click.echo("Nothing was changed.", err=True)
        return
    try:
        if reset:
            store.reset()
            text = "All results deleted."
        else:
            text = statistics.describe(what, spoken, wrapping.terminal_width() if at_terminal() else None)
    except OSError as error:
        raise click.ClickException(f"The results cannot be read: {error}") from None
    echo(text, spoken)


@click.command("review", params=[options.SPOKEN], help="Show what the choices in a saved game cost.")
@click.argument("file", type=EXISTING)
@click.option("--last", type=click.IntRange(min=1), help="Review only the last N commands (default 300).")
def review(file: str, last: int | None, spoken: bool) -> None:
    """Review the game saved in a file."""
    from patience.analysis import review as judge
    from patience.menu import echo
    from patience.records import savefile

    try:
        game = savefile.read(file, rules.all_games())
    except (OSError, ValueError) as error:
        raise click.UsageError(printable(f"{file}: {error_text(error)}")) from None
    if not game or not game.commands:
        raise click.UsageError(printable(f"{file}: no command has been carried out yet."))
    count, which = judge.scope(game, last, "--last {}")
    echo(judge.notice(count, which), spoken, err=True)
    choices, text = [], [which] if count < len(game.commands) else []
    try:
        text += judge.review(game, count, choices)
    except KeyboardInterrupt:
        text += judge.summary(game, choices)
    echo("\n".join(text), spoken)


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

    def answer_without_command(self) -> None:
        """Show the help if no command is given; if the program was started without any arguments, let the player choose
        a game."""
        ctx = click.get_current_context()
        if ctx.invoked_subcommand is None and not ctx.parent and at_terminal():
            from patience.menu import choose

            choose(options.default_flags())
        elif ctx.invoked_subcommand is None:
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


class Program(Games):
    """The whole program. It alone sets the exit status."""

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the program. Report a failing stream or a lack of memory in one line."""
        sys.stdin = sys.stdin or open(os.devnull)  # a closed stream is None
        if not sys.stdout:
            sys.exit(end(ExitStatus.FAILED, "Error: Standard output is closed."))
        streams: Any = sys.stdin, sys.stdout
        for stream in streams:  # never fail on what a terminal sends or cannot show
            stream.reconfigure(errors="replace")
        if not sys.stdout.isatty():
            streams[1].reconfigure(encoding="utf-8", newline="\n")  # the same bytes in every locale
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
