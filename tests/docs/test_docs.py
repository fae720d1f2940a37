"""Every block in README.md and docs/ is run: command lines, and sessions with their output.

A fenced block that cannot be run here has NOT_RUN after its language; readers do not see this.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

import helpers
import main
from helpers import PROMPT, ROOT, run
from patience.table.records import store
from patience.text import card_of

NOT_RUN = "not-run"
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:(?: {4,}|\t)[^\n]*\n|\n(?= {4}))+)")
SHOWN = "\n".join(
    path.read_text(encoding="utf-8")
    for path in [*sorted(helpers.SCRIPTS.glob("*.out")), *sorted((ROOT / "tests" / "sessions").glob("*.txt"))]
)
# What a placeholder in capitals stands for here.
STANDS_FOR = {"GAME": "klondike", "FOLDER": "folder", "submissions/": "class", "FILE": "saved.txt"}
LESS = {  # the same command, in less time
    "grade docs/assignment/proj10.py": "grade docs/assignment/proj10.py --sessions folder", "grade submissions/ --": "grade submissions/ --sessions folder --",
    "grade docs/assignment/submissions/ --": "grade docs/assignment/submissions/ --sessions folder --",
    "--deals 100": "--deals 2", "sessions make FOLDER": "sessions make new --count 1 --seed 7",
    "sessions export FOLDER plain": "sessions export FOLDER new",
}  # fmt: skip


def blocks_in(document):
    """Return the blocks of a document that are run: (language, or None if it is indented, text)."""
    text = document.read_text(encoding="utf-8")
    fenced = [found.groups() for found in FENCED.finditer(text) if not found[1].endswith(NOT_RUN)]
    return fenced + [(None, found[0]) for found in INDENTED.finditer(FENCED.sub("\n", text))]


BLOCKS = [
    (document.relative_to(ROOT).as_posix().removeprefix("docs/"), *block)
    for document in DOCUMENTS
    for block in blocks_in(document)
]


@pytest.fixture
def place(tmp_path):
    """A folder with everything that the command lines of the documents need."""
    (tmp_path / "saved.txt").write_text("# klondike --seed 8\nsw\n", encoding="utf-8")
    (tmp_path / "class.csv").write_text("student,points,remarks,adjust,reason\nada,90,,1,kind\n", encoding="utf-8")
    ada, folder = helpers.make_folder(tmp_path / "class" / "ada"), helpers.make_folder(tmp_path / "folder")
    for path in (ROOT / "tests" / "proj10.py", ROOT / "cards.py", ROOT / "klondike.py"):
        shutil.copy(path, tmp_path)
    shutil.copy(tmp_path / "proj10.py", ada)
    for path in [*helpers.COURSE.glob("course.deck"), *helpers.COURSE.glob("montana-course1.*")]:
        shutil.copy(path, folder)
        shutil.copy(path, tmp_path / path.name.replace("montana-course1", "session"))
    for name in ("patience", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    store.save(store.SavedGame(None, "klondike", 8, None, "SW\n"))
    return tmp_path


def test_the_first_screen_of_the_front_page_is_what_the_assignment_prints():
    """Except for what is typed, and for whitespace."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("```text not-run\n")[1].split("```")[0]
    done = run(["montana", "--deck", helpers.COURSE / "course.deck"], "4 13 1 10\n")
    words = text.replace(" 4 13 1 10\n", " ").split()
    assert done.stdout.decode().partition("\n")[2].split()[: len(words)] == words


# Command lines


def filled_in(line):
    """Return a command line with something real for each of its placeholders."""
    for old, new in LESS.items():
        line = line.replace(old, new)
    return " ".join(STANDS_FOR.get(word, word) for word in line.partition(" #")[0].split())


def run_line(line, place):
    """Run a command line of a document, in this process if it needs no shell; return the same as subprocess.run."""
    line = filled_in(line)
    first, *words_of_line = shlex.split(line)
    if words_of_line[0] == "main.py" and not set(line) & set("|<>$;&"):
        done = run(words_of_line[1:], cwd=place)
        return subprocess.CompletedProcess(line, done.returncode, done.stdout.decode(), done.stderr.decode())
    line = re.sub(r"\bpython3?\b", shlex.quote(sys.executable), line)
    line = re.sub(r" (main|montana)\.py", lambda name: f" {shlex.quote(str(ROOT / name[0].strip()))}", line)
    line = re.sub(r"(?<= )(folder|cards\.py|report\.xml)\b", lambda name: str(place / name[0]), line)
    command, folder = ["bash", "-euo", "pipefail", "-c", line], ROOT if " -m " in line else place
    return subprocess.run(command, cwd=folder, input="", capture_output=True, encoding="utf-8", timeout=helpers.SECONDS)


def is_command_line(text):
    return re.match(r"(echo .* \| )?python3? (main\.py|montana\.py|-m|-c|tests/)(?! venv)", text)


COMMAND_LINES = [*{
    filled_in(line.strip()): line.strip() for _, language, text in BLOCKS if language is None
    for line in text.replace("\\\n", " ").splitlines() if is_command_line(line.strip())
}.values()]  # fmt: skip


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_each_command_line_runs(line, place):
    if "acesup" in line or "tools.picture" in line:
        pytest.skip("test_new_game.py runs it, where there is this game; test_pictures.py into another folder")
    if " grade " in line and not hasattr(os, "fork"):
        pytest.skip("programs of others are not run on Windows")
    if "-m pytest" in line and "--junitxml" not in line:  # which tests these are, because others run them
        line += " --collect-only -q"
    done = run_line(line, place)
    right = (0, 1) if "docs/assignment" in line else (0,)  # stubs, and a class with a mistake each
    assert done.returncode in right and "Traceback" not in done.stderr, (done.stderr + done.stdout)[-500:]


# Blocks


@pytest.mark.parametrize("document, language, text", BLOCKS, ids=lambda value: str(value)[:30])
def test_each_block_is_of_a_kind_that_is_run(document, language, text, place):
    if language is not None:
        assert document in RUN_ELSEWHERE, f"{document}: nobody runs this block; mark it {NOT_RUN}"
        test = (ROOT / "tests" / RUN_ELSEWHERE[document]).read_text(encoding="utf-8")
        assert document in test and "```" + language.partition(" ")[0] in test
        return
    first, _, rest = text.strip("\n").partition("\n")
    lines_of_block = [line.strip() for line in text.strip().replace("\\\n", " ").splitlines()]
    if all(map(is_command_line, lines_of_block)):
        return  # test_each_command_line_runs runs it
    if first.strip().startswith("python3 -m venv"):
        assert SETS_UP.fullmatch(first.strip()), ".ci/run runs it"
    elif is_command_line(first.strip()):
        done = run_line(first.strip(), place)
        assert f"\n{re.sub('(?m)^ {4}', '', rest).rstrip()}\n" in "\n" + re.sub(
            "(?m) +$", "", done.stdout.replace(PROMPT, "\n")
        )
    elif first.strip().startswith("# "):
        assert first.split()[1] in [*main.GAMES, "prompt:"]
    else:
        assert re.sub("(?m)^ {4}", "", text).strip("\n") in SHOWN, f"{document}: nobody knows what this block is"


SETS_UP = re.compile(
    r"python3 -m venv \.venv && (\. \.venv/bin/activate && python -m pip install -q -r requirements\.txt && python main\.py "
    r"play klondike --seed 8|\.venv/bin/pip install -q -r requirements-test\.txt && \.venv/bin/python -m pytest -n auto --dist worksteal)"
)
RUN_ELSEWHERE = {
    "spoken.md": "consoles/test_terminal.py",
    "assignment/README.md": "grading/test_judging.py",
    "new_game.md": "docs/test_new_game.py",
    "graders.md": "grading/test_grading.py",
}


# Exit statuses


def test_the_exit_statuses_are_those_of_the_table():
    """The statuses that the recorded sessions end with."""
    table = re.findall(r"^\| (\d+) \| ", (ROOT / "docs" / "playing.md").read_text(encoding="utf-8"), re.MULTILINE)
    sessions = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "sessions").glob("*.txt"))
    assert {*table} == {*re.findall(r"^    \[(\d+)\]$", sessions, re.MULTILINE)}


@pytest.mark.parametrize("document", ["exercises.md", "new_game.md"])
def test_what_students_are_told_to_read_is_there(document):
    """Each name in backquotes is in the files that its clause names, or else somewhere in the project."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```.*?```", text, re.DOTALL))
    paragraphs = re.sub(r"```.*?```|(?m:^ {4}.*$)", "", text, flags=re.DOTALL).split("\n\n")
    folders = ("*.py", "patience/**/*.py")
    paths = [path for folder in folders for path in ROOT.glob(folder)]
    everything = code + text + "\n".join(path.read_text(encoding="utf-8") for path in paths)
    missing = []
    for clause in [clause for paragraph in paragraphs for clause in re.split("[;,.] ", paragraph.replace("\n", " "))]:
        files = [ROOT / name for name in re.findall(r"in `([\w/]+\.py)`", clause)]
        named = "\n".join(path.read_text(encoding="utf-8") for path in files)
        for name in re.findall(r"`([A-Za-z_]\w+)(?:\(.*?\))?`", clause):
            there = named if files and document == "exercises.md" else everything.replace(f"`{name}", "")
            if not re.search(rf"\b{name}\b", there) and not card_of(name):
                missing.append((name, clause))
    assert not missing
