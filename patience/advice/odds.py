"""The command odds: how many of many deals can be won, and its CSV file."""

import contextlib
import csv
import functools
import io
import math
import statistics
import sys
import time
from collections import namedtuple

import click

import patience
from patience.advice import hints
from patience.game import rules
from patience.game.text import error_text, printable
from patience.advice.processes import results
from patience.game.files import lock, must_be_file
from patience.game.sitting import Sitting
from patience.advice.solve import STATUS, solve
from solvers import general
from solvers.search import LOST, UNKNOWN, WON

# A deal. positions: those that the solver looked at, or the number of hints.
Row = namedtuple("Row", "game seed verdict commands positions seconds")
BY_HINTS = " --hints"  # follows the name of a game that was played by hints
HEADING = ",".join(Row._fields) + "\n"
Z_95 = 1.959964  # of the normal distribution, for an interval of 95 %


def row_of(name, options, seconds, by_hints, seed):
    """Solve the deal with this number, or play it by its hints; return its Row. name: of the game's module."""
    sitting = Sitting(rules.load(name), options, seed)
    sitting.deal()
    if by_hints:
        won, taken = hints.follow(sitting)
        found = WON if won else LOST, len(sitting.done), len(taken), round(sum(taken), 4)
    else:
        start = time.process_time()
        answer = solve(sitting, seconds)
        found = answer.verdict, len(answer.moves), answer.positions, round(time.process_time() - start, 4)
    return Row(sitting.name() + BY_HINTS * by_hints, seed, *found)


def print_odds(sitting, count, jobs, file, seconds, by_hints=False):
    """Solve this many deals, from the sitting's number on, and print how many can be won.

    file: a CSV file for the rows, or None; deals that are in it already are not solved again. by_hints: play by the
    hints instead of solving. Returns the exit status.
    """
    first = sitting.seed or 0
    deals = range(first, first + count)
    name = sitting.name() + BY_HINTS * by_hints
    work = functools.partial(row_of, sitting.rules.name, sitting.options, seconds, by_hints)
    status, failed = 0, None
    if not general.solver_of(sitting.rules, sitting.options):
        each = "played by a plain player" if by_hints else f"up to {seconds:g} s a deal"
        click.echo(f"{name} has no solver of its own: {each}.", err=True)
    with (
        opened(file, name, deals) as (table, rows),
        click.progressbar(length=count - len(rows), label=name, file=sys.stderr) as bar,
    ):
        try:
            for row in results(work, (seed for seed in deals if seed not in rows), jobs):
                rows[row.seed] = row
                if table:
                    add_row(table, row)
                bar.update(1)
        except KeyboardInterrupt:
            status = patience.INTERRUPTED
        except MemoryError:
            failed = click.ClickException("There is not enough memory.")
    print_summary(list(rows.values()), by_hints)
    if failed:
        raise failed
    return status


@contextlib.contextmanager
def opened(file, name, deals):
    """Give a CSV file, open to add rows and locked, and its rows for these deals, by number; create the file if there
    is none. Without a file give None and no rows.

    Raises click.UsageError if it is another kind of file, or of another game; then it stays as it was. A last row
    that was cut off is removed.
    """
    if not file:
        yield None, {}
        return
    with contextlib.ExitStack() as stack:
        try:
            must_be_file(file)
            table = stack.enter_context(open(file, "a+", encoding="utf-8", errors="surrogateescape", newline=""))
            lock(table)
            rows = read_rows(table, name)
        except (OSError, ValueError) as error:
            raise click.UsageError(f"{printable(file)}: {error_text(error).rstrip('.')}.") from None
        yield table, {seed: row for seed, row in rows.items() if seed in deals}


def read_rows(table, name):
    """Return the rows of a CSV file that is open, by number; remove a last one that was cut off, and write the heading
    of an empty file. Raises ValueError with a sentence if it is another file."""
    table.seek(0)
    text = table.read()
    whole = text[: text.rfind("\n") + 1]
    rows = rows_of(whole if whole or not HEADING.startswith(text) else HEADING)
    others = {row.game for row in rows.values()} - {name}
    if others:
        raise ValueError(f"it has deals of {printable(', '.join(sorted(others)))}.")
    if whole != text:
        table.truncate(len(whole.encode()))
    if not whole:
        table.write(HEADING)
        table.flush()
    return rows


def rows_of(text):
    """Return the Rows of a CSV file's text, by number. Raises ValueError if it is another file."""
    rows, reader = {}, csv.reader(io.StringIO(text))
    try:
        if tuple(next(reader)) != Row._fields:
            raise ValueError
        for game, seed, verdict, commands, positions, seconds in filter(None, reader):
            row = Row(sys.intern(game), int(seed), sys.intern(verdict), int(commands), int(positions), float(seconds))
            if verdict not in STATUS or not game.strip() or not 0 <= row.seconds < math.inf:
                raise ValueError
            rows[row.seed] = row
    except (ValueError, StopIteration, csv.Error):  # no such file, or not text
        raise ValueError("it was not written by --csv.") from None
    return rows


def add_row(table, row):
    """Add a row to a CSV file that is open. Raises click.ClickException if it cannot be written."""
    try:
        csv.writer(table, lineterminator="\n").writerow(row)
        table.flush()
    except OSError as error:
        with contextlib.suppress(OSError):
            table.close()
        raise click.ClickException(f"{printable(table.name)}: {error.strerror}.") from None


def print_summary(rows, by_hints=False):
    """Print how many deals were won, lost and undecided, or won by following the hints, and what that took."""
    count = len(rows)
    if not count:
        click.echo("No deal was decided.")
        return
    number = {verdict: sum(row.verdict == verdict for row in rows) for verdict in STATUS}
    low, high = wilson(number[WON], count)[0], wilson(number[WON] + number[UNKNOWN], count)[1]
    if by_hints:
        computed, seconds = (sum(column) for column in zip(*((row.positions, row.seconds) for row in rows)))
        click.echo(f"deals {count}: won by hints {number[WON]}")
        click.echo(f"chance to win by hints: {low:.1%} to {high:.1%} (95 %)")
        each = seconds / max(1, computed)
        click.echo(f"mean {each:.3f} s per computed hint, {computed / count:.0f} computed hints per game")
        return
    click.echo(f"deals {count}: won {number[WON]}, lost {number[LOST]}, unknown {number[UNKNOWN]}")
    click.echo(f"chance of a winnable deal: {low:.1%} to {high:.1%} (95 %)")
    for column, unit in (("seconds", "{:.3f} s"), ("positions", "{:,.0f} positions")):
        values = sorted(getattr(row, column) for row in rows)
        middle, most = statistics.median(values), values[math.ceil(0.95 * count) - 1]
        click.echo(f"median {unit.format(middle)}, 95th percentile {unit.format(most)}")


def wilson(hits, count):
    """Return the ends of Wilson's interval for the chance of a hit."""
    share, spread = hits / count, Z_95**2 / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
