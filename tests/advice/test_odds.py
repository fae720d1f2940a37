"""Many deals: odds, its CSV file and its processes; winnable deals."""

import itertools
import os
import re
import signal
from pathlib import Path

import pytest

import helpers
from helpers import count_odds, run, start_program, wait_until
from patience.advice import solve
from patience import rules
from patience.table import start
from patience.table.records import statistics
from patience.decks import Deal
from patience.game import Game
from patience.solvers import search
from tools import odds


def test_a_game_with_options_that_its_solver_does_not_know_has_the_general_one():
    solved = run("solve klondike --passes 3 --time 0.1")
    assert b"patience/solvers/klondike.py does not know --passes 3: the general solver plays.\n" in solved.stderr


@pytest.mark.parametrize("torn", ["zodiac,2,lo", "zodiac", "zodiac,2,lost,0,1,0.0"])
def test_a_torn_last_row_is_cut_off_and_the_deal_solved_again(tmp_path, torn):
    file = tmp_path / "deals.csv"
    count_odds("zodiac", "--deals", "2", "--csv", file)
    whole = file.read_bytes().decode()
    file.write_text(whole + torn, encoding="utf-8")
    for count in (3, 4):
        done = count_odds("zodiac", "--deals", count, "--csv", file)
        assert done.exit_code == 0 and done.stdout.startswith(f"{count} deals:")
        rows = file.read_bytes().decode()
        assert rows.startswith(whole) and rows.count("\n") == count + 1
        assert all(line.count(",") == 5 for line in rows.splitlines()) and "\r" not in rows


@pytest.mark.parametrize("text", [
    "Dear diary\n", "HEADING\nDear diary\n", "HEADING\nzodiac,1,odd,1,1,1\n",
    "HEADING\nklondike --draw 1,1,won,1,1,1\nzodi\n", "HEADING\n,1,won,1,1,1\n", "HEADING\nzodiac,0,won,30,40,nan\n",
    "HEADING\nzodiac,0,lost,0,1e308,0.1\n",
])  # fmt: skip
def test_a_table_of_deals_is_no_other_file(text, tmp_path):
    file = tmp_path / "deals.csv"
    written = text.replace("HEADING", ",".join(odds.Row._fields))
    file.write_text(written, encoding="utf-8")
    done = count_odds("zodiac", "--deals", "1", "--csv", file)
    assert done.exit_code == 2 and "it was not written by --csv." in done.output
    assert file.read_text(encoding="utf-8") == written


@pytest.mark.parametrize("name, options, first, known", [
    ("montana", {}, 8, [("won", 93, 18692)]),
    ("quadzilla", {}, 1, [("won", 43, 578), ("won", 45, 648), ("won", 41, 677)]),
    ("desturado", {"difficulty": "hard"}, 1, [("won", 45, 358), ("won", 43, 156), ("won", 49, 41)]),
    ("zodiac", {}, 1, [("lost", 0, 0), ("won", 448, 402), ("won", 393, 108)]),
    ("klondike", {}, 1, [("won", 178, 180), ("won", 177, 223), ("won", 166, 237)]),
])  # fmt: skip
def test_how_many_positions_the_solvers_look_at(name, options, first, known):
    """If a change to a solver is right, its numbers are written here."""
    chosen = {option: choices[0] for option, choices in rules.load(name).OPTIONS.items()} | options
    rows = [odds.compute_row(name, chosen, 60, False, first + number) for number in range(len(known))]
    assert [(row.verdict, row.commands, row.positions) for row in rows] == known


def test_want_of_memory_is_an_undecided_deal():
    def fails():
        raise MemoryError

    answer = search.decide(lambda limits: [fails], list, None, None)
    assert (answer.verdict, answer.limit) == (search.UNKNOWN, " because memory ran out")


needs_proc = pytest.mark.skipif(not os.path.exists("/proc"), reason="needs /proc")


def children(number):
    """Return the ids of the processes that a process has started."""
    return Path(f"/proc/{number}/task/{number}/children").read_text(encoding="utf-8").split()


@needs_proc
@pytest.mark.parametrize("ending", [signal.SIGTERM, getattr(signal, "SIGKILL", None)])
def test_workers_end_with_their_program(ending, tmp_path):
    words = f"count zodiac --deals 100000 --jobs 2 --csv {tmp_path / 'rows.csv'}"
    with start_program(words, ["-m", "tools.odds"], cwd=helpers.ROOT) as program:
        rows = tmp_path / "rows.csv"
        wait_until(lambda: rows.exists() and rows.read_text(encoding="utf-8").count("\n") > 5, "five rows in the table")
        workers = children(program.pid)
        program.send_signal(ending)
        program.communicate(timeout=helpers.SECONDS)
    assert len(workers) >= 2
    wait_until(lambda: not any(os.path.exists(f"/proc/{number}") for number in workers), "the workers have ended")


def test_winnable_says_that_it_is_looking_and_what_it_skipped(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert solve.winnable_number(Deal(rules.load("zodiac"), {}), None, [1, 2]) == 2
    told = capsys.readouterr().err
    assert "Looking for a deal ...  [" in told and told.endswith("\nSkipped 1 deal that cannot be won.\n")


def test_winnable_gives_up_in_the_end_and_tells_lost_deals_from_those_that_were_not_decided(monkeypatch):
    monkeypatch.setattr(solve, "MAX_DEALS", 5)
    verdicts = itertools.cycle(["lost", "unknown", "unknown", "lost", "lost"])
    monkeypatch.setattr(solve, "solve", lambda *_: search.Answer(next(verdicts), [], 1))
    for options in ("", "--daily"):
        game = run(f"play montana --winnable {options}")
        assert (game.returncode, game.stdout) == (1, b"") and game.stderr.decode() == (
            "Error: No winnable deal found; skipped 3 deals that cannot be won and 2 deals that could not be decided.\n"
        )


def test_the_winnable_deal_of_a_day_is_the_same_for_everyone():
    deal, numbers = Deal(rules.load("zodiac"), {}), lambda: statistics.candidate_numbers(20261122)
    verdicts = (
        (number, solve.solve(Game(deal._replace(number=number)), None, solve.POSITIONS).verdict) for number in numbers()
    )
    first = next(number for number, verdict in verdicts if verdict == "won")
    assert solve.winnable_number(deal, None, numbers()) == first
    one, same, other = (run(f"play zodiac {daily} --winnable").stdout for daily in ("--daily", "--daily", ""))
    assert one == same and one != other


def test_every_winnable_deal_can_be_won(monkeypatch):
    """Deal 1 of Zodiac cannot be won, deal 2 can."""
    numbers = itertools.cycle([1, 2])
    for module in (solve, start):
        monkeypatch.setattr(module, "fresh_number", lambda: next(numbers))
    shown = run("play zodiac --winnable", "new\nq\n").stdout.decode()
    assert re.findall("--seed ([0-9]+) deals it again", shown) == ["2", "2"]


def test_odds_of_two_processes_are_those_of_one(tmp_path):
    rows, told = [], []
    for jobs in ("1", "2"):
        file = tmp_path / f"{jobs}.csv"
        done = count_odds("zodiac --seed 3", "--deals", "8", "--jobs", jobs, "--csv", file)
        assert done.exit_code == 0
        told.append(done.stdout.splitlines()[:2])
        rows.append(
            sorted(line.rpartition(",")[0] for line in file.read_text(encoding="utf-8").splitlines())
        )  # without the times
    assert rows[0] == rows[1] and told[0] == told[1] and len(rows[0]) == 9
    won = sum(",won," in row for row in rows[0])
    assert told[0][0] == f"8 deals: {won} won, {8 - won} lost, 0 unknown"


def test_the_summary_of_odds_and_of_hints(capsys):
    """Undecided deals may be won, so they count only for the upper end. The seconds of a hint are of all games."""

    def row(verdict, taken):
        return odds.Row("x", 1, verdict, 30, 1000 * taken, taken)

    verdicts, seconds = ["won"] * 5 + ["lost"] * 3 + ["unknown"] * 2, [9, 1, 2, 3, 4, 5, 6, 7, 8, 100]
    odds.print_summary(list(map(row, verdicts, seconds)))
    odds.print_summary([row("won", taken) for taken in range(1, 41)])
    odds.print_summary([row("won" if taken < 3 else "lost", taken) for taken in (1, 2, 3, 4)], True)
    assert capsys.readouterr().out.splitlines() == [
        "10 deals: 5 won, 3 lost, 2 unknown",
        "chance of a winnable deal: 23.7% to 89.2% (95 %)",
        "median 5.500 s, 95th percentile 100.000 s",
        "median 5,500 positions, 95th percentile 100,000 positions",
        "40 deals: 40 won, 0 lost, 0 unknown",
        "chance of a winnable deal: 91.2% to 100.0% (95 %)",
        "median 20.500 s, 95th percentile 38.000 s",
        "median 20,500 positions, 95th percentile 38,000 positions",
        "4 deals: 2 won by hints",
        "chance to win by hints: 15.0% to 85.0% (95 %)",
        "mean 0.001 s per computed hint, 2500 computed hints per game",
    ]
