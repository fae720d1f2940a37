"""How a game begins at the table (dealt, or loaded from the store or a file), and which console it gets."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from patience import options, rules
from patience.table import play, saving
from patience.table.consoles import Console
from patience.table.consoles.spoken import Spoken
from patience.table.consoles.terminal import Terminal
from patience.decks import Deal, fresh_number
from patience.game import Game
from patience.options import at_terminal
from patience.table.records import savefile, statistics, store
from patience.table.records.kept_options import table_flags
from patience.table.records.store import SavedGame
from patience.table.session import Session, Settings
from patience.text import error_text, printable
from patience.solvers import general

if TYPE_CHECKING:
    from patience.options import DeckFile
    from patience.rules import Rules


def play_game(
    game_rules: Rules,
    console: Console,
    /,
    seed: int | None,
    deck: DeckFile | None,
    daily: bool,
    winnable: bool,
    save: str | None,
    time: float,
    **choices: str,
) -> bool:
    """Play games until the player leaves. Return True if they want the list."""
    for option, given in (("daily", daily), ("winnable", winnable)):
        if given and (seed is not None or deck):
            raise click.UsageError(f"--{option} cannot be combined with --seed or --deck.")
    deal = options.deal_of(game_rules, seed, deck, choices)
    next_number = number_source(deal, daily, winnable, time)
    if (daily or deal.number is not None) and at_terminal() and not save and not game_rules.file:
        for row in saved_of_deal(deal, daily):
            if console.agrees("This deal is in progress. Continue it"):
                return continue_game(row, console)
    if daily:
        day, seed = daily_number(deal)
    else:
        day = None
    game = file_game(save, deal) if save else None
    game = game or Game(deal._replace(number=next_number() if seed is None else seed))
    saved = saved_game(game, save, day) if save or not game_rules.file else None
    return play.run(Session(game, console, Settings(next_number, time, table_flags()), saved))


def number_source(deal: Deal, daily: bool, winnable: bool, time: float) -> Callable[[], int]:
    """Return the function that returns the number of the next deal. daily: the first deal is today's. winnable: the
    solver must win the deal within the given time, in seconds."""
    if not winnable:
        return fresh_number
    from patience.advice import solve

    return functools.partial(solve.winnable_number, deal, None if daily else time)


def saved_of_deal(deal: Deal, daily: bool) -> list[SavedGame]:
    """Return a list with the most recently played game in progress that has this deal number, or today's deal if daily
    is True, or [] if there is none."""
    with contextlib.suppress(OSError):  # the player is told when the first move is saved
        rows = [row for row in store.in_progress() if row.game == deal.name()]
        return [row for row in rows if (row.day == store.today() if daily else row.number == deal.number)][:1]
    return []


def daily_number(deal: Deal) -> tuple[int, int]:
    """Return the number of the day and the number of its deal, which is the first candidate that the solver wins and is
    therefore the same for everyone. Once it is found it is kept."""
    day = store.today()
    with contextlib.suppress(OSError):  # it is computed each time
        if found := store.found_daily(day, deal.name()):
            return day, found[0]
    numbers = statistics.candidate_numbers(day)
    if not general.solver_of(deal.rules, deal.options):
        return day, next(numbers)
    from patience.advice import solve

    number = solve.winnable_number(deal, None, numbers)
    with contextlib.suppress(OSError):
        store.keep_daily(day, deal.name(), number)
    return day, number


def console_of(spoken: bool, plain: bool = False, scroll: bool = True) -> Console:
    """Return the console that its options describe."""
    stdout: Any = sys.stdout
    if spoken:
        return Spoken(stdout)
    return Terminal(stdout, plain, table_flags(), scroll)


def file_game(save: str, deal: Deal) -> Game | None:
    """Return the Game in the --save file, or None if there is none yet. Options given on the command line must match
    the file. Raises click.BadParameter."""
    try:
        game = savefile.read(save, rules.all_games(), deal.rules)
        if not game:
            os.stat(os.path.dirname(os.path.abspath(save)))
            return None
        if game.rules.name != deal.rules.name:
            raise ValueError(f"it is a game of {game.rules.name}.")
        source = click.get_current_context().get_parameter_source
        typed = [name for name in deal.options if source(name) is click.core.ParameterSource.COMMANDLINE]
        for name in typed:
            if game.deal.options[name] != deal.options[name]:
                raise ValueError(f"it is a game with --{name} {game.deal.options[name]}.")
        if deal.number not in (None, game.deal.number):
            number = game.deal.number
            raise ValueError(
                "it was dealt by its cards, or is a later game."
                if number is None
                else f"it is a game with --seed {number}."
            )
        if deal.cards and deal.cards != game.deal.cards:
            raise ValueError("it was dealt from a different deck file.")
        return game
    except (OSError, ValueError) as error:
        raise click.BadParameter(printable(f"{save}: {error_text(error)}"), param_hint="'--save'") from None


def saved_game(game: Game, save: str | None, day: int | None) -> SavedGame:
    """Return the SavedGame for a game about to be played: a new row, or the row of the --save file in the store. day:
    the number of the day whose deal it is, or None."""
    file = os.path.abspath(save) if save else None
    if file:
        with contextlib.suppress(OSError):
            moves = "".join(f"{line}\n" for line in game.list_lines())
            for row in store.find_of_file(file, moves):
                return store.claim(row.id, store.new_window_id())
    # A game that is already over, won or lost, must not count again: a win is never written twice.
    state = store.Outcome.WON if game.outcome() else store.Outcome.PLAYING
    seconds = None if game.commands else 0.0  # the time played elsewhere is not known
    return saving.new_row(store.new_window_id(), file, state=state, day=day, seconds=seconds)


def continue_game(saved: SavedGame, console: Console) -> bool:
    """Continue a game in progress. Return True if the player wants the list. saved: the game's row."""
    try:
        try:
            saved = store.claim(saved.id, store.new_window_id())
        except OSError:  # it cannot be written: the player is told when the first move is saved
            saved.owner = store.new_window_id()
        game = store.game_of(saved, rules.all_games())
    except (ValueError, LookupError) as error:
        raise click.ClickException(printable(f"This game cannot be continued: {error_text(error)}")) from None
    saved.solved |= not at_terminal() and not saved.is_won
    return play.run(Session(game, console, Settings(looks=table_flags()), saved))
