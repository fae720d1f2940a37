"""The console of a player: the board, colours, width, the status line, editing, Ctrl-C and Ctrl-D."""

import re
import time

import pytest

import helpers
import main
from helpers import PROMPT

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal, start, answer_to


def test_ctrl_c_ends_only_the_search(home):
    game = start("montana --seed 2")
    game.type("solve\n")
    game.wait_for("(y/n)? ")
    answer_to(game, "y", "Looking for a way to win")
    time.sleep(0.5)
    game.type("\x03")
    game.wait_for("The search was stopped.")
    game.wait_for(PROMPT)
    answer_to(game, "s")


@pytest.mark.parametrize("name", main.GAMES)
def test_the_help_fits_beside_a_board(name, home):
    game = start(name)
    assert len(answer_to(game, "help", PROMPT).splitlines()) <= 14


def test_what_cannot_be_shown_or_read_is_replaced(tmp_path):
    deck = tmp_path / "\N{LATIN SMALL LETTER E WITH ACUTE}.deck"
    deck.write_bytes((helpers.COURSE / "course.deck").read_bytes())
    game = Terminal(f"montana --seed 1 --deck {deck}", PYTHONIOENCODING="ascii")
    assert "/?.deck'" in game.wait_for(PROMPT)
    game.type_bytes(b"\xff\n")
    game.wait_for(PROMPT)
    assert "not understood" in game.shown


def test_the_deal_number_deals_the_game_again():
    game = Terminal("montana", NO_COLOR="1")
    shown = game.wait_for(PROMPT)
    number = re.search(r"^Deal (\d{1,6}):", shown, re.MULTILINE)[1]
    game.kill()
    again = Terminal(f"montana --seed {number}", NO_COLOR="1")
    assert again.wait_for(PROMPT) == shown
    assert shown.count(number) == 3, "the number, how to use it, and once more under the board"


def test_every_game_of_a_seeded_sitting_has_a_number():
    game = start("montana --seed 3")
    game.type("new\n")
    shown = game.wait_for(PROMPT)
    number = re.search(r"^Deal (\d+): --seed \1", shown, re.MULTILINE)[1]
    board = helpers.run(f"montana --seed {number}").stdout.decode()[19:300]
    assert board in shown.replace("--", "  ").replace("\r\n", "\n")


def test_line_editing_and_history():
    game = start("montana --seed 100 --deck ../../grading/montana/course.deck")
    game.type("1 1 1 12\x7f\n")  # backspace
    game.wait_for("Error: invalid move.")
    game.type("\x1b[A\n")  # up: the same again
    game.wait_for("Error: invalid move.")
    game.type("# a comment\n")
    game.type("4 13 1 0\x1b[D1\n")  # left, then 1: 4 13 1 10
    game.wait_for("10♣  J♣  5♥")


@pytest.mark.parametrize("typed, prompt, option", [("", PROMPT, ""), ("4 13", PROMPT, ""), ("", "Command: ", " --spoken")])  # fmt: skip
def test_ctrl_c_is_one_line_and_status_130(typed, prompt, option):
    game = start(f"montana --seed 1{option}", until=prompt)
    game.type(typed)
    game.wait_for(typed)
    if typed:  # it is taken back first
        time.sleep(0.3)  # until it can be interrupted
        game.interrupt()
        game.wait_for(prompt)
        time.sleep(0.3)
    game.interrupt()
    assert game.close() == 130
    assert game.shown.endswith("\r\nInterrupted.\r\n") and "Traceback" not in game.shown
