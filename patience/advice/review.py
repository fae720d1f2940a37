"""The review of a game: what each choice cost, judged by what could be known at that moment."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from patience.advice import Z_95, hints, solve
from patience.advice.hints import Worth
from patience.game import Game, MoveStyle, describe_move
from patience.text import count_of
from patience.solvers.advice import FREE, LOSES, SURE, TO_SEE, UNKNOWN, Chance, advise
from patience.positions import position_after

if TYPE_CHECKING:
    from patience import Move, Position

COSTLIEST = 3  # choices that are shown first
MIN_COST = 0.02  # of a choice that is shown
MAX_COMMANDS = 300  # to look at, unless more are asked for
SECONDS_EACH = 0.5  # at most per command, on average over a game
SHARES = {SURE: 1.0, LOSES: 0.0}


class Choice(NamedTuple):
    """A player's choice."""

    number: int  # of the command, from 1
    move: Move  # that was made
    better: Move  # the best one
    worth: Any  # of the move
    best: Any  # worth of the best one
    position: Position  # before it


def choices(game: Game, first: int = 1) -> Iterator[Choice]:
    """Yield a Choice for each command from number first onwards that had an alternative: the command's first move, as
    the hints saw it then. While the player followed the hints' plan, the plan's first worth stands."""
    rules, plan, worth = game.rules, [], UNKNOWN
    positions = game.positions()
    for number, command in enumerate(game.commands[first - 1 :], start=first):
        position, move = positions[number - 1], command.moves[0]
        if plan and plan[0] == move:
            yield Choice(number, move, move, worth, worth, position)
            plan = plan[1:]
        elif len(rules.legal_moves(position)) > 1 and not rules.check_win(position):
            before = positions[: number - 1][-hints.LOOKS_BACK :]
            advice = advise(rules, game.deal.options, position, before)
            if advice.is_lost:
                return
            better, worth = advice.moves[0]
            plan = advice.plan[1:] if advice.plan and same_move(advice.plan[0], move) else []
            made = dict(advice.moves).get(move, worth if same_move(better, move) else UNKNOWN)
            choice = Choice(number, move, better, made, worth, position)
            yield choice if is_significant(game, choice) else choice._replace(worth=worth)


def is_significant(game: Game, choice: Choice) -> bool:
    """Return True unless a loss may be sampling noise in the worth of the two moves, or of the positions they lead
    to."""
    cost = judge(choice)
    if cost != hints.WORSE and (cost or 0) < MIN_COST:
        return True
    if cost != hints.WORSE and not is_less(choice.worth, choice.best):
        return False
    behind, rules = [], game.rules
    for move in (choice.move, choice.better):
        after = position_after(rules, choice.position, move)
        if rules.check_win(after) or rules.check_loss(after):
            return True
        advice = advise(rules, game.deal.options, after, [choice.position])
        behind.append(LOSES if advice.is_lost else advice.moves[0][1] if advice.moves else UNKNOWN)
    return any(share_of(worth) is None for worth in behind) or is_less(*behind)


def is_less(worth: Worth, best: Worth) -> bool:
    """Return True if a move is worth less than another by more than chance explains. Both must have a share."""
    samples = [one for one in (worth, best) if isinstance(one, Chance) and one.tries]
    error = math.sqrt(sum(one.share * (1 - one.share) / one.tries for one in samples))
    return share_of(best) - share_of(worth) > Z_95 * error


def same_move(move: Move, second: Move) -> bool:
    """Return True if two moves are the same, or draws that differ only in their count."""
    is_same_draw = move[0] == second[0] and sorted([len(move), len(second)]) == [1, 2]  # SW and SW 5
    return move == second or is_same_draw


def judge(choice: Choice) -> Any:
    """Return what a move cost: how far its share of wins is below the best move's; WORSE if it was tried too rarely to
    have a number; or None if nothing is known."""
    told = hints.chance(choice.worth, choice.best)
    if told == hints.WORSE:
        return hints.WORSE
    best, made = share_of(choice.best), share_of(choice.worth)
    return max(0.0, best - made) if told and None not in (best, made) else None


def share_of(worth: Worth) -> Any:
    """Return a worth as a share, or None if it is not known."""
    return worth.share if isinstance(worth, Chance) else SHARES.get(worth)


def summary(game: Game, all_choices: list[Choice], form: MoveStyle = MoveStyle.COMMAND) -> list[str]:
    """Return lines about some Choices: the costliest, how often the best was found, and the chance at the start."""
    costs = {choice.number: judge(choice) for choice in all_choices}
    unjudged = [choice for choice in all_choices if costs[choice.number] is None]
    known = [choice for choice in all_choices if costs[choice.number] is not None]
    measured = [costs[choice.number] for choice in known if costs[choice.number] != hints.WORSE]
    at_most = {  # what a choice may have cost
        choice.number: share_of(choice.best) if costs[choice.number] == hints.WORSE else costs[choice.number]
        for choice in known
    }
    costly = [choice for choice in known if costs[choice.number] == hints.WORSE or costs[choice.number] >= MIN_COST]
    costly.sort(key=lambda choice: at_most[choice.number], reverse=True)
    if not known:
        return ["The hints could judge none of your choices.", *describe_unjudged(unjudged)]
    lines = [describe_choice(game, choice, form) for choice in (costly if game.outcome() else costly[:COSTLIEST])]
    if lines:
        which = "the costliest of these choices" if lines[1:] else "this choice"
        lines.append(f"undo to {costly[0].number} goes back to {which}.")
    lines.append(
        f"{count_of(len(known), 'choice')}, best move found {count_of(len(known) - len(costly), 'time')}"
        + (f", average cost {100 * sum(measured) / len(measured):.0f} %." if measured else ".")
    )
    sampled = [choice for choice in known if isinstance(choice.best, Chance)]
    if sampled:
        when = "the start" if sampled[0].number == 1 else f"command {sampled[0].number}"
        lines.append(f"Chance at {when}, from what you could see then: {hints.describe_worth(sampled[0].best)}.")
    return lines + describe_unjudged(unjudged)


def describe_unjudged(unjudged: list[Choice]) -> list[str]:
    """Return a sentence, in a list, about the choices that were not judged, and why not; [] if there are none."""
    why = {TO_SEE: "before you had seen the stock", FREE: "while some move cost nothing"}
    counts = Counter(why.get(choice.best, "without a known chance") for choice in unjudged)
    reasons = ", ".join(f"{count_of(count, 'choice')} {reason}" for reason, count in counts.items())
    return [f"Not judged: {reasons}."] if unjudged else []


def describe_choice(game: Game, choice: Choice, form: MoveStyle) -> str:
    """Return `31  TT 4 6  9♦ onto 10♠   61 % -> 38 %   better: TF 2, A♥ to a foundation`."""
    rules, position = game.rules, choice.position
    made, better = (
        describe_move(rules, position, move, form, sign) for move, sign in ((choice.move, "  "), (choice.better, ", "))
    )
    worth = hints.WORSE if judge(choice) == hints.WORSE else hints.describe_worth(choice.worth)
    return f"{choice.number:>3}  {made}   {hints.describe_worth(choice.best)} -> {worth}   better: {better}"


def scope(game: Game, most: int | None = None, form: str = "review {}") -> tuple[int, str]:
    """Return how many of the last commands to look at, and a sentence that says so. most: how many are wanted, or None
    for MAX_COMMANDS. form: the command that looks at more."""
    made = len(game.commands)
    count = min(most or MAX_COMMANDS, made)
    if count == made:
        return count, f"Review of {count_of(made, 'command')}."
    which = f"Review of the last {count_of(count, 'command')} of {made}"
    return count, f"{which}; {form.format(made)} looks at all of them."


def notice(count: int, which: str) -> str:
    """Return the notice before a review: which commands it looks at, and how long it takes."""
    at_most = math.ceil(count * SECONDS_EACH / 60)
    return f"{which} It takes up to {count_of(at_most, 'minute')}; Ctrl-C shows what has been found so far."


def review(game: Game, count: int, all_choices: list[Choice], form: MoveStyle = MoveStyle.COMMAND) -> list[str]:
    """Return the lines of a review of the last count moves. all_choices: a list that collects the Choices, so that they
    can be shown if the review is stopped. form: how moves are written."""
    for choice in choices(game, len(game.commands) - count + 1):
        all_choices.append(choice)
    return summary(game, all_choices, form) + describe_losing_move(game, form)


def describe_losing_move(game: Game, form: MoveStyle) -> list[str]:
    """Return a line about the move that lost the game, if the game is lost or can no longer be won whatever the hidden
    cards are, and if the solver can find that move with all cards known."""
    if game.rules.check_win(game.position) or not game.outcome() and not hints.is_lost(game):
        return []
    back = game.way_back(lambda trial: solve.solve(trial, None, solve.POSITIONS).verdict == solve.WON)
    if not back:
        return []
    number = len(game.commands) - back + 1
    line = game.lines(number - 1, form)[0]
    return [f"With all cards known, command {number} lost the deal: {line}."]
