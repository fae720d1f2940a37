"""Saved games: the file of --save, the folder of games in progress, resume."""

import itertools
import os
import re
import subprocess
import sys
import time

import pytest

import helpers
import main
from helpers import PROMPT, rows, run, run_process
from patience import start as starting, table
from patience.records import keepers, saves
from patience.game.grammar import Refused
from patience.records.saves import Journal

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import QUESTION, WIN_START, Terminal, answer_to, just_won, killed_after, last_board, leave
from pseudo_terminal import sittings, start, type_lines


def test_winnable_leaves_a_kept_game_as_it_is(journal):
    run(["klondike", "--seed", "539", "--save", journal])
    kept = run(["klondike", "--winnable", "--save", journal], "deal\nq\nn\n").stdout.decode()
    assert kept == run("klondike --seed 539", "deal\nq\nn\n").stdout.decode()


def test_y_is_no_line_of_a_game_that_goes_on(journal):
    journal.write_text("# klondike --draw 3 --seed 8\nSW\ny\n")
    game = run(["klondike", "--save", journal])
    assert game.returncode == 2 and b"line 3 is refused: 'y'" in game.stderr


@pytest.mark.parametrize("options, named", [
    ("--difficulty foo --seed 1", "--difficulty foo"), ("--drw 1 --seed 1", "--drw"),
    ("--difficulty easy", "first line"), ("--seed x", "first line"),
])  # fmt: skip
def test_a_first_line_with_unknown_options_is_refused_and_resume_goes_on(journal, options, named, tmp_path):
    journal.write_text(f"# quadzilla {options}\nD\n")
    game = run(["quadzilla", "--save", journal])
    assert game.returncode == 2 and named in game.stderr.decode() and b"Traceback" not in game.stderr
    sittings = tmp_path / "home" / "patience" / "sittings"
    sittings.mkdir(parents=True)
    (sittings / "1.txt").write_text("# quadzilla --seed 7\nD\n")
    os.utime(sittings / "1.txt", (1, 1))
    (sittings / "2.txt").write_text(journal.read_text())
    resumed = run_process("resume", XDG_CONFIG_HOME=str(tmp_path / "home"))
    assert resumed.returncode == 0 and named in resumed.stderr.decode() and b"2.txt" in resumed.stderr
    assert b"(normal)   Turn 2" in resumed.stdout, "an option that is not named has its default"


@pytest.mark.parametrize(
    "name, text",
    [
        ("game.txt", "# klondike --seed 8\nSW\n\033[31mred\n"),
        ("game.txt", "# \033[31mklondike --seed 8\n"),
        ("game.txt", "# klondike --seed 8\nSW\n\033[31mtorn"),
        ("a\033[31m\x9b1m.txt", "Dear diary\n"),
        ("game.txt", "# klondike --seed 8 --deck \033[31mdeck\n"),
        ("game.txt", "# klondike --seed 8\nSW\n\033[31m\x9b1m\n"),
    ],
)
def test_nothing_raw_from_a_file_reaches_the_terminal(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    game = run(["klondike", "--save", tmp_path / name], "q\nn\n")
    assert b"\\x1b[31m" in game.stderr and b"\033" not in game.stderr + game.stdout
    assert "\x9b" not in game.stderr.decode()


def test_a_full_disk_is_told_once_and_nothing_else_promised(home):
    resource = pytest.importorskip("resource")
    game = Terminal(
        "klondike --seed 8", NO_COLOR="1", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (24, 24))
    )
    game.wait_for(PROMPT)
    type_lines(game, "sw", "sw", "sw")
    answer_to(game, "q", QUESTION)
    game.type("q\n")
    assert game.close() == 0
    assert game.shown.count("This game is no longer saved: ") == 1 and "\nSaved" not in game.shown


def test_a_resumed_game_goes_on_with_its_time_if_that_was_kept(home, tmp_path):
    killed_after("klondike --seed 8", "sw")
    game = start("resume")
    assert "\r\n8 · 1 move · 0 of 52 up\r\n" in game.shown, "nobody knows how long it was played"
    game.kill()
    (file,) = (home / "sittings").iterdir()
    for played, shown in (
        ("# played for 125 s", "1 move · 2:0"),
        ("# played for 125 s\nsw", "2 moves · 0 of 52 up\r\n"),
    ):
        file.write_text(f"# klondike --seed 8\nsw\n{played}\n")
        game = start("resume")
        assert f"8 · {shown}" in game.shown
        game.kill()
    killed_after("klondike --seed 8", "ac", "sw", "sw", "new")
    assert [
        re.sub("[0-9]+ s", "N s", path.read_text()).splitlines()[-2:]
        for path in (home / "sittings").iterdir()
        if "ac" in path.read_text()
    ] == [["sw", "# played for N s"]]


def test_a_game_that_is_over_has_no_hints_and_nothing_is_kept_that_cannot_be_answered_again(home, tmp_path):
    file = tmp_path / "won.sav"
    game = just_won(f"{WIN_START} --save {file}")
    for word in ("hint", "moves"):
        assert answer_to(game, word, QUESTION) == "Error: invalid move.  The game is over.\nYou won!"
    for word in ("solve", "undo 2", "restart", "redo 99"):
        answer_to(game, word, QUESTION if word in ("solve", "redo 99") else PROMPT)
    game.type("q\n")
    assert game.close() == 0 and "hint" not in file.read_text() and "restart\nredo 99\n" in file.read_text()
    file.write_text(file.read_text() + "hint\nundo\n")  # as older versions wrote it
    count = file.read_text().count("\n")
    again = run(["quadzilla", "--save", file])
    assert (
        again.returncode == 0
        and again.stderr.decode() == f"{file}: line {count - 1} was skipped, as the game was over: 'hint'\n"
    )
    assert b"Moves left" in again.stdout and b"You won" not in again.stdout, "the undo behind it counts"


def test_new_keeps_the_old_game_and_undo_says_how_to_come_back_to_it(home):
    game = start("zodiac --seed 8")
    type_lines(game, "d", "d", "d")
    shown = answer_to(game, "new")
    number = re.search(r"Deal (\d+): --seed \1 ", shown)[1]
    assert "There is a saved game of zodiac: resume lists the games in progress.\n" in shown
    assert answer_to(game, "undo") == (
        "Error: invalid move.  There is nothing to undo. python main.py resume continues\nthe previous game."
    )
    type_lines(game, "d", "d", "d")
    assert "Saved. " in leave(game)
    assert sorted(sittings(home)) == sorted(
        [["# zodiac --seed 8", "d", "d", "d"], [f"# zodiac --seed {number}", "d", "d", "d"]]
    )


def test_new_with_a_file_of_its_own_keeps_the_old_game_in_the_folder(home, tmp_path):
    file = tmp_path / "mine.txt"
    game = start(f"zodiac --seed 8 --save {file}")
    type_lines(game, "d", "new", "d", "d")
    leave(game)
    assert sittings(home) == [["# zodiac --seed 8", "d"]]
    assert file.read_text().splitlines()[1:3] == ["d", "d"] and "--seed 8\n" not in file.read_text()


def test_there_is_no_file_before_the_first_command(home):
    game = start("klondike --seed 8")
    type_lines(game, "hint", "moves")
    assert not home.exists()
    type_lines(game, "sw")
    assert sittings(home) == [["# klondike --seed 8", "hint", "sw"]]


@pytest.mark.parametrize("leave", ["\x04", "\x03"])
def test_the_end_of_input_and_ctrl_c_say_that_the_game_is_kept(leave, home):
    game = start("klondike --seed 8")
    type_lines(game, "sw", "sw", "sw")
    time.sleep(0.3)
    game.type(leave)
    assert game.close() == (130 if leave == "\x03" else 0)
    assert "Saved. Continue with: python main.py resume\r\n" in game.shown


def test_resume_lists_the_kept_games_and_takes_the_one_that_is_chosen(home):
    for arguments in ("klondike --seed 1", "zodiac --seed 2", "klondike --draw 1 --seed 3"):
        killed_after(arguments, "d" if "zodiac" in arguments else "sw")
    game = Terminal("resume", NO_COLOR="1")
    shown = game.wait_for("q: quit: ").splitlines()
    assert [re.split("  +", line.strip())[:4] for line in shown[:3]] == [
        ["1", "Klondike, draw 1", "deal 3", "0 of 52 up"],
        ["2", "Zodiac", "deal 2", "phase 1, 72 left"],
        ["3", "Klondike", "deal 1", "0 of 52 up"],
    ]
    assert all(line.endswith("-  just now") for line in shown[:3])
    answer_to(game, "7", "Please type a number from the list.")
    answer_to(game, "", "There are no more.")
    game.type("2\n")
    assert "Zodiac Solitaire." in game.wait_for(PROMPT)
    other = Terminal("resume klondike", NO_COLOR="1")
    other.wait_for("q: quit: ")
    assert "Zodiac" not in other.shown and other.shown.count("Klondike") == 2
    other.type("d 1\ny\n")
    other.wait_for("Deleted 1.")
    other.type("q\n")
    assert other.close() == 0
    game.kill()
    assert start("resume klondike").kill() and rows(home) == [], "it had one command"
    piped = run_process("resume", "q\n")
    assert piped.stdout.endswith(b"Thank you for playing.\n"), "nobody is there to choose"
    assert run_process("resume montana").stderr == b"Error: There is no game in progress.\n"


def test_a_later_game_of_a_seed_is_followed_by_games_with_numbers_of_their_own(home, tmp_path):
    """They are saved under these, not under the seed of the first one."""
    file = tmp_path / "seeded.txt"
    run(["klondike", "--seed", "8", "--save", file], "sw\nnew\nsw\n")
    killed_after(f"klondike --save {file}", "new")
    assert sittings(home) == [["# klondike --seed 8", "sw", "new", "sw"]], "the whole of the seeded sitting"
    assert (
        re.fullmatch(r"# klondike --seed \d{1,6}\n", file.read_text()) and file.read_text() != "# klondike --seed 8\n"
    )


def test_new_in_a_pipe_saves_the_game_that_was_resumed(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw", "sw", "sw")
    leave(game)
    assert run_process("resume kl", "sw\nnew\nsw\nsw\nsw\n").returncode == 0
    assert [lines[1:] for lines in sorted(sittings(home), key=len)] == [["sw"] * 3, ["sw"] * 4]


def test_the_game_that_was_played_last_comes_first(home):
    for seed in (1, 2):
        killed_after(f"klondike --seed {seed}", "sw")
    game = start("resume", until="q: quit: ")
    answer_to(game, "2")
    type_lines(game, "sw")
    game.kill()
    assert run_process("resume", "deal\n").stdout.count(b"--seed 1\n") == 1


def test_the_journal_is_the_lines_that_were_accepted(journal):
    lines = ["tt 9 9", "# comment", "SW", "help", "  sw ", "undo", "redo", "hint", "ac 2d", "x", ""]
    run(["klondike", "--seed", "8", "--save", journal], "\n".join(lines))
    assert journal.read_text() == ("# klondike --seed 8\nSW\nsw\nundo\nredo\nac 2d\n")


def test_the_journal_of_a_seeded_sitting_holds_all_its_games(journal):
    script = "SW\nnew\nSW\nq\ny\nundo\nSW\n"
    whole = run("klondike --seed 8", script).stdout
    run(["klondike", "--seed", "8", "--save", journal], script)
    assert journal.read_text().splitlines()[1:] == ["SW", "new", "SW", "new", "SW"]
    again = run(["klondike", "--seed", "8", "--save", journal], "").stdout
    assert again.endswith(whole[whole.rindex(b"Stock: 21") :])


def test_a_lost_game_and_the_next_one_in_the_journal(journal):
    lost = (helpers.SCRIPTS / "klondike-1-lost.in").read_text().splitlines()
    start = lost[0][2:].split()
    run([*start, "--save", journal], "\n".join([*lost[:-1], "y", "SW"]))
    assert journal.read_text().splitlines()[-2:] == ["y", "SW"]
    assert run(start, journal.read_bytes()).stdout.count(b"You lost") == 1
    again = run([*start, "--save", journal], "").stdout
    assert again.startswith(b"Klondike Solitaire.\nFoundations") and b"Stock: 23" in again


def test_without_a_seed_a_new_game_begins_the_journal_afresh(journal):
    run(["zodiac", "--save", journal], "D\nnew\nD\nD\n")
    header, *lines = journal.read_text().splitlines()
    assert lines == ["D", "D"] and header.startswith("# zodiac --seed ")
    number = header.split()[-1]
    assert journal.read_text() == f"{header}\nD\nD\n"
    run(["zodiac", "--save", journal], "new\n")
    assert journal.read_text().split()[-1] != number and journal.read_text().count("\n") == 1


def test_the_first_line_has_the_options_in_their_own_order(journal):
    run("quadzilla --seed 1 --rank K --difficulty hard --save".split() + [journal])
    assert journal.read_text() == "# quadzilla --difficulty hard --rank K --seed 1\n"


def test_a_deck_file_is_in_the_journal(journal):
    start = ["klondike", "--draw", "1", "--deck", "klondike-1-win.deck"]
    win = (helpers.SCRIPTS / "klondike-1-win.in").read_text().splitlines()[1:]
    run([*start, "--save", journal], "\n".join(win[:40]))
    assert journal.read_text().partition("\n")[0].endswith(f" --deck {helpers.SCRIPTS / 'klondike-1-win.deck'}")
    again = run(["klondike", "--save", journal], "\n".join(win[40:]), cwd=journal.parent)
    assert b"You won!" in again.stdout, "from any folder, and without its options"
    other = run([*start[:-1], "klondike-3-win.deck", "--save", journal])
    assert other.returncode == 0, "the same cards in another file"


def test_a_first_line_without_its_newline_loses_nothing(journal):
    journal.write_text("# klondike --seed 8")
    for lines in ("", "SW\n", "SW\n"):
        game = run(["klondike", "--save", journal], lines)
        assert (game.returncode, game.stderr) == (0, b"")
    assert journal.read_text() == "# klondike --seed 8\nSW\nSW\n" and b"Stock: 18" in game.stdout


def test_an_option_that_is_not_typed_is_taken_from_the_file(journal, monkeypatch):
    journal.write_text("# klondike --draw 1 --passes 3 --seed 8\nSW\n")
    monkeypatch.setenv("PATIENCE_KLONDIKE_PASSES", "1")
    for typed in ([], ["--draw", "1"]):
        assert b"Stock: 23 (draw 1, passes: 2)" in run(["klondike", *typed, "--save", journal]).stdout
    journal.write_text("# klondike --seed 8\n")
    assert b"(draw 3)" in run(["klondike", "--save", journal]).stdout, "an option left out has its default"


@pytest.mark.parametrize(
    "lines, then",
    [
        (["SW", "q", "n"], "Stock: 21"),
        (["SW", "q"], "Stock: 21"),
        (["SW", "q", "n", "SW"], "Stock: 18"),
        (["SW", "q", "SW"], "Stock: 18"),
        (["SW", "q", "y"], "Stock: 24"),
        (["moves", "stats", "help", "SW"], "Stock: 21"),
    ],
)
def test_a_script_can_be_gone_on_with_though_it_quits_or_only_looks(journal, lines, then):
    journal.write_text("\n".join(["# klondike --seed 8", *lines, ""]))
    for more, shown in (("SW\n", then), ("undo\n", "Stock:")):
        game = run(["klondike", "--save", journal], more)
        assert (game.returncode, game.stderr) == (0, b"")
        assert shown in game.stdout.decode().split(PROMPT)[0]
    assert journal.read_text().splitlines()[1:] == [*lines, "SW", "undo"]


@pytest.mark.parametrize("torn", ["TT", "SW", "undo", "♥"])
def test_a_last_line_that_was_cut_off_is_dropped_with_a_notice(journal, torn):
    journal.write_text(f"# klondike --draw 3 --seed 8\nA♣\nSW\n{torn}", encoding="utf-8")
    game = run(["klondike", "--save", journal], "SW\n")
    assert game.returncode == 0 and b"Stock: 21" in game.stdout
    assert torn in game.stderr.decode() and game.stderr.count(b"\n") == 1
    assert journal.read_text(encoding="utf-8") == "# klondike --draw 3 --seed 8\nA♣\nSW\nSW\n"


@pytest.mark.parametrize(
    "content, arguments, named",
    [
        ("# zodiac --seed 8\n", "klondike", "zodiac"),
        ("# klondike --draw 1 --seed 8\n", "klondike --draw 3", "--draw 1"),
        ("# klondike --seed 8\nSW\n", "klondike --draw 1", "--draw 3"),
        ("# klondike --draw 3 --seed 8\n", "klondike --seed 9", "--seed 8"),
        ("# klondike --draw 3 --seed 8\n", "klondike --deck klondike-3-win.deck", "deck"),
        ("# klondike --seed 8 --deck klondike-1-win.deck\n", "klondike --deck klondike-one-pass.deck", "deck"),
        ("# klondike --seed 8 --deck no-such.deck\n", "klondike", "no-such.deck"),
        ("# klondike --draw 3 --seed 8\nSW\nWT 1\n", "klondike", "line 3"),
        ("# klondike --draw 3 --seed 8\nhello\n", "klondike", "line 2"),
        ("# klondike --draw 3\n", "klondike", "not a saved game"),
        ("# klondike --draw 3 --seed x\n", "klondike", "not a saved game"),
        ("# klondike --draw\n", "klondike", "not a saved game"),
        ("Dear diary,\nall is well.\n", "klondike", "not a saved game"),
        ("# klon", "klondike", "not a saved game"),
        ("\n", "klondike", "not a saved game"),
        ("# klondike 'x\n", "klondike", "not a saved game"),
        (b"\xff\xfe\x00\n", "klondike", "not a saved game"),
    ],
)
def test_a_foreign_file_is_a_usage_error_and_stays_as_it_was(journal, content, arguments, named):
    content = content if isinstance(content, bytes) else content.encode()
    journal.write_bytes(content)
    game = run([*arguments.split(), "--save", journal], "SW\n")
    assert game.returncode == 2 and game.stdout == b""
    assert game.stderr.count(b"Error") == 1 and named in game.stderr.decode()
    assert journal.read_bytes() == content


def test_a_journal_that_cannot_be_written_is_a_usage_error(tmp_path):
    for name in (tmp_path, tmp_path / "no-such-folder" / "game.txt", "-"):
        game = run(["klondike", "--save", str(name)])
        assert game.returncode == 2 and game.stdout == b"" and game.stderr.count(b"Error") == 1


def test_a_device_is_no_journal():
    game = run(["klondike", "--save", os.devnull])
    assert game.returncode == 2 and game.stdout == b""


def test_a_full_disk_costs_the_journal_but_not_the_game(journal):
    resource = pytest.importorskip("resource")
    game = subprocess.run(
        [sys.executable, helpers.ROOT / "main.py", "klondike", "--seed", "8", "--save", journal],
        input=b"SW\n" * 100,
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (120, 120)),
    )
    assert game.returncode == 0 and game.stdout == run("klondike --seed 8", "SW\n" * 100).stdout
    assert game.stderr.startswith(b"This game is no longer saved: ") and game.stderr.count(b"\n") == 1
    assert journal.stat().st_size == 120


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_journal_is_a_usage_error_and_stays_as_it_was(journal):
    content = "# klondike --draw 3 --seed 8\nSW\n"
    journal.write_text(content)
    journal.chmod(0o444)
    game = run(["klondike", "--save", journal], "SW\n")
    assert game.returncode == 2 and journal.read_text() == content


def test_two_programs_do_not_keep_a_game_in_one_file(journal):
    pytest.importorskip("fcntl")
    first = Journal(journal)
    game = run(["klondike", "--save", journal])
    assert game.returncode == 2 and b"in use" in game.stderr
    first.file.close()


def test_every_line_is_in_the_file_before_the_next_is_read(journal):
    with helpers.started(["klondike", "--seed", "8", "--save", journal]) as game:
        for count in range(1, 4):
            helpers.read_until(game, PROMPT.encode())
            assert journal.read_text().count("SW") == count - 1
            game.stdin.write(b"SW\n")
            game.stdin.flush()


def test_scripts_leave_no_trace_on_the_disk(tmp_path):
    run("klondike --seed 8", "SW\nq\nn\n")
    assert not (tmp_path / "home").exists()
    assert list(itertools.islice(tmp_path.iterdir(), 1)) == []


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
    type_lines(game, "sw", "sw", "sw")
    assert "Saved. Continue with: python main.py resume\r\n" in leave(game)
    game = start("resume")
    type_lines(game, "undo")
    assert "Saved. " in leave(game), "what was taken back can be done again"
    game = start("klondike --seed 9")
    type_lines(game, "sw", "sw")
    assert "Saved" not in leave(game), "two commands are no game to keep"
    (home / "sittings").joinpath(*[path.name for path in (home / "sittings").iterdir()]).unlink()
    again = run("resume")
    assert again.returncode == 1 and again.stderr.decode() == "Error: There is no game in progress.\n"


def test_resume_takes_the_last_game_that_is_not_in_use(home):
    first, second = start("klondike --seed 1"), start("zodiac --seed 2")
    type_lines(first, "sw")
    type_lines(second, "d")
    first.kill()
    game = start("resume")
    assert "Klondike" in game.shown, "the Zodiac is still being played"


def test_games_left_for_another_and_quit_ones_are_kept_and_not_counted_yet(home):
    game = start("zodiac --seed 8")
    type_lines(game, "new", "d", "d", "d", "new", "d", "d", "restart", "d", "d", "d", "new", "d", "d")
    leave(game)
    assert rows(home) == []
    first, second = sorted(sittings(home), key=len)
    assert first[1:] == ["d"] * 3 and second[1:] == ["d", "d", "restart", "d", "d", "d"]
    assert first[0] != second[0], "a deal in which less was done is not kept"


def test_kept_games_are_listed_by_when_they_were_played_and_only_those_of_the_program(home):
    folder = home / "sittings"
    folder.mkdir(parents=True)
    for age, name in enumerate(["klondike --draw 1", "zodiac", "chess", "klondike"]):
        (folder / f"{age}.txt").write_text(f"# {name} --seed {age}\n{'D' if name == 'zodiac' else 'SW'}\n")
        os.utime(folder / f"{age}.txt", (10**9 - age, 10**9 - age))
    found = list(starting.saved_tables(main.GAMES))
    assert [table.sitting.number for table, _ in found] == [0, 1, 3]
    assert list(starting.saved_tables(main.GAMES, "klondike")) == [], "they are in use"
    for _, journal in found:
        journal.close()
    assert [table.sitting.number for table, _ in starting.saved_tables(main.GAMES, "klondike")] == [0, 3]


@pytest.mark.parametrize("seconds, told", [
    (59, "just now"), (60, "1 minute ago"), (7_199, "1 hour ago"), (7_200, "2 hours ago"), (3 * 86_400, "3 days ago")])  # fmt: skip
def test_how_long_ago_a_game_was_played_is_told_in_one_unit(seconds, told, journal, monkeypatch):
    journal.write_text("")
    now = journal.stat().st_mtime + seconds
    monkeypatch.setattr(saves.time, "time", lambda: now)
    assert saves.how_long_ago(journal) == told


def test_what_is_kept_is_for_nobody_else(home):
    killed_after("klondike --seed 8", "sw")
    assert home.stat().st_mode & 0o077 == 0


def test_a_damaged_sitting_is_named_and_the_one_before_it_resumed(home):
    killed_after("klondike --seed 8", "sw")
    (home / "sittings" / "99999999-999999-1.txt").write_text("# chess --seed 1\n")
    game = start("resume")
    assert "there is no game chess." in game.shown and "Klondike" in game.shown


def test_a_game_with_a_file_of_its_own_is_not_kept_twice(home, tmp_path):
    game = start(f"klondike --seed 8 --save {tmp_path / 'mine.txt'}")
    type_lines(game, "sw")
    assert f"Continue with: python main.py klondike --save {tmp_path / 'mine.txt'}" in " ".join(leave(game).split())
    assert not (home / "sittings").exists()
    assert (tmp_path / "mine.txt").read_text() == "# klondike --seed 8\nsw\n# played for 0 s\n"


def test_ctrl_c_keeps_the_game(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw", "sw", "sw")
    game.interrupt()
    assert game.close() == 130
    assert sittings(home) == [["# klondike --seed 8", "sw", "sw", "sw"]]
    assert game.shown.endswith("\r\nInterrupted. Saved. Continue with: python main.py resume\r\n")


def test_a_full_disk_at_the_first_command_leaves_no_empty_file(home):
    resource = pytest.importorskip("resource")
    game = Terminal("klondike --seed 8", NO_COLOR="1", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    game.wait_for(PROMPT)
    type_lines(game, "sw", "sw")
    assert game.shown.count("This game is no longer saved: ") == 1
    game.kill()
    assert list((home / "sittings").iterdir()) == []


def test_nothing_is_promised_of_a_file_that_was_deleted(home):
    game = start("klondike --seed 8")
    type_lines(game, "sw", "sw", "sw")
    (file,) = (home / "sittings").iterdir()
    file.unlink()
    answer_to(game, "q", QUESTION)  # it asks, as nothing is saved
    game.type("q\n")
    assert game.close() == 0
    shown = game.shown
    assert "Saved." not in shown and f"This game is not saved: {file} was deleted." in " ".join(shown.split()).replace(
        "- ", "-"
    )


def test_an_empty_name_of_a_file_is_refused():
    game = run(["klondike", "--save", ""])
    assert game.returncode == 2 and b"the name of a file cannot be empty." in game.stderr and game.stdout == b""


@pytest.mark.parametrize(
    "content", [b"# klondike --seed 8\nSW\nS", b"", b"# klondike --seed 8", b"# klondike --seed 8\nSW\n"]
)
def test_solving_only_reads(content, journal):
    journal.write_bytes(content)
    journal.chmod(0o400)
    when = journal.stat().st_mtime_ns
    solved = run(["solve", "klondike", "--save", journal])
    assert (journal.read_bytes(), journal.stat().st_mtime_ns) == (content, when)
    assert solved.returncode == (0 if content else 2) and solved.stdout.startswith(
        b"# klondike --seed 8\n"[: len(content)]
    )
    assert solved.stdout.count(b"SW\n") >= content.count(b"SW\n")


@pytest.mark.parametrize("command", [["klondike", "--save"], ["solve", "klondike", "--save"], ["review"]])
def test_a_first_line_that_never_ends_is_refused_without_being_taken_apart(command, journal, monkeypatch):
    monkeypatch.setattr(saves.shlex, "split", lambda line: pytest.fail(f"{len(line)} letters are taken apart"))
    journal.write_text(f"# klondike --seed {'8 ' * 10**6}")
    game = run([*command, journal])
    assert game.returncode == 2 and b"it is not a saved game" in game.stderr and len(game.stderr) < 500


def test_a_path_with_a_blank_is_told_as_it_must_be_typed(home, tmp_path):
    file = tmp_path / "my game.txt"
    game = start("klondike --seed 8", COLUMNS="250", arguments=["--save", str(file)])
    type_lines(game, "sw")
    assert f"Saved. Continue with: python main.py klondike --save '{file}'\r\n" in leave(game)


def test_a_line_that_is_meant_to_be_copied_is_never_broken_in_the_middle_of_a_word(home, tmp_path):
    folder = helpers.made(tmp_path / ("a-long-name-" * 9))
    game = start("klondike --seed 8", arguments=["--save", str(folder / "game.txt")])
    type_lines(game, "sw")
    assert f"klondike --save {folder / 'game.txt'}\r\n" in leave(game)


def test_new_on_a_full_disk_leaves_the_game_in_hand(home, tmp_path, monkeypatch):
    """The copy for the folder of games in progress cannot be written: its journal is closed."""
    sitting, journal = (
        helpers.sitting_of("klondike", {"draw": "3", "passes": "unlimited"}, 8),
        Journal(tmp_path / "mine.txt"),
    )
    keeper, record = keepers.FolderKeeper(journal, asked=True), table.Record()
    journal.begin(sitting)
    sitting.perform(("SW",))
    keeper.note(sitting, record, "SW")
    copied = Journal(tmp_path / "copy.txt")
    copied.close()
    monkeypatch.setattr(keepers, "new_journal", lambda: copied)
    with pytest.raises(Refused, match="This game cannot be saved."):
        keeper.next_game(sitting, record)
    assert not (tmp_path / "copy.txt").exists() and keeper.is_saved()
    assert (tmp_path / "mine.txt").read_text().startswith("# klondike --seed 8\nSW\n")


@pytest.mark.parametrize("command", [["klondike", "--save"], ["review"], ["solve", "klondike", "--save"]])
def test_a_saved_game_with_symbols_is_read_in_every_locale(command, journal):
    journal.write_text("# klondike --seed 8\nA♣\nSW\n", encoding="utf-8")
    game = run_process([*command, journal], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert game.returncode == 0 and b"Traceback" not in game.stderr
    assert command[0] != "solve" or "\nA♣\nSW\n".encode() in game.stdout


def test_a_file_that_is_gone_is_not_made_again_by_opening_it(home):
    with pytest.raises(FileNotFoundError):
        starting.open_saved(str(home / "none.txt"), main.GAMES)
    assert not (home / "none.txt").exists()


def test_what_a_file_held_can_be_put_back_though_it_was_removed(home, monkeypatch):
    """As after a mistake of ours behind `new`, which has put the game away."""
    monkeypatch.chdir(helpers.made(home))
    sitting = helpers.sitting_of("klondike", {"draw": "3", "passes": "unlimited"}, 8)
    for count in (1, 3):
        keeper, record = keepers.FolderKeeper(), table.Record()
        for _ in range(count):
            sitting.perform(("SW",))
            keeper.note(sitting, record, "sw")
        mark = keeper.mark()
        keeper.next_game(sitting, record)
        keeper.back_to(mark)
        assert keeper.is_saved() and keeper.journal.read() == (["# klondike --seed 8", *["sw"] * count], "")
        keeper.note(sitting, record, "sw")
        keeper.leave(sitting, record)
        sitting.undo(count)


def test_what_is_left_out_of_a_saved_game_that_is_only_read_is_told(journal):
    journal.write_text("# klondike --seed 8\nSW\nSW")
    for command in (["solve", "klondike", "--save", journal], ["review", journal]):
        assert b"the last line was cut off, and is dropped: SW\n" in run(command).stderr


def test_a_saved_game_that_must_be_there_is_not_made(tmp_path):
    with pytest.raises(FileNotFoundError):
        saves.Journal(tmp_path / "gone.txt", new=False)
    assert not list(tmp_path.iterdir())
