"""How a game is shown at the table. A Console asks, says and shows; everything that differs between consoles is here,
with the plain behaviour as the default.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from patience.text import NO, is_yes

if TYPE_CHECKING:
    from patience.effects import Effect
    from patience.game import Game

HELP_WIDTH = 80
Row = tuple[str, str]  # a line of a list, and the answer it gives, or "" if it is only to be read
BACK = "q"  # the answer that leaves a list


def without_board(rules: str) -> str:
    """Return a game's rules without the paragraph about the board that its program prints."""
    return "\n\n".join(part for part in rules.split("\n\n") if "The board: " not in part)


class View(NamedTuple):
    """What a console shows of a game."""

    game: Game
    effect: Effect | None  # of what was done last, or None if the whole board is wanted
    is_new: bool  # the effect comes from a new command, not from an undo or redo
    messages: Sequence[str]  # the game's, about the effect
    lit: Effect | None  # of a hint
    status: Sequence[str]  # facts: how the game stands
    enter: str  # what Enter does, or ""
    words: Sequence[str]  # for the line below the board
    is_over: bool  # the question is whether to play again


class Question(str):
    """A question for the player: its text, and the parts of its last line that answer it when clicked."""

    keys: dict[str, str] = {}  # a clickable part of the last line -> its answer
    spoken = ""  # its text for a player who listens, if that differs

    @classmethod
    def of(cls, keys: dict[str, str], text: str = "", spoken: str = "") -> Question:
        """Return the question that lists some keys, and what each does: `u: undo, q: quit: `. text: its wording, if
        that differs."""
        question = cls(text or f"{', '.join(keys)}: ")
        question.keys, question.spoken = keys, spoken
        return question

    @classmethod
    def yes_or_no(cls, text: str) -> Question:
        """Return a question answered with y or n."""
        return cls.of({"(y": "y", "n)": "n"}, f"{text} (y/n)? ")

    def answer_at(self, column: int) -> str | None:
        """Return the answer at this column (from 0) of the last line, or None."""
        line = self.rpartition("\n")[2]
        starts = {part: line.find(part) for part in self.keys}
        return next((self.keys[part] for part, at in starts.items() if at <= column < at + len(part) and at >= 0), None)


COMMAND = Question.of({"h for help": "h"}, "Enter command (h for help): ", "Command: ")
AGAIN = Question.of(
    {"n: new game": "n", "u: undo": "u", "q: quit": "q"}, spoken="n new game, u undo, q quit: "
)  # once a game is over


class Console:
    """What the loop and the lists talk to. A console must define ask, confirm, say and show, and may override the
    rest."""

    width: int | None = None  # columns, or None if that does not matter
    listed: Sequence[str] = ()  # the lines of the list that was said last
    card_back = "XX"  # how a face-down card is shown
    how_to_choose = ""  # a row of a list, if not only by typing
    describes_games = True  # the list says what each is like
    gives_reasons = True  # for hints and moves
    seconds_to_think = 0.5  # before the player is told to wait
    words_left_out: tuple[str, ...] = ("again",)  # words that cannot be typed
    words_on_screen: tuple[str, ...] = ()  # words that the help need not list
    shows_enter = False  # what Enter does is shown with the board, and need not be said
    has_pages = False  # a page can be opened, if there is room
    for_an_empty_line = "board"  # the word that an empty line stands for

    def ask(self, question: Question) -> str | None:
        """Show the question; return the next line that does not begin with #, or None at the end of the input."""
        raise NotImplementedError

    def say(self, text: str | list[str]) -> None:
        """Show some text, or a list of short texts."""
        raise NotImplementedError

    def show(self, view: View) -> None:
        """Show the messages of a View, and its board, which the game prints: see text.capture_display."""
        raise NotImplementedError

    def refresh(self, view: View) -> None:
        """Accept the View to show while the next question is asked, if the board stays in place."""

    def show_now(self, view: View) -> None:
        """Show what was said, and the board, before the next question: what follows may take time."""

    def notice(self, text: str) -> None:
        """Show a text at once, while the player waits. Another thread calls this."""

    def ending_work(self) -> contextlib.AbstractContextManager[None]:
        """Within this context, a player may end a long computation, and not by Ctrl-C alone."""
        return contextlib.nullcontext()

    def pass_over(self, line: str) -> object:
        """A comment was typed, which is no command: the table listens to the first line of a saved game."""

    def take_options(self, looks: dict[str, bool]) -> None:
        """From now on, look as these options of the options page specify."""

    def fall_back(self) -> bool:
        """Do without a feature that may have hit a bug, such as keys read one by one. Return False if nothing can be
        left out."""
        return False

    def close(self) -> None:
        """Show everything that is pending when the player leaves a game or the list, however that happens."""

    def offer_completions(self, candidates: Callable[[], list[str]]) -> None:
        """Accept the lines that can be typed, for use in completion."""

    def confirm(self, question: Question) -> str | None:
        """Ask a question; return the answer, or None if the input ends. The end of the input ends only this
        question."""
        raise NotImplementedError

    def agrees(self, question: str) -> bool:
        """Ask a question until it is answered; return True for yes. The end of the input means no."""
        answer: str | None = ""
        while answer is not None and not is_yes(answer) and answer.lower() not in NO:
            answer = self.confirm(Question.yes_or_no(question))
            answer = answer and answer.strip()
        return bool(answer) and is_yes(answer)

    def print(self, text: str) -> None:
        """Show a text at once, outside a game."""
        self.say(text)
        self.close()

    def choose(self, rows: Sequence[Row], question: Question, message: str = "", lit: str = "") -> str | None:
        """Let the player choose a row of a list; return its answer, or the line that is typed instead, or None if the
        input ends. message: to show below the list. lit: the answer of the row to begin at. A list whose lines were
        just said is not said again."""
        lines = [line for line, _ in rows]
        for text in [*(lines if lines != self.listed else ()), *filter(None, [message])]:
            self.say(text)
        self.listed = lines
        return self.confirm(question)

    def arrange_table(self, table: Callable[[int | None], str], sentences: Callable[[], str]) -> str:
        """Return facts in the form that the console shows: as a table, for its width, or in sentences."""
        return table(self.width)

    def show_board(self, view: View, sentences: Callable[[], str]) -> str | None:
        """Show the board again, or return the text to say instead. sentences: about all piles."""
        self.show(view)
        return None

    def introduce(self, number: int | None, again: str, rule: str) -> str:
        """Return the lines that introduce a game. number: the number of its deal, or None. again: the options that deal
        it again. rule: its rules in one line, or ""."""
        deal = "" if number is None else f"Deal {number}: {again} deals it again."
        return "\n".join(filter(None, [deal, rule]))

    def arrange_rules(self, text: str) -> str:
        """Return a game's docstring as it is shown."""
        if self.width and self.width < max(map(len, text.splitlines()), default=0):
            text = "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
        return text

    def arrange_help(
        self, commands: str, by_name: tuple[str, str], groups: list[list[tuple[str, str]]], page: int
    ) -> str:
        """Return the help. commands: the game's. by_name: a (form, meaning) pair for moves by name. groups: lists of
        such pairs, for words that belong together. page: the number of the page wanted, from 1."""
        formatter = click.HelpFormatter(width=self.width or HELP_WIDTH)
        rows = [(", ".join(form for form, _ in group), ", ".join(text for _, text in group)) for group in groups]
        formatter.write_dl([*rows, *filter(any, [by_name])], col_max=HELP_WIDTH // 2)
        return commands + formatter.getvalue().rstrip("\n")

    def has_page(self, number: int) -> bool:
        """Return True if the help comes page by page, and can have a page with this number."""
        return False

    def last_answer(self) -> str:
        """Return the answer to the last line, if the console can say it again."""
        return ""
