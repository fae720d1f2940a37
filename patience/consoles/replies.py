"""Replies to a player: what was meant by a line that is not understood, and what can be typed now."""

import difflib

from patience import words
from patience.game.grammar import Refused, check, forms
from patience.game.names import card_name, card_of
from patience.game.text import command
from patience.game.typing import PLAYER

ALIKE = 0.7  # how much a line must be like a word to be taken for a slip
MOST_QUOTED = 40  # letters of a line

# What people type that is no command, and the reply to it. A reply that begins with a command in capitals is given in
# the games that have it.
REPLIES = {
    "a auto autoplay finish complete collect": ("A plays every card up that can go.", "There is no command for it."),
    "s dr deal next flip turn stock draw": ("d draws.", "There is nothing to draw here."),
    "save load store keep": ("Games save themselves; q leaves, and resume continues.",),
    "score points time": ("The line under the board has the time; stats shows your results.",),
    "back menu main games list close stop": ("q leaves; PROGRAM alone lists the games.",),
    "daily today": ("PROGRAM GAME --daily deals today's game; stats daily shows those you won.",),
    "undo-all undoall reset": ("restart goes back to the deal; undo 5 takes five commands back.",),
    "clue tip tips advice what what's which stuck": ("hint shows a good move, moves shows them all.",),
    "how why rule goal commands keys info manual instructions": ("help shows the commands, rules the rules.",),
    "z ctrl-z oops takeback revert b": ("u takes the last command back, redo makes it again.",),
    "give concede resign surrender": ("n deals another game; q leaves this one.",),
    "yes y ok no sure": ("Nothing was asked. help shows the commands.",),
    "select click pick m mv move put play drag cards card king queen jack": ("Name a card, and its place: 9d 10s.",),
    "show print look see view status": ("board shows the board.",),
    "options settings config difficulty level": ("Options are given at the start: PROGRAM GAME --help.",),
    "win cheat solution solver": ("solve looks under the cards: can it still be won?",),
}  # fmt: skip
OTHERWISE = "Type help, or a card: 9d 10s."


def reply(line, sitting):
    """Return what a player is told about a line that is no command: the line, and what may have been meant."""
    quoted = line.strip() if len(line) <= MOST_QUOTED else line[:MOST_QUOTED] + " ..."
    return f"{quoted}: not understood. {meant(line, sitting) or told_of(line, sitting.rules) or OTHERWISE}"


def told_of(line, rules):
    """Return the reply of REPLIES to the first word of a line, or ""."""
    typed = line.lower().replace("undo all", "undo-all").split() or [""]
    replies = next((told for names, told in REPLIES.items() if typed[0] in names.split()), ("",))
    word = replies[0].split(" ")[0]
    lacks = word.isupper() and word not in forms(rules.COMMANDS) or word == "d" and not rules.DRAW_WORD
    return (replies[-1] if lacks else replies[0]).replace("PROGRAM", command()).replace("GAME", rules.name)


def meant(line, sitting):
    """Return "Did you mean ...?" for a misspelt word or command, if that is accepted as it stands; the form of the
    command if it is not; or ""."""
    typed, *others = line.lower().split() or [""]
    commands = {word.lower(): form for word, form in forms(sitting.rules.COMMANDS).items() if word}
    known = any(typed in names.split() for names in REPLIES)
    for alike in [] if known else difflib.get_close_matches(typed, {**words.WORDS, **commands}, 1, ALIKE):
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
