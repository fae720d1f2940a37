"""The review of a game: what each choice cost, by what could be known at that moment."""

import io
import math
from collections import namedtuple

import click

from patience.advice import hints
from patience.game.text import count_of, tidy
from solvers.advice import LOSES, SURE, UNKNOWN, Chance, advise

COSTLIEST = 3  # choices that are told first
LEAST_COST = 0.02  # of a choice that is told
MOST_LOOKED_AT = 300  # commands, if not more are asked for
SECONDS_EACH = 0.3  # that a command takes at most, on the average of a game
LEAST_SWING = 0.1  # of a change that the cards made
SHARES = {SURE: 1.0, LOSES: 0.0}

# A choice: its number from 1, the move made and the best one, what each was worth, and the game before it.
Choice = namedtuple("Choice", "number move better worth best game")


def choices(sitting, moves, first=1):
    """Yield a Choice for each move done that had others beside it, as the hints saw it then. As long as the player
    followed a plan of theirs, the plan's first worth holds. moves: those done from number first on, one after the
    other."""
    rules, plan, worth = sitting.rules, [], UNKNOWN
    games = sitting.positions()
    for number, move in enumerate(moves, start=first):
        game = games[number - 1]
        if plan and plan[0] == move:
            yield Choice(number, move, move, worth, worth, game)
            plan = plan[1:]
        elif len(rules.legal_moves(game)) > 1 and not rules.check_win(game):
            before = games[max(0, number - 1 - hints.LOOKS_BACK) : number - 1]
            found = advise(rules, sitting.options, game, before)
            if found.is_lost:
                return
            better, worth = found.moves[0]
            plan = found.plan[1:] if found.plan and same_move(found.plan[0], move) else []
            made = dict(found.moves).get(move, worth if same_move(better, move) else UNKNOWN)
            yield Choice(number, move, better, made, worth, game)


def same_move(one, other):
    """Return True if two moves are the same, or draws that differ only in how often."""
    return one == other or len(one) + len(other) in (3, 4) and one[0] == other[0] and not (one[1:] and other[1:])


def cost(choice):
    """Return how much less the move made was worth than the best, or None if that is not known."""
    best, made = share_of(choice.best), share_of(choice.worth)
    if hints.chance(choice.worth, choice.best) in ("", hints.WORSE):
        return None
    return None if None in (best, made) else max(0.0, best - made)


def told(sitting, found, to_end):
    """Return lines about the Choices found. to_end: the game is over, so its hidden cards may be told about."""
    known = [choice for choice in found if cost(choice) is not None or hardly_tried(choice)]
    costly = [choice for choice in known if hardly_tried(choice) or cost(choice) >= LEAST_COST]
    costly.sort(key=lambda choice: -(cost(choice) if not hardly_tried(choice) else share_of(choice.best)))
    if not known:
        return ["There was no choice that the hints could judge."]
    lines = [line_about(sitting, choice) for choice in (costly if to_end else costly[:COSTLIEST])]
    if lines:
        lines.append(f"`undo to {costly[0].number}` goes back to the first of these choices.")
    best = [choice for choice in known if choice not in costly]
    costs = [cost(choice) or 0.0 for choice in known if not hardly_tried(choice)]
    lines.append(
        f"{count_of(len(known), 'choice')} met, the best move found {count_of(len(best), 'time')}"
        + (f", average cost {100 * sum(costs) / len(costs):.0f} %." if costs else ".")
    )
    sampled = [choice for choice in known if isinstance(choice.best, Chance)]
    if sampled:
        when = "the start" if sampled[0].number == 1 else f"command {sampled[0].number}"
        lines.append(f"Chance at {when}, by what could be seen then: {hints.percent(sampled[0].best)}.")
        lines += swings(sampled)
    return lines


def hardly_tried(choice):
    """Return True if the move made was tried too seldom to have a number."""
    return hints.chance(choice.worth, choice.best) == hints.WORSE


def share_of(worth):
    """Return a worth as a share, or None if it is not known."""
    return worth.share if isinstance(worth, Chance) else SHARES.get(worth)


def line_about(sitting, choice):
    """Return `31  TT 4 6  9♦ onto 10♠   61 % -> 38 %   better: TF 2, A♥ to a foundation`."""
    rules, game = sitting.rules, choice.game
    made, better = (
        f"{rules.write(*move)}{sign}{tidy(rules.describe(game, *move))}"
        for move, sign in ((choice.move, "  "), (choice.better, ", "))
    )
    worth = hints.WORSE if hardly_tried(choice) else hints.in_words(choice.worth)
    return f"{choice.number:>3}  {made}   {hints.in_words(choice.best)} -> {worth}   better: {better}"


def swings(sampled):
    """Return a line for each time that the cards changed the chance much after the best move was made."""
    lines = []
    for before, after in zip(sampled, sampled[1:]):
        swing = after.best.share - before.worth.share if isinstance(before.worth, Chance) else 0
        if abs(swing) >= LEAST_SWING and after.number == before.number + 1:
            lines.append(
                (
                    abs(swing),
                    f"{'Good' if swing > 0 else 'Bad'} luck after {before.number}: {hints.percent(before.worth)} -> "
                    f"{hints.percent(after.best)}.",
                )
            )
    return [line for _, line in sorted(lines, reverse=True)[:COSTLIEST]]


class Review:
    """A review that can be stopped: what is found so far is told."""

    def __init__(self, sitting, stream, most=None, form="review {}"):
        """stream: where the progress bar is shown, or None. most: how many commands to look at, the last ones; None for
        MOST_LOOKED_AT. form: how one types to look at more."""
        self.sitting = sitting
        self.stream = stream
        self.form = form
        self.count = min(most or MOST_LOOKED_AT, len(sitting.done))
        self.found = []

    def which(self):
        """Return a sentence: which commands are looked at."""
        done = len(self.sitting.done)
        if self.count == done:
            return f"Review of {count_of(done, 'command')}."
        which = f"Review of the last {count_of(self.count, 'command')} of {done}"
        return f"{which}; `{self.form.format(done)}` looks at all of them."

    def notice(self):
        """Return what to tell before: which commands are looked at, and how long that takes."""
        at_most = math.ceil(self.count * SECONDS_EACH / 60)
        return f"{self.which()} It takes up to {count_of(at_most, 'minute')}; Ctrl-C shows what was found by then."

    def lines(self):
        """Return the lines of the whole review."""
        first = len(self.sitting.done) - self.count
        with click.progressbar(self.sitting.done[first:], label="Review", file=self.stream or io.StringIO()) as moves:
            for choice in choices(self.sitting, moves, first + 1):
                self.found.append(choice)
        return self.so_far() + what_lost_it(self.sitting)

    def so_far(self):
        """Return the lines about what was found."""
        which = [self.which()] if self.count < len(self.sitting.done) else []
        return which + told(self.sitting, self.found, bool(self.sitting.outcome()))


def what_lost_it(sitting):
    """Return a line about the move that lost a finished game, if the solver can tell with all cards known."""
    from patience.advice import solve

    if not sitting.outcome() or sitting.rules.check_win(sitting.game):
        return []
    back = sitting.way_back(lambda trial: solve.solve(trial, None, solve.POSITIONS).verdict == solve.WON)
    if not back:
        return []
    number = len(sitting.done) - back + 1
    (line,) = sitting.told(number - 1, 1)
    return [f"With all cards known, the deal was lost by {number}, {line}."]
