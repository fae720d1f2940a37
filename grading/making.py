"""New sessions that no student knows: a deck, commands of all kinds, recorded by our own game."""

import random

from grading.mirror import pairs_of
from grading.sessions import write_out
from montana import sequence_length
from patience import rules
from patience.analysis import hints
from patience.game import Deal, Game
from patience.text import card_name
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
            game, lines = won_game(chance) if number == 1 else played_game(chance, number == count)
        pairs = [card_name(pair) for pair in game.deal.cards]
        (folder / f"{name}.deck").write_text(" ".join(pairs) + "\n")
        script = folder / f"{name}.in"
        script.write_text("\n".join([f"# {GAME} --seed {game.deal.number} --deck {name}.deck", *lines, ""]))
        write_out(script, games)


def dealt(chance):
    """Return a Game with a new deal."""
    game_rules = rules.load(GAME)
    pairs = list(game_rules.PACK)
    chance.shuffle(pairs)
    options = {option: choices[0] for option, choices in game_rules.OPTIONS.items()}
    return Game(Deal(game_rules, options, chance.randrange(10**6), pairs))


def won_game(chance):
    """Return a Game that can be won, and the lines that win it, behind some that are refused. Its first row is done
    before the last move, for a program may look at that row alone."""
    game = dealt(chance)
    while not hints.follow(game)[0] or sequence_length(game.positions()[-2][0]) != LONGEST:
        game = dealt(chance)
    game.undo(len(game.moves))
    refused = [*near_misses(game, True)[:1], *near_misses(game, False)[:1], NO_NUMBERS[0], RANGES[0]]
    game.redo(len(game.undone))
    return game, [*refused, *(game.rules.write(*move) for move in game.moves), "n"]


def played_game(chance, has_second):
    """Return a Game, and lines of all kinds for it; perhaps a second game follows."""
    game = dealt(chance)
    lines = [*played(game, chance, LINES), *ALL_SHUFFLES]
    if has_second:
        lines += ["q", "y", *played(dealt(chance), chance, SECOND), *ALL_SHUFFLES]
    return game, [*lines, "q", "n"]


def near_misses(game, by_suit):
    """Return lines that move a card beside one that is one lower, but of another suit; or else beside one of its suit
    that is not one lower."""
    rows = pairs_of(game.position)
    pairs = {(row, column): pair for row, line in enumerate(rows) for column, pair in enumerate(line)}
    lines = []
    for row, column in pairs:
        rank, suit = pairs.get((row, column - 1), (0, 0))
        if pairs[row, column][0] == BLANK and rank > BLANK:
            lines += [
                game.rules.write(*source, row, column)
                for source, pair in pairs.items()
                if pair[0] > BLANK and (pair[0] == rank + 1, pair[1] == suit) == (by_suit, not by_suit)
            ]
    return lines


def played(game, chance, count):
    """Play so many commands of all kinds; return their lines."""
    lines = []
    late = dict(zip((count - 4, count - 2), (chance.choice(NO_NUMBERS), chance.choice(RANGES))))  # a program may crash
    for number in range(count):
        legal = [move for move in game.legal_moves() if move != ("s",)]
        what = chance.random()
        if number in late:
            lines.append(late[number])
        elif what < 0.05:
            lines.append(" ".join(str(chance.randrange(1, most)) for most in (5, 14, 5, 14)))
        elif what < 0.3:
            lines.append(chance.choice(near_misses(game, what < 0.175) or ["1 1 1 1"]))
        elif legal and what < 0.9:
            lines.append(game.rules.write(*chance.choice(legal)))
        else:
            lines.append("s")
        move = game.rules.read(lines[-1]) if lines[-1] not in (*NO_NUMBERS, *RANGES) else None
        if move and game.rules.refusal(game.position, *move) is None:
            game.perform(move)
    return lines
