"""The program at a terminal: colours, the deal number, line editing, Ctrl-C and Ctrl-D."""

import re

import pytest

import helpers

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal

RED_TWO = "\x1b[31m2♥\x1b[0m"


def test_red_suits_are_red_and_black_ones_are_not():
    game = Terminal("montana --seed 100 --deck course.deck")
    shown = game.wait_for("dest_col: ")
    assert RED_TWO in shown and "\x1b[31m10♦\x1b[0m" in shown
    assert re.search(r"(?<!m)2♠", shown) and "\x1b[31m2♠" not in shown
    plain = re.sub(r"\x1b\[\d+m", "", shown).replace("\r\n", "\n")
    board = (helpers.SCRIPTS / "montana-course1.out").read_text(encoding="utf-8")
    assert board[len("Montana Solitaire.\n"):300] in plain
    game.kill()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_sequence_without_color(environment):
    game = Terminal("montana --seed 100", **environment)
    game.wait_for("dest_col: ")
    game.type("1 1 1 1\n")
    game.wait_for("dest_col: ", times=2)
    game.type("quit\n")
    assert game.close() == 0
    assert "\x1b" not in game.shown and "♥" in game.shown


def test_a_terminal_without_the_symbols_gets_letters():
    game = Terminal("montana --seed 100", PYTHONIOENCODING="ascii")
    shown = game.wait_for("dest_col: ")
    assert "\x1b[31m2H\x1b[0m" in shown and "2S" in shown
    assert not set("♣♦♥♠?") & set(shown)
    game.kill()


def test_what_cannot_be_shown_or_read_is_replaced(tmp_path):
    deck = tmp_path / "\N{LATIN SMALL LETTER E WITH ACUTE}.deck"
    deck.write_bytes((helpers.SCRIPTS / "course.deck").read_bytes())
    game = Terminal(f"montana --seed 1 --deck {deck}", PYTHONIOENCODING="ascii")
    assert "/?.deck'" in game.wait_for("dest_col: ")
    game.type_bytes(b"\xff\n")
    game.wait_for("dest_col: ", times=2)
    assert "Error: invalid input" in game.shown
    game.kill()


def test_the_deal_number_deals_the_game_again():
    game = Terminal("montana", NO_COLOR="1")
    shown = game.wait_for("dest_col: ")
    number = re.search(r"^Deal (\d{1,6}):", shown, re.MULTILINE)[1]
    game.kill()
    again = Terminal(f"montana --seed {number}", NO_COLOR="1")
    assert again.wait_for("dest_col: ") == shown
    assert shown.count(number) == 3, "the number, how to use it, and once more under the board"
    again.kill()


def test_every_game_of_a_seeded_sitting_has_a_number():
    game = Terminal("montana --seed 3", NO_COLOR="1")
    game.wait_for("dest_col: ")
    game.type("new\n")
    shown = game.wait_for("dest_col: ", times=2)
    number = re.findall(r"^Deal (\d+): --seed \1", shown, re.MULTILINE)[1]
    board = helpers.run(f"montana --seed {number}").stdout.decode()[:300]
    assert board in shown.replace("\r\n", "\n").replace(f"Deal {number}: --seed {number} deals it again.\n", "")
    game.kill()


def test_line_editing_and_history():
    game = Terminal("montana --seed 100 --deck course.deck", NO_COLOR="1")
    game.wait_for("dest_col: ")
    game.type("1 1 1 12\x7f\n")  # backspace
    game.wait_for("Error: invalid move.")
    game.type("\x1b[A\n")  # up: the same again
    game.wait_for("Error: invalid move.", times=2)
    game.type("# a comment\n")
    game.type("4 13 1 0\x1b[D1\n")  # left, then 1: 4 13 1 10
    game.wait_for("10♣  J♣  5♥")
    game.kill()


def test_ctrl_d_quits():
    game = Terminal("montana --seed 1", NO_COLOR="1")
    game.wait_for("dest_col: ")
    game.type("\x04")
    assert game.close() == 0
    assert game.shown.endswith("dest_col: \r\nThank you for playing.\r\n")


@pytest.mark.parametrize("typed", ["", "4 13"])
def test_ctrl_c_is_one_line_and_status_130(typed):
    game = Terminal("montana --seed 1", NO_COLOR="1")
    game.wait_for("dest_col: ")
    game.type(typed)
    game.wait_for("dest_col: " + typed)
    game.interrupt()
    assert game.close() == 130
    assert game.shown.endswith("\r\nInterrupted.\r\n") and "Traceback" not in game.shown


def test_bytes_that_are_not_utf8():
    game = Terminal("montana --seed 1", NO_COLOR="1")
    game.wait_for("dest_col: ")
    game.type_bytes(b"\xff\xfe\n")
    game.wait_for("Error: invalid input.")
    game.kill()
