"""docs/new_game.md: its game works, with everything that every game has."""

import re
import shutil
import subprocess
import sys

import pytest

import helpers
from helpers import ROOT, SECONDS, run_process

DOCUMENT = (ROOT / "docs" / "new_game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
WON, LOST = 631, 1  # a deal that the hints win, and one that they lose


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with the document's game in it."""
    folder = tmp_path_factory.mktemp("project")
    helpers.copy_project(folder)
    for name in ("tests", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "acesup.py").write_text("\n\n".join(BLOCKS), encoding="utf-8")
    for path, text in re.findall(r"```\w+ (\S+)\n(.*?)```", DOCUMENT, re.DOTALL):
        (folder / path).write_text(text, encoding="utf-8")
    (line,) = re.findall(r"```text\n(.*?)```", DOCUMENT, re.DOTALL)
    main = (folder / "main.py").read_text(encoding="utf-8")
    changed = main.replace("GAMES = {\n", f"GAMES = {{\n{line}")
    assert changed != main
    (folder / "main.py").write_text(changed, encoding="utf-8")
    return folder


@pytest.fixture
def restored(project):
    """The paths of the game and of its solver, which are restored after the test."""
    paths = project / "acesup.py", project / "solvers" / "acesup.py"
    texts = [path.read_text(encoding="utf-8") for path in paths]
    yield paths
    for path, text in zip(paths, texts):
        path.write_text(text, encoding="utf-8")


def play(project, script, *arguments):
    """Play the game with a script; return what it prints."""
    game = run_process(["acesup", *arguments], script, project)
    assert game.returncode == 0 and game.stderr == b""
    return game.stdout.decode()


def greedy_commands(project, seed):
    """Return the commands of a game in which every hint is followed."""
    code = (
        "import random, acesup\n"
        f"random.seed({seed})\n"
        "game = acesup.initialize()\n"
        "while not acesup.check_win(game) and not acesup.check_loss(game):\n"
        "    move = acesup.legal_moves(game)[0]\n"
        "    acesup.move(game, *move)\n"
        "    print(*move)\n"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=True).stdout


def test_it_is_short():
    """Everything needed to play, without the option, including docstrings."""
    game = "\n\n".join(BLOCKS[:-1])
    assert len(game.splitlines()) <= 130


@pytest.mark.parametrize(
    "blocks, shown", [(2, b"Stock: 48"), (3, b"Stock: 48"), (4, b"Stock: 44"), (5, b"Stock: 44"), (6, b"Stock: 44")]
)
def test_every_step_can_be_tried(project, restored, blocks, shown):
    """After the second step there is a board, but no move yet."""
    path, solver = restored
    path.write_text("\n\n".join(BLOCKS[:blocks]), encoding="utf-8")
    solver.unlink()
    script = "help\nD\nundo\nredo\nX 1\n5c\nmoves\n" + "hint\n" * (blocks == 6)
    game = run_process("acesup --seed 1", script, project)
    assert game.returncode == 0 and game.stderr == b"" and shown in game.stdout
    assert (b"(h for help): acesup has no move yet.\n" in game.stdout) == (blocks < 4)


@pytest.mark.slow
@pytest.mark.parametrize("step, blocks", [(2, 2), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_at_each_step_no_other_test_is_red_than_it_says(project, restored, step, blocks):
    path, solver = restored
    path.write_text("\n\n".join(BLOCKS[:blocks]), encoding="utf-8")
    solver.unlink()
    section = DOCUMENT.partition(f"\n## {step}. ")[2].partition("\n## ")[0]
    told = " ".join(section.partition("These tests of step 7 may still fail: ")[2].split())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "tests/test_contract.py", "-k", "acesup"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=SECONDS)
    red = [
        line.removeprefix("[ ] ") for line in done.stdout.splitlines() if line.startswith("[ ] ") and line[4].isdigit()
    ]
    assert red and not [name for name in red if f"*{name}*" not in told], done.stdout


@pytest.mark.parametrize(
    "text, told", [(None, "there is no file acesup.py."), ('"""Aces Up."""', "acesup.py has no initialize yet.")]
)
def test_a_game_that_is_hardly_begun_is_told_in_a_line(project, restored, text, told):
    path, _ = restored
    path.unlink()
    if text:
        path.write_text(text, encoding="utf-8")
    game = run_process("acesup", project=project)
    assert game.returncode == 1 and game.stderr.decode() == f"Error: {told}\n"


@pytest.mark.parametrize("options", [[], ["--covered", "yes"]])
def test_it_is_solved(project, options):
    start = ["acesup", *options, "--seed", "178"]
    solution = run_process(["solve", *start], project=project)
    assert solution.returncode == 0 and solution.stderr.startswith(b"won: ")
    assert b"You won!" in run_process(start, solution.stdout, project).stdout


@pytest.mark.parametrize("seed, end", [(WON, "You won!"), (LOST, "You lost: ")])
def test_it_is_played_to_a_win_and_a_loss(project, seed, end):
    shown = play(project, greedy_commands(project, seed) + "n\n", "--seed", str(seed))
    assert f"\n{end}" in shown and "Error" not in shown


@pytest.mark.slow
def test_the_tests_run_on_it(project):
    session = f"# acesup --seed {WON}\n{greedy_commands(project, WON)}"
    (project / "tests" / "scripts" / "acesup-win.in").write_text(session)
    (project / "tests" / "scripts" / "acesup-win.out").write_text(play(project, session, "--seed", str(WON)))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:cacheprovider",
        "-k",
        "acesup",
        "tests/test_contract.py",
    ]
    tests = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=3 * SECONDS)
    assert tests.returncode == 0, tests.stdout
    for name in ("6_nothing_is_missing", "rules", "script", "it_agrees_with_brute_force_on_endgames"):
        assert re.search(rf"::test_{name}\[acesup.* PASSED", tests.stdout), tests.stdout


def test_a_card_from_the_wrong_end_is_seen(project, restored):
    """The most common mistake with lists."""
    path, _ = restored
    text = path.read_text(encoding="utf-8").replace("dest.append(source.pop())", "dest.append(source.pop(0))")
    path.write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        *"-m pytest -q -p no:cacheprovider tests/test_contract.py -k".split(),
        "acesup and named_moves",
    ]
    tests = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=3 * SECONDS)
    assert "is the wrong end taken, as source.pop(0) does?" in tests.stdout


def test_undo_hints_names_and_saved_games_work(project, tmp_path):
    hint, undone, saved = "5♣ to the discard pile", "Undone: deal four cards", tmp_path / "game.txt"
    shown = play(project, "hint\nD\nundo\nredo\n", "--seed", "1", "--save", str(saved))
    assert hint in shown and undone in shown and "Redone: deal four cards" in shown
    assert saved.read_text() == "# acesup --seed 1\nD\n"
    assert "Stock: 44" in play(project, "", "--save", str(saved))
    assert "5♣ to discard" in play(project, "5c\n", "--seed", "1", "--table")
