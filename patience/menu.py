"""The commands that play a game, and the list a player chooses from: games, today's deals, games in progress."""

from __future__ import annotations

import contextlib
import shlex
import time
from typing import TYPE_CHECKING, Any

import click

from patience import options, rules
from patience.rules import spoken_name
from patience.start import at_terminal, continue_game, play_game, pop_console_flags
from patience.text import command, count_of, is_yes, minutes, printable, resolve_prefix

if TYPE_CHECKING:
    from patience.records.store import SavedGame

MAX_LISTED = 9  # games in progress
LINES_OF_QUESTION = 3  # that a list leaves room for
ALL = "all"  # stands for the games in progress of every game
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))
LEAVE, HELP = ("q", "quit", "exit"), ("?", "h", "help")
HELP_TEXT = "A number or a name begins a game: 5, klondike --draw 1, klondike daily. klondike --help has its options.\n"
HELP_TEXT += "Enter continues the last game, d 11 deletes number 11, and q quits."


def play_command(name: str) -> click.Command:
    """Return the command that plays a game."""
    game_rules = rules.load(name)
    text = "\b\n" + game_rules.text.replace("\n\n", "\n\n\b\n")  # \b keeps click from rewrapping the paragraphs

    def play_and_choose(**values: Any) -> None:
        flags = pop_console_flags(values)
        if play_game(game_rules, flags, **values):
            choose(flags)

    return click.Command(name, callback=play_and_choose, params=[*options.play_options(game_rules)], help=text)


def default_console_flags() -> dict[str, bool]:
    """Return the flags of the console for a game that is chosen from the list."""
    return click.Command("patience", params=[*options.CONSOLE]).make_context("patience", []).params


def choose(flags: dict[str, bool], only: str | None = None) -> None:
    """Let the player choose games from the list, and play them, until they leave it. flags: the options of the
    console, name -> whether it is set."""
    ctx = click.get_current_context().find_root()
    given = [option.opts[0] for option in options.CONSOLE if flags[option.name]]
    message = ""
    while chosen := choose_from_list(rules.all_games(), flags["spoken"], only, message):
        only, message = None, ""
        try:
            if isinstance(chosen, list):
                name, *words = chosen
                with play_command(name).make_context(name, [*given, *words], parent=ctx) as context:
                    play_game(rules.load(name), pop_console_flags(context.params), **context.params)
            else:
                continue_game(chosen, flags)
        except click.ClickException as error:  # a wrong option, or a game that cannot be continued
            message = f"Error: {error.format_message()}"
        except click.exceptions.Exit:  # --help
            with contextlib.suppress(KeyboardInterrupt):
                ask("Enter: back to the list ")


def choose_from_list(
    games: dict[str, str], in_sentences: bool, only: str | None, message: str
) -> SavedGame | list[str] | None:
    """Let the player choose from the list. Return the words of a command, the SavedGame of a game in progress, or None
    to leave. games: module name -> its line in the list. only: list just the games in progress, of this game or of
    ALL. message: to show below the list, or ""."""
    choices, saved = show(games, in_sentences, only)
    if message:
        echo(message)
    while True:
        first = f"Enter: continue {spoken_name(saved[0].game.split()[0])}, number" if saved else "Number"
        answer = ask("Which game? " if in_sentences else f"{first} or name, d N: delete, q: quit: ")
        try:
            words = shlex.split(answer)
        except ValueError:  # a quotation mark alone
            words = [answer]
        if words[:1] and words[0].lower() in LEAVE:
            return None
        if words[:1] and words[0].lower() in HELP:
            echo(HELP_TEXT)
            continue
        if words[:1] == ["d"]:
            delete(choices.get(words[-1]) if len(words) == 2 else None)
            choices, saved = show(games, in_sentences, only)
            continue
        chosen = saved[0] if saved and not words else choices.get(words[0]) if len(words) == 1 else None
        if not chosen and words and (name := resolve_prefix(words[0], games)):
            chosen = [name, *("--daily" if word == "daily" else word for word in words[1:])]
        if chosen:
            return chosen
        echo("Please type a number from the list, or the name of a game.")


def show(games: dict[str, str], in_sentences: bool, only: str | None) -> tuple[dict[str, Any], list[SavedGame]]:
    """Show the list. Return the choices by number, as it is typed, and the games in progress among them."""
    from patience.records import statistics, store

    choices: list[Any] = []
    lines = []
    if not only:
        today = statistics.todays_outcomes()
        about = {name: "" for name in games} if in_sentences else games
        texts = [*about.items(), *((name, statistics.describe_day(store.today(), today.get(name))) for name in games)]
        choices = [[name] for name in games] * 2
        lines = [f"{number:>3}  {name:<11}{text}" for number, (name, text) in enumerate(texts, start=1)]
        if in_sentences:
            lines[len(games) :] = [f"{len(games) + 1} to {len(choices)}  today's deals, in the same order"]
    try:
        saved = store.in_progress(None if only in (None, ALL) else only)
        unreadable = store.find_unreadable()
    except OSError as error:
        lines.append(f"Your games cannot be read: {error}")
        saved, unreadable = [], []
    begun = {row.game: row for row in saved[::-1] if row.day == store.today()}
    choices[len(games) :] = [begun.get(name, [name, "--daily"]) for (name,) in choices[len(games) :]]
    shown = saved[:MAX_LISTED]
    rows = [describe(row) for row in shown]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for number, cells in enumerate(rows, start=len(choices) + 1):
        lines.append(f"{number:>3}  " + "  ".join(f"{cell:<{needed}}" for cell, needed in zip(cells, widths)).rstrip())
    if saved[MAX_LISTED:]:
        lines.append(f"{len(saved) - MAX_LISTED} more: {command('resume GAME')} lists those of one game.")
    echo("\n".join([*lines, *unreadable]), in_sentences)
    return {str(number): choice for number, choice in enumerate(choices + shown, start=1)}, shown


def echo(text: str, in_sentences: bool = False, err: bool = False) -> None:
    """Print a text, at a terminal within its width, or in words if it is to be spoken. err: on standard error."""
    from patience.consoles import screen, spoken, wrapping

    wrapped = wrapping.wrap_text(text, wrapping.terminal_width()) if at_terminal() else text
    lines = (spoken.put_in_words(text) if in_sentences else wrapped).split("\n")
    room = max(1, wrapping.terminal_height() - LINES_OF_QUESTION) if at_terminal() and not in_sentences else len(lines)
    click.echo("\n".join(lines[:room]), err=err)
    while lines := lines[room:]:
        try:
            is_enough = bool(ask(screen.MORE))
        except KeyboardInterrupt:
            is_enough = True
            click.echo()
        if is_enough:
            break
        click.echo("\n".join(lines[:room]), err=err)


def describe(saved: SavedGame) -> list[str]:
    """Return the cells of a game in progress for the list: its name, deal, status, playing time, when last played."""
    deal = "" if saved.number is None else f"deal {saved.number}"
    status = printable(saved.status or count_of(saved.count, "command"))
    return [printable(spoken_name(saved.game)), deal, status, minutes(saved.seconds), how_long_ago(saved.changed)]


def delete(saved: SavedGame | list[str] | None) -> None:
    """Give up a game in progress, after asking."""
    from patience.records import store

    if not isinstance(saved, store.SavedGame):
        click.echo("Please type the number of a game in progress.")
        return
    if confirm(f"Delete {', '.join(filter(None, describe(saved)[:2]))}, and count it as given up"):
        try:
            store.resign(saved.id)
            click.echo("Deleted.")
        except OSError as error:
            click.echo(f"It cannot be deleted: {error}")


def confirm(question: str) -> bool:
    """Ask the player a question; return True for yes. Ctrl-C and Ctrl-D mean no."""
    try:
        return is_yes(ask(f"{question} (y/n)? "))
    except KeyboardInterrupt:
        click.echo()
        return False


def ask(question: str) -> str:
    """Return what the player types; q at the end of the input."""
    from patience.consoles.wrapping import fit_question, terminal_width

    above, newline, last = fit_question(question, terminal_width()).rpartition("\n")
    click.echo(above + newline, nl=False)
    try:
        return input(last).strip()
    except EOFError:
        click.echo()
        return "q"


def how_long_ago(moment: float) -> str:
    """Return how long ago a moment was, in words."""
    seconds = max(0, time.time() - moment)
    for unit, length in UNITS:
        if seconds >= length:
            return f"{count_of(int(seconds // length), unit)} ago"
    return "just now"
