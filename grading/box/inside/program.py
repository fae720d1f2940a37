"""In the box: a program, to which a session is typed, with a standard input that marks where a line is asked for."""

from __future__ import annotations

import contextlib
import io
import os
import random
import signal
import sys
import types

from grading.box.inside.base import PATH, START, NotStarted, describe, load

TYPE_CHECKING = False  # True for mypy; typing would be one more import before every submission
if TYPE_CHECKING:
    from typing import Any

MAIN = "The program asks and prints nothing by itself, so its main() was called here."


class Keyboard(io.RawIOBase):
    """The file of standard input, given out line by line, with a mark in the output where a line is asked for."""

    name = "<stdin>"

    def __init__(self, mark: bytes) -> None:
        self.mark = mark
        self.is_at_start = True  # of a line

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0

    def readinto(self, buffer: Any) -> int:
        """Read up to the end of a line into the buffer; return how many bytes. It is all that Python asks for, whether
        by input(), by lines, or for everything at once."""
        if self.is_at_start:
            for stream in (sys.stdout, sys.__stdout__):
                with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or no file
                    stream.flush()  # type: ignore[union-attr]
            os.write(1, self.mark)
        read = os.read(0, len(buffer))
        line = read[: read.find(b"\n") + 1] or read
        os.lseek(0, len(line) - len(read), os.SEEK_CUR)
        self.is_at_start = not read or line.endswith(b"\n")
        buffer[: len(line)] = line
        return len(line)


def has_done_something() -> bool:
    """Return True if the program has read or printed, or has closed what it could read or print with."""
    try:
        sys.stdout.flush()
        return any(os.lseek(stream, 0, os.SEEK_CUR) for stream in (0, 1))
    except (AttributeError, OSError, ValueError):
        return True


def run_program(file: str, arguments: list[str]) -> None:
    """Run a file as `python FILE` does; if it reads and prints nothing, also its main()."""
    sys.argv = [file, *arguments]
    module = types.ModuleType("__main__")
    try:
        load(file, module)
        if callable(getattr(module, "main", None)) and not has_done_something():
            sys.stderr.write(f"{MAIN}\n")
            module.main()
    except SystemExit:
        raise
    except NotStarted as error:
        print(f"{START}{error}")
    except BaseException as error:
        sys.path = PATH
        sys.stderr.write(describe(error))
        sys.exit(1)


def run(settings: dict[str, Any]) -> None:
    """Run the program of the settings."""
    if settings["seed"] is not None:
        random.seed = lambda *_, **__: None  # the program's own seeding does nothing from now on
    keyboard = io.BufferedReader(Keyboard(settings["mark"]))
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(keyboard, sys.stdin.encoding, sys.stdin.errors)  # type: ignore[misc]
    signal.setitimer(signal.ITIMER_PROF, settings["seconds"])  # ends the program
    run_program(settings["file"], settings["arguments"])
