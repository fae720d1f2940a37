"""New sessions that no student knows: a deck, commands of all kinds, recorded by our own game."""

import random

from grading.mirror import pairs_of
from grading.sessions import write_out
from montana import sequence_length
from patience.advice import hints
from patience.game import decks, rules
from patience.game.names import card_name
from patience.game.sitting import Sitting
from solvers.positions import chance_kept

GAME = "montana"
BLANK = 1  # the rank
LONGEST = 12  # cards of a row that is done
LINES = 30  # of a session, before its second game
SECOND = 8  # lines of that
NO_NUMBERS = ("1 2 3", "x 1 2 3", "hello", "1 2 3 4 5")
ALL_SHUFFLES = ("s", "s", "s")  # and one that is not left
RANGES = ("0 1 1 1", "5 1 1 1", "1 14 1 1", "1 1 4 0", "1 1 1 99")


def make(count, folder, seed, games):
    """Write so many sessions to a folder, NAME.in, NAME.out and NAME.deck: the first is won, the last has a second
    game. The same seed makes the same ones. games: the names of this project's games."""
    chance = random.Random(seed)
    for number in range(1, count + 1):
        name = f"{GAME}-{seed}-{number}"
        with chance_kept():
            sitting, lines = won_game(chance) if number == 1 else played_game(chance, number == count)
        pairs = [card_name(pair) for pair in sitting.deck.pairs]
        (folder / f"{name}.deck").write_text(" ".join(pairs) + "\n")
        script = folder / f"{name}.in"
        script.write_text("\n".join([f"# {GAME} --seed {sitting.seed} --deck {name}.deck", *lines, ""]))
        write_out(script, games)


def dealt(chance):
    """Return a sitting with a new deal."""
    game_rules = rules.load(GAME)
    pairs = list(game_rules.PACK)
    chance.shuffle(pairs)
    options = {option: choices[0] for option, choices in game_rules.OPTIONS.items()}
    sitting = Sitting(game_rules, options, chance.randrange(10**6), decks.DeckFile("deck", pairs))
    sitting.deal()
    return sitting


def won_game(chance):
    """Return a sitting that can be won, and the lines that win it, behind some that are refused. Its first row is done
    before the last move, for a program may look at that row alone."""
    sitting = dealt(chance)
    while not hints.follow(sitting)[0] or sequence_length(sitting.positions()[-2][0]) != LONGEST:
        sitting = dealt(chance)
    sitting.undo(len(sitting.done))
    refused = [*near_misses(sitting, True)[:1], *near_misses(sitting, False)[:1], NO_NUMBERS[0], RANGES[0]]
    sitting.redo(len(sitting.undone))
    return sitting, [*refused, *(sitting.rules.write(*move) for move in sitting.done), "n"]


def played_game(chance, has_second):
    """Return a sitting, and lines of all kinds for it; perhaps a second game follows."""
    sitting = dealt(chance)
    lines = [*played(sitting, chance, LINES), *ALL_SHUFFLES]
    if has_second:
        lines += ["q", "y", *played(dealt(chance), chance, SECOND), *ALL_SHUFFLES]
    return sitting, [*lines, "q", "n"]


def near_misses(sitting, by_suit):
    """Return lines that move a card beside one that is one lower, but of another suit; or else beside one of its suit
    that is not one lower."""
    rows = pairs_of(sitting.game)
    pairs = {(row, column): pair for row, line in enumerate(rows) for column, pair in enumerate(line)}
    lines = []
    for row, column in pairs:
        rank, suit = pairs.get((row, column - 1), (0, 0))
        if pairs[row, column][0] == BLANK and rank > BLANK:
            lines += [
                sitting.rules.write(*source, row, column)
                for source, pair in pairs.items()
                if pair[0] > BLANK and (pair[0] == rank + 1, pair[1] == suit) == (by_suit, not by_suit)
            ]
    return lines


def played(sitting, chance, count):
    """Play so many commands of all kinds; return their lines."""
    lines = []
    late = dict(zip((count - 4, count - 2), (chance.choice(NO_NUMBERS), chance.choice(RANGES))))  # a program may crash
    for number in range(count):
        legal = [move for move in sitting.legal_moves() if move != ("s",)]
        what = chance.random()
        if number in late:
            lines.append(late[number])
        elif what < 0.05:
            lines.append(" ".join(str(chance.randrange(1, most)) for most in (5, 14, 5, 14)))
        elif what < 0.3:
            lines.append(chance.choice(near_misses(sitting, what < 0.175) or ["1 1 1 1"]))
        elif legal and what < 0.9:
            lines.append(sitting.rules.write(*chance.choice(legal)))
        else:
            lines.append("s")
        move = sitting.rules.read(lines[-1]) if lines[-1] not in (*NO_NUMBERS, *RANGES) else None
        if move and sitting.rules.refusal(sitting.game, *move) is None:
            sitting.perform(move)
    return lines
