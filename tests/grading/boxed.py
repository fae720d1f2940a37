"""Programs that are run in a box, as the grader does it."""

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from patience.grading.box import boxes, programs, sandboxes
from patience.grading.box.runner import Runner
from helpers import ROOT

CARDS = {"cards.py": ROOT / "cards.py"}
needs_names = pytest.mark.skipif(sys.getfilesystemencoding() != "utf-8", reason="no file can be called Zoë here")
needs_sandbox = pytest.mark.skipif(not sandboxes.works(sandboxes.BWRAP), reason="bubblewrap is not installed")


def run_by_nobody():
    """Return a Python that the user nobody can run, or None; only root can ask."""
    for python in (sys.executable, "/usr/bin/python3") if hasattr(os, "getuid") and os.getuid() == 0 else ():
        command = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))"]
        with contextlib.suppress(OSError):
            if subprocess.run(command, user="nobody", cwd="/", capture_output=True).returncode == 0:
                return python
    return None


@contextlib.contextmanager
def runner_of(path, sandbox=sandboxes.NONE):
    """Yield the Runner for a submission."""
    with boxes.folder_of_boxes() as place, Runner(place, path, sandbox) as runner:
        yield runner


def play_in_box(runner, typed=b"", seconds=5):
    """Type bytes into the submission's program, a.py; return the Run."""
    settings = {"file": "a.py", "options": {}, "seed": None, "deck": None}
    return programs.run(runner.use(CARDS), settings, typed, seconds)


def run_in_box(text, sandbox=sandboxes.NONE, typed=b"", seconds=10):
    """Return the Run of a program that is alone in its box."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.py")
        path.write_text(text, encoding="utf-8")
        with runner_of(path, sandbox) as runner:
            return play_in_box(runner, typed, seconds)


def call_in_box(text, asked, folder, seconds=5):
    """Return why a module did not load, or "", and its answers to some Calls, from a box."""
    (folder / "ada.py").write_text(text, encoding="utf-8")
    with runner_of(folder) as runner:
        calls = [{name: value for name, value in call._asdict().items() if value is not None} for call in asked]
        late = {"most_late": programs.MAX_LATE, "short": programs.SHORT}
        settings = {"file": "ada.py", "seed": None, "deck": None, "calls": calls, **late}
        return programs.call(runner.use(CARDS), settings, seconds)


def outline_in_box(path, file):
    """Return the outline of a submission's program, from a box."""
    with runner_of(path) as runner:
        return programs.outline(runner.use({}), file, 1)
