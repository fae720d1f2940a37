"""What the end of a turn of Quadzilla is worth: the chance of winning from there, according to the weights in
quadzilla_table.txt.

The chance is a logistic function of counts in the columns, with separate weights for each turn. Those for hard games
were learned by tools/learn_quadzilla.py from the last turn but one back to the first: each turn's weights from the
worth of the best ends of the next turn, for rows drawn from the cards that may come.
"""

from __future__ import annotations

import ast
import itertools
import math
import pkgutil
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patience.solvers.quadzilla import Card, Row

UNIT = 100_000  # the weights are whole numbers, so that sums are the same in every Python


class Features(NamedTuple):
    """Counts in the columns. A break is between two neighbours that are not part of the same four."""

    suit: float = 0  # breaks between two suits
    rank: float = 0  # breaks between two cards of the same rank
    quadzilla: float = 0  # breaks between a Quadzilla and another card
    trap: float = 0  # breaks between a Quadzilla and a card of its own suit
    deep: float = 0  # the square of the number of breaks in each column
    card: float = 0  # cards
    three: float = 0  # columns that end with three of a kind
    pair: float = 0  # columns that end with exactly two of a kind
    empty: float = 0  # columns without cards
    whole: float = 0  # columns without breaks
    risk: float = 0  # the chance that the next row loses
    move: float = 0  # moves left
    always: float = 1  # the part that is the same for all ends of a turn


TABLE = {
    difficulty: {turn: Features(*weights) for turn, weights in turns.items()}
    for difficulty, turns in ast.literal_eval(
        (pkgutil.get_data("patience.solvers", "quadzilla_table.txt") or b"").decode()
    ).items()
}


def features(columns: Sequence[Row], left: int, rank: int, shoe: Row) -> Features:
    """Return the Features of a position. columns, shoe: of Cards. left: the moves left. rank: the Quadzilla's rank."""
    counts = [features_of(column, rank) for column in columns]
    total = Features(*map(sum, zip(*counts)))
    return total._replace(risk=risk(columns, rank, shoe), move=left, always=1)


def features_of(column: Row, rank: int) -> Features:
    """Return the Features of one column, except those of the whole board."""
    if not column:
        return Features(empty=1, whole=1, always=0)
    kinds = [kind_of_break(*pair, rank) for pair in itertools.pairwise(column)]
    breaks = [kind for kind in kinds if kind]
    three = len(column) >= 3 and not any(kinds[-2:])
    suits, ranks, quadzillas, traps = map(breaks.count, ("suit", "rank", "quadzilla", "trap"))
    return Features(
        suits,
        ranks,
        quadzillas,
        traps,
        deep=len(breaks) ** 2,
        card=len(column),
        three=three,
        pair=len(column) >= 2 and not three and not kinds[-1],
        whole=not breaks,
        always=0,
    )


def kind_of_break(upper: Card, lower: Card, rank: int) -> str:
    """Return the name of the break between two neighbours, or "" if there is none."""
    if (upper.rank == rank) != (lower.rank == rank):
        return "trap" if upper.suit == lower.suit else "quadzilla"
    if upper.rank == lower.rank:
        return "rank" if upper.rank != rank else ""
    return "suit" if upper.suit != lower.suit else ""


def risk(columns: Sequence[Row], rank: int, shoe: Row) -> float:
    """Return the chance that one of the next cards loses the game. shoe: the cards that may come."""
    safe = 1.0
    for column in columns:
        safe *= 1 - share_that_loses(column, rank, shoe)
    return 1 - safe


def share_that_loses(column: Row, rank: int, shoe: Row) -> float:
    """Return the share of the cards to come that lose the game if dealt to a column."""
    if not ends_in_one_suit(column) or not shoe:
        return 0
    three = column[-3:]
    has_quadzilla = any(card.rank == rank for card in three)
    losing = [card for card in shoe if card.suit == three[0].suit and (has_quadzilla or card.rank == rank)]
    return len(losing) / len(shoe)


def ends_in_one_suit(column: Row) -> bool:
    """Return True if the last three cards of a column have the same suit. Only in such a column can a card lose the
    game."""
    return len(column) >= 3 and len({card.suit for card in column[-3:]}) == 1


def logistic(log_odds: float) -> float:
    """Return the probability for these log odds."""
    return 1 / (1 + math.exp(-log_odds))


class Worth:
    """The worth of the ends of one turn: log_odds and chance of an end, (columns, moves left)."""

    def __init__(self, weights: Features, rank: int) -> None:
        """weights: Features, in UNITs. rank: the Quadzilla's rank."""
        self.weights, self.rank = weights, rank
        self.of_columns = {}  # column -> (what it adds, whether it ends_in_one_suit)

    def log_odds(self, columns: Sequence[Row], left: int, shoe: Row) -> float:
        """Return the logarithm of the odds of winning, in UNITs. shoe: the cards that may come."""
        weights = self.weights
        total, risky = weights.always + weights.move * left, []
        for column in columns:
            if column not in self.of_columns:
                counts = features_of(column, self.rank)
                worth = sum(weight * count for weight, count in zip(weights, counts))
                self.of_columns[column] = worth, ends_in_one_suit(column)
            worth, is_risky = self.of_columns[column]
            total += worth
            if is_risky:
                risky.append(column)
        return total + weights.risk * risk(risky, self.rank, shoe)

    def chance(self, columns: Sequence[Row], left: int, shoe: Row) -> float:
        """Return the chance of winning."""
        return logistic(self.log_odds(columns, left, shoe) / UNIT)
