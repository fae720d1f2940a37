"""A saved file: a first line with the deal, `# klondike --draw 1 --seed 8`, then one line for each command. It can also
be run as a script. A script, however, may contain anything that can be typed; a saved file contains only moves."""

from __future__ import annotations

import os

import click

from patience import lines, options, rules
from patience.game import Game
from patience.text import printable, read_text
from solvers.positions import preserve_random_state, same

MAX_QUOTED = 80  # letters of a line


def write(path: str, game: Game) -> None:
    """Write a game to a file, which keeps its old contents until the new ones are complete. Raises OSError, also if the
    deal has no number, only cards, and cards were shuffled since."""
    with preserve_random_state():  # click uses random to name the new file
        text = "\n".join([f"# {game.deal.command(keeps_cards=True)}", *game.list_lines(), ""])
        if game.deal.number is None and not leads_to(text, game):
            raise OSError("its random shuffles cannot be repeated")
        with click.open_file(path, "w", encoding="utf-8", atomic=True) as file:
            file.write(text)


def leads_to(text: str, game: Game) -> bool:
    """Return True if the text of a saved file leads to the game's position."""
    try:
        return same(parse(text, {game.rules.name: ""}).position, game.position)
    except ValueError:
        return False


def read(path: str, games: dict[str, str]) -> Game | None:
    """Return the Game in a file, or None if the file is empty or missing. games: the names of all games. Raises
    ValueError with a sentence if it is not a saved game, OSError if it cannot be read."""
    try:
        if not os.stat(path).st_size and os.path.isfile(path):
            return None
    except FileNotFoundError:
        return None
    return parse(read_text(path), games, os.path.dirname(os.path.abspath(path)))


def parse(text: str, games: dict[str, str], folder: str | None = None) -> Game:
    """Return the Game in the text of a saved file. folder: where to look for the deck file it names. Raises
    ValueError."""
    first, *rest = text.removesuffix("\n").split("\n")
    deal = options.read_deal(first, games, folder)
    if deal.number is None and not deal.cards:
        raise ValueError("its first line must have a --seed.")
    game = Game(deal)
    for number, line in enumerate(rest, start=2):
        if line.strip() and not line.startswith("#"):
            try:
                moves = lines.read_command_line(game.rules, line)
                if any(move[0] in game.rules.VIEWS for move in moves):
                    raise rules.Refused("it only looks")
                game.perform(*moves)
            except rules.Refused:
                raise ValueError(f"line {number} is refused: {printable(line[:MAX_QUOTED])!r}.") from None
    return game
