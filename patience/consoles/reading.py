"""A line as a player types it: with readline, with lines that were pasted, and choices that arrows walk through."""

from __future__ import annotations

import functools
import select
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from patience.consoles import keyboard
from patience.consoles.keyboard import Event
from patience.consoles.wrapping import is_dumb, terminal_width

TO_LINE_END = "\x1b[K"
# Without these readline waits for the end of a paste, which need not come, and Escape and Enter make it another editor.
READLINE = (
    "set enable-bracketed-paste off",
    *(rf'"\e[20{digit}~": redraw-current-line' for digit in "01"),
    *(rf'"\e\C-{key}": accept-line' for key in "mj"),
    "tab: complete",
)
LIBEDIT = ("bind ^I rl_complete",)  # what some systems have in the place of readline
STEPS = {
    **dict.fromkeys((keyboard.DOWN, keyboard.RIGHT, keyboard.TAB), 1),
    **dict.fromkeys((keyboard.UP, keyboard.LEFT, keyboard.BACK_TAB), -1),
}


def read_lines(question: str, typed: str = "", redraw: Callable[[], None] | None = None) -> tuple[str, bool]:
    """Return the line that the player types, and whether the input has ended behind it. Lines that came together,
    pasted or typed ahead, are one, with ; between them. An empty line that was typed before the question could be read
    answers nothing. typed, redraw: as for read_line."""
    is_ahead = not typed and has_input()
    line = read_line(question, typed, redraw)
    while is_ahead and not line:
        is_ahead = has_input()
        line = read_line(question, "", redraw)
    text, ended = line, False
    while not ended and has_input():
        try:
            text += f"\n{read_line('')}"
        except EOFError:
            ended = True
    lines = text.split("\n")  # also those of a text that was pasted into the line
    return ";".join(line for line in lines if not line.startswith("#") or not lines[1:]), ended


def read_choice(
    question: str,
    choices: Sequence[str],
    can_leave: bool = False,
    seconds_to_read: float = 0,
    redraw: Callable[[], None] | None = None,
) -> str | None:
    """Return the line that the player types, or one of the choices: arrows walk through them, Enter takes what is
    shown, Escape takes it away. An Enter from before the question could be read answers nothing. Return None for Escape
    if nothing is shown, and can_leave. Without choices an arrow or Space is Enter. redraw: shows what stands above the
    question, once the window was resized. Raises EOFError, and KeyboardInterrupt for Ctrl-C if nothing is shown."""
    if not keyboard.can_point() or is_dumb():
        return read_line(question)
    line, is_ahead, readable = "", has_input(), time.monotonic() + seconds_to_read
    with keyboard.key_by_key(has_mouse=False):
        keyboard.send(question)
        while True:
            event = keyboard.read_event()
            if event.kind == keyboard.ENTER and (line or not is_ahead and time.monotonic() >= readable):
                keyboard.send("\n")
                return line
            if event.kind == keyboard.REDRAW and redraw:
                redraw()
            if event.kind == keyboard.ESCAPE and can_leave and not line:
                return None
            if not choices and not line and event.kind in (*STEPS, keyboard.SPACE):
                return ""
            line = edit_line(line, event, choices)
            is_ahead = is_ahead and has_input()
            keyboard.send(f"\r{TO_LINE_END}{(question + line)[1 - terminal_width() :]}")


def edit_line(line: str, event: Event, choices: Sequence[str]) -> str:
    """Return what a key makes of a line, as read_choice says. Raises EOFError and KeyboardInterrupt."""
    at = choices.index(line) if line in choices else None
    if event.kind in STEPS and choices:
        step = STEPS[event.kind]
        return choices[min(step, 0) if at is None else (at + step) % len(choices)]
    if event.kind in (keyboard.END, keyboard.INTERRUPT) and not line:
        raise EOFError if event.kind == keyboard.END else KeyboardInterrupt
    if event.kind in (keyboard.INTERRUPT, keyboard.ESCAPE):
        return ""
    if event.kind == keyboard.BACKSPACE:
        return line[:-1]
    return line + (" " if event.kind == keyboard.SPACE else event.text.partition("\n")[0])


def has_input() -> bool:
    """Return True if the player has typed something that is not read yet, as far as the system can tell."""
    try:
        return sys.stdin.isatty() and bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # Windows
        return False


def read_line(question: str, typed: str = "", redraw: Callable[[], None] | None = None) -> str:
    """Return the line that the player types. Ctrl-C discards a half-typed line; if nothing was typed, it raises
    KeyboardInterrupt. typed: how the line begins. redraw: shows what stands above the question, once the window was
    resized; then the line goes on as it was."""
    while True:
        try:
            if redraw and keyboard.take_resize():
                raise keyboard.Resized
            keyboard.resize["interrupts"] = bool(redraw)
            begin_with(typed)
            line = input(question)
            keyboard.resize["interrupts"] = False
            return line
        except keyboard.Resized:
            keyboard.resize.update(interrupts=False, came=False)
            typed = get_half_typed()
            redraw and redraw()
        except KeyboardInterrupt:
            if not get_half_typed():
                raise
            typed = ""
            print()
        finally:
            keyboard.resize["interrupts"] = False


def begin_with(typed: str) -> None:
    """Let readline begin the next line with a text."""
    readline = load_readline() if typed else None
    if readline:

        def begin() -> None:
            readline.insert_text(typed)
            readline.set_startup_hook(None)

        readline.set_startup_hook(begin)


@functools.cache
def load_readline() -> Any:
    """Return the module readline, or None without it, as on Windows, or where it cannot show anything. input() edits
    lines from now on. No pasted text is waited for, and no key changes how lines are read."""
    if is_dumb() or not sys.stdin.isatty():
        return None
    try:
        import readline
    except ImportError:
        return None
    for line in LIBEDIT if "libedit" in (readline.__doc__ or "") else READLINE:
        readline.parse_and_bind(line)
    return readline


def get_half_typed() -> str:
    """Return the part of a line typed so far, or "" without readline."""
    return sys.modules["readline"].get_line_buffer() if "readline" in sys.modules else ""


class Completion:
    """Tab completion of the lines that can be typed."""

    def __init__(self, candidates: Callable[[], list[str]]) -> None:
        """Without readline, as on Windows, nothing is offered."""
        self.candidates = candidates
        self.found = []
        if readline := load_readline():
            readline.set_completer_delims("")
            readline.set_completer(self.complete)

    def complete(self, text: str, number: int) -> str | None:
        """Return the candidate with this index, from 0, that begins with the text, or None."""
        if not number:
            self.found = [line for line in self.candidates() if line.lower().startswith(text.lower())]
        return self.found[number] if number < len(self.found) else None
