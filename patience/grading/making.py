"""New sessions that no student knows: a deck and commands of all kinds, recorded with our own game."""

from __future__ import annotations

import contextlib
import itertools
import random
from typing import TYPE_CHECKING, NamedTuple

from patience.grading.courses.function_calls import columns_of, deal_game
from patience.grading.courses.known import course_of
from patience.grading.courses.other_program import SHUFFLE
from patience import rules
from patience.advice import solve
from patience.game import Game
from patience.text import card_name
from patience.solvers.general import unknown_options
from patience.positions import preserve_random_state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from patience.grading.courses.course import Course
    from patience import Pair

WON = 40  # in a hundred sessions
LINES = 24  # of a session that is not won
SECOND = 8  # lines of a second game
REFUSED_IN_WINS = 3, 6  # lines in a game that is won, minimum and maximum
REFUSED, FEW = 10, 4  # moves before a game looks won, and commands after that
MAX_MOVES = 400  # of a game that is won
POSITIONS = 20_000  # that the solver looks at
TRIES = 30  # deals tried to find one of the kind wanted
NO_COMMAND = ("hello", "", "1.5 2 3 4", "1 2 3", "x 1 2 3")


def make(new: New, folder: Path, count: int, record: Callable[[Path], None]) -> None:
    """Write count new sessions to a folder, as NAME.in, NAME.out and NAME.deck. WON in a hundred are won, one of them
    with invalid lines late in the game; one is nearly won, if the game allows that; and the last has a second game.
    record: writes the .out of a script."""
    game = new.course.rules.name
    free = (number for number in itertools.count(1) if not (folder / f"{game}-{number}.in").exists())
    names = [f"{game}-{number}" for number in itertools.islice(free, count)]  # they reveal nothing about the seed
    wins = max(1, count * WON // 100)
    for number, name in enumerate(names, start=1):
        with preserve_random_state():
            if number <= wins:
                played, typed = won_game(new, number == wins)
            elif number == wins + 1 < count:
                played, typed = nearly_won_game(new)
            else:
                played, typed = played_game(new, number == count)
        pairs = [card_name(pair) for pair in played.deal.cards or []]
        (folder / f"{name}.deck").write_text(" ".join(pairs) + "\n", encoding="utf-8")
        (folder / f"{name}.in").write_text(
            "\n".join([f"# {played.deal.name()} --seed {played.deal.number} --deck {name}.deck", *typed, ""]),
            encoding="utf-8",
        )
        record(folder / f"{name}.in")


class New(NamedTuple):
    """The settings for dealing new games."""

    course: Course  # of the game
    chance: random.Random  # the same one makes the same sessions


def deal(new: New, pairs: list[Pair] | None = None) -> Game:
    """Return a new Game. pairs: the cards to deal, or None."""
    if pairs is None:
        pairs = list(new.course.rules.PACK)
        new.chance.shuffle(pairs)
    return deal_game(new.course.rules, new.chance.randrange(10**6), pairs)


def won_game(new: New, has_others: bool) -> tuple[Game, list[str]]:
    """Return a Game that can be won, and the lines that win it, with refused lines among them in unpredictable places.
    There may also be invalid lines. They come late, because a program that mishandles them may not see the rest."""
    while True:
        game = deal(new)
        if unknown_options(game.rules, game.deal.options):
            continue
        answer = solve.solve(game, None, POSITIONS)
        if answer.verdict == solve.WON and len(answer.moves) <= MAX_MOVES:
            if new.course.shows_wins(game, answer.moves):
                break
    typed, playing = [], Game(game.deal)
    places = new.chance.sample(range(len(answer.moves)), min(len(answer.moves), new.chance.randint(*REFUSED_IN_WINS)))
    for number, move in enumerate(answer.moves):
        typed += near_misses(playing, new.chance)[:1] if number in places else []
        typed.append(game.rules.write(*move))
        playing.perform(move)
    for line in [*NO_COMMAND, *new.course.out_of_range()] if has_others else ():
        typed.insert(new.chance.randrange(len(typed) // 2, len(typed)), line)
    return game, [*typed, "n"]


def nearly_won_game(new: New) -> tuple[Game, list[str]]:
    """Return a Game that looks won before it is (all ranks in order, or all columns empty with cards left in stock or
    waste), and lines for it. That moment comes late, because a program that thinks the game is won sees nothing more.
    If no such game is found, any other is returned."""
    known = new.course.nearly_won(new.chance)
    if not known:
        return game_with_empty_columns(new) or played_game(new, False)
    pairs, move = known
    game = deal(new, pairs)
    playing = Game(game.deal)
    playing.perform(move)
    before = [*NO_COMMAND[:2], *new.course.out_of_range()[:2], *near_misses(game, new.chance)[:REFUSED]]
    new.chance.shuffle(before)
    return game, [*before, game.rules.write(*move), *play(playing, new.chance, FEW), "q", "n"]


def game_with_empty_columns(new: New) -> tuple[Game, list[str]] | None:
    """Return a Game whose columns are empty before it is won, and the lines that win it; or None. The lowest cards are
    in the columns, the lowest of all at their ends."""
    game_rules = new.course.rules
    count = sum(len(pile) for pile in columns_of(deal(new)))
    for _ in range(TRIES):
        pairs = sorted(game_rules.PACK)
        low, high = pairs[:count][::-1], pairs[count:]
        new.chance.shuffle(high)
        low.sort(key=lambda pair: -pair[0] + new.chance.random())
        game = deal(new, low + high)
        answer, playing = solve.solve(game, None, POSITIONS), Game(game.deal)
        for move in answer.moves if answer.verdict == solve.WON else ():
            playing.perform(move)
            if not any(columns_of(playing)) and not playing.outcome():
                return game, [*(game_rules.write(*move) for move in answer.moves), "n"]
    return None


def played_game(new: New, has_second: bool) -> tuple[Game, list[str]]:
    """Return a Game, and lines of all kinds for it, perhaps followed by a second game."""
    game = deal(new)
    typed = play(game, new.chance, LINES)
    if has_second:
        typed += ["q", "y", *play(Game(game.deal), new.chance, SECOND)]
    return game, [*typed, "q", "n"]


def near_misses(game: Game, chance: random.Random) -> list[str]:
    """Return lines that are refused but nearly legal moves."""
    return [game.rules.write(*move) for move in course_of(game.rules.name).near_misses(game, chance)]


def play(game: Game, chance: random.Random, count: int) -> list[str]:
    """Play count commands of all kinds, making the allowed moves in game itself; return their lines. The order of the
    kinds is unpredictable, but shuffles come late, because everything after them is a different game."""
    typed, course = [], course_of(game.rules.name)
    others = [*NO_COMMAND[: count // 8], *course.out_of_range()[: count // 8]]
    kinds = ["move"] * (count // 2) + ["near"] * chance.randint(count // 6, count // 3) + others
    chance.shuffle(kinds)
    for place in sorted(chance.choices(range(len(kinds) // 2, len(kinds)), k=len(course.shuffles)), reverse=True):
        kinds.insert(place, SHUFFLE)
    shuffles = iter(course.shuffles)
    for kind in kinds:
        legal = [move for move in game.legal_moves() if move != ("S",)]
        if game.outcome():
            break
        line = next(shuffles) if kind == SHUFFLE else kind
        if kind in ("move", "near"):
            refused = near_misses(game, chance) or ["s"]
            line = game.rules.write(*chance.choice(legal)) if kind == "move" and legal else refused[0]
        typed.append(line)
        with contextlib.suppress(ValueError):
            game.perform(rules.read(game.rules, line))
    return typed
