"""What the results come to: a row for each game, and the message for a game that was just won."""

import contextlib
from itertools import groupby

from patience.game.files import application_folder
from patience.game.rules import spoken_name
from patience.game.text import command, count_of, minutes, printable
from patience.records import results
from patience.records.daily import is_of_the_day, todays_number

# The columns of the table: heading, which is the key of a row, and width.
COLUMNS = {"won": 5, "%": 5, "help": 6, "lost": 6, "streak": 8, "best": 7, "today": 8}
LEGEND = "help: won with hints or the solver. lost: or given up. streak: now/longest."
KINDS = ("won", "hinted", "solved", "lost", "resigned")
LEAST_NAME = 14
WIDTH = 80


def summary(folder):
    """Return a row for each game and options played, as a list of dicts. Raises OSError if the database cannot be
    read."""
    played = sorted(results.played_games(folder), key=lambda result: result.game)
    return [summary_row(name, list(group)) for name, group in groupby(played, key=lambda result: result.game)]


def summary_row(game, played):
    """Return what is told about one game, from its Results in the order they were added. Percentage and streaks are
    those of games without hints and solver; the best time is that of games so won."""
    kinds = [result.kind for result in played]
    alone = [result.kind == "won" for result in played if not result.solved and not result.hints]
    streaks = [len(list(run)) if won else 0 for won, run in groupby(alone)] or [0]
    times = [result.seconds for result in played if result.kind == "won" and result.seconds is not None]
    today = [result.kind for result in played if is_of_the_day(result.deal, todays_number())]
    return {
        "game": game,
        "won": kinds.count("won"),
        "%": round(100 * sum(alone) / len(alone)) if alone else "-",
        "help": kinds.count("hinted") + kinds.count("solved"),
        "lost": kinds.count("lost") + kinds.count("resigned"),
        "streak": f"{streaks[-1]}/{max(streaks)}",
        "best": minutes(min(times, default=None)),
        "today": next((kind for kind in KINDS if kind in today), "-"),
    }


def table(rows, width=None):
    """Return the statistics as text, a line for each game. rows: of summary. width: that of the terminal, None where
    there is none."""
    if not rows:
        return "No game has been finished yet."
    names = [printable(spoken_name(row["game"])) for row in rows]
    room = max(LEAST_NAME, (width or WIDTH) - sum(COLUMNS.values()))
    first = min(room, max(map(len, names)))
    lines = [" " * first + "".join(f"{heading:>{wide}}" for heading, wide in COLUMNS.items())]
    for name, row in zip(names, rows):
        cells = "".join(f"{row[heading]:>{wide}}" for heading, wide in COLUMNS.items())
        lines += [f"{name:<{first}}{cells}"] if len(name) <= first else [name, " " * first + cells]
    return "\n".join([*lines, LEGEND])


def sentences(rows):
    """Return the statistics as a sentence for each game."""
    return [
        f"{spoken_name(row['game'])}: " + ", ".join(f"{heading} {row[heading]}" for heading in COLUMNS) + "."
        for row in rows
    ]


def how_it_was_won(sitting, record):
    """Return the message for a game that was just won."""
    seconds, row, was_counted = record.seconds(), None, False
    with contextlib.suppress(OSError):
        was_counted = results.is_counted(application_folder(), record.identity)
        row = best_and_streak(sitting, record, was_counted)
    told = f"{'Solved' if record.solved else 'Won'} in {count_of(len(sitting.done), 'command')}"
    if seconds is not None:
        told += f", {minutes(seconds)}"
    best, streak = row or (None, 0)
    is_best = None not in (best, seconds) and int(seconds) < int(best) and not (was_helped(record) or was_counted)
    if is_best:
        told += f", new best; was {minutes(best)}"
    if record.hints:
        told += f", with {count_of(record.hints, 'hint')}"
    told += "." if best is None or is_best else f" (your best {minutes(best)})."
    if streak > 1:
        told += f" Your streak: {streak}."
    if sitting.number is not None:
        told += f"\n{command(sitting.how_to_deal())} deals it again."
    return told + "\nreview shows what your choices cost."


def was_helped(record):
    """Return True if hints or the solver were asked."""
    return bool(record.solved or record.hints)


def best_and_streak(sitting, record, was_counted):
    """Return the seconds of the fastest win of a game with its options, or None, and how many games were won one after
    the other with this one."""
    name = sitting.name()
    played = [result for result in results.played_games(application_folder()) if result.game == name]
    times = [result.seconds for result in played if result.kind == "won" and result.seconds is not None]
    streak = 0 if was_counted or was_helped(record) else 1
    alone = [result.kind == "won" for result in played if not result.solved and not result.hints]
    for won in reversed(alone if streak else []):
        if not won:
            break
        streak += 1
    return min(times, default=None), streak
