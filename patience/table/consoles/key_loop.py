"""The one loop that responds to keys: what is typed, pressed and clicked after a question. If keys cannot be read one
by one, or boards are printed one below the other, readline reads lines."""

from __future__ import annotations

import functools
import select
import sys
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Union

from patience.table.consoles import keys
from patience.table.consoles.keys import Event, Keyboard
from patience.table.consoles.typing import Line, commands_of
from patience.table.consoles.wrapping import is_dumb, terminal_width

TO_LINE_END = "\x1b[K"
SECONDS_TO_REPEAT = 0.4  # within which the next letter comes from a key that is held
LineFor = Callable[[Event], Union[str, None]]  # takes a key or a click; returns the line that it means
STEPS = {
    **dict.fromkeys((keys.DOWN, keys.RIGHT, keys.TAB), 1),
    **dict.fromkeys((keys.UP, keys.LEFT, keys.BACK_TAB), -1),
}
ENDS: dict[str, type[BaseException]] = {keys.END: EOFError, keys.INTERRUPT: KeyboardInterrupt}
WHENEVER = (keys.TEXT, keys.PASTE, keys.REDRAW, *ENDS)  # what counts whenever it was typed
CLICKS = (keys.CLICK, keys.DROP, keys.RIGHT_CLICK, keys.WHEEL_UP, keys.WHEEL_DOWN)


def read_lines(question: str) -> tuple[str, bool]:
    """Return the line that the player types, and whether the input has ended after it. Lines that arrive together,
    pasted or typed ahead, become one, with ; between them. An empty line typed before the question could be read is
    ignored."""
    is_ahead = has_input()
    line = read_line(question)
    while is_ahead and not line:
        is_ahead = has_input()
        line = read_line(question)
    text, ended = line, False
    while not ended and has_input():
        try:
            text += f"\n{read_line('')}"
        except EOFError:
            ended = True
    return as_one_line(text.split("\n")), ended  # including lines of text pasted into the line


def as_one_line(lines: list[str]) -> str:
    """Return lines that arrived together as one line, without their comments and with ; between them; return a single
    line unchanged."""
    return ";".join(line for line in lines if not line.startswith("#") or not lines[1:])


class Reader:
    """Reads a line after a question, from keys that come one by one: the one loop that responds to keys."""

    def __init__(
        self,
        keyboard: Keyboard,
        question: Callable[[], str],
        line: Line,
        choices: Sequence[str] = (),
        joins: bool = True,
    ) -> None:
        """question: returns it, fitted to the window as it is. line: how it begins. choices: lines that arrows walk
        through. joins: lines that arrive together become one, with ; between them; or else the first is read, and the
        others answer what is asked next."""
        self.keyboard, self.question, self.line, self.choices, self.joins = keyboard, question, line, choices, joins
        self.erased = -SECONDS_TO_REPEAT  # when Backspace last erased a letter, or was repeated since

    def read(self, line_for: LineFor) -> str:
        """Return the line that is typed, or that keys and clicks mean. line_for: called with each key and click while
        nothing is typed, and with each resize of the window; it returns the line that they mean, or None if there is
        none yet, and raises EOFError and KeyboardInterrupt. Keys and clicks that arrived before are dropped."""
        is_early = has_input()  # pressed before the player saw what it would act on
        keys.send(self.question() + self.line.text)
        while True:
            event = self.keyboard.read()
            was_early, is_early = is_early, is_early and has_input()
            if was_early and not self.line.text and event.kind not in WHENEVER:
                continue
            answer = self.respond(event, line_for)
            if answer is not None:
                return answer
            if not has_input():
                self.show()

    def respond(self, event: Event, line_for: LineFor) -> str | None:
        """Respond to a key or a click; return the line that is finished, or None if there is none yet."""
        line = self.line
        if event.kind == keys.PASTE:
            line.insert(commands_of(event.text))
            return self.add_lines() if event.text.endswith("\n") and line.text else None
        if event.kind in STEPS and self.choices and line.text in ("", *self.choices):
            line.put(next_choice(self.choices, line.text, STEPS[event.kind]))
        elif event.kind == keys.REDRAW:
            line_for(event)
        elif not line.text or event.kind in CLICKS:
            line.put("")
            if event.kind == keys.BACKSPACE and self.is_repeated():
                return None
            answer = line_for(event)
            if answer is None and event.kind in (keys.TEXT, keys.CONTROL):
                line.press(event)
            return answer
        elif event.kind == keys.ENTER:
            typed = self.add_lines()
            keys.send(f"\r{TO_LINE_END}{self.question()}{typed}\n")
            return typed
        elif event.kind in (keys.ESCAPE, keys.INTERRUPT):
            line.put("")
        else:
            self.erased = monotonic() if event.kind == keys.BACKSPACE else self.erased
            line.press(Event(keys.DELETE) if event.kind == keys.END else event)
        return None

    def is_repeated(self) -> bool:
        """Return True if a key that is held has just erased the line: its repeats stop at the line's beginning."""
        now = monotonic()
        is_held = now - self.erased < SECONDS_TO_REPEAT
        self.erased = now if is_held else self.erased
        return is_held

    def add_lines(self) -> str:
        """Return the line and those that arrived with it as one line, without their comments and with ; between them;
        an unfinished line stays in the line being typed."""
        lines = [self.line.text]
        self.line.put("")
        while self.joins and has_input():
            event = self.keyboard.read()
            if event.kind == keys.ENTER:
                lines.append(self.line.text)
                self.line.put("")
            elif event.kind == keys.PASTE:
                lines.append(commands_of(event.text))
            else:
                self.line.press(event)
        return as_one_line(lines)

    def show(self) -> None:
        """Show the question, and the line after it."""
        question = self.question()
        text, at = self.line.shown(max(1, terminal_width() - 1 - len(question)))
        back = f"\x1b[{len(text) - at}D" if at < len(text) else ""
        keys.send(f"\r{question}{text}{TO_LINE_END}{back}")


def next_choice(choices: Sequence[str], chosen: str, step: int) -> str:
    """Return the choice that an arrow leads to."""
    return choices[(choices.index(chosen) + step) % len(choices) if chosen in choices else min(step, 0)]


def has_input() -> bool:
    """Return True if the player has typed something that has not been read yet, as far as the system can tell."""
    try:
        return sys.stdin.isatty() and bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # Windows
        return False


def read_line(question: str) -> str:
    """Return the line that the player types. Ctrl-C discards a half-typed line; if nothing was typed, it raises
    KeyboardInterrupt."""
    while True:
        try:
            load_readline()
            return input(question)
        except KeyboardInterrupt:
            if "readline" not in sys.modules or not sys.modules["readline"].get_line_buffer():
                raise
            print()


@functools.cache
def load_readline() -> Any:
    """Return the readline module, or None if it is missing, as on Windows, or cannot show anything. From now on input()
    edits lines."""
    if is_dumb() or not sys.stdin.isatty():
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline
