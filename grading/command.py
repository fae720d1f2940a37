"""The command grade: a class of submissions, by sessions, functions, or both."""

import functools
import itertools
import os
import re
import sys
from collections import namedtuple
from pathlib import Path

import click

from grading import functions, programs, sessions
from grading.reports import FORMATS, ONE_SUBMISSION, Grade, Part, feedback, summary, write_csv
from patience.game import files
from patience.options import MOST_JOBS, not_nan
from patience.game.text import error_text, printable
from patience.advice.processes import results

ASSIGNMENT = Path(__file__).with_name("montana")
MOST_FAILED = 20  # checks that a feedback names
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
            "Whether blanks and newlines count.",
            {"type": click.Choice(["exact", "ignore"]), "default": "exact"},
        ),
        (
            ["--penalty"],
            "Points off for each remark.",
            {"type": click.FloatRange(0, 10**6), "default": 0, "callback": not_nan},
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
    weights = weights_of(options.pop("points"), names)
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
    grades = []
    with programs.folder_of_boxes() as boxes:
        assignment = Assignment(found_sessions, checks, weights=weights, sandbox=has_sandbox, boxes=boxes, **options)
        with click.progressbar(length=len(found), label="Grading", file=sys.stderr) as bar:
            for one in results(functools.partial(graded, assignment), found, jobs):
                grades.append(one)
                bar.update(1)
    tell(grades, texts, csv, report, kind)
    return 0 if all(one.points == one.maximum and not one.reason for one in grades) else 1


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


def weights_of(pairs, names):
    """Return a dict from words such as course1=10. Raises click.UsageError."""
    weights = {}
    for pair in pairs:
        name, _, points = pair.rpartition("=")
        if name not in names or not POINTS.fullmatch(points):
            raise click.UsageError(f"--points {pair}: it must be NAME=N, with a NAME of {', '.join(names)}.")
        weights[name] = float(points)
    return weights


def find(paths, program, single=False):
    """Return the Submissions that are at some paths: each path is one, but a folder that is the only path is a class,
    if it has not the program itself. single: it is no class."""
    found = list(paths)
    if len(found) == 1 and found[0].is_dir() and not single and not (program and (found[0] / program).is_file()):
        inside = [one for one in sorted(found[0].iterdir()) if not one.name.startswith(".")]
        inside = [one for one in inside if one.is_dir() or one.suffix == ".py" and not program]
        found = inside if inside or not program else found
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


# One submission


def graded(assignment, one):
    """Return the Grade of a submission."""
    programs.end_with_worker()
    parts, reason = [], one.reason
    try:
        parts += [played(assignment, one, session) for session in assignment.sessions if not reason]
        parts += [called(assignment, one)] if assignment.checks and not reason else []
    except Exception as error:  # whatever a submission brings about is its own
        reason = printable(f"It cannot be graded: {error_text(error) or type(error).__name__}.")
    if reason:
        counts = {session.name: len(session.answers) for session in assignment.sessions}
        counts.update({"functions": len(assignment.checks)} if assignment.checks else {})
        parts = [Part(name, 0, count, assignment.weights.get(name)) for name, count in counts.items()]
    return Grade(one.student, parts, assignment.penalty, reason)


def played(assignment, one, session):
    """Return the Part of a session that is typed into a submission."""
    files, file = {"cards.py": assignment.cards}, one.file
    if assignment.module:
        source = one.path / one.file if one.path.is_dir() else one.path
        files, file = programs.frame_files(session.game or source.stem, source, assignment.cards), "main.py"
    settings = {
        "file": file,
        "arguments": session.arguments if assignment.module else [],
        "seed": session.seed,
        "deck": session.deck,
    }
    typed = "".join(f"{line}\n" for line in session.typed).encode()
    with programs.box(assignment.boxes, one.path, files) as path:
        run = programs.run(path, settings, typed, assignment.seconds, assignment.sandbox)
    printed = run.printed.decode("utf-8", "replace")
    found = sessions.answers_in(printed, session.prompts, len(session.typed))
    right, ignoring = sessions.marks(session, found, assignment.blanks), sessions.marks(session, found, "ignore")
    told = [] if all(right) else sessions.difference(session, found, right.index(False))
    if run.remarks:
        last = sessions.typed_last(session.prompts, session.typed, printed)
        told.append(f"Typed last: {printable(last) or sessions.NOTHING}")
    if "EOFError: EOF when" in run.errors:
        told.append("It asks for input after the last command.")
    return Part(
        session.name,
        sum(right),
        len(right),
        assignment.weights.get(session.name),
        sum(ignoring) - sum(right),
        run.remarks,
        told,
        [*map(printable, run.errors.splitlines())],
    )


def called(assignment, one):
    """Return the Part of a submission's functions."""
    settings = {"file": one.file, "seed": None, "deck": None, "checks": [*map(functions.to_call, assignment.checks)]}
    with programs.box(assignment.boxes, one.path, {"cards.py": assignment.cards}) as path:
        answers = programs.call(path, settings, assignment.seconds, assignment.sandbox)
    wrong = [
        (check, why)
        for check, answer in zip(assignment.checks, answers)
        if (why := functions.judged(check, answer, assignment.seconds))
    ]
    told = [printable(f"{check.sentence}: {why.splitlines()[-1]}") for check, why in wrong[:MOST_FAILED]]
    told += [f"... and {len(wrong) - MOST_FAILED} more."] if len(wrong) > MOST_FAILED else []
    if len(wrong) == len(assignment.checks) and len({why for _, why in wrong}) == 1:
        told = [printable(f"all of them: {wrong[0][1].splitlines()[-1]}")]
    errors = next((why.splitlines() for _, why in wrong if "\n" in why), [])
    count = len(assignment.checks)
    return Part(
        "functions",
        count - len(wrong),
        count,
        assignment.weights.get("functions"),
        told=told,
        errors=[*map(printable, errors)],
    )
