"""Scripted sessions: each NAME.in of a folder must print exactly NAME.out.

The first line of an .in is a comment that says how to start the program:
# montana --seed 100 --deck course.deck. Adding a case is adding files. For another folder, another
cards.py, or to write the .out files that are missing:

    pytest tests/test_scripts.py --scripts DIR --cards FILE --update
"""

import difflib
import importlib
import os
import shlex
from pathlib import Path

import pytest

import helpers
import main


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


def test_script(script, project, request):
    arguments = start(script)
    run = helpers.run(arguments, script.read_bytes(), project, cwd=script.parent)
    if run.returncode != 0:
        pytest.fail(f"{script.name}: exit status {run.returncode}\n{run.stderr.decode()}", False)
    recorded = script.with_suffix(".out")
    if not recorded.exists():
        if not request.config.getoption("update"):
            pytest.fail(f"no {recorded.name}: --update writes it", False)
        recorded.write_bytes(run.stdout)
        pytest.skip(f"{recorded.name} written: read it before you trust it")
    if run.stdout != recorded.read_bytes():
        pytest.fail(difference(script, arguments[0], recorded.read_bytes(), run.stdout), False)


def start(script):
    """Return the arguments that the first line of a script says, as a list."""
    first_line = script.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    arguments = shlex.split(first_line[1:]) if first_line.startswith("#") else []
    if not arguments or arguments[0] not in main.GAMES:
        pytest.fail(f"{script.name}: the first line must be # GAME OPTIONS", False)
    return arguments


def difference(script, game, expected, printed):
    """Say where the output is not what was expected: the line, the command before it, a diff."""
    expected, printed = (text.decode("utf-8", "replace") for text in (expected, printed))
    same = os.path.commonprefix([expected, printed])
    line = same.count("\n")
    expected_lines, printed_lines = expected.splitlines(), printed.splitlines()
    prompts = importlib.import_module(game).PROMPT, main.PLAY_AGAIN
    answered = sum(same.count(prompt) for prompt in prompts)
    lines = script.read_text(encoding="utf-8", errors="replace").splitlines()
    typed = [f"typed: {text}" for text in lines if not text.startswith("#")]
    typed = ["nothing typed yet", *typed, *["at the end of the input"] * answered]
    return "\n".join([
        f"{script.name}: line {line + 1} of the output differs, {typed[answered]}",
        f"expected: {''.join(expected_lines[line:line + 1])}",
        f"printed:  {''.join(printed_lines[line:line + 1])}",
        *difflib.unified_diff(expected_lines, printed_lines, "expected", "printed", lineterm=""),
    ])
