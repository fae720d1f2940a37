"""Who shows it:

script      the console of pipes and files: bytes in, bytes out, nothing else
terminal    the console of a player: width, colours, Tab, the status line
"""
