"""Programs judged in this process: source text is run with our own input(), and judged as the command does it."""

import contextlib
import functools
import importlib.util
import io
import itertools
import json
import random
import sys
import types

import click
import pytest

import helpers
import main
from grading.judge import functions, grades, submission as judging, sessions
from grading.judge.function_answers import names_of
from grading.box import programs
from grading.judge.assignment import Assignment
from grading.courses import mirror
from grading import weights
from grading.box.inside import base, functions as inside
from grading.courses.montana.course import POINTS
from grading.courses.known import beside, course_of
from grading.submissions import Submission
from helpers import ROOT
from solvers.positions import preserve_random_state

OF_POINTS = [f"{name}()" for name in POINTS]  # the functions that earn points
PROJ10 = (ROOT / "tests" / "proj10.py").read_text()


def read_programs(kind):
    """Return the programs of one kind in programs.txt: name -> (what is known about the program, the changes for
    alter)."""
    text = (ROOT / "tests" / "grading" / "programs.txt").read_text().replace("$ROOT", str(ROOT)).replace("$NUL", "\0")
    programs = {}
    for entry in text.partition(f"#### {kind}\n")[2].partition("\n####")[0].split("\n== ")[1:]:
        heading, *lines = entry.strip("\n").split("\n")
        name, _, known = heading.partition(": ")
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
        assert old in text, old
        text = text.replace(old, new)
    return text


@functools.lru_cache(maxsize=None)
def course(folder=helpers.COURSE):
    """Return the Sessions of a folder."""
    with click.Context(main.main):
        return [mirror.with_kinds(one, beside) for one in sessions.read_folder(folder, main.GAMES)]


def take(printed):
    """Return what was printed into a StringIO since it was last taken."""
    text = printed.getvalue()
    printed.seek(0), printed.truncate()
    return text


@contextlib.contextmanager
def own_cards(deck=None):
    """During this context, a program has its own cards module, with or without a stacked deck."""
    spec = importlib.util.spec_from_file_location("cards", ROOT / "cards.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if deck:
        module.Deck = base.stack(module.Deck, module.Card, deck)
    with pytest.MonkeyPatch.context() as patch, preserve_random_state():
        patch.setitem(sys.modules, "cards", module)
        for name in ("seed", "shuffle"):  # which are replaced
            patch.setattr(random, name, getattr(random, name))
        yield


@functools.lru_cache(maxsize=None)
def compiled(text):
    """Return the code of a program."""
    return compile(text, "proj10.py", "exec")


def run_session(text, session):
    """Type a session into a program, restarting the program as the command does; return a Run."""
    return judging.run_on(session, functools.partial(play(text, session), None))


def play(text, session):
    """Return a function for judge_session that lets a program deal a deck and types bytes into it."""
    return lambda deck, typed, boards=None: run_once(text, session, typed.decode().split("\n")[:-1], deck, boards)


def run_once(text, session, lines, deck=None, boards=None):
    """Type lines into a program; return a Run. deck: used instead of the session's deck. boards: as for base.load."""
    pieces, printed, typed, errors, remarks = [], io.StringIO(), iter(lines), "", []

    def ask(prompt=""):
        print(prompt, end="")
        pieces.append(take(printed))
        line = next(typed, None)
        if line is None:
            raise EOFError("EOF when reading a line")
        return line

    with own_cards(deck or session.deal.cards), contextlib.redirect_stdout(printed):
        random.seed(session.deal.number)
        random.seed = lambda *_: None
        try:
            module = types.ModuleType("__main__")
            module.input = ask
            exec(base.with_boards(text, "proj10.py", module, boards) if boards else compiled(text), vars(module))
        except (Exception, SystemExit) as error:
            errors, remarks = f"{type(error).__name__}: {error}", ["It ends with exit status 1."]
    ending = programs.Ending.FAILED if remarks else programs.Ending.DONE
    return programs.Run([*pieces, printed.getvalue()], errors, remarks, ending)


read_answer = functools.lru_cache(maxsize=None)(json.loads)  # most programs give the same answers to most calls


def call_functions(text, tmp_path, every=1, points=None, names=()):
    """Return the Parts for a program's functions, from all calls, or from every nth pair of calls. points: for each
    function; 8 if None. names: of the functions that are called; all if there are none."""
    asked, right, _ = contract_calls("montana")
    numbers = {}  # of each function's calls
    for number, call in enumerate(asked):
        numbers.setdefault(call.function, []).append(number)
    chosen = sorted(
        number
        for name, own in numbers.items()
        for place, number in enumerate(own)
        if (not names or name in names) and (len(own) <= 30 or place // 2 % every == 0)
    )
    asked, right = [asked[number] for number in chosen], [right[number] for number in chosen]
    return judge_functions(text, "montana", asked, right, points or dict.fromkeys(names_of(asked), 8), tmp_path)


@contextlib.contextmanager
def without_a_box(file):
    """During this context, a file in this process answers function calls."""

    def call(_, settings, seconds):
        channel, printed = io.StringIO(), io.StringIO()
        out = types.SimpleNamespace(take=lambda: take(printed)[: inside.MAX_PRINTED])
        with own_cards(), pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
            patch.setattr(inside, "limit_time", lambda seconds: None)
            own = {**settings, "file": str(file), "seconds": 1}
            inside.answer_calls(own, settings["calls"], channel, out, inside.Stack())
        error, *answers = map(read_answer, channel.getvalue().splitlines())
        return error or "", answers

    with pytest.MonkeyPatch.context() as patch, click.Context(main.main):
        patch.setattr(programs, "call", call)
        yield Submission("ada", file, file.name, ""), types.SimpleNamespace(use=lambda files: None, end=lambda: None)


def judge_functions(text, game, asked, right, points, folder):
    """Return the Parts for a program's functions, from some Calls, answered in this process as in a box."""
    file = folder / f"{game}.py"
    file.write_text(text)
    assignment = Assignment([], asked, right, game, True, ROOT / "cards.py", 1, "once", 0, points, "none", "")
    with without_a_box(file) as (submission, runner):
        return functions.grade(assignment, submission, runner)


@functools.lru_cache(maxsize=None)
def contract_calls(game):
    """Return the Calls of a game's functions, our answers to them, and what each function is worth."""
    with click.Context(main.main):
        asked = functions.calls_of(game)
        worth = weights.weights_of((), course_of(game).shares(names_of(asked), []), None)
        return asked, functions.answers_of(game), worth


def grade_module(text, game, tmp_path):
    """Return the points that a game's module earns for its functions."""
    asked, right, worth = contract_calls(game)
    return round(sum(part.points for part in judge_functions(text, game, asked, right, worth, tmp_path)), 2)


def grade(text, tmp_path, folder=helpers.COURSE):
    """Return the Grade of a program, from its functions (every third call) and the sessions in a folder."""
    found = course(folder)
    names = names_of(contract_calls("montana")[0])
    points = weights.weights_of((), course_of("montana").shares(names, [one.name for one in found]), None)
    parts = call_functions(text, tmp_path, 3, points)
    with own_functions(tmp_path / "montana.py", parts) as own:
        for session in found:
            parts.append(judging.judge_session(session, play(text, session), points[session.name], own=own))
    return grades.Grade(Submission("ada", None, None, ""), parts)


@contextlib.contextmanager
def own_functions(file, parts):
    """Yield a function that calls the functions in a file, for judge_session. parts: the Parts for the functions."""
    given = Assignment([], [], [], "montana", False, ROOT / "cards.py", 1, "once", 0, {}, "none", "")
    with without_a_box(file) as about:
        yield functions.own_functions(given, *about, parts)
