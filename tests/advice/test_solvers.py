"""The solvers: every script is replayed through the real game, and small games are searched in full."""

import functools
import importlib
import multiprocessing
import os
import random
import signal
import threading
import time
import types
from pathlib import Path

import click
import pytest

import klondike
import zodiac
from cards import Card
from helpers import deal, pile, rules_of, run, wait_until
from patience.advice import hints
from patience.decks import Deal
from patience.game import Game
from patience import positions
from patience.solvers import advice, general, klondike_advice, klondike_rule, klondike_steps, search
from patience.solvers import desturado as desturado_solver, klondike as klondike_solver, zodiac as zodiac_solver
from patience.solvers.search import LOST, UNKNOWN, WON
from patience.workers import results
from spots import expect, winning_session
from cases import each_solver, options_of

POSITIONS = 40_000  # the same on every machine, unlike seconds
SOLVED_SOON = {"montana": [376, 482, 602, 919]}  # the numbers of deals; most others take long
WON_OF_8 = {"montana": 2, "quadzilla": 5, "desturado": 5, "zodiac": 2, "klondike": 5}  # of deals, at least
OFTEN_LOST = ("quadzilla", "klondike")  # games whose endgames are


def solve(name, state, most=None, solver=None):
    """Solve a position; check that a win is one, and that solving changes nothing. solver: another one than the game's
    own."""
    most = most or (POSITIONS if name in WON_OF_8 else POSITIONS // 20)
    before, chance = positions.copy_of(state), random.getstate()
    answer = (solver or importlib.import_module(f"patience.solvers.{name}").solve)(state, None, most)
    assert positions.same(state, before) and random.getstate() == chance
    assert answer.verdict in (WON, LOST, UNKNOWN) and answer.positions <= most + 1
    assert answer.verdict == WON or not answer.moves
    assert answer.verdict != WON or not general.fault_of_win(rules_of(name), state, answer.moves)
    return answer


def is_over(rules, state):
    return rules.check_win(state) or rules.check_loss(state) is not None


def without_shuffle(rules, state):
    """Return the legal moves except a shuffle, which verdicts in Montana leave out."""
    return [move for move in rules.legal_moves(state) if move != ("S",)]


def play(rules, state, count, choose):
    """Make count moves, or fewer if the game ends; choose picks one of the legal moves."""
    for _ in range(count):
        if is_over(rules, state) or not (legal := without_shuffle(rules, state)):
            break
        rules.perform(state, *choose(legal))


def test_a_copy_of_a_position_is_the_same_and_shares_nothing():
    """Of a list, and of an object."""
    rows = [pile("AC XX 2C"), [1, "two", None]]
    for game in (rows, types.SimpleNamespace(rows=rows, turn=3)):
        copied, again = positions.copy_of(game), positions.copy_of(game)
        assert positions.same(copied, game)
        rows[0][0].flip_card()
        assert not positions.same(copied, game)
        rows[0][0].flip_card()
        rows[1].append(4)
        assert not positions.same(again, game)


@each_solver
def test_a_script_wins_in_the_real_game_and_the_game_stays_won_along_it(name, options):
    rules, won, wanted = rules_of(name), [], WON_OF_8.get(name, 1)
    for seed in SOLVED_SOON.get(name, range(8)):
        state = deal(rules, options, seed)
        if len(won) < wanted and (moves := solve(name, state).moves):
            won.append((state, moves))
    assert len(won) == wanted or name not in WON_OF_8
    if not won:
        pytest.skip(f"patience/solvers/{name}.py wins none of 8 deals")
    state, moves = won[-1]
    for place, move in enumerate(moves):
        assert not is_over(rules, state) and rules.move(state, *move) is True
        if place % (len(moves) // 6 + 1) == 0:
            verdict = solve(name, state).verdict
            assert verdict == WON or verdict == UNKNOWN and name not in WON_OF_8
    assert solve(name, state).verdict == WON


def brute_force(rules, state, most):
    """Return whether any sequence of commands wins, by trying them all; None if there are too many positions."""

    def text_of(state):
        told = {name: value for name, value in positions.parts(state).items() if name != "passed"}
        return str(told) + str(positions.faces(state))

    seen, waiting = {text_of(state)}, [state]
    while waiting:
        state = waiting.pop()
        if rules.check_win(state):
            return True
        if len(seen) > most:
            return None
        for move in reversed(without_shuffle(rules, state)):  # the best is tried next
            after = positions.copy_of(state)
            rules.move(after, *move)
            if text_of(after) not in seen:
                seen.add(text_of(after))
                waiting.append(after)
    return False


def klondike_endings(seed, draw, count):
    """Yield random small endings: the foundations are built, and the last cards lie in any order."""
    chance = random.Random(seed)
    for _ in range(count):
        foundations = [[Card(rank, suit) for rank in range(1, chance.randint(2, 9) + 1)] for suit in range(1, 5)]
        loose = [Card(rank, built[0].suit()) for built in foundations for rank in range(len(built) + 1, 14)]
        chance.shuffle(loose)
        talon = [loose.pop() for _ in range(chance.randint(0, 4))]
        columns = [loose[number::7] for number in range(7)]
        for covered in [card for column in columns for card in column[:-1]]:
            covered.flip_card()
        cut = chance.randint(0, len(talon))
        yield klondike.Game(talon[cut:], talon[:cut], foundations, columns, draw)


def endgames(name, options):
    """Yield small positions: near the end of solved games, and after random moves from there. In Klondike, all these
    positions are won, so others are added, with the last cards in any order. For a new game, they are the last
    positions of a winning script."""
    rules, chance = rules_of(name), random.Random(7)
    if name not in WON_OF_8:
        starts = [(spot.game, []) for spot in winning_session(name)[0][-12:-1] if options == options_of(name)[0]] * 3
    else:
        dealt = (deal(rules, options, seed) for seed in SOLVED_SOON.get(name, range(60)))
        starts = ((state, moves) for state in dealt if (moves := solve(name, state, 10_000).moves) for _ in "12")
    if name == "klondike":
        yield from klondike_endings(10, int(options["draw"]), 4)
    for state, moves in starts:
        end = positions.copy_of(state)
        for move in moves[: -chance.randint(2, 5)]:
            rules.move(end, *move)
        play(rules, end, chance.randint(0, 4), chance.choice)
        yield end


@each_solver
def test_it_agrees_with_brute_force_on_endgames(name, options):
    """And so does the general solver, if it decides."""
    rules, agreed, by_general = rules_of(name), {WON: 0, LOST: 0}, set()
    for state in endgames(name, options):
        known = brute_force(rules, state, 200)
        if known is not None:
            told, right = solve(name, state).verdict, WON if known else LOST
            expect(
                told == right,
                f"patience/solvers/{name}.py answers {told!r}; all moves, tried out, say {right!r}: {state}",
            )
            agreed[right] += 1
            told = solve(name, state, 300, functools.partial(general.solve, rules)).verdict
            expect(told in (right, UNKNOWN), f"the general solver answers {told!r}, not {right!r}: {state}")
            by_general.add(told)
        if agreed[WON] >= 2 and (agreed[LOST] >= 2 or name not in OFTEN_LOST):
            break
    assert agreed[WON] >= 2 and WON in by_general or name not in WON_OF_8
    assert agreed[LOST] >= 2 and LOST in by_general or name not in OFTEN_LOST
    if not any(agreed.values()):
        pytest.skip(f"{name}: no endgame is small enough to try out all moves")


def test_the_general_solver_does_not_say_lost_where_chance_has_a_say():
    montana = rules_of("montana")
    tableau = deal(montana, {}, 2)
    play(montana, tableau, 400, lambda legal: legal[0])
    assert montana.legal_moves(tableau) == [("S",)]
    assert general.solve(montana, tableau).verdict == UNKNOWN
    tableau.shuffles_left = 0
    assert general.solve(montana, tableau).verdict == LOST


# Each solver's ideas


def test_zodiacs_closed_form_is_what_the_search_finds():
    """In deal 615 a suit has no pile, so that each of its 26 cards needs a cell."""
    for seed in [*range(12), 615]:
        game = deal(zodiac, {}, seed)
        for suit in zodiac.SUITS:
            plan = zodiac_solver.plan_suit(game, suit, search.Limits(None))
            cells = sum(place is None for place, _ in plan)
            assert cells == zodiac_solver.fresh_need(game, suit)


def test_klondike_is_lost_by_threes_if_it_is_by_single_cards():
    """To see that, some 300,000 positions would be searched if three cards were drawn."""
    assert solve("klondike", deal(klondike, {"draw": "3"}, 539)).verdict == LOST


@pytest.mark.parametrize("draw", ["1", "3"])
def test_klondikes_steps_are_the_games_own(draw):
    """Random steps, written as commands, lead to the same position in the game. Each position has its own key."""
    chance, keys, key_of = random.Random(8), klondike_solver.Keys(), {}
    for seed in range(30):
        game = deal(klondike, {"draw": draw}, seed)
        table = klondike_steps.Table(game, game.draw)
        position, way = table.start, []
        while len(way) < 60 and (possible := klondike_steps.steps_from(table, position)):
            step, position = chance.choice(possible)
            way.append(step)
            assert keys.position(key_of.setdefault(position, keys.key(position))) == position
        writer = klondike_solver.Writer(game)
        writer.as_moves(way)
        assert klondike_steps.Table(writer.game, game.draw).start == position
    assert len(key_of) == len(set(key_of.values())) > 500
    assert 0 < min(key_of.values()) and max(key_of.values()) < 1 << 64


@pytest.mark.parametrize("count", range(1, 12))
def test_a_waste_that_makes_no_difference_counts_as_none(count):
    """With such a waste, the game can play the same cards as at the beginning of a pass."""
    game = deal(klondike, {"draw": "3"}, 1)
    game.stock = game.stock[:count]
    reached = []  # for each waste: the cards that come to its top
    for waste in range(count + 1):
        at = positions.copy_of(game)
        at.waste, at.stock = at.stock[count - waste :][::-1], at.stock[: count - waste]
        table = klondike_steps.Table(at, 3)
        *_, talon, counted = table.start
        tops = set()
        for _ in range(2 * count):
            tops |= {klondike_steps.bit(card) for card in at.waste[-1:]}
            klondike.move(at, "SW")
        assert {card for card, _ in table.playable(talon, counted)} == tops
        reached.append((tops, counted))
    for tops, counted in reached:
        assert (tops == reached[0][0]) == (counted == 0)


def test_the_last_card_goes_up_at_once_only_before_a_pass():
    """Before a pass, all its cards can still be reached; in the middle of a pass, that is not so."""
    game = deal(klondike, {"draw": "3"}, 1)
    ace = next(card for column in [*game.tableau, game.stock] for card in column if card.rank() == 1)
    for column in [*game.tableau, game.stock]:
        column[:] = [card for card in column if card != ace]
    game.stock.insert(0, ace)
    table = klondike_steps.Table(game, 3)
    up = (("up", klondike_steps.bit(ace)),)
    assert [step for step, _ in klondike_steps.steps_from(table, table.start)] == [up]
    for _ in range(2):
        game.waste.append(game.stock.pop())
    table = klondike_steps.Table(game, 3)
    steps = [step for step, _ in klondike_steps.steps_from(table, table.start)]
    assert up in steps and len(steps) > 1


def test_desturado_gives_up_no_position_on_the_way_to_a_win(monkeypatch):
    """A search that abandons nothing finds the wins."""
    rules, too_many_left = rules_of("desturado"), desturado_solver.has_too_many_left
    monkeypatch.setattr(desturado_solver, "has_too_many_left", lambda *_: False)
    for seed in range(16):
        state = deal(rules, {"difficulty": ("medium", "hard")[seed % 2]}, seed)
        moves = solve("desturado", state, 20_000).moves
        assert moves
        for move in moves:
            (columns, hand), hidden = desturado_solver.start_of(state)
            assert not too_many_left(columns, hand, hidden)
            rules.move(state, *move)


@pytest.mark.parametrize("seconds, positions, blocks, limit, count", [
    (0, None, 10**12, " in 0 seconds", 1), (None, 5_000, 10**12, " in 5,000 positions", 5_001),
    (None, None, 0, " because memory ran out", search.MEMORY_EVERY)])  # fmt: skip
def test_an_answer_says_what_ended_the_search(monkeypatch, seconds, positions, blocks, limit, count):
    monkeypatch.setattr(search, "MAX_BLOCKS", blocks)
    answer = klondike_solver.solve(deal(klondike, {"draw": "3"}, 29), seconds, positions)
    assert answer[:4] == (UNKNOWN, [], count, limit)


def hang(seconds):
    """Sleep, and ignore being terminated."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(seconds)
    return seconds


def test_a_process_that_cannot_be_terminated_is_killed(monkeypatch):
    monkeypatch.setattr("patience.workers.SECONDS_TO_END", 0.1)
    began = time.monotonic()
    found = results(hang, [60, 0.3], 2)
    assert next(found) == 0.3
    found.close()
    assert time.monotonic() - began < 30


def begin_and_end(folder):
    """Begin something that has to be ended, slowly."""
    path = Path(folder, str(os.getpid()))
    path.touch()
    try:
        time.sleep(60)
    finally:
        time.sleep(0.3)
        path.unlink()


def test_a_worker_that_is_terminated_several_times_ends_what_it_has_begun(tmp_path):
    found = results(begin_and_end, [str(tmp_path)] * 2, 2)

    def terminate_all():
        wait_until(lambda: len([*tmp_path.iterdir()]) == 2, "both have begun")
        for _ in "123":
            for process in multiprocessing.active_children():
                process.terminate()
            time.sleep(0.05)

    ending = threading.Thread(target=terminate_all)
    ending.start()
    with pytest.raises(click.ClickException, match="A worker process was killed."):
        next(found)
    ending.join()
    assert not [*tmp_path.iterdir()]


def test_a_solution_is_a_script_and_what_it_took_is_said():
    solved = run("solve desturado --seed 4")
    assert solved.stderr == b"won: 42 commands, 39 positions\n"
    assert b"You won!" in run("desturado --seed 4", solved.stdout).stdout


def test_the_rule_does_not_look_at_a_card_that_a_step_turns_up():
    game, costs = deal(klondike, {"draw": "3"}, 6), []
    face_down = [(column, place) for column in game.tableau for place in range(len(column) - 1)]
    for state in (game, positions.sample(game, face_down, random.Random(1))):
        table = klondike_steps.Table(state, 3)
        rule = klondike_rule.Rule(klondike_rule.WEIGHTS[3], types.SimpleNamespace(random=lambda: 0))
        rule.look_at(table)
        closed, *_ = table.start
        turning = [after for _, after in klondike_steps.steps_from(table, table.start) if after[0] != closed]
        costs.append([rule.cost(table.start, after) for after in turning])
    assert costs[0] and costs[0] == costs[1]


def test_the_rule_counts_what_it_says():
    """In a deal whose seven columns end in 2♦ 6♣ 2♣ J♥ 4♠ A♣ 5♠: no King, and only A♣ fits, on 2♦."""
    table, counted = klondike_steps.Table(deal(klondike, {"draw": "3"}, 8), 3), []
    for number in range(14):
        weights = klondike_rule.Weights(*[float(number == one) for one in range(14)])
        rule = klondike_rule.Rule(weights, types.SimpleNamespace(random=lambda: 0))
        rule.look_at(table)
        counted.append(rule.cost(table.start, table.start))
    closed, playable = 21, 8  # every third card of 24
    assert counted[:4] == [closed, 52, 24, playable]
    assert counted[5:11] == [0, 6, 6, 1 + 4 + 9 + 16 + 25 + 36, 0, 0]
    assert counted[11] == 1 and counted[13] == 0


def test_a_sample_is_not_played_without_end(monkeypatch):
    monkeypatch.setattr(klondike_rule, "MOST_STEPS", 3)
    table = klondike_steps.Table(deal(klondike, {"draw": "1"}, 8), 1)
    tree = klondike_advice.Tree(table, set(), random.Random(1))
    tree.rule.look_at(tree.sample())
    founded, count = tree.rule.play(table.start, set())
    assert founded.bit_count() <= 3 and 0 < count < 100


@each_solver
def test_its_rules_are_those_of_the_game(name, options):
    """In 200 positions of each deal, so that a loss is believed."""
    for seed in range(2 if options == options_of(name)[0] else 1):
        assert general.difference(rules_of(name), options, deal(rules_of(name), options, seed)) == ""


def test_a_loss_by_other_rules_than_the_games_is_not_believed(monkeypatch):
    """If any card could go into an empty column, this game could be won, and the solver would call it lost."""
    rules, options, can_build = rules_of("klondike"), {"draw": "3", "passes": "unlimited"}, klondike.can_build
    *_, state = klondike_endings(4, 3, 15)
    assert general.answer(rules, options, state, None).verdict == LOST
    monkeypatch.setattr(klondike, "can_build", lambda card, column: not column or can_build(card, column))
    assert general.solve(rules, state, None, 2_000).verdict == WON
    found = general.answer(rules, options, state, None)
    assert found.verdict == UNKNOWN and "klondike.py allows TT" in found.limit


def test_rules_are_compared_where_a_search_went_and_not_near_the_deal_only(monkeypatch):
    """No position near this deal has an empty column."""
    rules, options, can_build = rules_of("klondike"), {"draw": "3", "passes": "unlimited"}, klondike.can_build
    state = deal(rules, options, 18)
    assert general.answer(rules, options, state, None).verdict == LOST
    assert hints.is_lost(Game(Deal(rules, options, 18)), POSITIONS) is False, "not by what can be seen"
    monkeypatch.setattr(klondike, "can_build", lambda card, column: not column or can_build(card, column))
    assert general.difference(rules, options, state) == ""
    found = general.answer(rules, options, state, None)
    assert found.verdict == UNKNOWN and found.limit.startswith(": klondike.py allows TT ")
    assert advice.Known(rules, options, state).solve(state, POSITIONS).verdict == UNKNOWN, "for hints, too"


@pytest.mark.parametrize("name, options, seed, rule", [
    ("klondike", {"draw": "3", "passes": "unlimited"}, 10, "can_build"),
    ("desturado", {"difficulty": "easy"}, 4, "can_stack"),
])  # fmt: skip
def test_a_win_by_other_rules_than_the_games_is_not_believed(name, options, seed, rule, monkeypatch):
    state = deal(rules_of(name), options, seed)
    assert general.answer(rules_of(name), options, state, None).verdict == WON
    monkeypatch.setattr(f"{name}.{rule}", lambda *_: False)
    found = general.answer(rules_of(name), options, state, None)
    assert found[:2] == (UNKNOWN, []) and found.limit.startswith(f": {name}.py does not allow "), "it names the move"


@pytest.mark.parametrize("ends", [True, False])
def test_a_try_in_half_the_time_leaves_the_rest_its_own(ends):
    limits, seen = search.Limits(10.0), []
    before = limits.end

    def attempt():
        seen.append(limits.end)
        if not ends:
            raise search.OutOfLimits("in time")
        return None, False

    search.try_in_half(attempt, limits)
    assert limits.end == before and seen == [before - 5]
