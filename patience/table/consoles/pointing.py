"""Pointing: arrows and clicks become the command that would have been typed.

The mark stands on a card that can move. Once picked up, a card shows where it may go. Everything the player can do is a
legal move of the game; nothing here knows the rules.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from patience import effects
from patience.table.consoles import keys
from patience.table.consoles.picture import Cell, Spot
from patience.layout import FOUNDATION, pair_of
from patience.game import MoveStyle, describe_move
from patience.text import card_name, card_text

if TYPE_CHECKING:
    from cards import Card
    from patience import Move
    from patience.table.consoles.picture import Board

STEPS = {keys.UP: (-1, 0), keys.DOWN: (1, 0), keys.LEFT: (0, -1), keys.RIGHT: (0, 1)}
ASIDE = 4  # how many times more a sideways distance to a spot counts
UNDO, UNDOES = "undo", (keys.BACKSPACE, keys.RIGHT_CLICK)
HINT, ASK = "hint", keys.Event(keys.TEXT, "?")
NEAR = 2  # columns
WORD = -2  # the index of a Spot that is a word below the board
BETWEEN = " · "


class Ways:
    """What can be done on one board: its legal moves, by the Spots they go from and to."""

    def __init__(self, board: Board, is_over: bool = False) -> None:
        """is_over: nothing can be done."""
        self.board, self.is_over = board, is_over
        self.moves = [] if is_over else board.layout.legal_moves

    @property
    def by_source(self) -> dict[Spot, list[tuple[Move, Spot]]]:
        """The moves of each card that can move, and where they go; a draw counts as a move of the stock."""
        return self.sorted[0]

    @property
    def elsewhere(self) -> dict[Spot, list[tuple[Move, Spot]]]:
        """Moves of a card to an empty foundation when another foundation is as good; used only for clicks."""
        return self.sorted[1]

    @functools.cached_property
    def of_cards(self) -> dict[Move, effects.Moved]:
        """The moves that move a card, each with its Moved."""
        layout = self.board.layout
        others = [move for move in self.moves if move[0] != layout.rules.DRAW_WORD]
        lead_cards = {move: effects.lead_cards_of(layout, move)[:1] for move in others}
        return {move: moved[0] for move, moved in lead_cards.items() if moved}

    @functools.cached_property
    def sorted(self) -> tuple[dict[Spot, list[tuple[Move, Spot]]], dict[Spot, list[tuple[Move, Spot]]]]:
        """By_source and elsewhere."""
        known: dict[Spot, list[tuple[Move, Spot]]] = {}
        elsewhere: dict[Spot, list[tuple[Move, Spot]]] = {}
        for move in self.moves:
            if move[0] == self.board.layout.rules.DRAW_WORD:
                for stock in [spot for spot in self.board.spots if spot.index == -1][:1]:
                    known.setdefault(stock, []).append((move, stock))
            if move not in self.of_cards:
                continue
            moved = self.of_cards[move]
            source, dest = self.board.spot_of(moved.source, moved.source_index), self.board.dest_of(moved)
            if not source or not dest or dest in [way for _, way in known.get(source, [])]:
                continue
            ways = known.setdefault(source, [])
            is_elsewhere = (
                not dest.is_card
                and moved.dest.startswith(FOUNDATION)
                and any(way.pile.startswith(FOUNDATION) for _, way in ways)
            )
            (elsewhere.setdefault(source, []) if is_elsewhere else ways).append((move, dest))
        return known, elsewhere

    @functools.cached_property
    def draw(self) -> Move | None:
        """What Space does: it draws onto the waste. A draw that deals onto columns leaves cards behind, so it needs
        more than Space."""
        draw = (self.board.layout.rules.DRAW_WORD,)
        return draw if draw in self.moves and "waste" in self.board.layout.cards else None

    def first(self) -> Spot | None:
        """Return the spot of the most useful move of a card, or else the stock if Space would draw."""
        spots = [spot for spot, ways in self.by_source.items() if spot.is_card or ways[0][0] == self.draw]
        spots.sort(key=lambda spot: (not spot.is_card, self.moves.index(self.by_source[spot][0][0])))
        return next(iter(spots), None)


class Pointer:
    """The player's mark on one board."""

    def __init__(self, board: Board, words: str = "", is_over: bool = False) -> None:
        """words: the line of words below the board, the line that says how the game stands, and the one that says what
        keys do. is_over: nothing else can be chosen."""
        row = board.height + 2
        self.board, self.ways = board, Ways(board, is_over)
        self.words = [
            Spot(match[0], WORD, False, Cell(row, match.start(), 1, len(match[0])))
            for match in re.finditer(r"\S+", words)
        ]
        self.mark: Spot | None = None  # where the arrows are
        self.held: Spot | None = None  # the card that was picked up
        self.tab_move: Move | None = None  # the move that Tab shows
        self.moved_by_arrow = False  # True once an arrow has moved the mark
        self.why = ""  # why the last click, or Space, did nothing
        self.buttons: list[tuple[range, str]] = []  # the columns of the line above the words that name a key, and it

    # Events

    def line_for(self, event: keys.Event) -> str | None:
        """Take a key or a click; return the command that it means, or None if there is none yet. Ctrl-C lets go; if
        nothing is held, it raises KeyboardInterrupt."""
        if event.kind not in (keys.DROP, keys.OTHER):
            self.why = ""
        if event.kind in STEPS:
            self.step(*STEPS[event.kind])
        elif event.kind == keys.CLICK:
            return self.click_at(event)
        elif event.kind == keys.DROP and self.held:
            spot = self.spot_at(event.row, event.column)
            return self.click(spot) if spot and spot != self.held else None
        elif event.kind in (keys.ENTER, keys.SPACE):
            return self.press(event.kind)
        elif event.kind in (keys.TAB, keys.BACK_TAB):
            self.walk(1 if event.kind == keys.TAB else -1)
        elif event.kind in UNDOES and not self.held and not self.tab_move:
            return UNDO
        elif event == ASK and not self.ways.is_over:
            return HINT
        elif event.kind in (keys.ESCAPE, keys.TEXT, *UNDOES):
            self.let_go()
        elif event.kind == keys.INTERRUPT:
            if not self.points:
                raise KeyboardInterrupt
            self.let_go()
        return None

    def stand_where(self, old: Pointer) -> None:
        """Point at the same thing as another Pointer, whose board was laid out differently."""
        self.mark, self.held = (spot and self.board.spot_of(spot.pile, spot.index) for spot in (old.mark, old.held))
        self.tab_move, self.moved_by_arrow = old.tab_move, old.moved_by_arrow

    @property
    def points(self) -> bool:
        """True if something is pointed at."""
        return bool(self.mark or self.held or self.tab_move)

    def let_go(self) -> None:
        """Hold nothing, and point at nothing."""
        self.mark = self.held = self.tab_move = None
        self.moved_by_arrow = False

    def ways_of(self, spot: Spot | None) -> list[tuple[Move, Spot]]:
        """Return the moves from a Spot, and where they go."""
        return self.ways.by_source.get(spot, []) if spot else []

    def meaning_of(self, key: str) -> Move | Spot | None:
        """Return what Enter or Space would do, or None: the move it makes, the Spot of the card it picks up, or the
        Spot of the word it enters."""
        if key == keys.SPACE:
            return self.ways.draw
        if self.tab_move:
            return self.tab_move
        if self.mark in self.words:
            return self.mark
        if self.held and self.mark == self.held:  # put down where it is best
            return self.ways_of(self.held)[0][0]
        if self.held:
            return next((move for move, dest in self.ways_of(self.held) if dest == self.mark), None)
        ways = self.ways_of(self.mark)
        return ways[0][0] if len(ways) == 1 else self.mark if ways else None  # the board shows where it goes

    def press(self, key: str) -> str | None:
        """Respond to Enter or Space; an Enter with no meaning counts as an empty line."""
        meant = self.meaning_of(key)
        if isinstance(meant, Spot):
            if meant in self.words:
                return meant.pile
            self.hold(meant)
            return None
        if not meant and key == keys.SPACE:
            draw = (self.board.layout.rules.DRAW_WORD,)
            self.why = f"Type d to {self.tell(draw)}." if draw in self.ways.moves else "There is nothing to draw."
        return self.line(meant) if meant else "" if key == keys.ENTER and not self.points else None

    def click_at(self, event: keys.Event) -> str | None:
        """Pick up the clicked card, or put the held one down there. An empty place takes the only card that fits."""
        if event.row == self.board.height + 1:
            key = next((key for columns, key in self.buttons if event.column in columns), None)
            self.why = "" if key else self.why_not(None, None)
            return self.press(key) if key else None
        spot = self.spot_at(event.row, event.column)
        if spot in self.words:
            return spot.pile
        if self.ways.is_over:
            return None
        fitting = {source: move for source, ways in self.ways.by_source.items() for move, dest in ways if dest == spot}
        if spot and not spot.is_card and not self.held and spot not in self.ways.by_source:
            if len(fitting) == 1:
                return self.line(*fitting.values())
            cards = ", ".join(map(self.text_of, fitting))
            self.why = f"Several cards fit there: {cards}." if fitting else "No card fits there now."
            return None
        was_held, line = self.held, self.click(spot)
        if line is None and not self.held:
            self.why = self.why_not(spot, was_held)
        return line

    def moves_card(self, click: keys.Event, line: str) -> bool:
        """Return True if the line that a click means moves a card, so that the next click means another board."""
        return click.row < self.board.height and not (self.ways.draw and line == self.line(self.ways.draw))

    def why_not(self, spot: Spot | None, held: Spot | None) -> str:
        """Return why a click on a spot, or outside all spots, does nothing. held: the card in hand, or None."""
        if held:
            return f"{self.text_of(held)} is back in its place: click a lit one."
        if not spot:
            return "There is nothing to click."
        if not self.is_seen(spot):
            return "That card lies face down."
        pile = self.board.layout.cards[spot.pile]
        covering = pile[spot.index + 1] if spot.pile.startswith("column") and spot.index + 1 < len(pile) else None
        covered = f"is covered by {card_text(pair_of(covering))}, and " if covering else ""
        return f"{self.text_of(spot)} {covered}has no move now."

    def click(self, spot: Spot | None) -> str | None:
        """Move the card on a spot to the one place it has, pick it up if it has several, or put the held one down
        there. A second click on the same card makes its best move."""
        held, self.tab_move = self.held, None
        if held and spot:
            if spot == held:
                return self.line(self.ways_of(held)[0][0])
            for move, dest in [*self.ways_of(held), *self.ways.elsewhere.get(held, [])]:
                # Any card in a column will do if the held card goes to the end of that column.
                if dest == spot or dest.pile == spot.pile and dest.index < self.ways.of_cards[move].dest_index:
                    return self.line(move)
        self.held = None
        if spot in self.ways.by_source:
            if len(self.ways_of(spot)) == 1:  # as the stock has
                return self.line(self.ways_of(spot)[0][0])
            self.hold(spot)
        elif held and spot and spot.is_card and self.is_seen(spot):  # the game says why not
            return " ".join(card_name(pair_of(self.card_at(one))).lower() for one in (held, spot))
        elif held:
            self.mark = held if self.moved_by_arrow else None
        return None

    def hold(self, spot: Spot) -> None:
        """Pick up the card on a Spot, and mark the best place for it."""
        self.held, self.mark = spot, self.ways_of(spot)[0][1]

    def card_at(self, spot: Spot) -> Card:
        """Return the card on a Spot."""
        return self.board.layout.cards[spot.pile][spot.index]

    def text_of(self, spot: Spot) -> str:
        """Return the card on a Spot as the board shows it."""
        return card_text(pair_of(self.card_at(spot)))

    def is_seen(self, spot: Spot) -> bool:
        """Return True if the player can see which card lies on a Spot."""
        return self.board.layout.is_seen(self.card_at(spot))

    def walk(self, step: int) -> None:
        """Show the next or the previous legal move."""
        sources = {move: spot for spot, ways in self.ways.by_source.items() for move, _ in ways}
        shown = [move for move in self.ways.moves if move in sources or move not in self.ways.of_cards]
        if shown:
            marked = [move for move, _ in self.ways_of(self.mark)][:1]
            at = [shown.index(move) for move in [self.tab_move, *marked] if move in shown][:1]
            self.tab_move = shown[(at[0] + step if at else min(step, 0)) % len(shown)]
            self.mark, self.held = sources.get(self.tab_move), None

    def line(self, move: Move) -> str:
        """Return the command line for a move."""
        return self.board.layout.rules.write(*move)

    # The mark

    def step(self, down: int, right: int) -> None:
        """Move the mark to the next spot in a direction: to a card that can move, or to a place where the held card may
        go. The words come below the last cards."""
        self.tab_move, self.moved_by_arrow = None, True
        spots = [*self.ways.by_source, *self.words]
        if self.held:
            spots = [*(dest for _, dest in self.ways_of(self.held)), self.held]
        if not self.mark or self.mark not in spots:
            self.mark = self.held or self.ways.first() or next(iter(spots), None)
            return
        distances = []
        for spot in spots:
            rows = (spot.cell.row - self.mark.cell.row) * 2  # a row is as high as two columns
            columns = spot.cell.column - self.mark.cell.column
            ahead, aside = (rows * down, columns) if down else (columns * right, rows)
            if ahead > 0 and (down or (spot in self.words) == (self.mark in self.words)):
                distances.append((ahead + ASIDE * abs(aside), spot))
        if distances:
            _, self.mark = min(distances, key=lambda pair: (down > 0 and pair[1] in self.words, pair[0]))
            self.mark = self.words[0] if down and self.mark in self.words else self.mark
        elif self.held:
            self.mark = spots[(spots.index(self.mark) + down + right) % len(spots)]
        elif right and self.mark in self.words:
            self.mark = self.words[0 if right > 0 else -1]

    def spot_at(self, row: int, column: int) -> Spot | None:
        """Return the Spot at a place on the board or, below the board, the Spot of the word there. A little free space
        beside it and the line above it, where its number stands, belong to it."""
        near = []
        for spot in self.words if row > self.board.height else self.board.spots:
            top, left, height, width = spot.cell
            distance = max(left - column, column - left - width + 1, 0)
            if top - 1 <= row < top + height and distance <= NEAR:
                near.append((row < top, distance, spot))
        return min(near)[2] if near else None

    # What is shown

    def targets(self) -> list[Spot]:
        """Return the Spots where the marked or held card may go."""
        ways = self.ways_of(self.held or self.mark)
        if self.tab_move:
            ways = [way for way in ways if way[0] == self.tab_move]
        return [dest for _, dest in ways if dest not in (self.mark, self.held)]

    def describe(self, enter: str = "", room: int = 999) -> list[tuple[str, str]]:
        """Return, in words, why a click did nothing, or what Enter and Space do now, each with the key it names, or "".
        enter: what Enter does if nothing is pointed at. room: the columns available; if there are too few, Space is
        left out."""
        if self.why:
            return [(self.why, "")]
        by_enter, by_space = (self.tell(self.meaning_of(key)) for key in (keys.ENTER, keys.SPACE))
        by_enter = by_enter or (enter if not self.points else "")
        named = [(f"Enter: {by_enter}", keys.ENTER)] * bool(by_enter)
        both = named + [(f"Space: {by_space}", keys.SPACE)] * bool(by_space)
        return both if len(BETWEEN.join(text for text, _ in both)) <= room or not named else named

    def tell(self, meant: Move | Spot | None) -> str:
        """Return in words what a key does. meant: see meaning_of."""
        if isinstance(meant, Spot):
            return meant.pile if meant in self.words else f"pick up {self.text_of(meant)}"
        if not meant:
            return ""
        layout = self.board.layout
        is_draw = meant == self.ways.draw and layout.cards.get("stock")  # or the waste is turned over
        return "draw" if is_draw else describe_move(layout.rules, layout.position, meant, MoveStyle.NAMES)
