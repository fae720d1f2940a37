"""However the program is ended, and whatever is typed: no traceback, and nothing lost."""

import os
import signal
import subprocess
import sys
import time

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from helpers import PROMPT
from pseudo_terminal import Terminal, start, type_lines, answer_to, saved_lines


@pytest.mark.parametrize("typed, ending", [("half a line", signal.SIGTERM), ("", signal.SIGHUP)])
def test_a_signal_saves_the_game_also_while_a_line_is_half_typed(typed, ending):
    game = start("klondike --seed 8 --draw 1")
    type_lines(game, "ac", "d", "d")
    game.type(typed)
    game.settle()
    game.signal(ending)
    assert game.close() == 130
    assert "Saved. Continue with: python main.py resume" in game.shown


@pytest.mark.parametrize("option, typed, until", [
    *((option, *at) for option in ("", "--scroll", "--spoken") for at in (("", ""), ("d\nsolve\n", "(y/n)? "))),
    ("", "half", "half"), ("", "\x1b[B", "Enter or Space: "), ("", "rules\n", "no more "),
])  # fmt: skip
def test_a_window_that_is_closed_is_an_end_and_no_bug(option, typed, until, home):
    prompt = "Command: " if option == "--spoken" else PROMPT
    game = start(f"klondike --seed 8 {option}", until=prompt, PATIENCE_SCROLL="")
    game.type("ac\n")
    game.wait_for(prompt)
    game.type(typed)
    game.wait_for(until)
    assert game.hang_up() == 130
    assert not [*home.glob("error-*.txt")] and saved_lines()[0][0] == "TF 6"


@pytest.mark.parametrize("command, until", [("", "q: quit: "), ("stats --reset", "(y/n)? ")])
def test_a_window_that_is_closed_at_a_question_of_a_command(command, until):
    assert start(command, until=until).hang_up() == 130


@pytest.mark.parametrize("option", ["", "--scroll"])
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_paste_without_an_end_keeps_no_signal_away(option, ending):
    game = start(f"klondike --seed 8 {option}", PATIENCE_SCROLL="")
    game.type("\x1b[200~")
    time.sleep(0.8)
    game.signal(ending)
    assert game.close() == 130


def test_a_bug_while_keys_are_read_ends_no_game(home, tmp_path):
    pointing = ("        if event.kind in STEPS:\n", "        if event.kind in STEPS:\n            1 / 0\n")
    project = helpers.changed_project(tmp_path / "project", **{"patience/consoles/pointing": pointing})
    game = start("klondike --seed 8", project, PATIENCE_SCROLL="")
    game.type("sw\n")
    game.wait_for(PROMPT)
    game.type("\x1b[B")
    assert "ran into a bug. Your game has not changed." in game.wait_for(PROMPT)
    game.type("sw\n")
    game.wait_for("2 moves")
    game.type("q\n")
    assert game.close() == 0 and saved_lines() == [["SW", "SW"]] and len([*home.glob("error-*.txt")]) == 1


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


def test_a_terminal_that_lacks_letters_shows_the_help(tmp_path):
    shown = Terminal("klondike --help", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert shown.close() == 0 and "Traceback" not in shown.shown and "column" in shown.shown


@pytest.mark.parametrize("how", [["-I"], ["-P"]])
def test_without_its_own_folder_on_the_path_a_sentence(how):
    if how == ["-P"] and sys.version_info < (3, 11):
        pytest.skip("new in Python 3.11")
    done = subprocess.run([sys.executable, *how, helpers.ROOT / "main.py"], capture_output=True, cwd=os.sep)
    assert done.returncode == 1 and done.stderr.startswith(b"The program's own folder is not on Python's path")


# Python imports this when it starts. After a number N is written to the file, the Nth call of our functions fails.
FAULT = """
import os, sys
calls = 0
def watch(frame, event, argument):
    global calls
    if frame.f_code.co_flags & 32:  # Python does not report an error in a generator that is closed
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
@pytest.mark.slow_cases("10$|220")
def test_a_bug_ends_no_game_and_loses_no_move(line, calls, home, tmp_path):
    fault = tmp_path / "fault"
    (helpers.make_folder(tmp_path / "path") / "sitecustomize.py").write_text(FAULT.format(path=str(fault)))
    game = start("klondike --seed 8", PYTHONPATH=str(tmp_path / "path"))
    type_lines(game, "sw", "sw", "sw")
    fault.write_text(str(calls))
    said = " ".join(answer_to(game, line).split())
    named = next((name for name in (line, "What was typed") if f'Sorry, "{name}" ran into a bug.' in said), "")
    assert named and "Your game has not changed. The error is in" in said, said
    (error,) = home.glob("error-*.txt")
    assert error.read_text().startswith(f"# {named}\nTraceback")
    assert " · 3 moves · " in answer_to(game, "") and " · 4 moves · " in answer_to(game, "sw")
    game.type("q\n")
    assert game.close() == 0 and saved_lines() == [["SW"] * 4]
