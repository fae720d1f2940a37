"""The frame: everything around a game. At its top is only the road of a typed line, from the shell down to the answer:

cli         the commands, made from a game's rules: play, solve, odds, resume, stats; how the program ends
options     the options of the commands
lobby       where a player chooses: a game, today's deal, a game in progress
start       how a sitting begins: from options, or from a saved game
table       every line, of a player, a script or a saved game, is answered here
words       the words of every game, in one table

Below it are four wings, each with its map:

consoles    who shows it
advice      what can be thought about a game
records     what lasts
game        the game in hand

Arrows run downwards only: consoles and table know words, words knows advice and records, advice may know records, and
all know game. game knows nothing above it.
"""

VERSION = "1.0"
INTERRUPTED = 130  # the exit status after Ctrl-C


class Ended(KeyboardInterrupt):
    """SIGTERM or SIGHUP: the program ends as by Ctrl-C, but for Ctrl-C that only takes back what is half done."""
