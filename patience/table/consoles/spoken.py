"""The console of a player who listens: what changed, in words, line by line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from io import TextIOWrapper

from patience.table.consoles import Console, Question, View, without_board
from patience.table.consoles.changes import describe_effect
from patience.table.consoles.key_loop import read_line, read_lines
from patience.options import BRIEF
from patience.sentences import blank_sentences, tops
from patience.text import CARD

RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
LETTERS_OF = {**{name: letter for letter, name in RANKS.items()}, **{str(rank): str(rank) for rank in range(2, 11)}}
SPOKEN_CARD = re.compile(
    rf"\b({'|'.join(LETTERS_OF)})(?: of)? (clubs|diamonds|hearts|spades)\b", re.IGNORECASE
)  # a card as people say it
# Written signs, and how they are spoken.
SIGNS = {
    " %": " percent",
    " — ": ", ",
    " -> ": " to ",
    "(-": "(less ",
}
COLUMNS = re.compile(r" {2,}")
NEIGHBOURS = re.compile(rf"({CARD.pattern}) (?={CARD.pattern})")  # cards with nothing between them
RANGE = re.compile(r"^( *\d+)-(?=\d)", re.MULTILINE)  # of commands in the history
LONE_RANK = re.compile(r"(?<=[a-z] )[AJQK](?=[,.]|$)", re.MULTILINE)  # Quadzilla K
MAX_TOPS = 13  # piles of one kind that are named when a game begins
PAGE = 4  # lines of help spoken at a time
ONCE = ("Enter plays it.", "Type rules or help for more.")  # lines that are said only once


class Spoken(Console):
    """The console of a player who listens."""

    card_back = "face down"
    describes_games = False
    seconds_to_think = 1
    words_left_out = ()
    for_an_empty_line = "status"

    def __init__(self, stdout: TextIOWrapper) -> None:
        """stdout: the text stream of sys."""
        self.stdout = stdout
        self.gives_reasons = os.environ.get("PATIENCE_SPOKEN") != BRIEF
        self.status, self.blanks = [], []  # the facts about the progress and the sentences about blanks, as last said
        self.answer, self.last = [], []  # the lines of this answer and of the previous one
        self.ended = False  # True once the player has ended the input
        self.said_once: set[str] = set()  # the lines of ONCE already said

    def say(self, text: str | list[str]) -> None:
        """Say a text line by line, or several texts, each with its number."""
        if not isinstance(text, str):
            is_numbered = len(text) < 2 or text[0].lstrip()[:1].isdigit()
            text = "\n".join(
                text if is_numbered else (f"{number}. {line}" for number, line in enumerate(text, start=1))
            )
        for line in put_in_words(text).splitlines():
            if line and line not in self.said_once:
                self.answer.append(line)
                self.stdout.write(f"{line}\n")
            if line in ONCE:
                self.said_once.add(line)

    def last_answer(self) -> str:
        """Return the last answer."""
        return "\n".join(self.last)

    def notice(self, text: str) -> None:
        """Say at once that the program is thinking."""
        print("Thinking", file=self.stdout, flush=True)

    def arrange_table(self, table: Callable[[int | None], str], sentences: Callable[[], str]) -> str:
        """Return facts in sentences."""
        return sentences()

    def show_board(self, view: View, sentences: Callable[[], str]) -> str:
        """Return what lies in each pile."""
        return sentences()

    def introduce(self, number: int | None, again: str, rule: str) -> str:
        """Return the number of the deal, and how to hear the rules."""
        return "\n".join([*([] if number is None else [f"Deal {number}."]), "Type rules or help for more."])

    def arrange_rules(self, text: str) -> str:
        """Return the rules, the short version first, leaving out how the board looks."""
        paragraphs = without_board(text).split("\n\n")
        paragraphs.sort(key=lambda paragraph: not paragraph.startswith("In short: "))
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)

    def arrange_help(
        self, commands: str, by_name: tuple[str, str], groups: list[list[tuple[str, str]]], page: int
    ) -> str:
        """Return a page of the help: moves by name first, one word per line."""
        rows = [by_name, *(row for group in groups for row in group)]
        lines = [*(f"{form}: {text}" for form, text in rows), *commands.splitlines()]
        shown = "\n".join(lines[(page - 1) * PAGE : page * PAGE]) or "That is all."
        return shown + (f"\nhelp {page + 1} has more." if lines[page * PAGE :] else "")

    def has_page(self, number: int) -> bool:
        """Return True if the help can have a page with this number."""
        return number > 0

    def show(self, view: View) -> None:
        """Say what a move did or, when a game begins, what can be played."""
        layout, effect, messages = view.game.layout, view.effect, view.messages
        before, self.status = self.status, layout.status
        were, self.blanks = self.blanks, blank_sentences(layout)
        if effect:
            lines = describe_effect(layout, effect, messages, before, self.status)
            is_one = len(effect.moved + effect.drawn) == 1
            lines += [line for line in self.blanks if line not in were and is_one]
        else:
            lines = [*messages, *tops(layout, MAX_TOPS), *[f"{', '.join(self.status)}."] * bool(self.status)]
        self.say("\n".join(lines))

    def ask(self, question: Question) -> str | None:
        """Say the question and return the next line that is not a comment, or None at the end."""
        line, self.answer, self.last = "#", [], self.answer
        try:
            while line.startswith("#"):
                if self.ended:
                    raise EOFError
                line, self.ended = read_lines(question.spoken or question)
                self.pass_over(line)
        except EOFError:
            self.stdout.write("\n")
            return None
        return SPOKEN_CARD.sub(lambda card: LETTERS_OF[card[1].lower()] + card[2][0], line)

    def confirm(self, question: Question) -> str | None:
        """Say the question and return the answer, or None at the end of the input."""
        try:
            return read_line(question.spoken or question)
        except EOFError:
            self.stdout.write("\n")
            return None

    def close(self) -> None:
        """Flush the output, and forget what was said in this game."""
        self.listed, self.ended = (), False
        self.answer, self.last, self.said_once = [], [], set()
        self.stdout.flush()


def put_in_words(text: str) -> str:
    """Return a text as it is spoken: cards and signs in words, columns as parts of a sentence."""
    for sign, word in SIGNS.items():
        text = text.replace(sign, word)
    text = "\n".join(COLUMNS.sub(", ", line.strip()).strip() for line in text.split("\n"))
    text = LONE_RANK.sub(lambda rank: RANKS[rank[0]], RANGE.sub(r"\1 to ", NEIGHBOURS.sub(r"\1, ", text)))
    return CARD.sub(lambda card: f"{RANKS.get(card[1], card[1])} {SUITS[card[2]]}", text).replace("XX", "face down")
