"""Montana is the assignment: its functions, its main(), and rows of any length; its rules are in montana.txt."""

import ast
import itertools
import shutil
import subprocess
import sys

import pytest

import montana
from helpers import COURSE, ROOT, SECONDS, copy_project, pile, rules_of, run_process
from patience.games.montana_faults import goes_beside_blank


def test_a_2_goes_beside_a_blank_as_one_handout_had_it():
    rows = [pile("AC AD 2C AH 2D"), pile("KC AS 3C JC QC")]
    dests = [(row, column) for row in range(2) for column in range(5) if goes_beside_blank(rows, (0, 4), (row, column))]
    assert dests == [(0, 0), (0, 1)]


@pytest.mark.parametrize("rows", [
    "2C 3C 4C AS / AC 5C", "2C 3C / 2D 3D", "AC AD AH AS / 2C", "KC / QC JC 10C 9C AS 8C", "5C AC AD AH / 6C",
], ids=["short", "all in sequence", "more blanks than rows", "one card", "one blank too many"])  # fmt: skip
def test_rows_of_any_length(rows, capsys):
    """A course's own tests may have rows of any length; only the shuffle needs four rows of thirteen."""
    tableau, rules = [pile(row) for row in rows.split(" / ")], rules_of("montana")
    montana.display(tableau)
    assert capsys.readouterr().out.count("\n") == 1 + len(tableau)
    legal = rules.legal_moves(tableau)
    for numbers in itertools.product(range(-2, 5), range(-2, 15), range(-2, 5), range(-2, 15)):
        chosen = "", *(number + 1 for number in numbers)
        assert montana.validate_move(tableau, *numbers) is (chosen in legal)
        assert rules.validate_move(tableau, *chosen) is (chosen in legal)


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


def test_a_changed_rule_counts_at_the_table_and_no_sentence_contradicts_it(monkeypatch):
    tableau, rules = [pile("2C AC 4C 3D"), pile("3C AD 5H 4H")], rules_of("montana")
    onto_2, beside_3 = ("", 1, 4, 1, 2), ("", 2, 4, 2, 2)
    assert rules.refusal(tableau, *onto_2) == "3♦ goes only after the card of its suit that is one lower."
    assert rules.refusal(tableau, *beside_3) == "4♥ goes only after the card of its suit that is one lower."
    monkeypatch.setattr(montana, "follows", lambda card, left: card.rank() == left.rank() + 1)
    assert onto_2 in rules.legal_moves(tableau) and rules.refusal(tableau, *onto_2) is None
    monkeypatch.setattr(montana, "validate_move", lambda *_: False)
    assert rules.legal_moves(tableau) == [("S",)]
    assert rules.refusal(tableau, "", 2, 1, 1, 2) == "validate_move does not allow it."


def test_the_shuffles_of_the_file_are_those_of_the_table(tmp_path):
    project = copy_project(tmp_path)
    text = (project / "montana.py").read_text(encoding="utf-8").replace("SHUFFLES = 2", "SHUFFLES = 5")
    (project / "montana.py").write_text(text, encoding="utf-8")
    shown = run_process("play montana --seed 8", "s\n", project).stdout.decode()
    assert "5 shuffles left" in shown and "4 shuffles left" in shown
