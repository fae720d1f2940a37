"""Positions of played games, and sentences about them, for the tests of the contract.

A Spot records how it was reached, so that the same game can be typed in. Questions to a game go through a Spot: if the
game's code fails, the sentence names the call, the line of the game's file, and the position.
"""

import contextlib
import functools
import io
import itertools
import math
import random
import re
import tempfile
import time
import traceback
from pathlib import Path

import pytest

import cards
import main
from patience.grading.judge import sessions
from helpers import SCRIPTS, read_moves, rules_of
from patience import rules as frame, text as names
from patience.decks import Deal
from patience.game import Game
from patience.layout import Layout
from patience import positions
from patience.solvers import general, player

OR_NONE = (str, type(None))
ANSWERS = {  # function -> the types of its answers, how the strings among them read, and both in words
    "check_win": (bool, "", "True or False"),
    "check_loss": (
        OR_NONE,
        r"(?s)You lost: .*\.",
        "None, or a sentence that begins with 'You lost: ' and ends with a full stop",
    ),
    "refusal": (OR_NONE, r".*\.", "None, or a sentence in one line, with a full stop at its end"),
    "validate_move": (bool, "", "True or False"),
    "move": (bool, "", "True or False"),
    "legal_moves": (list, "", "a list of moves"),
    "describe": (str, r".*\S.*(?<!\.)", "a few words in one line, without a full stop"),
    "perform": (str, "(?s).*", 'a string, "" if there is nothing to say'),
    "hidden": (list, "", "a list of (list, index)"),
    "special": (list, "", "a list of cards"),
    "status": (list, "", "a list of strings"),
    "reason": (str, ".*", 'a few words in one line, or ""'),
    "VIEWS": (str, r"(?s).*\S.*", "what the command shows, a string"),
    "display": (str, r"(?s).*\S.*", "the board"),
}
SECONDS = 20  # of computing time; a test that takes longer counts as hanging
STEPS = 150
MAX_COMMANDS = 1_500
GAMES = 300  # at most, to see a win and a loss, and for no longer than half of SECONDS
SEEDS_SOLVED = {True: (10, 20_000), False: (6, 1_000)}  # by whether a game has its own solver: deals, positions


def expect(holds, sentence):
    """Fail with a sentence, and nothing else, if something does not hold."""
    if not holds:
        pytest.fail(sentence, pytrace=False)


def call(function, args):
    """Return a call of a game's function as it is written: move(game, 'TT', 3, 5)."""
    return f"{function}({', '.join(['game', *map(repr, args)])})"


def error_in(name, error):
    """Return how an error ended a call, with the last line that it passed through in the game's file or in its
    solver's. A TimeoutError means that a test did not end."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.endswith(f"{name}.py")]
    where = f" ({name}.py, line {frames[-1].lineno}: {frames[-1].line})" if frames else ""
    if isinstance(error, TimeoutError):
        return f"was still running when a test had computed for {SECONDS} s: it does not end, or is too slow{where}"
    return f"ended in {type(error).__name__}: {error}{where}"


def name_of(game, pile):
    """Return the name of a list in a position: stock, columns[2]."""
    for field, part in positions.parts(game).items():
        if part is pile:
            return field
        for number, one in enumerate(part if isinstance(part, list) else []):
            if one is pile:
                return f"{field}[{number}]"
    return "a list"


def difference(before, after):
    """Return how two positions differ, in a sentence: columns[1] was [], and is [5♣]."""
    for field, was in positions.parts(before).items():
        now = positions.parts(after)[field]
        if was == now:
            continue
        if isinstance(was, list) and isinstance(now, list) and len(was) == len(now) and isinstance(was[0], list):
            number = next(number for number, pile in enumerate(was) if pile != now[number])
            field, was, now = f"{field}[{number}]", was[number], now[number]
        return f"{field} was {was!r:.70}, and is {now!r:.70}"
    return "nothing has changed" if positions.same(before, after) else "a card lies the other way up"


class Spot:
    """A position of a game, and how it came about."""

    def __init__(self, name, options, seed, game, moves=()):
        self.name, self.options, self.seed = name, dict(options), seed
        self.rules = rules_of(name)
        self.game = game
        self.moves = list(moves)

    def __str__(self):
        """Return the second sentence about a finding at this Spot: what to type to see it. The position is saved for
        this purpose."""
        started = f"{Deal(self.rules, self.options).name()} --seed {self.seed}"
        if not self.moves:
            return f"To see it: python main.py {started}"
        lines = [f"# {started}", *(self.rules.write(*move) for move in self.moves)]
        path = Path(tempfile.gettempdir(), f"{self.name}-{self.seed}-{len(self.moves)}.txt")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return f"To see it: python main.py play {self.name} --save {path}"

    def expect(self, holds, sentence):
        """Fail with a sentence, and what to type to see it, if something does not hold."""
        if not holds:
            expect(False, f"{sentence} {self}")

    def expect_same(self, game, what):
        """Fail, with the difference, if a position that should be the same as this one is not. what: how it came to
        be, as a clause."""
        if not positions.same(game, self.game):
            self.expect(False, f"{what}: {difference(self.game, game)}.")

    def expect_answer(self, holds, function, args, found, expected):
        """Fail with a sentence about what a function has returned if something does not hold."""
        if not holds:
            returned = "printed" if function == "display" else "returned"
            self.expect(False, f"{call(function, args)} {returned} {found!r:.300}; expected {expected}.")

    def copy(self):
        return Spot(self.name, self.options, self.seed, positions.copy_of(self.game), self.moves)

    def ask(self, function, *args):
        """Return what a function of the game returns for this position, or what display prints, if that is a possible
        answer. VIEWS stands for the functions in it."""
        try:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                if function == "VIEWS":
                    found = self.rules.VIEWS[args[0]](self.game, *args[1:])
                else:
                    found = getattr(self.rules, function)(self.game, *args)
        except (Exception, SystemExit) as error:
            its_own = "move" if function == "perform" and not frame.has_own(self.rules, "perform") else function
            self.expect(False, f"{call(its_own, args)} {error_in(self.name, error)}.")
        if function == "display":
            found = printed.getvalue()
        elif printed.getvalue():
            self.expect(False, f"{call(function, args)} printed {printed.getvalue()!r:.60}; only display may.")
        kind, form, expected = ANSWERS.get(function, (object, "(?s).*", ""))
        is_right = isinstance(found, kind) and (not isinstance(found, str) or re.fullmatch(form, found))
        self.expect_answer(is_right, function, args, found, expected)
        if function == "hidden" and found:
            piles = positions.lists_in(positions.parts(self.game))
            places = {(id(pile), index) for pile in piles for index in range(len(pile))}
            for place in found:
                self.expect(
                    isinstance(place, tuple) and len(place) == 2 and (id(place[0]), place[1]) in places,
                    f"hidden(game) contains {place!r:.60}; expected pairs (list of the position, index in it).",
                )
        return [*found] if isinstance(found, list) else found  # the game may go on filling its list

    def as_game(self):
        """Return a Game that stands at this position, and knows nothing of those before it."""
        game = Game(Deal(self.rules, self.options, self.seed))
        game.position = self.game
        return game

    @property
    def layout(self):
        return Layout(self.rules, self.game)

    def is_over(self):
        return bool(self.ask("check_win")) or self.ask("check_loss") is not None

    def after(self, move):
        """Return the Spot after an allowed move."""
        spot = self.copy()
        spot.ask("perform", *move)
        spot.moves.append(move)
        return spot

    def cards(self):
        """Yield the cards of the position: (list, index, card, whether the player cannot know it)."""
        hidden = {(id(pile), place) for pile, place in self.ask("hidden")}
        for pile in positions.lists_in(positions.parts(self.game)):
            for place, card in enumerate(pile):
                if isinstance(card, cards.Card):
                    yield pile, place, card, (id(pile), place) in hidden

    def known(self):
        """Return the (rank, suit) of the cards that the player can know."""
        return {(card.rank(), card.suit()) for _, _, card, is_hidden in self.cards() if not is_hidden}

    def questions(self, most):
        """Yield (function, *arguments) for all that can be asked without changing anything; most: how many refusals,
        which are chosen at random."""
        for function in ("display", "check_win", "check_loss", "legal_moves", "hidden", "status", "special"):
            yield (function,)
        for move in self.ask("legal_moves"):
            yield "describe", *move
            yield "reason", *move
        moves = possible_moves(self)
        for move in random.Random(len(self.moves)).sample(moves, min(most, len(moves))):
            yield "refusal", *move
        for move in moves:
            if move[0] in self.rules.VIEWS and self.ask("refusal", *move) is None:
                yield "VIEWS", *move


def deal(name, options, seed):
    """Return the Spot of a deal."""
    random.seed(seed)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            spot = Spot(name, options, seed, rules_of(name).initialize(**dict(options)))
    except (Exception, SystemExit) as error:
        shown = ", ".join(f'{option}="{choice}"' for option, choice in dict(options).items())
        expect(False, f"{name}.initialize({shown}) {error_in(name, error)}.")
    expect(not printed.getvalue(), f"{name}.initialize printed {printed.getvalue()!r:.60}; only display may.")
    return spot


@functools.lru_cache(maxsize=None)
def play_game(name, options, seed):
    """Return the Spots of a game played with random legal moves, often good ones, up to the Spot at which the game is
    over or no move is legal. options: pairs."""
    chance, spot = random.Random(seed), deal(name, options, seed)
    found = []
    while True:
        found.append(spot)
        legal = spot.ask("legal_moves") if len(spot.moves) < STEPS and not spot.is_over() else []
        if not legal:
            return found
        spot = spot.after(chance.choice(legal[:1] + legal[:3] + legal))


def spots_of(name, options, every=10, seeds=range(2)):
    """Yield copies of Spots of several games: the first, some in between, and the last."""
    for seed in seeds:
        found = play_game(name, tuple(options.items()), seed)
        for spot in [found[0], *found[seed % every or every : -1 : every], found[-1]]:
            yield spot.copy()


def after_moves(name, options, seed, moves):
    """Yield the Spots of a game in which these moves are made."""
    spot = deal(name, options, seed)
    yield spot
    for move in moves:
        spot = spot.after(move)
        yield spot


@functools.lru_cache(maxsize=None)
def ends(name, options):
    """Return the Spots of a game that a session or a solver wins, the last Spot of a lost one, and the last Spots of
    all games that a plain player played; [] and None if nothing gets there. options: pairs."""
    rules, won, lost, last = rules_of(name), winning_session(name)[0], None, []
    deals, most = SEEDS_SOLVED[bool(general.solver_of(rules, dict(options)))]
    for seed in range(0 if won else deals):
        answer = general.answer(rules, dict(options), deal(name, options, seed).game, None, most)
        if answer.moves:
            won = list(after_moves(name, options, seed, answer.moves))
            break
    began = time.process_time()
    for seed in range(GAMES):
        if won and (lost or rules.STUCK != frame.Rules.STUCK) or time.process_time() - began > SECONDS / 2:
            break
        spot, chance = deal(name, options, seed), random.Random(seed)
        while len(spot.moves) < player.MAX_MOVES and not spot.is_over() and (legal := spot.ask("legal_moves")):
            spot.moves.append(player.choose(legal, chance))
            spot.ask("perform", *spot.moves[-1])
        last.append(spot)
        if spot.ask("check_win"):
            won = won or list(after_moves(name, options, seed, spot.moves))
        elif spot.ask("check_loss") is not None:
            lost = lost or spot
    return won, lost, last


@functools.lru_cache(maxsize=None)
def winning_session(name):
    """Return the Spots of a script that contains only moves and wins a numbered deal, or []; and a sentence about a
    script that does not win although its name says that it does, or ""."""
    rules, said = rules_of(name), ""
    for path in sorted(SCRIPTS.glob(f"{name}-*.in")):
        first = path.read_text(encoding="utf-8-sig").partition("\n")[0]
        dealt, _ = sessions.read_first_line(first, main.GAMES, SCRIPTS)
        if dealt.number is None or dealt.cards:
            continue
        found, why = [deal(name, dealt.options, dealt.number)], "check_win(game) returned False at its end."
        try:
            for line in read_moves(path.name):
                move = frame.read(rules, line)
                frame.check(rules, found[-1].game, move)
                found.append(found[-1].after(move))
        except frame.Refused as refused:
            why = f"command {len(found)}, {line}, is refused: {refused}"
        if found[-1].ask("check_win"):
            return found, ""
        if "win" in path.stem.removeprefix(name):
            said = f"The session tests/scripts/{path.name} does not win: {why}"
    return [], said


def possible_moves(spot):
    """Return every command of the grammar as a move, including numbers of piles that do not exist; return only a sample
    if there are too many."""
    found = all_commands(spot.name, *positions.sizes(spot.game))
    return [*found, *(move for move in spot.ask("legal_moves") if move not in found)]


@functools.lru_cache(maxsize=None)
def all_commands(name, piles, most):
    found = []
    for form in frame.forms(rules_of(name).COMMANDS).values():
        for count in range(form.fewest, form.most + 1):
            numbers = [range(piles + 2)] * form.fewest + [range(most + 2)] * (count - form.fewest)
            tried = itertools.product(*numbers)
            if math.prod(map(len, numbers)) > MAX_COMMANDS:
                chance = random.Random(form.word)
                tried = [map(chance.choice, numbers) for _ in range(MAX_COMMANDS // 2)]
            found += [(form.word, *one) for one in tried]
    return found


def card_in(word):
    """Return the (rank, suit) of the card that a word names, or None."""
    return names.card_of(word.strip(",.:"))
