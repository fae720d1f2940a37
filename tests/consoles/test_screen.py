"""The board that stays in its place: what a player sees on the screen after each answer."""

import importlib
import re
import signal
import time

import pytest

import main
import helpers
from helpers import PROMPT, add_result, rules_of
from patience.consoles import screen as screens, script
from patience.records import statistics

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import answer_to, start

CLEAR = "\x1b[2J\x1b[1;1H"


def sit_down(arguments, *project, **settings):
    """Return a Terminal with the board that stays in its place."""
    return start(arguments, *project, **{"PATIENCE_SCROLL": "", "LINES": "24", **settings})


def screen(game, line=None, until=PROMPT):
    """Type a line; return the lines of the screen when the next question is there, without colours."""
    if line is not None:
        answer_to(game, line, until)
    text = game.shown.rpartition(CLEAR)[2].replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).split("\n")


def test_each_answer_redraws_the_screen_and_nothing_scrolls(home):
    game = sit_down("klondike --seed 8")
    assert screen(game)[-3].startswith("Down, red on black") and "Deal 8: --seed 8 deals it again." in screen(game)
    for count in range(1, 200):
        lines = screen(game, "sw" if count % 3 else "tt 1 1")
        assert lines[0].startswith("Foundations:") and lines[-1] == PROMPT and len(lines) <= 24
    assert "Error: invalid move.  A column does not go onto itself." in screen(game, "tt 1 1")
    assert not any("Error" in line for line in screen(game, "sw"))
    assert game.shown.count("\n" * 23) <= 1


@pytest.mark.parametrize("number", ["SIGWINCH", "SIGCONT"])
def test_after_a_resize_or_fg_the_screen_and_what_was_typed_are_whole(number, home):
    game = sit_down("klondike --seed 8")
    game.type("tf")
    time.sleep(0.3)
    game.signal(getattr(signal, number))
    game.wait_for(PROMPT)
    time.sleep(0.2)
    lines = screen(game)
    assert lines[0].startswith("Foundations:") and lines[-1].startswith(PROMPT)
    assert "A♣ to foundation 1" in screen(game, " 6")[10]


def test_todays_deal_is_told_and_whether_it_is_won(home):
    game = sit_down("zodiac --daily")
    number = statistics.todays_number()
    assert any(f"{number} · today's deal · 0 moves" in line for line in screen(game))
    game.kill()
    add_result("zodiac", "won", 5, 6, number=number)
    game = sit_down("zodiac --daily")
    assert any(f"{number} · today's deal, won · 0 moves" in line for line in screen(game))
    game.kill()
    game = sit_down("klondike --daily")
    screen(game, "d")
    game.kill()
    game = start("", until="q: quit: ", COLUMNS="50")
    shown = game.shown.replace("\r", "")
    assert " · 1 move · " in answer_to(game, "10", PROMPT), "it goes on"
    game.kill()
    assert "zodiac     today's deal, won\n" in shown and "klondike   today's deal, in progress\n" in shown
    assert "desturado  today's deal\n" in shown
    assert "  1  montana    Sort the suits into four rows, one\n     card at a time into a blank.\n" in shown


def test_boards_and_prompts_at_60_columns(home):
    for name in main.GAMES:
        shown = helpers.board(rules_of(name), helpers.deal(rules_of(name), {}, 1))
        if max(map(len, shown.splitlines())) > 60 and not hasattr(importlib.import_module(name), "display_narrow"):
            continue  # a game need not have another board
        game = sit_down(f"{name} --seed 3", COLUMNS="60", LINES="60")
        for line in ("board", "moves", "help"):
            lines = screen(game, line)
            assert max(map(len, lines)) <= 60, (name, lines)
        game.kill()


# A bug in the program


def test_a_mistake_in_a_game_shows_its_own_lines_at_a_terminal_too(home, tmp_path):
    project = helpers.changed_project(
        tmp_path / "project", klondike=("def draw(game):\n", "def draw(game):\n    1 / 0\n")
    )
    game = sit_down("klondike --seed 8", project)
    game.type("sw\n")
    assert (
        game.close() == 1 and "klondike.py" in game.shown and "patience/" not in game.shown.rpartition("Traceback")[2]
    )


@pytest.mark.parametrize("name", main.GAMES)
def test_boards_fit_into_60_columns_late_in_a_game_too(name, home):
    """Long columns, many cleared cards, two digits: what a fresh deal does not have."""
    rules, longest, most = rules_of(name), 0, 0
    for seed in range(2):
        sitting = helpers.game_of(name, {option: choices[-1] for option, choices in rules.OPTIONS.items()}, seed)
        for _ in range(150):
            moves = sitting.legal_moves()
            if not moves or sitting.outcome():
                break
            sitting.perform(moves[0])
            longest = max(longest, screens.columns_of(script.capture_display(rules.display_narrow, sitting.position)))
        most = max(most, len(sitting.moves))
    assert 20 < longest <= 60 and most > 20


def test_a_resize_behind_a_long_text_redraws_the_board_alone(home):
    game = sit_down("klondike --seed 8")
    screen(game, "rules", until="no more ")
    screen(game, "q")
    time.sleep(0.3)  # until it waits for a key
    game.signal(signal.SIGWINCH)
    game.wait_for(PROMPT, 2)
    assert any(" · 1 move · " in line for line in screen(game, "sw"))
