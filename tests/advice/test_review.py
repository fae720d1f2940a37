"""The review: what the choices in a game cost, in the same numbers that a hint would have shown."""

import pytest

from helpers import run, answers_to, game_of
from patience.analysis import review
from solvers import advice
from solvers.advice import Chance


def test_a_card_that_is_drawn_where_three_were_advised_is_the_move_that_was_advised(monkeypatch):
    told = advice.Advice([(("SW", 3), Chance(0.6, 200)), (("TF", 6), Chance(0.4, 200))], [], False, True)
    monkeypatch.setattr(review, "advise", lambda *_: told)
    monkeypatch.setattr(review, "is_significant", lambda *_: True)
    for move, worth in ((("SW",), 0.6), (("TF", 6), 0.4)):
        game = game_of("klondike", {"draw": "3"}, 8)
        game.perform(move)
        (choice,) = review.choices(game)
        assert (choice.better, choice.worth.share, choice.best.share) == (("SW", 3), worth, 0.6)


def test_a_review_does_not_depend_on_the_hidden_cards():
    one = game_of("quadzilla", {"difficulty": "normal", "rank": "7"})
    dealt, found = one.dealt_cards(), []
    other = type(one)(one.deal._replace(cards=dealt[:8] + dealt[:7:-1]))  # in reverse order after the second row
    for game in (one, other):
        game.perform(("D",))
        found.append([choice[:5] for choice in review.choices(game)])
    assert found[0] == found[1] != [] and str(one.position) != str(other.position)


def test_ctrl_c_tells_what_was_found(monkeypatch, save_file):
    def interrupted(game, first):
        yield review.Choice(1, ("SW",), ("SW",), Chance(0.5, 200), Chance(0.5, 200), game.position)
        raise KeyboardInterrupt

    monkeypatch.setattr(review, "choices", interrupted)
    save_file.write_text("# klondike --seed 8\nSW\n")
    told = "1 choice, best move found 1 time, average cost 0 %."
    assert told in run(["review", save_file]).stdout.decode()
    assert told in answers_to("klondike --seed 8 --table", "sw", "review")[1]


def test_a_long_game_is_reviewed_from_its_last_commands_on(monkeypatch):
    monkeypatch.setattr(review, "MAX_COMMANDS", 3)
    game = game_of("klondike", {"draw": "3", "passes": "unlimited"})
    for _ in range(5):
        game.perform(("SW",))
    assert review.scope(game) == (3, "Review of the last 3 commands of 5; review 5 looks at all of them.")
    assert review.scope(game, 5) == (5, "Review of 5 commands.")


def test_a_review_by_numbers_that_can_be_reckoned(capsys):
    """Three choices: the best move, one that cost 10 percentage points, one hardly tried."""
    game = game_of("quadzilla", {"difficulty": "easy", "rank": "random"}, 15)
    moves = ("D",), ("M", 3, 1)

    def choice(number, made, best, is_best=False):
        return review.Choice(number, moves[0], moves[0] if is_best else moves[1], made, best, game.position)

    half, less, more = Chance(0.5, 200), Chance(0.4, 200), Chance(0.7, 200)
    found = [
        choice(7, half, half, True),
        choice(8, less, half),
        choice(9, Chance(0.9, 4), more),
        choice(11, half, half, True),
    ]
    told = review.summary(game, found)
    assert [line.split()[0] for line in told[:2]] == ["9", "8"]
    assert "70 % -> worse   better: M 3 1, " in told[0] and "50 % -> 40 %   better: M 3 1, " in told[1]
    assert told[2:] == [
        "undo to 9 goes back to the costliest of these choices.",
        "4 choices, best move found 2 times, average cost 3 %.",
        "Chance at command 7, by what could be seen then: 50 %.",
    ]


@pytest.mark.parametrize("made, best, behind, is_loss", [
    ((0.1, 100), (0.2, 100), ((0.05, 200), (0.3, 200)), True),
    ((0.1, 100), (0.2, 100), ((0.16, 200), (0.16, 200)), False),
    ((0.1, 20), (0.2, 20), ((0.05, 200), (0.3, 200)), False),
    ((0.1, 4), (0.9, 200), ((0.6, 200), (0.9, 200)), True), ((0.1, 4), (0.9, 200), ((0.9, 200), (0.9, 200)), False),
    ((0.70, 0), (0.74, 0), ((0.70, 0), (0.74, 0)), True),
])  # fmt: skip
def test_a_loss_is_told_only_if_the_samples_tell_it(made, best, behind, is_loss, monkeypatch):
    """Each of the two moves, and each of the positions they lead to, has a share of wins and a number of tries."""
    game, worths = game_of("klondike", {"draw": "3"}, 8), iter(behind)
    told = lambda *_: advice.Advice([(("SW",), Chance(*next(worths)))], [], False, True)
    monkeypatch.setattr(review, "advise", told)
    choice = review.Choice(1, ("SW",), ("TF", 6), Chance(*made), Chance(*best), game.position)
    assert review.is_significant(game, choice) == is_loss


def test_a_move_without_an_alternative_is_no_choice(monkeypatch):
    game = game_of("montana", {"shuffles": "2"}, 2)
    while len(game.rules.legal_moves(game.position)) > 1:
        game.perform(game.rules.legal_moves(game.position)[0])
    made = len(game.moves)
    game.perform(("S",))
    assert list(review.choices(game, made + 1)) == []


def test_what_was_not_judged_is_counted_and_says_why():
    game = game_of("klondike", {"draw": "1"}, 7)
    found = [review.Choice(number, ("SW",), ("SW",), advice.UNKNOWN, worth, game.position)
             for number, worth in enumerate([advice.TO_SEE, advice.TO_SEE, advice.FREE, Chance(0.5, 200)], start=1)]  # fmt: skip
    assert review.summary(game, found)[1] == (
        "4 choices not judged: 2 before the stock was seen, 1 when a move cost nothing, 1 as no number was known."
    )
