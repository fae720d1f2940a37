"""Deals that can be won."""

import itertools
import sys
from collections import Counter

import click

from patience.advice import solve
from patience.game.grammar import Refused
from patience.game.text import count_of
from patience.game.sitting import Sitting
from solvers.positions import chance_kept
from solvers.search import LOST, UNKNOWN, WON

MOST_DEALS = 1_000  # that are tried
LOOKING = "Looking for a deal ..."
NOT_WON = {LOST: "that cannot be won", UNKNOWN: "that could not be decided"}


class Winnable(Sitting):
    """A sitting whose fresh deals can be won."""

    def __init__(self, seconds, *args):
        """seconds: for the solver, for each deal; with None it has a limit in positions, and the deals are the same on
        every machine."""
        super().__init__(*args)
        self.seconds = seconds

    def fresh_number(self):
        """Return the number of a fresh deal. Raises Refused as choose does."""
        return self.choose(iter(super().fresh_number, None))

    def choose(self, numbers):
        """Return the first number whose deal the solver wins; at a terminal tell how many were skipped. Raises Refused
        after MOST_DEALS."""
        at_terminal = sys.stderr and sys.stderr.isatty()
        if at_terminal:
            click.echo(LOOKING, err=True)
        limit = solve.POSITIONS if self.seconds is None else None
        skipped = Counter()
        for number in itertools.islice(numbers, MOST_DEALS):
            trial = Sitting(self.rules, self.options, number, self.deck)
            with chance_kept():
                trial.deal()
            verdict = solve.solve(trial, self.seconds, limit).verdict
            if verdict == WON:
                if skipped and at_terminal:
                    click.echo(f"Skipped {told(skipped)}.", err=True)
                return number
            skipped[verdict] += 1
        raise Refused(f"No such deal found: tried {told(skipped)}.")


def told(skipped):
    """Return how many deals of each verdict were skipped, in words. skipped: a Counter."""
    return " and ".join(f"{count_of(count, 'deal')} {NOT_WON[verdict]}" for verdict, count in skipped.items())
