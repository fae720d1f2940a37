"""Mistakes in a program: whose they are, and how they are told."""

import os
import sys
import time

import click

from patience.game import files, rules
from patience.game.text import error_text, printable


def own_trace(trace, games):
    """Return a traceback from the first line of a game's module on, or None if there is none. games: their names."""
    while trace:
        if trace.tb_frame.f_globals.get("__name__") in games:
            return trace
        trace = trace.tb_next
    return None


def is_of_a_game(error):
    """Return True if an exception comes from a game's module: its author wants to see the lines."""
    return own_trace(error.__traceback__, rules.all_games()) is not None


def told(error, line):
    """Write the traceback of a mistake of ours to a file; return what a player is told about it."""
    import traceback  # which no game needs

    if isinstance(error, (MemoryError, OSError)):
        why = "There is not enough memory" if isinstance(error, MemoryError) else error_text(error)
        return f"That could not be done; the game is as it was before: {printable(line)}\n{printable(why)}."
    name = f"error-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    try:
        path = os.path.join(files.made_folder(), name)
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"# {printable(line)}\n{text}")
        where = f"The error is in {path}."
    except OSError as failed:
        where = f"The error, {printable(repr(error))}, could not be written: {error_text(failed)}."
    return f"Sorry, that is a mistake in the program; the game is as it was before: {printable(line)}\n{where}"


def show(games, kind, error, trace):
    """Show the traceback of a mistake in a game's file from that file on; of any other mistake all of it. A game of the
    list that has no file is told in a line."""
    if isinstance(error, ModuleNotFoundError) and error.name in games:
        click.echo(f"Error: there is no file {error.name}.py.", err=True)
        return
    trace = own_trace(trace, games) or trace
    sys.__excepthook__(kind, error.with_traceback(trace), trace)
