"""What may be typed: who types, several commands in a line, cards by name, commands in other spellings."""

import re
from collections import namedtuple

from patience.game import grammar, names
from patience.game.grammar import forms
from patience.game.names import card_of

JOINED = re.compile("([A-Z]+)([0-9]{1,9})")  # a word and its numbers: TT46
TWO_CARDS = re.compile("((?:10|[2-9ATJQK])[CDHS♣♦♥♠])" * 2, re.IGNORECASE)
BETWEEN_CARDS = ("to", "on", "onto")
COLUMN_TO_COLUMN = ("s", "d")  # the numbers of the command that moves cards between columns

LETTERS = {"h": "help", "u": "undo", "r": "restart", "n": "new", "q": "quit"}
SPELLINGS = {**LETTERS, "?": "help", "exit": "quit"}
ANSWERS = {"y": "new", "n": "quit", "undo": "undo"}
MORE_ANSWERS = {**ANSWERS, "yes": "new", "no": "quit", "u": "undo"}
PLAYERS_ANSWERS = {**MORE_ANSWERS, "n": "new", "": "new"}

# Who types. prompt: what is asked for a command; "" for the game's own question. again: what is asked once a game is
# over. answers: the words that its answers mean. spellings: other spellings of words. is_player: every word can be
# typed at every question, and help is given to a person. can_ask: a person sits there, and can be asked.
Typist = namedtuple("Typist", "prompt again answers spellings is_player can_ask")

# A script in the words of an assignment, for a game that reads its lines itself.
ASSIGNMENT = Typist("", "Do you want to play again (y/n)?", ANSWERS, {"q": "quit"}, False, False)
SCRIPT = Typist("", "Do you want to play again (y/n/undo)? ", MORE_ANSWERS, SPELLINGS, False, False)
SAVED_GAME = Typist("", "", MORE_ANSWERS, SPELLINGS, True, False)
PLAYER = Typist(
    "Enter command (h for help): ", "Enter: new game, u: undo, q: quit: ", PLAYERS_ANSWERS, SPELLINGS, True, True
)


def move_of(rules, game, line, legal_moves):
    """Return the move that a line means. legal_moves: a function that returns them, the best first. Raises Refused if
    it means none."""
    if pairs := names.cards_named(line):
        return names.named(rules, game, legal_moves(), pairs)
    return grammar.read(rules, spelled_out(rules, game, line))


def commands_in(line):
    """Return the lines that a typed line consists of, joined by semicolons, each with blanks instead of commas, and
    between cards: "2c3h; tt,4,6" is ["2c 3h", "tt 4 6"]."""
    return [" ".join(plain_words(part.replace(",", " ").split())) for part in line.split(";")]


def plain_words(words):
    """Return words with two cards in one word taken apart, and no "to" between cards."""
    pairs = [TWO_CARDS.fullmatch(word) for word in words]
    words = [part for word, pair in zip(words, pairs) for part in (pair.groups() if pair else [word])]
    return [
        word
        for place, word in enumerate(words)
        if word.lower() not in BETWEEN_CARDS or not all(map(card_of, words[:place] + words[place + 1 :]))
    ]


def spelled_out(rules, game, line):
    """Return a line in the form of COMMANDS: "draw 3" is "SW 3", "4 6" the command between columns, "TT46" is "TT 4 6"
    if that is the only way to read it, or the only one that is allowed."""
    word, *numbers = line.upper().split() or [""]
    found = forms(rules.COMMANDS)
    if rules.reads_itself or word in found:
        return line
    if word == "DRAW" and rules.DRAW:
        return " ".join([rules.DRAW, *numbers])
    if word.isdigit() and numbers:
        between = [form.word for form in found.values() if form.letters[:2] == COLUMN_TO_COLUMN]
        return " ".join([*between[:1], line])
    joined = JOINED.fullmatch(word)
    if joined and joined[1] in found:
        return taken_apart(rules, game, found[joined[1]], joined[2], numbers) or f"{joined[1]} {line}"
    return line


def taken_apart(rules, game, form, digits, numbers):
    """Return a command whose word and first numbers were typed as one word, or "" if it is not clear which they are.
    numbers: those that follow, as words."""
    ways = [
        " ".join([form.word, *split, *numbers])
        for split in splits(digits)
        if form.fewest <= len(split) + len(numbers) <= form.most
    ]
    if len(ways) > 1:
        ways = [way for way in ways if rules.refusal(game, *grammar.read(rules, way)) is None] or ways
    return ways[0] if len(ways) == 1 else ""


def splits(digits):
    """Return all ways to take digits apart into numbers, as lists of words."""
    longer = [[digits[:end], *rest] for end in range(1, len(digits)) for rest in splits(digits[end:])]
    return [split for split in [[digits], *longer] if not any(number.startswith("0") for number in split)]
