"""The program from outside: options, deck files, and input and output that go wrong."""

import os
import random
import signal
import subprocess
import sys

import pytest

import helpers
import main
from patience import rules
from patience.sitting import Sitting
from helpers import ROOT, run, run_process

COURSE = "montana --seed 100 --deck course.deck"
MOVES = (helpers.SCRIPTS / "montana-course1.in").read_bytes()
BOARDS = (helpers.SCRIPTS / "montana-course1.out").read_bytes()
END = b"Do you want to play again (y/n)?Thank you for playing.\n"
PROMPT = b" (q)uit, (s)huffle, or space-separated: source_row,source_col,dest_row,dest_col: "


def test_without_a_command_the_games_are_listed():
    listing = run("")
    assert listing.returncode == 0
    lines = listing.stdout.decode().splitlines()
    for name, line in main.GAMES.items():
        assert any(text.split() == [name, *line.split()] for text in lines), f"{name}: one line"


def test_the_list_of_games_imports_none_of_them():
    code = "import sys, main; main.main([], standalone_mode=False); sys.exit(' '.join(sys.modules))"
    listing = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True)
    modules = listing.stderr.decode().split()
    assert "main" in modules and not set(main.GAMES) & set(modules)


def test_garbage_is_collected_once_it_has_started():
    shown = subprocess.run([sys.executable, "-c", "import gc, main; print(gc.isenabled())"], cwd=ROOT,
                           capture_output=True)
    assert shown.stdout.split() == [b"True"]


@pytest.mark.parametrize("name", main.GAMES)
def test_help_shows_the_rules(name):
    rules = run([name, "--help"])
    assert rules.returncode == 0
    text = rules.stdout.decode()
    game = __import__(name)
    for line in game.__doc__.splitlines():
        assert line in text
    assert "--seed" in text and "--deck" in text


def test_an_unknown_game_is_a_usage_error():
    chess = run("chess")
    assert chess.returncode == 2 and b"chess" in chess.stderr and chess.stdout == b""


@pytest.mark.parametrize("seed", ["0", "7", "-7", "123456789012345678901234567890"])
def test_the_same_seed_gives_the_same_games(seed):
    script = b"q\ny\ns\nq\nn\n"
    first, second = (run(["montana", "--seed", seed], script) for _ in range(2))
    assert first.returncode == 0 and first.stdout == second.stdout
    assert first.stdout.count(b"Montana Solitaire.") == 2
    assert first.stdout != run("montana --seed 8", script).stdout


def test_a_seed_seeds_once_for_the_whole_sitting():
    import montana

    random.seed(42)
    boards = [montana.initialize() for _ in range(3)]
    for tableau in boards:
        for row in tableau:
            row[:] = [str(card) for card in row if card.rank() != 1]
    games = run("montana --seed 42", b"q\ny\nq\ny\n").stdout.decode().split("Montana Solitaire.\n")
    for tableau, game in zip(boards, games[1:], strict=True):
        shown = [line.split()[1:] for line in game.splitlines()[1:5]]
        assert shown == tableau


def test_without_a_seed_every_game_is_another():
    games = run("montana", b"q\ny\nq\ny\n").stdout.split(b"Montana Solitaire.\n")[1:]
    assert len({game[:300] for game in games}) == 3


def test_a_seed_must_be_a_number():
    assert run("montana --seed abc").returncode == 2


# Deck files


@pytest.fixture
def deck(tmp_path):
    """A function that writes a deck file and plays Montana with it; returns the run."""
    def play(text, script=b"q\ny\nq\nn\n"):
        path = tmp_path / "test.deck"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return run(["montana", "--seed", "1", "--deck", str(path)], script)
    return play


COURSE_DECK = (helpers.SCRIPTS / "course.deck").read_text()


def test_a_deck_file_is_dealt_in_its_order_every_game(deck):
    games = deck(COURSE_DECK).stdout.split(b"Montana Solitaire.\n")[1:]
    assert len(games) == 2 and all(game.startswith(BOARDS[19:400]) for game in games)


def test_a_deck_file_may_be_written_in_many_ways(deck):
    symbols = COURSE_DECK.lower().translate(str.maketrans("cdhs", "♣♦♥♠"))
    lines = "\ufeff# the course's deck\r\n" + symbols.replace(" ", "\t\r\n") + "# the end 2C"
    assert deck(lines).stdout == deck(COURSE_DECK).stdout


@pytest.mark.parametrize("change, named", [
    (("10H", "1OH"), ["no card: '1OH'", "missing: 10H"]),
    (("10H", ""), ["missing: 10H"]),
    (("10H", "9H"), ["too often: 9H", "missing: 10H"]),
    (("10H", "10H 10H KS"), ["too often:", "10H", "KS"]),
    (("10H", "10H H 10 X9"), ["no card: 'H' '10' 'X9'"]),
    (("10H", "10H a\0b"), ["no card: 'a\\x00b'"]),
    (("10H", "10H" + "9" * 5000), ["no card: '10H99999999999999999'"]),
], ids="typing-error missing twice several words NUL long".split())
def test_a_faulty_deck_file_is_one_usage_error_that_names_the_fault(deck, change, named):
    game = deck(COURSE_DECK.replace(*change))
    assert game.returncode == 2 and game.stdout == b""
    message = game.stderr.decode()
    assert message.count("Error") == 1
    for text in named:
        assert text in message


@pytest.mark.parametrize("text", [b"", b"\xff\xfe\x00", b"# comment"], ids=["", "bytes", "comment"])
def test_a_file_that_is_no_deck(deck, text):
    game = deck(text)
    assert game.returncode == 2 and b"missing: AC 2C 3C" in game.stderr


@pytest.mark.parametrize("name", ["no-such.deck", ".", "-"])
def test_a_deck_file_that_cannot_be_read(name):
    game = run(["montana", "--deck", name], COURSE_DECK)
    assert game.returncode == 2 and game.stdout == b"" and game.stderr.count(b"Error") == 1


@pytest.mark.parametrize("name", ["/dev/zero", "fifo", "large"])
def test_a_deck_file_that_would_be_read_for_ever(name, tmp_path):
    if name == "fifo":
        os.mkfifo(tmp_path / name)
    elif name == "large":
        (tmp_path / name).write_text("10H " * 10**6)
    elif not os.path.exists(name):
        pytest.skip("needs /dev/zero")
    game = run(["montana", "--deck", tmp_path / name])
    assert game.returncode == 2 and game.stdout == b"" and game.stderr.count(b"Error") == 1


# Another cards.py


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_course_sessions_with_another_cards_module(tmp_path, number):
    """A stacked deck in cards.py gives what --deck gives; padded ranks change nothing."""
    project = helpers.copy_project(tmp_path, ROOT / "tests" / "other_cards.py")
    script = (helpers.SCRIPTS / f"montana-course{number}.in").read_bytes()
    expected = (helpers.SCRIPTS / f"montana-course{number}.out").read_text(encoding="utf-8")
    game = run_process("montana --seed 100", script, project)
    assert game.stdout.decode() == expected.translate(str.maketrans("♣♦♥♠", "cdhs"))


# Words and lines


def test_comments_get_no_second_prompt():
    game = run(COURSE, b"# one\n" + MOVES.replace(b"\n", b"\n# more\n") + b"# end")
    assert game.stdout == BOARDS


def test_words():
    import montana

    game = run(COURSE, b"help\nRules\n  QUIT \nn\n").stdout.decode()
    assert montana.COMMANDS in game and "quit" in game
    assert montana.__doc__.strip() in game
    assert game.endswith(END.decode())


@pytest.mark.parametrize("line", ["h", "u", "n", "r", "help me", "q q"])
def test_other_lines_are_montanas(line):
    game = run(COURSE, line + "\nq\nn\n").stdout.decode()
    assert game.count("Error: invalid input.  Please try again.\n") == 1


def test_the_question_is_asked_until_it_is_answered():
    game = run(COURSE, b"q\nx\n\nhelp\n Y \nq\nN\n").stdout
    assert game.count(b"(y/n)?Error: invalid input.  Please try again.\n") == 3
    assert game.count(b"Montana Solitaire.\n") == 2 and game.endswith(END)


@pytest.mark.parametrize("script", [b"", b"q\n", b"q", b"q\nx", b"4 13 1 10", b"# only\n# comments"])
def test_the_end_of_input_is_a_quiet_quit(script):
    game = run(COURSE, script)
    assert (game.returncode, game.stderr) == (0, b"")
    assert game.stdout.endswith(b"Thank you for playing.\n")
    assert game.stdout.count(b"4:  2") == (2 if b"13" in script else 1), "boards"


def test_the_last_line_needs_no_newline_and_crlf_is_a_newline():
    assert run(COURSE, MOVES.rstrip(b"\n")).stdout == BOARDS
    assert run(COURSE, MOVES.replace(b"\n", b"\r\n")).stdout == BOARDS


STRANGE = {
    "not UTF-8": b"\xff\xfe",
    "NUL": b"\0",
    "a NUL at the end": b"4 13 1 10\0",
    "a million letters": b"x" * 10**6,
    "a million digits": b"1" * 10**6,
    "a million numbers": b"1 " * 10**6,
    "a symbol": " ♥".encode(),
    "an arrow key": b"\x1b[A",
}


@pytest.mark.parametrize("line", STRANGE.values(), ids=STRANGE)
def test_strange_lines_are_invalid_input(line):
    game = run(COURSE, line + b"\n" + MOVES)
    error = PROMPT + b"Error: invalid input.  Please try again.\nEnter choice:\n"
    assert game.stdout == BOARDS.replace(PROMPT, error + PROMPT, 1)
    assert (game.returncode, game.stderr) == (0, b"")


def test_ten_thousand_lines():
    game = run("montana --seed 1", b"1 1 1 1\n" * 10_000 + b"q\nn\n")
    assert game.stdout.count(PROMPT) == 10_001 and game.stdout.endswith(END)


def test_no_standard_input_or_output():
    command = f"{sys.executable} {ROOT / 'main.py'} montana"
    closed = subprocess.run(f"{command} <&-", shell=True, capture_output=True)
    assert (closed.returncode, closed.stderr) == (0, b"") and closed.stdout.endswith(END)
    closed = subprocess.run(f"{command} >&-", shell=True, stderr=subprocess.PIPE, input=b"q\nn\n")
    assert (closed.returncode, closed.stderr) == (0, b"")


# Output


@pytest.mark.parametrize("environment", [
    {"LC_ALL": "C", "LANG": "C"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "cp1252:strict"},
    {"PYTHONUNBUFFERED": "1"},
    {"TERM": "dumb", "COLUMNS": "20", "FORCE_COLOR": "1"},
])
def test_piped_output_is_the_same_everywhere(environment):
    game = run_process(COURSE, MOVES, **environment)
    assert (game.stdout, game.stderr) == (BOARDS, b"")


def test_piped_output_has_no_escape_sequence_and_no_deal_number():
    output = run("montana --seed 77", MOVES).stdout
    assert b"\x1b" not in output and b"77" not in output


def popen(arguments, **options):
    """Start the program with pipes for its input, output and errors."""
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    return subprocess.Popen([sys.executable, ROOT / "main.py", *arguments.split()], **pipes)


def test_another_program_may_talk_to_it_line_by_line():
    """Everything said is there before the program waits for the next line."""
    with popen("montana --seed 1") as game:
        said = b""
        for command in (b"1 1 1 1\n", b"s\n", b"q\n"):
            while not said.endswith(PROMPT):
                said += os.read(game.stdout.fileno(), 4096)
            said = b""
            game.stdin.write(command)
            game.stdin.flush()
        assert game.communicate(b"n\n")[0] == END


def test_a_closed_pipe_ends_it_quietly():
    with popen("montana --seed 1") as game:
        game.stdout.readline()
        game.stdout.close()
        with game.stdin as script:
            script.write(b"1 1 1 1\n" * 10_000)
        assert game.stderr.read() == b"" and game.wait(helpers.SECONDS) == 1


def test_ctrl_c_is_one_line_and_status_130():
    with popen("montana --seed 1") as game:
        game.stdout.readline()
        game.send_signal(signal.SIGINT)
        output, errors = game.communicate(timeout=helpers.SECONDS)
        assert (game.returncode, errors) == (130, b"Interrupted.\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", ["montana", "--help", "--version", "stats", "klondike --help"])
def test_a_full_disk_is_one_line(arguments):
    with open("/dev/full", "wb") as full:
        game = subprocess.run([sys.executable, ROOT / "main.py", *arguments.split()], stdout=full,
                              input=b"1 1 1 1\n" * 10_000, stderr=subprocess.PIPE)
    assert game.returncode == 1
    assert game.stderr.decode() == "Error: No space left on device\n"


def test_a_question_without_standard_input_is_answered_by_its_end():
    asked = subprocess.run(f"{sys.executable} {ROOT / 'main.py'} stats --reset <&-", shell=True, capture_output=True)
    assert asked.returncode == 1 and asked.stderr == b"Aborted!\n"


def test_fresh_deal_numbers_have_at_most_six_digits(monkeypatch):
    monkeypatch.setattr(random.SystemRandom, "randrange", lambda self, stop: stop - 1)
    sitting = Sitting(rules.load("montana"), {})
    sitting.deal()
    assert sitting.number == 999_999
    fresh = sitting.game
    random.seed(999_999)
    assert sitting.rules.initialize() == fresh
