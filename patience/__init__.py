"""The frame: what goes on around a game of patience."""

VERSION = "1.0"
