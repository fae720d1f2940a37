"""Which games a player has seen: whoever opens one for the first time is told what it is about."""

import contextlib
import os

from patience.game.files import application_folder, must_be_file


def is_first_time(name):
    """Return True if a player opens the game of this name for the first time, and remember it."""
    path = os.path.join(application_folder(), "seen")
    with contextlib.suppress(OSError):
        os.makedirs(application_folder(), 0o700, exist_ok=True)
        must_be_file(path)
        with open(path, "a+", encoding="utf-8", errors="replace") as names:
            names.seek(0)
            if name in names.read().split():
                return False
            names.write(f"{name}\n")
    return True
