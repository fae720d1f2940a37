"""Zodiac's rules, its two phases, and when the game is lost."""

import copy
import random

import pytest

from patience import sentences, rules
import zodiac
from helpers import card, legal_lines, perform, pile, rules_of


def position(piles, equator="", waste="", stock=""):
    """Return a game. piles: a dict of number -> names. The other piles and the foundations are empty, as they may be in
    the second phase."""
    cells = [[] if name == "--" else [card(name)] for name in equator.split()]
    cells += [[] for _ in range(8 - len(cells))]
    tableau = [pile(piles.get(z, "")) for z in range(1, 25)]
    return zodiac.Game(pile(stock)[::-1], pile(waste), cells, tableau, [[] for _ in range(8)])


@pytest.mark.parametrize("seed", range(6))
def test_lost_is_what_the_rules_call_lost(seed):
    """By trying all commands: a game is lost if no command but D ever has any effect."""
    random.seed(seed)
    chance = random.Random(seed)
    game = zodiac.initialize()
    while zodiac.check_loss(game) is None and not zodiac.check_win(game):
        moves = [command for command in legal_lines(zodiac, game) if command not in ("D", "A")]
        perform(zodiac, game, chance.choice(moves or ["D"]))
        if zodiac.phase(game) == 1 and [] not in game.equator and chance.random() < 0.2:
            assert (zodiac.check_loss(game) is None) == way_on(game)
    while zodiac.phase(game) == 1 and [] in game.equator:
        assert zodiac.check_loss(game)
        assert not zodiac.any_builds(game, sum(game.equator, game.stock + game.waste))
        perform(zodiac, game, "WE" if game.waste else "D")
    assert not way_on(game)


def way_on(game):
    """Return whether any command but D is accepted, now or after any number of Ds."""
    game, moves = copy.deepcopy(game), rules.every_move(rules_of("zodiac"), 24, 8)
    for _ in range(2 * len(game.stock + game.waste) + 3):
        if any(zodiac.validate_move(game, *move) for move in moves if move[0] not in ("D", "A", "P")):
            return True
        if not zodiac.move(game, "D"):
            break
    return False


def test_the_stock_is_not_looked_into_though_all_of_it_was_seen():
    game = position({}, stock="2C 3C")
    assert sentences.look(rules_of("zodiac"), game, "stock") == ["Stock: 2 cards."]
    assert not rules_of("zodiac").hidden(game)


def test_what_fits_is_said_once(monkeypatch):
    """If can_build changed, the verdict on whether a game is lost would change too."""
    game = position({z: "QC" for z in range(1, 25)}, " ".join(8 * ["2D"]), stock="4D")
    assert zodiac.check_loss(game) and rules_of("zodiac").legal_moves(game) == [("D",)]
    monkeypatch.setattr(zodiac, "can_build", lambda card, pile: card.rank() == 4)
    assert zodiac.check_loss(game) is None


def test_the_status_counts_what_is_left_and_then_what_is_up():
    game, status = position({1: "5C"}, waste="9D", stock="8H 8S"), rules_of("zodiac").status
    assert status(game) == "phase 1, 3 left"
    game.stock, game.waste, game.foundations[0] = [], [], pile("AC 2C")
    assert status(game) == "2 of 104 up"
