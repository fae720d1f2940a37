"""What is true of everything of a kind, tested in loops over seeds."""

import random

import pytest

import helpers
import main
from grading.courses import answers
from grading.report import tables
from helpers import run
from patience import rules
from patience.decks import Deal
from patience.game import Game
from patience.lines import commands_in
from solvers.positions import preserve_random_state

LETTERS = "ab'=+-@\t\r\n;(,\"é♣\ue000 "
SEEDS = range(300)


def texts(length):
    """Yield texts of letters that mean something somewhere."""
    for seed in SEEDS:
        chance = random.Random(seed)
        yield "".join(chance.choices(LETTERS, k=chance.randrange(length)))


def test_a_name_in_a_table_is_read_as_it_was_and_is_no_formula():
    for text in texts(8):
        escaped = tables.escape(text)
        assert tables.unescape(escaped) == text and not escaped.startswith((*tables.FORMULA, tables.OURS)), repr(text)


def test_an_answer_is_like_itself():
    for path in sorted(helpers.COURSE.glob("*.out")):
        for answer in answers.split_at_prompts(path.read_text(), ["Enter choice: "]):
            assert answers.compare(answer, answer, ["Enter choice: "]) == ()
            assert answers.is_same_board(answer, answer) and answers.is_same_layout(answer, answer)


@pytest.mark.parametrize("name", main.GAMES)
def test_a_move_that_is_written_is_read_as_it_was(name):
    game_rules = rules.load(name)
    with preserve_random_state():
        for seed in range(3):
            game = Game(Deal(game_rules, {option: choices[0] for option, choices in game_rules.OPTIONS.items()}, seed))
            chance = random.Random(seed)
            for _ in range(12):
                legal = game.legal_moves()
                for move in legal:
                    assert rules.read(game_rules, game_rules.write(*move)) == move
                if not legal or game.outcome():
                    break
                game.perform(chance.choice(legal))


def test_a_line_is_cut_into_commands_that_are_cut_no_more():
    for text in texts(30):
        for command in commands_in(text.replace("\n", " ")):
            assert commands_in(command) == [command], repr(text)


@pytest.mark.parametrize("name", main.GAMES)
def test_any_bytes_can_be_typed(name):
    chance = random.Random(name)
    typed = b"".join(bytes(chance.choices(range(256), k=chance.randrange(12))) + b"\n" for _ in range(400))
    done = run([name, "--seed", "8"], typed)
    assert done.returncode == 0 and not done.stderr
