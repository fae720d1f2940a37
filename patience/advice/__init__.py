"""What can be thought about a game:

asked       the words that ask for it
hints       class Guide: advice for a sitting, and plans
review      what the choices of a game cost, by what could be known then
solve       a solver's answer in words
deals       deals that can be won
odds        many deals, and their CSV file
processes   work shared by several processes
"""
