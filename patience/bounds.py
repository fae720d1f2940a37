"""What an easy deal and what a middling one has at least: how many of 100 games a plain player wins, and how far it
comes in the mean. Written by tools/measure_levels.py; see there."""

LEVELS = ("easy", "middling", "hard")
BOUNDS = {
}
