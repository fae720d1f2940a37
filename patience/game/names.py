"""Cards by name: what a card is called, and the move that is meant by the names of cards."""

import functools

import cards
from patience.game.grammar import every_move, not_allowed
from patience.game.text import tidy
from solvers.positions import cards_in, parts, sizes

RANKS = {name: rank for rank, name in enumerate("A 2 3 4 5 6 7 8 9 10 J Q K".split(), start=1)}
SUITS = {name: suit for suit, name in enumerate("CDHS", start=1)}
SYMBOLS = str.maketrans("♣♦♥♠", "CDHS")


def card_of(word):
    """Return the (rank, suit) of a card such as 10H, th, qs or A♣, or None if the word is not a card."""
    name = word.upper().translate(SYMBOLS)
    rank, suit = RANKS.get("10" if name[:-1] == "T" else name[:-1]), SUITS.get(name[-1:])
    return (rank, suit) if rank and suit else None


def card_name(pair):
    """Return a card as a deck file has it: (10, 3) is 10H."""
    rank, suit = pair
    return list(RANKS)[rank - 1] + list(SUITS)[suit - 1]


def cards_named(line):
    """Return the (rank, suit) pairs that a line names, one or two cards, or [] if it is another line."""
    words = line.split()
    named = [card_of(word) for word in words] if len(words) <= 2 else []
    return [] if None in named else named


def named(rules, game, moves, pairs):
    """Return the best move for the cards of a line: the first of the moves whose description begins
    with one of them, or with the first and names the second next.

    moves: legal ones, the best first. pairs: what cards_named returns. Raises Refused if there is none.
    """
    for move in moves:
        if begins_with(rules.describe(game, *move), pairs):
            return move
    raise not_allowed(rules.refused(), functools.partial(why_not, rules, game, pairs))


def begins_with(text, pairs):
    """Return True if a text begins with a card, and these are the first ones that it names. Two that it
    joins by "and" may be named in either order, or one of them alone."""
    words = text.split()
    told = [card_of(word.strip(",.:")) for word in words]
    first = [card for card in told if card][: 2 if words[1:2] == ["and"] else len(pairs)]
    if words[1:2] == ["and"]:
        return told[0] is not None and not set(pairs) - set(first)
    return told[0] is not None and first == pairs


def why_not(rules, game, pairs):
    """Return why the cards cannot be moved as they were named: what the game says of the move that was
    meant, or that there is none.

    With one card a move is meant if the game has only one thing to say of it.
    """
    for pair in pairs:
        if is_hidden(rules, game, pair):
            return f"{card_text(pair)} lies face down."
    reasons = []
    for move in every_move(rules, *sizes(game)):
        reason = rules.refusal(game, *move)
        if reason and begins_with(reason, pairs) and reason not in reasons:
            reasons.append(reason)
    if reasons and len(pairs) == 2 or len(reasons) == 1:
        return tidy(reasons[0])
    return f"No legal move takes {' to '.join(map(card_text, pairs))}."


def is_hidden(rules, game, pair):
    """Return True if the player cannot know where a card lies, or any other like it."""
    unknown = unknown_cards(rules, game)
    places = [is_one_of(card, unknown) for card in cards_in(parts(game)) if (card.rank(), card.suit()) == pair]
    return bool(places) and all(places)


def unknown_cards(rules, game):
    """Return the cards that the player cannot know."""
    return [pile[place] for pile, place in rules.hidden(game)]


def is_one_of(card, others):
    """Return True if this very card is among others."""
    return any(card is one for one in others)


def lies_face_down(card):
    """Return True if a card lies face down."""
    return hasattr(card, "is_face_up") and card.is_face_up() is False


def card_text(pair):
    """Return a card as the board shows it."""
    return str(cards.Card(*pair)).strip()
