"""The page of a player's saved options, reached from the list and from the table. In a scroll, or when spoken, its
lines are said, and the player types a value."""

from __future__ import annotations

from patience import Reply
from patience.table.consoles import Console, Question, Row
from patience.table.records import kept_options, store
from patience.table.records.kept_options import Setting
from patience.rules import Refused
from patience.table.session import Session
from patience.text import printable

LEAVE = ("", "q", "quit", "back")
QUESTION = Question.of({"q: back": "q"}, "Enter changes the row; or type its name and a value; q: back: ")
HOW_TO_TYPE = "To change one, type it and a value: options mouse off."


def show_options(session: Session, text: str | None) -> Reply:
    """Let the player change the saved options, and continue with them."""
    try:
        message = answer(text or "", session.console)
    except OSError as error:
        raise Refused(f"The options could not be saved: {error}") from None
    session.settings = session.settings._replace(looks=kept_options.table_flags())
    return message or None


def answer(text: str, console: Console) -> str:
    """Change the option that the text names: `mouse off`; without text, open the page until the player leaves it or, if
    there are no pages, return its lines. Return a message. Raises OSError."""
    if text:
        return change(text, console)
    if not console.has_pages:
        return "\n".join([*(line for line, _ in rows_of_options()), HOW_TO_TYPE])
    chosen, message = "", ""
    while True:
        typed = console.choose(rows_of_options(), QUESTION, message, chosen)
        if typed is None or typed.strip().lower() in LEAVE:
            return ""
        chosen, message = typed.split()[0], change(typed, console)


def rows_of_options() -> list[Row]:
    """Return the rows of the page. Raises OSError."""
    rows: list[Row] = []
    found, kept = kept_options.all_settings(), store.settings()
    widest = max(len(setting.label) for setting in found)
    for number, setting in enumerate(found, start=1):
        value = setting.values[kept_options.value_of(setting, kept)]
        rows.append((f"{number:>3}  {setting.label:<{widest}}  {value:<14}  {setting.help}".rstrip(), str(number)))
    return rows


def change(text: str, console: Console) -> str:
    """Change the option that the typed text names by its row number or label, perhaps with a value; without a value,
    take the next one. Return a message about what was done, or what can be typed. Raises OSError."""
    found, words = kept_options.all_settings(), text.lower().split()
    numbers = {str(number): setting for number, setting in enumerate(found, start=1)}
    for count in range(len(words), 0, -1):
        meant = " ".join(words[:count])
        setting = numbers.get(meant) or next((one for one in found if meant in (one.label.lower(), one.name)), None)
        if setting:
            value = value_named(setting, " ".join(words[count:]))
            if value is None:
                return f"{setting.label}: {' or '.join(setting.values.values())}."
            store.keep_setting(setting.name, value)
            console.take_options(kept_options.table_flags())
            later = ", from your next game on" if "." in setting.name else ""
            return f"{setting.label}: {setting.values[value]}{later}."
    return f"There is no option {printable(text)}."


def value_named(setting: Setting, typed: str) -> str | None:
    """Return the value that was typed, either as itself or by its label; without text, the next value; or None if there
    is no such value."""
    values = list(setting.values)
    if not typed:
        return values[(values.index(kept_options.value_of(setting, store.settings())) + 1) % len(values)]
    return next((value for value in values if typed in (value.lower(), setting.values[value].lower())), None)
