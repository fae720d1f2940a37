"""Zodiac's rules, its two phases, and when it is lost."""

import copy
import random
from collections import Counter

import pytest

import cards
import helpers
from patience import decks, effects, lines as grammar, rules
import zodiac
from helpers import card, describe, legal_lines, names, pairs, perform, pile

SUITS = "CDHS"


def position(piles, equator="", waste="", stock="", foundations=""):
    """Return a game: piles a dict of number -> names, foundations a word each: "3C 5C AH".

    The other piles are empty, as they may be in the second phase.
    """
    tops = [card(name) for name in foundations.split()]
    built = [[] for _ in range(8)]
    for top in tops:
        place = 2 * top.suit() - 2 + bool(built[2 * top.suit() - 2])
        built[place] = [cards.Card(rank, top.suit()) for rank in range(1, top.rank() + 1)]
    cells = [[] if name == "--" else [card(name)] for name in equator.split()]
    cells += [[] for _ in range(8 - len(cells))]
    tableau = [pile(piles.get(z, "")) for z in range(1, 25)]
    return zodiac.Game(pile(stock)[::-1], pile(waste), cells, tableau, built)


# In phase 1 every pile has a card: the Queens keep out of the way of what is tested.
QUEENS = {z: "QC" for z in range(1, 25)}


def all_commands():
    """Return every command that there is, with all numbers."""
    numbers, cells = range(1, 25), range(1, 9)
    found = ["D", "A", "WE", *(f"EZ {e} {z}" for e in cells for z in numbers)]
    found += [f"{word} {z}" for word in ("WZ", "ZF") for z in numbers]
    return found + [f"{word} {e}" for word in ("WE", "EF") for e in cells]


def refuse(game, command):
    """Return what is said of a command that must be refused, and must change nothing."""
    before = copy.deepcopy(game)
    with pytest.raises(ValueError) as error:
        perform(zodiac, game, command)
    assert game == before
    return str(error.value)


def test_the_deal_of_two_packs_shuffled_together():
    random.seed(6)
    order = []
    for pack in (cards.Deck(), cards.Deck()):
        while not pack.is_empty():
            order.append(pack.deal())
    random.shuffle(order)
    random.seed(6)
    game = zodiac.initialize()
    assert game.equator == [[card] for card in order[:8]] and game.waste == []
    assert [pile for pile in game.zodiac] == [[card] for card in order[8:32]]
    assert game.stock[::-1] == order[32:]
    assert Counter(pairs(order)) == Counter(zodiac.PACK)


def test_a_deck_that_is_handed_in_is_dealt_as_it_is():
    order = pairs(zodiac.initialize().stock) * 2
    order = order[:104]
    game = zodiac.initialize(decks.StackedDeck(order))
    assert pairs(game.equator[0]) == order[:1] and pairs([game.zodiac[0][0]]) == order[8:9]
    assert pairs(game.stock[-1:]) == order[32:33] and pairs(game.stock[:1]) == order[103:]


def test_a_deck_file_holds_every_card_twice():
    text = (helpers.SCRIPTS / "zodiac-win.deck").read_text()
    assert len(decks.parse(text, zodiac.PACK)) == 104
    with pytest.raises(ValueError, match="^too often: 4S; missing: JC$"):
        decks.parse(text.replace("JC", "4S", 1), zodiac.PACK)


def test_the_zodiac_builds_in_suit_up_or_down_and_does_not_wrap():
    fits = [name for name in "4H 5H 6H 5D 4S 7H".split() if zodiac.can_build(card(name), pile("5H"))]
    assert fits == ["4H", "6H"]
    assert not zodiac.can_build(card("KC"), pile("AC"))
    assert not zodiac.can_build(card("AC"), pile("KC"))


def test_a_pile_may_change_direction():
    game = position({**QUEENS, 3: "5H"}, equator="6H 5H 4H", stock="9S")
    for command in ("EZ 1 3", "EZ 2 3", "EZ 3 3"):
        perform(zodiac, game, command)
    assert names(game.zodiac[2]) == "5H 6H 5H 4H" and game.equator[:3] == [[], [], []]


def test_cells_of_the_equator_are_filled_from_the_waste():
    game = position(QUEENS, equator="2C -- 3C --", waste="7D 8D 9D", stock="9S")
    perform(zodiac, game, "WE")
    assert names(game.equator[1]) == "9D"
    perform(zodiac, game, "we 4")
    assert names(game.equator[3]) == "8D"
    assert "lies 2♣" in refuse(game, "WE 1")
    assert names(game.waste) == "7D"


def test_nothing_goes_to_a_foundation_in_the_first_phase():
    game = position({**QUEENS, 1: "AH"}, equator="AS", stock="9S")
    for command in ("ZF 1", "EF 1", "A"):
        assert "until stock and waste are empty" in refuse(game, command)


def test_two_passes_through_the_stock_show_the_same_cards():
    game = zodiac.initialize()
    tops = []
    for _ in range(2 * 73):
        perform(zodiac, game, "D")
        tops.append(names(game.waste[-1:]))
    assert tops[:73] == tops[73:] and tops[72] == ""


def test_the_second_phase_begins_by_itself_and_is_announced():
    game = position({**QUEENS, 1: "5H"}, equator="--", waste="4H")
    assert perform(zodiac, game, "WZ 1") == zodiac.PHASE_2
    assert zodiac.phase(game) == 2
    game = position({1: "5H"}, waste="4S")
    assert perform(zodiac, game, "WE") == zodiac.PHASE_2


def test_only_the_foundations_are_open_in_the_second_phase():
    game = position({1: "5H", 2: "AH AC"}, equator="4H AS", foundations="2C")
    for command in ("D", "WZ 1", "WE", "EZ 1 1"):
        assert "mpty" in refuse(game, command)
    perform(zodiac, game, "ZF 2")
    perform(zodiac, game, "ZF 2")
    perform(zodiac, game, "EF 2")
    assert [len(foundation) for foundation in game.foundations] == [2, 1, 0, 0, 1, 0, 1, 0]
    assert "5♥ does not go to a foundation yet" in refuse(game, "ZF 1")
    assert "Pile 2 is empty" in refuse(game, "ZF 2")


def test_each_suit_has_two_foundations():
    game = position({1: "2C", 2: "AC", 3: "2C"}, foundations="AC")
    for command in ("ZF 1", "ZF 2", "ZF 3"):
        perform(zodiac, game, command)
    assert [len(foundation) for foundation in game.foundations] == [2, 2, 0, 0, 0, 0, 0, 0]


# A


def test_a_plays_on_while_there_is_nothing_to_choose():
    game = position({1: "3C AC", 2: "2C", 5: "AH"}, equator="4C")
    assert perform(zodiac, game, "A") == "5 cards to the foundations."
    assert [len(foundation) for foundation in game.foundations] == [4, 0, 0, 0, 1, 0, 0, 0]


def test_a_leaves_the_choice_between_two_piles():
    game = position({4: "9D 2C", 9: "8D 2C", 7: "3H 2H AH"}, foundations="AC")
    assert perform(zodiac, game, "A") == "3 cards to the foundations. Choose: 2♣ from pile 4 or 9."
    assert names(game.zodiac[3]) == "9D 2C" and names(game.zodiac[8]) == "8D 2C"
    assert "Choose: 2♣ from pile 4 or 9." in refuse(game, "A")
    assert legal_lines(zodiac, game) == ["ZF 4", "ZF 9"]


def test_a_goes_on_after_the_choice():
    game = position({4: "3C 2C", 9: "8D 2C"}, foundations="AC")
    perform(zodiac, game, "ZF 4")
    assert perform(zodiac, game, "A") == "1 card to the foundations."
    assert names(game.zodiac[8]) == "8D 2C"


def test_both_copies_go_where_both_can():
    game = position({4: "9D 2C", 9: "8D 2C"}, foundations="AC AC")
    assert perform(zodiac, game, "A") == "2 cards to the foundations."


def test_a_twin_on_the_equator_or_under_other_cards_is_no_choice():
    game = position({4: "3C 2C", 9: "2C 8D"}, equator="2C", foundations="AC")
    perform(zodiac, game, "A")
    assert not game.zodiac[3] and names(game.equator[0]) == "2C", "the pile goes first, then 3C"
    game = position({4: "9D 2C", 9: "2C 8D"}, foundations="AC")
    perform(zodiac, game, "A")
    assert names(game.zodiac[3]) == "9D"


@pytest.mark.parametrize("seed", range(40))
def test_a_never_chooses_and_never_stops_early(seed):
    """Against the rule read anew: no card whose twin was on top of another pile was played."""
    chance = random.Random(seed)
    loose = [cards.Card(*pair) for pair in zodiac.PACK]
    chance.shuffle(loose)
    game = position({})
    game.equator = [[one] for one in loose[:8]]
    for place, loose_card in enumerate(loose[8:]):
        game.zodiac[place % 24 if seed % 2 else chance.randrange(24)].append(loose_card)
    while True:
        before = copy.deepcopy(game)
        if not zodiac.play_on(game):
            break
        replay = before
        while sum(map(len, replay.foundations)) < sum(map(len, game.foundations)):
            free = free_card(replay)
            assert free is not None
            zodiac.move(replay, *free)
        assert replay == game
    assert free_card(game) is None


def free_card(game):
    """Return the first move of a card that A may play, found by the words of the rules."""
    tops = [pile[-1] if pile else None for pile in game.zodiac]
    places = [("ZF", z, top) for z, top in enumerate(tops, 1) if top]
    places += [("EF", e, cell[-1]) for e, cell in enumerate(game.equator, 1) if cell]
    for kind, number, here in places:
        heights = [len(foundation) for foundation in game.foundations[2 * here.suit() - 2 : 2 * here.suit()]]
        twins = [z for z, top in enumerate(tops, 1) if top == here and (kind, z) != ("ZF", number)]
        ready = heights.count(here.rank() - 1)
        if ready == 2 or ready == 1 and not twins:
            return kind, number
    return None


# Won and lost


def test_won_when_all_104_cards_are_on_the_foundations():
    full = "KC KC KD KD KH KH KS "
    game = position({3: "KS"}, foundations=full + "QS")
    assert not zodiac.check_win(game) and zodiac.check_loss(game) is None
    perform(zodiac, game, "ZF 3")
    assert zodiac.check_win(game) and zodiac.check_loss(game) is None


@pytest.mark.parametrize("changes", [
    {"equator": "2C 4D 2H 2S 8C 8D 8H --"},
    {"stock": "9H JC"},
    {"waste": "JC 9H"},
    {"equator": "2C 4D 2H 2S 8C 8D KC 8S"},
], ids=["an empty cell", "stock", "under the waste", "Equator"])  # fmt: skip
def test_the_first_phase_is_lost_only_when_nothing_is_left(changes):
    full = {"equator": "2C 4D 2H 2S 8C 8D 8H 8S", "stock": "9H"}
    assert zodiac.check_loss(position(QUEENS, **full))
    assert zodiac.check_loss(position(QUEENS, **{**full, **changes})) is None


@pytest.mark.parametrize(
    "stock, waste, equator, lost",
    [
        ("9H 9D", "9S", "2C 4D 2H 2S 8C --", False),  # three cards for three cells: phase 2 comes
        ("9H 9D", "9S", "2C 4D 2H 2S 8C 8H --", True),
        ("", "9H 9D", "2C 4D 2H 2S 8C 8H KH --", True),
        ("", "9H JC", "2C 4D 2H 2S 8C 8H KH --", False),
        ("", "9H 9D", "2C 4D 2H 2S 8C 8H KC --", False),
    ],
)
def test_the_first_phase_is_lost_as_soon_as_the_cells_are_too_few(stock, waste, equator, lost):
    game = position(QUEENS, equator, waste, stock)
    assert bool(zodiac.check_loss(game)) is lost
    while lost and zodiac.phase(game) == 1 and [] in game.equator:
        perform(zodiac, game, "WE" if game.waste else "D")
        assert zodiac.check_loss(game)


def test_d_turns_many_cards_but_stops_at_one_that_fits():
    stock = "2C 4D JC 8C 8D"
    game = position(QUEENS, "KC", stock=stock)
    assert perform(zodiac, game, "D 2") == "" and names(game.waste) == "2C 4D"
    perform(zodiac, game, "D 9")
    assert names(game.waste) == "2C 4D JC"
    assert perform(zodiac, game, "d 3") == "The waste is turned over."
    assert names(game.waste) == "" and names(game.stock[::-1]) == stock
    assert "Turn at least one card" in refuse(game, "D 0")


@pytest.mark.parametrize("count", [*range(1, 15), 999_999_999])
def test_d_with_any_number_is_d_so_many_times(count):
    game = position(QUEENS, "2C", waste="2C 4D", stock="8C 8D 2D")
    other = copy.deepcopy(game)
    perform(zodiac, game, f"D {count}")
    for _ in range(min(count, count % 6 + 6)):
        perform(zodiac, other, "D")
    assert game == other


@pytest.mark.parametrize("seed", range(6))
def test_lost_is_what_the_rules_call_lost(seed):
    """By trying all commands: a game is lost where none but D does anything, ever."""
    random.seed(seed)
    chance = random.Random(seed)
    game = zodiac.initialize()
    while zodiac.check_loss(game) is None and not zodiac.check_win(game):
        moves = [command for command in legal_lines(zodiac, game) if command not in ("D", "A")]
        perform(zodiac, game, chance.choice(moves or ["D"]))
        if zodiac.phase(game) == 1 and [] not in game.equator and chance.random() < 0.2:
            assert (zodiac.check_loss(game) is None) == way_on(game)
    while zodiac.phase(game) == 1 and [] in game.equator:
        assert zodiac.check_loss(game) and not any_builds(game)
        perform(zodiac, game, "WE" if game.waste else "D")
    assert not way_on(game)


def any_builds(game):
    """Return whether any card outside the Zodiac could be built, if it came up."""
    loose = sum(game.equator, game.stock + game.waste)
    return any(zodiac.can_build(card, pile) for card in loose for pile in game.zodiac)


def way_on(game):
    """Return whether any command but D is accepted, now or after any number of D."""
    game = copy.deepcopy(game)
    for _ in range(2 * len(game.stock + game.waste) + 3):
        for command in all_commands():
            if command not in ("D", "A") and zodiac.validate_move(
                game, *grammar.read(helpers.as_rules(zodiac), command)
            ):
                return True
        if not zodiac.move(game, "D"):
            break
    return False


# Commands


def test_most_useful_first():
    game = position({**QUEENS, 2: "5H"}, equator="4H --", waste="9D 6H", stock="JC")
    assert legal_lines(zodiac, game) == ["WZ 2", "EZ 1 2", "D", "WE", *(f"WE {e}" for e in range(3, 9))]
    game = position(QUEENS, equator="4H", waste="9D", stock="9H")
    assert legal_lines(zodiac, game)[:2] == ["WE", "WE 3"] and legal_lines(zodiac, game)[-1] == "D"


def test_the_last_card_of_the_waste_goes_into_a_cell_before_the_waste_is_turned_over():
    game = position({**QUEENS, 2: "5H"}, equator="2C 2C 2C 2C 2C 2C 2C --", waste="6H")
    assert legal_lines(zodiac, game) == ["WZ 2", "WE", "D"]
    game.stock = pile("9S")
    assert legal_lines(zodiac, game) == ["WZ 2", "D", "WE"]


def test_describe():
    game = position({**QUEENS, 2: "5H"}, equator="4H --", waste="6H")
    told = {command: describe(zodiac, game, command) for command in legal_lines(zodiac, game)}
    assert told["WZ 2"] == "6♥ from the waste onto 5♥ of pile 2" and told["D"] == "turn the waste over"
    assert told["WE"] == "6♥ from the waste into cell 2 of the Equator"
    game = position({3: "AS"}, equator="AH")
    assert describe(zodiac, game, "ZF 3") == "A♠ from pile 3 to a foundation"
    assert describe(zodiac, game, "EF 1") == "A♥ from cell 1 of the Equator to a foundation"


def test_a_pile_can_be_looked_at():
    long = " ".join(f"{rank}{suit}" for suit in SUITS for rank in (9, 10) * 6)
    game = position({1: "5H 6H", 24: long})
    assert zodiac.show_pile(game, 1) == "Pile 1: 5♥ 6♥" and zodiac.show_pile(game, 2) == "Pile 2: empty"
    assert zodiac.show_pile(game, 24).split()[2:] == [str(card) for card in game.zodiac[23]]
    assert zodiac.refusal(game, "P", 25) == "There is no pile 25, only 1 to 24."


def test_the_stock_is_not_looked_into_though_all_of_it_was_seen():
    game = position({}, stock="2C 3C")
    assert effects.look(rules.load("zodiac"), game, "stock") == ["Stock: 2 cards."] and not zodiac.hidden(game)


def test_the_board(capsys):
    game = position(
        {1: "5H 6H", 12: "10S " * 30, 24: "KC"},
        equator="10H -- 10D",
        waste="10C 10D",
        stock="2C " * 70,
        foundations="3C 10C KS",
    )
    zodiac.display(game)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) == 80
    assert lines[0].startswith("  1:  6♥  2:  --") and lines[1].startswith("     (2)     (0)")
    assert lines[3].startswith(" 24:  K♣ e1: 10♥ e2:  -- e3: 10♦")
    assert "Stock: 70    Waste:  2  [10♦]" in lines[5] and lines[5].endswith(" 12: 10♠")
    assert "Foundations:   3♣ 10♣  --  --  --  --  K♠  --" in lines[6] and lines[6].endswith("(30)")
