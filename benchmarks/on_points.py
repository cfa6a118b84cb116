"""Speed of exact quantiles and medians, beside a run of a study and a sort of the same column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import targets
from benchmarks.quantiles import timings
from benchmarks.targets import Row
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import PERCENTILES
from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp

N, REPEATS = 10**6, 15
NODES = (1, 64, 4096, 32_768)


def exact_quantiles(rng: np.random.Generator) -> Iterator[Row]:
    columns = {
        "continuous": Column.from_values(rng.normal(scale=5, size=N), Bounds(-100, 100)),
        "ages": Column.from_values(rng.integers(17, 90, N), Bounds(0, 120), resolution=1),
    }
    for kind, column in columns.items():
        bits, shuffled = SecureBits.fresh(), rng.permutation(column.values)
        for mechanism in (ApproximateQuantiles(), IndependentExp()):
            best = timings(
                REPEATS,
                lambda m=mechanism, c=column, b=bits: m.release(c, PERCENTILES, PureDP(1), b),
                lambda m=mechanism, c=column: m.release_many(c, PERCENTILES, PureDP(1), rng, 1),
                lambda values=shuffled: np.sort(values),
            )
            (_, exact), (_, study), (_, sort) = best
            name = targets.exact(mechanism.card.label, kind)
            print(
                f"{name:<58} {1e3 * exact:.1f} ms, {exact / study:.2f} × a study's run, "
                f"{exact / sort:.2f} × a sort",
                flush=True,
            )
            yield Row(name, 1e3 * exact, "ms")
            yield Row(targets.over_study(name), exact / study, "×")
            yield Row(f"{name}, over a sort", exact / sort, "×")


def exact_medians(rng: np.random.Generator) -> Iterator[Row]:
    median, bits = ExponentialMedian(), SecureBits.fresh()
    for nodes in NODES:
        starts = np.linspace(0, N, nodes + 1).astype(np.int64)
        values = rng.random(N)[np.argsort(np.repeat(np.arange(nodes), np.diff(starts)))]
        groups = Groups(values, starts, np.zeros(nodes), np.ones(nodes), Bounds(0, 1), False)
        ordered = groups.in_order()
        (_, exact), (_, sort) = timings(
            7,
            lambda g=ordered: median.draw(g, PureDP(0.1), Neighbours.ADD_REMOVE, bits),
            lambda v=values: np.sort(v),
        )
        name = f"exact medians of {nodes:,} nodes, n = 10^6"
        print(f"{name:<58} {1e3 * exact:.1f} ms, {exact / sort:.2f} × a sort", flush=True)
        yield Row(name, 1e3 * exact, "ms")
        yield Row(f"{name}, over a sort", exact / sort, "×")


def run() -> list[Row]:
    rng = np.random.default_rng(20260101)
    return [*exact_quantiles(rng), *exact_medians(rng)]


if __name__ == "__main__":
    run()
