"""How a sitting begins: from the options of a command, or from a saved game."""

import contextlib
import functools
import os
import sys
from collections import namedtuple

import click

from patience import Ended
from patience.options import SECONDS_TO_SOLVE
from patience.game import files, rules
from patience.records import saves
from patience.game.text import error_text, printable
from patience.game.typing import ASSIGNMENT, HEARER, PLAYER, SCRIPT
from patience.records.keepers import FileKeeper, FolderKeeper, NoKeeper
from patience.records.saves import Journal
from patience.consoles.script import Script, Silent
from patience.game.sitting import Sitting
from patience.table import Table

Show = namedtuple("Show", "ascii scroll spoken")  # how a game is shown: three flags


def show_by_environment():
    """Return the Show of a game that is chosen from the list."""
    return Show(False, *(click.BOOL(os.environ.get(f"PATIENCE_{name}") or "no") for name in ("SCROLL", "SPOKEN")))


def play(game_rules, /, seed, deck, daily, winnable, save, time, ascii, scroll, spoken, warn, **options):
    """Play games until the player leaves. Return True if they want to resume another one. options: the
    game's own; the others are those of the game's command."""
    for option, given in (("daily", daily), ("winnable", winnable)):
        if given and (seed is not None or deck):
            raise click.UsageError(f"--{option} does not go together with --seed or --deck.")
    sitting = Sitting(game_rules, options, seed, deck)
    if winnable:
        from patience.advice import deals

        sitting = deals.Winnable(None if daily else time, game_rules, options)
    if daily:
        from patience.records import daily

        today = daily.todays_number()
        sitting.seed = sitting.choose(daily.numbers_of(today)) if winnable else today
    if at_terminal():
        count_the_rest(rules.all_games())
    table, journal = begin(sitting, save, time)
    return sit_down(table, journal, bool(save), Show(ascii, scroll, spoken), warn)


def begin(sitting, save, seconds):
    """Return a Table with the sitting that a file holds, or a new one, and the Journal of the file. save: the path,
    or None. A file that is no saved game of this kind is a usage error."""
    table = table_of(sitting, seconds)
    if not save:
        sitting.deal()
        return table, None
    journal = open_journal(save)
    try:
        tell(journal.path, saves.take_up(table, journal, [option for option in sitting.options if was_typed(option)]))
    except ValueError as reason:
        raise click.BadParameter(printable(f"{journal.path}: {reason}")) from None
    return table, journal


def sit_down(table, journal, asked, show, warns=False):
    """Let the player sit down at a table with a game. Return True if another one in progress is wanted.

    journal: the file of the game, or None. asked: True if it is the one of --save. show: a Show."""
    sitting = table.sitting
    if show.spoken:
        from patience.consoles.spoken import Spoken

        table.typist = HEARER if at_terminal() else HEARER._replace(can_ask=False)
        table.console = Spoken(sys.stdin, sys.stdout)
    elif at_terminal():
        from patience.consoles import replies  # which scripts do not need, nor readline and threading
        from patience.consoles.terminal import Terminal

        table.typist = PLAYER
        candidates = functools.partial(replies.all_lines, table)
        table.console = Terminal(sys.stdin, sys.stdout, candidates, show.ascii, show.scroll)
    else:
        table.typist = ASSIGNMENT if sitting.rules.reads_itself else SCRIPT
        table.console = Script(sys.stdin, sys.stdout, show.ascii)
    table.warns = warns and table.typist.can_ask
    if at_terminal() or journal and not asked:
        sitting.seed = None  # later games have numbers of their own
        table.keeper = FolderKeeper(journal, asked)
    else:
        table.keeper = FileKeeper(journal) if journal else NoKeeper()
    table.console.before_waiting = table.keeper.sync
    return table.sit()


def at_terminal():
    """Return True if a player sits at a terminal."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def was_typed(option):
    """Return True if an option stands on the command line: a default gives way to a saved game's choice."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


# Saved games


def open_journal(path):
    """Return the Journal of a file; a file that cannot be one is a usage error."""
    try:
        return Journal(path)
    except BlockingIOError as error:
        raise click.BadParameter(f"{printable(path)}: {error.strerror}.") from None
    except OSError as error:
        raise click.BadParameter(f"{printable(path)} cannot be written: {error.strerror}.") from None


def table_of(sitting, seconds=SECONDS_TO_SOLVE):
    """Return a Table at which a saved game can be played again."""
    return Table(sitting, Silent(), NoKeeper(), seconds)


def tell(path, sentences):
    """Tell what was found in a file."""
    for sentence in sentences:
        click.echo(printable(f"{path}: {sentence}"), err=True)


# Games in progress


def read_saved(path, games, sitting=None):
    """Replay a saved game, and return its sitting, and its lines after the first one; the file is only read. sitting:
    one that has not begun, for which the game must be. Raises click.UsageError if the file holds no such game."""
    try:
        files.must_be_file(path)
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            *lines, cut_off = file.read().split("\n")
        if lines and cut_off:
            tell(path, [saves.dropped(cut_off)])
        lines = lines or [cut_off]
        table = table_of(sitting) if sitting else table_for(lines[0], games)
        tell(path, saves.play_on(table, lines, filter(was_typed, sitting.options) if sitting else ()))
    except (OSError, ValueError) as error:
        raise click.UsageError(printable(f"{path}: {error_text(error)}")) from None
    return table.sitting, lines[1:]


def review(games, path, last):
    """Print the review of a saved game. last: how many commands are looked at, or None. Raises click.UsageError if the
    file holds none, or one without a command."""
    from patience.advice.review import Review

    sitting, _ = read_saved(path, games)
    if not sitting.done:
        raise click.UsageError(printable(f"{path}: no command has been carried out yet."))
    game = Review(sitting, sys.stderr if sys.stderr and sys.stderr.isatty() else None, last, "--last {}")
    click.echo(game.notice(), err=True)
    try:
        lines = game.lines()
    except Ended:
        raise
    except KeyboardInterrupt:
        lines = game.so_far()
    click.echo("\n".join(lines))


def saved_tables(games, only=None):
    """Yield a Table and a Journal for each game in progress, the one played last first. A file that holds none, or is
    in use, is named on stderr. games: the names of all games. only: the game that is wanted, or None."""
    unusable = []  # a sentence for each file
    for path in saves.all_paths():
        if only and saves.header_of(path)[0] != only:
            continue
        try:
            opened = open_saved(path, games)
        except (OSError, ValueError) as error:
            unusable.append(printable(f"{path}: {error_text(error).rstrip('.')}."))
        else:
            tell_unusable(unusable)
            yield opened
    tell_unusable(unusable)


def tell_unusable(sentences):
    """Tell about files that hold no saved game, in one line; then there are none to tell about."""
    if len(sentences) > 1:
        click.echo(
            f"{len(sentences)} files in {printable(saves.folder())} cannot be opened, the first is {sentences[0]}",
            err=True,
        )
    elif sentences:
        click.echo(sentences[0], err=True)
    sentences.clear()


def open_saved(path, games):
    """Return a Table and a Journal for the game in a file. Raises OSError or ValueError if there is none."""
    journal = Journal(path, new=False)
    try:
        lines, cut_off = journal.read()
        table = table_for(lines[0] if lines else cut_off, games)
        tell(path, saves.take_up(table, journal))
        return table, journal
    except BaseException:
        journal.close()
        raise


def count_the_rest(games):
    """Count the games that are over and could not be counted when they ended. games: the names of all games."""
    for path in filter(saves.has_ended, saves.all_paths()):
        with contextlib.suppress(Exception):  # it is being played, or damaged, or its game has a mistake: whoever opens
            table, journal = open_saved(path, games)  # it is told so, and no other game need wait for that
            FolderKeeper(journal).leave(table.sitting, table.record)


def table_for(line, games):
    """Return a Table for the game in the first line of a file. Raises ValueError with a sentence if there is none."""
    name, _ = saves.read_header(line)
    if name not in games:
        raise ValueError(f"there is no game {name}.")
    return table_of(Sitting(rules.load(name), {}))
