"""The consoles of a player: what recorded sessions do not show of the board, the screen, the keys and the words."""

import re
import signal
from types import SimpleNamespace

import pytest

import helpers
import main
from helpers import PROMPT, add_result, rules_of, ROOT, pile, run
from patience import text
from patience.consoles import wrapping
from patience.records import store
from patience import sentences

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal, start, answer_to


def test_ctrl_c_ends_only_the_search(home):
    game = start("montana --seed 2")
    game.type("solve\n")
    game.wait_for("(y/n)? ")
    answer_to(game, "y", "Looking for a way to win")
    game.type("\x03")
    game.wait_for("The search was stopped.")
    game.wait_for(PROMPT)
    answer_to(game, "s")


def test_what_cannot_be_shown_or_read_is_replaced(tmp_path):
    deck = tmp_path / "\N{LATIN SMALL LETTER E WITH ACUTE}.deck"
    deck.write_bytes((helpers.COURSE / "course.deck").read_bytes())
    game = Terminal(f"montana --seed 1 --deck {deck}", PYTHONIOENCODING="ascii")
    assert "/?.deck'" in game.wait_for(PROMPT)
    game.type_bytes(b"\xff\n")
    game.wait_for(PROMPT)
    assert "not understood" in game.shown


def test_the_deal_number_deals_the_game_again():
    shown = run("montana --table").stdout.decode()
    number = re.search(r"^Deal (\d{1,6}):", shown, re.MULTILINE)[1]
    assert run(f"montana --table --seed {number}").stdout.decode() == shown
    assert shown.count(number) == 3, "the number, how to use it, and once more under the board"


def test_readline_completes_edits_and_recalls_lines_and_no_key_changes_how(home):
    pytest.importorskip("readline")
    game = start("klondike --seed 8")
    for typed, shown in (
        ("a\t\t", "ac"),
        ("\x15t\t\t\t", "TT 6 1"),  # Ctrl-U empties the line
        ("\x15tf 7\x7f6\n", "A♣ to foundation 1"),  # backspace
        ("u\x1b\r", "Undone"),  # Escape, then Enter, would else switch to vi's keys
        ("\x1b[A\x1b[A\n", "A♣ to foundation 1"),  # up, up
        ("ww\x1b[D\x7fs\n", "Stock: 21"),  # left, backspace: sw
    ):
        game.type(typed)
        game.wait_for(shown)


@pytest.mark.parametrize("typed, prompt, option", [("4 13", PROMPT, ""), ("", "Command: ", " --spoken")])
def test_ctrl_c_is_one_line_and_status_130(typed, prompt, option):
    game = start(f"montana --seed 1{option}", until=prompt)
    game.type(typed)
    game.wait_for(typed)
    if typed:  # the typed line is cancelled first
        game.interrupt()
        game.wait_for(prompt)
    game.interrupt()
    assert game.close() == 130
    assert game.shown.endswith("\r\nInterrupted.\r\n") and "Traceback" not in game.shown


def start_game(arguments, *project, **settings):
    """Return a Terminal with the board that stays in place."""
    return start(arguments, *project, **{"PATIENCE_SCROLL": "", "LINES": "24", **settings})


def screen(game, line, until=PROMPT):
    """Type a line; when the next question appears, return the lines of the screen, without colours."""
    answer_to(game, line, until)
    return game.screen()


def test_each_answer_redraws_the_screen_and_nothing_scrolls(home):
    game = start_game("klondike --seed 8")
    for _ in range(9):
        lines = screen(game, "sw")
        assert lines[0].startswith("Foundations:") and lines[-1] == PROMPT and len(lines) <= 24
    assert game.shown.count("\r\n" * 23) <= 1


@pytest.mark.parametrize("number", ["SIGWINCH", "SIGCONT"])
def test_after_a_resize_or_fg_the_screen_and_what_was_typed_are_whole(number, home):
    game = start_game("klondike --seed 8")
    game.type("tf")
    game.wait_for(f"{PROMPT}tf")
    game.seen = len(game.shown)
    game.settle()
    game.signal(getattr(signal, number))
    game.wait_for(f"{PROMPT}tf")
    lines = game.screen()
    assert lines[0].startswith("Foundations:") and lines[-1].startswith(PROMPT)
    assert "A♣ to foundation 1" in screen(game, " 6")[10]


def test_todays_deal_is_told_and_whether_it_is_won(home):
    add_result("quadzilla", "won", 5, 6, day=store.today())
    shown = run("quadzilla --daily --table", "list\nq\n").stdout.decode()
    assert re.search(r"\n\d+ · today's deal, won · 0 moves", shown) and "quadzilla  today's deal won\n" in shown
    add_result("quadzilla", "playing", 5, 0, day=20261121, number=3, moves="")
    assert "3 · deal of 2026-11-21 · 0 moves" in run("resume").stdout.decode(), "another day's"


# A bug in the program


@pytest.mark.parametrize("name", main.GAMES)
def test_boards_fit_into_60_columns_late_in_a_game_too(name, home):
    """Long columns, many cleared cards, two-digit numbers: things that a fresh deal does not have."""
    rules, longest, most = rules_of(name), 0, 0
    for seed in range(2):
        game = helpers.game_of(name, {option: choices[-1] for option, choices in rules.OPTIONS.items()}, seed)
        for _ in range(150):
            moves = game.legal_moves()
            if not moves or game.outcome():
                break
            game.perform(moves[0])
            longest = max(longest, wrapping.columns_of(text.capture_display(rules.display_narrow, game.position)))
        most = max(most, len(game.moves))
    assert 20 < longest <= 60 and most > 20


def test_a_resize_behind_a_long_text_redraws_the_board_alone(home):
    game = start_game("klondike --seed 8")
    screen(game, "rules", until="no more ")
    screen(game, "q")
    game.settle()
    game.signal(signal.SIGWINCH)
    game.wait_for(PROMPT, 2)
    assert any(" · 1 move · " in line for line in screen(game, "sw"))


def test_a_card_that_lies_face_down_is_not_read_though_a_game_has_no_hidden_yet():
    rules = SimpleNamespace(hidden=lambda game: [], blanks=lambda game: [])
    assert sentences.pile_sentence(rules, None, "column 2", pile("XX 2C 8H"), None) == "Column 2: 1 face down, then 8♥."


def test_the_document_is_a_game_as_it_sounds():
    text = (ROOT / "docs" / "spoken.md").read_text(encoding="utf-8")
    sounds = re.search(r"```text\n(Command: .*?)```", text, re.S)[1]
    lines = re.findall(r"^Command: (.*)$", sounds, re.M)
    output = run(["klondike", "--draw", "1", "--seed", "8", "--spoken"], "\n".join([*lines, ""])).stdout.decode()
    typed = iter(lines)
    heard = re.sub("Command: ", lambda _: f"Command: {next(typed, '')}\n", output)
    assert sounds.replace("0:31", "0:00").rstrip("\n") in heard


# What is typed ahead, or pasted


@pytest.mark.parametrize("option", ["", "--spoken"])
def test_a_hint_is_played_only_after_it_was_shown(option, home):
    game = Terminal(f"klondike --seed 8 {option}", NO_COLOR="1")
    prompt = "Command: " if option else PROMPT
    game.wait_for(prompt)
    game.type("hint\r\n")
    game.wait_for("Enter plays it.")
    game.wait_for(prompt)
    assert "0 moves" in answer_to(game, "status", prompt)
    game.type("hint\n")
    game.wait_for(prompt)
    game.type("\n")
    game.wait_for(prompt)
    assert "1 move" in answer_to(game, "status", prompt)


def test_enter_pressed_while_the_program_thinks_plays_nothing(home):
    game = start("montana --seed 2")
    game.type("hint\n")
    game.wait_for("Thinking ...")
    game.type("\n")
    game.wait_for("Enter plays it.")
    game.type("status\n")
    game.wait_for("0 moves")


def test_lines_that_come_together_stop_at_the_first_that_is_refused(home):
    game = start_game("klondike --seed 8")
    game.type("ac\n9d 10s\nd\nd\n")
    game.wait_for(f"Skipped: d; d.\r\n{PROMPT}")
    assert any("1 move" in line for line in screen(game, "status"))
    game.type("\x1b[200~d\rd\rd\x1b[201~")
    game.type("\n")
    game.wait_for("drew 8♦")
    game.wait_for(PROMPT)
    assert any("4 moves" in line for line in screen(game, "status"))


def test_no_completion_where_the_cursor_cannot_be_moved(home):
    game = start("klondike --seed 8", until="help): ", TERM="dumb", COLUMNS="3")
    game.type("\t\t\t")
    game.type("status\n")
    game.wait_for("0 of 52 up")


def test_by_ear_a_question_is_read_once_and_not_at_every_key(home):
    add_result("klondike", "playing", 5, 0, number=8, moves="SW\n")
    game = start("klondike --seed 8 --spoken", until="(y/n)? ")
    game.type("y")
    game.settle()
    game.type("e")
    game.type("s\n")
    game.wait_for("Command: ")
    assert game.shown.count("Continue it") == 1


@pytest.mark.parametrize("value, is_on", [("0", False), ("off", False), ("", True)])
def test_without_the_mouse_no_text_speaks_of_clicks(home, value, is_on):
    game = start_game("klondike --seed 8", PATIENCE_MOUSE=value)
    screen(game, "help", until="back to the board ")
    assert ("click" in game.shown) == ("\x1b[?1000h" in game.shown) == is_on and "rrows" in game.shown
