"""Desturado's deck files; its rules are in desturado.txt."""

import pytest

import desturado
import helpers
from patience import decks


def test_a_deck_file_of_52_cards_and_one_of_40(tmp_path):
    """Without the court cards, both have the same order."""
    low, file = (helpers.SCRIPTS / "desturado-win.deck").read_text(), tmp_path / "all.deck"
    courts = " ".join(f"{rank}{suit}" for rank in "JQK" for suit in "CDHS")
    file.write_text(low.replace(" 8D", f" {courts} 8D"))
    assert (
        helpers.run(["desturado", "--deck", file]).stdout == helpers.run("desturado --deck desturado-win.deck").stdout
    )
    with pytest.raises(ValueError, match="^too often: JC$"):
        decks.parse(f"{courts} {low} JC", desturado.PACK)
    with pytest.raises(ValueError, match="^missing: 4S$"):
        decks.parse(low.replace("4S", ""), desturado.PACK)
