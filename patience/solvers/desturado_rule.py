"""The rule that plays samples of Desturado to their ends, by the cost of positions.

A position is as in solvers/desturado.py: only the first and the last card of a stack matter. A set of cards has a bit
for each, 1 << card. Unseen cards are those that lie face down, in no order: the cost of a position does not depend on
their order.
"""

from __future__ import annotations

import functools
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from patience.solvers.desturado import CARDS, ONTO, all_steps, is_won, turn_up

if TYPE_CHECKING:
    from patience.solvers.desturado import Columns, Hand, Hidden, Step


class Weights(NamedTuple):
    """The costs of these features of a position."""

    step: float  # the cost of the step that led there, as the solver counts it
    waits: float  # share of the unseen cards that go onto the board but not into the hand
    place: float  # place for a stack on the board: a last card or an unseen card that it goes onto
    joins: float  # way to join two stacks in the hand
    can_join: float  # that there is one
    long: float  # stack on the board with more than one card
    left: float  # stack that must be left where it is; counting begins when there are as many as the hand has spaces
    lost: float  # that these are more


# Found by evolution: with these weights, the rule alone wins 45 % of hard games. docs/odds.md says what else was tried.
WEIGHTS = Weights(1.3, -4.3, -0.65, -1.6, -15.5, -2.2, 5.4, 17.9)
CHEAPEST = 5  # steps, by their own cost, from which the rule chooses the best; a larger number wins no more games
CLUBS = sum(1 << card for card in CARDS if card % 4 == 0)


def cost(step: Step, unseen: int, weights: Weights = WEIGHTS) -> float:
    """Return the cost of the position after a step, before a card is turned up."""
    cost_of_step, _, columns, hand = step
    board = [stack for _, stack in columns if stack]
    in_hand = [stack for stack in hand if stack]
    board_ends = sum(1 << last for _, last in board)
    hand_ends = sum(1 << last for _, last in in_hand)
    ends = board_ends | hand_ends | unseen
    waiting = unseen & takers(board_ends) & ~takers(hand_ends)
    joins = sum((ONTO[first] & hand_ends & ~(1 << last)).bit_count() for first, last in in_hand)
    places = [(ONTO[first] & ends & ~(1 << last)).bit_count() for first, last in board]
    left = places.count(0) + (unseen & ~takers(ends)).bit_count()
    left += sum(not ONTO[first] & ends & ~(1 << last) for first, last in in_hand)
    return (
        weights.step * cost_of_step
        + weights.waits * waiting.bit_count() / (unseen.bit_count() or 1)
        + weights.place * sum(places)
        + weights.joins * joins
        + weights.can_join * bool(joins)
        + weights.long * sum(first != last for first, last in board)
        + weights.left * max(0, left - len(hand) + 1)
        + weights.lost * (left > len(hand))
    )


@functools.lru_cache(maxsize=1 << 14)
def takers(ends: int) -> int:
    """Return the cards that can go onto one of these last cards: onto one of the same value, or a higher one of the
    same suit."""
    equal, turned = 0, ends
    for _ in range(3):  # each card becomes the card of its value in the next suit
        turned = turned << 1 & ~CLUBS | turned >> 3 & CLUBS
        equal |= turned
    lower = ends >> 4
    for values in (1, 2, 4, 1):
        lower |= lower >> 4 * values
    return equal | lower


def unseen_in(hidden: Hidden) -> int:
    """Return the unseen cards. hidden: for each column the cards that lie face down."""
    return sum(1 << card for cards in hidden for card in cards)


def play(position: tuple[Columns, Hand], hidden: Hidden, unseen: int, weights: Weights = WEIGHTS) -> tuple[bool, int]:
    """Play a sample to its end from a position; return whether it is won, and the number of positions searched. hidden:
    as in unseen_in."""
    count = 0
    while not is_won(position):
        steps = sorted(all_steps(*position), key=itemgetter(0))[:CHEAPEST]
        if not steps:
            return False, count
        count += len(steps)
        position, unseen = go_on(min(steps, key=lambda step: cost(step, unseen, weights)), hidden, unseen)
    return True, count


def go_on(step: Step, hidden: Hidden, unseen: int) -> tuple[tuple[Columns, Hand], int]:
    """Return the position after a step, with a card turned up, and the cards that are then unseen."""
    _, _, columns, hand = step
    after = turn_up(columns, hidden)
    for (_, stack), (_, before) in zip(after, columns):
        if stack != before:
            unseen &= ~(1 << stack[0])
    return (after, hand), unseen
