"""How a game is displayed. A console asks, says and shows:

ask(question)        shows the question, and returns the line that is typed, or None at the end of the input
say(text)            shows a text, or a list of short ones
show(game, effect)   shows the board; effect: what the last move did, or None if the whole board is wanted

script      the console of pipes and files: bytes in, bytes out, nothing else
terminal    the console of a player: the board in its place, colours, hints that light up
spoken      the console of a player who cannot see the board: what changed, in words
screen      the screen of a terminal: lines, pages, a half-typed line
"""
