"""The plain program: each game's module run by itself, and a script through main.py."""

import os
import signal
import subprocess
import sys

import pytest

import helpers
import main
from helpers import ROOT, run

SEEDED = "import random, runpy, sys; random.seed(8); sys.argv = [{0!r}]; runpy.run_path({0!r}, run_name='__main__')"


@pytest.mark.parametrize("name", main.GAMES)
@pytest.mark.parametrize("end", ["", "q\nmaybe\ny\nq\nno\nn\nn"])
def test_a_module_alone_prints_what_it_prints_through_the_dispatcher(name, end):
    words = (helpers.SCRIPTS / f"{name}-words.in").read_text().partition("here.\n")[2].partition("q\n")[0] + end
    command = [sys.executable, "-c", SEEDED.format(f"{name}.py")]  # with the state of random that --seed 8 gives
    alone = subprocess.run(command, input=words.encode(), capture_output=True, cwd=ROOT)
    assert (alone.returncode, alone.stderr) == (0, b"")
    assert alone.stdout == run([name, "--seed", "8"], words).stdout


@pytest.mark.parametrize("name", sorted({*main.GAMES} - {"montana"}))
def test_a_module_alone_takes_no_arguments(name):
    told = subprocess.run([sys.executable, f"{name}.py", "--draw"], capture_output=True, text=True, cwd=ROOT)
    assert (told.returncode, told.stdout) == (1, "") and told.stderr.startswith(f"Usage: python {name}.py, without")


def test_a_module_alone_ends_in_a_line_if_it_is_interrupted_and_silently_if_nobody_reads():
    command = [sys.executable, "klondike.py"]
    game = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    assert game.stdout.readline() == b"Klondike Solitaire.\n"
    if hasattr(signal, "SIGHUP"):  # Windows has no Ctrl-C for a single process
        game.send_signal(signal.SIGINT)
        assert game.wait(helpers.SECONDS) == 130 and game.stderr.read() == b"Interrupted.\n"
    game.kill()
    reading, writing = os.pipe()
    os.close(reading)
    unread = subprocess.run(command, input=b"q\n", stdout=writing, stderr=subprocess.PIPE, cwd=ROOT)
    os.close(writing)
    assert (unread.returncode, unread.stderr) == (1, b"")
