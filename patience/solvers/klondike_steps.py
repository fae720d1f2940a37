"""The positions and steps used to solve Klondike and to find its hints.

They are possible because a position is small. The two cards of one rank and colour are interchangeable as places to
build on. So a position records only which cards are still face down; which cards are the roots of their columns (the
first face-up card of each); how high the foundations are; which cards of stock and waste are left, and how many of
these are in the waste. All other cards are visible, and each of them that is not a root lies on a card of the class
that takes it, one higher and of the other colour.

The free places of a class are its visible cards, less the visible non-root cards of the class that builds on it. While
there is a free place, a card of the class can be brought to the end of a column: if it is covered, its twin is not, and
what covers it goes onto the twin.

The steps are:
- a card to its foundation: visible with a free place in its class, or from the waste;
- a root with face-down cards under it, together with all the cards on it, onto a free place, or a King into an empty
  column, which turns a card up;
- when three cards are drawn: the waste card onto a free place, or a King into an empty column.
A step may begin with cards that are brought to the tableau because one of these moves needs them there (see room and
bring). A place may be made by a card from its foundation, once the cards above it there have come back too. If single
cards are drawn, a place may also be made by a card from stock or waste, which can then be reached at any time. And a
column may be emptied for a King. Nothing is brought before it is needed: it would only take up a place, or uncover
nothing. A card that is not a root and can go up goes up at once. That is safe, because it can come back when it is
needed, and until then it only leaves a place behind. The same goes for any other card that is_safe. It would not be
safe for just any card in the stock or waste: a card there takes up no place, and once it is on a foundation, the cards
below it can only come back after it. When three cards are drawn, a card that is_safe goes up at once from the talon
only if it is the last and no pass has begun: then all others can still be reached as before.

Cards are bits: four to a rank, clubs and spades, then diamonds and hearts; so a class is two bits side by side, and all
free places are found in a dozen operations on numbers.

Throughout this program:
    card is one bit; a set of cards is their sum
    class is the two cards of one rank and colour; twin is the other card of a card's class
    hidden is the set of cards that lie face down; roots of the first face-up cards of the columns
    founded is the set of cards on the foundations; talon of those in stock and waste
    waste is how many cards of the talon lie in the waste, 0 where that makes no difference (see count_waste)
    visible is the set of all other cards: those that lie face up in the tableau
    free is the set of the cards of all classes that have a free place; wanted what the foundations wait for
    position is (hidden, roots, founded, talon, waste)
    part is ("up", card), ("back", card) or ("place", card); step is a tuple of parts
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cards import Card
    from patience.solvers import Position

State = tuple[int, int, int, int, int]  # a position of the search
Step = tuple[tuple[str, int], ...]

ALL = (1 << 52) - 1
LOW = ALL // 3  # the first card of each class
BLACK = ALL // 15 * 3
RED = BLACK << 2
KINGS = 15 << 48
ORDER = {1: 0, 4: 1, 2: 2, 3: 3}  # suit -> its place among the four bits of a rank
MOST_TALONS = 200_000  # whose playable cards a Table keeps


def bit(card: Card) -> int:
    """Return the bit of a card."""
    return 1 << (4 * (card.rank() - 1) + ORDER[card.suit()])


class Table:
    """What stays the same during a try, and the starting position. draw: how many cards are drawn."""

    def __init__(self, game: Position, draw: int) -> None:
        self.draw = draw
        self.columns = len(game.tableau)
        self.talon = [bit(card) for card in game.waste + game.stock[::-1]]
        self.reached = {}
        self.under = {}  # card -> the card it lies on in its column at the beginning
        self.above = {}  # face-down card -> the face-down cards above it
        hidden = roots = 0
        for column in game.tableau:
            closed = [bit(card) for card in column if not card.is_face_up()]
            for place, card in enumerate(closed):
                self.above[card] = sum(closed[place + 1 :])
                hidden |= card
            opened = [bit(card) for card in column[len(closed) :]]
            roots |= sum(opened[:1])
            for upper, lower in zip(closed[1:] + opened[:1], closed):
                self.under[upper] = lower
        founded = sum(bit(card) for foundation in game.foundations for card in foundation)
        self.start = hidden, roots, founded, sum(self.talon), self.count_waste(len(game.waste), len(self.talon))

    def count_waste(self, waste: int, talon: int) -> int:
        """Return the size of the waste for a position with a talon of this size: 0 if the same cards can be reached as
        from the beginning of a pass, because the waste ends where a draw ends."""
        return 0 if waste % self.draw == 0 or waste == talon else waste

    def playable(self, talon: int, waste: int) -> list[tuple[int, int]]:
        """Return the cards of stock and waste that come to the top of the waste just by drawing: a list of (card, the
        waste after it is played)."""
        key = talon, waste
        if key not in self.reached:
            cards = [card for card in self.talon if card & talon]
            places = {waste - 1} if waste else set()
            for first in (waste, 0):
                places.update(range(first + self.draw - 1, len(cards), self.draw))
            if cards:
                places.add(len(cards) - 1)
            if len(self.reached) >= MOST_TALONS:
                self.reached.clear()
            self.reached[key] = [(cards[place], self.count_waste(place, len(cards) - 1)) for place in sorted(places)]
        return self.reached[key]


def next_cards(founded: int) -> int:
    """Return the cards that the foundations wait for."""
    above = (founded << 4) | 15
    return above & ~founded & ALL


def free_places(visible: int, roots: int) -> int:
    """Return both cards, visible or not, of every class that has a free place."""
    built = visible & ~roots
    covers = (built & RED) << 2 | (built & BLACK) << 6
    firsts, seconds = visible & LOW, visible >> 1 & LOW
    cover_one, cover_two = covers & LOW, covers >> 1 & LOW
    free = (firsts & seconds & ~(cover_one & cover_two)) | ((firsts | seconds) & ~(cover_one | cover_two))
    return free | free << 1


def classes_of(cards: int) -> int:
    """Return all the cards in the classes of these cards."""
    return cards | (cards & LOW) << 1 | cards >> 1 & LOW


@functools.lru_cache(maxsize=64)
def free_in(position: State) -> int:
    """Return the free_places of a position, cached because they are needed many times."""
    hidden, roots, founded, talon, _ = position
    return free_places(ALL & ~hidden & ~founded & ~talon, roots)


def builders(free: int) -> int:
    """Return the cards that can be built on the free places."""
    return (free & BLACK) >> 2 | (free & RED) >> 6


@functools.lru_cache(maxsize=10_000)
def split_cards(cards: int) -> tuple[int, ...]:
    """Return a set as a tuple of cards, cached because the same sets come up repeatedly."""
    members = []
    while cards:
        members.append(cards & -cards)
        cards &= cards - 1
    return tuple(members)


def steps_from(table: Table, position: State, is_plain: bool = False) -> list[tuple[Step, State]]:
    """Return all steps from a position, as (parts of the step, position after it). is_plain: only those of one part,
    which bring no card first."""
    hidden, roots, founded, talon, waste = position
    visible = ALL & ~hidden & ~founded & ~talon
    free = free_in(position)
    fitting = builders(free) | (KINGS if table.columns > roots.bit_count() else 0)
    possible = fitting if is_plain else fitting | KINGS | builders(classes_of(in_reach(table, position)))
    as_it_is = [((), position)]
    wanted = next_cards(founded)
    for card in split_cards(wanted & visible & free & ~roots):
        return [((("up", card),), up(table, position, card))]
    all_steps = []
    for card in split_cards(wanted & visible & (free if is_plain else ALL)):
        for parts, after in as_it_is if card & free else bring(table, position, twin(card)):
            _, _, then_founded, _, _ = after
            if not card & next_cards(then_founded):  # the card below it has come back to make room
                continue
            step = (*parts, ("up", card)), up(table, after, card)
            if not parts and is_safe(card, founded):
                return [step]
            all_steps.append(step)
    playable = table.playable(talon, waste)
    for card, left in playable:
        if card & wanted:
            step = (("up", card),), (hidden, roots, founded | card, talon ^ card, left)
            if (table.draw == 1 or not waste and card == playable[-1][0]) and is_safe(card, founded):
                return [step]
            all_steps.append(step)
        if table.draw > 1 and card & possible:
            for parts, after in as_it_is if card & fitting else room(table, position, card):
                all_steps.append(((*parts, ("place", card)), place_card(table, after, card, left)))
    for card in split_cards(roots & possible):
        if table.under.get(card, 0) & hidden:
            for parts, after in as_it_is if card & fitting else room(table, position, card):
                all_steps.append(((*parts, ("place", card)), place_card(table, after, card, waste)))
    return all_steps


def room(table: Table, position: State, card: int, moving: int = 0) -> Iterator[tuple[Step, State]]:
    """Yield all ways to get a place for a card: (parts of a step, position after them).

    If there is a place, no parts are needed; otherwise cards are brought to make one. moving: roots that are already
    being moved.
    """
    hidden, roots, founded, talon, waste = position
    if card & KINGS:
        if table.columns > roots.bit_count():
            yield (), position
            return
        for root in split_cards(roots & ~KINGS & ~moving):
            if not table.under.get(root, 0) & hidden:
                for parts, after in room(table, position, root, moving | root):
                    yield (*parts, ("place", root)), place_card(table, after, root, waste)
        return
    takers = classes_of(card) << (6 if card & BLACK else 2)
    if takers & free_in(position):
        yield (), position
        return
    for taker in split_cards(takers & in_reach(table, position)):
        yield from bring(table, position, taker, moving)


def bring(table: Table, position: State, card: int, moving: int = 0) -> Iterator[tuple[Step, State]]:
    """Yield all ways to put a card into the tableau because it is needed there as a place.

    The card comes from its foundation, after the cards above it there; or, when single cards are drawn, from stock or
    waste, where it can be reached at any time.
    """
    _, _, founded, _, waste = position
    if not card & in_reach(table, position):
        return
    kind = "back" if card & founded else "place"
    above = card << 4 & founded
    for parts, bare in bring(table, position, above, moving) if above else [((), position)]:
        for more, after in room(table, bare, card, moving):
            _, _, then_founded, then_talon, _ = after
            if card & (then_founded | then_talon):  # and was not already put in the tableau to make room
                yield (*parts, *more, (kind, card)), place_card(table, after, card, waste)


def in_reach(table: Table, position: State) -> int:
    """Return the cards that bring could put into the tableau, if there is room."""
    _, _, founded, talon, _ = position
    return founded | talon if table.draw == 1 else founded


def place_card(table: Table, position: State, card: int, waste: int) -> State:
    """Return the position after a card has moved, with what lies on it, to another place in the tableau."""
    hidden, roots, founded, talon, _ = lift_card(table, position, card)
    return hidden, roots | card & KINGS, founded & ~card, talon & ~card, waste


def up(table: Table, position: State, card: int) -> State:
    """Return the position after a card has gone from the tableau to its foundation."""
    hidden, roots, founded, talon, waste = lift_card(table, position, card)
    return hidden, roots, founded | card, talon, waste


def lift_card(table: Table, position: State, card: int) -> State:
    """Return the position after a card is taken out of its column; if the card is a root, any card under it is turned
    up."""
    hidden, roots, founded, talon, waste = position
    if not card & roots:
        return position
    turned = table.under.get(card, 0) & hidden
    return hidden ^ turned, roots ^ card | turned, founded, talon, waste


def is_safe(card: int, founded: int) -> bool:
    """Return True if no card will ever need this one as a place.

    The cards that could lie on it can go up themselves whenever they are free, and so can those that could lie on them.
    """
    place = (card.bit_length() - 1) // 4
    needed = twin(card) >> 12
    if place >= 2:
        needed |= (RED if card & BLACK else BLACK) & 15 << 4 * (place - 2)
    return not needed & ~founded


def twin(card: int) -> int:
    """Return the other card of the same rank and colour."""
    return card << 1 if card & LOW else card >> 1
