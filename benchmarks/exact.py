"""What exactness costs: releases with secure bits beside the limits that were set for them.

Quantiles and medians stand beside a run of a study and a sort of the same column, noise on whole
numbers beside continuous noise.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import targets
from benchmarks.quantiles import timings
from benchmarks.results import Speeds
from benchmarks.targets import Row
from benchmarks.trees import whole_speed
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import PERCENTILES
from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp

TITLE = "Exact releases with secure bits"
N, REPEATS = 10**6, 15
NODES = (1, 64, 4096, 32_768)
KINDS = ("continuous", "ages")
MECHANISMS = (ApproximateQuantiles(), IndependentExp())


def over_sort(name: str) -> str:
    return f"{name}, over a sort"


def of_medians(nodes: int) -> str:
    return f"exact medians of {nodes:,} nodes, n = 10^6"


def _measures() -> Iterator[str]:
    for kind in KINDS:
        for mechanism in MECHANISMS:
            name = targets.exact(mechanism.card.label, kind)
            yield from (name, targets.over_study(name), over_sort(name))
    yield from (targets.WHOLE_TREE, targets.WHOLE_TREE_RHO)
    yield from (targets.WHOLE_QUADTREE, targets.WHOLE_KD_TREE)
    for nodes in NODES:
        yield from (of_medians(nodes), over_sort(of_medians(nodes)))


MEASURES = (*_measures(), TITLE)


def exact_quantiles(rng: np.random.Generator) -> Iterator[Row]:
    columns = (
        Column.from_values(rng.normal(scale=5, size=N), Bounds(-100, 100)),
        Column.from_values(rng.integers(17, 90, N), Bounds(0, 120), resolution=1),
    )
    for kind, column in zip(KINDS, columns, strict=True):
        bits, shuffled = SecureBits.fresh(), rng.permutation(column.values)
        for mechanism in MECHANISMS:
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
            yield Row(over_sort(name), exact / sort, "×")


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
        name = of_medians(nodes)
        print(f"{name:<58} {1e3 * exact:.1f} ms, {exact / sort:.2f} × a sort", flush=True)
        yield Row(name, 1e3 * exact, "ms")
        yield Row(over_sort(name), exact / sort, "×")


def run() -> list[Speeds]:
    rng = np.random.default_rng(20260101)
    rows = [*exact_quantiles(rng), *whole_speed(rng), *exact_medians(rng)]
    note = (
        "In one process, the best of several repetitions; continuous noise and a study's run (many "
        "draws at once, in doubles) come from a seeded generator. A study's run on a continuous "
        "column looks at a few of its records only; a release maps each of them to a point."
    )
    return [Speeds(TITLE, rows, note)]


if __name__ == "__main__":
    run()
