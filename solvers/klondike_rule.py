"""The rule by which layouts of Klondike are played to their ends: what a position costs, by what can be counted in it.

The costs, in the order of WEIGHTS, are for each
- face-down card,
- card on no foundation,
- card of stock and waste,
- of these, each that can be had by drawing alone,
- card of a class that has a free place,
- empty column,
- column with face-down cards,
- face-down card of the column that has most of them,
- the square of each column's face-down cards,
- card of the highest foundation above the lowest,
- card of the lowest foundation,
- root with face-down cards under it that fits somewhere now,
- card of stock and waste that can be had and fits or goes up now,
- King among the roots.
The weights were found by climbing over the deals that the rule alone wins.
"""

import operator

from solvers.klondike_steps import ALL, KINGS, builders, free_places, next_cards, split_cards

# How many cards the game draws -> the costs.
WEIGHTS = {
    1: (13.38, 2.85, -7.06, 5.11, -0.55, -0.15, -1.05, 0.98, 0.21, 1.66, -0.09, 0.0, 0.57, -0.75),
    3: (10.60, 2.52, 0.90, 1.17, -0.76, -0.68, -1.49, -0.72, 0.66, 0.78, -0.46, -2.69, -2.59, 1.25),
}
SUITS = [sum(1 << 4 * rank + suit for rank in range(13)) for suit in range(4)]
TIE = 1e-6  # chance decides between positions that cost the same


class Rule:
    """What positions of one layout cost. They need not be looked at in order."""

    def __init__(self, layout, chance):
        """layout: a Table whose hidden cards are dealt. chance: a random.Random."""
        self.layout, self.chance, self.weights = layout, chance, WEIGHTS[layout.draw]
        self.depths = {}  # (hidden, roots) -> what depths_of returns

    def cost(self, before, position):
        """Return what a position costs. before: the one that a step leads from: a card that the step turns up is not
        looked at."""
        known, *_ = before
        hidden, roots, founded, talon, waste = position
        seen_roots = roots & ~known
        free = free_places(ALL & ~known & ~founded & ~talon, seen_roots)
        empty = self.layout.columns - roots.bit_count()
        fitting = builders(free) | (KINGS if empty else 0)
        playable = self.layout.playable(talon, waste)
        useful = fitting | next_cards(founded)
        heights = [(founded & suit).bit_count() for suit in SUITS]
        lowest = min(heights)
        if (hidden, roots) not in self.depths:
            self.depths[hidden, roots] = self.depths_of(hidden, roots)
        columns, deepest, squares, covering = self.depths[hidden, roots]
        counted = (
            hidden.bit_count(),
            52 - founded.bit_count(),
            talon.bit_count(),
            len(playable),
            free.bit_count(),
            empty,
            columns,
            deepest,
            squares,
            max(heights) - lowest,
            lowest,
            (covering & seen_roots & fitting).bit_count(),
            sum(1 for card, _ in playable if card & useful),
            (seen_roots & KINGS).bit_count(),
        )
        return sum(map(operator.mul, self.weights, counted)) + TIE * self.chance.random()

    def depths_of(self, hidden, roots):
        """Return how many columns have face-down cards, the most of one column, the sum of their squares, and the roots
        that lie on some."""
        under, depths, covering = self.layout.under, [], 0
        for root in split_cards(roots):
            depth, card = 0, under.get(root, 0) & hidden
            while card:
                depth += 1
                card = under.get(card, 0) & hidden
            if depth:
                depths.append(depth)
                covering |= root
        return len(depths), max(depths, default=0), sum(depth * depth for depth in depths), covering
