"""The options page's options: how the table looks, and how each game is dealt. The player keeps them in the store; a
game's own program does not use them, and an option on the command line overrides the one that is kept."""

from __future__ import annotations

import contextlib
import shlex
from typing import NamedTuple

from patience import rules
from patience.decks import Deal
from patience.table.records import store
from patience.rules import Rules
from patience.text import printable


class Setting(NamedTuple):
    """An option that a player can keep."""

    name: str  # in the store: ascii, klondike.draw
    label: str
    values: dict[str, str]  # value -> what it is called, default first
    help: str = ""


TABLE = (
    Setting("four_colors", "colours", {"no": "two", "yes": "four"}),
    Setting("ascii", "suits", {"no": "symbols", "yes": "letters"}, "letters help if symbols are too wide"),
    Setting("warn", "lost games", {"no": "no warning", "yes": "warn at once"}),
    Setting("mouse", "mouse", {"yes": "on", "no": "off"}, "off lets you select text"),
    Setting("clock", "clock", {"yes": "shown", "no": "not shown"}),
)  # how it looks


def all_settings() -> list[Setting]:
    """Return the options that can be kept: game options first."""
    of_games = [
        Setting(f"{game}.{name}", f"{game} {name}", {choice: choice for choice in choices})
        for game in rules.all_games()
        for name, choices in rules.load(game).OPTIONS.items()
    ]
    return [*of_games, *TABLE]


def stored() -> dict[str, str]:
    """Return what store.settings returns, or {} if the store cannot be read."""
    with contextlib.suppress(OSError):  # the player is told about this when the first move is saved
        return store.settings()
    return {}


def value_of(setting: Setting, kept: dict[str, str]) -> str:
    """Return the value that is kept, or the default. kept: what store.settings returns."""
    value = kept.get(setting.name)
    return value if value in setting.values else next(iter(setting.values))


def table_flags() -> dict[str, bool]:
    """Return how the table looks: name of a Setting of TABLE -> whether it is on."""
    kept = stored()
    return {setting.name: value_of(setting, kept) == "yes" for setting in TABLE}


def kept_choices(game_rules: Rules) -> dict[str, str]:
    """Return the options of a game that are kept: name -> choice."""
    kept = {name: stored().get(f"{game_rules.name}.{name}") for name in game_rules.OPTIONS}
    return {name: choice for name, choice in kept.items() if choice in game_rules.OPTIONS[name]}


def typed_name(game_rules: Rules) -> str:
    """Return how a game begins at the table on the command line: play klondike, play FILE."""
    return f"play {printable(shlex.quote(game_rules.file)) if game_rules.file else game_rules.name}"


def command_again(deal: Deal) -> str:
    """Return the game and options that deal it again on the command line, with those that are kept, too."""
    return typed_name(deal.rules) + deal.again(named=kept_choices(deal.rules)).removeprefix(deal.rules.name)
