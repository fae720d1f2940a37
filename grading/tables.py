"""The table of a class: written as CSV, merged into an older one, compared with it."""

import contextlib
import csv
import math

from grading.reports import remarks_of

FORMULA = tuple("=+-@\t\r;")  # begins one, in a table
HEADING = ["student", "id", "late", "points", "maximum", "percent"]
BY_HAND = ["adjust", "reason"]  # columns that a teacher fills in
MAXIMUM, SKIPPED = "(maximum)", "skipped: "


def escape(text):
    """Return a text that no table takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def unescape(text):
    """Return a text as it was before escape."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text


def rows_of(grades, skipped):
    """Return the rows of a table, dicts: one for each student, one for each name that was skipped, name -> why, and
    the maxima last."""
    rows = []
    for grade in grades:
        row = {"student": escape(grade.student), "id": grade.id, "late": "LATE" if grade.is_late else ""}
        row |= {"points": f"{grade.points:g}", "maximum": f"{grade.maximum:g}", "percent": grade.percent}
        row |= {part.name: f"{part.points:g}" for part in grade.parts}
        row |= {kind: f"{right:g} of {count}" for kind, (right, count) in grade.kinds.items() if kind}
        row |= {"remarks": escape(" ".join(remarks_of(grade)))}
        rows.append({**row, "adjust": f"{grade.adjust:g}" if grade.adjust else "", "reason": escape(grade.reason)})
    rows += [{"student": escape(name), "remarks": f"{SKIPPED}{why}"} for name, why in skipped.items()]
    if grades:
        parts = {part.name: f"{round(part.maximum, 2):g}" for part in grades[0].parts}
        most = f"{grades[0].maximum:g}"
        rows.append({"student": MAXIMUM, "points": most, "maximum": most, "percent": 100.0, **parts})
    return rows


def is_skipped(row):
    """Return True if a row says only that something was no submission."""
    return row.get("remarks", "").startswith(SKIPPED)


def write_table(rows, file):
    """Write rows as CSV. file: a text stream opened with newline=""."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    middle = [name for name in names if name not in (*HEADING, *BY_HAND, "remarks")]
    writer = csv.DictWriter(file, [*HEADING, *middle, "remarks", *BY_HAND], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def read_table(path):
    """Return the rows of a table that was written before, student -> row. Raises ValueError if it is another file,
    OSError if it cannot be read."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if not {"student", "points"} <= set(reader.fieldnames or ()):
            raise ValueError(f"{path}: it is no table of grades.")
        rows = {unescape(row["student"]): {name: cell or "" for name, cell in row.items() if name} for row in reader}
    for student, row in rows.items():
        for name in ("points", "adjust"):
            with contextlib.suppress(ValueError):
                if math.isfinite(float(row.get(name) or 0)):
                    continue
            raise ValueError(f"{path}: {student}: {name} is no number: {row[name]}")
    return rows


def take_over(grade, row):
    """Take over from a student's row what was given by hand."""
    grade.adjust, grade.reason = float(row.get("adjust") or 0), unescape(row.get("reason", ""))


def compare_tables(old, rows):
    """Return a line for each student whose points are others than in an older table."""
    changes = []
    for row in rows:
        before = old.get(unescape(row["student"]), {}).get("points")
        if row["student"] != MAXIMUM and row.get("points") and before != row["points"]:
            by = f", {float(row['points']) - float(before):+g}" if before else ""
            changes.append(f"{row['student']}: {before or 'new'} -> {row['points']}{by}")
    return changes or ["No points have changed."]
