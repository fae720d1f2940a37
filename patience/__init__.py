"""The frame: what goes on around a game."""
