"""Advice for Zodiac."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patience.solvers.advice import advise_openly, advise_to_see

if TYPE_CHECKING:
    from patience.solvers.advice import Advice, Known


def advise(known: Known) -> Advice:
    """Return an Advice for what a player sees. The stock is turned through first, which costs nothing; after that,
    nothing is hidden."""
    if not known.hidden:
        return advise_openly(known)
    return advise_to_see(known, ("D",), len(known.game.stock))
