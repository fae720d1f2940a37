"""The table of a class: written as CSV, merged into an older one, or compared with it."""

from __future__ import annotations

import contextlib
import csv
import re
import time
import unicodedata
from collections import Counter
from typing import IO, TYPE_CHECKING, Any

from patience.grading.judge.grades import Grade, add_by_hand
from patience.text import read_at_most, text_of

if TYPE_CHECKING:
    from pathlib import Path

FORMULA = tuple("=+-@\t\r;")  # each begins a formula in a table
OURS = "("  # begins the first cell of a row that is not a student's
HEADING = ["student", "id", "late", "points", "maximum", "percent"]
# At the end: the points without those given by hand, when the file was graded, its hash, and what a teacher fills in.
GIVEN = ["adjust", "reason"]
LAST = ["remarks", "graded", "when", "file", *GIVEN]
WHEN = "%Y-%m-%d %H:%M"
MAXIMUM, SKIPPED = "(maximum)", "(skipped)"
DECIMAL = re.compile(r"^([+-]?\d+),(\d+)$")
MAX_CELL = 1 << 24  # letters of a cell
MAX_TABLE = 1 << 28  # bytes
MAX_ADJUST = 10**6  # points by hand


def escape(text: str) -> str:
    """Return text in a form that no spreadsheet takes for a formula, and nobody for one of our own rows."""
    return f"'{text}" if text.startswith((*FORMULA, OURS, "'")) else text


def unescape(text: str) -> str:
    """Return text as it was before escape."""
    return text.removeprefix("'")


def is_ours(row: dict[str, Any]) -> bool:
    """Return True for a row that does not belong to a student: the maxima, or what was skipped."""
    return row["student"].startswith(OURS)


def rows_of(grades: list[Grade], skipped: dict[str, str]) -> list[dict[str, Any]]:
    """Return the rows of a table as dicts: one for each student, one for each skipped name (skipped: name -> why), and
    the maxima last."""
    rows = []
    for grade in grades:
        late = "LATE" if grade.submission.is_late else ""
        row = {"student": escape(grade.student), "id": grade.submission.id, "late": late}
        row |= {"points": f"{grade.points:g}", "maximum": f"{grade.maximum:g}", "percent": str(grade.percent)}
        row |= {part.name: f"{part.points:g}" for part in grade.parts}
        row |= {kind: f"{right:g} of {count}" for kind, (right, count) in grade.kinds.items() if kind not in ("", *row)}
        remarks = [*filter(None, [grade.note]), *grade.remarks]
        row |= {"remarks": escape(" ".join(remarks)), "graded": f"{grade.graded:g}"}
        row |= {"when": time.strftime(WHEN, time.localtime(grade.when)), "file": grade.submission.hash}
        rows.append({**row, "adjust": f"{grade.adjust:g}" if grade.adjust else "", "reason": escape(grade.reason)})
    rows += [{"student": f"{SKIPPED} {name}", "remarks": escape(why)} for name, why in skipped.items()]
    if grades:
        parts = {part.name: f"{round(part.maximum, 2):g}" for part in grades[0].parts}
        most = f"{grades[0].maximum:g}"
        rows.append({"student": MAXIMUM, "points": most, "maximum": most, "percent": "100.0", **parts})
    return rows


def write_table(rows: list[dict[str, Any]], file: IO[str]) -> None:
    """Write rows as CSV. file: a text stream opened with newline=""."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    middle = [name for name in names if name not in (*HEADING, *LAST)]
    # All cells are quoted: a spreadsheet that splits at semicolons takes what follows one in a name for a formula.
    writer = csv.DictWriter(file, [*HEADING, *middle, *LAST], lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)


def read_table(path: Path) -> dict[str, dict[str, str]]:
    """Return only the students' rows of an existing table, student -> row. Raises ValueError, with the file's name, if
    it is another kind of file, or OSError if it cannot be read."""
    rows = [row for row in read_rows(path) if not is_ours(row)]
    return {unicodedata.normalize("NFC", unescape(row["student"])): row for row in rows}


def row_of(table: dict[str, dict[str, str]], student: str, number: str) -> dict[str, str] | None:
    """Return the row of a student, or None. number: the student's number on the platform, or "". If the student or the
    row has no number, the name decides."""
    named = table.get(student)
    numbered = [row for row in table.values() if number and row.get("id") == number]
    if named in numbered or named and not (number and named.get("id")):
        return named
    return next(iter(numbered), None)


def name_in(table: dict[str, dict[str, str]], student: str, number: str) -> str:
    """Return the name of a student in a table: the existing one, or the student's own, with the number added if another
    student has that name."""
    row = row_of(table, student, number)
    return unescape(row["student"]) if row else f"{student} {number}" if student in table else student


def merge(table: dict[str, dict[str, str]], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a table in which the given rows replace older ones, sorted by the students' names. What was
    given by hand stays, and counts in all of them."""
    replaced = [row_of(table, unescape(row["student"]), row["id"]) for row in rows]
    new = [
        row | {name: (old or row)[name] for name in GIVEN if (old or row).get(name)} for row, old in zip(rows, replaced)
    ]
    merged = [*(row for row in table.values() if row not in replaced), *new]
    count_again(merged)
    return sorted(merged, key=lambda row: unescape(row["student"]))


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return all rows of a table; otherwise like read_table."""
    try:
        return rows_in(text_of(read_at_most(path, MAX_TABLE)))
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path}: {error}") from None


def rows_in(text: str) -> list[dict[str, str]]:
    """Return the rows of a table. Raises ValueError, or csv.Error."""
    csv.field_size_limit(MAX_CELL)
    heading = text.partition("\n")[0]
    delimiter = max(",;\t", key=heading.count)
    reader = csv.DictReader(text.splitlines(keepends=True), delimiter=delimiter)
    if not {"student", "points"} <= set(reader.fieldnames or ()):
        raise ValueError("it is not a table of grades, which has the columns student and points.")
    rows = [{name: cell or "" for name, cell in row.items() if name} for row in reader]
    if delimiter != ",":  # for a spreadsheet that writes 59,1
        rows = [{name: DECIMAL.sub(r"\1.\2", cell) for name, cell in row.items()} for row in rows]
    students = [row for row in rows if not is_ours(row)]
    counts = Counter(row["student"] for row in students)
    if twice := [student for student, count in counts.items() if count > 1]:
        raise ValueError(f"it lists {twice[0]} twice.")
    for row in rows:
        for name in ("points", "adjust", "graded", "maximum"):
            with contextlib.suppress(ValueError):
                if abs(float(row.get(name) or 0)) <= MAX_ADJUST:
                    continue
            raise ValueError(f"{row['student']}: {name} is not a number of points: {row[name]}")
    return rows


def check_parts(path: Path | None, weights: dict[str, float]) -> None:
    """Raise ValueError if a table was graded with different sessions or functions from those that have points now, or
    out of another total. path: None if there is no table."""
    maxima = next((row for row in read_rows(path) if row["student"] == MAXIMUM), {}) if path else {}
    parts = {name for name, cell in maxima.items() if cell and name not in (*HEADING, *LAST)}
    if parts and parts != {name for name, points in weights.items() if points}:
        raise ValueError(f"{path} was graded with different sessions or functions: --csv writes a new table.")
    old, new = maxima.get("maximum"), f"{round(sum(weights.values()), 2):g}"
    if old and float(old) != float(new):
        raise ValueError(f"{path} is out of {old}, but these points are out of {new}: see --out-of.")


def take_over(grade: Grade, row: dict[str, str]) -> None:
    """Copy from a student's row what was given by hand."""
    grade.adjust, grade.reason = float(row.get("adjust") or 0), unescape(row.get("reason", ""))


def count_again(rows: list[dict[str, str]]) -> list[str]:
    """Add the points given by hand to the points in a table's rows, in place; return a line for each student whose
    points change."""
    old = {unescape(row["student"]): dict(row) for row in rows}
    for row in rows:
        if not is_ours(row) and row.get("graded"):
            row["points"] = f"{add_by_hand(float(row['graded']), float(row.get('adjust') or 0)):g}"
            if float(row.get("maximum") or 0):
                row["percent"] = str(round(100 * float(row["points"]) / float(row["maximum"]), 1))
    return compare_tables(old, rows)


def other_files(old: dict[str, dict[str, str]], grades: list[Grade]) -> list[str]:
    """Return the students whose file has changed since the table was made, and when each was graded."""
    rows = [(grade, row_of(old, grade.student, grade.submission.id) or {}) for grade in grades]
    return [
        f"{grade.student} ({row.get('when') or 'before'})"
        for grade, row in rows
        if row.get("file") not in (None, "", grade.submission.hash)
    ]


def compare_tables(old: dict[str, dict[str, str]], rows: list[dict[str, Any]]) -> list[str]:
    """Return a line for each student whose points differ from those in an older table."""
    changes = []
    for row in rows:
        student = unescape(row["student"])
        before = (row_of(old, student, row.get("id", "")) or {}).get("points")
        if not is_ours(row) and row.get("points") and (not before or float(before) != float(row["points"])):
            by = f", {float(row['points']) - float(before):+g}" if before else ""
            changes.append(f"{student}: {before or 'new'} -> {row['points']}{by}")
    return changes or ["No points have changed."]
