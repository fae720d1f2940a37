"""Klondike, solved best first in a space in which it does not matter how the face-up cards lie.

What makes it possible is a small position. The two cards of one rank and colour are interchangeable as
places to build on. So a position is only: which cards are still face down; which cards are the roots of
their columns, the first face-up card of each; how high the foundations are; which cards of stock and
waste are left, and how many of these are the waste. All other cards are visible, and each of them that
is not a root lies on a card of the class that takes it, one higher and of the other colour.

The free places of a class are then its visible cards, less the visible cards that are not roots of the
class that builds on it. While there is one, a card of the class can be brought to the end of a column:
if it is covered, its twin is not, and what covers it goes onto the twin.

The steps are:
- a card to its foundation: visible with a free place in its class, or from the waste;
- a root with face-down cards under it, and with all that lies on it, onto a free place, or a King into
  an empty column: a card is turned up;
- when three cards are drawn: the waste card onto a free place, or a King into an empty column.
A step may begin with cards that are brought to the tableau because one of these needs them there (see
room and bring): a place may be made by a card from its foundation, when what lies above it there has
come back as well; by a card of stock or waste, if single cards are drawn, for then it can be had at any
time; and a column may be emptied for a King. Nothing is brought before it is needed: it would only take
up a place, or uncover nothing.
A card that is not a root and can go up goes up at once. That is safe, for it can come back when it is
needed, and until then it only leaves a place behind. So is any other card that is_safe. It would not be
safe for all cards of stock and waste: there they take up no place, and when they are up, the ones below
them can only come back after them.

Every step is the game's own, so a way to the end is a way to win, and where no position is left to look
at the game is lost. The script is written afterwards, with the real cards (see Writer).

Most deals are won soon by one order of search or another, and no order wins all of them. So there are
some short tries before the one that goes through the whole space (see TRIES). And a game that is lost
when single cards are drawn is lost when three are, for then fewer cards can be had at a time: this is
tried before the long search, in a space that is far smaller.

Cards are bits: four to a rank, clubs and spades, then diamonds and hearts; so a class is two bits side by
side, and all free places are found in a dozen operations on numbers.

Throughout this program:
    card is one bit; a set of cards is their sum
    class is the two cards of one rank and colour; twin is the other card of a card's class
    hidden is the set of cards that lie face down; roots of the first face-up cards of the columns
    founded is the set of cards on the foundations; talon of those in stock and waste
    waste is how many cards of the talon lie in the waste, 0 where single cards are drawn
    visible is the set of all other cards: those that lie face up in the tableau
    free is the set of the cards of all classes that have a free place; wanted what the foundations wait for
    position is (hidden, roots, founded, talon, waste)
    part is ("up", card), ("back", card) or ("place", card); step is a tuple of parts
"""

import contextlib
import copy
import functools
import heapq
import math
from array import array

from solvers.advice import FREE, UNKNOWN, Advice, Chance, advise_openly, advise_first, advise_to_see
from solvers.search import KeyTable, NotAllowed, decide, make

import klondike

OPTIONS = {"draw": ("3", "1"), "passes": ("unlimited",)}  # the choices of the options that are known here
KING = klondike.KING
ALL = (1 << 52) - 1
LOW = ALL // 3  # the first card of each class
BLACK = ALL // 15 * 3
RED = BLACK << 2
KINGS = 15 << 48
NUMBERS = (1 << 32) - 1
ORDER = {1: 0, 4: 1, 2: 2, 3: 3}  # suit -> its place among the four bits of a rank

# What a position costs, the lower the better: a face-down card, a card above the next one of a
# foundation, a card that is on no foundation, a card of stock or waste.
TURN_UP = 5, 1, 1, 1
KEEP_STOCK = 2, 0, 5, -1
BUILD_UP = 1, 0, 8, 1

# The tries, by how many cards the game draws: how many the try draws, its costs, how many positions.
TRIES = {
    1: [(1, TURN_UP, 1_000), (1, KEEP_STOCK, 5_000), (1, BUILD_UP, None)],
    3: [(3, TURN_UP, 1_000), (3, KEEP_STOCK, 5_000), (1, KEEP_STOCK, 100_000), (3, BUILD_UP, None)],
}

# The rule by which advice, and a plain player, play layouts to their ends, by how many cards the game draws: what a
# position costs for a face-down card, a card on no foundation, a card of stock or waste, one of these that can be
# had, the cards of classes with a free place, an empty column. Found by climbing over the deals that it wins.
RULES = {1: (8.45, 2.85, -7.06, 0.19, -0.41, -0.15), 3: (7.12, 3.04, 0.09, 6.04, 0.99, 0.18)}
DARING = {1: 1.0, 3: 0.5}  # how much a step is worth that was tried less often than others
POSITIONS_TRIED = {1: 66_000, 3: 100_000}  # in all layouts together
TRIES_AT_ONCE = 20  # between checks whether the best step is decided
TRIED_ENOUGH = 50  # times that a step must be tried to belong to a plan
TIE = 1e-6  # chance decides between positions that cost the same
STEPS_SHUT = 2_000  # to say that no card can be turned up


def solve(game, seconds=10, positions=None):
    """Return an Answer for the game as it stands. The game is not changed."""

    def attempt(limits, draw, weights, most):
        way, complete = best_first(Table(game, draw), weights, most, limits)
        if draw != game.draw and way is not None:  # a win drawing single cards proves nothing here
            return None, False
        return way, complete

    def tries(limits):
        return (functools.partial(attempt, limits, *settings) for settings in TRIES[game.draw])

    return decide(tries, Writer(game).write, seconds, positions)


def bit(card):
    """Return the bit of a card."""
    return 1 << (4 * (card.rank() - 1) + ORDER[card.suit()])


class Table:
    """What does not change in a try, and the position to begin with. draw: how many cards are drawn."""

    def __init__(self, game, draw):
        self.draw = draw
        self.columns = len(game.tableau)
        self.talon = [bit(card) for card in game.waste + game.stock[::-1]]
        self.reached = {}
        self.under = {}  # card -> the one it lies on, in a column as it was at the beginning
        self.above = {}  # face-down card -> the face-down cards above it
        hidden = roots = 0
        for column in game.tableau:
            closed = [bit(card) for card in column if not card.is_face_up()]
            for place, card in enumerate(closed):
                self.above[card] = sum(closed[place + 1 :])
                hidden |= card
            opened = [bit(card) for card in column[len(closed) :]]
            roots |= sum(opened[:1])
            for upper, lower in zip(closed[1:] + opened[:1], closed):
                self.under[upper] = lower
        founded = sum(bit(card) for foundation in game.foundations for card in foundation)
        waste = len(game.waste) if self.draw > 1 else 0
        self.start = hidden, roots, founded, sum(self.talon), waste

    def playable(self, talon, waste):
        """Return the cards of stock and waste that come to the top of the waste if one only draws: a
        list of (card, how many cards the waste has when it is played)."""
        key = talon, waste
        if key not in self.reached:
            cards = [card for card in self.talon if card & talon]
            if self.draw == 1:
                self.reached[key] = [(card, 0) for card in cards]
            else:
                places = {waste - 1} if waste else set()
                for first in (waste, 0):
                    places.update(range(first + self.draw - 1, len(cards), self.draw))
                if cards:
                    places.add(len(cards) - 1)
                self.reached[key] = [(cards[place], place) for place in sorted(places)]
        return self.reached[key]

    def cost(self, position, weights):
        """Return how far a position is from being won."""
        hidden, _, founded, talon, waste = position
        face_down, covering, not_founded, in_talon = weights
        total = face_down * hidden.bit_count() + not_founded * (52 - founded.bit_count())
        if covering:
            for card in split_cards(next_cards(founded) & hidden):
                total += covering * (1 + (hidden & self.above[card]).bit_count())
        return total + in_talon * (2 * talon.bit_count() - len(self.playable(talon, waste)))


def next_cards(founded):
    """Return the cards that the foundations wait for."""
    above = (founded << 4) | 15
    return above & ~founded & ALL


def free_places(visible, roots):
    """Return the visible and other cards of every class that has a free place."""
    built = visible & ~roots
    covers = (built & RED) << 2 | (built & BLACK) << 6
    firsts, seconds = visible & LOW, visible >> 1 & LOW
    cover_one, cover_two = covers & LOW, covers >> 1 & LOW
    free = (firsts & seconds & ~(cover_one & cover_two)) | ((firsts | seconds) & ~(cover_one | cover_two))
    return free | free << 1


def classes_of(cards):
    """Return all cards of the classes of some cards."""
    return cards | (cards & LOW) << 1 | cards >> 1 & LOW


@functools.lru_cache(maxsize=64)
def free_in(position):
    """Return the free_places of a position, cached because each position needs them many times."""
    hidden, roots, founded, talon, _ = position
    return free_places(ALL & ~hidden & ~founded & ~talon, roots)


def builders(free):
    """Return the cards that can be built on the free places."""
    return (free & BLACK) >> 2 | (free & RED) >> 6


@functools.lru_cache(maxsize=10_000)
def split_cards(cards):
    """Return a tuple of the cards of a set, cached because the same sets come up again and again."""
    members = []
    while cards:
        members.append(cards & -cards)
        cards &= cards - 1
    return tuple(members)


def best_first(table, weights, most, limits):
    """Search the cheapest positions first, of these the one found last. Returns the steps that win, or None,
    and whether the whole space has been seen. A position takes some 60 bytes: what is waiting is its cost and
    its number, as one int, and seen are only the keys."""
    seen, found, before = KeyTable(), array("Q"), array("L")
    seen.is_new(hash(table.start))
    keep(found, table.start)
    before.append(0)
    waiting = [NUMBERS]
    while waiting:
        number = NUMBERS - (heapq.heappop(waiting) & NUMBERS)
        position = read(found, number)
        if position[2] == ALL:
            return way_back(table, found, before, number), True
        for _, after in steps(table, position):
            if seen.is_new(hash(after)):
                limits.spend()
                if most is not None and len(before) > most:
                    return None, False
                heapq.heappush(waiting, table.cost(after, weights) << 32 | NUMBERS - len(before))
                keep(found, after)
                before.append(number)
    return None, True


def keep(found, position):
    """Add a position to an array, as four numbers."""
    hidden, roots, founded, talon, waste = position
    found.extend((hidden, roots, founded, talon | waste << 52))


def read(found, number):
    """Return the position with this number from such an array."""
    hidden, roots, founded, talon = found[4 * number : 4 * number + 4]
    return hidden, roots, founded, talon & ALL, talon >> 52


def way_back(table, found, before, number):
    """Return the steps from position 0 to the one with this number. before: the number of the position before each."""
    steps_made = []
    while number:
        steps_made.append(step_between(table, read(found, before[number]), read(found, number)))
        number = before[number]
    return steps_made[::-1]


def step_between(table, before, position):
    """Return the step from one position to the next."""
    return next(step for step, after in steps(table, before) if after == position)


def steps(table, position, is_plain=False):
    """Return all steps from a position, as (parts of the step, position after it). is_plain: only those of one part,
    for which no card is brought."""
    hidden, roots, founded, talon, waste = position
    visible = ALL & ~hidden & ~founded & ~talon
    free = free_in(position)
    fitting = builders(free) | (KINGS if table.columns > roots.bit_count() else 0)
    possible = fitting if is_plain else fitting | KINGS | builders(classes_of(in_reach(table, position)))
    as_it_is = [((), position)]
    wanted = next_cards(founded)
    for card in split_cards(wanted & visible & free & ~roots):
        return [((("up", card),), up(table, position, card))]
    all_steps = []
    for card in split_cards(wanted & visible & (free if is_plain else ALL)):
        for parts, after in as_it_is if card & free else bring(table, position, twin(card)):
            _, _, then_founded, _, _ = after
            if not card & next_cards(then_founded):  # the card below it has come back to make the room
                continue
            step = (*parts, ("up", card)), up(table, after, card)
            if not parts and is_safe(card, founded):
                return [step]
            all_steps.append(step)
    for card, left in table.playable(talon, waste):
        if card & wanted:
            step = (("up", card),), (hidden, roots, founded | card, talon ^ card, left)
            if table.draw == 1 and is_safe(card, founded):
                return [step]
            all_steps.append(step)
        if table.draw > 1 and card & possible:
            for parts, after in as_it_is if card & fitting else room(table, position, card):
                all_steps.append(((*parts, ("place", card)), place_card(table, after, card, left)))
    for card in split_cards(roots & possible):
        if table.under.get(card, 0) & hidden:
            for parts, after in as_it_is if card & fitting else room(table, position, card):
                all_steps.append(((*parts, ("place", card)), place_card(table, after, card, waste)))
    return all_steps


def room(table, position, card, moving=0):
    """Yield all ways to get a place for a card: (parts of a step, position after them).

    If there is a place, no parts are needed; otherwise cards are brought to make one. moving: roots that
    are already on their way.
    """
    hidden, roots, founded, talon, waste = position
    if card & KINGS:
        if table.columns > roots.bit_count():
            yield (), position
            return
        for root in split_cards(roots & ~KINGS & ~moving):
            if not table.under.get(root, 0) & hidden:
                for parts, after in room(table, position, root, moving | root):
                    yield (*parts, ("place", root)), place_card(table, after, root, waste)
        return
    takers = classes_of(card) << (6 if card & BLACK else 2)
    if takers & free_in(position):
        yield (), position
        return
    for taker in split_cards(takers & in_reach(table, position)):
        yield from bring(table, position, taker, moving)


def bring(table, position, card, moving=0):
    """Yield all ways to put a card into the tableau because it is needed there as a place.

    It comes from its foundation, after what lies above it there; or, when single cards are drawn, from
    stock or waste, from which it can be had at any time.
    """
    _, _, founded, _, waste = position
    if not card & in_reach(table, position):
        return
    kind = "back" if card & founded else "place"
    above = card << 4 & founded
    for parts, bare in bring(table, position, above, moving) if above else [((), position)]:
        for more, after in room(table, bare, card, moving):
            _, _, then_founded, then_talon, _ = after
            if card & (then_founded | then_talon):  # and not in the tableau already, to make the room
                yield (*parts, *more, (kind, card)), place_card(table, after, card, waste)


def in_reach(table, position):
    """Return the cards that bring could put into the tableau, if there is room."""
    _, _, founded, talon, _ = position
    return founded | talon if table.draw == 1 else founded


def place_card(table, position, card, waste):
    """Return the position after a card, with what lies on it, has gone to another place in the tableau."""
    hidden, roots, founded, talon, _ = lift_card(table, position, card)
    return hidden, roots | card & KINGS, founded & ~card, talon & ~card, waste


def up(table, position, card):
    """Return the position after a card has gone from the tableau to its foundation."""
    hidden, roots, founded, talon, waste = lift_card(table, position, card)
    return hidden, roots, founded | card, talon, waste


def lift_card(table, position, card):
    """Return the position without a card in its column: under a root, a card is turned up."""
    hidden, roots, founded, talon, waste = position
    if not card & roots:
        return position
    turned = table.under.get(card, 0) & hidden
    return hidden ^ turned, roots ^ card | turned, founded, talon, waste


def is_safe(card, founded):
    """Return True if no card will ever need this one as a place.

    The cards that could lie on it can go up themselves whenever they are free, and so can those that
    could lie on these.
    """
    place = (card.bit_length() - 1) // 4
    needed = twin(card) >> 12
    if place >= 2:
        needed |= (RED if card & BLACK else BLACK) & 15 << 4 * (place - 2)
    return not needed & ~founded


def twin(card):
    """Return the other card of the same rank and colour."""
    return card << 1 if card & LOW else card >> 1


def first(candidates):
    """Return the first thing found. Raises NotAllowed if there is none."""
    for thing in candidates:
        return thing
    raise NotAllowed


class Writer:
    """Writes the moves for the steps, with the real cards. Raises NotAllowed if that cannot be done."""

    def __init__(self, game):
        self.game = copy.deepcopy(game)
        self.moves = []

    def write(self, path):
        """Return the moves for the steps, each of which has parts (what, card)."""
        for kind, card in [part for step in path for part in step]:
            if kind == "up":
                self.up(card)
            elif kind == "back":
                number = first(
                    number
                    for number, pile in enumerate(self.game.foundations, start=1)
                    if pile and bit(pile[-1]) == card
                )
                self.do("FT", number, self.place_for(card))
            else:
                self.place(card)
        return self.moves

    def do(self, *move):
        """Make a move and keep it."""
        make(klondike, self.game, move, self.moves)

    def draw_to(self, card):
        """Draw until the card is the top of the waste; False if it is not in stock or waste. Raises NotAllowed if it
        never comes up."""
        talon = self.game.stock + self.game.waste
        if not any(bit(talon_card) == card for talon_card in talon):
            return False
        for _ in range(2 * len(talon) + 2):  # at most: the rest of this pass, and all of the next
            if self.game.waste and bit(self.game.waste[-1]) == card:
                return True
            self.do("SW")
        raise NotAllowed

    def find(self, card):
        """Return the number, from 1, of the column in which a card lies, and how many lie on it."""
        return first(
            (number, len(column) - place - 1)
            for number, column in enumerate(self.game.tableau, start=1)
            for place, column_card in enumerate(column)
            if bit(column_card) == card
        )

    def ends_with(self, cards):
        """Return the number, from 1, of a column that ends with one of some cards."""
        return first(
            number for number, column in enumerate(self.game.tableau, start=1) if column and bit(column[-1]) & cards
        )

    def place_for(self, card):
        """Return the number of a column where the card can be put."""
        if card & KINGS:
            return first(number for number, column in enumerate(self.game.tableau, start=1) if not column)
        taker = card << 6 if card & BLACK else card << 2
        return self.ends_with(taker | twin(taker))

    def up(self, card):
        """Play a card to its foundation; what lies on it goes onto its twin first."""
        if self.draw_to(card):
            self.do("WF")
            return
        column, covering = self.find(card)
        if covering:
            self.do("TT", column, self.ends_with(twin(card)), covering)
        self.do("TF", column)

    def place(self, card):
        """Put the waste card, or a root with all that lies on it, where it fits."""
        if self.draw_to(card):
            self.do("WT", self.place_for(card))
            return
        column, covering = self.find(card)
        self.do("TT", column, self.place_for(card), covering + 1)


# Advice, in the same space: a search over steps that chance has a part in, where cards are turned up. The way
# to one is the same in all layouts, for steps do not depend on what lies face down (Bjarnason, Fern and
# Tadepalli, Lower Bounding Klondike Solitaire with Monte-Carlo Planning, 2009).


def advise(view):
    """Return an Advice for what a player sees. What costs nothing comes first: a card that goes safely up, and then to
    see the stock."""
    game = view.game
    free = safe_up(view)
    if free and (game.unseen or not is_shut(view)):
        return advise_first(view, free, FREE)
    if game.unseen:
        return advise_to_see(view, ("SW",), math.ceil(len(game.stock) / game.draw))
    if not view.hidden:
        return advise_openly(view)
    table = Table(game, game.draw)
    if is_shut(view):
        return Advice([(move, UNKNOWN) for move in sum(view.moves(), [])], [], True, False)
    old = {Table(one, game.draw).start for one in view.before} | {table.start}
    closed, *_ = table.start
    way, worths = follow_forced_way(table, old), {}
    hidden, *_ = table.start
    if hidden == closed:
        tree = Tree(table, old, view.chance)
        tried = tree.try_steps()
        for wins, count, step in tried[: 1 if way else None]:
            worths.setdefault(Writer(game).write([*way, step])[0], Chance(wins / count, count) if count else UNKNOWN)
        way += tree.best_way(tried[0][-1]) if tried else []
    plan = shortest(game, way)
    if plan:
        worths = {plan[0]: next(iter(worths.values()), UNKNOWN), **worths}
    new, back = view.moves()
    rest = [(move, UNKNOWN) for move in [*new, *back] if move not in worths]
    return Advice([*worths.items(), *rest], plan, False, bool(plan))


def safe_up(view):
    """Return a move that takes up a card that no other card will ever need as a place, or None. If three are drawn, a
    waste card changes which cards come up later, so from the waste only an ace counts."""
    game = view.game
    founded = sum(bit(card) for foundation in game.foundations for card in foundation)
    for word, *numbers in klondike.moves_up(game):
        pile = game.tableau[numbers[0] - 1] if numbers else game.waste
        if is_safe(bit(pile[-1]), founded) and (numbers or game.draw == 1 or pile[-1].rank() == 1):
            return word, *numbers
    return None


def follow_forced_way(table, old):
    """Return the steps that are the only ones, until there is a choice or a card is turned up, and let the table
    begin behind them. old: positions that are not to come again, to which the new ones are added."""
    way, (closed, *_) = [], table.start
    hidden = closed
    while hidden == closed:
        ways_on = [(step, after) for step, after in steps(table, table.start) if after not in old]
        if len(ways_on) != 1:
            break
        ((step, table.start),) = ways_on
        old.add(table.start)
        way.append(step)
        hidden, *_ = table.start
    return way


def shortest(game, way):
    """Return the moves of some steps. A card that goes up and comes back stays where it is, if that leads to the
    same position."""
    parts = [part for step in way for part in step]
    kept = [("up", card) for kind, card in parts if kind == "back"]
    fewer = [part for part in parts if part not in kept and not (part[0] == "back" and ("up", part[1]) in parts)]
    whole, short = Writer(game), Writer(game)
    whole.write([parts])
    with contextlib.suppress(NotAllowed):
        short.write([fewer])
        if Table(short.game, game.draw).start == Table(whole.game, game.draw).start:
            return short.moves or whole.moves
    return whole.moves


def is_shut(view):
    """Return True if no steps from the position in hand lead to one where a card is turned up, once the
    stock has been seen through."""
    if view.game.unseen:
        return False
    table = Table(view.game, view.game.draw)
    seen, waiting = {table.start}, [table.start]
    closed, *_ = table.start
    while waiting and len(seen) < STEPS_SHUT:
        for _, after in steps(table, waiting.pop()):
            hidden, *_ = after
            if hidden != closed:
                return False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return not waiting


def new_steps(table, position, seen):
    """Return the steps to positions that were not seen, each to another: a list of (step, position after it)."""
    step_to = {}
    for step, after in steps(table, position):
        if after not in seen:
            step_to.setdefault(after, step)
    return [(step, after) for after, step in step_to.items()]


class Tree:
    """The steps that were tried from a position on, and how often they have led to a win."""

    def __init__(self, table, old, chance):
        """old: positions that are not to come again. chance: a random.Random."""
        self.table, self.old, self.chance = table, old, chance
        self.rule, self.daring = RULES[table.draw], DARING[table.draw]
        self.results = {}  # (position, step) -> [wins, how often it was tried]
        self.count = 0  # of the positions looked at
        self.closed = {}  # root -> how many cards lie face down under it
        hidden, roots, *_ = table.start
        for root in split_cards(roots):
            card = root
            while table.under.get(card, 0) & hidden:
                card = table.under[card]
                self.closed[root] = self.closed.get(root, 0) + 1

    def try_steps(self):
        """Try steps in one layout after the other; return (wins, count, step) for those from the position
        in hand, the best first."""
        start = self.table.start
        first = [step for step, _ in new_steps(self.table, start, self.old)]
        while len(first) > 1 and not self.is_decided(start, first):
            for _ in range(TRIES_AT_ONCE):
                self.try_once(self.layout())
        rows = [(*self.results.get((start, step), (0, 0)), step) for step in first]
        return sorted(rows, key=lambda row: -row[1])

    def is_decided(self, start, first):
        """Return True if no other step can still become the one tried most often."""
        counts = sorted(self.results.get((start, step), (0, 0))[1] for step in first)
        left = (POSITIONS_TRIED[self.table.draw] - self.count) * sum(counts) / max(1, self.count)
        return self.count > 0 and counts[-1] - counts[-2] >= left

    def best_way(self, step):
        """Return a step from the position in hand and those that follow it, each the one tried most often, up to
        the one that turns up a card, or that was tried too seldom to tell."""
        closed, *_ = position = self.table.start
        way, seen = [], {*self.old, position}
        while step:
            way.append(step)
            position = next(after for next_step, after in steps(self.table, position) if next_step == step)
            hidden, *_ = position
            seen.add(position)
            known = [
                (self.results[position, next_step][1], next_step)
                for next_step, after in steps(self.table, position)
                if after not in seen and (position, next_step) in self.results
            ]
            count, step = max(known, key=lambda candidate: candidate[0], default=(0, None))
            if hidden != closed or count < TRIED_ENOUGH:
                break
        return way

    def layout(self):
        """Return the table with the hidden cards dealt at random."""
        hidden, *_ = self.table.start
        cards = list(split_cards(hidden))
        self.chance.shuffle(cards)
        layout = copy.copy(self.table)
        layout.under = {}
        for card, count in self.closed.items():
            for _ in range(count):
                layout.under[card] = card = cards.pop()
        return layout

    def try_once(self, layout):
        """Go down the tree in one layout: choose the best step while all are known, then play by the rule to
        the end. Record the result."""
        position, seen, path = layout.start, set(self.old), []
        while True:
            steps_on = new_steps(layout, position, seen)
            self.count += len(steps_on) + 1
            new = [
                (self.cost(layout, position, after), number)
                for number, (step, after) in enumerate(steps_on)
                if (position, step) not in self.results
            ]
            if not steps_on or new:
                break
            total = math.log(1 + sum(self.results[position, step][1] for step, _ in steps_on))
            step, after = max(steps_on, key=lambda one: self.promise(self.results[position, one[0]], total))
            path.append((position, step))
            position = after
            seen.add(after)
        if steps_on:
            step, after = steps_on[min(new)[1]]
            path.append((position, step))
            position = after
        won = self.play(layout, position, seen) == ALL
        for edge in path:
            result = self.results.setdefault(edge, [0, 0])
            result[0] += won
            result[1] += 1

    def promise(self, result, total):
        """Return the upper confidence bound of a step. total: the logarithm of the number of all tries."""
        wins, count = result
        return wins / count + self.daring * math.sqrt(total / count)

    def play(self, layout, position, seen):
        """Play a layout by the rule to its end; return the cards on the foundations then."""
        while True:
            hidden, _, founded, _, _ = position
            if founded == ALL or not hidden and layout.draw == 1:
                return ALL
            seen.add(position)
            costs = {}
            for is_plain in (True, False):
                for _, after in steps(layout, position, is_plain):
                    if after not in seen and after not in costs:
                        costs[after] = self.cost(layout, position, after)
                if any(after[0] != hidden for after in costs):  # then no card needs to be brought
                    break
            self.count += len(costs)
            if not costs:
                return founded
            position = min(costs, key=costs.get)

    def cost(self, layout, before, position):
        """Return what a position costs by the rule; it does not look at a card that the step to it turns up."""
        known, *_ = before
        hidden, roots, founded, talon, waste = position
        places = free_places(ALL & ~known & ~founded & ~talon, roots & ~known)
        closed, not_founded, in_talon, to_be_had, free, empty = self.rule
        return (
            closed * hidden.bit_count()
            + not_founded * (52 - founded.bit_count())
            + in_talon * talon.bit_count()
            + to_be_had * len(layout.playable(talon, waste))
            + free * places.bit_count()
            + empty * (layout.columns - roots.bit_count())
            + TIE * self.chance.random()
        )
