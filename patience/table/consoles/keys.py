"""The keyboard and the mouse, key by key."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from patience.table.consoles.wrapping import is_dumb

MOUSE_ON, MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
PASTE_ON, PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"  # pasted text comes with a start mark and an end mark
SECONDS_OF_A_PASTE = 0.5  # how long to wait for more pasted text, if it has no end mark
SECONDS_OF_A_KEY = 0.05  # how long to wait for the rest of an escape sequence; Escape is a key of its own, too
SECONDS_OF_A_RELEASE = 0.1  # how long a report of a released button is under way
ENTER, SPACE, TAB, BACK_TAB, BACKSPACE, ESCAPE = "enter", "space", "tab", "back tab", "backspace", "escape"
UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN = "up", "down", "left", "right", "page up", "page down"
HOME, LINE_END, DELETE, CONTROL, PASTE = "home", "line end", "delete", "control", "paste"
CLICK, DROP, RIGHT_CLICK, WHEEL_UP, WHEEL_DOWN = "click", "drop", "right click", "wheel up", "wheel down"
BUTTON = "button"  # any other
PRESSED = (CLICK, RIGHT_CLICK, BUTTON)  # which is released later
TEXT, REDRAW, END, INTERRUPT, OTHER = "text", "redraw", "end", "interrupt", "other"


class Key(NamedTuple):
    """A key: its name, what terminals send for it, and what it does at the board, for the help."""

    name: str
    sent: tuple[bytes, ...]
    does: str = ""


def cursor_key(letter: bytes) -> tuple[bytes, ...]:
    """Return what terminals send for a key that moves the cursor."""
    return b"\x1b[" + letter, b"\x1bO" + letter


TABLE = (
    Key(UP, cursor_key(b"A")),
    Key(DOWN, cursor_key(b"B")),
    Key(RIGHT, cursor_key(b"C")),
    Key(LEFT, cursor_key(b"D")),
    Key(HOME, (*cursor_key(b"H"), b"\x1b[1~", b"\x1b[7~")),
    Key(LINE_END, (*cursor_key(b"F"), b"\x1b[4~", b"\x1b[8~")),
    Key(DELETE, (b"\x1b[3~",)),
    Key(PAGE_UP, (b"\x1b[5~",)),
    Key(PAGE_DOWN, (b"\x1b[6~",)),
    Key(BACK_TAB, (b"\x1b[Z",)),
    Key(ENTER, (b"\r", b"\n", b"\x1bOM", b"\x1b[13u", b"\x1b[57414u"), "play what is marked"),  # three: the keypad's
    Key(TAB, (b"\t",), "the next move"),
    Key(SPACE, (b" ",), "draw"),
    Key(BACKSPACE, (b"\x7f", b"\x08"), "undo"),
    Key(ESCAPE, (b"\x1b",), "put the card back"),
    Key(REDRAW, (b"\x0c",)),
    Key(END, (b"\x04",)),
)
KEYS = {sequence: key.name for key in TABLE for sequence in key.sent}
A_ROW = 3  # keys per row of the help
PASTE_START, PASTE_END = b"\x1b[200~", b"\x1b[201~"  # around what is pasted
BUTTONS = {0: CLICK, 2: RIGHT_CLICK, 64: WHEEL_UP, 65: WHEEL_DOWN}
HELD = 4 | 8 | 16  # what Shift, Alt and Ctrl add to a button
MODIFIED = re.compile(rb"\x1b\[(\d+)(?:;(\d+)(?::\d+)?)?([A-Z~u])")  # a key: number, keys held down, its letter
LOCKS = 64 | 128  # Caps Lock and Num Lock, which some terminals count as held down
STRINGS, STRING_ENDS = b"]P_^X", (b"\a", b"\x1b\\")  # what begins, after an escape, an answer of the terminal; its ends
OLD_MOUSE = b"\x1b[M"  # a report of three bytes follows: button, column and row, each plus 32
MOUSE = re.compile(rb"\x1b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])")  # a report: button, column, row, pressed or released


class Event(NamedTuple):
    """A key or a click."""

    kind: str  # DROP: where the button was released
    text: str = ""  # the text typed, for TEXT, or pasted; for CONTROL, the letter pressed with Ctrl
    row: int = 0  # of a click, from 0
    column: int = 0


def can_read_keys() -> bool:
    """Return True if a player sits at a terminal that sends keys one by one, and can move its cursor."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb()


class Keyboard:
    """The keyboard and the mouse of a terminal. Between begin and end keys come one by one."""

    def __init__(self, has_mouse: bool = True) -> None:
        """has_mouse: read clicks; if not, the mouse is left to the terminal."""
        self.has_mouse = has_mouse
        self.is_pressed = False  # True while a button is down
        self.ahead: list[Event] = []  # lines typed during a long computation, and not read yet
        self.is_resized = False  # True if the window was resized, or fg was typed, and nothing has been redrawn since
        self.leave: Callable[[], None] | None = None  # restores the terminal, once keys come one by one
        self.stop: Any = None  # what Ctrl-Z did before
        for name in ("SIGWINCH", "SIGCONT"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self.note_resize)

    def note_resize(self, *_: object) -> None:
        """Note a signal about a resized window or a resumed program; nothing is drawn here."""
        self.is_resized = True

    def begin(self) -> None:
        """From now on, have keys come one by one and the mouse report clicks, unless they already do."""
        import termios

        if self.leave:
            return
        fd, has_mouse = sys.stdin.fileno(), self.has_mouse
        normal, inside = termios.tcgetattr(fd), termios.tcgetattr(fd)
        inside[3] &= ~(termios.ICANON | termios.ECHO)
        inside[0] &= ~termios.ICRNL
        inside[6][termios.VMIN], inside[6][termios.VTIME] = 1, 0

        def enter() -> None:
            termios.tcsetattr(fd, termios.TCSANOW, inside)
            send(PASTE_ON + MOUSE_ON * has_mouse)

        def leave() -> None:
            with contextlib.suppress(OSError, termios.error):  # the terminal is gone
                send(MOUSE_OFF * has_mouse + PASTE_OFF)
                while self.is_pressed and select.select([fd], [], [], SECONDS_OF_A_RELEASE)[0]:
                    self.read_key(fd)  # or the shell would get it
                termios.tcsetattr(fd, termios.TCSANOW, normal)

        def stop(number: int, _: object) -> None:  # Ctrl-Z
            leave()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)  # it stops here until fg
            signal.signal(number, stop)
            enter()

        self.stop, self.leave = signal.signal(signal.SIGTSTP, stop), leave
        enter()

    def end(self) -> None:
        """Restore the terminal to how it was before begin, if begin was called."""
        if self.leave:
            self.leave()
            signal.signal(signal.SIGTSTP, self.stop)
            self.leave = None

    def read(self) -> Event:
        """Return the next key or click, or that the window was resized; Ctrl-C counts as a key."""
        if self.ahead:
            return self.ahead.pop(0)
        fd = sys.stdin.fileno()
        try:
            return self.read_key(fd) if self.wait_for_byte(fd) else Event(REDRAW)
        except KeyboardInterrupt:
            return Event(INTERRUPT)

    def read_key(self, fd: int) -> Event:
        """Return the meaning of the bytes that are there."""
        event = read_sequence(fd)
        if event.kind in (*PRESSED, DROP, OTHER):
            self.is_pressed = event.kind in PRESSED
        return event

    def wait_for_byte(self, fd: int) -> bool:
        """Wait until there is a byte to read, and return True; or return False if the window was resized. A signal that
        arrives just before the wait is not missed: it also writes to a pipe."""
        heard, told = open_pipe()
        try:
            signal.set_wakeup_fd(told, warn_on_full_buffer=False)
            while not self.is_resized:
                if fd in select.select([fd, heard], [], [])[0]:
                    return True
                os.read(heard, 99)
            self.is_resized = False
            return False
        finally:
            signal.set_wakeup_fd(-1)

    @contextlib.contextmanager
    def ending_work(self) -> Iterator[None]:
        """Within this context, Escape or a click is what Ctrl-C is. A line that is typed is read afterwards; other keys
        are dropped: nobody has seen the screen that they would act on."""
        if not self.leave:  # keys do not come one by one
            yield
            return
        fd, (stopped, stop) = sys.stdin.fileno(), os.pipe()

        def watch() -> None:
            while stopped not in (ready := select.select([fd, stopped], [], [])[0]) and ready:
                event = self.read_key(fd)
                if event.kind in (ESCAPE, CLICK, RIGHT_CLICK):
                    os.kill(os.getpid(), signal.SIGINT)
                    return
                is_typing = bool(self.ahead) and self.ahead[-1].kind != ENTER
                if event.kind in (TEXT, PASTE) or is_typing and event.kind in (ENTER, SPACE, BACKSPACE):
                    self.ahead.append(event)
                if event.kind == END:  # Ctrl-D, or the terminal is gone, which can be read for ever
                    select.select([stopped], [], [], SECONDS_OF_A_KEY)

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            os.close(stop)  # which can be read now: it ends
            thread.join()
            os.close(stopped)

    def help_rows(self) -> list[tuple[str, str]]:
        """Return the rows of the help about keys and the mouse."""
        helped = [key for key in TABLE if key.does]
        rows = [helped[at : at + A_ROW] for at in range(0, len(helped), A_ROW)]
        return [
            ("arrows, a click" if self.has_mouse else "arrows", "choose a card, then its place"),
            *((", ".join(key.name.capitalize() for key in row), ", ".join(key.does for key in row)) for row in rows),
            ("words below the board", "a click or arrows" if self.has_mouse else "arrows"),
        ]


def send(sequence: str) -> None:
    """Send an escape sequence to the terminal, bypassing the stream's buffer, which may be in use."""
    os.write(sys.stdout.fileno(), sequence.encode())


def read_sequence(fd: int) -> Event:
    """Return the meaning of the bytes that are there: a letter, or a sequence of a key, the mouse or the terminal."""
    data = os.read(fd, 1)
    if data == b"\x1b":
        data = read_more(fd, data, is_whole)
        if data == PASTE_START:
            pasted = read_more(fd, b"", lambda data: data.endswith(PASTE_END), SECONDS_OF_A_PASTE)
            return Event(PASTE, pasted.removesuffix(PASTE_END).decode("utf-8", "replace").replace("\r", "\n"))
        if data == OLD_MOUSE:
            report = read_more(fd, b"", lambda data: len(data) == 3).ljust(3)
            button, column, row = (byte - 32 for byte in report)
            return click_of(button, column, row, button != 3)
        return event_of_sequence(data)
    if data and data[0] >= 0xC0:  # the first byte of a multibyte character
        size = {0xC: 2, 0xD: 2, 0xE: 3, 0xF: 4}[data[0] >> 4]
        data = read_more(fd, data, lambda data: len(data) == size)
    if data in KEYS:
        return Event(KEYS[data])
    if data and data[0] < 27:
        return Event(CONTROL, chr(data[0] + 96))
    text = data.decode("utf-8", "replace")
    return Event(TEXT, text) if text.isprintable() and text else Event(OTHER if data else END)


def read_more(fd: int, data: bytes, is_whole: Callable[[bytearray], bool], seconds: float = SECONDS_OF_A_KEY) -> bytes:
    """Return data and the bytes after it, until it is whole or no more come within some seconds."""
    read = bytearray(data)
    while not is_whole(read) and select.select([fd], [], [], seconds)[0]:
        byte = os.read(fd, 1)
        if not byte:
            break
        read += byte
    return bytes(read)


@functools.cache
def open_pipe() -> tuple[int, int]:
    """Return both ends of a pipe that never blocks its writer."""
    heard, told = os.pipe()
    os.set_blocking(told, False)
    return heard, told


def is_whole(data: bytes | bytearray) -> bool:
    """Return True if an escape sequence, or an answer of the terminal, is complete."""
    if data[1:2] and data[1] in STRINGS:
        return data.endswith(STRING_ENDS)
    return len(data) > 2 and (data[-1:].isalpha() or data[-1:] == b"~")


def event_of_sequence(data: bytes) -> Event:
    """Return what an escape sequence means."""
    if report := MOUSE.fullmatch(data):
        button, column, row = map(int, report.groups()[:3])
        return click_of(button, column, row, report[4] == b"M")
    if (key := MODIFIED.fullmatch(data)) and not int(key[2] or 1) - 1 & ~LOCKS:
        data = b"\x1b[" + key[1].removeprefix(b"1" if key[3].isupper() else b"") + key[3]
    return Event(KEYS.get(data, OTHER))


def click_of(button: int, column: int, row: int, is_pressed: bool) -> Event:
    """Return what a mouse report means. column, row: counted from 1."""
    button &= ~HELD
    kind = BUTTONS.get(button, BUTTON if button < 64 else OTHER) if is_pressed else DROP if button in (0, 3) else OTHER
    return Event(kind, "", row - 1, column - 1)
