"""The console of a player at a terminal: the board in its place, colours, hints that light up."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

import cards
from patience.consoles import Console, View
from patience.consoles.screen import Completion, Screen, arrange_in_columns, columns_of, is_dumb, shorten
from patience.consoles.screen import terminal_width, wrap_text
from patience.consoles.script import LETTERS, capture_display
from patience.effects import Effect, is_one_of, lies_face_down
from patience.sentences import describe_last_command
from patience.text import CARD
from solvers.positions import copy_of, lists_in, parts

if TYPE_CHECKING:
    from cards import Card
    from patience import Pair, Position
    from patience.rules import Rules

SYMBOLS = "♣♦♥♠"
CLOSED = "░░"  # a card that lies face down
COLORS = {"♦": "red", "♥": "red"}
FOUR_COLORS = {"♣": "green", "♦": "blue", "♥": "red"}
# The parts of a board that are dimmed: face-down cards, the numbers of piles, the counts of their cards.
QUIET = re.compile(r"\bXX\b|(?<= )--(?!\S)|\b[a-z]?[0-9]+:|\([0-9]+\)", re.IGNORECASE)
FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"  # private-use letters, one for each card to be located
MARKS = re.compile(f"([{FIRST_MARK}-{LAST_MARK}])\\1*")
EMPTY, SHOWN = "--", 2  # the text of an empty place, and the rank of its marker card
UNDERLINED, REVERSED, BOLD = {"underline": True}, {"reverse": True}, {"bold": True}
BETWEEN = " · "
STYLE = re.compile(r"\x1b\[[0-9;]*m")


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
    ) -> None:
        """scrolls: print each board below the last instead of keeping it in
        place. four_colors: give each suit a colour of its own."""
        self.screen = Screen(stdout, scrolls or is_dumb(), self.picture)
        self.view: View | None = None  # what was shown last
        self.drawn: tuple[View | None, int, str] = (
            None,
            0,
            "",
        )  # the View and the width of the last picture, and the picture
        self.is_too_wide = False  # True once the player was told that the terminal is too narrow
        self.colors = not os.environ.get("NO_COLOR") and not is_dumb()
        self.suit_colors = FOUR_COLORS if four_colors else COLORS
        shown = (SYMBOLS + CLOSED).encode(stdout.encoding, "ignore").decode(stdout.encoding)
        self.symbols = not ascii_only and shown == SYMBOLS + CLOSED
        self.closed = CLOSED if self.symbols else "##"
        for stream in (stdin, stdout):
            stream.reconfigure(errors="replace")

    @property
    def width(self) -> int:  # type: ignore[override]
        """The columns of the terminal."""
        return terminal_width()

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
        line = self.screen.ask(question)
        while line is not None and line.startswith("#"):
            line = self.screen.ask(question if self.screen.picture_in_place() else "")
        if line is not None:
            self.screen.clear_messages()
        return line

    def confirm(self, question: str) -> str | None:
        """Show the question and return the answer, or None at the end of the input. Ctrl-C is no."""
        try:
            return self.screen.ask(question, is_last=False)
        except KeyboardInterrupt:
            return "n"

    def close(self) -> None:
        """Show all pending texts when the player leaves, in whatever way."""
        self.screen.leave()

    def offer_completions(self, candidates: Callable[[], list[str]]) -> None:
        """Complete lines with Tab."""
        self.completion = Completion(candidates)

    def questions(self, rules: Rules) -> tuple[str, str]:
        """Return the same prompts for every game."""
        return "Enter command (h for help): ", "Enter: new game, u: undo, q: quit: "

    def show(self, view: View) -> None:
        """Show the messages and the board. A board that stays in its place is drawn with the next question."""
        for message in view.messages:
            self.say(message)
        self.view = view
        picture, width = self.picture(), self.width
        needed = columns_of(STYLE.sub("", picture.rpartition("\n")[0].rpartition("\n")[0]))
        if needed > width and not self.is_too_wide:
            self.is_too_wide = True
            self.say(f"This board needs {needed} columns; the terminal has {width}.")
        if not self.screen.picture_in_place():
            self.screen.write(picture)

    def refresh(self, view: View) -> None:
        """Take what is shown in its place while the next question is asked."""
        self.view = view._replace(messages=())

    def picture(self) -> str:
        """Return the board and the status line, or "" before there is a board."""
        view, width = self.view, self.width
        if self.drawn[:2] != (view, width):
            self.drawn = view, width, self.draw(view, width) if view else ""
        return self.drawn[2]

    def draw(self, view: View, width: int) -> str:
        """Return the board and the status line of a View. The card that moved is underlined, and the cards of a hint
        are in reverse."""
        rules, position, effect = view.game.rules, view.game.position, view.effect
        text, places = layout(rules, rules.display, position)
        if columns_of(text) > width:
            text, places = layout(rules, rules.display_narrow, position)
        if self.colors:
            first_cards = effect.first_cards[:1] if effect else []
            styles = [(moved.card, UNDERLINED) for moved in first_cards]
            styles += [(card, REVERSED) for card in find_hint_cards(rules, position, view.lit)]
            styles += [(card, BOLD) for card in rules.special(position)]
            text = apply_styles(text, places, styles)
        last = describe_last_command(view.game, effect, places) if effect and view.is_new else ""
        status = [*view.status, *filter(None, [last])]
        while status[1:] and len(BETWEEN.join(status)) > width:  # drop what the player knows best
            status.pop(0)
        text = text.replace("XX", self.closed)
        return self.colour(text) + self.colour(shorten(BETWEEN.join(status), width) + "\n", dim=True)


# The board as text


class Marked(cards.Card):
    """A card shown as letters that occur nowhere else, so that its place can be found."""

    text: str

    def __str__(self) -> str:
        return self.text


def layout(rules: Rules, display: Callable[[Position], None], position: Position) -> tuple[str, dict[int, Pair]]:
    """Return the text of a board, in which a card that stands for an empty place is shown as --, and the place of
    each card in the text: id of the card -> (start, end). A card that is not shown is missing from it."""
    copied, marked, blanks = copy_of(position), [], rules.blanks(position)
    for pile, copied_pile in zip(lists_in(parts(position)), lists_in(parts(copied))):
        for index, card in enumerate(pile):
            if isinstance(card, cards.Card):
                is_blank = is_one_of(card, blanks)
                twin = Marked(SHOWN if is_blank else card.rank(), card.suit())
                shown = EMPTY if is_blank else str(card)
                twin.text = re.sub(r"\S", chr(ord(FIRST_MARK) + len(marked)), shown)
                if lies_face_down(card):
                    twin.flip_card()
                copied_pile[index] = twin
                marked.append((card, shown.strip()))
    text = capture_display(display, copied)
    spans = {id(marked[ord(match[1]) - ord(FIRST_MARK)][0]): match.span() for match in MARKS.finditer(text)}
    return MARKS.sub(lambda match: marked[ord(match[1]) - ord(FIRST_MARK)][1][: len(match[0])], text), spans


def find_hint_cards(rules: Rules, position: Position, hint: Effect | None) -> list[Any]:
    """Return the cards that a hint is about: the one to move, and the one it goes onto."""
    piles = {name: pile for name, pile, _ in rules.piles(position)}
    hint_cards = []
    for moved in hint.first_cards[:1] if hint else []:
        hint_cards.append(piles[moved.source][moved.source_index])
        if moved.onto:
            twins = [card for pile in piles.values() for card in pile if card == moved.onto]
            hint_cards += [card for card in piles[moved.dest] if card == moved.onto] or twins[:1]
    return hint_cards


def apply_styles(text: str, places: dict[int, Pair], styles: list[tuple[Card, dict[str, bool]]]) -> str:
    """Return the text of a board with styles, pairs (card, style), and with QUIET parts dimmed."""
    merged = {match.span(): {"dim": True} for match in QUIET.finditer(text)}
    for card, style in styles:  # the card that moved last may also be part of the hint
        if id(card) in places:
            place = places[id(card)]
            merged[place] = {**merged.get(place, {}), **style}
    for (start, end), style in sorted(merged.items(), reverse=True):
        text = text[:start] + click.style(text[start:end], **style) + text[end:]
    return text
