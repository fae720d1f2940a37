"""Learn the weights of patience/solvers/quadzilla_worth.py, and write patience/solvers/quadzilla_table.txt.

    python -m tools.learn_quadzilla patience/solvers/quadzilla_table.txt

For easy and normal games the weights are those of EVOLVED, which were found by evolution, judged by the games they win.
They seldom win hard games, so for those they are only a start: games are played with them, and ends of their turns are
kept. Then, from the last turn but one back to the first, the weights of each turn are fitted to the chance of winning
after its ends. For that, rows are drawn from the cards that may come, and each is followed by the best end of the next
turn. Finally the same number of games is played with the new weights, and the chances that these give are adjusted to
the share of games won. Games and rows follow from one seed, so the table is always the same, except for the last
digits: from Python 3.12 on, floats are added up differently. It takes some twenty minutes.
"""

import itertools
import math
import operator
import random
import sys

import quadzilla
from patience.solvers.quadzilla import Card
from patience.solvers.quadzilla_advice import WIDTH_AFTER, Outlook, has_win
from patience.solvers.quadzilla_worth import UNIT, Features, features, logistic
from tools.learn_montana import command_of

SEED = 231
GAMES = 1500
ROWS = 3  # for each end
SURPRISES = 0.05  # the share of turns that end at any of the BEST ends instead of the best one
BEST = 12
OTHERS = 2  # of the BEST ends of each turn are kept, plus the end that the game continues from
STEPS = 12  # of Newton's method
RIDGE = 1.0  # how strongly weights are pulled towards 0

# What the end of a turn costs, for the first turn and for the last; for turns in between, in proportion.
EVOLVED = {
    "easy": (
        Features(38, 47, 82, 80, 9, -13, 57, 0, 73, 0, 4900, -49),
        Features(45, 51, 62, 98, 8, -5, -36, 0, -63, 0, 2200, -32),
    ),
    "normal": (
        Features(40, 17, 56, 73, 13, -15, 34, 0, -23, 0, 3000, 0),
        Features(56, 63, 66, 88, 11, -21, -38, 0, -57, 0, 240, 0),
    ),
    "hard": (
        Features(44, 33, 91, 80, 15, 2, -1, 0, -31, 0, 2600, 0),
        Features(63, 79, 53, 94, 16, 16, -67, 0, -57, 0, 1300, 0),
    ),
}
# The logarithm of the odds if a turn ends at the usual price; that price, in tens; and how much more, for each turn
# to come, makes the odds 2.7 times as bad. Fitted to some thousand games.
ODDS = {"easy": (3.5, -32, 33), "normal": (1.1, -12, 9), "hard": (-2.2, 3, 5.5)}

ABOUT_THE_TABLE = """\
# The weights for quadzilla_worth.py, in hundred-thousandths: difficulty -> turn -> Features, as
# tools/learn_quadzilla.py has learned them. Do not edit: run that program again.
"""


def evolved(difficulty):
    """Return the weights that were found by evolution, turn -> Features."""
    (first, last), (log, usual, spread) = EVOLVED[difficulty], ODDS[difficulty]
    table, turns = {}, quadzilla.TURNS
    for turn in range(1, turns):
        to_come = turns - turn
        unit = -UNIT / (10 * (turns - 1) * spread * to_come)
        costs = [(begin * to_come + end * (turn - 1)) * unit for begin, end in zip(first, last)]
        table[turn] = Features(*map(round, costs))._replace(always=round(UNIT * (log + usual / (spread * to_come))))
    return table


def play_turns(outlook, chance, choose):
    """Play a game; yield each turn, the chosen end, all ends of the turn, best first, and the cards that may come.
    choose: picks one of the ends."""
    shoe, end = new_shoe(chance), (((),) * 4, 0)
    for turn in range(1, quadzilla.TURNS + 1):
        row, shoe = shoe[:4], shoe[4:]
        start = outlook.dealt(end, row)
        if start is None:
            return
        found = outlook.turn_ends(start, turn, shoe, WIDTH_AFTER)
        ends = sorted(found, key=lambda end: -outlook.log_odds(end, turn, shoe))
        end = choose(ends)
        yield turn, end, ends, shoe


def play(difficulty, table, chance):
    """Play games with a table; for each turn but the last, return some of its ends, (end, rank, the cards that may
    come)."""
    kept = {turn: [] for turn in table}

    def choose(ends):
        return chance.choice(ends[:BEST]) if chance.random() < SURPRISES else ends[0]

    for _ in range(GAMES):
        outlook = Outlook(difficulty, chance.randint(1, 13), {difficulty: table})
        for turn, end, ends, shoe in itertools.islice(play_turns(outlook, chance, choose), len(table)):
            best = ends[:BEST]
            kept[turn] += [(each, outlook.rank, shoe) for each in (end, *chance.sample(best, min(OTHERS, len(best))))]
    return kept


def new_shoe(chance):
    """Return a shuffled deck."""
    shoe = [Card(rank, suit) for rank, suit in itertools.product(range(1, 14), range(1, 5))]
    chance.shuffle(shoe)
    return shoe


def learn(difficulty, chance):
    """Return weights learned from the last turn but one back to the first, turn -> Features."""
    table = evolved(difficulty)
    for turn, ends in sorted(play(difficulty, table, chance).items(), reverse=True):
        counts, chances = [], []
        for end, rank, shoe in ends:
            outlook = Outlook(difficulty, rank, {difficulty: table})
            counts.append(features(*end, rank, shoe))
            chances.append(math.fsum(after_a_row(outlook, end, turn, shoe, chance) for _ in range(ROWS)) / ROWS)
        table[turn] = Features(*(round(UNIT * weight) for weight in fit(counts, chances)))
        print(
            f"{difficulty}, turn {turn}: {len(ends)} ends, {sum(chances) / len(ends):.3f}", file=sys.stderr, flush=True
        )
    return table


def settle(difficulty, table, chance):
    """Return a table with the chances of each turn raised or lowered so that on average they equal the share of games
    won with it. Because they are learned from the best of later ends, they are too high at first."""
    promised, shares = {turn: [] for turn in table}, {turn: [] for turn in table}
    for _ in range(GAMES):
        path, won = play_to_the_end(Outlook(difficulty, chance.randint(1, 13), {difficulty: table}), chance)
        for turn, log_odds in path.items():
            promised[turn].append(log_odds / UNIT)
            shares[turn].append(won)
    settled = {}
    for turn, weights in table.items():
        more = 0.0
        for _ in range(STEPS):
            found = [logistic(log_odds + more) for log_odds in promised[turn]]
            step = math.fsum(map(operator.sub, shares[turn], found)) / math.fsum(one * (1 - one) for one in found)
            more += max(-1, min(1, step))
        settled[turn] = weights._replace(always=weights.always + round(UNIT * more))
    return settled


def play_to_the_end(outlook, chance):
    """Play a game, choosing the best end of each turn; return the logarithm of its odds, by turn, and whether it was
    won."""
    path, won = {}, False
    for turn, end, ends, shoe in play_turns(outlook, chance, operator.itemgetter(0)):
        if turn == quadzilla.TURNS:
            won = has_win(ends)
        else:
            path[turn] = outlook.log_odds(end, turn, shoe)
    return path, won


def after_a_row(outlook, end, turn, shoe, chance):
    """Return the chance of winning after the end of a turn if a row drawn from the shoe follows."""
    cards = shoe[:]
    chance.shuffle(cards)
    return outlook.chance_after(end, turn, cards[:4], cards[4:])


def fit(counts, chances):
    """Return the weights of a logistic function that gives chances for counts, by Newton's method."""
    size = len(Features._fields)
    usual = min(0.99, max(0.001, sum(chances) / len(chances)))
    weights = [0.0] * (size - 1) + [math.log(usual / (1 - usual))]
    for _ in range(STEPS):
        curve = [[RIDGE * (row == column != size - 1) for column in range(size)] for row in range(size)]
        slope = [-RIDGE * weight for weight in weights[:-1]] + [0.0]
        for row, wanted in zip(counts, chances):
            log_odds = max(-30, min(30, sum(weight * count for weight, count in zip(weights, row))))
            found = logistic(log_odds)
            for number, count in enumerate(row):
                if count:
                    slope[number] += (wanted - found) * count
                    bend = max(found * (1 - found), 1e-4) * count
                    curve[number] = [before + bend * other for before, other in zip(curve[number], row)]
        weights = [weight + step for weight, step in zip(weights, solve(curve, slope))]
    return weights


def solve(matrix, values):
    """Return the x of matrix * x = values, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, values)]
    for number in range(len(rows)):
        pivot = max(range(number, len(rows)), key=lambda place: abs(rows[place][number]))
        rows[number], rows[pivot] = rows[pivot], rows[number]
        for place, row in enumerate(rows):
            if place != number and rows[number][number]:
                factor = row[number] / rows[number][number]
                rows[place] = [one - factor * other for one, other in zip(row, rows[number])]
    return [row[-1] / row[number] if row[number] else 0.0 for number, row in enumerate(rows)]


def main(path):
    """Learn, and write the table to a file. Raises OSError."""
    hard = settle("hard", learn("hard", random.Random(SEED)), random.Random(SEED + 1))
    tables = {"easy": evolved("easy"), "normal": evolved("normal"), "hard": hard}
    lines = [ABOUT_THE_TABLE + "{"]
    for difficulty, table in tables.items():
        lines += [f'"{difficulty}": {{', *(f"    {turn}: {list(weights)}," for turn, weights in table.items()), "},"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "}"]) + "\n")


if __name__ == "__main__":
    command_of(main, __doc__)()
