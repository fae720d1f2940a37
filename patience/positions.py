"""Functions for the position of any game, which is a dataclass of lists, or a list."""

from __future__ import annotations

import contextlib
import copy
import random
from typing import TYPE_CHECKING, Any

import cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cards import Card
    from patience import Move, Position

Rules = Any  # a game's module, or what the frame makes of it


@contextlib.contextmanager
def preserve_random_state() -> Iterator[None]:
    """Restore the state of random afterwards."""
    chance = random.getstate()
    try:
        yield
    finally:
        random.setstate(chance)


def copy_of(thing: Any) -> Any:
    """Return a copy of a position: new lists and new cards. It is much faster than copy.deepcopy, because
    nothing in a position occurs twice."""
    if not isinstance(thing, list) and not hasattr(thing, "__dict__"):
        return copy.deepcopy(thing)
    kind: Any = type(thing)
    copied = kind.__new__(kind)
    for part in thing if isinstance(thing, list) else ():
        if isinstance(part, cards.Card):  # a call for each card would take twice as long
            card = object.__new__(type(part))
            card.__dict__ = part.__dict__.copy()
            copied.append(card)
        else:
            copied.append(copy_of(part))
    for name, part in getattr(thing, "__dict__", {}).items():
        setattr(copied, name, copy_of(part) if isinstance(part, list) else part)
    return copied


def position_after(rules: Rules, game: Position, move: Move) -> Position:
    """Return a copy of a position with a move made. The stream of random is not changed."""
    copied = copy_of(game)
    with preserve_random_state():
        rules.perform(copied, *move)
    return copied


def positions_after_draws(rules: Rules, game: Position) -> Iterator[Position]:
    """Yield a copy of the position after each successive single draw, as long as drawing is allowed."""
    while rules.refusal(game, rules.DRAW_WORD) is None:
        game = position_after(rules, game, (rules.DRAW_WORD,))
        yield game


def parts(game: Position) -> dict[str, Any]:
    """Return the parts of a position by name: the fields of a dataclass, or a list itself and its
    attributes."""
    fields = getattr(game, "__dict__", {})
    return {"": list(game), **fields} if isinstance(game, list) else fields


def lists_in(thing: Any) -> Iterator[list[Any]]:
    """Yield a list, the lists within it, and the lists in the values of a dict."""
    if isinstance(thing, list):
        yield thing
    for part in thing.values() if isinstance(thing, dict) else thing:
        if isinstance(part, (list, dict)):
            yield from lists_in(part)


def sizes(game: Position) -> tuple[int, int]:
    """Return the largest number of piles of any kind in a position, and the largest number of cards in any such pile.
    For a list of rows both numbers are the same, because there every number stands for a place."""
    kinds = [rows for rows in lists_in(parts(game)) if any(isinstance(part, list) for part in rows)]
    most = max((len(pile) for kind in kinds for pile in kind), default=0)
    return most if isinstance(game, list) else max(map(len, kinds), default=0), most


def cards_in(thing: Any) -> list[Card]:
    """Return the cards in nested lists and dicts."""
    found = []
    for part in thing.values() if isinstance(thing, dict) else thing:
        if isinstance(part, cards.Card):
            found.append(part)
        elif isinstance(part, (list, dict)):
            found += cards_in(part)
    return found


def lies_face_down(card: Card) -> bool:
    """Return True if a card lies face down."""
    return hasattr(card, "is_face_up") and card.is_face_up() is False


def same(game: Position, other_game: Position) -> bool:
    """Return True if two positions are the same, including which cards lie face up."""
    return parts(game) == parts(other_game) and faces(game) == faces(other_game)


def faces(game: Position) -> list[bool | None]:
    """Return, for each card in a position, whether it lies face up, or None for a card that cannot be turned."""
    return [card.is_face_up() if hasattr(card, "is_face_up") else None for card in cards_in(parts(game))]


def sample(game: Position, places: list[tuple[list[Card], int]], chance: random.Random | None = None) -> Position:
    """Return a copy in which the cards at some places, (list, index), are dealt again, each face up or down like the
    card it replaces. chance: a random.Random; without it the cards are dealt in order of rank, so that the copy does
    not show where they were."""
    copied = copy_of(game)
    piles, copied_piles = (list(lists_in(parts(one))) for one in (game, copied))
    numbers = {id(pile): number for number, pile in enumerate(piles)}
    pairs = sorted((pile[index].rank(), pile[index].suit()) for pile, index in places)
    if chance:
        chance.shuffle(pairs)
    for (pile, index), pair in zip(places, pairs):
        card = cards.Card(*pair)
        if hasattr(card, "is_face_up") and card.is_face_up() != pile[index].is_face_up():
            card.flip_card()
        copied_piles[numbers[id(pile)]][index] = card
    return copied
