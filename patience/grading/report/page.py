"""The results of a class for a teacher: summary lines, and one HTML page without scripts."""

from __future__ import annotations

import difflib
import html
from collections.abc import Iterable

from patience.grading.judge.grades import Grade, Part
from patience.grading.report.reports import MAX_LETTERS, feedback, summary
from patience.text import count_of, printable

MAX_SHOWN = 40  # lines of an answer
MAX_CAUSES = 12  # in the summary
MAX_SESSIONS = 2  # of a cause
MAX_STUDENTS = 3  # of a cause, in the summary
STEPS = 10  # of the histogram
WIDTH = 12  # of a bar
BESIDES = "by hand"  # heads the column of points that belong to no part
LEVELS = 5  # colours of a share


def causes_of(grades: list[Grade]) -> list[tuple[str, list[str]]]:
    """Return the mistakes that students made, most common first, each with the names of those who made it. Mistakes are
    kinds of answers in any session, groups of calls, slips, and programs that could not be run."""
    students, places = {}, {}  # cause -> students who made it; cause -> sessions
    for grade in grades:
        for cause, place in failed_in(grade):
            students.setdefault(cause, {})[grade.student] = True
            places.setdefault(cause, {})[place] = True
    causes = []
    for cause, failing in students.items():
        names = [*filter(None, places[cause])]
        causes.append((cause + (f", in {join_some(names, MAX_SESSIONS)}" if names else ""), [*failing]))
    return sorted(causes, key=lambda pair: -len(pair[1]))


def join_some(names: list[str], most: int) -> str:
    """Return names joined with commas: up to this many, and then only how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def failed_in(grade: Grade) -> Iterable[tuple[str, str]]:
    """Yield the mistakes of a grade: (what is wrong, the session it is in, or "")."""
    if grade.failure:
        yield grade.failure.partition(":")[0].rstrip("."), ""
        return
    for part in grade.parts:
        for kind, (right, count) in part.kinds.items():
            if right < count:
                yield (f"{part.name}: {kind}", "") if part.weights else (kind or part.name, part.name if kind else "")
        for slip in part.slips:
            yield f"slip: {slip.name}", part.name if all(part.kinds) else ""


def summarize_class(grades: list[Grade]) -> list[str]:
    """Return lines: the mean, and the most common mistakes."""
    return [headline(grades)] + [
        printable(f"{len(names):>4} of {len(grades)}: {cause}: {join_some(names, MAX_STUDENTS)}")
        for cause, names in causes_of(grades)[:MAX_CAUSES]
    ]


def headline(grades: list[Grade]) -> str:
    """Return how many submissions there are, their mean, and how many have full points."""
    mean = sum(grade.percent for grade in grades) / max(1, len(grades))
    full = sum(grade.is_full for grade in grades)
    return f"{count_of(len(grades), 'submission')}, {mean:.1f} % on average, {full} with full points."


def to_look_at(grades: list[Grade]) -> list[str]:
    """Return lines with the names of students whose programs no machine can judge, because they do not start or their
    board is not known, and the reason for each."""
    named = [(grade.student, why) for grade in grades if (why := why_unseen(grade))]
    return ["Check these yourself:", *(f"  {student}: {why[:MAX_LETTERS]}" for student, why in named)] if named else []


def why_unseen(grade: Grade) -> str:
    """Return why a machine cannot judge a program, or ""."""
    unjudged = [part.unjudged for part in grade.parts if part.unjudged]
    has_points = any(part.points for part in grade.parts)
    ends = [part.errors[-1] for part in grade.parts if part.errors and not has_points]
    return next(filter(None, [grade.failure, *unjudged, *ends]), "")


# The page

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The class</title>
<meta name="viewport" content="width=device-width"><style>
body {{ font: 15px/1.4 system-ui, sans-serif; color: #1b1b1b; background: #fff; margin: 2em auto; max-width: 120ch;
  padding: 0 1em }}
h1, h2, h3 {{ line-height: 1.2 }} h2 {{ margin-top: 2em; border-top: 1px solid #ccc; padding-top: .5em }}
pre, table.diff, td, .bar {{ font: 13px/1.4 ui-monospace, monospace }} pre, .wide {{ overflow-x: auto }}
.points {{ border-collapse: collapse }} .points td {{ text-align: right; padding: .15em .5em; border: 1px solid #fff }}
.points td:first-child {{ text-align: left }} .points th {{ font-weight: normal; vertical-align: bottom }}
.points th span {{ writing-mode: vertical-rl; transform: rotate(180deg) }} .points tr:hover td {{ outline: 1px solid }}
.s0 {{ background: #f4a582 }} .s1 {{ background: #f9c9b2 }} .s2 {{ background: #fce8d8 }} .s3 {{ background: #e3eef5 }}
.s4 {{ background: #bcd9ea }} .s5 {{ background: #8fc1dd }}
.bar {{ display: grid; grid-template-columns: 4ch 12em auto; gap: .6em; align-items: center }}
.bar .count {{ text-align: right }}
.bar i {{ background: #4393c3; height: .9em }}
#name:checked ~ .worst, #worst:checked ~ .name {{ display: none }}
table.diff td {{ padding: 0 .5em; white-space: pre }} .diff_header, .diff_next {{ color: #767676 }}
.diff_add, .diff_sub, .diff_chg {{ background: #ffe28a }} a {{ color: #0b57a4 }}
</style></head><body>
<h1>The class</h1><p>{headline}</p>
{histogram}
{by_hand}
<h2>Points</h2>
<input type="radio" name="order" id="worst" checked><label for="worst">worst first</label>
<input type="radio" name="order" id="name"><label for="name">by name</label>
<div class="wide worst">{worst}</div><div class="wide name">{by_name}</div>
<h2>What they fail</h2>{causes}
{students}
</body></html>
"""


def page_of(grades: list[Grade]) -> str:
    """Return one HTML page: the points of a class, its common mistakes, and each student's feedback, with the expected
    and printed lines side by side."""
    numbered = list(enumerate(grades))
    worst = sorted(numbered, key=lambda pair: pair[1].points)
    bins = [min(STEPS - 1, int(grade.percent * STEPS // 100)) for grade in grades]
    shares = [(f"{number * 100 // STEPS} % and more", bins.count(number)) for number in reversed(range(STEPS))]
    by_hand = "\n".join(to_look_at(grades))
    return PAGE.format(
        headline=escape(headline(grades)),
        histogram=bars(shares),
        by_hand=f"<pre>{escape(by_hand)}</pre>" if by_hand else "",
        worst=table_of(worst),
        by_name=table_of(numbered),
        causes=bars([(f"{cause}: {', '.join(names)}", len(names)) for cause, names in causes_of(grades)]),
        students="\n".join(student_of(number, grade) for number, grade in numbered),
    )


def escape(text: str) -> str:
    """Return text as HTML."""
    return html.escape("\n".join(map(printable, text.split("\n"))))


def bars(pairs: list[tuple[str, int]]) -> str:
    """Return a bar for each (text, count)."""
    most = max((count for _, count in pairs), default=0) or 1
    return "\n".join(
        f'<div class="bar"><span class="count">{count}</span><i style="width: {WIDTH * count / most:.1f}em"></i>'
        f"{escape(text)}</div>"
        for text, count in pairs
    )


def table_of(numbered: list[tuple[int, Grade]]) -> str:
    """Return a table: a row for each student, a column for each part, and one for points added or taken off, if there
    are any. numbered: (number of the student, Grade)."""
    names = list(dict.fromkeys(part.name for _, grade in numbered for part in grade.parts))
    besides = {
        number: round(grade.points - sum(part.points for part in grade.parts), 2) + 0 for number, grade in numbered
    }
    last = [BESIDES] * any(besides.values())
    heading = "".join(f"<th><span>{escape(name)}</span></th>" for name in ["points", *names, *last])
    rows = []
    for number, grade in numbered:
        parts = {part.name: part for part in grade.parts}
        link = f'<td><a href="#s{number}">{escape(grade.student)}</a></td>'
        points = f'<td class="s{level_of(grade.percent / 100)}">{grade.points:g}</td>'
        cells = [cell_of(parts.get(name)) for name in names]
        cells += [f"<td>{besides[number]:+.2f}</td>" for _ in last]
        rows.append(f"<tr>{link}{points}{''.join(cells)}</tr>")
    return f'<table class="points"><tr><th></th>{heading}</tr>\n' + "\n".join(rows) + "</table>"


def cell_of(part: Part | None) -> str:
    """Return the cell of a part."""
    return f'<td class="s{level_of(part.share)}">{part.points:g}</td>' if part else "<td></td>"


def level_of(share: float) -> int:
    """Return the number of a share's colour: LEVELS only if nothing is wrong."""
    return int(share * LEVELS) if share >= 1 else min(LEVELS - 1, int(max(0, share) * LEVELS))


def student_of(number: int, grade: Grade) -> str:
    """Return the section of the page about one student."""
    pieces = [f'<h2 id="s{number}">{escape(summary(grade))}</h2><pre>{escape(feedback(grade))}</pre>']
    for part in grade.parts:
        if part.difference:
            texts = [text.split("\n")[:MAX_SHOWN] for text in part.difference[1:]]
            sides = [[printable(line[:MAX_LETTERS]) for line in text] for text in texts]
            table = difflib.HtmlDiff(wrapcolumn=70).make_table(sides[0], sides[1], "expected", "printed")
            pieces.append(f'<h3>{escape(f"{part.name}, {part.difference.where}")}</h3><div class="wide">{table}</div>')
    return "\n".join(pieces)
