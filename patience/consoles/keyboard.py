"""The keyboard and the mouse, key by key, while no line is typed. Where a printable character comes first, readline
gets it, and does the rest of the line.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import select
import signal
import sys
from collections import namedtuple
from collections.abc import Iterator

MOUSE_ON, MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
SECONDS_OF_A_SEQUENCE = 0.05  # in which the rest of an escape sequence comes,
SECONDS_OF_A_PASTE = 0.5  # and the rest of what is pasted, if it has no end
ENTER, SPACE, TAB, BACK_TAB, BACKSPACE, ESCAPE = "enter", "space", "tab", "back tab", "backspace", "escape"
UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
CLICK, DROP, TEXT, REDRAW, END, INTERRUPT, OTHER = "click", "drop", "text", "redraw", "end", "interrupt", "other"
KEYS = {
    b"\r": ENTER, b"\n": ENTER, b" ": SPACE, b"\t": TAB, b"\x1b[Z": BACK_TAB, b"\x7f": BACKSPACE, b"\x08": BACKSPACE,
    b"\x1b": ESCAPE, b"\x04": END, b"\x0c": REDRAW,
    **{start + letter: key for start in (b"\x1b[", b"\x1bO")
       for letter, key in zip((b"A", b"B", b"C", b"D"), (UP, DOWN, RIGHT, LEFT))},
}  # fmt: skip
PASTE, PASTE_END = b"\x1b[200~", b"\x1b[201~"  # around what is pasted, if the terminal says so
MOUSE = re.compile(rb"\x1b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])")  # a report: button, column, row, pressed or let go

# A key or a click. text: what was typed, for TEXT. row, column: of a CLICK, from 0. DROP: where the button was let go.
Event = namedtuple("Event", "kind text row column", defaults=["", 0, 0])


def can_point() -> bool:
    """Return True if keys can be read one by one here, and readline can get the first."""
    try:
        import readline  # noqa: F401
        import termios  # noqa: F401
    except ImportError:
        return False
    return sys.stdin.isatty()


@contextlib.contextmanager
def key_by_key(has_mouse: bool) -> Iterator[None]:
    """Let keys come one by one, and the mouse report clicks; afterwards the terminal is as it was, also while the
    program is stopped."""
    import termios

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    inside = termios.tcgetattr(fd)
    inside[3] &= ~(termios.ICANON | termios.ECHO)
    inside[0] &= ~termios.ICRNL
    inside[6][termios.VMIN], inside[6][termios.VTIME] = 1, 0

    def begin() -> None:
        termios.tcsetattr(fd, termios.TCSANOW, inside)
        if has_mouse:
            send(MOUSE_ON)

    def end() -> None:
        if has_mouse:
            send(MOUSE_OFF)
        termios.tcsetattr(fd, termios.TCSANOW, before)

    def stop(number: int, _: object) -> None:  # Ctrl-Z
        end()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # here it stops, until fg
        signal.signal(number, stop)
        begin()

    default = signal.signal(signal.SIGTSTP, stop)
    try:
        begin()
        yield
    finally:
        with contextlib.suppress(OSError, termios.error):  # the terminal is gone
            end()
        signal.signal(signal.SIGTSTP, default)


def send(sequence: str) -> None:
    """Send an escape sequence to the terminal: past the buffer of the stream, which may be at work."""
    os.write(sys.stdout.fileno(), sequence.encode())


def read_event() -> Event:
    """Return the next key or click, Ctrl-C as one of them."""
    try:
        return read_sequence()
    except KeyboardInterrupt:
        return Event(INTERRUPT)


def read_sequence() -> Event:
    """Return what the next bytes mean: a letter, or a sequence that a key or the mouse sends."""
    fd = sys.stdin.fileno()
    if not wait_for_byte(fd):
        return Event(REDRAW)
    data = os.read(fd, 1)
    if data == b"\x1b":
        while not is_whole(data) and select.select([fd], [], [], SECONDS_OF_A_SEQUENCE)[0]:
            data += os.read(fd, 1)
        if data == PASTE:
            return Event(TEXT, read_paste(fd).decode("utf-8", "replace").replace("\r", "\n"))
        return event_of_sequence(data)
    if data and data[0] >= 0xC0:  # the first byte of a longer character
        data += os.read(fd, {0xC: 1, 0xD: 1, 0xE: 2, 0xF: 3}[data[0] >> 4])
    if data in KEYS:
        return Event(KEYS[data])
    text = data.decode("utf-8", "replace")
    return Event(TEXT, text) if text.isprintable() and text else Event(OTHER if data else END)


def read_paste(fd: int) -> bytes:
    """Return what is pasted: up to its end, or as long as it keeps coming."""
    data = bytearray()
    while not data.endswith(PASTE_END) and select.select([fd], [], [], SECONDS_OF_A_PASTE)[0]:
        byte = os.read(fd, 1)
        if not byte:
            break
        data += byte
    return bytes(data).removesuffix(PASTE_END)


def wait_for_byte(fd: int) -> bool:
    """Wait until there is a byte to read, and return True; or False, once the window was resized. A signal that comes
    in the moment before is not overlooked, for it is told to a pipe as well."""
    heard, told = open_pipe()
    try:
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        while not take_resize():
            if fd in select.select([fd, heard], [], [])[0]:
                return True
            os.read(heard, 99)
        return False
    finally:
        signal.set_wakeup_fd(-1)


class Resized(Exception):
    """The window was resized, or fg was typed, while a line was read."""


resize = {"came": False, "interrupts": False}  # whether one came that is not drawn yet, and whether it raises Resized


def note_resize(*_: object) -> None:
    """Take note of a signal that the window was resized, or that the program goes on; nothing is drawn here."""
    resize["came"] = True
    if resize["interrupts"]:
        raise Resized


def take_resize() -> bool:
    """Return True if the window was resized since the last time."""
    came, resize["came"] = resize["came"], False
    return came


@functools.cache
def open_pipe() -> tuple[int, int]:
    """Return both ends of a pipe that never blocks who writes."""
    heard, told = os.pipe()
    os.set_blocking(told, False)
    return heard, told


def is_whole(data: bytes) -> bool:
    """Return True if an escape sequence has come to its end."""
    return len(data) > 2 and (data[-1:].isalpha() or data[-1:] == b"~")


def event_of_sequence(data: bytes) -> Event:
    """Return what an escape sequence means."""
    if data in KEYS:
        return Event(KEYS[data])
    if report := MOUSE.fullmatch(data):
        button, column, row = (int(number) for number in report.groups()[:3])
        if button == 0:
            return Event(CLICK if report[4] == b"M" else DROP, "", row - 1, column - 1)
    return Event(OTHER)
