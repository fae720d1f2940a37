"""Positions of played games, and sentences about them, for the tests of the contract.

A Spot records how it was reached, so that the same game can be typed in. Questions to a game go through a Spot: if the
game's code fails, the sentence names the call, the line of the game's file, and the position.
"""

import contextlib
import functools
import inspect
import io
import itertools
import math
import random
import re
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

import pytest

import cards
import main
from grading.judge import sessions
from helpers import SCRIPTS, read_moves, rules_of
from patience import rules as frame, text as names
from patience.decks import Deal
from solvers import general, player, positions

ANSWERS = {  # what the functions of a game return, and the words for it
    "check_win": (bool, "True or False"),
    "check_loss": ((str, type(None)), "None, or a sentence that begins with 'You lost: ' and ends with a full stop"),
    "refusal": ((str, type(None)), "None, or a sentence in one line, with a full stop at its end"),
    "validate_move": (bool, "True or False"),
    "move": (bool, "True or False"),
    "legal_moves": (list, "a list of moves"),
    "describe": (str, "a few words in one line, without a full stop"),
    "perform": (str, 'a string, "" if there is nothing to say'),
    "hidden": (list, "a list of (list, index)"),
    "special": (list, "a list of cards"),
    "status": (str, "a string in one line"),
    "reason": (str, 'a few words in one line, or ""'),
}
FORMS = {  # how the strings among these answers read
    "check_loss": r"(?s)You lost: .*\.",
    "refusal": r".*\.",
    "describe": r".*\S.*(?<!\.)",
    "status": ".*",
    "reason": ".*",
}
ABOUT_MOVES = ("refusal", "validate_move", "move", "perform", "describe", "reason")
FORM = re.compile("tuple index|unpack|positional argument")  # an error in code that expects more or fewer numbers
SECONDS = 20  # of computing time; a test that takes longer counts as hanging
STEPS = 150
MAX_COMMANDS = 5_000
BEYOND = 1  # how far beyond the possible numbers the tests try; they also try 0
GAMES = 300  # at most, to see a win and a loss, and for no longer than half of SECONDS
SEEDS_SOLVED = {True: (10, 20_000), False: (6, 1_000)}  # by whether a game has its own solver: deals, positions


calls, seconds = Counter(), Counter()  # (game, function) -> how often it was asked, and how long that took


def expect(holds, sentence):
    """Fail with a sentence, and nothing else, if something does not hold. sentence: a string, or a function that
    returns one, because hardly any of the sentences are needed."""
    if not holds:
        pytest.fail(sentence() if callable(sentence) else sentence, pytrace=False)


def call(function, args):
    """Return a call of a game's function as it is written: move(game, "TT", 3, 5)."""
    shown = ", ".join(["game", *(f'"{one}"' if isinstance(one, str) else repr(one) for one in args)])
    return f"{function}({shown})"


def error_in(name, error):
    """Return how an error ended a call, with the last line that it passed through in the game's file or in its
    solver's. A TimeoutError means that a test did not end."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.endswith(f"{name}.py")]
    where = f" ({name}.py, line {frames[-1].lineno}: {frames[-1].line})" if frames else ""
    how = "does not end" if isinstance(error, TimeoutError) else f"ended in {type(error).__name__}:"
    return f"{how} {error}{where}".replace(": (", " (")


def failing_call(name, error):
    """Return the last call of one of the game's functions about moves that an error went through, or ""."""
    frames = [
        frame
        for frame, _ in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename.endswith(f"{name}.py") and frame.f_code.co_name in ABOUT_MOVES
    ]
    if not frames:
        return ""
    given = inspect.getargvalues(frames[-1])
    move = [*(given.locals[one] for one in given.args[1:]), *given.locals.get(given.varargs, ())]
    return call(frames[-1].f_code.co_name, move)


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
    return "a card lies the other way up"


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
        note = self.note_on_face_down_cards()
        lines = [f"# {started}", *(self.rules.write(*move) for move in self.moves)]
        path = Path(tempfile.gettempdir(), f"{self.name}-{self.seed}-{len(self.moves)}.txt")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return f"{note}To see it: python main.py {self.name} --save {path}"

    def note_on_face_down_cards(self):
        """Return a sentence if a pile ends in a face-down card, though no pile of its kind did at the deal; otherwise
        ""."""
        with positions.preserve_random_state():
            begun = positions.parts(deal(self.name, self.options, self.seed).game)
        for field, part in positions.parts(self.game).items():
            dealt, now = (
                [pile for pile in piles if isinstance(pile, list) and pile and positions.lies_face_down(pile[-1])]
                for piles in ((begun[field], part) if isinstance(part, list) else ([], []))
            )
            if now and not dealt:
                return (
                    f"(The last card of game.{name_of(self.game, now[0])} lies face down, as none did at the deal: perhaps "
                    "a move must turn it up, by flip_card().) "
                )
        return ""

    def expect(self, holds, sentence):
        """Fail with a sentence, and what to type to see it, if something does not hold."""
        if not holds:
            self.fail(sentence)

    def fail(self, sentence):
        """Fail with a sentence, and what to type to see it."""
        expect(False, f"{sentence} {self}")

    def copy(self):
        return Spot(self.name, self.options, self.seed, positions.copy_of(self.game), self.moves)

    def ask(self, function, *args):
        """Return what a function of the game returns for this position."""
        began = time.process_time()
        try:
            return self.answer(function, args)
        except (Exception, SystemExit) as error:
            hangs = isinstance(error, TimeoutError)
            if hangs and time.process_time() - began < SECONDS / 2:
                raise  # the test takes too long, not this call
            fault, inner = error_in(self.name, error), failing_call(self.name, error)
        finally:
            calls[self.name, function] += 1
            seconds[self.name, function] += time.process_time() - began
        refused = self.refusal_of(args) if not hangs and function in ("describe", "reason", "perform") else ""
        outer = call(self.own(function), args)
        caller = outer if hangs or inner in ("", outer) else f"{inner}, called by {function},"
        expect(False, f"{caller} {fault}.{refused}{self.form(args) if FORM.search(fault) else ''} {self}")

    def refusal_of(self, move):
        """Return a sentence if the move that a function was asked about is refused: in that case legal_moves may be
        wrong rather than the function."""
        with contextlib.suppress(Exception):
            if reason := self.rules.refusal(self.game, *move):
                return f" legal_moves(game) has {move}, but refusal returned {reason!r}: perhaps that is the mistake."
        return ""

    def form(self, args):
        """Return a sentence about the numbers that a command takes, or ""."""
        form = frame.forms(self.rules.COMMANDS).get(args[0] if args else None)
        numbers = form and (str(form.fewest) if form.fewest == form.most else f"{form.fewest} to {form.most}")
        return f" In COMMANDS stands {form.help!r}: {form.word} comes with {numbers} numbers." if form else ""

    def answer(self, function, args):
        """Return what a function of the game returns for this position, if that is a possible answer."""
        found = getattr(self.rules, function)(self.game, *args)
        kind, expected = ANSWERS.get(function, (object, ""))
        is_right = isinstance(found, kind)
        if function in FORMS and isinstance(found, str):
            is_right = re.fullmatch(FORMS[function], found)
        expect(is_right, self.sentence(function, args, found, expected))
        piles = {*map(id, positions.lists_in(positions.parts(self.game)))} if found and function == "hidden" else ()
        for place in found if function == "hidden" else ():
            if not (isinstance(place, tuple) and len(place) == 2 and id(place[0]) in piles):
                self.fail(
                    f"hidden(game) contains {place!r:.60}, a {type(place).__name__}; expected pairs (list of the "
                    "position, index)."
                )
            if place[1] not in range(len(place[0])):
                self.fail(
                    f"hidden(game) names index {place[1]!r} of game.{name_of(self.game, place[0])}, which has "
                    f"{len(place[0])} cards, of index 0 to {len(place[0]) - 1}."
                )
        return found

    def own(self, function):
        """Return the game's own name for a function: for perform, move if the game has no perform."""
        has_it = frame.has_own(self.rules, function)
        return "move" if function == "perform" and not has_it else function

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

    def board(self):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.ask("display")
        return text.getvalue()

    def sentence(self, function, move, found, expected):
        """Return a function that returns a sentence about a call: the result, what was expected, and where."""
        return lambda: f"{call(self.own(function), move)} returned {found!r:.300}; expected {expected}. {self}"


def deal(name, options, seed):
    """Return the Spot of a deal."""
    random.seed(seed)
    try:
        return Spot(name, options, seed, rules_of(name).initialize(**dict(options)))
    except (Exception, SystemExit) as error:
        fault = error_in(name, error)
        if isinstance(error, TimeoutError):
            raise
    shown = ", ".join(f'{option}="{choice}"' for option, choice in dict(options).items())
    expect(False, f"{name}.initialize({shown}) {fault}.")


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
    """Return the Spots of a won game, the last Spot of a lost one, and the last Spots of all games that a plain player
    played; [] and None if no script, solver or plain player gets there. options: pairs."""
    rules, won, lost, last = rules_of(name), winning_session(name)[0], None, []
    has_solver = bool(general.solver_of(rules, dict(options)))
    deals, most = SEEDS_SOLVED[has_solver]
    solved = solved_games(rules, options, deals, most)
    if has_solver:
        won = won or next(solved, [])
    began = time.process_time()
    for seed in range(GAMES):
        if won and (lost or rules.STUCK != frame.Rules.STUCK) or time.process_time() - began > SECONDS / 2:
            break
        spot = plain_game(deal(name, options, seed), random.Random(seed))
        last.append(spot)
        if spot.ask("check_win"):
            won = won or list(after_moves(name, options, seed, spot.moves))
        elif spot.ask("check_loss") is not None:
            lost = lost or spot
    return won or next(solved, []), lost, last


def far(spot):
    """Return how far a game has come, measured by its progress, or else by its fullest pile."""
    return spot.rules.progress(spot.game) or fullest_part(spot.game)[1]


def fullest_part(game):
    """Return the name of the field with the most cards, and how many it has."""
    counts = {field: len(positions.cards_in(part)) for field, part in positions.parts(game).items()}
    return max(counts.items(), key=lambda one: one[1])


@functools.lru_cache(maxsize=None)
def winning_session(name):
    """Return the Spots of a script that contains only moves and wins a numbered deal, or []; and a sentence about a
    script that does not win although its name says that it does, or ""."""
    said = ""
    for path in sorted(SCRIPTS.glob(f"{name}-*.in")):
        first, typed = path.read_text(encoding="utf-8-sig").partition("\n")[0], read_moves(path.name)
        if "--table" in first:
            continue
        dealt, _ = sessions.read_first_line(first, main.GAMES, SCRIPTS)
        if dealt.number is None or dealt.cards:
            continue
        with contextlib.suppress(frame.Refused):  # a session that holds more than moves
            found, reason = [deal(name, dealt.options, dealt.number)], None
            for move in [frame.read(rules_of(name), line) for line in typed]:
                reason = found[-1].ask("refusal", *move)
                if reason:
                    break
                found.append(found[-1].after(move))
            if found[-1].ask("check_win"):
                return found, ""
            if "win" in path.stem.removeprefix(name):
                why = (
                    f"command {len(found)}, {typed[len(found) - 1]}, is refused: {reason}"
                    if reason
                    else "check_win(game) returned False at its end."
                )
                said = f"The session tests/scripts/{path.name} does not win: {why}"
    return [], said


def solved_games(rules, options, deals, most):
    """Yield the Spots of each of the first deals that the solver wins. most: how many positions it may search."""
    for seed in range(deals):
        answer = general.answer(rules, dict(options), deal(rules.name, options, seed).game, None, most)
        if answer.moves:
            yield list(after_moves(rules.name, options, seed, answer.moves))


def plain_game(spot, chance):
    """Play a game to its end as a plain player does; return its last Spot."""
    while len(spot.moves) < player.MAX_MOVES and not spot.is_over() and (legal := spot.ask("legal_moves")):
        move = player.choose(legal, chance)
        spot.ask("perform", *move)
        spot.moves.append(move)
    return spot


def possible_moves(spot):
    """Return every command of the grammar as a move, including numbers of piles that do not exist; return only a sample
    if there are too many."""
    found = all_commands(spot.name, *positions.sizes(spot.game))
    return [*found, *(move for move in spot.ask("legal_moves") if move not in found)]


@functools.lru_cache(maxsize=None)
def all_commands(name, piles, most):
    kinds, found = [], []  # kinds: a word, and the range of each of its numbers
    for form in frame.forms(rules_of(name).COMMANDS).values():
        for count in range(form.fewest, form.most + 1):
            numbers = [range(piles + BEYOND + 1)] * form.fewest + [range(most + BEYOND + 1)] * (count - form.fewest)
            kinds.append((form.word, numbers))
    for word, numbers in kinds:
        total, most_here = math.prod(map(len, numbers)), MAX_COMMANDS // len(kinds)
        tried = itertools.product(*numbers)
        if total > MAX_COMMANDS:
            chance = random.Random(word)
            tried = [[chance.choice(one) for one in numbers] for _ in range(most_here)]
            if word:
                warnings.warn(
                    f"{name}: {word} has {total:,} commands, of which {most_here:,} are tried: two numbers "
                    "for places would be better"
                )
        found += [(word, *one) for one in tried]
    return found


def card_in(word):
    """Return the (rank, suit) of the card that a word names, or None."""
    return names.card_of(word.strip(",.:"))
