"""The command grade, which grades a class of submissions against sessions, functions, or both."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import patience
from patience.grading.judge import functions, sessions, submission as judging
from patience.grading.courses import other_program, montana
from patience.grading.courses.known import COURSES, DEFAULT_GAME, reference_for, course_of
from patience.grading.report import tables
from patience.grading.report.gradebooks import GRADEBOOKS
from patience.grading.box import sandboxes
from patience.grading import submissions
from patience.grading.judge.assignment import Assignment
from patience.grading.box.boxes import folder_of_boxes
from patience.grading.judge.function_answers import names_of
from patience.grading.weights import weights_of
from patience.grading.box.sandboxes import MAX_WRITTEN
from patience.grading.report.tables import check_parts
from patience.grading.report.writing import Places, count_by_hand, show
from patience import COURSE, ExitStatus, rules
from patience.workers import MAX_JOBS, results
from patience.decks import fresh_number
from patience.options import GameName, progress_bar, refuse_nan
from patience.text import error_text, printable

if TYPE_CHECKING:
    from patience.grading.courses.script import Session
    from patience.grading.judge.grades import Grade
    from patience.grading.submissions import Submission


class PlainFile(click.Path):
    """A click type: an existing file that is not a device (a device might never end)."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        return path if os.path.isfile(path) else self.fail(f"{str(path)!r} is no file.", param, ctx)


AUTO = "auto"
if not os.path.exists(__file__):  # in a zipped program, which has no files to make visible in a sandbox
    raise click.UsageError("grade does not run from a single file: install the program.")
ASSIGNMENT = Path(montana.__file__).with_name("sessions")
WAITS = "Another grader is running submissions as nobody; this one will wait until it has finished."
NO_SANDBOX = (
    "bubblewrap does not work here, or Python cannot be run by the user nobody: --sandbox bwrap and --sandbox user say "
    "which. Programs of others run without a sandbox only with --sandbox none."
)
WORKS_NOT = {
    sandboxes.BWRAP: "bubblewrap is not installed, or does not work here.",
    sandboxes.USER: "only root can, and nobody must be able to run this Python.",
}
FOLDER, FILE = click.Path(file_okay=False, path_type=Path), click.Path(dir_okay=False, path_type=Path)
FOLDER_THERE = click.Path(exists=True, file_okay=False, path_type=Path)
FILE_THERE = PlainFile(exists=True, dir_okay=False, path_type=Path)
CARDS = COURSE / "cards.py"
CORES = min(os.cpu_count() or 1, MAX_JOBS)
MAX_POINTS = 10**6
SECONDS, JOBS = click.FloatRange(0.1, 3600), click.IntRange(1, MAX_JOBS)
SANDBOX = click.Choice([AUTO, *sandboxes.SANDBOXES])
HELP = """Grade students' programs: files, or folders with a file or folder for each student. Without --sessions and
--functions: by those of Montana's assignment. Exits with 0 if every submission has full points, 1 if not, 3 if one
could not be graded."""
REFUSED_BY_HAND = ("folder", "game", "csv", "texts", "report", "gradebook", "export", "update")
NO_FORK = "Other people's programs are run only on Linux and macOS. On Windows, use the Windows Subsystem for Linux."
KNOWN = "\nStudents know the assignment's own sessions: --make writes new ones."


@dataclass
class Options:
    """The options of the command, as click gives them."""

    folder: Path | None  # of sessions
    game: str | None  # whose functions are compared
    reference: Path | None
    program: str | None
    cards: Path
    out_of: float | None
    points: tuple[str, ...]
    seconds: float
    sandbox: str
    jobs: int
    texts: Path | None  # the folder of the feedback
    csv: Path | None
    merge: Path | None
    report: Path | None  # for Gradescope
    gradebook: tuple[str, Path] | None  # a platform, and a table for it
    export: Path | None
    make: int | None
    seed: int | None
    update: bool


@click.command("grade", help=HELP, context_settings={"show_default": True})
@click.argument("paths", metavar="[SUBMISSIONS]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--sessions", "folder", type=FOLDER_THERE, help="Grade against this folder's sessions, NAME.in and NAME.out."
)
@click.option("--functions", "game", type=GameName(), help="Compare the functions of this game with ours.")
@click.option("--reference", type=FILE_THERE, help="Compare with this program; with --update, let it write .out files.")
@click.option("--program", help="Name of the program in each student's folder.")
@click.option("--cards", type=FILE_THERE, default=CARDS, show_default="ours", help="Give submissions this cards.py.")
@click.option("--out-of", type=click.FloatRange(0.01, MAX_POINTS), help="Total points, 100 by default.")
@click.option("--points", multiple=True, metavar="NAME=N", help="Make a session, or a function, worth N points.")
@click.option(
    "--seconds", type=SECONDS, default=10, callback=refuse_nan, help="Processor time for a session or a function."
)
@click.option("--sandbox", type=SANDBOX, default=AUTO, help="Run in bubblewrap, or as the user nobody (root only).")
@click.option("--jobs", type=JOBS, default=CORES, show_default="all cores", help="Submissions to grade in parallel.")
@click.option("--feedback", "texts", type=FOLDER, help="Write STUDENT.txt, and _class.html, to this folder.")
@click.option("--csv", type=FILE, help="Write a row per student to this new file.")
@click.option(
    "--merge",
    type=FILE_THERE,
    help="Write the rows into this table, and keep points given by hand; without submissions, count those points.",
)
@click.option("--json", "report", type=FILE, help="Write the results of one submission to this file, for Gradescope.")
@click.option(
    "--gradebook",
    type=(click.Choice(list(GRADEBOOKS)), FILE),
    metavar="PLATFORM FILE",
    help="Write the points to this table, in the form that canvas or moodle imports.",
)
@click.option("--export", type=FOLDER, help="Write the sessions to this folder as plain input and output.")
@click.option("--make", type=click.IntRange(1, 100), metavar="N", help="Write N new sessions to a folder.")
@click.option("--seed", type=int, help="With --make: the seed that determines the sessions.")
@click.option("--update", is_flag=True, help="Write missing .out files, using this project's games.")
def grade(paths: tuple[Path, ...], **values: Any) -> ExitStatus:
    """Grade submissions, or make new sessions. Return the exit status."""
    options = Options(**values)
    if options.reference and not options.game and not (options.update and options.folder):
        raise click.UsageError("--reference goes with --functions, or with --update and --sessions.")
    by_hand = None if paths else options.merge
    if by_hand and any(getattr(options, name) for name in REFUSED_BY_HAND):
        raise click.UsageError("--merge without submissions counts points by hand, and writes nothing else.")
    if options.make and any(
        getattr(options, name) for name in ("folder", "csv", "texts", "report", "gradebook", "merge")
    ):
        raise click.UsageError("--make writes sessions, and grades nothing.")
    if not by_hand and not hasattr(os, "fork"):
        raise click.UsageError(NO_FORK)
    for path in paths if not options.make else ():
        if not path.exists():
            raise click.UsageError(printable(f"Path '{path}' does not exist."))
    try:
        if by_hand:
            count_by_hand(by_hand)
            return ExitStatus.DONE
        return make_sessions(options.make, paths, options) if options.make else grade_all(paths, options)
    except (OSError, ValueError) as error:  # about a file that was named
        file = getattr(error, "filename", None)
        name = f"{file}: " if file else ""
        raise click.UsageError(printable(f"{name}{error_text(error)}")) from None


def grade_all(paths: tuple[Path, ...], options: Options) -> ExitStatus:
    """Grade submissions, and write the results. Return the exit status. Raises OSError and ValueError."""
    is_named = options.folder or options.game
    folder, game = (options.folder, options.game) if is_named else (ASSIGNMENT, DEFAULT_GAME)
    parts = read_sessions(folder, options) if folder else []
    places = Places(options.csv, options.merge, options.texts, options.export, options.report, options.gradebook)
    places.make(parts)
    if game and game not in COURSES:
        raise click.UsageError(f"--functions {game}: no assignment has its functions, only {', '.join(COURSES)}'s.")
    calls = functions.calls_of(game) if game else []
    names = [one.name for one in parts]
    shares = course_of(game).shares(names_of(calls), names) if game else dict.fromkeys(names, 1.0)
    weights = weights_of(options.points, shares, options.out_of)
    check_parts(options.merge, weights)
    if not paths and (options.export or options.update):
        return ExitStatus.DONE
    answers = functions.answers_of(game, options.reference, options.cards) if game and paths else []
    sandbox = sandbox_that_works(options.sandbox)
    size = 2 * MAX_WRITTEN if sandbox == sandboxes.USER else None  # only one box exists at a time
    with folder_of_boxes(size) as boxes, folder_of_boxes() as unpacked:
        found, skipped = find_submissions(paths, options, places, unpacked)
        secret = [*(folder or ASSIGNMENT).glob("*.out"), *(one.path for one in found)]
        note, jobs = describe_sandbox(sandbox, options.jobs, secret)
        click.echo(note + KNOWN * (folder == ASSIGNMENT), err=True)
        assignment = Assignment(
            parts, calls, answers, game, options.cards, options.seconds, weights, sandbox, boxes,
        )  # fmt: skip
        with sandboxes.one_at_a_time(sandbox, lambda: click.echo(WAITS, err=True)):
            grades, ungraded, status = grade_class(assignment, found, jobs, places, skipped)
        places.write_end(grades, note)
        show(grades, skipped, places)
    return tell_ungraded(grades, ungraded, status, len(found))


def read_sessions(folder: Path, options: Options) -> list[Session]:
    """Return the sessions of a folder. If asked to, write each missing .out first."""
    games, reference = rules.all_games(), options.reference
    parts = sessions.read_folder(folder, games, options.update, reference, options.cards)
    return [other_program.with_kinds(one, reference_for) for one in parts]


def find_submissions(
    paths: tuple[Path, ...], options: Options, places: Places, unpacked: str
) -> tuple[list[Submission], dict[str, str]]:
    """Return the submissions, with their names in the table, and what is skipped, name -> why."""
    in_table = len(paths) == 1 and tables.row_of(places.old, submissions.name_of(paths[0]), "")  # not a class
    found, skipped = submissions.find(paths, options.program, bool(options.report or in_table), unpacked)
    check_count(len(found), bool(options.report))
    return [one._replace(student=tables.name_in(places.old, one.student, one.id)) for one in found], skipped


def check_count(count: int, is_one: bool) -> None:
    """Raise click.UsageError if there are no submissions, or too many. is_one: there may be only one."""
    if not count:
        raise click.UsageError("No submission was found.")
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
            raise click.UsageError(NO_SANDBOX)
    elif wanted in WORKS_NOT and not sandboxes.works(wanted):
        raise click.UsageError(f"--sandbox {wanted}: {WORKS_NOT[wanted]}")
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


def make_sessions(count: int, folders: tuple[Path, ...], options: Options) -> ExitStatus:
    """Write new sessions to a folder, answered by our game or a reference. Return the exit status."""
    from patience.grading import making

    if len(folders) != 1 or folders[0].is_file() or list(folders[0].glob("*.py")):
        raise click.UsageError("--make takes one folder, which must have no programs in it.")
    folders[0].mkdir(parents=True, exist_ok=True)
    seed, game = fresh_number() if options.seed is None else options.seed, options.game or DEFAULT_GAME
    making.make(count, folders[0], seed, game, rules.all_games(), options.reference, options.cards)
    click.echo(f"The new sessions are in {printable(folders[0])}: --seed {seed} makes them again.", err=True)
    return ExitStatus.DONE
