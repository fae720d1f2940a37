"""What the table knows about each game besides its rules: one class for each, whose methods replace Rules' defaults.

A game's own module has the rules and the board. A student who writes a sixth game may put everything into that one
file: Rules looks here first, then in the module, then at its defaults.
"""
