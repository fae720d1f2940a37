"""Montana, solved for the cards as they lie, without a shuffle: a beam search that grows wider.

A position is the 52 places as bytes, row after row: 0 for a blank, else 16 times the suit and the rank. A
blank takes one card at the most, the one that follows the card to its left; only a blank in the
leftmost column takes any 2. So a position has few successors, but a way to win has more than a hundred
moves. The beam goes level by level, all positions of a level having the same number of moves behind
them, and keeps the best of each.

Three ideas make it work:
- A card that can go to its final place, at the end of the finished part of a row, goes there as the only
  successor. It is then in nobody's way. (It may cost a way to win: so a beam never says lost.)
- Of the positions of a level with the same arrangement of 2s and Kings only a few are kept, for these
  decide what else can happen; else the beam fills up with one idea.
- The score follows the chain that a blank opens: the card that goes there leaves another blank, which
  takes another card, and so on. A chain that ends behind a King, or behind another blank, is dead; one
  that ends in the leftmost column is open to any 2. A long chain is worth something, a dead one less the
  shorter it is; cards of one suit in order, and finished rows, are worth most.

Before the beam a plain search of all positions is tried for a while. Where it comes to an end it has seen
the whole space, and it alone may say lost.
"""

from solvers.search import LOST, UNKNOWN, WON, Answer, Limits, OutOfLimits, without_collector

import montana

ABOUT = " without a shuffle"  # what a verdict is about
COLUMNS = 13
PLACES = 52
BLANK = 0
TWO, KING = 2, 13
TWOS = tuple(16 * suit + TWO for suit in range(1, 5))
KINGS = tuple(16 * suit + KING for suit in range(1, 5))

PLAIN_SEARCH = 3000  # positions of the search that may say lost
WIDTHS = (60, 250, 1000, 3200, 8000, 16000, 32000, 64000)
KEPT_ALIKE = 3  # positions of a level with the same arrangement of 2s and Kings

# What the score counts.
FINISHED = 6  # a card in the finished part of a row
IN_ORDER = 3  # a card behind the one it follows
OPEN_END = 7  # a chain that ends in the leftmost column
LINK = 1.0  # a card of a chain
DEAD_END = 10  # a chain that ends behind a King or a blank (negative)
FAR = 0.12  # a column between a card and the one where its rank belongs (negative)
LONGEST = 20  # links that are followed, for a chain may run in a ring


def solve(game, seconds=10, positions=None):
    """Return an Answer for the tableau as it stands, without a shuffle. It is not changed."""
    limits = Limits(seconds, positions)
    start = bytes(
        BLANK if montana.is_blank(card) else 16 * card.suit() + card.rank()
        for row in game for card in row
    )
    try:
        with without_collector():
            path, complete = search_all(start, limits)
            if complete and path is None:
                return Answer(LOST, [], limits.count)
            for width in WIDTHS:
                if path is None:
                    path = beam(start, width, limits)
            if path is not None:
                return Answer(WON, as_commands(start, path), limits.count)
    except OutOfLimits:
        pass
    return Answer(UNKNOWN, [], limits.count)


def is_won(cells):
    """Return True if every row is finished."""
    return sum(finished(cells, row) for row in range(0, PLACES, COLUMNS)) == 48


def finished(cells, row):
    """Return how many cards from the left are in sequence, in the row that begins at a place."""
    card = cells[row]
    if card & 15 != TWO:
        return 0
    place = row + 1
    while cells[place] == card + 1 and card & 15 != KING:
        card += 1
        place += 1
    return place - row


def moves(cells):
    """Return every move as (from place, to place)."""
    found = []
    blank = cells.find(BLANK)
    while blank >= 0:
        if blank % COLUMNS == 0:
            found += [(cells.find(two), blank) for two in TWOS]
        else:
            left = cells[blank - 1]
            if left and left & 15 != KING:
                found.append((cells.find(left + 1), blank))
        blank = cells.find(BLANK, blank + 1)
    return found


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


def beam(start, width, limits):
    """Search level by level, with so many positions in a level; return the moves that win, or None."""
    came_from = {start: None}
    level = [start]
    while level:
        found = {}
        for cells in level:
            for step in final_move(cells) or moves(cells):
                new = after(cells, *step)
                if new not in came_from:
                    limits.spend()
                    came_from[new] = (cells, step)
                    found[new] = score(new)
                    if is_won(new):
                        return way_to(new, came_from)
        level = survivors(found, width)
    return None


def final_move(cells):
    """Return a list of one move that brings a card to its final place, or an empty list."""
    for row in range(0, PLACES, COLUMNS):
        length = finished(cells, row)
        if 0 < length < COLUMNS - 1 and cells[row + length] == BLANK:
            return [(cells.find(cells[row + length - 1] + 1), row + length)]
    return []


def survivors(found, width):
    """Return the best positions of a level, and of those with the same 2s and Kings only a few."""
    kept = []
    alike = {}
    for cells in sorted(found, key=found.get, reverse=True):
        arrangement = tuple(map(cells.find, TWOS + KINGS))
        count = alike.get(arrangement, 0)
        if count < KEPT_ALIKE:
            alike[arrangement] = count + 1
            kept.append(cells)
            if len(kept) == width:
                break
    return kept


def score(cells):
    """Return how promising a position is: the higher the better."""
    total = 0.0
    for row in range(0, PLACES, COLUMNS):
        total += FINISHED * finished(cells, row)
    before = BLANK
    for place, card in enumerate(cells):
        if card:
            if before and card == before + 1 and place % COLUMNS:
                total += IN_ORDER
            total -= FAR * abs(place % COLUMNS - (card & 15) + 2)
        before = card
    blank = cells.find(BLANK)
    while blank >= 0:
        total += chain(cells, blank)
        blank = cells.find(BLANK, blank + 1)
    return total


def chain(cells, blank):
    """Return what the chain is worth that a blank opens."""
    links = 0
    while links < LONGEST:
        if blank % COLUMNS == 0:
            return OPEN_END + LINK * links
        left = cells[blank - 1]
        if not left or left & 15 == KING:
            return LINK * links - DEAD_END
        blank = cells.find(left + 1)
        links += 1
    return LINK * links


def way_to(cells, came_from):
    """Return the moves that led to a position."""
    path = []
    while came_from[cells]:
        cells, step = came_from[cells]
        path.append(step)
    return path[::-1]


def as_commands(start, path):
    """Return moves between places as the commands of the game."""
    return [
        " ".join(str(number + 1) for place in step for number in divmod(place, COLUMNS))
        for step in path
    ]
