"""What a teacher and the students read: points, feedback, the class in one page, tables, and the results of Gradescope
and PrairieLearn."""

from __future__ import annotations

import json
import math
from collections import namedtuple
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from grading.answers import TEXT
from patience.text import printable

if TYPE_CHECKING:
    from grading.submissions import Submission

MAX_LETTERS = 200  # of a line
MAX_ERRORS = 12  # lines of a traceback
SLIP = 0.5  # of a kind of answer
MARKS = str.maketrans(" \t\r\n", "·→␍⏎")
NOTHING = "(nothing)"
NOT_LAID = "It deals a different board, so no call of another function was reached."
NO_BOARD = "No board can be read in what your program prints, so only the session's own answers are right."
UNSEEN = (NOT_LAID, NO_BOARD)  # what a machine cannot judge

# An answer that is not as it should be: where, what was expected, what was printed.
Difference = namedtuple("Difference", "where wanted printed")
# What costs a kind of answer once: its name, and the first Difference, or None.
Slip = namedtuple("Slip", "name difference")


def count(triples: Iterable[tuple[str, float, float]]) -> dict[str, tuple[float, float]]:
    """Return the sums of (kind, how many are right, how many there are) triples: kind -> (right, count)."""
    counts = {}
    for kind, right, of in triples:
        before = counts.get(kind, (0, 0))
        counts[kind] = before[0] + right, before[1] + of
    return counts


@dataclass
class Part:
    """The result of one session, or of one function."""

    name: str
    kinds: dict  # kind of answer -> (how many are right, how many there are)
    maximum: float  # points for the whole of it
    shares: dict = field(default_factory=dict)  # kind -> its share, if that is not right / count
    slips: list = field(default_factory=list)
    groups: list = field(default_factory=list)  # of wrong answers of functions
    remarks: list = field(default_factory=list)  # sentences
    difference: Difference | None = None  # the first answer that is wrong
    lines: list = field(default_factory=list)  # how it was judged, what failed
    errors: list = field(default_factory=list)  # lines of a traceback
    is_hidden: bool = False  # from the students

    @property
    def share(self) -> float:
        """The mean of the kinds' shares, each worth the square root of how many the part has of it, so that a win
        counts beside many moves; each slip costs SLIP of a kind."""
        if not self.kinds:
            return 0.0
        weights = {kind: math.sqrt(count) for kind, (_, count) in self.kinds.items()}
        shares = {kind: right / count for kind, (right, count) in self.kinds.items()} | self.shares
        mean = sum(weights[kind] * shares[kind] for kind in weights) / sum(weights.values())
        return max(0.0, round(mean - SLIP * len(self.slips) / len(weights), 6))

    @property
    def cost_of_slip(self) -> float:
        """The points that a slip takes, rounded."""
        return round(self.maximum * SLIP / max(1, len(self.kinds)), 2)

    @property
    def points(self) -> float:
        """Its points, rounded."""
        return round(self.maximum * self.share, 2)


def add_by_hand(graded: float, adjust: float) -> float:
    """Return the points of a grade with those by hand."""
    return max(0, round(graded + adjust, 2))


@dataclass
class Grade:
    """The result of one student's submission."""

    submission: Submission
    parts: list  # Parts: of functions, and of sessions
    penalty: float = 0  # points for each remark
    failure: str = ""  # why it could not be run
    note: str = ""  # how it was run, if that needs saying
    style: list = field(default_factory=list)  # remarks on its text
    when: float = 0  # it was graded
    adjust: float = 0  # points by hand,
    reason: str = ""  # and why

    @property
    def student(self) -> str:
        """The student's name."""
        return self.submission.student

    @property
    def remarks(self) -> list[str]:
        """Sentences, each once, with the sessions it is about."""
        names = {}
        for part in self.parts:
            for remark in part.remarks:
                names.setdefault(remark, []).append(part.name)
        told = [f"{remark} ({', '.join(names[remark])})" for remark in names]
        return [self.failure] * bool(self.failure) + told + self.style

    @property
    def maximum(self) -> float:
        """The points that can be had."""
        return round(sum(part.maximum for part in self.parts), 2)

    @property
    def graded(self) -> float:
        """The points without those by hand."""
        taken_off = 0 if self.failure else self.penalty * len(self.remarks)
        return max(0, round(sum(part.points for part in self.parts) - taken_off, 2))

    @property
    def points(self) -> float:
        """All points, those by hand too."""
        return add_by_hand(self.graded, self.adjust)

    @property
    def is_full(self) -> bool:
        """True if nothing is wrong."""
        return not self.failure and all(part.share == 1 for part in self.parts) and self.points >= self.maximum

    @property
    def kinds(self) -> dict[str, tuple[float, float]]:
        """What came of each kind of answer in all parts: kind -> (right, count)."""
        return count((kind, *pair) for part in self.parts for kind, pair in part.kinds.items())

    @property
    def percent(self) -> float:
        """The points in percent."""
        return round(100 * self.points / self.maximum, 1) if self.maximum else 0.0


# For a student


def summary(grade: Grade) -> str:
    """Return a grade in a line: ada: 85 of 87 points, 97.7 %."""
    return f"{grade.student}: {grade.points:g} of {grade.maximum:g} points, {grade.percent} %"


def feedback(grade: Grade) -> str:
    """Return the text for a student: the points, the remarks, and what is wrong in each part."""
    lines = [
        summary(grade),
        "",
        *(f"{part.name}: {part.points:g} of {round(part.maximum, 2):g}" for part in grade.parts),
    ]
    lines += remarks_of(grade)
    shown = {}  # what was said -> the part
    for part in (part for part in grade.parts if not part.is_hidden):
        rubric, text = describe_kinds(part), describe_part(part)
        if text and text in shown:
            lines += ["", f"--- {part.name}", *rubric, f"as in {shown[text]}"]
        elif rubric or text:
            lines += ["", f"--- {part.name}", *rubric, *text]
            shown[text] = part.name
    return "\n".join(lines) + "\n"


def remarks_of(grade: Grade) -> list[str]:
    """Return the lines of a grade that belong to no part."""
    cost = f" (-{grade.penalty:g})" if grade.penalty and not grade.failure else ""
    by_hand = f"By hand: {grade.adjust:+g}{f', {grade.reason}' if grade.reason else ''}"
    notes = [grade.note] * bool(grade.note) + [by_hand] * bool(grade.adjust)
    return [*notes, *(f"{remark}{cost}" for remark in grade.remarks)]


def describe_kinds(part: Part) -> list[str]:
    """Return a line that says what came of each kind, unless all is right."""
    if not part.kinds or part.share == 1:
        return []
    return [", ".join(f"{kind or 'answers'} {right:g} of {count}" for kind, (right, count) in part.kinds.items())]


def describe_part(part: Part) -> tuple[str, ...]:
    """Return the lines about what is wrong in a part, as a tuple."""
    lines = describe_difference(part.difference) if part.difference else []
    lines += part.lines
    for slip in part.slips:
        lines += [f"{slip.name}: costs {part.cost_of_slip:g} of {part.maximum:.4g} points"]
        lines += describe_difference(slip.difference, slip.name != TEXT) if slip.difference else []
    errors = part.errors[-MAX_ERRORS:]
    if len(part.errors) > MAX_ERRORS:
        errors.insert(0, f"... {len(part.errors) - MAX_ERRORS} lines before")
    return tuple(line if len(line) <= MAX_LETTERS else f"{line[:MAX_LETTERS]} ..." for line in [*lines, *errors])


def describe_difference(difference: Difference, shows_blanks: bool = False) -> list[str]:
    """Return lines that show the first line that differs. shows_blanks: also if only blanks do."""
    pairs = list(zip_longest(difference.wanted.splitlines(True), difference.printed.splitlines(True), fillvalue=""))
    differ = [(number, pair) for number, pair in enumerate(pairs, start=1) if pair[0] != pair[1]]
    clear = [item for item in differ if item[1][0].split() != item[1][1].split()]
    if not differ:
        return [difference.where]
    number, (wanted, printed) = (clear or differ)[0]
    if wanted.split() == printed.split() or shows_blanks:
        wanted, printed = wanted.translate(MARKS), printed.translate(MARKS)
    shown = [printable(text.rstrip("\n")) or NOTHING for text in (wanted, printed)]
    return [difference.where, f"line {number}:", f"  expected: {shown[0]}", f"  printed:  {shown[1]}"]


# For other systems


def output_of(part: Part) -> str:
    """Return the text of one part of a grade."""
    return "\n".join([*describe_kinds(part), *part.remarks, *describe_part(part)])


def gradescope(grade: Grade, sandbox: str) -> str:
    """Return results.json as Gradescope reads it."""
    tests = [
        {
            "name": part.name,
            "output": output_of(part),
            "score": part.points,
            "max_score": round(part.maximum, 2),
            "status": "passed" if part.share == 1 else "failed",
            "visibility": "hidden" if part.is_hidden else "visible",
        }
        for part in grade.parts
    ]
    output = "\n".join([summary(grade), *remarks_of(grade), sandbox])
    return json.dumps({"score": grade.points, "output": output, "tests": tests}, indent=1, ensure_ascii=False)


def prairielearn(grade: Grade, sandbox: str) -> str:
    """Return results.json as PrairieLearn reads it."""
    tests = [
        {
            "name": part.name,
            "output": output_of(part),
            "description": ", ".join(describe_kinds(part)) or ("all right" if part.share == 1 else "not run"),
            "points": part.points,
            "max_points": round(part.maximum, 2),
        }
        for part in grade.parts
        if not part.is_hidden
    ]
    results = {
        "gradable": not grade.failure,
        "score": grade.points / grade.maximum if grade.maximum else 0,
        "message": " ".join(grade.remarks),
        "output": "\n".join([summary(grade), *remarks_of(grade), sandbox]),
        "tests": tests,
    }
    return json.dumps(results, indent=1, ensure_ascii=False)


FORMATS = {"gradescope": gradescope, "prairielearn": prairielearn}
