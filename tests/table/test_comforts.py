"""What a player is offered, or asked: the end of a game, a turn thrown away, a question that is left by Ctrl-C."""

import re

import pytest

import helpers
import main
from helpers import PROMPT, SCRIPTS
from patience.records import savefile
from solvers.advice import wins_at_once

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import QUESTION, answer_to, start, type_lines


def test_a_game_that_finishes_itself_is_offered_and_enter_plays_it_as_one_move(home, tmp_path):
    text = (SCRIPTS / "klondike-1-win.in").read_text().removesuffix("n\n")
    game = savefile.parse(text, main.GAMES, SCRIPTS)
    wins = [bool(wins_at_once(game.rules, position)) for position in game.positions()]
    game.undo(len(game.moves) - wins.index(True) + 1)
    line = game.rules.write(*game.undone[-1])
    file = tmp_path / "game.txt"
    savefile.write(file, game)
    table = start(f"klondike --save {file}")
    shown = answer_to(table, line)
    assert "Enter plays the last " in shown and "Enter plays" not in answer_to(table, "undo")
    assert "Enter plays the last " in answer_to(table, "redo")
    assert "You won!" in answer_to(table, "", QUESTION)
    assert "Undone: play all cards" in answer_to(table, "u")
    table.kill()


def test_a_turn_in_which_nothing_was_moved_is_not_ended_unasked(home):
    rules = helpers.rules_of("quadzilla")
    for seed in range(30):  # until a turn ends by itself
        position = helpers.deal(rules, {"difficulty": "hard"}, seed)
        lines, turn = [], position.turn
        while position.turn == turn and (moves := [move for move in rules.legal_moves(position) if move[0] == "M"]):
            lines.append(rules.write(*moves[-1]))
            rules.perform(position, *moves[-1])
        if position.turn > turn and not position.lost and rules.doubt(position, "D"):
            break
    table = start(f"quadzilla --difficulty hard --seed {seed}")
    type_lines(table, *lines)
    assert f"Turn {position.turn} of" in table.shown
    question = "Nothing was moved in this turn. End it (y/n)? "
    answer_to(table, "d", question)
    assert "Cancelled." in answer_to(table, "n")
    answer_to(table, "d", question)
    table.interrupt()
    assert "Cancelled." in table.wait_for(PROMPT), "Ctrl-C is no"
    answer_to(table, "d", question)
    assert "(y/n)" not in answer_to(table, "y") + answer_to(table, "d"), "the second time it is meant"
    table.kill()


def test_ctrl_c_at_the_question_of_the_solver_is_no(home):
    table = start("klondike --seed 8")
    table.type("solve\n")
    table.wait_for("Look under the cards (y/n)? ")
    table.interrupt()
    assert "Cancelled." in table.wait_for(PROMPT) and "AC" not in table.shown
    assert "1 move" in answer_to(table, "ac")
    table.kill()


def test_several_draws_are_one_entry_of_the_history_and_one_step_of_undo(home):
    table = start("klondike --draw 1 --seed 8")
    type_lines(table, "ac", "d all")
    top = re.search(r"\[(\S+)\]", answer_to(table, "board"))[1]
    shown = answer_to(table, "history 99")
    assert re.fullmatch(rf" +1  A♣ to a foundation +2-25  drew 24: {top} on the waste\s*", shown)
    assert "Undone: 24 draws" in answer_to(table, "undo") and "Redone: 24 draws" in answer_to(table, "redo")
    assert "25 moves" in answer_to(table, "undo; redo") and "24 moves" in answer_to(table, "undo 1")
    assert "25 moves" in answer_to(table, "redo") and "1 move " in answer_to(table, "undo; undo 23")
    type_lines(table, "d 9")
    assert re.search(r"2  drew: \S+ on the waste", answer_to(table, "history"))
