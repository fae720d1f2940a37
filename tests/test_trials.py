"""What trials of the whole program found, each as a user meets it."""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

import helpers
import main
import montana
import zodiac
from helpers import ROOT, run, run_process

PROMPT = "Enter command (h for help): "


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "game.txt"


def changed_project(folder, **changes):
    """Return a copy of the project in which the texts of modules are changed: module=(old, new)."""
    folder.mkdir()
    helpers.copy_project(folder)
    for module, (old, new) in changes.items():
        path = folder / f"{module}.py"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["quadzilla", "desturado", "zodiac", "klondike"])
def test_cards_by_name_in_every_game(name):
    for seed in range(3):
        moves = run(f"{name} --seed {seed}", "moves\n").stdout.decode()
        told = re.findall(r"^(?:Enter .*: )?([A-Z]+ [\d ]+): (\S+[♣♦♥♠])(?: from .*)? onto (\S+[♣♦♥♠])", moves, re.M)
        assert told
        first = {}
        for command, card, onto in told:
            first.setdefault((card, onto), command)
        script = "".join(f"{card.lower()} {onto}\nundo\n{command}\nundo\n"
                         for (card, onto), command in first.items())
        answers = run(f"{name} --seed {seed}", script).stdout.decode().split(PROMPT)[1:-1]
        by_name, by_command = answers[::4], answers[2::4]
        assert by_name == by_command and len(by_name) == len(first) and "Error" not in "".join(answers)


def test_winnable_leaves_a_kept_game_as_it_is(journal):
    run(["klondike", "--seed", "539", "--save", journal])
    kept = run(["klondike", "--winnable", "--save", journal], "deal\nq\nn\n").stdout.decode()
    assert kept == run("klondike --seed 539", "deal\nq\nn\n").stdout.decode()


def test_y_is_no_line_of_a_game_that_goes_on(journal):
    journal.write_text("# klondike --draw 3 --seed 8\nSW\ny\n")
    game = run(["klondike", "--save", journal])
    assert game.returncode == 2 and b"line 3 is refused: 'y'" in game.stderr


def test_ctrl_c_while_moves_are_compared_leaves_the_next_shuffle_as_it_was(monkeypatch):
    from patience import sitting as sittings
    from patience import rules
    from patience.sitting import Sitting

    sitting = Sitting(rules.load("montana"), {"shuffles": "2"}, 2)
    sitting.deal()
    sitting.perform(("s",))
    before = random.getstate()

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sittings, "same", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sitting.legal_moves()
    assert random.getstate() == before


def test_a_failed_search_leaves_hints_and_chance_as_they_were():
    hints = run("klondike --seed 539", "SW\nhint\nhint\n").stdout.decode().split(PROMPT)
    asked = run("klondike --seed 539", "SW\nhint\nsolve\nhint\n").stdout.decode().split(PROMPT)
    assert asked[3].startswith("This deal could never be won") and hints[2:4] == [asked[2], asked[4]]
    assert hints[2] != hints[3]
    random.seed(3)
    greedy = helpers.greedy_lines(zodiac, zodiac.initialize(), 100)
    plain, asked = (run("zodiac --seed 3", "\n".join([*greedy, *words, "new"])).stdout
                    for words in ([], ["solve"]))
    assert b"can no longer be won" in asked and plain.split(b"Zodiac Sol")[2] == asked.split(b"Zodiac Sol")[2]


def test_a_search_for_the_way_back_leaves_the_next_shuffle_as_it_was():
    random.seed(3)
    tableau, lines = montana.initialize(), ["s"]
    helpers.perform(montana, tableau, "s")
    while montana.legal_moves(tableau)[0] != ("s",):
        lines += helpers.greedy_lines(montana, tableau, 1)
    plain, asked = (run("montana --seed 3 --time 0.1", "\n".join([*lines, *words, "s"])).stdout
                    for words in ([], ["solve"]))
    assert b"can no longer be won" in asked or b"could never be won" in asked
    assert plain.split(b"dest_col:")[-2:] == asked.split(b"dest_col:")[-2:]


# Solvers of games that students have changed


def test_a_script_that_the_game_refuses_is_never_told(tmp_path):
    project = changed_project(tmp_path / "project", klondike=(
        "if not game.stock and not game.waste:", "if not game.stock:  # one pass only"))
    for seed in range(3):
        solution = run_process(f"solve klondike --seed {seed} --time 1", project=project)
        assert solution.returncode in (0, 3) and solution.stderr == b"", solution.stderr
        script = solution.stdout.decode()
        if solution.returncode == 0:
            assert b"You won!" in run_process(f"klondike --seed {seed}", script, project).stdout
        else:
            assert script.count("\n") == 2 and "# unknown: not decided" in script


def test_a_game_with_options_that_its_solver_does_not_know_has_the_general_one():
    known = run("odds klondike --draw 1 --seed 1 --deals 1 --time 0.2").stdout
    other = run("odds klondike --draw 1 --passes 3 --seed 1 --deals 1 --time 0.2").stdout
    assert b"won 1" in known and known != other, "the general one, which is not that good"


# Files


HEADING = "game,seed,verdict,commands,positions,seconds\n"


@pytest.mark.parametrize("torn", ["zodiac,2,lo", "zodiac", "zodiac,2,lost,0,1,0.0"])
def test_a_torn_last_row_is_cut_off_and_the_deal_solved_again(tmp_path, torn):
    file = tmp_path / "deals.csv"
    run(["odds", "zodiac", "--deals", "2", "--csv", file])
    whole = file.read_text()
    file.write_text(whole + torn)
    for count in (3, 4):
        game = run(["odds", "zodiac", "--deals", str(count), "--csv", file])
        assert game.returncode == 0 and game.stdout.startswith(f"deals {count}:".encode())
        rows = file.read_text()
        assert rows.startswith(whole) and rows.count("\n") == count + 1
        assert all(line.count(",") == 5 for line in rows.splitlines())


def test_a_torn_heading_is_written_again(tmp_path):
    file = tmp_path / "deals.csv"
    file.write_text(HEADING[:9])
    assert run(["odds", "zodiac", "--deals", "1", "--csv", file]).returncode == 0
    assert file.read_text().startswith(f"{HEADING}zodiac,0,")


@pytest.mark.parametrize("content", ["Dear diary", f"{HEADING}Dear diary\n", f"{HEADING}zodiac,1,odd,1,1,1\n",
                                     f"{HEADING}klondike --draw 1,1,won,1,1,1\nzodi", f"{HEADING},1,won,1,1,1\n"])
def test_no_other_file_is_touched(tmp_path, content):
    file = tmp_path / "deals.csv"
    file.write_text(content)
    assert run(["odds", "zodiac", "--deals", "1", "--csv", file]).returncode == 2 and file.read_text() == content


@pytest.mark.parametrize("options, named", [
    ("--difficulty foo --seed 1", "--difficulty foo"), ("--drw 1 --seed 1", "--drw"),
    ("--difficulty easy", "first line"), ("--seed x", "first line"),
])
def test_a_first_line_with_unknown_options_is_refused_and_resume_goes_on(journal, options, named, tmp_path):
    journal.write_text(f"# quadzilla {options}\nD\n")
    game = run(["quadzilla", "--save", journal])
    assert game.returncode == 2 and named in game.stderr.decode() and b"Traceback" not in game.stderr
    sittings = tmp_path / "home" / "patience" / "sittings"
    sittings.mkdir(parents=True)
    (sittings / "1.txt").write_text("# quadzilla --seed 7\nD\n")
    os.utime(sittings / "1.txt", (1, 1))
    (sittings / "2.txt").write_text(journal.read_text())
    resumed = run_process("resume", XDG_CONFIG_HOME=str(tmp_path / "home"))
    assert resumed.returncode == 0 and named in resumed.stderr.decode() and b"2.txt" in resumed.stderr
    assert b"(normal)   Turn 2" in resumed.stdout, "an option that is not named has its default"


@pytest.mark.parametrize("name, text", [
    ("game.txt", "# klondike --seed 8\nSW\n\033[31mred\n"), ("game.txt", "# \033[31mklondike --seed 8\n"),
    ("game.txt", "# klondike --seed 8\nSW\n\033[31mtorn"), ("a\033[31m.txt", "Dear diary\n"),
    ("game.txt", "# klondike --seed 8 --deck \033[31mdeck\n"), ("game.txt", "# klondike --seed 8\nSW\n\033[31m\x9b1m\n"),
])
def test_nothing_raw_from_a_file_reaches_the_terminal(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    game = run(["klondike", "--save", tmp_path / name], "q\nn\n")
    assert b"\\x1b[31m" in game.stderr and b"\033" not in game.stderr + game.stdout
    assert "\x9b" not in game.stderr.decode()


# Other cards


@pytest.mark.parametrize("method", ["flip_card", "is_face_up"])
@pytest.mark.parametrize("name", main.GAMES)
def test_a_cards_module_without_the_newer_methods(name, method, tmp_path):
    project = changed_project(tmp_path / "project", cards=(f"def {method}(", f"def no_{method}("))
    game = run_process(f"{name} --seed 1", "q\nn\n", project)
    assert b"Traceback" not in game.stderr
    if name in ("klondike", "desturado"):
        assert game.returncode == 1 and game.stdout == b"" and game.stderr.count(b"\n") == 1
        assert method.encode() in game.stderr and b"cards.py" in game.stderr
    else:
        assert game.returncode == 0 and game.stdout == run(f"{name} --seed 1", "q\nn\n").stdout


@pytest.mark.parametrize("mistake", [("deck.shuffle()", "deck.shufle()"), ("len(game.stock):3", "len(game.stok):3"),
                                     ("card.flip_card()", "card.flipcard()")])
def test_a_students_mistake_is_told_with_its_line_and_not_blamed_on_the_cards(mistake, tmp_path):
    project = changed_project(tmp_path / "project", klondike=mistake)
    game = run_process("klondike --seed 1", "SW\n", project)
    errors = game.stderr.decode()
    number = (project / "klondike.py").read_text().partition(mistake[1])[0].count("\n") + 1
    assert game.returncode == 1 and f'klondike.py", line {number}, in' in errors and "cards of cards.py" not in errors


def test_without_docstrings_one_line_says_that_they_are_the_rules():
    game = subprocess.run([sys.executable, "-OO", ROOT / "main.py", "klondike"], capture_output=True, text=True)
    assert game.returncode == 1 and game.stdout == "" and game.stderr.count("\n") == 1 and "-OO" in game.stderr


# Options


@pytest.mark.parametrize("arguments", [
    "montana --csv rows.csv", "montana --jobs 2", "odds montana --winnable", "odds montana --save game.txt",
    "odds montana --deck course.deck", "montana --daily --seed 0", "montana --winnable --seed 0",
    "montana --winnable --deck course.deck", "odds montana --jobs 1000000", "solve montana --time nan",
])
def test_options_that_do_not_go_together_are_told_before_anything_is_dealt(arguments, tmp_path):
    refused = run(arguments.replace("course.deck", str(helpers.SCRIPTS / "course.deck")), cwd=tmp_path)
    assert refused.returncode == 2 and refused.stdout == b"" and refused.stderr.count(b"Error") == 1
    assert arguments.split("--")[1].split()[0].encode() in refused.stderr and list(tmp_path.iterdir()) == []


def test_want_of_memory_is_one_line_and_costs_no_deal_that_was_solved(monkeypatch, tmp_path):
    from patience import odds
    from solvers import search

    solve_deal, rows = odds.solve_deal, tmp_path / "rows.csv"

    def fails(name, options, seconds, seed):
        if seed == 2:
            raise MemoryError
        return solve_deal(name, options, seconds, seed)

    monkeypatch.setattr(odds, "solve_deal", fails)
    game = run(["odds", "zodiac", "--deals", "5", "--csv", rows])
    assert game.returncode == 1 and game.stdout.startswith(b"deals 2: ") and rows.read_text().count("\n") == 3
    assert game.stderr.endswith(b"\nError: There is not enough memory.\n") and b"Traceback" not in game.stderr

    def attempt():
        raise MemoryError

    answer = search.decide(lambda limits: [attempt], list, None, None)
    assert (answer.verdict, answer.limit) == ("unknown", " for want of memory")


# Processes


def children(number):
    """Return the numbers of the processes that a process has started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(number)], capture_output=True, text=True)
    return [int(word) for word in listed.stdout.split()]


def are_gone(numbers):
    """Wait until none of the processes is there; return False if that takes too long."""
    end = time.monotonic() + 20
    while any(os.path.exists(f"/proc/{number}") for number in numbers):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs /proc")
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP])
def test_the_workers_of_odds_end_with_it(ending, tmp_path):
    rows = tmp_path / "rows.csv"
    command = [sys.executable, ROOT / "main.py", "odds", "zodiac", "--deals", "100000", "--jobs", "2", "--csv", rows]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as odds:
        while not rows.exists() or rows.read_text().count("\n") < 5:
            time.sleep(0.05)
        workers = children(odds.pid)
        odds.send_signal(ending)
        output, errors = odds.communicate(timeout=helpers.SECONDS)
    assert len(workers) >= 2 and are_gone(workers)
    if ending != signal.SIGKILL:
        assert odds.returncode == 130 and output.startswith(b"deals ") and b"Traceback" not in errors


@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs /proc")
def test_ctrl_c_while_the_workers_are_being_started_is_one_line(tmp_path):
    """To the whole process group, as a terminal does it, as soon as so many of them are there."""
    for count in (1, 2, 3, 4, 5, 6, 7, 8):
        command = [sys.executable, ROOT / "main.py", "odds", "klondike", "--deals", "100000", "--jobs", "8"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as odds:
            while len(open(f"/proc/{odds.pid}/task/{odds.pid}/children").read().split()) < count:
                pass
            os.killpg(odds.pid, signal.SIGINT)
            _, errors = odds.communicate(timeout=helpers.SECONDS)
        assert odds.returncode == 130 and b"Traceback" not in errors and b"Error" not in errors
        with pytest.raises(ProcessLookupError):
            os.killpg(odds.pid, 0)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_sitting_as_ctrl_c_does(ending, journal):
    command = [sys.executable, ROOT / "main.py", "klondike", "--seed", "8", "--save", journal]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as game:
        game.stdin.write(b"SW\n")
        game.stdin.flush()
        while b"Stock: 21" not in game.stdout.readline():
            pass
        game.send_signal(ending)
        _, errors = game.communicate(timeout=helpers.SECONDS)
    assert (game.returncode, errors) == (130, b"Interrupted.\n")
    assert journal.read_text() == "# klondike --seed 8\nSW\n"


# At a terminal


pytest.importorskip("pty", reason="needs a pseudo-terminal")
from pseudo_terminal import Terminal
from test_keeping import QUESTION, WIN, WIN_START, results, type_lines  # noqa: F401


def start(arguments, **environment):
    game = Terminal(arguments, NO_COLOR="1", **environment)
    game.wait_for(PROMPT)
    return game


def test_one_win_counts_once_however_often_it_is_resumed(home):
    game = start(WIN_START)
    type_lines(game, *WIN[:-1])
    game.type(f"{WIN[-1]}\n")
    game.wait_for(QUESTION)
    for _ in range(2):
        game.kill()
        game = Terminal("resume", NO_COLOR="1")
        game.wait_for(QUESTION)
    game.type("n\n")
    game.close()
    row, = results.summary(home, main.GAMES)
    assert (row["played"], row["won"]) == (1, 1)


def test_a_full_disk_is_told_once_and_nothing_else_promised(home):
    resource = pytest.importorskip("resource")
    game = Terminal("klondike --seed 8", NO_COLOR="1",
                    before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (24, 24)))
    game.wait_for(PROMPT)
    type_lines(game, "sw", "sw", "sw")
    game.type("q\n")
    game.wait_for(QUESTION)
    game.type("n\n")
    assert game.close() == 0
    assert game.shown.count("This game is no longer saved: ") == 1 and "\nSaved" not in game.shown


def test_a_game_from_a_deck_file_is_told_with_it():
    game = start("klondike --seed 8 --deck klondike-3-win.deck")
    assert re.search(r"Deal 8: --seed 8 --deck \S*klondike-3-win.deck deals it again.", game.shown)
    game.kill()


def test_ctrl_c_ends_only_the_search(home):
    game = Terminal("montana --seed 2", NO_COLOR="1")
    game.wait_for("dest_col: ")
    game.type("solve\n")
    game.wait_for("Looking under the cards")
    time.sleep(0.5)
    game.type("\x03")
    game.wait_for("The search was stopped.")
    game.wait_for("dest_col: ", times=2)
    game.type("s\n")
    game.wait_for("dest_col: ", times=3)
    game.kill()


def test_the_rules_are_printed_without_a_pager(home):
    game = start("klondike --seed 8", PAGER="false")
    type_lines(game, "rules")
    assert "Klondike, the game" in game.shown and "top of the waste.\r\n" in game.shown
    game.kill()


def test_winnable_says_that_it_is_looking_and_what_it_skipped():
    found = False
    for _ in range(20):
        game = start("zodiac --winnable")
        assert "Looking under the cards" in game.shown
        found = found or re.search(r"Skipped [1-9]\d* deals? that cannot be won\.", game.shown)
        game.kill()
        if found:
            break
    assert found


def test_winnable_gives_up_in_the_end_and_tells_lost_deals_from_those_that_were_not_decided(monkeypatch):
    from patience import solve
    from solvers.search import LOST, UNKNOWN, Answer

    monkeypatch.setattr(solve, "MOST_DEALS", 5)
    verdicts = iter([LOST, UNKNOWN, UNKNOWN, LOST, LOST] * 2)
    monkeypatch.setattr(solve, "solve", lambda *_: Answer(next(verdicts), [], 1))
    for options in ("", "--daily"):
        game = run(f"montana --winnable {options}")
        assert (game.returncode, game.stdout) == (1, b"") and game.stderr.decode() == (
            "Error: No deal was won by the solver: 3 deals that cannot be won and 2 deals that could not be decided.\n")
