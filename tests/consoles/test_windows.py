"""Without the features that Windows lacks, the games, the words and the commands still work."""

import subprocess
import sys

import pytest

from helpers import ROOT, SECONDS

WITHOUT = """
import multiprocessing, os, runpy, signal, sys
if __name__ == "__main__":
    for name in ("fcntl", "resource", "readline"):
        sys.modules[name] = None
    for name in ("killpg", "setsid", "setpgid", "mkfifo", "getpgid", "getppid", "fork", "WIFSIGNALED"):
        delattr(os, name)
    for name in ("SIGHUP", "SIGKILL", "SIGWINCH", "SIGCONT", "pthread_sigmask"):
        delattr(signal, name)
    multiprocessing.set_start_method("spawn")
    sys.argv[:] = [r"{root}/main.py", *sys.argv[1:]]
    sys.path.insert(0, r"{root}")
    from multiprocessing.process import BaseProcess
    BaseProcess.kill = BaseProcess.terminate
    runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def without(tmp_path):
    """Return a function that runs the program as on Windows, and returns what it prints."""
    (tmp_path / "windows.py").write_text(WITHOUT.format(root=ROOT), encoding="utf-8")

    def run(*arguments, status=0, **options):
        command = [sys.executable, tmp_path / "windows.py", *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path, timeout=SECONDS, **options)
        assert done.returncode == status, done.stderr
        return done.stdout

    return run


def test_a_game_is_played_saved_and_resumed(without, tmp_path):
    file = tmp_path / "game.txt"
    typed = "d\nundo\nredo\nhint\nd\nsolve\ny\nq\n"
    shown = without("play", "klondike", "--seed", "8", "--save", file, input=typed)
    assert "Undone: " in shown and "Can be won" in shown and shown.endswith("Thank you for playing.\n")
    solved = without("solve", "klondike", "--save", file)
    assert solved.splitlines()[1:3] == file.read_text(encoding="utf-8").splitlines()[1:3]


def test_the_results_and_no_grades(without):
    assert "You have not finished a game yet." in without("stats")
    assert without("grade", ROOT / "tests" / "proj10.py", status=2) == ""
