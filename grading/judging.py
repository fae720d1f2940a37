"""One submission: what each session and each function comes to."""

import re
from collections import namedtuple

from grading import answers, functions, mirror, programs, sessions
from grading.boxes import LONGEST_PROGRAM, beginning, box, frame_files, is_own
from grading.reports import Grade, Part
from patience.text import card_text
from patience.text import error_text, printable

NO_MOVE = "No move came out right in any session, so moves, what is refused, and the end have no points."
WRONG = 0.5  # of the share of a function that is not right
MAX_FAILED = 16  # checks that a feedback names
NO_PROGRAM = "Your file has no program of its own: its functions are played by the assignment's main()."
DEFINED = re.compile(rb"^def (\w+)", re.MULTILINE)
IN_LINE = re.compile(r"line \d+")
LACKS = re.compile(
    r"module 'cards' has no attribute '(\w+)'|cannot import name '(\w+)' from 'cards'"
    r"|'(?:Card|Deck|StackedDeck)' object has no attribute '(\w+)'"
)
# A submission that could not be graded, and why.
Ungraded = namedtuple("Ungraded", "student why")


def graded(assignment, one):
    """Return the Grade of a submission, or Ungraded if it is not its fault that there is none."""
    programs.end_with_worker()
    parts, reason, note = [], one.reason, ""
    try:
        file = one.path / one.file if one.file and one.path.is_dir() else one.path
        reason = reason or why_not_started(assignment, one, file)
        if not assignment.module and not reason and is_only_functions(beginning(file)):
            assignment, note = assignment._replace(module=True), NO_PROGRAM * bool(assignment.sessions)
        parts += [played(assignment, one, file, session) for session in assignment.sessions if not reason]
        parts += [called(assignment, one)] if assignment.checks and not reason else []
    except Exception as error:  # whatever a submission brings about is its own
        if is_own(error):
            return Ungraded(one.student, error_text(error) or "not enough memory")
        reason = printable(f"It cannot be graded: {error_text(error) or type(error).__name__}.")
    weigh_by_moves(parts)
    if reason:
        parts = [Part(name, {}, weight) for name, weight in assignment.weights.items()]
    return Grade(one.student, parts, assignment.penalty, reason, note)


def is_only_functions(code):
    """Return True if a file has the six functions of the assignment, and no program that asks for input."""
    return set(functions.NAMES) <= set(DEFINED.findall(code)) and b"input(" not in code


def weigh_by_moves(parts):
    """Let refused moves count at most as much as moves. Who has made no move at all has none of BESIDE_MOVES."""
    moves, can_shuffle = map(right_share, map(Grade("", parts).kinds.get, (mirror.MOVE, mirror.SHUFFLE)))
    if moves is None:
        return
    made = any(part.made for part in parts) or moves == 1 and can_shuffle  # on its own boards perhaps none can be made
    for part in parts:
        for kind, counts in list(part.kinds.items()):
            if not made and kind in (mirror.MOVE, *mirror.BESIDE_MOVES):
                part.shares[kind] = 0.0
                part.kinds[kind] = (0 if kind == mirror.MOVE else counts[0]), counts[1]
                part.told[:0] = [NO_MOVE] if NO_MOVE not in part.told else []
            elif kind == mirror.REFUSED:
                part.shares[kind] = min(moves, right_share(counts))


def played(assignment, one, file, session):
    """Return the Part of a session that is typed into a submission. file: its program."""
    files = {"cards.py": assignment.cards}
    if assignment.module:
        files = frame_files(session.game or file.stem, file, assignment.cards)
    program, arguments = ("main.py", session.arguments) if assignment.module else (file.name, [])
    settings, typed = sessions.settings_of(session, program, arguments), sessions.typed_bytes(session)
    with box(assignment.boxes, one.path, files) as path:
        run = programs.run(path, settings, typed, assignment.seconds, assignment.sandbox)
    printed = run.printed.decode("utf-8", "replace")
    printed, prompt = answers.with_right_prompts(printed, session.prompts, len(session.typed))
    found = answers.answers_in(printed, session.prompts, len(session.typed))
    marks, own_board = answers.marks(session, found, assignment.blanks)
    moves = [mark for mark in marks if mark.kind == mirror.MOVE]
    if not any(mark.shown for mark in moves) and not all(mark.right for mark in moves):  # it refuses whatever comes
        marks = [mark._replace(right=0) if mark.kind == mirror.MOVE else mark for mark in marks]
    wrong = [number for number, mark in enumerate(marks) if not mark.right]
    wrong = wrong or [number for number, mark in enumerate(marks) if mark.slip == answers.SLIP_OF_BOARD]
    told = []
    if wrong:
        first = wrong[0] if not marks[0].kind else max(0, wrong[0] - 1)
        told = answers.difference(session, found, first, assignment.blanks) + [own_board] * bool(own_board)
    if run.remarks:
        last = answers.typed_last(session.prompts, session.typed, printed)
        told.append(f"Typed last: {printable(last) or answers.NOTHING}")
    told += wrong_prompt(*prompt) if prompt else []
    told += asked_again(session, run) + replaced(one, run.errors)
    counts = rubric((mark.kind, mark.right) for mark in marks)
    return Part(
        session.name,
        counts,
        assignment.weights[session.name],
        {},
        sum(mark.shown for mark in marks if mark.kind == mirror.MOVE),
        list(dict.fromkeys([*(mark.slip for mark in marks if mark.slip), *[answers.SLIP_OF_PROMPT] * bool(prompt)])),
        run.remarks,
        told,
        [*map(printable, run.errors.splitlines())],
    )


def wrong_prompt(printed, right):
    """Return lines that show where a prompt is not right."""
    line, wanted = next(pair for pair in zip(printed.split("\n"), right.split("\n")) if pair[0] != pair[1])
    return [f"Your prompt:  {printable(line)}", f"It should be: {wanted}"]


def asked_again(session, run):
    """Return a line if a program asks for input after the last command."""
    if "EOFError: EOF when" not in run.errors:
        return []
    found = answers.answers_in(run.printed.decode("utf-8", "replace"), session.prompts, len(run.printed))
    shown = [line for answer in found for line in answer.split("\n")[:1] if line]
    line = (IN_LINE.findall(run.errors) or ["a line"])[-1]
    return [printable(f'After "{shown[-1] if shown else ""}" {line} calls input() again.')]


def replaced(one, errors):
    """Return a line if an error names what only a submission's own cards.py may have."""
    own = one.path / "cards.py"
    lacked = LACKS.search(errors)
    if not lacked or not own.is_file():
        return []
    return [f"Your own cards.py was replaced by the course's, which has no {next(filter(None, lacked.groups()))}."]


def rubric(pairs):
    """Return what came of each kind, from (kind, whether it is right) pairs: kind -> (right, count)."""
    counts = {}
    for kind, right in pairs:
        before = counts.get(kind, (0, 0))
        counts[kind] = before[0] + right, before[1] + 1
    return counts


def right_share(counts):
    """Return the share that is right, or None if there is none."""
    return counts[0] / counts[1] if counts else None


def called(assignment, one):
    """Return the Part of a submission's functions."""
    checks = [  # all but what is right
        {"function": one.function, "board": one.board, "arguments": one.arguments, "seed": one.seed}
        for one in assignment.checks
    ]
    settings = {"file": one.file, "seed": None, "deck": None, "checks": checks}
    with box(assignment.boxes, one.path, {"cards.py": assignment.cards}) as path:
        found = programs.call(path, settings, assignment.seconds, assignment.sandbox)
    wrong = [
        (check, why)
        for check, answer in zip(assignment.checks, found)
        if (why := judged(check, answer, assignment.seconds))
    ]
    failures = [lines_of(check, why.splitlines()[-1]) for check, why in wrong[:MAX_FAILED]]
    told = [printable(line) for lines in failures for line in lines]
    told += [f"... and {len(wrong) - MAX_FAILED} more."] if len(wrong) > MAX_FAILED else []
    if len(wrong) == len(assignment.checks) and len({why for _, why in wrong}) == 1:
        told = [printable(f"all of them: {wrong[0][1].splitlines()[-1]}")]
    errors = next((why.replace("\nfails: ", "\n").splitlines() for _, why in wrong if "\n" in why), [])
    told += replaced(one, "\n".join(errors))
    failed = [check for check, _ in wrong]
    outcomes = {}  # name of a function -> [(whether it must refuse, whether it is right)]
    for check in assignment.checks:
        outcomes.setdefault(f"{check.function}()", []).append((functions.refuses(check), check not in failed))
    return Part(
        "functions",
        rubric((name, right) for name, pairs in outcomes.items() for _, right in pairs),
        assignment.weights["functions"],
        {name: share_of(pairs) for name, pairs in outcomes.items()},
        told=told,
        errors=[*map(printable, errors)],
    )


def share_of(pairs):
    """Return the share of a function, from (whether it must refuse, whether it is right) pairs: the smaller of its two
    sides, and half of that if anything is wrong, for one wrong rule is a wrong function."""
    share = min(map(right_share, rubric(pairs).values()))
    return share if share == 1 else share * WRONG


def judged(check, answer, seconds):
    """Return "" if an answer is right, or what is wrong, a phrase."""
    if "late" in answer:
        what = "" if answer["late"] else "fails: loading the file "
        return f"{what}does not end within {seconds:g} s"
    if "error" in answer:
        *before, last = str(answer["error"]).strip().splitlines() or ["it says nothing of it"]
        return "\n".join([*before, f"fails: {last}"])
    try:
        return check.right(answer)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return "leaves no tableau: a list of lists of cards"


def lines_of(check, why):
    """Return lines for a check that failed: the call, what it does, what is right, and the row that decides."""
    words = ["tableau"] * bool(check.board) + [str(number) for number in check.arguments]
    lines = [f"{check.function}({', '.join(words)}) {why}: {check.reason or check.sentence}"]
    if check.row is not None:
        lines.append(f"  tableau[{check.row}]: {' '.join(map(card_text, check.board[check.row]))}")
    return lines


def why_not_started(assignment, one, file):
    """Return why Python does not even begin with a program, a sentence, or "". The box finds it out: compiling can take
    any time and memory."""
    if file.stat().st_size > LONGEST_PROGRAM:
        return f"It cannot be graded: the file is larger than {LONGEST_PROGRAM >> 10} KB."
    settings = {"file": file.name, "arguments": [], "seed": None, "deck": None, "starts": True}
    with box(assignment.boxes, one.path, {}) as path:
        run = programs.run(path, settings, b"", assignment.seconds, assignment.sandbox)
    lines = run.printed.decode("utf-8", "replace").splitlines()
    return printable(lines[0]) if lines else ""
