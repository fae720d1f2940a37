"""The rules by which the functions of Montana's assignment are judged: each with calls on both sides of it, what it
allows and its near miss, so that a function that always says the same keeps none."""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import cards
import montana
from patience.decks import PACK
from patience.games.montana_faults import COLUMNS, ROWS, fault_in_cards, rows_of, sequence_length, swap
from patience.games.montana_faults import BLANK, NO_TABLEAU, NOT_ALL, canonical, where_it_differs
from patience.grading.courses.function_calls import Call, Case, Rows, Rule

if TYPE_CHECKING:
    from cards import Card
    from patience import Pair, Position
    from patience.grading.box.programs import Answer

BOARDS = 40  # that are played at random
MOST_MOVES = 40  # before a call
OF_BOARD, OF_SIDE = 2, 8  # calls of one kind: on a board, and in all
KING = 13
PLACES = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
INTO_BLANK, FIRST, HIGHER, BESIDE, BLANK_STAYS = (
    "only into a blank", "only 2s go into the first column, and only there",
    "to the right of the card one rank lower in its suit", "nothing goes after a King or a blank",
    "a blank is not moved",
)  # fmt: skip
PLACES_FROM_0, BOOLEAN = "places count from 0, the source first", "returns True or False"
NO_DEAL = "does not return a list of lists of cards"
WAYS = {  # other ways to take the places of a move: what they are called -> the arguments from ours
    "It counts rows and columns from 1.": lambda row, column, *dest: (row + 1, column + 1, dest[0] + 1, dest[1] + 1),
    "It takes the destination before the source.": lambda row, column, *dest: (*dest, row, column),
    "It takes columns before rows.": lambda row, column, *dest: (column, row, dest[1], dest[0]),
}


def as_cards(rows: Rows) -> list[list[Card]]:
    """Return rows of (rank, suit) as rows of cards."""
    return [[cards.Card(*pair) for pair in row] for row in rows]


def fixed(rows: Rows) -> Rows:
    """Return rows that can be the key of a dictionary."""
    return tuple(map(tuple, rows))


@functools.cache
def rules_of(seed: int) -> tuple[Rule, ...]:
    """Return the rules, function by function. seed: decides the boards."""
    chance = random.Random(seed)
    boards = [board(chance) for _ in range(BOARDS)]
    return (*rules_of_initialize(chance), *rules_of_moves(boards), *rules_of_wins(boards), *rules_of_shuffles(boards))


def board(chance: random.Random) -> Rows:
    """Return a board after some legal moves."""
    pack = list(PACK)
    chance.shuffle(pack)
    tableau = as_cards([pack[COLUMNS * row : COLUMNS * (row + 1)] for row in range(ROWS)])
    for _ in range(chance.randrange(MOST_MOVES)):
        blanks = [place for place in PLACES if montana.is_blank(tableau[place[0]][place[1]])]
        moves = [(*source, *dest) for source in PLACES for dest in blanks]
        legal = [move for move in moves if montana.validate_move(tableau, *move)]
        if not legal:
            break
        montana.move(tableau, *chance.choice(legal))
    return rows_of(tableau)


# initialize


def rules_of_initialize(chance: random.Random) -> Iterator[Rule]:
    """Yield the rules of initialize."""
    decks = [chance.sample(PACK, len(PACK)) for _ in range(2)]
    dealt = [Case(Call("initialize", deck=tuple(deck)), deck) for deck in decks]
    yield Rule("initialize", "4 rows of 13 cards", dealt, fault_of_shape)
    yield Rule("initialize", "each card of the deck once", dealt, fault_of_pack)
    yield Rule("initialize", "row by row, from left to right", dealt, fault_of_order)
    own = [Case(Call("initialize", seed=number), None) for number in (7, 8)]
    yield Rule("initialize", "the deck is shuffled", own, fault_of_chance)


def fault_of_shape(case: Case, answer: Answer) -> str:
    """Return what is wrong with the rows of a deal."""
    if answer.position is None:
        return NO_DEAL
    lengths = [len(row) for row in answer.position]
    return "" if lengths == [COLUMNS] * ROWS else f"returns rows of {', '.join(map(str, lengths)) or 'no'} cards"


def fault_of_pack(case: Case, answer: Answer) -> str:
    """Return what is wrong with the cards of a deal."""
    pairs = [tuple(pair) for row in answer.position or [] for pair in row]
    return "" if sorted(pairs) == sorted(PACK) else NOT_ALL


def fault_of_order(case: Case, answer: Answer) -> str:
    """Return what is wrong with the order of a deal."""
    pairs = [tuple(pair) for row in answer.position or [] for pair in row]
    return "" if pairs == case.right else "deals the cards of the deck in a different order"


def fault_of_chance(case: Case, answer: Answer) -> str:
    """Return what is wrong with a deal of a deck that the function shuffles itself."""
    return fault_in_cards(answer.position) if answer.position else NO_DEAL


# validate_move and move


def rules_of_moves(boards: list[Rows]) -> Iterator[Rule]:
    """Yield the rules of validate_move and of move."""
    found: dict[Kind, list[Case]] = {}
    for rows in boards:
        tableau, given, of_board = as_cards(rows), fixed(rows), Counter[Kind]()
        for source, dest in itertools.product(PLACES, PLACES):
            kind = kind_of(tableau, source, dest)
            same = found.setdefault(kind, []) if kind else []
            if kind and len(same) < OF_SIDE and of_board[kind] < OF_BOARD:
                of_board[kind] += 1
                same.append(Case(Call("validate_move", given, (*source, *dest)), kind.is_allowed))
    allowed = [case for kind, some in found.items() if kind.is_allowed for case in some]
    for name in (INTO_BLANK, FIRST, HIGHER, BESIDE, BLANK_STAYS):
        cases = [case for kind, some in found.items() if kind.rule == name for case in some]
        yield Rule("validate_move", name, cases, fault_of_truth, beside=allowed)
    every = [case for cases in found.values() for case in cases[:3]]
    yield Rule("validate_move", f"{PLACES_FROM_0}; {BOOLEAN}", every, fault_of_form, is_form=True, is_way=True)
    moves = [Case(case.call._replace(function="move"), case.right) for case in every]
    valid = [case for case in moves if case.right]
    refused = [case for case in moves if not case.right]
    yield Rule("move", "a valid move swaps the card and the blank", valid, fault_of_board, 2)
    yield Rule("move", "an invalid move changes nothing", refused, fault_of_board, 2, beside=valid)
    yield Rule("move", PLACES_FROM_0, [], fault_of_board, is_form=True, is_way=True)
    yield Rule("move", "returns whether the move is valid", moves, fault_of_truth, 3)


class Kind(NamedTuple):
    """What a move shows."""

    rule: str
    is_allowed: bool
    how: str = ""  # it nearly keeps the rule


def kind_of(tableau: Position, source: Pair, dest: Pair) -> Kind | None:
    """Return what a move of these places shows; or None if it shows nothing, or the handout leaves it open: a 2 beside
    a blank."""
    card, there = tableau[source[0]][source[1]], tableau[dest[0]][dest[1]]
    left = tableau[dest[0]][dest[1] - 1] if dest[1] else None
    fits = montana.follows(card, left) if left else card.rank() == montana.TWO
    if source == dest:
        return None
    if montana.is_blank(card):
        return Kind(BLANK_STAYS, False, "later" if left else "first") if montana.is_blank(there) else None
    if not montana.is_blank(there):
        return Kind(INTO_BLANK, False, "first" if not left else "later") if fits else None
    if not left:
        return Kind(FIRST, fits, f"{montana.follows(card, tableau[dest[0]][-1])}")  # -1: that would be left of it
    if card.rank() == montana.TWO:
        return None if montana.is_blank(left) else Kind(FIRST, False, "another place")
    if left.rank() in (BLANK, KING):
        return Kind(BESIDE, False, str(left.rank()))
    if fits:
        is_king, is_last, is_same = card.rank() == KING, dest[1] == COLUMNS - 1, source[0] == dest[0]
        return Kind(HIGHER, True, f"{is_king} {is_last} {is_same}")
    if card.suit() == left.suit():
        return Kind(HIGHER, False, "lower" if card.rank() < left.rank() else "higher")
    return Kind(HIGHER, False, "in another suit") if card.rank() == left.rank() + 1 else None


def fault_of_truth(case: Case, answer: Answer) -> str:
    """Return what is wrong with an answer that is yes or no."""
    if answer.value in (True, False, None) and bool(answer.value) is case.right:
        return ""
    return f"returned {answer.value!r}; it should be {case.right}"


def fault_of_form(case: Case, answer: Answer) -> str:
    """Return what is returned in place of True or False."""
    return "" if isinstance(answer.value, bool) else f"returned {answer.value!r}; it should be True or False"


def fault_of_board(case: Case, answer: Answer) -> str:
    """Return what is wrong with the board that move leaves."""
    rows, (row, column, *dest) = case.call.rows or [], case.call.arguments
    right = swap(rows, (row, column), (dest[0], dest[1])) if case.right else rows
    if answer.position is None:
        return NO_TABLEAU
    if canonical([*answer.position]) == canonical([*right]):
        return ""
    return f"leaves a different board{where_it_differs(right, answer.position)}"


# check_win


def rules_of_wins(boards: list[Rows]) -> Iterator[Rule]:
    """Yield the rules of check_win: each has a won board beside its near misses."""
    orders = [
        [[(rank, suit) for rank in [*range(2, 14), BLANK]] for suit in suits] for suits in ((1, 2, 3, 4), (4, 2, 3, 1))
    ]
    other_ace = [[*row[:-1], (BLANK, 1 + number)] for number, row in enumerate(orders[1])]
    rows = orders[0]
    rules = {  # name -> boards that are won, and their near misses
        "any order of the suits, any ace at the end": ([*orders, other_ace], boards[:3]),
        "every row counts": ([rows], [swap(rows, (row, 3), (row, 4)) for row in range(ROWS)]),
        "each row is one suit": ([rows], [swap_in_rows(rows, 5, 5, below=1)]),
        "each row is in order, up to the King": ([rows], [swap_in_rows(rows, 10, 11), swap_in_rows(rows, 11, 12)]),
        "each row begins with a 2": ([rows], [swap_in_rows(rows, 0, 12)]),
        BOOLEAN: ([rows], boards[:1]),
    }
    for name, (won, wrong) in rules.items():
        cases = [Case(Call("check_win", fixed(one)), True) for one in won]
        cases += [Case(Call("check_win", fixed(one)), False) for one in wrong]
        is_form = name == BOOLEAN
        yield Rule("check_win", name, cases, fault_of_form if is_form else fault_of_truth, is_form=is_form)


def swap_in_rows(rows: Rows, column: int, other: int, below: int = 0) -> Rows:
    """Return rows of which each has exchanged its card in one column with that in another, of the row so many below."""
    every = range(0, ROWS, 1 + below)
    return functools.reduce(lambda one, row: swap(one, (row, column), (row + below, other)), every, rows)


# shuffle_tableau


def rules_of_shuffles(boards: list[Rows]) -> Iterator[Rule]:
    """Yield the rules of shuffle_tableau. One that leaves the board as it was keeps none."""
    longest = sorted(boards, key=lambda rows: -sum(map(sequence_length, rows)))
    given = [*longest[:4], with_finished_row(longest[0])]
    cases = [Case(Call("shuffle_tableau", fixed(rows), seed=seed), None) for rows in given for seed in (1, 100)]
    yield Rule("shuffle_tableau", "sequences stay", cases, fault_of_sequences)
    yield Rule("shuffle_tableau", "all other cards are shuffled", cases, fault_of_others)
    yield Rule("shuffle_tableau", "no card is lost or added", cases, fault_of_cards)
    yield Rule("shuffle_tableau", "one blank in each row, right after its sequence", cases, fault_of_blanks)
    yield Rule("shuffle_tableau", "4 rows of 13 places", cases, fault_of_rows)
    yield Rule("shuffle_tableau", "the tableau itself is changed", cases, fault_of_place)


def shuffled(case: Case, answer: Answer) -> Any:
    """Return the rows of a shuffle, which may be returned instead; or None if nothing was shuffled."""
    return next((rows for rows in (answer.position, answer.returned) if rows not in (None, case.call.rows)), None)


NOTHING = "shuffles nothing"


def with_finished_row(rows: Rows) -> Rows:
    """Return rows of which the first is finished: each card that it takes is exchanged with the one in its place."""
    suit = rows[0][0][1]
    for column, pair in enumerate([*((rank, suit) for rank in range(montana.TWO, KING + 1)), (BLANK, suit)]):
        place = next(place for place in PLACES if rows[place[0]][place[1]] == pair)
        rows = swap(rows, (0, column), place)
    return rows


def loose_cards(rows: Rows, lengths: Sequence[int]) -> list[Pair]:
    """Return the cards after sequences of these lengths, without the blanks."""
    return [pair for row, length in zip(rows, lengths) for pair in row[length:] if pair[0] != BLANK]


def fault_of_others(case: Case, answer: Answer) -> str:
    """Return whether the cards after the sequences are only pushed together."""
    rows, old = shuffled(case, answer), case.call.rows or []
    if rows is None:
        return NOTHING
    lengths = [*map(sequence_length, old)]
    return "leaves the other cards in the same order" if loose_cards(rows, lengths) == loose_cards(old, lengths) else ""


def fault_of_sequences(case: Case, answer: Answer) -> str:
    """Return which sequence is moved."""
    rows = shuffled(case, answer)
    if rows is None:
        return NOTHING
    for number, old in enumerate(case.call.rows or []):
        if number >= len(rows) or rows[number][: sequence_length(old)] != old[: sequence_length(old)]:
            return f"moves the sequence of tableau[{number}]"
    return ""


def fault_of_cards(case: Case, answer: Answer) -> str:
    """Return whether cards are lost or added."""
    rows = shuffled(case, answer)
    if rows is None:
        return NOTHING
    return "" if sorted(itertools.chain(*rows)) == sorted(PACK) else "loses or adds cards"


def fault_of_blanks(case: Case, answer: Answer) -> str:
    """Return where the blank is wrong."""
    rows = shuffled(case, answer)
    if rows is None:
        return NOTHING
    for number, old in enumerate(case.call.rows or []):
        blanks = [place for place, pair in enumerate(rows[number]) if pair[0] == BLANK] if number < len(rows) else []
        if blanks != [sequence_length(old)]:
            return f"does not leave one blank right after the sequence of tableau[{number}]"
    return ""


def fault_of_rows(case: Case, answer: Answer) -> str:
    """Return how long the rows are, if they are not 13 places long."""
    rows = shuffled(case, answer)
    if rows is None:
        return NOTHING
    lengths = [len(row) for row in rows]
    return "" if lengths == [COLUMNS] * ROWS else f"leaves rows of {', '.join(map(str, lengths))} places"


def fault_of_place(case: Case, answer: Answer) -> str:
    """Return whether the given tableau is left as it was."""
    if shuffled(case, answer) is None:
        return NOTHING
    is_changed = shuffled(case, answer._replace(returned=None)) is not None
    return "" if is_changed else "returns a shuffled tableau, and leaves the given one as it was"
