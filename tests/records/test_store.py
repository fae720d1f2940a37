"""The store: every game of a player is a row, and nothing is lost or counted twice."""

import datetime
import os
import random
import re
import sqlite3
import time

import pytest

import helpers
from helpers import PROMPT, add_result, rows, run
from patience import menu, rules
from patience.game import Deal
from patience.records import statistics, store

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import LOST, QUESTION, WIN, WIN_START, Terminal
from pseudo_terminal import answer_to, win_game, leave, saved_lines, start, type_lines

LIST = "q: quit: "


def states():
    """Return the state of every row, in the order in which they began."""
    return [saved.state for saved in sorted(store.find("1"), key=lambda saved: saved.id)]


# A game in progress


def test_a_game_is_kept_from_its_first_move_on_and_one_that_was_only_dealt_is_not(home):
    game = start("klondike --seed 8")
    answer_to(game, "hint")
    assert states() == []
    answer_to(game, "ac")
    game.kill()
    assert saved_lines() == [["TF 6"]]
    game = start("resume")
    assert "8 · 1 move" in game.shown and "1:  A♣" in game.shown


@pytest.mark.parametrize("how", ["q\n", "\x04", "\x03"])
def test_however_a_player_leaves_the_game_is_saved_and_says_how_to_continue(how, home):
    game = start("klondike --seed 8")
    type_lines(game, "ac")
    time.sleep(0.3)
    game.type(how)
    game.close()
    assert "Saved. Continue with: python main.py resume" in game.shown and states() == ["playing"]


def test_the_row_has_the_moves_that_stand(home):
    game = start("klondike --draw 1 --seed 8")
    type_lines(game, "ac", "d 2", "hint", "undo", "d", "d")
    game.kill()
    (saved,) = store.in_progress()
    assert (saved.game, saved.number, saved.moves, saved.hints) == ("klondike --draw 1", 8, "TF 6\nSW\nSW\n", 1)
    assert saved.status == "1 of 52 up" and saved.seconds >= 0
    with store.connect() as connection:
        assert tuple(connection.execute("PRAGMA user_version").fetchone()) == (1,)
    game = start("resume")
    type_lines(game, "undo 2", "redo", "restart")
    game.kill()
    assert saved_lines() == [[]]


def test_a_game_from_a_deck_file_outlives_the_file(home, tmp_path):
    deck = tmp_path / "my.deck"
    deck.write_bytes((helpers.SCRIPTS / "klondike-3-win.deck").read_bytes())
    game = start(f"klondike --deck {deck}")
    type_lines(game, "d")
    board = game.shown[game.shown.rindex("Foundations") :][:300]
    game.kill()
    deck.unlink()
    assert board in start("resume").shown


def test_new_leaves_the_game_in_hand_in_the_list_and_the_one_played_last_comes_first(home):
    game = start("klondike --seed 8")
    type_lines(game, "ac")
    assert "The game before is saved: menu lists it." in answer_to(game, "new") and "saved" not in answer_to(
        game, "new"
    )
    type_lines(game, "d")
    assert "\n 12  Klondike  deal 8 " in answer_to(game, "menu", LIST)
    assert "Please type a number" in answer_to(game, "5000" * 900, LIST)
    assert "8 · 1 move" in answer_to(game, "12")
    assert "Klondike  deal 8" in answer_to(game, "q", LIST), "the list is home"
    assert "klondike daily" in answer_to(game, "?", LIST) and "Error: No such option" in answer_to(
        game, "klondike --draww 1", LIST
    )
    answer_to(game, "klondike daily")
    assert answer_to(game, "menu", LIST).count("  Klondike  deal ") == 3, "what was only dealt stays, too"
    game.type("q\n")
    assert game.close() == 0 and states() == ["playing"] * 3


def test_two_windows_with_one_game_part_ways_and_both_are_kept(home):
    first = start("klondike --seed 8")
    type_lines(first, "ac")
    second = start("resume")
    type_lines(second, "d")
    assert "continued in another window" in answer_to(first, "d")
    assert "another window" not in answer_to(first, "d") + answer_to(second, "d")
    first.kill(), second.kill()
    assert saved_lines() == [["TF 6", "SW", "SW"]] * 2


def test_the_list_deletes_after_asking_and_answers_whatever_is_typed(home):
    for number in (8, 9):
        game = start(f"klondike --seed {number} --draw 1")
        type_lines(game, "d")
        game.kill()
    game = start("resume", until=LIST)
    assert re.search(r" 1  Klondike, draw 1  deal 9  0 of 52 up  0:0\d  just now", game.shown)
    game.type("d 2\n")
    game.wait_for("Delete Klondike, draw 1, deal 8? It counts as given up (y/n)? ")
    answer_to(game, "n", LIST)
    assert states() == ["playing", "playing"]
    game.type("d 2\n")
    game.wait_for("(y/n)? ")
    assert "Deleted." in answer_to(game, "y", LIST)
    for typed in ("d", "d 9", "d x", "99999", "xyz", '"'):
        assert "Please type" in answer_to(game, typed, LIST)
    game.type("exit\n")
    assert game.close() == 0 and states() == ["resigned", "playing"]


def test_in_the_list_a_name_may_have_options_as_they_are_typed(home, tmp_path):
    game = Terminal("", NO_COLOR="1")
    game.wait_for(LIST)
    game.type(f'kl --seed 8 --draw 1 --save "{tmp_path}/My Game.txt"\n')
    assert "(draw 1)" in game.wait_for(PROMPT)
    type_lines(game, "ac")
    game.kill()
    assert (tmp_path / "My Game.txt").read_text() == "# klondike --draw 1 --seed 8\nTF 6\n"


@pytest.mark.parametrize(
    "seconds, told", [(5, "just now"), (61, "1 minute ago"), (7300, "2 hours ago"), (200_000, "2 days ago")]
)
def test_how_long_ago_is_told_in_one_unit(seconds, told):
    assert menu.how_long_ago(time.time() - seconds) == told


def test_without_a_game_in_progress_resume_is_one_line(home):
    done = run("resume")
    assert (done.returncode, done.stderr) == (1, b"Error: There is no game in progress.\n")


# Won, lost, given up


def test_a_win_is_the_row_that_changes_its_state_and_counts_once(home):
    game = win_game()
    assert re.search(r"\nWon in \d+ moves, \d:\d\d\.\n", game.shown.replace("\r\n", "\n")) and states() == ["won"]
    answer_to(game, "undo")
    answer_to(game, WIN[-1], QUESTION)
    type_lines(game, "u")
    game.type("q\n")
    assert game.close() == 0, "the win stands: nothing is asked"
    assert states() == ["won"] and rows()[0]["won"] == 1
    assert "Quadzilla, rank K    1  100     0     0     1/1" in run("stats").stdout.decode()


def test_a_lost_game_that_is_taken_back_goes_on(home):
    game = start(LOST[0][2:])
    type_lines(game, *LOST[2:-2])
    answer_to(game, LOST[-2], QUESTION)
    assert states() == ["lost"]
    answer_to(game, "undo")
    game.kill()
    assert states() == ["playing"]


def test_hints_and_the_solver_count_as_help(home):
    game = start(WIN_START)
    answer_to(game, "hint")
    type_lines(game, *WIN[:-1])
    assert "with 1 hint" in answer_to(game, WIN[-1], QUESTION)
    game.kill()
    game = start(WIN_START)
    type_lines(game, "solve", *WIN[:-1])
    assert "\nSolved in " in "\n" + answer_to(game, WIN[-1], QUESTION)
    game.kill()
    row = rows()[0]
    assert (row["hinted"], row["solved"], row["won"], row["help"]) == (1, 1, 0, 2)
    game = start(WIN_START)
    type_lines(game, WIN[0], "solve")
    game.kill()
    assert [saved.solved for saved in store.in_progress()] == [1], "at once, not with the next move"


@pytest.mark.parametrize("number", range(4))
def test_a_program_that_is_killed_around_a_win_leaves_one_row_won_or_playing(number, home):
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    time.sleep(random.Random(number).random() * 0.03)
    game.kill()
    assert states() in (["won"], ["playing"])
    if states() == ["playing"]:
        game = start("resume")
        answer_to(game, WIN[-1], QUESTION)
        game.kill()
        assert states() == ["won"]


def test_a_win_has_a_line_to_paste_and_fewest_commands(home):
    deal = Deal(rules.load("klondike"), {"draw": "1", "passes": "unlimited"}, 8)
    add_result("klondike --draw 1", "won", 90, 10)
    won = store.SavedGame(2, "klondike --draw 1", 8, moves="SW\n" * 8, state="won", seconds=192.0)
    message = statistics.win_message(deal, won)
    assert "Won in 8 moves, 3:12, fewest moves; were 10" in message
    assert "\nPatience: Klondike (draw 1) 8 won in 3:12, 8 moves, no hints\n" in message
    won.hints = 2
    assert "fewest" not in statistics.win_message(deal, won) and "8 moves, 2 hints\n" in statistics.win_message(
        deal, won
    )


def test_statistics_percentages_streaks_and_the_best_time_are_of_games_without_help(home):
    for seconds, state, hints in ((90, "won", 0), (60, "won", 0), (30, "won", 2), (50, "lost", 0), (70, "won", 0)):
        add_result("klondike --draw 1", state, seconds, 10, hints=hints)
    add_result("zodiac", "resigned", 5, 3)
    klondike, zodiac = statistics.summary()
    assert klondike == {
        "game": "klondike --draw 1", "won": 3, "%": 75, "help": 1, "lost": 1, "streak": "1/2", "best": "1:00", "today": "-"
    }  # fmt: skip
    assert (zodiac["lost"], zodiac["best"], zodiac["streak"]) == (1, "-", "0/0")
    assert statistics.sentences([klondike])[0].startswith("Klondike, draw 1: 3 won, 75 % of those without help, 1 ")
    lines = run("stats").stdout.decode().splitlines()
    assert lines[1].split() == "Klondike, draw 1 3 75 1 1 1/2 1:00 -".split() and lines[-1].startswith("help: won with")


def test_reset_deletes_the_finished_games_alone(home):
    game = start("klondike --seed 8")
    type_lines(game, "ac")
    game.kill()
    add_result("zodiac", "won", 5, 3)
    assert run("stats --reset", "n\n").stdout.endswith(b"Nothing was changed.\n") and len(states()) == 2
    assert b"All results are deleted." in run("stats --reset", "y\n").stdout and states() == ["playing"]
    assert run("stats").stdout == b"No game has been finished yet.\n"


# The deal of the day


def test_a_deal_of_the_day_counts_on_the_day_on_which_it_was_finished(home):
    today = datetime.date.today()
    for back, late in ((0, 0), (1, 0), (2, 0), (4, 3)):  # the last one was finished late, for its number
        day = today - datetime.timedelta(back)
        noon = datetime.datetime.combine(day + datetime.timedelta(late), datetime.time(12)).timestamp()
        add_result("klondike", "won", 9, 9, number=statistics.number_of(day), changed=noon)
    add_result("zodiac", "won", 9, 9, solved=1, number=statistics.number_of(today))
    assert statistics.calendar().endswith("Streak: 3 days with a deal of the day won.")
    add_result("klondike", "lost", 9, 9, number=statistics.number_of(today))
    add_result("klondike --draw 1", "won", 9, 9, hints=1, number=1000 * statistics.number_of(today) + 7)
    assert statistics.todays_outcomes() == {"klondike": "won", "zodiac": "solved", "klondike --draw 1": "hinted"}
    told = [statistics.describe_todays_deal(outcome) for outcome in ("won", "solved", "hinted")]
    assert told == ["today's deal, won", "today's deal, solved", "today's deal, won with hints"]
    assert "Streak: 3 days" in run("stats daily").stdout.decode()


def test_the_numbers_of_a_day_belong_to_no_other():
    assert list(statistics.numbers_of(20261122))[:3] == [20261122, 20261122001, 20261122002]
    assert statistics.is_of_the_day(20261122999, 20261122) and not statistics.is_of_the_day(20261123, 20261122)
    assert not statistics.is_of_the_day(None, 20261122)


# What goes wrong


@pytest.fixture
def broken(home, request):
    """A store that cannot be used; what is said of it."""
    helpers.make_folder(home)
    path = home / "games.sqlite3"
    if request.param == "no database":
        path.write_text("Dear diary " * 1000)
        return "not a database"
    if request.param == "newer":
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 2")
        return "a newer version of this program"
    if request.param == "folder":
        path.mkdir()
        return "unable to open"
    store.save(store.SavedGame(None, "zodiac", 1, None, "D\n", "won"))
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute("BEGIN EXCLUSIVE")
    request.addfinalizer(connection.close)
    return "locked"


@pytest.mark.parametrize("broken", ["no database", "newer", "folder", "locked"], indirect=True)
def test_what_is_wrong_with_the_store_is_said_once_and_the_game_goes_on(broken, home, monkeypatch):
    monkeypatch.setenv("PATIENCE_STORE_TIMEOUT", "0.05")
    path = home / "games.sqlite3"
    before = path.read_bytes() if path.is_file() and broken != "locked" else None  # closing it would end the lock
    game = start("klondike --seed 8")
    type_lines(game, "ac", "d", "undo")
    shown = " ".join(game.shown.split())
    assert shown.count("This game could not be saved: ") == 1 and broken in shown and "8 · 1 move" in shown
    assert "Thank you" not in answer_to(game, "q", QUESTION), "nothing is lost unasked"
    game.kill()
    assert before is None or path.read_bytes() == before
    assert "Your games cannot be read" in Terminal("", NO_COLOR="1").wait_for(LIST)
    done = helpers.run_process("stats")
    assert done.returncode == 1 and broken.encode() in done.stderr and b"Traceback" not in done.stderr


def test_without_a_home_folder_nothing_is_written(monkeypatch, home, tmp_path):
    monkeypatch.setattr("click.get_app_dir", lambda name: "~/patience")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="no home folder"):
        store.save(store.SavedGame())
    assert not (tmp_path / "~").exists()


def test_a_game_that_is_not_there_any_more_is_one_line(home):
    store.save(store.SavedGame(None, "acesup", 1, None, "D\n"))
    done = run("resume")
    assert done.returncode == 1 and b"This game cannot be continued: there is no game acesup." in done.stderr


def test_the_application_folder_is_for_nobody_else(home):
    add_result("zodiac", "won", 5, 3)
    assert os.stat(home).st_mode & 0o777 == 0o700


def test_leaving_says_nothing_of_a_game_that_was_only_dealt(home):
    assert "Saved" not in leave(start("klondike --seed 8"))


def test_a_game_without_a_move_is_deleted_and_not_given_up(home):
    store.save(store.SavedGame(None, "zodiac", 1, moves=""))
    game = start("", until=LIST)
    assert "such option" in answer_to(game, "zodiac --foo", LIST).rpartition("montana")[2], "below the list"
    game.type("d 11\n")
    assert "given up" not in game.wait_for("(y/n)? ").rpartition("Delete")[2]
    answer_to(game, "y", LIST)
    game.kill()
    assert states() == []
