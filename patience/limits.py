"""Calls of functions in a student's file: with a time limit, and so that none of them can end our program."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from patience import Ended

SECONDS = 5  # that a call may take


class OutOfTime(BaseException):
    """A call takes too long."""


def call_limited(name: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the result of a function. name: what it is called in messages. If it ends the program, does not return
    within SECONDS or raises something other than an Exception, raise RuntimeError with its traceback;
    KeyboardInterrupt says where it was."""
    try:
        with limited_time():
            return function(*arguments, **options)
    except SystemExit as error:
        raise RuntimeError(f"{name} ends the program.").with_traceback(error.__traceback__) from None
    except OutOfTime as error:
        end_at_function(error.__traceback__)
        text = f"{name} did not return within {SECONDS} seconds."
        raise RuntimeError(text).with_traceback(error.__traceback__) from None
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(f"{name} was running, line {end_at_function(error.__traceback__)}.") from None
    except (Exception, Ended):
        raise
    except BaseException as error:
        raise RuntimeError(f"{name} raises {type(error).__name__}.").with_traceback(error.__traceback__) from None


def end_at_function(trace: TracebackType | None) -> int:
    """End a traceback with the line in which a function was interrupted, without what raised OutOfTime. Return its
    number."""
    while trace and trace.tb_next and trace.tb_next.tb_frame.f_code.co_name != "raise_late":
        trace = trace.tb_next
    if trace:
        trace.tb_next = None
    return trace.tb_lineno if trace else 0


@contextlib.contextmanager
def limited_time() -> Iterator[None]:
    """Within this context, raise OutOfTime after SECONDS, and again after that: a bare except catches it, too. Only in
    the main thread, and if there are such signals."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def raise_late(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, raise_late)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
