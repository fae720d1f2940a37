"""What can be typed: words, cards by name, and lines that are neither."""

import contextlib

import pytest

import helpers
from helpers import PROMPT, run
from patience import effects, lines, rules as frame, text as names


@pytest.mark.parametrize("name", ["quadzilla", "desturado", "zodiac", "klondike"])
def test_cards_by_name_in_games_of_piles(name, quick):
    game, first = helpers.game_of(name, {}, 1), {}
    for move in game.legal_moves():
        for moved in effects.lead_cards_of(game.layout, move)[:1]:
            if onto := effects.onto_of(moved):
                first.setdefault(f"{moved.card} {onto}".lower(), game.rules.write(*move))
    script = "".join(f"{named}\nundo\n{command}\nundo\n" for named, command in first.items())
    answers = run(f"play {name} --seed 1", script).stdout.decode().split(PROMPT)[1:-1]
    by_name, by_command = answers[::4], answers[2::4]
    assert by_name == by_command and len(by_name) == len(first) > 0 and "Error" not in "".join(answers)


def test_two_cards_that_a_game_pairs_go_by_name_in_either_order():
    four, nine = helpers.card("4C"), helpers.card("9H")
    moved = [effects.Moved(card, f"column {n}", 3, "discard", n, None) for n, card in enumerate((four, nine), 1)]
    pairs = {"4c 9h": True, "9h 4c": True, "4c": True, "9h": True, "9c": False, "4c 9c": False}
    for line, meant in pairs.items():
        named = [names.card_of(word) for word in line.split()]
        assert effects.matches(moved, named) == meant, line
    onto = [effects.Moved(four, "column 1", 3, "column 2", 4, nine)]
    assert effects.matches(onto, [(4, 1), (9, 3)]) and not effects.matches(onto, [(9, 3), (4, 1)])


def test_a_help_text_that_is_no_grammar_is_refused_at_once():
    """With only one blank before the text, its words would be read as numbers, and the tests would try them all."""
    told = "cannot read the line 'X s discard the end card'; expected a word in capitals"
    with pytest.raises(ValueError, match=told):
        frame.forms("X s discard the end card\n")
    assert frame.forms("X s [n]  discard\n4 13  move\n")["X"].letters == ("s", "[n]")


def test_no_twin_tells_where_an_unseen_card_lies():
    """In Zodiac there are two of each card: neither drawing to one by name nor the effect of a move reveals the
    other."""
    game = helpers.game_of("zodiac", {}, 1)

    def draw_to(card):
        return lines.moves_of(game, f"d {card}")

    seen = {str(card) for pile in game.position.zodiac + game.position.equator for card in pile}
    with pytest.raises(ValueError, match="has not been seen yet"):
        draw_to(next(card for card in game.position.stock if str(card) in seen))
    for _ in range(15):
        before = game.layout
        game.perform(("D",))
        found = effects.effect_between(before, game.layout)
        assert [lead.dest for lead in found.drawn] == ["waste"] and not found.moved and not found.turned
    unseen = len(game.rules.hidden(game.position))
    for card in {str(card) for card in game.position.stock}:
        with contextlib.suppress(ValueError):
            moves = draw_to(card)
            assert len(game.rules.hidden(game.after(moves).position)) == unseen or len(moves) > unseen
