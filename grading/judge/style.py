"""What the text of a program shows: its style, and which other programs it resembles. The text is read in the box."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from grading.box.boxes import ROOT
from grading.box.inside.outline import outline_of

MIN_FUNCTIONS, SHARE = 3, 0.8  # of functions, before they are called ours
MAX_NAMED = 3  # names in a remark


class Style(NamedTuple):
    """Remarks on a program's text, and the shapes it is compared by."""

    remarks: list[str]
    shapes: list[str]  # of its functions


NO_STYLE = Style([], [])


def style_of(outline: dict[str, Any] | None) -> Style:
    """Return the Style of a program from its outline, as outline_of returns it."""
    if outline is None:
        return NO_STYLE
    shapes = shapes_of(outline)
    return Style(remarks_on(outline) + remark_on_ours(shapes), shapes)


def remarks_on(outline: dict[str, Any]) -> list[str]:
    """Return sentences about points of style that the handout's notes and standard forbid: global variables in
    functions, functions within functions, functions without a docstring."""
    remarks = []
    for text, names in (
        ("Global variables are used in functions", outline["globals"]),
        ("Functions are defined inside functions", outline["nested"]),
        ("These functions have no docstring", [name for name, is_told, _ in outline["functions"] if not is_told]),
    ):
        if names:
            more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
            remarks.append(f"{text}: {', '.join(names[:MAX_NAMED])}{more}.")
    return remarks


def shapes_of(outline: dict[str, Any]) -> list[str]:
    """Return the shape of each function that is long enough to have one."""
    return [shape for _, _, shape in outline["functions"] if shape]


@functools.cache
def own_modules() -> dict[str, list[str]]:
    """Return the shapes of this project's modules: name of a file -> a list."""
    return {path.name: shapes_of(outline_of(path.read_bytes())) for path in sorted(ROOT.glob("*.py"))}


def remark_on_ours(shapes: list[str]) -> list[str]:
    """Return a list with a sentence if most of a program's functions come from one of this project's modules; else
    []."""
    for name, own in own_modules().items():
        same = sum(shape in own for shape in shapes)
        if same >= MIN_FUNCTIONS and same >= SHARE * len(shapes):
            return [f"It is this project's own {name}, except for names, values and blanks: {same} of its functions."]
    return []


def find_similar(programs: dict[str, list[str]]) -> list[list[str]]:
    """Return groups of names of programs whose functions are the same except for names, numbers, strings, blanks and
    their order. programs: name -> the shapes of its functions, without the short ones."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, shapes in programs.items():
        if shapes:
            groups.setdefault(tuple(sorted(shapes)), []).append(name)
    return [names for names in groups.values() if names[1:]]
