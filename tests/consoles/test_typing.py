"""A line that is being typed, without a terminal."""

import os
import random

import pytest

from patience.consoles import keys, reading
from patience.consoles.keys import Event
from patience.consoles.reading import next_choice
from patience.consoles.typing import Line, commands_of


def typed(text, history=(), candidates=()):
    """Return the line that some keys make: letters, and keys in angle brackets; ^x is a letter with Ctrl. | is the
    cursor."""
    line = Line(history, lambda: [*candidates])
    for part in text.split("·"):
        if part[:1] == "^":
            line.take(Event(keys.CONTROL, part[1:]))
        elif part[:1] == "<":
            line.take(Event(part[1:-1]))
        elif part:
            line.take(Event(keys.TEXT, part))
    return f"{line.text[: line.at]}|{line.text[line.at :]}"


@pytest.mark.parametrize("pressed, expected", [
    ("ac", "ac|"), ("ac·<left>", "a|c"), ("ac·<left>·x", "ax|c"), ("ac·<home>·x", "x|ac"), ("ac·<home>·<line end>·x", "acx|"),
    ("ac·<backspace>", "a|"), ("<backspace>", "|"), ("ac·<home>·<backspace>", "|ac"), ("ac·<home>·<delete>", "|c"),
    ("ac·<delete>", "ac|"), ("ac·<left>·<left>·<left>", "|ac"), ("ac·<right>", "ac|"), ("tf·<space>·6", "tf 6|"),
    ("ac·^a", "|ac"), ("ac·^a·^e", "ac|"), ("ac·^b", "a|c"), ("ac·^a·^f", "a|c"), ("ac·^b·^k", "a|"), ("ac·^b·^u", "|c"),
    ("tt 4 6·^w", "tt 4 |"), ("tt 4 ·^w", "tt |"), ("ac;d·^w", "ac;|"), ("ac·^h", "a|"), ("ac·^a·^d", "|c"), ("ac·^t", "ac|"),
])  # fmt: skip
def test_the_usual_keys(pressed, expected):
    assert typed(pressed) == expected


def test_earlier_lines_come_back_and_what_was_begun_is_kept():
    assert typed("x·<up>", ["ac", "d"]) == "d|" and typed("x·<up>·<up>·<up>", ["ac", "d"]) == "ac|"
    assert typed("x·<up>·<up>·<down>·<down>·<down>", ["ac", "d"]) == "x|" and typed("^p·^p·^n", ["ac", "d"]) == "d|"
    assert typed("<up>·y·<down>·<up>", ["ac"]) == "acy|"


def test_tab_completes_and_goes_on_to_the_next():
    words = ["hint", "history", "HELP", "undo"]
    assert typed("h·<tab>", (), words) == "hint|" and typed("h·<tab>·<tab>", (), words) == "history|"
    assert typed("h·<tab>·<tab>·<tab>·<tab>", (), words) == "hint|" and typed("he·<tab>", (), words) == "HELP|"
    assert typed("z·<tab>", (), words) == "z|" and typed("<tab>", (), words) == "|"
    assert typed("h·<tab>·<backspace>·<tab>", (), words) == "hint|"


def test_of_a_long_line_the_part_with_the_cursor_is_seen():
    line = Line()
    line.put("0123456789")
    assert line.shown(5) == ("6789", 4) and line.shown(20) == ("0123456789", 10)
    line.at = 2
    assert line.shown(5) == ("01234", 2)


def test_a_line_is_shown_in_one_line_of_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    shown, line = [], Line()
    monkeypatch.setattr(keys, "send", shown.append)
    line.put("0123456789" * 3)
    reading.show_line("Command: ", line)
    assert shown == ["\rCommand: 123456789\x1b[K"]


@pytest.mark.parametrize("pasted, commands", [
    ("ac", "ac"), ("ac\nd\n", "ac; d"), ("    ac\n    d; d\n\n", "ac; d; d"), ("# klondike\nac\r\nd", "ac; d"), ("\n", ""),
])  # fmt: skip
def test_a_block_that_is_pasted_is_its_commands(pasted, commands):
    assert commands_of(pasted) == commands


def test_whatever_is_pressed_the_cursor_stays_in_the_line():
    chance, line = random.Random(5), Line(["one", "two"], lambda: ["hint", "history"])
    letters = {keys.TEXT: "é", keys.CONTROL: "abcdefghknpuwz"}
    kinds = [key.name for key in keys.TABLE] + [keys.PASTE, keys.OTHER, *letters, *letters]
    for _ in range(5000):
        kind = chance.choice(kinds)
        line.take(Event(kind, chance.choice(letters.get(kind, [""]))))
        text, at = line.shown(7)
        assert 0 <= line.at <= len(line.text) and 0 <= at <= len(text) <= 7


def test_arrows_walk_through_the_choices():
    walked = [("", 1, "y"), ("y", 1, "n"), ("n", 1, "y"), ("y", -1, "n"), ("", -1, "n")]
    assert [next_choice(("y", "n"), chosen, step) for chosen, step, _ in walked] == [then for *_, then in walked]


@pytest.mark.parametrize("waits, lines, meant", [
    ([1, 0, 0], ["", "d"], "d"), ([0, 0], [""], ""), ([0, 1, 0], ["hint", ""], "hint;"),
    ([1, 1, 1, 1, 0], ["", "ac", "# one", "d"], "ac;d"),
])  # fmt: skip
def test_an_enter_before_the_question_is_ignored_and_lines_that_come_together_are_one(waits, lines, meant, monkeypatch):
    """waits: whether something has been typed, each time that is asked."""
    monkeypatch.setattr(reading, "has_input", lambda: waits.pop(0))
    monkeypatch.setattr(reading, "read_line", lambda _: lines.pop(0))
    assert reading.read_lines("") == (meant, False) and not waits and not lines


@pytest.mark.parametrize("sent, meant", [
    (b"\xc3kl", [Event(keys.TEXT, "\ufffdk"), Event(keys.TEXT, "l")]),
    (b"\x1b[<0;" + b"9" * 4500 + b";3Ms", [Event(keys.OTHER), Event(keys.TEXT, "s")]),
    (b"\x1b[200~d\rd\x1b[201~s", [Event(keys.PASTE, "d\nd"), Event(keys.TEXT, "s")]),
])  # fmt: skip
def test_bytes_that_no_terminal_sends_are_no_bug_and_a_paste_has_an_end(sent, meant, monkeypatch):
    heard, told = os.pipe()
    with open(heard, "rb", buffering=0) as stdin, open(told, "wb", buffering=0) as keyboard:
        monkeypatch.setattr("sys.stdin", stdin)
        keyboard.write(sent)
        assert [keys.read_event() for _ in meant] == meant
