"""One submission, run in its box: a clean environment, limits, and a sandbox if there is one.

A submission is never told where sessions, decks or the project are: what it needs lies in a file of its box, which is
gone before it begins. In bubblewrap everything that it starts ends with it; without, its process group.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import json
import marshal
import multiprocessing
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from grading.boxes import MAX_FILES
from grading.sandboxes import BUS, BWRAP, MAX_WRITTEN, MEMORY, NONE, PROCESSES, SOURCE, USER, as_user, cleaned_up
from grading.sandboxes import nobody_of, processes_of, sandbox_words, scope
from patience.text import printable

# What runs in the box: inside.py, with the part for functions before its last line.
INSIDE, FUNCTIONS_INSIDE = (
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("inside.py", "inside_functions.py")
)
INSIDE = INSIDE.removesuffix("begin()\n") + FUNCTIONS_INSIDE.partition("# The part for functions\n")[2] + "begin()\n"
BEGIN = "import marshal, sys; told = open(int(sys.argv[1]), 'rb'); exec(marshal.load(told))"
MAIN = "The program asks and prints nothing by itself, so its main() was called here."  # as inside.py says it,
START = b"\0start "  # and this

MAX_PRINTED = 1 << 20  # bytes
MAX_ERRORS = 1 << 14
PYTHON = [sys.executable, "-I", "-B", "-u", "-X", "utf8", "-c"]
MAX_LATE, SHORT = 2, 0.02  # calls of a function that do not end, and the seconds of each that follows
MAX_ANSWER, MAX_ANSWERS = 1 << 20, 16 << 20  # bytes of what a function returns, and of what all of them return
NEEDED = ("SYSTEMROOT",)  # without which Python does not begin, on Windows
LIMITS = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": MAX_WRITTEN, "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 64}
CLOCK = 6  # seconds that may pass for each second of processor time
MAX_DEEP = 50  # folders within one another in a box
TOO_LARGE = {"error": f"its answer is larger than {MAX_ANSWER >> 20} MB"}
ENDED_BY_TIME = [getattr(signal, name) for name in ("SIGPROF", "SIGXCPU") if hasattr(signal, name)]
LOOKS_EVERY = 0.02  # seconds between two looks at what a program has written

# pieces: what was printed before each line that was asked for, and after the last; text. errors: text. remarks:
# sentences about what it should not have done. ending: an Ending. ended_at: the number of the answer at which it ended
# first, before the others were asked for, or None.
Run = namedtuple("Run", "pieces errors remarks ending ended_at", defaults=[None])
Ending = enum.Enum("Ending", "DONE FAILED STOPPED")


class NotStarted(Exception):
    """Python cannot start a program. str() is why."""


# Running


def run(path: str, settings: dict[str, Any], typed: bytes, seconds: float, sandbox: str = NONE) -> Run:
    """Run a program in its box; return a Run. typed: bytes for its standard input. seconds: of processor time. Raises
    NotStarted."""
    mark = secrets.token_bytes(16)
    settings = {**settings, "mark": mark}
    status, printed, errors, stopped, left = execute(path, settings, seconds, seconds, sandbox, typed)
    remarks = [MAIN] if MAIN in errors else []
    if any(status in (-number, 128 + number) for number in ENDED_BY_TIME):
        stopped = f"It does not end within {seconds:g} s of processor time."
    if len(printed) > MAX_PRINTED:
        stopped = "It prints without end."
    ending = Ending.STOPPED if stopped else Ending.FAILED if status else Ending.DONE
    if ending != Ending.DONE:
        remarks.append(stopped or f"It ends with exit status {status}.")
    if left:
        remarks.append(f"It leaves files behind: {', '.join(map(printable, left[:5]))}.")
    pieces = [piece.decode("utf-8", "replace").replace("\r\n", "\n") for piece in printed[:MAX_PRINTED].split(mark)]
    return Run(pieces, errors.replace(f"{MAIN}\n", ""), remarks, ending)


def call(path: str, settings: dict[str, Any], seconds: float, sandbox: str = NONE) -> tuple[str, list[dict[str, Any]]]:
    """Let inside.py answer the settings' calls; return why the module could not be loaded whole, or "", and the
    answers in order. Raises NotStarted."""
    count = len(settings["calls"])
    functions = {call["function"] for call in settings["calls"]}
    most = seconds * (MAX_LATE * len(functions) + 2) + count * SHORT
    _, printed, _, stopped, _ = execute(path, settings, seconds, most, sandbox, b"")
    lines = printed.decode("utf-8", "replace").split("\n")
    missing = {"late": True} if stopped else {"error": "the program ended itself"}
    answers = [answer if isinstance(answer := parse(line), dict) else missing for line in lines[1 : count + 1] if line]
    error = parse(lines[0])
    return error if isinstance(error, str) else "", answers + [missing] * (count - len(answers))


def parse(line: str) -> Any:
    """Return what a line of JSON means, or None; the submission may have written it."""
    if len(line) > MAX_ANSWER:
        return TOO_LARGE
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(line)


def execute(
    path: str, settings: dict[str, Any], seconds: float, most: float, sandbox: str, typed: bytes
) -> tuple[int, bytes, str, str, list[str]]:
    """Run inside.py in a box; return its exit status, what it printed, its errors, a sentence if it was stopped, or "",
    and the names of what it left in its box. seconds: of processor time, for one thing. most: for all of them."""
    limits = {**LIMITS, "RLIMIT_CPU": int(most) + 2, "RLIMIT_NPROC": processes(sandbox) + PROCESSES}
    settings = {**settings, "limits": limits, "seconds": seconds}
    with contextlib.ExitStack() as stack:
        stdin, stdout, stderr, told, left = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(5))
        stdin.write(typed)
        stdin.seek(0)
        if sandbox == BWRAP:
            settings |= {"source": SOURCE, "left": left.fileno()}
        told.write(compiled_inside())
        marshal.dump(settings, told)
        told.flush()
        told.seek(0)
        before = set(os.listdir(path))
        stack.enter_context(cleaned_up(sandbox))
        streams = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
        program = start(path, sandbox, [told.fileno(), left.fileno()], streams)
        if multiprocessing.parent_process():  # a worker that is terminated ends what it has started
            signal.signal(signal.SIGTERM, lambda *_: end_and_exit(program))
        most_printed = MAX_ANSWERS if "calls" in settings else MAX_PRINTED
        try:
            stopped = watch(program, path, (stdout, stderr), most, most_printed)
        finally:
            end(program)
            program.wait()
        for file in (stdout, stderr, left):
            file.seek(0)
        printed, errors = stdout.read(most_printed + 1), stderr.read(MAX_ERRORS).decode("utf-8", "replace")
        names = {*left.read(MAX_ERRORS).decode("utf-8", "replace").split("\0")}
        if sandbox != BWRAP:
            names = {*os.listdir(path)} - before - {"__pycache__"}
    if printed.startswith(START):
        raise NotStarted(printable(printed.decode("utf-8", "replace")[len(START) :].rstrip("\n")))
    return program.returncode, printed, errors, stopped, sorted(filter(None, names))


@functools.cache
def compiled_inside() -> bytes:
    """Return what runs in a box, compiled, as it is told."""
    return marshal.dumps(compile(INSIDE, "<string>", "exec"))


def start(path: str, sandbox: str, files: list[int], streams: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start inside.py in a box. files: the numbers of open files that it gets, the one with its settings first."""
    return subprocess.Popen(
        [*sandbox_words(path, sandbox), *PYTHON, BEGIN, str(files[0])],
        cwd=path,
        env=environment_of(path, sandbox),
        start_new_session=True,
        pass_fds=files,
        **streams,
        **as_user(path, sandbox),
    )


def environment_of(path: str, sandbox: str) -> dict[str, str]:
    """Return the environment of a submission."""
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/box" if sandbox == BWRAP else str(path)}
    needed = (*NEEDED, *(BUS if sandbox == BWRAP and scope() else ()))
    return environment | {name: os.environ[name] for name in needed if name in os.environ}


def watch(
    program: subprocess.Popen[bytes], path: str, outputs: Sequence[IO[bytes]], seconds: float, most_printed: int
) -> str:
    """Wait until a program ends, or has to be stopped, for its time or for what it writes, also to its outputs, files;
    return why, or ""."""
    deadline = time.monotonic() + CLOCK * seconds
    while True:
        if has_ended(program, LOOKS_EVERY):
            return ""
        if time.monotonic() > deadline:
            return f"It does not end within {CLOCK * seconds:g} s."
        if size_of(path) > MAX_WRITTEN:
            return f"It writes more than {MAX_WRITTEN >> 20} MB."
        if any(os.fstat(file.fileno()).st_size > most_printed for file in outputs):
            return "It prints without end."


def has_ended(program: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait at most so long for a program to end; return True if it has. Python's own wait sleeps longer and longer."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        if hasattr(os, "pidfd_open"):
            number = os.pidfd_open(program.pid)
            try:
                select.select([number], [], [], seconds)
            finally:
                os.close(number)
            seconds = 0
        program.wait(seconds)
        return True
    return False


def size_of(folder: str) -> int:
    """Return how many bytes the files of a folder take on the disk; more than they may if they are very many, lie very
    deep, or cannot be looked at."""
    size, count, waiting = 0, 0, [(folder, 0)]
    while waiting:
        path, depth = waiting.pop()
        try:
            entries = list(os.scandir(path))
        except FileNotFoundError:
            continue
        except OSError:
            return MAX_WRITTEN + 1
        count += len(entries)
        for entry in entries:
            with contextlib.suppress(OSError):
                size += entry.stat(follow_symlinks=False).st_blocks * 512 if hasattr(os, "getuid") else 0
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, depth + 1))
        if count > 2 * MAX_FILES or size > MAX_WRITTEN or depth > MAX_DEEP:
            return MAX_WRITTEN + 1
    return size


def end(program: subprocess.Popen[bytes]) -> None:
    """End a program, and those of its process group, if there are groups."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()


def end_and_exit(program: subprocess.Popen[bytes]) -> None:
    """End a program, and this process."""
    end(program)
    os._exit(1)


def processes(sandbox: str) -> int:
    """Return how many processes there are, of the user that submissions run as if that is another one."""
    if sandbox == USER:
        return len(processes_of(nobody_of().pw_uid))
    return sum(name.isdigit() for name in os.listdir("/proc")) if os.path.isdir("/proc") else 1000
