"""Named places: noise by level before and after least squares, and how often it is within bounds.

Errors are exact; shares are those of 400 draws of the made-up country. Run by hand or `make bench`.
"""

from __future__ import annotations

import numpy as np

from benchmarks.results import Table
from dpviz.answers.spatial.place_list import made_up
from dpviz.answers.spatial.places import SPLITS, TWO, PlaceLevel, answer
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.estimators.trees.ragged_tree import least_squares
from dpviz.mechanisms.counting.noisy_counts import level_scales

BUDGETS: tuple[Budget, ...] = (PureDP(0.1), PureDP(1), ZCDP(0.5))
RUNS = 400
ERRORS = "Named places: two standard errors measured → after least squares, by level"
HELD = "Named places: shares of true counts within two standard errors, by level"
MEASURES = (ERRORS, HELD)
LEVELS = made_up().levels


def run() -> list[Table]:
    """Print and return both tables."""
    errors = [_errors(budget, split) for budget in BUDGETS for split in SPLITS]
    held = [row for budget in BUDGETS for row in _held(budget)]
    for row in (*errors, *held):
        print(*row, sep="  ", flush=True)
    drowned = "blocks smaller than their noise", "of all people"
    return [
        Table(ERRORS, ("budget, split", *LEVELS, *drowned), errors, "Exact, add/remove."),
        Table(HELD, ("budget, counts", *LEVELS), held, f"{RUNS} draws, an even split."),
    ]


def _errors(budget: Budget, split: str) -> list[str]:
    noise, rng = Noise.for_budget(budget), np.random.default_rng(1)
    found = answer(made_up(), budget, noise, Neighbours.ADD_REMOVE, split, rng, is_after=True)
    shares = ", ".join(f"{one:.2g}" for one in found.shares)
    last = f"{found.levels[-1].drowned:,}", f"{found.harmed:.2%}"
    return [f"{budget}, {split} ({shares})", *map(_level, found.levels), *last]


def _level(level: PlaceLevel) -> str:
    return f"{level.before:.4g} → {level.after:.4g}"


def _held(budget: Budget) -> list[list[str]]:
    tree, rng, noise = made_up().tree, np.random.default_rng(2), Noise.for_budget(budget)
    scales = level_scales(noise, budget, (1 / len(LEVELS),) * len(LEVELS), Neighbours.ADD_REMOVE)
    variances = [noise.variance(scale) for scale in scales]
    drawn = [
        noise.simulate(scale, (RUNS, nodes), rng)
        for scale, nodes in zip(scales, tree.nodes, strict=True)
    ]
    best, exact = least_squares(tree, drawn, variances)
    own = [np.full(nodes, one) for nodes, one in zip(tree.nodes, variances, strict=True)]
    rows = []
    for name, errors, spread in (("measured", drawn, own), ("least squares", best, exact)):
        within = (
            float((np.abs(one) <= TWO * np.sqrt(each)).mean())
            for one, each in zip(errors, spread, strict=True)
        )
        rows.append([f"{budget}, {name}", *(f"{one:.3f}" for one in within)])
    return rows


if __name__ == "__main__":
    run()
