"""One submission: what each session and each function comes to."""

import warnings

from grading import functions, mirror, programs, sessions
from grading.reports import Grade, Part
from patience.game.text import error_text, printable

NO_MOVE = "It makes no move, so its moves, what it refuses, and the end have no points."
MOST_FAILED = 20  # checks that a feedback names
LONGEST_PROGRAM = 1 << 20  # bytes that are looked at before it runs


def graded(assignment, one):
    """Return the Grade of a submission."""
    programs.end_with_worker()
    parts, reason = [], one.reason or why_not_started(one.path / one.file if one.path.is_dir() else one.path)
    try:
        parts += [played(assignment, one, session) for session in assignment.sessions if not reason]
        parts += [called(assignment, one)] if assignment.checks and not reason else []
    except Exception as error:  # whatever a submission brings about is its own
        reason = printable(f"It cannot be graded: {error_text(error) or type(error).__name__}.")
    weigh_by_moves(parts)
    if reason:
        parts = [Part(name, {}, weight) for name, weight in assignment.weights.items()]
    return Grade(one.student, parts, assignment.penalty, reason)


def weigh_by_moves(parts):
    """Let refused moves count at most as much as moves. Who has made no move at all has none of BESIDE_MOVES."""
    moves = right_share(Grade("", parts).kinds.get(mirror.MOVE))
    if moves is None:
        return
    made = any(part.made for part in parts)
    for part in parts:
        for kind, counts in list(part.kinds.items()):
            if not made and kind in (mirror.MOVE, *mirror.BESIDE_MOVES):
                part.shares[kind] = 0.0
                part.kinds[kind] = (0 if kind == mirror.MOVE else counts[0]), counts[1]
                part.told[:0] = [NO_MOVE] if NO_MOVE not in part.told else []
            elif kind == mirror.REFUSED:
                part.shares[kind] = min(moves, right_share(counts))


def played(assignment, one, session):
    """Return the Part of a session that is typed into a submission."""
    files, file = {"cards.py": assignment.cards}, one.file
    if assignment.module:
        source = one.path / one.file if one.path.is_dir() else one.path
        files, file = programs.frame_files(session.game or source.stem, source, assignment.cards), "main.py"
    settings = {
        "file": file,
        "arguments": session.arguments if assignment.module else [],
        "seed": session.seed,
        "deck": session.deck,
    }
    typed = "".join(f"{line}\n" for line in session.typed).encode()
    with programs.box(assignment.boxes, one.path, files) as path:
        run = programs.run(path, settings, typed, assignment.seconds, assignment.sandbox)
    printed = run.printed.decode("utf-8", "replace")
    found = sessions.answers_in(printed, session.prompts, len(session.typed))
    marks, own_board = sessions.marks(session, found, assignment.blanks)
    wrong = [number for number, mark in enumerate(marks) if not mark.right]
    told = []
    if wrong:
        first = wrong[0] if not marks[0].kind else max(0, wrong[0] - 1)
        told = sessions.difference(session, found, first, assignment.blanks) + [own_board] * bool(own_board)
    if run.remarks:
        last = sessions.typed_last(session.prompts, session.typed, printed)
        told.append(f"Typed last: {printable(last) or sessions.NOTHING}")
    if "EOFError: EOF when" in run.errors:
        told.append("It asks for input after the last command.")
    counts = rubric((mark.kind, mark.right) for mark in marks)
    return Part(
        session.name,
        counts,
        assignment.weights[session.name],
        {},
        sum(mark.shown for mark in marks if mark.kind == mirror.MOVE),
        list(dict.fromkeys(mark.slip for mark in marks if mark.slip)),
        run.remarks,
        told,
        [*map(printable, run.errors.splitlines())],
    )


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
    settings = {"file": one.file, "seed": None, "deck": None, "checks": [*map(functions.to_call, assignment.checks)]}
    with programs.box(assignment.boxes, one.path, {"cards.py": assignment.cards}) as path:
        answers = programs.call(path, settings, assignment.seconds, assignment.sandbox)
    wrong = [
        (check, why)
        for check, answer in zip(assignment.checks, answers)
        if (why := functions.judged(check, answer, assignment.seconds))
    ]
    told = [printable(f"{check.sentence}: {why.splitlines()[-1]}") for check, why in wrong[:MOST_FAILED]]
    told += [f"... and {len(wrong) - MOST_FAILED} more."] if len(wrong) > MOST_FAILED else []
    if len(wrong) == len(assignment.checks) and len({why for _, why in wrong}) == 1:
        told = [printable(f"all of them: {wrong[0][1].splitlines()[-1]}")]
    errors = next((why.splitlines() for _, why in wrong if "\n" in why), [])
    failed = [check for check, _ in wrong]
    outcomes = {}  # name of a function -> [(whether it must refuse, whether it is right)]
    for check in assignment.checks:
        outcomes.setdefault(f"{check.function}()", []).append((functions.refuses(check), check not in failed))
    return Part(
        "functions",
        rubric((name, right) for name, pairs in outcomes.items() for _, right in pairs),
        assignment.weights["functions"],
        {name: min(map(right_share, rubric(pairs).values())) for name, pairs in outcomes.items()},
        told=told,
        errors=[*map(printable, errors)],
    )


def why_not_started(path):
    """Return why Python does not even begin with a program, a sentence, or ""."""
    if not path.is_file() or path.stat().st_size > LONGEST_PROGRAM:
        return ""
    code = path.read_bytes()
    if not code.strip():
        return "The file is empty."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, path.name, "exec")
    except SyntaxError as error:
        what = "a ':' is missing" if error.msg == "expected ':'" else error.msg
        where = f"line {error.lineno}, " if error.lineno else ""
        return f"Your program does not start: {where}{what}."
    except (ValueError, RecursionError, MemoryError) as error:
        return f"Your program does not start: {error}."
    return ""
