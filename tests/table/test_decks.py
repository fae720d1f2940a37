"""Deck files."""

import pytest

import helpers
from helpers import COURSE_DECK, run


@pytest.fixture
def deck(tmp_path):
    """A function that writes a deck file and plays Montana with it; returns the run."""

    def play(text, script=b"q\ny\nq\nn\n"):
        path = tmp_path / "test.deck"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return run(["montana", "--seed", "1", "--deck", str(path)], script)

    return play


def test_a_deck_file_is_dealt_in_its_order_every_game(deck):
    games = deck(COURSE_DECK).stdout.split(b"Montana Solitaire.\n")[1:]
    assert len(games) == 2 and all(game.startswith(helpers.COURSE_BOARDS[19:400]) for game in games)


def test_a_deck_file_may_be_written_in_many_ways(deck):
    symbols = COURSE_DECK.lower().translate(str.maketrans("cdhs", "♣♦♥♠"))
    lines = "\ufeff# the course's deck\r\n" + symbols.replace(" ", "\t\r\n") + "# the end 2C"
    assert deck(lines).stdout == deck(COURSE_DECK).stdout


@pytest.mark.parametrize("text", [b"", b"\xff\xfe\x00", b"# comment"], ids=["", "bytes", "comment"])
def test_a_file_that_is_no_deck(deck, text):
    game = deck(text)
    assert game.returncode == 2 and b"missing: AC 2C 3C" in game.stderr


def test_a_deck_file_that_is_too_long(tmp_path):
    (tmp_path / "large").write_text("10H " * 10**6)
    game = run(["montana", "--deck", tmp_path / "large"])
    assert game.returncode == 2 and game.stdout == b"" and b"too long for a deck" in game.stderr


def test_a_deck_with_symbols_is_read_in_every_locale(tmp_path):
    symbols = str.maketrans("CDHS", "♣♦♥♠")
    (tmp_path / "symbols.deck").write_text(helpers.COURSE_DECK.translate(symbols), encoding="utf-8")
    start = ["montana", "--seed", "100", "--deck", tmp_path / "symbols.deck"]
    game = helpers.run_process(start, helpers.COURSE_LINES, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert game.stdout == helpers.COURSE_BOARDS
