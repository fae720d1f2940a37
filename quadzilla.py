"""Quadzilla, a patience of thirteen turns in which fours of a suit are cleared.

The shoe holds 52 cards, face down. Each turn begins with a card dealt from it
to the end of each of the four columns. Then there are three moves, or fewer
if you like, before the next turn.

Whenever the last four cards of a column are all of one suit, they are
cleared to the discard pile. But one rank, the Quadzilla, is drawn before the
deal: its cards are cleared only when all four of them are the last four of a
column. A clear of a suit that takes one of them loses the game at once.

A move takes the last card of a column, or a group of its last cards that are
all of one suit or all of one rank, and puts it in the same order at the end
of another column that is empty, or whose last card has the suit or the rank
of the group's first card.

On easy and normal each clear gives one more move, and on easy the moves that
are not used are kept for later turns. On hard there are three moves a turn,
and no more. A turn without a legal move ends by itself.

Goal: shoe and board are empty. The game is lost when the last turn ends with
cards on the board.
"""

import random
import re
import textwrap
from collections import namedtuple
from dataclasses import dataclass

import cards

TITLE = "Quadzilla Solitaire."
PROMPT = "Enter command (h for help): "
COMMANDS = """\
M s d [n]   move the last n cards of column s, or one, to column d
D           end the turn: deal the next four cards
P s         show column s from its first card
"""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
OPTIONS = {"difficulty": ("normal", "easy", "hard"), "rank": ("random", *RANKS)}
SHORTCUTS = True

COLUMNS = 4
TURNS = 13
FOUR = 4  # how many cards make a clear
SUIT_NAMES = ("", "clubs", "diamonds", "hearts", "spades")

# What a difficulty means: moves a turn, more moves for a clear, whether unused moves are kept.
Difficulty = namedtuple("Difficulty", "moves bonus carries_over")
DIFFICULTIES = {
    "easy": Difficulty(3, 1, True),
    "normal": Difficulty(3, 1, False),
    "hard": Difficulty(3, 0, False),
}

SHOWN = 17  # cards of a column that the board has room for
LEAST_SHOWN = 8
LINE_WIDTH = 80
NUMBER = re.compile("[0-9]{1,9}")
# How many numbers each command takes, at least and at most.
NUMBERS = {"M": (2, 3), "D": (0, 0), "P": (1, 1)}
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  "


@dataclass
class Game:
    """The cards on the table, and how the turn stands."""

    shoe: list  # the last is the next to be dealt
    columns: list  # 4 lists, each with its end card last
    discard: list
    rank: int  # of the Quadzilla, 1-13
    difficulty: str  # a key of DIFFICULTIES
    turn: int = 0  # 1-13
    moves_left: int = 0
    lost: str = ""  # why the game is lost, if a clear has lost it
    opening: str = ""  # what happened by itself after the deal, until the first command


def initialize(deck=None, difficulty="normal", rank="random"):
    """Draw the Quadzilla, put the cards into the shoe, and deal the first turn.

    deck: anything with deal(); None means a fresh deck, shuffled after the Quadzilla is drawn.
    difficulty: a key of DIFFICULTIES. rank: one of RANKS, or "random".
    """
    quadzilla = random.choice(RANKS) if rank == "random" else rank
    if deck is None:
        deck = cards.Deck()
        deck.shuffle()
    shoe = [deck.deal() for _ in range(TURNS * COLUMNS)]
    shoe.reverse()
    columns = [[] for _ in range(COLUMNS)]
    game = Game(shoe, columns, [], RANKS.index(quadzilla) + 1, difficulty)
    game.opening = "\n".join(next_turn(game) + end_turns(game))
    return game


# The board


def display(game):
    """Print how the turn stands, and the ends of the columns, each column in a line.

    The number above a card is the n of the command that moves it with all cards behind it.
    """
    count = min(SHOWN, max(LEAST_SHOWN, *map(len, game.columns)))
    text = f"{game.opening}\n" if game.opening else ""
    text += (
        f"Quadzilla: {RANKS[game.rank - 1]} ({game.difficulty})   Turn {game.turn} of {TURNS}   "
        f"Moves left: {game.moves_left}   Shoe: {len(game.shoe)}   Discard: {len(game.discard)}\n"
        "A card goes on its suit or its rank, or into an empty column.\n"
    )
    text += "  n:    " + "".join(f"{number:4}" for number in range(count, 0, -1)) + "\n"
    for number, column in enumerate(game.columns, start=1):
        hidden = len(column) - count
        text += f"{number:3}:" + (f"{f'+{hidden}':>4}" if hidden > 0 else "    ")
        text += "".join(f"{name(card):>4}" for card in column[-count:]).rjust(4 * count) + "\n"
    print(text, end="")


def name(card):
    """Return the card's name without the blank that some cards modules put before it."""
    return str(card).strip()


def view(game, command):
    """Return the text that the command P s shows: all cards of a column. None for other commands.

    Raises ValueError with the line to show if there is no such column, or the line is no command.
    """
    if command.upper().split()[:1] != ["P"]:
        return None
    _, (number,) = read(command)
    if not 1 <= number <= COLUMNS:
        raise ValueError(f"{INVALID_MOVE}There is no column {number}, only 1 to {COLUMNS}.")
    text = f"Column {number}: {' '.join(map(name, game.columns[number - 1])) or 'empty'}"
    return textwrap.fill(text, LINE_WIDTH)


# The rules


def of_one_suit(group):
    """Return True if all cards of the group have the same suit."""
    return len({card.suit() for card in group}) == 1


def of_one_rank(group):
    """Return True if all cards of the group have the same rank."""
    return len({card.rank() for card in group}) == 1


def can_follow(card, column):
    """Return True if the card goes to the end of the column: on its suit or its rank, or if the
    column is empty."""
    if not column:
        return True
    return card.suit() == column[-1].suit() or card.rank() == column[-1].rank()


def is_clear(game, four):
    """Return True if these last cards of a column are cleared: four of a suit, or the Quadzilla."""
    if len(four) < FOUR:
        return False
    return of_one_suit(four) or of_one_rank(four) and four[0].rank() == game.rank


def clear(game, numbers):
    """Clear what there is to clear in the columns of these numbers, counted from 1, in order.

    Returns a list of lines, one for each clear. Stops when a clear has lost the game.
    """
    report = []
    for number in numbers:
        column = game.columns[number - 1]
        while not game.lost and is_clear(game, column[-FOUR:]):
            four = column[-FOUR:]
            del column[-FOUR:]
            game.discard += four
            report.append(f"Cleared from column {number}: {' '.join(map(name, four))}.")
            taken = [card for card in four if card.rank() == game.rank]
            if taken and of_one_suit(four):
                game.lost = (
                    f"You lost: {name(taken[0])}, a Quadzilla card, was taken by a clear of "
                    f"{SUIT_NAMES[taken[0].suit()]}."
                )
            elif DIFFICULTIES[game.difficulty].bonus:
                game.moves_left += DIFFICULTIES[game.difficulty].bonus
                report[-1] += " One more move."
    return report


def next_turn(game):
    """Begin the next turn: count its moves, and deal a card to each column, left to right.

    Returns a list of lines, one for each clear. A game that is lost ends the deal at once.
    """
    difficulty = DIFFICULTIES[game.difficulty]
    game.turn += 1
    game.moves_left = difficulty.moves + (game.moves_left if difficulty.carries_over else 0)
    report = []
    for number, column in enumerate(game.columns, start=1):
        if not game.lost:
            column.append(game.shoe.pop())
            report += clear(game, [number])
    return report


def end_turns(game):
    """End the turn, and those after it, for as long as they end by themselves.

    Returns a list of lines: why a turn ended, and what the next deal cleared.
    """
    report = []
    while game.shoe and not game.lost and not can_move(game):
        why = "no legal move is left" if game.moves_left else "the moves are used up"
        report += [f"Turn {game.turn} ends: {why}.", *next_turn(game)]
    return report


def can_move(game):
    """Return True if there are moves left, and a legal one among them."""
    return game.moves_left > 0 and next(legal_moves(game), None) is not None


def check_win(game):
    """Return True if shoe and board are empty, and no clear has lost the game."""
    return not game.lost and not game.shoe and not any(game.columns)


def check_loss(game):
    """Return why the game is lost, or None."""
    if game.lost or game.shoe or check_win(game) or can_move(game):
        return game.lost or None
    left = sum(map(len, game.columns))
    return f"You lost: the last turn is over, with cards on the board: {left}."


def is_over(game):
    """Return True if the game is won or lost."""
    return check_win(game) or check_loss(game) is not None


# Moves


def refusal(game, source, dest, count=1):
    """Return why the last count cards of a column may not go to another, or None if they may.

    Columns count from 1.
    """
    if not game.moves_left:
        return "No moves are left in this turn."
    for number in (source, dest):
        if not 1 <= number <= COLUMNS:
            return f"There is no column {number}, only 1 to {COLUMNS}."
    if source == dest:
        return "A column does not go onto itself."
    column, onto = game.columns[source - 1], game.columns[dest - 1]
    if count < 1:
        return "At least one card must move."
    if not column:
        return f"Column {source} is empty."
    if count > len(column):
        return f"Column {source} has no {count} cards, only {len(column)}."
    group = column[-count:]
    if not of_one_suit(group) and not of_one_rank(group):
        return f"{' '.join(map(name, group))} are neither of one suit nor of one rank."
    if not can_follow(group[0], onto):
        return f"{name(group[0])} does not go on {name(onto[-1])}: only on its suit or its rank."
    return None


def validate_move(game, source, dest, count=1):
    """Return True if the last count cards of column source may go to column dest, from 1."""
    return refusal(game, source, dest, count) is None


def move(game, source, dest, count=1):
    """Move the last count cards of column source to column dest, counted from 1: one move.

    Clears nothing. Returns False, with nothing changed, if the move is not allowed.
    """
    if not validate_move(game, source, dest, count):
        return False
    column = game.columns[source - 1]
    game.columns[dest - 1] += column[-count:]
    del column[-count:]
    game.moves_left -= 1
    return True


# Commands


def perform(game, command):
    """Carry out a typed command and return what to say about it: clears, and turns that ended.

    Raises ValueError with the line to show if it is refused; then nothing has changed.
    """
    kind, numbers = read(command)
    if is_over(game):
        raise ValueError(INVALID_MOVE + "The game is over.")
    report = []
    if kind == "M":
        if not move(game, *numbers):
            raise ValueError(INVALID_MOVE + refusal(game, *numbers))
        report = clear(game, range(1, COLUMNS + 1))
    elif kind == "P":
        raise ValueError(INVALID_INPUT)
    elif game.shoe:
        report = next_turn(game)
    else:
        game.moves_left = 0
    game.opening = ""
    return "\n".join(report + end_turns(game))


def read(command):
    """Return a typed command as its kind and its numbers: "m 1 3" is ("M", [1, 3]).

    Raises ValueError with the line to show if it is no command.
    """
    kind, *numbers = command.upper().split() or [""]
    fewest, most = NUMBERS.get(kind, (1, 0))
    if not fewest <= len(numbers) <= most or not all(map(NUMBER.fullmatch, numbers)):
        raise ValueError(INVALID_INPUT)
    return kind, [int(number) for number in numbers]


def legal_moves(game):
    """Yield every legal move as (source, dest, count), columns counted from 1."""
    for source, column in enumerate(game.columns, start=1):
        for count in range(1, len(column) + 1):
            group = column[-count:]
            if not of_one_suit(group) and not of_one_rank(group):
                break
            for dest, onto in enumerate(game.columns, start=1):
                if dest != source and can_follow(group[0], onto):
                    yield source, dest, count


def legal_commands(game):
    """Return every legal command, the most useful first.

    First the moves that clear, or bring together what is cleared together; then to end the turn;
    then the other moves, and at the end those that lose the game.
    """
    if is_over(game):
        return []
    ranked = [((False, 0, breaks(game)), "D")]
    for source, dest, count in legal_moves(game) if game.moves_left else ():
        command = f"M {source} {dest}" if count == 1 else f"M {source} {dest} {count}"
        ranked.append((worth(game, source, dest, count), command))
    return [command for _, command in sorted(ranked, key=lambda pair: pair[0])]


def worth(game, source, dest, count):
    """Return a sort key for a move, the lowest for the most useful one: whether it loses, how many
    clears it makes (negative), and the breaks it leaves."""
    columns = [list(column) for column in game.columns]
    trial = Game([], columns, [], game.rank, game.difficulty, moves_left=1)
    move(trial, source, dest, count)
    clears = clear(trial, range(1, COLUMNS + 1))
    return bool(trial.lost), -len(clears), breaks(trial)


def breaks(game):
    """Return how many neighbours in the columns are not cleared together, by suit or Quadzilla."""
    count = 0
    for column in game.columns:
        classes = ["Q" if card.rank() == game.rank else card.suit() for card in column]
        count += sum(first != second for first, second in zip(classes, classes[1:]))
    return count


def describe(game, command):
    """Say what a legal command does: `9♦ onto 9♠`, `9♦ onto 5♦ (2 cards)`, `end the turn`."""
    kind, numbers = read(command)
    if kind == "D":
        return "end the turn"
    source, dest, count = (*numbers, 1)[:3]
    first, onto = name(game.columns[source - 1][-count]), game.columns[dest - 1]
    text = f"{first} onto {name(onto[-1])}" if onto else f"{first} to an empty column"
    return text if count == 1 else f"{text} ({count} cards)"
