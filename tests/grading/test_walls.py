"""What a program may not do in its box: leave it, know what comes, take too much, or leave something for later."""

import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

resource = pytest.importorskip("resource", reason="Windows has no limits")

import helpers
from patience.grading.box import boxes, programs, runner, sandboxes
from patience.grading.courses import function_calls
from helpers import ROOT
from boxed import call_in_box, needs_sandbox, play_in_box, run_by_nobody, run_in_box, runner_of
from in_process import alter, read_programs

BWRAP, NONE = sandboxes.BWRAP, sandboxes.NONE
IN_BOX = read_programs("in a box")


@pytest.mark.parametrize(
    "what, sandbox", [(what, name) for what, (known, _) in IN_BOX.items() for name in known.split(": ")[0].split()]
)
def test_what_is_not_possible_in_a_box(what, sandbox):
    if sandbox == BWRAP and not sandboxes.works(BWRAP):
        pytest.skip("needs bubblewrap")
    known, changes = IN_BOX[what]
    run = run_in_box(f"import os, sys\n{alter(*changes)}", sandbox)
    assert re.fullmatch(known.partition(": ")[2], "".join([*run.pieces, run.errors, *run.remarks]), re.DOTALL), run


def test_a_command_that_hangs_while_it_is_tried_is_not_used(tmp_path, monkeypatch):
    for name in ("unshare", "bwrap", "systemd-run"):
        (tmp_path / name).write_text("#!/bin/sh\nsleep 0.5\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), os.pathsep)
    monkeypatch.setattr(sandboxes, "SECONDS_TO_TRY", 0.1)
    assert not any(words.__wrapped__() for words in (sandboxes.namespaces, sandboxes.no_nested_users, sandboxes.scope))


# Out of the box


@needs_sandbox
def test_a_submission_in_the_sandbox_reaches_no_file_and_no_process_outside_its_box(tmp_path):
    """It tries only what this test has prepared: a broken sandbox must not harm whoever runs this."""
    beside = tmp_path / "beside.txt"
    beside.write_text("kept", encoding="utf-8")
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as in_tmp, subprocess.Popen(["sleep", "60"]) as sleeper:
        print("kept", end="", file=in_tmp, flush=True)
        evil = (
            f"import os, signal\nfor path in {str(beside)!r}, {in_tmp.name!r}:\n"
            "    try: print(open(path).read()); open(path, 'w').close()\n    except OSError: print('no file')\n"
            f"try: os.kill({sleeper.pid}, signal.SIGTERM); print('ended')\nexcept OSError: print('no process')\n"
        )
        printed = run_in_box(evil, BWRAP).pieces
        assert (beside.read_text(encoding="utf-8"), Path(in_tmp.name).read_text(encoding="utf-8"), sleeper.poll()) == (
            "kept",
            "kept",
            None,
        )
        sleeper.kill()
    assert printed == ["no file\nno file\nno process\n"]


@needs_sandbox
def test_there_is_no_network_in_the_sandbox():
    with socket.create_server(("127.0.0.1", 0)) as server:
        connects = f"s.settimeout(1)\n    print(s.connect_ex({server.getsockname()}))\n"
        text = f"import socket\nwith socket.socket() as s:\n    {connects}"
        outside, inside = (run_in_box(text, where).pieces for where in (NONE, BWRAP))
    assert outside == ["0\n"] and inside not in (["0\n"], [""])


@needs_sandbox
def test_the_rights_of_devices_are_as_they_were_behind_bubblewrap():
    """The permissions of a device that hardly anything needs; those of system information cannot be changed."""
    mode = os.stat("/dev/full").st_mode
    text = "import os\nfor path in ('/proc/version', '/dev/full'):\n"
    text += "    try: os.chmod(path, 0o600)\n    except OSError: print('no')\n"
    assert run_in_box(text, BWRAP).pieces[0].startswith("no\n") and os.stat("/dev/full").st_mode == mode


@pytest.mark.parametrize("sandbox", [NONE, sandboxes.USER])
def test_no_other_user_runs_a_file_of_a_box(sandbox):
    if sandbox == sandboxes.USER and not run_by_nobody():
        pytest.skip("only root can run programs as nobody")
    with boxes.folder_of_boxes() as folder, boxes.box(folder, ROOT / "cards.py", {}) as path:
        sandboxes.as_user(path, sandbox)
        shutil.copyfile("/usr/bin/id", os.path.join(path, "id_suid"))
        os.chmod(os.path.join(path, "id_suid"), 0o4755)
        mode = os.stat(folder).st_mode & 0o777
        assert mode == (0o700 if sandbox == NONE else 0o710)
        if run_by_nobody():
            with pytest.raises(PermissionError):
                subprocess.run([os.path.join(path, "id_suid")], user="daemon", group="daemon", extra_groups=[], cwd="/")


@needs_sandbox
def test_where_the_sandbox_shows_the_project_it_is_hidden(graded, one, monkeypatch):
    """For instance if it is installed among Python's libraries. What Python needs is shown even if it is inside the
    project."""
    monkeypatch.setattr(sandboxes, "SYSTEM", [*sandboxes.SYSTEM, str(ROOT), str(ROOT / "docs")])
    secret = ROOT / "patience" / "grading" / "courses" / "montana" / "sessions" / "montana-course1.out"
    text = f"import sys\nsys.path.append({str(ROOT)!r})\ntry: print(open({str(secret)!r}).read())\n"
    text += f"except OSError: print(open({str(ROOT / 'docs' / 'README.md')!r}).read(9))\nfrom montana import *\n"
    _, rows, told = graded({"eve": text}, one, sandbox="bwrap")
    printed = told["eve"].partition("printed")[2]
    assert rows["eve"]["points"] == "0" and "Montana Solitaire" not in printed and "# " in printed


def test_what_is_hidden_is_the_checkout_or_the_package(monkeypatch):
    assert sandboxes.own_folder() == ROOT
    monkeypatch.setattr(sandboxes, "COURSE", ROOT / "patience" / "course")  # as in a wheel
    assert sandboxes.own_folder() == ROOT / "patience"


def test_one_limit_holds_for_all_processes_where_systemd_can_set_it(tmp_path, monkeypatch):
    """Here it is set by a systemd-run that only records its arguments."""
    fake = helpers.make_folder(tmp_path / "bin") / "systemd-run"
    fake.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path / "asked"}\nwhile [ "$1" != true ] && [ "$1" != bwrap ]; do shift; done\nexec "$@"\n',
        encoding="utf-8",
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    sandboxes.scope.cache_clear()
    words = sandboxes.scope()
    sandboxes.scope.cache_clear()
    assert words[:2] == ["systemd-run", "--scope"] and f"MemoryMax={1 << 30}" in words
    assert ("--user" in words) == (os.getuid() > 0)
    assert "MemorySwapMax=0" in (tmp_path / "asked").read_text(encoding="utf-8")


def test_where_no_process_can_be_started_it_is_not_the_submissions_fault(monkeypatch):
    fails = ["sh", "-c", 'echo "bwrap: Can\'t fork for pid 1" >&2; exit 1']
    monkeypatch.setattr(runner, "sandbox_words", lambda *_: fails)
    with pytest.raises(BlockingIOError) as error:
        run_in_box("print()\n")
    assert boxes.is_own(error.value), "so it is tried again, and not graded"


# Too much


@needs_sandbox
def test_what_does_not_end_in_a_box_of_its_own_is_stopped():
    (remark,) = run_in_box("while True: pass\n", BWRAP, seconds=0.5).remarks
    assert re.fullmatch(r"It did not finish within (0\.5 s of processor time|3 s)\.", remark)  # 3 s on a busy machine


@pytest.mark.parametrize("text, told", [
    ("for n in range(40):\n    with open(str(n), 'wb') as f: f.write(b'x' * (9 << 20))\n", "It wrote more than 64 MB"),
    ("for n in range(200): os.mkdir('d'); os.chdir('d')\n", "It nested folders more than 50 deep"),
    ("for n in range(300): os.mkdir(str(n))\n", "It made more than 200 files"),
], ids=["large", "deep", "many"])  # fmt: skip
def test_a_program_that_fills_its_box_is_stopped(text, told, monkeypatch):
    monkeypatch.setattr(runner, "ALLOWED", runner.ALLOWED._replace(files=200))
    run = run_in_box(f"import os, time\n{text}time.sleep(60)\n", seconds=5)
    assert run.ending == programs.Ending.STOPPED and run.remarks[0].startswith(told), run.remarks


def test_an_answer_that_is_too_large_is_not_read(tmp_path):
    text = "def check_win(tableau):\n    return 'x' * ((3 << 20) if len(tableau) > 1 else 1)\n"
    asked = [function_calls.Call("check_win", rows=[[(2, 1)]] * rows) for rows in (1, 2, 1)]
    _, found = call_in_box(text, asked, tmp_path)
    assert found[1].error == "its answer is larger than 1 MB" and found[0].value == found[2].value == "x"


def test_compiling_a_submission_takes_nothing_of_the_grader(graded, one):
    """Its blocks of try and finally are nested, so that its code doubles in size with each level."""
    levels = [" " * level + "try: pass\n" + " " * level + "finally:\n" for level in range(18)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, rows, _ = graded({"eve": "".join(levels) + " " * 18 + "pass\n"}, f"{one} --seconds 0.1")
    assert rows["eve"]["points"] == "0"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (200 << 10), "kilobytes"


# What comes


PEEKS = """import os, sys
print(os.read(0, 99))
for number in range(3, 64):
    try: os.set_blocking(number, False), print(os.read(number, 99))
    except OSError: pass
for number in range(3, 64):
    try: os.set_blocking(number, True)
    except OSError: pass
print(input() + input())
for number in range(3, 64):  # a program that asks in its own way still asks
    try: os.write(number, b"\\n")
    except OSError: pass
print(sys.stdin.readline())
"""


def test_what_will_be_typed_cannot_be_read_before_it_is_asked_for():
    run = run_in_box(PEEKS, typed=b"one\ntwo\nthree\nfour\n")
    assert [piece.split() for piece in run.pieces[:3]] == [["b''"], [], ["onetwo"]] and len(run.pieces) == 5, run


def test_a_program_that_asks_on_after_the_end_is_stopped_there():
    text = "print('a')\ninput()\nwhile True:\n    try: input()\n    except EOFError: print('b')\n"
    run = run_in_box(text, typed=b"one\n", seconds=60)
    assert run.pieces == ["a\n", "", "b\n"] and run.remarks == [runner.ASKS_ON]
    assert run.ending != programs.Ending.STOPPED, "it is not started again for that"


def test_what_a_program_has_read_is_no_reason_why_it_does_not_start():
    """Because the reason is shown for hidden sessions too."""
    run = run_in_box('import sys\nprint("\\0start " + sys.stdin.read())\n', typed=b"secret\n")
    assert "secret" in "".join(run.pieces)


READS_AHEAD = """
import gc, os, time
def check_win(game):
    for settings in gc.get_objects():
        if isinstance(settings, dict) and "pipes" in settings:
            wants, gives = settings["pipes"]
            os.set_blocking(gives, False)
            os.write(wants, b"\\n" * settings["calls"])
            time.sleep(0.2)
            raise ValueError(os.read(gives, 1 << 20).decode())
"""


def test_a_call_is_given_once_the_one_before_is_answered(tmp_path):
    asked = [function_calls.Call("check_win", rows=[[(2, 1)]]) for _ in range(3)]
    _, found = call_in_box(READS_AHEAD, asked, tmp_path, 2)
    assert "rows" not in str(found) and "ValueError: 0\n0\n" in found[0].error, "lines of no length"


def test_nothing_of_other_calls_lies_in_a_submissions_memory(tmp_path):
    text = "import gc\ndef check_win(tableau):\n"
    text += "    return sum(isinstance(one, dict) and 'arguments' in one for one in gc.get_objects())\n"
    _, found = call_in_box(text, [function_calls.Call("check_win", rows=[[(2, 1)]]) for _ in range(3)], tmp_path)
    assert [answer.value for answer in found] == [1, 1, 1], "only its own"


# What was before


# One Python runs all sessions of a submission. Each program prints what it finds left behind by the previous one.
LEAVES = {
    "a new file": "print(os.path.exists('new'))\nopen('new', 'w')",
    "a temporary file": "print(os.listdir('/tmp'))\nopen('/tmp/new', 'w')",
    "shared memory": "print(os.listdir('/dev/shm'))\nopen('/dev/shm/new', 'w')",
    "a file of its own": "print(open('scores.txt').read())\nopen('scores.txt', 'w').write('1')",
    "a file in a folder": "print(os.listdir('data'))\nopen('data/new', 'w')",
    "the mode of a file": "print(os.stat('scores.txt').st_mode)\nos.chmod('scores.txt', 0)",
    "no file of its own": "print(os.listdir())\nos.unlink('scores.txt')",
    "a process": "print(sum(n.isdigit() for n in os.listdir('/proc')))\n"
    "if not os.fork():\n    if not os.fork():\n        os.setsid()\n        time.sleep(30)",
    "a module": "print(hasattr(random, 'found'))\nrandom.found = 1",
    "its nice value, and a limit": "print(os.nice(0), resource.getrlimit(resource.RLIMIT_NOFILE))\nos.nice(3)\n"
    "resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))",
    "the end of its parent": "print('ended')\nsys.stdout.flush()\nos.kill(os.getppid(), 9)\ntime.sleep(30)",
    "a reply": "print('replied')\nfor number in range(3, 20):\n    try: os.write(number, b'0')\n    except OSError: pass",
    "the end of its input": "print(sys.stdin.read())\nos.lseek(0, 0, os.SEEK_END)",
    "shared memory of another kind": "import ctypes\nprint(len(open('/proc/sysvipc/shm').readlines()))\n"
    "ctypes.CDLL(None).shmget(7, 4096, 0o1600)",
    "nothing": "print('nothing')",
}


@needs_sandbox
@pytest.mark.parametrize("leaves", LEAVES)
def test_a_session_finds_nothing_of_the_one_before(leaves, tmp_path):
    text = f"import os, random, resource, sys, time\n{LEAVES[leaves]}\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    (tmp_path / "scores.txt").write_text("0", encoding="utf-8")
    helpers.make_folder(tmp_path / "data")
    found, pythons = [], []
    with runner_of(tmp_path, BWRAP) as runner:
        for _ in range(3):
            found.append(play_in_box(runner, b"typed"))
            pythons.append(runner.python)
    assert found[0].pieces[-1] and found[0] == found[1] == found[2]
    if leaves in ("nothing", "a process", "a module", "a reply"):
        assert pythons[0] and len(set(pythons)) == 1


@needs_sandbox
def test_what_was_stopped_writes_nothing_into_the_next_session(tmp_path):
    (tmp_path / "a.py").write_text(
        "if input() == 'x':\n    while True: print('x' * 9999)\nprint('hello')\n", encoding="utf-8"
    )
    with runner_of(tmp_path, BWRAP) as runner:
        for _ in range(6):
            assert play_in_box(runner, b"x\n").ending == programs.Ending.STOPPED
            printed = runner.streams.stdout.fileno()
            left = os.fstat(printed).st_size - os.lseek(printed, 0, os.SEEK_CUR)
            assert left < programs.MAX_PRINTED, "a last line would stand near the first"
            assert play_in_box(runner, b"y\n").pieces == ["", "hello\n"]


@needs_sandbox
def test_a_python_that_has_ended_between_two_sessions_costs_nothing(tmp_path):
    (tmp_path / "a.py").write_text("print('hello')\n", encoding="utf-8")
    with runner_of(tmp_path, BWRAP) as runner:
        for _ in range(3):
            played = play_in_box(runner)
            assert played.ending == programs.Ending.DONE and played.pieces == ["hello\n"]
            os.killpg(runner.python.pid, 9)
            select.select([runner.pipes.reply], [], [], helpers.SECONDS)  # until the last of its processes has ended
