"""How a game of Quadzilla begins; its rules are in quadzilla.txt."""

import quadzilla
from helpers import perform, pile
from patience import decks


def test_the_first_turn_may_end_by_itself_and_the_board_says_so(capsys):
    with decks.stacked(pile("2C 3D 4H 5S 6C 6D 7H 7S" + " 9C" * 44)):
        game = quadzilla.initialize(rank="K")
    assert game.turn == 2 and len(game.shoe) == 44
    quadzilla.display(game)
    assert capsys.readouterr().out.startswith("Turn 1 ends: no legal move is left.\n")
    perform(quadzilla, game, "M 1 2")
    quadzilla.display(game)
    assert capsys.readouterr().out.startswith("Quadzilla: K")
