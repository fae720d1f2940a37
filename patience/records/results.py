"""The results of games played at a terminal, in a small database; and the deal of the day.

Only finished games count: won, won with hints, solved if the solver was asked, lost, or given up.
"""

import contextlib
import datetime
import itertools
import os
import shutil
import sqlite3
import textwrap
from collections import Counter
from itertools import groupby

import click

from patience.game.text import count_of, error_text, minutes, printable
from patience.game.rules import full_name, load, short_name
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
# The columns of the table that is shown: two lines of heading, width, and the key of a row.
COLUMNS = [
    ("saved", "", 6, "saved"), ("won", "", 4, "won"), ("with", "hints", 6, "hinted"), ("solved", "", 7, "solved"),
    ("lost", "", 5, "lost"), ("gave", "up", 5, "resigned"), ("won", "%", 4, "percentage"),
    ("streak", "/most", 7, "streaks"), ("best", "m:ss", 6, "best"), ("mean", "m:ss", 6, "average"),
    ("fewest", "moves", 7, "commands"), ("today", "", 7, "today"),
]  # fmt: skip
KINDS = ("won", "hinted", "solved", "lost", "resigned")
NAME_WIDTH = 10
WIDTH = 80
WEEKS = 4  # that stats daily shows


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
    """Return a connection to a new database in place of a damaged one, which is moved aside by one program only."""
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
    with contextlib.suppress(OSError):  # an unfinished change of the old one is none of the new one
        os.replace(f"{path}-journal", f"{aside}-journal")
    click.echo(
        printable(f"{path} was damaged, or not ours. It is {os.path.basename(aside)} now, and a new one is begun."),
        err=True,
    )


def add(folder, game, won, seconds, commands, solved=0, hints=0, deal=None, identity=None):
    """Add the result of a game, unless its identity is there: game is its name with its options; seconds and deal, its
    number, may be None. Raises OSError if the folder cannot be written."""
    with opened(folder) as connection:
        connection.execute(
            "INSERT OR IGNORE INTO results (game, won, seconds, commands, solved, hints, deal, identity)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (game, won, seconds, commands, solved, hints, deal, identity),
        )


def add_game(folder, sitting, record, won=None):
    """Add the result of the game in hand, if it is not there yet. won: -1 if it was given up. Raises OSError if that
    fails."""
    won = sitting.rules.check_win(sitting.game) if won is None else won
    add(
        folder,
        sitting.name(),
        won,
        record.seconds(),
        len(sitting.done),
        record.solved,
        record.hints,
        sitting.number,
        record.identity,
    )


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


def how_it_was_won(folder, sitting, record):
    """Return the message for a game that was just won."""
    seconds, best, was_counted = record.seconds(), None, False
    with contextlib.suppress(OSError):
        best, was_counted = best_time(folder, sitting.name()), is_counted(folder, record.identity)
    told = f"{'Solved' if record.solved else 'Won'} in {count_of(len(sitting.done), 'command')}"
    if seconds is not None:
        told += f", {minutes(seconds)}"
    is_best = (
        None not in (best, seconds) and int(seconds) < int(best) and not (record.solved or record.hints or was_counted)
    )
    if is_best:
        told += f", new best; was {minutes(best)}"
    if record.hints:
        told += f", with {count_of(record.hints, 'hint')}"
    told += "." if best is None or is_best else f" (your best {minutes(best)})."
    if sitting.number is not None:
        told += f"\npython main.py {sitting.how_to_deal()} deals it again."
    return told


def best_time(folder, name):
    """Return the seconds of the fastest win of a game with its options, or None. Raises OSError."""
    return next((row["best"] for row in summary(folder, [name.split()[0]]) if row["game"] == name), None)


# Statistics


def summary(folder, games, saved=()):
    """Return a row for each game and option played or saved, as a list of dicts. games: the names of all games.
    saved: (name, settings) of the games in progress. Raises OSError if the database cannot be read."""
    saved = [full_name(load(name), settings) for name, settings in saved]
    played = {name: [] for name in saved}
    for name, *row in played_games(folder):
        played.setdefault(name, []).append(row)
    return [{**summary_row(name, played[name]), "saved": saved.count(name)} for name in sorted(played)]


def played_games(folder):
    """Return the results in the order they were added: (game with its options, won, seconds, commands, solved, hints,
    deal)."""
    if not os.path.exists(os.path.join(folder, FILE)):
        return []
    with opened(folder) as connection:
        return connection.execute(
            f"SELECT game, won, seconds, commands, solved, hints, deal FROM results WHERE {SOUND} ORDER BY number"
        ).fetchall()


def kind_of(won, solved, hints):
    """Return what a result counts as, a key of COLUMNS."""
    if won < 1:
        return "lost" if won == 0 else "resigned"
    return "solved" if solved else "hinted" if hints else "won"


def summary_row(game, played):
    """Return what is told about one game, from its results in the order they were added. Percentage and streaks are
    those of games without hints and solver; times and the fewest commands are those of games so won."""
    kinds = [kind_of(won, solved, hints) for won, _, _, solved, hints, _ in played]
    alone = [kind == "won" for kind, (*_, solved, hints, _) in zip(kinds, played) if not solved and not hints]
    streaks = [len(list(run)) if won else 0 for won, run in groupby(alone)] or [0]
    wins = [row for kind, row in zip(kinds, played) if kind == "won"]
    times = [seconds for _, seconds, *_ in wins if seconds is not None]
    today = [kind for kind, row in zip(kinds, played) if is_of_the_day(row[-1], todays_number())]
    return {
        "game": game,
        "played": len(played),
        **{kind: kinds.count(kind) for kind in KINDS},
        "percentage": round(100 * sum(alone) / len(alone)) if alone else None,
        "streaks": f"{streaks[-1]}/{max(streaks)}",
        "best": min(times, default=None),
        "average": sum(times) / len(times) if times else None,
        "commands": min((commands for _, _, commands, *_ in wins), default=None),
        "today": next((kind for kind in KINDS if kind in today), None),
    }


def width(at_terminal):
    """Return how wide the statistics may be."""
    return shutil.get_terminal_size().columns if at_terminal else WIDTH


def table(folder, games, saved, width=WIDTH):
    """Return the statistics as text, a line for each game, or a paragraph if the width is too small. folder, games,
    saved: as in summary."""
    rows = summary(folder, games, saved)
    if not rows:
        return "No game has been finished yet."
    lines = [" " * NAME_WIDTH + "".join(f"{column[number]:>{column[2]}}" for column in COLUMNS) for number in range(2)]
    paragraphs = []
    for row in rows:
        name = printable(short_name(row["game"]))
        row = {**row, "best": minutes(row["best"]), "average": minutes(row["average"])}
        cells = ["-" if row[key] is None else str(row[key]) for *_, key in COLUMNS]
        told = [f"{first} {second}".strip() + f" {cell}" for (first, second, *_), cell in zip(COLUMNS, cells)]
        paragraphs.append(textwrap.fill(f"{name}: {', '.join(told)}", width, subsequent_indent="  "))
        if len(name) >= NAME_WIDTH:  # it has a line of its own
            lines.append(name)
            name = ""
        lines.append(f"{name:<{NAME_WIDTH}}" + "".join(f"{cell:>{column[2]}}" for cell, column in zip(cells, COLUMNS)))
    return "\n".join(lines if width >= WIDTH else paragraphs)


def won_today(folder):
    """Return the names of the games whose deal of the day was won, or solved; none if the database cannot be read."""
    with contextlib.suppress(OSError):
        return {
            name.split()[0]
            for name, won, *_, deal in played_games(folder)
            if won == 1 and is_of_the_day(deal, todays_number())
        }
    return set()


# The deal of the day


def todays_number():
    """Return the number of today's deal: 20261122."""
    return number_of(datetime.date.today())


def number_of(day):
    """Return the number of the deal of a day, a date."""
    return int(day.strftime("%Y%m%d"))


def daily(folder):
    """Return how many deals of the day were won on each day of the last weeks, and the streak of days, as text. Raises
    OSError if the database cannot be read."""
    today, won = datetime.date.today(), Counter()
    for _, result, _, _, solved, hints, deal in played_games(folder):
        if deal is not None and kind_of(result, solved, hints) in ("won", "hinted"):
            won.update(days_of(deal))
    monday = today - datetime.timedelta(today.weekday() + 7 * (WEEKS - 1))
    lines = [" " * 8 + "".join(f"{name:>4}" for name in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))]
    for week in range(WEEKS):
        days = [monday + datetime.timedelta(7 * week + day) for day in range(7)]
        cells = ["" if day > today else str(won[number_of(day)] or "-") for day in days]
        lines.append(f"{days[0].day:>2} {days[0]:%b}  " + "".join(f"{cell:>4}" for cell in cells).rstrip())
    first = today if won[number_of(today)] else today - datetime.timedelta(1)
    streak = next(count for count in itertools.count() if not won[number_of(first - datetime.timedelta(count))])
    return "\n".join([*lines, f"Streak: {count_of(streak, 'day')} with a deal of the day won."])


def numbers_of(day):
    """Yield the numbers that the deals of a day can have: its own, and then others that belong to no other day."""
    yield day
    yield from itertools.count(1000 * day + 1)


def days_of(number):
    """Return the numbers of the days, if they are such, whose deal a number can be."""
    return number, number // 1000


def is_of_the_day(number, day):
    """Return True if a deal's number is one of those of a day."""
    return number is not None and day in days_of(number)
