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
from patience.grading.courses.other_program import AGAIN, MOVE, OPENING, REFUSED, SHUFFLE, WIN
from patience.grading.courses.function_calls import SHUFFLES, Call, Rows
from patience.grading.courses.course import NEAR, Course
from patience.grading.courses.montana.calls import calls
from patience.grading.courses.montana.reference_game import ReferenceGame, is_same_board, tableau_in
from patience.games import montana_faults as faults
from patience.games.montana_faults import swap
from patience.game import Game

if TYPE_CHECKING:
    from patience.grading.courses.script import Session
    from patience import Move, Pair

OUT_OF_RANGE = ("0 1 1 1", "5 1 1 1", "1 14 1 1", "1 1 4 0", "1 1 1 99")
RETURNED = "returns a shuffled tableau, and leaves the given one as it was"
POINTS = {"initialize": 7, "validate_move": 8, "move": 8, "check_win": 8, "shuffle_tableau": 8}  # of the handout
TESTS = {"montana-course1": 6, "montana-course2": 6, "montana-course3": 4}
EACH_TEST = 16 / 3  # of any other session


class Montana(Course):
    """The assignment."""

    functions = ("initialize", "display", "validate_move", "move", "check_win", "shuffle_tableau")
    no_position = faults.NO_TABLEAU
    worth = {
        **Course.worth,
        faults.MOVES_SEQUENCE: 1 / 3,
        faults.LOSES: 1 / 3,
        faults.NO_BLANK: 2 / 3,
        RETURNED: 1 / 2,
        faults.NOT_SHUFFLED: 1 / 2,
        faults.BY_COLUMNS: 1 / 2,
    }
    shuffles = ("S", "s", "s")
    prompt = montana.PROMPT

    def main(self) -> bytes:
        """Return our main() and everything it calls except the rules, which come from the module."""
        return main_alone(self.functions)

    def calls(self) -> list[Call]:
        """Return the calls for the six functions."""
        return calls()

    def shares(self, functions: Sequence[str], sessions: Sequence[str]) -> dict[str, float]:
        """Return what functions and sessions are worth in the handout."""
        shares = {name: POINTS.get(name.removesuffix("()"), 0) for name in functions}
        tests = {name: TESTS.get(name, EACH_TEST) for name in sessions}
        return shares | {name: sum(TESTS.values()) * share / sum(tests.values()) for name, share in tests.items()}

    def reference(self, session: Session) -> ReferenceGame:
        """Return the assignment's own main(), into which the lines of a session are typed."""
        return ReferenceGame(session)

    def shows_same_board(self, text: str, other: str) -> bool:
        """Return True if two texts show the same tableau."""
        return is_same_board(text, other)

    def boards(self, session: Session) -> list[Any]:
        """Return the tableaus of a session's games, rows of (rank, suit)."""
        begun = [answer for kind, answer in zip(session.kinds, session.answers) if kind in (OPENING, AGAIN)]
        return [*filter(None, map(tableau_in, begun))]

    def deck_after(self, session: Session, number: int) -> list[Pair] | None:
        """Return a deck that, when dealt, gives the right board after a command, unless a shuffle was used before it or
        another game follows."""
        before, behind = session.kinds[: number + 1], session.kinds[number + 1 :]
        if SHUFFLE in before or not {MOVE, REFUSED, WIN} & {*behind}:
            return None
        if AGAIN in session.kinds or before[-1] not in (MOVE, REFUSED):
            return None
        boards = [tableau for tableau in map(tableau_in, session.answers[: number + 1]) if tableau]
        return [(rank, suit) for rank, suit in itertools.chain(*boards[-1])] if boards else None

    def is_same(self, position: Any, right: Any) -> bool:
        """Return True if two tableaus, rows of (rank, suit), are the same."""
        return bool(faults.canonical(position) == faults.canonical(right))

    def own_fault(self, call: Call, answer: dict[str, Any]) -> str | None:
        """Return what is wrong with the answer of shuffle_tableau, or with a deal that the module shuffles itself, or
        ""; None for any other call."""
        if call.group == SHUFFLES and answer["position"]:
            return faults.fault_in_cards(answer["position"])
        if call.function != "shuffle_tableau":
            return None
        before = call.rows or []
        fault = faults.fault_in_shuffle(before, answer["position"])
        if fault == faults.NOT_CHANGED and not faults.fault_in_shuffle(before, answer.get("returned", before)):
            return RETURNED
        return fault

    def fault_in_deal(self, right: Rows, dealt: Any) -> str:
        """Return what is wrong with the rows of a deal."""
        return faults.fault_in_deal(right, dealt)

    def where_it_differs(self, right: Rows, position: Any) -> str:
        """Return the first place of a tableau that is wrong."""
        return faults.where_it_differs(right, position)

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
def main_alone(left_out: tuple[str, ...]) -> bytes:
    """Return a program: our module's main() and everything it needs from that module, except these functions, which
    another module has."""
    body = ast.parse(Path(montana.__file__).read_bytes()).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    needed, waiting = [], ["main"]
    for name in waiting:
        if name in functions and name not in (*left_out, *needed):
            needed.append(name)
            waiting += [node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)]
    kept = [node for node in body if isinstance(node, ast.Assign)] + [functions[name] for name in needed]
    lines = [f"from montana import {', '.join(left_out)}", *map(ast.unparse, kept), "main()", ""]
    return "\n".join(lines).encode()


def near_misses(game: Game) -> Iterator[Move]:
    """Yield moves of a card with the right rank for a place, or the right suit, but not both."""
    pairs = {(row, column): card for row, cards in enumerate(game.position) for column, card in enumerate(cards)}
    for (row, column), card in pairs.items():
        left = pairs.get((row, column - 1))
        if card.rank() == montana.BLANK and left and left.rank() > montana.BLANK:
            for source, other in pairs.items():
                if other.rank() > montana.TWO and (other.rank() == left.rank() + 1) != (other.suit() == left.suit()):
                    yield "", source[0] + 1, source[1] + 1, row + 1, column + 1
