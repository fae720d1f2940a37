"""What --solve prints and the word solve says: a solver's answer, for people."""

import functools
import itertools
import sys
from collections import Counter

import click

import solvers.general
from patience import rules
from patience.lines import Refused, write
from patience.rules import count_of
from patience.sitting import Sitting, fresh_number
from solvers import search
from solvers.search import LOST, UNKNOWN, WON

POSITIONS = 50_000  # for the deal of a day, which is to be the same everywhere
MOST_DEALS = 1_000  # that are tried before one is found that can be won
LOOKING = "Looking under the cards ..."
STATUS = {WON: 0, LOST: 1, UNKNOWN: 3}


def solve(sitting, seconds, positions=None):
    """Return an Answer for the game in hand. seconds, positions: limits; None for none."""
    return solvers.general.answer(sitting.rules, sitting.options, sitting.game, seconds, positions)


def first_won(sitting, numbers, seconds=None, positions=POSITIONS):
    """Return the first number whose deal the solver wins; at a terminal say how many it skipped. With a limit
    in positions only, it is the same one on every machine. Raises Refused if too many are not won."""
    skipped = Counter()
    for number in itertools.islice(numbers, MOST_DEALS):
        trial = Sitting(sitting.rules, sitting.options, number, sitting.deck)
        trial.deal()
        verdict = solve(trial, seconds, positions).verdict
        if verdict == WON:
            if skipped and sys.stderr and sys.stderr.isatty():
                click.echo(f"Skipped {told_apart(skipped)}.", err=True)
            return number
        skipped[verdict] += 1
    raise Refused(f"No deal was won by the solver: {told_apart(skipped)}.")


def told_apart(skipped):
    """Return how many deals cannot be won, and how many were not decided, in words. skipped: a Counter."""
    kinds = {LOST: "that cannot be won", UNKNOWN: "that could not be decided"}
    return " and ".join(f"{count_of(skipped[kind], 'deal')} {what}" for kind, what in kinds.items() if skipped[kind])


def fresh_winnable(sitting, seconds):
    """Return the number of a fresh deal that the solver wins. Raises Refused as first_won does."""
    return first_won(sitting, iter(lambda: fresh_number(sitting), None), seconds, None)


def about(sitting):
    """Return what a verdict is about, if it leaves something out: " without a shuffle"."""
    return getattr(solvers.general.solver_of(sitting.rules, sitting.options), "ABOUT", "")


def solve_side_by_side(sitting, seconds, jobs):
    """Return the first Answer that decides, of processes that share the tries of the solver."""
    from patience.processes import first_results

    share = functools.partial(solve_share, sitting.rules.__name__, sitting.options, sitting.game, seconds)
    for answer in first_results(share, [(number, jobs) for number in range(jobs)]):
        if answer.verdict != UNKNOWN:
            break
    return answer


def solve_share(name, options, game, seconds, share):
    """Return the Answer of a share of the tries, (first, step). name: that of the game's module."""
    search.share = share
    return solvers.general.answer(rules.load(name), options, game, seconds)


def print_solution(sitting, lines, seconds, jobs):
    """Print the script that wins: its first line, the lines played so far, and the solution. It is looked
    for by so many processes. Returns the exit status.
    """
    answer = solve(sitting, seconds) if jobs == 1 else solve_side_by_side(sitting, seconds, jobs)
    solution = [write(sitting.rules, move) for move in answer.moves]
    count = f"{answer.positions:,} positions"
    verdict = {
        WON: f"{len(solution)} commands, {count}",
        LOST: f"no way to win{about(sitting)}, all {count} searched",
        UNKNOWN: f"not decided{about(sitting)}{answer.limit}, {count}",
    }[answer.verdict]
    last = f"# {answer.verdict}: {verdict}"
    click.echo("\n".join([f"# {sitting.how_to_deal()}", *lines, *solution, last]))
    return STATUS[answer.verdict]


def what_can_be_done(sitting, shown, seconds, at_terminal=False):
    """Return a sentence: whether the game in hand can be won, and how it goes on.

    shown: how many commands to show; None for the next one. at_terminal: also say which command lost it.
    """
    answer = solve(sitting, seconds)
    if answer.verdict == UNKNOWN:
        return f"Not decided{answer.limit}."
    if answer.verdict == LOST:
        back, verdicts, way = way_back(sitting, seconds)
        if back is None and verdicts[len(sitting.done)] == LOST:
            return f"It could not be won{about(sitting)}, from the deal on."
        if back is None:
            return f"Cannot be won any more{about(sitting)}. Whether it ever could is not decided."
        told = f"Cannot be won any more{about(sitting)}. undo {back} goes back to where it could."
        if at_terminal and verdicts.get(back - 1, LOST) == LOST:
            command, better = write(sitting.rules, sitting.done[-back]), write(sitting.rules, way[0])
            told += f"\n{back}: {command} lost it; {better} would not have."
        return told
    commands = [write(sitting.rules, move) for move in answer.moves]
    if not commands:
        return "It is won."
    following = f"is {commands[0]}" if shown is None else f"are {', '.join(commands[:shown])}"
    return f"Can be won from here{about(sitting)}: {len(commands)} commands, the next {following}."


def way_back(sitting, seconds):
    """Return how many moves to take back to come to the last position that can be won, or None; the
    verdicts found on the way, by how many moves are taken back; and the moves that win from there. One that
    is not decided counts as lost."""
    verdicts, ways = {0: LOST}, {}

    def can_win(trial):
        back, answer = len(sitting.done) - len(trial.done), solve(trial, seconds)
        verdicts[back], ways[back] = answer.verdict, answer.moves
        return answer.verdict == WON

    back = sitting.way_back(can_win)
    return back, verdicts, ways.get(back, [])
