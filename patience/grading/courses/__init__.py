"""How each game is graded: a Course for each, with the contract's Course giving the defaults."""
