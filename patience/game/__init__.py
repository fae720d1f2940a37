"""The game in hand, and what everything above it uses:

rules       class Rules: a game's module, and a default for everything it lacks
grammar     the lines of a game's COMMANDS <-> moves; refusals
names       cards by name
typing      what else may be typed for a move, and how lines may be typed
piles       what lies where, in sentences
sitting     class Sitting: deal, perform, undo, redo, restart
decks       deck files
files       where our files are, what may be read, who may write
text        strings: numbers of things, times, sentences
"""
