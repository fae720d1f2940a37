"""What a submission prints and answers when it is run in its box."""

from __future__ import annotations

import contextlib
import enum
import json
import signal
from typing import Any, NamedTuple, Optional

from patience.grading.box.inside.run_program import MAIN
from patience.grading.box.runner import ASKS_ON, MAX_ANSWER, MAX_PRINTED, Runner
from patience.text import printable

MAX_LATE, SHORT = 2, 0.02  # how many calls of a function may fail to end, and the seconds that each later call gets
TOO_LARGE = {"error": f"its answer is larger than {MAX_ANSWER >> 20} MB"}
ENDED_BY_TIME = [getattr(signal, name) for name in ("SIGPROF", "SIGXCPU") if hasattr(signal, name)]

Ending = enum.Enum("Ending", "DONE FAILED STOPPED")


class Run(NamedTuple):
    """The result of typing a session into a program."""

    pieces: list[str]  # what was printed before each requested line, and after the last
    errors: str
    remarks: list[str]  # sentences about what it should not have done
    ending: Ending
    ended_at: Optional[int] = None  # the number of the answer at which it first ended, before the others were asked for
    left_out: frozenset[int] = frozenset()  # numbers, from 1, of the lines left out when it was started again


class Answer(NamedTuple):
    """What a submission's function did."""

    value: Any = None  # that it returned; the name of its type, if that is no bool, int or str
    position: Any = None  # the rows of the tableau afterwards, or of a deal; None if it is no list of lists of cards
    returned: Any = None  # rows that were returned instead
    error: str = ""
    late: bool = False
    is_missing: bool = False  # there is no such function


def run(runner: Runner, settings: dict[str, Any], typed: bytes, seconds: float) -> Run:
    """Run a program in its box; return a Run. typed: bytes for its standard input. seconds: of processor time. Raises
    NotStarted."""
    settings = {**settings, "part": "run_program"}
    status, printed, asked_at, errors, stopped, left = runner.execute(settings, seconds, seconds, typed)
    remarks = [MAIN] if MAIN in errors else []
    if any(status in (-number, 128 + number) for number in ENDED_BY_TIME):
        stopped = f"It did not finish within {seconds:g} s of processor time."
    if len(printed) > MAX_PRINTED:
        stopped = "It printed without stopping."
    has_hung = bool(stopped) and stopped != ASKS_ON
    ending = Ending.STOPPED if has_hung else Ending.FAILED if status else Ending.DONE
    if ending != Ending.DONE:
        remarks.append(stopped or f"It ended with exit status {status}.")
    if has_hung:
        runner.stopped += 1
        runner.silent += not printed
    if left:
        remarks.append(f"It left files behind: {', '.join(map(printable, left[:5]))}.")
    ends = [*asked_at, MAX_PRINTED]
    pieces = [printed[:MAX_PRINTED][start:end] for start, end in zip([0, *ends], ends)]
    shown = [piece.decode("utf-8", "replace").replace("\r\n", "\n") for piece in pieces]
    return Run(shown, errors.replace(f"{MAIN}\n", ""), remarks, ending)


def call(runner: Runner, settings: dict[str, Any], seconds: float) -> tuple[str, list[Answer]]:
    """Let inside/ answer the settings' calls; return why the module did not load completely, or "", and the answers
    in order. Raises NotStarted."""
    count = len(settings["calls"])
    functions = {call["function"] for call in settings["calls"]}
    most = seconds * (MAX_LATE * len(functions) + 2) + count * SHORT
    asked = "".join(f"{json.dumps(call)}\n" for call in settings["calls"]).encode()
    settings = {**settings, "part": "answer_calls", "calls": count}
    _, printed, _, _, stopped, _ = runner.execute(settings, seconds, most, asked)
    lines = printed.decode("utf-8", "replace").split("\n")
    missing = {"late": True} if stopped else {"error": "the program exited"}
    found = [answer if isinstance(answer := parse(line), dict) else missing for line in lines[1 : count + 1] if line]
    error = parse(lines[0])
    answers = [answer_of(one) for one in found + [missing] * (count - len(found))]
    return error if isinstance(error, str) else "", answers


def answer_of(found: dict[str, Any]) -> Answer:
    """Return a box's reply to a call as an Answer; the submission may have written it."""
    known = {name: value for name, value in found.items() if name in Answer._fields}
    rows = [known.pop(name, None) for name in ("position", "returned")]
    error = str(known.pop("error", ""))
    if not error and not {"value", "position"} <= {*found} and not found.get("late"):
        error = "no answer came back"
    return Answer(error=error, **dict(zip(("position", "returned"), map(as_rows, rows))), **known)


def as_rows(rows: Any) -> Any:
    """Return rows of (rank, suit) as a box wrote them, or None if they are none."""
    try:
        return tuple(tuple((int(rank), int(suit)) for rank, suit in row) for row in rows)
    except (TypeError, ValueError):
        return None


def outline(runner: Runner, file: str, seconds: float) -> dict[str, Any] | None:
    """Return the outline of a program (inside/outline.py), or None if Python cannot read it."""
    settings = {"part": "outline", "file": file}
    done = runner.execute(settings, seconds, seconds)
    return None if done.status or done.stopped else json.loads(done.printed)


def parse(line: str) -> Any:
    """Return the value of a line of JSON, or None; the submission may have written it."""
    if len(line) > MAX_ANSWER:
        return TOO_LARGE
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(line)
