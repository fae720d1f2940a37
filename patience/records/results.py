"""The results of games played at a terminal, in a small database. Only finished games count."""

import contextlib
import itertools
import os
import sqlite3
from collections import namedtuple

import click

from patience.game.text import error_text, printable
from patience.game.files import lock, must_be_file

FILE = "results.sqlite3"
SECONDS_TO_WAIT = 1.5  # for another program that is writing
TABLE = """
CREATE TABLE IF NOT EXISTS results (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,      -- the game and its options: klondike --draw 1
    won INTEGER NOT NULL,    -- 1, 0, or -1 if it was given up
    seconds REAL,            -- NULL if they are not known
    commands INTEGER NOT NULL,
    solved INTEGER,          -- 1 if the solver was asked
    hints INTEGER,
    deal INTEGER,            -- its number; NULL if it has none
    identity TEXT            -- of the game, so that it counts once; NULL for games of older versions
)
"""
# Columns that older files lack.
LATER_COLUMNS = ("seconds REAL", "solved INTEGER", "hints INTEGER", "deal INTEGER", "identity TEXT")
# Words in what SQLite says of a file that is sound.
FOR_NOW = ("locked", "busy", "disk", "full", "readonly", "unable to open")
ONCE = "CREATE UNIQUE INDEX IF NOT EXISTS once ON results (identity)"
# A row that can be counted: a damaged file may hold others.
SOUND = """
    typeof(game) = 'text' AND trim(game) <> '' AND won IN (-1, 0, 1) AND typeof(commands) = 'integer'
    AND (seconds IS NULL OR seconds BETWEEN 0 AND 1e9) AND (deal IS NULL OR typeof(deal) = 'integer')
"""


@contextlib.contextmanager
def opened(folder):
    """Open the database in the folder, for one transaction. One that is damaged, or another program's, is moved aside.
    Raises OSError, which names the file, if that fails."""
    os.makedirs(folder, 0o700, exist_ok=True)
    path = os.path.join(folder, FILE)
    try:
        must_be_file(path)
        connection = connected(path) or connected_anew(path)
        with contextlib.closing(connection), connection:
            yield connection
    except OSError as error:
        raise OSError(printable(f"{path}: {error_text(error)}")) from error
    except (sqlite3.Error, UnicodeError, OverflowError) as error:  # the last for a number of many digits
        raise OSError(printable(f"{path}: {error}")) from error


def connected(path):
    """Return a connection to a database with our table, or None if the file is damaged or another program's. Raises
    sqlite3.OperationalError if it cannot be opened now."""
    connection = sqlite3.connect(path, timeout=SECONDS_TO_WAIT)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
        connection.execute(TABLE)
        columns = {column for _, column, *_ in connection.execute("PRAGMA table_info(results)")}
        if sound and {"game", "won", "commands"} <= columns:
            for column in LATER_COLUMNS:
                if column.split()[0] not in columns:
                    connection.execute(f"ALTER TABLE results ADD COLUMN {column}")
            connection.execute(ONCE)
            return connection
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and any(word in str(error) for word in FOR_NOW):
            connection.close()
            raise
    connection.close()
    return None


def connected_anew(path):
    """Move a damaged database aside, under a lock, so that one program alone does; return a connection to a new one."""
    with open(f"{path}.lock", "a") as guard:
        lock(guard)
        connection = connected(path)  # another program may have moved it meanwhile
        if not connection:
            move_aside(path)
            connection = connected(path)
        return connection


def move_aside(path):
    """Give a damaged database another name, and say so."""
    names = itertools.chain([f"{path}.damaged"], (f"{path}.damaged-{number}" for number in itertools.count(2)))
    aside = next(name for name in names if not os.path.exists(name))
    os.replace(path, aside)
    with contextlib.suppress(OSError):  # the old database's journal must not be applied to the new one
        os.replace(f"{path}-journal", f"{aside}-journal")
    click.echo(
        printable(f"{path} was damaged, or not ours. It is {os.path.basename(aside)} now, and a new one is begun."),
        err=True,
    )


class Result(namedtuple("Result", "game won seconds commands solved hints deal")):
    """The result of a game. game: its name with its options. won: 1, 0, or -1 if it was given up. deal: its number.
    seconds and deal may be None."""

    @property
    def kind(self):
        """What it counts as: won, hinted, solved, lost or resigned."""
        if self.won < 1:
            return "lost" if self.won == 0 else "resigned"
        return "solved" if self.solved else "hinted" if self.hints else "won"


def add(folder, result, identity=None):
    """Add a Result, unless a game of this identity is there. Raises OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute(
            f"INSERT OR IGNORE INTO results ({', '.join(Result._fields)}, identity) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*result, identity),
        )


def result_of(sitting, record, won=None):
    """Return the Result of the game in hand. won: -1 if it was given up."""
    won = int(sitting.rules.check_win(sitting.game)) if won is None else won
    return Result(sitting.name(), won, record.seconds(), len(sitting.done), record.solved, record.hints, sitting.number)


def is_counted(folder, identity):
    """Return True if a game stands in the results."""
    if not os.path.exists(os.path.join(folder, FILE)):
        return False
    with opened(folder) as connection:
        return bool(connection.execute("SELECT 1 FROM results WHERE identity = ?", (identity,)).fetchone())


def reset(folder):
    """Delete all results. Raises OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute("DELETE FROM results")


def played_games(folder):
    """Return the Results in the order they were added. Raises OSError if the database cannot be read."""
    if not os.path.exists(os.path.join(folder, FILE)):
        return []
    with opened(folder) as connection:
        rows = connection.execute(f"SELECT {', '.join(Result._fields)} FROM results WHERE {SOUND} ORDER BY number")
        return list(itertools.starmap(Result, rows))
