"""The solvers: a module for each game, and what they share. They know the games, but nothing about the table."""

from __future__ import annotations

from typing import Any, Optional

from patience import Move as Move, Position as Position
from patience.positions import Rules as Rules

Way = tuple[Optional[Any], bool]  # the steps that win, or None, and whether it is certain that there is no other way
