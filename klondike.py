"""Klondike, the patience that most people mean by the word.

The tableau has seven columns, with 1 to 7 cards. Only the last card of each
is face up; a face-down card at the end of a column is turned up at once. The
other 24 cards are the stock.

Goal: all cards on the four foundations, each built up in suit from the ace to
the King.

Columns build down in alternating colours: 9♦ goes on 10♠ or 10♣. Any face-up
card of a column, with all cards on it, may move to another column. An empty
column takes only a King, or a run of cards that begins with a King. The top
card of a foundation may go back to a column.

Three cards (with --draw 1, one) are turned from the stock onto the waste at a
time, and only the top card of the waste may be played. When the stock is
empty the waste is turned over to be the stock again, as often as one likes.

The game is lost when no card can move and none that comes up from the stock
fits anywhere.
"""

import math
import re
from dataclasses import dataclass

import cards

TITLE = "Klondike Solitaire."
PROMPT = "Enter command (h for help): "
COMMANDS = """\
TT s d [n]  the last n cards of column s to column d, or as many as fit
TF s [f]    the end card of column s to foundation f, or to where it fits
WT d        the waste card to column d
WF [f]      the waste card to a foundation
FT f d      the top card of foundation f back to column d
SW [n]      draw, or turn the waste over; n times, till a card can be played
A           play every card to the foundations that can go there
"""
OPTIONS = {"draw": ("3", "1")}
SHORTCUTS = True

COLUMNS = 7
FOUNDATIONS = 4
STOCK = 24
WASTE_SHOWN = 3
ACE, KING = 1, 13
SUITS = (1, 2, 3, 4)
RED_SUITS = (2, 3)

ROW = "%3d:" + COLUMNS * "%4s" + "\n"
NUMBER = re.compile("[0-9]{1,9}")
# How many numbers each command takes, at least and at most.
NUMBERS = {
    "TT": (2, 3),
    "TF": (1, 2),
    "WT": (1, 1),
    "WF": (0, 1),
    "FT": (2, 2),
    "SW": (0, 1),
    "A": (0, 0),
}
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  "

# What a command is good for, the most useful first. A move that only shifts cards comes after
# drawing, and one that takes back the last move comes at the end: so hints do not go in circles.
(
    FOUNDS_SAFELY,  # nobody will need the card in the tableau
    TURNS_UP,  # a face-down card
    EMPTIES,  # a column
    FOUNDS,
    PLAYS_WASTE,
    DRAWS,
    SHIFTS,  # a part of a run
    COMES_BACK,  # from a foundation
    FOUNDS_ELSEWHERE,  # an ace, on another foundation than the first empty one
    UNDOES,
) = range(10)


@dataclass
class Game:
    """The cards on the table. Every pile is a list with its top or end card last."""

    stock: list  # face-down cards; the last is the next to be drawn
    waste: list
    foundations: list  # 4 lists
    tableau: list  # 7 lists
    draw: int  # how many cards are drawn at a time, 1 or 3
    undoing: str = ""  # the command that would only take back the last one; never a first hint


def initialize(deck=None, draw="3"):
    """Deal the tableau row by row and turn up the end of each column; the rest is the stock.

    deck: anything with deal(); None means a fresh shuffled deck. draw: "3" or "1".
    """
    if deck is None:
        deck = cards.Deck()
        deck.shuffle()
    tableau = [[] for _ in range(COLUMNS)]
    for row in range(COLUMNS):
        for column in tableau[row:]:
            card = deck.deal()
            card.flip_card()
            column.append(card)
    for column in tableau:
        flip_end_card(column)
    stock = [deck.deal() for _ in range(STOCK)]
    stock.reverse()
    return Game(stock, [], [[] for _ in range(FOUNDATIONS)], tableau, int(draw))


# The board


def display(game):
    """Print foundations, stock, waste and tableau; the waste card that may be played in brackets."""
    tops = [name(foundation[-1]) if foundation else "--" for foundation in game.foundations]
    waste = [name(card) for card in game.waste[-WASTE_SHOWN:]]
    if waste:
        waste[-1] = f"[{waste[-1]}]"
    text = "Foundations:" + "".join(f"{number:4}:{top:>4}" for number, top in enumerate(tops, 1))
    text += f"\nStock:{len(game.stock):3} (draw {game.draw})   Waste:{len(game.waste):3}"
    text += "".join(f"{card:>6}" for card in waste) + "\n    "
    text += "".join(f"{column:3} " for column in range(1, COLUMNS + 1)) + "\n"
    for row in range(max(1, *map(len, game.tableau))):
        cells = [column[row] if row < len(column) else "" for column in game.tableau]
        text += ROW % (row + 1, *cells)
    print(text, end="")


def name(card):
    """Return the card's name without the blank that some cards modules put before it."""
    return str(card).strip()


# The rules


def can_build(card, column):
    """Return True if the card goes onto the end of the column, or as a King into an empty one."""
    if not column:
        return card.rank() == KING
    end = column[-1]
    return is_red(card) != is_red(end) and card.rank() == end.rank() - 1


def is_red(card):
    """Return True if the card is a diamond or a heart."""
    return card.suit() in RED_SUITS


def can_found(card, foundation):
    """Return True if the card is the foundation's next one; an ace begins any empty foundation."""
    if not foundation:
        return card.rank() == ACE
    top = foundation[-1]
    return card.suit() == top.suit() and card.rank() == top.rank() + 1


def face_up_cards(column):
    """Return the face-up cards of a column, which all lie at its end, as a new list."""
    return [card for card in column if card.is_face_up()]


def fitting_count(source, dest):
    """Return how many cards from the end of column source go together onto column dest, or 0.

    The ranks of a run are all different, so only one number of cards can fit.
    """
    run = face_up_cards(source)
    for place, card in enumerate(run):
        if can_build(card, dest):
            return len(run) - place
    return 0


def fitting_foundation(game, card):
    """Return the first foundation that takes the card, or None."""
    for foundation in game.foundations:
        if can_found(card, foundation):
            return foundation
    return None


def flip_end_card(column):
    """Turn up the end card of the column if it lies face down; return True if one was turned."""
    if column and not column[-1].is_face_up():
        column[-1].flip_card()
        return True
    return False


def draw(game):
    """Turn cards from the stock onto the waste or, when it is empty, turn the waste over."""
    one_draw_turns_all = len(game.stock) + len(game.waste) <= game.draw
    if game.stock:
        for _ in range(min(game.draw, len(game.stock))):
            game.waste.append(game.stock.pop())
    else:
        game.stock = game.waste[::-1]
        game.waste = []
    game.undoing = "SW" if one_draw_turns_all else ""


def draw_on(game, count):
    """Draw so many times, but no further than to a waste card that can be played.

    Returns whether the waste was turned over.
    """
    turned_over = False
    a_pass = math.ceil((len(game.stock) + len(game.waste)) / game.draw) + 1
    for _ in range(min(count, 2 * a_pass + count % a_pass)):  # each pass is like the second
        draw(game)
        turned_over = turned_over or not game.waste
        if game.waste and fits_somewhere(game, game.waste[-1]):
            break
    return turned_over


def fits_somewhere(game, card):
    """Return True if the card goes to a column or a foundation."""
    return fitting_foundation(game, card) is not None or any(
        can_build(card, column) for column in game.tableau)


def play_to_foundations(game):
    """Play every card to the foundations that can go there, until none can; return how many."""
    count = 0
    while command := next(foundation_commands(game), None):
        kind, numbers = read(command)
        move(game, kind, *numbers)
        count += 1
    return count


def check_win(game):
    """Return True if all cards are on the foundations."""
    return sum(map(len, game.foundations)) == FOUNDATIONS * KING


def check_loss(game):
    """Return why the game is lost, or None.

    It is lost when nothing but drawing is left to do, and none of the cards that come to the top
    of the waste in a whole pass, if nothing is played, fits anywhere.
    """
    if check_win(game) or next(legal_moves(game), None):
        return None
    if any(fits_somewhere(game, card) for card in coming_up(game)):
        return None
    return "You lost: no card can move, and none that comes up from the stock fits anywhere."


def coming_up(game):
    """Return the cards that come to the top of the waste if one only draws, to the end of this
    pass through the stock and then through all of the next."""
    stock = game.stock[::-1]
    both = game.waste + stock
    tops = []
    for cards_to_draw in (stock, both):
        tops += cards_to_draw[game.draw - 1 :: game.draw] + cards_to_draw[-1:]
    return tops


# Moves: kind and numbers are those of the commands TT, TF, WT, WF and FT, counted from 1. The
# functions named after a kind return source pile, destination pile and number of cards, and raise
# ValueError with a sentence that says why the move is not allowed.


def column_to_column(game, source_number, dest_number, count=None):
    """TT: a run of count cards, or of as many as fit, from one column to another."""
    source, dest = get_column(game, source_number), get_column(game, dest_number)
    run = face_up_cards(source)
    if source is dest:
        raise ValueError("A column does not go onto itself.")
    if not source:
        raise ValueError(f"Column {source_number} is empty.")
    if count is None:
        count = fitting_count(source, dest) or 1
    if count > len(run):
        raise ValueError(f"Column {source_number} has no {count} cards face up, only {len(run)}.")
    if count < 1:
        raise ValueError("At least one card must move.")
    must_build(run[-count], dest)
    return source, dest, count


def column_to_foundation(game, source_number, foundation_number=None):
    """TF: the end card of a column to a foundation, or to the one where it fits."""
    source = get_column(game, source_number)
    if not source:
        raise ValueError(f"Column {source_number} is empty.")
    return source, must_found(game, source[-1], foundation_number), 1


def waste_to_column(game, dest_number):
    """WT: the top card of the waste to a column."""
    dest = get_column(game, dest_number)
    if not game.waste:
        raise ValueError("The waste is empty.")
    must_build(game.waste[-1], dest)
    return game.waste, dest, 1


def waste_to_foundation(game, foundation_number=None):
    """WF: the top card of the waste to a foundation, or to the one where it fits."""
    if not game.waste:
        raise ValueError("The waste is empty.")
    return game.waste, must_found(game, game.waste[-1], foundation_number), 1


def foundation_to_column(game, foundation_number, dest_number):
    """FT: the top card of a foundation back to a column."""
    source, dest = get_foundation(game, foundation_number), get_column(game, dest_number)
    if not source:
        raise ValueError(f"Foundation {foundation_number} is empty.")
    must_build(source[-1], dest)
    return source, dest, 1


MOVES = {
    "TT": column_to_column,
    "TF": column_to_foundation,
    "WT": waste_to_column,
    "WF": waste_to_foundation,
    "FT": foundation_to_column,
}


def get_column(game, number):
    """Return a column by its number from 1, or raise ValueError if there is none."""
    if not 1 <= number <= COLUMNS:
        raise ValueError(f"There is no column {number}, only 1 to {COLUMNS}.")
    return game.tableau[number - 1]


def get_foundation(game, number):
    """Return a foundation by its number from 1, or raise ValueError if there is none."""
    if not 1 <= number <= FOUNDATIONS:
        raise ValueError(f"There is no foundation {number}, only 1 to {FOUNDATIONS}.")
    return game.foundations[number - 1]


def must_build(card, column):
    """Raise ValueError if the card does not go onto the column."""
    if not can_build(card, column):
        if not column:
            raise ValueError(f"Only a King goes into an empty column, not {name(card)}.")
        raise ValueError(
            f"{name(card)} does not go on {name(column[-1])}: "
            "a column builds down in alternating colours."
        )


def must_found(game, card, number):
    """Return the foundation of that number, or the one where the card fits if number is None.

    Raises ValueError if the card does not go there.
    """
    foundation = fitting_foundation(game, card) if number is None else get_foundation(game, number)
    if foundation is None or not can_found(card, foundation):
        where = f"foundation {number}" if number else "a foundation"
        raise ValueError(
            f"{name(card)} does not go to {where}: a foundation builds up in suit from the ace."
        )
    return foundation


def refusal(game, kind, *numbers):
    """Return why a move is not allowed, in a sentence, or None if it is."""
    try:
        MOVES[kind](game, *numbers)
    except ValueError as reason:
        return str(reason)
    return None


def validate_move(game, kind, *numbers):
    """Return True if the move is allowed: kind is a key of MOVES, numbers count from 1."""
    return refusal(game, kind, *numbers) is None


def move(game, kind, *numbers):
    """Make a move and turn up the card it leaves at the end of a column.

    kind is a key of MOVES, numbers count from 1. Returns False, with nothing changed, if the move
    is not allowed.
    """
    if not validate_move(game, kind, *numbers):
        return False
    source, dest, count = MOVES[kind](game, *numbers)
    dest += source[-count:]
    del source[-count:]
    turned = flip_end_card(source)
    game.undoing = "" if turned else way_back(game, kind, numbers, dest)
    return True


def way_back(game, kind, numbers, dest):
    """Return the command that takes back a move just made, or "" where there is none."""
    if kind == "TT":
        return f"TT {number_of(dest, game.tableau)} {numbers[0]}"
    if kind == "TF":
        return f"FT {number_of(dest, game.foundations)} {numbers[0]}"
    if kind == "FT":
        return f"TF {number_of(dest, game.tableau)}"
    return ""


def number_of(pile, piles):
    """Return the number, from 1, of this very pile among the piles."""
    return [other is pile for other in piles].index(True) + 1


# Commands


def perform(game, command):
    """Carry out a typed command and return what to say about it, often "".

    Raises ValueError with the line to show if it is refused; then nothing has changed.
    """
    kind, numbers = read(command)
    if kind == "SW":
        if not game.stock and not game.waste:
            raise ValueError(INVALID_MOVE + "Stock and waste are both empty.")
        if numbers == [0]:
            raise ValueError(INVALID_MOVE + "At least one draw must be made.")
        return "The waste is turned over." if draw_on(game, *numbers or [1]) else ""
    if kind == "A":
        count = play_to_foundations(game)
        if not count:
            raise ValueError(INVALID_MOVE + "No card can go to a foundation.")
        return f"{count} card{'s' if count > 1 else ''} to the foundations."
    if not move(game, kind, *numbers):
        raise ValueError(INVALID_MOVE + refusal(game, kind, *numbers))
    return ""


def read(command):
    """Return a typed command as its kind and its numbers: "tt 3 5" is ("TT", [3, 5]).

    Raises ValueError with the line to show if it is no command.
    """
    kind, *numbers = command.upper().split() or [""]
    fewest, most = NUMBERS.get(kind, (1, 0))
    if not fewest <= len(numbers) <= most or not all(map(NUMBER.fullmatch, numbers)):
        raise ValueError(INVALID_INPUT)
    return kind, [int(number) for number in numbers]


def legal_moves(game):
    """Yield every move that is allowed and gains something, as a command.

    A whole column that begins with its King gains nothing in another empty column.
    """
    yield from foundation_commands(game)
    for dest_number, dest in enumerate(game.tableau, start=1):
        for source_number, source in enumerate(game.tableau, start=1):
            count = fitting_count(source, dest)
            if count and (dest or count < len(source)):
                yield f"TT {source_number} {dest_number}"
        if game.waste and can_build(game.waste[-1], dest):
            yield f"WT {dest_number}"
        for source_number, source in enumerate(game.foundations, start=1):
            if source and can_build(source[-1], dest):
                yield f"FT {source_number} {dest_number}"


def foundation_commands(game):
    """Yield a command for every card that can go to a foundation, columns first."""
    for number, column in enumerate(game.tableau, start=1):
        if column and fitting_foundation(game, column[-1]) is not None:
            yield f"TF {number}"
    if game.waste and fitting_foundation(game, game.waste[-1]) is not None:
        yield "WF"


def other_foundations(game, command):
    """Yield the ways to begin another empty foundation with the ace that command begins one with."""
    source, first, _ = MOVES[command[:2]](game, *read(command)[1])
    for number, foundation in enumerate(game.foundations, start=1):
        if foundation is not first and can_found(source[-1], foundation):
            yield f"{command} {number}"


def legal_commands(game):
    """Return every command that is legal and gains something, the most useful first."""
    commands = list(legal_moves(game))
    for command in foundation_commands(game):
        commands += other_foundations(game, command)
    if next(foundation_commands(game), None):
        commands.append("A")
    if game.stock or game.waste:
        commands.append("SW")
    return sorted(commands, key=lambda command: worth(game, command))


def worth(game, command):
    """Return how useful a legal command is, as one of the constants above: the lower the better."""
    kind, numbers = read(command)
    if command == game.undoing:
        return UNDOES
    if kind == "SW":
        return DRAWS
    if kind == "A":
        return UNDOES if list(foundation_commands(game)) == [game.undoing] else FOUNDS
    source, dest, count = MOVES[kind](game, *numbers)
    uncovered = source[:-count]
    if kind == "FT":
        return COMES_BACK
    if kind in ("TF", "WF") and len(numbers) == NUMBERS[kind][1]:
        return FOUNDS_ELSEWHERE
    if kind in ("TF", "WF") and is_safe(game, source[-1]):
        return FOUNDS_SAFELY
    if uncovered and not uncovered[-1].is_face_up():
        return TURNS_UP
    if kind == "TT":
        return SHIFTS if uncovered else EMPTIES
    return FOUNDS if kind in ("TF", "WF") else PLAYS_WASTE


def is_safe(game, card):
    """Return True if no card will need this one in the tableau.

    That is so when all cards that could be built on it, those of the other colour and one lower,
    have left for the foundations, or will be able to at once.
    """
    heights = {pile[0].suit(): len(pile) for pile in game.foundations if pile}
    others = [suit for suit in SUITS if (suit in RED_SUITS) != is_red(card)]
    return card.rank() <= 2 or all(heights.get(suit, 0) >= card.rank() - 1 for suit in others)


def describe(game, command):
    """Say what a legal command does: `9♦ onto 10♠`, `A♥ to a foundation`, `turn 3 cards`."""
    kind, numbers = read(command)
    if kind == "A":
        return "play all cards that can go to the foundations"
    if kind == "SW":
        count = min(game.draw, len(game.stock))
        return f"turn {count} card{'s' if count > 1 else ''}" if count else "turn the waste over"
    source, dest, count = MOVES[kind](game, *numbers)
    card = name(source[-count])
    if kind in ("TF", "WF"):
        chosen = len(numbers) == NUMBERS[kind][1]
        return f"{card} to foundation {numbers[-1]}" if chosen else f"{card} to a foundation"
    return f"{card} onto {name(dest[-1])}" if dest else f"{card} to an empty column"
