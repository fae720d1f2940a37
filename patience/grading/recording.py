"""The command sessions: writes new sessions, records what they print, and exports them as plain files."""

from __future__ import annotations

import functools
import random
from pathlib import Path
from typing import Any

import click

from patience import rules
from patience.decks import fresh_number
from patience.grading import making
from patience.grading.command import CARDS, FILE_THERE, FOLDER, FOLDER_THERE, naming_files
from patience.grading.courses.known import DEFAULT_GAME, course_of
from patience.grading.judge import sessions as recorded
from patience.options import GameName
from patience.text import printable

REFERENCE = click.option(
    "--reference", type=FILE_THERE, help="Record what this program prints, not what our game prints."
)
OWN_CARDS = click.option("--cards", type=FILE_THERE, default=CARDS, help="Record with this cards.py.")


@click.group("sessions", help="Write the sessions that programs are graded against.")
def sessions() -> None:
    """Write sessions."""


@sessions.command("make", help="Write new sessions, and a seed for new calls, to a folder.")
@click.argument("folder", type=FOLDER)
@click.option("--count", type=click.IntRange(1, 100), default=5, show_default=True, help="Number of sessions.")
@click.option("--game", type=GameName(), default=DEFAULT_GAME, show_default=True, help="The game they are for.")
@click.option("--seed", type=int, help="Make the same sessions again.")
@REFERENCE
@OWN_CARDS
def make(folder: Path, count: int, game: str, seed: int | None, **recorder: Any) -> None:
    """Write new sessions. recorder: reference and cards."""
    if folder.exists() and list(folder.glob("*.py")):
        raise click.UsageError(f"{printable(folder)} contains programs: name another folder.")
    number = fresh_number() if seed is None else seed
    with naming_files():
        folder.mkdir(parents=True, exist_ok=True)
        record = functools.partial(recorded.write_out, games=rules.all_games(), **recorder)
        making.make(making.New(course_of(game), random.Random(number)), folder, count, record)
        if not (folder / recorded.SEED).exists():  # earlier points stay comparable
            (folder / recorded.SEED).write_text(f"{number}\n", encoding="utf-8")
    click.echo(f"The new sessions are in {printable(folder)}. To make the same again: --seed {number}", err=True)


@sessions.command("update", help="Write each .out that is missing in a folder.")
@click.argument("folder", type=FOLDER_THERE)
@REFERENCE
@OWN_CARDS
def update(folder: Path, reference: Path | None, cards: Path) -> None:
    """Write missing .out files."""
    with naming_files():
        recorded.update(folder, rules.all_games(), reference, cards)


@sessions.command("export", help="Export the sessions of a folder to another, as plain input and output.")
@click.argument("folder", type=FOLDER_THERE)
@click.argument("target", type=FOLDER)
def export(folder: Path, target: Path) -> None:
    """Write plain files."""
    with naming_files():
        found = recorded.read_folder(folder, rules.all_games())
        target.mkdir(parents=True, exist_ok=True)
        recorded.export(found, target)
