"""What lasts:

saves       saved games: their files, and the keepers that write them
results     the results database, statistics, the deal of the day
mistakes    mistakes in a program: whose they are, and how they are told
"""
