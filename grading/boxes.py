"""A box: an empty folder with a copy of one submission's own files, and of those that replace them. It is gone
afterwards, with all that a submission has made of it.
"""

import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRAME = ("main.py", "patience", "solvers")
MOST_COPIED = 20 << 20  # of a submission's files


@contextlib.contextmanager
def folder_of_boxes():
    """Give the path of a temporary folder for boxes; remove it with all that submissions have made of it."""
    path = tempfile.mkdtemp(prefix="boxes")
    os.chmod(path, 0o711)  # another user goes through it to a box
    try:
        yield path
    finally:
        remove(path)


def remove(path):
    """Remove a folder, however deep: rm can do that where Python's own recursion ends."""
    if shutil.which("rm"):
        subprocess.run(["rm", "-rf", path], stderr=subprocess.DEVNULL)
    else:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def box(boxes, folder, files):
    """Give the path of a new folder that holds a copy of a submission's folder, or of one file, and more files: a dict
    of name -> path of a file or folder. They take the place of the submission's own."""
    path = tempfile.mkdtemp(dir=boxes)
    try:
        copy_submission(Path(folder), Path(path))
        for name, source in files.items():
            target = Path(path) / name
            for own in (target, target.with_suffix("")):  # also a package in place of a module
                if own.is_dir():
                    shutil.rmtree(own)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, target)
        yield path
    finally:
        remove(path)


def copy_submission(source, target):
    """Copy plain files and folders; a link could lead anywhere, and a device never ends. Raises ValueError if they are
    too large, OSError if they cannot be read."""
    left = MOST_COPIED
    paths = [source] if source.is_file() else sorted(source.rglob("*"))
    for path in paths:
        name = path.name if path == source else path.relative_to(source)
        mode = os.lstat(path).st_mode
        if stat.S_ISDIR(mode):
            (target / name).mkdir(parents=True, exist_ok=True)
        elif stat.S_ISREG(mode) and "__pycache__" not in path.parts and ".git" not in path.parts:
            left -= path.stat().st_size
            if left < 0:
                raise ValueError(f"its files are larger than {MOST_COPIED >> 20} MB")
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / name)


def frame_files(name, file, cards):
    """Return what a box needs to play a module: the program for it, and the module by its game's name."""
    files = {f"{name}.py": file, "cards.py": cards}
    if name == "montana" and "def refusal(" not in file.read_text(encoding="utf-8", errors="replace"):
        return {**files, "main.py": Path(__file__).with_name("montana_main.py")}
    return {**files, **{part: ROOT / part for part in FRAME}}
