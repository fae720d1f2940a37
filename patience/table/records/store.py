"""The store: one SQLite database with a row for each of the player's games. The row's state says whether the game is in
progress, won, lost or given up. A game becomes a win when the winning move is saved. Other tables hold the options that
the player keeps, and the numbers of the daily deals."""

import contextlib
import datetime
import os
import random
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, get_args

import click

from patience import decks, options
from patience.game import Game
from patience.text import card_name, printable

FILE = "games.sqlite3"
VERSION = 3  # of the tables
SECONDS_TO_WAIT = 1.5  # for another program that is writing
MOVED_ON = "This game was continued or deleted in another window. Here it continues as a copy."


class Outcome(str, Enum):
    """The outcome of a game, best first. HINTED and SOLVED are wins with help, and are not saved as such."""

    WON, HINTED, SOLVED, PLAYING, LOST, RESIGNED = "won", "hinted", "solved", "playing", "lost", "resigned"

    __str__ = str.__str__  # the same in every Python version


STATES = Outcome.PLAYING, Outcome.WON, Outcome.LOST, Outcome.RESIGNED  # of a row


@dataclass
class SavedGame:
    """A row of the store. id is None until the first move is saved."""

    id: int | None = None
    game: str = ""  # with its options: klondike --draw 1
    number: int | None = None  # of the deal, if it has one
    cards: str | None = None  # that were dealt from a file
    moves: str = ""  # the lines of a saved game
    state: str = Outcome.PLAYING
    status: str = ""  # how far along it is, in words
    seconds: float | int | None = 0.0  # played; None if the beginning of the game was not played here
    hints: int = 0
    solved: int = 0
    file: str | None = None  # of --save
    owner: str | None = None  # the window it is played in
    started: float | int = 0.0
    changed: float | int = 0.0
    day: int | None = None  # if it is a daily deal: 20261122, by the local calendar where it was dealt
    won_on: int | None = None  # the day on which it was won, by the local calendar
    copy_of: int | None = None  # the id of the original game, which another window continued

    @property
    def count(self) -> int:
        """The number of commands made."""
        return sum(not line[0].isspace() for line in self.moves.splitlines())

    @property
    def outcome(self) -> Outcome:
        """What the game counts as."""
        helped = Outcome.SOLVED if self.solved else Outcome.HINTED if self.hints else Outcome.WON
        return helped if self.is_won else Outcome(self.state)

    @property
    def is_won(self) -> bool:
        """True once the game has been won, with or without help; it stays a win when the last move is undone."""
        return self.state == Outcome.WON


NAMES = [field.name for field in fields(SavedGame)]
COLUMNS = ", ".join(NAMES)
# The code points of the characters that are blanks, as in str.isspace.
BLANKS = [*range(9, 14), *range(28, 33), 133, 160, 5760, *range(8192, 8203), 8232, 8233, 8239, 8287, 12288]  # fmt: skip
# The kinds of values in each column, in SQL, and the test for our own rows; read_row says what is wrong with others.
KINDS = {str: "'text'", int: "'integer'", float: "'real'", type(None): "'null'"}
COLUMN_KINDS = {field.name: get_args(field.type) or (field.type,) for field in fields(SavedGame)}
READABLE = " AND ".join(
    [
        *(f"typeof({name}) IN ({', '.join(KINDS[kind] for kind in kinds)})" for name, kinds in COLUMN_KINDS.items()),
        *(
            f"ifnull({name}, 0) BETWEEN 0 AND {options.MAX_SEED}"
            for name, kinds in COLUMN_KINDS.items()
            if str not in kinds
        ),
        f"state IN ({', '.join(map(repr, map(str, STATES)))})",
        f"trim(game, char({', '.join(map(str, BLANKS))})) <> ''",
    ]
)
SETTINGS = "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT)"
DAILY = "CREATE TABLE IF NOT EXISTS daily (day, game, number, difficulty, PRIMARY KEY (day, game))"
TABLE = f"CREATE TABLE IF NOT EXISTS games ({COLUMNS.replace('id', 'id INTEGER PRIMARY KEY', 1)})"


def today() -> int:
    """Return today's number, by the local calendar: 20261122."""
    return int(datetime.date.today().strftime("%Y%m%d"))


def path() -> str:
    """Return the path of the database. Raises OSError if there is no home folder."""
    folder = click.get_app_dir("patience")
    if not os.path.isabs(folder):
        raise OSError("there is no home folder for your games.")
    return os.path.join(folder, FILE)


@contextlib.contextmanager
def connect() -> Iterator[sqlite3.Connection]:
    """Open the database for one transaction. Raises OSError, which names the file and the reason, if that fails;
    nothing is moved, repaired or deleted."""
    database = path()
    try:
        os.makedirs(os.path.dirname(database), 0o700, exist_ok=True)
        with contextlib.closing(sqlite3.connect(database, timeout=SECONDS_TO_WAIT)) as connection, connection:
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise sqlite3.DatabaseError("it belongs to a newer version of this program")
            if version < VERSION:
                connection.execute(TABLE)
                connection.execute(SETTINGS)
                connection.execute(DAILY)
                connection.execute(f"PRAGMA user_version = {VERSION}")
            present = [column["name"] for column in connection.execute("PRAGMA table_info(games)")]
            for name in NAMES:
                if name not in present:
                    connection.execute(f"ALTER TABLE games ADD COLUMN {name}")
            yield connection
    except (sqlite3.Error, OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise OSError(printable(f"{database}: {why.rstrip('.')}.")) from error


def new_window_id() -> str:
    """Return a unique name for a window."""
    return random.SystemRandom().randbytes(8).hex()


def fill_row(saved: SavedGame, game: Game) -> None:
    """Copy the current state of a game into its row, which may turn the row into a win; save writes the row."""
    saved.game, saved.number = game.deal.name(), game.deal.number
    saved.cards = " ".join(map(card_name, game.deal.cards)) if game.deal.cards else None
    saved.moves = "".join(f"{line}\n" for line in game.list_lines())
    saved.status = ", ".join(game.layout.status)
    is_won = game.rules.check_win(game.position)
    if is_won and not saved.copy_of:  # the same deal won with the same commands counts as one win
        same_win = "state = 'won' AND game = ? AND number IS ? AND cards IS ? AND moves = ? AND id IS NOT ?"
        for earlier in find(same_win, saved.game, saved.number, saved.cards, saved.moves, saved.id)[-1:]:
            saved.copy_of = earlier.copy_of or earlier.id
    saved.state = Outcome.WON if is_won else Outcome.LOST if game.outcome() else Outcome.PLAYING
    saved.won_on = today() if saved.is_won else None


def save(saved: SavedGame) -> str | None:
    """Save a row, as a new one if it has no id. If another window has taken over the game, save it as a new row and
    return a sentence; otherwise return "". Raises OSError."""
    saved.changed = time.time()
    with connect() as connection:
        values = {name: value for name, value in vars(saved).items() if name != "id"}
        settings = ", ".join(f"{name} = :{name}" for name in values)
        update = f"UPDATE games SET {settings} WHERE id = :id AND owner = :owner AND state <> 'won'"
        if connection.execute(update, {**values, "id": saved.id}).rowcount:
            return ""
        is_taken, owner = saved.id is not None, saved.owner if saved.id is None else new_window_id()
        saved.copy_of = saved.copy_of or (saved.id if is_taken else None)
        values["copy_of"] = saved.copy_of
        if saved.file:  # the file belongs to this game from now on
            connection.execute("UPDATE games SET file = NULL WHERE file = ?", (saved.file,))
        names = ", ".join(values)
        cursor = connection.execute(
            f"INSERT INTO games ({names}) VALUES (:{', :'.join(values)})", {**values, "owner": owner}
        )
    saved.id, saved.owner = cursor.lastrowid, owner
    return MOVED_ON if is_taken else ""


def claim(row_id: int | None, owner: str) -> SavedGame:
    """Give the row with this id to a new owner, and return it. Raises OSError, LookupError if the row is gone, or
    ValueError if it cannot be read."""
    with connect() as connection:
        connection.execute("UPDATE games SET owner = ? WHERE id = ?", (owner, row_id))
        row = connection.execute(f"SELECT {COLUMNS} FROM games WHERE id = ?", (row_id,)).fetchone()
    if not row:
        raise LookupError("it is gone.")
    return read_row(row)


def read_row(row: sqlite3.Row) -> SavedGame:
    """Return the SavedGame of a row. Raises ValueError, which names the column, if the row was not written by this
    program."""
    for name, kinds in COLUMN_KINDS.items():
        value = row[name]
        if not isinstance(value, kinds) or str not in kinds and not 0 <= (value or 0) <= options.MAX_SEED:
            raise ValueError(f"its {name} is {value!r:.40}")
    if row["state"] not in STATES or not row["game"].strip():
        raise ValueError(f"its game is {row['game']!r:.40}, its state {row['state']!r:.40}")
    return SavedGame(**row)


def fetch(query: str, *values: Any) -> list[sqlite3.Row]:
    """Return the rows of a query; none if there is no store yet. Raises OSError."""
    try:
        os.stat(path())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OSError(printable(f"{path()}: {error.strerror}.")) from error
    with connect() as connection:
        return connection.execute(query, values).fetchall()


def select(condition: str, *values: Any) -> tuple[list[SavedGame], list[str]]:
    """Return the rows that meet a condition, most recently changed first, and a sentence for each that cannot be
    read. Raises OSError."""
    found, unreadable = [], []
    for row in fetch(f"SELECT {COLUMNS} FROM games WHERE {condition} ORDER BY changed DESC, id DESC", *values):
        try:
            found.append(read_row(row))
        except ValueError as error:
            unreadable.append(printable(f"Game {row['id']} of {path()} cannot be read: {error}."))
    return found, unreadable


def find(condition: str, *values: Any) -> list[SavedGame]:
    """Return the rows that meet a condition and can be read, most recently changed first. Raises OSError."""
    return select(condition, *values)[0]


def find_unreadable() -> list[str]:
    """Return a sentence for each row that cannot be read. Raises OSError."""
    return select(f"NOT ({READABLE})")[1]


def find_of_file(file: str, moves: str) -> list[SavedGame]:
    """Return the rows for a --save file that have these moves, most recently changed first. Raises OSError."""
    return find("file = ? AND moves = ?", file, moves)


def find_won() -> list[SavedGame]:
    """Return the rows of games that were won, most recently changed first. Raises OSError."""
    return find("state = 'won'")


def find_of_day(day: int) -> list[SavedGame]:
    """Return the rows of a day's deals. day: its number. Raises OSError."""
    return find("day = ?", day)


def find_won_on_their_day() -> list[SavedGame]:
    """Return the rows of daily deals that were won on their own day without the solver. Raises OSError."""
    return find("state = 'won' AND NOT solved AND day = won_on")


def in_progress(name: str | None = None) -> list[SavedGame]:
    """Return the games in progress, of one game or of all, most recently played first. Raises OSError."""
    rows = find("state = 'playing'")
    return [row for row in rows if name in (None, row.game.split()[0])]


def find_finished(game: str | None = None) -> list[SavedGame]:
    """Return the finished games in the order in which they ended; for a game and its copies, only the first that was
    won, or the first if none was. game: with its options, or None for all. Raises OSError."""
    place = "row_number() OVER (PARTITION BY ifnull(nullif(copy_of, 0), id) ORDER BY state <> 'won', changed, id)"
    finished = f"SELECT id, {place} AS place FROM games WHERE state <> 'playing' AND {READABLE} AND ifnull(game = ?, 1)"
    rows = fetch(f"SELECT {COLUMNS} FROM games WHERE id IN (SELECT id FROM ({finished}) WHERE place = 1)", game)
    return sorted((SavedGame(*row) for row in rows), key=lambda row: (row.changed, row.id))


def resign(row_id: int | None) -> bool:
    """Give up a game in progress. Return False, with nothing changed, if it has ended in another window. Raises
    OSError."""
    with connect() as connection:
        cursor = connection.execute(
            "UPDATE games SET state = 'resigned', owner = NULL, changed = ? WHERE id = ? AND state = 'playing'",
            (time.time(), row_id),
        )
    return bool(cursor.rowcount)


def reset() -> None:
    """Delete the finished games. Raises OSError."""
    with connect() as connection:
        connection.execute("DELETE FROM games WHERE state <> 'playing'")


def settings() -> dict[str, str]:
    """Return the options that the player keeps: name -> value. Raises OSError."""
    return {str(name): str(value) for name, value in fetch("SELECT name, value FROM settings")}


def keep_setting(name: str, value: str) -> None:
    """Keep an option. Raises OSError."""
    with connect() as connection:
        connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))


def found_daily(day: int, game: str) -> tuple[int, str] | None:
    """Return the number of a daily deal that was found before, and how hard it is, in a sentence or ""; or None.
    game: with its options. Raises OSError."""
    kinds = "typeof(number) = 'integer' AND typeof(difficulty) = 'text'"
    found = fetch(f"SELECT number, difficulty FROM daily WHERE day = ? AND game = ? AND {kinds}", day, game)
    return next(((number, told) for number, told in found if 0 <= number <= options.MAX_SEED), None)


def keep_daily(day: int, game: str, number: int, difficulty: str = "") -> None:
    """Keep a daily deal. Raises OSError."""
    with connect() as connection:
        connection.execute("INSERT OR REPLACE INTO daily VALUES (?, ?, ?, ?)", (day, game, number, difficulty))


def game_of(saved: SavedGame, games: dict[str, str]) -> Game:
    """Return the Game of a row: its deal, with its moves made. games: the names of all games. Raises ValueError with a
    sentence if it cannot be continued."""
    deal = options.read_deal(f"# {saved.game}", games)
    pairs = decks.parse(saved.cards, deal.rules.PACK) if saved.cards else None
    game = Game(deal._replace(number=saved.number, cards=pairs))
    game.perform_lines(saved.moves.splitlines())
    return game
