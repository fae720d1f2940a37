"""The grade command, as a teacher uses it: a class in its boxes, tables, other systems, sessions, wrong use, cheats."""

import contextlib
import csv
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
import pytest

import forms
import helpers
from grading import command
from grading.box import sandboxes
from grading.courses import calls
from helpers import ROOT, run
from boxed import call_in_box, needs_sandbox, output_in_box
from in_process import OF_POINTS, PROJ10, alter, read_programs


def of_functions(row):
    """Return the points of all functions in a row of a table."""
    return round(sum(float(row[name]) for name in OF_POINTS), 1)


# A class


THANKS = 'print("Thank you for playing.")'
DOES, CHEATS, EVIL = (read_programs(kind) for kind in ("does", "cheats", "evil"))


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


def test_who_sets_up_standard_output_or_seeds_has_all_points_in_sessions_and_in_functions(graded, one):
    heads = {**{name: READERS[name] for name in ("reconfigure", "a writer", "a wrapper")}, "no flush": NO_FLUSH}
    students = {name: alter("import random\n", text) for name, text in heads.items()}
    students["seeds"] = alter("    deck = ", "    random.seed(4)\n    deck = ")
    _, rows, told = graded(students, f"{one} --functions montana", jobs=2)
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


def test_no_program_of_others_runs_without_a_sandbox_unasked(monkeypatch):
    monkeypatch.setattr(sandboxes, "works", lambda sandbox, code="": sandbox == sandboxes.NONE)
    for is_root, is_installed in ((True, False), (False, True), (False, False)):
        monkeypatch.setattr(sandboxes.os, "getuid", lambda: 0 if is_root else 1000)
        monkeypatch.setattr(sandboxes.shutil, "which", lambda name: is_installed and name)
        refused = pytest.raises(click.UsageError, match="--sandbox none")
        with refused if is_root or is_installed else contextlib.nullcontext():
            assert command.sandbox_that_works(command.AUTO, False) == sandboxes.NONE


def test_python_is_found_in_the_sandbox_whatever_its_path(one, tmp_path):
    python = os.path.join(os.path.dirname(sys.executable), "..", "bin", os.path.basename(sys.executable))
    (tmp_path / "ada.py").write_text(PROJ10)
    if not sandboxes.works(sandboxes.BWRAP):
        pytest.skip("needs bubblewrap")
    done = subprocess.run(
        [python, ROOT / "main.py", "grade", tmp_path / "ada.py", *one.split(), "--sandbox", "auto"], capture_output=True
    )
    assert done.returncode == 0 and b"Sandbox: bubblewrap." in done.stderr


@pytest.mark.parametrize("text, why", [
    ("while True: pass", "it does not end while it is loaded"), ("raise SystemExit", "SystemExit"),
    ("import os; os._exit(0)", "the program ended itself"),
    ("import sys\nwhile True: sys.stdin.readline()", "it asks for input while it is loaded"),
])  # fmt: skip
def test_what_a_module_does_while_it_is_loaded_is_told(text, why, tmp_path):
    error, (answer,) = call_in_box(f"{text}\n", [calls.Call("initialize", seed=7)], tmp_path, 0.2)
    assert why in error + answer["error"]


@pytest.mark.slow
@pytest.mark.parametrize("body", ["while True: pass", "import time; time.sleep(99)"])
def test_a_function_that_does_not_end_costs_itself_alone(body, graded):
    text = alter("def check_win(tableau):\n", f"def check_win(tableau):\n    {body}\n")
    _, rows, told = graded({"eve": text}, "--functions montana --seconds 0.1")
    assert "check_win() does not end in time, each time" in told["eve"]
    for name in ("shuffle_tableau()", "initialize()"):
        assert rows["eve"][name] == rows["(maximum)"][name] != "0"


@pytest.mark.slow
def test_a_function_that_sometimes_does_not_end_is_told_the_same_each_time(graded):
    """The function's calls come in random order, and the calls that end count, however many did not end before."""
    text = alter("def check_win(tableau):\n", "def check_win(tableau):\n    while tableau[0][0].rank() != 2: pass\n")
    _, rows, texts = graded({"ada": text, "bob": text}, "--functions montana --seconds 0.1")
    assert rows["ada"]["check_win()"] == rows["bob"]["check_win()"] and "check_win() 0 of" not in texts["ada"]
    assert texts["ada"].splitlines()[1:] == texts["bob"].splitlines()[1:]


def test_every_student_has_a_row_whatever_the_name_and_the_file(graded, tmp_path, one):
    folder, names = tmp_path / "class", ['O\'Neil, "Ann" & Co\\', "ünï 🂡"]
    helpers.make_folder(folder / "link").joinpath("proj10.py").symlink_to(ROOT / "tests" / "proj10.py")
    (folder / "mallory").symlink_to(folder / names[0])
    os.mkfifo(folder / "pipe.py")
    (folder / "file.py").write_text(PROJ10)
    done, rows, _ = graded(dict.fromkeys(names, PROJ10), one, jobs=2)
    points = {**dict.fromkeys([*names, "file", "(maximum)"], "100"), "link": "0", "pipe": "0", "(skipped) mallory": ""}
    assert {name: row["points"] for name, row in rows.items()} == points
    assert "is a link" in rows["link"]["remarks"] and "not a plain file" in rows["pipe"]["remarks"]
    assert b"skipped: mallory (a link)" in done.stderr


# Tables, and other systems


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


@needs_sandbox
def test_a_submission_in_the_sandbox_reaches_no_file_and_no_process_outside_its_box(tmp_path):
    """It tries only what this test has prepared: a broken sandbox must not harm whoever runs this."""
    beside = tmp_path / "beside.txt"
    beside.write_text("kept")
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as in_tmp, subprocess.Popen(["sleep", "60"]) as sleeper:
        print("kept", end="", file=in_tmp, flush=True)
        evil = (
            f"import os, signal\nfor path in {str(beside)!r}, {in_tmp.name!r}:\n"
            "    try: print(open(path).read()); open(path, 'w').close()\n    except OSError: print('no file')\n"
            f"try: os.kill({sleeper.pid}, signal.SIGTERM); print('ended')\nexcept OSError: print('no process')\n"
        )
        printed = output_in_box(evil, sandboxes.BWRAP)
        assert (beside.read_text(), Path(in_tmp.name).read_text(), sleeper.poll()) == ("kept", "kept", None)
        sleeper.kill()
    assert printed == "no file\nno file\nno process\n"


def test_no_submission_ends_the_class_or_has_points_for_an_empty_error(graded, tmp_path, monkeypatch):
    own_temporary_folder = helpers.make_folder(tmp_path / "own")
    monkeypatch.setattr(tempfile, "tempdir", str(own_temporary_folder))
    evil = {name: alter(*changes) for name, (_, changes) in EVIL.items()}
    _, rows, told = graded({"ada": PROJ10, **evil}, "--functions montana", jobs=2)
    assert of_functions(rows["ada"]) == 100
    for eve in evil:
        assert of_functions(rows[eve]) == 0, told[eve]
    assert not list(own_temporary_folder.glob("boxes*/*/d"))


def test_a_submission_is_told_nothing():
    """Neither its arguments nor its environment nor its command line contains a path of ours."""
    text = "import os, sys\nprint(sys.argv, dict(os.environ), open('/proc/self/cmdline').read()[-9:], os.getcwd())\n"
    printed = output_in_box(text, sandboxes.NONE)
    assert "['a.py']" in printed and str(ROOT) not in printed


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


# What is graded, and where


def test_the_sandbox_is_used_if_it_works_and_which_it_was_is_said(graded, one, monkeypatch):
    text = "import os\nprint(sorted(os.environ), os.path.exists('/etc/passwd'), os.getpid() < 20)\n"
    inside = sandboxes.works(sandboxes.BWRAP)
    done, _, told = graded({"ada": text}, one, sandbox="auto" if inside else "none")
    assert f"Sandbox: {'bubblewrap' if inside else 'none'}.\n" in done.stderr.decode()
    assert (
        f"printed:  ['HOME', 'LANG', 'PATH'{', ' + repr('PWD') if inside else ''}] {not inside} {inside}" in told["ada"]
    )
    monkeypatch.setattr(sandboxes, "works", lambda sandbox: False)  # on a very busy machine, not even "none" works
    done, _, _ = graded({"ada": text}, one, sandbox="none")
    assert b"Sandbox: none.\n" in done.stderr
    done = run(["grade", "--sandbox", "bwrap", ROOT / "tests" / "proj10.py"])
    assert done.returncode == 2 and b"bubblewrap is not installed, or does not work here" in done.stderr


@needs_sandbox
def test_there_is_no_network_in_the_sandbox():
    with socket.create_server(("127.0.0.1", 0)) as server:
        connects = f"s.settimeout(1)\n    print(s.connect_ex({server.getsockname()}))\n"
        text = f"import socket\nwith socket.socket() as s:\n    {connects}"
        printed = [output_in_box(text, where) for where in (sandboxes.NONE, sandboxes.BWRAP)]
    assert printed[0] == "0\n" != printed[1] != ""


def test_a_students_name_is_in_every_report_in_every_locale(tmp_path, one):
    (tmp_path / "Zoë 陈.py").write_text(PROJ10)
    start = ["grade", tmp_path / "Zoë 陈.py", *one.split(), "--csv", tmp_path / "grades.csv"]
    report = ["--feedback", tmp_path / "told", "--json", tmp_path / "x"]
    done = helpers.run_process([*start, *report], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()[1].startswith("Zoë 陈,,,100,100,100.0,")
    assert (tmp_path / "told" / "Zoë 陈.txt").read_text(encoding="utf-8").startswith("Zoë 陈: 100 of 100 points")
    assert "Zoë 陈: 100 of 100" in json.loads((tmp_path / "x").read_text(encoding="utf-8"))["output"]
