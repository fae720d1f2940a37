"""The result of grading: whole programs with points given by hand, modules, functions, boards, sessions."""

import fnmatch
import hashlib
import io
import json
import random
import re
import signal
import types

import pytest

import helpers
from patience.grading import making, weights
from patience.grading.courses import answers, function_calls, course as courses, other_program
from patience.grading.box import programs
from patience.grading.box.inside import answer_calls as inside
from patience.grading.judge import functions, grades, submission as judging
from patience.grading.judge.sessions import typed_bytes
from patience.grading.report import gradebooks, page, reports, tables
from patience.grading.courses.known import course_of
from patience.grading.courses.montana.reference_game import tableau_in
from patience.grading.submissions import Submission
from helpers import ROOT, run
from in_process import PROJ10, alter, call_functions, course, grade, judge, play, read_programs
from patience import rules
from patience.game import Game

# Points are out of 100; the points given by hand are from before the program was first graded.
BY_HAND = {name: (alter(*changes), *points.split(", ")) for name, (points, changes) in read_programs("by hand").items()}


def session_of(name):
    """Return a session of the assignment."""
    return next(session for session in course() if session.name == f"montana-{name}")


def judge_once(text, session):
    """Return a program's Part for one session, if it is not started again because of a mistake."""
    return judging.judge_run(session, play(text, session, typed_bytes(session)), 100)


def is_told(part):
    """Return True if the feedback says why each kind of a Part loses points: a rule, a first wrong answer, a slip."""
    lost = [kind for kind, (right, of) in part.kinds.items() if right < of]
    lines = reports.describe_part(part)
    if part.weights:
        return all(any(line.startswith("not kept") and kind in line for line in lines) for kind in lost)
    return bool(lines) and (not lost or part.difference is not None) and bool(lost or part.slips)


def grade_of(part, **more):
    """Return the Grade of a submission with one Part."""
    return grades.Grade(Submission("ada", None, None, ""), [part], **more)


# Whole programs


@pytest.mark.slow
def test_points_are_near_those_by_hand(tmp_path):
    """Slow: 40 whole programs are graded. Only here are the points for functions and for sessions held together, each
    with what a person gives, and with new sessions in place of those that students know."""
    parts = {name: grade(text, tmp_path) for name, (text, _, _) in BY_HAND.items()}
    untold = [(name, part.name) for name in parts for part in parts[name] if part.share < 1 and not is_told(part)]
    assert not untold, "points are lost without a line that says why"
    points = {name: sum(part.points for part in some) for name, some in parts.items()}
    changed = {name: points[name] for name, (_, _, known) in BY_HAND.items() if abs(points[name] - float(known)) > 1}
    assert not changed, "if that is right, write it into programs.txt"
    distances = [abs(points[name] - int(hand)) for name, (_, hand, _) in BY_HAND.items()]
    assert sum(distances) / len(distances) < 11, "this hand takes off for play, too, what a function does wrong"
    assert run(["sessions", "make", tmp_path / "new", "--seed", "2"]).returncode == 0
    for name, known in {"right": 100, "asks no rule": 85.5, "shuffles nothing": 96.8, "dealt by columns": 96.8}.items():
        again = grade(BY_HAND[name][0], tmp_path, tmp_path / "new")
        assert abs(sum(part.points for part in again) - known) <= 1, name


def test_new_sessions_have_lines_of_every_kind_in_places_that_tell_nothing(tmp_path):
    """Games that are won have refused lines too, at many places, and one of these games has invalid lines."""
    taken = helpers.make_folder(tmp_path / "new") / "montana-2.in"
    taken.touch()
    new = run(["sessions", "make", taken.parent, "--seed", "7"])
    assert new.stderr.decode() == f"The new sessions are in {taken.parent}. To make the same again: --seed 7\n"
    taken.unlink()
    texts = "".join(path.read_text(encoding="utf-8") for path in sorted(taken.parent.iterdir())).encode()
    assert hashlib.sha256(texts).hexdigest()[:8] == "abaa52af", "if other new sessions are right, write this here"
    made = course(taken.parent)
    assert [session.name for session in made] == [f"montana-{number}" for number in (1, 3, 4, 5, 6)]
    names = "opening, move, refused move, out of range, invalid input, shuffle, no shuffle left, win, another game, end"
    assert {kind for session in made for kind in session.kinds} == set(names.split(", "))
    assert {"S", "", "hello", "1.5 2 3 4"} <= {line for session in made for line in session.typed}
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


# What an answer of a function is worth


OF_FUNCTIONS = read_programs("functions")


@pytest.mark.parametrize("known, changes", OF_FUNCTIONS.values(), ids=OF_FUNCTIONS)
def test_the_rules_that_a_function_breaks_are_charged_and_each_is_told(known, changes, tmp_path):
    """known: the functions that are wrong, each with the rules that it breaks, and how the first one is told."""
    known, *told = known.split(" | ")
    wrong = dict(re.findall(r"(\w+): ([^.]+)\.", known))
    parts = {functions.function_of(part): part for part in call_functions(alter(*changes), tmp_path)}
    broken = {name: [rule for rule, (kept, of) in part.kinds.items() if kept < of] for name, part in parts.items()}
    assert {name: ["all"] if len(rules) == len(parts[name].kinds) else rules for name, rules in broken.items() if rules} == {
        name: rules.split(" + ") for name, rules in wrong.items()
    }  # fmt: skip
    for name, names in broken.items():
        weights = parts[name].weights
        lost = sum(weights[rule] for rule in names) / sum(weights.values())
        assert parts[name].share == pytest.approx(1 - lost, abs=1e-6)
        lines = "\n".join(parts[name].lines)
        assert lines.count("not kept (worth ") == len(names) and all(f": {rule}\n  " in lines for rule in names), lines
    assert all(re.search(pattern, "\n".join(parts[[*wrong][0]].lines)) for pattern in told)


ALL_THE_SAME = {"validate_move": ("True", "False", "None"), "check_win": ("True", "False", "None"), "move": ("None",)}


def test_what_a_wrong_function_prints_besides_is_charged_in_a_session_too():
    """Ours, which takes its place, prints nothing: one mistake more must not raise the points."""
    session = session_of("course2")
    prints = alter("    tableau[source_row]", "    print('moving')\n    tableau[source_row]")
    wrong = prints.replace("left.rank() + 1 == card.rank()", "left.rank() < card.rank()")
    charged = judge(prints, session).share
    part = judging.better(judge(wrong, session), judge(wrong, session, ours=["validate_move", "move"]))
    assert part.share == charged < 1 and answers.LINES in [slip.name for slip in part.slips]


@pytest.mark.parametrize("name, value", [(name, value) for name, values in ALL_THE_SAME.items() for value in values])
def test_a_function_that_always_says_the_same_keeps_no_rule(name, value, tmp_path):
    text = f"{PROJ10}\n\ndef {name}(*arguments):\n    return {value}\n".replace("\nif __name__", "\nif False")
    assert {part.share for part in call_functions(text, tmp_path, names=[name])} == {0}


@pytest.mark.parametrize("seed", range(3))
def test_which_boards_and_not_which_rules_depends_on_the_seed(seed):
    """Each seed has calls on both sides of each rule about what is allowed, or won."""
    course = course_of("montana")
    rules, other = (course.function_rules(number) for number in (seed, seed + 1))
    assert [(rule.function, rule.name, rule.weight) for rule in rules] == [
        (rule.function, rule.name, rule.weight) for rule in other
    ]
    for rule, again in zip(rules, other):
        if rule.function == "validate_move":
            assert {case.right for case in (*rule.cases, *rule.beside)} == {True, False} and rule.cases != again.cases
        if rule.function == "check_win":
            assert {case.right for case in rule.cases} == {True, False}


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
    ("a\nb c\n> ", ()), ("a\nb  c\n> ", (answers.BLANKS,)), ("a\nx\nb c\n> ", (answers.LINES,)), ("a\nx\ny\nb c\n> ", (answers.LINES,)),
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
    run = play(alter(*IN_SESSIONS["refuses one place"][1]), session, typed_bytes(session))
    all_first = run._replace(pieces=[""] * (len(run.pieces) - 1) + ["".join(run.pieces)])
    one, other = (judging.judge_run(session, each, 100) for each in (run, all_first))
    assert one.kinds == other.kinds and 0 < one.points < 100


def test_from_another_board_no_move_of_the_session_is_right():
    part = judge_once(BY_HAND["dealt by columns"][0], session_of("course1"))
    assert part.kinds["move"][0] == 0 and part.points < 20


@pytest.mark.parametrize("ending", [programs.Ending.FAILED, programs.Ending.STOPPED])
def test_a_program_is_started_again_a_few_times_at_most_each_time_without_a_command(ending):
    session, typed = session_of("course2"), []

    def run(lines):
        typed.append(lines.decode().splitlines())
        return programs.Run(["Title", "the answer at which it ends"], "", ["It ends."], ending)

    last = judging.run_on(session, run)
    assert typed == [session.typed[number:] for number in range(1 + judging.RESTARTS)]
    assert len(last.pieces) == 2 + judging.RESTARTS and last.ended_at == 1


def test_a_program_that_may_end_is_not_started_again():
    """After a win or q, some programs end without starting another game."""
    session, typed = session_of("again"), []
    again = 'again = input("Do you want to play again (y/n)?").lower()\n        while'
    text = alter(again, 'again = "n"\n        while')
    judging.run_on(session, lambda lines: typed.append(lines) or play(text, session, lines))
    assert len(typed) == 1


def test_a_program_ends_where_its_session_ends_though_lines_are_left(tmp_path):
    (tmp_path / "other.in").write_text('# prompt: "> "\na\nq\nleft\n', encoding="utf-8")
    (tmp_path / "other.out").write_text("> one\n> bye\n", encoding="utf-8")
    (session,) = course(tmp_path)
    assert judge('for text in ("one", "bye"):\n    input("> ")\n    print(text)\n', session).points == 100


FOLLOWS = read_programs("follows")


@pytest.mark.parametrize("what", FOLLOWS)
def test_a_wrong_function_costs_nothing_in_a_session_where_ours_takes_its_place(what):
    known, changes = FOLLOWS[what]
    kind, _, wrong = known.partition(", ")
    session, text = session_of("course1" if kind == "win" else "course2"), alter(*changes)
    alone, ruled = judge(text, session), judge(text, session, ours=wrong.split() or ["validate_move", "check_win"])
    right, of = ruled.kinds[kind]
    assert (right == of) == bool(wrong) == (ruled.share > alone.share) and alone.share < 1


def test_nothing_that_a_program_chose_is_told_of_a_hidden_session():
    session = session_of("course2")._replace(is_hidden=True)
    remarks = ["It left files behind: all, that, was, typed.", "It ended with exit status 77."]
    run = programs.Run(["Title\n"], "", remarks, programs.Ending.FAILED)
    part = judging.judge_run(session, run, 10)
    assert part.remarks == ["It left files behind.", "It ended too soon."]
    part = judging.judge_run(session, run._replace(errors="EOFError: EOF when reading a line"), 10)
    assert part.remarks == ["It left files behind."], "whatever it says of its end"


def test_each_slip_is_shown_with_its_first_line_and_a_note_with_its_answer(tmp_path):
    text = reports.feedback(grade_of(judge(alter('"{:3d}:"', '"{:2d}:"'), session_of("course2"))))
    assert "spaces or newlines: costs 12.5 of 100 points, half of its move answers\nbefore the first command" in text
    assert "\nline 3:\n  expected: ··1:" in text
    for name in ("course.deck", "montana-capitals.out"):
        (tmp_path / name).write_bytes((helpers.COURSE / name).read_bytes())
    script = (helpers.COURSE / "montana-capitals.in").read_text(encoding="utf-8")
    script = script.replace("\nS\n", "\n# note: is S a choice?\nS\n", 1) + "# hidden\n"
    (tmp_path / "montana-capitals.in").write_text(script, encoding="utf-8")
    (session,) = course(tmp_path)
    part = judge(alter("choice = input(MENU).lower()\n        while", "choice = input(MENU)\n        while"), session)
    assert "Note: is S a choice?" in part.lines and part.is_hidden
    text = reports.feedback(grade_of(part))
    assert "montana-capitals: " in text and "---" not in text, "the name and the points of a hidden session alone"


def test_a_long_line_is_cut_in_the_feedback():
    part = grades.Part("move()", {}, 10, lines=["x" * 200, "y" * 201])
    assert reports.describe_part(part) == ("x" * 200, f"{'y' * 200} ...")


def test_a_session_named_as_a_kind_of_answer_keeps_its_points_in_the_table():
    assert tables.rows_of([grade_of(grades.Part("move", {"move": (1, 2)}, 10))], {})[0]["move"] == "5"


def test_there_are_no_points_below_nothing_after_those_by_hand():
    grade = grade_of(grades.Part("move", {"move": (1, 2)}, 10, remarks=["It prints nothing."]), adjust=-7)
    assert grade.points == 0 and reports.remarks_of(grade) == ["Adjusted by hand: -7", "It prints nothing. (move)"]


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


def test_a_line_that_is_nearer_to_another_message_is_no_misspelling():
    wanted, other = "Error: invalid move. Please try again.\n", "Error: invalid input. Please try again.\n"
    printed = wanted.replace("move", "moove")
    assert answers.compare(wanted, printed, [], False, [other]) == (answers.TEXT,)
    assert answers.compare(wanted, other.replace("input", "inputt"), [], False, [other.strip()]) is None


def test_points_by_hand_are_in_every_form():
    """73.8 of 80 for the program, 2.5 off by hand: no two of points, graded, maximum and percent are equal."""
    grade = grade_of(grades.Part("one", {"answers": (738, 800)}, 80), adjust=-2.5)
    assert (grade.points, grade.graded, grade.maximum, grade.percent) == (71.3, 73.8, 80, 89.1)
    row, most = tables.rows_of([grade], {})
    assert [row[name] for name in ("points", "graded", "maximum", "percent", "adjust")] == [
        "71.3",
        "73.8",
        "80",
        "89.1",
        "-2.5",
    ]
    assert most["points"] == "80"
    assert json.loads(reports.gradescope(grade, ""))["score"] == 71.3
    assert reports.feedback(grade).startswith("ada: 71.3 of 80 points, 89.1 %\n")
    table, written = (
        gradebooks.Gradebook([["Student", "Points"], ["ada", ""]], ["S\n", "ada,\n"], ",", "\n", "utf-8"),
        io.StringIO(),
    )
    assert gradebooks.fill(table, "Points", [grade], written) == [] and written.getvalue() == "S\nada,71.3\n"
    assert ">71.3<" in page.page_of([grade]) and "-2.50" in page.page_of([grade])
