"""The functions of a submission, called as those of a reference are, from positions of the same deals.

What is right stays here: the box is told what to call, and answers with what came of it. The reference is this
project's module of the game, or a teacher's. A game is asked by its contract, from deals and moves of its own, or as
its assignment has it (grading/montana.py).
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from grading import programs
from grading.boxes import ROOT, folder_of_boxes
from cards import Card
from grading.calls import Call, contract_calls, deal_game
from grading.judging_functions import is_reached, judge, part_name
from grading.reports import NOT_LAID
from grading.runner import NotStarted, Runner
from grading.special import special_of
from patience import rules
from patience.text import printable

if TYPE_CHECKING:
    from pathlib import Path

    from grading.command import Assignment
    from grading.reports import Part
    from grading.submissions import Submission

LAID = "It deals a different board. Its other functions were given the right one, and are judged from there."


def calls_of(game: str) -> list[Call]:
    """Return the Calls for a game."""
    special = special_of(game)
    return special.calls() if special else contract_calls(rules.load(game))


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
