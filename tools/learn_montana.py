"""Learn the weights of patience/solvers/montana_worth.py, and write patience/solvers/montana_table.txt.

    python -m tools.learn_montana patience/solvers/montana_table.txt

The solver's beam plays deals. If it wins, each position on the way to the win is compared with others of the same level
that the beam kept. The weights are changed until the winning position is chosen as often as possible: its chance of
being chosen is the softmax of the scores, and the logarithm of that chance is raised step by step. The first deals are
played with weights made by hand, BY_HAND. The weights learned from them play the deals of the next round, with wider
beams: the wins of these beams are harder to find and teach more. Deals, samples and steps follow from one seed, and a
game is limited by positions, not by time, so the table is always the same. It takes some twenty minutes on four cores.
"""

import concurrent.futures
import math
import random
import sys
from array import array
from collections import defaultdict
from types import SimpleNamespace

import click

import montana
from patience.solvers.montana import FIRST, after, beam, fronts_of, position
from patience.solvers.montana_open import BLANK, KING, LAST, ROW, TWO, TWOS
from patience.solvers.montana_worth import CARDS, ENDS, worth_of
from patience.solvers.search import Limits, OutOfLimits, without_collector

SEED = 231
# A round: deals, the beams that play them, one after the other, and the positions that a game may take.
ROUNDS = ((1000, (60, 250), 80_000), (2000, (60, 250), 80_000), (2000, (700,), None), (6000, (700,), None))
FIRST_DEAL = 1_000_000  # the deal numbers begin here, far from those tried elsewhere
OTHERS = 15  # how many positions of a level a winning one is compared with
FEWEST = 4  # a level with fewer positions teaches nothing
EPOCHS = 8
RATE = 0.15  # how far a weight moves at first
LONGEST = 14  # chains of this length or more are worth the same
END_NAMES = ("edge", "king", "blank")

# place: a card counts less the further it is from the column it belongs to. step: cards in order.
BY_HAND = SimpleNamespace(
    PLACE={rank: [-12 * abs(column - rank + TWO) for column in range(ROW - 1)] for rank in range(TWO, KING + 1)},
    OWN_ROW={rank: [0] * (ROW - 1) for rank in range(TWO, KING + 1)},
    OTHER_ROW={rank: [0] * (ROW - 1) for rank in range(TWO, KING + 1)},
    STEP={1: 300},
    FINISHED=[600 * count for count in range(KING)],
    BLANK_CHAIN={
        "edge": [700 + 100 * length for length in range(LONGEST)],
        "king": [100 * length - 1000 for length in range(LONGEST)],
        "blank": [100 * length - 1000 for length in range(LONGEST)],
    },
    TWO_CHAIN={end: [0] * LONGEST for end in END_NAMES},
)

ABOUT_THE_TABLE = """\
# The weights for the score in montana.py, in hundredths, as learned by tools/learn_montana.py.
# Do not edit: run that program again.
{"""
COMMENTS = {
    "PLACE": "What a card is worth by its rank (2 to 13) and its column (first to thirteenth).",
    "OWN_ROW": "What the card is worth in addition in a row begun by the 2 of its suit.",
    "OTHER_ROW": "The same in a row begun by another 2.",
    "STEP": "Two neighbours of one suit, by how much higher the rank of the right one is.",
    "FINISHED": "A row by the number of its cards in sequence from the left.",
    "BLANK_CHAIN": "A chain that a blank opens, by what it ends after and by its length from 0 on.",
    "TWO_CHAIN": "The same for a chain that a 2 opens when it goes to the edge.",
}


def parts(cells):
    """Return the parts of a position's score as a list of (name, row, entry) from the table."""
    found = [("FINISHED", 0, place % ROW - 1) for place in fronts_of(cells)]
    for place, card in enumerate(cells):
        if card == BLANK:
            found.append(chain(cells, place, "BLANK_CHAIN"))
        elif card in CARDS:
            found.append(("PLACE", card // 4, place % ROW - 1))
            first = cells[FIRST[place]]
            if first in TWOS and place != FIRST[place]:
                name = "OWN_ROW" if first % 4 == card % 4 else "OTHER_ROW"
                found.append((name, card // 4, place % ROW - 1))
            left = cells[place - 1]
            if left in CARDS and left % 4 == card % 4:
                found.append(("STEP", 0, (card - left) // 4))
            if card in TWOS:
                found.append(chain(cells, place, "TWO_CHAIN"))
    return found


def chain(cells, place, name):
    """Return the part of the table for the chain that begins at a place."""
    length = 0
    while cells[place - 1] < LAST:
        place = cells.find(cells[place - 1] + 4)
        length += 1
    return name, ENDS.get(cells[place - 1], "king"), min(length, LONGEST - 1)


def play(task):
    """Play one deal; return a list of levels, each a list of positions, with the one on the way to the win first."""
    deal, table, widths, positions = task
    rng = random.Random(deal)
    random.seed(deal)
    start = position(montana.initialize())
    limits = Limits(None, positions)
    worth = worth_of(table)
    with without_collector():
        for width in widths:
            levels = []
            try:
                path = beam(start, width, worth, limits, levels)
            except OutOfLimits:
                return []
            if path:
                return list(samples(start, path, levels, rng))
    return []


def samples(start, path, levels, rng):
    """For every level but the first, yield the position on the path, and some others."""
    on_path = {start}
    cells = start
    for step in path:
        cells = after(cells, *step)
        on_path.add(cells)
    for level in levels[1:]:
        ours = [cells for cells in level if cells in on_path]
        others = [cells for cells in level if cells not in on_path]
        if len(others) >= FEWEST:
            yield ours + rng.sample(others, min(OTHERS, len(others)))


def learn(levels, rng):
    """Return the table that makes the first position of each level most likely to be chosen."""
    numbers = {}
    rows_of = [
        [array("H", [numbers.setdefault(part, len(numbers)) for part in parts(cells)]) for cells in level]
        for level in levels
    ]
    weights = [0.0] * len(numbers)
    squares = [1e-8] * len(numbers)  # of all gradients so far: a weight that has moved a lot moves less
    for _ in range(EPOCHS):
        rng.shuffle(rows_of)
        for rows in rows_of:
            scores = [sum(map(weights.__getitem__, row)) for row in rows]
            best = max(scores)
            chances = [math.exp(score - best) for score in scores]
            total = sum(chances)
            gradient = defaultdict(float)
            for number in rows[0]:
                gradient[number] += 1.0
            for row, chance in zip(rows, chances):
                for number in row:
                    gradient[number] -= chance / total
            for number, amount in gradient.items():
                squares[number] += amount * amount
                weights[number] += RATE * amount / math.sqrt(squares[number])
    return as_table({part: round(100 * weights[number]) for part, number in numbers.items()})


def as_table(weights):
    """Return weights by part as a table with the names that worth_of reads."""
    return SimpleNamespace(
        **{
            name: {
                rank: [weights.get((name, rank, column), 0) for column in range(ROW - 1)]
                for rank in range(TWO, KING + 1)
            }
            for name in ("PLACE", "OWN_ROW", "OTHER_ROW")
        },
        STEP={step: weights.get(("STEP", 0, step), 0) for step in range(TWO - KING, KING - TWO + 1) if step},
        FINISHED=[weights.get(("FINISHED", 0, count), 0) for count in range(KING)],
        **{
            name: {end: [weights.get((name, end, length), 0) for length in range(LONGEST)] for end in END_NAMES}
            for name in ("BLANK_CHAIN", "TWO_CHAIN")
        },
    )


def as_text(table):
    """Return the text of a file that holds a table: a Python literal."""
    lines = [ABOUT_THE_TABLE]
    for name, comment in COMMENTS.items():
        value = getattr(table, name)
        lines += ["", f"# {comment}"]
        if isinstance(value, dict):
            lines += [f"{name!r}: {{", *(f"    {key!r}: {entry}," for key, entry in value.items()), "},"]
        else:
            lines.append(f"{name!r}: {value},")
    return "\n".join([*lines, "}"]).replace("'", '"') + "\n"


def main(path, rounds=ROUNDS):
    """Play and learn round by round, and write the last table to a file. Raises OSError."""
    rng = random.Random(SEED)
    table = BY_HAND
    first = FIRST_DEAL
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for deals, widths, positions in rounds:
            tasks = [(deal, table, widths, positions) for deal in range(first, first + deals)]
            games = [game for game in pool.map(play, tasks, chunksize=4) if game]
            print(f"{len(games)} of {deals} deals won", file=sys.stderr, flush=True)
            table = learn([level for game in games for level in game], rng)
            first += deals
    with open(path, "w", encoding="utf-8") as file:
        file.write(as_text(table))


def command_of(learn, text):
    """Return a command that learns a table and writes it to a file. learn: a function of the path. text: its help."""

    @click.command(help=f"\b\n{text}")
    @click.argument("path", type=click.Path(dir_okay=False, writable=True))
    def command(path):
        try:
            with open(path, "a", encoding="utf-8"):  # if it cannot be written, that is said before anything is learned
                pass
            learn(path)
        except OSError as error:
            raise click.UsageError(f"{path}: {error.strerror}") from None

    return command


if __name__ == "__main__":
    command_of(main, __doc__)()
