"""Scripted sessions: each NAME.in of a folder must print exactly NAME.out.

The first line of an .in is a comment that says how to start the program:
# montana --seed 100 --deck course.deck. Adding a case is adding files. For another folder, another
cards.py, or to write the .out files that are missing (--update=all: all of them, to be read in git diff):

    pytest tests/test_scripts.py --scripts DIR --cards FILE --update
"""

import difflib
import os
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import helpers
import main
from patience import loop, rules

QUESTIONS = [loop.PLAY_AGAIN, loop.PLAY_AGAIN_OR_UNDO]
SHOWN = 30  # lines of a difference
LAST = 10  # lines of what a program printed before it crashed
BLANKS = str.maketrans(" \t\r", "·→␍")


def pytest_generate_tests(metafunc):
    if "script" in metafunc.fixturenames:
        folder = Path(metafunc.config.getoption("scripts") or helpers.SCRIPTS).resolve()
        scripts = sorted(folder.glob("*.in"))
        if not scripts:
            raise pytest.Collector.CollectError(f"no scripted session (*.in) in {folder}")
        metafunc.parametrize("script", scripts, ids=[script.stem for script in scripts])


@pytest.fixture(scope="session")
def project(request, tmp_path_factory):
    """The folder of the program to run: ours, or a copy of it with the cards.py of --cards."""
    cards = request.config.getoption("cards")
    if not cards:
        return helpers.ROOT
    return helpers.copy_project(tmp_path_factory.mktemp("project"), Path(cards).resolve())


@pytest.fixture(scope="session")
def runs(request, project):
    """A function that returns the run of a script, or the error it ended with. All are begun at once."""
    scripts = [item.callspec.params["script"] for item in request.session.items
               if item.originalname == "test_script"]
    with ThreadPoolExecutor() as pool:
        futures = {script: pool.submit(run, script, project) for script in scripts}
        yield lambda script: futures[script].result()


def run(script, project):
    """Type a script into the program; return what run_process returns, or that it does not end."""
    arguments = start(script)
    if not arguments:
        return None
    try:
        return helpers.run_process(arguments, script.read_bytes(), project, cwd=script.parent)
    except subprocess.TimeoutExpired as endless:
        return endless


def test_script(script, runs, request):
    run = runs(script)
    if run is None:
        pytest.fail(f"{script.name}: the first line must be # GAME OPTIONS", False)
    if isinstance(run, subprocess.TimeoutExpired):
        pytest.fail(crash(script, "it does not end", run.stdout or b""), False)
    if run.returncode != 0:
        what = f"exit status {run.returncode}\n{run.stderr.decode('utf-8', 'replace')}"
        pytest.fail(crash(script, what, run.stdout), False)
    recorded, update = script.with_suffix(".out"), request.config.getoption("update")
    if update == "all" or update and not recorded.exists():
        recorded.write_bytes(run.stdout)
        pytest.skip(f"{recorded.name} written: read it before you trust it")
    if not recorded.exists():
        pytest.fail(f"no {recorded.name}: --update writes it", False)
    if run.stdout != recorded.read_bytes():
        pytest.fail(difference(script, recorded.read_bytes(), run.stdout), False)


def start(script):
    """Return the arguments that the first line of a script says, as a list, or [] if it says none."""
    first_line = script.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    arguments = shlex.split(first_line[1:]) if first_line.startswith("#") else []
    return arguments if arguments and arguments[0] in main.GAMES else []


def typed_last(script, printed):
    """Return which line of a script was typed last when the program had printed this."""
    prompt = rules.load(start(script)[0]).PROMPT
    prompts = sorted([prompt, *QUESTIONS], key=len, reverse=True)
    asked = len(re.findall("|".join(map(re.escape, prompts)), printed))
    lines = script.read_text(encoding="utf-8", errors="replace").splitlines()
    typed = [line for line in lines if not line.startswith("#")]
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
    wanted, found = "".join(theirs[line : line + 1]), "".join(ours[line : line + 1])
    if wanted.split() == found.split():
        wanted, found = wanted.translate(BLANKS), found.translate(BLANKS)
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
