"""The commands besides a game's own program: play, solve, review, stats. They are imported when they are used."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

import click

from patience import ExitStatus, options, rules
from patience.decks import fresh_number
from patience.game import Game
from patience.games.student_file import load_file
from patience.groups import Games
from patience.table.menu import choose
from patience.table.records import kept_options, savefile, statistics, store
from patience.table.start import console_of, file_game, play_game
from patience.text import error_text, printable

if TYPE_CHECKING:
    from patience.options import DeckFile

EXISTING = options.FileName(exists=True, dir_okay=False)
PLAY_HELP = """Sit down at the table, with undo, hints, arrow keys and the mouse.

Without a game, choose one from the list. A name with a dot or a slash is a file: an unchanged program for Montana's
assignment, or a module in the form described in docs/contract.md. It runs like any other Python program, without a
sandbox."""


def play_command(game: str) -> click.Command:
    """Return the command that sits a player down at the table. game: a game's name, or the path of a file."""
    games = rules.all_games()
    game_rules = rules.load(game) if game in games else load_file(EXISTING.convert(game, None, None), games)

    def sit_down(**values: Any) -> None:
        kept = kept_options.kept_choices(game_rules)
        values |= {name: choice for name, choice in kept.items() if options.is_default(name)}
        flags = {option.name: values.pop(option.name) for option in options.CONSOLE}
        before = click.get_current_context().parent  # play --spoken klondike
        flags = {name: is_on or bool(before and before.params[name]) for name, is_on in flags.items()}
        with contextlib.closing(console_of(**flags)) as console:
            if play_game(game_rules, console, **values):
                choose(console)

    return options.game_command(game_rules, [*options.play_options(game_rules), *options.CONSOLE], sit_down)


class Play(Games):
    """The command play: a command for every game, and for every file; alone it shows the list."""

    def answer_alone(self, ctx: click.Context) -> None:
        """Let the player choose from the list."""
        with contextlib.closing(console_of(**ctx.params)) as console:
            choose(console)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if {".", "/", os.sep}.isdisjoint(args[0]):
            return super().resolve_command(ctx, args)
        return args[0], self.make(args[0]), args[1:]


play = Play(
    play_command,
    name="play",
    params=[*options.CONSOLE],
    help=PLAY_HELP,
    short_help="Sit down at the table, with undo and hints.",
    subcommand_metavar="[GAME|FILE] [OPTIONS]",
)


@click.command(
    "stats",
    params=[options.SPOKEN],
    help="Show your results; stats klondike: by option; stats daily: the daily deals.",
    short_help="Show the results of your games.",
)
@click.argument("what", required=False, type=options.StatsName())
@click.option("--reset", is_flag=True, help="Delete all results, after asking.")
def stats(what: str | None, reset: bool, spoken: bool) -> None:
    """Show the results, or delete them."""
    if reset and what:
        raise click.UsageError("--reset deletes the results of all games, and takes no name.")
    with contextlib.closing(console_of(spoken)) as console:
        if reset and not console.agrees("Delete all results"):
            click.echo("Nothing was changed.", err=True)
            return
        try:
            if reset:
                store.reset()
                text = "All results deleted."
            else:
                text = statistics.describe(what, console.arrange_table)
        except OSError as error:
            raise click.ClickException(f"The results could not be opened: {error}") from None
        console.print(text)


@click.command("review", params=[options.SPOKEN], help="Show what the choices in a saved game cost.")
@click.argument("file", type=EXISTING)
@click.option("--last", type=click.IntRange(min=1), help="Review only the last N commands (default 300).")
def review(file: str, last: int | None, spoken: bool) -> None:
    """Review the game saved in a file."""
    from patience.advice import review as judge  # play begins 8 ms earlier without it

    try:
        game = savefile.read(file, rules.all_games())
    except (OSError, ValueError) as error:
        raise click.UsageError(printable(f"{file}: {error_text(error)}")) from None
    if not game or not game.commands:
        raise click.UsageError(printable(f"{file}: no command has been carried out yet."))
    count, which = judge.scope(game, last, "--last {}")
    click.echo(judge.notice(count, which), err=True)
    choices, text = [], [which] if count < len(game.commands) else []
    try:
        text += judge.review(game, count, choices)
    except KeyboardInterrupt:
        text += judge.summary(game, choices)
    console_of(spoken).print("\n".join(text))


def solve_command(name: str) -> click.Command:
    """Return the command that prints a game's solution."""
    game_rules = rules.load(name)

    def show(seed: int | None, deck: DeckFile | None, save: str | None, time: float, **choices: str) -> ExitStatus:
        from patience.advice import solve as solving

        deal = options.deal_of(game_rules, seed, deck, choices)
        game = file_game(save, deal) if save else None
        game = game or Game(deal._replace(number=fresh_number() if seed is None else seed))
        return solving.print_solution(game, time)

    saved = click.Option(["--save"], type=EXISTING, help="Solve the game saved in this file.")
    params = [*options.deal_options(game_rules), saved, options.TIME]
    text = (
        "Print commands that win this deal, as a script. Exits with 1 if it cannot be won, 3 if it ran out of time or "
    )
    return click.Command(name, callback=show, params=[*params], help=text + "memory.")


solve = Games(solve_command, name="solve", help="Print commands that win a deal, as a script.")
