"""What each part of an assignment is worth."""

from __future__ import annotations

import itertools
import re

import click

from patience.grading.judge.functions import part_name

POINTS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


def weights_of(pairs: tuple[str, ...], shares: dict[str, float], out_of: float | None) -> dict[str, float]:
    """Return the points of each part: those given in words such as course1=10; the other parts share the rest of
    out_of, or of 100 if it is None. shares: name of a part -> its share of the rest. Raises click.UsageError."""
    weights = {}
    for pair in pairs:
        name, _, points = pair.rpartition("=")
        name = name if name in shares else part_name(name)
        if name not in shares or not POINTS.fullmatch(points):
            raise click.UsageError(f"--points {pair}: it must be NAME=N, where NAME is one of {', '.join(shares)}.")
        weights[name] = float(points)
    others = {name: share for name, share in shares.items() if name not in weights}
    if not others and out_of not in (None, sum(weights.values())):
        raise click.UsageError(
            f"--points names every part, {sum(weights.values()):g} in all, but --out-of is {out_of:g}."
        )
    out_of = out_of or 100
    left = out_of - sum(weights.values())
    if others and left <= 0:
        raise click.UsageError(f"--points leaves none of {out_of:g} points for {', '.join(others)}: raise --out-of.")
    rest = split(left, others)
    return {name: weights[name] if name in weights else rest[name] for name in shares}


def split(points: float, shares: dict[str, float]) -> dict[str, float]:
    """Return these points split by shares: name -> points, with two decimals, adding up exactly."""
    total = sum(shares.values())
    ends = [0.0, *(round(points * end / total, 2) for end in itertools.accumulate(shares.values()))] if total else []
    return dict.fromkeys(shares, 0.0) | {name: round(b - a, 2) for name, a, b in zip(shares, ends, ends[1:])}
