"""One submission, run in its box: a clean environment, limits, and a sandbox if there is one. What it starts ends
with it.

A submission is never told where sessions, decks or the project are: what it needs lies in a file of its box, which is
gone before it begins.
"""

import contextlib
import ctypes
import functools
import importlib.metadata
import json
import marshal
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import namedtuple
from pathlib import Path

from grading.boxes import MAX_FILES, ROOT, box, folder_of_boxes
from patience.text import printable

INSIDE = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")

MAX_PRINTED = 1 << 20  # bytes
MAX_ERRORS = 1 << 14
CHUNK = 1 << 16
PAUSE = 0.002  # seconds between two looks at what is printed: a program prints in many small pieces
PR_SET_CHILD_SUBREAPER = 36
NEEDED = ("SYSTEMROOT",)  # without which Python does not begin, on Windows
MEMORY = 1 << 30  # bytes
LIMITS = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": 10 << 20, "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 64}
MAX_DEEP = 50  # folders within one another in a box
MAX_WRITTEN = 64 << 20  # bytes of a box, and of each temporary folder in the sandbox
LOOKS_EVERY = 0.02  # seconds between two looks at the size of a box
BUS = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")  # by which systemd-run finds its user's systemd
PROCESSES = 200  # that a submission may add to those of the user; root has no limit

# What a submission sees in the sandbox: the system's programs, and Python, perhaps in a virtual environment.
SYSTEM = [
    *(f"{top}{folder}" for top in ("", "/usr", "/usr/local") for folder in ("/bin", "/lib", "/lib32", "/lib64")),
    *(f"{top}/{part}" for top in (sys.base_prefix, sys.prefix) for part in ("bin", "lib", "lib64", "pyvenv.cfg")),
    "/etc/ld.so.cache",
    "/etc/localtime",
]

# printed: bytes. errors: text. status: how it ended. remarks: sentences about what it should not have done.
Run = namedtuple("Run", "printed errors status remarks")


# The sandbox: BWRAP, another USER, or NONE

BWRAP, USER, NONE = "bwrap", "user", "none"
SANDBOXES = {BWRAP: "bubblewrap", USER: "none, but another user, nobody", NONE: "none"}


def works(sandbox, code="print(6 * 7)"):
    """Return True if programs can be run so here. code: what prints 42."""
    with contextlib.suppress(OSError, subprocess.SubprocessError, ImportError), folder_of_boxes() as boxes:
        with box(boxes, __file__, {}) as path:
            command = [*sandboxed(path, sandbox), sys.executable, "-I", "-c", code]
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


def sandboxed(path, sandbox):
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
    command += [*hiding(), "--bind", str(path), "/box", "--chdir", "/box"]
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
def hiding():
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


# Running


def run(path, settings, typed, seconds, sandbox=NONE):
    """Run a program in its box; return a Run. typed: bytes for its standard input."""
    before = set(os.listdir(path))
    with started(path, settings, seconds, seconds, sandbox, typed) as (program, errors, others, stopped):
        waiting = threading.Thread(target=end_after, args=[program, others])  # what it started may hold its output open
        waiting.start()
        printed = b""
        try:
            while len(printed) <= MAX_PRINTED and (chunk := program.stdout.read1(CHUNK)):
                printed += chunk
                time.sleep(PAUSE)
        finally:  # also after Ctrl-C: this thread would take what cleans up for something left behind
            if len(printed) > MAX_PRINTED or sys.exc_info()[0]:
                end(program)
            waiting.join()
        errors.seek(0)
        told = errors.read(MAX_ERRORS).decode("utf-8", "replace")
    remarks = []
    if stopped:
        remarks.append(stopped[0])
    elif len(printed) > MAX_PRINTED:
        remarks.append("It prints without end.")
    elif program.returncode:
        remarks.append(f"It ends with exit status {program.returncode}.")
    if left := sorted({*os.listdir(path)} - before - {"__pycache__"}):
        remarks.append(f"It leaves files behind: {', '.join(map(printable, left[:5]))}.")
    return Run(printed[:MAX_PRINTED], told, program.returncode, remarks)


def call(path, settings, seconds, sandbox=NONE):
    """Let inside.py call the functions of the settings' checks; return its answers, a dict each, in order."""
    checks = settings["checks"]
    if hasattr(os, "fork"):
        return answers(path, {**settings, "seconds": seconds}, seconds, seconds * (len(checks) + 1), sandbox)
    late, found = {}, []  # function -> how often it was late; without fork each check is a program of its own
    for check in checks:
        if late.get(check["function"], 0) > 1:
            found.append({"late": check["function"]})
            continue
        found += answers(path, {**settings, "seconds": seconds, "checks": [check]}, seconds, seconds, sandbox)
        late[check["function"]] = late.get(check["function"], 0) + ("late" in found[-1])
    return found


def answers(path, settings, seconds, most, sandbox):
    """Return an answer for each check of the settings. most: seconds for all of them."""
    count = len(settings["checks"])
    with started(path, settings, seconds, most, sandbox, b"") as (program, _, _, stopped):
        lines = program.stdout.read(MAX_PRINTED * 16).decode("utf-8", "replace").splitlines()[:count]
        missing = {"late": settings["checks"][0]["function"]} if stopped else answer_of("")
    return [*map(answer_of, lines), *[missing] * (count - len(lines))]


def answer_of(line):
    """Return the answer in a line, a dict; the submission may have written it."""
    with contextlib.suppress(ValueError, RecursionError):
        if isinstance(answer := json.loads(line), dict):
            return answer
    return {"error": "the program ended itself"}


@contextlib.contextmanager
def started(path, settings, seconds, most, sandbox, typed):
    """Give a Popen of inside.py, the file of its standard error, our other child processes, and a list that gets a
    sentence if it is stopped, after the most seconds or for what it has written. At the end, end everything that it has
    started."""
    limits = {**LIMITS, "RLIMIT_CPU": int(seconds) + 1, "RLIMIT_NPROC": processes() + PROCESSES}
    settings = {
        **settings,
        "limits": limits,
        "grader": os.getpid() if sandbox != BWRAP and hasattr(os, "fork") else None,
    }
    number, name = tempfile.mkstemp(dir=path)
    with open(number, "wb") as file:
        marshal.dump(settings, file)
    command = [sys.executable, "-I", "-B", "-u", "-X", "utf8", "-c", INSIDE, os.path.basename(name)]
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": "/box" if sandbox == BWRAP else str(path)}
    needed = (*NEEDED, *(BUS if sandbox == BWRAP and scope() else ()))
    environment |= {name: os.environ[name] for name in needed if name in os.environ}
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as errors:
        stdin.write(typed)
        stdin.seek(0)
        adopt_orphans(True)
        others = children()
        program = subprocess.Popen(
            [*sandboxed(path, sandbox), *command],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=path,
            env=environment,
            start_new_session=True,
            **as_user(path, sandbox),
        )
        stopped, is_over = [], threading.Event()
        watching = threading.Thread(target=watch, args=[program, path, most, is_over, stopped])
        try:
            watching.start()
            yield program, errors, others, stopped
        finally:
            is_over.set()
            end(program)
            end_after(program, others)
            program.stdout.close()
            adopt_orphans(False)


def watch(program, path, seconds, is_over, stopped):
    """Stop a program after so many seconds, or when its box is too large; add a sentence that says why to a list."""
    deadline = time.monotonic() + seconds
    while not stopped and not is_over.wait(LOOKS_EVERY):
        if time.monotonic() > deadline:
            stopped.append(f"It does not end within {seconds:g} s.")
        elif size_of(path) > MAX_WRITTEN:
            stopped.append(f"It writes more than {MAX_WRITTEN >> 20} MB.")
    if stopped:
        end(program)


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


def end_after(program, others):
    """Wait for a program's end, and end what it has left behind. others: our other child processes."""
    program.wait()
    end(program)
    end_orphans(others)


def end(program):
    """End a program, and those of its process group, if there are groups."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()


def end_orphans(others):
    """End the processes that a program has left behind outside its group, which are our children now."""
    while left := children() - others:
        for number in left:
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)


def adopt_orphans(wanted):
    """Let orphaned processes become our children, or no longer, if the system can do that."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # only Linux has it
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(wanted))


def end_with_worker():
    """Let a worker that is terminated end what it has started."""
    if multiprocessing.parent_process():
        signal.signal(signal.SIGTERM, lambda *_: (end_orphans(set()), os._exit(1)))


def children():
    """Return the numbers of our child processes, if the system tells them."""
    found = set()
    for path in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found.update(map(int, path.read_text().split()))
    return found


def processes():
    """Return how many processes there are."""
    return sum(name.isdigit() for name in os.listdir("/proc")) if os.path.isdir("/proc") else 1000
