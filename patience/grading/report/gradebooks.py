"""Points written into the table that a learning platform has exported: Canvas, Moodle's worksheet, D2L. A row is found
by the student's number, or else by the name; all other columns stay as they are."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from patience.text import read_at_most, text_of

if TYPE_CHECKING:
    from patience.grading.judge.grades import Grade

NUMBERS = ("ID", "Identifier", "OrgDefinedId", "Username", "SIS User ID")  # columns with a student's number
NAMES = (("Student",), ("Full name",), ("First Name", "Last Name"))  # and with the name
DIGITS = re.compile(r"\d+")


class Gradebook(NamedTuple):
    """A table that a platform has exported, and how it was written."""

    rows: list[list[str]]  # the headings first
    delimiter: str
    end: str  # of a line
    encoding: str


def read(path: Path, column: str) -> Gradebook:
    """Return a table. Raises OSError, or ValueError if it has no such column."""
    data = read_at_most(path)
    text = text_of(data, "replace")
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    if not rows or column not in rows[0]:
        raise ValueError(f"{path}: there is no column {column}.")
    encoding = "utf-8" if data[:1].isascii() else "utf-8-sig"
    return Gradebook(rows, delimiter, "\r\n" if first.endswith("\r") else "\n", encoding)


def fill(table: Gradebook, column: str, grades: list[Grade], file: IO[str]) -> list[str]:
    """Write a table, with the points of those who are graded in a column; return the students without a row."""
    rows, missing = table.rows, []
    headings, at = rows[0], rows[0].index(column)
    numbers = [headings.index(name) for name in NUMBERS if name in headings]
    names = [[headings.index(name) for name in some] for some in NAMES if {*some} <= {*headings}]
    by_number: dict[str, list[list[str]]] = {}
    by_name: dict[frozenset[str], list[list[str]]] = {}
    for row in rows[1:]:
        cells = [*row, *headings[len(row) :]]
        for digits in (DIGITS.search(cells[number]) for number in numbers):
            by_number.setdefault(digits.group() if digits else "", [row])
        for some in names:
            by_name.setdefault(words_of(" ".join(cells[one] for one in some)), []).append(row)
    for grade in grades:
        number = grade.submission.id
        found = by_number.get(number, []) if number else []
        found = found or by_name.get(words_of(grade.student), [])
        if len(found) == 1:  # and not two of the same name
            found[0].extend([""] * (at + 1 - len(found[0])))
            found[0][at] = f"{grade.points:g}"
        else:
            missing.append(grade.student)
    csv.writer(file, delimiter=table.delimiter, lineterminator=table.end).writerows(rows)
    return missing


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name, in whatever order they are written."""
    return frozenset(re.findall(r"\w+", name.lower()))
