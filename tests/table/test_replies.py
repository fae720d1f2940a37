"""What people type that is no command, and what they are told."""

import pytest

import helpers
from patience import effects, lines, words
from solvers.positions import copy_of

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import answer_to, start, type_lines


@pytest.mark.parametrize("line, told", [
    ("save", "Games are saved"), ("load", "Games are saved"), ("score", "stats shows"),
    ("back", "q leaves"), ("auto", "A, if the game has it"), ("daily", "--daily deals today's"), ("hnit", "mean hint?"), ("hist", "mean history?"),
    ("udno 5", "mean undo 5?"), ("rulse", "mean rules?"), ("statu", "mean status?"), ("xyzzy", "Type help"), ("9z", "Type help"), ("+", "Type help"),
    ("1h 2h", "Type help"), ("x" * 5000, "x ... : not understood".replace(" : ", ": ")),
])  # fmt: skip
def test_a_line_that_is_no_command_is_quoted_and_answered(line, told):
    reply = lines.reply(line, helpers.rules_of("klondike"), words.WORDS, "9d 10s")
    assert reply.startswith(line[:40]) and ": not understood. " in reply and told in reply and len(reply) < 160


@pytest.mark.parametrize(
    "line, said",
    [
        ("d", "SW"),
        ("d 2", "SW 2"),
        ("dr", "SW"),
        ("ac f", "TF 6"),
        ("move ac f", "TF 6"),
        ("ac 1", "TT 6 1"),
        ("4s to 7", ""),
        ("4s to 1", ""),
    ],
)
def test_short_forms(line, said):
    sitting = helpers.game_of("klondike", {"draw": "1", "passes": "unlimited"}, 8)
    if said:
        assert " ".join(map(str, helpers.move_of(sitting, line.replace(" to ", " ")))) == said
    else:
        with pytest.raises(ValueError, match=f"No legal move takes 4♠ to {line[-1]}"):
            helpers.move_of(sitting, line.replace(" to ", " "))


def test_of_a_card_that_is_covered_it_is_said_what_lies_on_it():
    drawn, named = helpers.answers_to("klondike --seed 8", "d", "4d 5s")
    assert "[10♥]" in drawn
    assert named == "Error: invalid move.  No legal move takes 4♦ to 5♠. 4♦: waste, under 2♠, 10♥.\n"
    (named,) = helpers.answers_to("montana --seed 3 --spoken", "5h 6h", prompt="Command: ")
    assert named == "5 hearts goes only beside 4 hearts, into row 4, column 10, where 7 diamonds lies.\n"


def draw(sitting, line):
    """Return the moves that a line means."""
    return lines.moves_of(sitting.rules, sitting.position, line, sitting.legal_moves)


def test_drawing_to_a_card_that_was_seen_and_through_the_stock():
    sitting = helpers.game_of("klondike", {"draw": "1", "passes": "unlimited"}, 8)
    seen = []
    for _ in range(5):
        sitting.perform(("SW",))
        seen.append(sitting.position.waste[-1])
    assert draw(sitting, "d all") == [("SW",)] * 19
    with pytest.raises(ValueError, match="has not been seen yet"):
        draw(sitting, f"d {sitting.position.stock[0]}")
    assert draw(sitting, f"draw {seen[1]}") == [("SW",)] * (19 + 1 + 2)
    assert draw(sitting, "sw 3") == [("SW", 3)]
    with pytest.raises(ValueError, match="does not lead to A♣"):
        draw(sitting, "d ac")


def test_a_card_that_lies_safely_up_comes_before_a_draw_and_a_run_of_draws_says_what_for(home):
    game = start("klondike --draw 1 --seed 8")
    told = answer_to(game, "hint")
    assert told.startswith("With a hint a win counts as one with help.\nA♣ to a foundation — costs nothing")
    assert "A♣" in answer_to(game, "").splitlines()[0], "Enter plays it"
    type_lines(game, "2c")
    while not (told := answer_to(game, "hint")).startswith("draw through the stock"):
        answer_to(game, "")
    assert "Waste: 0" in answer_to(game, "").replace("Waste:  0", "Waste: 0") or told


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
