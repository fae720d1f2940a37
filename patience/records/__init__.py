"""Persistence:

store       every game of a player, a row each, in one database
savefile    the file of --save, and of solve and review
bugs        reports of bugs in the program
statistics  the results of finished games, and the deal of the day
"""

from __future__ import annotations
