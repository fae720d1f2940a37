"""Work shared by several processes, which end when the program does, whatever ends that."""

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

import click


def results(work, arguments, jobs):
    """Yield what a function returns for each of the arguments, in their order, by so many processes."""
    if jobs == 1:
        yield from map(work, arguments)
        return
    arguments = iter(arguments)
    with workers(jobs) as executor:
        waiting = deque(submit(executor, work, itertools.islice(arguments, 4 * jobs)))
        while waiting:
            yield waiting.popleft().result()
            waiting += submit(executor, work, itertools.islice(arguments, 1))


def first_results(work, arguments):
    """Yield what a function returns for each of the arguments, in a process each, the soonest first."""
    with workers(len(arguments)) as executor:
        for done in as_completed(submit(executor, work, arguments)):
            yield done.result()


def submit(executor, work, arguments):
    """Return what the executor promises for each of the arguments. Signals wait meanwhile: a process that is
    just being started does not know yet what to do with them."""
    hold_back(signal.SIG_BLOCK)
    try:
        return [executor.submit(work, one) for one in arguments]
    finally:
        hold_back(signal.SIG_UNBLOCK)


def hold_back(how):
    """Let the signals that end the program wait, or let them through, where the system can do that."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(how, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])


@contextlib.contextmanager
def workers(jobs):
    """Give an executor of so many processes. Those still at work when it is left are ended."""
    executor = ProcessPoolExecutor(jobs, initializer=begin_worker)
    try:
        yield executor
    except BrokenProcessPool:
        raise click.ClickException("A process that solved deals was ended from outside.") from None
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        executor.shutdown()


def begin_worker():
    """Make a worker end with the program that started it, whatever ends that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program, which ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    hold_back(signal.SIG_UNBLOCK)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent():
    """Wait for the end of the program that started this process, and end it."""
    multiprocessing.parent_process().join()
    os._exit(1)
