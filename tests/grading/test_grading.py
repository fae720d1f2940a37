"""The command grade, as a teacher uses it: a class, sessions, functions, reports, and what students try."""

import contextlib
import csv
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from pathlib import Path

import click
import pytest

import helpers
from grading import answers, functions, judging, programs
from helpers import ROOT, run

PROJ10 = (ROOT / "tests" / "proj10.py").read_text()
NAMES = [*sorted(path.stem for path in helpers.COURSE.glob("*.in")), "functions"]
POINTS = {**dict.fromkeys(NAMES, 12.5), "functions": 25}


def changed(*changes):
    """Return a right program with faults: a text, what stands in its place, and so on."""
    text = PROJ10
    for old, new in zip(changes[::2], changes[1::2]):
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture
def graded(tmp_path):
    """A function that grades a class, a dict of student -> text or dict of files; it returns the process, the rows of
    the table by student, and the feedback."""

    def grade(students, options="", sandbox="none", jobs=1):
        folder = tmp_path / "class"
        for student, files in students.items():
            (folder / student).mkdir(parents=True, exist_ok=True)
            for name, text in ({"proj10.py": files} if isinstance(files, str) else files).items():
                (folder / student / name).write_text(text)
        written = f"--csv {tmp_path / 'grades.csv'} --feedback {tmp_path / 'out'}"
        done = run(f"grade {folder} {written} --jobs {jobs} --sandbox {sandbox} {options}")
        with open(tmp_path / "grades.csv", newline="", encoding="utf-8-sig") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        return done, rows, {student: (tmp_path / "out" / f"{student}.txt").read_text() for student in students}

    return grade


@pytest.fixture
def one(tmp_path):
    """An option: a folder with one session, in which there is a shuffle."""
    folder = helpers.made(tmp_path / "one")
    for path in [*helpers.COURSE.glob("*.deck"), *helpers.COURSE.glob("montana-course2.*")]:
        shutil.copy(path, folder)
    return f"--sessions {folder}"


def grade_one(graded, text, options=""):
    """Grade one program by its sessions; return its row and its feedback."""
    _, rows, told = graded({"ada": text}, options or f"--sessions {helpers.COURSE}")
    return rows["ada"], told["ada"]


# Points


def test_a_right_program_has_full_points_and_the_status_is_0(graded):
    done, rows, told = graded({"ada": PROJ10})
    assert (done.returncode, done.stdout) == (0, b"ada: 100 of 100 points, 100.0 %\n")
    row = rows["ada"]
    assert {name: row[name] for name in NAMES} == {name: f"{points:g}" for name, points in POINTS.items()}
    assert (row["points"], row["maximum"], row["percent"], row["remarks"]) == ("100", "100", "100.0", "")
    assert told["ada"].startswith("ada: 100 of 100 points, 100.0 %\n")
    assert (row["win"], row["another game"], row["check_win()"]) == ("1 of 1", "3 of 3", "7 of 7")


EVERYWHERE = dict.fromkeys(NAMES[:-1], 1)
INPUT = "words = choice.split()\n            if choice == "
AGAIN, BEGIN = 'while again == "y":\n', '        print("Montana Solitaire.")\n        tableau = initialize()'
# fault: what it costs, or None if the sessions do not see it; what stands in the program, and what stands there instead.
FAULTS = {
    "won": ({"montana-course1": 1}, 'print("You won!")', 'print("You have won!")'),
    "one-shuffle-more": (
        {"montana-capitals": 1, "montana-course2": 1, "montana-course3": 1}, "if shuffles > 0:", "if shuffles >= 0:"),
    "title": ({**EVERYWHERE, "montana-again": 3, "montana-course3": 2}, 'print("Montana Solitaire.")', 'print("Montana")'),
    "bye": (EVERYWHERE, "Thank you for playing.", "Bye."),
    "capitals": ({"montana-capitals": 6}, "input(MENU).lower()", "input(MENU)"),
    "mixed": ({"montana-mixed": 1}, "row[count].suit() == row[0].suit()", "True"),
    "no-such-text": (None, "Error: invalid move.  Please", "Error: not allowed.  Please"),
    "no-shuffle": (None, INPUT + '"s"', INPUT + '"S"'),
    "old-board": (None, AGAIN + BEGIN, "tableau = initialize()\n    " + AGAIN + BEGIN.partition("\n")[0]),
    "no-newline": (EVERYWHERE, 'print("Thank you for playing.")', 'print("Thank you for playing.", end="")'),
    "newlines": (EVERYWHERE, 'print("Thank you for playing.")', 'print("Thank you for playing.\\n")'),
    "prompt": (None, "dest_col: ", "dest_col:"),
}  # fmt: skip
ONLY_BLANKS = ("no-newline", "newlines", "prompt")


def test_a_fault_costs_the_answers_that_are_wrong_and_no_others_and_blanks_only_if_they_are_to_be_exact(graded, one):
    students = {name: changed(*change) for name, (_, *change) in FAULTS.items()}
    _, rows, told = graded(students, f"--sessions {helpers.COURSE}", jobs=2)
    for name, (lost, *_) in FAULTS.items():
        found = {part for part in NAMES[:-1] if float(rows[name][part]) < 16.6}
        assert found == set(lost) if lost else found, (name, found)
        assert ("blanks: costs half a kind" in told[name]) == (name in ONLY_BLANKS)
    students = {name: students[name] for name in ONLY_BLANKS}
    _, rows, told = graded(students, f"{one} --blanks exact", jobs=2)
    assert all("·" in text or "⏎" in text for text in told.values()), told
    _, rows, told = graded(students, f"{one} --blanks ignore", jobs=2)
    for name in ONLY_BLANKS:
        assert rows[name]["percent"] == "100.0" and "blanks" not in told[name]


def test_a_remark_costs_what_the_penalty_says(graded):
    text = changed('print("Thank you for playing.")', 'print("Thank you for playing."); open("x.txt", "w"); exit(3)')
    done, rows, told = graded({"ada": text}, f"--sessions {helpers.COURSE}", jobs=2)
    assert done.returncode == 0 and rows["ada"]["percent"] == "100.0"
    assert told["ada"].count("It ends with exit status 3. (montana-again, ") == 1
    assert told["ada"].count("It leaves files behind: x.txt. (montana-again, ") == 1
    done, rows, told = graded({"ada": text}, f"--sessions {helpers.COURSE} --penalty 2.5")
    assert done.returncode == 1 and float(rows["ada"]["points"]) == 100 - 2 * 2.5


def test_a_session_can_be_worth_more(graded):
    done, rows, _ = graded(
        {"ada": changed('print("You won!")', "pass")}, "--points montana-course1=100 --points functions=10 --out-of 200"
    )
    assert rows["ada"]["maximum"] == "200"
    assert float(rows["ada"]["montana-course1"]) == 75, "its win is one of four kinds"


VALIDATE, MOVE, WON = (re.compile(rf"(def {name}\(.*?\):\n)") for name in ("validate_move", "move", "check_win"))


def returning_false(text, *functions):
    """Return a program in which some functions only return False."""
    for function in functions:
        text = function.sub(r"\1    return False\n", text)
    return text


STUCK = """
rows = ["2♣  3♣  4♣  5♣  6♣  7♣  8♣  9♣ 10♣  J♣  Q♣  K♣    ".replace("♣", suit) for suit in "♣♦♥♠"]
BOARD = "".join(f"{number:3d}:  {row}\\n" for number, row in enumerate(rows, 1))
print("Montana Solitaire.")
while True:
    print("    " + "".join(f"{column:3d} " for column in range(1, 14)) + "\\n" + BOARD, end="")
    answer = input("Enter choice:\\n (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: ")
    while answer not in ("q", "n"):
        print("Error: invalid move.  Please try again.")
        answer = input("Enter choice:\\n (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: ")
    print("Thank you for playing.")
    break
"""
# What a program can do, and between which points it must have, out of 100.
ABLE = {
    "right": (PROJ10, 100, 100),
    "three functions return False": (returning_false(PROJ10, VALIDATE, MOVE, WON), 0, 40),
    "1<=b<=12": (changed("0 <= source_col < COLUMNS", "1 <= source_col + 1 <= 12"), 80, 97),
    "one DEBUG line": (changed("    card = tableau[source_row][source_col]\n    tableau", "    print('DEBUG', source_row)\n    card = tableau[source_row][source_col]\n    tableau"), 85, 97),
    "a blank line before each prompt": (changed('MENU = "', 'MENU = "\\n', '"Do you', '"\\nDo you'), 90, 97),
    "never won": (returning_false(PROJ10, WON), 80, 93),
    "unlimited shuffles": (changed("if shuffles > 0:", "if True:"), 80, 95),
    "another seed of its own": (changed('again = "y"\n    while', 'again = "y"\n    random.seed(7)\n    while'), 100, 100),
    "no card is moved": (changed("    tableau[dest_row][dest_col] = card\n", ""), 0, 60),
    "no numbers of columns": (changed('print("{:3d} ".format(c), end="")', "pass"), 80, 95),
    "aces shown": (changed("if card.rank() == 1:\n                print", "if False:\n                print"), 80, 95),
    "dealt by columns": (changed("tableau.append(row)\n    return tableau", "tableau.append(row)\n    cards_ = [card for row in tableau for card in row]\n    return [cards_[r::4] for r in range(4)]"), 60, 80),
    "rows and columns exchanged": (changed("source_row, source_col, dest_row, dest_col = [int", "source_col, source_row, dest_col, dest_row = [int"), 30, 60),
    "cards are mixed up by each move": (changed("    card = tableau[source_row][source_col]\n    tableau", "    for row in tableau[:3]:\n        random.shuffle(row)\n    card = tableau[source_row][source_col]\n    tableau"), 0, 60),
    "a board without a move": (STUCK, 0, 5),
    "a letter in the prompt": (changed("space-separated", "space-seperated"), 88, 97),
    "a rule ignored": (changed("left.suit() == card.suit() and left", "left"), 85, 97),
    "shuffles nothing": (changed("                    shuffle_tableau(tableau)\n", ""), 75, 95),
}  # fmt: skip


def test_points_follow_what_a_program_can_do(graded):
    students = {f"s{number}": text for number, (text, _, _) in enumerate(ABLE.values())}
    _, rows, told = graded(students, jobs=2)
    for number, (name, (_, least, most)) in enumerate(ABLE.items()):
        assert least <= float(rows[f"s{number}"]["points"]) <= most, (name, rows[f"s{number}"])
    assert "After the first mistake your program's own board decides what is right." in told["s2"]
    shuffled = rows[f"s{[*ABLE].index('shuffles nothing')}"]["shuffle"]
    assert shuffled == "2 of 10", "after its first mistake, not to shuffle its own board is wrong too"
    assert "win 0 of 1" in told["s5"] and "additional lines: costs half a kind" in told["s3"]


def test_the_texts_of_the_assignment_are_those_that_its_sessions_have():
    """Every line of the block ```text of docs/assignment.md."""
    block = (ROOT / "docs" / "assignment.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    recorded = "".join(path.read_text(encoding="utf-8") for path in helpers.COURSE.glob("*.out"))
    assert len(block.splitlines()) > 8 and all(line in recorded for line in block.splitlines())


ASKS = ("Enter a of it: ", "Enter b of it: ")
CHOICE = "Enter choice:\n (q)uit: "


@pytest.mark.parametrize(
    "prompts, printed, mended",
    [
        ((CHOICE,), "1\nEnter choise:\n (q)uit: 2", "1\nEnter choice:\n (q)uit: 2"),
        ((CHOICE,), "1\nEnter choice:\n (q)uitt: 2", "1\nEnter choice:\n (q)uit: 2"),
        ((CHOICE,), "1\nEntr choic:\n (q)uit: 2", "1\nEnter choice:\n (q)uit: 2"),
        ((CHOICE,), "1\nSomething else:\n (q)uit: 2", None),
        ((CHOICE, "Again, please (y/n)? "), f"{CHOICE}Again, please (Y/n)? Bye", f"{CHOICE}Again, please (y/n)? Bye"),
        (ASKS, "".join(ASKS) + "3", None),
        ((CHOICE,), "\n" * 100_000, None),
        ((CHOICE,), "1\nEnter choise:\n (q)uit:", "1\nEnter choice:\n (q)uit:"),
    ],
)
def test_a_prompt_that_is_nearly_right_is_put_right_and_no_other(prompts, printed, mended):
    text, first = answers.with_right_prompts(printed, prompts, 3)
    assert text == (mended or printed) and bool(first) == bool(mended)


def test_a_board_that_cannot_be_read_ends_the_judging_by_it(graded, one):
    _, told = grade_one(graded, changed("str(card))", "str(card)[::-1])"), one)
    assert "No board can be read in what your program prints" in told


def test_new_sessions_are_the_same_by_their_seed_and_known_outputs_have_no_points(graded, tmp_path):
    folders = [helpers.made(tmp_path / name) for name in ("new", "again")]
    for folder in folders:
        assert run(["grade", "--make", "3", folder, "--seed", "7"]).returncode == 0
    new, again = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert new == again and len(new) == 9
    assert len({path.read_bytes() for path in folders[0].glob("*.deck")}) == 3, "each is shuffled afresh"
    assert b"You won!" in new["montana-7-1.out"] and new["montana-7-3.out"].count(b"Montana Solitaire.") == 2
    outputs = {path.stem: path.with_suffix(".out").read_text() for path in helpers.COURSE.glob("*.in")}
    printer = f"import sys\nif __name__ == '__main__':\n    sys.stdin.read()\n    print({outputs['montana-course1']!r}, end='')\n"
    _, rows, _ = graded({"ada": PROJ10, "bob": printer}, f"--sessions {folders[0]}")
    assert rows["ada"]["percent"] == "100.0" and float(rows["bob"]["percent"]) < 15


@pytest.mark.parametrize(
    "text, told",
    [
        (changed("def main():", "def main()"), "Your program does not start: line 91, a ':' is missing."),
        (" \n", "The file is empty."),
        ("x = '\0'\n", "Your program does not start: source code string cannot contain null bytes."),
    ],
)
def test_a_program_that_does_not_start_is_told_so_once(text, told, graded):
    _, rows, feedback = graded({"ada": text})
    assert rows["ada"]["points"] == "0" and feedback["ada"].count(told) == 1 == feedback["ada"].count("start") + (
        "empty" in told
    )


def test_what_is_not_graded_is_named(graded, tmp_path):
    (helpers.made(tmp_path / "class") / "notes.txt").write_text("notes")
    done, _, _ = graded({"ada": PROJ10}, "--functions montana")
    assert "2 entries, 1 graded; skipped: notes.txt (no Python file)" in done.stderr.decode()


def test_what_all_parts_are_worth_together(graded):
    _, rows, _ = graded({"ada": PROJ10}, "--out-of 20 --points functions=8")
    assert (rows["ada"]["maximum"], rows["ada"]["functions"], rows["ada"]["montana-mixed"]) == ("20", "8", "2")
    assert b"leaves nothing of 100" in run(["grade", "--points", "functions=100", ROOT / "tests" / "proj10.py"]).stderr


# Feedback


SHUFFLES, THANKS = "shuffle_tableau(tableau)\n                    display", 'print("Thank you for playing.")'
CHILD = "import subprocess\nsubprocess.Popen(['sleep', '30']{})\n\n\ndef main():"
# What a program does: the old text, the new one; what the feedback says of it.
DOES = {
    "hangs": ((SHUFFLES, "while True: pass\n                    display"), "It does not end within 0.4 s. (?s:.)*Typed last: s\n"),
    "endless": ((SHUFFLES, "while True: print('x' * 999)\n                    display"), "It prints without end"),
    "crashes": ((SHUFFLES, "1 / 0\n                    display"),
                r'(?s)expected:.*File "proj10.py", line \d+, in main\n.*ZeroDivisionError: division by zero\n'),
    "past-the-end": ((THANKS, "input()"), "(?s)expected: Thank you.*EOFError"),
    "asks-again": ((THANKS, f'{THANKS}\n    input("Again? ")'), 'After "Thank you for playing." line 132 calls input\\(\\) again.'),
    "leaves-a-child": (("def main():", CHILD.format("")), "100.0 %"),
    "leaves-a-daemon": (("def main():", CHILD.format(", start_new_session=True")), "100.0 %"),
    "syntax": (("def main():", "def main("), "Your program does not start: line \\d+, .* was never closed"),
}  # fmt: skip


@pytest.mark.parametrize("change, told", DOES.values(), ids=DOES)
def test_whatever_a_program_does_the_feedback_says_it(change, told, graded, one):
    _, text = grade_one(graded, changed(*change), f"{one} --seconds 0.4")
    assert re.search(told, text), text
    assert len(text.splitlines()) <= 60 and "inside.py" not in text and "/tmp" not in text
    assert not programs.children() or all(
        "sleep" not in Path(f"/proc/{one}/cmdline").read_text() for one in programs.children()
    )


def test_the_first_difference_is_told_with_its_command(graded, one):
    _, told = grade_one(graded, changed('"{:3d}:"', '"{:2d}:"'), f"{one} --blanks exact")
    assert "of 2\nbefore the first command\nline 3:\n  expected: ··1:" in told


def test_a_feedback_is_never_longer_than_60_lines(graded):
    names = "\n".join(f"def validate_move(*_):\n    {'x' * 900}" for _ in range(3))
    _, _, told = graded({"ada": changed("def main():", f"{names}\n\n\ndef main():")})
    assert len(told["ada"].splitlines()) == 60 and told["ada"].rstrip().endswith("more lines")


# A class


def test_every_student_has_a_row_whatever_the_name_and_the_file(graded, tmp_path):
    folder = tmp_path / "class"
    (folder / "empty").mkdir(parents=True)
    (folder / "two").mkdir()
    for name in ("a.py", "b.py"):
        (folder / "two" / name).write_text(PROJ10)
    (folder / "link").mkdir()
    (folder / "link" / "proj10.py").symlink_to(ROOT / "tests" / "proj10.py")
    os.mkfifo(folder / "pipe.py")
    (folder / "file.py").write_text(PROJ10)
    names = ['O\'Neil, "Ann" & Co\\', "ünï 🂡"]
    done, rows, _ = graded({name: PROJ10 for name in names}, f"--sessions {helpers.COURSE}", jobs=2)
    assert done.returncode == 1
    assert rows.pop("(maximum)")["points"] == "100"
    assert {name: row["points"] for name, row in rows.items()} == {
        **dict.fromkeys([*names, "file"], "100"),
        **dict.fromkeys(["empty", "two", "link", "pipe"], "0"),
    }
    assert rows["empty"]["remarks"] == "There is no program." and "a.py, b.py" in rows["two"]["remarks"]
    assert "is a link" in rows["link"]["remarks"] and "no plain file" in rows["pipe"]["remarks"]


def test_a_helper_and_a_data_file_are_there_in_every_way(graded):
    helper = "def check():\n    return open('data.txt').read()\n"
    text = changed("import random", "import helper, random\nassert helper.check() == 'yes'")
    files = {"proj10.py": text, "helper.py": helper, "data.txt": "yes"}
    done, rows, _ = graded({"ada": files}, "--program proj10.py")
    assert rows["ada"]["percent"] == "100.0"
    done, rows, _ = graded({"ada": files}, "--program proj10.py --module --sessions " + str(helpers.COURSE))
    assert rows["ada"]["percent"] == "100.0"


def test_a_mistake_in_a_helper_is_told_with_its_line(graded, one):
    files = {"proj10.py": "import helper\nhelper.check()\n", "helper.py": "def check():\n    return 1 / 0\n"}
    _, _, told = graded({"ada": files}, f"{one} --program proj10.py")
    assert 'File "proj10.py", line 2' in told["ada"] and 'File "helper.py", line 2, in check\n' in told["ada"]


def test_a_file_with_the_six_functions_alone_is_played_by_the_assignments_main(graded, tmp_path, one):
    (tmp_path / "one" / "asked.in").write_text("# montana --seed 100\nx\ns\nq\nmaybe\nn\n")
    assert run(f"grade {one} --update").returncode == 0
    _, rows, told = graded({"ada": PROJ10[: PROJ10.index("def main():")]}, one)
    assert rows["ada"]["points"] == "100" and "has no program of its own" in told["ada"]
    assert "has no program of its own" in rows["ada"]["remarks"]


def test_what_only_the_students_own_cards_module_has_is_told(graded, one):
    for text, name in [
        (changed("import cards\n", "import cards\nfrom cards import Pile\n"), "Pile"),
        (changed("    deck = cards.Deck()\n", "    deck = cards.Deck()\n    deck.cut()\n"), "cut"),
    ]:
        files = {"proj10.py": text, "cards.py": "class Pile: pass\n"}
        for options in (one, "--functions montana"):
            _, _, told = graded({"ada": files}, options)
            assert f"Your own cards.py was replaced by the course's, which has no {name}." in told["ada"]


def test_no_cell_of_the_table_is_a_formula_and_what_was_skipped_has_a_row(graded, tmp_path):
    (helpers.made(tmp_path / "class") / "=1+1.txt").write_text("notes")
    _, rows, _ = graded({"=cmd|x": PROJ10}, "--functions montana")
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbfstudent,")
    assert rows["'=cmd|x"]["points"] == rows["(maximum)"]["points"] == "100" == rows["(maximum)"]["functions"]
    assert rows["'=1+1.txt"]["remarks"] == "skipped: no Python file" and rows["'=1+1.txt"]["points"] == ""


@pytest.mark.parametrize("option", ["", "--module"])
def test_a_deck_that_is_made_when_the_file_is_loaded_is_the_sessions(option, graded):
    text = changed(
        "    deck = cards.Deck()\n", "    deck = DECK\n", "ROWS, COLUMNS", "DECK = cards.Deck()\nROWS, COLUMNS"
    )
    row, _ = grade_one(graded, text, f"--sessions {helpers.COURSE} {option}")
    assert row["montana-course1"] == "16.67"


def test_a_module_of_another_game_is_played_in_our_frame(graded, tmp_path):
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "one.in").write_text("# klondike --draw 1 --seed 4\nsw\nhint\ntt 1 9\nundo\nq\nn\n")
    assert run(["grade", "--sessions", folder, "--update"]).returncode == 0
    text = (ROOT / "klondike.py").read_text()
    done, rows, _ = graded(
        {"ada": {"klondike.py": text}, "bob": {"klondike.py": text.replace("turn {count} card", "draw {count} card")}},
        f"--sessions {folder} --module",
    )
    assert rows["ada"]["one"] == "100" and float(rows["bob"]["one"]) < 100


def test_any_program_that_reads_lines_can_be_graded(graded, tmp_path):
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "sum.in").write_text('# prompt: "Number? " "Again? "\n1\n2\ny\n5\nx\n')
    (folder / "sum.out").write_text("Number? Number? 3\nAgain? Number? Number? Error\n")
    text = (
        "while True:\n    a = input('Number? ')\n    b = input('Number? ')\n"
        "    try: print(int(a) + int(b))\n    except ValueError:\n        print('Error')\n        break\n    input('Again? ')\n"
    )
    _, rows, _ = graded(
        {"ada": text, "bob": text.replace("int(a) + int(b)", "int(a) * int(b)")}, f"--sessions {folder}"
    )
    assert rows["ada"]["sum"] == "100" and rows["bob"]["sum"] == "80"


def test_a_program_of_the_teachers_writes_the_sessions(tmp_path):
    folder = helpers.made(tmp_path / "sessions")
    (folder / "sum.in").write_text('# prompt: "Number? " --seed 3\n1\n2\n')
    (folder / "course.in").write_bytes((helpers.COURSE / "montana-course1.in").read_bytes())
    shutil.copy(helpers.COURSE / "course.deck", folder)
    (tmp_path / "solution.py").write_text(
        "import random\nprint(int(input('Number? ')) + int(input('Number? ')))\nprint(random.random())\n"
    )
    start = ["grade", "--sessions", folder, "--update", "--reference"]
    assert b"course.in: ValueError: invalid literal" in run([*start, tmp_path / "solution.py"]).stderr
    (folder / "course.in").unlink()
    assert run([*start, tmp_path / "solution.py"]).returncode == 0
    assert (folder / "sum.out").read_text() == f"Number? Number? 3\n{random.Random(3).random()}\n"
    assert run(["grade", "--sessions", folder, tmp_path / "solution.py"]).returncode == 0


def test_a_submission_that_is_one_file_or_one_folder(tmp_path):
    (tmp_path / "proj10.py").write_text(PROJ10)
    for path in ("proj10.py", "."):
        done = run(["grade", path, "--program", "proj10.py", "--functions", "montana"], cwd=tmp_path)
        assert done.returncode == 0 and b"100 of 100 points" in done.stdout


# Functions


def function_faults(graded, *change):
    """Return the lines that are told of the checks that fail."""
    _, rows, told = graded({"ada": changed(*change)}, "--functions montana --seconds 0.5")
    failed = re.findall(r"^\w+\(.*\) .*: .*$", told["ada"].partition("--- functions\n")[2], re.MULTILINE)
    assert (float(rows["ada"]["functions"]) < 100) == bool(failed)
    return failed


SWAP = (
    "    card = tableau[source_row][source_col]\n    tableau[source_row][source_col] = tableau[dest_row][dest_col]\n"
    "    tableau[dest_row][dest_col] = card\n"
)
SWAP_BY_INIT = (
    "    one, two = tableau[source_row][source_col], tableau[dest_row][dest_col]\n"
    "    first, second = (one.rank(), one.suit()), (two.rank(), two.suit())\n"
    "    one.__init__(*second)\n    two.__init__(*first)\n"
)


FIRST_OF_MOVE = "\n    card = tableau[source_row][source_col]\n    tableau"
# A fault of a function: how many sentences tell it, at least; the old text, the new one.
OF_FUNCTIONS = {
    "right": (0,),
    "init": (0, SWAP, SWAP_BY_INIT),
    "empties": (5, "    loose, blanks = [], []\n", "    del tableau[:]\n    return\n    loose, blanks = [], []\n"),
    "leaves": (0, "def initialize():\n", "def initialize():\n    open('left.txt', 'w').close()\n"),
    "unchecked": (9, "return False" + FIRST_OF_MOVE, "pass" + FIRST_OF_MOVE),
    "returns-1": (3, "    return True\n\n\ndef sequence", "    return 1\n\n\ndef sequence"),
    "no-blank": (3, "        row.append(blanks.pop())\n", ""),
    "order": (1, "random.shuffle(loose)\n", "random.shuffle(loose)\n    loose.reverse()\n"),
    "width": (1, '"{:3d}:"', '"{:2d}:"'),
}


@pytest.mark.parametrize(
    "sentences, change", [(sentences, change) for sentences, *change in OF_FUNCTIONS.values()], ids=OF_FUNCTIONS
)
def test_a_fault_of_a_function_is_told_by_the_sentence_of_the_check(sentences, change, graded):
    failed = function_faults(graded, *change)
    assert sentences <= len(failed) <= 2 * sentences + 2 * (sentences > 0), failed


BLANKS_CHECKED = "card.rank() == 1 or tableau[dest_row][dest_col].rank() != 1:"
A_TWO, HIGHER = "        return card.rank() == 2\n", "left.rank() + 1 == card.rank()"
WON_ROW, ROWS = "if sequence_length(row) < 12:", "for row in tableau:\n        "
LENGTH = "length = sequence_length(row)\n"
# Wrong rules, each with the only check that may notice it: what stands in the program, and what stands there instead. A
# rule of validate_move is noticed by the check of move as well, as this program's move asks it.
WRONG_RULES = {
    "a card beside the one of its suit that is one lower": (HIGHER, HIGHER + " and source_row == dest_row"),
    "a card into the last column": (HIGHER, HIGHER + " and dest_col < 12"),
    "a King beside its Queen": (HIGHER, HIGHER + " and card.rank() < 13"),
    "a 2 into a blank of the leftmost column": (A_TWO, A_TWO[:-1] + " and source_row != dest_row\n"),
    "a 2 that begins another row into a blank of the leftmost column": (A_TWO, A_TWO[:-1] + " and source_col > 0\n"),
    "a card of another suit, though one higher": ("left.suit() == card.suit() and", ""),
    "a card of the suit that is not one higher": (HIGHER, "left.rank() < card.rank()"),
    "a card one lower than its left neighbour": (HIGHER, "abs(left.rank() - card.rank()) == 1"),
    "a 2 beside a King of its suit": (HIGHER, "card.rank() in (left.rank() + 1, left.rank() - 11)"),
    "a 2 beside a blank, though it is the ace of its suit": ("left.rank() != 1 and", ""),
    "a card that is no 2 into the leftmost column": (A_TWO, "        return card.rank() <= 3\n"),
    "a card one higher than the last of the row into the leftmost column": (
        "    if dest_col == 0:\n" + A_TWO, "    if dest_col == 0 and card.rank() == 2:\n        return True\n"),
    "a destination that is not a blank": (BLANKS_CHECKED, BLANKS_CHECKED.replace("or ", "or dest_col == 0 and ")),
    "a destination that is not a blank, in the leftmost column": (BLANKS_CHECKED, BLANKS_CHECKED.replace("or ", "or dest_col and ")),
    "a blank as the source": (BLANKS_CHECKED, BLANKS_CHECKED[20:], A_TWO, "        return card.rank() <= 2\n"),
    "a blank onto a blank, beside the King of its suit": (
        BLANKS_CHECKED, BLANKS_CHECKED[20:], HIGHER, "card.rank() in (left.rank() + 1, left.rank() - 12)"),
    "check_win is True for four rows, whatever suits the blanks have": (WON_ROW, WON_ROW[:-1] + " or row[12].suit() != row[0].suit():"),
    "check_win is False if rows of one suit are not in order": (WON_ROW, "if any(card.suit() != row[0].suit() for card in row[:12]):"),
    "check_win is False if the suits are mixed": (WON_ROW, "if [card.rank() for card in row[:12]] != list(range(2, 14)):"),
    **{f"check_win looks at row {row + 1}": (ROWS + WON_ROW, ROWS.replace("tableau", f"tableau[:{row}] + tableau[{row + 1}:]") + WON_ROW)
       for row in range(4)},
    "shuffle_tableau keeps the sequence of each row, and puts one blank after it": (
        LENGTH, "length = sequence_length(row) // 12 * 12 or min(1, sequence_length(row))\n"),
    "shuffle_tableau loses and makes no card": ("loose.pop(0)", "loose[0]"),
    "shuffle_tableau keeps finished rows": (LENGTH, "length = sequence_length(row) % 12\n"),
    "shuffle_tableau keeps no sequence of mixed suits": (
        LENGTH, "length = max([n for n in range(13) if [card.rank() for card in row[:n]] == list(range(2, n + 2))])\n"),
    "initialize deals a shuffled deck row by row, from left to right": ("    deck.shuffle()\n", ""),
}  # fmt: skip


def test_each_wrong_rule_is_noticed_by_one_check_alone(graded):
    lines = {
        check.sentence: re.escape("\n".join(judging.lines_of(check, "WHY"))).replace("WHY", ".*")
        for check in functions.checks(ROOT / "cards.py")
    }
    everything = list(lines)
    exact = "shuffle_tableau makes the assignment's own tableau with random seed 100"  # sees every other shuffle
    _, _, told = graded(
        {f"wrong-{number}": changed(*change) for number, change in enumerate(WRONG_RULES.values())},
        "--functions montana",
        jobs=2,
    )
    noticed = set()
    for number, what in enumerate(WRONG_RULES):
        failed = [one for one in everything if re.search(lines[one], told[f"wrong-{number}"]) and one != exact]
        assert failed and all(one.endswith(what) for one in failed), (what, failed)
        noticed.update(failed)
    assert set(everything) - noticed == {
        exact,
        "initialize deals four rows of thirteen cards",
        *(one for one in everything if one.startswith("display ")),
    }


def test_a_huge_answer_is_judged_at_once(graded):
    _, rows, told = graded(
        {"ada": changed("    random.shuffle(loose)\n", "    tableau.extend([[] for _ in range(1000)])\n    return\n")},
        "--functions montana",
    )
    assert rows["ada"]["shuffle_tableau()"] == "0 of 5" and "leaves no tableau" in told["ada"]


def test_a_function_that_does_not_end_or_is_not_there(graded):
    failed = function_faults(graded, "def initialize():\n", "def initialize():\n    while True:\n        pass\n")
    assert len(failed) == 2 and all(line.startswith("initialize() does not end within 0.5 s: ") for line in failed)
    assert all(
        "fails: there is no function check_win" in line
        for line in function_faults(graded, "def check_win(", "def won(")
    )


@pytest.mark.parametrize("change, why", [
    (('if __name__ == "__main__":\n    main()', "main()"), "main\\(\\) called only if"),
    (("def main():", "while True: pass\n\n\ndef main():"), "loading the file does not end within 0.5 s"),
    (("def main():", "import os; os._exit(0)\n\n\ndef main():"), "the program ended itself"),
    (("def main():", "raise SystemExit\n\n\ndef main():"), "SystemExit")])  # fmt: skip
def test_a_file_that_cannot_be_loaded_has_no_points_and_is_told_why(change, why, graded):
    _, rows, told = graded({"ada": changed(*change)}, "--functions montana --seconds 0.5")
    assert rows["ada"]["functions"] == "0" and re.search(why, told["ada"]), told["ada"]


def test_what_a_function_prints_cannot_be_taken_for_a_result(graded):
    text = changed(
        "    return True\n\n\ndef sequence", "    print('{\"value\": true}')\n    return None\n\n\ndef sequence"
    )
    _, rows, _ = graded({"ada": text}, "--functions montana")
    assert rows["ada"]["move()"] == "11 of 16"


# Reports


def report(tmp_path, kind, text=PROJ10, *options):
    (tmp_path / "proj10.py").write_text(text)
    done = run(["grade", tmp_path / "proj10.py", "--json", tmp_path / "results", "--format", kind, *options])
    return done, (tmp_path / "results").read_text()


def test_gradescope(tmp_path):
    done, text = report(tmp_path, "gradescope", changed('print("You won!")', "pass"), "--points", "montana-course1=10")
    found = json.loads(text)
    tests = {test["name"]: test for test in found["tests"]}
    assert done.returncode == 1 and found["score"] == 97.5
    assert tests["montana-course1"]["max_score"] == 10 and tests["montana-course1"]["status"] == "failed"
    assert "expected: You won!" in tests["montana-course1"]["output"]
    assert tests["functions"]["status"] == "passed" and set(tests) == set(NAMES)


def test_prairielearn(tmp_path):
    found = json.loads(report(tmp_path, "prairielearn", changed("def main():", "def main("))[1])
    assert found["gradable"] is False and found["score"] == 0 and "does not start" in found["message"]
    assert {test["name"]: test["max_points"] for test in found["tests"]} == POINTS


def test_junit(tmp_path):
    done, text = report(tmp_path, "junit", changed('print("You won!")', 'print("\\0")'))
    suite = xml.etree.ElementTree.fromstring(text.encode())[0]
    failed = [case.get("name") for case in suite if len(case)]
    assert suite.get("tests") == "7" and suite.get("failures") == "1" and failed == ["montana-course1"]
    assert "\n  expected: You won!\n" in suite.find("testcase/failure").text


def test_export_writes_plain_pairs(tmp_path):
    assert run(["grade", "--export", tmp_path / "plain"]).returncode == 0
    assert len(list((tmp_path / "plain").iterdir())) == 12
    typed = (tmp_path / "plain" / "montana-course1.in").read_bytes()
    assert typed == (helpers.COURSE / "montana-course1.in").read_bytes().partition(b"\n")[2]
    assert (tmp_path / "plain" / "montana-course1.out").read_bytes() == (
        helpers.COURSE / "montana-course1.out"
    ).read_bytes()


@pytest.mark.parametrize(
    "folder, program, block",
    [("/autograder", "submission/proj10.py", "run_autograder"), ("/grade", "student/proj10.py", "grade.sh")],
)
def test_the_scripts_of_the_document_write_results(folder, program, block, tmp_path):
    text = (ROOT / "docs" / "graders.md").read_text()
    script = re.search(f"`{block}`:\n\n```sh\n(.*?)```", text, re.DOTALL)[1]
    place = re.search(r"cd (\S+)", script)[1].replace(folder, str(tmp_path))
    helpers.copy_project(helpers.made(Path(place)))
    shutil.copytree(helpers.COURSE, Path(place) / "sessions")
    (tmp_path / "results").mkdir()
    helpers.made((tmp_path / program).parent)
    (tmp_path / program).write_text(PROJ10)
    python = helpers.made(tmp_path / "venv" / "bin") / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    if not programs.works(programs.USER):
        script = script.replace("--sandbox user", "--sandbox auto")
    subprocess.run(["sh", "-euc", script.replace(folder, str(tmp_path))], check=True)
    found = json.loads((tmp_path / "results" / "results.json").read_text())
    assert "Sandbox: " in found["output"]
    assert found["score"] in (100, 1) and all("expected" not in test["output"] for test in found["tests"])


# Wrong use


@pytest.mark.parametrize(
    "arguments, told",
    [
        ("--sessions EMPTY PROGRAM", "there is no session"),
        ("--sessions NONE PROGRAM", "does not exist"),
        ("--sessions BROKEN PROGRAM", "broken.out is missing: --update writes it"),
        ("--sessions CHESS PROGRAM", "chess.in: there is no game chess"),
        ("--sessions CHESS --update", "chess.in: there is no game chess"),
        ("--sessions OWN --update", "only a game of this project can write own.out"),
        ("--sessions ENDS PROGRAM", "ends.out holds only the end"),
        ("--sessions DECK PROGRAM", "deck.in: Invalid value for"),
        ("--format moodle PROGRAM", "moodle"),
        ("--feedback PROGRAM PROGRAM", "is a file"),
        ("--feedback /dev/null/x PROGRAM", "/dev/null"),
        ("--csv /dev/null PROGRAM", "not a file"),
        ("--json r.json PROGRAM PROGRAM", "takes one submission, not 2"),
        ("--sessions GOOD --export GOOD", "folder of the sessions"),
        ("--sessions GOOD2 --export GOOD2", "folder of the sessions"),
        ("--csv r --json r PROGRAM", "both the table and the results"),
        ("--sessions FOO PROGRAM", "foo.in: No such option"),
        ("--cards BAD PROGRAM", "cannot be used as cards.py"),
        ("--points functions=99999999 PROGRAM", "NAME=N"),
        ("--penalty inf PROGRAM", "inf"),
        ("--points course=3 PROGRAM", "--points course=3: it must be NAME=N"),
        ("--points functions=many PROGRAM", "NAME=N"),
        ("--seconds nan PROGRAM", "not a number"),
        ("--functions klondike PROGRAM", "klondike"),
        ("EMPTY", "No submission was found."),
        ("", "No submission was found."),
        ("NONE", "does not exist"),
        ("--json r.json CLASS", "takes one submission, not 2"),
        ("--reference PROGRAM PROGRAM", "--reference writes with --update"),
        ("--update --reference PROGRAM", "in the folder of --sessions."),
        *(
            (f"--make 1 {option} EMPTY", "--make writes sessions")
            for option in ("--csv r", "--json r", "--sessions GOOD")
        ),
        ("--sessions ASKS PROGRAM", "asks.in: there is no prompt behind # prompt:"),
        ("--sessions QUOTE PROGRAM", "quote.in: No closing quotation"),
        ("--sessions BINARY PROGRAM", "binary.in: it is no text."),
    ],
)
def test_wrong_use_is_one_line_and_status_2(arguments, told, tmp_path):
    for name, script, out in [
        ("empty", None, None),
        ("broken", "# montana\nq\n", None),
        ("chess", "# chess --seed 1\nq\n", None),
        ("own", '# prompt: "> "\nq\n', None),
        ("ends", "# montana\nq\n", "sha256 0\n"),
        ("deck", "# montana --deck none.deck\nq\n", "x"),
        ("good", "# montana --seed=1\nq\n", "x"),
        ("foo", "# montana --foo 3\nq\n", "x"),
        ("quote", "# montana '--seed 1\nq\n", "x"),
        ("asks", "# prompt: --seed 1\nq\n", "x"),
        ("binary", "# montana\n\0", "x"),
        ("good2", "\ufeff# montana --seed 1\nq\n", "x"),
    ]:
        (tmp_path / name.upper()).mkdir()
        if script:
            (tmp_path / name.upper() / f"{name}.in").write_text(script)
        if out:
            (tmp_path / name.upper() / f"{name}.out").write_text(out)
    (tmp_path / "PROGRAM").write_text(PROJ10)
    for student in ("ada", "bob"):
        (helpers.made(tmp_path / "CLASS" / student) / "proj10.py").write_text(PROJ10)
    (tmp_path / "BAD").write_text("raise SystemExit\n")
    (tmp_path / "grades.csv").write_text("old")
    done = run(["grade", *arguments.split()], cwd=tmp_path)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 2 and told in lines[-1] and lines[-1].startswith("Error: ") and len(lines) <= 4, lines
    assert (tmp_path / "grades.csv").read_text() == "old"


# Cheats


CHEATS = {
    "the deck and the .out beside it": "import sys, glob\nfor word in sys.argv + open('/proc/self/cmdline').read().split(chr(0)):\n"
    "    for path in glob.glob(word.rpartition('/')[0] + '/*.out'): print(open(path).read(), end='')\n",
    "the sessions by their path": f"print(open({str(helpers.COURSE / 'montana-course1.out')!r}).read(), end='')\n",
    "our solution": f"import runpy, sys\nsys.argv = ['main.py', 'montana']\nsys.path.insert(0, {str(ROOT)!r})\n"
    f"runpy.run_path({str(ROOT / 'main.py')!r}, run_name='__main__')\n",
    "a module of ours": f"import sys\nsys.path.append({str(ROOT)!r})\nfrom montana import *\n",
    "a module with our name": "from montana_ours import *\n",
    "the checker": "import __main__\n__main__.perform = __main__.told = lambda *_: {'value': True, 'board': []}\n",
    "the end": "import os\nos._exit(0)\n",
    "score lines": "print('montana-course1  36 of 36')\nprint('{\"value\": true}')\n",
    "results in every channel": 'import os\nfor number in range(3, 20):\n    try: os.write(number, b\'{"value": true, "board": []}\\n\')\n'
    "    except OSError: pass\n",
    "the grader's files": f"import glob\nfor path in glob.glob({str(ROOT / 'grading')!r} + '/**/*', recursive=True):\n"
    "    try: open(path, 'a').write('')\n    except OSError: pass\n    else: print('written', path)\n",
    "the parent": "import os\nprint(open(f'/proc/{os.getppid()}/cmdline').read())\nprint(os.listdir('..'))\n"
    "print(open(f'/proc/{os.getppid()}/environ').read())\n",
    "links": "import os\nprint(open('answers').read())\n",
}


def one_session(tmp_path):
    """Return options for one session, and the functions."""
    (tmp_path / "sessions").mkdir()
    for path in helpers.COURSE.glob("*course*"):
        if path.stem in ("course", "montana-course1"):
            shutil.copy(path, tmp_path / "sessions")
    return f"--functions montana --sessions {tmp_path / 'sessions'}"


needs_sandbox = pytest.mark.skipif(not programs.works(programs.BWRAP), reason="bubblewrap is not installed")


@needs_sandbox
@pytest.mark.parametrize("what", CHEATS)
def test_a_cheat_has_no_point_in_the_sandbox(what, graded, tmp_path):
    (tmp_path / "class" / "eve").mkdir(parents=True)
    (tmp_path / "class" / "eve" / "answers").symlink_to(helpers.COURSE / "montana-course1.out")
    done, rows, told = graded({"eve": CHEATS[what]}, one_session(tmp_path), sandbox="bwrap")
    assert rows["eve"]["points"] == "0", told["eve"]
    assert "written" not in told["eve"]


@pytest.mark.parametrize("what", [
    "the deck and the .out beside it", "a module with our name", "the end", "score lines",
    "results in every channel", "links"])  # fmt: skip
def test_a_cheat_that_has_no_point_without_a_sandbox_either(what, graded, tmp_path):
    _, rows, told = graded({"eve": CHEATS[what]}, one_session(tmp_path))
    assert rows["eve"]["points"] == "0", told["eve"]


@needs_sandbox
def test_a_submission_in_the_sandbox_reaches_no_file_and_no_process_outside_its_box(graded, tmp_path, one):
    """It tries only what this test has laid out: a broken sandbox must cost whoever runs this nothing."""
    beside = tmp_path / "class" / "beside.txt"
    helpers.made(beside.parent).joinpath(beside.name).write_text("kept")
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as in_tmp, subprocess.Popen(["sleep", "60"]) as sleeper:
        print("kept", end="", file=in_tmp, flush=True)
        evil = (
            f"import os, signal\nfor path in {str(beside)!r}, {in_tmp.name!r}:\n"
            "    try: print(open(path).read()); open(path, 'w').close()\n    except OSError: print('no file')\n"
            f"try: os.kill({sleeper.pid}, signal.SIGTERM); print('ended')\nexcept OSError: print('no process')\n"
        )
        _, rows, told = graded({"ada": PROJ10, "eve": evil, "zoe": PROJ10}, one, "bwrap", 2)
        assert (beside.read_text(), Path(in_tmp.name).read_text(), sleeper.poll()) == ("kept", "kept", None)
        sleeper.kill()
    assert rows["ada"]["percent"] == rows["zoe"]["percent"] == "100.0" and rows["eve"]["points"] == "0"
    assert "printed:  no file" in told["eve"] and "kept" not in told["eve"]


def run_by_nobody():
    """Return a Python that the user nobody can run, or None; only root can ask."""
    for python in (sys.executable, "/usr/bin/python3") if hasattr(os, "getuid") and os.getuid() == 0 else ():
        command = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))"]
        with contextlib.suppress(OSError):
            if subprocess.run(command, user="nobody", cwd="/", capture_output=True).returncode == 0:
                return python
    return None


@pytest.mark.skipif(not run_by_nobody(), reason="only root can run programs as nobody")
def test_as_nobody_a_submission_reads_and_ends_nothing_of_ours(tmp_path):
    folder = helpers.made(tmp_path / "class")
    (folder / "ada.py").write_text(PROJ10)
    (folder / "eve.py").write_text(
        "import os\nprint(os.getuid() > 0, os.getgroups(), os.listdir('.'))\n"
        f"try: print(open({str(folder / 'ada.py')!r}).read())\nexcept OSError as error: print(error.strerror)\n"
        "try: os.kill(os.getppid(), 9)\nexcept OSError as error: print(error.strerror)\n"
    )
    shutil.copytree(Path(click.__file__).parent, tmp_path / "lib" / "click")
    command = [run_by_nobody(), "-B", ROOT / "main.py", "grade", folder, "--feedback", tmp_path / "told"]
    command += ["--sandbox", "user"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "lib")}
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert "Sandbox: none, but another user, nobody" in done.stderr
    assert "ada: 100 of 100 points, 100.0 %\neve: 0 of 100 points" in done.stdout
    assert "printed:  True [] ['cards.py', 'eve.py']" in (tmp_path / "told" / "eve.txt").read_text()
    assert (tmp_path / "class" / "ada.py").read_text() == PROJ10


FORGED = (
    'type(" ", (Exception,), {"__module__": "builtins"})',
    'os.write(number, b"loaded\\n{}\\n")',
    'os.write(number, b"loaded\\n{\\"value\\": null, \\"board\\": [], \\"printed\\": 5}")',
    'os.write(number, b"5\\n" * 60)',
    'os.write(number, b"[" * 50000 + b"\\n")',
)


EVIL = ["import os\nfor i in range(1500): os.mkdir('d'); os.chdir('d')\n", (
    f"E = {FORGED[0]}\ndef f(*a): raise E()\n"
    "initialize = display = validate_move = move = check_win = shuffle_tableau = f\n"
), *(
    "import os\nfor place in ['', f'/proc/{os.getppid()}/fd/']:\n    for number in range(3, 12):\n        try:\n"
    f"            if place: number = os.open(place + str(number), os.O_WRONLY)\n            {forged}\n"
    "        except OSError: pass\nos._exit(0)\n" for forged in FORGED[1:]
)]  # fmt: skip


def test_no_submission_ends_the_class_or_has_points_for_an_empty_error(graded):
    evil = {f"eve-{number}": text for number, text in enumerate(EVIL)}
    _, rows, told = graded({"ada": PROJ10, **evil}, "--functions montana", jobs=2)
    assert rows["ada"]["functions"] == "100"
    for eve in evil:
        assert rows[eve]["functions"] == "0", told[eve]
    assert not list(Path(tempfile.gettempdir()).glob("boxes*/*/d"))


def test_each_path_is_a_submission_and_a_folder_alone_a_class(tmp_path):
    for name in ("ada", "bob"):
        helpers.made(tmp_path / "class" / name)
    for name in ("ada/proj10.py", "ada/helper.py", "ada/._proj10.py"):
        (tmp_path / "class" / name).write_text(PROJ10 if "/proj10" in name else "\0")
    helpers.made(tmp_path / "class" / "ada" / "cards").joinpath("__init__.py").write_text("1 / 0")
    for paths in ([tmp_path / "class"], sorted((tmp_path / "class").iterdir())):
        done = run(["grade", *paths, "--functions", "montana", "--program", "proj10.py"])
        assert done.stdout.decode() == "ada: 100 of 100 points, 100.0 %\nbob: 0 of 100 points, 0.0 %\n"
    one = f"{tmp_path / 'class' / 'bob'} --functions montana --program proj10.py"
    done = run(f"grade {one} --json {tmp_path / 'results.json'}")
    found = json.loads((tmp_path / "results.json").read_text())
    assert done.returncode == 1 and found["score"] == 0 and "\nThere is no proj10.py." in found["output"]


@pytest.mark.parametrize("text", [
    "x = ' ' * (2 << 30)\n",
    "f = open('big', 'wb')\nwhile True: f.write(bytes(1 << 20))\n",
    "def f(n): return f(n + 1)\nf(0)\n",
], ids="memory file-size recursion".split())  # fmt: skip
def test_limits_end_what_takes_too_much(text, graded, one):
    _, rows, told = graded({"ada": text}, f"{one} --seconds 5")
    assert rows["ada"]["points"] == "0" and re.search("MemoryError|File too large|RecursionError|-25", told["ada"])


def test_a_submission_is_told_nothing(graded, one):
    """Neither its arguments nor its environment nor its input tell a path."""
    text = "import os, sys\nprint(sys.argv, dict(os.environ), open('/proc/self/cmdline').read()[-9:], os.getcwd())\n"
    _, told = grade_one(graded, text, one)
    printed = re.search("printed: (.*)", told)[1]
    assert "['proj10.py']" in printed and str(ROOT) not in printed and "grades.csv" not in printed


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_everything_at_once(jobs, tmp_path):
    boxes = helpers.made(tmp_path / "boxes")
    folder = helpers.made(tmp_path / "class")
    (folder / "s0.py").write_text(PROJ10)
    for number in range(1, 4):
        (folder / f"s{number}.py").write_text("import time\nopen('begun', 'w').close()\ntime.sleep(87)\n")
    table = tmp_path / "grades.csv"
    environment = {**os.environ, "TMPDIR": str(boxes)}
    line = f"grade {folder} --jobs {jobs} --seconds 60 --csv {table}"
    with helpers.started(line, start_new_session=True, env=environment) as grader:
        helpers.wait_until(lambda: len([*boxes.glob("*/*/begun")]) >= int(jobs), "the first one is graded")
        time.sleep(0.3)
        os.killpg(grader.pid, signal.SIGINT)
        assert grader.wait(5) == 130
        told = grader.stderr.read()
    assert b"Traceback" not in told and told.endswith(b"Interrupted: 1 of 4 are graded.\n")
    with open(table, newline="", encoding="utf-8-sig") as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["(maximum)", "s0"]
    time.sleep(0.1)
    assert not running(boxes) and not list(boxes.iterdir())


def test_without_a_sandbox_a_killed_grader_leaves_nothing_behind(tmp_path):
    boxes, folder = helpers.made(tmp_path / "boxes"), helpers.made(tmp_path / "class")
    (folder / "eve.py").write_text(
        "import subprocess, time\nfor own in False, True:\n"
        "    subprocess.Popen(['sleep', '600'], start_new_session=own)\ntime.sleep(600)\n"
    )
    environment = {**os.environ, "TMPDIR": str(boxes)}
    with helpers.started(f"grade {folder} --sandbox none --seconds 60", env=environment) as grader:
        helpers.wait_until(lambda: len(running(boxes)) >= 4, "the supervisor, the program, and what it started")
        grader.kill()
    helpers.wait_until(lambda: not running(boxes), "nothing runs in a box")


def running(boxes):
    """Return the processes that work in a box of the grader, or have one to show to the sandbox."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if str(boxes) in os.readlink(path / "cwd") + (path / "cmdline").read_text():
                found.append(path.name)
        except OSError:
            pass
    return found


# Parts


def test_answers_are_what_stands_between_prompts():
    cut = answers.answers_in
    assert cut("Hi\n> one\n> two\n", ["> "], 2) == ["Hi\n> one\n> ", "two\n"]
    assert cut("Hi\n> one\n> two\n> end", ["> "], 2) == ["Hi\n> one\n> ", "two\n> end"]
    assert cut("nothing", ["> "], 5) == ["nothing"] and cut("", ["> "], 1) == [""]
    assert "".join(cut("a> b>c>  d? e", ["> ", "? "], 9)) == "a> b>c>  d? e"


@pytest.mark.parametrize("printed, blanks, is_slip", [
    ("a\nb c\nmore\n", "once", True), ("a\nb  c\nmore\n", "once", True), ("a\nb  c\nmore\n", "exact", False),
    ("x\nb c\nmore\n", "once", False), ("a\nmore\n", "once", False)])  # fmt: skip
def test_additional_lines_are_a_slip_if_all_the_others_are_there(printed, blanks, is_slip):
    assert bool(answers.compared("a\nb c\n", printed, blanks)) == is_slip


def test_a_check_of_the_shuffle_is_the_assignments():
    board = functions.shuffled(functions.BOARD, 100)
    assert [functions.kept(row) for row in board] == [functions.kept(row) for row in functions.BOARD] == [3, 1, 0, 0]


# What is graded, and where


def test_the_sandbox_is_used_if_it_works_and_which_it_was_is_said(graded, one, monkeypatch):
    text = "import os\nprint(sorted(os.environ), os.path.exists('/etc/passwd'), os.getpid() < 20)\n"
    done, _, told = graded({"ada": text}, one, sandbox="auto")
    inside = programs.works(programs.BWRAP)
    assert f"Sandbox: {'bubblewrap' if inside else 'none'}.\n" in done.stderr.decode()
    assert (
        f"printed:  ['HOME', 'LANG', 'PATH'{', ' + repr('PWD') if inside else ''}] {not inside} {inside}" in told["ada"]
    )
    monkeypatch.setattr(programs, "works", lambda sandbox: sandbox == programs.NONE)
    done, _, _ = graded({"ada": text}, one, sandbox="auto")
    assert b"Sandbox: none.\n" in done.stderr
    done = run(["grade", "--sandbox", "bwrap", ROOT / "tests" / "proj10.py"])
    assert done.returncode == 2 and b"bubblewrap is not installed, or does not work here" in done.stderr


@needs_sandbox
def test_there_is_no_network_in_the_sandbox(graded, one):
    text = (
        "import socket\nwith socket.socket() as s:\n    s.settimeout(1)\n    print(s.connect_ex(('127.0.0.1', PORT)))\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = text.replace("PORT", str(server.getsockname()[1]))
        told = {where: graded({"ada": text}, one, sandbox=where)[2]["ada"] for where in ("none", "bwrap")}
    assert "printed:  0\n" in told["none"] and "printed:  0\n" not in told["bwrap"] and "printed:  1" in told["bwrap"]


def test_a_cards_module_of_the_submission_is_never_used_and_that_of_the_option_is(graded, one, tmp_path):
    own = (ROOT / "cards.py").read_text().replace("def deal(self):", "def deal(self):\n        return Card(2, 1)\n")
    assert own != (ROOT / "cards.py").read_text()
    _, rows, _ = graded({"ada": {"proj10.py": PROJ10, "cards.py": own}}, f"{one} --functions montana")
    assert rows["ada"]["percent"] == "100.0"
    (tmp_path / "letters.py").write_text((ROOT / "tests" / "other_cards.py").read_text())
    _, rows, told = graded({"ada": PROJ10}, f"{one} --cards {tmp_path / 'letters.py'}")
    assert rows["ada"]["percent"] != "100.0" and re.search("printed: .* 2[sdch]", told["ada"])


@pytest.mark.parametrize("seconds, points", [("0.3", 0), ("5", 100)])
def test_the_seconds_are_those_of_a_session(seconds, points, graded, one):
    text = changed("import random\n", "import random, time\ntime.sleep(0.8)\n")
    _, rows, told = graded({"ada": text}, f"{one} --seconds {seconds}")
    assert rows["ada"]["points"] == str(points) and ("It does not end within 0.3 s." in told["ada"]) == (not points)


def test_points_are_never_below_0_and_what_did_not_run_has_no_penalty(graded, one, tmp_path):
    helpers.made(tmp_path / "class" / "bob")
    _, rows, told = graded({"ada": "import sys\nprint('x')\nsys.exit(3)\n"}, f"{one} --penalty 100")
    assert rows["ada"]["points"] == "0" and "It ends with exit status 3. (montana-course2) (-100)" in told["ada"]
    assert rows["bob"]["points"] == "0" and rows["bob"]["remarks"] == "There is no program."
    assert "(-100)" not in (tmp_path / "out" / "bob.txt").read_text()


def test_a_students_name_is_in_every_report_in_every_locale(tmp_path, one):
    (tmp_path / "Zoë 陈.py").write_text(PROJ10)
    start = ["grade", tmp_path / "Zoë 陈.py", *one.split(), "--csv", tmp_path / "grades.csv"]
    report = ["--feedback", tmp_path / "told", "--format", "junit", "--json", tmp_path / "x"]
    done = helpers.run_process([*start, *report], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()[2].startswith("Zoë 陈,100,100,100.0,")
    assert (tmp_path / "told" / "Zoë 陈.txt").read_text(encoding="utf-8").startswith("Zoë 陈: 100 of 100 points")
    suite = xml.etree.ElementTree.fromstring((tmp_path / "x").read_text(encoding="utf-8").encode())[0]
    assert suite.get("name") == suite[0].get("classname") == "Zoë 陈" and suite[0].get("name") == "montana-course2"


def test_of_many_checks_that_fail_the_first_are_told_and_how_many_more(graded):
    _, rows, told = graded({"ada": changed("def validate_move(", "def validate(")}, "--functions montana")
    failed = sum(
        int(of) - int(right) for right, of in (cell.split(" of ") for name, cell in rows["ada"].items() if "()" in name)
    )
    assert failed > 16 and f"\n... and {failed - 16} more.\n" in told["ada"]


def test_a_shuffle_must_leave_rows_of_thirteen():
    right = functions.shuffled(functions.BOARD, 1)
    assert functions.keeps(functions.BOARD, {"board": right}) == ""
    wrong = [*right[:2], [*right[2], right[3][-1]], right[3][:-1]]
    assert functions.keeps(functions.BOARD, {"board": wrong}).endswith("a row that is not 13 cards long")


def test_a_program_that_is_killed_is_told_by_the_signal(graded, one):
    _, _, told = graded({"ada": "import os\nprint('x', flush=True)\nos.kill(os.getpid(), 9)\n"}, one)
    assert (
        "It ends with exit status -9." in told["ada"] and "Traceback" not in told["ada"] and "Errno" not in told["ada"]
    )
