"""What is asked of files before they are trusted."""

import errno
import os


def must_be_file(path):
    """Raise OSError if something is at the path that is not a file: a device could be read for ever."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "It is not a file")


def reason(error):
    """Return what an OSError or a ValueError says, without its number and the file's name."""
    return getattr(error, "strerror", None) or str(error)


def printable(text):
    """Return a text from a file, or its name, so that it can be shown: escape sequences as letters."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in str(text))
