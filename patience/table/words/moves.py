"""The words about moves: take back, do again, restart, the history, every move."""

from __future__ import annotations

from patience import ShowBoard, Move, Reply, effects
from patience.table import saving
from patience.game import Game, MoveStyle
from patience.layout import FOUNDATION, Layout
from patience.rules import Refused
from patience.table.session import Session, State
from patience.text import count_of
from patience.table.words.thinking import list_moves, refuse_if_over

MAX_SHOWN = 24  # history commands shown, unless the player asks for more


def undo(session: Session, count: int | tuple[str, int] | None) -> ShowBoard:
    """Take back the last commands. count: how many, None for one, or ("to", 21) for command 21 and all after it."""
    game, before = session.game, session.game.layout
    if isinstance(count, tuple):
        _, number = count
        if number > len(game.commands) > 0:
            raise Refused(f"The last command is number {len(game.commands)}.")
        count = len(game.commands) + 1 - number
    told = game.lines(max(0, len(game.commands) - (count or 1)), MoveStyle.NAMES) if game.commands else []
    game.undo(count or 1)
    return go_back(session, "Undone", told, before)


def redo(session: Session, count: int | None) -> ShowBoard:
    """Redo commands that were taken back."""
    game = session.game
    before, done = game.layout, game.redo(count or 1)
    return go_back(session, "Redone", game.lines(len(game.commands) - len(done), MoveStyle.NAMES), before)


def go_on(session: Session) -> None:
    """Continue from a board that no command has just led to, and save the game."""
    session.state, session.notes.effect = State.PLAYING, None
    saving.save(session)


def go_back(session: Session, heading: str, told: list[str], before: Layout) -> ShowBoard:
    """Save the game after an undo or redo; return the board, with the lines of the commands under a heading. before:
    the layout before the undo or redo."""
    go_on(session)
    effect = effects.effect_between(before, session.game.layout)
    return ShowBoard(effect, heading=f"{heading}: {count_of(len(told), 'command') if told[1:] else told[0]}")


def restart(session: Session, _: None) -> ShowBoard:
    """Deal the same game again."""
    count = len(session.game.commands)
    if count:
        session.game.undo(count)
    again = "redo all plays the commands again." if count > 1 else "redo plays the command again."
    go_on(session)
    dealt = f"Dealt again. {again}" if count else "Dealt again."
    return ShowBoard(heading=dealt)


def show_history(session: Session, count: int | None) -> Reply:
    """Show the last commands, each with the number to type after `undo to`."""
    made = len(session.game.commands)
    if not made:
        return "No command has been carried out yet."
    first = max(0, made - (count or MAX_SHOWN))
    entries = [*enumerate(session.game.lines(first, MoveStyle.NAMES), start=first + 1)]
    heading = f"The last {len(entries)} of {made} commands:" if len(entries) < made else None
    width = len(str(made))
    return heading, [f"{number:>{width}}. {text}" for number, text in entries]


def show_moves(session: Session, _: None) -> Reply:
    """Show the legal moves that lead on; a player can then type a move's number."""
    refuse_if_over(session)
    moves = different_moves(session.game)
    shown = list_moves(session, moves)
    if moves:
        session.notes.numbered_moves = list(session.game.commands), moves
        shown = [f"{number:>2}  {line}" for number, line in enumerate(shown, start=1)]
    return shown


def different_moves(game: Game) -> list[Move]:
    """Return the legal moves, except those that only play the same card to another foundation."""
    moves, seen = [], set()
    for move in game.layout.legal_moves:
        lead_cards = effects.lead_cards_of(game.layout, move)
        up = {(moved.source, moved.source_index) for moved in lead_cards if moved.dest.startswith(FOUNDATION)}
        if not up or not up <= seen:
            moves.append(move)
        seen |= up
    return moves
