"""What a session knows besides the game: its settings, and what it remembers of the current game."""

from __future__ import annotations

import time
from collections import namedtuple
from dataclasses import dataclass, field

from patience.effects import Effect
from patience.game import fresh_number

# next_number: a function that returns the number of the next deal, or None to continue the stream of random. seconds:
# the solver's time limit. warns: warn the player once the game is lost. is_written: the game is written to a file when
# the player leaves. goes_up: cards that no other card will need go to the foundations by themselves.
Settings = namedtuple(
    "Settings", "next_number seconds warns is_written goes_up", defaults=[fresh_number, 10, False, False, False]
)


@dataclass
class Notes:
    """What is remembered of the current game while it is played."""

    warned: bool = False  # True once the player knows that it cannot be won
    outcome: str | None = ""  # of today's deal, if it was played before
    is_new_win: bool = False  # True if the last command saved made it a win
    offer: str = ""  # what Enter plays, if it wins
    failure: str = ""  # why the game could not be saved
    listed: tuple = (None, [])  # the commands when moves were listed, and those moves: a number plays one
    effect: Effect | None = None  # the Effect of the last command, unless it was taken back
    since: float = field(default_factory=time.monotonic)  # when playing time was last counted
