"""How Montana's assignment is graded: six functions, on plain lists of rows. Any legal shuffle is right, and so are
both readings of what the handout says about a 2 beside an ace. A module without a main() gets ours."""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import montana
from grading.courses import answers, mirror
from grading.courses.answers import cells_of
from grading.courses.calls import SHUFFLES, Call, Rows
from grading.courses.course import NEAR, Course
from grading.courses.montana.calls import PACK, as_cards, calls, rows_of, swap, why_refused
from patience import rules
from patience.decks import replaced
from patience.rules import Rules, read
from patience.text import capture_display, card_text
from patience.game import Game

if TYPE_CHECKING:
    from grading.courses.session import Session
    from patience import Move, Pair, Position

OUT_OF_RANGE = ("0 1 1 1", "5 1 1 1", "1 14 1 1", "1 1 4 0", "1 1 1 99")
MOVES_SEQUENCE = "moves a sequence, or leaves a row that is not 13 cards long"
LOSES = "loses or adds cards"
LOSES_MORE = f"{LOSES}, and moves a sequence"
NO_BLANK = "does not leave one blank right after each sequence"
NOT_ALL = "does not deal all 52 cards once"
BY_COLUMNS = "deals column by column"
NOT_CHANGED = "leaves the tableau as it was"
RETURNED = "returns a shuffled tableau, and leaves the given one as it was"
NOT_SHUFFLED = "deals a deck that is not shuffled"
REFUSALS = (montana.INVALID_INPUT, montana.INVALID_MOVE, montana.OUT_OF_RANGE, montana.NO_SHUFFLES)
POINTS = {"initialize": 7, "validate_move": 8, "move": 8, "check_win": 8, "shuffle_tableau": 8}  # of the handout
TESTS = {"montana-course1": 6, "montana-course2": 6, "montana-course3": 4}
EACH_TEST = 16 / 3  # of any other session


class Montana(Course):
    """The assignment."""

    functions = ("initialize", "display", "validate_move", "move", "check_win", "shuffle_tableau")
    no_position = "leaves no tableau: a list of lists of cards"
    worth = {
        **Course.worth,
        MOVES_SEQUENCE: 1 / 3,
        LOSES: 1 / 3,
        NO_BLANK: 2 / 3,
        RETURNED: 1 / 2,
        NOT_SHUFFLED: 1 / 2,
        BY_COLUMNS: 1 / 2,
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

    def mirror(self, session: Session) -> mirror.Mirror:
        """Return the assignment's own main(), into which the lines of a session are typed."""
        return Mirror(session, is_same_board)

    def shows_same_board(self, text: str, other: str) -> bool:
        """Return True if two texts show the same tableau."""
        return is_same_board(text, other)

    def boards(self, session: Session) -> list[Any]:
        """Return the tableaus of a session's games, rows of (rank, suit)."""
        begun = [
            answer for kind, answer in zip(session.kinds, session.answers) if kind in (mirror.OPENING, mirror.AGAIN)
        ]
        return [*filter(None, map(tableau_in, begun))]

    def deck_after(self, session: Session, number: int) -> list[Pair] | None:
        """Return a deck that, when dealt, gives the right board after a command, unless a shuffle was used before it or
        another game follows."""
        before, behind = session.kinds[: number + 1], session.kinds[number + 1 :]
        if mirror.SHUFFLE in before or not {mirror.MOVE, mirror.REFUSED, mirror.WIN} & {*behind}:
            return None
        if mirror.AGAIN in session.kinds or before[-1] not in (mirror.MOVE, mirror.REFUSED):
            return None
        boards = [tableau for tableau in map(tableau_in, session.answers[: number + 1]) if tableau]
        return [(rank, suit) for rank, suit in itertools.chain(*boards[-1])] if boards else None

    def is_same(self, position: Any, right: Any) -> bool:
        """Return True if two tableaus, rows of (rank, suit), are the same."""
        return canonical(position) == canonical(right)

    def own_fault(self, call: Call, answer: dict[str, Any]) -> str | None:
        """Return what is wrong with the answer of shuffle_tableau, or with a deal that the module shuffles itself, or
        ""; None for any other call."""
        if call.group == SHUFFLES and answer["position"]:
            fault = self.fault_in_deal(answer["position"], answer["position"])
            return fault if fault in (NOT_ALL, NOT_SHUFFLED) else ""
        if call.function != "shuffle_tableau":
            return None
        before = call.rows or []
        fault = fault_in_shuffle(before, answer["position"])
        if fault == NOT_CHANGED and not fault_in_shuffle(before, answer.get("returned", before)):
            return RETURNED
        return fault

    def fault_in_deal(self, right: Rows, dealt: Any) -> str:
        """Return what is wrong with the rows of a deal. right: the rows that the same shuffle gives when dealt row by
        row."""
        pairs, wanted = [[tuple(pair) for row in rows for pair in row] for rows in (dealt, right)]
        by_columns = [pair for column in zip(*dealt) for pair in map(tuple, column)]
        if Counter(pairs) != Counter(PACK):
            return NOT_ALL
        if any(order in (PACK, PACK[::-1]) for order in (pairs, by_columns)):
            return NOT_SHUFFLED
        return BY_COLUMNS if by_columns == wanted else "deals in a different order, or shuffles differently"

    def where_it_differs(self, right: Rows, position: Any) -> str:
        """Return the first place of a tableau that is wrong."""
        pairs = ((row, column, pair) for row, pairs in enumerate(right) for column, pair in enumerate(pairs))
        for row, column, pair in pairs:
            there = position[row][column] if row < len(position) and column < len(position[row]) else None
            if there is None or canonical([[pair]]) != canonical([[there]]):
                shown = ["nothing" if one is None else card_text(tuple(one)) for one in (there, pair)]
                return f": tableau[{row}][{column}] is {shown[0]}, not {shown[1]}"
        return ": it has more rows or columns"

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


# The functions


def fault_in_rows(before: Rows, after: Any) -> str:
    """Return what is wrong with the rows of a shuffle, or "": sequences must stay, with one blank after each."""
    for row, old in zip(after, before):
        kept = montana.sequence_length(*as_cards([old]))
        if [*map(tuple, row[:kept])] != old[:kept] or len(row) != montana.COLUMNS or len(after) != montana.ROWS:
            return MOVES_SEQUENCE
        if [place for place, pair in enumerate(row) if pair[0] == montana.BLANK] != [kept]:
            return NO_BLANK
    return ""


def canonical(position: Any) -> Any:
    """Return rows of (rank, suit) as a board shows them, with all aces equal; anything else unchanged."""
    if not isinstance(position, list):
        return position
    return [[pair if pair[0] != montana.BLANK else [montana.BLANK] for pair in map(list, row)] for row in position]


def fault_in_shuffle(before: Rows, after: Any) -> str:
    """Return what is wrong with a shuffle of rows, or "". It is judged only by what it must keep, because the
    assignment does not specify the order in which cards are redealt."""
    try:
        if sorted(tuple(pair) for row in after for pair in row) != sorted(pair for row in before for pair in row):
            return LOSES if fault_in_rows(before, after) in ("", NO_BLANK) else LOSES_MORE
    except TypeError:
        return Montana.no_position
    if [[*map(tuple, row)] for row in after] == before and not montana.check_win(as_cards(before)):
        return NOT_CHANGED
    return fault_in_rows(before, after)


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


def tableau_in(text: str) -> Rows | None:
    """Return the Montana tableau in text, as rows of (rank, suit), or None unless every card but the aces is there. A
    blank, or a visible ace, stands for the ace whose suit has the row's number."""
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
    """Return True if two texts show the same board. Visible aces count as blanks."""
    tableau = tableau_in(text)
    return tableau == tableau_in(other) if tableau else answers.is_same_board(text, other)


class Main:
    """The assignment's own main(), line by line: for each line it is run again from the current board. It prints."""

    def __init__(self, rules: Rules, deal: Callable[[], Position]) -> None:
        """deal: returns the position of the next game."""
        self.deal = deal
        self.position: Any = None
        self.asks_again = self.has_left = False
        self.refusal = ""  # of the last line, if it was refused
        self.count = 0  # moves made since the deal
        self.question = montana.PROMPT

    def begin(self) -> None:
        """Deal a game, and show its title and its board."""
        self.position = self.deal()
        self.run([])

    def answer(self, line: str) -> None:
        """Answer a line."""
        position, before, shuffles = self.position, rows_of(self.position), self.position.shuffles_left
        text = mirror.capture(self.run, ["q", line] if self.asks_again else [line])
        print(text, end="")
        is_move = self.position is position and rows_of(position) != before
        self.count = self.count + is_move if self.position is position else 0
        if self.position is position and line.strip().lower() == "s" and text.rstrip("\n") not in REFUSALS:
            position.shuffles_left = shuffles - 1
            self.count += not is_move  # nothing was left to shuffle
        self.refusal = text.rstrip("\n") if text.rstrip("\n") in REFUSALS else ""

    def run(self, lines: list[str]) -> None:
        """Run main() up to the question after these lines; print only the answer to the last of them."""
        asked, printed = iter(lines), io.StringIO()
        boards, own = iter([self.position]), montana.initialize

        def initialize() -> Any:
            with replaced(montana, "initialize", own):  # by which the next game is dealt
                self.position = next(boards, None) or self.deal()
            return self.position

        def read_line(prompt: str) -> str:
            line = next(asked, None)
            if line is None:
                self.question, self.asks_again = prompt, prompt == montana.AGAIN
                raise Asked
            printed.seek(0)
            printed.truncate()
            return line

        with contextlib.redirect_stdout(printed), replaced(montana, "initialize", initialize):
            with replaced(montana, "input", read_line), contextlib.suppress(Asked):
                montana.main(self.position.shuffles_left)
                self.has_left = True
        print(printed.getvalue(), end="")


class Asked(Exception):
    """main() asks for a line that has not been typed yet."""


class Mirror(mirror.Mirror):
    """Our game beside a student's: it reads the board that a program shows, and accepts any legal shuffle."""

    fixed = {
        montana.INVALID_INPUT: mirror.NUMBERS,
        montana.OUT_OF_RANGE: mirror.RANGE,
        montana.NO_SHUFFLES: mirror.NO_SHUFFLE,
    }
    messages = (*fixed, montana.INVALID_MOVE, answers.WON)
    play = Main

    def read(self, printed: str) -> Position | None:
        """Return the tableau that a program shows, or None."""
        tableau = tableau_in(printed)
        return as_cards(tableau) if tableau else None

    def why_unread(self, printed: str) -> str:
        """Return a sentence about the card that is on a board twice, or ""."""
        shown = [cell for row in cells_of(printed) for _, cell in row if isinstance(cell, tuple)]
        twice = [card for card in shown if shown.count(card) > 1 and card[0] != montana.BLANK]
        return f" {card_text(twice[0])} is in it twice." if twice else ""

    def why_refused(self, position: Position, *move: Any) -> str:
        """Return why our game refuses a move, and what is wrong with it."""
        _, *numbers = move
        return why_refused(position, *(number - 1 for number in numbers))[1] if numbers else montana.NO_SHUFFLES

    def other_board(self, kind: str, line: str, printed: str) -> str | None:
        """Return a legal shuffle in the right layout, or the board after a 2 is moved beside a blank; or None."""
        before = self.last.before
        if kind == mirror.SHUFFLE:
            return read_shuffle(printed, before)
        return goes_beside_ace(before, line) if kind == self.last.kind == mirror.REFUSED else None

    def own_calls(self, printed: str) -> tuple[Call, ...]:
        """Return Calls that show what the program's own functions make of the line. printed: the program's answer."""
        before = rows_of(self.last.before)
        if not self.is_known or self.last.kind not in (mirror.MOVE, mirror.REFUSED, mirror.WIN, mirror.SHUFFLE):
            return ()
        if self.last.kind == mirror.SHUFFLE:
            return (Call("shuffle_tableau", before),)
        rule, move = (Call(name, before, arguments=places_of(self.last.line)) for name in ("validate_move", "move"))
        return rule, move, Call("check_win", tableau_in(printed) or before)

    def own_answers(self, found: list[dict[str, Any]], printed: str, is_right: bool) -> Iterator[mirror.Right]:
        """Yield the answers that follow from the results of own_calls. is_right: all earlier answers were right, or
        followed from such results; if not, yield only those that our game would not give on the program's board. A
        board that main() has spoiled is no excuse."""
        yield from (right for right in self.texts_of(found, printed) if is_right or right.text != self.last.text)

    def texts_of(self, found: list[dict[str, Any]], printed: str) -> Iterator[mirror.Right]:
        """Yield the answers that a right main() gives if its functions return these values."""
        before, shown = rows_of(self.last.before), tableau_in(printed)
        if self.last.kind == mirror.SHUFFLE:
            position = found[0].get("position")
            if position and shown and fault_in_shuffle(before, shown) == fault_in_shuffle(before, position):
                position = shown  # it is as wrong
            is_done, is_won = bool(position), False
        else:
            rule, move, win = found
            says = [answer["value"] for answer in (rule, move) if "value" in answer]
            if not all(says):
                yield mirror.Right(f"{montana.INVALID_MOVE}\n{self.prompts[0]}", False)
            row, column, *dest = places_of(self.last.line)
            position = move.get("position", swap(before, (row, column), tuple(dest)))  # without move(), main() moves
            is_done, is_won = any(says), bool(win.get("value"))
        if is_done and position:
            board = capture_display(montana.display, as_cards(position))
            yield mirror.Right(board + (f"{answers.WON}\n{self.prompts[1]}" if is_won else self.prompts[0]), True)


def places_of(line: str) -> Move:
    """Return the row and column, from 0, of the card that a line names and of its destination. Raises ValueError."""
    _, *numbers = read(rules.load("montana"), line)
    return tuple(number - 1 for number in numbers)


def read_shuffle(printed: str, before: Position) -> str | None:
    """Return the text of a board in the right layout, if it is a legal shuffle of the previous board (rows of cards);
    or None."""
    after = tableau_in(printed)
    is_same = is_same_board(printed, capture_display(montana.display, before))
    if not after or is_same and not montana.check_win(before):
        return None
    return None if fault_in_rows(rows_of(before), after) else capture_display(montana.display, as_cards(after))


def goes_beside_ace(before: Position, line: str) -> str | None:
    """Return the text of the board after a 2 is moved beside a blank, or None if a line is not such a move. The first
    handout allowed this if the blank was the ace of the 2's suit, so both readings are right."""
    try:
        source_row, source_col, dest_row, dest_col = places_of(line)
    except ValueError:
        return None
    card, dest = before[source_row][source_col], before[dest_row][dest_col]
    left = before[dest_row][dest_col - 1] if dest_col else card
    if card.rank() != montana.TWO or not montana.is_blank(dest) or not montana.is_blank(left):
        return None
    return capture_display(montana.display, swap(before, (source_row, source_col), (dest_row, dest_col)))


def near_misses(game: Game) -> Iterator[Move]:
    """Yield moves of a card with the right rank for a place, or the right suit, but not both."""
    pairs = {(row, column): card for row, cards in enumerate(game.position) for column, card in enumerate(cards)}
    for (row, column), card in pairs.items():
        left = pairs.get((row, column - 1))
        if card.rank() == montana.BLANK and left and left.rank() > montana.BLANK:
            for source, other in pairs.items():
                if other.rank() > montana.TWO and (other.rank() == left.rank() + 1) != (other.suit() == left.suit()):
                    yield "", source[0] + 1, source[1] + 1, row + 1, column + 1
