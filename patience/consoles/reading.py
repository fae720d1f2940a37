"""A line as a player types it: with readline, with lines that were pasted, and choices that arrows walk through."""

from __future__ import annotations

import contextlib
import select
import sys
import time
from collections.abc import Callable, Sequence

from patience.consoles import keyboard
from patience.consoles.keyboard import Event
from patience.consoles.wrapping import is_dumb, terminal_width

TO_LINE_END = "\x1b[K"
STEPS = {
    **dict.fromkeys((keyboard.DOWN, keyboard.RIGHT, keyboard.TAB), 1),
    **dict.fromkeys((keyboard.UP, keyboard.LEFT, keyboard.BACK_TAB), -1),
}


def read_lines(question: str, typed: str = "") -> tuple[str, bool]:
    """Return the line that the player types, and whether the input has ended behind it. Lines that came together,
    pasted or typed ahead, are one, with ; between them. An empty line that was typed before the question could be read
    answers nothing. typed: how the line begins."""
    is_ahead = not typed and has_input()
    line = read_line(question, typed)
    while is_ahead and not line:
        is_ahead = has_input()
        line = read_line(question)
    text, ended = line, False
    while not ended and has_input():
        try:
            text += f"\n{read_line('')}"
        except EOFError:
            ended = True
    lines = text.split("\n")  # also those of a text that was pasted into the line
    return ";".join(line for line in lines if not line.startswith("#") or not lines[1:]), ended


def read_choice(
    question: str, choices: Sequence[str], can_leave: bool = False, seconds_to_read: float = 0
) -> str | None:
    """Return the line that the player types, or one of the choices: arrows walk through them, Enter takes what is
    shown, Escape takes it away. An Enter from before the question could be read answers nothing. Return None for Escape
    if nothing is shown, and can_leave. Without choices an arrow or Space is Enter. Raises EOFError, and
    KeyboardInterrupt for Ctrl-C if nothing is shown."""
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


def read_line(question: str, typed: str = "") -> str:
    """Return the line that the player types. Ctrl-C discards a half-typed line; if nothing was typed, it raises
    KeyboardInterrupt. typed: how the line begins."""
    if typed:
        import readline

        def begin() -> None:
            readline.insert_text(typed)
            readline.set_startup_hook(None)

        readline.set_startup_hook(begin)
    while True:
        try:
            return input(question)
        except KeyboardInterrupt:
            if not get_half_typed():
                raise
            print()


def get_half_typed() -> str:
    """Return the part of a line typed so far, or "" without readline."""
    return sys.modules["readline"].get_line_buffer() if "readline" in sys.modules else ""


class Completion:
    """Tab completion of the lines that can be typed."""

    def __init__(self, candidates: Callable[[], list[str]]) -> None:
        """Without readline, as on Windows, nothing is offered."""
        self.candidates = candidates
        self.found = []
        if is_dumb():  # readline cannot show what is found
            return
        with contextlib.suppress(ImportError):
            import readline  # input() edits lines from now on

            readline.set_completer_delims("")
            readline.set_completer(self.complete)
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def complete(self, text: str, number: int) -> str | None:
        """Return the candidate with this index, from 0, that begins with the text, or None."""
        if not number:
            self.found = [line for line in self.candidates() if line.lower().startswith(text.lower())]
        return self.found[number] if number < len(self.found) else None
