"""Hints: what is advised to a player, for a sitting."""

import copy
import threading
import time

import click

from patience.lines import tidy, write
from patience.positions import chance_kept, copy_of
from solvers.advice import Advice, advise, cannot_be_won

LOOKS_BACK = 300  # positions that a hint does not lead back to
POSITIONS_TO_WARN = 5_000
SECONDS_TO_THINK = 0.5  # before it is said


def advice(sitting, anew=False):
    """Return an Advice for the game in hand. While the player follows a plan it is kept, unless advice is
    to be taken anew. The sitting keeps advice and plan; else nothing is changed."""
    done, found = sitting.advice
    if found and done == sitting.done:
        return found
    plan, worth = planned(sitting)
    if plan and not anew:
        others = [move for move in sitting.legal_moves() if move != plan[0]]
        return Advice([(plan[0], worth), *((move, "") for move in others)], plan, False, True)
    found = advise(sitting.rules, sitting.options, sitting.game, positions_before(sitting))
    sitting.advice = list(sitting.done), found
    if found.plan:
        sitting.plan = list(sitting.done), list(found.plan), dict(found.moves).get(found.plan[0], "")
    return found


def planned(sitting):
    """Return what is left of the plan that the player follows, and what it is worth."""
    done, moves, worth = sitting.plan
    made = len(sitting.done) - len(done)
    follows = made >= 0 and sitting.done == done + moves[:made]
    return (moves[made:] if follows else []), worth


def positions_before(sitting):
    """Return the last positions there were before the one in hand, each once."""
    trial = copy.copy(sitting)
    start = max(0, len(sitting.done) - LOOKS_BACK)
    found = []
    with chance_kept():
        trial.replay(sitting.done[:start])
        for move in sitting.done[start:]:
            found.append(copy_of(trial.game))
            trial.rules.perform(trial.game, *move)
    return found


def told(sitting, moves):
    """Return a line for each of some moves and what they are worth: `TT 3 5: 9♦ onto 10♠ (wins 14 of 20)`."""
    rules, game = sitting.rules, sitting.game
    return [f"{write(rules, move)}: {tidy(rules.describe(game, *move))}" + (f" ({worth})" if worth else "")
            for move, worth in moves]


def next_hint(sitting):
    """Return the line of the best move; asked again, that of the next one. Or why there is none."""
    found = advice(sitting)
    if not found.moves:
        return sitting.rules.STUCK
    if found.is_lost:
        return cannot_win(sitting)
    if not found.helps:
        return "Nothing leads on from here, as far as one can see."
    sitting.hints += 1
    return told(sitting, [found.moves[(sitting.hints - 1) % len(found.moves)]])[0]


def all_moves(sitting):
    """Return the lines of all legal moves, the best first, or why there are none."""
    return told(sitting, advice(sitting, anew=True).moves) or [sitting.rules.STUCK]


def quick_hint(sitting):
    """Return a hint that takes no time: the move that the game calls most useful."""
    return (told(sitting, [(move, "") for move in sitting.legal_moves()[:1]]) or [sitting.rules.STUCK])[0]


def is_lost(sitting):
    """Return True if it is certain, and soon found, that nothing wins any more, though the game goes on."""
    return not sitting.outcome() and cannot_be_won(
        sitting.rules, sitting.options, sitting.game, POSITIONS_TO_WARN)


def cannot_win(sitting):
    """Return a sentence: that nothing wins any more, and how far back it could be won, by what was known."""
    whatever = ", whatever lies face down" if sitting.rules.hidden(sitting.game) else ""
    count = sitting.way_back(lambda trial: not cannot_be_won(trial.rules, trial.options, trial.game))
    back = f": undo {count} goes back to where it could" if count else ""
    return f"This game cannot be won any more{whatever}{back}."


class Thinking:
    """While this is entered: after a moment a player at a terminal is told that something is thought of."""

    def __init__(self, console):
        self.timer = threading.Timer(SECONDS_TO_THINK, click.echo, ["Thinking ..."], {"err": True})
        self.is_told = console.edits

    def __enter__(self):
        if self.is_told:
            self.timer.start()

    def __exit__(self, *_):
        self.timer.cancel()


def follow(sitting):
    """Play a game that was dealt by its hints to the end. Return whether it was won, how many hints were
    thought about, and the seconds that took."""
    before, count, seconds = [], 0, 0.0
    while not sitting.outcome():
        plan, _ = planned(sitting)
        if not plan:
            start = time.process_time()
            found = advise(sitting.rules, sitting.options, sitting.game, before[-LOOKS_BACK:])
            seconds += time.process_time() - start
            count += 1
            if found.is_lost or not found.helps:
                break
            plan = found.plan or [found.moves[0][0]]
            sitting.plan = list(sitting.done), list(plan), ""
        before.append(copy_of(sitting.game))
        sitting.perform(plan[0])
    return bool(sitting.rules.check_win(sitting.game)), count, seconds
