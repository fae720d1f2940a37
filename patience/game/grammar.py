"""The grammar: what a line in the form of a game's COMMANDS means, which lines there are, and why one is refused.

A line is text, "tt 3 5". A move is a tuple of a word and numbers, ("TT", 3, 5). COMMANDS, the help of
a game, is its grammar: one command per line, its word in capitals, then a lower-case letter for each number,
optional ones in brackets. Only a game with read(), write() and refused() of its own reads its lines itself.
"""

import contextlib
import functools
import itertools
import re
from collections import namedtuple

from patience.game.text import tidy

INVALID_INPUT = "Error: invalid input.  "
INVALID_MOVE = "Error: invalid move.  "
TRY_AGAIN = "Please try again."
NUMBER = re.compile("[0-9]{1,9}")
LETTER = re.compile(r"[a-z]|\[[a-z]\]|[0-9]+")  # of a number in COMMANDS; digits in an example
MOST_MOVES = 30_000  # at most, when every possible one is tried

# A command: its word, the letters of its numbers, the fewest and the most it takes, and its line of the help.
Form = namedtuple("Form", "word letters fewest most help")


class Refused(ValueError):
    """A line that is refused. str() is what to show for it."""

    def __init__(self, text, why=None):
        """why: a function that returns one more sentence, for a player at a terminal."""
        super().__init__(text)
        self.why = why


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


@functools.lru_cache(maxsize=None)
def every_move(rules, piles, most):
    """Return a move for every command of COMMANDS with all numbers, but not more than MOST_MOVES, as a tuple: from 1 to
    piles, and from 1 to most for those that may be left out, as they can be numbers of cards."""
    found = []
    for form in forms(rules.COMMANDS).values():
        for count in range(form.fewest, form.most + 1):
            ranges = [range(1, piles + 1)] * form.fewest + [range(1, most + 1)] * (count - form.fewest)
            for numbers in itertools.islice(itertools.product(*ranges), MOST_MOVES - len(found)):
                with contextlib.suppress(ValueError):
                    found.append(rules.read(" ".join([form.word, *map(str, numbers)]).strip()))
    return tuple(found)
