"""The Submissions of a class: folders, files, and zip files of either.

A file named by Canvas, Moodle or D2L belongs to the student whose name it contains, and is copied under its original
name."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
import shutil
import stat
import unicodedata
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from patience.grading.box.boxes import LONGEST_PROGRAM, MAX_COPIED, is_own, own_files, read_beginning
from patience.text import error_text, printable


LONGEST_NAME = 200  # bytes, of a student
MAX_UNPACKED = 1 << 30  # bytes, for a class's zip file
MAX_FILES = 20_000  # in a zip file
MAX_NAMED = 5  # programs, in a reason
PROGRAM = "proj10.py"  # what the handout calls the program
HASH = 12  # letters of a hash
# How learning platforms name what is downloaded from them: the student, and then the file, unless it is a folder.
PLATFORMS = (
    re.compile(r"(?P<id>\d+)-\d+ - (?P<student>.+?) - (?P<date>[^-]*\d{4}[^-]*)(?: - (?P<file>.+))?"),  # D2L
    re.compile(r"(?P<student>[^_]+)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)"),  # Moodle
    re.compile(
        r"(?P<student>[^_]+)_(?P<late>LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)"
    ),  # Canvas; another file may have such a name, too
)
# As D2L writes it: Nov 9, 2026 900 AM, or 9 November, 2026 9:00 AM.
DATE = re.compile(
    r"(?:(?P<month>[a-z]{3})\w*\.? (?P<day>\d+)|(?P<first>\d+) (?P<then>[a-z]{3})\w*),? (?P<year>\d{4}),? "
    r"(?P<hour>\d{1,2}):?(?P<minute>\d\d) ?(?P<half>[ap]m)?",
    re.IGNORECASE,
)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
AGAIN = re.compile(r"-\d+(?=\.\w+$)")  # Canvas adds it to the name of a file that was handed in again
# Read as text: nothing is compiled outside a box.
IMPORTED = re.compile(rb"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w \t,.]+))", re.MULTILINE)


class Submission(NamedTuple):
    """One student's submission."""

    student: str
    path: Path  # a folder or a file
    file: Optional[str]  # the name of the program in it, or None and a reason
    reason: str
    id: str = ""  # the student's number on a platform
    is_late: bool = False  # a platform marked it as late
    hash: str = ""  # of the program's file
    note: str = ""  # which program it is, if its name is not the expected one

    @property
    def program(self) -> Path:
        """The path of the submission's program."""
        return self.path / self.file if self.file and self.path.is_dir() else self.path


class Upload(NamedTuple):
    """What a student handed in at one time, as the name that a platform gave it says."""

    name: str
    path: Path  # a folder, perhaps one into which its files were copied, or a zip file
    date: tuple[int, ...]  # year, month, day, hour, minute; () if it is not known
    is_late: bool


def find(
    paths: Sequence[Path], program: str | None, single: bool, unpacked: str
) -> tuple[list[Submission], dict[str, str]]:
    """Return the Submissions at these paths, and what is skipped, name -> why. Each path is a submission, but a single
    folder or zip file may be a class. program: the program's name, or None. single: there must be only one submission.
    unpacked: a folder for the contents of zip files."""
    found: list[Submission] = []
    skipped = {}  # name -> why
    number, is_late, name = "", False, ""
    if len(paths) == 1 and suffix_of(paths[0]) == ".zip":
        folder, (_, _, number, is_late), name = Path(unpacked, "class"), platform_of(paths[0]), name_of(paths[0])
        if reason := unpack(paths[0], folder, MAX_UNPACKED):
            return [Submission(name, folder, None, reason)], {}
        paths = [inner(folder)]
    if len(paths) == 1 and paths[0].is_dir() and is_class(paths[0], program, single or bool(name)):
        entries = [path for path in sorted(paths[0].iterdir()) if not is_hidden(path)]
        for (student, number), uploads in uploads_of(entries, unpacked, program).items():
            found.append(newest_of(student, uploads, program, unpacked)._replace(id=number))
        others = [path for path in entries if not is_of_platform(path)]
        skipped = {path.name: why for path in others if (why := why_skipped(path))}
        paths, name = [path for path in others if path.name not in skipped], ""
    for path in paths:
        one = read(name or name_of(path), path, program, unpacked)
        if not name:
            _, _, number, is_late = platform_of(path)
        found.append(one._replace(id=number, is_late=is_late))
    by_name = {}
    for one in found:
        names = itertools.chain([one.student], (f"{one.student}-{again}" for again in itertools.count(2)))
        name = next(name for name in names if name not in by_name)
        by_name[name] = one._replace(student=name)
    return [by_name[name] for name in sorted(by_name)], skipped


def uploads_of(entries: list[Path], unpacked: str, program: str | None) -> dict[tuple[str, str], list[Upload]]:
    """Return what each student handed in, out of the entries of a class that a platform has named: (student, number)
    -> Uploads. Plain files are copied to a folder for each upload; a file that was handed in again, such as
    proj10-2.py, gets the name used by others in the class, or program."""
    students: dict[tuple[str, str], dict[Any, Upload]] = {}
    named = [path for path in entries if is_of_platform(path)]
    names = {program, *(platform_of(path)[1] for path in named)}
    for number, path in enumerate(named):
        _, name, student_number, is_late = platform_of(path)
        date, is_plain = date_of(path.name), path.is_symlink() or not (path.is_dir() or suffix_of(path) == ".zip")
        uploads = students.setdefault((name_of(path), student_number), {})
        if not is_plain:
            uploads[path] = Upload(path.name, path, date, is_late)
            continue
        new = Upload(path.name, Path(unpacked, f"files-{number}"), date, is_late)
        folder = uploads.setdefault(date, new).path
        folder.mkdir(exist_ok=True)
        first = AGAIN.sub("", name)
        if path.is_file() and not path.is_symlink():
            with contextlib.suppress(PermissionError):  # as if it were not there
                shutil.copyfile(path, folder / (first if first in names else name))
    return {student: [*uploads.values()] for student, uploads in students.items()}


def newest_of(student: str, uploads: list[Upload], program: str | None, unpacked: str) -> Submission:
    """Return a student's newest upload as a Submission; one without a program counts only if no other has one."""
    made = [(read(student, upload.path, program, unpacked), upload) for upload in uploads]
    one, upload = max(made, key=lambda pair: (bool(pair[0].file), pair[1].date, pair[1].name))
    others = f"{len(uploads)} uploads; graded is {printable(upload.name)}." if uploads[1:] else ""
    return one._replace(is_late=upload.is_late, note=" ".join(filter(None, [one.note, others])))


def date_of(name: str) -> tuple[int, ...]:
    """Return the date in a name as D2L gives it: (year, month, day, hour, minute); or () if there is none that can be
    read."""
    found = DATE.search(name)
    month = (found["month"] or found["then"]).lower() if found else ""
    if not found or month not in MONTHS:
        return ()
    hour = int(found["hour"]) % 12 + 12 * (found["half"].lower() == "pm") if found["half"] else int(found["hour"])
    day = int(found["day"] or found["first"])
    return int(found["year"]), MONTHS.index(month) + 1, day, hour, int(found["minute"])


def read(name: str, path: Path, program: str | None, unpacked: str) -> Submission:
    """Return the Submission at a path; if it cannot be read, its reason says why, and the others are graded."""
    try:
        return make_submission(name, path, program, unpacked)
    except Exception as error:
        if is_own(error):
            raise
        why = error_text(error) or type(error).__name__
        return Submission(name, path, None, printable(f"It could not be read: {why.rstrip('.')}."))


def suffix_of(path: Path) -> str:
    """Return the suffix of a file's name in lower case, such as .py."""
    return path.suffix.lower()


def why_skipped(path: Path) -> str:
    """Return why an entry of a class's folder is not a submission, or ""."""
    if path.name == "cards.py":
        return "the course's own module"
    if path.is_symlink():
        return "a link"
    return "" if path.is_dir() or suffix_of(path) in (".py", ".zip") else "not a Python file"


def make_submission(name: str, path: Path, program: str | None, unpacked: str) -> Submission:
    """Return the Submission at a path: a file, a folder, or a zip file of either."""
    if suffix_of(path) == ".zip" and path.is_file() and not path.is_symlink():
        target = Path(unpacked, f"zip-{len(os.listdir(unpacked))}")
        if reason := unpack(path, target, MAX_COPIED):
            return Submission(name, target, None, reason)
        path = inner(target)
    path = folder_of_program(path, program)
    file, reason, note = program_in(path, program)
    submission = Submission(name, path, file, reason, note=note)
    if not submission.file:
        return submission
    return submission._replace(hash=hashlib.sha256(read_beginning(submission.program)).hexdigest()[:HASH])


def name_of(path: Path) -> str:
    """Return the student's name from a path."""
    name = platform_of(path)[0] or (Path(os.path.abspath(path)).name if path.is_dir() else path.stem)
    composed = unicodedata.normalize("NFC", name)  # macOS takes letters apart
    text = printable(composed.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return text.encode()[:LONGEST_NAME].decode("utf-8", "ignore")


def platform_of(path: Path) -> tuple[str, str, str, bool]:
    """From a name given by a learning platform, return the student, the file ("" for a folder), the student's number on
    the platform, and whether it is late. For other names, all four are empty."""
    match = next(filter(None, (pattern.fullmatch(path.name) for pattern in PLATFORMS)), None)
    if not match or match["file"] in (".", ".."):
        return "", "", "", False
    return match["student"], match["file"] or "", match["id"], bool(match.groupdict().get("late"))


def is_of_platform(path: Path) -> bool:
    """Return True if a learning platform named this; a student may have several."""
    return bool(platform_of(path)[0])


def is_hidden(path: Path) -> bool:
    """Return True for files that an operating system adds: .DS_Store, __MACOSX."""
    return path.name.startswith((".", "__"))


def is_class(folder: Path, program: str | None, single: bool) -> bool:
    """Return True if a folder holds submissions, and is not one itself. single: there must be only one submission."""
    if (folder / (program or PROGRAM)).is_file():
        return False
    own = python_files(folder)
    if any(platform_of(path)[0] and (path.is_dir() or suffix_of(path) in (".py", ".zip")) for path in folder.iterdir()):
        return True
    if len(own) > 1:
        return main_of(own) is None and not (single and program)
    others = [path for path in folder.iterdir() if not is_hidden(path) and (path.is_dir() or suffix_of(path) == ".zip")]
    folders = [path for path in others if has_program(path)]
    if len(own) == 1:  # with a program of its own it is a submission, unless there are others next to it
        return not single and (bool(folders) or any(suffix_of(path) == ".zip" for path in others))
    return not single or len(folders) > 1


def has_program(path: Path) -> bool:
    """Return True for a folder with a Python file anywhere in it, if it can be read."""
    with contextlib.suppress(OSError):
        return path.is_dir() and any(suffix_of(one) == ".py" for one in itertools.islice(own_files(path), MAX_FILES))
    return False


def python_files(folder: Path) -> list[Path]:
    """Return the Python files of a folder that may be its program."""
    return sorted(
        one for one in folder.iterdir() if suffix_of(one) == ".py" and one.name != "cards.py" and not is_hidden(one)
    )


def main_of(files: list[Path]) -> Path | None:
    """Return the only one of these programs that none of the others imports, or None."""
    texts = {one: read_beginning(one) for one in files if one.is_file() and not one.is_symlink()}
    if len(texts) < len(files) or any(one.stat().st_size > LONGEST_PROGRAM for one in files):
        return None
    imported = set()
    for text in texts.values():
        for module, modules in IMPORTED.findall(text.decode("utf-8", "replace").encode()):
            imported |= {
                word.split()[0].split(b".")[0].decode() for word in [module, *modules.split(b",")] if word.strip()
            }
    left = [path for path in files if path.stem not in imported]
    return left[0] if len(left) == 1 else None


def folder_of_program(path: Path, program: str | None) -> Path:
    """Return the folder inside a submission's folder that holds all its programs, or the program with that name;
    otherwise the submission's own folder."""
    if not path.is_dir() or python_files(path):
        return path
    below = [one for one in itertools.islice(own_files(path), MAX_FILES) if suffix_of(one) == ".py" and one.is_file()]
    below = [one for one in below if one.name != "cards.py" and not is_hidden(one)]
    named = [one for one in below if one.name == program] or below
    folders = {one.parent for one in named}
    return folders.pop() if len(folders) == 1 else path


def program_in(path: Path, program: str | None) -> tuple[str | None, str, str]:
    """Return the name of a submission's program, "", and a note if the name is not program; or None, the reason there
    is none, and ""."""
    try:
        own = python_files(path) if path.is_dir() else [path]
        there = [one for one in own if not program or one.name == program or not path.is_dir()]
        there = there or [one for one in own if program and one.name.lower() == program.lower()] or own
        assigned = [one for one in there if one.name == PROGRAM]
        if len(there) > 1 and (main := main_of(there) or next(iter(assigned), None)):
            there = [main]
    except OSError as error:
        return None, f"The folder could not be read: {error_text(error)}.", ""
    names = ", ".join(printable(one.name) for one in own[:MAX_NAMED])
    if not there:
        others = [one.name for one in sorted(path.iterdir()) if not is_hidden(one)] if path.is_dir() else []
        names = ", ".join(map(printable, others[:MAX_NAMED]))
        return None, f"There is no {program or 'program'}{', only ' * bool(names)}{names}.", ""
    if len(there) > 1:
        return None, f"There {f'is no {program}, and there ' * bool(program)}are several programs: {names}.", ""
    if there[0].is_symlink() or not there[0].is_file():
        return None, f"{printable(there[0].name)} is a link, or not a plain file.", ""
    is_other = program and path.is_dir() and there[0].name != program
    return there[0].name, "", f"Your program is called {printable(there[0].name)}, not {program}." if is_other else ""


# Zip files


def unpack(path: Path, folder: Path, most: int) -> str:
    """Unpack a zip file to a new folder; return why that is impossible, or "". most: how many bytes it may unpack
    to."""
    folder.mkdir()
    try:
        if path.stat().st_size > most:  # its whole list of contents is read
            return f"{printable(path.name)}: it is too large."
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
            if len(members) > MAX_FILES or sum(one.file_size for one in members) > most:
                return f"{printable(path.name)}: it is too large."
            for one in members:
                one.filename = one.filename.replace("\\", "/")  # as some Windows programs write it
                if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    return f"{printable(path.name)}: it is packed in a way that would take too much memory."
                if stat.S_ISLNK(one.external_attr >> 16) or ".." in Path(one.filename).parts:
                    return f"{printable(path.name)}: it holds a link, or a name with '..'."
            packed.extractall(folder, members)
    except Exception as error:  # a damaged file can raise anything
        if is_own(error):
            raise
        return f"{printable(path.name)}: it could not be unpacked: {printable(error_text(error))}."
    return ""


def inner(folder: Path) -> Path:
    """Go down through folders that hold nothing but one folder; return the last one."""
    while len(entries := [one for one in folder.iterdir() if not is_hidden(one)]) == 1 and entries[0].is_dir():
        folder = entries[0]
    return folder
