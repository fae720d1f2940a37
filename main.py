#!/usr/bin/env python3
"""Patience games for the terminal: the commands and their options."""

import functools
import os
import signal
import sys

try:
    import click
except ImportError:
    sys.exit("click is missing. This sets it up: python3 -m pip install -r requirements.txt")

import patience
from patience import options, rules, start
from patience.sitting import MissingMethod

# The games: module name, and what the list of games says of it.
GAMES = {
    "montana": "Sort the suits into four rows, one card at a time into a blank.",
    "quadzilla": "Clear fours of a suit in thirteen turns, but mind the Quadzilla.",
    "desturado": "Stack the whole board into your hand, by value and by suit.",
    "zodiac": "Two packs: 24 piles around the Equator, then eight foundations.",
    "klondike": "Columns down in alternating colours, foundations up in suit.",
}

INTERRUPTED = 130


def game_command(name):
    """Return the click command that plays a game, with the options that the game has."""
    game_rules = rules.load(name)
    # \b keeps click from filling the paragraphs of the rules anew.
    text = "\b\n" + game_rules.__doc__.replace("\n\n", "\n\n\b\n")
    params = options.game_options(game_rules) + options.program_options(game_rules.PACK)
    return click.Command(name, callback=functools.partial(start.play, game_rules), params=params, help=text)


class Games(click.Group):
    """The games as commands; a game's module is imported when it is played, not to be listed."""

    def list_commands(self, ctx):
        return [*GAMES, *super().list_commands(ctx)]

    def get_command(self, ctx, name):
        if name in GAMES:
            return click.Command(name, short_help=GAMES[name])
        return super().get_command(ctx, name)

    def resolve_command(self, ctx, args):
        args = [self.full_name(args[0]), *args[1:]]
        name, command, args = super().resolve_command(ctx, args)
        return name, game_command(name) if name in GAMES else command, args

    def full_name(self, name):
        """Return the command that a word is short for, or the word: Klondike and kl are klondike."""
        names = [*GAMES, *self.commands]
        short_for = [one for one in names if one.startswith(name.lower())]
        if len(short_for) == 1:
            return short_for[0]
        if name not in names:
            import difflib

            for alike in difflib.get_close_matches(name.lower(), names, 1):
                raise click.UsageError(f"No such command {name!r}. Did you mean {alike}?")
        return name

    def invoke(self, ctx):
        """Carry out a command. Here, and only here, the program ends with a status."""
        for name in ("SIGTERM", "SIGHUP"):  # they end it as Ctrl-C does, where there are any
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)
        message = ""
        try:
            status = super().invoke(ctx) or 0
        except KeyboardInterrupt as interrupt:
            status, message = INTERRUPTED, f"Interrupted. {interrupt}".rstrip()
        except MissingMethod as name:
            status, message = 1, f"Error: this game needs {name}(), which the cards of cards.py do not have."
        except BrokenPipeError:
            status = 1
        except OSError as error:
            status, message = 1, f"Error: {error.strerror}"
        ctx.exit(end(status, message))


def end(status, message):
    """Write what is not written yet or, if that fails, lose it. Return the exit status."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if message:
        at_terminal = status == INTERRUPTED and sys.stdout and sys.stdout.isatty()
        click.echo(("\n" if at_terminal else "") + message, err=True)
    return status


@click.group(cls=Games, invoke_without_command=True, context_settings={"auto_envvar_prefix": "PATIENCE"})
@click.version_option(patience.VERSION, prog_name="patience", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx):
    """Patience games for the terminal.

    Play one with: python main.py GAME
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@main.command(params=[click.Argument(["game"], required=False, type=click.Choice(GAMES, case_sensitive=False)),
                      options.ASCII])
def resume(game, ascii):
    """Go on with a game that was not finished."""
    import patience.kept

    ask = all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return start.sit(patience.kept.choose(GAMES, game, ask), ascii)


@main.command()
@click.option("--reset", is_flag=True, help="Forget all results, after asking.")
def stats(reset):
    """Show the results of the games played at a terminal."""
    import patience.kept
    import patience.results

    folder = patience.kept.application_folder()
    try:
        if not reset:
            patience.results.show(patience.results.summary(folder, GAMES, patience.kept.names(GAMES)))
        elif click.confirm("Forget all results?"):
            patience.results.reset(folder)
    except OSError as error:
        raise click.ClickException(f"The results cannot be read: {error}") from None


if __name__ == "__main__":
    main(complete_var="_MAIN_PY_COMPLETE")
