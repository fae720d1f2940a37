"""The file of --save: how a game was dealt, and the moves that stand."""

import os
import random

import pytest

import helpers
from helpers import run, run_process, start_program
from patience.records import savefile, store

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal, answer_to, start, type_lines

SCRIPT = "ac\nd 2\nhint\n# a comment\nundo\nsw\nfoo\nsw\n"


def test_a_script_leaves_the_moves_that_stand_and_nothing_else(journal):
    run(["klondike", "--seed", "8", "--draw", "1", "--save", journal], SCRIPT)
    assert journal.read_text() == "# klondike --draw 1 --seed 8\nTF 6\nSW\nSW\n"
    again = run(["klondike", "--save", journal], "sw\n")
    assert again.stdout.decode().count("Stock: 21 (draw 1)") == 1 and journal.read_text().endswith("SW\nSW\nSW\n")
    assert run("klondike", journal.read_bytes()).returncode == 0


def test_a_saved_file_given_to_itself_ends(journal):
    run(["klondike", "--seed", "8", "--save", journal], "sw\n")
    command = f"{helpers.sys.executable} {helpers.ROOT}/main.py klondike --save {journal} < {journal}"
    assert helpers.subprocess.run(command, shell=True, capture_output=True, timeout=20).returncode == 0


def test_a_player_has_the_file_after_every_command_and_the_row_too(home, journal):
    game = start(f"klondike --seed 8 --save {journal}")
    for lines, line in enumerate(("ac", "d", "d"), start=2):
        type_lines(game, line)
        assert journal.read_text().count("\n") == lines
    game.type("q\n")
    assert game.close() == 0 and f"Continue with: python main.py klondike --save {journal}" in " ".join(
        game.shown.split()
    )
    game = start(f"klondike --save {journal}")
    type_lines(game, "d")
    game.kill()
    assert [saved.count for saved in store.find("1")] == [4], "it is one game, and one row"


def test_the_next_game_takes_the_file_and_the_one_before_it_stays_in_the_list(home, journal):
    game = start(f"klondike --seed 8 --save {journal}")
    type_lines(game, "ac", "new", "d")
    game.kill()
    assert journal.read_text().endswith("\nSW\n") and "--seed 8\n" not in journal.read_text()
    assert sorted(saved.moves for saved in store.in_progress()) == ["SW\n", "TF 6\n"]


def test_a_game_that_is_over_when_its_file_is_opened_does_not_count(home, journal):
    solved = run("solve desturado --seed 4").stdout.decode()
    journal.write_text("\n".join(line for line in solved.splitlines() if not line.startswith("# won")) + "\n")
    game = Terminal(f"desturado --save {journal}", NO_COLOR="1")
    game.wait_for("quit: ")
    game.type("q\n")
    assert game.close() == 0 and "You won!" in game.shown and store.find_finished() == []


def test_a_file_that_cannot_be_written_at_the_win_costs_no_win(home, tmp_path):
    from pseudo_terminal import QUESTION, WIN, WIN_START

    folder = helpers.make_folder(tmp_path / "folder")
    game = start(f"{WIN_START} --save {folder / 'game.txt'}")
    type_lines(game, *WIN[:-1])
    helpers.shutil.rmtree(folder)
    assert "could not be written: " in " ".join(answer_to(game, WIN[-1], QUESTION).split())
    game.type("q\n")
    assert game.close() == 0 and [saved.state for saved in store.find("1")] == ["won"]


def test_by_ear_from_a_pipe_the_file_is_written_too(journal):
    run(["klondike", "--seed", "8", "--spoken", "--save", journal], "ac\n")
    assert journal.read_text() == "# klondike --seed 8\nTF 6\n"


@pytest.mark.parametrize("text", ["# quadzilla --seed 1\nP 1\n", "# zodiac --seed 1\nP 3\n"])
def test_a_command_that_only_looks_is_no_move(text, journal):
    journal.write_text(text)
    done = run([text.split()[1], "--save", journal])
    assert done.returncode == 2 and b"line 2 is refused" in done.stderr


def test_what_cannot_be_dealt_again_leaves_the_old_file(journal):
    journal.write_text("")
    run(["montana", "--seed", "5", "--save", journal], "s\n")
    before = journal.read_bytes()
    done = run(["montana", "--seed", "5", "--save", journal], "new\ns\n")
    assert (
        done.returncode == 1
        and b"its random shuffles cannot be repeated" in done.stderr
        and journal.read_bytes() == before
    )


def test_a_seeded_run_of_several_games_leaves_the_last_one(journal):
    run(["klondike", "--seed", "8", "--save", journal], "sw\nnew\nsw\nsw\n")
    text = journal.read_text()
    assert text.endswith("SW\nSW\n") and text.count("SW") == 2 and "--seed 8\n" not in text
    board = (
        run("klondike --seed 8", "sw\nnew\nsw\nsw\n")
        .stdout.decode()
        .rpartition("Foundations:")[2]
        .partition("Enter")[0]
    )
    assert board in run(["klondike", "--save", journal]).stdout.decode()


def test_a_deck_lies_in_the_file_itself(journal):
    run(["klondike", "--deck", "klondike-3-win.deck", "--save", journal], "sw\n")
    first = journal.read_text().splitlines()[0]
    assert "--deck '" in first and "klondike-3-win" not in first
    board = run("klondike --deck klondike-3-win.deck", "sw\n").stdout.decode().rpartition("Foundations:")[2]
    assert board in run(["klondike", "--save", journal]).stdout.decode()


def test_an_option_that_is_not_typed_is_that_of_the_file(journal, monkeypatch):
    run(["klondike", "--draw", "1", "--seed", "8", "--save", journal], "sw\n")
    monkeypatch.setenv("PATIENCE_KLONDIKE_DRAW", "3")
    assert b"(draw 1)" in run(["klondike", "--save", journal]).stdout


@pytest.mark.parametrize("content, arguments, named", [
    ("Dear diary\n", [], "its first line must be # GAME OPTIONS."),
    ("# chess --seed 1\n", [], "there is no game chess."),
    ("# zodiac --seed 1\n", [], "it is a game of zodiac."),
    ("# klondike --seed x\n", [], "'x' is not a valid integer"),
    ("# klondike --draw 2 --seed 1\n", [], "'2' is not one of '3', '1'."),
    ("# klondike --foo 1 --seed 1\n", [], "No such option"),
    ("# klondike\n", [], "its first line must have a --seed."),
    ("# klondike --seed '1\n", [], "No closing quotation"),
    ("# klondike --seed 1 --deck none.deck\n", [], "does not exist"),
    ("# klondike --seed 8\nTT 1 1\n", [], "line 2 is refused: 'TT 1 1'."),
    ("# klondike --seed 8\n\x1b[31m\n", [], "line 2 is refused: '\\\\x1b[31m'."),
    ("# klondike --seed 8\n" + "9" * 5000 + "\n", [], "line 2 is refused: '999"),
    ("# " + "klondike " * 9999, [], "its first line must be # GAME OPTIONS."),
    ("\0\0", [], "its first line must be # GAME OPTIONS."),
    ("# klondike --seed 8\nSW\n", ["--seed", "9"], "it is a game with --seed 8."),
    ("# klondike --seed 8\nSW\n", ["--draw", "1"], "it is a game with --draw 3."),
    ("# klondike --seed 8\nSW\n", ["--deck", "klondike-1-win.deck"], "another deck file."),
])  # fmt: skip
def test_a_file_that_holds_no_such_game_is_one_line_and_stays_as_it_was(content, arguments, named, journal):
    journal.write_text(content)
    done = run(["klondike", "--save", journal, *arguments], "sw\n")
    assert done.returncode == 2 and done.stdout == b"" and journal.read_text() == content
    assert named in done.stderr.decode().splitlines()[-1] and b"\x1b" not in done.stderr


@pytest.mark.parametrize("name", ["", "-", ".", "none/game.txt"])
def test_a_file_that_cannot_be_is_refused_before_anything_is_dealt(name, tmp_path):
    done = run(["klondike", "--save", name], "sw\n", cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == b"" and done.stderr.count(b"Error") == 1


def test_solve_and_review_only_read(journal):
    text = "# klondike --seed 8 --draw 1\n\xe4\nSW\n".encode("latin-1")
    journal.write_bytes(text)
    for command in (["solve", "klondike", "--save", journal], ["review", journal]):
        done = run(command)
        assert done.returncode == 2 and journal.read_bytes() == text, "a line that is no move"
    journal.write_text("# klondike --draw 1 --seed 8\nSW\n")
    solved = run(["solve", "klondike", "--save", journal])
    assert solved.returncode == 0 and b"You won!" in run("klondike --draw 1 --seed 8", solved.stdout).stdout
    assert run(["solve", "zodiac", "--save", journal]).returncode == 2


def test_writing_a_file_takes_no_chance_away(journal):
    game = helpers.game_of("montana", {"shuffles": "2"}, 8)
    before = random.getstate()
    savefile.write(journal, game)
    assert random.getstate() == before and savefile.read(journal, ["montana"]).position == game.position


def test_a_full_disk_costs_the_file_and_not_the_game(home):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    done = run_process("klondike --seed 8 --save /proc/game.txt", "sw\n")
    assert done.returncode == 1 and b"cannot be written" in done.stderr and b"Stock: 21" in done.stdout


def test_a_kill_leaves_the_old_file_whole(journal):
    run(["klondike", "--seed", "8", "--save", journal], "sw\n")
    before = journal.read_bytes()
    with start_program(["klondike", "--save", journal]) as game:
        game.stdin.write(b"sw\n" * 50)
        game.stdin.flush()
        helpers.read_until(game, b"Stock: 12")
        game.kill()
    assert journal.read_bytes() == before


def test_a_saved_game_with_symbols_is_read_in_every_locale(journal):
    journal.write_text("# klondike --seed 8\nSW\n", encoding="utf-8")
    done = run_process(["klondike", "--save", journal], "a♣\n", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0 and "1:  A♣" in done.stdout.decode()


def test_a_path_with_a_blank_is_told_as_it_must_be_typed(home, tmp_path):
    game = Terminal("klondike --seed 8 --save", arguments=[str(tmp_path / "my game.txt")], NO_COLOR="1")
    game.wait_for(helpers.PROMPT)
    type_lines(game, "d")
    game.type("q\n")
    game.close()
    assert f"--save '{tmp_path}/my game.txt'" in " ".join(game.shown.split())
