"""What the table knows of Montana besides its rules: shuffles that are counted, moves as they are typed, and described.

The module is the assignment: its tableau is a plain list of rows, and its main() counts the shuffles. Here a position
is such a list that knows how many are left. A move of a card is (source row, source column, destination row,
destination column), counted from 0 as the assignment's functions do, and the shuffle is SHUFFLE.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import montana
from patience.rules import Rules

if TYPE_CHECKING:
    from cards import Card
    from patience import Move, Position

KING = 13
SHUFFLE = ("s",)  # the move that moves no single card
NUMBER = "([+-]?[0-9]{1,999})"
FOUR_NUMBERS = re.compile(r"\s+".join(4 * [NUMBER]))


class Tableau(list):
    """The 4 rows of 13 cards, and the number of shuffles left."""

    shuffles_left = montana.SHUFFLES


class Montana(Rules):
    """Montana at the table; game is a position. A plain list of lists has no count: shuffles are always left."""

    COMMANDS = """\
4 13 1 10   move the card in row 4, column 13 to the blank in row 1, column 10
s           shuffle the cards that are in no sequence, while shuffles are left
"""
    OPTIONS = {"shuffles": ("2", "3", "0")}
    STUCK = "No card can move, and no shuffles remain."
    PROMPT = montana.PROMPT

    def initialize(self, shuffles: str = "2", **_: Any) -> Position:
        """Return a new tableau. shuffles: their number, a choice of OPTIONS."""
        tableau = Tableau(montana.initialize())
        tableau.shuffles_left = int(shuffles)
        return tableau

    def read(self, line: str) -> Move:
        """Return the move that a typed line means: s, or four numbers, counted from 1. Raises ValueError with the
        assignment's message if it is neither, or a number is out of range."""
        if line.strip().lower() == "s":
            return SHUFFLE
        typed = FOUR_NUMBERS.fullmatch(line.strip())
        if not typed:
            raise ValueError(montana.INVALID_INPUT)
        places = [int(number) - 1 for number in typed.groups()]
        for number, most in zip(places, 2 * (montana.ROWS, montana.COLUMNS)):
            if not 0 <= number < most:
                raise ValueError(montana.OUT_OF_RANGE)
        return tuple(places)

    def write(self, *choice: Any) -> str:
        """Return the line to type for a choice."""
        return "s" if choice == SHUFFLE else " ".join(str(number + 1) for number in choice)

    def fixed_refusal(self, *choice: Any) -> str:
        """Return the assignment's message for a choice that is not allowed."""
        return montana.NO_SHUFFLES if choice == SHUFFLE else montana.INVALID_MOVE

    def refusal(self, game: Position, *choice: Any) -> str | None:
        """Return why a choice is not allowed, in a sentence, or None if it is."""
        if choice == SHUFFLE:
            return None if shuffles_left(game) else montana.NO_SHUFFLES
        if montana.validate_move(game, *choice):
            return None
        source_row, source_col, dest_row, dest_col = choice
        for row, column in (choice[:2], choice[2:]):
            if not montana.is_place(game, row, column):
                return f"There is no row {row + 1}, column {column + 1}."
        card, dest = game[source_row][source_col], game[dest_row][dest_col]
        if montana.is_blank(card):
            return f"There is no card in row {source_row + 1}, column {source_col + 1}."
        if not montana.is_blank(dest):
            return f"A card goes only into a blank: in row {dest_row + 1}, column {dest_col + 1} lies {dest}."
        if card.rank() == montana.TWO:
            return f"{card} goes only into a blank of the leftmost column."
        return f"{card} goes only beside {place_of(game, card)}."

    def validate_move(self, game: Position, *choice: Any) -> bool:
        """Return True if a choice is allowed."""
        return self.refusal(game, *choice) is None

    def move(self, game: Position, *choice: Any) -> bool:
        """Carry out a choice and return True, or change nothing and return False if it is not allowed."""
        if not self.validate_move(game, *choice):
            return False
        self.perform(game, *choice)
        return True

    def perform(self, game: Position, *choice: Any) -> str:
        """Carry out a legal choice, a move of a card or the shuffle. Return "": the tableau shows everything."""
        if choice != SHUFFLE:
            montana.move(game, *choice)
            return ""
        montana.shuffle_tableau(game)
        if isinstance(game, Tableau):
            game.shuffles_left -= 1
        return ""

    def check_loss(self, game: Position) -> None:
        """Return None: in the assignment the game is never lost; the player quits."""

    def blanks(self, game: Position) -> list[Card]:
        """Return the aces, which stand for blanks."""
        return [card for row in game for card in row if montana.is_blank(card)]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed, the most useful first; the shuffle is the last resort."""
        if montana.check_win(game):
            return []
        moves = sorted(card_moves(game), key=lambda chosen: worth(game, *chosen))
        return [*moves, SHUFFLE] if shuffles_left(game) else moves

    def status(self, game: Position) -> str:
        """Return the number of shuffles left, which the board does not show."""
        left = shuffles_left(game)
        return f"{left} shuffle{'' if left == 1 else 's'} left"

    def describe(self, game: Position, *choice: Any) -> str:
        """Say what a legal choice does: `3♣ beside 2♣`, `2♥ to row 4`, or the shuffle."""
        if choice == SHUFFLE:
            return f"shuffle the cards that are in no sequence (shuffles left: {shuffles_left(game)})"
        source_row, source_col, dest_row, dest_col = choice
        card = game[source_row][source_col]
        if dest_col == 0:
            return f"{card} to row {dest_row + 1}"
        return f"{card} beside {game[dest_row][dest_col - 1]}"

    def reason(self, game: Position, *choice: Any) -> str:
        """Return in a few words what a legal choice achieves, or ""."""
        if choice == SHUFFLE:
            return ""
        source_row, source_col, dest_row, dest_col = choice
        if dest_col == montana.sequence_length(game[dest_row]):
            return f"{'continues' if dest_col else 'begins'} the sequence of row {dest_row + 1}"
        moving, left = game[source_row][source_col], left_of_source(game, *choice)
        for row in game:
            for card in row:
                fits = card.rank() == montana.TWO if left is None else montana.follows(card, left)
                if fits and card is not moving:
                    return f"opens a blank that {card} can fill"
        return ""


def shuffles_left(tableau: Position) -> int:
    """Return how many shuffles are left."""
    return getattr(tableau, "shuffles_left", montana.SHUFFLES)


def place_of(tableau: Position, card: Card) -> str:
    """Return where a card other than a 2 goes: `8♠, into row 2, column 7, where 5♥ lies`."""
    for number, row in enumerate(tableau, start=1):
        for column, left in enumerate(row):
            if montana.follows(card, left):
                if column == len(row) - 1:
                    return f"{left}, which is the last of row {number}"
                right = row[column + 1]
                if right == card:
                    return f"{left}, where it already lies"
                occupied_by = "" if montana.is_blank(right) else f", where {right} lies"
                return f"{left}, into row {number}, column {column + 2}{occupied_by}"
    return "the card of its suit that is one lower"


def card_moves(tableau: Position) -> list[Move]:
    """Return every valid move of a card."""
    moves = []
    for dest_row, row in enumerate(tableau):
        for dest_col in [column for column, card in enumerate(row) if montana.is_blank(card)]:
            wanted = montana.TWO if dest_col == 0 else row[dest_col - 1].rank() + 1
            for source_row, cards_there in enumerate(tableau):
                for source_col, card in enumerate(cards_there):
                    chosen = source_row, source_col, dest_row, dest_col
                    if card.rank() == wanted and montana.validate_move(tableau, *chosen):
                        moves.append(chosen)
    return moves


def worth(tableau: Position, source_row: int, source_col: int, dest_row: int, dest_col: int) -> tuple[bool, bool, bool]:
    """Return a sort key for a move of a card: whether it breaks a sequence, fails to extend one, and leaves a blank
    that no card can fill. False is sorted before True."""
    breaks_sequence = source_col < montana.sequence_length(tableau[source_row])
    makes_sequence = dest_col == montana.sequence_length(tableau[dest_row])
    left = left_of_source(tableau, source_row, source_col, dest_row, dest_col)
    dead_blank = left is not None and left.rank() in (montana.BLANK, KING)
    return breaks_sequence, not makes_sequence, dead_blank


def left_of_source(tableau: Position, source_row: int, source_col: int, dest_row: int, dest_col: int) -> Card | None:
    """Return the card that will lie to the left of the source after a move, or None in the leftmost column."""
    if source_col == 0:
        return None
    if (dest_row, dest_col) == (source_row, source_col - 1):
        return tableau[source_row][source_col]  # the card itself goes there
    return tableau[source_row][source_col - 1]
