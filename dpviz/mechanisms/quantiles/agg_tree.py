"""AggTree: quantiles read from noisy counts on a tree of equal-width intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget
from dpviz.core.card import EITHER_TOTAL, Card
from dpviz.core.checks import checked_flag, checked_number, settle, wanted
from dpviz.core.choices import Choice, settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Randomness, kind_of
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.cdf import monotone
from dpviz.estimators.trees.curve import Cdf
from dpviz.estimators.trees.descent import descended_quantiles
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.quantiles import interpolated_quantiles, running_counts
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.exponential.ties import declared_outputs
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.releasing import asked, quantile_release
from dpviz.mechanisms.requests import checked_budget

CHUNK = 2**18  # noisy leaves worked on at once: 2 MB arrays, small against 100 MB and in cache


class Estimator(Choice):
    """How quantiles are read off the noisy nodes.

    RAW takes running counts, as the paper's text has it, EFFICIENT the same after least squares,
    SMOOTHED the closest ones to these that never fall: where the noise of a leaf exceeds its
    records, EFFICIENT crosses q n̂ too early, several times as far off.
    DESCENT walks down by shares of the children, as the program does that the paper compares with.
    """

    RAW = "raw"
    EFFICIENT = "efficient"
    SMOOTHED = "smoothed"
    DESCENT = "descent"


@dataclass(frozen=True, slots=True)
class AggTree:
    """Noisy counts of fanout**height equal intervals and of their groups, read by interpolation.

    The defaults are this project's: SMOOTHED is never far behind EFFICIENT and often far ahead; 8
    is the best fanout after least squares in pure ε; of leaves, 4,096 cost up to a third on tight
    bounds and save several times as much on wide ones (benchmarks/accuracy.py). Kaplan et al. state
    neither fanout nor height; the program that they call has 16, 4 and the estimator DESCENT.

    Guarantee: Laplace noise, discrete or not: PureDP and ZCDP; Gaussian noise: ZCDP and ApproxDP
    (the analytic Gaussian mechanism on the whole tree); under either relation. The released levels
    share the budget evenly: Laplace scale levels/ε, or the exact one of ρ/levels; Gaussian variance
    levels/(2ρ).
    Replace-one doubles Laplace scales and Gaussian variances.
    Raises: InvalidParameter for a tree with too many leaves or nothing to release.
    Source: Kaplan, Schnapp and Stemmer 2021, §4; efficient: Honaker 2019, Cormode et al. 2012;
    smoothed: Manohar 2014.
    """

    fanout: int = 8
    height: int = 4
    root: Root = Root.SUM
    noise: Noise | None = None
    estimator: Estimator = Estimator.SMOOTHED
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    round_to_grid: bool = False
    records: int | None = None

    name: ClassVar[str] = "AggTree"
    card: ClassVar[Card] = Card(
        key="AggTree",
        title="AggTree",
        lead="Counts nested intervals with noise and reads every quantile off them.",
        promises=("pure", "zcdp", "approx"),
        price="sees no finer than a leaf",
        use="very many quantiles, or ranges as well",
        words="noisy tree",
        family="Quantiles",
        summary="Noisy counts of a complete tree over equal-width leaves; a quantile is read by "
        "interpolation in the leaf where the running count passes $q\\,\\hat n$.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP (any noise), "
        "(ε, δ) (Gaussian, discrete Gaussian)",
        neighbours=EITHER_TOTAL,
        cost="number of leaves × $\\log n$",
        good_for="very many quantiles, or range counts from the same release",
        watch_out="cannot see finer than a leaf: bounds that are too wide waste leaves",
        source="Dwork et al. 2010; Chan, Shi and Song 2011; as compared in Kaplan et al. 2021",
        holds="exact",
        hue="green",
    )

    def __post_init__(self) -> None:
        settle(self, round_to_grid=checked_flag)
        settle_choices(self, root=Root, estimator=Estimator, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        _ = self.tree  # refuses what a tree of counts refuses

    @property
    def tree(self) -> CountTree:
        """The tree of counts that is noised, its released levels sharing evenly."""
        return CountTree(
            self.fanout,
            self.height,
            noise=self.noise,
            root=self.root,
            neighbours=self.neighbours,
            records=self.records,
        )

    @property
    def shape(self) -> TreeShape:
        """The shape of the tree."""
        return TreeShape(self.fanout, self.height)

    def fitted(self, bounds: Bounds, resolution: float) -> AggTree:
        """The same with no more levels than separate all values of a declared resolution.

        Both are public. Leaves that are finer only take a share of the budget: on whole numbers in
        (−100, 100), three levels of 8 err half as much as four. Itself at resolution 0.
        Raises: InvalidParameter for a resolution that is no number of at least 0.
        """
        step = checked_number(resolution, "resolution")
        if not 0 <= step < math.inf:
            raise InvalidParameter(f"The resolution must be a number of at least 0, got {step}.")
        cells = wanted(Bounds, bounds, "bounds").width / step + 1 if step else math.inf
        fewer = (height for height in range(1, self.height) if self.fanout**height >= cells)
        return replace(self, height=next(fewer, self.height))

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return {
            "fanout": self.fanout,
            "height": self.height,
            "root": self.root.value,
            "noise": None if self.noise is None else self.noise.value,
            "estimator": self.estimator.value,
            "round_to_grid": self.round_to_grid,
            "records": self.records,
        }

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for pure ε with Gaussian noise or (ε, δ) with Laplace noise.
        """
        checked_budget(budget)
        QuantileSet.of(quantiles)
        self.tree.check(budget)

    def level_scales(self, budget: Budget) -> tuple[float, ...]:
        """Noise scale of each level, root first; ∞ where a level is not released."""
        return self.tree.level_scales(budget)

    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness
    ) -> QuantileRelease:
        """Spend the budget once."""
        wanted = asked(column, quantiles, budget, rng)
        noisy = self.tree.noisy(count_levels(column, self.shape), budget, rng, 1)
        edges = self.shape.edges(column.bounds)
        read = self._read(noisy, self.tree.total, edges, wanted.distinct)
        outputs = declared_outputs(read, column, self.round_to_grid)
        values = wanted.in_order_asked(outputs)[0]
        drawn = quantile_release(self, column, wanted, values, budget, randomness=kind_of(rng))
        return replace(drawn, parameters={**drawn.parameters, "noise": self.law(budget).value})

    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k); each spends the whole budget. Counts once.

        Memory does not grow with runs beyond the result: noise is drawn for a few runs at a time.
        """
        wanted = asked(column, quantiles, budget, rng, runs)
        tree = self.tree
        exact = count_levels(column, self.shape)
        edges = self.shape.edges(column.bounds)
        public_total = tree.total
        values = np.empty((runs, wanted.count))
        for part in _chunks(runs, self.shape.leaves):
            size = part.stop - part.start
            noisy = tree.noisy(exact, budget, rng, size)
            values[part] = self._read(noisy, public_total, edges, wanted.distinct)
        return wanted.in_order_asked(declared_outputs(values, column, self.round_to_grid))

    def _read(
        self, noisy: Levels, total: float | None, edges: FloatArray, quantiles: FloatArray
    ) -> FloatArray:
        """Post-processing of the noisy counts (runs, nodes): values (runs, m)."""
        if self.estimator is Estimator.DESCENT:
            return descended_quantiles(noisy, edges, quantiles)
        if self.estimator is not Estimator.RAW:
            noisy = efficient_levels(noisy, total)
        running = running_counts(noisy, total)
        if self.estimator is Estimator.SMOOTHED:
            running = monotone(Cdf(edges, running, public_total=total is not None)).counts
        return interpolated_quantiles(running, edges, quantiles)

    def seconds(
        self,
        n: int,  # noqa: ARG002  counting takes a search for each edge, whatever n is
        m: int,  # noqa: ARG002
        budget: Budget,  # noqa: ARG002
        runs: int,
        resolution: float = 0.0,  # noqa: ARG002
    ) -> float:
        """About how long release_many takes, in seconds."""
        each = 6e-8 if self.estimator is Estimator.SMOOTHED else 2e-8
        return 6e-4 + (2e-5 + each * self.shape.leaves) * runs


def _chunks(runs: int, leaves: int) -> Iterator[slice]:
    size = max(1, CHUNK // leaves)
    for start in range(0, runs, size):
        yield slice(start, min(runs, start + size))
