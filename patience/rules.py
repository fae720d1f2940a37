"""The rules of a game: what its module provides, a default for everything it lacks, and what is refused.

A move is a tuple of a word and numbers, such as ("TT", 3, 5) for the line "tt 3 5". COMMANDS, a game's help text, is
its grammar: one command per line, with its word in capitals, then a lower-case letter for each number, optional ones in
brackets. A command without a word is given as an example, such as 4 13 1 10, which means ("", 4, 13, 1, 10).
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import itertools
import re
import traceback
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import cards
from patience import decks
from patience.arrangement import Line, read_lines
from patience.decks import PACK
from patience.text import tidy
from patience.positions import cards_in, copy_of, lies_face_down, lists_in, parts, position_after
from patience.positions import preserve_random_state, sizes

if TYPE_CHECKING:
    from types import ModuleType, TracebackType

    from cards import Card
    from patience import Move, Pair, Pile, Position

OPEN = {"stock": 0, "shoe": 0, "discard": 0, "waste": 3, "foundations": 1}  # field -> how many top cards can be seen
NAMES_OF_ONE = {"": "row", "tableau": "column"}  # field -> what one of its lists is called
NOT_ALLOWED = "That is not allowed."  # for a module that does not say why
TRY_AGAIN = "Please try again."
GAP = re.compile(" {2,}")  # in a line of COMMANDS, before what the command does
NUMBER = re.compile("[0-9]{1,9}")
LETTER = re.compile(r"[a-z]|\[[a-z]\]|[0-9]+")  # stands for a number in COMMANDS; digits in an example
NEWER_METHODS = ("flip_card", "is_face_up")  # methods of Card that one published cards.py lacks
MAX_MOVES = 30_000  # the limit when trying every possible move


class CommandForm(NamedTuple):
    """A command, as given in COMMANDS."""

    word: str
    letters: tuple[str, ...]  # of its numbers
    fewest: int  # numbers that it takes
    most: int
    usage: str  # as COMMANDS writes it: TT s d [n]
    does: str  # in words

    @property
    def help(self) -> str:
        """The whole line, in words."""
        return f"{self.usage}: {self.does}" if self.does else self.usage


class Refused(ValueError):
    """A line is refused. str() is the message to show."""


class NotUnderstood(Refused):
    """A line is not a command."""

    def __init__(self) -> None:
        super().__init__(TRY_AGAIN)


class Ambiguous(Refused):
    """A line could mean two places."""


class Rules:
    """The rules of a game; game is a position. These are the defaults: a subclass in patience/games overrides them, and
    so do the functions of the game's module."""

    COMMANDS = ""
    OPTIONS: dict[str, tuple[str, ...]] = {}
    VIEWS: dict[str, Any] = {}
    DRAW_WORD: str | None = None
    PACK = PACK
    PROMPT = "Enter command (h for help): "
    AGAIN = "Do you want to play again (y/n)?"
    STUCK = "No legal move is left."
    BOARD_HAS_STATUS = False  # display prints the facts of status
    ARRANGEMENT: Sequence[Line] = ()  # where the piles stand on its picture; by default a pile a row

    def __init__(self, module: ModuleType) -> None:
        self.name, self.module = module.__name__, module
        self.file = ""  # the path of a student's file
        self.text = (module.__doc__ or "").strip("\n")
        self.TITLE = getattr(module, "TITLE", f"{self.name.capitalize()} Solitaire.")
        for name in [name for name in vars(Rules) if not name.startswith("_") and name != "write"]:
            if hasattr(module, name) and not has_own(self, name):
                setattr(self, name, getattr(module, name))
        try:
            self.ARRANGEMENT = read_lines(self.ARRANGEMENT)
        except ValueError as error:
            raise click.ClickException(f"{self.name}.py: {error}") from None
        self.no_moves = ""  # or why none of its moves is known
        if not has_own(self, "move"):
            self.no_moves = f"{self.name} has no move() yet."
        elif not self.COMMANDS and not has_own(self, "legal_moves"):
            self.no_moves = f"{self.name}.py has no COMMANDS yet, so its moves are not known."

    def write(self, *move: Any) -> str:
        """Return the line to type for a move."""
        return " ".join(map(str, move)).lstrip()

    def initialize(self, **options: Any) -> Position:
        """Deal a position; an error by default."""
        raise click.ClickException(f"{self.name}.py has no initialize yet.")

    def display(self, game: Position) -> None:
        """Print the board; an error by default."""
        raise click.ClickException(f"{self.name}.py has no display yet.")

    def refusal(self, game: Position, word: Any, *numbers: Any) -> str | None:
        """Why a move is not allowed, or None; by default what validate_move says, or move on a copy."""
        has_validate_move = "validate_move" in vars(self)  # the module's own; the default would call this method
        with preserve_random_state():
            is_allowed = self.validate_move if has_validate_move else self.move
            return None if is_allowed(copy_of(game), word, *numbers) else NOT_ALLOWED

    def validate_move(self, game: Position, word: Any, *numbers: Any) -> bool:
        """Whether a move is allowed; by default, if there is no refusal."""
        return self.refusal(game, word, *numbers) is None

    def move(self, game: Position, *move: Any) -> Any:
        """Make a move, and return whether it was allowed; none is by default."""
        raise Refused(self.no_moves)

    def check_win(self, game: Position) -> bool:
        """Whether the game is won; never by default."""
        return False

    def check_loss(self, game: Position) -> str | None:
        """Why the game is lost, or None; never by default."""
        return None

    def legal_moves(self, game: Position) -> list[Move]:
        """Every move that gains something, most useful first; by default every allowed move of the grammar."""
        moves = () if self.no_moves else every_move(self, *sizes(game))
        return [move for move in moves if move[0] not in self.VIEWS and self.refusal(game, *move) is None]

    def describe(self, game: Position, word: Any, *numbers: Any) -> str:
        """What a legal move does, in words; by default the move as it is typed."""
        return self.write(word, *numbers)

    def remarks(self, game: Position) -> list[str]:
        """Where the functions of a student's file go wrong; nothing by default."""
        return []

    def perform(self, game: Position, word: Any, *numbers: Any) -> str:
        """Make a legal move, and return a message about it; none by default."""
        self.move(game, word, *numbers)
        return ""

    def confirmation(self, game: Position, word: Any, *numbers: Any) -> str:
        """A question before a legal move that throws something away; none by default."""
        return ""

    def moved_card(self, game: Position, word: Any, *numbers: Any) -> tuple[Card, Any] | None:
        """The card that a legal move takes, and the card or pile it goes onto; by default the position after the move
        shows it."""
        return None

    def status(self, game: Position) -> list[str]:
        """Facts for the status line; none by default."""
        return []

    def progress(self, game: Position) -> int | None:
        """How far along the game is, for hints; by default the number of known cards in the field that has the most."""
        unknown = {id(pile[index]) for pile, index in self.hidden(game)}
        return max(
            (sum(id(card) not in unknown for card in cards_in([field])) for field in parts(game).values()), default=0
        )

    def reason(self, game: Position, word: Any, *numbers: Any) -> str:
        """What a legal move is good for, or ""; by default a card turned up, or an empty place."""
        after = position_after(self, game, (word, *numbers))
        if len(self.hidden(after)) < len(self.hidden(game)):
            return "turns up a card"
        empty, was_empty = (sum(not pile for pile in lists_in(parts(position))) for position in (after, game))
        return "makes an empty place" if empty > was_empty else ""

    def special(self, game: Position) -> list[Card]:
        """Cards that stand out; none by default."""
        return []

    def finished(self, game: Position) -> list[Card]:
        """Cards on the board that stay where they are until the end; none by default."""
        return []

    def blanks(self, game: Position) -> list[Card]:
        """Cards that stand for an empty place; none by default."""
        return []

    def hidden(self, game: Position) -> list[tuple[list[Card], int]]:
        """The places, (list, index), of the cards that a player cannot know; by default those that lie face down."""
        return [
            (pile, index)
            for pile in lists_in(parts(game))
            for index, card in enumerate(pile)
            if not isinstance(card, list) and lies_face_down(card)
        ]

    def piles(self, game: Position) -> list[Pile]:
        """The piles in reading order: (name, list of cards, how many of the last cards can be seen, or None for all
        face-up cards); by default they are named after the position's fields."""
        all_piles = []
        for field, pile in parts(game).items():
            number_open = OPEN.get(field)
            if isinstance(pile, list) and any(isinstance(part, list) for part in pile[:1]):
                name = NAMES_OF_ONE.get(field, field.removesuffix("s"))
                all_piles += [(f"{name} {number}", part, number_open) for number, part in enumerate(pile, start=1)]
            elif isinstance(pile, list) and (not pile or any(isinstance(card, cards.Card) for card in pile)):
                all_piles.append((field, pile, number_open))
        return all_piles

    def display_narrow(self, game: Position) -> None:
        """Print the board in fewer columns; by default as it is."""
        self.display(game)


def has_own(rules: Rules, name: str) -> bool:
    """Return True if a game replaces the default with this name."""
    return name in vars(rules) or name in vars(type(rules)) and type(rules) is not Rules


# The grammar of COMMANDS, and what is allowed


@functools.lru_cache(maxsize=None)
def forms(commands: str) -> dict[str, CommandForm]:
    """Return the CommandForms of a game's COMMANDS by word. A command that consists only of numbers, given as an
    example, has the word "". Raises ValueError if a line is not a command."""
    by_word = {}
    for line in commands.splitlines():
        usage, *does = GAP.split(line.strip(), 1)
        words = usage.split()
        word = "" if words[0].isdigit() else words.pop(0)
        if not all(map(LETTER.fullmatch, words)):
            raise ValueError(
                f"COMMANDS: cannot read the line {line!r}; expected a word in capitals, a lower-case letter for "
                "each number, two blanks or more, and what it does"
            )
        optional = sum(number.startswith("[") for number in words)
        by_word[word] = CommandForm(word, tuple(words), len(words) - optional, len(words), usage, "".join(does))
    return by_word


def read(rules: Rules, line: str) -> Move:
    """Return the move that a line means in the grammar of COMMANDS. Raises Refused if there is none."""
    known, words = forms(rules.COMMANDS), line.upper().split() or [""]
    word, *numbers = ["", *words] if words[0].isdecimal() and "" in known else words
    form = known.get(word)
    if not rules.COMMANDS and word and all(map(NUMBER.fullmatch, numbers)):
        return word, *map(int, numbers)
    if form is None:
        raise NotUnderstood
    if not form.fewest <= len(numbers) <= form.most or not all(map(NUMBER.fullmatch, numbers)):
        raise Refused(form.help)
    return word, *map(int, numbers)


def check(rules: Rules, position: Position, move: Move) -> None:
    """Raise Refused if the game does not allow the move."""
    reason = rules.refusal(position, *move)
    if reason is not None:
        raise Refused(tidy(reason))


@functools.lru_cache(maxsize=None)
def every_move(rules: Rules, piles: int, most: int) -> tuple[Move, ...]:
    """Return a tuple of moves: every command of COMMANDS with all its possible numbers, up to MAX_MOVES. A required
    number runs from 1 to piles; an optional one, which may count cards, runs from 1 to most."""
    moves = []
    for form in forms(rules.COMMANDS).values():
        for count in range(form.fewest, form.most + 1):
            ranges = [range(1, piles + 1)] * form.fewest + [range(1, most + 1)] * (count - form.fewest)
            moves += ((form.word, *numbers) for numbers in islice(itertools.product(*ranges), MAX_MOVES - len(moves)))
    return tuple(moves)


class MissingMethod(Exception):
    """The cards of cards.py lack a method that the game needs."""


def deal(rules: Rules, options: dict[str, str], dealt: Sequence[Pair] = ()) -> Position:
    """Return the position of a deal. dealt: the (rank, suit) of the cards in the order they are dealt, or () for a
    shuffled deck. Raises MissingMethod."""
    with missing_methods_told():
        with decks.dealing(dealt, rules.module):
            position = rules.initialize(**options)
        rules.check_loss(position)  # this may need more methods of Card
        return position


@contextlib.contextmanager
def missing_methods_told() -> Iterator[None]:
    """Within this context, a method that the cards of cards.py lack is a MissingMethod."""
    try:
        yield
    except AttributeError as error:
        if error.name in NEWER_METHODS and isinstance(error.obj, cards.Card):
            message = f"this game needs {error.name}(), which the Card of cards.py lacks."
            raise MissingMethod(message) from None
        raise


# The games


def all_games(ctx: click.Context | None = None) -> dict[str, str]:
    """Return the program's list of games: module name -> its line."""
    program: Any = (ctx or click.get_current_context()).find_root().command
    return program.games


@functools.cache
def load(name: str) -> Rules:
    """Return the Rules of the game with this name."""
    return rules_in(name, importlib.import_module(name))


def rules_in(name: str, module: ModuleType) -> Rules:
    """Return the Rules of a module, as an instance of the class for the game with this name."""
    known = f"patience.games.{name}"
    try:
        return getattr(importlib.import_module(known), name.capitalize())(module)
    except ModuleNotFoundError as error:
        if error.name != known:
            raise
        return Rules(module)


def spoken_name(name: str) -> str:
    """Return the full name of a game as people say it: Klondike, draw 1."""
    game, *options = name.split(" --")
    return ", ".join([game.capitalize(), *options])


def describe_error(error: Exception, module: str) -> str:
    """Return the text of an error, starting at the first line in the module with this name."""
    trace = own_trace(error.__traceback__, {module: ""})
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def own_trace(trace: TracebackType | None, games: dict[str, str]) -> TracebackType | None:
    """Return a traceback that starts at the first line in a game's module, or None. games: the names of the modules."""
    while trace:
        if trace.tb_frame.f_globals.get("__name__") in games:
            return trace
        trace = trace.tb_next
    return None
