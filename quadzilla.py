"""Quadzilla, a patience of thirteen turns: clear fours of a suit.

The shoe holds 52 cards, face down. Each turn begins by dealing one card from
the shoe to the end of each of the four columns. Then you have up to three
moves before the next turn.

Whenever the last four cards of a column are all of one suit, they are cleared
to the discard pile. But one rank, the Quadzilla, is drawn before the deal:
its cards are safe to clear only when all four of them are the last four of a
column. Clearing a suit that includes one of them loses the game at once.

A move takes the last card of a column, or a group of its last cards that are
all of one suit or all of one rank. It puts them, in the same order, at the
end of another column that is empty, or whose last card has the suit or the
rank of the group's first card.

On easy and normal, each clear gives one more move; on easy, unused moves are
kept for later turns. On hard there are only three moves a turn. A turn
without a legal move ends by itself.

Goal: empty both the shoe and the board. The game is lost when the last turn
ends with cards on the board.

The board: each column is a row, with its last card on the right. The number
above a card is the n that moves it together with all cards to its right.

In short: a card goes on its suit or its rank, or into an empty column. 9s 6s
puts the 9♠ on the 6♠, and d ends the turn.
"""

import random
import textwrap
from collections import namedtuple
from dataclasses import dataclass

import cards

TITLE = "Quadzilla Solitaire."
PROMPT = "Enter command (h for help): "
AGAIN = "Do you want to play again (y/n)?"
INVALID_INPUT = "Error: invalid input.  "
INVALID_MOVE = "Error: invalid move.  "
TRY_AGAIN = "Please try again."
COMMANDS = """\
M s d [n]   move the last n cards of column s, or one, to column d
D           end the turn: deal the next four cards
P s         show column s from its first card
"""
WORDS = """\
help, h     show the commands
quit, q     end the game
"""
WIDTH = 80  # of a line that a command shows
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
OPTIONS = {"difficulty": ("normal", "easy", "hard"), "rank": ("random", *RANKS)}

COLUMNS = 4
TURNS = 13
FOUR = 4  # cards that are cleared together
SUIT_NAMES = ("", "clubs", "diamonds", "hearts", "spades")
NO_MOVE = "no legal move is left"

# A difficulty: moves per turn, extra moves for a clear, whether unused moves
# are kept.
Difficulty = namedtuple("Difficulty", "moves bonus carries_over")
DIFFICULTIES = {
    "easy": Difficulty(3, 1, True),
    "normal": Difficulty(3, 1, False),
    "hard": Difficulty(3, 0, False),
}

RULE = "A card goes on its suit or its rank, or into an empty column."
RULE_NARROW = "A card goes on its suit or rank, or into an empty column."
# how many cards of a column the board has room for
SHOWN, SHOWN_NARROW = 17, 11
MIN_SHOWN = 8


@dataclass
class Game:
    """The cards on the table, and the state of the turn."""

    shoe: list  # the last is the next to be dealt
    columns: list  # 4 lists, each with its end card last
    discard: list
    rank: int  # of the Quadzilla, 1-13
    difficulty: str  # a key of DIFFICULTIES
    turn: int = 0  # 1-13
    moves_left: int = 0
    lost: str = ""  # why the game is lost, if a clear lost it
    # how many turns ended by themselves before the first command
    passed: int = 0
    moved: int = 0  # how many groups were moved in this turn


def initialize(difficulty="normal", rank="random"):
    """Draw the Quadzilla, put the cards into the shoe, and deal the first turn.

    difficulty: a key of DIFFICULTIES. rank: one of RANKS, or "random".
    """
    quadzilla = random.choice(RANKS) if rank == "random" else rank
    deck = cards.Deck()
    deck.shuffle()
    shoe = [deck.deal() for _ in range(TURNS * COLUMNS)]
    game = Game(
        shoe=shoe[::-1],
        columns=[[] for _ in range(COLUMNS)],
        discard=[],
        rank=RANKS.index(quadzilla) + 1,
        difficulty=difficulty,
    )
    next_turn(game)
    end_turns(game)
    game.passed = game.turn - 1
    return game


# The board


def display(game):
    """Print the state of the turn, and the ends of the columns, one column per
    line."""
    print_board(game, SHOWN, "   ", RULE)


def print_board(game, most, separator, rule):
    """Print up to most cards of each column. separator: what follows the number
    of moves left. rule: the rule, in one line."""
    count = min(most, max(MIN_SHOWN, *map(len, game.columns)))
    text = "".join(
        f"Turn {turn} ends: {NO_MOVE}.\n" for turn in range(1, game.passed + 1)
    )
    text += (
        f"Quadzilla: {RANKS[game.rank - 1]} ({game.difficulty})   "
        f"Turn {game.turn} of {TURNS}   Moves left: {game.moves_left}"
        f"{separator}Shoe: {len(game.shoe)}   Discard: {len(game.discard)}\n"
        f"{rule}\n"
    )
    text += (
        "  n:    "
        + "".join(f"{number:4}" for number in range(count, 0, -1))
        + "\n"
    )
    for number, column in enumerate(game.columns, start=1):
        left_out = f"+{len(column) - count}" if len(column) > count else ""
        shown = "".join(f"{card!s:>4}" for card in column[-count:])
        text += f"{number:3}:{left_out:>4}{shown:>{4 * count}}\n"
    print(text, end="")


def show_column(game, number):
    """Return what the command P s shows: all the cards in a column."""
    column = " ".join(map(str, game.columns[number - 1]))
    return f"Column {number}: {column or 'empty'}"


VIEWS = {"P": show_column}  # commands that only look: the frame calls these


# The rules


def can_move_together(group):
    """Return True if the cards are all of one suit, or all of one rank."""
    return (
        len({card.suit() for card in group}) == 1
        or len({card.rank() for card in group}) == 1
    )


def can_follow(card, column):
    """Return True if the card can go to the end of the column: onto its suit or
    rank, or because the column is empty."""
    return (
        not column
        or card.suit() == column[-1].suit()
        or card.rank() == column[-1].rank()
    )


def is_clear(game, four):
    """Return True if these last cards of a column are cleared: four of a suit,
    or the Quadzilla."""
    one_suit = len({card.suit() for card in four}) == 1
    return len(four) == FOUR and (
        one_suit or {card.rank() for card in four} == {game.rank}
    )


def clear(game, numbers):
    """Clear fours in the columns with these numbers (counted from 1), in order,
    until a clear loses the game. Return a list of lines, one for each clear."""
    report = []
    for number in numbers:
        column = game.columns[number - 1]
        while not game.lost and is_clear(game, column[-FOUR:]):
            four = column[-FOUR:]
            del column[-FOUR:]
            game.discard += four
            report.append(
                f"Cleared from column {number}: {' '.join(map(str, four))}."
            )
            taken = [card for card in four if card.rank() == game.rank]
            if 0 < len(taken) < FOUR:
                suit = SUIT_NAMES[taken[0].suit()]
                game.lost = (
                    f"You lost: {taken[0]}, a Quadzilla card, was taken by a "
                    f"clear of {suit}."
                )
            elif DIFFICULTIES[game.difficulty].bonus:
                game.moves_left += DIFFICULTIES[game.difficulty].bonus
                report[-1] += " One more move."
    return report


def next_turn(game):
    """Begin the next turn: count its moves, and deal a card to each column,
    left to right, unless a clear loses the game. Return a list of lines, one
    for each clear."""
    difficulty = DIFFICULTIES[game.difficulty]
    game.turn += 1
    game.moved = 0
    game.moves_left = difficulty.moves + (
        game.moves_left if difficulty.carries_over else 0
    )
    report = []
    for number, column in enumerate(game.columns, start=1):
        if not game.lost:
            column.append(game.shoe.pop())
            report += clear(game, [number])
    return report


def end_turns(game):
    """End each turn that ends by itself. Return a list of lines: why each turn
    ended, and what the next deal cleared."""
    report = []
    while game.shoe and not game.lost and not group_moves(game):
        why = NO_MOVE if game.moves_left else "the moves are used up"
        report += [f"Turn {game.turn} ends: {why}.", *next_turn(game)]
    return report


def check_win(game):
    """Return True if the shoe and the board are empty and no clear has lost the
    game."""
    return not game.lost and not game.shoe and not any(game.columns)


def check_loss(game):
    """Return why the game is lost, or None."""
    if game.lost:
        return game.lost
    if game.shoe or check_win(game) or group_moves(game):
        return None
    left = sum(map(len, game.columns))
    return f"You lost: the last turn is over, with cards on the board: {left}."


# Moves
# Numbers count from 1.


def refusal(game, word, *numbers):
    """Return the reason a move is not allowed, as a sentence, or None."""
    for number in numbers[:2]:
        if not 1 <= number <= COLUMNS:
            return f"There is no column {number}, only 1 to {COLUMNS}."
    if word != "P" and (check_win(game) or check_loss(game)):
        return "The game is over."
    return refusal_of_group(game, *numbers) if word == "M" else None


def refusal_of_group(game, source, dest, count=1):
    """Return why the last count cards of a column may not move to another, or
    None if they may."""
    column, onto = game.columns[source - 1], game.columns[dest - 1]
    if not game.moves_left:
        return "No moves are left in this turn."
    if source == dest:
        return "A column does not go onto itself."
    if count < 1:
        return "Move at least one card."
    if not column:
        return f"Column {source} is empty."
    if count > len(column):
        return f"Column {source} has no {count} cards, only {len(column)}."
    group = column[-count:]
    if not can_move_together(group):
        names = " ".join(map(str, group))
        return f"{names} are not all of one suit or of one rank."
    if not can_follow(group[0], onto):
        end = onto[-1]
        rank, suit = RANKS[end.rank() - 1], SUIT_NAMES[end.suit()]
        wanted = f"every {rank} and all {suit}"
        return f"{group[0]} does not go on {end}, which takes {wanted}."
    return None


def validate_move(game, word, *numbers):
    """Return True if a move is allowed."""
    return refusal(game, word, *numbers) is None


def move(game, word, *numbers):
    """Make a move and return True; return False, with nothing changed, if it is
    not allowed."""
    if not validate_move(game, word, *numbers):
        return False
    perform(game, word, *numbers)
    return True


def perform(game, word, *numbers):
    """Make a legal move. Return lines about what was cleared and which turns
    ended.

    move returns only True or False; any message about a move comes from here.
    """
    game.passed = 0
    report = []
    if word == "M":
        report = move_group(game, *numbers)
    elif word == "D" and game.shoe:
        report = next_turn(game)
    elif word == "D":
        # in the last turn: the remaining moves are given up
        game.moves_left = 0
    return "\n".join(report + end_turns(game))


def move_group(game, source, dest, count=1):
    """Move the last count cards of a column to another; return a list of lines,
    one for each clear."""
    column = game.columns[source - 1]
    game.columns[dest - 1] += column[-count:]
    del column[-count:]
    game.moves_left -= 1
    game.moved += 1
    return clear(game, range(1, COLUMNS + 1))


def group_moves(game):
    """Return the allowed card moves."""
    if not game.moves_left:
        return []
    moves = []
    for source, column in enumerate(game.columns, start=1):
        for count in range(1, len(column) + 1):
            group = column[-count:]
            if not can_move_together(group):
                break  # nor can a longer one
            for dest, onto in enumerate(game.columns, start=1):
                if dest != source and can_follow(group[0], onto):
                    moves.append(
                        ("M", source, dest)
                        if count == 1
                        else ("M", source, dest, count)
                    )
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
        elif chosen[0] == "P":
            say(textwrap.fill(show_column(game, chosen[1]), WIDTH))
        else:
            say(perform(game, *chosen))
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
