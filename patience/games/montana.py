"""What the table knows about Montana, whether this project or a student wrote its module.

The module's tableau is a plain list of rows, and its main() counts the shuffles. Here a position is such a list, but it
also knows how many shuffles are left. A move of a card is ("", source row, source column, destination row, destination
column), counted from 1, and the shuffle is SHUFFLE. The rules are the assignment's; if the module's functions answer
differently, remarks() says so, and the game continues by the rules.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import cards
from patience.rules import Rules, describe_error
from solvers.positions import preserve_random_state

if TYPE_CHECKING:
    from types import ModuleType

    from cards import Card
    from patience import Move, Position

ROWS, COLUMNS = 4, 13
SHUFFLES = 2
BLANK, TWO, KING = 1, 2, 13
SHUFFLE = ("S",)  # every other move moves a single card
MANY = 10  # so many loose cards that two shuffles will not give the same order
NO_SHUFFLES = "No more shuffles remain."
Rows = list  # of lists of cards


class Failed(NamedTuple):
    """The result of a function that is missing or raises an error."""

    text: str


class Tableau(list):
    """The 4 rows of 13 cards, and the number of shuffles left."""

    shuffles_left = SHUFFLES


class Montana(Rules):
    """Montana at the table; game is a position. A plain list of lists keeps no count, so shuffles are always left."""

    COMMANDS = """\
4 13 1 10   move the card in row 4, column 13 to the blank in row 1, column 10
S           shuffle the cards that are in no sequence, while shuffles are left
"""
    OPTIONS = {"shuffles": ("2", "3", "0")}
    STUCK = "No card can move, and no shuffles remain."

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.name = __name__.rpartition(".")[2]  # also for a student's file
        self.TITLE = "Montana Solitaire."
        self.fault_of_deal = ""
        self.told: set[str] = set()  # the kinds of faults that remarks has returned

    def initialize(self, shuffles: str = "2", **_: Any) -> Position:
        """Return a new tableau. shuffles: how many, one of the choices in OPTIONS."""
        rows = self.call("initialize")
        self.fault_of_deal = fault_of_deal(rows)
        if not is_whole(rows):
            deck = cards.Deck()
            deck.shuffle()
            rows = [[deck.deal() for _ in range(COLUMNS)] for _ in range(ROWS)]
        tableau = Tableau(rows)
        tableau.shuffles_left = int(shuffles)
        return tableau

    def display(self, game: Position) -> None:
        """Print the module's board or, if that ends in an error, the assignment's."""
        text = io.StringIO()
        failed = isinstance(self.call("display", copy_rows(game), out=text), Failed)
        print(board_text(game) if failed else text.getvalue(), end="")

    def refusal(self, game: Position, word: str, *numbers: int) -> str | None:
        """Return a sentence saying why a move is not allowed, or None if it is allowed."""
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
        """Make a legal move with the module's own function, and correct the result if it differs from the rules. Return
        the reason nothing was shuffled, or ""."""
        before = copy_rows(game)
        if numbers:
            places = [number - 1 for number in numbers]
            self.call("move", game, *places)
            swap(before, *places)
            game[:] = before if game != before else game
            return ""
        self.call("shuffle_tableau", game)
        if fault := fault_of_shuffle(before, game):
            game[:] = before
            return f"The cards stay as they were: shuffle_tableau {fault}."
        if isinstance(game, Tableau):
            game.shuffles_left -= 1
        return ""

    def check_win(self, game: Position) -> bool:
        """Return True if every row is a sequence up to the King, followed by a blank."""
        return all(sequence_length(row) == COLUMNS - 1 for row in game)

    def check_loss(self, game: Position) -> None:
        """Return None: in the assignment the game is never lost; the player quits."""

    def remarks(self, game: Position) -> list[str]:
        """Return a line for each way in which the module's functions differ from the assignment's on this board, but
        only once for each kind of difference."""
        new = []
        for kind, check in CHECKS.items():
            if kind not in self.told and (fault := check(self, copy_rows(game))):
                self.told.add(kind)
                new.append(fault)
        return new

    def call(self, name: str, *arguments: Any, out: io.StringIO | None = None) -> Any:
        """Return the result of a function in the module, or Failed if it is missing or raises an error. out: receives
        what the function prints."""
        function: Callable[..., Any] | None = getattr(self.module, name, None)
        if function is None:
            return Failed(f"{os.path.basename(str(self.module.__file__))} has no {name}.")
        try:
            with contextlib.redirect_stdout(out or io.StringIO()):
                return function(*arguments)
        except Exception as error:
            places = ", ".join(str(one) for one in arguments if isinstance(one, int))
            told = f"{name}({places}) ends in an error; by the assignment it has none."
            return Failed(f"{told}\n{describe_error(error, self.module.__name__)}")

    # What the table shows

    def finished(self, game: Position) -> list[Card]:
        """Return the cards that are in sequence."""
        return [card for row in game for card in row[: sequence_length(row)]]

    def blanks(self, game: Position) -> list[Card]:
        """Return the aces, which stand for blanks."""
        return [card for row in game for card in row if is_blank(card)]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed, most useful first; the shuffle is the last resort."""
        if self.check_win(game):
            return []
        moves = sorted(card_moves(game), key=lambda chosen: worth(game, *chosen[1:]))
        return [*moves, SHUFFLE] if shuffles_left(game) else moves

    def status(self, game: Position) -> str:
        """Return the number of shuffles left, which the board does not show."""
        left = shuffles_left(game)
        return f"{left} shuffle{'' if left == 1 else 's'} left"

    def describe(self, game: Position, word: str, *numbers: int) -> str:
        """Describe what a legal move does: `3♣ beside 2♣`, `2♥ to row 4`, or the shuffle."""
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


# Comparisons with the assignment, on the current board. rows: a plain copy of that board.


def check_deal(rules: Montana, rows: Rows) -> str:
    """Return what was wrong with the deal, or ""."""
    return rules.fault_of_deal


def check_display(rules: Montana, rows: Rows) -> str:
    """Return what is wrong with the printed board, or ""."""
    printed = io.StringIO()
    failed = rules.call("display", copy_rows(rows), out=printed)
    if isinstance(failed, Failed):
        return failed.text
    shown, wanted = (
        [line.rstrip() for line in text.split("\n") if line.strip()] for text in (printed.getvalue(), board_text(rows))
    )
    if not shown:
        return "display prints nothing; by the assignment it prints the tableau."
    for line, right in zip([*shown, ""], [*wanted, ""]):
        if line != right:
            return f"display prints this line:\n{line}\nBy the assignment it is:\n{right}"
    return ""


def check_validate_move(rules: Montana, rows: Rows) -> str:
    """Return how validate_move answers differently, or ""."""
    places = [*product(range(ROWS), range(COLUMNS))]
    by_blank = sorted(places, key=lambda place: not is_blank(rows[place[0]][place[1]]))
    asked, allowed, fault = copy_rows(rows), allowed_places(rows), ""
    for dest, source in product(by_blank, places):
        answer = rules.call("validate_move", asked, *source, *dest)
        if isinstance(answer, Failed):
            return answer.text
        right = (*source, *dest) in allowed
        if not fault and answer is not right and not goes_beside_blank(rows, source, dest):
            why = reason_of(rules, rows, *source, *dest)
            fault = f"validate_move{(*source, *dest)} is {answer!r} here; by the assignment {right}: {why}"
    return fault if asked == rows else "validate_move changes the tableau; by the assignment it only answers."


def check_move(rules: Montana, rows: Rows) -> str:
    """Return what move does or returns differently, or ""."""
    every_place, allowed = product(range(ROWS), range(COLUMNS), range(ROWS), range(COLUMNS)), allowed_places(rows)
    chosen = [places for places in every_place if is_blank(rows[places[2]][places[3]])]
    chosen.sort(key=lambda places: places not in allowed)
    for places in chosen[: 2 * ROWS]:
        trial, wanted = copy_rows(rows), copy_rows(rows)
        returned = rules.call("move", trial, *places)
        right, why = places in allowed, reason_of(rules, rows, *places)
        if isinstance(returned, Failed):
            return returned.text
        if right:
            swap(wanted, *places)
        if goes_beside_blank(rows, places[:2], places[2:]):
            continue
        if trial != wanted:
            did = "leaves the cards as they were" if trial == rows else "puts the cards in another order"
            should = "the card and the blank change places" if right else "nothing changes"
            return f"move{places} {did}; by the assignment {should}: {why}"
        if returned is not right:
            return f"move{places} returns {returned!r} here; by the assignment {right}: {why}"
    return ""


def check_won(rules: Montana, rows: Rows) -> str:
    """Return how check_win answers differently, or ""."""
    asked, right = copy_rows(rows), rules.check_win(rows)
    won = rules.call("check_win", asked)
    if isinstance(won, Failed):
        return won.text
    if asked != rows:
        return "check_win changes the tableau; by the assignment it only answers."
    where = "every row is" if right else "not every row is"
    told = f"check_win is {won!r} here; by the assignment {right}: {where} in order up to its King."
    return told if won is not right else ""


def check_shuffle(rules: Montana, rows: Rows) -> str:
    """Return what is wrong with a shuffle, or ""."""
    shuffled = []
    with preserve_random_state():
        for seed in (1, 2):
            random.seed(seed)
            trial = copy_rows(rows)
            failed = rules.call("shuffle_tableau", trial)
            if isinstance(failed, Failed):
                return failed.text
            shuffled.append(trial)
    fault, loose = fault_of_shuffle(rows, shuffled[0]), sum(COLUMNS - sequence_length(row) for row in rows)
    if loose > MANY and shuffled == [rows, rows]:
        fault = "leaves the tableau as it was; by the assignment it changes the list that it is given"
    elif loose > MANY and not fault and shuffled[0] == shuffled[1]:
        fault = "puts the cards into the same order each time; by the assignment they are shuffled"
    return fault and f"shuffle_tableau {fault}."


CHECKS: dict[str, Callable[[Montana, Rows], str]] = {
    "initialize": check_deal,
    "display": check_display,
    "validate_move": check_validate_move,
    "move": check_move,
    "check_win": check_won,
    "shuffle_tableau": check_shuffle,
}


def allowed_places(rows: Rows) -> set[tuple[int, ...]]:
    """Return the places, counted from 0, of every move that is allowed: from where and to where."""
    return {tuple(number - 1 for number in numbers) for _, *numbers in card_moves(rows)}


def reason_of(rules: Montana, rows: Rows, *places: int) -> str:
    """Return why a move between two places, counted from 0, is allowed or not."""
    card, dest = rows[places[0]][places[1]], rows[places[2]][places[3]]
    reason = rules.refusal(rows, "", *(place + 1 for place in places))
    if reason is None:
        return f"{card} goes there."
    if is_blank(card):
        return "there lies no card."
    return reason if is_blank(dest) else f"{card} goes only into a blank, and there lies {dest}."


def board_text(rows: Rows) -> str:
    """Return the board as the assignment prints it."""
    lines = ["    " + "".join(f"{column:3} " for column in range(1, COLUMNS + 1))]
    for number, row in enumerate(rows, start=1):
        lines.append(f"{number:3}:" + "".join("    " if is_blank(card) else f"{card!s:>4}" for card in row))
    return "\n".join(lines) + "\n"


def fault_of_deal(rows: Any) -> str:
    """Return what is wrong with the rows that initialize returned, or ""."""
    if isinstance(rows, Failed):
        return rows.text
    if not is_whole(rows):
        return "initialize does not return the 52 cards in 4 rows of 13: these are dealt by the assignment."
    pairs = [(card.rank(), card.suit()) for row in rows for card in row]
    pack = sorted(pairs, key=lambda pair: pair[::-1])
    return "initialize deals a deck that is not shuffled." if pairs in (pack, pack[::-1]) else ""


# The rules. Rows and columns are counted from 1, as in the moves.


def is_blank(card: Card) -> bool:
    """Return True if the card is an ace, which stands for a blank."""
    return card.rank() == BLANK


def follows(card: Card, left: Card) -> bool:
    """Return True if a card goes to the right of left: it has the same suit and is one rank higher."""
    return not is_blank(left) and card.suit() == left.suit() and card.rank() == left.rank() + 1


def sequence_length(row: list[Card]) -> int:
    """Return how many cards at the left end of a row are in sequence: 2, 3, 4, ... of one suit."""
    length = 0
    while length < len(row) and (follows(row[length], row[length - 1]) if length else row[0].rank() == TWO):
        length += 1
    return length


def swap(rows: Position, source_row: int, source_col: int, dest_row: int, dest_col: int) -> None:
    """Swap the cards in two places, counted from 0."""
    source, dest = rows[source_row], rows[dest_row]
    source[source_col], dest[dest_col] = dest[dest_col], source[source_col]


def copy_rows(tableau: Position) -> list[list[Card]]:
    """Return a plain list of the rows, with the same card objects."""
    return [row[:] for row in tableau]


def is_whole(rows: Any) -> bool:
    """Return True if these are 4 rows of 13 cards, with each card of a pack once."""
    if not isinstance(rows, list) or [len(row) for row in rows if isinstance(row, list)] != ROWS * [COLUMNS]:
        return False
    pairs = [(card.rank(), card.suit()) for row in rows for card in row if isinstance(card, cards.Card)]
    return len(rows) == ROWS and sorted(pairs) == sorted(Montana.PACK)


def fault_of_shuffle(before: list[list[Card]], after: Any) -> str:
    """Return what is wrong with a shuffle, or "" if sequences stay, one blank follows each, and no card is lost."""
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
    """Return True if a 2 would go beside a blank, which one version of the handout allows. Places are counted from
    0."""
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
    """Return a sort key for a move of a card: whether it breaks a sequence, whether it fails to extend one, and whether
    it leaves a blank that no card can fill. False sorts before True."""
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
