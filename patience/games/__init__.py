"""What the table knows about each game beyond its rules: one class per game, whose methods replace Rules' defaults.

A game's own module has the rules and the board. A student who writes a sixth game may put everything in the game's own
module: Rules looks here first, then in the module, then at its defaults.
"""
