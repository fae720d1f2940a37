"""Learn weights for the rule of a game's hints, by hill climbing on the number of deals that the rule wins on its own,
and print the weights.

    python -m tools.learn_rule klondike-3

klondike-1 and klondike-3 are for patience/solvers/klondike_rule.py, drawing one card or three, and desturado is for
patience/solvers/desturado_rule.py, on hard deals. In each round some weights are changed at random, and the old and the
new play the same deals; the new ones stay if they win more. Each round plays different deals, from 0 to 7999, so that
no weight is fitted to a few of them. Finally the learned weights, those of the hints and the initial ones play deals
8000 to 9999, which no round has seen. Everything follows from one seed. It takes some five minutes on two cores.
"""

import concurrent.futures
import functools
import random
import sys
from typing import Any, NamedTuple

import click

import desturado
import klondike
from patience.solvers import desturado_rule, klondike_rule
from patience.solvers.desturado import start_of
from patience.solvers.klondike_steps import ALL, Table

SEED = 231
ROUNDS = 60
DEALS = 2000  # of a round
LEARNED_FROM, JUDGED_BY = range(8000), range(8000, 10_000)
CHANGED = 0.3  # the chance that a weight is changed in a round
STEP = 0.2  # by how much: a share of the weight,
LEAST = 1.0  # or of this, if the weight is smaller


def wins_klondike(draw, weights, deal):
    """Return True if the rule, which does not look at face-down cards, wins a deal. The state of random is changed.
    draw: how many cards the game draws."""
    random.seed(deal)
    rule, table = klondike_rule.Rule(weights, random.Random(deal)), Table(klondike.initialize(draw=str(draw)), draw)
    rule.look_at(table)
    founded, _ = rule.play(table.start, set())
    return founded == ALL


def wins_desturado(weights, deal):
    """Return the same for a hard deal of Desturado."""
    random.seed(deal)
    position, hidden = start_of(desturado.initialize(difficulty="hard"))
    won, _ = desturado_rule.play(position, hidden, desturado_rule.unseen_in(hidden), weights)
    return won


class Rule(NamedTuple):
    """A rule to learn."""

    wins: Any  # a function of weights and the number of a deal
    by_hand: Any  # weights
    used: Any  # those that hints use


CARDS_DOWN_AND_NOT_UP = klondike_rule.Weights(10, 3, *[0] * 12)  # face-down cards, and cards on no foundation
STEP_AND_PLACES = desturado_rule.Weights(1, 0, -1, *[0] * 5)
RULES = {
    "klondike-1": Rule(functools.partial(wins_klondike, 1), CARDS_DOWN_AND_NOT_UP, klondike_rule.WEIGHTS[1]),
    "klondike-3": Rule(functools.partial(wins_klondike, 3), CARDS_DOWN_AND_NOT_UP, klondike_rule.WEIGHTS[3]),
    "desturado": Rule(wins_desturado, STEP_AND_PLACES, desturado_rule.WEIGHTS),
}


def changed(weights, chance):
    """Return weights with some of them changed."""
    return type(weights)(
        *[
            round(weight + STEP * max(LEAST, abs(weight)) * chance.gauss(0, 1), 2)
            if chance.random() < CHANGED
            else weight
            for weight in weights
        ]
    )


def learn(rule, rounds=ROUNDS, deals=DEALS, judged_by=JUDGED_BY):
    """Climb; return the weights and, by name, how many of the new deals each set of weights wins."""
    chance, weights = random.Random(SEED), rule.by_hand
    with concurrent.futures.ProcessPoolExecutor() as pool:

        def count(weights, deals):
            return sum(pool.map(functools.partial(rule.wins, weights), deals, chunksize=20))

        for number in range(1, rounds + 1):
            sample = chance.sample(LEARNED_FROM, deals)
            new = changed(weights, chance)
            old_wins, new_wins = count(weights, sample), count(new, sample)
            if new_wins > old_wins:
                weights = new
            print(f"round {number}: {max(old_wins, new_wins)} of {deals} deals won", file=sys.stderr, flush=True)
        judged = {"learned": weights, "of the hints": rule.used, "to begin with": rule.by_hand}
        return weights, {name: count(weights, judged_by) for name, weights in judged.items()}


@click.command(help=f"\b\n{__doc__}")
@click.argument("name", type=click.Choice([*RULES]))
def main(name):
    weights, won = learn(RULES[name])
    for which, number in won.items():
        print(f"weights {which}: {number} of {len(JUDGED_BY)} deals won")
    print(f"Weights({', '.join(map(str, weights))})")


if __name__ == "__main__":
    main()
