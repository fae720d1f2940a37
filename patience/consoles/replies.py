"""Replies to a player: what was meant by a line that is not understood, and what can be typed now."""

import difflib

from patience import words
from patience.game.grammar import Refused, check, forms
from patience.game.names import card_name, card_of
from patience.game.typing import PLAYER

ALIKE = 0.7  # how much a line must be like a word to be taken for a slip


def meant(line, sitting):
    """Return "Did you mean ...?" for a misspelt word or command, if that is accepted as it stands; the form of the
    command if it is not; or ""."""
    typed, *others = line.lower().split() or [""]
    commands = {word.lower(): form for word, form in forms(sitting.rules.COMMANDS).items() if word}
    for alike in difflib.get_close_matches(typed, {**words.WORDS, **commands}, 1, ALIKE):
        better = " ".join([commands[alike].word if alike in commands else alike, *others])
        try:
            if alike in commands:
                check(sitting.rules, sitting.game, sitting.move_of(better))
            else:
                words.read(better, sitting.rules, PLAYER)
            return f"Did you mean {better}?"
        except Refused:
            return commands[alike].help if alike in commands else words.help_of(alike, PLAYER)
    return ""


def all_lines(table):
    """Return what can be typed now: the words, and the legal moves."""
    legal = [] if table.asks_again else table.sitting.legal_moves()
    rules, game = table.sitting.rules, table.sitting.game
    named = [card_of(rules.describe(game, *move).split()[0]) for move in legal]
    names = [card_name(pair).lower() for pair in dict.fromkeys(named) if pair]
    return [*words.words_of(table.typist), *names, *(rules.write(*move) for move in legal)]
