"""How Montana's assignment is graded: six functions, on plain lists of rows. Any legal shuffle is right, and so are
both readings of what the handout says about a 2 beside an ace. A module without a main() gets ours."""

from __future__ import annotations

import ast
import functools
import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import montana
from patience.grading.courses.course import NEAR, Course
from patience.grading.courses.montana.function_rules import WAYS, rules_of
from patience.grading.courses.montana.reference_game import ReferenceGame
from patience.games.montana_faults import swap
from patience.game import Game

if TYPE_CHECKING:
    from patience.grading.courses.function_calls import Rule
    from patience.grading.courses.script import Session
    from patience import Move, Pair

OUT_OF_RANGE = ("0 1 1 1", "5 1 1 1", "1 14 1 1", "1 1 4 0", "1 1 1 99")
POINTS = {"initialize": 7, "validate_move": 8, "move": 8, "check_win": 8, "shuffle_tableau": 8}  # of the handout
TESTS = {"montana-course1": 6, "montana-course2": 6, "montana-course3": 4}
EACH_TEST = 16 / 3  # of any other session


class Montana(Course):
    """The assignment."""

    first = ("validate_move",)
    ways = WAYS
    shuffles = ("S", "s", "s")
    prompt = montana.PROMPT

    def function_rules(self, seed: int) -> Sequence[Rule]:
        """Return the rules of the five functions that earn points; display is given."""
        return rules_of(seed)

    def source(self, functions: Sequence[str]) -> str:
        """Return a program with our own functions of these names, and what they need."""
        return source_of((*functions,))

    def shares(self, functions: Sequence[str], sessions: Sequence[str]) -> dict[str, float]:
        """Return what functions and sessions are worth in the handout."""
        shares = {name: POINTS.get(name.removesuffix("()"), 0) for name in functions}
        tests = {name: TESTS.get(name, EACH_TEST) for name in sessions}
        return shares | {name: sum(TESTS.values()) * share / sum(tests.values()) for name, share in tests.items()}

    def reference(self, session: Session) -> ReferenceGame:
        """Return the assignment's own main(), into which the lines of a session are typed."""
        return ReferenceGame(session)

    def shows_wins(self, game: Game, moves: Sequence[Move]) -> bool:
        """Return True if a win exposes a check_win that looks only at the first row, because that row is the first to
        be in order."""
        playing = Game(game.deal)
        for move in moves[:-1]:
            playing.perform(move)
            if montana.sequence_length(playing.position[0]) == montana.COLUMNS - 1:
                return True
        return False

    def nearly_won(self, chance: random.Random) -> tuple[list[Pair], Move]:
        """Return a deck, and the move after which all cards are in order by rank, but with two suits mixed."""
        suits = chance.sample(range(1, 5), montana.ROWS)
        rows: Any = [[(rank, suit) for rank in [*range(2, 14), montana.BLANK]] for suit in suits]
        first, second, last = chance.sample(range(montana.ROWS), 3)
        column = chance.randrange(montana.COLUMNS - 3)
        rows = swap(rows, (first, column), (second, column))
        king, blank = (last, montana.COLUMNS - 2), (last, montana.COLUMNS - 1)
        rows = swap(rows, king, blank)
        return [*itertools.chain(*rows)], ("", *(number + 1 for number in (*blank, *king)))

    def out_of_range(self) -> Sequence[str]:
        """Return lines with numbers that no row or column has."""
        return OUT_OF_RANGE

    def near_misses(self, game: Game, chance: random.Random) -> list[Move]:
        """Return moves of a card with the right rank for a place, or the right suit, but not both."""
        refused = [move for move in near_misses(game) if self.rules.refusal(game.position, *move)]
        return chance.sample(refused, min(len(refused), NEAR))


# Sessions


@functools.cache
def source_of(names: tuple[str, ...]) -> str:
    """Return functions of our module and everything that they need from it."""
    body = ast.parse(Path(montana.__file__).read_bytes()).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    needed, waiting = [], [*names]
    for name in waiting:
        if name in functions and name not in needed:
            needed.append(name)
            waiting += [node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)]
    kept = [node for node in body if isinstance(node, (ast.Assign, ast.Import))] + [functions[name] for name in needed]
    return "\n".join(map(ast.unparse, kept))


def near_misses(game: Game) -> Iterator[Move]:
    """Yield moves of a card with the right rank for a place, or the right suit, but not both."""
    pairs = {(row, column): card for row, cards in enumerate(game.position) for column, card in enumerate(cards)}
    for (row, column), card in pairs.items():
        left = pairs.get((row, column - 1))
        if card.rank() == montana.BLANK and left and left.rank() > montana.BLANK:
            for source, other in pairs.items():
                if other.rank() > montana.TWO and (other.rank() == left.rank() + 1) != (other.suit() == left.suit()):
                    yield "", source[0] + 1, source[1] + 1, row + 1, column + 1
