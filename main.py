#!/usr/bin/env python3
"""Patience games for the terminal: the list of the games."""

import gc
import os
import signal
import sys

gc.disable()  # until the games are listed: nothing that is loaded needs to be collected
if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # Ctrl-C before a command has started
try:
    import click
except ImportError:
    sys.exit("click is missing. Install it with: python3 -m pip install -r requirements.txt")

try:
    from patience import cli
except ModuleNotFoundError as error:
    if error.name != "patience":
        raise
    sys.exit("The program's own folder is not on Python's path: start it without -I, -P and PYTHONSAFEPATH.")

# The games: module name, and what the list of games says about it.
GAMES = {
    "montana": "Sort the suits into four rows, one card at a time into a blank.",
    "quadzilla": "Clear fours of a suit in thirteen turns, but mind the Quadzilla.",
    "desturado": "Stack the whole board into your hand, by value and by suit.",
    "zodiac": "Two packs: 24 piles around the Equator, then eight foundations.",
    "klondike": "Columns down in alternating colours, foundations up in suit.",
}
main = cli.program(GAMES, {"grade": ("grading.command", "Grade students' programs.")})

if __name__ == "__main__":
    main(complete_var="_MAIN_PY_COMPLETE")
