"""What a move does, from the position before it and the one after it, as data; and where cards lie, in sentences.

Places are (name of a pile, index), with the names that the game's piles have: column 3, waste, foundation 1.
"""

import re
from collections import namedtuple
from itertools import groupby

import cards
from patience.text import card_of, card_text, count_of
from solvers.positions import position_after

FOUNDATION = "foundation"  # how the names of such piles begin
PILE = re.compile("([a-z ]*[a-z]) ?([0-9]*)")

# moved: Moves of cards that the player knew, in an order in which they can have been made. drawn: Moves of cards that
# were not known where they lay. turned: the cards that became known where they lie, as (name of the pile, card).
Effect = namedtuple("Effect", "moved drawn turned")
# A card that lies elsewhere now: it, the name and index of its pile before and after, and the card it lies on or
# beside, or None.
Moved = namedtuple("Moved", "card source source_index dest dest_index onto")


def effect(rules, before, after):
    """Return the Effect that leads from one position to another."""
    here, there = places(rules, before), places(rules, after)
    was_hidden, is_hidden_now = hidden_places(rules, before), hidden_places(rules, after)
    was = {name: pile for name, pile, _ in rules.piles(before)}
    piles = {name: pile for name, pile, _ in rules.piles(after)}
    blanks = rules.blanks(after)
    moved = []
    for pair in {**here, **there}:
        left = [place for place in here.get(pair, []) if place not in there.get(pair, [])]
        came = [place for place in there.get(pair, []) if place not in here.get(pair, [])]
        for source, (name, index) in zip(left, came):
            below = piles[name][index - 1] if index else None
            onto = below if isinstance(below, cards.Card) and not is_one_of(below, blanks) else None
            if not is_one_of(piles[name][index], blanks):
                moved.append(Moved(piles[name][index], *source, name, index, onto))
    drawn = [one for one in moved if (one.source, one.source_index) in was_hidden]
    known = [one for one in moved if one not in drawn]
    turned = [
        (name, piles[name][index])
        for name, index in was_hidden
        if (name, index) not in is_hidden_now and piles[name][index : index + 1] == was[name][index : index + 1]
    ]
    return Effect(in_order(known), in_order(drawn), turned)


def hidden_places(rules, game):
    """Return the places of the cards that the player cannot know: (name of the pile, index)."""
    numbers = {id(pile): name for name, pile, _ in rules.piles(game)}
    return [(numbers[id(pile)], index) for pile, index in rules.hidden(game) if id(pile) in numbers]


def effect_of(rules, game, move):
    """Return the Effect that a legal move would have. If the game says where its cards end, for they cannot be seen
    there afterwards, that is the only thing that moves."""
    ends = rules.ends(game, *move)
    if not ends:
        return effect(rules, game, position_after(rules, game, move))
    card, onto = ends
    (source, index), (dest, onto_index) = (place_of(rules, game, one) for one in (card, onto))
    return Effect([Moved(card, source, index, dest, onto_index + 1, onto)], [], [])


def place_of(rules, game, card):
    """Return the name of the pile in which this very card lies, and its index there."""
    return next(
        (name, index) for name, pile, _ in rules.piles(game) for index, other in enumerate(pile) if other is card
    )


def places(rules, game):
    """Return where cards lie: (rank, suit) -> list of (name of the pile, index)."""
    found = {}
    for name, pile, _ in rules.piles(game):
        for index, card in enumerate(pile):
            if isinstance(card, cards.Card):
                found.setdefault((card.rank(), card.suit()), []).append((name, index))
    return found


def in_order(moved):
    """Return Moves in an order in which they can have been made: of those to one pile the lowest place first, and of
    those from one pile the last card first, unless they went together."""
    queues, ordered = {}, []  # by pile, those that come there
    for one in sorted(moved, key=lambda one: (one.dest, one.dest_index)):
        queues.setdefault(one.dest, []).append(one)
    while len(ordered) < len(moved):
        heads = [queue[0] for queue in queues.values() if queue]
        ordered.append(next((one for one in heads if not lies_under_another(one, queues)), heads[0]))
        queues[ordered[-1].dest].pop(0)
    return ordered


def lies_under_another(one, queues):
    """Return True if a card that goes elsewhere lies on this one."""
    return any(
        other.source == one.source and other.source_index > one.source_index and other.dest != one.dest
        for queue in queues.values()
        for other in queue
    )


def leads(found):
    """Return the Moves of an Effect that a player can mean by a card: the first card of what moves together, or of two
    single cards that go to the same pile both; [] for an Effect that does more."""
    groups = {}
    for one in found.moved:
        groups.setdefault((one.source, one.dest), []).append(one)
    firsts = [min(group, key=lambda one: one.dest_index) for group in groups.values()]
    both = len(firsts) == 2 == len(found.moved) and firsts[0].dest == firsts[1].dest
    both = both and not firsts[0].dest.startswith(FOUNDATION)  # there one goes onto the other
    return firsts if len(firsts) == 1 or both else []


def goes_to(found, pairs, place=""):
    """Return True if an Effect takes the first of some cards, (rank, suit), onto the second, or both to one pile; to
    a place, if there is one: a foundation, FOUNDATION, or a pile of this number that is none."""
    firsts = leads(found)
    moving = [(one.card.rank(), one.card.suit()) for one in firsts]
    founds = [one.dest.startswith(FOUNDATION) for one in firsts]
    if place == FOUNDATION and not any(founds):
        return False
    if place.isdecimal() and (any(founds) or not any(one.dest.split()[-1] == place for one in firsts)):
        return False
    if len(firsts) == 2:
        return not set(pairs) - set(moving) and len(set(pairs)) == len(pairs)
    if moving != pairs[:1] or len(pairs) == 1 and not place and firsts[0].source.startswith(FOUNDATION):
        return False
    onto = firsts[0].onto
    return len(pairs) == 1 or bool(onto) and (onto.rank(), onto.suit()) == pairs[1]


def unknown_cards(rules, game):
    """Return the cards that the player cannot know."""
    return [pile[index] for pile, index in rules.hidden(game)]


def is_one_of(card, others):
    """Return True if this very card is among others."""
    return any(card is one for one in others)


def is_hidden(rules, game, pair):
    """Return True if the player cannot know where a card lies, or any other like it."""
    unknown = unknown_cards(rules, game)
    twins = [card for _, pile, _ in rules.piles(game) for card in pile if isinstance(card, cards.Card)]
    twins = [card for card in twins if (card.rank(), card.suit()) == pair]
    return bool(twins) and all(is_one_of(card, unknown) for card in twins)


def lies_face_down(card):
    """Return True if a card lies face down."""
    return hasattr(card, "is_face_up") and card.is_face_up() is False


# Where cards lie, in sentences


def seen_cards(rules, game, pile, count):
    """Return the cards of a pile that can be seen. count: as in Rules.piles."""
    unknown = unknown_cards(rules, game)
    seen = pile if count is None else pile[len(pile) - min(count, len(pile)) :]
    return [
        card
        for card in seen
        if isinstance(card, cards.Card) and not is_one_of(card, unknown) and not lies_face_down(card)
    ]


def pile_sentence(rules, game, name, pile, count):
    """Return what lies in a pile: `Column 5: 4 face down, then K♥, Q♠.`"""
    seen = seen_cards(rules, game, pile, count)
    blanks = rules.blanks(game)
    names = ["blank" if is_one_of(card, blanks) else str(card).strip() for card in seen]
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


def all_sentences(rules, game):
    """Return a sentence for each pile that is not empty, and one for those that are."""
    piles = rules.piles(game)
    found = [pile_sentence(rules, game, *pile) for pile in piles if pile[1]]
    empty = []
    for kind, same_kind in groupby(piles, key=lambda pile: pile[0].rpartition(" ")[0] or pile[0]):
        same_kind = list(same_kind)
        numbers = [name.rpartition(" ")[2] for name, pile, _ in same_kind if not pile]
        if numbers:
            all_empty = len(numbers) == len(same_kind) > 1
            empty.append(f"{kind}s" if all_empty else f"{kind} {', '.join(numbers)}" if kind != numbers[0] else kind)
    return found + ([f"Empty: {'; '.join(empty)}."] if empty else [])


def look(rules, game, what):
    """Return the sentences about some piles: those of a kind, or one: "columns", "column 5", "c5". [] if there are none
    that are called so."""
    kind, number = (PILE.fullmatch(what.lower().strip()) or PILE.fullmatch("x")).groups()
    found = []
    for name, pile, count in rules.piles(game):
        *words, last = name.split()
        words, own_number = (words, last) if last.isdecimal() else ([*words, last], "")
        called = [name.lower(), *map(str.lower, words)]
        is_kind = any(word.startswith(kind.removesuffix("s") or kind) for word in called)
        if is_kind and number in ("", own_number):
            found.append(pile_sentence(rules, game, name, pile, count))
    return found


def where(rules, game, word):
    """Return a sentence: where a card lies, and what lies on it; None if the word is no card."""
    pair = card_of(word)
    if not pair:
        return None
    unknown = unknown_cards(rules, game)
    found = []
    for name, pile, _ in rules.piles(game):
        for index, card in enumerate(pile):
            if isinstance(card, cards.Card) and (card.rank(), card.suit()) == pair and not is_one_of(card, unknown):
                covering = [str(other).strip() for other in pile[index + 1 :] if not is_one_of(other, unknown)]
                if name.startswith("row "):  # where cards lie beside each other
                    found.append(f"{name}, place {index + 1}")
                else:
                    found.append(f"{name}, under {', '.join(covering)}" if covering else name)
    return f"{card_text(pair)}: {'; '.join(found)}." if found else f"{card_text(pair)} has not been seen."
