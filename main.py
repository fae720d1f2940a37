#!/usr/bin/env python3
"""Patience games for the terminal: the commands and options, and the prompt loop.

The loop is the same for all games. It knows the words of session.WORDS; every other line is the
game's, which is a module that keeps the contract described in README.md.
"""

import contextlib
import errno
import functools
import importlib
import math
import os
import signal
import sys
import time

import click

import session
from console import Console
from patience import lines
from session import options_of

# The games: module name, and what the list of games says of it.
GAMES = {
    "montana": "Sort the suits into four rows, one card at a time into a blank.",
    "quadzilla": "Clear fours of a suit in thirteen turns, but mind the Quadzilla.",
    "desturado": "Stack the whole board into your hand, by value and by suit.",
    "zodiac": "Two packs: 24 piles around the Equator, then eight foundations.",
    "klondike": "Columns down in alternating colours, foundations up in suit.",
}

PROMPT = "Enter command (h for help): "
PLAY_AGAIN = "Do you want to play again (y/n)?"
PLAY_AGAIN_OR_UNDO = "Do you want to play again (y/n/undo)?"  # in games that do not read their lines
INVALID_INPUT = "Error: invalid input.  Please try again.\n"
STUCK = "No command is legal any more."

INTERRUPTED = 130
SECONDS_TO_SOLVE = 10
MOST_JOBS = 64

# Options that do not go together with others, and options that are of use only with another one.
EXCLUDES = {
    "daily": ("seed", "deck"),
    "winnable": ("seed", "daily", "deck"),
    "odds": ("solve", "winnable", "deck", "save"),
}
NEEDS = {"csv": "odds", "jobs": "odds"}


class Results:
    """Counts the games of a sitting at a terminal, each deal once."""

    def __init__(self, folder, resumed):
        """folder: where the results are kept, or None where games do not count."""
        self.folder = folder
        self.begin(resumed)

    def has_counted(self):
        """Say that the game in hand was counted in an earlier sitting."""
        self.counted = True

    def begin(self, resumed=False):
        """Begin to take the time of a deal, which is not taken of a game that was resumed."""
        self.started = None if resumed else time.monotonic()
        self.counted = False

    def count(self, sitting):
        """Add the result of the game in hand, if it counts and has not been counted yet."""
        if self.folder is None or self.counted or not sitting.done:
            return
        self.counted = True
        won = sitting.rules.check_win(sitting.game)
        seconds = None if self.started is None else time.monotonic() - self.started
        name = session.game_and_options(sitting)
        try:
            results().add(self.folder, name, won, seconds, len(sitting.done))
        except OSError as error:
            click.echo(f"This game is not counted: {error}", err=True)


def results():
    """Return the module results, which only a terminal needs."""
    return importlib.import_module("results")


# The words of every game. Each is carried out by a function of the table, which is where console,
# sitting and results come together, and of the number that was typed. quit is seen to by play_game.


class Table:
    """What a sitting needs: console, sitting and results, and how long a solver may take."""

    def __init__(self, console, sitting, results, limit):
        self.console = console
        self.sitting = sitting
        self.results = results
        self.limit = limit
        self.say = console.say


def show_help(table, _):
    """Show the commands of the game, and the words of every game."""
    rules = table.sitting.rules
    table.say(rules.COMMANDS)
    letters = {word: letter for letter, word in session.LETTERS.items() if not hasattr(rules, "read")}
    letters["quit"] = "q"
    for word, (_, meaning) in WORDS.items():
        names = f"{word}, {letters[word]}" if word in letters else word
        table.say(f"{names:<12}{meaning}\n")
    if not hasattr(rules, "read"):
        table.say(f"{'9d 10s':<12}play a card by its name, or two by theirs: one onto the other\n")


def show_rules(table, _):
    """Show the game's docstring."""
    table.say(table.sitting.rules.__doc__.strip("\n") + "\n")


def show_hint(table, _):
    """Show the most useful legal command; the next time the next one."""
    move = session.hint(table.sitting)
    show_moves_of(table, [move] if move else [])


def show_moves(table, _):
    """Show all legal commands."""
    show_moves_of(table, session.useful_moves(table.sitting))


def show_moves_of(table, moves):
    """Show legal moves as commands, and what they do; or that there are none."""
    rules, game = table.sitting.rules, table.sitting.game
    for move in moves:
        table.say(f"{lines.write(rules, move)}: {lines.tidy(rules.describe(game, *move))}\n")
    if not moves:
        table.say(getattr(rules, "STUCK", STUCK) + "\n")


def show_deal(table, _):
    """Show the command line that deals this game again."""
    if table.sitting.number is None:
        table.say("This deal has no number of its own: restart deals it again.\n")
    else:
        table.say(f"python main.py {session.how_to_deal(table.sitting)}\n")


def solve(table, count):
    """Say whether the game can still be won, and how it goes on. Ctrl-C ends the search."""
    table.console.flush()
    tell_looking(table.console.edits)
    try:
        said = report().what_can_be_done(table.sitting, count, table.limit)
    except KeyboardInterrupt:
        if not table.console.edits:
            raise
        said = "The search was stopped."
    table.say(f"{said}\n")


def undo(table, count):
    """Take back the last commands."""
    moves = session.undo(table.sitting, count or 1)
    show_replayed(table, f"undo {count}" if count else "undo", "Undone", moves)


def redo(table, count):
    """Carry out again what was taken back."""
    moves = session.redo(table.sitting, count or 1)
    show_replayed(table, f"redo {count}" if count else "redo", "Redone", moves)


def show_replayed(table, line, what, moves):
    """Note the line that undid or redid moves, and show these and the board."""
    session.note(table.sitting, line)
    only = lines.write(table.sitting.rules, moves[0]) if len(moves) == 1 else f"{len(moves)} commands"
    table.say(f"{what}: {only}\n")
    table.console.show_board(table.sitting)


def restart(table, _):
    """Deal the same game again."""
    session.restart(table.sitting)
    session.note(table.sitting, "restart")
    table.console.show_board(table.sitting)


def deal_new(table, typed):
    """Deal another game, as the word new and the answer y do: typed is what the journal gets."""
    table.results.count(table.sitting)
    session.deal(table.sitting)
    session.note_deal(table.sitting, typed)
    table.results.begin()
    show_start(table)


def new(table, _):
    """Deal another game."""
    deal_new(table, "new")


WORDS = {
    "help": (show_help, "show the commands"),
    "rules": (show_rules, "show the rules"),
    "hint": (show_hint, "show a useful command; again: the next one"),
    "moves": (show_moves, "show all legal commands"),
    "solve": (solve, "look under the cards: can it be won? solve 5: five commands"),
    "undo": (undo, "take back the last command; undo 5: the last five"),
    "redo": (redo, "carry out again what was taken back; redo 5: five commands"),
    "restart": (restart, "deal this game again"),
    "new": (new, "deal another game"),
    "deal": (show_deal, "show the command line that deals this game again"),
    "quit": (None, "end the game"),
}


# The loop


def show_start(table):
    """Show the game in hand from its title on."""
    sitting = table.sitting
    table.say(f"{sitting.rules.TITLE}\n")
    if table.console.shows and sitting.number is not None:
        if sitting.left_aside:
            table.say(f"Deals left aside that could not be won: {sitting.left_aside}.\n")
        again = session.number_and_deck(sitting)
        table.say(f"Deal {sitting.number}: {again} deals it again.\n")
    table.console.show_board(sitting)


def sit(table):
    """Play games until the player has had enough. Return whether the last one was finished."""
    show_start(table)
    while True:
        play_game(table)
        if table.sitting.rules.check_win(table.sitting.game):
            table.results.count(table.sitting)
        if not play_again(table):
            return session.is_over(table.sitting)


def play_game(table):
    """Carry out the lines that are typed until the game is over or the player quits."""
    while not (outcome := verdict(table.sitting)):
        line = table.console.ask(getattr(table.sitting.rules, "PROMPT", PROMPT))
        word, number = session.read_word("quit" if line is None else line, table.sitting.rules)
        if word == "quit":
            return
        try:
            if word:
                WORDS[word][0](table, number)
            else:
                obey(table, line)
        except lines.Refused as refusal:
            table.say(f"{refusal}\n")
            if refusal.why and table.console.edits:
                table.say(f"{refusal.why()}\n")
    table.say(f"{outcome}\n")


def obey(table, line):
    """Carry out a line of the game and show what comes of it; ValueError says why not."""
    move = session.move_of(table.sitting, line)
    shown = session.looks(table.sitting, move)
    if shown is not None:
        table.say(f"{shown}\n")
        return
    report = session.perform(table.sitting, move)
    session.note(table.sitting, line.strip())
    if report:
        table.say(f"{report}\n")
    table.console.show_board(table.sitting)


def verdict(sitting):
    """Return what is to be said of a game that is won or lost, or None while it goes on."""
    if sitting.rules.check_win(sitting.game):
        return "You won!"
    reason = sitting.rules.check_loss(sitting.game)
    return reason and lines.tidy(reason)


def play_again(table):
    """Ask whether to play again, until there is an answer; the end of input is a no.

    Returns False for no. Else another game has been dealt, or commands have been taken back.
    """
    sitting = table.sitting
    question = PLAY_AGAIN if hasattr(sitting.rules, "read") else PLAY_AGAIN_OR_UNDO
    while (answer := table.console.ask(question)) is not None:
        word, number = session.read_word(answer, sitting.rules)
        answer = answer.strip().lower()
        if answer == "y":
            deal_new(table, "y" if session.is_over(sitting) else "new")
            return True
        if answer == "n":
            break
        if word != "undo":
            table.say(INVALID_INPUT)
            continue
        try:
            undo(table, number)
            return True
        except ValueError as refusal:
            table.say(f"{refusal}\n")
    if session.is_over(sitting):
        table.results.count(sitting)
    return False


# Sittings: what is kept of them, and how they end


def application_folder():
    """Return the folder where unfinished games and results are kept."""
    return click.get_app_dir("patience")


def sittings_folder():
    """Return the folder where unfinished games are kept."""
    return os.path.join(application_folder(), "sittings")


def play(rules, seed, daily, deck, save, ascii_only, solve, winnable, odds, jobs, csv, limit, **options):
    """Play games until the player has had enough, or answer a question about deals: the callback of a
    game's command."""
    must_go_together(seed=seed, daily=daily, deck=deck, save=save, solve=solve, winnable=winnable,
                     odds=odds, jobs=jobs, csv=csv)
    if daily:
        seed = int(time.strftime("%Y%m%d"))
    options = {option: options[option] for option in options_of(rules)}  # in their own order
    if (solve or winnable or odds) and not report().solver_of(rules, options):
        raise click.UsageError("There is no solver for this game yet.")
    deck_file, stacked = deck or ("", None)
    sitting = session.Sitting(rules, options, seed, stacked, deck_file)
    end_on_signals()
    try:
        if odds:
            sys.exit(report().print_odds(sitting, odds, jobs or 1, csv, limit))
        if winnable:
            sitting.wanted = functools.partial(report().is_won, seconds=limit)
        if solve or winnable:
            tell_looking(sys.stderr and sys.stderr.isatty())
        journal = open_journal(save) if save else None
        if journal:
            take_up(sitting, journal, click.BadParameter)
        else:
            session.begin(sitting)
        if solve:
            lines = journal.read()[0][1:] if journal else []
            sys.exit(report().print_solution(sitting, lines, limit))
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)
    except session.MissingMethod as name:
        raise click.ClickException(f"This game needs {name}(), which the cards of cards.py do not have.")
    console = Console(sys.stdin, sys.stdout, ascii_only)
    if console.edits and not journal:
        keep_unasked(sitting)
    run(console, sitting, resumed=bool(sitting.done), limit=limit)


def must_go_together(**given):
    """Raise click.UsageError if some of the given options exclude each other, or need another one."""
    for option, others in EXCLUDES.items():
        if given[option] and any(given[other] or type(given[other]) is int for other in others):
            names = " or ".join(f"--{other}" for other in others)
            raise click.UsageError(f"--{option} does not go together with {names}.")
    for option, needed in NEEDS.items():
        if given[option] and not given[needed]:
            raise click.UsageError(f"--{option} is of use only with --{needed}.")


def end_on_signals():
    """Let SIGTERM and SIGHUP, where there are any, end the program as Ctrl-C does."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)


def tell_looking(at_terminal):
    """Tell a player at a terminal that the solver is at work."""
    if at_terminal:
        click.echo("Looking under the cards ...", err=True)


def report():
    """Return the module solvers.report, which only questions about a deal need."""
    return importlib.import_module("solvers.report")


def open_journal(path):
    """Return the journal in a file; a file that cannot be one is a usage error."""
    try:
        return session.Journal(path)
    except BlockingIOError:
        raise click.BadParameter(f"{path} is in use by another program.") from None
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be written: {error.strerror}.") from None


def take_up(sitting, journal, error):
    """Begin the sitting with what the journal holds; a journal of something else is an error."""
    try:
        cut_off = session.keep(sitting, journal)
    except ValueError as reason:
        raise error(f"{journal.path}: {reason}") from None
    if cut_off:
        click.echo(f"{journal.path}: the last line was cut off, and is dropped: {cut_off}", err=True)


def keep_unasked(sitting):
    """Keep a sitting at a terminal in the application folder, where resume finds it."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    sitting.deck_file = sitting.deck_file and os.path.abspath(sitting.deck_file)
    try:
        os.makedirs(sittings_folder(), exist_ok=True)
        journal = session.Journal(os.path.join(sittings_folder(), name))
        session.keep_from_now_on(sitting, journal)
    except OSError as error:
        click.echo(f"This game is not kept: {error}", err=True)


def run(console, sitting, resumed, limit=SECONDS_TO_SOLVE):
    """Run a sitting that has begun, to its end, whatever ends it."""
    counting = application_folder() if console.edits else None
    table = Table(console, sitting, Results(counting, resumed), limit)
    if sitting.rules.check_win(sitting.game):
        table.results.has_counted()
    console.journal = sitting.journal
    try:
        with contextlib.redirect_stdout(console.stdout):
            finished = sit(table)
            put_away(table, finished)
            console.say("Thank you for playing.\n")
            console.flush()
    except KeyboardInterrupt:
        stop(console, INTERRUPTED, "Interrupted.")
    except OSError as error:
        closed_pipe = error.errno == errno.EPIPE
        stop(console, 1, "" if closed_pipe else f"Error: {error.strerror}")


def put_away(table, finished):
    """At the end of a sitting in the application folder, say how to go on with it, or remove it."""
    journal = table.sitting.journal
    if journal is None or os.path.dirname(journal.path) != sittings_folder():
        return
    if journal.error:
        return
    if table.sitting.done and not finished:
        table.say("This game is kept: python main.py resume goes on with it.\n")
    else:
        table.console.journal = None
        journal.remove()


def stop(console, status, message):
    """End the program before its time: what is not yet written is written or, failing that, lost."""
    try:
        console.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), console.stdout.fileno())
    if message:
        click.echo(("\n" if console.shows else "") + message, err=True)
    sys.exit(status)


# The click commands


class FileName(click.Path):
    """A click type: the name of a file. - is none, for standard input is the player."""

    def convert(self, value, param, ctx):
        if value == "-":
            self.fail("'-' is no file name here: standard input is the player.", param, ctx)
        return super().convert(value, param, ctx)


def time_limit(ctx, param, seconds):
    """Return the seconds of --time; a number that is none is refused."""
    if math.isnan(seconds):
        raise click.BadParameter("it is not a number.")
    return seconds


class DeckFile(FileName):
    """A click type: the name of a deck file, which becomes that name and the cards' pairs."""

    def __init__(self, rules):
        super().__init__(exists=True, dir_okay=False)
        self.rules = rules

    def convert(self, value, param, ctx):
        path = super().convert(value, param, ctx)
        try:
            return path, session.load_deck(path, self.rules)
        except (OSError, ValueError) as error:
            self.fail(f"{path}: {error}", param, ctx)


ASCII = click.Option(
    ["--ascii", "ascii_only"], is_flag=True, help="Print C D H S in place of the suits' symbols."
)


def game_command(name):
    """Return the click command that plays a game, with the options the game has."""
    rules = importlib.import_module(name)
    options = [
        click.Option(
            [f"--{option}"],
            type=click.Choice(choices, case_sensitive=False),
            default=choices[0],
            show_default=True,
        )
        for option, choices in options_of(rules).items()
    ]
    # \b keeps click from filling the paragraphs of the rules anew.
    text = "\b\n" + rules.__doc__.replace("\n\n", "\n\n\b\n")
    callback = functools.partial(play, rules)
    return click.Command(name, callback=callback, params=options + program_options(rules), help=text)


def program_options(rules):
    """Return the options that every game has."""
    return [
        click.Option(["--seed"], type=int, help="Deal the game of this number."),
        click.Option(["--daily"], is_flag=True, help="Deal the game of today's number."),
        click.Option(
            ["--deck"], type=DeckFile(rules), help="Deal the cards of this file, in their order."
        ),
        click.Option(
            ["--save"],
            type=FileName(dir_okay=False),
            help="Keep the game in this file, and go on with the one it holds.",
        ),
        ASCII,
        click.Option(["--solve"], is_flag=True, help="Print commands that win this deal."),
        click.Option(["--winnable"], is_flag=True, help="Deal only games that can be won."),
        click.Option(
            ["--odds"],
            type=click.IntRange(min=1),
            metavar="N",
            help="Solve N deals, from --seed on, and print how many can be won.",
        ),
        click.Option(
            ["--jobs"],
            type=click.IntRange(min=1, max=MOST_JOBS),
            help="Processes for --odds (1).",
        ),
        click.Option(
            ["--csv"],
            type=FileName(dir_okay=False),
            help="A file for the deals of --odds, which goes on where it stopped.",
        ),
        click.Option(
            ["--time", "limit"],
            type=click.FloatRange(min=0),
            callback=time_limit,
            default=SECONDS_TO_SOLVE,
            show_default=True,
            help="Seconds to solve a deal.",
        ),
    ]


class Games(click.Group):
    """The games as commands; a game's module is imported when it is played, not to be listed."""

    def list_commands(self, ctx):
        return [*GAMES, *super().list_commands(ctx)]

    def get_command(self, ctx, name):
        if name in GAMES:
            return click.Command(name, short_help=GAMES[name])
        return super().get_command(ctx, name)

    def resolve_command(self, ctx, args):
        name, command, args = super().resolve_command(ctx, args)
        return name, game_command(name) if name in GAMES else command, args


@click.group(cls=Games, invoke_without_command=True)
@click.pass_context
def main(ctx):
    """Patience games for the terminal.

    Play one with: python main.py GAME
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@main.command(params=[ASCII])
def resume(ascii_only):
    """Go on with the last game that was not finished."""
    names = os.listdir(sittings_folder()) if os.path.isdir(sittings_folder()) else []
    for path in [os.path.join(sittings_folder(), name) for name in sorted(names, reverse=True)]:
        try:
            journal = session.Journal(path)
            sitting = kept_sitting(journal)
        except (OSError, ValueError) as error:  # in use by another program, or damaged
            click.echo(f"{path}: {error}", err=True)
            continue
        end_on_signals()
        run(Console(sys.stdin, sys.stdout, ascii_only), sitting, resumed=True)
        return
    raise click.ClickException("No game was left unfinished.")


def kept_sitting(journal):
    """Return the sitting that a journal holds, whatever its game; ValueError says why not."""
    lines, cut_off = journal.read()
    name, settings = session.read_header(lines[0] if lines else cut_off)
    if name not in GAMES:
        raise ValueError(f"there is no game {name}.")
    rules = importlib.import_module(name)
    options = {option: settings.get(option, choices[0]) for option, choices in options_of(rules).items()}
    session.must_be_options(rules, settings)
    sitting = session.Sitting(rules, options)
    take_up(sitting, journal, ValueError)
    return sitting


@main.command()
@click.option("--reset", is_flag=True, help="Forget all results, after asking.")
def stats(reset):
    """Show the results of the games played at a terminal."""
    folder = application_folder()
    try:
        if not reset:
            show_stats(results().summary(folder))
        elif click.confirm("Forget all results?"):
            results().reset(folder)
    except OSError as error:
        raise click.ClickException(f"The results cannot be read: {error}") from None


def show_stats(rows):
    """Print a line for each game, from the rows of results.summary: streaks, times and fewest
    commands are those of won games."""
    if not rows:
        click.echo("No game has been finished yet.")
        return
    click.echo(
        f"{'':<24}{'played':>6}{'won':>5}{'%':>5}{'streak':>8}{'longest':>9}{'best':>7}"
        f"{'average':>9}{'fewest':>7}"
    )
    for row in rows:
        name = " ".join(word for word in row["game"].split() if not word.startswith("--"))
        click.echo(
            f"{name:<24}{row['played']:6}{row['won']:5}{row['percentage']:5.0f}{row['streak']:8}"
            f"{row['longest']:9}{minutes(row['best']):>7}{minutes(row['average']):>9}"
            f"{row['commands'] or '-':>7}"
        )


def minutes(seconds):
    """Return a time as minutes and seconds, 3:07, or - for None."""
    return "-" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"


if __name__ == "__main__":
    main(complete_var="_MAIN_PY_COMPLETE")
