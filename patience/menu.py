"""The list a player chooses from: games, today's deals, games in progress."""

import shlex
import shutil
import time

import click

from patience.records import daily, store
from patience.rules import spoken_name
from patience.text import count_of, minutes, printable, resolve_prefix

MAX_LISTED = 9  # games in progress
MAX_DIGITS = 4
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))
LEAVE = ("q", "quit", "exit")
WHAT = "Please type a number from the list, or the name of a game."


def choose(games, only=None):
    """Let a player choose; return the words of a command, or the SavedGame of a game in progress; None to leave. games:
    module name -> its line in the list. only: list the games in progress of this game alone, or of ALL, without the
    others."""
    while True:
        choices, saved = show(games, only)
        answer = ask(
            f"{f'Enter: continue {saved[0].game.split()[0]}, number' if saved else 'Number'} or name, d NUMBER: delete, q: quit: "
        )
        words = split_words(answer)
        if words[:1] and words[0].lower() in LEAVE:
            return None
        if words[:1] == ["d"] and len(words) == 2:
            delete(pick(words[1], choices))
            continue
        chosen = saved[0] if saved and not words else pick(words[0], choices) if len(words) == 1 else None
        if not chosen and words and (name := resolve_prefix(words[0], games)):
            chosen = [name, *words[1:]]
        if chosen:
            return chosen
        click.echo(WHAT)


ALL = "all"


def show(games, only):
    """Show the list; return what can be chosen by number, and the games in progress that are shown."""
    choices, width = [], shutil.get_terminal_size().columns
    if not only:
        won = daily.won_today()
        rows = [[name, text] for name, text in games.items()]
        rows += [[name, f"today's deal{', won' if name in won else ''}"] for name in games]
        choices = [[name] for name in games] + [[name, "--daily"] for name in games]
        for number, (name, text) in enumerate(rows, start=1):
            click.echo(f"{number:>3}  {name:<11}{text}"[:width])
    try:
        saved = store.in_progress(None if only in (None, ALL) else only)
    except OSError as error:
        click.echo(f"Your games cannot be read: {error}")
        saved = []
    shown = saved[:MAX_LISTED]
    for line in in_columns([describe(row) for row in shown], len(choices)):
        click.echo(line[:width])
    if saved[MAX_LISTED:]:
        click.echo(f"{len(saved) - MAX_LISTED} more: resume GAME lists those of one game.")
    return choices + shown, shown


def describe(saved):
    """Return the cells of a line about a game in progress: which, its deal, how far, how long played, when."""
    deal = "" if saved.number is None else f"deal {saved.number}"
    progress = saved.status or count_of(saved.count, "command")
    return [
        printable(spoken_name(saved.game)),
        deal,
        printable(progress),
        minutes(saved.seconds),
        how_long_ago(saved.changed),
    ]


def in_columns(rows, first):
    """Return lines of numbered cells, each column as wide as it needs. first: the number before the first."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        f"{number:>3}  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths)).rstrip()
        for number, cells in enumerate(rows, start=first + 1)
    ]


def split_words(answer):
    """Return the words of an answer, split as a shell does; one that it cannot split is a single word."""
    try:
        return shlex.split(answer)
    except ValueError:
        return [answer]


def pick(number, choices):
    """Return what has a number in the list, or None."""
    if not number.isdecimal() or len(number) > MAX_DIGITS:
        return None
    return choices[int(number) - 1] if 1 <= int(number) <= len(choices) else None


def delete(saved):
    """Give up a game in progress, after asking."""
    if not isinstance(saved, store.SavedGame):
        click.echo("Please type the number of a game in progress.")
    elif ask(f"Delete {printable(spoken_name(saved.game))} (y/n)? ").strip().lower() in ("y", "yes"):
        try:
            store.resign(saved.id)
            click.echo("Deleted; it counts as given up.")
        except OSError as error:
            click.echo(f"It cannot be deleted: {error}")


def ask(question):
    """Return what the player types; q at the end of the input."""
    try:
        return input(question).strip()
    except EOFError:
        click.echo()
        return "q"


def how_long_ago(moment):
    """Return how long ago a moment was, in words."""
    seconds = max(0, time.time() - moment)
    for unit, length in UNITS:
        if seconds >= length:
            return f"{count_of(int(seconds // length), unit)} ago"
    return "just now"
