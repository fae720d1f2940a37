"""Pointing: games that are won, by keys and by clicks; random typing, keys and clicks; sizes and colours."""

import fcntl
import itertools
import os
import random
import signal
import struct
import termios
import time

import pytest

import cards
import helpers
import main
from patience import options, rules
from patience.table.consoles import keys
from patience.table.consoles.board import Board, Window
from patience.table.consoles.keys import Event
from patience.table.consoles.pointing import Pointer, Ways
from patience.table.consoles.tiles import TILES_256
from patience.game import Game
from patience.table.records import store
from patience.text import capture_display
from patience.table.words import thinking

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import KEYS, bytes_of, start
from test_sessions import play_of
from tools import picture

WINS = sorted(path.name for path in helpers.SCRIPTS.glob("*-win.in") if "s-" not in path.name)  # no options of numbers


def point_at(game):
    """Return a Pointer on the board of a game."""
    return Pointer(Board(game.layout))


@pytest.mark.parametrize("name", WINS)
def test_the_board_fits_into_a_small_window_and_clicks_make_each_move_and_so_do_tab_and_enter(name):
    """In every twelfth position of a game that is won."""
    deal = options.read_deal(
        (helpers.SCRIPTS / name).read_text(encoding="utf-8").partition("\n")[0], main.GAMES, helpers.SCRIPTS
    )
    game = Game(deal)
    for count, line in enumerate(helpers.read_moves(name)):
        if count % 12 == 0:
            board = Board(game.layout, Window(60, 20 - 4, is_tiled=True))
            assert board.fits and board.shows_all
            assert all(board.spot_of(moved.source, moved.source_index) for moved in Ways(board).of_cards.values())
            pointer, played = point_at(game), set()
            by_source, elsewhere = pointer.ways.sorted
            for source, ways in [*by_source.items(), *elsewhere.items()]:
                for way, dest in ways:
                    clicks = [Event(keys.CLICK, "", spot.cell[0], spot.cell[2] - 1) for spot in (source, dest)]
                    only = by_source[source][0][0] if len(by_source[source]) == 1 else way  # at once
                    assert (pointer.line_for(clicks[0]) or pointer.line_for(clicks[1])) == game.rules.write(*only)
                    pointer.let_go()
            for _ in pointer.ways.moves:
                pointer.line_for(Event(keys.TAB))
                played.add(pointer.line_for(Event(keys.ENTER)))
            assert played >= {game.rules.write(*way) for ways in by_source.values() for way, _ in ways}
        game.perform(rules.read(game.rules, line))


def test_a_display_that_asks_whether_a_card_lies_face_down_is_laid_out_as_it_prints(monkeypatch):
    """A student's display may print ## for such a card."""
    game = helpers.game_of("klondike", {})

    def display(game):
        for column in game.tableau:
            print(" ".join(str(card) if card.is_face_up() else "##" for card in column))

    monkeypatch.setattr(game.rules, "display", display)
    board = Board(game.layout)
    assert board.text == capture_display(display, game.position)
    assert board.text.count("##") == 21 and len(board.cells) == 7


def test_a_signal_in_the_moment_before_a_wait_ends_it():
    """os.read alone misses one signal in a hundred here, and waits until the next."""

    rings = []

    def ring(*_):
        rings.append(1)
        raise InterruptedError

    heard, told = os.pipe()
    before = signal.signal(signal.SIGALRM, ring)
    try:
        for microseconds in [*range(1, 101)] * 5:
            with pytest.raises(InterruptedError):
                signal.setitimer(signal.ITIMER_REAL, microseconds / 1e6, 30)
                keys.Keyboard().wait_for_byte(heard)
    finally:  # or a failure would ring in later tests
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        os.close(heard), os.close(told)
    assert len(rings) == 500, "none was missed until the next, after 30 s"


def test_ctrl_z_gives_the_terminal_back_until_fg():
    """A program without a shell continues at once: what it has sent shows that it gave everything back in between."""
    game = start("klondike --seed 8", scrolls=False)
    game.seen = len(game.shown)
    game.signal(signal.SIGTSTP)
    end = time.monotonic() + helpers.SECONDS
    while "\x1b[?1000h" not in game.shown[game.seen :]:
        assert game.read(end)
    assert game.shown[game.seen :].startswith("\x1b[?1006l\x1b[?1000l") and game.modes() == (False, False)
    game.signal(signal.SIGCONT)
    game.wait_for("help): ")
    game.kill()


@pytest.mark.parametrize("name", main.GAMES)
def test_whatever_is_typed_pressed_and_clicked_a_legal_game_is_left(name, quick, tmp_path):
    chance = random.Random(1)
    lines = ["sw", "undo", "zzz", "9d 10s", "d^Md^Md", "^[[200~d^Md^[[201~", "h", "\x0c", "\x12"]
    pressed = [f"<{key}>" for key in KEYS]
    steps = [f"~ # {name} --seed 8"]
    for _ in range(30):
        click = f"^[[<0;{chance.randrange(1, 81)};{chance.randrange(1, 25)}{chance.choice('Mm')}"
        steps.append("~ " + chance.choice([click, chance.choice(pressed), chance.choice(lines)]))
    play = play_of([*steps, "~ \x07\x15", "~ ", "> status", "~ q"], tmp_path)
    *_, (_, status), _ = play.play()
    assert "Deal " in str(status), status
    assert "Traceback" not in play.sent and "a bug" not in play.sent
    for saved in store.in_progress():
        assert store.game_of(saved, main.GAMES).list_lines() == saved.moves.splitlines()


def test_what_is_pointed_at_stays_when_the_screen_is_drawn_again(tmp_path):
    screens = []
    for pressed in ("<Enter>", "\x0c"):  # Enter alone, and behind Ctrl-L
        steps = ["~ # klondike --draw 1 --seed 8", "~ <Right>", f"> {pressed}", "~ q"]
        screens.append(play_of(steps, tmp_path).play()[2][1])
    assert screens[0] == screens[1] and "A♣" in str(screens)


def test_what_is_typed_and_clicked_while_the_program_thinks_is_kept_and_not_shown(tmp_path, monkeypatch):
    steps = ["~ # klondike --draw 1 --seed 8", "> hint", "~ q"]
    play, think = play_of(steps, tmp_path), thinking.think

    def think_while_keys_are_pressed(*given):
        os.write(play.keyboard, b"\x1b[<0;9;2Mzz\n")
        return think(*given)

    monkeypatch.setattr(thinking, "think", think_while_keys_are_pressed)
    _, (_, shown), _ = play.play()
    assert "zz: not understood" in " ".join(shown)


def test_a_window_that_is_too_small_says_so_and_a_larger_one_is_pointed_at_again():
    game = start("klondike --seed 8 --draw 1", scrolls=False, COLUMNS="200", LINES="99")  # as it was once

    def resize(rows, columns):
        game.settle()
        fcntl.ioctl(game.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        game.signal(signal.SIGWINCH)

    for rows, columns, told in (6, 80, "The window is too short"), (24, 40, "This board needs 48 columns"):
        resize(rows, columns)
        game.wait_for(told)
        game.type("\x1b[<0;15;4M")  # a click on something that is not in its usual place does not count
        game.type("sw\n")
        game.wait_for("Waste:  ")
        game.wait_for("h for help): ")
        resize(24, 80)
        game.type("status\n")
        game.wait_for("Space: draw")
        game.wait_for("h for help): ")
    game.type("undo\n")
    game.wait_for("h for help): ")
    game.settle()
    game.type(bytes_of("click [4♦", game.screen()))
    game.wait_for("4♦ onto 5♠")
    game.kill()


@pytest.mark.parametrize("term, shown", [
    ("xterm-256color", (True, False, True)), ("vt100", (False, False, False)),
    ("no-such-terminal", (False, True, True)),
])  # fmt: skip
def test_there_are_as_many_colours_as_the_terminal_has(term, shown):
    game = start("klondike --seed 8", scrolls=False, TERM=term, COLORTERM="", NO_COLOR="")
    assert ("\x1b[48;5;253m" in game.shown, "\x1b[47m" in game.shown, "\x1b[3" in game.shown) == shown


def luminance(number):
    """Return the luminance of a colour in the fixed part of the 256-colour palette."""
    levels = [level / 255 for level in bytes.fromhex(picture.color(number)[1:])]
    linear = [level / 12.92 if level <= 0.04 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_ink_can_be_read_on_every_ground():
    palette = TILES_256
    grounds = [style["bg"] for style in (palette.moved, palette.hint, palette.mark, palette.held, palette.target)]
    pairs = [(style["fg"], ground) for style in palette.suits.values() for ground in (style["bg"], *grounds)]
    pairs += [(palette.ink["fg"], ground) for ground in grounds]
    pairs += [(palette.back["fg"], palette.back["bg"])]
    for ink, ground in pairs:
        dark, light = sorted((luminance(ink), luminance(ground)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


@pytest.mark.parametrize("width", [80, 120, 140])
@pytest.mark.parametrize("name", sorted(main.GAMES))
def test_on_a_board_that_is_spread_each_card_stands_apart_and_can_be_clicked(name, width):
    game = helpers.game_of(name, {}, 8)
    for _ in range(15):
        board = Board(game.layout, Window(width, 40, is_tiled=True))
        spots, pointer = board.spots, Pointer(board)
        taken = {spot.cell[0] for spot in spots}  # rows
        assert [spot[:3] for spot in spots] == [spot[:3] for spot in Board(game.layout).spots]
        for spot in spots if board.is_spread else ():
            row, start, end = spot.cell
            has_two_rows = board.is_tall and row + 1 < board.height and row + 1 not in taken
            rows = [row, row + 1] if has_two_rows else [row]
            columns = range(end - board.tile + 1, end + 1)
            assert not spot.is_card or {pointer.spot_at(*at) for at in itertools.product(rows, columns)} == {spot}
        for row in taken if board.is_spread else ():
            tiles = sorted(spot.cell[2] for spot in spots if spot.is_card and spot.cell[0] == row)
            assert all(right - left > board.tile for left, right in zip(tiles, tiles[1:]))
        legal = game.legal_moves()
        if not legal or game.outcome():
            break
        game.perform(legal[0])


def test_in_a_low_window_a_board_has_no_empty_lines():
    game = helpers.game_of("zodiac", {}, 8)
    full, low = (Board(game.layout, Window(80, height)).text for height in (10, 9))
    assert full.count("\n\n") == 2 and low == full.replace("\n\n", "\n")


@pytest.mark.parametrize("is_tiled", [False, True])
@pytest.mark.parametrize("lines, is_all_seen", [(24, True), (20, True), (17, False)])
def test_the_lead_cards_of_a_high_column_are_drawn_together(lines, is_all_seen, is_tiled):
    """The tallest possible column: six face-down cards, and thirteen on top of them."""
    game = helpers.game_of("klondike", {"draw": "1"}, 8)
    run = [cards.Card(rank, 1 + 2 * (rank % 2)) for rank in range(13, 0, -1)]
    game.position.tableau[6] = [*game.position.tableau[6][:6], *run]
    board = Board(game.layout, Window(100, lines - 3, is_tiled))
    assert board.fits and board.shows_all == is_all_seen and board.is_spread == is_tiled
    count = 7 + 13 - (lines - 3 - 3)  # cards shown as one, under three lines that are not rows
    assert f" {count}x" in board.text and board.text.count("XX") == 15 + max(6 - count, 0)
    last = next(spot for spot in board.spots if (spot.pile, spot.index) == ("column 7", 18))
    assert board.text_at(last.cell) == "A♥" and last.cell[0] == board.height - 1
    pointer = Pointer(board)
    assert pointer.spot_at(last.cell[0], last.cell[2] - 1) == last
    first = next(spot for spot in board.spots if (spot.pile, spot.index) == ("column 7", 0))
    assert pointer.line_for(Event(keys.CLICK, "", first.cell[0], first.cell[2] - 1)) is None
    assert pointer.describe() == [("That card lies face down.", "")]


def test_a_click_tells_nothing_that_is_hidden_and_an_empty_place_takes_the_one_card_that_fits():
    game = helpers.game_of("klondike", {"draw": "3"}, 67418)
    pointer = point_at(game)
    backs = [spot for spot in pointer.board.spots if spot.is_card and not pointer.is_seen(spot)]
    assert len(backs) == 21
    for held in pointer.ways.by_source:
        for back in backs:
            pointer.held = held
            line = pointer.click(back)
            assert line is None or rules.read(game.rules, line) in game.legal_moves(), line
    montana = helpers.game_of("montana", {}, 3)
    pointer = point_at(montana)
    for spot in [spot for spot in pointer.board.spots if not spot.is_card]:
        event = Event(keys.CLICK, "", spot.cell[0], spot.cell[1])
        fitting = [move for ways in pointer.ways.by_source.values() for move, dest in ways if dest == spot]
        assert pointer.line_for(event) == (montana.rules.write(*fitting[0]) if len(fitting) == 1 else None)


def test_space_draws_and_does_nothing_else_whatever_is_marked():
    klondike = point_at(helpers.game_of("klondike", {"draw": "3", "passes": "unlimited"}, 8))
    for key in (keys.RIGHT, keys.TAB, keys.DOWN):
        klondike.line_for(Event(key))
        assert klondike.points and klondike.line_for(Event(keys.SPACE)) == "SW"
    quadzilla = point_at(helpers.game_of("quadzilla", {"difficulty": "normal", "rank": "7"}, 5))
    assert quadzilla.line_for(Event(keys.SPACE)) is None and quadzilla.why == "Type d to end the turn."
    montana = helpers.game_of("montana", {}, 3)
    ranks = [*range(3, 13), 2, 13, 1]  # a blank to the right of each King: only a shuffle is left
    montana.position[:] = [[cards.Card(rank, suit) for rank in ranks] for suit in range(1, 5)]
    pointer = point_at(montana)
    assert pointer.line_for(Event(keys.SPACE)) is None and pointer.describe() == [("There is nothing to draw.", "")]


def test_the_mark_stands_nowhere_after_a_move_until_an_arrow_sets_it():
    pointer = point_at(helpers.game_of("klondike", {}, 8))
    assert pointer.line_for(Event(keys.ENTER)) == "" and not pointer.points, "an empty line"
    pointer.line_for(Event(keys.RIGHT))
    assert pointer.mark and (pointer.line_for(Event(keys.ENTER)) or pointer.line_for(Event(keys.ENTER)))


def test_the_mark_never_begins_on_a_draw_that_ends_a_turn():
    ways = point_at(helpers.game_of("quadzilla", {"difficulty": "normal", "rank": "7"}, 5)).ways
    assert ("D",) in ways.moves and ways.first().is_card
