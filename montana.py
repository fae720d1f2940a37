"""Montana, the patience in which you sort the four suits into four rows.

All 52 cards lie face up in four rows of thirteen. The aces are not shown:
their places are blanks.

Goal: every row holds the cards of one suit from the 2 in the leftmost column
up to the King, and then a blank. Any suit may be in any row.

One card moves at a time, and only into a blank. A card goes into a blank if
the card to the left of the blank is of the same suit and one rank lower. A 2
goes into a blank in the leftmost column. Nothing goes to the right of a King
or of another blank.

Shuffle: sequences of one suit that begin with a 2 in the leftmost column
stay. All other cards are shuffled and dealt again, with one blank in each
row, right after its sequence. A game has two shuffles, or the number set by
--shuffles.

The board: rows and columns count from 1, and a blank is an empty place.

In short: a card goes into the blank behind the card of its suit that is one
rank lower. 8s moves the 8♠ there, and s shuffles.
"""

import random
import re

import cards

TITLE = "Montana Solitaire."
COMMANDS = """\
4 13 1 10   move the card in row 4, column 13 to the blank in row 1, column 10
s           shuffle the cards that are in no sequence, while shuffles are left
"""
OPTIONS = {"shuffles": ("2", "3", "0")}
STUCK = "No card can move, and no shuffles remain."

# The texts that the assignment requires.
PROMPT = "Enter choice:\n (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: "
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  Please try again."
OUT_OF_RANGE = "Error: row and/or column out of range. Please Try again."
NO_SHUFFLES = "No more shuffles remain."

ROWS = 4
COLUMNS = 13
SHUFFLES = 2
BLANK = 1  # the aces stand for the blanks
TWO, KING = 2, 13
SHUFFLE = ("s",)  # the move that moves no single card

HEADING = "    " + "".join(f"{column:3} " for column in range(1, COLUMNS + 1)) + "\n"


class Tableau(list):
    """The 4 rows of 13 cards, and the number of shuffles left.

    The functions below also take a plain list of lists, with rows of any length. It has no count
    of shuffles, so it may be shuffled as often as you like.
    """

    shuffles_left = SHUFFLES


def initialize(shuffles="2"):
    """Deal 4 rows of 13 cards, the top row first, each from left to right.

    shuffles: their number, a choice of OPTIONS.
    """
    deck = cards.Deck()
    deck.shuffle()
    tableau = Tableau([deck.deal() for _ in range(COLUMNS)] for _ in range(ROWS))
    tableau.shuffles_left = int(shuffles)
    return tableau


# The board


def display(tableau):
    """Print the tableau with its row and column numbers, counted from 1; blanks are spaces."""
    text = HEADING
    for number, row in enumerate(tableau, start=1):
        places = ["    " if card.rank() == BLANK else f"{card!s:>4}" for card in row]
        text += f"{number:3}:{''.join(places)}\n"
    print(text, end="")


# The rules


def is_blank(card):
    """Return True if the card is an ace, which stands for a blank."""
    return card.rank() == BLANK


def follows(card, left):
    """Return True if card goes to the right of left: one higher, the same suit, left no blank."""
    return not is_blank(left) and card.suit() == left.suit() and card.rank() == left.rank() + 1


def is_place(tableau, row, column):
    """Return True if the tableau has such a row and column, counted from 0."""
    return 0 <= row < len(tableau) and 0 <= column < len(tableau[row])


def validate_move(tableau, source_row, source_col, dest_row, dest_col):
    """Return True if the card at the source may go to the destination.

    Rows count from 0 to 3, columns from 0 to 12; False for a row or column that is not there.
    """
    if not (is_place(tableau, source_row, source_col) and is_place(tableau, dest_row, dest_col)):
        return False
    card = tableau[source_row][source_col]
    if is_blank(card) or not is_blank(tableau[dest_row][dest_col]):
        return False
    if dest_col == 0:
        return card.rank() == TWO
    return follows(card, tableau[dest_row][dest_col - 1])


def sequence_length(row):
    """Return how many cards of the row stand in sequence: 2, 3, 4, ... of one suit from the left."""
    if not row or row[0].rank() != TWO:
        return 0
    length = 1
    while length < len(row) and follows(row[length], row[length - 1]):
        length += 1
    return length


def check_win(tableau):
    """Return True if every row is the 2 to the King of one suit, and then a blank or nothing more."""
    for row in tableau:
        if sequence_length(row) != COLUMNS - 1 or not all(map(is_blank, row[COLUMNS - 1 :])):
            return False
    return True


# Moves


def move(tableau, source_row, source_col, dest_row, dest_col):
    """Swap the card at the source with the blank at the destination, if that is valid.

    Rows count from 0 to 3, columns from 0 to 12. Returns False, with nothing changed, if not.
    """
    if not validate_move(tableau, source_row, source_col, dest_row, dest_col):
        return False
    blank = tableau[dest_row][dest_col]
    tableau[dest_row][dest_col] = tableau[source_row][source_col]
    tableau[source_row][source_col] = blank
    return True


def shuffle_tableau(tableau):
    """Shuffle all cards that are not in a sequence, and deal them again; every row is changed in place.

    The cards to shuffle are taken row by row, blanks included, and shuffled once. Then each row
    gets a blank after its sequence, and the other cards in their new order, the top row first.
    """
    lengths = [sequence_length(row) for row in tableau]
    loose = []
    for row, length in zip(tableau, lengths):
        loose += row[length:]
    random.shuffle(loose)
    aces = [card for card in loose if is_blank(card)]
    dealt_again = [card for card in loose if not is_blank(card)]
    unfinished = [(row, length) for row, length in zip(tableau, lengths) if length < len(row)]
    dealt_again += aces[len(unfinished) :]  # none if there are four rows of thirteen
    for row, length in unfinished:
        for column in range(length, len(row)):
            if column == length and aces:
                row[column] = aces.pop(0)
            else:
                row[column] = dealt_again.pop(0)


# For hints and consoles
# Nothing above needs this: it is the whole assignment. A choice is a move of a card, (source row, source column,
# destination row, destination column), counted from 0, or SHUFFLE.

NUMBER = "([+-]?[0-9]{1,999})"  # more digits than anyone types; int() refuses more than 4,300
FOUR_NUMBERS = re.compile(r"\s+".join(4 * [NUMBER]))


def blanks(tableau):
    """Return the aces, which stand for blanks."""
    return [card for row in tableau for card in row if is_blank(card)]


def check_loss(tableau):
    """Return None: in the assignment's version the game is never lost; the player quits."""
    return None


def read(line):
    """Return the move that a typed line means: s, or four numbers, counted from 1.

    Raises ValueError with the assignment's message if it is neither, or a number is out of range.
    """
    if line.strip().lower() == "s":
        return SHUFFLE
    typed = FOUR_NUMBERS.fullmatch(line.strip())
    if not typed:
        raise ValueError(INVALID_INPUT)
    source_row, source_col, dest_row, dest_col = [int(number) - 1 for number in typed.groups()]
    if not (0 <= source_row < ROWS and 0 <= dest_row < ROWS):
        raise ValueError(OUT_OF_RANGE)
    if not (0 <= source_col < COLUMNS and 0 <= dest_col < COLUMNS):
        raise ValueError(OUT_OF_RANGE)
    return source_row, source_col, dest_row, dest_col


def write(*choice):
    """Return the line to type for a choice."""
    return "s" if choice == SHUFFLE else " ".join(str(number + 1) for number in choice)


def fixed_refusal(*choice):
    """Return the assignment's message for a choice that is not allowed."""
    return NO_SHUFFLES if choice == SHUFFLE else INVALID_MOVE


def shuffles_left(tableau):
    """Return how many shuffles are left. A plain list of lists has no count: SHUFFLES are always left."""
    return getattr(tableau, "shuffles_left", SHUFFLES)


def refusal(tableau, *choice):
    """Return why a choice is not allowed, in a sentence, or None if it is."""
    if choice == SHUFFLE:
        return None if shuffles_left(tableau) else NO_SHUFFLES
    if validate_move(tableau, *choice):
        return None
    source_row, source_col, dest_row, dest_col = choice
    for row, column in (choice[:2], choice[2:]):
        if not is_place(tableau, row, column):
            return f"There is no row {row + 1}, column {column + 1}."
    card, dest = tableau[source_row][source_col], tableau[dest_row][dest_col]
    if is_blank(card):
        return f"There is no card in row {source_row + 1}, column {source_col + 1}."
    if not is_blank(dest):
        return f"A card goes only into a blank: in row {dest_row + 1}, column {dest_col + 1} lies {dest}."
    if card.rank() == TWO:
        return f"{card} goes only into a blank of the leftmost column."
    return f"{card} goes only beside {place_of(tableau, card)}."


def place_of(tableau, card):
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


def perform(tableau, *choice):
    """Carry out a legal choice, a move of a card or the shuffle. Return "": the tableau shows everything.

    move is the assignment's, and knows only moves of cards.
    """
    if choice == SHUFFLE:
        shuffle_tableau(tableau)
        if isinstance(tableau, Tableau):
            tableau.shuffles_left -= 1
        return ""
    move(tableau, *choice)
    return ""


def card_moves(tableau):
    """Return every valid move of a card."""
    moves = []
    for dest_row, row in enumerate(tableau):
        for dest_col, dest in enumerate(row):
            if is_blank(dest):
                wanted = TWO if dest_col == 0 else row[dest_col - 1].rank() + 1
                for source_row, cards_there in enumerate(tableau):
                    for source_col, card in enumerate(cards_there):
                        chosen = source_row, source_col, dest_row, dest_col
                        if card.rank() == wanted and validate_move(tableau, *chosen):
                            moves.append(chosen)
    return moves


def legal_moves(tableau):
    """Return every move that is allowed, the most useful first; the shuffle is the last resort."""
    if check_win(tableau):
        return []
    moves = sorted(card_moves(tableau), key=lambda chosen: worth(tableau, *chosen))
    return [*moves, SHUFFLE] if shuffles_left(tableau) else moves


def worth(tableau, source_row, source_col, dest_row, dest_col):
    """Return a sort key for a move of a card: whether it breaks a sequence, fails to extend one, and
    leaves a blank that no card can fill. False is sorted before True."""
    breaks_sequence = source_col < sequence_length(tableau[source_row])
    makes_sequence = dest_col == sequence_length(tableau[dest_row])
    left = left_of_source(tableau, source_row, source_col, dest_row, dest_col)
    dead_blank = left is not None and left.rank() in (BLANK, KING)
    return breaks_sequence, not makes_sequence, dead_blank


def left_of_source(tableau, source_row, source_col, dest_row, dest_col):
    """Return the card that will lie to the left of the source after a move, or None in the leftmost column."""
    if source_col == 0:
        return None
    if (dest_row, dest_col) == (source_row, source_col - 1):
        return tableau[source_row][source_col]  # the card itself goes there
    return tableau[source_row][source_col - 1]


def status(tableau):
    """Return the number of shuffles left, which the board does not show."""
    left = shuffles_left(tableau)
    return f"{left} shuffle{'' if left == 1 else 's'} left"


def describe(tableau, *choice):
    """Say what a legal choice does: `3♣ beside 2♣`, `2♥ to row 4`, or the shuffle."""
    if choice == SHUFFLE:
        left = shuffles_left(tableau)
        return f"shuffle the cards that are in no sequence (shuffles left: {left})"
    source_row, source_col, dest_row, dest_col = choice
    card = tableau[source_row][source_col]
    if dest_col == 0:
        return f"{card} to row {dest_row + 1}"
    return f"{card} beside {tableau[dest_row][dest_col - 1]}"


def reason(tableau, *choice):
    """Return in a few words what a legal choice achieves, or ""."""
    if choice == SHUFFLE:
        return ""
    source_row, source_col, dest_row, dest_col = choice
    if dest_col == sequence_length(tableau[dest_row]):
        return f"{'continues' if dest_col else 'begins'} the sequence of row {dest_row + 1}"
    moving = tableau[source_row][source_col]
    left = left_of_source(tableau, source_row, source_col, dest_row, dest_col)
    for row in tableau:
        for card in row:
            fits = card.rank() == TWO if left is None else follows(card, left)
            if fits and card is not moving:
                return f"opens a blank that {card} can fill"
    return ""
