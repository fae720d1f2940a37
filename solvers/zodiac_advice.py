"""Advice for Zodiac."""

from solvers.advice import advise_openly, advise_to_see


def advise(view):
    """Return an Advice for what a player sees. The stock is turned through first, which costs nothing, and
    then nothing is hidden."""
    if not view.hidden:
        return advise_openly(view)
    return advise_to_see(view, ("D",), len(view.game.stock))
