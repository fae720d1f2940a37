"""The page of a player's saved options, reached from the list and from the table. In a scroll, or when spoken, its
lines are said, and the player types a value."""

from __future__ import annotations

from collections.abc import Sequence

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
ABOUT = {
    "ascii": "letters, if suits are too wide",
    "mouse": "off, to select text",
    "escape": "longer on a slow line",
}
HOW_TO_TYPE = "Please type an option and a value: options mouse off."


def show_options(session: Session, text: str | None) -> Reply:
    """Let the player change the saved options, and continue with them."""
    try:
        told = answer(text or "", session.settings.typed, session.console.has_pages)
    except OSError as error:
        raise Refused(f"The options cannot be kept: {error}") from None
    session.take_options(settings.stored())
    return told or None


def answer(text: str, typed: Sequence[str], has_pages: bool) -> str:
    """Change the option that the text names: `mouse off`; without text, open the page or, if there is no room for it,
    return its lines. Return a message. typed: see settings.overriding. Raises OSError."""
    if text:
        return change(text, typed)
    page = page_of(typed, "")
    if has_pages and page.fits():
        return open_page(typed)
    return "\n".join([*(line for line, _ in page.rows), HOW_TO_TYPE])


def open_page(typed: Sequence[str]) -> str:
    """Let the player change options on their page until they leave it; return a message. Raises OSError."""
    page = page_of(typed, "")
    while True:
        try:
            answer = page.choose()
        except EOFError:
            return ""
        if answer.strip().lower() in BACK:
            return ""
        lit = page.lit
        page = page_of(typed, change(answer, typed))
        page.lit = lit


def page_of(typed: Sequence[str], message: str) -> List:
    """Return the page. message: below its rows, or ""."""
    rows: list[Row] = []
    found, kept = settings.all_settings(), store.settings()
    widest = max(len(setting.label) for setting in found)
    for number, setting in enumerate(found, start=1):
        value = setting.values[settings.value_of(setting, kept)]
        before, about = settings.overriding(setting, typed), ABOUT.get(setting.name, "")
        more = f"{before} comes first" if before else about
        rows.append((f"{number:>3}  {setting.label:<{widest}}  {value:<14}  {more}".rstrip(), str(number)))
    return List(rows, QUESTION, message)


def change(text: str, typed: Sequence[str]) -> str:
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
            before = settings.overriding(setting, typed)
            later = " for the next game from the list" if "." in setting.name else ""
            note = f" {before} comes first." if before else ""
            return f"{setting.label}: {setting.values[value]}{later}.{note}"
    return f"{INVALID_INPUT}There is no option {printable(text)}."


def value_named(setting: Setting, typed: str) -> str | None:
    """Return the value that was typed, either as itself or by its label; without text, the next value; or None if there
    is no such value."""
    values = list(setting.values)
    if not typed:
        return values[(values.index(settings.value_of(setting, store.settings())) + 1) % len(values)]
    return next((value for value in values if typed in (value.lower(), setting.values[value].lower())), None)
