"""Montana's rules, one function of the assignment at a time, and its commands."""

import ast
import itertools
import random
import shutil
import subprocess
import sys

import pytest

import montana
from helpers import COURSE, ROOT, SECONDS, card, pairs, rules_of
from patience.decks import PACK

#           1  2  3  4  5  6  7  8  9  10 11 12 13
GAME = """
            2C 3C 4C AS 5C 7C 8C 9C 6C JC QC KC 10C
            AD 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH
            AH AC 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS
            2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD KS
"""


def rows(text):
    """Return a plain list of lists of cards, from text with one row per line."""
    return [[card(name) for name in line.split()] for line in text.strip().split("\n")]


def names(row):
    """Return the cards of a row as text, the blanks as --."""
    return " ".join("--" if card.rank() == 1 else str(card) for card in row)


@pytest.mark.parametrize(
    "text",
    ["2C 3C 4C AS\nAC 5C", "2C 3C\n2D 3D", "AC AD AH AS\n2C", "KC\nQC JC 10C 9C AS 8C", "5C AC AD AH\n6C"],
    ids=["short", "all in sequence", "more blanks than rows", "one card", "one blank too many"],
)
def test_rows_of_any_length(text, capsys):
    """A course's own tests may have rows of any length; only the shuffle needs four rows of thirteen."""
    tableau = rows(text)
    montana.display(tableau)
    assert capsys.readouterr().out.count("\n") == 1 + len(tableau)
    legal = rules_of("montana").legal_moves(tableau)
    for numbers in itertools.product(range(-2, 5), range(-2, 15), range(-2, 5), range(-2, 15)):
        chosen = "", *(number + 1 for number in numbers)
        assert montana.validate_move(tableau, *numbers) is (chosen in legal)
        assert rules_of("montana").validate_move(tableau, *chosen) is (chosen in legal)


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


@pytest.mark.parametrize("session", ["montana-course1", "montana-course2", "montana-course3", "montana-again"])
def test_its_main_prints_the_courses_sessions_to_the_byte(session, tmp_path):
    """The module is the assignment: it is played with only the course's cards.py beside it."""
    shutil.copy(ROOT / "montana.py", tmp_path)
    other_cards = (ROOT / "tests" / "other_cards.py").read_text(encoding="utf-8")  # they deal the course's deck
    (tmp_path / "cards.py").write_text(f"import random\nrandom.seed(100)\n{other_cards}", encoding="utf-8")
    first, _, typed = (COURSE / f"{session}.in").read_text(encoding="utf-8").partition("\n")
    assert first == "# montana --seed 100 --deck course.deck"
    command = [sys.executable, "-X", "utf8", "montana.py"]
    done = subprocess.run(command, input=typed.encode(), cwd=tmp_path, capture_output=True, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, b"")
    expected = (COURSE / f"{session}.out").read_text(encoding="utf-8").translate(str.maketrans("♣♦♥♠", "cdhs"))
    assert done.stdout.decode() == expected


def test_it_has_the_six_functions_of_the_handout_and_fits_on_paper():
    text = (ROOT / "montana.py").read_text(encoding="utf-8")
    parameters = {
        node.name: [one.arg for one in node.args.args] for node in ast.parse(text).body if hasattr(node, "args")
    }
    move = ["tableau", "source_row", "source_col", "dest_row", "dest_col"]
    assert parameters["initialize"] == [] and parameters["move"] == parameters["validate_move"] == move
    assert all(parameters[name] == ["tableau"] for name in ("display", "check_win", "shuffle_tableau"))
    assert len(text.splitlines()) <= 220 and max(map(len, text.splitlines())) <= 80
    tableau = montana.initialize()
    assert type(tableau) is list and [type(row) for row in tableau] == 4 * [list]
