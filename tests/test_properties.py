"""What is true of any text, tested with texts drawn at random."""

import random

import pytest

import main
from grading.report import tables
from helpers import run

LETTERS = "ab'=+-@\t\r\n;(,\"é♣\ue000 "


def test_a_name_in_a_table_is_read_as_it_was_and_is_no_formula():
    chance = random.Random(1)
    for _ in range(300):
        text = "".join(chance.choices(LETTERS, k=chance.randrange(8)))
        escaped = tables.escape(text)
        assert tables.unescape(escaped) == text and not escaped.startswith((*tables.FORMULA, tables.OURS)), repr(text)


@pytest.mark.parametrize("name", main.GAMES)
def test_any_bytes_can_be_typed(name):
    chance = random.Random(name)
    typed = b"".join(bytes(chance.choices(range(256), k=chance.randrange(12))) + b"\n" for _ in range(400))
    done = run([name, "--seed", "8"], typed)
    assert done.returncode == 0 and not done.stderr
