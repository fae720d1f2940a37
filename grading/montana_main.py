"""The main() of Montana's assignment, for a module that has only the six functions. The texts are its arguments."""

import sys

import montana

TITLE, MENU, AGAIN, INVALID_INPUT, OUT_OF_RANGE, INVALID_MOVE, NO_SHUFFLES = sys.argv[1:]
SIZES = (4, 13, 4, 13)  # what each of the four numbers may be, at most


def play() -> None:
    """Play one game, until it is won or the player quits."""
    print(TITLE)
    tableau = montana.initialize()
    montana.display(tableau)
    shuffles = 2
    while (choice := input(MENU).strip().lower()) != "q":
        words = choice.split()
        if choice == "s" and not shuffles:
            print(NO_SHUFFLES)
        elif choice == "s":
            shuffles -= 1
            montana.shuffle_tableau(tableau)
            montana.display(tableau)
        elif len(words) != 4 or not all(word.lstrip("+-").isdigit() for word in words):
            print(INVALID_INPUT)
        elif not all(1 <= int(word) <= most for word, most in zip(words, SIZES)):
            print(OUT_OF_RANGE)
        elif not montana.move(tableau, *(int(word) - 1 for word in words)):
            print(INVALID_MOVE)
        else:
            montana.display(tableau)
        if montana.check_win(tableau):
            print("You won!")
            break


def ask() -> str:
    """Ask whether to play again until the answer is y or n; return it."""
    while (answer := input(AGAIN).strip().lower()) not in ("y", "n"):
        print(INVALID_INPUT)
    return answer


play()
while ask() == "y":
    play()
print("Thank you for playing.")
