"""A solver's answer in words, for the command solve and the word solve; deals that can be won; work shared among
several processes."""

from __future__ import annotations

import contextlib
import functools
import itertools
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

import click

from patience import ExitStatus, Position, rules
from patience.decks import Deal, fresh_number
from patience.game import Game, MoveStyle, describe_move
from patience.rules import Refused
from patience.text import count_of
from solvers import general
from solvers.positions import preserve_random_state
from solvers.search import LOST, UNKNOWN, WON

if TYPE_CHECKING:
    from solvers.general import Answer

POSITIONS = 50_000  # for the deal of the day, which must be the same everywhere
SECONDS_TO_END = 2  # for a process to end when it is terminated
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


def print_solution(game: Game, seconds: float, jobs: int) -> ExitStatus:
    """Print the script that wins: its first line, the lines played so far, and the solution; print the verdict on the
    error stream. Returns the exit status."""
    if sys.stderr and sys.stderr.isatty():
        click.echo(notice(game), err=True)
    answer = solve(game, seconds) if jobs == 1 else solve_in_parallel(game, seconds, jobs)
    solution = [game.rules.write(*move) for move in answer.moves]
    count = f"{answer.positions:,} positions"
    verdict = {
        WON: f"{count_of(len(solution), 'command')}, {count}",
        LOST: f"no way to win{limitation(game)}, all {count} searched",
        UNKNOWN: f"not decided{limitation(game)}{answer.limit}, {count}",
    }[answer.verdict]
    not_known = ", ".join(general.unknown_options(game.rules, game.deal.options))
    click.echo("\n".join([f"# {game.deal.command()}", *game.list_lines(), *solution]))
    if not_known:
        click.echo(f"solvers/{game.rules.name}.py does not know {not_known}: the general solver plays.", err=True)
    click.echo(f"{answer.verdict}: {verdict}", err=True)  # not into the script
    return STATUS[answer.verdict]


def solve_in_parallel(game: Game, seconds: float, jobs: int) -> Answer:
    """Share the solver's tries among several processes; return the first Answer that decides, or one that sums up all
    of them."""
    share = functools.partial(solve_share, game.rules.name, game.deal.options, game.position, seconds)
    answers = []
    for answer in results(share, [(number, jobs) for number in range(jobs)], jobs):
        if answer.verdict != UNKNOWN:
            return answer
        answers.append(answer)
    limit = max(answer.limit for answer in answers)  # answers without a limit have made all their tries
    return answer._replace(positions=sum(answer.positions for answer in answers), limit=limit)


def solve_share(
    name: str, options: dict[str, Any], position: Position, seconds: float, share: tuple[int, int]
) -> Answer:
    """Return the Answer of one share of the tries. share: (first, step)."""
    return general.answer(rules.load(name), options, position, seconds, share=share)


# The word


def describe_solution(game: Game, shown: int | None, seconds: float, form: MoveStyle) -> str:
    """Return a sentence that says whether the current game can be won, and how.

    shown: how many commands to show; None for the next one. form: how moves are written; a person also learns which
    command lost the game.
    """
    answer = solve(game, seconds)
    if answer.verdict == UNKNOWN:
        return f"Not decided{answer.limit}."
    if answer.verdict == LOST:
        return describe_lost_game(game, seconds, form)
    if not answer.moves:
        return "It is won."
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
        return f"With all cards known, this can no longer be won{without}. Whether it ever could is not decided."
    text = f"With all cards known, this can no longer be won{without}. undo {back} goes back to where it still could."
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
    at_terminal = sys.stderr and sys.stderr.isatty()
    if at_terminal:
        click.echo(SEARCHING, err=True)
    skipped = Counter()
    for number in itertools.islice(numbers or iter(fresh_number, None), MAX_DEALS):
        with preserve_random_state():
            trial = Game(deal._replace(number=number))
        verdict = solve(trial, seconds, POSITIONS if seconds is None else None).verdict
        if verdict == WON:
            if skipped and at_terminal:
                click.echo(f"Skipped {describe_skipped(skipped)}.", err=True)
            return number
        skipped[verdict] += 1
    raise Refused(f"No winnable deal found; skipped {describe_skipped(skipped)}.")


def describe_skipped(skipped: Counter[str]) -> str:
    """Return in words how many deals with each verdict were skipped. skipped: a Counter."""
    return " and ".join(f"{count_of(count, 'deal')} {NOT_WON[verdict]}" for verdict, count in skipped.items())


# Work shared by several processes. The processes end when the program does, however it ends.


def results(work: Callable[[Any], Any], arguments: Iterable[Any], jobs: int) -> Iterator[Any]:
    """Yield work(argument) for each argument, in the order the calls finish, using this many processes."""
    if jobs == 1:
        yield from map(work, arguments)
        return
    arguments = iter(arguments)
    with start_workers(work, jobs) as executor:
        waiting = set(submit(executor, itertools.islice(arguments, 4 * jobs)))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= set(submit(executor, itertools.islice(arguments, len(done))))
            yield from (future.result() for future in done)


def submit(executor: ProcessPoolExecutor, arguments: Iterator[Any]) -> list[Future[Any]]:
    """Return a future for each argument. Signals are held back meanwhile, because a process that is just starting
    cannot handle them yet."""
    mask_signals(signal.SIG_BLOCK)
    try:
        return [executor.submit(run_task, argument) for argument in arguments]
    finally:
        mask_signals(signal.SIG_UNBLOCK)


def mask_signals(how: signal.Sigmasks) -> None:
    """Block the signals that end the program, or unblock them, if the system can do that."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(how, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])


@contextlib.contextmanager
def start_workers(work: Callable[[Any], Any], jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield an executor with this many processes for this work. At the end, processes still working are terminated, or
    killed if need be."""
    executor = ProcessPoolExecutor(jobs, initializer=begin_worker, initargs=(work,))
    try:
        yield executor
    except BrokenProcessPool:
        raise click.ClickException("A worker process was killed.") from None
    finally:
        working = multiprocessing.active_children()
        for process in working:
            process.terminate()
        for process in working:
            process.join(SECONDS_TO_END)
            if process.is_alive():
                process.kill()
        executor.shutdown()


task: Any = None  # in a worker: a function of one argument


def run_task(argument: Any) -> Any:
    """Do this process's work for one argument."""
    return task(argument)


def begin_worker(work: Callable[[Any], Any]) -> None:
    """Prepare a worker: keep its task, and make it end when the program that started it ends. The task is sent only
    once, because each argument must fit into the pipe's buffer: after Ctrl-C nothing reads the pipe."""
    global task
    task = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is left to the program, which ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    mask_signals(signal.SIG_UNBLOCK)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Wait until the program that started this process ends, then end the process."""
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)
