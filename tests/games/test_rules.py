"""The rules of each game as cases, in GAME.txt beside this file; tests/README.md explains their lines."""

import copy
import dataclasses
import difflib
import importlib

import pytest

import cards
import helpers
import klondike
import main
from helpers import ROOT, legal_lines, perform, pile, rules_of
from patience import rules as frame
from patience.text import capture_display, tidy
from patience import positions
from patience.solvers import general
from spots import difference

NEXT_FIRST = ("stock", "shoe")  # the fields for which a case names the next card first
ONE_PILE = (*NEXT_FIRST, "waste", "discard")  # the fields that hold one pile
ALL_TOLD = ("board", "hand")  # the fields that have as many piles as a case lists
CHECKS = ("legal", "describe", "reason", "won", "lost", "solve", "status")


def all_cases():
    """Yield each case of the games' files as the name of the game, the lines of the first case, and those of the
    case."""
    for game in main.GAMES:
        path, cases = ROOT / "tests" / "games" / f"{game}.txt", []
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            if line.startswith((" ", "\t")):
                cases[-1][1].append(line.strip())
            elif line.strip() and not line.startswith("#"):
                cases.append((line, []))
        for name, lines in cases[1:]:
            yield pytest.param(game, cases[0][1], lines, id=f"{game}-{name}")


def put(game, field, text):
    """Put the contents of a line into a position: all piles of a field, one of them, or a number or word."""
    name, *number = field.split()
    fields = ["row"] if isinstance(game, list) else [*vars(game)]
    assert name in fields, f"there is no {name}, only {', '.join(fields)}"
    if isinstance(game, list):
        game[int(number[0]) - 1 : int(number[0])] = [pile(text.replace("--", ""))]
    elif isinstance(value := getattr(game, name), list):
        texts = text.split(" / ")
        if texts[-1] == "...":
            texts[-1:] = [texts[-2]] * (len(value) - len(texts) + 1)
        piles = [pile(text.replace("--", "")) for text in texts]
        if name == "foundations":
            piles = [
                [cards.Card(rank, top.suit()) for top in tops for rank in range(1, top.rank() + 1)] for tops in piles
            ]
        if number:
            value[int(number[0]) - 1] = piles[0]
        elif name in ONE_PILE:
            value[:] = piles[0][:: -1 if name in NEXT_FIRST else 1]
        else:
            value[: None if name in ALL_TOLD else len(piles)] = piles
    else:
        setattr(game, name, type(value)(text))


def empty_position(rules):
    """Return a position without cards: that of a deal, with its piles emptied."""
    game = rules.initialize()
    if isinstance(game, list):
        return type(game)()
    for field in dataclasses.fields(game):
        value = getattr(game, field.name)
        if isinstance(value, list):
            setattr(game, field.name, [[] for _ in value] if value and isinstance(value[0], list) else [])
        elif field.default is not dataclasses.MISSING:
            setattr(game, field.name, field.default)
    return game


def run_line(rules, game, line):
    """Carry out a line of a case. Return the line as it should be: the given line, if it is right."""
    key, _, text = line.partition(":")
    word, _, command = key.partition(" ")
    text = text.strip()
    if word == ">":
        found = answer_to(rules, game, command, text)
        return f"{key}: {found}" if found or text else line
    if word == "legal":
        legal, expected = "; ".join(legal_lines(rules, game)), text.removesuffix("; ...")
        is_begun = text.endswith("; ...") and legal.startswith(f"{expected}; ")
        return line if is_begun else f"legal: {legal}"
    if word in ("describe", "reason"):
        return f"{key}: {tidy(getattr(rules, word)(game, *frame.read(rules, command)))}"
    if word in rules.VIEWS:
        return f"{key}: {rules.VIEWS[word](game, *map(int, command.split()))}"
    if word == "solve":
        answer = importlib.import_module(f"patience.solvers.{rules.name}").solve(game, None, 40_000)
        is_told = answer.verdict != "won" or not general.fault_of_win(rules, game, answer.moves)
        return f"solve: {answer.verdict if is_told else 'won, but its moves do not win'}"
    if word == "status":
        return f"status: {', '.join(rules.status(game))}"
    if word == "won":
        return f"won: {'yes' if rules.check_win(game) else 'no'}"
    if word == "lost":
        reason = rules.check_loss(game)
        is_right = (text == "no") if reason is None else text == "yes" or text in reason and text != "no"
        return line if is_right else f"lost: {'no' if reason is None else reason}"
    expected = copy.deepcopy(game)
    put(expected, key, text)
    return line if positions.same(expected, game) else f"{key}: {difference(expected, game)}"


def answer_to(rules, game, command, expected):
    """Carry out a command; return its answer in the notation of a case, or expected if expected is right."""
    before = copy.deepcopy(game)
    try:
        said = perform(rules, game, command).replace("\n", " / ")
    except frame.Refused as error:
        why = str(error)
        if not positions.same(before, game):
            return f"no, {why} But the position has changed."
        return expected if expected.startswith("no,") and expected[3:].strip() in why else f"no, {why}"
    return said if expected else ""


@pytest.mark.parametrize("game, first, lines", list(all_cases()))
def test_rules(game, first, lines):
    rules, position, begun, shown = rules_of(game), empty_position(rules_of(game)), False, []
    for line in first + lines:
        begun = begun or line[0] in ">|" or line.split(":")[0].split()[0] in (*CHECKS, *rules.VIEWS)
        try:
            if line.startswith("|"):
                shown.append(line[1:].removeprefix(" "))
            elif begun:
                found = run_line(rules, position, line)
                if found.rstrip() != line:
                    pytest.fail(f"expected: {line}\nfound:    {found}", pytrace=False)
            else:
                put(position, *line.split(": "))
        except Exception as error:
            pytest.fail(f"{line}\n{type(error).__name__}: {error}", pytrace=False)
    assert begun, "nothing is checked"
    there = [line.rstrip() for line in capture_display(rules.display, position).splitlines()]
    if shown and there != shown:
        pytest.fail(
            "\n".join(difflib.unified_diff(shown, there, "expected", "found", lineterm="", n=99)), pytrace=False
        )


@pytest.mark.parametrize("count, left", [(60, 0), (50, 2)])
def test_sixty_draws_are_sixty_draws(count, left):
    """Three cards that fit nowhere: every fourth draw turns the waste over."""
    game = helpers.game_of("klondike", {"draw": "1", "passes": "unlimited"}).position
    low = [cards.Card(rank, 1) for rank in (5, 6, 7)]
    game.stock[:], game.waste[:], game.tableau[:] = low, [], [[cards.Card(13, 1)] for _ in range(7)]
    game.unseen = 0
    klondike.move(game, "SW", count)
    assert (len(game.waste), len(game.stock)) == (left, 3 - left)
