"""What lies on the table: one position, as far as the player can know it.

Piles have the names that the game gives them: column 3, waste, foundation 1. Indexes count from 0.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import cards
from patience.text import tidy
from patience.positions import lies_face_down

if TYPE_CHECKING:
    from cards import Card
    from patience import Move, Pair, Pile, Position
    from patience.rules import Rules

FOUNDATION = "foundation"  # the names of foundations begin with this
PILE = re.compile("([a-z ]*[a-z]) ?([0-9]*)")


class Place(NamedTuple):
    """Where a card lies."""

    card: Any
    pile: str  # its name
    index: int  # type: ignore[assignment]  # there
    under: Any  # the card it lies on or beside, or None
    is_known: bool  # whether the player can know the card


class Layout:
    """One position of a game, which must not change while its Layout is in use."""

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules, self.position = rules, position

    @functools.cached_property
    def piles(self) -> list[Pile]:
        """The piles in reading order, as Rules.piles gives them."""
        return self.rules.piles(self.position)

    @functools.cached_property
    def cards(self) -> dict[str, list[Card]]:
        """The cards of each pile, by its name."""
        return {name: pile for name, pile, _ in self.piles}

    @functools.cached_property
    def kinds(self) -> list[tuple[str, list[Pile]]]:
        """The piles of each kind, such as columns or the waste: (name of the kind, list of piles)."""
        return [(kind, list(piles)) for kind, piles in groupby(self.piles, key=lambda pile: kind_of(pile[0]))]

    @functools.cached_property
    def face_down_piles(self) -> list[str]:
        """The names of the piles whose cards are all hidden, such as the stock."""
        return [name for name, _, count in self.piles if count == 0]

    @functools.cached_property
    def unknown(self) -> set[int]:
        """The ids of the cards that the player cannot know."""
        return {id(pile[index]) for pile, index in self.rules.hidden(self.position)}

    @functools.cached_property
    def blanks(self) -> set[int]:
        """The ids of the cards that stand for an empty place."""
        return set(map(id, self.rules.blanks(self.position)))

    @functools.cached_property
    def finished(self) -> set[int]:
        """The ids of the cards that stay where they are until the end."""
        return set(map(id, self.rules.finished(self.position)))

    @functools.cached_property
    def places(self) -> list[Place]:
        """A Place for every card except those that stand for an empty place."""
        places = []
        for name, pile, _ in self.piles:
            row = [card if isinstance(card, cards.Card) and id(card) not in self.blanks else None for card in pile]
            for index, (card, under) in enumerate(zip(row, [None, *row])):
                if card:
                    places.append(Place(card, name, index, under, id(card) not in self.unknown))
        return places

    @property
    def status(self) -> list[str]:
        """Facts about the progress, for the status line."""
        facts = self.rules.status(self.position)
        return list(map(tidy, [facts] if isinstance(facts, str) else facts))

    @functools.cached_property
    def legal_moves(self) -> list[Move]:
        """The legal moves, the best first, as Rules.legal_moves gives them."""
        return self.rules.legal_moves(self.position)

    def places_of(self, pair: Pair | None) -> list[Place]:
        """Return the Places of a card and its twin."""
        return [place for place in self.places if pair_of(place.card) == pair]

    def is_hidden(self, pair: Pair) -> bool:
        """Return True if the player cannot know where a card or its twin lies."""
        twins = self.places_of(pair)
        return bool(twins) and not any(place.is_known for place in twins)

    def is_seen(self, card: Card) -> bool:
        """Return True if the player can see which card this is, if nothing covers it."""
        return id(card) not in self.unknown and not lies_face_down(card)

    def seen(self, pile: list[Card], count: int | None) -> list[Card]:
        """Return the cards of a pile that can be seen. count: as in Rules.piles."""
        shown = pile if count is None else pile[len(pile) - min(count, len(pile)) :]
        return [card for card in shown if isinstance(card, cards.Card) and self.is_seen(card)]


def pair_of(card: Card) -> Pair:
    """Return the (rank, suit) of a card."""
    return card.rank(), card.suit()


def is_one_of(card: Card, candidates: Iterable[Any]) -> bool:
    """Return True if one of the candidates is this very card, not just an equal one."""
    return any(card is candidate for candidate in candidates)


# The names of piles


def kind_of(name: str) -> str:
    """Return the kind of the pile with this name: column for column 3, waste for waste."""
    return name.rstrip(" 0123456789")


def number_of(name: str) -> str:
    """Return the number at the end of a pile's name, as text, or ""."""
    return name[len(kind_of(name)) :].strip()


def is_named(name: str, typed: str) -> bool:
    """Return True if typed text is the name of a pile or of its kind: column 5, columns, c5."""
    match = PILE.fullmatch(typed.lower().strip())
    kind, number = match.groups() if match else ("x", "")
    words = kind_of(name).lower().split()
    beginning = kind.removesuffix("s") or kind
    is_kind = any(word.startswith(beginning) for word in [" ".join(words), *words])
    return is_kind and number in ("", number_of(name))
