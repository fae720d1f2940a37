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
from pseudo_terminal import Terminal, answer_to, start

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


def test_each_suit_has_a_colour_of_its_own_if_that_is_wanted(home):
    shown = {four: start("klondike --seed 8", NO_COLOR="", PATIENCE_FOUR_COLORS=four).shown for four in "01"}
    assert (
        ["\x1b[34m2♦" in shown[four] for four in "01"]
        == [False, True]
        == ["\x1b[32m6♣" in shown[four] for four in "01"]
    )
    assert "\x1b[31m2♦" in shown["0"] and "\x1b[31mJ♥" in shown["1"]


def test_each_answer_redraws_the_screen_and_nothing_scrolls(home):
    game = sit_down("klondike --seed 8")
    assert screen(game)[-3].startswith("Down, red on black") and "Deal 8: --seed 8 deals it again." in screen(game)
    for count in range(1, 200):
        lines = screen(game, "sw" if count % 3 else "tt 1 1")
        assert lines[0].startswith("Foundations:") and lines[-1] == PROMPT and len(lines) <= 24
    assert "Error: invalid move.  A column does not go onto itself." in screen(game, "tt 1 1")
    assert not any("Error" in line for line in screen(game, "sw"))
    assert game.shown.count("\n" * 23) <= 1


def test_help_stands_below_the_board_and_long_text_comes_page_by_page(home):
    game = sit_down("klondike --seed 8")
    lines = screen(game, "help")
    assert lines[0].startswith("Foundations:") and any("stats" in line for line in lines) and len(lines) <= 24
    lines = screen(game, "rules", until="no more ")
    assert lines[0].startswith("Klondike, the game") and len(lines) == 24
    assert "d draws" in screen(game, "", until="back to the board ")[-2]
    assert screen(game, "")[0].startswith("Foundations:") and screen(game, "")[10].startswith("8 · 0 moves")
    screen(game, "rules", until="no more ")
    assert screen(game, "q")[0].startswith("Foundations:")
    screen(game, "rules", until="no more ")
    assert screen(game, "tf 6")[10].startswith("8 · 1 move"), "a line typed there is carried out"


def test_the_end_of_input_at_a_page_leaves_as_ever(home):
    game = sit_down("klondike --seed 8")
    for _ in range(3):
        screen(game, "sw")
    screen(game, "rules", until="no more ")
    game.type("\x04")
    assert game.close() == 0
    lines = screen(game)
    assert (
        lines[0].startswith("Foundations:")
        and "Saved. Continue with: python main.py resume" in lines
        and len(lines) < 18
    )


def test_what_is_not_carried_out_is_told(home):
    game = sit_down("klondike --seed 8")
    lines = screen(game, "sw; foo; sw; sw")
    assert 'Stopped at "foo". Skipped: sw; sw.' in lines and any(" · 1 move · " in line for line in lines)
    assert 'Stopped at "foo".' in screen(game, "sw; foo")
    told = 'Stopped at "foo". Skipped: sw; sw; sw; sw; sw; sw'
    assert f"{told}." in screen(game, "foo" + "; sw" * 6) and f"{told} and 2 more." in screen(game, "foo" + "; sw" * 8)


def test_leaving_shows_the_last_board_once_more(home):
    game = sit_down("klondike --seed 8")
    for _ in range(3):
        screen(game, "sw")
    game.type("q\n")
    assert game.close() == 0
    lines = screen(game)
    assert lines[0].startswith("Foundations:") and lines[-3:] == [
        "Saved. Continue with: python main.py resume",
        "Thank you for playing.",
        "",
    ]


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"PATIENCE_SCROLL": "1"}, {"LINES": "12"}])
def test_where_there_is_no_room_or_it_is_not_wanted_it_scrolls(environment, home):
    game = sit_down("klondike --seed 8", **environment)
    screen(game, "sw")
    assert CLEAR not in game.shown and game.shown.count("Foundations:") == 2


def test_a_hint_lights_up_and_so_do_the_quadzillas(home):
    game = sit_down("desturado --seed 4", NO_COLOR="")
    assert "Enter plays it." in screen(game, "hint")
    board = game.shown.rpartition(CLEAR)[2]
    assert re.findall(r"\x1b\[7m(?:\x1b\[31m)?(\S+?)\x1b", board) == ["4♠", "4♦"]
    assert any(" · 1 move · " in line and "4♠ onto 4♦" in line for line in screen(game, ""))
    assert "Enter plays it." in screen(game, "hint") and any(" · 1 move · " in line for line in screen(game, "board"))
    assert any(" · 1 move · " in line for line in screen(game, "")), "the hint is over"
    game.kill()
    game = sit_down("quadzilla --rank K --deck quadzilla-win.deck", NO_COLOR="")
    lines = [line for _ in range(4) for line in screen(game, "d")]
    assert any("K" in line for line in lines)
    assert re.search(r"\x1b\[1m *(\x1b\[31m)?K[♣♦♥♠]", game.shown) and not re.search(
        r"\x1b\[1m *(\x1b\[31m)?Q", game.shown
    )


def test_a_hint_lights_up_on_montanas_board(home):
    game = sit_down("montana --seed 8", NO_COLOR="")
    screen(game, "hint", until=PROMPT)
    assert len(re.findall(r"\x1b\[7m", game.shown.rpartition(CLEAR)[2])) in (1, 2)


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


def test_a_draw_says_what_came_up(home):
    game = sit_down("klondike --seed 8")
    assert screen(game, "sw")[10].endswith(" · 10♥ up")
    assert re.search(r" · [2-9] draws, \S+ up$", screen(game, "d all")[10])
    game.kill()
    game = sit_down("zodiac --seed 5")
    assert screen(game, "d 9")[10].endswith(" left · 9♦ up"), (
        "and not the next card of the stock, whose twin is on the board"
    )
    game.kill()
    game = sit_down("quadzilla --seed 3")
    assert re.search(r" · (\S+ ){4}up$", screen(game, "d")[7])
    lines = [screen(game, "hint") and screen(game, "") for _ in range(3)]
    assert any(re.search(r"(, (\S+ ){4}turned up| · (\S+ ){4}up)$", line) for line in sum(lines, [])), (
        "a turn ended by itself"
    )


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


def test_a_status_line_that_is_too_long_loses_what_is_known_best(home):
    game = sit_down("desturado --seed 4", COLUMNS="60")
    assert screen(game, "4s 4d")[-2] == "1 move · 0:00 · 34 on the board · 4♠ onto 4♦, 3♣ turned up"
    assert "4 · 1 move" in screen(sit_down("desturado --seed 4", COLUMNS="80"), "4s 4d")[-2]


def test_the_program_alone_offers_games_deals_and_games_in_progress(home):
    game = sit_down("klondike --seed 8")
    for _ in range(3):
        screen(game, "sw")
    game.kill()
    game = Terminal("", PATIENCE_SCROLL="", NO_COLOR="1")
    shown = game.wait_for("Enter: continue Klondike, number or name, d N: delete, q: quit: ")
    games = list(main.GAMES)
    montana, zodiac, count = games.index("montana") + 1, games.index("zodiac") + 1, len(games)
    assert f"{montana:>3}  montana" in shown and f"{count + montana:>3}  montana    today's deal\r\n" in shown
    assert f"{2 * count + 1:>3}  Klondike  deal 8" in shown
    game.type(f"x\n{2 * count + 1}\n")
    assert "Deal 8:" in game.wait_for(PROMPT)
    game.kill()
    for typed, title in (
        (f"{zodiac}\n", "Zodiac Solitaire."),
        (f"{count + zodiac}\n", "Zodiac Solitaire."),
        ("\n", "Deal 8:"),
        ("q\n", ""),
    ):
        game = sit_down("", until="q: quit: ")
        game.type(typed)
        if title:
            assert title in game.wait_for(PROMPT)
            game.kill()
        else:
            assert game.close() == 0


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


@pytest.mark.parametrize("scroll", ["", "1"])
def test_in_the_menu_a_game_can_be_typed_and_it_scrolls_if_that_is_wanted(scroll, home):
    game = Terminal("", PATIENCE_SCROLL=scroll, NO_COLOR="1", LINES="24")
    game.wait_for("q: quit: ")
    game.type("zodiac\n")
    assert "Zodiac Solitaire." in game.wait_for(PROMPT) and (CLEAR in game.shown) == (not scroll)
    game.kill()


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


def test_a_card_that_moved_and_is_hinted_at_stays_whole(home):
    game = sit_down("klondike --draw 1 --seed 8", NO_COLOR="")
    screen(game, "ac")
    lines = [line for _ in range(3) for line in screen(game, "hint")]
    assert "  1:  A♣   2:" in "".join(lines) and not any("4m" in line or "7m" in line for line in lines)


def test_a_game_may_be_called_by_a_part_of_its_name_in_the_list_too(home):
    game = sit_down("", until="q: quit: ")
    game.type("xy\nkl\n")
    assert "Klondike Solitaire." in game.wait_for(PROMPT) and "or the name of a game." in game.shown
