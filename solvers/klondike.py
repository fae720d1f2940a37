"""Klondike, solved best first in a space in which it does not matter how the face-up cards lie: see klondike_steps.

Every step is the game's own, so a way to the end is a way to win, and where no position is left to look
at the game is lost. The script is written afterwards, with the real cards (see Writer).

Most deals are won soon by one order of search or another, and no order wins all of them. So there are
some short tries before the one that goes through the whole space (see TRIES). And a game that is lost
when single cards are drawn is lost when three are, for then fewer cards can be had at a time: this is
tried before the long search, in a space that is far smaller.
"""

import functools
import heapq
from array import array

from solvers.klondike_steps import ALL, BLACK, KINGS, Table, bit, next_cards, split_cards, steps, twin
from solvers.positions import copy_of
from solvers.search import KeyTable, NotAllowed, decide, make

import klondike

OPTIONS = {"draw": ("3", "1"), "passes": ("unlimited",)}  # the choices of the options that are known here
NUMBERS = (1 << 32) - 1

# What a position costs, the lower the better: a face-down card, a card above the next one of a
# foundation, a card that is on no foundation, a card of stock or waste.
TURN_UP = 5, 1, 1, 1
KEEP_STOCK = 2, 0, 5, -1
BUILD_UP = 1, 0, 8, 1

# The tries, by how many cards the game draws: how many the try draws, its costs, how many positions.
TRIES = {
    1: [(1, TURN_UP, 1_000), (1, KEEP_STOCK, 5_000), (1, BUILD_UP, None)],
    3: [(3, TURN_UP, 1_000), (3, KEEP_STOCK, 5_000), (1, KEEP_STOCK, 100_000), (3, BUILD_UP, None)],
}


def solve(game, seconds=10, positions=None):
    """Return an Answer for the game as it stands. The game is not changed."""

    def attempt(limits, draw, weights, most):
        way, complete = best_first(Table(game, draw), weights, most, limits)
        if draw != game.draw and way is not None:  # a win drawing single cards proves nothing here
            return None, False
        return way, complete

    def tries(limits):
        return (functools.partial(attempt, limits, *settings) for settings in TRIES[game.draw])

    return decide(tries, Writer(game).write, seconds, positions)


def cost_of(table, position, weights):
    """Return how far a position is from being won."""
    hidden, _, founded, talon, waste = position
    face_down, covering, not_founded, in_talon = weights
    total = face_down * hidden.bit_count() + not_founded * (52 - founded.bit_count())
    if covering:
        for card in split_cards(next_cards(founded) & hidden):
            total += covering * (1 + (hidden & table.above[card]).bit_count())
    return total + in_talon * (2 * talon.bit_count() - len(table.playable(talon, waste)))


def best_first(table, weights, most, limits):
    """Search the cheapest positions first, of these the one found last. Returns the steps that win, or None,
    and whether the whole space has been seen. A position takes some 60 bytes: what is waiting is its cost and
    its number, as one int, and seen are only the keys."""
    seen, found, before = KeyTable(), array("Q"), array("L")
    seen.is_new(hash(table.start))
    keep(found, table.start)
    before.append(0)
    waiting = [NUMBERS]
    while waiting:
        number = NUMBERS - (heapq.heappop(waiting) & NUMBERS)
        position = read(found, number)
        if position[2] == ALL:
            return way_to(table, found, before, number), True
        for _, after in steps(table, position):
            if seen.is_new(hash(after)):
                limits.spend()
                if most is not None and len(before) > most:
                    return None, False
                heapq.heappush(waiting, cost_of(table, after, weights) << 32 | NUMBERS - len(before))
                keep(found, after)
                before.append(number)
    return None, True


def keep(found, position):
    """Add a position to an array, as four numbers."""
    hidden, roots, founded, talon, waste = position
    found.extend((hidden, roots, founded, talon | waste << 52))


def read(found, number):
    """Return the position with this number from such an array."""
    hidden, roots, founded, talon = found[4 * number : 4 * number + 4]
    return hidden, roots, founded, talon & ALL, talon >> 52


def way_to(table, found, before, number):
    """Return the steps from position 0 to the one with this number. before: the number of the position before each."""
    steps_made = []
    while number:
        steps_made.append(step_between(table, read(found, before[number]), read(found, number)))
        number = before[number]
    return steps_made[::-1]


def step_between(table, before, position):
    """Return the step from one position to the next."""
    return next(step for step, after in steps(table, before) if after == position)


def first(candidates):
    """Return the first thing found. Raises NotAllowed if there is none."""
    for thing in candidates:
        return thing
    raise NotAllowed


class Writer:
    """Writes the moves for the steps, with the real cards. Raises NotAllowed if that cannot be done."""

    def __init__(self, game):
        self.game = copy_of(game)
        self.moves = []

    def write(self, path):
        """Return the moves for the steps, each of which has parts (what, card)."""
        for kind, card in [part for step in path for part in step]:
            if kind == "up":
                self.up(card)
            elif kind == "back":
                number = first(
                    number
                    for number, pile in enumerate(self.game.foundations, start=1)
                    if pile and bit(pile[-1]) == card
                )
                self.do("FT", number, self.place_for(card))
            else:
                self.place(card)
        return self.moves

    def do(self, *move):
        """Make a move and keep it."""
        make(klondike, self.game, move, self.moves)

    def draw_to(self, card):
        """Draw until the card is the top of the waste; False if it is not in stock or waste. Raises NotAllowed if it
        never comes up."""
        talon = self.game.stock + self.game.waste
        if not any(bit(talon_card) == card for talon_card in talon):
            return False
        for _ in range(2 * len(talon) + 2):  # at most: the rest of this pass, and all of the next
            if self.game.waste and bit(self.game.waste[-1]) == card:
                return True
            self.do("SW")
        raise NotAllowed

    def find(self, card):
        """Return the number, from 1, of the column in which a card lies, and how many lie on it."""
        return first(
            (number, len(column) - place - 1)
            for number, column in enumerate(self.game.tableau, start=1)
            for place, column_card in enumerate(column)
            if bit(column_card) == card
        )

    def ends_with(self, cards):
        """Return the number, from 1, of a column that ends with one of some cards."""
        return first(
            number for number, column in enumerate(self.game.tableau, start=1) if column and bit(column[-1]) & cards
        )

    def place_for(self, card):
        """Return the number of a column where the card can be put."""
        if card & KINGS:
            return first(number for number, column in enumerate(self.game.tableau, start=1) if not column)
        taker = card << 6 if card & BLACK else card << 2
        return self.ends_with(taker | twin(taker))

    def up(self, card):
        """Play a card to its foundation; what lies on it goes onto its twin first."""
        if self.draw_to(card):
            self.do("WF")
            return
        column, covering = self.find(card)
        if covering:
            self.do("TT", column, self.ends_with(twin(card)), covering)
        self.do("TF", column)

    def place(self, card):
        """Put the waste card, or a root with all that lies on it, where it fits."""
        if self.draw_to(card):
            self.do("WT", self.place_for(card))
            return
        column, covering = self.find(card)
        self.do("TT", column, self.place_for(card), covering + 1)
