"""Analysis: what can be computed about a game.

hints       Guide: advice for a game, and plans
review      what the choices of a game cost, by what could be known then
solve       a solver's answer in words; deals that can be won
odds        many deals, and their CSV file
workers     work shared by several processes
"""

import importlib


def load_hints():
    """Return the module hints, which no script needs at its start."""
    return importlib.import_module("patience.analysis.hints")
