"""The results of games played at a terminal, in a small database; and the deal of the day.

Only finished games count: won, lost, or won with the help of a solver, which is solved.
"""

import contextlib
import itertools
import os
import sqlite3
import time
from itertools import groupby

from patience.lines import printable
from patience.rules import count_of, full_name, load, minutes

FILE = "results.sqlite3"
SECONDS_TO_WAIT = 5  # for another program that is writing
TABLE = """
CREATE TABLE IF NOT EXISTS results (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,      -- the game and its options: klondike --draw 1
    won INTEGER NOT NULL,    -- 1 or 0
    seconds REAL,            -- NULL if they are not known
    commands INTEGER NOT NULL,
    solved INTEGER,          -- 1 if the solver was asked
    hints INTEGER,
    deal INTEGER             -- its number; NULL if it has none
)
"""
# A row that can be counted: a damaged file may hold others.
SOUND = """
    typeof(game) = 'text' AND trim(game) <> '' AND won IN (0, 1) AND typeof(commands) = 'integer'
    AND (seconds IS NULL OR seconds BETWEEN 0 AND 1e9) AND (deal IS NULL OR typeof(deal) = 'integer')
"""
# The columns of the table that is shown: two lines of heading, width, and the key of a row.
COLUMNS = [
    ("saved", "", 6, "saved"), ("won", "", 5, "won"), ("lost", "", 5, "lost"), ("solved", "", 7, "solved"),
    ("won", "%", 5, "percentage"), ("streak", "now/most", 9, "streaks"), ("best", "m:ss", 6, "best"),
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
            yield connection
    except (sqlite3.Error, UnicodeError, OverflowError) as error:  # the last for a number of many digits
        raise OSError(printable(error)) from error


def add(folder, game, won, seconds, commands, solved=0, hints=0, deal=None):
    """Add the result of a game: game is its name with its options; seconds and deal, its number, may be None. Raises
    OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute(
            "INSERT INTO results (game, won, seconds, commands, solved, hints, deal) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (game, won, seconds, commands, solved, hints, deal))


def add_game(folder, sitting, record):
    """Add the result of the game in hand. Raises OSError if the folder cannot be written."""
    won = sitting.rules.check_win(sitting.game)
    add(folder, sitting.name(), won, record.seconds(), len(sitting.done), record.solved, record.hints, sitting.number)


def reset(folder):
    """Delete all results. Raises OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute("DELETE FROM results")


def how_it_was_won(folder, sitting, record):
    """Return the message for a game that was just won."""
    seconds, best = record.seconds(), best_time(folder, sitting.name())
    told = f"{'Solved' if record.solved else 'Won'} in {count_of(len(sitting.done), 'command')}"
    if seconds is not None:
        told += f", {minutes(seconds)}"
    is_best = None not in (best, seconds) and int(seconds) < int(best) and not record.solved and not record.counted
    if is_best:
        told += f", new best; was {minutes(best)}"
    if record.hints:
        told += f", with {count_of(record.hints, 'hint')}"
    told += "." if best is None or is_best else f" (your best {minutes(best)})."
    if sitting.number is not None:
        told += f"\npython main.py {sitting.how_to_deal()} deals it again."
    return told


def best_time(folder, name):
    """Return the seconds of the fastest win of a game with its options, or None."""
    with contextlib.suppress(OSError):
        for row in summary(folder, [name.split()[0]]):
            if row["game"] == name:
                return row["best"]
    return None


# Statistics


def summary(folder, games, saved=()):
    """Return a row for each game and option played or saved, as a list of dicts. games: the names of all games.
    saved: (name, settings) of the games in progress. Raises OSError if the database cannot be read."""
    rows = []
    if os.path.exists(os.path.join(folder, FILE)):
        with opened(folder) as connection:
            rows = connection.execute(
                f"SELECT game, won, seconds, commands, solved, deal FROM results WHERE {SOUND} ORDER BY number"
            ).fetchall()
    saved = [full_name(load(name), settings) for name, settings in saved]
    played = {name: [] for name in saved}
    for name, *row in rows:
        played.setdefault(name, []).append(row)
    return [{**summary_row(name, played[name]), "saved": saved.count(name)} for name in sorted(played)]


def summary_row(game, played):
    """Return what is told about one game, from its results in the order they were added. Times and the fewest
    commands are those of games that were won."""
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


def table(folder, games, saved):
    """Return the statistics as text, a line for each game. folder, games, saved: as in summary."""
    rows = summary(folder, games, saved)
    if not rows:
        return "No game has been finished yet."
    lines = [" " * NAME_WIDTH + "".join(f"{column[number]:>{column[2]}}" for column in COLUMNS) for number in range(2)]
    for row in rows:
        name = " ".join(printable(word) for word in row["game"].split() if not word.startswith("--"))
        row = {**row, "best": minutes(row["best"]), "average": minutes(row["average"])}
        cells = ["-" if row[key] is None else str(row[key]) for *_, key in COLUMNS]
        if len(name) >= NAME_WIDTH:  # it has a line of its own
            lines.append(name)
            name = ""
        lines.append(f"{name:<{NAME_WIDTH}}" + "".join(f"{cell:>{column[2]}}" for cell, column in zip(cells, COLUMNS)))
    return "\n".join(lines)


# The deal of the day


def todays_number():
    """Return the number of today's deal: 20261122."""
    return int(time.strftime("%Y%m%d"))


def numbers_of(day):
    """Yield the numbers that the deals of a day can have: its own, and then others that belong to no other day."""
    yield day
    yield from itertools.count(1000 * day + 1)


def is_of_the_day(number, day):
    """Return True if a deal's number is one of those of a day."""
    return number is not None and day in (number, number // 1000)
