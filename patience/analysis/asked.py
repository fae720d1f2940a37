"""The words that ask for advice: hint, moves, solve and review; and the warning of a lost game. The modules that do the
thinking are imported only when they are needed.

The functions take the Play, like those of words.py.
"""

import time

from patience import effects
from patience.rules import INVALID_MOVE, Refused
from patience.rules import Rules

POSITIONS_FOR_LOSS = 500  # searched to detect that a game is lost, if it never says so itself


def refuse_if_over(play):
    """Raise Refused if the current game is over."""
    if play.game.outcome():
        raise Refused(f"{INVALID_MOVE}The game is over.")


def show_hint(play, _):
    """Show the best move, given what the player can know, and what it is worth; asked again, show the next best."""
    from patience.analysis import hints

    refuse_if_over(play)
    if not play.guide or play.guide.game is not play.game:
        play.guide = hints.Guide(play.game, play.form)
    counted = count_hint(play)
    moves = play.game.legal_moves()[:1]
    hint = think(play, "Thinking ...", play.guide.next_hint, lambda: list_moves(play.game, moves, play.form)[0])
    return counted, hint, "Enter plays it." if play.is_player and play.guide.line else None


def count_hint(play):
    """Count a hint, unless the game was won before; return what the first one means, or None."""
    if not play.saved or play.saved.state == "won":
        return None
    play.saved.hints += 1
    play.save()
    return "From now on a win counts as won with help." if play.saved.hints == 1 else None


def show_moves(play, _):
    """Show all legal moves; a player can then type the number of one."""
    refuse_if_over(play)
    moves = different_moves(play.game)
    shown = list_moves(play.game, moves, play.form)
    if moves and play.is_player:
        play.notes.listed = list(play.game.commands), moves
        shown = [f"{number:>2}  {line}" for number, line in enumerate(shown, start=1)]
    return shown


def list_moves(game, moves, form):
    """Return a line in this form for each of these legal moves, or the reason there are none. Only hints say their
    worth."""
    from patience.analysis import hints

    return hints.describe_moves(game, [(move, hints.UNKNOWN) for move in moves], form) or [game.rules.STUCK]


def different_moves(game):
    """Return the legal moves, without those that only take another foundation for the same card."""
    moves, seen = [], set()
    for move in game.rules.legal_moves(game.position):
        firsts = effects.leads_of(game.rules, game.position, move)
        up = {(lead.source, lead.source_index) for lead in firsts if lead.dest.startswith(effects.FOUNDATION)}
        if not up or not up <= seen:
            moves.append(move)
        seen |= up
    return moves


def difficulty(play):
    """Return how hard the deal is, in a sentence."""
    from patience.analysis import hints

    return think(play, "Thinking ...", lambda: hints.describe_difficulty(play.game), lambda: "Difficulty: not known.")


def confirm(play, question):
    """Ask the player a question; return True for yes. Ctrl-C and Ctrl-D are no."""
    return (play.console.confirm(f"{question} (y/n)? ") or "").lower() in ("y", "yes")


def refuses(play, question):
    """Ask the player a question; return True for no. Ctrl-D is yes."""
    answer = play.console.confirm(f"{question} (y/n)? ")
    return answer is not None and answer.lower() not in ("y", "yes")


def show_solution(play, count):
    """Say whether the game can still be won, and how it continues."""
    from patience.analysis import solve

    if play.is_player and play.saved and not play.saved.solved and play.saved.state != "won":
        question = "Look under the cards" if play.game.rules.hidden(play.game.position) else "Solve it"
        if not confirm(play, f"A win will count as won with help. {question}"):
            raise Refused("Cancelled.")
        play.saved.solved = 1
        play.save()
    return think(
        play,
        solve.notice(play.game),
        lambda: solve.describe_solution(play.game, count, play.settings.seconds, play.form),
        lambda: "The search was stopped.",
    )


def show_review(play, count):
    """Show what each choice cost, given what could be known then."""
    if not play.game.commands:
        raise Refused(f"{INVALID_MOVE}No command has been carried out yet.")
    from patience.analysis import review

    counted = None if play.game.outcome() else count_hint(play)  # it shows the better moves
    count, which = review.scope(play.game, count)
    heading, choices = [which] if count < len(play.game.commands) else [], []
    text = think(
        play,
        review.notice(count, which),
        lambda: "\n".join(heading + review.review(play.game, count, choices, play.form)),
        lambda: "\n".join(heading + review.summary(play.game, choices, play.form)),
    )
    return counted, text


def think(play, notice, work, instead):
    """Return what work() returns. notice: shown to a player who has to wait. instead: a function that returns what to
    show if the player presses Ctrl-C."""
    if not play.is_player:
        return work()
    import threading  # not needed by scripts

    timer = threading.Timer(play.console.seconds_to_think, play.console.notice, [notice])
    start = time.monotonic()
    timer.start()
    try:
        return work()
    except KeyboardInterrupt:
        return instead()
    finally:
        timer.cancel()
        play.notes.since += time.monotonic() - start  # the player's clock stands meanwhile


def warning(play):
    """Return a warning, once, that the game can no longer be won, if the player asked for that or the game never says
    so itself; or ""."""
    warns, never_says_so = play.settings.warns, play.game.rules.STUCK != Rules.STUCK
    if not warns and not never_says_so:
        return ""
    from patience.analysis import hints

    was_warned = play.notes.warned
    play.notes.warned = hints.is_lost(play.game, hints.POSITIONS_TO_WARN if warns else POSITIONS_FOR_LOSS)
    if not play.notes.warned or was_warned:
        return ""
    return hints.describe_loss(play.game) if warns or not play.game.commands else "This can no longer be won."


def offer_end(play):
    """Return the line of a move that plays several cards and wins, and what to tell the player of it; or "" twice."""
    game = play.game
    if game.outcome() or game.rules.hidden(game.position):
        return "", ""
    from solvers.advice import wins_at_once

    move = wins_at_once(game.rules, game.position)
    count = len(effects.effect_of(game.rules, game.position, move).moved) if move else 0
    return (game.rules.write(*move), f"Enter plays the last {count} cards.") if count > 1 else ("", "")
