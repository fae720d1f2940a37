import random
import cards

MENU = "Enter choice:\n (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: "
AGAIN = "Do you want to play again (y/n)?"


def initialize():
    deck = cards.Deck()
    deck.shuffle()
    return [[deck.deal() for col in range(13)] for row in range(4)]


def display(tableau):
    print("    " + "".join("{:3d} ".format(col) for col in range(1, 14)))
    for r, row in enumerate(tableau):
        line = "{:3d}:".format(r + 1)
        for card in row:
            line += "{:>4s}".format(str(card))
        print(line)


def validate_move(tableau, source_row, source_col, dest_row, dest_col):
    card = tableau[source_row][source_col]
    if card.rank() == 1 or tableau[dest_row][dest_col].rank() != 1:
        return False
    if dest_col == 0:
        return card.rank() == 2
    left = tableau[dest_row][dest_col - 1]
    return left.rank() != 1 and left.suit() == card.suit() and left.rank() + 1 == card.rank()


def move(tableau, source_row, source_col, dest_row, dest_col):
    if not validate_move(tableau, source_row, source_col, dest_row, dest_col):
        return False
    card, blank = tableau[source_row][source_col], tableau[dest_row][dest_col]
    tableau[source_row][source_col], tableau[dest_row][dest_col] = blank, card
    return True


def in_order(row):
    count = 0
    for card in row:
        if card.rank() != count + 2 or card.suit() != row[0].suit():
            break
        count += 1
    return count


def check_win(tableau):
    for row in tableau:
        if in_order(row) < 12:
            return False
    return True


def shuffle_tableau(tableau):
    rest = []
    for row in tableau:
        rest += row[in_order(row):]
    random.shuffle(rest)
    blanks = [card for card in rest if card.rank() == 1]
    rest = [card for card in rest if card.rank() != 1]
    for row in tableau:
        del row[in_order(row):]
        row.append(blanks.pop())
        while len(row) < 13:
            row.append(rest.pop(0))


def main():
    answer = "y"
    while answer == "y":
        print("Montana Solitaire.")
        tableau = initialize()
        display(tableau)
        shuffles = 2
        choice = input(MENU).strip().lower()
        while choice != "q":
            numbers = choice.split()
            if choice == "s" and shuffles > 0:
                shuffle_tableau(tableau)
                display(tableau)
                shuffles -= 1
            elif choice == "s":
                print("No more shuffles remain.")
            elif len(numbers) != 4 or not "".join(numbers).isdigit():
                print("Error: invalid input.  Please try again.")
            else:
                sr, sc, dr, dc = [int(number) - 1 for number in numbers]
                if not (0 <= sr < 4 and 0 <= sc < 13 and 0 <= dr < 4 and 0 <= dc < 13):
                    print("Error: row and/or column out of range. Please Try again.")
                elif move(tableau, sr, sc, dr, dc):
                    display(tableau)
                    if check_win(tableau):
                        print("You won!")
                        break
                else:
                    print("Error: invalid move.  Please try again.")
            choice = input(MENU).strip().lower()
        answer = input(AGAIN).strip().lower()
        while answer not in ("y", "n"):
            print("Error: invalid input.  Please try again.")
            answer = input(AGAIN).strip().lower()
    print("Thank you for playing.")


if __name__ == "__main__":
    main()
