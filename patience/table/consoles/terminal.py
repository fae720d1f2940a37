"""The console of a player at a terminal: the board in its place, colours, hints that light up."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from time import monotonic
from typing import Any

import click

from patience.table.consoles import HELP_WIDTH, Console, Question, Row, View, keys, without_board
from patience.table.consoles.keys import CLICK, Event
from patience.table.consoles.lists import List
from patience.table.consoles.picture import ROWS, Board, Cell, Picture, Window
from patience.table.consoles.pointing import BETWEEN, Pointer
from patience.table.consoles.key_loop import TO_LINE_END
from patience.table.consoles.screen import MIN_BELOW, Screen
from patience.table.consoles.tiles import REVERSED, Look, Style, look_of, paint_board
from patience.table.consoles.typing import Line
from patience.table.consoles.wrapping import arrange_in_columns, shorten, terminal_height, terminal_width, wrap_text
from patience.sentences import describe_asked
from patience.text import YES_NO

ANSWERS = [("     yes", "y"), ("     no", "n")]  # rows of a list
GAP = "  "  # between the words below the board
LINES_BELOW = 2  # the board: how the game stands, and what keys do
SECONDS_OF_DOUBLE = 0.4  # between two clicks that are one
POINTING, POINTING_BY_KEYS = "Arrows or a click: move a card", "Arrows: move a card"
TOO_SMALL = (
    "This board needs a window of {} columns and {} lines. Until then, each is printed below the last, and you type."
)


class Terminal(Console):
    """The console of a player."""

    words_left_out = ("again",)
    words_on_screen = ("help", "board", "look", "where", "tops", "status", "deal", "options")

    def __init__(self, stdout: TextIOWrapper, is_plain: bool, looks: dict[str, bool], scrolls: bool) -> None:
        """is_plain: show the board that the game prints. looks: the options of the options page. scrolls: print each
        board below the last instead of keeping it in place, as is done where keys cannot be read."""
        self.screen = Screen(stdout, keys.Keyboard(looks["mouse"]), scrolls or not keys.can_read_keys())
        self.is_plain = is_plain
        self.look: Look = look_of(stdout, looks)
        self.view: View | None = None  # what was shown last
        self.laid_out: tuple[Any, Board | None] = None, None  # which position was laid out last, and how
        self.pointer: Pointer | None = None  # what is pointed at, while its board is in place
        self.clicked: tuple[Event, float] | None = None  # the last click, if it moved a card, and when
        self.said_once: set[str] = set()  # what is told once

    @property
    def card_back(self) -> str:  # type: ignore[override]
        """How a face-down card is shown."""
        return self.look.back[0] * 2 if self.draws_pictures else super().card_back

    @property
    def draws_pictures(self) -> bool:
        """False if it shows the board that the game prints."""
        return not self.is_plain and not self.screen.scrolls

    def arrange_rules(self, text: str) -> str:
        """Return the rules; beside a picture, without how the printed board looks."""
        return super().arrange_rules(without_board(text) if self.draws_pictures else text)

    @property
    def width(self) -> int:  # type: ignore[override]
        """The terminal's width in columns."""
        return terminal_width()

    @property
    def shows_enter(self) -> bool:  # type: ignore[override]
        """True while the board stays in place: the line below it says what Enter does."""
        return bool(self.view and not self.screen.scrolls and self.board(self.view).fits)

    @property
    def has_pages(self) -> bool:  # type: ignore[override]
        """True if pages can be opened."""
        return not self.screen.scrolls

    @property
    def how_to_choose(self) -> str:  # type: ignore[override]
        """How to choose a row of a list, if not only by typing."""
        clicks = "click, " if self.screen.keyboard.has_mouse else ""
        return "" if self.screen.scrolls else f"Use the arrow keys and Enter, {clicks}or type."

    def say(self, text: list[str] | str) -> None:
        """Show a text, or several in columns."""

        def shown() -> str:
            joined = text if isinstance(text, str) else arrange_in_columns(text, self.width)
            return self.look.paint(wrap_text(f"{joined}\n", self.width))

        self.screen.write(shown)

    def print(self, text: str) -> None:
        """Show a text at once, outside a game. Its lines stay whole in a pipe."""
        if self.screen.stdout.isatty():
            super().print(text)
        else:
            self.screen.put(f"{text}\n")

    def say_once(self, text: str) -> None:
        """Show a text, unless it was shown before."""
        if text and text not in self.said_once:
            self.said_once.add(text)
            self.say(text)

    def notice(self, text: str) -> None:
        """Show a text at once, in place of a question that a key has answered."""
        begin = f"\r{TO_LINE_END}" if self.shows_enter else ""
        self.screen.put(begin + wrap_text(f"{text}\n", self.width))

    def ending_work(self) -> contextlib.AbstractContextManager[None]:
        """Within this context, Escape and a click end a long computation, as Ctrl-C does."""
        return self.screen.keyboard.ending_work()

    # Asking

    def ask(self, question: Question) -> str | None:
        """Show the question and return the next line that is not a comment, or None once the input has ended."""
        line = self.screen.ask(question, self.line_for)
        while line is not None and line.startswith("#"):
            self.pass_over(line)
            line = self.screen.ask(question if self.screen.in_place else Question(), self.line_for)
        self.pointer = None  # the board will be a different one
        if line is not None:
            self.screen.clear_messages()
        return line

    def line_for(self, event: Event) -> str | None:
        """Take a key or a click; return the line that it means, or None if there is none yet."""
        if event.kind == keys.REDRAW:
            self.resize()
        if not self.pointer or self.is_double(event):
            return None
        line = self.pointer.line_for(event)
        if event.kind == CLICK:
            self.clicked = (event, monotonic()) if line is not None and self.pointer.moves_card(event, line) else None
        self.draw()
        return line

    def is_double(self, event: Event) -> bool:
        """Return True for the second half of a double click, whose first half moved a card."""
        return bool(self.clicked and self.clicked[0] == event and monotonic() - self.clicked[1] < SECONDS_OF_DOUBLE)

    def confirm(self, question: Question) -> str | None:
        """Show the question and return the answer, or None at the end of the input. Nothing else can be done
        meanwhile. Outside a game the answers are a list."""
        if not self.view and not self.screen.scrolls:
            return self.choose(ANSWERS, question)
        if self.view and self.screen.in_place:
            self.screen.in_place = functools.partial(self.compose, self.view, is_in_place=False)
        return self.screen.ask(question, choices=YES_NO)

    def choose(self, rows: Sequence[Row], question: Question, message: str = "", lit: str = "") -> str | None:
        """Show a list in place of the board. Where boards scroll, its lines and the question are printed."""
        if self.screen.scrolls:
            return super().choose(rows, question, message)
        shown, line, pending = List(rows, lit), self.screen.line, self.screen.pending
        self.screen.pending, self.screen.line, self.screen.words = [], Line(), ()
        if message:
            self.say(message)

        def line_for(event: Event) -> str | None:
            answer = shown.line_for(event)
            self.screen.in_place = shown.draw(self.width, self.screen.room(question))
            return answer

        self.screen.in_place = shown.draw(self.width, self.screen.room(question))
        try:
            return self.screen.ask(question, line_for, joins=False)
        finally:
            self.screen.clear()
            self.screen.line, self.screen.ended, self.screen.pending = line, False, pending

    def offer_completions(self, candidates: Callable[[], list[str]]) -> None:
        """Begin with a new line, which Tab completes."""
        self.screen.line = Line(candidates=candidates)

    def take_options(self, looks: dict[str, bool]) -> None:
        """From now on, look as these options of the options page specify."""
        self.look, self.laid_out = look_of(self.screen.stdout, looks), (None, None)
        self.screen.keyboard.end()  # key-by-key reading begins again, with or without the mouse
        self.screen.keyboard.has_mouse = looks["mouse"]

    def fall_back(self) -> bool:
        """From now on, print boards one below the other, and read typed lines; after that, nothing more can be left
        out."""
        was_plain = self.screen.scrolls
        self.screen.scrolls, self.screen.in_place, self.pointer = True, "", None
        return not was_plain

    def close(self) -> None:
        """Show all pending texts when the player leaves, however that happens; there are no longer any words to
        click."""
        self.view = self.view and self.view._replace(words=(), enter="")
        self.pointer, self.listed, self.said_once = None, (), set()
        self.screen.leave(self.compose(self.view, is_in_place=False) if self.view else "")
        self.view = None

    # Showing

    def show(self, view: View) -> None:
        """Show the messages and the board. A board that stays in place is drawn with the next question."""
        for message in view.messages:
            self.say(message)
        self.view = view._replace(messages=())
        if not self.shows_enter:
            self.screen.write(self.compose(view, is_in_place=False))
            self.say_once(self.why_not(view))

    def refresh(self, view: View) -> None:
        """Accept the View that stays in place while the next question is asked."""
        self.view = view
        self.follow(None)
        self.draw()

    def show_now(self, view: View) -> None:
        """Show what was said, and the board, before the next question: what follows may take time."""
        self.refresh(view)
        self.screen.draw(Question(), pages=False)

    def resize(self) -> None:
        """Lay the board out for the new window; say so if it no longer fits."""
        was_in_place = bool(self.screen.in_place)
        self.follow(self.pointer)
        self.draw()
        if was_in_place and self.view and not self.screen.in_place:
            self.screen.pending.insert(0, "\n")  # below the question
            self.screen.write(self.compose(self.view, is_in_place=False))
            self.say(self.why_not(self.view))

    def follow(self, old: Pointer | None) -> None:
        """Point at the board if it stays in place, and at the same thing as another Pointer, if one is given."""
        self.pointer = None
        if self.view and self.shows_enter:
            board = self.board(self.view)
            self.pointer = Pointer(board, self.words_of(self.view, board), self.view.is_over)
            if old:
                self.pointer.stand_where(old)

    def draw(self) -> None:
        """Give the screen the picture that stays in place, if there is one."""
        self.screen.in_place = self.compose(self.view, is_in_place=True) if self.view and self.pointer else ""
        self.screen.words = [word.pile for word in self.pointer.words] if self.pointer else ()

    def why_not(self, view: View) -> str:
        """Return why the board does not stay in place, or "" if the player chose that."""
        if self.screen.scrolls:
            return ""
        board = self.board(view)
        return "" if board.fits else TOO_SMALL.format(board.columns, board.height + LINES_BELOW + MIN_BELOW)

    def introduce(self, number: int | None, again: str, rule: str) -> str:
        """Return the lines that introduce a game, without its rule if there is little room beside the board, which
        would grow with the first move."""
        text = super().introduce(number, again, rule)
        is_long = wrap_text(text, self.width).count("\n") + 2 > ROWS[0].free  # with the line of the title
        return super().introduce(number, again, "") if is_long and not self.screen.scrolls else text

    def arrange_help(
        self, commands: str, by_name: tuple[str, str], groups: list[list[tuple[str, str]]], page: int
    ) -> str:
        """Return the help: how to play first, then the commands."""
        rows = [*(self.screen.keyboard.help_rows() if self.shows_enter else ()), by_name]
        formatter = click.HelpFormatter(width=self.width)
        formatter.write_dl(rows, col_max=HELP_WIDTH // 2)
        rest = super().arrange_help(commands, ("", ""), groups, page)
        return f"{formatter.getvalue()}{rest}"

    # The picture

    def board(self, view: View) -> Board:
        """Return the Board of a View: each position is laid out once per window. If there is no room otherwise, the
        words below the board are left out."""
        said = max(1, self.screen.said().count("\n"))
        window = Window(self.width, terminal_height() - LINES_BELOW - 1, said)
        key = view.game, id(view.game.position), tuple(view.game.commands), window, self.screen.scrolls
        if self.laid_out[0] != key:
            kind = Picture if self.draws_pictures else Board
            board = kind(view.game.layout, window._replace(height=window.height - bool(view.words)))
            is_done = board.fits or self.screen.scrolls
            self.laid_out = key, board if is_done else kind(view.game.layout, window)
        assert self.laid_out[1]
        return self.laid_out[1]

    def words_of(self, view: View, board: Board) -> str:
        """Return the line of words below a board, as many as fit; "" if the window is too short for it."""
        if board.height + LINES_BELOW + 1 + MIN_BELOW > terminal_height():
            return ""
        fitting = [GAP.join(view.words[:count]) for count in range(len(view.words) + 1)]
        return max((line for line in fitting if len(line) < self.width), key=len)

    def compose(self, view: View, is_in_place: bool) -> str:
        """Return the board and the status line of a View and, if the board stays in place, what keys do, and the words
        below them."""
        layout, facts, pointer = view.game.layout, [*view.status], self.pointer if is_in_place else None
        board = pointer.board if pointer else self.board(view)
        if isinstance(board, Picture) and not board.fits:
            board = Board(layout, Window(self.width))
        if not isinstance(board, Picture) and view.game.rules.BOARD_HAS_STATUS:
            facts = [fact for fact in facts if fact not in layout.status]
        if view.effect and view.is_new:
            facts += filter(None, [describe_asked(layout, view.game.commands[-1].moves, view.effect)])
        while len(facts) > 1 and len(BETWEEN.join(facts)) > self.width:
            facts.pop(0)  # what was done last stays
        line = shorten(BETWEEN.join(facts), self.width)
        told = f"{self.tell_keys(pointer, view)}\n" if pointer else ""
        words = f"{self.paint_words(pointer)}\n" if pointer and pointer.words else ""
        painted = paint_board(board, self.styles_of(view, board, pointer), self.look)
        return f"{painted}{self.look.paint(line, dim=True)}\n{told}{words}"

    def tell_keys(self, pointer: Pointer, view: View) -> str:
        """Return the line that says what keys do now, whose parts can be clicked; before the first move also how
        to make one."""
        pointer.buttons, named, start = [], pointer.describe(view.enter, self.width), 0
        if pointer.ways.by_source and not (pointer.points or pointer.why or view.game.commands or view.enter):
            named.insert(0, (POINTING if self.screen.keyboard.has_mouse else POINTING_BY_KEYS, ""))
        for text, key in named:
            pointer.buttons += [(range(start, start + len(text)), key)] * bool(key)
            start += len(text + BETWEEN)
        return self.look.paint(shorten(BETWEEN.join(text for text, _ in named), self.width))

    def paint_words(self, pointer: Pointer) -> str:
        """Return the line of words, one of which may be marked."""
        palette = self.look.palette
        lit = palette.ink | palette.mark if self.look.has_colors else REVERSED
        words = [
            click.style(word.pile, **lit) if word == pointer.mark else self.look.paint(word.pile, dim=True)
            for word in pointer.words
        ]
        return GAP.join(words)

    def styles_of(self, view: View, board: Board, pointer: Pointer | None) -> list[tuple[Cell, Style]]:
        """Return pairs of a Cell and a style: for the game's special cards, the card that moved last, the cards of a
        hint, and what is pointed at."""
        effect, palette = view.effect, self.look.palette
        special = map(board.cell_of, view.game.rules.special(view.game.position))
        styles = [(cell, palette.special) for cell in special if cell]
        for moved in effect.lead_cards[:1] if effect else ():
            there = board.spot_of(moved.dest, moved.dest_index)
            styles += [(there.cell, palette.moved)] if there and there.is_card else []
        for moved in view.lit.lead_cards[:1] if view.lit else ():
            ends = board.spot_of(moved.source, moved.source_index), board.dest_of(moved)
            styles += [(spot.cell, palette.hint) for spot in ends if spot]
        if not pointer:
            return styles
        styles += [(spot.cell, palette.target) for spot in pointer.targets()]
        for spot, style in ((pointer.mark, palette.mark), (pointer.held, palette.held)):
            styles += [(spot.cell, style)] if spot and spot not in pointer.words else []
        return styles
