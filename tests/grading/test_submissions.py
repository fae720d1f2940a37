"""What a teacher has of a class: folders, files as learning platforms name them, zip files."""

import stat
import zipfile

import pytest

from grading import submissions
from helpers import ROOT, make_folder, run

PROJ10 = (ROOT / "tests" / "proj10.py").read_text()
HELPER = "def help():\n    pass\n"


def lay_out(folder, files):
    """Write files, name -> text, to a folder; return it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def find(tmp_path, path, program=None, single=False):
    """Return what is found at a path: student -> (names of the files, the program), and what is skipped."""
    there, skipped = submissions.find([path], program, single, make_folder(tmp_path / f"unpacked-{program}"))
    return {
        one.student: (sorted(p.name for p in one.path.iterdir()) if one.path.is_dir() else [one.path.name], one.file)
        for one in there
    }, skipped


@pytest.mark.parametrize(
    "name",
    ["lovelaceada_12345_67890_{}", "lovelaceada_LATE_12345_67890_{}", "lovelaceada_31_assignsubmission_file_{}",
     "123-456 - lovelaceada - Nov 20, 2026 1130 PM - {}"],
)  # fmt: skip
def test_the_files_that_a_platform_has_named_are_their_students(name, tmp_path):
    files = {name.format("proj10.py"): "import helper\n", name.format("helper.py"): HELPER, "bob.py": PROJ10}
    folder = lay_out(tmp_path / "class", {**files, "index.html": "x", "cards.py": "x"})
    there, skipped = find(tmp_path, folder)
    assert there == {"lovelaceada": (["helper.py", "proj10.py"], "proj10.py"), "bob": (["bob.py"], "bob.py")}
    assert skipped == {"index.html": "no Python file", "cards.py": "the course's own module"}
    there, _ = find(tmp_path, folder, "proj10.py")
    assert there["lovelaceada"][1] == "proj10.py" and there["bob"] == (["bob.py"], "bob.py")


def test_a_file_handed_in_once_more_has_its_own_name(tmp_path):
    folder = lay_out(
        tmp_path / "class", {"ada_1_2_proj10-2.py": PROJ10, "bob_1_3_proj10.py": PROJ10, "cyd_1_4_essay.pdf": ""}
    )
    there, _ = find(tmp_path, folder, "proj10.py")
    assert there["ada"] == there["bob"] == (["proj10.py"], "proj10.py")
    assert there["cyd"][1] is None, "nobody vanishes"


def test_two_students_of_one_name_stay_two(tmp_path):
    names = {"smithjohn_11_901_proj10.py": PROJ10, "smithjohn_22_902_proj10.py": "print('nothing')\n"}
    there, _ = find(tmp_path, lay_out(tmp_path / "class", names))
    assert set(there) == {"smithjohn", "smithjohn-2"}


def test_folders_that_a_platform_has_named_are_their_students(tmp_path):
    names = ["Ada L_31_assignsubmission_file_", "12-34 - Bob M - Nov 20, 2026 1130 PM"]
    there, _ = find(tmp_path, lay_out(tmp_path / "class", {f"{name}/proj10.py": PROJ10 for name in names}))
    assert set(there) == {"Ada L", "Bob M"}


def pack(path, files):
    """Write a zip file of files, name -> text; return its path."""
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(name, text)
    return path


def test_a_zip_file_is_what_it_holds(tmp_path):
    folder = make_folder(tmp_path / "class")
    pack(
        folder / "ada.zip", {"project/proj10.py": PROJ10, "project/data.txt": "1", "__MACOSX/project/._proj10.py": "x"}
    )
    pack(folder / "bob.zip", {"proj10.py": PROJ10})
    (folder / "cyd.zip").write_bytes(b"PK, but not a zip file")
    there, skipped = find(tmp_path, folder)
    assert there["ada"] == (["data.txt", "proj10.py"], "proj10.py") and there["bob"] == (["proj10.py"], "proj10.py")
    assert there["cyd"][1] is None and not skipped
    whole = pack(tmp_path / "all.zip", {"all/ada/proj10.py": PROJ10, "all/bob/proj10.py": PROJ10, "all/notes.txt": ""})
    done = run(["grade", whole, "--functions", "montana"])
    assert done.stdout.decode() == "ada: 100 of 100 points, 100.0 %\nbob: 100 of 100 points, 100.0 %\n"
    assert b"3 entries, 2 graded; skipped: notes.txt (no Python file)" in done.stderr


@pytest.mark.parametrize("what", ["link", "up", "large"])
def test_a_zip_file_that_would_do_harm_is_not_unpacked(what, tmp_path):
    with zipfile.ZipFile(tmp_path / "eve.zip", "w", zipfile.ZIP_DEFLATED) as file:
        info = zipfile.ZipInfo("../../out.py" if what == "up" else "proj10.py")
        if what == "link":
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(info, bytes(21 << 20) if what == "large" else "/etc/passwd", zipfile.ZIP_DEFLATED)
    one = submissions.make_submission("eve", tmp_path / "eve.zip", None, make_folder(tmp_path / "deep" / "unpacked"))
    assert one.file is None and ("too large" if what == "large" else "a link, or a name with") in one.reason
    assert not list(tmp_path.rglob("out.py")) and not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_programs_that_import_each_other_are_one_submission(tmp_path):
    folder = lay_out(tmp_path / "ada", {"game.py": "from helper import help\n", "helper.py": HELPER})
    (one,), _ = submissions.find([folder], None, False, tmp_path)
    assert (one.student, one.file, one.path) == ("ada", "game.py", folder)
    both = lay_out(tmp_path / "bob", {"a.py": "import b\n", "b.py": "import a\n"})
    assert [one.file for one in submissions.find([both], "a.py", False, tmp_path)[0]] == ["a.py"]
    assert len(submissions.find([both], None, False, tmp_path)[0]) == 2


def test_a_program_of_another_name_is_told(tmp_path):
    lay_out(tmp_path / "class", {"ada/proj1O.py": PROJ10, "bob/proj10.py": PROJ10})
    (ada, _), _ = submissions.find([tmp_path / "class"], "proj10.py", False, tmp_path)
    assert ada.reason == "There is no proj10.py, only proj1O.py."


def test_what_platforms_and_students_do_to_names(tmp_path):
    names = {
        "ada_LATE_1_2_proj-10.py": PROJ10,
        "bob_3_4_part-1.py": "import random, helper\n",
        "bob_3_4_part-2.py": HELPER,
    }
    class_folder = lay_out(tmp_path / "class", {**names, "bob_3_4_helper.py": HELPER})
    ada, bob = submissions.find([class_folder], None, False, make_folder(tmp_path / "unpacked"))[0]
    assert (ada.student, ada.file, ada.id, ada.is_late) == ("ada", "proj-10.py", "1", True)
    assert "several programs: helper.py, part-1.py, part-2.py" in bob.reason and (bob.id, bob.is_late) == ("3", False)
    both = lay_out(
        tmp_path / "eve", {"main.py": "import random, helper\n", "helper.py": HELPER, "board_4_13_a.txt": "x"}
    )
    (eve,), _ = submissions.find([both], None, False, tmp_path)
    assert (eve.student, eve.file) == ("eve", "main.py"), "one submission, though a name has numbers"
