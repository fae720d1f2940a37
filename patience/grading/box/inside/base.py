"""This runs in the box before a submission, and sets the limits, the cards and the seed. It needs only Python. Its code
and that of the other parts arrive compiled in an open file called told, followed by the settings, all written by
marshal. That file is emptied and closed before the first line of the submission runs.

The settings: part, which of the other parts to run; file of the program, and the options for its main(); seed, or None;
deck, the [rank, suit] pairs that every Deck deals, or that so many of them deal in turn as it takes, or None; replaced,
the names of functions in whose place ours are taken, and ours, a program that has them and what they need; limits,
resource name -> number; seconds of processor time. For functions there are also calls, the number of calls; and
most_late, how many calls of a function may fail to end before its later calls get only the seconds given by short. In
bubblewrap there is also source, the folder with the submission's files.

The arguments are the file numbers of told, of a file for the names of what a submission leaves in the box, and of four
pipes. On the first pipe the grader asks for the next run, and on the second it gets the exit status. On the third the
program asks for its next line or call, which it gets on the fourth. If Python cannot start the file, only START and the
reason are printed.
"""

from __future__ import annotations

# Import everything needed before the submission's folder is on the path, because it may contain a json.py of its own.
import contextlib
import itertools
import marshal
import os
import random
import signal
import stat
import sys
import traceback
import types

TYPE_CHECKING = False  # True for mypy; typing would be one more import before every submission
if TYPE_CHECKING:
    from typing import Any

    from patience import Pair

PATH = sys.path[:]
PACK = 52  # cards of a deck
CLOCK = 6  # seconds that may pass for each second of processor time
OF_EACH = ("RLIMIT_CPU", "RLIMIT_NPROC")  # limits of each process that serve starts; the others also apply to its own
SHARED = "/proc/sysvipc"
PR_SET_DUMPABLE = 4
START = "\0start "


class OutOfTime(BaseException):
    """A call takes too long."""


class NotStarted(Exception):
    """Python cannot start a file. str() is the reason, a sentence."""


def stack(deck_class: type, card_class: type, pairs: list[Pair]) -> type:
    """Return a Deck class that deals these cards and does not shuffle them. Each deck deals PACK cards, so that two of
    them deal two packs."""
    packs = itertools.cycle([pairs[at : at + PACK] for at in range(0, len(pairs), PACK)])

    class StackedDeck(deck_class):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.left = [card_class(*pair) for pair in reversed(next(packs))]

        def shuffle(self) -> None:
            pass

        def deal(self) -> Any:
            return self.left.pop() if self.left else None

        def is_empty(self) -> bool:
            return not self.left

        def __len__(self) -> int:
            return len(self.left)

        def __str__(self) -> str:
            return ", ".join(map(str, self.left))

    return StackedDeck


def read_line(gives: int) -> bytes:
    """Return the line that comes from a pipe, where its length comes first. gives: the pipe's number."""
    length, line = b"", b""
    while not length.endswith(b"\n"):
        length += os.read(gives, 1)
    while len(line) < int(length):
        line += os.read(gives, int(length) - len(line))
    return line


def describe(error: BaseException) -> str:
    """Return an exception as Python shows it, but only with the submission's frames."""
    folder = os.getcwd() + os.sep
    own = []
    for frame in traceback.extract_tb(error.__traceback__):
        name = frame.filename[len(folder) :] if frame.filename.startswith(folder) else frame.filename
        if not os.path.isabs(name) and not name.startswith("<") and name != "cards.py":
            own.append(traceback.FrameSummary(name, frame.lineno, frame.name, line=frame.line))
    lines = traceback.format_list(own) + traceback.format_exception_only(type(error), error)
    return "".join(lines).replace(folder, "")


def load(file: str, module: Any, ours: dict[str, Any] | None = None) -> None:
    """Run a file in a new module. ours: the functions that take the place of its own. Raises NotStarted."""
    sys.modules[module.__name__] = module
    module.__file__ = file
    try:
        with open(file, "rb") as source:
            text = source.read()
        if not text.strip():
            raise NotStarted("The file is empty.")
        if b"coding" not in b"".join(text.split(b"\n", 2)[:2]):
            text.decode()
        code = compile(text, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        what = "a ':' is missing" if error.msg == "expected ':'" else error.msg
        where = f"line {error.lineno}, " if error.lineno else ""
        python = ".".join(map(str, sys.version_info[:2]))
        raise NotStarted(f"Your program does not start: {where}{what} (Python {python}).") from None
    except UnicodeError:
        raise NotStarted("Your program does not start: it is not UTF-8. Save it as UTF-8.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise NotStarted(f"Your program does not start: {str(error) or type(error).__name__}.") from None
    exec(with_ours(text, file, module, ours) if ours else code, vars(module))


def ours_of(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the functions that take the place of the submission's: name -> function."""
    space: dict[str, Any] = {}
    exec(settings.get("ours", ""), space)
    return {name: space[name] for name in settings.get("replaced", ())}


def with_ours(text: bytes, file: str, module: Any, ours: dict[str, Any]) -> Any:
    """Return the code of a program in which each of our functions takes the place of its own as soon as it has it."""
    import ast

    tree, body = ast.parse(text, file), []
    for node in tree.body:
        named = [alias.asname or alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)]
        named += [node.name] if isinstance(node, ast.FunctionDef) else []
        body += [node, *(ast.parse(f"{name} = _ours_[{name!r}]").body[0] for name in named if name in ours)]
    tree.body, module._ours_ = body, ours
    return compile(tree, file, "exec", dont_inherit=True)


def serve(told: Any) -> dict[str, Any]:
    """Continue in a child process, and return its settings. The parent waits for the child, replies with its exit
    status, and ends with the same status. In bubblewrap the parent first copies the submission's files into the box,
    and afterwards reports what was left there; if nothing was left, the next child gets the next settings."""
    left, asked, replies, wants, gives = map(int, sys.argv[2:])
    settings = marshal.load(told)
    limit({name: most for name, most in settings["limits"].items() if name not in OF_EACH})
    if source := settings.get("source"):
        fill_box(source)
        let_be_looked_at(False)
    names, before = {"__pycache__", *os.listdir()}, files_there() if source else None
    while True:
        os.ftruncate(told.fileno(), 0)
        child = os.fork()
        if not child:
            told.close()
            for number in (left, asked, replies):
                os.close(number)
            if source:
                let_be_looked_at(True)
            limit({name: settings["limits"][name] for name in OF_EACH})
            return {**settings, "pipes": (wants, gives)}
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        status = status if status >= 0 else 128 - status  # as a shell reports a signal
        if source:
            end_others()
        if not before or files_there() != before:
            if source:  # elsewhere the box can be inspected from outside
                os.write(left, "\0".join({*os.listdir()} - names).encode("utf-8", "replace"))
            os.write(replies, b"%d end" % status)
            os._exit(status)
        os.write(replies, b"%d" % status)
        if not os.read(asked, 1):
            os._exit(0)
        with open(told.fileno(), "rb", closefd=False) as file:
            settings = marshal.load(file)


def limit(limits: dict[str, int]) -> None:
    """Set limits, resource name -> number, if the system has them."""
    import resource  # not on Windows; imported before the submission's folder is on the path

    for name, most in limits.items():
        with contextlib.suppress(ValueError, OSError, AttributeError):
            resource.setrlimit(getattr(resource, name), (most, most))


def let_be_looked_at(is_allowed: bool) -> None:
    """Allow or forbid other processes of this user to look into this one and its files."""
    import ctypes  # only in bubblewrap, and before the submission's folder is on the path

    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, int(is_allowed))


def fill_box(source: str) -> None:
    """Copy the submission's files into the box. They get the oldest possible date, so that every change is noticed."""
    for folder, names, files in os.walk(source):
        target = os.path.join(os.getcwd(), os.path.relpath(folder, source))
        for name in names:
            os.mkdir(os.path.join(target, name))
        for name in files:
            with open(os.path.join(folder, name), "rb") as old, open(os.path.join(target, name), "wb") as new:
                new.write(old.read())
            os.utime(os.path.join(target, name), (0, 0))


def files_there() -> dict[str, Any] | None:
    """Return the files and folders of the box and of the temporary folders (path -> a value that changes when they do),
    and all shared memory, semaphores and messages; or None if they cannot be read. The contents of folders on other
    devices are left out, because nothing can be written there."""
    found: dict[str, Any] = {}
    waiting = [os.getcwd(), "/tmp", "/dev/shm"]
    with contextlib.suppress(OSError):
        devices = {os.lstat(folder).st_dev for folder in waiting}
        while waiting:
            path = waiting.pop()
            status = os.lstat(path)
            found[path] = status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns
            if stat.S_ISDIR(status.st_mode) and status.st_dev in devices:
                waiting += [os.path.join(path, name) for name in os.listdir(path)]
        for name in os.listdir(SHARED):
            with open(os.path.join(SHARED, name)) as file:
                found[name] = [line.split()[:2] for line in file]
        return found
    return None


def end_others() -> None:
    """End all other processes in the box."""
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.kill(-1, signal.SIGKILL)


def begin(codes: dict[str, types.CodeType], told: Any) -> None:
    """Set the limits and the cards, and run the part that the settings name. codes: this package's modules, name ->
    code."""
    settings = serve(told)
    part = types.ModuleType("part")
    exec(codes[settings["part"]], vars(part))
    if settings["part"] == "outline":  # otherwise a codec named in the text would be looked for in the box
        part.run(settings)
        return
    sys.path.insert(0, os.getcwd())
    import cards

    if settings["deck"]:
        setattr(cards, "Deck", stack(cards.Deck, cards.Card, settings["deck"]))
        if len(settings["deck"]) > PACK:  # a game with two packs shuffles them together
            random.shuffle = lambda _: None  # type: ignore[assignment]
    if settings["seed"] is not None:
        random.seed(settings["seed"])
    part.run(settings)
