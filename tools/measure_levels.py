"""Measure the bounds of the levels of deals, and write patience/bounds.py.

    python -m tools.measure_levels [--jobs N] [GAME ...]

A plain player plays each of 1,000 deals 100 times (see solvers/player.py). The bounds are the thirds of the
deals, by how often it wins them. Without a GAME all games are measured, which takes hours; the others
keep their bounds.
"""

import functools
import itertools

import click

import main
from patience import bounds, levels, rules
from patience.processes import results
from patience.sitting import Sitting

DEALS = 1000
HEAD = '''"""What an easy deal and what a middling one has at least: how many of 100 games a plain player wins, and how far it
comes in the mean. Written by tools/measure_levels.py; see there."""

LEVELS = ("easy", "middling", "hard")
BOUNDS = {
'''


def played(name, options, number):
    """Return what comes of the deal of a number."""
    sitting = Sitting(rules.load(name), options, number)
    sitting.deal()
    return levels.played(sitting)


def all_options(game_rules):
    """Return the options by which deals are told apart, every combination of their choices."""
    names = list(game_rules.OPTIONS)
    combined = [dict(zip(names, choices)) for choices in itertools.product(*game_rules.OPTIONS.values())]
    return [options for options in combined if options == levels.counted(game_rules, options)]


def thirds(found):
    """Return the bounds: what the best third has at least, and what the second has."""
    order = sorted(found, reverse=True)
    return tuple(tuple(order[len(order) * third // 3 - 1]) for third in (1, 2))


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(list(main.GAMES)))
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def measure(games, jobs):
    """Measure the games, and write the table after each."""
    measured = dict(bounds.BOUNDS)
    for name in games or main.GAMES:
        game_rules = rules.load(name)
        for options in all_options(game_rules):
            full_name = rules.full_name(game_rules, options)
            work = functools.partial(played, name, options)
            with click.progressbar(results(work, range(DEALS), jobs), DEALS, full_name) as found:
                measured[full_name] = thirds(found)
            click.echo(f"{full_name}: {measured[full_name]}")
            lines = [f"    {one!r}: {limits!r},\n" for one, limits in sorted(measured.items())]
            with open(bounds.__file__, "w", encoding="utf-8") as table:
                table.write(HEAD + "".join(lines) + "}\n")


if __name__ == "__main__":
    measure()
