"""The words of every game, in one table: what each is for, and the function that answers it.

The functions take the Table at which the word was typed, and the number that followed it, or None.
"""

from collections import namedtuple

import click

from patience.lines import INVALID_INPUT, TRY_AGAIN, Refused, tidy, write

MOST_DIGITS = 9


def show_help(table, _):
    """Show the commands of the game, and the words of every game."""
    rules = table.sitting.rules
    table.say(rules.COMMANDS.rstrip("\n"))
    for word in WORDS:
        table.say(help_of(word, rules))
    if not reads_itself(rules):
        table.say(f"{'9d 10s':<12}play a card by its name, or two by theirs: one onto the other")


def show_rules(table, _):
    """Show the game's docstring."""
    table.say(table.sitting.rules.__doc__.strip("\n"))


def show_hint(table, _):
    """Show the most useful legal move; the next time the next one."""
    show_these(table, [move for move in [table.sitting.hint()] if move])


def show_moves(table, _):
    """Show all legal moves."""
    show_these(table, table.sitting.legal_moves())


def show_these(table, moves):
    """Show moves as commands, and what they do; or that there are none."""
    rules, game = table.sitting.rules, table.sitting.game
    for move in moves:
        table.say(f"{write(rules, move)}: {tidy(rules.describe(game, *move))}")
    if not moves:
        table.say(rules.STUCK)


def show_deal(table, _):
    """Show the command line that deals this game again."""
    if table.sitting.number is None:
        table.say("This deal has no number of its own: restart deals it again.")
    else:
        table.say(f"python main.py {table.sitting.how_to_deal()}")


def solve(table, count):
    """Say whether the game can still be won, and how it goes on. At a terminal Ctrl-C ends the search."""
    import patience.answers

    table.console.flush()
    if table.console.edits:
        click.echo(patience.answers.LOOKING, err=True)
    try:
        table.say(patience.answers.what_can_be_done(table.sitting, count, table.seconds))
    except KeyboardInterrupt:
        if not table.console.edits:
            raise
        table.say("The search was stopped.")


def undo(table, count):
    """Take back the last moves."""
    show_replayed(table, "Undone", table.sitting.undo(count or 1))


def redo(table, count):
    """Make again what was taken back."""
    show_replayed(table, "Redone", table.sitting.redo(count or 1))


def show_replayed(table, what, moves):
    """Show moves that were undone or redone, and the board."""
    told = write(table.sitting.rules, moves[0]) if len(moves) == 1 else f"{len(moves)} commands"
    table.say(f"{what}: {told}")
    table.asks_again = False
    table.show_board()


def restart(table, _):
    """Deal the same game again."""
    table.sitting.restart()
    table.show_board()


def new(table, _):
    """Deal another game."""
    table.count()
    table.sitting.deal()
    table.begin()


def leave(table, _):
    """Ask whether to play again; there, end the sitting."""
    table.ended = table.asks_again
    table.asks_again = True


# letter: stands for the word. counted: a number may follow. kept: the journal gets the line.
Word = namedtuple("Word", "letter counted kept function meaning")

WORDS = {
    "help": Word("h", False, False, show_help, "show the commands"),
    "rules": Word("", False, False, show_rules, "show the rules"),
    "hint": Word("", False, False, show_hint, "show a useful command; again: the next one"),
    "moves": Word("", False, False, show_moves, "show all legal commands"),
    "solve": Word("", True, False, solve,
                  "look under the cards: can it be won? solve 5: five commands"),
    "undo": Word("u", True, True, undo, "take back the last command; undo 5: the last five"),
    "redo": Word("", True, True, redo,
                 "carry out again what was taken back; redo 5: five commands"),
    "restart": Word("r", False, True, restart, "deal this game again"),
    "new": Word("n", False, True, new, "deal another game"),
    "deal": Word("", False, False, show_deal, "show the command line that deals this game again"),
    "quit": Word("q", False, False, leave, "end the game"),
}
LETTERS = {word.letter: name for name, word in WORDS.items() if word.letter}
ANSWERS = {"y": "new", "n": "quit", "undo": "undo", "u": "undo"}  # to whether to play again


def reads_itself(rules):
    """Return True for a game that reads its lines itself, and leaves no letters for words but q."""
    return hasattr(rules, "read")


def help_of(name, rules):
    """Return the line of the help for a word."""
    letter = WORDS[name].letter if name == "quit" or not reads_itself(rules) else ""
    return f"{f'{name}, {letter}' if letter else name:<12}{WORDS[name].meaning}"


def read(line, rules, asks_again):
    """Return the word and the number that a line means: "undo 5" is ("undo", 5). The number is None if
    there is none; for other lines both are. asks_again: the line answers whether to play again.

    Raises Refused for a word with a number that it does not take.
    """
    typed, *numbers = line.lower().split() or [""]
    name = typed
    if typed == "q" or not reads_itself(rules):
        name = LETTERS.get(typed, typed)
    if asks_again:
        name = ANSWERS.get(typed) if typed != "u" or name == "undo" else None
    if name not in WORDS:
        return None, None
    if not numbers:
        return name, None
    if WORDS[name].counted and len(numbers) == 1 and is_count(numbers[0]):
        return name, int(numbers[0])
    if reads_itself(rules):
        return None, None
    raise Refused(INVALID_INPUT + (TRY_AGAIN if asks_again else help_of(name, rules)))


def is_count(text):
    """Return True for a number from 1 up."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0
