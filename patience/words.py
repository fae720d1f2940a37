"""The words of every game, in one table: what each is for, and the function that answers it.

The functions take the Table at which the word was typed, and what followed it: a number, a word, or None.
"""

import difflib
import re
from collections import namedtuple

import click

from patience.game import files
from patience.game.rules import all_games
from patience.records import saves
from patience.game.lines import INVALID_INPUT, INVALID_MOVE, TRY_AGAIN, Refused, card_name, card_of, check, forms

MOST_DIGITS = 9
HELP_COLUMNS = 3
HELP_GAP = 2  # blanks between them
SHOWN_COMMANDS = 24  # of the history, if it is not asked for more
ALIKE = 0.7  # how much a line must be like a word to be taken for a slip


def show_help(table, word):
    """Show the commands of the game, and the words of every game; or what one of them is for."""
    rules = table.sitting.rules
    if word:
        table.say(forms(rules.COMMANDS)[word].help if word in forms(rules.COMMANDS) else help_of(word, rules))
        return
    table.say(rules.COMMANDS.rstrip("\n"))
    told = [
        f"{form_of(name, rules):<12}{WORDS[name].gloss}"
        for name in words_at(table)
        if not (name == "board" and table.console.at_keyboard)
    ]  # which a player sees all the time
    told.append(f"{'9d 10s':<12}by name")
    each = max(map(len, told)) + HELP_GAP
    columns = min(HELP_COLUMNS, max(1, (table.console.width or LINE_WIDTH) // each))
    for start in range(0, len(told), columns):
        table.say("".join(f"{text:<{each}}" for text in told[start : start + columns]).rstrip())


def show_rules(table, _):
    """Show the game's docstring."""
    text, width = table.sitting.rules.text, table.console.width
    if width and width < max(map(len, text.splitlines()), default=0):
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    table.say(text)


def show_board(table, _):
    """Show the board again."""
    table.show()


def must_go_on(table):
    """Raise Refused if the game in hand is over."""
    if table.sitting.outcome():
        raise Refused(f"{INVALID_MOVE}The game is over.")


def show_hint(table, _):
    """Show the best move, as far as the player can know, and what it is worth; the next time the next one."""
    must_go_on(table)
    table.record.hints += 1
    think(table, lambda guide: guide.next_hint())
    table.console.point_at(table.sitting, table.guide.hinted)


def show_moves(table, _):
    """Show all legal moves, the best first, and what they are worth."""
    must_go_on(table)
    think(table, lambda guide: guide.all_moves())


def think(table, work):
    """Show what work(guide) returns; a player who presses Ctrl-C gets a quick hint instead."""
    from patience.advice import hints

    if not table.guide or table.guide.deal is not table.sitting.chance:
        table.guide = hints.Guide(table.sitting)
    table.console.think("Thinking ...", lambda: work(table.guide), lambda: hints.quick_hint(table.sitting))


def show_history(table, count):
    """Show the last commands, each with the number that undo takes to take it back."""
    sitting = table.sitting
    if not sitting.done:
        table.say("No command has been carried out yet.")
        return
    first = max(0, len(sitting.done) - (count or SHOWN_COMMANDS))
    shown = sitting.told(first, sitting.done[first:], table.console.has_player)
    if len(shown) < len(sitting.done):
        table.say(f"The last {len(shown)} of {len(sitting.done)} commands:")
    width = len(str(len(shown)))
    table.console.say_list([f"{len(shown) - place:>{width}}  {line}" for place, line in enumerate(shown)])


def show_review(table, count):
    """Show what each choice cost, by what could be known then."""
    if not table.sitting.done:
        raise Refused(f"{INVALID_MOVE}No command has been carried out yet.")
    from patience.advice import review

    game = review.Review(table.sitting, table.console.stderr, count)
    if table.console.stderr:  # before the progress bar, not in the middle of it
        click.echo(game.notice(), file=table.console.stderr)
    table.console.think("", game.lines, game.so_far)


def show_deal(table, _):
    """Show the command line that deals this game again."""
    if table.sitting.number is None:
        table.say("This deal has no number of its own: restart deals it again.")
    else:
        table.say(f"python main.py {table.sitting.how_to_deal()}")


def show_stats(table, _):
    """Show the results of the games played at a terminal, as the command stats does."""
    from patience.records import results

    games, width = all_games(), table.console.width or LINE_WIDTH
    try:
        table.say(results.table(files.application_folder(), games, saves.in_progress(games), width))
    except OSError as error:
        table.say(f"The results cannot be read: {error}")


def show_solution(table, count):
    """Say whether the game can still be won, and how it continues."""
    from patience.advice import solve

    if table.console.at_keyboard and not table.record.solved:
        answer = table.console.ask("It will count as solved, not as won. Look under the cards (y/n)? ")
        if (answer or "").strip().lower() not in ("y", "yes"):
            raise Refused("The cards stay as they are.")
    table.record.solved = True
    table.console.think(
        solve.LOOKING,
        lambda: solve.what_can_be_done(table.sitting, count, table.seconds, table.console.has_player),
        lambda: "The search was stopped.",
    )


def undo(table, count):
    """Take back the last moves."""
    try:
        moves = table.sitting.undo(count or 1)
    except Refused as refusal:
        raise Refused(f"{refusal}{table.keeper.game_before}") from None
    show_replayed(table, "Undone", moves)


def redo(table, count):
    """Make the moves again that were taken back."""
    show_replayed(table, "Redone", table.sitting.redo(count or 1))


def show_replayed(table, what, moves):
    """Show moves that were undone or redone, and the board."""
    sitting = table.sitting
    first = len(sitting.done) - (len(moves) if what == "Redone" else 0)
    told = sitting.told(first, moves[:1], table.console.has_player)[0] if len(moves) == 1 else f"{len(moves)} commands"
    table.say(f"{what}: {told}")
    table.show_afresh()


def restart(table, _):
    """Deal the same game again."""
    count = len(table.sitting.done)
    table.sitting.restart()
    if count:
        table.console.tell(f"redo {count} plays the commands again.")
    table.show_afresh()


def new(table, _):
    """Deal another game. At a terminal the one in hand is saved."""
    number = table.sitting.next_number()
    table.keeper.next_game(table.sitting, table.record)
    table.deal(number)
    table.begin()


def leave(table, _):
    """End the sitting; ask first if a game in hand would be lost."""
    table.ended = table.asks_again or table.keeper.is_safe(table.sitting)
    table.asks_again = True


# letter: stands for the word. argument: what may follow: a "count", a "word", or nothing, "". note: the keeper's method
# that saves the line, or "". gloss: what the help says. meaning: what the help of this word alone says.
Word = namedtuple("Word", "letter argument note function gloss meaning")

WORDS = {
    "help": Word("h", "word", "", show_help, "the commands", "show the commands; help solve: what solve does"),
    "rules": Word("", "", "", show_rules, "the rules", "show the rules"),
    "board": Word("", "", "", show_board, "the board", "show the board again"),
    "hint": Word("", "", "note_help", show_hint, "a good move",
                 "show the best command, as far as you can know; asked again, the next best"),
    "moves": Word("", "", "", show_moves, "every move", "show all legal commands, the best first"),
    "solve": Word("", "count", "note_help", show_solution, "winnable?",
                  "look under the cards: can it be won? solve 5: show five commands"),
    "undo": Word("u", "count", "note", undo, "take back", "take back the last command; undo 5: the last five"),
    "redo": Word("", "count", "note", redo, "do it again", "carry out again what was undone; redo 5: five commands"),
    "restart": Word("r", "", "note", restart, "start again", "deal this game again"),
    "new": Word("n", "", "begin", new, "another game", "deal another game"),
    "history": Word("", "count", "", show_history, "your moves",
                    "show the last commands, numbered as undo counts; history 99: the last 99"),
    "review": Word("", "count", "", show_review, "your choices",
                   "show what your last 300 choices cost, by what could be known then; review 999: the last 999"),
    "deal": Word("", "", "", show_deal, "its number", "show the command line that deals this game again"),
    "stats": Word("", "", "", show_stats, "your results", "show the results of your games"),
    "quit": Word("q", "", "", leave, "end the game", "end the game"),
}  # fmt: skip
LETTERS = {word.letter: name for name, word in WORDS.items() if word.letter}
ALSO = {"?": "help", "exit": "quit"}
ANSWERS = {"y": "new", "n": "quit", "undo": "undo"}  # to whether to play again
MORE_ANSWERS = {**ANSWERS, "yes": "new", "no": "quit", "u": "undo"}  # in games that do not read their lines themselves
ANSWERS_OF_A_PLAYER = {**MORE_ANSWERS, "n": "new", "": "new"}
COUNTED = re.compile("([a-z]+)([0-9]+)")  # a word and its number: undo5
WITH_COUNT = [name for name, word in WORDS.items() if word.argument == "count"]
FOR_A_PLAYER = ("stats",)  # where nobody sits at a terminal there are none
LINE_WIDTH = 80


def words_at(table):
    """Return the names of the words that can be typed at a table."""
    left_out = () if table.console.has_player else FOR_A_PLAYER
    return [name for name in WORDS if name not in left_out]


def form_of(name, rules):
    """Return a word as the help has it: `undo [n], u`."""
    word = WORDS[name]
    letter = f", {word.letter}" if word.letter and (name == "quit" or not rules.reads_itself) else ""
    return name + (" [n]" if word.argument == "count" else "") + letter


def help_of(name, rules):
    """Return what the help of a word alone says."""
    return f"{form_of(name, rules):<12}{WORDS[name].meaning}"


def read(line, rules, asks_again, at_terminal=False, at_keyboard=False):
    """Return the word that a line means and its argument: "undo 5" is ("undo", 5), "undo" is ("undo", None). Any
    other line is (None, None). asks_again: the line answers whether to play again; at a terminal every word can.
    at_keyboard: a player answers, for whom n is new and the empty line the usual answer.

    Raises Refused for a word with an argument that it does not take.
    """
    typed, *others = line.lower().split() or [""]
    plain = at_terminal or not rules.reads_itself  # as people type, and not as an assignment says
    counted = COUNTED.fullmatch(typed)
    if plain and counted and not others and LETTERS.get(counted[1], counted[1]) in WITH_COUNT:
        typed, *others = counted.groups()
    name = LETTERS.get(typed, typed) if typed == "q" or not rules.reads_itself else typed
    if plain:
        name = ALSO.get(typed, name)
    answers = ANSWERS_OF_A_PLAYER if at_keyboard else MORE_ANSWERS if plain else ANSWERS
    if asks_again and (typed in answers or not at_terminal):
        name = answers.get(typed)
    elif not typed and at_terminal:
        name = "board"
    if name not in WORDS or name in FOR_A_PLAYER and not at_terminal:
        return None, None
    if not others:
        return name, None
    argument = argument_of(WORDS[name].argument, others, rules)
    if argument is not None:
        return name, argument
    if rules.reads_itself:
        return None, None
    raise Refused(INVALID_INPUT + (TRY_AGAIN if asks_again else help_of(name, rules)))


def argument_of(kind, words, rules):
    """Return a word's argument, a number from 1 up or the name of a word or command, or None if it takes none."""
    text = words[0]
    if len(words) > 1:
        return None
    if kind == "count" and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text) or None
    if kind == "word":
        name = text if rules.reads_itself else LETTERS.get(text, text)
        return next((one for one in [*WORDS, *forms(rules.COMMANDS)] if one in (name, text.upper())), None)
    return None


def meant(line, sitting):
    """Return "Did you mean ...?" for a misspelt word or command, if that is accepted as it stands; the form of the
    command if it is not; or ""."""
    typed, *others = line.lower().split() or [""]
    commands = {word.lower(): form for word, form in forms(sitting.rules.COMMANDS).items() if word}
    for alike in difflib.get_close_matches(typed, {**WORDS, **commands}, 1, ALIKE):
        better = " ".join([commands[alike].word if alike in commands else alike, *others])
        try:
            if alike in commands:
                check(sitting.rules, sitting.game, sitting.move_of(better))
            else:
                read(better, sitting.rules, False, True)
            return f"Did you mean {better}?"
        except Refused:
            return commands[alike].help if alike in commands else help_of(alike, sitting.rules)
    return ""


def all_lines(table):
    """Return what can be typed now: the words, and the legal moves."""
    legal = [] if table.asks_again else table.sitting.legal_moves()
    rules, game = table.sitting.rules, table.sitting.game
    named = [card_of(rules.describe(game, *move).split()[0]) for move in legal]
    names = [card_name(pair).lower() for pair in dict.fromkeys(named) if pair]
    return [*words_at(table), *names, *(rules.write(*move) for move in legal)]
