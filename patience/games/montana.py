"""What the table knows of Montana, whoever wrote its module: the assignment's own, or a student's.

The module's tableau is a plain list of rows, and its main() counts the shuffles. Here a position is such a list that
knows how many are left. A move of a card is ("", source row, source column, destination row, destination column),
counted from 1, and the shuffle is SHUFFLE. The rules are the assignment's; where the module's functions answer in
another way, remarks() says so, and the game goes on by the rules.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import cards
from patience.rules import Rules, describe_error

if TYPE_CHECKING:
    from types import ModuleType

    from cards import Card
    from patience import Move, Position

ROWS, COLUMNS = 4, 13
SHUFFLES = 2
BLANK, TWO, KING = 1, 2, 13
SHUFFLE = ("S",)  # the move that moves no single card
NO_SHUFFLES = "No more shuffles remain."
FAILED = object()  # what a function returns that raises an error


class Tableau(list):
    """The 4 rows of 13 cards, and the number of shuffles left."""

    shuffles_left = SHUFFLES


class Montana(Rules):
    """Montana at the table; game is a position. A plain list of lists has no count: shuffles are always left."""

    COMMANDS = """\
4 13 1 10   move the card in row 4, column 13 to the blank in row 1, column 10
S           shuffle the cards that are in no sequence, while shuffles are left
"""
    OPTIONS = {"shuffles": ("2", "3", "0")}
    STUCK = "No card can move, and no shuffles remain."

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.name = __name__.rpartition(".")[2]  # also of a student's file
        self.TITLE = "Montana Solitaire."
        self.faults: dict[str, str] = {}  # a kind of fault of the module -> its sentence
        self.told: set[str] = set()  # the kinds that remarks has returned

    def initialize(self, shuffles: str = "2", **_: Any) -> Position:
        """Return a new tableau. shuffles: their number, a choice of OPTIONS."""
        rows = self.call("initialize")
        if not is_whole(rows):
            self.find(
                "initialize", "does not return the 52 cards in 4 rows of 13: these are dealt by the assignment.", rows
            )
            deck = cards.Deck()
            deck.shuffle()
            rows = [[deck.deal() for _ in range(COLUMNS)] for _ in range(ROWS)]
        tableau = Tableau(rows)
        tableau.shuffles_left = int(shuffles)
        return tableau

    def display(self, game: Position) -> None:
        """Print the module's board."""
        if self.call("display", copy_rows(game), prints=True) is FAILED:
            for row in game:
                print("  ".join("--" if is_blank(card) else str(card) for card in row))

    def refusal(self, game: Position, word: str, *numbers: int) -> str | None:
        """Return why a move is not allowed, in a sentence, or None if it is."""
        if not numbers:
            return None if shuffles_left(game) else NO_SHUFFLES
        source_row, source_col, dest_row, dest_col = numbers
        for row, column in (numbers[:2], numbers[2:]):
            if not (1 <= row <= len(game) and 1 <= column <= len(game[row - 1])):
                return f"There is no row {row}, column {column}."
        card, dest = game[source_row - 1][source_col - 1], game[dest_row - 1][dest_col - 1]
        if is_blank(card):
            return f"There is no card in row {source_row}, column {source_col}."
        if not is_blank(dest):
            return f"A card goes only into a blank: in row {dest_row}, column {dest_col} lies {dest}."
        if dest_col == 1 and card.rank() == TWO:
            return None
        if dest_col > 1 and follows(card, game[dest_row - 1][dest_col - 2]):
            return None
        if card.rank() == TWO:
            return f"{card} goes only into a blank of the leftmost column."
        return f"{card} goes only beside {place_of(game, card)}."

    def validate_move(self, game: Position, word: str, *numbers: int) -> bool:
        """Return True if a move is allowed."""
        return self.refusal(game, word, *numbers) is None

    def move(self, game: Position, word: str, *numbers: int) -> bool:
        """Make a move and return True, or change nothing and return False if it is not allowed."""
        if not self.validate_move(game, word, *numbers):
            return False
        self.perform(game, word, *numbers)
        return True

    def perform(self, game: Position, word: str, *numbers: int) -> str:
        """Make a legal move by the module's own function, and again by the rules where that did something else. Return
        "": the tableau shows everything."""
        before = copy_rows(game)
        if not numbers:
            self.call("shuffle_tableau", game)
            if fault := fault_of_shuffle(before, game):
                self.find("shuffle_tableau", f"{fault}: the cards stay as they were.", None)
                game[:] = before
            elif isinstance(game, Tableau):
                game.shuffles_left -= 1
            return ""
        places = [number - 1 for number in numbers]
        returned = self.call("move", game, *places)
        swap(before, *places)
        if game != before or returned is not True:
            did = "" if game == before else " and the cards lie in another way"
            self.find(
                "move",
                f"is {returned!r} here{did}; by the assignment True, the card swapped with the blank.",
                returned,
                places,
            )
            game[:] = before
        return ""

    def check_win(self, game: Position) -> bool:
        """Return True if every row is a sequence to the King, then a blank."""
        right = all(sequence_length(row) == COLUMNS - 1 for row in game)
        won = self.call("check_win", copy_rows(game))
        if won is not right:
            where = "every row is" if right else "not every row is"
            self.find(
                f"check_win {right}",
                f"is {won!r} here; by the assignment {right}: {where} in order up to its King.",
                won,
            )
        return right

    def check_loss(self, game: Position) -> None:
        """Return None: in the assignment the game is never lost; the player quits."""

    def remarks(self, game: Position) -> list[str]:
        """Return what the module's functions do in another way than the assignment's, a line each, each kind once."""
        if "validate_move" not in self.told:
            self.compare_moves(game)
        new = [kind for kind in self.faults if kind not in self.told]
        self.told.update(new)
        return [self.faults[kind] for kind in new]

    def compare_moves(self, game: Position) -> None:
        """Ask validate_move about every card and every place."""
        rows = copy_rows(game)
        every_place = [*product(range(ROWS), range(COLUMNS))]
        for source, dest in product(every_place, every_place):
            is_allowed = self.call("validate_move", rows, *source, *dest)
            reason = self.refusal(game, "", *(number + 1 for number in (*source, *dest)))
            if is_allowed is not (reason is None) and not goes_beside_blank(rows, source, dest):
                why = reason or "the card goes there."
                self.find(
                    "validate_move",
                    f"is {is_allowed!r} here; by the assignment {reason is None}: {why}",
                    is_allowed,
                    (*source, *dest),
                )
                return

    # The module's functions

    def call(self, name: str, *arguments: Any, prints: bool = False) -> Any:
        """Call a function of the module; return FAILED if it is missing or raises an error, which is a fault. prints:
        what it prints is shown."""
        function: Callable[..., Any] | None = getattr(self.module, name, None)
        if function is None:
            self.faults.setdefault(f"{name} raises", f"{os.path.basename(str(self.module.__file__))} has no {name}.")
            return FAILED
        try:
            with contextlib.nullcontext() if prints else contextlib.redirect_stdout(io.StringIO()):
                return function(*arguments)
        except Exception as error:
            places = ", ".join(str(one) for one in arguments if isinstance(one, int))
            told = f"{name}({places}) ends in an error; by the assignment it has none.\n"
            self.faults.setdefault(f"{name} raises", told + describe_error(error, self.module.__name__))
            return FAILED

    def find(self, kind: str, sentence: str, returned: Any, places: Any = None) -> None:
        """Note a fault, if it is the first of its kind. returned: by the function; places: its arguments, or None."""
        if returned is not FAILED:
            function = kind.partition(" ")[0]
            call = f"{function}({', '.join(map(str, places))})" if places else function
            self.faults.setdefault(kind, f"{call} {sentence}")

    # What the table shows

    def blanks(self, game: Position) -> list[Card]:
        """Return the aces, which stand for blanks."""
        return [card for row in game for card in row if is_blank(card)]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed, the most useful first; the shuffle is the last resort."""
        if all(sequence_length(row) == COLUMNS - 1 for row in game):
            return []
        moves = sorted(card_moves(game), key=lambda chosen: worth(game, *chosen[1:]))
        return [*moves, SHUFFLE] if shuffles_left(game) else moves

    def status(self, game: Position) -> str:
        """Return the number of shuffles left, which the board does not show."""
        left = shuffles_left(game)
        return f"{left} shuffle{'' if left == 1 else 's'} left"

    def describe(self, game: Position, word: str, *numbers: int) -> str:
        """Say what a legal move does: `3♣ beside 2♣`, `2♥ to row 4`, or the shuffle."""
        if not numbers:
            return f"shuffle the cards that are in no sequence (shuffles left: {shuffles_left(game)})"
        source_row, source_col, dest_row, dest_col = numbers
        card = game[source_row - 1][source_col - 1]
        if dest_col == 1:
            return f"{card} to row {dest_row}"
        return f"{card} beside {game[dest_row - 1][dest_col - 2]}"

    def reason(self, game: Position, word: str, *numbers: int) -> str:
        """Return in a few words what a legal move achieves, or ""."""
        if not numbers:
            return ""
        source_row, source_col, dest_row, dest_col = numbers
        if dest_col == sequence_length(game[dest_row - 1]) + 1:
            return f"{'continues' if dest_col > 1 else 'begins'} the sequence of row {dest_row}"
        moving, left = game[source_row - 1][source_col - 1], left_of_source(game, *numbers)
        for row in game:
            for card in row:
                fits = card.rank() == TWO if left is None else follows(card, left)
                if fits and card is not moving:
                    return f"opens a blank that {card} can fill"
        return ""


# The rules. Rows and columns count from 1, as in the moves.


def is_blank(card: Card) -> bool:
    """Return True if the card is an ace, which stands for a blank."""
    return card.rank() == BLANK


def follows(card: Card, left: Card) -> bool:
    """Return True if a card goes to the right of left: of its suit, and one rank higher."""
    return not is_blank(left) and card.suit() == left.suit() and card.rank() == left.rank() + 1


def sequence_length(row: list[Card]) -> int:
    """Return how many cards at the left of a row stand in sequence: 2, 3, 4, ... of one suit."""
    length = 0
    while length < len(row) and (follows(row[length], row[length - 1]) if length else row[0].rank() == TWO):
        length += 1
    return length


def swap(rows: Position, source_row: int, source_col: int, dest_row: int, dest_col: int) -> None:
    """Swap the cards in two places, counted from 0."""
    source, dest = rows[source_row], rows[dest_row]
    source[source_col], dest[dest_col] = dest[dest_col], source[source_col]


def copy_rows(tableau: Position) -> list[list[Card]]:
    """Return a plain list of the rows; the cards are the same."""
    return [row[:] for row in tableau]


def is_whole(rows: Any) -> bool:
    """Return True if these are 4 rows of 13 cards, each card of a pack once."""
    if not isinstance(rows, list) or [len(row) for row in rows if isinstance(row, list)] != ROWS * [COLUMNS]:
        return False
    pairs = [(card.rank(), card.suit()) for row in rows for card in row if isinstance(card, cards.Card)]
    return len(rows) == ROWS and sorted(pairs) == sorted(Montana.PACK)


def fault_of_shuffle(before: list[list[Card]], after: Any) -> str:
    """Return what is wrong with a shuffle, or "": sequences stay, one blank follows each, and no card is lost."""
    if not is_whole([*after]):
        return "does not leave the 52 cards in 4 rows of 13"
    for old, row in zip(before, after):
        length = sequence_length(old)
        if row[:length] != old[:length]:
            return "moves a card that is in sequence"
        if [place for place, card in enumerate(row) if is_blank(card)] != [length]:
            return "does not put one blank into each row, right after its sequence"
    return ""


def goes_beside_blank(rows: list[list[Card]], source: tuple[int, int], dest: tuple[int, int]) -> bool:
    """Return True if a 2 would go beside a blank: one version of the handout allows it. The places count from 0."""
    beside = [rows[row][column] for row, column in ((dest[0], max(dest[1] - 1, 0)), dest)]
    return rows[source[0]][source[1]].rank() == TWO and all(map(is_blank, beside))


def shuffles_left(tableau: Position) -> int:
    """Return how many shuffles are left."""
    return getattr(tableau, "shuffles_left", SHUFFLES)


def place_of(tableau: Position, card: Card) -> str:
    """Return where a card other than a 2 goes: `8♠, into row 2, column 7, where 5♥ lies`."""
    for number, row in enumerate(tableau, start=1):
        for column, left in enumerate(row):
            if follows(card, left):
                if column == len(row) - 1:
                    return f"{left}, which is the last of row {number}"
                right = row[column + 1]
                if right == card:
                    return f"{left}, where it already lies"
                occupied_by = "" if is_blank(right) else f", where {right} lies"
                return f"{left}, into row {number}, column {column + 2}{occupied_by}"
    return "the card of its suit that is one lower"


def card_moves(tableau: Position) -> Iterator[Move]:
    """Yield every valid move of a card."""
    for dest_row, row in enumerate(tableau, start=1):
        for dest_col in [column for column, card in enumerate(row, start=1) if is_blank(card)]:
            for source_row, cards_there in enumerate(tableau, start=1):
                for source_col, card in enumerate(cards_there, start=1):
                    if card.rank() == TWO if dest_col == 1 else follows(card, row[dest_col - 2]):
                        yield "", source_row, source_col, dest_row, dest_col


def worth(tableau: Position, source_row: int, source_col: int, dest_row: int, dest_col: int) -> tuple[bool, bool, bool]:
    """Return a sort key for a move of a card: whether it breaks a sequence, fails to extend one, and leaves a blank
    that no card can fill. False is sorted before True."""
    breaks_sequence = source_col <= sequence_length(tableau[source_row - 1])
    makes_sequence = dest_col == sequence_length(tableau[dest_row - 1]) + 1
    left = left_of_source(tableau, source_row, source_col, dest_row, dest_col)
    dead_blank = left is not None and left.rank() in (BLANK, KING)
    return breaks_sequence, not makes_sequence, dead_blank


def left_of_source(tableau: Position, source_row: int, source_col: int, dest_row: int, dest_col: int) -> Card | None:
    """Return the card that will lie to the left of the source after a move, or None in the leftmost column."""
    if source_col == 1:
        return None
    if (dest_row, dest_col) == (source_row, source_col - 1):
        return tableau[source_row - 1][source_col - 1]  # the card itself goes there
    return tableau[source_row - 1][source_col - 2]
