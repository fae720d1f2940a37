"""A scripted session: what is typed, and what must be printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from patience import decks
from patience.text import card_name

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
    kinds: list[str]  # the kind of each answer, as mirror.with_kinds finds it; "" for a different assignment

    @property
    def rules(self) -> Rules | None:
        """The rules of the game, or None."""
        return self.deal.rules

    @property
    def arguments(self) -> list[str]:
        """The arguments our program is started with. A game with two packs shuffles them itself, so its cards are
        passed to it."""
        words = self.deal.name().split() if self.rules else []
        return [*words, "--deck", " ".join(map(card_name, self.deal.cards or []))] if self.has_two_packs else words

    @property
    def has_two_packs(self) -> bool:
        """True if there are more cards than one Deck holds."""
        return bool(self.rules and self.deal.cards and len(self.deal.cards) > len(decks.PACK))
