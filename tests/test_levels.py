"""Levels: how hard a deal is for a plain player, deals of a level, and the table of their bounds."""

import pytest

from helpers import run, sitting_of
from patience import deals, levels, rules
from patience.bounds import BOUNDS
from patience.lines import Refused
from solvers import player
from tools import measure_levels


@pytest.fixture
def bounds(monkeypatch):
    """A table of bounds that a test may change, and few games."""
    monkeypatch.setattr(levels, "BOUNDS", dict(BOUNDS))
    monkeypatch.setattr(player, "PLAYS", 10)


def test_a_level_is_by_wins_and_then_by_how_far_a_game_has_come():
    limits = (3, 20.0), (0, 15.0)
    found = [
        levels.level(player.Played(*one), limits) for one in ((4, 1.0), (3, 20.0), (3, 19.9), (0, 15.0), (0, 14.9))
    ]
    assert found == ["easy", "easy", "middling", "middling", "hard"]


@pytest.mark.parametrize(
    "name, options",
    [
        ("klondike", {"draw": "1", "passes": "unlimited"}),
        ("zodiac", {}),
        ("quadzilla", {"difficulty": "easy", "rank": "7"}),
    ],
)
def test_a_plain_player_plays_the_deal_and_always_in_the_same_way(name, options, monkeypatch):
    """It changes nothing, and begins at the deal. How it is fair is tested below, and with the legal moves."""
    monkeypatch.setattr(player, "PLAYS", 5)
    sitting = sitting_of(name, options, 2)
    sitting.perform(sitting.legal_moves()[0])
    first = levels.played(sitting)
    assert levels.played(sitting) == first and len(sitting.done) == 1
    assert 0 <= first.wins <= 5 and first.far > 0


def test_the_rule_does_not_look_at_a_card_that_a_step_turns_up():
    from solvers import klondike

    sitting = sitting_of("klondike", {"draw": "3", "passes": "unlimited"}, 3)
    costs = []
    for _ in range(2):
        table = klondike.Table(sitting.game, 3)
        tree = klondike.Tree(table, set(), type("Chance", (), {"random": lambda self: 0}))
        tree.chance = tree.chance()
        closed, *_ = table.start
        turning = [after for _, after in klondike.steps(table, table.start) if after[0] != closed]
        costs.append([tree.cost(table, table.start, after) for after in turning])
        columns = sitting.game.tableau
        columns[5][4], columns[6][5] = columns[6][5], columns[5][4]
        columns[1][0], columns[4][3] = columns[4][3], columns[1][0]
        columns[2][1], columns[3][2] = columns[3][2], columns[2][1]
    assert costs[0] == costs[1] != []


@pytest.mark.parametrize("level", levels.LEVELS)
def test_the_deals_of_a_level_have_it(level, bounds):
    sitting = deals.Chosen(False, level, 10, rules.load("klondike"), {"draw": "1", "passes": "unlimited"})
    levels.BOUNDS["klondike --draw 1"] = (9, 0.0), (5, 0.0)
    for _ in range(2):
        sitting.deal()
        wins, _ = levels.played(sitting)
        assert ("easy" if wins >= 9 else "middling" if wins >= 5 else "hard") == level
        assert sitting.about_deal() == f"Level: {level}."
    sitting.deal_number(8)
    assert sitting.about_deal() == ""


def test_a_deal_must_be_of_the_level_and_winnable(monkeypatch):
    asked = []
    monkeypatch.setattr(deals, "MOST_DEALS", 4)
    monkeypatch.setattr(levels, "played", lambda trial: asked.append(trial) or player.Played(len(asked) % 2, 0))
    monkeypatch.setattr(levels, "limits_of", lambda *_: ((1, 0), (1, 0)))
    monkeypatch.setattr(deals.solve, "solve", lambda *_: deals.solve.search.Answer(deals.LOST, [], 1))
    sitting = deals.Chosen(True, "easy", 10, rules.load("klondike"), {"draw": "1", "passes": "unlimited"})
    with pytest.raises(Refused, match="tried 2 deals that cannot be won and 2 deals that are not easy"):
        sitting.deal()


def test_what_has_many_choices_or_is_unknown_to_the_solver_does_not_count():
    quadzilla, klondike = rules.load("quadzilla"), rules.load("klondike")
    assert levels.counted(quadzilla, {"difficulty": "hard", "rank": "K"}) == {"difficulty": "hard", "rank": "random"}
    assert levels.counted(klondike, {"draw": "1", "passes": "3"}) == {"draw": "1", "passes": "unlimited"}


def test_the_level_of_the_day_is_the_same_for_everyone_and_told_at_the_start():
    game = run("klondike --daily --level Middling").stdout
    assert game == run("klondike --daily --level middling").stdout and b"Solitaire.\nLevel: middling.\n" in game


def test_every_game_has_bounds_that_are_in_order():
    for name in ("montana", "quadzilla", "desturado", "zodiac", "klondike"):
        game_rules = rules.load(name)
        for options in measure_levels.all_options(game_rules):
            easy, middling = BOUNDS[rules.full_name(game_rules, options)]
            assert (100, 104) > easy > middling >= (0, 0)


def test_thirds():
    found = [player.Played(wins, 0.0) for wins in (5, 1, 9, 7, 3, 8)]
    assert measure_levels.thirds(found) == ((8, 0.0), (5, 0.0))


def test_the_review_tells_the_level(bounds, monkeypatch):
    typed = "sw\nsw\nreview\n"
    monkeypatch.setattr("solvers.klondike.POSITIONS_TRIED", {1: 300, 3: 300})
    levels.BOUNDS["klondike --draw 1"] = (11, 0.0), (11, 0.0)
    assert "Level of the deal: hard; a plain player wins " in run("klondike --draw 1 --seed 3", typed).stdout.decode()
    del levels.BOUNDS["klondike --draw 1"]
    assert "Level of the deal: not known; a plain " in run("klondike --draw 1 --seed 3", typed).stdout.decode()


def test_a_game_without_bounds_has_no_levels(monkeypatch):
    monkeypatch.delitem(BOUNDS, "klondike", raising=False)
    told = run("klondike --level easy")
    assert told.returncode == 2 and told.stdout == b"" and b"measure_levels klondike" in told.stderr
