"""A typed line -> moves: one tokenizer, cards by name, draws, and suggestions. The grammar of COMMANDS is in
rules.py."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

import cards
from patience.positions import copy_of, positions_after_draws, sizes

from patience import Move, Pair, effects, sentences
from patience.layout import FOUNDATION, Layout, Place, is_named, kind_of, number_of, pair_of
from patience.rules import Ambiguous, Refused, Rules, every_move, forms, read
from patience.text import card_name, card_of, card_text, printable, tidy

if TYPE_CHECKING:
    from cards import Card

    from patience import Position
    from patience.game import Game

CARD = re.compile("(?:10|[2-9ATJQK])[CDHS♣♦♥♠]", re.IGNORECASE)
PART = re.compile(r"[^\W\d_]+|[0-9]+|\S")
VARIANTS = str.maketrans("", "", "\ufe0e\ufe0f")  # phones write one of these after a suit
SKIPPED = ("to", "on", "onto", "move", "put", "play", ",")
DRAWS = ("d", "dr", "draw")  # unless they are commands of the game
ALL = "all"  # draws through the whole stock
TO_FOUNDATION = ("f", "foundation", "up")
BETWEEN_COLUMNS = ("s", "d")  # if only two numbers are typed, the command with these letters is meant
MAX_DRAWS = 200  # to try to reach a card
MAX_QUOTED = 40  # characters quoted from a line
ALIKE = 0.7  # how similar a word must be to another to count as a typo

# Reading a line


def tokens_of(line: str) -> list[str]:
    """Return the cards, words, numbers and signs in a command, in lower case, even if no blanks separate them."""
    tokens = []
    for chunk in line.translate(VARIANTS).lower().replace(",", " ").split():
        cards = CARD.findall(chunk)
        tokens += cards if "".join(cards) == chunk else PART.findall(chunk)
    return tokens


def moves_of(game: Game, line: str) -> list[Move]:
    """Return the moves that a command means: one move, or as many draws as it takes. Raises Refused if there are
    none."""
    layout, rules = game.layout, game.rules
    tokens = [token for token in tokens_of(line) if token not in SKIPPED or token.upper() in forms(rules.COMMANDS)]
    pairs = [pair for pair in map(card_of, tokens) if pair]
    if 1 <= len(pairs) <= 2 and len(pairs) == len(tokens):
        return [move_by_name(game, pairs, "")]
    word, *rest = tokens or [""]
    if rest and card_of(word) and (place := place_named(layout, rest)):
        return [move_by_name(game, pairs[:1], place)]
    known = forms(rules.COMMANDS)
    draws = rules.DRAW_WORD and word.upper() not in known and word in DRAWS
    is_draw = draws or word and word.upper() == rules.DRAW_WORD
    if is_draw and len(rest) == 1 and (rest[0] == ALL or card_of(rest[0])):
        return draws_to(layout, rest[0])
    if draws:
        word = str(rules.DRAW_WORD)
    elif len(tokens) > 1 and all(token.isdecimal() for token in tokens):
        between = [form.word for form in known.values() if form.letters[:2] == BETWEEN_COLUMNS]
        return [read(rules, " ".join([*between[:1], word, *rest]))]
    return [read(rules, " ".join([word, *rest]))]


def place_named(layout: Layout, tokens: list[str]) -> str:
    """Return the place that the tokens after a card stand for, as in effects.matches: a number, a foundation or a pile;
    or "" if they stand for none."""
    text = " ".join(tokens)
    if text in TO_FOUNDATION:
        return FOUNDATION
    return text if text.isdecimal() or sentences.look(layout, text) else ""


def move_by_name(game: Game, pairs: list[Pair], place: str) -> Move:
    """Return the legal move that takes the first card onto the second, or to a place. pairs, place: as in
    effects.matches. Raises Refused with the game's reason if there is no such move; also raises Refused if the only
    such moves go to a kind of pile that the number does not mean. A number means the first kind of pile in Rules.piles
    that has this number."""
    if game.rules.no_moves:
        raise Refused(game.rules.no_moves)
    layout = game.layout
    found = {}  # the name of the pile -> the first move that goes there
    for move in game.legal_moves():
        lead_cards = effects.lead_cards_of(layout, move)
        if effects.matches(lead_cards, pairs, place):
            if not place.isdecimal():
                return move
            found.setdefault(lead_cards[0].dest, move)
    names = [name for name, *_ in layout.piles if number_of(name) == place]
    meant = next((name for name in names if not name.startswith(FOUNDATION)), "")
    if meant in found:
        return found[meant]
    if found:
        other = next(iter(found))
        card, short = card_name(pairs[0]).lower(), f"{kind_of(other)[0]}{place}".lower()
        reason = f"{place} alone means {meant}. {card} {short} takes {card_text(pairs[0])} to {other}."
        raise Ambiguous(reason)
    raise Refused(explain_refusal(layout, pairs, place))


def explain_refusal(layout: Layout, pairs: list[Pair], place: str) -> str:
    """Return why the named cards cannot move: the game's reason if it is clear which move was meant, or a sentence
    saying that there is no such move."""
    for pair in pairs:
        if layout.is_hidden(pair):
            return f"{card_text(pair)} has not been seen yet."
    if len(pairs) == 1 and not place and (way := way_back_from_foundation(layout, pairs[0])):
        return way
    reasons = meant_reasons(layout, pairs, place) or meant_reasons(layout, pairs[:1], "")
    if len(reasons) == 1:
        return reasons[0]
    named = [name for name, *_ in layout.piles if place and is_named(name, place)]
    destination = "a foundation" if place == FOUNDATION else named[0] if len(named) == 1 else place
    destination = destination and f" to {destination}"
    lying = [(pair, place) for pair in pairs for place in layout.places_of(pair) if place.is_known]
    covered = dict.fromkeys(
        f" {sentences.where(layout, pair)}" for pair, place in lying if sentences.covering(layout, place)
    )
    return f"No legal move takes {' to '.join(map(card_text, pairs))}{destination}.{''.join(covered)}"


def way_back_from_foundation(layout: Layout, pair: Pair) -> str:
    """Return how to type the legal move that takes a card back from a foundation, or "". Typing only the card's name
    does not take it back."""
    for move in layout.legal_moves:
        for moved in effects.lead_cards_of(layout, move):
            if pair_of(moved.card) == pair and moved.source.startswith(FOUNDATION):
                onto = card_name(pair_of(moved.onto)) if moved.onto else number_of(moved.dest)
                line = f"{card_name(pair)} {onto}".lower()
                return f"{card_text(pair)} lies on {moved.source}: {line} takes it back."
    return ""


def meant_reasons(layout: Layout, pairs: list[Pair], place: str) -> list[str]:
    """Return up to two of the game's reasons why the first card does not go to the second, or to a place. A move counts
    as meant if it would take another card from the first card's place to the same destination; if there are several
    such moves, only those with the most numbers count."""
    reasons, count = [], 0  # count: of the numbers
    numbers = {place} if place.isdecimal() else set()
    for pair in pairs[1:]:
        numbers |= {number_of(spot.pile) for spot in layout.places_of(pair)}
    for spot in [spot for spot in layout.places_of(pairs[0]) if spot.is_known]:
        trial = copy_of(layout.position)
        pile = Layout(layout.rules, trial).cards[spot.pile]
        for move in moves_from(layout, spot, numbers):
            if len(move) < count or reasons[1:]:
                break
            reason = layout.rules.refusal(layout.position, *move)
            if reason and would_take(layout.rules, trial, spot, pile, move, pairs[1:], place):
                count = len(move)
                reasons += [reason] if reason not in reasons else []
    return list(map(tidy, reasons))


def moves_from(layout: Layout, spot: Place, numbers: set[str]) -> list[Move]:
    """Return the moves of every_move that may take a card from its Place, those with the most numbers first. numbers:
    the numbers of the piles it may go to, as text; empty, or containing "", if they are unknown."""
    rules, number = layout.rules, number_of(spot.pile)
    moves = every_move(rules, *sizes(layout.position))
    if "" in forms(rules.COMMANDS):  # the numbers mean rows and columns, not piles
        return [move for move in moves if move[1:3] == (int(number), spot.index + 1)]
    own, dests = {*rules.VIEWS, rules.DRAW_WORD}, set() if "" in numbers else {*map(int, numbers)}
    sources = {int(number)} if number else set()
    possible = [
        move
        for move in moves
        if move[0] not in own and sources <= {*move[1:]} and (not dests or not dests.isdisjoint(move[1:]))
    ]
    return sorted(possible, key=len, reverse=True)


def would_take(
    rules: Rules, trial: Position, spot: Place, pile: list[Card], move: Move, onto: list[Pair], place: str
) -> bool:
    """Return True if a move would take the card at a Place onto another card, or to a place, if the card at the
    Place were a different one. trial: a copy of the position, in which that card is replaced. pile: the pile that
    holds it."""
    for pair in dict.fromkeys(rules.PACK):
        pile[spot.index] = cards.Card(*pair)
        if rules.refusal(trial, *move) is None:
            lead_cards = effects.lead_cards_of(Layout(rules, trial), move)
            is_card = [(moved.source, moved.source_index) for moved in lead_cards] == [(spot.pile, spot.index)]
            if is_card and effects.matches(lead_cards, [pair, *onto], place):
                return True
    return False


def draws_to(layout: Layout, aim: str) -> list[Move]:
    """Return the draws that bring a seen card to the top of the waste or, with ALL, the draws that show all unseen
    cards (at least one draw). Raises Refused if drawing does not bring up the card."""
    rules, pair, unseen, count = layout.rules, card_of(aim), len(layout.unknown), 0
    twins = layout.places_of(pair)
    coming = [place for place in twins if place.pile in ("stock", "waste")]
    if pair and not any(place.is_known for place in coming or twins):
        raise Refused(f"{card_text(pair)} has not been seen yet.")
    for number, trial in enumerate(islice(positions_after_draws(rules, layout.position), MAX_DRAWS), start=1):
        before, unseen = unseen, len(rules.hidden(trial))  # an unseen card must not count, even if its twin was seen
        if pair and unseen == before and [*map(pair_of, getattr(trial, "waste", [])[-1:])] == [pair]:
            return [(rules.DRAW_WORD,)] * number
        if not pair and unseen == before:
            break
        count = number
    if pair:
        raise Refused(f"Drawing does not bring up {card_text(pair)}.")
    return [(rules.DRAW_WORD,)] * max(1, count)


# Lines that are not understood

# Words from other programs, and the reply to them.
ELSEWHERE = {
    "save load store keep": "Games are saved as you play; q leaves, and list shows them.",
    "score points": "The line under the board has the time; stats shows your results.",
    "back close stop": "q leaves; u takes the last command back.",
    "auto autoplay finish collect": "A, if the game has it, plays cards up.",
    "daily today": "play GAME --daily deals today's; stats daily shows those you won.",
}  # fmt: skip


def explain_not_understood(line: str, rules: Rules, words: Iterable[str], example: str) -> str:
    """Return the reply to a player's line that is not a command: the line, and what the player may have meant. words:
    the words that every game has. example: a move as typed."""
    quoted = printable(line.strip() if len(line) <= MAX_QUOTED else line[:MAX_QUOTED] + " ...")
    typed, *rest = tokens_of(line) or [""]
    meant = next((text for names, text in ELSEWHERE.items() if typed in names.split()), "")
    known = [*words, *(word.lower() for word in forms(rules.COMMANDS) if word)]
    begun = [word for word in known if typed and word.startswith(typed)]
    for alike in [] if meant else begun[:1] or difflib.get_close_matches(typed, known, 1, ALIKE):
        form = forms(rules.COMMANDS).get(alike.upper())
        meant = form.help if form else f"Did you mean {' '.join([alike, *rest])}?"
    return f"{quoted}: not understood. {meant or f'Type help, or a move: {example}.'}"
