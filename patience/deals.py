"""Deals that are chosen: those that can be won, and those of a level."""

import itertools
import sys
from collections import Counter

import click

from patience import levels, solve
from patience.lines import Refused
from patience.rules import count_of
from patience.sitting import Sitting
from solvers.positions import chance_kept
from solvers.search import LOST, UNKNOWN

MOST_DEALS = 1_000  # that are tried
LOOKING = "Looking for a deal ..."
NOT_WON = {LOST: "that cannot be won", UNKNOWN: "that could not be decided"}


class Chosen(Sitting):
    """A sitting whose fresh deals are such as the player wants."""

    def __init__(self, winnable, level, seconds, *args):
        """winnable: True for deals that the solver wins. level: one of levels.LEVELS, or None. seconds: for the solver,
        for each deal; with None it has a limit in positions, and the deals are the same on every machine."""
        super().__init__(*args)
        self.winnable, self.level, self.seconds = winnable, level, seconds
        self.chosen = None  # the number of the last deal that was chosen

    def fresh_number(self):
        """Return the number of a fresh deal. Raises Refused as choose does."""
        return self.choose(iter(super().fresh_number, None))

    def about_deal(self):
        """Return the level, if the deal in hand was chosen by it."""
        return f"Level: {self.level}." if self.level and self.number == self.chosen else ""

    def choose(self, numbers):
        """Return the first number whose deal is wanted; at a terminal tell how many were skipped. Raises Refused after
        MOST_DEALS."""
        at_terminal = sys.stderr and sys.stderr.isatty()
        if at_terminal:
            click.echo(LOOKING, err=True)
        skipped = Counter()
        for self.chosen in itertools.islice(numbers, MOST_DEALS):
            trial = Sitting(self.rules, self.options, self.chosen, self.deck)
            with chance_kept():
                trial.deal()
            reason = self.not_wanted(trial)
            if not reason:
                if skipped and at_terminal:
                    click.echo(f"Skipped {told(skipped)}.", err=True)
                return self.chosen
            skipped[reason] += 1
        raise Refused(f"No such deal found: tried {told(skipped)}.")

    def choose_for_day(self, day):
        """Return the number of the first deal of a day that is wanted, the same on every machine."""
        from patience import results  # 5 ms

        self.seconds = None
        return self.choose(results.numbers_of(day))

    def not_wanted(self, trial):
        """Return what sort of deals this one belongs to that are not wanted, in words, or ""."""
        if self.level and levels.level(levels.played(trial), levels.limits_of(self.rules, self.options)) != self.level:
            return f"that are not {self.level}"
        if self.winnable:
            limit = solve.POSITIONS if self.seconds is None else None
            return NOT_WON.get(solve.solve(trial, self.seconds, limit).verdict, "")
        return ""


def told(skipped):
    """Return how many deals of each sort were skipped, in words. skipped: a Counter."""
    return " and ".join(f"{count_of(count, 'deal')} {sort}" for sort, count in skipped.items())
