"""A player's screen: a picture that stays in place, the messages below it, pages, a half-typed line.

This module handles lines of text and knows nothing about patience.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Union

import click

from patience import Ended
from patience.table.consoles import Question, keys
from patience.table.consoles.key_loop import ENDS, STEPS, TO_LINE_END, Reader, LineFor, read_line, read_lines
from patience.table.consoles.keys import Event, Keyboard
from patience.table.consoles.typing import Line
from patience.table.consoles.wrapping import fit_question, terminal_height, terminal_width

MIN_BELOW = 2  # lines below a picture that stays in place: a message, and the question
HOME, TO_SCREEN_END = "\x1b[H", "\x1b[J"
PAGES = {  # which page a key or a click shows: the next, or the one before
    **STEPS,
    **dict.fromkeys((keys.ENTER, keys.SPACE, keys.CLICK, keys.WHEEL_DOWN, keys.PAGE_DOWN), 1),
    **dict.fromkeys((keys.WHEEL_UP, keys.PAGE_UP), -1),
}
MORE = Question.of({"Enter: more": "", "q: no more": "q"}, "Enter: more, q: no more ")
NO_MORE = Question.of({"Enter: back": ""}, "Enter: back ")
CLICK_AN_ANSWER = "Click on an answer, or type it.\n"
PHRASE = re.compile(r"\b(?:undo|redo) \d+")
NUMBERED = re.compile(r"(?<!\S)(\d+)  \S+(?: \S+)*")  # an entry of a list: its number answers
WORD = re.compile(r"\w+")
Text = Union[str, Callable[[], str]]  # that is shown, or what makes it, for the window as it is


class Screen:
    """The screen of a terminal."""

    def __init__(self, stdout: TextIOWrapper, keyboard: Keyboard, scrolls: bool) -> None:
        """stdout: its stream. scrolls: print each picture below the last instead of keeping it in place."""
        self.stdout = stdout
        self.keyboard = keyboard
        self.scrolls = scrolls
        self.in_place: Text = ""  # the picture that stays in place, or "" while none does
        self.words: Sequence[str] = ()  # below the picture: each is an answer when a message names it
        self.pending: list[Text] = []  # to show at the next question, below the picture or instead of it
        self.has_drawn = False  # True once the screen has been drawn
        self.line = Line()  # the line being typed, with the lines typed before it
        self.ended = False  # True once the player has ended the input

    @property
    def picture(self) -> str:
        """What stays in place, for the window as it is."""
        return made_now(self.in_place)

    def room(self, question: Question) -> int:
        """Return how many lines there are for a picture, above the pending texts and a question."""
        below = self.said() + last_line(question, above=True)
        return max(1, terminal_height() - 1 - below.count("\n"))

    def write(self, text: Text) -> None:
        """Show text unchanged, by the next question at the latest."""
        self.pending.append(text)

    def said(self) -> str:
        """Return the pending texts, for the window as it is."""
        return "".join(map(made_now, self.pending))

    def ask(
        self,
        question: Question,
        line_for: LineFor | None = None,
        choices: Sequence[str] = (),
        joins: bool = True,
    ) -> str | None:
        """Show the question and return the next line, or None once the input has ended. line_for: takes keys and clicks
        while the line is empty and the picture is in place. Without it, the end of the input ends only this question.
        choices, joins: as for Reader."""
        if self.ended:
            self.write(f"{question}\n")
            return None
        try:
            typed = self.draw(question)
            if typed:
                return typed
            if self.in_place:
                return self.read_keys(question, line_for, choices, joins)
            self.keyboard.end()
            if not line_for:
                return read_line(last_line(question))
            line, self.ended = read_lines(last_line(question))
            return line
        except EOFError:
            self.ended, self.pending = bool(line_for), ["\n"]
            return None
        except (KeyboardInterrupt, Ended):
            self.pending = []
            raise

    def read_keys(self, question: Question, line_for: LineFor | None, choices: Sequence[str], joins: bool) -> str:
        """Return the line that is typed, or that keys and clicks mean. Raises EOFError for Ctrl-D."""
        is_pointed = False
        self.keyboard.begin()  # lasts until lines are read or the game is left; what is typed meanwhile is not shown

        def line_for_event(event: Event) -> str | None:
            nonlocal is_pointed
            if event.kind == keys.END or event.kind == keys.INTERRUPT and not line_for:
                raise ENDS[event.kind]
            line, picture = self.answer_at(question, event) if event.kind == keys.CLICK else None, self.picture
            if line is None and line_for:
                line = line_for(event)
            elif line is None and event.kind == keys.CLICK:
                self.pending = [CLICK_AN_ANSWER]
            elif event.kind == keys.ENTER:
                line = ""
            is_pointed = line is not None
            if line is None:
                if event.kind in (keys.CLICK, keys.ENTER, keys.SPACE) and self.picture != picture:
                    self.pending = []  # what was said about the last command
                if self.in_place or self.pending:
                    self.draw(question, pages=False)
            return line

        answer = Reader(self.keyboard, lambda: last_line(question), self.line, choices, joins).read(line_for_event)
        if self.pending == [CLICK_AN_ANSWER]:
            self.pending = []
        self.line.remember("" if is_pointed else answer)
        return answer

    def answer_at(self, question: Question, event: Event) -> str | None:
        """Return the answer that a click below the picture gives, or None: a key that the question names, or a word or
        number in the messages."""
        above, row = last_line(question, above=True), event.row - self.picture.count("\n")
        said = click.unstyle(self.said()).split("\n")[:-1]
        if row == len(said) + above.count("\n"):
            return Question.of(question.keys, last_line(question)).answer_at(event.column)
        return self.answer_in(said[row], event.column) if 0 <= row < len(said) else None

    def answer_in(self, line: str, column: int) -> str | None:
        """Return the word or number that a click in a line of text gives, or None."""
        found = [match for pattern in (NUMBERED, PHRASE, WORD) for match in pattern.finditer(line)]
        there = next((match for match in found if match.start() <= column < match.end()), None)
        if not there or there.re is NUMBERED:
            return there and there[1]
        words = [*self.words, *self.line.candidates()] if self.words else []
        answers = {**({"Enter": ""} if self.words else {}), **{word: word for word in words}}
        return there[0] if there.re is PHRASE else answers.get(there[0])

    def clear_messages(self) -> None:
        """Clear the space below the picture for the answer to the line just typed."""
        self.pending = []

    def clear(self) -> None:
        """Take the picture away."""
        self.in_place, self.pending = "", []
        self.put(HOME + TO_SCREEN_END)

    def draw(self, question: Question, pages: bool = True) -> str:
        """Show the picture, if one stays in place, the pending texts, and the question except its last line. Texts
        longer than the screen are shown page by page, or left out if pages is False. Return the line that was typed
        between two pages, or ""."""
        above, said, height = last_line(question, above=True), self.said(), terminal_height()
        if not self.in_place:
            self.put(said + above)
            self.pending = []
            return ""
        if not self.has_drawn:
            self.stdout.write("\n" * (height - 1))  # keep earlier output in the scrollback
            self.has_drawn = True
        room, picture, typed = height - 1 - above.count("\n"), self.picture, ""
        text = picture + said
        if text.count("\n") > room:
            text = picture
            if pages:
                typed, self.pending = self.show_pages(), []
        if not typed:
            self.put(on_whole_screen(text + above))
        return typed

    def show_pages(self) -> str:
        """Show pending texts longer than the screen page by page. Enter, Space, a click, an arrow or the wheel shows
        the next page, or the one before; q, Escape or a command skips the rest. A command typed or clicked there is
        returned."""
        at, step, typed = 0, 1, ""  # at: the line at which the page begins

        def page() -> list[str]:
            return self.said().splitlines(keepends=True)[at : at + terminal_height() - 1]

        def question() -> Question:
            return MORE if self.said().count("\n") > at + terminal_height() - 1 else NO_MORE

        def line_for(event: Event) -> str | None:
            nonlocal step
            if event.kind in (keys.ESCAPE, keys.RIGHT_CLICK, *ENDS):
                return "q"
            if event.kind == keys.CLICK and event.row < len(page()):
                return self.answer_in(click.unstyle(page()[event.row]), event.column) or ""
            if event.kind == keys.CLICK:
                return question().answer_at(event.column) or ""
            step = PAGES.get(event.kind, 0)
            return "" if event.kind in (*PAGES, keys.REDRAW) else None

        self.keyboard.begin()
        while page() and not typed:
            step = 1
            self.put(HOME + TO_SCREEN_END + "".join(page()))
            typed = Reader(self.keyboard, question, Line()).read(line_for).strip()
            at = max(0, at + step * (terminal_height() - 1))
        return "" if typed.lower() in ("q", "quit") else typed

    def put(self, text: str) -> None:
        """Write text at once."""
        self.stdout.write(text)
        self.stdout.flush()

    def leave(self, picture: str) -> None:
        """Write all pending texts, below the last picture if one stayed in place, and give the terminal back."""
        if self.has_drawn:
            self.pending[:0] = [HOME, TO_SCREEN_END, picture]
        self.put(self.said())
        self.pending, self.has_drawn, self.ended = [], False, False
        self.keyboard.end()


def made_now(text: Text) -> str:
    """Return a Text for the window as it is."""
    return text if isinstance(text, str) else text()


def on_whole_screen(text: str) -> str:
    """Return the text with the sequences that draw it from the top of the screen, over everything there."""
    return HOME + text.replace("\n", f"{TO_LINE_END}\n") + TO_LINE_END + TO_SCREEN_END


def last_line(question: str, above: bool = False) -> str:
    """Return the last line of a question, where the player types, fitted to the terminal; or, if above is True, what
    stands above it."""
    for part in getattr(question, "keys", ()):  # which are not broken
        question = question.replace(part, part.replace(" ", "\xa0"))
    first, newline, last = fit_question(question, terminal_width()).replace("\xa0", " ").rpartition("\n")
    return first + newline if above else last
