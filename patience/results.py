"""The results of games played at a terminal, kept in a small database.

Only finished games count: won, lost, or won with the help of a solver, which is solved.
"""

import contextlib
import os
import sqlite3
from itertools import groupby

import click

from patience.daily import is_of_the_day, todays_number
from patience.files import printable
from patience.rules import load, same_name
from patience.status import minutes

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
LATER = {"solved": "INTEGER", "hints": "INTEGER", "deal": "INTEGER"}  # columns that older files have not

# A row that can be counted: a damaged file may hold others.
SOUND = """
    typeof(game) = 'text' AND trim(game) <> '' AND won IN (0, 1) AND typeof(commands) = 'integer'
    AND (seconds IS NULL OR typeof(seconds) = 'real' AND seconds BETWEEN 0 AND 1e9)
"""

# The columns of the table that is shown: two lines of heading, how wide it is, and the key of its row.
COLUMNS = [
    ("kept", "", 5, "kept"), ("won", "", 5, "won"), ("lost", "", 5, "lost"), ("solved", "", 7, "solved"),
    ("won", "%", 5, "percentage"), ("streak", "now/most", 9, "streaks"), ("best", "m:ss", 7, "best"),
    ("average", "m:ss", 8, "average"), ("fewest", "commands", 9, "commands"), ("today", "", 7, "today"),
]
NAME_WIDTH = 13


@contextlib.contextmanager
def opened(folder):
    """Open the database in the folder, for one transaction. Raises OSError if that fails."""
    os.makedirs(folder, 0o700, exist_ok=True)
    try:
        connection = sqlite3.connect(os.path.join(folder, FILE), timeout=SECONDS_TO_WAIT)
        with contextlib.closing(connection), connection:
            connection.execute(TABLE)
            add_columns(connection)
            yield connection
    except (sqlite3.Error, UnicodeError) as error:
        raise OSError(printable(error)) from error


def add(folder, game, won, seconds, commands, solved=0, hints=0, deal=None):
    """Add the result of a game: game is its name with its options, seconds and deal, its number, may be
    None. Raises OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute(
            "INSERT INTO results (game, won, seconds, commands, solved, hints, deal) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (game, won, seconds, commands, solved, hints, deal),
        )


def add_game(folder, sitting):
    """Add the result of a sitting's game in hand. Raises OSError if the folder cannot be written."""
    won = sitting.rules.check_win(sitting.game)
    add(folder, sitting.name(), won, sitting.seconds(), len(sitting.done), sitting.solved, sitting.hints_given,
        sitting.number)


def best_time(folder, name):
    """Return the seconds of the fastest win of a game with its options, or None."""
    with contextlib.suppress(OSError):
        for row in summary(folder, [name.split()[0]]):
            if row["game"] == name:
                return row["best"]
    return None


def reset(folder):
    """Forget all results. Raises OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute("DELETE FROM results")


def add_columns(connection):
    """Add the columns that an older file has not."""
    if missing_columns(connection):
        connection.execute("BEGIN IMMEDIATE")  # another program may just be doing the same
        for name in missing_columns(connection):
            connection.execute(f"ALTER TABLE results ADD COLUMN {name} {LATER[name]}")


def missing_columns(connection):
    """Return the names of the LATER columns that the table has not."""
    return LATER.keys() - {row[1] for row in connection.execute("PRAGMA table_info(results)")}


def summary(folder, games, kept=()):
    """Return a row for each game and option played or kept, as a list of dicts. games: the names of all
    games. kept: the names, with options, of the games that are kept.

    Raises OSError if the database cannot be read.
    """
    rows = []
    if os.path.exists(os.path.join(folder, FILE)):
        with opened(folder) as connection:
            rows = connection.execute(
                f"SELECT game, won, seconds, commands, solved, deal FROM results WHERE {SOUND} ORDER BY number"
            ).fetchall()
    played = {name: [] for name in kept}
    for name, *row in rows:
        if name.split()[0] in games:
            name = same_name(name, load(name.split()[0]))
        played.setdefault(name, []).append(row)
    return [{**summary_row(name, played[name]), "kept": kept.count(name)} for name in sorted(played)]


def summary_row(game, played):
    """Return what is told of one game, from its results in the order they were added. Times and the
    fewest commands are those of games that were won."""
    won = [bool(wins and not solved) for wins, _, _, solved, _ in played]
    streaks = [len(list(run)) if wins else 0 for wins, run in groupby(won)] or [0]
    times = [seconds for wins, (_, seconds, *_) in zip(won, played) if wins and seconds is not None]
    lost = sum(not wins for wins, *_ in played)
    today = [("solved" if solved else "won") if wins else "lost" for wins, _, _, solved, deal in played
             if is_of_the_day(deal, todays_number())]
    return {
        "game": game,
        "played": len(played),
        "won": sum(won),
        "lost": lost,
        "solved": len(played) - sum(won) - lost,
        "percentage": round(100 * sum(won) / len(played)) if played else None,
        "streaks": f"{streaks[-1]}/{max(streaks)}",
        "best": min(times, default=None),
        "average": sum(times) / len(times) if times else None,
        "commands": min((row[2] for wins, row in zip(won, played) if wins), default=None),
        "today": next((what for what in ("won", "solved", "lost") if what in today), None),
    }


def show(rows):
    """Print a line for each game, from the rows of summary."""
    if not rows:
        click.echo("No game has been finished yet.")
        return
    for number in range(2):
        click.echo(" " * NAME_WIDTH + "".join(f"{column[number]:>{column[2]}}" for column in COLUMNS))
    for row in rows:
        name = " ".join(printable(word) for word in row["game"].split() if not word.startswith("--"))
        row = {**row, "best": minutes(row["best"]), "average": minutes(row["average"])}
        cells = ["-" if row[key] is None else str(row[key]) for *_, key in COLUMNS]
        if len(name) >= NAME_WIDTH:  # it has a line of its own
            click.echo(name)
            name = ""
        click.echo(f"{name:<{NAME_WIDTH}}" + "".join(f"{cell:>{column[2]}}" for cell, column in zip(cells, COLUMNS)))
