"""How a game is dealt: from its options, its number or its cards. Also decks in a given order, and their files."""

from __future__ import annotations

import contextlib
import random
import shlex
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import cards
from patience.text import RANKS, SUITS, card_name, card_of, printable, read_text

if TYPE_CHECKING:
    from types import ModuleType

    from cards import Card
    from patience import Pair

PACK = [(rank, suit) for suit in SUITS.values() for rank in RANKS.values()]
MAX_NAMED = 10  # words listed in a message
MAX_NUMBER = 10**6  # the number of a fresh deal has at most 6 digits
MISSING = object()
MAX_BYTES = 1 << 16  # of a deck file, including all its comments


class Deal(NamedTuple):
    """How a game is dealt."""

    rules: Any
    options: dict[str, str]  # option -> choice
    number: Optional[int] = None  # the seed for random, or None to continue its stream
    cards: Optional[list[Pair]] = None  # to deal instead of a shuffled deck
    path: Optional[str] = None  # of their file

    def name(self, named: Container[str] = ()) -> str:
        """Return the name of the game with its non-default options, in their order: klondike --draw 1. named: options
        that are named in any case."""
        chosen = [
            f"--{option} {self.options[option]}"
            for option, choices in self.rules.OPTIONS.items()
            if option in self.options and (option in named or self.options[option] != choices[0])
        ]
        return " ".join([self.rules.name, *chosen])

    def source(self, keeps_cards: bool = False) -> str:
        """Return the options that deal this game again: --seed 8. keeps_cards: list the cards, not their file."""
        words = [] if self.number is None else [f"--seed {self.number}"]
        if self.cards:
            shown = " ".join(map(card_name, self.cards)) if keeps_cards or not self.path else self.path
            words.append(f"--deck {shlex.quote(printable(shown))}")
        return " ".join(words)

    def again(self, keeps_cards: bool = False, named: Container[str] = ()) -> str:
        """Return the game and options that deal it again: klondike --draw 1 --seed 8. keeps_cards: as in source. named:
        as in name."""
        return f"{self.name(named)} {self.source(keeps_cards)}".rstrip()


def fresh_number() -> int:
    """Return a random number for a fresh deal."""
    return random.SystemRandom().randrange(MAX_NUMBER)


@contextlib.contextmanager
def replaced(module: ModuleType | type, name: str, value: Any) -> Iterator[None]:
    """Replace a module's function, or a class's, within this context."""
    before = vars(module).get(name, MISSING)
    setattr(module, name, value)
    try:
        yield
    finally:
        if before is MISSING:
            delattr(module, name)
        else:
            setattr(module, name, before)


def dealing(pairs: Sequence[Pair], module: ModuleType) -> contextlib.AbstractContextManager[None]:
    """Within this context, let a game deal these (rank, suit) cards in order or, if there are none, its own shuffled
    deck. module: the game's."""
    return stacked([cards.Card(*pair) for pair in pairs], module) if pairs else contextlib.nullcontext()


@contextlib.contextmanager
def stacked(dealt: list[Card], module: ModuleType) -> Iterator[None]:
    """Within this context, let a game deal these cards in this order: shuffling a deck or a list changes nothing,
    whatever name the game's module has for it. If the game makes several decks, the first one has all the cards."""
    of_decks = {
        "shuffle": lambda deck: None,
        "deal": lambda deck: dealt.pop(0) if dealt else None,
        "is_empty": lambda deck: not dealt,
        "__len__": lambda deck: len(dealt),
        "__str__": lambda deck: ", ".join(map(str, reversed(dealt))),
    }
    shuffles = [name for name, value in vars(module).items() if value == random.shuffle]
    with contextlib.ExitStack() as stack:
        for name, function in of_decks.items():
            stack.enter_context(replaced(cards.Deck, name, function))
        for owner, name in (random, "shuffle"), *((module, name) for name in shuffles):
            stack.enter_context(replaced(owner, name, lambda _: None))
        yield


def load(path: str, pack: list[Pair] = PACK) -> list[Pair]:
    """Return the (rank, suit) pairs of a deck file. Raises OSError if the file cannot be read, and ValueError as parse
    does."""
    return parse(read_text(path, MAX_BYTES), pack)


def parse(text: str, pack: list[Pair] = PACK) -> list[Pair]:
    """Return the (rank, suit) pairs of a deck in the order they are dealt.

    Cards are words such as 10H, qs or A♣; # begins a comment. pack: the pairs that the deck must
    have; cards that the game does not use may occur once. Raises ValueError, which lists every word
    that is not a card, and every card that is missing or occurs too often.
    """
    words = [word for line in text.removeprefix("\ufeff").split("\n") for word in line.partition("#")[0].split()]
    pairs = [card_of(word) for word in words]
    unknown = [repr(word[:20]) for word, pair in zip(words, pairs) if pair is None]
    needed, counts = Counter(pack), Counter(pair for pair in pairs if pair)
    allowed = needed | Counter(PACK)
    faults = {
        "not a card": unknown[:MAX_NAMED] + ["..."] * (len(unknown) > MAX_NAMED),
        "too many": [card_name(pair) for pair in counts - allowed],
        "missing": [card_name(pair) for pair in needed - counts],
    }
    message = "; ".join(f"{fault}: {' '.join(names)}" for fault, names in faults.items() if names)
    if message:
        raise ValueError(message)
    return [pair for pair in pairs if pair]
