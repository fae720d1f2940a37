"""Zodiac, a patience with two packs, laid out like the globe.

Eight cards lie in the cells of the Equator, and around it 24 piles of one
card each, the Zodiac. The other 72 cards are the stock.

In the first phase all cards come to the Zodiac or the Equator. A card goes
onto a Zodiac pile when it is of the same suit as the pile's top card and one
higher or one lower; ace and King are not neighbours, and a pile may change
direction. Cards come from the Equator, or from the top of the waste, onto
which the stock is turned one card at a time. An empty cell of the Equator may
be filled from the waste, at any time. When the stock is empty the waste is
turned over to be the stock again, as often as one likes. Cards of the Zodiac
do not move yet.

The second phase begins when stock and waste are empty. Now the top cards of
the Zodiac and the cards of the Equator go to the foundations, eight of them,
two for each suit, built up in suit from the ace to the King. When the same
card lies on two piles and there is room for only one, choose well.

Goal: all 104 cards on the foundations. The game is lost when no card that is
not in the Zodiac fits any of its piles, and the empty cells of the Equator
are too few for stock and waste; or in the second phase when no card can go
up.
"""

import random
import re
import textwrap
from dataclasses import dataclass

import cards

TITLE = "Zodiac Solitaire."
PROMPT = "Enter command (h for help): "
COMMANDS = """\
D [n]       turn a card of the stock, or the waste over; n times, till one fits
WZ z        the waste card onto Zodiac pile z
WE [e]      the waste card into cell e of the Equator, or the first empty one
EZ e z      the card in cell e of the Equator onto Zodiac pile z
ZF z        phase 2: the top card of Zodiac pile z to a foundation
EF e        phase 2: the card in cell e of the Equator to a foundation
A           phase 2: play to the foundations while there is nothing to choose
P z         show pile z, from bottom to top
"""
OPTIONS = {}
SHORTCUTS = True

PILES = 24
CELLS = 8
ACE, KING = 1, 13
SUITS = (1, 2, 3, 4)
PACK = 2 * [(rank, suit) for suit in SUITS for rank in range(ACE, KING + 1)]

NUMBER = re.compile("[0-9]{1,9}")
# How many numbers each command takes, at least and at most.
NUMBERS = {
    "D": (0, 1),
    "WZ": (1, 1),
    "WE": (0, 1),
    "EZ": (2, 2),
    "ZF": (1, 1),
    "EF": (1, 1),
    "A": (0, 0),
    "P": (1, 1),
}
INVALID_INPUT = "Error: invalid input.  Please try again."
INVALID_MOVE = "Error: invalid move.  "
CLOSED = "No card goes to a foundation until stock and waste are empty."
PHASE_2 = "Phase 2: stock and waste are empty. All cards go to the foundations now."

# Where the piles stand in the ring: clockwise, from the left end of the upper row.
UPPER_ROW = range(1, 11)
SIDES = ((24, 11), (23, 12))  # left and right of the Equator, and below it
LOWER_ROW = range(22, 12, -1)
CELL = "%3s:%4s"
COUNT = "%8s"
INSIDE = 8 * CELLS  # how wide the Equator is
LINE_WIDTH = 80


@dataclass
class Game:
    """The cards on the table. Every pile is a list with its top card last."""

    stock: list  # the last is the next to be turned
    waste: list
    equator: list  # 8 cards, or None where a cell is empty
    zodiac: list  # 24 lists
    foundations: list  # 8 lists: two for clubs, two for diamonds, hearts, spades


def initialize(deck=None):
    """Deal the Equator, the Zodiac and the stock.

    deck: anything with deal(), for 104 cards; None means two fresh packs shuffled together.
    """
    if deck is None:
        packs = cards.Deck(), cards.Deck()
        dealt = [pack.deal() for pack in packs for _ in range(len(pack))]
        random.shuffle(dealt)
    else:
        dealt = [deck.deal() for _ in PACK]
    equator, zodiac, stock = dealt[:CELLS], dealt[CELLS : CELLS + PILES], dealt[CELLS + PILES :]
    return Game(stock[::-1], [], equator, [[card] for card in zodiac], [[] for _ in 2 * SUITS])


# The board


def display(game):
    """Print the ring of piles, each with number, top card and how many cards, round the Equator."""
    equator = "".join(CELL % (f"e{e}", name(card)) for e, card in enumerate(game.equator, start=1))
    waste = f"[{name(game.waste[-1])}]" if game.waste else "--"
    piles = f"Stock: {len(game.stock):2}    Waste: {len(game.waste):2} {waste:>6}"
    tops = "".join(f"{name(top_of(pile)):>4}" for pile in game.foundations)
    inside = (equator, ""), (f"      Phase {phase(game)}    {piles}", f"      Foundations: {tops}")
    lines = [*ring_row(game, UPPER_ROW), ""]
    for (left, right), (upper, lower) in zip(SIDES, inside):
        lines.append(f"{card_cell(game, left)}{upper:{INSIDE}}{card_cell(game, right)}")
        lines.append(f"{count_cell(game, left)}{lower:{INSIDE}}{count_cell(game, right)}")
    lines += ["", *ring_row(game, LOWER_ROW)]
    print("\n".join(lines))


def ring_row(game, numbers):
    """Return two lines, the cards and the counts of the Zodiac piles of these numbers."""
    return [
        "".join(card_cell(game, z) for z in numbers),
        "".join(count_cell(game, z) for z in numbers),
    ]


def card_cell(game, z):
    """Return number and top card of Zodiac pile z, counted from 1."""
    return CELL % (z, name(top_of(game.zodiac[z - 1])))


def count_cell(game, z):
    """Return how many cards Zodiac pile z has, counted from 1, to stand under its card_cell."""
    return COUNT % f"({len(game.zodiac[z - 1])})"


def name(card):
    """Return the card's name without the blank that some cards modules put before it; None is --."""
    return "--" if card is None else str(card).strip()


def view(game, command):
    """Return the text that the command P z shows: the cards of a pile. None for other commands.

    Raises ValueError with the line to show if there is no such pile, or the line is no command.
    """
    if command.upper().split()[:1] != ["P"]:
        return None
    _, numbers = read(command)
    try:
        pile = get_pile(game, numbers[0])
    except ValueError as reason:
        raise ValueError(f"{INVALID_MOVE}{reason}") from None
    text = f"Pile {numbers[0]}: {' '.join(map(name, pile)) or 'empty'}"
    return textwrap.fill(text, LINE_WIDTH)


# The rules


def phase(game):
    """Return 1 while there are cards in stock or waste, then 2."""
    return 1 if game.stock or game.waste else 2


def top_of(pile):
    """Return the top card of a pile, or None."""
    return pile[-1] if pile else None


def can_build(card, pile):
    """Return True if the card goes onto the Zodiac pile: in suit, one rank higher or lower."""
    top = pile[-1]
    return card.suit() == top.suit() and abs(card.rank() - top.rank()) == 1


def ready_foundations(game, card):
    """Return the foundations of the card's suit, two at most, whose next card it is."""
    of_suit = game.foundations[2 * card.suit() - 2 : 2 * card.suit()]
    return [foundation for foundation in of_suit if len(foundation) == card.rank() - 1]


def turn(game):
    """Turn a card of the stock onto the waste or, when the stock is empty, turn the waste over.

    Returns False, with nothing changed, if both are empty.
    """
    if phase(game) == 2:
        return False
    if game.stock:
        game.waste.append(game.stock.pop())
    else:
        game.stock = game.waste[::-1]
        game.waste = []
    return True


def turn_on(game, count):
    """Turn so many times, but no further than to a card that fits a pile of the Zodiac.

    Returns whether the waste was turned over.
    """
    turned_over = False
    a_pass = len(game.stock) + len(game.waste) + 1
    for _ in range(min(count, a_pass + count % a_pass)):  # each pass is like the first
        turn(game)
        turned_over = turned_over or not game.waste
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
        return None if can_go_up(game) else "You lost: no card can go to a foundation."
    loose = game.stock + game.waste
    if len(loose) <= game.equator.count(None) or any_builds(game, loose + game.equator):
        return None
    return (
        "You lost: no card fits any pile of the Zodiac, and the Equator has too few empty cells for "
        "stock and waste."
    )


def any_builds(game, loose):
    """Return True if one of the cards goes onto a pile of the Zodiac."""
    tops = [pile[-1] for pile in game.zodiac]
    wanted = {(top.rank() + step, top.suit()) for top in tops for step in (-1, 1)}
    return any(card and (card.rank(), card.suit()) in wanted for card in loose)


def can_go_up(game):
    """Return a command for every card that can go to a foundation, as if it were phase 2."""
    tops = [(f"ZF {z}", top_of(pile)) for z, pile in enumerate(game.zodiac, start=1)]
    cells = [(f"EF {e}", card) for e, card in enumerate(game.equator, start=1)]
    return [command for command, card in tops + cells if card and ready_foundations(game, card)]


def rivals(game, command):
    """Return the piles whose top card could go up in place of the one that the command plays.

    That is the pile where the card's twin lies on top, if a foundation is ready for only one of
    them. The twin in a cell of the Equator is no rival: it covers nothing and can wait.
    """
    kind, (number,) = read(command)
    card = source_card(game, kind, number)
    if len(ready_foundations(game, card)) == 2:
        return []
    piles = [z for z, pile in enumerate(game.zodiac, start=1) if top_of(pile) == card]
    return [z for z in piles if (kind, number) != ("ZF", z)]


def play_on(game):
    """Play to the foundations for as long as there is nothing to choose; return how many cards.

    A card that has rivals is left where it is.
    """
    count = 0
    while free := [command for command in can_go_up(game) if not rivals(game, command)]:
        kind, numbers = read(free[0])
        move(game, kind, *numbers)
        count += 1
    return count


def choice(game):
    """Return a sentence that says between which piles there is a choice in phase 2, or ""."""
    cards_and_piles = []
    for command in can_go_up(game):
        kind, (number,) = read(command)
        card = source_card(game, kind, number)
        for rival in rivals(game, command):
            if number < rival:
                cards_and_piles.append(f"{name(card)} from pile {number} or {rival}")
    return f"Choose: {', '.join(cards_and_piles)}." if cards_and_piles else ""


# Moves: kind and numbers are those of the commands WZ, WE, EZ, ZF and EF, counted from 1. The
# functions named after a kind return where the card goes, a pile or the number of a cell, and raise
# ValueError with a sentence that says why the move is not allowed.


def waste_to_zodiac(game, z):
    """WZ: the waste card onto a pile of the Zodiac."""
    pile = get_pile(game, z)
    must_be_phase_1(game)
    return must_build(source_card(game, "WZ"), pile)


def waste_to_equator(game, e=None):
    """WE: the waste card into a cell of the Equator, or into the first empty one."""
    must_be_phase_1(game)
    source_card(game, "WE")
    if e is None:
        if None not in game.equator:
            raise ValueError("No cell of the Equator is empty.")
        return game.equator.index(None) + 1
    if get_cell(game, e):
        raise ValueError(f"In cell {e} of the Equator lies {name(get_cell(game, e))}.")
    return e


def equator_to_zodiac(game, e, z):
    """EZ: the card in a cell of the Equator onto a pile of the Zodiac."""
    card, pile = source_card(game, "EZ", e), get_pile(game, z)
    must_be_phase_1(game)
    return must_build(card, pile)


def zodiac_to_foundation(game, z):
    """ZF: the top card of a pile of the Zodiac to a foundation, in phase 2."""
    return must_found(game, source_card(game, "ZF", z))


def equator_to_foundation(game, e):
    """EF: the card in a cell of the Equator to a foundation, in phase 2."""
    return must_found(game, source_card(game, "EF", e))


MOVES = {
    "WZ": waste_to_zodiac,
    "WE": waste_to_equator,
    "EZ": equator_to_zodiac,
    "ZF": zodiac_to_foundation,
    "EF": equator_to_foundation,
}


def get_pile(game, z):
    """Return pile z of the Zodiac, counted from 1, or raise ValueError if there is none."""
    if not 1 <= z <= PILES:
        raise ValueError(f"There is no pile {z}, only 1 to {PILES}.")
    return game.zodiac[z - 1]


def get_cell(game, e):
    """Return the card in cell e of the Equator, counted from 1, or None.

    Raises ValueError if there is no such cell.
    """
    if not 1 <= e <= CELLS:
        raise ValueError(f"There is no cell {e} on the Equator, only 1 to {CELLS}.")
    return game.equator[e - 1]


def source_card(game, kind, number=None, *_):
    """Return the card that a move takes, or raise ValueError if there is none."""
    if kind[0] == "W":
        card, place = top_of(game.waste), "The waste"
    elif kind[0] == "E":
        card, place = get_cell(game, number), f"Cell {number} of the Equator"
    else:
        card, place = top_of(get_pile(game, number)), f"Pile {number}"
    if not card:
        raise ValueError(f"{place} is empty.")
    return card


def must_be_phase_1(game):
    """Raise ValueError in phase 2."""
    if phase(game) == 2:
        raise ValueError("Stock and waste are empty: cards go only to the foundations now.")


def must_build(card, pile):
    """Return the Zodiac pile, or raise ValueError if the card does not go onto it."""
    if not can_build(card, pile):
        raise ValueError(
            f"{name(card)} does not go on {name(pile[-1])}: "
            "the Zodiac builds in suit, one rank up or down."
        )
    return pile


def must_found(game, card):
    """Return a foundation that is ready for the card, or raise ValueError if none is."""
    if phase(game) == 1:
        raise ValueError(CLOSED)
    ready = ready_foundations(game, card)
    if not ready:
        raise ValueError(
            f"{name(card)} does not go to a foundation yet: they build up in suit from the ace."
        )
    return ready[0]


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
    """Make a move: kind is a key of MOVES, numbers count from 1.

    Returns False, with nothing changed, if the move is not allowed.
    """
    if not validate_move(game, kind, *numbers):
        return False
    dest = MOVES[kind](game, *numbers)
    card = source_card(game, kind, *numbers)
    if kind[0] == "W":
        game.waste.pop()
    elif kind[0] == "E":
        game.equator[numbers[0] - 1] = None
    else:
        game.zodiac[numbers[0] - 1].pop()
    if kind == "WE":
        game.equator[dest - 1] = card
    else:
        dest.append(card)
    return True


# Commands


def perform(game, command):
    """Carry out a typed command and return what to say about it, often "".

    Raises ValueError with the line to show if it is refused; then nothing has changed.
    """
    kind, numbers = read(command)
    before = phase(game)
    report = ""
    if kind == "D":
        if phase(game) == 2:
            raise ValueError(INVALID_MOVE + "Stock and waste are both empty.")
        if numbers == [0]:
            raise ValueError(INVALID_MOVE + "At least one card must be turned.")
        report = "The waste is turned over." if turn_on(game, *numbers or [1]) else ""
    elif kind == "A":
        report = perform_play_on(game)
    elif kind not in MOVES:
        raise ValueError(INVALID_INPUT)
    elif not move(game, kind, *numbers):
        raise ValueError(INVALID_MOVE + refusal(game, kind, *numbers))
    return PHASE_2 if phase(game) != before else report


def perform_play_on(game):
    """Carry out the command A and return what to say about it."""
    if phase(game) == 1:
        raise ValueError(INVALID_MOVE + CLOSED)
    count = play_on(game)
    if not count:
        raise ValueError(INVALID_MOVE + (choice(game) or "No card can go to a foundation."))
    return f"{count} card{'s' if count > 1 else ''} to the foundations. {choice(game)}".rstrip()


def read(command):
    """Return a typed command as its kind and its numbers: "wz 3" is ("WZ", [3]).

    Raises ValueError with the line to show if it is no command.
    """
    kind, *numbers = command.upper().split() or [""]
    fewest, most = NUMBERS.get(kind, (1, 0))
    if not fewest <= len(numbers) <= most or not all(map(NUMBER.fullmatch, numbers)):
        raise ValueError(INVALID_INPUT)
    return kind, [int(number) for number in numbers]


def legal_commands(game):
    """Return every legal command, the most useful first.

    In phase 1 that is to build on the Zodiac, then to turn a card. To fill a cell comes last, for
    only building empties it again; but before turning where no card of stock and waste builds.
    """
    if phase(game) == 2:
        return legal_in_phase_2(game)
    waste, cells = top_of(game.waste), list(enumerate(game.equator, start=1))
    onto_zodiac, turning, into_equator = [], ["D"], []
    for z, pile in enumerate(game.zodiac, start=1):
        if waste and can_build(waste, pile):
            onto_zodiac.append(f"WZ {z}")
        onto_zodiac += [f"EZ {e} {z}" for e, card in cells if card and can_build(card, pile)]
    if waste:
        empty = [f"WE {e}" for e, card in cells if not card]
        into_equator = ["WE", *empty[1:]] if empty else []
    only_card_is_up = not game.stock and len(game.waste) == 1
    if only_card_is_up or not any_builds(game, game.stock + game.waste):
        return onto_zodiac + into_equator + turning
    return onto_zodiac + turning + into_equator


def legal_in_phase_2(game):
    """Return every legal command of phase 2: first those where there is nothing to choose."""
    commands = can_go_up(game)
    free = [command for command in commands if not rivals(game, command)]
    return free + ["A"] * bool(free) + [command for command in commands if command not in free]


def describe(game, command):
    """Say what a legal command does: `9♦ onto 8♦ of pile 4`, `turn a card`."""
    kind, numbers = read(command)
    if kind == "D":
        return "turn a card" if game.stock else "turn the waste over"
    if kind == "A":
        return "play on to the foundations"
    card = name(source_card(game, kind, *numbers))
    if kind[1] == "F":
        return f"{card} to a foundation"
    if kind == "WE":
        return f"{card} into cell {MOVES['WE'](game, *numbers)} of the Equator"
    return f"{card} onto {name(get_pile(game, numbers[-1])[-1])} of pile {numbers[-1]}"
