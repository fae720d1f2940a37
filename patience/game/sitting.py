"""A sitting: a game's rules, a position, and the moves that led there from the deal.

A game is its number: random is seeded with it, and the deal and every later shuffle follow. A sitting that is
started with a seed seeds once, and its later games continue in the same stream. The last KEPT positions are kept; what
came before them is found by replay: the same deal, and the same moves.
"""

import bisect
import copy
import random
import shlex
from collections import deque, namedtuple

import cards
from patience.game import grammar, typing
from patience.game.decks import StackedDeck
from patience.game.grammar import INVALID_MOVE, Refused
from patience.game.text import printable, tidy
from patience.game.rules import full_name
from solvers.positions import chance_kept, copy_of, position_after, same

DEAL_NUMBERS = 10**6  # the number of a fresh deal has at most 6 digits
KEPT = 300  # positions
NEWER_METHODS = ("flip_card", "is_face_up")  # of cards; one published cards.py lacks them


# How a game was dealt: its number, None in the later games of a seeded sitting, and the state of random.
Deal = namedtuple("Deal", "number chance")
# What stood before a move: the position, and the state of random.
Before = namedtuple("Before", "game chance")


class MissingMethod(Exception):
    """The cards of cards.py lack a method that the game needs."""


class Sitting:
    """One player's sitting with one game, from its start to the end of the last game."""

    def __init__(self, rules, options, seed=None, deck=None):
        """options: option name -> choice. seed: the number the sitting is started with. deck: a DeckFile to deal
        instead of a shuffled deck."""
        self.rules = rules
        self.options = options
        self.seed = seed
        self.deck = deck
        self.dealt = Deal(None, None)
        self.game = None  # the position
        self.done = []  # the moves since the deal
        self.kept = deque(maxlen=KEPT)  # a Before for each of the last of them
        self.undone = []  # those taken back, the next to be redone last

    @property
    def number(self):
        """The number of the deal; None in the later games of a seeded sitting."""
        return self.dealt.number

    def next_number(self):
        """Return the number of the next deal; None in a seeded sitting, whose later games continue in its stream.
        Raises Refused if there is none."""
        if self.seed is None:
            return self.fresh_number()
        return self.seed if self.dealt.chance is None else None

    def fresh_number(self):
        """Return the number of a fresh deal, any one."""
        return random.SystemRandom().randrange(DEAL_NUMBERS)

    def deal(self):
        """Deal the first game, or the next one."""
        self.deal_number(self.next_number())

    def deal_number(self, number):
        """Deal the game of a number, or with None the next one in the stream of random."""
        if number is not None:
            random.seed(number)
        self.dealt = Deal(number, random.getstate())
        self.undone = []
        self.replay([])

    def replay(self, moves):
        """Deal the same game again and make these moves; done then holds exactly them."""
        random.setstate(self.dealt.chance)
        deck = self.deck and StackedDeck(self.deck.pairs)
        try:
            self.game = self.rules.initialize(deck, **self.options)
            self.rules.check_loss(self.game)  # which may ask more of the cards
        except AttributeError as error:
            if error.name in NEWER_METHODS and isinstance(error.obj, cards.Card):
                raise MissingMethod(error.name) from None
            raise
        self.done, self.kept = [], deque(maxlen=KEPT)
        for move in moves:
            self.make(move)

    def make(self, move):
        """Make a move that is allowed; return what the game says about it."""
        before = Before(copy_of(self.game), random.getstate())
        said = self.rules.perform(self.game, *move)
        self.kept.append(before)
        self.done.append(move)
        return said

    def snapshot(self):
        """Return a copy that stays as it is while the sitting goes on."""
        copied = copy.copy(self)
        copied.game, copied.kept = copy_of(self.game), self.kept.copy()
        copied.done, copied.undone = list(self.done), list(self.undone)
        return copied

    def positions(self, first=0):
        """Return the position before each move done from number first on, counted from 0, and then the current one. Do
        not change them."""
        kept = len(self.done) - len(self.kept)
        found = [before.game for before in self.kept][max(0, first - kept) :] + [self.game]
        if first >= kept:
            return found
        trial = copy.copy(self)
        with chance_kept():
            trial.replay(self.done[:first])
            for move in self.done[first:kept]:
                found.insert(len(trial.done) - first, copy_of(trial.game))
                trial.make(move)
        return found

    def move_of(self, line):
        """Return the move that a line means, a command of the game or cards by name. Raises Refused."""
        return typing.move_of(self.rules, self.game, line, self.legal_moves)

    def perform(self, move):
        """Make a move; return the game's message about it, or "". Raises Refused if it is not allowed."""
        grammar.check(self.rules, self.game, move)
        said = self.make(move)
        self.undone = []
        return tidy(said)

    def undo(self, count=1):
        """Take back the last moves, or all if there are fewer; return them in their order. Raises Refused if there
        are none."""
        if not self.done:
            raise Refused(f"{INVALID_MOVE}There is nothing to undo.")
        left, taken_back = self.done[:-count], self.done[-count:]
        if len(taken_back) <= len(self.kept):
            for _ in taken_back:
                self.game, chance = self.kept.pop()
            random.setstate(chance)
            self.done = left
        else:
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

    def told(self, first, count=None):
        """Return a line for each of so many moves from number first on, counted from 0, or for all the rest: the
        command, and what it does."""
        moves = self.done[first:][:count]
        return [
            f"{self.rules.write(*move)}  {tidy(self.rules.describe(game, *move))}"
            for move, game in zip(moves, self.positions(first))
        ]

    def after(self, moves):
        """Return a copy in which some more moves are made. The stream of random is not changed."""
        trial = self.snapshot()
        with chance_kept():
            for move in moves:
                trial.make(move)
        return trial

    def told_next(self, moves):
        """Return such a line for each of some moves that could be made now, one after the other."""
        return self.after(moves).told(len(self.done))

    def outcome(self):
        """Return the closing line of a finished game, or None."""
        if self.rules.check_win(self.game):
            return "You won!"
        reason = self.rules.check_loss(self.game)
        return reason and tidy(reason)

    def legal_moves(self):
        """Return the legal moves, the most useful first. Those that only take back the last one come last, so that
        hints do not go in circles."""
        moves = self.rules.legal_moves(self.game)
        if not self.done:
            return moves
        before = self.positions(len(self.done) - 1)[0]
        back = [move for move in moves if same(position_after(self.rules, self.game, move), before)]
        return [move for move in moves if move not in back] + back

    def way_back(self, can_win, is_open=lambda game: True):
        """Return the smallest number of moves to take back so that the game can be won, or None.

        can_win: tells of a sitting whether it can. is_open: tells of a position whether it may be looked at; those
        before one that may not, neither. A lost game stays lost, so the number is found by bisection. The sitting and
        the stream of random are not changed.
        """
        trial, games = copy.copy(self), self.positions()
        most = next((back for back, game in enumerate(games[-2::-1]) if not is_open(game)), len(self.done))

        def can_win_without(back):
            trial.game, trial.done = games[-1 - back], self.done[: len(self.done) - back]
            return bool(can_win(trial))

        with chance_kept():
            back = bisect.bisect_left(range(most + 1), True, lo=1, key=can_win_without)
        return back if back <= most else None

    def name(self):
        """Return the name of the game with its options: klondike --draw 1."""
        return full_name(self.rules, self.options)

    def number_and_deck(self, path_of=printable):
        """Return the options that deal the game again, or the first game of a seeded sitting: --seed 8, perhaps with
        --deck FILE. path_of: a function of the deck's path that returns the path to show."""
        number = self.number if self.seed is None else self.seed
        deck = f" --deck {shlex.quote(path_of(self.deck.path))}" if self.deck else ""
        return f"--seed {number}{deck}"

    def how_to_deal(self, path_of=printable):
        """Return what deals the game again: the words behind the program's name."""
        return f"{self.name()} {self.number_and_deck(path_of)}"
