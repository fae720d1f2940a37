"""In the box: a program into which a session is typed. Its standard input asks for each line."""

from __future__ import annotations

import contextlib
import io
import os
import random
import signal
import sys
import types

from patience.grading.box.inside.base import PATH, START, NotStarted, describe, load, ours_of, read_line

TYPE_CHECKING = False  # True for mypy; typing would be one more import before every submission
if TYPE_CHECKING:
    from typing import Any

MAIN = "Running the file does nothing, so the grader called its main()."


class Keyboard(io.RawIOBase):
    """Standard input. Each line is requested through a pipe when it is needed, so none is known in advance. The other
    side then notes what has been printed so far."""

    name = "<stdin>"

    def __init__(self, wants: int, gives: int) -> None:
        """wants, gives: the numbers of the pipes for the request and for the reply: the length of the line, then the
        line."""
        self.wants, self.gives = wants, gives
        self.line = b""  # what is left of the last line
        self.has_asked = False
        for number in (wants, gives):  # not for its own subprocesses
            os.set_inheritable(number, False)
        os.set_blocking(gives, False)
        with contextlib.suppress(BlockingIOError):
            os.read(gives, 1 << 16)  # what an earlier program asked for but did not read
        os.set_blocking(gives, True)

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0

    def readinto(self, buffer: Any) -> int:
        """Read up to the end of a line into the buffer; return the number of bytes. Python calls only this method,
        whether for input(), to read line by line, or to read everything."""
        if not self.line:
            for stream in (sys.stdout, sys.__stdout__):
                with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or no file
                    stream.flush()  # type: ignore[union-attr]
            self.has_asked = True
            self.line = self.ask()
        part, self.line = self.line[: len(buffer)], self.line[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def ask(self) -> bytes:
        """Return the next line."""
        os.write(self.wants, b"\n")
        return read_line(self.gives)


def has_printed() -> bool:
    """Return True if the program has printed, or has closed its output."""
    try:
        sys.stdout.flush()
        return os.lseek(1, 0, os.SEEK_CUR) > 0
    except (AttributeError, OSError, ValueError):
        return True


def run_program(file: str, options: dict[str, str], keyboard: Keyboard, ours: dict[str, Any]) -> None:
    """Run a file as `python FILE` does; if it neither reads nor prints anything, run its main() too. options: for its
    main(); if there are any, the file is loaded under its own name, and only that is run. ours: as for load."""
    sys.argv = [file]
    module = types.ModuleType(file.removesuffix(".py") if options else "__main__")
    try:
        load(file, module, ours)
        if options:
            module.main(**options)
            return
        is_running = "threading" in sys.modules and sys.modules["threading"].active_count() > 1
        if callable(getattr(module, "main", None)) and not (keyboard.has_asked or has_printed() or is_running):
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
    """Run the program named in the settings."""
    if settings["seed"] is not None:
        random.seed = lambda *_, **__: None  # the program's own seeding does nothing from now on
    keyboard = Keyboard(*settings["pipes"])
    stdin = io.TextIOWrapper(io.BufferedReader(keyboard), sys.stdin.encoding, sys.stdin.errors)
    sys.stdin = sys.__stdin__ = stdin  # type: ignore[misc]
    signal.setitimer(signal.ITIMER_PROF, settings["seconds"])  # ends the program
    run_program(settings["file"], settings["options"], keyboard, ours_of(settings))
