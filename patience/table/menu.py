"""The list a player chooses from: games, today's deals, games in progress."""

from __future__ import annotations

import contextlib
import re
import shlex
import time
from collections import Counter

import click

from patience import options, rules
from patience.table.consoles import BACK, Console, Question, Row, wrapping
from patience.table.records import statistics, store
from patience.table.records.kept_options import kept_choices
from patience.table.records.store import SavedGame
from patience.rules import spoken_name
from patience.table.start import continue_game, play_game
from patience.text import count_of, minutes, printable, resolve_prefix
from patience.table.words import options_page

GIVE_WAY = ((3, 12), (0, 15))  # columns of the list of games (status and name), and how narrow each can be
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))
DELETE_WHICH = "Delete which one? q: back: "
BACK_TO_LIST = Question.of({"Enter: back": ""}, "Enter: back to the list ")
LEAVE, HELP = ("q", "quit", "exit"), ("?", "h", "help")
CONTINUE, TODAY, RESULTS, OPTIONS = "continue", "today", "results", "options"  # rows of the list
HELP_TEXT = """A number or a name starts that game, or lists its games in progress.
klondike daily plays today's deal, klondike --draw 1 a game with an option; klondike --help lists the options.
Enter continues the game you played last, and q quits."""
HELP_SAVED = """Enter continues the game you played last, 2 the second in the list.
d 2 deletes the second, d 2-5 four games; q goes back."""


def choose(console: Console) -> None:
    """Let the player choose games from the list and play them, until the player leaves the list."""
    ctx = click.get_current_context().find_root()
    message = ""
    while chosen := choose_game(console, message):
        message = ""
        if isinstance(chosen, str):
            chosen, message = choose_saved(console, chosen)
        try:
            if not chosen:
                continue
            if isinstance(chosen, list):
                name, *words = chosen
                game_rules = rules.load(name)
                command = options.game_command(game_rules, options.play_options(game_rules))
                if "--help" in words:
                    show_page(console, command.get_help(click.Context(command, ctx, name)))
                    continue
                with command.make_context(name, words, parent=ctx, default_map=kept_choices(game_rules)) as context:
                    play_game(game_rules, console, **context.params)
            else:
                continue_game(chosen, console)
        except click.ClickException as error:  # a wrong option, or a game that cannot be continued
            message = f"Error: {error.format_message()}"


def choose_game(console: Console, message: str) -> SavedGame | list[str] | str | None:
    """Show the games, and let the player choose one. Return the words of a command, the SavedGame of a game in
    progress, the name of a game with saved games in progress, or None to leave. message: to show below the list, or
    ""."""
    while True:
        saved, rows, errors = rows_of_games(console)
        begun = [row for row in saved if row.count]
        first = f"Enter: continue {spoken_name(begun[0].game.split()[0])}" if begun else ""
        text = f"{first}, number or name, q: quit: " if first else "Number or name, q: quit: "
        question = Question.of({**({first: ""} if first else {}), "q: quit": BACK}, text, "Which game? ")
        told = "\n".join(filter(None, [*errors, message])) or console.how_to_choose
        words, message = choose_row(console, rows, question, told), ""
        if words[:1] and words[0].lower() in LEAVE:
            return None
        if begun and words in ([], [CONTINUE]):
            return begun[0]
        name = number_or_name(words)
        if name and words[1:] == ["daily"]:
            return todays_game(name, saved)
        if name:
            has_some = not words[1:] and any(row.game.split()[0] == name for row in saved)
            return name if has_some else [name, *words[1:]]
        if words == [TODAY]:
            if chosen := choose_today(console, saved):
                return chosen
        elif words[:1] == [OPTIONS]:
            try:
                message = options_page.answer(" ".join(words[1:]), console)
            except OSError as error:
                message = f"The options could not be saved: {error}"
        elif words in ([RESULTS], ["stats"]):
            show_results(console)
        elif words[:1] and words[0].lower() in HELP:
            message = HELP_TEXT
        else:
            message = "Please type a number from the list, or the name of a game."


def choose_today(console: Console, saved: list[SavedGame]) -> SavedGame | list[str] | None:
    """Let the player choose one of today's deals; return what todays_game returns, or None to go back."""
    games, outcomes = rules.all_games(), statistics.outcomes_of(store.today(), has_options=False)
    rows, widest = [], max(map(len, games))
    for number, game in enumerate(games, start=1):
        outcome = statistics.RESULTS[outcomes[game]] if game in outcomes else "not played"
        rows.append((f"{number:>3}  {game:<{widest}}  {outcome}", game))
    with contextlib.suppress(OSError):
        rows += [(line, "") for line in ["", *statistics.calendar(console.arrange_table).split("\n")]]
    question, message = Question.of({"q: back": BACK}, "Today's deal for which game? q: back: "), ""
    while (words := choose_row(console, rows, question, message)) and words[0].lower() not in LEAVE:
        if name := number_or_name(words):
            return todays_game(name, saved)
        message = "Please type a number from the list, or the name of a game."
    return None


def number_or_name(words: list[str]) -> str | None:
    """Return the game that the first word stands for, by its number in the list or by the beginning of its name; or
    None."""
    games = rules.all_games()
    numbers = {str(number): name for number, name in enumerate(games, start=1)}
    return numbers.get(words[0]) or resolve_prefix(words[0], games) if words else None


def show_results(console: Console) -> None:
    """Show the results of the player's games."""
    try:
        text = statistics.describe(None, console.arrange_table)
    except OSError as error:
        text = f"The results could not be opened: {error}"
    show_page(console, text)


def show_page(console: Console, text: str) -> None:
    """Show a text until the player has read it."""
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C leaves only the page
        console.choose([(line, "") for line in text.split("\n")], BACK_TO_LIST)


def todays_game(name: str, saved: list[SavedGame]) -> SavedGame | list[str]:
    """Return the game in progress with today's deal, or the words of the command that deals it."""
    begun = [row for row in saved if row.game == name and row.day == store.today()]
    return begun[-1] if begun else [name, "--daily"]


def rows_of_games(console: Console) -> tuple[list[SavedGame], list[Row], list[str]]:
    """Return the games in progress, most recently played first; the rows of the list of games; and what cannot be
    read."""
    won = ""
    try:
        saved, errors = store.in_progress(), store.find_unreadable()
        won = "".join(statistics.last_win())
    except OSError as error:
        saved, errors = [], [f"Your games cannot be read: {error}"]
    counts = Counter(row.game.split()[0] for row in saved)
    today = statistics.outcomes_of(store.today(), has_options=False)
    rows, widest = [], max(map(len, rules.all_games()))
    for number, (name, about) in enumerate(rules.all_games().items(), start=1):
        outcome = f"today's deal {statistics.RESULTS[today[name]] if name in today else 'not played'}"
        facts = [f"{counts[name]} in progress"] * (name in counts) + [outcome]
        more = ", ".join(facts) if name in counts or name in today else about * console.describes_games
        rows.append((f"{number:>3}  {name:<{widest}}  {more}".rstrip(), name))
    begun = [row for row in saved if row.count]
    last = [(f"     continue {', '.join(describe(begun[0])[:3])}", CONTINUE)] if begun else []
    words = {TODAY: "today's deals", RESULTS: won, OPTIONS: "how the table looks, how each game is dealt"}
    first, *more_rows = [(f"     {word:<{widest}}  {text}".rstrip(), word) for word, text in words.items()]
    return saved, [first, *last, *rows, *more_rows, ("     quit", BACK)], errors


def choose_row(console: Console, rows: list[Row], question: Question, message: str = "") -> list[str]:
    """Show a list, a message or "", and a question; return the words that are chosen or typed."""
    answer = console.choose(rows, question, message)
    try:
        return [BACK] if answer is None else shlex.split(answer)
    except ValueError:  # a quotation mark alone
        return [str(answer)]


def choose_saved(console: Console, only: str) -> tuple[SavedGame | list[str] | None, str]:
    """Show the games in progress of one game, and let the player choose one. Return the words of a command, a
    SavedGame, or None to go back; and a message for the list of games."""
    message = ""
    new = {"n: new": "n", "t: today's": "t"}
    keys = {"Enter: continue": "", "number": "?", **new, "d: delete": "d", "q: back": BACK}
    question = Question.of(keys, spoken="Which one? ")
    while True:
        saved, rows, errors = rows_of_saved(console, only)
        told = "\n".join(filter(None, [*errors, message]))
        if not saved:
            nothing = f"You have no {only} game in progress."
            return None, "\n".join(filter(None, [message, *(errors or [nothing])]))
        words, message = choose_row(console, rows, question, told), ""
        first = words[0].lower() if words else "1"
        if first in LEAVE:
            return None, ""
        if first in HELP:
            message = HELP_SAVED
        elif first == "d":
            which = words[1:] or choose_row(console, rows, Question.of({"q: back": BACK}, DELETE_WHICH))
            is_left = bool(which) and which[0].lower() in LEAVE
            message = "" if is_left else delete(console, numbers_in(which, saved))
        elif first.isdecimal() and 1 <= int(first) <= len(saved):
            return saved[int(first) - 1], ""
        elif first in ("n", "new", "t", "today", "daily"):
            return [only] if first[0] == "n" else todays_game(only, saved), ""
        else:
            message = "Please type a number from the list."


def rows_of_saved(console: Console, only: str) -> tuple[list[SavedGame], list[Row], list[str]]:
    """Return the games in progress of one game, most recently played first; the rows of their list; and what cannot be
    read."""
    try:
        saved, errors = store.in_progress(only), store.find_unreadable()
    except OSError as error:
        saved, errors = [], [f"Your games cannot be read: {error}"]
    rows = [describe(row) for row in saved]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for column, least in GIVE_WAY if rows and console.width else ():
        too_much = sum(widths) + 2 * len(widths) + 3 - (console.width or 0)
        widths[column] = min(widths[column], max(least, widths[column] - too_much))
        for cells in rows:
            cells[column] = wrapping.shorten(cells[column], widths[column])
    lines = []
    for number, cells in enumerate(rows, start=1):
        cells_in_columns = "  ".join(f"{cell:<{needed}}" for cell, needed in zip(cells, widths)).rstrip()
        lines.append((f"{number:>3}  {cells_in_columns}", str(number)))
    return saved, lines, errors


def describe(saved: SavedGame) -> list[str]:
    """Return a game in progress as the cells of a row in the list: its name, deal, moves, status, time, and when it was
    last played."""
    deal = "" if saved.number is None else f"deal {saved.number}"
    if saved.day:
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


def delete(console: Console, chosen: list[SavedGame]) -> str:
    """Give up games in progress, after asking; return the result in words."""
    if not chosen:
        return "Please type numbers from the list: d 2, d 2 3, d 2-5."
    what = ", ".join(filter(None, describe(chosen[0])[:2])) if len(chosen) == 1 else f"{len(chosen)} games"
    try:
        if console.agrees(f"Delete {what}, and count {'it' if len(chosen) == 1 else 'them'} as given up"):
            gone = [row for row in chosen if not store.resign(row.id)]
            kept = f"{count_of(len(gone), 'game')} not deleted: no longer in progress."
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
