"""Piles in sentences: what lies where, for the words look and where, and for who cannot see the board."""

import re
from itertools import groupby

import cards
from patience.game.names import card_of, card_text, is_one_of, lies_face_down, unknown_cards
from patience.game.text import count_of

PILE = re.compile("([a-z]+) ?([0-9]*)")


def lies_open(rules, game, pile, count):
    """Return the cards of a pile that can be seen. count: as in Rules.piles."""
    unknown = unknown_cards(rules, game)
    seen = pile if count is None else pile[len(pile) - min(count, len(pile)) :]
    return [
        card
        for card in seen
        if isinstance(card, cards.Card) and not is_one_of(card, unknown) and not lies_face_down(card)
    ]


def sentence(rules, game, name, pile, count):
    """Return what lies in a pile: `Column 5: 4 face down, then K♥, Q♠.`"""
    seen = lies_open(rules, game, pile, count)
    blanks = [id(card) for card in rules.blanks(game)]
    names = ["blank" if id(card) in blanks else str(card).strip() for card in seen]
    rest = len(pile) - len(seen)
    if not pile:
        told = "empty"
    elif not names:
        told = count_of(rest, "card")
    elif rest and count is None:
        told = f"{rest} face down, then {', '.join(names)}"
    else:
        told = ", ".join(names) + (f", on {count_of(rest, 'other')}" if rest else "")
    return f"{name.capitalize()}: {told}."


def all_sentences(rules, game):
    """Return a sentence for each pile that is not empty, and one for those that are."""
    piles = rules.piles(game)
    told = [sentence(rules, game, *pile) for pile in piles if pile[1]]
    empty = []
    for kind, same in groupby(piles, key=lambda one: one[0].partition(" ")[0]):
        same = list(same)
        numbers = [name.partition(" ")[2] for name, pile, _ in same if not pile]
        if numbers:
            empty.append(f"{kind}s" if len(numbers) == len(same) > 1 else f"{kind} {', '.join(numbers)}".rstrip())
    return told + ([f"Empty: {'; '.join(empty)}."] if empty else [])


def look(rules, game, what):
    """Return the sentences about some piles: all, those of a kind, or one: "columns", "column 5", "c5". [] if there
    are none that are called so."""
    kind, number = (PILE.fullmatch(what.lower().strip()) or PILE.fullmatch("x")).groups()
    found = [
        pile
        for pile in rules.piles(game)
        if pile[0].partition(" ")[0].startswith(kind.removesuffix("s") or kind)
        and number in ("", pile[0].partition(" ")[2])
    ]
    return [sentence(rules, game, *pile) for pile in found]


def where(rules, game, word):
    """Return a sentence: where a card lies, and what lies on it; None if the word is no card."""
    pair = card_of(word)
    if not pair:
        return None
    unknown = unknown_cards(rules, game)
    found = []
    for name, pile, _ in rules.piles(game):
        for place, card in enumerate(pile):
            if isinstance(card, cards.Card) and (card.rank(), card.suit()) == pair and not is_one_of(card, unknown):
                if name.startswith("row "):  # where cards lie beside each other
                    found.append(f"{name}, place {place + 1}")
                    continue
                covered = [str(one).strip() for one in pile[place + 1 :] if not is_one_of(one, unknown)]
                found.append(f"{name}{', under ' if covered else ''}{', '.join(covered)}")
    return f"{card_text(pair)}: {'; '.join(found)}." if found else f"{card_text(pair)} has not been seen."
