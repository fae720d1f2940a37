"""Sessions of players, at a terminal and through pipes: the files of tests/sessions. tests/README.md explains their
signs."""

import contextlib
import csv
import difflib
import functools
import importlib.metadata
import io
import itertools
import os
import re
import select
import shlex
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

import helpers
import main
from cases import KNOWN
from in_process import without_boxes

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
import pseudo_terminal
import termios
from patience.table.consoles import keys
from patience.table.records import store

FOLDER = Path(__file__).parent / "sessions"
QUESTION = re.compile(r"[^\n]*(h for help\): |Command: |q:? (?:quit|back): |\? |no more |back to the (?:board|list) )$")
USUAL = ("h for help): ", "Command: ")
TYPED = ("> ", "~ ", ": ")  # steps that type a line
STARTS = ("$ ", "# ")  # steps that start the program, at a table
INDENT = "    "
LEFT_OUT = "..."  # lines that a session is not about
USAGE = ("Usage: ", "Try '")  # lines that click prints before its sentence
BOARD = re.compile(
    r"(?ms)(?:^|(?<=help\): ))(?:Foundations:|Quadzilla:| +Phase | +1   2 | +1:.{4}  2:| *A (?:stack's )?first card)"
    r".*?^(?=\S+ [·-] \d+ moves? [·-] )"
)
PICTURE = re.compile(  # from its first line to the line below it
    r"(?s)\A(?: *\n)*(?:\x1b\[\d+m| )*(?:stock|shoe|Columns|1 .*?2|1 .* 4 ).*?\n(?=(?:\x1b\[\d+m)*(?:\S+ [·-] )?(?:\d+ moves? [·-] |turn))"
)
OPENING = re.compile(r"(?ms)^\w+ Solitaire\.\n.*?(?=^\S+ [·-] \d+ moves?\b|\Z)")
WORDS = re.compile(r"(?m)^hint  undo  redo  moves.*(?:\n|\Z)")
MAX_LINES = 80  # of a session: more cannot be reviewed
# What is shown only if the machine is slow, in one line or two.
WAITS = re.compile(
    r"(?m)^(?:(?:Thinking|Looking)\b.*|Review of (?:.*\n)?.*; Ctrl-C [^.]*\.|! Grading|! Sandbox: none\.)(?:\n|\Z)"
)


def read_sessions(path):
    """Return the sessions of a file: name -> its steps, pairs of a line and the lines below it."""
    sessions = {}
    before, *parts = f"\n{path.read_text(encoding='utf-8')}".split("\n== ")
    assert not before.strip(), f"{path.name}: lines before the first session"
    for part in parts:
        name, *lines = part.rstrip("\n").split("\n")
        assert name not in sessions, f"{path.name}: two sessions are called {name}"
        steps = sessions[name] = []
        for line in lines:
            if line.startswith(INDENT) or not line:
                steps[-1][1].append(line[len(INDENT) :])
            else:
                steps.append((line, []))
    return sessions


def write_sessions(sessions):
    """Return sessions as the text of a file."""
    lines = []
    for name, steps in sessions.items():
        lines.append(f"== {name}")
        for line, below in steps:
            lines += [line, *(f"{INDENT}{text}".rstrip() for text in below)]
        lines.append("")
    return "\n".join(lines)


@pytest.mark.parametrize("path, name", [
    pytest.param(path, name, id=f"{path.stem}: {name}")
    for path in sorted(FOLDER.glob("*.txt")) for name in read_sessions(path)
])  # fmt: skip
def test_session(path, name, tmp_path, monkeypatch, request):
    with_click = re.search(r"\[click (.*)\]$", name)
    if with_click and not importlib.metadata.version("click").startswith(with_click[1]):
        pytest.skip("click's own texts are those of another version")
    monkeypatch.setattr(store, "SECONDS_TO_WAIT", 0.05)
    for deck in helpers.SCRIPTS.glob("*.deck"):
        (tmp_path / deck.name).symlink_to(deck)
    sessions = read_sessions(path)
    for game in {*main.GAMES} - {*KNOWN}:
        monkeypatch.delitem(main.GAMES, game)
    recorded = write_sessions({name: sessions[name]})
    played = Play(sessions[name], tmp_path).play()
    sessions[name] = [
        (line, old) if line == was and is_left_out(old, below) else (line, below)
        for (line, below), (was, old) in itertools.zip_longest(played, sessions[name], fillvalue=("", []))
    ]
    shown = write_sessions({name: sessions[name]})
    assert shown.count("\n") <= MAX_LINES, f"more than {MAX_LINES} lines: use : and ~, put ... for lines, or split it"
    if request.config.getoption("update") == "all":
        path.write_text(write_sessions(sessions), encoding="utf-8")
    elif shown != recorded:
        lines = difflib.unified_diff(recorded.split("\n"), shown.split("\n"), "expected", "shown", lineterm="", n=9)
        again = f"If that is right: --update=all -p no:xdist -k {path.stem} writes its file; then read the git diff."
        pytest.fail("\n".join([path.name, *lines, again]), False)


def is_left_out(recorded, below):
    """Return True if lines are as recorded, where ... stands for any lines."""
    pattern = "".join(".*" if line == LEFT_OUT else re.escape(f"{line}\n") for line in recorded)
    return LEFT_OUT in recorded and bool(re.fullmatch(pattern, "".join(f"{line}\n" for line in below), re.DOTALL))


class Killed(BaseException):
    """The session goes on without the program."""


class Play:
    """A session that is played step by step, even while a program in this process waits for a line."""

    def __init__(self, steps, folder):
        self.steps, self.folder = list(steps), folder
        self.played = []  # the steps, with what is shown now
        self.at_table = None  # the step that the program in this process answers
        self.seen = 0  # how much that program had printed before
        self.waiting = []  # the keys that are pressed next, as functions of the screen
        self.sent = ""  # everything that the last program in this process has printed
        self.failed = None  # what was wrong with a step that was carried out while that program waited

    def play(self):
        """Play the steps that are left; return all of them."""
        while self.steps:
            self.carry_out(*self.steps.pop(0))
        return self.played

    def carry_out(self, line, below):
        """Carry out a step."""
        mark, text = mark_of(line)
        assert mark not in TYPED, f"the program has ended before: {line}\n" + "\n".join(self.played[-1][1])
        if mark in STARTS:
            self.sit_at_the_table(line, text, mark)
            return
        if mark == "% ":
            typed = list(itertools.takewhile(lambda step: step[0][:2] == "< ", self.steps))
            del self.steps[: len(typed)]
            piped = pipe(text, [line for line, _ in typed], self.folder)
            self.note(line, [] if typed else piped)
            for number, (typed_line, _) in enumerate(typed, 1):
                self.note(typed_line, piped if number == len(typed) else [], line[:2])
            return
        elif line == "= the store":
            below = [
                " ".join(map(str, (one.state, one.game, one.number, one.count, one.hints, one.solved)))
                for one in store.find("1")
            ]
        elif mark == "= ":
            name, _, columns = text.partition(": ")
            content = (self.folder / name).read_text(encoding="utf-8")
            below = rows_of(content, columns.split()) if columns or '"student","id"' in content else content.split("\n")
        elif mark == "- ":
            (self.folder / text).unlink()
        elif mark == "+ ":
            lay_out(self.folder, text, below)
        else:
            raise AssertionError(f"there is no such step: {line}")
        self.note(line, below)

    def note(self, line, below, mark=""):
        """Note what is shown below a step. mark: that of the program, whose input is the step."""
        marks = line[:2], mark
        shown = WAITS.sub("", "\n".join(text.rstrip() for text in below if "~ " not in marks))
        for left_out in (PICTURE, BOARD, OPENING, WORDS) if ": " in marks else ():
            shown = left_out.sub("", shown)
        shown = shown.rstrip("\n")
        shown = re.sub(rf"{store.today()}\d*", "TODAY", re.sub(r"\b0:\d\d\b", "0:00", shown))
        shown = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "WHEN", shown)
        shown = re.sub(r"\(Python 3\.\d+\)", "(Python 3.N)", shown)
        shown = shown.replace(str(self.folder), "FOLDER").replace("\x1b", "^[")
        self.played.append((line, shown.split("\n") if shown else []))

    def sit_at_the_table(self, line, text, mark):
        """Run the program in this process, up to the end of the session, or of the program."""
        is_terminal, (settings, words) = mark != "$ ", split_settings(text)
        self.at_table, self.seen, self.waiting = line, 0, []
        usual = {"TERM": "xterm", "NO_COLOR": "1"}
        words = helpers.at_table(words)
        self.keyboard, terminal = pty.openpty()
        modes = termios.tcgetattr(terminal)
        with pytest.MonkeyPatch.context() as patch, contextlib.suppress(Killed):
            for name, value in {"COLUMNS": "80", "LINES": "24", **usual, **settings}.items():
                patch.setenv(name, value)
            patch.setattr(keys.Keyboard, "wait_for_byte", lambda _, terminal: self.press(terminal))
            patch.setattr(keys, "send", lambda text: sys.stdout.write(text))
            with helpers.streams(io.TextIOWrapper(io.BytesIO(), "utf-8"), self.folder):
                sys.stdin.readline = lambda size=-1: self.next_line()
                if is_terminal:
                    sys.stdout = io.TextIOWrapper(io.BytesIO(), settings.get("PYTHONIOENCODING", "utf-8"))
                    sys.stderr, sys.stdin.fileno = sys.stdout, lambda: terminal
                    sys.stdin.isatty = sys.stdout.isatty = lambda: True
                try:
                    status = helpers.call_main(words)
                finally:
                    self.read_output()
                self.note(self.at_table, [*self.printed().rstrip("\n").split("\n"), f"[{status}]"])
        if self.failed:
            raise self.failed
        assert termios.tcgetattr(terminal) == modes, "the terminal is not as it was"
        assert self.sent.rfind(keys.MOUSE_OFF) >= self.sent.rfind(keys.MOUSE_ON), "the mouse still reports clicks"
        assert not select.select([self.keyboard], [], [], 0)[0], "a key was shown before it was read"
        os.close(self.keyboard), os.close(terminal)

    def press(self, terminal):
        """Press the next key for the program, which waits for one."""
        assert "PATIENCE_SPOKEN" not in os.environ, "by ear, what is asked would be read again at every key"
        assert termios.tcgetattr(terminal)[6][termios.VTIME] == 0, "after a key it would wait for another"
        while not select.select([terminal], [], [], 0)[0]:
            if self.waiting:
                self.printed()  # only what follows the last key is shown
            else:
                text = (self.next_line() or "\x04").replace("^[", "\x1b").replace("^M", "\r")
                events = pseudo_terminal.EVENT.findall(text)
                if events and pseudo_terminal.EVENT.sub("", text).strip():
                    self.give_up(AssertionError(f"keys and text in one step: {text}"))
                pressed = [functools.partial(pseudo_terminal.bytes_of, event) for event in events]
                self.waiting = pressed or [lambda _: text]
            screen = pseudo_terminal.screen_of(self.read_output())
            try:
                os.write(self.keyboard, self.waiting.pop(0)(screen).encode())
            except Exception as error:
                self.give_up(error)
        return True

    def give_up(self, error):
        """Leave the program with an error of ours, which it would take for its own."""
        self.failed = error
        raise Killed

    def read_output(self):
        """Return everything that the program has printed."""
        sys.stdout.flush()
        self.sent = sys.stdout.buffer.getvalue().decode(sys.stdout.encoding)
        return self.sent

    def printed(self):
        """Return what the program has printed since this was last called; of a screen, what was drawn last."""
        text = self.read_output()
        self.seen, shown = len(text), text[self.seen :]
        shown = pseudo_terminal.said_in(shown).replace("\r", "").rpartition(pseudo_terminal.CLEAR)[2]
        return shown if self.at_table[2:] else shown.removeprefix("\n")  # an Enter alone

    def next_line(self):
        """Note what the program has printed; carry out steps up to one that types a line, and return that line."""
        self.note(self.at_table, without_question(self.printed()))
        while self.steps and mark_of(self.steps[0][0])[0] not in STARTS:
            line, below = self.steps.pop(0)
            if mark_of(line)[0] not in TYPED:
                try:
                    self.carry_out(line, below)
                except Exception as error:
                    self.give_up(error)
                continue
            self.at_table = line
            if line[2:] == "^C":
                raise KeyboardInterrupt
            return "" if line[2:] == "^D" else f"{line[2:]}\n"
        raise Killed


def play_of(steps, folder):
    """Return a Play of steps for which no output is known. steps: their lines."""
    return Play([(step, []) for step in steps], folder)


@pytest.mark.parametrize("start, mouse, is_on", [
    ("klondike --seed 8", "yes", True), ("klondike --seed 8", "no", False), ("klondike --seed 8 --scroll", "yes", False),
    ("TERM=dumb klondike --seed 8", "yes", False), ("LINES=6 klondike --seed 8", "yes", False),
])  # fmt: skip
def test_the_mouse_reports_clicks_and_texts_speak_of_them_only_where_they_count(start, mouse, is_on, tmp_path):
    store.keep_setting("mouse", mouse)
    play = play_of([f"~ # {start}", "> sw", "> help"], tmp_path)
    assert "undo" in str(play.play()[2])
    assert (keys.MOUSE_ON in play.sent) == ("click" in play.sent) == is_on
    assert ("rrows" in play.sent) == (is_on or mouse == "no")


def mark_of(line):
    """Return the mark of a step, and its text; what is said of its output is left out."""
    step = line[2:] if line[2:4] in (*STARTS, "% ") else line
    return step[:2], step[2:]


def rows_of(content, columns):
    """Return the rows of a table, or of some of its columns, each row wrapped between its values."""
    lines = []
    for row in csv.DictReader(io.StringIO(content.removeprefix("\ufeff"), newline="")):
        values = "; ".join(
            f"{name}: {value}".replace(" ", "\0")
            for name, value in row.items()
            if value and (not columns or name in columns)
        )
        wrapped = textwrap.wrap(values, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        lines += [line.replace("\0", " ") for line in wrapped]
    return lines


def lay_out(folder, text, below):
    """Write the file that a step describes."""
    path, _, source = text.partition(" < ")
    if not path.isascii() and sys.getfilesystemencoding() != "utf-8":
        pytest.skip(f"no file can be called {path!a} here")
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    if path.endswith("/"):
        (folder / path).mkdir(exist_ok=True)
        for file in helpers.ROOT.glob(source) if source else ():
            shutil.copy(file, folder / path)
        return
    content = "\n".join([*below, ""]).replace("^[", "\x1b")
    if source:
        content = (helpers.ROOT / source).read_text(encoding="utf-8")
        for old, new in zip(below[::2], below[1::2]):
            assert old[2:] in content, old
            content = content.replace(old[2:], new[2:])
    (folder / path).write_text(content, encoding="utf-8")


def split_settings(text):
    """Return the settings at the beginning of a command line, and its other words."""
    words = shlex.split(text)
    settings = [word for word in words if re.match("[A-Z_]+=", word)]
    return dict(word.split("=", 1) for word in settings), words[len(settings) :]


def without_question(shown):
    """Return the shown lines without the question at their end, if it is the usual one."""
    question = QUESTION.search(shown)
    return shown.split("\n")[: -1 if question and question[1] in USUAL else None]


def pipe(text, typed, folder):
    """Run the program behind a pipe; return the lines that it prints."""
    settings, words = split_settings(text)
    place = without_boxes() if "--sandbox" not in words else contextlib.nullcontext()
    words += ["--jobs", "1"] if words[:1] == ["grade"] and "--jobs" not in words else []
    with place, pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        done = helpers.run(words, "".join(f"{line[2:]}\n" for line in typed), folder)
    errors = [f"! {line}" for line in done.stderr.decode().splitlines() if line and not line.startswith(USAGE)]
    return [*done.stdout.decode().splitlines(), *errors, *[f"[{done.returncode}]"] * bool(done.returncode)]
