"""The game in hand, and what everything above it uses:

rules       class Rules: a game's module, and a default for everything it lacks
lines       lines <-> moves: the grammar, cards by name, refusals
sitting     class Sitting: deal, perform, undo, redo, restart
decks       deck files
files       where our files are, what may be read, who may write
text        strings: numbers of things, times, sentences
"""
