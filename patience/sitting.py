"""A sitting: a game's rules, a position, and the moves that led there from the deal.

A game is its number: random is seeded with it, and the deal and every later shuffle follow. A sitting
that is started with a seed seeds once, and its later games go on in the same stream. Undo is replay:
the same deal, and all moves but the last.
"""

import copy
import random
import time

import cards
from patience import lines
from patience.lines import INVALID_MOVE, Refused, tidy
from patience.rules import full_name

DEAL_NUMBERS = 10**6  # a deal's own number has at most 6 digits
NEWER_METHODS = ("flip_card", "is_face_up")  # of cards, which one published cards.py has not


class MissingMethod(Exception):
    """The cards of cards.py have not all that the game needs."""


def fresh_number(_):
    """Return the number of a fresh deal, any one."""
    return random.SystemRandom().randrange(DEAL_NUMBERS)


class Sitting:
    """One player's sitting with one game, from its start to the last game's end."""

    def __init__(self, rules, options, seed=None, deck=None, fresh=fresh_number):
        """options: option name -> choice. seed: the number the sitting is started with. deck: a DeckFile
        to deal instead of a shuffled deck. fresh: a function of the sitting that returns the number of a
        fresh deal."""
        self.rules = rules
        self.options = options
        self.seed = seed
        self.deck = deck
        self.fresh = fresh
        self.number = None  # the number of the deal; None in a seeded sitting's later games
        self.chance = None  # the state of random at the deal
        self.game = None  # the position
        self.done = []  # the moves since the deal
        self.undone = []  # those taken back, the next to be redone last
        self.started = None  # when it was dealt; None if it was resumed
        self.hints = 0  # how many hints were given for this position
        self.hints_given = 0  # and since the deal
        self.advice = [], None  # the last advice, behind the moves done before it
        self.plan = [], [], ""  # of a hint: the moves done before it, its moves, and what they are worth
        self.solved = False  # whether a solver was asked about this deal
        self.counted = False  # whether its result is counted already

    def next_number(self):
        """Return the number of the next deal; None in a sitting with a seed, whose later games go on in its
        stream. Raises Refused if there is none."""
        if self.seed is None:
            return self.fresh(self)
        return self.seed if self.chance is None else None

    def deal(self):
        """Deal the first game, or the next one."""
        self.deal_number(self.next_number())

    def deal_number(self, number):
        """Deal the game of a number, or with None the next one in the stream of random."""
        self.number = number
        if number is not None:
            random.seed(number)
        self.chance = random.getstate()
        self.started = time.monotonic()
        self.hints_given, self.solved, self.counted = 0, False, False
        self.advice, self.plan = ([], None), ([], [], "")
        self.undone = []
        self.replay([])

    def replay(self, moves):
        """Deal the same game again, and make moves: these alone are then done."""
        random.setstate(self.chance)
        deck = self.deck and self.deck.stacked()
        try:
            self.game = self.rules.initialize(deck, **self.options)
            self.rules.check_loss(self.game)  # which may ask more of the cards
        except AttributeError as error:
            if error.name in NEWER_METHODS and isinstance(error.obj, cards.Card):
                raise MissingMethod(error.name) from None
            raise
        for move in moves:
            self.rules.perform(self.game, *move)
        self.done = list(moves)
        self.hints = 0

    def move_of(self, line):
        """Return the move that a line means, a command of the game or cards by name. Raises Refused."""
        if pairs := lines.cards_named(line):
            return lines.named(self.rules, self.game, self.legal_moves(), pairs)
        return lines.read(self.rules, line)

    def perform(self, move):
        """Make a move; return what there is to say of it. Raises Refused if it is not allowed."""
        lines.check(self.rules, self.game, move)
        said = tidy(self.rules.perform(self.game, *move))
        self.done.append(move)
        self.undone = []
        self.hints = 0
        return said

    def undo(self, count=1):
        """Take back the last moves, or all where there are fewer; return them in their order.

        Raises Refused if there are none.
        """
        if not self.done:
            raise Refused(f"{INVALID_MOVE}There is nothing to undo.")
        kept, taken_back = self.done[:-count], self.done[-count:]
        self.replay(kept)
        self.undone += reversed(taken_back)
        return taken_back

    def redo(self, count=1):
        """Make again the moves that were taken back last; return them in their order.

        Raises Refused if there are none.
        """
        if not self.undone:
            raise Refused(f"{INVALID_MOVE}There is nothing to redo.")
        undone, again = self.undone[:-count], self.undone[: -count - 1 : -1]
        for move in again:
            self.perform(move)
        self.undone = undone
        return again

    def restart(self):
        """Deal the same game again. The moves that were made can be redone."""
        if self.done:
            self.undo(len(self.done))

    def outcome(self):
        """Return what is to be said of a game that is won or lost, or None while it goes on."""
        if self.rules.check_win(self.game):
            return "You won!"
        reason = self.rules.check_loss(self.game)
        return reason and tidy(reason)

    def legal_moves(self):
        """Return the legal moves, the most useful first. Those that only take back the last one come
        last: so hints do not go in circles."""
        import patience.positions

        moves = self.rules.legal_moves(self.game)
        if not self.done:
            return moves
        before, back = copy.copy(self), []
        with patience.positions.chance_kept():
            before.replay(self.done[:-1])
            for move in moves:
                game = patience.positions.copy_of(self.game)
                self.rules.perform(game, *move)
                if patience.positions.same(game, before.game):
                    back.append(move)
        return [move for move in moves if move not in back] + back

    def way_back(self, can_win):
        """Return how few of the last moves to take back so that the game can be won, or None.

        can_win: says of a sitting whether it can. A lost game stays lost, so it is found by halving. The
        sitting is not changed, and the stream of random goes on as if nothing had been.
        """
        import patience.positions

        trial = copy.copy(self)
        fewest, most = 0, len(self.done) + 1  # not won with fewest moves back; with most perhaps
        with patience.positions.chance_kept():
            while most - fewest > 1:
                middle = (fewest + most) // 2
                trial.replay(self.done[: len(self.done) - middle])
                if can_win(trial):
                    most = middle
                else:
                    fewest = middle
        return most if most <= len(self.done) else None

    def seconds(self):
        """Return the seconds since the deal, or None for a game that was resumed."""
        return None if self.started is None else time.monotonic() - self.started

    def name(self):
        """Return the name of the game with its options: klondike --draw 1."""
        return full_name(self.rules, self.options)

    def number_and_deck(self, path_of=str):
        """Return the options that deal the game again, in a later game of a sitting with a seed the
        first one: --seed 8, perhaps with --deck FILE. path_of: makes the path that is told of the deck's."""
        import shlex

        number = self.number if self.seed is None else self.seed
        deck = f" --deck {shlex.quote(path_of(self.deck.path))}" if self.deck else ""
        return f"--seed {number}{deck}"

    def how_to_deal(self):
        """Return what deals the game again: the words behind `python main.py`."""
        return f"{self.name()} {self.number_and_deck()}"
