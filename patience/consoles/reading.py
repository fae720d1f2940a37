"""The one loop that responds to keys: what is typed, pressed and clicked after a question. If keys cannot be read one
by one, or boards are printed one below the other, readline reads lines."""

from __future__ import annotations

import functools
import select
import sys
from collections.abc import Callable, Sequence
from typing import Any, Union

from patience.consoles import keys
from patience.consoles.keys import Event
from patience.consoles.typing import Line, commands_of
from patience.consoles.wrapping import is_dumb, terminal_width

TO_LINE_END = "\x1b[K"
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


def read_keys(question: str, line: Line, take: Callable[[Event], Union[str, None]], choices: Sequence[str] = ()) -> str:
    """Return the line that is typed, or that keys and clicks mean. This is the one loop that responds to keys, which
    come one by one. line: how it begins. take: called with each key and click while nothing is typed, and with each
    resize of the window; it returns the line that they mean, or None if there is none yet, and raises EOFError and
    KeyboardInterrupt. choices: lines that arrows walk through. Lines that arrive together, pasted or typed ahead,
    become one; keys and clicks that arrived before are dropped."""
    is_early = has_input()  # pressed before the player saw what it would act on
    keys.send(question + line.text)
    while True:
        event, answer = keys.read_event(), None
        was_early, is_early = is_early, is_early and has_input()
        if was_early and not line.text and event.kind not in WHENEVER:
            continue
        if event.kind == keys.PASTE:
            line.insert(commands_of(event.text))
            if event.text.endswith("\n") and line.text:
                return with_more_lines(line)
        elif event.kind in STEPS and choices and line.text in ("", *choices):
            line.put(next_choice(choices, line.text, STEPS[event.kind]))
        elif event.kind == keys.REDRAW:
            take(event)
        elif not line.text or event.kind in CLICKS:
            line.put("")
            answer = take(event)
            if event.kind in (keys.TEXT, keys.CONTROL):
                line.take(event)
        elif event.kind == keys.ENTER:
            typed = with_more_lines(line)
            keys.send(f"\r{TO_LINE_END}{question}{typed}\n")
            return typed
        else:
            edit(line, event)
        if answer is not None:
            return answer
        if not has_input():
            show_line(question, line)


def edit(line: Line, event: Event) -> None:
    """Let a key change a line: Escape and Ctrl-C clear it, and Ctrl-D deletes a letter."""
    if event.kind in (keys.ESCAPE, keys.INTERRUPT):
        line.put("")
    else:
        line.take(Event(keys.DELETE) if event.kind == keys.END else event)


def show_line(question: str, line: Line) -> None:
    """Show a question, and the line after it."""
    text, at = line.shown(max(1, terminal_width() - 1 - len(question)))
    back = f"\x1b[{len(text) - at}D" if at < len(text) else ""
    keys.send(f"\r{question}{text}{TO_LINE_END}{back}")


def with_more_lines(line: Line) -> str:
    """Return a line and the lines that arrived with it as one line, without their comments and with ; between them; an
    unfinished line stays in the line being typed."""
    lines = [line.text]
    line.put("")
    while has_input():
        event = keys.read_event()
        if event.kind == keys.ENTER:
            lines.append(line.text)
            line.put("")
        elif event.kind == keys.PASTE:
            lines.append(commands_of(event.text))
        else:
            line.take(event)
    return as_one_line(lines)


def next_choice(choices: Sequence[str], chosen: str, step: int) -> str:
    """Return the choice that an arrow leads to."""
    return choices[(choices.index(chosen) + step) % len(choices) if chosen in choices else min(step, 0)]


def read_choice(question: str, choices: Sequence[str]) -> str:
    """Return the line that the player types, or one of the choices: arrows walk through them, Enter takes the one
    shown, and Escape clears it. Raises EOFError, and KeyboardInterrupt for Ctrl-C if nothing is shown."""
    if not keys.can_point() or is_dumb():
        return read_line(question)

    def take(event: Event) -> str | None:
        if event.kind in ENDS:
            raise ENDS[event.kind]
        return "" if event.kind == keys.ENTER else None

    with keys.key_by_key():
        answer = read_keys(question, Line(), take, choices)
    if not answer:
        keys.send("\n")
    return answer


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
            if not get_half_typed():
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


def get_half_typed() -> str:
    """Return the part of a line typed so far, or "" without readline."""
    return sys.modules["readline"].get_line_buffer() if "readline" in sys.modules else ""
