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
    """Keep other programs from opening the file as a saved game, if the system can do that. Raises OSError if another
    has it."""
    with contextlib.suppress(ImportError):  # there is no fcntl on Windows
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, "it is in use by another program") from None


def made_folder(*names):
    """Return the folder of saved games and results, or one in it; make it if it is not there."""
    path = application_folder()
    os.makedirs(path, 0o700, exist_ok=True)
    for name in names:
        path = os.path.join(path, name)
        os.makedirs(path, 0o700, exist_ok=True)
    return path
