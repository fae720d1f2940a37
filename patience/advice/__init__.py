"""Advice: what can be computed about a game."""

from __future__ import annotations

Z_95 = 1.959964  # standard errors: by chance, two shares differ by this much 1 time in 20
