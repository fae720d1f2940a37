"""What may be typed: who types, several commands in a line, cards by name, commands in other spellings."""

import re
from collections import namedtuple
from itertools import islice

from patience.game import grammar, names
from patience.game.grammar import forms
from patience.game.names import card_of
from solvers.positions import cards_in, drawn, parts

JOINED = re.compile("([A-Z]+)([0-9]{1,9})")  # a word and its numbers: TT46
TWO_CARDS = re.compile("((?:10|[2-9ATJQK])[CDHS♣♦♥♠])" * 2, re.IGNORECASE)
BETWEEN = ("to", "on", "onto")  # cards, or a card and a place
DRAWS = ("D", "DR", "DRAW")  # where they are no commands of the game
FILLERS = ("MOVE", "PUT", "PLAY")  # words that a line may begin with
FOUNDATION = ("F", "FOUNDATION", "UP")
ALL_DRAWS = "d all"
MOST_DRAWS = 200  # that are tried to reach a card
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
HEARER = PLAYER._replace(prompt="Command: ", again="Enter for a new game, u undo, q quit: ")  # who cannot see the board


def move_of(rules, game, line, legal_moves):
    """Return the move that a line means. legal_moves: a function that returns them, the best first. Raises Refused if
    it means none."""
    first, *rest = line.split() or [""]
    if first.upper() in FILLERS and first.upper() not in forms(rules.COMMANDS) and rest and not rules.reads_itself:
        line = " ".join(rest)
    if pairs := names.cards_named(line):
        return names.named(rules, game, legal_moves(), pairs)
    return to_place(rules, game, line, legal_moves) or grammar.read(rules, spelled_out(rules, game, line))


def to_place(rules, game, line, legal_moves):
    """Return the move of a card that is named to a column or a foundation: "9d 3", "ah f"; or None if the line is
    another one. Raises Refused if there is no such move."""
    first, *place = line.upper().split() or [""]
    pair = names.card_of(first)
    if not pair or len(place) != 1 or rules.reads_itself or not (place[0].isdecimal() or place[0] in FOUNDATION):
        return None
    for move in legal_moves():
        told = rules.describe(game, *move)
        goes_there = place[0] == dest_of(rules, move) if place[0].isdecimal() else " to a foundation" in told
        if goes_there and names.begins_with(told, [pair]):
            return move
    where = f"to {place[0]}" if place[0].isdecimal() else "to a foundation"
    if names.is_hidden(rules, game, pair):
        raise grammar.Refused(f"{grammar.INVALID_MOVE}{names.card_text(pair)} lies face down.")
    raise grammar.Refused(f"{grammar.INVALID_MOVE}No legal move takes {names.card_text(pair)} {where}.")


def dest_of(rules, move):
    """Return the destination number of a move as text, or "" if it has none. In COMMANDS a source is the letter s, or
    the command's own first letter: the e of EF."""
    word, *numbers = move
    form = forms(rules.COMMANDS)[word]
    letter, number = list(zip(form.letters, numbers))[: form.fewest][-1] if numbers and form.fewest else ("s", "")
    return "" if letter in ("s", word[:1].lower()) else str(number)


def draws_to(rules, game, line):
    """Return the lines that draw until a card that was seen lies open, for "draw ah", or through the whole stock, for
    ALL_DRAWS; or the line itself, if it is another one. Raises Refused if drawing does not lead there."""
    word, *others = line.upper().split() or [""]
    if word not in (*DRAWS, rules.DRAW_WORD) or len(others) != 1 or not hasattr(game, "waste"):
        return [line]
    if others == ["ALL"]:
        return [rules.DRAW_WORD] * max(1, draws_to_see(rules, game))
    pair = names.card_of(others[0])
    if not pair:
        return [line]
    unknown = names.unknown_cards(rules, game)
    twins = [card for card in cards_in(parts(game)) if (card.rank(), card.suit()) == pair]
    coming = [card for card in twins if names.is_one_of(card, game.stock + game.waste)]
    if all(names.is_one_of(card, unknown) for card in coming or twins):
        raise grammar.Refused(f"{grammar.INVALID_MOVE}{names.card_text(pair)} has not been seen yet.")
    for count, trial in enumerate(islice(drawn(rules, game), MOST_DRAWS), start=1):
        if [(card.rank(), card.suit()) for card in trial.waste[-1:]] == [pair]:
            return [rules.DRAW_WORD] * count
    raise grammar.Refused(f"{grammar.INVALID_MOVE}Drawing does not lead to {names.card_text(pair)}.")


def draws_to_see(rules, game):
    """Return how many draws show cards that were not seen."""
    unseen, count = len(rules.hidden(game)), 0
    for count, trial in enumerate(islice(drawn(rules, game), MOST_DRAWS), start=1):
        before, unseen = unseen, len(rules.hidden(trial))
        if unseen >= before:
            return count - 1
    return count


def commands_in(line):
    """Return the lines that a typed line consists of, joined by semicolons, each with blanks instead of commas, and
    between cards: "2c3h; tt,4,6" is ["2c 3h", "tt 4 6"]."""
    return [" ".join(plain_words(part.replace(",", " ").split())) for part in line.split(";")]


def plain_words(words):
    """Return words with two cards in one word taken apart, and no "to" between cards, or a card and a place."""
    pairs = [TWO_CARDS.fullmatch(word) for word in words]
    words = [part for word, pair in zip(words, pairs) for part in (pair.groups() if pair else [word])]
    return [
        word
        for place, word in enumerate(words)
        if word.lower() not in BETWEEN or not all(map(is_end, words[:place] + words[place + 1 :]))
    ]


def is_end(word):
    """Return True if a word can say where a move comes from or goes, or is one of FILLERS."""
    return card_of(word) or word.isdecimal() or word.upper() in (*FOUNDATION, *FILLERS)


def spelled_out(rules, game, line):
    """Return a line in the form of COMMANDS: "draw 3" is "SW 3", "4 6" the command between columns, "TT46" is "TT 4 6"
    if that is the only way to read it, or the only one that is allowed."""
    word, *numbers = line.upper().split() or [""]
    found = forms(rules.COMMANDS)
    if rules.reads_itself or word in found:
        return line
    if word in DRAWS and rules.DRAW_WORD:
        return " ".join([rules.DRAW_WORD, *numbers])
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
