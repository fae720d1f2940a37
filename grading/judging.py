"""One submission: what each session and the functions come to."""

from __future__ import annotations

import re
from collections import namedtuple
from typing import TYPE_CHECKING

import montana
from grading import answers, functions, mirror, programs, sessions
from grading.boxes import LONGEST_PROGRAM, box, frame_files, is_own, read_beginning
from grading.reports import Difference, Grade, Part, Slip, count
from patience.consoles import ASSIGNMENT_AGAIN
from patience.consoles.script import capture_display
from patience.text import error_text, printable, tidy
from solvers.positions import preserve_random_state

if TYPE_CHECKING:
    from pathlib import Path

    from grading.command import Assignment
    from grading.programs import Run
    from grading.sessions import Session
    from grading.submissions import Submission
    from patience.game import Game

NO_PROGRAM = "Your file has no program of its own: its functions are played by the assignment's main()."
OWN_BOARD = "After the first mistake your program's own board decides what is right."
UNREADABLE = "No board can be read in what your program prints, so only the session's own answers are right."
# What the assignment's main() prints, for montana_main.py.
TEXTS = [montana.TITLE, montana.PROMPT, ASSIGNMENT_AGAIN, montana.INVALID_INPUT]
TEXTS += [montana.OUT_OF_RANGE, montana.INVALID_MOVE, montana.NO_SHUFFLES]
MAX_MORE = 2_000  # letters that an answer may have more than the session's longest, twice
# What no other answer may have.
ALWAYS = [*map(tidy, (*mirror.FIXED, montana.INVALID_MOVE, answers.WON))]
BEGINNING, ENTER = "before the first command", "(Enter)"
DEFINED = re.compile(rb"^def (\w+)", re.MULTILINE)
ASKS = re.compile(rb"\binput\s*\(|\bstdin\b|__name__|^def main", re.MULTILINE)  # a program of its own
IN_LINE = re.compile(r"line \d+")
TEXT_STARTS = re.compile(rb"\"\"\"|'''|[\"'#]")  # of a string, or a comment
TEXT_ENDS = {
    **{quote: re.compile(rb"\\.|" + quote, re.DOTALL) for quote in (b'"""', b"'''")},
    **{quote: re.compile(rb"\\.|\n|" + quote, re.DOTALL) for quote in (b'"', b"'")},
    b"#": re.compile(rb"\n"),
}
NO_INPUT = "EOFError: EOF when"
LACKS = re.compile(
    r"module 'cards' has no attribute '(\w+)'|cannot import name '(\w+)' from 'cards'"
    r"|'(?:Card|Deck|StackedDeck)' object has no attribute '(\w+)'"
)
# A submission that could not be graded, and why.
Ungraded = namedtuple("Ungraded", "student why")
# What an answer came to. slips: of one that is right, or None.
Mark = namedtuple("Mark", "kind wanted printed slips")


def grade(assignment: Assignment, submission: Submission) -> Grade | Ungraded:
    """Return the Grade of a submission, or Ungraded if it is not its fault that there is none."""
    parts, reason, note = [], submission.reason, ""
    try:
        path = submission.path
        file = path / submission.file if submission.file and path.is_dir() else path
        if not reason and file.stat().st_size > LONGEST_PROGRAM:
            reason = f"It cannot be graded: the file is larger than {LONGEST_PROGRAM >> 10} KB."
        if not assignment.module and not reason and is_only_functions(read_beginning(file)):
            assignment, note = assignment._replace(module=True), NO_PROGRAM * bool(assignment.sessions)
        if assignment.calls and not reason:
            parts.append(functions.grade(assignment, submission))
        parts += [grade_session(assignment, submission, file, one) for one in assignment.sessions if not reason]
        for part in parts:
            part.lines += describe_own_cards(submission, "\n".join(part.errors))
    except programs.NotStarted as error:
        reason = str(error)
    except Exception as error:  # whatever a submission brings about is its own
        if is_own(error):
            return Ungraded(submission.student, error_text(error) or "not enough memory")
        reason = printable(f"It cannot be graded: {error_text(error) or type(error).__name__}.")
    if reason:
        hidden = [session.name for session in assignment.sessions if session.is_hidden]
        parts = [Part(name, {}, weight, is_hidden=name in hidden) for name, weight in assignment.weights.items()]
    return Grade(submission.student, parts, assignment.penalty, reason, note, submission.id, submission.is_late)


def is_only_functions(code: bytes) -> bool:
    """Return True if a file has the six functions of the assignment, and no program that asks for input."""
    code = without_strings(code)
    return set(functions.MONTANA) <= {name.decode() for name in DEFINED.findall(code)} and not ASKS.search(code)


def without_strings(code: bytes) -> bytes:
    """Return the bytes of a program without its comments, and with empty strings. Python's own tokenizer can take hours
    for a line of quotation marks."""
    kept, place = [], 0
    while start := TEXT_STARTS.search(code, place):
        kept.append(code[place : start.start()])
        place = start.end()
        while end := TEXT_ENDS[start[0]].search(code, place):
            place = end.end()
            if not end[0].startswith(b"\\"):
                break
        else:
            place = len(code)
        kept.append(b"\n" if start[0] == b"#" else b'""')
    return b"".join([*kept, code[place:]])


def grade_session(assignment: Assignment, submission: Submission, file: Path, session: Session) -> Part:
    """Return the Part of a session that is typed into a submission. file: its program."""
    files = {"cards.py": assignment.cards}
    if assignment.module:
        files = frame_files(session.rules.name if session.rules else file.stem, file, assignment.cards)
    program, arguments = ("main.py", session.arguments) if assignment.module else (file.name, [])
    if assignment.module and "patience" not in files:
        arguments = TEXTS
    settings, typed = sessions.settings_of(session, program, arguments), sessions.typed_bytes(session)
    with box(assignment.boxes, submission.path, files) as path:
        run = programs.run(path, settings, typed, assignment.seconds, assignment.sandbox)
    return judge_run(session, run, assignment.weights[session.name], assignment.blanks)


def judge_run(session: Session, run: Run, maximum: float, blanks: str = "once") -> Part:
    """Return the Part of a session for a program that was run."""
    pieces = run.pieces
    if len(pieces) == 1:  # it asks in a way that cannot be marked, or not at all
        pieces = answers.split_at_prompts(pieces[0], session.prompts)
    longest = 2 * max(map(len, session.answers)) + MAX_MORE
    pieces = [piece[:longest] for piece in pieces]
    marks, lines = judge(session, pieces, blanks)
    wrong = [number for number, mark in enumerate(marks) if mark.slips is None]
    part = Part(session.name, count((mark.kind, mark.slips is not None, 1) for mark in marks), maximum)
    part.is_hidden = session.is_hidden
    for number, mark in enumerate(marks):
        for name in mark.slips or ():
            if name not in [slip.name for slip in part.slips]:
                part.slips.append(Slip(name, difference(session, marks, number)))
    part.remarks, part.errors = run.remarks, [*map(printable, run.errors.splitlines())]
    if wrong:
        part.difference = difference(session, marks, wrong[0])
        part.lines = lines
        if note := session.notes.get(wrong[0] - 1):
            part.lines.append(f"Note: {printable(note)}")
    if NO_INPUT in run.errors and wrong:  # that follows from the mistake
        part.remarks = [remark for remark in run.remarks if "exit status" not in remark]
        part.errors = []
    elif NO_INPUT in run.errors:
        shown = printable(next(filter(None, pieces[::-1]), "").split("\n")[0])
        part.lines.append(f'After "{shown}" {(IN_LINE.findall(run.errors) or ["a line"])[-1]} calls input() again.')
    if run.remarks and len(pieces) > 1 and session.typed:
        typed = session.typed[min(len(pieces) - 1, len(session.typed)) - 1]
        part.lines.append(f"Typed last: {printable(typed) or ENTER}")
    return part


def judge(session: Session, pieces: list[str], blanks: str = "once") -> tuple[list[Mark], list[str]]:
    """Return a Mark for each answer of a session, and lines on how it was judged. pieces: the answers of a program."""
    if pieces[: len(session.answers)] == session.answers:
        return [Mark(*answer, ()) for answer in zip(session.kinds, session.answers, pieces)], []
    pieces = [*pieces, *[""] * len(session.answers)]
    if not session.rules:
        return [
            Mark("", wanted, printed, answers.compare(wanted, printed, session.prompts, blanks, False))
            for wanted, printed in zip(session.answers, pieces)
        ], []
    marks, messages = [], {}  # messages: a line that is no row of a board -> the kind of its answer
    for kind, text in zip(session.kinds, session.answers):
        messages |= dict.fromkeys(answers.words_of(answers.without_board(text)), kind)
    with preserve_random_state():
        ours = mirror.Mirror(session)
        for number, (kind, wanted, printed) in enumerate(zip(session.kinds, session.answers, pieces)):
            before, is_own = ours.play.game.snapshot(), ours.is_own and ours.is_known
            line = session.typed[number - 1] if number else ""
            own_kind, own = ours.answer(line) if number else (kind, wanted)
            others = [text for text, where in messages.items() if where != kind]
            others += [text for text in ALWAYS if text not in answers.words_of(wanted)]

            def compare(text: str, kind: str) -> tuple[str, ...] | None:
                shows_board = kind in mirror.SHOW_A_BOARD
                return answers.compare(text, printed, session.prompts, blanks, shows_board, others)

            slips = compare(wanted, kind)
            is_by_chance = all(mark.slips is not None for mark in marks)  # the board differs by a shuffle alone
            if slips is None and is_own and (kind == own_kind or is_by_chance):
                slips = compare(own, own_kind)
            if slips is None and (board := read_other_board(session, kind, own_kind, before, line, printed)):
                slips = answers.compare(board + session.prompts[0], printed, session.prompts, blanks)
            if slips is None and kind not in mirror.SHOW_A_BOARD and kind == own_kind:
                shown = capture_display(session.rules.display, before.position)
                if answers.is_same_board(printed, shown):  # the board once more
                    printed = answers.without_board(printed)
                    slips = compare(own, own_kind)
                    slips = slips if slips is None else (*slips, answers.LINES)
            marks.append(Mark(kind, wanted, printed, slips))
            if printed and ours.is_known and not answers.is_same_board(printed, own):
                ours.follow(printed, before, session.prompts[-1])
        return marks, [OWN_BOARD if ours.is_known else UNREADABLE] * ours.is_own


def read_other_board(session: Session, kind: str, own_kind: str, before: Game, line: str, printed: str) -> str | None:
    """Return the text of a board that is as right as ours: any legal shuffle, or a 2 beside a hidden ace; or None."""
    if not session.rules or session.rules.name != "montana":
        return None
    if kind == mirror.SHUFFLE:
        return mirror.read_shuffle(printed, before.position)
    return mirror.goes_beside_ace(before.position, line) if kind == own_kind == mirror.REFUSED else None


def difference(session: Session, marks: list[Mark], number: int) -> Difference:
    """Return the Difference of the answer with this number, from 0, from what is right."""
    where = f"command {number}, typed: {printable(session.typed[number - 1]) or ENTER}" if number else BEGINNING
    return Difference(where, marks[number].wanted, marks[number].printed)


def describe_own_cards(submission: Submission, errors: str) -> list[str]:
    """Return a line if an error names what only a submission's own cards.py may have."""
    own = submission.path / "cards.py"
    lacked = LACKS.search(errors)
    if not lacked or not own.is_file():
        return []
    return [f"Your own cards.py was replaced by the course's, which has no {next(filter(None, lacked.groups()))}."]
