"""What people type that is no command, and what they are told."""

import pytest

import helpers
from patience import effects, lines
from solvers.positions import copy_of

pytest.importorskip("pty", reason="needs a pseudo-terminal")


def draw(sitting, line):
    """Return the moves that a line means."""
    return lines.moves_of(sitting.rules, sitting.position, line, sitting.legal_moves)


def test_of_two_cards_alike_only_one_that_was_seen_is_drawn_to():
    sitting = helpers.game_of("zodiac", {}, 8)
    seen = {str(card) for pile in sitting.position.zodiac + sitting.position.equator for card in pile}
    twins = [card for card in sitting.position.stock if str(card) in seen]
    with pytest.raises(ValueError, match="has not been seen yet"):
        draw(sitting, f"d {twins[0]}")


def test_no_twin_tells_where_an_unseen_card_lies():
    """In Zodiac each card is there twice: neither drawing to it by name nor what a move does tells of the other one."""
    for seed in range(4):
        sitting = helpers.game_of("zodiac", {}, seed)
        for _ in range(15):
            before = copy_of(sitting.position)
            sitting.perform(("D",))
            found = effects.effect(sitting.rules, before, sitting.position)
            assert [lead.dest for lead in found.drawn] == ["waste"] and not found.moved and not found.turned
        unseen = len(sitting.rules.hidden(sitting.position))
        for card in {str(card) for card in sitting.position.stock}:
            try:
                moves = draw(sitting, f"d {card}")
            except ValueError:
                continue
            assert len(sitting.rules.hidden(sitting.after(moves).position)) == unseen or len(moves) > unseen
