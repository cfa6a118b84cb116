"""AggTree: quantiles read from noisy counts on a tree of equal-width intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.card import EITHER_TOTAL, Card
from dpviz.core.checks import MOST_RECORDS, checked_flag, optional, settle, whole
from dpviz.core.choices import Choice, plain_values, settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.knobs import BY_ITSELF, Knob
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Randomness, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.trees.shape import MAX_LEAVES, Levels, TreeShape, enough_cells
from dpviz.core.trees.tree_noise import Root
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.cdf import monotone
from dpviz.estimators.trees.curve import Cdf
from dpviz.estimators.trees.descent import descended_quantiles
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.quantiles import interpolated_quantiles, running_counts
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.exponential.knobs import RECORDS, ROUNDED
from dpviz.mechanisms.exponential.ties import declared_outputs
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.releasing import asked, quantile_release
from dpviz.mechanisms.requests import check_cost_request, checked_budget

PURE_FANOUT, OTHER_FANOUT = 8, 2  # where none is given: in pure ε; in ρ and (ε, δ)
MOST_LEAVES = 4096  # of a tree without a height
DEEPEST = MAX_LEAVES.bit_length() - 1
UNIT = Bounds(0, 1)
CHUNK = 2**18  # noisy leaves worked on at once: 2 MB arrays, small against 100 MB and in cache


class QuantileEstimator(Choice):
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

    A fanout or a height of None is taken from what is public (fitted): 2 is the best fanout after
    least squares in ρ and (ε, δ), and 8 within 6 % of the best in pure ε; 4,096 leaves cost up to a
    third on tight bounds and save several times as much on wide ones; where a resolution is
    declared, two leaves a value are enough. SMOOTHED is never far behind EFFICIENT and often far
    ahead. All this is this project's (benchmarks/accuracy.py): Kaplan et al. state neither fanout
    nor height; the program that they call has 16, 4 and the estimator DESCENT.

    >>> dp.AggTree(fanout=4, height=3).release(column, [0.5], dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: Laplace noise, discrete or not: PureDP and ZCDP; Gaussian noise: ZCDP and ApproxDP
    (the analytic Gaussian mechanism on the whole tree); under either relation. The released levels
    share the budget evenly: Laplace scale levels/ε, or the exact one of ρ/levels; Gaussian variance
    levels/(2ρ).
    Replace-one doubles Laplace scales and Gaussian variances.
    Raises: InvalidParameter for a tree with too many leaves or nothing to release.
    Source: Kaplan, Schnapp and Stemmer 2021, §4; efficient: Honaker 2019, Cormode et al. 2012;
    smoothed: Manohar 2014.
    """

    fanout: int | None = None
    height: int | None = None
    root: Root = Root.SUM
    noise: Noise | None = None
    estimator: QuantileEstimator = QuantileEstimator.SMOOTHED
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    round_to_grid: bool = False
    records: int | None = None

    name: ClassVar[str] = "AggTree"
    card: ClassVar[Card] = Card(
        key="AggTree",
        used=("a tree of fanout {fanout} and height {height}", "{noise} noise"),
        miniature="tree",
        title="AggTree",
        lead="Counts nested intervals with noise and reads every quantile off them.",
        promises=("pure", "zcdp", "approx"),
        price="sees no finer than a leaf",
        use="very many quantiles, or ranges as well",
        words="noisy tree",
        way="from a noisy tree",
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
    knobs: ClassVar[tuple[Knob, ...]] = (
        Knob(
            field="fanout",
            label="Fanout",
            help="Children of a node. Left empty: 2 in ρ and (ε, δ), the best for a CDF; 8 in pure "
            "ε, within 6 % of the best.",
            ends=(2, MOST_LEAVES),
            chip="fanout {}",
            usual=lambda _, *public: AggTree().fitted(*public).shape.fanout,
        ),
        Knob(
            field="height",
            label="Height",
            help="Levels below the root; fanout^height leaves. Left empty: two leaves for each "
            "value of the declared resolution, at most 4,096.",
            ends=(0, DEEPEST),
            chip="height {}",
            usual=lambda chosen, *public: AggTree(chosen["fanout"]).fitted(*public).shape.height,
        ),
        Knob(
            field="root",
            label="Total N",
            help="Public N means replace-one neighbours.",
            options={
                Root.SUM: "private, summed",
                Root.RELEASED: "private, released",
                Root.PUBLIC: "public N",
            },
            chip="total: {}",
        ),
        replace(RECORDS, needs={"root": Root.PUBLIC}, chip=""),
        Knob(
            field="estimator",
            key="reading",
            label="Reading",
            help="Off the closest running counts to those of least squares that never fall, off "
            "these themselves, or off the raw noisy counts.",
            options={
                QuantileEstimator.SMOOTHED: "smoothed",
                QuantileEstimator.EFFICIENT: "least squares",
                QuantileEstimator.RAW: "raw (paper)",
                QuantileEstimator.DESCENT: "descent (their program)",
            },
            chip="reading: {}",
        ),
        Knob(
            field="noise",
            label="Noise",
            help="Laplace noise gives pure ε and costs 1/b + e^(−1/b) − 1 in ρ; Gaussian noise "
            "gives zCDP and (ε, δ), and has less variance below ρ = 1.63 a level.",
            options={
                BY_ITSELF: "by the budget",
                Noise.DISCRETE_LAPLACE: "discrete Laplace",
                Noise.DISCRETE_GAUSSIAN: "discrete Gaussian",
                Noise.LAPLACE: "Laplace",
                Noise.GAUSSIAN: "Gaussian",
            },
            chip="{} noise",
        ),
        ROUNDED,
    )

    def __post_init__(self) -> None:
        settle(self, round_to_grid=checked_flag)
        settle_choices(self, root=Root, estimator=QuantileEstimator, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        settle(self, fanout=optional(whole(2, MAX_LEAVES)), height=optional(whole(0, DEEPEST)))
        settle(self, records=optional(whole(0, MOST_RECORDS)))
        fanout = self.fanout or OTHER_FANOUT
        height = _height(fanout, math.inf) if self.height is None else self.height
        self._counter(fanout, height)  # refuses what a tree of counts refuses

    @property
    def tree(self) -> CountTree:
        """The tree of counts that is noised, its released levels sharing evenly.

        Raises: InvalidParameter while its fanout or its height is left open.
        """
        return self._counter(*self._settled)

    @property
    def _settled(self) -> tuple[int, int]:
        if self.fanout is None or self.height is None:
            raise InvalidParameter(
                "The fanout or the height of this AggTree is left open: it depends on bounds, "
                "resolution and budget. Take the tree that fitted gives for them."
            )
        return self.fanout, self.height

    def _counter(self, fanout: int, height: int) -> CountTree:
        return _counter(fanout, height, self.noise, self.root, self.neighbours, self.records)

    @property
    def shape(self) -> TreeShape:
        """The shape of the tree. Raises: as tree."""
        return TreeShape(*self._settled)

    def fitted(self, bounds: Bounds, resolution: float, budget: Budget) -> AggTree:
        """The same with a fanout and a height where they were left open, from what is public.

        Two leaves a value of the resolution, or what is possible with at most 4,096: finer leaves
        would only take a share of the budget. On whole numbers in (−100, 100) 8^3 leaves err half
        as much as 8^4.
        Raises: InvalidParameter for a resolution that is no number of at least 0.
        """
        enough = enough_cells(bounds, resolution)
        fanout, height = self._shape_for(enough, checked_budget(budget))
        return replace(self, fanout=fanout, height=height)

    def _shape_for(self, enough: float, budget: Budget) -> tuple[int, int]:
        """Fanout and height, where they are open those for so many leaves in a notion."""
        usual = PURE_FANOUT if isinstance(budget, PureDP) else OTHER_FANOUT
        fanout = self.fanout or usual
        return fanout, _height(fanout, enough) if self.height is None else self.height

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return plain_values(self)

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for pure ε with Gaussian noise or (ε, δ) with Laplace noise.
        """
        checked_budget(budget)
        QuantileSet.of(quantiles)
        self._counter(*self._shape_for(enough_cells(UNIT, 0.0), budget)).check(budget)

    def level_scales(self, budget: Budget) -> tuple[float, ...]:
        """Noise scale of each level, root first; ∞ where it is not released. Raises: as tree."""
        return self.tree.level_scales(budget)

    @usual_floats
    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once."""
        rng = or_secure(rng)
        wanted = asked(column, quantiles, budget, rng)
        own = self.fitted(column.bounds, column.resolution, budget)
        noisy = own.tree.noisy(count_levels(column, own.shape), budget, rng, 1)
        edges = own.shape.edges(column.bounds)
        read = self._read(noisy, own.tree.total, edges, wanted.distinct)
        outputs = declared_outputs(read, column, self.round_to_grid)
        values = wanted.in_order_asked(outputs)[0]
        drawn = quantile_release(own, column, wanted, values, budget, randomness=kind_of(rng))
        return replace(drawn, parameters={**drawn.parameters, "noise": self.law(budget).value})

    @usual_floats
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
        own = self.fitted(column.bounds, column.resolution, budget)
        tree, shape = own.tree, own.shape
        exact = count_levels(column, shape)
        edges = shape.edges(column.bounds)
        public_total = tree.total
        values = np.empty((runs, wanted.count))
        for part in _chunks(runs, shape.leaves):
            size = part.stop - part.start
            noisy = tree.noisy(exact, budget, rng, size)
            values[part] = self._read(noisy, public_total, edges, wanted.distinct)
        return wanted.in_order_asked(declared_outputs(values, column, self.round_to_grid))

    def _read(
        self, noisy: Levels, total: float | None, edges: FloatArray, quantiles: FloatArray
    ) -> FloatArray:
        """Post-processing of the noisy counts (runs, nodes): values (runs, m)."""
        if self.estimator is QuantileEstimator.DESCENT:
            return descended_quantiles(noisy, edges, quantiles)
        if self.estimator is not QuantileEstimator.RAW:
            noisy = efficient_levels(noisy, total)
        running = running_counts(noisy, total)
        if self.estimator is QuantileEstimator.SMOOTHED:
            running = monotone(Cdf(edges, running, public_total=total is not None)).counts
        return interpolated_quantiles(running, edges, quantiles)

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds."""
        check_cost_request(n, m, budget, runs, resolution)
        each = 6e-8 if self.estimator is QuantileEstimator.SMOOTHED else 2e-8
        fanout, height = self._shape_for(math.inf, budget)  # with a resolution it is no larger
        leaves = min(float(fanout) ** height, MAX_LEAVES)
        return 6e-4 + (2e-5 + each * leaves) * runs


@lru_cache(maxsize=256)  # checking a tree takes as long as reading its quantiles
def _counter(
    fanout: int,
    height: int,
    noise: Noise | None,
    root: Root,
    neighbours: Neighbours,
    records: int | None,
) -> CountTree:
    return CountTree(fanout, height, noise=noise, root=root, neighbours=neighbours, records=records)


def _height(fanout: int, leaves: float) -> int:
    """The fewest levels with so many leaves, at most MOST_LEAVES; one level at least."""
    most = max(1, math.floor(math.log(MOST_LEAVES) / math.log(fanout) + 1e-9))
    fewer = (height for height in range(1, most) if fanout**height >= leaves)
    return next(fewer, most)


def _chunks(runs: int, leaves: int) -> Iterator[slice]:
    size = max(1, CHUNK // leaves)
    for start in range(0, runs, size):
        yield slice(start, min(runs, start + size))


def runs_on(
    tree: AggTree,
    made_up: FloatArray,
    declared: tuple[Bounds, float],
    quantiles: Quantiles,
    budget: Budget,
    rng: np.random.Generator,
    runs: int,
) -> FloatArray:
    """Several runs on made-up values (n,), nobody's, of these bounds and resolution: (runs, k).

    Raises: as release_many.
    """
    column = Column.from_values(made_up, *declared)
    return tree.release_many(column, quantiles, budget, rng, runs)
