"""A student's program at the table: python main.py play proj10.py."""

import re
import shutil
import sys

import pytest

import helpers
from helpers import ROOT, run, run_process
from patience.records import store

PROJ10 = (ROOT / "tests" / "proj10.py").read_text(encoding="utf-8")
PROMPT = helpers.PROMPT


def play(folder, changes, typed, options=()):
    """Play a correct program with some changes (pairs of text and replacement); return what is shown."""
    text = PROJ10
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file = folder / "my_proj10.py"
    file.write_text(text, encoding="utf-8")
    game = run(["play", file, "--table", "--seed", "8", *options], "\n".join([*typed, ""]))
    assert (game.returncode, game.stderr) == (0, b"")
    return game.stdout.decode()


def test_a_right_program_is_played_as_ours_is(tmp_path):
    typed = ["8h", "s", "undo", "redo", "", "moves", "1", "4 1 1 1", "q"]
    ours = run(["montana", "--table", "--seed", "8"], "\n".join([*typed, ""])).stdout.decode()
    ours = re.sub(r"Saved\. .*\n| · 0:\d\d|From now on, .*\n", "", ours)  # a game from a student's file is not saved
    told = "A card moves into the blank to the right of the card one rank below it in its\nsuit. 8s moves the 8♠ there, and s shuffles.\n"
    assert play(tmp_path, [], typed) == ours.replace(told, "") and "Undone: shuffle" in ours


FAULTS = {
    "any card into the first column": (
        [("        return card.rank() == 2\n", "        return True\n")],
        ["s"],
        "validate_move(0, 2, 2, 0) is True here; by the assignment False: Q♠ goes only beside J♠, into row 3, column 4,"
        " where 4♠ lies.",
    ),
    "move returns nothing": (
        [("    tableau[dest_row][dest_col] = card\n    return True\n", "    tableau[dest_row][dest_col] = card\n")],
        ["8h", "q"],
        "move(0, 8, 1, 7) returns None here; by the assignment True: 10♠ goes there.",
    ),
    "move leaves a copy": (
        [("    tableau[source_row][source_col] = tableau[dest_row][dest_col]\n", "")],
        ["8h", "q"],
        "move(0, 8, 1, 7) puts the cards in another order; by the assignment the card and the blank change places: 10♠",
    ),
    "a win too early": (
        [("        if sequence_length(row) < 12:\n            return False\n", "        pass\n")],
        ["q"],
        "check_win is True here; by the assignment False: not every row is in order up to its King.",
    ),
    "a card lost": (
        [("        while len(row) < COLUMNS:\n", "        while len(row) < COLUMNS - 1:\n")],
        ["s", "s", "q"],
        "2 shuffles left shuffle_tableau does not leave the 52 cards in 4 rows of 13.",
    ),
    "a deal of three rows": (
        [("    for r in range(ROWS):\n        row = []", "    for r in range(3):\n        row = []")],
        ["q"],
        "initialize does not return the 52 cards in 4 rows of 13: these are dealt by the assignment.",
    ),
    "validate_move moves": (
        [
            ("    if not validate_move(tableau, source_row", "    if not is_valid(tableau, source_row"),
            ("def validate_move(", "def is_valid("),
            ("def move(", "def validate_move(tableau, *places):\n    return move(tableau, *places)\n\n\ndef move("),
        ],
        ["q"],
        "validate_move changes the tableau; by the assignment it only answers.",
    ),
    "nothing is shuffled": (
        [("    random.shuffle(loose)\n", "")],
        ["q"],
        "shuffle_tableau puts the cards into the same order each time; by the assignment they are shuffled.",
    ),
    "a new list": (
        [("    loose, blanks = [], []\n", "    loose, blanks = [], []\n    tableau = [row[:] for row in tableau]\n")],
        ["s", "q"],
        "2 shuffles left shuffle_tableau leaves the tableau as it was; by the assignment it changes the list that it is",
    ),
    "a deck as it comes": (
        [("    deck.shuffle()\n", "")],
        ["q"],
        "initialize deals a deck that is not shuffled.",
    ),
    "a board without numbers": (
        [('        print("{:3d} ".format(c), end="")\n', "        pass\n")],
        ["q"],
        "display prints this line: 1: 2♦ J♦ Q♦ 9♣ K♣ 7♠ 3♣ 6♣ 10♠ 3♦ 7♥ K♦ By the assignment it is: 1 2 3 4 5 6 7 8 9",
    ),
    "no such function": (
        [("def check_win(", "def is_won("), ("check_win(", "is_won(")],
        ["q"],
        "my_proj10.py has no check_win.",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_once_and_the_game_goes_on(name, tmp_path):
    changes, typed, told = FAULTS[name]
    shown = play(tmp_path, changes, [*typed[:-1], "board", "9h", typed[-1]])
    assert " ".join(shown.split()).count(told) == 1, shown
    assert "Traceback" not in shown and shown.endswith("Thank you for playing.\n")


def test_a_win_of_a_search_is_no_fault_of_the_board_that_is_shown(tmp_path):
    shown = play(
        tmp_path,
        [("        if sequence_length(row) < 12:", "        if sequence_length(row) < 13:")],
        ["hint", "", "q"],
    )
    assert "check_win is" not in shown and "wins for certain" in shown


def test_a_loop_that_asks_at_the_top_does_not_begin(tmp_path):
    change = (
        'if __name__ == "__main__":\n    main()',
        'ALLOWED = []\nALLOWED.append(2)\nwhile True:\n    print(input("> "))',
    )
    assert "8♥ beside 7♥" in play(tmp_path, [change], ["8h", "q"])


def test_a_file_is_kept_only_by_save_and_goes_on_as_itself(tmp_path, home):
    shown = play(tmp_path, [], ["8h", "q"])
    assert "Saved" not in shown and store.in_progress() == []
    kept = tmp_path / "game.txt"
    play(tmp_path, [], ["8h", "q"], ["--save", kept])
    assert store.in_progress() == [] and kept.read_text() == "# montana --seed 8\n3 13 1 12\n"
    again = play(tmp_path, [("    return True\n\n\ndef sequence", "\n\ndef sequence")], ["q"], ["--save", kept])
    assert "8 · 1 move" in again and "returns None here" in again and f"play {tmp_path}/my_proj10.py --save" in again


def test_an_error_is_shown_from_the_students_own_line_on(tmp_path):
    change = ("    left = tableau[dest_row][dest_col - 1]\n", "    left = tableau[dest_row][dest_col - 100]\n")
    shown = " ".join(play(tmp_path, [change], ["8h", "board", "q"]).split())
    assert shown.count("validate_move(0, 0, 0, 11) ends in an error; by the assignment it has none.") == 1
    assert "IndexError: list index out of range" in shown and 'my_proj10.py", line 4' in shown
    assert "patience/" not in shown and "8♥ beside 7♥" in shown


@pytest.mark.parametrize("form", [0, 1])
def test_both_readings_of_a_2_beside_a_blank_are_right(form, tmp_path):
    change = ("    return left.rank() != 1 and ", "    return left.rank() + 1 == card.rank() and ")
    shown = play(tmp_path, [change] * form, ["s", "q"])
    assert "by the assignment" not in shown


def test_a_main_without_a_guard_and_prints_of_its_own_do_not_disturb(tmp_path):
    changes = [
        ('if __name__ == "__main__":\n    main()', "print('hello')\nmain()"),
        ('    """Return True if a move is allowed."""\n', '    print("debug", source_row)\n'),
    ]
    shown = play(tmp_path, changes, ["8h", "q"])
    assert "hello" not in shown and "debug" not in shown and "8♥ beside 7♥" in shown


@pytest.mark.parametrize(
    "text, told",
    [("def f(:\n", "invalid syntax"), ("x = 1 / 0\n", "ZeroDivisionError"), ("", "has no initialize yet.")],
)
def test_a_file_that_does_not_start_is_told(text, told, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(text)
    game = run_process(["play", file])
    assert game.returncode == 1 and told in game.stderr.decode() and b"patience/" not in game.stderr
    assert game.stdout == b""


def test_a_module_in_the_form_of_the_contract_is_played(tmp_path, monkeypatch):
    shutil.copy(ROOT / "tests" / "accordion.py", tmp_path / "squeezebox.py")
    game = run(["play", tmp_path / "squeezebox.py", "--table", "--seed", "1"], "moves\nhint\nq\n")
    assert game.returncode == 0 and b"Deal 1: " in game.stdout and b"Traceback" not in game.stderr
    sys.modules.pop("squeezebox", None)


def test_a_students_file_in_the_place_of_montana_is_played_at_the_table_and_by_scripts(tmp_path):
    project = helpers.copy_project(helpers.make_folder(tmp_path / "project"))
    shutil.copy(ROOT / "tests" / "proj10.py", project / "montana.py")
    for start, script in (
        ("montana --seed 8", "3 13 1 12\nq\nn\n"),
        ("montana --seed 8 --table", "8h\nundo\nhint\nq\n"),
    ):
        theirs = run_process(start, script, project)
        assert (theirs.returncode, theirs.stderr) == (0, b"") and b"Thank you for playing.\n" in theirs.stdout
        assert b"Undone: 8" in theirs.stdout or "table" not in start
    ended = run_process("montana --seed 8", "s\n", project)  # its main() does not check for the end of the input
    assert (ended.returncode, ended.stderr) == (0, b"") and ended.stdout.count(b"4:  ") == 2
    script, expected = ((helpers.COURSE / f"montana-course1.{end}").read_bytes() for end in ("in", "out"))
    assert run_process("montana --seed 100 --deck course.deck", script, project, helpers.COURSE).stdout == expected
