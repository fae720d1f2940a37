"""What the table knows about Quadzilla beyond its rules: what is hidden, which moves help, and their descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import quadzilla
from patience.arrangement import RIGHT, Line
from patience.rules import Rules

if TYPE_CHECKING:
    from cards import Card
    from patience import Move, Position


def worth(game: Position, word: str, *numbers: int) -> Any:
    """Return a sort key for a move: whether it loses, the number of clears it makes (negated), and the number of breaks
    it leaves."""
    trial = quadzilla.Game(
        shoe=[],
        columns=[list(column) for column in game.columns],
        discard=[],
        rank=game.rank,
        difficulty=game.difficulty,
        moves_left=1,
    )
    clears = quadzilla.move_group(trial, *numbers) if word == "M" else []
    return bool(trial.lost), -len(clears), breaks(trial)


def breaks(game: Position) -> int:
    """Return how many cards lie on a card of another suit; the Quadzilla cards count as one suit."""
    count = 0
    for column in game.columns:
        suits = ["Quadzilla" if card.rank() == game.rank else card.suit() for card in column]
        for place in range(1, len(suits)):
            if suits[place] != suits[place - 1]:
                count += 1
    return count


def count_of(source: int, dest: int, count: int = 1) -> int:
    """Return how many cards the command M moves: the number given, or 1."""
    return count


def describe_group(game: Position, source: int, dest: int, count: int = 1) -> str:
    """Describe a move of the last count cards from one column to another."""
    first, onto = game.columns[source - 1][-count], game.columns[dest - 1]
    text = f"{first} onto {onto[-1]}" if onto else f"{first} to the empty column {dest}"
    return text if count == 1 else f"{text} ({count} cards)"


class Quadzilla(Rules):
    """Quadzilla at the table; game is a position."""

    DRAW_WORD = "D"
    BOARD_HAS_STATUS = True
    ARRANGEMENT = (
        Line("column", (0, 1.5), RIGHT, reach=8.5, heading="Columns"),
        Line("shoe", (0, 0)),
        Line("discard", (1, 0)),
    )

    def special(self, game: Position) -> list[Card]:
        """Return the cards that stand out on the board: the Quadzilla cards."""
        return [card for column in game.columns for card in column if card.rank() == game.rank]

    def hidden(self, game: Position) -> list[tuple[list[Card], int]]:
        """Return the places, as (list, index), of the cards that the player cannot know: the whole shoe."""
        return [(game.shoe, place) for place in range(len(game.shoe))]

    def status(self, game: Position) -> list[str]:
        """Return facts about the game's progress."""
        moves = f"{game.moves_left} move{'' if game.moves_left == 1 else 's'} left"
        return [f"turn {game.turn} of {quadzilla.TURNS}", moves, f"Quadzilla {quadzilla.RANKS[game.rank - 1]}"]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed: those that clear or join a suit come first, those that lose come last."""
        if quadzilla.check_win(game) or quadzilla.check_loss(game):
            return []
        return sorted([("D",), *quadzilla.group_moves(game)], key=lambda chosen: worth(game, *chosen))

    def describe(self, game: Position, word: str, *numbers: int) -> str:
        """Describe what a legal move does: `9♦ onto 9♠`, `9♦ onto 5♦ (2 cards)`, `end the turn`."""
        return "end the turn" if word == "D" else describe_group(game, *numbers)

    def confirmation(self, game: Position, word: str, *numbers: int) -> str:
        """Return a question to ask before D if something could have been moved in the turn but nothing was; otherwise
        ""."""
        is_unused = word == "D" and not game.moved and quadzilla.group_moves(game)
        return "You have moved nothing in this turn. End it" if is_unused else ""

    def moved_card(self, game: Position, word: str, *numbers: int) -> tuple[Card, Any] | None:
        """Return the first card that a legal move takes, and the card or empty column it goes to. A clear or the next
        deal may remove both at once. Return None if the move takes no card."""
        if word != "M":
            return None
        source, onto = (game.columns[number - 1] for number in numbers[:2])
        return source[-count_of(*numbers)], onto[-1] if onto else onto

    def reason(self, game: Position, word: str, *numbers: int) -> str:
        """Return in a few words what a legal move achieves, or ""."""
        loses, minus_clears, breaks_after = worth(game, word, *numbers)
        if loses:
            return "clears a Quadzilla card, and loses"
        if minus_clears:
            return f"clears {-minus_clears * quadzilla.FOUR} cards"
        if word == "D":
            return ""
        if game.columns[numbers[1] - 1] and breaks_after < breaks(game):
            return "brings cards of a suit together"
        source = game.columns[numbers[0] - 1]
        count = count_of(*numbers)
        if count == len(source):
            return f"leaves column {numbers[0]} empty"
        return f"uncovers the {source[-count - 1]}"

    def display_narrow(self, game: Position) -> None:
        """Print the same board in fewer columns."""
        quadzilla.print_board(game, quadzilla.SHOWN_NARROW, "\n", quadzilla.RULE_NARROW)
