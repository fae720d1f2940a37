"""The command grade: a class of submissions, by sessions, functions, or both."""

import functools
import itertools
import os
import re
import sys
from collections import namedtuple
from pathlib import Path

import click

from grading import functions, judging, programs, sessions
from grading.reports import FORMATS, ONE_SUBMISSION, feedback, summary, write_csv
from patience.game import files
from patience.options import MOST_JOBS, not_nan
from patience.game.text import error_text, printable
from patience.advice.processes import results

ASSIGNMENT = Path(__file__).with_name("montana")
POINTS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
LONGEST_NAME = 200  # bytes, of a student

# path: of the submission, a folder or a file. file: name of the program in it, or None and a reason.
Submission = namedtuple("Submission", "student path file reason")
# What submissions are graded by. module, sandbox: True or False. weights: name of a part ->
# points. boxes: the folder for boxes.
Assignment = namedtuple("Assignment", "sessions checks module cards seconds blanks penalty weights sandbox boxes")


def command(games):
    """Return the command. games: the names of this project's games."""
    there = click.Path(exists=True, path_type=Path)
    folder, file = click.Path(file_okay=False, path_type=Path), click.Path(dir_okay=False, path_type=Path)
    options = [
        (
            ["--sessions", "folder"],
            "Grade by the sessions of this folder, NAME.in and NAME.out.",
            {"type": click.Path(exists=True, file_okay=False, path_type=Path)},
        ),
        (["--functions", "calls"], "Grade the six functions of the assignment.", {"type": click.Choice(["montana"])}),
        (["--program"], "Name of the program in each student's folder.", {}),
        (["--module"], "Submissions are modules of a game, without a program of their own.", {"is_flag": True}),
        (
            ["--cards"],
            "Give submissions this cards.py instead of ours.",
            {
                "type": click.Path(exists=True, dir_okay=False, path_type=Path),
                "default": programs.ROOT / "cards.py",
                "show_default": False,
            },
        ),
        (
            ["--blanks"],
            "Whether blanks and newlines count: once in a session, in every answer, or never.",
            {"type": click.Choice(["once", "exact", "ignore"]), "default": "once"},
        ),
        (
            ["--penalty"],
            "Points off for each remark.",
            {"type": click.FloatRange(0, 10**6), "default": 0, "callback": not_nan},
        ),
        (
            ["--out-of"],
            "Points for everything.",
            {"type": click.FloatRange(0.01, 10**6), "default": 100, "callback": not_nan},
        ),
        (["--points"], "Make a session, or the functions, worth N points.", {"multiple": True, "metavar": "NAME=N"}),
        (
            ["--seconds"],
            "Time limit for a session, or for a function.",
            {"type": click.FloatRange(0.1, 3600), "default": 10, "callback": not_nan},
        ),
        (
            ["--sandbox"],
            "Run submissions in bubblewrap.",
            {"type": click.Choice(["auto", "bwrap", "none"]), "default": "auto"},
        ),
        (
            ["--jobs"],
            "Number of submissions to grade in parallel (default: all cores).",
            {
                "type": click.IntRange(1, MOST_JOBS),
                "default": min(os.cpu_count() or 1, MOST_JOBS),
                "show_default": False,
            },
        ),
        (["--feedback", "texts"], "Write STUDENT.txt to this folder.", {"type": folder}),
        (["--csv"], "Write a row per student to this file.", {"type": file}),
        (["--json", "--report", "report"], "Write the results to this file, in --format.", {"type": file}),
        (
            ["--format", "kind"],
            "Format of the results.",
            {"type": click.Choice(list(FORMATS)), "default": "gradescope"},
        ),
        (["--export"], "Write the sessions to this folder as plain input and output.", {"type": folder}),
        (
            ["--make"],
            "Write N new sessions of Montana to the folder.",
            {"type": click.IntRange(1, 100), "metavar": "N"},
        ),
        (["--seed"], "Make the sessions of this number.", {"type": int, "default": 1}),
        (["--update"], "Write the .out files that are missing, by this project's games.", {"is_flag": True}),
    ]
    params = [click.Argument(["submissions"], nargs=-1, type=there)]
    params += [click.Option(names, help=text, **{"show_default": True, **more}) for names, text, more in options]
    return click.Command(
        "grade",
        callback=functools.partial(grade, games),
        params=params,
        help=(
            "Grade students' programs: files, or folders with a file or folder for each student. Without --sessions "
            "and --functions: by those of Montana's assignment. Exits with 0 if every submission has full points, 1 if "
            "not."
        ),
    )


def grade(
    games, submissions, folder, calls, program, update, export, texts, csv, report, kind, jobs, sandbox, **options
):
    """Grade submissions, and write what is asked for. Return the exit status."""
    make, seed = options.pop("make"), options.pop("seed")
    if make and (folder or csv or texts or report):
        raise click.UsageError("--make writes sessions, and grades nothing.")
    if make:
        return make_sessions(make, submissions, seed, games)
    if not folder and not calls:
        folder, calls = ASSIGNMENT, "montana"
    try:
        found_sessions = sessions.read_folder(folder, games, update) if folder else []
        for path in filter(None, (texts, export)):
            path.mkdir(parents=True, exist_ok=True)
        if export and folder and export.resolve() == folder.resolve():
            raise sessions.Unusable("--export: that is the folder of the sessions.")
        if csv and report and csv.resolve() == report.resolve():
            raise sessions.Unusable(f"{printable(csv)}: it cannot be both the table and the results.")
        if export:
            sessions.export(found_sessions, export)
        checks = functions.checks(options["cards"]) if calls else []
        for path in filter(None, (csv, report)):
            must_be_writable(path)
    except sessions.Unusable as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(printable(f"{error.filename}: {error_text(error)}")) from None
    names = [*(session.name for session in found_sessions), *["functions"] * bool(checks)]
    weights = weights_of(options.pop("points"), names, options.pop("out_of"))
    found = find(submissions, program, bool(report and kind in ONE_SUBMISSION))
    if not found and (export or update) and not submissions:
        return 0
    if not found:
        raise click.UsageError("No submission was found.")
    if report and kind in ONE_SUBMISSION and len(found) > 1:
        raise click.UsageError(f"--format {kind} takes one submission, not {len(found)}.")
    has_sandbox = sandbox != "none" and programs.has_sandbox()
    if sandbox == "bwrap" and not has_sandbox:
        raise click.UsageError("--sandbox bwrap: bubblewrap is not installed, or does not work here.")
    click.echo(f"Sandbox: {'bubblewrap' if has_sandbox else 'none'}.", err=True)
    if folder == ASSIGNMENT:
        click.echo("Students know the assignment's own sessions: --make writes new ones.", err=True)
    graded = {}
    with programs.folder_of_boxes() as boxes:
        assignment = Assignment(found_sessions, checks, weights=weights, sandbox=has_sandbox, boxes=boxes, **options)
        with click.progressbar(length=len(found), label="Grading", file=sys.stderr) as bar:
            for one in results(functools.partial(judging.graded, assignment), found, jobs):
                graded[one.student] = one
                bar.update(1)
    grades = [graded[one.student] for one in found]
    tell(grades, texts, csv, report, kind)
    return 0 if all(one.is_full for one in grades) else 1


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
        files.must_be_file(path)
        open(path, "a").close()
    except OSError as error:
        raise sessions.Unusable(printable(f"{path}: {error_text(error)}")) from None


def open_to_write(path):
    """Return a file, opened for text that may have any letters."""
    return open(path, "w", encoding="utf-8", errors="backslashreplace", newline="")


def weights_of(pairs, names, out_of):
    """Return the points of each part: those of words such as course1=10, and for the others as much as is left, in
    equal parts. Raises click.UsageError."""
    weights = {}
    for pair in pairs:
        name, _, points = pair.rpartition("=")
        if name not in names or not POINTS.fullmatch(points):
            raise click.UsageError(f"--points {pair}: it must be NAME=N, with a NAME of {', '.join(names)}.")
        weights[name] = float(points)
    others = [name for name in names if name not in weights]
    left = out_of - sum(weights.values())
    if others and left <= 0:
        raise click.UsageError(
            f"--points leaves nothing of {out_of:g} for {', '.join(others)}: --out-of makes it more."
        )
    return {**weights, **{name: left / len(others) for name in others}}


def find(paths, program, single=False):
    """Return the Submissions that are at some paths: each path is one, but a folder that is the only path is a class,
    if it has not the program itself. single: it is no class."""
    found = list(paths)
    if len(found) == 1 and found[0].is_dir() and not single and not (program and (found[0] / program).is_file()):
        inside = [one for one in sorted(found[0].iterdir()) if not one.name.startswith(".")]
        wanted = [one for one in inside if one.is_dir() or one.suffix == ".py"]
        if wanted and (skipped := [one for one in inside if one not in wanted]):
            names = ", ".join(f"{printable(one.name)} (no Python file)" for one in skipped)
            click.echo(f"{len(inside)} entries, {len(wanted)} graded; skipped: {names}", err=True)
        found = wanted if wanted or not program else found
    submissions = {}
    for path in found:
        name = Path(os.path.abspath(path)).name if path.is_dir() else path.stem
        name = name.encode("utf-8", "surrogateescape")[:LONGEST_NAME].decode("utf-8", "replace")
        names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
        name = next(one for one in names if one not in submissions)
        submissions[name] = Submission(name, path, *program_in(path, program))
    return list(submissions.values())


def program_in(path, program):
    """Return the name of the program in a submission and "", or None and the reason there is none."""
    try:
        there = (
            [path]
            if not path.is_dir()
            else sorted(
                one
                for one in path.iterdir()
                if one.suffix == ".py" and one.name != "cards.py" and not one.name.startswith(".")
            )
        )
    except OSError as error:
        return None, f"The folder cannot be read: {error.strerror}."
    if program and path.is_dir():
        there = [one for one in there if one.name == program]
    if not there:
        return None, f"There is no {program or 'program'}."
    if len(there) > 1:
        return None, f"There are several programs: {', '.join(one.name for one in there[:5])}."
    if there[0].is_symlink() or not there[0].is_file():
        return None, f"{printable(there[0].name)} is a link, or no plain file."
    return there[0].name, ""


def tell(grades, texts, table, report, kind):
    """Show what the submissions came to, and write feedback, table and report if they are asked for."""
    for one in grades:
        if texts:
            with open_to_write(texts / os.fsdecode(f"{one.student}.txt".encode())) as file:
                file.write(feedback(one))
        click.echo(printable(summary(one)) if texts or len(grades) > 1 else feedback(one).rstrip("\n"))
    if table:
        with open_to_write(table) as file:
            write_csv(grades, file)
    if report:
        with open_to_write(report) as file:
            file.write(FORMATS[kind](grades))
