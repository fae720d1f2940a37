"""The options of the commands: their types, and which of them go together."""

import math

import click

SECONDS_TO_SOLVE = 10
MOST_JOBS = 64

# Options that do not go together with others, and options that are of use only with another one.
EXCLUDES = {
    "daily": ("seed", "deck"),
    "winnable": ("seed", "deck"),
    "odds": ("solve", "winnable", "deck", "save"),
}
NEEDS = {"csv": ["odds"], "jobs": ["odds", "solve"], "hints": ["odds"]}


class FileName(click.Path):
    """A click type: the name of a file. - is not one, for standard input is the player."""

    def convert(self, value, param, ctx):
        if value == "-":
            self.fail("'-' is not a file name here: standard input is the player.", param, ctx)
        return super().convert(value, param, ctx)


class DeckFileName(FileName):
    """A click type: the name of a deck file, which becomes a DeckFile."""

    def __init__(self, pack):
        super().__init__(exists=True, dir_okay=False)
        self.pack = pack

    def convert(self, value, param, ctx):
        import patience.decks
        import patience.files

        path = super().convert(value, param, ctx)
        try:
            return patience.decks.load(path, self.pack)
        except (OSError, ValueError) as error:
            said = f"{path}: {patience.files.reason(error)}"
            self.fail(patience.files.printable(said), param, ctx)


def not_nan(ctx, param, seconds):
    """Return the seconds of --time; the number that is not a number is refused."""
    if math.isnan(seconds):
        raise click.BadParameter("it is not a number.")
    return seconds


ASCII = click.Option(["--ascii"], is_flag=True, help="Print C D H S in place of the suits' symbols.")


def program_options(pack):
    """Return the options that every game has. pack: what a deck file holds."""
    file = FileName(dir_okay=False)
    count = click.IntRange(min=1)
    return [
        click.Option(["--seed"], type=int, help="Deal the game of this number."),
        click.Option(["--daily"], is_flag=True, help="Deal the game of today's number."),
        click.Option(["--deck"], type=DeckFileName(pack), help="Deal the cards of this file, in their order."),
        click.Option(["--save"], type=file, help="Keep the game in this file, and go on with the one it holds."),
        ASCII,
        click.Option(["--solve"], is_flag=True, help="Print commands that win this deal."),
        click.Option(["--winnable"], is_flag=True, help="Deal only games that can be won."),
        click.Option(["--odds"], type=count, metavar="N",
                     help="Solve N deals, from --seed on, and print how many can be won."),
        click.Option(["--hints"], is_flag=True, help="For --odds: follow the hints, and count what they win."),
        click.Option(["--warn"], is_flag=True,
                     help="Say at once if nothing can win any more, whatever lies face down."),
        click.Option(["--jobs"], type=click.IntRange(1, MOST_JOBS), help="Processes for --odds and --solve (1)."),
        click.Option(["--csv"], type=file,
                     help="A file for the deals of --odds, which goes on where it stopped."),
        click.Option(["--time"], type=click.FloatRange(min=0), callback=not_nan, default=SECONDS_TO_SOLVE,
                     show_default=True, help="Seconds to solve a deal."),
    ]


def game_options(rules):
    """Return the options that a game has of its own."""
    return [
        click.Option([f"--{option}"], type=click.Choice(choices, case_sensitive=False),
                     default=choices[0], show_default=True)
        for option, choices in rules.OPTIONS.items()
    ]


def must_go_together(given):
    """Raise click.UsageError if some of the given options exclude each other, or need another one."""
    for option, others in EXCLUDES.items():
        if given[option] and any(given[other] or type(given[other]) is int for other in others):
            names = " or ".join(f"--{other}" for other in others)
            raise click.UsageError(f"--{option} does not go together with {names}.")
    for option, needed in NEEDS.items():
        if given[option] and not any(given[other] for other in needed):
            names = " or ".join(f"--{other}" for other in needed)
            raise click.UsageError(f"--{option} is of use only with {names}.")
