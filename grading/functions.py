"""The six functions of Montana's assignment, checked one by one. Each check is a sentence, a call, and what is right.

What is right stays here: the box is told what to call, and answers with what came of it. What the assignment leaves
open is not asked: rows that end after the King.
"""

import importlib.util
import itertools
import random
from collections import namedtuple
from functools import partial

from grading.mirror import flat
from grading.sessions import Unusable
from patience.text import SUITS, card_of, card_text
from patience.text import printable

# board: rows of (rank, suit), or None for a function without a tableau. right: a function of the answer of
# inside.perform that returns "" or what the function does wrong, words that follow its call. reason: why that is right.
# row: of the board, the one that decides, from 0, or None. is_kept: True if who does nothing is right.
Check = namedtuple(
    "Check", "sentence function board arguments seed right reason row is_kept", defaults=["", None, False]
)

NAMES = (b"initialize", b"display", b"validate_move", b"move", b"check_win", b"shuffle_tableau")
ROWS, COLUMNS, BLANK, TWO = 4, 13, 1, 2


def laid_out(text):
    """Return the board that a text shows: rows of (rank, suit)."""
    return [[card_of(name) for name in row.split()] for row in text.strip().splitlines()]


BOARD = laid_out("""
2C 3C 4C AC 6C 7C 8C 9C 10C JC QC KC 5H
2D KD AD 3D 4D 5D 6D 7D 8D 9D 10D JD QD
AH 3H 2H 4H 6H 7H 8H 9H 10H JH QH KH 5C
3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 2S AS
""")


def swapped(board, first, second):
    """Return a board with the cards of two places, (row, column), in each other's place."""
    changed = [list(row) for row in board]
    (one, here), (other, there) = first, second
    changed[one][here], changed[other][there] = board[other][there], board[one][here]
    return changed


MIXED = swapped(BOARD, (0, 1), (1, 3))  # no row is a sequence behind its first card

# What must be allowed and what must not: a board, source and destination, each (row, column) from 0, and the reason, of
# the card, of what lies at its destination (there), and left of that. Each catches a wrong rule that no other does.
FOLLOWS, IS_A_TWO, IS_NO_TWO = "{card} is one higher than {left}, and of its suit", "{card} is a 2", "{card} is no 2"
NO_BLANK, NO_CARD = "{there} is no blank", "a blank is not moved"
VALID = {
    "a card beside the one of its suit that is one lower": (BOARD, (2, 12), (0, 3), FOLLOWS),
    "a card into the last column": (BOARD, (3, 0), (3, 12), FOLLOWS),
    "a King beside its Queen": (swapped(BOARD, (0, 3), (0, 11)), (0, 3), (0, 11), FOLLOWS),
    "a 2 into a blank of the leftmost column": (BOARD, (2, 2), (2, 0), IS_A_TWO),
    "a 2 that begins another row into a blank of the leftmost column": (BOARD, (1, 0), (2, 0), IS_A_TWO),
}
INVALID = {
    "a card of another suit, though one higher": (BOARD, (0, 12), (0, 3), "{card} is not of the suit of {left}"),
    "a card of the suit that is not one higher": (BOARD, (0, 4), (0, 3), "{card} is not one higher than {left}"),
    "a card one lower than its left neighbour": (BOARD, (0, 1), (0, 3), "{card} is not one higher than {left}"),
    "a 2 beside a King of its suit": (BOARD, (1, 0), (1, 2), "nothing goes beside {left}"),
    "a 2 beside a blank, though it is the ace of its suit": (
        swapped(BOARD, (1, 1), (3, 12)), (3, 11), (1, 2), "left of its destination is a blank"),
    "a card that is no 2 into the leftmost column": (BOARD, (2, 1), (2, 0), IS_NO_TWO),
    "a card one higher than the last of the row into the leftmost column": (BOARD, (0, 4), (2, 0), IS_NO_TWO),
    "a destination that is not a blank": (BOARD, (2, 1), (2, 3), NO_BLANK),
    "a destination that is not a blank, in the leftmost column": (BOARD, (1, 0), (3, 0), NO_BLANK),
    "a blank as the source": (BOARD, (0, 3), (2, 0), NO_CARD),
    "a blank onto a blank, beside the King of its suit": (swapped(BOARD, (0, 3), (1, 2)), (0, 3), (1, 2), NO_CARD),
}  # fmt: skip


def finished():
    """Return a board that is won, with aces of other suits as its blanks."""
    return [
        [*((rank, SUITS[suit]) for rank in range(TWO, COLUMNS + 1)), (BLANK, SUITS[ace])]
        for suit, ace in zip("SHDC", "CDHS")
    ]


def kept(row):
    """Return how many cards of a row are its sequence, from a 2 in the leftmost column."""
    count = 0
    while count < COLUMNS - 1 and row[count] == (count + TWO, row[0][1]):
        count += 1
    return count


def shuffled(board, seed):
    """Return what the assignment's shuffle makes of a board: what is loose, row by row with its blanks, is shuffled
    once, and dealt row by row. As blanks look alike each is (1, 0)."""
    loose = [card for row in board for card in row[kept(row) :]]
    random.Random(seed).shuffle(loose)
    others = iter([card for card in loose if card[0] != BLANK])
    return [[*row[: kept(row)], (BLANK, 0), *(next(others) for _ in range(COLUMNS - 1 - kept(row)))] for row in board]


# What is right. Each function takes the answer last, and returns "" or what is wrong, a phrase.


def found(answer):
    """Return the board in an answer, as rows of pairs. Raises ValueError if it is so large that it is none."""
    board = answer["board"]
    if len(board) > ROWS or any(len(row) > ROWS * COLUMNS for row in board):
        raise ValueError
    return [[tuple(card) for card in row] for row in board]


def without_suits(board):
    """Return a board in which all blanks are the same."""
    return [[(BLANK, 0) if card[0] == BLANK else card for card in row] for row in board]


def returns(value, board, answer):
    """Return "" if the function returned value and left this board, or what is wrong."""
    if answer["value"] is None:
        return f"returned None instead of {value}"
    if answer["value"] is not value:
        return f"returned {answer['value']!r}; it should be {value}"
    return "" if found(answer) == board else "leaves another tableau than it should"


def deals(board, answer):
    """Return "" if the function dealt this board, or any four rows of 13 cards if it is None; or what is wrong."""
    after = found(answer)
    if [len(row) for row in after] != [COLUMNS] * ROWS or len(set(flat(after))) != ROWS * COLUMNS:
        return "does not return four rows of thirteen different cards"
    return "" if board in (None, after) else "puts the cards in other places"


def prints(text, answer):
    """Return "" if the function printed the text and left BOARD as it was, or what is wrong."""
    lines = itertools.zip_longest(text.splitlines(), answer["printed"].splitlines())
    for wanted, line in lines:
        if line != wanted:
            return f"printed {line!r} for {wanted!r}"
    if answer["printed"] != text:
        return "does not end with a newline"
    return "" if found(answer) == BOARD else "changed the tableau"


def shuffles_to(board, answer):
    """Return "" if the function left this board, whatever suits its blanks have, or what is wrong."""
    return "" if without_suits(found(answer)) == board else "makes another tableau"


def loses_nothing(answer):
    """Return "" if the function left the cards of BOARD, in any order, or what is wrong."""
    return "" if sorted(flat(found(answer))) == sorted(flat(BOARD)) else "loses cards, or makes some"


def keeps(board, answer):
    """Return "" if the function left each sequence where it was, with one blank after it, or what is wrong."""
    after = found(answer)
    if after == board != finished():
        return "leaves the tableau that it is given as it was"
    for row, old in itertools.zip_longest(after, board, fillvalue=[]):
        if row[: kept(old)] != old[: kept(old)] or len(row) != COLUMNS:
            return "moves a sequence, or leaves a row that is not 13 cards long"
        if [place for place, card in enumerate(row) if card[0] == BLANK] != [kept(old)]:
            return "does not leave one blank right after each sequence"
    return ""


def picture(board, module):
    """Return what display prints of a board, with the cards of a module."""
    rows = [
        "".join("    " if rank == BLANK else f"{module.Card(rank, suit)!s:>4}" for rank, suit in row) for row in board
    ]
    heading = "    " + "".join(f"{column:3d} " for column in range(1, COLUMNS + 1)) + "\n"
    return heading + "".join(f"{number:3d}:{row}\n" for number, row in enumerate(rows, start=1))


def dealt(module, seed):
    """Return the board that a shuffled deck of a cards module deals."""
    random.seed(seed)
    deck = module.Deck()
    deck.shuffle()
    return [[(card.rank(), card.suit()) for card in (deck.deal() for _ in range(COLUMNS))] for _ in range(ROWS)]


def loaded(file):
    """Return a file as a module. Raises Unusable."""
    try:
        spec = importlib.util.spec_from_file_location("graded_cards", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.Deck, module.Card
    except (Exception, SystemExit) as error:
        raise Unusable(printable(f"{file}: it cannot be used as cards.py: {error}")) from None
    return module


def checks(cards_file):
    """Return all Checks for submissions that have this cards.py. Raises Unusable."""
    module = loaded(cards_file)
    won = finished()
    listed = [
        ("initialize deals four rows of thirteen cards", "initialize", None, (), 7, partial(deals, None)),
        (
            "initialize deals a shuffled deck row by row, from left to right",
            "initialize",
            None,
            (),
            7,
            partial(deals, dealt(module, 7)),
        ),
        (
            "display prints numbers, cards and blanks in columns of four, and changes nothing",
            "display",
            BOARD,
            (),
            1,
            partial(prints, picture(BOARD, module)),
        ),
    ]
    for allowed, cases in ((True, VALID), (False, INVALID)):
        for what, (board, source, dest, reason) in cases.items():
            after = swapped(board, source, dest) if allowed else board
            for function, afterwards in (("validate_move", board), ("move", after)):
                listed.append(
                    (f"{function} is {allowed} for {what}", function, board, (*source, *dest), 1)
                    + (partial(returns, allowed, afterwards), with_names(reason, board, source, dest), dest[0])
                )
    for sentence, board, value, reason, row in [
        (
            "is True for four rows, whatever suits the blanks have",
            won,
            True,
            "each row is one suit from 2 to King",
            None,
        ),
        (
            "is False if rows of one suit are not in order",
            [row[1::-1] + row[2:] for row in won],
            False,
            "no 2 is first",
            0,
        ),
        *(
            (f"looks at row {row + 1}", swapped(won, (row, 11), (row, 12)), False, "the King is not in its place", row)
            for row in range(ROWS)
        ),
        ("is False if the suits are mixed", swapped(won, (0, 5), (1, 5)), False, "the suits are mixed", 0),
    ]:
        right = partial(returns, value, board)
        listed.append((f"check_win {sentence}", "check_win", board, (), 1, right, reason, row))
    for sentence, board, seed, right, is_kept in [
        ("keeps the sequence of each row, and puts one blank after it", BOARD, 1, partial(keeps, BOARD), False),
        ("loses and makes no card", BOARD, 2, loses_nothing, True),
        ("keeps finished rows", won, 1, partial(keeps, won), True),
        ("keeps no sequence of mixed suits", MIXED, 1, partial(keeps, MIXED), False),
        (
            "makes the assignment's own tableau with random seed 100",
            BOARD,
            100,
            partial(shuffles_to, shuffled(BOARD, 100)),
            False,
        ),
    ]:
        call = f"shuffle_tableau {sentence}", "shuffle_tableau", board, (), seed
        listed.append((*call, right, f"it {sentence}", None, is_kept))
    return [Check(*one) for one in listed]


def with_names(reason, board, source, dest):
    """Return the reason of a move with the names of its cards."""
    (row, column), (from_row, from_column) = dest, source
    card, there, left = (
        card_text(pair) for pair in (board[from_row][from_column], board[row][column], board[row][column - 1])
    )
    return reason.format(card=card, there=there, left=left)


def refuses(check):
    """Return True if what is right of a check is that the function returns False, or changes nothing that counts: who
    does nothing passes it."""
    right = check.right
    return check.is_kept or isinstance(right, partial) and right.func is returns and right.args[0] is False
