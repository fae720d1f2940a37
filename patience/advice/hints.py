"""Hints: what is advised to a player, for a sitting."""

import time

from patience.game.names import card_name, card_of, card_text
from patience.game.text import tidy
from patience.game.typing import ALL_DRAWS
from solvers import general
from solvers.positions import same
from solvers.advice import POSITIONS_KNOWN, TO_SEE, UNKNOWN, Advice, Chance, advise, cannot_be_won
from solvers.search import WON

LOOKS_BACK = 300  # positions that a hint does not lead back to
POSITIONS_TO_WARN = 5_000
HARDLY = 10  # tries: fewer say nothing but that a move is WORSE
BEHIND = " — "  # stands between a move and what it is worth
WORSE = "worse"
ENOUGH_TRIES = 100  # for a percentage without "about"


class Guide:
    """Gives hints for a sitting, and follows a plan as long as the player does."""

    def __init__(self, sitting):
        self.sitting = sitting
        self.game, self.count = None, 0  # the position and the number of moves done, for which hints were given
        self.given = 0  # how many hints were given for this position
        self.advised = [], None  # the moves done before the last advice, and the Advice
        self.hinted = None  # the move that the last hint was about,
        self.line = ""  # and how it is typed
        self.plan = [], UNKNOWN  # a position and the move to make there, one after the other; what they are worth

    def next_hint(self):
        """Return the line of the best move; asked again, the line of the next one. Or why there is none."""
        sitting = self.sitting
        self.hinted, self.line = None, ""
        found = self.advice()
        if not found.moves:
            return sitting.rules.STUCK
        if found.is_lost:
            return cannot_win(sitting)
        if not found.helps:
            return "No move makes progress from here."
        if self.game is not sitting.game or self.count != len(sitting.done):
            self.game, self.count, self.given = sitting.game, len(sitting.done), 0
        moves = in_order(found.moves)
        number, is_again = self.given % len(moves), self.given > 0
        self.given += 1
        self.hinted = moves[number][0]
        self.line = sitting.rules.write(*self.hinted)
        lines = told(sitting, moves)
        if not number and moves[0][1] == TO_SEE:
            self.line, lines[0] = ALL_DRAWS, f"{ALL_DRAWS}: draw through the stock — to see it"
        elif not number and (aim := self.aim()):
            command, card = aim
            self.line = f"{ALL_DRAWS.split()[0]} {card_name(card)}"
            lines[0] = f"{command}: to reach {card_text(card)}{BEHIND}{chance(moves[0][1], moves[0][1])}"
        if number:
            return lines[number]
        again = ("There is no other: " if len(moves) == 1 else "From the best again: ") if is_again else ""
        return again + with_equals(lines, moves)

    def all_moves(self):
        """Return the lines of all legal moves in the game's own order, or why there are none. What they are worth only
        a hint tells."""
        moves = self.sitting.rules.legal_moves(self.sitting.game)
        return told(self.sitting, [(move, UNKNOWN) for move in moves]) or [self.sitting.rules.STUCK]

    def advice(self):
        """Return an Advice for the game in hand. As long as the player follows a plan it holds."""
        sitting = self.sitting
        done, found = self.advised
        if found and done == sitting.done:
            return found
        plan, worth = self.planned()
        if plan:
            others = [move for move in sitting.legal_moves() if move != plan[0]]
            return Advice([(plan[0], worth), *((move, UNKNOWN) for move in others)], plan, False, True)
        found = advise(sitting.rules, sitting.options, sitting.game, positions_before(sitting))
        self.advised = list(sitting.done), found
        if found.plan:
            self.keep(found.plan, dict(found.moves).get(found.plan[0], UNKNOWN))
        return found

    def keep(self, moves, worth):
        """Take some moves as the plan."""
        self.plan = list(zip(self.sitting.after(moves).positions(len(self.sitting.done)), moves)), worth

    def aim(self):
        """Return, if the plan begins with draws, the command for all of them, and the (rank, suit) of the card that it
        plays behind them; or None."""
        rules, (moves, _) = self.sitting.rules, self.planned()
        count = next((number for number, move in enumerate(moves) if move[0] != rules.DRAW_WORD), len(moves))
        if count in (0, len(moves)):
            return None
        draws = sum(move[1] if len(move) > 1 else 1 for move in moves[:count])
        aim = card_of(rules.describe(self.sitting.after(moves[:count]).game, *moves[count]).split()[0])
        return aim and (rules.write(rules.DRAW_WORD, *([draws] if draws > 1 else [])), aim)

    def planned(self):
        """Return the rest of the plan that the player follows, and what it is worth."""
        steps, worth = self.plan
        here = next((number for number, (game, _) in enumerate(steps) if same(game, self.sitting.game)), len(steps))
        return [move for _, move in steps[here:]], worth


def positions_before(sitting):
    """Return the positions since the deal, the last LOOKS_BACK of them."""
    return sitting.positions(max(0, len(sitting.done) - LOOKS_BACK))[:-1]


def told(sitting, moves):
    """Return a line for each move, what it does, its chance to win, and the reason for it:
    `TT 3 5: 9♦ onto 10♠ — 62 %, turns up a card in column 3`. moves: with what they are worth, as in Advice."""
    rules, game = sitting.rules, sitting.game
    best = moves[0][1] if moves else UNKNOWN
    lines = []
    for move, worth in moves:
        more = [chance(worth, best), tidy(rules.reason(game, *move))]
        does = f"{rules.write(*move)}: {tidy(rules.describe(game, *move))}"
        lines.append(BEHIND.join(filter(None, [does, ", ".join(filter(None, more))])))
    return lines


def in_order(moves):
    """Return moves with what they are worth, the best first, and last those that were hardly tried or not at all."""
    last = {WORSE: 1, UNKNOWN: 2}
    return [*moves[:1], *sorted(moves[1:], key=lambda one: last.get(chance(one[1], moves[0][1]), 0))]


def chance(worth, best):
    """Return what a move is worth in words, and how much less than the best: 55 % (-7). Of one that was hardly tried
    nothing is known, unless the best was tried so much more often that this one is WORSE."""
    if not isinstance(worth, Chance) or not isinstance(best, Chance):
        return in_words(worth)
    if 0 < worth.tries < HARDLY:
        return WORSE if best.tries >= ENOUGH_TRIES else UNKNOWN
    less = rounded(best) - rounded(worth)
    return f"{percent(worth)} (-{less})" if less > 0 else percent(best)


def in_words(worth):
    """Return what a move is worth in words."""
    return percent(worth) if isinstance(worth, Chance) else worth


def step_of(odds):
    """Return to how many percent a chance is rounded, by what the sample can carry."""
    return 1 if odds.tries >= ENOUGH_TRIES or not odds.tries else 10


def rounded(odds):
    """Return a chance in percent, rounded."""
    return step_of(odds) * round(100 * odds.share / step_of(odds))


def percent(odds):
    """Return a chance in words."""
    if rounded(odds) <= 0:
        return f"under {step_of(odds)} %"
    if rounded(odds) >= 100:
        return f"over {100 - step_of(odds)} %"
    return f"{'' if odds.tries >= ENOUGH_TRIES else 'about '}{rounded(odds)} %"


def with_equals(lines, moves):
    """Return the first of some lines about moves; say so if others are as good, and nothing tells them apart."""
    best = moves[0][1]
    first = chance(best, best)
    same = [
        line for line, (_, worth) in zip(lines, moves) if isinstance(worth, Chance) and chance(worth, best) == first
    ]
    reasons = {line.partition(BEHIND)[2] for line in same}
    if len(lines) == 1:
        return f"{lines[0].partition(' — ')[0]} — the only move"
    if len(same) > 1 and len(reasons) == 1:
        return lines[0].replace(f"{BEHIND}{first}", f"{BEHIND}{first}, as good as any")
    return lines[0]


def quick_hint(sitting):
    """Return a hint that takes no time: the move that the game calls most useful."""
    return (told(sitting, [(move, UNKNOWN) for move in sitting.legal_moves()[:1]]) or [sitting.rules.STUCK])[0]


def is_lost(sitting):
    """Return True if a short search proves that the game can no longer be won; False if it is over."""
    return not sitting.outcome() and cannot_be_won(sitting.rules, sitting.options, sitting.game, POSITIONS_TO_WARN)


def warning(sitting, record):
    """Return a sentence if the game has come to where it can no longer be won, or "". record: remembers it."""
    was_warned, record.warned = record.warned, is_lost(sitting)
    return cannot_win(sitting) if record.warned and not was_warned else ""


def cannot_win(sitting):
    """Return a sentence: the game can no longer be won; and how far back it still could, if a win is known from there
    that needs no hidden card."""
    whatever = ", whatever the hidden cards are" if sitting.rules.hidden(sitting.game) else ""
    back = sitting.way_back(win_is_known, lambda game: not sitting.rules.hidden(game))
    told_back = f"\nundo {back} goes back to where it still could." if back else ""
    return f"This can no longer be won{whatever}.{told_back}"


def win_is_known(sitting):
    """Return True if a short search wins, with all cards known."""
    rules, game = sitting.rules, sitting.game
    return bool(rules.check_win(game)) or (
        general.answer(rules, sitting.options, game, None, POSITIONS_KNOWN).verdict == WON
    )


def follow(sitting):
    """Play a game that was dealt to its end by its hints. Return whether it was won, and the seconds that each hint
    took that was computed, and not of a plan."""
    guide, seconds = Guide(sitting), []
    while not sitting.outcome():
        plan, _ = guide.planned()
        if not plan:
            start = time.process_time()
            found = advise(sitting.rules, sitting.options, sitting.game, positions_before(sitting))
            seconds.append(time.process_time() - start)
            if found.is_lost or not found.helps:
                break
            plan = found.plan or [found.moves[0][0]]
            guide.keep(plan, UNKNOWN)
        sitting.perform(plan[0])
    return bool(sitting.rules.check_win(sitting.game)), seconds
