"""The words that ask for advice: hint, moves, solve and review; and the warning of a lost game. The modules that do the
thinking are imported only when they are needed.

The functions take the Play, like those of words.py.
"""

import time

from patience import effects
from patience.lines import INVALID_MOVE, Refused
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
    count_hint(play)
    think(
        play,
        "Thinking ...",
        play.guide.next_hint,
        lambda: list_moves(play.game, play.game.legal_moves()[:1], play.form)[0],
    )
    if play.guide.line:
        play.tell("Enter plays it.")


def count_hint(play):
    """Count a hint, unless the game was won before; tell the player what the first one means."""
    if play.saved and play.saved.state != "won":
        if not play.saved.hints:
            play.tell("From now on a win counts as won with help.")
        play.saved.hints += 1
        play.save()


def show_moves(play, _):
    """Show all legal moves; a player can then type the number of one."""
    refuse_if_over(play)
    moves = different_moves(play.game)
    shown = list_moves(play.game, moves, play.form)
    if moves and play.is_player:
        play.notes.listed = list(play.game.commands), moves
        shown = [f"{number:>2}  {line}" for number, line in enumerate(shown, start=1)]
    play.console.say(shown)


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


def show_difficulty(play):
    """Say how hard the deal is."""
    from patience.analysis import hints

    think(play, "Thinking ...", lambda: hints.describe_difficulty(play.game), lambda: "Difficulty: not known.")


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
    think(
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

    if not play.game.outcome():  # it shows the better moves
        count_hint(play)
    count, which = review.scope(play.game, count)
    heading, choices = [which] if count < len(play.game.commands) else [], []
    think(
        play,
        review.notice(count, which),
        lambda: "\n".join(heading + review.review(play.game, count, choices, play.form)),
        lambda: "\n".join(heading + review.summary(play.game, choices, play.form)),
    )


def think(play, notice, work, instead):
    """Show the text, or list of texts, that work() returns. notice: shown to a player who has to wait. instead: a
    function that returns what to show if the player presses Ctrl-C."""
    if not play.is_player:
        play.console.say(work())
        return
    import threading  # not needed by scripts

    timer = threading.Timer(play.console.SECONDS_TO_THINK, play.console.notice, [notice])
    start = time.monotonic()
    timer.start()
    try:
        result = work()
    except KeyboardInterrupt:
        result = instead()
    finally:
        timer.cancel()
    play.notes.since += time.monotonic() - start  # the player's clock stands meanwhile
    play.console.say(result)


def warn(play):
    """Warn a player, once, that the game can no longer be won, if they asked for that or the game never says so."""
    warns, never_says_so = play.settings.warns, play.game.rules.STUCK != Rules.STUCK
    if not warns and not never_says_so:
        return
    from patience.analysis import hints

    was_warned = play.notes.warned
    play.notes.warned = hints.is_lost(play.game, hints.POSITIONS_TO_WARN if warns else POSITIONS_FOR_LOSS)
    if play.notes.warned and not was_warned:
        play.tell(hints.describe_loss(play.game) if warns or not play.game.commands else "This can no longer be won.")


def offer_end(play):
    """Return the line of a move that plays several cards and wins, and offer it to the player; or ""."""
    game = play.game
    if game.outcome() or game.rules.hidden(game.position):
        return ""
    from solvers.advice import wins_at_once

    move = wins_at_once(game.rules, game.position)
    count = len(effects.effect_of(game.rules, game.position, move).moved) if move else 0
    if count > 1:
        play.tell(f"Enter plays the last {count} cards.")
    return game.rules.write(*move) if count > 1 else ""
