"""A plain player: quick and fair, and not clever. How often it wins a deal says how hard the deal is.

It makes the first of a game's legal moves, and by chance now and then one further down. A game's solver may have a
quicker or a better player, play_plainly(game, chance), which looks at no card that a player cannot see, and returns
whether the game was won and how far it came. How far a game has come is a number of cards; for the player here the
solver's function far(game) tells it, or the status of a game without a solver, if it begins as `12 of 52 up` does.
"""

import random
import re
from collections import namedtuple

from solvers import general
from solvers.positions import chance_kept, copy_of

PLAYS = 100
MOST_MOVES = 400  # then it gives up
LOOKS_EVERY = 20  # moves, to see whether the game is lost though moves are left
FIRST = 0.8  # how often it makes the first move, or else the second, and so on

# What came of it. wins: how many of the PLAYS were won. far: how far they came in the mean, which tells deals
# apart that it never wins.
Played = namedtuple("Played", "wins far")


def played(rules, options, game):
    """Return what comes of playing a game PLAYS times from a position, which is not changed."""
    solver = general.solver_of(rules, options)
    far = getattr(solver, "far", lambda game: far_by_status(rules, game))

    def by_legal_moves(game, chance):
        end = copy_of(game)
        play(rules, end, chance)
        return bool(rules.check_win(end)), far(end)

    ends = []
    with chance_kept():
        for number in range(PLAYS):
            random.seed(number)
            ends.append(getattr(solver, "play_plainly", by_legal_moves)(game, random.Random(number)))
    return Played(sum(won for won, _ in ends), round(sum(far for _, far in ends) / PLAYS, 2))


def far_by_status(rules, game):
    """Return how far a game has come by its own words: the number with which its status begins, or 0."""
    found = re.match(r"(\d+) of ", rules.status(game))
    return int(found[1]) if found else 0


def play(rules, game, chance):
    """Play a game to its end, by its legal moves, and change it. Return how many moves were made, and one more for
    seeing that it is the end."""
    for count in range(MOST_MOVES):
        is_lost = count % LOOKS_EVERY == 0 and rules.check_loss(game)
        moves = [] if is_lost or rules.check_win(game) else rules.legal_moves(game)
        if not moves:
            break
        rules.perform(game, *choose(moves, chance))
    return count + 1


def choose(moves, chance):
    """Return the first of some moves, or by chance now and then one further down."""
    return next((move for move in moves[:-1] if chance.random() <= FIRST), moves[-1])
