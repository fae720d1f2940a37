"""A line that is being typed, without a terminal."""

import os
import pty
import random
import sys
import time
import types

import pytest

import helpers

from patience.table.consoles import key_loop, keys
from patience.table.consoles.keys import Event
from patience.table.consoles.typing import Line, commands_of


@pytest.mark.parametrize("pressed, expected", [
    ("ac", "ac|"), ("ac·<left>", "a|c"), ("ac·<left>·x", "ax|c"), ("ac·<home>·x", "x|ac"), ("ac·<home>·<line end>·x", "acx|"),
    ("ac·<backspace>", "a|"), ("<backspace>", "|"), ("ac·<home>·<backspace>", "|ac"), ("ac·<home>·<delete>", "|c"),
    ("ac·<delete>", "ac|"), ("ac·<left>·<left>·<left>", "|ac"), ("ac·<right>", "ac|"), ("tf·<space>·6", "tf 6|"),
    ("ac·^a", "|ac"), ("ac·^a·^e", "ac|"), ("ac·^b", "a|c"), ("ac·^a·^f", "a|c"), ("ac·^b·^k", "a|"), ("ac·^b·^u", "|c"),
    ("tt 4 6·^w", "tt 4 |"), ("tt 4 ·^w", "tt |"), ("ac;d·^w", "ac;|"), ("ac·^h", "a|"), ("ac·^a·^d", "|c"), ("ac·^t", "ac|"),
    # the lines before: what was begun, or changed, is kept
    ("x·<up>", "d|"), ("x·<up>·<up>·<up>", "ac|"), ("x·<up>·<up>·<down>·<down>·<down>", "x|"), ("^p·^p·^n", "d|"),
    ("<up>·y·<down>·<up>", "dy|"),
    # words that can be completed, one after the other
    ("h·<tab>", "hint|"), ("h·<tab>·<tab>", "history|"), ("h·<tab>·<tab>·<tab>·<tab>", "hint|"), ("he·<tab>", "HELP|"),
    ("z·<tab>", "z|"), ("<tab>", "|"), ("h·<tab>·<backspace>·<tab>", "hint|"),
])  # fmt: skip
def test_the_usual_keys(pressed, expected):
    """Letters, and keys in angle brackets; ^x is a letter with Ctrl. | is the cursor."""
    line = Line(["ac", "d"], lambda: ["hint", "history", "HELP", "undo"])
    for part in pressed.split("·"):
        if part.startswith("^"):
            line.press(Event(keys.CONTROL, part[1:]))
        elif part.startswith("<"):
            line.press(Event(part[1:-1]))
        else:
            line.press(Event(keys.TEXT, part))
    assert f"{line.text[: line.at]}|{line.text[line.at :]}" == expected


@pytest.mark.parametrize("data, event", [
    (b"", (keys.END,)), ("\u200b".encode(), (keys.OTHER,)), ("é".encode(), (keys.TEXT, "é")), (b"\x17", (keys.CONTROL, "w")),
])  # fmt: skip
def test_only_what_can_be_shown_is_text(data, event, monkeypatch):
    terminal, program = os.pipe()
    os.write(program, data)
    os.close(program)
    with open(terminal) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert keys.Keyboard().read() == Event(*event)


@pytest.fixture
def press(monkeypatch):
    """Return a function that has these events read, together or one by one, and returns the list of what is sent."""

    def press(*pressed, together=False):
        left, sent = [Event(*one) for one in pressed], []
        press.keyboard = types.SimpleNamespace(read=lambda: left.pop(0))
        monkeypatch.setattr(keys, "send", sent.append)
        monkeypatch.setattr(key_loop, "has_input", lambda: together and bool(left))
        return sent

    return press


def test_a_line_is_shown_as_it_is_typed_and_whole_at_its_end(press):
    taken, moved = [], "\r> ac\x1b[K\x1b[1D"
    sent = press((keys.TEXT, "a"), (keys.TEXT, "c"), ("left",), (keys.REDRAW,), (keys.ENTER,))
    assert key_loop.Reader(press.keyboard, lambda: "> ", Line([], list)).read(taken.append) == "ac"
    assert sent == ["> ", "\r> a\x1b[K", "\r> ac\x1b[K", moved, moved, "\r\x1b[K> ac\n"]
    assert [event.kind for event in taken] == [keys.TEXT, keys.REDRAW], "on an empty line, and for a new size"


def test_what_arrives_together_is_one_line_up_to_the_last_enter(press):
    line = Line([], list)
    press((keys.TEXT, "ac"), (keys.ENTER,), (keys.PASTE, "sw\nd"), (keys.TEXT, "x"), together=True)
    assert (key_loop.Reader(press.keyboard, lambda: "> ", line).read(print), line.text) == ("ac;sw; d", "x")
    press((keys.PASTE, "d\nsw\n"))
    assert key_loop.Reader(press.keyboard, str, Line([], list)).read(print) == "d; sw"
    press((keys.TEXT, "klondike"), (keys.ENTER,), (keys.TEXT, "d"), (keys.ENTER,), together=True)
    of_a_list = key_loop.Reader(press.keyboard, str, Line([], list), joins=False)
    assert [of_a_list.read(print), of_a_list.read(print)] == ["klondike", "d"]


def test_backspace_that_is_held_stops_at_the_beginning_of_the_line(press, monkeypatch):
    now, taken = [0.0], []
    monkeypatch.setattr(key_loop, "monotonic", lambda: now[0])
    back = (keys.BACKSPACE,)
    press((keys.TEXT, "a"), back, back, back, (keys.TEXT, "d"), (keys.ENTER,))
    reader = key_loop.Reader(press.keyboard, str, Line())
    assert reader.read(taken.append) == "d" and Event(keys.BACKSPACE) not in taken
    now[0] = 1.0
    press(back, (keys.TEXT, "d"), (keys.ENTER,))
    reader.keyboard = press.keyboard
    assert reader.read(taken.append) == "d" and Event(keys.BACKSPACE) in taken, "pressed again, it takes back a move"


def test_escape_and_ctrl_c_erase_what_is_typed(press):
    for erase in (keys.ESCAPE,), (keys.INTERRUPT,):
        press((keys.TEXT, "x"), erase, (keys.TEXT, "y"), (keys.ENTER,))
        assert key_loop.Reader(press.keyboard, str, Line([], list)).read(print) == "y"


def test_keys_and_clicks_that_came_before_the_screen_are_dropped(press):
    early = [(kind,) for kind in "enter space tab backspace click escape".split()] + [(keys.RIGHT_CLICK,)]
    press(*early, (keys.TEXT, "d"), (keys.ENTER,), together=True)
    taken = []
    assert key_loop.Reader(press.keyboard, str, Line()).read(taken.append) == "d" and taken == [Event(keys.TEXT, "d")]


@pytest.mark.parametrize("sent", [b"\x1b", b"x \x1b[<0;3;2M"])
def test_escape_and_a_click_end_long_work(sent, monkeypatch):
    heard, told = os.pipe()
    with open(heard, "rb", buffering=0) as stdin, open(told, "wb", buffering=0) as keyboard:
        monkeypatch.setattr("sys.stdin", stdin)
        terminal = keys.Keyboard()
        terminal.leave = print  # keys come one by one
        with terminal.ending_work():
            pass  # short work is done before a key is pressed
        keyboard.write(sent)
        with pytest.raises(KeyboardInterrupt), terminal.ending_work():
            time.sleep(60)


def test_a_line_typed_during_long_work_is_read_afterwards_and_a_key_is_not(monkeypatch):
    heard, told = os.pipe()
    with open(heard, "rb", buffering=0) as stdin, open(told, "wb", buffering=0) as keyboard:
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr(keys, "send", lambda text: None)
        monkeypatch.setattr(key_loop, "has_input", lambda: False)
        terminal = keys.Keyboard()
        terminal.leave = print  # keys come one by one
        with terminal.ending_work():
            keyboard.write(b"\r tops\r\r x\x7f")
            helpers.wait_until(lambda: len(terminal.ahead) == 7, "it is read")
        assert key_loop.Reader(terminal, str, Line()).read(print) == "tops"
        assert [event.kind for event in terminal.ahead] == [keys.TEXT, keys.BACKSPACE], "the line that is being typed"


def test_the_shell_does_not_get_the_release_of_the_last_click(monkeypatch):
    keyboard, terminal = pty.openpty()
    with open(terminal, "rb", buffering=0) as stdin, open(keyboard, "wb", buffering=0):
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr(keys, "send", print)
        reader = keys.Keyboard()
        reader.begin()
        os.write(keyboard, b"\x1b[<0;3;2M\x1b[<0;3;2mls\n")
        assert reader.read().kind == keys.CLICK
        reader.end()
        assert os.read(terminal, 9) == b"ls\n"


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
    key_loop.Reader(keys.Keyboard(), lambda: "Command: ", line).show()
    assert shown == ["\rCommand: 123456789\x1b[K"]


@pytest.mark.parametrize("pasted, commands", [
    ("ac", "ac"), ("ac\nd\n", "ac; d"), ("    ac\n    d; d\n\n", "ac; d; d"), ("# klondike\nac\r\nd", "ac; d"), ("\n", ""),
    ("\x1b]0;a\atf\t6", "]0;a tf 6"),
])  # fmt: skip
def test_a_block_that_is_pasted_is_its_commands(pasted, commands):
    assert commands_of(pasted) == commands


def test_whatever_is_pressed_the_cursor_stays_in_the_line():
    chance, line = random.Random(5), Line(["one", "two"], lambda: ["hint", "history"])
    letters = {keys.TEXT: "é", keys.CONTROL: "abcdefghknpuwz"}
    kinds = [key.name for key in keys.TABLE] + [keys.PASTE, keys.OTHER, *letters, *letters]
    for _ in range(5000):
        kind = chance.choice(kinds)
        line.press(Event(kind, chance.choice(letters.get(kind, [""]))))
        text, at = line.shown(7)
        assert 0 <= line.at <= len(line.text) and 0 <= at <= len(text) <= 7


def test_arrows_walk_through_the_choices():
    for chosen, step, then in ("", 1, "y"), ("y", 1, "n"), ("n", 1, "y"), ("y", -1, "n"), ("", -1, "n"):
        assert key_loop.next_choice(("y", "n"), chosen, step) == then


@pytest.mark.parametrize("waits, lines, meant", [
    ([1, 0, 0], ["", "d"], "d"), ([0, 0], [""], ""), ([0, 1, 0], ["hint", ""], "hint;"),
    ([1, 1, 1, 1, 0], ["", "ac", "# one", "d"], "ac;d"),
])  # fmt: skip
def test_an_enter_before_the_question_is_ignored_and_lines_that_come_together_are_one(waits, lines, meant, monkeypatch):
    """waits: whether something has been typed, each time that is asked."""
    monkeypatch.setattr(key_loop, "has_input", lambda: waits.pop(0))
    monkeypatch.setattr(key_loop, "read_line", lambda _: lines.pop(0))
    assert key_loop.read_lines("") == (meant, False) and not waits and not lines


@pytest.mark.parametrize("sent, meant", [
    (b"\xc3kl", [Event(keys.TEXT, "\ufffdk"), Event(keys.TEXT, "l")]),
    (b"\x1b[M !\"\x1b[M#!\"s", [Event(keys.CLICK, "", 1, 0), Event(keys.DROP, "", 1, 0), Event(keys.TEXT, "s")]),
    ("äд€😀s".encode(), [Event(keys.TEXT, letter) for letter in "äд€😀s"]),
    (b"\x1b[<0;" + b"9" * 4500 + b";3Ms", [Event(keys.OTHER), Event(keys.TEXT, "s")]),
    # what the terminal itself answers means nothing: colours, the clipboard, its name
    (b"\x1b]11;rgb:1/2/3\x1b\\s", [Event(keys.OTHER), Event(keys.TEXT, "s")]),
    (b"\x1b]52;c;ZA==\as", [Event(keys.OTHER), Event(keys.TEXT, "s")]),
    (b"\x1bP>|a 1\x1b\\\x1b_Gi=1\x1b\\s", [Event(keys.OTHER), Event(keys.OTHER), Event(keys.TEXT, "s")]),
    # Num Lock and the keypad; a click with Ctrl, in both forms
    (b"\x1b[1;129A\x1b[5;65~\x1b[1;5A", [Event(keys.UP), Event(keys.PAGE_UP), Event(keys.OTHER)]),
    (b"\x1bOM\x1b[57414u\x1b[13;129:1u", [Event(keys.ENTER)] * 3),
    (b"\x1b[<16;3;2M\x1b[M8!!", [Event(keys.CLICK, "", 1, 2), Event(keys.CLICK, "", 0, 0)]),
    (b"\x0b\x1b[200~d\rd\x1b[201~s", [Event(keys.CONTROL, "k"), Event(keys.PASTE, "d\nd"), Event(keys.TEXT, "s")]),
])  # fmt: skip
def test_bytes_are_read_as_keys_and_those_that_mean_nothing_are_no_bug(sent, meant, monkeypatch):
    heard, told = os.pipe()
    with open(heard, "rb", buffering=0) as stdin, open(told, "wb", buffering=0) as keyboard:
        monkeypatch.setattr("sys.stdin", stdin)
        keyboard.write(sent)
        reader = keys.Keyboard()
        assert [reader.read() for _ in meant] == meant
