"""Answers: what a program prints from one question to the next, compared with what a session expects there.

An answer ends with the question that follows it. Boards are compared by their cells: a card counts at its place in its
row, and blank cells count too."""

from __future__ import annotations

import difflib
import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import repeat
from typing import Any

from patience.text import card_of, tidy

# What is not quite right in an answer that is otherwise right.
BLANKS, LINES, MISSING, FORM, PROMPT, TEXT = (
    "spaces or newlines", "extra lines", "a line is missing", "the right board, laid out differently",
    "the text of a prompt", "the text of a message",
)  # fmt: skip
LIKE = 0.8  # of two texts that differ by a few letters
MAX_EXTRA = 2  # extra lines allowed in an answer that is otherwise right
NUMBERS = re.compile(r"[\s\d]*\d[\s\d]*")  # of columns
WON = "You won!"
CELL = re.compile(r"(?<![\w-])((?:10|[2-9TAJQK])[♣♦♥♠CDHScdhs]|XX|--)(?![\w-])")
LABEL = re.compile(
    r"\s*(?:row\s*\w+(?:\s*[:.|)])?|\w+\s*[:.|)]|\d+(?=\s))", re.IGNORECASE
)  # of a row: the text to its left
EMPTY_ROW = re.compile(r"\s*\d+\s*[:.|)]\s*")  # which has only a label
COLOR = re.compile(r"\x1b\[[0-9;]*m")


@functools.lru_cache
def pattern_of(prompts: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that matches these prompts, even if their blanks differ."""
    patterns = [
        r"\s+".join(map(re.escape, prompt.split())) + "[ \t]{0,%d}" % (len(prompt) - len(prompt.rstrip()))
        for prompt in prompts
    ]
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)))


def split_at_prompts(text: str, prompts: Sequence[str]) -> list[str]:
    """Return the answers in text, each with the prompt that ends it."""
    ends = [match.end() for match in pattern_of(tuple(prompts)).finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)])]


def cells_in(line: str) -> list[tuple[int, str]]:
    """Return where the cells of a line begin, and their contents: a card, XX or --."""
    return [(match.start(1), match[1]) for match in CELL.finditer(line)]


@functools.lru_cache(maxsize=1000)  # a right board is compared with the same text for every submission
def cells_of(text: str) -> list[Any]:
    """Return the board in text: for each row with cards, a tuple of (number of the cell, card or XX or --)."""
    rows = []  # label's end, and [start, text] of each cell
    for line in COLOR.sub("", text).split("\n"):
        label = LABEL.match(line)
        cells = cells_in(line)
        if len(cells) > 1 or cells and label or EMPTY_ROW.fullmatch(line):
            rows.append((label.end() if label and cells and label.end() <= cells[0][0] else 0, cells))
    gaps = Counter(after - before for _, cells in rows for (before, _), (after, _) in zip(cells, cells[1:]))
    width = max(1, gaps.most_common(1)[0][0]) if gaps else 4
    board = [tuple(((start - left) // width, card_of(card) or card) for start, card in cells) for left, cells in rows]
    while len(board) > 1 and len(board) % 2 == 0 and board[: len(board) // 2] == board[len(board) // 2 :]:
        board = board[: len(board) // 2]  # it is shown twice
    return board


def is_same_board(text: str, other: str) -> bool:
    """Return True if two texts show the same board."""
    return cells_of(text) == cells_of(other) or is_same_layout(text, other)


def is_same_layout(text: str, other: str) -> bool:
    """Return True if two texts show the same cards in the same places, whatever text is around them. All rows may be
    shifted by the same amount, and a card by one character."""
    rows, others = (
        [cells_in(line) for line in COLOR.sub("", shown).split("\n") if CELL.search(line) or EMPTY_ROW.fullmatch(line)]
        for shown in (text, other)
    )
    if [[card for _, card in row] for row in rows] != [[card for _, card in row] for row in others]:
        return False
    starts, begins = ([start for row in board for start, _ in row] for board in (rows, others))
    shifts = [start - begin for start, begin in zip(starts, begins)]
    return not shifts or max(shifts) - min(shifts) <= 1


def share_of_lines(text: str, other: str, only_blanks: float) -> float:
    """Return the share of lines that a text has in common with ours, relative to the longer of the two. only_blanks:
    how much a line that differs only in blanks is worth."""
    exact, collapsed = (
        [Counter(map(change, filter(str.strip, shown.split("\n")))) for shown in (text, other)]
        for change in (str, lambda line: " ".join(line.split()))
    )
    same, alike = ((lines & others).total() for lines, others in (exact, collapsed))
    return (same + only_blanks * (alike - same)) / max(1, *(lines.total() for lines in exact))


def words_of(text: str) -> list[str]:
    """Return the non-empty lines of text, without their blanks."""
    return [line for line in tidy(text).split("\n") if line]


def compare(
    wanted: str,
    printed: str,
    prompts: Sequence[str],
    shows_board: bool = True,
    messages: Collection[str] = (),
    is_same: Callable[[str, str], bool] = is_same_board,
) -> tuple[str, ...] | None:
    """Return None if an answer is wrong, or the names of its slips if it is right.

    shows_board: whether a board must be shown. messages: lines of other answers,
    which this one must not contain. is_same: tests whether two texts show the same board."""
    if wanted == printed:
        return ()
    if not printed.strip():
        return None
    prompt = next((prompt for prompt in prompts if wanted.endswith(prompt)), "")
    body = without_empty_line(wanted.removesuffix(prompt))
    if printed.endswith(prompt):
        cut = without_empty_line(printed.removesuffix(prompt))
        return compare_bodies(body, cut, shows_board, messages, is_same)
    if any(printed.endswith(other) for other in prompts):
        return None
    match = re.search(pattern_of((prompt,)).pattern + r"\s*\Z", printed)
    lines = printed.split("\n")
    cuts = [printed[: match.start()]] if match else []
    cuts += [
        "".join(f"{line}\n" for line in lines[: len(lines) - count]) for count in range(prompt.count("\n") + 1, 0, -1)
    ]
    for cut in [*cuts, printed]:
        slips = compare_bodies(body, cut, shows_board, messages, is_same)
        if slips is not None:
            return (*slips, BLANKS if match else PROMPT)
    return None


def without_empty_line(text: str) -> str:
    """Return the text before a prompt without an empty line at its end: the handout's sessions have one there."""
    return text[:-1] if text.endswith("\n\n") or text == "\n" else text


def compare_bodies(
    wanted: str,
    printed: str,
    shows_board: bool,
    messages: Collection[str],
    is_same_board: Callable[[str, str], bool],
) -> tuple[str, ...] | None:
    """Compare two answers without their prompts, as compare does."""
    if wanted == printed:
        return ()
    lines, shown = words_of(wanted), words_of(printed)
    is_same = is_same_board(printed, wanted)
    if shows_board and not is_same or WON in wanted and WON not in printed:
        return None
    if lines == shown:
        return (BLANKS,) if is_same else None
    rest = iter(shown)
    is_inside = all(line in rest for line in lines)
    extra = Counter(shown) - Counter(lines)
    if any(line in messages for line in extra):
        return None
    if not shows_board and is_same and len(lines) == len(shown) and all(map(is_like, lines, shown, repeat(messages))):
        return (TEXT,)
    if is_inside and sum(extra.values()) <= MAX_EXTRA:
        return (LINES,)
    return ((FORM,) if extra else (MISSING,)) if shows_board else None


def is_like(wanted: str, line: str, messages: Collection[str]) -> bool:
    """Return True if a line differs from the wanted one by a few letters, and is not closer to another message."""

    def likeness(text: str) -> float:
        return difflib.SequenceMatcher(None, text.lower(), line.lower(), False).ratio()

    best = likeness(wanted)
    return best >= LIKE and all(likeness(message) < best for message in messages)


def without_board(text: str) -> str:
    """Return text without the rows of a board and its column numbers."""
    lines = text.split("\n")
    return "\n".join(line for line in lines if not CELL.search(line) and not NUMBERS.fullmatch(line))
