#!/usr/bin/env python3
"""Patience games for the terminal: the commands and their options."""

import gc
import os
import signal
import sys

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # Ctrl-C, until a command is carried out
if __doc__ is None:
    sys.exit("The rules are docstrings, which -OO leaves out: start the program without it.")

gc.disable()  # there is no garbage yet, and to look for some takes a tenth of the start
try:
    import click
except ImportError:
    sys.exit("click is missing. This sets it up: python3 -m pip install -r requirements.txt")

import patience
from patience import commands, options, start

gc.freeze()
gc.enable()

# The games: module name, and what the list of games says of it.
GAMES = {
    "montana": "Sort the suits into four rows, one card at a time into a blank.",
    "quadzilla": "Clear fours of a suit in thirteen turns, but mind the Quadzilla.",
    "desturado": "Stack the whole board into your hand, by value and by suit.",
    "zodiac": "Two packs: 24 piles around the Equator, then eight foundations.",
    "klondike": "Columns down in alternating colours, foundations up in suit.",
}


@click.group(cls=commands.Games, games=GAMES, invoke_without_command=True,
             context_settings={"auto_envvar_prefix": "PATIENCE"})
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
    if reset and not click.confirm("Forget all results?"):
        return
    try:
        rows = patience.results.reset(folder) if reset else patience.results.summary(
            folder, GAMES, patience.kept.names(GAMES))
    except OSError as error:
        raise click.ClickException(f"The results cannot be read: {error}") from None
    if not reset:
        patience.results.show(rows)


if __name__ == "__main__":
    main(complete_var="_MAIN_PY_COMPLETE")
