"""A game in which piles come and go, and the order within a pile changes: moves by name, and spoken."""

import helpers
import main
from helpers import add_game


def test_a_pile_that_vanishes_is_told_as_it_moved(monkeypatch):
    monkeypatch.setitem(main.GAMES, "accordion", "A row.")
    moved, back, again, turned, *_ = helpers.heard("accordion --seed 3", "l 2", "undo", "redo", "v 1")
    assert moved == "queen hearts and 3 more onto queen clubs."
    assert back == "Undone: L 2\nqueen hearts and 3 more to pile 2."
    assert again == "Redone: L 2\nqueen hearts and 3 more onto queen clubs."
    assert turned.startswith("Pile 1: 7 clubs, 9 spades, 10 hearts, queen hearts, queen clubs") and "onto" not in turned


UNFINISHED = """
import cards

def initialize():
    dealt = [cards.Card(rank, 1) for rank in range(1, 14)]
    dealt[0].flip_card()
    return [dealt]

def display(game):
    print(*game[0])

def move(game, word, number):
    return False
"""


def test_a_game_without_commands_says_what_is_missing_and_hides_what_lies_face_down(monkeypatch):
    add_game(monkeypatch, "unfinished", UNFINISHED)
    missing = "unfinished.py has no COMMANDS yet, so its moves are not known."
    *said, hidden, shown, _ = helpers.heard(
        "unfinished", "hint", "moves", "2c 3c", "2c", "solve", "where ac", "where 2c"
    )
    assert said == 5 * [missing]
    assert (hidden, shown) == ("ace clubs has not been seen yet.", "2 clubs: row 1, column 2.")
    solved = helpers.run("solve unfinished --seed 1")
    assert solved.stderr.decode() == f"unknown: not decided: {missing[:-1]}, 0 positions\n"


COUNTED = """
from enum import IntEnum
from types import SimpleNamespace
import cards

COMMANDS = "M           move the last card of the stock to the waste\\n"
DRAW_WORD = ""

def initialize():
    stock = [cards.Card(rank, 1) for rank in range(1, 6)]
    return SimpleNamespace(stock=stock, waste=[], said=[], phase=IntEnum("Phase", "FIRST").FIRST)

def display(game):
    print(*game.stock, "/", *game.waste)

def move(game, word):
    if not game.stock:
        return False
    game.waste.append(game.stock.pop())
    game.said.append(len(game.waste))
    return True

def check_win(game):
    return not game.stock
"""


def test_numbers_in_a_list_and_an_enum_in_a_position_are_no_cards(monkeypatch):
    add_game(monkeypatch, "counted", COUNTED)
    said = helpers.heard("counted", "m", "hint", "look", "undo", "redo", "moves", "tops", "where 2c", "solve", "m")
    assert said[1].splitlines()[0] == "M, the only move" and "Said" not in said[2]
    assert not [answer for answer in said if "bug" in answer]


PAIRS = """
import cards

COMMANDS = "P a         take the cards in places a and a + 1, which have one rank\\n"

class Game:
    def __init__(self):
        self.row, self.discard = [cards.Card(*pair) for pair in ((1, 1), (1, 2), (3, 3), (5, 1), (5, 4))], []

initialize = Game

def display(game):
    print(*game.row)

def validate_move(game, word, place):
    return 1 <= place < len(game.row) and game.row[place - 1].rank() == game.row[place].rank()

def legal_moves(game):
    return [("P", place) for place in range(1, len(game.row)) if validate_move(game, "P", place)]

def move(game, word, place):
    if not validate_move(game, word, place):
        return False
    game.discard += game.row[place - 1 : place + 1]
    del game.row[place - 1 : place + 1]
    return True
"""


def test_two_cards_that_are_taken_away_are_named_in_any_order_and_go_onto_no_other(monkeypatch):
    add_game(monkeypatch, "pairs", PAIRS)
    for typed in "ac ad", "ad ac", "5s 5c", "ac":
        said, *_ = helpers.heard("pairs", typed)
        assert "invalid" not in said and "onto" not in said, (typed, said)
