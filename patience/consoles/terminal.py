"""The console of a player at a terminal: the board in its place, colours, hints that light up."""

import os
import re

import click

import cards
from patience.consoles.screen import Completion, Screen, arrange_in_columns, columns_of, shorten, terminal_width
from patience.consoles.screen import is_dumb, wrap_text
from patience.consoles.script import LETTERS, capture_display
from patience.effects import effect_of, is_one_of, lies_face_down, onto_of
from patience.text import CARD, count_of, tidy
from solvers.positions import copy_of, lists_in, parts

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
MAX_TURNED, MAX_MOVED = 4, 8  # cards that are named


class Terminal:
    """The console of a player."""

    PROMPT = "Enter command (h for help): "
    AGAIN = "Enter: new game, u: undo, q: quit: "
    SECONDS_TO_THINK = 0.5  # before the player is told to wait
    is_spoken = False
    page = None

    def __init__(self, stdin, stdout, ascii_only=False, scrolls=False, four_colors=False):
        """stdin, stdout: the text streams of sys. scrolls: print each board below the last instead of keeping it in
        place. four_colors: give each suit a colour of its own."""
        self.screen = Screen(stdout, scrolls or is_dumb(), self.board)
        self.shown = None  # the game and the effect last passed to show()
        self.play = None  # the Play that uses this console
        self.completion = Completion(lambda: self.play.candidates())
        self.is_too_wide = False  # True once the player was told that the terminal is too narrow
        self.colors = not os.environ.get("NO_COLOR") and not is_dumb()
        self.suit_colors = FOUR_COLORS if four_colors else COLORS
        shown = (SYMBOLS + CLOSED).encode(stdout.encoding, "ignore").decode(stdout.encoding)
        self.symbols = not ascii_only and shown == SYMBOLS + CLOSED
        self.closed = CLOSED if self.symbols else "##"
        for stream in (stdin, stdout):
            stream.reconfigure(errors="replace")

    @property
    def width(self):
        """The columns of the terminal."""
        return terminal_width()

    def say(self, text):
        """Show a text, or several in columns."""
        text = text if isinstance(text, str) else arrange_in_columns(text, self.width)
        self.screen.write(self.colour(wrap_text(f"{text}\n", self.width)))

    def notice(self, text):
        """Show a text at once."""
        self.screen.put(wrap_text(f"{text}\n", self.width))

    def colour(self, text, dim=False):
        """Return text with red suits in red, and with letters for suits if there are no symbols."""
        if self.colors:
            text = click.style(text, dim=True) if dim else CARD.sub(self.colour_card, text)
        return text if self.symbols else text.translate(LETTERS)

    def colour_card(self, card):
        """Return a card, a match of CARD, in the colour of its suit."""
        color = self.suit_colors.get(card[2])
        return click.style(card[0], fg=color) if color else card[0]

    def ask(self, question):
        """Show the question and return the next line that is not a comment, or None once the input has ended."""
        line = self.screen.ask(question)
        while line is not None and line.startswith("#"):
            line = self.screen.ask(question if self.screen.in_place() else "")
        if line is not None:
            self.screen.clear_messages()
        return line

    def confirm(self, question):
        """Show the question and return the answer, or None at the end of the input. Ctrl-C is no."""
        try:
            return self.screen.ask(question, is_last=False)
        except KeyboardInterrupt:
            return "n"

    def close(self):
        """Show all pending texts when the player leaves, in whatever way."""
        self.screen.leave()

    def show(self, game, effect=None, messages=()):
        """Show the messages and the board."""
        for message in messages:
            self.say(message)
        self.shown = game, effect
        needed = columns_of(capture_display(display_for(game, self.width), game.position))
        if needed > self.width and not self.is_too_wide:
            self.is_too_wide = True
            self.say(f"This board needs {needed} columns; the terminal has {self.width}.")
        if not self.screen.in_place():
            self.screen.write(self.board())

    def board(self):
        """Return the board and the status line, or "" before there is a board. The card that moved is underlined, and
        the cards of a hint are in reverse."""
        if not self.shown:
            return ""
        game, effect = self.shown
        rules, position = game.rules, game.position
        guide, notes = self.play and self.play.guide, self.play and self.play.notes
        hint = effect_of(rules, position, guide.hinted) if guide and guide.hinted else None
        text, places = layout(rules, display_for(game, self.width), position)
        if self.colors:
            moved = effect.leads[:1] if effect else []
            styles = [(lead.card, UNDERLINED) for lead in moved]
            styles += [(card, REVERSED) for card in find_hint_cards(rules, position, hint)]
            styles += [(card, BOLD) for card in rules.special(position)]
            text = apply_styles(text, places, styles)
        last = describe_last_command(game, effect, places) if effect and notes and effect is notes.effect else ""
        status = [*(self.play.facts() if self.play else []), *filter(None, [last])]
        while status[1:] and len(BETWEEN.join(status)) > self.width:  # what is known best goes first
            status.pop(0)
        text = text.replace("XX", self.closed)
        return self.colour(text) + self.colour(shorten(BETWEEN.join(status), self.width) + "\n", dim=True)


# The board as text


class Marked(cards.Card):
    """A card shown as letters that occur nowhere else, so that its place can be found."""

    def __str__(self):
        return self.text


def display_for(game, width):
    """Return the function that prints the board within this width."""
    needed = columns_of(capture_display(game.rules.display, game.position))
    return game.rules.display if needed <= width else game.rules.display_narrow


def layout(rules, display, position):
    """Return the text of a board, in which a card that stands for an empty place is shown as --, and a dict with the
    place of each card in the text: id of the card -> (start, end). A card that is not shown is missing from it."""
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


def find_hint_cards(rules, position, hint):
    """Return the cards that a hint is about: the one to move, and the one it goes onto."""
    piles = {name: pile for name, pile, _ in rules.piles(position)}
    hint_cards = []
    for lead in hint.leads[:1] if hint else []:
        hint_cards.append(piles[lead.source][lead.source_index])
        if lead.onto:
            twins = [card for pile in piles.values() for card in pile if card == lead.onto]
            hint_cards += [card for card in piles[lead.dest] if card == lead.onto] or twins[:1]
    return hint_cards


def apply_styles(text, places, styles):
    """Return the text of a board with styles, a list of (card, style), and with QUIET parts dimmed."""
    merged = {match.span(): {"dim": True} for match in QUIET.finditer(text)}
    for card, style in styles:  # the card that moved last may also be part of the hint
        if id(card) in places:
            place = places[id(card)]
            merged[place] = {**merged.get(place, {}), **style}
    for (start, end), style in sorted(merged.items(), reverse=True):
        text = text[:start] + click.style(text[start:end], **style) + text[end:]
    return text


def describe_last_command(game, effect, places):
    """Return in a few words what the last command did, or "" if the board shows it."""
    last, count = game.commands[-1].moves[0], len(game.commands[-1].moves)
    shown = [str(lead.card).strip() for lead in effect.moved if id(lead.card) in places]
    turned = [str(card).strip() for card in [lead.card for lead in effect.drawn] + [card for _, card in effect.turned]]
    up = f", {' '.join(turned)} turned up" if 0 < len(turned) <= MAX_TURNED else ""
    if last[0] == game.rules.DRAW_WORD:
        ends = {name: len(pile) - 1 for name, pile, _ in game.rules.piles(game.position)}
        up = [
            lead for lead in effect.moved + effect.drawn if lead.dest_index == ends[lead.dest] and lead.dest != "stock"
        ]
        names = [str(lead.card).strip() for lead in up if id(lead.card) in places]
        if not hasattr(game.position, "waste"):
            return f"dealt {' '.join(names[-MAX_MOVED:])}" if names else ""
        names = names or [str(card).strip() for card in game.position.waste[-1:]]
        if count > 1:
            return f"{count_of(count, 'draw')}, now {' '.join(names) or 'no waste'}"
        return f"drew {' '.join(names)}" if names else "turned the waste over"
    if len(effect.leads) == 1:
        return tidy(describe_lead(effect.leads[0])) + up
    return f"moved {' '.join(shown)}{up}" if 0 < len(shown) <= MAX_MOVED and (up or not turned) else ""


def describe_lead(lead):
    """Return what happened to a card: `9♦ onto 10♠`, `A♥ to foundation 1`."""
    if onto_of(lead):
        return f"{lead.card} {'beside' if lead.dest.startswith('row') else 'onto'} {lead.onto}"
    return f"{lead.card} to {lead.dest}"
