"""What several tests need: running the program, and cards written as text."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "tests" / "scripts"
sys.path.insert(0, str(ROOT))

import cards
import session

SECONDS = 60  # a program that takes longer hangs


def run(arguments, script=b"", project=ROOT, cwd=SCRIPTS, **environment):
    """Run main.py of a project with a script as its input; return what subprocess.run returns."""
    if isinstance(arguments, str):
        arguments = arguments.split()
    if isinstance(script, str):
        script = script.encode()
    return subprocess.run(
        [sys.executable, project / "main.py", *arguments],
        input=script,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **environment},
        timeout=SECONDS,
    )


def copy_project(folder, cards_file=ROOT / "cards.py"):
    """Copy the program to a folder, perhaps with another cards.py; return the folder."""
    for module in ROOT.glob("*.py"):
        shutil.copy(module, folder)
    shutil.copy(cards_file, Path(folder) / "cards.py")
    shutil.copytree(ROOT / "solvers", Path(folder) / "solvers")
    return folder


def card(name):
    """Return a card from its name: card("10H") is the ten of hearts."""
    rank, suit = session.RANKS[name[:-1]], session.SUITS[name[-1]]
    return cards.Card(rank, suit)


def pairs(cards_in_play):
    """Return the sorted (rank, suit) pairs of some cards."""
    return sorted((card.rank(), card.suit()) for card in cards_in_play)


def pile(names):
    """Return a list of face-up cards from their names, with XX before a card that is face down:
    pile("XX KS 10H") has a King of spades that lies face down, and the ten of hearts."""
    result, face_down = [], False
    for word in names.split():
        if word != "XX":
            result.append(card(word))
            if face_down:
                result[-1].flip_card()
        face_down = word == "XX"
    return result


def names(cards_in_play):
    """Return the cards as text, the way pile() takes them."""
    suits = "?CDHS"
    ranks = list(session.RANKS)
    return " ".join(
        ("" if card.is_face_up() else "XX ") + ranks[card.rank() - 1] + suits[card.suit()]
        for card in cards_in_play
    )
