"""Search lost deals of Montana again, comparing whole positions instead of 64-bit keys, because two keys could be
equal.

    python -m tools.confirm_lost FILE [COUNT]

FILE was written by `python -m tools.odds count "montana --shuffles 0" --csv FILE`. The tool searches the lost deals
that took the fewest positions, 20 unless COUNT is given. Each search may take all the memory there is: up to a gigabyte
for every five million positions.

No certificate of a loss could be checked without a search: it would be the set of all positions, up to 187 million, and
the check would have to try every step from each of them, which is the search itself.
"""

import random
import sys

import click

import montana
from tools.odds import read_rows
from patience.solvers import search
from patience.solvers.montana import look_everywhere, position
from patience.solvers.search import LOST, Keys, Limits, without_collector


@click.command(help=f"\b\n{__doc__}")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.argument("count", type=click.IntRange(1), default=20)
def main(file, count):
    search.MAX_BLOCKS = sys.maxsize
    lost = sorted((row for row in read_rows(file).values() if row.verdict == LOST), key=lambda row: row.positions)
    for row in lost[:count]:
        random.seed(row.seed)
        with without_collector():
            way, complete = look_everywhere(position(montana.initialize()), None, Limits(None), Keys())
        print(row.seed, "lost" if complete and way is None else "WON", f"{row.positions:,} positions", flush=True)


if __name__ == "__main__":
    main()
