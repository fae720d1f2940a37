"""Decks that are dealt in a given order, and the files they are read from."""

import os
from collections import Counter, namedtuple

import cards
from patience.game.names import card_name, card_of
from patience.game.rules import PACK
from patience.game.files import must_be_file

MOST_NAMED = 10  # words that a message names
MOST_BYTES = 1 << 16  # of a deck file, with all its comments


# What is read from a deck file. pairs: (rank, suit) of each card, the first to be dealt first.
DeckFile = namedtuple("DeckFile", "path pairs")


class StackedDeck:
    """A deck that deals cards in a given order, for a game's initialize."""

    def __init__(self, pairs):
        """pairs: (rank, suit) of each card, the first to be dealt first."""
        self._pairs = iter(pairs)

    def deal(self):
        """Return the next card, face up, or None when none is left."""
        return next((cards.Card(rank, suit) for rank, suit in self._pairs), None)


def load(path, pack=PACK):
    """Return the DeckFile of a path. Raises OSError if it cannot be read, and ValueError as read does."""
    must_be_file(path)
    if os.path.getsize(path) > MOST_BYTES:
        raise ValueError("it is too long for a deck.")
    with open(path, encoding="utf-8-sig", errors="replace") as text:
        return DeckFile(path, read(text, pack))


def read(text, pack=PACK):
    """Return the (rank, suit) pairs of a deck file's lines, in the order they are dealt.

    Cards are words such as 10H, qs or A♣; # begins a comment. pack: the pairs that must be there;
    cards the game does not use may be there once. Raises ValueError, naming every word that
    is not a card, and every card that is missing or there too often.
    """
    words = [word for line in text for word in line.partition("#")[0].split()]
    pairs = [card_of(word) for word in words]
    unknown = [repr(word[:20]) for word, pair in zip(words, pairs) if pair is None]
    needed, found = Counter(pack), Counter(pair for pair in pairs if pair)
    allowed = needed | Counter(PACK)
    faults = {
        "no card": unknown[:MOST_NAMED] + ["..."] * (len(unknown) > MOST_NAMED),
        "too often": [card_name(pair) for pair in found - allowed],
        "missing": [card_name(pair) for pair in needed - found],
    }
    message = "; ".join(f"{fault}: {' '.join(names)}" for fault, names in faults.items() if names)
    if message:
        raise ValueError(message)
    return pairs
