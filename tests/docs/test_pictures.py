"""The pictures of the games in docs/ show what the program shows."""

import pytest

import helpers
import main

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from tools import picture


def test_the_pictures_are_not_out_of_date(tmp_path):
    picture.main(tmp_path)
    for name in main.GAMES:
        if name not in {arguments.split()[0] for arguments in picture.SESSIONS}:
            continue  # a new game has a picture once SESSIONS of tools/picture.py has a session of it
        new, old = tmp_path / f"{name}.svg", helpers.ROOT / "docs" / f"{name}.svg"
        assert old.exists(), f"docs/{name}.svg is missing: python -m tools.picture makes it"
        assert new.read_text(encoding="utf-8") == old.read_text(encoding="utf-8"), (
            f"docs/{name}.svg is out of date: python -m tools.picture makes it again"
        )


def test_a_card_stands_in_its_cell_in_its_colour():
    text = picture.picture("  1:  \x1b[31m10♥\x1b[0m \x1b[2mXX\x1b[0m \x1b[4mK♠\x1b[0m")
    x = picture.MARGIN + 6 * picture.CELL
    assert f'<text x="{x:.1f}" y="27.5" fill="{picture.INK["31"]}">10♥</text>' in text
    assert f'fill="{picture.INK["2"]}">XX</text>' in text and 'text-decoration="underline">K♠</text>' in text
