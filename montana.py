"""Montana, the patience in which the four suits are sorted into four rows.

All 52 cards lie face up in four rows of thirteen. The aces are not shown:
where one lies, the place is a blank.

Goal: every row holds the cards of one suit from the 2 in the leftmost column
up to the King, and then a blank. Any suit may be in any row.

One card moves at a time, and only into a blank. A card goes into a blank when
the card to the left of the blank is of its suit and one lower in rank. A 2
goes into a blank of the leftmost column. Nothing goes beside a King or beside
another blank.

Shuffle: the sequences of one suit that begin with a 2 in the leftmost column
stay. All other cards are shuffled and dealt again, with one blank in each
row, right after its sequence. There are two shuffles in a game.
"""

import random
import re

import cards

TITLE = "Montana Solitaire."
PROMPT = (
    "Enter choice:\n"
    " (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: "
)
COMMANDS = """\
4 13 1 10   move the card in row 4, column 13 to the blank in row 1, column 10
s           shuffle the cards that are in no sequence (twice a game)
"""
OPTIONS = {}
SHORTCUTS = False
STUCK = "No card can move, and no shuffles remain."

ROWS = 4
COLUMNS = 13
SHUFFLES = 2
BLANK = 1  # the aces stand for the blanks
KING = 13

NUMBER = "([+-]?[0-9]{1,999})"  # int() takes no more than 4,300 digits
FOUR_NUMBERS = re.compile(r"\s+".join(4 * [NUMBER]))
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  Please try again."
OUT_OF_RANGE = "Error: row and/or column out of range. Please Try again."
NO_SHUFFLES = "No more shuffles remain."

HEADING = "    " + "".join(f"{column:3} " for column in range(1, COLUMNS + 1)) + "\n"


class Tableau(list):
    """The 4 rows of 13 cards, and the number of shuffles left.

    The functions below take a plain list of lists as well, with rows of any length: it has no
    count of shuffles, so it may be shuffled as often as one likes.
    """

    shuffles_left = SHUFFLES


def initialize(deck=None):
    """Deal 4 rows of 13 cards, the top row first, each from left to right.

    deck: anything with deal(); None means a fresh shuffled deck.
    """
    if deck is None:
        deck = cards.Deck()
        deck.shuffle()
    return Tableau([deck.deal() for _ in range(COLUMNS)] for _ in range(ROWS))


def display(tableau):
    """Print the tableau with its row and column numbers, counted from 1; blanks are spaces."""
    text = HEADING
    for number, row in enumerate(tableau, start=1):
        places = ["" if card.rank() == BLANK else card for card in row]
        text += ("%3d:" + len(row) * "%4s" + "\n") % (number, *places)
    print(text, end="")


def is_blank(card):
    """Return True if the card is an ace, which stands for a blank."""
    return card.rank() == BLANK


def follows(card, left):
    """Return True if card goes to the right of left: one higher, the same suit, left no blank."""
    return not is_blank(left) and card.suit() == left.suit() and card.rank() == left.rank() + 1


def validate_move(tableau, source_row, source_col, dest_row, dest_col):
    """Return True if the card at the source may go to the destination.

    Rows count from 0 to 3, columns from 0 to 12; False for a row or column that is not there.
    """
    for row, column in ((source_row, source_col), (dest_row, dest_col)):
        if not (0 <= row < len(tableau) and 0 <= column < len(tableau[row])):
            return False
    card = tableau[source_row][source_col]
    if is_blank(card) or not is_blank(tableau[dest_row][dest_col]):
        return False
    if dest_col == 0:
        return card.rank() == 2
    return follows(card, tableau[dest_row][dest_col - 1])


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


def sequence_length(row):
    """Return how many cards of the row stand in sequence: 2, 3, 4, ... of one suit from the left."""
    if not row or row[0].rank() != 2:
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


def check_loss(tableau):
    """Return None: the game as the assignment has it is never lost, the player quits."""
    return None


def shuffle_tableau(tableau):
    """Shuffle and deal again all cards that are in no sequence; every row is changed in place.

    The cards to shuffle are taken row by row, blanks included, and shuffled once. Then each row
    gets a blank after its sequence, and the other cards in their new order, the top row first.
    """
    lengths = [sequence_length(row) for row in tableau]
    loose = []
    for row, length in zip(tableau, lengths):
        loose += row[length:]
    random.shuffle(loose)
    blanks = [card for card in loose if is_blank(card)]
    others = [card for card in loose if not is_blank(card)]
    unfinished = [(row, length) for row, length in zip(tableau, lengths) if length < len(row)]
    others += blanks[len(unfinished) :]  # none, where there are four rows of thirteen
    for row, length in unfinished:
        first = (blanks or others).pop(0)
        row[length:] = [first] + [others.pop(0) for _ in row[length + 1 :]]


def may_shuffle(tableau):
    """Return True if a shuffle is left. A plain list of lists may always be shuffled."""
    return getattr(tableau, "shuffles_left", SHUFFLES) > 0


def perform(tableau, command):
    """Carry out a typed command: s, or the numbers of a move, counted from 1.

    Returns "": the new tableau says it all. Raises ValueError with the assignment's line if the
    command is refused.
    """
    if command.strip().lower() == "s":
        if not may_shuffle(tableau):
            raise ValueError(NO_SHUFFLES)
        shuffle_tableau(tableau)
        if isinstance(tableau, Tableau):
            tableau.shuffles_left -= 1
    elif not move(tableau, *read_move(command)):
        raise ValueError(INVALID_MOVE)
    return ""


def read_move(command):
    """Return source row, source column, destination row and column as typed, but counted from 0.

    Raises ValueError with the assignment's line if these are not four numbers, or out of range.
    """
    typed = FOUR_NUMBERS.fullmatch(command.strip())
    if not typed:
        raise ValueError(INVALID_INPUT)
    source_row, source_col, dest_row, dest_col = [int(number) - 1 for number in typed.groups()]
    if not (0 <= source_row < ROWS and 0 <= dest_row < ROWS):
        raise ValueError(OUT_OF_RANGE)
    if not (0 <= source_col < COLUMNS and 0 <= dest_col < COLUMNS):
        raise ValueError(OUT_OF_RANGE)
    return source_row, source_col, dest_row, dest_col


def legal_moves(tableau):
    """Return every valid move: source row, source column, destination row and column, from 0."""
    places = [(row, column) for row, cells in enumerate(tableau) for column in range(len(cells))]
    blanks = [(row, column) for row, column in places if is_blank(tableau[row][column])]
    return [
        (*source, *blank)
        for blank in blanks
        for source in places
        if validate_move(tableau, *source, *blank)
    ]


def worth(tableau, chosen):
    """Return a sort key for a move, the lowest for the most useful one.

    Best is a card that makes a row's sequence longer, then one that leaves a blank which another
    card can fill. Last comes a card that leaves a finished sequence.
    """
    source_row, source_col, dest_row, dest_col = chosen
    breaks_sequence = source_col < sequence_length(tableau[source_row])
    makes_sequence = dest_col == sequence_length(tableau[dest_row])
    left = tableau[source_row][source_col - 1]
    dead_blank = source_col > 0 and left.rank() in (BLANK, KING)
    return breaks_sequence, not makes_sequence, dead_blank


def legal_commands(tableau):
    """Return every legal command, the most useful first; the shuffle is the last resort."""
    if check_win(tableau):
        return []
    moves = sorted(legal_moves(tableau), key=lambda chosen: worth(tableau, chosen))
    commands = [" ".join(str(number + 1) for number in chosen) for chosen in moves]
    if may_shuffle(tableau):
        commands.append("s")
    return commands


def describe(tableau, command):
    """Say what a legal command does: `3♣ beside 2♣`, `2♥ to row 4`, or the shuffle."""
    if command.strip().lower() == "s":
        left = getattr(tableau, "shuffles_left", SHUFFLES)
        return f"shuffle the cards that are in no sequence (shuffles left: {left})"
    source_row, source_col, dest_row, dest_col = read_move(command)
    card = str(tableau[source_row][source_col]).strip()
    if dest_col == 0:
        return f"{card} to row {dest_row + 1}"
    left = str(tableau[dest_row][dest_col - 1]).strip()
    return f"{card} beside {left}"
