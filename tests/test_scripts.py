"""Scripted sessions: each NAME.in of a folder must print exactly NAME.out.

The first line of an .in is a comment that says how to start the program:
# montana --seed 100 --deck course.deck. Adding a case is adding files. For another folder, another
cards.py, or to write the .out files that are missing (--update=all: all of them, to be read in git diff):

    pytest tests/test_scripts.py --scripts DIR --cards FILE --update

A long session that has the line ONLY_THE_END records a digest of what is printed, and its last lines, which are read.

The sessions can be typed into other programs as well, with --program or --module: see docs/graders.md.
"""

import difflib
import functools
import hashlib
import os
import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import grading
import helpers
import main
from patience import rules, table

QUESTIONS = [table.PLAY_AGAIN, table.PLAY_AGAIN_OR_UNDO]
ONLY_THE_END = "# Only the end is recorded, and a digest of everything."
LAST_RECORDED = 40  # lines
SHOWN = 30  # lines of a difference
LAST = 10  # lines of what a program printed before it crashed
BLANKS = str.maketrans(" \t\r\n", "·→␍⏎")


def pytest_generate_tests(metafunc):
    if "script" in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("scripts") or helpers.SCRIPTS).resolve()
        scripts = sorted(folder.glob("*.in"))
        if not scripts:
            raise pytest.Collector.CollectError(f"no scripted session (*.in) in {folder}")
        metafunc.parametrize("script", scripts, ids=[script.stem for script in scripts])


@pytest.fixture(scope="session")
def typed_into(request, modules, tmp_path_factory):
    """A function that types a script into the program that is tested: ours, a copy of it with another
    cards.py or other modules, or one of somebody else."""
    option = request.config.getoption
    cards = Path(option("cards") or helpers.ROOT / "cards.py").resolve()
    if option("program"):
        program = Path(option("program")).resolve()
        return functools.partial(grading.type_into_theirs, program, cards)
    project = helpers.ROOT
    if option("cards") or modules:
        project = grading.project_with(tmp_path_factory.mktemp("project"), cards, modules)
    return functools.partial(grading.type_into_ours, project)


@pytest.fixture(scope="session")
def runs(request, typed_into):
    """A function that returns the run of a script. All are begun at once."""
    scripts = [item.callspec.params["script"] for item in request.session.items
               if item.originalname == "test_script"]
    seconds = request.config.getoption("seconds")
    with ThreadPoolExecutor() as pool:
        futures = {script: pool.submit(typed_into, script, start(script), seconds)
                   for script in scripts if start(script)}
        yield lambda script: futures[script].result()


def test_script(script, runs, request, record_property):
    if not start(script):
        pytest.fail(f"{script.name}: the first line must be # GAME OPTIONS", False)
    run = runs(script)
    recorded, update = script.with_suffix(".out"), request.config.getoption("update")
    printed = to_record(script, run.stdout)
    if not run.wrong and (update == "all" or update and not recorded.exists()):
        recorded.write_bytes(printed)
        pytest.skip(f"{recorded.name} written: read it before you trust it")
    if not recorded.exists():
        pytest.fail(crash(script, run.wrong, run.stdout) if run.wrong
                    else f"no {recorded.name}: --update writes it", False)
    expected = recorded.read_bytes()
    count = len(typed_lines(script))
    right = count if printed == expected else answered(script, expected, printed)
    record_property("score", f"{right} of {count}")
    score = f"\n{right} of {count} commands answered right"
    told = [difference(script, expected, printed)] if printed != expected else []
    told += [crash(script, run.wrong, run.stdout)] if run.wrong else []
    if told:
        pytest.fail("\n\n".join(told) + score, False)


def to_record(script, printed):
    """Return what the .out of a script holds when the program has printed this."""
    if ONLY_THE_END not in script.read_text(encoding="utf-8", errors="replace").splitlines():
        return printed
    end = b"".join(printed.splitlines(keepends=True)[-LAST_RECORDED:])
    return f"sha256 {hashlib.sha256(printed).hexdigest()}\n".encode() + end


def answered(script, expected, printed):
    """Return how many commands were answered right before the first difference."""
    same = os.path.commonprefix([expected, printed]).decode("utf-8", "ignore")
    return min(max(0, questions_asked(script, same) - 1), len(typed_lines(script)))


def start(script):
    """Return the arguments that the first line of a script says, as a list, or [] if it says none."""
    first_line = script.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    arguments = shlex.split(first_line[1:]) if first_line.startswith("#") else []
    return arguments if arguments and arguments[0] in main.GAMES else []


def typed_lines(script):
    """Return what a script types: its lines but for the comments."""
    lines = script.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in lines if not line.startswith("#")]


def questions_asked(script, printed):
    """Return how many prompts and questions a program has printed."""
    prompts = sorted([rules.load(start(script)[0]).PROMPT, *QUESTIONS], key=len, reverse=True)
    return len(re.findall("|".join(map(re.escape, prompts)), printed))


def typed_last(script, printed):
    """Return which line of a script was typed last when the program had printed this."""
    asked, typed = questions_asked(script, printed), typed_lines(script)
    if asked == 0:
        return "nothing typed yet"
    return f"typed: {typed[asked - 1]}" if asked <= len(typed) else "at the end of the input"


def crash(script, what, printed):
    """Say of a program that has not come to its end what it did last."""
    printed = printed.decode("utf-8", "replace")
    last = printed.splitlines()[-LAST:]
    return "\n".join([f"{script.name}: {what.rstrip()}", typed_last(script, printed), "last printed:", *last])


def difference(script, expected, printed):
    """Say where the output is not what was expected: the line, the command before it, and a difference
    that is not too long."""
    expected, printed = (text.decode("utf-8", "replace") for text in (expected, printed))
    same = os.path.commonprefix([expected, printed])
    line = same.count("\n")
    theirs, ours = expected.split("\n"), printed.split("\n")
    wanted, found = ("".join(text.splitlines(keepends=True)[line : line + 1]) for text in (expected, printed))
    if wanted.split() == found.split():
        wanted, found = wanted.translate(BLANKS), found.translate(BLANKS)
    wanted, found = wanted.removesuffix("\n"), found.removesuffix("\n")
    diff = list(difflib.unified_diff(
        theirs[max(0, line - SHOWN) :][: 3 * SHOWN], ours[max(0, line - SHOWN) :][: 3 * SHOWN],
        "expected", "printed", lineterm=""))
    more = [f"... and {len(diff) - SHOWN} lines more"] if len(diff) > SHOWN else []
    return "\n".join([
        f"{script.name}: line {line + 1} of the output differs, {typed_last(script, same)}",
        f"expected: {wanted}",
        f"printed:  {found}",
        *diff[:SHOWN],
        *more,
    ])
