"""Reports of bugs in the program, one file each, in the application folder."""

from __future__ import annotations

import os
import time
import traceback

import click

from patience.text import error_text, printable


def report(error: Exception, command: str) -> str:
    """Write the traceback of a bug to a file; return the message for the player."""
    if isinstance(error, (MemoryError, OSError)):
        why = "There is not enough memory" if isinstance(error, MemoryError) else error_text(error)
        return f'"{printable(command)}" failed. Your game has not changed.\n{printable(why)}.'
    file_name = os.path.join(click.get_app_dir("patience"), f"error-{time.strftime('%Y%m%d-%H%M%S')}.txt")
    try:
        os.makedirs(os.path.dirname(file_name), 0o700, exist_ok=True)
        with open(file_name, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"# {printable(command)}\n{''.join(traceback.format_exception(error))}")
        location = f"The report is in {file_name}."
    except OSError as failed:
        location = f"The error, {printable(repr(error))}, could not be written: {error_text(failed)}."
    return f'Sorry, "{printable(command)}" ran into a bug. Your game has not changed.\n{location}'
