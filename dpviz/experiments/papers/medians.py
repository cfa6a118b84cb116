"""Private medians compared by depth: rank error and time, as in PSD's Fig. 4."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from dpviz import catalogue
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import Randomness
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Cost, Groups, PrivateMedian
from dpviz.mechanisms.medians.sampled import SampledMedian

PRINTED = "EM printed"  # Definition 5's line, beside EM
DEPTHS, EPSILON, DELTA = 10, 0.01, 1e-4  # of Fig. 4; δ is the total of a path
RATE = 0.01  # of its samples


@dataclass(frozen=True, slots=True)
class PrintedMedian:
    """The exponential mechanism with ε/2 a rank, as Definition 5 and the prototype draw it.

    A record moves the rank of a place by 0 or 1, and so does it the target, the rank of the median:
    their distance moves by up to 1. The target n/2 moves by ½, the distance from it by exactly ½:
    so ε a rank, our own line, has the same guarantee under add/remove.
    Source: Cormode et al. 2012, Definition 5.
    """

    median: ExponentialMedian = field(default_factory=ExponentialMedian)

    name: ClassVar[str] = "exponential, as printed"
    needs_order: ClassVar[bool] = True
    takes_delta: ClassVar[bool] = False

    @property
    def parameters(self) -> dict[str, Any]:
        """The name alone."""
        return {"name": self.name}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse what the exponential mechanism refuses."""
        self.median.check(budget, neighbours)

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """Half of the budget under add/remove: what the mechanism with ε/2 a rank takes."""
        return self.median.cost(budget.resized(budget.size / 2), neighbours)

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """As the exponential mechanism of half the budget, whose weight falls by ε/2 a rank."""
        return self.median.draw(groups, budget.resized(budget.size / 2), neighbours, rng)


def sample_budget(epsilon: float = EPSILON, rate: float = RATE) -> float:
    """How many times ε a median of a sample may spend, by exact amplification."""
    inside = SampledMedian(rate=rate).inner(PureDP(epsilon), Neighbours.ADD_REMOVE)
    return inside.size / epsilon


def methods() -> dict[str, PrivateMedian]:
    """The private medians of the catalogue with the settings of the print, by its names."""
    return {row.paper: row.as_printed for row in catalogue.MEDIANS}


def lines() -> dict[str, PrivateMedian]:
    """What Fig. 4 shows: the methods, and the exponential mechanism as Definition 5 has it."""
    return methods() | {PRINTED: PrintedMedian()}


def uniform_column(rng: np.random.Generator, n: int = 2**20, upper: float = 2.0**26) -> Column:
    """The paper's one-dimensional data: n points spread evenly at random over (0, upper)."""
    return Column.from_values(rng.uniform(0.0, upper, n), Bounds(0.0, upper))


def medians_by_depth(
    column: Column,
    rng: np.random.Generator,
    *,
    medians: Mapping[str, PrivateMedian] | None = None,
    depths: int = DEPTHS,
    epsilon: float = EPSILON,
    delta: float = DELTA,
    runs: int = 3,
    unsorted: bool = False,
) -> pd.DataFrame:
    """Rank error and time of every method on a binary tree that it splits itself.

    Each depth spends epsilon; delta is the total over all depths, for the methods that take it.
    Every run spends anew, under add/remove neighbours: for teaching only.
    Returns: columns method, depth (0 is the root), nodes, error, standard_error (over runs, NaN
    for one), seconds (the fastest run, on points that were sorted beforehand), unsorted_seconds
    (if unsorted, of one more draw in the first run, on points in no order that a method sorts if it
    must; else NaN). The
    error of a node of n > 0 points is the distance of n/2 from the ranks [#{x < v}, #{x ≤ v}] of
    its median v, over n/2: 1 if v misses the points. error is its mean over nodes and runs, NaN if
    all are empty. Confidential.
    Source: Cormode et al. 2012, Fig. 4; δ as a total over the path: this project.
    """
    rows = []
    for name, median in (methods() if medians is None else medians).items():
        step = ApproxDP(epsilon, delta / depths) if median.takes_delta else PureDP(epsilon)
        trees = [
            _split_tree(column, median, step, depths, rng, unsorted=unsorted and run == 0)
            for run in range(runs)
        ]
        for depth in range(depths):
            errors = np.array([tree[depth].error for tree in trees])
            rows.append(
                {
                    "method": name,
                    "depth": depth,
                    "nodes": 2**depth,
                    "error": errors.mean(),
                    "standard_error": errors.std(ddof=1) / runs**0.5 if runs > 1 else np.nan,
                    "seconds": min(tree[depth].seconds for tree in trees),
                    "unsorted_seconds": trees[0][depth].unsorted_seconds,
                }
            )
    return pd.DataFrame(rows)


@dataclass(frozen=True, slots=True)
class _Level:
    error: float
    seconds: float
    unsorted_seconds: float


def _split_tree(
    column: Column,
    median: PrivateMedian,
    step: Budget,
    depths: int,
    rng: np.random.Generator,
    *,
    unsorted: bool,
) -> list[_Level]:
    edges = np.array([column.bounds.low, column.bounds.high])
    levels = []
    for _ in range(depths):
        starts = column.count_below(edges)
        starts[-1] = column.n
        groups = Groups(column.values, starts, edges[:-1], edges[1:], column.bounds)
        drawn, taken = _timed_draw(median, groups, step, rng)
        again = float("nan")
        if unsorted:
            aside = rng.spawn(1)[0]
            again = _timed_draw(median, groups.shuffled(aside), step, aside)[1]
        levels.append(_Level(_mean_rank_error(column, groups, drawn), taken, again))
        edges = np.insert(edges, np.arange(1, edges.size), drawn)
    return levels


def _timed_draw(
    median: PrivateMedian, groups: Groups, step: Budget, rng: np.random.Generator
) -> tuple[FloatArray, float]:
    before = time.thread_time()
    drawn = median.draw(groups, step, Neighbours.ADD_REMOVE, rng)
    return drawn, time.thread_time() - before


def _mean_rank_error(column: Column, groups: Groups, drawn: FloatArray) -> float:
    filled = groups.sizes > 0
    if not filled.any():
        return float("nan")
    first, last = groups.starts[:-1], groups.starts[1:]
    below = np.clip(column.count_below(drawn), first, last) - first
    up_to = np.clip(column.count_up_to(drawn), first, last) - first
    half = groups.sizes / 2
    distance = np.maximum(np.maximum(below - half, half - up_to), 0.0)
    return float((distance[filled] / half[filled]).mean())
