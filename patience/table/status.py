"""How a game stands, and what a console shows of it."""

from __future__ import annotations

from patience import effects
from patience.table import saving
from patience.table.consoles import View
from patience.table.records import statistics
from patience.table.session import Session
from patience.text import count_of, minutes

WORDS_IN_PLAY = ("hint", "undo", "redo", "moves", "rules", "list", "help", "quit", "review", "tops", "status")
WORDS_AT_THE_END = ("undo", "review", "new", "stats", "list", "quit")


def facts(session: Session) -> list[str]:
    """Return how the game stands: the deal, the moves made, the playing time, how far along the game is."""
    game, taken = session.game, ""
    if session.saved:
        saving.count_time(session)
        is_shown = session.saved.seconds is not None and session.settings.looks["clock"]
        taken = minutes(session.saved.seconds) if is_shown else ""
    number = "" if game.deal.number is None else str(game.deal.number)
    made, day = count_of(len(game.commands), "move"), ""
    if session.saved and session.saved.day:
        day = statistics.describe_day(session.saved.day, session.notes.outcome)
    return [*filter(None, [number, day, made, taken]), *game.layout.status]


def view(session: Session) -> View:
    """Return what the console shows of the game now."""
    guide, effect, lit = session.guide, session.notes.effect, None
    if guide and guide.hinted:
        lit = effects.expected_effect(session.game.layout, guide.hinted)
    words = WORDS_AT_THE_END if session.asks_again else WORDS_IN_PLAY  # they keep their places during a game
    shown = facts(session), session.enter[1], words
    return View(session.game, effect, effect is not None, (), lit, *shown, session.asks_again)
