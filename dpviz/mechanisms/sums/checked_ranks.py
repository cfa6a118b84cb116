"""CheckedRanks: how far released values are off in ranks, with noise of a known law."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_kind, settle
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.grid import as_written
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Randomness, bits_of, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import QuantileRelease
from dpviz.core.scalars.rank_check import RankCheck
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import level_scales
from dpviz.mechanisms.requests import check_column_request, checked_budget

__all__ = ["CheckedRanks", "RankCheck"]

LARGEST = 2**52  # below it doubles hold whole numbers and their sums with noise
FINEST = 10**6  # the largest denominator of a quantile: 1/3 is meant where .333… is written


@dataclass(frozen=True, slots=True)
class CheckedRanks:
    """The rank error #{x < v} − q n of each released value v, plus noise on whole multiples.

    With q = k/d the error times d is (d − k) #{x < v} − k #{x ≥ v}: a whole number, which an added
    or removed record moves by at most max(k, d − k), and a replaced one by d, for then n stays and
    #{x < v} moves by at most 1. All k values share the budget so that their noise is equally large:
    in ε by the sum of the changes, in ρ by the sum of their squares. The values may depend on the
    data: they are public already, and this composes with their own budget.

    >>> quantiles = dp.ApproximateQuantiles().release(column, [0.5], dp.PureDP(0.5))
    >>> dp.CheckedRanks().release(column, quantiles, dp.PureDP(0.5)).spent
    PureDP(epsilon=0.5)

    Guarantee: PureDP with discrete Laplace noise, ZCDP and ApproxDP with discrete Gaussian noise,
    under either relation, exact in the program. Errors: the noise's own; intervals() are exact.
    Source: this project (methods_next.md §13).
    """

    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "CheckedRanks"
    card: ClassVar[Card] = Card(
        key="CheckedRanks",
        title="Checked ranks",
        family="Building blocks",
        summary="Counts how many records lie below each released value, and releases the "
        "difference to $q n$ with noise.",
        guarantee="pure ε (discrete Laplace), ρ-zCDP and (ε, δ) (discrete Gaussian)",
        neighbours=BOTH,
        cost="a search for each value",
        good_for="an interval for the rank error of a release, which holds whatever the column",
        watch_out="it spends a budget of its own; the values themselves get no better",
        source="this project",
        label="checked ranks",
        words="checked ranks",
        lead="How far released quantiles are off in ranks, itself with noise.",
        promises=("pure", "zcdp", "approx"),
        price="a budget of its own",
        use="knowing how good a release is",
        holds="exact",
        hue="teal dash diamond-open",
    )

    def __post_init__(self) -> None:
        settle(self)
        settle_choices(self, neighbours=Neighbours)

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.for_budget(checked_budget(budget))

    def scales(self, quantiles: FloatArray, budget: Budget) -> tuple[FloatArray, FloatArray]:
        """Denominators d of the quantiles, and the scale of the noise on each error times d.

        Shapes: (k,) each. Raises: InvalidBudget for a budget too small for exact noise.
        """
        law, asked = self.law(budget), QuantileSet.of(quantiles).asked
        parts = [as_written(q).limit_denominator(FINEST) for q in asked.tolist()]
        changes = [self._change(part) for part in parts]  # in units of 1/d
        sizes = np.array(
            [c / part.denominator for c, part in zip(changes, parts, strict=True)], np.float64
        )
        weights = sizes if isinstance(budget, PureDP) else sizes**2
        shares = tuple((weights / weights.sum()).tolist())
        alone = level_scales(law, budget, shares, Neighbours.ADD_REMOVE)
        # a whole change of c with c times the scale costs what 1 costs with the scale
        grown = [math.nextafter(c * one, math.inf) for c, one in zip(changes, alone, strict=True)]
        return np.array([float(part.denominator) for part in parts]), np.array(grown)

    def _change(self, q: Fraction) -> int:
        if self.neighbours is Neighbours.REPLACE_ONE:
            return q.denominator
        return max(q.numerator, q.denominator - q.numerator)

    @usual_floats
    def release(
        self,
        column: Column,
        release: QuantileRelease,
        budget: Budget,
        rng: Randomness | None = None,
    ) -> RankCheck:
        """Spend the budget once on the values of a release.

        Raises: InvalidParameter for anything but a release of quantiles; InvalidData,
        InvalidBudget as for other mechanisms.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        _check_release(release)
        steps, scales = self.scales(release.quantiles, budget)
        errors = self._noisy(column, release, budget, rng, 1)[0]
        return RankCheck(
            mechanism=self.name,
            parameters={"checked": release.mechanism},
            quantiles=release.quantiles,
            values=release.values,
            errors=errors,
            steps=steps,
            scales=scales,
            noise=self.law(budget),
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )

    @usual_floats
    def release_many(
        self,
        column: Column,
        release: QuantileRelease,
        budget: Budget,
        rng: np.random.Generator,
        runs: int,
    ) -> FloatArray:
        """Independent noisy rank errors (runs, k); each run spends the whole budget."""
        check_column_request(column, budget, rng, runs)
        _check_release(release)
        return self._noisy(column, release, budget, rng, runs)

    def _noisy(
        self, column: Column, release: QuantileRelease, budget: Budget, rng: Randomness, runs: int
    ) -> FloatArray:
        parts = [as_written(q).limit_denominator(FINEST) for q in release.quantiles.tolist()]
        steps, scales = self.scales(release.quantiles, budget)
        below = column.count_below(release.values)
        bits, law = bits_of(rng), self.law(budget)
        errors = np.empty((runs, len(parts)))
        for at, (part, scale) in enumerate(zip(parts, scales.tolist(), strict=True)):
            exact = part.denominator * int(below[at]) - part.numerator * column.n
            noise = law.draw(scale, (runs,), bits)  # spends this value's part
            if abs(exact) > LARGEST:  # whole numbers are rounded when they are added, not before
                noise = noise.astype(np.int64).astype(object)
            errors[:, at] = exact + noise
        return errors / steps


def _check_release(release: QuantileRelease) -> None:
    checked_kind(
        release,
        QuantileRelease,
        "CheckedRanks",
        "a release of quantiles",
        "Hand over what ApproximateQuantiles().release(...) returned",
    )
