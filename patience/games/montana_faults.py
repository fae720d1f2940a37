"""What is wrong with a deal, a board or a shuffle of Montana, and why a move is refused: for the table, which tells a
student, and for the grader. By the assignment; rows are lists of (rank, suit)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from patience.decks import PACK
from patience.text import card_text

if TYPE_CHECKING:
    from cards import Card
    from patience import Pair, Position

ROWS, COLUMNS = 4, 13
BLANK, TWO = 1, 2
NO_TABLEAU = "does not leave a tableau, a list of lists of cards"
MOVES_SEQUENCE = "moves a sequence, or leaves a row that is not 13 cards long"
LOSES = "loses or adds cards"
LOSES_MORE = f"{LOSES}, and moves a sequence"
NO_BLANK = "does not leave one blank right after each sequence"
NOT_CHANGED = "leaves the tableau as it was"
NOT_ALL = "does not deal each of the 52 cards once"
NOT_SHUFFLED = "deals a deck that is not shuffled"
BY_COLUMNS = "deals column by column"
OTHER_ORDER = "deals in a different order, or shuffles differently"
Rows = Sequence  # of sequences of (rank, suit)


def rows_of(tableau: Position) -> Rows:
    """Return a tableau, a list of lists of cards, as rows of (rank, suit)."""
    return [[(card.rank(), card.suit()) for card in row] for row in tableau]


def swap(rows: Any, first: Pair, second: Pair) -> Any:
    """Return rows of anything with two places, (row, column) counted from 0, swapped."""
    changed = [list(row) for row in rows]
    (row, column), (other_row, other_column) = first, second
    changed[row][column], changed[other_row][other_column] = rows[other_row][other_column], rows[row][column]
    return changed


def canonical(position: Any) -> Any:
    """Return rows of (rank, suit) as a board shows them, with all aces equal; anything else unchanged."""
    if not isinstance(position, list):
        return position
    return [[pair if pair[0] != BLANK else [BLANK] for pair in map(list, row)] for row in position]


def sequence_length(row: Sequence[Pair]) -> int:
    """Return how many cards at the left end of a row are in sequence: 2, 3, 4, ... of one suit."""
    length = 0
    while length < len(row) and tuple(row[length]) == (TWO + length, row[0][1]):
        length += 1
    return length


def fault_in_cards(dealt: Rows) -> str:
    """Return what is wrong with the cards of a deal, or ""."""
    pairs = [tuple(pair) for row in dealt for pair in row]
    if Counter(pairs) != Counter(PACK):
        return NOT_ALL
    orders = pairs, [pair for column in zip(*dealt) for pair in map(tuple, column)]
    return NOT_SHUFFLED if any(order in (PACK, PACK[::-1]) for order in orders) else ""


def fault_in_deal(right: Rows, dealt: Rows) -> str:
    """Return what is wrong with the rows of a deal, or "". right: the rows that the same shuffle gives when it is dealt
    row by row."""
    pairs, wanted = [[tuple(pair) for row in rows for pair in row] for rows in (dealt, right)]
    by_columns = [pair for column in zip(*dealt) for pair in map(tuple, column)]
    fault = fault_in_cards(dealt)
    if fault and fault != fault_in_cards(right):
        return fault
    if [len(row) for row in dealt] == [COLUMNS] * ROWS and pairs == wanted:
        return ""
    return BY_COLUMNS if by_columns == wanted else OTHER_ORDER


def fault_in_rows(before: Rows, after: Any) -> str:
    """Return what is wrong with the rows of a shuffle, or "": sequences must stay, with one blank after each."""
    for row, old in zip(after, before):
        kept = sequence_length(old)
        if [*map(tuple, row[:kept])] != old[:kept] or len(row) != COLUMNS or len(after) != ROWS:
            return MOVES_SEQUENCE
        if [place for place, pair in enumerate(row) if pair[0] == BLANK] != [kept]:
            return NO_BLANK
    return ""


def fault_in_shuffle(before: Rows, after: Any) -> str:
    """Return what is wrong with a shuffle of rows, or "". It is judged only by what it must keep, because the
    assignment does not specify the order in which cards are dealt again."""
    try:
        if sorted(tuple(pair) for row in after for pair in row) != sorted(pair for row in before for pair in row):
            return LOSES if fault_in_rows(before, after) in ("", NO_BLANK) else LOSES_MORE
    except TypeError:
        return NO_TABLEAU
    is_won = all(sequence_length(row) == COLUMNS - 1 for row in before)
    if [[*map(tuple, row)] for row in after] == before and not is_won:
        return NOT_CHANGED
    return fault_in_rows(before, after)


def where_it_differs(right: Any, position: Any) -> str:
    """Return the first place of a tableau that is wrong, after a colon."""
    pairs = ((row, column, pair) for row, pairs in enumerate(right) for column, pair in enumerate(pairs))
    for row, column, pair in pairs:
        there = position[row][column] if row < len(position) and column < len(position[row]) else None
        if there is None or canonical([[pair]]) != canonical([[there]]):
            shown = ["nothing" if one is None else card_text(tuple(one)) for one in (there, pair)]
            return f": tableau[{row}][{column}] is {shown[0]}, not {shown[1]}"
    return ": it has more rows or columns"


def is_blank(card: Card) -> bool:
    """Return True if the card is an ace, which stands for a blank."""
    return card.rank() == BLANK


def follows(card: Card, left: Card) -> bool:
    """Return True if a card goes to the right of left: it has the same suit and is one rank higher."""
    return not is_blank(left) and card.suit() == left.suit() and card.rank() == left.rank() + 1


def goes_beside_blank(tableau: Position, source: Pair, dest: Pair) -> bool:
    """Return True if a 2 would go beside a blank, which one version of the handout allows. Places count from 0."""
    beside = [tableau[row][column] for row, column in ((dest[0], max(dest[1] - 1, 0)), dest)]
    return bool(tableau[source[0]][source[1]].rank() == TWO and all(map(is_blank, beside)))


def why_refused(tableau: Position, *places: int) -> tuple[str, str]:
    """Return the kind of refusal that a move gets, and the reason, naming what is wrong: the suit, the rank or the
    place; or that the move is allowed, and "". places: those of validate_move, which exist."""
    source_row, source_col, dest_row, dest_col = places
    card, there = tableau[source_row][source_col], tableau[dest_row][dest_col]
    if is_blank(card):
        return "a blank is moved", "there is no card to move."
    if not is_blank(there):
        return "the place is not blank", f"a card goes only into a blank, but {there} is there."
    if card.rank() == TWO:
        only = f"{card} goes only into a blank in the leftmost column."
        return ("a 2 after the first column", only) if dest_col else ("a card is allowed", "")
    if not dest_col:
        return "a card other than a 2 in the first column", f"only a 2 goes into the first column, not {card}."
    left = tableau[dest_row][dest_col - 1]
    if is_blank(left):
        return "a card beside a blank", f"{card} cannot go after a blank."
    if follows(card, left):
        return "a card is allowed", ""
    wrong = [
        name
        for name, value, of in (("suit", card.suit(), left.suit()), ("rank", card.rank(), left.rank() + 1))
        if value != of
    ]
    what = " and ".join(wrong)
    return f"the wrong {what}", f"{card} has the wrong {what} to go after {left}."


def place_of(tableau: Position, card: Card) -> str:
    """Return where a card other than a 2 goes: `8♠, into row 2, column 7, where 5♥ is`. Places count from 1."""
    for number, row in enumerate(tableau, start=1):
        for column, left in enumerate(row):
            if follows(card, left):
                if column == len(row) - 1:
                    return f"{left}, which is last in row {number}"
                right = row[column + 1]
                if right == card:
                    return f"{left}, where it already is"
                occupied_by = "" if is_blank(right) else f", where {right} is"
                return f"{left}, into row {number}, column {column + 2}{occupied_by}"
    return "the card of its suit that is one lower"
