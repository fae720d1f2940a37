"""What a terminal keeps: unfinished games for resume, and results for stats."""

import itertools
import os
import sqlite3
import subprocess
import sys

import pytest

import helpers
import main
from patience import results, saves, start as starting
from helpers import ROOT, run

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal

PROMPT = "(h for help): "
QUESTION = "(y/n/undo)?"
WIN = (helpers.SCRIPTS / "quadzilla-normal-win.in").read_text().splitlines()[1:-1]
WIN_START = "quadzilla --rank K --deck quadzilla-win.deck"


def sittings(home):
    """Return the kept sittings, as a list of their lines but for the time played."""
    return [[line for line in path.read_text().splitlines() if not line.startswith("# played for ")]
            for path in sorted((home / "sittings").glob("*"))]


def type_lines(game, *lines):
    """Type lines, each when the prompt is there; wait for the prompt after the last."""
    for line in lines:
        before = game.shown.count(PROMPT)
        game.type(f"{line}\n")
        game.wait_for(PROMPT, before + 1)


def start(arguments, **environment):
    game = Terminal(arguments, NO_COLOR="1", **environment)
    game.wait_for(PROMPT)
    return game


def quit(game):
    """Quit; return what was said after that."""
    game.type("q\n")
    assert game.close() == 0
    return game.shown[game.shown.rindex(PROMPT) :]


def last_board(game):
    """Return the last board without the line under it."""
    return game.shown[game.shown.rindex("Foundations") :].split("\r\n8 ·")[0]


def test_a_killed_game_is_resumed_where_it_was(home):
    game = start("klondike --draw 1 --seed 8")
    type_lines(game, "sw", "sw", "undo", "ac")
    board = last_board(game)
    game.type("SW")  # not finished: no newline
    game.kill()
    assert sittings(home) == [["# klondike --draw 1 --seed 8", "sw", "sw", "undo", "ac"]]
    game = start("resume")
    assert "Deal 8:" in game.shown and last_board(game) == board
    type_lines(game, "undo", "redo", "sw")
    game.kill()
    assert sittings(home)[0][5:] == ["undo", "redo", "sw"]


def test_quitting_says_how_to_go_on_and_a_finished_game_is_not_kept(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw")
    assert "Saved. Continue with: python main.py resume\r\n" in quit(game)
    game = start("resume")
    type_lines(game, "undo")
    assert "resume" not in quit(game), "nothing was done"
    assert sittings(home) == []
    again = run("resume")
    assert again.returncode == 1 and again.stderr.decode() == "Error: There is no game in progress.\n"


def test_resume_takes_the_last_game_that_is_not_in_use(home):
    first, second = start("klondike --seed 1"), start("zodiac --seed 2")
    type_lines(first, "sw")
    type_lines(second, "d")
    first.kill()
    game = start("resume")
    assert "Klondike" in game.shown, "the Zodiac is still being played"
    game.kill()
    second.kill()


def test_a_won_game_counts_and_is_not_kept(home):
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    game.wait_for("You won!")
    game.wait_for(QUESTION)
    game.type("n\n")
    assert game.close() == 0 and sittings(home) == []
    row, = results.summary(home, main.GAMES)
    assert row["game"] == "quadzilla --rank K"
    assert (row["played"], row["won"], row["commands"]) == (1, 1, len(WIN)) and row["best"] > 0


def test_games_left_for_another_and_quit_ones_are_kept_and_not_counted_yet(home):
    game = start("zodiac --seed 8")
    type_lines(game, "new", "d", "new", "d", "d", "restart", "d")
    assert "python main.py resume" in quit(game)
    assert results.summary(home, main.GAMES) == []
    first, second = sorted(sittings(home), key=len)
    assert first[1:] == ["d"] and second[1:] == ["d", "d", "restart", "d"]
    assert first[0] != second[0], "a deal in which nothing was done is not kept"


def test_a_lost_game_counts_when_it_is_left(home):
    lost = (helpers.SCRIPTS / "quadzilla-lost-move.in").read_text().splitlines()
    game = start(lost[0][2:])
    type_lines(game, *lost[2:-2])
    game.type(f"{lost[-2]}\n")
    game.wait_for(QUESTION)
    assert results.summary(home, main.GAMES) == []
    game.type("n\n")
    assert game.close() == 0
    row, = results.summary(home, main.GAMES)
    assert (row["played"], row["won"], row["best"], row["commands"]) == (1, 0, None, None)


def test_a_game_that_was_resumed_has_no_time_and_finds_its_deck_from_anywhere(home, tmp_path, monkeypatch):
    game = start(WIN_START)
    type_lines(game, *WIN[:5])
    game.kill()
    monkeypatch.setattr(helpers, "SCRIPTS", tmp_path)  # where the program is started
    game = start("resume")
    type_lines(game, *WIN[5:-1])
    game.type(f"{WIN[-1]}\n")
    game.wait_for("You won!")
    game.type("n\n")
    assert game.close() == 0
    row, = results.summary(home, main.GAMES)
    assert (row["won"], row["best"], row["commands"]) == (1, None, len(WIN))


def test_stats_shows_every_game_and_option(home):
    assert run("stats").stdout == b"No game has been finished yet.\n" and not home.exists()
    today = results.todays_number()
    for won, seconds, commands in ((1, 62, 80), (1, 130, 70), (0, 5, 3), (1, None, 90)):
        results.add(home, "klondike", won, seconds, commands)
    results.add(home, "klondike", 1, 10, 20, solved=1, deal=today)
    results.add(home, "klondike", 0, 10, 20, deal=1000 * today + 3)
    results.add(home, "montana", 0, 9, 12, deal=today - 1)
    game = start("zodiac")
    type_lines(game, "d")
    quit(game)
    *heading, klondike, montana, zodiac = run("stats").stdout.decode().splitlines()
    assert heading[0].split() == "saved won lost solved won streak best average fewest today".split()
    assert heading[1].split() == "% now/most m:ss m:ss commands".split()
    assert klondike.split() == "klondike 0 3 2 1 50 0/2 1:02 1:36 70 solved".split()
    assert montana.split() == "montana 0 0 1 0 0 0/0 - - - -".split()
    assert zodiac.split() == "zodiac 1 0 0 0 - 0/0 - - - -".split()
    assert max(map(len, (*heading, klondike, montana, zodiac))) <= 80


def test_reset_asks_first(home):
    results.add(home, "montana", 1, 9, 12)
    assert run("stats --reset", "n\n").returncode == 0
    assert len(results.summary(home, main.GAMES)) == 1
    assert run("stats --reset", "").returncode != 0 and len(results.summary(home, main.GAMES)) == 1
    assert run("stats --reset", "y\n").returncode == 0
    assert results.summary(home, main.GAMES) == []


WRITER = """
import pathlib, sys
sys.path.insert(0, {root!r})
from patience import results
for number in range({count}):
    results.add(pathlib.Path({home!r}), "montana", number % 2, 1.0, number)
    print(number, flush=True)
"""


def writer(home, count):
    code = WRITER.format(root=str(ROOT), home=str(home), count=count)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)


def test_two_programs_may_write_results_at_once(home):
    programs = [writer(home, 40) for _ in range(2)]
    assert [program.wait(helpers.SECONDS) for program in programs] == [0, 0]
    for program in programs:
        program.stdout.close()
    assert results.summary(home, main.GAMES)[0]["played"] == 80


def test_a_program_killed_while_writing_does_no_harm(home):
    for _ in range(5):
        with writer(home, 10_000) as program:
            written = 0
            while written < 5:
                written = int(program.stdout.readline()) + 1
            program.kill()
    played = results.summary(home, main.GAMES)[0]["played"]
    assert played >= 25
    results.add(home, "montana", 1, 1.0, 1)
    assert results.summary(home, main.GAMES)[0]["played"] == played + 1
    with sqlite3.connect(home / results.FILE) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_folder_that_cannot_be_written_costs_only_what_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    assert game.shown.count("This game is not saved: ") == 1
    game.type(f"{WIN[-1]}\n")
    game.wait_for("You won!")
    game.wait_for(QUESTION)
    assert game.shown.count("This game is not counted: ") == 1 and "Traceback" not in game.shown
    game.type("n\n")
    assert game.close() == 0
    stats = run("stats")
    assert stats.returncode in (0, 1) and b"Traceback" not in stats.stderr


def test_a_damaged_database_costs_only_the_results(home):
    home.mkdir(parents=True)
    (home / results.FILE).write_bytes(b"no database" * 100)
    stats = run("stats")
    assert stats.returncode == 1 and stats.stderr.count(b"\n") == 1


def test_a_damaged_row_costs_only_that_row(home):
    results.add(home, "montana", 1, 9, 12)
    with sqlite3.connect(home / results.FILE) as connection:
        connection.executemany("INSERT INTO results (game, won, seconds, commands) VALUES (?, ?, ?, ?)", [
            (b"mon", 1, 9, 12), ("montana", 7, 9, 12), ("montana", 1, "soon", 12), ("montana", 1, 9, "x"),
            (" ", 1, 9, 12), ("montana", 1, -1, 12), ("montana", 1, 2e9, 12)])
    connection.close()
    stats = run("stats")
    assert stats.returncode == 0
    assert [line.split()[:5] for line in stats.stdout.decode().splitlines()[2:]] == [["montana", "0", "1", "0", "0"]]
    results.add(home, "montana", 1, 0.5, 12)
    row, = results.summary(home, main.GAMES)
    assert (row["best"], row["average"], row["commands"]) == (0.5, 4.75, 12)


def test_kept_games_are_listed_by_when_they_were_played_and_only_those_of_the_program(home):
    folder = home / "sittings"
    folder.mkdir(parents=True)
    for age, name in enumerate(["klondike --draw 1", "zodiac", "chess", "klondike"]):
        (folder / f"{age}.txt").write_text(f"# {name} --seed {age}\n{'D' if name == 'zodiac' else 'SW'}\n")
        os.utime(folder / f"{age}.txt", (10**9 - age, 10**9 - age))
    assert [name for name, _ in saves.in_progress(main.GAMES)] == ["klondike", "zodiac", "klondike"]
    assert [row["game"] for row in results.summary(home, main.GAMES, saves.in_progress(main.GAMES))] == [
        "klondike", "klondike --draw 1", "zodiac"]
    found = list(starting.saved_tables(main.GAMES))
    assert [table.sitting.number for table, _ in found] == [0, 1, 3]
    assert list(starting.saved_tables(main.GAMES, "klondike")) == [], "they are in use"
    for _, journal in found:
        journal.close()
    assert [table.sitting.number for table, _ in starting.saved_tables(main.GAMES, "klondike")] == [0, 3]


def test_the_deals_of_a_day():
    day = 20261122
    first = list(itertools.islice(results.numbers_of(day), 3))
    assert first == [day, 20261122001, 20261122002]
    assert all(results.is_of_the_day(number, day) for number in first)
    assert not any(results.is_of_the_day(number, day) for number in (day + 1, 20261123001, 20261121999, 7, None))


def test_what_is_kept_is_for_nobody_else(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw")
    game.kill()
    assert home.stat().st_mode & 0o077 == 0


def test_a_damaged_sitting_is_named_and_the_one_before_it_resumed(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw")
    game.kill()
    (home / "sittings" / "99999999-999999-1.txt").write_text("# chess --seed 1\n")
    game = start("resume")
    assert "there is no game chess." in game.shown and "Klondike" in game.shown
    game.kill()


def test_a_game_with_a_file_of_its_own_is_not_kept_twice(home, tmp_path):
    game = start(f"klondike --seed 8 --save {tmp_path / 'mine.txt'}")
    type_lines(game, "sw")
    assert f"Continue with: python main.py klondike --save {tmp_path / 'mine.txt'}" in " ".join(quit(game).split())
    assert not (home / "sittings").exists()
    assert (tmp_path / "mine.txt").read_text() == "# klondike --seed 8\nsw\n# played for 0 s\n"


def test_ctrl_c_keeps_the_game(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw")
    game.interrupt()
    assert game.close() == 130
    assert sittings(home) == [["# klondike --seed 8", "sw"]]
    assert game.shown.endswith("\r\nInterrupted. Saved. Continue with: python main.py resume\r\n")
