"""An answer for any game, from its own solver, or from a general one that uses only copies, legal_moves and perform.

The general solver is for games without a solver of their own, and for options that their solver does not know. It first
tries the moves that a game calls most useful: the cost of a sequence is the sum of its moves' indexes in legal_moves.
It reports a loss only if it has searched everything.
"""

from __future__ import annotations

import heapq
import importlib
import importlib.util
import itertools
import math
import random
from typing import TYPE_CHECKING, Any


from patience.positions import copy_of, lists_in, parts, position_after, preserve_random_state
from patience.solvers.search import LOST, UNKNOWN, WON, Answer, decide, refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from patience.solvers import Move, Position, Rules, Way
    from patience.solvers.search import Limits

CHECKED = 200  # positions in which a game's rules are compared with those of its solver,
CHOICES = 3  # along a path on which each move is one of the most useful ones


def own_solver(rules: Rules) -> ModuleType | None:
    """Return the module of a game's own solver, or None if it has none."""
    name = f"patience.solvers.{rules.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def unknown_options(rules: Rules, options: dict[str, str]) -> list[str]:
    """Return the options, such as --passes 3, that a game's own solver does not know, so that the general one must be
    used."""
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


def solver_of(rules: Rules, options: dict[str, str]) -> ModuleType | None:
    """Return the module of a game's own solver, or None if it has none that knows these options."""
    return None if unknown_options(rules, options) else own_solver(rules)


def adviser_of(rules: Rules, options: dict[str, str]) -> ModuleType | None:
    """Return the module with a game's own advice, solvers/NAME_advice.py, or None if there is none, or it does not know
    these options."""
    name = f"patience.solvers.{rules.name}_advice"
    return importlib.import_module(name) if solver_of(rules, options) and importlib.util.find_spec(name) else None


def answer(
    rules: Rules,
    options: dict[str, str],
    game: Position,
    seconds: float | None,
    positions: int | None = None,
) -> Answer:
    """Return an Answer that can be trusted, for the game as it stands: a win is replayed by the game's rules, and no
    loss is reported if those rules differ from the solver's, here or where the search went. seconds, positions: see
    search.py."""
    result = search(rules, options, game, seconds, positions)
    why = difference(rules, options, game, result.visited) if result.verdict == LOST else ""
    return Answer(UNKNOWN, [], result.positions, f": {why}") if why else result


def difference(rules: Rules, options: dict[str, str], game: Position, ways: Iterable[Any] = ()) -> str:
    """Return, in a few words, a move that a game allows but its own solver does not, or the reverse; or "" if there is
    none: here, in CHECKED positions that follow, and in as many along some ways. ways: Answer.visited."""
    solver = solver_of(rules, options)
    if solver and not hasattr(solver, "allowed"):
        return f"solvers/{rules.name}.py has no allowed()"
    there = itertools.chain(positions_nearby(rules, game), positions_along(rules, game, ways)) if solver else ()
    return first_difference(rules, solver, there)


def first_difference(rules: Rules, solver: Any, there: Iterable[Position]) -> str:
    """Return what difference returns, for the first of some positions in which there is one."""
    return next(filter(None, (difference_at(rules, solver, position) for position in there)), "")


def positions_nearby(rules: Rules, game: Position) -> Iterator[Position]:
    """Yield CHECKED positions along a random path; after its end, it begins again."""
    chance, there = random.Random(0), game
    for _ in range(CHECKED):
        yield there
        legal = [] if rules.check_win(there) or rules.check_loss(there) else rules.legal_moves(there)
        there = position_after(rules, there, chance.choice(legal[:CHOICES])) if legal else game


def positions_along(rules: Rules, game: Position, ways: Iterable[Any]) -> Iterator[Position]:
    """Yield up to CHECKED positions along some ways, alternating between positions with different empty places."""
    kinds: dict[Any, list[Position]] = {}  # which lists of a position are empty -> such positions
    for start, moves in ways:
        there = game if start is None else start
        for move in moves:
            there = position_after(rules, there, move)
            kinds.setdefault(tuple(map(bool, lists_in(parts(there)))), []).append(there)
    mixed = itertools.chain(*itertools.zip_longest(*kinds.values()))
    yield from itertools.islice((position for position in mixed if position is not None), CHECKED)


def difference_at(rules: Rules, solver: Any, there: Position) -> str:
    """Return what difference returns, for one position."""
    repeats = getattr(solver, "REPEATS", ())  # commands that only repeat others, or that a verdict leaves out
    is_over = rules.check_win(there) or rules.check_loss(there)
    legal = [] if is_over else rules.legal_moves(there)
    allowed = solver.allowed(there) if legal else ()
    for move in legal:
        if move not in allowed and move[0] not in repeats:
            if not rules.check_loss(position_after(rules, there, move)):  # a move that loses at once wins nothing
                return f"{rules.name}.py allows {rules.write(*move)}, but its solver does not"
    for move in allowed:
        if rules.refusal(there, *move) is not None:
            return refused(rules.name, rules.write(*move))
    return ""


def search(
    rules: Rules,
    options: dict[str, str],
    game: Position,
    seconds: float | None,
    positions: int | None = None,
) -> Answer:
    """Return an Answer for the game as it stands, from its own solver or else from the general one. If the moves do not
    win by the game's rules, the verdict is UNKNOWN. A loss is judged by the solver's rules."""
    if rules.no_moves:
        return Answer(UNKNOWN, [], 0, f": {rules.no_moves.rstrip('.')}")
    solver = solver_of(rules, options)
    result = solver.solve(game, seconds, positions) if solver else solve(rules, game, seconds, positions)
    why = fault_of_win(rules, game, result.moves) if result.verdict == WON else ""
    return Answer(UNKNOWN, [], result.positions, f": {why}") if why else result


def fault_of_win(rules: Rules, game: Position, moves: list[Move]) -> str:
    """Return why the moves do not win by the game's own rules, or "". The game is not changed."""
    game = copy_of(game)
    for move in moves:
        if not rules.move(game, *move):
            return refused(rules.name, rules.write(*move))
    return "" if rules.check_win(game) else f"by {rules.name}.py the moves of its solver do not win"


def solve(rules: Rules, game: Position, seconds: float | None = 10, positions: int | None = None) -> Answer:
    """Return an Answer for the game as it stands, which is not changed. rules: from rules.load."""
    with preserve_random_state():
        return decide(lambda limits: [lambda: best_first(rules, game, limits)], list, seconds, positions)


def best_first(rules: Rules, game: Position, limits: Limits) -> Way:
    """Search the cheapest sequences first. Return the moves that win, or None, and whether the whole space has been
    searched: False if a move depends on chance, because such moves are skipped."""
    cheapest, complete = {key(game): 0}, True  # position -> cost of the cheapest way to it so far
    numbers = itertools.count()
    waiting = [(0, next(numbers), game, (), key(game))]
    while waiting:
        cost, _, game, way, known = heapq.heappop(waiting)
        if cost > cheapest[known]:  # a cheaper way has been found in the meantime
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


def key(thing: Any) -> Any:
    """Return a position, or a part of it, as tuples, with cards as (rank, suit, face up)."""
    if thing is None or isinstance(thing, (int, float, str)):  # also an IntEnum, which has attributes
        return thing
    if hasattr(thing, "rank") and hasattr(thing, "suit"):
        return thing.rank(), thing.suit(), str(thing)
    if isinstance(thing, list):
        return tuple(map(key, thing))
    return tuple(map(key, vars(thing).values())) if hasattr(thing, "__dict__") else thing
