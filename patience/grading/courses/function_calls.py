"""The form of a call to a function, of its answer, and of a rule; and moves of a game to ask about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from patience import Move, Pair, rules
from patience.decks import Deal
from patience.layout import kind_of, pair_of
from patience.game import Game
from patience.text import card_of
from patience.positions import sizes

if TYPE_CHECKING:
    from cards import Card
    from patience.grading.box.programs import Answer
    from patience.rules import Rules

Rows = Sequence[Sequence[Pair]]  # of a tableau: (rank, suit)


class Call(NamedTuple):
    """A call of a function: on rows, or without rows, to deal."""

    function: str
    rows: Optional[Rows] = None
    arguments: tuple[int, ...] = ()
    deck: Optional[tuple[Pair, ...]] = None  # that is dealt, or None for a deck of its own
    seed: int = 1


class Case(NamedTuple):
    """A call, and what is right."""

    call: Call
    right: Any


class Rule(NamedTuple):
    """A rule that a function keeps or does not."""

    function: str
    name: str
    cases: list[Case]
    fault: Callable[[Case, Answer], str]  # what is wrong with an answer, or ""
    weight: float = 1
    beside: Sequence[Case] = ()  # on the other side of the rule: one of them, too, is answered right
    is_form: bool = False  # it says nothing of what is right, and is kept only beside a rule that does
    is_way: bool = False  # it is not kept if the arguments have to be given in another way


RED = (2, 3)
CARD = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]")


def deal_game(game_rules: Rules, number: int, pairs: list[Pair] | None = None) -> Game:
    """Return a Game with the first choice of each option. pairs: the cards to deal, or None."""
    options = {option: choices[0] for option, choices in game_rules.OPTIONS.items()}
    return Game(Deal(game_rules, options, number, pairs))


def columns_of(game: Game) -> list[list[Card]]:
    """Return the columns of a game."""
    return [pile for name, pile, _ in game.rules.piles(game.position) if kind_of(name) == "column"]


def group_of(reason: str) -> str:
    """Return a reason without its cards and numbers, which differ from case to case."""
    return re.sub(r"\d+", "N", CARD.sub("_", reason))


def moves_to_ask(game: Game) -> list[Move]:
    """Return moves of a game: the legal ones first, then the same moves with a 0 in place of a number, then all
    others."""
    legal = game.rules.legal_moves(game.position)
    zeros = [(*move[:place], 0, *move[place + 1 :]) for move in legal for place in range(1, len(move))]
    every = rules.every_move(game.rules, *sizes(game.position))
    return [move for move in dict.fromkeys([*legal, *zeros, *every]) if move[0] not in game.rules.VIEWS]


def how_near(game: Game, reason: str) -> Any:
    """Return how close the two cards named in a refusal are or, if it names only one, how close that card is to the
    last cards of piles. This matters because a wrong rule allows only some of these moves."""
    pairs = list(filter(None, (card_of(word.strip(",.:;()")) for word in reason.split() if word != "as")))
    if len(pairs) == 2:
        return distance(*pairs)
    if len(pairs) != 1:
        return None
    ends = [(kind_of(name), pair_of(pile[-1])) for name, pile, _ in game.rules.piles(game.position) if pile]
    near = {(kind, distance(pairs[0], end)) for kind, end in ends if abs(pairs[0][0] - end[0]) == 1}
    return frozenset(near), min(pairs[0][0], 3)


def distance(pair: Pair, other: Pair) -> tuple[int, bool, bool]:
    """Return how many ranks apart two cards are, at most 2, whether they share a suit, and whether they share a
    colour."""
    (rank, suit), (other_rank, other_suit) = pair, other
    return max(-2, min(rank - other_rank, 2)), suit == other_suit, (suit in RED) == (other_suit in RED)
