"""The page of a player's saved options, reached from the list and from the table. In a scroll, or when spoken, its
lines are said, and the player types a value."""

from __future__ import annotations

from patience import Reply
from patience.consoles import Question
from patience.consoles.lists import List, Row
from patience.records import settings, store
from patience.records.settings import Setting
from patience.rules import INVALID_INPUT, Refused
from patience.session import Session
from patience.text import printable

BACK = ("", "q", "quit", "back")
QUESTION = Question.of({"q: back": "q"}, "Enter changes a row; or type number or name, and value; q: back: ")
HOW_TO_TYPE = "Please type an option and a value: options mouse off."


def show_options(session: Session, text: str | None) -> Reply:
    """Let the player change the saved options, and continue with them."""
    try:
        told = answer(text or "", session.console.has_pages)
    except OSError as error:
        raise Refused(f"The options cannot be kept: {error}") from None
    session.take_options(settings.table_flags())
    return told or None


def answer(text: str, has_pages: bool) -> str:
    """Change the option that the text names: `mouse off`; without text, open the page or, if there is no room for it,
    return its lines. Return a message. Raises OSError."""
    if text:
        return change(text)
    page = page_of("")
    if has_pages and page.fits():
        return open_page(page)
    return "\n".join([*(line for line, _ in page.rows), HOW_TO_TYPE])


def open_page(page: List) -> str:
    """Let the player change options on their page until they leave it; return a message. Raises OSError."""
    while True:
        try:
            answer = page.choose()
        except EOFError:
            return ""
        if answer.strip().lower() in BACK:
            return ""
        lit = page.lit
        page = page_of(change(answer))
        page.lit = lit


def page_of(message: str) -> List:
    """Return the page. message: below its rows, or ""."""
    rows: list[Row] = []
    found, kept = settings.all_settings(), store.settings()
    widest = max(len(setting.label) for setting in found)
    for number, setting in enumerate(found, start=1):
        value = setting.values[settings.value_of(setting, kept)]
        rows.append((f"{number:>3}  {setting.label:<{widest}}  {value:<14}  {setting.help}".rstrip(), str(number)))
    return List(rows, QUESTION, message)


def change(text: str) -> str:
    """Change the option that the typed text names by its row number or label, perhaps with a value; without a value,
    take the next one. Return a message about what was done, or what can be typed. Raises OSError."""
    found, words = settings.all_settings(), text.lower().split()
    numbers = {str(number): setting for number, setting in enumerate(found, start=1)}
    for count in range(len(words), 0, -1):
        meant = " ".join(words[:count])
        setting = numbers.get(meant) or next((one for one in found if meant in (one.label.lower(), one.name)), None)
        if setting:
            value = value_named(setting, " ".join(words[count:]))
            if value is None:
                return f"{setting.label}: {' or '.join(setting.values.values())}."
            store.keep_setting(setting.name, value)
            later = " for the next game from the list" if "." in setting.name else ""
            return f"{setting.label}: {setting.values[value]}{later}."
    return f"{INVALID_INPUT}There is no option {printable(text)}."


def value_named(setting: Setting, typed: str) -> str | None:
    """Return the value that was typed, either as itself or by its label; without text, the next value; or None if there
    is no such value."""
    values = list(setting.values)
    if not typed:
        return values[(values.index(settings.value_of(setting, store.settings())) + 1) % len(values)]
    return next((value for value in values if typed in (value.lower(), setting.values[value].lower())), None)
