"""What a game is graded by: a Course each, with the contract's as defaults."""
