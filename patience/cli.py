"""The commands, made from the games' rules, and how the program ends."""

from __future__ import annotations

import functools
import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import click

import patience
from patience import ExitStatus, flush_and_say, options, program as runner, rules
from patience.groups import Games
from patience.options import at_terminal
from patience.rules import MissingMethod, Refused, own_trace
from patience.text import shell_line, error_text

if TYPE_CHECKING:
    from types import TracebackType

    from patience.options import DeckFile

AT_THE_TABLE = "At the table, with undo and hints"
TABLE, GRADING = "patience.table.commands", "patience.grading.command"  # modules
COMMANDS = {  # those besides the games: name -> where it is, and its line in the list
    "solve": (TABLE, "Print commands that win a deal, as a script."),
    "play": (TABLE, "Sit down at the table, with undo and hints."),
    "stats": (TABLE, "Show the results of your games."),
    "review": (TABLE, "Show what the choices in a saved game cost."),
    "grade": (GRADING, "Grade students' programs."),
    "sessions": ("patience.grading.recording", "Write the sessions that programs are graded against."),
}


def program(games: dict[str, str]) -> Program:
    """Return the program: the click group with all commands. games: module name -> its line in the list of games."""
    if not __doc__:
        sys.exit("The rules are docstrings, which -OO strips: start the program without it.")
    sys.excepthook = functools.partial(show_traceback, games)
    text = (
        f"Patience games for the terminal.\n\nPlay one with: {shell_line('GAME')}\n\n"
        f"{AT_THE_TABLE}: {shell_line('play GAME')}"
    )
    main = Program(games, help=text)
    click.version_option(patience.VERSION, prog_name="patience", message="%(prog)s %(version)s")(main)
    for name, (module, line) in COMMANDS.items():
        main.add_command(click.Command(name, short_help=line))
        main.modules[name] = module
    return main


def program_command(name: str) -> click.Command:
    """Return the command that runs a game's own program, its main()."""
    game_rules = rules.load(name)

    def run(seed: int | None, deck: DeckFile | None, **choices: str) -> None:
        if all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
            click.echo(f"{AT_THE_TABLE}: {shell_line(f'play {name}')}", err=True)
        typed = {option: choice for option, choice in choices.items() if not options.is_default(option)}
        runner.run(options.deal_of(game_rules, seed, deck, choices), typed)

    return options.game_command(game_rules, options.deal_options(game_rules), run)


class Program(Games):
    """The whole program. It alone sets the exit status."""

    def __init__(self, games: dict[str, str], **settings: Any) -> None:
        """games: module name -> its line in the list."""
        super().__init__(program_command, **settings)
        self.games = games
        self.modules: dict[str, str] = {}  # where the other commands are, which are imported when they are used

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, args = super().resolve_command(ctx, args)
        if name in self.modules:
            command = getattr(importlib.import_module(self.modules[name]), name)
        return name, command, args

    def answer_alone(self, ctx: click.Context) -> None:
        """Show the list to a player at a terminal, and the help to others."""
        if not at_terminal():
            super().answer_alone(ctx)
            return
        from patience.table import commands

        with commands.play.make_context("play", [], parent=ctx) as of_play:
            commands.play.answer_alone(of_play)

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the program. Report a failing stream or a lack of memory in one line."""
        sys.stdin = sys.stdin or open(os.devnull)  # a closed stream is None
        if not sys.stdout:
            sys.exit(flush_and_say(ExitStatus.FAILED, "Error: Standard output is closed."))
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
            sys.exit(flush_and_say(ExitStatus.FAILED, f"Error: {error_text(error)}"))
        except MemoryError:
            sys.exit(flush_and_say(ExitStatus.FAILED, "Error: There is not enough memory."))

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
        ctx.exit(flush_and_say(status, message))


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
