"""The console of a player who cannot see the board: what changed, in words, line by line."""

import os
import re
from collections import Counter
from itertools import groupby

from patience.consoles import Console
from patience.consoles.screen import Completion, read_line, read_lines
from patience.effects import FOUNDATION, blank_sentences, is_one_of, kinds, onto_of, pair_of, pile_sentence
from patience.effects import closed_piles, places, seen_cards, tops
from patience.rules import INVALID_INPUT, INVALID_MOVE
from patience.options import BRIEF
from patience.text import CARD, tidy

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
    INVALID_MOVE: "",
    INVALID_INPUT: "",
}
COLUMNS = re.compile(r" {2,}")
NEIGHBOURS = re.compile(rf"({CARD.pattern}) (?={CARD.pattern})")  # cards with nothing between them
RANGE = re.compile(r"^( *\d+)-(?=\d)", re.MULTILINE)  # of commands in the history
LONE_RANK = re.compile(r"(?<=[a-z] )[AJQK](?=[,.]|$)", re.MULTILINE)  # Quadzilla K
MAX_NAMED = 8  # moved cards that are named,
MAX_DRAWN = 3  # and drawn ones,
MAX_EMPTY = 3  # and places that are empty now
MAX_TOPS = 13  # of a kind of pile that are named when a game begins
PAGE = 4  # lines of help spoken at a time
ONCE = ("Enter plays it.", "rules and help say more.")  # lines that are said once
REASON = re.compile(" — .*")


class Spoken(Console):
    """The console of a player who listens."""

    closed = "face down"
    in_sentences = True
    seconds_to_think = 1
    words_left_out = ()
    for_an_empty_line = "status"

    def __init__(self, stdin, stdout):
        """stdin, stdout: the text streams of sys."""
        self.stdout = stdout
        self.is_brief = os.environ.get("PATIENCE_SPOKEN") == BRIEF
        self.status, self.blanks = "", []  # the status line's text, and the sentences about blanks, that were said last
        self.answer, self.last = [], []  # the lines of this answer, and of the last
        self.ended = False  # True once the player has ended the input
        self.known = set()  # the lines of ONCE that have been said
        for stream in (stdin, stdout):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")

    def say(self, text):
        """Say a text, line by line, or several, each with its number."""
        if not isinstance(text, str):
            is_numbered = len(text) < 2 or text[0].lstrip()[:1].isdigit()
            text = "\n".join(
                text if is_numbered else (f"{number}. {line}" for number, line in enumerate(text, start=1))
            )
        for line in put_in_words(REASON.sub("", text) if self.is_brief else text).splitlines():
            if line and line not in self.known:
                self.answer.append(line)
                self.stdout.write(f"{line}\n")
            self.known |= {line} & {*ONCE}

    def last_answer(self):
        """Return the last answer."""
        return "\n".join(self.last)

    def notice(self, text):
        """Say at once that the program is thinking."""
        print("Thinking", file=self.stdout, flush=True)

    def offer(self, candidates):
        """Complete lines with Tab."""
        self.completion = Completion(candidates)

    def questions(self, rules):
        """Return short prompts."""
        return "Command: ", "Enter for a new game, u undo, q quit: "

    def show_board(self, view, sentences):
        """Return what lies in all piles."""
        return sentences()

    def introduce(self, number, again, rule):
        """Return the number of the deal, and how to hear the rules."""
        return "\n".join([*([] if number is None else [f"Deal {number}."]), "rules and help say more."])

    def arrange_rules(self, text):
        """Return the rules in short first, and not how the board looks."""
        paragraphs = [paragraph for paragraph in text.split("\n\n") if "The board: " not in paragraph]
        paragraphs.sort(key=lambda paragraph: not paragraph.startswith("In short: "))
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)

    def arrange_help(self, commands, by_name, groups, page):
        """Return a page of the help, moves by name first, a word a line."""
        rows = [by_name, *(row for group in groups for row in group)]
        lines = [*(f"{form}: {text}" for form, text in rows), *commands.splitlines()]
        shown = "\n".join(lines[(page - 1) * PAGE : page * PAGE]) or "That was all."
        return shown + (f"\nhelp {page + 1} continues." if lines[page * PAGE :] else "")

    def has_page(self, number):
        """Return True if help can have a page of this number."""
        return number > 0

    def explain(self, text, why):
        """Return the reason, or if there is none the text."""
        return why or text

    def show(self, view):
        """Say what a move did, or when a game begins, what can be played."""
        rules, position, effect, messages = view.game.rules, view.game.position, view.effect, view.messages
        before, self.status = self.status, tidy(rules.status(position))
        were, self.blanks = self.blanks, blank_sentences(rules, position)
        if effect:
            lines = sentences(rules, position, effect, messages, before, self.status)
            is_one = len(effect.moved + effect.drawn) == 1
            lines += [line for line in self.blanks if line not in were and is_one]
        else:
            lines = [*messages, *tops(rules, position, MAX_TOPS), *[f"{self.status}."] * bool(self.status)]
        self.say("\n".join(lines))

    def ask(self, question):
        """Say the question and return the next line that is not a comment, or None at the end."""
        line, self.answer, self.last = "#", [], self.answer
        try:
            while line.startswith("#"):
                if self.ended:
                    raise EOFError
                line, self.ended = read_lines(question)
        except EOFError:
            self.stdout.write("\n")
            return None
        return SPOKEN_CARD.sub(lambda card: LETTERS_OF[card[1].lower()] + card[2][0], line)

    def confirm(self, question):
        """Say the question and return the answer, or None at the end of the input. Ctrl-C is no."""
        try:
            return read_line(question)
        except KeyboardInterrupt:
            return "n"
        except EOFError:
            self.stdout.write("\n")
            return None

    def close(self):
        """Flush the output."""
        self.stdout.flush()


def put_in_words(text):
    """Return a text as it is spoken: cards and signs in words, columns as parts of a sentence."""
    for sign, word in SIGNS.items():
        text = text.replace(sign, word)
    text = "\n".join(COLUMNS.sub(", ", line.strip()).strip() for line in text.split("\n"))
    text = LONE_RANK.sub(lambda rank: RANKS[rank[0]], RANGE.sub(r"\1 to ", NEIGHBOURS.sub(r"\1, ", text)))
    return CARD.sub(lambda card: f"{RANKS.get(card[1], card[1])} {SUITS[card[2]]}", text).replace("XX", "face down")


def sentences(rules, position, effect, messages, before, status):
    """Return sentences that say what a command did, its consequences in this order: what moved, what the game says of
    it, what was turned up, the waste, what is empty now, how the game stands, if that is more than a count of cards.
    before, status: the status line's text before and after the command."""
    all_piles, everything = rules.piles(position), effect.moved + effect.drawn
    piles = {name: pile for name, pile, _ in all_piles}
    closed = closed_piles(rules, position)  # a clear is told by the game
    seen = [moved for moved in effect.moved if moved.dest not in closed]
    firsts = [lead for lead in effect.leads if lead.dest not in closed]
    if len(firsts) == 1 and firsts[0].dest != "waste":
        known = Counter(pair_of(place.card) for place in places(rules, position) if place.is_known)
        source, index = firsts[0].source, firsts[0].source_index
        count = sum(moved.source == source and moved.source_index >= index for moved in effect.moved)
        lines = [lead_sentence(firsts[0], count, known)]
    else:
        lines = describe_groups(rules, position, seen)
    is_long = len(seen) > MAX_NAMED
    lines += [] if is_long else messages
    dealt = [moved for moved in effect.drawn if moved.dest != "waste"]
    if [moved.dest for moved in dealt] in ([name for name, *_ in same_kind] for _, same_kind in kinds(all_piles)):
        lines.append(f"Dealt: {', '.join(str(moved.card).strip() for moved in dealt)}.")
    elif dealt:
        lines += describe_groups(rules, position, dealt)
    turned = [f"{str(card).strip()}, {name}" for name, card in effect.turned if name not in ("waste", "stock")]
    if turned and len(turned) <= MAX_NAMED:
        lines.append(f"Turned up: {'; '.join(turned)}.")
    drawn = [str(moved.card).strip() for moved in everything if (moved.source, moved.dest) == ("stock", "waste")]
    if drawn and len(drawn) <= MAX_DRAWN:
        lines.append(f"Waste: {', '.join(drawn)}.")
    elif drawn:
        waste = pile_sentence(rules, position, "waste", piles["waste"], MAX_DRAWN)
        lines.append(f"{len(drawn)} cards to the waste. {waste}")
    elif "waste" in piles and (not everything or any("waste" in (moved.source, moved.dest) for moved in everything)):
        lines.append(pile_sentence(rules, position, "waste", piles["waste"], 1))
    if any(moved.dest in ("stock", "shoe") and moved.source != "waste" for moved in effect.moved):
        lines = tops(rules, position)  # a deal was taken back
    sources = {moved.source: moved.source_index for moved in everything}
    empty = [f"{name} is empty.".capitalize() for name in sources if name != "waste" and not piles.get(name, [None])]
    lines += empty if len(empty) <= MAX_EMPTY else [f"{len(empty)} places are empty now."]
    changed = [part for part in status.split(", ") if part not in before.split(", ")]
    if changed and (", " in status or len(firsts) != 1):
        lines.append(f"{', '.join(changed)}.")
    return [*lines, *(messages if is_long else ())]


def lead_sentence(lead, count, known):
    """Return a sentence about a group of cards that moved together. lead: of its first card. count: the cards. known:
    how many known cards have a (rank, suit): of twins it is said where they lie."""
    more = f" and {count - 1} more" if count > 1 else ""
    more += f" from {lead.source}" if known[pair_of(lead.card)] > 1 else ""
    if lead.dest.startswith("row"):  # in a row cards lie side by side
        return f"{lead.card}{more} to {lead.dest}, place {lead.dest_index + 1}."
    if onto_of(lead):
        return f"{lead.card}{more} onto {lead.onto}{f' of {lead.dest}' if known[pair_of(lead.onto)] > 1 else ''}."
    return f"{lead.card}{more} to {'a foundation' if lead.dest.startswith(FOUNDATION) else lead.dest}."


def describe_groups(rules, position, moves):
    """Return sentences that say which visible cards moved to which pile, or if they are many, what can be played now;
    [] if none did. moves: Moves of an Effect."""
    seen = [
        card
        for _, pile, count in rules.piles(position)
        for card in seen_cards(rules, position, pile, None if count else count)
    ]
    moved = [move for move in moves if is_one_of(move.card, seen) and move.dest != "waste"]
    within = {move.dest for move in moved if move.source == move.dest and not rules.blanks(position)}
    if within == {move.dest for move in moved} != set():  # in another order
        return [pile_sentence(rules, position, *pile) for pile in rules.piles(position) if pile[0] in within]
    if len(moved) > MAX_NAMED:
        return [f"{len(moved)} cards moved.", *tops(rules, position)]
    lines = [
        f"{', '.join(str(move.card).strip() for move in group)} to {name}"
        for name, group in groupby(moved, key=lambda move: move.dest)
    ]
    return [f"{'; '.join(lines)}."] if lines else []
