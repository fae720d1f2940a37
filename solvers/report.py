"""What --solve and --odds print, and the word solve says: the solvers' answers, for people.

main.py imports this only where an answer is asked for.
"""

import copy
import csv
import functools
import importlib
import importlib.util
import itertools
import math
import multiprocessing
import os
import random
import signal
import statistics
import threading
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import click

import session
from patience.lines import write
from solvers.search import LOST, UNKNOWN, WON, Answer

INTERRUPTED = 130
STATUS = {WON: 0, LOST: 1, UNKNOWN: 3}
COLUMNS = ("game", "seed", "verdict", "commands", "positions", "seconds")
HEADING = ",".join(COLUMNS) + "\n"
Z_95 = 1.959964  # of the normal distribution, for an interval of 95 %


def solver_of(rules, options):
    """Return the solver's module for a game's module with these options, or None if it has none yet."""
    name = f"solvers.{rules.__name__}"
    solver = importlib.import_module(name) if importlib.util.find_spec(name) else None
    if not solver or any(choice not in solver.OPTIONS.get(option, ()) for option, choice in options.items()):
        return None
    return solver


def solve(sitting, seconds):
    """Return the solver's Answer for the game in hand. If the game refuses what is said to win, the
    answer is UNKNOWN."""
    answer = solver_of(sitting.rules, sitting.options).solve(sitting.game, seconds)
    if answer.verdict == WON and not wins(sitting, answer.moves):
        return Answer(UNKNOWN, [], answer.positions)
    return answer


def wins(sitting, moves):
    """Return True if the moves win the game in hand, by the game's own rules. It is not changed."""
    rules, game = sitting.rules, copy.deepcopy(sitting.game)
    return all(rules.move(game, *move) for move in moves) and rules.check_win(game)


def about(solver):
    """Return what a verdict is about, if it leaves something out: " without a shuffle"."""
    return getattr(solver, "ABOUT", "")


# One position


def print_solution(sitting, lines, seconds):
    """Print the script that wins: its journal line, the lines played so far, and the solution.

    Returns the exit status.
    """
    solver = solver_of(sitting.rules, sitting.options)
    answer = solve(sitting, seconds)
    count = f"{answer.positions:,} positions"
    solution = [write(sitting.rules, move) for move in answer.moves]
    click.echo("\n".join([f"# {session.how_to_deal(sitting)}", *lines, *solution]))
    if answer.verdict == WON:
        click.echo(f"# won: {len(answer.moves)} commands, {count}")
    elif answer.verdict == LOST:
        click.echo(f"# lost: no way to win{about(solver)}, all {count} searched")
    else:
        click.echo(f"# unknown: not decided{about(solver)} in {seconds:g} seconds, {count}")
    return STATUS[answer.verdict]


def what_can_be_done(sitting, shown, seconds):
    """Return what the word solve says of the game in hand.

    shown: how many commands of a solution to tell, or None for the first one only.
    """
    solver = solver_of(sitting.rules, sitting.options)
    if not solver:
        return "There is no solver for this game yet."
    answer = solve(sitting, seconds)
    if answer.verdict == WON:
        return say_won(sitting.rules, answer.moves, shown, about(solver))
    if answer.verdict == UNKNOWN:
        return f"Not decided in {seconds:g} seconds."
    back = way_back(sitting, seconds)
    if not back:
        return f"It could not be won{about(solver)}, from the deal on."
    return f"Cannot be won any more{about(solver)}. undo {back} goes back to where it could."


def say_won(rules, moves, shown, about_what):
    """Return the sentence for a position that can be won."""
    if not moves:
        return "It is won."
    commands = [write(rules, move) for move in moves]
    text = f"Can be won from here{about_what}: {len(commands)} commands, "
    if shown is None:
        return f"{text}the next is {commands[0]}."
    return f"{text}the next are {', '.join(commands[:shown])}."


def way_back(sitting, seconds):
    """Return how many commands to take back to come to the last position that can be won, or 0.

    A lost game stays lost, so the position is found by halving. One that is not decided counts as
    lost. The sitting is not changed, and the stream of random goes on as if nothing had been.
    """
    chance = random.getstate()
    trial = copy.copy(sitting)
    fewest, most = 0, len(sitting.done) + 1  # not won with fewest commands back; with most perhaps
    try:
        while most - fewest > 1:
            middle = (fewest + most) // 2
            session.replay(trial, sitting.done[: len(sitting.done) - middle])
            if solve(trial, seconds).verdict == WON:
                most = middle
            else:
                fewest = middle
    finally:
        random.setstate(chance)
    return most if most <= len(sitting.done) else 0


def is_won(sitting, seconds):
    """Return True if the solver wins the game in hand: for deals that are known to be winnable."""
    return solve(sitting, seconds).verdict == WON


# Many deals


def solve_deal(name, options, seconds, seed):
    """Solve the deal of a number; return its row. name: that of the game's module, for another process."""
    sitting = session.Sitting(importlib.import_module(name), options, seed)
    session.begin(sitting)
    start = time.process_time()
    answer = solve(sitting, seconds)
    name = session.game_and_options(sitting)
    taken = f"{time.process_time() - start:.4f}"
    return dict(zip(COLUMNS, (
        name, seed, answer.verdict, len(answer.moves), answer.positions, taken
    )))


def print_odds(sitting, count, jobs, file, seconds):
    """Solve deals from the sitting's number on, and print how many can be won.

    file: a CSV file for the rows, or None; deals that it has already are not solved again. Returns
    the exit status.
    """
    first = sitting.seed or 0
    name = session.game_and_options(sitting)
    rows = read_rows(file, name, range(first, first + count)) if file else {}
    seeds = [seed for seed in range(first, first + count) if seed not in rows]
    solve = functools.partial(solve_deal, sitting.rules.__name__, sitting.options, seconds)
    status = 0
    with click.progressbar(length=len(seeds), label=name, file=click.get_text_stream("stderr")) as bar:
        try:
            for row in solved(solve, seeds, jobs):
                rows[row["seed"]] = row
                if file:
                    add_row(file, row)
                bar.update(1)
        except KeyboardInterrupt:
            status = INTERRUPTED
    print_summary(list(rows.values()))
    return status


def solved(solve, seeds, jobs):
    """Yield the rows of the deals in order, solved by so many processes."""
    if jobs == 1:
        yield from map(solve, seeds)
        return
    executor = ProcessPoolExecutor(jobs, initializer=begin_worker)
    seeds = iter(seeds)
    try:
        waiting = deque(executor.submit(solve, seed) for seed in itertools.islice(seeds, 4 * jobs))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(executor.submit(solve, seed) for seed in itertools.islice(seeds, 1))
    except BrokenProcessPool:
        raise click.ClickException("A process that solved deals was ended from outside.") from None
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        executor.shutdown()


def begin_worker():
    """Make a process that solves deals end with the program that started it, whatever ends that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program, which ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent():
    """Wait for the end of the program that started this process, and end it."""
    multiprocessing.parent_process().join()
    os._exit(1)


def read_rows(file, name, seeds):
    """Return the rows of a CSV file for these deals, by number; it is made if there is none.

    Raises click.UsageError if it is another file, or of another game; then it stays as it was. A row
    that was cut off at the end of the file is taken away.
    """
    try:
        session.must_be_file(file)
        with open(file, "a+", encoding="utf-8", newline="") as lines:
            lines.seek(0)
            text = lines.read()
            whole = text[: text.rfind("\n") + 1]
            rows = rows_of(whole if whole or not HEADING.startswith(text) else HEADING)
            others = {row["game"] for row in rows.values()} - {name}
            if others:
                raise ValueError(f"it has deals of {', '.join(sorted(others))}.")
            if whole != text:
                lines.truncate(len(whole.encode()))
            if not whole:
                lines.write(HEADING)
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"{file}: it is not a file of --csv.") from None
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from None
    return {seed: rows[seed] for seed in seeds if seed in rows}


def rows_of(text):
    """Return the rows of a CSV file's text, by number. Raises ValueError if it is another file."""
    reader = csv.DictReader(text.splitlines())
    try:
        rows = {int(row["seed"]): {**row, "seed": int(row["seed"])} for row in reader}
        for row in rows.values():
            float(row["seconds"]), int(row["positions"])
            if len(row) != len(COLUMNS) or row["verdict"] not in STATUS:
                raise ValueError
    except (ValueError, TypeError, KeyError, csv.Error):  # no such file, or not text
        rows = None
    if rows is None or tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError("it is not a file of --csv.")
    return rows


def add_row(file, row):
    """Add a row to a CSV file. Raises click.ClickException if it cannot be written."""
    try:
        with open(file, "a", encoding="utf-8", newline="") as lines:
            csv.DictWriter(lines, COLUMNS, lineterminator="\n").writerow(row)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}.") from None


def print_summary(rows):
    """Print how many of the deals were won, lost and not decided, and what that took."""
    count = len(rows)
    if not count:
        click.echo("No deal was decided.")
        return
    number = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in STATUS}
    low, _ = wilson(number[WON], count)
    _, high = wilson(number[WON] + number[UNKNOWN], count)
    click.echo(f"deals {count}: won {number[WON]}, lost {number[LOST]}, unknown {number[UNKNOWN]}")
    click.echo(f"chance of a winnable deal: {low:.1%} to {high:.1%} (95 %)")
    for column, unit in (("seconds", "{:.3f} s"), ("positions", "{:,.0f} positions")):
        values = sorted(float(row[column]) for row in rows)
        middle, most = statistics.median(values), values[math.ceil(0.95 * count) - 1]
        click.echo(f"median {unit.format(middle)}, 95th percentile {unit.format(most)}")


def wilson(hits, count):
    """Return the ends of Wilson's interval for the chance of a hit."""
    share, spread = hits / count, Z_95**2 / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
