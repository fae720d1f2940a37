"""Montana, searched in blocks: moves that do not affect each other are not tried in every order.

Each blank starts a chain of moves: the card that fits moves into the blank and leaves a new blank, the next card moves
into that one, and so on. A move writes two places, the one it fills and the one it empties, and reads the place to the
left of the one it fills. Chains are lengthened in turn, as long as no chain writes a place that another reads or
writes. So the first moves of each chain, any number of them, can be made in any order. The positions they lead to form
one block. A step leaves the block: it is either the move after the last one of a chain, or the move of a 2 to the first
column. Moves of other chains are made before it only if they matter, that is, if the last of them touches a place that
the step reads or writes. Any other move could just as well be made after the step. The only position of the block that
can already be a won one is the corner, after all moves of all chains, because a won game has no moves left.

A position is searched no further if it could not be won even with every moved card also left in its old place.

Once all 2s are in the first column, nothing leaves that column, and a card has only one place to go: to the right of
the card before it. Such a move is forced if two things hold, whatever else is played first: the card before it stays
where it is, and no card comes to the right of the one that moves. Nothing then needs the moving card where it is, so it
may as well go at once. Forced moves are made before a block is begun. The moves that could be played first are found as
above, as if every moved card were also left in its old place.

Positions have the same form as in montana_open.py. A step is (lengths, move): the number of moves of each chain made
after the forced moves, and then the move that leaves the block, or None at the corner.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from patience.solvers.montana_open import BLANK, CODES, EDGE, FIRSTS, KING, LAST, OPEN, ROW, TWO, TWOS
from patience.solvers.montana_open import blanks_of, follow, followers, is_won, make_move, take_up

if TYPE_CHECKING:
    from patience.solvers.montana_open import Single, State

BIT = [1 << place for place in range(4 * ROW + 2)]
FIRST_COLUMN = sum(BIT[place] for place in FIRSTS)
Step = tuple[tuple[int, ...], Any]  # how many moves of each chain are made, and the Single after them, or None
SETTLED = {OPEN, *TWOS}  # what the first column holds once all 2s are in it; the four blanks are then elsewhere


class Chain:
    """The moves that start from one blank."""

    def __init__(self, cells: bytes, blank: int) -> None:
        self.cells = bytearray(cells)  # after the moves of this chain
        self.places = [blank]  # the places of the blank, one after another
        self.cards = []  # each comes from places[n + 1] to places[n]
        self.written, self.read = BIT[blank], 0  # sets of places, as bits

    def lengthen(self, chains: list[Chain]) -> bool:
        """Add the next move if there is one that neither interferes with another chain nor takes a card out of the
        first column; return True if it was added."""
        dest = self.places[-1]
        left = self.cells[dest - 1]
        if left >= LAST:
            return False
        source = self.cells.find(left + 4)
        writes, reads = BIT[source], BIT[dest - 1]
        others = [chain for chain in chains if chain is not self]
        if writes & FIRST_COLUMN or any(
            writes & (other.read | other.written) or reads & other.written for other in others
        ):
            return False
        self.cells[dest], self.cells[source] = left + 4, BLANK
        self.places.append(source)
        self.cards.append(left + 4)
        self.written |= writes
        self.read |= reads
        return True

    def moves(self, length: int) -> list[Single]:
        """Return the moves of the chain up to this length, each (card, from place, to place)."""
        return list(zip(self.cards[:length], self.places[1:], self.places))

    def lengths(self, touched: int) -> list[int]:
        """Return how many of the chain's moves may be made before a step that touches these places: none, or any number
        whose last move interferes with them."""
        found = [0]
        if (self.written | self.read) & touched:
            for number, (source, dest) in enumerate(zip(self.places[1:], self.places), start=1):
                if (BIT[source] | BIT[dest] | BIT[dest - 1]) & touched:
                    found.append(number)
        return found

    def matters(self, length: int, written: int, read: int) -> bool:
        """Return True if the last of the moves up to this length interferes with a move that writes and reads these
        places."""
        source, dest = self.places[length], self.places[length - 1]
        return bool((BIT[source] | BIT[dest]) & (written | read) or BIT[dest - 1] & written)

    def cards_at(self, place: int) -> list[int]:
        """Return the cards that the chain brings to a place."""
        return [card for card, dest in zip(self.cards, self.places) if dest == place]

    def places_for(self, card: int) -> int:
        """Return the places to which the chain brings a card, as bits."""
        return sum(BIT[dest] for mine, dest in zip(self.cards, self.places) if mine == card)


def chains_of(cells: bytes) -> list[Chain]:
    """Return the Chain of each blank, lengthened as far as the chains stay independent."""
    chains = [Chain(cells, blank) for blank in blanks_of(cells)]
    going = chains
    while going:
        going = [chain for chain in going if chain.lengthen(chains)]
    return chains


def steps_from(position: State) -> list[tuple[Step, State]]:
    """Return every step and the position after it, or only the corner if that is won."""
    position, _ = make_forced_moves(position)
    cells, key = position
    if not can_be_won(cells):
        return []
    chains = chains_of(cells)
    whole = tuple(len(chain.cards) for chain in chains)
    corner = make_moves(cells, key, chains, whole)
    if is_won(corner):
        return [((whole, None), corner)]
    steps = []
    for chain in chains:
        if touched := places_touched(chain, chains):
            steps += steps_out(position, chains, touched, chain=chain)
    for two in TWOS if len(chains) < 4 else ():  # a blank is left in the first column
        if two in cells:
            steps += steps_out(position, chains, BIT[cells.find(two)], two=two)
    return steps


def places_touched(chain: Chain, chains: list[Chain]) -> int:
    """Return the places that the move after the end of a chain can touch, however many moves of the other chains are
    made, or none if no card can get to the end of the chain."""
    dest, others = chain.places[-1], [other for other in chains if other is not chain]
    lefts = [chain.cells[dest - 1], *(card for other in others for card in other.cards_at(dest - 1))]
    cards = {card for left in lefts for card in followers(chain.cells, left)}
    touched = BIT[dest - 1] if cards else 0
    for card in cards:
        touched |= BIT[chain.cells.find(card)]
        for other in others:
            touched |= other.places_for(card)
    return touched | FIRST_COLUMN if touched & FIRST_COLUMN & ~BIT[dest - 1] else touched


def steps_out(
    position: State, chains: list[Chain], touched: int, chain: Chain | None = None, two: int = 0
) -> list[tuple[Step, State]]:
    """Return the steps out of a block, and the positions after them: moves after the end of a chain, or moves of a 2,
    each preceded by those first moves of other chains that matter to it. touched: all places that these moves may
    touch."""
    choices = [[len(each.cards)] if each is chain else each.lengths(touched) for each in chains]
    dest, steps = chain.places[-1] if chain else 0, []
    for lengths in itertools.product(*choices):
        cells, key = make_moves(*position, chains, lengths)
        for move, after in follow(cells, key, dest) if chain else [take_up(cells, key, two)]:
            _, source, _ = move
            written = FIRST_COLUMN if source in FIRSTS else BIT[source]
            written, read = (written | BIT[dest], BIT[dest - 1]) if chain else (written, 0)
            before = [(each, length) for each, length in zip(chains, lengths) if length and each is not chain]
            if all(each.matters(length, written, read) for each, length in before):
                steps.append(((lengths, move), after))
    return steps


def make_moves(cells: bytes, key: int, chains: list[Chain], lengths: tuple[int, ...]) -> State:
    """Return the position after this many moves of each chain."""
    made = bytearray(cells)
    for chain, length in zip(chains, lengths):
        for move in chain.moves(length):
            key = make_move(made, key, *move)
    return bytes(made), key


def as_single_moves(position: State, steps: list[Step]) -> list[Single]:
    """Return the moves that steps stand for, each (card, from place, to place), to EDGE for a 2."""
    moves = []
    for step in steps:
        lengths, last = step
        (cells, _), forced = make_forced_moves(position)
        moves += forced
        for chain, length in zip(chains_of(cells), lengths):
            moves += chain.moves(length)
        moves += [last] if last else []
        position = next(after for other, after in steps_from(position) if other == step)
    return moves


def make_forced_moves(position: State) -> tuple[State, list[Single]]:
    """Return the position after all forced moves, and these moves, each (card, from place, to place)."""
    cells, key = position
    blanks, moves = list(blanks_of(cells)), []
    if not is_settled(cells, blanks):
        return position, moves
    made, places = bytearray(cells), places_by_card(cells)
    while move := forced_move(made, blanks, places):
        card, source, dest = move
        key = make_move(made, key, *move)
        places[card] = dest
        blanks[blanks.index(dest)] = source
        moves.append(move)
    return (bytes(made), key), moves


def is_settled(cells: bytes, blanks: list[int]) -> bool:
    """Return True if all 2s are in the first column."""
    return len(blanks) == 4 and all(cells[place] in SETTLED for place in FIRSTS)


def places_by_card(cells: bytes | bytearray) -> bytearray:
    """Return the place of each card, by its code."""
    places = bytearray(CODES)
    for place, card in enumerate(cells):
        places[card] = place
    return places


def forced_move(cells: bytearray, blanks: list[int], places: bytearray) -> Single | None:
    """Return a forced move, or None. places: the place of each card."""
    for dest in blanks:
        left = cells[dest - 1]
        if left < LAST:
            card, source = left + 4, places[left + 4]
            needed = BIT[dest - 1] | BIT[source + 1] if card < LAST else BIT[dest - 1]
            if not can_be_emptied(cells, needed, [blank for blank in blanks if blank != dest], places):
                return card, source, dest
    return None


def can_be_emptied(cells: bytearray, needed: int, blanks: list[int], places: bytearray) -> bool:
    """Return True if moves into these blanks could empty one of the needed places, given as bits, supposing that every
    moved card is also left in its old place. places: the place of each card."""
    empty, waiting = sum([BIT[blank] for blank in blanks]), blanks
    if empty & needed:
        return True
    coming, come = {}, set()  # place -> cards that can come there once it is empty; (card, place) pairs
    while waiting:
        dest = waiting.pop()
        for card in followers(cells, cells[dest - 1]) + coming.pop(dest, []):
            if (card, dest) not in come:
                come.add((card, dest))
                source = BIT[places[card]]
                if not empty & source:
                    if needed & source:
                        return True
                    empty |= source
                    waiting.append(places[card])
                if card < LAST:
                    coming.setdefault(dest + 1, []).append(card + 4)
                    if empty & BIT[dest + 1]:
                        waiting.append(dest + 1)
    return False


# Sets of places where each card of a rank can be: the four suits are side by side in one number.
SUIT = 4 * ROW + 1  # bits
SUITS = [SUIT * suit for suit in range(4)]
PLACES = (1 << SUIT) - 1
EACH = sum(1 << suit for suit in SUITS)
ORDERS = [sum(BIT[place] << suit for place, suit in zip(FIRSTS, suits)) for suits in itertools.permutations(SUITS)]
AT = [[BIT[place] << SUIT * (card % 4) for place in range(SUIT)] for card in range(LAST + 4)]


def can_be_won(cells: bytes) -> bool:
    """Return False if the game could not be won from here even with every moved card also left in its old place."""
    reach, blank = [0] * (KING + 1), 0  # rank -> where its cards can be; where a blank can be
    for place, card in enumerate(cells):
        if card < LAST + 4:
            reach[card // 4] |= AT[card][place]
        elif card != EDGE:
            blank |= BIT[place]
    before = -1
    while blank != before:
        before = blank
        wanted = (blank & FIRST_COLUMN) * EACH
        free = (blank & ~FIRST_COLUMN) * EACH
        for rank in range(TWO, KING + 1):
            here = reach[rank]
            if new := wanted & ~here:
                reach[rank] = here = here | new
                for suit in SUITS:
                    if new >> suit & PLACES:
                        blank |= here >> suit & PLACES
                free = (blank & ~FIRST_COLUMN) * EACH
            wanted = here << 1 & free
    rows = reach[TWO]
    for rank in range(TWO + 1, KING + 1):
        rows &= reach[rank] >> rank - TWO
    return any(rows & order == order for order in ORDERS)
