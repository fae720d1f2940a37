"""The help: the commands of a game, the words of every game, and what one of them is for."""

from __future__ import annotations

import re

from patience import effects
from patience.game import Game
from patience.layout import pair_of
from patience.rules import forms
from patience.table.session import Session
from patience.text import card_name
from patience.table.words import COUNTS, LETTERS, WORD_GROUPS, WORDS

EXAMPLE = "9d 10s"  # of a move by name


def show_help(session: Session, word: str | None) -> str:
    """Return the commands of the game, and the words of every game; or what one of them is for."""
    rules, console = session.game.rules, session.console
    if word and not word.isdecimal():
        known = forms(rules.COMMANDS)
        return known[word].help if word in known else help_of(session, word)
    shown = [name for name in names_of(session) if name not in console.words_on_screen]
    groups = [
        [(usage_of(session, name), WORDS[name].short_help) for name in group if name in shown] for group in WORD_GROUPS
    ]
    return console.arrange_help(rules.COMMANDS, move_by_name(session), list(filter(None, groups)), int(word or 1))


def move_by_name(session: Session) -> tuple[str, str]:
    """Return a move by name, as the help shows it, and what it does."""
    rules, shown = session.game.rules, example(session.game)
    if not rules.DRAW_WORD:
        return shown, "move, by name"
    draw = re.split("[,:;]", forms(rules.COMMANDS)[rules.DRAW_WORD].does)[0]  # in Quadzilla: end the turn
    return f"{shown}, d", f"move, {draw or 'draw'}"


def names_of(session: Session) -> list[str]:
    """Return the names of the words that can be typed."""
    return [name for name in WORDS if name not in session.console.words_left_out]


def usage_of(session: Session, name: str) -> str:
    """Return a word as the help shows it: `undo [n], u`."""
    letters = [letter for letter, word in LETTERS.items() if word == name]
    return ", ".join([name + (" [n]" if WORDS[name].argument in COUNTS else ""), *letters])


def help_of(session: Session, name: str) -> str:
    """Return the help text for a single word."""
    return f"{usage_of(session, name)}: {WORDS[name].long_help}"


def example(game: Game) -> str:
    """Return a legal move as a player types it: 9d 10s."""
    for move in reversed(game.legal_moves()):  # the last move gives no hint
        for moved in effects.lead_cards_of(game.layout, move)[:1]:
            named = filter(None, [moved.card, effects.onto_of(moved)])
            return " ".join(card_name(pair_of(card)).lower() for card in named)
    return EXAMPLE
