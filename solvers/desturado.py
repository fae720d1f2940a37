"""Desturado, solved by depth-first search with restarts, and exhaustively if these do not win.

A position keeps of each stack only its first card, which says what it may go on, and its last, which
says what may go on it: the cards between can never move by themselves again. A column is the number
of its face-down cards, first and last; a space of the hand is first and last.

Two stacks of the hand are joined only to make room for a stack of the board, and in one step with it.
That loses nothing: until the room is needed both last cards are still there to be built on, and what
is put on the stack that moves later comes to lie where it would have come to lie then.

Two positions are the same if they differ in the order of the spaces of the hand, or of columns without
face-down cards. No position is looked at twice in a try, and no move is ever taken back: every try that
ends without having been cut off has seen the whole space, and says that the game is lost.
"""

import random

from solvers.search import decide

import desturado

# Tries: how many, and how many positions each. Short ones win; the longer ones in between can say that
# a game is lost. The last one has no limit of its own.
TRIES = ((200, 100), (10, 1_000), (1, 60_000), (3_000, 100), (1, None))
OPTIONS = {"difficulty": ("easy", "medium", "hard")}  # the choices of the options that are known here
NOISE = 4.0  # how far chance may move a move in the order
EMPTY_COST = 1  # an empty space or column is worth as much as a jump over so much value


def solve(game, seconds=10, positions=None):
    """Return an Answer for the game as it stands. The game is not changed."""
    hidden = [[pair(card) for card in column if not card.is_face_up()] for column in game.board]
    columns = tuple(column_of(column) for column in game.board)
    hand = tuple(ends(space) for space in game.hand)
    chance = random.Random(0)

    def tries(limits):
        for count, most in TRIES:
            for _ in range(count):
                yield descend(columns, hand, hidden, chance, most, limits)

    return decide(tries, list, seconds, positions)


def pair(card):
    """Return the (value, suit) of a card."""
    return card.value(), card.suit()


def ends(stack):
    """Return the first and the last card of a stack as pairs, or None for an empty one."""
    return (pair(stack[0]), pair(stack[-1])) if stack else None


def column_of(column):
    """Return a column as the number of its face-down cards and the ends of its stack."""
    stack = desturado.stack_of(column)
    return len(column) - len(stack), ends(stack)


def fits(first, last):
    """Return True if a stack with this first card goes onto one with this last card."""
    return first[0] == last[0] or first[1] == last[1] and first[0] < last[0]


def key(columns, hand):
    """Return what is the same for positions that differ only in the order of things."""
    closed = tuple((number, column) for number, column in enumerate(columns) if column[0])
    opened = sorted(column[1] for column in columns if not column[0] and column[1])
    return closed, tuple(opened), tuple(sorted(space for space in hand if space))


def descend(columns, hand, hidden, chance, most, limits):
    """Search depth first, in an order that chance has a part in, until most positions are seen.

    Returns the moves that win, or None, and whether the whole space has been seen.
    """
    if not any(stack for _, stack in columns):
        return [], True
    seen = {key(columns, hand)}
    path = []
    waiting = [iter(moves(columns, hand, hidden, chance))]
    count = 0
    while waiting:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
            if path:
                path.pop()
            continue
        made, columns, hand = step
        position = key(columns, hand)
        if position in seen:
            continue
        limits.spend()
        count += 1
        if most is not None and count > most:
            return None, False
        seen.add(position)
        path.append(made)
        if not any(stack for _, stack in columns):
            return [move for made in path for move in made], True
        waiting.append(iter(moves(columns, hand, hidden, chance)))
    return None, True


def moves(columns, hand, hidden, chance):
    """Return the steps from a position, the best first: a list of (moves, columns, hand)."""
    steps = []
    for source, (closed, stack) in enumerate(columns):
        if not stack:
            continue
        first, last = stack
        rest = lift(columns, source, hidden)
        for dest, (_, onto) in enumerate(columns):
            if dest == source or (onto is None and not closed):
                continue
            if onto is None or fits(first, onto[1]):
                cost = (EMPTY_COST if onto is None else onto[1][0] - first[0]) - bool(closed)
                joined = stack if onto is None else (onto[0], last)
                after = rest[:dest] + ((rest[dest][0], joined),) + rest[dest + 1 :]
                steps.append((cost, [("BB", source + 1, dest + 1)], after, hand))
        steps += into_hand(source, stack, rest, hand)
    steps.sort(key=lambda step: step[0] + NOISE * chance.random())
    return [step[1:] for step in steps]


def lift(columns, source, hidden):
    """Return the columns without the stack of one of them, and with the card under it turned up."""
    closed = columns[source][0]
    column = (0, None)
    if closed:
        turned = hidden[source][closed - 1]
        column = (closed - 1, (turned, turned))
    return columns[:source] + (column,) + columns[source + 1 :]


def into_hand(source, stack, rest, hand):
    """Return the steps that take a stack into the hand, each with its cost."""
    steps = []
    first, last = stack
    for space, onto in enumerate(hand):
        if onto is not None and fits(first, onto[1]):
            after = hand[:space] + ((onto[0], last),) + hand[space + 1 :]
            steps.append((onto[1][0] - first[0] - 1, [("BH", source + 1, space + 1)], rest, after))
    if None in hand:
        space = hand.index(None)
        after = hand[:space] + (stack,) + hand[space + 1 :]
        steps.append((EMPTY_COST, [("BH", source + 1, space + 1)], rest, after))
        return steps
    for moved, upper in enumerate(hand):
        for space, lower in enumerate(hand):
            if moved != space and fits(upper[0], lower[1]):
                after = list(hand)
                after[space], after[moved] = (lower[0], upper[1]), stack
                made = [("HH", moved + 1, space + 1), ("BH", source + 1, moved + 1)]
                cost = EMPTY_COST + lower[1][0] - upper[0][0]
                steps.append((cost, made, rest, tuple(after)))
    return steps
