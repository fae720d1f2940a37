"""What a submission may try: to leave its box, and to bring down the grading of the class."""

import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

resource = pytest.importorskip("resource", reason="Windows has no limits")

import helpers
from grading.box import boxes, programs, sandboxes
from grading import command, submissions
from helpers import ROOT, run
from in_process import PROJ10
from boxed import needs_sandbox, output_in_box, run_by_nobody, run_in_box, runner_of

SUID = "import os, shutil\nshutil.copyfile('/usr/bin/id', 'id_suid')\nos.chmod('id_suid', 0o4755)\n"


def test_a_program_is_compiled_as_it_is_anywhere():
    """Unlike the grader's own code, whose type hints are never evaluated."""
    assert output_in_box("def f(x: int): pass\nprint(f.__annotations__['x'] is int)", sandboxes.NONE) == "True\n"


# Out of the box


@pytest.mark.parametrize("sandbox", [sandboxes.NONE, sandboxes.USER])
def test_no_other_user_runs_a_file_of_a_box(sandbox):
    if sandbox == sandboxes.USER and not run_by_nobody():
        pytest.skip("only root can run programs as nobody")
    with boxes.folder_of_boxes() as folder, boxes.box(folder, ROOT / "cards.py", {}) as path:
        sandboxes.as_user(path, sandbox)
        exec(SUID.replace("'id_suid'", repr(os.path.join(path, "id_suid"))))
        mode = os.stat(folder).st_mode & 0o777
        assert mode == (0o700 if sandbox == sandboxes.NONE else 0o710)
        if run_by_nobody():
            with pytest.raises(PermissionError):
                subprocess.run([os.path.join(path, "id_suid")], user="daemon", group="daemon", extra_groups=[], cwd="/")


@needs_sandbox
def test_where_the_sandbox_shows_the_project_it_is_hidden(graded, one, monkeypatch, tmp_path):
    """For instance if it is installed among Python's libraries. What Python needs is shown even if it is inside the
    project."""
    monkeypatch.setattr(sandboxes, "SYSTEM", [*sandboxes.SYSTEM, str(ROOT), str(ROOT / "docs")])
    monkeypatch.setattr(sandboxes.importlib.metadata, "files", lambda name: None)  # an sdist lists its files
    secret = ROOT / "grading" / "courses" / "montana" / "sessions" / "montana-course1.out"
    text = f"import sys\nsys.path.append({str(ROOT)!r})\ntry: print(open({str(secret)!r}).read())\n"
    text += f"except OSError: print(open({str(ROOT / 'docs' / 'README.md')!r}).read(9))\nfrom montana import *\n"
    _, rows, told = graded({"eve": text}, f"{one} --functions montana", sandbox="bwrap")
    printed = told["eve"].partition("printed")[2]
    assert rows["eve"]["points"] == "0" and "Montana Solitaire" not in printed and "# " in printed


def test_what_was_installed_of_the_project_is_known(monkeypatch):
    files = ["grading/command.py", "__pycache__/montana.cpython-311.pyc", "montana.py", "../../bin/patience"]
    monkeypatch.setattr(sandboxes.importlib.metadata, "files", lambda name: [*map(Path, files)])
    assert {ROOT / "grading", ROOT / "montana.py"} <= set(sandboxes.own_paths()) and ROOT not in sandboxes.own_paths()


OWN_MODULES = ["json", "select", "signal", "re", "enum", "traceback", "warnings", "time"]


def test_own_modules_and_a_compiled_cards_module_change_nothing(graded, one):
    broken = {f"{name}.py": "raise RuntimeError('taken')\n" for name in OWN_MODULES}
    broken["cards.cpython-311-x86_64-linux-gnu.so"] = "no library"
    _, rows, told = graded({"ada": {"proj10.py": PROJ10, **broken}}, f"{one} --functions montana --program proj10.py")
    assert rows["ada"]["percent"] == "100.0", told["ada"]


def test_who_all_run_as_nobody_run_one_at_a_time(monkeypatch):
    monkeypatch.setattr(sandboxes, "readable_by_nobody", lambda paths: None)
    assert command.describe_sandbox(sandboxes.USER, 4) == ("Sandbox: none, but a different user, nobody.", 1)
    assert command.describe_sandbox(sandboxes.BWRAP, 4) == ("Sandbox: bubblewrap.", 4)


# The class


def nested_finally(depth):
    """Return a program of nested try and finally blocks, whose code doubles in size with each level."""
    return "\n".join([" " * n + "try: pass\n" + " " * n + "finally:" for n in range(depth)] + [" " * depth + "pass"])


@pytest.mark.slow
def test_compiling_a_submission_takes_nothing_of_the_grader(graded, one):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, rows, _ = graded({"ada": PROJ10, "eve": nested_finally(18)}, f"{one} --seconds 0.5")
    assert rows["ada"]["points"] == "100" and rows["eve"]["points"] == "0"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (200 << 10), "kilobytes"


def test_files_that_are_huge_or_slow_to_search_are_not_read(graded, one, tmp_path):
    folder = helpers.make_folder(tmp_path / "class" / "eve")
    (folder / "a.py").write_text(PROJ10)
    (folder / "b.py").write_text("\n" * 300_000)
    assert submissions.program_in(folder, None) == (None, "There are several programs: a.py, b.py.", "")
    with open(folder / "b.py", "wb") as file:
        file.truncate(3 << 30)
    _, rows, _ = graded({}, f"{one} --program b.py")
    assert rows["eve"]["points"] == "0" and "the file is larger than 1024 KB" in rows["eve"]["remarks"]


def test_whatever_one_submission_is_the_others_have_their_grades(graded, one, tmp_path):
    folder = helpers.make_folder(tmp_path / "class")
    for name, how in (("deflated", zipfile.ZIP_DEFLATED), ("lzma", zipfile.ZIP_LZMA)):
        with zipfile.ZipFile(folder / f"{name}.zip", "w", how) as file:
            file.writestr("proj10.py", PROJ10)
        data = bytearray((folder / f"{name}.zip").read_bytes())
        data[60:90] = bytes(30)
        (folder / f"{name}.zip").write_bytes(data)
    with zipfile.ZipFile(folder / "deep.zip", "w") as file:
        file.writestr("d/" * 980 + "proj10.py", PROJ10)
    (folder / "ada_1_2_..").write_text(PROJ10)
    done, rows, _ = graded({"ada": PROJ10}, one)
    assert rows["ada"]["points"] == "100" and b"Traceback" not in done.stderr and "deep" in rows
    assert sum("it cannot be unpacked" in row["remarks"] for row in rows.values()) >= 2


@pytest.mark.parametrize("error, why", [
    (OSError(28, "No space left on device"), "No space left on device"), (MemoryError(), "not enough memory"),
    (OSError(24, "Too many open files"), "Too many open files"), (OSError(2, "No such file"), ""),
])  # fmt: skip
def test_an_error_of_the_graders_own_is_no_ones_zero_points(error, why, graded, one, monkeypatch):
    copy = boxes.copy_submission

    def copied(source, target):
        if source.name == "bob":
            raise error
        copy(source, target)

    monkeypatch.setattr(boxes, "copy_submission", copied)
    done, rows, _ = graded({"ada": PROJ10, "bob": PROJ10}, one)
    assert done.returncode == (3 if why else 1) and b"Traceback" not in done.stderr
    assert done.stderr.decode().endswith(f"bob is not graded: {why}.\n") == bool(why)
    assert ("bob" in rows) == (b"bob: 0" in done.stdout) == (not why)


@pytest.mark.parametrize("text, told", [
    ("for n in range(40):\n    with open(str(n), 'wb') as f: f.write(b'x' * (9 << 20))\n", "It writes more than 64 MB"),
    ("for n in range(1200): os.mkdir('d'); os.chdir('d')\n", "It makes folders that are nested 50 deep"),
    ("for n in range(12000): os.mkdir(str(n))\n", "It makes more than 10,000 files"),
], ids=["large", "deep", "many"])  # fmt: skip
def test_a_program_that_fills_its_box_is_stopped(text, told):
    run = run_in_box(f"import os, time\n{text}time.sleep(60)\n", seconds=5)
    assert run.ending == programs.Ending.STOPPED and re.match(f"{told}|It did not finish", run.remarks[0]), run.remarks


BOXED = {  # what is not possible in bubblewrap -> a program that tries it, and what it prints
    "to set the kernel's switches": (
        "for name in 'kernel/core_pattern', 'vm/swappiness':\n"
        "    try: os.close(os.open('/proc/sys/' + name, os.O_WRONLY)); print('open')\n    except OSError: print('no')", "no\nno\n"),
    "to use rights of root": (
        "print([line for line in open('/proc/self/status') if line.startswith('CapEff')])", "['CapEff:\\t0000000000000000\\n']\n"),
    "to open the files of what runs it": (
        "for number in range(30):\n    try: print(os.open(f'/proc/{os.getppid()}/fd/{number}', os.O_RDWR | os.O_NONBLOCK))\n"
        "    except OSError: pass\nprint('done')", "done\n"),
    "to fill the temporary folders": (
        "print([(at := os.statvfs(path)).f_blocks * at.f_frsize >> 20 for path in ('/tmp', '/dev/shm', '/box')])", "[64, 64, 64]\n"),
    "to write anywhere else": (
        "for path in '/x', '/dev/x', '/usr/x':\n    try: open(path, 'w')\n    except OSError: print('no')", "no\nno\nno\n"),
}  # fmt: skip


@needs_sandbox
@pytest.mark.parametrize("what", BOXED)
def test_what_is_not_possible_in_bubblewrap(what):
    text, printed = BOXED[what]
    assert output_in_box(f"import os\n{text}\n", sandboxes.BWRAP) == printed


def test_what_a_submission_brings_is_not_what_it_writes(graded, one, tmp_path):
    os.makedirs(tmp_path / "class" / "ada" / "/".join(60 * ["d"]))
    _, rows, _ = graded({"ada": PROJ10}, f"{one} --program proj10.py")
    assert rows["ada"]["points"] == "100"


def test_before_it_is_said_that_nobody_can_read_what_is_secret_it_is_tried(monkeypatch, tmp_path):
    """For all sessions and submissions, files and folders."""
    deck, tried = ROOT / "grading" / "courses" / "montana" / "sessions" / "course.deck", []
    monkeypatch.setattr(subprocess, "run", lambda words, **_: tried.extend(words) or SimpleNamespace(returncode=1))
    assert sandboxes.readable_by_nobody([tmp_path / "ada.py"]) is None
    assert {str(deck), str(tmp_path / "ada.py")} <= {*tried}
    monkeypatch.undo()
    if sandboxes.works(sandboxes.USER):
        os.chmod(tmp_path, 0o700)
        assert sandboxes.readable_by_nobody([tmp_path]) != tmp_path
        if sandboxes.readable_by_nobody() is None:
            assert sandboxes.readable_by_nobody([Path("/usr")]) == Path("/usr")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() > 0, reason="needs root")
def test_two_graders_as_nobody_wait_for_each_other():
    told = []
    with sandboxes.one_at_a_time(sandboxes.USER, lambda: told.append("first")):
        waits = "from grading.box import sandboxes\nwith sandboxes.one_at_a_time('user', lambda: print('waits', flush=True)): pass"
        second = subprocess.Popen([sys.executable, "-c", waits], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert second.stdout.readline() == "waits\n" and second.poll() is None
    assert second.wait(helpers.SECONDS) == 0 and not told
    second.stdout.close()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() > 0, reason="needs root")
def test_what_nobody_left_in_any_folder_for_everybody_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sandboxes, "FOR_EVERYBODY", [str(tmp_path)])
    inner, closed = helpers.make_folder(tmp_path / ".X11-unix"), helpers.make_folder(tmp_path / "closed")
    os.chmod(inner, 0o1777)
    for folder in (tmp_path, inner, closed):
        (folder / "left").write_text("sessions")
        os.chown(folder / "left", 12345, 12345)
    found = {path for path in sandboxes.files_of(12345) if path.startswith(str(tmp_path))}
    assert found == {str(tmp_path / "left"), str(inner / "left")}


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
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "scores.txt").write_text("0")
    helpers.make_folder(tmp_path / "data")
    found, pythons = [], []
    with runner_of(tmp_path) as (runner, play):
        for _ in range(3):
            found.append(play(b"typed"))
            pythons.append(runner.python)
    assert found[0].pieces[-1] and found[0] == found[1] == found[2]
    if leaves in ("nothing", "a process", "a module", "a reply"):
        assert pythons[0] and len(set(pythons)) == 1


@needs_sandbox
def test_what_was_stopped_writes_nothing_into_the_next_session(tmp_path):
    (tmp_path / "a.py").write_text("if input() == 'x':\n    while True: print('x' * 9999)\nprint('hello')\n")
    with runner_of(tmp_path) as (_, play):
        for _ in range(6):
            assert play(b"x\n").ending == programs.Ending.STOPPED
            assert play(b"y\n").pieces == ["", "hello\n"]


@needs_sandbox
def test_a_python_that_has_ended_between_two_sessions_costs_nothing(tmp_path):
    (tmp_path / "a.py").write_text("print('hello')\n")
    with runner_of(tmp_path) as (runner, play):
        for _ in range(3):
            played = play()
            assert played.ending == programs.Ending.DONE and played.pieces == ["hello\n"]
            os.killpg(runner.python.pid, 9)
            time.sleep(0.2)


READS_ALL = """import os
for process in os.getpid(), os.getppid():
    for number in os.listdir(f"/proc/{process}/fd"):
        if os.path.isfile(path := f"/proc/{process}/fd/{number}"):
            with open(path, "rb") as file:
                print(b"arguments" in file.read(100_000), end=" ")
print(len([number for number in range(3, 64) if os.path.exists(f"/proc/self/fd/{number}")]))
"""


@pytest.mark.parametrize("sandbox", [sandboxes.NONE, pytest.param(sandboxes.BWRAP, marks=needs_sandbox)])
def test_what_is_told_of_a_program_is_gone_before_it_begins(sandbox):
    found = output_in_box(READS_ALL, sandbox).split()
    assert "False" in found and "True" not in found and found[-1] == "2", "the pipes for lines"


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


def test_one_limit_holds_for_all_processes_where_systemd_can_set_it(tmp_path, monkeypatch):
    """Here it is set by a systemd-run that only records its arguments."""
    fake = helpers.make_folder(tmp_path / "bin") / "systemd-run"
    fake.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path / "asked"}\nwhile [ "$1" != true ] && [ "$1" != bwrap ]; do shift; done\nexec "$@"\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    sandboxes.scope.cache_clear()
    words = sandboxes.scope()
    sandboxes.scope.cache_clear()
    assert words[:2] == ["systemd-run", "--scope"] and f"MemoryMax={1 << 30}" in words
    assert "MemorySwapMax=0" in (tmp_path / "asked").read_text()


KILLS_ITS_GRADER = """import os
    started_by = open(f"/proc/{os.getppid()}/stat").read().rpartition(")")[2].split()[1]
    os.kill(int(started_by), 9)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_that_is_killed_costs_nobody_else_a_grade(graded, one):
    evil = f"if __name__ == '__main__':\n    {KILLS_ITS_GRADER}\n"
    done, rows, _ = graded({**dict.fromkeys(("ada", "bob", "cyd"), PROJ10), "abe": evil}, one, jobs=2)
    assert done.stdout.count(b"100 of 100") == 3 and done.returncode == 3
    assert done.stderr.endswith(b"abe is not graded: the grading process was killed twice.\n")
    assert {*rows} == {"ada", "bob", "cyd", "(maximum)"}


def test_the_table_is_written_while_the_class_is_graded(graded, one, tmp_path, monkeypatch):
    """So that a second Ctrl-C, or a power cut, leaves the results so far."""
    seen, write = [], command.Places.write_table
    monkeypatch.setattr(
        command.Places,
        "write_table",
        lambda places, grades, skipped: (seen.append(len(grades)), write(places, grades, skipped)),
    )
    graded(dict.fromkeys(("s0", "s1", "s2"), PROJ10), one)
    assert seen == [1, 2, 3, 3] and len(list((tmp_path / "out").iterdir())) == 5


def test_a_frame_that_cannot_be_played_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sandboxes, "works", lambda sandbox, code="": not code)
    done = run(["grade", "--module", "--sandbox", "none", ROOT / "montana.py"])
    assert done.returncode == 2 and b"needs click: python -I cannot import it here" in done.stderr
