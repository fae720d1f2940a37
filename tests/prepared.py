"""The prepared start of a program that knows no options: python prepared.py FILE CARDS [SEED] [DECK].

It is run as `python FILE` would be, with the modules beside it and CARDS as its cards.py; random is seeded, and
every Deck deals the cards of the deck file, in their order. Without a seed or a deck: "".
"""

import importlib.util
import random
import runpy
import sys
import traceback
from pathlib import Path

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
SUITS = dict(zip("CDHS♣♦♥♠", (1, 2, 3, 4, 1, 2, 3, 4)))


def stacked(deck_class, names, card_class):
    """Return a Deck that deals these cards, and is not shuffled."""
    pairs = [(RANKS.index(name[:-1].upper()) + 1, SUITS[name[-1].upper()]) for name in names]

    class StackedDeck(deck_class):
        def __init__(self, *args):
            super().__init__(*args)
            self.left = [card_class(*pair) for pair in reversed(pairs)]

        def shuffle(self):
            pass

        def deal(self):
            return self.left.pop() if self.left else None

        def is_empty(self):
            return not self.left

        def __len__(self):
            return len(self.left)

    return StackedDeck


def start(file, cards_file, seed, deck):
    spec = importlib.util.spec_from_file_location("cards", cards_file)
    sys.modules["cards"] = cards = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cards)
    if deck:
        lines = Path(deck).read_text(encoding="utf-8-sig").splitlines()
        names = [name for line in lines for name in line.partition("#")[0].split()]
        cards.Deck = stacked(cards.Deck, names, cards.Card)
    if seed:
        random.seed(int(seed))
    sys.argv = [file]
    sys.path[0] = str(Path(file).resolve().parent)
    try:
        runpy.run_path(file, run_name="__main__")
    except Exception as error:  # told as if python had been started with the file
        trace = error.__traceback__
        while trace.tb_next and trace.tb_frame.f_code.co_filename != file:
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        sys.exit(1)


if __name__ == "__main__":
    start(*sys.argv[1:])
