"""Montana as a student hands it in: one file, the course's functions, and a main() of its own."""

import random

import cards

MENU = "Enter choice:\n (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: "
ROWS, COLUMNS = 4, 13


def initialize():
    """Return a new tableau: 4 rows of 13 cards."""
    deck = cards.Deck()
    deck.shuffle()
    tableau = []
    for r in range(ROWS):
        row = []
        for c in range(COLUMNS):
            row.append(deck.deal())
        tableau.append(row)
    return tableau


def display(tableau):
    """Print the tableau."""
    print("    ", end="")
    for c in range(1, COLUMNS + 1):
        print("{:3d} ".format(c), end="")
    print()
    for r in range(ROWS):
        print("{:3d}:".format(r + 1), end="")
        for card in tableau[r]:
            if card.rank() == 1:
                print("    ", end="")
            else:
                print("{:>4s}".format(str(card)), end="")
        print()


def validate_move(tableau, source_row, source_col, dest_row, dest_col):
    """Return True if a move is allowed."""
    card = tableau[source_row][source_col]
    if card.rank() == 1 or tableau[dest_row][dest_col].rank() != 1:
        return False
    if dest_col == 0:
        return card.rank() == 2
    left = tableau[dest_row][dest_col - 1]
    return left.rank() != 1 and left.suit() == card.suit() and left.rank() + 1 == card.rank()


def move(tableau, source_row, source_col, dest_row, dest_col):
    """Make a move, and return True if it is allowed."""
    if not validate_move(tableau, source_row, source_col, dest_row, dest_col):
        return False
    card = tableau[source_row][source_col]
    tableau[source_row][source_col] = tableau[dest_row][dest_col]
    tableau[dest_row][dest_col] = card
    return True


def sequence_length(row):
    """Return how many cards are in order at the beginning of a row."""
    count = 0
    while count < 12 and row[count].rank() == count + 2 and row[count].suit() == row[0].suit():
        count += 1
    return count


def check_win(tableau):
    """Return True if all rows are in order."""
    for row in tableau:
        if sequence_length(row) < 12:
            return False
    return True


def shuffle_tableau(tableau):
    """Shuffle the cards that are not in order."""
    loose, blanks = [], []
    lengths = []
    for row in tableau:
        length = sequence_length(row)
        lengths.append(length)
        loose += row[length:]
        del row[length:]
    random.shuffle(loose)
    for card in loose:
        if card.rank() == 1:
            blanks.append(card)
    for card in blanks:
        loose.remove(card)
    for row in tableau:
        row.append(blanks.pop())
        while len(row) < COLUMNS:
            row.append(loose.pop(0))


def main():
    """Play until the player quits."""
    again = "y"
    while again == "y":
        print("Montana Solitaire.")
        tableau = initialize()
        display(tableau)
        shuffles = 2
        choice = input(MENU).lower()
        while choice != "q":
            words = choice.split()
            if choice == "s":
                if shuffles > 0:
                    shuffles -= 1
                    shuffle_tableau(tableau)
                    display(tableau)
                else:
                    print("No more shuffles remain.")
            elif len(words) != 4 or not all(word.isdigit() for word in words):
                print("Error: invalid input.  Please try again.")
            else:
                source_row, source_col, dest_row, dest_col = [int(word) - 1 for word in words]
                if not (
                    0 <= source_row < ROWS
                    and 0 <= dest_row < ROWS
                    and 0 <= source_col < COLUMNS
                    and 0 <= dest_col < COLUMNS
                ):
                    print("Error: row and/or column out of range. Please Try again.")
                elif move(tableau, source_row, source_col, dest_row, dest_col):
                    display(tableau)
                    if check_win(tableau):
                        print("You won!")
                        break
                else:
                    print("Error: invalid move.  Please try again.")
            choice = input(MENU).lower()
        again = input("Do you want to play again (y/n)?").lower()
        while again not in ("y", "n"):
            print("Error: invalid input.  Please try again.")
            again = input("Do you want to play again (y/n)?").lower()
    print("Thank you for playing.")


if __name__ == "__main__":
    main()
