"""In the box: what the text of a submission contains, found with ast. Nothing is run."""

from __future__ import annotations

import ast
import hashlib
import json

TYPE_CHECKING = False  # True for mypy; typing would be one more import before every submission
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
MIN_NODES = 20  # needed for a function to have a shape


def outline_of(text: bytes) -> dict[str, Any]:
    """Return the outline of a program. functions: a list of [name, whether it has a docstring, its shape ("" if it is
    short)], methods as Class.name. nested: the names of functions within functions. globals: the variables that are set
    outside functions and used in a function that does not set them. asks: whether it asks for input. Raises whatever
    Python raises for text that it cannot read."""
    module = ast.parse(text)
    for node in ast.walk(module):  # names in annotations do not count as variables
        for field in {"annotation", "returns"}.intersection(node._fields):
            setattr(node, field, None)
    found = [*functions_in(module)]
    outer = [(name, function) for name, function, is_nested in found if not is_nested]
    known = {name for node in targets_outside(module) for name in names_set(node)}
    used = {name for _, function in outer for name in globals_in(function, known)}
    return {
        "functions": [(name, bool(ast.get_docstring(one, False)), shape_of(one)) for name, one in outer],
        "nested": [name for name, _, is_nested in found if is_nested],
        "globals": sorted(name for name in used if not name.isupper()),  # capitals are constants
        "asks": "main" in dict(outer) or any(map(asks, ast.walk(module))),
    }


def functions_in(module: ast.AST) -> Iterator[tuple[str, Any, bool]]:
    """Yield (name, function, whether it is inside another) for the functions of a program, in order."""
    waiting: list[tuple[Any, str, bool]] = [(module, "", False)]  # a part, the class around it, whether in a function
    while waiting:
        node, around, is_nested = waiting.pop()
        if isinstance(node, FUNCTION):
            yield around + node.name, node, is_nested
            around, is_nested = "", True
        elif isinstance(node, ast.ClassDef):
            around = f"{node.name}."
        parts = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
        waiting += [(child, around, is_nested) for child in reversed(parts)]


def targets_outside(module: ast.AST) -> Iterator[ast.AST]:
    """Yield what a program sets outside functions and classes."""
    parts = [module]
    for node in parts:
        yield from getattr(node, "targets", [])
        yield from filter(None, [getattr(node, "target", None)])
        inner = ast.iter_child_nodes(node)
        parts += [child for child in inner if not isinstance(child, (*FUNCTION, ast.ClassDef, ast.expr))]


def names_set(node: ast.AST) -> set[str]:
    """Return the names of the variables that are set in a part of a program."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def asks(node: Any) -> bool:
    """Return True for a call of input(), or for standard input."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "input"
    return "stdin" in (getattr(node, field, "") for field in ("id", "attr", "name"))


def globals_in(function: ast.AST, known: set[str]) -> set[str]:
    """Return which of these variables a function uses or changes as globals."""
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
    """Return a hash of a function's parts: their kinds, and how many of each there are. It stays the same if names,
    numbers, strings, comments or blanks change."""
    parts, kinds = [function], []
    for node in parts:
        inner = [child for child in ast.iter_child_nodes(node) if not is_left_out(child)]
        parts += inner
        kinds.append(f"{type(node).__name__} {len(inner)}")
    return hashlib.sha256(" ".join(kinds).encode()).hexdigest() if len(kinds) >= MIN_NODES else ""


def is_left_out(node: ast.AST) -> bool:
    """Return True for a docstring, and for a part that adds nothing to its parent."""
    return isinstance(node, ast.expr_context) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def run(settings: dict[str, Any]) -> None:
    """Print the outline of the program named in the settings."""
    with open(settings["file"], "rb") as file:
        print(json.dumps(outline_of(file.read())))
