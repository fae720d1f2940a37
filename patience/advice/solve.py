"""A solver's answer in words, for the command solve and the word solve; deals that can be won."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from patience import ExitStatus
from patience.decks import Deal, fresh_number
from patience.game import Game, MoveStyle, describe_move
from patience.options import progress_bar
from patience.rules import Refused
from patience.text import count_of
from patience.solvers import general
from patience.positions import preserve_random_state
from patience.solvers.search import LOST, UNKNOWN, WON

if TYPE_CHECKING:
    from patience.solvers.general import Answer

POSITIONS = 50_000  # for the daily deal, which must be the same everywhere
STATUS = {WON: ExitStatus.DONE, LOST: ExitStatus.FAILED, UNKNOWN: ExitStatus.UNDECIDED}


def solve(game: Game, seconds: float | None, positions: int | None = None) -> Answer:
    """Return an Answer for the current game. seconds, positions: limits, or None."""
    return general.answer(game.rules, game.deal.options, game.position, seconds, positions)


def limitation(game: Game) -> str:
    """Return what the solver leaves out, such as " without a shuffle", or ""."""
    return getattr(general.solver_of(game.rules, game.deal.options), "ABOUT", "")


def notice(game: Game) -> str:
    """Return the text that a player sees while the solver is at work."""
    what = "Looking under the cards" if game.rules.hidden(game.position) else "Looking for a way to win"
    return f"{what} ... Ctrl-C stops it."


# The command


def print_solution(game: Game, seconds: float) -> ExitStatus:
    """Print the script that wins: its first line, the lines played so far, and the solution; print the verdict on the
    error stream. Returns the exit status."""
    if sys.stderr and sys.stderr.isatty():
        click.echo(notice(game), err=True)
    answer = solve(game, seconds)
    solution = [game.rules.write(*move) for move in answer.moves]
    count = f"{answer.positions:,} position{'' if answer.positions == 1 else 's'}"
    verdict = {
        WON: f"{count_of(len(solution), 'command')}, {count}",
        LOST: f"no way to win{limitation(game)}, all {count} searched",
        UNKNOWN: f"not decided{limitation(game)}{answer.limit}, {count}",
    }[answer.verdict]
    not_known = ", ".join(general.unknown_options(game.rules, game.deal.options))
    click.echo("\n".join([f"# {game.deal.again()}", *game.list_lines(), *solution]))
    if not_known:
        click.echo(
            f"patience/solvers/{game.rules.name}.py does not know {not_known}: the general solver plays.", err=True
        )
    click.echo(f"{answer.verdict}: {verdict}", err=True)  # not into the script
    return STATUS[answer.verdict]


# The word


def describe_solution(game: Game, shown: int | None, seconds: float, form: MoveStyle) -> str:
    """Return a sentence that says whether the current game can be won, and how.

    shown: how many commands to show; None for the next one. form: how moves are written; a player also learns
    which command lost the game.
    """
    answer = solve(game, seconds)
    if answer.verdict == UNKNOWN:
        return f"Not decided{answer.limit}."
    if answer.verdict == LOST:
        return describe_lost_game(game, seconds, form)
    if not answer.moves:
        return "It is won already."
    following = game.after(answer.moves[: shown or 1]).lines(len(game.commands), form)
    text = f"Can be won from here{limitation(game)}: {count_of(len(answer.moves), 'command')}, the next "
    if len(following) == 1:
        return f"{text}is {following[0]}."
    return "\n".join([f"{text}are:", *following])


def describe_lost_game(game: Game, seconds: float, form: MoveStyle) -> str:
    """Return sentences about a lost game: how far to go back and, for a player, which command lost it."""
    answers = {}  # number of moves taken back -> Answer

    def can_win(trial: Game) -> bool:
        back = len(game.commands) - len(trial.commands)
        answers[back] = solve(trial, seconds)
        return answers[back].verdict == WON

    back = game.way_back(can_win)
    without = limitation(game)
    if back is None:
        if not game.commands or answers[len(game.commands)].verdict == LOST:
            return f"With all cards known, this deal could never be won{without}."
        return f"With all cards known, this can no longer be won{without}. Whether it ever could be is not decided."
    text = f"With all cards known, this can no longer be won{without}. undo {back} goes back to where it could."
    if form is MoveStyle.NAMES and (back == 1 or answers[back - 1].verdict == LOST):
        lost, better = game.commands[-back].moves[0], answers[back].moves[0]
        number = len(game.commands) - back + 1
        position = game.positions(number - 1)[0]
        lost, better = (describe_move(game.rules, position, move, form) for move in (lost, better))
        text += f"\n{number}: {lost} lost it; {better} would not have."
    return text


# Deals that can be won

MAX_DEALS = 1_000  # to try
SEARCHING = "Looking for a deal ..."
NOT_WON = {LOST: "that cannot be won", UNKNOWN: "that could not be decided"}


def winnable_number(deal: Deal, seconds: float | None, numbers: Iterable[int] | None = None) -> int:
    """Return the first number whose deal the solver wins; at a terminal say how many were skipped. deal: a Deal, for
    its game and options. seconds: the solver's limit for each deal; None limits positions instead, so that the result
    is the same on every machine. numbers: those to try, or None for random ones. Raises Refused after MAX_DEALS."""
    skipped: Counter[str] = Counter()
    tried = itertools.islice(numbers or iter(fresh_number, None), MAX_DEALS)
    at_terminal = sys.stderr and sys.stderr.isatty()
    with progress_bar(tried, SEARCHING) if at_terminal else contextlib.nullcontext(tried) as bar:
        for number in bar:
            with preserve_random_state():
                trial = Game(deal._replace(number=number))
            verdict = solve(trial, seconds, POSITIONS if seconds is None else None).verdict
            if verdict == WON:
                break
            skipped[verdict] += 1
        else:
            raise Refused(f"No winnable deal found; skipped {describe_skipped(skipped)}.")
    if skipped and at_terminal:
        click.echo(f"Skipped {describe_skipped(skipped)}.", err=True)
    return number


def describe_skipped(skipped: Counter[str]) -> str:
    """Return in words how many deals with each verdict were skipped. skipped: a Counter."""
    return " and ".join(f"{count_of(count, 'deal')} {NOT_WON[verdict]}" for verdict, count in skipped.items())
