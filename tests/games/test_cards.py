"""The interface of the course's cards module, point by point."""

import random

import pytest

from cards import Card, Deck


def test_a_card_knows_its_rank_suit_value_and_name():
    jack = Card(11, 2)
    assert (jack.rank(), jack.suit(), jack.value()) == (11, 2, 10)
    assert [Card(rank, 1).value() for rank in (1, 9, 10, 13)] == [1, 9, 10, 10]
    assert repr([Card(10, suit) for suit in (1, 2, 3, 4)]) == "[10♣, 10♦, 10♥, 10♠]"
    assert [str(Card(rank, 4)) for rank in (1, 2, 11, 12, 13)] == ["A♠", "2♠", "J♠", "Q♠", "K♠"]


def test_a_card_is_face_up_until_it_is_flipped():
    card = Card(1, 1)
    assert card.is_face_up() is True
    card.flip_card()
    assert card.is_face_up() is False
    assert (str(card), repr(card), card.rank()) == ("XX", "XX", 1)
    card.flip_card()
    assert card.is_face_up() is True and str(card) == "A♣"


@pytest.mark.parametrize("arguments", [(), (0, 0), (14, 1), (1, 5), (-1, 1), ("A", 1), (1, "C"), (1.0, 1), (True, 1)])
def test_anything_else_is_no_card(arguments):
    card = Card(*arguments)
    assert (card.rank(), card.suit(), card.is_face_up()) == (0, 0, None)
    assert card == Card() and str(card) == "XX"


def test_cards_are_equal_by_rank_and_suit_only():
    face_down = Card(5, 2)
    face_down.flip_card()
    assert Card(5, 2) == face_down
    assert Card(5, 2) != Card(5, 3) and Card(5, 2) != Card(6, 2)
    assert Card(5, 2) != "5♦" and Card() != None  # noqa: E711
    with pytest.raises(TypeError):
        hash(face_down)


def test_a_deck_is_in_order_with_the_king_of_spades_on_top_and_is_displayed_in_columns(capsys):
    deck = Deck()
    deck.display()
    rows = capsys.readouterr().out.split("\n")
    assert rows[0] == "" and rows[1].startswith("A♣  2♣  ") and rows[1].endswith("10♣ J♣  Q♣  K♣  ")
    assert len(rows) == 7 and rows[5:] == ["", ""]
    deck.display(cols=26)
    assert capsys.readouterr().out.count("\n") == 4
    assert len(deck) == 52 and not deck.is_empty()
    assert str(deck).startswith("A♣, 2♣, ") and str(deck).endswith(", Q♠, K♠")
    dealt = [deck.deal() for _ in range(52)]
    assert dealt == [Card(rank, suit) for suit in (4, 3, 2, 1) for rank in range(13, 0, -1)]
    assert deck.deal() is None and deck.is_empty() and len(deck) == 0 and str(deck) == ""
    deck.display()
    assert capsys.readouterr().out == "\n\n"


def test_shuffle_is_that_of_random():
    deck, numbers = Deck(), list(range(52))
    random.seed(7)
    deck.shuffle()
    random.seed(7)
    random.shuffle(numbers)
    assert deck.deal() == Card(numbers[-1] % 13 + 1, numbers[-1] // 13 + 1)
    assert len(deck) == 51
