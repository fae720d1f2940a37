"""The options that a player keeps: how a game is dealt and how the table looks. The command line and environment
variables override them, and scripts do not use them."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import click

from patience import options, rules
from patience.decks import Deal
from patience.records import store
from patience.rules import Rules
from patience.text import printable

# What the values of the console's options are called, default first.
SHOWN = {
    "plain": ("cards", {"no": "tiles", "yes": "text"}),
    "four_colors": ("colours", {"no": "two", "yes": "four"}),
    "ascii": ("suits", {"no": "symbols", "yes": "letters"}),
    "auto": ("cards that no other needs", {"no": "you play them", "yes": "go up by themselves"}),
    "warn": ("a game that cannot be won", {"no": "not told", "yes": "told at once"}),
    "mouse": ("mouse", {"yes": "on", "no": "off"}),
    "clock": ("clock", {"yes": "shown", "no": "not shown"}),
    "escape": ("Escape waits", {value: f"{value} ms" for value in options.ESCAPE_DELAYS}),
}


class Setting(NamedTuple):
    """An option that a player can keep."""

    name: str  # in the store: plain, klondike.draw
    label: str
    values: dict[str, str]  # value -> what it is called, default first
    option: click.Option
    variable: str  # of the environment


def all_settings() -> list[Setting]:
    """Return the options that can be kept: game options first, then console options."""
    found = []
    for game in rules.all_games():
        for option in options.game_options(rules.load(game)):
            values = {value: value for value in option.type.choices}  # type: ignore[attr-defined]
            variable = variable_of(game, str(option.name))
            found.append(Setting(f"{game}.{option.name}", f"{game} {option.name}", values, option, variable))
    for option in options.CONSOLE:
        if option.name in SHOWN:
            label, values = SHOWN[option.name]
            found.append(Setting(option.name, label, values, option, str(option.envvar)))
    return found


def variable_of(game: str, option: str) -> str:
    """Return the name of the variable of the environment for an option of a game."""
    return f"PATIENCE_{game}_{option}".upper()


def stored(game_rules: Rules | None = None) -> dict[str, Any]:
    """Return the kept options, for a game or only for the console, as click's default_map. Unknown values are
    ignored, and so is a store that cannot be read."""
    kept = {}
    with contextlib.suppress(OSError):  # the player is told about this when the first move is saved
        kept = store.settings()
    known: dict[str, tuple[str, Container[str]]] = {name: (name, values) for name, (_, values) in SHOWN.items()}
    if game_rules:
        known |= {f"{game_rules.name}.{name}": (name, choices) for name, choices in game_rules.OPTIONS.items()}
    return {name: kept[key] for key, (name, values) in known.items() if kept.get(key, "") in values}


def typed_name(game_rules: Rules) -> str:
    """Return how a game begins on the command line: klondike or, for a student's file, play FILE."""
    return f"play {printable(shlex.quote(game_rules.file))}" if game_rules.file else game_rules.name


def command_again(deal: Deal) -> str:
    """Return the game and options that deal it again on the command line, with those that have a value on the options
    page or in the environment, too."""
    kept, name = stored(deal.rules), deal.rules.name
    named = [option for option in deal.rules.OPTIONS if option in kept or variable_of(name, option) in os.environ]
    return typed_name(deal.rules) + deal.command(named=named).removeprefix(name)


def value_of(setting: Setting, kept: dict[str, str]) -> str:
    """Return the value that is kept, or the default. kept: what store.settings returns."""
    value = kept.get(setting.name)
    return value if value in setting.values else next(iter(setting.values))


def overriding(setting: Setting, typed: Sequence[str]) -> str:
    """Return what overrides a kept setting, or "". typed: the console options on the command line."""
    for word in typed:
        if word in (*setting.option.opts, *setting.option.secondary_opts):
            return word
    return f"{setting.variable}={os.environ[setting.variable]}" if os.environ.get(setting.variable) else ""
