"""Desturado, a patience of stacks that are never split.

It is played with 40 cards, ace to ten; an ace counts 1. The board has columns
of face-down cards with the last card of each face up, and the hand has spaces
with a face-up card in each. On easy there are 5 columns of 7 and 5 spaces, on
medium 4 of 9 and 4 spaces, on hard 3 of 12 and 4 spaces.

The face-up cards of a column, or the cards in a space of the hand, are one
stack. A stack goes onto another when its first card has the same value as the
other's last card, or is lower, by any amount, and of the same suit. The two
are then one stack. A stack also goes into an empty column or an empty space.
It always moves whole, and keeps its order. When it leaves a column the next
face-down card is turned up.

Stacks move from column to column, from the board to the hand, and within the
hand, but never from the hand back to the board.

Goal: the board is empty. The game is lost when no move is left that gains
anything.
"""

import re
from collections import namedtuple
from dataclasses import dataclass

import cards

TITLE = "Desturado Solitaire."
PROMPT = "Enter command (h for help): "
COMMANDS = """\
BB s d      the stack of column s onto column d
BH s h      the stack of column s onto space h of the hand
HH a b      the stack in space a of the hand onto space b
"""
OPTIONS = {"difficulty": ("easy", "medium", "hard")}
SHORTCUTS = True

TEN = 10
PACK = [(rank, suit) for suit in (1, 2, 3, 4) for rank in range(1, TEN + 1)]

Difficulty = namedtuple("Difficulty", "columns cards_a_column spaces")
DIFFICULTIES = {
    "easy": Difficulty(5, 7, 5),
    "medium": Difficulty(4, 9, 4),
    "hard": Difficulty(3, 12, 4),
}

CARDS_A_LINE = 19
NUMBER = re.compile("[0-9]{1,9}")
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  "

# What a command is good for, the most useful first.
(
    JOINS_HAND,  # a stack of the board, onto one in the hand
    TURNS_UP,  # a face-down card, with a move on the board
    FREES_SPACE,  # in the hand
    JOINS_BOARD,
    FILLS_SPACE,
) = range(5)


@dataclass
class Game:
    """The cards on the table."""

    board: list  # a list for each column: face-down cards, then the stack in order
    hand: list  # a list for each space: the stack in order


def initialize(deck=None, difficulty="easy"):
    """Deal the columns row by row, turn up the last card of each, then deal the hand.

    deck: anything with deal(), with or without court cards, which are laid aside; None means a
    fresh shuffled deck. difficulty: a key of DIFFICULTIES.
    """
    if deck is None:
        deck = cards.Deck()
        deck.shuffle()
    size = DIFFICULTIES[difficulty]
    board = [[] for _ in range(size.columns)]
    for _ in range(size.cards_a_column):
        for column in board:
            card = deal_low(deck)
            card.flip_card()
            column.append(card)
    for column in board:
        turn_up(column)
    return Game(board, [[deal_low(deck)] for _ in range(size.spaces)])


def deal_low(deck):
    """Return the next card that is no court card."""
    card = deck.deal()
    while card.rank() > TEN:
        card = deck.deal()
    return card


# The board


def display(game):
    """Print the columns and the spaces of the hand, each in a line, or more where it is long."""
    text = "A stack's first card goes on a last card of its value, or higher in its suit.\n"
    for heading, piles in (("Board", game.board), ("Hand", game.hand)):
        text += f"{heading}:\n"
        for number, pile in enumerate(piles, start=1):
            text += f"{number:3}:"
            for place, card in enumerate(pile):
                if place and place % CARDS_A_LINE == 0:
                    text += "\n    "
                text += f"{card!s:>4}"
            text += "\n"
    print(text, end="")


def name(card):
    """Return the card's name without the blank that some cards modules put before it."""
    return str(card).strip()


# The rules


def stack_of(pile):
    """Return the stack of a column or space: its face-up cards, as a new list."""
    return [card for card in pile if card.is_face_up()]


def can_stack(stack, pile):
    """Return True if the stack goes onto the column or space: by its first card onto the last of
    an equal value, or a higher one of its suit; or into an empty one."""
    if not pile:
        return True
    first, last = stack[0], pile[-1]
    same_suit = first.suit() == last.suit()
    return first.value() == last.value() or same_suit and first.value() < last.value()


def turn_up(column):
    """Turn up the last card of a column if there is one and it lies face down."""
    if column and not column[-1].is_face_up():
        column[-1].flip_card()


def check_win(game):
    """Return True if the board is empty."""
    return not any(game.board)


def check_loss(game):
    """Return why the game is lost, or None."""
    if check_win(game) or next(legal_moves(game), None):
        return None
    return "You lost: no move is left that gains anything."


# Moves: kind is BB, BH or HH, and numbers count from 1, as in the commands.


def get_pile(game, place, number):
    """Return a column (place B) or a space of the hand (H) by its number, counted from 1.

    Raises ValueError with a sentence if there is none.
    """
    piles = game.board if place == "B" else game.hand
    if not 1 <= number <= len(piles):
        raise ValueError(f"There is no {place_name(place, number)}, only 1 to {len(piles)}.")
    return piles[number - 1]


def place_name(place, number):
    """Return what a sentence calls a column (place B) or a space of the hand (H)."""
    return f"column {number}" if place == "B" else f"space {number} in the hand"


def refusal(game, kind, source_number, dest_number):
    """Return why a move is not allowed, in a sentence, or None if it is."""
    if kind == "HB":
        return "Cards in the hand do not go back to the board."
    try:
        source = get_pile(game, kind[0], source_number)
        dest = get_pile(game, kind[1], dest_number)
    except ValueError as reason:
        return str(reason)
    stack = stack_of(source)
    if source is dest:
        return "A stack does not go onto itself."
    if not stack:
        return f"{place_name(kind[0], source_number).capitalize()} is empty."
    if not can_stack(stack, dest):
        return (
            f"{name(stack[0])} does not go on {name(dest[-1])}: "
            "only on an equal value, or a higher one of its suit."
        )
    return None


def validate_move(game, kind, source_number, dest_number):
    """Return True if a move is allowed: kind is BB, BH or HH, numbers count from 1."""
    return refusal(game, kind, source_number, dest_number) is None


def move(game, kind, source_number, dest_number):
    """Make a move, and turn up the card it uncovers. Numbers count from 1.

    Returns False, with nothing changed, if the move is not allowed.
    """
    if not validate_move(game, kind, source_number, dest_number):
        return False
    source = get_pile(game, kind[0], source_number)
    stack = stack_of(source)
    get_pile(game, kind[1], dest_number).extend(stack)
    del source[-len(stack) :]
    turn_up(source)
    return True


# Commands


def perform(game, command):
    """Carry out a typed command. Returns "": the new board says it all.

    Raises ValueError with the line to show if it is refused; then nothing has changed.
    """
    kind, numbers = read(command)
    if not move(game, kind, *numbers):
        raise ValueError(INVALID_MOVE + refusal(game, kind, *numbers))
    return ""


def read(command):
    """Return a typed command as its kind and its numbers: "bh 1 3" is ("BH", [1, 3]).

    HB is read too, for it is refused with a reason. Raises ValueError with the line to show if
    the line is no command.
    """
    kind, *numbers = command.upper().split() or [""]
    if kind not in ("BB", "BH", "HH", "HB") or len(numbers) != 2:
        raise ValueError(INVALID_INPUT)
    if not all(map(NUMBER.fullmatch, numbers)):
        raise ValueError(INVALID_INPUT)
    return kind, [int(number) for number in numbers]


def legal_moves(game):
    """Yield every move that is allowed and gains something, as (kind, source number, dest number).

    What lies alone in a column or space gains nothing in another that is empty.
    """
    for kind in ("BB", "BH", "HH"):
        sources = game.board if kind[0] == "B" else game.hand
        dests = game.board if kind[1] == "B" else game.hand
        for source_number, source in enumerate(sources, start=1):
            for dest_number, dest in enumerate(dests, start=1):
                if not dest and kind[0] == kind[1] and len(stack_of(source)) == len(source):
                    continue
                if validate_move(game, kind, source_number, dest_number):
                    yield kind, source_number, dest_number


def legal_commands(game):
    """Return every legal command, the most useful first."""
    moves = sorted(legal_moves(game), key=lambda legal: worth(game, *legal))
    return [f"{kind} {source} {dest}" for kind, source, dest in moves]


def worth(game, kind, source_number, dest_number):
    """Return a sort key for a move: what it is good for, then how much value it jumps over."""
    source, dest = get_pile(game, kind[0], source_number), get_pile(game, kind[1], dest_number)
    stack = stack_of(source)
    gap = dest[-1].value() - stack[0].value() if dest else TEN
    if kind == "HH":
        return FREES_SPACE, gap
    if kind == "BH":
        return (JOINS_HAND if dest else FILLS_SPACE), gap
    return (TURNS_UP if len(source) > len(stack) else JOINS_BOARD), gap


def describe(game, command):
    """Say what a legal command does: `6♣ onto 7♣ in the hand`, `6♣ to an empty column`."""
    kind, (source_number, dest_number) = read(command)
    first = name(stack_of(get_pile(game, kind[0], source_number))[0])
    dest = get_pile(game, kind[1], dest_number)
    if not dest:
        return f"{first} to an empty {'column' if kind[1] == 'B' else 'space in the hand'}"
    return f"{first} onto {name(dest[-1])}{' in the hand' if kind[1] == 'H' else ''}"
