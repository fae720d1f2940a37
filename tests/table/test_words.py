"""What can be typed: words, cards by name, and lines that are neither."""

import pytest

import helpers
from helpers import END, MONTANA_PROMPT, PROMPT, run
from patience import effects, lines, rules as frame, text as names
from solvers.positions import copy_of


@pytest.mark.parametrize("name", ["quadzilla", "desturado", "zodiac", "klondike"])
def test_cards_by_name_in_every_game(name, quick):
    for seed in range(2):
        game, first = helpers.game_of(name, {}, seed), {}
        for move in game.legal_moves():
            for moved in effects.first_cards_of(game.rules, game.position, move)[:1]:
                if onto := effects.onto_of(moved):
                    first.setdefault(f"{moved.card} {onto}".lower(), game.rules.write(*move))
        script = "".join(f"{named}\nundo\n{command}\nundo\n" for named, command in first.items())
        answers = run(f"{name} --table --seed {seed}", script).stdout.decode().split(PROMPT)[1:-1]
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


def test_montana_knows_no_comment_but_the_line_that_says_how_it_was_dealt():
    start, invalid = f"# {helpers.COURSE_START}\n".encode(), b"Error: invalid input.  Please try again.\n"
    assert run(helpers.COURSE_START, start + helpers.COURSE_LINES).stdout == helpers.COURSE_BOARDS
    for line in (b"# one", start.strip(), b"#", b"s; s"):
        told = run(helpers.COURSE_START, helpers.COURSE_LINES.replace(b"\n", b"\n" + line + b"\n", 1)).stdout
        assert told.count(invalid) == helpers.COURSE_BOARDS.count(invalid) + 1


@pytest.mark.parametrize("script", [b"", b"q\n", b"q", b"q\nx", b"4 13 1 10", b"# only\n# two"])
def test_the_end_of_input_is_a_quiet_quit(script):
    game = run(helpers.COURSE_START, script)
    assert (game.returncode, game.stderr) == (0, b"")
    assert game.stdout.endswith(b"Thank you for playing.\n")
    assert game.stdout.count(b"4:  2") == (2 if b"13" in script else 1), "boards"


def test_the_last_line_needs_no_newline_and_crlf_is_a_newline():
    assert run(helpers.COURSE_START, helpers.COURSE_LINES.rstrip(b"\n")).stdout == helpers.COURSE_BOARDS
    assert run(helpers.COURSE_START, helpers.COURSE_LINES.replace(b"\n", b"\r\n")).stdout == helpers.COURSE_BOARDS


@pytest.mark.parametrize("line", [
    b"\xff\xfe", b"\0", b"4 13 1 10\0", b"x" * 10**6, b"1" * 10**6, b"1 " * 10**6, " ♥".encode(), b"\x1b[A",
], ids="not UTF-8;NUL;a NUL at the end;letters;digits;numbers;a symbol;an arrow key".split(";"))  # fmt: skip
def test_strange_lines_are_invalid_input(line):
    game = run(helpers.COURSE_START, line + b"\n" + helpers.COURSE_LINES)
    error = MONTANA_PROMPT + b"Error: invalid input.  Please try again.\nEnter choice:\n"
    assert game.stdout == helpers.COURSE_BOARDS.replace(MONTANA_PROMPT, error + MONTANA_PROMPT, 1)
    assert (game.returncode, game.stderr) == (0, b"")


def test_ten_thousand_lines():
    game = run("montana --seed 1", b"1 1 1 1\n" * 10_000 + b"q\nn\n")
    assert game.stdout.count(MONTANA_PROMPT) == 10_001 and game.stdout.endswith(END)


def test_a_help_text_that_is_no_grammar_is_refused_at_once():
    """With only one blank before the text, its words would be read as numbers, and the tests would try them all."""
    told = "cannot read the line 'X s discard the end card'; expected a word in capitals"
    with pytest.raises(ValueError, match=told):
        frame.forms("X s discard the end card\n")
    assert frame.forms("X s [n]  discard\n4 13  move\n")["X"].letters == ("s", "[n]")


def draw(game, line):
    """Return the moves that a line means."""
    return lines.moves_of(game.rules, game.position, line, game.legal_moves)


def test_of_two_cards_alike_only_one_that_was_seen_is_drawn_to():
    game = helpers.game_of("zodiac", {}, 8)
    seen = {str(card) for pile in game.position.zodiac + game.position.equator for card in pile}
    twins = [card for card in game.position.stock if str(card) in seen]
    with pytest.raises(ValueError, match="has not been seen yet"):
        draw(game, f"d {twins[0]}")


def test_no_twin_tells_where_an_unseen_card_lies():
    """In Zodiac there are two of each card: neither drawing to one by name nor the effect of a move reveals the
    other."""
    for seed in range(2):
        game = helpers.game_of("zodiac", {}, seed)
        for _ in range(15):
            before = copy_of(game.position)
            game.perform(("D",))
            found = effects.effect_between(game.rules, before, game.position)
            assert [lead.dest for lead in found.drawn] == ["waste"] and not found.moved and not found.turned
        unseen = len(game.rules.hidden(game.position))
        for card in {str(card) for card in game.position.stock}:
            try:
                moves = draw(game, f"d {card}")
            except ValueError:
                continue
            assert len(game.rules.hidden(game.after(moves).position)) == unseen or len(moves) > unseen
