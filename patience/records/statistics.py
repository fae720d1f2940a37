"""The results of finished games: a row for each game, and the message for a game that was just won."""

from itertools import groupby

from patience.records import store
from patience.records.daily import is_of_the_day, todays_number
from patience.rules import spoken_name
from patience.text import command, count_of, minutes, printable

# The columns of the table: heading, which is also the key in a row -> width.
COLUMNS = {"won": 5, "%": 5, "help": 6, "lost": 6, "streak": 8, "best": 7, "today": 10}
LEGEND = "help: won with hints or the solver. lost: or given up. streak: now/longest."
OUTCOMES = ("won", "hinted", "solved", "lost", "resigned")
MIN_NAME = 14
WIDTH = 80


def summary():
    """Return a row for each game and options played, as a list of dicts. Raises OSError if the store cannot be read."""
    played = sorted(store.find_finished(), key=lambda saved: saved.game)
    return [summary_row(name, list(group)) for name, group in groupby(played, key=lambda saved: saved.game)]


def summary_row(game, played):
    """Return the statistics of one game. played: its rows, in the order they ended. The percentage and the streaks
    count only games without hints or solver, the best time only wins of that kind."""
    outcomes = [saved.outcome for saved in played]
    counted = list_unaided_results(played)
    streaks = [len(list(run)) if won else 0 for won, run in groupby(counted)] or [0]
    today = [saved.outcome for saved in played if is_of_the_day(saved.number, todays_number())]
    return {
        "game": game,
        "won": outcomes.count("won"),
        "%": round(100 * sum(counted) / len(counted)) if counted else "-",
        "help": outcomes.count("hinted") + outcomes.count("solved"),
        "lost": outcomes.count("lost") + outcomes.count("resigned"),
        "streak": f"{streaks[-1]}/{max(streaks)}",
        "best": minutes(best_time(played)),
        "today": next((outcome for outcome in OUTCOMES if outcome in today), "-"),
    }


def list_unaided_results(played):
    """Return, for each game played without hints or solver, whether it was won."""
    return [saved.state == "won" for saved in played if not saved.solved and not saved.hints]


def best_time(played):
    """Return the seconds of the fastest win without help, or None."""
    return min((saved.seconds for saved in played if saved.outcome == "won"), default=None)


def table(rows, width=None):
    """Return the statistics as text, a line for each game. rows: from summary. width: of the terminal, or None
    without one."""
    if not rows:
        return "No game has been finished yet."
    names = [printable(spoken_name(row["game"])) for row in rows]
    room = max(MIN_NAME, (width or WIDTH) - sum(COLUMNS.values()))
    first = min(room, max(map(len, names)))
    lines = [" " * first + "".join(f"{heading:>{wide}}" for heading, wide in COLUMNS.items())]
    for name, row in zip(names, rows):
        cells = "".join(f"{row[heading]:>{wide}}" for heading, wide in COLUMNS.items())
        lines += [f"{name:<{first}}{cells}"] if len(name) <= first else [name, " " * first + cells]
    return "\n".join([*lines, LEGEND])


def sentences(rows):
    """Return the statistics as a sentence for each game."""
    return [
        f"{spoken_name(row['game'])}: {row['won']} won, {row['%']} % of those without help, {row['help']} with help, "
        f"{row['lost']} lost, streak {row['streak'].replace('/', ', longest ')}, best {row['best']}, "
        f"today's deal {row['today']}."
        for row in rows
    ]


def win_message(deal, saved):
    """Return the message for a game that was just won. saved: its row."""
    text = f"{'Solved' if saved.solved else 'Won'} in {count_of(saved.count, 'command')}, {minutes(saved.seconds)}"
    earlier_games, streak = [], 0
    try:
        played = [row for row in store.find_finished() if row.game == saved.game]
        earlier_games = [row for row in played if row.id != saved.id]
        streak = next(
            (count for count, won in enumerate(list_unaided_results(played)[::-1]) if not won),
            len(list_unaided_results(played)),
        )
    except OSError:
        pass  # the player was told when the game was saved
    best, is_unaided = best_time(earlier_games), saved.outcome == "won"
    counts = [row.count for row in earlier_games if row.outcome == "won"]
    if is_unaided and counts and saved.count < min(counts):
        text += f", fewest commands; were {min(counts)}"
    is_best = is_unaided and best is not None and int(saved.seconds) < int(best)
    if is_best:
        text += f", new best; was {minutes(best)}"
    if saved.hints:
        text += f", with {count_of(saved.hints, 'hint')}"
    text += "." if best is None or is_best else f" (your best {minutes(best)})."
    if is_unaided and streak > 1:
        text += f" Your streak: {streak}."
    if deal.number is not None:
        hints = count_of(saved.hints, "hint") if saved.hints else "no hints"
        name = f"{spoken_name(saved.game)} {deal.number}"
        if not saved.solved:  # to be pasted
            text += f"\nPatience: {name} won in {minutes(saved.seconds)}, {count_of(saved.count, 'move')}, {hints}"
        text += f"\n{command(deal.command())} deals it again."
    return text + "\nreview shows what your choices cost."
