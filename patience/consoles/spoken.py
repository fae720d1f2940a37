"""The console of a player who cannot see the board: what changed, in words, line by line."""

import contextlib
import re
from itertools import groupby

from patience import Ended
from patience.consoles import changes, replies
from patience.consoles.screen import half_typed, thought
from patience.consoles.script import Silent
from patience.game import piles
from patience.game.grammar import INVALID_INPUT, INVALID_MOVE, TRY_AGAIN
from patience.game.names import card_of, is_one_of
from patience.game.text import tidy
from patience.records import statistics

RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
LETTERS_OF = {**{name: letter for letter, name in RANKS.items()}, **{str(rank): str(rank) for rank in range(2, 11)}}
SPOKEN_CARD = re.compile(
    rf"\b({'|'.join(LETTERS_OF)})(?: of)? (clubs|diamonds|hearts|spades)\b", re.IGNORECASE
)  # as a card is said
CARD = re.compile("(10|[2-9AJQK])([♣♦♥♠])")
# What is written for the eye, and how it is said.
SIGNS = {
    " %": " percent",
    " — ": ", ",
    " -> ": " to ",
    "(-": "(less ",
    "`": "",
    INVALID_MOVE: "",
    INVALID_INPUT: "",
}
COLUMNS = re.compile(r" {2,}")
SECONDS_TO_THINK = 1  # before that is said
MOST_NAMED = 8  # cards that moved
MOST_LINES = 8  # that are said at a time
MANY = "Many cards moved; look says where they lie."


class Spoken(Silent):
    """The console of a player who hears."""

    def __init__(self, stdin, stdout):
        """stdin, stdout: the text streams of sys."""
        self.stdout = stdout
        self.hint = ""  # the line that Enter stands for
        self.rest = []  # lines that `help 2` says
        for stream in (stdin, stdout):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  input() edits lines from now on

    def say(self, text):
        for line in in_words(str(text)).splitlines():
            if line.strip():
                self.stdout.write(f"{line.strip()}\n")

    def say_list(self, texts):
        if len(texts) > 1 and not texts[0].lstrip()[:1].isdigit():
            texts = [f"{number}. {text}" for number, text in enumerate(texts, start=1)]
        self.say("\n".join(texts))

    def say_help(self, commands, glosses, meanings):
        self.rest = [*commands.splitlines(), *meanings]
        self.say_more()

    def say_more(self):
        self.say("\n".join(self.rest[:MOST_LINES]) or "That was all.")
        self.rest = self.rest[MOST_LINES:]
        if self.rest:
            self.say("help 2 continues.")

    def say_statistics(self, rows):
        self.say("\n".join(statistics.sentences(rows)) or "No game has been finished yet.")

    def tell(self, text):
        self.say(text)

    def refuse(self, refusal, line, sitting):
        if str(refusal) == INVALID_INPUT + TRY_AGAIN and not refusal.why:
            self.say(replies.reply(line, sitting))
        else:
            self.say(refusal.why() if refusal.why else refusal)

    def think(self, notice, work, instead):
        self.say_found(thought(work, instead, notice and SECONDS_TO_THINK, self.say_thinking))

    def say_thinking(self):
        """Say that it takes a while."""
        print("Thinking", file=self.stdout, flush=True)

    def show(self, sitting, record, before=None, move=None):
        if before is None:
            self.show_board(sitting, record)
        else:
            self.say("\n".join(told(sitting.rules, before, sitting.game, move)))

    def show_board(self, sitting, record):
        self.say("\n".join(piles.all_sentences(sitting.rules, sitting.game)))

    def point_at(self, sitting, move, line):
        self.hint = line

    def flush(self):
        self.stdout.flush()

    def ask(self, question):
        """Say the question and return the next line that is not a comment, or None at the end."""
        self.before_waiting()
        line = "#"
        while line.startswith("#"):
            self.stdout.write(question)
            self.stdout.flush()
            try:
                line = input()
            except EOFError:
                self.stdout.write("\n")
                return None
            except KeyboardInterrupt as interrupt:  # a line half typed is taken back
                if isinstance(interrupt, Ended) or not half_typed():
                    raise
                line = "#"
        line = SPOKEN_CARD.sub(lambda card: LETTERS_OF[card[1].lower()] + card[2][0], line)
        line, self.hint = line.strip() or self.hint, ""
        return line


def in_words(text):
    """Return a text as it is said: cards and signs in words, columns as parts of a sentence."""
    for sign, word in SIGNS.items():
        text = text.replace(sign, word)
    text = "\n".join(COLUMNS.sub(", ", line.strip()) for line in text.split("\n"))
    return CARD.sub(lambda card: f"{RANKS.get(card[1], card[1])} {SUITS[card[2]]}", text).replace("XX", "face down")


def told(rules, before, after, move):
    """Return sentences: what a command changed."""
    here, there = rules.piles(before), rules.piles(after)
    if move and move[0] == rules.DRAW_WORD and hasattr(after, "waste"):
        came = after.waste[len(before.waste) :] or after.waste[-1:]
        return [f"Waste: {', '.join(str(card).strip() for card in came[-MOST_NAMED:]) or 'empty'}."]
    did = tidy(rules.describe(before, *move)) if move else ""
    if not did or not card_of(did.split()[0]):
        found = groups(rules, after, here, there)
        return (
            found
            + ([] if found == [MANY] else turned_told(rules, before, after))
            + waste_told(rules, before, after, move)
        )
    return [f"{did}.", *turned_told(rules, before, after)]


def turned_told(rules, before, after):
    """Return a sentence about the cards that were turned up where they lie."""
    pairs = changes.turned_up(rules, before, after)
    moved = [one.card for one in changes.between(changes.lists_of(before), changes.lists_of(after))]
    turned = [
        f"{str(card).strip()}, {name}"
        for name, pile, _ in rules.piles(after)
        for card in pile[-1:]
        if (card.rank(), card.suit()) in pairs and not is_one_of(card, moved)
    ]
    return [f"Turned up: {'; '.join(turned)}."] if turned else []


def waste_told(rules, before, after, move):
    """Return a sentence about the waste, if something else than a move has changed it."""
    there = [pile for pile in rules.piles(after) if pile[0] == "waste" and not move and before.waste != after.waste]
    return [piles.sentence(rules, after, *pile) for pile in there]


def groups(rules, after, here, there):
    """Return a sentence for each pile to which cards came that can be seen: which, and where they lie."""
    moved = changes.between([pile for _, pile, _ in here], [pile for _, pile, _ in there])
    seen = [piles.lies_open(rules, after, pile, None if count else count) for _, pile, count in there]
    blanks = rules.blanks(after)
    moved = sorted(
        (one for one in moved if is_one_of(one.card, seen[one.dest[0]]) and not is_one_of(one.card, blanks)),
        key=lambda one: one.dest,
    )
    if len(moved) > MOST_NAMED:
        return [MANY]
    told = [
        f"{', '.join(str(one.card).strip() for one in found)} to {there[number][0]}"
        for number, found in groupby(moved, key=lambda one: one.dest[0])
        if there[number][0] != "waste"
    ]
    return [f"{'; '.join(told)}."] if told else []
