"""How a sitting begins: from the options of a command, or from a saved game."""

import contextlib
import functools
import sys
import time

import click

from patience import words
from patience.game import decks, files, rules
from patience.records import saves
from patience.game.lines import Refused
from patience.game.text import error_text, printable
from patience.records.saves import FileKeeper, FolderKeeper, Journal, NoKeeper
from patience.consoles.script import Script, Silent
from patience.game.sitting import Sitting
from patience.table import Table

SECONDS_TO_SOLVE = 10
MOST_SHOWN = 80  # letters of a line


def play(game_rules, /, seed, deck, daily, winnable, save, time, ascii, scroll, warn, **options):
    """Play games until the player has had enough: the callback of a game's command. options: the game's own."""
    for option, given in (("daily", daily), ("winnable", winnable)):
        if given and (seed is not None or deck):
            raise click.UsageError(f"--{option} does not go together with --seed or --deck.")
    sitting = Sitting(game_rules, options, seed, deck)
    if winnable:
        from patience.advice import deals

        sitting = deals.Winnable(time, game_rules, options)
    if daily:
        from patience.records import results

        sitting.seed = results.todays_number()
        if winnable:
            sitting.seed = sitting.choose_for_day(sitting.seed)
    if at_terminal():
        count_the_rest(rules.all_games())
    table, journal = begin(sitting, save, time)
    sit_down(table, journal, bool(save), ascii, scroll, warn)


def begin(sitting, save, seconds):
    """Return a Table with the sitting that a file holds, or a new one, and the Journal of the file. save: the path,
    or None. A file that is no saved game of this kind is a usage error."""
    table = Table(sitting, Silent(), NoKeeper(), seconds)
    if not save:
        sitting.deal()
        return table, None
    journal = open_journal(save)
    try:
        tell(journal.path, take_up(table, journal, [option for option in sitting.options if was_typed(option)]))
    except ValueError as reason:
        raise click.BadParameter(printable(f"{journal.path}: {reason}")) from None
    return table, journal


def sit_down(table, journal, asked, ascii_only, scrolls, warns=False):
    """Let the player sit down at a table with a game. journal: the file of the game, or None. asked: True if it is
    the one of --save."""
    sitting = table.sitting
    if at_terminal():
        from patience.consoles.terminal import Terminal  # which scripts do not need, with readline and threading

        table.console = Terminal(sys.stdin, sys.stdout, ascii_only, warns, scrolls)
        table.console.candidates = functools.partial(words.all_lines, table)
    else:
        table.console = Script(sys.stdin, sys.stdout, ascii_only)
    if at_terminal() or journal and not asked:
        sitting.seed = None  # later games have numbers of their own
        table.keeper = FolderKeeper(journal, asked)
    else:
        table.keeper = FileKeeper(journal) if journal else NoKeeper()
    table.console.before_waiting = table.keeper.sync
    table.sit()


def at_terminal():
    """Return True if a player sits at a terminal."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def was_typed(option):
    """Return True if an option stands on the command line: a default gives way to a saved game's choice."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


# Saved games


def open_journal(path):
    """Return the Journal of a file; a file that cannot be one is a usage error."""
    try:
        return Journal(path)
    except BlockingIOError:
        raise click.BadParameter(f"{printable(path)} is in use by another program.") from None
    except OSError as error:
        raise click.BadParameter(f"{printable(path)} cannot be written: {error.strerror}.") from None


def tell(path, sentences):
    """Tell what was found in a file."""
    for sentence in sentences:
        click.echo(printable(f"{path}: {sentence}"), err=True)


def dropped(cut_off):
    """Return a sentence about a last line that was cut off."""
    return f"the last line was cut off, and is dropped: {cut_off[:MOST_SHOWN]}"


def take_up(table, journal, typed=()):
    """Deal and replay the game that a file holds; deal a new one if it is empty.

    typed: options of the sitting that must be those of the file. Returns sentences about lines that are dropped or
    skipped. Raises ValueError with a sentence, and leaves the file as it was, if it is no such game.
    """
    sitting = table.sitting
    lines, cut_off = journal.read()
    if not lines and not cut_off:
        sitting.deal()
        journal.begin(sitting)
        return []
    seeded = sitting.seed is not None
    take_header(sitting, lines[0] if lines else cut_off, typed)
    sitting.deal()
    told = replay(table, lines[1:])
    if not seeded and sitting.number is not None:
        sitting.seed = None  # there is no later game yet: the next one has a number of its own
    if not lines:
        journal.add("")  # the newline of the first line
    elif cut_off:
        journal.cut_back(lines)
        told.append(dropped(cut_off))
    return told


def take_header(sitting, line, typed):
    """Take options, number and deck from a first line into a sitting that has not begun. An option that the line does
    not name has its default. Raises ValueError with a sentence if the line does not fit the sitting."""
    game_rules = sitting.rules
    name, settings = saves.read_header(line)
    if name != game_rules.name:
        raise ValueError(f"it is a game of {name}.")
    for option, choice in settings.items():
        if option not in ("seed", "deck", *game_rules.OPTIONS):
            raise ValueError(f"{name} has no option --{option}.")
        if option in game_rules.OPTIONS and choice not in game_rules.OPTIONS[option]:
            raise ValueError(f"--{option} {choice} is not a choice of {name}.")
    options = {option: settings.get(option, choices[0]) for option, choices in game_rules.OPTIONS.items()}
    for option in typed:
        if options[option] != sitting.options[option]:
            raise ValueError(f"it is a game with --{option} {options[option]}.")
    if sitting.seed not in (None, settings["seed"]):
        raise ValueError(f"it is a game with --seed {settings['seed']}.")
    path = settings.get("deck")
    try:
        deck = path and decks.load(path, game_rules.PACK)
    except (OSError, ValueError) as error:
        raise ValueError(f"its deck file {path} cannot be dealt: {error_text(error)}") from None
    if sitting.deck and (not deck or sitting.deck.pairs != deck.pairs):
        raise ValueError("it was dealt from another deck file.")
    sitting.options, sitting.seed, sitting.deck = options, settings["seed"], deck


def replay(table, lines):
    """Answer the lines of a saved game after its first one, silently. Returns sentences about words that are skipped
    because the game was over. Raises ValueError with a sentence if another line is refused."""
    sitting, told, played = table.sitting, [], None
    for number, line in enumerate(lines, start=2):
        try:
            if line == saves.COUNTED:
                table.record.identity = None
            elif identity := saves.OVER.fullmatch(line):
                table.record.identity = identity[1]
            elif seconds := saves.PLAYED.fullmatch(line):
                played = int(seconds[1])
            elif not line.startswith("#"):
                played = None
                answer_again(table, line)
        except Refused:
            shown = repr(line[:MOST_SHOWN])
            if not sitting.outcome() or line.split()[:1] not in ([word] for word in words.WORDS):
                raise ValueError(f"it is not a saved game: line {number} is refused: {shown}") from None
            told.append(f"line {number} was skipped, as the game was over: {shown}")
    table.record.played = played if sitting.done else 0
    table.record.started = time.monotonic()
    return told


def answer_again(table, line):
    """Answer a line of a saved game. If the game was quit before it, it continues, unless a new one was wanted."""
    was_quit = table.asks_again and not table.sitting.outcome()
    try:
        table.answer(line)
    except Refused:
        if not was_quit:
            raise
        table.asks_again = False
        table.answer(line)
    if table.ended:
        table.ended, table.asks_again = False, bool(table.sitting.outcome())


# Games in progress


def read_saved(path, games, sitting=None):
    """Replay a saved game, and return its sitting, and its lines after the first one; the file is only read. sitting:
    one that has not begun, for which the game must be. Raises click.UsageError if the file holds no such game."""
    try:
        files.must_be_file(path)
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            *lines, cut_off = file.read().split("\n")
        if lines and cut_off:
            tell(path, [dropped(cut_off)])
        first, *lines = lines or [cut_off]
        table = Table(sitting, Silent(), NoKeeper(), SECONDS_TO_SOLVE) if sitting else table_for(first, games)
        take_header(table.sitting, first, filter(was_typed, sitting.options) if sitting else ())
        table.sitting.deal()
        tell(path, replay(table, lines))
    except (OSError, ValueError) as error:
        raise click.UsageError(printable(f"{path}: {error_text(error)}")) from None
    return table.sitting, lines


def review(games, path, last):
    """Print the review of a saved game. last: how many commands are looked at, or None. Raises click.UsageError if the
    file holds none, or one without a command."""
    from patience.advice.review import Review

    sitting, _ = read_saved(path, games)
    if not sitting.done:
        raise click.UsageError(printable(f"{path}: no command has been carried out yet."))
    game = Review(sitting, sys.stderr if sys.stderr and sys.stderr.isatty() else None, last, "--last {}")
    click.echo(game.notice(), err=True)
    try:
        lines = game.lines()
    except KeyboardInterrupt:
        lines = game.so_far()
    click.echo("\n".join(lines))


def saved_tables(games, only=None):
    """Yield a Table and a Journal for each game in progress, the one played last first. A file that holds none, or is
    in use, is named on stderr. games: the names of all games. only: the game that is wanted, or None."""
    unusable = []  # a sentence for each file
    for path in saves.all_paths():
        if only and saves.header_of(path)[0] != only:
            continue
        try:
            opened = open_saved(path, games)
        except (OSError, ValueError) as error:
            told = "it is in use by another program." if isinstance(error, BlockingIOError) else error_text(error)
            unusable.append(printable(f"{path}: {told}"))
        else:
            tell_unusable(unusable)
            yield opened
    tell_unusable(unusable)


def tell_unusable(sentences):
    """Tell about files that hold no saved game, in one line; then there are none to tell about."""
    if len(sentences) > 1:
        click.echo(
            f"{len(sentences)} files in {printable(saves.folder())} cannot be opened, the first is {sentences[0]}",
            err=True,
        )
    elif sentences:
        click.echo(sentences[0], err=True)
    sentences.clear()


def open_saved(path, games):
    """Return a Table and a Journal for the game in a file. Raises OSError or ValueError if there is none."""
    journal = Journal(path, new=False)
    try:
        return saved_table(journal, games), journal
    except BaseException:
        journal.close()
        raise


def count_the_rest(games):
    """Count the games that are over and could not be counted when they ended. games: the names of all games."""
    for path in filter(saves.has_ended, saves.all_paths()):
        with contextlib.suppress(Exception):  # it is being played, or damaged, or its game has a mistake: whoever opens
            table, journal = open_saved(path, games)  # it is told so, and no other game need wait for that
            FolderKeeper(journal).leave(table.sitting, table.record)


def saved_table(journal, games):
    """Return a Table with the game in a file. Raises ValueError with a sentence if there is none."""
    lines, cut_off = journal.read()
    table = table_for(lines[0] if lines else cut_off, games)
    tell(journal.path, take_up(table, journal))
    return table


def table_for(line, games):
    """Return a Table for the game in the first line of a file. Raises ValueError with a sentence if there is none."""
    name, _ = saves.read_header(line)
    if name not in games:
        raise ValueError(f"there is no game {name}.")
    return Table(Sitting(rules.load(name), {}), Silent(), NoKeeper(), SECONDS_TO_SOLVE)
