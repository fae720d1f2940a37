"""Correct modules of five functions, made from this project's modules: they have none of the contract's other
functions, and the position is a dataclass, an object, or a list of its fields."""

import re

from helpers import ROOT

CONTRACT = (
    "refusal check_loss legal_moves describe perform confirmation hidden status progress reason special blanks piles"
    " moved_card display_narrow"
).split()
WORDS = {
    "You lost:": "Lost!",
    "turned over": "taken up",
    " does not go ": " cannot lie ",
    "Cleared": "Gone",
}
# What a form does with a position: fields(table) returns a dict; put(table, fields) writes such a dict into the position.
FORMS = {
    "dataclass": "",
    "object": """
class Table:
    pass


def new():
    return Table()


def fields(table):
    return vars(table)


def put(table, values):
    vars(table).update(values)
""",
    "list": """
def new():
    return []


def fields(table):
    return dict(zip(NAMES, table))


def put(table, values):
    table[:] = [values[name] for name in NAMES]
""",
}
WRAPPED = """
import dataclasses

NAMES = [field.name for field in dataclasses.fields(Game)]
ours = {name: globals()[name] for name in ("initialize", "display", "validate_move", "move", "check_win")}


def game_of(table):
    return table if isinstance(table, Game) else Game(**fields(table))


def initialize(*args, **options):
    table = new()
    put(table, vars(ours["initialize"](*args, **options)))
    return table


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
        put(table, vars(game))
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
    return text + (WRAPPED + FORMS[form] if FORMS[form] else "")
