"""AggTree: which shape and reading to prefer, and what many runs cost. Run by hand or `make bench`.

Accuracy as in Kaplan, Schnapp and Stemmer 2021, §4: n = 1000, ε = 1, bounds (−100, 100), mean gap
over uniform quantiles, averaged over samples of Uniform(−5, 5) and Normal(0, 5).
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.mechanisms.quantiles.agg_tree import AggTree, QuantileEstimator, Root

BOUNDS = Bounds(-100, 100)
SHAPES = [(10, 3), (10, 2), (2, 8), (2, 10), (4, 4), (4, 5), (8, 3), (16, 2), (32, 2), (256, 1)]
COUNTS = (3, 15, 60, 120)
MEASURES: tuple[str, ...] = ()  # it prints only


def mean_gap(tree: AggTree, m: int, samples: int, runs: int) -> float:
    """Mean gap over quantiles, runs, samples and both populations; the same seeds for all trees."""
    rng = np.random.default_rng(m)
    quantiles = QuantileSet.of(uniform_quantiles(m))
    gaps = []
    for _ in range(samples):
        for population in (rng.uniform(-5, 5, 1000), rng.normal(0, 5, 1000)):
            column = Column.from_values(population, BOUNDS)
            values = tree.release_many(column, quantiles, PureDP(1), rng, runs)
            gaps.append(np.abs(column.count_below(values) - quantiles.ranks(column.n)).mean())
    return float(np.mean(gaps))


def accuracy(samples: int = 10, runs: int = 50) -> Iterator[str]:
    """One row a shape, root and reading."""
    yield "mean gap, n = 1000, ε = 1" + " " * 16 + "".join(f"{f'm={m}':>8}" for m in COUNTS)
    for (fanout, height), root, estimator in itertools.product(
        SHAPES, (Root.SUM, Root.RELEASED), QuantileEstimator
    ):
        tree = AggTree(fanout, height, root=root, estimator=estimator)
        row = "".join(f"{mean_gap(tree, m, samples, runs):8.1f}" for m in COUNTS)
        yield f"fanout {fanout:4d} height {height:2d} {root:9s} {estimator:10s}{row}"


def speed(runs: int = 1000) -> Iterator[str]:
    """Time of one release and of many, n = 10^6, m = 9."""
    column = Column.from_values(np.random.default_rng(0).normal(0, 5, 10**6), BOUNDS)
    for fanout, height in ((10, 3), (2, 10), (4, 5), (10, 5)):
        for estimator in QuantileEstimator:
            tree = AggTree(fanout, height, estimator=estimator)
            some = runs if tree.shape.leaves < 10**4 else runs // 50
            times = {count: best_time(tree, column, count) for count in (1, some)}
            row = ", ".join(f"{count} runs {1e3 * t:.1f} ms" for count, t in times.items())
            yield f"fanout {fanout:2d} height {height:2d} {estimator:10s}{row}"


def best_time(tree: AggTree, column: Column, runs: int) -> float:
    """Seconds, the best of three."""
    taken = []
    for seed in range(3):
        start = time.perf_counter()
        tree.release_many(
            column, uniform_quantiles(9), PureDP(1), np.random.default_rng(seed), runs
        )
        taken.append(time.perf_counter() - start)
    return min(taken)


def run() -> None:
    """Print all rows."""
    for row in itertools.chain(accuracy(), speed()):
        sys.stdout.write(row + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    run()
