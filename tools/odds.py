"""Make the table of docs/odds.md and the picture docs/odds.svg, from docs/odds.csv.

    python -m tools.odds [FILE ...]

Each FILE was written by `odds --csv`; the results of one game are added up. The sum replaces the row of that game in
docs/odds.csv, with the commit and the day. Results for hints may begin with any deal. Run it from the top of the
project.
"""

import csv
import datetime
import math
import re
import statistics
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from patience.analysis.odds import BY_HINTS, read_rows, wilson

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


def main(files, folder=ROOT / "docs"):
    """Read the files written by the command odds, and write the table and the picture to a folder."""
    found = {row["game"]: row for row in rows(ROOT / "docs" / "odds.csv")}
    deals = {}
    for file in files:
        for row in read_rows(file).values():
            deals.setdefault(row.game, {})[row.seed] = row
    found.update((game, summary(game, of_game)) for game, of_game in deals.items())
    with open(folder / "odds.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(found.values())
    text = (ROOT / "docs" / "odds.md").read_text(encoding="utf-8")
    told = re.sub(r"(?ms)^\| game .*?\n(?=\n)", lambda _: table(found), text)
    (folder / "odds.md").write_text(told, encoding="utf-8")
    (folder / "odds.svg").write_text(picture(found), encoding="utf-8")


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
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
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


@click.command(help=f"\b\n{__doc__}")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False))
def command(files):
    main(files)


if __name__ == "__main__":
    command()
