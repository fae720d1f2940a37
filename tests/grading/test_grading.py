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
import zipfile
from pathlib import Path

import click
import pytest

import helpers
from patience.grading import command
from patience.grading.submissions import Submission
from patience.grading.box import boxes, sandboxes
from patience.grading.courses import function_calls
from patience.grading.courses.montana.handout import POINTS
from patience.grading.judge import grades
from patience.grading.report import page
from helpers import ROOT, run
from boxed import call_in_box, needs_names, needs_sandbox
from in_process import PROJ10, alter, course, read_programs

OF_FUNCTIONS = [f"{name}()" for name in POINTS]
PARTS = re.compile(r"^([\w()-]+): ([\d.]+) of ([\d.]+)$", re.MULTILINE)
DOES, READS, CHEATS, EVIL = map(read_programs, ("does", "reads", "cheats", "evil"))


# A class


def test_whatever_programs_of_a_class_do_each_is_graded_and_the_feedback_says_it(graded, one, tmp_path):
    students = {name: alter(*changes) for name, (_, changes) in DOES.items()}
    students["helper"] = {"proj10.py": students["helper"], "helper.py": "def check():\n    return 1 / 0\n"}
    done, rows, texts = graded(students, f"{one} --seconds 0.4 --program proj10.py", jobs=2)
    for name, (pattern, _) in DOES.items():
        assert re.search(pattern, texts[name], re.DOTALL), texts[name]
        assert "inside" not in texts[name] and "/tmp" not in texts[name]
        lost = [part for part, got, of in PARTS.findall(texts[name]) if got != of]
        assert "\n---" not in texts[name] or all(f"\n--- {part}\n" in texts[name] for part in lost)
    assert done.returncode == 1 and list(rows)[-1] == "(maximum)" and len(rows) == len(DOES) + 1
    assert {name for name, row in rows.items() if row["points"] == "100"} == {
        "sleeps", "leaves-a-child", "leaves-a-file", "(maximum)"}  # fmt: skip
    shown = done.stderr.decode()
    assert f"{len(DOES)} submissions" in shown and ": shuffle, in montana-course2" in shown
    html = (tmp_path / "out" / "_class.html").read_text(encoding="utf-8")
    assert html.count("<h2 id") == len(DOES) and "expected" in html and "<script" not in html


def test_a_right_program_has_all_points_however_it_reads_and_writes(graded, one, few_calls):
    """It may also seed, or have modules of its own with names of ours."""
    students = {name: alter(*changes) for name, (_, changes) in READS.items()}
    taken = ("json", "select", "signal", "re", "enum", "traceback", "warnings", "time")
    own = {f"{name}.py": "raise RuntimeError('taken')\n" for name in taken}
    students["own"] = {"proj10.py": PROJ10, **own, "cards.cpython-311-x86_64-linux-gnu.so": "no library"}
    _, rows, told = graded(students, f"{one} --program proj10.py", jobs=2)
    for name in students:
        assert rows[name]["points"] == "100", told[name]
    ended = [name for name, row in rows.items() if re.search("It |called its", row["remarks"])]
    assert ended == ["no flush"], "with a status of Python's own"


@needs_names
def test_every_student_has_a_row_whatever_the_name_and_the_files(graded, without_boxes, tmp_path, one, request):
    """A damaged zip file, folders that are deep or have no end, links, a file that is too large, a feedback that cannot
    be written."""
    folder = helpers.make_folder(tmp_path / "class")
    long, raw = ["\ue000" * 62, "\x01" * 62, "é" * 62], ["a\r=1+1", "b\x1b[31mred"]
    names = ['O\'Neil, "Ann" & Co\\', "ünï 🂡", "deep", "file"]
    for name in (*long, *raw, "file"):
        (folder / f"{name}.py").write_text(PROJ10, encoding="utf-8")
    helpers.make_folder(folder / "link").joinpath("proj10.py").symlink_to(ROOT / "tests" / "proj10.py")
    (folder / "lin_1_2_proj10.py").symlink_to(ROOT / "tests" / "proj10.py")
    (folder / "mallory").symlink_to(folder / "deep")
    os.mkfifo(folder / "pipe.py")
    os.makedirs(folder / "deep" / "/".join(60 * ["d"]))
    place = str(helpers.make_folder(folder / "eve"))
    request.addfinalizer(lambda: boxes.remove(folder / "eve"))  # pytest cannot
    for _ in range(1_100):
        os.mkdir(place := f"{place}/d")
    with open(helpers.make_folder(folder / "huge") / "proj10.py", "wb") as file:
        file.truncate(3 << 30)
    with zipfile.ZipFile(folder / "damaged.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("proj10.py", PROJ10)
    data = (folder / "damaged.zip").read_bytes()
    (folder / "damaged.zip").write_bytes(data[:60] + bytes(30) + data[90:])
    with zipfile.ZipFile(folder / "packed.zip", "w") as file:
        file.writestr("d/" * 980 + "proj10.py", PROJ10)
    (folder / "ada_1_2_..").write_text(PROJ10, encoding="utf-8")
    (helpers.make_folder(tmp_path / "out" / "file.txt") / "x").touch()
    done, rows, told = graded(dict.fromkeys(names[:-1], PROJ10), one, jobs=2)
    assert done.returncode == 1 and b"Traceback" not in done.stderr and "packed" in rows
    assert done.stdout.count(b"100 of 100") == len([*names, *long, *raw]) and len(told) == 15, "of 16"
    assert all(rows[name]["points"] == "100" for name in names) and "(skipped) mallory" in rows
    for name, why in {"link": "is a link", "lin": "There is no program", "pipe": "not a plain file", "huge": "the file is larger than 1024 KB",
                      "damaged": "it could not be unpacked"}.items():  # fmt: skip
        assert rows[name]["points"] == "0" and why in rows[name]["remarks"], rows[name]
    assert b"skipped: ada_1_2_.. (not a Python file), mallory (a link)" in done.stderr
    assert b"The feedback for file could not be written" in done.stderr and "file" not in told
    table = (tmp_path / "grades.csv").read_bytes()
    assert b"\r" not in table and b"\x1b" not in table + done.stdout and b'"a\\r=1+1","","","100"' in table


def test_an_error_of_the_graders_own_is_no_ones_zero_points(graded, without_boxes, one, monkeypatch):
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
    assert rows["eve"]["remarks"] == "It could not be graded: No such file." and done.returncode == 3 and b"Traceback" not in done.stderr and done.stderr.decode().endswith(
        "bob is not graded: No space left on device.\ncyd is not graded: not enough memory.\n"
        "dan is not graded: Too many open files.\n"
    )  # fmt: skip
    assert {*rows} == {"ada", "eve", "(maximum)"} and b"eve: 0 of" in done.stdout and b"bob: 0" not in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_that_is_killed_costs_nobody_else_a_grade(graded, one):
    evil = "import os\nof_parent = open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2]\n"
    evil += "os.kill(int(of_parent.split()[1]), 9)\n"
    done, rows, _ = graded({**dict.fromkeys(("ada", "bob", "cyd"), PROJ10), "abe": evil}, one, jobs=2)
    assert done.stdout.count(b"100 of 100") == 3 and done.returncode == 3
    assert done.stderr.endswith(b"abe is not graded: the grading process was killed twice.\n")
    assert {*rows} == {"ada", "bob", "cyd", "(maximum)"}


def test_ctrl_c_ends_everything_at_once(one, tmp_path):
    place, folder = helpers.make_folder(tmp_path / "boxes"), helpers.make_folder(tmp_path / "class")
    (folder / "s0.py").write_text(PROJ10, encoding="utf-8")
    sleeps = "import os, time\nprint(os.getpid(), file=open('begun', 'w'), flush=True)\ntime.sleep(87)\n"
    for number in range(1, 4):
        (folder / f"s{number}.py").write_text(sleeps, encoding="utf-8")
    table, environment = tmp_path / "grades.csv", {**os.environ, "TMPDIR": str(place)}

    def begun():
        return [path for path in place.glob("*/*/begun") if path.stat().st_size]

    line = f"grade {folder} {one} --jobs 2 --seconds 60 --csv {table} --sandbox none"
    with helpers.start_program(line, start_new_session=True, env=environment) as grader:
        helpers.wait_until(
            lambda: len(begun()) == 2 and "s0" in table.read_text(encoding="utf-8"), "the first one is graded"
        )
        numbers = [path.read_text(encoding="utf-8").strip() for path in begun()]
        os.killpg(grader.pid, signal.SIGINT)
        assert grader.wait(helpers.SECONDS) == 130  # the submissions would sleep longer
        told = grader.stderr.read()
    assert b"Traceback" not in told and told.endswith(b"Interrupted: 1 of 4 are graded.\n")
    with open(table, newline="", encoding="utf-8-sig") as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["s0", "(maximum)"]
    helpers.wait_until(lambda: not any(os.path.exists(f"/proc/{number}/cwd") for number in numbers), "all have ended")
    assert not list(place.iterdir())


@pytest.mark.parametrize("body, ends", [
    ("while True: pass", False), ("time.sleep(99)", False), ("while tableau[0][0].rank() != 2: pass", True),
])  # fmt: skip
def test_a_function_that_does_not_end_costs_itself_alone(body, ends, tmp_path):
    text = f"import time\ndef check_win(tableau):\n    {body}\n    return False\ndef initialize(): return []\n"
    asked = [function_calls.Call("check_win", rows=[[[rank, 1]]]) for rank in (3, 3, 3, 2)]
    _, (*found, dealt) = call_in_box(text, [*asked, function_calls.Call("initialize", seed=7)], tmp_path, 0.3)
    assert [answer.late for answer in found] == [True, True, True, not ends] and not dealt.late


@pytest.mark.parametrize("text, why", [
    ("while True: pass", "it did not finish in time"), ("raise SystemExit", "SystemExit"),
    ("import os; os._exit(0)", "the program exited"),
    ("import sys\nwhile True: sys.stdin.readline()", "it asked for input"),
])  # fmt: skip
def test_what_a_module_does_while_it_is_loaded_is_told(text, why, tmp_path):
    error, (answer,) = call_in_box(f"{text}\n", [function_calls.Call("initialize", seed=7)], tmp_path, 0.5)
    assert why in error + answer.error


@pytest.mark.parametrize("extra", [".git", "env"])
def test_files_that_are_not_the_students_own_do_not_count(extra, tmp_path, monkeypatch):
    monkeypatch.setattr(boxes, "MAX_FILES", 3)
    folder, box = helpers.make_folder(tmp_path / "dan"), helpers.make_folder(tmp_path / "box")
    (folder / "proj10.py").write_text(PROJ10, encoding="utf-8")
    many = helpers.make_folder(folder / extra / "many")
    (folder / "env" / "pyvenv.cfg").touch() if extra == "env" else None
    for number in range(4):
        (many / str(number)).touch()
    boxes.copy_submission(folder, box)
    assert [path.name for path in box.iterdir()] == ["proj10.py"]
    with pytest.raises(ValueError, match="it has more than 3 files"):
        boxes.copy_submission(many, box)


# Modules, and sessions of a teacher


def test_sessions_are_answered_by_a_teachers_program(tmp_path):
    """New sessions, and those whose .out is missing; a program that prints nothing is not a reference."""
    text = (ROOT / "desturado.py").read_text(encoding="utf-8").replace("Desturado Solitaire.", "My Desturado.")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    (tmp_path / "silent.py").write_text("import cards\n", encoding="utf-8")
    made, old = tmp_path / "made", helpers.make_folder(tmp_path / "old")
    reference = f"--game desturado --reference {tmp_path / 'mine.py'}"
    assert run(f"sessions make {made} --count 1 {reference} --seed 1").returncode == 0
    written = (made / "desturado-1.out").read_text(encoding="utf-8")
    assert written.startswith("My Desturado.") and "You won!" in written
    (old / "one.in").write_text("# desturado --seed 1\nq\n", encoding="utf-8")
    update = f"sessions update {old} --reference {tmp_path}"
    assert b"silent.py printed nothing." in run(f"{update}/silent.py").stderr
    (old / "one.in").write_text("# desturado --difficulty hard --seed 1\nq\n", encoding="utf-8")
    assert run(f"{update}/mine.py").returncode == 0
    hard = run("desturado --difficulty hard --seed 1", "q\n").stdout.decode()
    assert (old / "one.out").read_text(encoding="utf-8") == hard.replace("Desturado Solitaire", "My Desturado")
    (old / "one.out").write_text("", encoding="utf-8")
    assert b"one.in: one.out is empty." in run(f"grade {tmp_path / 'mine.py'} --sessions {old}").stderr


def test_sessions_are_written_with_the_cards_that_submissions_get(without_boxes, tmp_path):
    """With letters for suits and a board that is as wide, a right program has all points."""
    new, other = tmp_path / "new", ["--cards", ROOT / "tests" / "other_cards.py"]
    assert run(["sessions", "make", new, "--count", "1", "--seed", "1", *other]).returncode == 0
    assert b" Ks" in (new / "montana-1.out").read_bytes()
    assert run(["grade", "--sessions", new, *other, ROOT / "tests" / "proj10.py"]).returncode == 0


def test_a_line_of_any_length_is_one_answer(graded, without_boxes, tmp_path):
    (tmp_path / "long.in").write_text(f'# prompt: "> "\n{"x" * 50_000}\ny\n', encoding="utf-8")
    (tmp_path / "long.out").write_text("> 50000\n> 1\n", encoding="utf-8")
    text = "for number in range(2):\n    print(len(input('> ')))\n"
    _, rows, told = graded({"ada": text, "bob": text.replace("')))", "')) + number)")}, f"--sessions {tmp_path}")
    assert rows["ada"]["points"] == "100" and "answers 2 of 3" in told["bob"], told["bob"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_sessions_are_read_as_windows_writes_them(encoding, one, tmp_path):
    folder = Path(one.split()[1])
    for path in folder.iterdir():
        data = path.read_bytes()
        as_written = data.decode().replace("\n", "\r\n").encode(encoding)
        (tmp_path / path.name).write_bytes(data if path.suffix == ".deck" else as_written)
    assert [one._replace(deal=None) for one in course(tmp_path)] == [one._replace(deal=None) for one in course(folder)]


# The sandbox


def test_no_program_of_others_runs_without_a_sandbox_unasked(monkeypatch):
    said = "bwrap: setting up uid map: Permission denied"
    monkeypatch.setattr(sandboxes, "why_not", lambda sandbox, code="": said * (sandbox != sandboxes.NONE or bool(code)))
    for is_root, is_installed in ((True, False), (False, True), (False, False)):
        monkeypatch.setattr(sandboxes.os, "getuid", lambda: 0 if is_root else 1000)
        monkeypatch.setattr(sandboxes.shutil, "which", lambda name: is_installed and name)
        refused = pytest.raises(click.UsageError, match=f"{said}.*--sandbox none")
        with refused if is_root or is_installed else contextlib.nullcontext():
            assert command.sandbox_that_works(command.AUTO) == sandboxes.NONE
    with pytest.raises(click.UsageError, match=f"bubblewrap is not installed.*{said}"):
        command.sandbox_that_works(sandboxes.BWRAP)
    monkeypatch.setattr(
        sandboxes, "why_not", lambda sandbox, code="": said
    )  # on a very busy machine, not even "none" works
    assert command.sandbox_that_works(sandboxes.NONE) == sandboxes.NONE


def test_the_sandbox_is_used_if_it_works_and_which_it_was_is_said_whatever_the_path_of_python(one, tmp_path):
    python = os.path.join(os.path.dirname(sys.executable), "..", "bin", os.path.basename(sys.executable))
    text = "import os\nprint(sorted(os.environ), os.path.exists('/etc/passwd'), os.getpid() < 20)\n"
    (tmp_path / "ada.py").write_text(text, encoding="utf-8")
    inside = sandboxes.works(sandboxes.BWRAP)
    options = [*one.split(), "--sandbox", "auto" if inside else "none"]
    done = subprocess.run([python, ROOT / "main.py", "grade", tmp_path / "ada.py", *options], capture_output=True)
    printed = f"['HOME', 'LANG', 'PATH'{', ' + repr('PWD') if inside else ''}] {not inside} {inside}"
    assert f"printed:  {printed}" in done.stdout.decode()
    assert f"Sandbox: {'bubblewrap' if inside else 'none'}.\n" in done.stderr.decode()


# Cheats


@pytest.mark.parametrize("sandbox, cheats", [
    pytest.param("bwrap", CHEATS, marks=needs_sandbox),
    ("none", ["the deck and the .out beside it", "links"]),
])  # fmt: skip
def test_a_cheat_has_no_point(sandbox, cheats, graded, one, few_calls, tmp_path):
    for what in cheats:
        answers = helpers.make_folder(tmp_path / "class" / what) / "answers"
        answers.symlink_to(helpers.COURSE / "montana-course2.out")
    students = {what: alter(*CHEATS[what][1]) for what in cheats}
    _, rows, told = graded(students, one, sandbox, jobs=2)
    for what in cheats:
        assert rows[what]["points"] == "0" and "written" not in told[what], told[what]


def test_no_submission_ends_the_class_or_has_points_for_an_empty_error(graded, one, few_calls, tmp_path, monkeypatch):
    own_temporary_folder = helpers.make_folder(tmp_path / "own")
    monkeypatch.setattr(tempfile, "tempdir", str(own_temporary_folder))
    evil = {name: alter(*changes) for name, (_, changes) in EVIL.items()}
    _, rows, told = graded({"ada": PROJ10, **evil}, one, jobs=2)
    points = {name: round(sum(float(rows[name][function]) for function in OF_FUNCTIONS), 1) for name in rows}
    assert {name for name in points if points[name] == points["(maximum)"]} == {"ada", "(maximum)"}
    assert not any(points[name] for name in evil), (points, told)
    assert not list(own_temporary_folder.glob("boxes*/*/d"))


# The page, and other systems


def test_the_page_shows_the_class_in_two_orders_its_causes_and_whom_to_look_at():
    part = grades.Part("move()", {"a 2": (1, 2)}, 10, {"a 2": 1}, lines=["move() fails"])
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
    assert "Check these yourself:\n  cid: Your program does not start: line 1." in text
    assert page.causes_of(of_class) == [("move(): a 2", ["bob"]), ("Your program does not start", ["cid"])]
    assert "move(): a 2: bob<" in text
    assert [*map(int, re.findall('count">([0-9]+)', text))][:10] == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert page.BESIDES not in text and "<pre></pre>" not in page.page_of(of_class[:1])
    of_class[1].adjust = -2.5
    text = page.page_of(of_class)
    assert f"<span>{page.BESIDES}</span>" in text
    assert text.count("<td>-2.50</td>") == 2 and text.count("<td>+0.00</td>") == 4


def test_only_a_part_without_a_fault_has_the_colour_of_all_points():
    assert [page.level_of(share) for share in (-0.5, 0, 0.999, 1)] == [0, 0, page.LEVELS - 1, page.LEVELS]


def test_causes_are_counted_across_sessions():
    parts = [grades.Part(f"montana-{number}", {"move": (1, 2)}, 10) for number in range(4)]
    of_class = [grades.Grade(Submission(name, None, "a.py", ""), parts) for name in "abcde"]
    told = "   5 of 5: move, in montana-0, montana-1 and 2 more: a, b, c and 2 more"
    assert page.summarize_class(of_class) == ["5 submissions, 50.0 % on average, 0 with full points.", told]
    assert page.headline(of_class[:1]) == "1 submission, 50.0 % on average, 0 with full points."


def test_the_script_of_the_document_writes_results(one, tmp_path):
    """By one session alone, which takes a moment."""
    text = (ROOT / "docs" / "graders.md").read_text(encoding="utf-8")
    script = re.search("`run_autograder`:\n\n```sh\n(.*?)```", text, re.DOTALL)[1]
    place = re.search(r"cd (\S+)", script)[1].replace("/autograder", str(tmp_path))
    helpers.copy_project(helpers.make_folder(Path(place)))
    shutil.copytree(one.split()[1], Path(place) / "sessions")
    (tmp_path / "results").mkdir()
    (helpers.make_folder(tmp_path / "submission") / "proj10.py").write_text(PROJ10, encoding="utf-8")
    python = helpers.make_folder(tmp_path / "venv" / "bin") / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    if not sandboxes.works(sandboxes.USER):
        script = script.replace("--sandbox user", "--sandbox none")
    subprocess.run(["sh", "-euc", script.replace("/autograder", str(tmp_path))], check=True)
    found = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert "Sandbox: " in found["output"]
    assert found["score"] == 100 and all("expected" not in test["output"] for test in found["tests"])


def test_the_recipe_for_github_grades(one, tmp_path):
    """All of its lines that can be run here; the one about namespaces is that of our own workflow."""
    text = (ROOT / "docs" / "graders.md").read_text(encoding="utf-8")
    recipe = re.search("GitHub Classroom.*?```yaml\n(.*?)```", text, re.DOTALL)[1]
    ours = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    update, sysctl, install, line = re.findall("- run: (.*)", recipe)
    assert "apt-get install -y bubblewrap" in update and f"- run: {sysctl}" in ours
    assert (ROOT / install.rpartition(" patience/")[2]).exists()
    (tmp_path / "patience").symlink_to(ROOT)
    (helpers.make_folder(tmp_path / "submission" / ".git") / "config").touch()
    (tmp_path / "submission" / "proj10.py").write_text(PROJ10, encoding="utf-8")
    words = line.replace("patience/sessions", one.split()[1]).split()[2:]
    done = run([*words, "--sandbox", "none"], cwd=tmp_path)
    assert done.returncode == 0 and b"submission: 100 of 100" in done.stdout


def test_a_table_that_is_filled_in_stays_as_it_is_but_for_the_points(without_boxes, one, tmp_path):
    """To the byte, in all rows of others; one that is not UTF-8 is refused before anything is written."""
    (tmp_path / "ada_5_1_proj10.py").write_text(PROJ10, encoding="utf-8")
    begins, ends = '\ufeff"Student","ID",Points\r\n"Roe, ""Cid""",7,"1"\r\n', '"two\r\nlines", 9 ,\r\n"Jo ",8,""'
    table = tmp_path / "book.csv"
    table.write_bytes(f"{begins}ada,5,\r\n{ends}".encode())
    line = ["grade", tmp_path / "ada_5_1_proj10.py", *one.split(), "--fill", table, "--column", "Points"]
    assert run(line).returncode == 0
    assert table.read_bytes().decode() == f"{begins}ada,5,100\r\n{ends}"
    table.write_bytes(before := b"Student,Points\nada,1\nM\xfcller,2\n")
    done = run(line)
    assert done.returncode == 2 and b"save it as UTF-8" in done.stderr and table.read_bytes() == before


def test_functions_without_a_program_have_no_points_for_sessions(graded, one, few_calls):
    _, rows, _ = graded({"ada": PROJ10.partition("def main")[0]}, one)
    assert rows["ada"]["montana-course2"] == "0" and rows["ada"]["points"] == rows["(maximum)"]["points"].replace(
        "100", "70.91"
    )


def test_new_calls_stay_when_sessions_are_added(tmp_path):
    made = [run(["sessions", "make", tmp_path / "new", "--count", "1", "--seed", str(seed)]) for seed in (3, 4)]
    assert [done.returncode for done in made] == [0, 0] and len([*tmp_path.glob("new/*.in")]) == 2
    assert (tmp_path / "new" / "functions.seed").read_text(encoding="utf-8") == "3\n"
