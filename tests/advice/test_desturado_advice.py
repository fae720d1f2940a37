"""Desturado's advice: a rule plays samples to their ends, and a tree search tries steps in them."""

import random

import desturado
from helpers import deal, pile, rules_of
from patience import positions
from patience.solvers import advice, desturado_advice, desturado_rule
from patience.solvers.desturado import CARDS, ONTO, has_too_many_left, solve, start_of


def test_what_goes_onto_some_cards_is_what_the_rules_say():
    chance = random.Random(1)
    for count in range(40):
        ends = sum(1 << card for card in chance.sample(CARDS, count))
        expected = {card for card in CARDS if ONTO[card] & ends}
        found = desturado_rule.takers(ends)
        assert {card for card in CARDS if found >> card & 1} == expected


def test_each_weight_counts_what_it_says():
    """8♦ covers two cards, 3♣ one; 2♣ and 5♥ lie face down. The hand has 4♣, 4♦, 9♠ and an empty space."""
    game = desturado.Game([pile("XX 2C XX 5H 8D 6D"), pile("3C")], [pile("4C"), pile("4D"), pile("9S"), []])
    (columns, hand), hidden = start_of(game)
    unseen = desturado_rule.unseen_in(hidden)

    def cost(name):
        weights = desturado_rule.Weights(**{**dict.fromkeys(desturado_rule.Weights._fields, 0), name: 1})
        return desturado_rule.cost((7, [], columns, hand), unseen, weights)

    assert cost("step") == 7
    assert cost("waits") == 0  # 2♣ goes onto 3♣, but also onto 4♣ in the hand; 5♥ goes onto neither
    assert cost("place") == 1  # 3♣ onto 4♣; 8♦ onto nothing
    assert cost("joins") == 2 and cost("can_join") == 1  # 4♣ onto 4♦, and the other way round
    assert cost("long") == 1
    assert cost("left") == 0 and cost("lost") == 0  # 8♦, 9♠ and 5♥ must be left: three cards for four spaces
    hand = hand[1:]
    assert cost("left") == 2 and cost("lost") == 1  # now 3♣ and 4♦ as well, for three spaces
    assert cost("waits") == 0.5 and cost("place") == 0 and cost("can_join") == 0


def test_each_step_leads_where_its_moves_lead_in_the_game():
    """Including joined stacks of the hand, and cards turned up. Afterwards, the unseen cards are the face-down ones."""
    rules, chance = rules_of("desturado"), random.Random(4)
    for seed in range(12):
        options = {"difficulty": ("easy", "medium", "hard")[seed % 3]}
        game = deal(rules, options, seed)
        for _ in range(chance.randrange(20)):
            if moves := rules.legal_moves(game):
                rules.move(game, *chance.choice(moves))
        tree = desturado_advice.Tree(game, chance)
        for step in tree.nodes[tree.start].steps:
            _, moves, *_ = step
            after = positions.copy_of(game)
            assert all(rules.move(after, *move) for move in moves)
            expected, hidden = start_of(after)
            position, unseen = desturado_rule.go_on(step, tree.hidden, tree.unseen)
            assert position == expected and unseen == sum(1 << card for cards in hidden for card in cards)


def test_an_empty_space_is_worth_as_much_as_a_different_one():
    board = list(map(pile, ["XX 2C XX 5H 8D 6D", "3C", "XX 7S 10H"]))
    game = desturado.Game(board, list(map(pile, ["4C", "4D", "", ""])))
    moves = dict(advice.advise(rules_of("desturado"), {"difficulty": "hard"}, game).moves)
    for column in (1, 2, 3):
        assert moves["BH", column, 3] == moves["BH", column, 4] != advice.UNKNOWN
    assert moves["HH", 1, 2] != advice.UNKNOWN


def test_what_is_lost_whatever_lies_where_is_said():
    """Random games. The solver wins no sample of such a position."""
    rules, options, chance, seen = rules_of("desturado"), {"difficulty": "hard"}, random.Random(5), 0
    for seed in range(6):
        game = deal(rules, options, seed)
        while moves := rules.legal_moves(game):
            (columns, hand), hidden = start_of(game)
            if has_too_many_left(columns, hand, hidden):
                break
            rules.move(game, *chance.choice(moves))
        if moves and rules.hidden(game):
            seen += 1
            assert advice.cannot_be_won(rules, options, game) and advice.advise(rules, options, game).is_lost
            for _ in range(3):
                assert solve(positions.sample(game, rules.hidden(game), chance), None, 300).verdict != "won"
    assert seen >= 2
