"""What lasts:

saves       saved games: their form, their files, their folder
keepers     who keeps a game while it is played
results     the results database
statistics  what the results come to
daily       the deal of the day
seen        which games a player has seen
mistakes    mistakes in a program: whose they are, and how they are told
"""
