"""Bins: what a tree costs in one bin and saves in many, and how often an interval holds its bin.

Errors are exact; intervals are those of 200 releases of a sample. Run by hand or `make bench`.
"""

from __future__ import annotations

import numpy as np

from benchmarks.results import Table
from dpviz.answers.quantiles.bins import EQUAL, TREE, BinChoice, answer, errors_of
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.intake.samples import sample_column
from dpviz.mechanisms.counting.by_group import release_by_group

SIZES = (4, 16, 64, 256)
BUDGETS: tuple[Budget, ...] = (PureDP(0.1), ZCDP(0.01))
SAMPLES = ("exam", "ages", "salaries")
RUNS = 200
ERRORS = "Bins of a tree: error over plain noise, in a bin and in half of all bins"
HELD = "Bins: shares of true counts within their intervals of 19 in 20"
MEASURES = (ERRORS, HELD)


def run() -> list[Table]:
    """Print and return both tables."""
    errors = []
    for budget in BUDGETS:
        found = [errors_of(_choice(TREE, size, budget)) for size in SIZES]
        times = (f"{one.times:.2f}, {one.times_of_half:.2f}" for one in found)
        errors.append([f"{budget}", *times])
        print(*errors[-1], flush=True)
    held = [_held(name) for name in SAMPLES]
    header = ("budget", *(f"{size} bins" for size in SIZES))
    return [
        Table(ERRORS, header, errors, "Exact, add/remove; below 1 the tree errs less."),
        Table(HELD, ("column", EQUAL, TREE), held, f"{RUNS} releases of 64 bins at ε = 0.1."),
    ]


def _choice(kind: str, bins: int, budget: Budget) -> BinChoice:
    return BinChoice(kind, bins, (), budget, Neighbours.ADD_REMOVE)


def _held(name: str) -> list[str]:
    column, shares = sample_column(name), []
    for kind in (EQUAL, TREE):
        asked, rng = _choice(kind, 64, PureDP(0.1)), np.random.default_rng(1)
        inside = []
        for _ in range(RUNS):
            made = release_by_group(asked.mechanism, {"": column}, asked.budget, rng)
            found = answer(asked, made.releases, {"": column})
            errors = found.groups[0].errors
            assert errors is not None
            inside.append(float((np.abs(errors) <= found.law.half).mean()))
        shares.append(f"{np.mean(inside):.3f}")
    print(name, *shares, flush=True)
    return [name, *shares]


if __name__ == "__main__":
    run()
