"""A line that is being typed: its text, the cursor, the lines before it, Tab completion. It knows nothing about the
terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from patience.table.consoles import keys
from patience.table.consoles.keys import Event

WORD_END = " ;"  # what ends a word for Ctrl-W
SAME_KEYS = {
    "a": keys.HOME, "b": keys.LEFT, "e": keys.LINE_END, "f": keys.RIGHT, "d": keys.DELETE,
    "h": keys.BACKSPACE, "n": keys.DOWN, "p": keys.UP,
}  # fmt: skip


class Line:
    """A line, and the cursor in it."""

    def __init__(self, history: Sequence[str] = (), candidates: Callable[[], list[str]] = list) -> None:
        """history: the lines typed before, oldest first. candidates: returns what Tab may complete the line to."""
        self.text, self.at = "", 0
        self.lines = [*history]
        self.history, self.past = [*history, ""], len(history)  # the editable lines, and the number of the current one
        self.candidates = candidates
        self.found: list[str] = []  # what Tab walks through

    def put(self, text: str) -> None:
        """Replace the line and put the cursor at its end."""
        self.text, self.at = text, len(text)

    def remember(self, line: str) -> None:
        """Add a line to the history, unless it is empty."""
        self.lines += [line] if line else []
        self.history, self.past = [*self.lines, ""], len(self.lines)

    def press(self, event: Event) -> None:
        """Take a key, or text that is typed or pasted."""
        kind = SAME_KEYS.get(event.text, "") if event.kind == keys.CONTROL else event.kind
        if kind == keys.TAB:
            self.complete()
            return
        self.found = []
        if kind in (keys.TEXT, keys.PASTE, keys.SPACE):
            self.insert(" " if kind == keys.SPACE else event.text)
        elif kind in (keys.UP, keys.DOWN):
            self.walk(-1 if kind == keys.UP else 1)
        elif kind == keys.BACKSPACE:
            self.cut(self.at - 1, self.at)
        elif kind == keys.DELETE:
            self.cut(self.at, self.at + 1)
        elif kind in (keys.HOME, keys.LINE_END):
            self.at = 0 if kind == keys.HOME else len(self.text)
        elif kind in (keys.LEFT, keys.RIGHT):
            self.at = min(max(self.at + (1 if kind == keys.RIGHT else -1), 0), len(self.text))
        elif event.text == "k":
            self.cut(self.at, len(self.text))
        elif event.text == "u":
            self.cut(0, self.at)
        elif event.text == "w":
            self.cut(self.word_start(), self.at)

    def insert(self, text: str) -> None:
        """Insert text at the cursor."""
        self.text = self.text[: self.at] + text + self.text[self.at :]
        self.at += len(text)

    def cut(self, start: int, end: int) -> None:
        """Remove the text between two places."""
        start = max(start, 0)
        self.text, self.at = self.text[:start] + self.text[end:], start

    def word_start(self) -> int:
        """Return where the word before the cursor begins."""
        before = self.text[: self.at].rstrip(WORD_END)
        return max(before.rfind(end) for end in WORD_END) + 1

    def walk(self, step: int) -> None:
        """Go to an earlier or a later line."""
        if 0 <= self.past + step < len(self.history):
            self.history[self.past] = self.text
            self.past += step
            self.put(self.history[self.past])

    def complete(self) -> None:
        """Complete the line, as Tab does; when repeated, use the next completion."""
        if not self.found:
            typed = self.text.lower()
            self.found = [line for line in self.candidates() if typed and line.lower().startswith(typed)]
        if self.found:
            self.put(self.found[0])
            self.found = [*self.found[1:], self.found[0]]

    def shown(self, width: int) -> tuple[str, int]:
        """Return the part of the line that fits into this many columns, and the cursor's place in it."""
        start = max(0, self.at - width + 1)
        return self.text[start : start + width], self.at - start


def commands_of(pasted: str) -> str:
    """Return pasted text as one line: its lines, without comments, indentation or control characters, and with ;
    between them."""
    lines = ["".join(letter if letter.isprintable() else " " for letter in line) for line in pasted.splitlines()]
    lines = [line.strip() for line in lines]
    return "; ".join(line for line in lines if line and not line.startswith("#"))
