"""Scripted sessions: each NAME.in of a folder must print exactly NAME.out.

The first line of an .in is a comment that says how to start the program: # montana --seed 100 --deck course.deck. To
add a case, add its files. For another folder or another cards.py, or to write the missing .out files (--update=all
writes all of them; read the git diff):

    pytest tests/test_scripts.py --scripts DIR --cards FILE --update

A long session with the line ONLY_THE_END records a digest of what is printed, and the last lines, which are there for
people to read.
"""

import difflib
import hashlib
import os
import shlex
from pathlib import Path

import pytest

import helpers
import main
from patience.grading.courses import answers
from patience.grading import command
from patience.grading.judge import sessions

ONLY_THE_END = "# Only the end is recorded, and a digest of everything."
LAST_RECORDED = 14  # lines
SHOWN = 30  # lines of a difference


def pytest_generate_tests(metafunc):
    if "script" in metafunc.fixturenames:
        option = metafunc.config.getoption("scripts")
        folders = [Path(option).resolve()] if option else [helpers.SCRIPTS, command.ASSIGNMENT]
        scripts = sorted(script for folder in folders for script in folder.glob("*.in"))
        if not scripts:
            raise pytest.Collector.CollectError(f"no scripted session (*.in) in {folders[0]}")
        metafunc.parametrize("script", scripts, ids=[script.stem for script in scripts])


@pytest.fixture(scope="session")
def project(request, tmp_path_factory):
    """The project whose program the scripts are typed into."""
    cards = request.config.getoption("cards")
    return helpers.copy_project(tmp_path_factory.mktemp("project"), cards) if cards else helpers.ROOT


def test_script(script, project, request):
    first = script.read_text(encoding="utf-8-sig", errors="replace").partition("\n")[0]
    assert first.startswith("# "), f"{script.name} must begin with a line such as # klondike --seed 8"
    words = shlex.split(first[1:])
    typed = b"".join(line for line in script.read_bytes().splitlines(keepends=True) if not line.startswith(b"#"))
    if project == helpers.ROOT:
        run = helpers.run(words, typed, script.parent)
    else:
        run = helpers.run_process(words, typed, project, script.parent)
    if run.returncode:
        pytest.fail(f"{script.name}: exit status {run.returncode}\n{run.stderr.decode()}", False)
    recorded, update = script.with_suffix(".out"), request.config.getoption("update")
    printed = to_record(script, run.stdout)
    if update == "all" or update and not recorded.exists():
        recorded.write_bytes(printed)
        pytest.skip(f"{recorded.name} written: read it before you trust it")
    if not recorded.exists():
        pytest.fail(f"no {recorded.name}: --update writes it", False)
    if printed != recorded.read_bytes():
        pytest.fail(difference(script, recorded.read_bytes().decode("utf-8", "replace"), printed.decode()), False)


def to_record(script, printed):
    """Return what a script's .out should contain if the program has printed this."""
    if ONLY_THE_END not in script.read_text(encoding="utf-8", errors="replace").splitlines():
        return printed
    end = b"".join(printed.splitlines(keepends=True)[-LAST_RECORDED:])
    return f"{sessions.DIGEST}{hashlib.sha256(printed).hexdigest()}\n".encode() + end


def difference(script, expected, printed):
    """Return the command after which the output differs, and how."""
    session = sessions.read_typed(script, main.GAMES)
    asked = len(answers.split_at_prompts(os.path.commonprefix([expected, printed]), session.prompts)) - 1
    last = session.typed[min(asked, len(session.typed)) - 1] if session.typed and asked else ""
    lines = difflib.unified_diff(expected.split("\n"), printed.split("\n"), "expected", "printed", lineterm="")
    again = f"If the new output is right: --update=all -k {script.stem} writes it; then read the git diff."
    return "\n".join([f"{script.name}: the output differs, typed: {last}", *[*lines][:SHOWN], again])
