"""Advice: hints that lead somewhere and use only what a player can know, and what these hints are worth."""

import itertools
import operator
import random
import re
import types

import pytest

import helpers
import desturado
import klondike
import main
import quadzilla
from helpers import count_odds, pile, rules_of, run, game_of
from patience.advice import hints
from patience.layout import pair_of
from patience import positions
from patience.solvers import advice, general, klondike_advice, klondike_steps, quadzilla_advice, quadzilla_worth
from patience.solvers.general import Answer
from patience.solvers.search import LOST, UNKNOWN as NOT_DECIDED
from spots import after_moves, play_game, spots_of
from cases import options_of


@pytest.mark.parametrize("name", main.GAMES)
def test_advice_is_of_all_legal_moves_and_reads_no_hidden_card(name, quick):
    """It changes nothing, stays the same if other cards lie where the player cannot know them, and its plan is
    legal."""
    game_rules, options, chance = rules_of(name), options_of(name)[0], random.Random(2)
    looked = 0
    for spot in spots_of(name, options, every=60):
        if spot.is_over():
            continue
        game = spot.game
        random.seed(3)
        before, copied = random.getstate(), positions.copy_of(game)
        told = advice.advise(game_rules, options, game)
        assert positions.same(game, copied) and random.getstate() == before
        if hidden := game_rules.hidden(game):
            other = positions.sample(game, hidden, chance)
            assert advice.advise(game_rules, options, other) == told
            one, two = (advice.cannot_be_won(game_rules, options, position, 50) for position in (game, other))
            assert one == two
            looked += 1
        moves, first = [move for move, _ in told.moves], {move[:1] for move, _ in told.moves[:1]}
        assert len(set(moves)) == len(moves)
        assert {*game_rules.legal_moves(game)} <= {*moves, *first}, "a draw may be advised many times"
        assert not told.plan or moves[0] == told.plan[0]
        for move in told.plan:
            assert game_rules.refusal(game, *move) is None
            random.seed(1)
            game_rules.perform(game, *move)
    assert looked or "hidden" not in vars(game_rules), "no position with a hidden card was looked at"


def test_a_chance_is_one_percentage_rounded_by_the_sample():
    """A move that was hardly tried has no number, and is worse only than one that was tried often."""
    told = [
        hints.describe_worth(advice.Chance(share, tries))
        for share, tries in ((0.62, 373), (0.62, 30), (0, 30), (1, 30), (0, 400), (1, 400), (0.744, 0), (0.001, 0))
    ]
    assert ", ".join(told) == "62 %, about 60 %, under 10 %, over 90 %, under 1 %, over 99 %, about 74 %, under 1 %"
    best, few = advice.Chance(0.62, 373), advice.Chance(1, 3)
    others = [advice.Chance(0.55, 120), few, advice.SURE, advice.UNKNOWN, advice.Chance(0.7, 150)]
    assert [hints.chance(worth, best) for worth in others] == ["55 % (-7)", "worse", "wins for certain", "", "62 %"]
    assert hints.chance(few, few) == hints.chance(advice.Chance(0.5, 3), few) == ""


def test_moves_that_were_hardly_tried_come_behind_the_others_and_before_those_that_were_not():
    worth = [advice.Chance(0.5, 200), advice.UNKNOWN, advice.Chance(0.9, 3), advice.LOSES, advice.Chance(0.4, 200)]
    assert [number for number, _ in hints.in_order([*enumerate(worth)])] == [0, 3, 4, 2, 1]


def test_equal_moves_are_told_as_equal_and_one_alone_as_the_only_one():
    moves = [(("D",), advice.Chance(0.7, 0)), (("M", 1, 2), advice.Chance(0.7, 0))]
    same = [hints.Hint("end the turn", "about 70 %"), hints.Hint("9♦ onto 9♠", "about 70 %")]
    assert hints.note_equals(same, moves).text() == "end the turn — about 70 %, as good as any"
    assert hints.note_equals([same[0], same[1]._replace(reason="clears 4 cards")], moves) == same[0]
    assert hints.note_equals(same[:1], moves[:1]).text() == "end the turn — the only move"


def test_where_every_move_leads_back_there_is_no_hint(monkeypatch):
    monkeypatch.setattr(hints, "advise", lambda *_: advice.Advice([(("SW",), advice.UNKNOWN)], [], False, False))
    assert hints.Guide(game_of("klondike", {}, 8)).next_hint().text() == "No move makes progress from here."


@pytest.mark.slow
@pytest.mark.parametrize("name, options, least", [
    ("montana", {"shuffles": "2"}, 2), ("quadzilla", {"difficulty": "normal", "rank": "random"}, 1),
    ("desturado", {"difficulty": "hard"}, 3), ("zodiac", {}, 2), ("klondike", {"draw": "1", "passes": "unlimited"}, 2),
])  # fmt: skip
def test_who_follows_the_hints_wins_or_comes_to_an_end(name, options, least, quick):
    """In three deals, with little thought. Slow, because whole games are played; only this notices legal, bad advice."""
    wins = 0
    for number in (3, 4, 5):
        game = game_of(name, options, number)
        won, seconds = hints.follow_hints(game)
        assert won == game.rules.check_win(game.position) and len(seconds) <= 500
        if not won and not game.outcome():
            told = advice.advise(game.rules, game.deal.options, game.position, hints.positions_before(game))
            assert told.is_lost or not told.helps
        wins += won
    assert wins >= least


def test_odds_of_hints_follow_them(tmp_path, quick):
    game, file = game_of("quadzilla", {"difficulty": "normal", "rank": "random"}, 4), tmp_path / "hints.csv"
    won, computed = hints.follow_hints(game)
    assert 0 < len(computed) < len(game.moves), "plans are followed"
    start = ["quadzilla --seed 4", "--deals", "1", "--csv", file]
    for _ in "12":  # the second time, from the rows of the first
        odds = count_odds(*start, "--hints").stdout
        assert f"1 deals: {int(won)} won by hints\n" in odds and " s per computed hint" in odds
    row = file.read_text(encoding="utf-8").splitlines()[1].split(",")
    assert row[:2] == ["quadzilla --hints", "4"] and row[3] == str(len(game.moves))
    assert count_odds(*start).exit_code == 2, "another kind of rows"


def test_the_stock_is_seen_through_first_and_a_plan_is_followed():
    game = game_of("zodiac", {}, 2)
    guide = hints.Guide(game)
    assert guide.next_hint().text() == "draw through the stock — to see it" and guide.hint.line == "d all"
    while game.rules.hidden(game.position):
        game.perform(("D",))
    told = guide.next_hint()
    move, after, *_ = guide.plan.rest(game.position)
    assert told.line == game.rules.write(*move) and told.worth == "wins for certain"
    game.perform(move)
    assert guide.next_hint().line == game.rules.write(*after)


def test_the_draws_at_the_beginning_of_a_plan_are_told_as_one_and_what_they_are_for():
    guide = hints.Guide(game_of("klondike", {"draw": "1"}, 3))
    guide.plan = hints.Plan(guide.game, [("SW", 2), ("SW",), ("WT", 3)], advice.SURE)
    assert guide.next_hint().text() == "draw to 3♣ — wins for certain" and guide.hint.line == "d 3C"


def test_a_plan_that_comes_back_to_a_position_is_not_followed_in_circles():
    game, through = game_of("klondike", {"draw": "1"}, 8), [("SW",)] * 25  # draw all cards, and turn them over
    for move in [("TF", 6), *through]:
        game.perform(move)
    assert hints.Plan(game, [*through, ("TF", 3)], advice.SURE).rest(game.position) == [("TF", 3)]


@pytest.mark.parametrize("name, options, number, told", [
    ("klondike", {"draw": "3", "passes": "unlimited"}, 20261123, "hard. From what .*, hints expect to win about 40 %"),
    ("quadzilla", {"difficulty": "normal", "rank": "random"}, 4, "medium. .* about 7. %"),
    ("montana", {"shuffles": "0"}, 20261120, "easy. The hints are sure to win it."),
])  # fmt: skip
def test_how_hard_a_deal_is_does_not_depend_on_what_was_played(name, options, number, told, quick):
    game = game_of(name, options, number)
    for _ in "12":
        game.perform(game.legal_moves()[0])
    random.seed(1)
    before = random.getstate()
    assert re.match(f"Difficulty: {told}", hints.describe_difficulty(game)) and random.getstate() == before
    assert len(game.undo(2)) == 2 and str(game.position) == str(game_of(name, options, number).position)


def test_without_a_known_chance_the_difficulty_is_not_known(monkeypatch):
    monkeypatch.setattr(hints, "worth_after_free_moves", lambda game: hints.UNKNOWN)
    assert hints.describe_difficulty(game_of("klondike", {"draw": "1"}, 8)) == "Difficulty: not known."


def test_a_sample_has_the_same_cards_lying_the_same_way():
    hidden, game = rules_of("klondike").hidden, klondike.initialize()
    other = positions.sample(game, hidden(game), random.Random(1))
    assert positions.faces(other) == positions.faces(game) and str(other.tableau) == str(game.tableau)
    assert other.stock != game.stock
    one, two = (positions.cards_in(positions.parts(position)) for position in (game, other))
    assert sorted(map(pair_of, one)) == sorted(map(pair_of, two))
    one, two = (positions.sample(position, hidden(position)).stock for position in (game, other))
    assert one == two, "without chance"


def test_nothing_wins_any_more_is_said_where_it_is_certain():
    """6♣ could only go onto 7♥, which 6♠ covers, and 6♠ only onto 7♦, which lies under 6♣; and neither can go to a
    foundation, because 3♣ and 3♠ lie under 7♦. The player does not know that 3♣ and 3♠ lie there."""
    founded = [pile(f"A{suit} 2{suit}") for suit in "CDHS"]
    columns = ["KS QH JS 10H 9S 8H 7S 6H 5S 4H", "KH QS JH 10S 9H 8S 7H 6S 5H 4S 3H", "KC QD JC 10D 9C 8D 7C 6D 5C 4D"]
    columns += ["KD QC JD 10C 9D 8C", "XX 3C XX 3S XX 7D 6C 5D 4C 3D", "", ""]
    game = game_of("klondike", {"draw": "1"}, 1)
    game.position = klondike.Game([], [], founded, list(map(pile, columns)), 1)
    assert game.rules.check_loss(game.position) is None and game.legal_moves()
    assert hints.is_lost(game)
    told = advice.advise(game.rules, game.deal.options, game.position)
    assert told.is_lost
    assert hints.Guide(game).next_hint().text() == "This deal could never be won, whatever the hidden cards are."
    columns = ["XX 9C 5H", "7D", "", "", "", "", ""]  # 6♠ goes onto 7♦, and then 5♥ onto 6♠
    game.position = klondike.Game([], pile("6S"), [[], [], [], []], list(map(pile, columns)), 1)
    assert not klondike_advice.is_shut(types.SimpleNamespace(game=game.position))


def test_how_far_back_it_could_be_won(monkeypatch):
    """Two moves after the one that loses. If the solver finds no win even after undo, nothing is called winnable."""
    monkeypatch.setattr(hints, "POSITIONS_TO_WARN", 100)
    game = game_of("montana", {"shuffles": "0"}, 376)
    for move in [*solution_of(game)[:45], ("", 2, 5, 1, 9)]:
        game.perform(move)
    for _ in "12":
        game.perform(game.legal_moves()[0])
    told = "This can no longer be won.\nundo 3 goes back to where it could."
    assert hints.Guide(game).next_hint().text() == told
    monkeypatch.setattr(hints, "POSITIONS_KNOWN", 0)
    assert hints.describe_loss(game) == told.partition("\n")[0]


def solution_of(game):
    """Return the moves with which a solver wins a Game."""
    return general.answer(game.rules, game.deal.options, game.position, None, 40_000).moves


@pytest.mark.parametrize("name, options, number", [
    ("montana", {"shuffles": "0"}, 376), ("quadzilla", {"difficulty": "normal", "rank": "random"}, 1),
    ("desturado", {"difficulty": "easy"}, 1), ("zodiac", {}, 3), ("klondike", {"draw": "1", "passes": "unlimited"}, 1),
])  # fmt: skip
def test_what_is_certain_wins_and_what_is_lost_is_lost(name, options, number, quick):
    """Replayed by the game, and solved: near the end of a game that is won, after a move at random from there, and near
    the end of a game played at random."""
    chance, certain = random.Random(3), 0
    won = list(after_moves(name, options, number, solution_of(game_of(name, options, number))))[-2:-40:-8]
    strayed = [spot.after(chance.choice(spot.ask("legal_moves"))) for spot in won]
    for spot in [*won, *strayed, *play_game(name, tuple(options.items()), 0)[-6:-5]]:
        if spot.is_over() or not spot.ask("legal_moves"):
            continue
        told = advice.advise(spot.rules, options, spot.game)
        for move, worth in told.moves:
            after = positions.position_after(spot.rules, spot.game, move)
            if worth in (advice.SURE, advice.LOSES):
                certain += 1
                is_won = general.answer(spot.rules, options, after, None, 5_000).verdict == "won"
                assert is_won == (worth == advice.SURE), (spot, move)
        assert told.moves[0][1] != advice.SURE or not general.fault_of_win(spot.rules, spot.game, told.plan), spot
        if told.is_lost or advice.cannot_be_won(spot.rules, options, spot.game, 300):
            assert general.answer(spot.rules, options, spot.game, None, 5_000).verdict != "won", spot
    assert certain > 1


def test_no_hint_leads_back_and_that_is_said_where_all_do():
    columns = ["XX AC 9S", "9C 8H", "XX AD KS", "XX AH KD", "XX AS KC", "QC", "QS"]
    game = klondike.Game([], [], [[], [], [], []], list(map(pile, columns)), 3, 0)

    def moves(before):
        return advice.Known(rules_of("klondike"), {"draw": "3"}, game, before).moves()

    new, back = moves([])
    assert new and not back
    assert moves([positions.position_after(rules_of("klondike"), game, move) for move in new]) == ([], new)


@pytest.mark.parametrize("missing", ["adviser_of", "solver_of"])
def test_the_best_moves_are_tried_in_more_samples(missing, monkeypatch):
    """In a game without its own advice by its solver, and in one without a solver by a plain player."""
    monkeypatch.setattr(general, missing, lambda game_rules, options: None)
    for name, value in {"SAMPLES": 2, "MORE_SAMPLES": 3, "POSITIONS": 50, "PLAIN_MOVES": 700}.items():
        monkeypatch.setattr(advice, name, value)
    found = advice.advise(rules_of("desturado"), {"difficulty": "easy"}, helpers.deal(desturado, {}, 1))
    tried = sorted((worth.tries for _, worth in found.moves), reverse=True)
    assert tried[0] == tried[2] > tried[3] == tried[-1] > 0
    assert missing == "solver_of" or tried[:4] == [5, 5, 5, 2]


def test_where_chance_has_a_part_nothing_is_certain(quick):
    game = game_of("montana", {}, 2)
    while (move := game.rules.legal_moves(game.position)[0]) != ("S",):
        game.perform(move)
    assert not hints.is_lost(game) and hints.Guide(game).next_hint().line == "S"


def column_of(names):
    """Return a column as Quadzilla's advice has it."""
    return quadzilla_advice.cards_of(pile(names))


def test_quadzilla_knows_which_cards_lose():
    """Of the four cards in the shoe: the Quadzilla of a suit that lies there three times, or any card of that suit if
    the Quadzilla is among the three."""
    columns = {"2S 3S 4S": 1, "2S 7S 4S": 2, "2S 3H 4S": 0, "3S 4S": 0, "2C 7S 7H 7D": 0, "5C 2H 7H 3H": 1}
    shares = [quadzilla_worth.share_that_loses(column_of(column), 7, column_of("7S 3C 5S 5H")) for column in columns]
    assert shares == [losing / 4 for losing in columns.values()]


@pytest.mark.parametrize("column, counted", [
    ("", {"empty": 1, "whole": 1}),
    ("2S", {"card": 1, "whole": 1}),
    ("2S 5S 9S", {"card": 3, "three": 1, "whole": 1}),
    ("7S 7H", {"card": 2, "pair": 1, "whole": 1}),
    ("2S 2H 5D 7D 7C 9H", {"card": 6, "rank": 1, "suit": 1, "trap": 1, "quadzilla": 1, "deep": 16}),
    ("2S 5H 9H", {"card": 3, "pair": 1, "suit": 1, "deep": 1}),
])  # fmt: skip
def test_what_is_counted_in_a_column_of_quadzilla(column, counted):
    """7 is the Quadzilla: it is cleared only with its own rank, and is a trap beside a card of its suit."""
    found = quadzilla_worth.features_of(column_of(column), 7)
    assert {name: count for name, count in found._asdict().items() if count} == counted


def test_a_worth_is_the_sum_of_what_is_counted():
    columns, shoe = [*map(column_of, ["2S 2H 5D 7D", "3C 4C 5C", "", "9H 7S"])], column_of("7C 6H 2D KC")
    for weights in quadzilla_worth.TABLE["hard"].values():
        worth = quadzilla_worth.Worth(weights, 7)
        counts = quadzilla_worth.features(columns, 2, 7, shoe)
        assert counts.risk == 1 / 4 and counts.always == 1 and counts.move == 2
        assert worth.log_odds(columns, 2, shoe) == sum(map(operator.mul, weights, counts))
        assert 0 < worth.chance(columns, 2, shoe) < 1


def test_before_quadzillas_last_turn_rows_are_played_to_the_end():
    """Each King belongs on the three cards of its suit: three moves are enough if only two Kings are in the wrong
    place. The other columns are far too mixed."""
    outlook, shoe = quadzilla_advice.Outlook("hard", 7), column_of("KS KH KD KC")
    threes = [*map(column_of, ["2S 3S 4S", "2H 3H 4H", "2D 3D 4D", "2C 3C 4C"])]
    mixed = [*map(column_of, ["2S 3H 4D", "2H 3S 4C", "2D 3C 4S", "2C 3D 4H"])]
    for row in itertools.permutations(shoe):
        wrong = sum(card.suit != column[0].suit for card, column in zip(row, threes))
        assert outlook.chance_after((tuple(threes), 0), 12, row, []) == (wrong < 3)
        assert outlook.chance_after((tuple(mixed), 0), 12, row, []) == 0
    ends = [(tuple(threes), 0), (tuple(mixed), 0)]
    assert [outlook.chance_behind(end, 12, shoe, 1) for end in ends] == [(1 + 6) / 24, 0]


@pytest.mark.parametrize("difficulty", ["normal", "hard"])
def test_quadzillas_plan_is_one_turn_and_the_worth_of_its_moves_falls(difficulty, quick):
    game = game_of("quadzilla", {"difficulty": difficulty, "rank": "random"}, 1)
    while len(game.position.shoe) > 4 and not game.outcome():
        found = advice.advise(game.rules, game.deal.options, game.position)
        assert not found.is_lost and found.helps and found.plan[0] == found.moves[0][0]
        worth = [chance.share for _, chance in found.moves if isinstance(chance, advice.Chance)]
        assert worth == sorted(worth, reverse=True) and (len(worth) > 3 or game.position.turn > 1)
        turn = game.position.turn
        for move in found.plan:
            assert game.position.turn == turn and quadzilla.move(game.position, *move)
        assert game.position.turn > turn or game.position.lost


def test_who_follows_quadzillas_plan_is_told_no_worse_chance_before_the_turn_ends(monkeypatch):
    """All hints in a turn see the same rows, even if nothing is remembered; the next turn has an Outlook of its own."""
    monkeypatch.setattr(quadzilla_advice, "ROWS", {"normal": 3})
    followed = 0
    for seed in range(3):
        game = game_of("quadzilla", {"difficulty": "normal", "rank": "random"}, seed)
        first = hints.Guide(game).advice()
        for move in first.plan[:-1]:
            for remembered in (quadzilla_advice.outlook_of, quadzilla_advice.orders_of):
                remembered.cache_clear()
            game.perform(move)
            assert hints.Guide(game).advice().moves[0][1].share >= first.moves[0][1].share
            followed += 1
    assert followed > 5
    assert quadzilla_advice.outlook_of("normal", 5, 1) is not quadzilla_advice.outlook_of("normal", 5, 2)


def test_ctrl_c_gives_the_quick_hint(monkeypatch):
    def interrupted(guide):
        raise KeyboardInterrupt

    monkeypatch.setattr(hints.Guide, "next_hint", interrupted)
    game = game_of("montana", {}, 1)
    (quick,) = hints.describe_moves(game, [(game.legal_moves()[0], advice.UNKNOWN)])
    assert quick.text() in run("play montana --seed 1", "hint\n").stdout.decode()


def test_a_plan_of_montana_ends_with_the_shuffle_if_it_does_not_win_and_one_is_left(quick):
    for shuffles, last in (("2", True), ("0", False)):
        game = game_of("montana", {"shuffles": shuffles}, 3)
        plan = advice.advise(game.rules, game.deal.options, game.position).plan
        assert len(plan) > 50 and (plan[-1] == ("S",)) == last, shuffles


def test_a_card_that_would_go_up_and_come_back_stays():
    foundations = [pile("AC 2C"), [], [], []]
    game = klondike.Game([], [], foundations, [pile("XX KS 4D 3C"), pile("XX KD AH"), [], [], [], [], []], 3)
    three, ace = (klondike_steps.bit(helpers.card(name)) for name in ("3C", "AH"))
    way = [(("up", three),), (("up", ace),), (("back", three),)]
    assert klondike_advice.Writer(game).as_moves(way) == [("TF", 1), ("TF", 2), ("FT", 1, 1)]
    assert klondike_advice.shortest(game, way) == [("TF", 2)]


LOST_BY_SOLVER = Answer(LOST, [], 9)


def test_a_loss_is_not_believed_where_rules_and_solver_differ(monkeypatch):
    """Neither of a sample, nor of the whole game, whether its cards are known or not."""
    for name, options in (("montana", {"shuffles": "0"}), ("klondike", {})):
        game = game_of(name, options)
        monkeypatch.setattr(advice.general, "search", lambda *_: LOST_BY_SOLVER)
        monkeypatch.setattr(advice.general, "adviser_of", lambda *_: types.SimpleNamespace(
            advise=advice.advise_lost, is_shut=lambda _: True))  # fmt: skip
        for differs in ("", "a rule was changed"):
            monkeypatch.setattr(advice.general, "difference", lambda *_, differs=differs: differs)
            known = advice.Known(game.rules, game.deal.options, game.position)
            assert known.solve(known.game, 9).verdict == (NOT_DECIDED if differs else LOST)
            assert advice.advise(game.rules, game.deal.options, game.position).is_lost == (not differs)
            assert advice.cannot_be_won(game.rules, game.deal.options, game.position) == (not differs)
        monkeypatch.undo()


def test_a_game_without_a_list_of_its_moves_is_never_called_lost():
    game = game_of("desturado", {})
    known = advice.Known(game.rules, game.deal.options, game.position)
    known.rules = types.SimpleNamespace(no_moves=True, check_win=lambda _: False, hidden=lambda _: known.hidden,
                                        legal_moves=lambda _: [])  # fmt: skip
    assert not advice.is_shut(known)
    known.rules.no_moves = False
    assert advice.is_shut(known)
