"""The console of a player: the board, colours, width, the status line, editing, Ctrl-C and Ctrl-D."""

import re
import time

import pytest

import helpers
import main
from helpers import PROMPT
from patience.consoles import script, terminal
from patience.consoles.screen import columns_of
from patience import rules
from patience.game import Deal, Game

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal, start, answer_to, type_lines


def test_a_game_from_a_deck_file_is_told_with_it():
    game = start("klondike --seed 8 --deck klondike-3-win.deck")
    assert re.search(r"Deal 8: --seed 8 --deck \S*klondike-3-win.deck deals it again.", game.shown)


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


@pytest.mark.parametrize("line", ["", "board", " BOARD "])
def test_the_empty_line_and_the_word_show_the_board_again(line, home):
    game = start("klondike --seed 8")
    answer_to(game, "ac")
    again = answer_to(game, line)
    assert again.startswith("Foundations:   1:  A♣") and "A♣ to foundation 1" in again.splitlines()[-1]


def test_the_status_line_says_what_the_last_command_did_and_turned_up(home):
    game = start("klondike --seed 8")
    assert re.search(r"\r\n8 · 0 moves · 0:0\d · 0 of 52 up\r\n", game.shown)
    assert re.search(r"\n8 · 1 move · 0:0\d · 1 of 52 up · A♣ to foundation 1, 8♣ turned up$", answer_to(game, "tf 6"))
    assert re.search(r"\n8 · 2 moves · 0:0\d · 1 of 52 up · 10♥ up$", answer_to(game, "sw"))
    assert re.search(r"\n8 · 1 move · 0:0\d · 1 of 52 up$", answer_to(game, "undo")), (
        "the last command is not done any more"
    )
    game.kill()
    game = start("montana --seed 8")
    assert "8 · 1 move · 0:00 · 1 shuffle left" in answer_to(game, "s", PROMPT)


def test_the_card_that_moved_stands_out_until_the_next_command(home):
    game = Terminal("zodiac --seed 8")
    game.wait_for(PROMPT)
    game.type("ez 3 5\n")
    shown = game.wait_for(PROMPT).rpartition("ez 3 5")[2]
    assert re.findall(r"\x1b\[4m(.*?)\x1b\[0m", shown) == ["Q♠"], "its twin in cell 2 does not"
    assert "\x1b[2m5:\x1b[0m  \x1b[4mQ♠" in shown.replace("  5:", "\x1b[2m5:"), "on pile 5, a number that is dim"
    assert "\x1b[2m8 · 1 move" in shown and "\x1b[2m(2)\x1b[0m" in shown
    game.type("d\n")
    assert "\x1b[4m" not in game.wait_for(PROMPT).rpartition("d\r\n")[2]


def test_the_very_card_is_found_on_the_board():
    zodiac = rules.load("zodiac")
    game = Game(Deal(zodiac, {}, 8))
    text, places = terminal.layout(zodiac, zodiac.display, game.position)
    assert text == script.capture_display(zodiac.display, game.position)
    queens = [match.span() for match in re.finditer("Q♠", text)]
    assert [places[id(game.position.equator[cell][0])] for cell in (1, 2)] == queens


def test_what_is_not_a_board_is_wrapped(home):
    game = start("klondike --seed 8", COLUMNS="60")
    for line in ("help", "rules", "tt", "moves", "solve 9"):
        assert max(map(len, answer_to(game, line).splitlines())) <= 60, line
    assert "hint, moves, solve" in answer_to(game, "help")


def test_a_terminal_too_narrow_for_a_board_is_told_once(home):
    game = start("klondike --seed 8", COLUMNS="40")
    assert re.search(r"This board needs \d\d columns; the\s+terminal has 40\.", game.shown)
    assert "This board" not in answer_to(game, "sw")
    game.kill()
    game = start("zodiac --seed 8", COLUMNS="60")
    assert "This board" not in game.shown and "\r\n 19:  4♣ 20:  Q♦ 21:  Q♣ 22:  7♦ 23:  9♦ 24:  5♦\r\n" in game.shown


def test_the_narrow_board_of_zodiac_has_all_that_the_wide_one_has():
    zodiac = rules.load("zodiac")
    game = zodiac.initialize()
    wide, narrow = (script.capture_display(show, game) for show in (zodiac.display, zodiac.display_narrow))
    assert sorted(wide.split()) == sorted(narrow.split()) and columns_of(narrow) < 50


def test_montana_asks_a_player_as_the_other_games_do(home):
    game = start("montana --seed 1")
    assert game.shown.endswith(PROMPT)
    assert "undo [n], u" in answer_to(game, "h") and "1 move" in answer_to(game, "s")
    assert "Undone: shuffle" in answer_to(game, "u")


@pytest.mark.parametrize("name", main.GAMES)
def test_the_help_fits_beside_a_board(name, home):
    game = start(name)
    assert len(answer_to(game, "help", PROMPT).splitlines()) <= 14


RED_TWO = "\x1b[31m2♥\x1b[0m"


def test_red_suits_are_red_and_black_ones_are_not():
    game = Terminal("montana --seed 100 --deck ../../grading/montana/course.deck")
    shown = game.wait_for(PROMPT)
    assert RED_TWO in shown and "\x1b[31m10♦\x1b[0m" in shown
    assert re.search(r"(?<!m)2♠", shown) and "\x1b[31m2♠" not in shown
    plain = re.sub(r"\x1b\[\d+m", "", shown).replace("--", "  ").replace("\r\n", "\n")
    board = (helpers.COURSE / "montana-course1.out").read_text(encoding="utf-8")
    assert board[len("Montana Solitaire.\n") : 300] in plain


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_sequence_without_color(environment):
    game = Terminal("montana --seed 100", **environment)
    game.wait_for(PROMPT)
    answer_to(game, "1 1 1 1")
    game.type("quit\n")
    assert game.close() == 0
    assert "\x1b" not in game.shown and "♥" in game.shown


def test_a_terminal_without_the_symbols_gets_letters():
    game = Terminal("montana --seed 100", PYTHONIOENCODING="ascii")
    shown = game.wait_for(PROMPT)
    assert "\x1b[31m2H\x1b[0m" in shown and "2S" in shown
    assert not set("♣♦♥♠?") & set(shown)


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


def test_ascii_at_a_terminal_has_letters_for_suits(home):
    game = start("klondike --seed 8 --ascii")
    assert (
        " AC" in game.shown and "AC to foundation 1" in answer_to(game, "tf 6") and not set("♣♦♥♠·—") & set(game.shown)
    )
    assert "AC" in answer_to(game, "moves") + answer_to(game, "history")


def test_the_warning_of_a_lost_game_is_not_of_the_next_game(home):
    game = start("quadzilla --seed 1 --difficulty hard --warn")
    type_lines(game, *["d"] * 11)
    assert game.shown.count("This can no longer be won") == 1
    assert "can no longer be won" not in answer_to(game, "new")


def test_a_card_that_lies_face_down_is_a_shade_and_the_rules_say_so(home):
    game = start("klondike --seed 8")
    assert "  2:      6♣  ░░" in game.shown and "░░ is a face-down card" in answer_to(game, "rules")
    game.kill()
    game = start("klondike --seed 8 --ascii")
    assert "  2:      6C  ##" in game.shown and "XX" not in answer_to(game, "rules")
