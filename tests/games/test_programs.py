"""The programs of the games: what is the same in the four files that read the grammar of COMMANDS."""

import ast

import pytest

import main
from cases import KNOWN
from helpers import ROOT


SAME = ("ask", "form_of", "read_move", "say", "outcome", "main")
FIRST, *OTHERS = sorted({*main.GAMES} - {"montana"})  # whose program is the handout's


def functions_of(name):
    """Return the functions of a game's file, in its order: name -> source."""
    text = (ROOT / f"{name}.py").read_text(encoding="utf-8")
    return {
        node.name: ast.get_source_segment(text, node)
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize("name", OTHERS)
def test_the_functions_of_a_program_are_the_same_in_the_four_files(name):
    ours, others = functions_of(name), functions_of(FIRST)
    assert [function for function in SAME if ours[function] != others[function]] == [], f"{name}.py, {FIRST}.py"
    assert [*ours][-7:] == [*others][-7:] == [*SAME[:-1], "play", "main"], "in the same order"


@pytest.mark.parametrize("name", KNOWN)
def test_a_game_imports_nothing_of_ours_and_has_short_lines(name):
    text = (ROOT / f"{name}.py").read_text(encoding="utf-8")
    imported = {
        word.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for word in node.names
    }
    assert imported <= {"cards", "collections", "dataclasses", "math", "random", "textwrap"}
    assert max(map(len, text.splitlines())) <= 80
