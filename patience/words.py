"""The words of every game, in one table: what each is for, and the function that answers it.

The functions take the Table at which the word was typed, and what followed it: a number, a word, or None.
"""

import re
from collections import namedtuple


from patience.advice import asked
from patience.game import files, piles
from patience.game.grammar import INVALID_INPUT, INVALID_MOVE, TRY_AGAIN, Refused, forms
from patience.game.text import command, tidy
from patience.game.typing import ASSIGNMENT, HEARER, LETTERS
from solvers.positions import copy_of

MOST_DIGITS = 9
MORE_HELP = "2"  # behind help, for who hears it
SHOWN_COMMANDS = 24  # of the history, if it is not asked for more


def show_help(table, word):
    """Show the commands of the game, and the words of every game; or what one of them is for."""
    rules = table.sitting.rules
    if word == MORE_HELP:
        table.console.say_more()
        return
    if word:
        table.say(forms(rules.COMMANDS)[word].help if word in forms(rules.COMMANDS) else help_of(word, table.typist))
        return
    glosses = [
        f"{form_of(name, table.typist):<12}{WORDS[name].gloss}"
        for name in words_of(table.typist)
        if not (name in ALWAYS_SEEN and table.typist.can_ask)
    ]
    glosses.append(f"{'9d 10s, d':<12}move, draw" if rules.DRAW_WORD else f"{'9d 10s':<12}by name")
    meanings = [help_of(name, table.typist) for name in words_of(table.typist)]
    table.console.say_help(rules.COMMANDS.rstrip("\n"), glosses, meanings)


def show_rules(table, _):
    """Show the game's docstring."""
    text, width = table.sitting.rules.text, table.console.width
    if width and width < max(map(len, text.splitlines()), default=0):
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    table.say(text)


def show_board(table, _):
    """Show the board again."""
    table.console.show_board(table.sitting, table.record)


def look(table, what):
    """Say in sentences what lies in the piles, or in those that are named."""
    rules, game = table.sitting.rules, table.sitting.game
    if not what:
        told = [*piles.all_sentences(rules, game), *filter(None, [tidy(rules.status(game))])]
    else:
        told = piles.look(rules, game, what)
    if not told:
        names = dict.fromkeys(name.partition(" ")[0] for name, _, _ in rules.piles(game))
        raise Refused(f"{INVALID_INPUT}look at: {', '.join(names)}.")
    table.say("\n".join(told))


def where(table, card):
    """Say where a card lies, and what lies on it."""
    told = piles.where(table.sitting.rules, table.sitting.game, card or "")
    if not told:
        raise Refused(f"{INVALID_INPUT}where 9d says where a card lies.")
    table.say(told)


def show_history(table, count):
    """Show the last commands, each with its number, which `undo to` takes."""
    sitting = table.sitting
    if not sitting.done:
        table.say("No command has been carried out yet.")
        return
    first = max(0, len(sitting.done) - (count or SHOWN_COMMANDS))
    shown = as_typed(table, sitting.told(first))
    if len(shown) < len(sitting.done):
        table.say(f"The last {len(shown)} of {len(sitting.done)} commands:")
    width = len(str(len(sitting.done)))
    table.console.say_list([f"{number:>{width}}  {line}" for number, line in enumerate(shown, start=first + 1)])


def show_deal(table, _):
    """Show the command line that deals this game again."""
    if table.sitting.number is None:
        table.say("This deal has no number of its own: restart deals it again.")
    else:
        table.say(command(table.sitting.how_to_deal()))


def show_stats(table, what):
    """Show the results of the games played at a terminal, as the command stats does."""
    from patience.records import daily, statistics

    try:
        if what:
            table.say(daily.daily(files.application_folder()))
        else:
            table.console.say_statistics(statistics.summary(files.application_folder()))
    except OSError as error:
        table.say(f"The results cannot be read: {error}")


def as_typed(table, lines):
    """Return lines of Sitting.told, but for a script in an assignment's words without what the commands do."""
    return [line.partition("  ")[0] for line in lines] if table.typist is ASSIGNMENT else lines


def undo(table, count):
    """Take back the last moves. count: how many, None for one. A negative count means `undo to N`: -21 takes back move
    21 and everything after it."""
    before = table.sitting.game
    if count and count < 0:
        count += len(table.sitting.done) + 1
        if count < 1:
            raise Refused(f"{INVALID_MOVE}The last command has number {len(table.sitting.done)}.")
    try:
        moves = table.sitting.undo(count or 1)
    except Refused as refusal:
        raise Refused(f"{refusal}{table.keeper.game_before}") from None
    show_replayed(table, "Undone", table.sitting.told_next(moves), before)
    table.keeper.note(table.sitting, table.record, asked.line_of("undo", count))


def redo(table, count):
    """Make the moves again that were taken back."""
    before = copy_of(table.sitting.game)
    moves = table.sitting.redo(count or 1)
    show_replayed(table, "Redone", table.sitting.told(len(table.sitting.done) - len(moves)), before)
    table.keeper.note(table.sitting, table.record, asked.line_of("redo", count))


def show_replayed(table, what, told, before):
    """Show moves that were undone or redone, and the board."""
    table.say(f"{what}: {as_typed(table, told)[0] if len(told) == 1 else f'{len(told)} commands'}")
    table.show_afresh(before)


def restart(table, _):
    """Deal the same game again."""
    count, before = len(table.sitting.done), table.sitting.game
    if count:
        table.sitting.undo(count)
        table.console.tell(f"redo {count} plays the commands again.")
    table.show_afresh(before)
    table.keeper.note(table.sitting, table.record, "restart")


def new(table, _):
    """Deal another game. At a terminal the one in hand is saved."""
    line = "y" if table.sitting.outcome() else "new"
    number = table.sitting.next_number()
    table.keeper.next_game(table.sitting, table.record)
    table.deal(number)
    table.begin()
    table.keeper.begin(table.sitting, table.record, line)


# argument: what may follow: a "count", for "undo" also a number to go to, a "word", a "text", "daily", or nothing, "".
# gloss: what the help says. meaning: what the help of this word alone says.
Word = namedtuple("Word", "argument function gloss meaning")

WORDS = {
    "help": Word("word", show_help, "the commands", "show the commands; help solve: what solve does"),
    "rules": Word("", show_rules, "the rules", "show the rules"),
    "board": Word("", show_board, "the board", "show the board again"),
    "look": Word("text", look, "at piles", "say what lies in all piles; look waste, look c5: in one of them"),
    "where": Word("text", where, "lies a card", "say where a card lies, and what lies on it: where 9d"),
    "hint": Word("", asked.show_hint, "a good move",
                 "show the best command, as far as you can know; asked again, the next best"),
    "moves": Word("", asked.show_moves, "every move", "show all legal commands"),
    "solve": Word("count", asked.show_solution, "winnable?",
                  "look under the cards: can it be won? solve 5: show five commands"),
    "undo": Word("undo", undo, "take back",
                 "take back the last command; undo 5: five; undo to 21: number 21 and all behind it"),
    "redo": Word("count", redo, "do it again", "carry out again what was undone; redo 5: five commands"),
    "restart": Word("", restart, "start again", "deal this game again"),
    "new": Word("", new, "another game", "deal another game"),
    "history": Word("count", show_history, "your moves",
                    "show the last commands and their numbers; history 99: the last 99"),
    "review": Word("count", asked.show_review, "your choices",
                   "show what your last 300 choices cost, by what could be known then; review 999: the last 999"),
    "deal": Word("", show_deal, "its number", "show the command line that deals this game again"),
    "stats": Word("daily", show_stats, "your results",
                  "show the results of your games; stats daily: the deals of the day"),
    "resume": Word("", lambda table, _: table.choose(), "other games",
                   "save this game, and choose another one in progress"),
    "quit": Word("", lambda table, _: table.leave(), "end the game", "end the game"),
}  # fmt: skip
COUNTED = re.compile("([a-z]+)([0-9]+)")  # a word and its number: undo5
COUNTS = ("count", "undo")
WITH_COUNT = [name for name, word in WORDS.items() if word.argument in COUNTS]
FOR_A_PLAYER = ("stats", "resume")  # where nobody sits at a terminal there are none
ALWAYS_SEEN = ("board", "deal", "look", "where")  # by a player
LINE_WIDTH = 80


def words_of(typist):
    """Return the names of the words that somebody can type."""
    return [name for name in WORDS if typist.is_player or name not in FOR_A_PLAYER]


def form_of(name, typist):
    """Return a word as the help has it: `undo [n], u`."""
    letters = [letter for letter, word in LETTERS.items() if word == name and letter in typist.spellings]
    return ", ".join([name + (" [n]" if name in WITH_COUNT else ""), *letters])


def help_of(name, typist):
    """Return what the help of a word alone says."""
    return f"{form_of(name, typist):<12}{WORDS[name].meaning}"


def read(line, rules, typist, asks_again=False):
    """Return the word that a line means and its argument: "undo 5" is ("undo", 5), "undo" is ("undo", None). Any
    other line is (None, None). asks_again: the line answers whether to play again.

    Raises Refused for a word with an argument that it does not take.
    """
    typed, *others = words_in(line, typist)
    name = word_meant(typed, typist, asks_again)
    if name not in words_of(typist):
        return None, None
    argument = argument_of(WORDS[name].argument, others, rules, typist) if others else None
    if not others or argument is not None or name == "help" and typist.can_ask:
        return name, argument
    if typist is ASSIGNMENT:
        return None, None
    raise Refused(INVALID_INPUT + (TRY_AGAIN if asks_again else help_of(name, typist)))


def words_in(line, typist):
    """Return the words of a line, in small letters; undo5 is two of them."""
    typed, *others = line.lower().split() or [""]
    counted = COUNTED.fullmatch(typed)
    if typist is ASSIGNMENT or others or not counted or word_meant(counted[1], typist, False) not in WITH_COUNT:
        return [typed, *others]
    return list(counted.groups())


def word_meant(typed, typist, asks_again):
    """Return the word of every game for which something was typed, or what was typed."""
    if asks_again and (typed in typist.answers or not typist.is_player):
        return typist.answers.get(typed)
    if not typed and typist.is_player:
        return "board"
    return typist.spellings.get(typed, typed)


def argument_of(kind, words, rules, typist):
    """Return a word's argument, a number from 1 up or the name of a word or command, or None if it takes none."""
    text, *others = words
    if kind == "text":
        return " ".join(words)
    if kind == "undo" and text == "to" and len(others) == 1:
        return -(argument_of("count", others, rules, typist) or 0) or None
    if kind == "undo" and text == "all" and not others:
        return 10**MOST_DIGITS - 1
    if not others and kind in COUNTS and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text) or None
    if not others and kind == "daily":
        return text if text == kind else None
    if not others and kind == "word":
        if text == MORE_HELP and typist.prompt == HEARER.prompt:
            return text
        names = typist.spellings.get(text, text), text.upper()
        return next((one for one in [*WORDS, *forms(rules.COMMANDS)] if one in names), None)
    return None
