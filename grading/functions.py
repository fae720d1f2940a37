"""The functions of a submission, called as those of a reference are, from positions of the same deals.

What is right stays here: the box is told what to call, and answers with what came of it. The reference is this
project's module of the game, or a teacher's. A game is asked by its contract, from deals and moves of its own, or as
its assignment has it (grading/montana.py). Wrong answers are grouped by the reason that our game's refusal gives.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from grading import answers, programs
from grading.boxes import ROOT, folder_of_boxes
from cards import Card
from grading.calls import Call, contract_calls, deal_game
from grading.reports import NOT_LAID, Part, Slip, count
from grading.runner import NotStarted, Runner
from grading.special import special_of
from patience import rules
from patience.text import card_text, printable

if TYPE_CHECKING:
    from pathlib import Path

    from grading.command import Assignment
    from grading.submissions import Submission

RULES = "validate_move"
LEAVES = "leaves"  # how a fault of a board begins
VALUE_OF_MOVE = 3 / 8  # of move
WRONG = 0.5  # of the share of a function that is not right
MAX_GROUPS = 16  # that a feedback names
LAID = "It deals a different board. Its other functions were given the right one, and are judged from there."
NO_CHANCE = "makes the same of a tableau each time"
NONE_FOR_FALSE = "None is returned instead of False"


def calls_of(game: str) -> list[Call]:
    """Return the Calls for a game."""
    special = special_of(game)
    return special.calls() if special else contract_calls(rules.load(game))


def names_of(calls: list[Call]) -> list[str]:
    """Return the names of the Parts of calls: of each function that is called."""
    return [*map(part_name, functions_in(calls))]


def functions_in(calls: list[Call]) -> list[str]:
    """Return the functions that are called."""
    return list(dict.fromkeys(call.function for call in calls))


def part_name(function: str) -> str:
    """Return the name of a function's Part."""
    return f"{function}()"


def answers_of(
    game: str, calls: list[Call], reference: Path | None = None, cards: Path = ROOT / "cards.py"
) -> list[dict[str, Any]]:
    """Return the answers of the reference, the path of a module, or of our game. Raises ValueError if it cannot
    answer."""
    file = reference or ROOT / f"{game}.py"
    with folder_of_boxes() as boxes, Runner(boxes, file) as runner:
        try:
            error, found = programs.call(runner.use({"cards.py": cards}), settings_of(file.name, calls), 60)
        except NotStarted as reason:
            raise ValueError(f"{file.name}: {reason}") from None
    if error or any("value" not in answer for answer in found):
        failed = next((answer["error"] for answer in found if "error" in answer), "it does not end")
        raise ValueError(printable(f"{file.name}: {(error or failed).splitlines()[-1]}"))
    return found


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
    has_rows = any(call.rows is not None for call in calls)
    return {"file": file, "seed": None, "deck": None, "calls": asked, "has_rows": has_rows, **late}


def grade(assignment: Assignment, submission: Submission, runner: Runner) -> list[Part]:
    """Return the Parts of a submission's functions."""
    order, calls = shuffled(assignment.calls), assignment.calls

    def ask(laid: dict[int, Any]) -> tuple[str, list[dict[str, Any]]]:
        settings = {**settings_of(submission.file, [calls[number] for number in order]), "laid": laid}
        runner.use({"cards.py": assignment.cards})
        error, answers = programs.call(runner, settings, assignment.seconds)
        return error, [answer for _, answer in sorted(zip(order, answers), key=lambda pair: pair[0])]

    error, found = ask({})
    is_laid = deals_nothing_right(calls, assignment.answers, found)
    if is_laid:
        _, again = ask(positions_to_lay(assignment.game, calls))
        found = [one if call.moves is None else other for call, one, other in zip(calls, found, again)]
    parts = judge(calls, assignment.answers, found, error, assignment.weights, special_of(assignment.game))
    for part in parts if is_laid else ():
        if part.name == part_name("initialize"):
            part.lines.insert(0, LAID if any(other.kinds for other in parts if other is not part) else NOT_LAID)
    return parts


def deals_nothing_right(calls: list[Call], wanted: list[dict[str, Any]], found: list[dict[str, Any]]) -> bool:
    """Return True if no deal is the reference's, so that no call behind it is reached."""
    dealt = [triple[1:] for triple in zip(calls, wanted, found) if triple[0].moves == ()]
    return bool(dealt) and not any(is_reached(*pair) for pair in dealt)


def positions_to_lay(game: str | None, calls: list[Call]) -> dict[int, dict[str, Any]]:
    """Return our positions after the deals that calls are about, if they are objects: number -> name of an attribute ->
    its value, in which a card is {"card": (rank, suit, whether it is face up)}."""
    laid = {}
    for number in {call.deal for call in calls if call.moves is not None}:
        position = deal_game(rules.load(game), number).position
        laid[number] = {name: as_plain(value) for name, value in getattr(position, "__dict__", {}).items()}
    return laid


def as_plain(value: Any) -> Any:
    """Return a value, in which each card is a dict."""
    if isinstance(value, list):
        return [as_plain(part) for part in value]
    return {"card": (value.rank(), value.suit(), value.is_face_up())} if isinstance(value, Card) else value


def shuffled(calls: list[Call]) -> list[int]:
    """Return the numbers of calls in an order that tells nothing of what is right, and that nobody can know: at random
    among those of one position, the positions one after another."""
    chance, places = secrets.SystemRandom(), {}
    for number, call in enumerate(calls):
        places.setdefault((call.deal, call.moves), []).append(number)
    return [number for numbers in places.values() for number in chance.sample(numbers, len(numbers))]


def judge(
    calls: list[Call],
    wanted: list[dict[str, Any]],
    found: list[dict[str, Any]],
    error: str,
    weights: dict[str, float],
    special: Any = None,
) -> list[Part]:
    """Return the Part of each function. wanted: the answers of the reference. error: why the module was not loaded
    whole. weights: name of a Part -> points. special: what is alone the game's, or None."""
    found, none_for_false = list(found), set()
    for number, (call, right, answer) in enumerate(zip(calls, wanted, found)):
        if right["value"] is False and answer.get("value", True) is None and is_reached(right, answer):
            found[number] = {**answer, "value": False}
            none_for_false.add(call.function)
    faults = forgive(calls, found, [fault_in(*triple, special) for triple in zip(calls, wanted, found)], special)
    parts = []
    for function in functions_in(calls):
        asked = [number for number, call in enumerate(calls) if call.function == function]
        judged = [
            (calls[number], found[number], faults[number])
            for number in asked
            if is_reached(wanted[number], found[number])
        ]
        parts.append(part_of(function, judged, error, weights.get(part_name(function), 0)))
        if function in none_for_false and not any(part.slips for part in parts):
            parts[-1].slips = [Slip(NONE_FOR_FALSE, None)]
        left_out = len(asked) - len(judged)
        if left_out:
            parts[-1].lines.append(f"{left_out} calls were not reached: your own moves led to a different board.")
    return parts


def is_reached(right: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Return False if a call was asked about another board than ours, to which earlier moves have led."""
    before = right.get("before")
    return before is None or is_same_board(answer.get("before", before), before)


def part_of(function: str, judged: list[tuple[Call, dict[str, Any], str]], error: str, maximum: float) -> Part:
    """Return the Part of one function. judged: its Calls that were reached, their answers, what is wrong with them."""
    part = Part(part_name(function), count(("", not fault, 1) for _, _, fault in judged), maximum)
    if judged:
        share = share_of([(call.side, not fault) for call, _, fault in judged])
        if function == "move":  # what it returns, and what it leaves
            returned = share_of([(call.side, not fault or fault.startswith(LEAVES)) for call, _, fault in judged])
            share = VALUE_OF_MOVE * returned + (1 - VALUE_OF_MOVE) * share
        part.shares = {"": share}
    failed = [(call, fault) for call, _, fault in judged if fault]
    part.groups = list(dict.fromkeys(f"{call.function}: {call.group}" for call, _ in failed))
    part.lines = describe_groups(failed, len(judged), error)
    errors = [error, *(answer["error"] for _, answer, _ in judged if isinstance(answer.get("error"), str))]
    part.errors = [*map(printable, next(filter(None, errors), "").splitlines())]
    return part


def forgive(calls: list[Call], found: list[dict[str, Any]], faults: list[str], special: Any) -> list[str]:
    """Return the faults without those of move that come from validate_move, for a wrong rule counts where it is made;
    and with that of a shuffle that makes the same each time."""
    faults, of_rules = list(faults), [triple for triple in zip(calls, found, faults) if triple[0].function == RULES]
    said = {place_of(call): answer.get("value") for call, answer, _ in of_rules}
    wrong = {place_of(call) for call, _, fault in of_rules if fault}
    knows = {call.side for call, _, fault in of_rules if not fault}
    for number, (call, answer) in enumerate(zip(calls, found)):
        if call.function == "move" and place_of(call) in wrong and call.side in knows:
            if is_consistent(call, answer, said[place_of(call)], special):
                faults[number] = ""
    shuffles = [number for number, call in enumerate(calls) if call.function == "shuffle_tableau"]
    pairs = [[found[number].get("position") for number in pair] for pair in zip(shuffles[::2], shuffles[1::2])]
    if not any(faults[number] for number in shuffles) and all(first == second for first, second in pairs):
        return [NO_CHANCE if number in shuffles else fault for number, fault in enumerate(faults)]
    return faults


def place_of(call: Call) -> str:
    """Return where a call asks, and about which move."""
    return repr((call.rows, call.deal, call.moves, call.arguments))


def fault_in(call: Call, right: dict[str, Any], answer: dict[str, Any], special: Any = None) -> str:
    """Return what is wrong with an answer, a phrase that follows the call, or ""."""
    if answer.get("late"):
        return "does not end in time"
    if "error" in answer or not {"value", "position", "printed"} <= set(answer):
        last = str(answer.get("error")).strip().splitlines() or ["nothing is said of it"]
        return f"fails: {last[-1]}"
    if special and (fault := special.own_fault(call, answer)) is not None:
        return fault
    if answer == right and type(answer["value"]) is type(right["value"]):  # 1 is not True
        return ""
    if call.side is not None and answer["value"] is not right["value"]:
        return f"returned {answer['value']!r}; it should be {right['value']}"
    if call.function == "display" and answer["printed"] != right["printed"]:
        pairs = zip(right["printed"].split("\n"), answer["printed"].split("\n") + [""] * 99)
        wanted, line = next((pair for pair in pairs if pair[0] != pair[1]), ("nothing more", "more"))
        return f"printed {line!r} for {wanted!r}"
    if answer["position"] is None:
        return special.NO_TABLEAU if special else "leaves no position that can be shown"
    if not (special.is_same if special else is_same_board)(answer["position"], right["position"]):
        if call.function == "initialize":
            return (
                special.fault_in_deal(right["position"], answer["position"]) if special else "returned a different deal"
            )
        return "leaves a different board than it should"
    return ""


def is_same_board(shown: Any, right: Any) -> bool:
    """Return True if two texts show the same board, whatever stands around it."""
    if shown == right:
        return True
    return isinstance(shown, str) and bool(answers.CELL.search(right)) and answers.is_same_layout(shown, right)


def is_consistent(call: Call, answer: dict[str, Any], valid: bool | None, special: Any) -> bool:
    """Return True if move did what the submission's own validate_move says, as it must."""
    if "value" not in answer or answer["value"] is not bool(valid) or call.rows is None:
        return "value" in answer and answer["value"] is bool(valid)
    after = special.after_move(call) if valid else call.rows
    return special.is_same(answer["position"], after)


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
    if len(wrong) == count and len({fault for _, fault in wrong}) == 1 and wrong:
        call, fault = wrong[0]
        return [*map(printable, shown or [f"{call.function}() {fault}, each time"])]
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
