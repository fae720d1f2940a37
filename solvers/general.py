"""An answer for any game: of its own solver, or of one from the contract alone: copies, legal_moves, perform.

The latter is for games that have no solver of their own, and for options that their solver does not know. The
moves that a game calls most useful are tried first: the cost of a way is the sum of its moves' numbers in
legal_moves. It says lost only if it has seen everything.
"""

import heapq
import importlib
import importlib.util
import itertools
import math
import random

from solvers.positions import chance_kept, copy_of
from solvers.search import UNKNOWN, WON, Answer, decide


def own_solver(rules):
    """Return the module of a game's own solver, or None if it has none."""
    name = f"solvers.{rules.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def not_known(rules, options):
    """Return the options, --passes 3, that a game's own solver does not know: then the general one plays."""
    solver = own_solver(rules)
    return (
        [
            f"--{option} {choice}" if option in solver.OPTIONS else f"--{option}"
            for option, choice in options.items()
            if choice not in solver.OPTIONS.get(option, ())
        ]
        if solver
        else []
    )


def solver_of(rules, options):
    """Return the module of a game's own solver, or None if it has none that knows these options."""
    return None if not_known(rules, options) else own_solver(rules)


def answer(rules, options, game, seconds, positions=None):
    """Return an Answer for the game as it stands: of its own solver, else of this one. If the game
    refuses what is said to win, that is UNKNOWN. seconds, positions: limits; None for none."""
    solver = solver_of(rules, options)
    found = solver.solve(game, seconds, positions) if solver else solve(rules, game, seconds, positions)
    if found.verdict == WON and not wins(rules, game, found.moves):
        return Answer(UNKNOWN, [], found.positions)
    return found


def wins(rules, game, moves):
    """Return True if the moves win, by the game's own rules. The game is not changed."""
    game = copy_of(game)
    return all(rules.move(game, *move) for move in moves) and rules.check_win(game)


def solve(rules, game, seconds=10, positions=None):
    """Return an Answer for the game as it stands, which is not changed. rules: as rules.load has them."""
    with chance_kept():
        return decide(lambda limits: [lambda: best_first(rules, game, limits)], list, seconds, positions)


def best_first(rules, game, limits):
    """Search the cheapest ways first. Returns the moves that win, or None, and whether the whole space
    has been seen: not if a move takes chance, for that is left out."""
    cheapest, complete = {key(game): 0}, True  # position -> what the cheapest way to it costs so far
    numbers = itertools.count()
    waiting = [(0, next(numbers), game, (), key(game))]
    while waiting:
        cost, _, game, way, known = heapq.heappop(waiting)
        if cost > cheapest[known]:  # a cheaper way was found meanwhile
            continue
        if rules.check_win(game):
            return way, True
        for place, move in enumerate(rules.legal_moves(game) if not rules.check_loss(game) else []):
            after, chance = copy_of(game), random.getstate()
            rules.perform(after, *move)
            if random.getstate() != chance:
                complete = False
            elif cost + place < cheapest.get(known := key(after), math.inf):
                limits.spend()
                cheapest[known] = cost + place
                heapq.heappush(waiting, (cost + place, -next(numbers), after, (*way, move), known))
    return None, complete


def key(thing):
    """Return a position, or what it holds, as tuples: cards as (rank, suit, face up)."""
    if hasattr(thing, "rank") and hasattr(thing, "suit"):
        return thing.rank(), thing.suit(), str(thing)
    if isinstance(thing, list):
        return tuple(map(key, thing))
    return tuple(map(key, vars(thing).values())) if hasattr(thing, "__dict__") else thing
