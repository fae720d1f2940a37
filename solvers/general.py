"""A solver for any game, from the contract alone: copies, legal_moves, perform.

It is for games that have no solver of their own, and for options that their solver does not know. The
moves that a game calls most useful are tried first: a way costs, for each of its moves, how many others
came before it. It says lost only where it has seen everything.
"""

import copy
import heapq
import itertools
import random

from solvers.search import decide


def solve(rules, game, seconds=10, positions=None):
    """Return an Answer for the game as it stands, which is not changed. rules: as rules.load has them."""
    chance = random.getstate()
    try:
        return decide(lambda limits: [best_first(rules, game, limits)], list, seconds, positions)
    finally:
        random.setstate(chance)


def best_first(rules, game, limits):
    """Search the cheapest ways first. Returns the moves that win, or None, and whether the whole space
    has been seen: that is not so where a move takes chance, for that is left out."""
    seen, complete = {key(game)}, True
    numbers = itertools.count()
    waiting = [(0, next(numbers), game, ())]
    while waiting:
        cost, _, game, way = heapq.heappop(waiting)
        if rules.check_win(game):
            return way, True
        for place, move in enumerate(rules.legal_moves(game) if not rules.check_loss(game) else []):
            after, chance = copy.deepcopy(game), random.getstate()
            rules.perform(after, *move)
            if random.getstate() != chance:
                complete = False
            elif key(after) not in seen:
                limits.spend()
                seen.add(key(after))
                heapq.heappush(waiting, (cost + place, -next(numbers), after, (*way, move)))
    return None, complete


def key(thing):
    """Return a position, or what it holds, as tuples: cards as (rank, suit, face up)."""
    if hasattr(thing, "rank") and hasattr(thing, "suit"):
        return thing.rank(), thing.suit(), str(thing)
    if isinstance(thing, list):
        return tuple(map(key, thing))
    return tuple(map(key, vars(thing).values())) if hasattr(thing, "__dict__") else thing
