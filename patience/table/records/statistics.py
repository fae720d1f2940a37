"""The results of finished games, with a row for each game; the message for a game that was just won; and the deals of
the day."""

from __future__ import annotations

import contextlib
import datetime
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from patience.table.records import store
from patience.table.records.kept_options import command_again
from patience.table.records.store import Outcome, SavedGame
from patience.rules import spoken_name
from patience.text import shell_line, count_of, minutes, printable

if TYPE_CHECKING:
    from patience.decks import Deal

Arrange = Callable[[Callable[[Union[int, None]], str], Callable[[], str]], str]  # a table, or sentences
# The columns of the table: heading -> width.
COLUMNS = {"played": 8, "won": 5, "%": 5, "help": 6, "streak": 8, "best": 7}
LEGEND = """\
%: won, of the games played without hints or the solver; - if there are none.
help: won with hints or the solver. streak: now/longest. best: the best time."""
MIN_NAME = 14
WIDTH = 80
WEEKS = 4  # shown by stats daily
WEEKDAYS = "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"
DAILY = "daily"
RESULTS = {  # of a daily deal, in words
    Outcome.WON: "won",
    Outcome.HINTED: "won with hints",
    Outcome.SOLVED: "won with help",
    Outcome.PLAYING: "in progress",
    Outcome.LOST: "lost",
    Outcome.RESIGNED: "given up",
}


class Results(NamedTuple):
    """The results of one game. The percentage and the streaks count only games played without hints or the solver; the
    best time counts only wins in such games."""

    game: str
    played: int
    won: int  # without hints or the solver
    percent: Optional[int]  # won, of the games played without help; None if there are none
    helped: int  # won with hints or the solver
    streak: int  # the wins in a row up to now
    longest: int  # streak
    best: Optional[float]  # time, in seconds


def summary(game: str | None = None) -> list[Results]:
    """Return the Results of each game that was played or, for a single game, of each of its options. Raises OSError if
    the store cannot be read."""

    def name_of(saved: SavedGame) -> str:
        return saved.game if game else saved.game.split()[0]

    played = sorted(store.find_finished(), key=name_of)
    rows = [results_of(name, list(group)) for name, group in groupby(played, key=name_of)]
    return [row for row in rows if game in (None, row.game.split()[0])]


def results_of(game: str, played: list[SavedGame]) -> Results:
    """Return the Results of one game. played: its rows, in the order they ended."""
    outcomes = [saved.outcome for saved in played]
    counted = list_unaided_results(played)
    streaks = [len(list(run)) if won else 0 for won, run in groupby(counted)] or [0]
    percent = round(100 * sum(counted) / len(counted)) if counted else None
    helped = outcomes.count(Outcome.HINTED) + outcomes.count(Outcome.SOLVED)
    won, best = outcomes.count(Outcome.WON), best_time(played)
    return Results(game, len(played), won, percent, helped, streaks[-1], max(streaks), best)


def list_unaided_results(played: list[SavedGame]) -> list[bool]:
    """Return, for each game played without hints or solver, whether it was won."""
    return [saved.is_won for saved in played if not saved.solved and not saved.hints]


def best_time(played: list[SavedGame]) -> float | None:
    """Return the time of the fastest win without help, in seconds, or None; games whose beginning was not played here
    do not count."""
    times = [saved.seconds for saved in played if saved.outcome is Outcome.WON and saved.seconds is not None]
    return min(times, default=None)


def describe(what: str | None, arrange: Arrange) -> str:
    """Return the text of `stats`, of `stats daily`, or of `stats GAME`. arrange: Console.arrange_table. Raises
    OSError."""
    if what == DAILY:
        return calendar(arrange)
    rows = summary(what)
    text = f"You have not finished a {f'{what} ' if what else ''}game yet."
    if rows:
        text = arrange(lambda width: table(rows, width), lambda: sentences(rows))
    return "\n".join([text, *last_win(what), *store.find_unreadable()])


def last_win(what: str | None = None) -> list[str]:
    """Return a list with one line about the game that was won last, or [] if none was. what: the name of a game, or
    None for all. Raises OSError."""
    saved = next((row for row in store.find_won() if what in (None, row.game.split()[0])), None)
    if not saved:
        return []
    deal = "" if saved.number is None else f"deal {saved.number}"
    time = "" if saved.seconds is None else minutes(saved.seconds)
    facts = [printable(spoken_name(saved.game)), deal, count_of(saved.count, "move"), time]
    return [f"Last won: {', '.join(filter(None, facts))}."]


def table(rows: list[Results], width: int | None = None) -> str:
    """Return the results as text, with a line for each game. width: the terminal's, or None without a terminal."""
    names = [printable(spoken_name(row.game)) for row in rows]
    room = max(MIN_NAME, (width or WIDTH) - sum(COLUMNS.values()))
    first = min(room, max(map(len, names)))
    lines = [" " * first + "".join(f"{heading:>{wide}}" for heading, wide in COLUMNS.items())]
    for name, row in zip(names, rows):
        percent, streak = "-" if row.percent is None else row.percent, f"{row.streak}/{row.longest}"
        cells = row.played, row.won, percent, row.helped, streak, minutes(row.best)
        line = "".join(f" {cell:>{wide - 1}}" for cell, wide in zip(cells, COLUMNS.values()))
        lines += [f"{name:<{first}}{line}"] if len(name) <= first else [name, " " * first + line]
    return "\n".join([*lines, LEGEND])


def sentences(rows: list[Results]) -> str:
    """Return the results as a sentence for each game."""
    return "\n".join(
        f"{spoken_name(row.game)}: {row.played} played, {row.won} won"
        + ("" if row.percent is None else f", {row.percent} % of those without help")
        + f", {row.helped} won with help, streak {row.streak}, longest {row.longest}, "
        f"best {'none' if row.best is None else minutes(row.best)}."
        for row in rows
    )


def win_message(deal: Deal, saved: SavedGame) -> str:
    """Return the message for a game that was just won; it follows `You won!` on the same line. saved: the game's
    row."""
    time = [] if saved.seconds is None else [minutes(saved.seconds)]
    text = ", ".join([count_of(saved.count, "move"), *time])
    played = []
    with contextlib.suppress(OSError):  # the player was told when the game was saved
        played = store.find_finished(saved.game)
    earlier_games = [row for row in played if (row.copy_of or row.id) != (saved.copy_of or saved.id)]
    streak = len([*itertools.takewhile(bool, list_unaided_results(played)[::-1])])
    best, is_unaided = best_time(earlier_games), saved.outcome is Outcome.WON
    is_best = is_unaided and best is not None and saved.seconds is not None and int(saved.seconds) < int(best)
    if is_best:
        text += f", best time (was {minutes(best)})"
    if saved.solved:
        text += ", with help"
    elif saved.hints:
        text += f", with {count_of(saved.hints, 'hint')}"
    text += "." if best is None or is_best else f" (your best {minutes(best)})."
    if is_unaided and streak > 1:
        text += f" Your streak: {streak}."
    if played and saved.id not in [row.id for row in played]:
        text += "\nYou have won this game before; it counts once."
    if is_unaided and not any(row.is_won for row in earlier_games):
        text += f"\nYour first win of {spoken_name(saved.game)}: your best time and your streak start here."
    if saved.day and saved.day == saved.won_on and not saved.solved:
        text += f"\n{todays_win()}"
    if saved.day and saved.day != saved.won_on:
        text += f"\nIt was the {name_of_day(saved.day)}, but you won it on another day,"
        text += " so it does not count as a daily deal."
    if deal.cards or deal.number is not None:
        text += f"\nTo deal it again: {shell_line(command_again(deal))}"
    return text + "\nreview shows what your choices cost."


def earlier_win(deal: Deal, saved: SavedGame) -> str:
    """Return the message for a game that was won before, taken back, and won again. saved: its row."""
    time = "" if saved.seconds is None else f", {minutes(saved.seconds)}"
    return f"You already won this deal, in {count_of(saved.count, 'move')}{time}; that result stands."


# The daily deal


def deal_number(day: datetime.date) -> int:
    """Return the number of a day, such as 20261122."""
    return int(day.strftime("%Y%m%d"))


def candidate_numbers(day: int) -> Iterator[int]:
    """Return the possible numbers for a day's deals: the day's own number, then extra ones that no other day has. day:
    its number."""
    return itertools.chain([day], range(1000 * day + 1, 1000 * (day + 1)))


def count_wins_by_day() -> Counter[int | None]:
    """Count the daily deals that were won on their own day without the solver, once each. Return day number ->
    count. Raises OSError."""
    won = {(row.day, row.game) for row in store.find_won_on_their_day()}
    return Counter(day for day, _ in won)


def calendar(arrange: Arrange) -> str:
    """Return a text calendar of the daily deals won in the last few weeks (or a sentence to be spoken), and the
    streak of days. arrange: Console.arrange_table. Raises OSError."""
    today, won = datetime.date.today(), count_wins_by_day()
    weeks = arrange(lambda width: table_of_weeks(today, won), lambda: sentence_of_days(today, won))
    return f"{weeks}\n{streak_of_days(today, won)}"


def streak_of_days(today: datetime.date, won: Counter[int | None]) -> str:
    """Return a sentence with the number of days in a row, up to today or yesterday, on which a daily deal was won."""
    first = today if won[deal_number(today)] else today - datetime.timedelta(1)
    streak = next(count for count in itertools.count() if not won[deal_number(first - datetime.timedelta(count))])
    return f"Streak: {count_of(streak, 'day')} with a daily deal won."


def todays_win() -> str:
    """Return the text about a daily deal that was won on its day: the day, this week's wins, the streak."""
    today, won = datetime.date.today(), Counter[Optional[int]]()
    with contextlib.suppress(OSError):  # the player was told when the game was saved
        won = count_wins_by_day()
    monday = today - datetime.timedelta(today.weekday())
    days = [monday + datetime.timedelta(number) for number in range(today.weekday() + 1)]
    week = ", ".join(f"{name} {won[deal_number(day)] or '-'}" for name, day in zip(WEEKDAYS, days))
    return f"Today's deal of {today.day} {today:%B}. This week: {week}. {streak_of_days(today, won)}"


def sentence_of_days(today: datetime.date, won: Counter[int | None]) -> str:
    """Return a sentence that lists the last days on which a daily deal was won."""
    days = [today - datetime.timedelta(back) for back in range(7 * WEEKS)]
    return f"Won on: {', '.join(f'{day.day} {day:%B}' for day in days if won[deal_number(day)]) or 'no day yet'}."


def table_of_weeks(today: datetime.date, won: Counter[int | None]) -> str:
    """Return a table of the daily deals won on each day of the last weeks."""
    monday = today - datetime.timedelta(today.weekday() + 7 * (WEEKS - 1))
    lines = [" " * 8 + "".join(f"{name:>4}" for name in WEEKDAYS)]
    for week in range(WEEKS):
        days = [monday + datetime.timedelta(7 * week + day) for day in range(7)]
        cells = ["" if day > today else str(won[deal_number(day)] or "-") for day in days]
        lines.append(f"{days[0].day:>2} {days[0]:%b}  " + "".join(f"{cell:>4}" for cell in cells).rstrip())
    return "\n".join([*lines, "Daily deals won on their own day, with or without hints."])


def name_of_day(day: int) -> str:
    """Return the name of a day's deal. day: the number of the day."""
    return "today's deal" if day == store.today() else f"deal of {day // 10000}-{day // 100 % 100:02}-{day % 100:02}"


def describe_day(day: int, outcome: str | None) -> str:
    """Return the name of a day's deal, and the outcome of its row, if there is one."""
    return f"{name_of_day(day)}, {RESULTS[Outcome(outcome)]}" if outcome else name_of_day(day)


def outcomes_of(day: int, has_options: bool = True) -> dict[str, Outcome]:
    """Return the outcomes of a day's deals that were played, keyed by game, with or without its options; if there were
    several tries, the best outcome. Empty if the store cannot be read. day: its number."""
    with contextlib.suppress(OSError):
        rows = store.find_of_day(day)
        rows.sort(key=lambda row: [*Outcome].index(row.outcome), reverse=True)
        return {row.game if has_options else row.game.split()[0]: row.outcome for row in rows}
    return {}
