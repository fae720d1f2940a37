"""The console of a player who cannot see the board."""

import re
from types import SimpleNamespace

import pytest

import main
from helpers import ROOT, SCRIPTS, pile, run
from patience.consoles.spoken import put_in_words
from patience import effects

SYMBOLS = re.compile("[♣♦♥♠·—%]|XX|(?<= )--(?= )|  ")


def speak(arguments, *lines):
    """Return what is said after each line, and at the beginning."""
    output = run([*arguments.split(), "--spoken"], "\n".join([*lines, "q", "n", ""])).stdout.decode()
    return output.split("Command: ")


@pytest.mark.parametrize("text, words", [
    ("9♦ onto 10♠ — 62 %, turns up a card", "9 diamonds onto 10 spades, 62 percent, turns up a card"),
    ("20  M 1 3  7♥ onto Q♥   about 74 % -> about 68 %", "20, M 1 3, 7 hearts onto queen hearts, about 74 percent to about 68 percent"),
    ("Error: invalid move.  A♣ lies face down.", "ace clubs lies face down."),
])  # fmt: skip
def test_signs_are_said_in_words(text, words):
    assert put_in_words(text) == words


def test_only_what_changed_is_said():
    first, *answers = speak(
        "klondike --seed 8", "ac", "d", "undo", "look c5", "look waste", "where 2d", "where ks", "xx"
    )
    assert first.splitlines() == [
        "Klondike Solitaire.", "Deal 8.", "rules and help say more.", "Stock: 24 cards.",
        "Columns: 2 diamonds, 6 clubs, 2 clubs, jack hearts, 4 spades, ace clubs, 5 spades.",
        "Empty: waste; foundations.", "0 of 52 up."]  # fmt: skip
    assert answers[:8] == [
        "ace clubs to a foundation.\nTurned up: 8 clubs, column 6.\n",
        "Waste: 4 diamonds, 2 spades, 10 hearts.\n",
        "Undone: turn 3 cards\nWaste: empty.\n",
        "Column 5: 4 face down, then 4 spades.\n",
        "Waste: empty.\n",
        "2 diamonds: column 1.\n",
        "king spades has not been seen.\n",
        "xx: not understood. Type help, or a card: ac 2d.\n",
    ]


def test_undo_says_what_is_back_where_and_a_shuffle_what_can_be_played_now():
    _, *answers = speak("montana --seed 8", "8h", "undo", "s", "look row 1", "where 2d")
    assert answers[:3] == [
        "8 hearts to row 1, place 12.\nRow 3, place 13: jack clubs.\n",
        "Undone: 8 hearts beside 7 hearts\n8 hearts to row 3, place 13.\nRow 1, place 12: 8 hearts.\n",
        "45 cards moved.\nRow 1, place 2: 3 diamonds.\nRow 2, place 2: 3 clubs.\n"
        "Row 3, place 1: 2 spades or 3 others.\n"
        "Row 4, place 1: 2 spades or 3 others.\n1 shuffle left.\n",
    ]
    assert (
        re.fullmatch(r"Row 1: 2 diamonds, .*blank.*\.\n", answers[3]) and answers[4] == "2 diamonds: row 1, place 1.\n"
    )


@pytest.mark.parametrize("name", main.GAMES)
def test_a_won_game_has_no_sign_for_the_eye_and_no_blank_line(name):
    path = next(path for path in sorted(SCRIPTS.glob(f"{name}*win.in")))
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    words = [*first[2:].split(), "--spoken"]
    output = run(words, "\n".join([*lines, "help", "moves", "hint", "look", "stats", "q", "n", ""])).stdout.decode()
    assert "You won!" in output and "\n\n" not in output
    assert not SYMBOLS.search(output), SYMBOLS.search(output)


def test_a_card_that_lies_face_down_is_not_read_though_a_game_has_no_hidden_yet():
    rules = SimpleNamespace(hidden=lambda game: [], blanks=lambda game: [])
    assert effects.pile_sentence(rules, None, "column 2", pile("XX 2C 8H"), None) == "Column 2: 1 face down, then 8♥."


def test_help_is_short_and_goes_on():
    _, *answers = speak("klondike --seed 8", "help", *(f"help {page}" for page in range(2, 10)))
    assert all(answer.count("\n") <= 5 for answer in answers) and answers[0].endswith("help 2 continues.\n")
    assert answers[0].startswith("ac, d: move, draw\n"), "what is typed most comes first"
    assert ", d: move, end the turn\n" in speak("quadzilla --seed 8", "help")[1]
    assert "undo [n], u: take back" in "".join(answers) and answers[8] == "That was all.\n"


def test_scripts_and_terminals_can_look_too():
    shown = run("klondike --seed 8", "look c5\nwhere 2d\nlook x\nq\nn\n").stdout.decode()
    assert "Column 5: 4 face down, then 4♠.\n" in shown and "2♦: column 1.\n" in shown
    assert "Error: invalid input.  look at: stock, waste, foundation, column.\n" in shown


def test_the_document_is_a_game_as_it_sounds():
    text = (ROOT / "docs" / "spoken.md").read_text(encoding="utf-8")
    sounds = re.search(r"```text\n(Command: .*?)```", text, re.S)[1]
    lines = re.findall(r"^Command: (.*)$", sounds, re.M)
    output = run(["klondike", "--draw", "1", "--seed", "8", "--spoken"], "\n".join([*lines, ""])).stdout.decode()
    typed = iter(lines)
    heard = re.sub("Command: ", lambda _: f"Command: {next(typed, '')}\n", output)
    assert sounds.rstrip("\n") in heard


def test_enter_deals_a_new_game_once_one_is_over():
    lost = "d;" * 12 + "d"
    output = run(["quadzilla", "--seed", "8", "--spoken"], f"{lost}\n\nq\nq\n").stdout.decode()
    assert output.count("Quadzilla Solitaire.") == 2


def test_all_cards_that_were_played_and_turned_up_are_told():
    _, *answers = speak("klondike --seed 8", "a", "undo", "queen of hearts", "where ace of clubs")
    assert (
        answers[0]
        == "ace clubs, 2 clubs to foundation 1.\n2 cards to the foundations.\nTurned up: 10 spades, column 3; 8 clubs, column 6.\n2 of 52 up.\n"
    )
    assert answers[2] == "queen hearts has not been seen yet.\n" and answers[3] == "ace clubs: column 6.\n"


def test_a_turn_says_what_was_dealt_and_cleared_what_is_empty_and_how_it_stands():
    script = (SCRIPTS / "quadzilla-normal-win.in").read_text().splitlines()[1:12]
    _, *answers = speak("quadzilla --rank K --deck quadzilla-win.deck --seed 1", *script, "undo 3", "board")
    assert answers[0] == "4 clubs onto 8 clubs.\nColumn 1 is empty.\n2 moves left.\n"
    assert answers[2] == (
        "8 clubs and 1 more to column 2.\nTurn 1 ends: the moves are used up.\n"
        "Dealt: 4 diamonds, 10 clubs, 7 diamonds, 3 spades.\nturn 2 of 13, 3 moves left.\n"
    )
    assert answers[5].splitlines() == [
        "Cleared from column 2: 8 clubs, 4 clubs, 10 clubs, 3 clubs. One more move.",
        "king spades to column 1; 8 spades to column 3; 10 hearts to column 4.",
        "Column 2 is empty.",
        "turn 3 of 13, 4 moves left.",
    ]
    assert "Shoe: 40 cards.\nColumns: " in answers[11] and answers[12].startswith("Shoe: 40 cards.\nColumn 1: ")


@pytest.mark.parametrize("line, said", [
    ("tops", "Columns: 2 diamonds, 6 clubs, 2 clubs, jack hearts, 4 spades, ace clubs, 5 spades.\n"),
    ("status", "Deal 8, 0 moves, 0 of 52 up.\n"), ("time", "Deal 8, 0 moves"), ("c5", "Column 5: 4 face down, then"),
    ("waste", "Waste: empty.\n"), ("what can I do?", "1, ace clubs to a foundation"), ("again", "Klondike Solitaire.\nDeal 8.\n"),
    ("restart", "Dealt again.\nStock: 24 cards.\nColumns: 2 diamonds"),
])  # fmt: skip
def test_the_words_of_a_listener(line, said):
    assert said in speak("klondike --seed 8", line)[1]


def test_a_blank_is_told_with_the_card_it_takes():
    assert "Row 2, place 8: 10 spades.\n" in speak("montana --seed 8", "blanks")[1]


def test_a_brief_one_gives_no_reason_and_what_everybody_knows_is_said_once(monkeypatch):
    _, first, second, *_ = speak("klondike --seed 8", "hint", "hint")
    assert "turns up a card" in first and first.endswith("Enter plays it.\n") and "Enter plays it" not in second
    monkeypatch.setenv("PATIENCE_SPOKEN", "brief")
    assert speak("klondike --seed 8", "hint")[1].startswith("ace clubs to a foundation\n")


@pytest.mark.parametrize("name", main.GAMES)
def test_rules_are_read_by_paragraphs_without_how_the_board_looks(name):
    told = speak(f"{name} --seed 8", "rules")[1]
    assert told.splitlines()[0].startswith("In short: ") and all(line.endswith(".") for line in told.splitlines())
    assert "The board: " not in told and "[" not in told


def test_lists_and_results_have_no_columns_by_ear(monkeypatch, tmp_path):
    monkeypatch.setenv("PATIENCE_SPOKEN", "1")
    assert run("stats daily").stdout.decode().startswith("Won on: no day yet.\nStreak: 0 days")
    assert run("stats").stdout.decode() == "No game has been finished yet.\n"
    (tmp_path / "game.txt").write_text("# quadzilla --seed 4\nD\nD\nD\n")
    told = run(["review", tmp_path / "game.txt"]).stdout.decode()
    assert " percent to " in told and not SYMBOLS.search(told)


@pytest.mark.parametrize("arguments", ["--help", "odds zodiac --help", "grade --help", "odds zodiac --deals 2"])
def test_no_command_has_columns_for_a_listener(arguments, monkeypatch):
    monkeypatch.setenv("PATIENCE_SPOKEN", "brief")
    done = run(arguments)
    lines = [line.strip() for line in (done.stdout + done.stderr).decode().splitlines()]
    assert done.returncode == 0 and not [line for line in lines if re.search(r"\S   |\[#", line)]


def test_a_shuffle_taken_back_says_how_the_blanks_are_then():
    _, _, undone, *_ = speak("montana --seed 8", "s", "undo")
    assert undone.startswith("Undone: shuffle the cards") and undone.endswith("\n2 shuffles left.\n")


def test_a_card_that_goes_back_onto_one_that_lies_face_down_goes_to_its_column():
    _, *answers = speak("desturado --seed 4", "4s 4d", "undo")
    assert answers[1] == "Undone: 4 spades onto 4 diamonds in the hand\n4 spades to column 5.\n"


def test_a_blank_whose_card_has_changed_is_told_too():
    lines = "9s 6s 7s 10s kd qs 3s 3h 5c 4s 6c 4c 8d 9c".split()
    assert (
        speak("montana --seed 3", *lines)[len(lines)]
        == "9 clubs to row 2, place 10.\nRow 1, place 4: 10 hearts.\nRow 2, place 11: 10 clubs.\n"
    )


def test_what_is_known_after_many_draws_and_after_a_clear():
    _, drawn, through, *_ = speak("klondike --seed 8", "d 3", "d 99")
    assert drawn == "9 cards to the waste. Waste: 7 diamonds, 5 hearts, 8 diamonds, on 6 others.\n"
    assert "Waste: " in through, "also if the waste is as before"
    cleared = [answer for answer in speak("quadzilla --seed 5", *["hint", ""] * 9) if "Cleared" in answer]
    assert cleared[0].startswith("queen spades onto 9 spades (2 cards).\nCleared from column 4: 6 spades, 9 spades, ")


def test_of_twins_it_is_said_where_they_lie():
    _, *answers = speak("zodiac --seed 8", "moves", "1")
    assert answers[1].startswith("queen spades from Equator cell 2 onto king spades.\n")
