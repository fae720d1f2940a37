"""The grade command, as a teacher uses it: a class, its causes and page, sessions, the sandbox, cheats, other systems."""

import contextlib
import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import click
import pytest

import forms
import helpers
from grading import command
from grading.submissions import Submission
from grading.box import boxes, sandboxes
from grading.courses import calls
from grading.judge import grades
from grading.report import page
from helpers import ROOT, run
from boxed import call_in_box, needs_sandbox
from in_process import OF_POINTS, PROJ10, alter, course, read_programs

OWN_MODULES = ["json", "select", "signal", "re", "enum", "traceback", "warnings", "time"]
DOES, CHEATS, EVIL = (read_programs(kind) for kind in ("does", "cheats", "evil"))


# A class


def test_whatever_programs_of_a_class_do_each_is_graded_and_the_feedback_says_it(graded, one, tmp_path):
    students = {name: alter(*changes) for name, (_, changes) in DOES.items()}
    students["helper"] = {"proj10.py": students["helper"], "helper.py": "def check():\n    return 1 / 0\n"}
    done, rows, texts = graded(students, f"{one} --seconds 0.6 --program proj10.py", jobs=2)
    for name, (pattern, _) in DOES.items():
        assert re.search(pattern, texts[name], re.DOTALL), texts[name]
        assert "inside" not in texts[name] and "/tmp" not in texts[name]
    assert done.returncode == 1 and list(rows)[-1] == "(maximum)" and len(rows) == len(DOES) + 1
    assert {name for name, row in rows.items() if row["points"] == "100"} == {
        "right", "sleeps", "leaves-a-child", "leaves-a-file", "by-lines", "windows", "no-main", "(maximum)"}  # fmt: skip
    shown = (tmp_path / "out" / "_class.md").read_text()
    assert (
        f"{len(DOES)} submissions" in shown
        and ": shuffle, in montana-course2" in shown
        and shown in done.stderr.decode()
    )
    page = (tmp_path / "out" / "_class.html").read_text()
    assert page.count("<h2 id") == len(DOES) and "expected" in page and "<script" not in page


def asks(how):
    """Return the beginning of a program whose input() reads differently."""
    return f"import sys, random\n\n\ndef input(prompt=''):\n    print(prompt, end='')\n    return {how}\n\n\n"


OF_STYLE = re.compile(r"(Global variables are used in functions: \w+\. ?)?(These functions have no docstring: \w+\.)?")
READERS = {
    "by lines": asks("next(sys.stdin).rstrip('\\n')"),
    "by readline": asks("sys.stdin.readline().rstrip('\\n')"),
    "at once": f"import sys\nlines = iter(sys.stdin.read().split('\\n'))\n{asks('next(lines)')}",
    "all lines": f"import sys\nlines = iter(sys.stdin.readlines())\n{asks('next(lines).strip()')}",
    "bytes": asks("sys.stdin.buffer.readline().decode().rstrip('\\n')"),
    "all bytes": f"import sys\nlines = iter(sys.stdin.buffer.read().decode().split('\\n'))\n{asks('next(lines)')}",
    "fileinput": f"import fileinput\nlines = fileinput.input()\n{asks('next(lines).strip()')}",
    "with": f"import sys\nwith sys.stdin as stdin:\n    lines = iter(list(stdin))\n{asks('next(lines).strip()')}",
    "detached": f"import io, sys\nlines = io.TextIOWrapper(sys.stdin.detach(), 'utf-8')\n{asks('next(lines).strip()')}",
    "a thread": "import random, threading\n",
    "a thread alone": "import random, threading\n",
    "asyncio": "import asyncio, random\n",
    "reconfigure": "import random, sys\nsys.stdin.reconfigure(encoding='utf-8')\nsys.stdout.reconfigure(encoding='utf-8', line_buffering=True)\n",
    "a writer": "import codecs, random, sys\nsys.stdout = codecs.getwriter('utf-8')(sys.stdout.detach())\n",
    "a wrapper": "import io, random, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, 'utf-8', write_through=True)\n",
    "readline": "import random, readline\n",
    "builtins": "import builtins, random\ninput = builtins.input\n",
    "own buffer": "import functools, random, sys\nout = open(1, 'w', 2000, closefd=False)\nprint = functools.partial(print, file=out)\n"
    "def input(prompt):\n    print(prompt, end='')\n    return sys.stdin.readline().rstrip('\\n')\n",
    "flushes": "import functools, random\nprint = functools.partial(print, flush=True)\n",
    "subprocess": "import random, subprocess, sys\nsubprocess.run([sys.executable, '-c', 'pass'], stdin=subprocess.DEVNULL)\n",
}
NO_FLUSH = "import random, sys\nclass Out:\n    def write(self, text):\n        sys.__stdout__.write(text)\nsys.stdout = Out()\n"
CALLS = {
    "a thread": "thread = threading.Thread(target=main)\n    thread.start()\n    thread.join()",
    "a thread alone": "threading.Thread(target=main).start()",
    "asyncio": "asyncio.run(asyncio.wait_for(asyncio.to_thread(main), 60))",
}


def test_a_right_program_has_all_points_in_sessions_and_in_functions_whatever_else_it_does(graded, one):
    """It sets up standard output, or seeds; it has modules of its own with names of ours; it asks for input only in a
    string."""
    heads = {**{name: READERS[name] for name in ("reconfigure", "a writer", "a wrapper")}, "no flush": NO_FLUSH}
    students = {name: alter("import random\n", text) for name, text in heads.items()}
    students["seeds"] = alter("    deck = ", "    random.seed(4)\n    deck = ")
    own = {f"{name}.py": "raise RuntimeError('taken')\n" for name in OWN_MODULES}
    students["own"] = {"proj10.py": PROJ10, **own, "cards.cpython-311-x86_64-linux-gnu.so": "no library"}
    six, words = PROJ10.partition("def main")[0], "input ('x') __name__ stdin"
    students["six"] = f'"""A module that does not call {words}."""\n{six}\nNOTE = "{words}"  # {words}\n'
    _, rows, told = graded(students, f"{one} --functions montana --program proj10.py", jobs=2)
    for name in students:
        assert rows[name]["points"] == "100", told[name]


@pytest.mark.slow
def test_a_program_that_prints_what_it_should_has_all_points_however_it_reads_and_writes(graded, one):
    students = {
        name: alter("import random\n", text).replace('__":\n    main()', f'__":\n    {CALLS.get(name, "main()")}')
        for name, text in READERS.items()
    }
    _, rows, told = graded(students, f"{one} --functions montana", jobs=2)
    for name in READERS:
        assert rows[name]["points"] == "100" and OF_STYLE.fullmatch(rows[name]["remarks"]), told[name]


def test_every_student_has_a_row_whatever_the_name_and_the_files(graded, tmp_path, one):
    """Damaged zip files, deep folders, links, a file that is too large, a feedback that cannot be written."""
    folder = helpers.make_folder(tmp_path / "class")
    long, raw = ["\ue000" * 62, "\x01" * 62, "é" * 62], ["a\r=1+1", "b\x1b[31mred"]
    names = ['O\'Neil, "Ann" & Co\\', "ünï 🂡", "deep", "file"]
    for name in (*long, *raw, "file"):
        (folder / f"{name}.py").write_text(PROJ10)
    helpers.make_folder(folder / "link").joinpath("proj10.py").symlink_to(ROOT / "tests" / "proj10.py")
    (folder / "mallory").symlink_to(folder / "deep")
    os.mkfifo(folder / "pipe.py")
    os.makedirs(folder / "deep" / "/".join(60 * ["d"]))
    with open(helpers.make_folder(folder / "huge") / "proj10.py", "wb") as file:
        file.truncate(3 << 30)
    for name, how in (("deflated", zipfile.ZIP_DEFLATED), ("lzma", zipfile.ZIP_LZMA)):
        with zipfile.ZipFile(folder / f"{name}.zip", "w", how) as file:
            file.writestr("proj10.py", PROJ10)
        data = bytearray((folder / f"{name}.zip").read_bytes())
        data[60:90] = bytes(30)
        (folder / f"{name}.zip").write_bytes(data)
    with zipfile.ZipFile(folder / "packed.zip", "w") as file:
        file.writestr("d/" * 980 + "proj10.py", PROJ10)
    (folder / "ada_1_2_..").write_text(PROJ10)
    (helpers.make_folder(tmp_path / "out" / "file.txt") / "x").touch()
    done, rows, told = graded(dict.fromkeys(names[:-1], PROJ10), one, jobs=2)
    assert done.returncode == 1 and b"Traceback" not in done.stderr and "packed" in rows
    assert done.stdout.count(b"100 of 100") == len([*names, *long, *raw]) and len(told) == 14, "of 15"
    assert all(rows[name]["points"] == "100" for name in names) and "(skipped) mallory" in rows
    for name, why in {"link": "is a link", "pipe": "not a plain file", "huge": "the file is larger than 1024 KB",
                      "deflated": "it cannot be unpacked", "lzma": "take too much memory"}.items():  # fmt: skip
        assert rows[name]["points"] == "0" and why in rows[name]["remarks"], rows[name]
    assert b"skipped: ada_1_2_.. (no Python file), mallory (a link)" in done.stderr
    assert b"The feedback for file could not be written" in done.stderr and "file" not in told
    table = (tmp_path / "grades.csv").read_bytes()
    assert b"\r" not in table and b"\x1b" not in table + done.stdout and b"a\\r=1+1,,,100" in table


@pytest.mark.slow
def test_folders_that_lie_very_deep_end_no_class(graded, one, tmp_path):
    os.makedirs(place := str(tmp_path / "class" / "eve"))
    for _ in range(1_100):
        place += "/d"
        os.mkdir(place)
    done, _, _ = graded({"ada": PROJ10, "bob": PROJ10}, one)
    boxes.remove(tmp_path / "class" / "eve")  # pytest cannot
    assert b"bob: 100 of 100" in done.stdout and b"ada: 100 of 100" in done.stdout, done.stderr


def test_an_error_of_the_graders_own_is_no_ones_zero_points(graded, one, monkeypatch):
    copy, errors = boxes.copy_submission, {
        "bob": OSError(28, "No space left on device"), "cyd": MemoryError(), "dan": OSError(24, "Too many open files"),
        "eve": OSError(2, "No such file"),
    }  # fmt: skip

    def copied(source, target):
        if source.name in errors:
            raise errors[source.name]
        copy(source, target)

    monkeypatch.setattr(boxes, "copy_submission", copied)
    done, rows, _ = graded(dict.fromkeys(["ada", *errors], PROJ10), one)
    assert done.returncode == 3 and b"Traceback" not in done.stderr and done.stderr.decode().endswith(
        "bob is not graded: No space left on device.\ncyd is not graded: not enough memory.\n"
        "dan is not graded: Too many open files.\n"
    )  # fmt: skip
    assert {*rows} == {"ada", "eve", "(maximum)"} and b"eve: 0 of" in done.stdout and b"bob: 0" not in done.stdout


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


@pytest.mark.slow
def test_ctrl_c_ends_everything_at_once(tmp_path):
    boxes = helpers.make_folder(tmp_path / "boxes")
    folder = helpers.make_folder(tmp_path / "class")
    (folder / "s0.py").write_text(PROJ10)
    for number in range(1, 4):
        (folder / f"s{number}.py").write_text("import time\nopen('begun', 'w').close()\ntime.sleep(87)\n")
    table = tmp_path / "grades.csv"
    environment = {**os.environ, "TMPDIR": str(boxes)}
    line = f"grade {folder} --jobs 2 --seconds 60 --csv {table} --sandbox none"
    with helpers.start_program(line, start_new_session=True, env=environment) as grader:
        helpers.wait_until(lambda: len([*boxes.glob("*/*/begun")]) >= 2, "the first one is graded")
        time.sleep(0.3)
        os.killpg(grader.pid, signal.SIGINT)
        assert grader.wait(helpers.SECONDS) == 130  # the submissions would sleep longer
        told = grader.stderr.read()
    assert b"Traceback" not in told and told.endswith(b"Interrupted: 1 of 4 are graded.\n")
    with open(table, newline="", encoding="utf-8-sig") as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["s0", "(maximum)"]
    time.sleep(0.1)
    assert not list_running(boxes) and not list(boxes.iterdir())


def list_running(boxes):
    """Return the processes that run in one of the grader's boxes, or that make one visible to the sandbox."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if str(boxes) in os.readlink(path / "cwd") + (path / "cmdline").read_text():
                found.append(path.name)
        except OSError:
            pass
    return found


@pytest.mark.slow
def test_a_function_that_does_not_end_costs_itself_alone_and_is_told_the_same_each_time(graded):
    """If it sometimes ends, the calls that end count, however many did not end before; they come in random order."""
    head = "def check_win(tableau):\n"
    bodies = {
        "ada": "while tableau[0][0].rank() != 2: pass",
        "eve": "while True: pass",
        "zoe": "import time; time.sleep(99)",
    }
    students = {name: alter(head, f"{head}    {body}\n") for name, body in bodies.items()}
    _, rows, told = graded({**students, "bob": students["ada"]}, "--functions montana --seconds 0.1")
    for name in ("eve", "zoe"):
        assert "check_win() does not end in time, each time" in told[name]
        for function in ("shuffle_tableau()", "initialize()"):
            assert rows[name][function] == rows["(maximum)"][function] != "0"
    assert rows["ada"]["check_win()"] == rows["bob"]["check_win()"] and "check_win() 0 of" not in told["ada"]
    assert told["ada"].splitlines()[1:] == told["bob"].splitlines()[1:]


@pytest.mark.parametrize("text, why", [
    ("while True: pass", "it does not end while it is loaded"), ("raise SystemExit", "SystemExit"),
    ("import os; os._exit(0)", "the program ended itself"),
    ("import sys\nwhile True: sys.stdin.readline()", "it asks for input while it is loaded"),
])  # fmt: skip
def test_what_a_module_does_while_it_is_loaded_is_told(text, why, tmp_path):
    error, (answer,) = call_in_box(f"{text}\n", [calls.Call("initialize", seed=7)], tmp_path, 0.2)
    assert why in error + answer["error"]


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
    with pytest.raises(ValueError, match="it has more than 3 files"):
        boxes.copy_submission(many, box)


# Modules, and sessions of a teacher


@pytest.mark.slow
@pytest.mark.parametrize("game", ["klondike", "quadzilla", "desturado", "zodiac"])
def test_a_right_module_of_five_functions_has_all_points_in_each_form(game, graded, tmp_path):
    """By sessions and by functions, without refusal or any other function that the contract does not require."""
    made = tmp_path / "made"
    assert run(["grade", "--make", "2", made, "--functions", game, "--seed", "5"]).returncode == 0
    assert "You won!" in (made / f"{game}-1.out").read_text(encoding="utf-8")
    students = {form: {f"{game}.py": forms.module(game, form)} for form in forms.FORMS}
    students["own words"] = {f"{game}.py": forms.in_own_words(game)}
    wrong = forms.module(game, "list").replace("    return is_made\n", "    return not is_made\n")
    options = f"--sessions {made} --functions {game} --module"
    _, rows, told = graded({**students, "wrong": {f"{game}.py": wrong}}, options, jobs=2)
    for form in (*forms.FORMS, "own words"):
        assert rows[form]["points"] == "100", told[form]
    assert float(rows["wrong"]["points"]) < 95, "the value of move alone"


@pytest.mark.slow
def test_made_sessions_of_modules_have_other_options_and_go_on_behind_a_mistake(graded, tmp_path):
    """If a program's board is unknown after a mistake, the program is started again without the command. These sessions
    ask once which cards of a run move: a wrong answer costs one move, but nothing that follows."""
    made, plain = tmp_path / "made", tmp_path / "plain"
    assert run(f"grade --make 5 {made} --functions klondike --module --seed 3").returncode == 0
    assert run(f"grade --make 5 {plain} --functions klondike --seed 3").returncode == 0
    first = {
        folder: " ".join(path.read_text().split("\n")[0] for path in folder.glob("*.in")) for folder in (made, plain)
    }
    assert "--draw 1" in first[made] and "--passes 3" in first[made] and "--draw" not in first[plain]
    text = (ROOT / "klondike.py").read_text(encoding="utf-8")
    students = {"right": {"klondike.py": text}, "moves one": {"klondike.py": text.replace("len(run) - place", "1")}}
    _, rows, told = graded(students, f"--sessions {made} --module", jobs=2)
    assert rows["right"]["points"] == "100" and 95 < float(rows["moves one"]["points"]) < 100, told["moves one"]


def test_sessions_are_answered_by_a_teachers_module(tmp_path):
    """New sessions, and those whose .out is missing; a program that prints nothing is not a reference."""
    text = (ROOT / "desturado.py").read_text(encoding="utf-8").replace("Desturado Solitaire.", "My Desturado.")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    made, old = tmp_path / "made", helpers.make_folder(tmp_path / "old")
    reference = f"--functions desturado --reference {tmp_path / 'mine.py'}"
    assert run(f"grade --make 1 {made} {reference} --module").returncode == 0
    written = (made / "desturado-1.out").read_text(encoding="utf-8")
    assert written.startswith("My Desturado.") and "You won!" in written
    (old / "one.in").write_text("# desturado --seed 1\nq\n")
    update = f"grade --update --sessions {old} --reference {tmp_path / 'mine.py'}"
    assert b"mine.py does not play by itself; a module needs --module." in run(update).stderr
    assert run(f"{update} --module").returncode == 0
    assert (old / "one.out").read_text(encoding="utf-8").startswith("My Desturado.")
    (old / "one.out").write_text("")
    assert b"one.in: one.out is empty." in run(f"grade {tmp_path / 'mine.py'} --module --sessions {old}").stderr


def test_a_line_of_any_length_is_one_answer(graded, tmp_path):
    (tmp_path / "long.in").write_text(f'# prompt: "> "\n{"x" * 50_000}\ny\n')
    (tmp_path / "long.out").write_text("> 50000\n> 1\n")
    text = "for number in range(2):\n    print(len(input('> ')))\n"
    _, rows, told = graded({"ada": text, "bob": text.replace("')))", "')) + number)")}, f"--sessions {tmp_path}")
    assert rows["ada"]["points"] == "100" and "answers 2 of 3" in told["bob"], told["bob"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_sessions_are_read_as_windows_writes_them(encoding, tmp_path):
    for path in helpers.COURSE.iterdir():
        data = path.read_bytes()
        as_written = data.decode().replace("\n", "\r\n").encode(encoding)
        (tmp_path / path.name).write_bytes(data if path.suffix == ".deck" else as_written)
    assert [one._replace(deal=None) for one in course(tmp_path)] == [one._replace(deal=None) for one in course()]


# The sandbox


def test_no_program_of_others_runs_without_a_sandbox_unasked(monkeypatch):
    monkeypatch.setattr(sandboxes, "works", lambda sandbox, code="": sandbox == sandboxes.NONE and not code)
    for is_root, is_installed in ((True, False), (False, True), (False, False)):
        monkeypatch.setattr(sandboxes.os, "getuid", lambda: 0 if is_root else 1000)
        monkeypatch.setattr(sandboxes.shutil, "which", lambda name: is_installed and name)
        refused = pytest.raises(click.UsageError, match="--sandbox none")
        with refused if is_root or is_installed else contextlib.nullcontext():
            assert command.sandbox_that_works(command.AUTO, False) == sandboxes.NONE
    for wanted, told in (
        (sandboxes.BWRAP, "bubblewrap is not installed, or does"),
        (sandboxes.NONE, "needs click: python"),
    ):
        with pytest.raises(click.UsageError, match=told):
            command.sandbox_that_works(wanted, True)
    monkeypatch.setattr(sandboxes, "works", lambda sandbox: False)  # on a very busy machine, not even "none" works
    assert command.sandbox_that_works(sandboxes.NONE, False) == sandboxes.NONE


def test_the_sandbox_is_used_if_it_works_and_which_it_was_is_said_whatever_the_path_of_python(one, tmp_path):
    python = os.path.join(os.path.dirname(sys.executable), "..", "bin", os.path.basename(sys.executable))
    text = "import os\nprint(sorted(os.environ), os.path.exists('/etc/passwd'), os.getpid() < 20)\n"
    (tmp_path / "ada.py").write_text(text)
    inside = sandboxes.works(sandboxes.BWRAP)
    options = [*one.split(), "--sandbox", "auto" if inside else "none"]
    done = subprocess.run([python, ROOT / "main.py", "grade", tmp_path / "ada.py", *options], capture_output=True)
    printed = f"['HOME', 'LANG', 'PATH'{', ' + repr('PWD') if inside else ''}] {not inside} {inside}"
    assert f"printed:  {printed}" in done.stdout.decode()
    assert f"Sandbox: {'bubblewrap' if inside else 'none'}.\n" in done.stderr.decode()


# Cheats


@pytest.mark.parametrize("sandbox, cheats", [
    pytest.param("bwrap", CHEATS, marks=needs_sandbox),
    ("none", ["the deck and the .out beside it", "a module with our name", "the end", "score lines",
              "results in every channel", "links"])])  # fmt: skip
@pytest.mark.slow_cases("cheats1")
def test_a_cheat_has_no_point(sandbox, cheats, graded, one, tmp_path):
    for what in cheats:
        helpers.make_folder(tmp_path / "class" / what).joinpath("answers").symlink_to(
            helpers.COURSE / "montana-course2.out"
        )
    _, rows, told = graded(
        {what: alter(*CHEATS[what][1]) for what in cheats}, f"{one} --functions montana", sandbox, jobs=2
    )
    for what in cheats:
        assert rows[what]["points"] == "0" and "written" not in told[what], told[what]


def test_no_submission_ends_the_class_or_has_points_for_an_empty_error(graded, tmp_path, monkeypatch):
    own_temporary_folder = helpers.make_folder(tmp_path / "own")
    monkeypatch.setattr(tempfile, "tempdir", str(own_temporary_folder))
    evil = {name: alter(*changes) for name, (_, changes) in EVIL.items()}
    _, rows, told = graded({"ada": PROJ10, **evil}, "--functions montana", jobs=2)
    points = {name: round(sum(float(rows[name][function]) for function in OF_POINTS), 1) for name in rows}
    assert {name for name in points if points[name] == 100} == {"ada", "(maximum)"}
    assert not any(points[name] for name in evil), (points, told)
    assert not list(own_temporary_folder.glob("boxes*/*/d"))


# The page, and other systems


def test_the_page_shows_the_class_in_two_orders_its_causes_and_whom_to_look_at():
    part = grades.Part("move()", {"": (1, 2)}, 10, groups=["move: a 2"], lines=["move() fails"])
    part.difference = grades.Difference("at once", "x\n", "<b>bold\n")
    of_class = [
        grades.Grade(Submission(name, None, "a.py", ""), parts, failure=failure)
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
    of_class = [grades.Grade(Submission(name, None, "a.py", ""), parts) for name in "abcde"]
    assert page.causes_of(of_class) == [("move, in montana-0, montana-1 and 2 more", [*"abcde"])]
    assert (
        page.summarize_class(of_class)[1] == "   5 of 5: move, in montana-0, montana-1 and 2 more: a, b, c and 2 more"
    )


@pytest.mark.parametrize(
    "folder, program, block",
    [("/autograder", "submission/proj10.py", "run_autograder"), ("/grade", "student/proj10.py", "grade.sh")],
)
@pytest.mark.slow_cases("run_autograder")
def test_the_scripts_of_the_document_write_results(folder, program, block, tmp_path):
    text = (ROOT / "docs" / "graders.md").read_text()
    script = re.search(f"`{block}`:\n\n```sh\n(.*?)```", text, re.DOTALL)[1]
    place = re.search(r"cd (\S+)", script)[1].replace(folder, str(tmp_path))
    helpers.copy_project(helpers.make_folder(Path(place)))
    shutil.copytree(helpers.COURSE, Path(place) / "sessions")
    (tmp_path / "results").mkdir()
    helpers.make_folder((tmp_path / program).parent)
    (tmp_path / program).write_text(PROJ10)
    python = helpers.make_folder(tmp_path / "venv" / "bin") / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    if not sandboxes.works(sandboxes.USER):
        script = script.replace("--sandbox user", "--sandbox none")
    subprocess.run(["sh", "-euc", script.replace(folder, str(tmp_path))], check=True)
    found = json.loads((tmp_path / "results" / "results.json").read_text())
    assert "Sandbox: " in found["output"]
    assert found["score"] in (100, 1) and all("expected" not in test["output"] for test in found["tests"])
