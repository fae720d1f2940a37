#!/usr/bin/env python3
"""Patience games for the terminal: the list of the games."""

import sys

try:
    import click
except ImportError:
    sys.exit(
        "click is missing. Install it with: "
        "python3 -m pip install -r requirements.txt"
    )
except KeyboardInterrupt:
    sys.exit(130)

try:
    from patience import cli
except ModuleNotFoundError as error:
    if error.name != "patience":
        raise
    sys.exit(
        "The program's own folder is not on Python's path: "
        "start it without -I, -P or PYTHONSAFEPATH."
    )
except KeyboardInterrupt:
    sys.exit(130)

# The games: module name, and its description in the list of games.
GAMES = {
    "montana": "Sort the suits into four rows, a card at a time into a blank.",
    "quadzilla": "Clear fours of a suit in 13 turns, but mind the Quadzilla.",
    "desturado": "Stack the whole board into your hand, by value and by suit.",
    "zodiac": "Two packs: 24 piles around the Equator, then eight foundations.",
    "klondike": "Columns down in alternating colours, foundations up in suit.",
}
main = cli.program(GAMES)

if __name__ == "__main__":
    main(complete_var="_MAIN_PY_COMPLETE")
