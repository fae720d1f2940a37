"""What the text of a program shows."""

import re

import pytest

from patience.grading.box.inside.outline import outline_of
from patience.grading.judge import style
import main
from boxed import outline_in_box
from helpers import ROOT, make_folder

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
    assert style.remarks_on(outline_of(TEXT)) == [
        "Global variables are used in functions: count, names, tableau and 1 more.",
        "Functions are defined inside functions: helper.",
        "These functions have no docstring: two, A.four.",
    ]
    for name in main.GAMES:
        (remark,) = style.remarks_on(outline_of((ROOT / f"{name}.py").read_bytes()))
        assert remark.startswith(f"This is the project's own {name}.py")


def test_a_program_that_is_ours_is_found_under_other_names():
    ours = (ROOT / "montana.py").read_text(encoding="utf-8")
    other = ours.replace("tableau", "t").replace("    ", "\t").replace("13", "14").replace(" = ", "=")
    said = style.remarks_on(outline_of(other.encode()))[-1]
    assert said.startswith("This is the project's own montana.py under other names, values and spacing: ")
    assert not style.remarks_on(outline_of((ROOT / "tests" / "proj10.py").read_bytes()))


@pytest.mark.parametrize("text", [
    b"a" * (1 << 18), b"(\n" * (1 << 17), b"\\\n" * (1 << 17), b'"' * (1 << 16), b"-" * (1 << 18) + b"1",
    b"a + " * (1 << 16) + b"a", b"a = " * (1 << 13) + b"0", b"def f(): pass\n" * 3_000,
    b"".join(b" " * depth + b"def f():\n" for depth in range(700)) + b" " * 700 + b"pass", b"\\'" * 400_000, b"\xff\x00" * 999, b"",
])  # fmt: skip
def test_whatever_the_text_is_it_takes_a_moment_in_the_box(text, tmp_path):
    file = tmp_path / "proj10.py"
    file.write_bytes(text)
    outline = outline_in_box(file, file.name)
    assert outline is None or isinstance(style.remarks_on(outline), list)


def test_no_module_of_a_submission_is_run_to_read_its_text(tmp_path):
    """Neither a module that the codec named in its first line imports, nor one of ours."""
    folder = make_folder(tmp_path / "ada")
    for name in ("_codecs_cn", "ast", "json", "hashlib", "cards"):
        (folder / f"{name}.py").write_text("import os\nprint('[]')\nos._exit(0)\n", encoding="utf-8")
    (folder / "proj10.py").write_text("# coding: gb2312\ndef one(): pass\n", encoding="utf-8")
    assert outline_in_box(folder, "proj10.py")["functions"] == [["one", False, ""]]


@pytest.mark.parametrize("text, asks", [
    ("def f():\n    input = 3\n    return input\n", False), ("if __name__ == '__main__':\n    print(type(1).__name__)\n", False),
    ("def f(): return input('? ')\n", True), ("import sys\nfor line in sys.stdin: pass\n", True), ("def main(): pass\n", True),
    ("from sys import stdin\n", True), ("def f(): return input ('? ')\n", True),
])  # fmt: skip
def test_a_program_that_asks_for_input_is_known(text, asks):
    assert outline_of(text.encode())["asks"] == asks


def test_long_texts_and_annotations_are_read_too():
    text = 'Tableau = list\ndef f(a: Tableau) -> Tableau:\n    """Says."""\n    b: Tableau = a\n'
    text += "    if a: pass\n" + "    elif a: pass\n" * 1200 + "    return b" + " + a" * 1200 + "\n"
    outline = outline_of(text.encode())
    assert not style.remarks_on(outline) and style.shapes_of(outline)


@pytest.mark.parametrize("count, is_named", [(3, True), (2, False)])
def test_three_functions_of_ours_are_enough_to_name_it(count, is_named):
    ours = (ROOT / "montana.py").read_text(encoding="utf-8")
    functions = re.findall(r"(?ms)^def \w+.*?(?=\n\n\n|\Z)", ours)
    long = sorted(functions, key=len)[-count:]
    said = style.remarks_on(outline_of(("import cards, random\n" + "\n\n\n".join(long) + "\n").encode()))
    assert any("the project's own montana.py" in remark for remark in said) == is_named, said
