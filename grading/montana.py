"""What is Montana's alone in grading: the six functions of its assignment, called on plain lists of rows; any legal
shuffle, and both readings of the handout about a 2 beside an ace, are right; its own main() for a module without one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cards
import montana
from grading import answers, mirror
from grading.answers import cells_of
from grading.calls import EACH, Call, Rows, deal_game, describe_allowed, group_of, positions_of
from patience import rules
from patience.consoles import ASSIGNMENT_AGAIN
from patience.consoles.script import capture_display
from patience.effects import pair_of
from patience.game import Game
from patience.text import card_of
from solvers.positions import preserve_random_state

if TYPE_CHECKING:
    from cards import Card
    from grading.sessions import Session
    from patience import Move, Pair, Position

FUNCTIONS = ("initialize", "display", "validate_move", "move", "check_win", "shuffle_tableau")
RUBRIC = {"initialize": 7, "validate_move": 8, "move": 8, "check_win": 8, "shuffle_tableau": 8}  # points of the handout
TESTS = {"montana-course1": 6, "montana-course2": 6, "montana-course3": 4}
EACH_TEST = 16 / 3  # of another session beside these
MAIN = Path(__file__).with_name("montana_main.py")
# What main() prints: the arguments of montana_main.py.
TEXTS = [montana.TITLE, montana.PROMPT, ASSIGNMENT_AGAIN, montana.INVALID_INPUT]
TEXTS += [montana.OUT_OF_RANGE, montana.INVALID_MOVE, montana.NO_SHUFFLES]
OUT_OF_RANGE = ("0 1 1 1", "5 1 1 1", "1 14 1 1", "1 1 4 0", "1 1 1 99")
NO_TABLEAU = "leaves no tableau: a list of lists of cards"
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


# The functions


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


def calls() -> list[Call]:
    """Return the Calls for the assignment."""
    game_rules = rules.load("montana")
    with preserve_random_state():
        asked, boards, counts = [], [], Counter()
        made = deal_game(game_rules, 0, [*filter(None, map(card_of, TABLEAU.split()))])
        for game in itertools.chain([made], positions_of(game_rules)):
            boards.append(rows_of(game.position))
            asked += calls_of_moves(game, counts)
    for row in (0, 2):  # in which a blank lies between the others
        asked.append(Call("display", rows=swap(boards[1], (row, 0), (3, 5)), group="shows the board"))
    asked += [Call("initialize", seed=seed, group="deals row by row") for seed in (7, 8)]
    for group, cases in wins(boards).items():
        asked += [Call("check_win", rows=rows, side=side, group=group, reason=group) for rows, side in cases]
    shuffled = [*boards[::3], WON, swap(WON, (0, 8), (1, 9)), swap(boards[0], (0, 1), (1, 3))]
    for rows, seed in itertools.product(shuffled, (1, 100)):
        asked.append(Call("shuffle_tableau", rows=rows, seed=seed, group="keeps sequences, and shuffles the rest"))
    return asked


def calls_of_moves(game: Game, counts: Counter[Any]) -> list[Call]:
    """Return Calls of validate_move and move on a board: each kind of move as often as EACH, by counts, which is
    changed."""
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
            reason = montana.refusal(tableau, *source, *dest)
            group = group_of(reason).partition(", ")[0] if reason else "a card is allowed"
            about = {"rows": rows, "arguments": (*source, *dest), "side": not reason}
            reason = reason or describe_allowed(game, (*source, *dest))
            asked += [Call(name, group=group, reason=reason, **about) for name in ("validate_move", "move")]
    return asked


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


def canonical(position: Any) -> Any:
    """Return rows of (rank, suit) as they are read back, in which all aces are the same; anything else as it is."""
    if not isinstance(position, list):
        return position
    return [[pair if pair[0] != montana.BLANK else [montana.BLANK] for pair in map(list, row)] for row in position]


def fault_in_shuffle(before: Rows, after: Any) -> str:
    """Return what is wrong with a shuffle of rows, or "", by what it must keep: the order in which cards are dealt
    again is not in the assignment."""
    try:
        if sorted(tuple(pair) for row in after for pair in row) != sorted(pair for row in before for pair in row):
            return "loses cards, or makes some"
    except TypeError:
        return NO_TABLEAU
    if [[*map(tuple, row)] for row in after] == before and not montana.check_win(as_cards(before)):
        return "leaves the tableau as it was"
    return fault_in_rows(before, after)


def own_fault(call: Call, answer: dict[str, Any]) -> str | None:
    """Return what is wrong with an answer, or "", if it is not compared with the reference's: that of a shuffle."""
    return fault_in_shuffle(call.rows, answer["position"]) if call.function == "shuffle_tableau" else None


def after_move(call: Call) -> Rows:
    """Return the rows after the move of a call, whether or not it is allowed."""
    return swap(call.rows, call.arguments[:2], call.arguments[2:])


# Sessions


def tableau_in(text: str) -> Rows | None:
    """Return the Montana tableau in a text, rows of (rank, suit), or None if its cards are not all there once. A blank,
    or an ace that is shown, is the ace whose suit has the row's number."""
    rows = [dict(row) for row in cells_of(text)]
    if len(rows) != montana.ROWS:
        return None
    tableau: Any = []
    for number, row in enumerate(rows, start=1):
        pairs = [row.get(column) for column in range(montana.COLUMNS)]
        is_card = [isinstance(pair, tuple) and pair[0] != montana.BLANK for pair in pairs]
        tableau.append([pair if is_one else (montana.BLANK, number) for pair, is_one in zip(pairs, is_card)])
    shown = {pair for row in tableau for pair in row if pair[0] != montana.BLANK}
    is_whole = all(column < montana.COLUMNS for row in rows for column in row)
    return tableau if is_whole and len(shown) == (montana.COLUMNS - 1) * montana.ROWS else None


def is_same_board(text: str, other: str) -> bool:
    """Return True if two texts show the same board; aces that are shown are blanks."""
    tableau = tableau_in(text)
    return tableau == tableau_in(other) if tableau else answers.is_same_board(text, other)


def lay(session: Session, opening: str, deal: Callable[[list[Pair]], str]) -> list[Pair] | None:
    """Return a deck that a program deals to the session's board, if it dealt the session's deck to another board of all
    cards; or None. opening: what it printed. deal(deck): returns what it prints for another deck, by which it is seen
    where the aces go, which are shown as blanks."""
    if is_same_board(opening, session.answers[0]) or not tableau_in(opening):
        return None
    deck = [*map(tuple, session.deal.cards)]
    turned = (deck[number:] + deck[:number] for number in range(1, len(deck)))
    other = next(
        pairs for pairs in turned if not any(one[0] == two[0] == montana.BLANK for one, two in zip(deck, pairs))
    )
    numbers = {}  # place on the board -> number of the card in the deck
    for pairs, text in ((deck, opening), (other, deal(other))):
        for place, pair in enumerate(itertools.chain(*(tableau_in(text) or []))):
            if pair[0] != montana.BLANK:
                numbers[place] = pairs.index(tuple(pair))
    if len(set(numbers.values())) < len(deck):
        return None
    wanted = [*itertools.chain(*rows_of(Game(session.deal).position))]
    return [wanted[place] for place in sorted(numbers, key=lambda place: numbers[place])]


class Mirror(mirror.Mirror):
    """Our game beside a student's: the board that a program shows is read, and any legal shuffle is right."""

    fixed = {
        montana.INVALID_INPUT: mirror.NUMBERS,
        montana.OUT_OF_RANGE: mirror.RANGE,
        montana.NO_SHUFFLES: mirror.NO_SHUFFLE,
    }
    messages = (*fixed, montana.INVALID_MOVE, answers.WON)
    is_same_board = staticmethod(is_same_board)

    def read(self, printed: str) -> Position | None:
        """Return the tableau that a program shows, or None."""
        tableau = tableau_in(printed)
        return as_cards(tableau) if tableau else None

    def other_board(self, kind: str, line: str, printed: str) -> str | None:
        """Return a legal shuffle as it should be shown, or the board after a 2 is moved beside a blank; or None."""
        before = self.before.position
        if kind == mirror.SHUFFLE:
            return read_shuffle(printed, before)
        return goes_beside_ace(before, line) if kind == self.kind == mirror.REFUSED else None


def read_shuffle(printed: str, before: Position) -> str | None:
    """Return the text of a board as it should be shown, if it is a legal shuffle of the one before, rows of cards; or
    None."""
    after = tableau_in(printed)
    is_same = is_same_board(printed, capture_display(montana.display, before))
    if not after or is_same and not montana.check_win(before):
        return None
    return None if fault_in_rows(rows_of(before), after) else capture_display(montana.display, as_cards(after))


def goes_beside_ace(before: Position, line: str) -> str | None:
    """Return the text of the board after a 2 is moved beside a blank, or None if a line means no such move. The first
    handout allowed that if the blank was the ace of its suit: both are right."""
    try:
        source_row, source_col, dest_row, dest_col = montana.read(line)
    except ValueError:
        return None
    card, dest = before[source_row][source_col], before[dest_row][dest_col]
    left = before[dest_row][dest_col - 1] if dest_col else card
    if card.rank() != montana.TWO or not montana.is_blank(dest) or not montana.is_blank(left):
        return None
    return capture_display(montana.display, swap(before, (source_row, source_col), (dest_row, dest_col)))


def near_misses(game: Game) -> Iterator[Move]:
    """Yield moves of a card that has the right rank or the right suit for a place, and not both."""
    pairs = {(row, column): card for row, cards in enumerate(game.position) for column, card in enumerate(cards)}
    for (row, column), card in pairs.items():
        left = pairs.get((row, column - 1))
        if card.rank() == montana.BLANK and left and left.rank() > montana.BLANK:
            for source, other in pairs.items():
                if other.rank() > montana.TWO and (other.rank() == left.rank() + 1) != (other.suit() == left.suit()):
                    yield (*source, row, column)
