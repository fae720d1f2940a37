"""The frame: everything around a game of patience. Its rooms:

cli         the commands, made from a game's rules: play, solve, odds, resume, stats; how the program ends
start       how a sitting begins: from options, or from a saved game
lobby       where a player chooses: a game, today's deal, a game in progress
table       the one road of a typed line: question, take, answer
words       the words of every game, in one table
lines       lines <-> moves: the grammar, cards by name, refusals
rules       class Rules: a game's module, and a default for everything it lacks
sitting     class Sitting: deal, perform, undo, redo, restart
script      the console of pipes and files: bytes in, bytes out, nothing else
terminal    the console of a player: width, colours, Tab, the status line
saves       saved games: their files, and the keepers that write them
results     the results database, statistics, the deal of the day
decks       deck files
files       where our files are, what may be read, who may write
mistakes    mistakes in a program: whose they are, and how they are told
review      what the choices of a game cost, by what could be known then
hints       class Guide: advice for a sitting, and plans
solve       a solver's answer in words
deals       deals that can be won
odds        many deals, and their CSV file
processes   work shared by several processes
startup     what must happen before the program loads
"""

VERSION = "1.0"
INTERRUPTED = 130  # the exit status after Ctrl-C
