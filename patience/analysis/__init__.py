"""Analysis: what can be computed about a game.

hints       Guide: advice for a game, and plans
review      what the player's choices cost, given what could be known then
solve       a solver's answer in words; deals that can be won
odds        many deals, and their CSV file
"""

from __future__ import annotations

Z_95 = 1.959964  # standard errors: by chance, two shares differ by this much 1 time in 20
