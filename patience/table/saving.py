"""Saving a player's game: its time, its row in the store, its file."""

from __future__ import annotations

import shlex
import time
from typing import Any

from patience.options import at_terminal
from patience.table.records import savefile, statistics, store
from patience.table.records.kept_options import command_again
from patience.table.records.store import SavedGame
from patience.table.session import Session, State
from patience.text import shell_line, error_text, printable


def count_time(session: Session) -> None:
    """Add the time since the last count to the game's playing time, unless the playing time is unknown, or the game is
    over or was won before."""
    now, saved = time.monotonic(), session.saved
    if saved and saved.seconds is not None and session.state is not State.OVER and not saved.is_won:
        saved.seconds += now - session.notes.since
    session.notes.since = now


def new_row(owner: str | None, file: str | None, **columns: Any) -> SavedGame:
    """Return the row of a game that begins now. Without a terminal its win counts as one with help: nobody knows who
    plays it. file: of --save, or None."""
    solved = int(not at_terminal())
    return store.SavedGame(owner=owner, file=file, started=time.time(), solved=solved, **columns)


def save(session: Session) -> bool:
    """Save a player's game, but only once a move has been made. If that fails, tell the player once, and continue.
    Return True if it was saved."""
    if not session.saved or not session.game.commands and session.saved.id is None:
        return False
    count_time(session)
    state, failure, session.notes.is_new_win = session.saved.state, "", False
    try:
        if not session.saved.is_won and not session.game.rules.file:
            store.fill_row(session.saved, session.game)
            session.tell(store.save(session.saved))
            session.notes.is_new_win = session.saved.is_won
    except OSError as error:
        session.saved.state = state
        failure = f"This game could not be saved: {printable(error_text(error))}"
    try:
        if session.saved.file:
            savefile.write(session.saved.file, session.game)
    except OSError as error:
        failure = f"{printable(session.saved.file)} could not be written: {printable(error_text(error))}"
    if failure and not session.notes.failure:
        session.tell(failure)
    session.notes.failure = failure
    return not failure


def nothing_would_be_lost(session: Session) -> bool:
    """Return True if nothing is lost when the player leaves now. A win that was undone stays a win; a game from a
    student's file is only a trial, so it is not kept."""
    is_saved = session.game.rules.file or session.saved and not session.notes.failure
    return bool(is_saved) or not session.game.commands or bool(session.game.outcome())


def save_and_describe(session: Session) -> str:
    """Save the current game at the end. Return a sentence about how to continue it, or ""."""
    if not save(session) or session.game.outcome() or not session.saved:
        return ""
    if session.saved.is_won and not session.saved.file:
        return "Your win stays; the moves you made after taking it back are not saved."
    return f"Saved. Continue with: {resume_command(session)}"


def resume_command(session: Session) -> str:
    """Return the command line that continues the current game."""
    if not session.saved or not session.saved.file:
        return shell_line("play")
    return shell_line(f"{command_again(session.game.deal)} --save {printable(shlex.quote(session.saved.file))}")


def describe_win(session: Session) -> str:
    """Return the message about the game that was won, with a blank in front, or "" if the game is not in the store."""
    if not session.saved or session.saved.id is None:
        return ""
    describe = statistics.win_message if session.notes.is_new_win else statistics.earlier_win
    return f" {describe(session.game.deal, session.saved)}"
