"""Scripted sessions: what is typed, NAME.in, and what must be printed for it, NAME.out.

The first line of an .in says how the program is started, # montana --seed 100 --deck course.deck; or which prompts a
program of another assignment has, # prompt: "Enter option: " "Again? ". It and all lines that begin with # are not
typed. What is printed between two prompts is the answer to a command; what stands before the first prompt belongs to
the first answer.
"""

import difflib
import re
import shlex
from collections import namedtuple
from itertools import zip_longest

from grading import mirror, programs
from grading.boxes import ROOT, box, folder_of_boxes, frame_files
from patience.game import decks, files, rules
from patience.game.text import error_text, printable
from patience.records.saves import MOST_READ
from patience.game.typing import ASSIGNMENT, SCRIPT

OPTIONS_OF_A_PROMPT = ("--seed", "--deck")
DIGEST = "sha256 "  # how an .out begins that holds only the end of its session
BLANKS = str.maketrans(" \t\r\n", "·→␍⏎")
NEWLINE = "\n"
NOTHING, ENTER = "(nothing)", "(Enter)"
MOST_EXTRA = 2  # lines of an answer that are too many, if that is all that is wrong in it
# What is not as it should be in an answer that is right.
SLIP_OF_BLANKS, SLIP_OF_LINES, SLIP_OF_BOARD = "blanks", "additional lines", "the right board, shown in another way"
SLIP_OF_PROMPT = "the text of a prompt"
ALIKE = 0.9  # how much a prompt must be like the right one to be taken for it
WON = "You won!"
OWN_BOARD = "After the first mistake your program's own board decides what is right."
UNREADABLE = "No board can be read in what your program prints, so only the session's own answers are right."
SECONDS = 60  # that a program may take to write an .out

# game: its name, or None. arguments: of the program, without --deck. seed: an int or None. deck: (rank, suit) pairs or
# None. prompts: texts. typed: lines without comments. answers: what must be printed for each line that is read. kinds:
# those of the opening and of each answer, as in mirror.py; [] for another assignment's.
Session = namedtuple("Session", "name game arguments seed deck prompts typed answers kinds")


class Unusable(ValueError):
    """A folder or a session that cannot be graded with. str() is a sentence."""


def read_folder(folder, games, update=False, reference=None):
    """Return the Sessions of a folder. games: the names of this project's games. update: write the .out files that are
    missing, by our games, or by the program in the file reference. Raises Unusable."""
    scripts = sorted(folder.glob("*.in"))
    if not scripts:
        raise Unusable(f"{printable(folder)}: there is no session, NAME.in, in this folder.")
    for script in scripts if update else ():
        if not script.with_suffix(".out").exists():
            write_out(script, games, reference)
    return [read(script, games) for script in scripts]


def read(script, games):
    """Return the Session of a file NAME.in. Raises Unusable."""
    recorded = script.with_suffix(".out")
    session = read_typed(script, games)
    try:
        if not recorded.exists():
            raise ValueError(f"{recorded.name} is missing: --update writes it.")
        files.must_be_file(recorded)
        expected = recorded.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise Unusable(printable(f"{script.name}: {error_text(error)}")) from None
    if expected.startswith(DIGEST):
        raise Unusable(f"{recorded.name} holds only the end of its session.")
    session = session._replace(answers=answers_in(expected, session.prompts, len(session.typed)))
    return session._replace(kinds=mirror.kinds(session))


def read_typed(script, games):
    """Return the Session of a file NAME.in, without its answers. Raises Unusable."""
    try:
        files.must_be_file(script)
        first, typed = lines_of(script)
        name, prompts, arguments = read_first_line(first, games)
        options = dict(zip(arguments[::2], arguments[1::2]))
        path, seed = options.pop("--deck", None), int(options["--seed"]) if "--seed" in options else None
        pack = rules.load(name).PACK if name else rules.PACK
        deck = decks.load(script.parent / path, pack).pairs if path else None
    except (OSError, ValueError) as error:
        raise Unusable(printable(f"{script.name}: {error_text(error)}")) from None
    arguments = [word for pair in options.items() for word in pair]
    return Session(script.stem, name, [name, *arguments] if name else [], seed, deck, prompts, typed, [], [])


def lines_of(script):
    """Return the first line of a script, and the lines that are typed. Raises Unusable."""
    code = script.read_bytes()
    if b"\0" in code:
        raise Unusable("it is no text.")
    lines = code.decode("utf-8-sig", "replace").replace("\r\n", "\n").removesuffix("\n").split("\n")
    return lines[0], [line for line in lines if not line.startswith("#")]


def read_first_line(line, games):
    """Return the name of the game or None, the prompts, and the options, a list of words. Raises Unusable."""
    if not line.strip("# "):
        raise Unusable('the first line must be # GAME OPTIONS, or # prompt: "PROMPT".')
    if len(line) > MOST_READ:
        raise Unusable("the first line is too long.")
    try:
        word, *words = shlex.split(line[1:]) or [""]
    except ValueError:
        raise Unusable("in the first line a quotation mark is missing.") from None
    words = [part for one in words for part in (one.split("=", 1) if one.startswith("--") else [one])]
    if word != "prompt:":
        if word not in games:
            raise Unusable(f"unknown game: {word}")
        game_rules = rules.load(word)
        check_options(words, [*OPTIONS_OF_A_PROMPT, *(f"--{option}" for option in game_rules.OPTIONS)])
        return word, [game_rules.PROMPT, ASSIGNMENT.again, SCRIPT.again], words
    start = next((place for place, one in enumerate(words) if one in OPTIONS_OF_A_PROMPT), len(words))
    if not any(one.strip() for one in words[:start]):
        raise Unusable("there is no prompt behind # prompt:")
    check_options(words[start:], OPTIONS_OF_A_PROMPT)
    return None, words[:start], words[start:]


def check_options(words, known):
    """Raise Unusable if words are not pairs of a known option and its value."""
    for option in words[::2]:
        if option not in known:
            raise Unusable(f"unknown option: {option}")
    if len(words) % 2:
        raise Unusable(f"{words[-1]} needs a value.")


def write_out(script, games, reference=None):
    """Write the .out of a script: what this project's game prints, or a reference, the path of a program. Raises
    Unusable."""
    session = read_typed(script, games)
    if not session.game and not reference:
        raise Unusable(
            f"{script.name}: only a game of this project can write {script.stem}.out, or a program of yours, with "
            "--reference."
        )
    source, program, arguments, own_cards = reference, "main.py", session.arguments, ROOT / "cards.py"
    if reference:
        program, files, arguments = reference.name, {"cards.py": own_cards}, []
    else:
        source = ROOT / f"{session.game}.py"
        files = frame_files(session.game, source, own_cards)
    with folder_of_boxes() as boxes, box(boxes, source, files) as path:
        run = programs.run(path, settings_of(session, program, arguments), typed_bytes(session), SECONDS)
    if run.remarks:
        told = run.errors.splitlines()[-1:] or run.remarks
        raise Unusable(printable(f"{script.name}: {told[0].removeprefix('Error: ')}"))
    script.with_suffix(".out").write_bytes(run.printed)


def settings_of(session, program, arguments):
    """Return what the box is told of a program that a session is typed into."""
    return {"file": program, "arguments": arguments, "seed": session.seed, "deck": session.deck}


def typed_bytes(session):
    """Return what is typed in a session, as a program reads it."""
    return "".join(f"{line}\n" for line in session.typed).encode()


# Answers


def prompts_in(text, prompts):
    """Return where in a program's output a prompt ends. Its blanks may be others: they count with the answer."""
    patterns = [
        r"\s+".join(map(re.escape, prompt.split())) + "[ \t]{0,%d}" % (len(prompt) - len(prompt.rstrip()))
        for prompt in prompts
        if prompt.strip()
    ]
    return [match.end() for match in re.finditer("|".join(sorted(patterns, key=len, reverse=True)), text)]


def with_right_prompts(text, prompts, count):
    """Return a program's output with prompts that are nearly right put right, and the first (printed, right); or
    the output as it is and None: if it has as many prompts as lines were typed, count, or none that is nearly right."""
    if len(prompts_in(text, prompts)) >= count:
        return text, None
    lines, first = text.split("\n"), None
    for wanted in (prompt.rstrip().split("\n") for prompt in prompts if prompt.strip()):
        right = "\n".join(wanted)
        for number in range(len(lines) - len(wanted) + 1):
            *above, last = lines[number : number + len(wanted)]
            printed = "\n".join([*above, last[: len(wanted[-1])]])
            if printed != right and is_alike(printed, right):
                lines[number : number + len(wanted)] = [*wanted[:-1], wanted[-1] + last[len(wanted[-1]) :]]
                first = first or (printed, right)
    return "\n".join(lines), first


def is_alike(one, other):
    """Return True if two texts are nearly the same."""
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE


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
    if line is None and 0 < len(extra) <= MOST_EXTRA and (blanks != "exact" or all(map(str.strip, extra))):
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
    marked, told, board = [], "", None
    with mirror.mirrored(session) as ours:
        for number, (kind, (wanted, answer), slip) in enumerate(zip(session.kinds, pairs, slips)):
            before = ours.table.sitting.snapshot()
            own_kind, own = (
                ours.answer(session.typed[number - 1]) if 0 < number <= len(session.typed) else (kind, wanted)
            )
            own_slip = compared(own, answer, blanks)
            if slip is None and told == OWN_BOARD and answer:
                if kind == own_kind:
                    slip = own_slip
                    if slip is None and kind == mirror.SHUFFLE and ours.is_shuffled(answer, before.game):
                        slip = ""
                elif own_slip is not None and kind in mirror.ON_ANY_BOARD:
                    marked.append(Mark(kind, 1, own_slip, False))
                    continue
            is_shown = bool(answer) and mirror.board_in(answer) == ours.board()
            if (
                slip is None
                and is_shown
                and blanks != "exact"
                and kind in mirror.SHOW_A_BOARD
                and (kind != mirror.WIN or WON in answer)
            ):
                slip = SLIP_OF_BOARD
            before_it, board = board, mirror.board_in(answer) or board
            has_moved = kind == own_kind == mirror.MOVE and board != before_it
            marked.append(Mark(kind, int(slip is not None), slip or "", slip is not None or is_shown or has_moved))
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


def export(sessions, folder):
    """Write each session as a pair of plain files, without comments."""
    for session in sessions:
        (folder / f"{session.name}.in").write_bytes(typed_bytes(session))
        (folder / f"{session.name}.out").write_bytes("".join(session.answers).encode())
