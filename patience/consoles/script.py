"""The console of a script: bytes in, bytes out, and nothing else. And Silent, the console of a replay."""

import contextlib
import io
import sys

LETTERS = str.maketrans("♣♦♥♠·—", "CDHS--")
LINE_WIDTH = 80
HELP_COLUMNS = 3
HELP_GAP = 2  # blanks between them
CHUNK = 1 << 16


class Silent:
    """The console of a saved game that is replayed: it shows nothing."""

    stderr = None  # where a progress bar is shown
    width = None

    def say(self, text):
        """Show text, of one line or several, with a newline behind it."""

    def say_list(self, texts):
        """Show short texts, a line each or in columns."""
        self.say("\n".join(texts))

    def say_help(self, commands, glosses, meanings):
        """Show a game's commands, and the words of every game: what each is for in two words, or in a sentence."""
        self.say(commands)
        each = max(map(len, glosses)) + HELP_GAP
        columns = min(HELP_COLUMNS, max(1, (self.width or LINE_WIDTH) // each))
        for start in range(0, len(glosses), columns):
            self.say("".join(f"{text:<{each}}" for text in glosses[start : start + columns]).rstrip())

    def say_more(self):
        """Go on with a help that was too long to be heard at once."""

    def say_statistics(self, rows):
        """Show the results. rows: as statistics.summary returns them."""
        from patience.records import statistics  # which no script needs

        self.say(statistics.table(rows, self.width))

    def say_found(self, found):
        """Show a text, or a list of short ones."""
        self.say_list([found] if isinstance(found, str) else found)

    def tell(self, text):
        """Show text that is meant for a player alone."""

    def refuse(self, refusal, line, sitting):
        """Show why a line is refused. refusal: a Refused."""
        self.say(refusal)

    def think(self, notice, work, instead):
        """Show the text, or list of texts, that work() returns. notice: what a player reads meanwhile. instead: a
        function that returns what to show if the player presses Ctrl-C."""

    def greet(self, game_rules):
        """Tell somebody who has not played this game before what it is about."""

    def show(self, sitting, record, before=None, move=None):
        """Show the board. before: the position before the last command; None if the whole board is wanted. move: what
        the command was, if it was a move."""

    def show_board(self, sitting, record):
        """Show the board again."""
        self.show(sitting, record)

    def before_waiting(self):
        """Do nothing: whoever sits down puts a function here that saves what was typed."""

    def flush(self):
        """Flush the output before waiting for input."""

    def show_said(self):
        """Show a player what was said, before something that may take time."""

    def leave(self):
        """Show what is left to be shown when the player leaves, however that is."""

    def point_at(self, sitting, move, line):
        """Let the cards of a hint stand out on the board."""


class Script(Silent):
    """The console of a script: UTF-8, the same bytes everywhere."""

    def __init__(self, stdin, stdout, ascii_only=False):
        """stdin, stdout: the text streams of sys. From now on print() writes there too."""
        self.stdout = sys.stdout = for_scripts(stdout)
        self.ascii_only = ascii_only
        self.lines = lines_of(stdin.buffer, self.flush)

    def write(self, text):
        """Show text as it is, with letters for suits if they are wanted."""
        self.stdout.write(text.translate(LETTERS) if self.ascii_only else text)

    def say(self, text):
        self.write(f"{text}\n")

    def think(self, notice, work, instead):
        self.flush()
        self.say_found(work())

    def show(self, sitting, record, before=None, move=None):
        if self.ascii_only:
            self.write(shown_by(sitting.rules.display, sitting.game))
        else:
            sitting.rules.display(sitting.game)

    def flush(self):
        self.stdout.flush()
        self.before_waiting()

    def ask(self, question):
        """Show the question and return the next line that is not a comment, or None at the end."""
        self.write(question)
        return next((line for line in self.lines if not line.startswith("#")), None)


def shown_by(display, game):
    """Return what a game's display prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        display(game)
    return text.getvalue()


def for_scripts(stdout):
    """Return the stream for output to a pipe or file: UTF-8, \\n, and written in large pieces."""
    try:
        descriptor = stdout.fileno()
    except OSError:
        return stdout  # a test's own stream, without a file behind it
    return open(descriptor, "w", buffering=CHUNK, encoding="utf-8", newline="\n", closefd=False)


def lines_of(stream, flush):
    """Yield the lines of a byte stream as text, without their ends, as soon as they are there. Before each read,
    which may have to wait, flush is called."""
    line = []
    while True:
        flush()
        chunk = stream.read1(CHUNK)
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        line.append(first)
        for part in others:
            yield b"".join(line).decode("utf-8", "replace")
            line = [part]
    if any(line):
        yield b"".join(line).decode("utf-8", "replace")
