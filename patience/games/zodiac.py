"""What the table knows about Zodiac beyond its rules: what is hidden, which moves help, and their descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import zodiac
from patience.arrangement import Line
from patience.rules import Rules

if TYPE_CHECKING:
    from cards import Card
    from patience import Move, Pile, Position


def legal_in_phase_2(game: Position) -> list[Move]:
    """Return every legal move of phase 2, those that leave no choice first."""
    forced = zodiac.forced_moves(game)
    choices = [chosen for chosen in zodiac.moves_up(game) if chosen not in forced]
    return [*forced, ("A",), *choices] if forced else choices


class Zodiac(Rules):
    """Zodiac at the table; game is a position."""

    DRAW_WORD = "D"
    ARRANGEMENT = (  # a ring of piles around the Equator and the foundations
        Line("pile", (0, 0), most=10),
        Line("pile", (1, 9), toward=(1, 0), most=2),
        Line("pile", (3, 9), toward=(0, -1), most=10),
        Line("pile", (2, 0), toward=(-1, 0), most=2),
        Line("Equator cell", (1, 1), letter="e"),
        Line("foundation", (2, 1), takes="A"),
        Line("stock", (1, 10.25)),
        Line("waste", (2, 10.25), reach=1.15),  # room for its number
    )

    def hidden(self, game: Position) -> list[tuple[list[Card], int]]:
        """Return the places, as (list, index), of the cards the player cannot know: the stock cards that have never
        been turned."""
        return [(game.stock, place) for place in range(game.unseen)]

    def piles(self, game: Position) -> list[Pile]:
        """Return the piles in reading order: (name, cards, how many of the last ones can be seen)."""
        cells = [(f"Equator cell {number}", cell, 1) for number, cell in enumerate(game.equator, start=1)]
        zodiac = [(f"pile {number}", pile, 1) for number, pile in enumerate(game.zodiac, start=1)]
        foundations = [(f"foundation {number}", pile, 1) for number, pile in enumerate(game.foundations, start=1)]
        return [*zodiac, *cells, ("stock", game.stock, 0), ("waste", game.waste, 1), *foundations]

    def status(self, game: Position) -> list[str]:
        """Return facts about the game's progress."""
        if zodiac.phase(game) == 1:
            return ["phase 1", f"{len(game.stock) + len(game.waste)} left"]
        return [f"{sum(map(len, game.foundations))} of {len(zodiac.PACK)} up"]

    def legal_moves(self, game: Position) -> list[Move]:
        """Return every move that is allowed and gains something, most useful first. Filling a cell comes late, because
        only building empties it again; but it comes before turning the stock if no card in the stock or the waste can
        be built. A player can tell which cards are in the stock and the waste, because all the others are visible."""
        if zodiac.phase(game) == 2:
            return legal_in_phase_2(game)
        onto_zodiac: list[Move] = []
        for z, pile in enumerate(game.zodiac, start=1):
            if game.waste and zodiac.can_build(game.waste[-1], pile):
                onto_zodiac.append(("WZ", z))
            cells = [(e, cell[-1]) for e, cell in enumerate(game.equator, start=1) if cell]
            onto_zodiac += [("EZ", e, z) for e, card in cells if zodiac.can_build(card, pile)]
        empty = [("WE", e) for e, cell in enumerate(game.equator, start=1) if game.waste and not cell]
        into_equator = [("WE",), *empty[1:]] if empty else []
        only_card_is_up = not game.stock and len(game.waste) == 1
        if only_card_is_up or not zodiac.any_builds(game, game.stock + game.waste):
            return [*onto_zodiac, *into_equator, ("D",)]
        return [*onto_zodiac, ("D",), *into_equator]

    def describe(self, game: Position, word: str, *numbers: int) -> str:
        """Describe what a legal move does: `9♦ from the waste onto 8♦ of pile 4`, `turn a card`."""
        if word == "D" and numbers:
            return f"turn cards until one fits, up to {numbers[0]}"
        if word == "D":
            return "turn a card" if game.stock else "turn the waste over"
        if word == "A":
            return "play on to the foundations"
        source, dest = zodiac.ends_of(game, word, *numbers)
        text = f"{source[-1]} from {zodiac.source_name(word, *numbers)}"
        if word[1] == "F":
            return f"{text} to a foundation"
        if word == "WE":
            number = numbers[0] if numbers else game.equator.index([]) + 1
            return f"{text} into {zodiac.name_of('cell', number)}"
        return f"{text} onto {dest[-1]} of {zodiac.name_of('pile', numbers[-1])}"

    def reason(self, game: Position, word: str, *numbers: int) -> str:
        """Return in a few words what a legal move achieves, or ""."""
        if word in ("D", "A"):
            return ""
        source, _ = zodiac.ends_of(game, word, *numbers)
        if word[0] == "E":
            return f"empties cell {numbers[0]}"
        return f"uncovers {source[-2]}" if len(source) > 1 else ""

    def display_narrow(self, game: Position) -> None:
        """Print the same board in fewer columns, with the piles in rows, one below the other."""
        lines = [" " + zodiac.stock_line(game), " " + zodiac.foundations_line(game)]
        firsts = range(1, zodiac.CELLS, zodiac.NARROW_CELLS)
        lines += [zodiac.equator_row(game, first, zodiac.NARROW_CELLS) for first in firsts]
        for first in range(1, zodiac.PILES, zodiac.NARROW_PILES):
            lines += zodiac.row_of(game, range(first, first + zodiac.NARROW_PILES))
        print("\n".join(lines))
