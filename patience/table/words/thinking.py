"""The words that ask for advice: hint, solve, review, deal; and the warning that a game is lost. The modules that do
the thinking are imported only when they are needed."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from patience import Move, Reply, effects
from patience.table import saving
from patience.game import MoveStyle
from patience.table.records import store
from patience.table.records.kept_options import command_again
from patience.rules import Refused, Rules
from patience.table.session import Session
from patience.text import shell_line, printable
from patience.solvers.advice import wins_at_once

DIFFICULTY_UNKNOWN = "Difficulty: not known."
POSITIONS_FOR_LOSS = 500  # searched to detect that a game is lost, if the game itself never reports it


def show_hint(session: Session, _: None) -> Reply:
    """Show the best move, given what the player can know, and its worth; if asked again, show the next best."""
    from patience.advice import hints

    refuse_if_over(session)
    if not session.guide or session.guide.game is not session.game:
        session.guide = hints.Guide(session.game)
    counted = count_hint(session)
    game, guide = session.game, session.guide
    instead = lambda: list_moves(session, game.legal_moves()[:1])[0]
    hint = think(session, "Thinking ...", lambda: guide.next_hint().text(session.console.gives_reasons), instead)
    is_told = guide.hint.line and not session.console.shows_enter
    return counted, hint, "Enter plays it." if is_told else None


def count_hint(session: Session) -> str | None:
    """Count a hint, unless the game was won before, or no move is left. If it is the first help, return what that means
    for a win, else None."""
    if not session.saved or session.saved.is_won or not session.game.legal_moves():
        return None
    session.saved.hints += 1
    saving.save(session)
    is_first = session.saved.hints == 1 and not session.saved.solved
    return "From now on, a win counts as a win with help." if is_first else None


def show_solution(session: Session, count: int | None) -> str:
    """Say whether the game can still be won, and how it continues."""
    from patience.advice import solve

    if session.game.rules.no_moves:
        raise Refused(session.game.rules.no_moves)
    if session.saved and not session.saved.solved and not session.saved.is_won:
        question = "Look under the cards" if session.game.rules.hidden(session.game.position) else "Solve it"
        if not session.accepts(f"A win will then count as a win with help. {question}"):
            raise Refused("Cancelled.")
        session.saved.solved = 1
        saving.save(session)
    return think(
        session,
        solve.notice(session.game),
        lambda: solve.describe_solution(session.game, count, session.settings.seconds, MoveStyle.NAMES),
        lambda: "The search was stopped.",
    )


def show_review(session: Session, count: int | None) -> Reply:
    """Show what each choice cost, given what could be known then."""
    if not session.game.commands:
        raise Refused("No command has been carried out yet.")
    from patience.advice import review

    counted = None if session.game.outcome() else count_hint(session)  # the review shows the better moves
    count, which = review.scope(session.game, count)
    heading, choices = [which] if count < len(session.game.commands) else [], []
    text = think(
        session,
        review.notice(count, which),
        lambda: "\n".join(heading + review.review(session.game, count, choices, MoveStyle.NAMES)),
        lambda: "\n".join(heading + review.summary(session.game, choices, MoveStyle.NAMES)),
    )
    return counted, text


def show_deal(session: Session, _: None) -> Reply:
    """Show the command line that deals this game again, and how hard it is."""
    deal = session.game.deal
    again = "This deal has no number of its own: restart deals it again."
    if deal.number is not None:
        again = shell_line(printable(command_again(deal)))
    return again, difficulty(session)


def list_moves(session: Session, moves: list[Move]) -> list[str]:
    """Return a line for each of these legal moves, or the reason there are none. Only hints show the worth of a
    move."""
    from patience.advice import hints

    described = hints.describe_moves(session.game, [(move, hints.UNKNOWN) for move in moves])
    return [one.text(session.console.gives_reasons) for one in described] or [session.game.rules.STUCK]


def difficulty(session: Session) -> str:
    """Return how hard the deal is, in a sentence; that of a daily deal is computed once."""
    deal, day = session.game.deal, session.saved and session.saved.day
    with contextlib.suppress(OSError):
        found = store.found_daily(day, deal.name()) if day else None
        if found and found[0] == deal.number and found[1]:
            return found[1]
    from patience.advice import hints

    told = think(session, "Thinking ...", lambda: hints.describe_difficulty(session.game), lambda: DIFFICULTY_UNKNOWN)
    with contextlib.suppress(OSError):
        if day and deal.number is not None and told != DIFFICULTY_UNKNOWN:
            store.keep_daily(day, deal.name(), deal.number, told)
    return told


def warning(session: Session) -> str:
    """Return, once only, a warning that the game can no longer be won, if the player asked for warnings or the game
    itself never reports a loss; then also that no move is left. Otherwise return ""."""
    warns, never_says_so = session.settings.looks["warn"], session.game.rules.STUCK != Rules.STUCK
    if not warns and not never_says_so:
        return ""
    if never_says_so and not session.game.outcome() and not session.game.legal_moves():
        return session.game.rules.STUCK
    from patience.advice import hints

    was_warned = session.notes.warned
    session.notes.warned = hints.is_lost(session.game, hints.POSITIONS_TO_WARN if warns else POSITIONS_FOR_LOSS)
    if not session.notes.warned or was_warned:
        return ""
    return hints.describe_loss(session.game) if warns else "This can no longer be won."


def offer_end(session: Session) -> tuple[str, int]:
    """Return the command line of a move that plays the last cards and wins, and the number of those cards; or "" and
    0."""
    game = session.game
    if game.outcome() or game.rules.hidden(game.position):
        return "", 0
    move = wins_at_once(game.rules, game.position)
    count = len(effects.expected_effect(game.layout, move).moved) if move else 0
    return (game.rules.write(*move), count) if move and count else ("", 0)


def refuse_if_over(session: Session) -> None:
    """Raise Refused if the current game is over, or its legal moves are not known."""
    if session.game.rules.no_moves:
        raise Refused(session.game.rules.no_moves)
    if session.game.outcome():
        raise Refused("The game is over.")


def think(session: Session, notice: str, work: Callable[[], str], instead: Callable[[], str]) -> str:
    """Return what work() returns. notice: shown to a player who has to wait. instead: what to show if
    the player presses Ctrl-C."""
    timer = threading.Timer(session.console.seconds_to_think, session.console.notice, [notice])
    start = time.monotonic()
    timer.start()
    try:
        with session.console.ending_work():
            return work()
    except KeyboardInterrupt:
        return instead()
    finally:
        timer.cancel()
        session.notes.since += time.monotonic() - start  # the player's clock is stopped during this time
