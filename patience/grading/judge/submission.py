"""One submission: the points for each session and for the functions."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple, Optional

from patience.grading.courses import answers, other_program
from patience.grading.judge import functions, sessions
from patience.grading.box import programs
from patience.grading.judge.assignment import Assignment
from patience.grading.box.boxes import LONGEST_PROGRAM, is_own
from patience.grading.box.programs import Ending
from patience.grading.judge.grades import Difference, Grade, Part, Slip, count
from patience.grading.judge.style import remarks_on
from patience.grading.box.inside.base import NotStarted
from patience.grading.box.runner import Runner
from patience.grading.courses.known import reference_for, course_of
from patience.game import Game
from patience.rules import read
from patience.text import error_text, printable, tidy
from patience.positions import preserve_random_state

if TYPE_CHECKING:
    from pathlib import Path

    from patience.grading.box.programs import Run
    from patience.grading.courses.script import Session
    from patience.grading.submissions import Submission

RESTARTS = 10  # in a session, of a program that ends at a command, or has to be stopped there
STOPS, SHORT = 2, 1  # after so many stopped runs, each later one gets SHORT seconds
MAX_STOPPED = 40  # stopped runs of a submission, after which its other sessions are not run
MAX_SILENT = 2  # the same if they have printed nothing
NOT_RUN = "Too many runs had to be stopped, so the other sessions were not run."
MAX_MORE = 2_000  # characters that an answer may have beyond twice the length of the session's longest
NO_QUESTION = "does not ask about another game"  # a slip
BEGINNING, ENTER = "before the first command", "(Enter)"
IN_LINE = re.compile(r"line \d+")
NO_INPUT = "EOFError: EOF when"
LACKS = re.compile(
    r"module 'cards' has no attribute '(\w+)'|cannot import name '(\w+)' from 'cards'"
    r"|'(?:Card|Deck|StackedDeck)' object has no attribute '(\w+)'"
)


class Ungraded(NamedTuple):
    """A submission that could not be graded."""

    student: str
    why: str


class Mark(NamedTuple):
    """The verdict on an answer."""

    kind: str
    wanted: str
    printed: str
    slips: Optional[tuple[str, ...]]  # of a right answer
    why: str = ""  # our game's message about a move that is answered wrongly
    counts: bool = True  # False if it is right on the program's own board, where the line asks for something else


def grade(assignment: Assignment, submission: Submission) -> Grade | Ungraded:
    """Return the Grade of a submission, or Ungraded if it has none through no fault of its own."""
    parts, reason, note, outline, remarks = [], submission.reason, submission.note, None, []
    try:
        file = submission.program
        if not reason and file.stat().st_size > LONGEST_PROGRAM:
            reason = f"It could not be graded: the file is larger than {LONGEST_PROGRAM >> 10} KB."
        with Runner(assignment.boxes, submission.path, assignment.sandbox) as runner:
            if not reason:
                outline = programs.outline(runner.use(assignment.files), file.name, assignment.seconds)
                remarks = remarks_on(outline) if outline else []
            if assignment.rules and not reason:
                parts += functions.grade(assignment, submission, runner)
            wrong = [functions.function_of(part) for part in parts if part.share < 1]
            if not reason:
                parts += grade_sessions(assignment, runner, file, wrong)
        for part in parts:
            part.lines += describe_own_cards(submission, "\n".join(part.errors))
    except NotStarted as error:
        reason = str(error)
    except Exception as error:  # whatever a submission causes is its own fault
        if is_own(error):
            return Ungraded(submission.student, error_text(error) or "not enough memory")
        reason = printable(f"It could not be graded: {error_text(error) or type(error).__name__}.")
    if reason:
        hidden = [session.name for session in assignment.sessions if session.is_hidden]
        parts = [Part(name, {}, weight, is_hidden=name in hidden) for name, weight in assignment.weights.items()]
    parts = [part for part in parts if part.maximum]
    return Grade(submission, parts, reason, note, remarks, time.time())


def grade_sessions(assignment: Assignment, runner: Runner, file: Path, wrong: Sequence[str]) -> Iterator[Part]:
    """Yield the Part of each session. Once too many runs had to be stopped, the other sessions are not run. file: the
    program. wrong: the functions that have lost points: the program is run a second time with ours in their place, and
    the better run counts."""
    is_told = False
    for session in assignment.sessions:
        if runner.stopped >= MAX_STOPPED or runner.silent >= MAX_SILENT:
            remarks, is_told = [NOT_RUN] * (not is_told), True
            yield Part(session.name, {}, assignment.weights[session.name], remarks=remarks, is_hidden=session.is_hidden)
            continue
        part = grade_session(assignment, runner, file, session)
        if wrong and part.share < 1:
            other = grade_session(assignment, runner, file, session, wrong)
            other.lines.append(functions.RULED.format(" and ".join(wrong)))
            part = better(part, other)
        yield part


def better(part: Part, ruled: Part) -> Part:
    """Return the better Part of a session's two runs. ruled: that with our functions. What a function of the
    submission's own prints besides stays charged, though ours does not print it."""
    known = {slip.name for slip in ruled.slips}
    ruled.slips += [slip for slip in part.slips if slip.name not in known]
    return max(part, ruled, key=lambda one: one.share)


def grade_session(
    assignment: Assignment, runner: Runner, file: Path, session: Session, ours: Sequence[str] = ()
) -> Part:
    """Return the Part of a session that is typed into a submission. file: its program. ours: the functions in whose
    place it gets ours."""
    settings = sessions.settings_of(session, file.name)
    if ours and session.rules:
        settings |= {"replaced": ours, "ours": course_of(session.rules.name).source(ours)}
    runner.use(assignment.files)

    def run(typed: bytes) -> Run:
        seconds = assignment.seconds if runner.stopped < STOPS else min(assignment.seconds, SHORT)
        return programs.run(runner, settings, typed, seconds)

    return judge_run(session, run_on(session, run), assignment.weights[session.name])


def run_on(session: Session, run: Callable[[bytes], Run]) -> Run:
    """Return the Run of a session. run: types bytes into the program. If the program ends too early at a command, or
    has to be stopped there, it is started again without that command, so it loses only that answer. This happens up to
    RESTARTS times."""
    starts, typed = 0, list(session.typed)
    whole = last = run(sessions.typed_bytes(session))
    while is_early(session, whole, last, typed):
        whole, starts = without_end(whole), starts + 1
        if starts > RESTARTS:
            break
        failed = len(last.pieces) - 1  # the answer at which it ended, and the line that was typed before it
        del typed[failed - 1]
        last = run(sessions.typed_bytes(session._replace(typed=typed)))
        whole = whole._replace(pieces=whole.pieces + last.pieces[failed:])
    return whole


def without_end(whole: Run) -> Run:
    """Return a Run in which the last line is left out, because the program ended there."""
    ended = len(whole.pieces) - 1
    ended_at = ended if whole.ended_at is None else whole.ended_at
    return whole._replace(ended_at=ended_at, left_out=whole.left_out | {ended})


def is_early(session: Session, whole: Run, last: Run, typed: list[str]) -> bool:
    """Return True if a program ended at a command after which it should continue. whole: the session's answers so far.
    last: the Run of the lines in typed."""
    if not 1 < len(last.pieces) <= len(typed) or len(whole.pieces) >= len(session.kinds):
        return False
    return last.ending != Ending.DONE or session.kinds[len(whole.pieces) - 1] not in other_program.MAY_END


def judge_run(session: Session, run: Run, maximum: float) -> Part:
    """Return the Part of a Run of a session."""
    pieces, whole = run.pieces, "".join(run.pieces)
    if whole == "".join(session.answers):  # right, no matter where it asked for lines
        pieces = session.answers
    elif not any(pieces[1:-1]):  # it reads everything before it answers, or reads in a way that cannot be marked
        pieces = answers.split_at_prompts(whole, session.prompts)
    pieces = [cut(session, piece) for piece in pieces]
    asked = with_question(session, pieces)
    marks, lines, is_lost = judge(session, asked, run.left_out)
    wrong = [number for number, mark in enumerate(marks) if mark.slips is None and mark.counts]
    part = Part(session.name, kinds_of(marks), maximum)
    part.is_hidden = session.is_hidden
    part.unjudged = "".join(lines[:1]) if is_lost else ""
    for name in dict.fromkeys(chain(*(mark.slips or () for mark in marks))):
        numbers = [number for number, mark in enumerate(marks) if name in (mark.slips or ())]
        kinds = {marks[number].kind for number in numbers}
        part.slips.append(Slip(name, difference(session, marks, numbers[0]), kinds))
    number = len(pieces) - 1
    if asked != pieces and session.kinds[number + 1] == other_program.END:
        marks[number] = marks[number]._replace(printed=pieces[number])
        part.slips.append(Slip(NO_QUESTION, difference(session, marks, number), {other_program.END}))
    if wrong:
        part.difference = difference(session, marks, wrong[0])
        part.lines = [*filter(None, [marks[wrong[0]].why]), *lines]
        part.game = "" if session.is_hidden else game_before(session, wrong[0])
        if note := session.notes.get(wrong[0] - 1):
            part.lines.append(f"Note: {printable(note)}")
    tell_end(session, run, part, pieces)
    return part


def game_before(session: Session, number: int) -> str:
    """Return the game in which the answer with this number, from 0, is a move or a refused one, as a saved game that
    ends before it; or "" if it is something else, or no game's first line deals it."""
    kinds = session.kinds[:number]
    if session.kinds[number] not in (other_program.MOVE, other_program.REFUSED) or other_program.AGAIN in kinds:
        return ""
    with preserve_random_state():
        game = Game(session.deal)
        for kind, line in zip(kinds[1:], session.typed):
            if kind in (other_program.MOVE, other_program.SHUFFLE):
                game.perform(read(game.rules, line))
        return "\n".join([f"# {game.deal.again(keeps_cards=True)}", *game.list_lines(), ""])


def cut(session: Session, piece: str) -> str:
    """Return the beginning of what a program printed as an answer: nothing longer is compared with a right one."""
    return piece[: 2 * max(map(len, session.answers)) + MAX_MORE]


def kinds_of(marks: list[Mark]) -> dict[str, tuple[float, float]]:
    """Return the kinds of these answers: kind -> (how many are right, how many there are). Answers that do not count
    are left out, up to half of a kind, so that leaving the session's board earns nothing."""
    kinds, all_of = count((mark.kind, mark.slips is not None, mark.counts) for mark in marks), Counter()
    all_of.update(mark.kind for mark in marks)
    return {kind: (right, max(of, -(-all_of[kind] // 2))) for kind, (right, of) in kinds.items()}


def tell_end(session: Session, run: Run, part: Part, pieces: list[str]) -> None:
    """Add to a Part how the program ended, and at which line."""
    part.remarks, part.errors = run.remarks, [*map(printable, run.errors.splitlines())]
    if session.is_hidden:  # anything the program chose could reveal everything that was typed
        part.remarks = [re.sub(r": .*", ".", re.sub("with exit status .*", "too soon.", one)) for one in run.remarks]
    if NO_INPUT in run.errors and part.difference:  # this error follows from the mistake
        part.remarks = [remark for remark in part.remarks if "exit status" not in remark and "too soon" not in remark]
        part.errors = []
    elif NO_INPUT in run.errors:
        shown = printable(next(filter(None, pieces[::-1]), "").split("\n")[0])
        part.lines.append(f'After "{shown}" {(IN_LINE.findall(run.errors) or ["a line"])[-1]} calls input() again.')
    if run.remarks and len(pieces) > 1 and session.typed:
        number = min(len(pieces) - 1, len(session.typed)) if run.ended_at is None else run.ended_at
        part.lines.append(f"Last line typed: {printable(session.typed[number - 1]) or ENTER}")


def with_question(session: Session, pieces: list[str]) -> list[str]:
    """Return a program's answers. If the program ends instead of asking for another game, its answers are returned as
    if it had asked, so that the win before the question and the end after it are not wrong."""
    number = len(pieces) - 1
    again = session.deal.rules.AGAIN if session.rules else ""
    if not again or not 0 < number < len(session.answers) - 1 or not session.answers[number].endswith(again):
        return pieces
    lines = pieces[number].splitlines(keepends=True)
    end = lines.pop() if lines and answers.is_like(session.answers[-1].strip(), lines[-1].strip(), ()) else ""
    return [*pieces[:number], "".join(lines) + again, end]


def judge(session: Session, pieces: list[str], left_out: frozenset[int]) -> tuple[list[Mark], list[str], bool]:
    """Return a Mark for each answer of a session, notes on how it was judged, and whether the program's board was no
    longer known. pieces: the program's answers. left_out: as in Run."""
    if pieces[: len(session.answers)] == session.answers and not left_out:
        return [Mark(*answer, ()) for answer in zip(session.kinds, session.answers, pieces)], [], False
    texts = [answers.words_of(answers.without_board(answer)) for answer in session.answers]
    messages = {text: kind for kind, some in zip(session.kinds, texts) for text in some}
    marks: list[Mark] = []
    with preserve_random_state():
        ours = reference_for(session)
        for number, printed in zip(range(len(session.answers)), chain(pieces, repeat(""))):
            is_right = all(mark.slips is not None for mark in marks)
            marks.append(mark_answer(session, ours, number, printed, messages, is_right, number in left_out))
            if number in left_out:
                ours.leave_out()
            else:
                ours.follow(printed)
        return marks, ours.notes(), not ours.is_known


def mark_answer(
    session: Session,
    ours: other_program.OtherProgram,
    number: int,
    printed: str,
    messages: dict[str, str],
    is_right: bool,
    has_ended: bool,
) -> Mark:
    """Return the Mark of the answer with this number, from 0. ours: our game, into which its line is typed. messages:
    the session's messages -> the kind of answer they belong to. is_right: all answers before it were right. has_ended:
    the program ended there, so that no answer is right."""
    kind, wanted, line = session.kinds[number], session.answers[number], session.typed[number - 1] if number else None
    others = [text for text, where in messages.items() if where != kind]
    others += [text for text in map(tidy, ours.messages) if text not in answers.words_of(wanted)]
    slips = None
    for right in ours.right_answers(kind, wanted, line, printed, is_right):
        found = compare(right, printed, session.prompts, others, ours.is_same_board)
        slips = found if slips is None or found == () else slips
        if slips == ():
            break
    if has_ended:
        slips = None
    if slips is not None or not printed:
        return Mark(kind, wanted, printed, slips)
    elsewhere = ours.right_elsewhere(kind)
    is_elsewhere = elsewhere and compare(elsewhere, printed, session.prompts, [], ours.is_same_board) is not None
    counts = has_ended or not is_elsewhere
    return Mark(kind, wanted, printed, None, ours.why(printed), counts)


def compare(
    right: other_program.Right,
    printed: str,
    prompts: list[str],
    others: list[str],
    is_same: Callable[[str, str], bool],
) -> tuple[str, ...] | None:
    """Return the slips in an answer, or None if it does not match this right answer, as answers.compare does."""
    if not right.repeated:
        return answers.compare(right.text, printed, prompts, right.shows_board, others, is_same)
    if not is_same(printed, right.repeated):
        return None
    rest = answers.without_board(printed)  # after the repeated board
    slips = answers.compare(right.text, rest, prompts, right.shows_board, others, is_same)
    return None if slips is None else (*slips, answers.LINES)


def difference(session: Session, marks: list[Mark], number: int) -> Difference:
    """Return the Difference between the answer with this number, from 0, and the right one."""
    where = f"command {number}, typed: {printable(session.typed[number - 1]) or ENTER}" if number else BEGINNING
    return Difference(where, marks[number].wanted, marks[number].printed)


def describe_own_cards(submission: Submission, errors: str) -> list[str]:
    """Return a sentence if an error names something that only a submission's own cards.py may have."""
    own = submission.path / "cards.py"
    lacked = LACKS.search(errors)
    if not lacked or not own.is_file():
        return []
    return [f"Your own cards.py was replaced by the course's, which has no {next(filter(None, lacked.groups()))}."]
