"""docs/new_game.md: its game works, with everything that every game has."""

import re
import shutil
import subprocess
import sys

import pytest

import helpers
from helpers import ROOT, SECONDS, run_process

DOCUMENT = (ROOT / "docs" / "new_game.md").read_text(encoding="utf-8")
_, _, PROGRAM = (ROOT / "desturado.py").read_text(encoding="utf-8").partition("\n# The program\n")
CONSTANTS = re.search(
    r'(?s)^(PROMPT = .*?)COMMANDS = .*?(WORDS = """.*?""")', (ROOT / "desturado.py").read_text("utf-8"), re.M
)
BLOCKS = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
START = "acesup --seed 178"  # a deal that can be won, as the document says


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with the document's game in it."""
    folder = tmp_path_factory.mktemp("project")
    helpers.copy_project(folder)
    for name in ("tests", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "acesup.py").write_text("\n\n".join([*BLOCKS, *CONSTANTS.groups(), PROGRAM]), encoding="utf-8")
    for path, text in re.findall(r"```\w+ (\S+)\n(.*?)```", DOCUMENT, re.DOTALL):
        (folder / path).write_text(text, encoding="utf-8")
    (line,) = re.findall(r"```text\n(.*?)```", DOCUMENT, re.DOTALL)
    main = folder / "main.py"
    main.write_text(main.read_text(encoding="utf-8").replace("GAMES = {\n", f"GAMES = {{\n{line}"), encoding="utf-8")
    return folder


@pytest.fixture
def restored(project):
    """The paths of the game and of its solver, which are restored after the test."""
    paths = project / "acesup.py", project / "patience" / "solvers" / "acesup.py"
    texts = [path.read_text(encoding="utf-8") for path in paths]
    yield paths
    for path, text in zip(paths, texts):
        path.write_text(text, encoding="utf-8")


def write_steps(paths, blocks):
    """Write the game with the first of the document's blocks only, and without its solver."""
    path, solver = paths
    path.write_text("\n\n".join(BLOCKS[:blocks]), encoding="utf-8")
    solver.unlink()


def run_contract(project, which):
    """Run these tests of the contract; return how they ended."""
    command = [sys.executable, *"-m pytest -v -p no:xdist -p no:cacheprovider tests/test_contract.py -k".split(), which]
    return subprocess.run(command, cwd=project, capture_output=True, encoding="utf-8", timeout=3 * SECONDS)


def test_it_is_short():
    """Everything needed to play, without the option, including docstrings."""
    assert len("\n\n".join(BLOCKS[:-1]).splitlines()) <= 130


@pytest.mark.parametrize("blocks", range(2, 7))
def test_every_step_can_be_tried(project, restored, blocks):
    """After the second step there is a board, but no move yet; from the fifth on, a move is described."""
    write_steps(restored, blocks)
    script = "help\n5c\nundo\nD\nundo\nredo\nX 1\nmoves\n" + "hint\n" * (blocks == 6)
    game = run_process("play acesup --seed 1", script, project)
    assert game.returncode == 0 and game.stderr == b"" and b"Stock: 48" in game.stdout
    assert (b"(h for help): acesup has no move() yet.\n" in game.stdout) == (blocks < 4)
    assert (b"Stock: 44" in game.stdout) == (blocks >= 4)
    for told in ("5♣ to the discard pile", "Undone: deal four cards", "Redone: deal four cards"):
        assert (told in game.stdout.decode()) == (blocks >= 5)


@pytest.mark.slow
@pytest.mark.parametrize("step", range(2, 7))
def test_at_each_step_no_other_test_is_red_than_it_says(project, restored, step):
    """Slow: it runs the whole contract at each step. Nothing else shows what a reader of the document sees there."""
    write_steps(restored, step)
    section = DOCUMENT.partition(f"\n## {step}. ")[2].partition("\n## ")[0]
    told = " ".join(section.partition("These tests of step 7 may still fail: ")[2].split())
    done = run_contract(project, "acesup")
    red = re.findall(r"^\[ \] (\d.*)", done.stdout, re.MULTILINE)
    assert red and not [name for name in red if f"*{name}*" not in told], done.stdout


@pytest.mark.parametrize(
    "text, told", [(None, "there is no file acesup.py."), ('"""Aces Up."""', "acesup.py has no initialize yet.")]
)
def test_a_game_that_is_hardly_begun_is_told_in_a_line(project, restored, text, told):
    path, _ = restored
    path.unlink()
    if text:
        path.write_text(text, encoding="utf-8")
    game = run_process("play acesup", project=project)
    assert game.returncode == 1 and game.stderr.decode() == f"Error: {told}\n"


def test_without_a_main_it_is_played_at_the_table_only(project, restored):
    write_steps(restored, 6)
    game = run_process("acesup", project=project)
    told = b"Error: acesup has no main() yet: python main.py play acesup\n"
    assert (game.returncode, game.stdout, game.stderr) == (2, b"", told)


@pytest.mark.parametrize("options", [[], ["--covered", "yes"]])
def test_it_is_solved(project, options):
    start = [*START.split(), *options]
    solution = run_process(["solve", *start], project=project)
    assert solution.returncode == 0 and solution.stderr.startswith(b"won: ")
    assert b"You won!" in run_process(start, solution.stdout, project).stdout


@pytest.mark.slow
def test_the_tests_run_on_it(project):
    """Slow: it runs every test of a game. Only here is a new game accepted, whose positions are tried more closely."""
    session = run_process(f"solve {START}", project=project).stdout.decode()
    (project / "tests" / "scripts" / "acesup-win.in").write_text(session, encoding="utf-8")
    (project / "tests" / "scripts" / "acesup-win.out").write_bytes(run_process(START, session, project).stdout)
    tests = run_contract(project, "acesup")
    assert tests.returncode == 0, tests.stdout
    for name in ("6_nothing_is_missing", "rules", "script", "it_agrees_with_brute_force_on_endgames"):
        assert re.search(rf"::test_{name}\[acesup.* PASSED", tests.stdout), tests.stdout


def test_a_card_from_the_wrong_end_is_seen(project, restored):
    """The most common mistake with lists."""
    path, _ = restored
    text = path.read_text(encoding="utf-8").replace("dest.append(source.pop())", "dest.append(source.pop(0))")
    path.write_text(text, encoding="utf-8")
    tests = run_contract(project, "acesup and named_moves")
    assert "is the wrong end taken, as source.pop(0) does?" in tests.stdout
