"""The game: undo, redo and restart, seeds, and the state of random."""

import random
import types
import unittest.mock

import pytest

from helpers import PROMPT, run, game_of
from patience import rules
from patience.advice import hints
from patience.table.records import savefile
from patience.solvers import advice, general


def test_whoever_tries_something_out_leaves_the_next_shuffle_as_it_was(save_file):
    """Even if Ctrl-C interrupts it, and in a game without refusal, whose moves are tried on a copy."""
    game, unfinished = game_of("montana", {"shuffles": "2"}, 2), rules.Rules(types.ModuleType("unfinished"))
    unfinished.move = lambda tableau, *move: random.random() < 2

    def interrupted(loose):
        random.random()
        raise KeyboardInterrupt

    game.perform(("S",))
    game.perform(game.legal_moves()[0])
    before = random.getstate()
    with pytest.raises(KeyboardInterrupt), unittest.mock.patch("random.shuffle", interrupted):
        game.legal_moves()
    game.way_back(lambda trial: random.random() > 2)
    general.solve(game.rules, game.position, None, 30)
    advice.Known(game.rules, game.deal.options, game.position, hints.positions_before(game)).moves()
    savefile.write(save_file, game)
    assert unfinished.refusal(game.position, "S") is None
    assert random.getstate() == before


def test_a_failed_search_leaves_hints_and_chance_as_they_were(quick):
    start = "play desturado --difficulty hard --seed 85"
    hints = run(start, "hint\nhint\n").stdout.decode().split(PROMPT)[1:]
    asked = run(start, "hint\nsolve\nhint\n").stdout.decode().split(PROMPT)[1:]
    assert "With all cards known, this deal could never be won" in asked[1] and hints[:2] == [asked[0], asked[2]]
    assert hints[0] != hints[1]


@pytest.mark.parametrize("start", ["quadzilla --seed 2", "klondike --draw 1 --seed 8"])
def test_what_solve_prints_wins_at_the_table_too(start):
    """A question that only warns is not asked of a stream: it would take the next line for its answer."""
    played = run(f"play {start}", run(f"solve {start}").stdout).stdout.decode()
    assert "You won!" in played and "Error" not in played


def test_a_mark_at_the_beginning_is_passed_over_and_control_characters_are_not_echoed():
    shown = run("play klondike --seed 8", "\ufeff# klondike --seed 8\n\x1b[2J\a 1; d\n".encode()).stdout.decode()
    assert not {"\ufeff", "\x1b", "\a"} & {*shown}
    assert "\\x1b[2J\\x07 1: not understood." in shown


def test_undo_and_hints_do_not_disturb_the_next_shuffle(quick):
    plain, asked = (
        run("play montana --seed 4", f"{words}s\nq\n").stdout.decode().split(PROMPT)
        for words in ("s\n", "s\nundo\nhint\nredo\nmoves\n")
    )
    assert plain[2].partition("\n4 · ")[0] == asked[-2].partition("\n4 · ")[0] != plain[1].partition("\n4 · ")[0]


def test_what_is_recorded_is_taken_back_and_listed_without_making_a_move_again(monkeypatch):
    game = game_of("klondike", {"draw": "1"}, 8)
    for _ in range(8):
        game.perform(("SW",))
    monkeypatch.setattr(game.rules, "perform", None)
    game.undo(3)
    assert [len(position.waste) for position in game.positions()] == [0, 1, 2, 3, 4, 5]


def test_draws_that_leave_no_waste_are_told_one_by_one():
    game = game_of("klondike", {"draw": "1"}, 8)
    for draws in (1, 22, 2):  # the last one turns the waste over
        game.perform(*[("SW",)] * draws)
    first, many, last = game.lines(0)
    assert first == "SW  turn 1 card" and many.startswith("drew 22: ") and last == "SW; SW"


def test_a_command_of_several_moves_stops_when_the_game_is_over(monkeypatch):
    game = game_of("klondike", {})
    monkeypatch.setattr(game.rules, "check_win", lambda position: len(position.waste) == 6)
    game.perform(("SW",), ("SW",), ("SW",))
    assert game.commands[-1].moves == (("SW",), ("SW",)) and len(game.position.waste) == 6
