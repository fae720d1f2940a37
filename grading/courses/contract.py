"""A Course: how one game is graded. The defaults are for a game that follows docs/contract.md."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from grading.courses import answers, calls
from grading.courses.mirror import Mirror
from patience import rules
from patience.game import Game
from patience.text import capture_display
from solvers.positions import preserve_random_state

if TYPE_CHECKING:
    from grading.courses.calls import Call
    from grading.courses.session import Session
    from patience import Move, Pair

BOARDS = 150  # how many of our boards are examined
NEAR = 20  # moves that are nearly legal
PRINTED = "prints its answer instead of returning it"
OTHER_ORDER = "deals the cards in a different order"
SHARE_OF_FUNCTIONS = 0.71  # of all points: 39 of 55, as in Montana's handout


class Course:
    """How a game is graded."""

    functions: Sequence[str] = ()  # for an assignment with a main(): its functions, in case a file has only these
    no_position = "leaves no position that can be shown"
    worth: dict[str, float] = {
        OTHER_ORDER: 1 / 2,
        PRINTED: 1 / 2,
    }  # what is wrong with an answer -> how much it is still worth
    shuffles: Sequence[str] = ()  # lines that shuffle as often as the game allows, and once more

    def __init__(self, name: str) -> None:
        """name: the game's."""
        self.rules = rules.load(name)

    @functools.cached_property
    def is_upright(self) -> bool:
        """True if the piles of our boards stand upright."""
        with preserve_random_state():
            games = itertools.islice(calls.positions_of(self.rules), BOARDS)
            return answers.has_upright_piles(capture_display(self.rules.display, game.position) for game in games)

    @property
    def prompt(self) -> str:
        """The text that asks for a command."""
        return self.rules.PROMPT

    def main(self) -> bytes:
        """Return a program that plays a module with only functions; empty if our frame plays it."""
        return b""

    def calls(self) -> list[Call]:
        """Return the calls for the functions."""
        return calls.contract_calls(self.rules)

    def shares(self, functions: Sequence[str], sessions: Sequence[str]) -> dict[str, float]:
        """Return the shares of functions and sessions, by name: all functions have equal shares, and so do all
        sessions."""
        shares = {name: SHARE_OF_FUNCTIONS / len(functions) for name in functions}
        return shares | {name: (1 - SHARE_OF_FUNCTIONS) / len(sessions) for name in sessions}

    # Sessions

    def mirror(self, session: Session) -> Mirror:
        """Return our game, into which the lines of a session are typed."""
        return Mirror(session, self.shows_same_board)

    def shows_same_board(self, text: str, other: str) -> bool:
        """Return True if text shows the same board as other, which is ours, in any layout."""
        return answers.is_same_board(text, other) or answers.shows_same_piles(text, other, self.is_upright)

    def lay(self, session: Session, opening: str, deal: Callable[[list[Pair]], str]) -> list[Pair] | None:
        """If the program dealt the session's deck into a different board, return a deck from which it deals the
        session's board; or None. opening: what the program printed. deal(deck): returns what it prints for another
        deck."""
        game = Game(session.deal)
        decks = [way(game) for way in calls.OTHER_WAYS] if game.deal.cards else []
        return next((deck for deck in decks if self.shows_same_board(deal(deck), session.answers[0])), None)

    def boards(self, session: Session) -> list[Any]:
        """Return the boards of a session's games, as rows of (rank, suit), which a program's initialize can be made to
        return; [] if a position consists of more than its rows."""
        return []

    def deck_after(self, session: Session, number: int) -> list[Pair] | None:
        """Return a deck that, when dealt, gives the right board after a command, so that the rest of the session can be
        played from there; or None. number: the command's, from 1."""
        return None

    # Functions

    def shows_as_well(self, text: str, other: str) -> bool:
        """Return True if text shows the same board as our text, but in its own layout. This is allowed, because no
        document prescribes a layout."""
        return answers.is_own_layout(text, other) and answers.shows_same_piles(text, other, self.is_upright)

    def is_same(self, position: Any, right: Any, may_be_open: bool = False) -> bool:
        """Return True if two positions, as the box showed them, are the same, whatever else is around the board.
        may_be_open: cards that are face down in the right one may be shown."""
        if position == right or not isinstance(position, str):
            return position == right
        same = answers.is_same_layout(position, right)
        return same or answers.shows_same_piles(position, right, self.is_upright, may_be_open)

    def own_fault(self, call: Call, answer: dict[str, Any]) -> str | None:
        """Return what is wrong with an answer that cannot be compared with the reference's, or ""; None for any other
        answer. Any deal of a shuffled deck is right."""
        return "" if call.group == calls.SHUFFLES and answer["position"] else None

    def fault_in_deal(self, right: Any, dealt: Any) -> str:
        """Return what is wrong with a wrong deal, such as cards in other places."""
        counts = [len(answers.CELL.findall(text)) if isinstance(text, str) else 0 for text in (right, dealt)]
        return OTHER_ORDER if counts[0] == counts[1] else "returned a different deal"

    def where_it_differs(self, right: Any, position: Any) -> str:
        """Return where a wrong position first differs from the right one, after a colon; or ""."""
        return ""

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
        for move in calls.moves_to_ask(game):
            if reason := self.rules.refusal(game.position, *move):
                kind = move[0], calls.group_of(reason), calls.how_near(game, reason)
                kinds.setdefault(kind, []).append(move)
        order = sorted(kinds, key=lambda kind: (not is_one_apart(kind[-1]), chance.random()))
        return [chance.choice(kinds[kind]) for kind in order[:NEAR]]


def is_one_apart(near: Any) -> bool:
    """Return True if how_near has found a card one rank apart from another."""
    rank_apart, *_ = near or [None]
    return rank_apart in (-1, 1) or isinstance(rank_apart, frozenset) and bool(rank_apart)
