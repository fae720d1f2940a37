"""Strings: numbers of things, times, command lines, a game's sentences, what may be shown of a file."""

import os
import sys


def count_of(number, what):
    """Return a number of things in words: 1 move, 3 moves."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def command(words=""):
    """Return a command line of this program: as `patience`, if it was installed, or as python main.py."""
    program = "patience" if os.path.basename(sys.argv[0]).startswith("patience") else "python main.py"
    return f"{program} {words}".rstrip()


def minutes(seconds):
    """Return a time as minutes and seconds, 3:07, or - for None."""
    return "-" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def printable(text):
    """Return a text from a file, or its name, so that it can be shown: escape sequences as letters."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in str(text))


def tidy(text):
    """Return a game's sentences without the blanks that some cards modules put before a rank."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def error_text(error):
    """Return what an OSError or a ValueError says, without its number and the file's name."""
    return getattr(error, "strerror", None) or str(error)
