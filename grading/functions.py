"""The functions of a submission, called as those of a reference are, from positions of the same deals.

What is right stays here: the box is told what to call, and answers with what came of it. The reference is this
project's module of the game, or a teacher's. Montana is asked as its assignment has it, on plain lists of rows; another
game from deals and moves of its own. Wrong answers are grouped by the reason that our game's refusal gives.
"""

import random
import re
from collections import namedtuple

import montana
from grading import programs
from grading.boxes import ROOT, box, folder_of_boxes
from grading.reports import Part, Slip
from patience import lines, rules
from patience.game import Deal, Game
from patience.text import card_of, card_text, cards_in_text, printable
from solvers.positions import keep_chance, sizes

# What is called: a function, on rows of (rank, suit), or behind moves of a deal, its number; or on nothing. group: what
# the feedback sorts it by. reason: why that is right, of this one. side: which of two answers is right.
Call = namedtuple("Call", "function rows deal moves arguments seed group reason side")
Call.__new__.__defaults__ = (None, None, None, (), 1, "", "", None)

MONTANA = ("initialize", "display", "validate_move", "move", "check_win", "shuffle_tableau")
OTHERS = ("initialize", "display", "validate_move", "move", "check_win")
DEALS, STEPS = 3, 60  # that are played for positions, with so many moves each
POSITIONS = 4  # of each deal
EACH = 2  # calls of a kind
# A tableau in which every rule decides something.
TABLEAU = """
2C 3C 4C AC 6C 7C 8C 9C 10C JC QC KC 5H
2D KD AD 3D 4D 5D 6D 7D 8D 9D 10D JD QD
AH 3H 2H 4H 6H 7H 8H 9H 10H JH QH KH 5C
3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 2S AS
"""
RED = (2, 3)  # suits
WRONG = 0.5  # of the share of a function that is not right
MAX_GROUPS = 16  # that a feedback names
NO_CHANCE = "makes the same of a tableau each time"
NONE_FOR_FALSE = "None is returned instead of False"
CARD = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]")


# What is called


def calls_of(game, reference=None, cards=ROOT / "cards.py"):
    """Return the Calls for a game, and the answers of its reference, the path of a module. Raises ValueError if that
    cannot answer."""
    calls = montana_calls() if game == "montana" else contract_calls(rules.load(game))
    file = reference or ROOT / f"{game}.py"
    with folder_of_boxes() as boxes, box(boxes, file, {"cards.py": cards}) as path:
        error, found = programs.call(path, settings_of(file.name, calls), 60)
    if error or any("value" not in answer for answer in found):
        failed = next((answer["error"] for answer in found if "error" in answer), "it does not end")
        raise ValueError(printable(f"{file.name}: {(error or failed).splitlines()[-1]}"))
    return calls, found


def settings_of(file, calls):
    """Return what the box is told: all but what is right."""
    asked = []
    for call in calls:
        settings = {"function": call.function, "arguments": list(call.arguments), "seed": call.seed}
        if call.rows is not None:
            settings["rows"] = call.rows
        elif call.moves is not None:
            settings |= {"deal": call.deal, "moves": [list(move) for move in call.moves]}
        asked.append(settings)
    return {"file": file, "seed": None, "deck": None, "calls": asked}


def positions_of(game_rules):
    """Yield Games at some positions of some deals, played at random."""
    chance = random.Random(1)
    for deal in range(DEALS):
        game = Game(Deal(game_rules, {name: choices[0] for name, choices in game_rules.OPTIONS.items()}, deal))
        for step in range(STEPS):
            if step % (STEPS // POSITIONS) == 0:
                yield game
            legal = game.legal_moves()
            if not legal or game.outcome():
                break
            game.perform(chance.choice(legal[:3]))


def group_of(reason):
    """Return a reason without what is only of one case: cards and numbers."""
    return re.sub(r"\d+", "N", CARD.sub("_", reason))


def contract_calls(game_rules):
    """Return the Calls for a game by its contract."""
    calls, counts = [], {}
    with keep_chance():
        for game in positions_of(game_rules):
            here = {"deal": game.deal.number, "moves": tuple(game.moves)}
            calls.append(Call("display", **here, group="shows the board"))
            calls.append(Call("check_win", **here, side=False, group="the game is not won"))
            every = lines.every_move(game_rules, *sizes(game.position))
            for move in [*game.rules.legal_moves(game.position), *every]:
                if move[0] in game_rules.VIEWS:
                    continue
                reason = game.rules.refusal(game.position, *move) or ""
                group = group_of(reason) if reason else f"{move[0]} is allowed"
                kind = move[0], group, len(move), how_near(reason)
                counts[kind] = counts.get(kind, 0) + 1
                if counts[kind] <= EACH * (1 if reason else 4):
                    asked = {**here, "arguments": move, "side": not reason, "group": group}
                    reason = reason or describe_allowed(game, move)
                    calls += [Call(name, reason=reason, **asked) for name in ("validate_move", "move")]
        calls += [Call("initialize", seed=deal, group="deals as the rules say") for deal in range(DEALS)]
        calls += won_calls(game_rules)
    return calls


def how_near(reason):
    """Return how near the two cards that a refusal names are to each other: a wrong rule takes only some of them."""
    pairs = cards_in_text(reason)
    if len(pairs) != 2:
        return None
    (rank, suit), (other_rank, other_suit) = pairs
    return max(-2, min(rank - other_rank, 2)), suit == other_suit, (suit in RED) == (other_suit in RED)


def describe_allowed(game, move):
    """Return what a legal move does, as the reason why it is allowed."""
    return f"it is allowed: {' '.join(game.rules.describe(game.position, *move).split())}"


def won_calls(game_rules):
    """Return Calls of check_win at the end of a game that is won, and one move before."""
    from patience.analysis import solve

    for number in range(40):
        game = Game(Deal(game_rules, {name: choices[0] for name, choices in game_rules.OPTIONS.items()}, number))
        answer = solve.solve(game, None, 5_000)
        if answer.verdict == solve.WON:
            moves = tuple(answer.moves)
            won = Call("check_win", deal=number, moves=moves, side=True, group="the game is won")
            return [won, won._replace(moves=moves[:-1], side=False, group="one move is missing")]
    return []


def rows_of(tableau):
    """Return a tableau as rows of (rank, suit)."""
    return [[(card.rank(), card.suit()) for card in row] for row in tableau]


def swap(rows, first, second):
    """Return rows with the cards of two places, (row, column), exchanged."""
    changed = [list(row) for row in rows]
    (row, column), (other_row, other_column) = first, second
    changed[row][column], changed[other_row][other_column] = rows[other_row][other_column], rows[row][column]
    return changed


def montana_calls():
    """Return the Calls for Montana's assignment."""
    calls, counts, boards = [], {}, []
    game_rules = rules.load("montana")
    with keep_chance():
        pairs = [card_of(name) for name in TABLEAU.split()]
        made = Game(Deal(game_rules, {"shuffles": "2"}, 0, pairs))
        for game in [made, *positions_of(game_rules)]:
            tableau = game.position
            boards.append(rows_of(tableau))
            places = [(row, column) for row in range(montana.ROWS) for column in range(montana.COLUMNS)]
            blanks = [place for place in places if montana.is_blank(tableau[place[0]][place[1]])]
            for source in places:
                is_two = tableau[source[0]][source[1]].rank() == montana.TWO
                others = places[:: montana.COLUMNS] if is_two else [places[(7 * sum(source)) % len(places)]]
                for dest in [*blanks, *others]:
                    if (kind := kind_of(tableau, source, dest)) and counts.get(kind, 0) < EACH:
                        counts[kind] = counts.get(kind, 0) + 1
                        reason = montana.refusal(tableau, *source, *dest)
                        group = group_of(reason).partition(", ")[0] if reason else "a card is allowed"
                        about = {"rows": rows_of(tableau), "arguments": (*source, *dest), "side": not reason}
                        reason = reason or describe_allowed(game, (*source, *dest))
                        for name in ("validate_move", "move"):
                            calls.append(Call(name, group=group, reason=reason, **about))
        for row in (0, 2):  # in which a blank lies between the others
            calls.append(Call("display", rows=swap(boards[1], (row, 0), (3, 5)), group="shows the board"))
        calls += [Call("initialize", seed=seed, group="deals row by row") for seed in (7, 8)]
        won = [[(rank, suit) for rank in range(2, 14)] + [(1, 1 + ace)] for suit, ace in zip((4, 3, 2, 1), range(4))]
        wins = {"four rows of one suit are in order": [(won, True), (won[::-1], True)]}
        for row in range(montana.ROWS):
            other = (row + 1) % montana.ROWS
            wins |= {
                f"row {row + 1}: a blank before the King": [(swap(won, (row, 11), (row, 12)), False)],
                f"row {row + 1}: two cards are in the wrong order": [(swap(won, (row, 4), (row, 5)), False)],
                f"rows {row + 1} and {other + 1}: the suits are mixed": [(swap(won, (row, 5), (other, 5)), False)],
                f"row {row + 1}: the 2 is not first": [(swap(won, (row, 0), (row, 12)), False)],
            }
        wins["a game that goes on"] = [(board, False) for board in boards[:3]]
        for group, cases in wins.items():
            calls += [Call("check_win", rows=rows, side=side, group=group, reason=group) for rows, side in cases]
        shuffled = [*boards[::3], won, swap(won, (0, 8), (1, 9)), swap(boards[0], (0, 1), (1, 3))]
        calls += [
            Call("shuffle_tableau", rows=rows, seed=seed, group="keeps sequences, and shuffles the rest")
            for rows in shuffled
            for seed in (1, 100)
        ]
    return calls


def kind_of(tableau, source, dest):
    """Return what tells a move of Montana from others for a wrong rule, or None for one that both handouts decide
    otherwise: a 2 beside an ace of its suit."""
    card, there = tableau[source[0]][source[1]], tableau[dest[0]][dest[1]]
    if source == dest:
        return None
    left = tableau[dest[0]][dest[1] - 1]  # of the first column the last one, which a program may take by mistake
    if montana.is_blank(card) or not montana.is_blank(there) or dest[1] == 0:
        same = card.suit() == left.suit() and card.rank() == left.rank() + 1
        in_row = source[0] == dest[0]
        return montana.is_blank(card), montana.is_blank(there), dest[1] == 0, min(card.rank(), 3), same, in_row
    if card.rank() == montana.TWO and montana.is_blank(left):
        return None
    same_suit, higher = card.suit() == left.suit(), card.rank() - left.rank()
    own_left = source[1] and tableau[source[0]][source[1] - 1] is left
    ends = dest[1] == montana.COLUMNS - 1, card.rank() == montana.KING, montana.is_blank(left)
    return same_suit, max(-2, min(higher, 2)), ends, left.rank() == montana.KING, own_left, dest[0]


# What is right


def grade(assignment, submission):
    """Return the Part of a submission's functions."""
    settings = settings_of(submission.file, assignment.calls)
    with box(assignment.boxes, submission.path, {"cards.py": assignment.cards}) as path:
        error, found = programs.call(path, settings, assignment.seconds, assignment.sandbox)
    return judge(
        assignment.calls, assignment.answers, found, error, assignment.weights["functions"], assignment.seconds
    )


def judge(calls, wanted, found, error, maximum, seconds):
    """Return the Part of some answers. wanted: those of the reference. error: why the module was not loaded whole."""
    found, slips = list(found), False
    for number, (right, answer) in enumerate(zip(wanted, found)):
        if right["value"] is False and "value" in answer and answer["value"] is None:
            found[number], slips = {**answer, "value": False}, True
    faults = [fault_in(*triple, seconds) for triple in zip(calls, wanted, found)]
    said = {
        place_of(call): answer.get("value") for call, answer in zip(calls, found) if call.function == "validate_move"
    }
    wrong = {place_of(call) for call, fault in zip(calls, faults) if fault and call.function == "validate_move"}
    knows = {call.side for call, fault in zip(calls, faults) if not fault and call.function == "validate_move"}
    for number, (call, answer) in enumerate(zip(calls, found)):
        if call.function == "move" and place_of(call) in wrong and call.side in knows:
            if is_consistent(call, answer, said[place_of(call)]):
                faults[number] = ""  # a wrong rule counts where it is made
    shuffles = [number for number, call in enumerate(calls) if call.function == "shuffle_tableau"]
    pairs = [
        (found[one].get("position"), found[other].get("position")) for one, other in zip(shuffles[::2], shuffles[1::2])
    ]
    if not any(faults[number] for number in shuffles) and all(first == second for first, second in pairs):
        faults = [NO_CHANCE if number in shuffles else fault for number, fault in enumerate(faults)]
    outcomes = {f"{call.function}()": [] for call in calls}
    for call, fault in zip(calls, faults):
        outcomes[f"{call.function}()"].append((call.side, not fault))
    part = Part("functions", count((name, right) for name, pairs in outcomes.items() for _, right in pairs), maximum)
    part.is_even = True
    part.shares = {name: share_of(pairs) for name, pairs in outcomes.items()}
    part.slips = [Slip(NONE_FOR_FALSE, None)] * slips
    wrong = [(call, fault) for call, fault in zip(calls, faults) if fault]
    part.groups = list(dict.fromkeys(f"{call.function}: {call.group}" for call, _ in wrong))
    part.lines = describe_groups(wrong, len(calls), error)
    errors = [error, *(answer["error"] for answer in found if isinstance(answer.get("error"), str))]
    part.errors = [*map(printable, next(filter(None, errors), "").splitlines())]
    return part


def place_of(call):
    """Return where a call asks, and about which move."""
    return repr((call.rows, call.deal, call.moves, call.arguments))


def fault_in(call, right, answer, seconds):
    """Return what is wrong with an answer, a phrase that follows the call, or ""."""
    if answer.get("late"):
        return f"does not end within {seconds:g} s"
    if "error" in answer or not {"value", "position", "printed"} <= set(answer):
        last = str(answer.get("error")).strip().splitlines() or ["nothing is said of it"]
        return f"fails: {last[-1]}"
    if call.function == "shuffle_tableau":
        return fault_in_shuffle(call.rows, answer["position"])
    if call.side is not None and answer["value"] is not right["value"]:
        return f"returned {answer['value']!r}; it should be {right['value']}"
    if call.function == "display" and answer["printed"] != right["printed"]:
        pairs = zip(right["printed"].split("\n"), answer["printed"].split("\n") + [""] * 99)
        wanted, line = next((pair for pair in pairs if pair[0] != pair[1]), ("nothing more", "more"))
        return f"printed {line!r} for {wanted!r}"
    if answer["position"] is None:
        return "leaves no tableau: a list of lists of cards"
    if same_blanks(answer["position"]) != same_blanks(right["position"]):
        return "returned another deal" if call.function == "initialize" else "leaves another board than it should"
    return ""


def same_blanks(position):
    """Return rows of (rank, suit) as they are read back, in which all aces are the same; anything else as it is."""
    if not isinstance(position, list):
        return position
    return [[pair if pair[0] != montana.BLANK else [montana.BLANK] for pair in map(list, row)] for row in position]


def fault_in_shuffle(before, after):
    """Return what is wrong with a shuffle of rows, or "", by what it must keep: the order in which cards are dealt
    again is not in the assignment."""
    try:
        if sorted(tuple(pair) for row in after for pair in row) != sorted(pair for row in before for pair in row):
            return "loses cards, or makes some"
    except TypeError:
        return "leaves no tableau: a list of lists of cards"
    if [[*map(tuple, row)] for row in after] == before and not is_won(before):
        return "leaves the tableau as it was"
    for row, old in zip(after, before):
        kept = length_of(old)
        if [*map(tuple, row[:kept])] != old[:kept] or len(row) != montana.COLUMNS or len(after) != montana.ROWS:
            return "moves a sequence, or leaves a row that is not 13 cards long"
        if [place for place, pair in enumerate(row) if pair[0] == montana.BLANK] != [kept]:
            return "does not leave one blank right after each sequence"
    return ""


def is_won(rows):
    """Return True if nothing is left to shuffle."""
    return all(length_of(row) == montana.COLUMNS - 1 for row in rows)


def length_of(row):
    """Return how many cards of a row are its sequence, from a 2 in the leftmost column."""
    length = 0
    while length < len(row) and tuple(row[length]) == (length + montana.TWO, row[0][1]):
        length += 1
    return length


def is_consistent(call, answer, valid):
    """Return True if move did what the submission's own validate_move says, as it must."""
    if "value" not in answer or answer["value"] is not bool(valid) or call.rows is None:
        return "value" in answer and answer["value"] is bool(valid)
    source, dest = call.arguments[:2], call.arguments[2:]
    after = swap(call.rows, source, dest) if valid else call.rows
    return same_blanks(answer["position"]) == same_blanks(after)


def count(pairs):
    """Return what came of each kind, from (kind, whether it is right) pairs: kind -> (right, count)."""
    counts = {}
    for kind, right in pairs:
        before = counts.get(kind, (0, 0))
        counts[kind] = before[0] + right, before[1] + 1
    return counts


def share_of(pairs):
    """Return the share of a function, from (side, whether it is right) pairs: the smallest of its sides, and half of
    that if anything is wrong, for one wrong rule is a wrong function."""
    share = min(right / of for right, of in count(pairs).values())
    return share if share == 1 else share * WRONG


def describe_groups(wrong, count, error):
    """Return lines: of each group of wrong answers its first example, the call, what it does, and why that is wrong.
    wrong: the Calls with what is wrong. count: of all calls."""
    groups = {}
    for call, fault in wrong:
        groups.setdefault((call.function, call.group), []).append((call, fault))
    shown = [f"While the module is loaded: {error.splitlines()[-1]}"] if error else []
    if len(wrong) == count and len({fault for _, fault in wrong}) == 1:
        return [*map(printable, shown), printable(f"all of them: {wrong[0][1]}")]
    for examples in [*groups.values()][:MAX_GROUPS]:
        call, fault = min(examples, key=lambda example: len(example[0].moves or ()))
        words = ["tableau" if call.rows else "game"] * (call.function != "initialize") + [*map(repr, call.arguments)]
        more = f" ({len(examples)} such)" if len(examples) > 1 else ""
        shown.append(f"{call.function}({', '.join(words)}) {fault}: {call.reason or call.group}{more}")
        if call.moves is not None:
            played = "; ".join(" ".join(map(str, move)) for move in call.moves)
            shown.append(f"  random.seed({call.deal}), game = initialize(){f', then {played}' if played else ''}")
        rows = [call.arguments[2]] if call.rows and call.arguments else range(len(call.rows or ()))
        shown += [f"  tableau[{row}]: {' '.join(map(card_text, call.rows[row]))}" for row in rows]
    shown += [f"... and {len(groups) - MAX_GROUPS} groups more."] * (len(groups) > MAX_GROUPS)
    return [*map(printable, shown)]
