"""PrefixQuantiles: quantiles read from noisy running counts at the edges of equal bins."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import EITHER_TOTAL, Card
from dpviz.core.checks import MOST_RECORDS, checked_flag, optional, settle, whole
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.knobs import Knob
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Randomness, kind_of, only_seeded, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import Parameters, QuantileRelease
from dpviz.core.trees.prefix_noise import with_last
from dpviz.core.trees.shape import enough_cells
from dpviz.core.trees.square_root import MOST_BINS
from dpviz.core.usual_floats import usual_floats
from dpviz.estimators.trees.cdf import cdf_of_prefixes, monotone
from dpviz.estimators.trees.curve import cdf_quantiles
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.exponential.knobs import RECORDS, ROUNDED
from dpviz.mechanisms.exponential.ties import declared_outputs
from dpviz.mechanisms.quantiles.protocol import Quantiles
from dpviz.mechanisms.quantiles.releasing import asked, quantile_release
from dpviz.mechanisms.requests import check_cost_request, checked_budget

USUAL_BINS = 4096  # where none are given, unless fewer are enough
UNIT = Bounds(0, 1)
CHUNK = 2**18  # noisy running counts read at once: 2 MB arrays


@dataclass(frozen=True, slots=True)
class PrefixQuantiles:
    """Quantiles of the closest curve that never falls to running counts A x + M z with M·M = A.

    bins is K, from 1 to 2^22; None is two a value of the declared resolution, at most 4,096. n̂ is
    the last running count, or records where N is public; then what the noise of the last count says
    about the others is taken off. A quantile lies where the curve passes q n̂, by interpolation
    inside its bin.

    >>> dp.PrefixQuantiles(bins=64).release(column, [0.25, 0.75], dp.ZCDP(0.1), rng).spent
    ZCDP(rho=0.1)

    Guarantee: that of PrefixSums, for reading costs nothing: ZCDP and ApproxDP, under either
    relation; up to rounding.
    Raises: InvalidParameter for another number of bins, or a public N under add/remove.
    Source: Fichtenberger, Henzinger and Upadhyay 2023; replace-one and the reading: this project.
    """

    bins: int | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    round_to_grid: bool = False
    records: int | None = None

    name: ClassVar[str] = "PrefixQuantiles"
    card: ClassVar[Card] = Card(
        key="PrefixQuantiles",
        used=("running counts at {bins:,} edges", "{noise} noise"),
        miniature="running counts",
        title="Quantiles of noisy running counts",
        label="square root",
        lead="Publishes running counts with little noise and reads every quantile off them.",
        promises=("zcdp", "approx"),
        price="sees little finer than a bin; no pure ε",
        use="very many quantiles in ρ",
        words="running counts",
        way="from noisy running counts",
        family="Quantiles",
        summary="Running counts at the edges of equal bins with the noise of the square-root "
        "factorisation, smoothed; a quantile is read where they pass $q\\,\\hat n$.",
        guarantee="ρ-zCDP, (ε, δ) (Gaussian noise)",
        neighbours=EITHER_TOTAL,
        cost="bins × $\\log$ bins",
        good_for="very many quantiles in ρ: the error does not grow with their number, and before "
        "smoothing no tree of as many leaves has a smaller one",
        watch_out="sees little finer than a bin: bounds that are too wide waste bins; no pure ε",
        source="Fichtenberger, Henzinger and Upadhyay 2023",
        hue="brown",
    )
    knobs: ClassVar[tuple[Knob, ...]] = (
        Knob(
            field="bins",
            label="Bins",
            help="Equal bins between the bounds. Left empty: two for each value of the declared "
            "resolution, at most 4,096.",
            ends=(1, MOST_BINS),
            chip="{:,} bins",
            usual=lambda _, bounds, step, __: PrefixQuantiles().fitted(bounds, step).sums.bins,
        ),
        RECORDS,
        ROUNDED,
    )

    def __post_init__(self) -> None:
        settle(self, bins=optional(whole(1, MOST_BINS)), round_to_grid=checked_flag)
        settle_choices(self, neighbours=Neighbours)
        if self.records is None:
            return
        settle(self, records=whole(0, MOST_RECORDS))
        if self.neighbours is Neighbours.ADD_REMOVE:
            raise InvalidParameter(
                "A public N means replace-one neighbours: adding or removing a record changes N. "
                "Use neighbours=REPLACE_ONE, or leave records out."
            )

    def fitted(self, bounds: Bounds, resolution: float) -> PrefixQuantiles:
        """The same with a number of bins where it was left open, from what is public.

        Raises: InvalidParameter for a resolution that is no number of at least 0.
        """
        if self.bins is not None:
            return self
        enough = min(max(enough_cells(bounds, resolution), 1), USUAL_BINS)
        return replace(self, bins=math.ceil(enough))

    @property
    def sums(self) -> PrefixSums:
        """The mechanism of the running counts.

        Raises: InvalidParameter while the number of bins is left open.
        """
        if self.bins is None:
            raise InvalidParameter(
                "The number of bins of this PrefixQuantiles is left open: it depends on bounds and "
                "resolution. Take what fitted gives for them."
            )
        return PrefixSums(self.bins, self.neighbours)

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values."""
        return {
            "bins": self.bins,
            "noise": Noise.GAUSSIAN.value,
            "round_to_grid": self.round_to_grid,
            "records": self.records,
        }

    def check(self, budget: Budget, quantiles: Quantiles) -> None:
        """Raise what release would raise, without drawing.

        Raises: UnsupportedBudget for pure ε.
        """
        checked_budget(budget)
        QuantileSet.of(quantiles)
        self.fitted(UNIT, 0.0).sums.check(budget)

    @usual_floats
    def release(
        self, column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness | None = None
    ) -> QuantileRelease:
        """Spend the budget once.

        Raises: NotExact for secure bits, since the noise is continuous.
        """
        rng = or_secure(rng)
        wanted = asked(column, quantiles, budget, rng)
        seeded = only_seeded(rng, self.card.title)
        own = self.fitted(column.bounds, column.resolution)
        (values,) = own._drawn(column, wanted, budget, seeded, 1)
        return quantile_release(own, column, wanted, values, budget, randomness=kind_of(seeded))

    @usual_floats
    def release_many(
        self,
        column: Column,
        quantiles: Quantiles,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent runs, shape (runs, k); each spends the whole budget."""
        wanted = asked(column, quantiles, budget, rng, runs)
        own = self.fitted(column.bounds, column.resolution)
        return own._drawn(column, wanted, budget, rng, runs)

    def _drawn(
        self,
        column: Column,
        wanted: QuantileSet,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """(runs, k) in the order asked; a few runs at a time, and the column is counted once."""
        values = np.empty((runs, wanted.count))
        at = 0
        sums = self.sums
        for counts in sums.batches(column, budget, rng, runs, max(1, CHUNK // sums.bins)):
            values[at : at + len(counts)] = self._read(counts, column, wanted)
            at += len(counts)
        return wanted.in_order_asked(declared_outputs(values, column, self.round_to_grid))

    def _read(self, counts: FloatArray, column: Column, wanted: QuantileSet) -> FloatArray:
        """Post-processing of running counts (runs, K): values (runs, m)."""
        total = None if self.records is None else float(self.records)
        known = counts if total is None else with_last(counts, total)
        curve = monotone(cdf_of_prefixes(known, column.bounds, total))
        return cdf_quantiles(curve, wanted.distinct)

    def seconds(self, n: int, m: int, budget: Budget, runs: int, resolution: float = 0.0) -> float:
        """About how long release_many takes, in seconds."""
        check_cost_request(n, m, budget, runs, resolution)
        return 1e-3 + (2e-5 + 6e-8 * (self.bins or USUAL_BINS)) * runs
