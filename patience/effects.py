"""What a move does, as data computed from the layouts before and after it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NamedTuple

from patience.positions import lies_face_down, position_after, sample

from patience.layout import FOUNDATION, Layout, is_named, is_one_of, number_of, pair_of

if TYPE_CHECKING:
    from cards import Card

    from patience import Move, Pair


class Moved(NamedTuple):
    """A card that has moved."""

    card: Any
    source: str  # the name of its pile before,
    source_index: int  # and its index there
    dest: str  # the same after
    dest_index: int
    onto: Any  # the card it now lies on or beside, or None


class Effect(NamedTuple):
    """The effect of a move, as far as the player sees it."""

    lead_cards: list[Moved]  # that a player can name by a card
    moved: list[Moved]  # the cards that the player knew, in an order in which they could have moved
    drawn: list[Moved]  # the same for cards that the player did not know
    turned: list[tuple[str, Any]]  # cards turned up without moving: the name of the pile, and the card


def effect_between(before: Layout, after: Layout, move: Move | None = None) -> Effect:
    """Return the Effect that leads from one layout to another. move: the single move that led there, or None for
    several moves or an undo."""
    names = new_names(before, after)
    old = {(names.get(place.pile, place.pile), place.index): place for place in before.places}
    new = {(place.pile, place.index): place for place in after.places}
    left, came = {}, {}  # (rank, suit) -> the Places that such a card left, and those it came to
    for changed, side, opposite in ((left, old, new), (came, new, old)):
        for spot, place in side.items():
            if spot not in opposite or opposite[spot].card != place.card:
                changed.setdefault(pair_of(place.card), []).append(place)
    moved, drawn, face_down = [], [], after.face_down_piles
    for pair in left:
        for source, dest in zip(left[pair], came.get(pair, [])):
            onto = None if dest.pile in face_down else dest.under  # a card that is taken away goes onto no other
            change = Moved(dest.card, source.pile, source.index, dest.pile, dest.index, onto)
            (moved if source.is_known else drawn).append(change)
    turned = [
        (place.pile, place.card)
        for spot, place in new.items()
        if place.is_known and spot in old and not old[spot].is_known and old[spot].card == place.card
    ]
    moved = sort_moved(moved)
    lead_cards = known_lead_cards(before, move) if move else None
    if lead_cards is None:
        gone = [change for change in moved if change.dest in face_down]
        others = [change for change in moved if change.dest not in face_down]
        closes_up = all(change.source == change.dest for change in others)  # the row from which cards were taken
        lead_cards = gone if closes_up and 1 <= len(gone) <= 2 else lead_cards_among(others or moved)
    return Effect(lead_cards, moved, sort_moved(drawn), turned)


def new_names(before: Layout, after: Layout) -> dict[str, str]:
    """Return what the piles of one layout are called in another: old name -> new name or, if the pile is gone, a name
    that no pile has. Only kinds that now have more or fewer piles are compared; piles of the other kinds keep their
    names."""
    names, now = {}, dict(after.kinds)
    for kind, piles in before.kinds:
        piles_now = now.get(kind, [])
        if len(piles) == len(piles_now):
            continue
        then, there = ([tuple(map(str, pile)) for _, pile, _ in some] for some in (piles, piles_now))
        for _, first, last, first_now, last_now in difflib.SequenceMatcher(None, then, there, False).get_opcodes():
            free = [name for name, *_ in piles_now[first_now:last_now]]
            for name, *_ in piles[first:last]:
                names[name] = free.pop(0) if free else f"{name}, gone"
    return names


def known_lead_cards(layout: Layout, move: Move) -> list[Moved] | None:
    """Return the lead cards of a legal move as far as they are known before it is made: [] for a draw, a list with one
    Moved if the game says which card moves, or None otherwise."""
    if move[0] == layout.rules.DRAW_WORD:
        return []
    named = layout.rules.moved_card(layout.position, *move)
    if not named:
        return None
    card, onto = named  # onto: a card, or an empty pile
    piles = layout.cards.items()
    source, index = next((name, index) for name, pile in piles for index, one in enumerate(pile) if one is card)
    dest, pile = next((name, pile) for name, pile in piles if pile is onto or is_one_of(onto, pile))
    return [Moved(card, source, index, dest, len(pile), None if pile is onto else onto)]


def expected_effect(layout: Layout, move: Move) -> Effect:
    """Return the Effect of a legal move before it is made, as far as the player can know it: the hidden cards are laid
    out in a different order, so nothing here depends on them."""
    rules, known = layout.rules, sample(layout.position, layout.rules.hidden(layout.position))
    return effect_between(Layout(rules, known), Layout(rules, position_after(rules, known, move)), move)


def sort_moved(moved: list[Moved]) -> list[Moved]:
    """Return Moves in an order in which they could have been made: each pile is filled from its lowest place up, and
    its last card leaves first, unless the cards moved together."""
    queues, ordered = {}, []  # queues: pile -> the Moves onto it
    for move in sorted(moved, key=lambda move: (move.dest, move.dest_index)):
        queues.setdefault(move.dest, []).append(move)
    while len(ordered) < len(moved):
        waiting = [move for queue in queues.values() for move in queue]
        heads = [queue[0] for queue in queues.values() if queue]
        free = [
            head
            for head in heads
            if not any(
                move.source == head.source and move.source_index > head.source_index and move.dest != head.dest
                for move in waiting
            )
        ]
        ordered.append((free or heads)[0])
        queues[ordered[-1].dest].pop(0)
    return ordered


def lead_cards_among(moved: list[Moved]) -> list[Moved]:
    """Return the Moves that a player can name by a card: one, for the first card of a group that moves together, or
    two, for single cards that go to the same pile; [] if more happens, or if only the order of piles changes."""
    groups = {}
    for move in moved:
        groups.setdefault((move.source, move.dest), []).append(move)
    lead_cards = [min(group, key=lambda move: move.dest_index) for group in groups.values()]
    both = len(lead_cards) == 2 == len(moved) and lead_cards[0].dest == lead_cards[1].dest
    both = both and not lead_cards[0].dest.startswith(FOUNDATION)  # on a foundation, one card goes onto the other
    is_reordered = len(moved) > 1 and len(lead_cards) == 1 and lead_cards[0].source == lead_cards[0].dest
    return lead_cards if len(lead_cards) == 1 and not is_reordered or both else []


def lead_cards_of(layout: Layout, move: Move) -> list[Moved]:
    """Return the lead cards of a legal move, before it is made."""
    lead_cards = known_lead_cards(layout, move)
    return expected_effect(layout, move).lead_cards if lead_cards is None else lead_cards


def onto_of(moved: Moved) -> Card | None:
    """Return the card that a moved card goes onto or beside, or None if there is no such card, if it lies face down, or
    if it is on a foundation, where it is obvious."""
    is_told = moved.onto and not moved.dest.startswith(FOUNDATION) and not lies_face_down(moved.onto)
    return moved.onto if is_told else None


def matches(lead_cards: list[Moved], pairs: list[Pair], place: str = "") -> bool:
    """Return True if a move with these lead cards takes the first of the pairs onto the second, or both to one pile.
    pairs: one or two. place: where the card must go ("" for anywhere, FOUNDATION, the number of another pile, or the
    name of a pile as in look)."""
    moving = [pair_of(moved.card) for moved in lead_cards]
    to_foundation = any(moved.dest.startswith(FOUNDATION) for moved in lead_cards)
    if place == FOUNDATION:
        is_there = to_foundation
    elif place.isdecimal():
        is_there = not to_foundation and any(number_of(moved.dest) == place for moved in lead_cards)
    else:
        is_there = not place or any(is_named(moved.dest, place) for moved in lead_cards)
    if not is_there:
        return False
    if len(lead_cards) == 2:
        return not set(pairs) - set(moving) and len(set(pairs)) == len(pairs)
    if moving != pairs[:1] or len(pairs) == 1 and not place and lead_cards[0].source.startswith(FOUNDATION):
        return False
    return len(pairs) == 1 or bool(lead_cards[0].onto) and pair_of(lead_cards[0].onto) == pairs[1]
