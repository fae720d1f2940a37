"""A plain player: quick and fair, but not clever. It makes the first of a game's legal moves, and sometimes, at random,
one further down the list. For a game without a solver, hints let it play samples to the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from patience.solvers import Move, Position, Rules

MAX_MOVES = 400  # after which it gives up
LOOKS_EVERY = 20  # moves, to check if the game is lost although moves are left
FIRST = 0.8  # how often it makes the first move, or else the second, and so on


def play(rules: Rules, game: Position, chance: random.Random) -> int:
    """Play a game to its end, changing it. Return the number of moves, plus one for finding that the game has ended."""
    for count in range(MAX_MOVES):
        is_lost = count % LOOKS_EVERY == 0 and rules.check_loss(game)
        moves = [] if is_lost or rules.check_win(game) else rules.legal_moves(game)
        if not moves:
            break
        rules.perform(game, *choose(moves, chance))
    return count + 1


def choose(moves: list[Move], chance: random.Random) -> Move:
    """Return the first move, or sometimes, at random, one further down the list."""
    return next((move for move in moves[:-1] if chance.random() <= FIRST), moves[-1])
