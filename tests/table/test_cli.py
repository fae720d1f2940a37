"""The program from outside: commands and options, and input and output that go wrong."""

import os
import shutil
import signal
import subprocess
import sys
import unittest.mock

import click
import pytest

import cards
import helpers
import klondike
import main
from patience.grading.command import grade
from helpers import COURSE, ROOT, copy_project, read_until, run, run_process, start_program
from patience import options, program, rules, text as texts
from patience.table import commands


@pytest.mark.parametrize("method", ["flip_card", "is_face_up"])
@pytest.mark.parametrize("name", main.GAMES)
def test_a_cards_module_without_the_newer_methods(name, method, monkeypatch):
    usual = run(f"{name} --seed 1", "q\nn\n").stdout
    monkeypatch.delattr(cards.Card, method)
    game = run(f"{name} --seed 1", "q\nn\n")
    if game.returncode:
        assert method in (ROOT / f"{name}.py").read_text(encoding="utf-8")
        assert name not in ("montana", "quadzilla", "zodiac")
        assert game.returncode == 1 and game.stderr.count(b"\n") == 1
        assert method.encode() in game.stderr and b"cards.py" in game.stderr
    else:
        assert name not in ("klondike", "desturado") and game.stdout == usual


@pytest.mark.parametrize("command, right, wrong", [
    ("klondike", "deck.shuffle()", "deck.shufle()"), ("klondike", "len(game.stock):3", "len(game.stok):3"),
    ("klondike", "card.flip_card()", "card.flipcard()"), ("klondike", "import cards", "import cards, crads"),
    ("play klondike", "min(game.draw, len(game.stock))", "min(game.draw, len(game.stok))"),
])  # fmt: skip
def test_a_students_mistake_is_told_with_its_line_and_not_blamed_on_the_cards(command, right, wrong, tmp_path):
    before, _, after = (ROOT / "klondike.py").read_text(encoding="utf-8").partition(right)
    (copy_project(tmp_path) / "klondike.py").write_text(before + wrong + after, encoding="utf-8")
    game = run_process(f"{command} --seed 1", "SW\n", tmp_path)
    errors = game.stderr.decode()
    number = before.count("\n") + 1
    assert game.returncode == 1 and f'klondike.py", line {number}, in' in errors
    assert "patience/" not in errors and "cards of cards.py" not in errors


def test_an_import_that_fails_in_what_the_table_knows_of_a_game_is_told(monkeypatch):
    monkeypatch.setattr("importlib.import_module", unittest.mock.Mock(side_effect=ModuleNotFoundError(name="crads")))
    with pytest.raises(ModuleNotFoundError):
        rules.rules_in("klondike", klondike)


def test_without_docstrings_one_line_says_that_they_are_the_rules():
    game = subprocess.run([sys.executable, "-OO", ROOT / "main.py", "klondike"], capture_output=True, encoding="utf-8")
    assert game.returncode == 1 and game.stdout == "" and game.stderr.count("\n") == 1 and "-OO" in game.stderr


@pytest.mark.parametrize("ending", helpers.SIGNALS[1:])
def test_a_signal_ends_a_session_as_ctrl_c_does(ending, save_file):
    with start_program(["play", "klondike", "--seed", "8", "--save", save_file]) as game:
        game.stdin.write(b"SW\n")
        game.stdin.flush()
        read_until(game, b"Stock: 21")
        game.send_signal(ending)
        _, errors = game.communicate()
    told = b"Interrupted. Saved. Continue with: python main.py play klondike --seed 8 --save %s\n" % bytes(save_file)
    assert (game.returncode, errors) == (130, told)
    assert save_file.read_text(encoding="utf-8") == "# klondike --seed 8\nSW\n"


def test_where_click_is_missing_one_line_says_how_to_set_up(tmp_path):
    (tmp_path / "click.py").write_text("raise ImportError('No module named click')\n", encoding="utf-8")
    missing = run_process("", PYTHONPATH=str(tmp_path))
    assert (missing.returncode, missing.stdout, missing.stderr.count(b"\n")) == (1, b"", 1)
    assert b"-m pip install -r requirements.txt" in missing.stderr


@pytest.mark.parametrize(("started", "named"), [
    ("main.py", "python main.py"), ("/usr/bin/patience", "patience"), ("./patience.pyz", "python patience.pyz"),
    ("/home/ada/patience/__main__.py", "python -m patience"), ("/lib/pytest/__main__.py", "python main.py"),
])  # fmt: skip
def test_it_names_itself_as_it_was_started(started, named, monkeypatch):
    monkeypatch.setattr("sys.argv", [started.replace("/", os.sep)])
    assert texts.shell_line("klondike") == f"{named} klondike"


@pytest.mark.parametrize("name", ["", *main.GAMES])
def test_the_list_of_games_imports_none_of_them_and_a_script_no_module_of_the_table(name):
    code = "import sys, main; main.main(sys.argv[1:], standalone_mode=False); sys.exit(' '.join(sys.modules))"
    command = [sys.executable, "-c", code, *name.split()]
    modules = subprocess.run(command, cwd=ROOT, capture_output=True, input=b"q\nn\n").stderr.decode().split()
    parts = {"main", "cards", *main.GAMES, "patience"}
    ours = [module for module in modules if module.partition(".")[0] in parts]
    of_the_table = {f"patience.{name}" for name in ("commands", "start", "consoles", "records", "game", "layout")}
    assert "patience.rules" in ours and not of_the_table & {*ours}
    assert {*main.GAMES} & {*ours} == {*name.split()}


def test_ctrl_c_while_the_program_is_loaded_is_no_traceback(tmp_path):
    (tmp_path / "click.py").write_text("import time\nprint('loading', flush=True)\ntime.sleep(60)\n", encoding="utf-8")
    with start_program("klondike", env={**os.environ, "PYTHONPATH": str(tmp_path)}) as program:
        read_until(program, b"loading")
        program.send_signal(signal.SIGINT)
        assert (program.communicate()[1], program.returncode) == (b"", 130)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", ["montana", "--help", "stats"])
def test_a_full_disk_is_one_line(arguments):
    command, script = f"{helpers.PROGRAM} {arguments} >/dev/full", b"1 1 1 1\n" * 10_000
    game = subprocess.run(command, shell=True, input=script, stderr=subprocess.PIPE)
    assert (game.returncode, game.stderr) == (1, b"Error: No space left on device\n")


def test_an_option_says_what_it_is_for_and_one_variable_is_read():
    every = [one for one in vars(options).values() if isinstance(one, click.Option)]
    assert [one.name for one in every if one.envvar] == ["spoken"]
    assert all(
        one.help
        for one in [*every, *grade.params, *commands.stats.params, *commands.review.params]
        if isinstance(one, click.Option)
    )


def test_want_of_memory_is_one_line(monkeypatch):
    monkeypatch.setattr(program, "run", lambda *_: bytearray(1 << 60))
    game = run("klondike")
    assert (game.returncode, game.stderr) == (1, b"Error: There is not enough memory.\n")


def test_a_deck_whose_name_is_not_text(tmp_path, save_file, quick):
    deck = os.fsencode(tmp_path) + b"/d\xff.deck"
    shutil.copy(COURSE / "course.deck", deck)
    game = run(["play", "klondike", "--deck", os.fsdecode(deck), "--save", save_file], "deal\nsw\n")
    assert game.returncode == 0 and b"udcff.deck" in game.stdout
    assert run(["play", "klondike", "--save", save_file], "").returncode == 0


def test_a_file_that_is_not_text_is_no_deck(tmp_path):
    (tmp_path / "test.deck").write_bytes(b"\xff\xfe\x00")
    game = run(["montana", "--deck", tmp_path / "test.deck"])
    assert game.returncode == 2 and b"missing: AC 2C 3C" in game.stderr


def test_a_deck_in_utf_16_is_the_same_deck(tmp_path):
    deck = COURSE / "course.deck"
    (tmp_path / "test.deck").write_text(deck.read_text("utf-8"), "utf-16")
    first, second = (run(["montana", "--deck", path], "q\n").stdout for path in (deck, tmp_path / "test.deck"))
    assert first == second and first.startswith(b"Montana")


def test_yes_is_y_or_yes_and_the_end_of_the_input_is_no():
    assert [answer for answer in ("y", "Y", "yes", "no", "", "yess", None) if texts.is_yes(answer)] == ["y", "Y", "yes"]


@pytest.mark.parametrize("value, speaks", [
    ("off", False), ("OFF", False), ("0", False), ("no", False), ("", False), ("1", True), ("on", True),
])  # fmt: skip
def test_a_variable_that_is_off_does_not_speak(value, speaks, monkeypatch):
    monkeypatch.setattr(options, "at_terminal", lambda: True)
    monkeypatch.setenv("ACCESSIBLE", value)
    assert options.is_accessible() == speaks
