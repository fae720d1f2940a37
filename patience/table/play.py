"""The loop: ask, answer, show, until the player leaves.

An answer is all or nothing: a command is read, carried out, saved, and only then shown. If the program hits a bug on
the way, the game is restored to its state before the command; if it was saved already, the next save corrects it."""

from __future__ import annotations

import time

import click

from patience import ShowBoard, Ended, Move, Reply, effects, is_terminal_gone, options, sentences
from patience.table import saving
from patience.table.consoles import AGAIN, COMMAND
from patience.table.records import bugs, statistics, store
from patience.rules import Refused, all_games, check, own_trace
from patience.table.session import HAS_LEFT, Session, State
from patience.table.status import view
from patience.text import commands_in, tidy
from patience.table.words import leaving, parse, thinking

SECONDS_TO_IDLE = 300
LINE_WIDTH = 80
COMPARING = "Calling the functions of the file ..."


def run(session: Session) -> bool:
    """Play games until the player leaves. Return True if they want the list. Raises KeyboardInterrupt, with a
    message about the current game, if the player interrupts it."""
    session.console.offer_completions(lambda: parse.candidates(session))
    session.console.pass_over = lambda line: options.passes_over(line, session.game.deal)  # type: ignore[method-assign]
    try:
        begin(session)
        while session.state not in HAS_LEFT:
            answer(session, ask(session))
        saved = saving.save_and_describe(session)
        if session.state is State.LEFT:
            session.tell(saved)
            show(session, "Thank you for playing.")
    except (KeyboardInterrupt, Ended) as interrupt:
        said = filter(None, [str(interrupt), saving.save_and_describe(session)])
        raise type(interrupt)(" ".join(said)) from None
    except Exception as error:
        if is_terminal_gone(error):
            raise Ended(saving.save_and_describe(session)) from None
        raise
    finally:
        session.console.close()
    return session.state is State.MENU


def begin(session: Session) -> None:
    """Show the title and the board; for a player, also show the deal number, and the rules in one line."""
    game = session.game
    session.notes.since = time.monotonic()
    show(session, game.rules.TITLE)
    session.tell(leaving.introduce(session))
    if session.saved and session.saved.day:
        outcome = statistics.outcomes_of(session.saved.day).get(game.deal.name())
        session.notes.outcome = outcome if outcome != store.Outcome.PLAYING else ""
        show(session, None if game.commands else thinking.difficulty(session))
    session.state = State.PLAYING
    session.console.show(view(session))
    tell_remarks(session)
    offer_end(session)
    announce_end(session)


def ask(session: Session) -> str | None:
    """Return the next line. If a player types nothing for a long time, the clock is paused."""
    if session.next_line:
        waiting, session.next_line = session.next_line, ""
        return waiting
    start = time.monotonic()
    try:
        session.console.refresh(view(session))
        line = session.console.ask(AGAIN if session.asks_again else COMMAND)
    except Exception as error:
        if is_terminal_gone(error) or own_trace(error.__traceback__, all_games()) or not session.console.fall_back():
            raise
        session.tell(bugs.report(error, "reading a line"))
        session.console.show(view(session))
        return ask(session)
    idle = time.monotonic() - start - SECONDS_TO_IDLE
    if session.saved and session.state is State.PLAYING and idle > 0:
        session.notes.since += idle
        session.tell("The clock was paused while you were away.")
    return line


def answer(session: Session, line: str | None) -> None:
    """Answer each command in a line (None for the end of the input), up to the first that is refused."""
    if line is not None:
        line = line.strip() or session.enter[0]
    before = session.game, *session.game.commands
    commands = [line] if line is None else commands_in(line)
    session.refusal = None
    for number, command in enumerate(commands, start=1):
        if not answer_command(session, command):
            session.tell(parse.describe_skipped(commands, number) if session.refusal else "")
            break
    if before != (session.game, *session.game.commands):
        tell_remarks(session)
        offer_end(session)


def answer_command(session: Session, command: str | None) -> bool:
    """Answer a command; return False if the rest of its line must be skipped: it was refused, or the player has
    left."""
    game, snapshot = session.game, None
    try:
        if command is not None:
            snapshot = session.snapshot()
        if session.guide:
            session.guide.forget_hint()
        show(session, carry_out(session, command))
        if session.game is not game:
            begin(session)
        return session.state not in HAS_LEFT
    except Refused as refusal:
        session.refusal = refusal
        show(session, parse.explain(session, refusal, command))
        if session.asks_again:
            session.tell(session.game.outcome())
    except Exception as error:
        if command is None or own_trace(error.__traceback__, all_games()):
            raise  # the author of a game needs the traceback
        if snapshot:
            session.restore(snapshot)
        if is_terminal_gone(error):
            raise
        session.console.show(view(session))
        session.tell(bugs.report(error, command or ""))
    return False


def carry_out(session: Session, command: str | None) -> Reply:
    """Carry out a command; return the reply. Raises Refused, with nothing changed, if the command is not possible
    now."""
    if command is None:
        leaving.leave_at_end_of_input(session)
        return None
    if session.asks_again and not command:
        return end_of_game(session)
    listed_at, listed = session.notes.numbered_moves
    if listed and command.isdecimal() and not session.asks_again:
        if listed_at != session.game.commands or command not in map(str, range(1, len(listed) + 1)):
            raise Refused(f"There is no move {command} now; moves lists them again.")
        return make(session, [listed[int(command) - 1]])
    word, argument = parse.parse(session, command)
    if word:
        session.notes.numbered_moves = None, []  # other numbers may be shown now
        return parse.answer(session, word, argument)
    if session.asks_again:
        raise Refused("The game is over.")
    moves = parse.meaning_of(session, command)
    return moves if isinstance(moves, str) else make(session, moves)


def make(session: Session, moves: list[Move]) -> str | ShowBoard:
    """Make moves, and save the game; return their effect or, if a command only shows something, its text."""
    game, rules = session.game, session.game.rules
    if look := rules.VIEWS.get(moves[0][0]):
        check(rules, game.position, moves[0])
        return click.wrap_text(tidy(look(game.position, *moves[0][1:])), session.console.width or LINE_WIDTH)
    last = game.commands[-1].moves[-1] if game.commands else ()
    is_new = last and last[0] != moves[0][0]  # the player is not asked before repeating the same command
    question = rules.confirmation(game.position, *moves[0]) if is_new else ""
    if question and not session.accepts(question):
        raise Refused("Cancelled.")
    before, messages = game.layout, [game.perform(*moves)]
    made = game.commands[-1].moves
    effect = effects.effect_between(before, game.layout, made[0] if len(made) == 1 else None)
    messages.append(sentences.passed_sentence(game.layout, effect))
    session.notes.effect = effect
    saving.save(session)
    return ShowBoard(effect, list(filter(None, messages)))


def show(session: Session, reply: Reply) -> None:
    """Show a reply: texts, or the board and, if the game is over, its outcome."""
    if isinstance(reply, ShowBoard):
        show_board(session, reply)
        announce_end(session)
        return
    for part in reply if isinstance(reply, tuple) else [reply]:
        if part is not None:
            session.console.say(part)


def show_board(session: Session, board: ShowBoard) -> None:
    """Show the board, with a heading and the game's messages above it; warn the player if the game is lost. Hints start
    again with the best move."""
    if session.guide:
        session.guide.asked_for = None
    if board.heading:
        session.console.say(board.heading)
    session.console.show(view(session)._replace(effect=board.effect, messages=board.messages))
    session.tell(thinking.warning(session))


def tell_remarks(session: Session) -> None:
    """Tell the player where the functions of their file go wrong."""
    rules, position = session.game.rules, session.game.position
    if rules.file:
        session.console.show_now(view(session))
        instead = "The other functions were not compared."
        session.tell(thinking.think(session, COMPARING, lambda: "\n".join(rules.remarks(position)), lambda: instead))


def offer_end(session: Session) -> None:
    """Offer to play the last cards with Enter, if that wins."""
    line, count = thinking.offer_end(session)
    cards = f"{count} cards" if count > 1 else "card"
    session.notes.winning_line = (line, f"play the last {cards}") if line else ("", "")
    session.tell(f"Enter plays the last {cards}." if line and not session.console.shows_enter else "")


def announce_end(session: Session) -> None:
    """If the current game is won or lost, end it and tell the player."""
    if session.state is State.PLAYING and session.game.outcome():
        session.state = State.OVER
        show(session, end_of_game(session))


def end_of_game(session: Session) -> Reply:
    """Return the text about a finished game; an extra Enter shows it again."""
    game = session.game
    return f"{game.outcome()}{saving.describe_win(session) if game.rules.check_win(game.position) else ''}"
