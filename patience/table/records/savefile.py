"""A saved file: a first line with the deal, `# klondike --draw 1 --seed 8`, then one line for each move; the moves of a
command after its first are indented. It is also a script, for the game's own program and for the table."""

from __future__ import annotations

import os

import click

from patience import options, rules
from patience.game import Game
from patience.text import read_text
from patience.positions import preserve_random_state, same


def write(path: str, game: Game) -> None:
    """Write a game to a file, which keeps its old contents until the new ones are complete. Raises OSError, also if the
    deal has no number, only cards, and cards were shuffled since."""
    with preserve_random_state():  # click uses random to name the new file
        text = "\n".join([f"# {game.deal.again(keeps_cards=True)}", *game.list_lines(), ""])
        if game.deal.number is None and not leads_to(text, game):
            raise OSError("its random shuffles cannot be repeated")
        with click.open_file(path, "w", encoding="utf-8", atomic=True) as file:
            file.write(text)


def leads_to(text: str, game: Game) -> bool:
    """Return True if the text of a saved file leads to the game's position."""
    try:
        return same(parse(text, {game.rules.name: ""}, None, game.rules).position, game.position)
    except ValueError:
        return False


def read(path: str, games: dict[str, str], own: rules.Rules | None = None) -> Game | None:
    """Return the Game in a file, or None if the file is empty or missing. games: the names of all games. own: the
    rules of the game that has their name, if they are not those of this project. Raises ValueError with a sentence if
    it is not a saved game, OSError if it cannot be read."""
    try:
        if not os.stat(path).st_size and os.path.isfile(path):
            return None
    except FileNotFoundError:
        return None
    return parse(read_text(path), games, os.path.dirname(os.path.abspath(path)), own)


def parse(text: str, games: dict[str, str], folder: str | None = None, own: rules.Rules | None = None) -> Game:
    """Return the Game in the text of a saved file. folder: where to look for the deck file it names. own: as for read.
    Raises ValueError."""
    first, *rest = text.removesuffix("\n").split("\n")
    deal = options.read_deal(first, games, folder, own)
    if deal.number is None and not deal.cards:
        raise ValueError("its first line must have a --seed.")
    game = Game(deal)
    game.perform_lines(rest, 2)
    return game
