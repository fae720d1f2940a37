"""The console of a player at a terminal: boards and text laid out for its width, colours, Tab, the status line."""

import contextlib
import copy
import io
import math
import os
import re
import shutil
import signal
import sys
import textwrap
import threading

import click

import cards
from patience import words
from patience.game import files
from patience.game.lines import INVALID_INPUT, TRY_AGAIN, card_of
from patience.game.text import count_of, minutes, tidy
from patience.consoles.script import LETTERS, Silent, shown_by
from solvers.positions import chance_kept, copy_of, lists_in, parts, same

RED_CARD = re.compile(r"(?:10|[2-9AJQK])[♦♥]")
SYMBOLS = "♣♦♥♠"
LEAST_WIDTH = 20
SECONDS_TO_THINK = 0.5  # before the player is told
# What a player need not read again: face-down cards, the numbers of piles, how many cards they have.
QUIET = re.compile(r"\bXX\b|\b[a-z]?[0-9]+:|\([0-9]+\)", re.IGNORECASE)
COLUMN = re.compile(r" *\S+( \S+)*  +")
COMMAND = re.compile("(.*:) (python main.py .*)")  # what is meant to be copied stays in one piece
MOST_INDENT = 14  # of the rest of a line that was broken
ROOM = 10  # that a prompt leaves for typing
GAP = 3  # between columns
MOST_TURNED = 4  # cards turned up that the status line names
BETWEEN = " · "
MARK = "\ue000"  # stands for a letter of a card that is looked for
UNDERLINED, REVERSED, BOLD = {"underline": True}, {"reverse": True}, {"bold": True}
FIRST_READ = ("Goal:", "The board:")  # paragraphs of the rules for somebody who has not played before
FIRST_COMMANDS = 3
LEAST_BELOW = 5  # lines below a board that stays in its place
MORE = "Enter: more, q: no more "


class Terminal(Silent):
    """The console of a player."""

    at_keyboard = True

    def __init__(self, stdin, stdout, ascii_only=False, warns=False, scrolls=False):
        """stdin, stdout: the text streams of sys. warns: tell at once if the game can no longer be won. scrolls: print
        one board below the other instead of keeping it in its place."""
        self.stdout = stdout
        self.warns = warns
        self.scrolls = scrolls or os.environ.get("TERM", "dumb") == "dumb"
        self.pending = []  # texts to show at the next question, in place of the board or below it
        self.at_table = None  # the sitting and the record of the board in its place
        self.question = None  # what is asked
        self.is_typing = False  # True while the player may type the answer
        self.has_drawn = False  # True once the screen was ours
        self.hinted = ()  # the cards that a hint is about
        self.hint = ""  # the line that Enter stands for, once a hint was shown
        self.told_enter = False  # True once the player was told so
        self.typed_ahead = ""  # a line that was typed before the first question
        self.ended = False  # True once the player has ended the input
        self.told_width = False  # True once the player was told that the terminal is too narrow
        self.lost_deal = None  # the deal, as its chance, of which the player was told that it cannot be won
        self.did = ""  # what the last move did
        self.moved = None  # the card that it moved
        self.candidates = list  # a function that returns the lines that can be typed
        self.before_waiting = None  # a function that is called before the player is waited for
        self.colors = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.symbols = not ascii_only and can_encode(SYMBOLS, stdout.encoding)
        for stream in (stdin, stdout):
            stream.reconfigure(errors="replace")
        self.stderr, sys.stderr = sys.stderr, Notices(self)
        for name in ("SIGWINCH", "SIGCONT"):  # the window has another size, or fg was typed
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: self.draw_again())
        with contextlib.suppress(ImportError):  # there is none on Windows
            import readline  # input() edits lines from now on

            readline.set_completer_delims("")
            readline.set_completer(self.completion)
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    @property
    def width(self):
        """The columns of the terminal."""
        return max(LEAST_WIDTH, shutil.get_terminal_size().columns)

    def board_in_place(self):
        """Return the board if it is kept in its place, for there is room for it and a few lines; or ""."""
        if self.scrolls or not self.at_table:
            return ""
        board = self.board()
        return board if shutil.get_terminal_size().lines >= board.count("\n") + LEAST_BELOW else ""

    def completion(self, text, number):
        """Return the line of this number, from 0, that can be typed and begins with the text, or None."""
        if not number:
            self.completions = [line for line in self.candidates() if line.lower().startswith(text.lower())]
        return self.completions[number] if number < len(self.completions) else None

    def say(self, text, dim=False):
        self.write(wrapped(f"{text}\n", self.width), dim)

    def say_list(self, texts):
        self.say(in_columns(texts, self.width))

    def tell(self, text):
        if text:
            self.say(text)

    def refuse(self, refusal, line, sitting):
        self.say(refusal)
        why = refusal.why() if refusal.why else ""
        if not why and str(refusal) == INVALID_INPUT + TRY_AGAIN:
            why = words.meant(line, sitting)
        self.tell(why)

    def write(self, text, dim=False):
        """Show text as it is, at the next question at the latest."""
        self.pending.append(self.coloured(text, dim))

    def coloured(self, text, dim=False):
        """Return text with red suits in red, and with letters for suits if there are no symbols."""
        if self.colors and dim:
            text = click.style(text, dim=True)
        elif self.colors:
            text = RED_CARD.sub(lambda card: click.style(card[0], fg="red"), text)
        return text if self.symbols else text.translate(LETTERS)

    def think(self, notice, work, instead):
        """Show what is found, as Silent.think says; Ctrl-C ends the search and shows what there is instead."""
        timer = threading.Timer(SECONDS_TO_THINK, click.echo, [notice], {"file": self.stderr})
        self.stdout.flush()
        if notice:
            timer.start()
        try:
            found = work()
        except KeyboardInterrupt:
            found = instead()
        finally:
            timer.cancel()
        self.say_found(found)

    def show_said(self):
        self.typed_ahead = self.draw(asks=False)

    def leave(self):
        """Write everything that was said, below the last board if that was in its place."""
        if self.has_drawn and self.at_table:
            click.clear()
            self.pending.insert(0, self.board())
        self.stdout.write("".join(self.pending))
        self.stdout.flush()
        sys.stderr = self.stderr

    def ask(self, question):
        """Show the question and return the next line that is not a comment, or None at the end and ever after."""
        while not self.ended:
            if self.before_waiting:
                self.before_waiting()
            self.question = question
            try:
                line = self.draw() or self.typed_ahead
                self.is_typing, self.typed_ahead = True, ""
                line = line or input(self.last_line())
            except EOFError:
                self.ended, self.pending = True, ["\n"]
                return None
            except KeyboardInterrupt:
                self.pending = []
                raise
            finally:
                self.is_typing = False
            if not line.startswith("#"):
                line = line.strip() or self.hint
                self.pending, self.hinted, self.hint = [], (), ""
                return line
            question = question if self.board_in_place() else ""
        self.say(question)
        return None

    def last_line(self):
        """Return the last line of the question, behind which the player types."""
        return self.fitting_question().rpartition("\n")[2]

    def fitting_question(self):
        """Return the question with no line too long for the terminal."""
        rules = self.at_table and self.at_table[0].rules
        short = rules.SHORT_PROMPT if rules and self.question == rules.PROMPT else ""
        return fitting(self.question, self.width, short)

    def draw(self, asks=True, pages=True):
        """Show the board and what was said, or what was said alone if there is not enough room, and the question but
        for its last line; asks: False to leave that out. What is longer than the screen is shown page by page, and with
        pages=False left out; return what is typed at one, or ""."""
        above, newline, _ = self.fitting_question().rpartition("\n") if asks else ("", "", "")
        board, said = self.board_in_place(), "".join(self.pending)
        if not board:
            self.stdout.write(said + above + newline)
            self.stdout.flush()
            self.pending = []
            return ""
        height = shutil.get_terminal_size().lines
        if not self.has_drawn:
            self.stdout.write("\n" * (height - 1))  # what stands above stays in the terminal's memory
            self.has_drawn = True
        room = height - 1 - (above + newline).count("\n")
        text = board + said
        lines = (text if text.count("\n") <= room else said if pages else board).splitlines(keepends=True)
        while len(lines) > room and pages:
            click.clear()
            self.stdout.write("".join(lines[:room]))
            self.stdout.flush()
            lines = lines[room:]
            line = input(MORE).strip()
            if line.lower() in ("q", "quit"):  # of the text, not of the game
                lines, self.pending = board.splitlines(keepends=True), []
            elif line:
                return line
            elif board.count("\n") + len(lines) <= room:
                lines = (board + "".join(lines)).splitlines(keepends=True)
        click.clear()
        self.stdout.write("".join(lines) + above + newline)
        self.stdout.flush()
        return ""

    def draw_again(self):
        """Show everything again, with what the player has typed so far."""
        if self.is_typing and self.board_in_place():
            self.draw(pages=False)  # it comes in the middle of input(), which cannot be asked again
            typed = sys.modules["readline"].get_line_buffer() if "readline" in sys.modules else ""
            self.stdout.write(self.last_line() + typed)
            self.stdout.flush()

    def greet(self, game_rules):
        """Tell a player who opens a game for the first time what it is about, and wait for Enter, or a first line."""
        if self.scrolls:
            return
        path = os.path.join(files.application_folder(), "seen")
        with contextlib.suppress(OSError):
            if os.path.exists(path):
                files.must_be_file(path)
                with open(path, encoding="utf-8", errors="replace") as names:
                    if game_rules.name in names.read().split():
                        return
            os.makedirs(files.application_folder(), 0o700, exist_ok=True)
            with open(path, "a", encoding="utf-8") as names:
                names.write(f"{game_rules.name}\n")
        paragraphs = game_rules.text.split("\n\n")
        told = [paragraphs[0], *(one for one in paragraphs if one.startswith(FIRST_READ))]
        commands = game_rules.COMMANDS.splitlines()[:FIRST_COMMANDS]
        told += ["\n".join(commands), "hint shows a good first move, help all commands, and rules has the rest."]
        click.clear()
        click.echo(
            click.wrap_text("\n\n".join(told), shutil.get_terminal_size().columns, preserve_paragraphs=True)
            if shutil.get_terminal_size().columns < 80
            else "\n\n".join(told)
        )
        with contextlib.suppress(EOFError):
            self.typed_ahead = input("Enter: play ").strip()

    # The board

    def watch(self, sitting, move=None):
        """Take note of what a move will do. It may be one that is not allowed."""
        self.did, self.moved, self.unknown, self.drawn = "", None, [], None
        if move and sitting.rules.refusal(sitting.game, *move) is None:
            self.did = tidy(sitting.rules.describe(sitting.game, *move))
            self.drawn = move if move[0] == sitting.rules.DRAW else None
            if not card_of(self.did.split()[0]) and not self.drawn:  # the board, or what is said, tells it
                self.did = ""
                return
            self.before = places(sitting.game, card_of(self.did.split()[0]))
            self.ends = ends_of_piles(sitting.game)
            self.unknown = unknown_cards(sitting)

    def show(self, sitting, record):
        """Show the board, and warn of a lost game."""
        if self.did and not self.moved:
            self.look_at_what_moved(sitting)
        self.at_table = sitting, record
        if not self.board_in_place():
            self.pending.append(self.board())
        if self.warns:
            self.warn(sitting)

    def board(self):
        """Return the board, the card that moved underlined, those of a hint in reverse, and the status line."""
        sitting, record = self.at_table
        rules, game, display = sitting.rules, sitting.game, sitting.rules.display
        text = shown_by(display, game)
        if columns_of(text) > self.width:
            display = rules.display_narrow
            text = shown_by(display, game)
        needed = columns_of(text)
        if needed > self.width and not self.told_width:
            self.told_width = True
            self.say(f"This board needs {needed} columns; the terminal has {self.width}.")
        if self.colors:
            styles = [(place, UNDERLINED) for place in marked_places(self.moved, display, game)]
            styles += [(place, REVERSED) for card in self.hinted for place in marked_places(card, display, game)]
            styles += [(place, BOLD) for card in rules.special(game) for place in marked_places(card, display, game)]
            text = styled(text, styles)
        status = wrapped(status_line(sitting, record, self.did), self.width)
        return self.coloured(text) + self.coloured(status + "\n", dim=True)

    def point_at(self, sitting, move):
        """Let the card that a hint moves light up on the board, and the one it goes to; Enter makes the move."""
        self.hint = sitting.rules.write(*move) if move else ""
        if self.hint and not self.told_enter:
            self.told_enter = True
            self.say("Enter plays it.")
        self.hinted = ends_of_move(sitting, move) if move and self.board_in_place() else ()

    def look_at_what_moved(self, sitting):
        """Find the card that the last move has moved, and those that it has turned up or brought."""
        if self.drawn:
            ends = [
                after
                for before, after in zip(self.ends, ends_of_piles(sitting.game))
                if after is not before
                and after is not None
                and marked_places(after, sitting.rules.display, sitting.game)
            ]
            count = draws_made(sitting, self.drawn)
            brought = f"{' '.join(str(card).strip() for card in ends)} up" if ends else self.did
            self.did = f"{count_of(count, 'draw')}, {brought}" if count > 1 else brought
            return
        pair = card_of(self.did.split()[0])
        self.moved = next(
            (
                here[-1]
                for here in places(sitting.game, pair)
                if not any(here[-1] is there[-1] and here == there for there in self.before)
            ),
            None,
        )
        unknown = unknown_cards(sitting)
        turned = [str(card).strip() for card in self.unknown if not any(card is other for other in unknown)]
        if 0 < len(turned) <= MOST_TURNED:
            self.did += f", {' '.join(turned)} turned up"
        self.unknown = []

    def warn(self, sitting):
        """Tell the player, once, if the game can no longer be won."""
        from patience.advice import hints

        is_lost = hints.is_lost(sitting)
        if is_lost and self.lost_deal is not sitting.chance:
            self.say(hints.cannot_win(sitting))
        self.lost_deal = sitting.chance if is_lost else None


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


def status_line(sitting, record, did):
    """Return the line under the board: the deal, the moves, the time, what the game adds, what the last move did."""
    seconds = record.seconds()
    told = [
        "" if sitting.number is None else str(sitting.number),
        record.today,
        count_of(len(sitting.done), "move"),
        "" if seconds is None else minutes(seconds),
        sitting.rules.status(sitting.game),
        did,
    ]
    return BETWEEN.join(filter(None, told))


# What moved


def lies_face_down(card):
    """Return True if a card lies face down."""
    return hasattr(card, "is_face_up") and card.is_face_up() is False


def places(game, pair):
    """Return where in a position the cards of this rank and suit lie: (number of the list, place in it, card)."""
    return [
        (number, place, card)
        for number, pile in enumerate(lists_in(parts(game)))
        for place, card in enumerate(pile)
        if isinstance(card, cards.Card) and (card.rank(), card.suit()) == pair
    ]


def unknown_cards(sitting):
    """Return the cards that the player cannot know, the next to come up first."""
    return [pile[place] for pile, place in sitting.rules.hidden(sitting.game)][::-1]


def ends_of_piles(game):
    """Return the last card of each list of a position, or None if there is none that lies face up."""
    return [
        pile[-1] if pile and isinstance(pile[-1], cards.Card) and not lies_face_down(pile[-1]) else None
        for pile in lists_in(parts(game))
    ]


def draws_made(sitting, move):
    """Return how many single draws the last move came to."""
    trial = copy.copy(sitting)
    with chance_kept():
        trial.replay(sitting.done[:-1])
        for count in range(1, (move[1] if len(move) > 1 else 1) + 1):
            trial.rules.perform(trial.game, move[0])
            if same(trial.game, sitting.game):
                return count
    return 1


def marked_places(card, display, game):
    """Return the (start, end) places of this very card in the text of a board; one that looks like it is not marked.
    The board is shown with a mark in place of the card's letters."""
    if card is None:
        return []
    mark = re.sub(r"\S", MARK, str(card))
    marked = copy.copy(card)
    marked.__class__ = type("Marked", (type(card),), {"__str__": lambda _: mark})
    copied = copy_of(game)
    for here, there in zip(lists_in(parts(game)), lists_in(parts(copied))):
        there[:] = [marked if one is card else other for one, other in zip(here, there)]
    return [match.span() for match in re.finditer(f"{MARK}+", shown_by(display, copied))]


def styled(text, styles):
    """Return the text of a board with its styles, ((start, end), style) each, and QUIET dim."""
    styles = [*styles, *((match.span(), {"dim": True}) for match in QUIET.finditer(text))]
    merged = {}  # a card may have moved last and be hinted at too
    for place, style in styles:
        merged[place] = {**merged.get(place, {}), **style}
    for (start, end), style in sorted(merged.items(), reverse=True):
        text = text[:start] + click.style(text[start:end], **style) + text[end:]
    return text


def ends_of_move(sitting, move):
    """Return the card that a move takes first, and the one that it will lie on or beside, if there are such."""
    rules, game = sitting.rules, sitting.game
    pair = card_of(rules.describe(game, *move).split()[0])
    if not pair:
        return []
    trial = copy_of(game)
    with chance_kept():
        rules.perform(trial, *move)
    before, after = places(game, pair), places(trial, pair)
    taken = [card for number, place, card in before if (number, place) not in [one[:2] for one in after]]
    dest = [(number, place) for number, place, _ in after if (number, place) not in [one[:2] for one in before]]
    piles = list(lists_in(parts(game)))
    onto = [piles[number][place - 1] for number, place in dest if 0 < place <= len(piles[number])]
    return [*taken[:1], *(card for card in onto[:1] if isinstance(card, cards.Card))]


# Layout


def columns_of(text):
    """Return how many columns a text takes."""
    return max(map(len, text.splitlines()), default=0)


def wrapped(text, width):
    """Return a text with its long lines broken. If two blanks begin a column, the line continues there."""
    return "\n".join(wrapped_line(line, width) for line in text.split("\n"))


def wrapped_line(line, width):
    """Return a line, broken if it is longer than the width."""
    if len(line) <= width:
        return line
    if command := COMMAND.fullmatch(line):
        return f"{wrapped_line(command[1], width)}\n{command[2]}"
    column = COLUMN.match(line)
    indent = column.end() if column and column.end() <= MOST_INDENT else 0
    return textwrap.fill(line, width, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False)


def fitting(question, width, short=""):
    """Return a question with its last line broken if that leaves no room to type in; or the short question, if there
    is one."""
    above, newline, last = question.rpartition("\n")
    if len(last) + ROOM <= width:
        return question
    if short:
        return short
    lines = textwrap.wrap(last, width - ROOM, break_on_hyphens=False, break_long_words=False)
    return above + newline + "\n".join(lines) + last[len(last.rstrip()) :]


def in_columns(texts, width):
    """Return short lines in columns, each read from the top down."""
    each = max(map(len, texts)) + GAP
    rows = math.ceil(len(texts) / max(1, (width + GAP) // each))
    return "\n".join("".join(f"{text:<{each}}" for text in texts[row::rows]).rstrip() for row in range(rows))
