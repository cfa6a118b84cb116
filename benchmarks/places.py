"""Named places: noise by level before and after least squares, and how often it is within bounds.

Errors are exact; shares are those of 400 draws of the made-up country. Run by hand or `make bench`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from benchmarks.results import Table
from dpviz.answers.spatial.place_list import made_up
from dpviz.answers.spatial.places import SPLITS, TWO, PlaceLevel, answer
from dpviz.core.budgets import ZCDP, Budget, Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.estimators.trees.ragged_tree import least_squares
from dpviz.mechanisms.counting.noisy_counts import level_scales
from dpviz.mechanisms.counting.place_counts import PlaceCounts

BUDGETS: tuple[Budget, ...] = (PureDP(0.1), PureDP(1), ZCDP(0.5))
RUNS = 400
FILES, DRAWS = (10_000, 1_000_000), 20
NOTE = (
    "Processor seconds, the least of three. ε = 1, an even split, secure bits; errors are root "
    f"mean squares of {DRAWS} draws, → what the law of the noise says."
)
ERRORS = "Named places: two standard errors measured → after least squares, by level"
HELD = "Named places: shares of true counts within two standard errors, by level"
OF_FILE = "Named places: an own file's rows found in the list of the made-up country, and counted"
MEASURES = (ERRORS, HELD, OF_FILE)
LEVELS = made_up().levels


def run() -> list[Table]:
    """Print and return both tables."""
    errors = [_errors(budget, split) for budget in BUDGETS for split in SPLITS]
    held = [row for budget in BUDGETS for row in _held(budget)]
    files = [_of_file(rows) for rows in FILES]
    for row in (*errors, *held, *files):
        print(*row, sep="  ", flush=True)
    drowned = "blocks smaller than their noise", "of all people"
    return [
        Table(ERRORS, ("budget, split", *LEVELS, *drowned), errors, "Exact, add/remove."),
        Table(HELD, ("budget, counts", *LEVELS), held, f"{RUNS} draws, an even split."),
        Table(OF_FILE, ("rows", "found, s", "counted, s", *LEVELS), files, NOTE),
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


def _of_file(rows: int) -> list[str]:
    """Seconds, and errors of releases against counts that are made by loops over names."""
    country, rng = made_up(), np.random.default_rng(3)
    parts = [np.repeat(np.arange(one.size), one) for one in country.tree.children]
    at = np.arange(country.people.size)
    chain = [at]
    for above in reversed(parts):
        chain.insert(0, above[chain[0]])
    paths = list(
        zip(*([country.names[depth][one] for one in chain[depth]] for depth in (1, 2, 3)),
            strict=True)
    )  # fmt: skip
    made = PlaceCounts(LEVELS[1:], paths)
    lives = rng.choice(len(paths), rows, p=country.people / country.people.sum())
    table = {name: [paths[one][depth] for one in lives] for depth, name in enumerate(LEVELS[1:])}
    found = min(_seconds(lambda: made.column(table)) for _ in range(3))
    column, budget = made.column(table), PureDP(1)
    counted = min(_seconds(lambda: made.release(column, budget)) for _ in range(3))
    drawn = [made.release(column, budget) for _ in range(DRAWS)]
    errors = []
    for depth, names in enumerate(drawn[0].names):
        inside = Counter(", ".join(paths[one][:depth]) or "the whole" for one in lives)
        truth = np.array([inside[name] for name in names])
        off = np.sqrt(np.mean([(one.counts[depth] - truth) ** 2 for one in drawn]))
        errors.append(f"{off:.3g} → {drawn[0].standard_errors[depth]:.3g}")
    return [f"{rows:,}", f"{found:.3f}", f"{counted:.3f}", *errors]


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    run()
