"""The sessions, functions and settings used to grade submissions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from patience.grading.box.boxes import Files
    from patience.grading.courses.function_calls import Rule
    from patience.grading.courses.script import Session


class Assignment(NamedTuple):
    """The sessions, functions and settings used to grade submissions."""

    sessions: list[Session]
    rules: Sequence[Rule]  # of the functions
    game: str | None  # whose functions they are
    cards: Path  # the cards.py that they are given
    seconds: float  # of processor time
    weights: dict[str, float]  # name of a part -> points
    sandbox: str  # one of sandboxes.SANDBOXES
    boxes: str  # the folder for boxes

    @property
    def files(self) -> Files:
        """The files in each box in addition to the submission."""
        return {"cards.py": self.cards}
