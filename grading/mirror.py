"""Our own game beside a student's: what kind of answer each command asks for, and what is right on the student's board.

As long as a program's answers are those of the session nothing more is asked. Once one differs, the board that the
program shows is read back, our game answers the next command on it, and that answer is right too: a slip costs where it
happens. Boards are read of Montana alone, whose display the assignment fixes.
"""

import itertools
import random
import re
from contextlib import contextmanager

import cards
import montana
from patience.consoles.script import shown_by
from patience.game import Deal, Game, fresh_number
from patience.play import ASSIGNMENT_AGAIN, LEFT, Mode, Play, questions
from patience.text import card_of
from patience.words import State
from solvers.positions import chance_kept

OPENING, MOVE, REFUSED, RANGE, NUMBERS, SHUFFLE, NO_SHUFFLE, WIN, LOSS, AGAIN, END, WORD = (
    "opening", "move", "refused move", "out of range", "no numbers", "shuffle", "no shuffle left", "win", "loss",
    "another game", "end", "word",
)  # fmt: skip
ON_ANY_BOARD = (MOVE, REFUSED, RANGE, NUMBERS)  # kinds that may be right though another board asks for another one
SHOW_A_BOARD = (OPENING, MOVE, SHUFFLE, AGAIN, WIN)
# Kinds that count only if a move was made: who only refuses, or only leaves, has shown nothing.
BESIDE_MOVES = (REFUSED, RANGE, NUMBERS, NO_SHUFFLE, AGAIN, END)
FIXED = {montana.INVALID_INPUT: NUMBERS, montana.OUT_OF_RANGE: RANGE, montana.NO_SHUFFLES: NO_SHUFFLE}
ROW = re.compile(r"^ {0,3}([1-4]):((?:.{4}){12}.{0,4})$")
HAS_ROWS = re.compile(r"^ *1:.*\n *2:", re.MULTILINE)
SECONDS = 1  # for the word solve


class Recorder:
    """The console of a game that nobody sees: it keeps what a script would print."""

    def __init__(self):
        self.text = ""

    def say(self, text):
        """Keep a text, or several, with a newline behind each."""
        self.text += "\n".join([text] if isinstance(text, str) else text) + "\n"

    def show(self, game, effect=None):
        """Keep the board."""
        self.text += shown_by(game.rules.display, game.position)


class RecordedPlay(Play):
    """A game that knows what it has refused."""

    refusal = ""

    def refuse(self, refusal, command):
        self.refusal = str(refusal)
        super().refuse(refusal, command)


class Mirror:
    """Our game, to which the lines of a session are typed."""

    def __init__(self, session):
        number = fresh_number() if session.seed is None else session.seed
        game = Game(Deal(session.rules, session.options, number, session.deck))
        self.console = Recorder()
        self.play = RecordedPlay(game, self.console, Mode.SCRIPT, lambda: None, SECONDS)
        self.play.begin()

    def taken(self):
        """Return what was printed since the last time, with the question that follows."""
        text, self.console.text = self.console.text, ""
        again = self.play.asks_again
        return text if self.play.state in LEFT else text + questions(self.play.game.rules)[again]

    def answer(self, line):
        """Type a line; return the kind of its answer, and the answer."""
        play = self.play
        if play.is_left:
            return END, ""
        before, count, chance, play.refusal = play.game, len(play.game.moves), random.getstate(), ""
        play.answer(line)
        if play.is_left:
            self.console.say("Thank you for playing.")
        return self.kind(before, count, chance), self.taken()

    def kind(self, before, count, chance):
        """Return the kind of the last answer. before: the Game as it was, of which count moves were made; chance: the
        state of random then."""
        play = self.play
        if play.refusal:
            return FIXED.get(play.refusal, REFUSED)
        if play.game is not before:
            return AGAIN
        if play.state in (State.LEFT, State.LEAVING):
            return END
        if len(play.game.moves) == count:
            return WORD
        if play.state is State.OVER:
            return WIN if play.game.rules.check_win(play.game.position) else LOSS
        return MOVE if random.getstate() == chance else SHUFFLE

    def follow(self, printed, before):
        """Set our game to the board that a program printed, or if it printed none, to that before the command. Ask
        again if the program does. before: the Game as it was. Return False if no board can be read."""
        board = board_in(printed)
        if self.play.game.rules.name != "montana" or not board and HAS_ROWS.search(printed):
            return False
        if board:
            self.play.game.position[:] = [[cards.Card(*pair) for pair in row] for row in board]
        else:
            self.play.game = before
        asks_again = printed.rstrip(" ").endswith(ASSIGNMENT_AGAIN)
        self.play.state = State.OVER if asks_again else State.PLAYING
        return True

    def board(self):
        """Return our own board as board_in returns one."""
        return board_in(shown_by(self.play.game.rules.display, self.play.game.position))

    def is_shuffled(self, printed, before):
        """Return True if a board is printed that is a legal shuffle of the one before, rows of cards."""
        after = board_in(printed)
        if not after or sorted(filter(is_card, flat(after))) != sorted(filter(is_card, flat(pairs_of(before)))):
            return False
        for old, new in zip(before, after):
            kept = montana.sequence_length(old)
            blanks = [place for place, pair in enumerate(new) if not is_card(pair)]
            if new[:kept] != pairs_of([old])[0][:kept] or blanks != [kept]:
                return False
        return True


def is_card(pair):
    """Return True if a pair is a card, and no blank."""
    return pair[0] != montana.BLANK


def flat(board):
    """Return the pairs of a board in one list."""
    return [*itertools.chain.from_iterable(board)]


def pairs_of(rows):
    """Return rows of cards as rows of (rank, suit)."""
    return [[(card.rank(), card.suit()) for card in row] for row in rows]


def board_in(printed):
    """Return the last Montana board in a text as rows of (rank, suit), or None. A blank, or an ace that is shown, is
    the ace whose suit has the row's number."""
    found = {}
    for line in printed.splitlines():
        if match := ROW.match(line):
            cells = [match[2][place : place + 4].strip() for place in range(0, 52, 4)]
            blank = montana.BLANK, int(match[1])
            pairs = [card_of(cell) if cell else blank for cell in cells]
            found[blank[1]] = None if None in pairs else [pair if is_card(pair) else blank for pair in pairs]
    rows = [found.get(number) for number in range(1, 5)]
    if None in rows or len({pair for pair in flat(rows) if is_card(pair)}) != 48:
        return None
    return rows


@contextmanager
def mirrored(session):
    """Give a Mirror at which a session begins; its opening board is taken."""
    with chance_kept():
        mirror = Mirror(session)
        mirror.taken()
        yield mirror


def kinds(session):
    """Return the kind of each answer of a session, the opening board first; [] for another assignment's."""
    if not session.game:
        return []
    with mirrored(session) as mirror:
        return [OPENING, *(mirror.answer(line)[0] for line in session.typed), END][: len(session.answers) + 1]
