"""Where cards lie, in sentences, and the effect of a command, in a few words for the status line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patience.effects import Effect, Moved, lead_cards_of, onto_of
from patience.layout import FOUNDATION, Layout, Place, is_named, is_one_of, number_of
from patience.text import card_text, count_of, tidy
from patience.positions import lies_face_down

if TYPE_CHECKING:
    from cards import Card
    from patience import Move, Pair

MAX_ON = 6  # how many cards lying on another one are named,
MAX_FITTING = 2  # how many that fit into a blank,
MAX_TURNED, MAX_MOVED = 4, 8  # and how many in the status line


# Where cards lie


def pile_sentence(layout: Layout, name: str, pile: list[Card], count: int | None) -> str:
    """Return what lies in a pile: `Column 5: 4 face down, then K♥, Q♠.`"""
    seen = layout.seen(pile, count)
    names = ["blank" if id(card) in layout.blanks else str(card).strip() for card in seen]
    rest = len(pile) - len(seen)
    if not pile:
        text = "empty"
    elif not names:
        text = count_of(rest, "card")
    elif rest and count is None:
        text = f"{rest} face down, then {', '.join(names)}"
    else:
        text = ", ".join(names) + (f", on {count_of(rest, 'other')}" if rest else "")
    return f"{name.capitalize()}: {text}."


def whole_sentence(layout: Layout, name: str, pile: list[Card], count: int | None) -> str:
    """Return what lies in a pile, naming all the cards in it that the player knows, in order: `Waste: 7♣, K♥, J♣.`"""
    known = [card for card in pile if id(card) not in layout.unknown]
    if not count or not known or any(map(lies_face_down, known)):
        return pile_sentence(layout, name, pile, count)
    rest = len(pile) - len(known)
    names = ", ".join(str(card).strip() for card in known)
    return f"{name.capitalize()}: {names}{f', on {rest} not seen yet' if rest else ''}."


def all_sentences(layout: Layout) -> list[str]:
    """Return a sentence for each pile that has cards, and one for all empty piles."""
    empty = []
    for kind, same_kind in layout.kinds:
        numbers = [number_of(name) for name, pile, _ in same_kind if not pile]
        if numbers:
            all_empty = len(numbers) == len(same_kind) > 1
            empty.append(f"{kind}s" if all_empty else f"{kind} {', '.join(filter(None, numbers))}".rstrip())
    sentences = [pile_sentence(layout, *pile) for pile in layout.piles if pile[1]]
    return sentences + ([f"Empty: {'; '.join(empty)}."] if empty else [])


def passed_sentence(layout: Layout, effect: Effect) -> str:
    """Return a sentence about the cards that were drawn for the first time, if there are more of them than the waste
    shows; or ""."""
    waste = [moved for moved in effect.drawn if (moved.source, moved.dest) == ("stock", "waste")]
    shown = next((count for name, _, count in layout.piles if name == "waste"), None)
    if shown is None or len(waste) <= shown:
        return ""
    return f"Drawn: {', '.join(str(moved.card).strip() for moved in waste)}."


def blank_sentences(layout: Layout) -> list[str]:
    """Return a sentence for each blank, saying which cards can go there."""
    sentences, fitting = [], {}  # fitting: (name of a pile, index there) -> the cards that can go there
    for move in layout.legal_moves if layout.blanks else ():
        for moved in lead_cards_of(layout, move)[:1]:
            fitting.setdefault((moved.dest, moved.dest_index), []).append(str(moved.card).strip())
    for name, pile, _ in layout.piles:
        for index in [index for index, card in enumerate(pile) if id(card) in layout.blanks]:
            named = fitting.get((name, index), ["nothing"])
            if named[MAX_FITTING:]:
                named = [named[0], count_of(len(named) - 1, "other")]
            sentences.append(f"{name.capitalize()}, column {index + 1}: {' or '.join(named)}.")
    return sentences


def tops(layout: Layout, most: int | None = None) -> list[str]:
    """Return sentences about what can be played from and onto: for each kind of pile, the last card of each pile; for
    each blank, the cards that can go there. most: if a kind has more piles than this, only their number is given."""
    sentences, empty = blank_sentences(layout), []
    blanks = bool(sentences)
    for kind, piles in layout.kinds:
        shown = []
        for name, pile, count in piles:
            seen = layout.seen(pile, count)
            is_seen = bool(seen) and is_one_of(pile[-1], seen)
            shown.append(str(pile[-1]).strip() if is_seen else count_of(len(pile), "card") if pile else "empty")
        heading = f"{kind}s" if len(piles) > 1 else piles[0][0]
        if {*shown} == {"empty"}:
            empty.append(heading)
        elif most and len(shown) > most:
            sentences.append(f"{heading.capitalize()}: {len(shown)}; look {heading.lower()} lists them.")
        elif not blanks:
            sentences.append(f"{heading.capitalize()}: {', '.join(shown)}.")
    return sentences + ([f"Empty: {'; '.join(empty)}."] if empty else [])


def look(layout: Layout, pile_name: str) -> list[str]:
    """Return sentences about the piles of a kind, or about one pile: "columns", "column 5", "c5"; [] if no pile has
    this name."""
    named = [pile for pile in layout.piles if is_named(pile[0], pile_name)]
    sentence = whole_sentence if len(named) == 1 else pile_sentence
    return [sentence(layout, *pile) for pile in named]


def covering(layout: Layout, place: Place) -> list[str]:
    """Return the cards that the player knows on top of a Place. In a row cards lie side by side."""
    above = [one for one in layout.places if one.is_known and one.pile == place.pile and one.index > place.index]
    return [] if place.pile.startswith("row ") else [str(one.card).strip() for one in above]


def where(layout: Layout, pair: Pair) -> str:
    """Return a sentence that says where a card lies and what lies on it."""
    answers = []
    for place in layout.places_of(pair):
        on_it = covering(layout, place)
        covers = ", ".join(on_it) if len(on_it) <= MAX_ON else count_of(len(on_it), "card")
        if place.is_known and place.pile.startswith("row "):
            answers.append(f"{place.pile}, column {place.index + 1}")
        elif place.is_known:
            answers.append(f"{place.pile}, under {covers}" if on_it else place.pile)
    return f"{card_text(pair)}: {'; '.join(answers)}." if answers else f"{card_text(pair)} has not been seen yet."


# What a command did: the status line


def describe_asked(layout: Layout, asked: tuple[Move, ...], effect: Effect) -> str:
    """Return in a few words the effect of the moves that were asked for last, or "" if the board shows it. layout: the
    one after these moves. effect: their effect."""
    places = {id(card) for _, pile, count in layout.piles for card in layout.seen(pile, count)}
    is_few = len(effect.moved) <= MAX_MOVED  # then also those that are covered on a foundation
    shown = [
        str(moved.card).strip()
        for moved in effect.moved
        if id(moved.card) in places or is_few and moved.dest.startswith(FOUNDATION)
    ]
    turned = [
        str(card).strip() for card in [moved.card for moved in effect.drawn] + [card for _, card in effect.turned]
    ]
    up = f", {' '.join(turned)} turned up" if 0 < len(turned) <= MAX_TURNED else ""
    if asked[0][0] == layout.rules.DRAW_WORD:
        return describe_draws(layout, asked, effect, places)
    if len(effect.lead_cards) == 1:
        return tidy(describe_moved_card(effect.lead_cards[0])) + up
    return f"moved {' '.join(shown)}{up}" if 0 < len(shown) <= MAX_MOVED and (up or not turned) else ""


def describe_draws(layout: Layout, asked: tuple[Move, ...], effect: Effect, places: set[int]) -> str:
    """Return the result of draws, as describe_asked does: the card that ended up on top of the waste, or the cards that
    were dealt."""
    came = [moved for moved in effect.moved + effect.drawn if moved.dest == "waste"]
    if "waste" not in layout.cards:
        ends = {name: len(pile) - 1 for name, pile, _ in layout.piles}
        dealt = [
            str(moved.card).strip()
            for moved in effect.moved + effect.drawn
            if moved.dest_index == ends[moved.dest] and moved.dest != "stock" and id(moved.card) in places
        ]
        return f"dealt {' '.join(dealt[-MAX_MOVED:])}" if dealt else ""
    tops = [max(came, key=lambda moved: moved.dest_index).card] if came else layout.cards["waste"][-1:]
    name = "".join(str(top).strip() for top in tops)
    if len(asked) > 1:
        return f"{count_of(len(asked), 'draw')}, {f'now {name}' if name else 'the waste is empty'}"
    if len(asked[0]) > 1 and len(came) > 1:
        return f"drew {len(came)} cards, now {name}"
    return f"drew {name}" if name else "turned the waste over"


def describe_moved_card(moved: Moved) -> str:
    """Return what happened to a card: `9♦ onto 10♠`, `A♥ to foundation 1`."""
    if onto_of(moved):
        return f"{moved.card} {'after' if moved.dest.startswith('row') else 'onto'} {moved.onto}"
    return f"{moved.card} to {moved.dest}"
