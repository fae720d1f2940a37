"""A student's program at the table: python main.py play proj10.py."""

import re
import shutil
import sys

import click
import pytest

import helpers
import main
from helpers import ROOT, run, run_process
from in_process import alter
from patience import limits
from patience.decks import Deal
from patience.table.records.kept_options import command_again
from patience.games.student_file import load_file


def play(folder, typed, *changes):
    """Play a correct program with some changes, as for alter; return what is shown."""
    file = folder / "my_proj10.py"
    file.write_text(alter(*changes), encoding="utf-8")
    game = run(["play", file, "--seed", "8"], "\n".join([*typed, ""]))
    assert (game.returncode, game.stderr) == (0, b"")
    return game.stdout.decode()


def test_a_right_program_is_played_as_ours_is(tmp_path, quick):
    typed = ["8h", "s", "undo", "redo", "", "moves", "1", "4 1 1 1", "q"]
    ours = run(["play", "montana", "--seed", "8"], "\n".join([*typed, ""])).stdout.decode()
    ours = re.sub(r"Saved\. .*\n| · 0:\d\d|From now on, .*\n", "", ours)  # a game from a student's file is not saved
    told = "A card moves into the blank to the right of the card one rank below it in its\nsuit. 8s moves the 8♠ there, and s shuffles.\n"
    assert play(tmp_path, typed) == ours.replace(told, "") and "Undone: shuffle" in ours


def test_an_error_is_shown_from_the_students_own_line_on(tmp_path):
    change = ("    left = tableau[dest_row][dest_col - 1]\n", "    left = tableau[dest_row][dest_col - 100]\n")
    shown = " ".join(play(tmp_path, ["8h", "board", "q"], *change).split())
    assert shown.count("validate_move(0, 0, 0, 11) raises an error; it should not.") == 1
    assert "IndexError: list index out of range" in shown and 'my_proj10.py", line 4' in shown
    assert "patience/" not in shown and "8♥ after 7♥" in shown
    shown = play(tmp_path, ["board", "q"], "    return tableau\n", "    return missing\n")
    assert shown.count("initialize() raises an error; it should not.\nTraceback") == 1


@pytest.mark.parametrize("statement, told", [
    ("while True:\n        pass", "check_win did not return within"), ("quit()", "check_win ends the program."),
])  # fmt: skip
def test_a_function_that_does_not_come_back_or_ends_the_program_is_told(statement, told, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.1)
    right = '"""Return True if all rows are in order."""\n'
    shown = play(tmp_path, ["8h", "q"], right, f"{right}    {statement}\n")
    assert told in shown and re.search(r'my_proj10.py",\s+line', shown) and "limits.py" not in shown
    assert "8♥ after 7♥" in shown, "it goes on by the assignment"


@pytest.mark.parametrize("text, told", [
    ("while True:\n    pass\n", "did not finish loading: it was at line"), ("import sys\nsys.exit()\n", "has no initialize yet"),
])  # fmt: skip
def test_a_file_that_never_ends_or_ends_the_program_is_told(text, told, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.1)
    (tmp_path / "mygame.py").write_text(text, encoding="utf-8")
    game = run(["play", tmp_path / "mygame.py"])
    assert game.returncode == 1 and told in game.stderr.decode() and game.stdout == b""
    sys.modules.pop("mygame", None)


def test_the_board_in_play_is_not_the_students_and_a_deal_of_another_shape_is_told(tmp_path):
    shown = play(tmp_path, ["hint", "", "q"], "    tableau = []\n", "    global tableau\n    tableau = []\n")
    assert "8 · 1 move" in shown and "initialize" not in shown
    (tmp_path / "proj10.py").write_text(
        alter("range(ROWS):\n        row = []", "range(13):\n        row = []"), encoding="utf-8"
    )
    game = run(["play", tmp_path / "proj10.py", "--deck", helpers.COURSE / "course.deck"], "q\n")
    assert game.returncode == 0 and b"initialize does not return a list of lists of cards." in game.stdout


@pytest.mark.parametrize("text, told", [("def f(:\n", "invalid syntax"), ("x = 1 / 0\n", "ZeroDivisionError")])
def test_a_file_that_does_not_start_is_told(text, told, tmp_path):
    (tmp_path / "broken.py").write_text(text, encoding="utf-8")
    game = run(["play", tmp_path / "broken.py"])
    assert game.returncode == 1 and told in game.stderr.decode() and b"patience/" not in game.stderr
    assert game.stdout == b""


def test_a_module_in_the_form_of_the_contract_is_played(tmp_path, quick):
    shutil.copy(ROOT / "tests" / "accordion.py", tmp_path / "squeezebox.py")
    game = run(["play", tmp_path / "squeezebox.py", "--seed", "1"], "moves\nhint\nq\n")
    assert game.returncode == 0 and b"Deal 1: " in game.stdout and b"Traceback" not in game.stderr
    sys.modules.pop("squeezebox", None)


def test_what_deals_a_game_again_names_its_file_and_its_options(tmp_path, monkeypatch):
    file = tmp_path / "my game.py"
    shutil.copy(ROOT / "klondike.py", file)
    monkeypatch.setattr(sys, "path", [*sys.path])
    deal = Deal(load_file(str(file), {}), {"draw": "1"}, 8)
    with click.Context(main.main):
        assert command_again(deal) == f"play '{file}' --draw 1 --seed 8"


@pytest.mark.parametrize("cards_of, change, told", [
    ("", (), ""), ("A♣", (), ""), ("8♥", (), ""),
    ("8♥", ("    deck.shuffle()\n", "    deck.shuffle()\n    deck.display()\n"), ""),
    ("", ('"""Print the tableau."""\n', '"""All."""\n    random.seed(1)\n    tableau[0][0].flip_card()\n'), ""),
    ("", ('"""Return True if all rows are in order."""\n', '"""All."""\n    raise GeneratorExit\n'), "check_win raises GeneratorExit."),
])  # fmt: skip
def test_what_a_students_function_does_elsewhere_changes_nothing_at_the_table(cards_of, change, told, tmp_path):
    """With a deck, be it in order or not, and without; chance, and the cards on the table."""
    (tmp_path / "my.py").write_text(alter(*change), encoding="utf-8")
    pack = [f"{rank}{suit}" for suit in "♣♦♥♠" for rank in ("A", *range(2, 11), *"JQK")]
    at = pack.index(cards_of) if cards_of else 0
    deck = ["--deck", " ".join(pack[at:] + pack[:at])] if cards_of else []
    start, typed = ["--seed", "8", *deck], "s\n4 1 1 1\nq\n"
    ours, theirs = (run(["play", file, *start], typed).stdout.decode() for file in ("montana", tmp_path / "my.py"))
    last = [re.findall(r"\n  1:.{4}(.*)", shown.replace("--", "  "))[-1].rstrip() for shown in (ours, theirs)]
    assert last[0] == last[1] and "There is no card to move." in theirs
    assert told in theirs and (told or "display prints" in theirs or "should" not in theirs)


def test_a_deck_is_dealt_to_a_file_that_imports_the_deck_and_the_shuffle_by_name(tmp_path):
    project = helpers.copy_project(helpers.make_folder(tmp_path / "project"))
    text = (ROOT / "tests" / "proj10.py").read_text(encoding="utf-8")
    text = text.replace("import cards\n", "from cards import Deck\nfrom random import shuffle\n")
    text = text.replace("cards.Deck()\n    deck.shuffle()", "Deck()\n    shuffle([])")
    (project / "montana.py").write_text(text.replace("random.shuffle(", "shuffle("), encoding="utf-8")
    script, expected = ((helpers.COURSE / f"montana-course1.{end}").read_bytes() for end in ("in", "out"))
    done = run_process("montana --seed 100 --deck course.deck", script, project, helpers.COURSE)
    assert (done.stdout, done.stderr) == (expected, b"")


def test_a_students_file_in_the_place_of_montana_is_played_at_the_table_and_by_scripts(tmp_path):
    project = helpers.copy_project(helpers.make_folder(tmp_path / "project"))
    shutil.copy(ROOT / "tests" / "proj10.py", project / "montana.py")
    for start, script in (
        ("montana --seed 8", "3 13 1 12\nq\nn\n"),
        ("play montana --seed 8", "8h\nundo\nq\n"),
    ):
        theirs = run_process(start, script, project)
        assert (theirs.returncode, theirs.stderr) == (0, b"") and b"Thank you for playing.\n" in theirs.stdout
        assert b"Undone: 8" in theirs.stdout or "table" not in start
    ended = run_process("montana --seed 8", "s\n", project)  # its main() does not check for the end of the input
    assert (ended.returncode, ended.stderr) == (0, b"") and ended.stdout.count(b"4:  ") == 2
    script, expected = ((helpers.COURSE / f"montana-course1.{end}").read_bytes() for end in ("in", "out"))
    assert run_process("montana --seed 100 --deck course.deck", script, project, helpers.COURSE).stdout == expected
