"""What an easy deal and what a middling one has at least: how many of 100 games a plain player wins, and how far it
comes in the mean. Written by tools/measure_levels.py; see there."""

LEVELS = ("easy", "middling", "hard")
BOUNDS = {
    "desturado": ((66, 37.96), (48, 35.48)),
    "desturado --difficulty hard": ((0, 24.12), (0, 18.59)),
    "desturado --difficulty medium": ((5, 28.66), (1, 30.55)),
    "klondike": ((0, 13.0), (0, 5.42)),
    "klondike --draw 1": ((100, 52.0), (49, 29.56)),
    "montana": ((2, 25.8), (1, 23.26)),
    "montana --shuffles 0": ((0, 8.25), (0, 5.77)),
    "montana --shuffles 3": ((9, 32.6), (6, 30.58)),
    "quadzilla": ((4, 17.76), (1, 20.8)),
    "quadzilla --difficulty easy": ((15, 32.16), (6, 30.24)),
    "quadzilla --difficulty hard": ((0, 22.56), (0, 18.2)),
    "zodiac": ((0, 100.4), (0, 96.9)),
}
