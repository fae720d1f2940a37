"""The solvers: a module for each game, and what they share. They know the games, but nothing about the frame."""

from __future__ import annotations

from typing import Any, Optional

Position = Any  # the cards on the table, in the form of the game's own module
Rules = Any  # a game's module, or what the frame makes of it
Move = tuple[Any, ...]  # a word and its numbers
Way = tuple[Optional[Any], bool]  # the steps that win, or None, and whether it is certain that there is no other way
