"""Pointing: arrows and clicks become the command that would have been typed.

The mark stands on a card that can move. Picked up, it shows where it may go. Everything that can be done is a legal
move of the game; nothing here knows a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from patience import effects
from patience.consoles import keys
from patience.consoles.board import Spot
from patience.game import MoveStyle, describe_move
from patience.text import card_name, card_text
from solvers.positions import lies_face_down

if TYPE_CHECKING:
    from cards import Card
    from patience import Move, Position
    from patience.consoles import View

STEPS = {keys.UP: (-1, 0), keys.DOWN: (1, 0), keys.LEFT: (0, -1), keys.RIGHT: (0, 1)}
ASIDE = 4  # how much farther a spot counts that lies aside
UNDO, UNDOES = "undo", (keys.BACKSPACE, keys.RIGHT_CLICK)
BESIDE = 2  # columns
WORD = -2  # the index of a Spot that is a word below the board


class Pointer:
    """What is pointed at on one board."""

    def __init__(self, view: View, width: int, spots: list[Spot], height: int, words: str = "") -> None:
        """width: of the window that the board is laid out for. spots: what stands on it. height: its lines, below which
        is the one that says what Enter does. words: the line of words below that one."""
        self.width, self.height = width, height
        self.rules = view.game.rules
        self.position: Position = view.game.position
        self.spots = spots
        self.words = [Spot(match[0], WORD, False, (height + 1, *match.span())) for match in re.finditer(r"\S+", words)]
        self.moves = self.rules.legal_moves(self.position)
        self.ways: dict[Spot, list[tuple[Move, Spot]]] = {}  # a card that can move -> the moves, and where they go
        self.elsewhere: dict[Spot, list[tuple[Move, Spot]]] = {}  # the same for other empty foundations, for a click
        self.of_cards: list[Move] = []  # moves of cards
        self.ends: set[Spot] = set()  # the last cards of piles onto which a card may go
        self.mark: Spot | None = None  # where the arrows are
        self.held: Spot | None = None  # the card that was picked up
        self.shown: Move | None = None  # the move that Tab shows
        self.is_led = False  # True once an arrow has moved the mark
        self.why = ""  # why the last click did nothing
        for move in self.moves:
            self.add_way(move)
        draw = (self.rules.DRAW_WORD,)
        others = [move for move in self.moves if move not in self.of_cards]
        # What Space does where no card is marked: it draws onto the waste, or if no card can move it does what else can
        # be done. Where a draw deals onto columns cards are left behind, which needs more than a Space.
        has_waste = any(name == "waste" for name, *_ in self.rules.piles(self.position))
        self.best_without_card = None
        if draw in self.moves and (has_waste or not self.of_cards):
            self.best_without_card = draw
        elif others and not self.of_cards:
            self.best_without_card = others[0]

    def add_way(self, move: Move) -> None:
        """Note where a legal move takes a card from, and where to; a draw takes one from the stock."""
        if move[0] == self.rules.DRAW_WORD:
            for stock in [spot for spot in self.spots if spot.index == -1][:1]:
                self.ways.setdefault(stock, []).append((move, stock))
            return
        for moved in effects.first_cards_of(self.rules, self.position, move)[:1]:
            self.of_cards.append(move)
            source = self.spot_of(moved.source, moved.source_index)
            end = self.spot_of(moved.dest, moved.dest_index - 1)
            dest = self.spot_of(moved.dest, moved.dest_index) or end or self.spot_of(moved.dest, -1)  # a closed pile
            if source and dest and dest not in [way for _, way in self.ways.get(source, [])]:
                known = self.ways.setdefault(source, [])
                is_elsewhere = (
                    not dest.is_card
                    and moved.dest.startswith(effects.FOUNDATION)
                    and any(way.pile.startswith(effects.FOUNDATION) for _, way in known)
                )
                (self.elsewhere.setdefault(source, []) if is_elsewhere else known).append((move, dest))
                if dest is end:
                    self.ends.add(end)

    def spot_of(self, pile: str, index: int) -> Spot | None:
        """Return the Spot at this place."""
        return next((spot for spot in self.spots if (spot.pile, spot.index) == (pile, index)), None)

    # Events

    def take(self, event: keys.Event) -> str | None:
        """Take a key or a click; return the command that it means, or None if there is none yet. Ctrl-C lets go;
        if nothing is held, it raises KeyboardInterrupt."""
        if event.kind not in (keys.DROP, keys.OTHER):
            self.why = ""
        if event.kind in STEPS:
            self.step(*STEPS[event.kind])
        elif event.kind == keys.CLICK:
            return self.press(keys.ENTER) if event.row == self.height else self.click_at(event)
        elif event.kind == keys.DROP and self.held:
            spot = self.spot_at(event.row, event.column)
            return self.click(spot) if spot and spot != self.held else None
        elif event.kind in (keys.ENTER, keys.SPACE):
            return self.press(event.kind)
        elif event.kind in (keys.TAB, keys.BACK_TAB):
            self.walk(1 if event.kind == keys.TAB else -1)
        elif event.kind in UNDOES and not self.held and not self.shown:
            return UNDO
        elif event.kind in (keys.ESCAPE, keys.TEXT, *UNDOES):
            self.let_go()
        elif event.kind == keys.INTERRUPT:
            if not self.points:
                raise KeyboardInterrupt
            self.let_go()
        return None

    def stand_where(self, old: Pointer) -> None:
        """Point at what another Pointer did, whose board was laid out differently."""
        self.mark, self.held = (spot and self.spot_of(spot.pile, spot.index) for spot in (old.mark, old.held))
        self.shown, self.is_led = old.shown, old.is_led

    @property
    def points(self) -> bool:
        """True if something is pointed at."""
        return bool(self.mark or self.held or self.shown)

    def let_go(self) -> None:
        """Put nothing down, and point at nothing."""
        self.mark = self.held = self.shown = None
        self.is_led = False

    def press(self, key: str) -> str | None:
        """Answer Enter or Space: play what is shown, put down, pick up, or draw."""
        if self.shown and key == keys.ENTER:
            return self.line(self.shown)
        if self.mark in self.words:
            return self.mark.pile
        if key == keys.SPACE and not self.held and not self.is_led:
            return self.line(self.best_without_card) if self.best_without_card else None
        if not self.mark:
            return "" if key == keys.ENTER else None
        ways = self.ways.get(self.mark, [])
        if not self.held and len(ways) == 1:  # the board shows where it goes
            return self.line(ways[0][0])
        return self.click(self.mark)

    def click_at(self, event: keys.Event) -> str | None:
        """Pick up the card that was clicked, or put one down there. An empty place takes the one card that fits."""
        spot = self.spot_at(event.row, event.column)
        if spot in self.words:
            return spot.pile
        fitting = {source: move for source, ways in self.ways.items() for move, dest in ways if dest == spot}
        if spot and not spot.is_card and not self.held and spot not in self.ways:
            if len(fitting) == 1:
                return self.line(*fitting.values())
            cards = ", ".join(card_text(effects.pair_of(self.card_at(source))) for source in fitting)
            self.why = f"Several cards fit there: {cards}." if fitting else "No card fits there now."
            return None
        was_held, line = self.held, self.click(spot)
        if line is None and not self.held:
            self.why = self.why_not(spot, was_held)
        return line

    def why_not(self, spot: Spot | None, held: Spot | None) -> str:
        """Return why a click on a spot, or where none is, does nothing. held: the card that was in hand, or None."""
        if held:
            return f"{card_text(effects.pair_of(self.card_at(held)))} is let go: click a lit place."
        if not spot or not spot.is_card:
            return "There is nothing to click." if not spot else f"The {spot.pile} gives no card now."
        if not self.is_seen(spot):
            return "That card lies face down."
        card, pile = self.card_at(spot), effects.piles_by_name(self.rules, self.position)[spot.pile]
        told = card_text(effects.pair_of(card))
        covering = pile[spot.index + 1] if spot.pile.startswith("column") and spot.index + 1 < len(pile) else None
        return (
            f"{told} is covered by {card_text(effects.pair_of(covering))}." if covering else f"{told} has no move now."
        )

    def click(self, spot: Spot | None) -> str | None:
        """Pick up the card on a spot, or put one down there. Twice on the same card: its best place."""
        held, self.shown = self.held, None
        if held and spot:
            if spot == held:
                return self.line(self.ways[held][0][0])
            for move, dest in [*self.ways[held], *self.elsewhere.get(held, [])]:
                if dest == spot or dest in self.ends and dest.pile == spot.pile:  # any card of a column will do
                    return self.line(move)
        self.held = None
        if spot in self.ways:
            if not spot.is_card:  # the stock
                return self.line(self.ways[spot][0][0])
            self.mark = self.held = spot
        elif held and spot and spot.is_card and self.is_seen(spot):  # the game says why not
            return " ".join(card_name(effects.pair_of(self.card_at(one))).lower() for one in (held, spot))
        elif held:
            self.mark = held if self.is_led else None
        return None

    def card_at(self, spot: Spot) -> Card:
        """Return the card on a Spot."""
        return effects.piles_by_name(self.rules, self.position)[spot.pile][spot.index]

    def is_seen(self, spot: Spot) -> bool:
        """Return True if the player can see which card lies on a Spot."""
        card = self.card_at(spot)
        unknown = effects.hidden_cards(self.rules, self.position)
        return not lies_face_down(card) and not effects.is_one_of(card, unknown)

    def walk(self, step: int) -> None:
        """Show the next legal move, or the one before."""
        sources = {move: spot for spot, ways in self.ways.items() for move, _ in ways}
        shown = [move for move in self.moves if move in sources or move not in self.of_cards]
        if shown:
            marked = [move for move, _ in self.ways.get(self.mark, [])][:1] if self.mark else []
            at = [shown.index(move) for move in [self.shown, *marked] if move in shown][:1]
            self.shown = shown[(at[0] + step if at else min(step, 0)) % len(shown)]
            self.mark, self.held = sources.get(self.shown), None

    def line(self, move: Move) -> str:
        """Return the command line of a move."""
        return self.rules.write(*move)

    # The mark

    def step(self, down: int, right: int) -> None:
        """Move the mark to the next spot in a direction: to a card that can move, or where the one picked up may go.
        Below the last cards are the words."""
        self.shown, self.is_led = None, True
        spots = [dest for _, dest in self.ways[self.held]] + [self.held] if self.held else [*self.ways, *self.words]
        if not self.mark or self.mark not in spots:
            self.mark = self.held or self.first() or next(iter(self.words), None)
            return
        (row, _, column), distances = self.mark.place, []
        for spot in spots:
            rows, columns = (spot.place[0] - row) * 2, spot.place[2] - column  # a row is about as high as two columns
            ahead, aside = (rows * down, columns) if down else (columns * right, rows)
            if ahead > 0 and (down or (spot in self.words) == (self.mark in self.words)):
                distances.append((ahead + ASIDE * abs(aside), spot))
        if distances:
            _, self.mark = min(distances, key=lambda pair: (down > 0 and pair[1] in self.words, pair[0]))

    def first(self, leads_on: Callable[[Move], bool] = lambda move: True) -> Spot | None:
        """Return the spot of the most useful move of a card, or else the stock. leads_on: which moves may be meant."""
        spots = sorted(self.ways, key=lambda spot: (not spot.is_card, self.moves.index(self.ways[spot][0][0])))
        return next((spot for spot in spots if leads_on(self.ways[spot][0][0])), None)

    def spot_at(self, row: int, column: int) -> Spot | None:
        """Return the Spot at a place of the board, or beside it: a card's tile begins before its text."""
        near = []
        for spot in [*self.spots, *self.words]:
            its_row, start, end = spot.place
            distance = max(start - column, column - end + 1, 0)
            if its_row == row and distance <= BESIDE:
                near.append((distance, spot))
        return min(near, key=lambda pair: pair[0])[1] if near else None

    # What is shown

    def targets(self) -> list[Spot]:
        """Return the Spots where the card that is marked, or was picked up, may go."""
        at = self.held or self.mark
        ways = self.ways.get(at, []) if at else []
        if self.shown:
            ways = [way for way in ways if way[0] == self.shown]
        return [dest for _, dest in ways if dest not in (self.mark, self.held)]

    def describe(self) -> str:
        """Return why a click did nothing, or what Enter does now, and Space, in words, or ""."""
        if self.why:
            return self.why
        at = self.held or self.mark
        ways = [
            (move, dest) for move, dest in (self.ways.get(at, []) if at else []) if not self.held or dest == self.mark
        ]
        if self.held and self.mark == self.held:  # put down where it is best
            ways = self.ways[self.held][:1]
        move: Any = self.shown or (ways[0][0] if len(ways) == 1 else None)
        is_for_space = not self.of_cards and self.best_without_card and not self.shown
        move = self.best_without_card if is_for_space else move
        if self.mark in self.words:
            return f"Enter: {self.mark.pile}"
        if move:
            told = describe_move(self.rules, self.position, move, MoveStyle.NAMES)
        elif self.mark and self.mark in self.ways and not self.held:
            told = f"pick up {card_text(effects.pair_of(self.card_at(self.mark)))}"
        else:
            return ""
        both = f"Enter or Space: {told}"
        if is_for_space:
            return f"Space: {told}"
        return both if self.is_led and len(both) <= self.width else f"Enter: {told}"
