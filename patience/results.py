"""The results of games played at a terminal, kept in a small database.

Only finished games count: won, lost, or left for another deal.
"""

import contextlib
import os
import sqlite3
import time
from itertools import groupby

import click

from patience.files import printable
from patience.rules import load, same_name

FILE = "results.sqlite3"
SECONDS_TO_WAIT = 5  # for another program that is writing
TABLE = """
CREATE TABLE IF NOT EXISTS results (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,      -- the game and its options: klondike --draw 1
    won INTEGER NOT NULL,    -- 1 or 0
    seconds REAL,            -- NULL for a game that was resumed
    commands INTEGER NOT NULL
)
"""


# A row that can be counted: a damaged file may hold others.
SOUND = """
    typeof(game) = 'text' AND trim(game) <> '' AND won IN (0, 1) AND typeof(commands) = 'integer'
    AND (seconds IS NULL OR typeof(seconds) = 'real' AND seconds BETWEEN 0 AND 1e9)
"""


class Counter:
    """Counts the games of a sitting at a terminal, each deal once."""

    def __init__(self, folder):
        """folder: where the results are kept."""
        self.folder = folder
        self.started = None  # when the game in hand was dealt; None if it was resumed
        self.counted = False

    def begin(self, sitting):
        """Begin with the game in hand. One that was won before has been counted before."""
        self.started = None if sitting.done else time.monotonic()
        self.counted = sitting.rules.check_win(sitting.game)

    def count(self, sitting):
        """Add the result of the game in hand, if there is one and it has not been counted yet."""
        if self.counted or not sitting.done:
            return
        self.counted = True
        won = sitting.rules.check_win(sitting.game)
        seconds = None if self.started is None else time.monotonic() - self.started
        try:
            add(self.folder, sitting.name(), won, seconds, len(sitting.done))
        except OSError as error:
            click.echo(f"This game is not counted: {error}", err=True)


@contextlib.contextmanager
def opened(folder):
    """Open the database in the folder, for one transaction. Raises OSError if that fails."""
    os.makedirs(folder, 0o700, exist_ok=True)
    try:
        connection = sqlite3.connect(os.path.join(folder, FILE), timeout=SECONDS_TO_WAIT)
        with contextlib.closing(connection), connection:
            connection.execute(TABLE)
            yield connection
    except (sqlite3.Error, UnicodeError) as error:
        raise OSError(printable(error)) from error


def add(folder, game, won, seconds, commands):
    """Add the result of a game: game is its name with its options, seconds may be None.

    Raises OSError if the folder cannot be written.
    """
    with opened(folder) as connection:
        connection.execute(
            "INSERT INTO results (game, won, seconds, commands) VALUES (?, ?, ?, ?)",
            (game, won, seconds, commands),
        )


def reset(folder):
    """Forget all results. Raises OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute("DELETE FROM results")


def summary(folder, games):
    """Return a row for each game and option played, as a list of dicts. games: the names of all games.

    Raises OSError if the database cannot be read.
    """
    if not os.path.exists(os.path.join(folder, FILE)):
        return []
    with opened(folder) as connection:
        rows = connection.execute(
            f"SELECT game, won, seconds, commands FROM results WHERE {SOUND} ORDER BY number"
        ).fetchall()
    played = {}
    for name, *row in rows:
        if name.split()[0] in games:
            name = same_name(name, load(name.split()[0]))
        played.setdefault(name, []).append(row)
    return [summary_row(name, played[name]) for name in sorted(played)]


def summary_row(game, played):
    """Return what is told of one game, from its results in the order they were added."""
    won = [bool(row[0]) for row in played]
    streaks = [len(list(run)) if wins else 0 for wins, run in groupby(won)]
    times = [seconds for wins, seconds, _ in played if wins and seconds is not None]
    return {
        "game": game,
        "played": len(played),
        "won": sum(won),
        "percentage": 100 * sum(won) / len(played),
        "streak": streaks[-1],
        "longest": max(streaks),
        "best": min(times, default=None),
        "average": sum(times) / len(times) if times else None,
        "commands": min((commands for wins, _, commands in played if wins), default=None),
    }


def show(rows):
    """Print a line for each game, from the rows of summary: streaks, times and fewest commands are
    those of won games."""
    if not rows:
        click.echo("No game has been finished yet.")
        return
    click.echo(
        f"{'':<24}{'played':>6}{'won':>5}{'%':>5}{'streak':>8}{'longest':>9}{'best':>7}"
        f"{'average':>9}{'fewest':>7}"
    )
    for row in rows:
        name = " ".join(printable(word) for word in row["game"].split() if not word.startswith("--"))
        click.echo(
            f"{name:<24}{row['played']:6}{row['won']:5}{row['percentage']:5.0f}{row['streak']:8}"
            f"{row['longest']:9}{minutes(row['best']):>7}{minutes(row['average']):>9}"
            f"{row['commands'] or '-':>7}"
        )


def minutes(seconds):
    """Return a time as minutes and seconds, 3:07, or - for None."""
    return "-" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"
