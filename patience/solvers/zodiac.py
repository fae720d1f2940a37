"""Zodiac, decided suit by suit: how many cards must stay in the cells of the Equator?

In phase 1 every card in the stock and waste can be brought to the top of the waste at any time, and a pile of the
Zodiac takes only cards of its suit. So the order of the stock does not matter. The search must find, for each suit,
which of its loose cards are built on which pile and in which order, and which stay in cells. Everything to be built can
be built first, including cards that lie in cells now, and the cells can be filled at the end. So the game can be won if
and only if the four suits need 8 cells or fewer. (Phase 1 ends with the last card of the stock. If that card is built
before some cards from cells, these cards stay in their cells: only such cards would lie on them, and a card can go up
from its cell at any time.)

The number of cells that a suit needs is found by running phase 2 backwards. The two foundations of the suit give back
their cards, each from its King down, in any order between the two. A card that is given back
- lies in a pile now, and is the next one there, from the bottom up;
- or is loose, and goes onto a neighbour in rank, on a pile that has all its cards back;
- or is loose, and goes to a cell.
Finding the least number of cells is a shortest-path problem in which only the last of the three choices costs anything.
A position consists of what the foundations still have, how many of its cards each pile has back, and the top ranks of
the piles that have all their cards back; which of these piles has which top does not matter.

In phase 2 nothing can be built and the cells keep what they hold, so the search is the same, but without the second
choice and without a cost.

For a fresh deal, the number of cells that a suit needs has a closed form, fresh_need, which makes it unnecessary to
search a lost deal.
"""

from __future__ import annotations

import functools
import math
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from patience.positions import copy_of
from patience.solvers.search import decide, make

import zodiac

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from patience.solvers import Move, Position, Way
    from patience.solvers.search import Answer, Limits

Plan = list[tuple[Any, int]]

OPTIONS = {}  # the choices for the options that the solver knows
REPEATS = ("A",)  # commands that only repeat others
KING = zodiac.KING


def solve(game: Position, seconds: float | None = 10, positions: int | None = None) -> Answer:
    """Return an Answer for the game as it stands. The game is not changed."""

    def tries(limits: Limits) -> Iterator[Callable[[], Way]]:
        yield lambda: (plan_suits(game, limits), True)

    return decide(tries, functools.partial(as_moves, game), seconds, positions)


def allowed(game: Position) -> set[Move]:
    """Return the set of the moves that are allowed here, by the rules of this search: see general.difference."""
    zodiac_tops = [("ZF", z, pile[-1]) for z, pile in enumerate(game.zodiac, start=1) if pile]
    cells = [("EF", e, cell[-1]) for e, cell in enumerate(game.equator, start=1) if cell]
    if zodiac.phase(game) == 2:
        heights = [(number // 2 + 1, len(pile)) for number, pile in enumerate(game.foundations)]
        return {
            (word, number) for word, number, card in zodiac_tops + cells if (card.suit(), card.rank() - 1) in heights
        }
    moves: set[Move] = {("D",)}
    if game.waste:
        moves |= {("WE", e) for e, cell in enumerate(game.equator, start=1) if not cell}
        moves |= {("WE",)} if [] in game.equator else set()
    loose = [*((("WZ",), card) for card in game.waste[-1:]), *((("EZ", e), card) for _, e, card in cells)]
    for move, card in loose:
        moves |= {
            (*move, z) for _, z, top in zodiac_tops if card.suit() == top.suit() and top.rank() in beside(card.rank())
        }
    return moves


def beside(rank: int) -> set[int]:
    """Return the ranks that a card of this rank can be built on."""
    return {rank - 1, rank + 1}


def plan_suits(game: Position, limits: Limits) -> list[Plan] | None:
    """Return a plan for each suit, or None if the game cannot be won."""
    if is_fresh(game) and sum(fresh_need(game, suit) for suit in zodiac.SUITS) > zodiac.CELLS:
        return None
    plans = []
    for suit in zodiac.SUITS:
        plan = plan_suit(game, suit, limits)
        if plan is None:
            return None
        plans.append(plan)
    cells = sum(place is None for plan in plans for place, _ in plan)
    return plans if cells <= zodiac.CELLS else None


def is_fresh(game: Position) -> bool:
    """Return True if every pile of the Zodiac has one card, and no foundation has any."""
    return not any(game.foundations) and all(len(pile) == 1 for pile in game.zodiac)


def fresh_need(game: Position, suit: int) -> int:
    """Return how many cells a suit needs in a deal where every pile has one card.

    With no pile it needs one for each of its 26 cards. Otherwise the Kings matter, because they need a Queen to lie on:
    if h is the highest rank on a pile, the two copies of each rank above h have only one pile to lie on, except the
    last. The odd ranks matter too: if two piles alternate between odd and even ranks, one must begin with an odd rank,
    or the second King stays in a cell.
    """
    ranks = [pile[0].rank() for pile in game.zodiac if pile[0].suit() == suit]
    if not ranks:
        return 2 * KING
    highest, odd = max(ranks), sum(rank % 2 for rank in ranks)
    return max(0, 2 * (KING - highest) - 1) + max(0, 2 - (highest < KING) - odd)


def plan_suit(game: Position, suit: int, limits: Limits) -> Plan | None:
    """Return a plan for a suit that needs the fewest cells, or None if there is none.

    A plan is a list of (place, rank), in the order in which phase 2 plays the cards: place is the number of a pile,
    counted from 1, or None for a cell.
    """
    piles = [pile for pile in game.zodiac if pile and pile[0].suit() == suit]
    ranks = [tuple(card.rank() for card in pile) for pile in piles]
    of_suit = game.foundations[2 * suit - 2 : 2 * suit]
    heights = tuple(sorted(map(len, of_suit), reverse=True))
    in_piles = Counter(rank for pile in ranks for rank in pile)
    loose = {rank: sum(height < rank for height in heights) - in_piles[rank] for rank in range(1, KING + 1)}
    may_build = zodiac.phase(game) == 1
    start = ((KING, KING), (0,) * len(ranks), ())
    came_from: dict[Any, Any] = {start: (0, None, None)}
    done = set()
    waiting = deque([start])
    while waiting:
        position = waiting.popleft()
        if position in done:
            continue
        done.add(position)
        limits.spend()
        left, _, _ = position
        if left == heights:
            numbers = [z for z, pile in enumerate(game.zodiac, start=1) if pile and pile[0].suit() == suit]
            return as_plan(position, came_from, ranks, numbers)
        cells, _, _ = came_from[position]
        for cost, given_card, after in give_back(position, ranks, heights, loose, may_build):
            known, _, _ = came_from.get(after, (math.inf, None, None))
            if cells + cost < known:
                came_from[after] = (cells + cost, given_card, position)
                if cost:
                    waiting.append(after)
                else:
                    waiting.appendleft(after)
    return None


def give_back(position: Any, ranks: Any, heights: Any, loose: Any, may_build: Any) -> Iterator[Any]:
    """Yield what a foundation may give back next: (cells used, (how, where, rank), position after).

    how is "lies" for a card that lies in pile number where of ranks, "build" for one that goes onto a
    pile with top rank where, or "cell".
    """
    left, back, tops = position
    for rank in {height for height, least in zip(left, heights) if height > least}:
        fewer = list(left)
        fewer[left.index(rank)] -= 1
        after = tuple(sorted(fewer, reverse=True))
        lying = 0
        for number, (pile, count) in enumerate(zip(ranks, back)):
            lying += pile[:count].count(rank)
            if count < len(pile) and pile[count] == rank:
                counts = back[:number] + (count + 1,) + back[number + 1 :]
                whole = tuple(sorted((*tops, rank))) if count + 1 == len(pile) else tops
                yield 0, ("lies", number, rank), (after, counts, whole)
        if sum(height < rank for height in left) - lying < loose[rank]:
            for top in beside(rank) & set(tops) if may_build else ():
                new_tops = list(tops)
                new_tops[new_tops.index(top)] = rank
                yield 0, ("build", top, rank), (after, back, tuple(sorted(new_tops)))
            yield int(may_build), ("cell", None, rank), (after, back, tops)


def as_plan(position: Any, came_from: dict[Any, Any], ranks: list[tuple[int, ...]], numbers: list[int]) -> Plan:
    """Return the way to a position as a plan, with the numbers of the piles."""
    ways = []
    _, what, before = came_from[position]
    while what:
        ways.append(what)
        _, what, before = came_from[before]
    plan = []
    tops = {}
    waiting = [len(pile) for pile in ranks]
    for how, where, rank in reversed(ways):
        number = None
        if how == "lies":
            number = numbers[where]
            waiting[where] -= 1
            if not waiting[where]:
                tops[number] = rank
        elif how == "build":
            number = next(z for z, top in tops.items() if top == where)
            tops[number] = rank
        plan.append((number, rank))
    return plan[::-1]


def as_moves(game: Position, plans: list[Plan]) -> list[Move]:
    """Return the moves that carry out a plan for each suit: build every card that is to be built, fill the cells with
    the rest, and then play the cards in the order of the plans, taking from its cell any card that could no longer be
    built."""
    game = copy_of(game)
    moves = []
    wanted = {z: to_build(game, plan, z) for plan in plans for z, _ in plan if z}
    while any(wanted.values()) and zodiac.phase(game) == 1:
        make(zodiac, game, next_build(game, wanted), moves)
    while zodiac.phase(game) == 1:
        make(zodiac, game, ("WE",) if game.waste else ("D",), moves)
    for suit, plan in zip(zodiac.SUITS, plans):
        for z, rank in plan:
            if z and not wanted[z]:
                make(zodiac, game, ("ZF", z), moves)
            else:
                make(zodiac, game, ("EF", cell_of(game, suit, rank)), moves)
                if z:
                    wanted[z].pop()
    return moves


def to_build(game: Position, plan: Plan, z: int) -> list[int]:
    """Return the ranks that a plan builds on pile z, in the order in which they are built."""
    ranks = [rank for place, rank in reversed(plan) if place == z]
    return ranks[len(game.zodiac[z - 1]) :]


def next_build(game: Position, wanted: dict[int, list[int]]) -> Move:
    """Return the move for the next card to build: from the waste, or else from a cell; if there is neither, a turn of
    the stock. The rank of a card that is built is removed from wanted."""
    sources: list[Any] = [("WZ", card) for card in game.waste[-1:]]
    sources += [("EZ", e, card) for e, cell in enumerate(game.equator, start=1) for card in cell]
    for *move, card in sources:
        for z, ranks in wanted.items():
            suit = game.zodiac[z - 1][0].suit()
            if ranks and (card.rank(), card.suit()) == (ranks[0], suit):
                del ranks[0]
                return *move, z
    return ("D",)


def cell_of(game: Position, suit: int, rank: int) -> int:
    """Return the number, counted from 1, of a cell that holds this card."""
    for number, cell in enumerate(game.equator, start=1):
        if [(card.rank(), card.suit()) for card in cell] == [(rank, suit)]:
            return number
    raise LookupError(f"no cell has rank {rank} of suit {suit}")
