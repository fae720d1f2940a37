"""The results for teachers and students: points, feedback, and the file for Gradescope."""

from __future__ import annotations

import json
import shlex
from itertools import zip_longest

from patience.grading.courses.answers import TEXT
from patience.grading.judge.grades import Difference, Grade, Part
from patience.text import printable

MAX_LETTERS = 200  # of a line
MAX_ERRORS = 12  # lines of a traceback
MARKS = str.maketrans(" \t\r\n", "·→␍⏎")
NOTHING = "(nothing)"
# For a student


def summary(grade: Grade) -> str:
    """Return a grade as one line: ada: 85 of 87 points, 97.7 %."""
    return f"{grade.student}: {grade.points:g} of {grade.maximum:g} points, {grade.percent} %"


def file_of(grade: Grade, part: Part) -> str:
    """Return the name of the file for the game that leads to the first wrong move of a session."""
    return f"{grade.student}-{part.name}.game"


def feedback(grade: Grade, with_games: bool = False) -> str:
    """Return the text for a student: the points, the remarks, and what is wrong in each part. with_games: how to play
    on from a wrong move."""
    lines = [
        summary(grade),
        "",
        *(f"{part.name}: {part.points:g} of {round(part.maximum, 2):g}" for part in grade.parts),
    ]
    lines += remarks_of(grade)
    shown = {}  # text shown -> the part
    for part in (part for part in grade.parts if not part.is_hidden):
        rubric, text = describe_kinds(part), describe_part(part)
        if len(text) > 1 and text in shown:
            lines += ["", f"--- {part.name}", *rubric, f"as in {shown[text]}"]
        elif rubric or text:
            lines += ["", f"--- {part.name}", *rubric, *text]
            shown[text] = part.name
        if part.game and with_games:
            words = [grade.submission.program.name, "--save", file_of(grade, part)]
            lines.append(f"Play from there: python main.py play {shlex.join(map(printable, words))}")
    return "\n".join(lines) + "\n"


def remarks_of(grade: Grade) -> list[str]:
    """Return the lines of a grade that do not belong to a part."""
    by_hand = f"Adjusted by hand: {grade.adjust:+g}{f' ({grade.reason})' if grade.reason else ''}"
    notes = [grade.note] * bool(grade.note) + [by_hand] * bool(grade.adjust)
    return [*notes, *grade.remarks]


def describe_kinds(part: Part) -> list[str]:
    """Return a line with the results of each kind, unless everything is right."""
    if not part.kinds or part.weights or part.share == 1:
        return []
    return [", ".join(f"{kind or 'answers'} {right:g} of {count}" for kind, (right, count) in part.kinds.items())]


def describe_part(part: Part) -> tuple[str, ...]:
    """Return the lines about what is wrong in a part, as a tuple."""
    lines = describe_difference(part.difference) if part.difference else []
    lines += part.lines
    for slip in part.slips:
        cost = f"costs {part.cost_of(slip):g} of {part.maximum:.4g} points, half of its {part.kind_of(slip)} answers"
        lines += [f"{slip.name}: {cost}"]
        lines += describe_difference(slip.difference, slip.name != TEXT) if slip.difference else []
    errors = part.errors[-MAX_ERRORS:]
    if len(part.errors) > MAX_ERRORS:
        errors.insert(0, f"... {len(part.errors) - MAX_ERRORS} earlier lines left out")
    return tuple(line if len(line) <= MAX_LETTERS else f"{line[:MAX_LETTERS]} ..." for line in [*lines, *errors])


def describe_difference(difference: Difference, shows_blanks: bool = False) -> list[str]:
    """Return lines showing the first line that differs. shows_blanks: even if only blanks differ."""
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


# For Gradescope


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
