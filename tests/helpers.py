"""What several tests need: running the program, and cards as text."""

import ast
import contextlib
import io
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import unittest.mock
import threading
import time
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "tests" / "scripts"
sys.path.insert(0, str(ROOT))

import pytest
from click.testing import CliRunner

import cards
import main
from patience import ExitStatus
from patience import rules as frame
from patience.table.consoles import Console
from patience.table.consoles.spoken import Spoken
from patience.decks import Deal
from patience.game import Game
from patience.table.records import store
from patience.text import card_of, commands_in, tidy
from tools import odds

PROMPT = "Enter command (h for help): "
COURSE = ROOT / "patience" / "grading" / "courses" / "montana" / "sessions"  # the sessions of the assignment
PROGRAM = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'main.py'))}"  # for a shell
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
SECONDS = 60


# Running the program


def at_table(words):
    """Return the words of a command line, with play before the name of a game."""
    return ["play"] * (words[:1] != [] and words[0] in main.GAMES) + words


def run(arguments, script=b"", cwd=SCRIPTS):
    """Run our program in this process, which is quicker, with a script as its input. Return the same as run_process,
    but with 0:00 as the playing time, so that a busy machine changes nothing."""
    arguments = words_of(arguments)
    script = script.encode() if isinstance(script, str) else script
    with streams(io.TextIOWrapper(io.BytesIO(script), "utf-8"), cwd) as (stdout, stderr):
        status = call_main(arguments)
    if status == ExitStatus.INTERRUPTED:  # by whoever runs the tests
        raise KeyboardInterrupt
    stdout.flush(), stderr.flush()
    shown = re.sub(rb"\b0:\d\d\b", b"0:00", stdout.buffer.getvalue())
    return subprocess.CompletedProcess(arguments, status, shown, stderr.buffer.getvalue())


def run_process(arguments, script=b"", project=ROOT, cwd=SCRIPTS, **environment):
    """Run main.py of a project with a script as its input; return what subprocess.run returns."""
    script = script.encode() if isinstance(script, str) else script
    command, settings = [sys.executable, project / "main.py", *words_of(arguments)], {**os.environ, **environment}
    try:
        return subprocess.run(command, input=script, capture_output=True, cwd=cwd, env=settings, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        pytest.fail(f"{arguments} has not ended within {SECONDS} s")


@contextlib.contextmanager
def start_program(arguments, program=(ROOT / "main.py",), **options):
    """Start main.py, or another program, with pipes; yield the Popen. It is killed if it takes too long. If it is still
    running at the end, it is killed, together with its process group if it has one of its own."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, *program, *words_of(arguments)], **{**pipes, **options}) as program:
        timer = threading.Timer(SECONDS, program.kill)
        timer.start()
        try:
            yield program
        finally:
            timer.cancel()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL) if options.get("start_new_session") else program.kill()


def count_odds(*words):
    """Return the result of python -m tools.odds count."""
    return CliRunner().invoke(odds.command, ["count", *map(str, words)])


def read_until(program, text=b"\n"):
    """Read a program's output until it contains the text; return everything read."""
    said = b""
    while text not in said:
        chunk = os.read(program.stdout.fileno(), 1 << 16)
        assert chunk, f"{program.args} has ended, or was killed after {SECONDS} s, and has not printed {text!r}"
        said += chunk
    return said


def wait_until(holds, what):
    """Wait until a function returns True; fail if that takes too long. what: the condition, in words."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, f"not within {SECONDS} s: {what}"
        time.sleep(0.02)


@contextlib.contextmanager
def streams(stdin, cwd):
    """Give the program in this process a standard input and a folder; yield its standard output and error. Afterwards
    the standard streams, the folder and the signal handlers are as they were before."""
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    before, folder = (sys.stdin, sys.stdout, sys.stderr), os.getcwd()
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    sys.stdin, sys.stdout, sys.stderr = stdin, stdout, stderr
    os.chdir(cwd)
    try:
        yield stdout, stderr
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        os.chdir(folder)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def call_main(arguments):
    """Run our program in this process; return its exit status. A file that it plays is not in the list of games
    afterwards, and no message asks anyone to wait, however busy the machine is."""
    with contextlib.ExitStack() as patched, pytest.raises(SystemExit) as end:
        patched.enter_context(unittest.mock.patch.dict(main.GAMES))
        for console in (Console, Spoken):
            patched.enter_context(unittest.mock.patch.object(console, "seconds_to_think", SECONDS))
        main.main(list(map(str, arguments)), "main.py", complete_var="_MAIN_PY_COMPLETE")
    return end.value.code


def words_of(arguments):
    """Return the words of a command line: a list, or a string split at blanks. A class is graded without a sandbox,
    unless they name one."""
    words = arguments.split() if isinstance(arguments, str) else [*arguments]
    return [*words, "--sandbox", "none"] if words[:1] == ["grade"] and "--sandbox" not in words else words


def heard(arguments, *lines):
    """Return what is said in reply to each of these lines, in a spoken game."""
    done = run(f"play {arguments} --spoken", "\n".join([*lines, "q", "y", ""]))
    assert done.returncode == 0 and not done.stderr
    return [answer.strip() for answer in done.stdout.decode().split("Command: ")[1:]]


# Copies of the project, and its files


def copy_project(folder, cards_file=ROOT / "cards.py"):
    """Copy the program to a folder, perhaps with another cards.py; return the folder."""
    for module in ROOT.glob("*.py"):
        shutil.copy2(module, folder)
    shutil.copy(cards_file, Path(folder) / "cards.py")
    shutil.copytree(ROOT / "patience", Path(folder, "patience"))
    return folder


def make_folder(folder):
    """Make a folder, and those above it; return it."""
    folder.mkdir(parents=True)
    return folder


def imports_of(path, every=False):
    """Return the names of the modules that a file imports anywhere, and the names that it imports from modules; imports
    used only for type hints, or only when the file is run as a program, do not count, unless every import does."""
    tree, found, left_out = ast.parse(path.read_text(encoding="utf-8")), set(), re.compile("TYPE_CHECKING|__name__")
    if not every:
        tree.body = [one for one in tree.body if not (isinstance(one, ast.If) and left_out.search(ast.dump(one.test)))]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def read_moves(script):
    """Return the moves of a script, as text; y, n and q answer questions."""
    lines = (SCRIPTS / script).read_text(encoding="utf-8-sig").splitlines()
    commands = [command for line in lines if not line.startswith("#") for command in commands_in(line)]
    return [command for command in commands if command not in ("", "y", "n", "q")]


# Cards


def card(name):
    """Return a card from its name: card("10H") is the ten of hearts."""
    pair = card_of(name)
    assert pair, f"not a card: {name}"
    return cards.Card(*pair)


def pile(names):
    """Return a list of cards from their names, with XX before a face-down card: pile("XX KS 10H") has a face-down King
    of spades, and the ten of hearts."""
    found = []
    for face_down, name in re.findall(r"(XX\s+)?(\S+)", names):
        found.append(card(name))
        if face_down:
            found[-1].flip_card()
    return found


# Games: rules is a Rules, or the module of a game


rules_of = frame.load


def as_rules(game):
    """Return the Rules of a game, given its Rules or its module."""
    return game if isinstance(game, frame.Rules) else rules_of(game.__name__)


def deal(rules, options, seed):
    """Return the position of a deal."""
    random.seed(seed)
    return as_rules(rules).initialize(**options)


def perform(rules, game, line):
    """Play a typed line in a game; return the messages. Raises frame.Refused."""
    rules = as_rules(rules)
    move = frame.read(rules, line)
    frame.check(rules, game, move)
    return tidy(rules.perform(game, *move))


def legal_lines(rules, game):
    """Return the lines of all legal moves, most useful first."""
    return [as_rules(rules).write(*move) for move in as_rules(rules).legal_moves(game)]


def game_of(name, options, seed=5):
    """Return the Game of a deal."""
    return Game(Deal(rules_of(name), options, seed))


def add_game(monkeypatch, name, source):
    """Add a game to the program for a test, as a module made from its source."""
    module = types.ModuleType(name)
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(main.GAMES, name, "A game.")
    frame.load.cache_clear()
    return frame.load(name)


def add_result(game, state, seconds, count, solved=0, hints=0, **more):
    """Add a finished game to the store. more: further columns."""
    columns = {"game": game, "moves": "x\n" * count, "state": state, "seconds": seconds, "hints": hints}
    saved = store.SavedGame(**{**columns, "solved": solved, **more})
    store.save(saved)
    return saved
