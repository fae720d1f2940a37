"""The current game: a deal, and the moves made since.

A deal's number seeds random, which decides the cards and every later shuffle. A script started with a seed seeds
random only once; its later games have no number and continue its stream. The last positions are kept if they may be
needed; earlier ones are found by dealing again and replaying the moves.
"""

import bisect
import copy
import enum
import random
import shlex
from collections import deque, namedtuple
from types import SimpleNamespace

import cards
from patience import lines
from patience.decks import StackedDeck
from patience.lines import INVALID_MOVE, Refused
from patience.text import card_name, printable, tidy
from solvers.positions import keep_chance, copy_of, lists_in, parts, position_after, same

MAX_NUMBER = 10**6  # the number of a fresh deal has at most 6 digits
MAX_KEPT = 300  # positions
NEWER_METHODS = ("flip_card", "is_face_up")  # methods of Card that one published cards.py lacks

# The state before a move: the position, and the state of random.
Before = namedtuple("Before", "position chance")


class Form(enum.Enum):
    """How a move is told."""

    COMMAND = 0  # as it is typed, and what it does: `TT 3 5  9♦ onto 10♠`
    NAMES = 1  # what it does, to a person, who types 9d 10s: `9♦ onto 10♠`
    BARE = 2  # as it is typed


def describe_move(rules, position, move, form, sign="  "):
    """Return a legal move in this form. sign: what stands between the command and what it does."""
    line, does = rules.write(*move), tidy(rules.describe(position, *move))
    return {Form.NAMES: does, Form.BARE: line}.get(form, f"{line}{sign}{does}")


class MissingMethod(Exception):
    """The cards of cards.py lack a method that the game needs."""


class Deal(namedtuple("Deal", "rules options number cards path", defaults=[None, None, None])):
    """How a game is dealt. options: option -> choice. number: the seed for random, or None to continue its
    stream. cards: the (rank, suit) pairs to deal instead of a shuffled deck, or None. path: the path of their file,
    or None."""

    def name(self):
        """Return the name of the game with its options that are not the default, in their order: klondike --draw 1."""
        chosen = [
            f"--{option} {self.options[option]}"
            for option, choices in self.rules.OPTIONS.items()
            if self.options.get(option, choices[0]) != choices[0]
        ]
        return " ".join([self.rules.name, *chosen])

    def source(self, keeps_cards=False):
        """Return the options that deal this game again: --seed 8. keeps_cards: list the cards, not their file."""
        words = [] if self.number is None else [f"--seed {self.number}"]
        if self.cards:
            shown = " ".join(map(card_name, self.cards)) if keeps_cards or not self.path else self.path
            words.append(f"--deck {shlex.quote(printable(shown))}")
        return " ".join(words)

    def command(self, keeps_cards=False):
        """Return the game and options that deal it again: klondike --draw 1 --seed 8. keeps_cards: as in source."""
        return f"{self.name()} {self.source(keeps_cards)}".rstrip()


def fresh_number():
    """Return a random number for a fresh deal."""
    return random.SystemRandom().randrange(MAX_NUMBER)


class Game:
    """A deal and its moves."""

    def __init__(self, deal, keeps=True):
        """Deal the cards. keeps: keep positions from the start, not only once they are first needed. Raises
        MissingMethod."""
        self.deal = deal
        self.position = None
        self.moves = []  # since the deal
        self.undone = []  # moves taken back; the last in the list is redone first
        self.keeps = keeps
        self.kept = deque(maxlen=MAX_KEPT)  # a Before for each of the last moves
        if deal.number is not None:
            random.seed(deal.number)
        self.chance = random.getstate()  # at the deal
        self.replay([])

    @property
    def rules(self):
        """The rules of the game."""
        return self.deal.rules

    def replay(self, moves):
        """Deal the same game again and make these moves; self.moves then holds exactly them."""
        random.setstate(self.chance)
        try:
            deck = StackedDeck(self.deal.cards) if self.deal.cards else None
            self.position = self.rules.initialize(deck, **self.deal.options)
            self.rules.check_loss(self.position)  # this may need more methods of Card
        except AttributeError as error:
            if error.name in NEWER_METHODS and isinstance(error.obj, cards.Card):
                raise MissingMethod(error.name) from None
            raise
        self.moves = []
        self.kept.clear()
        for move in moves:
            self.make(move)

    def dealt_cards(self):
        """Return the (rank, suit) pairs of the deal in the order they were dealt. Dealing a known deck the same way
        shows which card goes to which place."""
        pack = [cards.Card(*pair) for pair in self.rules.PACK]
        deck, order = iter(pack), {}
        known = self.rules.initialize(SimpleNamespace(deal=lambda: next(deck, None)), **self.deal.options)
        for dealt_pile, known_pile in zip(lists_in(parts(self.positions()[0])), lists_in(parts(known))):
            order |= {
                id(card): dealt_card for card, dealt_card in zip(known_pile, dealt_pile) if isinstance(card, cards.Card)
            }
        dealt = [order[id(card)] for card in pack if id(card) in order]
        return [(card.rank(), card.suit()) for card in dealt]

    def make(self, move):
        """Make a legal move; return the game's message about it."""
        before = Before(copy_of(self.position), random.getstate()) if self.keeps else None
        message = self.rules.perform(self.position, *move)
        if before:
            self.kept.append(before)
        self.moves.append(move)
        return message

    def perform(self, move):
        """Make a move; return the game's message about it, or "". Raises Refused if it is not allowed."""
        lines.check(self.rules, self.position, move)
        message = self.make(move)
        self.undone = []
        return tidy(message)

    def snapshot(self):
        """Return a copy that later moves do not change."""
        copied = copy.copy(self)
        copied.position, copied.kept = copy_of(self.position), self.kept.copy()
        copied.moves, copied.undone = list(self.moves), list(self.undone)
        return copied

    def positions(self, first=0):
        """Return the position before each move from index first on, and then the current one. Do not change them."""
        kept = len(self.moves) - len(self.kept)
        kept_positions = [before.position for before in self.kept][max(0, first - kept) :] + [self.position]
        if first >= kept:
            return kept_positions
        trial = copy.copy(self)
        trial.keeps, trial.kept = True, deque(maxlen=MAX_KEPT if not self.keeps else 0)
        early_positions = []
        with keep_chance():
            trial.replay(self.moves[:first])
            for move in self.moves[first:kept]:
                early_positions.append(copy_of(trial.position))
                trial.make(move)
        if not self.keeps:  # positions are needed: keep them from now on
            self.keeps, self.kept = True, trial.kept
        return early_positions + kept_positions

    def undo(self, count=1):
        """Take back the last moves, or all if there are fewer; return them in the order they were made. Raises
        Refused if there are none."""
        if not self.moves:
            raise Refused(f"{INVALID_MOVE}There is nothing to undo.")
        remaining, taken_back = self.moves[:-count], self.moves[-count:]
        if len(taken_back) <= len(self.kept):
            for _ in taken_back:
                self.position, chance = self.kept.pop()
            random.setstate(chance)
            self.moves = remaining
        else:
            self.keeps = True
            self.replay(remaining)
        self.undone += reversed(taken_back)
        return taken_back

    def redo(self, count=1):
        """Redo the moves that were taken back last; return them in the order they are made. Raises Refused if there
        are none."""
        if not self.undone:
            raise Refused(f"{INVALID_MOVE}There is nothing to redo.")
        moves = self.undone[: -count - 1 : -1]
        del self.undone[-count:]
        for move in moves:
            self.make(move)
        return moves

    def list_lines(self):
        """Return the line to type for each move."""
        return [self.rules.write(*move) for move in self.moves]

    def lines(self, first, form=Form.COMMAND):
        """Return a line in this form for each move from index first on."""
        moves = zip(self.moves[first:], self.positions(first))
        return [describe_move(self.rules, position, move, form) for move, position in moves]

    def after(self, moves):
        """Return a copy with these moves made. The stream of random is not changed."""
        trial = self.snapshot()
        trial.keeps = True
        with keep_chance():
            for move in moves:
                trial.make(move)
        return trial

    def outcome(self):
        """Return the closing line of a finished game, or None."""
        if self.rules.check_win(self.position):
            return "You won!"
        reason = self.rules.check_loss(self.position)
        return reason and tidy(reason)

    def legal_moves(self):
        """Return the legal moves, the most useful first. Moves that only reverse the previous one come last, so that
        hints do not go in circles."""
        moves = self.rules.legal_moves(self.position)
        if not self.moves:
            return moves
        before = self.positions(len(self.moves) - 1)[0]
        back = [move for move in moves if same(position_after(self.rules, self.position, move), before)]
        return [move for move in moves if move not in back] + back

    def way_back(self, can_win, is_open=lambda position: True):
        """Return the smallest number of moves to take back so that the game can be won, or None.

        can_win: tests whether a Game can be won. is_open: tests whether a position may be used; once one may not, no
        earlier one may either. A lost game stays lost, so bisection finds the number. The game and the stream of random
        are not changed.
        """
        trial, positions = copy.copy(self), self.positions()
        most = next((back for back, position in enumerate(positions[-2::-1]) if not is_open(position)), len(self.moves))

        def can_win_without(back):
            trial.position, trial.moves = positions[-1 - back], self.moves[: len(self.moves) - back]
            return bool(can_win(trial))

        with keep_chance():
            back = bisect.bisect_left(range(most + 1), True, lo=1, key=can_win_without)
        return back if back <= most else None
