"""Analysis: what can be computed about a game.

hints       Guide: advice for a game, and plans
review      what the player's choices cost, given what could be known then
solve       a solver's answer in words; deals that can be won
odds        many deals, and their CSV file
asked       the words that ask for advice
"""
