"""The program at a pseudo-terminal, for tests that sit where a player sits."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import helpers


class Terminal:
    """The program at a terminal of 80 columns: type lines, and read what it shows."""

    def __init__(self, arguments, project=helpers.ROOT, before=None, **environment):
        """before: a function that is called in the new process before the program begins."""
        self.master, terminal = pty.openpty()
        environment = {
            **os.environ, "TERM": "xterm", "COLUMNS": "80", "NO_COLOR": "", "PAGER": "cat",
            **environment,
        }
        self.process = subprocess.Popen(
            [sys.executable, project / "main.py", *arguments.split()],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            cwd=helpers.SCRIPTS,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: (take_terminal(), before and before()),
        )
        os.close(terminal)
        self.shown = ""

    def type(self, text):
        """Type some text as it is: a line needs its newline."""
        self.type_bytes(text.encode())

    def type_bytes(self, data):
        """Type some bytes as they are."""
        os.write(self.master, data)

    def interrupt(self):
        """Press Ctrl-C a little later, for readline overlooks it in the moment before it waits for a key."""
        time.sleep(0.3)
        self.type("\x03")

    def wait_for(self, text, times=1):
        """Read until the text has been shown so many times since the start; return all of it."""
        end = time.monotonic() + helpers.SECONDS
        while self.shown.count(text) < times:
            assert self.read(end), f"{text!r} was not shown, but: {self.shown}"
        return self.shown

    def read(self, end):
        """Read what there is; return False when there is no more, or none until the end time."""
        if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # how Linux says that the program has ended
            return False
        self.shown += data.decode("utf-8", "replace")
        return bool(data)

    def close(self):
        """Read until the program ends; return its exit status."""
        end = time.monotonic() + helpers.SECONDS
        while self.read(end):
            pass
        os.close(self.master)
        return self.process.wait(helpers.SECONDS)

    def kill(self):
        """Kill the program as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        return self.close()


def take_terminal():
    """Make standard input the controlling terminal, so that Ctrl-C reaches the program."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
