"""Saved games: the file of --save, the folder of games in progress, and who keeps them while they are played.

A saved game is the lines that were typed, under a first line that says how the game was dealt: it is a script too.
Lines that begin with # are comments; two of them are read again, COUNTED and PLAYED.
"""

import contextlib
import errno
import os
import re
import shlex
import time

import click

from patience.lines import INVALID_MOVE, Refused, printable
from patience.rules import count_of

COUNTED = "# counted"  # the game's result stands in the results
PLAYED = re.compile(r"# played for ([0-9]{1,9}) s")  # true while it is the last line but for COUNTED
MOST_READ = 4096  # of a first line
FIRST_DAY = 10**7  # numbers of deals from here on can be days: 20261122
LEAST_KEPT = 3  # lines of a game that can be continued later
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


# Files


def must_be_file(path):
    """Raise OSError if something is at the path that is not a file: a device could be read for ever."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "It is not a file")


def reason(error):
    """Return what an OSError or a ValueError says, without its number and the file's name."""
    return getattr(error, "strerror", None) or str(error)


class Journal:
    """The file of a saved game."""

    def __init__(self, path):
        """Open the file, and make it if there is none. Raises OSError if it cannot be written, or if another program
        is playing the game in it."""
        self.path = str(path)
        must_be_file(path)
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

    def is_open(self):
        """Return True if lines can still be saved in the file."""
        return not self.file.closed


def lock(file):
    """Keep other programs from opening the file as a saved game, if the system can do that."""
    with contextlib.suppress(ImportError):  # there is no fcntl on Windows
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def read_header(line):
    """Return the name of the game in a first line, and its settings: a dict of option -> choice, with "seed" as an
    int. Raises ValueError with a sentence if it is another line."""
    try:
        sign, name, *words = shlex.split(line)
        settings = dict(zip(words[::2], words[1::2], strict=True))
        settings = {option.removeprefix("--"): choice for option, choice in settings.items()}
        settings["seed"] = int(settings["seed"])
    except (ValueError, KeyError):
        sign = name = settings = None
    if sign != "#":
        raise ValueError("it is not a saved game: its first line must be # GAME OPTIONS --seed N.")
    return name, settings


# The folder of games in progress


def application_folder():
    """Return the folder of saved games and results."""
    return click.get_app_dir("patience")


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

    def note(self, sitting, line):
        """Save a line that was accepted."""

    def note_help(self, sitting, line):
        """Save that a hint or the solver was asked, if that counts."""

    def begin(self, sitting, line):
        """Begin afresh: a new game was dealt. line: what was typed for it."""

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

    def note(self, sitting, line):
        self.journal.add(line)

    def begin(self, sitting, line):
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

    def note(self, sitting, line):
        if self.journal:
            self.journal.add(line)
            return
        self.early.append(line)
        if sitting.done and not self.failed:
            try:
                self.journal = new_journal()
            except OSError as error:
                self.failed = True
                click.echo(f"This game cannot be saved: {error}", err=True)
            else:
                self.journal.begin(sitting)
                self.journal.add(*self.early)

    note_help = note

    def begin(self, sitting, line):
        if self.journal:
            super().begin(sitting, line)

    def sync(self):
        if self.journal:
            super().sync()

    def won(self, sitting, record):
        from patience import results

        told = results.how_it_was_won(application_folder(), sitting, record)
        self.count(sitting, record)
        return told

    def give_up(self, sitting, record):
        """Delete a game in progress; it counts as given up."""
        if self.lines_typed() >= LEAST_KEPT and not sitting.outcome():
            self.count(sitting, record, -1)
        self.journal.remove()

    def count(self, sitting, record, won=None):
        """Add the game in hand to the results, once. won: -1 if it is given up."""
        if record.counted or not sitting.done:
            return
        from patience import results

        record.counted = True
        try:
            results.add_game(application_folder(), sitting, record, won)
        except OSError as error:
            click.echo(f"The result could not be recorded: {error}", err=True)
        self.add_time(record)
        if self.journal:
            self.journal.add(COUNTED)

    def lines_typed(self):
        """Return how many lines were typed in the game that the file holds."""
        return sum(not line.startswith("#") for line in self.journal.read()[0])

    def add_time(self, record):
        """Save the time played so far, if it is known."""
        seconds = record.seconds()
        if self.journal and seconds is not None:
            self.journal.add(f"# played for {int(seconds)} s")

    def others(self, sitting):
        name = sitting.rules.name
        own = self.journal and self.journal.path
        if any(path != own and header_of(path)[0] == name for path in all_paths()):
            return f"There is a saved game of {name}: python main.py resume {name}"
        return ""

    def today(self, sitting):
        if not sitting.number or sitting.number < FIRST_DAY:
            return ""
        from patience import results

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
        if goes_on and self.asked:  # the file of --save is for the next game
            try:
                copied = new_journal()
            except OSError as error:
                raise Refused(f"{INVALID_MOVE}This game cannot be saved: {error}") from None
            copied.add(*self.journal.read()[0])
            if not copied.is_open():  # the disk is full
                raise Refused(f"{INVALID_MOVE}This game cannot be saved.")
            copied.close()
        if not self.asked:
            self.journal = None
        self.early = []

    def leave(self, sitting, record):
        if not self.put_away(sitting, record):
            return ""
        if not self.asked:
            return "Saved. Continue with: python main.py resume"
        path = printable(shlex.quote(self.journal.path))
        return f"Saved. Continue with: python main.py {sitting.rules.name} --save {path}"

    def put_away(self, sitting, record):
        """Save the game in hand, or count it if it is over. Return True if it can be continued."""
        is_over = sitting.outcome()
        if is_over:
            self.count(sitting, record)
        elif sitting.done:
            self.add_time(record)
        self.sync()
        is_saved = self.is_saved()
        goes_on = is_saved and self.lines_typed() >= (1 if self.asked else LEAST_KEPT) and not is_over
        if is_saved and not self.asked:
            self.journal.close() if goes_on else self.journal.remove()
        return is_saved and goes_on
