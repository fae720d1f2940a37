"""A scripted session: what is typed, and what must be printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from patience.decks import Deal
    from patience.rules import Rules


class Session(NamedTuple):
    """A scripted session."""

    name: str
    deal: Deal  # its rules are None for a different assignment
    prompts: list[str]  # the first asks for a command
    typed: list[str]  # lines without comments
    notes: dict[int, str]  # number of a typed line, from 0 -> text
    is_hidden: bool  # from the students
    answers: list[str]  # the opening, and what must be printed for each line
    kinds: list[str]  # the kind of each answer, as other_program.with_kinds finds it; "" for a different assignment

    @property
    def rules(self) -> Rules | None:
        """The rules of the game, or None."""
        return self.deal.rules

    @property
    def options(self) -> dict[str, str]:
        """The options that the session's first line names, for the program's main()."""
        named = self.deal.options.items() if self.rules else ()
        return {name: choice for name, choice in named if choice != self.deal.rules.OPTIONS[name][0]}
