"""Programs judged in this process: a text is run with an input() of ours, and judged as the command does."""

import contextlib
import copy
import functools
import importlib.util
import io
import itertools
import json
import random
import sys

import click

import helpers
import main
from grading import functions, judging, programs, reports, sessions
from grading.special import special_of
from helpers import ROOT

PROJ10 = (ROOT / "tests" / "proj10.py").read_text()
INSIDE = programs.INSIDE.removesuffix("begin()\n")


def read_programs(kind):
    """Return the programs of a kind in programs.txt: name -> (what is known of it, what alter makes it of)."""
    text = (ROOT / "tests" / "grading" / "programs.txt").read_text().replace("$ROOT", str(ROOT)).replace("$NUL", "\0")
    programs = {}
    for entry in text.partition(f"#### {kind}\n")[2].partition("\n####")[0].split("\n== ")[1:]:
        heading, *lines = entry.strip("\n").split("\n")
        name, _, known = heading.partition(": ")
        hunks = itertools.groupby(lines, key=lambda line: line[0])
        programs[name] = known, ["\n".join(line[1:] for line in hunk) for _, hunk in hunks]
    return programs


def alter(*changes):
    """Return a right program with faults: a text, what stands in its place, and so on; or a whole program, one text."""
    if len(changes) == 1:
        return changes[0] + "\n"
    text = PROJ10
    for old, new in zip(changes[::2], changes[1::2]):
        assert old in text, old
        text = text.replace(old, new)
    return text


@functools.lru_cache(maxsize=None)
def calls():
    """Return the Calls of Montana's functions, and the answers of the reference."""
    with click.Context(main.main):
        return functions.calls_of("montana")


@functools.lru_cache(maxsize=None)
def course(folder=helpers.COURSE):
    """Return the Sessions of a folder."""
    with click.Context(main.main):
        return sessions.read_folder(folder, main.GAMES)


@contextlib.contextmanager
def own_cards(deck=None):
    """Let a program have a cards module of its own, with its deck stacked or not."""
    spec = importlib.util.spec_from_file_location("cards", ROOT / "cards.py")
    module, ours, seed, state = (
        importlib.util.module_from_spec(spec),
        sys.modules["cards"],
        random.seed,
        random.getstate(),
    )
    spec.loader.exec_module(module)
    if deck:
        module.Deck = inside()["stack"](module.Deck, module.Card, deck)
    sys.modules["cards"] = module
    try:
        yield
    finally:
        sys.modules["cards"], random.seed = ours, seed
        random.setstate(state)


@functools.lru_cache(maxsize=None)
def inside():
    """Return the names of inside.py, which begins nothing here."""
    names = {"__name__": "inside", "copy": copy, "json": json}
    exec(INSIDE, names)
    names["limit_time"] = lambda seconds: None
    return names


@functools.lru_cache(maxsize=None)
def compiled(text):
    """Return the code of a program."""
    return compile(text, "proj10.py", "exec")


def run_session(text, session):
    """Type a session into a program; return a Run."""
    pieces, printed, typed, errors, remarks = [], io.StringIO(), iter(session.typed), "", []

    def ask(prompt=""):
        print(prompt, end="")
        pieces.append(printed.getvalue())
        printed.seek(0), printed.truncate()
        line = next(typed, None)
        if line is None:
            raise EOFError("EOF when reading a line")
        return line

    with own_cards(session.deal.cards), contextlib.redirect_stdout(printed):
        random.seed(session.deal.number)
        random.seed = lambda *_: None
        try:
            exec(compiled(text), {"__name__": "__main__", "input": ask})
        except Exception as error:
            errors, remarks = f"{type(error).__name__}: {error}", ["It ends with exit status 1."]
    return programs.Run([*pieces, printed.getvalue()], errors, remarks)


read_answer = functools.lru_cache(maxsize=None)(json.loads)  # most programs answer most calls alike


def call_functions(text, tmp_path, every=1):
    """Return the Part of a program's functions, by all calls, or each nth."""
    asked, right = (part[::every] for part in calls())
    (tmp_path / "submission.py").write_text(text)
    settings = {**functions.settings_of(str(tmp_path / "submission.py"), asked), "seconds": 1}
    channel = io.StringIO()
    with own_cards():
        inside()["answer_calls"](settings, channel)
    error, *answers = map(read_answer, channel.getvalue().splitlines())
    return functions.judge(asked, right, answers, error or "", 25, special_of("montana"))


def grade(text, tmp_path, folder=helpers.COURSE):
    """Return the Grade of a program by the functions, each fourth call, and the sessions of a folder."""
    parts = [call_functions(text, tmp_path, 4)]
    found = course(folder)
    with click.Context(main.main):
        parts += [judging.judge_run(session, run_session(text, session), 75 / len(found)) for session in found]
    return reports.Grade("ada", parts)
