"""The levels of the code."""

import graphlib

import main
from helpers import ROOT, imports_of

# Which modules may know which others: a module or a folder knows only those listed after it, not those beside it.
ORDER = (
    "recording, command, making, weights, report, judge, submissions, courses, box, "
    "main, cli, commands, groups + menu, start, play, words, status, saving, session, consoles, advice + records, "
    "options, workers, lines, game, sentences, effects, layout, games, rules, arrangement, decks, text, solvers, positions"
)
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for pattern in ("*.py", "patience/**/*.py")
    for path in ROOT.glob(pattern)
}


def test_imports_run_downwards_only_and_in_no_circle():
    """Those for type hints, and those within functions, too."""
    imports = {name: imports_of(path, every=True) & {*MODULES} for name, path in MODULES.items()}
    graphlib.TopologicalSorter(imports).prepare()  # or there is a CycleError
    place = {room: number for number, rooms in enumerate(ORDER.split(", ")) for room in rooms.split(" + ")}
    room = {}
    for name in MODULES:
        folder, _, rest = name.removeprefix("patience.").partition(".")
        room[name] = rest.partition(".")[0] if folder in ("table", "grading") else folder
    assert {room[name] for name in MODULES if name.startswith("patience.grading.")} <= {*place, "__init__"}
    for name, known in imports.items():
        for other in known if room[name] in place else ():
            here, there = room[name], room[other]
            assert there not in place or here == there or place[there] > place[here], f"{name} imports {other}"
        is_of_grader, is_of_course = name.startswith("patience.grading."), name in ("cards", *main.GAMES)
        assert not (is_of_grader and any(other.startswith("patience.table.") for other in known)), name
        assert not (is_of_course and any(other.startswith("patience") for other in known)), name
