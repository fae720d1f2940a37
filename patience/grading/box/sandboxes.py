"""The sandbox in which submissions run: bubblewrap, a different user, or none."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from patience import COURSE, PACKAGE
from patience.grading.box.boxes import box, folder_of_boxes, remove, succeeds
from patience.text import error_text
from patience.workers import undisturbed

MEMORY = 1 << 30  # bytes
MAX_WRITTEN = 64 << 20  # bytes in a box, and in each temporary folder in the sandbox
SOURCE = "/source"  # where bubblewrap shows a submission's files, which are copied into a box of its own
FOR_EVERYBODY = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue")  # folders where any user may leave files
START_FIELD = 19  # of /proc/N/stat, after the name
DEVICES = [f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty")]
SECONDS_TO_TRY = 5  # whether a command can be run here
PAUSE = 0.005  # seconds between two searches for processes
FIRST = -20  # the priority of what runs before all others
BUS = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")  # how systemd-run finds its user's systemd
PROCESSES = 200  # that a submission may add to the user's own; root has no limit

# Prints the number of the first path that can be read.
READS = """
import os, sys
for number, path in enumerate(sys.argv[1:]):
    try:
        os.listdir(path) if os.path.isdir(path) else open(path).close()
    except OSError:
        continue
    print(number)
    break
"""
PYTHON = os.path.abspath(sys.executable)  # in the sandbox a path with .. leads nowhere
# What a submission sees in the sandbox: the system's programs, and Python, perhaps in a virtual environment.
SYSTEM = [
    *(f"{top}{folder}" for top in ("", "/usr", "/usr/local") for folder in ("/bin", "/lib", "/lib32", "/lib64")),
    *(
        f"{top}/{part}"
        for top in map(os.path.abspath, (sys.base_prefix, sys.prefix))
        for part in ("bin", "lib", "lib64", "pyvenv.cfg")
    ),
    "/etc/ld.so.cache",
    "/etc/localtime",
]

BWRAP, USER, NONE = "bwrap", "user", "none"
SANDBOXES = {BWRAP: "bubblewrap", USER: "none, but a different user, nobody", NONE: "none"}


def works(sandbox: str, code: str = "print(6 * 7)") -> bool:
    """Return True if this sandbox can run programs here. code: as for why_not."""
    return not why_not(sandbox, code)


def why_not(sandbox: str, code: str = "print(6 * 7)") -> str:
    """Return why this sandbox cannot run programs here, in its own words, or "". code: a program that prints 42."""
    try:
        with folder_of_boxes() as boxes, box(boxes, Path(__file__), {}) as path:
            words = sandbox_words(path, sandbox) if sandbox == BWRAP else []  # namespaces come later, if possible
            options = {**as_user(path, sandbox), **(ids_of_nobody() if sandbox == USER else {})}
            options |= {"cwd": path, "capture_output": True, "timeout": 20}
            done = subprocess.run([*words, PYTHON, "-I", "-c", code], **options)
    except (OSError, subprocess.SubprocessError, ImportError) as error:
        return error_text(error)
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.stdout == b"42\n" else (said or [f"exit status {done.returncode}"])[-1]


def should_be() -> bool:
    """Return True if a sandbox can be expected here: bubblewrap is installed, or this is root, who can run programs as
    nobody."""
    return bool(shutil.which("bwrap")) or os.getuid() == 0


@contextlib.contextmanager
def one_at_a_time(sandbox: str, notice: Callable[[], None]) -> Iterator[None]:
    """If submissions run as nobody, let only one grader at a time run them, because each grader ends all of nobody's
    processes. notice: called if this grader must wait for another."""
    if sandbox != USER:
        yield
        return
    import fcntl  # Windows has none

    roots = (path for path in ("/run", "/var/run") if os.access(path, os.W_OK))  # root's, so others can't hold it
    folder = next(roots, tempfile.gettempdir())
    number = os.open(os.path.join(folder, "patience-nobody.lock"), os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
    with open(number, "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            notice()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def ids_of_nobody() -> dict[str, Any]:
    """Return the Popen options that run a program as nobody."""
    nobody = nobody_of()
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def as_user(path: str, sandbox: str) -> dict[str, Any]:
    """Return the Popen options that run a program as nobody, if that is the sandbox, and make the user nobody the owner
    of its box. Only nobody's group can enter the folder of boxes, so no other user can run what is there. If
    namespaces() already runs the program as nobody, there are no options."""
    if sandbox != USER:
        return {}
    nobody = nobody_of()
    os.chown(os.path.dirname(path), -1, nobody.pw_gid)
    os.chmod(os.path.dirname(path), 0o710)
    for folder, _, names in os.walk(path):
        for name in ("", *names):
            os.chown(os.path.join(folder, name), nobody.pw_uid, nobody.pw_gid)
    return {} if namespaces() else ids_of_nobody()


def nobody_of() -> Any:
    """Return the entry for the user nobody."""
    import pwd  # Windows has none

    return pwd.getpwnam("nobody")


def sandbox_words(path: str, sandbox: str) -> list[str]:
    """Return the words to put before a command to run it in bubblewrap, if that is the sandbox. The command sees
    Python, its own files in SOURCE, and an empty box; it may write to the box and to the temporary folders."""
    if sandbox != BWRAP:
        return namespaces() if sandbox == USER else []
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
    for folder in ("/dev/shm", "/tmp", "/box"):
        command += ["--size", str(MAX_WRITTEN), "--tmpfs", folder]
    for folder in SYSTEM:
        command += ["--ro-bind-try", folder, folder]
    for name in BUS:
        command += ["--unsetenv", name]
    command += [*hide_words(tuple(SYSTEM)), "--ro-bind", str(path), SOURCE, "--chdir", "/box"]
    return [*command, "--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"]


@functools.cache
def namespaces() -> list[str]:
    """Return the words that root puts before a command to run it as nobody, in new namespaces for processes and
    messages, if root can do that here. When the first process ends, all of them end, and nothing is left."""
    nobody = nobody_of()
    words = ["unshare", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc", "setpriv"]
    words += [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups", "--no-new-privs"]
    return words if succeeds([*words, "true"], timeout=SECONDS_TO_TRY) else []


@functools.cache
def no_nested_users() -> list[str]:
    """Return the words that keep a program from making a user namespace (in which it could mount anything), if this
    version of bubblewrap has them."""
    words = ["--unshare-user", "--disable-userns"]
    command = ["bwrap", *words, "--ro-bind", "/", "/", "true"]
    return words if succeeds(command, timeout=SECONDS_TO_TRY) else []


@functools.cache
def hide_words(shown: tuple[str, ...]) -> list[str]:
    """Return the words that hide the project in bubblewrap if it is installed among Python's libraries, which the
    sandbox shows. Folders inside the project that the sandbox shows, such as a virtual environment, are shown again.
    shown: the folders of SYSTEM."""
    words, own = [], own_folder()
    for folder in map(Path, shown):
        if own.is_relative_to(real := folder.resolve()):
            place = str(folder / own.relative_to(real))
            inside = [one for one in shown if Path(one) != own and Path(one).is_relative_to(own)]
            binds = [word for one in inside for word in ("--ro-bind-try", one, one)]
            words += ["--tmpfs", place, *binds, "--remount-ro", place]
    return words


def own_folder() -> Path:
    """Return the project's folder: the checkout or, if it is installed, the package."""
    return min(PACKAGE, COURSE, key=lambda folder: len(folder.parts)).resolve()


@functools.cache
def scope() -> list[str]:
    """Return the words to put before a command to limit the memory of all its processes together, through a systemd
    cgroup, if the system can do that."""
    words = ["systemd-run", "--scope", "--quiet", "--collect", "-p", f"MemoryMax={MEMORY}", "-p", "MemorySwapMax=0"]
    words += ["-p", f"TasksMax={PROCESSES}"] + ["--user"] * (os.getuid() > 0)
    return words if succeeds([*words, "true"], timeout=SECONDS_TO_TRY) else []


@contextlib.contextmanager
def cleaned_up(sandbox: str) -> Iterator[None]:
    """Clean up after a submission. As nobody: end all of that user's new processes, including those that have left
    their process group, and remove what the submission has left in folders open to everybody. In bubblewrap: restore
    the permissions of devices, which only submissions run by root can change."""
    if sandbox != USER:
        rights = {path: os.stat(path).st_mode & 0o7777 for path in DEVICES if sandbox == BWRAP and os.path.exists(path)}
        yield
        for path in [path for path, mode in rights.items() if os.stat(path).st_mode & 0o7777 != mode]:
            os.chmod(path, rights[path])
        return
    uid = nobody_of().pw_uid
    processes, files = processes_of(uid), set(files_of(uid))
    try:
        yield
    finally:
        with undisturbed(), ahead():  # or the next grader would think that what is left is older than itself
            stopped: set[tuple[int, str]] = set()
            while new := processes_of(uid) - processes:
                # A stopped process starts no new ones, and leaves no room for them: none ends before all are stopped.
                number = signal.SIGKILL if new == stopped else signal.SIGSTOP
                for process, _ in new:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, number)
                stopped = new
                time.sleep(PAUSE)
            for path in {*files_of(uid)} - files:
                remove(path)


@contextlib.contextmanager
def ahead() -> Iterator[None]:
    """Within this context, let this process run before others, if the system allows that: hundreds of processes of a
    submission must not keep it from ending them."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)


def processes_of(uid: int, with_zombies: bool = False) -> set[tuple[int, str]]:
    """Return a user's live processes, each with its start time, because process numbers are reused. A process whose
    first thread has ended looks like a zombie, but has more threads. with_zombies: the real ones too, which the system
    counts until somebody asks how they ended."""
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                status = dict(line.split(":", 1) for line in read_proc(name, "status").splitlines() if ":" in line)
                is_alive = with_zombies or status["State"].split()[0] not in "ZX" or int(status["Threads"]) > 1
                if is_alive and status["Uid"].split()[0] == str(uid):
                    started = read_proc(name, "stat").rpartition(")")[2].split()[START_FIELD]
                    found.add((int(name), started))
    return found


def read_proc(number: str, name: str) -> str:
    """Return what the system says about a process."""
    with open(f"/proc/{number}/{name}", encoding="utf-8", errors="replace") as file:
        return file.read()


def files_of(uid: int) -> Iterator[str]:
    """Yield the paths of a user's files and folders in folders open to everybody, and in the world-writable folders
    inside them."""
    waiting = [*{*FOR_EVERYBODY, tempfile.gettempdir()}]
    while waiting:
        with contextlib.suppress(OSError):
            for entry in os.scandir(waiting.pop()):
                status = entry.stat(follow_symlinks=False)
                if status.st_uid == uid:
                    yield entry.path
                elif stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_IWOTH:
                    waiting.append(entry.path)


def readable_by_nobody(paths: Iterable[Path] = ()) -> Path | None:
    """Return the first of the project's files and these paths that the user nobody can read, or None."""
    sessions = sorted((PACKAGE / "grading").glob("courses/*/sessions/*"))
    all_paths = [*sessions, COURSE / "montana.py", *paths]
    words = [PYTHON, "-c", READS, *map(str, all_paths)]
    tried = subprocess.run(words, user="nobody", group="nogroup", cwd="/", capture_output=True)
    return all_paths[int(tried.stdout)] if tried.returncode == 0 and tried.stdout else None
