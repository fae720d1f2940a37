"""What a move did: facts, from the position before and the one after it. Nothing here has a state."""

from collections import Counter, namedtuple
from itertools import islice

import cards
from patience.game.names import card_of, card_text, lies_face_down
from patience.game.text import count_of, tidy
from solvers.positions import drawn, lists_in, parts, position_after, same

MOST_TURNED, MOST_MOVED = 4, 8  # cards that are named

# A card that lies elsewhere: it, as it lies now, and the places, (number of the list, index), before and after.
Moved = namedtuple("Moved", "card source dest")


def between(before, after):
    """Return what moved, as a list of Moved. before, after: lists of lists that hold cards."""
    here, there = places(before), places(after)
    moved = []
    for pair in {**here, **there}:
        left = [place for place in here.get(pair, []) if place not in there.get(pair, [])]
        came = [place for place in there.get(pair, []) if place not in here.get(pair, [])]
        moved += [Moved(after[dest[0]][dest[1]], source, dest) for source, dest in zip(left, came)]
    return moved


def places(piles):
    """Return where cards lie: (rank, suit) -> list of (number of the list, index)."""
    found = {}
    for number, pile in enumerate(piles):
        for index, card in enumerate(pile):
            if isinstance(card, cards.Card):
                found.setdefault((card.rank(), card.suit()), []).append((number, index))
    return found


def lists_of(game):
    """Return all lists of a position."""
    return list(lists_in(parts(game)))


def moved_first(rules, before, after, move):
    """Return the Moved of the card that a move is said to move, or None."""
    pair = card_of(rules.describe(before, *move).split()[0])
    moved = between(lists_of(before), lists_of(after)) if pair else []
    return next((one for one in moved if (one.card.rank(), one.card.suit()) == pair), None)


def turned_up(rules, before, after):
    """Return the cards that became known, as (rank, suit), the next to be dealt first."""
    known = [
        [(pile[index].rank(), pile[index].suit()) for pile, index in rules.hidden(game)] for game in (after, before)
    ]
    return list((Counter(known[1][::-1]) - Counter(known[0])).elements())


def brought_up(before, after):
    """Return the cards that came to lie open at the end of a list."""
    piles = lists_of(after)
    return [
        card
        for card, _, (number, index) in sorted(between(lists_of(before), piles), key=lambda one: one.dest)
        if index == len(piles[number]) - 1 and not lies_face_down(card)
    ]


def draws_made(rules, before, after, move):
    """Return how many single draws a move came to."""
    most = move[1] if len(move) > 1 else 1
    trials = enumerate(islice(drawn(rules, before), most), start=1)
    return next((count for count, trial in trials if same(trial, after)), 1)


def told(rules, before, after, move, is_shown=bool):
    """Return what a move did in a few words, or "" if the board, or what the game says, tells it. is_shown: tells of a
    card whether it can be seen."""
    did = tidy(rules.describe(before, *move))
    if move[0] == rules.DRAW_WORD:
        up = " ".join(str(card).strip() for card in brought_up(before, after) if is_shown(card))
        count = draws_made(rules, before, after, move)
        brought = f"{up} up" if up else did
        return f"{count_of(count, 'draw')}, {brought}" if count > 1 else brought
    turned = turned_up(rules, before, after)
    up = f", {' '.join(map(card_text, turned))} turned up" if 0 < len(turned) <= MOST_TURNED else ""
    if card_of(did.split()[0]):
        return did + up
    moved = [one.card for one in between(lists_of(before), lists_of(after))]
    if turned and not up or not 0 < len(moved) <= MOST_MOVED:
        return ""
    return f"moved {' '.join(str(card).strip() for card in moved)}{up}"


def ends_of(rules, game, move):
    """Return the card that a move would take first, and the one that it would lie on or beside, if there are such."""
    moved = moved_first(rules, game, position_after(rules, game, move), move)
    if not moved:
        return []
    piles, (number, index) = lists_of(game), moved.dest
    onto = piles[number][index - 1 : index] if index else []
    return [piles[moved.source[0]][moved.source[1]], *(card for card in onto if isinstance(card, cards.Card))]
