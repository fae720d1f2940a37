"""In the box: what the text of a submission has, as ast reads it. Nothing of it is run."""

from __future__ import annotations

import ast
import hashlib
import json

TYPE_CHECKING = False  # True for mypy; typing would be one more import before every submission
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
ASKS = {"input", "stdin", "__name__"}  # what a program of its own asks by, or for
MIN_NODES = 20  # of a function that has a shape


def outline_of(text: bytes) -> dict[str, Any]:
    """Return what a program has: functions, a list of [name, whether it has a docstring, shape, or "" if it is short],
    methods as Class.name; nested, the names of functions within functions; globals, the variables that are set outside
    of functions, and used in one that does not set them; asks, whether it is a program that asks for input. Raises
    what Python raises for a text that it cannot read."""
    module = ast.parse(text)
    found = [*functions_in(module)]
    outer = [(name, function) for name, function, is_nested in found if not is_nested]
    known = {name for node in targets_outside(module) for name in names_set(node)}
    used = {name for _, function in outer for name in globals_in(function, known)}
    words = {getattr(node, field, "") for node in ast.walk(module) for field in ("id", "attr", "name")}
    return {
        "functions": [(name, bool(ast.get_docstring(one, False)), shape_of(one)) for name, one in outer],
        "nested": [name for name, _, is_nested in found if is_nested],
        "globals": sorted(name for name in used if not name.isupper()),  # capitals are constants
        "asks": bool(ASKS & words) or "main" in dict(outer),
    }


def functions_in(node: ast.AST, around: str = "", is_nested: bool = False) -> Iterator[tuple[str, Any, bool]]:
    """Yield (name, function, whether it stands in another) of the functions in a part of a program, in their order."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTION):
            yield around + child.name, child, is_nested
            yield from functions_in(child, "", True)
        elif not isinstance(child, ast.expr):
            yield from functions_in(child, f"{child.name}." if isinstance(child, ast.ClassDef) else around, is_nested)


def targets_outside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is set in a part of a program, but for functions and classes."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*FUNCTION, ast.ClassDef, ast.expr)):
            yield from getattr(child, "targets", [])
            yield from filter(None, [getattr(child, "target", None)])
            yield from targets_outside(child)


def names_set(node: ast.AST) -> set[str]:
    """Return the names of the variables that are set in a part of a program."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def globals_in(function: ast.AST, known: set[str]) -> set[str]:
    """Return which of some variables a function uses, or changes, as global ones."""
    own, declared = names_set(function), set()
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            declared |= {*node.names}
        elif isinstance(node, ast.alias):
            own.add(node.asname or node.name.split(".")[0])
        elif isinstance(node, (*FUNCTION, ast.ClassDef, ast.ExceptHandler)):
            own.add(node.name or "")
        elif isinstance(node, ast.arg):
            own.add(node.arg)
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return declared | used & known - own


def shape_of(function: ast.AST) -> str:
    """Return what is left of a function if names, numbers, texts, comments and blanks may be others: a hash."""
    kinds = [*kinds_in(function)]
    return hashlib.sha256(" ".join(kinds).encode()).hexdigest() if len(kinds) >= 2 * MIN_NODES else ""


def kinds_in(node: ast.AST) -> Iterator[str]:
    """Yield the kind of a node, those of what stands in it, and its end; no docstrings."""
    yield type(node).__name__
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr_context) and not is_text(child):
            yield from kinds_in(child)
    yield ")"


def is_text(node: ast.AST) -> bool:
    """Return True for a statement that is nothing but a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def run(settings: dict[str, Any]) -> None:
    """Print the outline of the program of the settings."""
    with open(settings["file"], "rb") as file:
        print(json.dumps(outline_of(file.read())))
