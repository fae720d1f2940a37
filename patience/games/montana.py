"""What the table knows about Montana, whether this project or a student wrote its module.

The assignment's tableau is a plain list of rows, and its main() counts the shuffles. Here a position is such a list,
but it also knows how many shuffles are left. A move of a card is ("", source row, source column, destination row,
destination column), counted from 1, and the shuffle is SHUFFLE. What is dealt, allowed, won and shuffled is asked of
montana.py's functions, on copies. A student's file is played by montana.py, too: its functions are called beside ours,
on copies, and remarks() says where they answer differently.
"""

from __future__ import annotations

import contextlib
import copy
import io
import os
import random
import time
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import cards
import montana
from patience.arrangement import BESIDE, Line
from patience.decks import dealing
from patience.games import montana_faults as faults
from patience.games.montana_faults import BLANK, COLUMNS, ROWS, TWO, follows, goes_beside_blank, is_blank, place_of
from patience.games.montana_faults import rows_of, sequence_length, why_refused
from patience.limits import SECONDS, call_limited
from patience.rules import Rules, describe_error
from patience.positions import preserve_random_state

if TYPE_CHECKING:
    from types import ModuleType

    from cards import Card
    from patience import Move, Position

SHUFFLES = str(getattr(montana, "SHUFFLES", 2))
KING = 13
SHUFFLE = ("S",)  # every other move moves a single card
MANY = 10  # so many loose cards that two shuffles will not give the same order
NO_SHUFFLES = "No more shuffles remain."
NOT_EXPLAINED = "validate_move does not allow it."  # the rules of montana.py were changed
PLACES = [*product(range(ROWS), range(COLUMNS))]
Tableaus = list  # of lists of cards, with or without the number of shuffles left


class Failed(NamedTuple):
    """The result of a function that is missing or raises an error."""

    text: str


class Tableau(list):
    """The 4 rows of 13 cards, and the number of shuffles left."""

    shuffles_left = int(SHUFFLES)


class Montana(Rules):
    """Montana at the table; game is a position. A plain list of lists keeps no count, so shuffles are always left."""

    COMMANDS = """\
4 13 1 10   move the card in row 4, column 13 to the blank in row 1, column 10
S           shuffle the cards outside sequences, while shuffles are left
"""
    OPTIONS = {"shuffles": tuple(dict.fromkeys((SHUFFLES, "2", "3", "0")))}
    STUCK = "No card can move, and no shuffles remain."
    ARRANGEMENT = (Line("row", (0, 0), BESIDE),)

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.name = montana.__name__  # also for a student's file
        self.TITLE = "Montana Solitaire."
        self.fault_of_deal: str | None = None  # "" for none; None before the first deal
        self.told: set[str] = set()  # the kinds of faults that remarks has returned

    @property
    def is_students(self) -> bool:
        """True if the module is a student's, which is compared with montana.py."""
        return self.module is not montana

    def initialize(self, shuffles: str = SHUFFLES, **_: Any) -> Position:
        """Return a new tableau. shuffles: how many, one of the choices in OPTIONS."""
        tableau = Tableau(montana.initialize())
        tableau.shuffles_left = int(shuffles)
        if self.is_students and self.fault_of_deal is None:  # later deals, and those dealt again, are no other
            self.fault_of_deal = fault_of_deal(self, rows_of(tableau))
        return tableau

    def display(self, game: Position) -> None:
        """Print the board that the module's display prints or, if that ends in an error, montana.py's."""
        text = io.StringIO()
        if self.is_students and not isinstance(self.call("display", fresh_rows(game), out=text), Failed):
            print(text.getvalue(), end="")
        else:
            montana.display(game)

    def refusal(self, game: Position, word: str, *numbers: int) -> str | None:
        """Return a sentence saying why a move is not allowed, or None if it is allowed."""
        if not numbers:
            return None if shuffles_left(game) else NO_SHUFFLES
        for row, column in (numbers[:2], numbers[2:]):
            if not (1 <= row <= len(game) and 1 <= column <= len(game[row - 1])):
                return f"There is no row {row}, column {column}."
        return None if is_allowed(copy_rows(game), *places_of(numbers)) else reason_against(game, *places_of(numbers))

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
        """Make a legal move. Return "": there is no message about it."""
        rows = copy_rows(game)
        if numbers:
            montana.move(rows, *places_of(numbers))
        else:
            montana.shuffle_tableau(rows)
        game[:] = rows
        if not numbers and isinstance(game, Tableau):
            game.shuffles_left -= 1
        return ""

    def check_win(self, game: Position) -> bool:
        """Return True if the game is won."""
        return bool(montana.check_win(copy_rows(game)))

    def check_loss(self, game: Position) -> None:
        """Return None: in the assignment the game is never lost; the player quits."""

    def remarks(self, game: Position) -> list[str]:
        """Return a line for each way in which a student's functions differ from the assignment's on this board, but
        only once for each kind of difference."""
        new = []
        for kind, check in CHECKS.items() if self.is_students else ():
            if kind not in self.told and (fault := check(self, copy_rows(game))):
                self.told.add(kind)
                new.append(fault)
        return new

    def call(self, name: str, *arguments: Any, out: io.StringIO | None = None) -> Any:
        """Return the result of a function in the module, or Failed if it is missing, raises an error, ends the program
        or does not come back. out: receives what the function prints."""
        function: Callable[..., Any] | None = getattr(self.module, name, None)
        if function is None:
            return Failed(f"{os.path.basename(str(self.module.__file__))} has no {name}.")
        try:
            with contextlib.redirect_stdout(out or io.StringIO()), preserve_random_state():
                return call_limited(name, function, *arguments)
        except Exception as error:
            places = ", ".join(str(one) for one in arguments if isinstance(one, int))
            told = f"{name}({places}) raises an error; it should not."
            return Failed(f"{told}\n{describe_error(error, self.module.__name__)}")

    # What the table shows

    def finished(self, game: Position) -> list[Card]:
        """Return the cards that are in sequence."""
        return [card for row in game for card in row[: length_of(row)]]

    def blanks(self, game: Position) -> list[Card]:
        """Return the aces, which stand for blanks."""
        return [card for row in game for card in row if is_blank(card)]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed, most useful first; the shuffle is the last resort."""
        if self.check_win(game):
            return []
        moves = sorted(card_moves(game), key=lambda chosen: worth(game, *chosen[1:]))
        return [*moves, SHUFFLE] if shuffles_left(game) else moves

    def status(self, game: Position) -> list[str]:
        """Return the number of shuffles left, which the board does not show."""
        left = shuffles_left(game)
        return [f"{left} shuffle{'' if left == 1 else 's'} left"]

    def describe(self, game: Position, word: str, *numbers: int) -> str:
        """Describe what a legal move does: `3♣ after 2♣`, `2♥ to row 4`, or the shuffle."""
        if not numbers:
            return f"shuffle the cards that are not in a sequence (shuffles left: {shuffles_left(game)})"
        source_row, source_col, dest_row, dest_col = numbers
        card = game[source_row - 1][source_col - 1]
        if dest_col == 1:
            return f"{card} to row {dest_row}"
        return f"{card} after {game[dest_row - 1][dest_col - 2]}"

    def reason(self, game: Position, word: str, *numbers: int) -> str:
        """Return in a few words what a legal move achieves, or ""."""
        if not numbers:
            return ""
        source_row, source_col, dest_row, dest_col = numbers
        if dest_col == length_of(game[dest_row - 1]) + 1:
            return f"{'continues' if dest_col > 1 else 'begins'} the sequence of row {dest_row}"
        moving, left = game[source_row - 1][source_col - 1], left_of_source(game, *numbers)
        for row in game:
            for card in row:
                fits = card.rank() == TWO if left is None else follows(card, left)
                if fits and card is not moving:
                    return f"opens a blank that {card} can fill"
        return ""


# Comparisons with the assignment, on the current board. rows: a plain copy of that board.


def fault_of_deal(rules: Montana, right: faults.Rows) -> str:
    """Return what is wrong with a student's deals, or "": with one of the same cards, which their deck deals in this
    order, and with one that they shuffle themselves, unless a deck is given. right: what montana.py dealt."""
    has_own = not cards.Deck().is_empty()
    with dealing([pair for row in right for pair in row], rules.module):
        given = rules.call("initialize")
    own = rules.call("initialize") if has_own and not isinstance(given, Failed) else given
    for rows in given, own:
        if isinstance(rows, Failed):
            return rows.text
    try:
        fault = faults.fault_in_deal(right, rows_of(given)) or has_own and faults.fault_in_cards(rows_of(own))
    except (TypeError, AttributeError):
        return "initialize does not return a list of lists of cards."
    return f"initialize {fault}; the table deals the cards as the assignment says." if fault else ""


def check_deal(rules: Montana, rows: Tableaus) -> str:
    """Return what was wrong with the deal, or ""."""
    return rules.fault_of_deal or ""


def check_display(rules: Montana, rows: Tableaus) -> str:
    """Return what is wrong with the printed board, or ""."""
    printed, right = io.StringIO(), io.StringIO()
    failed = rules.call("display", fresh_rows(rows), out=printed)
    if isinstance(failed, Failed):
        return failed.text
    with contextlib.redirect_stdout(right):
        montana.display(rows)
    shown, wanted = (
        [line.rstrip() for line in text.getvalue().split("\n") if line.strip()] for text in (printed, right)
    )
    if not shown:
        return "display prints nothing; it should print the tableau."
    for line, other in zip([*shown, ""], [*wanted, ""]):
        if line != other:
            return f"display prints this line:\n{line}\nIt should be:\n{other}"
    return ""


def check_validate_move(rules: Montana, rows: Tableaus) -> str:
    """Return how validate_move answers differently, or ""."""
    by_blank = sorted(PLACES, key=lambda place: not is_blank(rows[place[0]][place[1]]))
    asked, ours, fault = fresh_rows(rows), copy_rows(rows), ""
    end = time.monotonic() + SECONDS
    for dest, source in product(by_blank, PLACES):
        if time.monotonic() > end:  # each call is quick enough, but not all of them
            break
        answer = rules.call("validate_move", asked, *source, *dest)
        if isinstance(answer, Failed):
            return answer.text
        right = is_allowed(ours, *source, *dest)
        if not fault and answer is not right and not goes_beside_blank(rows, source, dest):
            told = f"validate_move{(*source, *dest)} is {answer!r} here; it should be {right}"
            fault = f"{told}: {why(rows, *source, *dest)}"
    return fault if asked == rows else "validate_move changes the tableau; it should only answer."


def check_move(rules: Montana, rows: Tableaus) -> str:
    """Return what move does or returns differently, or ""."""
    chosen = [(*source, *dest) for source, dest in product(PLACES, PLACES) if is_blank(rows[dest[0]][dest[1]])]
    chosen.sort(key=lambda places: not is_allowed(copy_rows(rows), *places))
    for places in chosen[: 2 * ROWS]:
        trial, wanted = fresh_rows(rows), copy_rows(rows)
        returned, right = rules.call("move", trial, *places), montana.move(wanted, *places)
        if isinstance(returned, Failed):
            return returned.text
        if goes_beside_blank(rows, places[:2], places[2:]):
            continue
        if trial != wanted:
            did = "leaves the cards as they were" if trial == rows else "puts the cards in another order"
            should = "the card and the blank should change places" if right else "nothing should change"
            return f"move{places} {did}; {should}: {why(rows, *places)}"
        if returned is not right:
            return f"move{places} returns {returned!r} here; it should return {right}: {why(rows, *places)}"
    return ""


def check_won(rules: Montana, rows: Tableaus) -> str:
    """Return how check_win answers differently, or ""."""
    asked, right = fresh_rows(rows), rules.check_win(rows)
    won = rules.call("check_win", asked)
    if isinstance(won, Failed):
        return won.text
    if asked != rows:
        return "check_win changes the tableau; it should only answer."
    where = "every row is" if right else "not every row is"
    told = f"check_win is {won!r} here; it should be {right}: {where} in order up to its King."
    return told if won is not right else ""


def check_shuffle(rules: Montana, rows: Tableaus) -> str:
    """Return what is wrong with a shuffle, or ""."""
    shuffled = []
    with preserve_random_state():
        for seed in (1, 2):
            random.seed(seed)
            trial = fresh_rows(rows)
            failed = rules.call("shuffle_tableau", trial)
            if isinstance(failed, Failed):
                return failed.text
            shuffled.append(trial)
    before, loose = rows_of(rows), sum(COLUMNS - length_of(row) for row in rows)
    try:
        fault = faults.fault_in_shuffle(before, rows_of(shuffled[0]))
    except (TypeError, AttributeError):
        fault = faults.NO_TABLEAU
    if fault == faults.NOT_CHANGED and loose <= MANY:
        fault = ""
    elif loose > MANY and not fault and shuffled[0] == shuffled[1]:
        fault = "puts the cards into the same order each time; it should shuffle them"
    return fault and f"shuffle_tableau {fault}."


CHECKS: dict[str, Callable[[Montana, Tableaus], str]] = {
    "initialize": check_deal,
    "display": check_display,
    "validate_move": check_validate_move,
    "move": check_move,
    "check_win": check_won,
    "shuffle_tableau": check_shuffle,
}


def why(rows: Tableaus, *places: int) -> str:
    """Return why a move between two places, counted from 0, is allowed or not."""
    _, reason = why_refused(rows, *places)
    return reason or f"{rows[places[0]][places[1]]} goes there."


# Moves


def places_of(numbers: tuple[int, ...]) -> list[int]:
    """Return the numbers of a move as montana.py counts them, from 0."""
    return [number - 1 for number in numbers]


def is_allowed(rows: Tableaus, *places: int) -> bool:
    """Return True if montana.py allows a move between two places, counted from 0. rows: a copy."""
    return bool(montana.validate_move(rows, *places))


def reason_against(game: Position, *places: int) -> str:
    """Return a sentence saying why montana.py does not allow a move between two places, counted from 0. If its rules
    were changed, so that the sentence could be false, say only that it is so."""
    card, rows, source = game[places[0]][places[1]], copy_rows(game), places[:2]
    kind, reason = why_refused(game, *places)
    for dest in blank_places(game):
        if is_allowed(rows, *source, *dest) == bool(why_refused(game, *source, *dest)[1]):
            return NOT_EXPLAINED
    if not reason:
        return NOT_EXPLAINED
    if is_blank(card) or card.rank() == TWO or kind == "the place is not blank":
        return reason[:1].upper() + reason[1:]
    return f"{card} goes only after {place_of(game, card)}."


def blank_places(tableau: Position) -> list[tuple[int, int]]:
    """Return the places of the blanks, counted from 0."""
    return [(row, column) for row, there in enumerate(tableau) for column, card in enumerate(there) if is_blank(card)]


def shuffles_left(tableau: Position) -> int:
    """Return how many shuffles are left."""
    return getattr(tableau, "shuffles_left", int(SHUFFLES))


def copy_rows(tableau: Position) -> list[list[Card]]:
    """Return a plain list of the rows, with the same card objects."""
    return [row[:] for row in tableau]


def fresh_rows(tableau: Position) -> list[list[Card]]:
    """Return a plain list of the rows, with cards of its own, for a student's function."""
    return [[*map(copy.copy, row)] for row in tableau]


def length_of(row: list[Card]) -> int:
    """Return how many cards at the left end of a row are in sequence."""
    return sequence_length(rows_of([row])[0])


def card_moves(tableau: Position) -> list[Move]:
    """Return every move of a card into a blank that montana.py allows."""
    rows = copy_rows(tableau)
    sources = [(row, column) for row, there in enumerate(rows) for column, _ in enumerate(there)]
    return [
        ("", source[0] + 1, source[1] + 1, dest[0] + 1, dest[1] + 1)
        for dest in blank_places(rows)
        for source in sources
        if is_allowed(rows, *source, *dest)
    ]


def worth(tableau: Position, source_row: int, source_col: int, dest_row: int, dest_col: int) -> tuple[bool, bool, bool]:
    """Return a sort key for a move of a card: whether it breaks a sequence, whether it fails to extend one, and whether
    it leaves a blank that no card can fill. False sorts before True."""
    breaks_sequence = source_col <= length_of(tableau[source_row - 1])
    makes_sequence = dest_col == length_of(tableau[dest_row - 1]) + 1
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
