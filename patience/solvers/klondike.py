"""Klondike, solved best first in a space in which the arrangement of the face-up cards does not matter: see
klondike_steps.

Every step stands for moves of the game, so a way to the end is a way to win, and if no position is left to search, the
game is lost. The script is written afterwards, with the real cards (see Writer).

Most deals are soon won by one order of search or another, but no order wins all of them. So there are some short tries
before the one that searches the whole space (see TRIES). And a game that is lost when single cards are drawn is also
lost when three are drawn, because fewer cards can then be reached. So before the long search, drawing single cards is
tried, in a far smaller space.
"""

from __future__ import annotations

import contextlib
import functools
from array import array
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from patience.solvers.klondike_steps import ALL, BLACK, KINGS, Table, bit, builders, classes_of
from patience.solvers.klondike_steps import next_cards, split_cards, steps_from, twin
from patience.positions import copy_of
from patience.solvers.search import WAYS, KeyTable, NotAllowed, decide, make, way_to

import klondike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from patience.solvers import Move, Position, Way
    from patience.solvers.klondike_steps import State, Step
    from patience.solvers.search import Answer, Limits

OPTIONS = {"draw": ("3", "1"), "passes": ("unlimited",)}  # the choices known here for each option

ACES = 15
REPEATS = ("A",)  # commands that only repeat others

# What a position costs (lower is better): a face-down card, a card above the next one for a
# foundation, a card on no foundation, a card in stock or waste.
TURN_UP = 5, 1, 1, 1
KEEP_STOCK = 2, 0, 5, -1
BUILD_UP = 1, 0, 8, 1

# The tries, by how many cards the game draws: how many the try draws, its costs, how many positions.
TRIES = {
    1: [(1, TURN_UP, 1_000), (1, KEEP_STOCK, 5_000), (1, BUILD_UP, None)],
    3: [(3, TURN_UP, 1_000), (3, KEEP_STOCK, 5_000), (1, KEEP_STOCK, 100_000), (3, BUILD_UP, None)],
}


def solve(game: Position, seconds: float | None = 10, positions: int | None = None) -> Answer:
    """Return an Answer for the game as it stands. The game is not changed."""

    def attempt(limits: Limits, draw: int, weights: tuple[int, ...], most: int | None) -> Way:
        way, complete = best_first(Table(game, draw), weights, most, limits)
        if draw != game.draw and way is not None:  # a win drawing single cards proves nothing here
            return None, False
        return way, complete

    def tries(limits: Limits) -> Iterator[Callable[[], Way]]:
        return (functools.partial(attempt, limits, *settings) for settings in TRIES[game.draw])

    def replay(way: list[Step]) -> tuple[Position, list[Move]]:
        """Return the moves as they can be made if single cards are drawn, as in some tries."""
        writer = Writer(game)
        writer.game.draw = 1
        start = copy_of(writer.game)
        with contextlib.suppress(NotAllowed):  # the rules may have changed
            writer.as_moves(way)
        return start, writer.moves

    return decide(tries, lambda way: Writer(game).as_moves(way), seconds, positions, replay)


def allowed(game: Position) -> set[Move]:
    """Return the set of moves allowed here by the rules of these steps: see general.difference."""
    moves: set[Move] = {("SW",)} if game.stock or game.waste else set()
    ends = [(("WF",), game.waste)] + [(("TF", number), column) for number, column in enumerate(game.tableau, start=1)]
    for number, pile in enumerate(game.foundations, start=1):
        wanted = next_cards(sum(map(bit, pile))) & (~ACES if pile else ACES)
        fitting = [move for move, source in ends if source and bit(source[-1]) & wanted]
        moves |= {*fitting, *((*move, number) for move in fitting)}
    for number, dest in enumerate(game.tableau, start=1):
        takes = builders(classes_of(bit(dest[-1]))) if dest else KINGS
        for source_number, source in enumerate(game.tableau, start=1):
            if source is not dest and any(bit(card) & takes for card in klondike.face_up_cards(source)):
                moves.add(("TT", source_number, number))
        for source_number, source in enumerate(game.foundations, start=1):
            if source and bit(source[-1]) & takes:
                moves.add(("FT", source_number, number))
        if game.waste and bit(game.waste[-1]) & takes:
            moves.add(("WT", number))
    return moves


def cost_of(table: Table, position: State, weights: tuple[int, ...]) -> int:
    """Return how far a position is from being won."""
    hidden, _, founded, talon, waste = position
    face_down, covering, not_founded, in_talon = weights
    total = face_down * hidden.bit_count() + not_founded * (52 - founded.bit_count())
    if covering:
        for card in split_cards(next_cards(founded) & hidden):
            total += covering * (1 + (hidden & table.above[card]).bit_count())
    return total + in_talon * (2 * talon.bit_count() - len(table.playable(talon, waste)))


def best_first(table: Table, weights: tuple[int, ...], most: int | None, limits: Limits) -> Way:
    """Search the cheapest positions first and, among equals, the latest. Returns the steps that win, or None, and
    whether the whole space has been searched."""
    keys, seen = Keys(), KeyTable()

    def step_between(*numbers: Any) -> Step:
        one, other = (keys.position(found[each]) for each in numbers)
        return next(step for step, after in steps_from(table, one) if after == other)

    found, before = array("Q", [0, keys.key(table.start)]), array("I", [0, 0])  # from 1: keys; where each came from
    seen.is_new(found[1])
    waiting = defaultdict(lambda: array("I"))  # cost -> numbers of positions
    waiting[0].append(1)
    while waiting:
        least = min(waiting)
        number = waiting[least].pop()
        if not waiting[least]:
            del waiting[least]
        position = keys.position(found[number])
        if position[2] == ALL:
            return way_to(number, before, step_between), True
        for _, after in steps_from(table, position):
            key = keys.key(after)
            if seen.is_new(key):
                limits.spend()
                if most is not None and len(before) > most + 1:
                    return None, False
                waiting[cost_of(table, after, weights)].append(len(before))
                found.append(key)
                before.append(number)
    for number in range(len(before) - 1, 0, -(len(before) // WAYS + 1)):
        limits.note(way_to(number, before, step_between))
    return None, True


class Keys:
    """The keys of a search's positions: a 64-bit number for each, which stands for exactly one position."""

    def __init__(self) -> None:
        self.columns, self.foundations, self.talons = Numbered(), Numbered(), Numbered()

    def key(self, position: State) -> int:
        """Return the key of a position. 20 bits are enough for the columns, and 16 for the foundations; there are no
        more talons than keys in a KeyTable."""
        hidden, roots, founded, talon, waste = position
        return self.columns[hidden, roots] << 44 | self.foundations[founded] << 28 | self.talons[talon, waste]

    def position(self, key: int) -> State:
        """Return the position of a key."""
        hidden, roots = self.columns.things[key >> 44]
        talon, waste = self.talons.things[key & 0xFFFFFFF]
        return hidden, roots, self.foundations.things[key >> 28 & 0xFFFF], talon, waste


class Numbered(dict):
    """Numbers for things, counting from 1 in the order in which they come; things lists them, starting at index 1."""

    def __init__(self) -> None:
        self.things: list[Any] = [None]

    def __missing__(self, thing: Any) -> int:
        self[thing] = number = len(self.things)
        self.things.append(thing)
        return number


def first(candidates: Iterable[Any]) -> Any:
    """Return the first thing found. Raises NotAllowed if there is none."""
    for thing in candidates:
        return thing
    raise NotAllowed


class Writer:
    """Writes the moves for the steps, with the real cards. Raises NotAllowed if that cannot be done."""

    def __init__(self, game: Position) -> None:
        self.game = copy_of(game)
        self.moves = []

    def as_moves(self, path: list[Step]) -> list[Move]:
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

    def do(self, *move: Any) -> None:
        """Make a move and record it."""
        make(klondike, self.game, move, self.moves)

    def draw_to(self, card: int) -> bool:
        """Draw until the card is on top of the waste; return False if it is not in stock or waste. Raises NotAllowed if
        it never comes up."""
        talon = self.game.stock + self.game.waste
        if not any(bit(talon_card) == card for talon_card in talon):
            return False
        for _ in range(2 * len(talon) + 2):  # at most: the rest of this pass, and all of the next
            if self.game.waste and bit(self.game.waste[-1]) == card:
                return True
            self.do("SW")
        raise NotAllowed

    def find(self, card: int) -> tuple[int, int]:
        """Return the number, from 1, of the column in which a card lies, and how many cards lie on it."""
        return first(
            (number, len(column) - place - 1)
            for number, column in enumerate(self.game.tableau, start=1)
            for place, column_card in enumerate(column)
            if bit(column_card) == card
        )

    def ends_with(self, cards: int) -> int:
        """Return the number, from 1, of a column that ends with one of these cards."""
        return first(
            number for number, column in enumerate(self.game.tableau, start=1) if column and bit(column[-1]) & cards
        )

    def place_for(self, card: int) -> int:
        """Return the number of a column where the card can be put."""
        if card & KINGS:
            return first(number for number, column in enumerate(self.game.tableau, start=1) if not column)
        taker = card << 6 if card & BLACK else card << 2
        return self.ends_with(taker | twin(taker))

    def up(self, card: int) -> None:
        """Play a card to its foundation, after moving the cards on it to its twin."""
        if self.draw_to(card):
            self.do("WF")
            return
        column, covering = self.find(card)
        if covering:
            self.do("TT", column, self.ends_with(twin(card)), covering)
        self.do("TF", column)

    def place(self, card: int) -> None:
        """Put the waste card, or a root with everything on it, in a place where it fits."""
        if self.draw_to(card):
            self.do("WT", self.place_for(card))
            return
        column, covering = self.find(card)
        self.do("TT", column, self.place_for(card), covering + 1)
