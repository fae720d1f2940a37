"""The words about what lies on the table: the board, piles, where a card lies, how the game stands."""

from __future__ import annotations

from patience import effects, sentences
from patience.rules import INVALID_INPUT, Refused
from patience.session import Session
from patience.status import facts, view
from patience.text import tidy


def show_board(session: Session, _: None) -> str | None:
    """Show the board again, or say what is in each pile."""
    return session.console.show_board(view(session), lambda: look(session, None))


def look(session: Session, pile_name: str | None) -> str:
    """Describe all piles in sentences, or only those named."""
    rules, position = session.game.rules, session.game.position
    if not pile_name:
        told = [*sentences.all_sentences(rules, position), *filter(None, [tidy(rules.status(position))])]
    else:
        told = sentences.look(rules, position, pile_name)
    if not told:
        names = dict.fromkeys(effects.kind_of(name) for name, _, _ in rules.piles(position))
        raise Refused(f"{INVALID_INPUT}look at: {', '.join(names)}.")
    return "\n".join(told)


def where(session: Session, card: str) -> str:
    """Say where a card lies, and what lies on it."""
    sentence = sentences.where(session.game.rules, session.game.position, card or "")
    if not sentence:
        raise Refused(f"{INVALID_INPUT}where 9d says where a card lies.")
    return sentence


def show_tops(session: Session, _: None) -> str:
    """Say what can be played from and onto."""
    return "\n".join(sentences.tops(session.game.rules, session.game.position))


def show_status(session: Session, _: None) -> str:
    """Say what the board leaves out: the deal, the moves made, the playing time, how far along the game is."""
    deal = "" if session.game.deal.number is None else "Deal "
    return f"{deal}{', '.join(facts(session))}."
