"""Kept games: the folder of those at a terminal, which resume goes on with, and the file of --save."""

import os
import time

import click

from patience import journal, loop, rules
from patience.console import Silent
from patience.files import printable
from patience.sitting import Sitting


MOST_SHOWN = 80  # of a line that was cut off


def application_folder():
    """Return the folder where unfinished games and results are kept."""
    return click.get_app_dir("patience")


def folder():
    """Return the folder where unfinished games are kept."""
    return os.path.join(application_folder(), "sittings")


def keep_unasked(table):
    """Keep a sitting in the folder of kept games from now on; if that fails, say so."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    sitting = table.sitting
    sitting.deck = sitting.deck and sitting.deck._replace(path=os.path.abspath(sitting.deck.path))
    try:
        os.makedirs(application_folder(), 0o700, exist_ok=True)
        os.makedirs(folder(), 0o700, exist_ok=True)
        table.journal = journal.Journal(os.path.join(folder(), name), unasked=True)
        table.journal.begin(sitting)
    except OSError as error:
        click.echo(f"This game is not kept: {error}", err=True)


def all_paths():
    """Return the paths of all kept games, the newest first."""
    names = os.listdir(folder()) if os.path.isdir(folder()) else []
    return [os.path.join(folder(), name) for name in sorted(names, reverse=True)]


def open_journal(path):
    """Return the journal in a file; a file that cannot be one is a usage error."""
    try:
        return journal.Journal(path)
    except BlockingIOError:
        raise click.BadParameter(f"{printable(path)} is in use by another program.") from None
    except OSError as error:
        raise click.BadParameter(f"{printable(path)} cannot be written: {error.strerror}.") from None


def take_up(table, kept, error):
    """Go on with what a journal holds; a journal of something else is an error."""
    try:
        cut_off = journal.take_up(table, kept)
    except ValueError as reason:
        raise error(printable(f"{kept.path}: {reason}")) from None
    if cut_off:
        cut_off = printable(f"{kept.path}: the last line was cut off, and is dropped: {cut_off[:MOST_SHOWN]}")
        click.echo(cut_off, err=True)


def last_unfinished(games):
    """Return a Table with the last game that was not finished. games: the names of all games.

    Raises click.ClickException if there is none.
    """
    for path in all_paths():
        try:
            return kept_table(journal.Journal(path, unasked=True), games)
        except (OSError, ValueError) as error:  # in use by another program, or damaged
            click.echo(printable(f"{path}: {error}"), err=True)
    raise click.ClickException("No game was left unfinished.")


def kept_table(kept, games):
    """Return a Table with the sitting that a journal holds; ValueError says why not."""
    lines, cut_off = kept.read()
    name, settings = journal.read_header(lines[0] if lines else cut_off)
    if name not in games:
        raise ValueError(f"there is no game {name}.")
    game_rules = rules.load(name)
    options = {option: settings.get(option, choices[0]) for option, choices in game_rules.OPTIONS.items()}
    table = loop.Table(Sitting(game_rules, options), Silent())
    take_up(table, kept, ValueError)
    return table
