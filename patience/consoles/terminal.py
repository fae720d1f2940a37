"""The console of a player at a terminal: the board in its place, colours, hints that light up, help for newcomers."""

import functools
import io
import os
import sys

import click

from patience.consoles import board, changes, replies
from patience.consoles.screen import Completion, Screen, columns_of, in_columns, shortened, thought, wrapped
from patience.consoles.script import LETTERS, Silent
from patience.game.grammar import INVALID_INPUT, TRY_AGAIN
from patience.records import seen

SYMBOLS = "♣♦♥♠"
SECONDS_TO_THINK = 0.5  # before the player is told
FIRST_READ = ("Goal:", "In short:")  # paragraphs of the rules for somebody who has not played before


class Terminal(Silent):
    """The console of a player."""

    def __init__(self, stdin, stdout, candidates, ascii_only=False, scrolls=False):
        """stdin, stdout: the text streams of sys. candidates: a function that returns what can be typed. scrolls: print
        one board below the other instead of keeping it in its place."""
        self.screen = Screen(stdout, scrolls or os.environ.get("TERM", "dumb") == "dumb", self.board)
        self.shown = None  # the sitting, the record, and the last step, as show() got them
        self.hinted = ()  # the cards that a hint is about
        self.hint = ""  # the line that Enter stands for, once a hint was shown
        self.told = set()  # what the player was told once
        self.colors = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.symbols = not ascii_only and can_encode(SYMBOLS, stdout.encoding)
        for stream in (stdin, stdout):
            stream.reconfigure(errors="replace")
        self.stderr, sys.stderr = sys.stderr, Notices(self)
        Completion(candidates)

    @property
    def width(self):
        """The columns of the terminal."""
        return self.screen.width

    def say(self, text, dim=False):
        self.write(wrapped(f"{text}\n", self.width), dim)

    def say_list(self, texts):
        self.say(in_columns(texts, self.width))

    def tell(self, text):
        if text:
            self.say(text)

    def say_once(self, text):
        """Show a line, if it was not shown before."""
        if text not in self.told:
            self.told.add(text)
            self.say(text)

    def refuse(self, refusal, line, sitting):
        why = refusal.why() if refusal.why else ""
        if str(refusal) == INVALID_INPUT + TRY_AGAIN and not why:
            self.say(replies.reply(line, sitting))
        else:
            self.say(refusal)
            self.tell(why)

    def write(self, text, dim=False):
        """Show text as it is, at the next question at the latest."""
        self.screen.write(self.coloured(text, dim))

    def coloured(self, text, dim=False):
        """Return text with red suits in red, and with letters for suits if there are no symbols."""
        if self.colors:
            text = click.style(text, dim=True) if dim else board.in_red(text)
        return text if self.symbols else text.translate(LETTERS)

    def think(self, notice, work, instead):
        """Show what is found, as Silent.think says; Ctrl-C ends the search and shows what there is instead."""
        self.screen.put("")
        tell = functools.partial(click.echo, notice, file=self.stderr)
        self.say_found(thought(work, instead, notice and SECONDS_TO_THINK, tell))

    def show_said(self):
        self.screen.show_now()

    def leave(self):
        self.screen.leave()
        sys.stderr = self.stderr

    def ask(self, question):
        """Show the question and return the next line that is not a comment, or None at the end and ever after."""
        self.before_waiting()
        line = self.screen.ask(question)
        while line is not None and line.startswith("#"):
            line = self.screen.ask(question if self.screen.in_place() else "")
        if line is None:
            return None
        line = line.strip() or self.hint
        self.screen.answered()
        self.hinted, self.hint = (), ""
        return line

    def greet(self, game_rules):
        """Tell a player who opens a game for the first time what it is about, and wait for Enter, or a first line."""
        if self.screen.scrolls or not seen.is_first_time(game_rules.name):
            return
        paragraphs = game_rules.text.split("\n\n")
        told = [paragraphs[0], *(one for one in paragraphs if one.startswith(FIRST_READ))]
        told.append("hint shows a good move, help all commands, and rules has the rest.")
        text = "\n\n".join(told)
        if self.width < columns_of(text):
            text = click.wrap_text(text, self.width, preserve_paragraphs=True)
        click.clear()
        click.echo(text)
        self.screen.wait("Enter: play ")

    def show(self, sitting, record, before=None, move=None):
        self.shown = sitting, record, before, move
        display = board.display_for(sitting.rules, sitting.game, self.width)
        needed = columns_of(board.shown_by(display, sitting.game))
        if needed > self.width:
            self.say_once(f"This board needs {needed} columns; the terminal has {self.width}.")
        self.show_board(sitting, record)

    def show_board(self, sitting, record):
        if not self.screen.in_place():
            self.screen.write(self.board())

    def board(self):
        """Return the board, the card that moved underlined, those of a hint in reverse, and the status line; "" before
        there is one."""
        if not self.shown:
            return ""
        sitting, record, before, move = self.shown
        rules, game = sitting.rules, sitting.game
        display = board.display_for(rules, game, self.width)
        text, did, moved = board.with_blanks(rules, display, game), "", None
        if move:
            moved = changes.moved_first(rules, before, game, move)
            did = changes.told(rules, before, game, move, lambda card: board.marked_places(card, display, game))
        if self.colors:
            styles = [(moved.card, board.UNDERLINED)] if moved else []
            styles += [(card, board.REVERSED) for card in self.hinted]
            styles += [(card, board.BOLD) for card in rules.special(game)]
            text = board.styled(text, display, game, styles)
        status = shortened(board.status_line(sitting, record, did), self.width)
        return self.coloured(text) + self.coloured(status + "\n", dim=True)

    def point_at(self, sitting, move, line):
        """Let the card that a hint moves light up on the board, and the one it goes to; Enter types the line."""
        self.hint = line
        if self.hint:
            self.say_once("Enter plays it.")
        self.hinted = changes.ends_of(sitting.rules, sitting.game, move) if move and self.screen.in_place() else ()


class Notices(io.TextIOBase):
    """Standard error while a player sits at the terminal: what is said there stands below the board."""

    encoding, errors = "utf-8", "replace"  # click asks for them

    def __init__(self, console):
        self.console = console

    def write(self, text):
        if not isinstance(text, str):  # click tries bytes
            raise TypeError
        self.console.write(text)
        return len(text)

    def isatty(self):
        return True


def can_encode(text, encoding):
    """Return True if a stream of this encoding can show the text."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
