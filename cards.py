"""Playing cards for any card game: Card, and Deck, the 52 cards of a pack.

Ranks are the numbers 1 (ace) to 13 (king), suits the numbers 1 to 4 (clubs,
diamonds, hearts, spades). A game uses the methods below and nothing else, so
another module with the same methods can take the place of this one.
"""

import random

RANK_NAMES = "x A 2 3 4 5 6 7 8 9 10 J Q K".split()
SUIT_NAMES = ("x", "♣", "♦", "♥", "♠")


class Card:
    """One playing card: its rank and suit stay, but it can be turned over."""

    def __init__(self, rank=0, suit=0):
        """Make the card of rank 1-13 and suit 1-4, face up.

        Anything else makes a card that is not one: rank 0, suit 0, is_face_up()
        None.
        """
        self._rank = 0
        self._suit = 0
        self._face_up = None
        if (
            type(rank) is int
            and type(suit) is int
            and 1 <= rank <= 13
            and 1 <= suit <= 4
        ):
            self._rank = rank
            self._suit = suit
            self._face_up = True

    def rank(self):
        """Return the rank: 1 for an ace, 2-10, 11-13 for jack, queen, king."""
        return self._rank

    def suit(self):
        """Return the suit: 1 clubs, 2 diamonds, 3 hearts, 4 spades."""
        return self._suit

    def value(self):
        """Return what the card counts: its rank, but 10 for jack, queen and
        king."""
        return min(self._rank, 10)

    def is_face_up(self):
        """Return True if the card lies face up, False if face down."""
        return self._face_up

    def flip_card(self):
        """Turn the card over."""
        self._face_up = not self._face_up

    def __str__(self):
        """Return rank and suit, as in 10♣, or XX if the card is face down."""
        if not self._face_up:
            return "XX"
        return RANK_NAMES[self._rank] + SUIT_NAMES[self._suit]

    def __repr__(self):
        return str(self)

    def __eq__(self, other):
        """Return True if other is a card of the same rank and suit."""
        if not isinstance(other, Card):
            return False
        return self._rank == other.rank() and self._suit == other.suit()


class Deck:
    """A pack of 52 cards, from which cards are dealt until none is left."""

    def __init__(self):
        """Make a pack: A♣ .. K♣ at the bottom, then diamonds, hearts,
        K♠ on top."""
        self._cards = [
            Card(rank, suit) for suit in range(1, 5) for rank in range(1, 14)
        ]

    def shuffle(self):
        """Shuffle the cards that are left; random.seed decides how."""
        random.shuffle(self._cards)

    def deal(self):
        """Take the top card off and return it, or return None when no card is
        left."""
        return self._cards.pop() if self._cards else None

    def is_empty(self):
        """Return True if no card is left."""
        return not self._cards

    def __len__(self):
        """Return how many cards are left."""
        return len(self._cards)

    def __str__(self):
        """Return the cards from bottom to top, with commas between them."""
        return ", ".join(str(card) for card in self._cards)

    def __repr__(self):
        return str(self)

    def display(self, cols=13):
        """Print the cards from bottom to top, cols of them a row."""
        for index, card in enumerate(self._cards):
            if index % cols == 0:
                print()
            print(f"{str(card):3} ", end="")
        print("\n")
