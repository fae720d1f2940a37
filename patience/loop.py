"""The one road of a typed line: question, take, answer, whoever typed it: a player, a script or a journal.

What is asked, the game's prompt or whether to play again, is a state of the Table.
"""

import click

from patience import words
from patience.lines import INVALID_INPUT, TRY_AGAIN, Refused, check, tidy

PLAY_AGAIN = "Do you want to play again (y/n)?"
PLAY_AGAIN_OR_UNDO = "Do you want to play again (y/n/undo)?"  # in games that do not read their lines
LINE_WIDTH = 80


class Table:
    """What a player sits at: a sitting and a console, and what is kept of it."""

    def __init__(self, sitting, console, journal=None, results=None, seconds=10):
        """journal: a Journal, or None. results: a results.Counter, or None where games do not count.
        seconds: how long a solver may take."""
        self.sitting = sitting
        self.console = console
        self.journal = journal
        self.results = results
        self.seconds = seconds
        self.asks_again = False  # whether to play again; else the game's prompt is shown
        self.ended = False

    def say(self, text):
        """Show a line, or some, to the player."""
        self.console.say(f"{text}\n")

    def show_board(self):
        """Show the board of the game in hand."""
        self.console.show_board(self.sitting)

    def count(self):
        """Count the game in hand in the results, if it counts."""
        if self.results:
            self.results.count(self.sitting)

    def keep(self):
        """See to it that every line accepted is on the disk; say so if that fails."""
        if self.journal:
            self.journal.sync()
            if self.journal.error:
                click.echo(f"This game is not kept any more: {self.journal.error}", err=True)
                self.journal = None

    def begin(self):
        """Show the game in hand from its title on, and begin to take its time."""
        sitting = self.sitting
        if self.results:
            self.results.begin(sitting)
        self.say(sitting.rules.TITLE)
        if self.console.shows and sitting.number is not None:
            if sitting.left_aside:
                self.say(f"Deals left aside that could not be won: {sitting.left_aside}.")
            self.say(f"Deal {sitting.number}: {sitting.number_and_deck()} deals it again.")
        self.show_board()
        self.asks_again = False


def sit(table):
    """Play games until the player has had enough."""
    table.begin()
    look_at_end(table)
    while not table.ended:
        take(table, table.console.ask(question(table)))
    if table.sitting.outcome():
        table.count()
    put_away(table)
    table.say("Thank you for playing.")
    table.console.flush()
    if table.journal:
        table.journal.close()


def question(table):
    """Return what the player is asked."""
    if not table.asks_again:
        return table.sitting.rules.PROMPT
    return PLAY_AGAIN if words.reads_itself(table.sitting.rules) else PLAY_AGAIN_OR_UNDO


def take(table, line):
    """Answer a line, None for the end of the input; if it is refused, say why."""
    try:
        answer(table, line)
    except Refused as refusal:
        table.say(refusal)
        if refusal.why and table.console.edits:
            table.say(refusal.why())


def answer(table, line):
    """Do what a line says, show what comes of it, and note it in the journal if it has changed anything.

    Raises Refused, with nothing changed, if it says nothing that can be done now.
    """
    was_over = table.asks_again and table.sitting.outcome()
    word, number = "quit", None
    if line is not None:
        word, number = words.read(line, table.sitting.rules, table.asks_again)
    if word:
        words.WORDS[word].function(table, number)
        if words.WORDS[word].kept:
            note(table, word, "y" if was_over and word == "new" else f"{word} {number or ''}".rstrip())
    elif table.asks_again:
        raise Refused(INVALID_INPUT + TRY_AGAIN)
    elif play(table, line):
        note(table, word, line.strip())
    look_at_end(table)


def play(table, line):
    """Make the move that a line means, or show what it looks at. Return whether anything has changed."""
    sitting = table.sitting
    move = sitting.move_of(line)
    view = sitting.rules.VIEWS.get(move[0])
    if view:
        import textwrap

        check(sitting.rules, sitting.game, move)
        table.say(textwrap.fill(tidy(view(sitting.game, *move[1:])), LINE_WIDTH))
        return False
    said = sitting.perform(move)
    if said:
        table.say(said)
    table.show_board()
    return True


def note(table, word, line):
    """Add a line to the journal, if there is one. A new game begins it afresh, but for a sitting with a
    seed, which is kept whole."""
    if table.journal and word == "new" and table.sitting.seed is None:
        table.journal.begin(table.sitting)
    elif table.journal:
        table.journal.add(line)


def look_at_end(table):
    """Say so if the game in hand is won or lost, and ask whether to play again."""
    outcome = table.sitting.outcome()
    if outcome and not table.asks_again:
        table.asks_again = True
        table.say(outcome)
        if table.sitting.rules.check_win(table.sitting.game):
            table.count()


def put_away(table):
    """At the end of a sitting in the folder of kept games, say how to go on with it, or remove it."""
    table.keep()
    if table.journal and table.journal.unasked:
        if table.sitting.done and not table.sitting.outcome():
            table.say("This game is kept: python main.py resume goes on with it.")
        else:
            table.journal.remove()
            table.journal = None
