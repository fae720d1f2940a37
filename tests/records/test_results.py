"""What a player is told of the end of a game, and the results database."""

import contextlib
import datetime
import itertools
import re
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

import helpers
import main
from helpers import PROMPT, ROOT, add_result, rows, run
from patience import table
from patience.game.text import count_of, minutes
from patience.records import daily, keepers, results, statistics

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import LOST, QUESTION, WIN, WIN_START, Terminal, answer_to, just_won, killed_after, leave
from pseudo_terminal import sittings, start, type_lines


def test_a_win_counts_once_though_the_program_was_killed_behind_it(home):
    game = just_won()
    game.kill()
    assert run("resume").returncode == 1, "it is counted, and no longer in progress"
    (row,) = rows(home)
    assert (row["played"], row["won"]) == (1, 1)


def test_a_finished_game_shows_the_time_it_took_and_the_best_is_never_an_older_one(home, tmp_path):
    file = tmp_path / "won.sav"
    add_result(home, "quadzilla --rank K", 1, 59.0, 50)
    game = just_won(f"{WIN_START} --save {file}")
    assert re.search(r"Won in 43 commands, 0:\d\d, new best; was 0:59\.\s", game.shown)
    game.type("q\n")
    game.close()
    file.write_text(re.sub("# played for [0-9]+ s", "# played for 250 s", file.read_text()))
    game = start(f"quadzilla --save {file}", until=QUESTION)
    assert re.search(r"Won in 43 commands, 4:10 \(your best 0:0\d\)\.", game.shown)


def test_a_time_is_told_in_minutes_and_seconds():
    assert [minutes(seconds) for seconds in (None, 0, 59.9, 60, 3599, 3600)] == "- 0:00 0:59 1:00 59:59 60:00".split()


def test_a_win_says_what_it_was_and_how_it_is_dealt_again(home):
    game = start(WIN_START)
    type_lines(game, "hint", *WIN[:-1])
    answer_to(game, WIN[-1], QUESTION)
    won = " ".join(game.shown.rpartition("You won!")[2].split())
    assert re.match(
        r"Won in 43 commands, 0:\d\d, with 1 hint\. python main.py quadzilla --rank K --seed \d+ "
        r"--deck quadzilla-win.deck deals it again\.",
        won,
    )
    answer_to(game, "undo")
    again = answer_to(game, WIN[-1], QUESTION).rpartition("You won!")[2]
    assert re.match(r"\nWon in 43 commands, 0:\d\d, with 1 hint\.\n", again), "its own result is no best"
    game.type("q\n")
    assert game.close() == 0
    with sqlite3.connect(home / "results.sqlite3") as database:
        assert database.execute("SELECT won, hints, solved FROM results").fetchall() == [(1, 1, 0)]
    database.close()


def test_a_game_in_which_solve_was_asked_is_solved_also_when_it_was_resumed(home):
    killed_after(WIN_START, *WIN[:-2], "solve", WIN[-2])
    assert sittings(home)[0][-2:] == ["solve", WIN[-2]]
    game = start("resume")
    assert "Can be won" not in game.shown
    answer_to(game, WIN[-1], QUESTION)
    assert "You won!\r\nSolved in 43 commands.\r\n" in game.shown
    game.type("q\n")
    game.close()
    (row,) = rows(home)
    assert (row["won"], row["solved"], row["%"]) == (0, 1, "-")


def test_the_next_deal_begins_without_help(home):
    game = start(WIN_START)
    type_lines(game, "hint", "solve", "d", "new", *WIN[:-1])
    answer_to(game, WIN[-1], QUESTION)
    assert re.search(r"Won in 43 commands, 0:\d\d\.\s", game.shown)


def test_a_won_game_counts_and_is_not_kept(home):
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    answer_to(game, WIN[-1], "You won!")
    game.wait_for(QUESTION)
    game.type("q\n")
    assert game.close() == 0 and sittings(home) == []
    (row,) = rows(home)
    assert row["game"] == "quadzilla --rank K"
    assert (row["played"], row["won"], row["best"]) == (1, 1, "0:00")


def test_a_lost_game_counts_when_it_is_left(home):
    lost = (helpers.SCRIPTS / "quadzilla-lost-move.in").read_text().splitlines()
    game = start(lost[0][2:])
    type_lines(game, *lost[2:-2])
    answer_to(game, lost[-2], QUESTION)
    assert rows(home) == []
    game.type("q\n")
    assert game.close() == 0
    (row,) = rows(home)
    assert (row["played"], row["won"], row["best"]) == (1, 0, "-")


def test_a_game_that_was_resumed_has_no_time_and_finds_its_deck_from_anywhere(home, tmp_path, monkeypatch):
    killed_after(WIN_START, *WIN[:5])
    monkeypatch.setattr(helpers, "SCRIPTS", tmp_path)  # where the program is started
    game = start("resume")
    type_lines(game, *WIN[5:-1])
    answer_to(game, WIN[-1], "You won!")
    game.type("q\n")
    assert game.close() == 0
    (row,) = rows(home)
    assert (row["won"], row["best"]) == (1, "-")


def test_stats_shows_every_game_and_option(home):
    assert run("stats").stdout == b"No game has been finished yet.\n" and not home.exists()
    today = daily.todays_number()
    for won, seconds, commands in ((1, 62, 80), (1, 130, 70), (0, 5, 3), (1, None, 90)):
        add_result(home, "klondike", won, seconds, commands)
    add_result(home, "klondike", 1, 10, 20, solved=1, deal=today)
    add_result(home, "klondike", 0, 10, 20, deal=1000 * today + 3)
    add_result(home, "montana", 0, 9, 12, deal=today - 1)
    game = start("zodiac")
    type_lines(game, "d", "d", "d")
    leave(game)
    add_result(home, "klondike", 1, 7, 20, hints=2)
    add_result(home, "klondike", -1, 7, 20)
    heading, klondike, montana, legend = run("stats").stdout.decode().splitlines()
    assert heading.split() == "won % help lost streak best today".split()
    assert klondike.split() == "Klondike 3 50 2 3 0/2 1:02 solved".split()
    assert montana.split() == "Montana 0 0 0 1 0/0 - -".split()
    assert legend == "help: won with hints or the solver. lost: or given up. streak: now/longest."


def test_names_that_are_too_long_have_a_line_of_their_own(home):
    add_result(home, "quadzilla --difficulty easy", 1, 62, 80)
    wide, narrow = (statistics.table(statistics.summary(home), width).splitlines() for width in (80, 60))
    assert wide[1].startswith("Quadzilla, difficulty easy    1") and max(map(len, wide)) <= 80
    assert narrow[1:3] == ["Quadzilla, difficulty easy", " " * 19 + "1  100     0     0     1/1   1:02       -"]


WRITER = """
import pathlib, sys
sys.path.insert(0, {root!r})
from patience.records import results
from patience.game.text import count_of
for number in range({count}):
    results.add(pathlib.Path({home!r}), results.Result("montana", number % 2, 1.0, number, 0, 0, None))
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
    assert rows(home)[0]["played"] == 80


def test_a_program_killed_while_writing_does_no_harm(home):
    for _ in range(5):
        with writer(home, 10_000) as program:
            written = 0
            while written < 5:
                written = int(program.stdout.readline()) + 1
            program.kill()
    played = rows(home)[0]["played"]
    assert played >= 25
    add_result(home, "montana", 1, 1.0, 1)
    assert rows(home)[0]["played"] == played + 1
    with sqlite3.connect(home / results.FILE) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_folder_that_cannot_be_written_costs_only_what_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    assert game.shown.count("This game cannot be saved: ") == 1
    answer_to(game, WIN[-1], "You won!")
    game.wait_for(QUESTION)
    assert game.shown.count("The result could not be recorded: ") == 1 and "Traceback" not in game.shown
    game.type("q\n")
    assert game.close() == 0
    stats = run("stats")
    assert stats.returncode == 0 and stats.stdout == b"No game has been finished yet.\n", "there is nothing to read"


@pytest.mark.parametrize(
    "damage",
    [
        b"no database" * 100,
        b"SQLite format 3\0" + bytes(9000),
        "CREATE TABLE results (song TEXT)",
        "CREATE VIEW results AS SELECT 1",
    ],
)
def test_a_database_that_is_damaged_or_not_ours_is_moved_aside_and_a_new_one_begun(damage, home):
    home.mkdir(parents=True)
    if isinstance(damage, bytes):
        (home / results.FILE).write_bytes(damage)
    else:
        with contextlib.closing(sqlite3.connect(home / results.FILE)) as connection:
            connection.execute(damage)
    before = (home / results.FILE).read_bytes()
    stats = run("stats --reset", "y\n")
    assert stats.returncode == 0 and stats.stderr.decode().count("\n") == 1
    assert f"{home / results.FILE} was damaged, or not ours. It is results.sqlite3.damaged now" in stats.stderr.decode()
    assert (home / "results.sqlite3.damaged").read_bytes() == before
    add_result(home, "montana", 1, 9, 12)
    assert rows(home)[0]["won"] == 1 and run("stats").stderr == b""


def test_while_one_program_moves_a_damaged_database_aside_another_leaves_it(home):
    fcntl = pytest.importorskip("fcntl")
    file = helpers.made(home) / results.FILE
    file.write_bytes(b"no database" * 100)
    with open(f"{file}.lock", "a") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        stats = run("stats")
    assert stats.returncode == 1 and b"in use by another program" in stats.stderr and file.exists()


def test_an_older_database_without_the_later_columns_is_taken_on(home):
    home.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(home / results.FILE)) as connection, connection:
        connection.execute(
            "CREATE TABLE results (number INTEGER PRIMARY KEY, game TEXT, won INTEGER, commands INTEGER)"
        )
        connection.execute("INSERT INTO results (game, won, commands) VALUES ('montana', 1, 12)")
    add_result(home, "montana", 1, 9, 12, identity="a")
    add_result(home, "montana", 1, 9, 12, identity="a")
    assert rows(home)[0]["won"] == 2


DAMAGED = (7, 9, 12), (1, "soon", 12), (1, 9, "x"), (1, -1, 12), (1, 2e9, 12)  # won, seconds, commands


def test_a_damaged_row_costs_only_that_row(home):
    add_result(home, "montana", 1, 9, 12)
    with sqlite3.connect(home / results.FILE) as connection:
        connection.executemany(
            "INSERT INTO results (game, won, seconds, commands) VALUES (?, ?, ?, ?)",
            [(b"mon", 1, 9, 12), (" ", 1, 9, 12), *(("montana", *bad) for bad in DAMAGED)],
        )
    connection.close()
    stats = run("stats")
    assert stats.returncode == 0
    assert stats.stdout.decode().splitlines()[1].split() == "Montana 1 100 0 0 1/1 0:09 -".split()
    add_result(home, "montana", 1, 0.5, 12)
    (row,) = rows(home)
    assert row["best"] == "0:00"


def test_the_deals_of_a_day():
    day = 20261122
    first = list(itertools.islice(daily.numbers_of(day), 3))
    assert first == [day, 20261122001, 20261122002]
    assert all(daily.is_of_the_day(number, day) for number in first)
    assert not any(daily.is_of_the_day(number, day) for number in (day + 1, 20261123001, 20261121999, 7, None))


# A win is counted once, whatever happens


def nearly_won(home):
    """Save a game in progress that one more command wins."""
    deck = helpers.SCRIPTS / "quadzilla-win.deck"
    text = "\n".join([f"# quadzilla --rank K --seed 1 --deck {deck}", *WIN[:-1], ""])
    helpers.made(home / "sittings").joinpath("1.txt").write_text(text)


@pytest.mark.parametrize("end", ["interrupt", "kill"])
@pytest.mark.parametrize("milliseconds", [0, 4, 8, 12, 16, 25, 40])
def test_a_win_is_counted_once_however_soon_the_program_ends(end, milliseconds, home):
    nearly_won(home)
    game = start("resume")
    game.type(f"{WIN[-1]}\n")
    time.sleep(milliseconds / 1000)
    game.process.send_signal(signal.SIGINT if end == "interrupt" else signal.SIGKILL)
    game.close()
    run("stats")
    if sittings(home):  # the command had not been read yet
        assert rows(home) == []
        game = start("resume")
        answer_to(game, WIN[-1], QUESTION)
        game.kill()
        run("stats")
    (row,) = rows(home)
    assert (row["played"], row["won"]) == (1, 1) and sittings(home) == []


@pytest.mark.parametrize("lines", [WIN, LOST[2:-1]], ids=["won", "lost"])
def test_a_result_that_could_not_be_recorded_is_counted_at_the_next_start(lines, home):
    nearly_won(home)
    file = home / "sittings" / "1.txt"
    file.write_text("\n".join([file.read_text().splitlines()[0] if lines is WIN else LOST[0], *lines[:-1], ""]))
    (home / results.FILE).mkdir()
    game = start("resume")
    game.type(f"{lines[-1]}\n")
    shown = game.wait_for(QUESTION)
    game.type("q\n")
    assert game.close() == 0
    told = " ".join(game.shown.split())
    assert (
        f"could not be recorded: {home / results.FILE}: It is not a file. It will be at the next start."
        in told.replace("- ", "-")
    )
    assert shown.index("You ") < game.shown.index("could not be recorded"), "first of all it says how it ended"
    assert len(sittings(home)) == 1 and main.GAMES and results_after_start(home) == [(lines is WIN, 1)]
    assert results_after_start(home) == [(lines is WIN, 1)] and sittings(home) == []


def results_after_start(home):
    """Start the program with a database that works; return (won, played) of every game in it."""
    if (home / results.FILE).is_dir():
        (home / results.FILE).rmdir()
    assert run("stats").stderr == b""
    return [(row["won"] == 1, row["played"]) for row in rows(home)]


def test_a_database_that_is_locked_costs_no_win_and_you_won_is_there_at_once(home, monkeypatch):
    nearly_won(home)
    add_result(home, "montana", 1, 9, 12)
    with contextlib.closing(sqlite3.connect(home / results.FILE)) as other:
        other.execute("BEGIN EXCLUSIVE")
        game = start("resume")
        game.type(f"{WIN[-1]}\n")
        assert "could not be recorded" not in game.wait_for("You won!")
        game.wait_for("database is locked.")
        game.kill()
    assert ("quadzilla --rank K", 1) in [(row["game"], row["won"]) for row in rows(home)] or (
        run("stats") and rows(home)[1]["won"] == 1
    )


def test_a_game_that_was_won_taken_back_and_won_again_counts_once(home, tmp_path):
    file = tmp_path / "won.txt"
    nearly_won(home)
    (home / "sittings" / "1.txt").rename(file)
    for _ in range(2):
        game = start(f"quadzilla --save {file}")
        answer_to(game, WIN[-1], QUESTION)
        answer_to(game, "undo")
        game.kill()
    (row,) = rows(home)
    assert (row["played"], row["won"]) == (1, 1)


def test_a_game_that_is_deleted_counts_as_given_up_and_neither_as_lost_nor_as_nothing(home):
    for number, lines in ((1, "sw\nsw\nsw\n"), (2, "sw\nsw\n")):
        folder = home / "sittings"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text(f"# klondike --seed {number}\n{lines}")
    game = start("resume", until="q: quit: ")
    for number in "12":
        game.type(f"d {number}\ny\n")
        game.wait_for(f"Deleted {number}.")
    game.type("q\n")
    assert game.close() == 0 and sittings(home) == []
    (row,) = rows(home)
    assert (row["played"], row["resigned"], row["lost"], row["%"]) == (1, 1, 0, 0)


def test_the_number_of_hints_is_counted_and_the_best_time_is_of_games_won_alone(home):
    nearly_won(home)
    add_result(home, "quadzilla --rank K", 1, 0.5, 30, hints=3)
    add_result(home, "quadzilla --rank K", 1, 0.2, 30, solved=1)
    add_result(home, "quadzilla --rank K", 1, 500, 30)
    game = start("resume")
    type_lines(game, "hint", "hint", "sw", "hint")
    answer_to(game, WIN[-1], QUESTION)
    assert "with 3 hints (your best 8:20)." in " ".join(game.shown.split())
    with contextlib.closing(sqlite3.connect(home / results.FILE)) as database:
        assert database.execute("SELECT hints FROM results WHERE deal = 1").fetchall() == [(3,)]
    (row,) = rows(home)
    assert (row["best"], row["won"], row["hinted"], row["solved"]) == ("8:20", 1, 2, 1)


@pytest.mark.parametrize(
    "won, streak", [((1, 2, 3), 3), ((0, 1, 2), 3), ((0, 2, 3), 1), ((2, 3), 0), ((0,), 1), ((1,), 1)]
)
def test_a_streak_of_days_lasts_over_midnight_until_a_whole_day_was_missed(won, streak, home):
    """won: how many days ago the deal of a day was won."""
    for days in won:
        number = daily.number_of(datetime.date.today() - datetime.timedelta(days))
        add_result(home, "zodiac", 1, 5, 6, hints=days % 2, deal=number)
    assert f"Streak: {count_of(streak, 'day')} with" in run("stats daily").stdout.decode()


def locked(home):
    """Lock the database of the results as another program would; return the connection that holds the lock."""
    add_result(home, "montana", 1, 9, 12)
    other = sqlite3.connect(home / results.FILE)
    other.execute("BEGIN EXCLUSIVE")
    return other


def won_games(home):
    return [row["game"] for row in rows(home) if row["game"] != "montana" and row["won"]]


def test_a_win_in_a_file_that_could_not_be_counted_is_not_lost_by_new(home, tmp_path):
    nearly_won(home)
    (home / "sittings" / "1.txt").rename(tmp_path / "won.txt")
    with contextlib.closing(locked(home)):
        game = start(f"quadzilla --save {tmp_path / 'won.txt'}")
        answer_to(game, WIN[-1], QUESTION)
        assert "It will be when the file is opened again." in " ".join(game.shown.split())
        answer_to(game, "y")
        game.kill()
    run("stats")
    assert won_games(home) == ["quadzilla --rank K"] and sittings(home) == []


def test_a_game_whose_result_cannot_be_recorded_is_not_deleted_from_the_list(home):
    nearly_won(home)
    other = locked(home)
    game = start("resume")
    game.kill()
    (home / "sittings" / "2.txt").write_text("# klondike --seed 2\nsw\nsw\nsw\n")
    game = start("resume", until="q: quit: ")
    game.type("d 1\ny\n")
    game.wait_for("database is locked.")
    game.type("q\n")
    assert game.close() == 0 and "Deleted" not in game.shown and len(sittings(home)) == 2
    other.close()


def test_a_game_that_does_not_load_keeps_no_other_from_being_played(home, tmp_path):
    nearly_won(home)
    file = home / "sittings" / "1.txt"
    file.write_text(file.read_text().replace("quadzilla", "klondike", 1) + "# over 0123456789abcdef\n")
    project = helpers.changed_project(tmp_path / "project", klondike=("import math\n", "import math\n1 / 0\n"))
    game = Terminal("quadzilla", project, NO_COLOR="1")
    assert "Traceback" not in game.wait_for(PROMPT) and file.exists()


def test_a_lost_game_is_counted_once_though_the_program_is_killed_behind_the_count(home, monkeypatch):
    from patience.records import saves

    sitting = helpers.sitting_of("quadzilla", {"difficulty": "easy", "rank": "random"}, 15)
    keeper, record = keepers.FolderKeeper(), table.Record()
    for line in ("D", "M 3 1", "M 1 4 3"):
        sitting.perform(sitting.move_of(line))
        keeper.note(sitting, record, line)
    with monkeypatch.context() as patched:
        patched.setattr(saves.Journal, "remove", saves.Journal.close)  # as if it had been killed there
        keeper.leave(sitting, record)
    run("stats"), run("stats")
    (row,) = rows(home)
    assert (row["played"], row["lost"]) == (1, 1) and sittings(home) == []
