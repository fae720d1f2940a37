"""The board that stays in its place: what a player sees on the screen after each answer."""

import importlib
import os
import re
import signal
import time
from types import SimpleNamespace

import pytest

import main
import helpers
from helpers import PROMPT, add_result, rules_of
from patience import words
from patience.consoles import board, screen as screens, script
from patience.records import daily

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal, answer_to, sittings, start

CLEAR = "\x1b[2J\x1b[1;1H"


def test_a_board_that_shows_nothing_yet_is_no_error():
    rules = SimpleNamespace(display=lambda game: None, display_narrow=None)
    assert board.display_for(rules, [], 80) is rules.display


@pytest.fixture
def seen(home):
    """The player has seen every game before."""
    home.mkdir(parents=True)
    (home / "seen").write_text("\n".join(main.GAMES))


def sit_down(arguments, *project, **settings):
    """Return a Terminal with the board that stays in its place."""
    return start(arguments, *project, **{"PATIENCE_SCROLL": "", "LINES": "24", **settings})


def screen(game, line=None, until=PROMPT):
    """Type a line; return the lines of the screen when the next question is there, without colours."""
    if line is not None:
        answer_to(game, line, until)
    text = game.shown.rpartition(CLEAR)[2].replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).split("\n")


def test_each_answer_redraws_the_screen_and_nothing_scrolls(home, seen):
    game = sit_down("klondike --seed 8")
    assert screen(game)[-2:] == ["Deal 8: --seed 8 deals it again.", PROMPT]
    for count in range(1, 200):
        lines = screen(game, "sw" if count % 3 else "tt 1 1")
        assert lines[0].startswith("Foundations:") and lines[-1] == PROMPT and len(lines) <= 24
    assert "Error: invalid move.  A column does not go onto itself." in screen(game, "tt 1 1")
    assert not any("Error" in line for line in screen(game, "sw"))
    assert game.shown.count("\n" * 23) <= 1


def test_help_stands_below_the_board_and_long_text_comes_page_by_page(home, seen):
    game = sit_down("klondike --seed 8")
    lines = screen(game, "help")
    assert lines[0].startswith("Foundations:") and any("stats" in line for line in lines) and len(lines) <= 24
    lines = screen(game, "rules", until="no more ")
    assert lines[0].startswith("Klondike, the game") and len(lines) == 24
    lines = screen(game, "")
    assert lines[0].startswith("Foundations:") and "d draws" in lines[-2]
    screen(game, "rules", until="no more ")
    assert screen(game, "q")[0].startswith("Foundations:")
    screen(game, "rules", until="no more ")
    assert "A♣ to a foundation" in screen(game, "tf 6")[10], "a command can be typed there"


def test_the_end_of_input_at_a_page_leaves_as_ever(home, seen):
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


def test_what_is_not_carried_out_is_told(home, seen):
    game = sit_down("klondike --seed 8")
    lines = screen(game, "sw; foo; sw; sw")
    assert "Stopped at: foo. Not carried out: sw; sw." in lines and any(" · 1 move · " in line for line in lines)
    assert "Stopped at: foo." in screen(game, "sw; foo")
    told = "Stopped at: foo. Not carried out: sw; sw; sw; sw; sw; sw"
    assert f"{told}." in screen(game, "foo" + "; sw" * 6) and f"{told} and 2 more." in screen(game, "foo" + "; sw" * 8)


def test_leaving_shows_the_last_board_once_more(home, seen):
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
def test_where_there_is_no_room_or_it_is_not_wanted_it_scrolls(environment, home, seen):
    game = sit_down("klondike --seed 8", **environment)
    screen(game, "sw")
    assert CLEAR not in game.shown and game.shown.count("Foundations:") == 2


def test_a_hint_lights_up_and_so_do_the_quadzillas(home, seen):
    game = sit_down("desturado --seed 4", NO_COLOR="")
    assert "Enter plays it." in screen(game, "hint")
    board = game.shown.rpartition(CLEAR)[2]
    assert re.findall(r"\x1b\[7m(?:\x1b\[31m)?(\S+?)\x1b", board) == ["4♠", "4♦"]
    assert any(" · 1 move · " in line and "4♠ onto 4♦" in line for line in screen(game, ""))
    assert "Enter plays it." not in screen(game, "hint") and any(
        " · 1 move · " in line for line in screen(game, "board")
    )
    assert any(" · 1 move · " in line for line in screen(game, "")), "the hint is over"
    game.kill()
    game = sit_down("quadzilla --rank K --deck quadzilla-win.deck", NO_COLOR="")
    lines = [line for _ in range(4) for line in screen(game, "d")]
    assert any("K" in line for line in lines)
    assert re.search(r"\x1b\[1m *(\x1b\[31m)?K[♣♦♥♠]", game.shown) and not re.search(
        r"\x1b\[1m *(\x1b\[31m)?Q", game.shown
    )


def test_a_hint_lights_up_on_montanas_board(home, seen):
    game = sit_down("montana --seed 8", NO_COLOR="")
    screen(game, "hint", until=PROMPT)
    assert len(re.findall(r"\x1b\[7m", game.shown.rpartition(CLEAR)[2])) in (1, 2)


@pytest.mark.parametrize("number", ["SIGWINCH", "SIGCONT"])
def test_after_a_resize_or_fg_the_screen_and_what_was_typed_are_whole(number, home, seen):
    game = sit_down("klondike --seed 8")
    game.type("tf")
    time.sleep(0.3)
    game.process.send_signal(getattr(signal, number))
    game.wait_for(PROMPT)
    time.sleep(0.2)
    lines = screen(game)
    assert lines[0].startswith("Foundations:") and lines[-1].startswith(PROMPT)
    assert "A♣ to a foundation" in screen(game, " 6")[10]


def test_todays_deal_is_told_and_whether_it_is_won(home, seen):
    game = sit_down("zodiac --daily")
    number = daily.todays_number()
    assert any(f"{number} · today's deal · 0 moves" in line for line in screen(game))
    game.kill()
    add_result(home, "zodiac", 1, 5, 6, deal=number)
    game = sit_down("zodiac --daily")
    assert any(f"{number} · today's deal, won · 0 moves" in line for line in screen(game))


def test_a_draw_says_what_came_up(home, seen):
    game = sit_down("klondike --seed 8")
    assert screen(game, "sw")[10].endswith(" · 10♥ up")
    assert re.search(r" · [2-9] draws, \S+ up$", screen(game, "sw 9")[10])
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


def test_boards_and_prompts_at_60_columns(home, seen):
    for name in main.GAMES:
        shown = helpers.board(rules_of(name), helpers.deal(rules_of(name), {}, 1))
        if max(map(len, shown.splitlines())) > 60 and not hasattr(importlib.import_module(name), "display_narrow"):
            continue  # a game need not have another board
        game = sit_down(f"{name} --seed 3", COLUMNS="60", LINES="30")
        for line in ("board", "hint", "help"):
            lines = screen(game, line)
            assert max(map(len, lines)) <= 60, (name, lines)
        game.kill()


def test_somebody_new_is_greeted_once(home):
    for times in (1, 0):
        game = Terminal("klondike --seed 8", PATIENCE_SCROLL="", LINES="24", NO_COLOR="1")
        if times:
            shown = game.wait_for("Enter: play ")
            assert "Goal: all cards" in shown and "9d 10s puts" in shown and "d draws" in shown and "rules has" in shown
            answer_to(game, "")
        assert game.shown.count("Goal:") == times
        game.kill()


def test_ctrl_c_before_the_first_board_is_one_line(home):
    game = sit_down("klondike --seed 8", until="Enter: play ")
    game.interrupt()
    assert game.close() == 130 and game.shown.endswith("\r\nInterrupted.\r\n") and "Traceback" not in game.shown


def test_the_program_alone_offers_games_deals_and_games_in_progress(home, seen):
    game = sit_down("klondike --seed 8")
    for _ in range(3):
        screen(game, "sw")
    game.kill()
    game = Terminal("", PATIENCE_SCROLL="", NO_COLOR="1")
    shown = game.wait_for("Enter: continue klondike, number or name, or q: quit: ")
    games = list(main.GAMES)
    montana, zodiac, count = games.index("montana") + 1, games.index("zodiac") + 1, len(games)
    assert f"{montana:>3}  montana" in shown and f"{count + montana:>3}  montana     today's deal\r\n" in shown
    assert f"{2 * count + 1:>3}  Klondike          deal 8" in shown
    game.type(f"x\n{2 * count + 1}\n")
    assert "Deal 8:" in game.wait_for(PROMPT)
    game.kill()
    for typed, title in (
        (f"{zodiac}\n", "Zodiac Solitaire."),
        (f"{count + zodiac}\n", "Zodiac Solitaire."),
        ("\n", "Deal 8:"),
        ("q\n", ""),
    ):
        game = sit_down("", until="or q: quit: ")
        game.type(typed)
        if title:
            assert title in game.wait_for(PROMPT)
            game.kill()
        else:
            assert game.close() == 0


@pytest.mark.parametrize("typed", ["# a comment", "#", "#tf 6"])
def test_a_comment_typed_at_the_greeting_is_dropped_and_draws_the_board_once(typed, home):
    game = sit_down("klondike --seed 8", until="Enter: play ")
    answer_to(game, typed)
    assert "Foundations:   1:  A♣" in "\n".join(screen(game, "tf 6")) and game.shown.count(PROMPT) <= 3


@pytest.mark.parametrize(
    "make",
    [lambda path: path.write_bytes(b"\xff\xfe klondike\n"), lambda path: os.mkfifo(path), lambda path: path.mkdir()],
    ids=["bytes", "fifo", "folder"],
)
def test_whatever_lies_in_place_of_the_list_of_games_seen_the_game_starts(make, home):
    home.mkdir(parents=True)
    make(home / "seen")
    game = Terminal("klondike --seed 8", PATIENCE_SCROLL="", LINES="24", NO_COLOR="1")
    answer_to(game, "")
    assert "Traceback" not in game.shown


@pytest.mark.parametrize("columns", ["60", "80", "100"])
def test_the_columns_of_the_help_do_not_touch(columns, home, seen):
    for name in ("klondike", "quadzilla"):
        game = sit_down(f"{name} --seed 8", COLUMNS=columns, LINES="50")
        lines = screen(game, "help")
        for word in [word for name, word in words.WORDS.items() if name not in words.ALWAYS_SEEN]:
            assert re.search(f"{re.escape(word.gloss)}(  |$)", "\n".join(lines), re.M), word.gloss
        game.kill()


def test_thousands_of_damaged_saved_games_are_one_line(home, seen):
    folder = helpers.made(home / "sittings")
    for number in range(300):
        (folder / f"{number:04}.txt").write_text("Dear diary\n")
    game = Terminal("", PATIENCE_SCROLL="", NO_COLOR="1")
    shown = game.wait_for("or q: quit: ")
    assert (
        f"300 files in {folder} cannot be opened, the first is {folder}/" in shown
        and shown.count("Dear") + shown.count(".txt") == 1
    )


# A mistake in the program


@pytest.mark.parametrize("file, function, line", [
    ("patience/words", "def show_history(table, count):", "history"), ("patience/words", "def undo(table, count):", "undo"),
    ("patience/game/sitting", "def next_number(self):", "new"), ("patience/table", "def begin(self):", "new"),
    ("solvers/klondike", "def advise(view):", "hint")])  # fmt: skip
def test_an_error_of_ours_ends_no_game_at_a_terminal(file, function, line, home, seen, tmp_path):
    text = (helpers.ROOT / f"{file}.py").read_text(encoding="utf-8").partition(function)[2]
    body = " " * (len(text) - len(text.lstrip("\n ")) - 1)
    when = f"{body}if not __import__('os').path.exists({str(home / 'works')!r}):\n{body}    1 / 0\n"
    project = helpers.changed_project(tmp_path / "project", **{file: (f"{function}\n", f"{function}\n{when}")})
    (home / "works").write_text("")  # until the game has begun
    game = sit_down("klondike --seed 8", project)
    for _ in range(3):
        screen(game, "sw")
    (home / "works").unlink()
    shown = " ".join(" ".join(screen(game, line)).split())
    (error,) = home.glob("error-*.txt")
    assert f"Sorry, that is a mistake in the program; the game is as it was before: {line} The error is in" in shown
    assert error.name in shown.replace(" ", "") and error.read_text().startswith(f"# {line}\nTraceback")
    assert any(" · 3 moves · " in one for one in screen(game, "")) and any(
        " · 4 moves · " in one for one in screen(game, "sw")
    )
    game.type("q\n")
    assert game.close() == 0 and sittings(home) == [["# klondike --seed 8", "sw", "sw", "sw", "sw"]]
    script = helpers.run_process("klondike --seed 8", f"sw\n{line}\nsw\n", project)
    assert (
        script.returncode == 1 and b"ZeroDivisionError" in script.stderr and script.stdout.count(PROMPT.encode()) <= 2
    )


def test_a_mistake_at_the_end_of_the_input_ends_the_program(home, seen, tmp_path):
    fault = "    def leave(self, state=State.LEFT):\n"
    project = helpers.changed_project(tmp_path / "project", **{"patience/table": (fault, fault + "        1 / 0\n")})
    game = sit_down("klondike --seed 8", project)
    screen(game, "sw")
    assert "Sorry" in "".join(screen(game, "q"))
    game.type("\x04")
    assert game.close() == 1 and "ZeroDivisionError" in game.shown and sittings(home) == [["# klondike --seed 8", "sw"]]


def test_a_mistake_behind_the_saving_of_a_move_takes_it_out_of_the_file(home, seen, tmp_path):
    fault = "        if said:\n            self.say(said)\n"
    project = helpers.changed_project(
        tmp_path / "project",
        **{"patience/table": (fault, "        if len(sitting.done) == 3:\n            1 / 0\n" + fault)},
    )
    game = sit_down("klondike --seed 8", project)
    for _ in range(2):
        screen(game, "sw")
    assert "Sorry" in "".join(screen(game, "tf 6")) and any(" · 2 moves · " in one for one in screen(game, ""))
    game.kill()
    assert sittings(home) == [["# klondike --seed 8", "sw", "sw"]]


def test_a_mistake_in_a_game_shows_its_own_lines_at_a_terminal_too(home, seen, tmp_path):
    project = helpers.changed_project(
        tmp_path / "project", klondike=("def draw(game):\n", "def draw(game):\n    1 / 0\n")
    )
    game = sit_down("klondike --seed 8", project)
    game.type("sw\n")
    assert (
        game.close() == 1 and "klondike.py" in game.shown and "patience/" not in game.shown.rpartition("Traceback")[2]
    )


@pytest.mark.parametrize("typed", ["sw", "tf 6"])
def test_a_line_typed_at_the_greeting_is_carried_out(typed, home):
    game = sit_down("klondike --seed 8", until="Enter: play ")
    answer_to(game, typed)
    assert any(" · 1 move · " in line for line in screen(game))


def test_games_that_were_seen_are_not_greeted_again_when_another_is_new(home):
    for name, is_new in (("klondike", True), ("zodiac", True), ("klondike", False), ("zodiac", False)):
        game = Terminal(f"{name} --seed 8", PATIENCE_SCROLL="", LINES="24", NO_COLOR="1")
        if is_new:
            game.wait_for("Enter: play ")
            answer_to(game, "")
        assert ("Enter: play " in game.shown) == is_new
        game.kill()


def in_progress(home, count):
    """Save games of klondike that were played one after the other, the one with the number 1 last."""
    folder = helpers.made(home / "sittings")
    for number in range(1, count + 1):
        (folder / f"{number:02}.txt").write_text(
            f"# klondike --seed {number}\nsw\nsw\nsw\n# played for {number + 60} s\n"
        )
        os.utime(folder / f"{number:02}.txt", (10**9 - number, 10**9 - number))


def test_the_second_page_goes_on_with_its_numbers_and_the_time_played_is_listed(home, seen):
    in_progress(home, 12)
    game = Terminal("resume", NO_COLOR="1")
    shown = game.wait_for("q: quit: ")
    assert (
        "  9  Klondike          deal 9 " in shown and "deal 10" not in shown and re.search(r"deal 3 .* 1:03  ", shown)
    )
    game.type("\n")
    assert " 10  Klondike          deal 10" in game.wait_for("q: quit: ")
    game.type("11\n")
    assert "Deal 11:" in game.wait_for(PROMPT)


def test_a_game_that_was_only_looked_at_can_be_opened_by_another_program(home, seen):
    in_progress(home, 3)
    first = Terminal("", PATIENCE_SCROLL="", NO_COLOR="1")
    first.wait_for("or q: quit: ")
    first.type(f"{2 * len(main.GAMES) + 2}\n")
    assert "Deal 2:" in first.wait_for(PROMPT)
    second = Terminal("resume", NO_COLOR="1")
    shown = second.wait_for("q: quit: ")
    assert "deal 1 " in shown and "deal 3 " in shown and "in use by another program" in " ".join(shown.split())


@pytest.mark.parametrize("scroll", ["", "1"])
def test_in_the_menu_a_game_can_be_typed_and_it_scrolls_if_that_is_wanted(scroll, home, seen):
    game = Terminal("", PATIENCE_SCROLL=scroll, NO_COLOR="1", LINES="24")
    game.wait_for("or q: quit: ")
    game.type("zodiac\n")
    assert "Zodiac Solitaire." in game.wait_for(PROMPT) and (CLEAR in game.shown) == (not scroll)
    game.kill()
    in_progress(home, 1)
    game = Terminal("", PATIENCE_SCROLL=scroll, NO_COLOR="1", LINES="24")
    game.wait_for("or q: quit: ")
    answer_to(game, f"{2 * len(main.GAMES) + 1}")
    assert (CLEAR in game.shown) == (not scroll)


@pytest.mark.parametrize("name", main.GAMES)
def test_boards_fit_into_60_columns_late_in_a_game_too(name, home, seen):
    """Long columns, many cleared cards, two digits: what a fresh deal does not have."""
    rules, longest, most = rules_of(name), 0, 0
    for seed in range(2):
        sitting = helpers.sitting_of(name, {option: choices[-1] for option, choices in rules.OPTIONS.items()}, seed)
        for _ in range(150):
            moves = sitting.legal_moves()
            if not moves or sitting.outcome():
                break
            sitting.perform(moves[0])
            longest = max(longest, screens.columns_of(script.shown_by(rules.display_narrow, sitting.game)))
        most = max(most, len(sitting.done))
    assert 20 < longest <= 60 and most > 20


@pytest.mark.parametrize("answer", ["q", ""])
def test_a_resize_behind_a_long_text_redraws_the_board_alone(answer, home, seen):
    game = sit_down("klondike --seed 8")
    screen(game, "rules", until="no more ")
    screen(game, answer)
    time.sleep(0.3)  # until it waits for a key
    game.process.send_signal(signal.SIGWINCH)
    game.wait_for(PROMPT, 2)
    assert any(" · 1 move · " in line for line in screen(game, "sw"))


def test_a_card_that_moved_and_is_hinted_at_stays_whole(home, seen):
    game = sit_down("klondike --draw 1 --seed 8", NO_COLOR="")
    screen(game, "ac")
    lines = [line for _ in range(3) for line in screen(game, "hint")]
    assert "  1:  A♣   2:" in "".join(lines) and not any("4m" in line or "7m" in line for line in lines)


def test_a_game_may_be_called_by_a_part_of_its_name_in_the_list_too(home, seen):
    game = sit_down("", until="or q: quit: ")
    game.type("xy\nkl\n")
    assert "Klondike Solitaire." in game.wait_for(PROMPT) and "or the name of a game." in game.shown
