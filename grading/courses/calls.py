"""What functions are asked: calls from positions of the same deals, by a game's contract."""

from __future__ import annotations

import random
import re
from collections import Counter, namedtuple
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from patience import Move, Pair, rules
from patience.effects import expected_effect, kind_of, pair_of
from patience.decks import Deal
from patience.game import Game
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

SHUFFLES = "shuffles what it deals"  # the group of initialize without a deck of ours
DEALS = 12  # that are played for positions,
STEPS = (0, 3, 6, 10, 30, 60)  # after this many moves each: the fewer, the less often a wrong move leads elsewhere
LONG, FEW = 20, 2  # of as many moves only a few deals
DRAWS = 40  # that are made in a row
EACH = 2  # calls of a kind
RED = (2, 3)  # suits
CARD = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]")


def deal_game(game_rules: Rules, number: int, pairs: list[Pair] | None = None) -> Game:
    """Return a Game with the default options. pairs: of the cards to deal, or None."""
    options = {option: choices[0] for option, choices in game_rules.OPTIONS.items()}
    return Game(Deal(game_rules, options, number, pairs))


def deck_of(game_rules: Rules, number: int) -> list[Pair]:
    """Return the cards of a deal with this number, in the order in which they are dealt: no shuffle of ours or of a
    submission decides about them."""
    pairs = list(game_rules.PACK)
    random.Random(number).shuffle(pairs)
    return pairs


def positions_of(game_rules: Rules) -> Iterator[Game]:
    """Yield Games at some positions of some deals, played at random, those behind few moves first. The same Games are
    played on."""
    chance = random.Random(1)
    games = [deal_game(game_rules, deal, deck_of(game_rules, deal)) for deal in range(DEALS)]
    for steps in STEPS:
        for game in games[: FEW if steps >= LONG else DEALS]:
            while len(game.moves) < steps and not game.outcome() and (legal := game.legal_moves()):
                game.perform(chance.choice(legal[:3]))
            if len(game.moves) == steps:
                yield game


def group_of(reason: str) -> str:
    """Return a reason without what is only of one case: cards and numbers."""
    return re.sub(r"\d+", "N", CARD.sub("_", reason))


def draws(game_rules: Rules) -> Iterator[Call]:
    """Yield Calls of move that draw in a row, through the stock and on; none in a game without a stock."""
    game, draw = deal_game(game_rules, DEALS, deck_of(game_rules, DEALS)), (game_rules.DRAW_WORD,)
    while draw[0] in rules.forms(game_rules.COMMANDS) and len(game.moves) < DRAWS and not game.outcome():
        about = about_move(game, draw)
        yield Call("move", **about)
        if not about["side"]:
            return
        game.perform(draw)


def about_move(game: Game, move: Move) -> dict[str, Any]:
    """Return what a Call says of a move: where it is asked, whether it is allowed, and why."""
    reason = game.rules.refusal(game.position, *move)
    return {
        "deal": game.deal.number,
        "moves": tuple(game.moves),
        "arguments": move,
        "side": not reason,
        "group": group_of(reason) if reason else f"{move[0]} is allowed",
        "reason": reason or describe_allowed(game, move),
    }


def contract_calls(game_rules: Rules) -> list[Call]:
    """Return the Calls for a game by its contract."""
    calls, counts = [], Counter()
    with preserve_random_state():
        for game in positions_of(game_rules):
            here = {"deal": game.deal.number, "moves": tuple(game.moves)}
            calls.append(Call("display", **here, group="shows the board"))
            calls.append(Call("check_win", **here, side=False, group="the game is not won"))
            for move in moves_to_ask(game):
                about = about_move(game, move)
                near = how_many(game, move) if about["side"] else how_near(game, about["reason"])
                kind = move[0], about["group"], len(move), 0 in move, near
                counts[kind] += 1
                if counts[kind] <= EACH * (2 if about["side"] else 1):
                    calls += [Call(name, **about) for name in ("validate_move", "move")]
        calls += [Call("initialize", deal=deal, seed=deal, group="deals as the rules say") for deal in range(DEALS)]
        calls += [Call("initialize", seed=seed, group=SHUFFLES) for seed in (7, 8)]
        calls += [*draws(game_rules), *won_calls(game_rules)]
    return calls


def moves_to_ask(game: Game) -> list[Move]:
    """Return moves of a game, legal or not, the legal ones first, and these with a number that is 0."""
    legal = game.rules.legal_moves(game.position)
    zeros = [(*move[:place], 0, *move[place + 1 :]) for move in legal for place in range(1, len(move))]
    every = rules.every_move(game.rules, *sizes(game.position))
    return [move for move in dict.fromkeys([*legal, *zeros, *every]) if move[0] not in game.rules.VIEWS]


def how_near(game: Game, reason: str) -> Any:
    """Return how near the two cards that a refusal names are to each other, or if it names one, how near this is to the
    last cards of piles: a wrong rule takes only some of them."""
    pairs = list(filter(None, (card_of(word.strip(",.:;()")) for word in reason.split() if word != "as")))
    if len(pairs) == 2:
        return distance(*pairs)
    if len(pairs) != 1:
        return None
    ends = [(kind_of(name), pair_of(pile[-1])) for name, pile, _ in game.rules.piles(game.position) if pile]
    near = {(kind, distance(pairs[0], end)) for kind, end in ends if abs(pairs[0][0] - end[0]) == 1}
    return frozenset(near), min(pairs[0][0], 3)


def distance(pair: Pair, other: Pair) -> tuple[int, bool, bool]:
    """Return how many ranks two cards are apart, 2 at most, and whether they have the same suit, and colour."""
    (rank, suit), (other_rank, other_suit) = pair, other
    return max(-2, min(rank - other_rank, 2)), suit == other_suit, (suit in RED) == (other_suit in RED)


def how_many(game: Game, move: Move) -> int:
    """Return how many cards a legal move moves, 3 at most."""
    return min(3, len(expected_effect(game.rules, game.position, move).moved))


def describe_allowed(game: Game, move: Move) -> str:
    """Return what a legal move does, as the reason why it is allowed."""
    return f"it is allowed: {tidy(game.rules.describe(game.position, *move))}"


def won_calls(game_rules: Rules) -> list[Call]:
    """Return Calls of check_win at the end of a game that is won, and one move before."""
    from patience.analysis import solve

    for number in range(40):
        game = deal_game(game_rules, number, deck_of(game_rules, number))
        answer = solve.solve(game, None, 5_000)
        if answer.verdict == solve.WON:
            moves = tuple(answer.moves)
            won = Call("check_win", deal=number, moves=moves, side=True, group="the game is won")
            return [won, won._replace(moves=moves[:-1], side=False, group="one move is missing")]
    return []
