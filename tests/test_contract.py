"""What holds for every game in the list, with every choice of its options.

A game that is added to main.GAMES is tested here without a line written for it.
"""

import contextlib
import copy
import importlib
import io
import itertools
import random
from collections import Counter
from dataclasses import fields, is_dataclass

import pytest

import cards
import helpers
import main
import session
from helpers import ROOT, run

WIDTH = 80
STEPS = 150



def cases():
    """Yield every game with its default options, and then with every other choice."""
    for name in main.GAMES:
        game = importlib.import_module(name)
        defaults = {option: choices[0] for option, choices in game.OPTIONS.items()}
        yield pytest.param(game, defaults, id=name)
        for option, choices in game.OPTIONS.items():
            for choice in choices[1:]:
                yield pytest.param(game, {**defaults, option: choice}, id=f"{name}-{choice}")


every_game = pytest.mark.parametrize("game, options", list(cases()))


def board(game, state):
    """Return the board as text."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        game.display(state)
    return text.getvalue()


def parts(state):
    """Return everything a state holds: the fields of a dataclass, or a list and what rides on it."""
    if is_dataclass(state):
        return {field.name: getattr(state, field.name) for field in fields(state)}
    return {"list": list(state), **vars(state)}


def equal(state, other):
    """Return whether two states are the same, also in which cards lie face up."""
    return parts(state) == parts(other) and facing(state) == facing(other)


def facing(state):
    """Return which way the cards of a state lie, in order."""
    return [card.is_face_up() for card in cards_in(parts(state))]


def cards_in(thing):
    """Return all cards in lists, tuples and dicts within one another."""
    if isinstance(thing, cards.Card):
        return [thing]
    if isinstance(thing, dict):
        thing = thing.values()
    if isinstance(thing, (list, tuple, type({}.values()))):
        return [card for part in thing for card in cards_in(part)]
    return []


def lists_in(thing):
    """Return the ids of all lists in lists and dicts within one another."""
    inner = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list) else []
    found = {id(thing)} if isinstance(thing, list) else set()
    return found.union(*(lists_in(part) for part in inner))


def reordered(state):
    """Return what tells positions apart when it does not matter in which order piles stand."""
    return sorted(
        str(sorted(map(str, part)) if isinstance(part, list) and any(
            isinstance(pile, list) for pile in part) else part)
        for name, part in parts(state).items() if name != "undoing"
    )


def is_over(game, state):
    return game.check_win(state) or game.check_loss(state) is not None


def after(game, state, command):
    """Return a copy of the state after a command, or None if it is refused."""
    state = copy.deepcopy(state)
    try:
        game.perform(state, command)
    except ValueError:
        return None
    return state


def deal(game, options, seed):
    random.seed(seed)
    return game.initialize(**options)


def play(game, options, seed, steps=STEPS):
    """Yield the positions of a game in which legal commands are chosen at random, often good ones,
    each as the state and the commands so far."""
    chance = random.Random(seed)
    state = deal(game, options, seed)
    done = []
    yield state, done
    while len(done) < steps and not is_over(game, state):
        legal = game.legal_commands(state)
        if not legal:
            return
        command = chance.choice(legal[:1] + legal[:3] + legal)
        game.perform(state, command)
        done.append(command)
        yield state, done


def all_commands(game):
    """Yield every command of the help text with all numbers: letters and digits stand for them."""
    for line in game.COMMANDS.splitlines():
        first, *others = line.split("  ")[0].split()
        words = [first, *(word.strip("[]") for word in others)]
        numbers = [word for word in words if word.isdigit() or word != first and word.islower()]
        literals = words[: len(words) - len(numbers)]
        fewest = len(numbers) - line.split("  ")[0].count("[")
        for count in range(fewest, len(numbers) + 1):
            limit = 26 if count < 3 else 15
            for chosen in itertools.product(range(limit), repeat=count):
                yield " ".join([*literals, *map(str, chosen)])


@every_game
def test_the_names_are_there(game, options):
    assert game.__doc__.strip() and max(map(len, game.__doc__.splitlines())) < WIDTH - 1
    assert isinstance(game.TITLE, str) and isinstance(game.PROMPT, str)
    assert game.COMMANDS.endswith("\n") and max(map(len, game.COMMANDS.splitlines())) < WIDTH
    assert game.SHORTCUTS in (True, False)
    for option, choices in game.OPTIONS.items():
        assert isinstance(option, str) and all(isinstance(choice, str) for choice in choices)
    for name in "initialize display validate_move move check_win check_loss perform".split():
        assert callable(getattr(game, name)) and getattr(game, name).__doc__
    assert callable(game.legal_commands) and callable(game.describe)


@every_game
def test_a_game_imports_only_cards_and_the_standard_library(game, options):
    ours = {path.stem for path in ROOT.glob("*.py")} | {"click", "solvers"}
    source = (ROOT / f"{game.__name__}.py").read_text(encoding="utf-8")
    imported = {line.split()[1].split(".")[0] for line in source.splitlines()
                if line.startswith(("import ", "from "))}
    assert imported & ours == {"cards"}


@every_game
def test_the_board_fits_at_every_step(game, options):
    for state, _ in play(game, options, 1):
        shown = board(game, state)
        assert shown.endswith("\n") and "\n\n\n" not in shown
        assert max(map(len, shown.splitlines())) <= WIDTH


@every_game
def test_every_legal_command_is_accepted_and_changes_something(game, options):
    for state, done in play(game, options, 2):
        if len(done) % 5 == 0 and not is_over(game, state):
            legal = game.legal_commands(state)
            assert len(legal) == len(set(legal))
            for command in legal:
                result = after(game, state, command)
                assert result is not None and not equal(result, state), command


@every_game
def test_no_other_command_changes_anything(game, options):
    """Except in other words what a legal one does, or to put piles in another order."""
    for state, done in play(game, options, 3, steps=41):
        if len(done) in (0, 20, 40) and not is_over(game, state):
            legal = game.legal_commands(state)
            reached = {board(game, after(game, state, command)) for command in legal}
            before, shown, position = copy.deepcopy(state), board(game, state), reordered(state)
            for command in all_commands(game):
                try:
                    game.perform(state, command)
                except ValueError:
                    continue
                if command not in legal:
                    assert (board(game, state) in reached or reordered(state) == position
                            or board(game, state) in repeated(game, before, command, legal)), command
                state = copy.deepcopy(before)
            assert equal(state, before) and board(game, state) == shown


def repeated(game, state, command, legal):
    """Return the boards when a command is done again and again that ends with a number of times."""
    again, count = command.rsplit(" ", 1)
    if again not in legal:
        return
    for _ in range(int(count)):
        state = after(game, state, again)
        yield board(game, state)


@every_game
def test_a_refusal_is_one_line_and_changes_nothing(game, options):
    chance = random.Random(4)
    lines = ["", "x", "help me", "TT", "1", "-1 2", "0 0 0 0", "A B", "m 1 1", "\0", "♥", "9" * 99]
    lines += chance.sample(list(all_commands(game)), 400)
    for state, done in play(game, options, 4):
        if len(done) % 30 == 0:
            before = copy.deepcopy(state)
            for line in lines:
                try:
                    game.perform(state, line)
                except ValueError as error:
                    assert equal(state, before), line
                    assert str(error).strip() and "\n" not in str(error)
                else:
                    state = copy.deepcopy(before)


@every_game
def test_nothing_but_display_prints(game, options, capsys):
    for state, done in play(game, options, 5):
        if len(done) % 20 == 0:
            before = copy.deepcopy(state)
            for command in game.legal_commands(state):
                game.describe(state, command)
                after(game, state, command)
            for command in all_commands(game) if hasattr(game, "view") and not done else ():
                with contextlib.suppress(ValueError):
                    game.view(state, command)
            game.check_win(state), game.check_loss(state)
            assert equal(state, before)
    assert capsys.readouterr().out == ""


@every_game
def test_won_and_lost_are_never_both_said(game, options):
    for seed in range(5):
        for state, _ in play(game, options, seed, steps=400):
            reason = game.check_loss(state)
            assert reason is None or not game.check_win(state)
            assert reason is None or reason.strip() and "\n" not in reason


@every_game
def test_the_cards_are_always_the_same(game, options):
    pack = Counter(getattr(game, "PACK", session.PACK))
    for state, _ in play(game, options, 6):
        assert Counter((card.rank(), card.suit()) for card in cards_in(parts(state))) == pack


@every_game
def test_a_replay_gives_the_same_board(game, options):
    boards = [board(game, state) for state, _ in play(game, options, 7)]
    *_, (_, done) = play(game, options, 7)
    state = deal(game, options, 7)
    for shown, command in zip(boards, done):
        assert board(game, state) == shown
        game.perform(state, command)
    assert board(game, state) == boards[-1]


@every_game
def test_descriptions_are_short_and_tell_commands_apart(game, options):
    for state, done in play(game, options, 8):
        if len(done) % 10 == 0:
            for command in game.legal_commands(state):
                told = game.describe(state, command)
                assert told and "\n" not in told and len(command) + len(told) + 2 < WIDTH
                assert told == told.strip() and not told.endswith(".")


@every_game
def test_the_same_seed_gives_the_same_bytes(game, options):
    arguments = [game.__name__, "--seed", "9"]
    for option, choice in options.items():
        arguments += [f"--{option}", choice]
    *_, (_, done) = play(game, options, 9, steps=40)
    script = "\n".join([*done, "restart", *done, "new", "q", "n", ""])
    first, second = run(arguments, script), run(arguments, script, PYTHONHASHSEED="1")
    assert first.returncode == 0 and first.stderr == b"" and first.stdout == second.stdout
    assert "Traceback" not in first.stdout.decode()


class ListDeck:
    """A deck that keeps its cards in a list, as the course's does."""

    def __init__(self, pack):
        self.cards = [cards.Card(*pair) for pair in pack]

    def deal(self):
        return self.cards.pop() if self.cards else None


@every_game
def test_nothing_is_shared_between_games_or_with_the_deck(game, options):
    deck = ListDeck(getattr(game, "PACK", session.PACK))
    states = [game.initialize(deck, **options), *(deal(game, options, 1) for _ in range(2))]
    lists = [lists_in(vars(deck)), *(lists_in(parts(state)) for state in states)]
    assert len(set().union(*lists)) == sum(map(len, lists))
    all_cards = [card for state in states for card in cards_in(parts(state))]
    assert len(set(map(id, all_cards))) == len(all_cards)


@pytest.mark.parametrize("name", main.GAMES)
def test_a_sitting_with_another_cards_module(name, tmp_path):
    """Padded ranks and letters for suits: the same game, and the board is as wide as ever."""
    project = helpers.copy_project(tmp_path, ROOT / "tests" / "other_cards.py")
    game = importlib.import_module(name)
    *_, (_, done) = play(game, {}, 10, steps=60)
    script = "\n".join([*done, "q", "n", ""])
    shown = run([name, "--seed", "1"], script, project)
    assert shown.returncode == 0 and shown.stderr == b""
    prompt = game.PROMPT.split("\n")[-1]
    lines = shown.stdout.decode().replace(prompt, "").splitlines()
    assert max(len(line) for line in lines if "Error: " not in line) <= max(WIDTH, len(prompt))
