"""Advice for Quadzilla. With the shoe known nearly all can be won, so a count of won layouts would say nothing. What
tells is how the turn in hand may end: all its ends are looked at, and the best is the one that costs least.
"""

import itertools
import math
from collections import namedtuple

from solvers.advice import UNKNOWN, Advice, Chance, advise_openly
from solvers.quadzilla import DEAL, cards_of, shortest, steps_from

import quadzilla

WIDTH_ADVISED = 60  # positions of a level of moves that advice keeps

# What advice counts as the cost of a turn's end: a break between two suits, between two cards of one rank,
# between a Quadzilla and another card, and one of its own suit, which is a trap; the square of the breaks
# of a column; a card; the risk that the next row loses; an empty column; three of a suit or Quadzillas that wait
# for a fourth; a move that is left. For the first turn and for the last, in between in proportion; found
# by evolution over the games that they win. They are whole numbers, tenths: floats add up to other sums from
# Python 3.12 on, and a hint is the same on every Python.
Costs = namedtuple("Costs", "suit rank quadzilla trap deep card risk empty three move")
COSTS = {
    "easy": (Costs(38, 47, 82, 80, 9, -13, 4900, 73, 57, -49), Costs(45, 51, 62, 98, 8, -5, 2200, -63, -36, -32)),
    "normal": (Costs(40, 17, 56, 73, 13, -15, 3000, -23, 34, 0), Costs(56, 63, 66, 88, 11, -21, 240, -57, -38, 0)),
    "hard": (Costs(44, 33, 91, 80, 15, 2, 2600, -31, -1, 0), Costs(63, 79, 53, 94, 16, 16, 1300, -57, -67, 0)),
}
# The chance to win: the logarithm of the odds where a turn ends at the usual cost, that cost, and how much more,
# for each turn to come, makes them 2.7 times as bad. Fitted to some thousand games.
Odds = namedtuple("Odds", "log usual spread")
PRICE_UNIT = 10 * (quadzilla.TURNS - 1)  # what is 1 in ODDS is so much in a Price
ODDS = {"easy": Odds(3.5, -32, 33), "normal": Odds(1.1, -12, 9), "hard": Odds(-2.2, 3, 5.5)}


def advise(view):
    """Return an Advice for what a player sees: the moves of this turn to its best end."""
    game = view.game
    if not game.shoe:
        return advise_openly(view)
    price, ends = Price(game), {}
    for position, moves in find_turn_ends(game, price).items():
        move = shortest(moves[0]) if moves else DEAL
        ends[move] = min(ends.get(move, (math.inf,)), (price(*position), len(moves), moves, position))
    order = sorted(ends, key=ends.get)
    _, _, moves, (columns, left) = ends[order[0]]
    plan = [shortest(move) for move in moves]
    if left and any(steps_from(columns, left, price.bonus, game.rank)):  # the turn does not end by itself
        plan.append(DEAL)
    advised = [(move, Chance(price.chance(ends[move][0]), 0)) for move in order]
    rest = [(move, UNKNOWN) for move in sum(view.moves(), []) if move not in ends]
    return Advice([*advised, *rest], plan, False, True)


def find_turn_ends(game, price):
    """Return where the turn in hand may end, (columns, moves left) -> the moves that lead there: of each
    level of moves the best are kept."""
    start = tuple(map(cards_of, game.columns)), game.moves_left
    ends, level = {start: ()}, {start: ()}
    while level:
        next_level = {}
        for (columns, left), moves in level.items():
            for move, after in steps_from(columns, left, price.bonus, game.rank) if left else ():
                if after not in ends and after not in next_level:
                    next_level[after] = (*moves, move)
        kept = sorted(next_level, key=lambda position: price(*position))[:WIDTH_ADVISED]
        level = {position: next_level[position] for position in kept}
        ends.update(level)
    return ends


class Price:
    """What the end of a turn costs, for the cards that may come next: price(columns, moves left)."""

    def __init__(self, game):
        self.rank = game.rank
        self.to_come = quadzilla.TURNS - game.turn
        first, last = COSTS[game.difficulty]
        self.costs = Costs(*(begin * self.to_come + end * (game.turn - 1) for begin, end in zip(first, last)))
        self.odds = ODDS[game.difficulty]
        self.bonus = quadzilla.DIFFICULTIES[game.difficulty].bonus
        self.shoe = cards_of(game.shoe)
        self.of_columns = {}  # column -> (what it costs, the chance that the next card is none that loses)

    def __call__(self, columns, left):
        total, safe = self.costs.move * left, 1
        for column in columns:
            if column not in self.of_columns:
                self.of_columns[column] = self.of_column(column), 1 - self.share_that_loses(column)
            price, safe_here = self.of_columns[column]
            total += price
            safe *= safe_here
        return total + self.costs.risk * (1 - safe)

    def of_column(self, column):
        """Return what a column costs: its breaks, more so where there are many, and its cards."""
        costs = self.costs
        if not column:
            return costs.empty
        break_costs = [self.of_break(*pair) for pair in itertools.pairwise(column)]
        breaks = [price for price in break_costs if price]
        waits = len(column) >= 3 and not any(break_costs[-2:])
        return sum(breaks) + costs.deep * len(breaks) ** 2 + costs.card * len(column) + costs.three * waits

    def of_break(self, upper, lower):
        """Return what a break between two neighbours costs; 0 if there is none."""
        if (upper.rank == self.rank) != (lower.rank == self.rank):
            return self.costs.trap if upper.suit == lower.suit else self.costs.quadzilla
        if upper.rank == lower.rank:
            return self.costs.rank if upper.rank != self.rank else 0
        return self.costs.suit if upper.suit != lower.suit else 0

    def share_that_loses(self, column):
        """Return the share of the cards to come that lose the game if dealt to this column."""
        three = column[-3:]
        if len(three) < 3 or len({card.suit for card in three}) > 1:
            return 0
        has_quadzilla = any(card.rank == self.rank for card in three)
        losing = [
            card for card in self.shoe if card.suit == three[0].suit and (has_quadzilla or card.rank == self.rank)
        ]
        return len(losing) / len(self.shoe)

    def chance(self, price):
        """Return the chance to win a game in which a turn ends at such a price."""
        log, usual, spread = self.odds
        return 1 / (1 + math.exp((price / PRICE_UNIT - usual) / (spread * self.to_come) - log))
