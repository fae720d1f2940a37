"""What the table knows of each game besides its rules: a class each, whose methods take the place of Rules' defaults.

A game's own module has the rules and the board; a student who writes a sixth game may put everything into that one
file: Rules looks here first, then in the module, then at its defaults.
"""
