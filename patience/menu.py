"""The commands that play a game, and the list a player chooses from: games, today's deals, games in progress."""

from __future__ import annotations

import contextlib
import re
import shlex
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from patience import options, rules
from patience.rules import spoken_name
from patience.consoles import Question, keys
from patience.consoles.lists import BACK, List, Row
from patience.options import at_terminal
from patience.start import ask, can_choose, confirm, continue_game, play_game
from patience.text import count_of, minutes, printable, resolve_prefix
from patience.words import settings

if TYPE_CHECKING:
    from patience.records.store import SavedGame

LINES_OF_QUESTION = 3  # that a list leaves room for
GIVE_WAY = ((3, 12), (0, 15))  # columns of the list of games (status and name), and how narrow each can be
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))
BACK_TO_LIST = Question.of({"Enter: back": ""}, "Enter: back to the list ")
LEAVE, HELP = ("q", "quit", "exit"), ("?", "h", "help")
CONTINUE, TODAY, RESULTS, OPTIONS = "continue", "today", "results", "options"  # rows of the list
HELP_TEXT = """A number or a name begins a game, or lists those of it that are in progress.
klondike daily is today's deal, klondike --draw 1 a game with an option; klondike --help has them all.
Enter continues the game that was played last, and q quits."""
HELP_SAVED = """Enter continues the game that was played last, 2 the second of the list.
d 2 deletes that one, d 2-5 four of them; q goes back."""


def choose(flags: dict[str, Any]) -> None:
    """Let the player choose games from the list and play them, until the player leaves the list. flags: the console
    options."""
    from patience.records.settings import kept_choices, table_flags

    ctx = click.get_current_context().find_root()
    only, message = None, ""  # only: the game whose games in progress are shown
    while True:
        keys.reads_mouse(table_flags()["mouse"])
        chosen = choose_saved(only, flags["spoken"]) if only else choose_game(flags["spoken"], message)
        if not chosen and not only:
            return
        only, message = chosen if isinstance(chosen, str) else None, ""
        if not chosen or isinstance(chosen, str):
            continue
        try:
            if isinstance(chosen, list):
                name, *words = chosen
                game_rules = rules.load(name)
                command = options.game_command(game_rules, options.play_options(game_rules))
                defaults = {**flags, **kept_choices(game_rules)}
                with command.make_context(name, words, parent=ctx, default_map=defaults) as context:
                    play_game(game_rules, options.pop_console_flags(context.params), **context.params)
            else:
                continue_game(chosen, flags)
        except click.ClickException as error:  # a wrong option, or a game that cannot be continued
            message = f"Error: {error.format_message()}"
        except click.exceptions.Exit:  # --help
            with contextlib.suppress(KeyboardInterrupt):
                ask(BACK_TO_LIST)


def choose_game(in_sentences: bool, message: str) -> SavedGame | list[str] | str | None:
    """Show the games, and let the player choose one. Return the words of a command, the SavedGame of a game in
    progress, the name of a game with saved games in progress, or None to leave. message: to show below the list, or
    ""."""
    is_again = False
    while True:
        saved, rows, errors = rows_of_games(in_sentences)
        first = f"Enter: continue {spoken_name(saved[0].game.split()[0])}" if saved else ""
        text = f"{first}, number or name, q: quit: " if first else "Number or name, q: quit: "
        question = Question.of(
            {**({first: ""} if first else {}), "q: quit": "q"}, "Which game? " * in_sentences or text
        )
        told = "\n".join(filter(None, [*errors, message])) or how_to_choose(in_sentences)
        words, message = ask_row(rows, question, told, in_sentences, is_again), ""
        is_again = True
        if words[:1] and words[0].lower() in LEAVE:
            return None
        if saved and words in ([], [CONTINUE]):
            return saved[0]
        name = number_or_name(words)
        if name and words[1:] == ["daily"]:
            return todays_game(name, saved)
        if name:
            has_some = not words[1:] and any(row.game.split()[0] == name for row in saved)
            return name if has_some else [name, *words[1:]]
        if words == [TODAY]:
            if chosen := choose_today(saved):
                return chosen
        elif words[:1] == [OPTIONS]:
            try:
                message = settings.answer(" ".join(words[1:]), can_choose(in_sentences))
            except OSError as error:
                message = f"The options cannot be kept: {error}"
        elif words == [RESULTS]:
            show_results()
        elif words[:1] and words[0].lower() in HELP:
            message = HELP_TEXT
        else:
            message = "Please type a number from the list, or the name of a game."


def choose_today(saved: list[SavedGame]) -> SavedGame | list[str] | None:
    """Let the player choose one of today's deals; return what todays_game returns, or None to go back."""
    from patience.records import statistics, store

    games, outcomes = rules.all_games(), statistics.outcomes_of(store.today(), has_options=False)
    rows, widest = [], max(map(len, games))
    for number, game in enumerate(games, start=1):
        outcome = statistics.RESULTS[outcomes[game]] if game in outcomes else "not played"
        rows.append((f"{number:>3}  {game:<{widest}}  {outcome}", game))
    words = ask_row(rows, Question.of({"q: back": "q"}, "Today's deal of which game? q: back: "), "", False)
    name = number_or_name(words) if words and words[0].lower() not in LEAVE else None
    return todays_game(name, saved) if name else None


def how_to_choose(in_sentences: bool) -> str:
    """Return how to choose a row of the list; "" if that can only be typed."""
    clicks = "click, " if keys.reads["mouse"] else ""
    return f"Use the arrow keys and Enter, {clicks}or type." if can_choose(in_sentences) else ""


def number_or_name(words: list[str]) -> str | None:
    """Return the game that the first word stands for, by its number in the list or by the beginning of its name; or
    None."""
    games = rules.all_games()
    numbers = {str(number): name for number, name in enumerate(games, start=1)}
    return numbers.get(words[0]) or resolve_prefix(words[0], games) if words else None


def show_results() -> None:
    """Show the results of the player's games."""
    from patience.consoles import wrapping
    from patience.records import statistics

    try:
        text = statistics.describe(None, False, wrapping.terminal_width())
    except OSError as error:
        text = f"The results cannot be read: {error}"
    with contextlib.suppress(KeyboardInterrupt):
        ask_row([(line, "") for line in text.split("\n")], BACK_TO_LIST, "", False)


def todays_game(name: str, saved: list[SavedGame]) -> SavedGame | list[str]:
    """Return the game in progress with today's deal, or the words of the command that deals it."""
    from patience.records import store

    begun = [row for row in saved if row.game == name and row.day == store.today()]
    return begun[-1] if begun else [name, "--daily"]


def rows_of_games(in_sentences: bool) -> tuple[list[SavedGame], list[Row], list[str]]:
    """Return the games in progress, most recently played first; the rows of the list of games; and what cannot be
    read."""
    from patience.consoles import wrapping
    from patience.records import statistics, store

    try:
        saved, errors = store.in_progress(), store.find_unreadable()
    except OSError as error:
        saved, errors = [], [f"Your games cannot be read: {error}"]
    counts, today = (
        Counter(row.game.split()[0] for row in saved),
        statistics.outcomes_of(store.today(), has_options=False),
    )
    rows, widest = [], max(map(len, rules.all_games()))
    for number, (name, about) in enumerate(rules.all_games().items(), start=1):
        outcome = f"today's deal {statistics.RESULTS[today[name]] if name in today else 'not played'}"
        facts = [f"{counts[name]} in progress"] * (name in counts) + [outcome]
        is_known = name in counts or name in today
        more = ", ".join(facts) if is_known else "" if in_sentences else about
        rows.append((f"{number:>3}  {name:<{widest}}  {more}".rstrip(), name))
    if can_choose(in_sentences):
        last = [(f"     continue {', '.join(describe(saved[0])[:3])}", CONTINUE)] if saved else []
        try:
            won = "".join(statistics.last_win())
        except OSError:  # which is reported below the list
            won = ""
        results = wrapping.shorten(f"     {'results':<{widest}}  {won}".rstrip(), wrapping.terminal_width())
        rows = [*last, *rows, ("     today's deals", TODAY), (results, RESULTS), ("     options", OPTIONS)]
        rows.append(("     quit", BACK))
    return saved, rows, errors


def ask_row(rows: list[Row], question: Question, message: str, in_sentences: bool, is_again: bool = False) -> list[str]:
    """Show a list, a message or "", and a question; return the words that are chosen or typed. is_again: the list was
    shown before, and is shown again only on its own screen."""
    shown = List(rows, question, message)
    if can_choose(in_sentences) and shown.fits():
        try:
            answer = shown.choose()
        except EOFError:
            answer = BACK
    else:
        lines = [*(line for line, _ in rows if not is_again), *filter(None, [message])]
        if lines:
            echo("\n".join(lines), in_sentences)
        answer = ask(question, () if in_sentences else [answer for _, answer in rows if answer])
    try:
        return shlex.split(answer)
    except ValueError:  # a quotation mark alone
        return [answer]


def choose_saved(only: str, in_sentences: bool) -> SavedGame | list[str] | None:
    """Show the games in progress of one game, and let the player choose one. Return the words of a command, a
    SavedGame, or None to go back."""
    message = ""
    new = {"n: new": "n", "t: today's": "t"}
    keys = {"Enter: continue": "", "number": "?", **new, "d N: delete": "d", "q: back": "q"}
    question = Question.of(keys, "Which one? " if in_sentences else "")
    is_again = False
    while True:
        saved, lines, errors = rows_of_saved(only, in_sentences)
        told = "\n".join(filter(None, [*errors, message]))
        if not saved:
            nothing = f"You have no {only} game in progress."
            echo("\n".join(filter(None, [message, *(errors or [nothing])])), in_sentences)
            return None
        words, message = ask_row(lines, question, told, in_sentences, is_again), ""
        is_again = words[:1] != ["d"]
        first = words[0].lower() if words else "1"
        if first in LEAVE:
            return None
        if first in HELP:
            message = HELP_SAVED
        elif first == "d":
            message = delete(numbers_in(words[1:], saved), in_sentences)
        elif first.isdecimal() and 1 <= int(first) <= len(saved):
            return saved[int(first) - 1]
        elif first in ("n", "new", "t", "today", "daily"):
            return [only] if first[0] == "n" else todays_game(only, saved)
        else:
            message = "Please type a number from the list."


def rows_of_saved(only: str, in_sentences: bool) -> tuple[list[SavedGame], list[Row], list[str]]:
    """Return the games in progress of one game, most recently played first; the rows of their list; and what cannot be
    read."""
    from patience.consoles import wrapping
    from patience.records import store

    try:
        saved, errors = store.in_progress(only), store.find_unreadable()
    except OSError as error:
        saved, errors = [], [f"Your games cannot be read: {error}"]
    rows = [describe(row) for row in saved]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for column, least in GIVE_WAY if rows and at_terminal() and not in_sentences else ():
        too_much = sum(widths) + 2 * len(widths) + 3 - wrapping.terminal_width()
        widths[column] = min(widths[column], max(least, widths[column] - too_much))
        for cells in rows:
            cells[column] = wrapping.shorten(cells[column], widths[column])
    lines = []
    for number, cells in enumerate(rows, start=1):
        cells_in_columns = "  ".join(f"{cell:<{needed}}" for cell, needed in zip(cells, widths)).rstrip()
        lines.append((f"{number:>3}  {cells_in_columns}", str(number)))
    return saved, lines, errors


def echo(text: str, in_sentences: bool = False, err: bool = False) -> None:
    """Print text, wrapped to the width of a terminal if it is shown on one, or put into words if it is to be spoken.
    err: print on standard error."""
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
    """Return a game in progress as the cells of a row in the list: its name, deal, moves, status, time, and when it was
    last played."""
    deal = "" if saved.number is None else f"deal {saved.number}"
    if saved.day:
        from patience.records import statistics

        deal = statistics.name_of_day(saved.day)
    name, status, moves = printable(spoken_name(saved.game)), printable(saved.status), count_of(saved.count, "move")
    return [name, deal, moves, status, minutes(saved.seconds), how_long_ago(saved.changed)]


def numbers_in(words: list[str], saved: list[SavedGame]) -> list[SavedGame]:
    """Return the games with these numbers in the list, such as 12 13 or 12-20, or [] if one of the numbers is not in
    the list."""
    numbers: list[int] = []
    for word in words:
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", word)
        if not match:
            return []
        numbers += range(int(match[1]), int(match[2] or match[1]) + 1)
    is_listed = all(1 <= number <= len(saved) for number in numbers)
    return [saved[number - 1] for number in dict.fromkeys(numbers)] if is_listed else []


def delete(chosen: list[SavedGame], in_sentences: bool) -> str:
    """Give up games in progress, after asking; return the result in words."""
    from patience.records import store

    if not chosen:
        return "Please type numbers from the list: d 2, d 2 3, d 2-5."
    what = ", ".join(filter(None, describe(chosen[0])[:2])) if len(chosen) == 1 else f"{len(chosen)} games"
    try:
        if confirm(f"Delete {what}, and count {'it' if len(chosen) == 1 else 'them'} as given up", in_sentences):
            gone = [row for row in chosen if not store.resign(row.id)]
            kept = f"No longer in progress, so not deleted: {count_of(len(gone), 'game')}."
            return kept if gone else "Deleted."
    except OSError as error:
        return f"Could not delete it: {error}"
    except KeyboardInterrupt:
        click.echo()
    return ""


def how_long_ago(moment: float) -> str:
    """Return how long ago a moment was, in words."""
    seconds = time.time() - moment
    for unit, length in UNITS:
        if seconds >= length:
            return f"{count_of(int(seconds // length), unit)} ago"
    return "just now"
