"""The command grade: a class of submissions, by sessions, functions, or both."""

import contextlib
import errno
import functools
import os
import re
import sys
from collections import namedtuple
from pathlib import Path

import click

import patience
from grading import functions, judging, programs, sessions, submissions
from grading.boxes import ROOT, folder_of_boxes
from grading.reports import FORMATS, ONE_SUBMISSION, feedback, summary, write_csv
from patience import rules
from patience.options import MAX_JOBS, not_nan
from patience.text import error_text, printable
from patience.analysis.solve import results

ASSIGNMENT = Path(__file__).with_name("montana")
AUTO = "auto"
FUNCTIONS, SHARE_OF_FUNCTIONS = "functions", 0.25
UNGRADED = 3  # the exit status if a submission could not be graded
WORKS_NOT = {
    programs.BWRAP: "bubblewrap is not installed, or does not work here.",
    programs.USER: "only root can, and nobody must be able to run this Python.",
}
FOLDER, FILE = click.Path(file_okay=False, path_type=Path), click.Path(dir_okay=False, path_type=Path)
FOLDER_THERE = click.Path(exists=True, file_okay=False, path_type=Path)
FILE_THERE = click.Path(exists=True, dir_okay=False, path_type=Path)
CARDS = ROOT / "cards.py"
CORES = min(os.cpu_count() or 1, MAX_JOBS)
MOST = 10**6  # points
HELP = """Grade students' programs: files, or folders with a file or folder for each student. Without --sessions and
--functions: by those of Montana's assignment. Exits with 0 if every submission has full points, 1 if not, 3 if one
could not be graded."""
BLANKS_HELP = "Whether blanks and newlines count: once in a session, in every answer, or never."
SECONDS_HELP = "Time limit for a session, or for a function."
SANDBOX_HELP = "Run submissions in bubblewrap, or as the user nobody, which root can."
JOBS_HELP = "Number of submissions to grade in parallel."
POINTS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")

# What submissions are graded by. module: True or False. weights: name of a part -> points. sandbox: one of
# programs.SANDBOXES. boxes: the folder for boxes.
Assignment = namedtuple("Assignment", "sessions checks module cards seconds blanks penalty weights sandbox boxes")


@click.command("grade", help=HELP, context_settings={"show_default": True})
@click.argument("paths", metavar="[SUBMISSIONS]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--sessions", "folder", type=FOLDER_THERE, help="Grade by this folder's sessions, NAME.in and NAME.out.")
@click.option("--functions", "calls", type=click.Choice(["montana"]), help="Grade the six functions of the assignment.")
@click.option("--program", help="Name of the program in each student's folder.")
@click.option("--module", is_flag=True, help="Submissions are modules of a game, without a program of their own.")
@click.option(
    "--cards",
    type=FILE_THERE,
    default=CARDS,
    show_default="ours",
    help="Give submissions this cards.py instead of ours.",
)
@click.option("--blanks", type=click.Choice(["once", "exact", "ignore"]), default="once", help=BLANKS_HELP)
@click.option(
    "--penalty", type=click.FloatRange(0, MOST), default=0, callback=not_nan, help="Points off for each remark."
)
@click.option(
    "--out-of", type=click.FloatRange(0.01, MOST), default=100, callback=not_nan, help="Points for everything."
)
@click.option("--points", multiple=True, metavar="NAME=N", help="Make a session, or the functions, worth N points.")
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=10, callback=not_nan, help=SECONDS_HELP)
@click.option("--sandbox", type=click.Choice([AUTO, *programs.SANDBOXES]), default=AUTO, help=SANDBOX_HELP)
@click.option("--jobs", type=click.IntRange(1, MAX_JOBS), default=CORES, show_default="all cores", help=JOBS_HELP)
@click.option("--feedback", "texts", type=FOLDER, help="Write STUDENT.txt to this folder.")
@click.option("--csv", type=FILE, help="Write a row per student to this file.")
@click.option("--json", "--report", "report", type=FILE, help="Write the results to this file, in --format.")
@click.option("--format", "kind", type=click.Choice(list(FORMATS)), default="gradescope", help="Format of the results.")
@click.option("--export", type=FOLDER, help="Write the sessions to this folder as plain input and output.")
@click.option("--make", type=click.IntRange(1, 100), metavar="N", help="Write N new sessions of Montana to the folder.")
@click.option("--seed", type=int, default=1, help="Make the sessions of this number.")
@click.option("--update", is_flag=True, help="Write the .out files that are missing, by this project's games.")
@click.option("--reference", type=FILE_THERE, help="With --update: by this program of yours.")
def command(paths, make, seed, **options):
    """Grade submissions, or make new sessions. Return the exit status."""
    if options["reference"] and not (options["update"] and options["folder"]):
        raise click.UsageError("--reference writes with --update what is missing in the folder of --sessions.")
    if make and any(options[name] for name in ("folder", "csv", "texts", "report")):
        raise click.UsageError("--make writes sessions, and grades nothing.")
    return make_sessions(make, paths, seed, rules.all_games()) if make else grade(paths, **options)


def grade(paths, folder, calls, program, csv, report, kind, jobs, sandbox, points, out_of, **options):
    """Grade submissions, and write what is asked for. Return the exit status."""
    if not folder and not calls:
        folder, calls = ASSIGNMENT, "montana"
    update, export, texts, reference = (options.pop(name) for name in ("update", "export", "texts", "reference"))
    try:
        found_sessions = sessions.read_folder(folder, rules.all_games(), update, reference) if folder else []
        make_places(folder, texts, export, csv, report)
        if export:
            sessions.export(found_sessions, export)
        checks = functions.checks(options["cards"]) if calls else []
    except sessions.Unusable as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(printable(f"{error.filename}: {error_text(error)}")) from None
    names = [*(session.name for session in found_sessions), *[FUNCTIONS] * bool(checks)]
    weights = weights_of(points, names, out_of, bool(checks))
    if not paths and (export or update):
        return 0
    sandbox = sandbox_that_works(sandbox)
    single = kind if report and kind in ONE_SUBMISSION else ""
    with folder_of_boxes() as boxes, folder_of_boxes() as unpacked:
        found, skipped = found_in(paths, program, single, unpacked)
        note, jobs = about_sandbox(sandbox, jobs)
        click.echo(note, err=True)
        if options["module"] and not programs.has_click(sandbox):
            raise click.UsageError("--module plays in our frame, which needs click: python -I cannot import it here.")
        if folder == ASSIGNMENT:
            click.echo("Students know the assignment's own sessions: --make writes new ones.", err=True)
        assignment = Assignment(found_sessions, checks, weights=weights, sandbox=sandbox, boxes=boxes, **options)
        write = functools.partial(write_results, skipped=skipped, note=note, csv=csv, report=report, kind=kind)
        grades, ungraded, status = graded_by(assignment, found, jobs, texts, write)
    tell(grades, skipped, texts)
    for student, why in ungraded.items():
        click.echo(printable(f"{student} is not graded: {why}."), err=True)
    if status:
        click.echo(f"Interrupted: {len(grades)} of {len(found)} are graded.", err=True)
    return status or (UNGRADED if ungraded else int(not all(one.is_full for one in grades)))


def make_places(folder, texts, export, csv, report):
    """Make the folders that are written to. Raises Unusable if something cannot be written, or is there already."""
    for path in filter(None, (texts, export)):
        path.mkdir(parents=True, exist_ok=True)
    if export and folder and export.resolve() == folder.resolve():
        raise sessions.Unusable("--export: that is the folder of the sessions.")
    if csv and report and csv.resolve() == report.resolve():
        raise sessions.Unusable(f"{printable(csv)}: it cannot be both the table and the results.")
    for path in filter(None, (csv, report)):
        must_be_writable(path)


def sandbox_that_works(wanted):
    """Return the sandbox that is wanted, or for AUTO the first that works. Raises click.UsageError if it does not."""
    if wanted == AUTO:
        return next(filter(programs.works, programs.SANDBOXES), programs.NONE)
    if not programs.works(wanted):
        raise click.UsageError(f"--sandbox {wanted}: {WORKS_NOT[wanted]}")
    return wanted


def found_in(paths, program, single, unpacked):
    """Return the Submissions at some paths, and what is skipped. single: a format that takes one, or "". Raises
    click.UsageError if there is none, or more than that."""
    found, skipped = submissions.find(paths, program, bool(single), unpacked)
    if not found:
        raise click.UsageError("No submission was found.")
    if single and len(found) > 1:
        raise click.UsageError(f"--format {single} takes one submission, not {len(found)}.")
    return found, skipped


def about_sandbox(sandbox, jobs):
    """Return a sentence: which sandbox is used, and how many jobs it allows. Submissions that all run as nobody could
    end one another."""
    note = f"Sandbox: {programs.SANDBOXES[sandbox]}"
    if sandbox != programs.USER:
        return f"{note}.", jobs
    readable = programs.readable_by_nobody()
    return note + (f", who can read {printable(readable)}: chmod -R go= takes that away." if readable else "."), 1


def graded_by(assignment, found, jobs, texts, write):
    """Return the Grades of some Submissions, in their order, why others have none, student -> reason, and 0; or after
    Ctrl-C what is there, and its exit status. Whoever could not be graded is tried once more, alone. Feedback is
    written to the folder texts for each one as it is done, the table by write(grades) at each tenth."""
    graded, failed, status = {}, {}, 0
    work = functools.partial(judging.graded, assignment)

    def take(result):
        if isinstance(result, judging.Ungraded):
            failed[result.student] = result.why
            return
        failed.pop(result.student, None)
        graded[result.student] = result
        write_feedback(result, texts)
        bar.update(1)
        if len(graded) * 10 // len(found) > (len(graded) - 1) * 10 // len(found):
            write([graded[one.student] for one in found if one.student in graded])

    with click.progressbar(length=len(found), label="Grading", file=sys.stderr) as bar:
        try:
            with contextlib.suppress(click.ClickException):  # a process at work was killed: perhaps by a submission
                for result in results(work, found, jobs):
                    take(result)
            for one in [one for one in found if one.student not in graded]:
                try:
                    take(next(results(work, [one], jobs)))
                except click.ClickException:
                    failed[one.student] = "grading it was killed twice"
        except KeyboardInterrupt:
            status = patience.INTERRUPTED
    grades = [graded[one.student] for one in found if one.student in graded]
    write(grades)
    return grades, failed, status


def write_feedback(grade, texts):
    """Write the feedback of a grade to a folder, unless that is None."""
    if texts:
        with open_to_write(texts / os.fsdecode(f"{grade.student}.txt".encode())) as file:
            file.write(feedback(grade))


def write_results(grades, skipped, note, csv, report, kind):
    """Write the table and the results of another system, if they are asked for. What was written before stays until all
    of it is there."""
    if csv and grades:
        with open_to_write(csv, "utf-8-sig") as file:  # with the mark by which Excel knows UTF-8
            write_csv(grades, skipped, file)
    if report and grades:
        with open_to_write(report) as file:
            file.write(FORMATS[kind](grades, note))


def make_sessions(count, folders, seed, games):
    """Write new sessions to a folder. Return the exit status."""
    from grading import making

    if len(folders) != 1 or not folders[0].is_dir() or list(folders[0].glob("*.py")):
        raise click.UsageError("--make takes one folder, which must be there, and have no programs in it.")
    making.make(count, folders[0], seed, games)
    click.echo(f"{count} sessions are in {printable(folders[0])}.", err=True)
    return 0


def must_be_writable(path):
    """Raise Unusable if a file cannot be written later. It stays as it is."""
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is not a file")
        open(path, "a").close()
    except OSError as error:
        raise sessions.Unusable(printable(f"{path}: {error_text(error)}")) from None


def open_to_write(path, encoding="utf-8"):
    """Return a file, opened for text that may have any letters; it takes its place when it is whole."""
    return click.open_file(path, "w", encoding, "backslashreplace", atomic=True)


def weights_of(pairs, names, out_of, grades_functions):
    """Return the points of each part: those of words such as course1=10, and for the others as much as is left, in
    equal parts; without such words the functions have SHARE_OF_FUNCTIONS. Raises click.UsageError."""
    weights = {}
    for pair in pairs:
        name, _, points = pair.rpartition("=")
        if name not in names or not POINTS.fullmatch(points):
            raise click.UsageError(f"--points {pair}: it must be NAME=N, with a NAME of {', '.join(names)}.")
        weights[name] = float(points)
    if not weights and len(names) > 1 and grades_functions:
        weights[FUNCTIONS] = SHARE_OF_FUNCTIONS * out_of
    others = [name for name in names if name not in weights]
    left = out_of - sum(weights.values())
    if others and left <= 0:
        raise click.UsageError(
            f"--points leaves nothing of {out_of:g} for {', '.join(others)}: --out-of makes it more."
        )
    return {**weights, **{name: left / len(others) for name in others}}


def tell(grades, skipped, texts):
    """Show what the submissions came to."""
    for one in grades:
        click.echo(printable(summary(one)) if texts or len(grades) > 1 else feedback(one).rstrip("\n"))
    if skipped:
        names = ", ".join(f"{printable(name)} ({why})" for name, why in skipped.items())
        click.echo(f"{len(grades) + len(skipped)} entries, {len(grades)} graded; skipped: {names}", err=True)
