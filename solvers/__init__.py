"""The solvers: a module for each game, and what they share. They know games, and nothing of the frame."""
