"""What people type that is no command, and what they are told."""

import pytest

import helpers
from patience.consoles import replies
from patience.game.typing import draws_to

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import answer_to, start, type_lines

REPLIED = """
    auto|A plays every card up        finish|A plays every card up      s|d draws.              next|d draws.
    flip|d draws.                     turn|d draws.                     stock|d draws.          deal me|d draws.
    save|Games save themselves        load|Games save themselves        score|stats shows       points|stats shows
    time|stats shows                  back|q leaves                     menu|q leaves           main|q leaves
    games|q leaves                    list|q leaves                     close|q leaves          stop|q leaves
    daily|--daily deals today's       today|--daily deals today's       reset|restart goes      clue|hint shows
    tip|hint shows                    advice|hint shows                 what now?|hint shows    which card|hint shows
    stuck|hint shows                  how|help shows                    why|help shows          rule|help shows
    commands|help shows               keys|help shows                   manual|help shows       z|u takes
    oops|u takes                      ctrl-z|u takes                    give up|n deals         resign|n deals
    concede|n deals                   yes|Nothing was asked             y|Nothing was asked     ok|Nothing was asked
    no|Nothing was asked              click 9d|Name a card              select|Name a card      king|Name a card
    queen to 3|Name a card            show|board shows                  look at it|board shows  status|board shows
    options|at the start              settings|at the start             difficulty|at the start         win|solve looks
    cheat|solve looks                 solution|solve looks              hnit|mean hint?         udno|mean undo?
    hlep|mean help?                   rulse|mean rules?                 xyzzy|Type help         9z|Type help
    +|Type help                       hello|Type help                   1h 2h|Type help         ../..|Type help
"""
LINES = [part.strip().split("|") for line in REPLIED.splitlines() for part in line.split("  ") if "|" in part]


@pytest.mark.parametrize("line, told", LINES)
def test_a_line_that_is_no_command_is_quoted_and_answered(line, told):
    sitting = helpers.sitting_of("klondike", {"draw": "3", "passes": "unlimited"}, 8)
    reply = replies.reply(line, sitting)
    assert reply.startswith(f"{line}: not understood. ") and told in reply


def test_what_a_game_does_not_have_is_not_offered():
    sitting = helpers.sitting_of("desturado", {"difficulty": "easy"}, 8)
    assert "A plays" not in replies.reply("auto", sitting) and "d draws" not in replies.reply("flip", sitting)
    assert len(LINES) >= 60


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
    sitting = helpers.sitting_of("klondike", {"draw": "1", "passes": "unlimited"}, 8)
    if said:
        assert " ".join(map(str, sitting.move_of(line.replace(" to ", " ")))) == said
    else:
        with pytest.raises(ValueError, match=f"No legal move takes 4♠ to {line[-1]}"):
            sitting.move_of(line.replace(" to ", " "))


def test_drawing_to_a_card_that_was_seen_and_through_the_stock():
    sitting = helpers.sitting_of("klondike", {"draw": "1", "passes": "unlimited"}, 8)
    seen = []
    for _ in range(5):
        sitting.perform(("SW",))
        seen.append(sitting.game.waste[-1])
    assert draws_to(sitting.rules, sitting.game, "d all") == ["SW"] * 19
    with pytest.raises(ValueError, match="has not been seen yet"):
        draws_to(sitting.rules, sitting.game, f"d {sitting.game.stock[0]}")
    assert draws_to(sitting.rules, sitting.game, f"draw {seen[1]}") == ["SW"] * (19 + 1 + 2)
    assert draws_to(sitting.rules, sitting.game, "sw 3") == ["sw 3"]
    with pytest.raises(ValueError, match="does not lead to A♣"):
        draws_to(sitting.rules, sitting.game, "d ac")


def test_a_card_that_lies_safely_up_comes_before_a_draw_and_a_run_of_draws_says_what_for(home):
    game = start("klondike --draw 1 --seed 8")
    assert answer_to(game, "hint").startswith("TF 6: A♣ to a foundation — costs nothing")
    assert "A♣" in answer_to(game, "").splitlines()[0], "Enter plays it"
    type_lines(game, "2c")
    while not (told := answer_to(game, "hint")).startswith("d all: draw through the stock"):
        answer_to(game, "")
    assert "Waste: 0" in answer_to(game, "").replace("Waste:  0", "Waste: 0") or told


def test_resume_in_a_game_lists_the_others_and_refuses_if_there_is_none(home):
    game = start("klondike --seed 8")
    assert answer_to(game, "resume") == "No other game is in progress."
    type_lines(game, "d", "d", "d", "n", "d", "d", "d")
    assert "  2  Klondike          deal 8 " in answer_to(game, "resume", "q: quit: ")
    assert "8 · 3 moves" in answer_to(game, "2")
    game.type("q\n")
    assert game.close() == 0 and game.shown.count("Thank you for playing.") == 1


def test_of_two_cards_alike_only_one_that_was_seen_is_drawn_to():
    sitting = helpers.sitting_of("zodiac", {}, 8)
    seen = {str(card) for pile in sitting.game.zodiac + sitting.game.equator for card in pile}
    twins = [card for card in sitting.game.stock if str(card) in seen]
    with pytest.raises(ValueError, match="has not been seen yet"):
        draws_to(sitting.rules, sitting.game, f"d {twins[0]}")
