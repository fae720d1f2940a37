"""The plain program: each game's module run by itself, and a script through main.py."""

import io
import os
import random
import shutil
import signal
import subprocess
import sys

import pytest

import helpers
import main
from helpers import COURSE, PROGRAM, ROOT, read_until, run, run_process, start_program

SEEDED = "import random, runpy, sys; random.seed(8); sys.argv = [{0!r}]; runpy.run_path({0!r}, run_name='__main__')"

START = "montana --seed 100 --deck course.deck"
LINES = (COURSE / "montana-course1.in").read_bytes().partition(b"\n")[2]
BOARDS = (COURSE / "montana-course1.out").read_bytes()
PROMPT = b" (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: "  # its last line
END = b"Do you want to play again (y/n)?Thank you for playing.\n"


@pytest.mark.parametrize("name", main.GAMES)
@pytest.mark.parametrize("end", ["", "q\nmaybe\ny\nq\nno\nn\nn"])
def test_a_file_beside_cards_alone_prints_what_it_prints_through_the_dispatcher(name, end, tmp_path):
    """Without click and without this project."""
    words = (helpers.SCRIPTS / f"{name}-words.in").read_text(encoding="utf-8").partition("here.\n")[2].partition("q\n")[
        0
    ] + end
    for file in f"{name}.py", "cards.py":
        shutil.copy(ROOT / file, tmp_path)
    command = [sys.executable, "-S", "-c", SEEDED.format(f"{name}.py")]  # with the state of random that --seed 8 gives
    alone = subprocess.run(command, input=words.encode(), capture_output=True, cwd=tmp_path)
    assert (alone.returncode, alone.stderr) == (0, b"")
    assert alone.stdout == run([name, "--seed", "8"], words).stdout


def test_it_ends_in_a_line_if_it_is_interrupted_and_silently_if_nobody_reads():
    command = [sys.executable, ROOT / "main.py", "klondike"]
    game = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert game.stdout.readline() == b"Klondike Solitaire.\n"
    if hasattr(signal, "SIGHUP"):  # Windows has no Ctrl-C for a single process
        game.send_signal(signal.SIGINT)
        assert game.wait(helpers.SECONDS) == 130 and game.stderr.read() == b"Interrupted.\n"
    game.kill()
    reading, writing = os.pipe()
    os.close(reading)
    unread = subprocess.run(command, input=b"q\n", stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (unread.returncode, unread.stderr) == (1, b"")


def test_streams_without_bytes_as_some_editors_have_them_are_used_as_they_are(monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("sw\nq\nn\n"))
    monkeypatch.setattr("sys.stdout", shown)
    main.main(["klondike", "--seed", "8"], standalone_mode=False)
    assert shown.getvalue() == run("klondike --seed 8", "sw\nq\nn\n").stdout.decode()


# A script


def test_an_empty_first_line_is_a_line():
    assert run(START, b"\nx\n", COURSE).stdout.count(b"Error: invalid input.") == 2


@pytest.mark.parametrize("script", [b"", b"q\n", b"q", b"q\nx", b"4 13 1 10", b"# only\n# two"])
def test_the_end_of_input_is_a_quiet_quit(script):
    game = run(START, script, COURSE)
    assert (game.returncode, game.stderr) == (0, b"")
    assert game.stdout.endswith(b"Thank you for playing.\n")
    assert game.stdout.count(b"4:  2") == (2 if b"13" in script else 1), "boards"


@pytest.mark.parametrize("script", [
    LINES.rstrip(b"\n"), LINES.replace(b"\n", b"\r\n"), b"# %s\n%s" % (START.encode(), LINES),
], ids=["no last newline", "CRLF", "how it was dealt"])  # fmt: skip
def test_a_script_may_lack_its_last_newline_have_windows_ones_and_begin_with_how_it_was_dealt(script):
    assert run(START, script, COURSE).stdout == BOARDS


@pytest.mark.parametrize("line", [
    b"\xff\xfe", b"\0", b"4 13 1 10\0", b"x" * 10**6, b"1" * 10**6, b"1 " * 10**6, " ♥".encode(), b"\x1b[A",
    b"# one", b"#", b"# " + START.encode(), b"s; s",
], ids=lambda line: repr(line[:12]))  # fmt: skip
def test_any_other_line_is_invalid_input(line):
    first, rest = LINES.split(b"\n", 1)
    game = run(START, b"\n".join([first, line, rest]), COURSE)
    first, second, rest = BOARDS.split(PROMPT, 2)
    error = b"Error: invalid input.  Please try again.\nEnter choice:\n"
    assert game.stdout == PROMPT.join([first, second, error, rest])
    assert (game.returncode, game.stderr) == (0, b"")


def test_ten_thousand_lines():
    game = run("montana --seed 1", b"1 1 1 1\n" * 10_000 + b"q\nn\n")
    assert game.stdout.count(PROMPT) == 10_001 and game.stdout.endswith(END)


def test_no_standard_input_or_output():
    command = f"{PROGRAM} montana"
    closed = subprocess.run(f"{command} <&-", shell=True, capture_output=True)
    assert (closed.returncode, closed.stderr) == (0, b"") and closed.stdout.endswith(END)
    closed = subprocess.run(f"{command} >&-", shell=True, stderr=subprocess.PIPE, input=b"q\nn\n")
    assert (closed.returncode, closed.stderr) == (1, b"Error: Standard output is closed.\n")
    asked = subprocess.run(f"{PROGRAM} stats --reset <&-", shell=True, capture_output=True)
    assert asked.returncode == 0 and asked.stderr == b"Nothing was changed.\n"


@pytest.mark.parametrize("environment", [
    {"LC_ALL": "C", "LANG": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252:strict", "PYTHONUNBUFFERED": "1"},
    {"TERM": "dumb", "COLUMNS": "20", "FORCE_COLOR": "1", "ACCESSIBLE": "1", "PATIENCE_SPOKEN": "1"},
])  # fmt: skip
def test_piped_output_is_the_same_everywhere_with_a_deck_file_in_any_form(environment, tmp_path):
    symbols = (COURSE / "course.deck").read_text(encoding="utf-8").lower().translate(str.maketrans("cdhs", "♣♦♥♠"))
    deck = "\ufeff# the course's deck\r\n" + symbols.replace(" ", "\t\r\n") + "# the end 2C"
    (tmp_path / "course.deck").write_bytes(deck.encode())
    game = run_process(START, LINES, cwd=tmp_path, **environment)
    assert (game.stdout, game.stderr) == (BOARDS, b"")


def test_another_program_may_talk_to_it_line_by_line():
    """Everything is printed before the program waits for the next line."""
    with start_program("montana --seed 1") as game:
        for command in (b"1 1 1 1\n", b"s\n", b"q\n"):
            assert read_until(game, PROMPT).endswith(PROMPT)
            game.stdin.write(command)
            game.stdin.flush()
        assert game.communicate(b"n\n")[0] == END


def test_a_closed_pipe_ends_it_quietly():
    with start_program("montana --seed 1") as game:
        read_until(game)
        game.stdout.close()
        with game.stdin as script:
            script.write(b"1 1 1 1\n" * 10_000)
        assert game.stderr.read() == b"" and game.wait() == 1


@pytest.mark.parametrize("name", main.GAMES)
def test_any_bytes_can_be_typed(name):
    chance = random.Random(name)
    typed = b"".join(bytes(chance.choices(range(256), k=chance.randrange(12))) + b"\n" for _ in range(400))
    done = run([name, "--seed", "8"], typed)
    assert done.returncode == 0 and not done.stderr
