"""What is true of everything of a kind, tested in loops over seeds."""

import random

import pytest

import main
from grading.report import tables
from helpers import run
from patience.lines import commands_in

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
