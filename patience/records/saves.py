"""Saved games: their form, their files, and the folder of games in progress.

A saved game is the lines that were typed, under a first line that says how the game was dealt: it is a script too.
Lines that begin with # are comments; three of them are read again, PLAYED, OVER and COUNTED.
"""

import contextlib
import os
import re
import shlex
import time

import click

from patience.game import decks
from patience.game.files import application_folder, lock, made_folder, must_be_file
from patience.game.grammar import Refused
from patience.game.text import count_of, error_text

PLAYED = re.compile(r"# played for ([0-9]{1,9}) s")  # valid only if no command follows it
OVER = re.compile(r"# over ([0-9a-f]{16})")  # the game is over, and the results know it by this identity
COUNTED = "# counted"  # as older versions wrote: it stands in the results, without an identity
FOLDER = "sittings"  # in that of the application
MOST_READ = 4096  # of a first line
MOST_SHOWN = 80  # letters of a line
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


# Their form


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


def take_header(sitting, line, typed):
    """Take options, number and deck from the first line of a saved game into a sitting that has not begun. An option
    that the line does not name has its default. typed: options of the sitting that must be those of the line. Raises
    ValueError with a sentence if the line does not fit the sitting."""
    game_rules = sitting.rules
    name, settings = read_header(line)
    if name != game_rules.name:
        raise ValueError(f"it is a game of {name}.")
    path, seed = settings.pop("deck", None), settings.pop("seed")
    for option, choice in settings.items():
        if option not in game_rules.OPTIONS:
            raise ValueError(f"{name} has no option --{option}.")
        if choice not in game_rules.OPTIONS[option]:
            raise ValueError(f"--{option} {choice} is not a choice of {name}.")
    options = {option: settings.get(option, choices[0]) for option, choices in game_rules.OPTIONS.items()}
    for option in typed:
        if options[option] != sitting.options[option]:
            raise ValueError(f"it is a game with --{option} {options[option]}.")
    if sitting.seed not in (None, seed):
        raise ValueError(f"it is a game with --seed {seed}.")
    try:
        deck = path and decks.load(path, game_rules.PACK)
    except (OSError, ValueError) as error:
        raise ValueError(f"its deck file {path} cannot be dealt: {error_text(error)}") from None
    if sitting.deck and (not deck or sitting.deck.pairs != deck.pairs):
        raise ValueError("it was dealt from another deck file.")
    sitting.options, sitting.seed, sitting.deck = options, seed, deck


def play_on(table, lines, typed=()):
    """Deal the game of a saved game's lines, and answer them, silently. typed: as in take_header. Returns sentences
    about words that are skipped because the game was over. Raises ValueError with a sentence if the first line does not
    fit the table's sitting, or another line is refused."""
    take_header(table.sitting, lines[0], typed)
    table.sitting.deal()
    told, played = [], None
    for number, line in enumerate(lines[1:], start=2):
        if line.startswith("#"):
            played = read_note(table.record, line, played)
            continue
        played = None
        try:
            table.answer_again(line)
        except Refused:
            shown = repr(line[:MOST_SHOWN])
            if not table.skips(line):
                raise ValueError(f"it is not a saved game: line {number} is refused: {shown}") from None
            told.append(f"line {number} was skipped, as the game was over: {shown}")
    table.record.played = played if table.sitting.done else 0
    table.record.started = time.monotonic()
    return told


def read_note(record, line, played):
    """Take from a comment of a saved game what it says of the record; return the seconds played."""
    if line == COUNTED:
        record.identity = None
    elif identity := OVER.fullmatch(line):
        record.identity = identity[1]
    elif seconds := PLAYED.fullmatch(line):
        return int(seconds[1])
    return played


def dropped(cut_off):
    """Return a sentence about a last line that was cut off."""
    return f"the last line was cut off, and is dropped: {cut_off[:MOST_SHOWN]}"


def take_up(table, journal, typed=()):
    """Play on the game that a file holds; deal a new one if it is empty. Returns sentences about lines that are dropped
    or skipped. Raises ValueError as play_on does, and leaves the file as it was."""
    sitting = table.sitting
    lines, cut_off = journal.read()
    if not lines and not cut_off:
        sitting.deal()
        journal.begin(sitting)
        return []
    seeded = sitting.seed is not None
    told = play_on(table, lines or [cut_off], typed)
    if not seeded and sitting.number is not None:
        sitting.seed = None  # there is no later game yet: the next one has a number of its own
    if not lines:
        journal.add("")  # the newline of the first line
    elif cut_off:
        journal.cut_back(lines)
        told.append(dropped(cut_off))
    return told


# Their files


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


# The folder of games in progress


def folder():
    """Return the folder of games in progress."""
    return os.path.join(application_folder(), FOLDER)


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
        with open(path, encoding="utf-8", errors="replace") as file:
            return bool(OVER.fullmatch(file.read().removesuffix("\n").rpartition("\n")[2]))
    return False


def new_journal():
    """Return a Journal in the folder of games in progress. Raises OSError if it cannot be made."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09}-{os.getpid()}.txt"
    return Journal(os.path.join(made_folder(FOLDER), name))


def how_long_ago(path):
    """Return how long ago a file was written, in words."""
    seconds = max(0, time.time() - os.path.getmtime(path))
    for unit, length in UNITS:
        if seconds >= length:
            return f"{count_of(int(seconds // length), unit)} ago"
    return "just now"
