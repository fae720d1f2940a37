"""The console of a player who cannot see the board: what changed, in words, line by line."""

import contextlib
import re
from itertools import groupby

from patience import Ended
from patience.consoles.screen import get_half_typed
from patience.effects import all_sentences, is_one_of, leads, pile_sentence, seen_cards
from patience.lines import INVALID_INPUT, INVALID_MOVE

RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
LETTERS_OF = {**{name: letter for letter, name in RANKS.items()}, **{str(rank): str(rank) for rank in range(2, 11)}}
SPOKEN_CARD = re.compile(
    rf"\b({'|'.join(LETTERS_OF)})(?: of)? (clubs|diamonds|hearts|spades)\b", re.IGNORECASE
)  # a card as people say it
CARD = re.compile("(10|[2-9AJQK])([♣♦♥♠])")
# Written signs, and how they are spoken.
SIGNS = {
    " %": " percent",
    " — ": ", ",
    " -> ": " to ",
    "(-": "(less ",
    INVALID_MOVE: "",
    INVALID_INPUT: "",
}
COLUMNS = re.compile(r" {2,}")
MAX_NAMED = 8  # moved cards that are named
MANY = "Many cards moved; look says where they lie."


class Spoken:
    """The console of a player who listens."""

    PROMPT = "Command: "
    AGAIN = "Enter for a new game, u undo, q quit: "
    SECONDS_TO_THINK = 1  # before the player is told to wait
    is_spoken = True
    closed = "face down"  # how a card that lies face down is shown
    width = None
    page = 8  # lines of help spoken at a time

    def __init__(self, stdin, stdout):
        """stdin, stdout: the text streams of sys."""
        self.stdout = stdout
        for stream in (stdin, stdout):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  input() edits lines from now on

    def say(self, text):
        """Say a text, line by line, or several, each with its number."""
        if not isinstance(text, str):
            is_numbered = len(text) < 2 or text[0].lstrip()[:1].isdigit()
            text = "\n".join(
                text if is_numbered else (f"{number}. {line}" for number, line in enumerate(text, start=1))
            )
        for line in put_in_words(text).splitlines():
            if line.strip():
                self.stdout.write(f"{line.strip()}\n")

    def notice(self, text):
        """Say at once that the program is thinking."""
        print("Thinking", file=self.stdout, flush=True)

    def show(self, game, effect=None):
        """Say what a move did, or describe all piles."""
        lines = sentences(game, effect) if effect else all_sentences(game.rules, game.position)
        self.say("\n".join(lines))

    def ask(self, question):
        """Say the question and return the next line that is not a comment, or None at the end."""
        line = "#"
        while line.startswith("#"):
            self.stdout.write(question)
            self.stdout.flush()
            try:
                line = input()
            except EOFError:
                self.stdout.write("\n")
                return None
            except KeyboardInterrupt as interrupt:  # a half-typed line is discarded
                if isinstance(interrupt, Ended) or not get_half_typed():
                    raise
                line = "#"
        return SPOKEN_CARD.sub(lambda card: LETTERS_OF[card[1].lower()] + card[2][0], line)

    def close(self):
        """Flush the output."""
        self.stdout.flush()


def put_in_words(text):
    """Return a text as it is spoken: cards and signs in words, columns as parts of a sentence."""
    for sign, word in SIGNS.items():
        text = text.replace(sign, word)
    text = "\n".join(COLUMNS.sub(", ", line.strip()) for line in text.split("\n"))
    return CARD.sub(lambda card: f"{RANKS.get(card[1], card[1])} {SUITS[card[2]]}", text).replace("XX", "face down")


def sentences(game, effect):
    """Return sentences that say what a command did."""
    rules, position = game.rules, game.position
    piles = {name: pile for name, pile, _ in rules.piles(position)}
    lines, firsts = [], leads(effect)
    if len(firsts) == 1 and firsts[0].dest not in ("stock", "waste"):
        count = sum(moved.dest == firsts[0].dest for moved in effect.moved)
        more = f" and {count - 1} more" if count > 1 else ""
        onto = f" onto {firsts[0].onto}" if firsts[0].onto and not firsts[0].dest.startswith("foundation") else ""
        place = "a foundation" if firsts[0].dest.startswith("foundation") else firsts[0].dest
        if place.startswith("row"):  # in a row cards lie side by side
            place, onto = f"{place}, place {firsts[0].dest_index + 1}", ""
        lines.append(f"{firsts[0].card}{more}{onto or f' to {place}'}.")
    else:
        lines += describe_groups(rules, position, effect)
    turned = [f"{str(card).strip()}, {name}" for name, card in effect.turned if name not in ("waste", "stock")]
    if turned and len(turned) <= MAX_NAMED:
        lines.append(f"Turned up: {'; '.join(turned)}.")
    everything = effect.moved + effect.drawn
    touched = {name for moved in everything for name in (moved.source, moved.dest)}
    drawn = [str(moved.card).strip() for moved in everything if (moved.source, moved.dest) == ("stock", "waste")]
    if drawn:
        lines.append(f"Waste: {', '.join(drawn[-MAX_NAMED:])}.")
    elif "waste" in touched:
        lines.append(pile_sentence(rules, position, "waste", piles["waste"], 1))
    return lines


def describe_groups(rules, position, effect):
    """Return a sentence, in a list, that says which visible cards moved to which pile; [] if none did."""
    seen = [
        card
        for _, pile, count in rules.piles(position)
        for card in seen_cards(rules, position, pile, None if count else count)
    ]
    moved = [move for move in effect.moved + effect.drawn if is_one_of(move.card, seen) and move.dest != "waste"]
    if len(moved) > MAX_NAMED:
        return [MANY]
    lines = [
        f"{', '.join(str(move.card).strip() for move in group)} to {name}"
        for name, group in groupby(moved, key=lambda move: move.dest)
    ]
    return [f"{'; '.join(lines)}."] if lines else []
