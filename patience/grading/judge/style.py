"""Remarks on the text of a program, which is read in the box."""

from __future__ import annotations

import functools
from typing import Any

from patience import COURSE
from patience.grading.box.inside.outline import outline_of

MIN_FUNCTIONS, SHARE = 3, 0.8  # of functions, before they are called ours
MAX_NAMED = 3  # names in a remark


def remarks_on(outline: dict[str, Any]) -> list[str]:
    """Return sentences about points of style that the handout's notes and standard forbid (global variables in
    functions, functions within functions, functions without a docstring), and one if it is this project's own program.
    outline: as outline_of returns it."""
    remarks = []
    for text, names in (
        ("Global variables are used in functions", outline["globals"]),
        ("Functions are defined inside functions", outline["nested"]),
        ("These functions have no docstring", [name for name, is_told, _ in outline["functions"] if not is_told]),
    ):
        if names:
            more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
            remarks.append(f"{text}: {', '.join(names[:MAX_NAMED])}{more}.")
    return remarks + remark_on_ours(shapes_of(outline))


def shapes_of(outline: dict[str, Any]) -> list[str]:
    """Return the shape of each function that is long enough to have one."""
    return [shape for _, _, shape in outline["functions"] if shape]


@functools.cache
def own_modules() -> dict[str, list[str]]:
    """Return the shapes of this project's modules: name of a file -> a list."""
    return {path.name: shapes_of(outline_of(path.read_bytes())) for path in sorted(COURSE.glob("*.py"))}


def remark_on_ours(shapes: list[str]) -> list[str]:
    """Return a list with a sentence if most of a program's functions come from one of this project's modules; else
    []."""
    for name, own in own_modules().items():
        same = sum(shape in own for shape in shapes)
        if same >= MIN_FUNCTIONS and same >= SHARE * len(shapes):
            return [f"This is the project's own {name} under other names, values and spacing: {same} of its functions."]
    return []
