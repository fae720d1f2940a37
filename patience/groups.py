"""A group of commands with one for every game."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import click

from patience import rules
from patience.text import resolve_prefix


class Games(click.Group):
    """A group with a command for every game; a game's module is imported when its command is used."""

    def __init__(self, make: Callable[[str], click.Command], **settings: Any) -> None:
        """make: a function that takes the name of a game and returns its command."""
        super().__init__(invoke_without_command=True, callback=self.answer_without_command, **settings)
        self.make = make

    def answer_without_command(self, **flags: Any) -> None:
        """If no command is given, answer alone. flags: the group's own options."""
        ctx = click.get_current_context()
        if ctx.invoked_subcommand is None:
            self.answer_alone(ctx)

    def answer_alone(self, ctx: click.Context) -> None:
        """Show the help."""
        click.echo(ctx.get_help())

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*rules.all_games(ctx), *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        games = rules.all_games(ctx)
        if name in games:
            return click.Command(name, short_help=games[name])
        return super().get_command(ctx, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        games = rules.all_games(ctx)
        names = [*games, *self.commands]
        typed = resolve_prefix(args[0], names)
        if not typed:
            for alike in difflib.get_close_matches(args[0].lower(), names, 1):
                raise click.UsageError(f"No such command {args[0]!r}. Did you mean {alike}?")
        name, command, args = super().resolve_command(ctx, [typed or args[0], *args[1:]])
        return name, self.make(name) if name in games else command, args
