"""The deal of the day: its number, and on which days it was won."""

import contextlib
import datetime
import itertools
from collections import Counter

from patience.records import store
from patience.text import count_of

WEEKS = 4  # shown by stats daily
MAX_TRIED = 999  # extra numbers of a day, besides its own


def number_of(day):
    """Return the number of the deal of a day, a date: 20261122."""
    return int(day.strftime("%Y%m%d"))


def todays_number():
    """Return the number of today's deal."""
    return number_of(datetime.date.today())


def numbers_of(number):
    """Yield the numbers that a day's deals can have: the day's own, then extra ones that no other day has."""
    yield number
    yield from (1000 * number + extra for extra in range(1, MAX_TRIED + 1))


def is_of_the_day(number, day):
    """Return True if the number of a deal belongs to the day with this number."""
    return number is not None and day in (number, number // 1000)


def count_wins_by_day():
    """Count the deals of the day that were won on their own day without the solver. Return number of the day -> count.
    Raises OSError."""
    won = Counter()
    for saved in store.find("state = 'won' AND NOT solved"):
        day = number_of(datetime.date.fromtimestamp(saved.changed))
        won[day] += is_of_the_day(saved.number, day)
    return won


def calendar(is_spoken=False):
    """Return a text calendar of the deals of the day won in the last weeks, or a sentence to be spoken, and the streak
    of days. Raises OSError."""
    today, won = datetime.date.today(), count_wins_by_day()
    monday = today - datetime.timedelta(today.weekday() + 7 * (WEEKS - 1))
    lines = [" " * 8 + "".join(f"{name:>4}" for name in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))]
    for week in range(WEEKS):
        days = [monday + datetime.timedelta(7 * week + day) for day in range(7)]
        cells = ["" if day > today else str(won[number_of(day)] or "-") for day in days]
        lines.append(f"{days[0].day:>2} {days[0]:%b}  " + "".join(f"{cell:>4}" for cell in cells).rstrip())
    first = today if won[number_of(today)] else today - datetime.timedelta(1)
    streak = next(count for count in itertools.count() if not won[number_of(first - datetime.timedelta(count))])
    if is_spoken:
        days = [today - datetime.timedelta(back) for back in range(7 * WEEKS)]
        lines = [f"Won on: {', '.join(f'{day.day} {day:%B}' for day in days if won[number_of(day)]) or 'no day yet'}."]
    return "\n".join([*lines, f"Streak: {count_of(streak, 'day')} with a deal of the day won."])


def message(deal):
    """Return the status line's text if this is today's deal, or ""."""
    if not is_of_the_day(deal.number, todays_number()):
        return ""
    return "today's deal" + (", won" if deal.rules.name in won_today() else "")


def won_today():
    """Return the names of the games whose deal of the day was won today; none if the store cannot be read."""
    with contextlib.suppress(OSError):
        today = todays_number()
        won = [saved for saved in store.find("state = 'won'") if is_of_the_day(saved.number, today)]
        return {saved.game.split()[0] for saved in won}
    return set()
