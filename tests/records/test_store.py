"""The store: every game of a player is a row, and nothing is lost or counted twice."""

import contextlib
import datetime
import itertools
import os
import re
import sqlite3
import sys
import time
from collections import Counter

import pytest

import helpers
from helpers import add_result, game_of, run
from patience.table import menu, start as beginning
from patience.table.consoles import Console
from patience.table.records import statistics, store

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import QUESTION, WIN, WIN_START, answer_to, start, type_lines

# A game in progress


def test_how_long_ago_is_told_in_one_unit():
    told = [menu.how_long_ago(time.time() - seconds) for seconds in (5, 61, 7300, 200_000)]
    assert told == ["just now", "1 minute ago", "2 hours ago", "2 days ago"]


# Won, lost, given up


@pytest.mark.parametrize("number", range(2))
def test_a_program_that_is_killed_around_a_win_leaves_one_row_won_or_playing(number):
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    time.sleep(0.015 * number)
    game.kill()
    (saved,) = store.find("1")
    if saved.state == "playing":
        game = start("play", "quit: ")
        answer_to(game, "")
        answer_to(game, WIN[-1], QUESTION)
        game.kill()
    assert [saved.state for saved in store.find("1")] == ["won"]


def test_statistics_percentages_streaks_and_the_best_time_are_of_games_without_help():
    for seconds, state, hints in ((90, "won", 0), (60, "won", 0), (30, "won", 2), (50, "lost", 0), (70, "won", 0)):
        add_result("klondike --draw 1", state, seconds, 10, hints=hints)
    add_result("zodiac", "resigned", 5, 3)
    lines = [line.split() for line in run("stats").stdout.decode().splitlines()]
    assert lines[0] == "played won % help streak best".split()
    assert lines[1] == "Klondike 5 3 75 1 1/2 1:00".split()
    assert lines[2] == "Zodiac 1 0 0 0 0/0 -".split() and lines[-2][:4] == "help: won with hints".split()
    (klondike,) = statistics.summary("klondike")
    assert klondike.game == "klondike --draw 1"
    wide, narrow = (statistics.table([klondike], width).splitlines()[1] for width in (55, 54))
    assert wide.startswith("Klondike, draw 1 ") and narrow == "Klondike, draw 1"
    assert statistics.sentences([klondike]).startswith("Klondike, draw 1: 5 played, 3 won, 75 % of those")


def test_a_game_that_has_ended_in_another_window_is_not_deleted():
    saved = add_result("klondike", "won", 5, 6)
    assert not store.resign(saved.id) and [row.state for row in store.find("1")] == ["won"]


# The daily deal


def number_of_day(back):
    """Return the number of the day this many days ago."""
    return statistics.deal_number(datetime.date.today() - datetime.timedelta(back))


def test_a_deal_of_the_day_counts_once_for_its_own_day(monkeypatch):
    today, *_ = days = [number_of_day(back) for back in range(5)]
    for back, late in ((0, 0), (0, 0), (1, 0), (2, 0), (4, 3)):  # the last one was finished late
        add_result("klondike", "won", 9, 9, number=7, day=days[back], won_on=days[back - late])
    add_result("zodiac", "won", 9, 9, solved=1, day=today, won_on=today)
    add_result("montana", "won", 9, 9, number=today, won_on=today)  # dealt by its number
    assert statistics.count_wins_by_day() == dict.fromkeys(days[:3], 1)
    shown = run("stats daily").stdout.decode()
    weeks = re.findall(r"(?m)^[ \d]\d [A-Z]..  (.*)", shown)
    assert len(weeks) == statistics.WEEKS and " ".join(weeks).split()[-5:] == ["-", "-", "1", "1", "1"]
    assert "Streak: 3 days with a daily deal won." in shown
    add_result("klondike", "lost", 9, 9, day=today)
    add_result("klondike --draw 1", "won", 9, 9, hints=1, day=today, won_on=today)
    outcomes = statistics.outcomes_of(today)
    assert outcomes == {"klondike": "won", "zodiac": "solved", "klondike --draw 1": "hinted"}
    told = [statistics.describe_day(today, outcome) for outcome in outcomes.values()]
    assert {*told} == {"today's deal, won", "today's deal, won with help", "today's deal, won with hints"}
    assert statistics.describe_day(20261122, "") == "deal of 2026-11-22"
    monkeypatch.setattr(statistics, "count_wins_by_day", lambda: Counter(days[1:2]))
    assert "Streak: 1 day with" in statistics.calendar(Console().arrange_table), "today's deal can still be won"


def test_the_numbers_of_a_day_belong_to_no_other():
    first = itertools.islice(statistics.candidate_numbers(20261122), 3)
    assert [*first] == [20261122, 20261122001, 20261122002]


def test_over_midnight_and_in_another_time_zone_the_day_of_the_deal_stays(monkeypatch):
    """Yesterday's deal, if won today, does not count for any day, and the message says so."""
    game = game_of("klondike", {"draw": "3", "passes": "unlimited"})
    monkeypatch.setattr(game.rules, "check_win", lambda _: True)
    saved = store.SavedGame(day=number_of_day(1))
    store.fill_row(saved, game)
    store.save(saved)
    yesterday = statistics.name_of_day(number_of_day(1))
    assert f"It was the {yesterday}, but you won it on another day" in statistics.win_message(game.deal, saved)
    assert not statistics.count_wins_by_day()
    assert menu.todays_game("klondike", [saved]) == ["klondike", "--daily"]
    saved.day = store.today()
    assert menu.todays_game("klondike", [saved]) is saved
    saved.id, saved.copy_of = None, None
    store.save(saved)
    told = statistics.win_message(game.deal, saved)
    assert "on another day" not in told and f"Today's deal of {datetime.date.today().day} " in told
    marks = re.search(r"This week: (.*?)\. Streak: 1 day with", told)[1].split(", ")
    assert marks[-1] == f"{datetime.date.today():%a} 1" and all(mark.endswith(" -") for mark in marks[:-1])


def test_the_first_win_of_a_game_says_what_begins_with_it():
    deal = game_of("klondike", {}).deal
    add_result("klondike", "lost", 9, 9)
    add_result("zodiac", "won", 9, 9)
    first = add_result("klondike", "won", 9, 9)
    assert "Your first win of Klondike" in statistics.win_message(deal, first)
    assert "first win" not in statistics.win_message(deal, add_result("klondike", "won", 9, 8))


def test_a_deal_of_the_day_is_looked_for_once(monkeypatch):
    looked = []
    monkeypatch.setattr("patience.advice.solve.winnable_number", lambda deal, *_: looked.append(deal.name()) or 77)
    deals = [game_of("klondike", {"draw": draw}).deal for draw in ("1", "3")]
    assert [beginning.daily_number(deal)[1] for deal in (*deals, *deals)] == [77] * 4
    assert looked == ["klondike --draw 1", "klondike"]
    store.keep_daily(store.today(), "klondike", 77, "Difficulty: easy.")
    assert store.found_daily(store.today(), "klondike") == (77, "Difficulty: easy.")
    assert beginning.daily_number(deals[1]) == (store.today(), 77) and store.found_daily(20261122, "klondike") is None


def test_a_game_and_its_copies_are_one_win():
    one = add_result("klondike", "playing", 9, 9)
    store.claim(one.id, "another window")
    copy = store.SavedGame(**vars(one))
    copy.state = one.state = "won"
    assert store.save(copy) == store.MOVED_ON and copy.copy_of == one.id != copy.id
    one.owner = "another window"
    assert store.save(one) == ""
    (row,) = statistics.summary()
    assert (row.won, row.streak, row.longest) == (1, 1, 1)
    assert "it counts once" in statistics.win_message(game_of("klondike", {}).deal, one)


# What goes wrong


def test_a_damaged_row_is_left_out_and_named():
    assert store.BLANKS == [number for number in range(sys.maxunicode + 1) if chr(number).isspace()]
    bad_values = {"seconds": "many", "number": -5, "moves": None, "state": "?", "changed": float("inf")}
    for column, value in bad_values.items():
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
    listed = start("", "q: quit: ", LINES="60").shown
    assert "Montana" in listed and "Klondike" not in listed.split("Game 1 of")[0].partition("Montana")[2]
    assert [game.game for game in store.in_progress()] == ["montana"] and len(store.find_unreadable()) == 5


def do_in_store(home, command):
    """Carry out an SQL command in the file of the store; return the connection, which keeps a lock while it exists."""
    connection = sqlite3.connect(home / store.FILE)
    connection.execute(command)
    return connection


def test_where_the_store_can_only_be_read_a_game_is_continued_unsaved(home, monkeypatch):
    monkeypatch.setattr(store, "SECONDS_TO_WAIT", 0.05)
    add_result("klondike", "playing", 9, 0, number=8)
    with contextlib.closing(do_in_store(home, "BEGIN IMMEDIATE")):  # others can read
        shown = " ".join(run("play", "klondike\n\nd\nq\nn\nnew\ny\n").stdout.decode().split())
    assert shown.count("This game could not be saved: ") == 1
    _, cancelled, again = shown.split("This game is not saved. Lose it (y/n)? ")
    assert "Cancelled." in cancelled and "is saved" not in again and "deals it again" in again


@pytest.mark.parametrize("break_it, told", [
    (lambda home: (home / store.FILE).write_text("Dear diary " * 1000, encoding="utf-8"), "not a database"),
    (lambda home: do_in_store(home, f"PRAGMA user_version = {store.VERSION + 1}"), "a newer version of this program"),
    (lambda home: (home / store.FILE).mkdir(), "unable to open"),
    (lambda home: do_in_store(home, "BEGIN EXCLUSIVE"), "locked"),
])  # fmt: skip
def test_what_is_wrong_with_the_store_is_said_once_and_the_game_goes_on(break_it, told, home, monkeypatch):
    """What is asked then is a session of tests/sessions/terminal.txt."""
    monkeypatch.setattr(store, "SECONDS_TO_WAIT", 0.05)
    path = helpers.make_folder(home) / store.FILE
    broken = break_it(home)
    before = path.read_bytes() if path.is_file() and told != "locked" else None  # closing it would release the lock
    shown = " ".join(run("play klondike --seed 8", "ac\nd\nundo\n").stdout.decode().split())
    assert shown.count("This game could not be saved: ") == 1 and told in shown and "8 · 1 move" in shown
    assert "Saved. " not in shown
    assert before is None or path.read_bytes() == before
    done = run("stats")
    assert done.returncode == 1 and told.encode() in done.stderr
    del broken


def test_without_a_home_folder_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr("click.get_app_dir", lambda name: "~/patience")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="no home folder"):
        store.save(store.SavedGame())
    assert not [*tmp_path.iterdir()]


def test_a_game_that_is_not_there_any_more_is_one_line():
    store.save(store.SavedGame(None, "whist", 1, None, "D\n"))
    done = run("play", "\n")
    assert done.returncode == 0 and b"This game cannot be continued: there is no game whist." in done.stdout


def test_the_store_has_its_version_and_its_folder_is_for_nobody_else(home):
    add_result("zodiac", "won", 5, 3)
    with store.connect() as connection:
        assert tuple(connection.execute("PRAGMA user_version").fetchone()) == (store.VERSION,)
    assert os.stat(home).st_mode & 0o777 == 0o700


def test_a_reset_deletes_results_and_no_game_in_progress():
    add_result("klondike", "playing", 9, 9, number=8)
    add_result("klondike", "won", 9, 9)
    assert run("stats --reset", "y\n").stdout.endswith(b"All results deleted.\n")
    assert [row.number for row in store.in_progress()] == [8] and not store.find_finished()


def test_a_window_cannot_write_over_its_own_win():
    won = add_result("klondike", "won", 9, 9, owner="window")
    later = store.SavedGame(**{**vars(won), "state": "playing", "moves": "x\n"})
    store.save(later)
    assert [row.id for row in store.find_won()] == [won.id] and later.id != won.id


@pytest.mark.parametrize("before, now, is_best", [(90.0, 89.9, True), (90.9, 90.1, False), (90.0, 90.0, False)])
def test_a_best_time_is_better_by_a_whole_second(before, now, is_best):
    add_result("klondike", "won", before, 9)
    told = statistics.win_message(game_of("klondike", {}).deal, add_result("klondike", "won", now, 8))
    assert ("best time (was 1:30)" in told) == is_best and ("(your best 1:30)" in told) != is_best
