"""What is told of a class: points, feedback, CSV, and the results of Gradescope, PrairieLearn and JUnit."""

import csv
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

from patience.text import printable

MAX_LINES = 60  # of a feedback
MAX_LETTERS = 200  # of a line
MAX_ERRORS = 12  # lines of a traceback
HEADING = ("student", "points", "maximum", "percent")
SLIP = 0.5
FORMULA = tuple("=+-@\t\r")  # begins one, in a table
STATUS = {True: "passed", False: "failed"}


@dataclass
class Part:
    """What one session, or the functions, came to."""

    name: str
    kinds: dict  # kind of answer, or function -> (how many are right, how many there are)
    maximum: float  # points for the whole of it
    shares: dict = field(default_factory=dict)  # kind -> its share, where it is not right / count
    made: int = 0  # moves that were really made, in a session or by the function move
    slips: list = field(default_factory=list)  # what costs a kind once
    remarks: list = field(default_factory=list)  # sentences
    told: list = field(default_factory=list)  # lines: the first difference, what failed
    errors: list = field(default_factory=list)  # lines of a traceback

    @property
    def right(self):
        return sum(right for right, _ in self.kinds.values())

    @property
    def count(self):
        return sum(count for _, count in self.kinds.values())

    @property
    def share(self):
        """The mean of the kinds' shares, each worth the same. Of a slip, SLIP of a kind is lost."""
        shares = [self.shares.get(kind, right / count) for kind, (right, count) in self.kinds.items()]
        return sum(shares) / (len(shares) + SLIP * len(self.slips)) if shares else 0.0

    @property
    def points(self):
        return round(self.maximum * self.share, 2)

    @property
    def is_full(self):
        return self.share == 1.0


@dataclass
class Grade:
    """What one student's submission came to."""

    student: str
    parts: list  # Parts: sessions, and the functions
    penalty: float = 0  # points for each remark
    reason: str = ""  # why it could not be run
    note: str = ""  # how it was run, if that needs saying

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
        return round(sum(part.maximum for part in self.parts), 2)

    @property
    def points(self):
        taken_off = 0 if self.reason else self.penalty * len(self.remarks)
        return max(0, round(sum(part.maximum * part.share for part in self.parts) - taken_off, 2))

    @property
    def is_full(self):
        return not self.reason and all(part.is_full for part in self.parts) and self.points == self.maximum

    @property
    def kinds(self):
        """What came of each kind of answer in all sessions: kind -> (right, count)."""
        found = {}
        for part in self.parts:
            for kind, (right, count) in part.kinds.items():
                before = found.get(kind, (0, 0))
                found[kind] = before[0] + right, before[1] + count
        return found

    @property
    def percent(self):
        return round(100 * self.points / self.maximum, 1) if self.maximum else 0.0


def summary(grade):
    """Return a grade in a line: ada: 85 of 87 points, 97.7 %."""
    return f"{grade.student}: {grade.points:g} of {grade.maximum:g} points, {grade.percent} %"


def feedback(grade):
    """Return the text for a student, of at most MAX_LINES lines."""
    lines = [
        summary(grade),
        "",
        *[f"{part.name}: {part.points:g} of {round(part.maximum, 2):g}" for part in grade.parts],
    ]
    lines += remarks_of(grade)
    shown = {}  # what was told -> the part
    for part in grade.parts:
        what = tuple(part.errors or part.told[1:])
        if part.told and what in shown and what:
            lines += ["", f"--- {part.name}", *rubric_of(part), f"as in {shown[what]}"]
        elif told := [*rubric_of(part), *part.told, *part.errors[-MAX_ERRORS:]]:
            lines += ["", f"--- {part.name}", *told]
            shown[what] = part.name
    lines = [line[:MAX_LETTERS] for line in "\n".join(lines).split("\n")]
    if len(lines) > MAX_LINES:
        lines[MAX_LINES - 1 :] = [f"... {len(lines) - MAX_LINES + 1} more lines"]
    return "\n".join(lines) + "\n"


def rubric_of(part):
    """Return lines that say what came of each kind, and of slips, if not all is right."""
    if not part.kinds or part.is_full:
        return []
    told = [f"{kind or 'answers'} {right:g} of {count}" for kind, (right, count) in part.kinds.items()]
    return [", ".join(told), *(f"{slip}: costs half a kind" for slip in part.slips)]


def remarks_of(grade):
    """Return the lines of a grade that belong to no part."""
    cost = f" (-{grade.penalty:g})" if grade.penalty and not grade.reason else ""
    return [*[grade.note] * bool(grade.note), *(f"{remark}{cost}" for remark in grade.remarks)]


def write_csv(grades, skipped, file):
    """Write a row of maxima, one for each student, and one for each name that was skipped, name -> why. file: a text
    stream opened with newline=""."""
    names = [part.name for part in grades[0].parts]
    kinds = list(dict.fromkeys(kind for grade in grades for kind in grade.kinds if kind))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*HEADING, *names, *kinds, "remarks"])
    most = [f"{round(part.maximum, 2):g}" for part in grades[0].parts]
    writer.writerow(["(maximum)", *[f"{grades[0].maximum:g}"] * 2, 100.0, *most, *[""] * len(kinds), ""])
    for grade in grades:
        writer.writerow(
            [
                safe(grade.student),
                f"{grade.points:g}",
                f"{grade.maximum:g}",
                grade.percent,
                *(f"{part.points:g}" for part in grade.parts),
                *("{:g} of {}".format(*grade.kinds[kind]) if kind in grade.kinds else "" for kind in kinds),
                safe(" ".join(remarks_of(grade))),
            ]
        )
    for name, why in skipped.items():
        writer.writerow([safe(name), *[""] * (len(HEADING) - 1 + len(names) + len(kinds)), f"skipped: {why}"])


def safe(text):
    """Return a text that no table takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def told_of(part):
    """Return the text of one part of a grade."""
    lines = [*rubric_of(part), *part.remarks, *part.told, *part.errors[-MAX_ERRORS:]]
    return "\n".join(line[:MAX_LETTERS] for line in lines if line)


def output_of(grade, sandbox):
    """Return what is told of a grade as a whole; the tests tell the rest. sandbox: a sentence, which it was."""
    return "\n".join([summary(grade), *remarks_of(grade), sandbox])


def gradescope(grades, sandbox):
    """Return results.json as Gradescope reads it. grades: of one submission."""
    (grade,) = grades
    tests = [
        {**shown_of(part), "score": part.points, "max_score": round(part.maximum, 2), "status": STATUS[part.is_full]}
        for part in grade.parts
    ]
    return in_json({"score": grade.points, "output": output_of(grade, sandbox), "tests": tests})


def prairielearn(grades, sandbox):
    """Return results.json as PrairieLearn reads it. grades: of one submission."""
    (grade,) = grades
    tests = [
        {
            **shown_of(part),
            "description": f"{part.right:g} of {part.count} answers",
            "points": part.points,
            "max_points": round(part.maximum, 2),
        }
        for part in grade.parts
    ]
    score = grade.points / grade.maximum if grade.maximum else 0
    told = {"message": " ".join(grade.remarks), "output": output_of(grade, sandbox)}
    return in_json({"gradable": not grade.reason, "score": score, **told, "tests": tests})


def shown_of(part):
    """Return what both systems want to know of a part of a grade."""
    return {"name": part.name, "output": told_of(part)}


def in_json(results):
    """Return results as JSON that a person can read."""
    return json.dumps(results, indent=1, ensure_ascii=False)


def junit(grades, sandbox):
    """Return the grades as JUnit XML: a suite for each student, a case for each session. sandbox is told already."""
    suites = ElementTree.Element("testsuites")
    for grade in grades:
        failed = [part for part in grade.parts if not part.is_full]
        student = printable(grade.student)
        suite = ElementTree.SubElement(
            suites, "testsuite", name=student, tests=str(len(grade.parts)), failures=str(len(failed)), errors="0"
        )
        for part in grade.parts:
            case = ElementTree.SubElement(suite, "testcase", classname=student, name=part.name)
            if part in failed:
                failure = ElementTree.SubElement(case, "failure", message=f"{part.right:g} of {part.count} right")
                told = "\n".join(filter(None, [grade.reason, told_of(part)]))
                failure.text = "".join(letter for letter in told if letter.isprintable() or letter == "\n")
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


FORMATS = {"gradescope": gradescope, "prairielearn": prairielearn, "junit": junit}
ONE_SUBMISSION = ("gradescope", "prairielearn")
