"""Who shows it:

script      the console of pipes and files: bytes in, bytes out, nothing else
terminal    the console of a player: colours, hints that light up
replies     what was meant by a line, and what can be typed
spoken      the console of a player who cannot see the board: what changed, in words
screen      what stands on a player's screen: lines, pages, what is half typed
board       the board as text: marks, styles, the status line
changes     what a move did, from the position before and after
"""
