"""The program at a pseudo-terminal, forked from a process that has loaded it already: that saves most of its start.

This module is imported by tests, and run as that process, which has no pytest in it.
"""

import contextlib
import os
import pickle
import pty
import signal
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def fork(channel, command, environment, folder):
    """Begin a program at a pseudo-terminal, and send its number, its terminal and a pipe that will tell its status.

    command: [python, main.py, words ...]. A PYTHON variable or another project needs a Python of its own."""
    status, told = os.pipe()
    if os.fork():
        os.close(status), os.close(told)
        return
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    number, terminal = pty.fork()
    if not number:
        os.close(status), os.close(told)
        os.chdir(folder)
        os.environ.clear(), os.environ.update(environment)
        become(command)
    socket.send_fds(channel, [str(number).encode()], [terminal, status])
    os.close(terminal), os.close(status)
    with contextlib.suppress(BrokenPipeError):  # nobody wants to know
        os.write(told, str(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])).encode())
    os._exit(0)


def become(command):
    """Become the program."""
    status = 1
    try:
        if Path(command[1]).parent != ROOT or os.environ.pop("FRESH", ""):
            os.execv(command[0], command)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))
        games = os.environ.pop("GAMES", " ".join(main.GAMES)).split()
        for name in {*main.GAMES} - {*games}:
            del main.GAMES[name]
        sys.argv = ["main.py", *command[2:]]
        main.main(command[2:], "main.py")
    except SystemExit as end:
        status = end.code or 0
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(status)


def start_server():
    """Start the process that forks; return a socket to it."""
    ours, theirs = socket.socketpair()
    subprocess.Popen([sys.executable, __file__], stdin=theirs)
    theirs.close()
    return ours


def start(channel, *asked):
    """Return the number of a program that has begun, its terminal and a pipe that will tell its status; see fork."""
    with channel.makefile("wb") as file:
        pickle.dump(asked, file)
    number, (terminal, status), *_ = socket.recv_fds(channel, 99, 2)
    return int(number), terminal, status


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    import main
    from patience import play  # noqa: F401
    from patience.consoles import spoken, terminal  # noqa: F401
    from patience.records import store  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait
    channel = socket.socket(fileno=0)
    with channel.makefile("rb") as file, contextlib.suppress(EOFError):  # once the tests have ended
        while True:
            fork(channel, *pickle.load(file))
