"""How a step is chosen when steps are tried in many samples: the one that has won most often, or is most promising
(PUCT: Rosin, Multi-Armed Bandits with Episode Context, 2011)."""

from __future__ import annotations

import math

from patience.solvers.advice import UNKNOWN, Chance

PROMISE = 2.0  # the weight of what a step's cost promises; it fades as the step is tried (exploration constant)
SPREAD = 5  # a step that costs this much more than the best promises 1/e as much
UNTRIED = 0.9  # the share of a step that was not tried, relative to the share of its node
NEW_NODE = 0.3  # the share of a node none of whose steps was tried
TRIES_AT_ONCE = 20  # between checks of whether the best step is decided


def choose(costs: list[float], results: list[list[int]]) -> int:
    """Return the number of a step, from 0. For each step, costs holds the cost that a rule gives the position after the
    step, and results holds how often the step won and was tried."""
    least = min(costs)
    weights = [math.exp((least - cost) / SPREAD) for cost in costs]
    wins, tries = map(sum, zip(*results))
    untried = UNTRIED * (wins / tries if tries else NEW_NODE)
    factor = PROMISE * math.sqrt(tries + 1) / sum(weights)
    values = [
        (won / count if count else untried) + factor * weight / (1 + count)
        for (won, count), weight in zip(results, weights)
    ]
    return values.index(max(values))


def chance_of(wins: int, count: int, games: float) -> Chance | str:
    """Return the Chance of a step after which a rule won this many of the samples tried, or UNKNOWN. The rule is a poor
    player, and anyone who follows hints wins more often: as often as the rule wins at least one of this many games."""
    return Chance(1 - (1 - wins / count) ** games, count) if count else UNKNOWN


def is_decided(results: list[list[int]], looked_at: int, most: int) -> bool:
    """Return True if no other step can still overtake the one tried most often. results: as in choose. looked_at: how
    many positions, out of most, were searched for these results."""
    counts = [count for _, count in results]
    second, best = sorted([0, *counts])[-2:]
    left = (most - looked_at) * sum(counts) / max(1, looked_at)
    return looked_at > 0 and best - second >= left
