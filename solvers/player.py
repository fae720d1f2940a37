"""A plain player: quick and fair, and not clever. It makes the first of a game's legal moves, and by chance now and
then one further down. Hints for a game without a solver have it play layouts to their ends.
"""

MAX_MOVES = 400  # then it gives up
LOOKS_EVERY = 20  # moves, to see whether the game is lost though moves are left
FIRST = 0.8  # how often it makes the first move, or else the second, and so on


def play(rules, game, chance):
    """Play a game to its end, by its legal moves, and change it. Return how many moves were made, and one more for
    seeing that it is the end."""
    for count in range(MAX_MOVES):
        is_lost = count % LOOKS_EVERY == 0 and rules.check_loss(game)
        moves = [] if is_lost or rules.check_win(game) else rules.legal_moves(game)
        if not moves:
            break
        rules.perform(game, *choose(moves, chance))
    return count + 1


def choose(moves, chance):
    """Return the first of some moves, or by chance now and then one further down."""
    return next((move for move in moves[:-1] if chance.random() <= FIRST), moves[-1])
