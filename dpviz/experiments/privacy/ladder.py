"""Ranges that jump rarely: round numbers, a few in each power of ten."""

import math

SMALLEST = (4, 6, 8)  # below 10 by twos, so that few answers get much room
RUNGS = (1.0, 1.5, 2.0, 3.0, 5.0)  # times a power of ten, from 10 on


def next_above(needed: float) -> int:
    """The next of 4, 6, 8, 10, 15, 20, 30, 50, 100, … that is no smaller."""
    for rung in SMALLEST:
        if needed <= rung:
            return rung
    power = 10.0 ** max(math.floor(math.log10(needed)), 1)
    return next(round(rung * power) for rung in (*RUNGS, 10.0) if needed <= rung * power)
