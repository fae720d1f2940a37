"""Montana, solved for the cards as they lie, without a shuffle: a beam search that grows wider.

A position is four rows of 14 bytes, an edge and 13 places: 0 for a blank, else 16 times the suit (from 1)
and the rank. A blank takes one card at the most, the one that follows the card to its left; only a
blank beside the edge takes any 2. So a position has few successors, but a way to win has some ninety
moves. The beam goes level by level, all positions of a level having the same number of moves behind
them, and keeps the best of each.

Four ideas make it work:
- A card that can go to its final place, at the end of the finished part of a row, goes there as the only
  successor. It is then in nobody's way. (It may cost a way to win: so a beam never says lost.)
- Of the positions of a level with the same arrangement of 2s and Kings only a few are kept, for these
  decide what else can happen; else the beam fills up with one idea.
- The score follows chains. The card that goes into a blank leaves another blank, which takes another
  card, and so on, to the edge, where any 2 may follow, or to a place behind a King or a blank, where
  nothing may. A 2 that goes to the edge opens a chain as well. No two chains meet, and a place on
  none of them is stuck until a chain is broken. What a chain is worth, by its end and its length, and a
  card, by its place, its left neighbour and the finished part of its row, is in montana_table.py,
  which learn_montana.py has learned from games that were won.
- What decides a game is decided early: from a certain level on the beam narrows.

Before the beam a plain search of all positions is tried for a while. Where it comes to an end it has seen
the whole space, and it alone may say lost.
"""

from collections import namedtuple

from solvers import montana_table
from solvers.search import decide, way_to

import montana

ABOUT = " without a shuffle"  # what a verdict is about
ROW = 14  # bytes: the edge and 13 places
BLANK, EDGE = 0, 1
TWO, KING = 2, 13
SUITS = range(16, 80, 16)
TWOS = [suit + TWO for suit in SUITS]
KINGS = [suit + KING for suit in SUITS]
EDGES = range(0, 4 * ROW, ROW)
FOLLOWER = [code + 1 if code & 15 in range(TWO, KING) else 0 for code in range(80)]
TWOS_AND_KINGS = bytes(code if code in TWOS + KINGS else BLANK for code in range(256))

PLAIN_SEARCH = 3000  # positions of the search that may say lost
WIDTHS = (100, 500, 2500, 8000, 16000, 32000, 64000)
KEPT_ALIKE = 6  # positions of a level with the same arrangement of 2s and Kings
NARROWS_AT = 75  # the level from which on the beam narrows
HALVES_IN = 15  # levels in which its width is halved
NARROWEST = 15

# Weights as they are looked up. place: [card][place]. pair: [left card][right card]. finished: [cards].
# two, blank: what a chain that a 2, or a blank, opens is worth, [what is left of its end][length].
Worth = namedtuple("Worth", "place pair finished two blank")


def solve(game, seconds=10, positions=None):
    """Return an Answer for the tableau as it stands, without a shuffle. It is not changed."""
    start = position(game)

    def tries(limits):
        yield search_all(start, limits)
        for width in WIDTHS:
            yield beam(start, width, WORTH, limits), False

    return decide(tries, as_commands, seconds, positions)


def position(game):
    """Return the tableau as bytes."""
    cells = bytearray()
    for row in game:
        cells.append(EDGE)
        cells += bytes(
            BLANK if montana.is_blank(card) else 16 * card.suit() + card.rank() for card in row)
    return bytes(cells) + bytes([EDGE])


def is_won(cells):
    """Return True if every row is finished."""
    return all(finished(cells, edge) == KING - 1 for edge in EDGES)


def finished(cells, edge):
    """Return how many cards from the left are in sequence, in the row that begins at an edge."""
    card = cells[edge + 1]
    if card & 15 != TWO:
        return 0
    length = 1
    while cells[edge + length + 1] == card + length and length < KING - 1:
        length += 1
    return length


def blanks(cells):
    """Return the places of the blanks."""
    found = []
    place = cells.find(BLANK)
    while place >= 0:
        found.append(place)
        place = cells.find(BLANK, place + 1)
    return found


def moves(cells):
    """Return every move as (from place, to place)."""
    found = []
    for blank in blanks(cells):
        left = cells[blank - 1]
        if left == EDGE:
            found += [(cells.find(two), blank) for two in TWOS]
        elif FOLLOWER[left]:
            found.append((cells.find(left + 1), blank))
    return found


def final_move(cells):
    """Return a list of one move that brings a card to its final place, or an empty list."""
    for blank in blanks(cells):
        left, column = cells[blank - 1], blank % ROW
        if left & 15 == column and TWO <= column < KING and finished(cells, blank - column) == column - 1:
            return [(cells.find(left + 1), blank)]
    return []


def after(cells, source, dest):
    """Return the cells after a move."""
    cells = bytearray(cells)
    cells[dest], cells[source] = cells[source], BLANK
    return bytes(cells)


def search_all(start, limits):
    """Search depth first; return the moves that win, or None, and whether it came to an end."""
    if is_won(start):
        return [], True
    seen = {start}
    path = []
    waiting = [(start, iter(moves(start)))]
    while waiting:
        cells, left = waiting[-1]
        step = next(left, None)
        if step is None:
            waiting.pop()
            if path:
                path.pop()
            continue
        cells = after(cells, *step)
        if cells in seen:
            continue
        if len(seen) > PLAIN_SEARCH:
            return None, False
        limits.spend()
        seen.add(cells)
        path.append(step)
        if is_won(cells):
            return path, True
        waiting.append((cells, iter(moves(cells))))
    return None, True


def beam(start, width, worth, limits, levels=None):
    """Search level by level; return the moves that win, or None.

    width: the positions that are kept of a level, until the beam narrows. levels: a list that takes
    what is kept of every level.
    """
    came_from = {start: None}
    kept = [(0, cards_score(worth, start), start)]
    number = 0
    while kept:
        if levels is not None:
            levels.append([cells for _, _, cells in kept])
        found = []
        for _, score, cells in kept:
            final = final_move(cells)
            for source, dest in final or moves(cells):
                new = after(cells, source, dest)
                if new in came_from:
                    continue
                limits.spend()
                came_from[new] = cells, (source, dest)
                new_score = score + change(worth, cells, new, source, dest)
                if final or cells[dest - 1] == EDGE:
                    if is_won(new):
                        return way_to(new, came_from)
                    new_score += finished_score(worth, new) - finished_score(worth, cells)
                found.append((new_score + chains_score(worth, new), new_score, new))
        number += 1
        halved = max(0, number - NARROWS_AT) / HALVES_IN
        kept = survivors(found, max(NARROWEST, int(width / 2 ** halved)))
    return None


def survivors(found, width):
    """Return the best positions of a level, and of those with the same 2s and Kings only a few."""
    found.sort(reverse=True)
    kept = []
    alike = {}
    for entry in found:
        arrangement = entry[2].translate(TWOS_AND_KINGS)
        count = alike.get(arrangement, 0)
        if count < KEPT_ALIKE:
            alike[arrangement] = count + 1
            kept.append(entry)
            if len(kept) == width:
                break
    return kept


def worth_of(table):
    """Return the weights of a table (a module, or anything with its names) as a Worth."""
    place = [[0] * (4 * ROW) for _ in range(80)]
    pair = [[0] * 80 for _ in range(80)]
    for suit in SUITS:
        for rank in range(TWO, KING + 1):
            place[suit + rank] = 4 * ([0] + table.PLACE[rank])
            for right in range(TWO, KING + 1):
                pair[suit + rank][suit + right] = table.STEP.get(right - rank, 0)
    two, blank = (
        {left: longer(chain["edge" if left == EDGE else "king" if left else "blank"])
         for left in (EDGE, BLANK, *KINGS)}
        for chain in (table.TWO_CHAIN, table.BLANK_CHAIN))
    return Worth(place, pair, table.FINISHED, two, blank)


def longer(weights):
    """Return weights by length, the last of them again for every longer chain."""
    return weights + [weights[-1]] * 52


def change(worth, cells, new, source, dest):
    """Return by how much a move changes what cards are worth by their places and neighbours."""
    card = new[dest]
    place = worth.place[card]
    pair = worth.pair
    return (
        place[dest] - place[source]
        + pair[new[dest - 1]][card] + pair[card][new[dest + 1]]
        - pair[cells[source - 1]][card] - pair[card][cells[source + 1]]
    )


def finished_score(worth, cells):
    """Return what the finished parts of the rows are worth."""
    return sum([worth.finished[finished(cells, edge)] for edge in EDGES])


def cards_score(worth, cells):
    """Return what a position is worth but for its chains."""
    return finished_score(worth, cells) + sum(
        worth.place[card][place] + worth.pair[cells[place - 1]][card]
        for place, card in enumerate(cells) if card not in (BLANK, EDGE)
    )


def chains_score(worth, cells):
    """Return what the chains are worth that blanks and 2s open."""
    find = cells.find
    follower = FOLLOWER
    starts = [(find(two), worth.two) for two in TWOS]
    starts += [(blank, worth.blank) for blank in blanks(cells)]
    total = 0
    for place, ends in starts:
        length = 0
        left = cells[place - 1]
        while follower[left]:
            left = cells[find(follower[left]) - 1]
            length += 1
        total += ends[left][length]
    return total


def as_commands(path):
    """Return moves between places as the commands of the game."""
    return [
        " ".join(str(number) for place in step for number in (place // ROW + 1, place % ROW))
        for step in path
    ]


WORTH = worth_of(montana_table)
