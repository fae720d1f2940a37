"""The levels of the code."""

import graphlib

from helpers import ROOT, imports_of

# Which modules may know which others: a module or a folder knows only those listed after it, not those beside it.
ORDER = (
    "command, making, weights, report, judge, submissions, courses, box, "
    "main, cli, commands, groups + menu, start, play, words, status, saving, session, consoles, analysis + records, options, workers, "
    "lines, game, sentences, effects, layout, games, rules, decks, text, solvers"
)
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for pattern in ("*.py", "patience/**/*.py", "solvers/*.py", "grading/**/*.py")
    for path in ROOT.glob(pattern)
}


def test_imports_run_downwards_only_and_in_no_circle():
    """Those for type hints, and those within functions, too."""
    imports = {name: imports_of(path, every=True) & {*MODULES} for name, path in MODULES.items()}
    graphlib.TopologicalSorter(imports).prepare()  # or there is a CycleError
    place = {room: number for number, rooms in enumerate(ORDER.split(", ")) for room in rooms.split(" + ")}
    room = {name: name.removeprefix("patience.").removeprefix("grading.").partition(".")[0] for name in MODULES}
    assert {room[name] for name in MODULES if name.startswith("grading.")} <= {*place, "__init__"}
    for name, known in imports.items():
        for other in known if room[name] in place else ():
            here, there = room[name], room[other]
            assert there not in place or here == there or place[there] > place[here], f"{name} imports {other}"
