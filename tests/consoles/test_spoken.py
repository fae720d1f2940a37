"""The console of a player who cannot see the board."""

import re
from types import SimpleNamespace

import pytest

from helpers import ROOT, pile, run
from patience.consoles.spoken import put_in_words
from patience import effects


@pytest.mark.parametrize("text, words", [
    ("9♦ onto 10♠ — 62 %, turns up a card", "9 diamonds onto 10 spades, 62 percent, turns up a card"),
    ("20  M 1 3  7♥ onto Q♥   about 74 % -> about 68 %", "20, M 1 3, 7 hearts onto queen hearts, about 74 percent to about 68 percent"),
    ("Error: invalid move.  A♣ lies face down.", "ace clubs lies face down."),
])  # fmt: skip
def test_signs_are_said_in_words(text, words):
    assert put_in_words(text) == words


def test_a_card_that_lies_face_down_is_not_read_though_a_game_has_no_hidden_yet():
    rules = SimpleNamespace(hidden=lambda game: [], blanks=lambda game: [])
    assert effects.pile_sentence(rules, None, "column 2", pile("XX 2C 8H"), None) == "Column 2: 1 face down, then 8♥."


def test_the_document_is_a_game_as_it_sounds():
    text = (ROOT / "docs" / "spoken.md").read_text(encoding="utf-8")
    sounds = re.search(r"```text\n(Command: .*?)```", text, re.S)[1]
    lines = re.findall(r"^Command: (.*)$", sounds, re.M)
    output = run(["klondike", "--draw", "1", "--seed", "8", "--spoken"], "\n".join([*lines, ""])).stdout.decode()
    typed = iter(lines)
    heard = re.sub("Command: ", lambda _: f"Command: {next(typed, '')}\n", output)
    assert sounds.rstrip("\n") in heard


@pytest.mark.parametrize("arguments", ["--help", "odds zodiac --help", "grade --help", "odds zodiac --deals 2"])
def test_no_command_has_columns_for_a_listener(arguments, monkeypatch):
    monkeypatch.setenv("PATIENCE_SPOKEN", "brief")
    done = run(arguments)
    lines = [line.strip() for line in (done.stdout + done.stderr).decode().splitlines()]
    assert done.returncode == 0 and not [line for line in lines if re.search(r"\S   |\[#", line)]
