"""The effect of a command, in sentences, for a player who listens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from patience.effects import Effect, Moved, onto_of
from patience.layout import FOUNDATION, Layout, is_one_of, pair_of
from patience.sentences import pile_sentence, tops

if TYPE_CHECKING:
    from patience import Pair

MAX_NAMED = 8  # moved cards,
MAX_DRAWN = 3  # drawn ones,
MAX_EMPTY = 3  # and places now empty: at most this many are named


def describe_effect(
    layout: Layout, effect: Effect, messages: Sequence[str], before: list[str], status: list[str]
) -> list[str]:
    """Return sentences about the effect of a command, in this order: what moved, what the game says about it, what was
    dealt and turned up, the waste, what is empty now, and how the game stands, if that is more than a count of cards.
    before, status: the facts about the progress before and after the command."""
    face_down, everything = layout.face_down_piles, effect.moved + effect.drawn  # the game itself reports a clear
    seen = [moved for moved in effect.moved if moved.dest not in face_down]
    lead_cards = [moved for moved in effect.lead_cards if moved.dest not in face_down]
    is_long = len(seen) > MAX_NAMED
    later = sum(moved.dest in face_down for moved in effect.drawn)  # dealt and cleared at once; the game says so last
    said = [line for message in messages for line in message.splitlines()]
    if any(moved.dest in ("stock", "shoe") and moved.source != "waste" for moved in effect.moved):
        lines = tops(layout)  # a deal was taken back
    else:
        lines = describe_moved(layout, effect, seen, lead_cards)
        lines += [] if is_long else said[: len(said) - later]
        lines += describe_turned(layout, effect)
        lines += [] if is_long else said[len(said) - later :]
        lines += describe_waste(layout, everything)
    sources = dict.fromkeys(moved.source for moved in everything if moved.source != "waste")
    empty = [f"{name} is empty.".capitalize() for name in sources if not layout.cards.get(name, [None])]
    lines += empty if len(empty) <= MAX_EMPTY else [f"{len(empty)} places are empty now."]
    changed = [fact for fact in status if fact not in before]
    if changed and (status[1:] or len(lead_cards) != 1):
        lines.append(f"{', '.join(changed)}.")
    return [*lines, *(said if is_long else ())]


def describe_moved(layout: Layout, effect: Effect, seen: list[Moved], lead_cards: list[Moved]) -> list[str]:
    """Return sentences about the cards that moved. seen: their Moves, except those to face-down piles. lead_cards: the
    lead cards among these."""
    if len(lead_cards) != 1 or lead_cards[0].dest == "waste":
        return describe_groups(layout, seen)
    known = Counter(pair_of(place.card) for place in layout.places if place.is_known)
    source, index = lead_cards[0].source, lead_cards[0].source_index
    count = sum(moved.source == source and moved.source_index >= index for moved in effect.moved)
    return [group_sentence(lead_cards[0], count, known)]


def describe_turned(layout: Layout, effect: Effect) -> list[str]:
    """Return sentences about the cards that were dealt, and about those turned up in place."""
    lines, dealt = [], [moved for moved in effect.drawn if moved.dest != "waste"]
    face_down = layout.face_down_piles
    is_cleared = any(moved.dest in face_down for moved in dealt)  # dealt from the top, and cleared at once
    if is_cleared:
        dealt.sort(key=lambda moved: -moved.source_index)
    if is_cleared or [moved.dest for moved in dealt] in (
        [name for name, *_ in same_kind] for _, same_kind in layout.kinds
    ):
        lines.append(f"Dealt: {', '.join(str(moved.card).strip() for moved in dealt)}.")
    elif dealt:
        lines += describe_groups(layout, dealt)
    turned = [f"{str(card).strip()}, {name}" for name, card in effect.turned if name not in ("waste", "stock")]
    return lines + ([f"Turned up: {'; '.join(turned)}."] if turned and len(turned) <= MAX_NAMED else [])


def describe_waste(layout: Layout, everything: list[Moved]) -> list[str]:
    """Return a list with a sentence about the waste, if the waste has changed. everything: the Moves of an Effect."""
    waste = layout.cards.get("waste")
    from_stock = [moved.card for moved in everything if (moved.source, moved.dest) == ("stock", "waste")]
    drawn = [str(card).strip() for card in from_stock if is_one_of(card, waste or ())]  # others went up by themselves
    if drawn and len(drawn) <= MAX_DRAWN:
        return [f"Waste: {', '.join(drawn)}."]
    if drawn and waste is not None:
        told = pile_sentence(layout, "waste", waste, MAX_DRAWN)
        return [f"{len(drawn)} cards went to the waste. {told}"]
    is_concerned = not everything or any("waste" in (moved.source, moved.dest) for moved in everything)
    return [pile_sentence(layout, "waste", waste, 1)] if waste is not None and is_concerned else []


def group_sentence(moved: Moved, count: int, known: Counter[Pair]) -> str:
    """Return a sentence about a group of cards that moved together. moved: the Moved of its first card. count: the
    number of cards. known: (rank, suit) -> how many known cards have it; for twins, the sentence also says where they
    came from."""
    more = f" and {count - 1} more" if count > 1 else ""
    more += f" from {moved.source}" if known[pair_of(moved.card)] > 1 else ""
    if moved.dest.startswith("row"):  # in a row cards lie side by side
        return f"{moved.card}{more} to {moved.dest}, column {moved.dest_index + 1}."
    if onto_of(moved):
        return f"{moved.card}{more} onto {moved.onto}{f' of {moved.dest}' if known[pair_of(moved.onto)] > 1 else ''}."
    return f"{moved.card}{more} to {'a foundation' if moved.dest.startswith(FOUNDATION) else moved.dest}."


def describe_groups(layout: Layout, moves: list[Moved]) -> list[str]:
    """Return sentences that say which visible cards moved to which pile or, if there are many, what can be played now;
    [] if none moved. moves: Moves of an Effect."""
    seen = [
        card
        for _, pile, count in layout.piles
        for card in layout.seen(pile, None if count else count)  # all cards, unless none can be seen
    ]
    moved = [move for move in moves if is_one_of(move.card, seen) and move.dest != "waste"]
    within = {move.dest for move in moved if move.source == move.dest and not layout.blanks}
    if within == {move.dest for move in moved} != set():  # in a different order
        return [pile_sentence(layout, *pile) for pile in layout.piles if pile[0] in within]
    if len(moved) > MAX_NAMED:
        return [f"{len(moved)} cards moved.", *tops(layout)]
    lines = [
        f"{', '.join(str(move.card).strip() for move in group)} to {name}"
        for name, group in groupby(moved, key=lambda move: move.dest)
    ]
    return [f"{'; '.join(lines)}."] if lines else []
