"""Quadzilla's rules: clears, turns, difficulties, and how it is won and lost."""

import random

import pytest

import cards
import quadzilla
from helpers import describe, legal_lines, names, perform, pile

RANKS = quadzilla.RANKS


def position(columns, shoe="", rank="K", difficulty="normal", moves_left=3, turn=5):
    """Return a game: columns a list of names; the shoe's first name is dealt first."""
    columns = [pile(column) for column in columns] + [[] for _ in range(4 - len(columns))]
    return quadzilla.Game(pile(shoe)[::-1], columns, [], RANKS.index(rank) + 1, difficulty, turn, moves_left)


def columns(game):
    """Return the columns of a game as names."""
    return [names(column) for column in game.columns]


# Nothing clears, nothing loses, and every turn has a legal move.
QUIET = "2C 3D 4H 5S"


def test_the_deal():
    random.seed(8)
    rank = random.choice(RANKS)
    deck = cards.Deck()
    deck.shuffle()
    order = [deck.deal() for _ in range(52)]
    random.seed(8)
    game = quadzilla.initialize()
    assert RANKS[game.rank - 1] == rank, "the Quadzilla is drawn before the deck is shuffled"
    assert [column[0] for column in game.columns] == order[:4]
    assert game.shoe[::-1] == order[4:] and game.turn == 1 and game.moves_left == 3


@pytest.mark.parametrize("rank", RANKS)
def test_the_quadzilla_can_be_chosen(rank):
    assert quadzilla.initialize(rank=rank).rank == RANKS.index(rank) + 1


def test_four_of_a_suit_are_cleared_by_a_move():
    game = position(["9H 2S 5S 8S", "JS 4D"], shoe=QUIET)
    perform(quadzilla, game, "M 2 3")
    assert perform(quadzilla, game, "M 2 1") == ("Cleared from column 1: 2♠ 5♠ 8♠ J♠. One more move.")
    assert columns(game) == ["9H", "", "4D", ""] and names(game.discard) == "2S 5S 8S JS"


def test_six_of_a_suit_leave_two():
    game = position(["2S 3S 5S", "6S 8S 9S"], shoe=QUIET)
    perform(quadzilla, game, "M 1 2 3")
    assert columns(game) == ["", "6S 8S", "", ""] and names(game.discard) == "9S 2S 3S 5S"


def test_a_clear_may_expose_another():
    game = position(["2D 3D 4D 5D 6S 7S 8S", "9S", "9C"], shoe=QUIET)
    assert perform(quadzilla, game, "M 2 1").splitlines() == [
        "Cleared from column 1: 6♠ 7♠ 8♠ 9♠. One more move.",
        "Cleared from column 1: 2♦ 3♦ 4♦ 5♦. One more move.",
    ]
    assert columns(game) == ["", "", "9C", ""] and game.moves_left == 4


def test_a_clear_that_a_move_uncovers_in_the_column_it_leaves():
    """Four spades lie under 5♥, for they came as a group of fives; without it they are last."""
    game = position(["2S 3S 4S", "5S 5H"], shoe=QUIET)
    assert perform(quadzilla, game, "M 2 1 2") == ""
    assert perform(quadzilla, game, "M 1 3") == ("Cleared from column 1: 2♠ 3♠ 4♠ 5♠. One more move.")
    assert columns(game)[2] == "5H"


def test_four_quadzilla_cards_are_cleared():
    game = position(["9H KS KH KC", "KD"], shoe=QUIET)
    assert "Cleared from column 1: K♠ K♥ K♣ K♦." in perform(quadzilla, game, "M 2 1")
    assert columns(game)[0] == "9H" and quadzilla.check_loss(game) is None


def test_four_of_another_rank_are_not_cleared():
    game = position(["9H QS QH QC", "QD"], shoe=QUIET)
    assert perform(quadzilla, game, "M 2 1") == ""
    assert columns(game)[0] == "9H QS QH QC QD"


def test_a_suit_clear_with_a_quadzilla_card_loses_by_a_move():
    game = position(["2S KS 8S", "JS"], shoe=QUIET)
    assert quadzilla.check_loss(game) is None
    perform(quadzilla, game, "M 2 1")
    assert quadzilla.check_loss(game) == ("You lost: K♠, a Quadzilla card, was taken by a clear of spades.")
    assert len(game.shoe) == 4 and not quadzilla.check_win(game)
    assert legal_lines(quadzilla, game) == []
    for command in ("D", "M 1 2"):
        with pytest.raises(ValueError, match="The game is over."):
            perform(quadzilla, game, command)


def test_a_suit_clear_with_a_quadzilla_card_loses_by_a_deal_and_ends_it():
    game = position(["9H", "2S KS 8S", "3D"], shoe="2C JS 4D 7H")
    perform(quadzilla, game, "D")
    assert "K♠, a Quadzilla card" in quadzilla.check_loss(game)
    assert columns(game) == ["9H 2C", "", "3D", ""], "the rest of the row is not dealt"
    assert names(game.shoe) == "7H 4D"


@pytest.mark.parametrize("difficulty, moves", [("easy", 6), ("normal", 4), ("hard", 3)])
def test_a_clear_by_a_deal_and_its_bonus(difficulty, moves):
    """On easy two moves are kept: 3 + 2, and 1 for the clear."""
    game = position(["9H 2S 5S 8S"], shoe="JS 2C 3D 4H " + QUIET, difficulty=difficulty, moves_left=2)
    report = perform(quadzilla, game, "D")
    assert report.startswith("Cleared from column 1: 2♠ 5♠ 8♠ J♠.")
    assert ("One more move." in report) == (difficulty != "hard")
    assert (game.moves_left, game.turn) == (moves, 6)


@pytest.mark.parametrize("difficulty, moves", [("easy", 5), ("normal", 3), ("hard", 3)])
def test_unused_moves_are_carried_over_on_easy_only(difficulty, moves):
    game = position(["9H", "9D"], shoe=f"9C 3D 4H 5S {QUIET}", difficulty=difficulty, moves_left=2)
    perform(quadzilla, game, "D")
    assert game.moves_left == moves


@pytest.mark.parametrize("difficulty, moves_left, turn", [("normal", 1, 5), ("hard", 3, 6)])
def test_a_bonus_when_the_count_has_reached_0_leaves_1(difficulty, moves_left, turn):
    game = position(["2S 5S 8S", "JS", "9D", "9C"], shoe=QUIET, difficulty=difficulty, moves_left=1)
    report = perform(quadzilla, game, "M 2 1")
    assert (game.moves_left, game.turn) == (moves_left, turn)
    assert ("Turn 5 ends: the moves are used up." in report) == (turn == 6)


def test_the_turn_ends_when_the_moves_are_used_up():
    game = position(["9H", "9D", "9S"], shoe=QUIET, moves_left=1)
    assert perform(quadzilla, game, "M 1 2") == "Turn 5 ends: the moves are used up."
    assert columns(game) == ["2C", "9D 9H 3D", "9S 4H", "5S"] and game.turn == 6


def test_the_turn_ends_when_no_legal_move_exists():
    game = position(["9H", "10D", "JS", "QC"], shoe="2H 3D 4S 5C 6C 7H 8D 9S " + QUIET)
    assert perform(quadzilla, game, "D").splitlines() == [
        "Turn 6 ends: no legal move is left.",
        "Turn 7 ends: no legal move is left.",
    ]
    assert game.turn == 8 and quadzilla.check_loss(game), "the last one has none either"


def test_an_empty_board_is_a_turn_without_a_legal_move():
    game = position(["2S 5S 8S", "JS"], shoe="2C 2D 4H 5S " + QUIET)
    report = perform(quadzilla, game, "M 2 1").splitlines()
    assert report[1] == "Turn 5 ends: no legal move is left." and game.turn == 6
    assert not quadzilla.check_win(game)


def test_the_first_turn_may_end_by_itself_and_the_board_says_so(capsys):
    class Stacked:
        def __init__(self):
            self.cards = pile("2C 3D 4H 5S 6C 6D 7H 7S" + " 9C" * 44)

        def deal(self):
            return self.cards.pop(0)

    game = quadzilla.initialize(Stacked(), rank="K")
    assert game.turn == 2 and len(game.shoe) == 44
    quadzilla.display(game)
    assert capsys.readouterr().out.startswith("Turn 1 ends: no legal move is left.\n")
    perform(quadzilla, game, "M 1 2")
    quadzilla.display(game)
    assert capsys.readouterr().out.startswith("Quadzilla: K")


# Moves


@pytest.mark.parametrize(
    "command, first_two",
    [
        ("M 1 2 2", ["2H", "5S 9S 9D"]),  # a group of one rank onto its suit
        ("M 1 3 2", ["2H", "5S"]),  # a group of one rank onto its rank
        ("M 1 4 2", ["2H", "5S"]),  # into an empty column
        ("M 1 3", ["2H 9S", "5S"]),  # a single card
    ],
)
def test_groups_move_in_order(command, first_two):
    game = position(["2H 9S 9D", "5S", "9C"], shoe=QUIET)
    perform(quadzilla, game, command)
    assert columns(game)[:2] == first_two


def test_a_group_of_one_suit_onto_its_rank():
    game = position(["2H 4S 7S", "4D"], shoe=QUIET)
    perform(quadzilla, game, "M 1 2 2")
    assert columns(game)[:2] == ["2H", "4D 4S 7S"]


@pytest.mark.parametrize("command, reason", [
    ("M 0 1", "There is no column 0"), ("M 1 5", "There is no column 5"), ("M 1 1", "onto itself"),
    ("M 1 2 0", "Move at least one card"), ("M 1 2 4", "Column 1 has no 4 cards, only 3."),
    ("M 4 1", "Column 4 is empty."), ("M 1 2 3", "2♥ 9♠ 9♦ are neither of one suit nor of one rank."),
    ("M 1 2", "9♦ does not go on 5♠")])  # fmt: skip
def test_refused_moves_say_why_and_spend_no_move(command, reason):
    game = position(["2H 9S 9D", "5S", "9C"], shoe=QUIET)
    with pytest.raises(ValueError, match=f"^Error: invalid move.  .*{reason}"):
        perform(quadzilla, game, command)
    assert game.moves_left == 3 and columns(game) == ["2H 9S 9D", "5S", "9C", ""]


def test_the_reason_for_a_move_says_what_it_clears():
    game = position(["2H 9S", "3S 4S 5S", "9C"], shoe=QUIET)
    assert quadzilla.reason(game, "M", 1, 2) == "clears 4 cards"
    assert quadzilla.reason(game, "M", 1, 3) == "opens the 2♥" and quadzilla.reason(game, "D") == ""


def test_a_column_can_be_looked_at_from_its_first_card():
    long = " ".join(f"{rank}{suit}" for rank in ("10", "9", "8") for suit in "HDC" * 4)
    game = position(["9H", long], shoe=QUIET)
    assert quadzilla.show_column(game, 1) == "Column 1: 9♥"
    assert quadzilla.show_column(game, 3) == "Column 3: empty"
    assert quadzilla.show_column(game, 2).split()[2:] == [str(card) for card in game.columns[1]]
    assert quadzilla.refusal(game, "P", 5) == "There is no column 5, only 1 to 4."


def test_a_move_without_moves_left_is_refused():
    game = position(["9H", "9D"], shoe=QUIET, moves_left=0)
    with pytest.raises(ValueError, match="No moves are left in this turn."):
        perform(quadzilla, game, "M 1 2")


# The last turn


def test_the_last_turn_won():
    game = position(["2S 5S 8S", "JS"], moves_left=1, turn=13)
    perform(quadzilla, game, "M 2 1")
    assert quadzilla.check_win(game) and quadzilla.check_loss(game) is None


@pytest.mark.parametrize("command, moves_left", [("M 1 2", 1), ("D", 3)])
def test_the_last_turn_lost(command, moves_left):
    game = position(["2S", "JS", "4H"], moves_left=moves_left, turn=13)
    assert quadzilla.check_loss(game) is None
    perform(quadzilla, game, command)
    assert quadzilla.check_loss(game) == ("You lost: the last turn is over, with cards on the board: 3.")


def test_the_last_turn_is_lost_at_once_without_a_legal_move():
    assert quadzilla.check_loss(position(["2S", "3H", "4C", "5D"], turn=13))


# Commands


def test_most_useful_first():
    game = position(["2S 5S 8S", "JS", "KS", "4H"], shoe=QUIET)
    commands = legal_lines(quadzilla, game)
    assert commands[:2] == ["M 1 2 3", "M 2 1"] and "D" in commands
    assert commands[-1] == "M 3 1", "it loses the game"
    game = position(["2S KS 8S", "JS"], shoe=QUIET)
    assert legal_lines(quadzilla, game)[-1] == "M 2 1"


def test_describe():
    game = position(["2H 9S 9D", "5S", "9C"], shoe=QUIET)
    assert describe(quadzilla, game, "M 1 3") == "9♦ onto 9♣"
    assert describe(quadzilla, game, "M 1 2 2") == "9♠ onto 5♠ (2 cards)"
    assert describe(quadzilla, game, "M 1 4 2") == "9♠ to the empty column 4 (2 cards)"
    assert describe(quadzilla, game, "D") == "end the turn"


def test_a_column_of_thirty_cards_shows_its_end(capsys):
    long = " ".join(f"{rank}{suit}" for rank in ("10", "9", "8") for suit in "HDC" * 4)[:-3]
    game = position(["9H", long, "10S 9S"], shoe=QUIET)
    quadzilla.display(game)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7 and max(map(len, lines)) <= 80
    assert lines[0] == "Quadzilla: K (normal)   Turn 5 of 13   Moves left: 3   Shoe: 4   Discard: 0"
    assert lines[2].endswith("   3   2   1") and lines[3].endswith("  9♥")
    assert lines[5].endswith(" 10♠  9♠")
    hidden = len(game.columns[1]) - 17
    assert lines[4].startswith(f"  2: +{hidden}")
    assert lines[4].split()[2:] == [str(card) for card in game.columns[1][-17:]]
