"""The tools, and python -m patience: that wrong arguments are answered with a sentence, and what each tool does on its
own."""

import ast
import itertools
import math
import operator
import random
import re
import runpy
import shutil
import subprocess
import sys

import pytest

from helpers import ROOT
from patience.solvers import montana, montana_worth, quadzilla_worth
from patience.solvers.search import LOST, UNKNOWN, WON, Limits
from tools import benchmark, learn_montana, learn_quadzilla, learn_rule
from tools.research import montana as research

TOOLS = ["research.montana", *sorted(path.stem for path in (ROOT / "tools").glob("*.py"))]


@pytest.mark.parametrize("name", [name for name in TOOLS if name != "picture"])  # which takes no words
@pytest.mark.filterwarnings("ignore:.*found in sys.modules")
def test_a_tool_says_what_it_does_and_what_is_wrong(name, monkeypatch, capsys):
    """As its command line runs it, but in this process."""
    monkeypatch.setattr(sys, "argv", [name, "no/such/file"])
    with pytest.raises(SystemExit) as end:
        runpy.run_module(f"tools.{name}", run_name="__main__")
    errors = capsys.readouterr().err
    assert end.value.code == 2 and errors.startswith("Usage: ") and "no/such/file" in errors


def test_the_benchmark_measures_one_part(monkeypatch, capsys):
    monkeypatch.setattr(benchmark, "ROUNDS", 1)
    benchmark.main(["undo"], standalone_mode=False)
    assert re.fullmatch(r"undo, 450 of 500 commands: +[1-9][\d.]* ms +\(goal: \d+ ms\)\n", capsys.readouterr().out)


def test_the_package_is_the_program():
    shown = subprocess.run(
        [sys.executable, "-m", "patience", "--help"], capture_output=True, encoding="utf-8", cwd=ROOT
    )
    assert "Play one with: python -m patience GAME" in shown.stdout and not shown.stderr


def test_weights_are_learned_by_climbing():
    """Of two changes to the first weights, the second wins more deals and is kept."""
    rule = learn_rule.RULES["klondike-3"]
    weights, won = learn_rule.learn(rule, rounds=2, deals=60, judged_by=range(8000, 8050))
    assert weights == rule.by_hand._replace(not_up=3.37, to_be_had=0.26)
    assert won["to begin with"] < won["of the hints"]


def learned_twice(learn, folder):
    """Return the table that is learned from a few deals, and is the same if it is learned again."""
    texts = []
    for path in (folder / "one.txt", folder / "two.txt"):
        learn(path)
        texts.append(path.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    return ast.literal_eval(texts[0])


def test_quadzilla_learns_the_same_again_and_only_from_hard_games(tmp_path, monkeypatch):
    monkeypatch.setattr(learn_quadzilla, "GAMES", 1)
    table, used = learned_twice(learn_quadzilla.main, tmp_path), quadzilla_worth.TABLE
    assert table.keys() == used.keys() and table["hard"].keys() == used["hard"].keys()
    for difficulty in ("easy", "normal"):
        assert table[difficulty] == {turn: [*one] for turn, one in used[difficulty].items()}


def test_montana_learns_the_same_again(tmp_path, monkeypatch):
    """In two rounds: with the weights made by hand, and with those of the first round."""
    monkeypatch.setattr(learn_montana, "FIRST_DEAL", 1_000_020)  # which is won, as is the next
    rounds = (1, (100,), 80_000), (1, (200,), None)
    table = learned_twice(lambda path: learn_montana.main(path, rounds), tmp_path)
    assert table.keys() == vars(montana_worth.TABLE).keys()
    assert any(any(weights) for weights in table["PLACE"].values())


def test_chances_that_promise_too_much_are_made_lower(monkeypatch):
    """The program is sure of winning every time, and loses three out of four games."""
    monkeypatch.setattr(learn_quadzilla, "GAMES", 8)
    wins = itertools.cycle([True, False, False, False])
    monkeypatch.setattr(learn_quadzilla, "play_to_the_end", lambda *_: ({1: 2.0 * quadzilla_worth.UNIT}, next(wins)))
    settled = learn_quadzilla.settle("hard", {1: quadzilla_worth.Features(always=5)}, random.Random(1))
    assert settled[1].always == 5 + round(quadzilla_worth.UNIT * (math.log(1 / 3) - 2))


def test_a_logistic_function_is_fitted():
    chance, wanted = random.Random(5), quadzilla_worth.Features(suit=1.5, move=-2.0, always=0.5)
    counts = [quadzilla_worth.Features(suit=chance.randint(0, 4), move=chance.randint(0, 3)) for _ in range(400)]
    chances = [1 / (1 + math.exp(-sum(map(operator.mul, wanted, row)))) for row in counts]
    found = quadzilla_worth.Features(*learn_quadzilla.fit(counts, chances))
    assert abs(found.suit - 1.5) < 0.2 and abs(found.move + 2) < 0.2 and found.rank == 0


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("g++"), reason="needs a C++ compiler")
def test_the_search_in_cpp_is_the_search_by_blocks(tmp_path):
    """The same verdicts after the same number of positions; each win is replayed in the game. It is slow because the
    program is compiled, and worth it because nothing else runs it."""
    program, most, verdicts = research.compile_search(tmp_path), 1_500, set()
    for number in (0, 5, 45):
        row, limits = research.decide(program, most, number), Limits(None)
        way, complete = montana.look_everywhere(montana.position(research.tableau_of(number)), most, limits)
        verdict = UNKNOWN if way is None and not complete else LOST if way is None else WON
        assert (row.verdict, row.positions, row.commands) == (verdict, min(limits.count, most), len(way or ())), number
        verdicts.add(verdict)
    assert verdicts == {WON, LOST, UNKNOWN}
