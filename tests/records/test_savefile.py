"""The file of --save: how a game was dealt, and the moves that stand."""

import os
import re
import subprocess

import pytest

import helpers
from helpers import run, start_program
from patience.table.records import store


def test_a_saved_file_given_to_itself_ends(save_file):
    run(["play", "klondike", "--seed", "8", "--save", save_file], "sw\n")
    command = f"{helpers.PROGRAM} play klondike --save {save_file} < {save_file}"
    assert subprocess.run(command, shell=True, capture_output=True, timeout=20).returncode == 0


def test_the_next_game_takes_the_file_and_the_one_before_it_stays_in_the_list(save_file):
    run(["play", "zodiac", "--seed", "8", "--save", save_file], "d\nd\nnew\nd\n")
    first, *moves = save_file.read_text(encoding="utf-8").splitlines()
    assert first != "# zodiac --seed 8" and moves == ["D"]
    assert sorted(saved.moves for saved in store.in_progress()) == ["D\n", "D\nD\n"]


@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs /proc")
def test_a_full_disk_costs_the_file_and_not_the_game():
    done = run("play klondike --seed 8 --save /proc/game.txt", "sw\n")
    assert b"Stock: 21" in done.stdout and b"This game is not saved." in done.stdout


def test_a_kill_leaves_the_old_file_whole(save_file):
    run(["play", "klondike", "--seed", "8", "--save", save_file], "sw\n")
    with start_program(["play", "klondike", "--save", save_file]) as game:
        game.stdin.write(b"sw\n" * 50)
        game.stdin.flush()
        helpers.read_until(game, b"Stock: 12")
        game.kill()
    first, *lines, end = save_file.read_text(encoding="utf-8").split("\n")
    assert first == "# klondike --seed 8" and set(lines) == {"SW"} and end == ""


def test_a_file_that_was_copied_is_one_win_and_what_was_played_elsewhere_has_no_time(save_file):
    """The file lacks only its last command, which is typed and wins; then a copy of the file is won in the same way."""
    *commands, last = helpers.read_moves("desturado-hard-win.in")
    deck = (helpers.SCRIPTS / "desturado-win.deck").read_text(encoding="utf-8").split()
    for name in ("one", "two"):
        path = save_file.with_name(name)
        path.write_text(
            "\n".join([f"# desturado --difficulty hard --deck '{' '.join(deck)}'", *commands, ""]), encoding="utf-8"
        )
        told = run(["play", "desturado", "--save", path], f"{last}\n").stdout.decode()
        assert re.search(r"\n\d+ moves · \d", told) and re.search(r"You won! \d+ moves, with help\.", told)  # no time
        assert "best" not in told and ("You have won this game before; it counts once." in told) == (name == "two")
    (row,) = store.find_finished()
    assert row.seconds is None and "desturado" in row.game
    line = next(line for line in run("stats").stdout.decode().splitlines() if line.startswith("Desturado"))
    assert line.split()[1:5] == ["1", "0", "-", "1"] and line.split()[-1] == "-"
