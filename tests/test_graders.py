"""The scripted-session test as graders use it: on their own folder, with their own cards.py."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import helpers
from helpers import ROOT, SCRIPTS, SECONDS


def pytest_scripts(*arguments):
    """Run test_scripts.py with the arguments; return the run, with its output as text."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/test_scripts.py"]
    return subprocess.run(
        [*command, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True,
        encoding="utf-8", timeout=SECONDS,
    )


@pytest.fixture
def folder(tmp_path):
    """A folder with one case, a course session."""
    for name in ("montana-course1.in", "montana-course1.out", "course.deck"):
        shutil.copy(SCRIPTS / name, tmp_path)
    return tmp_path


def test_a_folder_of_ones_own(folder):
    report = folder / "report.xml"
    run = pytest_scripts("--scripts", folder, "--junitxml", report)
    assert run.returncode == 0 and "1 passed" in run.stdout
    cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
    assert [case.get("name") for case in cases] == ["test_script[montana-course1]"]


def test_a_difference_is_shown_with_the_command_before_it(folder):
    recorded = folder / "montana-course1.out"
    text = recorded.read_text(encoding="utf-8").split("\n")
    third_board = [number for number, line in enumerate(text) if "dest_col:" in line][2] + 1
    text[third_board] = text[third_board].replace("2♣", "2♠")
    recorded.write_text("\n".join(text), encoding="utf-8")
    run = pytest_scripts("--scripts", folder)
    assert run.returncode == 1
    assert f"line {third_board + 1} of the output differs, typed: 1 13 3 10" in run.stdout
    assert f"\nexpected: {text[third_board]}\n" in run.stdout
    assert f"\n-{text[third_board]}\n+{text[third_board].replace('2♠', '2♣', 1)}\n" in run.stdout


def test_output_that_ends_too_early_is_a_difference(folder):
    recorded = folder / "montana-course1.out"
    recorded.write_bytes(recorded.read_bytes() + b"More.\n")
    run = pytest_scripts("--scripts", folder)
    assert run.returncode == 1 and "expected: More.\nprinted:  \n" in run.stdout


def test_update_writes_what_is_missing_and_nothing_else(folder):
    recorded = folder / "montana-course1.out"
    right = recorded.read_bytes()
    recorded.unlink()
    assert "no montana-course1.out" in pytest_scripts("--scripts", folder).stdout
    run = pytest_scripts("--scripts", folder, "--update")
    assert run.returncode == 0 and "1 skipped" in run.stdout and recorded.read_bytes() == right
    recorded.write_bytes(b"wrong")
    assert pytest_scripts("--scripts", folder, "--update").returncode == 1
    assert recorded.read_bytes() == b"wrong"


def test_another_cards_module(folder):
    """With --cards the session without its --deck has the stacked deck, in letters."""
    script = folder / "montana-course1.in"
    script.write_text(script.read_text().replace("--deck course.deck", ""))
    recorded = folder / "montana-course1.out"
    text = recorded.read_text(encoding="utf-8").translate(str.maketrans("♣♦♥♠", "cdhs"))
    recorded.write_text(text, encoding="utf-8")
    other = ROOT / "tests" / "other_cards.py"
    assert pytest_scripts("--scripts", folder, "--cards", other).returncode == 0
    assert pytest_scripts("--scripts", folder).returncode == 1


def test_a_folder_without_cases_is_an_error(tmp_path):
    run = pytest_scripts("--scripts", tmp_path)
    assert run.returncode not in (0, 5) and "no scripted session" in run.stdout


@pytest.mark.parametrize("option", ["--scripts", "--cards"])
def test_a_folder_or_file_that_is_not_there_is_an_error(option, tmp_path):
    run = pytest_scripts(option, tmp_path / "missing")
    assert run.returncode == 4 and f"{option}: " in run.stderr


def test_a_script_must_begin_with_its_command(folder):
    for number, first_line in enumerate(["4 13 1 10", "", "# a comment", "#"]):
        (folder / f"{number}.in").write_text(f"{first_line}\nq\nn\n")
    run = pytest_scripts("--scripts", folder)
    assert run.returncode == 1 and "4 failed, 1 passed" in run.stdout
    for number in range(4):
        assert f"{number}.in: the first line must be # GAME OPTIONS" in run.stdout


def test_a_missing_deck_is_a_failure_that_says_so(folder):
    (folder / "course.deck").unlink()
    run = pytest_scripts("--scripts", folder, "--update")
    assert run.returncode == 1 and "course.deck' does not exist" in run.stdout


# Programs and modules of students

PROJ10 = helpers.ROOT / "tests" / "proj10.py"
COURSE = {f"montana-course{number}": count for number, count in ((1, 36), (2, 25), (3, 26))}


@pytest.fixture
def sessions(tmp_path):
    """The assignment's three sessions, in a folder."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for path in helpers.SCRIPTS.glob("*course*"):
        shutil.copy(path, folder)
    return folder


def submission(tmp_path, *change):
    """Return a student's program, with a fault: a text and what stands in its place."""
    file = tmp_path / "proj10.py"
    text = PROJ10.read_text()
    assert not change or change[0] in text
    file.write_text(text.replace(*change) if change else text)
    return file


def scores(run):
    """Return the table of --score as a dict: session -> (right, of)."""
    return {name: (int(right), int(count)) for name, right, count in
            re.findall(r"^(\S+)  (\d+) of (\d+)$", run.stdout, re.MULTILINE)}


@pytest.mark.parametrize("option", ["--program", "--module"])
def test_a_right_program_has_the_full_score(option, sessions, tmp_path):
    file = submission(tmp_path)
    given = f"montana={file}" if option == "--module" else file
    run = pytest_scripts("--scripts", sessions, option, given, "--score")
    assert run.returncode == 0 and scores(run) == {name: (count, count) for name, count in COURSE.items()}


@pytest.mark.parametrize("option", ["--program", "--module"])
@pytest.mark.parametrize("change, touched", [
    (("return card.rank() == 2", "return card.rank() in (2, 3)"), set()),
    (("random.shuffle(loose)\n", "random.shuffle(loose)\n    loose.reverse()\n"), {"montana-course2", "montana-course3"}),
    (('"{:3d}:"', '"{:2d}:"'), set(COURSE)),
])
def test_a_fault_costs_the_sessions_that_it_touches(option, change, touched, sessions, tmp_path):
    file = submission(tmp_path, *change)
    given = f"montana={file}" if option == "--module" else file
    run = pytest_scripts("--scripts", sessions, option, given, "--score", "--junitxml", tmp_path / "report.xml")
    told = scores(run)
    assert {name for name, (right, count) in told.items() if right < count} == touched
    assert ("commands answered right" in run.stdout) == bool(touched)
    for name, (right, count) in told.items():
        assert f'name="score" value="{right} of {count}"' in (tmp_path / "report.xml").read_text()


@pytest.mark.parametrize("change, named", [
    (('print("You won!")', "pass"), "commands answered right"),
    (("shuffle_tableau(tableau)\n                    display", "while True: pass\n                    display"),
     "it does not end"),
    (("shuffle_tableau(tableau)\n                    display", "while True: print('x' * 999)\n                    display"),
     "it prints without end"),
    (("shuffle_tableau(tableau)\n                    display", "1 / 0\n                    display"), "ZeroDivisionError"),
    (('print("Thank you for playing.")', "input()"), "EOFError"),
    (('print("Thank you for playing.")', 'print("Thank you for playing."); open("x.txt", "w")'),
     "it writes files: x.txt"),
    (("def main():", "import subprocess\nsubprocess.Popen(['sleep', '30'])\n\n\ndef main():"), None),
    (('print("Thank you for playing.")', 'print("Thank you for playing.", end="")'),
     "expected: Do·you·want·to·play·again·(y/n)?Thank·you·for·playing.⏎\n"
     "printed:  Do·you·want·to·play·again·(y/n)?Thank·you·for·playing.\n"),
    (('print("Montana Solitaire.")', 'print("Montana solitaire."); input()'),
     "expected: Montana Solitaire.\nprinted:  Montana solitaire.\n"),
], ids="wrong hangs endless crashes past-the-end writes leaves-a-child no-newline difference-before-the-error".split())
def test_nothing_a_program_does_stops_the_grader(change, named, sessions, tmp_path):
    file = submission(tmp_path, *change)
    run = pytest_scripts("--scripts", sessions, "--program", file, "--seconds", "1", "--score")
    assert set(scores(run)) == set(COURSE)
    assert "prepared.py" not in run.stdout and "INTERNALERROR" not in run.stdout
    if named:
        assert run.returncode == 1 and named in run.stdout
        if "shuffle" in change[0]:
            assert "typed: s" in run.stdout
    else:
        assert run.returncode == 0


def test_a_module_that_is_not_there_or_has_no_game_is_an_error(sessions):
    for option in ("montana=none.py", "montana", f"chess={PROJ10}"):
        run = pytest_scripts("--scripts", sessions, "--module", option)
        assert run.returncode == 4 and "--module" in run.stderr


def course(file, *options):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_course.py",
               "--module", f"montana={file}", *map(str, options)]
    return subprocess.run(command, cwd=helpers.ROOT, capture_output=True, text=True)


# Faults that are put into a right program, and how many of the functions' tests must see each, at least.
FAULTS = [
    ((), 0),
    (("return left.rank() != 1 and left.suit()", "return left.suit()"), 0),
    (("if dest_col == 0:\n        return card.rank() == 2", "if dest_col == 0:\n        return True"), 2),
    (("return False\n    card = tableau[source_row][source_col]\n    tableau", "pass\n    card = tableau[source_row][source_col]\n    tableau"), 9),
    (("    return True\n\n\ndef sequence", "    return 1\n\n\ndef sequence"), 3),
    (("while count < 12 and", "while count < 11 and"), 3),
    (("if dest_col == 0:\n        return card.rank() == 2", "if dest_col == 0 and card.rank() == 2:\n        return True"), 2),
    (("    card = tableau[source_row][source_col]\n    tableau[source_row][source_col] = tableau[dest_row][dest_col]\n"
      "    tableau[dest_row][dest_col] = card\n",
      "    one, two = tableau[source_row][source_col], tableau[dest_row][dest_col]\n"
      "    first, second = (one.rank(), one.suit()), (two.rank(), two.suit())\n"
      "    one.__init__(*second)\n    two.__init__(*first)\n"), 0),
    (("def initialize():\n", "def initialize():\n    while True:\n        pass\n"), 2),
    (("def initialize():\n", "def initialize():\n    open('left.txt', 'w').close()\n"), 0),
    (("        row.append(blanks.pop())\n", ""), 3),
    (("def check_win(", "def won("), 47),
    (('if __name__ == "__main__":\n    main()', "main()"), 47),
]


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    """The runs of test_course.py for all FAULTS, several at the same time."""
    def graded(fault):
        change, _ = fault
        return course(submission(tmp_path_factory.mktemp("student"), *change), "--seconds", "0.5")

    with ThreadPoolExecutor() as pool:
        return list(pool.map(graded, FAULTS))


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_the_six_functions_by_themselves(number, courses):
    run, (_, failed) = courses[number], FAULTS[number]
    assert not (helpers.ROOT / "left.txt").exists()
    count = sum(map(int, re.findall(r"(\d+) (?:failed|error)", run.stdout.splitlines()[-1])))
    assert (count >= failed > 0) or count == failed == 0, run.stdout


def test_a_class_is_graded_with_the_loop_of_the_document(tmp_path, sessions):
    """As it is written, with three submissions."""
    loop = re.search(r"```sh\n(.*?)```", (helpers.ROOT / "docs" / "graders.md").read_text(), re.DOTALL)[1]
    (tmp_path / "project").mkdir()
    project = helpers.copy_project(tmp_path / "project")
    shutil.copytree(helpers.ROOT / "tests", project / "tests")
    for name, change in {"ada": (), "bob": ('"{:3d}:"', '"{:2d}:"'), "eve": ("def main():", "def main(")}.items():
        (project / "submissions" / name).mkdir(parents=True)
        submission(project / "submissions" / name, *change)
    shutil.copytree(sessions, project / "sessions")
    folder = Path(sys.executable).parent
    run = subprocess.run(["sh", "-c", loop], cwd=project, capture_output=True, text=True,
                         env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    rows = (project / "scores.csv").read_text().splitlines()
    assert run.returncode == 0 and len(rows) == 9 and "ada,montana-course1,36,36" in rows
    assert "eve,montana-course2,0,25" in rows and sum(row.startswith("bob") for row in rows) == 3
