"""The program at a pseudo-terminal, for tests that sit where a player sits."""

import codecs
import os
import pty
import re
import select
import signal
import sys
import termios
import time
from pathlib import Path

import helpers
from helpers import PROMPT
from patience.table.records import store

CLEAR = "\x1b[H"  # how a screen begins
QUESTION = "u: undo, q: quit: "
WIN = helpers.read_moves("quadzilla-normal-win.in")
WIN_START = "quadzilla --rank K --deck quadzilla-win.deck"
KEYS = {
    "Up": "\x1b[A", "Down": "\x1b[B", "Right": "\x1b[C", "Left": "\x1b[D", "Enter": "\r", "Space": " ", "Tab": "\t",
    "Back Tab": "\x1b[Z", "Backspace": "\x7f", "Escape": "\x1b",
}  # fmt: skip
EVENT = re.compile(r"<([A-Z][a-z]+(?: Tab)?|(?:click|drag) [^>]+)>")
RUNNING = []  # the Terminals that a test has started and that are still running


class Terminal:
    """The program at a terminal of 80 columns: type lines, and read what it shows. If it is still running at the end of
    the test, it is killed."""

    def __init__(self, command, scrolls=True, **environment):
        """scrolls: print each board below the last."""
        words = [sys.executable, str(helpers.ROOT / "main.py"), *helpers.at_table(command.split())]
        words += ["--scroll"] * (scrolls and words[2:3] == ["play"])
        settings = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}
        self.scrolls = scrolls
        self.pid, self.master = pty.fork()
        if not self.pid:
            os.chdir(helpers.SCRIPTS)
            os.execve(sys.executable, words, settings)
        RUNNING.append(self)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.shown = ""
        self.seen = 0  # how much had been shown when something was last typed
        self.echo = ""  # the last line that was typed

    def type(self, text):
        """Type text unchanged: a line needs its newline. A byte that is no text is a surrogate."""
        self.seen = len(self.shown)
        line = text.rpartition("\n")[0].rpartition("\n")[2]
        self.echo = "" if self.scrolls else re.sub(r"[\x00-\x1f]", "", line)[-8:]
        os.write(self.master, text.encode("utf-8", "surrogateescape"))

    def said(self):
        """Return what was shown since something was last typed. On a screen that stays in place, and if keys were read
        one by one, the result begins after the typed line, which repeats its prompt."""
        return said_in(self.shown[self.seen :], self.echo)

    def screen(self):
        """Return the lines of the screen as it was last drawn, without colours."""
        return screen_of(self.shown)

    def settle(self):
        """Wait until the program is waiting for a key, or has ended: readline misses a signal that comes just before it
        starts to wait."""
        time.sleep(0.1)  # until the program has received what was typed
        state = Path(f"/proc/{self.pid}/stat")
        helpers.wait_until(
            lambda: not state.exists() or state.read_text(encoding="utf-8").rpartition(") ")[2][0] in "SZ", "it waits"
        )

    def wait_for(self, text, times=1):
        """Read until the text has been shown this many times since something was last typed; return what was shown
        since then."""
        end = time.monotonic() + helpers.SECONDS
        while self.said().count(text) < times:
            assert self.read(end), f"{text!r} was not shown, but: {self.shown[self.seen :]}"
        return self.shown[self.seen :]

    def read(self, end):
        """Read what is available; return False if there is no more, or if nothing comes before the end time."""
        if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # how Linux reports that the program has ended
            return False
        self.shown += self.decoder.decode(data)
        return bool(data)

    def modes(self):
        """Return the modes of the terminal: whether lines are edited, and whether typed letters are shown."""
        flags = termios.tcgetattr(self.master)[3]
        return bool(flags & termios.ICANON), bool(flags & termios.ECHO)

    def close(self):
        """Read until the program ends; return its exit status. Note whether the terminal is as it was, with the mouse
        off."""
        end = time.monotonic() + helpers.SECONDS
        RUNNING.remove(self)
        while self.read(end):
            pass
        assert time.monotonic() < end, f"it does not end: {self.shown[self.seen :]}"
        is_mouse_off = self.shown.rfind("\x1b[?1000l") >= self.shown.rfind("\x1b[?1000h")
        self.is_restored = self.modes() == (True, True) and is_mouse_off
        os.close(self.master)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def signal(self, number):
        """Send the program a signal."""
        os.kill(self.pid, number)

    def hang_up(self):
        """Close the window; return the exit status."""
        RUNNING.remove(self)
        os.close(self.master)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def kill(self):
        """Kill the program as a power cut would."""
        self.signal(signal.SIGKILL)
        return self.close()


def said_in(shown, echo=""):
    """Return what a terminal was sent, without what draws and without the typed line, which comes again; of that line
    echo is the end, if it is known."""
    said = re.sub(r"\x1b\[(J|\?\d+[hl])", "", shown)
    if not echo:
        said = re.sub(r"\A\r\x1b\[K[^\n]*\n?", "", said)
    said = said.replace("\x1b[K", "")
    return said.partition(f"{echo}\r\n")[2] if echo else said


def screen_of(shown):
    """Return the lines of the last screen that was drawn, without colours. shown: what a terminal was sent."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", shown.rpartition(CLEAR)[2]).split("\n")


def bytes_of(event, screen):
    """Return what a terminal sends for a key, or for a click on text on the screen: a card, a label, or a word below
    the board."""
    if event in KEYS:
        return KEYS[event]
    kind, _, text = event.partition(" ")
    rows = [*enumerate(screen, start=1)]
    words = [row for row in rows if row[1].startswith(("hint  ", "undo  "))]
    row, column = next(((row, line.index(text)) for row, line in [*words, *rows] if text in line), (None, None))
    assert row, f"there is no {text} on the screen"
    return f"\x1b[<0;{column + len(text)};{row}{'M' if kind == 'click' else 'm'}"


def saved_lines():
    """Return the moves of the games in progress, as lists of lines, the most recently played game first."""
    return [saved.moves.splitlines() for saved in store.in_progress()]


def type_lines(game, *lines):
    """Type lines, each once its prompt has appeared; wait for the prompt after the last."""
    for line in lines:
        game.type(f"{line}\n")
        game.wait_for(PROMPT)


def start(command, until=PROMPT, **settings):
    """Return a Terminal once it has shown the given text, by default the first prompt."""
    game = Terminal(command, **{"NO_COLOR": "1", **settings})
    game.wait_for(until)
    return game


def answer_to(game, line, until=PROMPT):
    """Type a line; return what is said until the prompt, without the line itself or colours."""
    game.type(f"{line}\n")
    text = re.sub(r"\x1b\[[0-9;]*m", "", game.wait_for(until)).replace("\r\n", "\n")
    return text.partition("\n")[2].rpartition("\n")[0]
