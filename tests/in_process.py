"""Programs judged in this process: source text is run with our own input(), and judged as the command does it."""

import contextlib
import functools
import importlib.util
import io
import itertools
import json
import random
import sys
import tempfile
import types
import unittest.mock
from pathlib import Path

import click
import pytest

import helpers
import main
from patience.grading.judge import functions, submission as judging, sessions
from patience.grading.box import programs
from patience.grading.judge.assignment import Assignment
from patience.grading.courses import other_program
from patience.grading import weights
from patience.grading.box.inside import answer_calls as inside, base, outline, run_program
from patience.grading.box.runner import Runner, Streams
from patience.grading.courses.known import reference_for, course_of
from patience.grading.submissions import Submission
from helpers import ROOT
from patience.positions import preserve_random_state

PROJ10 = (ROOT / "tests" / "proj10.py").read_text(encoding="utf-8")


def read_programs(kind):
    """Return the programs of one kind in programs.txt: name -> (what is known about the program, the changes for
    alter)."""
    text = (
        (ROOT / "tests" / "grading" / "programs.txt")
        .read_text(encoding="utf-8")
        .replace("$ROOT", str(ROOT))
        .replace("$NUL", "\0")
    )
    programs = {}
    for entry in text.partition(f"#### {kind}\n")[2].partition("\n####")[0].split("\n== ")[1:]:
        heading, *lines = entry.strip("\n").split("\n")
        name, _, known = heading.partition(": ")
        assert name not in programs, f"two programs are called {name}"
        assert all(line.startswith(("+", "-")) for line in lines), f"{name}: each line below it begins with + or -"
        hunks = itertools.groupby(lines, key=lambda line: line[0])
        programs[name] = known, ["\n".join(line[1:] for line in hunk) for _, hunk in hunks]
    return programs


def alter(*changes, text=PROJ10):
    """Return a program with faults put in. changes: some text, its replacement, and so on; or a single text,
    which is a whole program. Text that ends in "..." extends to the end of its function."""
    if len(changes) == 1:
        return changes[0] + "\n"
    for old, new in zip(changes[::2], changes[1::2]):
        if old.endswith("\n..."):
            begin = text.index(old[:-3])
            old = text[begin : text.index("\n\n\n", begin)]
        assert old in text, f"not in the program: {old}"
        text = text.replace(old, new)
    return text


@functools.lru_cache(maxsize=None)
def course(folder=helpers.COURSE):
    """Return the Sessions of a folder."""
    with click.Context(main.main):
        return [other_program.with_kinds(one, reference_for) for one in sessions.read_folder(folder, main.GAMES)]


def take(printed):
    """Return what was printed into a StringIO since it was last taken."""
    text = printed.getvalue()
    printed.seek(0), printed.truncate()
    return text


@contextlib.contextmanager
def own_cards(deck=None, path=ROOT / "cards.py"):
    """During this context, a program has its own cards module, with or without a stacked deck."""
    spec = importlib.util.spec_from_file_location("cards", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if deck:
        module.Deck = base.stack(module.Deck, module.Card, deck)
    with pytest.MonkeyPatch.context() as patch, preserve_random_state():
        patch.setitem(sys.modules, "cards", module)
        for name in ("seed", "shuffle"):  # which are replaced
            patch.setattr(random, name, getattr(random, name))
        yield


compiled = functools.lru_cache(maxsize=None)(compile)
read_answer = functools.lru_cache(maxsize=None)(json.loads)  # most programs give the same answers to most calls


def play(text, session, typed, ours=()):
    """Type bytes into a program; return a Run. ours: functions in whose place it gets ours."""
    pieces, printed, errors, remarks = [], io.StringIO(), "", []
    lines = iter(typed.decode().split("\n")[:-1])

    def ask(prompt=""):
        print(prompt, end="")
        pieces.append(take(printed))
        line = next(lines, None)
        if line is None:
            raise EOFError("EOF when reading a line")
        return line

    with own_cards(session.deal.cards), contextlib.redirect_stdout(printed):
        random.seed(session.deal.number)
        random.seed = lambda *_: None
        try:
            module = types.ModuleType("__main__")
            module.input = ask
            file = "proj10.py"
            taken = base.ours_of({"replaced": ours, "ours": course_of("montana").source(ours)}) if ours else {}
            code = base.with_ours(text, file, module, taken) if ours else compiled(text, file, "exec")
            exec(code, vars(module))
        except (Exception, SystemExit) as error:
            errors, remarks = f"{type(error).__name__}: {error}", ["It ended with exit status 1."]
    ending = programs.Ending.FAILED if remarks else programs.Ending.DONE
    return programs.Run([*pieces, printed.getvalue()], errors, remarks, ending)


def judge(text, session, points=100, ours=()):
    """Return a program's Part for one session."""
    run = judging.run_on(session, functools.partial(play, text, session, ours=ours))
    return judging.judge_run(session, run, points)


def answer_calls(settings, calls, channel):
    """Answer calls as in a box, but without a limit of time."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr(inside, "limit_time", lambda seconds: None)
        patch.setattr(random, "seed", lambda *_: None)
        inside.answer_calls(settings, calls, channel, inside.Stack())


@contextlib.contextmanager
def without_a_box(file):
    """During this context, a file in this process answers function calls. Yield its Submission and Runner."""

    def call(_, settings, seconds):
        channel = io.StringIO()
        with own_cards():
            answer_calls({**settings, "file": str(file), "seconds": 1}, settings["calls"], channel)
        error, *answers = map(read_answer, channel.getvalue().splitlines())
        return error or "", [*map(programs.answer_of, answers)]

    runner = types.SimpleNamespace(use=lambda files: None, kill=lambda: None)
    with pytest.MonkeyPatch.context() as patch, click.Context(main.main):
        patch.setattr(programs, "call", call)
        yield Submission("ada", file, file.name, ""), runner


class Keyboard(run_program.Keyboard):
    """Standard input whose lines are known. asked_at: receives how much was printed when each was asked for."""

    def __init__(self, lines, printed, asked_at):
        self.lines, self.printed, self.asked_at = lines, printed, asked_at
        self.line, self.has_asked = b"", False

    def ask(self):
        self.asked_at.append(self.printed.tell())
        return next(self.lines, b"")


def run_here(runner, settings, typed, asked_at):
    """Run a program, or its functions, in this process, in the folder of its box; return its exit status."""
    path, printed = Path(runner.path), runner.streams.stdout
    stdout, stderr = (io.TextIOWrapper(one, "utf-8", write_through=True) for one in runner.streams[:2])
    keyboard = inside.NoInput() if settings["part"] == "answer_calls" else Keyboard(typed, printed, asked_at)
    streams = {"stdin": io.TextIOWrapper(io.BufferedReader(keyboard)), "stdout": stdout, "stderr": stderr}
    places = [str(path), *(place for place in sys.path if not place.startswith(str(ROOT)))]
    with unittest.mock.patch.dict(sys.modules), pytest.MonkeyPatch.context() as patch:
        for module in path.glob("*.py"):
            sys.modules.pop(module.stem, None)
        for name, value in {**streams, "path": places, "argv": []}.items():
            patch.setattr(sys, name, value)
        patch.setattr(run_program, "has_printed", lambda: printed.tell() > 0)
        patch.chdir(path)
        try:
            if settings["part"] == "outline":
                outline.run(settings)
                return 0
            with own_cards(settings["deck"], path / "cards.py"):
                if settings["part"] == "answer_calls":
                    answer_calls(settings, map(json.loads, typed), stdout)
                    return 0
                if settings["seed"] is not None:
                    random.seed(settings["seed"])
                    random.seed = lambda *_: None
                run_program.run_program(settings["file"], settings["options"], keyboard, base.ours_of(settings))
            return 0
        except SystemExit as end:
            return end.code or 0
        except (SyntaxError, ValueError, RecursionError):  # of an outline
            return 1
        finally:
            stdout.detach().flush(), stderr.detach().flush()


@contextlib.contextmanager
def without_boxes():
    """During this context, what is run in a box runs in this process, in the folder of the box; but not our frame,
    main.py, which is here already."""
    begin_really, watch_really = Runner.begin, Runner.watch

    def begin(runner, settings):
        runner.settings, runner.streams = settings, Streams(*(tempfile.TemporaryFile() for _ in Streams._fields))
        if settings["file"] == "main.py":
            begin_really(runner, settings)

    def watch(runner, seconds, most_printed, typed, asked_at, answers_first):
        if runner.settings["file"] == "main.py":
            return watch_really(runner, seconds, most_printed, typed, asked_at, answers_first)
        return run_here(runner, runner.settings, typed, asked_at), ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Runner, "begin", begin)
        patch.setattr(Runner, "watch", watch)
        yield


def assignment_of(rules, points):
    """Return an Assignment that has only functions."""
    return Assignment([], rules, "montana", ROOT / "cards.py", 1, points, "none", "")


def call_functions(text, folder, names=(), seed=0):
    """Return the Parts for a program's functions, with 20 points each. names: of the functions that are called; all if
    there are none."""
    rules = [rule for rule in course_of("montana").function_rules(seed) if not names or rule.function in names]
    file = folder / "montana.py"
    file.write_text(text, encoding="utf-8")
    given = assignment_of(rules, dict.fromkeys(functions.names_of(rules), 20))
    with without_a_box(file) as about:
        return functions.grade(given, *about)


def grade(text, folder, sessions=helpers.COURSE):
    """Return the Parts of a program, for its functions and the sessions in a folder."""
    found, parts = course(sessions), call_functions(text, folder)
    shares = course_of("montana").shares([part.name for part in parts], [one.name for one in found])
    points = weights.weights_of((), shares, None)
    wrong = [functions.function_of(part) for part in parts if part.share < 1]
    for part in parts:
        part.maximum = points[part.name]
    for session in found:
        runs = [judge(text, session, points[session.name], ours) for ours in ([], wrong)]
        parts.append(max(runs, key=lambda part: part.share))
    return parts
