"""The frame: everything around a game. The top-level modules follow a typed line from the shell to its answer:

cli         the commands, made from a game's rules; how the program ends
options     the options of the commands, and command lines read from files
menu        the list a player chooses from: games, today's deals, games in progress
play        the loop: ask, answer, show, until the player leaves
words       the words of every game, in one table; how a typed line is read
answers     the answers to the words
lines       a typed line -> commands: the tokenizer, the grammar of COMMANDS, cards by name
game        Game: a deal and its moves; perform, undo, redo
effects     what a move does, as data
rules       Rules: a game's module, and a default for everything it lacks
decks, text deck files; strings

Below them:

consoles    how a game is displayed: in a script, at a terminal, by ear
analysis    hints, review, solving, odds
records     the store of a player's games, saved files, statistics, the deal of the day

Imports run downwards: cli, menu, play, (consoles | words), answers, (analysis | records), (lines, game, effects,
rules).
"""

VERSION = "1.0"
INTERRUPTED = 130  # the exit status after Ctrl-C


class Ended(BaseException):
    """SIGTERM or SIGHUP: the program ends as with Ctrl-C, even where Ctrl-C would only discard a half-typed line."""
