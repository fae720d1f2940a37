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
row, right after its sequence. A game has two shuffles.

The board: rows and columns count from 1, and a blank is an empty place.

In short: a card moves into the blank to the right of the card one rank below
it in its suit. 8s moves the 8♠ there, and s shuffles.
"""

import random

import cards

TITLE = "Montana Solitaire."
PROMPT = (
    "Enter choice:\n (q)uit, (s)huffle, or space-separated: "
    "source_row,source_col,dest_row,dest_col: "
)
AGAIN = "Do you want to play again (y/n)?"
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  Please try again."
OUT_OF_RANGE = "Error: row and/or column out of range. Please Try again."
NO_SHUFFLES = "No more shuffles remain."

ROWS = 4
COLUMNS = 13
SHUFFLES = 2
BLANK = 1  # the aces stand for the blanks
TWO = 2


def initialize():
    """Return a new tableau: 4 rows of 13 cards, the top row dealt first."""
    deck = cards.Deck()
    deck.shuffle()
    tableau = []
    for _ in range(ROWS):
        tableau.append([deck.deal() for _ in range(COLUMNS)])
    return tableau


def display(tableau):
    """Print the tableau with its row and column numbers, counted from 1."""
    text = "    "
    for column in range(1, COLUMNS + 1):
        text += f"{column:3} "
    for number, row in enumerate(tableau, start=1):
        text += f"\n{number:3}:"
        for card in row:
            text += "    " if is_blank(card) else f"{card!s:>4}"
    print(text)


def is_blank(card):
    """Return True if the card is an ace, which stands for a blank."""
    return card.rank() == BLANK


def follows(card, left):
    """Return True if card goes to the right of left: one higher, same suit."""
    if is_blank(left) or card.suit() != left.suit():
        return False
    return card.rank() == left.rank() + 1


def is_place(tableau, row, column):
    """Return True if there is such a row and column, counted from 0."""
    return 0 <= row < len(tableau) and 0 <= column < len(tableau[row])


def validate_move(tableau, source_row, source_col, dest_row, dest_col):
    """Return True if the card at the source may go to the destination.

    Rows count from 0 to 3, columns from 0 to 12. False for a place that does
    not exist.
    """
    if not is_place(tableau, source_row, source_col):
        return False
    if not is_place(tableau, dest_row, dest_col):
        return False
    card = tableau[source_row][source_col]
    if is_blank(card) or not is_blank(tableau[dest_row][dest_col]):
        return False
    if dest_col == 0:
        return card.rank() == TWO
    return follows(card, tableau[dest_row][dest_col - 1])


def move(tableau, source_row, source_col, dest_row, dest_col):
    """Swap a card with a blank and return True, if that is a valid move.

    Otherwise change nothing and return False. Rows and columns count from 0.
    """
    if not validate_move(tableau, source_row, source_col, dest_row, dest_col):
        return False
    blank = tableau[dest_row][dest_col]
    tableau[dest_row][dest_col] = tableau[source_row][source_col]
    tableau[source_row][source_col] = blank
    return True


def sequence_length(row):
    """Return how many cards stand in sequence: 2, 3, 4, ... of one suit."""
    if not row or row[0].rank() != TWO:
        return 0
    length = 1
    while length < len(row) and follows(row[length], row[length - 1]):
        length += 1
    return length


def check_win(tableau):
    """Return True if every row is a sequence to the King, then a blank."""
    for row in tableau:
        if sequence_length(row) != COLUMNS - 1:
            return False
        for card in row[COLUMNS - 1 :]:
            if not is_blank(card):
                return False
    return True


def shuffle_tableau(tableau):
    """Shuffle the cards that are not in a sequence, and deal them again.

    The blanks are shuffled with them, and taken out again: one goes after the
    sequence of each row. The other cards follow, the top row first.
    """
    loose = []
    for row in tableau:
        length = sequence_length(row)
        loose += row[length:]
        del row[length:]
    random.shuffle(loose)
    blanks = [card for card in loose if is_blank(card)]
    others = [card for card in loose if not is_blank(card)]
    for row in tableau:
        if blanks:
            row.append(blanks.pop(0))
        while len(row) < COLUMNS and others:
            row.append(others.pop(0))


def ask(prompt, at_end):
    """Return what is typed, in lower case; at_end if the input ends."""
    try:
        return input(prompt).strip().lower()
    except EOFError:
        return at_end


def read_places(choice):
    """Return the four whole numbers that were typed, less 1, or None."""
    words = choice.split()
    for word in words:
        digits = word[1:] if word[0] in "+-" else word
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 999:
            return None
    return [int(word) - 1 for word in words] if len(words) == 4 else None


def play(shuffles):
    """Play one game, until it is won or the player quits."""
    print(TITLE)
    tableau = initialize()
    display(tableau)
    while not check_win(tableau):
        choice = ask(PROMPT, "q")
        places = read_places(choice)
        if choice == "q":
            return
        if choice == "s" and shuffles == 0:
            print(NO_SHUFFLES)
        elif choice == "s":
            shuffles -= 1
            shuffle_tableau(tableau)
            display(tableau)
        elif places is None:
            print(INVALID_INPUT)
        elif not (
            is_place(tableau, *places[:2]) and is_place(tableau, *places[2:])
        ):
            print(OUT_OF_RANGE)
        elif move(tableau, *places):
            display(tableau)
        else:
            print(INVALID_MOVE)
    print("You won!")


def main(shuffles=SHUFFLES):
    """Play games until the player has had enough."""
    again = "y"
    while again == "y":
        play(int(shuffles))
        again = ask(AGAIN, "n")
        while again not in ("y", "n"):
            print(INVALID_INPUT)
            again = ask(AGAIN, "n")
    print("Thank you for playing.")


if __name__ == "__main__":
    main()
