"""Decks that are dealt in a given order, and the files they are read from."""

import os
from collections import Counter

import cards
from patience.text import RANKS, SUITS, card_name, card_of

PACK = [(rank, suit) for suit in SUITS.values() for rank in RANKS.values()]
MAX_NAMED = 10  # words that a message names
MAX_BYTES = 1 << 16  # of a deck file, with all its comments


class StackedDeck:
    """A deck that deals cards in a given order, for a game's initialize."""

    def __init__(self, pairs):
        """pairs: (rank, suit) of each card, the first to be dealt first."""
        self._pairs = iter(pairs)

    def deal(self):
        """Return the next card, face up, or None when none is left."""
        return next((cards.Card(rank, suit) for rank, suit in self._pairs), None)


def load(path, pack=PACK):
    """Return the (rank, suit) pairs of a deck file. Raises OSError if it cannot be read, ValueError as parse does."""
    if os.path.getsize(path) > MAX_BYTES:
        raise ValueError("it is too long for a deck.")
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        return parse(file.read(), pack)


def parse(text, pack=PACK):
    """Return the (rank, suit) pairs of a deck in the order they are dealt.

    Cards are words such as 10H, qs or A♣; # begins a comment. pack: the pairs that must be there;
    cards the game does not use may be there once. Raises ValueError, naming every word that
    is not a card, and every card that is missing or there too often.
    """
    words = [word for line in text.split("\n") for word in line.partition("#")[0].split()]
    pairs = [card_of(word) for word in words]
    unknown = [repr(word[:20]) for word, pair in zip(words, pairs) if pair is None]
    needed, found = Counter(pack), Counter(pair for pair in pairs if pair)
    allowed = needed | Counter(PACK)
    faults = {
        "no card": unknown[:MAX_NAMED] + ["..."] * (len(unknown) > MAX_NAMED),
        "too often": [card_name(pair) for pair in found - allowed],
        "missing": [card_name(pair) for pair in needed - found],
    }
    message = "; ".join(f"{fault}: {' '.join(names)}" for fault, names in faults.items() if names)
    if message:
        raise ValueError(message)
    return pairs
