"""One submission, run in its box: a clean environment, limits, and a sandbox if there is one.

A submission is never told where sessions, decks or the project are: what it needs lies in a file of its box, which is
gone before it begins. In bubblewrap everything that it starts ends with it; without, its process group.
"""

import contextlib
import functools
import importlib.metadata
import json
import marshal
import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

from grading.boxes import MAX_FILES, ROOT, box, folder_of_boxes
from patience.text import printable

INSIDE = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")
MAIN, START = "main() is never called, so it was called here.", b"\0start "  # as inside.py says it

MAX_PRINTED = 1 << 20  # bytes
MAX_ERRORS = 1 << 14
MAX_LATE = 2  # calls of a function that do not end, as in inside.py
MAX_ANSWERS = 64 << 20  # bytes of what functions return
NEEDED = ("SYSTEMROOT",)  # without which Python does not begin, on Windows
MEMORY = 1 << 30  # bytes
LIMITS = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": MAX_ANSWERS, "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 64}
CLOCK = 6  # seconds that may pass for each second of processor time
MAX_DEEP = 50  # folders within one another in a box
MAX_WRITTEN = 64 << 20  # bytes of a box, and of each temporary folder in the sandbox
LOOKS_EVERY = 0.02  # seconds between two looks at what a program has written
BUS = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")  # by which systemd-run finds its user's systemd
PROCESSES = 200  # that a submission may add to those of the user; root has no limit

# What a submission sees in the sandbox: the system's programs, and Python, perhaps in a virtual environment.
SYSTEM = [
    *(f"{top}{folder}" for top in ("", "/usr", "/usr/local") for folder in ("/bin", "/lib", "/lib32", "/lib64")),
    *(f"{top}/{part}" for top in (sys.base_prefix, sys.prefix) for part in ("bin", "lib", "lib64", "pyvenv.cfg")),
    "/etc/ld.so.cache",
    "/etc/localtime",
]

# pieces: what was printed before each line that was asked for, and after the last; text. errors: text. remarks:
# sentences about what it should not have done.
Run = namedtuple("Run", "pieces errors remarks")


# The sandbox: BWRAP, another USER, or NONE

BWRAP, USER, NONE = "bwrap", "user", "none"
SANDBOXES = {BWRAP: "bubblewrap", USER: "none, but another user, nobody", NONE: "none"}


def works(sandbox, code="print(6 * 7)"):
    """Return True if programs can be run so here. code: what prints 42."""
    with contextlib.suppress(OSError, subprocess.SubprocessError, ImportError), folder_of_boxes() as boxes:
        with box(boxes, __file__, {}) as path:
            command = [*sandbox_words(path, sandbox), sys.executable, "-I", "-c", code]
            options = {**as_user(path, sandbox), "cwd": path, "capture_output": True, "timeout": 20}
            return subprocess.run(command, **options).stdout == b"42\n"
    return False


def has_click(sandbox):
    """Return True if programs that run so can import click: our frame, in which modules play, needs it."""
    return works(sandbox, "import click; print(6 * 7)")


def as_user(path, sandbox):
    """Return the options of Popen that run a program as nobody, if the sandbox is that, and give it a box. Nobody's
    group alone comes through the folder of boxes, so that no other user runs what lies there."""
    if sandbox != USER:
        return {}
    import pwd  # Windows has none

    nobody = pwd.getpwnam("nobody")
    os.chown(os.path.dirname(path), -1, nobody.pw_gid)
    os.chmod(os.path.dirname(path), 0o710)
    for folder, _, names in os.walk(path):
        for name in ("", *names):
            os.chown(os.path.join(folder, name), nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def sandbox_words(path, sandbox):
    """Return the words before a command that run it in bubblewrap, if the sandbox is that: it sees Python, and the box,
    where it may write."""
    if sandbox != BWRAP:
        return []
    command = [
        *scope(),
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        *no_nested_users(),
        "--proc",
        "/proc",
        "--ro-bind",  # where root could set the kernel's own switches
        "/proc/sys",
        "/proc/sys",
        "--dev",
        "/dev",
    ]
    for folder in ("/dev/shm", "/tmp"):
        command += ["--size", str(MAX_WRITTEN), "--tmpfs", folder]
    for folder in SYSTEM:
        command += ["--ro-bind-try", folder, folder]
    for name in BUS:
        command += ["--unsetenv", name]
    command += [*hide_words(), "--bind", str(path), "/box", "--chdir", "/box"]
    return [*command, "--remount-ro", "/dev", "--remount-ro", "/"]


@functools.cache
def no_nested_users():
    """Return bubblewrap's words that let a program make no user namespace, in which it could mount what it likes, if
    this bubblewrap has them."""
    words = ["--unshare-user", "--disable-userns"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        command = ["bwrap", *words, "--ro-bind", "/", "/", "true"]
        if subprocess.run(command, capture_output=True, timeout=5).returncode == 0:
            return words
    return []


@functools.cache
def hide_words():
    """Return bubblewrap's words that hide the project where the sandbox shows Python its libraries: installed, it lies
    among them."""
    words = []
    for path in own_paths():
        for folder in map(Path, SYSTEM):
            if path.is_relative_to(real := folder.resolve()):
                place = str(folder / path.relative_to(real))
                words += ["--tmpfs", place] if path.is_dir() else ["--ro-bind", os.devnull, place]
    return words


def own_paths():
    """Return the paths that the project consists of: what was installed of it, or the folder in which it lies."""
    try:
        files = importlib.metadata.files("patience-games") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    installed = {ROOT / file.parts[0] for file in files}  # also all of __pycache__, which may be filled later
    own = {path.resolve() for path in installed if path.exists() and ".." not in path.parts}
    return sorted(own) if ROOT / "grading" in own else [ROOT]


@functools.cache
def scope():
    """Return the words before a command that set one limit to the memory of all its processes together, if the system
    can do that: a cgroup, made by systemd."""
    words = ["systemd-run", "--scope", "--quiet", "--collect", "-p", f"MemoryMax={MEMORY}", "-p", "MemorySwapMax=0"]
    words += ["-p", f"TasksMax={PROCESSES}"] + ["--user"] * (hasattr(os, "getuid") and os.getuid() > 0)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if subprocess.run([*words, "true"], capture_output=True, timeout=5).returncode == 0:
            return words
    return []


def readable_by_nobody():
    """Return the first of our files that the user nobody can read, or None."""
    for path in (*sorted(Path(__file__).parent.glob("montana/*")), ROOT / "montana.py"):
        reads = [sys.executable, "-c", "import sys; open(sys.argv[1]).close()", path]
        if subprocess.run(reads, user="nobody", group="nogroup", cwd="/", capture_output=True).returncode == 0:
            return path
    return None


class NotStarted(Exception):
    """Python cannot start a program. str() is why."""


# Running


def run(path, settings, typed, seconds, sandbox=NONE):
    """Run a program in its box; return a Run. typed: bytes for its standard input. seconds: of processor time. Raises
    NotStarted."""
    before, mark = set(os.listdir(path)), secrets.token_bytes(16)
    status, printed, errors, stopped = execute(path, {**settings, "mark": mark}, seconds, seconds, sandbox, typed)
    remarks = [f"{MAIN[:-1]}."] if MAIN in errors else []
    if status in (-signal.SIGPROF, -signal.SIGXCPU) if hasattr(signal, "SIGPROF") else ():
        stopped = f"It does not end within {seconds:g} s of processor time."
    if len(printed) > MAX_PRINTED:
        remarks.append("It prints without end.")
    elif stopped:
        remarks.append(stopped)
    elif status:
        remarks.append(f"It ends with exit status {status}.")
    if left := sorted({*os.listdir(path)} - before - {"__pycache__"}):
        remarks.append(f"It leaves files behind: {', '.join(map(printable, left[:5]))}.")
    pieces = [piece.decode("utf-8", "replace").replace("\r\n", "\n") for piece in printed[:MAX_PRINTED].split(mark)]
    return Run(pieces, errors.replace(f"{MAIN}\n", ""), remarks)


def call(path, settings, seconds, sandbox=NONE):
    """Let inside.py answer the settings' calls; return why the module could not be loaded whole, or "", and the
    answers, a dict each, in order. Raises NotStarted."""
    count = len(settings["calls"])
    functions = {call["function"] for call in settings["calls"]}
    most = seconds * (MAX_LATE * len(functions) + 2)
    _, printed, _, stopped = execute(path, settings, seconds, most, sandbox, b"")
    lines = printed.decode("utf-8", "replace").split("\n")
    missing = {"late": True} if stopped else {"error": "the program ended itself"}
    answers = [answer if isinstance(answer := parse(line), dict) else missing for line in lines[1 : count + 1] if line]
    error = parse(lines[0])
    return error if isinstance(error, str) else "", answers + [missing] * (count - len(answers))


def parse(line):
    """Return what a line of JSON means, or None; the submission may have written it."""
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(line)


def execute(path, settings, seconds, most, sandbox, typed):
    """Run inside.py in a box; return its exit status, what it printed, its errors, and a sentence if it was stopped, or
    "". seconds: of processor time, for one thing. most: for all of them."""
    limits = {**LIMITS, "RLIMIT_CPU": int(most) + 2, "RLIMIT_NPROC": processes() + PROCESSES}
    number, name = tempfile.mkstemp(dir=path)
    with open(number, "wb") as file:
        marshal.dump({**settings, "limits": limits, "seconds": seconds}, file)
    command = [sys.executable, "-I", "-B", "-u", "-X", "utf8", "-c", INSIDE, os.path.basename(name)]
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/box" if sandbox == BWRAP else str(path)}
    needed = (*NEEDED, *(BUS if sandbox == BWRAP and scope() else ()))
    environment |= {name: os.environ[name] for name in needed if name in os.environ}
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(typed)
        stdin.seek(0)
        program = subprocess.Popen(
            [*sandbox_words(path, sandbox), *command],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=path,
            env=environment,
            start_new_session=True,
            **as_user(path, sandbox),
        )
        if multiprocessing.parent_process():  # a worker that is terminated ends what it has started
            signal.signal(signal.SIGTERM, lambda *_: (end(program), os._exit(1)))
        most_printed = MAX_ANSWERS if "calls" in settings else MAX_PRINTED
        try:
            stopped = watch(program, path, stdout, most, most_printed)
        finally:
            end(program)
            program.wait()
        for file in (stdout, stderr):
            file.seek(0)
        printed, errors = stdout.read(most_printed + 1), stderr.read(MAX_ERRORS).decode("utf-8", "replace")
    if printed.startswith(START):
        raise NotStarted(printable(printed.decode("utf-8", "replace")[len(START) :].rstrip("\n")))
    return program.returncode, printed, errors, stopped


def watch(program, path, stdout, seconds, most_printed):
    """Wait until a program ends, or has to be stopped, for its time or for what it writes; return why, or ""."""
    deadline = time.monotonic() + CLOCK * seconds
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            program.wait(LOOKS_EVERY)
            return ""
        if time.monotonic() > deadline:
            return f"It does not end within {CLOCK * seconds:g} s."
        if size_of(path) > MAX_WRITTEN:
            return f"It writes more than {MAX_WRITTEN >> 20} MB."
        if os.fstat(stdout.fileno()).st_size > most_printed:
            return "It prints without end."


def size_of(folder):
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


def end(program):
    """End a program, and those of its process group, if there are groups."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()


def processes():
    """Return how many processes there are."""
    return sum(name.isdigit() for name in os.listdir("/proc")) if os.path.isdir("/proc") else 1000
