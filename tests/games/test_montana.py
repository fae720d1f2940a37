"""Montana's rules, one function of the assignment at a time, and its commands."""

import ast
import itertools
import random
import shutil
import subprocess
import sys

import pytest

import cards
import montana
from helpers import COURSE, COURSE_DECK, ROOT, SECONDS, card, pairs, rules_of, run, run
from patience import decks
from patience.decks import PACK

COMPLETE = [
    f"2{suit} 3{suit} 4{suit} 5{suit} 6{suit} 7{suit} 8{suit} 9{suit} 10{suit} J{suit} Q{suit} K{suit} A{suit}"
    for suit in "CDHS"
]

#           1  2  3  4  5  6  7  8  9  10 11 12 13
GAME = """
            2C 3C 4C AS 5C 7C 8C 9C 6C JC QC KC 10C
            AD 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH
            AH AC 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS
            2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD KS
"""


def rows(text):
    """Return a plain list of lists of cards, from text with one row per line."""
    return [[card(name) for name in line.split()] for line in text.strip().split("\n")]


def names(row):
    """Return the cards of a row as text, the blanks as --."""
    return " ".join("--" if card.rank() == 1 else str(card) for card in row)


def test_initialize_deals_row_by_row():
    random.seed(3)
    deck = cards.Deck()
    deck.shuffle()
    order = [deck.deal() for _ in range(52)]
    random.seed(3)
    tableau = montana.initialize()
    assert [len(row) for row in tableau] == [13, 13, 13, 13]
    assert [card for row in tableau for card in row] == order


def test_initialize_deals_the_deck_that_is_in_the_place_of_the_courses():
    with decks.stacked([cards.Card(*pair) for pair in decks.PACK[::-1]]):
        tableau = montana.initialize()
    assert tableau[0][0] == card("KS") and tableau[3][12] == card("AC")


@pytest.mark.parametrize(
    "text",
    ["2C 3C 4C AS\nAC 5C", "2C 3C\n2D 3D", "AC AD AH AS\n2C", "KC\nQC JC 10C 9C AS 8C", "5C AC AD AH\n6C"],
    ids=["short", "all in sequence", "more blanks than rows", "one card", "one blank too many"],
)
def test_rows_of_any_length(text, capsys):
    """A course's own tests may have rows of any length; only the shuffle needs four rows of thirteen."""
    tableau = rows(text)
    montana.display(tableau)
    assert capsys.readouterr().out.count("\n") == 1 + len(tableau)
    legal = rules_of("montana").legal_moves(tableau)
    for numbers in itertools.product(range(-2, 5), range(-2, 15), range(-2, 5), range(-2, 15)):
        chosen = "", *(number + 1 for number in numbers)
        assert montana.validate_move(tableau, *numbers) is (chosen in legal)
        assert rules_of("montana").validate_move(tableau, *chosen) is (chosen in legal)


def test_shuffle_keeps_sequences_and_puts_the_blank_behind_them():
    tableau = rows(GAME)
    random.seed(5)
    montana.shuffle_tableau(tableau)
    assert names(tableau[0]).startswith("2♣ 3♣ 4♣ -- ")
    assert names(tableau[1]).startswith("-- ")
    assert names(tableau[2]).startswith("-- ")
    assert names(tableau[3]) == "2♦ 3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦ --"
    assert [names(row).count("--") for row in tableau] == [1, 1, 1, 1]
    assert pairs(sum(tableau, [])) == sorted(PACK)


def test_shuffle_shuffles_once_blanks_included_and_deals_in_order():
    tableau = rows(GAME)
    loose = tableau[0][3:] + tableau[1] + tableau[2] + tableau[3][12:]
    random.seed(11)
    random.shuffle(loose)
    order = [str(card) for card in loose if card.rank() != 1]
    random.seed(11)
    montana.shuffle_tableau(tableau)
    dealt = names(tableau[0][4:] + tableau[1][1:] + tableau[2][1:])
    assert dealt.split() == order


def test_shuffle_with_three_complete_rows_leaves_them():
    tableau = rows("\n".join(COMPLETE))
    tableau[3][1], tableau[3][2] = tableau[3][2], tableau[3][1]
    random.seed(2)
    montana.shuffle_tableau(tableau)
    for row, complete in zip(tableau[:3], COMPLETE):
        assert names(row[:12]).replace("♣", "C").replace("♦", "D").replace("♥", "H") == complete[:-3]
        assert row[12].rank() == 1
    assert names(tableau[3]).startswith("2♠ -- ")


def test_a_row_of_thirteen_cards_loses_the_last_in_a_shuffle():
    tableau = rows(GAME)
    for seed in range(5):
        random.seed(seed)
        montana.shuffle_tableau(tableau)
        assert tableau[3][12].rank() == 1, "the King of spades was behind the complete row"


@pytest.mark.parametrize("shuffles", ("2", "3", "0"))
def test_there_are_as_many_shuffles_as_the_option_says(shuffles):
    tableau = rules_of("montana").initialize(shuffles=shuffles)
    for left in range(int(shuffles), 0, -1):
        assert rules_of("montana").status(tableau) == f"{left} shuffle{'s' if left > 1 else ''} left"
        assert rules_of("montana").refusal(tableau, "S") is None
        rules_of("montana").perform(tableau, "S")
    assert rules_of("montana").refusal(tableau, "S") == "No more shuffles remain."
    assert rules_of("montana").refusal(tableau, "", 5, 1, 2, 14) == "There is no row 5, column 1."
    assert rules_of("montana").refusal(tableau, "", 1, 1, 2, 14) == "There is no row 2, column 14."
    assert ("S",) not in rules_of("montana").legal_moves(tableau)


@pytest.mark.parametrize("line", [
    "a", "1 a 3 4", "1.5 2 3 13", "2336", "1 2 3", "1 2 3 4 5", "1,5,1,4", "s s", "ss", "h", "1_5 1 1 4", "1 ５ 1 4",
    "+-1 5 1 4",
])  # fmt: skip
def test_main_takes_nothing_but_four_numbers_and_two_letters(line):
    assert answer_of_main(line) == montana.INVALID_INPUT


@pytest.mark.parametrize("line", [
    "0 5 1 4", "5 5 1 4", "1 0 1 4", "1 14 1 4", "1 5 0 4", "1 5 5 4", "1 5 1 0", "1 5 1 14", "-1 5 1 4",
    "99999999999999999999 1 1 1",
])  # fmt: skip
def test_main_tells_numbers_of_what_is_not_there(line):
    assert answer_of_main(line) == montana.OUT_OF_RANGE


def answer_of_main(line):
    """Return what main() prints for a line."""
    return run("montana --seed 8", f"{line}\nq\nn\n").stdout.decode().split(montana.PROMPT)[1].rstrip("\n")


def test_a_line_of_blanks_is_invalid_input():
    shown = run("montana --seed 1", " \n\t\nq\nn\n").stdout.decode()
    assert shown.count("Error: invalid input.  Please try again.\n") == 2


# The module is the assignment: it is played with only the course's cards.py beside it

COURSE_CARDS = """
import random
random.seed(100)
exec(open({cards!r}, encoding="utf-8").read(), globals())
STACKED = {deck!r}.split()

class StackedDeck(Deck):
    def __init__(self):
        super().__init__()
        self._cards = [Card(RANK_NAMES.index(name[:-1]), "xCDHS".index(name[-1])) for name in STACKED[::-1]]

    def shuffle(self):
        pass

Deck = StackedDeck
"""


@pytest.fixture
def alone(tmp_path):
    """A function that runs montana.py as a program, in a folder with only cards.py, and types some lines into it."""
    shutil.copy(ROOT / "montana.py", tmp_path)

    def play(typed, cards_text):
        (tmp_path / "cards.py").write_text(cards_text, encoding="utf-8")
        command = [sys.executable, "-X", "utf8", "montana.py"]
        done = subprocess.run(command, input=typed.encode(), cwd=tmp_path, capture_output=True, timeout=SECONDS)
        assert done.returncode == 0 and not done.stderr, done.stderr.decode()
        return done.stdout

    return play


@pytest.mark.parametrize("session", ["montana-course1", "montana-course2", "montana-course3", "montana-again"])
def test_its_main_prints_the_courses_sessions_to_the_byte(session, alone):
    typed = (COURSE / f"{session}.in").read_text(encoding="utf-8")
    assert typed.startswith("# montana --seed 100 --deck course.deck\n")
    course_cards = COURSE_CARDS.format(cards=str(ROOT / "cards.py"), deck=COURSE_DECK)
    assert alone(typed.partition("\n")[2], course_cards) == (COURSE / f"{session}.out").read_bytes()


def test_its_main_says_what_the_dispatcher_says_of_each_line(alone):
    typed = "4 13 1 10\n1 1 1 1\nx\n9 9 9 9\n +4   1 -1 1 \n1 2 3\n1 2 3 4 5\n1_0 1 1 1\n\nS\ns\ns\nQ\nmaybe\nY\nq\n"
    seeded = "import random\nrandom.seed(100)\n" + (ROOT / "cards.py").read_text(encoding="utf-8")
    assert alone(typed, seeded) == run("montana --seed 100", typed).stdout


@pytest.mark.parametrize("typed", ["", "s\n", "q\n", "q\ny\n", "q\nx"])
def test_the_end_of_the_input_is_a_quiet_quit(typed, alone):
    assert alone(typed, (ROOT / "cards.py").read_text(encoding="utf-8")).endswith(b"Thank you for playing.\n")


def test_it_has_the_six_functions_of_the_handout_and_fits_on_paper():
    text = (ROOT / "montana.py").read_text(encoding="utf-8")
    parameters = {
        node.name: [one.arg for one in node.args.args] for node in ast.parse(text).body if hasattr(node, "args")
    }
    move = ["tableau", "source_row", "source_col", "dest_row", "dest_col"]
    assert parameters["initialize"] == [] and parameters["move"] == parameters["validate_move"] == move
    assert all(parameters[name] == ["tableau"] for name in ("display", "check_win", "shuffle_tableau"))
    assert len(text.splitlines()) <= 220 and max(map(len, text.splitlines())) <= 80
    tableau = montana.initialize()
    assert type(tableau) is list and [type(row) for row in tableau] == 4 * [list]
