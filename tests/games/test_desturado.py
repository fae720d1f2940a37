"""Desturado's deck files; its rules are in desturado.txt."""

import pytest

import desturado
import helpers
from patience import decks


def test_a_deck_file_of_52_cards_and_one_of_40(tmp_path):
    text = (helpers.SCRIPTS / "desturado-win.deck").read_text()
    assert len(decks.parse(text, desturado.PACK)) == 40
    mixed = " ".join(
        f"{low} {court}"
        for low, court in zip(text.split(), [*(f"{rank}{suit}" for rank in "JQK" for suit in "CDHS"), *[""] * 28])
    )
    boards = []
    for name, deck in (("low", text), ("all", mixed)):
        path = tmp_path / f"{name}.deck"
        path.write_text(deck)
        boards.append(helpers.run(["desturado", "--deck", str(path)]).stdout)
    assert boards[0] == boards[1] and b"J" not in boards[0]
    with pytest.raises(ValueError, match="^too often: JC$"):
        decks.parse(f"{mixed}\nJC", desturado.PACK)
    with pytest.raises(ValueError, match="^missing: 4S$"):
        decks.parse(text.replace("4S", ""), desturado.PACK)
