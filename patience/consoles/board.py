"""The board as text: the width that it needs, marks, styles, and the status line. Nothing here has a state."""

import re

import click

import cards
from patience.consoles.script import shown_by
from patience.game.names import is_one_of, lies_face_down
from patience.game.text import count_of, minutes
from solvers.positions import copy_of, lists_in, parts

RED_CARD = re.compile(r"(?:10|[2-9AJQK])[♦♥]")
# What a player need not read again: face-down cards, the numbers of piles, how many cards they have.
QUIET = re.compile(r"\bXX\b|(?<= )--(?!\S)|\b[a-z]?[0-9]+:|\([0-9]+\)", re.IGNORECASE)
MARK = "\ue000"  # stands for a letter of a card that is looked for
EMPTY, SHOWN = "--", 2  # what stands in an empty place, and the rank of a card that is shown there
UNDERLINED, REVERSED, BOLD = {"underline": True}, {"reverse": True}, {"bold": True}
BETWEEN = " · "


class Marked(cards.Card):
    """A card that is shown as marks."""

    def __str__(self):
        return self.text


def marked(card, text=None):
    """Return a Marked in place of a card, as wide as it is, or with another text."""
    twin = Marked(card.rank() if text is None else SHOWN, card.suit())
    twin.text = re.sub(r"\S", MARK, str(card)) if text is None else text
    if lies_face_down(card):
        twin.flip_card()
    return twin


def exchanged(cards_in_play, game, text=None):
    """Return a copy of a position with a Marked in place of each of some cards."""
    copied = copy_of(game)
    for here, there in zip(lists_in(parts(game)), lists_in(parts(copied))):
        there[:] = [marked(one, text) if is_one_of(one, cards_in_play) else other for one, other in zip(here, there)]
    return copied


def with_blanks(rules, display, game):
    """Return the text of a board with the places that are empty marked, where a card stands for them."""
    return shown_by(display, exchanged(rules.blanks(game), game, EMPTY) if rules.blanks(game) else game)


def marked_places(card, display, game):
    """Return the (start, end) places of this very card in the text of a board; one that looks like it is not marked."""
    text = shown_by(display, exchanged([card], game))
    return [match.span() for match in re.finditer(f"{MARK}+", text)]


def display_for(rules, game, width):
    """Return the function that shows the board in this width."""
    needed = max(map(len, shown_by(rules.display, game).splitlines()), default=0)
    return rules.display if needed <= width else rules.display_narrow


def styled(text, display, game, styles):
    """Return the text of a board with its styles, (card, style) each, and QUIET dim."""
    merged = {match.span(): {"dim": True} for match in QUIET.finditer(text)}
    for card, style in styles:  # a card may have moved last and be hinted at too
        for place in marked_places(card, display, game):
            merged[place] = {**merged.get(place, {}), **style}
    for (start, end), style in sorted(merged.items(), reverse=True):
        text = text[:start] + click.style(text[start:end], **style) + text[end:]
    return text


def in_red(text):
    """Return a text with its red cards in red."""
    return RED_CARD.sub(lambda card: click.style(card[0], fg="red"), text)


def status_line(sitting, record, did):
    """Return the line under the board: the deal, the moves, the time, what the game adds, what the last move did."""
    seconds = record.seconds()
    told = [
        "" if sitting.number is None else str(sitting.number),
        record.today,
        count_of(len(sitting.done), "move"),
        "" if seconds is None else minutes(seconds),
        sitting.rules.status(sitting.game),
        did,
    ]
    return BETWEEN.join(filter(None, told))
