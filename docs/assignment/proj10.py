"""Montana: the program to begin with. display is given; write the rest.

Replace the stubs with your own code, and keep the names of the functions and
their parameters. cards.py goes beside this file, unchanged.
"""

import cards

TITLE = "Montana Solitaire."
MENU = (
    "Enter choice:\n (q)uit, (s)huffle, or space-separated: "
    "source_row,source_col,dest_row,dest_col: "
)
AGAIN = "Do you want to play again (y/n)?"
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  Please try again."
OUT_OF_RANGE = "Error: row and/or column out of range. Please Try again."
NO_SHUFFLES = "No more shuffles remain."
WON = "You won!"
GOODBYE = "Thank you for playing."

ROWS = 4
COLUMNS = 13
SHUFFLES = 2
BLANK = 1  # the rank of an ace, which stands for a blank


def initialize():
    """Deal the cards of a shuffled deck, row by row, from left to right.

    Returns the tableau: a list of 4 rows, each a list of 13 cards.
    """
    deck = cards.Deck()
    return [[deck.deal() for _ in range(COLUMNS)] for _ in range(ROWS)]  # stub


def display(tableau):
    """Print the tableau, with the numbers of its rows and columns."""
    print("    " + "".join(f"{column:3d} " for column in range(1, COLUMNS + 1)))
    for number, row in enumerate(tableau, start=1):
        shown = ["" if card.rank() == BLANK else str(card) for card in row]
        print(f"{number:3d}:" + "".join(f"{text:>4s}" for text in shown))


def validate_move(tableau, source_row, source_col, dest_row, dest_col):
    """Return True if the card may move to the destination, else False.

    Rows count from 0 to 3, and columns from 0 to 12. Nothing is changed.
    """
    return False  # stub


def move(tableau, source_row, source_col, dest_row, dest_col):
    """Swap the card and the blank if that is a valid move.

    Returns True if it was, else False.
    """
    return False  # stub


def check_win(tableau):
    """Return True if each row is one suit from the 2 to the King."""
    return False  # stub


def shuffle_tableau(tableau):
    """Shuffle the cards that are not in a sequence; each row gets one blank.

    The sequences of one suit that begin with a 2 in the first column stay,
    and the blank goes right after them. Returns nothing.
    """
    pass  # stub


def main():
    """Play games until the player has had enough."""
    print(TITLE)
    display(initialize())
    input(MENU)  # stub
    print(GOODBYE)


if __name__ == "__main__":
    main()
