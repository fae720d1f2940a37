"""When a game of Klondike is lost; its other rules are in klondike.txt."""

import pytest

import klondike
from cases import klondike_endings, klondike_key
from helpers import rules_of
from patience.rules import every_move
from solvers.positions import position_after


@pytest.mark.parametrize("draw", (1, 3))
@pytest.mark.parametrize("seed", range(2))
def test_lost_is_what_the_rules_call_lost(seed, draw):
    """By trying all commands: only SW has any effect, however often it is repeated."""
    rules = rules_of("klondike")
    for game in klondike_endings(seed, draw):
        seen, drawn, way_on = set(), game, klondike.check_win(game)
        while not way_on and klondike_key(drawn) not in seen:
            seen.add(klondike_key(drawn))
            for move in every_move(rules, 7, 13):
                if move[0] != "SW" and klondike.validate_move(drawn, *move):
                    way_on = way_on or klondike_key(position_after(rules, drawn, move)) != klondike_key(drawn)
            if klondike.validate_move(drawn, "SW"):
                drawn = position_after(rules, drawn, ("SW",))
        assert (klondike.check_loss(game) is None) == way_on
