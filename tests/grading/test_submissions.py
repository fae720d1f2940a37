"""The submissions of a class: folders, files as learning platforms name them, zip files."""

import contextlib
import os
import stat
import sys
import types
import zipfile

import pytest

from patience.grading import submissions
from patience.grading.box.inside import base
from helpers import make_folder

TEXT = "print()\n"  # of a program


def find(tmp_path, path, program=None):
    """Return what is found at a path: student -> (names of the files, the program), and what is skipped."""
    there, skipped = submissions.find([path], program, False, make_folder(tmp_path / f"unpacked-{program}"))
    files = {one.student: os.listdir(one.path) if one.path.is_dir() else [one.path.name] for one in there}
    return {one.student: (sorted(files[one.student]), one.file) for one in there}, skipped


def pack(path, files):
    """Write a zip file of files, name -> text; return its path."""
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(name, text)
    return path


@pytest.mark.parametrize("files, found", [
    (["proj10.py"], "proj10.py"), (["Proj10.py", "notes.py"], "Proj10.py"), (["proj10 final (1).py"], "proj10 final (1).py"),
    (["src/proj10.py"], "proj10.py"), (["team1/src/proj10.py", "team1/src/helper.py"], "proj10.py"),
    (["src/proj10.py", "tests/test_it.py"], "proj10.py"), (["a.py", "b.py"], None), (["x/a.py", "y/b.py"], None),
    (["proj10.py", "helpers.py"], "proj10.py"),
])  # fmt: skip
def test_the_program_is_found_by_its_name_or_because_there_is_no_other(files, found, tmp_path):
    for student in ("ada", "bob"):
        for name in files if student == "ada" else ["proj10.py"]:
            path = tmp_path / student / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(TEXT, encoding="utf-8")
    (ada, _), _ = submissions.find([tmp_path], "proj10.py", False, str(tmp_path))
    assert ada.file == found and bool(ada.note) == (found not in (None, "proj10.py"))
    assert not found or ada.program.is_file()


def test_files_that_are_huge_or_slow_to_search_are_not_read(tmp_path):
    (tmp_path / "a.py").write_text(f"import b\n{TEXT}", encoding="utf-8")
    (tmp_path / "b.py").write_text("\n" * 300_000, encoding="utf-8")
    assert submissions.program_in(tmp_path, None) == ("a.py", "", "")
    os.truncate(tmp_path / "b.py", 3 << 30)
    assert submissions.program_in(tmp_path, None) == (None, "There are several programs: a.py, b.py.", "")


def test_a_zip_file_is_what_it_holds(tmp_path):
    folder = make_folder(tmp_path / "class")
    files = {"project/proj10.py": TEXT, "project/data.txt": "1", "__MACOSX/project/._proj10.py": "x"}
    pack(folder / "ada.zip", files)
    pack(folder / "bob.zip", {"proj10.py": TEXT})
    (folder / "cyd.zip").write_bytes(b"PK, but not a zip file")
    there, skipped = find(tmp_path, folder)
    assert there["ada"] == (["data.txt", "proj10.py"], "proj10.py") and there["bob"] == (["proj10.py"], "proj10.py")
    assert there["cyd"][1] is None and not skipped
    whole = pack(tmp_path / "all.zip", {"all/ada/proj10.py": TEXT, "all/bob/proj10.py": TEXT, "all/notes.txt": ""})
    there, skipped = find(tmp_path, whole, "proj10.py")
    assert {*there} == {"ada", "bob"} and skipped == {"notes.txt": "not a Python file"}


def test_names_as_windows_writes_them_are_understood(tmp_path):
    """Backslashes in a zip file, and suffixes in capitals."""
    folder = make_folder(tmp_path / "class")
    pack(folder / "ada.ZIP", {"project\\proj10.py": TEXT, "project\\data\\one.txt": "1"})
    (folder / "BOB.PY").write_text(TEXT, encoding="utf-8")
    there, skipped = find(tmp_path, folder)
    assert there == {"ada": (["data", "proj10.py"], "proj10.py"), "BOB": (["BOB.PY"], "BOB.PY")} and not skipped
    pack(folder / "eve.zip", {"..\\..\\out.py": TEXT})
    assert find(tmp_path, folder, "proj10.py")[0]["eve"][1] is None and not (tmp_path / "out.py").exists()


@pytest.mark.parametrize("first, encoding, is_read", [
    ("", "latin-1", False), ("", "utf-16", False), ("", "utf-8-sig", True), ("# coding: latin-1\n", "latin-1", True),
])  # fmt: skip
def test_a_file_is_read_as_python_reads_it(first, encoding, is_read, tmp_path, monkeypatch):
    (tmp_path / "ada.py").write_text(f"{first}name = 'Adél'\n", encoding)
    module = types.ModuleType("ada")
    monkeypatch.setitem(sys.modules, "ada", module)
    refused = pytest.raises(base.NotStarted, match="it is not UTF-8. Save it as UTF-8.")
    with contextlib.nullcontext() if is_read else refused:
        base.load(str(tmp_path / "ada.py"), module)
    assert getattr(module, "name", "") == "Adél" * is_read


@pytest.mark.parametrize("what, why", [
    ("link", "a link, or a name with"), ("up", "a link, or a name with"), ("large", "too large"), ("many", "too large"),
    ("padded", "too large"), (zipfile.ZIP_BZIP2, "take too much memory"), (zipfile.ZIP_LZMA, "take too much memory"),
])  # fmt: skip
def test_a_zip_file_that_would_do_harm_is_not_unpacked(what, why, tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "MAX_FILES", 3)
    info = zipfile.ZipInfo("../../out.py" if what == "up" else "proj10.py")
    if what == "link":
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
    method = what if isinstance(what, int) else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(tmp_path / "eve.zip", "w") as file:
        file.writestr(info, bytes(21 << 20) if what == "large" else "/etc/passwd", method)
        for number in range(3 * (what == "many")):
            file.writestr(str(number), "")
    if what == "padded":  # the file itself is larger than what may be unpacked
        os.truncate(tmp_path / "eve.zip", 21 << 20)
    one = submissions.make_submission("eve", tmp_path / "eve.zip", None, make_folder(tmp_path / "deep" / "unpacked"))
    assert one.file is None and why in one.reason
    assert not list(tmp_path.rglob("out.py")) and not any(path.is_symlink() for path in tmp_path.rglob("*"))


@pytest.mark.parametrize("name, student, number", [
    ("Ada Lovelace_31_assignsubmission_file_proj10.py", "Ada Lovelace", "31"),
    ("1002-9 - Eve - Nov 1, 2023 1201 PM - x_1001_1_proj10.py", "Eve", "1002"),
    ("zedbob_123_5003_x_999_assignsubmission_file_proj10.py", "zedbob", "123"),
])  # fmt: skip
def test_the_end_of_a_files_name_is_the_students_own_and_gives_no_number(name, student, number, tmp_path):
    assert submissions.platform_of(tmp_path / name)[::2] == (student, number)


def handed_in(tmp_path, *names):
    """Return the Submissions of a class: a name that ends in / is a folder with a program, one in .zip a zip file of
    it, and others are files."""
    folder = make_folder(tmp_path / "class")
    for number, name in enumerate(names):
        if name.endswith("/"):
            (make_folder(folder / name) / "proj10.py").write_text(f"print({number})\n", encoding="utf-8")
        elif name.endswith(".zip"):
            pack(folder / name, {"proj10.py": f"print({number})\n"})
        else:
            (folder / name).write_text(f"print({number})\n", encoding="utf-8")
    return submissions.find([folder], None, False, make_folder(tmp_path / "unpacked"))[0]


@pytest.mark.parametrize("names, counts", [
    (["1-2 - Jane Doe - Nov 10, 2026 900 AM - proj10.py", "1-2 - Jane Doe - Nov 9, 2026 1000 PM - proj10.py"], 0),
    (["1-2 - Jane Doe - Nov 9, 2026 1000 AM - proj10.py", "1-2 - Jane Doe - Nov 9, 2026 900 AM - proj10.py"], 0),
    (["1-2 - Jane Doe - Nov 9, 2026 1200 PM - proj10.py", "1-2 - Jane Doe - Nov 9, 2026 1200 AM - proj10.py"], 0),
    (["1-2 - Jane Doe - 2 January, 2027 9:00 AM - a.py", "1-2 - Jane Doe - 31 December, 2026 9:00 PM - a.py"], 0),
    (["1-2 - Jane Doe - Nov 10, 2026 900 AM/", "1-2 - Jane Doe - Nov 9, 2026 900 AM.zip"], 0),
    (["Jane Doe_1_assignsubmission_file_/", "Jane Doe_1_assignsubmission_onlinetext_onlinetext.html"], 0),
    (["Jane Doe_1_2_proj10.py", "Jane Doe_1_3_notes.txt"], 0), (["Jane Doe_1_2_essay.pdf", "Jane Doe_1_3_all.zip"], 1),
])  # fmt: skip
def test_a_student_has_one_row_for_which_the_newest_upload_with_a_program_counts(names, counts, tmp_path):
    for order in (names, names[::-1]):
        (one,) = handed_in(tmp_path / str(order is names), *order)
        assert (one.student, one.id) == ("Jane Doe", "1")
        assert one.program.read_text(encoding="utf-8") == f"print({order.index(names[counts])})\n"
        assert "proj10.py" in one.note or "uploads" in one.note or names[1].endswith("notes.txt"), "it is said"


def test_a_name_is_the_same_however_its_letters_are_composed(tmp_path):
    (one,) = handed_in(tmp_path, "Zoe\u0308_1_2_proj10.py")
    assert one.student == "Zo\u00eb"
