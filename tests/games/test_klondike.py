"""Klondike's rules, and when the game is lost."""

import random

import pytest

import klondike
from cases import klondike_endings, klondike_key
from helpers import pile, rules_of
from patience.rules import every_move
from solvers.positions import copy_of, position_after


@pytest.mark.parametrize("passes", klondike.OPTIONS["passes"])
@pytest.mark.parametrize("draw", klondike.OPTIONS["draw"])
def test_sw_with_a_number_is_that_many_single_draws(draw, passes):
    """In the middle of random games; in half of them nothing fits, so it draws to the end."""
    chance = random.Random(4)
    for seed in range(20):
        random.seed(seed)
        game = klondike.initialize(draw, passes)
        for _ in range(chance.randrange(40)):
            klondike.move(game, *chance.choice(rules_of("klondike").legal_moves(game) or [("SW",)]))
        if seed % 2:
            game.tableau = [pile("AC") for _ in range(7)]
            game.stock = [card for card in game.stock if card.rank() != 1]
            game.waste = [card for card in game.waste if card.rank() != 1]
        for count in (1, 2, 9, 25, 26, 77, 1000):
            at_once, one_by_one = copy_of(game), copy_of(game)
            klondike.move(at_once, "SW", count)
            for _ in range(count):
                if not klondike.move(one_by_one, "SW"):
                    break
                if one_by_one.waste and klondike.fits_somewhere(one_by_one, one_by_one.waste[-1]):
                    break
            assert at_once == one_by_one, count
    klondike.move(game, "SW", 999_999_999)


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
