"""The deal of the day: its number, and which were won."""

import contextlib
import datetime
import itertools
from collections import Counter

from patience.game.files import application_folder
from patience.game.text import count_of
from patience.records.results import played_games

WEEKS = 4  # that stats daily shows


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
    for result in played_games(folder):
        if result.deal is not None and result.kind in ("won", "hinted"):
            won.update(days_of(result.deal))
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


def told_of(sitting):
    """Return what the status line says if a sitting has today's deal, or ""."""
    if not is_of_the_day(sitting.number, todays_number()):
        return ""
    return "today's deal" + (", won" if sitting.rules.name in won_today(application_folder()) else "")


def won_today(folder):
    """Return the names of the games whose deal of the day was won, or solved; none if the database cannot be read."""
    with contextlib.suppress(OSError):
        today = todays_number()
        return {
            result.game.split()[0]
            for result in played_games(folder)
            if result.won == 1 and is_of_the_day(result.deal, today)
        }
    return set()
