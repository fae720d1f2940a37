"""Options for running scripted sessions; see test_scripts.py."""

from pathlib import Path

import pytest


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
    group.addoption(
        "--update",
        nargs="?",
        const="missing",
        choices=("missing", "all"),
        metavar="all",
        help="write the .out files that are missing; --update=all: all of them",
    )


def pytest_configure(config):
    scripts = config.getoption("scripts")
    if scripts and not Path(scripts).is_dir():
        raise pytest.UsageError(f"--scripts: {scripts} is not a folder")
    cards = config.getoption("cards")
    if cards and not Path(cards).is_file():
        raise pytest.UsageError(f"--cards: {cards} is not a file")
