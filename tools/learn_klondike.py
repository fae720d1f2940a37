"""Learn weights for solvers/klondike_rule.py, by climbing over the deals that the rule alone wins, and print them.

    python -m tools.learn_klondike 3

The number is how many cards the game draws. Each round some weights are changed at random, and the old and the new
play the same deals; the new are kept if they win more of them. Rounds play deals of their own, of 0 to 7999, so
that no weight is fitted to a few of them. At last those that were learned, those of klondike_rule.py and those that
climbing began with play deals 8000 to 9999, which no round has seen. Everything follows from one seed. It takes
some five minutes on two cores.
"""

import concurrent.futures
import functools
import random
import sys

import click

import klondike
from solvers.klondike_rule import WEIGHTS, Rule, Weights
from solvers.klondike_steps import ALL, Table

SEED = 231
ROUNDS = 60
DEALS = 2000  # of a round
LEARNED_FROM, JUDGED_BY = range(8000), range(8000, 10_000)
CHANGED = 0.3  # the chance that a weight is changed in a round
STEP = 0.2  # by how much: a share of the weight,
LEAST = 1.0  # or of this, if the weight is smaller
BY_HAND = Weights(10, 3, *[0] * 12)  # cards face down, and cards on no foundation


def wins(weights, draw, deal):
    """Return True if the rule, which does not look at what lies face down, wins a deal. The state of random is changed.
    draw: how many cards the game draws."""
    random.seed(deal)
    rule, table = Rule(weights, random.Random(deal)), Table(klondike.initialize(draw=str(draw)), draw)
    rule.look_at(table)
    founded, _ = rule.play(table.start, set())
    return founded == ALL


def changed(weights, chance):
    """Return weights of which some are changed."""
    return Weights(
        *[
            round(weight + STEP * max(LEAST, abs(weight)) * chance.gauss(0, 1), 2)
            if chance.random() < CHANGED
            else weight
            for weight in weights
        ]
    )


def learn(draw, rounds=ROUNDS, deals=DEALS, judged_by=JUDGED_BY):
    """Climb; return the weights and, by name, how many of the deals apart are won by them and by others."""
    chance, weights = random.Random(SEED), BY_HAND
    with concurrent.futures.ProcessPoolExecutor() as pool:

        def count(weights, deals):
            return sum(pool.map(functools.partial(wins, weights, draw), deals, chunksize=20))

        for number in range(1, rounds + 1):
            sample = chance.sample(LEARNED_FROM, deals)
            new = changed(weights, chance)
            old_wins, new_wins = count(weights, sample), count(new, sample)
            if new_wins > old_wins:
                weights = new
            print(f"round {number}: {max(old_wins, new_wins)} of {deals} deals won", file=sys.stderr, flush=True)
        judged = {"learned": weights, "of klondike_rule.py": WEIGHTS[draw], "to begin with": BY_HAND}
        return weights, {name: count(weights, judged_by) for name, weights in judged.items()}


@click.command(help=f"\b\n{__doc__}")
@click.argument("draw", type=click.Choice(["1", "3"]))
def main(draw):
    weights, won = learn(int(draw))
    for name, number in won.items():
        print(f"weights {name}: {number} of {len(JUDGED_BY)} deals won")
    print(f"{draw}: Weights({', '.join(map(str, weights))}),")


if __name__ == "__main__":
    main()
