"""A game in a student's file: the file is run without letting it play."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import click

from patience import limits, rules
from patience.rules import Rules
from patience.text import error_text, printable


def load_file(file: str, games: dict[str, str]) -> Rules:
    """Return the Rules of a game in a file: a program for the Montana assignment, or a module that follows
    docs/contract.md and is added to the games. Loading does not start the game. Raises click.ClickException if the file
    cannot be read or started."""
    module = types.ModuleType(Path(file).stem)
    known = sys.modules.get(module.__name__)
    is_known = known is not None or module.__name__ in games  # the file goes by its own rules all the same
    try:
        run_file(Path(file), module)
    finally:
        if is_known:
            sys.modules.pop(module.__name__, None)
            sys.modules.update({module.__name__: known} if known else {})
    is_montana = hasattr(module, "shuffle_tableau") or len(signature_of(module, "move")) == 5
    games.update({} if is_montana or is_known else {module.__name__: ""})
    game_rules = rules.rules_in("montana", module) if is_montana else rules.Rules(module)
    game_rules.file = file
    for name, function in vars(game_rules).items() if not is_montana else ():
        if inspect.isfunction(function):
            setattr(game_rules, name, functools.partial(limits.call_limited, name, function))
    return game_rules


def run_file(path: Path, module: ModuleType) -> None:
    """Run a student's file in a module, and make it known under its name. A bare call to main() is left out, and any
    other input() call finds that the input has ended. Raises click.ClickException."""
    try:
        tree = ast.parse(path.read_bytes(), str(path))
        tree.body = [node for node in tree.body if ast.unparse(node) != "main()"]
        code = compile(tree, str(path), "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise click.ClickException(printable(f"{path}: {error_text(error)}")) from None
    sys.path.append(str(path.parent))
    sys.modules[path.stem] = module  # as dataclasses want it
    module.__file__ = str(path)
    module.__dict__.update(input=refuse_to_ask, quit=sys.exit, exit=sys.exit)  # site's quit() closes standard input
    try:
        with contextlib.redirect_stdout(io.StringIO()), limits.limited_time():
            exec(code, vars(module))
    except (EOFError, SystemExit):
        pass  # the file starts to play after defining its functions
    except limits.OutOfTime as late:
        where = f"line {limits.end_at_function(late.__traceback__)} after {limits.SECONDS} seconds"
        raise click.ClickException(printable(f"{path} did not finish loading: it was at {where}.")) from None
    except Exception as error:
        raise click.ClickException(f"{path} does not start.\n{rules.describe_error(error, path.stem)}") from None


def refuse_to_ask(_: str = "") -> str:
    """Replace input() while a file is loaded."""
    raise EOFError


def signature_of(module: ModuleType, name: str) -> Sequence[str]:
    """Return a function's parameter names, or () if the module has no such function."""
    function = getattr(module, name, None)
    return [*inspect.signature(function).parameters] if inspect.isfunction(function) else ()
