"""Zodiac, a patience with two packs, laid out like a globe.

Eight cards lie in the cells of the Equator. Around it lies the Zodiac, 24
piles of one card each. The other 72 cards are the stock.

In the first phase all cards go to the Zodiac or the Equator. A card goes onto
a Zodiac pile if it is of the same suit as the pile's top card and one rank
higher or lower; ace and King are not neighbours, and a pile may change
direction. Cards come from the Equator, or from the top of the waste, onto
which the stock is turned one card at a time. An empty cell of the Equator may
be filled from the waste at any time. When the stock is empty, the waste is
turned over to form a new stock, as often as you like. Cards in the Zodiac do
not move yet.

The second phase begins when stock and waste are empty. Now the top cards of
the Zodiac and the cards of the Equator go to the eight foundations, two for
each suit, built up in suit from the ace to the King. If identical cards lie
on two piles and there is room for only one of them, choose well.

Goal: all 104 cards on the foundations. In the first phase the game is lost
when no card outside the Zodiac fits any of its piles, and the Equator has too
few empty cells for stock and waste. In the second phase it is lost when no
card can go up.

The board: the Zodiac is a ring around the Equator, whose cells are e1 to e8;
below each pile's top card is the number of cards in the pile.

In short: a card goes on a card of its suit, one rank higher or lower. 5c 4c
puts the 5♣ on the 4♣, d turns a card, and A plays cards up in phase 2.
"""

import random
import textwrap
from dataclasses import dataclass

import cards

TITLE = "Zodiac Solitaire."
PROMPT = "Enter command (h for help): "
AGAIN = "Do you want to play again (y/n)?"
INVALID_INPUT = "Error: invalid input.  "
INVALID_MOVE = "Error: invalid move.  "
TRY_AGAIN = "Please try again."
COMMANDS = """\
D [n]       turn a card, or the waste over; up to n times, until one fits
WZ z        the waste card onto Zodiac pile z
WE [e]      the waste card into cell e of the Equator, or the first empty one
EZ e z      the card in cell e of the Equator onto Zodiac pile z
ZF z        phase 2: the top card of Zodiac pile z to a foundation
EF e        phase 2: the card in cell e of the Equator to a foundation
A           phase 2: play to the foundations while there is nothing to choose
P z         show pile z, from bottom to top
"""
WORDS = """\
help, h     show the commands
quit, q     end the game
"""
WIDTH = 80  # of a line that a command shows

PILES = 24
CELLS = 8
MOST_DRAWS = 5_000  # in one command, so that a typing error does not take hours
ACE, KING = 1, 13
SUITS = (1, 2, 3, 4)
PACK = 2 * [(rank, suit) for suit in SUITS for rank in range(ACE, KING + 1)]

CLOSED = "No card goes to a foundation until stock and waste are empty."
PHASE_2 = (
    "Phase 2: stock and waste are empty. "
    "Cards can now go only to the foundations."
)

# Where the piles stand in the ring: clockwise, from the left end of the upper
# row.
UPPER_ROW = range(1, 11)
SIDES = ((24, 11), (23, 12))  # left and right of the Equator, and below it
LOWER_ROW = range(22, 12, -1)
INSIDE = 8 * CELLS  # how wide the Equator is
NARROW_PILES, NARROW_CELLS = 6, 4  # in a row, if the terminal is narrow


@dataclass
class Game:
    """The cards on the table. Every pile is a list with its top card last."""

    stock: list  # the last is the next to be turned
    waste: list
    equator: list  # 8 lists, one for each cell, with one card or none
    zodiac: list  # 24 lists
    # 8 lists: two each for clubs, diamonds, hearts, spades
    foundations: list
    # how many cards at the beginning of the stock have never been turned
    unseen: int = 0


def initialize():
    """Deal Equator, Zodiac and stock: two packs, shuffled together."""
    dealt = []
    for deck in (cards.Deck(), cards.Deck()):
        while not deck.is_empty():
            dealt.append(deck.deal())
    random.shuffle(dealt)
    piles = [[card] for card in dealt[: CELLS + PILES]]
    stock = dealt[CELLS + PILES :]
    return Game(
        stock=stock[::-1],
        waste=[],
        equator=piles[:CELLS],
        zodiac=piles[CELLS:],
        foundations=[[] for _ in 2 * SUITS],
        unseen=len(stock),
    )


# The board


def display(game):
    """Print the ring of piles around the Equator, each with its number, top
    card and number of cards."""
    lines = [*row_of(game, UPPER_ROW), ""]
    inside = [
        (equator_row(game, 1, CELLS), ""),
        ("      " + stock_line(game), "      " + foundations_line(game)),
    ]
    for (left, right), (upper, lower) in zip(SIDES, inside):
        lines.append(
            f"{card_cell(game, left)}{upper:{INSIDE}}{card_cell(game, right)}"
        )
        lines.append(
            f"{count_cell(game, left)}{lower:{INSIDE}}{count_cell(game, right)}"
        )
    lines += ["", *row_of(game, LOWER_ROW)]
    print("\n".join(lines))


def stock_line(game):
    """Return a line with the phase, the stock and the waste."""
    waste = f"[{top_of(game.waste)}]" if game.waste else "--"
    return (
        f"Phase {phase(game)}    Stock: {len(game.stock):2}    "
        f"Waste: {len(game.waste):2} {waste:>6}"
    )


def foundations_line(game):
    """Return the top cards of the foundations."""
    return "Foundations: " + "".join(
        f"{top_of(pile):>4}" for pile in game.foundations
    )


def equator_row(game, first, count):
    """Return count cells of the Equator as text, beginning with cell number
    first, counted from 1."""
    return "".join(
        f" e{e}:{top_of(game.equator[e - 1]):>4}"
        for e in range(first, first + count)
    )


def row_of(game, numbers):
    """Return two lines, the cards and the counts, for the Zodiac piles with
    these numbers."""
    return [
        "".join(card_cell(game, z) for z in numbers),
        "".join(count_cell(game, z) for z in numbers),
    ]


def card_cell(game, z):
    """Return the number and top card of Zodiac pile z, counted from 1."""
    return f"{z:>3}:{top_of(game.zodiac[z - 1]):>4}"


def count_cell(game, z):
    """Return the number of cards of Zodiac pile z, counted from 1, to print
    below its card_cell."""
    count = f"({len(game.zodiac[z - 1])})"
    return f"{count:>8}"


def top_of(pile):
    """Return the top card of a pile as text, or -- for an empty pile."""
    return str(pile[-1]).strip() if pile else "--"


def show_pile(game, z):
    """Return what the command P z shows: all cards in the pile, from bottom to
    top."""
    return f"Pile {z}: {' '.join(map(str, game.zodiac[z - 1])) or 'empty'}"


VIEWS = {"P": show_pile}  # commands that only look: the frame calls these


# The rules


def phase(game):
    """Return 1 while there are cards in stock or waste, then 2."""
    return 1 if game.stock or game.waste else 2


def can_build(card, pile):
    """Return True if the card goes onto the Zodiac pile: in suit, one rank
    higher or lower."""
    top = pile[-1]
    return card.suit() == top.suit() and abs(card.rank() - top.rank()) == 1


def ready_foundations(game, card):
    """Return the foundations of the card's suit, at most two, that take the
    card next."""
    of_suit = game.foundations[2 * card.suit() - 2 : 2 * card.suit()]
    return [
        foundation
        for foundation in of_suit
        if len(foundation) == card.rank() - 1
    ]


def draw(game):
    """Turn a card from the stock onto the waste or, when the stock is empty,
    turn the waste over."""
    if game.stock:
        game.waste.append(game.stock.pop())
        game.unseen = min(game.unseen, len(game.stock))
    else:
        game.stock = game.waste[::-1]
        game.waste = []


def draw_until_fit(game, count):
    """Draw up to count times, stopping at a card that fits a pile of the
    Zodiac. Return whether the waste was turned over."""
    turned_over = False
    for _ in range(min(count, MOST_DRAWS)):
        draw(game)
        if not game.waste:
            turned_over = True  # by this draw
        if any_builds(game, game.waste[-1:]):
            break
    return turned_over


def check_win(game):
    """Return True if all cards are on the foundations."""
    return sum(map(len, game.foundations)) == len(PACK)


def check_loss(game):
    """Return why the game is lost, or None."""
    if check_win(game):
        return None
    if phase(game) == 2:
        return (
            None
            if moves_up(game)
            else "You lost: no card can go to a foundation."
        )
    loose = game.stock + game.waste
    empty_cells = [cell for cell in game.equator if not cell]
    if len(loose) <= len(empty_cells):
        return None
    for cell in game.equator:
        loose = loose + cell
    if any_builds(game, loose):
        return None
    return (
        "You lost: no card fits any pile of the Zodiac, and the Equator has "
        "too few empty cells for stock and waste."
    )


def any_builds(game, loose):
    """Return True if one of the cards goes onto a pile of the Zodiac."""
    return any(can_build(card, pile) for card in loose for pile in game.zodiac)


# Moves
# Piles of the Zodiac and cells of the Equator are numbered from 1.

# What the numbers after each word refer to.
NUMBERED = {
    "WZ": ("pile",),
    "WE": ("cell",),
    "EZ": ("cell", "pile"),
    "ZF": ("pile",),
    "EF": ("cell",),
    "P": ("pile",),
}


def ends_of(game, word, *numbers):
    """Return the pile that a move takes a card from, and the pile that the card
    goes to (None if there is none)."""
    if word == "WZ":
        return game.waste, game.zodiac[numbers[0] - 1]
    if word == "WE":
        return game.waste, cell_to_fill(game, *numbers)
    if word == "EZ":
        return game.equator[numbers[0] - 1], game.zodiac[numbers[1] - 1]
    piles = game.zodiac if word == "ZF" else game.equator
    source = piles[numbers[0] - 1]
    ready = ready_foundations(game, source[-1]) if source else []
    return source, ready[0] if ready else None


def cell_to_fill(game, *numbers):
    """Return the named cell of the Equator; if none is named, return the first
    empty one, or None if there is none."""
    if numbers:
        return game.equator[numbers[0] - 1]
    empty = [cell for cell in game.equator if not cell]
    return empty[0] if empty else None


def name_of(kind, number):
    """Return the name of a pile or a cell for a sentence."""
    return (
        f"cell {number} of the Equator" if kind == "cell" else f"pile {number}"
    )


def source_name(word, *numbers):
    """Return the name of the pile that a move takes a card from."""
    if word in ("WZ", "WE"):
        return "the waste"
    return name_of(NUMBERED[word][0], numbers[0])


def refusal(game, word, *numbers):
    """Return the reason a move is not allowed, as a sentence, or None."""
    if word == "D":
        if phase(game) == 2:
            return "Stock and waste are both empty."
        return "Turn at least one card." if numbers == (0,) else None
    if word == "A":
        if phase(game) == 1:
            return CLOSED
        if forced_moves(game):
            return None
        return describe_choices(game) or "No card can go to a foundation."
    for kind, number in zip(NUMBERED[word], numbers):
        count = len(game.equator if kind == "cell" else game.zodiac)
        if not 1 <= number <= count:
            return f"There is no {name_of(kind, number)}, only 1 to {count}."
    return None if word == "P" else refusal_of_card(game, word, *numbers)


def refusal_of_card(game, word, *numbers):
    """Return why a card does not go from one existing place to another, or None
    if it does."""
    goes_up = word in ("ZF", "EF")
    if phase(game) == 2 and not goes_up:
        return (
            "Stock and waste are empty: "
            "cards can now go only to the foundations."
        )
    source, dest = ends_of(game, word, *numbers)
    if not source:
        name = source_name(word, *numbers)
        return f"{name[0].upper()}{name[1:]} is empty."
    card = source[-1]
    if goes_up:
        return refusal_to_go_up(game, card)
    if word == "WE":
        if dest is None:
            return "No cell of the Equator is empty."
        return (
            f"In {name_of('cell', *numbers)} lies {dest[-1]}." if dest else None
        )
    if can_build(card, dest):
        return None
    rule = "the Zodiac builds in suit, one rank up or down"
    return f"{card} does not go on {dest[-1]}: {rule}."


def refusal_to_go_up(game, card):
    """Return why the card does not go to a foundation, or None if it does."""
    if phase(game) == 1:
        return CLOSED
    if ready_foundations(game, card):
        return None
    rule = "they build up in suit from the ace"
    return f"{card} does not go to a foundation yet: {rule}."


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
    """Make a legal move. Return a message about it, or "".

    move returns only True or False; any message about a move comes from here.
    """
    before = phase(game)
    message = ""
    if word == "D":
        count = numbers[0] if numbers else 1
        if draw_until_fit(game, count):
            message = "The waste is turned over."
    elif word == "A":
        count = play_forced(game)
        message = f"{count} card{'s' if count > 1 else ''} to the foundations."
        message = f"{message} {describe_choices(game)}".rstrip()
    elif word != "P":
        source, dest = ends_of(game, word, *numbers)
        dest.append(source.pop())
    return PHASE_2 if phase(game) != before else message


def moves_up(game):
    """Return a move for every card that can go to a foundation, as if it were
    phase 2."""
    sources = [
        ("ZF", number, pile) for number, pile in enumerate(game.zodiac, start=1)
    ]
    sources += [
        ("EF", number, cell)
        for number, cell in enumerate(game.equator, start=1)
    ]
    return [
        (word, number)
        for word, number, pile in sources
        if pile and ready_foundations(game, pile[-1])
    ]


def rivals(game, word, number):
    """Return the piles whose top card is the twin of the card that a move
    plays, if a foundation is ready for only one of the two. A twin in a cell of
    the Equator is no rival: it covers nothing and can wait."""
    source, _ = ends_of(game, word, number)
    card = source[-1]
    if len(ready_foundations(game, card)) == 2:
        return []
    twins = [
        z
        for z, pile in enumerate(game.zodiac, start=1)
        if pile and pile[-1] == card
    ]
    return [z for z in twins if (word, number) != ("ZF", z)]


def forced_moves(game):
    """Return the moves_up of cards that have no rivals."""
    return [
        (word, number)
        for word, number in moves_up(game)
        if not rivals(game, word, number)
    ]


def play_forced(game):
    """Play every card that has no rival; return how many."""
    count = 0
    forced = forced_moves(game)
    while forced:
        move(game, *forced[0])
        count += 1
        forced = forced_moves(game)
    return count


def describe_choices(game):
    """Return a sentence with the choices between piles in phase 2, or ""."""
    choices = [
        f"{game.zodiac[number - 1][-1]} from pile {number} or {rival}"
        for word, number in moves_up(game)
        for rival in rivals(game, word, number)
        if word == "ZF" and number < rival
    ]
    return f"Choose: {', '.join(choices)}." if choices else ""


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
            say(textwrap.fill(show_pile(game, chosen[1]), WIDTH))
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
