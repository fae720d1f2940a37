"""The home of each test, quick advice, what is reported of a single game, and the options of test_scripts.py."""

import contextlib
import gc
import itertools
import os
import re
import signal
import sys
from pathlib import Path

import pytest

SECONDS_EACH = 60  # of computing time, for each step of a game that is tested alone
NUMBERS = itertools.count()  # of homes
# What a test may know of the machine: where programs and libraries are, how pip reaches packages.
KEPT = re.compile(
    r"PATH$|PATHEXT$|COMSPEC$|SYSTEMROOT$|TE?MP$|TMPDIR$|VIRTUAL_ENV$|PYTHONPATH$|LD_LIBRARY_PATH$|PYTEST|COV|PIP_|.*_proxy$",
    re.IGNORECASE,
)
ABOUT_A_GAME = ["games", "test_scripts.py", "advice/test_solvers.py", "table/test_cli.py"]  # with the contract
QUICK = {  # what `quick` sets
    "patience.table.words.thinking.POSITIONS_FOR_LOSS": 300,
    "patience.solvers.advice.SAMPLES": 2,
    "patience.solvers.advice.MORE_SAMPLES": 2,
    "patience.solvers.advice.POSITIONS": 30,
    "patience.solvers.advice.POSITIONS_KNOWN": 300,
    "patience.solvers.advice.POSITIONS_AFTER": 20,
    "patience.solvers.advice.POSITIONS_SHUT": 30,
    "patience.solvers.advice.PLAIN_MOVES": 40,
    "patience.solvers.player.MAX_MOVES": 20,
    "patience.solvers.klondike_advice.POSITIONS_TRIED": 300,
    "patience.solvers.desturado_advice.POSITIONS_TRIED": 300,
    "patience.solvers.quadzilla_advice.WIDTH_ADVISED": 4,
    "patience.solvers.quadzilla_advice.ROWS": {"easy": 1, "normal": 1, "hard": 1},
    "patience.solvers.montana_advice.POSITIONS_ADVISED": 300,
    "patience.solvers.montana_advice.SEQUENCES_WIDTH": 3,
}
gc.set_threshold(100_000)  # most of what it would look through, again and again, are the tests themselves
collect_ignore = [] if hasattr(os, "fork") else ["grading"]  # the grader refuses to run anything on such systems


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory, monkeypatch):
    """Make the environment of a test, all of it: nothing of the reader's but KEPT, a window of 80x24, and a home folder
    of its own, which is made only when it is needed."""
    folder = tmp_path_factory.getbasetemp()
    home = folder / f"home-{next(NUMBERS)}"
    for variable in [name for name in os.environ if not KEPT.match(name)]:
        monkeypatch.delenv(variable)
    for variable in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(variable, str(home))
    for variable, value in {"COLUMNS": "80", "LINES": "24", "LC_ALL": "C.UTF-8"}.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", str(folder))  # a pytest in a test would delete the others' folders
    return home


@pytest.fixture(autouse=True)
def nothing_left_running():
    """Kill the programs that a test has started at a terminal."""
    yield
    running = getattr(sys.modules.get("pseudo_terminal"), "RUNNING", [])
    for game in [*running]:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            game.kill()
    running.clear()


@pytest.fixture(autouse=True)
def a_game_that_fails_or_hangs(request):
    """If a single game is tested, skip its solver and scripts once it has failed a step, and let nothing take long."""
    game, path = getattr(request.config, "checklist_of", None), request.node.path.name
    if not game or path == "test_contract.py":
        yield
        return
    import cases

    if cases.failed.get(game) or game in cases.hanging:
        pytest.skip(f"{game}: see what fails above")

    def too_long(*_):
        pytest.fail(f"{request.node.name} has not ended within {SECONDS_EACH} s of computing", pytrace=False)

    with cases.time_limit(SECONDS_EACH, too_long):
        yield


@pytest.fixture
def home(own_home):
    """The application folder of a test."""
    return own_home / "patience"


@pytest.fixture
def save_file(tmp_path):
    """The path of a saved game."""
    return tmp_path / "game.txt"


@pytest.fixture
def quick(monkeypatch):
    """Make advice quick: what holds for a little advice holds for a lot."""
    for place, value in QUICK.items():
        monkeypatch.setattr(place, value)


def pytest_addoption(parser):
    group = parser.getgroup("scripted sessions")
    group.addoption("--scripts", metavar="DIR", help="run the .in files of this folder")
    group.addoption("--cards", metavar="FILE", help="run them with this cards.py in place of ours")
    group.addoption(
        "--update",
        nargs="?",
        const="missing",
        choices=("missing", "all"),
        metavar="all",
        help="write the .out files that are missing; --update=all: all of them",
    )


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    if hasattr(config, "checklist_of"):
        write_checklist(terminalreporter, config.checklist_of)
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and config.option.keyword:
        import main

        terminalreporter.write_line(
            f"No quick test matches -k {config.option.keyword}; -m slow runs the others. The games are "
            f"{', '.join(main.GAMES)}."
        )


def write_checklist(reporter, game):
    """Write each thing that was tested in a game, and whether it passed."""
    outcomes = {}
    for outcome in ("skipped", "passed", "failed"):
        for report in reporter.stats.get(outcome, []):
            name = report.nodeid.partition("::test_")[2].partition("[")[0].replace("_", " ")
            outcomes[name] = outcome
    others = {name: outcome for name, outcome in sorted(outcomes.items()) if outcome != "passed"}
    reporter.section(f"{game}: {'what is not' if others else 'everything is'} as it should be")
    for name, outcome in others.items():
        reporter.write_line({"failed": "[ ] ", "skipped": "[-] "}[outcome] + name)
    if others:
        count = len(outcomes) - len(others)
        reporter.write_line(f"[ ] is not as it should be, [-] was not tried: see above. The other {count} are.")


def pytest_configure(config):
    import main

    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a script it would be ignored
    if config.option.keyword in main.GAMES and [Path(arg).name for arg in config.args] == ["test_contract.py"]:
        config.checklist_of = config.option.keyword
        config.args += [str(Path(__file__).parent / name) for name in ABOUT_A_GAME]
    if config.getoption("update"):  # then everything recorded is written again, not only the quick cases
        config.option.markexpr = ""
    for option, is_right in (("scripts", Path.is_dir), ("cards", Path.is_file)):
        path = config.getoption(option)
        if path and not is_right(Path(path)):
            raise pytest.UsageError(f"--{option}: {path} is not a {'folder' if option == 'scripts' else 'file'}")
