"""Strings: card names, counts, times, command lines, a game's sentences, and text from files, made printable."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import cards

if TYPE_CHECKING:
    from patience import Pair, Position

RANKS = {name: rank for rank, name in enumerate("A 2 3 4 5 6 7 8 9 10 J Q K".split(), start=1)}
SUITS = {name: suit for suit, name in enumerate("CDHS", start=1)}
SIGNS = "♣♦♥♠"  # of the suits
LETTERS = str.maketrans(f"{SIGNS}·—", "CDHS--")  # for a terminal without symbols
SYMBOLS = str.maketrans(SIGNS, "CDHS", "\ufe0e\ufe0f")  # phones write one of these after a symbol
MAX_BYTES = 1 << 24  # in a file to be read
YES_NO = ("y", "n")
NO = ("n", "no", "q", "quit")  # q is the end of the input, and Escape
CARD = re.compile("(10|[2-9AJQK])([♣♦♥♠])")  # as the board shows it: its rank and suit


def read_at_most(path: str | os.PathLike[str], most: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file. Raises OSError if the file cannot be read, ValueError if its length exceeds most. It
    reads only one byte more than most, because a device may never end."""
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it is longer than {most >> 10:,} KB.")
    return data


def text_of(data: bytes, errors: str = "strict") -> str:
    """Return the text of a file as written by spreadsheets and Windows. errors: as for bytes.decode. Raises
    ValueError."""
    encoding = "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    try:
        return data.decode(encoding, errors)
    except UnicodeError:
        raise ValueError(f"it is not {encoding[:6].upper().rstrip('-')}: save it as UTF-8.") from None


def read_text(path: str | os.PathLike[str], most: int = MAX_BYTES) -> str:
    """Return the text of a file, as read_at_most and text_of read it, with plain line ends."""
    return text_of(read_at_most(path, most), "replace").replace("\r\n", "\n")


def commands_in(line: str) -> list[str]:
    """Return the semicolon-separated commands in a line. An empty line is an empty command, but a line of semicolons
    has no commands."""
    return [part.strip() for part in line.split(";") if part.strip()] if ";" in line else [line]


def can_show(stream: Any, text: str) -> bool:
    """Return True if a stream can show this text in its encoding."""
    return text == text.encode(stream.encoding, "ignore").decode(stream.encoding)


def capture_display(display: Callable[[Position], None], position: Position) -> str:
    """Return what a game's display prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        display(position)
    return text.getvalue()


def card_of(word: str) -> Pair | None:
    """Return the (rank, suit) of a card such as 10H, th, qs or A♣, or None if the word is not a card."""
    name = word.upper().translate(SYMBOLS)
    rank, suit = RANKS.get("10" if name[:-1] == "T" else name[:-1]), SUITS.get(name[-1:])
    return (rank, suit) if rank and suit else None


def card_name(pair: Pair) -> str:
    """Return a card as it is written in a deck file: (10, 3) is 10H."""
    rank, suit = pair
    return list(RANKS)[rank - 1] + list(SUITS)[suit - 1]


def card_text(pair: Pair) -> str:
    """Return a card as the board shows it."""
    return str(cards.Card(*pair)).strip()


def count_of(number: int, noun: str) -> str:
    """Return a count with its noun: 1 move, 3 moves."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shell_line(words: str = "") -> str:
    """Return a command line of this program: `patience` if it is installed, `python patience.pyz` as one file, `python
    -m patience` if it was started that way, or else `python main.py`."""
    folder, program = os.path.split(sys.argv[0])
    if program.endswith(".pyz"):
        program = f"python {program}"
    elif program == "__main__.py" and os.path.basename(folder) == "patience":  # and not pytest's
        program = "python -m patience"
    else:
        program = "patience" if program.startswith("patience") else "python main.py"
    return f"{program} {words}".rstrip()


def minutes(seconds: float | None) -> str:
    """Return a time as minutes and seconds, 3:07, or - for None."""
    return "-" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def printable(text: object) -> str:
    """Return text from a file, or a file name, made safe to print: control characters are escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in str(text))


def tidy(text: str) -> str:
    """Return a game's sentences without the extra spaces that some cards modules put before a rank."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def is_yes(answer: str | None) -> bool:
    """Return True if the answer to a question is yes. answer: None if there was none."""
    return (answer or "").lower() in (YES_NO[0], "yes")


def error_text(error: BaseException) -> str:
    """Return the message of an OSError or ValueError, without the error number and the file name."""
    return getattr(error, "strerror", None) or str(error)


def resolve_prefix(word: str, names: Iterable[str]) -> str | None:
    """Return the name that equals a word, or the only name that begins with it, ignoring case; or None."""
    matches = [name for name in names if name.startswith(word.lower())]
    return word.lower() if word.lower() in matches else matches[0] if len(matches) == 1 else None
