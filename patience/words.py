"""The words of every game, in one table: what each is for, and the function that answers it.

The functions take the Play, and the argument typed after the word: a number, a word, or None.
"""

import enum
import shlex
from collections import namedtuple
from itertools import groupby

import click

from patience import effects, lines
from patience.analysis import asked
from patience.lines import INVALID_INPUT, INVALID_MOVE, TRY_AGAIN, Refused, forms
from patience.text import command, printable, tidy
from solvers.positions import copy_of

MAX_DIGITS = 9
MAX_SHOWN = 24  # commands of the history, unless more are asked for
HELP_WIDTH = 80


class State(enum.Enum):
    """What the player is asked: PLAYING for a command, OVER and LEAVING whether to play again, the others nothing."""

    PLAYING = 0
    OVER = 1  # the game is won or lost
    LEAVING = 2  # the player wants to leave a game that would be lost
    LEFT = 3
    MENU = 4  # left for the list


def show_help(play, word):
    """Show the commands of the game, and the words of every game; or what one of them is for."""
    rules, console = play.game.rules, play.console
    if word and not word.isdecimal():
        known = forms(rules.COMMANDS)
        console.say(known[word].help if word in known else help_of(play, word))
        return
    formatter = click.HelpFormatter(width=console.width or HELP_WIDTH)
    hidden = ALWAYS_SEEN if play.is_player and not console.is_spoken else ()
    groups = [[name] for name in WORDS] if console.is_spoken else HELP_GROUPS
    groups = [[name for name in group if name in names_of(play) and name not in hidden] for group in groups]
    rows = [
        (", ".join(form_of(play, name) for name in group), ", ".join(WORDS[name].gloss for name in group))
        for group in filter(None, groups)
    ]
    example = play.example() if play.is_player else "9d 10s"
    rows.append((f"{example}, d", "move, draw") if rules.DRAW_WORD else (example, "by name"))
    formatter.write_dl(rows, col_max=HELP_WIDTH // 2)
    text = rules.COMMANDS + formatter.getvalue().rstrip("\n")
    if not console.is_spoken:
        console.say(text)
        return
    page, help_lines = int(word or 1), text.splitlines()
    shown = help_lines[(page - 1) * console.page : page * console.page]
    console.say("\n".join(shown) or "That was all.")
    if help_lines[page * console.page :]:
        console.say(f"help {page + 1} continues.")


def show_rules(play, _):
    """Show the game's docstring; by ear without the paragraph about how the board looks."""
    text, width, is_spoken = play.game.rules.text, play.console.width, play.console.is_spoken
    if is_spoken or width and width < max(map(len, text.splitlines()), default=0):
        paragraphs = [paragraph for paragraph in text.split("\n\n") if not is_spoken or "The board: " not in paragraph]
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    play.console.say(text.replace("XX", play.console.closed))


def show_board(play, _):
    """Show the board again, or say what lies in all piles."""
    if play.console.is_spoken:
        look(play, None)
    else:
        play.console.show(play.game, play.notes.effect)


def look(play, pile_name):
    """Describe all piles in sentences, or only those named."""
    rules, position = play.game.rules, play.game.position
    if not pile_name:
        sentences = [*effects.all_sentences(rules, position), *filter(None, [tidy(rules.status(position))])]
    else:
        sentences = effects.look(rules, position, pile_name)
    if not sentences:
        names = dict.fromkeys(name.rstrip(" 0123456789") for name, _, _ in rules.piles(position))
        raise Refused(f"{INVALID_INPUT}look at: {', '.join(names)}.")
    play.console.say("\n".join(sentences))


def where(play, card):
    """Say where a card lies, and what lies on it."""
    sentence = effects.where(play.game.rules, play.game.position, card or "")
    if not sentence:
        raise Refused(f"{INVALID_INPUT}where 9d says where a card lies.")
    play.console.say(sentence)


def show_tops(play, _):
    """Say what can be played from and onto."""
    play.console.say("\n".join(effects.tops(play.game.rules, play.game.position)))


def show_status(play, _):
    """Say what the board leaves out: the deal, the moves made, the playing time, how far the game is."""
    number, *facts = play.facts()
    play.console.say(", ".join([f"Deal {number}" if number.isdecimal() else number, *facts]) + ".")


def repeat(play, _):
    """Say the last answer again."""
    play.console.repeat()


def show_history(play, count):
    """Show the last commands, each with the number to type after `undo to`."""
    made = len(play.game.moves)
    if not made:
        play.console.say("No command has been carried out yet.")
        return
    first = max(0, made - (count or MAX_SHOWN))
    entries = [*enumerate(play.game.lines(first, play.form), start=first + 1)]
    if len(entries) < made:
        play.console.say(f"The last {len(entries)} of {made} commands:")
    width = len(str(made))
    entries = join_draws(play.game, entries) if play.is_player else entries
    play.console.say([f"{number:>{width}}  {text}" for number, text in entries])


def join_draws(game, entries):
    """Return entries of the history, (number, text), with one for several draws in a row: `drew 9: A♥ on the waste`."""
    first, joined = entries[0][0], []
    positions = game.positions(first - 1)
    for is_draw, group in groupby(entries, lambda entry: game.moves[entry[0] - 1][0] == game.rules.DRAW_WORD):
        group = list(group)
        number, last = group[0][0], group[-1][0]
        is_single = all(len(move) == 1 for move in game.moves[number - 1 : last])  # and not `draw until a card fits`
        waste = getattr(positions[last - first + 1], "waste", [])
        if not is_draw or not waste or is_single and len(group) == 1:
            joined += group
        else:
            count = f" {len(group)}" if is_single else ""
            joined.append((number, f"drew{count}: {str(waste[-1]).strip()} on the waste"))
    return joined


def show_deal(play, _):
    """Show the command line that deals this game again; tell a player how hard it is."""
    deal = play.game.deal
    if deal.number is None:
        play.console.say("This deal has no number of its own: restart deals it again.")
    else:
        play.console.say(command(printable(deal.command())))
    if play.is_player:
        asked.show_difficulty(play)


def show_stats(play, argument):
    """Show the results of the games played at a terminal, as the command stats does."""
    from patience.records import daily, statistics

    try:
        if argument:
            play.console.say(daily.calendar(play.console.is_spoken))
        elif play.console.is_spoken:
            rows = statistics.sentences(statistics.summary())
            play.console.say("\n".join(rows) or "No game has been finished yet.")
        else:
            play.console.say(statistics.table(statistics.summary(), play.console.width))
    except OSError as error:
        play.console.say(f"The results cannot be read: {error}")


def undo(play, count):
    """Take back the last moves. count: how many, None for one, or for all of the command that a player has just typed.
    A negative count means `undo to N`: -21 takes back move 21 and everything after it."""
    game, before = play.game, play.game.position
    last = play.notes.last[1] if play.is_player and play.notes.last else 1
    if count and count < 0 and game.moves:
        count += len(game.moves) + 1
        if count < 1:
            raise Refused(f"{INVALID_MOVE}The last command has number {len(game.moves)}.")
    moves = game.undo(abs(count or last))
    save_and_show(play, "Undone", game.after(moves).lines(len(game.moves), play.form), before)


def redo(play, count):
    """Redo moves that were taken back."""
    game = play.game
    before = copy_of(game.position)
    moves = game.redo(count or 1)
    save_and_show(play, "Redone", game.lines(len(game.moves) - len(moves), play.form), before)


def save_and_show(play, heading, shown, before):
    """Save the game after an undo or redo; show the commands, under a heading, and the board. before: the position
    before that."""
    play.state = State.PLAYING
    play.notes.last = play.notes.effect = None
    play.save()
    play.console.say(f"{heading}: {shown[0] if len(shown) == 1 else f'{len(shown)} commands'}")
    play.show(effects.effect(play.game.rules, before, play.game.position) if play.is_player else None)
    play.finish_if_over()


def restart(play, _):
    """Deal the same game again."""
    count = len(play.game.moves)
    if count:
        play.game.undo(count)
    play.tell(f"Dealt again. redo {count} plays the commands again." if count else "Dealt again.")
    play.state = State.PLAYING
    play.notes.last = play.notes.effect = None
    play.save()
    play.show()


def new(play, _):
    """Deal another game. A player's current game is saved first; if it cannot be, ask whether to lose it."""
    if play.is_player and not play.asks_again and not play.is_safe():
        play.state = State.LEAVING
    else:
        play.next_game()


def leave(play, _, is_menu=False):
    """Leave, but ask first if the current game would be lost."""
    state = State.MENU if is_menu else State.LEFT
    play.state = state if play.asks_again or play.is_safe() else State.LEAVING


def resume_command(play):
    """Return the command line that continues the current game."""
    if not play.saved.file:
        return command("resume")
    return command(f"{play.game.rules.name} --save {printable(shlex.quote(play.saved.file))}")


# argument: what may follow the word: a "count"; "undo": a count, or "to" and a number; a "word", a "text", "daily", or
# "" for nothing. gloss: its text in the help. meaning: its text in the help for this word alone.
Word = namedtuple("Word", "argument function gloss meaning")

WORDS = {
    "help": Word("word", show_help, "the commands", "show the commands; help solve: what solve does"),
    "rules": Word("", show_rules, "the rules", "show the rules"),
    "board": Word("", show_board, "the board", "show the board again"),
    "look": Word("text", look, "the piles", "say what lies in all piles; look waste, look c5: in one of them"),
    "where": Word("text", where, "a card", "say where a card lies, and what lies on it: where 9d"),
    "tops": Word("", show_tops, "what can be played", "say what can be played from and onto"),
    "status": Word("", show_status, "how it stands", "say the deal, the moves made, the time, how far the game is"),
    "again": Word("", repeat, "the last answer", "say the last answer again"),
    "hint": Word("", asked.show_hint, "a good move",
                 "show the best command, as far as you can know; asked again, the next best"),
    "moves": Word("", asked.show_moves, "every move", "show all legal commands"),
    "solve": Word("count", asked.show_solution, "winnable?",
                  "look under the cards: can it be won? solve 5: show five commands"),
    "undo": Word("undo", undo, "take back",
                 "take back the last command; undo 5: five; undo to 21: number 21 and all after it"),
    "redo": Word("count", redo, "do it again", "carry out again what was undone; redo 5: five commands"),
    "restart": Word("", restart, "start again", "deal this game again"),
    "new": Word("", new, "another game", "deal another game"),
    "history": Word("count", show_history, "your moves",
                    "show the last commands and their numbers; history 99: the last 99"),
    "review": Word("count", asked.show_review, "your choices",
                   "show what your last 300 choices cost, going by what you knew then; review 999: the last 999"),
    "deal": Word("", show_deal, "this deal", "show the command line that deals this game again, and how hard it is"),
    "stats": Word("daily", show_stats, "your results",
                  "show the results of your games; stats daily: the deals of the day"),
    "resume": Word("", lambda play, _: leave(play, _, True), "the list",
                   "save this game, and choose another one from the list"),
    "quit": Word("", leave, "leave", "end the game"),
}  # fmt: skip
LETTERS = {"h": "help", "u": "undo", "r": "restart", "n": "new", "q": "quit"}
SPELLINGS = {**LETTERS, "?": "help", "exit": "quit", "menu": "resume", "blanks": "tops", "time": "status"}
PHRASES = {"what can i do": "moves", "what can i play": "moves"}
ANSWERS = {"y": "new", "n": "quit", "undo": "undo"}  # to "play again?", in an assignment's script,
MORE_ANSWERS = {**ANSWERS, "yes": "new", "no": "quit", "u": "undo"}  # in any other script,
PLAYERS_ANSWERS = {**MORE_ANSWERS, "n": "new", "": "new"}  # and from a player
COUNTS = ("count", "undo")
ALWAYS_SEEN = ("help", "board", "look", "where", "tops", "status", "deal")  # at a terminal
HELP_GROUPS = (
    ("help", "board", "look", "where", "tops", "status", "deal"),
    ("hint", "moves", "solve"),
    ("undo", "redo", "restart"),
    ("rules", "history", "review"),
    ("new", "resume", "stats", "quit"),
)
FOR_A_PLAYER = ("stats", "resume", "tops", "status")  # not in scripts


def names_of(play):
    """Return the names of the words that can be typed."""
    unknown = () if play.console.is_spoken else ("again",) if play.is_player else ("again", *FOR_A_PLAYER)
    return [name for name in WORDS if name not in unknown]


def form_of(play, name):
    """Return a word as the help shows it: `undo [n], u`."""
    known = {"q": "quit"} if play.is_assignment else LETTERS
    letters = [letter for letter, word in known.items() if word == name]
    return ", ".join([name + (" [n]" if WORDS[name].argument in COUNTS else ""), *letters])


def help_of(play, name):
    """Return the help text for a single word."""
    return f"{form_of(play, name):<12}{WORDS[name].meaning}"


def parse(play, line):
    """Return the word that a command begins with, and its argument: ("undo", 5) for "undo 5", ("undo", None) for
    "undo", (None, None) for any other command. Raises Refused if the word does not take this argument."""
    if play.is_player:
        line = PHRASES.get(line.lower().rstrip(" ?"), line)
    typed, *rest = (line.lower().split() if play.is_assignment else lines.tokens_of(line)) or [""]
    name = resolve_word(play, typed)
    if name not in names_of(play):
        return None, None
    argument = parse_argument(play, WORDS[name].argument, rest) if rest else None
    if not rest or argument is not None:
        return name, argument
    if play.is_assignment:
        return None, None
    raise Refused(INVALID_INPUT + (TRY_AGAIN if play.asks_again else help_of(play, name)))


def resolve_word(play, typed):
    """Return the word of WORDS that the typed text stands for, or the text itself."""
    answers = ANSWERS if play.is_assignment else PLAYERS_ANSWERS if play.is_player else MORE_ANSWERS
    if play.asks_again and (typed in answers or not play.is_player):
        return answers.get(typed)
    if not typed and play.is_player:
        return "board"
    spellings = {"q": "quit"} if play.is_assignment else SPELLINGS
    return spellings.get(typed, typed)


def parse_argument(play, kind, tokens):
    """Return the argument, parsed as this kind, or None if it does not fit. kind: as in Word.argument."""
    text, *more = tokens
    if kind == "text":
        return " ".join(tokens)
    if kind == "undo" and text == "to" and len(more) == 1:
        return -(parse_argument(play, "count", more) or 0) or None
    if kind == "undo" and text == "all" and not more:
        return 10**MAX_DIGITS - 1
    if not more and kind in COUNTS and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        return int(text) or None
    if not more and kind == "daily":
        return text if text == kind else None
    if not more and kind == "word":
        if text.isdecimal() and len(text) <= MAX_DIGITS and play.console.is_spoken:
            return text if int(text) else None
        names = SPELLINGS.get(text, text), text.upper()
        return next((name for name in [*WORDS, *forms(play.game.rules.COMMANDS)] if name in names), None)
    return None
