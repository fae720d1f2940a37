"""Correct modules of five functions, made from this project's modules: they have none of the contract's other
functions, and the position is a dataclass, or a list of its fields."""

import re

from helpers import ROOT

CONTRACT = (
    "refusal check_loss legal_moves describe perform confirmation hidden status progress reason special blanks piles"
    " moved_card display_narrow"
).split()
WORDS = {"You lost:": "Lost!", "turned over": "taken up", " does not go ": " cannot lie ", "Cleared": "Gone"}
FORMS = "dataclass", "list"
AS_LIST = """
import dataclasses

NAMES = [field.name for field in dataclasses.fields(Game)]
ours = {name: globals()[name] for name in ("initialize", "display", "validate_move", "move", "check_win")}


def game_of(table):
    return table if isinstance(table, Game) else Game(*table)


def fields_of(game):
    return [getattr(game, name) for name in NAMES]


def initialize(*args, **options):
    return fields_of(ours["initialize"](*args, **options))


def display(table):
    ours["display"](game_of(table))


def validate_move(table, *numbers):
    return ours["validate_move"](game_of(table), *numbers)


def check_win(table):
    return ours["check_win"](game_of(table))


def move(table, *numbers):
    game = game_of(table)
    is_made = ours["move"](game, *numbers)
    if game is not table:
        table[:] = fields_of(game)
    return is_made

"""


def in_own_words(game):
    """Return the source of a correct module with its sentences reworded."""
    text = (ROOT / f"{game}.py").read_text(encoding="utf-8")
    for ours, own in WORDS.items():
        text = text.replace(ours, own)
    return text


def module(game, form):
    """Return the source of a correct module of five functions."""
    text = (ROOT / f"{game}.py").read_text(encoding="utf-8")
    for name in CONTRACT:
        text = re.sub(rf"(?<![.\w]){name}(?=\()", f"own_{name}", text)
    text = re.sub(r"^(VIEWS|STUCK)\b", r"OWN_\1", text, flags=re.MULTILINE)
    return text + AS_LIST * (form == "list")
