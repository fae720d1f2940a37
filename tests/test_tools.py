"""The tools, and python -m patience: that wrong arguments are answered with a sentence, and what each tool does on its
own."""

import shutil
import subprocess
import sys

import pytest

from helpers import ROOT
from solvers import montana
from solvers.search import LOST, UNKNOWN, WON, Limits
from tools import learn_rule
from tools.research import montana as research

TOOLS = ["research.montana", *sorted(path.stem for path in (ROOT / "tools").glob("*.py"))]


def run_tool(name, *words):
    """Run a tool; return how it ended."""
    return subprocess.run([sys.executable, "-m", f"tools.{name}", *words], capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("name", [name for name in TOOLS if name != "picture"])  # which takes no words
def test_a_tool_says_what_it_does_and_what_is_wrong(name):
    wrong = run_tool(name, "no/such/file")
    assert wrong.returncode == 2 and wrong.stderr.startswith("Usage: ") and "no/such/file" in wrong.stderr


@pytest.mark.slow
def test_the_benchmark_measures_one_part():
    shown = run_tool("benchmark", "undo")
    assert shown.returncode == 0 and shown.stdout.startswith("undo, ")


def test_the_package_is_the_program():
    shown = subprocess.run([sys.executable, "-m", "patience", "--version"], capture_output=True, text=True, cwd=ROOT)
    assert shown.stdout.startswith("patience ") and not shown.stderr
    shown = subprocess.run([sys.executable, "-m", "patience", "--help"], capture_output=True, text=True, cwd=ROOT)
    assert "Play one with: python -m patience GAME" in shown.stdout


@pytest.mark.slow
def test_weights_are_learned_by_climbing():
    """Of two changes to the first weights, the second wins more deals and is kept."""
    rule = learn_rule.RULES["klondike-3"]
    weights, won = learn_rule.learn(rule, rounds=2, deals=60, judged_by=range(8000, 8050))
    assert weights == rule.by_hand._replace(not_up=3.37, to_be_had=0.26)
    assert won["to begin with"] < won["of the hints"]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("g++"), reason="needs a C++ compiler")
def test_the_search_in_cpp_is_the_search_by_blocks(tmp_path):
    """For 30 deals, the same verdicts after the same number of positions; each win is replayed in the game."""
    program, most, verdicts = research.compile_search(tmp_path), 2_000, set()
    for number in range(30):
        row, limits = research.decide(program, most, number), Limits(None)
        way, complete = montana.look_everywhere(montana.position(research.tableau_of(number)), most, limits)
        verdict = UNKNOWN if way is None and not complete else LOST if way is None else WON
        assert (row.verdict, row.positions, row.commands) == (verdict, min(limits.count, most), len(way or ())), number
        verdicts.add(verdict)
    assert verdicts == {WON, LOST, UNKNOWN}
