"""The points of a class in the form that a learning platform reads. The platform identifies a student by a number in
the name of the file that was handed in."""

from __future__ import annotations

import csv
import html
from pathlib import Path
from typing import IO, TYPE_CHECKING

from patience.grading.report import reports
from patience.grading.report.tables import escape

if TYPE_CHECKING:
    from patience.grading.judge.grades import Grade

POSSIBLE = "    Points Possible"  # the first cell of Canvas's second row


def write_canvas(grades: list[Grade], file: IO[str], assignment: str) -> None:
    """Write the table that Canvas's gradebook imports. assignment: its name there."""
    most = f"{grades[0].maximum:g}"
    rows = [[escape(one.student), one.submission.id, "", "", "", f"{one.points:g}"] for one in grades]
    heading = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment]
    csv.writer(file, lineterminator="\n").writerows([heading, [POSSIBLE, "", "", "", "", most], *rows])


def write_moodle(grades: list[Grade], file: IO[str], assignment: str) -> None:
    """Write a Moodle grading worksheet, with each student's feedback as the comment."""
    heading = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    rows = [
        [
            f"Participant {one.submission.id}",
            escape(one.student),
            f"{one.points:g}",
            f"{one.maximum:g}",
            f"<pre>{html.escape(reports.feedback(one))}</pre>",
        ]
        for one in grades
    ]
    csv.writer(file, lineterminator="\n").writerows([heading, *rows])


GRADEBOOKS = {"canvas": write_canvas, "moodle": write_moodle}


def write(platform: str, path: Path, grades: list[Grade], file: IO[str]) -> list[str]:
    """Write a platform's gradebook to a file; return the students without a number, who are not in it. path: the file,
    which is named after the assignment."""
    known = [one for one in grades if one.submission.id]
    if known:
        GRADEBOOKS[platform](known, file, path.stem)
    return [one.student for one in grades if not one.submission.id]
