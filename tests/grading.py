"""How a scripted session is typed into a program that may do anything, and what came of it."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace

import helpers

MOST_BYTES = 1 << 20  # that a program may print
CHUNK = 1 << 16


def run(command, typed, cwd, seconds, watched=False):
    """Type bytes into a program; return its stdout and stderr, and what went wrong, a sentence or "".

    It is ended after so many seconds, or when it has printed too much. watched: what it leaves in its
    folder is wrong as well. (It is no sandbox: a program can do whatever you can.)
    """
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(typed)
        stdin.seek(0)
        program = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, cwd=cwd, start_new_session=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"})
        late = threading.Timer(seconds, end, [program])
        late.start()
        threading.Thread(target=wait_and_end, args=[program]).start()
        printed = b""
        with program.stdout:
            while len(printed) <= MOST_BYTES and (chunk := program.stdout.read1(CHUNK)):
                printed += chunk
        in_time = late.is_alive()
        if len(printed) > MOST_BYTES:
            end(program)
        status = program.wait()
        late.cancel()
        stderr.seek(0)
        errors = stderr.read(CHUNK).decode("utf-8", "replace")
    wrong = ""
    if not in_time:
        wrong = "it does not end"
    elif len(printed) > MOST_BYTES:
        wrong = "it prints without end"
    elif status:
        wrong = f"exit status {status}\n{errors}"
    elif watched and (written := sorted(os.listdir(cwd))):
        wrong = f"it writes files: {', '.join(written)}"
    return SimpleNamespace(stdout=printed[:MOST_BYTES], stderr=errors, wrong=wrong)


def wait_and_end(program):
    """Wait for a program's end, and end what it has started and left behind."""
    program.wait()
    end(program)


def end(program):
    """End a program, and the programs that it has started."""
    with contextlib.suppress(OSError):
        os.killpg(program.pid, signal.SIGKILL)


def type_into_ours(project, script, arguments, seconds):
    """Type a script into our program, or a copy of it."""
    command = [sys.executable, project / "main.py", *arguments]
    return run(command, script.read_bytes(), script.parent, seconds)


def type_into_theirs(program, cards, script, arguments, seconds):
    """Type a script, without its comments, into a program that knows no options, from an empty folder."""
    lines = script.read_text(encoding="utf-8").splitlines(keepends=True)
    typed = "".join(line for line in lines if not line.startswith("#")).encode()
    options = dict(zip(arguments[1:-1], arguments[2:]))
    deck = options.get("--deck", "")
    command = [sys.executable, helpers.ROOT / "tests" / "prepared.py", program, cards,
               options.get("--seed", ""), deck and script.parent / deck]
    with tempfile.TemporaryDirectory() as folder:
        return run(command, typed, folder, seconds, watched=True)


def project_with(folder, cards, modules):
    """Return a folder with a copy of our program: with that cards.py, and with other modules in place of
    ours, a dict of name -> file. A Montana with only the course's functions has the rest from ours."""
    helpers.copy_project(folder, cards)
    for name, file in modules.items():
        if name == "montana":
            shutil.copy(helpers.ROOT / "montana.py", Path(folder) / "montana_ours.py")
            shutil.copy(file, Path(folder) / "montana_student.py")
            file = helpers.ROOT / "tests" / "course_montana.py"
        shutil.copy(file, Path(folder) / f"{name}.py")
    return folder
