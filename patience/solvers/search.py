"""What the solvers share: tries within limits, depth-first search, and the form of their answers.

A solver is a module under its game's name with solve(game, seconds, positions), which returns an Answer;
OPTIONS, the choices of the game's options that it knows; and allowed(game) and REPEATS, by which its rules are compared
with the game's (see general.difference). solve reads the position, including face-down cards, but changes neither the
position nor the state of the random module, so the game continues as if there had been no search. seconds and positions
are limits, or None.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from patience.solvers import Move, Position, Rules, Way

WON, LOST, UNKNOWN = "won", "lost", "unknown"
CLOCK_EVERY = 256  # positions between two looks at the clock,
MEMORY_EVERY = 4096  # and at the memory
MAX_BLOCKS = 15_000_000  # of memory, each of 60 to 100 bytes, so that eight searches fit in 16 GB
NO_MEMORY = "because memory ran out"
FIRST_SLOTS, LAST_SLOTS = 1 << 18, 1 << 27  # of a KeyTable: at most 90 million keys, in a gigabyte
ALL_BITS = (1 << 64) - 1
WAYS = 15  # to positions that were looked at, if no way wins
SPREAD = 0x9E3779B97F4A7C15  # 2 ** 64 over the golden ratio: it spreads similar keys over a table


class Answer(NamedTuple):
    """The result of a solver."""

    verdict: str  # WON, LOST or UNKNOWN; LOST only if the whole space was searched, or by proof
    moves: list  # the game's own moves, which win from here when made in order
    positions: int  # looked at so far
    limit: str = ""  # what ended an undecided search, in words
    visited: list = []  # of a loss: (a position, moves that lead from there past positions that were looked at)


allocated_blocks = getattr(sys, "getallocatedblocks", lambda: 0)  # PyPy counts none


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Switch off Python's cyclic garbage collector for a search: positions hold no cycles, and looking for cycles again
    and again would take half the time. PyPy's collector frees all memory, so it stays on."""
    was_on = gc.isenabled()
    if sys.implementation.name == "cpython":
        gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def decide(
    tries: Callable[[Limits], Iterable[Callable[[], Way]]],
    as_moves: Callable[[Any], list[Move]],
    seconds: float | None,
    positions: int | None,
    replay: Callable[[Any], tuple[Position, list[Move]]] | None = None,
) -> Answer:
    """Return the Answer of a solver that makes one try after another.

    tries: a function of the Limits that yields the tries. Each try is a function that returns the winning steps, or
    None, and whether it has proved that no other steps win, usually by searching the whole space. as_moves: turns such
    steps into the game's moves. replay: the same for steps that do not win, with the position they begin in, if that is
    not the current one.
    """
    limits, reached = Limits(seconds, positions), ""
    try:
        with without_collector():
            for attempt in tries(limits):
                way, complete = attempt()
                if way is not None:
                    return Answer(WON, as_moves(way), limits.count)
                if complete:
                    return Answer(
                        LOST,
                        [],
                        limits.count,
                        visited=[*map(replay or (lambda way: (None, as_moves(way))), limits.ways)],
                    )
    except OutOfLimits as limit:
        reached = f" {limit}"
    except MemoryError:
        reached = f" {NO_MEMORY}"
    except NotAllowed as refused:
        reached = f": {refused}" if str(refused) else ""
    return Answer(UNKNOWN, [], limits.count, reached)


def depth_first(
    start: Any,
    steps: Callable[[Any], Iterable[Any]],
    is_won: Callable[[Any], bool],
    most: int | None,
    limits: Limits,
    key: Callable[[Any], Any] | None = None,
    seen: Keys | KeyTable | None = None,
) -> Way:
    """Search depth first, up to this many positions, or without a limit if most is None.

    steps: a function of a position that yields (step, position after it), best first. key: a function of a position
    that returns the same result for positions that count as one; by default, the position itself. seen: a KeyTable, for
    keys that are numbers; by default, a Keys, which compares keys whole. Returns the winning steps, or None, and
    whether the whole space has been searched.
    """
    if is_won(start):
        return [], True
    seen = Keys() if seen is None else seen
    seen.is_new(key(start) if key else start)
    path, waiting, count = [], [iter(steps(start))], 0
    while waiting:
        step, position = next(waiting[-1], (None, None))
        if position is None:
            waiting.pop()
            del path[-1:]
            continue
        if not seen.is_new(key(position) if key else position):
            continue
        limits.spend()
        count += 1
        if most is not None and count > most:
            return None, False
        path.append(step)
        if limits.count >= limits.next_way:
            limits.note(path)
        if is_won(position):
            return path, True
        waiting.append(iter(steps(position)))
    return None, True


class Keys(set):
    """A set of keys that are compared whole."""

    def is_new(self, key: Any) -> bool:
        """Add a key; return True if it is new."""
        count = len(self)
        self.add(key)
        return len(self) > count


class KeyTable:
    """A set of 64-bit keys, stored in eight bytes each; Python's sets take ninety. Two positions with the same key
    count as one. With random keys, the chance that this happens in a search of n positions is n * n / 2 ** 65, or one
    in a million for six million positions."""

    def __init__(self) -> None:
        self.slots = array("Q", bytes(8 * FIRST_SLOTS))
        self.count = 0

    def is_new(self, key: Any) -> bool:
        """Add a key, a number; return True if it is new. Raises OutOfLimits."""
        key = key & ALL_BITS or 1
        slots, last = self.slots, len(self.slots) - 1
        place = key * SPREAD >> 64 - last.bit_length() & last
        while slots[place]:
            if slots[place] == key:
                return False
            place = (place + 1) & last
        slots[place] = key
        self.count += 1
        if 3 * self.count > 2 * last:
            self.grow()
        return True

    def grow(self) -> None:
        """Make the table four times as large. Raises OutOfLimits if the table is already at its largest size."""
        old = self.slots
        if len(old) >= LAST_SLOTS:
            raise OutOfLimits(NO_MEMORY)
        self.slots, self.count = array("Q", bytes(8 * min(4 * len(old), LAST_SLOTS))), 0
        for key in filter(None, old):
            self.is_new(key)


def try_in_half(attempt: Callable[[], Way], limits: Limits) -> Way:
    """Make a try that must end in the first half of the seconds, and leave the other half for the tries after it."""
    end = limits.end
    try:
        limits.end = end and end - (limits.seconds or 0) / 2
        return attempt()
    except OutOfLimits:
        if limits.most is not None and limits.count > limits.most:
            raise
        return None, False
    finally:
        limits.end = end


def way_to(position: Any, came_from: Any, step_between: Callable[[Any, Any], Any]) -> list[Any]:
    """Return the steps that led to a position: came_from maps each position to the one before it, or None.

    step_between: a function of two positions that returns the step from one to the other.
    """
    way = []
    while before := came_from[position]:
        way.append(step_between(before, position))
        position = before
    return way[::-1]


class NotAllowed(Exception):
    """The game does not allow one of the solver's moves, so its rules must have changed. str() names the move."""


def make(rules: Rules, game: Position, move: Move, moves: list[Move]) -> None:
    """Make a move in a game and add it to the list of moves. Raises NotAllowed."""
    if not rules.move(game, *move):
        raise NotAllowed(refused(rules.__name__, " ".join(map(str, move)).lstrip()))
    moves.append(move)


def refused(game: str, line: str) -> str:
    """Return in words that a game does not allow a move of its solver."""
    return f"{game}.py does not allow {line}, but its solver does"


class OutOfLimits(Exception):
    """The search has used up its time, its positions or its memory: str() says which."""


class Limits:
    """Counts the positions in a search, and ends the search when a limit is reached."""

    def __init__(self, seconds: float | None, positions: int | None = None) -> None:
        """seconds: by the clock, because somebody is waiting; None for no limit. positions: how many, or None."""
        self.count = 0
        self.most = positions
        self.seconds = seconds
        self.end = None if seconds is None else time.monotonic() + seconds
        self.ways: list[list[Any]] = []  # to some of the positions, as steps
        self.next_way = 1  # the count at which the next way is noted

    def note(self, way: list[Any]) -> None:
        """Note the way to the current position, and the next one when the count is a quarter higher."""
        self.ways.append(list(way))
        self.next_way = self.count + 1 + self.count // 4

    def spend(self) -> None:
        """Count a position. Raises OutOfLimits if a limit is reached."""
        self.count += 1
        if self.most is not None and self.count > self.most:
            raise OutOfLimits(f"in {self.most:,} positions")
        if self.count % CLOCK_EVERY == 1 and self.end is not None and time.monotonic() > self.end:
            raise OutOfLimits(f"in {self.seconds:g} seconds")
        if self.count % MEMORY_EVERY == 0 and allocated_blocks() > MAX_BLOCKS:
            raise OutOfLimits(NO_MEMORY)
