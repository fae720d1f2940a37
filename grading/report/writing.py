"""What the command grade writes and shows: feedback, tables, the page of a class."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from grading.report import page, reports, tables
from grading.judge import sessions, style
from grading.box.boxes import read_beginning
from patience.text import error_text, printable

if TYPE_CHECKING:
    from grading.judge.grades import Grade
    from grading.courses.session import Session
    from grading.submissions import Submission

CLASS_PAGE, CLASS_TEXT = "_class.html", "_class.md"  # a student has a .txt


def make_places(
    parts: list[Session],
    report: Path | None,
    csv: Path | None,
    merge: Path | None,
    compare: Path | None,
    texts: Path | None,
    export: Path | None,
) -> dict[str, Any]:
    """Make the folders that are written to, and write the sessions to that of export. Return the rows of the tables of
    merge and compare. Raises OSError, or ValueError for a table that is there, or is none."""
    for path in filter(None, (texts, export)):
        path.mkdir(parents=True, exist_ok=True)
    if export:
        sessions.export(parts, export)
    if csv and csv.exists() and csv.stat().st_size:
        raise ValueError(f"{csv} is there already: --merge grades into it.")
    for path in filter(None, (csv, report)):
        open(path, "a").close()
    paths = {"merge": merge, "compare": compare}
    return {name: tables.read_table(path) if path else {} for name, path in paths.items()}


def write_tables(
    grades: list[Grade],
    grade: Grade | None,
    skipped: dict[str, str],
    old: dict[str, Any],
    csv: Path | None,
    merge: Path | None,
    texts: Path | None,
    **others: Any,
) -> None:
    """Write the feedback of a grade, unless it is None, and the table of some, if they are asked for. What was written
    before stays until all of it is there. old: the rows of the table that they are merged into."""
    if grade and (row := tables.row_of(old, grade.student, grade.submission.id)):
        tables.take_over(grade, row)
    if texts and grade:
        try:
            with open_to_write(texts / os.fsdecode(f"{grade.student}.txt".encode())) as file:
                file.write(reports.feedback(grade))
        except OSError as error:  # the others have theirs
            why = error_text(error)
            click.echo(printable(f"The feedback for {grade.student} could not be written: {why}."), err=True)
    if texts and grades and not grade:
        for name, text in (
            (CLASS_TEXT, "\n".join(page.summarize_class(grades)) + "\n"),
            (CLASS_PAGE, page.page_of(grades)),
        ):
            with open_to_write(texts / name) as file:
                file.write(text)
    rows = tables.rows_of(grades, skipped)
    ours = [row for row in rows if tables.is_ours(row)]
    new = [row for row in rows if not tables.is_ours(row)]
    for path in filter(None, (csv, merge)) if grades else ():
        with open_to_write(path, "utf-8-sig") as file:  # with the mark by which Excel knows UTF-8
            tables.write_table([*tables.merge(old if path == merge else {}, new), *ours], file)


def count_by_hand(path: Path) -> None:
    """Let the points that were given by hand count in a table, and show what changes; nothing is graded."""
    rows = tables.read_rows(path)
    changes = tables.count_again(rows)
    with open_to_write(path, "utf-8-sig") as file:
        tables.write_table(rows, file)
    for line in changes:
        click.echo(printable(line))


def write_report(path: Path | None, kind: str, grades: list[Grade], note: str) -> None:
    """Write the results of one submission in a platform's format. path: None for no report."""
    if path and grades:
        with open_to_write(path) as file:
            file.write(reports.FORMATS[kind](grades[0], note))


def show_similar(submissions: list[Submission]) -> None:
    """Show which submissions are equal but for names and blanks."""
    groups = style.find_similar({one.student: read_beginning(one.program) for one in submissions if one.file})
    for names in groups:
        click.echo(printable(f"Equal but for names and blanks: {', '.join(names)}"))
    if not groups:
        click.echo("No two are equal but for names and blanks.")


def open_to_write(path: Path, encoding: str = "utf-8") -> IO[Any]:
    """Return a file, opened for text that may have any letters; it takes its place when it is whole."""
    return click.open_file(path, "w", encoding, "backslashreplace", atomic=True)


def show(
    grades: list[Grade],
    skipped: dict[str, str],
    files: dict[str, Path | None],
    old: dict[str, dict[str, Any]],
    to_compare: list[Submission],
) -> None:
    """Show the results of the submissions; of a class what most fail, and what has changed since an older table. old:
    the rows of the tables of merge and compare. to_compare: submissions that are compared with one another."""
    is_class = files["texts"] or len(grades) > 1
    for grade in grades:
        click.echo(printable(reports.summary(grade)) if is_class else reports.feedback(grade).rstrip("\n"))
    if len(grades) > 1:
        click.echo("\n".join(page.summarize_class(grades)), err=True)
    if files["compare"]:
        for line in tables.compare_tables(old["compare"], tables.rows_of(grades, {})):
            click.echo(printable(line))
    if others := tables.other_files(old["merge"], grades):
        click.echo(printable(f"Another file than in the table: {', '.join(others)}"), err=True)
    for line in page.to_look_at(grades):
        click.echo(printable(line), err=True)
    if to_compare:
        show_similar(to_compare)
    if skipped:
        names = ", ".join(f"{printable(name)} ({why})" for name, why in skipped.items())
        click.echo(f"{len(grades) + len(skipped)} entries, {len(grades)} graded; skipped: {names}", err=True)
