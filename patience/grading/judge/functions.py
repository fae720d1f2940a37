"""A submission's functions, called like those of a reference, on the same boards.

Right answers stay here: the box is told what to call, and sends back the result. The reference is this project's module
of the game, or a teacher's. Calls come from the assignment (courses/montana)."""

from __future__ import annotations

import functools
import random
from typing import TYPE_CHECKING, Any

from patience import COURSE
from patience.grading.box import programs
from patience.grading.judge.assignment import Assignment
from patience.grading.box.boxes import folder_of_boxes
from patience.grading.courses.function_calls import Call
from patience.grading.judge.function_answers import fault_in, fault_of_board, judge, part_name
from patience.grading.box.inside.base import NotStarted
from patience.grading.box.runner import Runner
from patience.grading.courses.known import course_of
from patience.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from patience.grading.judge.grades import Part
    from patience.grading.submissions import Submission

RULE = "validate_move"
MAX_PRINTED = 4_000  # letters of an answer: some four times what display prints
RULED = f"Where it was wrong, it was called again with the right {RULE}."


@functools.cache
def calls_of(game: str) -> list[Call]:
    """Return the Calls for a game. They must not be changed."""
    return course_of(game).calls()


@functools.cache
def answers_of(game: str, reference: Path | None = None, cards: Path = COURSE / "cards.py") -> list[dict[str, Any]]:
    """Return the reference's answers to the Calls for a game, or our game's if reference is None. They must not be
    changed. reference: the path of a module. Raises ValueError if the module cannot answer."""
    file, calls = reference or COURSE / f"{game}.py", calls_of(game)
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
    """Return the settings for the box, without the right answers."""
    asked = []
    for call in calls:
        settings = {"function": call.function, "arguments": list(call.arguments), "seed": call.seed}
        given = {"rows": call.rows, "deck": call.deck}
        asked.append(settings | {name: value for name, value in given.items() if value is not None})
    late = {"most_late": programs.MAX_LATE, "short": programs.SHORT}
    return {"file": file, "seed": None, "deck": None, "calls": asked, **late}


def grade(assignment: Assignment, submission: Submission, runner: Runner) -> list[Part]:
    """Return the Parts of a submission's functions. If its own rules are wrong, its move is called once more with the
    right ones."""
    error, found = ask(assignment, submission, runner, range(len(assignment.calls)))
    calls, wanted, course = assignment.calls, assignment.answers, course_of(assignment.game)
    ruled, moves = (
        [n for n in range(len(calls)) if calls[n].function == name and fault_in(calls[n], wanted[n], found[n], course)]
        for name in (RULE, "move")
    )
    is_ruled = bool(ruled and moves) and not error
    if is_ruled:
        runner.end()  # only move is given the right answers
        _, answers = ask(assignment, submission, runner, moves, is_ruled=True)
        for number, answer in zip(moves, answers):
            if not fault_of_board(calls[number], wanted[number], answer, course):
                found[number] = answer
    parts = judge(calls, wanted, found, error, assignment.weights, course)
    for part in parts:
        if part.name == part_name("move") and is_ruled:
            part.lines.append(RULED)
    return parts


def ask(
    assignment: Assignment,
    submission: Submission,
    runner: Runner,
    numbers: Iterable[int],
    is_ruled: bool = False,
) -> tuple[str, list[dict[str, Any]]]:
    """Return why a module did not finish loading, or "", and its answers to the calls with these numbers.
    is_ruled: the right rules replace its own."""
    order = shuffled(numbers, submission.hash)
    asked = [assignment.calls[number] for number in order]
    settings = settings_of(submission.program.name, asked)
    for number, call in zip(order, settings["calls"] * is_ruled):
        call["is_allowed"] = assignment.answers[number]["value"]
    error, answers = programs.call(runner.use(assignment.files), settings, assignment.seconds)
    in_order = [answer for _, answer in sorted(zip(order, answers), key=lambda pair: pair[0])]
    return error, [
        answer | {"printed": str(answer["printed"])[:MAX_PRINTED]} if "printed" in answer else answer
        for answer in in_order
    ]


def own_functions(
    assignment: Assignment, submission: Submission, runner: Runner, parts: list[Part]
) -> Callable[[list[Call]], list[dict[str, Any]]] | None:
    """Return a function that makes Calls to a submission's own functions and returns their answers, so that sessions
    need not charge again for a mistake in them. Return None if there is no mistake, or if neither the submission's rule
    nor its move has earned points: a program that makes no right move is not excused. parts: the Parts of its
    functions."""
    can_move = any(part.points for part in parts if part.name in map(part_name, (RULE, "move")))
    if assignment.lacks_main or not can_move or all(part.share == 1 for part in parts):
        return None
    return lambda calls: ask(assignment._replace(calls=calls), submission, runner, range(len(calls)))[1]


def shuffled(asked: Iterable[int], seed: str) -> list[int]:
    """Return the numbers of calls in an order that reveals nothing about the right answers. seed: the submission's
    hash, so that the order is always the same, but unknown to the submission. asked: the numbers of the calls."""
    numbers = list(asked)
    return random.Random(seed).sample(numbers, len(numbers))
