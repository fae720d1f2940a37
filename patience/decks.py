"""Decks with a given order, and the files they are read from."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import cards
from patience.text import RANKS, SUITS, card_name, card_of, read_text

if TYPE_CHECKING:
    from cards import Card
    from patience import Pair

PACK = [(rank, suit) for suit in SUITS.values() for rank in RANKS.values()]
MAX_NAMED = 10  # words listed in a message
MAX_BYTES = 1 << 16  # of a deck file, with all its comments


class StackedDeck:
    """A deck that deals cards in a given order, for a game's initialize."""

    def __init__(self, pairs: list[Pair]) -> None:
        """pairs: the (rank, suit) of each card, in the order they are dealt."""
        self._pairs = iter(pairs)

    def deal(self) -> Card | None:
        """Return the next card, face up, or None when none is left."""
        return next((cards.Card(rank, suit) for rank, suit in self._pairs), None)


def load(path: str, pack: list[Pair] = PACK) -> list[Pair]:
    """Return the (rank, suit) pairs of a deck file. Raises OSError if it cannot be read, ValueError as parse does."""
    return parse(read_text(path, MAX_BYTES), pack)


def parse(text: str, pack: list[Pair] = PACK) -> list[Pair]:
    """Return the (rank, suit) pairs of a deck in the order they are dealt.

    Cards are words such as 10H, qs or A♣; # begins a comment. pack: the pairs that the deck must
    have; cards that the game does not use may occur once. Raises ValueError, which lists every word
    that is not a card, and every card that is missing or occurs too often.
    """
    words = [word for line in text.removeprefix("\ufeff").split("\n") for word in line.partition("#")[0].split()]
    pairs = [card_of(word) for word in words]
    unknown = [repr(word[:20]) for word, pair in zip(words, pairs) if pair is None]
    needed, counts = Counter(pack), Counter(pair for pair in pairs if pair)
    allowed = needed | Counter(PACK)
    faults = {
        "no card": unknown[:MAX_NAMED] + ["..."] * (len(unknown) > MAX_NAMED),
        "too often": [card_name(pair) for pair in counts - allowed],
        "missing": [card_name(pair) for pair in needed - counts],
    }
    message = "; ".join(f"{fault}: {' '.join(names)}" for fault, names in faults.items() if names)
    if message:
        raise ValueError(message)
    return [pair for pair in pairs if pair]
