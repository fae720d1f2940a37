"""What outlives a run: the store of a player's games, saved files, results, kept options, bug reports."""
