"""Writes and shows the results of the grade command: feedback, tables, the page of a class."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from patience.grading.report import gradebooks, page, reports, tables
from patience.text import error_text, printable

if TYPE_CHECKING:
    from patience.grading.judge.grades import Grade

CLASS_PAGE = "_class.html"  # a student's feedback is a .txt
NO_ROW = "Not exactly one row of the table to fill in matches"


@dataclass
class Places:
    """Where each result is written; None if it is not."""

    csv: Path | None  # a new table
    merge: Path | None  # an existing table
    texts: Path | None  # the folder of the feedback
    report: Path | None  # the results of one submission, for Gradescope
    filled: Path | None  # a platform's table, into which the points are filled
    column: str | None  # of it
    old: dict[str, dict[str, str]] = field(default_factory=dict)  # the rows of merge as they were, student -> row

    def make(self) -> None:
        """Make the folder, and read the rows of merge. Raises OSError, or ValueError if the file for a new table is
        there already, or that of an old one is no table."""
        if self.texts:
            self.texts.mkdir(parents=True, exist_ok=True)
        if self.filled and self.column:
            gradebooks.read(self.filled, self.column)
        if self.csv and self.csv.exists() and self.csv.stat().st_size:
            raise ValueError(f"{self.csv} already exists: --merge grades into it.")
        for path in filter(None, (self.csv, self.report)):
            open(path, "a").close()
        self.old = tables.read_table(self.merge) if self.merge else {}

    def write_feedback(self, grade: Grade) -> None:
        """Write a student's feedback, with the points already given by hand. If that fails, the other students still
        get theirs."""
        if row := tables.row_of(self.old, grade.student, grade.submission.id):
            tables.take_over(grade, row)
        if not self.texts:
            return
        texts = {f"{grade.student}.txt": reports.feedback(grade, with_games=True)}
        texts |= {reports.file_of(grade, part): part.game for part in grade.parts if part.game}
        try:
            for name, text in texts.items():
                with open_to_write(self.texts / os.fsdecode(name.encode())) as file:
                    file.write(text)
        except OSError as error:
            why = error_text(error)
            click.echo(printable(f"The feedback for {grade.student} could not be written: {why}."), err=True)

    def write_table(self, grades: list[Grade], skipped: dict[str, str]) -> None:
        """Write the rows of grades into the tables, as they are by now: another grader, or a teacher, may have written
        into them meanwhile. The old file stays until the new one is complete."""
        rows = tables.rows_of(grades, skipped)
        ours = [row for row in rows if tables.is_ours(row)]
        new = [row for row in rows if not tables.is_ours(row)]
        for path in filter(None, (self.csv, self.merge)) if grades else ():
            there = tables.read_table(path) if path.stat().st_size else {}
            with open_to_write(path, "utf-8-sig") as file:  # with the mark by which Excel recognizes UTF-8
                tables.write_table([*tables.merge(there, new), *ours], file)

    def write_end(self, grades: list[Grade], note: str) -> None:
        """Write the page of the class, and the results of one submission. note: which sandbox was used."""
        if self.texts and grades:
            with open_to_write(self.texts / CLASS_PAGE) as file:
                file.write(page.page_of(grades))
        if self.filled and self.column and grades:
            table = gradebooks.read(self.filled, self.column)
            with open_to_write(self.filled, table.encoding) as file:
                left_out = gradebooks.fill(table, self.column, grades, file)
            if left_out:
                click.echo(printable(f"{NO_ROW}: {', '.join(left_out)}"), err=True)
        if self.report and grades:
            with open_to_write(self.report) as file:
                file.write(reports.gradescope(grades[0], note))


def count_by_hand(path: Path) -> None:
    """Count the points given by hand in a table, and show the changes; nothing is graded."""
    rows = tables.read_rows(path)
    changes = tables.count_again(rows)
    with open_to_write(path, "utf-8-sig") as file:
        tables.write_table(rows, file)
    for line in changes:
        click.echo(printable(line))


def open_to_write(path: Path, encoding: str = "utf-8") -> IO[Any]:
    """Return a file, open for any text; it replaces an older one when it is complete."""
    return click.open_file(path, "w", encoding, "backslashreplace", atomic=True)


def show(grades: list[Grade], skipped: dict[str, str], places: Places) -> None:
    """Show the results of the submissions and, for a class, the most common mistakes; also show the changes to the
    table that the results are merged into."""
    is_class = places.texts or len(grades) > 1
    for grade in grades:
        click.echo(printable(reports.summary(grade)) if is_class else reports.feedback(grade).rstrip("\n"))
    if len(grades) > 1:
        click.echo("\n".join(page.summarize_class(grades)), err=True)
    if places.merge:
        for line in tables.compare_tables(places.old, tables.rows_of(grades, {})):
            click.echo(printable(line))
    if others := tables.other_files(places.old, grades):
        click.echo(printable(f"Changed since the table was written: {', '.join(others)}"), err=True)
    for line in page.to_look_at(grades):
        click.echo(printable(line), err=True)
    if skipped:
        names = ", ".join(f"{printable(name)} ({why})" for name, why in skipped.items())
        click.echo(f"{len(grades)} graded, {len(skipped)} skipped: {names}", err=True)
