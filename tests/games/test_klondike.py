"""Klondike's rules, and when it is lost."""

import math
import random

import pytest

import cards
import klondike
import helpers
from cases import klondike_endings, klondike_key
from helpers import card, describe, legal_lines, names, perform, pile
from solvers import positions
from patience.consoles import script
from patience import lines as grammar
from patience.decks import PACK


def position(columns, waste="", stock="", foundations="", draw=1):
    """Return a game: columns a list of names, foundations a word for each: "3C KH"."""
    tops = {name[-1]: card(name).rank() for name in foundations.split()}
    built = [
        pile(" ".join(f"{rank}{suit}" for rank in "A 2 3 4 5 6 7 8 9 10 J Q K".split()[:top]))
        for suit, top in tops.items()
    ]
    built += [[] for _ in range(4 - len(built))]
    tableau = [pile(column) for column in columns] + [[] for _ in range(7 - len(columns))]
    return klondike.Game(pile(stock)[::-1], pile(waste), built, tableau, draw)


def all_commands():
    """Return every command that there is, with all numbers."""
    columns, foundations = range(1, 8), range(1, 5)
    return [
        "SW",
        "A",
        "WF",
        *(f"TT {s} {d} {n}" for s in columns for d in columns for n in range(1, 14)),
        *(f"TT {s} {d}" for s in columns for d in columns),
        *(f"TF {s}" for s in columns),
        *(f"TF {s} {f}" for s in columns for f in foundations),
        *(f"WT {d}" for d in columns),
        *(f"WF {f}" for f in foundations),
        *(f"FT {f} {d}" for f in foundations for d in columns),
    ]


def position_after(game, command):
    """Return the game as it is after a command, or None if it is refused."""
    move = grammar.read(helpers.as_rules(klondike), command)
    if not klondike.validate_move(game, *move):
        return None
    game = positions.copy_of(game)
    assert klondike.move(game, *move)
    return game


def test_the_deal():
    random.seed(4)
    deck = cards.Deck()
    deck.shuffle()
    order = [deck.deal() for _ in range(52)]
    random.seed(4)
    game = klondike.initialize()
    assert [len(column) for column in game.tableau] == [1, 2, 3, 4, 5, 6, 7]
    first_rows = [column[0] for column in game.tableau], [column[1] for column in game.tableau[1:]]
    assert first_rows == (order[:7], order[7:13])
    for column in game.tableau:
        assert [card.is_face_up() for card in column] == [False] * (len(column) - 1) + [True]
    assert game.stock[::-1] == order[28:] and game.waste == [] and game.draw == 3
    assert klondike.initialize(cards.Deck(), draw="1").draw == 1


def test_columns_build_down_in_alternating_colours():
    column = pile("10S")
    fitting = [name for name in "9H 9D 9S 9C JH 8H 10H KH".split() if klondike.can_build(card(name), column)]
    assert fitting == ["9H", "9D"]
    assert [klondike.can_build(card(name), []) for name in ("KH", "QH", "AS")] == [True, False, False]


def test_foundations_build_up_in_suit():
    assert [klondike.can_found(card(name), pile("AH 2H")) for name in ("3H", "3D", "4H", "2H")] == [
        True,
        False,
        False,
        False,
    ]
    assert klondike.can_found(card("AS"), []) and not klondike.can_found(card("2S"), [])


@pytest.mark.parametrize(
    "command, column_1, column_2",
    [
        ("TT 1 2", "XX AC KD QS", "QD JH 10S 9H"),
        ("TT 1 2 2", "XX AC KD QS", "QD JH 10S 9H"),
        *((refused, None, None) for refused in ("TT 1 2 1", "TT 1 2 3", "TT 1 2 5", "TT 1 2 0", "TT 2 1")),
    ],
)
def test_any_face_up_card_moves_with_all_on_it(command, column_1, column_2):
    game = position(["XX AC KD QS 10S 9H", "QD JH"])
    result = position_after(game, command)
    if column_1 is None:
        assert result is None
    else:
        assert (names(result.tableau[0]), names(result.tableau[1])) == (column_1, column_2)


def test_only_a_king_or_its_run_goes_into_an_empty_column():
    game = position(["XX AC KD QS", "QH JS", "XX 2C KC"])
    assert names(position_after(game, "TT 1 4").tableau[3]) == "KD QS"
    assert names(position_after(game, "TT 3 4").tableau[3]) == "KC"
    assert position_after(game, "TT 2 4") is None and position_after(game, "TT 1 4 1") is None
    with pytest.raises(ValueError, match="Only a King goes into an empty column, not J♠."):
        perform(klondike, game, "TT 2 4")


def test_a_card_left_face_down_is_turned_up_at_once():
    game = position(["XX AC XX 2D 9H", "10S", "XX 3D AH"])
    game = position_after(game, "TT 1 2")
    assert names(game.tableau[0]) == "XX AC 2D"
    assert names(position_after(game, "TF 3").tableau[2]) == "3D"


def test_a_kings_column_may_move_to_an_empty_one_but_no_hint_proposes_it():
    game = position(["KD QS", "5C"], stock="AS")
    assert names(position_after(game, "TT 1 3").tableau[2]) == "KD QS"
    assert legal_lines(klondike, game) == ["SW"]


def test_an_ace_may_start_any_empty_foundation():
    game = position(["AC", "AH"], waste="AD", foundations="2S")
    assert [len(foundation) for foundation in position_after(game, "TF 1 3").foundations] == [2, 0, 1, 0]
    assert names(position_after(game, "WF").foundations[1]) == "AD"
    assert names(position_after(game, "WF 4").foundations[3]) == "AD"
    assert position_after(game, "TF 1 1") is None
    commands = legal_lines(klondike, game)
    assert commands.index("TF 1") < commands.index("TF 1 3")
    assert {"TF 1", "TF 1 3", "TF 1 4", "TF 2", "WF", "WF 3", "WF 4", "A"} <= set(commands)


def test_cards_come_back_from_the_foundations():
    game = position(["4D", "3C"], foundations="3S AH")
    game = position_after(game, "FT 1 1")
    assert names(game.tableau[0]) == "4D 3S" and names(game.foundations[0]) == "AS 2S"
    assert position_after(game, "FT 2 2") is None


def test_draw_three_turns_fewer_when_fewer_are_left_and_keeps_the_order():
    game = position([], stock="AC 2C 3C 4C 5C", draw=3)
    tops = []
    for _ in range(6):
        tops.append(names(game.waste))
        game = position_after(game, "SW")
    assert tops == ["", "AC 2C 3C", "AC 2C 3C 4C 5C"] * 2


def test_draw_one_shows_every_card_in_two_passes():
    game = klondike.initialize(draw="1")
    tops = []
    for _ in range(50):
        perform(klondike, game, "SW")
        tops.append(names(game.waste[-1:]))
    assert len(set(tops[:24])) == 24 and tops[24] == "" and tops[25:49] == tops[:24]


def test_a_draw_from_nothing_is_refused():
    with pytest.raises(ValueError, match="Stock and waste are both empty."):
        perform(klondike, position(["5C"]), "SW")
    with pytest.raises(ValueError, match="Draw at least once"):
        perform(klondike, position(["5C"], stock="2C"), "SW 0")


def test_sw_draws_many_times_but_stops_at_a_card_that_can_be_played():
    game = position(["5H"], stock="2C 9D 4C 9C AD 8C", draw=1)
    assert perform(klondike, game, "SW 2") == "" and names(game.waste) == "2C 9D"
    perform(klondike, game, "SW 9")
    assert names(game.waste) == "2C 9D 4C", "onto 5H"
    perform(klondike, game, "SW 9")
    assert names(game.waste[-1:]) == "AD", "to a foundation"
    assert perform(klondike, game, "SW 4") == "The waste is turned over."
    assert names(game.waste) == "2C 9D"
    game = position([], stock="2C 9D 4C 9C KD", draw=3)
    perform(klondike, game, "SW 9")
    assert names(game.waste[-1:]) == "KD", "into an empty column"


@pytest.mark.parametrize("passes", klondike.OPTIONS["passes"])
@pytest.mark.parametrize("draw", klondike.OPTIONS["draw"])
def test_sw_with_a_number_is_that_many_single_draws(draw, passes):
    """From the middle of games played at random; in half of them nothing fits, so it draws to the end."""
    chance = random.Random(4)
    for seed in range(20):
        random.seed(seed)
        game = klondike.initialize(None, draw, passes)
        for _ in range(chance.randrange(40)):
            klondike.move(game, *chance.choice(klondike.legal_moves(game) or [("SW",)]))
        if seed % 2:
            game.tableau = [pile("AC") for _ in range(7)]
            game.stock = [card for card in game.stock if card.rank() != 1]
            game.waste = [card for card in game.waste if card.rank() != 1]
        for count in (1, 2, 9, 25, 26, 77, 1000):
            at_once, one_by_one = positions.copy_of(game), positions.copy_of(game)
            klondike.move(at_once, "SW", count)
            for _ in range(count):
                if not klondike.move(one_by_one, "SW"):
                    break
                if one_by_one.waste and klondike.fits_somewhere(one_by_one, one_by_one.waste[-1]):
                    break
            assert at_once == one_by_one, count
    klondike.move(game, "SW", 999_999_999)


def test_sw_stops_in_the_second_pass_at_a_card_that_does_not_come_up_in_the_first():
    game = position(["5H", *["JH"] * 6], waste="2D", stock="2C 4S 9D 4D 9C", draw=3)
    perform(klondike, game, "SW 999999999")
    assert names(game.waste) == "2D 2C 4S"


def test_a_plays_all_that_can_go_one_after_the_other():
    game = position(["3C AC", "XX 4H 2C"], waste="5S 4C", foundations="AH")
    assert perform(klondike, game, "A") == "4 cards to the foundations."
    assert names(game.waste) == "5S" and names(game.foundations[1]) == "AC 2C 3C 4C"
    assert names(game.tableau[1]) == "4H"
    with pytest.raises(ValueError, match="No card can go to a foundation."):
        perform(klondike, game, "A")


def test_won_when_all_cards_are_on_the_foundations():
    game = position(["KH"], foundations="KC KD KS QH")
    assert not klondike.check_win(game)
    assert klondike.check_win(position_after(game, "TF 1")) and not klondike.check_loss(position_after(game, "TF 1"))


# Lost


def test_lost_when_nothing_fits():
    assert klondike.check_loss(position(["4D", "6D"], stock="8D 10D"))
    assert klondike.check_loss(position(["4D", "6D"]))


@pytest.mark.parametrize(
    "game",
    [
        position(["4D", "6D"], waste="5C"),
        position(["4D", "6D"], stock="8D 10D 5S"),
        position(["4D", "6D"], waste="5S 8D"),
        position(["4D", "6D"], stock="AH"),
        position(["4D", "6D"], stock="8C 3C 8S 8H", waste="8D", draw=3),
        position(["4D", "3C"]),
        position(["4D"], foundations="3S"),
        position(["XX 5C KH"]),
        position(["4D", "6D"], stock="8D 10D 2D 3C 8H", draw=3, waste="9H 9D"),
    ],
    ids="waste stock under-waste ace this-pass move from-foundation king next-pass".split(),
)
def test_not_lost_while_something_is_left_to_do(game):
    assert klondike.check_loss(game) is None


def test_lost_where_the_only_fitting_card_never_comes_up():
    game = position(["4D", "6D"], stock="8D 10H 10D 3C 9D 9H", draw=3)
    assert klondike.check_loss(game)
    game.waste.append(game.stock.pop())
    assert klondike.check_loss(game) is None, "3C comes up in this pass"


def test_lost_for_a_kings_column_and_an_empty_one():
    assert klondike.check_loss(position(["KD QS", "4H"], stock="6H"))


def test_lost_is_said_at_once_even_after_the_deal():
    assert klondike.check_loss(klondike.initialize(StackedAllEven(), draw="3")) is not None


class StackedAllEven:
    """A deck that is lost from the start: the open cards are red and even, the aces face down."""

    def __init__(self):
        open_cards = pile("2D 4D 6D 8D 10D QD 2H")
        talon = pile("4H 6H 8H 10H QH 3D 5D 7D 9D JD KD 3H 5H 7H 9H JH KH 3C 5C 7C 9C JC KC 3S")
        talon.sort(key=lambda card: card.suit() not in (2, 3))
        hidden = [
            card for card in map(lambda pair: cards.Card(*pair), PACK) if card not in open_cards and card not in talon
        ]
        # Every third card of the talon is red: these alone come up.
        red = [card for card in talon if card.suit() in (2, 3)]
        black = [card for card in talon if card not in red]
        come_up, rest = red[:8], red[8:] + black
        talon = [card for top in come_up for card in (rest.pop(), rest.pop(), top)]
        self.order = []
        for row in range(7):
            for column in range(row, 7):
                self.order.append(open_cards.pop() if row == column else hidden.pop())
        self.order += talon

    def deal(self):
        return self.order.pop(0)


@pytest.mark.parametrize("draw", (1, 3))
@pytest.mark.parametrize("seed", range(2))
def test_lost_is_what_the_rules_call_lost(seed, draw):
    """By trying all commands: only SW changes anything, now and however often one draws."""
    for game in klondike_endings(seed, draw):
        seen, drawn, way_on = set(), game, klondike.check_win(game)
        while not way_on and drawn and klondike_key(drawn) not in seen:
            seen.add(klondike_key(drawn))
            for command in all_commands():
                result = position_after(drawn, command)
                if command != "SW" and result and klondike_key(result) != klondike_key(drawn):
                    way_on = True
            drawn = position_after(drawn, "SW")
        assert (klondike.check_loss(game) is None) == way_on


# Passes through the stock


@pytest.mark.parametrize("passes, turns", [("3", 2), ("1", 0)])
def test_the_stock_is_gone_through_so_often_and_no_more(passes, turns):
    game = klondike.initialize(draw="3", passes=passes)
    for left in range(turns, -1, -1):
        assert f"(draw 3, passes: {left})" in script.capture_display(klondike.display, game)
        for _ in range(8):
            assert klondike.move(game, "SW")
        assert not game.stock and len(game.waste) == 24
        assert klondike.move(game, "SW") == bool(left)
    assert klondike.refusal(game, "SW") == "No pass through the stock is left."
    assert ("SW",) not in klondike.legal_moves(game) and len(game.waste) == 24


def test_a_card_that_no_pass_brings_up_again_is_no_way_on():
    """8♠ would fit on 9♥ when the waste is turned over, and 2♣ covers it now."""
    for turns, lost in ((0, True), (1, False), (math.inf, False)):
        game = position(["XX QD 9H", "KS", "KC", "QS", "QC", "JS", "JC"], waste="8S 2C", draw=1)
        game.turns_over = turns
        assert (klondike.check_loss(game) is not None) == lost


# Commands


def test_most_useful_first():
    game = position(["XX AC XX 2D 9H", "10S", "JH 10C 9D", "2H", "JD"], waste="8S", stock="AS 2C", foundations="AH 2C")
    assert legal_lines(klondike, game) == ["TF 4", "TT 1 2", "TT 2 5", "A", "WT 1", "WT 3", "SW", "TT 3 2", "TT 3 5"]


def test_an_unsafe_card_is_not_played_up_before_a_card_is_turned():
    game = position(["XX 9C 5S", "6H", "4H"], foundations="3H")
    commands = legal_lines(klondike, game)
    assert commands.index("TT 1 2") < commands.index("TF 3")
    assert not klondike.is_safe(game, card("4H"))
    assert klondike.is_safe(position([], foundations="3C 3S"), card("4H"))
    assert klondike.is_safe(position([]), card("2H"))


def test_describe():
    game = position(["XX AC 9D", "10S", "2H"], waste="AH", stock="3C 4C", foundations="AS 9H", draw=3)
    told = {command: describe(klondike, game, command) for command in legal_lines(klondike, game)}
    assert told["TT 1 2"] == "9♦ onto 10♠" and told["FT 2 2"] == "9♥ onto 10♠"
    assert told["WF"] == "A♥ to a foundation" and told["WF 4"] == "A♥ to foundation 4"
    assert told["SW"] == "turn 2 cards"
    game = position(["XX AC KD QS"], waste="5H")
    assert describe(klondike, game, "TT 1 2") == "K♦ to the empty column 2"
    assert describe(klondike, game, "SW") == "turn the waste over"


def test_the_board_stays_aligned_with_a_column_of_19_cards(capsys):
    long = "XX 2C XX 3C XX 4C XX 5C XX 6C XX 7C " + "KH QS JH 10S 9H 8S 7H 6S 5H 4S 3H 2S AH"
    game = position(["", "", "", "", "", "", long], waste="9C 10C JC", stock="QC", foundations="10D")
    klondike.display(game)
    lines = capsys.readouterr().out.splitlines()
    assert "10♦" in lines[0] and lines[1].endswith("  9♣   10♣  [J♣]")
    heading = lines[2]
    assert len(lines) == 3 + 19 and max(map(len, lines)) <= 80
    end = heading.index("7") + 2
    assert all(len(line) == end and line[end - 3 :].strip() for line in lines[3:])
