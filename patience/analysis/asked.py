"""The words that ask for advice: hint, moves, solve and review; and the warning of a lost game. What thinks is loaded
when it is asked.

The functions take the Play in which the word was typed, as those of words.py do.
"""

from patience import Ended
from patience.lines import INVALID_MOVE, Refused
from patience.rules import Rules

POSITIONS_FOR_LOSS = 500  # that are looked at to see that a game which never says so is lost


def must_go_on(play):
    """Raise Refused if the game in hand is over."""
    if play.game.outcome():
        raise Refused(f"{INVALID_MOVE}The game is over.")


def show_hint(play, _):
    """Show the best move, as far as the player can know, and what it is worth; the next time the next one."""
    from patience.analysis import hints

    must_go_on(play)
    if not play.guide or play.guide.game is not play.game:
        play.guide = hints.Guide(play.game)
    if play.saved:
        play.saved.hints += 1
        play.save()
    think(play, "Thinking ...", play.guide.next_hint, lambda: list_moves(play.game, play.game.legal_moves()[:1])[0])
    if play.guide.line:
        play.tell("Enter plays it.")


def show_moves(play, _):
    """Show all legal moves."""
    must_go_on(play)
    play.console.say(list_moves(play.game, play.game.rules.legal_moves(play.game.position)))


def list_moves(game, moves):
    """Return a line for each of some legal moves, or why there are none. What they are worth only a hint tells."""
    from patience.analysis import hints

    return hints.describe_moves(game, [(move, hints.UNKNOWN) for move in moves]) or [game.rules.STUCK]


def show_solution(play, count):
    """Say whether the game can still be won, and how it continues."""
    from patience.analysis import solve

    if play.is_player and play.saved and not play.saved.solved and play.saved.state != "won":
        what = "Look under the cards" if play.game.rules.hidden(play.game.position) else "Solve it"
        answer = play.console.ask(f"It will count as solved, not as won. {what} (y/n)? ")
        if (answer or "").strip().lower() not in ("y", "yes"):
            raise Refused("Cancelled.")
    if play.saved:
        play.saved.solved = 1
        play.save()
    think(
        play,
        solve.LOOKING,
        lambda: solve.describe_solution(play.game, count, play.settings.seconds, play.is_player),
        lambda: "The search was stopped.",
    )


def show_review(play, count):
    """Show what each choice cost, by what could be known then."""
    if not play.game.moves:
        raise Refused(f"{INVALID_MOVE}No command has been carried out yet.")
    from patience.analysis import review

    count, which = review.scope(play.game, count)
    heading, found = [which] if count < len(play.game.moves) else [], []
    play.tell(review.notice(count, which))
    think(
        play,
        "Thinking ...",
        lambda: "\n".join(heading + review.review(play.game, count, found)),
        lambda: "\n".join(heading + review.summary(play.game, found)),
    )


def think(play, notice, work, instead):
    """Show the text, or list of texts, that work() returns. notice: what a player reads meanwhile. instead: a function
    that returns what to show if the player presses Ctrl-C."""
    if not play.is_player:
        play.console.say(work())
        return
    import threading  # which no script needs

    timer = threading.Timer(play.console.SECONDS_TO_THINK, play.console.notice, [notice])
    timer.start()
    try:
        found = work()
    except Ended:
        raise
    except KeyboardInterrupt:
        found = instead()
    finally:
        timer.cancel()
    play.console.say(found)


def warn(play):
    """Tell a player, once, that the game can no longer be won, if that was wanted, or if the game never says so."""
    warns, never_says_so = play.settings.warns, play.game.rules.STUCK != Rules.STUCK
    if not warns and not never_says_so:
        return
    from patience.analysis import hints

    was_warned = play.notes.warned
    play.notes.warned = hints.is_lost(play.game, hints.POSITIONS_TO_WARN if warns else POSITIONS_FOR_LOSS)
    if play.notes.warned and not was_warned:
        play.tell(hints.describe_loss(play.game) if warns else "This can no longer be won.")
