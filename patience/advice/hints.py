"""Hints: advice for a player, and how hard a deal is, judging by the hints."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple, Union

from patience import Move, Pair, Position, effects
from patience.game import Command, Game
from patience.layout import pair_of
from patience.text import card_name, card_text, tidy
from patience.solvers import general
from patience.solvers.advice import FREE, LOSES, POSITIONS_KNOWN, SURE, TO_SEE, UNKNOWN, Advice, Chance, Known
from patience.solvers.advice import advise, cannot_be_won
from patience.positions import preserve_random_state, same
from patience.solvers.search import WON

LOOKS_BACK = 300  # earlier positions that a hint avoids
POSITIONS_TO_WARN = 5_000
ALL_DRAWS = "d all"
MIN_TRIES = 10  # tries; fewer can only show that a move is WORSE
WORSE = "worse"
ENOUGH_TRIES = 100  # for a percentage without "about"
Worth = Union[Chance, str]  # of a move: its chance, or what is known without one
RATED = 3  # samples of a deal whose hints begin with moves that cost nothing
LEVELS = ((0.75, "easy"), (0.5, "medium"), (0.25, "hard"), (0, "very hard"))  # the lowest share of wins


class Plan:
    """Moves to make one after another, with which the hints hope to win a game, and their worth."""

    def __init__(self, game: Game | None = None, moves: Sequence[Move] = (), worth: Worth = UNKNOWN) -> None:
        """moves: the moves to make from the game's position; without a game there is no plan."""
        self.steps = list(zip(game.after(moves).positions(len(game.commands)), moves)) if game else []
        self.worth = worth

    def rest(self, position: Position) -> list[Move]:
        """Return the moves that are left, from the last point at which the plan reaches this position."""
        reached = [number for number, (there, _) in enumerate(self.steps) if same(there, position)]
        return [move for _, move in self.steps[max(reached, default=len(self.steps)) :]]


class Hint(NamedTuple):
    """What a hint says of a move: `9♦ onto 10♠ — 62 %, turns up a card in column 3`; or why there is no hint."""

    does: str  # what the move does, or why there is none
    worth: str = ""  # its chance to win, in words
    reason: str = ""  # for it
    note: str = ""  # how it compares with the others
    line: str = ""  # how it is typed
    before: str = ""  # what comes before it

    def text(self, has_reasons: bool = True) -> str:
        """Return the whole hint. has_reasons: with what the move is worth, and why."""
        reasons = ", ".join(filter(None, [self.worth, self.note, self.reason] if has_reasons else []))
        return self.before + (f"{self.does} — {reasons}" if reasons else self.does)


class Guide:
    """Gives hints for a game, and follows a plan as long as the player does."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.asked_for: list[Command] | None = None  # the game's commands when hints were asked for
        self.given = 0  # how many hints have been given at that point
        self.advised: tuple[Any, Any] = [], None  # the moves made before the last advice, and the Advice
        self.hinted: Move | None = None  # the move that the last hint was about,
        self.hint = Hint("")  # and the hint itself
        self.plan = Plan()

    def next_hint(self) -> Hint:
        """Return the Hint for the best move or, if asked again, for the next best."""
        game = self.game
        self.forget_hint()
        advice = self.advice()
        if not advice.moves:
            return Hint(game.rules.STUCK)
        if advice.is_lost:
            return Hint(describe_loss(game))
        if not advice.helps:
            return Hint("No move makes progress from here.")
        if self.asked_for != game.commands:
            self.asked_for, self.given = list(game.commands), 0
        moves = in_order(advice.moves)
        number, is_again = self.given % len(moves), self.given > 0
        self.given += 1
        self.hinted = moves[number][0]
        hints = describe_moves(game, moves)
        if not number and moves[0][1] == TO_SEE:
            hints[0] = Hint("draw through the stock", reason="to see it", line=ALL_DRAWS)
        elif not number and (card := self.aim()):
            line = f"{ALL_DRAWS.split()[0]} {card_name(card)}"
            hints[0] = Hint(f"draw to {card_text(card)}", hints[0].worth, line=line)
        if not number:
            again = ("There is no other move: " if len(moves) == 1 else "From the best again: ") if is_again else ""
            hints[0] = note_equals(hints, moves)._replace(before=again)
        self.hint = hints[number]
        return self.hint

    def forget_hint(self) -> None:
        """Take the last hint back: Enter no longer plays it."""
        self.hinted, self.hint = None, Hint("")

    def advice(self) -> Advice:
        """Return an Advice for the current game. A plan stays valid as long as the player follows it."""
        game = self.game
        moves, advice = self.advised
        if advice and moves == game.commands:
            return advice
        if plan := self.plan.rest(game.position):
            other_moves = [move for move in game.legal_moves() if move != plan[0]]
            return Advice([(plan[0], self.plan.worth), *((move, UNKNOWN) for move in other_moves)], plan, False, True)
        advice = advise(game.rules, game.deal.options, game.position, positions_before(game))
        self.advised = list(game.commands), advice
        if advice.plan:
            self.plan = Plan(game, advice.plan, dict(advice.moves).get(advice.plan[0], UNKNOWN))
        return advice

    def aim(self) -> Pair | None:
        """If the plan begins with draws, return the (rank, suit) of the card played after them; otherwise return
        None."""
        rules, moves = self.game.rules, self.plan.rest(self.game.position)
        count = next((number for number, move in enumerate(moves) if move[0] != rules.DRAW_WORD), len(moves))
        if count in (0, len(moves)):
            return None
        lead_cards = effects.lead_cards_of(self.game.after(moves[:count]).layout, moves[count])
        return pair_of(lead_cards[0].card) if lead_cards else None


def positions_before(game: Game) -> list[Position]:
    """Return the last LOOKS_BACK positions before the current one."""
    return game.positions(max(0, len(game.commands) - LOOKS_BACK))[:-1]


def describe_moves(game: Game, moves: list[tuple[Move, Worth]]) -> list[Hint]:
    """Return a Hint for each move. moves: pairs (move, worth), as in Advice."""
    rules, position = game.rules, game.position
    best = moves[0][1] if moves else UNKNOWN
    return [
        Hint(
            tidy(rules.describe(position, *move)),
            chance(worth, best),
            tidy(rules.reason(position, *move)),
            line=rules.write(*move),
        )
        for move, worth in moves
    ]


def in_order(moves: list[tuple[Any, Worth]]) -> list[tuple[Any, Worth]]:
    """Return pairs (move, worth), best first; those that were hardly or never tried come last."""
    last = {WORSE: 1, UNKNOWN: 2}
    return [*moves[:1], *sorted(moves[1:], key=lambda pair: last.get(chance(pair[1], moves[0][1]), 0))]


def chance(worth: Worth, best: Worth) -> str:
    """Return in words what a move is worth, and how far that is below the best: 55 % (-7). For a move that was hardly
    tried, return UNKNOWN, or WORSE if the best was tried much more often."""
    if not isinstance(worth, Chance) or not isinstance(best, Chance):
        return describe_worth(worth)
    if 0 < worth.tries < MIN_TRIES:
        return WORSE if best.tries >= ENOUGH_TRIES else UNKNOWN
    less = round_chance(best)[0] - round_chance(worth)[0]
    return f"{describe_worth(worth)} (-{less})" if less > 0 else describe_worth(best)


def round_chance(worth: Chance) -> Pair:
    """Return a Chance in percent, rounded as coarsely as the size of the sample requires, and the rounding step."""
    step = 1 if worth.tries >= ENOUGH_TRIES or not worth.tries else 10
    return step * round(100 * worth.share / step), step


def describe_worth(worth: Worth) -> str:
    """Return what a move is worth in words."""
    if not isinstance(worth, Chance):
        return worth
    percent, step = round_chance(worth)
    if percent <= 0:
        return f"under {step} %"
    if percent >= 100:
        return f"over {100 - step} %"
    return f"{'' if worth.tries >= ENOUGH_TRIES else 'about '}{percent} %"


def note_equals(hints: list[Hint], moves: list[tuple[Move, Worth]]) -> Hint:
    """Return the first Hint, with a note if it is the only move, or if others are as good for the same reason."""
    best, others = hints[0], hints[1:]
    if not others:
        return best._replace(worth="", reason="", note="the only move")
    equal = [one for one, (_, worth) in zip(hints, moves) if isinstance(worth, Chance) and one.worth == best.worth]
    is_any = len(equal) > 1 and all(one.reason == best.reason for one in equal)
    return best._replace(note="as good as any") if is_any else best


def is_lost(game: Game, positions: int = POSITIONS_TO_WARN) -> bool:
    """Return True if a short search proves that the game can no longer be won; False if it is over."""
    return not game.outcome() and cannot_be_won(game.rules, game.deal.options, game.position, positions)


def describe_loss(game: Game) -> str:
    """Return sentences: the game can no longer be won, and how far to go back to a position that can be won even
    without knowing hidden cards, if there is one."""
    whatever = ", whatever the hidden cards are" if game.rules.hidden(game.position) else ""
    if not game.commands or cannot_be_won(game.rules, game.deal.options, game.positions()[0], POSITIONS_TO_WARN):
        return f"This deal could never be won{whatever}."
    back = game.way_back(
        lambda trial: (
            game.rules.check_win(trial.position)
            or general.answer(game.rules, game.deal.options, trial.position, None, POSITIONS_KNOWN).verdict == WON
        ),
        lambda position: not game.rules.hidden(position),
    )
    way_back = f"\nundo {back} goes back to where it could." if back else ""
    return f"This can no longer be won{whatever}.{way_back}"


def describe_difficulty(game: Game) -> str:
    """Return a sentence on how hard a deal is, judged by the first hint that has a number. No hidden card is looked
    at. If hints begin with moves that cost nothing and show cards, the mean over RATED samples of the hidden cards
    is used."""
    dealt, worths = game.snapshot(), []
    with preserve_random_state():
        dealt.replay([])
        known = Known(dealt.rules, dealt.deal.options, dealt.position)
        for position in [known.sample() for _ in range(RATED)] if known.hidden else [dealt.position]:
            trial = dealt.snapshot()
            trial.position = position
            worths.append(worth_after_free_moves(trial))
            if not trial.commands:  # the worth does not depend on the sample
                break
    if worths == [SURE]:
        return "Difficulty: easy. The hints are sure to win it."
    tries = [worth.tries for worth in worths if isinstance(worth, Chance)]
    if UNKNOWN in worths or not tries:
        return "Difficulty: not known."
    shares = [worth.share if isinstance(worth, Chance) else float(worth == SURE) for worth in worths]
    mean = Chance(sum(shares) / len(shares), min(tries))
    level = next(level for least, level in LEVELS if mean.share >= least)
    return f"Difficulty: {level}. From what you can see, hints expect to win {describe_worth(mean)} of such games."


def worth_after_free_moves(game: Game) -> Worth:
    """In a game, make every move that costs nothing or shows the stock, and return what the best move is worth after
    that."""
    while True:
        advice = advise(game.rules, game.deal.options, game.position, positions_before(game))
        if advice.is_lost:
            return LOSES
        worth = advice.moves[0][1] if advice.plan else UNKNOWN
        if worth not in (TO_SEE, FREE):
            return worth
        for move in advice.plan:
            game.perform(move)


def follow_hints(game: Game) -> tuple[bool, list[float]]:
    """Play a dealt game to its end by following its hints. Return whether it was won, and the seconds for each hint
    that had to be computed because there was no plan."""
    followed, seconds = Plan(), []
    while not game.outcome():
        plan = followed.rest(game.position)
        if not plan:
            start = time.process_time()
            advice = advise(game.rules, game.deal.options, game.position, positions_before(game))
            seconds.append(time.process_time() - start)
            if advice.is_lost or not advice.helps:
                break
            plan = advice.plan or [advice.moves[0][0]]
            followed = Plan(game, plan)
        game.perform(plan[0])
    return bool(game.rules.check_win(game.position)), seconds
