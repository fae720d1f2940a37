"""Correct modules, made from this project's modules. "own words": all functions, with other sentences. "dataclass" and
"list": only the five functions; the position is a dataclass, or a list of its fields."""

import re

from helpers import ROOT

CONTRACT = (
    "refusal check_loss legal_moves describe perform confirmation hidden status progress reason special blanks piles"
    " moved_card display_narrow"
).split()
WORDS = {"You lost:": "Lost!", "turned over": "taken up", " does not go ": " cannot lie ", "Cleared": "Gone"}
AS_LIST = """
import dataclasses

make_game = initialize


def fields_of(game):
    return [getattr(game, field.name) for field in dataclasses.fields(Game)]


def initialize(*args, **options):
    return fields_of(make_game(*args, **options))


def as_list(function):
    def called(table, *numbers):
        if isinstance(table, Game):  # called by another function of the module
            return function(table, *numbers)
        game = Game(*table)
        answer = function(game, *numbers)
        table[:] = fields_of(game)
        return answer

    return called


display, validate_move, move, check_win = map(as_list, (display, validate_move, move, check_win))
"""


def module(game, form):
    """Return the source of a correct module in one of the forms above."""
    text = (ROOT / f"{game}.py").read_text(encoding="utf-8")
    if form == "own words":
        for ours, own in WORDS.items():
            text = text.replace(ours, own)
        return text
    for name in CONTRACT:
        text = re.sub(rf"(?<![.\w]){name}(?=\()", f"own_{name}", text)
    text = re.sub(r"^(VIEWS|STUCK)\b", r"OWN_\1", text, flags=re.MULTILINE)
    return text + AS_LIST * (form == "list")
