"""One sitting at the table: which game, from which deck and number, and how it stands.

A game is its number: random is seeded with it, and the deal and every later shuffle follow. A
sitting that is started with a seed seeds once, and its later games go on in the same stream.
Nothing is printed here; main.py runs the sitting.
"""

import random
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import cards

DEAL_NUMBERS = 10**6  # a deal's own number has at most 6 digits
MOST_NAMED = 10  # unknown cards that one message names

RANKS = {name: rank for rank, name in enumerate("A 2 3 4 5 6 7 8 9 10 J Q K".split(), start=1)}
SUITS = {name: suit for suit, name in enumerate("CDHS", start=1)}
SYMBOLS = str.maketrans("♣♦♥♠", "CDHS")
PACK = [(rank, suit) for suit in SUITS.values() for rank in RANKS.values()]


class StackedDeck:
    """A deck that deals cards in a given order, for a game's initialize."""

    def __init__(self, pairs):
        """pairs: (rank, suit) of each card, the first to be dealt first."""
        self._pairs = iter(pairs)

    def deal(self):
        """Return the next card, face up, or None when none is left."""
        return next((cards.Card(rank, suit) for rank, suit in self._pairs), None)


@dataclass
class Sitting:
    """One player's sitting with one game, from its start to the last game's end."""

    game: ModuleType
    options: dict  # option name -> choice, as the game's initialize takes them
    seed: int | None = None  # the number the sitting was started with
    stacked: list | None = None  # (rank, suit) pairs to deal instead of a shuffled deck
    number: int | None = None  # the number of the deal; None in a seeded sitting's later games
    state: Any = None  # the game's own state
    chance: Any = None  # the state of random at the deal


def begin(sitting):
    """Start the sitting: seed it once if it has a seed, and deal its first game."""
    if sitting.seed is None:
        deal(sitting)
    else:
        random.seed(sitting.seed)
        deal(sitting)
        sitting.number = sitting.seed


def deal(sitting):
    """Deal a new game: of a fresh number, or in a sitting with a seed the next of its stream."""
    sitting.number = None
    if sitting.seed is None:
        sitting.number = random.SystemRandom().randrange(DEAL_NUMBERS)
        random.seed(sitting.number)
    sitting.chance = random.getstate()
    restart(sitting)


def restart(sitting):
    """Deal the same game again."""
    random.setstate(sitting.chance)
    deck = None if sitting.stacked is None else StackedDeck(sitting.stacked)
    sitting.state = sitting.game.initialize(deck, **sitting.options)


def card_name(pair):
    """Return a card as a deck file has it: (10, 3) is 10H."""
    rank, suit = pair
    return list(RANKS)[rank - 1] + list(SUITS)[suit - 1]


def read_deck(lines, pack=PACK):
    """Return the (rank, suit) pairs of a deck file's lines, in the order they are dealt.

    Cards are words such as 10H, qs or A♣; # begins a comment. pack: the pairs that must be there;
    cards that the game has no use for may be there, once. Raises ValueError, naming every word that is no card, and every card too many or too few.
    """
    words = [word for line in lines for word in line.partition("#")[0].split()]
    pairs, unknown = [], []
    for word in words:
        name = word.upper().translate(SYMBOLS)
        rank, suit = RANKS.get(name[:-1]), SUITS.get(name[-1])
        if rank and suit:
            pairs.append((rank, suit))
        else:
            unknown.append(repr(word[:20]))
    needed, found = Counter(pack), Counter(pairs)
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
