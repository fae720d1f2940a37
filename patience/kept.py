"""Kept games: the folder of those at a terminal, which resume goes on with, and the file of --save."""

import contextlib
import itertools
import os
import time

import click

from patience import journal, loop, rules
from patience.console import Silent
from patience.files import must_be_file, printable
from patience.sitting import Sitting


MOST_READ = 4096  # of a first line
MOST_LISTED = 9  # kept games among which resume lets one choose
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


def application_folder():
    """Return the folder where unfinished games and results are kept."""
    return click.get_app_dir("patience")


def folder():
    """Return the folder where unfinished games are kept."""
    return os.path.join(application_folder(), "sittings")


def all_paths():
    """Return the paths of all kept games, the one played last first."""
    names = os.listdir(folder()) if os.path.isdir(folder()) else []
    return sorted((os.path.join(folder(), name) for name in sorted(names)), key=when_played, reverse=True)


def when_played(path):
    """Return when a command was last added to a kept game; 0 if it is not there any more."""
    with contextlib.suppress(OSError):
        return os.stat(path).st_mtime_ns
    return 0


def header_of(path):
    """Return the game and the settings of a kept game, as journal.read_header does. Raises OSError or
    ValueError if they cannot be read."""
    must_be_file(path)
    with open(path, encoding="utf-8") as lines:
        return journal.read_header(lines.readline(MOST_READ))


def game_in(path):
    """Return the name of the game in a file, or None if it is not a journal."""
    with contextlib.suppress(OSError, ValueError):
        return header_of(path)[0]
    return None


def names(games):
    """Return the names, with their options, of all kept games. games: the names of all games."""
    found = []
    for path in all_paths():
        with contextlib.suppress(OSError, ValueError):
            name, settings = header_of(path)
            if name in games:
                found.append(rules.full_name(rules.load(name), settings))
    return found


def is_one_kept(table):
    """Return True if another game of the kind that is played is kept."""
    others = [path for path in all_paths() if not table.journal or path != table.journal.path]
    return table.sitting.rules.__name__ in map(game_in, others)


# Keeping


def new_journal():
    """Return a Journal in the folder of kept games. Raises OSError if it cannot be made."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09}-{os.getpid()}.txt"
    os.makedirs(application_folder(), 0o700, exist_ok=True)
    os.makedirs(folder(), 0o700, exist_ok=True)
    return journal.Journal(os.path.join(folder(), name), unasked=True)


def keep_unasked(table):
    """Keep a game in the folder of kept games from now on, with its early lines; if that fails, say so."""
    sitting = table.sitting
    try:
        table.journal = new_journal()
        table.journal.begin(sitting)
    except OSError as error:
        table.cannot_keep = True
        click.echo(f"This game is not kept: {error}", err=True)
    else:
        for line in table.early:
            table.journal.add(line)


def put_aside(table):
    """See to it that the game in hand is kept while another one is played; return True if it is. One
    that is over, or in which nothing was done, is not kept."""
    kept, table.journal = table.journal, table.journal and (None if table.journal.unasked else table.journal)
    if not table.sitting.done or table.sitting.outcome():
        if kept and kept.unasked:
            kept.remove()
        return False
    if kept:
        kept.add_time(table.sitting)
    if kept and kept.unasked:
        kept.close()
    elif kept:  # the file of --save is for the next game
        try:
            copy = new_journal()
            for line in kept.read()[0]:
                copy.add(line)
            copy.close()
        except OSError as error:
            click.echo(f"The game before is not kept: {error}", err=True)
            return False
    return bool(kept)


# Going on


def open_journal(path):
    """Return the journal in a file; a file that cannot be one is a usage error."""
    try:
        return journal.Journal(path)
    except BlockingIOError:
        raise click.BadParameter(f"{printable(path)} is in use by another program.") from None
    except OSError as error:
        raise click.BadParameter(f"{printable(path)} cannot be written: {error.strerror}.") from None


def take_up(table, kept, error, given=()):
    """Go on with what a journal holds; a journal of something else is an error. given: the options that
    must be those of the journal."""
    try:
        told = journal.take_up(table, kept, given)
    except ValueError as reason:
        raise error(printable(f"{kept.path}: {reason}")) from None
    for sentence in told:
        click.echo(printable(f"{kept.path}: {sentence}"), err=True)


def unfinished(games, only=None):
    """Yield a Table for each kept game, the one played last first. One that cannot be gone on with is
    named, on stderr, and left out. games: the names of all games. only: the one that is asked for."""
    for path in all_paths():
        if only and game_in(path) != only:
            continue
        try:
            yield kept_table(journal.Journal(path, unasked=True), games)
        except (OSError, ValueError) as error:  # in use by another program, or damaged
            click.echo(printable(f"{path}: {error}"), err=True)


def choose(games, only, ask):
    """Return a Table with an unfinished game: the newest or, if there is a player to ask, one that is
    chosen from a list. games, only: as in unfinished.

    Raises click.ClickException if there is none.
    """
    tables = list(itertools.islice(unfinished(games, only), MOST_LISTED if ask and not only else 1))
    if not tables:
        raise click.ClickException("No game was left unfinished.")
    number = 1
    if len(tables) > 1:
        for number, table in enumerate(tables, start=1):
            count = rules.count_of(len(table.sitting.done), "command")
            click.echo(f"{number}  {table.sitting.name():<24}{count:>13}  {how_long_ago(table.journal.path)}")
        if len(tables) == MOST_LISTED < len(all_paths()):
            click.echo("There are older ones: resume GAME takes the last one of a game.")
        number = click.prompt("Which one", type=click.IntRange(1, len(tables)), default=1)
    chosen = tables.pop(number - 1)
    for table in tables:
        table.journal.close()
    return chosen


def how_long_ago(path):
    """Return how long ago a file was written, in words."""
    seconds = max(0, time.time() - os.path.getmtime(path))
    for unit, length in UNITS:
        if seconds >= length:
            return f"{rules.count_of(int(seconds // length), unit)} ago"
    return "just now"


def kept_table(kept, games):
    """Return a Table with the sitting that a journal holds; ValueError says why not."""
    try:
        lines, cut_off = kept.read()
        name, _ = journal.read_header(lines[0] if lines else cut_off)
        if name not in games:
            raise ValueError(f"there is no game {name}.")
        table = loop.Table(Sitting(rules.load(name), {}), Silent())
        take_up(table, kept, ValueError)
    except ValueError:
        kept.close()
        raise
    return table
