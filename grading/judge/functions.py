"""A submission's functions, called like those of a reference, on positions from the same deals.

Right answers stay here: the box is told what to call, and sends back the result. The reference is this project's module
of the game, or a teacher's. Calls come from the game's contract, or from its assignment (courses/montana)."""

from __future__ import annotations

import functools
import random
from typing import TYPE_CHECKING, Any

from grading.box import programs
from grading.judge.assignment import Assignment
from grading.box.boxes import ROOT, folder_of_boxes
from cards import Card
from grading.courses.calls import OTHER_WAYS, Call, Way, deal_known, deck_in, deck_of, options_of
from grading.judge.function_answers import fault_in, fault_of_board, is_reached, judge, part_name
from grading.judge.grades import NOT_LAID
from grading.box.inside.base import NotStarted
from grading.box.runner import Runner
from grading.courses.known import course_of
from patience import rules
from patience.text import printable
from solvers.positions import preserve_random_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from grading.judge.grades import Part
    from grading.courses.contract import Course
    from grading.submissions import Submission
    from patience import Move
    from patience.rules import Rules

WAYS = 6  # calls used to find out which way a submission deals
RULE = "validate_move"
RULED = f"Where it was wrong, it was called again with the right {RULE}."
LAID = "Your initialize deals a different board, so your other functions were given the right one."


@functools.cache
def calls_of(game: str) -> list[Call]:
    """Return the Calls for a game. They must not be changed."""
    return course_of(game).calls()


@functools.cache
def answers_of(game: str, reference: Path | None = None, cards: Path = ROOT / "cards.py") -> list[dict[str, Any]]:
    """Return the reference's answers to the Calls for a game, or our game's if reference is None. They must not be
    changed. reference: the path of a module. Raises ValueError if the module cannot answer."""
    file, calls = reference or ROOT / f"{game}.py", calls_of(game)
    with folder_of_boxes() as boxes, Runner(boxes, file) as runner:
        try:
            error, found = programs.call(runner.use({"cards.py": cards}), settings_of(file.name, calls, game), 60)
        except NotStarted as reason:
            raise ValueError(f"{file.name}: {reason}") from None
    if error or any("value" not in answer for answer in found):
        failed = next((answer["error"] for answer in found if "error" in answer), "it does not end")
        raise ValueError(printable(f"{file.name}: {(error or failed).splitlines()[-1]}"))
    return found


def settings_of(
    file: str, calls: list[Call], game: str, is_laid: bool = False, way: Way | None = None
) -> dict[str, Any]:
    """Return the settings for the box, without the right answers. is_laid: send our positions, so that the submission's
    own moves do not matter. way: one of OTHER_WAYS of dealing, or None."""
    asked = []
    for call in calls:
        settings = {"function": call.function, "arguments": list(call.arguments), "seed": call.seed}
        if call.deal is not None:
            about = rules.load(game), call.deal
            settings |= {"deck": deck_in(way, *about) if way else deck_of(*about), "options": options_of(*about)}
            settings["needs"] = needed(*about)
        if call.rows is not None:
            settings["rows"] = call.rows
        elif call.moves is not None:
            settings |= {"deal": call.deal, "moves": [list(move) for move in call.moves]}
            if is_laid:
                settings["laid"] = position_to_lay(game, call.deal, call.moves)
        asked.append(settings)
    late = {"most_late": programs.MAX_LATE, "short": programs.SHORT}
    has_rows = any(call.rows is not None for call in calls)
    return {"file": file, "seed": None, "deck": None, "calls": asked, "has_rows": has_rows, **late}


def grade(assignment: Assignment, submission: Submission, runner: Runner) -> list[Part]:
    """Return the Parts of a submission's functions. If a submission deals in one of OTHER_WAYS, it gets the decks that
    make it deal our boards. If its own moves or its deal still lead to other boards, it is called once more with ours.
    If its own rules are wrong, its move is called once more with the right ones."""
    error, found = ask(assignment, submission, runner, range(len(assignment.calls)))
    assignment, found = without_lacked(assignment, found)
    calls, wanted, course = assignment.calls, assignment.answers, course_of(assignment.game)
    ask_for = functools.partial(ask, assignment, submission, runner)
    led_away = [number for number in range(len(calls)) if not is_reached(wanted[number], found[number], course, False)]
    deals = [number for number, call in enumerate(calls) if call.moves == ()]
    if deals and set(deals) <= set(led_away) and (way := find_way(assignment, ask_for, deals, course)):
        put(found, led_away, ask_for(led_away, way=way)[1])
        led_away = [number for number in led_away if not is_reached(wanted[number], found[number], course, False)]
    for parity in (0, 1):  # a position gives away the right answer for the one before, so the two never share a box
        numbers = [number for number in led_away if len(calls[number].moves) % 2 == parity]
        if numbers:
            runner.end()
            put(found, numbers, ask_for(numbers, is_laid=True)[1])
    show_laid(assignment, submission, runner, found, course)
    ruled, moves = (
        [n for n in range(len(calls)) if calls[n].function == name and fault_in(calls[n], wanted[n], found[n], course)]
        for name in (RULE, "move")
    )
    is_ruled = bool(ruled and moves)
    if is_ruled:
        runner.end()  # only move is given the right answers
        for number, answer in zip(moves, ask_for(moves, is_ruled=True)[1]):
            if not fault_of_board(calls[number], wanted[number], answer, course):
                found[number] = answer
    parts = judge(calls, wanted, found, error, assignment.weights, course)
    for part in parts:
        if part.name == part_name("initialize") and deals and set(deals) <= set(led_away):
            is_reached_now = any(is_reached(wanted[number], found[number], course) for number in deals)
            part.lines.insert(0, LAID if is_reached_now else NOT_LAID)
        if part.name == part_name("move") and is_ruled:
            part.lines.append(RULED)
    return parts


def without_lacked(assignment: Assignment, found: list[dict[str, Any]]) -> tuple[Assignment, list[dict[str, Any]]]:
    """Return an Assignment, and the answers to its calls, without the calls about moves in deals that need a
    non-default option the module lacks."""
    lacked = {str(name) for answer in found for name in answer.get("lacks", ())}
    if not lacked:
        return assignment, found
    about = [(rules.load(assignment.game), call.deal) if call.moves else None for call in assignment.calls]
    known = [number for number, deal in enumerate(about) if not deal or not lacked & needed(*deal).keys()]
    calls, wanted = [assignment.calls[number] for number in known], [assignment.answers[number] for number in known]
    return assignment._replace(calls=calls, answers=wanted), [found[number] for number in known]


def needed(game_rules: Rules, number: int) -> dict[str, str]:
    """Return the non-default options of the deal with this number."""
    return {name: of for name, of in options_of(game_rules, number).items() if of != game_rules.OPTIONS[name][0]}


def find_way(assignment: Assignment, ask_for: Callable[..., Any], deals: list[int], course: Course) -> Way | None:
    """Return which of OTHER_WAYS a submission uses to deal, or None. ask_for: ask, bound to that submission. deals: the
    numbers of the calls about a deal."""
    for way in OTHER_WAYS:
        _, tried = ask_for(deals[:WAYS], way=way)
        if all(is_reached(assignment.answers[number], answer, course) for number, answer in zip(deals, tried)):
            return way
    return None


def put(found: list[dict[str, Any]], numbers: list[int], answers: list[dict[str, Any]]) -> None:
    """Replace the answers at these numbers."""
    for number, answer in zip(numbers, answers):
        found[number] = answer


def show_laid(
    assignment: Assignment, submission: Submission, runner: Runner, found: list[dict[str, Any]], course: Course
) -> None:
    """If the submission has its own layout, add "should" to each answer about a move from a laid position: how the
    submission displays our position after the move. The submission is asked for this after its answers about the moves,
    in a new box."""
    calls, wanted = assignment.calls, assignment.answers
    shown_otherwise = [
        number
        for number, (call, right, answer) in enumerate(zip(calls, wanted, found))
        if call.function == "move" and answer.get("laid") and not course.is_same(answer.get("before"), right["before"])
    ]
    if not shown_otherwise:
        return
    after = [
        calls[number]._replace(function="display", arguments=(), moves=(*calls[number].moves, calls[number].arguments))
        if calls[number].side
        else calls[number]._replace(function="display", arguments=())
        for number in shown_otherwise
    ]
    runner.end()
    own = assignment._replace(calls=after)
    _, shown = ask(own, submission, runner, range(len(after)), is_laid=True)
    for number, answer in zip(shown_otherwise, shown):
        found[number] = {**found[number], "should": answer.get("printed")}


def ask(
    assignment: Assignment,
    submission: Submission,
    runner: Runner,
    numbers: Iterable[int],
    is_laid: bool = False,
    way: Way | None = None,
    is_ruled: bool = False,
) -> tuple[str, list[dict[str, Any]]]:
    """Return why a module did not finish loading, or "", and its answers to the calls with these numbers. is_laid, way:
    as for settings_of. is_ruled: the right rules replace its own."""
    order = shuffled(assignment.calls, numbers, submission.hash)
    asked = [assignment.calls[number] for number in order]
    settings = settings_of(submission.program.name, asked, assignment.game or "", is_laid, way)
    for number, call in zip(order, settings["calls"] * is_ruled):
        call["is_allowed"] = assignment.answers[number]["value"]
    error, answers = programs.call(runner.use(assignment.files), settings, assignment.seconds)
    return error, [answer for _, answer in sorted(zip(order, answers), key=lambda pair: pair[0])]


def own_functions(
    assignment: Assignment, submission: Submission, runner: Runner, parts: list[Part]
) -> Callable[[list[Call]], list[dict[str, Any]]] | None:
    """Return a function that makes Calls to a submission's own functions and returns their answers, so that sessions
    need not charge again for a mistake in them. Return None if there is no mistake, or if neither the submission's rule
    nor its move has earned points: a program that makes no right move is not excused. parts: the Parts of its
    functions."""
    can_move = any(part.points for part in parts if part.name in map(part_name, (RULE, "move")))
    if assignment.module or not can_move or all(part.share == 1 for part in parts):
        return None
    return lambda calls: ask(assignment._replace(calls=calls), submission, runner, range(len(calls)))[1]


@functools.cache
def position_to_lay(game: str, number: int, moves: tuple[Move, ...]) -> dict[str, Any]:
    """Return our position after some moves in a deal, as attribute name -> value, if it is an object. A card in a value
    is {"card": (rank, suit, whether it is face up)}."""
    playing = deal_known(rules.load(game), number)
    with preserve_random_state():
        for move in moves:
            playing.perform(move)
    return {name: as_plain(value) for name, value in getattr(playing.position, "__dict__", {}).items()}


def as_plain(value: Any) -> Any:
    """Return a value with each card as a dict."""
    if isinstance(value, list):
        return [as_plain(part) for part in value]
    return {"card": (value.rank(), value.suit(), value.is_face_up())} if isinstance(value, Card) else value


def shuffled(calls: list[Call], asked: Iterable[int], seed: str) -> list[int]:
    """Return the numbers of calls in an order that reveals nothing about the right answers: one position at a time,
    with its calls in random order. seed: the submission's hash, so that the order is always the same, but unknown to
    the submission. asked: the numbers of the calls."""
    chance, places = random.Random(seed), {}
    for number in asked:
        places.setdefault((calls[number].deal, calls[number].moves), []).append(number)
    return [number for numbers in places.values() for number in chance.sample(numbers, len(numbers))]
