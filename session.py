"""One sitting at the table: the deal, the commands so far, undo, the journal, and the results.

A game is its number: random is seeded with it, and the deal and every later shuffle follow. A
sitting that is started with a seed seeds once, and its later games go on in the same stream. Undo
is replay: the same deal, and all commands but the last. The journal is a file with the lines that
were typed, under a line that says how the game was started: it is a script, too.

Nothing is printed here, and nothing asked; main.py runs the sitting.
"""

import contextlib
import copy
import errno
import os
import random
import shlex
import textwrap
from collections import Counter

import cards
from patience import lines, positions
from patience.lines import INVALID_MOVE, RANKS, SUITS, Refused, card_name, card_of

DEAL_NUMBERS = 10**6  # a deal's own number has at most 6 digits
MOST_NAMED = 10  # unknown cards that one message names

PACK = [(rank, suit) for suit in SUITS.values() for rank in RANKS.values()]

# The words of every game, and the letters that stand for them in a game that does not read its lines
# itself.
WORDS = frozenset("help rules hint moves solve undo redo restart new deal quit".split())
LETTERS = {"h": "help", "u": "undo", "n": "new", "r": "restart"}
COUNTED = ("solve", "undo", "redo")  # words that a number may follow
MOST_DIGITS = 9
LINE_WIDTH = 80


class MissingMethod(Exception):
    """The cards.py at hand has not all that the game needs."""


class StackedDeck:
    """A deck that deals cards in a given order, for a game's initialize."""

    def __init__(self, pairs):
        """pairs: (rank, suit) of each card, the first to be dealt first."""
        self._pairs = iter(pairs)

    def deal(self):
        """Return the next card, face up, or None when none is left."""
        return next((cards.Card(rank, suit) for rank, suit in self._pairs), None)


class Sitting:
    """One player's sitting with one game, from its start to the last game's end."""

    def __init__(self, rules, options, seed=None, stacked=None, deck_file=""):
        """rules: the game's module. options: option name -> choice, as the game's initialize takes them.
        seed: the number the sitting is started with. stacked: (rank, suit) pairs to deal instead of a
        shuffled deck, and deck_file where they are from."""
        self.rules = rules
        self.options = options
        self.seed = seed
        self.stacked = stacked
        self.deck_file = deck_file
        self.number = None  # the number of the deal; None in a seeded sitting's later games
        self.chance = None  # the state of random at the deal
        self.game = None  # the position: the game's own state
        self.done = []  # the moves since the deal
        self.undone = []  # those taken back, the next to be redone last
        self.hints = 0  # how many hints were given for this position
        self.journal = None  # a Journal, or None
        self.wanted = None  # a function of the sitting: whether a fresh deal will do; None for any
        self.left_aside = 0  # how many fresh deals would not do, before the one in hand


# Deals and commands


def begin(sitting):
    """Start the sitting: seed it once if it has a seed, and deal its first game."""
    if sitting.seed is None:
        deal(sitting)
    else:
        random.seed(sitting.seed)
        deal(sitting)
        sitting.number = sitting.seed


def deal(sitting):
    """Deal a new game: of a fresh number, or in a sitting with a seed the next of its stream."""
    sitting.number = None
    sitting.undone = []
    sitting.left_aside = 0
    deal_once(sitting)
    while sitting.seed is None and sitting.wanted and not sitting.wanted(sitting):
        sitting.left_aside += 1
        deal_once(sitting)


def deal_once(sitting):
    """Deal a new game, whatever it is."""
    if sitting.seed is None:
        sitting.number = random.SystemRandom().randrange(DEAL_NUMBERS)
        random.seed(sitting.number)
    sitting.chance = random.getstate()
    replay(sitting, [])


def replay(sitting, moves):
    """Deal the same game again, and make moves: these alone are then done."""
    random.setstate(sitting.chance)
    deck = None if sitting.stacked is None else StackedDeck(sitting.stacked)
    try:
        sitting.game = sitting.rules.initialize(deck, **sitting.options)
        sitting.rules.check_loss(sitting.game)  # which may ask more of the cards
    except AttributeError as error:
        if hasattr(cards.Card, error.name or ""):
            raise
        raise MissingMethod(error.name) from None
    for move in moves:
        carry_out(sitting.rules, sitting.game, move)
    sitting.done = list(moves)
    sitting.hints = 0


def carry_out(rules, game, move):
    """Make a move that is allowed; return what there is to say of it."""
    if hasattr(rules, "perform"):
        return lines.tidy(rules.perform(game, *move))
    rules.move(game, *move)
    return ""


def move_of(sitting, line):
    """Return the move that a line means: a command of the game, or cards by name. Raises Refused."""
    if pairs := lines.cards_named(line):
        return lines.named(sitting.rules, sitting.game, useful_moves(sitting), pairs)
    return lines.read(sitting.rules, line)


def perform(sitting, move):
    """Make a move and return what there is to say of it. Raises Refused if the game does not allow it."""
    lines.check(sitting.rules, sitting.game, move)
    report = carry_out(sitting.rules, sitting.game, move)
    sitting.done.append(move)
    sitting.undone = []
    sitting.hints = 0
    return report


def undo(sitting, count=1):
    """Take back the last moves, or all where there are fewer; return them in their order.

    Raises Refused if there are none.
    """
    if not sitting.done:
        raise Refused(INVALID_MOVE + "There is nothing to undo.")
    kept, taken_back = sitting.done[:-count], sitting.done[-count:]
    replay(sitting, kept)
    sitting.undone += reversed(taken_back)
    return taken_back


def redo(sitting, count=1):
    """Make again the moves that were taken back last; return them in their order.

    Raises Refused if there are none.
    """
    if not sitting.undone:
        raise Refused(INVALID_MOVE + "There is nothing to redo.")
    undone, again = sitting.undone[:-count], sitting.undone[: -count - 1 : -1]
    for move in again:
        perform(sitting, move)
    sitting.undone = undone
    return again


def restart(sitting):
    """Deal the same game again. The moves that were made can be redone."""
    if sitting.done:
        undo(sitting, len(sitting.done))


def is_over(sitting):
    """Return True if the game is won or lost."""
    return sitting.rules.check_win(sitting.game) or bool(sitting.rules.check_loss(sitting.game))


def hint(sitting):
    """Return the most useful legal move, the next time the next one; None if none is legal."""
    moves = useful_moves(sitting)
    if not moves:
        return None
    move = moves[sitting.hints % len(moves)]
    sitting.hints += 1
    return move


def useful_moves(sitting):
    """Return the legal moves, the most useful first. Those that only take back the last one come last:
    so hints do not go in circles."""
    moves = sitting.rules.legal_moves(sitting.game)
    if not sitting.done:
        return moves
    chance = random.getstate()
    trial = copy.copy(sitting)
    replay(trial, sitting.done[:-1])
    back = []
    for move in moves:
        game = copy.deepcopy(sitting.game)
        carry_out(sitting.rules, game, move)
        if positions.same(game, trial.game):
            back.append(move)
    random.setstate(chance)
    return [move for move in moves if move not in back] + back


def read_word(line, rules):
    """Return a line that is one of the WORDS as the word and its number: "undo 5" is ("undo", 5).

    The number is None if there is none. Other lines are (None, None).
    """
    word, *numbers = line.lower().split() or [""]
    if not hasattr(rules, "read"):
        word = LETTERS.get(word, word)
    word = "quit" if word == "q" else word
    if word not in WORDS:
        return None, None
    if not numbers:
        return word, None
    if word in COUNTED and len(numbers) == 1 and len(numbers[0]) <= MOST_DIGITS:
        if numbers[0].isascii() and numbers[0].isdigit() and int(numbers[0]) > 0:
            return word, int(numbers[0])
    return None, None


# Deck files


def load_deck(path, rules):
    """Return the (rank, suit) pairs of a deck file for a game, in the order they are dealt.

    Raises OSError if it cannot be read, and ValueError if a card is wrong; see read_deck.
    """
    with open(path, encoding="utf-8-sig", errors="replace") as lines:
        return read_deck(lines, getattr(rules, "PACK", PACK))


def read_deck(lines, pack=PACK):
    """Return the (rank, suit) pairs of a deck file's lines, in the order they are dealt.

    Cards are words such as 10H, qs or A♣; # begins a comment. pack: the pairs that must be there;
    cards that the game has no use for may be there, once. Raises ValueError, naming every word
    that is no card, and every card too many or too few.
    """
    words = [word for line in lines for word in line.partition("#")[0].split()]
    pairs = [card_of(word) for word in words]
    unknown = [repr(word[:20]) for word, pair in zip(words, pairs) if pair is None]
    needed, found = Counter(pack), Counter(pair for pair in pairs if pair)
    allowed = needed | Counter(PACK)
    faults = {
        "no card": unknown[:MOST_NAMED] + ["..."] * (len(unknown) > MOST_NAMED),
        "too often": [card_name(pair) for pair in found - allowed],
        "missing": [card_name(pair) for pair in needed - found],
    }
    message = "; ".join(f"{fault}: {' '.join(names)}" for fault, names in faults.items() if names)
    if message:
        raise ValueError(message)
    return pairs


# The journal


class Journal:
    """The file in which a sitting is kept while it goes on."""

    def __init__(self, path):
        """Open the file, and make it if there is none. Raises OSError if it cannot be written, or
        if another program is keeping a sitting in it."""
        self.path = str(path)
        self.error = None  # why nothing more is written, if that has failed
        must_be_file(path)
        self.file = open(path, "a+", encoding="utf-8", newline="\n")
        try:
            lock(self.file)
        except OSError:
            self.file.close()
            raise

    def read(self):
        """Return the lines of the file, and what follows the last newline: a line cut off, or "".

        Raises ValueError if the file is not text.
        """
        self.file.seek(0)
        *lines, cut_off = self.file.read().split("\n")
        return lines, cut_off

    def begin(self, header):
        """Empty the file and write its first line."""
        with self.unless_it_fails():
            self.file.seek(0)
            self.file.truncate()
        self.add(header)

    def add(self, line):
        """Add a line to the file."""
        with self.unless_it_fails():
            self.file.write(f"{line}\n")
            self.file.flush()

    def sync(self):
        """See to it that what was added outlasts a power cut."""
        with self.unless_it_fails():
            os.fsync(self.file.fileno())

    @contextlib.contextmanager
    def unless_it_fails(self):
        """Keep a full disk from ending the game: the error is kept in self.error, the file is closed,
        and what is written to the closed file from then on is lost."""
        try:
            yield
        except OSError as error:
            self.error = error
            with contextlib.suppress(OSError):
                self.file.close()
        except ValueError:
            if not self.file.closed:
                raise

    def remove(self):
        """Close the file and remove it."""
        self.file.close()
        os.remove(self.path)


def must_be_file(path):
    """Raise OSError if there is something at the path that is no file: a device could be read for ever."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "It is no file")


def lock(file):
    """Keep other programs from opening the file as a journal, where the system can do that."""
    with contextlib.suppress(ImportError):  # there is no fcntl on Windows
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def how_to_deal(sitting):
    """Return what deals the game in hand again: the words behind `python main.py`.

    In a later game of a sitting with a seed that is what deals the first one.
    """
    return f"{game_and_options(sitting)} {number_and_deck(sitting)}"


def number_and_deck(sitting):
    """Return the options that deal the cards of how_to_deal: --seed 8, perhaps with --deck FILE."""
    number = sitting.number if sitting.seed is None else sitting.seed
    deck = f" --deck {shlex.quote(sitting.deck_file)}" if sitting.deck_file else ""
    return f"--seed {number}{deck}"


def game_and_options(sitting):
    """Return the name of the sitting's game with its options: klondike --draw 3."""
    options = [f"--{option} {choice}" for option, choice in sitting.options.items()]
    return " ".join([sitting.rules.__name__, *options])


def note(sitting, line):
    """Add a line that was accepted to the journal, if there is one."""
    if sitting.journal:
        sitting.journal.add(line)


def note_deal(sitting, line):
    """Note that a new game was dealt: in a sitting with a seed as the line that was typed, else
    the journal begins afresh."""
    if sitting.journal and sitting.seed is None:
        keep_from_now_on(sitting, sitting.journal)
    else:
        note(sitting, line)


def keep(sitting, journal):
    """Keep the sitting in the journal from now on, and begin it: with what the journal holds, or
    with a new deal where it is empty.

    Returns the last line of the file if it was cut off, and is dropped, or "". Raises ValueError
    with a sentence, and leaves the file as it was, if the journal is not that of such a sitting.
    """
    try:
        lines, cut_off = journal.read()
    except ValueError:
        raise ValueError("it is no journal: it is not text.") from None
    if not lines and not cut_off:
        begin(sitting)
        keep_from_now_on(sitting, journal)
        return ""
    seeded = sitting.seed is not None
    take_header(sitting, lines[0] if lines else cut_off)
    begin(sitting)
    for number, line in enumerate(lines[1:], start=2):
        try:
            replay_line(sitting, line)
        except ValueError:
            raise ValueError(f"it is no journal: line {number} is refused: {line[:40]!r}") from None
    if not seeded and sitting.number is not None:
        sitting.seed = None  # no later game yet: the next one has a number of its own
    sitting.journal = journal
    if cut_off:
        journal.file.truncate(sum(len(line.encode()) + 1 for line in lines))
    return cut_off


def keep_from_now_on(sitting, journal):
    """Keep a sitting that has just begun in a new journal."""
    sitting.journal = journal
    journal.begin(f"# {how_to_deal(sitting)}")


def take_header(sitting, header):
    """Take number and deck from a journal's first line into a sitting that has not begun.

    Raises ValueError with a sentence if the line is none, or of another game, options, seed or
    deck than those of the sitting.
    """
    name, settings = read_header(header)
    if name != sitting.rules.__name__:
        raise ValueError(f"it is a game of {name}.")
    must_be_options(sitting.rules, settings)
    for option, choice in sitting.options.items():
        kept = settings.get(option, options_of(sitting.rules)[option][0])
        if kept != choice:
            raise ValueError(f"it is a game with --{option} {kept}.")
    if sitting.seed not in (None, settings["seed"]):
        raise ValueError(f"it is a game with --seed {settings['seed']}.")
    sitting.seed = settings["seed"]
    deck_file = settings.get("deck", "")
    try:
        stacked = load_deck(deck_file, sitting.rules) if deck_file else None
    except (OSError, ValueError) as error:
        raise ValueError(f"its deck file {deck_file} cannot be dealt: {error}") from None
    if sitting.stacked not in (None, stacked):
        raise ValueError("it is a game with another deck file.")
    sitting.stacked, sitting.deck_file = stacked, deck_file


def options_of(rules):
    """Return the options of a game: name -> choices, the default first."""
    return getattr(rules, "OPTIONS", {})


def must_be_options(rules, settings):
    """Raise ValueError with a sentence if the settings of a journal's first line are not the game's."""
    for option, choice in settings.items():
        if option not in ("seed", "deck", *options_of(rules)):
            raise ValueError(f"{rules.__name__} has no option --{option}.")
        if option in options_of(rules) and choice not in options_of(rules)[option]:
            raise ValueError(f"--{option} {choice} is not a choice of {rules.__name__}.")


def read_header(line):
    """Return the game that a journal's first line names, and its settings: a dict of option ->
    choice, with "seed" as an int. Raises ValueError with a sentence if the line is none."""
    try:
        sign, name, *words = shlex.split(line)
        settings = dict(zip(words[::2], words[1::2], strict=True))
        settings = {name.removeprefix("--"): choice for name, choice in settings.items()}
        settings["seed"] = int(settings["seed"])
    except (ValueError, KeyError):
        sign = name = settings = None
    if sign != "#":
        raise ValueError("it is no journal: its first line must be # GAME OPTIONS --seed N.")
    return name, settings


def replay_line(sitting, line):
    """Carry out a line of a journal, silently, as the loop did when it was typed.

    Raises ValueError with the line to show if it is refused.
    """
    word, count = read_word(line, sitting.rules)
    answer = line.strip().lower() if is_over(sitting) else None
    if answer == "n" or line.startswith("#"):
        return
    if word == "new" or answer == "y":
        deal(sitting)
    elif word in ("undo", "redo"):
        (undo if word == "undo" else redo)(sitting, count or 1)
    elif word == "restart":
        restart(sitting)
    elif not word:
        move = move_of(sitting, line)
        if not looks(sitting, move):
            perform(sitting, move)


def looks(sitting, move):
    """Return the text that a move which only looks shows, or None if it is another one. Raises Refused."""
    view = getattr(sitting.rules, "VIEWS", {}).get(move[0])
    if view is None:
        return None
    lines.check(sitting.rules, sitting.game, move)
    return textwrap.fill(lines.tidy(view(sitting.game, *move[1:])), LINE_WIDTH)
