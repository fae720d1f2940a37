"""The calls to the functions of Montana's assignment: moves of every kind, deals, and won and nearly won tableaus."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

import cards
import montana
from patience.grading.courses.function_calls import EACH, SHOULD_SHUFFLE, SHUFFLES, Call, Rows, deal_game
from patience.grading.courses.function_calls import describe_allowed, positions_of
from patience import rules
from patience.game import Game
from patience.games.montana_faults import rows_of, swap, why_refused
from patience.text import card_of
from patience.positions import preserve_random_state

if TYPE_CHECKING:
    from cards import Card
    from patience import Pair, Position

KING = 13

# A tableau in which every rule decides something.
TABLEAU = """
2C 3C 4C AC 6C 7C 8C 9C 10C JC QC KC 5H
2D KD AD 3D 4D 5D 6D 7D 8D 9D 10D JD QD
AH 3H 2H 4H 6H 7H 8H 9H 10H JH QH KH 5C
3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 2S AS
"""
SHUFFLE = "sequences stay, a blank comes right after each, and the rest is shuffled and dealt"
PLACES = [(row, column) for row in range(montana.ROWS) for column in range(montana.COLUMNS)]
# The rows of won tableaus, as (rank, suit), with a blank of a different suit and with one of their own.
WON = [[(rank, suit) for rank in range(2, 14)] + [(1, 1 + ace)] for suit, ace in zip((4, 3, 2, 1), range(4))]
OWN_ACES = [[(rank, suit) for rank in [*range(2, 14), 1]] for suit in range(1, 5)]


def as_cards(rows: Rows) -> list[list[Card]]:
    """Return rows of (rank, suit) as rows of cards."""
    return [[cards.Card(*pair) for pair in row] for row in rows]


def calls() -> list[Call]:
    """Return the Calls for the assignment."""
    game_rules = rules.load(montana.__name__)
    with preserve_random_state():
        asked, boards, counts = [], [], Counter()
        made = deal_game(game_rules, 0, [*filter(None, map(card_of, TABLEAU.split()))])
        for game in itertools.chain([made], positions_of(game_rules)):
            boards.append(rows_of(game.position))
            asked += calls_of_moves(game, counts)
    for row in (0, 2):  # in which a blank lies between the others
        asked.append(Call("display", rows=swap(boards[1], (row, 0), (3, 5)), group="shows the board"))
    group, reason = "deals row by row", "it should deal the shuffled deck row by row"
    for seed in (7, 8):
        deck = [*itertools.chain(*rows_of(deal_game(game_rules, seed).position))]
        asked.append(Call("initialize", deck=deck, seed=seed, group=group, reason=reason))
    asked += [Call("initialize", seed=seed, group=SHUFFLES, reason=SHOULD_SHUFFLE) for seed in (7, 8)]
    for group, reason, rows, side in wins(boards):
        asked.append(Call("check_win", rows=rows, side=side, group=group, reason=f"{group}: {reason}"))
    shuffled = [*boards[::3], WON, swap(WON, (0, 8), (1, 9)), swap(boards[0], (0, 1), (1, 3))]
    for rows, seed in itertools.product(shuffled, (1, 100)):
        asked.append(Call("shuffle_tableau", rows=rows, seed=seed, group="shuffles", reason=SHUFFLE))
    return asked


def calls_of_moves(game: Game, counts: Counter[Any]) -> list[Call]:
    """Return Calls of validate_move and move on a board: each kind of move up to EACH times. counts: how often each
    kind was called, updated here."""
    asked, tableau = [], game.position
    rows, blanks = rows_of(tableau), [place for place in PLACES if montana.is_blank(tableau[place[0]][place[1]])]
    for source in PLACES:
        is_two = tableau[source[0]][source[1]].rank() == montana.TWO
        others = PLACES[:: montana.COLUMNS] if is_two else [PLACES[(7 * sum(source)) % len(PLACES)]]
        for dest in [*blanks, *others]:
            kind = kind_of(tableau, source, dest)
            if not kind or counts[kind] == EACH:
                continue
            counts[kind] += 1
            group, reason = why_refused(tableau, *source, *dest)
            about: dict[str, Any] = {"rows": rows, "arguments": (*source, *dest), "side": not reason}
            reason = reason or describe_allowed(game, ("", *(number + 1 for number in (*source, *dest))))
            asked += [Call(name, group=group, reason=reason, **about) for name in ("validate_move", "move")]
    return asked


def wins(boards: list[Rows]) -> list[tuple[str, str, Rows, bool]]:
    """Return (group, reason, rows, what is right) for calls of check_win. boards: rows of tableaus that are not won."""
    cases = [
        ("each row has one suit, in order", "any order of the suits wins", rows, True)
        for rows in (OWN_ACES, OWN_ACES[::-1], WON, WON[::-1], WON[2:] + WON[:2], [WON[row] for row in (1, 3, 0, 2)])
    ]
    for row in range(montana.ROWS):
        other = (row + 1) % montana.ROWS
        cases += [
            ("a blank before the King", f"row {row + 1}", swap(WON, (row, 11), (row, 12)), False),
            ("two cards in the wrong order", f"row {row + 1}", swap(WON, (row, 4), (row, 5)), False),
            ("a card of a different suit", f"rows {row + 1} and {other + 1}", swap(WON, (row, 5), (other, 5)), False),
            ("the 2 is not first", f"row {row + 1}", swap(WON, (row, 0), (row, 12)), False),
        ]
    return cases + [("a game that goes on", "its rows are not in order", board, False) for board in boards[:3]]


def kind_of(tableau: Position, source: Pair, dest: Pair) -> tuple[Any, ...] | None:
    """Return the features of a Montana move that a wrong rule may treat differently, or None if the two handouts
    disagree about the move: a 2 beside an ace of its suit."""
    card, there = tableau[source[0]][source[1]], tableau[dest[0]][dest[1]]
    if source == dest:
        return None
    left = tableau[dest[0]][dest[1] - 1]  # for the first column, the last card, which a program may take by mistake
    if montana.is_blank(card) or not montana.is_blank(there) or dest[1] == 0:
        same = card.suit() == left.suit() and card.rank() == left.rank() + 1
        in_row = source[0] == dest[0]
        return montana.is_blank(card), montana.is_blank(there), dest[1] == 0, min(card.rank(), 3), same, in_row
    if card.rank() == montana.TWO and montana.is_blank(left):
        return None
    same_suit, higher = card.suit() == left.suit(), card.rank() - left.rank()
    own_left = source[1] and tableau[source[0]][source[1] - 1] is left
    ends = dest[1] == montana.COLUMNS - 1, card.rank() == KING, montana.is_blank(left)
    return same_suit, max(-2, min(higher, 2)), ends, left.rank() == KING, own_left, dest[0]
