"""A bug of ours, wherever it is: it ends no game at a terminal, and loses none."""

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import answer_to, saved_lines, start, type_lines

# Python imports it at its start: so many calls of our functions after the number was written to the file, one fails.
FAULT = """
import os, sys
calls = 0
def watch(frame, event, argument):
    global calls
    if event == "call" and "/patience/" in frame.f_code.co_filename and os.path.exists({path!r}):
        calls += 1
        if calls == int(open({path!r}).read()):
            os.remove({path!r})
            raise ZeroDivisionError
sys.setprofile(watch)
"""


@pytest.mark.parametrize(
    "line, calls", [("sw", 10), ("sw", 9), ("sw", 25), ("ac", 60), ("undo", 12), ("new", 30), ("hint", 20)]
)
def test_a_bug_ends_no_game_and_loses_no_move(line, calls, home, tmp_path):
    fault = tmp_path / "fault"
    (helpers.make_folder(tmp_path / "path") / "sitecustomize.py").write_text(FAULT.format(path=str(fault)))
    game = start("klondike --seed 8", PYTHONPATH=str(tmp_path / "path"))
    type_lines(game, "sw", "sw", "sw")
    fault.write_text(str(calls))
    said = " ".join(answer_to(game, line).split())
    assert f'Sorry, "{line}" ran into a bug. Your game has not changed. The error is in' in said, said
    (error,) = home.glob("error-*.txt")
    assert error.read_text().startswith(f"# {line}\nTraceback")
    assert " · 3 moves · " in answer_to(game, "") and " · 4 moves · " in answer_to(game, "sw")
    game.type("q\n")
    assert game.close() == 0 and saved_lines() == [["SW"] * 4]
