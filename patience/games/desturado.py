"""What the table knows about Desturado beyond its rules: the names of its piles, which moves help, and their
descriptions."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import desturado
from patience.arrangement import RIGHT, Line
from patience.rules import Rules

if TYPE_CHECKING:
    from patience import Move, Pile, Position


class Worth(IntEnum):
    """What a move is good for, most useful first."""

    JOINS_HAND = 0  # moves a stack from the board onto one in the hand
    TURNS_UP = 1  # a face-down card, by a move on the board
    FREES_SPACE = 2  # in the hand
    JOINS_BOARD = 3
    FILLS_SPACE = 4


def worth(game: Position, word: str, *numbers: int) -> Any:
    """Return a sort key for a move: its Worth, then how much higher the card it lands on is."""
    source, dest = desturado.ends_of(game, word, *numbers)
    stack = desturado.stack_of(source)
    gap = dest[-1].value() - stack[0].value() if dest else desturado.TEN
    if word == "HH":
        return Worth.FREES_SPACE, gap
    if word == "BH":
        return (Worth.JOINS_HAND if dest else Worth.FILLS_SPACE), gap
    return (Worth.TURNS_UP if len(source) > len(stack) else Worth.JOINS_BOARD), gap


class Desturado(Rules):
    """Desturado at the table; game is a position."""

    ARRANGEMENT = (
        Line("column", (0, 0), RIGHT, reach=4, heading="Columns"),
        Line("hand space", (0, 4), RIGHT, reach=6, heading="Hand"),
    )

    def piles(self, game: Position) -> list[Pile]:
        """Return the columns and the hand spaces as (name, cards, None); None because all face-up cards can be seen."""
        columns = [(f"column {number}", column, None) for number, column in enumerate(game.board, start=1)]
        return columns + [(f"hand space {number}", space, None) for number, space in enumerate(game.hand, start=1)]

    def status(self, game: Position) -> list[str]:
        """Return facts about the game's progress."""
        return [f"{sum(map(len, game.board))} on the board"]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed and gains something, most useful first."""
        return sorted(desturado.gaining_moves(game), key=lambda chosen: worth(game, *chosen))

    def describe(self, game: Position, word: str, *numbers: int) -> str:
        """Describe what a legal move does: `6♣ onto 7♣ in the hand`, `6♣ to the empty column 3`."""
        source, dest = desturado.ends_of(game, word, *numbers)
        first = desturado.stack_of(source)[0]
        if not dest:
            return f"{first} to the empty {desturado.name_of(word[1], numbers[1])}"
        return f"{first} onto {dest[-1]}{' in the hand' if word[1] == 'H' else ''}"

    def reason(self, game: Position, word: str, *numbers: int) -> str:
        """Return in a few words what a legal move achieves, or ""."""
        source, _ = desturado.ends_of(game, word, *numbers)
        if len(source) > len(desturado.stack_of(source)):
            return f"turns up a card in column {numbers[0]}"
        return f"{'frees' if word == 'HH' else 'empties'} {desturado.name_of(word[0], numbers[0])}"

    def display_narrow(self, game: Position) -> None:
        """Print the same board in fewer columns."""
        desturado.print_board(game, desturado.RULE_NARROW, desturado.CARDS_A_LINE_NARROW)
