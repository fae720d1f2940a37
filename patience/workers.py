"""Work shared by several processes, which end when the program does, however it ends."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import click

from patience import Ended

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
MAX_JOBS = 64
SECONDS_TO_END = 2  # for a process to end when it is terminated


def results(work: Callable[[Any], Any], arguments: Iterable[Any], jobs: int) -> Iterator[Any]:
    """Yield work(argument) for each argument, in the order the calls finish, using this many processes."""
    if jobs == 1:
        yield from map(work, arguments)
        return
    arguments = iter(arguments)
    with start_workers(work, jobs) as executor:
        waiting = set(submit(executor, itertools.islice(arguments, 4 * jobs)))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= set(submit(executor, itertools.islice(arguments, len(done))))
            yield from (future.result() for future in done)


def submit(executor: ProcessPoolExecutor, arguments: Iterator[Any]) -> list[Future[Any]]:
    """Return a future for each argument. Signals are held back meanwhile, because a process that is just starting
    cannot handle them yet."""
    mask_signals("SIG_BLOCK")
    try:
        return [executor.submit(run_task, argument) for argument in arguments]
    finally:
        mask_signals("SIG_UNBLOCK")


def mask_signals(how: str) -> None:
    """Block the signals that end the program, or unblock them, if the system can do that."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), ENDING)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Within this context, signals that would end the program wait until its end."""
    if threading.current_thread() is not threading.main_thread():  # signals interrupt only that
        yield
        return
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)


@contextlib.contextmanager
def start_workers(work: Callable[[Any], Any], jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield an executor with this many processes for this work. At the end, processes still working are terminated, or
    killed if need be."""
    executor = ProcessPoolExecutor(jobs, initializer=begin_worker, initargs=(work,))
    try:
        yield executor
    except BrokenProcessPool:
        raise click.ClickException("A worker process was killed.") from None
    finally:
        working = multiprocessing.active_children()
        for process in working:
            process.terminate()
        for process in working:
            process.join(SECONDS_TO_END)
            if process.is_alive():
                process.kill()
        executor.shutdown()


task: Any = None  # in a worker: a function of one argument
is_working = False  # in a worker: whether that function runs


def run_task(argument: Any) -> Any:
    """Do this process's work for one argument."""
    global is_working
    is_working = True
    try:
        return task(argument)
    except Ended:  # what the task has begun has ended, too
        os._exit(1)
    finally:
        is_working = False


def end_worker(number: int, _: object) -> None:
    """End this process because of a signal, as soon as its task has cleaned up; a second signal does
    not interrupt that."""
    signal.signal(number, signal.SIG_IGN)
    if is_working:
        raise Ended
    os._exit(1)


def begin_worker(work: Callable[[Any], Any]) -> None:
    """Prepare a worker: keep its task, and make it end when the program that started it ends. The task is sent only
    once, because each argument must fit into the pipe's buffer: after Ctrl-C nothing reads the pipe."""
    global task
    task = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is left to the program, which ends this process
    signal.signal(signal.SIGTERM, end_worker)
    mask_signals("SIG_UNBLOCK")
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Wait until the program that started this process ends, then end the process."""
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)
