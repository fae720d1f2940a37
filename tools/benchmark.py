"""Measure how fast the program is, in comparison with simple programs.

    python -m tools.benchmark [PART ...]

The parts are start, piped, undo, saving, hints, and the names of the games, for their solvers and goals. Every time is
the median of several runs of each program, taken alternately, so that a busy machine slows both. Look at the ratios;
seconds differ from machine to machine.
"""

import functools
import importlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from patience.advice import hints
from patience import rules
from patience.positions import copy_of
from patience.decks import Deal
from patience.game import Game

ROUNDS = 15
COMMANDS = 10_000
LONG_GAME = 500
TAKEN_BACK = 450
QUIT = "q\nn\n"
DEALS = 100
POSITIONS = 100_000
SOLVED = [
    ("montana", {}),
    ("quadzilla", {"difficulty": "easy"}),
    ("quadzilla", {"difficulty": "normal"}),
    ("quadzilla", {"difficulty": "hard"}),
    ("desturado", {"difficulty": "easy"}),
    ("desturado", {"difficulty": "medium"}),
    ("desturado", {"difficulty": "hard"}),
    ("zodiac", {}),
    ("klondike", {"draw": "1"}),
    ("klondike", {"draw": "3"}),
]
SEED = 231

# What is decided in SECONDS: (game, options, deals, whether to start in the middle of a random game, what is
# counted, the goal in percent). This many deals take at most two minutes.
SECONDS = 5
DECIDED = [
    ("montana", {}, 32, False, ("won",), 72),
    ("desturado", {"difficulty": "medium"}, 60, True, ("won", "lost"), 97),
    ("klondike", {"draw": "1"}, 100, False, ("won", "lost"), 99),
    ("klondike", {"draw": "3"}, 100, False, ("won", "lost"), 99),
]
GUIDED = 3  # deals played by hints
HINT_SECONDS = 0.8
FIRST_DEAL = 30_000  # the first deal of DECIDED; tools/learn_montana.py has not learned from any of these deals

# The program to compare with: Montana's own, with a separate print for each card and a separate input for each line.
NAIVE = """
import random, sys
sys.path.insert(0, {root!r})
sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")
import montana

def show(tableau):
    print("    ", end="")
    for column in range(1, 14):
        print("{{:3d}} ".format(column), end="")
    print()
    for number, row in enumerate(tableau, start=1):
        print("{{:3d}}:".format(number), end="")
        for card in row:
            if card.rank() == 1:
                print("    ", end="")
            else:
                print("{{:>4s}}".format(str(card)), end="")
        print()

montana.display = show
random.seed({seed})
montana.main()
"""


def random_script():
    """Return some 10,000 lines of random legal commands for Montana with --seed SEED."""
    choices = random.Random(SEED)
    game = Game(Deal(rules.load("montana"), {}, SEED))
    lines = []
    while len(lines) < COMMANDS:
        moves = game.rules.legal_moves(game.position)
        if not moves or choices.random() < 0.001:
            lines += ["q", "y"]
            game = Game(game.deal._replace(number=None))
        else:
            move = choices.choice(moves)
            lines.append(game.rules.write(*move))
            game.rules.perform(game.position, *move)
    return "\n".join([*lines, "q", "n", ""])


def seconds(arguments, script=""):
    """Run python with the arguments and the script as its input; return seconds and output."""
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("PYTHON")}
    start = time.perf_counter()
    run = subprocess.run(
        [sys.executable, *arguments], input=script.encode(), stdout=subprocess.PIPE, env=environment, check=True
    )
    return time.perf_counter() - start, run.stdout


def compare(ours, theirs, script=""):
    """Return the median seconds of two programs, run alternately, and the output of each."""
    our_times, their_times = [], []
    for _ in range(ROUNDS):
        time_taken, our_output = seconds(ours, script)
        our_times.append(time_taken)
        time_taken, their_output = seconds(theirs, script)
        their_times.append(time_taken)
    return (statistics.median(our_times), statistics.median(their_times), our_output, their_output)


def undo():
    """Print the row for taking back most of 500 commands: those before the last recorded positions need a replay."""
    choices = random.Random(SEED)
    game = Game(Deal(rules.load("klondike"), {"draw": "3"}, SEED))
    while len(game.commands) < LONG_GAME:
        game.perform(choices.choice(game.rules.legal_moves(game.position)))
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        game.undo(TAKEN_BACK)
        times.append(time.perf_counter() - start)
        game.redo(TAKEN_BACK)
    print(f"undo, {TAKEN_BACK} of {LONG_GAME} commands: {statistics.median(times) * 1000:5.1f} ms   (goal: 50 ms)")


def measure_saving():
    """Print the rows for saving a long session to a file, and for resuming it."""
    script = "sw\n" * COMMANDS
    ours = [ROOT / "main.py", "play", "klondike", "--seed", str(SEED)]
    plain, saved, replayed = [], [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            keeping = [*ours, "--save", Path(folder) / "game.txt"]
            plain.append(seconds(ours, script)[0])
            saved.append(seconds(keeping, script)[0])
            replayed.append(seconds(keeping, QUIT)[0])
    plain, saved, replayed = map(statistics.median, (plain, saved, replayed))
    print(f"saving that session: {saved * 1000:6.0f} ms   {saved / plain:5.2f} x without a file")
    print(f"going on with it:    {replayed * 1000:6.0f} ms   {replayed / plain:5.2f} x playing it")


def solver_of(chosen):
    """Print a row for each option of a game, then its goals. The row says how many of 100 deals are won, lost and
    undecided within a number of positions, and gives the positions per second as a ratio to the speed of the game's own
    move."""
    print(f"\n{DEALS} deals, {POSITIONS:,} positions each")
    print(f"{'':<28}{'won':>5}{'lost':>6}{'unknown':>9}{'positions a second':>20}")
    for name, options in [one for one in SOLVED if one[0] == chosen]:
        game, solver = importlib.import_module(name), importlib.import_module(f"patience.solvers.{name}")
        verdicts, positions, searching, commands, performing = [], 0, 0.0, 0, 0.0
        for seed in range(DEALS):
            random.seed(seed)
            state = game.initialize(**options)
            start = time.process_time()
            answer = solver.solve(state, None, POSITIONS)
            searching += time.process_time() - start
            positions += answer.positions
            verdicts.append(answer.verdict)
            start = time.process_time()
            for move in answer.moves:
                game.move(state, *move)
            performing += time.process_time() - start
            commands += len(answer.moves)
        counts = [verdicts.count(verdict) for verdict in ("won", "lost", "unknown")]
        ratio = positions / searching / (commands / performing) if commands else 0
        print(
            f"{' '.join([name, *options.values()]):<28}{counts[0]:5}{counts[1]:6}{counts[2]:9}"
            f"{positions / searching:12,.0f} = {ratio:4.1f} x move",
            flush=True,
        )
    for name, options, deals, in_middle, counted, goal in DECIDED:
        if name == chosen:
            verdicts = [verdict_in_time(name, options, FIRST_DEAL + number, in_middle) for number in range(deals)]
            count = sum(verdict in counted for verdict in verdicts)
            where = ", from the middle of games at random" if in_middle else ""
            print(
                f"{' '.join([name, *options.values()])}: {count} of {deals} {' or '.join(counted)} in {SECONDS} "
                f"seconds{where}: {count / deals:.0%}   (goal: {goal} %)",
                flush=True,
            )


def verdict_in_time(name, options, seed, in_middle):
    """Return the verdict that a solver reaches in SECONDS on the deal with this number, or on a random position of a
    random game."""
    game, solver = rules.load(name), importlib.import_module(f"patience.solvers.{name}")
    random.seed(seed)
    state, states = game.initialize(**options), []
    while in_middle and not game.check_win(state) and not game.check_loss(state):
        states.append(copy_of(state))
        game.move(state, *random.choice(game.legal_moves(state)))
    return solver.solve(random.choice(states or [state]), SECONDS).verdict


def start_up():
    """Print the row for starting the program, as a ratio to importing click."""
    ours, theirs, *_ = compare([ROOT / "main.py", "montana"], ["-c", "import click"], QUIT)
    print(f"start, play and quit: {ours * 1000:5.0f} ms   {ours / theirs:5.2f} x importing click   (goal: 1.08)")


def measure_throughput():
    """Print the row for a long piped session, as a ratio to the naive loop.

    The time that each program takes to start and quit is subtracted.
    """
    script = random_script()
    with tempfile.TemporaryDirectory() as folder:
        naive = Path(folder) / "naive.py"
        naive.write_text(NAIVE.format(root=str(ROOT), seed=SEED), encoding="utf-8")
        programs = [ROOT / "main.py", "montana", "--seed", str(SEED)], [naive]
        our_start, their_start, *_ = compare(*programs, QUIT)
        ours, theirs, output, naive_output = compare(*programs, script)
    assert output == naive_output, "the two loops must print the same"
    ours, theirs = ours - our_start, theirs - their_start
    rate = script.count("\n") / ours
    print(f"piped commands:  {rate:8,.0f} a second   {theirs / ours:5.2f} x the naive loop   (goal: 1.3)")


def hints_of():
    """Print a row for the hints of each game: in games that follow them, the share that is shown in time, and how long
    a computed hint takes. The rest of the hints follow a plan."""
    for name, options in SOLVED:
        game_rules = rules.load(name)
        options = {option: options.get(option, choices[0]) for option, choices in game_rules.OPTIONS.items()}
        times, count = [], 0
        for seed in range(GUIDED):
            game = Game(Deal(game_rules, options, seed))
            times += hints.follow_hints(game)[-1]
            count += len(game.moves)
        in_time = count - sum(one > HINT_SECONDS for one in times)
        times.sort()
        print(
            f"{game.deal.name()}: {in_time / count:.1%} of the hints in {HINT_SECONDS} s   (goal: 95 %); computed "
            f"{len(times)} of {count}, median {times[len(times) // 2]:.2f} s, 95 of 100 in "
            f"{times[int(0.95 * len(times))]:.2f} s",
            flush=True,
        )


PARTS = {"start": start_up, "piped": measure_throughput, "undo": undo, "saving": measure_saving, "hints": hints_of}
PARTS.update({name: functools.partial(solver_of, name) for name, _ in SOLVED})


@click.command(help=f"\b\n{__doc__}")
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
def main(parts):
    for part in parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
