"""Montana, solved for the cards as they lie, without a shuffle: a beam search that grows wider.

A position is four rows of 14 bytes, an edge and 13 places; a card is 4 times its rank plus its suit, so the card that
follows it has a number 4 higher. A blank takes at most one card, the one that follows the card to its left, except that
a blank beside the edge takes any 2. So a position has few successors, but a way to win has some ninety moves. The beam
goes level by level, by the number of choices made, and keeps the best positions of each level.

Three ideas make it work:
- A card that can go to its final place, at the end of the finished part of a row, goes there at once, without a choice.
  It is then out of the way. (That may cost a win, so a beam never reports a loss, and every other beam is careful: see
  final_move.)
- The score follows chains. The card that goes into a blank leaves another blank, which takes another card, and so on,
  to the edge, where any 2 may follow, or to a place after a King or a blank, where nothing may. A 2 that goes to the
  edge opens a chain as well. No two chains meet, and a place on no chain is stuck until a chain is broken.
  montana_table.txt, which tools/learn_montana.py has learned from won games, gives the worth of a chain by its end and
  its length, and the worth of a card by its place, the suit that its row is built in, its left neighbour and the
  finished part of its row.
- What decides a game is decided early, so from a certain level on the beam narrows.

A position passes on to its successors everything known about it except its chains, because a move changes little: see
state_of. A game that the beams have not won is hardly ever won by wider ones. A search of all positions,
montana_blocks.py, runs for a while before the beams, and to its end after them. Only if that search finishes has the
whole space been seen, and only that search may report a loss.

Throughout this program:
    place is a number from 0 to 55: 14 times the row, and 0 for its edge, 1 to 13 for its columns
    card is 4 times its rank and its suit from 0 to 3; BLANK and EDGE are codes in addition to the cards
    cells is a position, bytes: what is at each place
    front is the place that follows the finished part of a row; fronts is a list of the four
    blanks is the places of the blanks, as bytes
    step is (from place, to place)
    onward[card] is what will be to the left of the blank now to the right of the card, once its follower is there
    state is (cells, score except the chains, onward, blanks, fronts)
    worth is the weights of the score, as they are looked up (montana_worth.py)
"""

from __future__ import annotations

import functools
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from patience.solvers import montana_blocks
from patience.solvers.montana_open import BLANK, CODES, EDGE, EDGES, KING, LAST, ROW, TWOS
from patience.solvers.montana_open import as_moves as places_of, blanks_of, is_won, open_up
from patience.solvers.montana_worth import CARDS, WORTH, chains_score, score_begun_row
from patience.solvers.search import KeyTable, decide, depth_first, try_in_half, way_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from patience.solvers import Move, Position, Way
    from patience.solvers.montana_worth import State, Worth
    from patience.solvers.search import Answer, Keys, Limits

Step = tuple[int, int]  # a card's place, and the place it goes to

ACE = 1  # which stands for a blank
REPEATS = ("S",)  # commands that a verdict leaves out
ABOUT = " without a shuffle"  # what a verdict is about
OPTIONS = {"shuffles": ("2", "3", "0")}  # the choices known here for each option
WON_FRONTS = [edge + KING for edge in EDGES]  # see fronts_of
BYTES = [bytes([place]) for place in range(4 * ROW)]
FIRST = [place // ROW * ROW + 1 for place in range(4 * ROW)]  # for each place, the first place in its row

PLAIN_SEARCH = 1000  # positions for the search that may report a loss
WIDTHS = (100, 700, 6000, 12000)
NARROWS_AT = 35  # the level from which the beam narrows
HALVES_IN = 15  # levels over which its width is halved
NARROWEST = 15


def solve(game: Position, seconds: float | None = 10, positions: int | None = None) -> Answer:
    """Return an Answer for the tableau as it stands, without a shuffle. The tableau is not changed."""
    start = position(game)

    def tries(limits: Limits) -> Iterator[Callable[[], Way]]:
        yield lambda: look_everywhere(start, PLAIN_SEARCH, limits)
        for number, width in enumerate(WIDTHS):
            yield functools.partial(try_beam, start, width, limits, number % 2 == 1)
        yield lambda: look_everywhere(start, None, limits)

    return decide(tries, as_moves, seconds, positions)


def try_beam(start: bytes, width: int, limits: Limits, is_careful: bool) -> Way:
    """Return the Way that a beam finds in the first half of the seconds."""
    return try_in_half(lambda: (beam(start, width, WORTH, limits, is_careful=is_careful), False), limits)


def look_everywhere(start: bytes, most: int | None, limits: Limits, seen: Keys | KeyTable | None = None) -> Way:
    """Search all positions, up to most; return the moves that win, or None, and whether all were searched. seen: Keys
    compare whole positions; a KeyTable, the default, compares their 64-bit keys."""
    key = None if seen is not None else itemgetter(1)
    seen = KeyTable() if seen is None else seen
    way, complete = depth_first(open_up(start), montana_blocks.steps_from, is_won, most, limits, key, seen)

    def single(way: Any) -> Any:
        return places_of(start, montana_blocks.as_single_moves(open_up(start), way))

    limits.ways = [*map(single, limits.ways)] if complete and way is None else []
    return None if way is None else single(way), complete


def position(game: Position) -> bytes:
    """Return the tableau as bytes."""
    cells = bytearray()
    for row in game:
        cells.append(EDGE)
        cells += bytes(BLANK if card.rank() == ACE else 4 * card.rank() + card.suit() - 1 for card in row)
    return bytes(cells) + bytes([EDGE])


def allowed(game: Position) -> set[Move]:
    """Return the set of moves allowed here by the rules of this search: see general.difference."""
    cells = position(game)
    ends = [[divmod(place, ROW) for place in step] for step in steps_from(cells, blanks_of(cells))]
    return {("", row + 1, column, to_row + 1, to_column) for (row, column), (to_row, to_column) in ends}


def fronts_of(cells: bytes) -> list[int]:
    """Return for each row the place that follows its finished part."""
    return [front(cells, edge + 1) if cells[edge + 1] in TWOS else edge + 1 for edge in EDGES]


def front(cells: bytes, place: int) -> int:
    """Return the place that follows a finished part. place: one that belongs to it."""
    card = cells[place]
    while cells[place] == card:
        place += 1
        card += 4
    return place


def steps_from(cells: bytes, blanks: bytes) -> list[Step]:
    """Return every step, (from place, to place)."""
    steps = []
    for blank in blanks:
        left = cells[blank - 1]
        if left < LAST:
            steps.append((cells.find(left + 4), blank))
        elif left == EDGE:
            steps += [(cells.find(two), blank) for two in TWOS]
    return steps


def final_move(cells: bytes, fronts: list[int], is_careful: bool) -> Step | None:
    """Return a move that brings a card to its final place, or None. is_careful: only a kind of move that cost no win in
    thousands of positions: all 2s are at the edge, and either nothing can follow the card where it is, or its follower
    already does."""
    if is_careful and not all(place % ROW > 1 for place in fronts):
        return None
    for place in fronts:
        if cells[place] == BLANK and cells[place - 1] < LAST:
            card = cells[place - 1] + 4
            source = cells.find(card)
            if not is_careful or card >= LAST or source % ROW == KING or cells[source + 1] == card + 4:
                return source, place
    return None


def after(cells: bytes, source: int, dest: int) -> bytes:
    """Return the cells after a move."""
    changed = bytearray(cells)
    changed[dest], changed[source] = changed[source], BLANK
    return bytes(changed)


def beam(
    start: bytes,
    width: int,
    worth: Worth,
    limits: Limits,
    levels: list[Any] | None = None,
    came_from: dict[Any, Any] | None = None,
    is_careful: bool = False,
) -> list[Step] | None:
    """Search level by level; return the moves that win, or None.

    width: how many positions of a level are kept until the beam narrows, plus any that are as good as the last of them.
    levels: a list that collects the kept positions of each level. came_from: a dict that collects the predecessor of
    each position. is_careful: see final_move.
    """
    came_from = {} if came_from is None else came_from
    came_from[start] = None
    kept = [state_of(start, worth)]
    number = 0
    while kept:
        if levels is not None:
            levels.append([cells for cells, *_ in kept])
        states, scores = [], []
        for parent in kept:
            tableau, _, _, blanks, _ = parent
            for step in steps_from(tableau, blanks):
                state = play_out(parent, step, worth, limits, came_from, is_careful)
                if state:
                    cells, score, _, _, fronts = state
                    if fronts == WON_FRONTS:
                        return way_to(cells, came_from, step_between)
                    states.append(state)
                    scores.append(score + chains_score(state, worth))
        number += 1
        halved = max(0, number - NARROWS_AT) / HALVES_IN
        kept = keep_best(states, scores, max(NARROWEST, int(width / 2**halved)))
    return None


def play_out(
    state: State, step: Step | None, worth: Worth, limits: Limits, came_from: dict[bytes, Any], is_careful: bool
) -> State | None:
    """Return the state after a step, and after every move that then brings a card to its final place; or None if that
    position was already known. came_from collects the positions on the way."""
    while step:
        source, dest = step
        before, _, _, _, fronts = state
        cells = after(before, source, dest)
        if cells in came_from:
            return None
        limits.spend()
        came_from[cells] = before
        state = play(state, cells, source, dest, worth)
        if source not in fronts and dest not in fronts:  # a final move is looked for only after a change at a front
            break
        _, _, _, _, after_fronts = state
        step = final_move(cells, after_fronts, is_careful)
    return state


def keep_best(states: list[State], scores: list[int], most: int) -> list[State]:
    """Return the states with the best scores, up to most of them, in any order, plus any that are as good as the last
    of these."""
    if len(states) <= most:
        return states
    least = sorted(scores)[-most]
    return [state for state, score in zip(states, scores) if score >= least]


def step_between(before: bytes, cells: bytes) -> Step:
    """Return the step from one position to the next."""
    left, right = (place for place, card in enumerate(cells) if card != before[place])
    return (left, right) if cells[left] == BLANK else (right, left)


def state_of(cells: bytes, worth: Worth) -> State:
    """Return what the beam knows about a position: (cells, score, onward, blanks, fronts).

    score: its worth without its chains. onward[card]: what will be to the left of a blank that is now to the right of
    the card, once that blank has taken the card's follower. blanks: their places, as bytes, in any order. fronts: for
    each row the place that follows its finished part.
    """
    fronts = fronts_of(cells)
    score = sum(worth.finished[place] for place in fronts)
    onward = bytearray(CODES)
    for place, card in enumerate(cells):
        if card in CARDS:
            score += worth.place[cells[FIRST[place]]][card][place] + worth.pair[cells[place - 1]][card]
            onward[card - 4] = cells[place - 1]
    return cells, score, onward, blanks_of(cells), fronts


def play(state: State, cells: bytes, source: int, dest: int, worth: Worth) -> State:
    """Return the state after a move that has led to these cells."""
    before, score, onward, blanks, fronts = state
    card = cells[dest]
    left, right = cells[dest - 1], cells[dest + 1]
    old_left, old_right = before[source - 1], before[source + 1]
    onward = onward[:]
    onward[card - 4] = left
    onward[old_right - 4] = BLANK  # an index 4 below a blank or an edge is never looked up
    onward[right - 4] = card
    place, pair = worth.place, worth.pair
    score += (
        place[cells[FIRST[dest]]][card][dest]
        - place[before[FIRST[source]]][card][source]
        + pair[left][card]
        + pair[card][right]
        - pair[old_left][card]
        - pair[card][old_right]
    )
    if dest in fronts:
        fronts = fronts[:]
        row = dest // ROW
        fronts[row] = front(cells, dest)
        score += worth.finished[fronts[row]] - worth.finished[dest]
        if dest % ROW == 1:  # a 2 that begins a row
            score += score_begun_row(cells, dest, worth)
            if source % ROW == 1:  # and leaves another one
                row = source // ROW
                score += worth.finished[source] - worth.finished[fronts[row]]
                score -= score_begun_row(before, source, worth)
                fronts[row] = source
    return cells, score, onward, blanks.replace(BYTES[dest], BYTES[source]), fronts


def as_moves(path: list[Step]) -> list[Move]:
    """Return moves between places as moves of the game, with rows and columns counted from 1."""
    return [("", *(number for place in step for number in (place // ROW + 1, place % ROW))) for step in path]
