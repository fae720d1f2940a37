"""A submission cannot reach any other submission, or its row of the table."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

import helpers
from patience.grading import command
from patience.grading.box import boxes, runner, sandboxes
from patience.grading.report import tables
from helpers import ROOT, run
from in_process import PROJ10, alter, call_functions, read_programs
from boxed import needs_names, run_by_nobody

EVIL = {name: alter(*changes) for name, (_, changes) in read_programs("as nobody").items()}
needs_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() > 0, reason="needs root")


def test_a_link_is_not_followed_where_a_box_is_measured(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    assert runner.size_of(str(tmp_path), runner.ANY_SIZE)[1:] == (1, 0)


@pytest.fixture
def nobody_alone():
    """Let only one test at a time grade as the user nobody, because submissions run by that user can reach one
    another. Only root can."""
    if not run_by_nobody():
        pytest.skip("only root can run programs as nobody")
    import fcntl  # Windows has none

    with open(Path(tempfile.gettempdir(), "patience-tests-as-nobody.lock"), "w") as file:  # another run's tests, too
        fcntl.flock(file, fcntl.LOCK_EX)
        with sandboxes.cleaned_up(sandboxes.USER):  # or what a test fails to end would slow down all others
            yield


def grade_as_nobody(tmp_path, students):
    """Grade programs, name -> text, against one session, as the user nobody; return the process."""
    for name, text in students.items():
        path = tmp_path / "class" / name / "proj10.py"
        helpers.make_folder(path.parent)
        path.write_text(text, encoding="utf-8")
    sessions = helpers.make_folder(tmp_path / "sessions")
    for path in [*helpers.COURSE.glob("*.deck"), *helpers.COURSE.glob("montana-course2.*")]:
        shutil.copy(path, sessions)
    shutil.copytree(Path(click.__file__).parent, tmp_path / "lib" / "click")
    command = [run_by_nobody(), "-B", ROOT / "main.py", "grade", tmp_path / "class", "--sandbox", "user"]
    command += ["--sessions", sessions, "--feedback", tmp_path / "told", "--seconds", "1"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "lib")}
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=100)


# As the user nobody


def test_what_leaves_its_group_ends_with_its_submission(nobody_alone, tmp_path, monkeypatch):
    """One submission leaves a process that looks as if it had ended, and kills all it can; another leaves processes
    that fork without end. Here the system has no namespaces, which would end them all."""
    before = sandboxes.processes_of(sandboxes.nobody_of().pw_uid)
    stub = helpers.make_folder(tmp_path / "bin") / "unshare"
    stub.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", f"{stub.parent}:{os.environ['PATH']}")
    done = grade_as_nobody(tmp_path, {"adam": EVIL["hides"], "bob": PROJ10, "cyd": EVIL["forks"], "dan": PROJ10})
    assert "bob: 100 of 100" in done.stdout and "dan: 100 of 100" in done.stdout, done.stdout + done.stderr
    assert "cyd: It started more than 100 processes." in done.stderr
    assert sandboxes.processes_of(sandboxes.nobody_of().pw_uid) <= before


def test_as_nobody_a_submission_reads_and_ends_nothing_of_ours_and_leaves_nothing(nobody_alone, tmp_path):
    """Neither in folders for everybody nor in shared memory; and files without a name count, where root can mount."""
    ada, shared = tmp_path / "class" / "ada" / "proj10.py", Path("/proc/sysvipc/shm")
    before, processes = shared.read_text(encoding="utf-8"), sandboxes.processes_of(sandboxes.nobody_of().pw_uid)
    evil = {"bob": EVIL["reaches"].replace("ADA", str(ada)), "hal": EVIL["hides"], "lea": EVIL["leaves"]}
    evil["eve"] = alter(*read_programs("in a box")["to fill files without a name"][1])
    done = grade_as_nobody(tmp_path, {"ada": PROJ10, **evil, "zoe": PROJ10})
    told = {name: (tmp_path / "told" / f"{name}.txt").read_text(encoding="utf-8") for name in evil}
    assert "Sandbox: none, but a different user, nobody" in done.stderr
    assert "ada: 100 of 100 points, 100.0 %\nbob: 0 of 100" in done.stdout and "zoe: 100 of 100" in done.stdout
    assert "printed:  True [] ['cards.py', 'proj10.py']" in told["bob"] and ada.read_text(encoding="utf-8") == PROJ10
    assert not os.path.lexists("/tmp/left-by-nobody") and not os.path.lexists("/dev/shm/left-by-nobody")
    assert shared.read_text(encoding="utf-8") == before or not sandboxes.namespaces()
    with boxes.folder_of_boxes(1 << 20) as path:
        is_mounted = os.path.ismount(path)
    assert sandboxes.processes_of(sandboxes.nobody_of().pw_uid) <= processes
    assert not is_mounted or "No space left on device" in told["eve"] and "all written" not in told["eve"]


def test_what_is_left_behind_is_removed_without_being_opened(tmp_path):
    """A pipe would wait for its other end; and a link leads elsewhere."""
    kept = helpers.make_folder(tmp_path / "kept")
    os.mkfifo(tmp_path / "pipe"), os.symlink(kept, tmp_path / "link")
    helpers.make_folder(tmp_path / "deep" / "er"), os.mkfifo(tmp_path / "deep" / "pipe")
    for name in ("pipe", "link", "deep", "not there"):
        boxes.remove(tmp_path / name)
    assert os.listdir(tmp_path) == ["kept"] and kept.is_dir()


def test_no_signal_interrupts_a_removal(tmp_path, monkeypatch):
    monkeypatch.setattr(boxes.shutil, "rmtree", lambda path: (os.kill(os.getpid(), signal.SIGINT), os.rmdir(path)))
    folder = helpers.make_folder(tmp_path / "folder")
    with pytest.raises(KeyboardInterrupt):
        boxes.remove(folder)
    assert not folder.exists(), "Ctrl-C counts afterwards"


def test_who_all_run_as_nobody_run_one_at_a_time(monkeypatch):
    monkeypatch.setattr(sandboxes, "readable_by_nobody", lambda paths: None)
    assert command.describe_sandbox(sandboxes.USER, 4) == ("Sandbox: none, but a different user, nobody.", 1)
    assert command.describe_sandbox(sandboxes.BWRAP, 4) == ("Sandbox: bubblewrap.", 4)


def test_before_it_is_said_that_nobody_can_read_what_is_secret_it_is_tried(monkeypatch, tmp_path):
    """For all sessions and submissions, files and folders."""
    deck, tried = ROOT / "patience" / "grading" / "courses" / "montana" / "sessions" / "course.deck", []
    monkeypatch.setattr(subprocess, "run", lambda words, **_: tried.extend(words) or SimpleNamespace(returncode=1))
    assert sandboxes.readable_by_nobody([tmp_path / "ada.py"]) is None
    assert {str(deck), str(tmp_path / "ada.py")} <= {*tried}
    monkeypatch.undo()
    if sandboxes.works(sandboxes.USER):
        os.chmod(tmp_path, 0o700)
        assert sandboxes.readable_by_nobody([tmp_path]) != tmp_path
        found = sandboxes.readable_by_nobody([Path("/usr")])
        assert found == Path("/usr") or ROOT in found.parents


@needs_root
def test_two_graders_as_nobody_wait_for_each_other():
    told = []
    with sandboxes.one_at_a_time(sandboxes.USER, lambda: told.append("first")):
        waits = "from patience.grading.box import sandboxes\nwith sandboxes.one_at_a_time('user', lambda: print('waits', flush=True)): pass"
        second = subprocess.Popen([sys.executable, "-c", waits], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
        assert second.stdout.readline() == "waits\n" and second.poll() is None
    assert second.wait(helpers.SECONDS) == 0 and not told
    second.stdout.close()


@needs_root
def test_what_nobody_left_in_any_folder_for_everybody_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sandboxes, "FOR_EVERYBODY", [str(tmp_path)])
    inner, closed = helpers.make_folder(tmp_path / ".X11-unix"), helpers.make_folder(tmp_path / "closed")
    os.chmod(inner, 0o1777)
    for folder in (tmp_path, inner, closed):
        (folder / "left").write_text("sessions", encoding="utf-8")
        os.chown(folder / "left", 12345, 12345)
    found = {path for path in sandboxes.files_of(12345) if path.startswith(str(tmp_path))}
    assert found == {str(tmp_path / "left"), str(inner / "left")}


# Other answers


def test_the_order_of_calls_tells_nothing(tmp_path):
    """To a program that counts calls instead of looking at the tableau. The calls come in an order that depends on the
    submission, and is the same each time."""
    counts = "asked = []\ndef check_win(tableau):\n    asked.append(1)\n    return len(asked) <= 2\n"
    (part,) = call_functions(f"{PROJ10}\n{counts}", tmp_path, names=["check_win"])
    assert part.share < 1


# Names, and tables

NAMES = ["(maximum)", "_class", "=x", "'=x", "''", "(skipped) stray", " blank ", "@x", "ada"]


def test_a_name_is_a_key_and_stays_as_it_is(one, tmp_path):
    """Also of submissions without a program."""
    for name in NAMES:
        assert tables.unescape(tables.escape(name)) == name
    assert len({tables.escape(name) for name in NAMES}) == len(NAMES)
    for name in NAMES:
        helpers.make_folder(tmp_path / "class" / name)
    (tmp_path / "class" / "stray").write_text("x", encoding="utf-8")
    table, told = tmp_path / "grades.csv", tmp_path / "told"
    for option in ("--csv", "--merge"):
        done = run(["grade", tmp_path / "class", *one.split(), option, table, "--feedback", told, "--jobs", "1"])
        assert done.stdout.count(b"0 of 100") == len(NAMES)
        assert set(tables.read_table(table)) == {path.stem for path in told.glob("*.txt")} == set(NAMES)
    rows = list(csv.reader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert [row[0] for row in rows if row[0].startswith("(")] == ["(skipped) stray", "(maximum)"]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


@pytest.mark.parametrize("data, why", [
    (b"student,points\nada,1\nada,2\n", "it lists ada twice."),
    (b"student,points,adjust\nada,1,1e308\n", "ada: adjust is not a number of points: 1e308"),
    (b"student,points,maximum\n(maximum),1,x\n", "(maximum): maximum is not a number of points: x"),
    (b"student,points\nada," + b"1" * ((1 << 24) + 1) + b"\n", "field larger than field limit (16777216)"),
    (b"name;points\nada;1\n", "it is not a table of grades, which has the columns student and points."),
    (b"\xff\xfe\x00", "it is not UTF-16: save it as UTF-8."),
    (b"student,points\n\xe9,1\n", "it is not UTF-8: save it as UTF-8."),
])  # fmt: skip
def test_what_is_wrong_with_a_table_is_told_with_its_name(data, why, tmp_path):
    (tmp_path / "old.csv").write_bytes(data)
    with pytest.raises(ValueError) as error:
        tables.read_table(tmp_path / "old.csv")
    assert str(error.value) == f"{tmp_path}/old.csv: {why}"


@pytest.mark.parametrize("text, encoding", [
    ("student;points;adjust\nada;1;2\n", "utf-8-sig"), ("student\tpoints\tadjust\nada\t1\t2\n", "utf-16"),
    ("student,points,adjust\r\nada,1,2\r\n", "utf-8"),
])  # fmt: skip
def test_a_table_is_read_as_spreadsheets_write_it(text, encoding, tmp_path):
    (tmp_path / "old.csv").write_bytes(text.encode(encoding))
    assert tables.read_table(tmp_path / "old.csv")["ada"]["adjust"] == "2"


def test_the_table_is_written_while_the_class_is_graded(graded, one, tmp_path, monkeypatch):
    """After each tenth, so that a second Ctrl-C, or a power cut, leaves the results so far."""
    seen, write = [], command.Places.write_table

    def write_table(places, grades, skipped):
        seen.append(len(grades))
        write(places, grades, skipped)

    monkeypatch.setattr(command.Places, "write_table", write_table)
    graded({f"s{number}": {"notes.txt": ""} for number in range(20)}, one)
    assert seen == [*range(2, 21, 2), 20] and len(list((tmp_path / "out").iterdir())) == 21


@pytest.mark.parametrize("option", ["csv", "merge"])
def test_what_is_written_into_a_table_while_a_class_is_graded_stays(option, graded, one, tmp_path, monkeypatch):
    """The row of another grader, and points that a teacher gives by hand."""
    table, write = tmp_path / "table.csv", command.Places.write_table
    rows = [{"student": "zed", "id": "", "points": "9", "graded": "9", "maximum": "100"}]
    if option == "merge":
        with open(table, "w", encoding="utf-8") as file:
            tables.write_table(rows, file)

    def write_table(places, grades, skipped):
        write(places, grades, skipped)
        now = tables.read_rows(table)
        new = rows if not any(row["student"] == "zed" for row in now) else []
        for row in now:
            row["adjust"] = "3" if row["student"] == "s0" else row.get("adjust", "")
        with open(table, "w", encoding="utf-8") as file:
            tables.write_table([*now, *new], file)

    monkeypatch.setattr(command.Places, "write_table", write_table)
    folder = tmp_path / "class"
    for number in range(4):
        helpers.make_folder(folder / f"s{number}")
    helpers.run(["grade", folder, *one.split(), f"--{option}", table])
    monkeypatch.undo()
    found = tables.read_table(table)
    assert {*found} == {"zed", "s0", "s1", "s2", "s3"} and found["zed"]["points"] == "9"
    assert (found["s0"]["points"], found["s0"]["adjust"]) == ("3", "3")


@needs_names
def test_a_students_name_is_in_every_report_in_every_locale(tmp_path, one):
    (tmp_path / "Zoë 陈.py").write_text(PROJ10, encoding="utf-8")
    start = ["grade", tmp_path / "Zoë 陈.py", *one.split(), "--csv", tmp_path / "grades.csv"]
    report = ["--feedback", tmp_path / "told", "--json", tmp_path / "x"]
    done = helpers.run_process([*start, *report], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "grades.csv", tmp_path / "told" / "Zoë 陈.txt")
    table, feedback = (path.read_text(encoding="utf-8") for path in written)
    assert table.splitlines()[1].startswith('"Zoë 陈","","","100","100","100.0",')
    assert feedback.startswith("Zoë 陈: 100 of 100 points")
    assert "Zoë 陈: 100 of 100" in json.loads((tmp_path / "x").read_text(encoding="utf-8"))["output"]
