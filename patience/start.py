"""How a sitting begins: from the options of a command, or from a kept game."""

import functools
import sys
import time

import click

from patience import journal, loop, rules
from patience.console import Console, Silent
from patience.options import must_go_together
from patience.sitting import Sitting


def play(game_rules, /, **given):
    """Play games until the player has had enough, or answer a question about deals: the callback of a
    game's command. given: all its options. Returns the exit status."""
    must_go_together(given)
    options = {option: given[option] for option in game_rules.OPTIONS}  # in their own order
    seed = int(time.strftime("%Y%m%d")) if given["daily"] else given["seed"]
    sitting = Sitting(game_rules, options, seed, given["deck"])
    if given["solve"] or given["winnable"] or given["odds"]:
        import patience.answers

        if not patience.answers.solver_of(game_rules, options):
            raise click.UsageError("There is no solver for this game yet.")
        if not given["odds"] and sys.stderr and sys.stderr.isatty():
            click.echo(patience.answers.LOOKING, err=True)
    if given["odds"]:
        import patience.odds

        return patience.odds.print_odds(sitting, given["odds"], given["jobs"] or 1, given["csv"], given["time"])
    if given["winnable"]:
        sitting.wanted = functools.partial(patience.answers.is_won, seconds=given["time"])
    table = loop.Table(sitting, Silent(), seconds=given["time"])
    if given["save"]:
        take_up(table, open_journal(given["save"]), click.BadParameter)
    else:
        sitting.deal()
    if given["solve"]:
        lines = table.journal.read()[0][1:] if table.journal else []
        return patience.answers.print_solution(sitting, lines, given["time"])
    sit(table, given["ascii"])


def open_journal(path):
    """Return the journal in a file; a file that cannot be one is a usage error."""
    try:
        return journal.Journal(path)
    except BlockingIOError:
        raise click.BadParameter(f"{path} is in use by another program.") from None
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be written: {error.strerror}.") from None


def take_up(table, kept, error):
    """Go on with what a journal holds; a journal of something else is an error."""
    try:
        cut_off = loop.take_up(table, kept)
    except ValueError as reason:
        raise error(f"{kept.path}: {reason}") from None
    if cut_off:
        click.echo(f"{kept.path}: the last line was cut off, and is dropped: {cut_off}", err=True)


def sit(table, ascii_only):
    """Let the player sit down at a table where the game has been dealt."""
    table.console = Console(sys.stdin, sys.stdout, ascii_only)
    table.console.before_waiting = table.keep
    if table.console.edits:
        import patience.results

        table.results = patience.results.Counter(journal.application_folder())
        if not table.journal:
            journal.keep_unasked(table)
    loop.sit(table)


def resume(games, ascii_only):
    """Go on with the last game that was not finished. games: the names of all games."""
    for path in journal.kept():
        try:
            kept = journal.Journal(path)
            table = kept_table(kept, games)
        except (OSError, ValueError) as error:  # in use by another program, or damaged
            click.echo(f"{path}: {error}", err=True)
            continue
        return sit(table, ascii_only)
    raise click.ClickException("No game was left unfinished.")


def kept_table(kept, games):
    """Return a Table with the sitting that a journal holds; ValueError says why not."""
    lines, cut_off = kept.read()
    name, settings = journal.read_header(lines[0] if lines else cut_off)
    if name not in games:
        raise ValueError(f"there is no game {name}.")
    game_rules = rules.load(name)
    options = {option: settings.get(option, choices[0]) for option, choices in game_rules.OPTIONS.items()}
    table = loop.Table(Sitting(game_rules, options), Silent())
    take_up(table, kept, ValueError)
    return table
