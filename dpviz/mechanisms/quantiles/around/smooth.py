"""A single quantile with noise scaled to its smooth sensitivity."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.releases import Parameters
from dpviz.mechanisms.medians.protocol import Cost, Groups
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.medians.smooth_sensitivity import ranked_values, smooth_sensitivities
from dpviz.mechanisms.quantiles.around.protocol import Parts, Share
from dpviz.mechanisms.requests import LEAST_DELTA, checked_budget

STEPS = 1 << 30  # q is rounded to a multiple of 1/STEPS: ranks are then exact whole numbers


@dataclass(frozen=True, slots=True)
class SmoothQuantile:
    """x_m + (2σ_s/ε) · Lap(1), clamped to the part, m = ⌊qn + ½⌋; noise as for SmoothMedian.

    m grows by 0 or 1 with each record, so σ_s is e^ξ-smooth for every quantile. A level spends
    (ε, δ) over the number of levels.
    Guarantee: ApproxDP under either relation; no pure ε-DP and no zCDP.
    Source: Nissim, Raskhodnikova and Smith 2007.
    """

    name: ClassVar[str] = "smooth sensitivity"
    reads_all: ClassVar[bool] = True

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values, without the name."""
        return {}

    def check(self, budget: Budget) -> None:
        """Refuse pure ε and ρ."""
        if not isinstance(checked_budget(budget), ApproxDP):
            raise UnsupportedBudget(
                f"A quantile by smooth sensitivity gives (ε, δ)-DP only, got {budget}. Choose "
                "ApproxDP(epsilon, delta), or ExponentialQuantile()."
            )

    def cost(self, share: Share) -> Cost:
        """What the parts of one level take, worked out again from the noise: for the audit."""
        return SmoothMedian().cost(_level_budget(share), share.neighbours)

    def draw(
        self, parts: Parts, share: Share, rng: np.random.Generator
    ) -> tuple[FloatArray, IntArray]:
        """All parts at once."""
        xi, factor = SmoothMedian().noise(_level_budget(share), share.neighbours)
        low, high = parts.problems.low, parts.problems.high
        values, starts = parts.records()
        axis = Bounds(float(low.min(initial=0.0)), float(high.max(initial=1.0)))
        groups = Groups(values, starts, low, high, axis)
        ranks = wanted_ranks(parts.quantile, groups.sizes)
        scale = factor * smooth_sensitivities(groups, xi, ranks)
        noisy = ranked_values(groups, ranks) + scale * rng.laplace(size=scale.size)  # spends it
        drawn = np.clip(noisy, low, high)
        return drawn, parts.holding(drawn)


def wanted_ranks(quantile: FloatArray, sizes: IntArray) -> IntArray:
    """⌊qn + ½⌋, at least 1 and at most n, elementwise: it grows by 0 or 1 with each record.

    Whole numbers, for a rounded product could grow by 2.
    """
    steps = np.clip(np.round(quantile * STEPS), 1, STEPS - 1).astype(np.int64)
    ranks = (steps * sizes + STEPS // 2) // STEPS
    return np.asarray(np.minimum(np.maximum(ranks, 1), sizes))


def _level_budget(share: Share) -> ApproxDP:
    whole = share.whole
    assert isinstance(whole, ApproxDP)
    delta = whole.delta / share.levels
    if delta < LEAST_DELTA:
        raise UnsupportedBudget(
            f"δ = {whole.delta:g} is too small to be split over {share.levels} levels. Choose a "
            "larger δ."
        )
    return ApproxDP(whole.epsilon / share.levels, delta)
