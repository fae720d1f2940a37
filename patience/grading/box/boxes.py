"""A box: an otherwise empty folder with a copy of one submission's own files, and of the files that replace them. It is
deleted afterwards, with everything the submission put there."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from patience.workers import undisturbed

Files = dict[str, "Path | bytes"]  # name -> path of a file or folder, or a file's contents
MAX_COPIED = 20 << 20  # of a submission's files
MAX_FILES = 5_000  # of a submission
NOT_OWN = (".git", "__pycache__")  # folders
MODULES = (".py", ".pyc", ".pyd", ".so")  # possible endings of a module's file name
OWN_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EAGAIN)
LONGEST_PROGRAM = 1 << 20  # bytes that are examined outside the box


@contextlib.contextmanager
def folder_of_boxes(size: int | None = None) -> Iterator[str]:
    """Give the path of a temporary folder for boxes, and delete it afterwards. size: the size in bytes of a file system
    for this folder alone, if root can mount one, in which case files without a name count as well."""
    path = tempfile.mkdtemp(prefix="boxes")
    words = ["mount", "-t", "tmpfs", "-o", f"size={size},nosuid,nodev,mode=700", "tmpfs", path]
    is_mounted = bool(size) and succeeds(words)
    try:
        yield path
    finally:
        if is_mounted:
            succeeds(["umount", "-l", path])
        remove(path)


def succeeds(words: Sequence[str], **settings: Any) -> bool:
    """Run a command silently; return True if it exists and succeeds. settings: for subprocess.run."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(words, capture_output=True, **settings).returncode == 0
    return False


def remove(path: Path | str) -> None:
    """Remove a folder, or anything else that has this name, without opening it: a pipe would wait for its other end.
    rm removes a folder in which Python reaches its recursion limit. No signal interrupts this."""
    with undisturbed():
        try:
            if stat.S_ISDIR(os.lstat(path).st_mode):
                shutil.rmtree(path)
            else:
                os.unlink(path)
        except FileNotFoundError:
            pass
        except (OSError, RecursionError):
            succeeds(["rm", "-rf", str(path)])


@contextlib.contextmanager
def box(boxes: str, folder: Path, files: Files) -> Iterator[str]:
    """Give the path of a new folder with a copy of a submission's folder or single file, plus more files that replace
    the submission's own."""
    path = tempfile.mkdtemp(dir=boxes)
    try:
        copy_submission(Path(folder), Path(path))
        for name, source in files.items():
            target = Path(path) / name
            for own in [*Path(path).iterdir()]:  # also a package or compiled module of the same name
                if own.name.split(".")[0] == target.stem and (own.is_dir() or own.suffix in MODULES):
                    shutil.rmtree(own) if own.is_dir() else own.unlink()
            if isinstance(source, bytes):
                target.write_bytes(source)
            elif source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, target)
        yield path
    finally:
        remove(path)


def copy_submission(source: Path, target: Path) -> None:
    """Copy plain files and folders, but not links, which could lead anywhere, or devices, which may never end. Raises
    ValueError if they are too large, OSError if they cannot be read."""
    left = MAX_COPIED
    paths = [source] if source.is_file() else list(itertools.islice(own_files(source), MAX_FILES + 1))
    if len(paths) > MAX_FILES:
        raise ValueError(f"it has more than {MAX_FILES:,} files")
    for path in sorted(paths):
        name = path.name if path == source else path.relative_to(source)
        mode = os.lstat(path).st_mode
        if stat.S_ISDIR(mode):
            (target / name).mkdir(parents=True, exist_ok=True)
        elif stat.S_ISREG(mode):
            left -= path.stat().st_size
            if left < 0:
                raise ValueError(f"its files are larger than {MAX_COPIED >> 20} MB")
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / name)


def own_files(folder: Path) -> Iterator[Path]:
    """Yield the paths in a folder, except those of a virtual environment, of git, and of compiled modules."""
    waiting = [Path(folder)]
    while waiting:  # os.walk would recurse as deeply as the folders are nested
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                path = Path(entry.path)
                if not entry.is_dir(follow_symlinks=False):
                    yield path
                elif entry.name not in NOT_OWN and not (path / "pyvenv.cfg").exists():
                    yield path
                    waiting.append(path)


def is_own(error: BaseException) -> bool:
    """Return True for an error that is the grader's own and not the submission's fault, such as running out of space or
    memory."""
    return isinstance(error, MemoryError) or getattr(error, "errno", None) in OWN_ERRORS


def read_beginning(path: Path) -> bytes:
    """Return the first bytes of a file. Outside the box the rest is only copied."""
    with open(path, "rb") as file:
        return file.read(LONGEST_PROGRAM)
