"""A submission's functions, judged by the rules of the assignment: a rule is kept in all of its cases, or it is not.

The right answers stay here: the box is told what to call, and sends back what the function did."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any, NamedTuple

from patience.grading.box import programs
from patience.grading.courses.known import course_of
from patience.grading.judge.grades import Part
from patience.text import card_text, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patience.grading.box.runner import Runner
    from patience.grading.box.programs import Answer
    from patience.grading.courses.function_calls import Call, Case, Rule
    from patience.grading.judge.assignment import Assignment
    from patience.grading.submissions import Submission

AS_ABOVE = "  as above"
NO_OTHER = "it counts only if another rule is kept too"
RULED = "Judged with our {} in place of yours, so that a mistake in yours costs points only once."


class Verdict(NamedTuple):
    """How a function keeps one of its rules."""

    rule: Rule
    fault: str  # what is wrong with the first answer that is, or ""
    case: Any  # that shows it, or None


def part_name(function: str) -> str:
    """Return the name of a function's Part."""
    return f"{function}()"


def function_of(part: Part) -> str:
    """Return the function that a Part is about."""
    return part.name.removesuffix("()")


def names_of(rules: Sequence[Rule]) -> list[str]:
    """Return the names of the Parts for these rules, one for each function."""
    return list(dict.fromkeys(part_name(rule.function) for rule in rules))


def grade(assignment: Assignment, submission: Submission, runner: Runner) -> list[Part]:
    """Return the Parts of a submission's functions."""
    course, parts = course_of(str(assignment.game)), []
    asked = [case.call for rule in assignment.rules for case in (*rule.cases, *rule.beside)]
    error, found = ask(assignment, submission, runner, asked)
    wrong = set()  # functions
    for function in dict.fromkeys(rule.function for rule in assignment.rules):
        rules = [rule for rule in assignment.rules if rule.function == function]
        verdicts, note = verdicts_on(rules, found), ""
        if any(one.fault for one in verdicts) and not error:
            verdicts, note = best_way(assignment, submission, runner, verdicts, wrong & {*course.first})
        wrong |= {function} if note or any(one.fault for one in verdicts) else set()
        parts.append(part_of(function, verdicts, note, error, assignment.weights[part_name(function)]))
        answers = [found[case.call] for rule in rules for case in rule.cases]
        parts[-1].unjudged = "".join(f"T{one.error[1:]}." for one in answers[:1] if one.is_missing)
        problems = [one.error for one in answers if one.error and not one.is_missing]
        parts[-1].errors = [*map(printable, [*problems, error][0].splitlines())]
    return parts


def ask(
    assignment: Assignment, submission: Submission, runner: Runner, calls: Iterable[Call], ours: Iterable[str] = ()
) -> tuple[str, dict[Call, Answer]]:
    """Return why a module did not finish loading, or "", and its answers to calls. ours: the functions in whose place
    it gets ours. The order of the calls tells nothing about the right answers: it is decided by the submission's hash,
    so it is always the same, but the submission does not know it."""
    asked = list(dict.fromkeys(calls))
    random.Random(submission.hash).shuffle(asked)
    settings = [{name: value for name, value in call._asdict().items() if value is not None} for call in asked]
    late = {"most_late": programs.MAX_LATE, "short": programs.SHORT}
    given: dict[str, Any] = {"file": submission.program.name, "seed": None, "deck": None, "calls": settings, **late}
    runner.use(assignment.files)
    if ours := [*ours]:  # they and the submission's own functions never share a process
        runner.kill()
        given |= {"replaced": ours, "ours": course_of(str(assignment.game)).source(ours)}
    error, answers = programs.call(runner, given, assignment.seconds)
    if ours:
        runner.kill()
    return error, dict(zip(asked, answers))


def verdicts_on(rules: Sequence[Rule], found: dict[Call, Answer]) -> list[Verdict]:
    """Return how a function keeps its rules. found: its answers to calls."""
    verdicts = []
    for rule in rules:
        faults = ((fault_of(rule, case, found[case.call]), case) for case in rule.cases)
        beside = [(fault_of(rule, case, found[case.call]), case) for case in rule.beside]
        wrong = [pair for pair in faults if pair[0]] or beside * all(fault for fault, _ in beside)
        verdicts.append(Verdict(rule, *wrong[0]) if wrong else Verdict(rule, "", None))
    if any(not one.fault and not one.rule.is_form for one in verdicts):
        return verdicts
    return [one._replace(fault=one.fault or NO_OTHER) for one in verdicts]


def fault_of(rule: Rule, case: Case, answer: Answer) -> str:
    """Return what is wrong with an answer, as a phrase that follows the call, or ""."""
    if answer.late:
        return "did not finish in time"
    if answer.error:
        return f"fails: {(answer.error.strip().splitlines() or [''])[-1]}"
    return rule.fault(case, answer)


def best_way(
    assignment: Assignment, submission: Submission, runner: Runner, verdicts: list[Verdict], ours: set[str]
) -> tuple[list[Verdict], str]:
    """Return the Verdicts of a function that keeps not all of its rules, called in the way in which it keeps most: as
    it should be, with ours in place of functions that are wrong themselves, or with its arguments given in another way;
    and a note about that way. ours: the functions that it may call and that are wrong."""
    course, best, note = course_of(str(assignment.game)), verdicts, ""
    rules = [one.rule for one in verdicts]
    ways: dict[str, Any] = {"": lambda *places: places}
    ways |= course.ways if rules[0].cases[0].call.arguments else {}
    for (name, arguments), taken in itertools.product(ways.items(), [sorted(ours), []] if ours else [[]]):
        if not name and not taken:  # that is how it was called
            continue
        every = {case.call for rule in rules for case in (*rule.cases, *rule.beside)}
        calls = {call: call._replace(arguments=arguments(*call.arguments)) for call in every}
        _, answers = ask(assignment, submission, runner, calls.values(), taken)
        found = {call: answers[given] for call, given in calls.items()}
        tried = verdicts_on(rules, found)
        if name:
            tried = [one._replace(fault=name, case=None) if one.rule.is_way else one for one in tried]
        if share_of(tried) > share_of(best):
            best, note = tried, RULED.format(" and ".join(taken)) if taken else ""
    return best, note


def share_of(verdicts: Iterable[Verdict]) -> float:
    """Return the weight of the rules that are kept."""
    return sum(one.rule.weight for one in verdicts if not one.fault)


def part_of(function: str, verdicts: list[Verdict], note: str, error: str, maximum: float) -> Part:
    """Return the Part of one function. note: how it was called, if not as it should be. error: why the module did not
    finish loading."""
    part = Part(part_name(function), {one.rule.name: (not one.fault, 1) for one in verdicts}, maximum)
    part.weights = {one.rule.name: one.rule.weight for one in verdicts}
    lines = [*filter(None, [note]), *(f"Your file did not load completely: {line}" for line in error.splitlines()[-1:])]
    told: list[list[str]] = []
    for verdict in verdicts if part.share < 1 else ():
        of = f" (worth {verdict.rule.weight:g} of {sum(part.weights.values()):g})"
        shown = describe(*verdict)
        lines += [f"{'not ' * bool(verdict.fault)}kept{of}: {verdict.rule.name}"]
        lines += [AS_ABOVE] if shown and shown in told else shown
        told.append(shown)
    part.lines = [*map(printable, lines)]
    return part


def describe(rule: Rule, fault: str, case: Case | None) -> list[str]:
    """Return lines about a rule that is not kept: the first call that shows it, and the rows it is about."""
    if not case:
        return [f"  {fault}"] * bool(fault)
    call = case.call
    words = ["tableau"] * bool(call.rows) + [*map(repr, call.arguments)]
    rows = dict.fromkeys(call.arguments[::2]) if call.rows and call.arguments else range(len(call.rows or ()))
    shown = [f"  tableau[{row}]: {' '.join(map(card_text, call.rows[row]))}" for row in rows if call.rows]
    return [f"  {rule.function}({', '.join(words)}) {fault}", *shown]
