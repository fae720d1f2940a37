"""A class that is graded as the command does it."""

import csv
import shutil

import pytest

import helpers
from patience.grading.courses.known import course_of
from patience.grading.courses.montana.handout import Montana
import in_process


@pytest.fixture(scope="session")
def one(tmp_path_factory):
    """An option: a folder with one session that includes a shuffle."""
    folder = tmp_path_factory.mktemp("one")
    for name in ("course.deck", "montana-course2.in", "montana-course2.out"):
        shutil.copy(helpers.COURSE / name, folder)
    return f"--sessions {folder}"


@pytest.fixture
def few_calls(monkeypatch):
    """Ask for the first and the last call of each rule only."""
    rules = [
        rule._replace(cases=[*rule.cases[:1], *rule.cases[-1:]]) for rule in course_of("montana").function_rules(0)
    ]
    monkeypatch.setattr(Montana, "function_rules", lambda course, seed: rules)


@pytest.fixture
def without_boxes():
    """Run in this process what is run in a box."""
    with in_process.without_boxes():
        yield


@pytest.fixture
def graded(tmp_path):
    """A function that grades a class, given as a dict of student -> text, bytes or dict of files, and what is in the
    folder already; it returns the process, the rows of the table by student, and the feedback."""

    def grade(students, options="", sandbox="none", jobs=1):
        folder, table, told = tmp_path / "class", tmp_path / "grades.csv", tmp_path / "out"
        for student, files in students.items():
            (folder / student).mkdir(parents=True, exist_ok=True)
            for name, text in (files if isinstance(files, dict) else {"proj10.py": files}).items():
                (folder / student / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        table.unlink(missing_ok=True)
        done = helpers.run(
            f"grade {folder} --csv {table} --feedback {told} --jobs {jobs} --sandbox {sandbox} {options}"
        )
        with open(table, newline="", encoding="utf-8-sig") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        return (
            done,
            rows,
            {path.stem: path.read_text(encoding="utf-8") for path in told.glob("*.txt") if path.is_file()},
        )

    return grade
