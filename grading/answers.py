"""Answers: what a program prints between two prompts, compared with what a session has there."""

import difflib
import functools
import re
from collections import namedtuple
from itertools import zip_longest

from grading import mirror
from patience.text import printable

BLANKS = str.maketrans(" \t\r\n", "·→␍⏎")
NEWLINE = "\n"
NOTHING, ENTER = "(nothing)", "(Enter)"
MAX_EXTRA = 2  # lines of an answer that are too many, if that is all that is wrong in it
# What is not as it should be in an answer that is right.
SLIP_OF_BLANKS, SLIP_OF_LINES, SLIP_OF_BOARD = "blanks", "additional lines", "the right board, shown in another way"
SLIP_OF_PROMPT = "the text of a prompt"
ALIKE = 0.9  # how much a prompt must be like the right one to be taken for it
MAX_LETTERS = 3  # that it may be longer or shorter
MAX_PLACES = 1_000  # that are looked at for such a one
WON = "You won!"
OWN_BOARD = "After the first mistake your program's own board decides what is right."
UNREADABLE = "No board can be read in what your program prints, so only the session's own answers are right."


@functools.lru_cache
def pattern_of(prompts):
    """Return the pattern of some prompts, a tuple. Their blanks may be others."""
    patterns = [
        r"\s+".join(map(re.escape, prompt.split())) + "[ \t]{0,%d}" % (len(prompt) - len(prompt.rstrip()))
        for prompt in prompts
        if prompt.strip()
    ]
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)))


def prompts_in(text, prompts):
    """Return where in a program's output a prompt ends. Its blanks may be others: they count with the answer."""
    return [match.end() for match in pattern_of(tuple(prompts)).finditer(text)]


def with_right_prompts(text, prompts, count):
    """Return a program's output with prompts that are nearly right put right, and the first (printed, right);
    or the output as it is and None, if it has as many prompts as lines were typed, or none that is nearly so."""
    ends, pieces, done, first = prompts_in(text, prompts), [], 0, None
    if len(ends) >= count:
        return text, None
    pattern = pattern_of(tuple(prompts))
    for start in sorted({0, *ends, *(match.end() for match in re.finditer("\n(?!\n)", text))})[:MAX_PLACES]:
        if start < done or pattern.match(text, start):
            continue
        for right in filter(None, map(str.rstrip, prompts)):
            if length := nearly(text[start : start + len(right) + MAX_LETTERS], right):
                printed, pieces = text[start : start + length], [*pieces, text[done:start], right]
                done, first = start + length, first or (printed, right)
                break
    return "".join([*pieces, text[done:]]), first


@functools.lru_cache(maxsize=1 << 14)
def nearly(text, right):
    """Return how many letters at the beginning of a text are nearly a prompt, or 0. The first must be right."""
    matcher = difflib.SequenceMatcher(None, text[: len(right)], right, autojunk=False)
    begins = text[:1].lower() == right[:1].lower() and len(text) >= len(right) - MAX_LETTERS
    if not begins or matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0
    ratios = {}
    for length in range(len(right) - MAX_LETTERS, min(len(right) + MAX_LETTERS, len(text)) + 1):
        matcher.set_seq1(text[:length])
        ratios[length] = matcher.ratio()
    best = max(ratios, key=ratios.get)
    return best if ratios[best] >= ALIKE else 0


def answers_in(text, prompts, count):
    """Return the answers in a program's output: at most count, each with the prompt that follows it."""
    cuts = prompts_in(text, prompts)
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)])]
    pieces = ["".join(pieces[:2]), *pieces[2:]]
    last = max(1, count) - 1
    return [*pieces[:last], *(["".join(pieces[last:])] if pieces[last:] else [])]


def same_but_for_blanks(one, other):
    """Return True if two texts differ only in blanks and newlines, or not at all."""
    return "".join(one.split()) == "".join(other.split())


def units(session, found):
    """Return what was printed before the first prompt, and the answers: one more than there are answers."""
    first = found[0] if found else ""
    end = next(iter(prompts_in(first, session.prompts)), 0)
    return [first[:end], first[end:], *found[1:]]


def compared(wanted, answer, blanks):
    """Return "" if an answer is right; what is a slip in it, if that is all; or None. blanks: "once", "exact" or
    "ignore"."""
    if wanted == answer:
        return ""
    if blanks != "exact" and same_but_for_blanks(wanted, answer):
        return "" if blanks == "ignore" else SLIP_OF_BLANKS
    lines, extra = iter(wanted.splitlines()), []
    line = next(lines, None)
    for printed in answer.splitlines():
        if line is not None and (printed == line or blanks != "exact" and printed.split() == line.split()):
            line = next(lines, None)
        else:
            extra.append(printed)
    if line is None and 0 < len(extra) <= MAX_EXTRA and (blanks != "exact" or all(map(str.strip, extra))):
        return SLIP_OF_LINES
    return None


# What an answer came to. kind: as in mirror.py, "" for another assignment's. right: 1 or 0. slip: what is not as it
# should be in an answer that is right, or "". shown: True if the program carried out the command, even with another
# text; False for an answer that is right only because the student's board allows nothing else.
Mark = namedtuple("Mark", "kind right slip shown")


def marks(session, found, blanks="once"):
    """Return a Mark for the opening and each answer of a session, and a sentence if the student's own board decided, or
    "". found: the answers of a program. blanks: as in compared."""
    expected = session.answers
    if session.kinds:  # in another assignment the opening belongs to the first answer
        expected, found = units(session, expected), units(session, found)
    pairs = list(zip_longest(expected, found[: len(expected)], fillvalue=""))
    slips = [compared(wanted, answer, blanks) for wanted, answer in pairs]
    if not session.kinds or None not in slips:
        kinds = session.kinds or [""] * len(slips)
        return [Mark(kind, int(slip is not None), slip or "", True) for kind, slip in zip(kinds, slips)], ""
    marked, told = [], ""
    with mirror.mirrored(session) as ours:
        for number, (kind, (wanted, answer), slip) in enumerate(zip(session.kinds, pairs, slips)):
            before = ours.play.game.snapshot()
            own_kind, own = (
                ours.answer(session.typed[number - 1]) if 0 < number <= len(session.typed) else (kind, wanted)
            )
            own_slip = compared(own, answer, blanks)
            if slip is None and told == OWN_BOARD and answer:
                if kind == own_kind:
                    slip = own_slip
                    if slip is None and kind == mirror.SHUFFLE and ours.is_shuffled(answer, before.position):
                        slip = ""
                elif own_slip is not None and kind in mirror.ON_ANY_BOARD:
                    marked.append(Mark(kind, 1, own_slip, False))
                    continue
            is_shown = bool(answer) and mirror.board_in(answer) == ours.board()
            is_all = kind in mirror.SHOW_A_BOARD and (kind != mirror.WIN or WON in answer)
            if slip is None and is_shown and is_all and blanks != "exact":
                slip = SLIP_OF_BOARD
            marked.append(Mark(kind, int(slip is not None), slip or "", slip is not None or is_shown))
            if own_slip is None and answer and told != UNREADABLE:
                told = OWN_BOARD if ours.follow(answer, before) else UNREADABLE
    return marked, told


def difference(session, found, number, blanks="once"):
    """Return lines that say how the answer with this number, from 0, is wrong: the command, expected, printed. found:
    the answers of a program. blanks: as in compared."""
    wanted, answer = session.answers[number], found[number] if number < len(found) else ""
    if not number and found[:1] != [""] and opening(session, found[0]) == opening(session, session.answers[0]):
        wanted, answer = units(session, session.answers)[1], units(session, found)[1]
    pairs = list(zip_longest(wanted.splitlines(True), answer.splitlines(True), fillvalue=""))
    differ = [(place, pair) for place, pair in enumerate(pairs, start=1) if pair[0] != pair[1]]
    if blanks != "exact":
        differ = [one for one in differ if one[1][0].split() != one[1][1].split()] or differ
    line, (wanted, answer) = differ[0]
    if same_but_for_blanks(wanted, answer) or NEWLINE in (wanted, answer):
        wanted, answer = wanted.translate(BLANKS), answer.translate(BLANKS)
    where = f"command {number + 1}, typed: {printable(session.typed[number] if session.typed else '') or ENTER}"
    if not number and found[:1] != [""] and opening(session, found[0]) != opening(session, session.answers[0]):
        where = "before the first command"
    told = [
        where,
        f"line {line}:",
        f"  expected: {printable(wanted.rstrip(NEWLINE)) or NOTHING}",
        f"  printed:  {printable(answer.rstrip(NEWLINE)) or NOTHING}",
    ]
    if not prompts_in("".join(found), session.prompts):
        told.append(f"It never prints a prompt of this session: {printable(session.prompts[0].split(NEWLINE)[-1])!r}")
    return told


def opening(session, answer):
    """Return what the first answer has up to the first prompt."""
    return answer[: next(iter(prompts_in(answer, session.prompts)), None)]


def typed_last(prompts, typed, printed):
    """Return the command that was typed last when a program had printed this, or ""."""
    asked = len(prompts_in(printed, prompts))
    return typed[min(asked, len(typed)) - 1] if typed and asked else ""
