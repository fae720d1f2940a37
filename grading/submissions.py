"""What a teacher has of a class, as Submissions: folders, files, and zip files of either.

A file that Canvas, Moodle or D2L has named belongs to the student in its name, and is laid out by its own name."""

import contextlib
import itertools
import os
import re
import shutil
import stat
import zipfile
from collections import namedtuple
from pathlib import Path

from grading.boxes import LONGEST_PROGRAM, MAX_COPIED, beginning, is_own
from patience.text import error_text, printable

# path: a folder or a file. file: name of the program in it, or None and a reason.
Submission = namedtuple("Submission", "student path file reason")

LONGEST_NAME = 200  # bytes, of a student
MAX_UNPACKED = 1 << 30  # bytes, of a class's zip file
MAX_FILES = 20_000  # in a zip file
MAX_NAMED = 5  # programs, in a reason
# How learning platforms name what they hand out: the student, and then the file, if it is no folder.
PLATFORMS = (
    re.compile(r"(?P<student>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)"),  # Canvas
    re.compile(r"(?P<student>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)"),  # Moodle
    re.compile(r"(?P<id>\d+)-\d+ - (?P<student>.+?) - [^-]*\d{4}[^-]*(?: - (?P<file>.+))?"),  # D2L
)
AGAIN = re.compile(r"-\d+(?=\.\w+$)")  # in the name of a file that was handed in once more, by Canvas
IMPORTED = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)


def find(paths, program, single, unpacked):
    """Return the Submissions that are at some paths, and what is skipped, name -> why.

    Each path is a submission, but a folder or zip file that is the only path may be a class. program: its name, or
    None. single: one submission is wanted. unpacked: a folder for what is unpacked."""
    students, skipped = {}, {}  # path -> student; name -> why
    if len(paths) == 1 and paths[0].suffix == ".zip":
        folder = Path(unpacked, "class")
        if reason := unpack(paths[0], folder, MAX_UNPACKED):
            return [Submission(name_of(paths[0]), folder, None, reason)], {}
        students[inner(folder)] = name_of(paths[0])
        paths = list(students)
    if len(paths) == 1 and paths[0].is_dir() and is_class(paths[0], program, single or bool(students)):
        entries = [one for one in sorted(paths[0].iterdir()) if not is_hidden(one)]
        named = [one for one in entries if is_of_platform(one)]
        others = [one for one in entries if one not in named]
        students = laid_out(named, unpacked)
        skipped = {one.name: why for one in others if (why := why_skipped(one))}
        paths = [one for one in others if one.name not in skipped] + list(students)
    found = {}
    for path in paths:
        name = students.get(path) or name_of(path)
        names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
        name = next(one for one in names if one not in found)
        try:
            found[name] = submission(name, path, program, unpacked)
        except Exception as error:  # whatever one submission is, the others are graded
            if is_own(error):
                raise
            why = error_text(error) or type(error).__name__
            found[name] = Submission(name, path, None, printable(f"It cannot be read: {why.rstrip('.')}."))
    return [found[name] for name in sorted(found)], skipped


def why_skipped(path):
    """Return why an entry of a class's folder is no submission, or ""."""
    if path.name == "cards.py":
        return "the course's own module"
    if path.is_symlink():
        return "a link"
    return "" if path.is_dir() or path.suffix in (".py", ".zip") else "no Python file"


def submission(name, path, program, unpacked):
    """Return the Submission at a path: a file, a folder, or a zip file of either."""
    if path.suffix == ".zip" and path.is_file() and not path.is_symlink():
        target = Path(unpacked, f"zip-{len(os.listdir(unpacked))}")
        if reason := unpack(path, target, MAX_COPIED):
            return Submission(name, target, None, reason)
        path = inner(target)
    return Submission(name, path, *program_in(path, program))


def name_of(path):
    """Return the student's name in a path."""
    student = of_platform(path)
    name = student[0] if student else Path(os.path.abspath(path)).name if path.is_dir() else path.stem
    return printable(name.encode("utf-8", "surrogateescape")[:LONGEST_NAME].decode("utf-8", "replace"))


def of_platform(path):
    """Return the student, the file, "" for a folder, and the platform's number of the student, in a name that a
    learning platform gave; or None."""
    match = next(filter(None, (pattern.fullmatch(path.name) for pattern in PLATFORMS)), None)
    if not match or match["file"] in (".", ".."):
        return None
    return match["student"], AGAIN.sub("", match["file"] or ""), match["id"]


def is_of_platform(path):
    """Return True for a plain file that a learning platform named: one of perhaps several of its student."""
    found = of_platform(path)
    return bool(found and found[1]) and path.suffix != ".zip" and not path.is_dir()


def laid_out(files, unpacked):
    """Copy files that a platform has named to a folder for each student; return folder -> student."""
    folders = {}  # student and number -> folder: two may have the same name
    for path in files:
        student, name, number = of_platform(path)
        folder = folders.setdefault((student, number), Path(unpacked, f"files-{len(folders)}"))
        folder.mkdir(exist_ok=True)
        if path.is_file() and not path.is_symlink():
            with contextlib.suppress(PermissionError):  # as if it were not there
                shutil.copyfile(path, folder / name)
    return {folder: student for (student, _), folder in folders.items()}


def is_hidden(path):
    """Return True for files that an operating system adds: .DS_Store, __MACOSX."""
    return path.name.startswith((".", "__"))


def is_class(folder, program, single):
    """Return True if a folder holds submissions, and is not one itself. single: one is wanted."""
    if program and (folder / program).is_file():
        return False
    own = python_files(folder)
    if any(of_platform(one) for one in folder.iterdir()):
        return True
    if len(own) > 1:
        return main_of(own) is None and not (single and program)
    return not single or not own and sum(any(one.rglob("*.py")) for one in folder.iterdir() if one.is_dir()) > 1


def python_files(folder):
    """Return the Python files of a folder that may be its program."""
    return sorted(
        one for one in folder.iterdir() if one.suffix == ".py" and one.name != "cards.py" and not is_hidden(one)
    )


def main_of(files):
    """Return which of some programs, that import each other, none of the others imports; or None."""
    texts = {one: beginning(one) for one in files if one.is_file() and not one.is_symlink()}
    if len(texts) < len(files) or any(one.stat().st_size > LONGEST_PROGRAM for one in files):
        return None
    imported = {name.decode("utf-8", "replace") for text in texts.values() for name in IMPORTED.findall(text)}
    left = [one for one in files if one.stem not in imported]
    return left[0] if len(left) == 1 else None


def program_in(path, program):
    """Return the name of the program in a submission and "", or None and the reason there is none."""
    try:
        own = python_files(path) if path.is_dir() else [path]
        there = [one for one in own if not program or one.name == program or not path.is_dir()]
        if len(there) > 1 and (main := main_of(there)):
            there = [main]
    except OSError as error:
        return None, f"The folder cannot be read: {error_text(error)}."
    names = ", ".join(printable(one.name) for one in own[:MAX_NAMED])
    if not there:
        return None, f"There is no {program or 'program'}{', only ' * bool(names)}{names}."
    if len(there) > 1:
        return None, f"There are several programs: {names}."
    if there[0].is_symlink() or not there[0].is_file():
        return None, f"{printable(there[0].name)} is a link, or no plain file."
    return there[0].name, ""


# Zip files


def unpack(path, folder, most):
    """Unpack a zip file of at most so many bytes to a new folder; return why that cannot be done, or ""."""
    folder.mkdir()
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
            if len(members) > MAX_FILES or sum(one.file_size for one in members) > most:
                return f"{printable(path.name)}: it is too large."
            for one in members:
                if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    return f"{printable(path.name)}: it is packed in a way that takes any memory."
                if stat.S_ISLNK(one.external_attr >> 16) or ".." in Path(one.filename).parts:
                    return f"{printable(path.name)}: it holds a link, or a name with '..'."
            packed.extractall(folder)
    except Exception as error:  # a damaged file can raise anything
        if is_own(error):
            raise
        return f"{printable(path.name)}: it cannot be unpacked: {printable(error_text(error))}."
    return ""


def inner(folder):
    """Return the folder that is all that lies in a folder, or that folder itself."""
    while len(entries := [one for one in folder.iterdir() if not is_hidden(one)]) == 1 and entries[0].is_dir():
        folder = entries[0]
    return folder
