"""The program as pip installs it: the command patience."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipapp

import click
import pytest

from patience import VERSION
from helpers import ROOT, copy_project, make_folder
from patience.grading.box import sandboxes

TRIES_TO_READ = """
    try:
        print("secret", open(path).read()[:9], end=" ")
    except OSError:
        print("hidden", end=" ")
"""


def test_versions_of_click_in_which_variables_cannot_turn_flags_off_are_left_out():
    """8.2.0 and 8.2.1 read PATIENCE_SPOKEN=0 as yes."""
    (required,) = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    assert {"!=8.2.0", "!=8.2.1"} <= {*required.split(",")}


def test_the_changelog_the_version_and_the_tag_agree():
    """The first heading is Unreleased until the version is tagged; then it is the version."""
    (first, *_) = re.findall(r"(?m)^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    found = subprocess.run(["git", "tag", "--points-at", "HEAD"], cwd=ROOT, capture_output=True, encoding="utf-8")
    tags = found.stdout.split()
    assert first in ("Unreleased", VERSION) and all(tag == f"v{VERSION}" for tag in tags)
    assert first == VERSION if tags else first == "Unreleased"


@pytest.mark.slow
def test_it_is_installed_without_the_project_and_names_its_own_command(tmp_path, monkeypatch):
    """Slow, because pip builds the package; nothing else shows that the package has all its files."""
    copy_project(make_folder(tmp_path / "project"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "project")
    install = [sys.executable, *"-m pip install -q --no-deps --no-compile --retries 1 --prefix".split()]
    built = subprocess.run([*install, tmp_path / "own", tmp_path / "project"], capture_output=True, encoding="utf-8")
    if "No matching distribution found for setuptools" in built.stderr:
        pytest.skip("needs the package index")
    assert built.returncode == 0, built.stderr
    folder, library = (
        pathlib.Path(sysconfig.get_path(name, "venv", {"base": str(tmp_path / "own")}))
        for name in ("scripts", "purelib")
    )
    assert {path.suffix for path in library.iterdir()} == {"", ".dist-info"}
    assert [path.name for path in library.iterdir() if not path.suffix] == ["patience"], "nothing called cards or main"
    assert {path.name for path in (library / "patience" / "course").iterdir()} == {
        path.name for path in ROOT.glob("*.py")
    }
    ours, theirs = ({path.relative_to(top) for path in top.rglob("*") if path.suffix in (".py", ".txt", ".in", ".out")}
                    for top in (ROOT / "patience", library / "patience"))  # fmt: skip
    assert ours == {path for path in theirs if path.parts[0] != "course"}, "each package is listed in pyproject.toml"
    (library / "cards.py").write_text("raise SystemExit('of somebody else')\n", encoding="utf-8")
    zipapp.create_archive(library, tmp_path / "patience.pyz", main="patience.__main__:main", compressed=True)
    assert (tmp_path / "patience.pyz").stat().st_size < 500_000, "without compiled modules, and packed"
    click_is_in = os.path.dirname(os.path.dirname(click.__file__))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(library), click_is_in]))
    (tmp_path / "main.py").write_text("", encoding="utf-8")

    def run(program, words, typed=""):
        command = [*program, *words.split()]
        return subprocess.run(command, input=typed, capture_output=True, encoding="utf-8", cwd=tmp_path)

    installed, zipped = [folder / "patience"], [sys.executable, "patience.pyz"]
    shown = run(installed, "play klondike --seed 8", "deal\nhint\nq\nn\n")
    assert "\npatience play klondike --seed 8\n" in shown.stdout.replace(": patience", ":\npatience")
    assert not shown.stderr
    usage = run(installed, "--help")
    assert "Play one with: patience GAME" in usage.stdout and "python main.py" not in usage.stdout
    solved, graded = run(zipped, "solve klondike --seed 10"), run(zipped, "grade main.py")
    assert solved.stderr.startswith("won: ")
    assert graded.returncode == 2 and "does not run from a zipped program" in graded.stderr
    if not hasattr(os, "fork") or not sandboxes.works(sandboxes.BWRAP):
        return
    secrets = [library / "patience" / "course" / "montana.py", *(library / "patience").rglob("montana-course1.out")]
    (tmp_path / "eve.py").write_text(f"for path in {list(map(str, secrets))}:\n{TRIES_TO_READ}", encoding="utf-8")
    shows_all = "import sys\nfrom patience.grading.box import sandboxes\nsandboxes.SYSTEM.append(sys.argv.pop(1))\nfrom main import main\nmain()"
    run([sys.executable, "-c", shows_all, str(library)], "grade eve.py --sandbox bwrap --feedback told")
    told = (tmp_path / "told" / "eve.txt").read_text(encoding="utf-8")
    assert len(secrets) == 2 and "hidden hidden" in told.replace("\u00b7", " ") and "secret" not in told
