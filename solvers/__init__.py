"""The solvers: a module for each game, and what they share. They know the games, but nothing of the frame."""
