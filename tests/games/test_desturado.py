"""Desturado's rules: stacks, the hand, difficulties, and when it is lost."""

import random

import pytest

import cards
import desturado
import helpers
from patience import decks
from helpers import card, describe, legal_lines, names, perform, pile


def position(board, hand=("KC",) * 4):
    """Return a game: board and hand are lists of names. Kings in the hand keep out of the way."""
    return desturado.Game([pile(column) for column in board], [pile(space) for space in hand])


def position_after(board, command, hand=("KC",) * 4):
    """Return board and hand as names after a command."""
    game = position(board, hand)
    assert perform(desturado, game, command) == ""
    return [names(column) for column in game.board], [names(space) for space in game.hand]


def reason(game, command):
    """Return why a command is refused."""
    with pytest.raises(ValueError, match="^Error: invalid move.  ") as error:
        perform(desturado, game, command)
    return str(error.value).removeprefix("Error: invalid move.  ")


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


@pytest.mark.parametrize(
    "first, last, fits",
    [
        ("6C", "6H", True),  # equal value in another suit
        ("6C", "7C", True),
        ("6C", "10C", True),  # lower by more than one in suit
        ("AC", "2C", True),  # aces are 1
        ("6C", "7S", False),
        ("7C", "6C", False),
        ("10C", "AC", False),
    ],
)
def test_what_goes_on_what(first, last, fits):
    assert desturado.can_stack([card(first)], [card(last)]) is fits
    assert desturado.can_stack([card(first)], [])


def test_a_stack_is_judged_by_its_first_card_and_built_on_by_its_last():
    board, _ = position_after(["XX AD 6C 4C 4H", "8S 8C"], "BB 1 2")
    assert board == ["AD", "8S 8C 6C 4C 4H"]
    assert "6♣ does not go on 4♥" in reason(position(["6C 2C", "9C 4H"]), "BB 1 2")
    board, _ = position_after(["XX AD 4S 2S", "9C 4H"], "BB 1 2")
    assert board == ["AD", "9C 4H 4S 2S"]


def test_the_card_under_a_stack_is_turned_up():
    board, hand = position_after(["XX AD XX 3D 6C 5C"], "BH 1 4", ["9H", "2H", "2S", "6S"])
    assert board == ["XX AD 3D"] and hand[3] == "6S 6C 5C"


def test_stacks_go_into_empty_columns_and_spaces():
    board, _ = position_after(["XX AD 6C", ""], "BB 1 2")
    assert board == ["AD", "6C"]
    board, hand = position_after(["6C"], "BH 1 2", ["9H", ""])
    assert board == [""] and hand == ["9H", "6C"]


def test_a_space_is_freed_by_combining():
    _, hand = position_after(["6C"], "HH 1 2", ["5H 3H", "9H 7H"])
    assert hand == ["", "9H 7H 5H 3H"]


def test_never_from_the_hand_to_the_board():
    game = position(["6C", ""], ["6D", "2D"])
    for command in ("HB 1 1", "HB 1 2"):
        with pytest.raises(ValueError, match="^Error: invalid input."):
            perform(desturado, game, command)
    assert not any(word == "HB" for word, *_ in desturado.legal_moves(game))


def test_moves_that_gain_nothing_are_carried_out_and_never_hinted():
    columns, hand = ["6C 5C", "", "XX AD 4C"], ["6D", ""]
    assert position_after(columns, "BB 1 2", hand)[0] == ["", "6C 5C", "XX AD 4C"]
    assert position_after(columns, "HH 1 2", hand)[1] == ["", "6D"]
    assert position_after(columns, "BB 3 2", hand)[0] == ["6C 5C", "4C", "AD"]
    assert sorted(legal_lines(desturado, position(columns, hand))) == ["BB 3 1", "BB 3 2", "BH 1 1", "BH 1 2", "BH 3 2"]


@pytest.mark.parametrize(
    "command, why",
    [
        ("BB 0 1", "There is no column 0, only 1 to 2."),
        ("BB 1 3", "There is no column 3, only 1 to 2."),
        ("BH 1 5", "There is no space 5 in the hand, only 1 to 4."),
        ("HH 5 1", "There is no space 5 in the hand, only 1 to 4."),
        ("BB 1 1", "A stack does not go onto itself."),
        ("HH 1 1", "A stack does not go onto itself."),
        ("BB 2 1", "Column 2 is empty."),
        ("HH 2 1", "Space 2 in the hand is empty."),
        ("BH 1 1", "6♣ does not go on 4♦: only on an equal value, or a higher one of its suit."),
    ],
)
def test_refusals_say_why(command, why):
    assert reason(position(["6C", ""], ["4D", "", "AH", "9C"]), command) == why


def test_won_when_the_board_is_empty():
    game = position(["6C", ""], ["6D", "2D"])
    assert not desturado.check_win(game)
    perform(desturado, game, "BH 1 1")
    assert desturado.check_win(game) and desturado.check_loss(game) is None


def test_lost_when_no_move_gains_anything():
    stuck = ["XX AD 6C", "XX AH 7S"]
    hand = ["4D", "3H"]
    assert desturado.check_loss(position(stuck, hand)) == ("You lost: no move is left that gains anything.")
    assert desturado.check_loss(position(["6C", "", "7S"], hand)), "6C into column 2 gains nothing"
    assert desturado.check_loss(position([*stuck, ""], hand)) is None
    assert desturado.check_loss(position(stuck, ["4D", "3D"])) is None, "the hand can be combined"
    assert desturado.check_loss(position(stuck, ["4D", ""])) is None


def test_most_useful_first():
    game = position(["XX AC 6C", "XX 2C 7C", ""], ["8C", "5D", ""])
    assert legal_lines(desturado, game)[:4] == ["BH 2 1", "BH 1 1", "BB 1 2", "BB 1 3"]


def test_describe():
    game = position(["XX AC 6C 5C", "7C", ""], ["8C", ""])
    told = {command: describe(desturado, game, command) for command in legal_lines(desturado, game)}
    assert told["BB 1 2"] == "6♣ onto 7♣" and told["BH 1 1"] == "6♣ onto 8♣ in the hand"
    assert told["BB 1 3"] == "6♣ to the empty column 3"
    assert told["BH 2 2"] == "7♣ to the empty space 2 in the hand"


def test_the_board_shows_stacks_of_any_length_whole(capsys):
    twenty = "10C 10D 10H 10S 9S 9H 9D 9C 8C 8D 8H 8S 7S 7H 7D 7C 6C 6D 6H 6S"
    game = position(["XX 2C " * 11 + "5C 5D 5H 5S 4S 4H 4D 4C 3C 3D", "AC", ""], [twenty, "2S", "", "AS"])
    desturado.display(game)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) == 80
    assert "|".join(line[:4] for line in lines[1:]) == "Boar|  1:|    |  2:|  3:|Hand|  1:|    |  2:|  3:|  4:"
    column, stack = lines[2][4:] + lines[3], lines[7][4:] + lines[8]
    assert column.split() == ["XX"] * 11 + "5♣ 5♦ 5♥ 5♠ 4♠ 4♥ 4♦ 4♣ 3♣ 3♦".split()
    assert stack.split() == twenty.translate(str.maketrans("CDHS", "♣♦♥♠")).split()
