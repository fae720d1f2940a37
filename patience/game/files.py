"""Files: where ours are, what may be read, who may write."""

import contextlib
import errno
import os

import click


def application_folder():
    """Return the folder of saved games and results."""
    return click.get_app_dir("patience")


def must_be_file(path):
    """Raise OSError if something is at the path that is not a file: a device could be read for ever."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "It is not a file")


def lock(file):
    """Keep other programs from opening the file as a saved game, if the system can do that."""
    with contextlib.suppress(ImportError):  # there is no fcntl on Windows
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
