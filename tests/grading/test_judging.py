"""The result of grading: whole programs with points given by hand, modules, functions, boards, sessions."""

import fnmatch
import hashlib
import random
import re
import signal
import types
from collections import Counter

import pytest

import helpers
import montana
from patience.grading import making, weights
from patience.grading.courses import answers, function_calls, course as courses, other_program
from patience.grading.box import programs
from patience.grading.box.inside import answer_calls as inside
from patience.grading.judge import functions, grades, submission as judging, function_answers as judging_functions
from patience.grading.judge.sessions import typed_bytes
from patience.grading.report import reports, tables
from patience.grading.courses.known import reference_for, course_of
from patience.grading.courses.montana.handout import tableau_in
from patience.grading.courses.function_calls import Call
from patience.grading.submissions import Submission
from helpers import ROOT, run
from in_process import alter, call_functions, calls_and_answers, course, grade, own_functions
from in_process import judge, play, read_programs
from patience import rules
from patience.game import Game

# Points are out of 100; the points given by hand are from before the program was first graded.
BY_HAND = {name: (alter(*changes), *points.split(", ")) for name, (points, changes) in read_programs("by hand").items()}


def session_of(name):
    """Return a session of the assignment."""
    return next(session for session in course() if session.name == f"montana-{name}")


def judge_once(text, session):
    """Return a program's Part for one session, if it is not started again because of a mistake."""
    return judging.judge_run(session, play(text, session, None, typed_bytes(session)), 100).part


def grade_of(part, **more):
    """Return the Grade of a submission with one Part."""
    return grades.Grade(Submission("ada", None, None, ""), [part], **more)


# Whole programs


@pytest.mark.slow
def test_points_are_near_those_by_hand(tmp_path):
    """Slow: 40 whole programs are graded. Only here are the points for functions and for sessions held together, each
    with what a person gives, and with new sessions in place of those that students know."""
    points = {name: grade(text, tmp_path) for name, (text, _, _) in BY_HAND.items()}
    changed = {name: points[name] for name, (_, _, known) in BY_HAND.items() if abs(points[name] - float(known)) > 1}
    assert not changed, "if that is right, write it into programs.txt"
    distances = [abs(points[name] - int(hand)) for name, (_, hand, _) in BY_HAND.items()]
    assert sum(distances) / len(distances) < 6, "this hand takes off for play, too, what a function does wrong"
    assert run(["grade", "--make", "5", tmp_path / "new", "--seed", "2"]).returncode == 0
    for name, known in {"right": 100, "asks no rule": 85.5, "shuffles nothing": 96.5, "dealt by columns": 92.6}.items():
        assert abs(grade(BY_HAND[name][0], tmp_path, tmp_path / "new") - known) <= 1, name


def test_new_sessions_have_lines_of_every_kind_in_places_that_tell_nothing(tmp_path):
    """Games that are won have refused lines too, at many places, and one of these games has invalid lines."""
    taken = helpers.make_folder(tmp_path / "new") / "montana-2.in"
    taken.touch()
    new = run(["grade", "--make", "5", taken.parent, "--seed", "7"])
    assert new.stderr.decode() == f"The new sessions are in {taken.parent}: --seed 7 makes them again.\n"
    taken.unlink()
    texts = "".join(path.read_text(encoding="utf-8") for path in sorted(taken.parent.iterdir())).encode()
    assert hashlib.sha256(texts).hexdigest()[:8] == "42b5ff4a", "if other new sessions are right, write this here"
    made = course(taken.parent)
    assert [session.name for session in made] == [f"montana-{number}" for number in (1, 3, 4, 5, 6)]
    names = "opening, move, refused move, out of range, no numbers, shuffle, no shuffle left, win, another game, end"
    assert {kind for session in made for kind in session.kinds} == set(names.split(", "))
    assert {"S", "", "hello", "1.5 2 3 4", "maybe"} <= {line for session in made for line in session.typed}
    assert ["another game" in session.kinds for session in made] == [False, False, False, False, True]
    assert ["hello" in session.typed for session in made if other_program.WIN in session.kinds] == [False, True]
    refused = [[number for number, kind in enumerate(one.kinds) if kind == other_program.REFUSED] for one in made]
    assert all(len(numbers) >= 3 for numbers in refused)
    for few in ({*map(str, numbers)} for numbers in zip(*refused)):
        assert len(few) > 3, "the first refused line, and the second, stand at many places"
    for change in (  # checks only the first row; ignores the suits; checks only the first cards
        ("            return False\n    return True", "            return False\n        return True"),
        (" and row[count].suit() == row[0].suit()", ""), ("sequence_length(row) < 12", "row[0].rank() != 2"),
    ):  # fmt: skip
        assert any(judge_once(alter(*change), session).share < 1 for session in made), change


def test_a_new_session_of_klondike_has_empty_columns_with_cards_left_in_the_waste():
    game, typed = making.nearly_won_game(making.New(course_of("klondike"), random.Random(3)))
    played, boards = Game(game.deal), []
    for line in typed[:-1]:
        boards.append([bool(cards) for cards in (sum(played.position.tableau, []), played.position.waste)])
        played.perform(rules.read(played.rules, line))
    assert [False, True] in boards and game.rules.check_win(played.position) and typed[-1] == "n"


def test_near_misses_begin_with_cards_that_are_one_rank_apart():
    game = helpers.game_of("klondike", {"draw": "1", "passes": "unlimited"}, 2)
    kinds = [function_calls.how_near(game, game.rules.refusal(game.position, *move))
             for move in course_of("klondike").near_misses(game, random.Random(1))]  # fmt: skip
    assert {(-1, False, True), (1, False, False)} <= {*kinds}, "the colour alone is wrong, and the rank alone"
    first = [courses.is_one_apart(kind) for kind in kinds]
    assert True in first and False in first and first == sorted(first, reverse=True)


# Which functions are asked what


def grade_answers(monkeypatch, asked, right, answer):
    """Return the Parts of functions that are called in no box, and what was asked for: the numbers of the calls and, if
    that is so, in which way; or the end of a box. answer(numbers, **ways): returns the answers."""
    told = []

    def ask(assignment, submission, runner, numbers, **ways):
        told.append((list(numbers), *ways))
        return "", answer(numbers, **ways)

    monkeypatch.setattr(functions, "ask", ask)
    given = types.SimpleNamespace(calls=asked, answers=right, game="montana", weights=Counter())
    runner = types.SimpleNamespace(end=lambda: told.append("end"))
    return functions.grade(given, types.SimpleNamespace(hash=""), runner), told


def test_what_is_right_is_told_to_a_move_alone(monkeypatch):
    about = {"rows": [[(2, 1)]], "arguments": (0, 0, 0, 1), "side": True}
    asked = [Call(name, **about) for name in ("validate_move", "move", "check_win")]
    right = [{"value": True, "position": [], "printed": ""} for _ in asked]

    def answer(numbers, is_ruled=False):
        return [{**right[number], "value": is_ruled} for number in numbers]

    parts, told = grade_answers(monkeypatch, asked, right, answer)
    assert told == [([0, 1, 2],), "end", ([1], "is_ruled")]
    assert [part.share for part in parts] == [0, 1, 0] and functions.RULED in parts[1].lines


def test_two_limits_that_pass_at_once_are_one_late(monkeypatch):
    """On a busy machine both limits may pass at once: code that catches the first must not be ended by the second."""
    numbers = signal.SIGPROF, signal.SIGALRM
    before = [signal.getsignal(number) for number in numbers]
    inside.limit_time(60)
    try:
        with pytest.raises(inside.OutOfTime):
            signal.raise_signal(numbers[0])
        signal.raise_signal(numbers[1])
        monkeypatch.setattr(inside, "monotonic", lambda now=inside.monotonic() + inside.APART: now)
        with pytest.raises(inside.OutOfTime):
            signal.raise_signal(numbers[1])
    finally:
        inside.limit_time(0)
        for number, handler in zip(numbers, before):
            signal.signal(number, handler)


def test_the_same_is_asked_of_every_submission():
    """The calls of each function, those about what is allowed or won first, and their groups and reasons."""
    known = "validate_move 14+142 move 14+142 display 0+2 initialize 0+4 check_win 6+19 shuffle_tableau 0+10: 18, 154"
    asked, _ = calls_and_answers(is_few=True)
    assert all(call.reason or call.group for call in asked), "the feedback says it after a wrong answer"
    assert 2 < len({call.group for call in asked if call.side is False}) < len({call.reason for call in asked})
    sides = Counter((call.function, bool(call.side)) for call in asked)
    told = [f"{name} {sides[name, True]}+{sides[name, False]}" for name in judging_functions.functions_in(asked)]
    assert f"{' '.join(told)}: {len({call.group for call in asked})}, {len({call.reason for call in asked})}" == known


def test_what_plays_a_module_of_functions_knows_no_rule():
    text = course_of("montana").main().decode()
    assert set(re.findall(r"^def (\w+)", text, re.MULTILINE)) == {"main", "play", "ask", "read_places", "is_place"}


# What an answer of a function is worth


OF_FUNCTIONS, RULES = read_programs("functions"), ("validate_move", "move")


@pytest.mark.parametrize("known, changes", OF_FUNCTIONS.values(), ids=OF_FUNCTIONS)
def test_what_is_wrong_in_functions_is_told_of_these_alone_and_costs_its_share(known, changes, tmp_path):
    """known: the functions that are wrong, if any, the share of the last one, at least and at most, and how it is told,
    once (a regular expression)."""
    known, _, told = known.partition(": ")
    wrong, shares = re.findall("[a-z_]+", known), [*map(float, re.findall("[0-9.]+", known))] or [0, 0.99]
    every = judging_functions.functions_in(calls_and_answers()[0])
    names = [name for name in every if not wrong or (name in RULES) == (wrong[0] in RULES)]  # the others are as before
    found = call_functions(alter(*changes), tmp_path, names=names)
    parts = {part.name.removesuffix("()"): part for part in found}
    assert {name for name, part in parts.items() if part.groups} == {*wrong}
    assert {name for name, part in parts.items() if part.share < 1} == {*wrong}
    shown = {name: "\n".join(parts[name].lines) for name in wrong}
    assert all(f"{name}(" in shown[name] for name in wrong)
    assert not told or len(re.findall(told, shown[wrong[-1]])) == 1, shown
    assert all(shares[0] <= parts[name].share <= shares[-1] for name in wrong[-1:])


@pytest.mark.parametrize(
    "changes", [("return False", "return None"), ("return False", "return 0", "return True", "return 1")]
)
def test_none_and_numbers_for_bools_are_named_and_cost_a_slip(changes, tmp_path):
    parts = call_functions(alter(*changes), tmp_path)
    slips = {part.name: [slip.name for slip in part.slips] for part in parts if part.slips}
    assert slips == {"validate_move()": [judging_functions.NOT_BOOL]}, "move and check_win return them too"
    assert not any(part.groups for part in parts) and {part.share for part in parts} == {1, 0.75}
    elsewhere = grades.Part("a session of another assignment", {"": (2, 2)}, 8, slips=[grades.Slip("blanks", None)])
    assert elsewhere.share == 0.5 and elsewhere.cost_of(*elsewhere.slips) == 4


# Boards and answers


BOARD_OF_KLONDIKE = """\
Foundations:   1:  A♣   2:  --   3:  --   4:  --
Stock: 15 (draw 3)   Waste:  9    7♦    5♥  [8♦]
      1   2   3
  1:  2♦  XX  XX
  2:      6♣  XX
  3:          2♣
"""


@pytest.mark.parametrize("old, new, is_same", [
    ("\n", "\n   ", True), ("  3:  ", " 3:  ", True), ("XX  XX", "XX   XX", True),
    ("          2♣", "              2♣", False), ("XX  XX", "XX      XX", False), ("2♣", "3♣", False),
])  # fmt: skip
def test_a_layout_is_the_same_if_all_its_rows_are_shifted_alike(old, new, is_same):
    board = f"\n{BOARD_OF_KLONDIKE}"
    assert answers.is_same_layout(board.replace(old, new), board) == is_same


def test_a_tableau_has_four_rows():
    opening = course()[0].answers[0]
    last = next(line for line in opening.splitlines() if line.startswith("  4:"))
    assert tableau_in(opening) and not tableau_in(opening.replace(last, f"{last[:28]}\n  5:{last[28:]}"))


def test_a_board_is_read_by_its_cells():
    rows = "  1:  2♣      4♣ 10♥  8♦\n  2:  3♣  5♣  6♣  7♣"
    assert answers.cells_of(rows)[0] == ((0, (2, 1)), (2, (4, 1)), (3, (10, 3)), (4, (8, 2)))
    assert answers.is_same_board(rows, "1) 2C      4C  10H 8D\n2) 3C  5C  6C  7C")
    assert not answers.is_same_board(rows, rows.replace("    4♣", "4♣    "))
    rows = "  n:   2   1\n  1:      2♣\n  2:  3♣  4♣\n  3:        \n"
    assert answers.is_same_board(rows, rows.replace("  1:", "1|  "))
    other = "  n:   2   1\n  1:      2♣\n  2:        \n  3:  3♣  4♣\n"
    assert not answers.is_same_board(rows, other), "cards in another of two empty rows"


@pytest.mark.parametrize("printed, slips", [
    ("a\nb c\n> ", ()), ("a\nb  c\n> ", (answers.BLANKS,)), ("a\nx\nb c\n> ", (answers.LINES,)),
    ("a\nb c\n: ", (answers.PROMPT,)), ("a\nb c\n", (answers.PROMPT,)), ("a\nx\ny\nz\nb c\n> ", None),
    ("a\nother\nb c\n> ", None), ("a\nb c\nAgain? ", None), ("a\nb d\n> ", None), ("a\nb c\n>", (answers.BLANKS,)),
])  # fmt: skip
def test_an_answer_is_right_or_has_slips_or_is_wrong(printed, slips):
    assert answers.compare("a\nb c\n> ", printed, ["> ", "Again? "], False, ["other"]) == slips


def test_a_line_that_is_missing_is_not_another_way_to_show_a_board():
    wanted = "You have won a card.\n 1: 2C 3C\n 2: 4C 5C\n> "
    assert answers.compare(wanted, " 1: 2C 3C\n 2: 4C 5C\n> ", ["> "]) == (answers.MISSING,)
    assert answers.compare(wanted, "You win.\n 1: 2C 3C\n 2: 4C 5C\n> ", ["> "]) == (answers.FORM,)


# Sessions


def result_of(part):
    """Return a Part as text, as it is described in programs.txt."""
    wrong = [f"{kind} {right:g} of {of}" for kind, (right, of) in part.kinds.items() if right < of]
    slips, where = [slip.name for slip in part.slips], [part.difference.where] if part.difference else []
    told = map(", ".join, (wrong, slips, where, part.lines, part.remarks, part.errors))
    return "; ".join([f"{part.points:g}", *told])


IN_SESSIONS = read_programs("sessions")


@pytest.mark.parametrize("what", IN_SESSIONS)
def test_what_is_wrong_in_a_session_costs_what_it_is(what):
    known, changes = IN_SESSIONS[what]
    text = alter(*changes) if changes else BY_HAND[what][0]
    names, _, result = known.partition(": ")
    for session in [one for one in course() if fnmatch.fnmatch(one.name, f"montana-{names}")]:
        found = result_of(judge(text, session))
        assert re.search(result, found), (session.name, found)


def test_a_program_that_reads_all_its_input_first_is_judged_answer_by_answer():
    session = session_of("course1")
    run = play(alter(*IN_SESSIONS["refuses one place"][1]), session, None, typed_bytes(session))
    all_first = run._replace(pieces=[""] * (len(run.pieces) - 1) + ["".join(run.pieces)])
    one, other = (judging.judge_run(session, each, 100).part for each in (run, all_first))
    assert one.kinds == other.kinds and 0 < one.points < 100


def test_from_another_board_no_move_of_the_session_is_right():
    part = judge_once(BY_HAND["dealt by columns"][0], session_of("course1"))
    assert part.kinds["move"][0] == 0 and part.points < 20


@pytest.mark.parametrize("ending, starts", [
    (programs.Ending.FAILED, judging.RESTARTS), (programs.Ending.STOPPED, judging.STOPS),
])  # fmt: skip
def test_a_program_is_started_again_a_few_times_at_most_each_time_without_a_command(ending, starts):
    session, typed = session_of("course2"), []

    def run(lines):
        typed.append(lines.decode().splitlines())
        return programs.Run(["Title", "the answer at which it ends"], "", ["It ends."], ending)

    last = judging.run_on(session, run)
    assert typed == [session.typed[number:] for number in range(1 + starts)]
    assert len(last.pieces) == 2 + starts and last.ended_at == 1


def test_a_program_that_may_end_is_not_started_again():
    """After a win or q, some programs end without starting another game."""
    session, typed = session_of("again"), []
    again = 'again = input("Do you want to play again (y/n)?").lower()\n        while'
    text = alter(again, 'again = "n"\n        while')
    judging.run_on(session, lambda lines: typed.append(lines) or play(text, session, None, lines))
    assert len(typed) == 1


def test_a_program_ends_where_its_session_ends_though_lines_are_left(tmp_path):
    (tmp_path / "other.in").write_text('# prompt: "> "\na\nq\nleft\n', encoding="utf-8")
    (tmp_path / "other.out").write_text("> one\n> bye\n", encoding="utf-8")
    (session,) = course(tmp_path)
    assert judge('for text in ("one", "bye"):\n    input("> ")\n    print(text)\n', session).points == 100


FOLLOWS = read_programs("follows")


@pytest.mark.parametrize("what", FOLLOWS)
def test_what_follows_from_a_mistake_in_a_function_costs_nothing_in_a_session(what, tmp_path):
    known, changes = FOLLOWS[what]
    kind, _, is_free = known.partition(", ")
    session, text = session_of("course1" if kind == "win" else "course2"), alter(*changes)
    (tmp_path / "montana.py").write_text(text, encoding="utf-8")
    moved = grades.Part("move()", {"": (what != "it moves nothing", 1)}, 8)
    with own_functions(tmp_path / "montana.py", [moved, grades.Part("display()", {"": (0, 1)}, 8)]) as own:
        part, alone = judge(text, session, own=own), judge(text, session)
    right, of = part.kinds[kind]
    assert (right == of) == bool(is_free) and (judging.OWN_FUNCTIONS in part.lines) == (part.share > alone.share)
    assert bool(is_free) == (part.share > alone.share), "and without its functions it is wrong"


def test_functions_without_a_mistake_excuse_nothing(tmp_path):
    with own_functions(tmp_path / "montana.py", [grades.Part("move()", {"": (1, 1)}, 8)]) as own:
        assert own is None


def test_nothing_that_a_program_chose_is_told_of_a_hidden_session():
    session = session_of("course2")._replace(is_hidden=True)
    remarks = ["It leaves files behind: all, that, was, typed.", "It ends with exit status 77."]
    run = programs.Run(["Title\n"], "", remarks, programs.Ending.FAILED)
    part = judging.judge_run(session, run, 10).part
    assert part.remarks == ["It leaves files behind.", "It ends too soon."]
    part = judging.judge_run(session, run._replace(errors="EOFError: EOF when reading a line"), 10).part
    assert part.remarks == ["It leaves files behind."], "whatever it says of its end"


def test_each_slip_is_shown_with_its_first_line_and_a_note_with_its_answer(tmp_path):
    text = reports.feedback(grade_of(judge(alter('"{:3d}:"', '"{:2d}:"'), session_of("course2"))))
    assert "blanks or newlines: costs 10 of 100 points\nbefore the first command\nline 3:\n  expected: ··1:" in text
    for name in ("course.deck", "montana-capitals.in", "montana-capitals.out"):
        (tmp_path / name).write_bytes((helpers.COURSE / name).read_bytes())
    script = (
        (tmp_path / "montana-capitals.in")
        .read_text(encoding="utf-8")
        .replace("\nS\n", "\n# note: is S a choice?\nS\n", 1)
    )
    (tmp_path / "montana-capitals.in").write_text(f"{script}# hidden\n", encoding="utf-8")
    (session,) = course(tmp_path)
    part = judge(alter("choice = input(MENU).lower()\n        while", "choice = input(MENU)\n        while"), session)
    assert "Note: is S a choice?" in part.lines and part.is_hidden
    text = reports.feedback(grade_of(part))
    assert "montana-capitals: " in text and "---" not in text, "the name and the points of a hidden session alone"


def test_a_long_line_is_cut_in_the_feedback():
    part = grades.Part("move()", {}, 10, lines=["x" * 200, "y" * 201])
    assert reports.describe_part(part) == ("x" * 200, f"{'y' * 200} ...")


def test_a_later_game_is_dealt_once_beside_a_program(monkeypatch):
    session, dealt, own = session_of("again"), [], montana.initialize
    monkeypatch.setattr(montana, "initialize", lambda: dealt.append(own()) or dealt[-1])
    kinds = other_program.with_kinds(session, reference_for).kinds
    assert len(dealt) == 1 + kinds.count("another game") > 1


def test_a_session_named_as_a_kind_of_answer_keeps_its_points_in_the_table():
    assert tables.rows_of([grade_of(grades.Part("move", {"move": (1, 2)}, 10))], {})[0]["move"] == "5"


def test_there_are_no_points_below_nothing_after_those_by_hand():
    grade = grade_of(grades.Part("move", {"move": (1, 2)}, 10, remarks=["It prints nothing."]), adjust=-7)
    assert grade.points == 0 and reports.remarks_of(grade) == ["By hand: -7", "It prints nothing. (move)"]


def test_points_are_split_to_the_hundredth():
    """What Montana's parts are worth is in sessions/grade.txt."""
    assert weights.split(10, {"a": 1, "b": 1, "c": 1}) == {"a": 3.33, "b": 3.34, "c": 3.33}
    assert weights.split(10, {"a": 0}) == {"a": 0}
    assert weights.weights_of(("move=9", "b=1"), {"move()": 1, "b": 1}, 10) == {"move()": 9, "b": 1}


def test_the_texts_of_the_assignment_are_those_that_its_sessions_have():
    """Every line of the ```text block in docs/assignment/README.md, and the messages of its program."""
    block = (
        (ROOT / "docs" / "assignment" / "README.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    )
    recorded = "".join(path.read_text(encoding="utf-8") for path in helpers.COURSE.glob("*.out"))
    assert len(block.splitlines()) > 8 and all(line in recorded for line in block.splitlines())


def test_once_too_many_runs_were_stopped_the_other_sessions_are_not_run_and_that_is_said_once():
    hidden = [session._replace(is_hidden=True) for session in course()[:2]]
    given = types.SimpleNamespace(sessions=hidden, weights={session.name: 5 for session in hidden})
    runner = types.SimpleNamespace(stopped=judging.MAX_STOPPED, silent=0)
    parts = [*judging.grade_sessions(given, runner, ROOT / "tests" / "proj10.py", None)]
    assert [part.remarks for part in parts] == [[judging.NOT_RUN], []]
    assert all(part.is_hidden and part.points == 0 for part in parts)


def test_a_name_in_a_table_is_read_as_it_was_and_is_no_formula():
    chance = random.Random(1)
    for _ in range(300):
        text = "".join(chance.choices("ab'=+-@\t\r\n;(,\"é♣\ue000 ", k=chance.randrange(8)))
        escaped = tables.escape(text)
        assert tables.unescape(escaped) == text and not escaped.startswith((*tables.FORMULA, tables.OURS)), repr(text)
