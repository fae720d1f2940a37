"""What functions are asked: calls from positions of the same deals, for Montana or by a game's contract."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter, namedtuple
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import cards
import montana
from patience import Move, Pair, Position, rules
from patience.effects import pair_of
from patience.game import Deal, Game
from patience.text import card_of, tidy
from solvers.positions import preserve_random_state, sizes

if TYPE_CHECKING:
    from cards import Card
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
# A tableau in which every rule decides something.
TABLEAU = """
2C 3C 4C AC 6C 7C 8C 9C 10C JC QC KC 5H
2D KD AD 3D 4D 5D 6D 7D 8D 9D 10D JD QD
AH 3H 2H 4H 6H 7H 8H 9H 10H JH QH KH 5C
3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 2S AS
"""
PLACES = [(row, column) for row in range(montana.ROWS) for column in range(montana.COLUMNS)]
# The rows of a tableau that is won.
WON = [[(rank, suit) for rank in range(2, 14)] + [(1, 1 + ace)] for suit, ace in zip((4, 3, 2, 1), range(4))]


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


# Montana


def rows_of(tableau: Position) -> Rows:
    """Return a tableau as rows of (rank, suit)."""
    return [[*map(pair_of, row)] for row in tableau]


def as_cards(rows: Rows) -> list[list[Card]]:
    """Return rows of (rank, suit) as rows of cards."""
    return [[cards.Card(*pair) for pair in row] for row in rows]


def fault_in_rows(before: Rows, after: Any) -> str:
    """Return what is wrong with the rows of a shuffle, or "": sequences stay, and one blank follows each."""
    for row, old in zip(after, before):
        kept = montana.sequence_length(*as_cards([old]))
        if [*map(tuple, row[:kept])] != old[:kept] or len(row) != montana.COLUMNS or len(after) != montana.ROWS:
            return "moves a sequence, or leaves a row that is not 13 cards long"
        if [place for place, pair in enumerate(row) if pair[0] == montana.BLANK] != [kept]:
            return "does not leave one blank right after each sequence"
    return ""


def swap(rows: Any, first: Pair, second: Pair) -> Any:
    """Return rows, of cards or of (rank, suit), in which two places, (row, column), are exchanged."""
    changed = [list(row) for row in rows]
    (row, column), (other_row, other_column) = first, second
    changed[row][column], changed[other_row][other_column] = rows[other_row][other_column], rows[row][column]
    return changed


def montana_calls() -> list[Call]:
    """Return the Calls for Montana's assignment."""
    game_rules = rules.load("montana")
    with preserve_random_state():
        calls, boards, counts = [], [], Counter()
        made = deal_game(game_rules, 0, [*filter(None, map(card_of, TABLEAU.split()))])
        for game in itertools.chain([made], positions_of(game_rules)):
            boards.append(rows_of(game.position))
            calls += calls_of_moves(game, counts)
    for row in (0, 2):  # in which a blank lies between the others
        calls.append(Call("display", rows=swap(boards[1], (row, 0), (3, 5)), group="shows the board"))
    calls += [Call("initialize", seed=seed, group="deals row by row") for seed in (7, 8)]
    for group, cases in wins(boards).items():
        calls += [Call("check_win", rows=rows, side=side, group=group, reason=group) for rows, side in cases]
    shuffled = [*boards[::3], WON, swap(WON, (0, 8), (1, 9)), swap(boards[0], (0, 1), (1, 3))]
    for rows, seed in itertools.product(shuffled, (1, 100)):
        calls.append(Call("shuffle_tableau", rows=rows, seed=seed, group="keeps sequences, and shuffles the rest"))
    return calls


def calls_of_moves(game: Game, counts: Counter[Any]) -> list[Call]:
    """Return Calls of validate_move and move on a board: each kind of move as often as EACH, by counts, which is
    changed."""
    calls, tableau = [], game.position
    rows, blanks = rows_of(tableau), [place for place in PLACES if montana.is_blank(tableau[place[0]][place[1]])]
    for source in PLACES:
        is_two = tableau[source[0]][source[1]].rank() == montana.TWO
        others = PLACES[:: montana.COLUMNS] if is_two else [PLACES[(7 * sum(source)) % len(PLACES)]]
        for dest in [*blanks, *others]:
            kind = kind_of(tableau, source, dest)
            if not kind or counts[kind] == EACH:
                continue
            counts[kind] += 1
            reason = montana.refusal(tableau, *source, *dest)
            group = group_of(reason).partition(", ")[0] if reason else "a card is allowed"
            about = {"rows": rows, "arguments": (*source, *dest), "side": not reason}
            reason = reason or describe_allowed(game, (*source, *dest))
            calls += [Call(name, group=group, reason=reason, **about) for name in ("validate_move", "move")]
    return calls


def wins(boards: list[Rows]) -> dict[str, list[tuple[Rows, bool]]]:
    """Return rows for check_win, with what is right: group -> list of (rows, True or False). boards: rows of tableaus
    that are not won."""
    cases = {"four rows of one suit are in order": [(WON, True), (WON[::-1], True)]}
    for row in range(montana.ROWS):
        other = (row + 1) % montana.ROWS
        cases |= {
            f"row {row + 1}: a blank before the King": [(swap(WON, (row, 11), (row, 12)), False)],
            f"row {row + 1}: two cards are in the wrong order": [(swap(WON, (row, 4), (row, 5)), False)],
            f"rows {row + 1} and {other + 1}: the suits are mixed": [(swap(WON, (row, 5), (other, 5)), False)],
            f"row {row + 1}: the 2 is not first": [(swap(WON, (row, 0), (row, 12)), False)],
        }
    return cases | {"a game that goes on": [(board, False) for board in boards[:3]]}


def kind_of(tableau: Position, source: Pair, dest: Pair) -> tuple[Any, ...] | None:
    """Return what tells a move of Montana from others for a wrong rule, or None for one that both handouts decide
    otherwise: a 2 beside an ace of its suit."""
    card, there = tableau[source[0]][source[1]], tableau[dest[0]][dest[1]]
    if source == dest:
        return None
    left = tableau[dest[0]][dest[1] - 1]  # of the first column the last one, which a program may take by mistake
    if montana.is_blank(card) or not montana.is_blank(there) or dest[1] == 0:
        same = card.suit() == left.suit() and card.rank() == left.rank() + 1
        in_row = source[0] == dest[0]
        return montana.is_blank(card), montana.is_blank(there), dest[1] == 0, min(card.rank(), 3), same, in_row
    if card.rank() == montana.TWO and montana.is_blank(left):
        return None
    same_suit, higher = card.suit() == left.suit(), card.rank() - left.rank()
    own_left = source[1] and tableau[source[0]][source[1] - 1] is left
    ends = dest[1] == montana.COLUMNS - 1, card.rank() == montana.KING, montana.is_blank(left)
    return same_suit, max(-2, min(higher, 2)), ends, left.rank() == montana.KING, own_left, dest[0]
