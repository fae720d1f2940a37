"""A game in hand: a deal, and the moves made since.

A deal is its number: random is seeded with it, and the cards and every later shuffle follow. A script that is started
with a seed seeds once, and its later games, which have no number, continue in the same stream. The last positions are
kept, for whom it is of use; what came before them is found by the same deal and the same moves.
"""

import bisect
import copy
import random
import shlex
from collections import deque, namedtuple
from types import SimpleNamespace

import cards
from patience import lines
from patience.decks import StackedDeck
from patience.lines import INVALID_MOVE, Refused
from patience.rules import full_name
from patience.text import card_name, printable, tidy
from solvers.positions import chance_kept, copy_of, lists_in, parts, position_after, same

MAX_NUMBER = 10**6  # the number of a fresh deal has at most 6 digits
MAX_KEPT = 300  # positions
NEWER_METHODS = ("flip_card", "is_face_up")  # of cards; one published cards.py lacks them

# What stood before a move: the position, and the state of random.
Before = namedtuple("Before", "position chance")


class MissingMethod(Exception):
    """The cards of cards.py lack a method that the game needs."""


class Deal(namedtuple("Deal", "rules options number cards path", defaults=[None, None, None])):
    """How a game is dealt. options: option -> choice. number: what random is seeded with, or None to go on in its
    stream. cards: the (rank, suit) pairs that are dealt instead of a shuffled deck, or None. path: of their file, or
    None."""

    def name(self):
        """Return the name of the game with its options: klondike --draw 1."""
        return full_name(self.rules, self.options)

    def source(self, keeps_cards=False):
        """Return the options that deal it again: --seed 8. keeps_cards: name the cards themselves, not their file."""
        words = [] if self.number is None else [f"--seed {self.number}"]
        if self.cards:
            shown = " ".join(map(card_name, self.cards)) if keeps_cards or not self.path else self.path
            words.append(f"--deck {shlex.quote(printable(shown))}")
        return " ".join(words)

    def command(self, keeps_cards=False):
        """Return the words that deal it again: klondike --draw 1 --seed 8. keeps_cards: as in source."""
        return f"{self.name()} {self.source(keeps_cards)}".rstrip()


def fresh_number():
    """Return the number of a fresh deal, any one."""
    return random.SystemRandom().randrange(MAX_NUMBER)


class Game:
    """A deal and its moves."""

    def __init__(self, deal, keeps=True):
        """Deal the cards. keeps: keep positions from now on; without it they are kept once one was asked for. Raises
        MissingMethod."""
        self.deal = deal
        self.position = None
        self.moves = []  # since the deal
        self.undone = []  # those taken back, the next to be redone last
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
            self.rules.check_loss(self.position)  # which may ask more of the cards
        except AttributeError as error:
            if error.name in NEWER_METHODS and isinstance(error.obj, cards.Card):
                raise MissingMethod(error.name) from None
            raise
        self.moves = []
        self.kept.clear()
        for move in moves:
            self.make(move)

    def dealt_cards(self):
        """Return the (rank, suit) pairs of the deal in the order in which they were dealt. The same deal with a deck
        that is known tells which place gets which card."""
        pack = [cards.Card(*pair) for pair in self.rules.PACK]
        deck, order = iter(pack), {}
        known = self.rules.initialize(SimpleNamespace(deal=lambda: next(deck, None)), **self.deal.options)
        for here, there in zip(lists_in(parts(self.positions()[0])), lists_in(parts(known))):
            order |= {id(card): other for card, other in zip(there, here) if isinstance(card, cards.Card)}
        dealt = [order[id(card)] for card in pack if id(card) in order]
        return [(card.rank(), card.suit()) for card in dealt]

    def make(self, move):
        """Make a move that is allowed; return what the game says about it."""
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
        """Return a copy that stays as it is while the game goes on."""
        copied = copy.copy(self)
        copied.position, copied.kept = copy_of(self.position), self.kept.copy()
        copied.moves, copied.undone = list(self.moves), list(self.undone)
        return copied

    def positions(self, first=0):
        """Return the position before each move from number first on, counted from 0, and then the current one. Do not
        change them."""
        kept = len(self.moves) - len(self.kept)
        found = [before.position for before in self.kept][max(0, first - kept) :] + [self.position]
        if first >= kept:
            return found
        trial = copy.copy(self)
        trial.keeps, trial.kept = True, deque(maxlen=MAX_KEPT if not self.keeps else 0)
        early = []
        with chance_kept():
            trial.replay(self.moves[:first])
            for move in self.moves[first:kept]:
                early.append(copy_of(trial.position))
                trial.make(move)
        if not self.keeps:  # somebody asks: from now on they are kept
            self.keeps, self.kept = True, trial.kept
        return early + found

    def undo(self, count=1):
        """Take back the last moves, or all if there are fewer; return them in their order. Raises Refused if there
        are none."""
        if not self.moves:
            raise Refused(f"{INVALID_MOVE}There is nothing to undo.")
        left, taken_back = self.moves[:-count], self.moves[-count:]
        if len(taken_back) <= len(self.kept):
            for _ in taken_back:
                self.position, chance = self.kept.pop()
            random.setstate(chance)
            self.moves = left
        else:
            self.keeps = True
            self.replay(left)
        self.undone += reversed(taken_back)
        return taken_back

    def redo(self, count=1):
        """Make the moves again that were taken back last; return them in their order. Raises Refused if there are
        none."""
        if not self.undone:
            raise Refused(f"{INVALID_MOVE}There is nothing to redo.")
        again = self.undone[: -count - 1 : -1]
        del self.undone[-count:]
        for move in again:
            self.make(move)
        return again

    def typed(self):
        """Return the line that means each move."""
        return [self.rules.write(*move) for move in self.moves]

    def lines(self, first, count=None):
        """Return a line for each of so many moves from number first on, counted from 0, or for all the rest: the
        command, and what it does."""
        moves = self.moves[first:][:count]
        return [
            f"{self.rules.write(*move)}  {tidy(self.rules.describe(position, *move))}"
            for move, position in zip(moves, self.positions(first))
        ]

    def after(self, moves):
        """Return a copy in which some more moves are made. The stream of random is not changed."""
        trial = self.snapshot()
        trial.keeps = True
        with chance_kept():
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
        """Return the legal moves, the most useful first. Those that only take back the last one come last, so that
        hints do not go in circles."""
        moves = self.rules.legal_moves(self.position)
        if not self.moves:
            return moves
        before = self.positions(len(self.moves) - 1)[0]
        back = [move for move in moves if same(position_after(self.rules, self.position, move), before)]
        return [move for move in moves if move not in back] + back

    def way_back(self, can_win, is_open=lambda position: True):
        """Return the smallest number of moves to take back so that the game can be won, or None.

        can_win: tells of a Game whether it can. is_open: tells of a position whether it may be looked at; those before
        one that may not, neither. A lost game stays lost, so the number is found by bisection. The game and the stream
        of random are not changed.
        """
        trial, found = copy.copy(self), self.positions()
        most = next((back for back, position in enumerate(found[-2::-1]) if not is_open(position)), len(self.moves))

        def can_win_without(back):
            trial.position, trial.moves = found[-1 - back], self.moves[: len(self.moves) - back]
            return bool(can_win(trial))

        with chance_kept():
            back = bisect.bisect_left(range(most + 1), True, lo=1, key=can_win_without)
        return back if back <= most else None
