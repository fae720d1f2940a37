"""A submission cannot reach any other submission, the grader, or points that it did not earn."""

import csv
import io
import itertools
import os
import re

import shutil
import subprocess
from pathlib import Path

import click
import pytest

resource = pytest.importorskip("resource", reason="Windows has no limits")
import helpers
from grading.box import boxes, sandboxes
from grading.courses import calls
from grading.judge import functions, grades
from grading.report import page, tables
from grading import submissions
from helpers import ROOT, run
from in_process import PROJ10, call_functions, course
from boxed import call_in_box, needs_sandbox, output_in_box, run_by_nobody, run_in_box


def needs_nobody(test):
    """Mark a test that grades as the user nobody."""
    reason = "only root can run programs as nobody"
    return pytest.mark.usefixtures("nobody_alone")(pytest.mark.skipif(not run_by_nobody(), reason=reason)(test))


def nobodys():
    """Return the processes of the user nobody."""
    return sandboxes.processes_of(sandboxes.nobody_of().pw_uid)


def grade_as_nobody(tmp_path, students, *options):
    """Grade programs, name -> text, against one session, as the user nobody; return the process."""
    for name, text in students.items():
        path = tmp_path / "class" / name / "proj10.py"
        helpers.make_folder(path.parent)
        path.write_text(text)
    sessions = helpers.make_folder(tmp_path / "sessions")
    for path in [*helpers.COURSE.glob("*.deck"), *helpers.COURSE.glob("montana-course2.*")]:
        shutil.copy(path, sessions)
    shutil.copytree(Path(click.__file__).parent, tmp_path / "lib" / "click")
    command = [run_by_nobody(), "-B", ROOT / "main.py", "grade", tmp_path / "class", "--sandbox", "user"]
    command += ["--sessions", sessions, "--feedback", tmp_path / "told", *options]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "lib")}
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=100)


# As the user nobody

LEAVES_ITS_GROUP = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            for name in os.listdir("/proc"):
                if name.isdigit() and int(name) != os.getpid():
                    try: os.kill(int(name), signal.SIGKILL)
                    except OSError: pass
    os._exit(0)
time.sleep(0.2)
"""
HIDES = """
import ctypes, os, signal, threading, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        def live():
            for _ in range(2000):
                for name in os.listdir("/proc"):
                    if name.isdigit() and int(name) != os.getpid():
                        try: os.kill(int(name), signal.SIGKILL)
                        except OSError: pass
                time.sleep(0.005)
            os._exit(0)
        threading.Thread(target=live).start()
        ctypes.CDLL(None).syscall(60, 0)
    os._exit(0)
time.sleep(0.3)
"""
FORKS = """
import os
os.setpgid(0, 0)
for _ in range(12):
    if os.fork() == 0:
        os.setsid()
        while True:
            try:
                if os.fork() == 0: os.setsid()
            except OSError: pass
"""


@needs_nobody
@pytest.mark.parametrize("has_namespaces", [True, False])
@pytest.mark.parametrize("text", [LEAVES_ITS_GROUP, FORKS, HIDES], ids=["kills", "forks", "hides"])
@pytest.mark.slow_cases("True|forks")
def test_what_leaves_its_group_ends_with_its_submission(text, has_namespaces, tmp_path, monkeypatch):
    before = nobodys()
    if not has_namespaces:
        stub = helpers.make_folder(tmp_path / "bin") / "unshare"
        stub.write_text("#!/bin/sh\nexit 1\n")
        stub.chmod(0o755)
        monkeypatch.setenv("PATH", f"{stub.parent}:{os.environ['PATH']}")
    done = grade_as_nobody(tmp_path, {"adam": text, "bob": PROJ10, "cyd": PROJ10})
    assert "bob: 100 of 100" in done.stdout and "cyd: 100 of 100" in done.stdout, done.stdout + done.stderr
    assert nobodys() <= before


LEFT = (
    "import ctypes, os\nos.makedirs('/tmp/left-by-nobody/a')\nopen('/dev/shm/left-by-nobody', 'w').write('x')\n"
    "ctypes.CDLL(None).shmget(4711, 4096, 0o1666)\n"
)


@needs_nobody
def test_what_is_left_in_folders_for_everybody_and_in_shared_memory_is_removed(tmp_path):
    shared = Path("/proc/sysvipc/shm")
    before = shared.read_text(encoding="utf-8")
    grade_as_nobody(tmp_path, {"eve": LEFT})
    assert not os.path.lexists("/tmp/left-by-nobody") and not os.path.lexists("/dev/shm/left-by-nobody")
    assert shared.read_text(encoding="utf-8") == before or not sandboxes.namespaces()


@pytest.mark.slow
@needs_nobody
def test_as_nobody_a_submission_reads_and_ends_nothing_of_ours(tmp_path):
    ada = tmp_path / "class" / "ada" / "proj10.py"
    eve = (
        "import os\nprint(os.getuid() > 0, os.getgroups(), os.listdir('.'))\n"
        f"try: print(open({str(ada)!r}).read())\nexcept OSError as error: print(error.strerror)\n"
        "try: os.kill(os.getppid(), 9)\nexcept OSError as error: print(error.strerror)\n"
    )
    done = grade_as_nobody(tmp_path, {"ada": PROJ10, "eve": eve})
    assert "Sandbox: none, but a different user, nobody" in done.stderr
    assert "ada: 100 of 100 points, 100.0 %\neve: 0 of 100 points" in done.stdout
    assert "printed:  True [] ['cards.py', 'proj10.py']" in (tmp_path / "told" / "eve.txt").read_text()
    assert ada.read_text() == PROJ10


# Space

UNNAMED = """
import os
files = []
for number in range(20):
    files.append(open(f"f{number}", "wb"))
    os.remove(f"f{number}")
    for _ in range(10): files[-1].write(bytes(1 << 20))
    files[-1].flush()
print("all written")
"""


@needs_sandbox
def test_files_without_a_name_count_in_bubblewrap():
    run = run_in_box(UNNAMED, sandboxes.BWRAP)
    assert "No space left on device" in run.errors and run.pieces == [""]


@needs_nobody
def test_files_without_a_name_count_where_root_can_mount(tmp_path):
    with boxes.folder_of_boxes(1 << 20) as path:
        if not os.path.ismount(path):
            pytest.skip("root cannot mount here")
    done = grade_as_nobody(tmp_path, {"eve": UNNAMED, "zoe": PROJ10})
    told = (tmp_path / "told" / "eve.txt").read_text()
    assert "No space left on device" in told and "all written" not in told and "zoe: 100 of 100" in done.stdout


@needs_sandbox
@pytest.mark.parametrize("text, told", [
    ("open('left.txt', 'w').write('x')\n", r"It leaves files behind: left\.txt\."),
    ("raise SystemExit(7)\n", r"It ends with exit status 7\."),
    ("while True: pass\n", r"It did not finish within (0\.5 s of processor time|3 s)\."),  # 3 s on a busy machine
])  # fmt: skip
def test_what_is_left_in_a_box_of_its_own_is_told_and_the_status_too(text, told):
    (remark,) = run_in_box(text, sandboxes.BWRAP, seconds=0.5).remarks
    assert re.fullmatch(told, remark)


def test_an_answer_that_is_too_large_is_not_read(graded):
    text = PROJ10 + "\ndef check_win(tableau):\n    return 'x' * (3 << 20)\n"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, rows, told = graded({"eve": text}, "--functions montana")
    assert "its answer is larger than 1 MB" in told["eve"] and 0 < float(rows["eve"]["percent"]) < 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (200 << 10), "kilobytes"


def test_a_file_of_a_box_has_a_size():
    run = run_in_box("with open('f', 'wb') as f:\n    f.truncate(65 << 20)\nprint('written')\n")
    assert "File too large" in run.errors and run.pieces == [""]


# Time


COUNTS = """
asked = 0
def check_win(tableau):
    global asked
    asked += 1
    return asked <= 2
"""


def test_the_order_of_calls_tells_nothing(tmp_path):
    """To a program that counts calls instead of looking at the tableau. The calls about one position come in an order
    that depends on the submission, and is the same each time."""
    (part,) = call_functions(PROJ10 + COUNTS, tmp_path, names=["check_win"])
    assert part.share < 1
    asked = [calls.Call("move", deal=deal, moves=(("D",),) * n) for _ in range(4) for deal in (1, 2) for n in range(5)]
    first, again, second = (functions.shuffled(asked, range(len(asked)), seed) for seed in ("one", "one", "two"))
    assert first == again != second and sorted(first) == list(range(len(asked)))
    together = [place for place, _ in itertools.groupby((asked[number].deal, asked[number].moves) for number in first)]
    assert len(together) == len({*together}), "one position at a time"


READS_AHEAD = """
import gc, json, os

READ = []
def check_win(game):
    for settings in gc.get_objects() if not READ else ():
        if isinstance(settings, dict) and "pipes" in settings:
            wants, gives = settings["pipes"]
            os.set_blocking(gives, False)
            for _ in range(settings["calls"]):
                os.write(wants, b"\\n")
            import time
            time.sleep(0.2)
            try:
                READ.append(os.read(gives, 1 << 20).decode())
            except BlockingIOError:
                pass
            raise ValueError("".join(READ) or "nothing")
    return False
"""


def test_a_call_is_given_once_the_one_before_is_answered(tmp_path):
    text = (ROOT / "klondike.py").read_text().replace("def check_win(", "def own_check_win(") + READS_AHEAD
    asked = [calls.Call("check_win", deal=seed, moves=(), side=False) for seed in (1, 2, 3)]
    _, found = call_in_box(text, asked, tmp_path, 2)
    assert "deck" not in str(found) and "0" in found[0]["error"], "lines of no length"


LOOKS_AHEAD = """

import gc
SEEN = [thing for thing in gc.get_objects() if isinstance(thing, dict) and thing.get("function") == "check_win"]
def check_win(tableau):
    return len([thing for thing in gc.get_objects() if isinstance(thing, dict) and "arguments" in thing]) > 1 or bool(SEEN)
"""


def test_nothing_of_other_calls_lies_in_a_submissions_memory(tmp_path):
    _, found = call_in_box(LOOKS_AHEAD, [calls.Call("check_win", rows=[[(2, 1)]]) for _ in range(3)], tmp_path)
    assert [answer.get("value") for answer in found] == [False] * 3


@pytest.mark.slow
def test_folders_that_lie_very_deep_end_no_class(graded, one, tmp_path):
    os.makedirs(place := str(tmp_path / "class" / "eve"))
    for _ in range(1_100):
        place += "/d"
        os.mkdir(place)
    done, _, _ = graded({"ada": PROJ10, "bob": PROJ10}, one)
    boxes.remove(tmp_path / "class" / "eve")  # pytest cannot
    assert b"bob: 100 of 100" in done.stdout and b"ada: 100 of 100" in done.stdout, done.stderr


# Names

NAMES = ["(maximum)", "_class", "=x", "'=x", "''", "(skipped) ada", " blank ", "@x", "ada"]


@pytest.mark.slow
def test_a_name_is_a_key_and_stays_as_it_is(one, tmp_path):
    for name in NAMES:
        assert tables.unescape(tables.escape(name)) == name
    assert len({tables.escape(name) for name in NAMES}) == len(NAMES)
    folder = helpers.make_folder(tmp_path / "class")
    for name in NAMES:
        (folder / f"{name}.py").write_text(PROJ10)
    (folder / "ada").write_text("stray")
    table, told = tmp_path / "grades.csv", tmp_path / "told"
    for options in (["--csv", table], ["--merge", table]):
        done = run(["grade", folder, *one.split(), *options, "--feedback", told, "--jobs", "2"])
        assert done.stdout.count(b"100 of 100") == len(NAMES)
        assert set(tables.read_table(table)) == set(NAMES)
        assert {path.stem for path in told.glob("*.txt")} == set(NAMES)
    rows = list(csv.reader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert [row[0] for row in rows if row[0].startswith("(")] == ["(skipped) ada", "(maximum)"]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_a_name_of_any_letters_has_its_row_and_feedback_and_reaches_no_terminal(graded, one, tmp_path):
    names = ["\ue000" * 62, "\x01" * 62, "é" * 62, "a\r=1+1", "b\x1b[31mred"]
    folder = helpers.make_folder(tmp_path / "class")
    for name in names:
        (folder / f"{name}.py").write_text(PROJ10)
    done, _, told = graded({}, one)
    table = (tmp_path / "grades.csv").read_bytes()
    assert done.returncode == 0 and done.stdout.count(b"100 of 100") == len(told) == len(names)
    assert b"\r" not in table and b"\x1b" not in table + done.stdout and b"a\\r=1+1,,,100" in table


def test_a_feedback_that_cannot_be_written_ends_no_class(graded, one, tmp_path):
    (helpers.make_folder(tmp_path / "out" / "ada.txt") / "x").touch()
    done, rows, told = graded({"ada": PROJ10, "bob": PROJ10}, one)
    assert b"The feedback for ada could not be written" in done.stderr
    assert rows["bob"]["points"] == "100" and "bob" in told


@pytest.mark.parametrize("data, why", [
    (b"student,points\nada,1\nada,2\n", "ada is in it twice."),
    (b"student,points,adjust\nada,1,1e308\n", "ada: adjust is not a number of points: 1e308"),
    (b"student,points\nada," + b"1" * (1 << 25) + b"\n", "field larger than field limit (16777216)"),
    (b"name;points\nada;1\n", "it is not a table of grades: the columns student and points are missing."),
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


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_sessions_are_read_as_windows_writes_them(encoding, tmp_path):
    for path in helpers.COURSE.iterdir():
        data = path.read_bytes()
        as_written = data.decode().replace("\n", "\r\n").encode(encoding)
        (tmp_path / path.name).write_bytes(data if path.suffix == ".deck" else as_written)
    assert [one._replace(deal=None) for one in course(tmp_path)] == [one._replace(deal=None) for one in course()]


# What is a submission


@pytest.mark.parametrize("extra", [".git", "env"])
def test_files_that_are_not_the_students_own_do_not_count(extra, tmp_path, monkeypatch):
    monkeypatch.setattr(boxes, "MAX_FILES", 3)
    folder, box = helpers.make_folder(tmp_path / "dan"), helpers.make_folder(tmp_path / "box")
    (folder / "proj10.py").write_text(PROJ10)
    many = helpers.make_folder(folder / extra / "many")
    (folder / "env" / "pyvenv.cfg").touch() if extra == "env" else None
    for number in range(4):
        (many / str(number)).touch()
    boxes.copy_submission(folder, box)
    assert [path.name for path in box.iterdir()] == ["proj10.py"]


def test_what_stands_in_a_string_is_no_program(graded, one):
    six, words = PROJ10.partition("def main")[0], "input ('x') __name__ stdin"
    text = f'"""A module that does not call {words}."""\n{six}\nNOTE = "{words}"  # {words}\n'
    _, rows, told = graded({"ada": text}, one)
    assert rows["ada"]["points"] == "100", told["ada"]


# The page


def test_the_page_shows_the_class_in_two_orders_its_causes_and_whom_to_look_at():
    part = grades.Part("move()", {"": (1, 2)}, 10, groups=["move: a 2"], lines=["move() fails"])
    part.difference = grades.Difference("at once", "x\n", "<b>bold\n")
    of_class = [
        grades.Grade(submissions.Submission(name, None, "a.py", ""), parts, failure=failure)
        for name, parts, failure in (
            ("<script>", [grades.Part("move()", {"": (2, 2)}, 10)], ""), ("bob", [part], ""),
            ("cid", [grades.Part("move()", {}, 10)], "Your program does not start: line 1."),
        )
    ]  # fmt: skip
    text = page.page_of(of_class)
    assert "<script" not in text and "<b>" not in text and "&lt;script&gt;" in text
    orders = [re.findall("#s([0-9])", order) for order in re.findall('class="wide .*?</table>', text, re.DOTALL)]
    assert orders == [["2", "1", "0"], ["0", "1", "2"]]
    cells = re.findall('<td class="(s[0-9])">([^<]*)</td>', text)[: 2 * len(of_class)]
    assert cells == [("s0", "0"), ("s0", "0"), ("s2", "5"), ("s2", "5"), ("s5", "10"), ("s5", "10")]
    assert "Look at these by hand:\n  cid: Your program does not start: line 1." in text
    assert page.causes_of(of_class) == [("move: a 2", ["bob"]), ("Your program does not start", ["cid"])]
    assert "move: a 2: bob<" in text
    assert [*map(int, re.findall('count">([0-9]+)', text))][:10] == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert page.BESIDES not in text
    of_class[1].adjust = -2.5
    text = page.page_of(of_class)
    assert (
        f"<span>{page.BESIDES}</span>" in text and text.count("<td>-2.50</td>") == 2 == text.count("<td>+0.00</td>") / 2
    )


def test_causes_are_counted_across_sessions():
    parts = [grades.Part(f"montana-{number}", {"move": (1, 2)}, 10) for number in range(4)]
    of_class = [grades.Grade(submissions.Submission(name, None, "a.py", ""), parts) for name in "abcde"]
    assert page.causes_of(of_class) == [("move, in montana-0, montana-1 and 2 more", [*"abcde"])]
    assert (
        page.summarize_class(of_class)[1] == "   5 of 5: move, in montana-0, montana-1 and 2 more: a, b, c and 2 more"
    )


# Rights


@needs_sandbox
def test_the_rights_of_devices_are_as_they_were_behind_bubblewrap():
    """The permissions of a device that hardly anything needs; those of system information cannot be changed."""
    mode = os.stat("/dev/full").st_mode
    text = "import os\nfor path in ('/proc/version', '/dev/full'):\n"
    text += "    try: os.chmod(path, 0o600)\n    except OSError: print('no')\n"
    assert output_in_box(text, sandboxes.BWRAP).startswith("no\n") and os.stat("/dev/full").st_mode == mode


def test_where_no_process_can_be_started_it_is_not_the_submissions_fault(monkeypatch):
    from grading.box import runner

    fails = ["sh", "-c", 'echo "bwrap: Can\'t fork for pid 1" >&2; exit 1']
    monkeypatch.setattr(runner, "sandbox_words", lambda *_: fails)
    with pytest.raises(BlockingIOError) as error:
        run_in_box("print()\n")
    assert boxes.is_own(error.value), "so it is tried again, and not graded"


def test_what_a_program_has_read_is_no_reason_why_it_does_not_start():
    """Because the reason is shown for hidden sessions too."""
    run = run_in_box('import sys\nprint("\\0start " + sys.stdin.read())\n', typed=b"secret\n")
    assert "secret" in "".join(run.pieces)
