"""The tools, and python -m patience: wrong words are a sentence, and what one does alone."""

import subprocess
import sys

import pytest

from helpers import ROOT
from tools import learn_rule

TOOLS = sorted(path.stem for path in (ROOT / "tools").glob("*.py") if path.stem != "__init__")


def run_tool(name, *words):
    """Run a tool; return how it ended."""
    return subprocess.run([sys.executable, "-m", f"tools.{name}", *words], capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("name", [name for name in TOOLS if name != "picture"])  # which takes no words
def test_a_tool_says_what_it_does_and_what_is_wrong(name):
    assert run_tool(name, "--help").stdout.startswith("Usage: ")
    wrong = run_tool(name, "no/such/file")
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr and "no/such/file" in wrong.stderr


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
    """Of two changes of the first weights, the second wins more deals, and stays."""
    rule = learn_rule.RULES["klondike-3"]
    weights, won = learn_rule.learn(rule, rounds=2, deals=60, judged_by=range(8000, 8050))
    assert weights == rule.by_hand._replace(not_up=3.37, to_be_had=0.26)
    assert won["to begin with"] < won["of the hints"]
