"""Desturado, solved by depth-first search with restarts, then exhaustively if the restarts do not win.

A position keeps only the first card of each stack, which decides what the stack may go on, and its last, which decides
what may go on the stack. The cards in between can never move separately again. A column is stored as its number of
face-down cards and the first and last card of its stack; a space of the hand, as the first and last card.

Two stacks in the hand are joined only to make room for a stack from the board, and in the same step. This costs
nothing: until the room is needed, cards can still be built on both stacks, and in the end they lie in the same place
anyway.

A position is abandoned as soon as its stacks and face-down cards could not all end in the spaces of the hand, even if
they could be moved freely: see has_too_many_left.

Two positions are the same if they differ only in the order of the spaces of the hand, or of columns without face-down
cards. No position is searched twice in a try, and no move is ever taken back, so a try that was not cut off has
searched the whole space, and proves that the game is lost.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from patience.solvers.search import decide, depth_first

import desturado

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cards import Card
    from patience.solvers import Move, Position
    from patience.solvers.search import Answer, Limits

Stack = tuple[int, int]  # its first card, and its last one
Columns = tuple[tuple[int, Any], ...]  # how many cards lie face down, and the Stack, or None
Hand = tuple[Any, ...]  # Stacks, or None
Step = tuple[int, list[Any], Columns, Hand]  # what it costs, its moves, and the position after it
Hidden = list[list[int]]  # the face-down cards of each column

# Tries: how many, and positions for each. Short ones win; the long one among them soon finds that a small
# space is lost. The last one has no limit of its own.
TRIES = ((10, 100), (1, 3_000), (300, 100), (1, None))
OPTIONS = {"difficulty": ("easy", "medium", "hard")}  # the choices known here for each option
NOISE = 4.0  # how far chance may shift a move in the order
EMPTY_COST = 1  # an empty space or column is worth as much as a jump of this value

# card: 4 times its value plus its suit from 0 to 3. stack: (first card, last card), or None if there is
# none. column: (how many face-down cards, stack). space: a stack. position: (columns, spaces of the hand).
CARDS = range(4, 44)

# The cards that a card goes onto, as bits: 1 << card for each.
ONTO = {
    card: sum(
        1 << under
        for under in CARDS
        if under // 4 == card // 4 and under != card or under % 4 == card % 4 and under > card
    )
    for card in CARDS
}


def solve(game: Position, seconds: float | None = 10, positions: int | None = None) -> Answer:
    """Return an Answer for the game as it stands. The game is not changed."""
    start, hidden = start_of(game)
    chance = random.Random(0)

    def steps(position: tuple[Columns, Hand]) -> list[Any]:
        return steps_from(position, hidden, chance)

    def tries(limits: Limits) -> Iterator[Callable[..., Any]]:
        for count, most in TRIES:
            for _ in range(count):
                yield lambda most=most: depth_first(start, steps, is_won, most, limits, key)

    return decide(tries, as_moves, seconds, positions)


def allowed(game: Position) -> set[Move]:
    """Return the set of moves allowed here by the rules of this search: see general.difference."""
    (columns, hand), _ = start_of(game)
    stacks = {"B": [stack for _, stack in columns], "H": hand}
    return {
        (source + dest, number, onto_number)
        for source, dest in ("BB", "BH", "HH")
        for number, stack in enumerate(stacks[source], start=1)
        for onto_number, onto in enumerate(stacks[dest], start=1)
        if stack and (source, number) != (dest, onto_number) and (not onto or fits(stack, onto))
    }


def start_of(game: Position) -> tuple[tuple[Columns, Hand], Hidden]:
    """Return the starting position, and for each column the cards that lie face down."""
    columns = tuple(column_of(column) for column in game.board)
    hand = tuple(stack_of(space) for space in game.hand)
    hidden = [[card_of(card) for card in column if not card.is_face_up()] for column in game.board]
    return (columns, hand), hidden


def card_of(card: Card) -> int:
    """Return a card of the game as a card of the search."""
    return 4 * card.value() + card.suit() - 1


def stack_of(cards: list[Card]) -> Stack | None:
    """Return cards of the game as a stack."""
    return (card_of(cards[0]), card_of(cards[-1])) if cards else None


def column_of(column: list[Card]) -> tuple[int, Any]:
    """Return a column of the game as a column of the search."""
    stack = desturado.stack_of(column)
    return len(column) - len(stack), stack_of(stack)


def fits(stack: Stack, onto: Stack) -> bool:
    """Return True if a stack goes onto another."""
    first, _ = stack
    _, last = onto
    return bool(ONTO[first] >> last & 1)


def is_won(position: tuple[Columns, Hand]) -> bool:
    """Return True if the board is empty."""
    columns, _ = position
    return not any(stack for _, stack in columns)


def key(position: tuple[Columns, Hand]) -> tuple[Any, ...]:
    """Return a key that is the same for positions that differ only in the order of the spaces of the hand, or of
    columns without face-down cards."""
    columns, hand = position
    covered = tuple(column if column[0] else None for column in columns)
    opened = sorted(stack for closed, stack in columns if stack and not closed)
    return covered, tuple(opened), tuple(sorted(filter(None, hand)))


def as_moves(steps: list[Any]) -> list[Move]:
    """Return the moves of these steps."""
    return [move for moves in steps for move in moves]


def steps_from(position: tuple[Columns, Hand], hidden: Hidden, chance: random.Random) -> list[Any]:
    """Return the steps from a position, roughly best first, with some randomness: a list of (moves, position after
    them). It is empty if the hand cannot hold all stacks."""
    columns, hand = position
    if has_too_many_left(columns, hand, hidden):
        return []
    steps = sorted(all_steps(columns, hand), key=lambda step: step[0] + NOISE * chance.random())
    return [(moves, (turn_up(columns, hidden), hand)) for _, moves, columns, hand in steps]


def all_steps(columns: Columns, hand: Hand) -> list[Step]:
    """Return every step: a list of (cost, moves, columns and hand after them). A card that must then be turned up is
    not looked at yet: its column has a face-down card, and no stack."""
    steps, room = [], room_in(hand)
    for source, (closed, stack) in enumerate(columns):
        if not stack:
            continue
        rest = replace(columns, source, (closed, None))
        for dest, (below, onto) in enumerate(columns):
            if dest != source and (fits(stack, onto) if onto else closed):
                cost = (jump(stack, onto) if onto else EMPTY_COST) - bool(closed)
                after = replace(rest, dest, (below, join(onto, stack)))
                steps.append((cost, [("BB", source + 1, dest + 1)], after, hand))
        steps += into_hand(source, stack, rest, hand, room)
    return steps


def has_too_many_left(columns: Columns, hand: Hand, hidden: Hidden) -> bool:
    """Return True if more stacks must remain than the hand has spaces.

    All other stacks must end on the last card of another stack, no two on the same one. The number that can do so is
    the size of a matching between first cards and last cards. It is built one card at a time; a card that already has a
    place may move to another one.
    """
    stacks = [stack for _, stack in columns if stack] + [stack for stack in hand if stack]
    for (closed, _), cards in zip(columns, hidden):
        stacks += [(card, card) for card in cards[:closed]]
    ends = sum(1 << last for _, last in stacks)
    places = {first: ONTO[first] & ends & ~(1 << last) for first, last in stacks}
    lies_on = {}  # the last card of a stack, as a bit -> the first card of the stack that lies on it
    left = 0
    for first in sorted(places, reverse=True):  # high cards have the fewest places
        has_place, _ = find_place(first, ends, places, lies_on)
        left += not has_place
        if left > len(hand):
            return True
    return False


def find_place(first: int, untried: int, places: dict[int, int], lies_on: dict[int, int]) -> tuple[bool, int]:
    """Find an untried place for a stack, moving the stack already there to another place if necessary. Returns whether
    a place was found, and the places that are still untried. lies_on is changed."""
    while can := places[first] & untried:
        place = can & -can
        untried -= place
        has_place = place not in lies_on
        if not has_place:
            has_place, untried = find_place(lies_on[place], untried, places, lies_on)
        if has_place:
            lies_on[place] = first
            return True, untried
    return False, untried


def turn_up(columns: Columns, hidden: Hidden) -> Columns:
    """Return the columns with any face-down last card turned up."""
    for number, (closed, stack) in enumerate(columns):
        if closed and not stack:
            turned = hidden[number][closed - 1]
            return replace(columns, number, (closed - 1, (turned, turned)))
    return columns


def replace(places: tuple[Any, ...], number: int, thing: Any) -> tuple[Any, ...]:
    """Return a tuple of columns or spaces with one of them replaced."""
    return places[:number] + (thing,) + places[number + 1 :]


def join(onto: Stack | None, stack: Stack) -> Stack:
    """Return the stack made when one goes onto another, or into an empty place."""
    if onto is None:
        return stack
    (first, _), (_, last) = onto, stack
    return first, last


def jump(stack: Stack, onto: Stack) -> int:
    """Return how much higher the card is that a stack lands on."""
    first, _ = stack
    _, last = onto
    return last // 4 - first // 4


def room_in(hand: Hand) -> list[Any]:
    """Return the ways to get an empty space in the hand: a list of (cost, moves, space, hand afterwards). If the hand
    already has one, that is the only way; otherwise two stacks are joined."""
    return [(EMPTY_COST, [], hand.index(None), hand)] if None in hand else joins(hand)


def joins(hand: Hand) -> list[Any]:
    """Return the ways to join two stacks in the hand, in the form that room_in returns. In the returned hand, the space
    to be emptied still has its stack."""
    ways = []
    for moved, upper in enumerate(hand):
        for space, lower in enumerate(hand):
            if moved != space and upper and lower and fits(upper, lower):
                after = replace(hand, space, join(lower, upper))
                ways.append((EMPTY_COST + jump(upper, lower), [("HH", moved + 1, space + 1)], moved, after))
    return ways


def into_hand(source: int, stack: Stack, rest: Columns, hand: Hand, room: list[Any]) -> list[Step]:
    """Return the steps that take a stack into the hand, and their costs."""
    hand_steps = []
    for space, onto in enumerate(hand):
        if onto and fits(stack, onto):
            after = replace(hand, space, join(onto, stack))
            hand_steps.append((jump(stack, onto) - 1, [("BH", source + 1, space + 1)], rest, after))
    for cost, moves, space, with_room in room:
        after = replace(with_room, space, stack)
        hand_steps.append((cost, [*moves, ("BH", source + 1, space + 1)], rest, after))
    return hand_steps
