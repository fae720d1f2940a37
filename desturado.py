"""Desturado, a patience game in which stacks are never split.

It is played with 40 cards, ace to ten; an ace counts as 1. The board has
columns of face-down cards, except that the last card of each is face up. The
hand has spaces with one face-up card each. There are 5 columns of 7 cards and
5 spaces on easy, 4 of 9 and 4 spaces on medium, and 3 of 12 and 4 spaces on
hard.

The face-up cards of a column, or the cards in a space of the hand, form one
stack. A stack goes onto another if its first card has the same value as the
other's last card, or is of the same suit and lower, by any amount. The two
then form one stack. A stack can also go into an empty column or an empty
space. It always moves as a whole and keeps its order. When it leaves a
column, the next face-down card is turned up.

Stacks move from column to column, from the board to the hand, and within the
hand, but never from the hand back to the board.

Goal: empty the board. The game is lost when no move is left that gains
anything. A move that only takes a whole column to an empty column, or a whole
space to an empty space, gains nothing.

The board: each column is a row, its face-down cards (XX) first. Below them
are the spaces of the hand, one per row.

In short: a stack goes on a card of its value, or on a higher one of its suit.
3h 6h puts the stack that begins with the 3♥ on the 6♥.
"""

from collections import namedtuple
from dataclasses import dataclass

import cards

TITLE = "Desturado Solitaire."
PROMPT = "Enter command (h for help): "
AGAIN = "Do you want to play again (y/n)?"
INVALID_INPUT = "Error: invalid input.  "
INVALID_MOVE = "Error: invalid move.  "
TRY_AGAIN = "Please try again."
COMMANDS = """\
BB s d      the stack of column s onto column d
BH s h      the stack of column s onto space h of the hand
HH a b      the stack in space a of the hand onto space b
"""
WORDS = """\
help, h     show the commands
quit, q     end the game
"""
OPTIONS = {"difficulty": ("easy", "medium", "hard")}

TEN = 10
PACK = [(rank, suit) for suit in (1, 2, 3, 4) for rank in range(1, TEN + 1)]

# the other cards are the hand
Difficulty = namedtuple("Difficulty", "columns cards_a_column")
DIFFICULTIES = {
    "easy": Difficulty(5, 7),
    "medium": Difficulty(4, 9),
    "hard": Difficulty(3, 12),
}

RULE = (
    "A stack's first card goes on a last card of its value, "
    "or higher in its suit."
)
RULE_NARROW = "A first card goes on its value, or higher in its suit."
CARDS_A_LINE, CARDS_A_LINE_NARROW = 19, 14


@dataclass
class Game:
    """The cards on the table."""

    # a list for each column: face-down cards, then the stack in order
    board: list
    hand: list  # a list for each space: the stack in order


def initialize(difficulty="easy"):
    """Deal the columns row by row, the last card of each face up, and then the
    hand.

    Court cards are left out. difficulty: a key of DIFFICULTIES.
    """
    deck = cards.Deck()
    deck.shuffle()
    low = []
    while not deck.is_empty():
        card = deck.deal()
        if card.rank() <= TEN:
            low.append(card)
    columns, cards_a_column = DIFFICULTIES[difficulty]
    on_board = columns * cards_a_column
    # row by row: every columns-th card
    board = [low[number:on_board:columns] for number in range(columns)]
    for column in board:
        for card in column[:-1]:
            card.flip_card()
    return Game(board=board, hand=[[card] for card in low[on_board:]])


# The board


def display(game):
    """Print the columns and the spaces of the hand, each on one line, or
    several if it is long."""
    print_board(game, RULE, CARDS_A_LINE)


def print_board(game, rule, cards_a_line):
    """Print the rule and the piles, with at most cards_a_line cards on a
    line."""
    text = f"{rule}\n"
    for heading, piles in (("Board", game.board), ("Hand", game.hand)):
        text += f"{heading}:\n"
        for number, pile in enumerate(piles, start=1):
            text += f"{number:3}:"
            for place, card in enumerate(pile):
                if place and place % cards_a_line == 0:
                    text += "\n    "
                text += f"{card!s:>4}"
            text += "\n"
    print(text, end="")


# The rules


def stack_of(pile):
    """Return the stack of a pile: its face-up cards, as a new list."""
    return [card for card in pile if card.is_face_up()]


def can_stack(stack, pile):
    """Return True if the column or space is empty, or if the stack's first card
    can go onto it."""
    if not pile:
        return True
    first, last = stack[0], pile[-1]
    same_suit = first.suit() == last.suit()
    return first.value() == last.value() or (
        same_suit and first.value() < last.value()
    )


def check_win(game):
    """Return True if the board is empty."""
    return not any(game.board)


def check_loss(game):
    """Return why the game is lost, or None."""
    if check_win(game) or gaining_moves(game):
        return None
    return "You lost: no move is left that gains anything."


# Moves
# Numbers count from 1.


def piles_of(game, place):
    """Return the columns of the board (place B) or the spaces of the hand (H).
    The two letters of a word in COMMANDS are the place a stack comes from and
    the place it goes to."""
    return game.board if place == "B" else game.hand


def name_of(place, number):
    """Return the name of a column of the board (place B) or a space of the hand
    (H), for use in a sentence."""
    return f"column {number}" if place == "B" else f"space {number} in the hand"


def ends_of(game, word, source_number, dest_number):
    """Return the pile that a move takes its stack from, and the pile it goes
    to."""
    sources, dests = piles_of(game, word[0]), piles_of(game, word[1])
    return sources[source_number - 1], dests[dest_number - 1]


def refusal(game, word, *numbers):
    """Return the reason a move is not allowed, as a sentence, or None if it is
    allowed. Numbers count from 1."""
    for place, number in zip(word, numbers):  # in BH 3 1: B and 3, then H and 1
        count = len(piles_of(game, place))
        if not 1 <= number <= count:
            return f"There is no {name_of(place, number)}, only 1 to {count}."
    source, dest = ends_of(game, word, *numbers)
    if source is dest:
        return "A stack does not go onto itself."
    if not source:
        return f"{name_of(word[0], numbers[0]).capitalize()} is empty."
    stack = stack_of(source)
    if not can_stack(stack, dest):
        wanted = "its own value, or a lower one of its suit"
        return f"{stack[0]} does not go on {dest[-1]}, which takes {wanted}."
    return None


def validate_move(game, word, *numbers):
    """Return True if a move is allowed. word is BB, BH or HH; numbers count
    from 1."""
    return refusal(game, word, *numbers) is None


def move(game, word, *numbers):
    """Make a move, and turn up the face-down card it uncovers, if any. Numbers
    count from 1.

    Returns False, with nothing changed, if the move is not allowed. There is
    nothing else to report about a move, so this game needs no perform.
    """
    if not validate_move(game, word, *numbers):
        return False
    source, dest = ends_of(game, word, *numbers)
    stack = stack_of(source)
    dest += stack  # changes the list in game itself
    del source[-len(stack) :]
    if source and not source[-1].is_face_up():
        source[-1].flip_card()
    return True


def gains(game, word, *numbers):
    """Return True if a move joins two stacks, takes a stack from the board to
    the hand, or uncovers a card."""
    source, dest = ends_of(game, word, *numbers)
    if dest or word == "BH":
        return True
    return len(source) > len(stack_of(source))


def gaining_moves(game):
    """Return every move that is allowed and gains something."""
    moves = []
    for word in ("BB", "BH", "HH"):
        for source_number in range(1, len(piles_of(game, word[0])) + 1):
            for dest_number in range(1, len(piles_of(game, word[1])) + 1):
                chosen = word, source_number, dest_number
                if validate_move(game, *chosen) and gains(game, *chosen):
                    moves.append(chosen)
    return moves


# The program


def ask(prompt, at_end):
    """Return what is typed, in lower case; at_end if the input ends."""
    try:
        return input(prompt).strip().lower()
    except EOFError:
        return at_end


def form_of(choice):
    """Return the line of COMMANDS with the word that was typed, or ""."""
    word = choice.upper().split()[:1]
    for line in COMMANDS.splitlines():
        if line.split()[:1] == word:
            return line
    return ""


def read_move(choice):
    """Return the move that was typed, a word and its numbers, or None."""
    form = form_of(choice)
    if not form:
        return None
    word, *numbers = choice.upper().split()
    letters = form.split("  ")[0].split()[1:]
    needed = [letter for letter in letters if letter[0] != "["]
    if not len(needed) <= len(numbers) <= len(letters):
        return None
    for number in numbers:
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            return None
    return word, *map(int, numbers)


def say(text):
    """Print lines of text; some cards.py put a blank before a rank."""
    for line in text.splitlines():
        print(" ".join(line.split()))


def outcome(game):
    """Return the last sentence of a game, or None while it is in progress."""
    return "You won!" if check_win(game) else check_loss(game)


def play(**options):
    """Play one game, until it is over or the player quits."""
    print(TITLE)
    game = initialize(**options)
    display(game)
    end = outcome(game)  # asked again after a move only: it takes time
    while not end:
        choice = ask(PROMPT, "q")
        chosen = read_move(choice)
        if choice in ("q", "quit"):
            return
        if choice in ("h", "help", "?"):
            print(COMMANDS + WORDS, end="")
        elif chosen is None:
            print(INVALID_INPUT + (form_of(choice) or TRY_AGAIN))
        elif refusal(game, *chosen):
            print(INVALID_MOVE, end="")
            say(refusal(game, *chosen))
        else:
            move(game, *chosen)
            display(game)
            end = outcome(game)
    say(end)


def main(**options):
    """Play games until the player has had enough."""
    again = "y"
    while again == "y":
        play(**options)
        again = ask(AGAIN, "n")
        while again not in ("y", "n"):
            print(INVALID_INPUT + TRY_AGAIN)
            again = ask(AGAIN, "n")
    print("Thank you for playing.")


if __name__ == "__main__":
    main()
