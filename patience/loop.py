"""The one road of a typed line: question, take, answer, whoever typed it: a player, a script or a journal.

What is asked, the game's prompt or whether to play again, is a state of the Table.
"""

import click

from patience import words
from patience.lines import INVALID_INPUT, TRY_AGAIN, Refused, check, tidy

PLAY_AGAIN = "Do you want to play again (y/n)?"
PLAY_AGAIN_OR_UNDO = "Do you want to play again (y/n/undo)? "  # in games that do not read their lines


class Table:
    """What a player sits at: a sitting and a console, and what is kept of it."""

    def __init__(self, sitting, console, journal=None, folder=None, seconds=10):
        """journal: a Journal, or None. folder: where results are counted and games are kept that have no
        journal of their own, or None where that is not done. seconds: how long a solver may take."""
        self.sitting = sitting
        self.console = console
        self.journal = journal
        self.folder = folder
        self.seconds = seconds
        self.early = []  # lines for the journal that came before the first command, with which it begins
        self.did = ""  # what the last command did
        self.moved = None  # the card that it moved
        self.cannot_keep = False  # whether that has failed
        self.has_left = False  # whether a game was left for the one in hand
        self.warns = False  # whether it is said at once that nothing can win any more
        self.was_warned = False  # whether that is said of this position, or one before it
        self.asks_again = False  # whether to play again; else the game's prompt is shown
        self.ended = False

    def say(self, text):
        """Show a line, or some, to the player."""
        self.console.say(f"{text}\n")

    def say_list(self, texts):
        """Show many short lines, at a terminal in columns."""
        self.console.say_list(texts)

    def show_board(self):
        """Show the board of the game in hand, at a terminal with a line of what there is to know."""
        self.console.show_board(self.sitting, self.moved)
        if self.console.edits:
            import patience.status

            self.console.say(patience.status.line(self), dim=True)
            self.say("")

    def show_from_here(self):
        """Show the board of a game that goes on, but not from the last command."""
        self.did, self.moved = "", None
        self.asks_again = False
        self.show_board()

    def count(self):
        """Count the game in hand in the results, once, if results are counted."""
        if not self.folder or self.sitting.counted or not self.sitting.done:
            return
        import patience.journal
        import patience.results

        self.sitting.counted = True
        try:
            patience.results.add_game(self.folder, self.sitting)
        except OSError as error:
            click.echo(f"This game is not counted: {error}", err=True)
        if self.journal:
            self.journal.add_time(self.sitting)
            self.journal.add(patience.journal.COUNTED)

    def keep(self):
        """See to it that every line accepted is on the disk; say so if that fails."""
        if self.journal:
            self.journal.sync()
            if self.journal.error:
                click.echo(f"This game is not kept any more: {self.journal.error}", err=True)
                self.journal, self.cannot_keep = None, True

    def is_kept(self):
        """Return True if nothing is lost when a player at a terminal leaves now."""
        return self.console.edits and bool(self.journal or not self.sitting.done or self.sitting.outcome())

    def begin(self):
        """Show the game in hand from its title on."""
        sitting = self.sitting
        self.say(sitting.rules.TITLE)
        if self.console.shows and sitting.number is not None:
            self.say(f"Deal {sitting.number}: {sitting.number_and_deck()} deals it again.")
        if self.folder:
            import patience.kept

            if patience.kept.is_one_kept(self):
                name = sitting.rules.__name__
                self.say(f"A game of {name} is kept: python main.py resume {name} goes on with it.")
        self.show_from_here()

    def how_to_go_on(self):
        """Return what goes on with the game that is kept: the words behind `python main.py`."""
        return "resume" if self.journal.unasked else f"{self.sitting.name()} --save {self.journal.shown_path()}"

    def put_aside(self):
        """Leave the game in hand for another one: at a terminal it is kept, unless it is over."""
        if not self.folder:
            return
        import patience.kept

        self.has_left = patience.kept.put_aside(self)
        if not self.has_left:
            self.count()
        self.early = []


def sit(table):
    """Play games until the player has had enough. Raises KeyboardInterrupt, with what is to be said of
    the game in hand, if that is how it is ended."""
    try:
        table.begin()
        look_at_end(table)
        while not table.ended:
            take(table, table.console.ask(question(table)))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(put_away(table)) from None
    if kept := put_away(table):
        table.say(kept)
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
        if table.console.edits:
            why = refusal.why() if refusal.why else ""
            if not why and str(refusal) == INVALID_INPUT + TRY_AGAIN:
                why = words.meant(line, table.sitting.rules)
            if why:
                table.say(why)


def answer(table, line):
    """Do what a line says, show what comes of it, and note it in the journal if it has changed anything.

    Raises Refused, with nothing changed, if it says nothing that can be done now.
    """
    was_over = table.asks_again and table.sitting.outcome()
    word, number = "quit", None
    if line is not None:
        every_word = table.console.edits or table.console.is_silent  # the line of a journal may be a player's
        word, number = words.read(line, table.sitting.rules, table.asks_again, every_word)
    if word:
        words.WORDS[word].function(table, number)
        kept = words.WORDS[word].kept
        if kept == words.ALWAYS or kept == words.IF_COUNTED and table.folder:
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
        table.say(textwrap.fill(tidy(view(sitting.game, *move[1:])), words.LINE_WIDTH))
        return False
    if table.console.edits:
        import patience.status

        said, table.did, table.moved = patience.status.perform(sitting, move)
    else:
        said = sitting.perform(move)
    if said:
        table.say(said)
    table.show_board()
    if table.warns and table.console.edits:
        warn(table)
    return True


def warn(table):
    """Say so, once, if nothing can win any more."""
    import patience.hints

    is_lost = patience.hints.is_lost(table.sitting)
    if is_lost and not table.was_warned:
        table.say(patience.hints.cannot_win(table.sitting))
    table.was_warned = is_lost


def note(table, word, line):
    """Add a line to the journal, if there is one. A new game begins it afresh, but for a sitting with a
    seed, which is kept whole. A game in the folder of kept games has one from its first command on."""
    if not table.journal and table.folder and word != "new":
        table.early.append(line)
        if table.sitting.done and not table.cannot_keep:
            import patience.kept

            patience.kept.keep_unasked(table)
    elif table.journal and word == "new" and table.sitting.seed is None:
        table.journal.begin(table.sitting)
    elif table.journal:
        table.journal.add(line)


def look_at_end(table):
    """Say so if the game in hand is won or lost, and ask whether to play again."""
    outcome = table.sitting.outcome()
    if not outcome or table.asks_again:
        return
    table.asks_again = True
    table.say(outcome)
    if table.sitting.rules.check_win(table.sitting.game):
        if table.folder:
            import patience.results
            import patience.status

            best = patience.results.best_time(table.folder, table.sitting.name())
            table.say(patience.status.how_it_was_won(table, best))
        table.count()


def put_away(table):
    """At the end of a sitting return how to go on with its game. One that is over counts, and is not
    kept."""
    if table.sitting.outcome():
        table.count()
    elif table.journal and table.folder and table.sitting.done:
        table.journal.add_time(table.sitting)
    table.keep()
    if not table.journal or not table.folder:
        return ""
    if table.sitting.done and not table.sitting.outcome():
        return f"This game is kept: python main.py {table.how_to_go_on()} goes on with it."
    if table.journal.unasked:
        table.journal.remove()
        table.journal = None
    return ""
