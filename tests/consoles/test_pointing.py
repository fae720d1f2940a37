"""Pointing: games that are won, by keys and by clicks; random typing, keys and clicks; sizes and colours."""

import collections
import fcntl
import itertools
import os
import random
import signal
import struct
import termios
import time
import types

import click
import pytest

import cards
import helpers
import main
from patience import options, rules
from patience.arrangement import Line
from patience.effects import Moved
from patience.table.consoles import keys
from patience.table.consoles.keys import Event
from patience.table.consoles.picture import FINISHED, ROWS, Picture, Window, stands_of
from patience.table.consoles.pointing import Pointer, Ways
from patience.table.consoles.tiles import TILES_256, Look, paint_board
from patience.game import Game
from patience.layout import Layout
from patience.table.records import store
from patience.table.words import thinking

pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import KEYS, bytes_of, start
from test_sessions import play_of
from tools import picture

WINS = "desturado-hard klondike-1 montana-shuffles-0 quadzilla-hard zodiac".split()


def point_at(game):
    """Return a Pointer on the board of a game."""
    return Pointer(Picture(game.layout))


def deal_of(name):
    """Return the deal of a script."""
    first = (helpers.SCRIPTS / name).read_text(encoding="utf-8").partition("\n")[0]
    return options.read_deal(first, main.GAMES, helpers.SCRIPTS)


@pytest.mark.parametrize("name", [f"{name}-win.in" for name in WINS])
def test_the_board_fits_into_a_small_window_and_clicks_make_each_move_and_so_do_tab_and_enter(name):
    """In every twelfth position of a game that is won."""
    game = Game(deal_of(name))
    for count, line in enumerate(helpers.read_moves(name)):
        if count % 12 == 0:
            board = Picture(game.layout, Window(60, 20 - 3))
            assert board.fits
            assert all(board.spot_of(moved.source, moved.source_index) for moved in Ways(board).of_cards.values())
            assert all(map(board.dest_of, Ways(board).of_cards.values()))
            pointer, played = point_at(game), set()
            by_source, elsewhere = pointer.ways.sorted
            for source, ways in [*by_source.items(), *elsewhere.items()]:
                for way, dest in ways:
                    clicks = [Event(keys.CLICK, "", *spot.cell[:2]) for spot in (source, dest)]
                    only = by_source[source][0][0] if len(by_source[source]) == 1 else way  # at once
                    assert (pointer.line_for(clicks[0]) or pointer.line_for(clicks[1])) == game.rules.write(*only)
                    pointer.let_go()
            for _ in pointer.ways.moves:
                pointer.line_for(Event(keys.TAB))
                played.add(pointer.line_for(Event(keys.ENTER)))
            assert played >= {game.rules.write(*way) for ways in by_source.values() for way, _ in ways}
        game.perform(rules.read(game.rules, line))


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


def resize(game, rows, columns):
    """Change the size of the window once the program waits."""
    game.settle()
    fcntl.ioctl(game.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    game.signal(signal.SIGWINCH)


def test_while_a_question_waits_the_picture_is_drawn_for_the_window_as_it_is():
    game = start("klondike --seed 8", scrolls=False)
    game.type("solve\n")
    game.wait_for("(y/n)? ")
    game.seen, game.echo = len(game.shown), ""
    resize(game, 20, 60)
    game.wait_for("(y/n)? ")
    assert len(game.screen()) <= 20 and max(map(len, game.screen())) <= 60 and "stock" in str(game.screen())
    game.kill()


def test_a_window_that_is_too_small_says_so_and_a_larger_one_is_pointed_at_again():
    game = start("klondike --seed 8 --draw 1", scrolls=False, COLUMNS="200", LINES="99")  # as it was once
    for rows, columns, told in (6, 80, "This board needs a window"), (24, 25, "This board needs a window"):
        resize(game, rows, columns)
        game.wait_for(told)
        game.type("\x1b[<0;15;4M")  # a click on something that is not in its usual place does not count
        game.type("sw\n")
        game.wait_for("Waste:  ")
        game.wait_for("h for help): ")
        resize(game, 24, 80)
        game.type("status\n")
        game.wait_for("Space: draw")
        game.wait_for("h for help): ")
    game.type("undo\n")
    game.wait_for("h for help): ")
    game.settle()
    game.type(bytes_of("click 4♦", game.screen()))
    game.wait_for("4♦ onto 5♠")
    game.kill()


@pytest.mark.parametrize("term, shown", [
    ("xterm-256color", (True, False, True)), ("vt100", (False, False, False)),
    ("no-such-terminal", (False, True, True)),
])  # fmt: skip
def test_there_are_as_many_colours_as_the_terminal_has(term, shown):
    game = start("klondike --seed 8", scrolls=False, TERM=term, COLORTERM="", NO_COLOR="")
    assert ("\x1b[48;5;254m" in game.shown, "\x1b[47m" in game.shown, "\x1b[3" in game.shown) == shown


def luminance(number):
    """Return the luminance of a colour in the fixed part of the 256-colour palette."""
    levels = [level / 255 for level in bytes.fromhex(picture.color(number)[1:])]
    linear = [level / 12.92 if level <= 0.04 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_ink_can_be_read_on_every_ground():
    palette = TILES_256
    lit = palette.moved, palette.hint, palette.mark, palette.held, palette.target
    grounds = [style["bg"] for style in (palette.cards.odd, palette.cards.finished, palette.special, *lit)]
    pairs = [(style["fg"], ground) for style in palette.cards.suits.values() for ground in (style["bg"], *grounds)]
    pairs += [(palette.ink["fg"], ground) for ground in grounds]
    pairs += [(palette.cards.back["fg"], palette.cards.back["bg"])]
    for ink, ground in pairs:
        dark, light = sorted((luminance(ink), luminance(ground)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


@pytest.mark.parametrize("window", [(60, 20), (80, 24), (100, 50), (120, 40)])
@pytest.mark.parametrize("name", sorted(main.GAMES))
def test_every_pile_stands_on_the_picture_by_itself_and_what_is_seen_can_be_clicked(name, window):
    options = {"difficulty": "hard"} if name == "desturado" else {}
    game, chance = helpers.game_of(name, options, 8), random.Random(8)
    width, height = window
    for _ in range(15):  # of positions, three moves apart
        board = Picture(game.layout, Window(width, height - 3))
        pointer, taken = Pointer(board), collections.Counter()
        assert board.fits
        for tile in board.tiles:
            taken.update(cells_of(tile))
        assert set(taken.values()) == {1} and all(row < height - 3 and col < width for row, col in taken)
        for spot in board.spots:
            assert {pointer.spot_at(*at) for at in cells_of(spot)} == {spot}
        assert {spot.pile for spot in board.spots} == set(game.layout.cards)
        for _ in range(3):
            if legal := [] if game.outcome() else game.legal_moves():
                game.perform(chance.choice(legal))


def cells_of(spot):
    """Return each (row, column) of a Spot or a Tile."""
    row, column, height, width = spot.cell
    return [*itertools.product(range(row, row + height), range(column, column + width))]


def tallest(game):
    """Give a game of Klondike the tallest possible column: six face-down cards, and thirteen on top of them."""
    run = [cards.Card(rank, 1 + 2 * (rank % 2)) for rank in range(13, 0, -1)]
    game.position.tableau[6] = [*game.position.tableau[6][:6], *run]
    return game


@pytest.mark.parametrize("height, rows", [
    (62, (7, 3, 1, False)), (61, (6, 2, 1, False)), (47, (5, 2, 1, False)), (45, (5, 1, 1, False)),
    (33, (4, 1, 1, False)), (31, (3, 1, 1, False)), (28, (2, 1, 1, False)), (25, (1, 1, 1, False)),
    (22, (1, 1, 0, False)), (21, (1, 1, 0, True)), (17, (1, 1, 0, True)),
])  # fmt: skip
def test_a_low_window_loses_the_height_of_cards_then_gaps_then_the_face_down_cards_of_a_column(height, rows):
    game = tallest(helpers.game_of("klondike", {"draw": "1"}, 8))
    board = Picture(game.layout, Window(80, height))
    assert (*board.rows[:3], board.rows.folds) == rows and board.fits
    last, first = board.spot_of("column 7", 18), board.spot_of("column 7", 0)
    assert (last.cell.row + last.cell.height, last.cell.height) == (board.height, board.rows.card)
    assert [tile.text for tile in board.tiles if tile.cell == first.cell] == ["6" if board.rows.folds else ""]
    pointer = Pointer(board)
    assert pointer.line_for(Event(keys.CLICK, "", *first.cell[:2])) is None
    assert pointer.describe() == [("That card lies face down.", "")]
    assert not Picture(game.layout, Window(80, 16)).fits


def test_a_students_game_has_a_row_for_each_pile_with_holes_and_backs_anywhere_and_may_have_no_pile_yet():
    game, back = rules.Rules(types.ModuleType("unfinished")), cards.Card(9, 1)
    back.flip_card()
    row = [cards.Card(2, 1), None, back, cards.Card(3, 1)]
    position = types.SimpleNamespace(waste=[cards.Card(4, 1)], columns=[row, [], [back, back]], count=1)
    board = Picture(Layout(game, position))
    told = [(tile.shows, tile.text) for tile in board.tiles]
    assert told == [
        ("up", "4♣"),
        ("up", "2♣"),
        ("place", ""),
        *[("back", "")],
        ("up", "3♣"),
        ("place", ""),
        *2 * [("back", "")],
    ]
    game.ARRANGEMENT = [Line("waste", (0, 1)), Line("column", (1, 0), "down")]
    waste, second = (Picture(Layout(game, position)).spot_of(*at).cell for at in (("waste", 0), ("column 2", 0)))
    assert waste.column == second.column and waste.row + waste.height <= second.row
    assert Picture(Layout(game, types.SimpleNamespace(count=1))).height < 40


def test_the_longer_what_is_said_below_a_picture_the_lower_its_cards_as_far_as_they_fit():
    game = helpers.game_of("zodiac", {}, 8)
    heights = [Picture(game.layout, Window(80, 20, said)).rows.card for said in (1, 4, 8, 12, 20)]
    assert heights == [3, 3, 2, 1, 3] and ROWS[-1].card == 1


@pytest.mark.parametrize("width, count", [(60, 20), (60, 24), (80, 24)])
def test_of_a_row_too_long_for_the_window_the_cards_in_the_middle_are_one_tile_with_their_number(width, count):
    game = helpers.game_of("desturado", {}, 4)
    game.position.hand[0] = [cards.Card(1 + rank % 10, 1 + rank % 4) for rank in range(count)]
    board = Picture(game.layout, Window(width, 20))
    shown = [spot.index for spot in board.spots if spot.pile == "hand space 1"]
    assert shown[0] == 0 and shown[1:] == [*range(shown[1], count)] and shown[1] > 2
    taken = collections.Counter(cell for tile in board.tiles for cell in cells_of(tile))
    assert {*taken.values()} == {1} and max(column for _, column in taken) < width
    assert f"+{shown[1] - 1}" in click.unstyle(paint_board(board, [], Look(True, True, {}, TILES_256)))


def test_a_card_goes_onto_a_face_down_pile_and_an_empty_stock_is_still_clicked():
    game = helpers.game_of("klondike", {"draw": "1", "passes": "unlimited"}, 8)
    board = Picture(game.layout)
    discarded = Moved(None, "column 1", 0, "stock", 24, None)
    assert board.dest_of(discarded) == board.spot_of("stock", -1)
    while game.position.stock:
        game.perform(("SW",))
    pointer = point_at(game)
    assert pointer.line_for(Event(keys.CLICK, "", *pointer.board.spot_of("stock", -1).cell[:2])) == "SW"


def test_a_card_in_its_place_for_good_is_quiet_until_the_game_is_won():
    game = Game(deal_of("montana-shuffles-0-win.in"))
    lines = helpers.read_moves("montana-shuffles-0-win.in")
    for line in lines[:-1]:
        game.perform(rules.read(game.rules, line))
    assert sum(tile.shows == FINISHED for tile in Picture(game.layout).tiles) == 47
    game.perform(rules.read(game.rules, lines[-1]))
    assert not any(tile.shows == FINISHED for tile in Picture(game.layout).tiles)


def test_top_cards_stand_side_by_side_as_far_as_there_is_room_and_so_do_piles_that_have_no_place():
    game = rules.Rules(types.ModuleType("unfinished"))
    game.piles = lambda position: [(f"cell {number}", [cards.Card(number, 1)], 1) for number in range(1, 11)]
    stands = stands_of(Layout(game, None))
    assert [(stand.row, stand.column) for stand in stands] == [*((0, number) for number in range(8)), (1, 0), (1, 1)]
    game.ARRANGEMENT = [Line("cell", (0, 3), most=2)]
    assert [(stand.row, stand.column) for stand in stands_of(Layout(game, None))][:4] == [
        (0, 3),
        (0, 4),
        (1, 0),
        (1, 1),
    ]
    for wrong in [("stock", 0)], ("stock", (0, 0)), [("stock", (0, 0), "up")], [("stock", (0, -1))], 3:
        module = types.ModuleType("unfinished")
        module.ARRANGEMENT = wrong
        with pytest.raises(click.ClickException, match="unfinished.py: ARRANGEMENT: expected a list of tuples such as"):
            rules.Rules(module)


@pytest.mark.parametrize("name", ["desturado-hard-win.in", "quadzilla-hard-win.in", "zodiac-win.in"])
def test_a_game_that_is_won_shows_all_its_cards_in_order_and_nothing_to_point_at(name):
    game = Game(deal_of(name))
    for line in helpers.read_moves(name):
        game.perform(rules.read(game.rules, line))
    board = Picture(game.layout, Window(60, 30, said=6))
    texts = [[tile.text for tile in some] for _, some in itertools.groupby(board.tiles, lambda tile: tile.cell.row)]
    ranks = "A 2 3 4 5 6 7 8 9 10 J Q K".split()[: 10 if game.rules.name == "desturado" else 13]
    assert texts == [[f"{rank}{suit}" for rank in ranks] for suit in "♣♦♥♠"] and board.fits
    assert not board.spots and not board.labels


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
        event = Event(keys.CLICK, "", *spot.cell[:2])
        fitting = [move for ways in pointer.ways.by_source.values() for move, dest in ways if dest == spot]
        assert pointer.line_for(event) == (montana.rules.write(*fitting[0]) if len(fitting) == 1 else None)
    assert sum(not spot.is_card for spot in pointer.board.spots) == 4


def test_a_click_on_a_covered_card_says_what_covers_it_and_the_game_says_why_a_card_does_not_go():
    game = helpers.game_of("klondike", {}, 8)
    game.position.tableau[1] = [cards.Card(13, 4), cards.Card(12, 3), cards.Card(11, 4)]
    pointer = point_at(game)
    at = {text: [*pointer.board.spot_of("column 2", index).cell[:2]] for index, text in enumerate(("K♠", "Q♥", "J♠"))}
    assert pointer.line_for(Event(keys.CLICK, "", *at["K♠"])) is None
    assert pointer.why == "K♠ is covered by Q♥, and has no move now."
    ace = pointer.board.spot_of("column 6", 5)
    pointer.line_for(Event(keys.CLICK, "", *ace.cell[:2]))
    assert pointer.held == ace and pointer.line_for(Event(keys.CLICK, "", *at["Q♥"])) == "ac qh"


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


def test_a_card_that_was_picked_up_is_held_over_the_best_place_and_every_arrow_leads_to_another():
    pointer = point_at(helpers.game_of("klondike", {}, 8))
    ace = next(spot for spot in pointer.ways.by_source if pointer.text_of(spot) == "A♣")
    pointer.line_for(Event(keys.CLICK, "", *ace.cell[:2]))
    (best, first), (_, second) = pointer.ways_of(ace)
    assert (pointer.held, pointer.mark, pointer.targets()) == (ace, first, [second])
    for key in (keys.LEFT, keys.RIGHT, keys.UP, keys.DOWN):
        pointer.mark = first
        pointer.line_for(Event(key))
        assert pointer.mark != first and pointer.mark in (ace, second), "no arrow does nothing"
    pointer.mark = first
    assert pointer.line_for(Event(keys.ENTER)) == pointer.line(best)


def test_the_mark_never_begins_on_a_draw_that_ends_a_turn():
    ways = point_at(helpers.game_of("quadzilla", {"difficulty": "normal", "rank": "7"}, 5)).ways
    assert ("D",) in ways.moves and ways.first().is_card
