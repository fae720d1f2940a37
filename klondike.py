"""Klondike, the game most people mean by "solitaire".

The tableau has seven columns of 1 to 7 cards. Only the last card of each is
face up; a face-down card at the end of a column is turned up at once. The
other 24 cards are the stock.

Goal: all cards on the four foundations, each built up in suit from the ace to
the King. An ace may start any empty foundation.

Columns build down in alternating colours: 9♦ goes on 10♠ or 10♣. Any face-up
card of a column, with all cards on it, may move to another column. An empty
column takes only a King, or a run that begins with a King. The top card of a
foundation may go back to a column.

You draw three cards at a time (with --draw 1, one) from the stock onto the
waste, and may play only the top card of the waste. When the stock is empty,
the waste is turned over to form a new stock, as often as you like. With
--passes 3 or 1 you go through the stock at most that many times, and the
board shows how many more times the waste may be turned over.

The game is lost when no card can move and no card that comes up from the
stock fits anywhere.

The board: columns run downwards, XX is a face-down card, and the card in
brackets is the top of the waste.

In short: down, red on black, and a King into an empty column. 9d 10s puts the
9♦ on the 10♠, d draws, and A plays cards up.
"""

import math
from dataclasses import dataclass

import cards

TITLE = "Klondike Solitaire."
PROMPT = "Enter command (h for help): "
AGAIN = "Do you want to play again (y/n)?"
INVALID_INPUT = "Error: invalid input.  "
INVALID_MOVE = "Error: invalid move.  "
TRY_AGAIN = "Please try again."
COMMANDS = """\
TT s d [n]  the last n cards of column s to column d, or as many as fit
TF s [f]    the end card of column s to foundation f, or to where it fits
WT d        the waste card to column d
WF [f]      the waste card to a foundation
FT f d      the top card of foundation f back to column d
SW [n]      draw, or turn the waste over; up to n times, until a card fits
A           play every card that can go to a foundation
"""
WORDS = """\
help, h     show the commands
quit, q     end the game
"""
OPTIONS = {"draw": ("3", "1"), "passes": ("unlimited", "3", "1")}

COLUMNS = 7
FOUNDATIONS = 4
STOCK = 24
MOST_DRAWS = 5_000  # per command, so that a typing error does not take hours
WASTE_SHOWN = 3
ACE, KING = 1, 13
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = (1, 2, 3, 4)
RED_SUITS = (2, 3)

# The kinds of piles that a command numbers, in order; and how many piles there
# are of each kind.
NUMBERED = {
    "TT": ("column", "column"),
    "TF": ("column", "foundation"),
    "WT": ("column",),
    "WF": ("foundation",),
    "FT": ("foundation", "column"),
}
COUNTS = {"column": COLUMNS, "foundation": FOUNDATIONS}


@dataclass
class Game:
    """The cards on the table. Every pile is a list with its top or end card
    last."""

    stock: list  # face-down cards; the last is the next to be drawn
    waste: list
    foundations: list  # 4 lists
    tableau: list  # 7 lists
    draw: int  # how many cards are drawn at a time, 1 or 3
    # how many more times the waste may be turned over
    turns_over: float = math.inf
    # how many of the stock's first cards have never been on the waste
    unseen: int = 0


def initialize(draw="3", passes="unlimited"):
    """Deal the tableau row by row, the end of each column face up; the rest is
    the stock.

    draw: "3" or "1". passes: how many times the player may go through the
    stock, one of the choices in OPTIONS.
    """
    deck = cards.Deck()
    deck.shuffle()
    tableau = [[] for _ in range(COLUMNS)]
    for row in range(COLUMNS):
        for column in tableau[row:]:
            column.append(deck.deal())
    for column in tableau:
        for card in column[:-1]:
            card.flip_card()
    stock = [deck.deal() for _ in range(STOCK)]
    return Game(
        stock=stock[::-1],
        waste=[],
        foundations=[[] for _ in range(FOUNDATIONS)],
        tableau=tableau,
        draw=int(draw),
        turns_over=math.inf if passes == "unlimited" else int(passes) - 1,
        unseen=STOCK,
    )


# The board


def display(game):
    """Print foundations, stock, waste and tableau, with the playable waste card
    in brackets."""
    tops = [
        str(foundation[-1]) if foundation else "--"
        for foundation in game.foundations
    ]
    waste = [str(card).strip() for card in game.waste[-WASTE_SHOWN:]]
    if waste:
        waste[-1] = f"[{waste[-1]}]"
    text = "Foundations:" + "".join(
        f"{number:4}:{top:>4}" for number, top in enumerate(tops, 1)
    )
    redeals = (
        "" if game.turns_over == math.inf else f", redeals: {game.turns_over}"
    )
    text += f"\nStock:{len(game.stock):3} (draw {game.draw}{redeals})"
    text += f"   Waste:{len(game.waste):3}"
    text += "".join(f"{card:>6}" for card in waste) + "\n    "
    text += "".join(f"{column:3} " for column in range(1, COLUMNS + 1)) + "\n"
    for row in range(max(1, *map(len, game.tableau))):
        cells = [
            column[row] if row < len(column) else "" for column in game.tableau
        ]
        text += (
            f"{row + 1:3}:" + "".join(f"{card!s:>4}" for card in cells) + "\n"
        )
    print(text, end="")


# The rules


def can_build(card, column):
    """Return True if the card goes onto the end of the column, or as a King
    into an empty one."""
    if not column:
        return card.rank() == KING
    end = column[-1]
    return card.rank() == end.rank() - 1 and is_red(card) != is_red(end)


def is_red(card):
    """Return True if the card is a diamond or a heart."""
    return card.suit() in RED_SUITS


def can_found(card, foundation):
    """Return True if the card is the next one for the foundation; an ace begins
    any empty foundation."""
    if not foundation:
        return card.rank() == ACE
    top = foundation[-1]
    return card.suit() == top.suit() and card.rank() == top.rank() + 1


def face_up_cards(column):
    """Return the face-up cards of a column, which all lie at its end, as a new
    list."""
    return [card for card in column if card.is_face_up()]


def fitting_count(source, dest):
    """Return how many cards from the end of column source can go together onto
    column dest, or 0."""
    # their ranks are all different, so only one can fit
    run = face_up_cards(source)
    for place, card in enumerate(run):
        if can_build(card, dest):
            return len(run) - place
    return 0


def fitting_foundation(game, card):
    """Return the first foundation that takes the card, or None."""
    for pile in game.foundations:
        if can_found(card, pile):
            return pile
    return None


def fits_somewhere(game, card):
    """Return True if the card goes to a column or a foundation."""
    on_column = any(can_build(card, column) for column in game.tableau)
    return on_column or fitting_foundation(game, card) is not None


def draw(game):
    """Turn cards from the stock onto the waste or, when it is empty, turn the
    waste over."""
    if game.stock:
        for _ in range(min(game.draw, len(game.stock))):
            game.waste.append(game.stock.pop())
        game.unseen = min(game.unseen, len(game.stock))
    else:
        game.stock = game.waste[::-1]
        game.waste = []
        game.turns_over -= 1


def can_draw(game):
    """Return True if a card can be drawn or the waste can be turned over."""
    return bool(game.stock or (game.waste and game.turns_over))


def draw_until_fit(game, count):
    """Draw up to count times, stopping at a waste card that can be played.
    Return whether the waste was turned over."""
    turned_over = False
    for _ in range(min(count, MOST_DRAWS)):
        if not can_draw(game):
            break
        draw(game)
        if not game.waste:
            turned_over = True  # by this draw
        if game.waste and fits_somewhere(game, game.waste[-1]):
            break
    return turned_over


def progress(game):
    """Return how many cards are on the foundations."""
    return sum(map(len, game.foundations))


def check_win(game):
    """Return True if all cards are on the foundations."""
    return progress(game) == FOUNDATIONS * KING


def check_loss(game):
    """Return why the game is lost, or None. It is lost if only drawing is left
    and no card that comes up fits."""
    if check_win(game) or gaining_moves(game):
        return None
    if any(fits_somewhere(game, card) for card in coming_up(game)):
        return None
    return (
        "You lost: no card can move, and none that comes up from the stock "
        "fits anywhere."
    )


def coming_up(game):
    """Return the cards that come to the top of the waste just by drawing, in
    this pass and the next."""
    stock = game.stock[::-1]
    both = game.waste + stock
    tops = []
    passes = [stock, both] if game.turns_over else [stock]
    for cards_to_draw in passes:
        for number, card in enumerate(cards_to_draw, start=1):
            if number % game.draw == 0 or number == len(cards_to_draw):
                tops.append(card)
    return tops


# Moves
# Piles count from 1.


def ends_of(game, word, *numbers):
    """Return the pile that a move takes cards from, and the pile they go to, or
    None if no foundation fits."""
    if word == "TT":
        return game.tableau[numbers[0] - 1], game.tableau[numbers[1] - 1]
    if word == "WT":
        return game.waste, game.tableau[numbers[0] - 1]
    if word == "FT":
        return game.foundations[numbers[0] - 1], game.tableau[numbers[1] - 1]
    source = game.tableau[numbers[0] - 1] if word == "TF" else game.waste
    if names_foundation(word, *numbers):
        return source, game.foundations[numbers[-1] - 1]
    if not source:
        return source, None
    return source, fitting_foundation(game, source[-1])


def names_foundation(word, *numbers):
    """Return True if TF or WF names the foundation, which may be left out."""
    return word in ("TF", "WF") and len(numbers) == len(NUMBERED[word])


def foundation_name(word, *numbers):
    """Return the name of the foundation that TF or WF goes to."""
    return (
        f"foundation {numbers[-1]}"
        if names_foundation(word, *numbers)
        else "a foundation"
    )


def card_count(game, word, *numbers):
    """Return how many cards a move takes: the number given with TT, or as many
    as fit, or 1."""
    if word != "TT":
        return 1
    if len(numbers) == 3:
        return numbers[2]
    return max(1, fitting_count(*ends_of(game, word, *numbers)))


def refusal(game, word, *numbers):
    """Return the reason a move is not allowed, as a sentence, or None."""
    if word == "SW":
        return refusal_to_draw(game, *numbers)
    if word == "A":
        return None if moves_up(game) else "No card can go to a foundation."
    for pile, number in zip(NUMBERED[word], numbers):
        if not 1 <= number <= COUNTS[pile]:
            return f"There is no {pile} {number}, only 1 to {COUNTS[pile]}."
    source, dest = ends_of(game, word, *numbers)
    if source is dest:
        return "A column does not go onto itself."
    if not source:
        name = (
            "The waste"
            if source is game.waste
            else f"{NUMBERED[word][0].capitalize()} {numbers[0]}"
        )
        return f"{name} is empty."
    return refusal_of_cards(game, word, *numbers)


def refusal_to_draw(game, *numbers):
    """Return why no card can be drawn, or None if one can."""
    if not game.stock and not game.waste:
        return "Stock and waste are both empty."
    if not can_draw(game):
        return "No redeal is left."
    return "Draw at least once." if numbers == (0,) else None


def refusal_of_cards(game, word, *numbers):
    """Return why cards cannot go from one pile to another, or None if they
    can."""
    source, dest = ends_of(game, word, *numbers)
    count = card_count(game, word, *numbers)
    face_up = len(face_up_cards(source))
    if count > face_up:
        return (
            f"Column {numbers[0]} has no {count} cards face up, only {face_up}."
        )
    if count < 1:
        return "Move at least one card."
    if word not in ("TF", "WF"):
        return refusal_to_build(source[-count], dest)
    if dest is None or not can_found(source[-1], dest):
        foundation_label = foundation_name(word, *numbers)
        rule = "a foundation builds up in suit from the ace"
        return f"{source[-1]} does not go to {foundation_label}: {rule}."
    return None


def refusal_to_build(card, column):
    """Return why the card cannot go onto the column, in a sentence, or None if
    it can."""
    if can_build(card, column):
        return None
    if not column:
        return f"Only a King goes into an empty column, not {card}."
    end = column[-1]
    if end.rank() == ACE:
        return f"{card} does not go on {end}: no card does."
    wanted = f"a {'black' if is_red(end) else 'red'} {RANKS[end.rank() - 2]}"
    return f"{card} does not go on {end}, which takes {wanted}."


def validate_move(game, word, *numbers):
    """Return True if a move is allowed: a word of COMMANDS and its numbers,
    counted from 1."""
    return refusal(game, word, *numbers) is None


def move(game, word, *numbers):
    """Make a move and return True; return False, with nothing changed, if it is
    not allowed."""
    if not validate_move(game, word, *numbers):
        return False
    perform(game, word, *numbers)
    return True


def perform(game, word, *numbers):
    """Make a legal move, and turn up the card it uncovers. Return a message, or
    "".

    move returns only True or False; any message about a move comes from here.
    """
    if word == "SW":
        count = numbers[0] if numbers else 1
        return (
            "The waste is turned over." if draw_until_fit(game, count) else ""
        )
    if word == "A":
        count = play_up(game)
        return f"{count} card{'s' if count > 1 else ''} to the foundations."
    source, dest = ends_of(game, word, *numbers)
    count = card_count(game, word, *numbers)
    dest += source[-count:]
    del source[-count:]
    if source and not source[-1].is_face_up():
        source[-1].flip_card()
    return ""


def play_up(game):
    """Play every card that can go to a foundation, until none can;
    return how many."""
    count = 0
    moves = moves_up(game)
    while moves:
        move(game, *moves[0])
        count += 1
        moves = moves_up(game)
    return count


def moves_up(game):
    """Return a move for each card that can go up, columns first."""
    moves = [
        ("TF", number)
        for number, column in enumerate(game.tableau, start=1)
        if column and fitting_foundation(game, column[-1]) is not None
    ]
    if game.waste and fitting_foundation(game, game.waste[-1]) is not None:
        moves.append(("WF",))
    return moves


def gaining_moves(game):
    """Return every allowed move of cards, except a King moving its whole column
    to an empty one."""
    moves = moves_up(game)
    for number, dest in enumerate(game.tableau, start=1):
        for source_number, source in enumerate(game.tableau, start=1):
            count = fitting_count(source, dest)
            if count and (dest or count < len(source)):
                moves.append(("TT", source_number, number))
        if game.waste and can_build(game.waste[-1], dest):
            moves.append(("WT", number))
        for source_number, source in enumerate(game.foundations, start=1):
            if source and can_build(source[-1], dest):
                moves.append(("FT", source_number, number))
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
