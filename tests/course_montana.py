"""Montana of a student, under our frame: the course's six functions, and for all else our own module.

Beside it lie our montana.py as montana_ours.py, and the student's as montana_student.py. One that has all that
the contract asks for is taken as it is.
"""

import cards
import montana_ours
import montana_student
from montana_ours import *  # noqa: F403
from montana_ours import SHUFFLE, Tableau

def initialize(deck=None, shuffles="2"):
    """Deal with the student's initialize(), from the deck that is given."""
    if deck is not None:
        for module in (cards, montana_student):
            if hasattr(module, "Deck"):
                module.Deck = lambda: Handed(deck)
    tableau = Tableau(montana_student.initialize())
    tableau.shuffles_left = int(shuffles)
    return tableau


class Handed:
    """A deck that is not shuffled."""

    def __init__(self, deck):
        self.deal = deck.deal

    def shuffle(self):
        """Leave the cards as they are."""


def refusal(tableau, *move):
    """Return why a move is not allowed, or None if the student's validate_move says that it is."""
    if move == SHUFFLE:
        return montana_ours.refusal(tableau, *move)
    return None if montana_student.validate_move(tableau, *move) else "That is not allowed."


def perform(tableau, *move):
    """Make a move with the student's functions; return ""."""
    if move == SHUFFLE:
        montana_student.shuffle_tableau(tableau)
        tableau.shuffles_left -= 1
    else:
        montana_student.move(tableau, *move)
    return ""


if hasattr(montana_student, "refusal"):
    from montana_student import *  # noqa: F403
else:
    display, validate_move = montana_student.display, montana_student.validate_move
    move, check_win = montana_student.move, montana_student.check_win
    shuffle_tableau = montana_student.shuffle_tableau
