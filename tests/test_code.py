"""The code that a student reads stays readable."""

import ast
import functools
import graphlib

import pytest

import main
from helpers import ROOT, imports_of

LONGEST = 40  # lines of a function in a game
WINGS = ("consoles", "analysis", "records", "words", "games")
# Which modules in the frame may know which others: a module or a wing knows only those listed after it, not those beside it.
ORDER = (
    "cli, menu, start, play, words, status, saving, session, consoles, analysis + records, options, lines + game, "
    "sentences, effects, script, games, rules, decks, text"
)
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for folder in ("", "patience", *(f"patience/{wing}" for wing in WINGS), "solvers", "grading")
    for path in (ROOT / folder).glob("*.py")
    if path.stem != "__init__"
}


@functools.cache
def find_imports(name):
    """Return which of our modules a module imports, anywhere in it."""
    return imports_of(MODULES[name]) & set(MODULES)


@pytest.mark.parametrize("name", main.GAMES)
def test_no_function_of_a_game_is_too_long(name):
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < LONGEST, node.name


def test_imports_go_in_no_circle():
    graphlib.TopologicalSorter({name: find_imports(name) for name in MODULES}).prepare()  # or there is a CycleError


def test_the_solvers_know_nothing_of_the_frame_and_only_the_grader_of_the_grader():
    for name in MODULES:
        known = {other.partition(".")[0] for other in find_imports(name)}
        assert "patience" not in known or not name.startswith("solvers."), name
        assert "grading" not in known or name.startswith("grading."), name


def test_the_rooms_of_grading_know_only_those_below_them_for_type_hints_too():
    rooms = ["command", "making", "weights", "report", "judge", "submissions", "courses", "box"]
    for path in (ROOT / "grading").rglob("*.py"):
        own = path.relative_to(ROOT / "grading").with_suffix("").parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grading"):
                _, *inner = node.module.split(".")
                known = inner[:1] or [alias.name for alias in node.names]
                assert own == "__init__" or all(rooms.index(own) <= rooms.index(room) for room in known), (path, known)
                assert not (node.module == "grading" and own != "command"), path


def test_the_arrows_of_the_frame_run_downwards_only():
    place = {room: number for number, rooms in enumerate(ORDER.split(", ")) for room in rooms.split(" + ")}
    for name in MODULES:
        here, *_ = name.partition("patience.")[2].split(".")
        for other in find_imports(name) if here in place else ():
            there, *_ = other.partition("patience.")[2].split(".")
            assert there not in place or here == there or place[there] > place[here], f"{name} imports {other}"
