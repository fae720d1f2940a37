"""What the answers of a submission's functions are worth, and the feedback on them. Wrong answers are grouped by the
reason in our game's refusal."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from patience.grading.courses.answers import share_of_lines
from patience.grading.courses.function_calls import SHUFFLES
from patience.grading.courses.course import PRINTED
from patience.grading.judge.grades import SLIP_OF_FUNCTION, Part, Slip, count
from patience.text import card_text, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patience.grading.courses.function_calls import Call
    from patience.grading.courses.course import Course

LEAVES_ANOTHER = "leaves a different board than it should"
VALUE_OF_MOVE = 3 / 8  # of move
ONLY_BLANKS = 0.75  # share of a line in which only blanks differ
WRONG = 0.75  # factor applied to the share of a function that gets anything wrong
SAME_DEAL = "deals the same cards each time"
MAX_GROUPS = 16  # that a feedback names
NOTHING_DEALT = "returned no board of cards"
NO_CHANCE = "shuffles a tableau the same way every time"
NOT_BOOL = "None, 0 or 1 is returned instead of True or False"


def functions_in(calls: list[Call]) -> list[str]:
    """Return the functions that these Calls call."""
    return list(dict.fromkeys(call.function for call in calls))


def part_name(function: str) -> str:
    """Return the name of a function's Part."""
    return f"{function}()"


def names_of(calls: list[Call]) -> list[str]:
    """Return the names of the Parts for these Calls, one for each function."""
    return [*map(part_name, functions_in(calls))]


def judge(
    calls: list[Call],
    wanted: list[dict[str, Any]],
    found: list[dict[str, Any]],
    error: str,
    weights: dict[str, float],
    course: Course,
) -> list[Part]:
    """Return the Part of each function. wanted: the reference's answers. error: why the module did not finish loading.
    weights: name of a Part -> points. course: the game's."""
    found, not_bool = as_bools(calls, wanted, found)
    faults = fault_of_chance(calls, found, [fault_in(*triple, course) for triple in zip(calls, wanted, found)], course)
    parts = []
    for function in functions_in(calls):
        asked = [number for number, call in enumerate(calls) if call.function == function]
        judged = [(calls[number], found[number], faults[number]) for number in asked]
        values = [worth_of(calls[number], wanted[number], found[number], faults[number], course) for number in asked]
        part = part_of(function, judged, error, weights[part_name(function)], values)
        if function == "move":  # what it returns, and the board it leaves; nothing excuses a wrong board
            boards = [fault_of_board(calls[number], wanted[number], found[number], course) for number in asked]
            left = share_of_moves((calls[number].side, not fault) for number, fault in zip(asked, boards))
            whole = share_of_moves((call.side, worth) for (call, *_), worth in zip(judged, values))
            part.shares = {"": VALUE_OF_MOVE * whole + (1 - VALUE_OF_MOVE) * left}
            if any(boards):
                part.lines.append(f"The board that it leaves is right {boards.count('')} of {len(boards)} times.")
        if function in not_bool and not any(other.slips for other in parts):
            part.slips = [Slip(NOT_BOOL, None, share=SLIP_OF_FUNCTION)]
        parts.append(part)
    return parts


def as_bools(
    calls: list[Call], wanted: list[dict[str, Any]], found: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], set[str]]:
    """Return the answers, and the names of the functions changed. Where True or False is wanted, 1 and 0 become that,
    and None becomes False if False is right and the function says True elsewhere."""
    says_true = {call.function for call, answer in zip(calls, found) if answer.get("value") == 1}
    found, names = list(found), set()
    for number, (call, right, answer) in enumerate(zip(calls, wanted, found)):
        value = answer.get("value", True)
        is_none = right["value"] is False and value is None and call.function in says_true
        is_number = isinstance(right["value"], bool) and type(value) is int and value in (0, 1)
        if is_none or is_number:
            found[number] = {**answer, "value": bool(value)}
            names.add(call.function)
    return found, names


def worth_of(call: Call, right: dict[str, Any], answer: dict[str, Any], fault: str, course: Course) -> float:
    """Return the worth of an answer, 1 if it has no fault. Each line printed by display counts."""
    if fault and call.function == "display" and "printed" in answer:
        return share_of_lines(answer["printed"], right["printed"], ONLY_BLANKS)
    return course.worth.get(fault, not fault)


def part_of(
    function: str,
    judged: list[tuple[Call, dict[str, Any], str]],
    error: str,
    maximum: float,
    values: list[float],
) -> Part:
    """Return the Part of one function. judged: its Calls, with their answers and faults. values: the worth of each
    answer."""
    part = Part(part_name(function), count(("", not fault, 1) for _, _, fault in judged), maximum)
    if judged:
        part.shares = {"": share_of((call.side, value) for (call, *_), value in zip(judged, values))}
    failed = [(call, fault) for call, _, fault in judged if fault]
    part.groups = list(dict.fromkeys(f"{call.function}: {call.group}" for call, _ in failed))
    part.lines = describe_groups(failed, len(judged), error)
    missing = [str(answer["error"]) for _, answer, _ in judged if answer.get("is_missing")][:1]
    part.unjudged = "".join(f"T{text[1:]}." for text in missing)
    errors = [error, *(answer["error"] for _, answer, _ in judged if isinstance(answer.get("error"), str))]
    part.errors = [*map(printable, next(filter(None, errors), "").splitlines())]
    return part


def fault_of_chance(calls: list[Call], found: list[dict[str, Any]], faults: list[str], course: Course) -> list[str]:
    """Return the faults, plus one for a shuffle that always gives the same result and so earns nothing."""
    dealt = [number for number, call in enumerate(calls) if call.group == SHUFFLES]
    positions = [found[number].get("position") for number in dealt]
    if positions[1:] and all(position == positions[0] for position in positions):
        faults = [fault or SAME_DEAL if number in dealt else fault for number, fault in enumerate(faults)]
    shuffles = [number for number, call in enumerate(calls) if call.function == "shuffle_tableau"]
    left = {number: found[number].get("returned", found[number].get("position")) for number in shuffles}
    pairs = [[left[number] for number in pair] for pair in zip(shuffles[::2], shuffles[1::2])]
    if not all(first == second for first, second in pairs):
        return faults
    counts = [number for number in shuffles if course.worth.get(faults[number], not faults[number])]
    return [NO_CHANCE if number in counts else fault for number, fault in enumerate(faults)]


def fault_in(call: Call, right: dict[str, Any], answer: dict[str, Any], course: Course) -> str:
    """Return what is wrong with an answer, as a phrase that follows the call, or ""."""
    if answer.get("late"):
        return "does not end in time"
    if "error" in answer or not {"value", "position", "printed"} <= set(answer):
        last = str(answer.get("error")).strip().splitlines() or ["nothing is said of it"]
        return f"fails: {last[-1]}"
    if (fault := course.own_fault(call, answer)) is not None:
        return fault
    if call.side is not None and answer["value"] is None and answer["printed"].split() == [str(right["value"])]:
        return fault_in_position(call, right, answer, course) or PRINTED
    if call.side is not None and (answer["value"] is not right["value"]):  # 1 is not True
        return f"returned {answer['value']!r}; it should be {right['value']}"
    if call.function == "display" and answer["printed"] != right["printed"]:
        pairs = itertools.zip_longest(right["printed"].split("\n"), answer["printed"].split("\n"), fillvalue="")
        wanted, line = next(pair for pair in pairs if pair[0] != pair[1])
        return f"printed {line!r} for {wanted!r}"
    return fault_in_position(call, right, answer, course)


def fault_of_board(call: Call, right: dict[str, Any], answer: dict[str, Any], course: Course) -> str:
    """Return what is wrong with the board after a move, whatever the move returned, or ""."""
    if "position" not in answer:
        return course.no_position
    return fault_in_position(call, right, answer, course)


def fault_in_position(call: Call, right: dict[str, Any], answer: dict[str, Any], course: Course) -> str:
    """Return what is wrong with the position after a call, or ""."""
    if answer["position"] is None and call.function == "initialize":
        return NOTHING_DEALT
    if answer["position"] is None:
        return course.no_position
    if course.is_same(answer["position"], right["position"]):
        return ""
    if call.function == "initialize":
        return course.fault_in_deal(right["position"], answer["position"])
    return f"{LEAVES_ANOTHER}{course.where_it_differs(right['position'], answer['position'])}"


def share_of(pairs: Iterable[tuple[Any, float]]) -> float:
    """Return the share of a function, from pairs (side, worth of an answer). The share is the geometric mean of the
    function's sides, because a function that allows everything must earn nothing. It is lower if anything is wrong."""
    known = count((*pair, 1) for pair in pairs)
    shares = [right / of for right, of in known.values()]
    is_wrong = any(share < 1 for share in shares)
    return math.prod(shares) ** (1 / len(shares)) * (WRONG if is_wrong else 1)


def share_of_moves(pairs: Iterable[tuple[Any, float]]) -> float:
    """Return the share of move, from pairs (whether a move is allowed, worth of the answer). It is the share for the
    allowed moves, but half of it depends on not making the others, because a move that moves nothing has done
    nothing."""
    known: dict[Any, tuple[float, float]] = {**count((*pair, 1) for pair in pairs)}
    made, refused = (right / of for right, of in (known.get(side, (1, 1)) for side in (True, False)))
    return made * (1 + refused) / 2 * (WRONG if made * refused < 1 else 1)


def describe_groups(wrong: list[tuple[Call, str]], count: int, error: str) -> list[str]:
    """Return lines: the first example of each group of wrong answers, with the call, its result, and why it is wrong.
    wrong: the Calls and their faults. count: the total number of calls."""
    groups = {}
    for call, fault in wrong:
        groups.setdefault((call.function, call.group), []).append((call, fault))
    shown = [f"While the module is loaded: {error.splitlines()[-1]}"] if error else []
    if len(wrong) == count and len({fault for _, fault in wrong}) == 1 and wrong:
        call, fault = wrong[0]
        return [*map(printable, [*shown, f"{call.function}() {fault}, each time"])]
    for examples in [*groups.values()][:MAX_GROUPS]:
        call, fault = examples[0]
        words = ["tableau" if call.rows else "game"] * (call.function != "initialize") + [*map(repr, call.arguments)]
        more = f" ({len(examples)} such)" if len(examples) > 1 else ""
        shown.append(f"{call.function}({', '.join(words)}) {fault}: {call.reason or call.group}{more}")
        rows = dict.fromkeys(call.arguments[::2]) if call.rows and call.arguments else range(len(call.rows or ()))
        shown += [f"  tableau[{row}]: {' '.join(map(card_text, call.rows[row]))}" for row in rows]
    shown += [f"... and {len(groups) - MAX_GROUPS} groups more."] * (len(groups) > MAX_GROUPS)
    return [*map(printable, shown)]
