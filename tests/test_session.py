"""The sitting: undo and redo, words, cards by name, and the journal."""

import itertools
import os

import pytest

import helpers
from helpers import run, run_process
from patience import lines, rules, words
from patience.saves import Journal
from patience.sitting import Sitting
from test_contract import board, deal

PROMPT = "Enter command (h for help): "


def sitting_of(name, options, seed=5):
    sitting = Sitting(rules.load(name), options, seed)
    sitting.deal()
    return sitting


def test_a_shuffle_that_is_undone_comes_out_the_same_again():
    import montana

    sitting = sitting_of("montana", {})
    sitting.perform(("s",))
    sitting.perform(("s",))
    shuffled = board(montana, sitting.game)
    sitting.undo(2)
    assert sitting.game.shuffles_left == 2
    sitting.perform(("s",))
    sitting.perform(("s",))
    assert board(montana, sitting.game) == shuffled


def test_undo_does_not_disturb_the_later_games_of_a_seeded_sitting():
    plain = run("montana --seed 4", "s\nq\ny\nq\nn\n").stdout
    undone = run("montana --seed 4", "s\ns\nundo\nundo\nredo\nnew\nq\nn\n").stdout
    assert plain.split(b"Montana Solitaire.\n")[2] == undone.split(b"Montana Solitaire.\n")[2]


def test_a_new_command_forgets_what_was_undone():
    sitting = sitting_of("klondike", {"draw": "3"})
    sitting.perform(("SW",))
    sitting.undo()
    sitting.perform(("SW",))
    with pytest.raises(ValueError, match="There is nothing to redo."):
        sitting.redo()
    sitting.undo(7)
    with pytest.raises(ValueError, match="There is nothing to undo."):
        sitting.undo()


def test_what_was_undone_is_forgotten_with_its_deal():
    assert said("klondike --seed 8", "SW", "undo", "new", "redo")[-1] == (
        "Error: invalid move.  There is nothing to redo.\n")


def test_restart_can_be_taken_back_by_redo():
    sitting = sitting_of("klondike", {"draw": "3"})
    sitting.perform(("SW",))
    sitting.perform(("SW",))
    after = board(sitting.rules, sitting.game)
    sitting.restart()
    assert sitting.done == [] and len(sitting.game.stock) == 24
    sitting.redo(2)
    assert board(sitting.rules, sitting.game) == after


# Words


@pytest.mark.parametrize("line, word", [
    ("undo", ("undo", None)), (" UNDO  5 ", ("undo", 5)), ("redo 12", ("redo", 12)),
    ("q", ("quit", None)), ("u", ("undo", None)), ("U 3", ("undo", 3)), ("h", ("help", None)),
    ("n", ("new", None)), ("r", ("restart", None)), ("solve 5", ("solve", 5)),
    ("", (None, None)), ("TT 1 2", (None, None)), ("undoing", (None, None)), ("y", (None, None)),
])
def test_which_lines_are_words(line, word):
    klondike, montana = rules.load("klondike"), rules.load("montana")
    assert words.read(line, klondike, False) == word
    letter = line.split()[:1] in (["u"], ["U"], ["h"], ["n"], ["r"])
    assert words.read(line, montana, False) == ((None, None) if letter else word)


@pytest.mark.parametrize("line", [
    "undo 0", "undo -1", "undo x", "undo 5 5", "hint 2", "undo " + "9" * 5000, "undo ５", "u x",
])
def test_a_word_with_a_number_that_it_does_not_take_is_answered_with_its_line_of_the_help(line):
    klondike, montana = rules.load("klondike"), rules.load("montana")
    name = {"u": "undo"}.get(line.split()[0], line.split()[0])
    with pytest.raises(lines.Refused, match=f"^Error: invalid input.  {name}"):
        words.read(line, klondike, False)
    assert words.read(line, montana, False) == (None, None)


def said(arguments, *lines, prompt=PROMPT):
    """Return what the program says to each of some lines, without the boards' lines."""
    output = run(arguments, "\n".join([*lines, "q", "n", ""])).stdout.decode()
    answers = output.split(prompt)[1:-1]
    assert len(answers) == len(lines)
    return answers


def test_hints_go_through_the_legal_commands_and_begin_again_after_a_command():
    moves, *hints = said("desturado --seed 8", "moves", *["hint"] * 30)
    told = moves.splitlines()
    assert [hint.strip() for hint in hints] == (told * 30)[:30] and len(set(told)) == len(told) > 2
    assert all(" (wins " in line for line in told)
    first, second, _, again = said("desturado --seed 8", "hint", "hint", "x 1", "hint")
    third = said("desturado --seed 8", "hint", "hint", told[0].split(":")[0], "undo", "hint")[-1]
    assert first != second and third == first and again not in (first, second)


def test_a_hint_says_how_many_shuffles_remain_and_when_nothing_is_legal():
    import montana

    last_line = montana.PROMPT.split("\n")[-1]
    stuck = "# montana\n" + "\n".join(stuck_lines())
    lines = stuck.splitlines()[1:]
    answers = said("montana --seed 2", *lines, "hint", "moves", prompt=last_line)
    assert answers[-1].startswith(montana.STUCK + "\n") and answers[-2].startswith(montana.STUCK)
    until_shuffle = lines[: lines.index("s")]
    hint = said("montana --seed 2", *until_shuffle, "hint", prompt=last_line)[-1]
    assert hint.startswith("s: shuffle") and "shuffles left: 2" in hint


def stuck_lines():
    """Return commands that leave nothing legal in Montana's deal 2: hints, shuffles last."""
    import montana

    tableau = deal(montana, {}, 2)
    while legal := montana.legal_moves(tableau):
        yield montana.write(*legal[0])
        montana.perform(tableau, *legal[0])


def test_deal_says_how_to_deal_the_game_again():
    assert said("klondike --draw 1 --seed 8", "deal") == [
        "python main.py klondike --draw 1 --seed 8\n"]
    later = said("klondike --seed 8", "new", "deal")[-1]
    assert "no number" in later and "restart" in later
    number = said("zodiac", "deal")[0].split()[-1]
    games = [run(f"zodiac --seed {number}").stdout, run(f"zodiac --seed {number}").stdout]
    assert games[0] == games[1] and 0 <= int(number) < 10**6
    assert "--deck klondike-3-win.deck" in said("klondike --deck klondike-3-win.deck", "deal")[0]


# Cards by name


@pytest.mark.parametrize("line, command", [
    ("ac", "TF 6"), ("A♣", "TF 6"), ("AC 2d", "TT 6 1"), (" ac  2D ", "TT 6 1"),
])
def test_cards_by_name(line, command):
    assert run("klondike --seed 8", line).stdout == run("klondike --seed 8", command).stdout


def test_one_card_goes_the_best_way():
    sitting = sitting_of("klondike", {"draw": "3"}, 8)
    legal = sitting.rules.legal_moves(sitting.game)
    told = [sitting.rules.describe(sitting.game, *move) for move in legal]
    assert told[:2] == ["A♣ to a foundation", "A♣ onto 2♦"]
    assert sitting.move_of("ac") == ("TF", 6)
    sitting.game.foundations = [[helpers.card("KS")] for _ in range(4)]  # no room for an ace
    assert sitting.move_of("ac") == ("TT", 6, 1)


@pytest.mark.parametrize("arguments, line, answer", [
    ("klondike --seed 8", "4s jh", "4♠ does not go on J♥: a column builds down in alternating colours."),
    ("klondike --seed 8", "2c", "No legal move takes 2♣."),
    ("klondike --seed 8", "kh 9s", "No legal move takes K♥ to 9♠."),
    ("zodiac --seed 21", "7c 4c", "7♣ does not go on 4♣: the Zodiac builds in suit, one rank up or down."),
    ("quadzilla --seed 1 --rank K", "9♣ jh", "9♣ does not go on J♥: only on its suit or its rank."),
])
def test_cards_that_cannot_go_are_refused_by_name_with_the_games_reason(arguments, line, answer):
    assert said(arguments, line) == [f"Error: invalid move.  {answer}\n"]


def test_a_card_with_one_thing_to_say_of_it_is_refused_with_that():
    game = deal(__import__("montana"), {}, 1)
    montana = rules.load("montana")
    pairs = lines.cards_named("9s")
    with pytest.raises(lines.Refused, match="^Error: invalid move.  Please try again.$") as refused:
        lines.named(montana, game, montana.legal_moves(game), pairs)
    assert refused.value.why().startswith("9♠ goes only beside 8♠, into row ")


def test_other_lines_are_not_cards():
    for line in ("9d 10s 8h", "9x", "10", "d", "1h 2h"):
        assert said("klondike --seed 8", line) == ["Error: invalid input.  Please try again.\n"]


# After a game is over


def test_undo_is_offered_when_a_game_is_lost():
    lost = (helpers.SCRIPTS / "klondike-1-lost.in").read_text().splitlines()
    start = lost[0][2:]
    output = run(start, "\n".join([*lost[:-1], "undo", "SW", "undo 99", "q", "undo", "n"])).stdout
    text = output.decode()
    assert text.count("You lost") == 1 and "(y/n/undo)? Undone: WF\n" in text
    assert "Undone: 25 commands\n" in text
    assert text.endswith("(y/n/undo)? Error: invalid move.  There is nothing to undo.\n"
                         "Do you want to play again (y/n/undo)? Thank you for playing.\n")


def test_montana_keeps_its_question_and_takes_undo_there():
    won = (helpers.SCRIPTS / "montana-win.in").read_text().splitlines()
    output = run(won[0][2:], "\n".join([*won[:-1], "undo", won[-2], "u", "n"])).stdout.decode()
    assert output.count("You won!\nDo you want to play again (y/n)?") == 2
    assert "(y/n)?Undone: 4 13 4 12\n" in output
    assert "(y/n)?Error: invalid input.  Please try again.\n" in output, "u is not a word in Montana"


# The journal


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "game.txt"


def test_the_journal_is_the_lines_that_were_accepted(journal):
    lines = ["tt 9 9", "# comment", "SW", "help", "  sw ", "undo", "redo", "hint", "ac 2d", "x", ""]
    run(["klondike", "--seed", "8", "--save", journal], "\n".join(lines))
    assert journal.read_text() == (
        "# klondike --seed 8\nSW\nsw\nundo\nredo\nac 2d\n")


def test_the_journal_of_a_seeded_sitting_holds_all_its_games(journal):
    script = "SW\nnew\nSW\nq\ny\nundo\nSW\n"
    whole = run("klondike --seed 8", script).stdout
    run(["klondike", "--seed", "8", "--save", journal], script)
    assert journal.read_text().splitlines()[1:] == ["SW", "new", "SW", "new", "SW"]
    again = run(["klondike", "--seed", "8", "--save", journal], "").stdout
    assert again.endswith(whole[whole.rindex(b"Stock: 21"):])


def test_a_lost_game_and_the_next_one_in_the_journal(journal):
    lost = (helpers.SCRIPTS / "klondike-1-lost.in").read_text().splitlines()
    start = lost[0][2:].split()
    run([*start, "--save", journal], "\n".join([*lost[:-1], "y", "SW"]))
    assert journal.read_text().splitlines()[-2:] == ["y", "SW"]
    assert run(start, journal.read_bytes()).stdout.count(b"You lost") == 1
    again = run([*start, "--save", journal], "").stdout
    assert again.startswith(b"Klondike Solitaire.\nFoundations") and b"Stock: 23" in again


def test_without_a_seed_a_new_game_begins_the_journal_afresh(journal):
    run(["zodiac", "--save", journal], "D\nnew\nD\nD\n")
    header, *lines = journal.read_text().splitlines()
    assert lines == ["D", "D"] and header.startswith("# zodiac --seed ")
    number = header.split()[-1]
    assert journal.read_text() == f"{header}\nD\nD\n"
    run(["zodiac", "--save", journal], "new\n")
    assert journal.read_text().split()[-1] != number and journal.read_text().count("\n") == 1


def test_the_first_line_has_the_options_in_their_own_order(journal):
    run("quadzilla --seed 1 --rank K --difficulty hard --save".split() + [journal])
    assert journal.read_text() == "# quadzilla --difficulty hard --rank K --seed 1\n"


def test_a_deck_file_is_in_the_journal(journal):
    start = ["klondike", "--draw", "1", "--deck", "klondike-1-win.deck"]
    win = (helpers.SCRIPTS / "klondike-1-win.in").read_text().splitlines()[1:]
    run([*start, "--save", journal], "\n".join(win[:40]))
    assert journal.read_text().partition("\n")[0].endswith(f" --deck {helpers.SCRIPTS / 'klondike-1-win.deck'}")
    again = run(["klondike", "--save", journal], "\n".join(win[40:]), cwd=journal.parent)
    assert b"You won!" in again.stdout, "from any folder, and without its options"
    other = run([*start[:-1], "klondike-3-win.deck", "--save", journal])
    assert other.returncode == 0, "the same cards in another file"


def test_a_first_line_without_its_newline_loses_nothing(journal):
    journal.write_text("# klondike --seed 8")
    for lines in ("", "SW\n", "SW\n"):
        game = run(["klondike", "--save", journal], lines)
        assert (game.returncode, game.stderr) == (0, b"")
    assert journal.read_text() == "# klondike --seed 8\nSW\nSW\n" and b"Stock: 18" in game.stdout


def test_an_option_that_is_not_typed_is_taken_from_the_file(journal, monkeypatch):
    journal.write_text("# klondike --draw 1 --passes 3 --seed 8\nSW\n")
    monkeypatch.setenv("PATIENCE_KLONDIKE_PASSES", "1")
    for typed in ([], ["--draw", "1"]):
        assert b"Stock: 23 (draw 1, passes left: 2)" in run(["klondike", *typed, "--save", journal]).stdout
    journal.write_text("# klondike --seed 8\n")
    assert b"(draw 3)" in run(["klondike", "--save", journal]).stdout, "an option left out has its default"


@pytest.mark.parametrize("lines, then", [
    (["SW", "q", "n"], "Stock: 21"), (["SW", "q"], "Stock: 21"), (["SW", "q", "n", "SW"], "Stock: 18"),
    (["SW", "q", "SW"], "Stock: 18"), (["SW", "q", "y"], "Stock: 24"), (["moves", "stats", "help", "SW"], "Stock: 21"),
])
def test_a_script_can_be_gone_on_with_though_it_quits_or_only_looks(journal, lines, then):
    journal.write_text("\n".join(["# klondike --seed 8", *lines, ""]))
    for more, shown in (("SW\n", then), ("undo\n", "Stock:")):
        game = run(["klondike", "--save", journal], more)
        assert (game.returncode, game.stderr) == (0, b"")
        assert shown in game.stdout.decode().split(PROMPT)[0]
    assert journal.read_text().splitlines()[1:] == [*lines, "SW", "undo"]


@pytest.mark.parametrize("torn", ["TT", "SW", "undo", "♥"])
def test_a_last_line_that_was_cut_off_is_dropped_with_a_notice(journal, torn):
    journal.write_text(f"# klondike --draw 3 --seed 8\nA♣\nSW\n{torn}", encoding="utf-8")
    game = run(["klondike", "--save", journal], "SW\n")
    assert game.returncode == 0 and b"Stock: 21" in game.stdout
    assert torn in game.stderr.decode() and game.stderr.count(b"\n") == 1
    assert journal.read_text(encoding="utf-8") == "# klondike --draw 3 --seed 8\nA♣\nSW\nSW\n"


@pytest.mark.parametrize("content, arguments, named", [
    ("# zodiac --seed 8\n", "klondike", "zodiac"),
    ("# klondike --draw 1 --seed 8\n", "klondike --draw 3", "--draw 1"),
    ("# klondike --seed 8\nSW\n", "klondike --draw 1", "--draw 3"),
    ("# klondike --draw 3 --seed 8\n", "klondike --seed 9", "--seed 8"),
    ("# klondike --draw 3 --seed 8\n", "klondike --deck klondike-3-win.deck", "deck"),
    ("# klondike --seed 8 --deck klondike-1-win.deck\n", "klondike --deck klondike-one-pass.deck", "deck"),
    ("# klondike --seed 8 --deck no-such.deck\n", "klondike", "no-such.deck"),
    ("# klondike --draw 3 --seed 8\nSW\nWT 1\n", "klondike", "line 3"),
    ("# klondike --draw 3 --seed 8\nhello\n", "klondike", "line 2"),
    ("# klondike --draw 3\n", "klondike", "not a saved game"),
    ("# klondike --draw 3 --seed x\n", "klondike", "not a saved game"),
    ("# klondike --draw\n", "klondike", "not a saved game"),
    ("Dear diary,\nall is well.\n", "klondike", "not a saved game"),
    ("# klon", "klondike", "not a saved game"),
    ("\n", "klondike", "not a saved game"),
    ("# klondike 'x\n", "klondike", "not a saved game"),
    (b"\xff\xfe\x00\n", "klondike", "not a saved game"),
])
def test_a_foreign_file_is_a_usage_error_and_stays_as_it_was(journal, content, arguments, named):
    content = content if isinstance(content, bytes) else content.encode()
    journal.write_bytes(content)
    game = run([*arguments.split(), "--save", journal], "SW\n")
    assert game.returncode == 2 and game.stdout == b""
    assert game.stderr.count(b"Error") == 1 and named in game.stderr.decode()
    assert journal.read_bytes() == content


def test_a_journal_that_cannot_be_written_is_a_usage_error(tmp_path):
    for name in (tmp_path, tmp_path / "no-such-folder" / "game.txt", "-"):
        game = run(["klondike", "--save", str(name)])
        assert game.returncode == 2 and game.stdout == b"" and game.stderr.count(b"Error") == 1


def test_a_device_is_no_journal():
    game = run(["klondike", "--save", os.devnull])
    assert game.returncode == 2 and game.stdout == b""


def test_a_full_disk_costs_the_journal_but_not_the_game(journal):
    resource = pytest.importorskip("resource")
    import subprocess
    import sys

    game = subprocess.run(
        [sys.executable, helpers.ROOT / "main.py", "klondike", "--seed", "8", "--save", journal],
        input=b"SW\n" * 100, capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (120, 120)),
    )
    assert game.returncode == 0 and game.stdout == run("klondike --seed 8", "SW\n" * 100).stdout
    assert game.stderr.startswith(b"This game is no longer saved: ") and game.stderr.count(b"\n") == 1
    assert journal.stat().st_size == 120


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_journal_is_a_usage_error_and_stays_as_it_was(journal):
    content = "# klondike --draw 3 --seed 8\nSW\n"
    journal.write_text(content)
    journal.chmod(0o444)
    game = run(["klondike", "--save", journal], "SW\n")
    assert game.returncode == 2 and journal.read_text() == content


def test_two_programs_do_not_keep_a_game_in_one_file(journal):
    pytest.importorskip("fcntl")
    first = Journal(journal)
    game = run(["klondike", "--save", journal])
    assert game.returncode == 2 and b"in use" in game.stderr
    first.file.close()


def test_every_line_is_in_the_file_before_the_next_is_read(journal):
    import subprocess
    import sys

    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    command = [sys.executable, helpers.ROOT / "main.py", "klondike", "--seed", "8", "--save", journal]
    with subprocess.Popen(command, **pipes) as game:
        for count in range(1, 4):
            said = b""
            while not said.endswith(PROMPT.encode()):
                said += os.read(game.stdout.fileno(), 65536)
            assert journal.read_text().count("SW") == count - 1
            game.stdin.write(b"SW\n")
            game.stdin.flush()
        game.kill()


# Other options


def test_daily_is_todays_number():
    import time

    before, game, after = time.strftime("%Y%m%d"), run("klondike --daily"), time.strftime("%Y%m%d")
    assert game.stdout in [run(f"klondike --seed {day}").stdout for day in (before, after)]
    for other in ("--seed 1", "--deck klondike-3-win.deck"):
        refused = run(f"klondike --daily {other}")
        assert refused.returncode == 2 and b"--daily" in refused.stderr and refused.stdout == b""


def test_names_complete_in_the_shell():
    def completed(words):
        words = ["main.py", *words]
        environment = {"_MAIN_PY_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words),
                       "COMP_CWORD": str(len(words) - 1)}
        return run_process("", **environment).stdout.decode().split()

    assert completed(["kl"]) == ["plain,klondike"]
    assert "plain,--draw" in completed(["klondike", "--d"])
    assert completed(["klondike", "--draw", "3"]) == ["plain,3"]
    assert {"plain,resume", "plain,stats"} <= set(completed(["resume"]) + completed(["stats"]))


def test_scripts_leave_no_trace_on_the_disk(tmp_path):
    run("klondike --seed 8", "SW\nq\nn\n")
    assert not (tmp_path / "home").exists()
    assert list(itertools.islice(tmp_path.iterdir(), 1)) == []
