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
        rules = importlib.import_module(name)
        defaults = {option: choices[0] for option, choices in rules.OPTIONS.items()}
        yield pytest.param(rules, defaults, id=name)
        for option, choices in rules.OPTIONS.items():
            for choice in choices[1:]:
                yield pytest.param(rules, {**defaults, option: choice}, id=f"{name}-{choice}")


every_game = pytest.mark.parametrize("rules, options", list(cases()))


def board(rules, game):
    """Return the board as text."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        rules.display(game)
    return text.getvalue()


def parts(game):
    """Return everything a state holds: the fields of a dataclass, or a list and what rides on it."""
    if is_dataclass(game):
        return {field.name: getattr(game, field.name) for field in fields(game)}
    return {"list": list(game), **vars(game)}


def equal(game, other):
    """Return whether two states are the same, also in which cards lie face up."""
    return parts(game) == parts(other) and facing(game) == facing(other)


def facing(game):
    """Return which way the cards of a state lie, in order."""
    return [card.is_face_up() for card in cards_in(parts(game))]


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


def reordered(game):
    """Return what tells positions apart when it does not matter in which order piles stand."""
    return sorted(
        str(sorted(map(str, part)) if isinstance(part, list) and any(
            isinstance(pile, list) for pile in part) else part)
        for name, part in parts(game).items() if name != "undoing"
    )


def is_over(rules, game):
    return rules.check_win(game) or rules.check_loss(game) is not None


def after(rules, game, command):
    """Return a copy of the state after a command, or None if it is refused."""
    game = copy.deepcopy(game)
    try:
        rules.perform(game, command)
    except ValueError:
        return None
    return game


def deal(rules, options, seed):
    random.seed(seed)
    return rules.initialize(**options)


def play(rules, options, seed, steps=STEPS):
    """Yield the positions of a game in which legal commands are chosen at random, often good ones,
    each as the state and the commands so far."""
    chance = random.Random(seed)
    game = deal(rules, options, seed)
    done = []
    yield game, done
    while len(done) < steps and not is_over(rules, game):
        legal = rules.legal_commands(game)
        if not legal:
            return
        command = chance.choice(legal[:1] + legal[:3] + legal)
        rules.perform(game, command)
        done.append(command)
        yield game, done


def all_commands(rules):
    """Yield every command of the help text with all numbers: letters and digits stand for them."""
    for line in rules.COMMANDS.splitlines():
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
def test_the_names_are_there(rules, options):
    assert rules.__doc__.strip() and max(map(len, rules.__doc__.splitlines())) < WIDTH - 1
    assert isinstance(rules.TITLE, str) and isinstance(rules.PROMPT, str)
    assert rules.COMMANDS.endswith("\n") and max(map(len, rules.COMMANDS.splitlines())) < WIDTH
    assert rules.SHORTCUTS in (True, False)
    for option, choices in rules.OPTIONS.items():
        assert isinstance(option, str) and all(isinstance(choice, str) for choice in choices)
    for name in "initialize display validate_move move check_win check_loss perform".split():
        assert callable(getattr(rules, name)) and getattr(rules, name).__doc__
    assert callable(rules.legal_commands) and callable(rules.describe)


@every_game
def test_a_game_imports_only_cards_and_the_standard_library(rules, options):
    ours = {path.stem for path in ROOT.glob("*.py")} | {"click", "solvers"}
    source = (ROOT / f"{rules.__name__}.py").read_text(encoding="utf-8")
    imported = {line.split()[1].split(".")[0] for line in source.splitlines()
                if line.startswith(("import ", "from "))}
    assert imported & ours == {"cards"}


@every_game
def test_the_board_fits_at_every_step(rules, options):
    for game, _ in play(rules, options, 1):
        shown = board(rules, game)
        assert shown.endswith("\n") and "\n\n\n" not in shown
        assert max(map(len, shown.splitlines())) <= WIDTH


@every_game
def test_every_legal_command_is_accepted_and_changes_something(rules, options):
    for game, done in play(rules, options, 2):
        if len(done) % 5 == 0 and not is_over(rules, game):
            legal = rules.legal_commands(game)
            assert len(legal) == len(set(legal))
            for command in legal:
                result = after(rules, game, command)
                assert result is not None and not equal(result, game), command


@every_game
def test_no_other_command_changes_anything(rules, options):
    """Except in other words what a legal one does, or to put piles in another order."""
    for game, done in play(rules, options, 3, steps=41):
        if len(done) in (0, 20, 40) and not is_over(rules, game):
            legal = rules.legal_commands(game)
            reached = {board(rules, after(rules, game, command)) for command in legal}
            before, shown, position = copy.deepcopy(game), board(rules, game), reordered(game)
            for command in all_commands(rules):
                try:
                    rules.perform(game, command)
                except ValueError:
                    continue
                if command not in legal:
                    assert (board(rules, game) in reached or reordered(game) == position
                            or board(rules, game) in repeated(rules, before, command, legal)), command
                game = copy.deepcopy(before)
            assert equal(game, before) and board(rules, game) == shown


def repeated(rules, game, command, legal):
    """Return the boards when a command is done again and again that ends with a number of times."""
    again, count = command.rsplit(" ", 1)
    if again not in legal:
        return
    for _ in range(int(count)):
        game = after(rules, game, again)
        yield board(rules, game)


@every_game
def test_a_refusal_is_one_line_and_changes_nothing(rules, options):
    chance = random.Random(4)
    lines = ["", "x", "help me", "TT", "1", "-1 2", "0 0 0 0", "A B", "m 1 1", "\0", "♥", "9" * 99]
    lines += chance.sample(list(all_commands(rules)), 400)
    for game, done in play(rules, options, 4):
        if len(done) % 30 == 0:
            before = copy.deepcopy(game)
            for line in lines:
                try:
                    rules.perform(game, line)
                except ValueError as error:
                    assert equal(game, before), line
                    assert str(error).strip() and "\n" not in str(error)
                else:
                    game = copy.deepcopy(before)


@every_game
def test_nothing_but_display_prints(rules, options, capsys):
    for game, done in play(rules, options, 5):
        if len(done) % 20 == 0:
            before = copy.deepcopy(game)
            for command in rules.legal_commands(game):
                rules.describe(game, command)
                after(rules, game, command)
            for command in all_commands(rules) if hasattr(rules, "view") and not done else ():
                with contextlib.suppress(ValueError):
                    rules.view(game, command)
            rules.check_win(game), rules.check_loss(game)
            assert equal(game, before)
    assert capsys.readouterr().out == ""


@every_game
def test_won_and_lost_are_never_both_said(rules, options):
    for seed in range(5):
        for game, _ in play(rules, options, seed, steps=400):
            reason = rules.check_loss(game)
            assert reason is None or not rules.check_win(game)
            assert reason is None or reason.strip() and "\n" not in reason


@every_game
def test_the_cards_are_always_the_same(rules, options):
    pack = Counter(getattr(rules, "PACK", session.PACK))
    for game, _ in play(rules, options, 6):
        assert Counter((card.rank(), card.suit()) for card in cards_in(parts(game))) == pack


@every_game
def test_a_replay_gives_the_same_board(rules, options):
    boards = [board(rules, game) for game, _ in play(rules, options, 7)]
    *_, (_, done) = play(rules, options, 7)
    game = deal(rules, options, 7)
    for shown, command in zip(boards, done):
        assert board(rules, game) == shown
        rules.perform(game, command)
    assert board(rules, game) == boards[-1]


@every_game
def test_descriptions_are_short_and_tell_commands_apart(rules, options):
    for game, done in play(rules, options, 8):
        if len(done) % 10 == 0:
            for command in rules.legal_commands(game):
                told = rules.describe(game, command)
                assert told and "\n" not in told and len(command) + len(told) + 2 < WIDTH
                assert told == told.strip() and not told.endswith(".")


@every_game
def test_the_same_seed_gives_the_same_bytes(rules, options):
    arguments = [rules.__name__, "--seed", "9"]
    for option, choice in options.items():
        arguments += [f"--{option}", choice]
    *_, (_, done) = play(rules, options, 9, steps=40)
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
def test_nothing_is_shared_between_games_or_with_the_deck(rules, options):
    deck = ListDeck(getattr(rules, "PACK", session.PACK))
    states = [rules.initialize(deck, **options), *(deal(rules, options, 1) for _ in range(2))]
    lists = [lists_in(vars(deck)), *(lists_in(parts(game)) for game in states)]
    assert len(set().union(*lists)) == sum(map(len, lists))
    all_cards = [card for game in states for card in cards_in(parts(game))]
    assert len(set(map(id, all_cards))) == len(all_cards)


@pytest.mark.parametrize("name", main.GAMES)
def test_a_sitting_with_another_cards_module(name, tmp_path):
    """Padded ranks and letters for suits: the same game, and the board is as wide as ever."""
    project = helpers.copy_project(tmp_path, ROOT / "tests" / "other_cards.py")
    rules = importlib.import_module(name)
    *_, (_, done) = play(rules, {}, 10, steps=60)
    script = "\n".join([*done, "q", "n", ""])
    shown = run([name, "--seed", "1"], script, project)
    assert shown.returncode == 0 and shown.stderr == b""
    prompt = rules.PROMPT.split("\n")[-1]
    lines = shown.stdout.decode().replace(prompt, "").splitlines()
    assert max(len(line) for line in lines if "Error: " not in line) <= max(WIDTH, len(prompt))
