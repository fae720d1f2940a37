"""Klondike's rules, and when the game is lost."""

import random

import pytest

import cards
import klondike
from patience.text import capture_display
import helpers
from cases import klondike_endings, klondike_key
from helpers import names, perform, pile, rules_of
from solvers import positions
from patience import rules as frame


def all_commands():
    """Return every possible command, with all numbers."""
    columns, foundations = range(1, 8), range(1, 5)
    return [
        "SW",
        "A",
        "WF",
        *(f"TT {s} {d} {n}" for s in columns for d in columns for n in range(1, 14)),
        *(f"TT {s} {d}" for s in columns for d in columns),
        *(f"TF {s}" for s in columns),
        *(f"TF {s} {f}" for s in columns for f in foundations),
        *(f"WT {d}" for d in columns),
        *(f"WF {f}" for f in foundations),
        *(f"FT {f} {d}" for f in foundations for d in columns),
    ]


def position_after(game, command):
    """Return the position after a command, or None if it is refused."""
    move = frame.read(helpers.as_rules(klondike), command)
    if not klondike.validate_move(game, *move):
        return None
    game = positions.copy_of(game)
    assert klondike.move(game, *move)
    return game


def test_the_deal():
    random.seed(4)
    deck = cards.Deck()
    deck.shuffle()
    order = [deck.deal() for _ in range(52)]
    random.seed(4)
    game = klondike.initialize()
    assert [len(column) for column in game.tableau] == [1, 2, 3, 4, 5, 6, 7]
    first_rows = [column[0] for column in game.tableau], [column[1] for column in game.tableau[1:]]
    assert first_rows == (order[:7], order[7:13])
    for column in game.tableau:
        assert [card.is_face_up() for card in column] == [False] * (len(column) - 1) + [True]
    assert game.stock[::-1] == order[28:] and game.waste == [] and game.draw == 3
    assert klondike.initialize(draw="1").draw == 1


def test_draw_one_shows_every_card_in_two_passes():
    game = klondike.initialize(draw="1")
    tops = []
    for _ in range(50):
        perform(klondike, game, "SW")
        tops.append(names(game.waste[-1:]))
    assert len(set(tops[:24])) == 24 and tops[24] == "" and tops[25:49] == tops[:24]


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
            at_once, one_by_one = positions.copy_of(game), positions.copy_of(game)
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
    for game in klondike_endings(seed, draw):
        seen, drawn, way_on = set(), game, klondike.check_win(game)
        while not way_on and drawn and klondike_key(drawn) not in seen:
            seen.add(klondike_key(drawn))
            for command in all_commands():
                result = position_after(drawn, command)
                if command != "SW" and result and klondike_key(result) != klondike_key(drawn):
                    way_on = True
            drawn = position_after(drawn, "SW")
        assert (klondike.check_loss(game) is None) == way_on


@pytest.mark.parametrize("passes, turns", [("3", 2), ("1", 0)])
def test_the_stock_is_gone_through_so_often_and_no_more(passes, turns):
    game = klondike.initialize(draw="3", passes=passes)
    for left in range(turns, -1, -1):
        assert f"(draw 3, passes: {left})" in capture_display(klondike.display, game)
        for _ in range(8):
            assert klondike.move(game, "SW")
        assert not game.stock and len(game.waste) == 24
        assert klondike.move(game, "SW") == bool(left)
    assert klondike.refusal(game, "SW") == "No pass through the stock is left."
    assert ("SW",) not in rules_of("klondike").legal_moves(game) and len(game.waste) == 24
