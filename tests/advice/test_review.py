"""The review: what the choices in a game cost, in the same numbers that a hint would have shown."""

import unittest.mock

import pytest

import cards
from helpers import game_of, run
from patience.advice import hints, review, solve
from patience.game import MoveStyle
from patience.solvers import advice
from patience.solvers.advice import Chance
from patience.solvers.search import Answer


def test_a_card_that_is_drawn_where_three_were_advised_is_the_move_that_was_advised(monkeypatch):
    told = advice.Advice([(("SW", 3), Chance(0.6, 200)), (("TF", 6), Chance(0.4, 200))], [], False, True)
    monkeypatch.setattr(review, "advise", lambda *_: told)
    monkeypatch.setattr(review, "is_significant", lambda *_: True)
    for move, worth in ((("SW",), 0.6), (("TF", 6), 0.4)):
        game = game_of("klondike", {"draw": "3"}, 8)
        game.perform(move)
        (choice,) = review.choices(game)
        assert (choice.better, choice.worth.share, choice.best.share) == (("SW", 3), worth, 0.6)
    monkeypatch.setattr(review, "is_significant", lambda *_: False)
    (choice,) = review.choices(game)
    assert choice.worth == choice.best, "a loss that is not sure is none"


@pytest.mark.parametrize("verdicts, told", [
    ("won", "It is won already."), ("unknown", "Not decided."),
    ("lost lost", "With all cards known, this deal could never be won."),
    ("unknown lost", "With all cards known, this can no longer be won. Whether it ever could be is not decided."),
])  # fmt: skip
def test_solve_says_no_more_than_is_known(verdicts, told, monkeypatch):
    """verdicts: of the deal, and after each command."""
    game, verdicts = game_of("desturado", {}, 8), verdicts.split()
    for _ in verdicts[1:]:
        game.perform(game.legal_moves()[0])
    monkeypatch.setattr(solve, "solve", lambda trial, _: Answer(verdicts[len(trial.commands)], [], 1))
    assert solve.describe_solution(game, None, 1, MoveStyle.COMMAND) == told


def reviewed(game):
    game.perform(("D",))
    return [choice[:5] for choice in review.choices(game)]


@pytest.mark.parametrize("name, options, seen, tell", [
    ("quadzilla", {"difficulty": "normal", "rank": "7"}, 8, reviewed),
    ("klondike", {"draw": "3", "passes": "unlimited"}, 28, hints.describe_difficulty),
])  # fmt: skip
def test_reviews_and_difficulty_do_not_depend_on_hidden_cards(name, options, seen, tell, quick):
    """After the first cards of the deal, all others are in reverse order in the other game."""
    deal, dealt = cards.Deck.deal, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards.Deck, "deal", lambda deck: dealt.append(deal(deck)) or dealt[-1])
        one = game_of(name, options, 8)
    dealt = [(card.rank(), card.suit()) for card in dealt]
    other = type(one)(one.deal._replace(cards=dealt[:seen] + dealt[: seen - 1 : -1]))
    assert str(one.position) != str(other.position)
    first, second = tell(one), tell(other)
    assert first == second and first not in ([], "Difficulty: not known.")


def test_ctrl_c_tells_what_was_found(monkeypatch, save_file):
    def interrupted(game, first):
        yield review.Choice(1, ("SW",), ("SW",), Chance(0.5, 200), Chance(0.5, 200), game.position)
        raise KeyboardInterrupt

    monkeypatch.setattr(review, "choices", interrupted)
    save_file.write_text("# klondike --seed 8\nSW\n", encoding="utf-8")
    told = "1 choice, best move found 1 time, average cost 0 %."
    assert told in run(["review", save_file]).stdout.decode()
    assert told in run("play klondike --seed 8", "sw\nreview\n").stdout.decode()


def test_while_the_plan_is_followed_its_first_worth_stands(monkeypatch):
    told = advice.Advice([(("SW",), Chance(0.6, 200))], [("SW",), ("SW",)], False, True)
    monkeypatch.setattr(review, "advise", unittest.mock.Mock(side_effect=[told]))
    game = game_of("klondike", {"draw": "3"}, 8)
    for _ in told.plan:
        game.perform(("SW",))
    assert [choice.worth for choice in review.choices(game)] == [Chance(0.6, 200)] * 2


def test_a_long_game_is_reviewed_from_its_last_commands_on(monkeypatch):
    monkeypatch.setattr(review, "MAX_COMMANDS", 3)
    game = game_of("klondike", {"draw": "3", "passes": "unlimited"})
    for _ in range(5):
        game.perform(("SW",))
    assert review.scope(game) == (3, "Review of the last 3 commands of 5; review 5 looks at all of them.")
    assert review.scope(game, 5) == (5, "Review of 5 commands.")


def test_a_review_by_numbers_that_can_be_reckoned():
    """Four choices: twice the best move, one that cost 10 percentage points, one hardly tried."""
    game = game_of("quadzilla", {"difficulty": "easy", "rank": "random"}, 15)
    half, less, few, more = Chance(0.5, 200), Chance(0.4, 200), Chance(0.9, 4), Chance(0.7, 200)
    worths = {7: (half, half), 8: (less, half), 9: (few, more), 11: (half, half)}
    found = [review.Choice(number, ("D",), ("M", 3, 1), *pair, game.position) for number, pair in worths.items()]
    told = review.summary(game, found)
    assert told[0].startswith("  9  D") and "70 % -> worse   better: M 3 1, " in told[0]
    assert told[1].startswith("  8  D") and "50 % -> 40 %   better: M 3 1, " in told[1]
    assert told[2:] == [
        "undo to 9 goes back to the costliest of these choices.",
        "4 choices, best move found 2 times, average cost 3 %.",
        "Chance at command 7, from what you could see then: 50 %.",
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
    game = game_of("klondike", {"draw": "3"}, 8)
    told = (advice.Advice([((), Chance(*one))], [], False, True) for one in behind)
    monkeypatch.setattr(review, "advise", lambda *_: next(told))
    choice = review.Choice(1, ("SW",), ("TF", 6), Chance(*made), Chance(*best), game.position)
    assert review.is_significant(game, choice) == is_loss


def test_a_move_without_an_alternative_or_after_the_win_is_no_choice(monkeypatch, quick):
    game = game_of("montana", {"shuffles": "2"}, 2)
    while (move := game.legal_moves()[0]) != ("S",):
        game.perform(move)
    game.perform(move)
    assert list(review.choices(game, len(game.moves))) == []
    game = game_of("klondike", {"draw": "3"}, 8)
    game.perform(("SW",))
    assert list(review.choices(game)) != []
    monkeypatch.setattr(game.rules, "check_win", lambda _: True)
    assert list(review.choices(game)) == []


def test_what_was_not_judged_is_counted_and_says_why():
    """Also a best move that was hardly tried, which has no number."""
    game, few, known = game_of("klondike", {"draw": "1"}, 7), Chance(0.6, 4), Chance(0.5, 200)
    worths = [(advice.UNKNOWN, best) for best in (advice.TO_SEE, advice.TO_SEE, advice.FREE, known)] + [(few, few)]
    found = [review.Choice(number, ("SW",), ("SW",), *pair, game.position) for number, pair in enumerate(worths)]
    assert review.summary(game, found)[1] == (
        "Not judged: 2 choices before you had seen the stock, 1 choice while some move cost nothing, 2 choices without a known chance."
    )


def test_a_running_game_shows_the_three_costliest_choices_and_a_finished_one_all(monkeypatch):
    game = game_of("klondike", {})
    made = [
        review.Choice(number, ("SW",), ("SW",), Chance(0.5 - number / 100, 90), Chance(0.9, 90), game.position)
        for number in range(1, 6)
    ]
    monkeypatch.setattr(review, "describe_choice", lambda game, choice, form: f"choice {choice.number}")
    for outcome, shown in ((None, 3), ("won", 5)):
        monkeypatch.setattr(game, "outcome", lambda outcome=outcome: outcome)
        assert sum(line.startswith("choice") for line in review.summary(game, made)) == shown
