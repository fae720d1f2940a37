"""The words about what lies on the table: the board, piles, where a card lies, how the game stands."""

from __future__ import annotations

from patience import sentences
from patience.rules import Refused
from patience.table.session import Session
from patience.table.status import facts, view
from patience.text import card_of


def show_board(session: Session, _: None) -> str | None:
    """Show the board again, or say what is in each pile."""
    return session.console.show_board(view(session), lambda: look(session, None))


def look(session: Session, pile_name: str | None) -> str:
    """Describe all piles in sentences, or only those named."""
    layout = session.game.layout
    if not pile_name:
        told = [*sentences.all_sentences(layout), *filter(None, [", ".join(layout.status)])]
    else:
        told = sentences.look(layout, pile_name)
    if not told:
        raise Refused(f"You can look at: {', '.join(dict(layout.kinds))}.")
    return "\n".join(told)


def where(session: Session, card: str) -> str:
    """Say where a card lies, and what lies on it."""
    pair = card_of(card or "")
    if not pair:
        raise Refused("Type a card too: where 9d.")
    return sentences.where(session.game.layout, pair)


def show_tops(session: Session, _: None) -> str:
    """Say what can be played from and onto."""
    return "\n".join(sentences.tops(session.game.layout))


def show_status(session: Session, _: None) -> str:
    """Say what the board leaves out: the deal, the moves made, the playing time, how far along the game is."""
    deal = "" if session.game.deal.number is None else "Deal "
    return f"{deal}{', '.join(facts(session))}."
