"""The commands of the games, and how the program ends."""

import functools
import os
import signal
import sys

import click

from patience import options, rules, start
from patience.lines import Refused
from patience.sitting import MissingMethod

INTERRUPTED = 130


def game_command(name):
    """Return the click command that plays a game, with the options that the game has."""
    game_rules = rules.load(name)
    # \b keeps click from filling the paragraphs of the rules anew.
    text = "\b\n" + (game_rules.__doc__ or "").replace("\n\n", "\n\n\b\n")
    params = options.game_options(game_rules) + options.program_options(game_rules.PACK)
    return click.Command(name, callback=functools.partial(start.play, game_rules), params=params, help=text)


class Games(click.Group):
    """The games as commands; a game's module is imported when it is played, not to be listed."""

    def __init__(self, *args, games, **settings):
        """games: module name -> what the list of games says of it."""
        super().__init__(*args, **settings)
        self.games = games

    def list_commands(self, ctx):
        return [*self.games, *super().list_commands(ctx)]

    def get_command(self, ctx, name):
        if name in self.games:
            return click.Command(name, short_help=self.games[name])
        return super().get_command(ctx, name)

    def resolve_command(self, ctx, args):
        args = [self.full_name(args[0]), *args[1:]]
        name, command, args = super().resolve_command(ctx, args)
        return name, game_command(name) if name in self.games else command, args

    def full_name(self, name):
        """Return the command that a word is short for, or the word: Klondike and kl are klondike."""
        names = [*self.games, *self.commands]
        short_for = [one for one in names if one.startswith(name.lower())]
        if len(short_for) == 1:
            return short_for[0]
        if name not in names:
            import difflib

            for alike in difflib.get_close_matches(name.lower(), names, 1):
                raise click.UsageError(f"No such command {name!r}. Did you mean {alike}?")
        return name

    def main(self, *args, **settings):
        """Run the program. Whatever happens to its streams and its memory is told in one line."""
        sys.stdin = sys.stdin or open(os.devnull)  # a stream that is closed is None
        try:
            return super().main(*args, **settings)
        except OSError as error:  # but for a closed pipe, which click knows
            sys.exit(end(1, f"Error: {error.strerror}"))
        except MemoryError:
            sys.exit(end(1, "Error: There is not enough memory."))

    def invoke(self, ctx):
        """Carry out a command. Here, and only here, the program ends with a status."""
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # they end it as Ctrl-C does, where there are any
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)
        message = ""
        try:
            status = super().invoke(ctx) or 0
        except KeyboardInterrupt as interrupt:
            status, message = INTERRUPTED, f"Interrupted. {interrupt}".rstrip()
        except MissingMethod as name:
            status, message = 1, f"Error: this game needs {name}(), which the cards of cards.py do not have."
        except Refused as error:  # no deal was found
            status, message = 1, f"Error: {error}"
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
