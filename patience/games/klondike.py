"""What the table knows about Klondike beyond its rules: what is hidden, which moves help, and their descriptions."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import klondike
from patience.arrangement import DOWN, RIGHT, Line
from patience.rules import Rules

if TYPE_CHECKING:
    from cards import Card
    from patience import Move, Position


class Worth(IntEnum):
    """What a move is good for, most useful first. A move that only shifts cards comes after drawing."""

    FOUNDS_SAFELY = 0  # no card will need this one in the tableau
    TURNS_UP = 1  # a face-down card
    EMPTIES = 2  # a column
    FOUNDS = 3
    PLAYS_WASTE = 4
    DRAWS = 5
    SHIFTS = 6  # part of a run
    COMES_BACK = 7  # from a foundation
    FOUNDS_ELSEWHERE = 8  # an ace, to a foundation other than the first empty one


def worth(game: Position, word: str, *numbers: int) -> Any:
    """Return how useful a legal move is, as a Worth."""
    if word in ("SW", "A", "FT"):
        return {"SW": Worth.DRAWS, "A": Worth.FOUNDS, "FT": Worth.COMES_BACK}[word]
    source, _ = klondike.ends_of(game, word, *numbers)
    uncovered = source[: -klondike.card_count(game, word, *numbers)]
    if klondike.names_foundation(word, *numbers):
        return Worth.FOUNDS_ELSEWHERE
    if word in ("TF", "WF") and is_safe(game, source[-1]):
        return Worth.FOUNDS_SAFELY
    if uncovered and not uncovered[-1].is_face_up():
        return Worth.TURNS_UP
    if word == "TT":
        return Worth.SHIFTS if uncovered else Worth.EMPTIES
    return Worth.PLAYS_WASTE if word == "WT" else Worth.FOUNDS


def is_safe(game: Position, card: Card) -> bool:
    """Return True if no card will need this one in the tableau: the cards of the other colour that are one rank lower
    are on the foundations, or are aces, which can always go there."""
    heights = {pile[0].suit(): len(pile) for pile in game.foundations if pile}
    other_suits = [suit for suit in klondike.SUITS if (suit in klondike.RED_SUITS) != klondike.is_red(card)]
    return card.rank() <= 2 or all(heights.get(suit, 0) >= card.rank() - 1 for suit in other_suits)


class Klondike(Rules):
    """Klondike at the table; game is a position."""

    DRAW_WORD = "SW"
    ARRANGEMENT = (
        Line("stock", (0, 0)),
        Line("waste", (0, 1), RIGHT, reach=2),
        Line("foundation", (0, 3), takes="A"),
        Line("column", (1, 0), DOWN, takes="K"),
    )

    def hidden(self, game: Position) -> list[tuple[list[Card], int]]:
        """Return the places, as (list, index), of the cards that the player cannot know: those face down in the
        tableau, and those in the stock that have not been seen."""
        places = [
            (column, place) for column in game.tableau for place, card in enumerate(column) if not card.is_face_up()
        ]
        return places + [(game.stock, place) for place in range(game.unseen)]

    def status(self, game: Position) -> list[str]:
        """Return facts about the game's progress."""
        up = f"{klondike.progress(game)} of {klondike.FOUNDATIONS * klondike.KING} up"
        return [up] if game.turns_over == math.inf else [up, f"redeals: {game.turns_over}"]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed and gains something, most useful first."""
        moves = klondike.gaining_moves(game)
        for word, *numbers in klondike.moves_up(game):
            source, first = klondike.ends_of(game, word, *numbers)
            for foundation_number, foundation in enumerate(game.foundations, start=1):
                # `is`, because two empty foundations are equal
                if foundation is not first and klondike.can_found(source[-1], foundation):
                    moves.append((word, *numbers, foundation_number))
        if klondike.moves_up(game):
            moves.append(("A",))
        if klondike.can_draw(game):
            moves.append(("SW",))
        return sorted(moves, key=lambda chosen: worth(game, *chosen))

    def describe(self, game: Position, word: str, *numbers: int) -> str:
        """Describe what a legal move does: `9♦ onto 10♠`, `A♥ to a foundation`, `turn 3 cards`."""
        if word == "A":
            return "play all cards that can go to the foundations"
        if word == "SW" and numbers:
            return f"draw until a card can be played, up to {numbers[0]} times"
        if word == "SW":
            count = min(game.draw, len(game.stock))
            return f"turn {count} card{'s' if count > 1 else ''}" if count else "turn the waste over"
        source, dest = klondike.ends_of(game, word, *numbers)
        card = source[-klondike.card_count(game, word, *numbers)]
        if word in ("TF", "WF"):
            return f"{card} to {klondike.foundation_name(word, *numbers)}"
        column = numbers[0] if word == "WT" else numbers[1]
        return f"{card} onto {dest[-1]}" if dest else f"{card} to the empty column {column}"

    def reason(self, game: Position, word: str, *numbers: int) -> str:
        """Return in a few words what a legal move achieves, or ""."""
        if word in ("SW", "A"):
            return ""
        source, _ = klondike.ends_of(game, word, *numbers)
        if word == "FT":
            starts = [klondike.face_up_cards(column)[0] for column in game.tableau if column]
            for card in game.waste[-1:] + starts:
                if klondike.can_build(card, source):  # the top card of the foundation will be the end of a column
                    return f"makes a place for {card}"
            return ""
        left = source[: -klondike.card_count(game, word, *numbers)]
        if left and not left[-1].is_face_up():
            return f"turns up a card in column {numbers[0]}"
        if left:
            return f"uncovers {left[-1]}"
        if source is game.waste:
            return ""
        if game.waste and game.waste[-1].rank() == klondike.KING:
            return f"makes room for {game.waste[-1]} from the waste"
        return f"empties column {numbers[0]}"
