"""What is one game's alone in grading: the module grading/NAME.py, if a game has one."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from typing import Any


@functools.cache
def special_of(name: str | None) -> Any:
    """Return the module with what is alone a game's, or None if it has none."""
    full = f"grading.{name}"
    return importlib.import_module(full) if name and importlib.util.find_spec(full) else None
