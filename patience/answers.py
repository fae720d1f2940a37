"""The answers to the words of every game; those that ask for advice are in analysis/asked.py.

The functions take the Play, and the argument typed after the word: a number, a word, or None.
"""

import enum
import shlex

from patience import effects, sentences
from patience.analysis import asked
from patience.game import Form
from patience.rules import INVALID_INPUT, INVALID_MOVE, Refused
from patience.text import command, count_of, minutes, printable, tidy
from solvers.positions import copy_of

LOSES = "This game is not saved. Lose it"
MAX_SHOWN = 24  # commands of the history, unless more are asked for


class Mode(enum.Enum):
    """Who types."""

    SCRIPT = 0  # prompts and words are those of the game
    PLAYER = 1


class State(enum.Enum):
    """What the player is asked: PLAYING for a command, OVER and LEAVING whether to play again, the others nothing."""

    PLAYING = 0
    OVER = 1  # the game is won or lost
    LEAVING = 2  # the player wants to leave a game that would be lost
    LEFT = 3
    MENU = 4  # left for the list


LEFT = (State.LEFT, State.MENU)


def form_of(play):
    """Return the form in which moves are told."""
    return Form.NAMES if play.is_player else Form.BARE if play.is_assignment else Form.COMMAND


def introduce(play):
    """Return the lines about a game that begins, for a player."""
    game, deal = play.game, play.game.deal
    again = deal.source() if deal.name() == game.rules.name else deal.command()
    rule = [part for part in game.rules.text.split("\n\n") if part.startswith("In short: ") and not game.commands]
    rule = " ".join("".join(rule).split()).removeprefix("In short: ")
    return play.console.introduce(deal.number, again, rule[:1].upper() + rule[1:])


def show_rules(play, _):
    """Return the game's docstring."""
    return play.console.arrange_rules(play.game.rules.text).replace("XX", play.console.closed)


def show_board(play, _):
    """Show the board again, or say what lies in all piles."""
    return play.console.show_board(play.view(), lambda: look(play, None))


def look(play, pile_name):
    """Describe all piles in sentences, or only those named."""
    rules, position = play.game.rules, play.game.position
    if not pile_name:
        told = [*sentences.all_sentences(rules, position), *filter(None, [tidy(rules.status(position))])]
    else:
        told = sentences.look(rules, position, pile_name)
    if not told:
        names = dict.fromkeys(name.rstrip(" 0123456789") for name, _, _ in rules.piles(position))
        raise Refused(f"{INVALID_INPUT}look at: {', '.join(names)}.")
    return "\n".join(told)


def where(play, card):
    """Say where a card lies, and what lies on it."""
    sentence = sentences.where(play.game.rules, play.game.position, card or "")
    if not sentence:
        raise Refused(f"{INVALID_INPUT}where 9d says where a card lies.")
    return sentence


def show_tops(play, _):
    """Say what can be played from and onto."""
    return "\n".join(sentences.tops(play.game.rules, play.game.position))


def facts(play):
    """Return what the board leaves out: the deal, the moves made, the playing time, how far the game is."""
    game, taken = play.game, ""
    if play.saved:
        play.count_time()
        taken = minutes(play.saved.seconds)
    number = "" if game.deal.number is None else str(game.deal.number)
    made, status = count_of(len(game.commands), "move"), tidy(game.rules.status(game.position))
    day = ""
    if play.saved and play.saved.day:
        from patience.records import statistics

        day = statistics.describe_day(play.saved.day, play.notes.outcome)
    return [fact for fact in (number, day, made, taken, status) if fact]


def show_status(play, _):
    """Say what the board leaves out: the deal, the moves made, the playing time, how far the game is."""
    deal = "" if play.game.deal.number is None else "Deal "
    return f"{deal}{', '.join(facts(play))}."


def repeat(play, _):
    """Say the last answer again."""
    return play.console.last_answer() or "Nothing was said yet."


def show_history(play, count):
    """Show the last commands, each with the number to type after `undo to`."""
    made = len(play.game.commands)
    if not made:
        return "No command has been carried out yet."
    first = max(0, made - (count or MAX_SHOWN))
    entries = [*enumerate(play.game.lines(first, play.form), start=first + 1)]
    heading = f"The last {len(entries)} of {made} commands:" if len(entries) < made else None
    width = len(str(made))
    return heading, [f"{number:>{width}}  {text}" for number, text in entries]


def show_deal(play, _):
    """Show the command line that deals this game again; tell a player how hard it is."""
    deal = play.game.deal
    again = "This deal has no number of its own: restart deals it again."
    if deal.number is not None:
        again = command(printable(deal.command()))
    return again, asked.difficulty(play) if play.is_player else None


def show_stats(play, argument):
    """Show the results of the games played at a terminal, as the command stats does."""
    from patience.records import statistics

    try:
        return statistics.describe(bool(argument), play.console.in_sentences, play.console.width)
    except OSError as error:
        return f"The results cannot be read: {error}"


def undo(play, count):
    """Take back the last commands. count: how many, or None for one. A negative count means `undo to N`: -21 takes back
    command 21 and everything after it."""
    game, before = play.game, play.game.position
    if count and count < 0 and game.commands:
        count += len(game.commands) + 1
        if count < 1:
            raise Refused(f"{INVALID_MOVE}The last command is number {len(game.commands)}.")
    told = game.lines(max(0, len(game.commands) - abs(count or 1)), play.form) if game.commands else []
    game.undo(abs(count or 1))
    save_and_show(play, "Undone", told, before)


def redo(play, count):
    """Redo commands that were taken back."""
    game = play.game
    before, done = copy_of(game.position), game.redo(count or 1)
    save_and_show(play, "Redone", game.lines(len(game.commands) - len(done), play.form), before)


def save_and_show(play, heading, told, before):
    """Save the game after an undo or redo; tell the commands, their lines, under a heading, and show the board. before:
    the position before that."""
    play.state = State.PLAYING
    play.notes.effect = None
    play.save()
    effect = effects.effect(play.game.rules, before, play.game.position) if play.is_player else None
    play.show(effect, heading=f"{heading}: {count_of(len(told), 'command') if told[1:] else told[0]}")
    play.finish_if_over()


def restart(play, _):
    """Deal the same game again."""
    count = len(play.game.commands)
    if count:
        play.game.undo(count)
    again = "redo all plays the commands again." if count > 1 else "redo plays the command again."
    play.state = State.PLAYING
    play.notes.effect = None
    play.save()
    dealt = f"Dealt again. {again}" if count else "Dealt again."
    play.show(heading=dealt if play.is_player else "")


def new(play, _):
    """Deal another game. A player's current game is saved first; if it cannot be, ask whether to lose it."""
    if not play.is_player or may_leave(play):
        play.next_game()


def leave(play, _, is_menu=False):
    """Leave, but ask first if the current game would be lost."""
    is_sure = may_leave(play)
    play.state = (State.MENU if is_menu else State.LEFT) if is_sure else State.LEAVING


def end(play):
    """Leave at the end of the input: ask first if the game would be lost, but no answer is no reason to stay."""
    if play.is_player and (play.asks_again or play.is_safe() or not asked.refuses(play, LOSES)):
        play.state = State.LEFT
    elif not play.is_player:
        leave(play, None)


def may_leave(play):
    """Return True if the current game may be left. Raises Refused if a player who is asked wants to stay; a script is
    asked as at the end of a game."""
    if play.asks_again or play.is_safe():
        return True
    if play.is_player and not asked.confirm(play, LOSES):
        raise Refused("Cancelled.")
    return play.is_player


def resume_command(play):
    """Return the command line that continues the current game."""
    if not play.saved.file:
        return command("resume")
    return command(f"{play.game.rules.name} --save {printable(shlex.quote(play.saved.file))}")
