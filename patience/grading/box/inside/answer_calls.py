"""In the box: the functions of a submission, called one by one."""

from __future__ import annotations

import contextlib
import difflib
import io
import json
import os
import random
import signal
import sys
import types
from time import monotonic

from patience.grading.box.inside.base import (
    CLOCK,
    START,
    NotStarted,
    OutOfTime,
    describe,
    load,
    ours_of,
    read_line,
)

TYPE_CHECKING = False  # True for mypy; typing would be one more import before every submission
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from patience import Pair

reseed, as_text, read_text = random.seed, json.JSONEncoder().encode, json.loads  # out of the submission's reach
MAX_READ = 1_000  # how many times a submission may read at the end of its input
APART = 0.1  # minimum seconds between two Lates


def limit_time(seconds: float) -> None:
    """Raise OutOfTime each time this many seconds of processor time, or CLOCK times as many by the clock, have passed;
    0 turns this off. On a busy machine both limits may be reached at once. They count as one, because a second
    OutOfTime would hit the code that catches the first."""
    last = -APART

    def raise_late(*_: Any) -> None:
        nonlocal last
        if monotonic() - last >= APART:
            last = monotonic()
            raise OutOfTime

    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, raise_late if seconds else signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds and 2 * APART)
    signal.setitimer(signal.ITIMER_REAL, CLOCK * seconds, seconds and 2 * APART)


class Stack:
    """The cards that are dealt while a position is made, however they are shuffled and however many decks are made."""

    def __init__(self) -> None:
        """Replace every Deck and random.shuffle. While cards are set (see dealing), decks deal those cards and nothing
        is shuffled."""
        self.left: list[Any] | None = None  # the next card last; None leaves decks as they are
        cards, stack, shuffle = sys.modules["cards"], self, random.shuffle

        class Deck(cards.Deck):  # type: ignore[name-defined]
            def __init__(self, *args: Any) -> None:
                super().__init__(*args)
                self.stacked = stack.left

            def deal(self) -> Any:
                if self.stacked is None:
                    return super().deal()
                return self.stacked.pop() if self.stacked else None

            def is_empty(self) -> bool:
                return super().is_empty() if self.stacked is None else not self.stacked

            def __len__(self) -> int:
                return super().__len__() if self.stacked is None else len(self.stacked)

        Deck.__module__, Deck.__qualname__ = "cards", "Deck"  # a position may hold one, and is copied
        setattr(cards, "Deck", Deck)
        random.shuffle = lambda *args: shuffle(*args) if stack.left is None else None

    @contextlib.contextmanager
    def dealing(self, pairs: list[Pair] | None) -> Iterator[None]:
        """Within this context, deal these cards, given as (rank, suit) in order, or any cards if pairs is None."""
        self.left = [sys.modules["cards"].Card(*pair) for pair in reversed(pairs)] if pairs else None
        try:
            yield
        finally:
            self.left = None


def load_whole(settings: dict[str, Any], module: Any) -> str | None:
    """Run the submission's file in a module; return why it did not load completely, or None. Raises NotStarted."""
    try:
        limit_time(settings["seconds"])
        load(settings["file"], module)
    except NotStarted:
        raise
    except OutOfTime:
        return "it did not finish in time"
    except EOFError:
        return "it asked for input; call main() only if __name__ == '__main__'"
    except BaseException as problem:
        return describe(problem)
    finally:
        limit_time(0)
    return None


def answer_calls(settings: dict[str, Any], calls: Iterable[dict[str, Any]], channel: Any, stack: Stack) -> None:
    """For each call, write a line of JSON to the channel: value and position, or error, or late. The first line is the
    reason the module did not load completely, or null; or it is START and the reason, with nothing after it."""
    module, write, flush = types.ModuleType("submission"), channel.write, channel.flush
    try:
        error = load_whole(settings, module)
    except NotStarted as problem:
        write(f"{START}{problem}\n")
        return
    vars(module).update(ours_of(settings))
    write(as_text(error) + "\n")
    flush()  # a call is given only after everything before it has been answered

    late = {}  # function -> how often it was late
    for call in calls:
        seconds, name = settings["seconds"], call["function"]
        if late.get(name, 0) >= settings["most_late"]:
            seconds = min(seconds, settings["short"])
        answer = answer_call(module, call, seconds, stack)
        if "late" in answer:
            late[name] = late.get(name, 0) + 1
        write(as_text(answer) + "\n")
        flush()


def answer_call(module: Any, call: dict[str, Any], seconds: float, stack: Stack) -> Any:
    """Return the result of a call."""
    try:
        limit_time(seconds)
        function = getattr(module, call["function"], None)
        if not callable(function):
            return {"error": f"there is no function {call['function']}{alike(module, call)}", "is_missing": True}
        position = None
        if "rows" in call:
            position = [[sys.modules["cards"].Card(*pair) for pair in row] for row in call["rows"]]
        reseed(call["seed"])
        value = value_of(function, module, call, position, stack)
        limit_time(0)
        is_instead = isinstance(value, list) and position is not None  # perhaps instead of changing the position
        return {
            "value": value if value is None or isinstance(value, (bool, int, str)) else type(value).__name__,
            "position": rows_of(value if position is None else position),
            **({"returned": rows_of(value)} if is_instead else {}),
        }
    except OutOfTime:
        return {"late": True}
    except BaseException as error:
        return {"error": describe(error)}
    finally:
        limit_time(0)


def value_of(function: Callable[..., Any], module: Any, call: dict[str, Any], position: Any, stack: Stack) -> Any:
    """Call a function of the submission with a position; if position is None, call it without one, to deal. Return what
    the function returns."""
    if position is not None:
        return function(position, *call["arguments"])
    with stack.dealing(call.get("deck")):
        return function(*call["arguments"])


def alike(module: Any, call: dict[str, Any]) -> str:
    """Return words to add to an error, naming a function that may have been meant; or ""."""
    count = len(call["arguments"]) + ("rows" in call)
    functions = {name: one for name, one in vars(module).items() if isinstance(one, types.FunctionType)}
    names = [name for name, one in functions.items() if one.__code__.co_argcount == count]
    meant = difflib.get_close_matches(call["function"], names, 1)
    return f"; there is {meant[0]}, with the same number of parameters" if meant else ""


class NoInput(io.RawIOBase):
    """Standard input for functions: it is always at its end, and a program that keeps asking is stopped."""

    count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, _: Any) -> int:
        self.count += 1
        if self.count > MAX_READ:
            raise EOFError
        return 0


def rows_of(tableau: Any) -> Any:
    """Return a tableau as rows of (rank, suit), or None if it is not a tableau."""
    try:
        return [[[card.rank(), card.suit()] for card in row] for row in tableau] if isinstance(tableau, list) else None
    except (TypeError, AttributeError):
        return None


def run(settings: dict[str, Any]) -> None:
    """Answer the calls in the settings."""
    with open(os.dup(1), "w") as channel:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):  # what it prints is dropped
            os.dup2(null, stream)
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(NoInput()))  # type: ignore[misc]
        random.seed = lambda *_, **__: None  # the submission's own seeding does nothing
        answer_calls(settings, asked_calls(settings), channel, Stack())


def asked_calls(settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the calls, each fetched only when its turn comes, so that the submission cannot know the others."""
    wants, gives = settings["pipes"]
    for _ in range(settings["calls"]):
        os.write(wants, b"\n")
        yield read_text(read_line(gives))
