"""The rules of each game as cases, in GAME.txt beside this file: a position, commands with their answers, what is so then.

A case is a name, and lines that are indented. Its position begins as the first case of the file has it.
    tableau 2: XX AC 9D     a pile: what it holds. Before the first command it is put there, later it must be so.
    tableau: 9D / -- / 4S   the piles of a field, from the first, with "..." the last one again to the end; of a
                            foundation the top card; stock and shoe begin with the card that comes next
    > TT 1 2                a command that is allowed
    > A: 4 cards            one that says this; its lines are told apart by " / "
    > TT 2 4: no, only a    one that is refused, changes nothing, and says this among other things
    legal: TF 1; SW; ...    the legal moves, in order; with ... the first of them
    describe SW: turn 2     what a function of the game returns for a command: describe, reason, or what VIEWS has
    won: yes    lost: no    check_win, check_loss: yes, no, or what it says
    solve: won              what the game's solver finds, won or lost
    | 10♦  --               the lines of the board
"""

import copy
import dataclasses
import importlib

import pytest

import cards
import main
from helpers import ROOT, board, describe, legal_lines, perform, pile, rules_of
from patience import lines as grammar
from solvers import positions

NEXT_FIRST = ("stock", "shoe")  # the fields of which a case names the card first that comes next
ONE_PILE = (*NEXT_FIRST, "waste", "discard")  # those that hold one pile
ALL_TOLD = ("board", "hand")  # those of which there are as many piles as a case has


CHECKS = ("legal", "describe", "reason", "won", "lost", "solve")


def read_cases(game):
    """Return the cases of a game's file: pairs of a name and its lines."""
    path, cases = ROOT / "tests" / "games" / f"{game}.txt", []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        if line.startswith(" "):
            cases[-1][1].append(line.strip())
        elif line.strip() and not line.startswith("#"):
            cases.append((line, []))
    return cases


def all_cases():
    for game in main.GAMES:
        cases = read_cases(game)
        for name, lines in cases[1:]:
            yield pytest.param(game, cases[0][1] + lines, id=f"{game}-{name}")


def put(game, field, text):
    """Put what a line says into a position, all piles of a field, one of them, or a number or word."""
    name, *number = field.split()
    if isinstance(game, list):
        game[int(number[0]) - 1 : int(number[0])] = [pile(text.replace("--", ""))]
    elif isinstance(value := getattr(game, name, []), list):
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
    """Return a position without a card: that of a deal, with its piles emptied."""
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
    """Do what a line of a case says, or see whether it is so."""
    key, _, text = line.partition(":")
    word, _, command = key.partition(" ")
    text = text.strip()
    if word == ">" and text.startswith("no,"):
        before = copy.deepcopy(game)
        with pytest.raises(grammar.Refused) as error:
            perform(rules, game, command)
        assert text[3:].strip() in str(error.value) and game == before
    elif word == ">":
        said = perform(rules, game, command)
        assert not text or said.replace("\n", " / ") == text
    elif word == "legal":
        legal, expected = "; ".join(legal_lines(rules, game)), text.removesuffix("; ...")
        assert legal == expected or text.endswith("; ...") and legal.startswith(expected + "; ")
    elif word == "describe":
        assert describe(rules, game, command) == text
    elif word == "reason":
        assert rules.reason(game, *grammar.read(rules, command)) == text
    elif word in rules.VIEWS:
        assert rules.VIEWS[word](game, *map(int, command.split())) == text
    elif word == "solve":
        answer, trial = importlib.import_module(f"solvers.{rules.name}").solve(game, None, 40_000), copy.deepcopy(game)
        for move in answer.moves:
            perform(rules, trial, rules.write(*move))
        assert answer.verdict == text and rules.check_win(trial) is (text == "won")
    elif word == "won":
        assert rules.check_win(game) is (text == "yes")
    elif word == "lost":
        reason = rules.check_loss(game)
        assert (reason is None) is (text == "no") and (text in ("yes", "no") or text in reason)
    else:
        expected = copy.deepcopy(game)
        put(expected, key, text)
        assert positions.same(expected, game)


@pytest.mark.parametrize("game, lines", list(all_cases()))
def test_rules(game, lines):
    rules, position, begun, shown = rules_of(game), empty_position(rules_of(game)), False, []
    for line in lines:
        begun = begun or line[0] in ">|" or line.split(":")[0].split()[0] in (*CHECKS, *rules.VIEWS)
        if line.startswith("|"):
            shown.append(line[1:].removeprefix(" "))
        elif begun:
            run_line(rules, position, line)
        else:
            put(position, *line.split(": "))
    assert not shown or [line.rstrip() for line in board(rules, position).splitlines()] == shown
