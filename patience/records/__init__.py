"""Persistence:

store       every game of a player, a row each, in one database
savefile    the file of --save, and of solve and review
statistics  what the finished games come to
daily       the deal of the day
"""
