"""The scripted-session test as graders use it: on their own folder, with their own cards.py."""

import shutil
import subprocess
import sys
import xml.etree.ElementTree

import pytest

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
