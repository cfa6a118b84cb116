"""Counts that are published after every step: mean and largest variance, and what they have added.

Variances are exact; those of draws are of 1,000 streams without records. Run by hand or
`make bench`.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.results import Table
from dpviz.answers.trees.online import DIGITS, OnlineNumbers, answer
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.signed_digits import SignedDigits

VARIANCES = "Running counts step by step: mean and largest variance of all steps"
DRAWN = "Running counts step by step: mean variance of signed digits, drawn and by law"
MEASURES = (VARIANCES, DRAWN)
STEPS, BUDGETS = (2**10, 2**16), (PureDP(1), ZCDP(0.5))
SHORT, STREAMS = 365, 1_000


def run() -> list[Table]:
    """Print and return both tables."""
    errors = [_row(steps, budget) for steps in STEPS for budget in BUDGETS]
    drawn = [_drawn(budget) for budget in BUDGETS]
    for row in (*errors, *drawn):
        print(*row, sep="  ", flush=True)
    ways = ("signed digits", "binary tree", "square root", "all at the end")
    return [
        Table(VARIANCES, ("steps, budget", *ways), errors, "Exact, add/remove, in records²."),
        Table(DRAWN, ("budget", "drawn", "by law", "µs a step"), drawn,
              f"{STREAMS} streams of {SHORT} steps from seeds; processor time."),
    ]  # fmt: skip


def _found(steps: int, budget: Budget) -> OnlineNumbers:
    return answer(steps, budget, Noise.for_budget(budget))


def _row(steps: int, budget: Budget) -> list[str]:
    found = _found(steps, budget)
    means = {one.name: one.typical**2 for one in found.every}
    most = {one.name: one.typical**2 for one in found.largest}
    cells = {way: f"{means[way]:,.4g}, {most[way]:,.4g}" for way in means}
    cells[DIGITS] += f" (fanout {found.base})"
    ways = ("signed digits", "binary tree", "square root", "all at the end")
    return [f"{steps:,}, {budget}", *(cells.get(way, "") for way in ways)]


def _drawn(budget: Budget) -> list[str]:
    start, found = time.process_time(), []
    for seed in range(STREAMS):
        stream = SignedDigits(SHORT, budget, np.random.default_rng(seed))
        found.append([stream.add(0)[0][0] for _ in range(SHORT)])
    step = (time.process_time() - start) / (STREAMS * SHORT)
    (law,) = (one.typical**2 for one in _found(SHORT, budget).every if one.name == DIGITS)
    return [f"{budget}", f"{np.mean(np.square(found)):.1f}", f"{law:.1f}", f"{1e6 * step:.0f}"]


if __name__ == "__main__":
    run()
