"""Work shared by several processes. They end when the program ends, however it ends."""

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

import click


def results(work, arguments, jobs):
    """Yield what a function returns for each argument, computed by this many processes, the first to finish first."""
    if jobs == 1:
        yield from map(work, arguments)
        return
    arguments = iter(arguments)
    with workers(work, jobs) as executor:
        waiting = set(submit(executor, itertools.islice(arguments, 4 * jobs)))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= set(submit(executor, itertools.islice(arguments, len(done))))
            yield from (one.result() for one in done)


def submit(executor, arguments):
    """Return a future for each argument. Signals are held back meanwhile: a process that is just starting cannot
    handle them yet."""
    hold_back(signal.SIG_BLOCK)
    try:
        return [executor.submit(do, one) for one in arguments]
    finally:
        hold_back(signal.SIG_UNBLOCK)


def hold_back(how):
    """Block the signals that end the program, or unblock them, if the system can do that."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(how, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])


@contextlib.contextmanager
def workers(work, jobs):
    """Give an executor with this many processes that do this work. Any still at work at the end are terminated."""
    executor = ProcessPoolExecutor(jobs, initializer=begin_worker, initargs=[work])
    try:
        yield executor
    except BrokenProcessPool:
        raise click.ClickException("A process at work was killed.") from None
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        executor.shutdown()


def do(argument):
    """Do the work of this process for one argument."""
    return do.work(argument)


def begin_worker(work):
    """Take in what the work is; make a worker end when the program that started it ends."""
    do.work = work  # sent once: after Ctrl-C nobody reads the pipe, so each argument must fit into its buffer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program, which ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    hold_back(signal.SIG_UNBLOCK)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent():
    """Wait for the end of the program that started this process, and end it."""
    multiprocessing.parent_process().join()
    os._exit(1)
