"""The calls to a game's functions according to its contract, from positions of the same deals."""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from patience import Move, Pair, rules
from patience.effects import effect_between, kind_of, pair_of, piles_by_name
from patience.decks import Deal
from patience.game import Game
from patience.text import card_of, tidy
from solvers.general import unknown_options
from solvers.positions import copy_of, preserve_random_state, sizes

if TYPE_CHECKING:
    from cards import Card
    from patience.rules import Rules

Rows = list[list[Pair]]  # of a tableau: (rank, suit)


class Call(NamedTuple):
    """A call of a function: on rows, on the position after moves of a deal, or without a position, to deal."""

    function: str
    rows: Any = None  # Rows, or None
    deal: Any = None  # its number, or None
    moves: Any = None  # a tuple of Moves, or None
    arguments: tuple[Any, ...] = ()
    seed: int = 1
    group: str = ""  # what the feedback sorts it by
    reason: str = ""  # why the answer is right
    side: Optional[bool] = None  # which of two answers is right
    dealt: str = ""  # what a student types for the deal


SHOULD_SHUFFLE = "it should shuffle the deck"
SHUFFLES = "shuffles what it deals"  # the group for calls of initialize without one of our decks
DEALS = 12  # that are asked for,
STEPS = {0: 40, 1: 40, 2: 40, 3: 12, 6: 12, 10: 12, 30: 2, 60: 2}  # moves -> deals played that far at random
TRIES, LOOKED_AT = 40, 5_000  # to find wins: deals that a solver looks at, and positions in each
WINS, SEEN = 4, 60  # won games, and positions in each
DRAWS = 40  # that are made in a row
SPARSE = 8  # refused moves are asked about in only one of roughly this many positions
EACH, MOST = 2, 30  # calls per kind, and per kind of refusal
RED, SUITS = (2, 3), 4
IN_ORDER = {-1: "rank", -2: "suit"}  # deal number -> what its deck is sorted by
RANDOM = "random"  # a choice that leaves an option to chance, which each program may use differently
CARD = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]")


def deal_game(game_rules: Rules, number: int, pairs: list[Pair] | None = None, is_varied: bool = True) -> Game:
    """Return a Game. pairs: the cards to deal, or None. is_varied: whether its options depend on its number."""
    options = {option: choices[0] for option, choices in game_rules.OPTIONS.items()}
    return Game(Deal(game_rules, options | (options_of(game_rules, number) if is_varied else {}), number, pairs))


def options_of(game_rules: Rules, number: int) -> dict[str, str]:
    """Return the options for the deal with this number, out of those that our module of the game has; successive
    numbers go through all the choices."""
    chosen = {}
    for option, choices in getattr(game_rules.module, "OPTIONS", {}).items():
        known = [choice for choice in choices if choice != RANDOM]
        chosen[option] = known[number % len(known)]
    return chosen


@functools.cache
def deck_of(game_rules: Rules, number: int) -> list[Pair]:
    """Return the cards of a deal with this number, in the order in which they are dealt, so that it does not matter how
    a submission shuffles. The deals IN_ORDER bring together cards that seldom meet."""
    if number in IN_ORDER:
        return sorted(game_rules.PACK, key=lambda pair: pair[-1 - number])
    return deal_game(game_rules, number).dealt_cards()


def columns_of(game: Game) -> list[list[Card]]:
    """Return the columns of a game."""
    return [pile for name, pile, _ in game.rules.piles(game.position) if kind_of(name) == "column"]


def from_other_end(game: Game) -> list[Pair]:
    """Return the cards of a game from the last to the first."""
    return list(game.deal.cards or ())[::-1]


def by_columns(game: Game) -> list[Pair]:
    """Return the cards of a freshly dealt game, column by column, and then the others."""
    first, rest = [pair_of(card) for pile in columns_of(game) for card in pile], list(game.deal.cards or ())
    for pair in first:
        rest.remove(pair)
    return first + rest


Way = Callable[[Game], list[Pair]]
# Ways of dealing other than ours: each returns the deck from which such a program deals a game's board.
OTHER_WAYS = from_other_end, by_columns


def deal_known(game_rules: Rules, number: int) -> Game:
    """Return the Game that submissions are dealt for this number."""
    return deal_game(game_rules, number, deck_of(game_rules, number))


@functools.cache
def deck_in(way: Way, game_rules: Rules, number: int) -> list[Pair]:
    """Return a deck from which a program that deals in this other way would deal the board with this number."""
    with preserve_random_state():
        return way(deal_known(game_rules, number))


def positions_of(game_rules: Rules) -> Iterator[Game]:
    """Yield Games from randomly played deals: after a few moves, after many, and at the end. The same Games are then
    played further."""
    chance = random.Random(1)
    games = [deal_known(game_rules, deal) for deal in range(max(STEPS.values()))]
    for steps, count in STEPS.items():
        for game in games[:count]:
            while len(game.moves) < steps and not game.outcome() and (legal := game.legal_moves()):
                game.perform(chance.choice(legal[:3]))
                if game.outcome():
                    yield game
            if len(game.moves) == steps and not game.outcome():
                yield game


def positions_in_order(game_rules: Rules) -> Iterator[Game]:
    """Yield Games at each position of the deals IN_ORDER, which are played at random. The same Games are then played
    further."""
    chance = random.Random(1)
    for game in [deal_known(game_rules, deal) for deal in IN_ORDER]:
        while len(game.moves) < max(STEPS) and not game.outcome() and (legal := game.legal_moves()):
            yield game
            game.perform(chance.choice(legal))


def positions_of_wins(game_rules: Rules) -> Iterator[Game]:
    """Yield Games at about SEEN positions of each of WINS won deals, including the last positions; fewer deals if not
    enough are found. The same Games are then played further."""
    from patience.analysis import solve

    known = (number for number in range(TRIES) if not unknown_options(game_rules, options_of(game_rules, number)))
    games = (deal_known(game_rules, number) for number in known)
    wins = ((game, solve.solve(game, None, LOOKED_AT).moves) for game in games)
    for game, moves in itertools.islice(filter(all, wins), WINS):
        for left in range(len(moves) - 1, -1, -1):
            game.perform(moves[-left - 1])
            if left % (len(moves) // SEEN + 1) == 0:
                yield game


def group_of(reason: str) -> str:
    """Return a reason without its cards and numbers, which differ from case to case."""
    return re.sub(r"\d+", "N", CARD.sub("_", reason))


def draws(game_rules: Rules) -> Iterator[Call]:
    """Yield Calls of move that draw again and again, through the stock and beyond; none for a game without a stock."""
    game, draw = deal_known(game_rules, DEALS), (game_rules.DRAW_WORD,)
    while draw[0] in rules.forms(game_rules.COMMANDS) and len(game.moves) < DRAWS and not game.outcome():
        about = about_move(game, draw)
        yield Call("move", **about)
        if not about["side"]:
            return
        game.perform(draw)


def place_of(game: Game) -> dict[str, Any]:
    """Return the fields of a Call that record where it is made."""
    options = ", ".join(
        f'{option}="{choice}"' for option, choice in options_of(game.rules, game.deal.number or 0).items()
    )
    begins = f"random.seed({game.deal.number})"
    if game.deal.number in IN_ORDER:
        begins = f"a deck sorted by {IN_ORDER[game.deal.number]}"
    return {"deal": game.deal.number, "moves": tuple(game.moves), "dealt": f"{begins}, game = initialize({options})"}


def about_move(game: Game, move: Move) -> dict[str, Any]:
    """Return the fields of a Call about a move: where it is made, whether it is allowed, and why."""
    reason = game.rules.refusal(game.position, *move)
    return place_of(game) | {
        "arguments": move,
        "side": not reason,
        "group": group_of(reason) if reason else f"{move[0]} is allowed",
        "reason": reason or describe_allowed(game, move),
    }


POSITIONS = positions_of, positions_in_order, positions_of_wins


def contract_calls(game_rules: Rules) -> list[Call]:
    """Return the Calls for a game according to its contract."""
    calls, counts, were_legal = [], Counter(), {}
    with preserve_random_state():
        for game in (game for kind in POSITIONS for game in kind(game_rules)):
            here = place_of(game)
            is_won = game.rules.check_win(game.position)
            asked = list(calls_of_moves(game, counts, were_legal.setdefault(game.deal.number, set())))
            if is_won:
                last = here | {"moves": here["moves"][:-1]}
                calls.append(Call("check_win", **last, side=False, group="one move is missing"))
            if is_won or asked:
                group = "the game is won" if is_won else "the game is not won"
                calls.append(Call("check_win", **here, side=is_won, group=group))
                calls.append(Call("display", **here, group="shows the board"))
            calls += asked
        calls += [Call("initialize", deal=deal, seed=deal, group="deals as the rules say") for deal in range(DEALS)]
        calls += [Call("initialize", seed=seed, group=SHUFFLES, reason=SHOULD_SHUFFLE) for seed in (7, 8)]
        calls += draws(game_rules)
    return calls


def calls_of_moves(game: Game, counts: Counter[Any], were_legal: set[Move]) -> Iterator[Call]:
    """Yield Calls of validate_move and move. Each kind of move is asked about up to EACH times, or up to twice that if
    it is allowed, and once with other options; after a move that ends the game, any move is asked about. were_legal:
    moves that were legal earlier in this deal but may no longer be. counts and were_legal are changed."""
    chance = random.Random(len(game.moves))
    has_all = len(game.moves) in STEPS or chance.random() < 1 / SPARSE
    legal = game.rules.legal_moves(game.position)
    moves = moves_to_ask(game) if has_all else list(legal)
    chance.shuffle(moves)
    moves.sort(key=were_legal.__contains__, reverse=True)
    were_legal.update(legal)
    here = game.deal.number, len(game.moves)
    for move in moves:
        about = about_move(game, move)
        word = move[0], len(move), 0 in move
        if about["side"]:
            does, *more = what_it_does(game, move)
            kinds = {(*word, does, *more): 2 * EACH, (move[0], does, *game.deal.options.values()): 1}
            is_asked = any(counts[kind] < most for kind, most in kinds.items())
        else:
            kind, near = (*word, about["group"]), how_near(game, about["reason"])
            kinds = {kind: MOST, (*kind, near or here): EACH}
            is_asked = all(counts[kind] < most for kind, most in kinds.items())
        if is_asked:
            counts.update(kinds.keys())
            asked = [about]
            if about["side"] and (after := game.after([move])).outcome():
                asked += [about_move(after, other) for other in legal[:EACH]]
            yield from (Call(name, **one) for one in asked for name in ("validate_move", "move"))


def moves_to_ask(game: Game) -> list[Move]:
    """Return moves of a game: the legal ones first, then the same moves with a 0 in place of a number, then all
    others."""
    legal = game.rules.legal_moves(game.position)
    zeros = [(*move[:place], 0, *move[place + 1 :]) for move in legal for place in range(1, len(move))]
    every = rules.every_move(game.rules, *sizes(game.position))
    return [move for move in dict.fromkeys([*legal, *zeros, *every]) if move[0] not in game.rules.VIEWS]


def what_it_does(game: Game, move: Move) -> tuple[Any, ...]:
    """Return the features of a legal move that a wrong rule may treat differently: its description and the outcome,
    with cards and numbers left out; how many cards it moves, up to 3; where they come from and go to, and whether the
    destination is empty; whether a card is turned up; whether the named cards share a rank or a suit; and whether it
    brings together all suits of a rank."""
    after = copy_of(game.position)
    message = game.rules.perform(after, *move)
    effect = effect_between(game.rules, game.position, after, move)
    ends = "won" if game.rules.check_win(after) else group_of(game.rules.check_loss(after) or "")
    ways = [(kind_of(one.source), kind_of(one.dest), one.onto is None) for one in effect.first_cards[:1]]
    piles = piles_by_name(game.rules, after)
    ranks = [card.rank() for one in effect.first_cards[:1] for card in piles.get(one.dest, ())[-SUITS:]]
    named = [*filter(None, map(card_of, CARD.findall(message)))]
    alike = len({rank for rank, _ in named}) == 1, len({suit for _, suit in named}) == 1
    is_run = len(ranks) == SUITS and len(set(ranks)) == 1
    return f"{group_of(message)} {ends}", min(3, len(effect.moved)), *ways, bool(effect.turned), alike, is_run


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


def describe_allowed(game: Game, move: Move) -> str:
    """Return what a legal move does, as the reason why it is allowed."""
    return f"it is allowed: {tidy(game.rules.describe(game.position, *move))}"
