"""Decide Montana's deals with montana.cpp, and write them as `tools.odds count` does.

    python -m tools.research.montana FILE [--deals N] [--positions N] [--jobs N]

Each win is replayed in the game. Deals that are already in FILE are skipped. Deals that stay undecided are left out;
`python -m tools.odds count "montana --shuffles 0" --time 60 --csv FILE` adds those that its beams win within 60 s each.
Then `python -m tools.odds table FILE` updates the row.
"""

import csv
import functools
import random
import subprocess
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

import montana
from tools.odds import Row, read_rows
from patience.solvers import montana as solver, montana_blocks
from patience.solvers.montana_open import as_moves, open_up
from patience.solvers.search import UNKNOWN, WON

SOURCE = Path(__file__).with_suffix(".cpp")
NAME = "montana --shuffles 0"


def compile_search(folder):
    """Return the path of the compiled search, in a folder."""
    program = Path(folder, "montana")
    subprocess.run(["g++", "-O2", "-std=c++17", "-o", program, SOURCE], check=True)
    return program


def tableau_of(number):
    """Return the tableau of the deal with this number."""
    random.seed(number)
    return montana.initialize()


def decide(program, positions, number):
    """Return the Row of a deal. Raises AssertionError if the game refuses a win."""
    cells, key = open_up(solver.position(tableau_of(number)))
    start = time.monotonic()
    line = " ".join(map(str, [number, *cells]))
    done = subprocess.run([program, str(positions)], input=line, capture_output=True, encoding="utf-8", check=True)
    _, verdict, count, *way = done.stdout.split()
    moves = replay(number, (cells, key), list(map(int, way))) if verdict == WON else 0
    return Row(NAME, number, verdict, moves, int(count), round(time.monotonic() - start, 4))


def replay(number, position, way):
    """Play the moves of a win in the game; return how many there are. way: the number of the step to take each time,
    from 0."""
    start, steps = position, []
    for choice in way:
        step, position = montana_blocks.steps_from(position)[choice]
        steps.append(step)
    tableau = tableau_of(number)
    places = as_moves(solver.position(tableau), montana_blocks.as_single_moves(start, steps))
    for move in solver.as_moves(places):
        assert montana.move(tableau, *(place - 1 for place in move[1:])), (number, move)
    assert montana.check_win(tableau), number
    return len(places)


@click.command(help=f"\b\n{__doc__}")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--deals", default=600)
@click.option("--positions", default=20_000_000)
@click.option("--jobs", default=1)
def main(file, deals, positions, jobs):
    known = read_rows(file, NAME)
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(jobs) as pool:
        program = compile_search(folder)
        left = [number for number in range(deals) if number not in known]
        for row in pool.map(functools.partial(decide, program, positions), left):
            click.echo(f"{row.seed} {row.verdict} {row.positions:,}")
            if row.verdict != UNKNOWN:
                with open(file, "a", encoding="utf-8", newline="") as table:
                    csv.writer(table, lineterminator="\n").writerow(row)


if __name__ == "__main__":
    main()
