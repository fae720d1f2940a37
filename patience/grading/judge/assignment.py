"""The sessions, functions and settings used to grade submissions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from patience.grading.box.boxes import Files
    from patience.grading.courses.function_calls import Call
    from patience.grading.courses.script import Session


class Assignment(NamedTuple):
    """The sessions, functions and settings used to grade submissions."""

    sessions: list[Session]
    calls: list[Call]  # of a game's functions
    answers: list[dict[str, Any]]  # the right answers to the calls
    game: str | None  # whose functions they are
    cards: Path  # the cards.py that they are given
    seconds: float  # of processor time
    weights: dict[str, float]  # name of a part -> points
    sandbox: str  # one of sandboxes.SANDBOXES
    boxes: str  # the folder for boxes
    lacks_main: bool = False  # the submission is only functions, and gets the course's main()

    @property
    def files(self) -> Files:
        """The files in each box in addition to the submission."""
        return {"cards.py": self.cards}
