"""Who keeps a game while it is played: nobody, the file of --save, or the folder of games in progress."""

import shlex

import click

from patience.game.files import application_folder
from patience.game.grammar import INVALID_MOVE, Refused
from patience.game.text import command, printable
from patience.records.saves import Journal, all_paths, has_ended, header_of, new_journal

LEAST_KEPT = 3  # lines of a game that can be continued later


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

    def others(self):
        """Return the paths of other games in progress."""
        return []

    def about_others(self, sitting):
        """Return a sentence if another game like this one is saved, or ""."""
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


class Tally:
    """Counts games in the results, each once."""

    def __init__(self, when):
        """when: says when a game in a file that could not be counted will be."""
        self.when = when
        self.failed = None  # the identity of a game that could not be counted

    def count(self, sitting, record, is_saved, won=None):
        """Add a game to the results, if it is not there; tell the player if that fails, once, and return False. won: -1
        if it is given up."""
        if not sitting.done or not record.identity:
            return True
        if self.failed == record.identity:
            return False
        from patience.records import results

        try:
            results.add(application_folder(), results.result_of(sitting, record, won), record.identity)
        except OSError as error:
            self.failed = record.identity
            later = f" It will be {self.when}." if is_saved and won is None else ""
            click.echo(f"The result could not be recorded: {str(error).rstrip('.')}.{later}", err=True)
            return False
        return True


class FolderKeeper(FileKeeper):
    """Saves every game of a player, from its first move on, in a file of its own in the folder of games in progress or
    in the file of --save. Its Tally counts those that are over."""

    def __init__(self, journal=None, asked=False):
        """journal: None before the first move. asked: it is the file of --save, which is never removed."""
        super().__init__(journal)
        self.asked = asked
        self.early = []  # lines that came before the first move
        self.failed = False  # True once a journal could not be made
        self.tally = Tally("when the file is opened again" if asked else "at the next start")

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
        from patience.records import statistics

        told = statistics.how_it_was_won(sitting, record)
        self.tally.count(sitting, record, self.is_saved())
        return told

    def give_up(self, sitting, record):
        """Delete a game in progress; it counts as given up, unless it is over. Return False, with nothing deleted, if
        its result could not be recorded."""
        is_over = bool(sitting.outcome())
        won = None if is_over else -1
        counts = is_over or self.lines_typed() >= LEAST_KEPT
        if counts and not self.tally.count(sitting, record, self.is_saved(), won):
            self.journal.close()
            return False
        self.journal.remove()
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

    def others(self):
        return [path for path in all_paths() if not self.journal or path != self.journal.path]

    def about_others(self, sitting):
        name = sitting.rules.name
        if not sitting.done and any(header_of(path)[0] == name for path in self.others()):
            return f"There is a saved game of {name}: resume lists the games in progress."
        return ""

    def is_safe(self, sitting):
        return bool(self.is_saved() or not sitting.done or sitting.outcome())

    def is_saved(self):
        """Return True if the game in hand is in a file that can still be written."""
        return bool(self.journal and self.journal.is_open())

    def next_game(self, sitting, record):
        goes_on = self.put_away(sitting, record)
        self.game_before = f" {command('resume')} continues the previous game." if goes_on else ""
        is_left = goes_on or self.tally.failed == record.identity and self.is_saved()
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
            return "Not saved: a game is saved from its third command on." if is_short else ""
        if not self.asked:
            return f"Saved. Continue with: {command('resume')}"
        path = printable(shlex.quote(self.journal.path))
        return f"Saved. Continue with: {command(sitting.rules.name)} --save {path}"

    def put_away(self, sitting, record):
        """Save an unfinished game, and return True if it can be continued. Count a finished one, and delete its file
        once the count succeeded; delete also the file of a game of too few lines."""
        is_over = bool(sitting.outcome())
        if self.journal and sitting.done:
            if not is_over:
                self.journal.add(*self.time_line(record))
            elif not has_ended(self.journal.path):
                self.journal.add(*self.last_lines(record))
        self.sync()
        is_saved = self.is_saved()
        is_counted = is_over and self.tally.count(sitting, record, is_saved)
        if self.journal and not is_saved and not is_over and not self.journal.file.closed:
            click.echo(printable(f"This game is not saved: {self.journal.path} was deleted."), err=True)
        goes_on = is_saved and self.lines_typed() >= (1 if self.asked else LEAST_KEPT) and not is_over
        if is_saved and not self.asked:
            self.journal.close() if goes_on or is_over and not is_counted else self.journal.remove()
        return is_saved and goes_on
