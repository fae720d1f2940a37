"""The six functions of the course's Montana by themselves, on plain lists of lists.

For a student's file: pytest tests/test_course.py --module montana=FILE --cards FILE. What the assignment
leaves open is not tested: a 2 beside a hidden ace of its suit, and rows that end after the King.
"""

import contextlib
import importlib.util
import io
import itertools
import random
import signal
import sys
from pathlib import Path

import pytest

import helpers

SUITS = "CDHS"
RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
BOARD = """\
2C 3C 4C AC 6C 7C 8C 9C 10C JC QC KC 5H
2D KD AD 3D 4D 5D 6D 7D 8D 9D 10D JD QD
AH 3H 2H 4H 6H 7H 8H 9H 10H JH QH KH 5C
3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 2S AS
"""
FUNCTIONS = "initialize display validate_move move check_win shuffle_tableau".split()


def load(name, file):
    """Return a file as a module of that name."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def cards(request):
    """The cards.py of the course, or the one of --cards."""
    return load("cards", Path(request.config.getoption("cards") or helpers.ROOT / "cards.py"))


@pytest.fixture
def in_time(request):
    """Let a test fail, where the system can do that, that takes longer than --seconds."""
    def late(*_):
        pytest.fail("it does not end", False)

    if not hasattr(signal, "setitimer"):
        return
    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, request.config.getoption("seconds"))
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def montana(cards, modules, monkeypatch, in_time, tmp_path):
    """The student's module, or ours, with those cards, in a folder where it may leave its files."""
    file = modules.get("montana", helpers.ROOT / "montana.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "cards", cards)
    monkeypatch.setattr("builtins.input", lambda *prompt: pytest.fail(
        f"{file.name} asks for input when it is imported: call main() only if __name__ == '__main__'", False))
    module = load("students_montana", file)
    missing = [name for name in FUNCTIONS if not callable(getattr(module, name, None))]
    if missing:
        pytest.fail(f"{file.name} has no function {', '.join(missing)}", False)
    return module


@pytest.fixture
def tableau(cards):
    return laid_out(cards, BOARD)


def laid_out(cards, text):
    """Return the tableau that a text shows: a list of lists of cards."""
    return [[cards.Card(RANKS.index(name[:-1]) + 1, SUITS.index(name[-1]) + 1) for name in row.split()]
            for row in text.splitlines()]


def as_text(tableau):
    """Return a tableau in that way."""
    return "".join(" ".join(f"{RANKS[card.rank() - 1]}{SUITS[card.suit() - 1]}" for card in row) + "\n"
                   for row in tableau)


def finished(cards, aces="CDHS"):
    """Return a tableau that is won, with these aces as its blanks."""
    return laid_out(cards, "".join(
        " ".join(f"{rank}{suit}" for rank in RANKS[1:]) + f" A{ace}\n" for suit, ace in zip("SHDC", aces)))


def test_initialize_deals_four_rows_of_thirteen_cards(montana):
    random.seed(7)
    tableau = montana.initialize()
    assert [len(row) for row in tableau] == [13, 13, 13, 13]
    assert len({(card.rank(), card.suit()) for row in tableau for card in row}) == 52


def test_initialize_deals_a_shuffled_deck_row_by_row_from_left_to_right(montana, cards):
    random.seed(7)
    deck = cards.Deck()
    deck.shuffle()
    dealt = [[deck.deal() for _ in range(13)] for _ in range(4)]
    random.seed(7)
    assert as_text(montana.initialize()) == as_text(dealt)


def test_display_prints_numbers_cards_and_blanks_in_columns_of_four(montana, tableau):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        montana.display(tableau)
    heading = "    " + "".join(f"{column:3d} " for column in range(1, 14)) + "\n"
    rows = [f"{number:3d}:" + "".join("    " if card.rank() == 1 else f"{card!s:>4}" for card in row) + "\n"
            for number, row in enumerate(tableau, start=1)]
    assert printed.getvalue() == heading + "".join(rows)


def test_display_changes_nothing(montana, tableau):
    with contextlib.redirect_stdout(io.StringIO()):
        montana.display(tableau)
    assert as_text(tableau) == BOARD


VALID = {
    "a card beside the one of its suit that is one lower": (2, 12, 0, 3),
    "a 2 into a blank of the leftmost column": (1, 0, 2, 0),
    "a 2 of another suit into a blank of the leftmost column": (3, 11, 2, 0),
}
INVALID = {
    "a card of another suit, though one higher": (0, 12, 0, 3),
    "a card of the suit that is not one higher": (0, 4, 0, 3),
    "a card one lower than its left neighbour": (0, 1, 0, 3),
    "any card beside a King": (1, 0, 1, 2),
    "a card beside a King of its suit": (1, 3, 1, 2),
    "a card that is no 2 into the leftmost column": (2, 1, 2, 0),
    "a card one higher than the last of the row into the leftmost column": (0, 4, 2, 0),
    "a destination that is not a blank": (2, 12, 0, 4),
    "a destination that is not a blank, in the leftmost column": (1, 0, 3, 0),
    "a blank as the source": (0, 3, 2, 0),
    "a blank onto a blank": (0, 3, 1, 2),
    "a card onto itself": (0, 0, 0, 0),
}


@pytest.mark.parametrize("what", VALID)
def test_validate_move_is_true_for(what, montana, tableau):
    assert montana.validate_move(tableau, *VALID[what]) is True
    assert as_text(tableau) == BOARD, "validate_move changes nothing"


@pytest.mark.parametrize("what", INVALID)
def test_validate_move_is_false_for(what, montana, tableau):
    assert montana.validate_move(tableau, *INVALID[what]) is False
    assert as_text(tableau) == BOARD, "validate_move changes nothing"


def test_nothing_goes_beside_a_blank(montana, cards):
    board = BOARD.replace("2D KD AD 3D", "2D AS AD 3D").replace("2S AS", "2S KD")
    assert montana.validate_move(laid_out(cards, board), 1, 3, 1, 2) is False


@pytest.mark.parametrize("what", VALID)
def test_move_swaps_the_card_and_the_blank_for(what, montana, tableau):
    source_row, source_col, dest_row, dest_col = VALID[what]
    expected = [list(row) for row in tableau]
    expected[source_row][source_col], expected[dest_row][dest_col] = (
        tableau[dest_row][dest_col], tableau[source_row][source_col])
    expected = as_text(expected)  # now, for a move may change the cards themselves
    assert montana.move(tableau, *VALID[what]) is True and as_text(tableau) == expected


@pytest.mark.parametrize("what", INVALID)
def test_move_is_false_and_changes_nothing_for(what, montana, tableau):
    assert montana.move(tableau, *INVALID[what]) is False and as_text(tableau) == BOARD


@pytest.mark.parametrize("aces", ["SHDC", "CDHS"])
def test_check_win_is_true_for_four_rows_whatever_suit_the_blanks_have(aces, montana, cards):
    tableau = finished(cards, aces)
    before = as_text(tableau)
    assert montana.check_win(tableau) is True and as_text(tableau) == before


def test_check_win_is_false_at_the_beginning(montana, tableau):
    assert montana.check_win(tableau) is False


@pytest.mark.parametrize("row", range(4))
def test_check_win_looks_at_every_row(row, montana, cards):
    tableau = finished(cards)
    tableau[row][11], tableau[row][12] = tableau[row][12], tableau[row][11]
    assert montana.check_win(tableau) is False


def test_check_win_is_false_if_the_suits_are_mixed(montana, cards):
    tableau = finished(cards)
    tableau[0][5], tableau[1][5] = tableau[1][5], tableau[0][5]
    assert montana.check_win(tableau) is False


def kept(row):
    """Return how many cards of a row are its sequence, from a 2 in the leftmost column."""
    count = 0
    while count < 12 and row[count].rank() == count + 2 and row[count].suit() == row[0].suit():
        count += 1
    return count


def test_shuffle_keeps_the_sequence_of_each_row_and_puts_one_blank_after_it(montana, tableau):
    before = [list(row) for row in tableau]
    random.seed(1)
    montana.shuffle_tableau(tableau)
    assert [len(row) for row in tableau] == [13, 13, 13, 13]
    for row, old in zip(tableau, before):
        count = kept(old)
        assert as_text([row[:count]]) == as_text([old[:count]])
        assert [card.rank() == 1 for card in row].count(True) == 1 and row[count].rank() == 1


def test_shuffle_loses_and_makes_no_card(montana, tableau):
    montana.shuffle_tableau(tableau)
    assert sorted(as_text(tableau).split()) == sorted(BOARD.split())


def test_shuffle_keeps_finished_rows(montana, cards):
    tableau = finished(cards)
    rows = as_text([row[:12] for row in tableau])
    montana.shuffle_tableau(tableau)
    assert as_text([row[:12] for row in tableau]) == rows and montana.check_win(tableau) is True


def test_shuffle_with_random_seed_100_is_the_courses_own(montana, tableau):
    """All that is loose, row by row with its blanks, is shuffled once, and dealt row by row."""
    loose = [card for row in tableau for card in row[kept(row):]]
    sequences = [row[: kept(row)] for row in tableau]
    random.seed(100)
    random.shuffle(loose)
    cards = iter([card for card in loose if card.rank() != 1])
    blank = next(card for card in loose if card.rank() == 1)
    expected = [[*row, blank, *itertools.islice(cards, 12 - len(row))] for row in sequences]
    random.seed(100)
    montana.shuffle_tableau(tableau)
    for row, wanted in zip(tableau, expected):
        assert [str(card) for card in row if card.rank() != 1] == [
            str(card) for card in wanted if card.rank() != 1]
