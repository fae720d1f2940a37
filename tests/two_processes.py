"""A long run of tests in two processes: each takes the next file until none is left, the largest first.

The second process sends its reports to the first, which tells them with its own.
"""

import atexit
import json
import os
import threading
from itertools import groupby

LONG = 300  # tests; a shorter run, or one that stops at a failure, has one process


def pytest_runtestloop(session):
    """Run the tests, if this is a long run; otherwise return None, and pytest runs them."""
    option = session.config.option
    if len(session.items) < LONG or option.collectonly or option.usepdb or option.maxfail or not hasattr(os, "fork"):
        return None
    files = [list(items) for _, items in groupby(session.items, key=lambda item: item.path)]
    files.sort(key=lambda items: -items[0].path.stat().st_size)
    waiting, numbers = os.pipe()
    os.write(numbers, bytes(range(len(files))))  # one byte is the number of a file, and is read by one process
    os.close(numbers)
    reading, writing = os.pipe()
    second = os.fork()
    if not second:
        os.close(reading)
        run_second(session, files, waiting, writing)
    os.close(writing)
    received = []
    receiver = threading.Thread(target=receive, args=[reading, received])
    receiver.start()
    for item in run(session, files, waiting):
        tell(session, received)
    receiver.join()
    tell(session, received)
    if os.waitpid(second, 0)[1]:
        raise session.Failed("the second process of tests has not come to its end")
    return True


def run(session, files, waiting):
    """Run the tests of the files whose numbers are waiting; yield each when it is done."""
    while number := os.read(waiting, 1):
        items = files[number[0]]
        for item, following in zip(items, [*items[1:], None]):
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield item


def run_second(session, files, waiting, writing):
    """Run tests in the second process, and end it."""
    manager, status = session.config.pluginmanager, 1
    try:
        manager.unregister(manager.get_plugin("terminalreporter"))
        with open(writing, "w") as stream:
            manager.register(Sender(session.config, stream))
            for _ in run(session, files, waiting):
                pass
        status = 0
    finally:
        atexit._run_exitfuncs()
        os._exit(status)


class Sender:
    """A plugin that sends every report, a line each."""

    def __init__(self, config, stream):
        self.config = config
        self.stream = stream

    def pytest_runtest_logreport(self, report):
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.stream.write(json.dumps(data) + "\n")
        self.stream.flush()


def receive(reading, received):
    """Take in the lines of the second process as they come."""
    with open(reading) as lines:
        received.extend(lines)


def tell(session, received):
    """Tell the reports that have come."""
    while received:
        hook = session.config.hook
        report = hook.pytest_report_from_serializable(config=session.config, data=json.loads(received.pop(0)))
        if isinstance(report.longrepr, list):  # why a test was skipped is a tuple, which JSON does not know
            report.longrepr = tuple(report.longrepr)
        hook.pytest_runtest_logreport(report=report)
