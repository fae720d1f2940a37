"""The level of a deal: how often a plain player wins it, compared with 1,000 deals of its game."""

import copy

from patience.bounds import BOUNDS, LEVELS
from patience.rules import count_of, full_name
from solvers import general, player
from solvers.positions import chance_kept

MOST_CHOICES = 5  # an option with more of them does not count


def counted(rules, options):
    """Return the options with the default for those that do not count: that have many choices, or that the game's
    solver does not know."""
    known = getattr(general.solver_of(rules, {}), "OPTIONS", rules.OPTIONS)
    return {
        option: options[option]
        if options[option] in known.get(option, ()) and len(choices) <= MOST_CHOICES
        else choices[0]
        for option, choices in rules.OPTIONS.items()
    }


def limits_of(rules, options):
    """Return the bounds of the game's levels, what an easy deal and what a middling one has at least, or None if they
    have not been measured."""
    return BOUNDS.get(full_name(rules, counted(rules, options)))


def played(sitting):
    """Return what comes of a plain player's games from the deal of a sitting on."""
    dealt = copy.copy(sitting)
    with chance_kept():
        dealt.replay([])
    return player.played(dealt.rules, counted(dealt.rules, dealt.options), dealt.game)


def level(result, limits):
    """Return the level of a deal. result: of played. limits: of limits_of."""
    return LEVELS[sum(result < limit for limit in limits)]


def told(sitting):
    """Return a line about the level of the deal of a sitting."""
    result, limits = played(sitting), limits_of(sitting.rules, sitting.options)
    games = f"a plain player wins {result.wins} of {count_of(player.PLAYS, 'game')} of it."
    return f"Level of the deal: {level(result, limits) if limits else 'not known'}; {games}"
