"""Desturado's rules: stacks, the hand, difficulties, and when the game is lost."""

import random

import pytest

import cards
import desturado
import helpers
from patience import decks


@pytest.mark.parametrize(
    "difficulty, columns, high, spaces", [("easy", 5, 7, 5), ("medium", 4, 9, 4), ("hard", 3, 12, 4)]
)
def test_the_deal(difficulty, columns, high, spaces):
    random.seed(2)
    deck = cards.Deck()
    deck.shuffle()
    order = [card for card in (deck.deal() for _ in range(52)) if card.rank() <= 10]
    random.seed(2)
    game = desturado.initialize(difficulty=difficulty)
    assert [len(column) for column in game.board] == [high] * columns
    rows = [[column[row] for column in game.board] for row in range(high)]
    assert sum(rows, []) + sum(game.hand, []) == order
    assert [len(space) for space in game.hand] == [1] * spaces
    for column in game.board:
        assert [card.is_face_up() for card in column] == [False] * (high - 1) + [True]


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
