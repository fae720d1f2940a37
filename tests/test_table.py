"""At the table: what a player at a terminal sees and types beside the moves."""

import re
import sqlite3
import subprocess
import sys
import time

import pytest

import helpers
import main
from helpers import run, run_process
from patience import lines, results, rules, script, solve, terminal, words
from patience.sitting import Sitting

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal
from test_keeping import PROMPT, QUESTION, WIN, WIN_START, quit, sittings, start, type_lines

LOST = (helpers.SCRIPTS / "quadzilla-lost-move.in").read_text().splitlines()


def told(game, line, until=PROMPT):
    """Type a line; return what is said until the prompt, without the line and colours."""
    before, length = game.shown.count(until), len(game.shown)
    game.type(f"{line}\n")
    game.wait_for(until, before + 1)
    text = re.sub(r"\x1b\[[0-9;]*m", "", game.shown[length:]).replace("\r\n", "\n")
    return text.partition("\n")[2].rpartition("\n")[0]


# The board


@pytest.mark.parametrize("line", ["", "board", " BOARD "])
def test_the_empty_line_and_the_word_show_the_board_again(line, home):
    game = start("klondike --seed 8")
    told(game, "ac")
    again = told(game, line)
    assert again.startswith("Foundations:   1:  A♣") and "A♣ to a foundation" in again.splitlines()[-1]
    game.kill()


def test_in_a_pipe_only_the_word_does():
    empty, board = (run("montana --seed 8", f"{line}\n").stdout.decode() for line in ("", "board"))
    assert "dest_col: Error: invalid input.  Please try again.\n" in empty
    assert board.count("  1:  2♦") == 2 and "·" not in board


def test_the_status_line_says_what_the_last_command_did_and_turned_up(home):
    game = start("klondike --seed 8")
    assert re.search(r"\r\n8 · 0 moves · 0:0\d\r\n", game.shown)
    assert re.search(r"\n8 · 1 move · 0:0\d · A♣ to a foundation, 8♣ turned up$", told(game, "tf 6"))
    assert re.search(r"\n8 · 2 moves · 0:0\d · turn 3 cards$", told(game, "sw"))
    assert re.search(r"\n8 · 1 move · 0:0\d$", told(game, "undo")), "the last command is not done any more"
    game.kill()
    game = Terminal("montana --seed 8", NO_COLOR="1")
    game.wait_for("dest_col: ")
    assert "8 · 1 move · 0:00 · 1 shuffle left · shuffle the cards" in told(game, "s", "dest_col: ")
    game.kill()


def test_a_resumed_game_goes_on_with_its_time_if_that_was_kept(home, tmp_path):
    game = start("klondike --seed 8")
    type_lines(game, "sw")
    game.kill()
    game = start("resume")
    assert "\r\n8 · 1 move\r\n" in game.shown, "nobody knows how long it was played"
    quit(game)
    file, = (home / "sittings").iterdir()
    for played, shown in (("# played for 125 s", "1 move · 2:0"), ("# played for 125 s\nsw", "2 moves\r\n")):
        file.write_text(f"# klondike --seed 8\nsw\n{played}\n")
        game = start("resume")
        assert f"8 · {shown}" in game.shown
        game.kill()
    game = start("klondike --seed 8")
    type_lines(game, "ac", "sw", "new")
    game.kill()
    assert [re.sub("[0-9]+ s", "N s", path.read_text()).splitlines()[-2:] for path in (home / "sittings").iterdir()
            if "ac" in path.read_text()] == [["sw", "# played for N s"]]


def test_a_finished_game_shows_the_time_it_took_and_the_best_is_never_an_older_one(home, tmp_path):
    file = tmp_path / "won.sav"
    results.add(home, "quadzilla --rank K", 1, 59.0, 50)
    game = start(f"{WIN_START} --save {file}")
    type_lines(game, *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    game.wait_for(QUESTION)
    assert re.search(r"Won in 43 commands, 0:\d\d, new best; was 0:59\.\s", game.shown)
    game.type("q\n")
    game.close()
    file.write_text(re.sub("# played for [0-9]+ s", "# played for 250 s", file.read_text()))
    game = Terminal(f"quadzilla --save {file}", NO_COLOR="1")
    game.wait_for(QUESTION)
    assert re.search(r"Won in 43 commands, 4:10 \(your best 0:0\d\)\.", game.shown)
    game.kill()


def test_the_card_that_moved_stands_out_until_the_next_command(home):
    game = Terminal("zodiac --seed 8")
    game.wait_for(PROMPT)
    game.type("ez 3 5\n")
    shown = game.wait_for(PROMPT, 2).rpartition("ez 3 5")[2]
    assert re.findall(r"\x1b\[4m(.*?)\x1b\[0m", shown) == ["Q♠"], "its twin in cell 2 does not"
    assert "\x1b[2m5:\x1b[0m  \x1b[4mQ♠" in shown.replace("  5:", "\x1b[2m5:"), "on pile 5, a number that is dim"
    assert "\x1b[2m8 · 1 move" in shown and "\x1b[2m(2)\x1b[0m" in shown
    game.type("d\n")
    assert "\x1b[4m" not in game.wait_for(PROMPT, 3).rpartition("d\r\n")[2]
    game.kill()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours_the_text_stays(environment, home):
    game = Terminal("klondike --seed 8", **environment)
    game.wait_for(PROMPT)
    assert "8♣ turned up" in told(game, "ac") and "\x1b[" not in game.shown.replace("\x1b[?2004", "")
    game.kill()


def test_the_very_card_is_found_on_the_board():
    zodiac = rules.load("zodiac")
    sitting = Sitting(zodiac, {}, 8)
    sitting.deal()
    text = script.shown_by(zodiac.display, sitting.game)
    places = [terminal.marked_places(sitting.game.equator[cell][0], zodiac.display, sitting.game)
              for cell in (1, 2)]
    queens = [match.span() for match in re.finditer("Q♠", text)]
    assert places == [[queens[0]], [queens[1]]] and len(queens) == 2


# Won, lost, solved


def test_a_win_says_what_it_was_and_how_it_is_dealt_again(home):
    game = start(WIN_START)
    type_lines(game, "hint", *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    game.wait_for(QUESTION)
    won = " ".join(game.shown.rpartition("You won!")[2].split())
    assert re.match(r"Won in 43 commands, 0:\d\d, with 1 hint\. python main.py quadzilla --rank K --seed \d+ "
                    r"--deck quadzilla-win.deck deals it again\.", won)
    told(game, "undo", PROMPT)
    game.type(f"{WIN[-1]}\n")
    game.wait_for(QUESTION, 2)
    assert re.search(r"Won in 43 commands, 0:\d\d, with 1 hint\s\(your best 0:\d\d\)\.", game.shown)
    game.type("n\n")
    assert game.close() == 0
    with sqlite3.connect(home / "results.sqlite3") as database:
        assert database.execute("SELECT won, hints, solved FROM results").fetchall() == [(1, 1, 0)]
    database.close()


def test_a_game_in_which_solve_was_asked_is_solved_also_when_it_was_resumed(home):
    game = start(WIN_START)
    type_lines(game, *WIN[:-2], "solve", WIN[-2])
    game.kill()
    assert sittings(home)[0][-2:] == ["solve", WIN[-2]]
    game = start("resume")
    assert "Can be won" not in game.shown
    game.type(f"{WIN[-1]}\n")
    game.wait_for(QUESTION)
    assert "You won!\r\nSolved in 43 commands.\r\n" in game.shown
    game.type("n\n")
    game.close()
    row, = results.summary(home, main.GAMES)
    assert (row["won"], row["solved"], row["percentage"]) == (0, 1, 0)


def test_every_word_answers_the_question_at_a_terminal(home):
    game = start(LOST[0][2:])
    type_lines(game, *LOST[2:-2])
    game.type(f"{LOST[-2]}\n")
    game.wait_for(QUESTION)
    assert "quadzilla" in told(game, "deal", QUESTION) and "saved" in told(game, "stats", QUESTION)
    assert re.match(r" *\d+  [MD]", told(game, "history", QUESTION)) and "M s d" in told(game, "h", QUESTION)
    assert told(game, "", QUESTION).startswith("Quadzilla: ")
    assert told(game, "redo", QUESTION).startswith("Error: invalid move.  There is nothing to redo.")
    assert told(game, "d", QUESTION).startswith("Error: invalid input.")
    solved = told(game, "solve", QUESTION)
    number, command, better = re.search(r"^(\d+): (.+) lost it; (.+) would not have\.$", solved, re.M).groups()
    assert f"`undo {number}` goes back to where it still could." in solved
    count = len(lines_done := LOST[2:-1])
    assert command.lower() == lines_done[count - int(number)].lower() and better.lower() != command.lower()
    told(game, f"undo {number}")
    assert "Can be won from here" in told(game, "solve")
    told(game, better)
    assert "Can be won from here" in told(game, "solve")
    told(game, "restart")
    quit(game)


def test_a_game_that_is_over_has_no_hints_and_nothing_is_kept_that_cannot_be_answered_again(home, tmp_path):
    file = tmp_path / "won.sav"
    game = start(f"{WIN_START} --save {file}")
    type_lines(game, *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    game.wait_for(QUESTION)
    for word in ("hint", "moves"):
        assert told(game, word, QUESTION) == "Error: invalid move.  The game is over."
    for word in ("solve", "undo 2", "restart", "redo 99"):
        told(game, word, QUESTION if word in ("solve", "redo 99") else PROMPT)
    game.type("q\n")
    assert game.close() == 0 and "hint" not in file.read_text() and "restart\nredo 99\n" in file.read_text()
    file.write_text(file.read_text() + "hint\nundo\n")  # as older versions wrote it
    count = file.read_text().count("\n")
    again = run(["quadzilla", "--save", file])
    assert again.returncode == 0 and again.stderr.decode() == f"{file}: line {count - 1} is refused: 'hint'\n"
    assert b"Moves left" in again.stdout and b"You won" not in again.stdout, "the undo behind it counts"


def test_in_a_pipe_the_question_has_its_few_answers():
    script = "\n".join([*LOST[1:-1], "deal", "redo", "quit", "hint", "", "n"])
    asked = run(LOST[0][2:], script).stdout.decode().split(QUESTION)
    assert len(asked) == 7 and asked[1:6] == [" Error: invalid input.  Please try again.\n"
                                              "Do you want to play again "] * 5


def test_what_lost_it_is_not_said_where_it_is_not_known(monkeypatch):
    sitting = Sitting(rules.load("quadzilla"), {"difficulty": "normal", "rank": "random"}, 1)
    sitting.deal()
    for _ in range(4):
        sitting.perform(sitting.legal_moves()[0])
    verdicts = {0: "lost", 1: "unknown", 2: "won", 3: "won", 4: "won"}
    real = solve.solve

    def answer_of(asked, seconds, positions=None):
        return real(asked, 10)._replace(verdict=verdicts[len(sitting.done) - len(asked.done)])

    monkeypatch.setattr(solve, "solve", answer_of)
    said = solve.what_can_be_done(sitting, None, 1, at_terminal=True)
    assert said == "This can no longer be won. `undo 2` goes back to where it still could."
    verdicts.update({2: "unknown", 3: "unknown", 4: "unknown"})
    assert solve.what_can_be_done(sitting, None, 1).endswith("Whether it ever could is not decided.")


# Width


def test_what_is_not_a_board_is_wrapped(home):
    game = start("klondike --seed 8", COLUMNS="60")
    for line in ("help", "rules", "tt", "moves", "solve 9"):
        assert max(map(len, told(game, line).splitlines())) <= 60, line
    assert "help, h     the commands  rules       the rules\n" in told(game, "help")
    game.kill()


def test_a_terminal_too_narrow_for_a_board_is_told_once(home):
    game = start("klondike --seed 8", COLUMNS="40")
    assert re.search(r"This board needs \d\d columns; the\s+terminal has 40\.", game.shown)
    assert "This board" not in told(game, "sw")
    game.kill()
    game = start("zodiac --seed 8", COLUMNS="60")
    assert "This board" not in game.shown and "\r\n 19:  4♣ 20:  Q♦ 21:  Q♣ 22:  7♦ 23:  9♦ 24:  5♦\r\n" in game.shown
    game.kill()


def test_the_narrow_board_of_zodiac_has_all_that_the_wide_one_has():
    zodiac = rules.load("zodiac")
    game = zodiac.initialize()
    wide, narrow = (script.shown_by(show, game) for show in (zodiac.display, zodiac.display_narrow))
    assert sorted(wide.split()) == sorted(narrow.split()) and terminal.columns_of(narrow) < 50


def test_montanas_prompt_does_not_wrap(home):
    game = Terminal("montana --seed 1", NO_COLOR="1")
    game.wait_for("dest_col: ")
    assert max(map(len, game.shown.splitlines())) < 80
    game.kill()
    game = Terminal("montana --seed 1", NO_COLOR="1", COLUMNS="100")
    assert "\r\n (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: " in (
        game.wait_for("dest_col: "))
    game.kill()


@pytest.mark.parametrize("name", main.GAMES)
def test_the_help_fits_beside_a_board(name, home):
    game = Terminal(name, NO_COLOR="1")
    prompt = rules.load(name).PROMPT[-9:]
    game.wait_for(prompt)
    assert len(told(game, "help", prompt).splitlines()) <= 14
    game.kill()


# Words and lines


def test_cards_by_name_in_montana():
    listed = run("montana --seed 8", "moves").stdout.decode()
    move, card = re.search(r"(\d+ \d+ \d+ \d+): (\S+) beside", listed).groups()
    assert run("montana --seed 8", card).stdout == run("montana --seed 8", move).stdout


def test_two_cards_that_a_game_pairs_go_by_name_in_either_order():
    text = "4♣ and 9♥ to the discard pile"
    for line, meant in {"4c 9h": True, "9h 4c": True, "4c": True, "9h": True, "9c": False, "4c 9c": False}.items():
        assert lines.begins_with(text, lines.cards_named(line)) == meant, line
    assert not lines.begins_with("4♣ onto 9♥", lines.cards_named("9h 4c"))


@pytest.mark.parametrize("line, meant", [
    ("hnt", "hint"), ("udno 5", "undo 5"), ("ttt 3 5", "TT 3 5"), ("q5", ""), ("xyzzy", "")])
def test_a_line_that_is_nearly_a_word_or_command(line, meant, home):
    game = start("klondike --seed 8")
    assert told(game, line) == "Error: invalid input.  Please try again." + (f"\nDid you mean {meant}?" if meant else "")
    game.kill()


def test_more_words():
    klondike, montana = rules.load("klondike"), rules.load("montana")
    for asked in (False, True):
        assert words.read("?", klondike, asked, True) == ("help", None)
        assert words.read("EXIT", montana, asked, True) == ("quit", None)
    assert words.read("exit", klondike, False) == ("quit", None)
    assert words.read("exit", montana, False) == (None, None), "a script's line in the assignment's game"
    assert words.read("stats", klondike, False) == (None, None) != words.read("stats", klondike, False, True)
    assert words.read("help u", klondike, False) == ("help", "undo")
    assert words.read("help tt", klondike, False) == ("help", "TT")
    asked = run("klondike --seed 8", "help undo\nhelp tt\nhelp x\n").stdout.decode()
    assert "undo [n], u take back the last command; undo 5: the last five\n" in asked
    assert "(h for help): TT s d [n]  the last n cards" in asked and "Error: invalid input.  help, h" in asked


def test_history_is_numbered_as_undo_counts():
    script = "history\nsw\nac\nundo\nsw 2\nhistory\nhistory 1\n"
    said = run("klondike --seed 8", script).stdout.decode()
    assert "No command has been carried out yet.\n" in said
    assert "2  SW\n1  SW 2\n" in said and "The last 1 of 2 commands:\n1  SW 2\n" in said


def test_a_long_history_does_not_scroll_the_board_away(home):
    game = start("klondike --seed 8")
    type_lines(game, *["sw"] * 60)
    assert len(told(game, "history").splitlines()) <= 6
    game.kill()


def test_tab_completes_words_and_legal_moves(home):
    pytest.importorskip("readline")
    game = start("klondike --seed 8")
    game.type("tf\t\n")
    game.wait_for("A♣ to a foundation")
    game.type("hist\t\n")
    game.wait_for("1  TF 6")
    game.kill()


@pytest.mark.parametrize("typed", ["Klondike", "KL", "k"])
def test_a_game_may_be_called_by_a_part_of_its_name(typed):
    assert run([typed, "--seed", "8"]).stdout == run("klondike --seed 8").stdout


def test_a_slip_in_a_games_name_is_a_usage_error_with_a_question():
    for typed in ("klondke", "zodaic"):
        game = run(typed)
        assert game.returncode == 2 and b"Did you mean " in game.stderr and game.stdout == b""
    assert b"Did you mean" not in run("xyzzy").stderr and run("xyzzy").returncode == 2


# Leaving and coming back


def test_new_keeps_the_old_game_and_undo_says_how_to_come_back_to_it(home):
    game = start("zodiac --seed 8")
    type_lines(game, "d", "d")
    shown = told(game, "new")
    number = re.search(r"Deal (\d+): --seed \1 ", shown)[1]
    assert "There is a saved game of zodiac: python main.py resume zodiac\n" in shown
    assert told(game, "undo") == ("Error: invalid move.  There is nothing to undo. python main.py resume continues\n"
                                  "the previous game.")
    type_lines(game, "d", "d")
    assert "Saved. " in quit(game)
    assert sorted(sittings(home)) == sorted([["# zodiac --seed 8", "d", "d"],
                                             [f"# zodiac --seed {number}", "d", "d"]])


def test_new_with_a_file_of_its_own_keeps_the_old_game_in_the_folder(home, tmp_path):
    file = tmp_path / "mine.txt"
    game = start(f"zodiac --seed 8 --save {file}")
    type_lines(game, "d", "new", "d", "d")
    quit(game)
    assert sittings(home) == [["# zodiac --seed 8", "d"]]
    assert file.read_text().splitlines()[1:3] == ["d", "d"] and "--seed 8\n" not in file.read_text()


def test_restart_says_that_redo_plays_the_commands_again(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw", "ac")
    assert told(game, "r").startswith("redo 2 plays the commands again.\n")
    assert " · 2 moves ·" in told(game, "redo 2")
    assert "redo" not in run("klondike --seed 8", "sw\nr\n").stdout.decode()
    game.kill()


def test_there_is_no_file_before_the_first_command(home):
    game = start("klondike --seed 8")
    type_lines(game, "hint", "moves")
    assert not home.exists()
    type_lines(game, "sw")
    assert sittings(home) == [["# klondike --seed 8", "hint", "sw"]]
    game.kill()


@pytest.mark.parametrize("leave", ["\x04", "\x03"])
def test_the_end_of_input_and_ctrl_c_say_that_the_game_is_kept(leave, home):
    game = start("klondike --seed 8")
    type_lines(game, "sw")
    time.sleep(0.3)
    game.type(leave)
    assert game.close() == (130 if leave == "\x03" else 0)
    assert "Saved. Continue with: python main.py resume\r\n" in game.shown


def test_resume_lists_the_kept_games_and_takes_the_one_that_is_chosen(home):
    for arguments in ("klondike --seed 1", "zodiac --seed 2", "klondike --draw 1 --seed 3"):
        game = start(arguments)
        type_lines(game, "d" if "zodiac" in arguments else "sw")
        game.kill()
    game = Terminal("resume", NO_COLOR="1")
    shown = game.wait_for("Which one [1]: ").splitlines()
    assert [re.split("  +", line)[:3] for line in shown[:3]] == [
        ["1", "klondike --draw 1", "1 command"], ["2", "zodiac", "1 command"], ["3", "klondike", "1 command"]]
    assert all(line.endswith("just now") for line in shown[:3])
    game.type("2\n")
    assert "Zodiac Solitaire." in game.wait_for(PROMPT)
    other = start("resume klondike")
    assert "Deal 3:" in other.shown
    other.kill(), game.kill()
    piped = run_process("resume", "q\n")
    assert piped.stdout.startswith(b"Klondike Solitaire.\n"), "nobody is there to choose"
    assert run_process("resume montana").stderr == b"Error: There is no game in progress.\n"


# Other options


def test_the_winnable_deal_of_a_day_is_the_same_for_everyone():
    day = 20261122
    sitting = Sitting(rules.load("klondike"), {"draw": "3"})
    number = solve.first_won(sitting, results.numbers_of(day))
    tried = []
    for one in results.numbers_of(day):
        trial = Sitting(sitting.rules, sitting.options, one)
        trial.deal()
        tried.append(solve.solve(trial, None, solve.POSITIONS).verdict)
        if one == number:
            break
    assert tried[-1] == "won" and "won" not in tried[:-1] and results.is_of_the_day(number, day)
    assert not results.is_of_the_day(number, day + 1)
    plain = run("zodiac --daily --winnable").stdout
    assert plain == run("zodiac --daily --winnable").stdout != run("zodiac --winnable").stdout


def test_an_option_can_be_set_in_the_environment(monkeypatch):
    monkeypatch.setenv("PATIENCE_KLONDIKE_DRAW", "1")
    assert b"(draw 1)" in run("klondike").stdout and b"(draw 3)" in run("klondike --draw 3").stdout


def test_version():
    assert re.fullmatch(rb"patience \d+\.\d+\n", run("--version").stdout)


def test_where_click_is_missing_one_line_says_how_to_set_up(tmp_path):
    project = helpers.copy_project(tmp_path)
    (project / "click.py").write_text("raise ImportError('No module named click')\n")
    missing = subprocess.run([sys.executable, project / "main.py"], capture_output=True, text=True)
    assert missing.returncode == 1 and missing.stdout == ""
    assert missing.stderr.count("\n") == 1 and "-m pip install -r requirements.txt" in missing.stderr


def test_the_next_deal_begins_without_help(home):
    game = start(WIN_START)
    type_lines(game, "hint", "solve", "d", "new", *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    game.wait_for(QUESTION)
    assert re.search(r"Won in 43 commands, 0:\d\d\.\s", game.shown)
    game.kill()


def test_the_game_that_was_played_last_comes_first(home):
    for seed in (1, 2):
        game = start(f"klondike --seed {seed}")
        type_lines(game, "sw")
        game.kill()
    game = Terminal("resume", NO_COLOR="1")
    game.wait_for("Which one [1]: ")
    game.type("2\n")
    game.wait_for(PROMPT)
    type_lines(game, "sw")
    game.kill()
    assert run_process("resume", "deal\n").stdout.count(b"--seed 1\n") == 1
