"""A game whose piles come and go, and whose order in a pile changes: moves by name, and by ear."""

import shutil

import pytest

import helpers
from helpers import run_process


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the program with such a game."""
    folder = helpers.copy_project(tmp_path_factory.mktemp("project"), packages=())
    shutil.copy(helpers.ROOT / "tests" / "accordion.py", folder)
    main = folder / "main.py"
    main.write_text(main.read_text(encoding="utf-8").replace("GAMES = {\n", 'GAMES = {\n    "accordion": "A row.",\n'))
    return folder


def heard(project, *lines):
    """Return what is said to each of some lines, by ear."""
    done = run_process("accordion --seed 3 --spoken", "\n".join([*lines, "q", "y", ""]), project)
    assert done.returncode == 0 and not done.stderr
    return [answer.strip() for answer in done.stdout.decode().split("Command: ")[1:]]


def test_a_pile_that_vanishes_is_told_as_it_moved(project):
    moved, back, again, turned, *_ = heard(project, "l 2", "undo", "redo", "v 1")
    assert moved == "queen hearts and 3 more onto queen clubs."
    assert back == "Undone: L 2\nqueen hearts and 3 more to pile 2."
    assert again == "Redone: L 2\nqueen hearts and 3 more onto queen clubs."
    assert turned.startswith("Pile 1: 7 clubs, 9 spades, 10 hearts, queen hearts, queen clubs") and "onto" not in turned
