"""Montana's search in blocks, against a search that makes one move at a time."""

import random
from operator import itemgetter

import montana
from helpers import deal, pile, rules_of
from patience.solvers import montana as solver
from patience.solvers import montana_blocks, montana_open
from patience.positions import copy_of
from patience.solvers.search import KeyTable, Limits, depth_first

EASY = (376, 482, 602)  # deals that are won soon


def single_steps(position):
    """Return every single move, and the position after it."""
    cells, key = position
    blanks = montana_open.blanks_of(cells)
    up = [montana_open.take_up(cells, key, two) for two in montana_open.TWOS if len(blanks) < 4 and two in cells]
    return up + [step for dest in blanks for step in montana_open.follow(cells, key, dest)]


def search(steps, position, most):
    """Search up to most positions; return whether the game can be won, or None if undecided, and the number of
    positions."""
    limits = Limits(None)
    way, complete = depth_first(position, steps, montana_open.is_won, most, limits, itemgetter(1), KeyTable())
    return True if way is not None else False if complete else None, limits.count


def opened(tableau):
    """Return the position of the search for a tableau."""
    return montana_open.open_up(solver.position(tableau))


def make_some_moves(tableau, count, chance):
    """Make up to this many random moves in a deal; return the deal."""
    for _ in range(count):
        if moves := rules_of("montana").legal_moves(tableau):
            rules_of("montana").move(tableau, *chance.choice(moves))
    return tableau


def positions_of(count, seed=8, lengths=(20, 60, 90)):
    """Yield positions some moves after their deals: the more moves, the sooner they are decided."""
    chance = random.Random(seed)
    for number in range(count):
        yield opened(make_some_moves(deal(montana, {"shuffles": "0"}, number), chance.choice(lengths), chance))


def test_blocks_and_single_moves_decide_alike():
    """And what is said to be lost even if cards stayed where they were is lost."""
    decided, hopeless, single, in_blocks = 0, 0, 0, 0
    for position in positions_of(24):
        one, count = search(single_steps, position, 3000)
        other, blocks = search(montana_blocks.steps_from, position, 600)
        if not montana_blocks.can_be_won(position[0]):
            hopeless += 1
            assert not one
        if None not in (one, other):
            assert one == other
            decided, single, in_blocks = decided + 1, single + count, in_blocks + blocks
    assert decided >= 18 and hopeless >= 5 and 5 * in_blocks < single


def test_a_way_through_blocks_is_one_of_moves_of_the_game():
    """From positions near the end of won games, with many other moves to make first."""
    long = 0
    for number in EASY:
        tableau = deal(montana, {"shuffles": "0"}, number)
        for move in solver.solve(tableau, 10).moves[:-25]:
            assert montana_blocks.can_be_won(opened(tableau)[0])
            rules_of("montana").move(tableau, *move)
        way, complete = solver.look_everywhere(solver.position(tableau), 5000, Limits(None))
        assert way, (number, complete)
        for source, dest in way:
            places = (place for at in (source, dest) for place in divmod(at - 1, montana_open.ROW))
            assert montana.move(tableau, *places)
        assert montana.check_win(tableau)
        long += len(way) > 25
    assert long


def test_a_forced_move_costs_no_win():
    """From positions some moves before the end of won games, and positions a few random moves later."""
    chance, positions = random.Random(5), set()
    for number in EASY:
        start = deal(montana, {"shuffles": "0"}, number)
        way = solver.solve(start, 10).moves
        for _ in range(12):
            tableau = copy_of(start)
            for move in way[: -chance.randint(12, 40)]:
                rules_of("montana").move(tableau, *move)
            positions.add(opened(make_some_moves(tableau, chance.randint(0, 6), chance)))
    won = 0
    for position in sorted(positions):
        after, forced = montana_blocks.make_forced_moves(position)
        if forced and search(single_steps, position, 3000)[0]:
            won += 1
            assert search(single_steps, after, 20_000)[0]
    assert won > 15


def test_a_place_that_can_be_emptied_is_known():
    """Every place that gets emptied by moves into all blanks but one was expected, even one emptied by a 3 that goes to
    the right of an open place."""
    chance, emptied, found = random.Random(8), 0, []

    def steps_from(position):
        found.append(position)
        return montana_blocks.steps_from(position)

    for number in range(4):
        search(steps_from, opened(deal(montana, {"shuffles": "0"}, number)), 400)
    for start in found[::10]:
        blanks = montana_open.blanks_of(start[0])
        if not montana_blocks.is_settled(start[0], blanks):
            continue
        places = montana_blocks.places_by_card(start[0])
        for dest in blanks:
            position, others = start, [blank for blank in blanks if blank != dest]
            for _ in range(40):
                steps = [step for step in single_steps(position) if step[0][2] != dest]
                if not steps:
                    break
                (_, source, _), position = chance.choice(steps)
                emptied += source not in others
                assert montana_blocks.can_be_emptied(start[0], montana_blocks.BIT[source], others[:], places)
    assert emptied > 100


def test_a_lost_deal_takes_few_positions():
    """Without blocks, the first deal takes more than 50,000. In the other deal, a chain brings the card that a step
    moves to its place."""
    assert search(montana_blocks.steps_from, opened(deal(montana, {"shuffles": "0"}, 5)), 10_000) == (False, 1461)
    *_, other = positions_of(119, 4, (20, 40, 60))
    assert search(montana_blocks.steps_from, other, 10_000) == (False, 596)


def test_a_careful_final_move_is_of_a_card_whose_follower_already_lies_behind_it():
    finished = [" ".join(f"{rank}{suit}" for rank in [*range(2, 11), *"JQKA"]) for suit in "DHS"]
    for begin, is_careful, step in (
        ("4C 5C", True, (4, 3)), ("4C 5C", False, (4, 3)), ("5C 4C", True, None), ("5C 4C", False, (5, 3)),
    ):  # fmt: skip
        rows = [f"2C 3C AC {begin} 6C 7C 8C 9C 10C JC QC KC", *finished]
        cells = solver.position([*map(pile, rows)])
        assert solver.final_move(cells, solver.fronts_of(cells), is_careful) == step
