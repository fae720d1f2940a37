"""The rules of a game: its module, and a default for whatever that does not have (yet)."""

import functools
import importlib
from types import SimpleNamespace

from patience import lines

PACK = [(rank, suit) for suit in lines.SUITS.values() for rank in lines.RANKS.values()]
PROMPT = "Enter command (h for help): "
STUCK = "No command is legal any more."
NOT_ALLOWED = "That is not allowed."


def load(name):
    """Return the rules of a game: all that its module has, and defaults for the rest.

    A module needs only initialize, display and move to be played.
    """
    module = importlib.import_module(name)
    rules = SimpleNamespace(
        TITLE=f"{name.capitalize()} Solitaire.", COMMANDS="", OPTIONS={}, VIEWS={},
        PACK=PACK, PROMPT=PROMPT, STUCK=STUCK,
    )
    for function in (refusal, validate_move, move, check_win, check_loss, legal_moves, describe, perform, status,
                     hidden):
        setattr(rules, function.__name__, functools.partial(function, rules))
    if not hasattr(module, "refusal") and hasattr(module, "validate_move"):
        rules.refusal = functools.partial(refusal_by_validate_move, rules)
    vars(rules).update(vars(module))
    return rules


def full_name(rules, options):
    """Return the name of a game with the options that do not have their default, in their own order:
    klondike --draw 1. options: option -> choice, perhaps not all."""
    chosen = [f"--{option} {options[option]}" for option, choices in rules.OPTIONS.items()
              if options.get(option, choices[0]) != choices[0]]
    return " ".join([rules.__name__, *chosen])


def same_name(name, rules):
    """Return a name as full_name gives it now: in older files it has options with their default."""
    game, *words = name.split()
    options = {option.removeprefix("--"): choice for option, choice in zip(words[::2], words[1::2])}
    return full_name(rules, options) if game == rules.__name__ else name


def refusal(rules, game, *move):
    """Return None if the move can be made in a copy of the game."""
    import patience.positions

    return None if rules.move(patience.positions.copy_of(game), *move) else NOT_ALLOWED


def refusal_by_validate_move(rules, game, *move):
    """Return None if validate_move says so."""
    return None if rules.validate_move(game, *move) else NOT_ALLOWED


def validate_move(rules, game, *move):
    """Return True if there is no refusal."""
    return rules.refusal(game, *move) is None


def move(rules, game, *_):
    """Refuse every move: the module is not finished."""
    raise lines.Refused(f"{rules.__name__} has no move yet.")


def check_win(rules, game):
    """Return False: nobody knows how it is won."""
    return False


def check_loss(rules, game):
    """Return None: nobody knows how it is lost."""
    return None


def legal_moves(rules, game):
    """Return every move of the grammar that is allowed."""
    import patience.positions

    moves = lines.every_move(rules, *patience.positions.sizes(game))
    return [move for move in moves if move[0] not in rules.VIEWS and rules.refusal(game, *move) is None]


def describe(rules, game, *move):
    """Return the move as it is typed."""
    return lines.write(rules, move)


def perform(rules, game, *move):
    """Make a move that is allowed. Return "": there is nothing to say of it."""
    rules.move(game, *move)
    return ""


def status(rules, game):
    """Return "": the board says it all."""
    return ""


def hidden(rules, game):
    """Return []: every card is known."""
    return []


def count_of(number, what):
    """Return a number of things in words: 1 move, 3 moves."""
    return f"{number} {what}{'' if number == 1 else 's'}"
