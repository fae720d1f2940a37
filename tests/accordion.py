"""Accordion: a row of piles that closes up whenever a pile moves, for tests of games whose piles come and go.

A pile moves onto the one to its left if their top cards have the same suit or rank.
"""

from dataclasses import dataclass

import cards

TITLE = "Accordion Solitaire."
COMMANDS = """\
L s         pile s onto the pile to its left
V s         turn pile s upside down: its last card becomes its first
"""


@dataclass
class Game:
    """The cards on the table."""

    piles: list  # each with its top card last


def initialize():
    """Deal thirteen piles of four cards."""
    deck = cards.Deck()
    deck.shuffle()
    dealt = [deck.deal() for _ in range(52)]
    return Game([dealt[place::13] for place in range(13)])


def display(game):
    """Print the top card of each pile, and how many cards the pile has."""
    print(" ".join(f"{number}:{pile[-1]}({len(pile)})" for number, pile in enumerate(game.piles, start=1)))


def validate_move(game, word, number):
    """Return True if a move is allowed. Numbers count from 1."""
    if not 1 <= number <= len(game.piles):
        return False
    if word == "V":
        return len(game.piles[number - 1]) > 1
    card, onto = game.piles[number - 1][-1], game.piles[number - 2][-1]
    return number > 1 and (card.suit() == onto.suit() or card.rank() == onto.rank())


def move(game, word, number):
    """Make a move, if it is allowed; return whether it is."""
    is_allowed = validate_move(game, word, number)
    if is_allowed and word == "V":
        game.piles[number - 1].reverse()
    elif is_allowed:
        game.piles[number - 2] += game.piles.pop(number - 1)
    return is_allowed
