"""The console of a player at a terminal: the board in its place, colours, hints that light up."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from patience.consoles import HELP_WIDTH, Console, View
from patience.consoles.board import Place, find_spots, lay_out, spread
from patience.consoles.keys import CLICK, CONTROL, DROP, ESCAPE, TEXT, Event
from patience.consoles.pointing import Pointer
from patience.consoles.reading import Completion
from patience.consoles.screen import MIN_BELOW, Screen
from patience.consoles.tiles import BOLD, COLORS, FOUR_COLORS, PLAIN, paint, palette_of
from patience.consoles.wrapping import (
    arrange_in_columns,
    columns_of,
    is_dumb,
    shorten,
    terminal_height,
    terminal_width,
    wrap_text,
)
from patience.effects import Effect, piles_by_name
from patience.game import asked_moves
from patience.sentences import describe_asked
from patience.text import CARD, LETTERS, SIGNS, YES_NO, can_show, card_text
from solvers.positions import lies_face_down, lists_in, parts

if TYPE_CHECKING:
    from patience import Pair, Position
    from patience.rules import Rules

CLOSED = "░░"  # a card that lies face down
BETWEEN = " · "
SPREADS = (1.75, 1.5)  # how much further apart the cards of a board are, if there is room
GAP = "  "  # between the words below the board
SHARE_OF_ENTER = 3  # quarters of the status line that what Enter does may take
STYLE = re.compile(r"\x1b\[[0-9;]*m")
WORD, MIN_WORDS = re.compile(r"\w+"), 4  # of a fact that is not shown twice
POINTING = "Arrows or a click move cards; type h for help.\n"
POINTING_BY_KEYS = "Arrows move cards; type h for help.\n"


class Terminal(Console):
    """The console of a player."""

    words_left_out = ("again",)
    words_on_screen = ("help", "board", "look", "where", "tops", "status", "deal")

    def __init__(
        self,
        stdin: TextIOWrapper,
        stdout: TextIOWrapper,
        ascii_only: bool = False,
        scrolls: bool = False,
        four_colors: bool = False,
        is_plain: bool = False,
    ) -> None:
        """scrolls: print each board below the last instead of keeping it in place. four_colors: give each suit a colour
        of its own. is_plain: show cards as text, and not as tiles."""
        self.screen = Screen(stdout, scrolls or is_dumb(), self.picture)
        self.view: View | None = None  # what was shown last
        self.pointer: Pointer | None = None  # what is pointed at on its board, once something was
        self.has_pointed = False  # True once something was
        self.follows_keys = False  # True while the mark goes on to the next move by itself
        self.laid_out: tuple[Any, Any] = None, None  # for which game and width a board was laid out last, and how
        self.drawn: tuple[Any, str] = None, ""  # what the last picture shows, and the picture
        self.is_plain = False  # True once something had to be left out, see be_plainer
        self.is_too_wide = False  # True once the player was told that the terminal is too narrow,
        self.is_too_low = False  # or too low
        self.colors = not os.environ.get("NO_COLOR") and not is_dumb() and stdout.isatty()
        self.suit_colors = FOUR_COLORS if four_colors else COLORS
        self.symbols = not ascii_only and can_show(stdout, SIGNS + CLOSED)
        self.palette = palette_of(is_plain or not self.symbols)
        self.closed = CLOSED if self.symbols else "##"
        for stream in (stdin, stdout):
            stream.reconfigure(errors="replace")

    @property
    def width(self) -> int:  # type: ignore[override]
        """The columns of the terminal."""
        return terminal_width()

    @property
    def shows_enter(self) -> bool:  # type: ignore[override]
        """True while the board stays in its place: below it stands what Enter does."""
        return bool(self.screen.picture_in_place())

    def say(self, text: list[str] | str) -> None:
        """Show a text, or several in columns."""
        text = text if isinstance(text, str) else arrange_in_columns(text, self.width)
        self.screen.write(self.colour(wrap_text(f"{text}\n", self.width)))

    def notice(self, text: str) -> None:
        """Show a text at once."""
        self.screen.put(wrap_text(f"{text}\n", self.width))

    def colour(self, text: str, dim: bool = False) -> str:
        """Return text with red suits in red, and with letters for suits if there are no symbols."""
        if self.colors:
            text = click.style(text, dim=True) if dim else CARD.sub(self.colour_card, text)
        return text if self.symbols else text.translate(LETTERS)

    def colour_card(self, card: re.Match[str]) -> str:
        """Return a card, a match of CARD, in the colour of its suit."""
        color = self.suit_colors.get(card[2])
        return click.style(card[0], fg=color) if color else card[0]

    def ask(self, question: str) -> str | None:
        """Show the question and return the next line that is not a comment, or None once the input has ended."""
        point = self.point if self.view else None
        self.screen.is_guarded = bool(self.view and "hint" not in self.view.words)  # behind the end of a game
        if point and not self.has_pointed and self.screen.can_point():
            self.has_pointed = True
            self.screen.write(POINTING if self.screen.has_mouse else POINTING_BY_KEYS)
        ask = functools.partial(self.screen.ask, point=point)
        line = ask(question)
        while line is not None and line.startswith("#"):
            line = ask(question if self.screen.picture_in_place() else "")
        self.pointer = None  # the board will be a different one
        if line is not None:
            self.screen.clear_messages()
        return line

    def point(self, event: Event) -> str | None:
        """Take a key or a click; return the line that it means, or None if there is none yet."""
        assert self.view
        if not self.pointer and event.kind in (
            TEXT,
            ESCAPE,
            CONTROL,
        ):  # a typed line begins: there is nothing to let go
            return None
        if not self.pointer:
            self.pointer = self.point_at(self.view)
        line = self.pointer.take(event)
        if line is not None:
            self.follows_keys = bool(self.pointer.mark) and event.kind not in (CLICK, DROP)
        return line

    def point_at(self, view: View) -> Pointer:
        """Return a Pointer for a board."""
        rules, position = view.game.rules, view.game.position
        display, text, places = self.lay_out(view)
        spots = find_spots(rules, display, position, text, places)
        return Pointer(view, self.width, spots, text.count("\n"), self.words_of(view, text.count("\n")))

    def words_of(self, view: View, height: int) -> str:
        """Return the line of words below the board, as far as they fit; "" if the window is too low for it. height: of
        the board."""
        if self.screen.scrolls or height + 2 + MIN_BELOW > terminal_height():
            return ""
        fitting = [GAP.join(view.words[:count]) for count in range(len(view.words) + 1)]
        return max((line for line in fitting if len(line) < self.width), key=len)

    def celebrate(self, pack: list[Pair]) -> str | None:
        """Return the highest cards of the game: of most the four Kings."""
        highest = max(rank for rank, _ in pack)
        return f"\n  {'  '.join(card_text(pair) for pair in dict.fromkeys(pack) if pair[0] == highest)}\n"

    def arrange_help(
        self, commands: str, by_name: tuple[str, str], groups: list[list[tuple[str, str]]], page: int
    ) -> str:
        """Return the help: first how one plays, then the codes."""
        keys = "arrows, a click" if self.screen.has_mouse else "arrows, Enter"
        first = [(keys, "pick up a card, put it down")] if self.screen.can_point() else []
        first += [by_name, ("hint", "a good move"), ("undo, u", "take back")]
        if self.screen.can_point():
            first += [("Space, Backspace, Escape", "draw, take back, let go"), ("Tab", "the next move; Enter plays it")]
            first += [("words below the board", "a click or arrows" if self.screen.has_mouse else "arrows")]
        formatter = click.HelpFormatter(width=self.width)
        formatter.write_dl(first, col_max=HELP_WIDTH // 2)
        rest = super().arrange_help(commands, ("", ""), groups, page)
        return f"{formatter.getvalue()}{rest}"

    def confirm(self, question: str) -> str | None:
        """Show the question and return the answer, or None at the end of the input. Ctrl-C is no."""
        try:
            return self.screen.ask(question, is_last=False, choices=YES_NO)
        except KeyboardInterrupt:
            return "n"

    def be_plainer(self) -> bool:
        """From now on boards are printed one below the other, and lines are typed; a second time nothing can be left
        out."""
        was_plain, self.is_plain = self.is_plain, True
        self.screen.scrolls, self.pointer = True, None
        return not was_plain

    def close(self) -> None:
        """Show all pending texts when the player leaves, in whatever way; there are no words to click any more."""
        self.view = self.view and self.view._replace(words=())
        self.screen.leave()

    def offer_completions(self, candidates: Callable[[], list[str]]) -> None:
        """Complete lines with Tab."""
        self.screen.candidates = candidates
        self.completion = Completion(candidates) if self.screen.scrolls else None

    def show(self, view: View) -> None:
        """Show the messages and the board. A board that stays in its place is drawn with the next question."""
        for message in view.messages:
            self.say(message)
        self.view = view._replace(messages=())
        picture, width = self.picture(), self.width
        needed = columns_of(STYLE.sub("", picture.rpartition("\n")[0].rpartition("\n")[0]))
        if needed > width and not self.is_too_wide:
            self.is_too_wide = True
            self.say(f"This board needs {needed} columns; the terminal has {width}.")
        if not self.screen.picture_in_place():
            self.screen.write(picture)
            self.tell_too_low()

    def tell_too_low(self) -> None:
        """Tell once that the window is too low for pointing, unless the player wants boards below each other."""
        if not self.screen.scrolls and not self.is_too_low:
            self.is_too_low = True
            self.say("The window is too low for this board: boards stand one below the other, and lines are typed.")

    def refresh(self, view: View) -> None:
        """Take what is shown in its place while the next question is asked."""
        self.view = view
        self.pointer = self.point_at(view) if self.follows_keys and self.screen.can_point() else None
        if self.pointer:
            self.pointer.mark = self.pointer.first(view.game.leads_on)
        self.follows_keys = False

    def picture(self) -> str:
        """Return the board and the status line, or "" before there is a board."""
        if not self.view:
            return ""
        pointer = self.pointer
        if pointer and pointer.width != self.width:
            self.pointer = self.point_at(self.view)
            self.pointer.stand_where(pointer)
            pointer = self.pointer
        shown = self.view, self.width, pointer and (pointer, pointer.mark, pointer.held, pointer.shown, pointer.why)
        if self.drawn[0] != shown:
            self.drawn = shown, self.compose(self.view)
        return self.drawn[1]

    def lay_out(self, view: View) -> tuple[Callable[[Position], None], str, dict[int, Place]]:
        """Return the display that fits the window, and the text of the board with the Places of the cards. A position
        is laid out once for each width."""
        key = view.game, id(view.game.position), tuple(view.game.commands), self.width
        if self.laid_out[0] != key:
            self.laid_out = key, self.fit(view)
        return self.laid_out[1]

    def fit(self, view: View) -> tuple[Callable[[Position], None], str, dict[int, Place]]:
        """Lay the board out by the widest display that fits."""
        rules, position = view.game.rules, view.game.position
        displays = [rules.display]
        if self.colors and self.palette is not PLAIN:
            displays[:0] = [spread(rules.display, factor) for factor in SPREADS]
        for display in displays:
            text, places = lay_out(rules, display, position)
            if columns_of(text) < self.width or display is rules.display and columns_of(text) == self.width:
                return display, text, places
        return rules.display_narrow, *lay_out(rules, rules.display_narrow, position)

    def compose(self, view: View) -> str:
        """Return the board and the status line of a View."""
        effect, width = view.effect, self.width
        display, text, places = self.lay_out(view)
        is_spread = display not in (view.game.rules.display, view.game.rules.display_narrow)
        last = ""
        if effect and view.is_new:
            asked = asked_moves(view.game.rules, view.game.commands[-1])
            last = describe_asked(view.game.rules, view.game.position, asked, effect, places)
        pointed = self.pointer.describe() if self.pointer else ""
        if view.enter and not self.screen.scrolls and not (self.pointer and (self.pointer.points or self.pointer.why)):
            pointed = f"Enter: {view.enter}"
        status = [*(fact for fact in view.status if not is_shown(fact, text)), *filter(None, [last])]
        text = text.replace("XX", self.closed)
        if self.colors:
            styles = self.styles_of(view, places)
            text = paint(text, self.cards_of(view, places), styles, self.palette, self.suit_colors, is_spread=is_spread)
        elif self.pointer:
            text = paint(text, [], self.pointed_styles(), PLAIN, {}, False)
        text = text if self.symbols else text.translate(LETTERS)
        told = shorten(pointed, width * SHARE_OF_ENTER // 4)
        line = shorten(BETWEEN.join(status), width - len(BETWEEN + told) if told else width)  # what stands first stays
        line += BETWEEN if told and line else ""
        line, height = self.colour(line, dim=True) + self.colour(told), text.count("\n")
        return f"{text}{line}\n{self.paint_words(self.words_of(view, height))}"

    def paint_words(self, words: str) -> str:
        """Return the line of words, in which the mark may stand."""
        mark = self.pointer.mark if self.pointer else None
        if not words:
            return ""
        if not self.pointer or mark not in self.pointer.words:
            return f"{self.colour(words, dim=True)}\n"
        _, start, end = mark.place
        lit = click.style(words[start:end], **(self.palette.mark if self.colors else PLAIN.mark))
        return f"{self.colour(words[:start], dim=True)}{lit}{self.colour(words[end:], dim=True)}\n"

    def cards_of(self, view: View, places: dict[int, Place]) -> list[tuple[Place, bool]]:
        """Return the Places of the cards, but for those that stand for an empty place, and whether they lie face
        down."""
        rules, position = view.game.rules, view.game.position
        blanks = {id(card) for card in rules.blanks(position)}
        all_cards = [card for pile in lists_in(parts(position)) for card in pile if id(card) in places]
        return [(places[id(card)], lies_face_down(card)) for card in all_cards if id(card) not in blanks]

    def styles_of(self, view: View, places: dict[int, Place]) -> list[tuple[Place, dict[str, Any]]]:
        """Return pairs of a Place and a style: the cards of the game that stand out, the one that moved last, those of
        a hint, and what is pointed at."""
        rules, position, effect, palette = view.game.rules, view.game.position, view.effect, self.palette
        lit = [(card, BOLD) for card in rules.special(position)]
        lit += [(moved.card, palette.moved) for moved in effect.first_cards[:1]] if effect else []
        lit += [(card, palette.hint) for card in find_hint_cards(rules, position, view.lit)]
        styles = [(places[id(card)], style) for card, style in lit if id(card) in places]
        return styles + self.pointed_styles()

    def pointed_styles(self) -> list[tuple[Place, dict[str, Any]]]:
        """Return pairs of a Place and a style of what is pointed at."""
        pointer, palette = self.pointer, self.palette if self.colors else PLAIN
        if not pointer:
            return []
        styles = [(spot.place, palette.target) for spot in pointer.targets()]
        for spot, style in ((pointer.mark, palette.mark), (pointer.held, palette.held)):
            styles += [(spot.place, style)] if spot and spot not in pointer.words else []
        return styles


def find_hint_cards(rules: Rules, position: Position, hint: Effect | None) -> list[Any]:
    """Return the cards that a hint is about: the one to move, and the one it goes onto."""
    piles = piles_by_name(rules, position)
    hint_cards = []
    for moved in hint.first_cards[:1] if hint else []:
        hint_cards.append(piles[moved.source][moved.source_index])
        if moved.onto:
            twins = [card for pile in piles.values() for card in pile if card == moved.onto]
            hint_cards += [card for card in piles[moved.dest] if card == moved.onto] or twins[:1]
    return hint_cards


def is_shown(fact: str, text: str) -> bool:
    """Return True if the board says a fact already: each of its words, if they are several."""
    words = [word.rstrip("s").lower() for word in WORD.findall(fact)]
    board_words = {word.rstrip("s").lower() for word in WORD.findall(text)}
    return len(words) >= MIN_WORDS and board_words.issuperset(words)
