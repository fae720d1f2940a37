"""The options of the commands, the types of their values, and command lines read from files."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import shlex
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import click

from patience import Pair, decks, rules
from patience.decks import Deal
from patience.text import error_text, printable, resolve_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from patience.rules import Rules

MAX_SEED = 2**63 - 1  # the store has room for 64 bits
MAX_LINE = 4096  # characters of a command line in a file
SECONDS_TO_SOLVE = 10
IN_SHORT = "In short: "  # begins the paragraph that a player reads first at the table, where cards are typed by name
NOT_SET = ("", "0", "no", "n", "false", "f", "off")
BRIEF = "brief"  # the value of PATIENCE_SPOKEN that leaves out reasons


class DeckFile(NamedTuple):
    """The value of --deck."""

    path: Optional[str]  # None if the cards themselves were typed
    pairs: list[Pair]


class FileName(click.Path):
    """A click type: the name of a file. "-" is refused, because the player types on standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in ("", "-"):
            self.fail(f"{value!r} is not the name of a file.", param, ctx)
        return super().convert(value, param, ctx)


class GameName(click.ParamType):
    """A click type: the name of a game, or a prefix that no other game shares."""

    name = "game"
    others: tuple[str, ...] = ()  # words besides the games

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        names = [*rules.all_games(), *self.others]
        return resolve_prefix(value, names) or self.fail(f"{value!r} is not one of {', '.join(names)}.", param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return click.Choice([*rules.all_games(ctx), *self.others], case_sensitive=False).shell_complete(
            ctx, param, incomplete
        )


class StatsName(GameName):
    """A click type: the name of a game, or daily."""

    others = ("daily",)


class DeckName(FileName):
    """A click type: the name of a deck file, or the cards themselves. The value is a DeckFile. A context's obj is the
    file's folder, by default the current one."""

    def __init__(self, pack: list[Pair]) -> None:
        super().__init__(exists=True, dir_okay=False)
        self.pack = pack

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = None if len(value.split()) >= len(self.pack) // 2 else value
        folder = ctx.obj if ctx else None
        try:
            if path is None:
                return DeckFile(path, decks.parse(value, self.pack))
            source = super().convert(os.path.join(folder, value) if value and folder else value, param, ctx)
            return DeckFile(path, decks.load(source, self.pack))
        except (OSError, ValueError) as error:
            self.fail(printable(f"{path or 'the cards'}: {error_text(error)}"), param, ctx)


def refuse_nan(ctx: click.Context, param: click.Parameter, seconds: float) -> float:
    """Return the seconds of --time; refuse NaN."""
    if math.isnan(seconds):
        raise click.BadParameter("it is not a number.")
    return seconds


class YesOrBrief(click.types.BoolParamType):
    """A click type: yes, no, or BRIEF, which counts as yes and is read by Spoken."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert("yes" if value == BRIEF else value, param, ctx)


def is_accessible() -> bool:
    """Return True if ACCESSIBLE, which other programs read as well, is set by a player at a terminal."""
    return at_terminal() and (os.environ.get("ACCESSIBLE") or "").lower() not in NOT_SET


def are_answers_spoken() -> bool:
    """Return True if the environment asks for spoken answers."""
    with contextlib.suppress(click.BadParameter):
        spoken = os.environ.get("PATIENCE_SPOKEN")
        return YesOrBrief().convert(spoken, None, None) if spoken else is_accessible()
    return False


class SpokenFormatter(click.HelpFormatter):
    """Help without columns, for a player who listens."""

    def write_dl(self, rows: Any, *_: Any, **__: Any) -> None:
        self.write("".join(f"{name}: {text}\n" for name, text in rows))


def progress_bar(over: int | Iterable[Any], label: str) -> Any:
    """Return a progress bar on the standard error stream; for a player who listens, only its label. over: the number of
    steps, or what is gone through, however long that is."""
    template = "%(label)s" if are_answers_spoken() else "%(label)s  [%(bar)s]  %(info)s"
    what: dict[str, Any] = {"length": over} if isinstance(over, int) else {"iterable": over, "show_percent": False}
    return click.progressbar(**what, label=label, file=sys.stderr, bar_template=template)


FILE = FileName(dir_okay=False)
flag = functools.partial(click.Option, is_flag=True)
option = functools.partial(click.Option, show_default=True)
SCROLL = flag(["--scroll"], help="Print each board below the last.")
SPOKEN_HELP = "Use sentences, for a screen reader (or set PATIENCE_SPOKEN=1; brief leaves out reasons)."
SPOKEN = flag(
    ["--spoken"], type=YesOrBrief(), envvar="PATIENCE_SPOKEN", default=is_accessible, flag_value=True, help=SPOKEN_HELP
)
PLAIN = flag(["--plain"], help="Show the board as the game's own program prints it.")
CONSOLE = [SCROLL, SPOKEN, PLAIN]  # how a player sits at the table; the options page has the rest
SEED = click.Option(["--seed"], type=click.IntRange(0, MAX_SEED), help="Deal the game with this number.")
SAVE = click.Option(["--save"], type=FILE, help="Save the game in this file, or continue the game in it.")
TIME_HELP = "Time limit for the solver, in seconds per deal."
SECONDS = click.FloatRange(min=0)
TIME = option(["--time"], type=SECONDS, callback=refuse_nan, default=SECONDS_TO_SOLVE, help=TIME_HELP)


def deal_options(game_rules: Rules) -> list[click.Option]:
    """Return the options that choose the deal: the game's own, --seed and --deck."""
    of_game = [
        option([f"--{name}"], type=click.Choice(choices, case_sensitive=False), default=choices[0])
        for name, choices in game_rules.OPTIONS.items()
    ]
    deck = click.Option(
        ["--deck"], type=DeckName(game_rules.PACK), help="Deal the cards in this file, or these cards, in order."
    )
    return [*of_game, SEED, deck]


def play_options(game_rules: Rules) -> list[click.Option]:
    """Return the options for playing a game at the table, except those of the console."""
    return [
        *deal_options(game_rules),
        flag(["--daily"], help="Deal today's deal, which can be won."),
        SAVE,
        flag(["--winnable"], help="Deal only games that can be won."),
        TIME,
    ]


def game_command(
    game_rules: Rules, params: list[click.Option], callback: Callable[..., Any] | None = None
) -> click.Command:
    """Return a command for a game, whose help is the game's rules and commands. callback: called with the values of
    params."""
    paragraphs = [part for part in game_rules.text.split("\n\n") if not part.startswith(IN_SHORT)]
    text = "\n\n".join(f"\b\n{part}" for part in paragraphs)  # \b keeps click from rewrapping the paragraphs
    commands = f"\b\nCommands:\n{game_rules.COMMANDS}" if game_rules.COMMANDS else None
    return click.Command(game_rules.name, callback=callback, params=[*params], help=text, epilog=commands)


def is_default(name: str) -> bool:
    """Return True if an option has its default value, and nobody has chosen it."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.DEFAULT


def at_terminal() -> bool:
    """Return True if a player sits at a terminal."""
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def deal_of(game_rules: Rules | None, seed: int | None, deck: DeckFile | None, options: dict[str, str]) -> Deal:
    """Return the Deal that a command's options describe. deck: a DeckFile or None. options: the game's own."""
    return Deal(game_rules, options, seed, deck and deck.pairs, deck and deck.path)


def read_options(command: click.Command, line: str, folder: Path | str | None = None) -> dict[str, Any]:
    """Let click parse a line such as `klondike --draw 1 --seed 8`; return the values of the options and arguments.
    folder: where to look for the files that it names. Raises ValueError with a sentence."""
    try:
        name, *words = shlex.split(line)
        return command.make_context(name, words, obj=folder).params
    except click.UsageError as error:
        raise ValueError(error.format_message()) from None


def read_deal(line: str, games: dict[str, str], folder: Path | str | None = None, own: Rules | None = None) -> Deal:
    """Return the Deal of a first line such as `# klondike --draw 1 --seed 8`. games: the names of the games. folder:
    where to look for the deck file it names. own: the rules of the game that has their name, or None. Raises ValueError
    with a sentence if it is not such a line."""
    sign, name, *_ = [*line.removeprefix("\ufeff")[:MAX_LINE].split(), "", ""]
    if sign != "#" or not name or len(line) > MAX_LINE:
        raise ValueError("its first line must be # GAME OPTIONS.")
    if name not in games:
        raise ValueError(f"there is no game {name}.")
    game_rules = own if own and own.name == name else rules.load(name)
    command = click.Command(name, params=[*deal_options(game_rules)], add_help_option=False)
    values = read_options(command, line[1:], folder)
    return deal_of(game_rules, values.pop("seed"), values.pop("deck"), values)


def passes_over(line: str, deal: Deal) -> bool:
    """Return True if a line is the first of a saved game of this kind: # klondike --draw 1 --seed 8. If its deal is
    another than this one, say so on standard error."""
    if line.split()[:2] != ["#", deal.rules.name]:
        return False
    with contextlib.suppress(ValueError):
        if read_deal(line, {deal.rules.name: ""}, None, deal.rules).again(True) == deal.again(True):
            return True
    click.echo(f"These commands were saved for another deal:{printable(line.strip().removeprefix('#'))}", err=True)
    return True
