"""However the program is ended, and whatever is typed: no traceback, and nothing lost."""

import inspect
import itertools
import os
import signal
import subprocess
import sys
import time

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from helpers import PROMPT
from patience.table.records import bugs
from pseudo_terminal import KEYS, saved_lines, start, type_lines
from test_sessions import Play, play_of


@pytest.mark.parametrize("scrolls, typed, ending", [
    (True, "half a line", "SIGTERM"), (False, KEYS["Down"], "SIGTERM"), (False, KEYS["Down"], "SIGHUP"),
    (False, "half", "\x1c"),
])  # fmt: skip
def test_a_signal_saves_the_game_and_leaves_the_terminal_as_it_was(scrolls, typed, ending):
    game = start("klondike --seed 8 --draw 1", scrolls=scrolls)
    type_lines(game, "ac", "d", "d")
    game.type(typed)
    game.settle()
    assert scrolls or game.modes() == (False, False)
    game.signal(getattr(signal, ending)) if ending.startswith("SIG") else game.type(ending)
    assert game.close() == 130 and game.is_restored and saved_lines() == [["TF 6", "SW", "SW"]]
    assert "Saved. Continue with: python main.py play" in game.shown


@pytest.mark.parametrize("option, typed, until", [
    *((option, *at) for option in ("", "--scroll", "--spoken") for at in (("", ""), ("d\nsolve\n", "(y/n)? "))),
    ("", "half", "half"), ("", "\x1b[B", "Enter: 2♣"), ("", "rules\n", "no more "),
])  # fmt: skip
def test_a_window_that_is_closed_is_an_end_and_no_bug(option, typed, until, home):
    prompt = "Command: " if option == "--spoken" else PROMPT
    game = start(f"klondike --seed 8 {option}", until=prompt, scrolls=False)
    game.type("ac\n")
    game.wait_for(prompt)
    game.type(typed)
    game.wait_for(until)
    assert game.hang_up() == 130
    assert not [*home.glob("error-*.txt")] and saved_lines()[0][0] == "TF 6"


@pytest.mark.parametrize("command, until", [("", "q: quit: "), ("stats --reset", "(y/n)? ")])
def test_a_window_that_is_closed_at_a_question_of_a_command(command, until):
    assert start(command, until=until).hang_up() == 130


def test_a_paste_without_an_end_keeps_no_signal_away():
    game = start("klondike --seed 8", scrolls=False)
    game.type("\x1b[200~")
    game.settle()
    game.signal(signal.SIGTERM)
    assert game.close() == 130


def test_a_resize_while_the_terminal_holds_back_what_is_written():
    game = start("klondike --seed 8", scrolls=False)
    game.type("\x13")  # Ctrl-S
    for _ in range(60):
        game.signal(signal.SIGWINCH)
        time.sleep(0.01)
    game.type("\x11board\n")
    game.wait_for("stock")
    game.type("q\n")
    assert game.close() == 0 and "Traceback" not in game.shown


def test_a_terminal_that_lacks_letters_shows_the_help(tmp_path):
    (_, shown), *_ = play_of(["# TERM=dumb PYTHONIOENCODING=latin-1 klondike --help"], tmp_path).play()
    assert shown[-1] == "[0]" and "column" in str(shown)


@pytest.mark.parametrize("how", [["-I"], ["-P"]])
def test_without_its_own_folder_on_the_path_a_sentence(how):
    if how == ["-P"] and sys.version_info < (3, 11):
        pytest.skip("new in Python 3.11")
    done = subprocess.run([sys.executable, *how, helpers.ROOT / "main.py"], capture_output=True, cwd=os.sep)
    assert done.returncode == 1 and done.stderr.startswith(b"The program's own folder is not on Python's path")


@pytest.mark.parametrize("calls", [10, 60, 220])
@pytest.mark.parametrize("line", ["sw", "ac", "undo", "new", "hint", "<Down>", "<Space>"])
def test_a_bug_ends_no_game_and_loses_no_move(line, calls, home, tmp_path):
    """The Nth call of our functions fails while the line, or the key, is carried out."""
    step, count, mark = f": {line}", itertools.count(1), "#" if line[0] == "<" else "# TERM=dumb"
    steps = [f"~ {mark} klondike --seed 8", "~ sw", "~ sw", "~ sw", step, "> status", "> sw", "~ q"]
    play = play_of(steps, tmp_path)

    def watch(frame, event, _):
        code = frame.f_code
        is_ours = event == "call" and code.co_filename.startswith(f"{helpers.ROOT / 'patience'}")
        is_told = not code.co_flags & inspect.CO_GENERATOR  # Python reports no error in a generator that is closed
        if is_ours and is_told and next(count) == calls:
            raise ZeroDivisionError

    def next_line():
        typed = Play.next_line(play)
        sys.setprofile(watch if play.at_table == step else None)
        return typed

    play.next_line = next_line
    said, status, drawn = (" ".join(below) for _, below in play.play()[4:7])
    named = next((name for name in (line, "SW", "reading a line") if f'Sorry, "{name}" ran into a bug.' in said), "")
    assert named and "Your game has not changed. The report is in" in said, said
    (error,) = home.glob("error-*.txt")
    assert error.read_text(encoding="utf-8").startswith(f"# {named}\nTraceback")
    assert ", 3 moves, " in status and " · 4 moves · " in drawn and saved_lines() == [["SW"] * 4]


@pytest.mark.parametrize("error, why", [
    (MemoryError(), "There is not enough memory"), (OSError(28, "No space left on device"), "No space left on device"),
])  # fmt: skip
def test_a_command_that_the_machine_cannot_do_is_no_bug(error, why, home):
    assert bugs.report(error, "sw") == f'"sw" failed. Your game has not changed.\n{why}.'
    assert not [*home.glob("error-*")]
