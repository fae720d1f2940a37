"""A submission cannot reach any other submission, the grader, or points that it did not earn."""

import csv
import io
import itertools
import os
import re

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

resource = pytest.importorskip("resource", reason="Windows has no limits")
import helpers
from grading.box import boxes, programs, sandboxes
from grading.courses import calls
from grading.judge import functions, grades
from grading.report import page, tables
from grading import submissions
from grading.box.runner import Runner
from helpers import ROOT, rules_of, run
from in_process import PROJ10
from test_grading import of_functions, graded, needs_sandbox, one, run_by_nobody  # noqa: F401  fixtures


def needs_nobody(test):
    """Mark a test that grades as the user nobody."""
    reason = "only root can run programs as nobody"
    return pytest.mark.usefixtures("nobody_alone")(pytest.mark.skipif(not run_by_nobody(), reason=reason)(test))


SLEEPS = "\nimport time\ndef check_win(tableau):\n    time.sleep(99)\n"


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


@needs_nobody
def test_what_is_left_in_folders_for_everybody_is_removed(tmp_path):
    text = "import os\nos.makedirs('/tmp/left-by-nobody/a')\nopen('/dev/shm/left-by-nobody', 'w').write('x')\n"
    grade_as_nobody(tmp_path, {"eve": text})
    assert not os.path.lexists("/tmp/left-by-nobody") and not os.path.lexists("/dev/shm/left-by-nobody")


MESSAGE = "import ctypes\nprint(ctypes.CDLL(None).shmget(4711, 4096, 0o1666))\n"


@needs_nobody
def test_nothing_is_left_in_shared_memory(tmp_path):
    if not sandboxes.namespaces():
        pytest.skip("root can make no namespaces here")
    with open("/proc/sysvipc/shm", encoding="utf-8") as file:
        before = file.read()
    grade_as_nobody(tmp_path, {"adam": MESSAGE})
    with open("/proc/sysvipc/shm", encoding="utf-8") as file:
        assert file.read() == before


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
def test_files_without_a_name_count_in_bubblewrap(graded, one):
    _, rows, told = graded({"eve": UNNAMED}, one, sandbox="bwrap")
    assert "No space left on device" in told["eve"] and "all written" not in told["eve"]


@needs_nobody
def test_files_without_a_name_count_where_root_can_mount(tmp_path):
    with boxes.folder_of_boxes(1 << 20) as path:
        if not os.path.ismount(path):
            pytest.skip("root cannot mount here")
    done = grade_as_nobody(tmp_path, {"eve": UNNAMED, "zoe": PROJ10})
    told = (tmp_path / "told" / "eve.txt").read_text()
    assert "No space left on device" in told and "all written" not in told and "zoe: 100 of 100" in done.stdout


@needs_sandbox
def test_what_is_left_in_a_box_of_its_own_is_told_and_the_status_too(graded, one):
    texts = {"files": "open('left.txt', 'w').write('x')\n", "status": "raise SystemExit(7)\n"}
    texts["time"] = "while True: pass\n"
    _, _, told = graded(texts, f"{one} --seconds 0.5", sandbox="bwrap")
    assert "It leaves files behind: left.txt." in told["files"] and "exit status 7" in told["status"]
    assert re.search("did not finish within (0.5 s of processor time|3 s)", told["time"])  # 3 s on a busy machine


def test_an_answer_that_is_too_large_is_not_read(graded):
    text = PROJ10 + "\ndef check_win(tableau):\n    return 'x' * (3 << 20)\n"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, rows, told = graded({"eve": text}, "--functions montana")
    assert "its answer is larger than 1 MB" in told["eve"] and 0 < of_functions(rows["eve"]) < 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (200 << 10), "kilobytes"


def test_a_file_of_a_box_has_a_size(graded, one):
    text = "with open('f', 'wb') as f:\n    f.truncate(65 << 20)\nprint('written')\n"
    _, _, told = graded({"eve": text}, one)
    assert "File too large" in told["eve"] and "printed:  written" not in told["eve"]


# Time


@pytest.mark.slow
def test_a_function_that_sleeps_costs_itself_alone(graded):
    _, rows, told = graded({"eve": PROJ10 + SLEEPS}, "--functions montana --seconds 0.1")
    assert "check_win() does not end in time, each time" in told["eve"]
    for name in ("shuffle_tableau()", "initialize()"):
        assert rows["eve"][name] == rows["(maximum)"][name] != "0"


COUNTS = """
asked = 0
def check_win(tableau):
    global asked
    asked += 1
    return asked <= 2
"""


@pytest.mark.slow
def test_the_order_of_calls_tells_nothing(graded):
    """To a program that counts calls instead of looking at the tableau. The calls about one position come in an order
    that depends on the submission, and is the same each time."""
    _, rows, _ = graded({"eve": PROJ10 + COUNTS}, "--functions montana")
    assert of_functions(rows["eve"]) < 95
    asked = calls.contract_calls(rules_of("klondike"))
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
    (tmp_path / "klondike.py").write_text(text)
    asked = [calls.Call("check_win", deal=seed, moves=(), side=False) for seed in (1, 2, 3)]
    with boxes.folder_of_boxes() as place, Runner(place, tmp_path) as runner:
        runner.use({"cards.py": ROOT / "cards.py"})
        _, found = programs.call(runner, functions.settings_of("klondike.py", asked, "klondike"), 2)
    assert "deck" not in str(found) and "0" in found[0]["error"], "lines of no length"


LOOKS_AHEAD = """

import gc
SEEN = [thing for thing in gc.get_objects() if isinstance(thing, dict) and thing.get("function") == "check_win"]
def check_win(tableau):
    return len([thing for thing in gc.get_objects() if isinstance(thing, dict) and "arguments" in thing]) > 1 or bool(SEEN)
"""


def test_nothing_of_other_calls_lies_in_a_submissions_memory(graded):
    _, rows, told = graded(
        {"eve": PROJ10.replace("\n\nif __name__", LOOKS_AHEAD + "\n\nif __name__")}, "--functions montana"
    )
    assert "check_win(tableau) returned False; it should be True" in told["eve"] and "returned True" not in told["eve"]


@pytest.mark.slow
def test_a_deck_of_ours_is_dealt_whatever_is_shuffled(tmp_path):
    """A correct module that shuffles twice, shuffles a list of cards, or has imported its Deck by name."""
    text = (
        (ROOT / "klondike.py")
        .read_text()
        .replace('if __name__ == "__main__":\n    from patience', "if 0:\n    from patience")
    )
    forms = {
        "twice": text.replace("deck.shuffle()\n", "deck.shuffle()\n    deck.shuffle()\n"),
        "list": text.replace("    deck = cards.Deck()\n    deck.shuffle()\n", "    import random\n    deck = Pile()\n").replace(
            "def initialize(", "class Pile(list):\n    def __init__(self):\n        import random\n        deck = cards.Deck()\n"
            "        super().__init__(deck.deal() for _ in range(52))\n        random.shuffle(self)\n"
            "    def deal(self):\n        return self.pop(0)\n\n\ndef initialize(", 1),
        "by name": text.replace("import cards\n", "import cards\nfrom cards import Deck\n", 1).replace("cards.Deck()", "Deck()"),
    }  # fmt: skip
    for name, form in forms.items():
        assert form != text
        helpers.make_folder(tmp_path / "class" / name).joinpath("klondike.py").write_text(form)
    done = run(["grade", tmp_path / "class", "--functions", "klondike", "--sandbox", "none"])
    assert done.stdout.decode().count("100 of 100 points") == len(forms), done.stdout.decode()


@pytest.mark.slow
def test_a_display_that_says_nothing_saves_no_points(tmp_path):
    """When the submission does not know the answer, it shows another board to keep the call from being reached."""
    text = (
        (ROOT / "klondike.py")
        .read_text()
        .replace('if __name__ == "__main__":\n    from patience', "if 0:\n    from patience")
    )
    cheat = text.replace("def display(game):\n", "def display(game):\n    return print('?')\n    def unused(): pass\n")
    assert cheat != text
    rule = cheat.index("def refusal(")
    cheat = cheat[:rule] + "def refusal(game, *_):\n    return None\n\n\ndef other_" + cheat[rule + 4 :]
    helpers.make_folder(tmp_path / "eve").joinpath("klondike.py").write_text(cheat)
    done = run(["grade", tmp_path / "eve", "--functions", "klondike", "--sandbox", "none"]).stdout.decode()
    points = float(re.search(r"eve: ([\d.]+) of", done)[1])
    assert points < 60, done


def test_a_line_of_quotation_marks_takes_no_time(graded, one):
    _, rows, _ = graded({"eve": "\\'" * 400_000, "ada": PROJ10}, one)
    assert rows["ada"]["points"] == "100" and rows["eve"]["points"] == "0"


@pytest.mark.slow
def test_folders_that_lie_very_deep_end_no_class(tmp_path):
    folder = helpers.make_folder(tmp_path / "class")
    for name in ("ada", "bob"):
        (folder / f"{name}.py").write_text(PROJ10)
    os.makedirs(place := str(folder / "eve"))
    for _ in range(1_100):
        place += "/d"
        os.mkdir(place)
    done = run(["grade", folder, "--functions", "montana"])
    boxes.remove(folder / "eve")  # pytest cannot
    assert b"bob: 100 of 100" in done.stdout and b"ada: 100 of 100" in done.stdout, done.stderr


def test_the_name_of_a_file_is_no_platforms_name(tmp_path):
    folder = helpers.make_folder(tmp_path / "class")
    for name in (
        "1001-9 - Bob - Nov 1, 2023 1201 PM - proj10.py",
        "1002-9 - Eve - Nov 1, 2023 1201 PM - x_1001_1_proj10.py",
    ):
        (folder / name).write_text(PROJ10)
    found, _ = submissions.find([folder], None, False, helpers.make_folder(tmp_path / "unpacked"))
    assert {one.student: one.id for one in found} == {"Bob": "1001", "Eve": "1002"}


# Names

NAMES = ["(maximum)", "_class", "=x", "'=x", "''", "(skipped) ada", " blank ", "@x", "ada"]


@pytest.mark.slow
def test_a_name_is_a_key_and_stays_as_it_is(tmp_path):
    for name in NAMES:
        assert tables.unescape(tables.escape(name)) == name
    assert len({tables.escape(name) for name in NAMES}) == len(NAMES)
    folder = helpers.make_folder(tmp_path / "class")
    for name in NAMES:
        (folder / f"{name}.py").write_text(PROJ10)
    (folder / "ada").write_text("stray")
    table, told = tmp_path / "grades.csv", tmp_path / "told"
    for options in (["--csv", table], ["--merge", table]):
        done = run(["grade", folder, "--functions", "montana", *options, "--feedback", told, "--jobs", "2"])
        assert done.stdout.count(b"100 of 100") == len(NAMES)
        assert set(tables.read_table(table)) == set(NAMES)
        assert {path.stem for path in told.glob("*.txt")} == set(NAMES)
    rows = list(csv.reader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert [row[0] for row in rows if row[0].startswith("(")] == ["(skipped) ada", "(maximum)"]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


@pytest.mark.parametrize("letter", ["\ue000", "\x01", "é"])
@pytest.mark.slow_cases("x01|ue000")
def test_a_name_of_any_letters_has_its_row_and_feedback(letter, tmp_path):
    folder = helpers.make_folder(tmp_path / "class")
    (folder / f"{letter * 62}.py").write_text(PROJ10)
    (folder / "ada.py").write_text(PROJ10)
    done = run(["grade", folder, "--functions", "montana", "--feedback", tmp_path / "told"])
    assert done.returncode == 0 and done.stdout.count(b"100 of 100") == 2
    assert len(list((tmp_path / "told").glob("*.txt"))) == 2


def test_a_feedback_that_cannot_be_written_ends_no_class(tmp_path):
    folder = helpers.make_folder(tmp_path / "class")
    for name in ("ada", "bob"):
        (folder / f"{name}.py").write_text(PROJ10)
    (helpers.make_folder(tmp_path / "told") / "ada.txt").mkdir()
    (tmp_path / "told" / "ada.txt" / "x").touch()
    done = run(["grade", folder, "--functions", "montana", "--feedback", tmp_path / "told"])
    assert b"The feedback for ada could not be written" in done.stderr and b"bob: 100 of 100" in done.stdout
    assert (tmp_path / "told" / "bob.txt").exists()


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
    (tmp_path / "ada.py").write_text(PROJ10)
    done = run(["grade", tmp_path / "ada.py", "--merge", tmp_path / "old.csv"])
    assert done.returncode == 2 and done.stderr.decode().splitlines()[-1] == f"Error: {tmp_path}/old.csv: {why}"


@pytest.mark.parametrize("text, encoding", [
    ("student;points;adjust\nada;1;2\n", "utf-8-sig"), ("student\tpoints\tadjust\nada\t1\t2\n", "utf-16"),
    ("student,points,adjust\r\nada,1,2\r\n", "utf-8"),
])  # fmt: skip
def test_a_table_is_read_as_spreadsheets_write_it(text, encoding, tmp_path):
    (tmp_path / "old.csv").write_bytes(text.encode(encoding))
    assert tables.read_table(tmp_path / "old.csv")["ada"]["adjust"] == "2"


def test_students_are_known_by_their_numbers_and_what_is_by_hand_counts_for_all(tmp_path):
    """One Bob does not replace another, and the same Bob keeps his row under a new name."""
    table = tmp_path / "grades.csv"
    (tmp_path / "any.in").write_text('# prompt: "> "\nq\n')
    (tmp_path / "any.out").write_text("> \n")
    for folder, names in (
        ("one", ["bob_11_1_p.py", "cyd_33_2_p.py"]),
        ("two", ["bob_22_3_p.py"]),
        ("three", ["rob_11_4_p.py"]),
    ):
        for name in names:
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text("print()\n")
        into = ["--merge" if table.exists() else "--csv", table]
        run(["grade", tmp_path / folder, *into, "--sessions", tmp_path, "--sandbox", "none"])
        text = table.read_text("utf-8-sig")
        if folder == "one":
            rows = list(csv.DictReader(io.StringIO(text)))
            rows[1]["adjust"] = "7"
            with open(table, "w", encoding="utf-8-sig") as file:
                tables.write_table(rows, file)
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(text))}
    assert {name: row["id"] for name, row in rows.items() if row["id"]} == {"bob": "11", "bob 22": "22", "cyd": "33"}
    assert rows["cyd"]["points"] == "7"


def test_points_by_hand_count_in_a_table_that_is_there(tmp_path):
    table = tmp_path / "grades.csv"
    table.write_text(
        "student,points,maximum,percent,graded,adjust\nada,90,100,90.0,90,-2.5\nbob,8,100,8.0,8,-9\ncid,7,100,7.0,,3\n"
        "(maximum),100,100,100.0,,\n"
    )
    assert run(["grade", "--merge", table]).stdout.decode().splitlines() == ["ada: 90 -> 87.5, -2.5", "bob: 8 -> 0, -8"]
    rows = {row["student"]: row for row in tables.read_rows(table)}
    assert [rows[name]["points"] for name in rows] == ["87.5", "0", "7", "100"] and rows["ada"]["percent"] == "87.5"
    assert b"No points have changed." in run(["grade", "--merge", table]).stdout


@pytest.mark.parametrize("text, options, status", [
    ("student,points,graded,adjust\nada,90,90,+4.5 extra\n", [], 2),
    ('student,points,graded,adjust\nada,90,90,"4,5"\n', [], 2),
    ("student,points,graded,adjust\nada,90,90,5\n", ["--feedback", "told"], 2),
    ("student;points;graded;adjust\nada;90,5;90,5;4,5\n", [], 0),
])  # fmt: skip
def test_points_by_hand_that_are_none_are_one_line(text, options, status, tmp_path):
    (tmp_path / "grades.csv").write_text(text)
    done = run(["grade", "--merge", "grades.csv", *options], "", tmp_path)
    assert done.returncode == status and b"Traceback" not in done.stderr
    assert status or done.stdout == b"ada: 90.5 -> 95, +4.5\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_sessions_are_read_as_windows_writes_them(encoding, tmp_path):
    for path in (ROOT / "grading" / "courses" / "montana" / "sessions").glob("*c[ao][pu]*"):  # course and capitals
        data = path.read_bytes()
        as_written = data.decode().replace("\n", "\r\n").encode(encoding)
        (tmp_path / path.name).write_bytes(data if path.suffix == ".deck" else as_written)
    (tmp_path / "ada.py").write_text(PROJ10)
    assert run(["grade", tmp_path / "ada.py", "--sessions", tmp_path]).returncode == 0


# What is a submission


def test_a_folder_with_one_program_is_a_submission(tmp_path):
    folder = helpers.make_folder(tmp_path / "dan")
    (folder / "proj10.py").write_text(PROJ10)
    (folder / "words.txt").write_text("words")
    (folder / "data").mkdir()
    done = run(["grade", folder, "--functions", "montana"])
    assert done.stdout.startswith(b"dan: 100 of 100") and b"skipped" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("extra", [".git", "env"])
def test_files_that_are_not_the_students_own_do_not_count(extra, tmp_path):
    folder = helpers.make_folder(tmp_path / "dan")
    (folder / "proj10.py").write_text(PROJ10)
    many = helpers.make_folder(folder / extra / "many")
    (folder / "env" / "pyvenv.cfg").touch() if extra == "env" else None
    for number in range(boxes.MAX_FILES + 1):
        (many / str(number)).touch()
    assert run(["grade", folder, "--functions", "montana"]).stdout.startswith(b"dan: 100 of 100")


@pytest.mark.parametrize("words", ["input ('x')", "__name__", "stdin"])
def test_what_stands_in_a_string_is_no_program(words, graded, one):
    six = PROJ10.partition("def main")[0]
    text = f'"""A module that does not call {words}."""\n{six}\nNOTE = "{words}"  # {words}\n'
    _, rows, told = graded({"ada": text}, one)
    assert rows["ada"]["points"] == "100", told["ada"]


@pytest.mark.slow
def test_a_zip_of_very_many_files_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "eve.zip", "w") as file:
        for number in range(submissions.MAX_FILES + 1):
            file.writestr(str(number), "")
    assert b"it is too large" in run(["grade", tmp_path / "eve.zip", "--functions", "montana"]).stdout


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_that_takes_any_memory_is_not_unpacked(method, tmp_path):
    with zipfile.ZipFile(tmp_path / "eve.zip", "w", method) as file:
        file.writestr("proj10.py", PROJ10)
    assert b"packed in a way that would take too much memory" in run(["grade", tmp_path / "eve.zip"]).stdout


# The page


def test_a_name_is_text_in_the_page_of_the_class(tmp_path):
    folder = helpers.make_folder(tmp_path / "class")
    for name in ("<script>alert(1)<&script>", "ada"):
        (folder / f"{name}.py").write_text("print('<b>bold')\n")
    run(["grade", folder, "--functions", "montana", "--feedback", tmp_path / "told"])
    page = (tmp_path / "told" / "_class.html").read_text()
    assert "<script" not in page and "<b>" not in page and "&lt;script&gt;" in page


def test_the_page_shows_the_class_in_two_orders_its_causes_and_whom_to_look_at():
    part = grades.Part("move()", {"": (1, 2)}, 10, groups=["move: a 2"], lines=["move() fails"])
    of_class = [
        grades.Grade(submissions.Submission(name, None, "a.py", ""), parts, failure=failure)
        for name, parts, failure in (
            ("ada", [grades.Part("move()", {"": (2, 2)}, 10)], ""), ("bob", [part], ""),
            ("cid", [grades.Part("move()", {}, 10)], "Your program does not start: line 1."),
        )
    ]  # fmt: skip
    text = page.page_of(of_class)
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
def test_the_rights_of_devices_are_as_they_were_behind_bubblewrap(graded, one):
    """The permissions of a device that hardly anything needs; those of system information cannot be changed."""
    mode = os.stat("/dev/full").st_mode
    text = "import os\nfor path in ('/proc/version', '/dev/full'):\n"
    text += "    try: os.chmod(path, 0o600)\n    except OSError: print('no')\n"
    _, _, told = graded({"eve": text}, one, sandbox="bwrap")
    assert os.stat("/dev/full").st_mode == mode and "printed:  no" in told["eve"]


@needs_sandbox
def test_a_submission_has_no_rights_of_root_in_bubblewrap(graded, one):
    text = "print([line for line in open('/proc/self/status') if line.startswith('CapEff')])\n"
    _, _, told = graded({"eve": text}, one, sandbox="bwrap")
    assert "CapEff:\\t0000000000000000" in told["eve"]


@pytest.mark.parametrize("error, is_own", [
    (MemoryError(), True), (OSError(24, "Too many open files"), True), (OSError(2, "No such file"), False)
])  # fmt: skip
def test_lack_of_memory_or_handles_is_not_the_submissions_fault(error, is_own, tmp_path, monkeypatch):
    (tmp_path / "ada.py").write_text(PROJ10)

    def fails(*_):
        raise error

    monkeypatch.setattr(Runner, "execute", fails)
    for name in ("calls_of", "answers_of"):
        monkeypatch.setattr(functions, name, lambda *_: [])
    done = run(["grade", tmp_path / "ada.py", "--jobs", "1"])
    assert done.returncode == (3 if is_own else 1) and (b"is not graded" in done.stderr) == is_own
    assert sys.platform != "linux" or b"Traceback" not in done.stderr


def test_where_no_process_can_be_started_it_is_not_the_submissions_fault(monkeypatch):
    from grading.box import runner

    fails = ["sh", "-c", 'echo "bwrap: Can\'t fork for pid 1" >&2; exit 1']
    monkeypatch.setattr(runner, "sandbox_words", lambda *_: fails)
    with boxes.folder_of_boxes() as place, Runner(place, ROOT / "tests" / "proj10.py") as own:
        with pytest.raises(BlockingIOError) as error:
            programs.run(own.use({}), {"file": "proj10.py", "arguments": [], "seed": 1, "deck": None}, b"q\n", 5)
    assert boxes.is_own(error.value), "so it is tried again, and not graded"


def test_what_a_program_has_read_is_no_reason_why_it_does_not_start(tmp_path):
    """Because the reason is shown for hidden sessions too."""
    (tmp_path / "ada.py").write_text('import sys\nprint("\\0start " + sys.stdin.read())\n')
    with boxes.folder_of_boxes() as place, Runner(place, tmp_path) as own:
        settings = {"file": "ada.py", "arguments": [], "seed": 1, "deck": None}
        own.use({"cards.py": ROOT / "cards.py"})
        assert "secret" in "".join(programs.run(own, settings, b"secret\n", 5).pieces)
