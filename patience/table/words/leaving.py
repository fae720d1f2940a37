"""The words at the beginning and the end of a game: rules, results, another game, leaving."""

from __future__ import annotations

from patience.table import saving
from patience.decks import Deal
from patience.game import Game
from patience.options import IN_SHORT
from patience.table.records import statistics, store
from patience.table.records.kept_options import command_again, typed_name
from patience.rules import Refused
from patience.table.session import SinceDeal, Session, State

LOSES = "This game is not saved. Lose it"


def introduce(session: Session) -> str:
    """Return the lines that introduce a game to a player when it begins."""
    game, deal = session.game, session.game.deal
    again = command_again(deal)
    again = deal.source() if again == f"{typed_name(game.rules)} {deal.source()}" else again
    parts = [part for part in game.rules.text.split("\n\n") if part.startswith(IN_SHORT) and not game.commands]
    rule = " ".join("".join(parts).split()).removeprefix(IN_SHORT)
    return session.console.introduce(deal.number, again, rule[:1].upper() + rule[1:])


def show_rules(session: Session, _: None) -> str:
    """Return the game's docstring."""
    return session.console.arrange_rules(session.game.rules.text).replace("XX", session.console.card_back)


def repeat(session: Session, _: None) -> str:
    """Repeat the last answer."""
    return session.console.last_answer() or "Nothing has been said yet."


def show_stats(session: Session, argument: str | None) -> str:
    """Show the results of the games played at a terminal, as the stats command does."""
    try:
        return statistics.describe(argument, session.console.arrange_table)
    except OSError as error:
        return f"The results could not be opened: {error}"


def new(session: Session, _: None) -> None:
    """Deal another game, for the loop to begin. A player's current game is saved first; if it cannot be saved, ask
    whether to lose it. Raises Refused if no deal is found."""
    ask_before_losing(session)
    number, deal = session.settings.next_number(), session.game.deal
    if session.saved:
        if saving.save(session) and session.saved.outcome is store.Outcome.PLAYING:
            session.tell("The previous game is saved; list shows it.")
        session.saved = saving.new_row(session.saved.owner, session.saved.file)
    session.game = Game(Deal(deal.rules, deal.options, number, deal.cards, deal.path))
    session.guide, session.notes = None, SinceDeal()


def leave(session: Session, _: None, for_the_list: bool = False) -> None:
    """Leave, but ask first if the current game would be lost."""
    ask_before_losing(session)
    session.state = State.MENU if for_the_list else State.LEFT


def leave_for_the_list(session: Session, _: None) -> None:
    """Leave for the list of games."""
    leave(session, None, True)


def leave_at_end_of_input(session: Session) -> None:
    """Leave at the end of the input: ask first if the game would be lost, but leave if there is no answer."""
    if session.asks_again or saving.nothing_would_be_lost(session) or session.confirm(LOSES, True):
        session.state = State.LEFT


def ask_before_losing(session: Session) -> None:
    """If the current game would be lost, ask the player; raise Refused if the player wants to stay."""
    if not (session.asks_again or saving.nothing_would_be_lost(session) or session.confirm(LOSES)):
        raise Refused("Cancelled.")
