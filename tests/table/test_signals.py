"""However the program is ended, and whatever is typed: no traceback, and nothing lost."""

import os
import signal
import subprocess
import sys
import time

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal, start, type_lines, answer_to, saved_lines


@pytest.mark.parametrize(
    "typed, ending", [("half a line", signal.SIGTERM), ("", signal.SIGHUP), ("hint\n", signal.SIGTERM)]
)
def test_a_signal_saves_the_game_also_while_a_line_is_half_typed(typed, ending):
    game = start("klondike --seed 8 --draw 1")
    type_lines(game, "ac", "d", "d")
    game.type(typed)
    time.sleep(0.3)
    game.signal(ending)
    assert game.close() == 130
    assert "Saved. Continue with: python main.py resume" in game.shown


def test_a_resize_while_the_terminal_holds_back_what_is_written():
    game = start("klondike --seed 8", PATIENCE_SCROLL="0")
    game.type("\x13")  # Ctrl-S
    for _ in range(60):
        game.signal(signal.SIGWINCH)
        time.sleep(0.01)
    game.type("\x11board\n")
    game.wait_for("Stock")
    game.type("q\n")
    assert game.close() == 0 and "Traceback" not in game.shown


def test_a_byte_that_is_no_letter_is_a_name_of_no_game():
    game = start("", until="q: quit: ")
    game.type_bytes(b"\xc3kl\n")
    game.wait_for("Please type a number from the list")
    game.type("q\n")
    assert game.close() == 0


def test_a_terminal_that_lacks_letters_shows_the_help(tmp_path):
    shown = Terminal("klondike --help", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert shown.close() == 0 and "Traceback" not in shown.shown and "column" in shown.shown


@pytest.mark.parametrize("how", [["-I"], ["-P"]])
def test_without_its_own_folder_on_the_path_a_sentence(how):
    if how == ["-P"] and sys.version_info < (3, 11):
        pytest.skip("new in Python 3.11")
    done = subprocess.run([sys.executable, *how, helpers.ROOT / "main.py"], capture_output=True, cwd=os.sep)
    assert done.returncode == 1 and done.stderr.startswith(b"The program's own folder is not on Python's path")


# Python imports it at its start: so many calls of our functions after the number was written to the file, one fails.
FAULT = """
import os, sys
calls = 0
def watch(frame, event, argument):
    global calls
    if frame.f_code.co_flags & 32:  # Python says nothing of an error in a generator that is closed
        return
    if event == "call" and "/patience/" in frame.f_code.co_filename and os.path.exists({path!r}):
        calls += 1
        if calls == int(open({path!r}).read()):
            os.remove({path!r})
            raise ZeroDivisionError
sys.setprofile(watch)
"""


@pytest.mark.parametrize("calls", [10, 60, 220])
@pytest.mark.parametrize("line", ["sw", "ac", "undo", "new", "hint"])
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
