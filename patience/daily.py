"""The deal of the day: its number, and what else can be dealt on that day."""

import itertools
import time


def todays_number():
    """Return the number of today's deal: 20261122."""
    return int(time.strftime("%Y%m%d"))


def numbers(day):
    """Yield the numbers that can be those of a day's deal: its own, and then others of that day alone."""
    yield day
    yield from itertools.count(1000 * day + 1)


def is_of_the_day(number, day):
    """Return True if a deal's number is one of those of a day."""
    return number is not None and day in (number, number // 1000)
