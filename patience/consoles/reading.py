"""A line as a player types it: with readline, with lines that were pasted, and choices that arrows walk through."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable, Sequence

from patience.consoles import keyboard
from patience.consoles.wrapping import is_dumb

TO_LINE_END = "\x1b[K"


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


def read_choice(question: str, choices: Sequence[str]) -> str:
    """Return the line that the player types, or one of the choices: arrows walk through them, Enter takes the one that
    is shown, Escape takes it away. An Enter that was typed before the question could be read answers nothing."""
    if not keyboard.can_point() or is_dumb():
        return read_line(question)
    shown, is_ahead = -1, has_input()
    with keyboard.key_by_key(has_mouse=False):
        keyboard.send(question)
        while True:
            event = keyboard.read_event()
            if event.kind == keyboard.END:
                raise EOFError
            if event.kind == keyboard.TEXT:
                break
            if event.kind == keyboard.ENTER and not is_ahead:
                keyboard.send("\r\n")
                return choices[shown] if shown >= 0 else ""
            if event.kind in (keyboard.DOWN, keyboard.RIGHT, keyboard.TAB):
                shown = (shown + 1) % len(choices)
            elif event.kind in (keyboard.UP, keyboard.LEFT, keyboard.BACK_TAB):
                shown = (max(shown, 0) - 1) % len(choices)
            elif event.kind in (keyboard.ESCAPE, keyboard.BACKSPACE):
                shown = -1
            is_ahead = is_ahead and has_input()
            keyboard.send(f"\r{question}{choices[shown] if shown >= 0 else ''}{TO_LINE_END}")
        keyboard.send(f"\r{TO_LINE_END}")
    return read_line(question, event.text)


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
