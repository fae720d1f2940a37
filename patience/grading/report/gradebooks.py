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
    texts: list[str]  # each row as it stands in the file
    delimiter: str
    end: str  # of a line
    encoding: str


def read(path: Path, column: str) -> Gradebook:
    """Return a table. Raises OSError, or ValueError if it is not UTF-8, or has no such column, or none for names."""
    data = read_at_most(path)
    text = text_of(data)
    lines, first = io.StringIO(text, newline="").readlines(), text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader, rows, texts, read_before = csv.reader(lines, delimiter=delimiter), [], [], 0
    for row in reader:
        rows.append(row)
        texts.append("".join(lines[read_before : reader.line_num]))
        read_before = reader.line_num
    headings = rows[0] if rows else []
    if column not in headings:
        raise ValueError(f"{path}: there is no column {column}.")
    if not {*NUMBERS, *(name for some in NAMES for name in some)} & {*headings}:
        raise ValueError(f"{path}: there is no column for students, such as {', '.join(some[0] for some in NAMES)}.")
    encoding = "utf-8" if data[:1].isascii() else "utf-8-sig"
    return Gradebook(rows, texts, delimiter, "\r\n" if first.endswith("\r") else "\n", encoding)


def fill(table: Gradebook, column: str, grades: list[Grade], file: IO[str]) -> list[str]:
    """Write a table, with the points of those who are graded in a column; return the students without a row. All other
    rows stay as they are, to the letter."""
    rows, missing = table.rows, []
    headings, at = rows[0], rows[0].index(column)
    numbers = [headings.index(name) for name in NUMBERS if name in headings]
    names = [[headings.index(name) for name in some] for some in NAMES if {*some} <= {*headings}]
    by_number: dict[str, list[int]] = {}  # the numbers of rows
    by_name: dict[frozenset[str], list[int]] = {}
    for place, row in enumerate(rows[1:], start=1):
        cells = [*row, *[""] * (len(headings) - len(row))]
        for digits in (DIGITS.search(cells[number]) for number in numbers):
            by_number.setdefault(digits.group() if digits else "", [place])
        for some in names:
            by_name.setdefault(words_of(" ".join(cells[one] for one in some)), []).append(place)
    for grade in grades:
        number = grade.submission.id
        found = by_number.get(number, []) if number else []
        found = found or by_name.get(words_of(grade.student), [])
        if len(found) != 1:  # or two of the same name
            missing.append(grade.student)
            continue
        row = rows[found[0]]
        row += [""] * (at + 1 - len(row))
        row[at] = f"{grade.points:g}".replace(".", "," if table.delimiter == ";" else ".")
        text = io.StringIO()
        csv.writer(text, delimiter=table.delimiter, lineterminator=table.end).writerow(row)
        is_open = not table.texts[found[0]].endswith("\n")  # the last line of some files
        table.texts[found[0]] = text.getvalue().removesuffix(table.end * is_open)
    file.write("".join(table.texts))
    return missing


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name, in whatever order they are written."""
    return frozenset(re.findall(r"\w+", name.lower()))
