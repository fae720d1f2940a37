"""What runs in the box before a submission: limits, cards, the seed. It is passed to python -c with the name of
a file, which holds its settings, by marshal, and is removed before the first line of the submission runs.

The settings: file and arguments of the program; seed, or None; deck, the [rank, suit] pairs that every Deck deals, or
None; limits, resource name -> number; grader, the number of the grading process: when it dies, everything the
submission started is killed; None in a sandbox, which does that itself; and, to call functions instead of running a
program: checks, seconds; or starts, to be told only why Python does not begin with it.
"""

# All that is needed is imported before the submission's folder is on the path, where a json.py of its own may lie.
import contextlib
import functools
import io
import json
import marshal
import os
import random
import select
import signal
import sys
import time
import traceback
import types
import warnings

try:
    import resource
except ImportError:  # Windows has no limits
    resource = None

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def supervise(grader):
    """Continue in a child process. This one waits for it, and ends as it does; if the grader is killed, it ends
    everything that the child has started."""
    signal.signal(signal.SIGTERM, end_everything)
    with contextlib.suppress(OSError, AttributeError):  # only Linux has it
        import ctypes  # which a sandbox saves

        prctl = ctypes.CDLL(None).prctl
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != grader:
        os._exit(1)
    child = os.fork()
    if not child:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        return
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError):  # SIGKILL cannot be set
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def end_everything(*_):
    """End the child processes, and those that become ours when their parents have ended; and then this one."""
    with contextlib.suppress(OSError):
        while children := open("/proc/self/task/%d/children" % os.getpid()).read().split():
            for number in map(int, children):
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)
    os._exit(1)


def stacked(deck_class, card_class, pairs):
    """Return a Deck that deals these cards, and is not shuffled."""

    class StackedDeck(deck_class):
        def __init__(self, *args):
            super().__init__(*args)
            self.left = [card_class(*pair) for pair in reversed(pairs)]

        def shuffle(self):
            pass

        def deal(self):
            return self.left.pop() if self.left else None

        def is_empty(self):
            return not self.left

        def __len__(self):
            return len(self.left)

        def __str__(self):
            return ", ".join(map(str, self.left))

    return StackedDeck


def told(error):
    """Return an exception as Python would tell it, with no frames but those of the submission."""
    folder = os.getcwd() + os.sep
    own = []
    for frame in traceback.extract_tb(error.__traceback__):
        name = frame.filename[len(folder) :] if frame.filename.startswith(folder) else frame.filename
        if not os.path.isabs(name) and not name.startswith("<") and name != "cards.py":
            own.append(traceback.FrameSummary(name, frame.lineno, frame.name, line=frame.line))
    lines = traceback.format_list(own) + traceback.format_exception_only(type(error), error)
    return "".join(lines).replace(folder, "")


@functools.cache
def code_of(file):
    """Return the code of a file, compiled."""
    with open(file, "rb") as source:
        return compile(source.read(), file, "exec")


def load(file, name):
    """Run a file as the module of this name; return the module."""
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = file
    exec(code_of(file), vars(module))
    return module


def run_program(file, arguments):
    """Run a file as `python FILE` does."""
    sys.argv = [file, *arguments]
    try:
        load(file, "__main__")
    except SystemExit:
        raise
    except BaseException as error:
        sys.stderr.write(told(error))
        sys.exit(1)


# Functions: each check in a child, which has to be told nothing of what is right.


def answer_checks(settings, channel):
    """Write a line of JSON for each check to the channel: the answer of perform, or {"late": why}.

    A module that does not load in time, or a function that was late twice, is not tried again."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):  # which each check will tell
        code_of(settings["file"])  # once, and not in each child
    late = {}  # function, or None for the whole module -> how often it was late
    for check in settings["checks"]:
        name = check["function"]
        if late.get(None) or late.get(name, 0) > 1:
            answer = {"late": name if not late.get(None) else None}
        elif not hasattr(os, "fork"):
            answer = perform(settings, check, lambda: None)
        else:
            answer = in_child(settings, check)
            if "late" in answer:
                late[answer["late"]] = late.get(answer["late"], 0) + 1
        channel.write(json.dumps(answer) + "\n")
        channel.flush()


def in_child(settings, check):
    """Return what perform returns in a child process, or {"late": name of the function, None while it loads}."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.closerange(3, writing)
        os.closerange(writing + 1, 64)
        with open(writing, "w") as answer:
            json.dump(perform(settings, check, lambda: (answer.write("loaded\n"), answer.flush())), answer)
        os._exit(0)
    os.close(writing)
    text, deadline = b"", time.monotonic() + settings["seconds"]
    while select.select([reading], [], [], max(0, deadline - time.monotonic()))[0]:
        chunk = os.read(reading, 1 << 16)
        text += chunk
        if not chunk:
            break
    else:
        chunk = None  # it was late
    os.close(reading)
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if chunk is None:
        return {"late": check["function"] if text.startswith(b"loaded") else None}
    try:
        found = json.loads(text.rpartition(b"\n")[2])
        return found if isinstance(found, dict) else {"error": "nothing was returned"}
    except ValueError:
        return {"error": "the program ended itself"}


def perform(settings, check, loaded):
    """Call a function of the submission on a board; return its value, the board afterwards, and what it printed.

    The board is rows of [rank, suit], or None for a function without one: then the value is the board."""
    cards = sys.modules["cards"]
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            module = load(settings["file"], "submission")
            loaded()
            printed.seek(0), printed.truncate()
            function = getattr(module, check["function"], None)
            if not callable(function):
                return {"error": f"there is no function {check['function']}"}
            tableau = [[cards.Card(*pair) for pair in row] for row in check["board"] or []]
            random.seed(check["seed"])
            value = function(tableau, *check["arguments"]) if check["board"] else function()
        board = tableau if check["board"] else value
        return {
            "value": value if value is None or isinstance(value, (bool, int, str)) else type(value).__name__,
            "board": [[[card.rank(), card.suit()] for card in row] for row in board],
            "printed": printed.getvalue(),
        }
    except BaseException as error:
        if isinstance(error, EOFError):
            return {"error": "it asks for input; is main() called only if __name__ == '__main__'?"}
        return {"error": told(error)}


def why_not_started(file):
    """Return why Python does not even begin with a file, a sentence, or "". A compiler that takes too much memory or
    time is no reason: the program will meet the same limits."""
    try:
        with open(file, "rb") as source, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not source.read().strip():
                return "The file is empty."
            code_of(file)
    except SyntaxError as error:
        what = "a ':' is missing" if error.msg == "expected ':'" else error.msg
        where = f"line {error.lineno}, " if error.lineno else ""
        return f"Your program does not start: {where}{what}."
    except (ValueError, RecursionError, MemoryError) as error:
        return f"Your program does not start: {error or type(error).__name__}."
    return ""


def begin():
    """Set the limits and the cards, and run what the settings say."""
    with open(sys.argv[1], "rb") as file:
        settings = marshal.load(file)
    os.remove(sys.argv[1])
    if settings["grader"]:
        supervise(settings["grader"])
    for name, most in settings["limits"].items() if resource else ():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most))
    if "starts" in settings:
        print(why_not_started(settings["file"]))
        return
    sys.path.insert(0, os.getcwd())
    import cards

    if settings["deck"]:
        cards.Deck = stacked(cards.Deck, cards.Card, settings["deck"])
    if settings["seed"] is not None:
        random.seed(settings["seed"])
        random.seed = lambda *_, **__: None  # the program's own seeding does nothing from now on
    if "checks" in settings:
        with open(os.dup(1), "w") as channel:  # perform takes away what the functions print
            answer_checks(settings, channel)
    else:
        run_program(settings["file"], settings["arguments"])


begin()
