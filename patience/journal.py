"""The journal: a file with the lines of a sitting, under one that says how it was started.

It is a script, too. A sitting at a terminal is kept in a folder of such files, where resume finds it.
"""

import contextlib
import os
import re
import shlex
import time

from patience import decks, loop, words
from patience.console import Silent
from patience.files import must_be_file, printable, reason
from patience.lines import Refused

MOST_SHOWN = 80  # of a line
COUNTED = "# counted"  # a line behind which the game's result stands in the results
PLAYED = re.compile(r"# played for ([0-9]{1,9}) s")  # a line that holds while it is the last one


class Journal:
    """The file in which a sitting is kept while it goes on."""

    def __init__(self, path, unasked=False):
        """Open the file, and make it if there is none. unasked: nobody has asked for it, so it is
        removed when it is of no use any more. Raises OSError if it cannot be written, or if another
        program is keeping a sitting in it."""
        self.path = str(path)
        self.error = None  # why nothing more is written, if that has failed
        self.unasked = unasked
        must_be_file(path)
        self.file = open(path, "a+", encoding="utf-8", newline="\n")
        try:
            lock(self.file)
        except OSError:
            self.file.close()
            raise

    def shown_path(self):
        """Return the path as one types it, so that it can be shown."""
        return printable(shlex.quote(self.path))

    def read(self):
        """Return the lines of the file, and what follows the last newline: a line cut off, or "".

        Raises ValueError with a sentence if the file is not text.
        """
        self.file.seek(0)
        try:
            *lines, cut_off = self.file.read().split("\n")
        except UnicodeDecodeError:
            raise ValueError("it is not a journal: it is not text.") from None
        return lines, cut_off

    def cut_back(self, lines):
        """Cut the file back to these lines, which it begins with."""
        self.file.truncate(sum(len(line.encode()) + 1 for line in lines))

    def begin(self, sitting):
        """Empty the file and write its first line, which says how the sitting's game is dealt."""
        with self.unless_it_fails():
            self.file.seek(0)
            self.file.truncate()
        self.add(f"# {sitting.name()} {sitting.number_and_deck(os.path.abspath)}")

    def add_time(self, sitting):
        """Add a line with the time played so far, if that is known."""
        seconds = sitting.seconds()
        if seconds is not None:
            self.add(f"# played for {int(seconds)} s")

    def add(self, line):
        """Add a line to the file."""
        with self.unless_it_fails():
            self.file.write(f"{line}\n")
            self.file.flush()

    def sync(self):
        """See to it that what was added outlasts a power cut."""
        with self.unless_it_fails():
            os.fsync(self.file.fileno())

    @contextlib.contextmanager
    def unless_it_fails(self):
        """Keep a full disk from ending the game: the error is kept in self.error, the file is closed,
        and what is written to the closed file from then on is lost."""
        try:
            yield
        except OSError as error:
            self.error = error
            with contextlib.suppress(OSError):
                self.file.close()
        except ValueError:
            if not self.file.closed:
                raise

    def close(self):
        """Close the file: another program may keep a sitting in it now."""
        with self.unless_it_fails():
            self.file.close()

    def remove(self):
        """Close the file and remove it."""
        self.close()
        os.remove(self.path)


def lock(file):
    """Keep other programs from opening the file as a journal, where the system can do that."""
    with contextlib.suppress(ImportError):  # there is no fcntl on Windows
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


# The first line


def read_header(line):
    """Return the game that a journal's first line names, and its settings: a dict of option ->
    choice, with "seed" as an int. Raises ValueError with a sentence if it is another line."""
    try:
        sign, name, *words = shlex.split(line)
        settings = dict(zip(words[::2], words[1::2], strict=True))
        settings = {option.removeprefix("--"): choice for option, choice in settings.items()}
        settings["seed"] = int(settings["seed"])
    except (ValueError, KeyError):
        sign = name = settings = None
    if sign != "#":
        raise ValueError("it is not a journal: its first line must be # GAME OPTIONS --seed N.")
    return name, settings


def take_header(sitting, line, given):
    """Take options, number and deck from a journal's first line into a sitting that has not begun.

    given: the options that must not be others than those of the line. One that the line does not name has its
    default. Raises ValueError with a sentence if the line is of another game, options, seed or deck.
    """
    rules = sitting.rules
    name, settings = read_header(line)
    if name != rules.__name__:
        raise ValueError(f"it is a game of {name}.")
    for option, choice in settings.items():
        if option not in ("seed", "deck", *rules.OPTIONS):
            raise ValueError(f"{name} has no option --{option}.")
        if option in rules.OPTIONS and choice not in rules.OPTIONS[option]:
            raise ValueError(f"--{option} {choice} is not a choice of {name}.")
    options = {option: settings.get(option, choices[0]) for option, choices in rules.OPTIONS.items()}
    for option in given:
        if options[option] != sitting.options[option]:
            raise ValueError(f"it is a game with --{option} {options[option]}.")
    if sitting.seed not in (None, settings["seed"]):
        raise ValueError(f"it is a game with --seed {settings['seed']}.")
    path = settings.get("deck")
    try:
        deck = path and decks.load(path, rules.PACK)
    except (OSError, ValueError) as error:
        raise ValueError(f"its deck file {path} cannot be dealt: {reason(error)}") from None
    if sitting.deck and (not deck or sitting.deck.pairs != deck.pairs):
        raise ValueError("it is a game with another deck file.")
    sitting.options, sitting.seed, sitting.deck = options, settings["seed"], deck


# Going on with a sitting


def take_up(table, journal, given=()):
    """Go on with the sitting that a journal holds, or begin one, and keep it there from now on.

    given: as in take_header. Returns what is to be told of the file, sentences: a last line that was cut off
    and is dropped, and lines that a game which is over does not take. Raises ValueError with a sentence, and
    leaves the file as it was, if the journal is not that of such a sitting.
    """
    sitting = table.sitting
    lines, cut_off = journal.read()
    told = []
    if not lines and not cut_off:
        sitting.deal()
        journal.begin(sitting)
    else:
        seeded = sitting.seed is not None
        take_header(sitting, lines[0] if lines else cut_off, given)
        sitting.deal()
        told = replay(table, lines[1:])
        if not seeded and sitting.number is not None:
            sitting.seed = None  # no later game yet: the next one has a number of its own
        if not lines:
            journal.add("")  # the newline of the first line
        elif cut_off:
            journal.cut_back(lines)
            told.append(f"the last line was cut off, and is dropped: {cut_off[:MOST_SHOWN]}")
    table.journal = journal
    return told


def replay(table, lines):
    """Answer the lines of a journal behind its first one, silently. Returns sentences, of the words that are
    passed over because the game was over. Raises ValueError with a sentence if another line is refused."""
    console, table.console = table.console, Silent()
    sitting, told, played = table.sitting, [], None
    for number, line in enumerate(lines, start=2):
        try:
            if line == COUNTED:
                sitting.counted = True
            elif seconds := PLAYED.fullmatch(line):
                played = int(seconds[1])
            elif not line.startswith("#"):
                played = None
                answer_again(table, line)
        except Refused:
            said = f"line {number} is refused: {line[:MOST_SHOWN]!r}"
            if not sitting.outcome() or words.read(line, sitting.rules, True, True)[0] is None:
                raise ValueError(f"it is not a journal: {said}") from None
            told.append(said)
    table.console = console
    if sitting.done:
        sitting.started = None if played is None else time.monotonic() - played
    return told


def answer_again(table, line):
    """Answer a line of a journal. A game that was quit in it goes on, unless a new one was wanted."""
    was_quit = table.asks_again and not table.sitting.outcome()
    try:
        loop.answer(table, line)
    except Refused:
        if not was_quit:
            raise
        table.asks_again = False
        loop.answer(table, line)
    if table.ended:
        table.ended, table.asks_again = False, bool(table.sitting.outcome())
