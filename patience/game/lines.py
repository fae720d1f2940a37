"""Lines and moves: what a typed line means, and how a move is written.

A line is text, "tt 3 5". A move is a tuple of a word and numbers, ("TT", 3, 5). COMMANDS, the help of
a game, is its grammar: one command per line, its word in capitals, then a lower-case letter for each number,
optional ones in brackets. Only a game with read(), write() and refused() of its own reads its lines itself.
"""

import contextlib
import functools
import itertools
import re
from collections import namedtuple

import cards
from solvers.positions import cards_in, parts, sizes
from patience.game.text import tidy

INVALID_INPUT = "Error: invalid input.  "
INVALID_MOVE = "Error: invalid move.  "
TRY_AGAIN = "Please try again."
NUMBER = re.compile("[0-9]{1,9}")
LETTER = re.compile(r"[a-z]|\[[a-z]\]|[0-9]+")  # of a number in COMMANDS; digits in an example
JOINED = re.compile("([A-Z]+)([0-9]{1,9})")  # a word and its numbers: TT46
TWO_CARDS = re.compile("((?:10|[2-9ATJQK])[CDHS♣♦♥♠])" * 2, re.IGNORECASE)
BETWEEN_CARDS = ("to", "on", "onto")

RANKS = {name: rank for rank, name in enumerate("A 2 3 4 5 6 7 8 9 10 J Q K".split(), start=1)}
SUITS = {name: suit for suit, name in enumerate("CDHS", start=1)}
SYMBOLS = str.maketrans("♣♦♥♠", "CDHS")
MOST_MOVES = 30_000  # that are tried when one is looked for among all
COLUMN_TO_COLUMN = ("s", "d")  # the numbers of the command that moves cards between columns

# A command: its word, the letters of its numbers, the fewest and the most it takes, and its line of the help.
Form = namedtuple("Form", "word letters fewest most help")


class Refused(ValueError):
    """A line that is refused. str() is what to show for it."""

    def __init__(self, text, why=None):
        """why: a function that returns one more sentence, for a player at a terminal."""
        super().__init__(text)
        self.why = why


# Lines and moves


@functools.lru_cache(maxsize=None)
def forms(commands):
    """Return the Forms of a game's COMMANDS, by their words. A command of numbers only, which is shown by an
    example, has the word "". Raises ValueError if a line is no command."""
    found = {}
    for line in commands.splitlines():
        words = line.split("  ")[0].split()
        word = "" if words[0].isdigit() else words.pop(0)
        if not all(map(LETTER.fullmatch, words)):
            raise ValueError(
                f"COMMANDS: cannot read the line {line!r}; expected a word in capitals, a lower-case letter for "
                "each number, two blanks or more, and what it does"
            )
        optional = sum(number.startswith("[") for number in words)
        found[word] = Form(word, tuple(words), len(words) - optional, len(words), line)
    return found


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
    form = joined and found.get(joined[1])
    if not form:
        return line
    ways = [
        " ".join([form.word, *split, *numbers])
        for split in splits(joined[2])
        if form.fewest <= len(split) + len(numbers) <= form.most
    ]
    if len(ways) > 1:
        ways = [way for way in ways if rules.refusal(game, *read_command(rules.COMMANDS, way)) is None] or ways
    return ways[0] if len(ways) == 1 else f"{form.word} {line}"


def splits(digits):
    """Return all ways to take digits apart into numbers, as lists of words."""
    longer = [[digits[:end], *rest] for end in range(1, len(digits)) for rest in splits(digits[end:])]
    return [split for split in [[digits], *longer] if not any(number.startswith("0") for number in split)]


def read(rules, line):
    """Return the move that a line means. Raises Refused if it means none."""
    try:
        return rules.read(line)
    except Refused:
        raise
    except ValueError as error:
        raise Refused(str(error)) from None


def read_command(commands, line):
    """Return the move that a line means by the grammar of COMMANDS. Raises Refused if it means none."""
    word, *numbers = line.upper().split() or [""]
    form = forms(commands).get(word)
    if not commands and word and all(map(NUMBER.fullmatch, numbers)):
        return word, *map(int, numbers)
    if form is None:
        raise Refused(INVALID_INPUT + TRY_AGAIN)
    if not form.fewest <= len(numbers) <= form.most or not all(map(NUMBER.fullmatch, numbers)):
        raise Refused(INVALID_INPUT + form.help)
    return word, *map(int, numbers)


def check(rules, game, move):
    """Raise Refused if the game does not allow the move."""
    reason = rules.refusal(game, *move)
    if reason is not None:
        raise not_allowed(rules.refused(*move), lambda: tidy(reason))


def not_allowed(fixed, why):
    """Return the Refused for a move that is not allowed. why: a function that returns the reason. fixed: what a game
    prints instead, or ""."""
    return Refused(fixed, why) if fixed else Refused(INVALID_MOVE + why())


def every_line(commands, piles, most):
    """Yield a line for every command of COMMANDS with all numbers: from 1 to piles, and from 1 to most for those
    that may be left out, as they can be numbers of cards."""
    for form in forms(commands).values():
        for count in range(form.fewest, form.most + 1):
            ranges = [range(1, piles + 1)] * form.fewest + [range(1, most + 1)] * (count - form.fewest)
            for numbers in itertools.product(*ranges):
                yield " ".join([form.word, *map(str, numbers)]).strip()


@functools.lru_cache(maxsize=None)
def every_move(rules, piles, most):
    """Return the moves of every_line, as a tuple; but not more than MOST_MOVES."""
    found = []
    for line in itertools.islice(every_line(rules.COMMANDS, piles, most), MOST_MOVES):
        with contextlib.suppress(ValueError):
            found.append(rules.read(line))
    return tuple(found)


# Cards by name


def card_of(word):
    """Return the (rank, suit) of a card such as 10H, th, qs or A♣, or None if the word is not a card."""
    name = word.upper().translate(SYMBOLS)
    rank, suit = RANKS.get("10" if name[:-1] == "T" else name[:-1]), SUITS.get(name[-1:])
    return (rank, suit) if rank and suit else None


def card_name(pair):
    """Return a card as a deck file has it: (10, 3) is 10H."""
    rank, suit = pair
    return list(RANKS)[rank - 1] + list(SUITS)[suit - 1]


def cards_named(line):
    """Return the (rank, suit) pairs that a line names, one or two cards, or [] if it is another line."""
    words = line.split()
    named = [card_of(word) for word in words] if len(words) <= 2 else []
    return [] if None in named else named


def named(rules, game, moves, pairs):
    """Return the best move for the cards of a line: the first of the moves whose description begins
    with one of them, or with the first and names the second next.

    moves: legal ones, the best first. pairs: what cards_named returns. Raises Refused if there is none.
    """
    for move in moves:
        if begins_with(rules.describe(game, *move), pairs):
            return move
    raise not_allowed(rules.refused(), functools.partial(why_not, rules, game, pairs))


def begins_with(text, pairs):
    """Return True if a text begins with a card, and these are the first ones that it names. Two that it
    joins by "and" may be named in either order, or one of them alone."""
    words = text.split()
    told = [card_of(word.strip(",.:")) for word in words]
    first = [card for card in told if card][: 2 if words[1:2] == ["and"] else len(pairs)]
    if words[1:2] == ["and"]:
        return told[0] is not None and not set(pairs) - set(first)
    return told[0] is not None and first == pairs


def why_not(rules, game, pairs):
    """Return why the cards cannot be moved as they were named: what the game says of the move that was
    meant, or that there is none.

    With one card a move is meant if the game has only one thing to say of it.
    """
    for pair in pairs:
        if is_hidden(rules, game, pair):
            return f"{card_text(pair)} lies face down."
    reasons = []
    for move in every_move(rules, *sizes(game)):
        reason = rules.refusal(game, *move)
        if reason and begins_with(reason, pairs) and reason not in reasons:
            reasons.append(reason)
    if reasons and len(pairs) == 2 or len(reasons) == 1:
        return tidy(reasons[0])
    return f"No legal move takes {' to '.join(map(card_text, pairs))}."


def is_hidden(rules, game, pair):
    """Return True if the player cannot know where a card lies, or any other like it."""
    unknown = [pile[place] for pile, place in rules.hidden(game)]
    places = [
        any(card is one for one in unknown) for card in cards_in(parts(game)) if (card.rank(), card.suit()) == pair
    ]
    return bool(places) and all(places)


def card_text(pair):
    """Return a card as the board shows it."""
    return str(cards.Card(*pair)).strip()
