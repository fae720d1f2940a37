"""What is told of a class: points, feedback, CSV, and the results of Gradescope, PrairieLearn and JUnit."""

import csv
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

from patience.game.text import printable

MOST_LINES = 60  # of a feedback
MOST_LETTERS = 200  # of a line
MOST_ERRORS = 12  # lines of a traceback
HEADING = ("student", "points", "maximum", "percent")
FULL, PARTLY = "passed", "failed"


@dataclass
class Part:
    """What one session, or the functions, came to."""

    name: str
    right: int
    count: int
    weight: float = None  # points for the whole of it; None: one for each answer
    blanks: int = 0  # answers that are wrong only in blanks
    remarks: list = field(default_factory=list)  # sentences
    told: list = field(default_factory=list)  # lines: the first difference, what failed
    errors: list = field(default_factory=list)  # lines of a traceback

    @property
    def maximum(self):
        return self.count if self.weight is None else self.weight

    @property
    def points(self):
        return self.right if self.weight is None else round(self.right * self.weight / self.count, 2)


@dataclass
class Grade:
    """What one student's submission came to."""

    student: str
    parts: list  # Parts: sessions, and the functions
    penalty: float = 0  # points for each remark
    reason: str = ""  # why it could not be run

    @property
    def remarks(self):
        """Sentences, each once, with the sessions it is about."""
        names = {}
        for part in self.parts:
            for remark in part.remarks:
                names.setdefault(remark, []).append(part.name)
        return [self.reason] * bool(self.reason) + [f"{remark} ({', '.join(names[remark])})" for remark in names]

    @property
    def maximum(self):
        return sum(part.maximum for part in self.parts)

    @property
    def points(self):
        taken_off = 0 if self.reason else self.penalty * len(self.remarks)
        return max(0, round(sum(part.points for part in self.parts) - taken_off, 2))

    @property
    def percent(self):
        return round(100 * self.points / self.maximum, 1) if self.maximum else 0.0


def summary(grade):
    """Return a grade in a line: ada: 85 of 87 points, 97.7 %."""
    return f"{grade.student}: {grade.points:g} of {grade.maximum:g} points, {grade.percent} %"


def feedback(grade):
    """Return the text for a student, of at most MOST_LINES lines."""
    lines = [summary(grade), ""]
    lines += [f"{part.name}: {part.points:g} of {part.maximum:g}" for part in grade.parts]
    if blanks := sum(part.blanks for part in grade.parts):
        lines.append(f"Wrong only in blanks or newlines: {blanks} of the answers.")
    lines += [
        f"{remark} (-{grade.penalty:g})" if grade.penalty and not grade.reason else remark for remark in grade.remarks
    ]
    shown = {}  # what was told -> the part
    for part in grade.parts:
        what = (*part.told[1:], *part.errors)
        if part.told and what in shown and what:
            lines += ["", f"--- {part.name}: as in {shown[what]}"]
        elif part.told or part.errors:
            lines += ["", f"--- {part.name}", *part.told, *part.errors[-MOST_ERRORS:]]
            shown[what] = part.name
    lines = [line[:MOST_LETTERS] for line in "\n".join(lines).split("\n")]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 1 :] = [f"... {len(lines) - MOST_LINES + 1} more lines"]
    return "\n".join(lines) + "\n"


def write_csv(grades, file):
    """Write a row for each student. file: a text stream opened with newline=""."""
    sessions = list(dict.fromkeys(part.name for grade in grades for part in grade.parts if part.name != "functions"))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*HEADING, *sessions, "functions", "remarks"])
    for grade in grades:
        points = {part.name: f"{part.points:g}" for part in grade.parts}
        writer.writerow(
            [
                grade.student,
                f"{grade.points:g}",
                f"{grade.maximum:g}",
                grade.percent,
                *(points.get(name, "") for name in [*sessions, "functions"]),
                " ".join(grade.remarks),
            ]
        )


def told_of(grade, part):
    """Return the text of one part of a grade."""
    lines = [grade.reason, *part.remarks, *part.told, *part.errors[-MOST_ERRORS:]]
    return "\n".join(line[:MOST_LETTERS] for line in lines if line)


def gradescope(grades):
    """Return results.json as Gradescope reads it. grades: of one submission."""
    grade = grades[0]
    return json.dumps(
        {
            "score": grade.points,
            "output": feedback(grade),
            "tests": [
                {
                    "name": part.name,
                    "score": part.points,
                    "max_score": part.maximum,
                    "output": told_of(grade, part),
                    "status": FULL if part.right == part.count else PARTLY,
                }
                for part in grade.parts
            ],
        },
        indent=1,
        ensure_ascii=False,
    )


def prairielearn(grades):
    """Return results.json as PrairieLearn reads it. grades: of one submission."""
    grade = grades[0]
    return json.dumps(
        {
            "gradable": not grade.reason,
            "score": grade.points / grade.maximum if grade.maximum else 0,
            "message": " ".join(grade.remarks),
            "output": feedback(grade),
            "tests": [
                {
                    "name": part.name,
                    "description": f"{part.right} of {part.count} answers",
                    "points": part.points,
                    "max_points": part.maximum,
                    "output": told_of(grade, part),
                }
                for part in grade.parts
            ],
        },
        indent=1,
        ensure_ascii=False,
    )


def junit(grades):
    """Return the grades as JUnit XML: a suite for each student, a case for each session."""
    suites = ElementTree.Element("testsuites")
    for grade in grades:
        failed = [part for part in grade.parts if part.right < part.count]
        student = printable(grade.student)
        suite = ElementTree.SubElement(
            suites, "testsuite", name=student, tests=str(len(grade.parts)), failures=str(len(failed)), errors="0"
        )
        for part in grade.parts:
            case = ElementTree.SubElement(suite, "testcase", classname=student, name=part.name)
            if part in failed:
                failure = ElementTree.SubElement(case, "failure", message=f"{part.right} of {part.count} right")
                failure.text = "".join(
                    letter for letter in told_of(grade, part) if letter.isprintable() or letter == "\n"
                )
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


FORMATS = {"gradescope": gradescope, "prairielearn": prairielearn, "junit": junit}
ONE_SUBMISSION = ("gradescope", "prairielearn")
