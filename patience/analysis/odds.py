"""The odds command: how many deals can be won, and its CSV file."""

from __future__ import annotations

import csv
import functools
import io
import math
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import click

import patience
from patience import ExitStatus, rules
from patience.analysis import Z_95, hints
from patience.analysis.solve import STATUS, results, solve
from patience.decks import Deal
from patience.game import Game
from patience.options import progress_bar
from patience.text import error_text, printable
from solvers import general
from solvers.search import LOST, UNKNOWN, WON


class Row(NamedTuple):
    """A deal."""

    game: str  # its name, with its options
    seed: int
    verdict: str
    commands: int
    positions: int  # that the solver looked at, or hints that were computed
    seconds: float


TYPES: tuple[Callable[[str], Any], ...] = str, int, str, int, int, float
MAX_TABLE = 1 << 26  # characters, for a million deals
BY_HINTS = " --hints"  # follows the name of a game that was played by hints


def compute_row(name: str, options: dict[str, str], seconds: float, by_hints: bool, seed: int) -> Row:
    """Solve the deal with this number, or play it by its hints; return its Row. name: the name of the game's module."""
    game = Game(Deal(rules.load(name), options, seed), records_history=by_hints)
    if by_hints:
        won, taken = hints.follow_hints(game)
        fields = WON if won else LOST, len(game.commands), len(taken), round(sum(taken), 4)
    else:
        start = time.process_time()
        answer = solve(game, seconds)
        fields = answer.verdict, len(answer.moves), answer.positions, round(time.process_time() - start, 4)
    return Row(game.deal.name() + BY_HINTS * by_hints, seed, *fields)


def print_odds(
    deal: Deal, count: int, jobs: int, file: str | None, seconds: float, by_hints: bool = False
) -> ExitStatus:
    """Solve this many deals, starting with the deal's number, and print how many can be won.

    file: a CSV file for the rows, or None; deals already in it are not solved again. by_hints: play by the hints
    instead of solving. Returns the exit status.
    """
    deals = range(deal.number or 0, (deal.number or 0) + count)
    name = deal.name() + BY_HINTS * by_hints
    solve_deal = functools.partial(compute_row, deal.rules.name, deal.options, seconds, by_hints)
    status, failure = patience.ExitStatus.DONE, None
    if not general.solver_of(deal.rules, deal.options):
        each = "played by a plain player" if by_hints else f"up to {seconds:g} s a deal"
        click.echo(f"{name} has no solver of its own: {each}.", err=True)
    rows = {seed: row for seed, row in (read_rows(file, name) if file else {}).items() if seed in deals}
    with progress_bar(count - len(rows), name) as bar:
        try:
            for row in results(solve_deal, (seed for seed in deals if seed not in rows), jobs):
                rows[row.seed] = row
                if file:
                    with open(file, "a", encoding="utf-8", newline="") as table:
                        csv.writer(table, lineterminator="\n").writerow(row)
                bar.update(1)
        except (KeyboardInterrupt, patience.Ended):
            status = patience.ExitStatus.INTERRUPTED
        except MemoryError:
            failure = click.ClickException("There is not enough memory.")
        except OSError as error:
            failure = click.ClickException(f"{printable(file)}: {error_text(error)}.")
    print_summary(list(rows.values()), by_hints)
    if failure:
        raise failure
    return status


def read_rows(file: str, name: str | None = None) -> dict[int, Row]:
    """Return the Rows of a CSV file by deal number; drop an incomplete last line. A missing file is created with its
    heading. name: the game's, or None for any. Raises click.UsageError if it is another kind of file, or belongs to
    another game."""
    try:
        if not os.path.exists(file) or not os.path.getsize(file):
            with open(file, "w", encoding="utf-8", newline="") as table:
                csv.writer(table, lineterminator="\n").writerow(Row._fields)
        with open(file, "r+", encoding="utf-8-sig", newline="") as table:
            text = table.read(MAX_TABLE + 1)
            if len(text) > MAX_TABLE:
                raise ValueError
            whole = text[: text.rfind("\n") + 1]
            heading, *lines = csv.reader(io.StringIO(whole))
            rows = [
                Row._make(convert(cell) for convert, cell in zip(TYPES, line, strict=True)) for line in lines if line
            ]
            if tuple(heading) != Row._fields or not all(map(is_possible, rows)):
                raise ValueError
            other_games = {row.game for row in rows} - {name}
            if whole != text and not other_games:
                table.truncate(len(whole.encode()))
    except OSError as error:
        raise click.UsageError(f"{printable(file)}: {error_text(error)}.") from None
    except (ValueError, csv.Error):
        raise click.UsageError(f"{printable(file)}: it was not written by --csv.") from None
    if other_games and name:
        raise click.UsageError(f"{printable(file)}: it has deals of {printable(', '.join(sorted(other_games)))}.")
    return {row.seed: row for row in rows}


def is_possible(row: Row) -> bool:
    """Return True if this program could have written the row."""
    return row.verdict in STATUS and bool(row.game.strip()) and 0 <= row.seconds < math.inf


def print_summary(rows: list[Row], by_hints: bool = False) -> None:
    """Print how many deals were won, lost and undecided, or won by following the hints, and how long it took."""
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


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the ends of Wilson's interval for the chance of a hit."""
    share, spread = hits / count, Z_95**2 / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
