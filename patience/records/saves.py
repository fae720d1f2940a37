"""Saved games: the file of --save, the folder of games in progress, and who keeps them while they are played.

A saved game is the lines that were typed, under a first line that says how the game was dealt: it is a script too.
Lines that begin with # are comments; three of them are read again, PLAYED, OVER and COUNTED.
"""

import contextlib
import os
import re
import shlex
import time

import click

from patience.game.files import application_folder, lock, must_be_file
from patience.game.lines import INVALID_MOVE, Refused
from patience.game.text import count_of, printable

PLAYED = re.compile(r"# played for ([0-9]{1,9}) s")  # valid only if no command follows it
OVER = re.compile(r"# over ([0-9a-f]{16})")  # the game is over, and the results know it by this identity
COUNTED = "# counted"  # as older versions wrote: it stands in the results, without an identity
MOST_READ = 4096  # of a first line
FIRST_DAY = 10**7  # numbers of deals from here on can be days: 20261122
LONGEST_OVER = 32  # bytes of the line OVER
LEAST_KEPT = 3  # lines of a game that can be continued later
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


# Files


class Journal:
    """The file of a saved game."""

    def __init__(self, path, new=True):
        """Open the file, and make it if there is none. new: False if it must be there. Raises OSError if it cannot be
        written, or if another program is playing the game in it."""
        self.path = str(path)
        must_be_file(path)
        if not new:
            os.stat(path)
        self.file = open(path, "a+", encoding="utf-8", errors="surrogateescape", newline="\n")
        try:
            lock(self.file)
        except OSError:
            self.file.close()
            raise

    def read(self):
        """Return the lines of the file, and what follows the last newline: a line that was cut off, or ""."""
        self.file.seek(0)
        *lines, cut_off = self.file.read().split("\n")
        return lines, cut_off

    def cut_back(self, lines):
        """Cut the file back to these lines, which it begins with."""
        self.file.truncate(sum(len(line.encode("utf-8", "surrogateescape")) + 1 for line in lines))

    def begin(self, sitting):
        """Empty the file and write its first line."""
        with self.unless_it_fails():
            self.file.seek(0)
            self.file.truncate()
        self.add(f"# {sitting.how_to_deal(os.path.abspath)}")

    def add(self, *lines):
        """Add lines to the file."""
        with self.unless_it_fails():
            self.file.write("".join(f"{line}\n" for line in lines))
            self.file.flush()

    def sync(self):
        """Flush the lines to the disk, so that they outlast a power cut."""
        with self.unless_it_fails():
            os.fsync(self.file.fileno())

    @contextlib.contextmanager
    def unless_it_fails(self):
        """Keep a full disk from ending the game: tell the player, once, and write nothing more."""
        try:
            yield
        except OSError as error:
            with contextlib.suppress(OSError):
                self.file.close()
            click.echo(f"This game is no longer saved: {error}", err=True)
        except ValueError:
            if not self.file.closed:
                raise

    def close(self):
        """Close the file, so that another program can play the game."""
        with self.unless_it_fails():
            self.file.close()

    def remove(self):
        """Close the file and remove it."""
        self.close()
        with contextlib.suppress(OSError):
            os.remove(self.path)

    def hold(self, lines):
        """Let the file hold these lines, and nothing else."""
        if self.read() != (lines, ""):
            with self.unless_it_fails():
                self.file.truncate(0)
            self.add(*lines)

    def is_open(self):
        """Return True if lines can still be saved in the file: it was not deleted, and the disk is not full."""
        with contextlib.suppress(OSError, ValueError):
            return os.path.samestat(os.fstat(self.file.fileno()), os.stat(self.path))
        return False


def read_header(line):
    """Return the name of the game in a first line, and its settings: a dict of option -> choice, with "seed" as an
    int. Raises ValueError with a sentence if it is another line."""
    try:
        sign, name, *words = shlex.split(line) if len(line) < MOST_READ else ()
        settings = dict(zip(words[::2], words[1::2], strict=True))
        settings = {option.removeprefix("--"): choice for option, choice in settings.items()}
        settings["seed"] = int(settings["seed"])
    except (ValueError, KeyError):
        sign = name = settings = None
    if sign != "#":
        raise ValueError("it is not a saved game: its first line must be # GAME OPTIONS --seed N.")
    return name, settings


# The folder of games in progress


def folder():
    """Return the folder of games in progress."""
    return os.path.join(application_folder(), "sittings")


def all_paths():
    """Return the paths of all games in progress, the one played last first."""
    names = os.listdir(folder()) if os.path.isdir(folder()) else []
    return sorted((os.path.join(folder(), name) for name in sorted(names)), key=when_played, reverse=True)


def when_played(path):
    """Return when a command was last added to a game; 0 if it is gone."""
    with contextlib.suppress(OSError):
        return os.stat(path).st_mtime_ns
    return 0


def header_of(path):
    """Return the name of the game in a file, and its settings, as read_header does; (None, {}) if there is none."""
    with contextlib.suppress(OSError, ValueError):
        must_be_file(path)
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            return read_header(lines.readline(MOST_READ))
    return None, {}


def has_ended(path):
    """Return True if the game in a file is over and waits to be counted."""
    with contextlib.suppress(OSError):
        must_be_file(path)
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - LONGEST_OVER))
            return bool(OVER.fullmatch(file.read().decode("utf-8", "replace").removesuffix("\n").rpartition("\n")[2]))
    return False


def in_progress(games):
    """Return (name, settings) of all games in progress, the one played last first. games: the names of all games."""
    return [header for header in map(header_of, all_paths()) if header[0] in games]


def new_journal():
    """Return a Journal in the folder of games in progress. Raises OSError if it cannot be made."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09}-{os.getpid()}.txt"
    os.makedirs(application_folder(), 0o700, exist_ok=True)
    os.makedirs(folder(), 0o700, exist_ok=True)
    return Journal(os.path.join(folder(), name))


def how_long_ago(path):
    """Return how long ago a file was written, in words."""
    seconds = max(0, time.time() - os.path.getmtime(path))
    for unit, length in UNITS:
        if seconds >= length:
            return f"{count_of(int(seconds // length), unit)} ago"
    return "just now"


# Keepers


class NoKeeper:
    """Saves nothing: for a script, and while a saved game is replayed. The methods are what every keeper is asked."""

    game_before = ""  # how to continue the game that was left for the one in hand, a sentence

    def note(self, sitting, record, line):
        """Save a line that was accepted."""

    def note_help(self, sitting, record, line):
        """Save that a hint or the solver was asked, if that counts."""

    def begin(self, sitting, record, line):
        """Begin afresh: a new game was dealt. line: what was typed for it."""

    def mark(self):
        """Return a mark, for back_to."""

    def back_to(self, mark):
        """Forget what was saved since a mark."""

    def sync(self):
        """Flush accepted lines to disk."""

    def won(self, sitting, record):
        """Count a game that is won. Return what the player is told about it."""
        return ""

    def others(self, sitting):
        """Return a sentence if another game like this one is saved, or ""."""
        return ""

    def today(self, sitting):
        """Return what the status line says if this is today's deal, or ""."""
        return ""

    def is_safe(self, sitting):
        """Return True if nothing is lost when the player leaves now."""
        return False

    def next_game(self, sitting, record):
        """Save the game in hand, or record its result, before another one. Raises Refused if it would be lost."""

    def leave(self, sitting, record):
        """Save the game in hand, or record its result, at the end. Return how to continue it, a sentence, or ""."""
        return ""


class FileKeeper(NoKeeper):
    """Saves a script's sitting in the file of --save. With a seed the file holds all its games, else the last one."""

    def __init__(self, journal):
        self.journal = journal

    def note(self, sitting, record, line):
        self.journal.add(line)

    def begin(self, sitting, record, line):
        if sitting.seed is None:
            self.journal.begin(sitting)
        else:
            self.journal.add(line)

    def sync(self):
        self.journal.sync()

    def leave(self, sitting, record):
        self.sync()
        self.journal.close()
        return ""


class FolderKeeper(FileKeeper):
    """Saves every game of a player, from its first move on, in a file of its own in the folder of games in progress or
    in the file of --save; and counts the results."""

    def __init__(self, journal=None, asked=False):
        """journal: None before the first move. asked: it is the file of --save, which is never removed."""
        super().__init__(journal)
        self.asked = asked
        self.early = []  # lines that came before the first move
        self.failed = False  # True once a journal could not be made
        self.uncounted = None  # the identity of a game that could not be counted

    def note(self, sitting, record, line):
        is_won = bool(sitting.done) and sitting.rules.check_win(sitting.game)
        lines = [line, *self.last_lines(record)] if is_won else [line]
        if self.journal:
            self.journal.add(*lines)
            return
        self.early += lines
        if sitting.done and not self.failed:
            try:
                self.journal = new_journal()
            except OSError as error:
                self.failed = True
                click.echo(f"This game cannot be saved: {error}", err=True)
            else:
                self.journal.begin(sitting)
                self.journal.add(*self.early)
                if not self.journal.is_open():  # the disk is full
                    self.journal.remove()

    note_help = note

    def begin(self, sitting, record, line):
        if self.journal:
            super().begin(sitting, record, line)

    def mark(self):
        return self.journal, self.journal.read()[0] if self.is_saved() else None, list(self.early)

    def back_to(self, mark):
        journal, lines, early = mark
        if self.journal and self.journal is not journal:
            self.journal.remove()
        self.journal, self.early = journal, early
        if lines is None:
            return
        try:
            if not journal.is_open():  # it was put away for another game
                self.journal = Journal(journal.path)
        except OSError as error:
            click.echo(f"This game is no longer saved: {error}", err=True)
        else:
            self.journal.hold(lines)

    def sync(self):
        if self.journal:
            super().sync()

    def won(self, sitting, record):
        from patience.records import results

        told = results.how_it_was_won(application_folder(), sitting, record)
        self.count(sitting, record)
        return told

    def give_up(self, sitting, record):
        """Delete a game in progress; it counts as given up, unless it is over. Return False, with nothing deleted, if
        its result could not be recorded."""
        is_over = bool(sitting.outcome())
        if (is_over or self.lines_typed() >= LEAST_KEPT) and not self.count(sitting, record, None if is_over else -1):
            self.journal.close()
            return False
        self.journal.remove()
        return True

    def count(self, sitting, record, won=None):
        """Add the game in hand to the results, if it is not there. Return False if that failed. won: -1 if it is given
        up."""
        if not sitting.done or not record.identity:
            return True
        if self.uncounted == record.identity:
            return False
        from patience.records import results

        try:
            results.add_game(application_folder(), sitting, record, won)
        except OSError as error:
            self.uncounted = record.identity
            when = "when the file is opened again" if self.asked else "at the next start"
            later = f" It will be {when}." if self.is_saved() and won is None else ""
            click.echo(f"The result could not be recorded: {str(error).rstrip('.')}.{later}", err=True)
            return False
        return True

    def lines_typed(self):
        """Return how many lines were typed in the game that the file holds."""
        return sum(not line.startswith("#") for line in self.journal.read()[0])

    def last_lines(self, record):
        """Return the lines that end the file of a game that is over."""
        return [*self.time_line(record), *([f"# over {record.identity}"] if record.identity else [])]

    def time_line(self, record):
        """Return the line of the time played so far, in a list, which is empty if it is not known."""
        seconds = record.seconds()
        return [] if seconds is None else [f"# played for {int(seconds)} s"]

    def others(self, sitting):
        name = sitting.rules.name
        own = self.journal and self.journal.path
        if any(path != own and header_of(path)[0] == name for path in all_paths()):
            return f"There is a saved game of {name}: python main.py resume {name}"
        return ""

    def today(self, sitting):
        if not sitting.number or sitting.number < FIRST_DAY:
            return ""
        from patience.records import results

        if not results.is_of_the_day(sitting.number, results.todays_number()):
            return ""
        return "today's deal" + (", won" if sitting.rules.name in results.won_today(application_folder()) else "")

    def is_safe(self, sitting):
        return bool(self.is_saved() or not sitting.done or sitting.outcome())

    def is_saved(self):
        """Return True if the game in hand is in a file that can still be written."""
        return bool(self.journal and self.journal.is_open())

    def next_game(self, sitting, record):
        goes_on = self.put_away(sitting, record)
        self.game_before = " python main.py resume continues the previous game." if goes_on else ""
        is_left = goes_on or self.uncounted == record.identity and self.is_saved()
        if is_left and self.asked:  # the file of --save is for the next game
            try:
                copied = new_journal()
            except OSError as error:
                raise Refused(f"{INVALID_MOVE}This game cannot be saved: {error}") from None
            copied.add(*self.journal.read()[0])
            if not copied.is_open():  # the disk is full
                copied.remove()
                raise Refused(f"{INVALID_MOVE}This game cannot be saved.")
            copied.close()
        if not self.asked:
            self.journal = None
        self.early = []

    def leave(self, sitting, record):
        if not self.put_away(sitting, record):
            is_short = sitting.done and self.journal and not sitting.outcome()
            return f"Not saved: a game is, from its command {LEAST_KEPT} on." if is_short else ""
        if not self.asked:
            return "Saved. Continue with: python main.py resume"
        path = printable(shlex.quote(self.journal.path))
        return f"Saved. Continue with: python main.py {sitting.rules.name} --save {path}"

    def put_away(self, sitting, record):
        """Save the game in hand, or count it if it is over: only then, and once it is counted, its file is removed.
        Return True if the game can be continued."""
        is_over = bool(sitting.outcome())
        if self.journal and sitting.done:
            if not is_over:
                self.journal.add(*self.time_line(record))
            elif not has_ended(self.journal.path):
                self.journal.add(*self.last_lines(record))
        self.sync()
        is_counted = is_over and self.count(sitting, record)
        is_saved = self.is_saved()
        if self.journal and not is_saved and not is_over and not self.journal.file.closed:
            click.echo(printable(f"This game is not saved: {self.journal.path} was deleted."), err=True)
        goes_on = is_saved and self.lines_typed() >= (1 if self.asked else LEAST_KEPT) and not is_over
        if is_saved and not self.asked:
            self.journal.close() if goes_on or is_over and not is_counted else self.journal.remove()
        return is_saved and goes_on
