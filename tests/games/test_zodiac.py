"""When a game of Zodiac is lost; its other rules are in zodiac.txt."""

import copy
import random

import pytest

import zodiac
from helpers import deal, legal_lines, perform, rules_of
from patience import rules


@pytest.mark.parametrize("seed", range(6))
def test_lost_is_what_the_rules_call_lost(seed):
    """By trying all commands: a game is lost if no command but D ever has any effect."""
    chance, game = random.Random(seed), deal(zodiac, {}, seed)
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


def test_what_fits_is_said_once(monkeypatch):
    """If can_build changed, the verdict on whether a game is lost would change too."""
    rules, game = rules_of("zodiac"), deal(zodiac, {}, 1)
    assert zodiac.check_loss(game) is None and len(rules.legal_moves(game)) > 1
    monkeypatch.setattr(zodiac, "can_build", lambda card, pile: False)
    assert zodiac.check_loss(game) and rules.legal_moves(game) == [("D",)]
