"""What is seen in the text of a program."""

import time

import pytest

from grading.judge import style
from helpers import ROOT

TEXT = b'''
import cards
LIMIT, (width) = 3, 4
tableau, count = [], 0
names: list = []

def main():
    """Says x."""
    def helper(x):
        return x
    global count
    count += LIMIT
    print(tableau, width)

def two(tableau): return tableau[0]

def three(a,
          b=2):
    r"""Says "names"."""
    names = 3  # count
    for count in range(3): pass
    return f(tableau=a, x=names).count

class A:
    def four(self):
        names[0] = "count"
'''


def test_what_the_standard_forbids_is_named():
    assert style.remarks_on(TEXT) == [
        "Global variables are used in functions: count, names, tableau and 1 more.",
        "Functions are defined inside functions: helper.",
        "These functions have no docstring: two, four.",
    ]
    for name in ("montana", "quadzilla", "desturado", "zodiac", "klondike"):
        assert not style.remarks_on((ROOT / f"{name}.py").read_bytes()), name


def test_a_program_that_is_ours_or_anothers_is_found_under_other_names():
    ours = (ROOT / "montana.py").read_bytes()
    other = ours.replace(b"tableau", b"t").replace(b"    ", b"\t").replace(b"13", b"14").replace(b"=", b" = ")
    other = other.replace(b" =  = ", b" == ")
    assert style.remark_on_ours(other)[0].startswith("It is this project's own montana.py, but for names and blanks: ")
    assert not style.remark_on_ours((ROOT / "tests" / "proj10.py").read_bytes())
    first, second = b"def a():\n    x = %s\n" % (b"y + " * 40), b"def b(q):\n    for x in q: print(x)\n" * 9
    programs = {"ada": first + b"0\n" + second, "bob": second + first.replace(b"y", b"n") + b"7\n", "cid": second}
    assert style.find_similar(programs) == [["ada", "bob"]]


@pytest.mark.parametrize("text", [
    b"a" * (1 << 20), b"a:" * (1 << 19), b" " * (1 << 20) + b"a", b"(\n" * (1 << 19), b"\\\n" * (1 << 19), b'"' * (1 << 20),
    b"def f():\n a," * 80_000, b"for a" + b", " * (1 << 19), b"".join(b" " * depth + b"def f():\n" for depth in range(1400)),
    b"a = " * (1 << 18), b"\xff\x00" * 999, b"",
])  # fmt: skip
def test_whatever_the_text_is_it_takes_a_moment(text):
    start = time.process_time()
    assert isinstance(style.remarks_on(text) + style.remark_on_ours(text), list)
    assert time.process_time() - start < 20  # and not hours
