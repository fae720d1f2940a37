"""The functions of a submission, called as those of a reference are, from positions of the same deals.

What is right stays here: the box is told what to call, and answers with what came of it. The reference is this
project's module of the game, or a teacher's. Montana is asked as its assignment has it, on plain lists of rows; another
game from deals and moves of its own. Wrong answers are grouped by the reason that our game's refusal gives.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import montana
from grading import programs
from grading.boxes import ROOT, box, folder_of_boxes
from grading.calls import Call, Rows, as_cards, contract_calls, fault_in_rows, montana_calls, swap
from grading.reports import Part, Slip, count
from patience import rules
from patience.text import card_text, printable

if TYPE_CHECKING:
    from pathlib import Path

    from grading.command import Assignment
    from grading.submissions import Submission

MONTANA = ("initialize", "display", "validate_move", "move", "check_win", "shuffle_tableau")
WRONG = 0.5  # of the share of a function that is not right
MAX_GROUPS = 16  # that a feedback names
NO_CHANCE = "makes the same of a tableau each time"
NONE_FOR_FALSE = "None is returned instead of False"


def calls_of(
    game: str, reference: Path | None = None, cards: Path = ROOT / "cards.py"
) -> tuple[list[Call], list[dict[str, Any]]]:
    """Return the Calls for a game, and the answers of its reference, the path of a module. Raises ValueError if that
    cannot answer."""
    calls = montana_calls() if game == "montana" else contract_calls(rules.load(game))
    file = reference or ROOT / f"{game}.py"
    with folder_of_boxes() as boxes, box(boxes, file, {"cards.py": cards}) as path:
        try:
            error, found = programs.call(path, settings_of(file.name, calls), 60)
        except programs.NotStarted as reason:
            raise ValueError(f"{file.name}: {reason}") from None
    if error or any("value" not in answer for answer in found):
        failed = next((answer["error"] for answer in found if "error" in answer), "it does not end")
        raise ValueError(printable(f"{file.name}: {(error or failed).splitlines()[-1]}"))
    return calls, found


def settings_of(file: str, calls: list[Call]) -> dict[str, Any]:
    """Return what the box is told: all but what is right."""
    asked = []
    for call in calls:
        settings = {"function": call.function, "arguments": list(call.arguments), "seed": call.seed}
        if call.rows is not None:
            settings["rows"] = call.rows
        elif call.moves is not None:
            settings |= {"deal": call.deal, "moves": [list(move) for move in call.moves]}
        asked.append(settings)
    late = {"most_late": programs.MAX_LATE, "short": programs.SHORT}
    return {"file": file, "seed": None, "deck": None, "calls": asked, **late}


def grade(assignment: Assignment, submission: Submission) -> Part:
    """Return the Part of a submission's functions."""
    order = shuffled(assignment.calls)
    settings = settings_of(submission.file, [assignment.calls[number] for number in order])
    with box(assignment.boxes, submission.path, {"cards.py": assignment.cards}) as path:
        error, answers = programs.call(path, settings, assignment.seconds, assignment.sandbox)
    found = [answer for _, answer in sorted(zip(order, answers), key=lambda pair: pair[0])]
    return judge(assignment.calls, assignment.answers, found, error, assignment.weights["functions"])


def shuffled(calls: list[Call]) -> list[int]:
    """Return the numbers of calls in an order that tells nothing of what is right, and that nobody can know: at random
    among those of one position, the positions one after another."""
    chance, places = secrets.SystemRandom(), {}
    for number, call in enumerate(calls):
        places.setdefault((call.deal, call.moves), []).append(number)
    return [number for numbers in places.values() for number in chance.sample(numbers, len(numbers))]


def judge(
    calls: list[Call], wanted: list[dict[str, Any]], found: list[dict[str, Any]], error: str, maximum: float
) -> Part:
    """Return the Part of some answers. wanted: those of the reference. error: why the module was not loaded whole."""
    found, slips = list(found), False
    for number, (right, answer) in enumerate(zip(wanted, found)):
        if right["value"] is False and "value" in answer and answer["value"] is None:
            found[number], slips = {**answer, "value": False}, True
    faults = [fault_in(*triple) for triple in zip(calls, wanted, found)]
    said = {
        place_of(call): answer.get("value") for call, answer in zip(calls, found) if call.function == "validate_move"
    }
    wrong = {place_of(call) for call, fault in zip(calls, faults) if fault and call.function == "validate_move"}
    knows = {call.side for call, fault in zip(calls, faults) if not fault and call.function == "validate_move"}
    for number, (call, answer) in enumerate(zip(calls, found)):
        if call.function == "move" and place_of(call) in wrong and call.side in knows:
            if is_consistent(call, answer, said[place_of(call)]):
                faults[number] = ""  # a wrong rule counts where it is made
    shuffles = [number for number, call in enumerate(calls) if call.function == "shuffle_tableau"]
    pairs = [
        (found[one].get("position"), found[other].get("position")) for one, other in zip(shuffles[::2], shuffles[1::2])
    ]
    if not any(faults[number] for number in shuffles) and all(first == second for first, second in pairs):
        faults = [NO_CHANCE if number in shuffles else fault for number, fault in enumerate(faults)]
    outcomes = {f"{call.function}()": [] for call in calls}
    for call, fault in zip(calls, faults):
        outcomes[f"{call.function}()"].append((call.side, not fault))
    part = Part("functions", count((name, right, 1) for name, pairs in outcomes.items() for _, right in pairs), maximum)
    part.is_even = True
    part.shares = {name: share_of(pairs) for name, pairs in outcomes.items()}
    part.slips = [Slip(NONE_FOR_FALSE, None)] * slips
    failed = [(call, fault) for call, fault in zip(calls, faults) if fault]
    part.groups = list(dict.fromkeys(f"{call.function}: {call.group}" for call, _ in failed))
    part.lines = describe_groups(failed, len(calls), error)
    errors = [error, *(answer["error"] for answer in found if isinstance(answer.get("error"), str))]
    part.errors = [*map(printable, next(filter(None, errors), "").splitlines())]
    return part


def place_of(call: Call) -> str:
    """Return where a call asks, and about which move."""
    return repr((call.rows, call.deal, call.moves, call.arguments))


def fault_in(call: Call, right: dict[str, Any], answer: dict[str, Any]) -> str:
    """Return what is wrong with an answer, a phrase that follows the call, or ""."""
    if answer.get("late"):
        return "does not end in time"
    if "error" in answer or not {"value", "position", "printed"} <= set(answer):
        last = str(answer.get("error")).strip().splitlines() or ["nothing is said of it"]
        return f"fails: {last[-1]}"
    if call.function == "shuffle_tableau":
        return fault_in_shuffle(call.rows, answer["position"])
    if call.side is not None and answer["value"] is not right["value"]:
        return f"returned {answer['value']!r}; it should be {right['value']}"
    if call.function == "display" and answer["printed"] != right["printed"]:
        pairs = zip(right["printed"].split("\n"), answer["printed"].split("\n") + [""] * 99)
        wanted, line = next((pair for pair in pairs if pair[0] != pair[1]), ("nothing more", "more"))
        return f"printed {line!r} for {wanted!r}"
    if answer["position"] is None:
        return "leaves no tableau: a list of lists of cards"
    if same_blanks(answer["position"]) != same_blanks(right["position"]):
        return "returned another deal" if call.function == "initialize" else "leaves another board than it should"
    return ""


def same_blanks(position: Any) -> Any:
    """Return rows of (rank, suit) as they are read back, in which all aces are the same; anything else as it is."""
    if not isinstance(position, list):
        return position
    return [[pair if pair[0] != montana.BLANK else [montana.BLANK] for pair in map(list, row)] for row in position]


def fault_in_shuffle(before: Rows, after: Any) -> str:
    """Return what is wrong with a shuffle of rows, or "", by what it must keep: the order in which cards are dealt
    again is not in the assignment."""
    try:
        if sorted(tuple(pair) for row in after for pair in row) != sorted(pair for row in before for pair in row):
            return "loses cards, or makes some"
    except TypeError:
        return "leaves no tableau: a list of lists of cards"
    if [[*map(tuple, row)] for row in after] == before and not montana.check_win(as_cards(before)):
        return "leaves the tableau as it was"
    return fault_in_rows(before, after)


def is_consistent(call: Call, answer: dict[str, Any], valid: bool | None) -> bool:
    """Return True if move did what the submission's own validate_move says, as it must."""
    if "value" not in answer or answer["value"] is not bool(valid) or call.rows is None:
        return "value" in answer and answer["value"] is bool(valid)
    source, dest = call.arguments[:2], call.arguments[2:]
    after = swap(call.rows, source, dest) if valid else call.rows
    return same_blanks(answer["position"]) == same_blanks(after)


def share_of(pairs: list[tuple[Any, bool]]) -> float:
    """Return the share of a function, from (side, whether it is right) pairs: the smallest of its sides, and half of
    that if anything is wrong, for one wrong rule is a wrong function."""
    share = min(right / of for right, of in count((*pair, 1) for pair in pairs).values())
    return share if share == 1 else share * WRONG


def describe_groups(wrong: list[tuple[Call, str]], count: int, error: str) -> list[str]:
    """Return lines: of each group of wrong answers its first example, the call, what it does, and why that is wrong.
    wrong: the Calls with what is wrong. count: of all calls."""
    groups = {}
    for call, fault in wrong:
        groups.setdefault((call.function, call.group), []).append((call, fault))
    shown = [f"While the module is loaded: {error.splitlines()[-1]}"] if error else []
    if len(wrong) == count and len({fault for _, fault in wrong}) == 1:
        return [*map(printable, shown), printable(f"all of them: {wrong[0][1]}")]
    for examples in [*groups.values()][:MAX_GROUPS]:
        call, fault = min(examples, key=lambda example: len(example[0].moves or ()))
        words = ["tableau" if call.rows else "game"] * (call.function != "initialize") + [*map(repr, call.arguments)]
        more = f" ({len(examples)} such)" if len(examples) > 1 else ""
        shown.append(f"{call.function}({', '.join(words)}) {fault}: {call.reason or call.group}{more}")
        if call.moves is not None:
            played = "; ".join(" ".join(map(str, move)) for move in call.moves)
            shown.append(f"  random.seed({call.deal}), game = initialize(){f', then {played}' if played else ''}")
        rows = [call.arguments[2]] if call.rows and call.arguments else range(len(call.rows or ()))
        shown += [f"  tableau[{row}]: {' '.join(map(card_text, call.rows[row]))}" for row in rows]
    shown += [f"... and {len(groups) - MAX_GROUPS} groups more."] * (len(groups) > MAX_GROUPS)
    return [*map(printable, shown)]
