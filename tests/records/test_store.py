"""The store: every game of a player is a row, and nothing is lost or counted twice."""

import contextlib
import datetime
import os
import random
import sqlite3
import time

import pytest

import helpers
from helpers import PROMPT, add_result, game_of, run
from patience import menu, rules
from patience.decks import Deal
from patience.records import statistics, store

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import QUESTION, WIN, WIN_START, Terminal, answer_to, saved_lines, start, type_lines

LIST = "q: quit: "


# A game in progress


def test_two_windows_with_one_game_part_ways_and_both_are_kept(home):
    first = start("klondike --seed 8")
    type_lines(first, "ac")
    second = start("resume")
    type_lines(second, "d")
    assert "continued in another window" in answer_to(first, "d")
    assert "another window" not in answer_to(first, "d") + answer_to(second, "d")
    first.kill(), second.kill()
    assert saved_lines() == [["TF 6", "SW", "SW"]] * 2


@pytest.mark.parametrize(
    "seconds, told", [(5, "just now"), (61, "1 minute ago"), (7300, "2 hours ago"), (200_000, "2 days ago")]
)
def test_how_long_ago_is_told_in_one_unit(seconds, told):
    assert menu.how_long_ago(time.time() - seconds) == told


# Won, lost, given up


@pytest.mark.parametrize("number", range(4))
def test_a_program_that_is_killed_around_a_win_leaves_one_row_won_or_playing(number, home):
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    time.sleep(random.Random(number).random() * 0.03)
    game.kill()
    (saved,) = store.find("1")
    if saved.state == "playing":
        game = start("resume")
        answer_to(game, WIN[-1], QUESTION)
        game.kill()
    assert [saved.state for saved in store.find("1")] == ["won"]


def test_a_win_has_a_line_to_paste_and_fewest_commands(home):
    deal = Deal(rules.load("klondike"), {"draw": "1", "passes": "unlimited"}, 8)
    add_result("klondike --draw 1", "won", 90, 10)
    won = store.SavedGame(2, "klondike --draw 1", 8, moves="SW\n" * 8, state="won", seconds=192.0)
    message = statistics.win_message(deal, won)
    assert "8 moves, 3:12, fewest moves (before: 10)" in message
    assert "\nTo share: Patience: Klondike (draw 1) 8 won in 3:12, 8 moves, no hints\n" in message
    won.hints = 2
    message = statistics.win_message(deal, won)
    assert "fewest" not in message and "8 moves, 2 hints\n" in message


def test_statistics_percentages_streaks_and_the_best_time_are_of_games_without_help(home):
    for seconds, state, hints in ((90, "won", 0), (60, "won", 0), (30, "won", 2), (50, "lost", 0), (70, "won", 0)):
        add_result("klondike --draw 1", state, seconds, 10, hints=hints)
    add_result("zodiac", "resigned", 5, 3)
    (klondike,), (_, zodiac) = statistics.summary("klondike"), statistics.summary()
    assert klondike == {
        "game": "klondike --draw 1", "won": 3, "%": 75, "help": 1, "lost": 1, "streak": "1/2", "best": "1:00",
        "mean": "1:13", "time": "5:00", "today": "-"
    }  # fmt: skip
    assert (zodiac["lost"], zodiac["best"], zodiac["streak"]) == (1, "-", "0/0")
    assert statistics.sentences([klondike])[0].startswith("Klondike, draw 1: 3 won, 75 % of those without help, 1 ")
    lines = run("stats").stdout.decode().splitlines()
    assert lines[1].split() == "Klondike 3 75 1 1 1/2 1:00 1:13 5:00 -".split() and lines[-3].startswith(
        "help: won with"
    )


def test_a_game_that_has_ended_in_another_window_is_not_deleted(home):
    saved = add_result("klondike", "won", 5, 6)
    assert not store.resign(saved.id) and [row.state for row in store.find("1")] == ["won"]


# The deal of the day


def number_of_day(back):
    """Return the number of the day this many days ago."""
    return statistics.deal_number(datetime.date.today() - datetime.timedelta(back))


def test_a_deal_of_the_day_counts_once_for_its_own_day(home):
    for back, late in ((0, 0), (0, 0), (1, 0), (2, 0), (4, 3)):  # the last one was finished late
        add_result("klondike", "won", 9, 9, number=7, day=number_of_day(back), won_on=number_of_day(back - late))
    add_result("zodiac", "won", 9, 9, solved=1, day=number_of_day(0), won_on=number_of_day(0))
    add_result("montana", "won", 9, 9, number=number_of_day(0), won_on=number_of_day(0))  # dealt by its number
    counts = statistics.count_wins_by_day()
    assert counts == {number_of_day(0): 1, number_of_day(1): 1, number_of_day(2): 1}
    assert statistics.calendar().endswith("Streak: 3 days with a deal of the day won.")
    add_result("klondike", "lost", 9, 9, day=number_of_day(0))
    add_result("klondike --draw 1", "won", 9, 9, hints=1, day=number_of_day(0), won_on=number_of_day(0))
    assert statistics.outcomes_of(store.today()) == {
        "klondike": "won",
        "zodiac": "solved",
        "klondike --draw 1": "hinted",
    }
    told = [statistics.describe_day(store.today(), outcome) for outcome in ("won", "solved", "hinted")]
    assert told == ["today's deal, won", "today's deal, solved", "today's deal, won with hints"]
    assert statistics.describe_day(20261122, "") == "deal of 2026-11-22"
    assert "Streak: 3 days" in run("stats daily").stdout.decode()


def test_the_numbers_of_a_day_belong_to_no_other():
    assert list(statistics.candidate_numbers(20261122))[:3] == [20261122, 20261122001, 20261122002]


def test_over_midnight_and_in_another_time_zone_the_day_of_the_deal_stays(home, monkeypatch):
    """Yesterday's deal, if won today, does not count for any day, and the message says so."""
    game = game_of("klondike", {"draw": "3", "passes": "unlimited"})
    monkeypatch.setattr(game.rules, "check_win", lambda _: True)
    saved = store.SavedGame(day=number_of_day(1))
    store.fill_row(saved, game)
    store.save(saved)
    yesterday = statistics.name_of_day(number_of_day(1))
    assert f"It was the {yesterday}, but you won it on another day" in statistics.win_message(game.deal, saved)
    assert not statistics.count_wins_by_day()
    saved.day = store.today()
    store.save(saved)
    assert "on another day" not in statistics.win_message(game.deal, saved)


def test_a_game_and_its_copies_are_one_win(home):
    one = add_result("klondike", "playing", 9, 9)
    store.claim(one.id, "another window")
    copy = store.SavedGame(**vars(one))
    copy.state = one.state = "won"
    assert store.save(copy) == store.MOVED_ON and copy.copy_of == one.id != copy.id
    one.owner = "another window"
    assert store.save(one) == ""
    (row,) = statistics.summary()
    assert (row["won"], row["streak"]) == (1, "1/1")
    deal = Deal(rules.load("klondike"), {"draw": "3", "passes": "unlimited"}, 5)
    assert "it counts once" in statistics.win_message(deal, one)


# What goes wrong


def test_a_damaged_row_is_left_out_and_named(home):
    for column, value in {
        "seconds": "many",
        "number": -5,
        "moves": None,
        "state": "?",
        "changed": float("inf"),
    }.items():
        bad = add_result("klondike", "playing", 9, 9)
        with store.connect() as connection:
            connection.execute(f"UPDATE games SET {column} = ? WHERE id = ?", (value, bad.id))
    add_result("zodiac", "won", 65, 3)
    store.save(store.SavedGame(None, "montana", 1, None, "s\n"))
    with store.connect() as connection:
        connection.execute("ALTER TABLE games ADD COLUMN colour DEFAULT 'red'")
        connection.execute("ALTER TABLE games DROP COLUMN copy_of")
    told = run("stats").stdout.decode()
    assert "Zodiac" in told and "Game 1 of" in told and "its seconds is 'many'." in told and "its number is -5." in told
    listed = Terminal("", NO_COLOR="1", LINES="60").wait_for(LIST)
    assert "Montana" in listed and "Klondike" not in listed.split("Game 1 of")[0].partition("Montana")[2]
    assert [game.game for game in store.in_progress()] == ["montana"] and len(store.find_unreadable()) == 5


def test_where_the_store_can_only_be_read_a_game_is_continued_unsaved(home, monkeypatch):
    monkeypatch.setenv("PATIENCE_STORE_TIMEOUT", "0.05")
    add_result("klondike", "playing", 9, 0, number=8)
    with contextlib.closing(sqlite3.connect(home / "games.sqlite3")) as connection:
        connection.execute("BEGIN IMMEDIATE")  # others can read
        game = start("resume")
        type_lines(game, "d")
        assert " ".join(game.shown.split()).count("This game could not be saved: ") == 1
        game.type("q\n")
        game.wait_for("This game is not saved. Lose it (y/n)? ")
        game.type("\x04")
        game.wait_for(PROMPT)
        game.type("new\n")
        game.wait_for("This game is not saved. Lose it (y/n)? ")
        game.type("y\n")
        assert "is saved" not in game.wait_for("deals it again")


@pytest.fixture
def broken(home, request):
    """A store that cannot be used, and the message about it."""
    helpers.make_folder(home)
    path = home / "games.sqlite3"
    if request.param == "no database":
        path.write_text("Dear diary " * 1000)
        return "not a database"
    if request.param == "newer":
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 3")
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
    before = path.read_bytes() if path.is_file() and broken != "locked" else None  # closing it would release the lock
    game = start("klondike --seed 8")
    type_lines(game, "ac", "d", "undo")
    shown = " ".join(game.shown.split())
    assert shown.count("This game could not be saved: ") == 1 and broken in shown and "8 · 1 move" in shown
    assert "Thank you" not in answer_to(game, "q", "Lose it (y/n)? "), "nothing is lost unasked"
    game.type("n\n")
    game.wait_for(PROMPT)
    game.type("\x04")
    game.wait_for("Lose it (y/n)? ")
    game.type("\x04")
    assert game.close() == 0
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
    store.save(store.SavedGame(None, "whist", 1, None, "D\n"))
    done = run("resume")
    assert done.returncode == 1 and b"This game cannot be continued: there is no game whist." in done.stderr


def test_the_store_has_its_version_and_its_folder_is_for_nobody_else(home):
    add_result("zodiac", "won", 5, 3)
    with store.connect() as connection:
        assert tuple(connection.execute("PRAGMA user_version").fetchone()) == (2,)
    assert os.stat(home).st_mode & 0o777 == 0o700
