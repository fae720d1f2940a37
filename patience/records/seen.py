"""Which games a player has seen: whoever opens one for the first time is told what it is about."""

import contextlib
import os

from patience.game.files import made_folder, must_be_file


def is_first_time(name):
    """Return True if a player opens the game of this name for the first time, and remember it."""
    with contextlib.suppress(OSError):
        path = os.path.join(made_folder(), "seen")
        must_be_file(path)
        with open(path, "a+", encoding="utf-8", errors="replace") as names:
            names.seek(0)
            if name in names.read().split():
                return False
            names.write(f"{name}\n")
    return True
