"""What functions are asked: calls from positions of the same deals, by a game's contract."""

from __future__ import annotations

import random
import re
from collections import namedtuple
from collections.abc import Iterator
from typing import TYPE_CHECKING

from patience import Move, Pair, rules
from patience.game import Deal, Game
from patience.text import card_of, tidy
from solvers.positions import preserve_random_state, sizes

if TYPE_CHECKING:
    from patience.rules import Rules

# What is called: a function, on rows of (rank, suit), or behind moves of a deal, its number; or on nothing. group: what
# the feedback sorts it by. reason: why that is right, of this one. side: which of two answers is right.
Call = namedtuple(
    "Call",
    "function rows deal moves arguments seed group reason side",
    defaults=[None, None, None, (), 1, "", "", None],
)
Rows = list[list[Pair]]  # of a tableau: (rank, suit)

DEALS, STEPS = 3, 60  # that are played for positions, with so many moves each
POSITIONS = 4  # of each deal
EACH = 2  # calls of a kind
RED = (2, 3)  # suits
CARD = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]")


def deal_game(game_rules: Rules, number: int, pairs: list[Pair] | None = None) -> Game:
    """Return a Game with the default options. pairs: of the cards to deal, or None."""
    options = {option: choices[0] for option, choices in game_rules.OPTIONS.items()}
    return Game(Deal(game_rules, options, number, pairs))


def positions_of(game_rules: Rules) -> Iterator[Game]:
    """Yield Games at some positions of some deals, played at random. The same Game is played on after each."""
    chance = random.Random(1)
    for deal in range(DEALS):
        game = deal_game(game_rules, deal)
        for step in range(STEPS):
            if step % (STEPS // POSITIONS) == 0:
                yield game
            legal = game.legal_moves()
            if not legal or game.outcome():
                break
            game.perform(chance.choice(legal[:3]))


def group_of(reason: str) -> str:
    """Return a reason without what is only of one case: cards and numbers."""
    return re.sub(r"\d+", "N", CARD.sub("_", reason))


def contract_calls(game_rules: Rules) -> list[Call]:
    """Return the Calls for a game by its contract."""
    calls, counts = [], {}
    with preserve_random_state():
        for game in positions_of(game_rules):
            here = {"deal": game.deal.number, "moves": tuple(game.moves)}
            calls.append(Call("display", **here, group="shows the board"))
            calls.append(Call("check_win", **here, side=False, group="the game is not won"))
            every = rules.every_move(game_rules, *sizes(game.position))
            for move in [*game.rules.legal_moves(game.position), *every]:
                if move[0] in game_rules.VIEWS:
                    continue
                reason = game.rules.refusal(game.position, *move) or ""
                group = group_of(reason) if reason else f"{move[0]} is allowed"
                kind = move[0], group, len(move), how_near(reason)
                counts[kind] = counts.get(kind, 0) + 1
                if counts[kind] <= EACH * (1 if reason else 4):
                    asked = {**here, "arguments": move, "side": not reason, "group": group}
                    reason = reason or describe_allowed(game, move)
                    calls += [Call(name, reason=reason, **asked) for name in ("validate_move", "move")]
        calls += [Call("initialize", seed=deal, group="deals as the rules say") for deal in range(DEALS)]
        calls += won_calls(game_rules)
    return calls


def how_near(reason: str) -> tuple[int, bool, bool] | None:
    """Return how near the two cards that a refusal names are to each other: a wrong rule takes only some of them."""
    pairs = list(filter(None, (card_of(word.strip(",.:;()")) for word in reason.split() if word != "as")))
    if len(pairs) != 2:
        return None
    (rank, suit), (other_rank, other_suit) = pairs
    return max(-2, min(rank - other_rank, 2)), suit == other_suit, (suit in RED) == (other_suit in RED)


def describe_allowed(game: Game, move: Move) -> str:
    """Return what a legal move does, as the reason why it is allowed."""
    return f"it is allowed: {tidy(game.rules.describe(game.position, *move))}"


def won_calls(game_rules: Rules) -> list[Call]:
    """Return Calls of check_win at the end of a game that is won, and one move before."""
    from patience.analysis import solve

    for number in range(40):
        game = deal_game(game_rules, number)
        answer = solve.solve(game, None, 5_000)
        if answer.verdict == solve.WON:
            moves = tuple(answer.moves)
            won = Call("check_win", deal=number, moves=moves, side=True, group="the game is won")
            return [won, won._replace(moves=moves[:-1], side=False, group="one move is missing")]
    return []
