"""How a sitting begins: from the options of a command, or from a kept game."""

import functools
import sys

import click

from patience import loop, words
from patience.console import Console, Silent
from patience.options import must_go_together
from patience.sitting import Sitting


def play(game_rules, /, **given):
    """Play games until the player has had enough, or answer a question about deals: the callback of a
    game's command. given: all its options. Returns the exit status."""
    must_go_together(given)
    options = {option: given[option] for option in game_rules.OPTIONS}  # in their own order
    seed = given["seed"]
    if given["daily"]:
        import patience.daily

        seed = patience.daily.todays_number()
    sitting = Sitting(game_rules, options, seed, given["deck"])
    if given["solve"] or given["winnable"] or given["odds"]:
        import patience.answers

        if not given["odds"] and sys.stderr and sys.stderr.isatty():
            click.echo(patience.answers.LOOKING, err=True)
    if given["odds"]:
        import patience.odds

        return patience.odds.print_odds(sitting, given["odds"], given["jobs"] or 1, given["csv"], given["time"],
                                        given["hints"])
    if given["winnable"]:
        sitting.fresh = functools.partial(patience.answers.fresh_winnable, seconds=given["time"])
        if given["daily"]:
            sitting.seed = patience.answers.first_won(sitting, patience.daily.numbers(seed))
    table = loop.Table(sitting, Silent(), seconds=given["time"])
    table.warns = given["warn"]
    if given["save"]:
        import patience.kept

        must_be = [option for option in options if was_typed(option)]
        patience.kept.take_up(table, patience.kept.open_journal(given["save"]), click.BadParameter, must_be)
    else:
        sitting.deal()
    if given["solve"]:
        lines = []
        if table.journal:
            _, *lines = table.journal.read()[0]
            table.journal.close()
        return patience.answers.print_solution(sitting, lines, given["time"], given["jobs"] or 1)
    sit(table, given["ascii"])


def was_typed(option):
    """Return True if an option stands on the command line: a default must give way to a kept game's."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def sit(table, ascii_only):
    """Let the player sit down at a table where the game has been dealt."""
    table.console = Console(sys.stdin, sys.stdout, ascii_only)
    table.console.before_waiting = table.keep
    if table.console.edits:
        import patience.kept

        table.console.candidates = functools.partial(words.all_lines, table)
        table.folder = patience.kept.application_folder()
    loop.sit(table)
