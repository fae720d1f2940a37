"""Where a player chooses: a game, today's deal, or a game in progress; and the results."""

import itertools
import shutil

import click

from patience.game import files, rules
from patience.records import daily, results, saves, statistics
from patience.records.keepers import FolderKeeper
from patience.start import at_terminal, count_the_rest, saved_tables, sit_down
from patience.game.text import count_of, minutes

PAGE = 9  # games that are listed at a time


def resume(games, only, show, lists=False):
    """Continue a game in progress: the one played last or, if a player can be asked and there are several, one chosen
    from a list; then another one, if it is wanted. games: the names of all games. only: the game that is wanted, or
    None. show: a start.Show. lists: list the games even if there is one only."""
    count_the_rest(games)
    found = saved_tables(games, only)
    first = list(itertools.islice(found, 2 if at_terminal() else 1))
    if not first:
        raise click.ClickException("There is no game in progress.")
    table, journal = first[0] if len(first) == 1 and not lists else choose(itertools.chain(first, found))
    if table and sit_down(table, journal, False, show):
        resume(games, None, show, True)


def choose(found):
    """Let the player open or delete one of the games found, which are listed page by page. Return its Table and
    Journal, or (None, None)."""
    listed = list_page(found, [])
    while True:
        answer = ask("Number: open, d NUMBER: delete, Enter: more, q: quit: ").split()
        number = answer[-1] if answer[-1:] and answer[-1].isdecimal() and answer[:-1] in ([], ["d"]) else ""
        if number and 1 <= int(number) <= len(listed) and listed[int(number) - 1]:
            table, journal = listed[int(number) - 1]
            if answer[0] == "d" and ask(f"Delete {rules.spoken_name(table.sitting.name())} (y/n)? ") not in (
                "y",
                "yes",
            ):
                continue
            listed[int(number) - 1] = None
            if answer[0] != "d":
                break
            if FolderKeeper(journal).give_up(table.sitting, table.record):
                click.echo(f"Deleted {number}.")
        elif answer == ["q"]:
            table = journal = None
            break
        elif answer:
            click.echo("Please type a number from the list.")
        elif list_page(found, listed) is None:
            click.echo("There are no more.")
    for _, other in filter(None, listed):
        other.close()
    return table, journal


def ask(question):
    """Return what the player types, in small letters; q at the end of the input."""
    try:
        return input(question).strip().lower()
    except EOFError:
        click.echo()
        return "q"


def list_page(found, listed):
    """Show the next games found, and add them to those listed; return them all, or None if there are no more."""
    page = list(itertools.islice(found, PAGE))
    for number, (table, journal) in enumerate(page, start=len(listed) + 1):
        click.echo(f"{number:>3}  {described(table, journal)}")
    listed += page
    return listed if page else None


def described(table, journal):
    """Return a line about a game in progress: which, how far it is, how long it was played, when."""
    sitting = table.sitting
    progress = sitting.rules.status(sitting.game) or count_of(len(sitting.done), "command")
    deal = "" if sitting.number is None else f"deal {sitting.number}"
    time_played = minutes(table.record.played)
    when = saves.how_long_ago(journal.path)
    return f"{rules.spoken_name(sitting.name()):<18}{deal:<15}{progress:<18}{time_played:>6}  {when}"


def menu(games):
    """Let the player choose a game, today's deal of one, or a game in progress. Return the words of a command, or a
    Table and a Journal; None to leave."""
    count_the_rest(games)
    won = daily.won_today(files.application_folder())
    choices = [[name] for name in games] + [[name, "--daily"] for name in games]
    for number, (name, text) in enumerate(games.items(), start=1):
        click.echo(f"{number:>3}  {name:<11}{text}"[: shutil.get_terminal_size().columns])
    for number, name in enumerate(games, start=len(games) + 1):
        click.echo(f"{number:>3}  {name:<12}today's deal{', won' if name in won else ''}")
    found = saved_tables(games)
    for table, journal in itertools.islice(found, PAGE):
        choices.append((table, journal))
        click.echo(f"{len(choices):>3}  {described(table, journal)}")
    saved = choices[2 * len(games) :]
    asked = f"Enter: continue {saved[0][0].sitting.rules.name}, number or name" if saved else "Number or name"
    chosen = None
    while chosen is None:
        answer = ask(f"{asked}, or q: quit: ")
        if answer in ("q", "quit", "exit"):
            break
        chosen = saved[0] if saved and not answer else choice_of(answer, choices, games)
        if not chosen:
            click.echo("Please type a number from the list, or the name of a game.")
    for choice in saved:
        if choice is not chosen:
            choice[1].close()
    return chosen


def choice_of(answer, choices, games):
    """Return what a player has chosen by its number or its name, which may be short and have options; or None."""
    if answer.isdecimal():
        return choices[int(answer) - 1] if 1 <= int(answer) <= len(choices) else None
    name, *options = answer.split() or [" "]
    game = rules.meant(name, games)
    return [game, *options] if game else None


def stats(games, what, reset):
    """Show the results, or delete them."""
    folder = files.application_folder()
    if reset and not click.confirm("Delete all results?"):
        click.echo("Nothing was changed.")
        return
    count_the_rest(games)
    try:
        if reset:
            results.reset(folder)
            told = "All results are deleted."
        elif what:
            told = daily.daily(folder)
        else:
            told = statistics.table(
                statistics.summary(folder), shutil.get_terminal_size().columns if at_terminal() else None
            )
    except OSError as error:
        raise click.ClickException(f"The results cannot be read: {error}") from None
    if told:
        click.echo(told)
