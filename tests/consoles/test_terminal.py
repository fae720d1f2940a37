"""The consoles of a player: what recorded sessions do not show of the board, the screen, the keys and the words."""

import re
import signal
from types import SimpleNamespace

import pytest

import helpers
import main
from helpers import PROMPT, add_result, rules_of, ROOT, pile, run
from patience import text
from patience.table.consoles import wrapping
from patience.layout import Layout
from patience.table.records import store
from patience import sentences

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import answer_to, start


def test_ctrl_c_ends_only_the_search():
    game = start("montana --seed 2")
    game.type("solve\n")
    game.wait_for("(y/n)? ")
    answer_to(game, "y", "Looking for a way to win")
    game.type("\x03")
    game.wait_for("The search was stopped.")
    game.wait_for(PROMPT)
    answer_to(game, "s")


def test_the_deal_number_deals_the_game_again():
    shown = run("play montana").stdout.decode()
    number = re.search(r"^Deal (\d{1,6}):", shown, re.MULTILINE)[1]
    assert run(f"play montana --seed {number}").stdout.decode() == shown
    assert shown.count(number) == 3, "the number, how to use it, and once more under the board"


def test_readline_edits_and_recalls_lines():
    pytest.importorskip("readline")
    game = start("klondike --seed 8")
    for typed, shown in (
        ("tf 7\x7f6\n", "A♣ to foundation 1"),  # backspace
        ("u\n", "Undone"),
        ("\x1b[A\x1b[A\n", "A♣ to foundation 1"),  # up, up
        ("ww\x1b[D\x7fs\n", "Stock: 21"),  # left, backspace: sw
        ("\udcff\n", "not understood"),  # a byte that is no text
    ):
        game.settle()
        game.type(typed)
        game.wait_for(shown)


def test_ctrl_c_cancels_the_typed_line_and_is_then_one_line_and_status_130():
    game = start("montana --seed 1")
    game.type("4 13")
    for shown in ("4 13", PROMPT):
        game.wait_for(shown)
        game.settle()
        game.type("\x03")
    assert game.close() == 130
    assert game.shown.endswith("\r\nInterrupted.\r\n") and "Traceback" not in game.shown


def test_on_a_screen_nothing_scrolls_and_after_a_resize_or_fg_it_is_whole_with_what_was_typed():
    game = start("klondike --seed 8", scrolls=False)
    for _ in range(9):
        answer_to(game, "sw")
        assert "stock" in game.screen()[0] and game.screen()[-1] == PROMPT and len(game.screen()) <= 24
    assert game.shown.count("\r\n" * 23) <= 1
    for number, typed, rest, shown in ("SIGWINCH", "tf", " 6", "A♣ to fou"), ("SIGCONT", "t", "f 3", "2♣ to fou"):
        game.type(typed)
        game.wait_for(f"{PROMPT}{typed}")
        game.seen = len(game.shown)
        game.settle()
        game.signal(getattr(signal, number))
        game.wait_for(f"{PROMPT}{typed}")
        assert "stock" in game.screen()[0] and game.screen()[-1].startswith(PROMPT)
        answer_to(game, rest)
        assert any(shown in line for line in game.screen())
    answer_to(game, "rules", "no more ")
    answer_to(game, "q")
    game.settle()
    game.signal(signal.SIGWINCH)  # the board is drawn, and not the long text
    game.wait_for(PROMPT, 2)
    answer_to(game, "sw")
    assert any(" · 12 moves · " in line for line in game.screen())


@pytest.mark.parametrize("number", [signal.SIGWINCH, signal.SIGCONT])
def test_a_list_is_drawn_again_after_a_resize_or_fg(number):
    game = start("", "quit: ", scrolls=False)
    game.settle()
    game.seen = len(game.shown)
    game.signal(number)
    game.wait_for("quit: ")
    assert "5  klondike" in game.shown[game.seen :]


def test_todays_deal_is_told_and_whether_it_is_won():
    add_result("quadzilla", "won", 5, 6, day=store.today())
    shown = run("play quadzilla --daily", "list\nq\n").stdout.decode()
    assert re.search(r"\n\d+ · today's deal, won · 0 moves", shown) and "quadzilla  today's deal won\n" in shown
    add_result("quadzilla", "playing", 5, 0, day=20261121, number=3, moves="")
    assert "3 · deal of 2026-11-21 · 0 moves" in run("play", "quadzilla\n\n").stdout.decode(), "another day's"


@pytest.mark.parametrize("name", main.GAMES)
def test_boards_fit_into_60_columns_late_in_a_game_too(name):
    """Long columns, many cleared cards, two-digit numbers: things that a fresh deal does not have."""
    rules, longest = rules_of(name), 0
    game = helpers.game_of(name, {option: choices[-1] for option, choices in rules.OPTIONS.items()}, 1)
    while len(game.commands) < 150 and game.legal_moves() and not game.outcome():
        game.perform(game.legal_moves()[0])
        longest = max(longest, wrapping.columns_of(text.capture_display(rules.display_narrow, game.position)))
    assert 20 < longest <= 60 and len(game.moves) > 20


def test_a_card_that_lies_face_down_is_not_read_though_a_game_has_no_hidden_yet():
    layout = Layout(SimpleNamespace(hidden=lambda game: [], blanks=lambda game: []), None)
    assert sentences.pile_sentence(layout, "column 2", pile("XX 2C 8H"), None) == "Column 2: 1 face down, then 8♥."


def test_the_document_is_a_game_as_it_sounds():
    text = (ROOT / "docs" / "spoken.md").read_text(encoding="utf-8")
    sounds = re.search(r"```text\n(Command: .*?)```", text, re.S)[1]
    lines = re.findall(r"^Command: (.*)$", sounds, re.M)
    output = run(
        ["play", "klondike", "--draw", "1", "--seed", "8", "--spoken"], "\n".join([*lines, ""])
    ).stdout.decode()
    typed = iter(lines)
    heard = re.sub("Command: ", lambda _: f"Command: {next(typed, '')}\n", output)
    assert sounds.replace("0:31", "0:00").rstrip("\n") in heard


@pytest.mark.parametrize("option, prompt", [("", PROMPT), ("--spoken", "Command: ")])
def test_a_hint_is_played_only_after_it_was_shown(option, prompt):
    game = start(f"klondike --seed 8 {option}", until=prompt)
    for *typed, count in ("hint\r\n", ", 0 moves,"), ("hint\n", "\n", ", 1 move,"):
        for line in typed:
            game.type(line)
            game.wait_for(prompt)
        assert count in answer_to(game, "status", prompt)


def test_no_completion_where_the_cursor_cannot_be_moved():
    game = start("klondike --seed 8", until="help): ", TERM="dumb", COLUMNS="3")
    game.type("\t\t\t")
    game.type("status\n")
    game.wait_for("0 of 52 up")
