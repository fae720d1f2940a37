"""The command grade, which grades a class of submissions by sessions and, in the assignment, by functions."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import patience
from patience.grading.judge import functions, sessions, submission as judging
from patience.grading.courses import other_program, montana
from patience.grading.courses.known import COURSES, course_of, reference_for
from patience.grading.report import tables
from patience.grading.box import sandboxes
from patience.grading import submissions
from patience.grading.judge.assignment import Assignment
from patience.grading.box.boxes import folder_of_boxes
from patience.grading.weights import weights_of
from patience.grading.box.sandboxes import MAX_WRITTEN
from patience.grading.report.tables import check_parts
from patience.grading.report.writing import Places, count_by_hand, show
from patience import COURSE, ExitStatus, rules
from patience.workers import MAX_JOBS, results
from patience.options import progress_bar, refuse_nan
from patience.text import error_text, printable

if TYPE_CHECKING:
    from patience.grading.judge.grades import Grade
    from patience.grading.submissions import Submission


class PlainFile(click.Path):
    """A click type: an existing file that is not a device (a device might never end)."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        return path if os.path.isfile(path) else self.fail(f"{str(path)!r} is not a file.", param, ctx)


AUTO = "auto"
if not os.path.exists(__file__):  # in a zipped program, which has no files to make visible in a sandbox
    raise click.UsageError("grade does not run from a zipped program: install it.")
ASSIGNMENT = Path(montana.__file__).with_name("sessions")
WAITS = "Another grader is running submissions as nobody; this one will wait until it has finished."
NO_SANDBOX = "without a sandbox, other people's programs run only with --sandbox none"
WORKS_NOT = {
    sandboxes.BWRAP: "bubblewrap is not installed, or does not work here",
    sandboxes.USER: "only root can do that, and the user nobody needs access to this Python",
}
FOLDER, FILE = click.Path(file_okay=False, path_type=Path), click.Path(dir_okay=False, path_type=Path)
FOLDER_THERE = click.Path(exists=True, file_okay=False, path_type=Path)
FILE_THERE = PlainFile(exists=True, dir_okay=False, path_type=Path)
CARDS = COURSE / "cards.py"
CORES = min(os.cpu_count() or 1, MAX_JOBS)
MAX_POINTS = 10**6
SECONDS, JOBS = click.FloatRange(0.1, 3600), click.IntRange(1, MAX_JOBS)
SANDBOX = click.Choice([AUTO, *sandboxes.SANDBOXES])
HELP = """Grade students' programs: files, or folders with a file or folder for each student. Without --sessions, they
are graded against the public sessions of Montana's assignment. Exits with 0 if every submission has full points, 1 if
not, 3 if one could not be graded."""
PLACES = ("csv", "merge", "texts", "report", "filled", "column")  # options: where results are written
NO_FORK = "Other people's programs can be run only on Linux and macOS. On Windows, use the Windows Subsystem for Linux."
KNOWN = "\nStudents have these sessions and can work out the calls. To write new ones: sessions make FOLDER."


@dataclass
class Options:
    """The options of the command, as click gives them."""

    folder: Path | None  # of sessions
    program: str | None
    cards: Path
    out_of: float | None
    points: tuple[str, ...]
    seconds: float
    sandbox: str
    jobs: int
    places: Places


@click.command("grade", help=HELP, context_settings={"show_default": True})
@click.argument("paths", metavar="[SUBMISSIONS]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--sessions", "folder", type=FOLDER_THERE, help="Grade against this folder's sessions, NAME.in and NAME.out."
)
@click.option("--program", help="Name of the program in each student's folder.")
@click.option(
    "--cards", type=FILE_THERE, default=CARDS, show_default="the course's", help="Give submissions this cards.py."
)
@click.option("--out-of", type=click.FloatRange(0.01, MAX_POINTS), help="Total points, 100 by default.")
@click.option("--points", multiple=True, metavar="NAME=N", help="Make a session, or a function, worth N points.")
@click.option(
    "--seconds",
    type=SECONDS,
    default=10,
    callback=refuse_nan,
    help="Seconds of processor time for each session or function.",
)
@click.option("--sandbox", type=SANDBOX, default=AUTO, help="Run in bubblewrap, or as the user nobody (root only).")
@click.option("--jobs", type=JOBS, default=CORES, show_default="all cores", help="Submissions to grade in parallel.")
@click.option(
    "--feedback",
    "texts",
    type=FOLDER,
    help="Write each student's feedback, STUDENT.txt, and a page about the class, _class.html, to this folder.",
)
@click.option("--csv", type=FILE, help="Write a row per student to this new file.")
@click.option(
    "--merge",
    type=FILE_THERE,
    help="Merge the rows into this table, keeping points given by hand; without submissions, only add those points.",
)
@click.option("--json", "report", type=FILE, help="Write the results of one submission to this file, for Gradescope.")
@click.option(
    "--fill", "filled", type=FILE_THERE, help="Enter the points in this table, exported from Canvas, Moodle or D2L."
)
@click.option("--column", help="With --fill: the heading of the column for the points.")
def grade(paths: tuple[Path, ...], **values: Any) -> ExitStatus:
    """Grade submissions. Return the exit status."""
    places = Places(**{name: values.pop(name) for name in PLACES})
    options = Options(**values, places=places)
    by_hand = None if paths else places.merge
    if by_hand and (options.folder or any(getattr(places, name) for name in {*PLACES} - {"merge"})):
        raise click.UsageError("Without submissions, --merge only adds points given by hand, and writes nothing else.")
    if bool(places.filled) != bool(places.column):
        raise click.UsageError("--fill and --column go together.")
    if not by_hand and not hasattr(os, "fork"):
        raise click.UsageError(NO_FORK)
    for path in paths:
        if not path.exists():
            raise click.UsageError(printable(f"Path '{path}' does not exist."))
    with naming_files():
        if by_hand:
            count_by_hand(by_hand)
            return ExitStatus.DONE
        return grade_all(paths, options)


@contextlib.contextmanager
def naming_files() -> Iterator[None]:
    """Within this context, report an error of a file that was named as wrong use of the command."""
    try:
        yield
    except (OSError, ValueError) as error:
        file = getattr(error, "filename", None)
        name = f"{file}: " if file else ""
        raise click.UsageError(printable(f"{name}{error_text(error)}")) from None


def grade_all(paths: tuple[Path, ...], options: Options) -> ExitStatus:
    """Grade submissions, and write the results. Return the exit status. Raises OSError and ValueError."""
    folder = options.folder or ASSIGNMENT
    parts = [other_program.with_kinds(one, reference_for) for one in sessions.read_folder(folder, rules.all_games())]
    places = options.places
    places.make()
    games = [one.rules.name for one in parts if one.rules]
    game = next((name for name in games if name in COURSES), None)  # whose functions are graded
    of_functions = course_of(game).function_rules(sessions.seed_in(folder)) if game else ()
    names = [one.name for one in parts]
    shares = course_of(game).shares(functions.names_of(of_functions), names) if game else dict.fromkeys(names, 1.0)
    weights = weights_of(options.points, shares, options.out_of)
    check_parts(places.merge, weights)
    sandbox = sandbox_that_works(options.sandbox)
    size = 2 * MAX_WRITTEN if sandbox == sandboxes.USER else None  # only one box exists at a time
    with folder_of_boxes(size) as boxes, folder_of_boxes() as unpacked:
        found, skipped = find_submissions(paths, options, unpacked)
        secret = [*folder.glob("*.out"), *(one.path for one in found)]
        note, jobs = describe_sandbox(sandbox, options.jobs, secret)
        click.echo(note + KNOWN * (folder == ASSIGNMENT), err=True)
        assignment = Assignment(
            parts, of_functions, game, options.cards, options.seconds, weights, sandbox, boxes,
        )  # fmt: skip
        with sandboxes.one_at_a_time(sandbox, lambda: click.echo(WAITS, err=True)):
            grades, ungraded, status = grade_class(assignment, found, jobs, places, skipped)
        places.write_end(grades, note)
        show(grades, skipped, places)
    return tell_ungraded(grades, ungraded, status, len(found))


def find_submissions(
    paths: tuple[Path, ...], options: Options, unpacked: str
) -> tuple[list[Submission], dict[str, str]]:
    """Return the submissions, with their names in the table, and what is skipped, name -> why."""
    places = options.places
    in_table = len(paths) == 1 and tables.row_of(places.old, submissions.name_of(paths[0]), "")  # not a class
    found, skipped = submissions.find(paths, options.program, bool(places.report or in_table), unpacked)
    check_count(len(found), bool(places.report))
    return [one._replace(student=tables.name_in(places.old, one.student, one.id)) for one in found], skipped


def check_count(count: int, is_one: bool) -> None:
    """Raise click.UsageError if there are no submissions, or too many. is_one: there may be only one."""
    if not count:
        raise click.UsageError("No submissions were found.")
    if is_one and count > 1:
        raise click.UsageError(f"--json takes one submission, not {count}.")


def tell_ungraded(grades: list[Grade], ungraded: dict[str, str], status: ExitStatus, count: int) -> ExitStatus:
    """List who is not graded, and why; return the exit status. count: the number of submissions."""
    for student, why in ungraded.items():
        click.echo(printable(f"{student} is not graded: {why}."), err=True)
    if status:
        click.echo(f"Interrupted: {len(grades)} of {count} are graded.", err=True)
    if status or ungraded:
        return status or ExitStatus.UNDECIDED
    return ExitStatus.DONE if all(grade.is_full for grade in grades) else ExitStatus.FAILED


def sandbox_that_works(wanted: str) -> str:
    """Return the requested sandbox or, for AUTO, the first that works, which is NONE only if no sandbox can work.
    Raises click.UsageError if that sandbox does not work."""
    if wanted == AUTO:
        wanted = next(filter(sandboxes.works, sandboxes.SANDBOXES), sandboxes.NONE)
        if wanted == sandboxes.NONE and sandboxes.should_be():
            said = "; ".join(f"{WORKS_NOT[one]}: {sandboxes.why_not(one)}" for one in WORKS_NOT)
            raise click.UsageError(printable(f"{said}; {NO_SANDBOX}."))
    elif wanted in WORKS_NOT and (why := sandboxes.why_not(wanted)):
        raise click.UsageError(printable(f"--sandbox {wanted}: {WORKS_NOT[wanted]}: {why}"))
    return wanted


def describe_sandbox(sandbox: str, jobs: int, secret: Sequence[Path] = ()) -> tuple[str, int]:
    """Return a sentence saying which sandbox is used, and the number of jobs it allows (submissions that all run as
    nobody could end one another). secret: paths that no submission should read."""
    note = f"Sandbox: {sandboxes.SANDBOXES[sandbox]}"
    if sandbox != sandboxes.USER:
        return f"{note}.", jobs
    readable = sandboxes.readable_by_nobody(secret)
    return note + (f", who can read {printable(readable)}: chmod -R go= takes that away." if readable else "."), 1


def grade_class(
    assignment: Assignment, found: list[Submission], jobs: int, places: Places, skipped: dict[str, str]
) -> tuple[list[Grade], dict[str, str], ExitStatus]:
    """Return the Grades of Submissions, in order; the reasons why the others have none, student -> reason; and 0. After
    Ctrl-C, return the results so far and the exit status. A submission that could not be graded is tried once more,
    alone. Feedback is written as soon as a submission is graded, the table after each tenth of the class and at the
    end."""
    graded, failed, status = {}, {}, ExitStatus.DONE
    work = functools.partial(judging.grade, assignment)

    def take(result: Grade | judging.Ungraded) -> None:
        if isinstance(result, judging.Ungraded):
            failed[result.student] = result.why
            return
        failed.pop(result.student, None)
        graded[result.student] = result
        is_tenth = len(graded) * 10 // len(found) > (len(graded) - 1) * 10 // len(found)
        places.write_feedback(result)
        if is_tenth:
            places.write_table([graded[one.student] for one in found if one.student in graded], skipped)
        bar.update(1)

    with progress_bar(len(found), "Grading") as bar:
        try:
            with contextlib.suppress(click.ClickException):  # a worker process was killed, perhaps by a submission
                for result in results(work, found, jobs):
                    take(result)
            for submission in [one for one in found if one.student not in graded]:
                try:
                    take(next(results(work, [submission], jobs)))
                except click.ClickException:
                    failed[submission.student] = "the grading process was killed twice"
        except (KeyboardInterrupt, patience.Ended):
            status = ExitStatus.INTERRUPTED
    grades = [graded[one.student] for one in found if one.student in graded]
    places.write_table(grades, skipped)
    return grades, failed, status
