"""The process that runs a submission in its box: a clean environment, limits, and a sandbox if there is one. A
submission is never told where the sessions, decks or project are: what it needs is written to a separate file, which is
emptied before the submission begins. In bubblewrap every process ends when the submission does; otherwise its process
group ends."""

from __future__ import annotations

import contextlib
import errno
import functools
import marshal
import math
import os
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from patience.grading.box.boxes import MAX_FILES, Files, box
from patience.grading.box.inside.base import CLOCK, START, NotStarted
from patience.grading.box import sandboxes
from patience.grading.box.sandboxes import BUS, BWRAP, MAX_WRITTEN, MEMORY, NONE, PROCESSES, SOURCE, USER, as_user
from patience.grading.box.sandboxes import cleaned_up
from patience.grading.box.sandboxes import nobody_of, processes_of, sandbox_words, scope
from patience.text import printable
from patience.workers import undisturbed

PARTS = ("base", "run_program", "answer_calls", "outline")  # modules of inside/
BEGIN = """\
import marshal, sys, types
told = open(int(sys.argv[1]), "rb")
codes = marshal.load(told)
base = sys.modules["patience.grading.box.inside.base"] = types.ModuleType("base")
exec(codes["base"], vars(base))
base.begin(codes, told)
"""

PYTHON = [sandboxes.PYTHON, "-I", "-B", "-u", "-X", "utf8", "-c"]
LIMITS = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": MAX_WRITTEN, "RLIMIT_CORE": 0, "RLIMIT_MSGQUEUE": 0, "RLIMIT_NOFILE": 64}
MAX_PRINTED = 1 << 20  # bytes
MAX_ERRORS = 1 << 14
MAX_ANSWER, MAX_ANSWERS = 1 << 20, 16 << 20  # bytes that one function may return, and that all of them together may
MAX_DEEP = 50  # levels of nested folders in a box
MAX_REPLY = 20  # bytes
MAX_ASKED = 1 << 16  # lines that a program may ask for
SECONDS_TO_END = 1  # for a sandbox, once everything in it has ended
ASKS_ON = "It kept asking for input after the last line."
# What is printed instead if no process can start: a submission that starts too many has its own file in the traceback.
NO_PROCESS = re.compile(r"bwrap: |(?!(?s:.)*File \"(?!<))(?s:.)*BlockingIOError: \[Errno 11\]")
CROWD = 100  # processes of nobody: a submission that starts more is not graded
CROWDED = f"It started more than {CROWD} processes."
LOOKS_EVERY = 0.02  # seconds between checks of what a program has written


class Streams(NamedTuple):
    """Files of a process."""

    stdout: IO[bytes]
    stderr: IO[bytes]
    told: IO[bytes]  # what inside/ is told
    left: IO[bytes]  # the names of what is left in the box


class Pipes(NamedTuple):
    """Our ends of the pipes to a process."""

    ask: int  # for what comes next
    reply: int  # what came of it
    wants: int  # where a program asks for a line
    gives: int  # where it gets that


class Size(NamedTuple):
    """How much a folder holds."""

    size: float  # bytes on the disk
    files: float  # and folders
    depth: float  # of nested folders


class Done(NamedTuple):
    """The result of a program, or of calls."""

    status: int
    printed: bytes
    asked_at: list[int]  # how many bytes were printed when each line was asked for
    errors: str
    stopped: str  # why it was stopped, as a sentence, or ""
    left: list[str]  # the names of what it left in its box


ALLOWED = Size(MAX_WRITTEN, 2 * MAX_FILES, MAX_DEEP)  # of what a program writes into its box
ANY_SIZE = Size(*[math.inf] * 3)


class Runner(contextlib.ExitStack):
    """Runs the programs of one submission. In bubblewrap a single Python starts them all, each in a child process of
    its own, as long as nothing is left over from earlier runs (see inside/). Otherwise each program starts its own
    Python, and each use() makes a new box."""

    def __init__(self, boxes: str, folder: Path, sandbox: str = NONE) -> None:
        """boxes: the folder for its boxes. folder: the submission's own, or its one file."""
        super().__init__()
        self.boxes, self.folder, self.sandbox = boxes, folder, sandbox
        self.files: Files | None = None
        self.python: subprocess.Popen[bytes] | None = None
        self.stopped = self.silent = 0  # how many runs had to be stopped, and how many of these had printed nothing
        self.files_open = self.enter_context(contextlib.ExitStack())
        self.own = self.enter_context(contextlib.ExitStack())  # what ends with the box

    def use(self, files: Files) -> Runner:
        """From now on run programs in a box with these files, which replace the submission's own. In bubblewrap a box
        cannot change, so it is reused."""
        if self.sandbox != BWRAP or files != self.files:
            self.own.close()
            self.path = self.own.enter_context(box(self.boxes, self.folder, files))
            self.own.callback(self.kill)
            self.files = files
            self.begun = size_of(self.path, ANY_SIZE)
        return self

    def execute(self, settings: dict[str, Any], seconds: float, most: float, typed: bytes = b"") -> Done:
        """Run a program, or calls, and type some bytes. seconds: processor time for each one. most: processor time for
        all of them. Raises NotStarted."""
        limits = {**LIMITS, "RLIMIT_CPU": int(most) + 2, "RLIMIT_NPROC": processes(self.sandbox) + PROCESSES}
        settings = {**settings, "limits": limits, "seconds": seconds}
        if self.sandbox == BWRAP:
            settings["source"] = SOURCE
        before = set(os.listdir(self.path))
        is_asked = settings["part"] == "answer_calls"  # calls, one by one
        most_printed = MAX_PRINTED if settings["part"] == "run_program" else MAX_ANSWERS
        with cleaned_up(self.sandbox):
            self.begin(settings)
            status, stopped, asked_at = None, "", []
            try:
                status, stopped = self.watch(
                    most, most_printed, iter(typed.splitlines(keepends=True)), asked_at, is_asked
                )
                stopped = stopped or crowd(self.sandbox)
            finally:
                if status is None:
                    status = self.kill()
        if stopped == CROWDED:  # nothing of it is run again
            raise NotStarted(stopped)
        printed = beginning_of(self.streams.stdout, most_printed + 1)
        errors, left = (
            beginning_of(file, MAX_ERRORS).decode("utf-8", "replace")
            for file in (self.streams.stderr, self.streams.left)
        )
        names = {*left.split("\0")}
        if self.sandbox != BWRAP:
            names = {*os.listdir(self.path)} - before - {"__pycache__"}
        if not printed and not asked_at and NO_PROCESS.match(errors):
            raise BlockingIOError(errno.EAGAIN, "no process could be started for it")
        if printed.startswith(START.encode()) and not asked_at:  # the program has read nothing that it could reveal
            raise NotStarted(printable(printed.decode("utf-8", "replace")[len(START) :].rstrip("\n")))
        return Done(status, printed, asked_at, errors, stopped, sorted(filter(None, names)))

    def begin(self, settings: dict[str, Any]) -> None:
        """Give the running Python its next task, or start one."""
        if self.python and select.select([self.pipes.reply], [], [], 0)[0]:  # it has ended since
            self.kill()
        if not self.python:
            self.start(settings)
            return
        while select.select([self.pipes.wants], [], [], 0)[0]:  # requests made after the end
            os.read(self.pipes.wants, MAX_ASKED)
        for file in self.streams:
            file.seek(0)
            file.truncate()
        fill(self.streams.told, marshal.dumps(settings))
        with contextlib.suppress(BrokenPipeError):
            os.write(self.pipes.ask, b"\n")

    def start(self, settings: dict[str, Any]) -> None:
        """Start inside/ in the box, with new files and pipes, because a process that was ended may still write to the
        old ones."""
        self.files_open.close()
        self.streams = Streams(*(self.files_open.enter_context(tempfile.TemporaryFile()) for _ in Streams._fields))
        fill(self.streams.told, compiled_inside(), marshal.dumps(settings))
        asked, ask = os.pipe()
        reply, replies = os.pipe()
        wants, wanted = os.pipe()
        given, gives = os.pipe()
        os.set_blocking(gives, False)
        self.pipes = Pipes(ask, reply, wants, gives)
        theirs = asked, replies, wanted, given
        files = [self.streams.told.fileno(), self.streams.left.fileno(), *theirs]
        try:
            self.python = subprocess.Popen(
                [*sandbox_words(self.path, self.sandbox), *PYTHON, BEGIN, *map(str, files)],
                cwd=self.path,
                env=environment_of(self.path, self.sandbox),
                start_new_session=True,
                pass_fds=files,
                stdin=subprocess.DEVNULL,
                stdout=self.streams.stdout,
                stderr=self.streams.stderr,
                **as_user(self.path, self.sandbox),
            )
        except BaseException:
            for number in self.pipes:
                os.close(number)
            raise
        finally:
            for number in theirs:
                os.close(number)

    def watch(
        self, seconds: float, most_printed: int, typed: Iterator[bytes], asked_at: list[int], answers_first: bool
    ) -> tuple[int | None, str]:
        """Give a program its lines until it ends, or has to be stopped because of the time it takes or what it writes.
        Return its exit status, or None if Python ends with it; and why it has to be stopped, or "". typed: the lines.
        asked_at: receives how much had been printed when each line was requested. answers_first: give each line only
        after the one before it has been answered with a line. A program that asks again after the end is stopped."""
        deadline, looks, lines = time.monotonic() + CLOCK * seconds, 0.0, lines_in(self.streams.stdout)
        has_ended = False  # True once the program was told that there are no more lines
        while self.python:
            ready = select.select([self.pipes.reply, self.pipes.wants], [], [], LOOKS_EVERY)[0]
            if self.pipes.wants in ready and os.read(self.pipes.wants, 1) and len(asked_at) < MAX_ASKED:
                if has_ended and not answers_first:
                    return None, ASKS_ON
                asked_at.append(os.fstat(self.streams.stdout.fileno()).st_size)
                is_next = not answers_first or next(lines) >= len(asked_at)  # a line for the error and for each answer
                line = next(typed, b"") if is_next else b""
                has_ended = not line
                with contextlib.suppress(BlockingIOError, BrokenPipeError):  # it asks but does not read
                    os.write(self.pipes.gives, b"%d\n%s" % (len(line), line))
            elif self.pipes.reply in ready:  # a status, or no process is left that could write one
                if (words := os.read(self.pipes.reply, MAX_REPLY).split()) and words[0].isdigit():
                    if len(words) > 1:  # something is left
                        self.kill()
                    return int(words[0]), ""
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.python.wait(SECONDS_TO_END)
                break
            if time.monotonic() < looks:
                continue
            looks = time.monotonic() + LOOKS_EVERY
            if time.monotonic() > deadline:
                return None, f"It did not finish within {CLOCK * seconds:g} s."
            if told := excess(self.path, self.begun) or crowd(self.sandbox):
                return None, told
            if any(
                os.fstat(file.fileno()).st_size > most_printed for file in (self.streams.stdout, self.streams.stderr)
            ):
                return None, "It printed without stopping."
        return None, ""

    def kill(self) -> int:
        """End Python, if it is running, and its process group; return its exit status."""
        with undisturbed():
            if not self.python:
                return 0
            with contextlib.suppress(OSError):
                os.killpg(self.python.pid, signal.SIGKILL)
            status = self.python.wait()
            for number in self.pipes:
                os.close(number)
            self.python = None
            return status


def lines_in(file: IO[bytes]) -> Iterator[int]:
    """Each time, yield how many lines a file has by then."""
    read = lines = 0
    while True:
        while chunk := os.pread(file.fileno(), MAX_ANSWER, read):
            read += len(chunk)
            lines += chunk.count(b"\n")
        yield lines


def beginning_of(file: IO[bytes], most: int) -> bytes:
    """Return the first bytes of a file. Its place stays where it is, because a process that is just ending may share it
    and still write there."""
    return os.pread(file.fileno(), most, 0)


def fill(file: IO[bytes], *parts: bytes) -> None:
    """Write to a file, ready to be read from its beginning."""
    for part in parts:
        file.write(part)
    file.flush()
    file.seek(0)


@functools.cache
def compiled_inside() -> bytes:
    """Return the code to run in a box, compiled and ready to send."""
    inside = Path(__file__).with_name("inside")
    return marshal.dumps({name: compile((inside / f"{name}.py").read_bytes(), "<string>", "exec") for name in PARTS})


def environment_of(path: str, sandbox: str) -> dict[str, str]:
    """Return the environment of a submission."""
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/box" if sandbox == BWRAP else str(path)}
    needed = BUS if sandbox == BWRAP and scope() else ()
    return environment | {name: os.environ[name] for name in needed if name in os.environ}


def size_of(folder: str, most: Size) -> Size:
    """Return how much a folder holds; counting stops when it exceeds most. Raises OSError if it cannot be read."""
    size, count, deepest, waiting = 0, 0, 0, [(folder, 0)]
    while waiting and not (size > most.size or count > most.files or deepest > most.depth):
        path, depth = waiting.pop()
        deepest = max(deepest, depth)
        try:
            entries = list(os.scandir(path))
        except FileNotFoundError:
            continue
        count += len(entries)
        for entry in entries:
            with contextlib.suppress(OSError):
                size += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, depth + 1))
    return Size(size, count, deepest)


def excess(folder: str, begun: Size) -> str:
    """Return a sentence if a program has written more into its box than allowed, or "". begun: what the box held at the
    start."""
    most = Size(*(allowed + before for allowed, before in zip(ALLOWED, begun)))
    try:
        size = size_of(folder, most)
    except OSError as error:
        return f"Its folder could not be checked: {error.strerror}."
    if size.size > most.size:
        return f"It wrote more than {MAX_WRITTEN >> 20} MB."
    if size.files > most.files:
        return f"It made more than {ALLOWED.files:,} files."
    return f"It nested folders more than {MAX_DEEP} deep." if size.depth > most.depth else ""


def crowd(sandbox: str) -> str:
    """Return CROWDED if a submission has started so many processes that nothing else gets on, or "". In bubblewrap and
    as this user, they end with the program."""
    return CROWDED if sandbox == USER and len(processes_of(nobody_of().pw_uid)) > CROWD else ""


def processes(sandbox: str) -> int:
    """Return how many processes count against a submission before it begins: those of nobody or, as this user, at
    most all that there are; 1000 if that is not known."""
    if sandbox == USER:
        return len(processes_of(nobody_of().pw_uid, with_zombies=True))
    return sum(name.isdigit() for name in os.listdir("/proc")) if os.path.isdir("/proc") else 1000
