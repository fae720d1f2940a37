"""Montana's rules, function by function of the assignment, and its commands."""

import itertools
import random
import shutil
import subprocess
import sys

import pytest

import cards
import montana
from grading.montana import TEXTS
from helpers import ROOT, card, pairs, run
from patience import decks
from patience.decks import PACK

COMPLETE = [
    f"2{suit} 3{suit} 4{suit} 5{suit} 6{suit} 7{suit} 8{suit} 9{suit} 10{suit} J{suit} Q{suit} K{suit} A{suit}"
    for suit in "CDHS"
]

#           1  2  3  4  5  6  7  8  9  10 11 12 13
GAME = """
            2C 3C 4C AS 5C 7C 8C 9C 6C JC QC KC 10C
            AD 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH
            AH AC 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS
            2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD KS
"""


def rows(text):
    """Return a plain list of lists of cards, from a row a line."""
    return [[card(name) for name in line.split()] for line in text.strip().split("\n")]


def names(row):
    """Return the cards of a row as text, the blanks as --."""
    return " ".join("--" if card.rank() == 1 else str(card) for card in row)


def test_initialize_deals_row_by_row():
    random.seed(3)
    deck = cards.Deck()
    deck.shuffle()
    order = [deck.deal() for _ in range(52)]
    random.seed(3)
    tableau = montana.initialize()
    assert [len(row) for row in tableau] == [13, 13, 13, 13]
    assert [card for row in tableau for card in row] == order


def test_initialize_deals_the_deck_that_is_in_the_place_of_the_courses():
    with decks.stacked([cards.Card(*pair) for pair in decks.PACK[::-1]]):
        tableau = montana.initialize()
    assert tableau[0][0] == card("KS") and tableau[3][12] == card("AC")


@pytest.mark.parametrize(
    "text",
    ["2C 3C 4C AS\nAC 5C", "2C 3C\n2D 3D", "AC AD AH AS\n2C", "KC\nQC JC 10C 9C AS 8C", "5C AC AD AH\n6C"],
    ids=["short", "all in sequence", "more blanks than rows", "one card", "one blank too many"],
)
def test_rows_of_any_length(text, capsys):
    """Every function takes them; no card is lost, and no row grows or shrinks."""
    tableau = rows(text)
    montana.display(tableau)
    assert capsys.readouterr().out.count("\n") == 1 + len(tableau)
    legal = montana.legal_moves(tableau)
    for numbers in itertools.product(range(-2, 5), range(-2, 15), range(-2, 5), range(-2, 15)):
        assert montana.validate_move(tableau, *numbers) is (numbers in legal)
    lengths, before = [len(row) for row in tableau], pairs(sum(tableau, []))
    for seed in range(20):
        random.seed(seed)
        montana.shuffle_tableau(tableau)
        assert [len(row) for row in tableau] == lengths and pairs(sum(tableau, [])) == before


def test_shuffle_keeps_sequences_and_puts_the_blank_behind_them():
    tableau = rows(GAME)
    random.seed(5)
    montana.shuffle_tableau(tableau)
    assert names(tableau[0]).startswith("2♣ 3♣ 4♣ -- ")
    assert names(tableau[1]).startswith("-- ")
    assert names(tableau[2]).startswith("-- ")
    assert names(tableau[3]) == "2♦ 3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦ --"
    assert [names(row).count("--") for row in tableau] == [1, 1, 1, 1]
    assert pairs(sum(tableau, [])) == sorted(PACK)


def test_shuffle_shuffles_once_blanks_included_and_deals_in_order():
    tableau = rows(GAME)
    loose = tableau[0][3:] + tableau[1] + tableau[2] + tableau[3][12:]
    random.seed(11)
    random.shuffle(loose)
    order = [str(card) for card in loose if card.rank() != 1]
    random.seed(11)
    montana.shuffle_tableau(tableau)
    dealt = names(tableau[0][4:] + tableau[1][1:] + tableau[2][1:])
    assert dealt.split() == order


def test_shuffle_with_three_complete_rows_leaves_them():
    tableau = rows("\n".join(COMPLETE))
    tableau[3][1], tableau[3][2] = tableau[3][2], tableau[3][1]
    random.seed(2)
    montana.shuffle_tableau(tableau)
    for row, complete in zip(tableau[:3], COMPLETE):
        assert names(row[:12]).replace("♣", "C").replace("♦", "D").replace("♥", "H") == complete[:-3]
        assert row[12].rank() == 1
    assert names(tableau[3]).startswith("2♠ -- ")


def test_a_row_of_thirteen_cards_loses_the_last_in_a_shuffle():
    tableau = rows(GAME)
    for seed in range(5):
        random.seed(seed)
        montana.shuffle_tableau(tableau)
        assert tableau[3][12].rank() == 1, "the King of spades was behind the complete row"


@pytest.mark.parametrize("shuffles", montana.OPTIONS["shuffles"])
def test_there_are_as_many_shuffles_as_the_option_says(shuffles):
    tableau = montana.initialize(shuffles=shuffles)
    for left in range(int(shuffles), 0, -1):
        assert montana.status(tableau) == f"{left} shuffle{'s' if left > 1 else ''} left"
        assert montana.refusal(tableau, "s") is None
        montana.perform(tableau, "s")
    assert montana.refusal(tableau, "s") == "No more shuffles remain."
    assert montana.refusal(tableau, 4, 0, 1, 13) == "There is no row 5, column 1."
    assert montana.refusal(tableau, 0, 0, 1, 13) == "There is no row 2, column 14."
    assert ("s",) not in montana.legal_moves(tableau)


def test_a_line_of_blanks_is_invalid_input():
    shown = run("montana --seed 1", " \n\t\nq\nn\n").stdout.decode()
    assert shown.count("Error: invalid input.  Please try again.\n") == 2


def test_what_stands_above_the_last_heading_is_the_whole_assignment(tmp_path):
    """It runs alone with the assignment's main(), and has none of the rest."""
    whole = (ROOT / "montana.py").read_text(encoding="utf-8")
    upper, heading, lower = whole.partition("\n# For hints and consoles\n")
    assert (
        heading
        and "def refusal(" in lower
        and not any(f"def {name}(" in upper for name in ("perform", "check_loss", "read"))
    )
    (tmp_path / "montana.py").write_text(upper, encoding="utf-8")
    shutil.copy(ROOT / "cards.py", tmp_path)
    main = (ROOT / "grading" / "montana_main.py").read_text(encoding="utf-8")
    (tmp_path / "main.py").write_text(f"import random\nrandom.seed(100)\n{main}", encoding="utf-8")
    typed = "4 13 1 10\n1 1 1 1\nx\n9 9 9 9\ns\ns\ns\nq\ny\nq\nn\n"
    done = subprocess.run([sys.executable, "main.py", *TEXTS], input=typed.encode(), cwd=tmp_path, capture_output=True)
    assert done.returncode == 0 and done.stdout == run("montana --seed 100", typed).stdout, done.stderr.decode()
