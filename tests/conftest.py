"""Options for running scripted sessions; see test_scripts.py."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def no_trace_at_home(tmp_path, monkeypatch):
    """Whatever a test plays at a terminal is kept in a folder of the test's own."""
    for variable in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))


@pytest.fixture
def home(tmp_path):
    """The application folder of a test."""
    return tmp_path / "home" / "patience"


@pytest.fixture
def journal(tmp_path):
    """The path of a saved game."""
    return tmp_path / "game.txt"


def pytest_addoption(parser):
    group = parser.getgroup("scripted sessions")
    group.addoption("--scripts", metavar="DIR", help="run the .in files of this folder")
    group.addoption("--cards", metavar="FILE", help="run them with this cards.py in place of ours")
    group.addoption("--program", metavar="FILE", help="type them into this program in place of ours")
    group.addoption("--module", metavar="GAME=FILE", action="append", default=[],
                    help="run them with this module of a game in place of ours")
    group.addoption("--seconds", metavar="N", type=float, default=60, help="what a session may take (60)")
    group.addoption("--score", action="store_true", help="show how many commands each session answered right")
    group.addoption("--update", nargs="?", const="missing", choices=("missing", "all"), metavar="all",
                    help="write the .out files that are missing; --update=all: all of them")


def pytest_configure(config):
    scripts = config.getoption("scripts")
    if scripts and not Path(scripts).is_dir():
        raise pytest.UsageError(f"--scripts: {scripts} is not a folder")
    modules = [module.partition("=") for module in config.getoption("module")]
    for game, sign, _ in modules:
        if not sign or not (ROOT / f"{game}.py").is_file():
            raise pytest.UsageError("--module: it must be GAME=FILE")
    for option, file in [*((option, config.getoption(option)) for option in ("cards", "program")),
                         *(("module", file) for *_, file in modules)]:
        if file and not Path(file).is_file():
            raise pytest.UsageError(f"--{option}: {file} is not a file")


@pytest.fixture(scope="session")
def modules(request):
    """The files of --module, by the names of the games."""
    pairs = [module.split("=", 1) for module in request.config.getoption("module")]
    return {game: Path(file).resolve() for game, file in pairs}


def pytest_terminal_summary(terminalreporter, config):
    """Show the scores of the sessions, if they are asked for."""
    if config.getoption("score"):
        terminalreporter.section("scores")
        reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
        for report in sorted(reports, key=lambda report: report.nodeid):
            for name, value in report.user_properties:
                if name == "score":
                    session = report.nodeid.partition("[")[2].rstrip("]")
                    terminalreporter.write_line(f"{session}  {value}")
