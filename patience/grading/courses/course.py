"""A Course: how the sessions and functions of one game are graded. The defaults are for any game."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from patience.grading.courses import function_calls
from patience.grading.courses.other_program import OtherProgram
from patience import rules
from patience.game import Game

if TYPE_CHECKING:
    from patience.grading.courses.function_calls import Rule
    from patience.grading.courses.script import Session
    from patience import Move, Pair

NEAR = 20  # moves that are nearly legal


class Course:
    """How a game is graded."""

    first: Sequence[str] = ()  # those that others call: a wrong one is charged once, and ours takes its place
    ways: dict[str, Callable[..., Any]] = {}  # other ways to take arguments: a remark -> a function that converts ours
    shuffles: Sequence[str] = ()  # lines that shuffle as often as the game allows, and once more

    def __init__(self, name: str) -> None:
        """name: the game's."""
        self.rules = rules.load(name)

    @property
    def prompt(self) -> str:
        """The text that asks for a command."""
        return self.rules.PROMPT

    def function_rules(self, seed: int) -> Sequence[Rule]:
        """Return the rules of the functions. seed: decides the boards on which they are called."""
        return ()

    def source(self, functions: Sequence[str]) -> str:
        """Return a program with our own functions of these names, and what they need."""
        return ""

    def shares(self, functions: Sequence[str], sessions: Sequence[str]) -> dict[str, float]:
        """Return the shares of functions and sessions, by name."""
        return dict.fromkeys(sessions, 1.0)

    # Sessions

    def reference(self, session: Session) -> OtherProgram:
        """Return what decides which answers are right besides the session's own: nothing."""
        return OtherProgram()

    # New sessions

    def shows_wins(self, game: Game, moves: Sequence[Move]) -> bool:
        """Return True if a session with this win distinguishes a wrong check_win from a right one."""
        return True

    def nearly_won(self, chance: random.Random) -> tuple[list[Pair], Move] | None:
        """Return a deck, and a move after which the game looks won but is not; or None."""
        return None

    def out_of_range(self) -> Sequence[str]:
        """Return lines with numbers that no pile has."""
        known = rules.forms(self.rules.COMMANDS).values()
        return [" ".join([form.word, *["99"] * form.fewest]) for form in known if form.word and form.fewest][:5]

    def near_misses(self, game: Game, chance: random.Random) -> list[Move]:
        """Return moves that are refused but nearly legal: one for each kind of refusal, with cards one rank apart
        first."""
        kinds: dict[Any, list[Move]] = {}
        for move in function_calls.moves_to_ask(game):
            if reason := self.rules.refusal(game.position, *move):
                kind = move[0], function_calls.group_of(reason), function_calls.how_near(game, reason)
                kinds.setdefault(kind, []).append(move)
        order = sorted(kinds, key=lambda kind: (not is_one_apart(kind[-1]), chance.random()))
        return [chance.choice(kinds[kind]) for kind in order[:NEAR]]


def is_one_apart(near: Any) -> bool:
    """Return True if how_near has found a card one rank apart from another."""
    rank_apart, *_ = near or [None]
    return rank_apart in (-1, 1) or isinstance(rank_apart, frozenset) and bool(rank_apart)
