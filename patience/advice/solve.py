"""A solver's answer in words: the command solve, and the word solve."""

import functools
import sys

import click

from patience.game import rules
from patience.game.text import count_of
from solvers import general, search
from solvers.search import LOST, UNKNOWN, WON

POSITIONS = 50_000  # for the deal of a day, which must be the same everywhere
LOOKING = "Looking under the cards ..."
STATUS = {WON: 0, LOST: 1, UNKNOWN: 3}


def solve(sitting, seconds, positions=None):
    """Return an Answer for the game in hand. seconds, positions: limits; None for none."""
    return general.answer(sitting.rules, sitting.options, sitting.game, seconds, positions)


def about(sitting):
    """Return what the solver leaves out, such as " without a shuffle", or ""."""
    return getattr(general.solver_of(sitting.rules, sitting.options), "ABOUT", "")


def say_that_it_takes_time():
    """Tell a player at a terminal that the solver is at work."""
    if sys.stderr and sys.stderr.isatty():
        click.echo(LOOKING, err=True)


# The command


def print_solution(sitting, lines, seconds, jobs):
    """Print the script that wins: its first line, the lines played so far, and the solution. Returns the exit
    status."""
    say_that_it_takes_time()
    answer = solve(sitting, seconds) if jobs == 1 else solve_side_by_side(sitting, seconds, jobs)
    solution = [sitting.rules.write(*move) for move in answer.moves]
    count = f"{answer.positions:,} positions"
    verdict = {
        WON: f"{count_of(len(solution), 'command')}, {count}",
        LOST: f"no way to win{about(sitting)}, all {count} searched",
        UNKNOWN: f"not decided{about(sitting)}{answer.limit}, {count}",
    }[answer.verdict]
    last = f"# {answer.verdict}: {verdict}"
    not_known = ", ".join(general.not_known(sitting.rules, sitting.options))
    who = (
        [f"# solvers/{sitting.rules.name}.py does not know {not_known}: the general solver plays."] if not_known else []
    )
    click.echo("\n".join([f"# {sitting.how_to_deal()}", *lines, *who, *solution, last]))
    return STATUS[answer.verdict]


def solve_side_by_side(sitting, seconds, jobs):
    """Return the first Answer that decides, of processes that share the tries of the solver."""
    from patience.advice.processes import results

    share = functools.partial(solve_share, sitting.rules.name, sitting.options, sitting.game, seconds)
    for answer in results(share, [(number, jobs) for number in range(jobs)], jobs):
        if answer.verdict != UNKNOWN:
            break
    return answer


def solve_share(name, options, game, seconds, share):
    """Return the Answer of a share of the tries, (first, step)."""
    search.share = share
    return general.answer(rules.load(name), options, game, seconds)


# The word


def what_can_be_done(sitting, shown, seconds, at_terminal):
    """Return a sentence: can the game in hand be won, and how does it continue?

    shown: how many commands to show; None for the next one. at_terminal: tell also which command lost it.
    """
    answer = solve(sitting, seconds)
    if answer.verdict == UNKNOWN:
        return f"Not decided{answer.limit}."
    if answer.verdict == LOST:
        return what_lost_it(sitting, seconds, at_terminal)
    if not answer.moves:
        return "It is won."
    following = sitting.told_next(answer.moves[: shown or 1])
    if sitting.rules.reads_itself and not at_terminal:
        following = [line.partition("  ")[0] for line in following]
    told = f"Can be won from here{about(sitting)}: {count_of(len(answer.moves), 'command')}, the next "
    if len(following) == 1:
        return f"{told}is {following[0]}."
    if sitting.rules.reads_itself and not at_terminal:
        return f"{told}are {', '.join(following)}."
    return "\n".join([f"{told}are:", *following])


def what_lost_it(sitting, seconds, at_terminal):
    """Return sentences about a lost game: how far to go back, and at a terminal which command lost it."""
    answers = {}  # by how many moves are taken back

    def can_win(trial):
        back = len(sitting.done) - len(trial.done)
        answers[back] = solve(trial, seconds)
        return answers[back].verdict == WON

    back = sitting.way_back(can_win)
    if back is None:
        if not sitting.done or answers[len(sitting.done)].verdict == LOST:
            return f"With all cards known, this deal could never be won{about(sitting)}."
        return f"With all cards known, this can no longer be won{about(sitting)}. Whether it ever could is not decided."
    told = (
        f"With all cards known, this can no longer be won{about(sitting)}. "
        f"`undo {back}` goes back to where it still could."
    )
    if at_terminal and (back == 1 or answers[back - 1].verdict == LOST):
        lost, better = sitting.done[-back], answers[back].moves[0]
        number = len(sitting.done) - back + 1
        told += f"\n{number}: {sitting.rules.write(*lost)} lost it; {sitting.rules.write(*better)} would not have."
    return told
