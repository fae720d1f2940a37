"""The rule that plays samples of Klondike to their ends, by the cost of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from patience.solvers.klondike_steps import ALL, KINGS, builders, free_places, next_cards, split_cards, steps_from

if TYPE_CHECKING:
    import random

    from patience.solvers.klondike_steps import State, Table


class Weights(NamedTuple):
    """The costs of these features of a position."""

    face_down: float  # card
    not_up: float  # card on no foundation
    talon: float  # card of stock and waste
    to_be_had: float  # card in stock or waste that can be reached by drawing alone
    place: float  # card of a class that has a free place
    empty: float  # column
    covering: float  # column with face-down cards
    deepest: float  # face-down card in the column with the most of them
    square: float  # 1 for one face-down card in a column, 4 for two, 9 for three
    higher: float  # card by which the highest foundation is ahead of the lowest
    lowest: float  # card on the lowest foundation
    opens: float  # root with face-down cards under it that fits somewhere now
    fits: float  # card in stock or waste that can be reached, and fits or goes up now
    king: float  # that is a root


# How many cards the game draws -> weights, found by hill climbing on the number of deals that the rule alone wins, as
# tools/learn_rule.py does, but for longer.
WEIGHTS = {
    1: Weights(13.38, 2.85, -7.06, 5.11, -0.55, -0.15, -1.05, 0.98, 0.21, 1.66, -0.09, 0.0, 0.57, -0.75),
    3: Weights(10.60, 2.52, 0.90, 1.17, -0.76, -0.68, -1.49, -0.72, 0.66, 0.78, -0.46, -2.69, -2.59, 1.25),
}
SUITS = [sum(1 << 4 * rank + suit for rank in range(13)) for suit in range(4)]
MOST_STEPS = 300  # in which a sample is played to its end
TIE = 1e-6  # chance decides between positions that cost the same


class Rule:
    """Finds the cost of positions, in one sample after another, and plays by these costs. Positions can be evaluated in
    any order."""

    def __init__(self, weights: Weights, chance: random.Random) -> None:
        """weights: some Weights. chance: a random.Random."""
        self.weights, self.chance = weights, chance
        self.talons = {}  # (talon, waste) -> what count_talon returns: they come up again and again
        self.foundations = {}  # the cards on the foundations -> what they cost

    def look_at(self, sample: Table) -> None:
        """From now on, positions are those of this sample: a Table whose hidden cards are dealt."""
        self.sample = sample
        self.columns = {}  # (hidden, roots) -> what count_columns returns
        self.depths = {card: self.depth(card) for card in sample.under}

    def play(self, position: State, seen: set[State]) -> tuple[int, int]:
        """Play the sample to its end from a position; return the cards then on the foundations, and the number of
        positions searched. seen: positions that must not come again; those on the way are added."""
        sample, count = self.sample, 0
        for _ in range(MOST_STEPS):
            hidden, _, founded, _, _ = position
            if founded == ALL or not hidden and sample.draw == 1:
                return ALL, count
            seen.add(position)
            costs = {}
            for is_plain in (True, False):
                for _, after in steps_from(sample, position, is_plain):
                    if after not in seen and after not in costs:
                        costs[after] = self.cost(position, after)
                if any(after[0] != hidden for after in costs):  # then no card needs to be brought
                    break
            count += len(costs)
            if not costs:
                break
            position = min(costs, key=costs.__getitem__)
        _, _, founded, _, _ = position
        return founded, count

    def cost(self, before: State, position: State) -> float:
        """Return the cost of a position. before: the position before the step that led here; a card that the step turns
        up is not looked at."""
        known, *_ = before
        hidden, roots, founded, talon, waste = position
        if (hidden, roots) not in self.columns:
            self.columns[hidden, roots] = self.count_columns(hidden, roots)
        if (talon, waste) not in self.talons:
            self.talons[talon, waste] = self.count_talon(talon, waste)
        if founded not in self.foundations:
            self.foundations[founded] = self.count_foundations(founded)
        cost_of_columns, kings, covering = self.columns[hidden, roots]
        cost_of_talon, playable = self.talons[talon, waste]
        seen_roots = roots & ~known
        free = free_places(ALL & ~known & ~founded & ~talon, seen_roots)
        fitting = builders(free) | kings
        weights = self.weights
        return (
            cost_of_columns
            + cost_of_talon
            + self.foundations[founded]
            + weights.place * free.bit_count()
            + weights.opens * (covering & seen_roots & fitting).bit_count()
            + weights.fits * (playable & (fitting | next_cards(founded))).bit_count()
            + weights.king * (seen_roots & KINGS).bit_count()
            + TIE * self.chance.random()
        )

    def depth(self, card: int) -> int:
        """Return how many cards lie under a card: they stay face down until it moves."""
        lower = self.sample.under.get(card)
        return 1 + self.depth(lower) if lower else 0

    def count_columns(self, hidden: int, roots: int) -> tuple[float, int, int]:
        """Return the cost of the columns, the Kings if there is an empty column for them, and the roots that lie on
        face-down cards."""
        under = self.sample.under
        covering = sum(root for root in split_cards(roots) if under.get(root, 0) & hidden)
        depths = [0, *map(self.depths.__getitem__, split_cards(covering))]
        empty = self.sample.columns - roots.bit_count()
        cost = (
            self.weights.face_down * hidden.bit_count()
            + self.weights.empty * empty
            + self.weights.covering * covering.bit_count()
            + self.weights.deepest * max(depths)
            + self.weights.square * sum(depth * depth for depth in depths)
        )
        return cost, KINGS if empty else 0, covering

    def count_talon(self, talon: int, waste: int) -> tuple[float, int]:
        """Return the cost of the cards in stock and waste, and those that can be reached just by drawing."""
        playable = sum(card for card, _ in self.sample.playable(talon, waste))
        return self.weights.talon * talon.bit_count() + self.weights.to_be_had * playable.bit_count(), playable

    def count_foundations(self, founded: int) -> float:
        """Return one cost for the heights of the foundations and the cards not on any of them."""
        weights, heights = self.weights, [(founded & suit).bit_count() for suit in SUITS]
        higher = max(heights) - min(heights)
        return weights.not_up * (52 - sum(heights)) + weights.higher * higher + weights.lowest * min(heights)
