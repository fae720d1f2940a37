"""Count how many deals of a game can be won, and make the table of docs/odds.md and the picture docs/odds.svg.

    python -m tools.odds count "klondike --draw 1" --deals 10000 --csv FILE
    python -m tools.odds table [FILE ...]

`count` solves deals, or plays them by the hints, and writes a row for each. `table` adds up the results of each game in
FILEs that `count` has written. The sum replaces the row of that game in docs/odds.csv, with the commit and the day, and
docs/deals.csv gets the numbers of the deals that are lost or undecided, so that anybody can check one. Results for
hints may begin with any deal. Run it from the top of the project.
"""

import contextlib
import csv
import datetime
import functools
import io
import math
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from main import GAMES
from patience import rules, workers
from patience.advice import Z_95, hints
from patience.advice.solve import STATUS, solve
from patience.decks import Deal
from patience.game import Game
from patience.options import FILE, TIME, progress_bar, read_deal
from patience.text import error_text, printable
from patience.solvers.search import LOST, UNKNOWN, WON

TYPES = str, int, str, int, int, float
MAX_TABLE = 1 << 26  # characters, for a million deals
BY_HINTS = " --hints"  # follows the name of a game that was played by hints
FIELDS = "game deals won lost unknown median slowest commit date".split()
# The label beside each game's mark, in this order; a game played by hints shares the line of the game itself.
NAMES = {
    "montana --shuffles 0": "Montana, no shuffle",
    "montana": "Montana, two shuffles",
    "quadzilla --difficulty easy": "Quadzilla, easy",
    "quadzilla": "Quadzilla, normal",
    "quadzilla --difficulty hard": "Quadzilla, hard",
    "desturado": "Desturado, easy",
    "desturado --difficulty medium": "Desturado, medium",
    "desturado --difficulty hard": "Desturado, hard",
    "zodiac": "Zodiac",
    "klondike --draw 1": "Klondike, draw 1",
    "klondike": "Klondike, draw 3",
}
LEFT, WIDTH, LINE, TOP = 190, 500, 26, 34  # pixels: of the scale, the height of a line, the space above the first
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #24292f } .axis { fill: #6e7781; font-size: 12px }
line { stroke: #d0d7de } .solved { fill: #0969da; stroke: #0969da } .hints { fill: #bc4c00; stroke: #bc4c00 }
line.solved, line.hints { stroke-width: 5; stroke-opacity: 0.45 }
@media (prefers-color-scheme: dark) {
  text { fill: #d8d8d8 } .axis { fill: #8a8a8a } line { stroke: #3d444d }
  .solved { fill: #58a6ff; stroke: #58a6ff } .hints { fill: #f0883e; stroke: #f0883e }
}"""


# Counting


class Row(NamedTuple):
    """A deal."""

    game: str  # its name, with its options
    seed: int
    verdict: str
    commands: int
    positions: int  # that the solver looked at, or hints that were computed
    seconds: float


def compute_row(name, options, seconds, by_hints, seed):
    """Solve the deal with this number, or play it by its hints; return its Row. name: the name of the game's module."""
    game = Game(Deal(rules.load(name), options, seed))
    if by_hints:
        won, taken = hints.follow_hints(game)
        fields = WON if won else LOST, len(game.commands), len(taken), round(sum(taken), 4)
    else:
        start = time.process_time()
        answer = solve(game, seconds)
        fields = answer.verdict, len(answer.moves), answer.positions, round(time.process_time() - start, 4)
    return Row(game.deal.name() + BY_HINTS * by_hints, seed, *fields)


def count_deals(deal, count, jobs, file, seconds, by_hints):
    """Solve this many deals, starting with the deal's number, and print how many can be won.

    file: a CSV file for the rows, or None; deals already in it are not solved again. by_hints: play by the hints
    instead of solving.
    """
    deals = range(deal.number, deal.number + count)
    name = deal.name() + BY_HINTS * by_hints
    solve_deal = functools.partial(compute_row, deal.rules.name, deal.options, seconds, by_hints)
    rows = {seed: row for seed, row in (read_rows(file, name) if file else {}).items() if seed in deals}
    with contextlib.suppress(KeyboardInterrupt), progress_bar(count - len(rows), name) as bar:
        for row in workers.results(solve_deal, (seed for seed in deals if seed not in rows), jobs):
            rows[row.seed] = row
            if file:
                with open(file, "a", encoding="utf-8", newline="") as table:
                    csv.writer(table, lineterminator="\n").writerow(row)
            bar.update(1)
    print_summary(list(rows.values()), by_hints)


def read_rows(file, name=None):
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


def is_possible(row):
    """Return True if this program could have written the row."""
    return row.verdict in STATUS and bool(row.game.strip()) and 0 <= row.seconds < math.inf


def print_summary(rows, by_hints=False):
    """Print how many deals were won, lost and undecided, or won by following the hints, and how long it took."""
    count = len(rows)
    if not count:
        click.echo("No deals were counted.")
        return
    number = {verdict: sum(row.verdict == verdict for row in rows) for verdict in STATUS}
    low, high = wilson(number[WON], count)[0], wilson(number[WON] + number[UNKNOWN], count)[1]
    if by_hints:
        computed, seconds = (sum(column) for column in zip(*((row.positions, row.seconds) for row in rows)))
        click.echo(f"{count} deals: {number[WON]} won by hints")
        click.echo(f"chance to win by hints: {low:.1%} to {high:.1%} (95 %)")
        each = seconds / max(1, computed)
        click.echo(f"mean {each:.3f} s per computed hint, {computed / count:.0f} computed hints per game")
        return
    click.echo(f"{count} deals: {number[WON]} won, {number[LOST]} lost, {number[UNKNOWN]} unknown")
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


# The table and the picture


def write_table(files, folder=ROOT / "docs"):
    """Read the files that count has written, and write the table and the picture to a folder."""
    found = {row["game"]: row for row in rows(ROOT / "docs" / "odds.csv")}
    numbers = {(row["game"], row["verdict"]): row["deals"] for row in rows(ROOT / "docs" / "deals.csv")}
    deals = {}
    for file in files:
        for row in read_rows(file).values():
            deals.setdefault(row.game, {})[row.seed] = row
    for game, of_game in deals.items():
        if game in found and len(of_game) < int(found[game]["deals"]):
            sys.exit(f"{game}: {len(of_game)} deals would replace {found[game]['deals']}; count at least as many.")
        found[game] = summary(game, of_game)
        for verdict in () if game.endswith(BY_HINTS) else (LOST, UNKNOWN):
            numbers[game, verdict] = " ".join(str(seed) for seed in sorted(of_game) if of_game[seed].verdict == verdict)
    write_rows(folder / "odds.csv", FIELDS, [row.values() for row in found.values()])
    write_rows(folder / "deals.csv", ["game", "verdict", "deals"], [(*key, numbers[key]) for key in numbers])
    text = (ROOT / "docs" / "odds.md").read_text(encoding="utf-8")
    told = re.sub(r"(?ms)^\| game .*?\n(?=\n)", lambda _: table(found), text)
    (folder / "odds.md").write_text(told, encoding="utf-8")
    (folder / "odds.svg").write_text(picture(found), encoding="utf-8")


def write_rows(path, heading, rows):
    """Write a CSV file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([heading, *rows])


def rows(path):
    """Return the rows of a CSV file, as dicts."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def summary(game, deals):
    """Return the row of FIELDS that sums up the deals of a game, number -> Row."""
    first = min(deals) if game.endswith(BY_HINTS) else 0  # hints are judged on deals that they were not learned on
    if missing := set(range(first, first + len(deals))) - set(deals):
        sys.exit(f"{game}: expected all deals from {first} on; deal {min(missing)} is missing.")
    verdicts, seconds = ([getattr(row, field) for row in deals.values()] for field in ("verdict", "seconds"))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, encoding="utf-8")
    counts = [verdicts.count(verdict) for verdict in ("won", "lost", "unknown")]
    times = [f"{statistics.median(seconds):.3f}", f"{max(seconds):.1f}"]
    day = datetime.date.today()
    return dict(zip(FIELDS, map(str, [game, len(deals), *counts, *times, commit.stdout.strip(), day])))


def interval(row):
    """Return the interval for the share of deals that are won, in percent. Undecided deals count as lost for the lower
    end, and as won for the upper one."""
    deals, won, unknown = (int(row[field]) for field in ("deals", "won", "unknown"))
    return 100 * wilson(won, deals)[0], 100 * wilson(won + unknown, deals)[1]


def share(row):
    """Return the interval in words."""
    low, high = interval(row)
    return f"over {math.floor(100 * low) / 100:.2f}%" if high > 99.995 else f"{low:.1f}% to {high:.1f}%"


def table(found):
    """Return the table of docs/odds.md: a line for each game."""
    lines = [
        "| game | deals | won | lost | undecided | can be won | median | slowest | by hints | of deals |",
        "| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | --- | ---: |",
    ]
    for game in NAMES:
        solved, hinted = found.get(game), found.get(game + BY_HINTS)
        cells = [""] * 7
        if solved:
            cells = [f"{int(solved[field]):,}" for field in FIELDS[1:5]]
            cells += [share(solved), solved["median"], solved["slowest"]]
        cells += [share(hinted), hinted["deals"]] if hinted else ["", ""]
        lines.append(f"| `{game}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def picture(found):
    """Return the picture: for each game a mark and an interval for the deals that can be won, and for those that hints
    win."""
    height = TOP + LINE * len(NAMES) + 36
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{height}">',
        f"<style>{STYLE}</style>",
    ]
    for percent in range(0, 101, 20):
        x, bottom = LEFT + WIDTH * percent / 100, TOP + LINE * len(NAMES)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 10}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text class="axis" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{percent} %</text>')
    for kind, x, told in ("solved", LEFT, "can be won, all cards known"), ("hints", LEFT + 230, "won by its hints"):
        parts.append(f'<circle class="{kind}" cx="{x + 5}" cy="12" r="5"/><text x="{x + 16}" y="17">{told}</text>')
    for number, (game, name) in enumerate(NAMES.items()):
        y = TOP + LINE * (number + 0.5)
        parts.append(f'<text x="{LEFT - 14}" y="{y + 5}" text-anchor="end">{escape(name)}</text>')
        for kind, key in ("solved", game), ("hints", game + BY_HINTS):
            if key in found:
                parts += mark(found[key], kind, y)
    return "\n".join([*parts, "</svg>", ""])


def mark(row, kind, y):
    """Return a circle for a share, and a line for its interval."""
    low, high = (LEFT + WIDTH * end / 100 for end in interval(row))
    x = LEFT + WIDTH * int(row["won"]) / int(row["deals"])
    return [
        f'<line class="{kind}" x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}"/>',
        f'<circle class="{kind}" cx="{x:.1f}" cy="{y}" r="5"><title>{share(row)}</title></circle>',
    ]


@click.group(help=f"\b\n{__doc__}")
def command():
    pass


@command.command("count", help="Solve many deals of GAME, which may have options, and print how many can be won.")
@click.argument("game")
@click.option(
    "--deals", type=click.IntRange(min=1), default=100, help="Number of deals, from the --seed of GAME, or 0, up."
)
@click.option("--hints", "by_hints", is_flag=True, help="Follow the hints instead, and count the deals they win.")
@click.option("--csv", "file", type=FILE, help="Write one row per deal to this file, and resume from it.")
@click.option("--jobs", type=click.IntRange(1, workers.MAX_JOBS), default=1, help="Deals to solve in parallel.")
def count(game, deals, by_hints, file, jobs, time):
    try:
        deal = read_deal(f"# {game}", GAMES)
    except ValueError as error:
        raise click.UsageError(f"{game}: {error}") from None
    count_deals(deal._replace(number=deal.number or 0), deals, jobs, file, time, by_hints)


count.params.append(TIME)


@command.command("table", help="Rewrite docs/odds.csv, deals.csv, odds.md and odds.svg.")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False))
def table_again(files):
    write_table(files)


if __name__ == "__main__":
    command()
