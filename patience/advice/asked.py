"""The words that ask for advice: hint, moves, solve and review. What thinks is loaded when it is asked.

The functions take the Table at which the word was typed, as those of words.py do.
"""

import click

from patience.game.grammar import INVALID_MOVE, Refused


def must_go_on(table):
    """Raise Refused if the game in hand is over."""
    if table.sitting.outcome():
        raise Refused(f"{INVALID_MOVE}The game is over.")


def show_hint(table, _):
    """Show the best move, as far as the player can know, and what it is worth; the next time the next one."""
    must_go_on(table)
    table.record.hints += 1
    think(table, lambda guide: guide.next_hint())
    table.console.point_at(table.sitting, table.guide.hinted, table.guide.line)
    table.keeper.note_help(table.sitting, table.record, "hint")


def show_moves(table, _):
    """Show all legal moves, the best first, and what they are worth."""
    must_go_on(table)
    think(table, lambda guide: guide.all_moves())


def think(table, work):
    """Show what work(guide) returns; a player who presses Ctrl-C gets a quick hint instead."""
    from patience.advice import hints

    if not table.guide:
        table.guide = hints.Guide(table.sitting)
    table.console.think("Thinking ...", lambda: work(table.guide), lambda: hints.quick_hint(table.sitting))


def show_review(table, count):
    """Show what each choice cost, by what could be known then."""
    if not table.sitting.done:
        raise Refused(f"{INVALID_MOVE}No command has been carried out yet.")
    from patience.advice import review

    game = review.Review(table.sitting, table.console.stderr, count)
    if table.console.stderr:  # before the progress bar, not in the middle of it
        click.echo(game.notice(), file=table.console.stderr)
    table.console.think("", game.lines, game.so_far)


def show_solution(table, count):
    """Say whether the game can still be won, and how it continues."""
    from patience.advice import solve

    if table.typist.can_ask and not table.record.solved:
        what = "Look under the cards" if table.sitting.rules.hidden(table.sitting.game) else "Solve it"
        answer = table.console.ask(f"It will count as solved, not as won. {what} (y/n)? ")
        if (answer or "").strip().lower() not in ("y", "yes"):
            raise Refused("The cards stay as they are.")
    table.record.solved = True
    table.console.think(
        solve.LOOKING,
        lambda: solve.what_can_be_done(table.sitting, count, table.seconds, table.typist.is_player),
        lambda: "The search was stopped.",
    )
    table.keeper.note_help(table.sitting, table.record, line_of("solve", count))


def line_of(word, count):
    """Return the line that says a word, and its number if it has one."""
    return word if count is None else f"{word} {count}"
